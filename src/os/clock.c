/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clock: monotonic time for measurements, and nanoseconds.
 */
#include "config.h"

#include <time.h>

#include "icecore/os.h"
#include "icecore/work.h"

uint64_t
os_ns(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

uint64_t
os_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return os_ns(&t);
}
