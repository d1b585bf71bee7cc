/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tube is 10 x 16 points, two above each other in a cell: half blocks where
 * the terminal has UTF-8.  Digits are thin wires, as in a tube.
 */
#include "face.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "term.h"

enum { WIDTH = 10, HEIGHT = 16, LEFT = 1, TOP = 1, BOX = WIDTH + 2, GAP = 2 };
enum { GLASS = 0x0c0908, RIM = 0x6a5f58, WIRE = 0x261f1c, END = -1 };

/* Lines from point to point; a point is column * 16 + row. */
#define P(x, y) ((x) * 16 + (y))
static const int16_t line[FACE_DIGITS][16] = {
	{ P(2, 0), P(5, 0), P(7, 3), P(7, 10), P(5, 13), P(2, 13), P(0, 10), P(0, 3), P(2, 0), END },
	{ P(1, 3), P(4, 0), P(4, 13), END },
	{ P(0, 3), P(2, 0), P(5, 0), P(7, 2), P(7, 5), P(0, 13), P(7, 13), END },
	{ P(0, 0), P(7, 0), P(3, 5), P(5, 5), P(7, 7), P(7, 11), P(5, 13), P(2, 13), P(0, 11), END },
	{ P(5, 13), P(5, 0), P(0, 9), P(7, 9), END },
	{ P(7, 0), P(1, 0), P(0, 6), P(2, 5), P(5, 5), P(7, 7), P(7, 11), P(5, 13), P(2, 13), P(0, 11), END },
	{ P(6, 0), P(3, 2), P(0, 7), P(0, 11), P(2, 13), P(5, 13), P(7, 11), P(7, 8), P(5, 6), P(2, 6), P(0, 8), END },
	{ P(0, 0), P(7, 0), P(3, 7), P(2, 13), END },
	{ P(2, 6), P(0, 4), P(0, 2), P(2, 0), P(5, 0), P(7, 2), P(7, 4), P(5, 6), P(2, 6), P(0, 8), P(0, 11), P(2, 13),
	    P(5, 13), P(7, 11), P(7, 8), P(5, 6) },
	{ P(1, 13), P(4, 11), P(7, 6), P(7, 2), P(5, 0), P(2, 0), P(0, 2), P(0, 5), P(2, 7), P(5, 7), P(7, 5), END },
};
static const uint8_t wired[FACE_PLACES] = { 3, 10, 6, 10, 6, 10 };

static bool point[FACE_DIGITS][HEIGHT][WIDTH];

static void stroke(bool to[HEIGHT][WIDTH], int from, int until)
{
	int x = from / 16, y = from % 16, dx = until / 16 - x, dy = until % 16 - y;
	int steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);

	for (int i = 0; i <= steps; i++) {
		int half = steps / 2, sx = dx < 0 ? -half : half, sy = dy < 0 ? -half : half;

		to[TOP + y + (steps ? (dy * i + sy) / steps : 0)][LEFT + x + (steps ? (dx * i + sx) / steps : 0)] = true;
	}
}

static void make_points(void)
{
	for (unsigned digit = 0; digit < FACE_DIGITS; digit++) {
		for (unsigned i = 0; i + 1 < 16 && line[digit][i + 1] != END; i++)
			stroke(point[digit], line[digit][i], line[digit][i + 1]);
	}
}

/* ---- brightness ------------------------------------------------------------ */

static unsigned root(unsigned value)
{
	unsigned result = 0;

	while ((result + 1) * (result + 1) <= value)
		result++;
	return result;
}

/* The eye sees the root of the light. */
void face_look(struct face *face, struct tubes *tubes, uint64_t cycle)
{
	uint64_t span = cycle - face->cycle;

	tubes_pass(tubes, cycle);
	for (unsigned place = 0; place < FACE_PLACES; place++) {
		for (unsigned digit = 0; digit < wired[place]; digit++) {
			uint64_t lit = tubes_lit(tubes, place, digit), share = lit - face->lit[place][digit];

			face->lit[place][digit] = lit;
			if (span > 0)
				face->glow[place][digit] = (uint8_t)root((unsigned)((share < span ? share : span) * 65025 / span));
		}
	}
	face->cycle = cycle;
}

/* ---- drawing --------------------------------------------------------------- */

static int32_t mix(int32_t low, int32_t high, unsigned part)	/* of 255 */
{
	int32_t colour = 0;

	for (unsigned shift = 0; shift < 24; shift += 8) {
		int32_t a = low >> shift & 0xff, b = high >> shift & 0xff;

		colour |= (a + (b - a) * (int32_t)part / 255) << shift;
	}
	return colour;
}

/* The brightest of the digits through a point and its neighbours: the wire itself, and the gas around it. */
struct light {
	uint8_t wire, gas;
	bool dark;		/* a wire that does not glow */
};

static struct light light_at(const uint8_t glow[FACE_DIGITS], unsigned place, int x, int y)
{
	static const int8_t near[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
	struct light light = { 0 };

	for (unsigned digit = 0; digit < wired[place]; digit++) {
		if (point[digit][y][x]) {
			light.dark = true;
			light.wire = glow[digit] > light.wire ? glow[digit] : light.wire;
		}
		for (unsigned i = 0; i < 4; i++) {
			int nx = x + near[i][0], ny = y + near[i][1];

			if (nx >= 0 && nx < WIDTH && ny >= 0 && ny < HEIGHT && point[digit][ny][nx] && glow[digit] > light.gas)
				light.gas = glow[digit];
		}
	}
	return light;
}

static int32_t colour_of(struct light light)
{
	int32_t colour = light.dark ? WIRE : GLASS;

	colour = mix(colour, 0x6e2806, light.gas);
	return mix(colour, 0xff8c28, light.wire);
}

enum { LIT = 40, BRIGHT = 150, HALF = 127, AMBER = 0xffa028 };

/*
 * The glyph alone shows what glows, so that a copied or colourless screen can
 * be read; wires that do not glow and the gas around one that does are paper.
 */
static void draw_blocks(unsigned row, unsigned column, struct light up, struct light down)
{
	bool fine = term_colours() >= 256;
	int32_t above = fine ? colour_of(up) : AMBER, below = fine ? colour_of(down) : AMBER;
	int32_t paper = fine ? mix(colour_of(up), colour_of(down), HALF) : TERM_PLAIN;

	if (up.wire > LIT && down.wire > LIT)
		term_text(row, column, up.wire > down.wire ? above : below, paper, "\xe2\x96\x88");
	else if (up.wire > LIT)
		term_text(row, column, above, fine ? below : TERM_PLAIN, "\xe2\x96\x80");
	else if (down.wire > LIT)
		term_text(row, column, below, fine ? above : TERM_PLAIN, "\xe2\x96\x84");
	else
		term_text(row, column, paper, paper, " ");
}

static void draw_letters(unsigned row, unsigned column, struct light up, struct light down)
{
	unsigned wire = up.wire > down.wire ? up.wire : down.wire;

	if (wire > LIT)
		term_text(row, column, AMBER, TERM_PLAIN, wire > BRIGHT ? "#" : "+");
	else if (term_colours() >= 256 && (up.dark || down.dark))
		term_text(row, column, WIRE, TERM_PLAIN, ".");
}

static void draw_cell(unsigned row, unsigned column, struct light up, struct light down)
{
	if (term_utf8())
		draw_blocks(row, column, up, down);
	else
		draw_letters(row, column, up, down);
}

static void draw_rim(unsigned row, unsigned column)
{
	static const char *const shape[2][3] = {
		{ ".----------.", "|", "'----------'" },
		{ "\xe2\x95\xad" "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
		  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80" "\xe2\x95\xae", "\xe2\x94\x82",
		  "\xe2\x95\xb0" "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
		  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80" "\xe2\x95\xaf" },
	};
	const char *const *rim = shape[term_utf8()];

	term_text(row, column, RIM, TERM_PLAIN, rim[0]);
	for (unsigned i = 1; i < FACE_ROWS - 1; i++) {
		term_text(row + i, column, RIM, TERM_PLAIN, rim[1]);
		term_text(row + i, column + BOX - 1, RIM, TERM_PLAIN, rim[1]);
	}
	term_text(row + FACE_ROWS - 1, column, RIM, TERM_PLAIN, rim[2]);
}

void face_draw(const struct face *face, unsigned row, unsigned column)
{
	make_points();
	for (unsigned place = 0; place < FACE_PLACES; place++) {
		unsigned left = column + place * BOX + place / 2 * GAP;

		draw_rim(row, left);
		for (int y = 0; y < HEIGHT; y += 2) {
			for (int x = 0; x < WIDTH; x++)
				draw_cell(row + 1 + (unsigned)y / 2, left + 1 + (unsigned)x,
				    light_at(face->glow[place], place, x, y), light_at(face->glow[place], place, x, y + 1));
		}
	}
}
