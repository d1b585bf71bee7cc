/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* For scenarios of what the tubes show: to a time of the server, and what is to be read then. */
#ifndef SCEN_FACE_H
#define SCEN_FACE_H

#include "scen.h"

enum {
	DAY = 86400,
	MIDNIGHT = 1795132800,		/* 2026-11-20 00:00:00 UTC */
};

/* Runs until the server's clock says utc and some ms. */
void face_until(struct rig *rig, uint32_t utc, unsigned ms);
/* Power on 30 s before utc; then it is 9 s before it. */
void face_start_dark(struct rig *rig, uint32_t utc);
/* The same, and the time is on the tubes 5 s before utc. */
void face_start(struct rig *rig, uint32_t utc);
void face_at(struct rig *rig, uint32_t utc, unsigned ms, const char *text);
bool face_near(double value, double wanted, double error);
/* Each of the last seconds began 1 s after the one before, to the ms. */
void face_even(struct rig *rig, unsigned seconds);

#endif
