/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap: access to heap dumps: sizes of objects, names of classes, numbers of objects.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "icecore/facts.h"
#include "icecore/heap.h"
#include "icecore/make.h"

/* ---- sizes and names ------------------------------------------------------------ */

const struct heap_layout_row heap_layouts[HEAP_LAYOUTS] = {
	[LAYOUT_32] = { "32", 8, 4, 12 },
	[LAYOUT_COOPS] = { "coops", 12, 4, 16 },
	[LAYOUT_NOCOOPS] = { "nocoops", 16, 8, 24 },
	[LAYOUT_ZGC] = { "zgc_ccp", 12, 8, 16 },
	[LAYOUT_COMPACT] = { "compact_coops", 8, 4, 12 },
	[LAYOUT_COMPACT_ZGC] = { "compact_zgc", 8, 8, 12 },
	[LAYOUT_NARROW] = { "coops_noccp", 16, 4, 24 },
	[LAYOUT_NARROW_TIGHT] = { "coops_noccp_tight", 16, 4, 20 },
	[LAYOUT_NOCOOPS_TIGHT] = { "nocoops_tight", 16, 8, 20 }
};

struct heap_rule
heap_rule_vm(enum heap_layout layout, bool flat, unsigned align, unsigned id_size)
{
	const struct heap_layout_row *l = &heap_layouts[layout];

	assert(layout < HEAP_LAYOUTS && align > 0);
	return (struct heap_rule){ .header = l->header, .ref = l->ref, .prims = l->array,
	    .objects = (uint8_t)heap_up(l->array, l->ref), .wide = (uint8_t)heap_up(l->array, 8),
	    .flat = flat, .align = align, .id_size = id_size };
}

struct heap_rule
heap_rule_mat(bool narrow, unsigned align, unsigned id_size)
{
	unsigned ref = narrow ? 4 : id_size, array = id_size + ref + 4;

	return (struct heap_rule){ .header = (uint8_t)(id_size + ref), .ref = (uint8_t)ref,
	    .objects = (uint8_t)array, .prims = (uint8_t)heap_up(array, ref),
	    .wide = (uint8_t)heap_up(array, ref), .align = align, .id_size = id_size };
}

/* Facts of an index file are untrusted: for values out of range, assume the sizes of a common VM. */
struct heap_rule
heap_rule(const struct store *st, enum heap_sizes sizes)
{
	unsigned id_size = fact_value(st, FACT_HEAP_ID_SIZE) == 4 ? 4 : 8;
	uint64_t layout = fact_value(st, FACT_HEAP_LAYOUT);
	uint64_t align = fact_value(st, sizes == SIZES_MAT ? FACT_HEAP_MAT_ALIGN : FACT_HEAP_ALIGN);
	struct heap_rule r;

	if (align == 0 || align > 256)
		align = 8;
	if (layout >= HEAP_LAYOUTS)
		layout = id_size == 4 ? LAYOUT_32 : LAYOUT_COOPS;
	if (sizes == SIZES_MAT)
		return heap_rule_mat(fact_value(st, FACT_HEAP_MAT_REF) == 4, (unsigned)align, id_size);
	r = heap_rule_vm((enum heap_layout)layout, fact_value(st, FACT_HEAP_FLAT) != 0,
	    (unsigned)align, id_size);
	r.android = fact_value(st, FACT_HEAP_ANDROID) != 0;
	return r;
}

struct str
heap_class_core(struct str s)
{
	size_t depth = 0;

	if (str_take(&s, STR("java.lang.Class<")))
		s.n -= s.n > 0 && s.s[s.n - 1] == '>';
	while (depth < s.n && s.s[depth] == '[')
		depth++;
	if (depth > 0) {
		s = str_after(s, depth);
		if (s.n < 3 || s.s[0] != 'L' || s.s[s.n - 1] != ';')
			return STR("");
		return (struct str){ s.s + 1, s.n - 2 };
	}
	while (s.n > 2 && str_ends(s, "[]"))
		s.n -= 2;
	return s;
}

bool
heap_same_name(struct str name, struct str dotted)
{
	if (name.n != dotted.n)
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (name.s[i] != dotted.s[i] && !(name.s[i] == '/' && dotted.s[i] == '.'))
			return false;
	return true;
}

/* ---- conversion between addresses and object numbers ------------------------------ */

/*
 * Pages of addresses, each a bitmap of granules with the number of objects before each word: two reads per look-up,
 * about a byte per object, at any heap address.
 */
static const void *
rows_of(const struct store *st, column_id col, enum column_type type, uint64_t *n)
{
	const struct column *c = store_column(st, col);

	*n = 0;
	if (c == NULL || c->type != type)
		return NULL;
	*n = c->rows;
	return column_all(c);
}

bool
heap_ids_open(struct heap_ids *ids, const struct store *st, struct err *err)
{
	uint64_t n;

	memset(ids, 0, sizeof *ids);
	if (store_is_blank(st))
		return true;
	ids->n = fact_value(st, FACT_HEAP_OBJECTS);
	ids->base = fact_value(st, FACT_HEAP_ID_BASE);
	ids->shift = (unsigned)fact_value(st, FACT_HEAP_ID_SHIFT) & 7;
	ids->words = (unsigned)(HEAP_PAGE >> ids->shift) / 64;
	if (store_column(st, COL_OBJECT_ID) != NULL)
		return column_rows(store_column(st, COL_OBJECT_ID)) == ids->n ||
		    fail(err, E_SYSTEM, "the index is damaged");
	ids->sorted = rows_of(st, COL_ID_SORTED, COL_U64, &n);
	if (ids->sorted != NULL)
		return n == ids->n || fail(err, E_SYSTEM, "the index is damaged");
	ids->page = rows_of(st, COL_ID_PAGE, COL_U32, &ids->npages);
	ids->place = rows_of(st, COL_ID_PLACE, COL_U32, &ids->nplaces);
	ids->bits = rows_of(st, COL_ID_BITS, COL_U64, &ids->nwords);
	ids->rank = rows_of(st, COL_ID_RANK, COL_U32, &n);
	if (ids->page == NULL || ids->place == NULL || ids->bits == NULL || ids->rank == NULL ||
	    n != ids->nwords || ids->nplaces * ids->words != ids->nwords)
		return fail(err, E_USAGE, "no heap in this file");
	return true;
}

uint32_t
heap_ids_find_sorted(const struct heap_ids *ids, uint64_t addr)
{
	uint64_t at = make_place(ids->sorted, ids->n, sizeof addr, addr);

	return at < ids->n && ids->sorted[at] == addr ? (uint32_t)at + 1 : 0;
}

/* Return the last of n ranks, stored every step words, that is at most before. */
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

/* Return the lowest address in a page of bits whose granule is at least from; 0: none. */
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
		page = make_place(ids->sorted, ids->n, sizeof addr, addr + 1);
		return page < ids->n ? ids->sorted[page] : 0;
	}
	if (page >= ids->npages || ids->page[page] == 0)
		return 0;
	page = ids->page[page] - 1;
	found = first_in(ids, page, ((d & (HEAP_PAGE - 1)) >> ids->shift) + 1);
	/* Every page of bits contains an object. */
	return found == 0 && page + 1 < ids->nplaces ? first_in(ids, page + 1, 0) : found;
}

uint64_t
heap_class_fields(const struct store *st, uint32_t class, uint64_t *row)
{
	return column_rows_of(store_column(st, COL_CLASS_FIELD), store_column(st, COL_CLASS_FIELDS),
	    store_column(st, COL_FIELD_NAME), class,
	    row);
}
