/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The common part of the scenarios of the console and of the configuration; in scen_conf.c. */
#ifndef SCEN_CONSOLE_H
#define SCEN_CONSOLE_H

#include "scen_wifi.h"

enum { SLOT = 256, EEPROM = 1024 };

uint8_t *eeprom(struct rig *rig);
/* Types line and Enter; text is in what is said up to the next prompt. */
bool says(struct rig *rig, const char *line, const char *text);
/* Power on, a second long, without any configuration. */
void start_empty(struct rig *rig);

#endif
