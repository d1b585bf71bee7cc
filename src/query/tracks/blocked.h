/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blocked: why a task slept, from the kernel's events.
 */
#ifndef QUERY_BLOCKED_H
#define QUERY_BLOCKED_H

#include "query/trace/trace.h"

enum { BLOCKED_IN, BLOCKED_IO };

/* Whether a thread that left its CPU at that time is known to have waited for I/O. */
bool	blocked_for_io(const struct store *, uint32_t thread, uint64_t time);
/*
 * The kernel function in which a thread slept that left its CPU at that time, or whether it waited for I/O;
 * empty: unknown.
 */
void	blocked_cell(const struct store *, uint32_t thread, uint64_t time, unsigned what, struct cell *);

#endif
