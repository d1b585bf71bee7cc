/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* A real time server: chronyd on a port of its own, the rig paced to real time, the tubes against the host's clock. */
#include <math.h>
#include <stdio.h>

#include "chrony.h"
#include "scen.h"

/* chronyd serves the host's clock: what server 0's model is to say from here on. */
static void follow_host(struct rig *rig)
{
	rig_pace(rig, 1);
	rig_run(rig, 0.01);
	double epoch = rig_epoch(rig);
	rig->server[0].utc = (uint32_t)epoch;
	rig->server[0].phase = epoch - floor(epoch);
	rig->server[0].ppm = 0;
}

static void start(struct rig *rig, struct chrony *chrony, bool local)
{
	if (!chrony_path())
		scen_skip(rig, "chronyd");
	CHECK(rig, chrony_start(chrony, local));
}

/* Another program may hold up a request by the time slice of a busy host: ask again then, twice. */
static double error_to_host(struct rig *rig)
{
	double error = 1e9;

	for (unsigned tries = 0; tries < 3; tries++) {
		rig_run(rig, 12);
		error = rig_error_ms(rig, rig->cycle - (uint64_t)(10 * SIM_HZ), rig->cycle);
		if (error <= 50)
			break;
		rig_command(rig, "sync");
		rig_run(rig, 4);
	}
	printf("tubes to the host's clock: %.2f ms\n", error);
	return error;
}

static void chronyd(struct rig *rig)
{
	struct chrony chrony = { 0 };

	start(rig, &chrony, true);
	rig_config(rig, "");
	CHECK(rig, rig_real(rig, 0, chrony.port, 0));
	follow_host(rig);
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 30));
	double error = error_to_host(rig);
	chrony_stop(&chrony);
	CHECK(rig, error <= 50);
	CHECK(rig, rig->server[0].requests == 0);	/* the scripted one was not asked */
}

static void chronyd_two(struct rig *rig)
{
	struct chrony bad = { 0 }, good = { 0 };

	start(rig, &bad, false);
	start(rig, &good, true);
	rig_config(rig, "server=\"ntp.example ntp2.example\"");
	CHECK(rig, rig_real(rig, 0, bad.port, 0) && rig_real(rig, 1, good.port, 0));
	follow_host(rig);
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 60));
	double error = error_to_host(rig);
	chrony_stop(&bad);
	chrony_stop(&good);
	CHECK(rig, error <= 50);
}

static void chronyd_unsynchronised(struct rig *rig)
{
	struct chrony chrony = { 0 };

	start(rig, &chrony, false);
	rig_config(rig, "");
	CHECK(rig, rig_real(rig, 0, chrony.port, 0));
	follow_host(rig);
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, "----22", 30));
	chrony_stop(&chrony);
}

const struct scenario scen_chrony[] = {
	{ "chronyd", "a real chronyd, real time", "tubes = host clock +- 50 ms", chronyd, SCEN_AVR | SCEN_REAL },
	{ "chronyd-two", "the first of two chronyd is not synchronised",
	    "the second's time +- 50 ms", chronyd_two, SCEN_AVR | SCEN_REAL },
	{ "chronyd-unsynchronised", "chronyd without a source",
	    "code 22, no time", chronyd_unsynchronised, SCEN_AVR | SCEN_REAL },
	{ 0 },
};
