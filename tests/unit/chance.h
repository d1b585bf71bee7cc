/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chance: numbers that look random and are the same in every run.
 */
#ifndef UNIT_CHANCE_H
#define UNIT_CHANCE_H

#include <stdint.h>

static inline uint32_t
below(uint32_t n)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (uint32_t)(x >> 33) % n;
}

#endif
