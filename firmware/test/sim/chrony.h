/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A real chronyd on a loopback port: it serves the host's clock, never sets
 * it, and needs no privileges.
 */
#ifndef CHRONY_H
#define CHRONY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct chrony {
	pid_t pid;
	uint16_t port;
};

/* Where chronyd is; NULL: not installed. */
const char *chrony_path(void);
/* Starts it and waits until it answers (3 s at most).  local: it is synchronised, to itself. */
bool chrony_start(struct chrony *chrony, bool local);
/* May be called twice; also without a start when all is zero. */
void chrony_stop(struct chrony *chrony);

#endif
