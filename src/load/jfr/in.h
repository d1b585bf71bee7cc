/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * in: numbers of a recording. Compressed numbers have 7 bits per byte, low bits first, and 8 bits in a ninth byte.
 *
 * Nothing is read after the end: a truncated value is 0, and bad is set.
 */
#ifndef LOAD_JFR_IN_H
#define LOAD_JFR_IN_H

#include <stdbool.h>
#include <stddef.h>

#include "icecore/bytes.h"

struct jfr_in {
	const uint8_t	*at, *end;
	bool		 bad;
};

#define JFR_NINTH 56	/* bits before the ninth byte */

static inline uint64_t
jfr_cut(struct jfr_in *in)
{
	in->bad = true;
	in->at = in->end;
	return 0;
}

static inline uint64_t
jfr_left(const struct jfr_in *in)
{
	return (uint64_t)(in->end - in->at);
}

static inline uint64_t
jfr_u64(struct jfr_in *in)
{
	const uint8_t *p = in->at;
	uint64_t v = 0;

	for (unsigned shift = 0; shift < JFR_NINTH; shift += 7) {
		if (p == in->end)
			return jfr_cut(in);
		v |= (uint64_t)(*p & 127) << shift;
		if (*p++ < 128) {
			in->at = p;
			return v;
		}
	}
	if (p == in->end)
		return jfr_cut(in);
	in->at = p + 1;
	return v | (uint64_t)*p << JFR_NINTH;
}

/* Skip n compressed numbers, one at a time. */
static inline void
jfr_skip_few(struct jfr_in *in, uint64_t n)
{
	const uint8_t *p = in->at;

	for (; n > 0 && !in->bad; n--) {
		const uint8_t *ninth = in->end - p > 9 ? p + 8 : NULL;

		if (ninth == NULL) {
			in->at = p;
			jfr_u64(in);
			p = in->at;
			continue;
		}
		while (*p > 127 && p < ninth)
			p++;
		p++;
	}
	in->at = p;
}

/*
 * Like jfr_skip_few, eight bytes at a time: each byte with a clear upper bit ends a number. The ninth byte of a
 * number is always its last, even with the upper bit set. So numbers with eight bytes before them are left to
 * jfr_skip_few.
 */
static inline void
jfr_skip(struct jfr_in *in, uint64_t n)
{
	unsigned before = 0;		/* bytes of an unfinished number */
	const uint8_t *p = in->at;
	uint64_t ends;

	while (n > 8 && in->end - p >= 8) {
		ends = ~le64(p) & UINT64_C(0x8080808080808080);
		if (ends == 0 || before + (unsigned)__builtin_ctzll(ends) / 8 >= 8)
			break;
		n -= (unsigned)((ends >> 7) * UINT64_C(0x0101010101010101) >> 56);	/* bits of ends, each the highest of a byte */
		before = (unsigned)__builtin_clzll(ends) / 8;
		p += 8;
	}
	in->at = p - before;
	jfr_skip_few(in, n);
}

static inline const uint8_t *
jfr_bytes(struct jfr_in *in, uint64_t n)
{
	const uint8_t *p = in->at;

	if (n > jfr_left(in)) {
		jfr_cut(in);
		return in->end;
	}
	in->at += n;
	return p;
}

static inline unsigned
jfr_u8(struct jfr_in *in)
{
	return in->at < in->end ? *in->at++ : (unsigned)jfr_cut(in);
}

/* Read a count of elements.  Each element takes at least one byte, which limits the count. */
static inline uint64_t
jfr_count(struct jfr_in *in)
{
	uint64_t n = jfr_u64(in);

	return n > jfr_left(in) ? jfr_cut(in) : n;
}

#endif
