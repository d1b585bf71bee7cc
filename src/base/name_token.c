/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name_token: keys that stand where names do.
 */
#include "config.h"

#include "icecore/name.h"

/*
 * Bytes of a word in "parseHttpHeader2_URL" at its start: small letters, which may have a capital in front, or
 * capitals.
 */
static size_t
token_camel(struct str s)
{
	size_t n = 1, capitals = 0;

	while (capitals < s.n && s.s[capitals] >= 'A' && s.s[capitals] <= 'Z')
		capitals++;
	if (capitals > 1)
		/* The last one may begin the next word. */
		return capitals - (capitals < s.n && is_letter(s.s[capitals]));
	while (n < s.n && s.s[n] >= 'a' && s.s[n] <= 'z')
		n++;
	return n;
}

static bool
token_is_syllable(struct str s)
{
	for (size_t i = 0; s.n > 2 && i < s.n; i++)
		if (is_one_of(s.s[i], "aeiouAEIOU"))
			return true;
	return false;
}

/* Numbers in names of functions: "Uint8", "f32x4", "x86". */
static bool
token_is_width(struct str digits)
{
	static const char *const widths[] =
	    { "0", "1", "2", "3", "4", "8", "10", "12", "16", "32", "64", "86", "128", "256", "384", "512", "1024",
	    "2048" };

	return str_is_one(widths, NELEM(widths), digits);
}

/* The bytes of the mark of a service at the start; *least: the letters and digits that keys have behind it. */
static size_t
token_mark(struct str s, size_t *least)
{
	static const struct { const char *mark; size_t least; } marks[] = { { "?k_live_", 9 }, { "?k_test_", 9 },
	    { "whsec_", 12 }, { "gh?_", 16 }, { "github_pat_", 16 }, { "glpat-", 12 }, { "xox?-", 9 }, { "A?IA", 16 },
	    { "AIza", 20 }, { "npm_", 20 }, { "hf_", 20 } };
	size_t n;

	for (size_t i = 0; i < NELEM(marks); i++) {
		const char *mark = marks[i].mark;

		for (n = 0; mark[n] != '\0' && n < s.n && (mark[n] == '?' || mark[n] == s.s[n]); n++)
			continue;
		if (mark[n] == '\0') {
			*least = marks[i].least;
			return n;
		}
	}
	return 0;
}

size_t
name_key(struct str s)
{
	size_t least, mark = token_mark(s, &least), n, digits = 0;

	for (n = mark; n < s.n && (is_letter(s.s[n]) || is_digit(s.s[n])); n++)
		digits += is_digit(s.s[n]);
	if (mark == 0 || digits == 0 || n - mark < least)
		return 0;
	while (n < s.n && (is_word(s.s[n]) || s.s[n] == '-'))
		n++;
	return n;
}

bool
name_is_token(struct str s)
{
	enum { TOKEN_LEAST = 16 };
	size_t least, letters = 0, words = 0, changes = 0, odd = 0, digits = 0, n;

	/* Bindings of WebAssembly have a hash at their end. */
	if (s.n < TOKEN_LEAST || str_begins(s, "__wb"))
		return false;
	for (size_t i = 0; i < s.n; i += n) {
		struct str rest = str_after(s, i);

		if ((n = str_digits(rest)) > 0) {
			digits += n;
			changes += (i > 0 && is_letter(s.s[i - 1])) + (i + n < s.n && is_letter(s.s[i + n]));
			odd += !token_is_width(str_head(rest, n));
		} else if (is_letter(s.s[i])) {
			n = token_camel(rest);
			letters += n;
			words += token_is_syllable(str_head(rest, n)) ? n : 0;
		} else if (is_one_of(s.s[i], "_-$"))
			n = 1;
		else
			return false;
	}
	return digits > 0 && (token_mark(s, &least) > 0 || (changes >= 3 && odd > 0 && 2 * words < letters));
}
