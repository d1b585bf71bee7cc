/*
 * The clock.  A second has SECOND ticks, and what the crystal's error and the
 * slew add; what is not a whole tick is carried to the next second.  The
 * interrupt only adds: what must be divided is divided when it is told.
 */
#include <stddef.h>

#include "clk.h"
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

static uint32_t clk_utc;	/* of the second now shown */
static uint32_t clk_began;	/* the tick it began at */
static int16_t clk_extra;	/* ticks it has more than SECOND */
static uint16_t clk_part;	/* and 1/65536 ticks, carried over */
static int16_t clk_extra_before;	/* of the second before it */
static uint8_t clk_stride;	/* what clk_utc grew by when it began: 1; 0 or 2 by a leap */
static bool clk_is_known;
static int16_t clk_error;	/* of the crystal, 0.1 ppm */
static int32_t clk_error_ticks;	/* the same in 1/65536 ticks a second */
static int32_t clk_left;	/* ticks still to be slewed */
static uint32_t clk_leap_utc;
static int8_t clk_leap_state;	/* enum leap */

/*
 * Kept over a reset.  The new copy is written beside the old one; then it gets
 * its mark and the old one loses it, so that one is whole at any moment.
 */
static NOINIT struct clk_kept {
	uint32_t utc;
	uint32_t age;
	int16_t rate;
	uint16_t crc;		/* of all before it */
	uint16_t mark;
} clk_kept[2];
static NOINIT uint8_t clk_beats;	/* seconds since the kept utc */

static uint32_t ticks_of(uint32_t frac)
{
	return (frac * 15625 + 2048) >> 12;
}

/* The second now shown began at tick began.  Interrupts are off. */
static void begin(uint32_t utc, uint32_t began)
{
	clk_utc = utc;
	clk_began = began;
	clk_extra = (int16_t)(clk_error_ticks >> 16);
	clk_part = (uint16_t)clk_error_ticks;
	clk_extra_before = clk_extra;
	clk_stride = 1;
	clk_left = 0;
	hal_second_at(began + (uint32_t)(SECOND + clk_extra));
}

void clk_init(int16_t rate)
{
	uint8_t before;

	clk_rate(rate);
	before = hal_lock();
	clk_is_known = false;
	clk_leap_state = LEAP_NONE;
	clk_leap_utc = 0;
	begin(0, hal_ticks());
	hal_unlock(before);
}

bool clk_known(void)
{
	return clk_is_known;
}

/*
 * Whole seconds in ticks of the crystal, what is left of them in *rest (0 to
 * SECOND - 1).  The error is taken out in two steps that stay within 32 bits.
 */
static int32_t whole_seconds(int32_t ticks, int32_t *rest)
{
	int32_t seconds;

	ticks -= ticks / 2000 * clk_error / 5000;
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
	uint8_t before;

	began -= (uint32_t)((int32_t)stamp->frac * (clk_error_ticks >> 8) / (1L << 24));
	seconds = whole_seconds((int32_t)(hal_ticks() - began), &rest);
	began += (uint32_t)(seconds * SECOND + seconds * clk_error / 40);
	before = hal_lock();
	begin(stamp->utc + (uint32_t)seconds, began);
	clk_is_known = true;
	hal_unlock(before);
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
	before = hal_lock();
	clk_left = back ? -ticks : ticks;
	hal_unlock(before);
}

int32_t clk_slewing(void)
{
	uint8_t before = hal_lock();
	int32_t left = clk_left;

	hal_unlock(before);
	if (left < 0)
		return -(int32_t)((uint32_t)-left * 4096 / 15625);
	return (int32_t)((uint32_t)left * 4096 / 15625);
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
	before = hal_lock();
	clk_error = rate;
	clk_error_ticks = ticks;
	hal_unlock(before);
}

int16_t clk_get_rate(void)
{
	return clk_error;
}

void clk_leap(int8_t sign, uint32_t utc)
{
	uint8_t before = hal_lock();

	if (clk_leap_state != LEAP_DONE || (sign && utc != clk_leap_utc)) {
		clk_leap_state = sign > 0 ? LEAP_INSERT : sign < 0 ? LEAP_DELETE : LEAP_NONE;
		clk_leap_utc = utc;
	}
	hal_unlock(before);
}

/* The second after the one now shown.  Interrupts are off. */
static uint32_t after(void)
{
	if (clk_leap_state == LEAP_INSERT && clk_utc + 1 == clk_leap_utc)
		return clk_utc;
	if (clk_leap_state == LEAP_DELETE && clk_utc + 2 == clk_leap_utc)
		return clk_utc + 2;
	return clk_utc + 1;
}

/* ticks of a second that has extra of them, as ticks of one that has none. */
static int32_t even(int32_t ticks, int16_t extra)
{
	return ticks - ticks * extra / SECOND;
}

void clk_at(uint32_t tick, struct stamp *stamp)
{
	uint8_t before = hal_lock();
	uint32_t utc = clk_utc, next = after();
	int32_t ticks = (int32_t)(tick - clk_began), rest;
	int16_t extra = clk_extra, extra_before = clk_extra_before;
	uint8_t stride = clk_stride;

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
	stamp->frac = (uint16_t)(((uint32_t)rest << 12) / 15625);
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
	uint32_t next = after();
	int32_t error = clk_error_ticks + clk_part;
	int16_t share = clk_left > SLEW_TICKS ? SLEW_TICKS :
	    clk_left < -SLEW_TICKS ? -SLEW_TICKS : (int16_t)clk_left;

	clk_stride = (uint8_t)(next - clk_utc);
	if (clk_stride != 1)
		clk_leap_state = LEAP_DONE;
	clk_beats += clk_stride;
	clk_utc = next;
	clk_began = tick;
	clk_extra_before = clk_extra;
	clk_extra = (int16_t)(error >> 16) - share;
	clk_part = (uint16_t)error;
	clk_left -= share;
	hal_second_at(tick + (uint32_t)(SECOND + clk_extra));
}

uint32_t clk_unix(void)
{
	uint8_t before = hal_lock();
	uint32_t utc = clk_utc;

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

void clk_keep(uint32_t age)
{
	struct clk_kept *old = &clk_kept[clk_kept[0].mark != KEPT], *new = &clk_kept[clk_kept[0].mark == KEPT];
	uint8_t before, beats;

	before = hal_lock();
	new->mark = 0;
	new->utc = clk_utc;
	beats = clk_beats;
	hal_unlock(before);
	new->age = age;
	new->rate = clk_error;
	new->crc = kept_crc(new);
	before = hal_lock();
	new->mark = clk_is_known ? KEPT : 0;
	old->mark = 0;
	clk_beats -= beats;
	hal_unlock(before);
}

bool clk_resume(uint32_t *age)
{
	const struct clk_kept *kept = &clk_kept[clk_kept[0].mark != KEPT];
	uint8_t before;

	if (kept->mark != KEPT || kept->crc != kept_crc(kept) || clk_beats > BEATS_MOST)
		return false;
	*age = kept->age > UINT32_MAX - clk_beats ? UINT32_MAX : kept->age + clk_beats;
	clk_rate(kept->rate);
	before = hal_lock();
	/* On average half of the second was over. */
	begin(kept->utc + clk_beats, hal_ticks() - TICK_HZ / 2);
	clk_is_known = true;
	hal_unlock(before);
	return true;
}
