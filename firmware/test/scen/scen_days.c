/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of the crystal: days on end with an error and with a changing one. */
#include <math.h>
#include <stdint.h>

#include "scen.h"

#define DAY 86400.0
#define HOUR 3600.0

static void start(struct rig *rig, double ppm)
{
	rig_config(rig, "");
	for (unsigned i = 0; i < 2; i++)
		rig->server[i].ppm = ppm;
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 30));
}

/* That many seconds: every second shown once, in order, its error at most that. */
static void within(struct rig *rig, double seconds, double ms)
{
	uint64_t from = rig->cycle;

	rig_run(rig, seconds);
	CHECK(rig, rig_error_ms(rig, from, rig->cycle) <= ms);
}

/* Until server 0 was asked n times in all. */
static void asked(struct rig *rig, uint32_t n, double ms)
{
	for (unsigned i = 0; i < 100 && rig->server[0].requests < n; i++)
		within(rig, 60, ms);
	CHECK(rig, rig->server[0].requests >= n);
	within(rig, 10, ms);
}

/* Power-on by rig_config's rate 0: the crystal's error is learned. */
static void day(struct rig *rig, double ppm, double at_first)
{
	start(rig, ppm);
	asked(rig, 3, at_first);	/* it drifts for 512 s */
	rig_run(rig, 300);		/* the slew of the last correction */
	for (unsigned hour = 0; hour < 24; hour++)
		within(rig, HOUR, 20);
	CHECK(rig, rig->server[0].requests <= 30);
	CHECK(rig, rig_gate_error(rig, 600) <= 20);
}

static void day_fast(struct rig *rig)
{
	day(rig, 40, 50);
}

static void day_slow(struct rig *rig)
{
	day(rig, -100, 75);
}

static void minutes_fast(struct rig *rig)
{
	start(rig, 40);
	asked(rig, 3, 50);
	rig_run(rig, 300);
	within(rig, 600, 20);
}

/* Warm by day and cold by night: 20 ppm up and down.  The server's clock runs evenly through each change. */
static void temperature(struct rig *rig)
{
	start(rig, 0);
	asked(rig, 3, 50);
	for (unsigned i = 0; i < 2 * 96; i++) {
		uint32_t frac, utc = rig_utc(rig, rig->cycle, &frac);
		double part = frac / 4294967296.0, moved;
		uint32_t then;

		rig->server[0].ppm = 20 * sin(i * 2 * M_PI / 96);
		then = rig_utc(rig, rig->cycle, &frac);
		moved = (double)(int32_t)(then - utc) + frac / 4294967296.0 - part;
		rig->server[0].phase -= moved;
		within(rig, 900, 50);
	}
}

/* Thirty days with three of ten replies lost. */
static void month(struct rig *rig)
{
	start(rig, 25);
	asked(rig, 3, 50);
	rig->beat_ms = RIG_QUIET_MS;
	rig->server[0].loss = 30;
	for (unsigned i = 0; i < 30; i++) {
		uint32_t before = rig->server[0].requests;

		within(rig, DAY, 50);
		CHECK(rig, rig->server[0].requests - before <= 60);
	}
}

const struct scenario scen_days[] = {
	{ "crystal-fast", "20 minutes at +40 ppm", "20 ms after the third reply", minutes_fast, 0 },
	{ "day-fast", "24 h, crystal +40 ppm", "20 ms, each second once, 30 requests at most", day_fast, SCEN_PC },
	{ "day-slow", "24 h, crystal -100 ppm", "20 ms, each second once, 30 requests at most", day_slow, SCEN_PC },
	{ "temperature", "two days of +-20 ppm", "within 50 ms, each second once", temperature, SCEN_PC | SCEN_LONG },
	{ "month", "30 days, 30 % of the replies lost",
	    "within 50 ms, 60 requests a day at most", month, SCEN_PC | SCEN_LONG },
	{ 0 },
};
