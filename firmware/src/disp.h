/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drives the tubes: the time, an error code, the exercise of the cathodes, the walk
 * of the self-test, the roll of the hour, the date, and dimming hours.  The picture of
 * the next second is made before that second begins.  The interrupt that begins the second shows it.
 */
#ifndef DISP_H
#define DISP_H

#include <stdint.h>

void disp_init(void);		/* registers dark; the high voltage comes with the first picture */
void disp_pass(void);		/* each pass of the loop: every 50 ms shows the picture of now again */
void disp_second(void);		/* from the interrupt, after clk_second: shows the next second's picture */
void disp_zone(void);		/* conf.tz changed */
void disp_test(void);		/* all digits, place by place */
void disp_watchdog(void);	/* code 40 for 5 s */

struct hms {
	uint8_t hour, minute, second;
	uint16_t day;			/* since 1970-01-01 */
};
/* The local time of second utc in the zone of conf.tz. */
void disp_local(uint32_t utc, struct hms *time);

#endif
