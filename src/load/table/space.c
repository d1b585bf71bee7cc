/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * space: white space as written by spreadsheets and banks.
 */
#include "config.h"

#include "table.h"

size_t
sheet_space(struct str s)
{
	unsigned char c = s.n > 0 ? (unsigned char)s.s[0] : 'x';
	uint32_t cp;
	size_t n;

	if (c < 0x80)
		return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
	if (c != 0xc2 && c != 0xe1 && c != 0xe2 && c != 0xe3)
		return 0;
	n = text_decode(s, &cp);
	return cp == 0x85 || cp == 0xa0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 ||
	    cp == 0x2029 || cp == 0x202f || cp == 0x205f || cp == 0x3000 ? n : 0;
}

/* Return the length of trailing white space. */
static size_t
space_at_end(struct str s)
{
	for (size_t n = 1; n <= 3 && n <= s.n; n++)
		if (sheet_space(str_after(s, s.n - n)) == n)
			return n;
	return 0;
}

struct str
sheet_trim(struct str s)
{
	size_t n;

	while ((n = sheet_space(s)) > 0)
		s = str_after(s, n);
	while ((n = space_at_end(s)) > 0)
		s.n -= n;
	return s;
}
