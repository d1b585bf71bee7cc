/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Six IN-12 tubes drawn large in the terminal: what glows, and behind it the wires of what does not. */
#ifndef FACE_H
#define FACE_H

#include <stdint.h>

#include "tubes.h"

enum { FACE_ROWS = 10, FACE_COLUMNS = 76, FACE_PLACES = 6, FACE_DIGITS = 10 };

/* How bright each cathode was, 0 to 255: its share of the time that a frame lasts. */
struct face {
	uint8_t glow[FACE_PLACES][FACE_DIGITS];
	uint64_t cycle, lit[FACE_PLACES][FACE_DIGITS];	/* at the end of the last frame */
};

/* Takes in what the tubes did since the last call. */
void face_look(struct face *face, struct tubes *tubes, uint64_t cycle);
void face_draw(const struct face *face, unsigned row, unsigned column);

#endif
