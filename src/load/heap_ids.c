/*
 * heap_ids: from the address of an object to its number, and back.
 *
 * Pages of addresses, each a bitmap of granules with the number of objects in front of
 * every word: two reads for a look-up, about a byte an object, wherever the heap lies.
 */
#include "config.h"

#include <string.h>

#include "icecore/heap.h"

static const void *
rows_of(const struct store *st, const char *name, enum column_type type, uint64_t *n)
{
	const struct column *c = store_column(st, name);

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
	ids->sorted = rows_of(st, "id.sorted", COL_U64, &n);
	if (ids->sorted != NULL)
		return n == ids->n || fail(err, E_INPUT, "the index is damaged");
	ids->page = rows_of(st, "id.page", COL_U32, &ids->npages);
	ids->bits = rows_of(st, "id.bits", COL_U64, &ids->nwords);
	ids->rank = rows_of(st, "id.rank", COL_U32, &n);
	if (ids->page == NULL || ids->bits == NULL || ids->rank == NULL || n != ids->nwords)
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

/* Objects in front of a page of the directory, of those behind it that have bits. */
static uint32_t
page_rank(const struct heap_ids *ids, uint64_t page, uint64_t *has)
{
	uint64_t word;

	while (page < ids->npages && ids->page[page] == 0)
		page++;
	*has = page;
	if (page >= ids->npages)
		return (uint32_t)ids->n;
	word = (uint64_t)(ids->page[page] - 1) * ids->words;
	return word < ids->nwords ? ids->rank[word] : (uint32_t)ids->n;
}

/* The word with the n-th object (from 0), in a page that has it. */
static uint64_t
word_of(const struct heap_ids *ids, uint64_t first, uint32_t n)
{
	uint64_t low = first, high = first + ids->words, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (ids->rank[middle] <= n)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint64_t
heap_ids_addr(const struct heap_ids *ids, uint32_t object)
{
	uint64_t low = 0, high = ids->npages, middle, has, first, word, bits;
	uint32_t n = object - 1;

	if (object == 0 || object > ids->n)
		return 0;
	if (ids->sorted != NULL)
		return ids->sorted[n];
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (page_rank(ids, middle, &has) <= n)
			low = has < high ? has : middle;
		else
			high = middle;
	}
	first = (uint64_t)(ids->page[low] - 1) * ids->words;
	if (ids->page[low] == 0 || first + ids->words > ids->nwords)
		return 0;
	word = word_of(ids, first, n);
	bits = ids->bits[word];
	for (n -= ids->rank[word]; n > 0 && bits != 0; n--)
		bits &= bits - 1;
	return bits == 0 ? 0 : ids->base + low * HEAP_PAGE +
	    ((((word - first) << 6) + (unsigned)__builtin_ctzll(bits)) << ids->shift);
}

uint64_t
heap_ids_after(const struct heap_ids *ids, uint64_t addr)
{
	uint64_t d = addr + 1 - ids->base, page, word, bits, first;

	if (ids->sorted != NULL) {
		d = sorted_place(ids, addr + 1);
		return d < ids->n ? ids->sorted[d] : 0;
	}
	d = ((d + (1u << ids->shift) - 1) >> ids->shift) << ids->shift;
	for (page = d / HEAP_PAGE; page < ids->npages; page++, d = page * HEAP_PAGE) {
		if (ids->page[page] == 0)
			continue;
		first = (uint64_t)(ids->page[page] - 1) * ids->words;
		word = (d & (HEAP_PAGE - 1)) >> ids->shift;
		bits = ~(uint64_t)0 << (word & 63);
		for (word >>= 6; word < ids->words && first + word < ids->nwords; word++) {
			bits &= ids->bits[first + word];
			if (bits != 0)
				return ids->base + page * HEAP_PAGE + (((word << 6) +
				    (unsigned)__builtin_ctzll(bits)) << ids->shift);
			bits = ~(uint64_t)0;
		}
	}
	return 0;
}
