/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the simulated processor offers beyond rig.h. */
#ifndef RIG_AVR_H
#define RIG_AVR_H

#include "rig.h"

struct avr_t;
/* simavr's own: for tests that read more than the rig shows. */
struct avr_t *rig_avr_core(struct rig *rig);
/* Where a function of the firmware begins, as simavr's pc has it; 0: there is none. */
uint32_t rig_avr_function(struct rig *rig, const char *name);

#endif
