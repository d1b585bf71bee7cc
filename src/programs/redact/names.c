/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names: replace names with letters. A name is split into parts, and equal parts get equal letters, so that
 * the package tree is preserved.
 */
#include "config.h"

#include <string.h>

#include "redact.h"

#define CUTS "./$;()[]<>"
#define PRIMITIVES "BCDFIJSZV"

struct naming {
	struct keyed	*key;
	const struct idmap *again;
	uint8_t		*to;
};

/* ---- pieces ------------------------------------------------------------------------------------ */

static void
names_copy(struct naming *n, struct str s)
{
	if (s.n > 0)
		memcpy(n->to, s.s, s.n);
	n->to += s.n;
}

/* Take the text before the first of these bytes. */
static struct str
take_until(struct str *s, const char *bytes)
{
	size_t i = 0;

	while (i < s->n && !is_one_of(s->s[i], bytes))
		i++;
	*s = str_after(*s, i);
	return (struct str){ s->s - i, i };
}

/* again: number of the retry; 0: first letters. */
static void
letters(struct naming *n, struct str part, uint8_t again)
{
	struct keyed_bytes b;

	if (str_digits(part) == part.n) {
		names_copy(n, part);
		return;
	}
	if (n->key == NULL)
		memset(n->to, NAME_LETTER, part.n);
	else {
		keyed_sum(n->key, STR("n"));
		keyed_add(n->key, part.s, part.n);
		keyed_add(n->key, &again, again > 0);
		keyed_end(n->key, &b);
		keyed_letters(&b, n->to, part.n);
		letters_apart(part.s, (char *)n->to, part.n);
	}
	n->to += part.n;
}

/* Return whether the part is the Lambda of "$$Lambda" in the text that begins at start. */
static bool
is_lambda(const char *start, struct str part)
{
	return part.s - start >= 2 && part.s[-1] == '$' && part.s[-2] == '$' && str_eq(part, STR("Lambda"));
}

/* The last part that is replaced. */
static const char *
last_part(struct str s)
{
	const char *start = s.s, *last = NULL;
	struct str part;

	while (s.n > 0) {
		part = take_until(&s, CUTS);
		last = str_digits(part) == part.n || is_lambda(start, part) ? last : part.s;
		s = str_after(s, 1);
	}
	return last;
}

/* Replace each part except reserved words. */
static void
parts(struct naming *n, struct str s, const char *const *words, size_t nwords, uint8_t again)
{
	const char *start = s.s, *last = again > 0 ? last_part(s) : NULL;
	struct str part;

	while (s.n > 0) {
		part = take_until(&s, CUTS);
		if (str_is_one(words, nwords, part) || is_lambda(start, part))
			names_copy(n, part);
		else
			letters(n, part, part.s == last ? again : 0);
		names_copy(n, str_head(s, 1));
		s = str_after(s, 1);
	}
}

/* ---- class names ---------------------------------------------------------------------------------- */

/*
 * Return where the suffix of a class made by the VM begins: "+0x", "/0x" or ".0x" and hex digits, and in
 * recordings of old VMs a number, "/1790", behind; s.n: none.
 */
static size_t
made_from(struct str s)
{
	size_t i = s.n, end;

	while (i > 0 && is_digit(s.s[i - 1]))
		i--;
	i = end = i > 0 && i < s.n && s.s[i - 1] == '/' ? i - 1 : s.n;
	while (i > 0 && is_hex(s.s[i - 1]))
		i--;
	return i > 2 && s.s[i - 1] == 'x' && s.s[i - 2] == '0' && (s.s[i - 3] == '+' || s.s[i - 3] == '/' ||
	    s.s[i - 3] == '.') ? i - 3 : s.n;
}

uint64_t
name_hash(struct str s)
{
	return idmap_hash_as(s, name_dot, 0);
}

static void
plain_class(struct naming *n, struct str s)
{
	static const char *const primitive[] = { "boolean", "byte", "char", "short", "int", "long", "float",
	    "double", "void" };
	struct str base = s;
	uint32_t again;
	size_t made;

	while (str_has_suffix(base, STR("[]")))
		base.n -= 2;
	if (name_is_platform(base) || str_is_one(primitive, NELEM(primitive), base)) {
		names_copy(n, s);
		return;
	}
	made = made_from(base);
	again = idmap_get(n->again, name_hash(base));
	parts(n, str_head(base, made), NULL, 0, (uint8_t)(again > 0 ? again - 1 : 0));
	names_copy(n, str_after(s, made));
}

/* For example "([Lcom/example/Order;I)V". */
static void
descriptor(struct naming *n, struct str s)
{
	bool class;

	while (s.n > 0) {
		class = s.s[0] == 'L' || s.s[0] == 'T';
		if (class || is_one_of(s.s[0], PRIMITIVES "[]();<>:*+-")) {
			names_copy(n, str_head(s, 1));
			s = str_after(s, 1);
			if (!class)
				continue;
		}
		plain_class(n, take_until(&s, ";()[<>:"));
	}
}

static void
source_file(struct naming *n, struct str s)
{
	static const char *const ends[] = { ".java", ".kt", ".scala", ".groovy", ".clj" };
	struct str end = { s.s + s.n, 0 };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_has_suffix(s, str_of(ends[i])))
			end = str_after(s, s.n - strlen(ends[i]));
	parts(n, str_head(s, s.n - end.n), NULL, 0, 0);
	names_copy(n, end);
}

/* Some names of members made by compilers contain the name of a class, with $ for dots. */
static void
names_member(struct naming *n, struct str s)
{
	static const char *const before[] = { "$SwitchMap$", "$SWITCH_TABLE$", "class$" };

	for (size_t i = 0; i < NELEM(before); i++)
		if (str_has_prefix(s, str_of(before[i]))) {
			names_copy(n, str_of(before[i]));
			parts(n, str_after(s, strlen(before[i])), NULL, 0, 0);
			return;
		}
	names_copy(n, s);
}

void
name_mask(struct keyed *key, const struct learned *l, enum redact_names names, unsigned use, struct str s,
    uint8_t *to)
{
	/* Words in names that compilers generate. */
	static const char *const made[] = { "this", "access", "lambda", "val" };
	struct naming n = { key, &l->again, to };
	bool is_member = (use & (USE_FIELD | USE_METHOD)) != 0;

	if (names == REDACT_KEEP || (use & USE_PLATFORM) != 0)
		names_copy(&n, s);
	else if (use & USE_CLASS)
		(s.n > 0 && s.s[0] == '[' ? descriptor : plain_class)(&n, s);
	else if (is_member && names == REDACT_HASH_ALL && s.n > 0 && s.s[0] != '<')
		parts(&n, s, made, NELEM(made), 0);
	else if (is_member)
		names_member(&n, s);
	else if (use & USE_HEAP)
		names_copy(&n, s);
	else if (use & USE_SIGNATURE)
		descriptor(&n, s);
	else
		source_file(&n, s);
}
