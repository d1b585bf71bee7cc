/*
 * The inside of lists of objects, for the passes that make them and run over all.
 */
#ifndef PASS_HEAP_LISTS_H
#define PASS_HEAP_LISTS_H

#include "icecore/graph.h"

/* Where list i (object i + 1) begins in l->data. */
uint64_t heap_list_at(const struct heap_lists *, uint64_t i);
/* Bytes of a list with a head, which begins there. */
uint64_t heap_list_long(const struct heap_lists *, uint64_t at);

/* Bytes of list i, which begins there. */
static inline uint64_t
heap_list_bytes(const struct heap_lists *l, uint64_t i, uint64_t at)
{
	return l->len[i] != HEAP_LONG_LIST ? l->len[i] : heap_list_long(l, at);
}

/* The list that begins there. */
void	heap_list(const struct heap_lists *, uint64_t i, uint64_t at, struct heap_walk *);

/* As heap_next, without the strength. */
static inline uint32_t
list_next(struct heap_walk *w)
{
	const uint8_t *p = w->p;
	uint64_t v;
	unsigned shift;

	if (p >= w->end)
		return 0;
	v = *p++;
	if (v > 127) {
		v &= 127;
		for (shift = 7; p < w->end && shift < 63; shift += 7) {
			v |= (uint64_t)(*p & 127) << shift;
			if (*p++ < 128)
				break;
		}
	}
	w->p = p;
	w->last += (uint32_t)(v >> 1) ^ -(uint32_t)(v & 1);
	return w->last;
}

/* Sum of 8 bytes. */
static inline unsigned
sum_bytes(uint64_t x)
{
	x = (x & 0x00ff00ff00ff00ffu) + (x >> 8 & 0x00ff00ff00ff00ffu);
	return (unsigned)(x * 0x0001000100010001u >> 48);
}

/* One of the 8 bytes is HEAP_LONG_LIST. */
static inline bool
has_long(uint64_t x)
{
	x = ~x;
	return ((x - 0x0101010101010101u) & ~x & 0x8080808080808080u) != 0;
}

/* One number of 7 bits a byte, the low ones first; returns where the next one goes. */
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

#define STEP_MAX 10u		/* bytes put_step needs at most */

#endif
