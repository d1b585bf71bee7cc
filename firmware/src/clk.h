/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock: UTC in seconds, the tick at which the second began, the crystal's
 * error.  It beats whatever the network does.
 *
 * UTC is uint32_t seconds since 1970, right until 2106-02-07; fractions are of
 * 1/65536 s.  rate is the crystal's error in 0.1 ppm, positive when it is fast:
 * a second then has more than 250000 ticks.
 */
#ifndef CLK_H
#define CLK_H

#include <stdbool.h>
#include <stdint.h>

struct stamp {
	uint32_t utc;
	uint16_t frac;
};

enum { RATE_MAX = 2000, SLEW_PPM = 500 };

void clk_init(int16_t rate);
bool clk_known(void);		/* it was set, or resumed, since clk_init */

/* At tick it was exactly stamp: steps. */
void clk_set(const struct stamp *stamp, uint32_t tick);
/* Moves by offset/65536 s, |offset| <= 3 s, at most SLEW_PPM; replaces what was left of the last one. */
void clk_slew(int32_t offset);
int32_t clk_slewing(void);	/* what is left of it */
void clk_rate(int16_t rate);
int16_t clk_get_rate(void);

/* The second before midnight `utc` (a multiple of 86400) shows twice (+1) or not at all (-1); 0 forgets. */
void clk_leap(int8_t sign, uint32_t utc);

/* The time at tick, for a tick no more than an hour away; what the slew has not done yet is not in it. */
void clk_at(uint32_t tick, struct stamp *stamp);
/* server's time minus ours at tick, in 1/65536 s, held to +-2^31-1 (9 hours). */
int32_t clk_offset(const struct stamp *server, uint32_t tick);

/* From the interrupt: the second that begins at tick has begun.  Asks hal_second_at for the next. */
void clk_second(uint32_t tick);
/* The second now shown, and the one that clk_second will make of it. */
uint32_t clk_unix(void);
uint32_t clk_next(void);

/*
 * Kept in RAM over a reset: UTC, rate, the age of the last sync (s) and the bound of the error (ms);
 * UINT32_MAX is kept for what it stands for.
 * clk_keep once a second from the main loop; while the clock is not known it keeps nothing.
 * clk_resume after clk_init: resumes from the saved time, to about half a second (true); or there
 * was nothing or it was damaged (false).  Ask it only after a reset that leaves RAM alone.
 */
void clk_keep(uint32_t age, uint32_t bound);
bool clk_resume(uint32_t *age, uint32_t *bound);

#endif
