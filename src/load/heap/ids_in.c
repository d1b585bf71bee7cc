/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ids_in: collect the addresses of objects while a dump is read.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "icecore/facts.h"
#include "ids_in.h"

#define SPARSE_BYTES 64u	/* maximum bits per object */
#define SPARSE_FREE (64u << 20)	/* unless all bitmaps together are smaller */
#define DIRECTORY_MAX 4u	/* directory entries per object, above 1 Mi */

void
ids_in_init(struct ids_in *b, struct err *err)
{
	memset(b, 0, sizeof *b);
	b->shift = 3;
	b->words = (HEAP_PAGE >> b->shift) / 64;
	b->err = err;
}

void
ids_in_free(struct ids_in *b)
{
	SCRATCH_FREE(&b->bits, &b->pages, &b->list);
	idmap_free(&b->map);
}

static bool
broken(struct ids_in *b)
{
	b->failed = true;
	return false;
}

/* ---- sparse addresses: a hash set --------------------------------------------- */

static bool
add_sparse(struct ids_in *b, uint64_t addr)
{
	if (idmap_get(&b->map, addr) != 0)
		return false;
	if (b->n >= UINT32_MAX - 1 || !idmap_put(&b->map, addr, 1, b->err) ||
	    !scratch_array(&b->list, b->n + 1, sizeof addr, b->err))
		return broken(b);
	SCRATCH(b->list, uint64_t)[b->n++] = addr;
	return true;
}

/* Call add with every address in the bitmaps. */
static bool
ids_in_each(struct ids_in *from, struct ids_in *to,
    bool (*add)(struct ids_in *, uint64_t))
{
	const uint64_t *bits = SCRATCH(from->bits, uint64_t);
	uint64_t i, word, w, page;

	for (i = 0; i < from->npages * from->words; i++) {
		page = SCRATCH(from->pages, uint64_t)[i / from->words];
		word = i % from->words;
		for (w = bits[i]; w != 0; w &= w - 1)
			if (!add(to, page * HEAP_PAGE +
			    (((word << 6) + (unsigned)__builtin_ctzll(w)) << from->shift)))
				return false;
	}
	return true;
}

/* Convert the set of addresses to another form. */
static bool
rebuild(struct ids_in *b, unsigned shift, bool sparse)
{
	struct ids_in next;
	bool ok;

	ids_in_init(&next, b->err);
	next.shift = shift;
	next.words = (HEAP_PAGE >> shift) / 64;
	next.sparse = sparse;
	ok = ids_in_each(b, &next, sparse ? add_sparse : ids_in_add);
	ids_in_free(b);
	*b = next;
	return ok || broken(b);
}

/* ---- pages ------------------------------------------------------------------------ */

static bool
page_new(struct ids_in *b, uint64_t page, uint64_t *slot)
{
	uint64_t bytes = (b->npages + 1) * b->words * sizeof(uint64_t);

	if (b->npages >= UINT32_MAX - 1 || !scratch_grow(&b->bits, bytes, b->err) ||
	    !scratch_array(&b->pages, b->npages + 1, sizeof page, b->err) ||
	    !idmap_put(&b->map, page + 1, (uint32_t)b->npages + 1, b->err))
		return broken(b);
	SCRATCH(b->pages, uint64_t)[b->npages] = page;
	*slot = b->npages++;
	return true;
}

/* Return the bitmap of an address page, using the cache. */
static bool
page_find(struct ids_in *b, uint64_t page, uint64_t *slot)
{
	unsigned i = page % IDS_CACHE;
	uint32_t known;

	if (b->cache[i].page == page + 1) {
		*slot = b->cache[i].slot;
		return true;
	}
	known = idmap_get(&b->map, page + 1);
	*slot = known - 1;
	if (known == 0 && !page_new(b, page, slot))
		return false;
	b->cache[i].page = page + 1;
	b->cache[i].slot = *slot;
	return true;
}

static bool
too_sparse(const struct ids_in *b)
{
	uint64_t bytes = b->npages * b->words * sizeof(uint64_t);

	return bytes > SPARSE_FREE && bytes / SPARSE_BYTES > b->n;
}

bool
ids_in_add_slow(struct ids_in *b, uint64_t addr)
{
	uint64_t slot, before = b->npages;

	b->last = 0;
	if (b->sparse)
		return add_sparse(b, addr);
	if ((addr & ((1u << b->shift) - 1)) != 0 &&
	    !rebuild(b, (addr & 3) != 0 ? 0 : 2, false))
		return false;
	if (b->n >= UINT32_MAX - 1 - HEAP_PAGE) {
		fail(b->err, E_UNREADABLE, "too many objects (limit: 4 293 000 000)");
		return broken(b);
	}
	if (!page_find(b, addr / HEAP_PAGE, &slot))
		return false;
	assert(slot < b->npages);
	b->last_bits = &SCRATCH(b->bits, uint64_t)[slot * b->words];
	b->last = addr / HEAP_PAGE + 1;
	if (!ids_in_add(b, addr))
		return false;
	return b->npages == before || !too_sparse(b) || rebuild(b, b->shift, true);
}

/* ---- columns ------------------------------------------------------------------------ */

static int
ids_in_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return num_order(x, y, 0);
}

static bool
out_sorted(struct ids_in *b, struct store *st, struct heap_ids *ids, struct err *err)
{
	uint64_t *to = store_make(st, COL_ID_SORTED, COL_U64, b->n, err);

	if (to == NULL)
		return false;
	if (b->n > 0)
		memcpy(to, b->list.data, b->n * sizeof *to);
	qsort(to, b->n, sizeof *to, ids_in_compare);
	ids->sorted = to;
	return true;
}

/* Sort pages by address, and count the objects before each word. */
static bool
out_pages(struct ids_in *b, struct store *st, uint64_t npages, struct heap_ids *ids,
    struct err *err)
{
	uint32_t *page = store_make(st, COL_ID_PAGE, COL_U32, npages, err), *place, *rank;
	const uint64_t *from = SCRATCH(b->bits, uint64_t);
	uint64_t *bits, i, w, slot, nwords = b->npages * b->words, n = 0;
	uint32_t count = 0;

	place = page == NULL ? NULL : store_make(st, COL_ID_PLACE, COL_U32, b->npages, err);
	bits = place == NULL ? NULL : store_make(st, COL_ID_BITS, COL_U64, nwords, err);
	rank = bits == NULL ? NULL : store_make(st, COL_ID_RANK, COL_U32, nwords, err);
	if (rank == NULL)
		return false;
	for (i = 0; i < b->npages; i++)
		page[SCRATCH(b->pages, uint64_t)[i] - ids->base / HEAP_PAGE] = (uint32_t)i + 1;
	for (i = 0; i < npages; i++) {
		if (page[i] == 0)
			continue;
		slot = page[i] - 1;
		assert(slot < b->npages && n + b->words <= nwords);
		place[n / b->words] = (uint32_t)i;
		page[i] = (uint32_t)(n / b->words) + 1;
		for (w = 0; w < b->words; w++, n++) {
			bits[n] = from[slot * b->words + w];
			rank[n] = count;
			count += heap_ones(bits[n]);
		}
	}
	assert(n == nwords && count == b->n);
	ids->page = page;
	ids->place = place;
	ids->nplaces = b->npages;
	ids->bits = bits;
	ids->rank = rank;
	return true;
}

bool
ids_in_out(struct ids_in *b, struct store *st, struct heap_ids *ids, struct err *err)
{
	uint64_t low = UINT64_MAX, high = 0, i, page, npages;

	for (i = 0; i < b->npages; i++) {
		page = SCRATCH(b->pages, uint64_t)[i];
		low = page < low ? page : low;
		high = page > high ? page : high;
	}
	npages = b->npages == 0 ? 0 : high - low + 1;
	if (!b->sparse && npages > (1u << 20) && npages / DIRECTORY_MAX > b->n &&
	    !rebuild(b, b->shift, true))
		return false;
	*ids = (struct heap_ids){ .shift = b->shift, .words = b->words, .n = b->n,
	    .base = b->npages == 0 ? 0 : low * HEAP_PAGE,
	    .npages = b->sparse ? 0 : npages, .nwords = b->npages * b->words };
	return (b->sparse ? out_sorted(b, st, ids, err) : out_pages(b, st, npages, ids, err)) &&
	    fact_set(st, FACT_HEAP_OBJECTS, b->n, err) &&
	    fact_set(st, FACT_HEAP_ID_BASE, ids->base, err) &&
	    fact_set(st, FACT_HEAP_ID_SHIFT, b->shift, err);
}
