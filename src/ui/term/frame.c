/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frame: read back the contents of the screen, for tests, and to draw over them.
 */
#include "config.h"

#include <curses.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "term.h"

static void
frame_char(FILE *f, const wchar_t *wc)
{
	char		s[MB_LEN_MAX];
	mbstate_t	st;
	size_t		n;

	memset(&st, 0, sizeof st);
	for (; *wc != L'\0'; wc++) {
		n = wcrtomb(s, *wc, &st);
		if (n != (size_t)-1)
			fwrite(s, 1, n, f);
	}
}

/* Trailing blanks are removed. A wide character is read back in both of its cells. */
void
screen_frame(FILE *f)
{
	wchar_t	wc[CCHARW_MAX + 1];
	cchar_t	cell;
	attr_t	a;
	short	pair;
	int	h, w, end, cw;

	screen_size(&h, &w);
	for (int y = 0; y < h; y++) {
		for (end = w; end > 0; end--)
			if ((mvinch(y, end - 1) & A_CHARTEXT) != ' ')
				break;
		for (int x = 0; x < end; x += cw > 1 ? cw : 1) {
			cw = 1;
			mvin_wch(y, x, &cell);
			if (getcchar(&cell, wc, &a, &pair, NULL) == ERR)
				continue;
			cw = wcwidth(wc[0]);
			frame_char(f, wc);
		}
		fputc('\n', f);
	}
}

/* Both cells of a wide character look alike, so it stays as it is. */
static void
thumb_cell(int y, int x)
{
	wchar_t	wc[CCHARW_MAX + 1] = { L' ' };
	cchar_t	cell;
	attr_t	a = A_NORMAL;
	short	pair = 0;

	if (mvin_wch(y, x, &cell) == ERR || getcchar(&cell, wc, &a, &pair, NULL) == ERR)
		return;
	if (wc[0] == L' ')
		screen_puts(y, x, 1, ROLE_DIM, (a & A_REVERSE) != 0 ? LOOK_REVERSE : LOOK_PLAIN, glyph(GLYPH_THUMB));
	else if (wcwidth(wc[0]) == 1)
		mvchgat(y, x, 1, a ^ A_REVERSE, pair, NULL);
}

void
screen_thumb(struct area a, uint64_t top, uint64_t rows)
{
	uint64_t	h = a.h > 0 ? (uint64_t)a.h : 0, n = rows > h ? h * h / rows : h, from;

	if (rows <= h)
		return;
	n = n > 0 ? n : 1;
	from = top < rows - h ? (uint64_t)((double)top / (double)(rows - h) * (double)(h - n)) : h - n;
	for (uint64_t i = from; i < from + n; i++)
		thumb_cell(a.y + (int)i, a.x + a.w - 1);
}

static bool
stands_at(int y, int x, const char *text)
{
	wchar_t	wc[CCHARW_MAX + 1], want;
	cchar_t	cell;
	attr_t	a;
	short	pair;
	int	n;

	for (; *text != '\0'; text += n, x += wcwidth(want) > 1 ? 2 : 1) {
		n = mbtowc(&want, text, MB_LEN_MAX);
		if (n <= 0 || mvin_wch(y, x, &cell) == ERR || getcchar(&cell, wc, &a, &pair, NULL) == ERR ||
		    wc[0] != want)
			return false;
	}
	return true;
}

bool
screen_find(const char *text, int *y, int *x)
{
	int	h, w;

	screen_size(&h, &w);
	for (*y = 0; *y < h; ++*y)
		for (*x = 0; *x < w; ++*x)
			if (stands_at(*y, *x, text))
				return true;
	return false;
}

uint64_t
screen_sum(int from, int to)
{
	uint64_t	sum = 0;
	cchar_t		cell;
	wchar_t		wc[CCHARW_MAX + 1];
	attr_t		a;
	short		pair;
	int		h, w;

	screen_size(&h, &w);
	for (int y = from; y < to && y < h; y++)
		for (int x = 0; x < w; x++) {
			mvin_wch(y, x, &cell);
			if (getcchar(&cell, wc, &a, &pair, NULL) != ERR)
				sum = idmap_hash(sum ^ (uint64_t)wc[0] ^ (uint64_t)a << 32);
		}
	return sum;
}
