/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model of the six '595 registers, the tubes behind them and their high
 * voltage: takes pin levels, reports what glows, since when and how long.
 */
#ifndef TUBES_H
#define TUBES_H

#include <stdbool.h>
#include <stdint.h>

enum tubes_pin { TUBES_DATA, TUBES_CLOCK, TUBES_LATCH, TUBES_CLEAR, TUBES_HV };

/*
 * One change of what is to be read on the tubes.  The dark part of dimming is
 * not a change, nor is the old picture when it comes back while a new one fades in.
 */
struct tubes_change {
	uint64_t cycle;
	char text[7];		/* "123456"; '-' dark, '?' two cathodes or a bit nothing hangs on; "      " without HV */
};

struct tubes {
	uint64_t shift, latched;	/* 48 bits, bit g as in digits.c */
	bool level[5];
	struct tubes_change *change;	/* all since power on */
	uint32_t changes, room;
	uint64_t lit[48];		/* cycles each bit was lit with HV on */
	uint64_t last_lit, last_cycle;
	unsigned clocks;		/* since the last latch */
	bool cleared;			/* and since then the shift register was cleared */
	bool ready;			/* a picture or a clear was latched since power-on */
	bool held;			/* latched at held_at; a change when it lasts */
	uint64_t held_at;
	char held_text[7];
	struct tubes_edge {		/* of each bit, for slowest_flicker */
		uint64_t on, off;	/* cycles it last was switched at */
		uint64_t period;	/* from off to off */
	} edge[48];
	struct tubes_gap {		/* of each place, for longest_dark */
		uint64_t from;
		uint32_t length;	/* of the last gap; counts when the next does not follow as in dimming */
		bool regular;
	} gap[6];
	uint32_t bad;			/* patterns with a '?' latched while HV was on */
	uint32_t wrong_clocks;		/* latches of a picture after other than 48 clocks (not of a clear) */
	uint32_t early_hv;		/* HV on before the first latch */
	uint64_t slowest_flicker;	/* cycles of a period of a cathode that is switched as in dimming or fading */
	uint64_t longest_dark;		/* cycles a lit place was dark in between, up to 10 ms, without dimming */
};

void tubes_init(struct tubes *tubes);
void tubes_free(struct tubes *tubes);
/* 5 V come (the registers hold anything, by seed) or go. */
void tubes_power(struct tubes *tubes, bool on, uint32_t seed, uint64_t cycle);
void tubes_set(struct tubes *tubes, enum tubes_pin pin, bool level, uint64_t cycle);
/* At once what 48 clocks and a latch do; and SRCLR low, a latch, SRCLR high. */
void tubes_picture(struct tubes *tubes, uint64_t word, uint64_t cycle);
void tubes_blank(struct tubes *tubes, uint64_t cycle);
/* Counts up to cycle: before lit, change and longest_dark are read. */
void tubes_pass(struct tubes *tubes, uint64_t cycle);
/* Returns the readable text at cycle.  cycle is now at the latest. */
const char *tubes_at(const struct tubes *tubes, uint64_t cycle);
/* First change at or after cycle to text ('*' stands for any); NULL: none. */
const struct tubes_change *tubes_find(const struct tubes *tubes, uint64_t cycle, const char *text);
/* Cycles that the cathode was lit; a share of time is the difference of two calls. */
uint64_t tubes_lit(const struct tubes *tubes, unsigned place, unsigned digit);

#endif
