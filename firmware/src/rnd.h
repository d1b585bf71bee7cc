/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers for nonces, ports and pauses: xorshift, fed with the module's random bytes and timer bits. */
#ifndef RND_H
#define RND_H

#include <stdint.h>

void rnd_mix(uint32_t noise);
uint32_t rnd_next(void);
uint32_t rnd_below(uint32_t limit);	/* 0 to limit - 1; limit > 0 */

#endif
