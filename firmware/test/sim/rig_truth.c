/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every second of every scenario: what the clock is wrong by as that second
 * begins, and what it reports about it.  The variables are read as the firmware
 * lays them out: struct clk begins with utc and began, known is its 16th byte;
 * the fourth word of struct sync is the last reported bound.
 */
#include <math.h>
#include <string.h>

#include "rig.h"
#include "rig_world.h"

enum { CLK_KNOWN = 15, CLK_BYTES = 16, SYNC_BOUND = 12, SYNC_BYTES = 16 };

void rig_second(struct rig *rig, uint64_t cycle, uint32_t tick)
{
	rig->world->second_cycle = cycle;
	rig->world->second_tick = tick;
	rig->world->second_new = true;
}

static uint32_t get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* By the truth; where lies must be believed, by what comes nearest of what the servers say and said. */
static double error_of(const struct rig *rig, uint32_t utc)
{
	double error = (double)(utc - ntpsrv_truth(&rig->server[0], rig->world->second_cycle)), least = error;

	for (unsigned i = 0; i < RIG_SERVERS && rig->lies; i++) {
		const double said[] = { rig->server[i].jump, rig->server[i].told, rig->server[i].told_before };

		for (unsigned k = 0; k < sizeof said / sizeof said[0]; k++)
			if (fabs(error - said[k]) < fabs(least))
				least = error - said[k];
	}
	return least;
}

static void judge(struct rig *rig)
{
	const uint8_t *clk = rig->world->clk, *sync = rig->world->sync;

	if (clk == NULL || sync == NULL) {
		rig->gates.bound = UINT32_MAX;
		return;
	}
	uint32_t bound = get32(sync + SYNC_BOUND);
	/* set since then: that second did not begin as it would have */
	if (clk[CLK_KNOWN] == 0 || get32(clk + 4) != rig->world->second_tick || bound == UINT32_MAX ||
	    rig->world->second_cycle < rig->judge_from)
		return;
	/* A busy host holds up the answers of a real server in a way that no clock can know. */
	double error = error_of(rig, get32(clk)), beyond = fabs(error) - rig->world->late;
	double share = bound == 0 ? 1e9 : beyond > 0 ? beyond * 1e6 / bound : 0;
	rig->judged++;
	if (share <= rig->gates.bound)
		return;
	rig->gates.bound = share < 4e9 ? (uint32_t)ceil(share) : UINT32_MAX - 1;
	rig->worst.cycle = rig->world->second_cycle;
	rig->worst.error = error;
	rig->worst.bound_ms = bound;
}

void rig_pass(struct rig *rig)
{
	if (!rig->world->second_new)
		return;
	rig->world->second_new = false;
	if (rig->world->clk == NULL) {
		rig->world->clk = rig->cpu->at(rig, "clk", CLK_BYTES);
		rig->world->sync = rig->cpu->at(rig, "sync_now", SYNC_BYTES);
	}
	judge(rig);
}
