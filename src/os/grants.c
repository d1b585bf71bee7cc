/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grants: one name that the user entered grants one file, once. Only files of this session are replaced or
 * removed, and those whose name the user entered with a ! before it.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "icecore/directory.h"
#include "icecore/named.h"
#include "grants.h"

enum {
	KEYS_MOST = 16384,	/* bytes of keys that are remembered */
	WINDOW = 1024,		/* bytes of keys for one name */
	FILES_MOST = 4096	/* files of this session that are remembered */
};

#define NO_KEY SIZE_MAX

/* Rights of a file that is being made. */
struct grant {
	bool		exported, replace, text;
};

struct own_file {
	dev_t		dev;
	ino_t		ino;
};

/* State of the helper; a process has only one helper. */
static struct {
	struct buf	 keys;
	size_t		 started;		/* keys before were used to start a process */
	char		 offered[NAME_MAX + 1];	/* the name in the prompt; "" for none */
	struct own_file	*file;
	size_t		 nfiles, cap;
	struct grant	 of[ORDERS_MADE];
	/* The order that was allowed last. */
	struct grant	 next;
	size_t		 next_key;		/* the Enter that it uses up; NO_KEY: none */
	size_t		 next_started;
	bool		 next_folder;
	char		 path[PATH_MAX];
} grants;

/* ---- keys ------------------------------------------------------------------------- */

void
keys_scripted(const char *s, size_t n)
{
	grants_key(s, n);
}

void
grants_key(const char *s, size_t n)
{
	size_t drop;

	buf_add(&grants.keys, s, n);
	if (grants.keys.bad) {
		buf_free(&grants.keys);
		grants.started = 0;
	}
	if (grants.keys.n <= KEYS_MOST)
		return;
	drop = grants.keys.n - KEYS_MOST / 2;
	memmove(grants.keys.s, grants.keys.s + drop, grants.keys.n - drop);
	grants.keys.n -= drop;
	grants.started = grants.started > drop ? grants.started - drop : 0;
}

/* A line of a prompt, as the keys edit it. */
struct edited {
	char		s[PATH_MAX];
	size_t		n, at;
	bool		tabbed;		/* Tab changed its ending: to which one is not known here */
	bool		pasting;
	bool		entered;	/* its first key follows Enter */
};

static bool
edited_is_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static void
edited_cut(struct edited *e, size_t from, size_t to)
{
	memmove(e->s + from, e->s + to, e->n - to);
	e->n -= to - from;
	e->at = from;
}

static bool
edited_put(struct edited *e, char c)
{
	if (e->tabbed || e->n == sizeof e->s - 1)
		return false;
	memmove(e->s + e->at + 1, e->s + e->at, e->n - e->at);
	e->s[e->at++] = c;
	e->n++;
	return true;
}

static size_t
edited_before(const struct edited *e)
{
	size_t at = e->at;

	while (at > 0 && edited_is_tail(e->s[--at]))
		;
	return at;
}

static size_t
edited_after(const struct edited *e)
{
	size_t at = e->at;

	while (at < e->n && edited_is_tail(e->s[++at]))
		;
	return at < e->n ? at : e->n;
}

/* Return where the word before the cursor begins, as in readline: back over blanks, then over a word. */
static size_t
edited_word(const struct edited *e)
{
	size_t at = e->at;

	while (at > 0 && is_blank(e->s[at - 1]))
		at--;
	while (at > 0 && !is_blank(e->s[at - 1]))
		at--;
	return at;
}

/* Return the length of the ending that the line has. */
static size_t
edited_ending(const char *s, size_t n, const char *const *endings)
{
	for (; endings != NULL && *endings != NULL; endings++)
		if (str_has_suffix((struct str){ s, n }, str_of(*endings)))
			return strlen(*endings);
	return 0;
}

static bool
edited_control(struct edited *e, char c, const char *const *endings)
{
	switch (c) {
	case '\t':
		e->n -= edited_ending(e->s, e->n, endings);
		e->at = e->n;
		return e->tabbed = true;
	case 'U' & 31: edited_cut(e, 0, e->at); break;
	case 'K' & 31: edited_cut(e, e->at, e->n); break;
	case 'W' & 31: edited_cut(e, edited_word(e), e->at); break;
	case 'D' & 31: edited_cut(e, e->at, edited_after(e)); break;
	case '\b': case '\177': edited_cut(e, edited_before(e), e->at); break;
	case 'A' & 31: e->at = 0; break;
	case 'E' & 31: e->at = e->n; break;
	case 'B' & 31: e->at = edited_before(e); break;
	case 'F' & 31: e->at = edited_after(e); break;
	default: return false;
	}
	/* A line that is empty again has no ending that is unknown. */
	return !e->tabbed || e->n == 0 ? (e->tabbed = false, true) : false;
}

/* Return the length of an escape sequence; 0: it is none that ends here. */
static size_t
edited_escape_of(const char *s, size_t n)
{
	size_t i = 2;

	if (n > 2 && s[1] == 'O')
		return 3;
	if (n > 5 && s[1] == '[' && s[2] == 'M')
		return 6;
	while (n > 2 && s[1] == '[' && i < n && s[i] >= ' ' && s[i] < '@')
		i++;
	return n > 2 && s[1] == '[' && i < n && s[i] >= '@' && s[i] <= '~' ? i + 1 : 0;
}

/* Reports of the mouse and answers of the terminal change nothing. False: a key that is not edited here. */
static bool
edited_escape(struct edited *e, const char *s, size_t n)
{
	static const struct { const char *bytes; char control; } moves[] = { { "[C", 'F' & 31 },
	    { "OC", 'F' & 31 }, { "[D", 'B' & 31 },
	    { "OD", 'B' & 31 }, { "[H", 'A' & 31 }, { "OH", 'A' & 31 }, { "[1~", 'A' & 31 },
	    { "[7~", 'A' & 31 }, { "[F", 'E' & 31 },
	    { "OF", 'E' & 31 }, { "[4~", 'E' & 31 }, { "[8~", 'E' & 31 }, { "[3~", 'D' & 31 } };

	if (s[1] == '[' && (s[2] == '<' || s[2] == '?' || s[2] == 'M'))
		return true;
	if (str_eq((struct str){ s + 1, n - 1 }, STR("[200~")) ||
	    str_eq((struct str){ s + 1, n - 1 }, STR("[201~"))) {
		e->pasting = s[4] == '0';
		return true;
	}
	for (size_t i = 0; i < NELEM(moves); i++)
		if (str_eq((struct str){ s + 1, n - 1 }, str_of(moves[i].bytes)))
			return edited_control(e, moves[i].control, NULL);
	return false;
}

/* Edit the keys from at on; true if the key at end is the first one that enters the line. */
static bool
edited_enter(struct edited *e, size_t at, size_t end, const char *const *endings)
{
	const struct buf *k = &grants.keys;
	size_t n;
	bool ok = true;
	char c;

	for (; ok && at <= end; at += n) {
		c = k->s[at];
		n = c == '\033' ? edited_escape_of(k->s + at, k->n - at) : 1;
		if (n == 0)
			return false;
		if (c == '\033')
			ok = edited_escape(e, k->s + at, n);
		else if (e->pasting)
			ok = edited_put(e, (unsigned char)c < ' ' || c == '\177' ? ' ' : c);
		else if (c == '\r' || c == '\n')
			return at == end;
		else
			ok = (unsigned char)c < ' ' || c == '\177' ? edited_control(e, c, endings) :
			    edited_put(e, c);
	}
	return false;
}

/* ---- names ------------------------------------------------------------------------ */

static bool
edited_is_around(char c)
{
	return is_blank(c) || c == '\'' || c == '"';
}

/*
 * The text in front of a name asks for one: "", "!", "methods | export! '". Behind Enter it could be that of a search.
 */
static bool
edited_asks(struct str before, bool entered, bool *replace)
{
	for (size_t i = 0; entered && i < before.n; i++)
		if (is_one_of(before.s[i], "/&@"))
			return false;
	while (before.n > 0 && edited_is_around(before.s[before.n - 1]))
		before.n--;
	*replace = before.n > 0 && before.s[before.n - 1] == '!';
	before.n -= *replace;
	return before.n == 0 || str_eq(before, STR("export")) || (str_has_suffix(before, STR("export")) &&
	    is_one_of(before.s[before.n - strlen("export") - 1], "| "));
}

/* Whether the line is that name, or writes rows to it. */
static bool
edited_name(const struct edited *e, const char *name, bool *replace)
{
	size_t n = strlen(name);

	for (size_t i = 0; n > 0 && i + n <= e->n; i++)
		if (memcmp(e->s + i, name, n) == 0 && edited_asks((struct str){ e->s, i }, e->entered, replace) &&
		    (i + n == e->n || edited_is_around(e->s[i + n]) || e->s[i + n] == '|'))
			return true;
	return false;
}

/* The explorer adds an ending to a name without one. */
static bool
edited_completes(const struct edited *e, size_t from, const char *name, const char *const *endings)
{
	struct str line = { e->s + from, e->n - from };
	size_t n = strlen(name), ending = edited_ending(name, n, endings);
	bool ended = false;

	for (size_t i = line.n; i > 0 && line.s[i - 1] != '/'; i--)
		ended |= line.s[i - 1] == '.';
	return line.n > 0 && ending > 0 && n == line.n + ending && memcmp(name, line.s, line.n) == 0 &&
	    (e->tabbed || !ended);
}

/* Whether the line gives that name; *replace: it has a ! before it. */
static bool
edited_gives(const struct edited *e, const char *name, const char *const *endings, bool *replace)
{
	if (!e->tabbed && edited_name(e, name, replace))
		return true;
	*replace = e->n > 0 && e->s[0] == '!';
	return edited_completes(e, *replace, name, endings);
}

/* Whether a report of the mouse ends in front of the key. */
static bool
grants_clicked(size_t start)
{
	const char *s = grants.keys.s;
	size_t at = start - 1;

	if (start > 5 && s[start - 6] == '\033' && s[start - 5] == '[' && s[start - 4] == 'M')
		return true;
	while (at > 0 && (is_digit(s[at - 1]) || s[at - 1] == ';'))
		at--;
	return (s[start - 1] | 32) == 'm' && at > 2 && s[at - 1] == '<' && s[at - 2] == '[' && s[at - 3] == '\033';
}

/* A name is offered by the key w, or by a click. */
static bool
grants_offers(size_t start)
{
	return start > 0 && ((grants.keys.s[start - 1] | 32) == 'w' || grants_clicked(start));
}

/*
 * The key in front opens a prompt that takes a name, and is not itself text, as of a search.  Enter opens one
 * from the palette, and again for a query with an error.
 */
static bool
grants_opens(size_t start)
{
	const char *s = grants.keys.s;

	if (!grants_offers(start) && (start == 0 || !is_one_of(s[start - 1], ":=\r\n")))
		return false;
	if (is_one_of(s[start - 1], "\r\n"))
		return true;
	for (size_t at = start - 1; at > 0 && !is_one_of(s[at - 1], "\r\n\3\7") && s[at - 1] != '\0'; at--) {
		if (s[at - 1] == '\033' && s[at] != '[' && s[at] != 'O')
			return true;
		if (is_one_of(s[at - 1], "/&@:="))
			return false;
	}
	return true;
}

static bool
grants_enters(size_t start, size_t end, const char *name, const char *const *endings, bool *replace)
{
	struct edited e;

	if (!grants_opens(start))
		return false;
	/* Not its text: many starts are tried. */
	e.n = e.at = 0;
	e.tabbed = e.pasting = false;
	e.entered = is_one_of(grants.keys.s[start - 1], "\r\n");
	if (edited_enter(&e, start, end, endings) && edited_gives(&e, name, endings, replace))
		return true;
	if (grants.offered[0] == '\0' || !grants_offers(start))
		return false;
	e.n = e.at = strlen(grants.offered);
	e.tabbed = e.pasting = e.entered = false;
	memcpy(e.s, grants.offered, e.n);
	return edited_enter(&e, start, end, endings) && edited_gives(&e, name, endings, replace);
}

/*
 * Whether keys that were not used yet enter that name. Where a prompt began is not known here, so every place
 * before the key Enter is tried.
 */
static bool
grants_entered(const char *name, const char *const *endings, bool *replace)
{
	const struct buf *k = &grants.keys;
	bool found = false;

	*replace = false;
	for (size_t end = 0; end < k->n && !found; end++)
		for (size_t start = end; (k->s[end] == '\r' || k->s[end] == '\n') && !*replace; start--) {
			/* The keys before may still be a !. */
			if (grants_enters(start, end, name, endings, replace)) {
				grants.next_key = end;
				found = true;
			}
			if (start == 0 || end - start == WINDOW)
				break;
		}
	return found;
}

/* Whether the user pressed Enter or a button of the mouse since the last process was started. */
static bool
grants_pressed(void)
{
	struct str k = buf_view(&grants.keys);

	for (size_t at = grants.started; at < k.n; at++)
		if (k.s[at] == '\r' || k.s[at] == '\n' || k.s[at] == '\0' ||
		    str_has_prefix(str_after(k, at), STR("\033[<")) ||
		    str_has_prefix(str_after(k, at), STR("\033[M"))) {
			/* All keys of a script are known from the start. */
			grants.next_started = keys_source() < 0 ? at + 1 : k.n;
			return true;
		}
	return false;
}

/* ---- files ------------------------------------------------------------------------- */

static bool
grants_is_own(const struct stat *st)
{
	for (size_t i = 0; i < grants.nfiles; i++)
		if (grants.file[i].dev == st->st_dev && grants.file[i].ino == st->st_ino)
			return true;
	return false;
}

static void
grants_own(const char *path)
{
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && grants.nfiles < FILES_MOST &&
	    mem_grow(&grants.file, &grants.cap, grants.nfiles + 1, sizeof *grants.file))
		grants.file[grants.nfiles++] = (struct own_file){ st.st_dev, st.st_ino };
}

/* ---- orders ------------------------------------------------------------------------ */

static bool
grants_refuse(int error)
{
	errno = error;
	return false;
}

/* A picture in the directory that the user entered; its list of duplicates is replaced. */
static bool
grants_is_picture(const struct sandbox *s, const char *path, struct grant *g)
{
	char real[PATH_MAX];
	struct str name = last_name(path);
	size_t ending;

	if (!places_real_of(path, false, real) || !places_entered(real) ||
	    (ending = edited_ending(path, strlen(path), s->rereads)) == 0)
		return false;
	g->replace = ending == name.n;
	return name.n > ending || g->replace;
}

static bool
allow_new(const struct sandbox *s, const char *path)
{
	enum sandbox_use use = places_writes(s, path, false);

	grants.next = (struct grant){ .exported = use == SANDBOX_EXPORT || use == SANDBOX_WRITE,
	    .text = use == SANDBOX_KEPT };
	return !grants.next.exported || grants_is_picture(s, path, &grants.next) ||
	    grants_entered(path, s->endings, &grants.next.replace) || grants_refuse(EPERM);
}

static bool
allow_name(struct file_order *o)
{
	const struct grant *g = &grants.of[o->made];
	struct stat st;

	o->copy = g->text;
	return !g->exported || !o->replace || g->replace || lstat(grants.path, &st) != 0 ||
	    grants_is_own(&st) || grants_refuse(EEXIST);
}

static bool
allow_remove(const struct sandbox *s, const char *path)
{
	struct stat st;

	return places_writes(s, path, false) == SANDBOX_INDEX || lstat(path, &st) != 0 ||
	    grants_is_own(&st) || grants_refuse(EACCES);
}

/* A directory that exists is entered for pictures in it. */
static bool
allow_directory(const struct sandbox *s, const char *path)
{
	static const char *const none[] = { NULL };
	enum sandbox_use use = places_writes(s, path, true);
	struct stat st;
	bool replace, exported = use == SANDBOX_EXPORT || use == SANDBOX_WRITE;

	grants.next_folder = grants_entered(path, none, &replace);
	return stat(path, &st) == 0 || !exported || grants.next_folder || grants_refuse(EPERM);
}

bool
grants_allow(const struct sandbox *s, struct file_order *o)
{
	const char *path = order_path(o);

	grants.next_key = NO_KEY;
	grants.next_folder = o->copy = false;
	snprintf(grants.path, sizeof grants.path, "%s", path != NULL ? path : "");
	switch (o->kind) {
	case ORDER_NEW: return allow_new(s, path);
	case ORDER_NAME: return allow_name(o);
	case ORDER_REMOVE: return allow_remove(s, path);
	case ORDER_DIRECTORY: return allow_directory(s, path);
	case ORDER_START: return grants_pressed() || grants_refuse(EACCES);
	default: return true;
	}
}

void
grants_ran(const struct file_order *o, const struct file_answer *a)
{
	bool ok = a->error == 0;

	if (ok && o->kind == ORDER_NEW)
		grants.of[a->made] = grants.next;
	else if (ok && o->kind == ORDER_NAME && grants.of[o->made].exported)
		grants_own(grants.path);
	else if (ok && o->kind == ORDER_OFFER)
		snprintf(grants.offered, sizeof grants.offered, "%.*s", NAME_MAX, o->path);
	else if (o->kind == ORDER_DIRECTORY && grants.next_folder && (ok || a->error == EEXIST))
		places_enter(o->path);
	else if (o->kind == ORDER_START)
		grants.started = grants.next_started;
	if ((ok || a->error == EEXIST) && grants.next_key != NO_KEY) {
		grants.keys.s[grants.next_key] = '\0';
		grants.offered[0] = '\0';
	}
}
