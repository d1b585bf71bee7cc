/*
 * heap_ids: from the address of an object to its number, and back.
 *
 * Pages of addresses, each a bitmap of granules with the number of objects in front of
 * every word: two reads for a look-up, about a byte an object, wherever the heap lies.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/heap.h"

static const void *
rows_of(const struct store *st, enum col col, enum column_type type, uint64_t *n)
{
	const struct column *c = store_column(st, col);

	*n = 0;
	if (c == NULL || c->type != type)
		return NULL;
	*n = c->rows;
	return c->data;
}

bool
heap_ids_open(struct heap_ids *ids, const struct store *st, struct err *err)
{
	uint64_t n;

	memset(ids, 0, sizeof *ids);
	ids->n = store_fact_get(st, "heap.objects");
	ids->base = store_fact_get(st, "heap.id_base");
	ids->shift = (unsigned)store_fact_get(st, "heap.id_shift") & 7;
	ids->words = (unsigned)(HEAP_PAGE >> ids->shift) / 64;
	ids->sorted = rows_of(st, COL_ID_SORTED, COL_U64, &n);
	if (ids->sorted != NULL)
		return n == ids->n || fail(err, E_INPUT, "the index is damaged");
	ids->page = rows_of(st, COL_ID_PAGE, COL_U32, &ids->npages);
	ids->place = rows_of(st, COL_ID_PLACE, COL_U32, &ids->nplaces);
	ids->bits = rows_of(st, COL_ID_BITS, COL_U64, &ids->nwords);
	ids->rank = rows_of(st, COL_ID_RANK, COL_U32, &n);
	if (ids->page == NULL || ids->place == NULL || ids->bits == NULL || ids->rank == NULL ||
	    n != ids->nwords || ids->nplaces * ids->words != ids->nwords)
		return fail(err, E_USAGE, "this file has no heap");
	return true;
}

/* The first of the sorted addresses that is not below addr. */
static uint64_t
sorted_place(const struct heap_ids *ids, uint64_t addr)
{
	uint64_t at = 0, n = ids->n, half;

	while (n > 0) {
		half = n / 2;
		if (ids->sorted[at + half] < addr) {
			at += half + 1;
			n -= half + 1;
		} else
			n = half;
	}
	return at;
}

uint32_t
heap_ids_find_sorted(const struct heap_ids *ids, uint64_t addr)
{
	uint64_t at = sorted_place(ids, addr);

	return at < ids->n && ids->sorted[at] == addr ? (uint32_t)at + 1 : 0;
}

/* The last of n ranks, one every step words, that is not above before. */
static uint64_t
last_rank(const uint32_t *rank, uint64_t n, uint64_t step, uint32_t before)
{
	uint64_t low = 0, high = n, middle;

	assert(n > 0);
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (rank[middle * step] <= before)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint64_t
heap_ids_addr(const struct heap_ids *ids, uint32_t object)
{
	uint64_t page, first, word, bits;
	uint32_t n = object - 1;

	if (object == 0 || object > ids->n)
		return 0;
	if (ids->sorted != NULL)
		return ids->sorted[n];
	if (ids->nplaces == 0)
		return 0;
	page = last_rank(ids->rank, ids->nplaces, ids->words, n);
	first = page * ids->words;
	word = last_rank(ids->rank + first, ids->words, 1, n);
	bits = ids->bits[first + word];
	for (n -= ids->rank[first + word]; n > 0 && bits != 0; n--)
		bits &= bits - 1;
	return bits == 0 ? 0 : ids->base + (uint64_t)ids->place[page] * HEAP_PAGE +
	    (((word << 6) + (unsigned)__builtin_ctzll(bits)) << ids->shift);
}

/* The lowest address in a page of bits whose granule is not below from; 0: none. */
static uint64_t
first_in(const struct heap_ids *ids, uint64_t page, uint64_t from)
{
	uint64_t word = from >> 6, bits, mask = ~(uint64_t)0 << (from & 63);

	assert(page < ids->nplaces);
	for (; word < ids->words; word++, mask = ~(uint64_t)0) {
		bits = ids->bits[page * ids->words + word] & mask;
		if (bits != 0)
			return ids->base + (uint64_t)ids->place[page] * HEAP_PAGE +
			    (((word << 6) + (unsigned)__builtin_ctzll(bits)) << ids->shift);
	}
	return 0;
}

uint64_t
heap_ids_after(const struct heap_ids *ids, uint64_t addr)
{
	uint64_t d = addr - ids->base, page = d / HEAP_PAGE, found;

	if (ids->sorted != NULL) {
		page = sorted_place(ids, addr + 1);
		return page < ids->n ? ids->sorted[page] : 0;
	}
	if (page >= ids->npages || ids->page[page] == 0)
		return 0;
	page = ids->page[page] - 1;
	found = first_in(ids, page, ((d & (HEAP_PAGE - 1)) >> ids->shift) + 1);
	/* Every page of bits has an object. */
	return found == 0 && page + 1 < ids->nplaces ? first_in(ids, page + 1, 0) : found;
}
