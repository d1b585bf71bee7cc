/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock.  A second has SECOND ticks, and what the crystal's error and the
 * slew add; what is not a whole tick is carried to the next second.  The
 * interrupt only adds: values are divided only when they are shown.
 */
#include "clk.h"

#include <stddef.h>

#include "crc16.h"
#include "hal.h"

#define SECOND ((int32_t)TICK_HZ)
#define SLEW_MOST (3 * 65536L)

enum leap { LEAP_DELETE = -1, LEAP_NONE, LEAP_INSERT, LEAP_DONE };

enum {
	SLEW_TICKS = SLEW_PPM / 4,	/* in a second */
	KEPT = 0x4e43,			/* mark of a whole copy */
	BEATS_MOST = 5,			/* seconds without clk_keep: the watchdog bites before */
};

static struct clk {
	uint32_t utc;		/* of the second now shown */
	uint32_t began;		/* the tick it began at */
	int16_t extra;		/* ticks it has more than SECOND */
	uint16_t part;		/* and 1/65536 ticks, carried over */
	int16_t extra_before;	/* of the second before it */
	uint8_t stride;		/* what utc grew by when it began: 1; 0 or 2 by a leap */
	bool known;
	int16_t error;		/* of the crystal, 0.1 ppm */
	int32_t error_ticks;	/* the same in 1/65536 ticks a second */
	int32_t left;		/* ticks still to be slewed */
	uint32_t leap_utc;
	int8_t leap;		/* enum leap */
} clk;

/*
 * Kept over a reset.  The new copy is written beside the old one; then it gets
 * its mark and the old one loses it, so that one is whole at any moment.
 */
static NOINIT struct clk_kept {
	uint32_t utc;
	uint32_t age, bound;
	int16_t rate;
	uint16_t crc;		/* of all before it */
	uint16_t mark;
} clk_kept[2];
static NOINIT uint8_t clk_beats;	/* seconds since the kept utc */

static uint32_t ticks_of(uint32_t frac)
{
	return (frac * 15625 + 2048) >> 12;
}

static uint32_t frac_of(uint32_t ticks)
{
	return (ticks << 12) / 15625;
}

/*
 * The second now shown began at tick began.  Not inline: its argument is
 * worked out before interrupts are off.
 */
static NOINLINE void begin(uint32_t utc, uint32_t began, bool known)
{
	struct clk *c = VIA(clk);
	uint8_t before = hal_lock();

	c->utc = utc;
	c->began = began;
	c->extra = c->extra_before = (int16_t)(c->error_ticks >> 16);
	c->part = (uint16_t)c->error_ticks;
	c->stride = 1;
	c->known = known;
	c->left = 0;
	hal_second_at(began + (uint32_t)(SECOND + c->extra));
	hal_unlock(before);
}

void clk_init(int16_t rate)
{
	clk_rate(rate);
	clk.leap = LEAP_NONE;
	clk.leap_utc = 0;
	begin(0, hal_ticks(), false);
}

bool clk_known(void)
{
	return clk.known;
}

/*
 * Whole seconds in ticks of the crystal, what is left of them in *rest (0 to
 * SECOND - 1).  The error is taken out in two steps that stay within 32 bits.
 */
static int32_t whole_seconds(int32_t ticks, int32_t *rest)
{
	int32_t seconds;

	ticks -= ticks / 2000 * clk.error / 5000;
	seconds = ticks / SECOND;
	*rest = ticks % SECOND;
	if (*rest < 0) {
		*rest += SECOND;
		seconds--;
	}
	return seconds;
}

void clk_set(const struct stamp *stamp, uint32_t tick)
{
	uint32_t began = tick - ticks_of(stamp->frac);
	int32_t seconds, rest;

	began -= (uint32_t)((int32_t)stamp->frac * (clk.error_ticks >> 8) / (1L << 24));
	seconds = whole_seconds((int32_t)(hal_ticks() - began), &rest);
	began += (uint32_t)(seconds * SECOND + seconds * clk.error / 40);
	begin(stamp->utc + (uint32_t)seconds, began, true);
}

void clk_slew(int32_t offset)
{
	bool back = offset < 0;
	uint32_t size = back ? 0 - (uint32_t)offset : (uint32_t)offset;
	int32_t ticks;
	uint8_t before;

	if (size > SLEW_MOST)
		size = SLEW_MOST;
	ticks = (int32_t)ticks_of(size);
	if (back)
		ticks = -ticks;
	before = hal_lock();
	clk.left = ticks;
	hal_unlock(before);
}

int32_t clk_slewing(void)
{
	uint8_t before = hal_lock();
	int32_t left = clk.left, size;

	hal_unlock(before);
	size = (int32_t)frac_of((uint32_t)(left < 0 ? -left : left));
	return left < 0 ? -size : size;
}

void clk_rate(int16_t rate)
{
	int32_t ticks;
	uint8_t before;

	if (rate > RATE_MAX)
		rate = RATE_MAX;
	if (rate < -RATE_MAX)
		rate = -RATE_MAX;
	ticks = (int32_t)rate * 8192 / 5;	/* 0.1 ppm: 0.025 ticks */
	WORKED_OUT(ticks);
	before = hal_lock();
	clk.error = rate;
	clk.error_ticks = ticks;
	hal_unlock(before);
}

int16_t clk_get_rate(void)
{
	return clk.error;
}

void clk_leap(int8_t sign, uint32_t utc)
{
	struct clk *c = VIA(clk);
	uint8_t before = hal_lock();

	if (c->leap != LEAP_DONE || (sign && utc != c->leap_utc)) {
		c->leap = sign > 0 ? LEAP_INSERT : sign < 0 ? LEAP_DELETE : LEAP_NONE;
		c->leap_utc = utc;
	}
	hal_unlock(before);
}

/* The second after the one now shown.  Interrupts are off. */
static uint32_t after(void)
{
	struct clk *c = VIA(clk);
	uint32_t next = c->utc + 1;

	if (c->leap == LEAP_INSERT && next == c->leap_utc)
		next--;
	else if (c->leap == LEAP_DELETE && next + 1 == c->leap_utc)
		next++;
	return next;
}

/* ticks of a second that has extra of them, as ticks of one that has none. */
static int32_t even(int32_t ticks, int16_t extra)
{
	return ticks - ticks * extra / SECOND;
}

void clk_at(uint32_t tick, struct stamp *stamp)
{
	struct clk *c = VIA(clk);
	uint8_t before = hal_lock();
	uint32_t utc = c->utc, next = after();
	int32_t ticks = (int32_t)(tick - c->began), rest;
	int16_t extra = c->extra, extra_before = c->extra_before;
	uint8_t stride = c->stride;

	hal_unlock(before);
	if (ticks >= SECOND + extra) {
		utc = next + (uint32_t)whole_seconds(ticks - SECOND - extra, &rest);
	} else if (ticks >= 0) {
		rest = even(ticks, extra);
	} else {
		ticks += SECOND + extra_before;
		utc -= stride;
		if (ticks >= 0)
			rest = even(ticks, extra_before);
		else
			utc += (uint32_t)whole_seconds(ticks, &rest);
	}
	stamp->utc = utc;
	stamp->frac = (uint16_t)frac_of((uint32_t)rest);
}

int32_t clk_offset(const struct stamp *server, uint32_t tick)
{
	struct stamp own;
	int32_t seconds;

	clk_at(tick, &own);
	seconds = (int32_t)(server->utc - own.utc);
	if (seconds > INT16_MAX)
		return INT32_MAX;
	if (seconds < -INT16_MAX)
		return -INT32_MAX;
	return seconds * 65536 + ((int32_t)server->frac - own.frac);
}

void clk_second(uint32_t tick)
{
	struct clk *c = VIA(clk);
	uint32_t next = after();
	int32_t error = c->error_ticks + c->part;
	int16_t share = c->left > SLEW_TICKS ? SLEW_TICKS :
	    c->left < -SLEW_TICKS ? -SLEW_TICKS : (int16_t)c->left;

	c->stride = (uint8_t)(next - c->utc);
	if (c->stride != 1)
		c->leap = LEAP_DONE;
	clk_beats += c->stride;
	c->utc = next;
	c->began = tick;
	c->extra_before = c->extra;
	c->extra = (int16_t)(error >> 16) - share;
	c->part = (uint16_t)error;
	c->left -= share;
	hal_second_at(tick + (uint32_t)(SECOND + c->extra));
}

uint32_t clk_unix(void)
{
	uint8_t before = hal_lock();
	uint32_t utc = clk.utc;

	hal_unlock(before);
	return utc;
}

uint32_t clk_next(void)
{
	uint8_t before = hal_lock();
	uint32_t utc = after();

	hal_unlock(before);
	return utc;
}

static uint16_t kept_crc(const struct clk_kept *kept)
{
	const uint8_t *byte = (const uint8_t *)kept;
	uint16_t crc = CRC16_START;

	for (uint8_t i = 0; i < offsetof(struct clk_kept, crc); i++)
		crc = crc16_byte(crc, byte[i]);
	return crc;
}

/* The whole copy, or any when none is. */
static struct clk_kept *whole_copy(void)
{
	return &clk_kept[clk_kept[0].mark != KEPT];
}

void clk_keep(uint32_t age, uint32_t bound)
{
	struct clk_kept *old = whole_copy(), *new = old == clk_kept ? old + 1 : clk_kept;
	uint8_t before, beats;

	before = hal_lock();
	new->mark = 0;
	new->utc = clk.utc;
	beats = clk_beats;
	hal_unlock(before);
	new->age = age;
	new->bound = bound;
	new->rate = clk.error;
	new->crc = kept_crc(new);
	before = hal_lock();
	if (clk.known)
		new->mark = KEPT;
	old->mark = 0;
	clk_beats -= beats;
	hal_unlock(before);
}

bool clk_resume(uint32_t *age, uint32_t *bound)
{
	const struct clk_kept *kept = whole_copy();
	uint8_t beats = clk_beats;

	if (kept->mark != KEPT || kept->crc != kept_crc(kept) || beats > BEATS_MOST)
		return false;
	*age = kept->age == UINT32_MAX ? UINT32_MAX : kept->age + beats;
	*bound = kept->bound;
	clk_rate(kept->rate);
	/* On average half of the second was over. */
	begin(kept->utc + beats, hal_ticks() - TICK_HZ / 2, true);
	return true;
}
