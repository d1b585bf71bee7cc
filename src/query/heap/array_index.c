/*
 * array_index: at which elements an array refers to an object, when many objects of one array are
 * asked for: to look through all of it for each would take the square of its length.
 */
#include "config.h"

#include <stdlib.h>

#include "hrows.h"

#define SCANS 4u		/* arrays are looked through so often before they are indexed */
#define SMALL 64u		/* elements that are looked through always */

/* The elements of one array in keys: object << 32 | element, in order. */
struct indexed {
	uint64_t	first, n;
};

void
array_index_free(struct array_index *x)
{
	idmap_free(&x->seen);
	scratch_free(&x->keys);
	scratch_free(&x->arrays);
}

static int
key_order(const void *a, const void *b)
{
	return num_order(*(const uint64_t *)a, *(const uint64_t *)b, 0);
}

static bool
read_keys(struct array_index *x, const struct heap *h, uint32_t array, struct indexed *in,
    struct err *err)
{
	struct heap_slots s;
	struct heap_slot slot;
	uint64_t n = x->nkeys;

	if (!heap_slots(h, array, &s))
		return true;
	while (heap_slot(&s, &slot) && slot.kind == SLOT_ELEMENT) {
		if (slot.object == 0)
			continue;
		if (!scratch_array(&x->keys, n + 1, sizeof n, err))
			return false;
		SCRATCH(x->keys, uint64_t)[n++] = (uint64_t)slot.object << 32 | slot.index;
	}
	*in = (struct indexed){ x->nkeys, n - x->nkeys };
	x->nkeys = n;
	if (in->n > 0)
		qsort(SCRATCH(x->keys, uint64_t) + in->first, in->n, sizeof n, key_order);
	return true;
}

static bool
add_array(struct array_index *x, const struct heap *h, uint32_t array, struct err *err)
{
	struct indexed in = { 0, 0 };

	if (!read_keys(x, h, array, &in, err) ||
	    !scratch_array(&x->arrays, x->narrays + 1, sizeof in, err))
		return false;
	SCRATCH(x->arrays, struct indexed)[x->narrays++] = in;
	return idmap_put(&x->seen, array, (uint32_t)(SCANS + x->narrays), err);
}

/* The first key that is not below. */
static uint64_t
key_place(const struct array_index *x, const struct indexed *in, uint64_t key)
{
	const uint64_t *keys = SCRATCH(x->keys, uint64_t);
	uint64_t low = in->first, high = in->first + in->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
array_index_has(struct array_index *x, const struct heap *h, uint32_t array, struct err *err)
{
	uint32_t seen;

	if (heap_kind(h, array) != HEAP_OBJECT_ARRAY || heap_length(h, array) <= SMALL)
		return false;
	seen = idmap_get(&x->seen, array);
	if (seen > SCANS)
		return true;
	if (seen < SCANS) {
		idmap_put(&x->seen, array, seen + 1, err);
		return false;
	}
	return add_array(x, h, array, err);
}

bool
array_index_find(const struct array_index *x, uint32_t array, uint32_t object, uint32_t nth,
    uint32_t *element)
{
	const struct indexed *in = SCRATCH(x->arrays, struct indexed) +
	    (idmap_get(&x->seen, array) - SCANS - 1);
	uint64_t at = key_place(x, in, (uint64_t)object << 32) + nth;
	uint64_t key = at < in->first + in->n ? SCRATCH(x->keys, uint64_t)[at] : 0;

	*element = (uint32_t)key;
	return key >> 32 == object;
}
