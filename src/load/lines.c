/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines: prefixes of the lines of a log, and the search for a line.
 */
#include "config.h"

#include "icecore/lines.h"

bool
lines_take_prefix(struct str *line, struct str p)
{
	struct str s = *line;
	size_t n;

	/* Other prefixes do not end with a blank: this one is an indentation. */
	if (p.n > 0 && is_one_of(p.s[p.n - 1], " \t"))
		return str_take(line, p);
	while (p.n > 0) {
		if (is_digit(p.s[0])) {
			if ((n = str_digits(s)) == 0)
				return false;
			s = str_after(s, n);
			p = str_after(p, str_digits(p));
		} else if (s.n == 0 || s.s[0] != p.s[0]) {
			return false;
		} else if (p.s[0] == ' ') {
			for (; s.n > 0 && s.s[0] == ' '; s.n--)
				s.s++;
			for (; p.n > 0 && p.s[0] == ' '; p.n--)
				p.s++;
		} else {
			s = str_after(s, 1);
			p = str_after(p, 1);
		}
	}
	str_take(&s, STR(" "));
	*line = s;
	return true;
}

bool
lines_have(struct str text, bool (*is)(struct str line))
{
	struct lines l = lines_of(text);
	struct str line;

	while (lines_next(&l, &line))
		if (is(line))
			return true;
	return false;
}
