/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Marsaglia's xorshift of 32 bits. */
#include "rnd.h"

#include "hal.h"

static uint32_t rnd_state = 1;

void rnd_mix(uint32_t noise)
{
	rnd_state = (rnd_state ^ noise) | 1;	/* never 0: it would stay so */
	rnd_next();
}

NOINLINE uint32_t rnd_next(void)
{
	uint32_t *state = VIA(rnd_state);
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return x;
}

NOINLINE uint32_t rnd_below(uint32_t limit)
{
	return rnd_next() % limit;
}
