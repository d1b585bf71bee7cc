/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model of the six '595 registers, the tubes and their high voltage.  The map
 * of the cathodes is written down from the board's netlist, apart from the
 * firmware's own table.
 */
#include "tubes.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 6, MS = 16000, FADING = 500 * MS };
#define ALL_BITS ((1ULL << 48) - 1)
/* A frame of dimming is 8 ms long; what is dark for longer is to be read as dark. */
static const uint64_t lasting = 10 * MS, frame = 9 * MS;

static const int8_t cathode[PLACES][10] = {
	{ 0, 1, 2, -1, -1, -1, -1, -1, -1, -1 },
	{ 4, 5, 6, 7, 8, 13, 12, 11, 10, 9 },
	{ 16, 17, 18, 19, 20, 21, -1, -1, -1, -1 },
	{ 22, 23, 24, 25, 26, 31, 30, 29, 28, 27 },
	{ 32, 33, 34, 35, 36, 37, -1, -1, -1, -1 },
	{ 38, 39, 40, 41, 42, 47, 46, 45, 44, 43 },
};
/* Bits that belong to a place; bits 3, 14 and 15, behind which there is nothing, are the first two places'. */
static const uint64_t place_bits[PLACES] = {
	0xfULL, 0xfff0ULL, 0x3fULL << 16, 0x3ffULL << 22, 0x3fULL << 32, 0x3ffULL << 38,
};

static char glyph(unsigned place, uint64_t bits)
{
	if (bits == 0)
		return '-';
	if ((bits & (bits - 1)) != 0)
		return '?';
	int bit = __builtin_ctzll(bits);
	for (int digit = 0; digit < 10; digit++)
		if (cathode[place][digit] == bit)
			return (char)('0' + digit);
	return '?';
}

static void decode(uint64_t word, char text[7])
{
	for (unsigned i = 0; i < PLACES; i++)
		text[i] = glyph(i, word & place_bits[i]);
	text[PLACES] = 0;
}

static void add_change(struct tubes *tubes, uint64_t cycle, const char *text)
{
	if (tubes->changes > 0 && strcmp(tubes->change[tubes->changes - 1].text, text) == 0)
		return;
	if (tubes->changes == tubes->room) {
		tubes->room = tubes->room ? tubes->room * 2 : 1024;
		tubes->change = realloc(tubes->change, tubes->room * sizeof *tubes->change);
		if (!tubes->change)
			abort();
	}
	struct tubes_change *change = &tubes->change[tubes->changes++];
	change->cycle = cycle;
	memcpy(change->text, text, sizeof change->text);
}

static void settle_gap(struct tubes *tubes, struct tubes_gap *gap)
{
	if (!gap->regular && gap->length > tubes->longest_dark)
		tubes->longest_dark = gap->length;
	gap->length = 0;
}

/* A gap that repeats within a frame is dimming; any other one is a dark update. */
static void count_gaps(struct tubes *tubes, uint64_t word, uint64_t cycle)
{
	for (unsigned i = 0; i < PLACES; i++) {
		bool was = tubes->latched & place_bits[i], is = word & place_bits[i];
		struct tubes_gap *gap = &tubes->gap[i];

		if (was && !is) {
			gap->regular = cycle - gap->from < frame;
			settle_gap(tubes, gap);
			gap->from = cycle;
		} else if (is && !was && gap->from && cycle - gap->from <= lasting) {
			gap->length = (uint32_t)(cycle - gap->from);
		}
	}
}

/* Off for longer than this is not flicker. */
static const uint64_t switched = 25 * MS;

/* A cathode that went off twice within a short time flickers: from off to off, from on to on, what is less. */
static void count_edges(struct tubes *tubes, uint64_t word, uint64_t cycle)
{
	for (uint64_t bits = tubes->latched ^ word; bits; bits &= bits - 1) {
		unsigned bit = (unsigned)__builtin_ctzll(bits);
		struct tubes_edge *edge = &tubes->edge[bit];

		if ((word >> bit & 1) == 0) {
			edge->period = cycle - edge->off;
			edge->off = cycle;
			continue;
		}
		uint64_t period = cycle - edge->on < edge->period ? cycle - edge->on : edge->period;

		edge->on = cycle;
		if (edge->period < 2 * switched && cycle - edge->off < switched && period > tubes->slowest_flicker)
			tubes->slowest_flicker = period;
	}
}

void tubes_pass(struct tubes *tubes, uint64_t cycle)
{
	if (cycle <= tubes->last_cycle)
		return;
	if (tubes->level[TUBES_HV])
		for (uint64_t bits = tubes->latched; bits; bits &= bits - 1)
			tubes->lit[__builtin_ctzll(bits)] += cycle - tubes->last_lit;
	tubes->last_lit = tubes->last_cycle = cycle;
	if (tubes->held && cycle - tubes->held_at > lasting) {
		add_change(tubes, tubes->held_at, tubes->held_text);
		tubes->held = false;
	}
	for (unsigned i = 0; i < PLACES; i++)
		if (tubes->gap[i].length && cycle - tubes->gap[i].from > frame)
			settle_gap(tubes, &tubes->gap[i]);
}

/* The picture before, shortly after the one that is to be read came. */
static bool fades(const struct tubes *tubes, const char *text, uint64_t cycle)
{
	const struct tubes_change *last = tubes->change + tubes->changes - 1;

	return tubes->changes > 1 && cycle - last->cycle < FADING && strcmp(text, last[-1].text) == 0;
}

/* Updates the readable text after a possible change: of the picture, or of the high voltage. */
static void look(struct tubes *tubes, uint64_t cycle)
{
	char text[7] = "      ";

	if (tubes->level[TUBES_HV]) {
		decode(tubes->latched, text);
		if (strchr(text, '?'))
			tubes->bad++;
		if (tubes->latched == 0 || fades(tubes, text, cycle)) {
			if (!tubes->held || strcmp(tubes->held_text, text) != 0)
				tubes->held_at = cycle;
			strcpy(tubes->held_text, text);
			tubes->held = true;
			return;
		}
	}
	tubes->held = false;
	add_change(tubes, cycle, text);
}

static void latch(struct tubes *tubes, uint64_t word, uint64_t cycle)
{
	tubes_pass(tubes, cycle);
	tubes->ready = true;
	if (word == tubes->latched)
		return;
	if (tubes->level[TUBES_HV])
		count_gaps(tubes, word, cycle);
	count_edges(tubes, word, cycle);
	tubes->latched = word;
	look(tubes, cycle);
}

void tubes_picture(struct tubes *tubes, uint64_t word, uint64_t cycle)
{
	tubes->shift = word & ALL_BITS;
	tubes->clocks = 0;
	tubes->cleared = false;
	latch(tubes, tubes->shift, cycle);
}

void tubes_blank(struct tubes *tubes, uint64_t cycle)
{
	tubes_picture(tubes, 0, cycle);
}

static void rising_latch(struct tubes *tubes, uint64_t cycle)
{
	if (tubes->clocks != 48 && !(tubes->clocks == 0 && tubes->cleared))
		tubes->wrong_clocks++;
	tubes->clocks = 0;
	tubes->cleared = false;
	latch(tubes, tubes->shift, cycle);
}

static void switch_voltage(struct tubes *tubes, bool on, uint64_t cycle)
{
	if (on && !tubes->ready)
		tubes->early_hv++;
	tubes_pass(tubes, cycle);
	tubes->level[TUBES_HV] = on;
	memset(tubes->gap, 0, sizeof tubes->gap);
	memset(tubes->edge, 0, sizeof tubes->edge);
	look(tubes, cycle);
}

void tubes_set(struct tubes *tubes, enum tubes_pin pin, bool level, uint64_t cycle)
{
	if (tubes->level[pin] == level)
		return;
	if (pin == TUBES_HV) {
		switch_voltage(tubes, level, cycle);
		return;
	}
	tubes->level[pin] = level;
	if (pin == TUBES_CLEAR && !level) {
		tubes->shift = 0;
		tubes->clocks = 0;
		tubes->cleared = true;
	} else if (pin == TUBES_CLOCK && level && tubes->level[TUBES_CLEAR]) {
		tubes->shift = (tubes->shift << 1 | tubes->level[TUBES_DATA]) & ALL_BITS;
		tubes->clocks++;
	} else if (pin == TUBES_LATCH && level) {
		rising_latch(tubes, cycle);
	}
}

void tubes_power(struct tubes *tubes, bool on, uint32_t seed, uint64_t cycle)
{
	tubes_set(tubes, TUBES_HV, false, cycle);
	tubes_pass(tubes, cycle);
	memset(tubes->level, 0, sizeof tubes->level);
	tubes->latched = tubes->shift = on ? (seed + 1) * 0x9e3779b97f4a7c15ULL & ALL_BITS : 0;
	tubes->clocks = 0;
	tubes->cleared = tubes->ready = false;
}

void tubes_init(struct tubes *tubes)
{
	memset(tubes, 0, sizeof *tubes);
	add_change(tubes, 0, "      ");
}

void tubes_free(struct tubes *tubes)
{
	free(tubes->change);
	memset(tubes, 0, sizeof *tubes);
}

/* Index of the first change at or after cycle. */
static uint32_t first_after(const struct tubes *tubes, uint64_t cycle)
{
	uint32_t low = 0, high = tubes->changes;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tubes->change[middle].cycle < cycle)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *tubes_at(const struct tubes *tubes, uint64_t cycle)
{
	if (tubes->held && cycle >= tubes->held_at && cycle - tubes->held_at > lasting)
		return tubes->held_text;
	uint32_t i = first_after(tubes, cycle + 1);
	return i ? tubes->change[i - 1].text : "      ";
}

static bool matches(const char *text, const char *pattern)
{
	for (; *pattern; text++, pattern++)
		if (*pattern != '*' && *pattern != *text)
			return false;
	return *text == 0;
}

const struct tubes_change *tubes_find(const struct tubes *tubes, uint64_t cycle, const char *text)
{
	for (uint32_t i = first_after(tubes, cycle); i < tubes->changes; i++)
		if (matches(tubes->change[i].text, text))
			return &tubes->change[i];
	return NULL;
}

uint64_t tubes_lit(const struct tubes *tubes, unsigned place, unsigned digit)
{
	if (place >= PLACES || digit >= 10 || cathode[place][digit] < 0)
		return 0;
	return tubes->lit[cathode[place][digit]];
}
