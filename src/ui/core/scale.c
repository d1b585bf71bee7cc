/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scale: a common unit and number of decimals for the times of a window.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "core.h"

enum { STRIP_CELLS = 12 };

struct scale
scale_of(uint64_t most, uint64_t step)
{
	static const struct { uint64_t ns; const char *name; } units[] = {
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" }
	};
	struct scale	s;
	size_t		i = 0;

	while (i < NELEM(units) - 1 && most < units[i].ns)
		i++;
	s = (struct scale){ .unit = units[i].name, .per = units[i].ns, .least = units[i].ns };
	for (; s.least > 1 && s.least > step; s.least /= 10)
		s.decimals++;
	return s;
}

struct scale
scale_within(uint64_t from, uint64_t to)
{
	return scale_of(to, to > from ? (to - from) / 1000 : 1);
}

/* Use hundredths of a window, to distinguish cells; omit zeros at the end of all times. */
static struct scale
scale_of_window(uint64_t from, uint64_t to)
{
	struct scale	s = scale_of(to, to > from ? (to - from) / 100 : 1);
	uint64_t	more;

	for (; s.decimals > 0; s.decimals--, s.least = more) {
		more = s.least * 10;
		if ((from + s.least / 2) / s.least % 10 != 0 || (to + s.least / 2) / s.least % 10 != 0)
			break;
	}
	return s;
}

const char *
scale_show(char *dst, size_t size, const struct scale *s, uint64_t ns)
{
	uint64_t	n = num_add(ns, s->least / 2) / s->least, per = s->per / s->least;

	if (s->decimals == 0)
		snprintf(dst, size, "%" PRIu64, n);
	else
		snprintf(dst, size, "%" PRIu64 ".%0*" PRIu64, n / per, s->decimals, n % per);
	return dst;
}

void
scale_window(struct buf *b, uint64_t from, uint64_t to)
{
	struct scale	s = scale_of_window(from, to);
	char		first[NUM_TEXT], last[NUM_TEXT];

	buf_printf(b, "%s%s%s %s", scale_show(first, sizeof first, &s, from), glyph(GLYPH_DASH),
	    scale_show(last, sizeof last, &s, to), s.unit);
}

void
scale_at(struct buf *b, const char *name, uint64_t ns, uint64_t from, uint64_t to)
{
	struct scale	s = scale_within(from, to);
	char		text[NUM_TEXT];

	buf_printf(b, "%s%s %s", name, scale_show(text, sizeof text, &s, ns), s.unit);
}

void
scale_window_of(struct buf *b, uint64_t from, uint64_t to, uint64_t all_from, uint64_t all_to)
{
	scale_window(b, from, to);
	if (from > all_from || to < all_to)
		screen_number(b, " of ", num_show_duration, all_to - all_from);
}

void
scale_strip(struct buf *b, uint64_t from, uint64_t to, uint64_t all_from, uint64_t all_to)
{
	double	all = (double)(all_to - all_from), first, last;

	if (all_to <= all_from || (from <= all_from && to >= all_to))
		return;
	first = from > all_from ? (double)(from - all_from) / all * STRIP_CELLS : 0;
	last = to < all_to && to > all_from ? (double)(to - all_from) / all * STRIP_CELLS : STRIP_CELLS;
	buf_chr(b, '[');
	for (int i = 0; i < STRIP_CELLS; i++)
		buf_chr(b, i + 1 > first && (i < last || i == (int)first) ? '=' : '.');
	buf_chr(b, ']');
}
