/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decide whether a text contains folded stacks, although most lines of logs and tables look similar.
 *
 * Each line of the first part is a stack of several frames, a name with a count, or anything else. Names for other
 * formats are in foreign.c.
 */
#include "config.h"

#include <string.h>

#include "decode.h"

#define TABLE_LEAST 8	/* minimum rows to recognise a table */

struct door {
	uint64_t	 stacks, names, others;		/* number of lines of the three classes */
	uint64_t	 seams, header;		/* separators in all stacks; in a first line without a count */
	uint64_t	 blanks, assigned, firsts;	/* stacks with blanks, with '='; distinct first frames */
	uint64_t	 spaced;		/* first frames with blanks */
	struct idmap	 seen;			/* hashes of first frames */
	bool		 ragged;		/* stacks differ in their number of separators */
};

static bool
door_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

struct str
folded_trim(struct str s)
{
	while (s.n > 0 && door_is_space(s.s[s.n - 1]))
		s.n--;
	return s;
}

bool
folded_count(struct str *line, struct str *count)
{
	struct str s = folded_trim(*line);
	size_t at = s.n, whole;

	while (at > 0 && is_digit(s.s[at - 1]))
		at--;
	if (at > 0 && s.s[at - 1] == '.') {
		for (whole = --at; at > 0 && is_digit(s.s[at - 1]); at--)
			;
		if (at == whole)
			return false;
	}
	if (at == s.n || at == 0 || !door_is_space(s.s[at - 1]))
		return false;
	*count = (struct str){ s.s + at, s.n - at };
	*line = folded_trim((struct str){ s.s, at });
	return true;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool
door_take_word(struct str *s, const char *words)
{
	bool is = s->n >= 3 && s->s[0] != ' ' && memchr(s->s, '\0', 3) == NULL;

	for (; is && *words != '\0'; words += 3)
		if (memcmp(s->s, words, 3) == 0) {
			*s = str_after(*s, 3);
			return true;
		}
	return false;
}

static bool
take_one_of(struct str *s, const char *set)
{
	if (s->n == 0 || !is_one_of(s->s[0], set))
		return false;
	*s = str_after(*s, 1);
	return true;
}

/*
 * d: a digit, D: one or none, M: a month, W: a weekday, _: blanks, o: a comma or none, and character sets; other
 * bytes match themselves.
 */
static bool
has_form(struct str s, const char *form)
{
	static const char digits[] = "0123456789";
	bool ok = true;

	for (; ok && *form != '\0'; form++)
		switch (*form) {
		case 'd': ok = take_one_of(&s, digits); break;
		case 'D': take_one_of(&s, digits); break;
		case 'M': ok = door_take_word(&s, "JanFebMarAprMayJunJulAugSepOctNovDec"); break;
		case 'W': ok = door_take_word(&s, "MonTueWedThuFriSatSun"); break;
		case '_':
			for (ok = take_one_of(&s, " "); ok && take_one_of(&s, " "); )
				;
			break;
		case 'o': take_one_of(&s, ","); break;
		case 'a': ok = take_one_of(&s, "-/"); break;
		case 'b': ok = take_one_of(&s, "-/."); break;
		case 'c': ok = take_one_of(&s, " T,"); break;
		case 'e': ok = take_one_of(&s, " :,;]"); break;
		case 'f': ok = take_one_of(&s, ". ]"); break;
		default: ok = s.n > 0 && s.s[0] == *form; s = str_after(s, ok); break;
		}
	return ok;
}

/* Log lines begin with a time or an address. */
static bool
door_is_stamped(struct str line)
{
	static const char *const forms[] = {
		"ddddaddadd", "dDbdDbddDDc", "dD:dd", "dD/M/", "M_dD ", "Wo ", "dDD.dDD.dDD.dDDe",
		"ddddddddddf", "dddddddddddddf"
	};

	take_one_of(&line, "[<(");
	for (size_t i = 0; i < NELEM(forms); i++)
		if (has_form(line, forms[i]))
			return true;
	return false;
}

/* Find the length of "&name;" or "&#12;", as in HTML. */
static bool
ends_entity(struct str s, size_t at)
{
	size_t from = at;

	while (from > 0 && at - from < 8 && is_word(s.s[from - 1]))
		from--;
	if (from == at || from == 0)
		return false;
	return s.s[from - 1] == '&' || (from > 1 && s.s[from - 1] == '#' && s.s[from - 2] == '&');
}

/* Count semicolons between two frames: no blank on either side, and not the end of an entity. */
static uint64_t
seams_of(struct str s)
{
	const char *p = s.s, *end = s.s + s.n;
	uint64_t n = 0;

	for (; p < end && (p = memchr(p, ';', (size_t)(end - p))) != NULL; p++)
		n += !(p > s.s && (p[-1] == ' ' || p[-1] == '\t')) && p + 1 < end && p[1] != ' ' && p[1] != '\t' &&
		    !ends_entity(s, (size_t)(p - s.s));
	return n;
}

/* Rows of tables have numbers only. */
static bool
door_has_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (memchr("0123456789 \t,.;:+-/|\r", s.s[i], 21) == NULL)
			return true;
	return false;
}

static void
note_first(struct door *d, struct str frame)
{
	uint64_t hash = idmap_hash_text(frame, 0);

	d->firsts += idmap_get(&d->seen, hash) == 0 && idmap_put(&d->seen, hash, 1, NULL);
}

static void
note_stack(struct door *d, struct str stack, uint64_t seams)
{
	const char *end = memchr(stack.s, ';', stack.n);
	struct str first = { stack.s, end == NULL ? stack.n : (size_t)(end - stack.s) };

	d->ragged = d->ragged || (d->stacks > 0 && seams != d->seams);
	d->seams = seams;
	d->stacks++;
	d->blanks += memchr(stack.s, ' ', stack.n) != NULL;
	d->assigned += memchr(stack.s, '=', stack.n) != NULL;
	d->spaced += memchr(first.s, ' ', first.n) != NULL;
	note_first(d, first);
}

static void
note_line(struct door *d, struct str line)
{
	struct str stack = line, before, count;
	uint64_t seams;

	if (!folded_count(&stack, &count) || door_is_stamped(line)) {
		if (d->stacks + d->names + d->others == 0)
			d->header = seams_of(line);
		d->others++;
		return;
	}
	/* In a differential file two counts follow the stack. */
	before = stack;
	if (folded_count(&before, &count) && door_has_name(before))
		stack = before;
	seams = seams_of(stack);
	if (!door_has_name(stack))
		d->others++;
	else if (seams > 0)
		note_stack(d, stack, seams);
	else if (memchr(stack.s, '\t', stack.n) == NULL && memchr(stack.s, ';', stack.n) == NULL &&
	    !is_one_of(stack.s[stack.n - 1], "=:,"))
		d->names++;
	else
		d->others++;
}

/* ---- the first part of the file ---------------------------------------------------------------- */

static bool
door_is_json(struct str s)
{
	struct str in = s;

	do
		in = str_after(in, 1);
	while (in.n > 0 && (door_is_space(in.s[0]) || in.s[0] == '\n'));
	return in.n > 0 && ((s.s[0] == '{' && (in.s[0] == '"' || in.s[0] == '}')) ||
	    (s.s[0] == '[' && (in.s[0] == '"' || in.s[0] == '{' || in.s[0] == '[')));
}

/* A very deep stack whose end is not in the first part. Minified scripts have shorter names and more punctuation. */
static bool
is_deep_stack(struct str s)
{
	uint64_t seams = seams_of(s), odd = 0;

	for (size_t i = 0; i < s.n; i++)
		odd += s.s[i] == '{' || s.s[i] == '}' || s.s[i] == '=' || s.s[i] == '"';
	return seams >= 16 && odd * 100 < s.n && s.n / seams <= 1000;
}

static enum folded_door
door_judge(const struct door *d)
{
	bool few = d->stacks * 3 < d->names + d->others || d->stacks + d->names <= d->others;

	/* Some lines of a log end in a number. */
	if (d->stacks + d->names < d->others)
		return FOLDED_NOT;
	if (d->stacks == 0)
		return d->names > d->others ? FOLDED_FLAT : d->names > 0 ? FOLDED_FEW : FOLDED_NOT;
	if (few)
		return FOLDED_FEW;
	/* Stacks of equal depth have few roots, and roots are not sentences. */
	if (d->stacks >= TABLE_LEAST && !d->ragged && (d->header == d->seams || d->assigned * 2 > d->stacks ||
	    (d->blanks * 2 > d->stacks && d->firsts > 1 + d->stacks / 8) || d->spaced * 2 > d->stacks ||
	    d->firsts * 2 > d->stacks))
		return FOLDED_TABLE;
	return FOLDED_YES;
}

static enum folded_door
judge_lines(struct str s, bool whole)
{
	struct door d = { .seen = IDMAP_INIT };
	struct str line;

	while (str_split(&s, '\n', &line)) {
		/* Skip a last line that SNIFF_MAX truncates. */
		if (!whole && s.n == 0 && s.s == line.s + line.n)
			break;
		line = folded_trim(line);
		if (line.n > 0 && line.s[0] != '#')
			note_line(&d, line);
	}
	idmap_free(&d.seen);
	return door_judge(&d);
}

enum folded_door
folded_door(const uint8_t *head, size_t n)
{
	struct str s = { (const char *)head, n }, text;
	bool whole = n < SNIFF_MAX;

	str_take(&s, STR("\xef\xbb\xbf"));
	for (text = s; text.n > 0 && (door_is_space(text.s[0]) || text.s[0] == '\n'); )
		text = str_after(text, 1);
	if (text.n == 0 || memchr(s.s, '\0', s.n) != NULL || door_is_json(text))
		return FOLDED_NOT;
	if (!whole && memchr(s.s, '\n', s.n) == NULL)
		return is_deep_stack(s) ? FOLDED_YES : FOLDED_NOT;
	return judge_lines(s, whole);
}
