/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sync.c with the real clk.c, in a closed loop: a crystal of some ppm, servers
 * with offsets, ways with delays, all in long double.  For the tests of sync.c
 * only: it is their board.
 */
#ifndef SYNC_LOOP_H
#define SYNC_LOOP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "board.h"
#include "conf.h"
#include "hal.h"
#include "sync.h"

static long double now;			/* true seconds since start */
static long double crystal;		/* ppm */
static long double ticks_past;		/* ticks up to `since`, where the crystal changed */
static long double since;
static uint32_t beat;
static bool beat_set;
static long double base;		/* UTC at now = 0 */
static int16_t kept_rate;
static unsigned keeps;
static uint32_t shown;			/* clk_unix at the last second */
static unsigned backward, skipped;

static inline uint32_t ticks_at(long double t)
{
	return (uint32_t)(uint64_t)(ticks_past + (t - since) * TICK_HZ * (1 + crystal / 1e6L));
}

uint32_t hal_ticks(void)
{
	return ticks_at(now);
}

void hal_second_at(uint32_t tick)
{
	beat = tick;
	beat_set = true;
}

uint8_t hal_lock(void)
{
	return 0;
}

void hal_unlock(uint8_t before)
{
	(void)before;
}

void conf_keep_rate(int16_t rate)
{
	kept_rate = rate;
	keeps++;
}

static inline void second(void)
{
	beat_set = false;
	clk_second(beat);
	sync_second();
	if (clk_unix() < shown)
		backward++;
	if (clk_unix() > shown + 1)
		skipped++;
	shown = clk_unix();
}

static inline void run_to(long double t)
{
	while (now < t) {
		long double wait = beat_set ? (long double)(int32_t)(beat - ticks_at(now)) / TICK_HZ : t - now;

		if (now + wait > t) {
			now = t;
			break;
		}
		/* a little late, as an interrupt is */
		now += (wait > 0 ? wait : 0) / (1 + crystal / 1e6L) + 4e-6L;
		second();
	}
}

static inline void run(long double seconds)
{
	run_to(now + seconds);
}

static inline void set_crystal(long double ppm)
{
	ticks_past += (now - since) * TICK_HZ * (1 + crystal / 1e6L);
	since = now;
	crystal = ppm;
}

static inline void start(long double utc, long double ppm)
{
	now = since = 0;
	ticks_past = 4294000000.0L;	/* soon to wrap */
	crystal = ppm;
	base = utc;
	beat_set = false;
	keeps = 0;
	clk_init(0);
	sync_init(false, UINT32_MAX, UINT32_MAX);
	run(3);
	backward = skipped = 0;
}

static inline long double error_now(void)
{
	struct stamp ours;

	clk_at(hal_ticks(), &ours);
	return (long double)ours.utc + ours.frac / 65536.0L - (base + now);
}

static inline bool error_within(long double limit)
{
	return error_now() <= limit && error_now() >= -limit;
}

struct ask {
	long double out, back;		/* seconds */
	long double offset;		/* the server's */
	uint8_t leap, server;
	long double distance;		/* 0: 10 ms */
};

/* One question and its answer; false: refused by its delay. */
static inline bool hear(const struct ask *a)
{
	struct ntp_limits limits;
	struct ntp_reply reply = { .leap = a->leap, .distance = a->distance > 0 ? (uint32_t)(a->distance * 65536) : 655 };
	long double at;

	sync_limits(&limits);
	at = base + now + a->out + a->offset + (a->out + a->back) / 2;
	reply.delay = (int32_t)((a->out + a->back) * 65536);
	run(a->out + a->back);
	if (reply.delay > limits.delay)
		return false;
	reply.time.utc = (uint32_t)(uint64_t)at;
	reply.time.frac = (uint16_t)((at - (long double)(uint64_t)at) * 65536);
	sync_hear(&reply, hal_ticks(), a->server);
	return true;
}

/* A round of one question; -1: its answer was refused. */
static inline int ask(const struct ask *a)
{
	sync_begin();
	return hear(a) ? (int)sync_decide() : -1;
}

static inline int ask_simple(long double offset)
{
	return ask(&(struct ask){ .out = 0.005L, .back = 0.005L, .offset = offset });
}

static inline int ask_server(uint8_t server, long double offset)
{
	return ask(&(struct ask){ .out = 0.005L, .back = 0.005L, .offset = offset, .server = server });
}

/* A round of so many servers, a second between two questions. */
static inline int ask_all(unsigned count, const long double *offset)
{
	sync_begin();
	for (unsigned i = 0; i < count; i++) {
		assert_true(hear(&(struct ask){ .out = 0.005L, .back = 0.005L, .offset = offset[i], .server = (uint8_t)i }));
		run(1);
	}
	return (int)sync_decide();
}

static inline uint32_t told(void)
{
	struct sync_info info;

	sync_get(&info);
	return info.bound;
}

#define UTC 1795178096.25L

static inline void settle(long double ppm)
{
	start(UTC, ppm);
	assert_int_equal(ask_simple(0), SYNC_SET);
	for (int i = 0; i < 6; i++) {
		run(sync_next());
		assert_int_equal(ask_simple(0), SYNC_SLEW);
	}
	run(600);
	backward = skipped = 0;
}

#endif
