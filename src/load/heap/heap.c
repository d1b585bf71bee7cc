/*
 * heap: what heap dumps are made of: sizes of objects, names of classes, sub-records, numbers of objects.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "icecore/columns_heap.h"
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
	[LAYOUT_COMPACT_ZGC] = { "compact_zgc", 8, 8, 12 }
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

/* Facts of an index file are untrusted: values out of range give the sizes of a common VM. */
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

/* ---- records ------------------------------------------------------------------- */

#define HEADERS_SURE 3		/* records in a row that make a place believable */

bool
heap_known_tag(unsigned tag)
{
	return (tag >= RECORD_STRING && tag <= RECORD_SUMMARY) ||
	    (tag >= RECORD_START_THREAD && tag <= RECORD_SETTINGS) ||
	    tag == RECORD_SEGMENT || tag == RECORD_END;
}

bool
heap_header_ok(const uint8_t *d, uint64_t size, uint64_t p)
{
	uint64_t length;

	for (unsigned n = 0; n < HEADERS_SURE; n++) {
		assert(p <= size);
		if (p == size)
			return n > 0;
		if (size - p < 9 || !heap_known_tag(d[p]))
			return false;
		length = be32(d + p + 5);
		if (d[p] == RECORD_END && length != 0)
			return false;
		/* A segment that is truncated by the end of the file is valid. */
		if (length > size - p - 9)
			return n > 0 && heap_is_dump(d[p]);
		p += 9 + length;
	}
	return true;
}

/* ---- sub-records ---------------------------------------------------------------- */

/*
 * Moves *p behind a list of a class: u2 count, then { u2 index or id of the name, u1 type, value } each.  The count and
 * the types come from the file, so every step is compared with what is left before it is taken.
 */
static bool
skip_values(const uint8_t *d, uint64_t end, unsigned id_size, unsigned key, bool values,
    uint64_t *p)
{
	uint32_t n, i;
	unsigned width;

	assert(*p <= end);
	if (end - *p < 2)
		return false;
	n = be16(d + *p);
	*p += 2;
	for (i = 0; i < n; i++) {
		if (end - *p < key + 1)
			return false;
		width = heap_width(d[*p + key], id_size);
		*p += key + 1;
		if (width == 0 || (values && end - *p < width))
			return false;
		*p += values ? width : 0;
	}
	return true;
}

static bool
heap_read_class(const uint8_t *d, uint64_t end, unsigned id_size, struct heap_record *r)
{
	uint64_t p = r->data + 7 * (uint64_t)id_size + 8;
	bool whole;

	/* The fixed part may reach beyond the end. */
	if (p > end || p < r->data)
		return false;
	r->class = 0;
	whole = skip_values(d, end, id_size, 2, true, &p) &&
	    skip_values(d, end, id_size, id_size, true, &p) &&
	    skip_values(d, end, id_size, id_size, false, &p);
	r->bytes = p - r->data;
	return whole;
}

/* Where the header of each kind has its class, its length and its type, and ends; in ids and bytes. */
bool
heap_record(const uint8_t *d, uint64_t end, unsigned id_size, uint64_t offset,
    struct heap_record *r)
{
	uint64_t p = offset + 1, left;
	unsigned head;

	if (offset >= end)
		return false;
	*r = (struct heap_record){ .offset = offset, .data = p, .tag = d[offset] };
	left = end - p;
	head = r->tag == TAG_PRIMS || r->tag == TAG_NODATA ? id_size + 9 : 2 * id_size + 8;
	if (left < head)
		return false;
	r->id = heap_id(d + p, id_size);
	switch (r->tag) {
	case TAG_CLASS:
		if (!heap_read_class(d, end, id_size, r))
			return false;
		break;
	case TAG_INSTANCE:
		r->class = heap_id(d + p + id_size + 4, id_size);
		r->bytes = be32(d + p + 2 * id_size + 4);
		break;
	case TAG_OBJECTS:
		r->length = be32(d + p + id_size + 4);
		r->class = heap_id(d + p + id_size + 8, id_size);
		r->type = HEAP_OBJECT;
		r->bytes = (uint64_t)r->length * id_size;
		break;
	case TAG_PRIMS:
	case TAG_NODATA:
		r->length = be32(d + p + id_size + 4);
		r->type = d[p + id_size + 8];
		/* A type of no width would make an array of any length fit. */
		if (r->type <= HEAP_OBJECT || heap_width(r->type, id_size) == 0)
			return false;
		r->bytes = r->tag == TAG_PRIMS ?
		    (uint64_t)r->length * heap_width(r->type, id_size) : 0;
		break;
	default:
		return false;
	}
	if (r->tag != TAG_CLASS)
		r->data = p + head;
	assert(r->data <= end);
	r->next = r->data + r->bytes;
	return r->bytes <= end - r->data;
}

/* Return the number of static fields, which follow the constants; *at: the first one. */
uint32_t
heap_statics(const uint8_t *d, unsigned id_size, const struct heap_record *r, uint64_t *at)
{
	uint64_t p = r->data + 7 * (uint64_t)id_size + 8, end = r->next;

	assert(r->tag == TAG_CLASS);
	if (p > end || !skip_values(d, end, id_size, 2, true, &p) || end - p < 2)
		return 0;
	*at = p + 2;
	return be16(d + p);
}

bool
heap_root_form(unsigned tag, unsigned *ids, unsigned *numbers)
{
	*ids = tag == ROOT_JNI_GLOBAL;
	*numbers = 0;
	switch (tag) {
	case ROOT_UNKNOWN: case ROOT_JNI_GLOBAL: case ROOT_STICKY_CLASS: case ROOT_MONITOR:
	case ROOT_INTERNED: case ROOT_FINALIZING: case ROOT_DEBUGGER: case ROOT_CLEANUP:
	case ROOT_VM: case ROOT_UNREACHABLE:
		return true;
	case ROOT_NATIVE_STACK: case ROOT_THREAD_BLOCK:
		*numbers = 1;
		return true;
	case ROOT_JNI_LOCAL: case ROOT_JAVA_FRAME: case ROOT_THREAD: case ROOT_JNI_MONITOR:
		*numbers = 2;
		return true;
	}
	return false;
}

unsigned
heap_other_size(unsigned tag, unsigned id_size)
{
	unsigned ids, numbers;

	if (tag == TAG_PART)
		return 5 + id_size;
	return heap_root_form(tag, &ids, &numbers) ? 1 + id_size + ids * id_size + numbers * 4 : 0;
}

bool
heap_next_record(const uint8_t *d, uint64_t end, unsigned id_size, uint64_t p,
    struct heap_record *r)
{
	uint64_t size;

	for (; p < end; p += size) {
		size = heap_other_size(d[p], id_size);
		if (size == 0 && heap_record(d, end, id_size, p, r))
			return true;
		if (size == 0 || size > end - p)
			break;
	}
	r->next = end;
	return false;
}

/* ---- from the address of an object to its number, and back ------------------------ */

/*
 * Pages of addresses, each a bitmap of granules with the number of objects in front of
 * every word: two reads for a look-up, about a byte an object, wherever the heap lies.
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
		page = make_place(ids->sorted, ids->n, sizeof addr, addr + 1);
		return page < ids->n ? ids->sorted[page] : 0;
	}
	if (page >= ids->npages || ids->page[page] == 0)
		return 0;
	page = ids->page[page] - 1;
	found = first_in(ids, page, ((d & (HEAP_PAGE - 1)) >> ids->shift) + 1);
	/* Every page of bits has an object. */
	return found == 0 && page + 1 < ids->nplaces ? first_in(ids, page + 1, 0) : found;
}

uint64_t
heap_class_fields(const struct store *st, uint32_t class, uint64_t *row)
{
	return column_rows_of(store_column(st, COL_CLASS_FIELD), store_column(st, COL_CLASS_FIELDS), store_column(st, COL_FIELD_NAME), class,
	    row);
}
