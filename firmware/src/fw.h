/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The firmware without its endless loop: main.c on the board, test/sim/rig_pc.c on a PC. */
#ifndef FW_H
#define FW_H

#include <stdbool.h>

void fw_start(void);
/* One pass of the main loop, at most 20 ms; kicks the watchdog if the second and all parts made progress. */
void fw_pass(void);

#endif
