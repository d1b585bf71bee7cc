/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing packed lists of objects.
 */
#ifndef PASS_HEAP_LISTS_H
#define PASS_HEAP_LISTS_H

#include "heap.h"

#define LIST_CHAINED 8u		/* in the head of a list, next to the strength */
#define LIST_HEAD 4u		/* bits below its length */

/* The difference of two object numbers. */
static inline uint8_t *
put_step(uint8_t *p, uint32_t from, uint32_t to)
{
	int64_t d = (int64_t)to - (int64_t)from;

	return put_number(p, (uint64_t)d << 1 ^ (uint64_t)(d >> 63));
}

#define STEP_MAX 10u		/* bytes put_step needs at most */

#endif
