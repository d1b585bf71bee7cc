/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The start of the WINC1500, from its power to a firmware that runs, in steps. */
#ifndef WBOOT_H
#define WBOOT_H

#include <stdbool.h>
#include <stdint.h>

#include "winc.h"

enum wboot_step {
	WBOOT_MORE,		/* went well, call again */
	WBOOT_UP,		/* the firmware runs */
	WBOOT_BUS_ERROR,	/* nothing has changed, call again with one try more */
	WBOOT_FAULT,		/* + enum winc_fault */
};

void wboot_start(enum winc_depth depth);
void wboot_stop(void);		/* EN and RESET_N low */
uint8_t wboot_step(uint8_t tries);	/* tries: bus errors in a row; enum wboot_step */
extern uint16_t wboot_ms;	/* to wait for before the next step */
extern bool wboot_warm;		/* the firmware ran already: only the host was reset */
extern uint16_t wboot_version;	/* of the firmware, as winc_version; 0: not known */

#endif
