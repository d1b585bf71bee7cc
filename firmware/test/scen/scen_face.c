/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs to a time, and looks at what the tubes show then. */
#include "scen_face.h"

void face_until(struct rig *rig, uint32_t utc, unsigned ms)
{
	uint32_t frac, now = rig_utc(rig, rig->cycle, &frac);

	CHECK(rig, now < utc || (now == utc && frac < ms * 4294967.296));
	rig_run(rig, (double)(utc - now) + ms / 1e3 - frac / 4294967296.0);
}

void face_start_dark(struct rig *rig, uint32_t utc)
{
	rig_power(rig, false);
	rig_set_utc(rig, utc - 30);
	rig_power(rig, true);
	face_until(rig, utc - 9, 0);
}

void face_start(struct rig *rig, uint32_t utc)
{
	face_start_dark(rig, utc);
	CHECK(rig, rig_wait_time(rig, 4));
	face_until(rig, utc - 5, 0);
}

void face_at(struct rig *rig, uint32_t utc, unsigned ms, const char *text)
{
	face_until(rig, utc, ms);
	CHECK_TUBES(rig, text);
}

bool face_near(double value, double wanted, double error)
{
	return value > wanted - error && value < wanted + error;
}

void face_even(struct rig *rig, unsigned seconds)
{
	const struct tubes *tubes = &rig->tubes;

	CHECK(rig, tubes->changes > seconds);
	for (uint32_t i = tubes->changes - seconds; i < tubes->changes; i++) {
		double gap = (double)(tubes->change[i].cycle - tubes->change[i - 1].cycle) / SIM_HZ;

		CHECK(rig, face_near(gap, 1, 0.001));
	}
}
