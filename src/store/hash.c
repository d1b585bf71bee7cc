/*
 * hash: the checksum of the index, at the speed of memory.
 *
 * Four lanes of eight bytes each, so that the multiplications of one step do not
 * wait for each other.  Every step is a bijection of its lane: no change of a
 * single word is ever lost.  Against accidents, not against forgers.
 */
#include "config.h"

#include <string.h>
#include <sys/mman.h>

#include "inside.h"

#define LANES 4
#define SLICE (1u << 20)	/* leaves resident memory at once; a multiple of what one step takes */
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

struct lanes {
	uint64_t a, b, c, d;
};

/* All of s but the last bytes that are less than one step. */
static void
add_steps(struct lanes *l, const unsigned char *s, uint64_t n)
{
	uint64_t a = l->a, b = l->b, c = l->c, d = l->d;

	for (; n >= 8 * LANES; n -= 8 * LANES, s += 8 * LANES) {
		a = step(a, load(s, 8));
		b = step(b, load(s + 8, 8));
		c = step(c, load(s + 16, 8));
		d = step(d, load(s + 24, 8));
	}
	*l = (struct lanes){ a, b, c, d };
}

/* The last n bytes, less than one step, of size in all. */
static uint64_t
finish(struct lanes *l, const unsigned char *s, size_t n, uint64_t size)
{
	uint64_t h;

	for (; n >= 8; n -= 8, s += 8)
		l->a = step(l->a, load(s, 8));
	if (n > 0)
		l->b = step(l->b, load(s, n));
	h = step(step(step(step(size, l->a), l->b), l->c), l->d);
	h = (h ^ h >> 32) * MULTIPLIER;
	return h ^ h >> 29;
}

/* release: what was read leaves resident memory, slice by slice; of no effect where it does not begin on a page. */
static uint64_t
hash(const void *data, uint64_t size, uint64_t seed, bool release)
{
	struct lanes l = { seed ^ 1, seed ^ 2, seed ^ 3, seed ^ 4 };
	/* An empty column has no data at all. */
	const unsigned char *s = size > 0 ? data : (const void *)"";
	uint64_t left = size, h;
	size_t rest;

	for (; release && left > SLICE; left -= SLICE, s += SLICE) {
		add_steps(&l, s, SLICE);
		(void)madvise((void *)(uintptr_t)s, SLICE, MADV_DONTNEED);
	}
	rest = (size_t)(left % (8 * LANES));
	add_steps(&l, s, left);
	h = finish(&l, s + (left - rest), rest, size);
	if (release)
		(void)madvise((void *)(uintptr_t)s, (size_t)left, MADV_DONTNEED);
	return h;
}

uint64_t
hash_bytes(const void *data, uint64_t size, uint64_t seed)
{
	return hash(data, size, seed, false);
}

uint64_t
hash_mapped(const void *data, uint64_t size)
{
	return hash(data, size, 0, true);
}
