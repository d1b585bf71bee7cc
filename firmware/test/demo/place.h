/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Where and when the demo's clock is: zones and times as people write them. */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>
#include <stdint.h>

enum { PLACE_ZONE = 48 };	/* bytes of a TZ string with its NUL: as much as the firmware keeps */

/* A POSIX TZ string, or a zone of this host ("Europe/Berlin", in the directory TZDIR if it is set) as one; false: neither. */
bool place_zone(const char *text, char zone[PLACE_ZONE]);
/* The host's own; UTC0 where it has none. */
void place_host_zone(char zone[PLACE_ZONE]);
/* UTC: "2026-11-01 05:50", maybe with a T for the space and with seconds; or seconds since 1970.  false: neither. */
bool place_time(const char *text, uint32_t *utc);

#endif
