/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The console on the serial port. */
#ifndef CLI_H
#define CLI_H

#include <stdint.h>

void cli_init(void);		/* says who it is */
void cli_pass(void);		/* takes what came, prints what has room; never waits */

#endif
