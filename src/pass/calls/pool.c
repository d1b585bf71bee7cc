/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool: what threads of one pool have in common: their names without what counts them.
 */
#include "config.h"

#include "icecore/make.h"
#include "icecore/pass.h"

#define HASH_MIN 6u		/* digits of a hexadecimal number that has letters */

static bool
pool_is_word(char c)
{
	return is_hex(c) || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z');
}

/* Bytes of a hexadecimal number that is a separate word, like "3f2a9c" or "0x7f"; 0: none at i. */
static size_t
hash_at(struct str s, size_t i)
{
	size_t from = i, n = 0;
	bool mixed = false, digit = false;

	if (i > 0 && pool_is_word(s.s[i - 1]))
		return 0;
	if (s.n - i > 2 && s.s[i] == '0' && (s.s[i + 1] | 32) == 'x')
		from = i + 2;
	for (n = from; n < s.n && is_hex(s.s[n]); n++) {
		/* A letter behind a digit: "facade12" is a word with a number. */
		mixed |= digit && !is_digit(s.s[n]);
		digit |= is_digit(s.s[n]);
	}
	if (n < s.n && pool_is_word(s.s[n]))
		return 0;
	if (from > i)
		return n > from ? n - i : 0;
	return mixed && n - i >= HASH_MIN ? n - i : 0;
}

/* "6f1c2d3e-11aa-4bcd-9e8f-0123456789ab". */
static size_t
uuid_at(struct str s, size_t i)
{
	static const size_t groups[] = { 8, 4, 4, 4, 12 };
	size_t at = i, k, n;

	if (i > 0 && pool_is_word(s.s[i - 1]))
		return 0;
	for (k = 0; k < NELEM(groups); k++) {
		if (k > 0 && (at >= s.n || s.s[at++] != '-'))
			return 0;
		for (n = 0; n < groups[k]; n++, at++)
			if (at >= s.n || !is_hex(s.s[at]))
				return 0;
	}
	return at - i;
}

void
name_pool(struct buf *b, size_t from)
{
	struct str s = { b->s, b->n };
	size_t i, n = from, skip;

	for (i = from; i < s.n; ) {
		/* A word is looked at once, where it begins. */
		skip = is_hex(s.s[i]) ? uuid_at(s, i) : 0;
		if (skip == 0 && is_hex(s.s[i]))
			skip = hash_at(s, i);
		if (skip == 0)
			skip = str_digits(str_after(s, i));
		if (skip > 0) {
			b->s[n++] = '*';
			i += skip;
		} else
			b->s[n++] = s.s[i++];
	}
	b->n = n;
}
