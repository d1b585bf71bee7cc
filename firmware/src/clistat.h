/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of `stat`. */
#ifndef CLISTAT_H
#define CLISTAT_H

#include <stdbool.h>
#include <stdint.h>

/* Prints by out_*; uptime in s.  False: there is no such row. */
bool stat_row(uint8_t row, uint32_t uptime);

#endif
