/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packed: numbers of 7 bits a byte, and the lists of objects that are made of them.  Belongs to layer load.
 *
 * A list begins with the difference of its first number from the object's own; the others follow as
 * differences from the one before.  Differences are zigzag numbers of 7 bits a byte.  The length of each list
 * is in one byte, HEAP_LONG_LIST if the list itself begins with a head: its length << LIST_LENGTH, with the
 * strength of its first reference.  LIST_CHAINED: another one precedes it, which only --refs all follows
 * (java.lang.ref.Reference.discovered).  LIST_MANY in place of a strength: the number of first references that
 * are not strong << LIST_LENGTH, with their strength, follows.
 */
#ifndef ICECORE_PACKED_H
#define ICECORE_PACKED_H

#include <stdint.h>

#define HEAP_BLOCK 64u			/* lists from one place that is known to the next */
#define HEAP_LONG_LIST 255u
#define LIST_CHAINED 8u
#define LIST_MANY 7u
#define LIST_LENGTH 4u			/* bits below its length */
#define STEP_MAX 10u			/* bytes put_step needs at most */

/* The number at *at, which moves behind it; 0 at the end. */
static inline uint64_t
packed_number(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *p = *at;
	uint64_t v;

	if (p >= end)
		return 0;
	v = *p++;
	if (v > 127) {
		v &= 127;
		for (unsigned shift = 7; p < end && shift < 63; shift += 7) {
			v |= (uint64_t)(*p & 127) << shift;
			if (*p++ < 128)
				break;
		}
	}
	*at = p;
	return v;
}

/* Write a number, low bits first; return the position after it. */
static inline uint8_t *
put_number(uint8_t *p, uint64_t v)
{
	for (; v > 127; v >>= 7)
		*p++ = (uint8_t)(v | 128);
	*p++ = (uint8_t)v;
	return p;
}

/* The difference of two object numbers. */
static inline uint8_t *
put_step(uint8_t *p, uint32_t from, uint32_t to)
{
	int64_t d = (int64_t)to - (int64_t)from;

	return put_number(p, (uint64_t)d << 1 ^ (uint64_t)(d >> 63));
}

#endif
