/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The common part of the scenarios of time servers. */
#ifndef SCEN_NTP_H
#define SCEN_NTP_H

#include "scen_wifi.h"

#define NOT_SYNCHRONISED "----22"
#define REFUSED "----23"
#define REJECTED "----24"

/* For the last that many seconds each second was shown, within 50 ms of server 0. */
void ntp_steady(struct rig *rig, double seconds);
/* Runs until server 0 or 1 is asked again, and a second for the answer; false: not within that many seconds. */
bool ntp_wait_asked(struct rig *rig, double seconds);
/* Our UDP port, 0: none bound yet. */
uint16_t ntp_port(struct rig *rig);
/* The clock's time minus server 0's, s, by the last time that came up on the tubes; TZ is UTC0.  1e9: none did. */
double ntp_error(struct rig *rig);

#endif
