/*
 * hash: the checksum of the index, at the speed of memory.
 *
 * Four lanes of eight bytes each, so that the multiplications of one step do not
 * wait for each other.  Every step is a bijection of its lane: no change of a
 * single word is ever lost.  Against accidents, not against forgers.
 */
#include "config.h"

#include <string.h>

#include "inside.h"

#define LANES 4
#define MULTIPLIER 0x9e3779b97f4a7c15u

static uint64_t
rotate(uint64_t v, unsigned n)
{
	return v << n | v >> (64 - n);
}

static uint64_t
step(uint64_t lane, uint64_t word)
{
	return rotate((lane ^ word) * MULTIPLIER, 29);
}

static uint64_t
load(const unsigned char *s, size_t n)
{
	uint64_t word = 0;

	memcpy(&word, s, n);
	return word;
}

uint64_t
hash_bytes(const void *data, uint64_t size, uint64_t seed)
{
	const unsigned char *s = data;
	uint64_t a = seed ^ 1, b = seed ^ 2, c = seed ^ 3, d = seed ^ 4;
	uint64_t n = size, h;

	for (; n >= 8 * LANES; n -= 8 * LANES, s += 8 * LANES) {
		a = step(a, load(s, 8));
		b = step(b, load(s + 8, 8));
		c = step(c, load(s + 16, 8));
		d = step(d, load(s + 24, 8));
	}
	for (; n >= 8; n -= 8, s += 8)
		a = step(a, load(s, 8));
	if (n > 0)
		b = step(b, load(s, (size_t)n));
	h = step(step(step(step(size, a), b), c), d);
	h = (h ^ h >> 32) * MULTIPLIER;
	return h ^ h >> 29;
}
