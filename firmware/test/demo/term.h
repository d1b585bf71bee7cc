/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal of the demo: a grid of coloured cells of which only what
 * changed is written, keys, and the old state again however the program ends.
 */
#ifndef TERM_H
#define TERM_H

#include <stdbool.h>
#include <stdint.h>

/* 24 bits red, green, blue; TERM_PLAIN: the terminal's own colour. */
enum { TERM_PLAIN = -1 };

enum term_key {
	TERM_NONE, TERM_GONE,		/* no key; the terminal is gone */
	TERM_ESCAPE = 27,
	TERM_UP = 256, TERM_DOWN, TERM_LEFT, TERM_RIGHT,
};

/* false: stdin or stdout is not a terminal, or TERM is dumb. */
bool term_open(void);
void term_close(void);
bool term_utf8(void);			/* of the locale */
unsigned term_colours(void);		/* 0: none, 16, 256 or 2^24 */
unsigned term_rows(void);
unsigned term_columns(void);

/* A new frame: all cells empty. */
void term_clear(void);
/* text is UTF-8; what does not fit is cut.  How many cells it took. */
unsigned term_text(unsigned row, unsigned column, int32_t ink, int32_t paper, const char *text);
/* The text there in the frame so far. */
const char *term_glyph(unsigned row, unsigned column);
void term_show(void);

/* Waits ms for a key: a byte or one of enum term_key. */
int term_key(unsigned ms);
/* SIGINT, SIGTERM or SIGHUP came: time to go. */
bool term_ended(void);

#endif
