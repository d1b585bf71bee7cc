/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keys: convert bytes to keys and keys to verbs; and print the key table, with which a test compares the
 * manual.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/keys.h"
#include "term.h"

/* Escape sequences of terminals.  key_named uses the first row of a name. */
static const struct {
	const char	*name, *bytes;
} sequences[] = {
	{ "Up", "\033[A" }, { "Down", "\033[B" },
	{ "Right", "\033[C" }, { "Left", "\033[D" },
	{ "Up", "\033OA" }, { "Down", "\033OB" },
	{ "Right", "\033OC" }, { "Left", "\033OD" },
	{ "Home", "\033[H" }, { "End", "\033[F" },
	{ "Home", "\033OH" }, { "End", "\033OF" },
	{ "Home", "\033[1~" }, { "End", "\033[4~" },
	{ "Home", "\033[7~" }, { "End", "\033[8~" },
	{ "Ins", "\033[2~" }, { "Del", "\033[3~" },
	{ "PgUp", "\033[5~" }, { "PgDn", "\033[6~" },
	{ "F1", "\033OP" }, { "F1", "\033[11~" }, { "F1", "\033[[A" },
	{ "F2", "\033OQ" }, { "F2", "\033[12~" }, { "F2", "\033[[B" },
	{ "F3", "\033OR" }, { "F3", "\033[13~" }, { "F3", "\033[[C" },
	{ "F4", "\033OS" }, { "F4", "\033[14~" }, { "F4", "\033[[D" },
	{ "F5", "\033[15~" }, { "F5", "\033[[E" }, { "F6", "\033[17~" }, { "F7", "\033[18~" },
	{ "F8", "\033[19~" },
	{ "F9", "\033[20~" }, { "F10", "\033[21~" }, { "F11", "\033[23~" }, { "F12", "\033[24~" },
	{ "S-Tab", "\033[Z" },
	{ "PasteBegin", "\033[200~" }, { "PasteEnd", "\033[201~" },
	{ "Enter", "\r" }, { "Enter", "\n" }, { "Enter", "\033OM" },
	{ "Tab", "\t" }, { "Space", " " },
	{ "Backspace", "\177" }, { "Backspace", "\b" }, { "Esc", "\033" },
};

/* ---- bytes to keys ------------------------------------------------------- */

static void
press_set(struct press *p, const char *name, struct str raw)
{
	TEXT_COPY(p->name, name);
	p->mouse = MOUSE_NONE;
	p->said = SAID_NONE;
	p->n = raw.n < sizeof p->raw ? raw.n : sizeof p->raw;
	memcpy(p->raw, raw.s, p->n);
}

/* Return the length of the escape sequence at the start of s; 0: incomplete.  Esc and Ctrl-C do not continue one. */
static size_t
escape_length(struct str s)
{
	if (s.n < 2)
		return 0;
	if (s.s[1] == 'O')
		return s.n < 3 ? 0 : 3;
	if (s.s[1] != '[')
		return s.s[1] == '\033' || s.s[1] == '\003' ? 1 : 2;
	if (s.n > 2 && s.s[2] == '[')
		return s.n < 4 ? 0 : 4;
	for (size_t i = 2; i < s.n; i++)
		if (s.s[i] >= 0x40 && s.s[i] <= 0x7e)
			return i + 1;
	return 0;
}

/* "ESC [ 1 ; 5 A" is Up with a modifier, "ESC [ 5 ; 2 ~" PgUp: ignore the part after ;. */
static const char *
sequence_name(struct str s)
{
	char	plain[16];
	size_t	i, n = 0;

	for (i = 0; i + 1 < s.n && s.s[i] != ';' && n < sizeof plain - 1; i++)
		plain[n++] = s.s[i];
	if (i + 1 < s.n && n == 3 && plain[2] == '1' && s.s[s.n - 1] != '~')
		n--;
	plain[n++] = s.s[s.n - 1];
	for (i = 0; i < NELEM(sequences); i++)
		if (str_eq(str_of(sequences[i].bytes), (struct str){ plain, n }))
			return sequences[i].name;
	return NULL;
}

bool
key_is_said(struct str s)
{
	return str_has_prefix(s, STR("\033[?")) || str_has_prefix(s, STR("\033_G"));
}

/*
 * Return the length of a terminal's answer; 0: incomplete. An answer has no control characters except at
 * the end of "ESC _ G ... ESC \\".
 */
static size_t
said_length(struct str s)
{
	bool	text = s.s[1] == '_';

	for (size_t n = 3; n < s.n; n++)
		if ((unsigned char)s.s[n] < ' ')
			return text && s.s[n] == '\033' && n + 1 == s.n ? 0 : text && s.s[n] == '\033' &&
			    s.s[n + 1] == '\\' ? n + 2 : n;
		else if (!text && s.s[n] >= '@' && s.s[n] <= '~')
			return n + 1;
	return 0;
}

/*
 * "ESC [ ? 62 ; 4 c" lists the extensions after the first number; 4 means sixels. "ESC [ 6 ; 20 ; 10 t" is
 * the size of a cell. "ESC [ 12 ; 1 R" is the position of the cursor.
 */
static void
said_numbers(struct str s, struct press *p)
{
	char		last = s.s[s.n - 1];
	bool		device = last == 'c', sixel = false;
	uint64_t	number[3] = { 0 };
	struct str	rest = str_after(str_head(s, s.n - 1), device ? 3 : 2), one;

	for (size_t i = 0; str_split(&rest, ';', &one); i++) {
		if (i < NELEM(number) && !num_u64(one, 10, &number[i]))
			number[i] = 0;
		sixel |= i > 0 && str_eq(one, STR("4"));
	}
	if (device)
		*p = (struct press){ .said = SAID_DEVICE, .y = sixel };
	else if (last == 'R' && number[0] > 1 && number[0] <= INT16_MAX && number[1] > 0 &&
	    number[1] <= INT16_MAX)
		*p = (struct press){ .said = SAID_CURSOR, .y = (int)number[0] - 1, .x = (int)number[1] - 1 };
	else if (last == 't' && number[0] == 6 && number[1] <= INT16_MAX && number[2] <= INT16_MAX)
		*p = (struct press){ .said = SAID_CELL, .y = (int)number[1], .x = (int)number[2] };
}

/* In the first line a position would look like F3 with a modifier, "ESC [ 1 ; 2 R". */
static bool
is_position(struct str s)
{
	return s.s[s.n - 1] == 'R' && s.s[2] >= '1' && s.s[2] <= '9' && !str_has_prefix(s, STR("\033[1;"));
}

/* Decode an answer of the terminal. If it is incomplete and final, drop it, but no key after it. */
static size_t
decode_said(struct str s, bool final, struct press *p)
{
	struct str	before, after;
	size_t		n = said_length(s);

	if (n == 0 && !final)
		return 0;
	*p = (struct press){ .said = SAID_OTHER };
	if (n == 0)
		return s.n;
	s = str_head(s, n);
	if (s.s[1] == '_')
		*p = (struct press){ .said = SAID_KITTY, .y = str_divide(s, STR(";OK"), &before, &after) };
	else
		said_numbers(s, p);
	return n;
}

static size_t
decode_escape(struct str s, bool final, struct press *p)
{
	const char	*name;
	size_t		 n = escape_length(s);

	if (mouse_is_report(s))
		return mouse_decode(s, final, p);
	if (key_is_said(s) || (n > 3 && s.s[1] == '[' && (s.s[n - 1] == 't' || is_position(str_head(s, n)))))
		return decode_said(s, final, p);
	if (n == 0 && !final)
		return 0;
	if (n <= 1) {
		press_set(p, "Esc", (struct str){ s.s, 1 });
		return 1;
	}
	name = sequence_name((struct str){ s.s, n });
	/* Unknown sequences are passed to the editor of the prompt, without a name. */
	press_set(p, name != NULL ? name : "", (struct str){ s.s, n });
	return n;
}

static size_t
character_length(struct str s, bool final)
{
	unsigned char	c = (unsigned char)s.s[0];
	size_t		n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;

	if (n <= s.n)
		return n;
	return final ? 1 : 0;
}

size_t
key_decode(struct str s, bool final, struct press *p)
{
	char	name[16];
	size_t	n;

	if (s.n == 0)
		return 0;
	if (s.s[0] == '\033')
		return decode_escape(s, final, p);
	for (size_t i = 0; i < NELEM(sequences); i++)
		if (sequences[i].bytes[1] == '\0' && sequences[i].bytes[0] == s.s[0]) {
			press_set(p, sequences[i].name, (struct str){ s.s, 1 });
			return 1;
		}
	if ((unsigned char)s.s[0] < 0x20) {
		snprintf(name, sizeof name, "C-%c", s.s[0] == 0 ? '@' : s.s[0] + 0x60);
		press_set(p, name, (struct str){ s.s, 1 });
		return 1;
	}
	n = character_length(s, final);
	if (n == 0)
		return 0;
	snprintf(name, sizeof name, "%.*s", (int)n, s.s);
	press_set(p, name, (struct str){ s.s, n });
	return n;
}

bool
key_named(const char *name, struct press *p)
{
	size_t	n = strlen(name);
	char	c;

	for (size_t i = 0; i < NELEM(sequences); i++)
		if (strcmp(sequences[i].name, name) == 0) {
			press_set(p, name, str_of(sequences[i].bytes));
			return true;
		}
	if (n == 3 && name[0] == 'C' && name[1] == '-' && name[2] >= 'a' && name[2] <= 'z') {
		c = (char)(name[2] - 0x60);
		press_set(p, name, (struct str){ &c, 1 });
		return true;
	}
	if (n == 0 || n > 4)
		return false;
	press_set(p, name, (struct str){ name, n });
	return true;
}

bool
key_first(struct str names, struct press *p)
{
	struct str	one;
	char		name[16];

	str_split(&names, ' ', &one);
	snprintf(name, sizeof name, "%.*s", (int)one.n, one.s);
	return key_named(name, p);
}

/* ---- keys to verbs ------------------------------------------------------- */

const struct key *
key_row(const struct press *p, uint64_t where)
{
	struct str	one, name = str_of(p->name);

	if (name.n == 0)
		return NULL;
	for (const struct key *k = keys; k->verb != VERB_NONE; k++) {
		if ((k->where & where) == 0)
			continue;
		for (struct str rest = str_of(k->keys); str_split(&rest, ' ', &one);)
			if (str_eq(one, name))
				return k;
	}
	return NULL;
}

enum verb
key_verb(const struct press *p, uint64_t where)
{
	const struct key *k = key_row(p, where);

	return k != NULL ? k->verb : VERB_NONE;
}

const struct key *
key_of(enum verb verb, uint64_t where)
{
	for (const struct key *k = keys; k->verb != VERB_NONE; k++)
		if (k->verb == verb && (k->where & where))
			return k;
	return NULL;
}

struct str
key_first_name(const struct key *k)
{
	struct str	rest = str_of(k->keys), name;

	str_split(&rest, ' ', &name);
	return name;
}

struct hint
hint_in(uint64_t where, enum verb verb, const char *words)
{
	const struct key *k = key_of(verb, where);
	struct str	 name;
	struct hint	 h = { "" };
	size_t		 n = 0;

	if (k == NULL)
		k = key_of(verb, UINT64_MAX);
	assert(k != NULL);
	name = key_first_name(k);
	for (; *words != '\0' && n < sizeof h.s; words++)
		n += (size_t)snprintf(h.s + n, sizeof h.s - n, "%.*s", *words == '_' ? (int)name.n : 1,
		    *words == '_' ? name.s : words);
	assert(n < sizeof h.s);
	return h;
}

struct hint
hint(enum verb verb, const char *words)
{
	return hint_in(IN_ALL, verb, words);
}

bool
key_moves(enum verb verb, uint64_t *sel, uint64_t n, uint64_t page)
{
	uint64_t	last = n > 0 ? n - 1 : 0, by = 1;

	switch (verb) {
	case VERB_TOP:
		*sel = 0;
		return true;
	case VERB_BOTTOM:
		*sel = last;
		return true;
	case VERB_UP: case VERB_DOWN:
		break;
	case VERB_PAGE_UP: case VERB_PAGE_DOWN:
		by = page;
		break;
	case VERB_HALF_UP: case VERB_HALF_DOWN:
		by = page / 2 + 1;
		break;
	default:
		return false;
	}
	if (verb == VERB_UP || verb == VERB_PAGE_UP || verb == VERB_HALF_UP)
		*sel -= by < *sel ? by : *sel;
	else
		*sel += by < last - *sel ? by : last - *sel;
	return true;
}

uint64_t
key_scroll(uint64_t top, uint64_t sel, uint64_t h)
{
	return sel < top ? sel : sel >= top + h ? sel - h + 1 : top;
}

/* ---- printing the table -------------------------------------------------- */

/* Key contexts that do not belong to a row of the pane table. */
static const struct { uint64_t where; const char *name, *files, *list; } places[] = {
	{ IN_OBJECT, "Object", "heaps", "list" },
	{ IN_CALLS | IN_CLOCKS, "queries", "traces", "list" },
	{ IN_CODE, "Bugs", "traces", "list" },
	{ IN_TWO, "with two files", "traces", "" },
	{ IN_OVERLAY, "overlays", "", "" },
	{ IN_HELP, "Help", "", "" },
};

static void
keys_put_key(const struct key *k, struct str name, const char *pane, const char *files, const char *list,
    FILE *f)
{
	fprintf(f, "%.*s\t%s\t%s\t%s\t%s\t%s\n", (int)name.n, name.s, pane, files, list, k->name, k->what);
}

enum { HEAPS = SHAPE_GRAPH | SHAPE_VALUES | SHAPE_TEXTS };

static void
put_panes(const struct key *k, struct str name, FILE *f)
{
	for (const struct pane_kind *const *p = panes; *p != NULL; p++)
		if ((k->where & (*p)->where) != 0)
			keys_put_key(k, name, (*p)->name, ((*p)->shapes & HEAPS) != 0 ||
			    ((*p)->shapes == 0 && (k->where & IN_OBJECTS) != 0) ? "heaps" : "traces",
			    ((*p)->where & IN_LISTS) != 0 ? "list" : "", f);
	for (size_t i = 0; i < NELEM(places); i++)
		if ((k->where & places[i].where) != 0)
			keys_put_key(k, name, places[i].name, places[i].files, places[i].list, f);
}

void
ui_list_keys(FILE *f)
{
	struct str name;

	for (const struct key *k = keys; k->verb != VERB_NONE; k++)
		for (struct str rest = str_of(k->keys); str_split(&rest, ' ', &name);)
			if ((IN_ALL & ~k->where) == 0)
				keys_put_key(k, name, "everywhere", "", "", f);
			else
				put_panes(k, name, f);
}
