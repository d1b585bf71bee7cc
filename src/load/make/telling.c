/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * telling: what lines of text mean, by the spans that their readers took and lists of words.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/make.h"
#include "icecore/name.h"
#include "icecore/telling.h"

/* Longer numbers are not ids, times or counts. */
enum { DECIMALS_MOST = 20, SHORT_MOST = 12, COUNT_MOST = 9, HEX_MOST = 16, FLAGS_MOST = 6 };

void
telling_free(struct tells *t)
{
	scratch_free(&t->spans);
	listed_free(&t->listed);
}

void
telling_drop(struct tells *t)
{
	t->n = t->next = 0;
}

/* ---- spans ------------------------------------------------------------------------------- */

static void
telling_add(struct tells *t, struct str s, enum meaning means, const char *path)
{
	uintptr_t base = (uintptr_t)t->text.s, at = (uintptr_t)s.s;
	struct meant_part new = { .at = at - base, .n = s.n, .means = means, .path = path };

	if (s.n == 0 || at < base || at - base > t->text.n || s.n > t->text.n - (at - base))
		return;
	t->bad = t->bad || !make_add(&t->spans, &t->n, &new, sizeof new, UINT32_MAX, "parts of lines", t->err);
}

void
telling_span(struct tells *t, struct str s, enum meaning means, const char *path)
{
	size_t at, n;

	for (; (means == MEANT_WORDS || means == MEANT_FORM) &&
	    (at = telling_personal(s, means == MEANT_WORDS, &n)) < s.n; s = str_after(s, at + n)) {
		telling_add(t, str_head(s, at), means, path);
		telling_add(t, str_head(str_after(s, at), n), MEANT_TEXT, "number of a person, or a key");
	}
	telling_add(t, s, means, path);
}

/* Names with blanks have brackets, too; other texts with blanks may be anything. */
static bool
telling_is_prose(struct str s)
{
	return memchr(s.s, ' ', s.n) != NULL && memchr(s.s, '(', s.n) == NULL && memchr(s.s, '<', s.n) == NULL &&
	    name_end(s) < s.n;
}

/* "alice@example.org": versions of symbols have digits behind the point: "memcpy@GLIBC_2.14". */
static bool
telling_is_address_of(struct str s, size_t at)
{
	size_t n = at + 1;

	while (n < s.n && (is_word(s.s[n]) || s.s[n] == '-'))
		n++;
	return at > 0 && n > at + 1 && n + 1 < s.n && s.s[n] == '.' && is_letter(s.s[n + 1]);
}

/*
 * No language has such a name, although it has no blank: numbers, "password=x", "alice@example.org", or tokens in the
 * form of JWT.  A place may have "=".
 */
bool
telling_is_data(struct str s)
{
	size_t letters = 0, digits = 0, run = 0, op;
	bool path = false;		/* behind a slash; ';' and ')' end a class */

	if (str_has_prefix(s, STR("eyJ")) && memchr(s.s, '.', s.n) != NULL)
		return true;
	for (size_t i = 0; i < s.n; i++) {
		if ((op = name_operator(s, i)) > 0) {
			i += op - 1;
			letters += op;
			continue;
		}
		path = s.s[i] == '/' || (path && s.s[i] != ';' && s.s[i] != ')');
		if (s.s[i] == '@' && !path && telling_is_address_of(s, i))
			return true;
		if (s.s[i] == '=' && !path && i > 0 && is_word(s.s[i - 1]) && i + 1 < s.n &&
		    (is_word(s.s[i + 1]) || is_one_of(s.s[i + 1], "\"'/")))
			return true;
		letters += is_letter(s.s[i]) || (unsigned char)s.s[i] >= 0x80 || is_one_of(s.s[i], "?<(_$");
		digits += is_digit(s.s[i]);
		run = is_digit(s.s[i]) ? run + 1 : 0;
	}
	/* "DE56390533721537281075" ends with its digits. */
	return digits > 0 && (letters == 0 || (letters == 2 && run >= 10 && run + letters >= s.n));
}

/*
 * The bytes in front of the arguments of "call(alice, 4427053005052388)": arguments in names are types, and no type is
 * such a number; s.n: there is none.
 */
static size_t
telling_values(struct str s)
{
	enum { VALUE_LEAST = 9 };
	const char *bracket = memchr(s.s, '(', s.n);
	size_t n;

	for (size_t i = bracket == NULL ? s.n : (size_t)(bracket - s.s) + 1; i < s.n; i += n + (n == 0)) {
		n = str_digits(str_after(s, i));
		if (n >= VALUE_LEAST && is_one_of(s.s[i - 1], "( ,") && i + n < s.n && is_one_of(s.s[i + n], "),"))
			return (size_t)(bracket - s.s);
	}
	return s.n;
}

/* The address of a script in a name: "JS:*login https://shop.example/a.js:1:2"; s.n: there is none. */
static size_t
telling_script_begins(struct str s)
{
	struct str before, after;
	size_t n;

	if (str_begins(s, "JS:") || str_begins(s, "Script:") || str_begins(s, "Function:") ||
	    str_begins(s, "LazyCompile:"))
		return str_divide(s, STR(" "), &before, &after) ? s.n - after.n : str_until(s, ':').n + 1;
	if ((str_begins(s, "data:") || str_begins(s, "javascript:")) && !str_has(str_head(s, 12), STR("::")))
		return 0;
	if (!str_divide(s, STR("://"), &before, &after))
		return s.n;
	for (n = before.n; n > 0 && (is_word(s.s[n - 1]) || s.s[n - 1] == '-'); n--)
		continue;
	return n;
}

/* The bytes in front of ":12:7", a line and its column. */
static size_t
telling_without_line(struct str s)
{
	enum { LINE_MOST = 8 };		/* digits */
	size_t n = s.n, m;

	for (unsigned i = 0; i < 2; i++, n = m - 1) {
		for (m = n; m > 0 && is_digit(s.s[m - 1]); m--)
			continue;
		if (m == n || m == 0 || n - m > LINE_MOST || s.s[m - 1] != ':')
			break;
	}
	return n;
}

/* What is data behind a file, up to the end of its name; the line stays. */
static void
telling_end(struct tells *t, struct str s, const char *path)
{
	size_t n = telling_without_line(s);

	telling_span(t, str_head(s, n), MEANT_TEXT, path);
	telling_span(t, str_after(s, n), MEANT_FORM, "line");
}

/* What is data in the address of a script; the lines behind it stay.  The rest of the name is returned. */
static struct str
telling_cut_script(struct tells *t, struct str s, const char *path)
{
	size_t begin = telling_script_begins(s);
	struct script_address a;

	if (str_begins(s, "RegExp:")) {
		telling_span(t, str_after(s, 7), MEANT_TEXT, path);
		return str_head(s, 7);
	}
	telling_script(str_after(s, begin), &a);
	if (begin >= s.n || a.end.n == 0)
		return s;
	telling_end(t, a.end, path);
	return str_head(s, s.n - a.end.n);
}

/* "/srv/x.go", "src/x.rb", "C:\x.py", "x.mjs": a file, and the name of no function. */
static bool
telling_is_file(struct str s)
{
	static const char *const scripts[] = { "*.js", "*.mjs", "*.cjs", "*.ts", "*.py", "*.rb", "*.php", "*.go",
	    "*.rs", NULL };
	size_t dot = s.n, slash = 0;

	if (s.n == 0 || is_one_of(s.s[s.n - 1], "/\\"))
		return false;
	if (s.s[0] == '/')
		return true;
	for (size_t i = 0; i < s.n; i++) {
		if (is_one_of(s.s[i], "/\\"))
			slash = i + 1;
		else if (s.s[i] == '.')
			dot = i;
		else if (!is_word(s.s[i]) && (unsigned char)s.s[i] < 0x80 && !is_one_of(s.s[i], "-+~@$") &&
		    (s.s[i] != ':' || i != 1))
			return false;
	}
	return (slash > 0 && dot >= slash && dot + 1 < s.n) || str_glob_list(scripts, s);
}

/* What follows the '?' behind a file; the line stays.  The rest of the name is returned. */
static struct str
telling_cut_query(struct tells *t, struct str s, const char *path)
{
	const char *mark = memchr(s.s, '?', s.n);
	struct str file = { s.s, mark == NULL ? s.n : (size_t)(mark - s.s) }, query = str_after(s, file.n);

	if (query.n < 2 || !telling_is_file(file))
		return s;
	telling_end(t, query, path);
	return file;
}

/* The bytes of a name or of a place: what follows is text. */
static size_t
telling_length(struct str s)
{
	size_t name = name_end(s), place = name_end_place(s);

	return name > place ? name : place;
}

static void
telling_place(struct tells *t, struct str s, const char *path)
{
	struct user_parts users = { .rest = s };
	enum meaning means;
	struct str part;

	for (; telling_user_part(&users, &part, &means); s = users.rest) {
		telling_span(t, (struct str){ s.s, (size_t)(part.s - s.s) }, MEANT_WORDS, path);
		telling_span(t, part, means, path);
	}
	telling_span(t, s, MEANT_WORDS, path);
}

/* Units of systemd, "getty@tty1.service", have the form of an address. */
static bool
telling_is_unit(struct str s)
{
	static const char *const kinds[] = { "*.service", "*.socket", "*.scope", "*.slice", "*.timer", "*.mount",
	    "*.target", NULL };

	return str_glob_list(kinds, s);
}

/*
 * A part of a path that no directory or file of a program has: "GoogleDrive-carol@mail.example", the number of a card,
 * "password=x".  *user: the bytes of the name in "alice:secret@host", or 0.
 */
static bool
telling_is_data_part(struct str s, size_t *user)
{
	enum { NUMBER_LEAST = 12 };
	size_t digits = str_digits(s);

	*user = 0;
	for (size_t i = 1; i + 1 < s.n; i++) {
		if (s.s[i] == ':' && *user == 0 && s.s[i + 1] != ':')
			*user = i;
		if (s.s[i] == '@' && *user > 1 && *user + 1 < i)
			return true;
		if ((s.s[i] == '@' && telling_is_address_of(s, i) && !telling_is_unit(s)) ||
		    (s.s[i] == '=' && is_word(s.s[i - 1]) && is_word(s.s[i + 1]))) {
			*user = 0;
			return true;
		}
	}
	*user = 0;
	return digits >= NUMBER_LEAST && (digits == s.n || s.s[digits] == '.');
}

/* What is data in the parts of a path.  The rest is returned. */
static struct str
telling_cut_parts(struct tells *t, struct str s, const char *path)
{
	size_t from = 0, user, n;
	struct str part;

	for (size_t at = 0; at < s.n; at += n + 1) {
		n = str_until(str_after(s, at), '/').n;
		part = str_head(str_after(s, at), n);
		part = str_head(part, telling_without_line(part));
		if (!telling_is_data_part(part, &user))
			continue;
		telling_place(t, (struct str){ s.s + from, at - from }, path);
		telling_span(t, str_head(part, user), MEANT_USER, path);
		telling_span(t, str_after(part, user), MEANT_TEXT, path);
		from = at + part.n;
	}
	return str_after(s, from);
}

void
telling_name(struct tells *t, struct str s, const char *path)
{
	size_t n;

	s = telling_cut_query(t, telling_cut_script(t, s, path), path);
	if (s.n > 0 && (telling_is_prose(s) || telling_is_data(s))) {
		telling_span(t, s, MEANT_TEXT, path);
		return;
	}
	n = telling_values(s);
	telling_span(t, str_after(s, n), MEANT_TEXT, path);
	s = str_head(s, n);
	n = telling_length(s);
	telling_span(t, str_after(s, n), MEANT_TEXT, path);
	s = str_head(s, n);
	telling_place(t, str_begins(s, "/") ? telling_cut_parts(t, s, path) : s, path);
}

/* By place; the longer of two at one place comes first. */
static int
telling_by_place(const void *a, const void *b)
{
	const struct meant_part *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->n == y->n ? 0 : x->n > y->n ? -1 : 1;
}

void
telling_sort(struct tells *t)
{
	assert(t->next <= t->n);
	if (t->n > 1)
		qsort(SCRATCH(t->spans, struct meant_part), (size_t)t->n, sizeof(struct meant_part), telling_by_place);
	t->next = 0;
}

/* ---- words between spans --------------------------------------------------------------------- */

/* A byte of a word.  Bytes that no text has are such, too: they do not stay. */
static bool
telling_in_word(char c)
{
	unsigned char u = (unsigned char)c;

	return is_word(c) || u >= 127 || (u < ' ' && u != '\t' && u != '\r' && u != '\n');
}

struct str
telling_word(struct str s)
{
	size_t n = 0;

	while (n < s.n && telling_in_word(s.s[n]))
		n++;
	assert(n <= s.n);
	return str_head(s, n);
}

bool
telling_is_address(struct str s)
{
	return str_take(&s, STR("0x")) && s.n > 0 && s.n <= HEX_MOST && str_hexes(s) == s.n;
}

/* "12", "0x1f", "12ms", "02T03" of a date. */
static bool
telling_is_number(struct tells *t, struct str word)
{
	static const char units[] = "s ms us ns B K M G Z";
	size_t digits = str_digits(word);

	if (digits == 0 || digits > DECIMALS_MOST)
		return false;
	if (digits == word.n || listed_has(&t->listed, units, str_after(word, digits)))
		return true;
	if (digits == 2 && word.n == 5 && word.s[2] == 'T')
		return str_digits(str_after(word, 3)) == 2;
	return telling_is_address(word);
}

static bool
telling_is_flags(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (!is_one_of(word.s[i], "0123456789dDnNhHsSzZbBpPlLgGxXFKUCEM"))
			return false;
	return word.n <= FLAGS_MOST;
}

/* "S ==> 12" and "12 [120]" are joined. */
static bool
telling_is_joined(struct str s, size_t at)
{
	size_t to = at;

	while (to < s.n && is_blank(s.s[to]))
		to++;
	return (at > 0 && s.s[at - 1] == '>') || (to < s.n && (s.s[to] == '[' || s.s[to] == '='));
}

static void
telling_put(struct tells *t, const struct meant_part *p)
{
	assert(p->at >= t->done);
	if (p->n > 0 && !t->bad)
		t->bad = !t->take(t->arg, p, t->err);
	t->done = p->at + p->n;
}

void
telling_whole(struct tells *t, struct str s, enum meaning means, const char *path)
{
	telling_put(t, &(struct meant_part){ .at = (uint64_t)(s.s - t->text.s), .n = s.n, .means = means,
	    .path = path });
}

void
telling_address(struct tells *t, struct str s, const struct script_address *a, enum meaning means, const char *path)
{
	struct str rest = str_head(s, s.n - a->end.n);

	if (a->user.n > 0) {
		telling_whole(t, str_head(rest, (size_t)(a->user.s - s.s)), MEANT_NAME, path);
		telling_whole(t, a->user, MEANT_TEXT, "user of an address");
		rest = str_after(rest, (size_t)(a->user.s - s.s) + a->user.n);
	}
	telling_whole(t, rest, means, path);
	telling_whole(t, a->end, MEANT_TEXT, "rest of an address");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* Bytes of a string up to its end, or that of the piece. */
static size_t
telling_string(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.s[n] != '"')
		n += s.s[n] == '\\' && n + 1 < s.n ? 2 : 1;
	assert(n <= s.n);
	return n;
}

/* A key that is no identifier is data: "4111 1111" of a table of cards. */
static bool
telling_is_key(struct str s, struct str rest)
{
	return str_is_name(s, "$") && str_take(&rest, STR("\"")) && (rest = str_skip_blanks(rest)).n > 0 &&
	    rest.s[0] == ':';
}

/* The meaning of what begins at a place outside of strings, and its bytes: JSON itself has three words, and "1e+5". */
static enum meaning
telling_bare(struct str s, size_t at, enum meaning numbers, size_t *n)
{
	static const char *const words[] = { "true", "false", "null" };
	struct str rest = str_after(s, at), word = telling_word(rest);

	*n = str_digits(rest);
	if (*n > 0)
		return numbers;
	if (at > 0 && is_digit(s.s[at - 1]) && (rest.s[0] == 'e' || rest.s[0] == 'E'))
		word.n = str_digits(str_after(rest, 1)) + 1 == word.n ? 0 : word.n;
	*n = word.n > 0 ? word.n : 1;
	return word.n == 0 || str_is_one(words, NELEM(words), word) ? MEANT_FORM : MEANT_TEXT;
}

void
telling_json(struct tells *t, struct str s, enum meaning numbers, bool *inside)
{
	size_t form = 0, at = 0, n;

	for (; at < s.n && !t->bad; at += n) {
		struct str rest = str_after(s, at);
		enum meaning means = MEANT_TEXT;

		if (rest.s[0] == '"') {
			n = 1;
			means = MEANT_FORM;
			*inside = !*inside;
		} else if (*inside) {
			n = telling_string(rest);
			if (telling_is_key(str_head(rest, n), str_after(rest, n)) ||
			    (numbers == MEANT_FORM && telling_is_address(str_head(rest, n))))
				means = MEANT_FORM;
		} else
			means = telling_bare(s, at, numbers, &n);
		if (means == MEANT_FORM)
			continue;
		telling_whole(t, (struct str){ s.s + form, at - form }, MEANT_FORM, "JSON");
		telling_whole(t, str_head(rest, n), means, means == MEANT_TEXT ? "unknown member" : "number");
		form = at + n;
	}
	telling_whole(t, str_after(s, form), MEANT_FORM, "JSON");
}

/* ---- pieces -------------------------------------------------------------------------------- */

static void
telling_put_form(struct tells *t, const char *s, size_t n)
{
	telling_whole(t, (struct str){ s, n }, MEANT_FORM, "words");
}

/* The bytes between two spans of a piece. */
struct telling_gap {
	struct str	 s;
	const char	*words;
	unsigned	 how;
	bool		 span;		/* one that stays comes next */
	size_t		 looked;	/* up to here, numbers have the same answer of telling_is_followed */
	bool		 followed;
};

/* Only marks and numbers come between the place and what stays. */
static bool
telling_is_followed(struct tells *t, struct telling_gap *gap, size_t at)
{
	struct str word;

	if (at < gap->looked)
		return gap->followed;
	gap->followed = gap->span;
	for (; at < gap->s.n; at += word.n > 0 ? word.n : 1) {
		word = telling_word(str_after(gap->s, at));
		if (word.n > 0 && (!telling_is_number(t, word) || telling_is_address(word))) {
			gap->followed = telling_is_address(word) || listed_has(&t->listed, gap->words, word);
			break;
		}
	}
	gap->looked = at;
	return gap->followed;
}

/* "2026-01-02T03:04:05", "2026/01/02 03:04", "03:04:05". */
static bool
telling_is_moment(struct str s)
{
	if (str_digits(s) == 4 && s.n > 10 && is_one_of(s.s[4], "-/") && str_digits(str_after(s, 5)) == 2 &&
	    s.s[7] == s.s[4] && str_digits(str_after(s, 8)) == 2 && is_one_of(s.s[10], "T "))
		s = str_after(s, 11);
	return str_digits(s) == 2 && s.n >= 5 && s.s[2] == ':' && str_digits(str_after(s, 3)) == 2;
}

/* A decimal number behind a blank stays where the format has one: what else ends a line is of somebody else. */
static bool
telling_is_counted(struct tells *t, struct telling_gap *gap, size_t at)
{
	return t->near >= NEAR_JOINED || telling_is_followed(t, gap, at) || telling_is_moment(str_after(gap->s, at)) ||
	    (at >= 2 && gap->s.s[at - 1] == ' ' && gap->s.s[at - 2] == '+');
}

static bool
telling_stays(struct tells *t, struct telling_gap *gap, size_t at)
{
	struct str word = telling_word(str_after(gap->s, at));

	if ((gap->how & TELL_FLAGS) != 0 && telling_is_flags(word))
		return true;
	if (!telling_is_number(t, word))
		return listed_has(&t->listed, gap->words, word);
	if (t->near == NEAR_NOTHING || (gap->how & TELL_NO_NUMBERS) != 0)
		return false;
	if (str_digits(word) < word.n)
		return true;
	return telling_is_counted(t, gap, at) && ((gap->how & TELL_SHORT) == 0 || word.n <= SHORT_MOST);
}

/* What a mark between words leaves of the nearness of the last one. */
static enum telling_near
telling_behind_mark(struct tells *t, const struct telling_gap *gap, size_t at)
{
	char c = gap->s.s[at];
	bool loose = (gap->how & TELL_LOOSE) != 0 && (gap->how & TELL_CLOSE) == 0;

	if (is_blank(c) && !loose && !telling_is_joined(gap->s, at))
		return NEAR_NOTHING;
	if (t->counted == NULL || t->near == NEAR_NOTHING)
		return t->near;
	if (is_one_of(c, ")]>\"'") || (is_blank(c) && t->near != NEAR_COUNTED))
		return NEAR_BLANK;
	return t->near == NEAR_COUNTED && !is_one_of(c, ":#[(<,+") ? NEAR_JOINED : t->near;
}

static void
telling_put_words(struct tells *t, struct telling_gap *gap)
{
	struct str s = gap->s, word;
	size_t from = 0, at = 0;

	while (at < s.n) {
		word = telling_word(str_after(s, at));
		if (word.n == 0) {
			t->near = telling_behind_mark(t, gap, at);
			at++;
			continue;
		}
		if (telling_stays(t, gap, at)) {
			t->near = t->counted != NULL && listed_has(&t->listed, t->counted, word) ? NEAR_COUNTED :
			    NEAR_JOINED;
			gap->how &= ~(unsigned)TELL_CLOSE;
		} else {
			telling_put_form(t, s.s + from, at - from);
			t->near = NEAR_NOTHING;
			from = at + word.n;
		}
		at += word.n;
	}
	telling_put_form(t, s.s + from, at - from);
	if (t->listed.bad)
		t->bad = !fail(t->err, E_SYSTEM, "out of memory (words)");
}

/* Numbers of persons do not stay, wherever they stand. */
static void
telling_put_gap(struct tells *t, struct telling_gap gap)
{
	struct telling_gap part = gap, text = { .words = "", .how = TELL_NO_NUMBERS };
	size_t at, n;

	for (; (at = telling_personal(gap.s, false, &n)) < gap.s.n; gap.s = str_after(gap.s, at + n)) {
		part.s = str_head(gap.s, at);
		part.span = false;
		telling_put_words(t, &part);
		text.s = str_head(str_after(gap.s, at), n);
		telling_put_words(t, &text);
		part = gap;
	}
	part.s = gap.s;
	telling_put_words(t, &part);
}

void
telling_piece(struct tells *t, struct str piece, const char *words, unsigned how)
{
	const struct meant_part *p = SCRATCH(t->spans, struct meant_part);
	uint64_t at = (uint64_t)(piece.s - t->text.s), end = at + piece.n, text = at, next;
	struct telling_gap gap;
	unsigned close = 0;

	assert(at <= t->text.n && piece.n <= t->text.n - at);
	for (t->near = NEAR_JOINED; at < end && !t->bad; at = next) {
		while (t->next < t->n && p[t->next].at < at)
			t->next++;
		next = t->next < t->n && p[t->next].at < end ? p[t->next].at : end;
		if (next == at) {
			next = p[t->next].at + p[t->next].n < end ? p[t->next].at + p[t->next].n : end;
			if (p[t->next].means == MEANT_TEXT) {
				text = next > text ? next : text;
				next = at;
			} else if (next - at == p[t->next].n) {
				telling_put(t, &p[t->next]);
				if (p[t->next].n > 0) {
					t->near = NEAR_JOINED;
					close = p[t->next].means == MEANT_WHO ? how & TELL_CLOSE : 0;
				}
			}
			t->next++;
			continue;
		}
		/* Inside of a text nothing but marks stays. */
		next = at < text && text < next ? text : next;
		gap = (struct telling_gap){ { t->text.s + at, (size_t)(next - at) }, at < text ? "" : words,
		    at < text ? TELL_NO_NUMBERS : (how & ~(unsigned)TELL_CLOSE) | close,
		    next < end && t->next < t->n && p[t->next].at == next && p[t->next].means != MEANT_TEXT &&
		    p[t->next].n > 0, 0, false };
		telling_put_gap(t, gap);
		close = 0;
	}
}

/* ---- whole lines ---------------------------------------------------------------------------- */

static bool
telling_line_is(struct str s, const char *line)
{
	size_t n;

	for (; *line != '\0'; line++) {
		n = *line == '9' ? str_digits(s) : *line == ' ' ? s.n - str_skip_blanks(s).n : s.n > 0 &&
		    s.s[0] == *line;
		if (n == 0 || (*line == '9' && n > COUNT_MOST))
			return false;
		s = str_after(s, n);
	}
	return s.n == 0;
}

bool
telling_line(struct tells *t, struct str line, const char *const *known, size_t n)
{
	struct str s = str_skip_blanks(line);

	while (s.n > 0 && (is_blank(s.s[s.n - 1]) || s.s[s.n - 1] == '\r'))
		s.n--;
	for (size_t i = 0; i < n; i++)
		if (telling_line_is(s, known[i])) {
			telling_put_form(t, line.s, line.n);
			return true;
		}
	return false;
}
