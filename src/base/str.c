/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * str: slices of bytes and growing byte strings.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>
#include <string.h>

#include "icecore/base.h"

/* ---- slices -------------------------------------------------------------- */

struct str
str_of(const char *s)
{
	if (s == NULL)
		return STR("");
	return (struct str){ s, strlen(s) };
}

int
str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n == 0 ? 0 : memcmp(a.s, b.s, n);

	if (order == 0)
		order = (a.n > b.n) - (a.n < b.n);
	return order;
}

static bool
same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Return whether s begins with a part of a pattern, which has no stars. */
static bool
part_fits(struct str part, struct str s, bool nocase)
{
	if (s.n < part.n)
		return false;
	for (size_t i = 0; i < part.n; i++)
		if (part.s[i] != '?' && (nocase ? !same_letter(part.s[i], s.s[i]) : part.s[i] != s.s[i]))
			return false;
	return true;
}

/* The first place of a part leaves most for the parts after it, and the last part is at the end. */
static bool
glob(struct str pattern, struct str s, bool nocase)
{
	struct str part, before, rest;
	bool star = false;

	for (; str_divide(pattern, STR("*"), &part, &pattern); star = true, s = str_after(s, part.n)) {
		if (star && !nocase && part.n > 0 && memchr(part.s, '?', part.n) == NULL)
			s = str_after(s, str_divide(s, part, &before, &rest) ? before.n : s.n);
		while (!part_fits(part, s, nocase)) {
			if (!star || s.n <= part.n)
				return false;
			s = str_after(s, 1);
		}
	}
	return (star ? s.n >= pattern.n : s.n == pattern.n) &&
	    part_fits(pattern, str_after(s, s.n - pattern.n), nocase);
}

bool
str_glob(struct str pattern, struct str s)
{
	return glob(pattern, s, false);
}

bool
str_glob_nocase(struct str pattern, struct str s)
{
	return glob(pattern, s, true);
}

bool
str_eq_nocase(struct str a, struct str b)
{
	size_t i = 0;

	while (i < a.n && i < b.n && same_letter(a.s[i], b.s[i]))
		i++;
	return i == a.n && i == b.n;
}

bool
str_has(struct str s, struct str part)
{
	return part.n == 0 || (s.n >= part.n && memmem(s.s, s.n, part.s, part.n) != NULL);
}

bool
str_has_nocase(struct str s, struct str part)
{
	if (part.n == 0)
		return true;
	for (; s.n >= part.n; s.s++, s.n--)
		if (same_letter(s.s[0], part.s[0]) && str_eq_nocase((struct str){ s.s, part.n }, part))
			return true;
	return false;
}

bool
str_has_capital(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] >= 'A' && s.s[i] <= 'Z')
			return true;
	return false;
}

bool
str_glob_any(const char *const *patterns, size_t n, struct str s)
{
	for (size_t i = 0; i < n; i++)
		if (str_glob(str_of(patterns[i]), s))
			return true;
	return false;
}

bool
str_glob_list(const char *const *patterns, struct str s)
{
	for (; patterns != NULL && *patterns != NULL; patterns++)
		if (str_glob(str_of(*patterns), s))
			return true;
	return false;
}

bool
str_is_one(const char *const *texts, size_t n, struct str s)
{
	for (size_t i = 0; i < n; i++)
		if (s.n == 0 ? texts[i][0] == '\0' : texts[i][0] == s.s[0] && str_eq(s, str_of(texts[i])))
			return true;
	return false;
}

bool
str_is_name(struct str s, const char *more)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_word(s.s[i]) && !is_one_of(s.s[i], more))
			return false;
	return s.n > 0 && !is_digit(s.s[0]);
}

struct str
str_trim(struct str s)
{
	for (; s.n > 0 && s.s[0] == ' '; s.n--)
		s.s++;
	while (s.n > 0 && s.s[s.n - 1] == ' ')
		s.n--;
	return s;
}

bool
str_divide(struct str s, struct str what, struct str *before, struct str *after)
{
	const char *hit = s.n == 0 ? NULL : memmem(s.s, s.n, what.s, what.n);

	if (hit == NULL)
		return false;
	*before = (struct str){ s.s, (size_t)(hit - s.s) };
	*after = str_after(s, before->n + what.n);
	return true;
}

bool
str_divide_last(struct str s, char c, struct str *before, struct str *after)
{
	const char *hit = s.n == 0 ? NULL : memrchr(s.s, c, s.n);

	if (hit == NULL)
		return false;
	*before = (struct str){ s.s, (size_t)(hit - s.s) };
	*after = str_after(s, before->n + 1);
	return true;
}

int
str_split_any(struct str *rest, const char *bytes, struct str *part)
{
	size_t set = strlen(bytes);
	const char *found = NULL;

	*part = (struct str){ rest->s, 0 };
	for (; found == NULL && part->n < rest->n; part->n += found == NULL)
		found = memchr(bytes, rest->s[part->n], set);
	*rest = str_after(*rest, part->n + (found != NULL));
	return found != NULL ? (int)(found - bytes) : -1;
}

bool
str_split(struct str *rest, char sep, struct str *part)
{
	const char *end;

	if (rest->n == 0) {
		*part = STR("");
		return false;
	}
	*part = *rest;
	end = memchr(rest->s, sep, rest->n);
	if (end == NULL) {
		*rest = (struct str){ rest->s + rest->n, 0 };
		return true;
	}
	part->n = (size_t)(end - rest->s);
	rest->s = end + 1;
	rest->n -= part->n + 1;
	return true;
}

/* ---- buffers ------------------------------------------------------------- */

/* Room for n more bytes and the closing NUL. */
static bool
reserve(struct buf *b, size_t n)
{
	if (b->bad)
		return false;
	if (n > SIZE_MAX - b->n - 1)
		mem_refuse();
	if (n > SIZE_MAX - b->n - 1 || !mem_grow(&b->s, &b->cap, b->n + n + 1, 1))
		b->bad = true;
	return !b->bad;
}

void
buf_add(struct buf *b, const void *bytes, size_t n)
{
	if (!reserve(b, n))
		return;
	if (n > 0)
		memcpy(b->s + b->n, bytes, n);
	b->n += n;
	b->s[b->n] = '\0';
}

void
buf_str(struct buf *b, struct str s)
{
	buf_add(b, s.s, s.n);
}

void
buf_chr(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		mem_refuse();
	if (n < 0 || !reserve(b, (size_t)n)) {
		b->bad = true;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(b->s + b->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}

void
buf_base64(struct buf *b, struct str s)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t v;
	size_t left;

	for (size_t i = 0; i < s.n; i += 3) {
		left = s.n - i < 3 ? s.n - i : 3;
		v = 0;
		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (k < left ? (unsigned char)s.s[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			buf_chr(b, k <= left ? digits[v >> (18 - 6 * k) & 63] : '=');
	}
}

void
buf_clear(struct buf *b)
{
	b->n = 0;
	b->bad = false;
	if (b->s != NULL)
		b->s[0] = '\0';
}

void
buf_free(struct buf *b)
{
	free(b->s);
	*b = BUF_INIT;
}

void
buf_list(struct buf *b, const char *separator, struct str s)
{
	if (b->n > 0)
		buf_str(b, str_of(separator));
	buf_str(b, s);
}

struct str
buf_set_parts(struct buf *b, const struct str *parts, size_t n)
{
	buf_clear(b);
	for (size_t i = 0; i < n; i++)
		buf_str(b, parts[i]);
	return buf_view(b);
}

struct str
buf_view(const struct buf *b)
{
	if (b->s == NULL)
		return STR("");
	return (struct str){ b->s, b->n };
}
