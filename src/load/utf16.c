/*
 * Decoding UTF-16 text into UTF-8.
 */
#include "config.h"

#include <assert.h>

#include "decode.h"

#define TICK 65536u		/* units between two looks at the clock */

static uint32_t
unit_at(const struct decode *d, uint64_t at)
{
	const uint8_t *p = d->in->data + at;

	return d->kind == DECODE_UTF16_LE ? p[0] | (uint32_t)p[1] << 8 : p[1] | (uint32_t)p[0] << 8;
}

static size_t
utf8_make(uint32_t c, uint8_t *to)
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, i;
	static const uint8_t first[5] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (i = n - 1; i > 0; i--) {
		to[i] = (uint8_t)(0x80 | (c & 0x3f));
		c >>= 6;
	}
	to[0] = (uint8_t)(first[n] | c);
	return n;
}

/* One character from at on; half a pair, or half a unit, is U+FFFD. */
static uint64_t
character(struct decode *d, uint64_t at, uint32_t *c)
{
	uint64_t left = d->in->size - at;
	uint32_t low;

	*c = 0xfffd;
	if (left < 2) {
		d->done->replaced++;
		return left;
	}
	*c = unit_at(d, at);
	if (*c < 0xd800 || *c > 0xdfff)
		return 2;
	low = left >= 4 ? unit_at(d, at + 2) : 0;
	if (*c < 0xdc00 && low >= 0xdc00 && low <= 0xdfff) {
		*c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
		return 4;
	}
	*c = 0xfffd;
	d->done->replaced++;
	return 2;
}

bool
decode_utf16(struct decode *d, struct err *err)
{
	uint64_t at = d->in->size >= 2 && unit_at(d, 0) == 0xfeff ? 2 : 0, next = at;
	uint32_t c;

	while (at < d->in->size) {
		if (at >= next) {
			next = at + 2 * TICK;
			if (!work_tick(d->work, at))
				return fail_cancel(err);
		}
		if (d->n + 4 > DECODE_CHUNK && !decode_flush(d, err))
			return false;
		at += character(d, at, &c);
		assert(at <= d->in->size && c <= 0x10ffff);
		d->n += utf8_make(c, d->out + d->n);
	}
	return true;
}
