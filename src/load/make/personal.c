/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * personal: what no name of a program has in it, by its form: numbers of cards, accounts and telephones, and keys.
 */
#include "config.h"

#include <string.h>

#include "icecore/name.h"
#include "icecore/telling.h"

/* "4507 6562 4018 5446": the bytes of at least three groups of four digits at the start. */
static size_t
personal_card(struct str s)
{
	enum { GROUP = 4, GROUPS = 3 };
	size_t n = 0, groups = 0;

	while (str_digits(str_after(s, n)) == GROUP) {
		n += GROUP;
		groups++;
		if (n == s.n || !is_one_of(s.s[n], " -"))
			return groups >= GROUPS ? n : 0;
		n++;
	}
	return groups >= GROUPS ? n - 1 : 0;
}

/* "4539148803436467": addresses of as many decimal digits begin with zeros. */
static size_t
personal_number(struct str s)
{
	enum { NUMBER_LEAST = 12, NUMBER_MOST = 19 };
	size_t n = s.s[0] == '0' ? 0 : str_digits(s);

	return n >= NUMBER_LEAST && n <= NUMBER_MOST && (n == s.n || !is_word(s.s[n])) ? n : 0;
}

/* "+49976520747": no offset in code has as many digits. */
static size_t
personal_phone(struct str s)
{
	enum { PHONE_LEAST = 9 };
	size_t n = str_digits(str_after(s, 1));

	return n >= PHONE_LEAST ? n + 1 : 0;
}

/* "DE79401467559679359745"; behind a word it has 16 digits or more. */
static size_t
personal_account(struct str s, bool behind)
{
	enum { COUNTRY = 2 };
	const size_t least = behind ? 16 : 12;
	size_t n = s.n > COUNTRY && s.s[1] >= 'A' && s.s[1] <= 'Z' ? str_digits(str_after(s, COUNTRY)) : 0;

	n += COUNTRY;
	return n >= COUNTRY + least && (n == s.n || !is_word(s.s[n])) ? n : 0;
}

/* "eyJhbGciOiJIUzI1NiJ9.bn": a token in the form of JWT; inside of a word it begins with "alg", "typ" or "kid". */
static size_t
personal_jwt(struct str s, bool behind)
{
	size_t n = 0, points = 0;

	if (behind ? !str_begins(s, "eyJhbGci") && !str_begins(s, "eyJ0eXAi") && !str_begins(s, "eyJraWQi") :
	    !str_begins(s, "eyJ"))
		return 0;
	for (; n < s.n && (is_word(s.s[n]) || is_one_of(s.s[n], ".-")); n++)
		points += s.s[n] == '.';
	return points > 0 ? n : 0;
}

/* The bytes of what begins at the place. */
static size_t
personal_at(struct str s, size_t at, bool name)
{
	struct str rest = str_after(s, at);
	bool behind = at > 0 && is_word(s.s[at - 1]);
	char c = s.s[at];
	size_t n = name_key(rest);

	if (n > 0)
		return n;
	if (c == '+')
		return personal_phone(rest);
	if (c == 'e')
		return personal_jwt(rest, behind);
	if (c >= 'A' && c <= 'Z')
		return personal_account(rest, behind);
	if (behind || !is_digit(c))
		return 0;
	n = personal_card(rest);
	return n == 0 && name ? personal_number(rest) : n;
}

size_t
telling_personal(struct str s, bool name, size_t *n)
{
	size_t at = 0;

	/* All of them have digits. */
	for (*n = 0; at < s.n && !is_digit(s.s[at]); at++)
		continue;
	if (at == s.n)
		return s.n;
	for (at = 0; at < s.n && (*n = personal_at(s, at, name)) == 0; at++)
		continue;
	return at;
}
