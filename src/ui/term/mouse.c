/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mouse: convert bytes to mouse events, and keep the clickable spots of the screen.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "screen.h"

/* Button field of a report: button mask, flags, and offset in the X10 form. */
enum { BUTTON = 3, MOVED = 32, WHEEL = 64, FIRST = 32 };
enum { X10_BYTES = 6, NUMBER_MAX = 100000 };

/* ---- bytes to clicks ----------------------------------------------------- */

bool
mouse_is_report(struct str s)
{
	return s.n > 2 && s.s[1] == '[' && (s.s[2] == '<' || s.s[2] == 'M');
}

static enum mouse
meaning(unsigned button, bool released)
{
	if (released)
		return (button & (BUTTON | WHEEL)) == 0 ? MOUSE_RELEASE : MOUSE_OTHER;
	if (button & MOVED)
		return (button & (BUTTON | WHEEL)) == 0 ? MOUSE_DRAG : MOUSE_OTHER;
	if (button & WHEEL)
		return (button & BUTTON) == 0 ? MOUSE_WHEEL_UP : (button & BUTTON) == 1 ? MOUSE_WHEEL_DOWN :
		    MOUSE_OTHER;
	return (button & BUTTON) == 0 ? MOUSE_CLICK : (button & BUTTON) == 2 ? MOUSE_BACK : MOUSE_OTHER;
}

/* Decode "ESC [ M" and three bytes; a terminal sends coordinates that do not fit into a byte as 0. */
static size_t
decode_x10(struct str s, bool final, struct press *p)
{
	size_t		n = 3;
	unsigned	button;

	while (n < s.n && n < X10_BYTES && ((unsigned char)s.s[n] >= FIRST || s.s[n] == 0))
		n++;
	if (n < X10_BYTES)
		return n == s.n && !final ? 0 : n;
	p->x = (unsigned char)s.s[4] - FIRST - 1;
	p->y = (unsigned char)s.s[5] - FIRST - 1;
	/* This form does not say which button was released. */
	button = (unsigned char)s.s[3] - (unsigned)FIRST;
	if (p->x >= 0 && p->y >= 0)
		p->mouse = meaning(button == BUTTON ? 0 : button, button == BUTTON);
	return n;
}

/* "ESC [ < button ; x ; y M", or m for a release. */
static size_t
decode_sgr(struct str s, bool final, struct press *p)
{
	unsigned	number[3] = { 0 };
	size_t		n = 3, k = 0;

	for (; n < s.n && ((s.s[n] >= '0' && s.s[n] <= '9') || s.s[n] == ';'); n++)
		if (s.s[n] == ';')
			k++;
		else if (k < NELEM(number) && number[k] < NUMBER_MAX)
			number[k] = number[k] * 10 + (unsigned)(s.s[n] - '0');
	if (n == s.n)
		return final ? n : 0;
	if (s.s[n] != 'M' && s.s[n] != 'm')
		return n;
	p->x = (int)number[1] - 1;
	p->y = (int)number[2] - 1;
	if (k == 2 && p->x >= 0 && p->y >= 0)
		p->mouse = meaning(number[0], s.s[n] == 'm');
	return n + 1;
}

/* Terminals report in either form, regardless of the requested one. */
size_t
mouse_decode(struct str s, bool final, struct press *p)
{
	size_t	n;

	memset(p, 0, sizeof *p);
	p->mouse = MOUSE_OTHER;
	n = (s.s[2] == '<' ? decode_sgr : decode_x10)(s, final, p);
	p->n = n < sizeof p->raw ? n : sizeof p->raw;
	memcpy(p->raw, s.s, p->n);
	return n;
}

/* ---- clickable spots ----------------------------------------------------- */

/* The clickable spots of the frame shown; static because there is only one screen. */
static struct {
	struct spot	*at;
	size_t		 n, cap;
} spots;

/* Without memory the spot cannot be clicked; its key still works. */
void
spot_add(const struct spot *s)
{
	if (s->area.h > 0 && s->area.w > 0 && MEM_ROOM(spots.at, spots.cap, spots.n))
		spots.at[spots.n++] = *s;
}

const struct spot *
spot_at(int y, int x)
{
	const struct area *a;

	for (size_t i = spots.n; i > 0; i--) {
		a = &spots.at[i - 1].area;
		if (y >= a->y && y - a->y < a->h && x >= a->x && x - a->x < a->w)
			return &spots.at[i - 1];
	}
	return NULL;
}

void
spots_clear(void)
{
	spots.n = 0;
}

void
spots_free(void)
{
	free(spots.at);
	spots.at = NULL;
	spots.n = spots.cap = 0;
}
