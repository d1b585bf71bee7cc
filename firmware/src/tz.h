/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* POSIX TZ strings (XBD 8.3, with hours of -167 to 167 in rules): parse once, ask for any second. */
#ifndef TZ_H
#define TZ_H

#include <stdbool.h>
#include <stdint.h>

struct tz_rule {
	int32_t time;		/* seconds of the wall clock in force before the change */
	uint16_t day;		/* kinds J and n */
	uint8_t kind;		/* 'M', 'J' or 'n' */
	uint8_t month, week, weekday;	/* kind M */
};

struct tz {
	int32_t offset[2];	/* seconds east of Greenwich: standard, daylight */
	struct tz_rule to_dst, to_std;
	bool has_dst;
};

/* false: not a TZ string; *tz is UTC then. */
bool tz_parse(const char *text, struct tz *tz);

/*
 * Seconds east of Greenwich at utc; *next is the first second after utc
 * from which it must be asked again (UINT32_MAX: never).
 */
int32_t tz_offset(const struct tz *tz, uint32_t utc, uint32_t *next);

#endif
