/*
 * hprof_heap: the sub-records of a heap dump: which objects there are, of
 * which class and how long, the classes, the roots.
 *
 * The one loop over every object: it looks at headers only.
 */
#include "config.h"

#include <assert.h>

#include "hprof.h"

#define TICK_BYTES (1u << 20)
#define WINDOW (4u << 20)	/* of the file that is in memory at once */
#define AHEAD 2048u		/* bytes that the processor fetches before they are looked at, across a page */

enum step { STEP_OK, STEP_CUT, STEP_UNKNOWN };

/* ---- objects -------------------------------------------------------------------- */

static inline uint64_t
up8(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

/* One of many objects, evenly spread, remembered for the layout vote. */
static inline void
take_sample(struct hprof *h, uint64_t id, uint32_t class, uint32_t length)
{
	if (h->until-- > 0)
		return;
	if (h->nsamples == h->most) {
		for (uint64_t i = 0; i < h->most / 2; i++)
			h->sample[i] = h->sample[2 * i];
		h->nsamples = h->most / 2;
		h->stride *= 2;
	}
	assert(h->nsamples < h->most);
	h->sample[h->nsamples++] = (struct heap_sample){ id, class, length };
	h->until = h->stride - 1;
}

/* The greatest common divisor of all distances, as far as it can matter. */
static void
narrow_gcd(struct hprof *h, uint64_t id)
{
	uint64_t a = id > h->first_id ? id - h->first_id : h->first_id - id, b = h->gcd, t;

	while (a != 0) {
		t = b % a;
		b = a;
		a = t;
	}
	h->gcd = b;
}

static inline bool
new_object(struct hprof *h, uint64_t id)
{
	if (h->first_id == 0)
		h->first_id = id;
	else if (h->gcd == 0 || h->gcd > 8)
		narrow_gcd(h, id);
	if (id != 0 && hprof_ids_add(&h->ids, id))
		return true;
	h->doubles++;
	return false;
}

static inline struct class_row *
hprof_heap_class_of(struct hprof *h, uint64_t addr, uint32_t *class)
{
	unsigned i = (unsigned)(addr >> 3) % CLASS_CACHE;

	*class = h->class_cache[i].row;
	if (h->class_cache[i].addr != addr + 1) {
		*class = hprof_class(h, addr);
		h->class_cache[i].addr = addr + 1;
		h->class_cache[i].row = *class;
	}
	return *class == 0 ? NULL : ROW(h->table[CLASSES], struct class_row, *class - 1);
}

/* A stack chunk; returns the words of its stack. */
static __attribute__((noinline)) uint32_t
hprof_heap_add_stack(const struct hprof *h, struct class_row *c, const uint8_t *values, uint64_t bytes)
{
	const struct heap_rule narrow = { .ref = 4, .id_size = h->id_size }, wide = { .ref = h->id_size, .id_size = h->id_size };
	uint32_t words = heap_stack_words(values, bytes, h->stack_field);

	c->up0 += up8(heap_rule_stack(&narrow, words));
	c->up4 += up8(heap_rule_stack(&wide, words));
	return words;
}

static bool
add_first(struct hprof *h, uint64_t id, uint32_t class, uint32_t length)
{
	return hprof_add(h, &h->table[FIRSTS], &(struct heap_sample){ id, class, length }, sizeof(struct heap_sample));
}

static inline __attribute__((always_inline)) bool
hprof_heap_add_instance(struct hprof *h, uint64_t id, uint64_t addr, const uint8_t *values, uint64_t bytes)
{
	struct class_row *c;
	uint32_t class, length = 0;

	if (!new_object(h, id))
		return !h->ids.failed;
	if ((c = hprof_heap_class_of(h, addr, &class)) == NULL)
		return false;
	if (class == h->stack_class)
		length = hprof_heap_add_stack(h, c, values, bytes);
	take_sample(h, id, class, length);
	return c->count++ >= FIRSTS_MAX || add_first(h, id, class, length);
}

static bool
hprof_heap_add_array(struct hprof *h, uint64_t id, struct class_row *c, uint32_t class, uint32_t n,
    unsigned width)
{
	uint64_t bytes = (uint64_t)n * width;

	if (!new_object(h, id))
		return !h->ids.failed;
	c->count++;
	c->elements += n;
	c->up0 += up8(bytes);
	c->up4 += up8(bytes + 4);
	take_sample(h, id, class, n);
	return true;
}

/* MAT's test for references of 4 bytes: two arrays lie closer than references of 8 would let them. */
static inline void
mat_test(struct hprof *h, uint64_t id, uint32_t n)
{
	if (h->mat_id != 0 && !h->mat_narrow)
		h->mat_narrow = id > h->mat_id && id < h->mat_reach;
	h->mat_id = id;
	h->mat_reach = id + 16 + (uint64_t)n * 8;
}

static bool
hprof_heap_add_objects(struct hprof *h, uint64_t id, uint64_t addr, uint32_t n)
{
	struct class_row *c;
	uint32_t class;

	mat_test(h, id, n);
	if ((c = hprof_heap_class_of(h, addr, &class)) == NULL)
		return false;
	c->arrays++;
	return hprof_heap_add_array(h, id, c, class, n, 4);
}

/* Primitive arrays get their class by name once all names are known. */
static bool
add_prims(struct hprof *h, uint64_t id, uint32_t n, unsigned type, unsigned width)
{
	return hprof_heap_add_array(h, id, &h->prims[type], PRIM_CLASS + type, n, width);
}

/* ---- classes ---------------------------------------------------------------------- */

/* n instance fields from p on. */
static bool
hprof_heap_add_fields(struct hprof *h, uint32_t class, uint64_t p, uint32_t n)
{
	struct class_row *c = hprof_class_row(h, class);
	struct field_row f;

	c->field = (uint32_t)h->table[FIELDS].n + 1;
	c->fields = n;
	c->field_refs = c->field_bytes = 0;
	if (class == h->stack_class)
		h->stack_field = 0;
	for (uint32_t i = 0; i < n; i++, p += h->id_size + 1) {
		f = (struct field_row){ hprof_id(h, p), h->data[p + h->id_size] };
		if (!hprof_add(h, &h->table[FIELDS], &f, sizeof f))
			return false;
		h->android |= f.name != 0 && f.name == h->android_field;
		if (class == h->stack_class && f.name == h->size_name && f.type == HEAP_INT)
			h->stack_field = (uint64_t)c->field_refs * h->id_size + c->field_bytes + 1;
		if (heap_width(f.type, h->id_size) == h->id_size && f.type <= HEAP_OBJECT)
			c->field_refs++;
		else
			c->field_bytes += heap_width(f.type, h->id_size);
	}
	return true;
}

/* heap_record has checked that all of it is there. */
static bool
hprof_heap_add_class(struct hprof *h, const struct heap_record *r)
{
	const unsigned id = h->id_size;
	uint64_t p = r->data + id + 4, name;
	struct class_row *c;
	uint32_t class, n;
	unsigned type;
	bool fresh = new_object(h, r->id);

	if (h->ids.failed || (class = hprof_class(h, r->id)) == 0)
		return false;
	c = hprof_class_row(h, class);
	if (c->dump != 0)
		return true;
	/* Exports of other dumps write classes as instances, too; these are not duplicates. */
	c->instance = !fresh;
	h->doubles -= !fresh;
	c->dump = r->offset;
	c->super_addr = hprof_id(h, p);
	c->loader_addr = hprof_id(h, p + id);
	p += 6 * (uint64_t)id;
	c->size = be32(h->data + p);
	p += 4;
	for (n = be16(h->data + p), p += 2; n > 0; n--)
		p += 3 + heap_width(h->data[p + 2], id);
	for (n = be16(h->data + p), p += 2; n > 0; n--) {
		type = h->data[p + id];
		name = hprof_id(h, p);
		h->android |= name != 0 && name == h->android_static;
		c->static_wide |= type == HEAP_LONG || type == HEAP_DOUBLE;
		c->static_added += type <= HEAP_OBJECT && name != 0 && (name == h->added_name[0] || name == h->added_name[1]);
		p += id + 1 + heap_width(type, id);
		if (type <= HEAP_OBJECT)
			c->static_refs++;
		else
			c->static_bytes += heap_width(type, id);
	}
	n = be16(h->data + p);
	assert(p + 2 + n * (id + 1ull) == r->next);
	return hprof_heap_add_fields(h, class, p + 2, n);
}

/* ---- roots and heaps ------------------------------------------------------------------ */

static bool
hprof_heap_add_root(struct hprof *h, unsigned tag, uint64_t p, unsigned numbers)
{
	uint32_t first = numbers > 0 ? be32(h->data + p + h->id_size) : 0;
	uint32_t second = numbers > 1 ? be32(h->data + p + h->id_size + 4) : 0;
	struct root_row r = { .id = hprof_id(h, p), .kind = (uint8_t)tag, .serial = first,
	    .depth = numbers > 1 && tag != ROOT_THREAD ? second : ROOT_NO_FRAME };
	struct thread_row *t;

	if (tag >= ROOT_INTERNED && tag != ROOT_UNKNOWN)
		h->android = true;
	if (tag == ROOT_UNREACHABLE)
		return true;
	if (!hprof_add(h, &h->table[ROOTS], &r, sizeof r))
		return false;
	if (tag != ROOT_THREAD)
		return true;
	if ((t = hprof_thread(h, first)) == NULL)
		return false;
	if (!t->rooted) {
		t->rooted = true;
		t->object = r.id;
		t->trace = second;
	}
	return true;
}

/* Objects from here on belong to another heap. */
static bool
hprof_heap_add_part(struct hprof *h, uint64_t p, uint64_t behind)
{
	uint64_t name = hprof_id(h, p + 4), n = h->table[PARTS].n;

	h->android = true;
	return (n > 0 && ROW(h->table[PARTS], struct pair, n - 1)->id == name) ||
	    hprof_add_pair(h, PARTS, name, behind);
}

/* ---- the loop ---------------------------------------------------------------------- */

static enum step
step_other(struct hprof *h, uint64_t *p, uint64_t end, unsigned id)
{
	unsigned tag = h->data[*p], ids, numbers, size = heap_other_size(tag, id);
	struct heap_record r;

	if (size > 0) {
		if (end - *p < size)
			return STEP_CUT;
		if (tag == TAG_PART ? !hprof_heap_add_part(h, *p + 1, *p + size) :
		    !(heap_root_form(tag, &ids, &numbers) && hprof_heap_add_root(h, tag, *p + 1, numbers)))
			return STEP_CUT;
		*p += size;
		return STEP_OK;
	}
	if (tag != TAG_CLASS && tag != TAG_NODATA)
		return STEP_UNKNOWN;
	if (!hprof_record(h, *p, end, &r))
		return STEP_CUT;
	if (tag == TAG_CLASS ? !hprof_heap_add_class(h, &r) :
	    !add_prims(h, r.id, r.length, r.type, heap_width(r.type, id)))
		return STEP_CUT;
	h->android |= tag == TAG_NODATA;
	*p = r.next;
	return STEP_OK;
}

/* One sub-record; id is a constant where this is inlined. */
static inline __attribute__((always_inline)) enum step
hprof_heap_step(struct hprof *h, uint64_t *at, uint64_t end, const unsigned id)
{
	const uint8_t *d = h->data + *at;
	uint64_t left = end - *at, size, n;
	unsigned width;

#define ID(o) (id == 8 ? be64(d + (o)) : be32(d + (o)))
	__builtin_prefetch(d + AHEAD);
	switch (d[0]) {
	case TAG_INSTANCE:
		if (left < 2 * id + 9)
			return STEP_CUT;
		/* In 64 bits no length of the file overflows. */
		size = 2 * id + 9 + (uint64_t)be32(d + 2 * id + 5);
		if (size > left || !hprof_heap_add_instance(h, ID(1), ID(id + 5), d + 2 * id + 9, size - 2 * id - 9))
			return STEP_CUT;
		break;
	case TAG_OBJECTS:
		if (left < 2 * id + 9)
			return STEP_CUT;
		n = be32(d + id + 5);
		size = 2 * id + 9 + n * id;
		if (size > left || !hprof_heap_add_objects(h, ID(1), ID(id + 9), (uint32_t)n))
			return STEP_CUT;
		break;
	case TAG_PRIMS:
		if (left < id + 10)
			return STEP_CUT;
		n = be32(d + id + 5);
		width = d[id + 9] <= HEAP_OBJECT ? 0 : heap_width(d[id + 9], id);
		size = id + 10 + n * width;
		/* An unknown element type has no size: these bytes only look like an array. */
		if (width == 0)
			return STEP_UNKNOWN;
		if (size > left || !add_prims(h, ID(1), (uint32_t)n, d[id + 9], width))
			return STEP_CUT;
		break;
	default:
		return step_other(h, at, end, id);
	}
#undef ID
	*at += size;
	return STEP_OK;
}

/* ---- extents ---------------------------------------------------------------------------- */

/* Add an extent of whole records.  Long runs are cut, so that several threads can read them. */
static bool
add_extent(struct hprof *h, uint64_t from, uint64_t to)
{
	assert(from <= to && to <= h->size);
	return from == to || hprof_add(h, &h->table[EXTENTS], &(struct extent){ from, to }, sizeof(struct extent));
}

/* Release the pages before p from memory, a window at a time. */
static void
move_window(struct hprof *h, uint64_t p)
{
	const struct map *source = store_source(h->st);

	if (p < h->window)
		h->window = p;
	if (p - h->window < WINDOW && h->window != 0)
		return;
	map_forget(source, h->window, p);
	h->window = p;
}

/* Read sub-records as long as they are whole. */
static inline __attribute__((always_inline)) enum step
hprof_heap_run(struct hprof *h, uint64_t *p, uint64_t end, const unsigned id)
{
	enum step s = STEP_OK;
	uint64_t from, stop;

	while (*p < end && s == STEP_OK) {
		from = *p;
		stop = end - from < TICK_BYTES ? end : from + TICK_BYTES;
		move_window(h, *p);
		if (!hprof_tick(h, *p))
			return STEP_CUT;
		while (*p < stop && (s = hprof_heap_step(h, p, h->size, id)) == STEP_OK)
			;
		if (!add_extent(h, from, *p))
			return STEP_CUT;
	}
	return s;
}

uint64_t
hprof_heap(struct hprof *h, uint64_t p, uint64_t end, bool open)
{
	uint64_t from = p, next;
	enum step s;

	while (p < end && !h->failed) {
		s = h->id_size == 8 ? hprof_heap_run(h, &p, end, 8) : hprof_heap_run(h, &p, end, 4);
		if (h->failed || h->ids.failed)
			break;
		h->whole |= p > from;
		from = p;
		if (s == STEP_OK)
			break;
		/* The segment is shorter than it says. */
		if ((h->data[p] == RECORD_END || heap_is_dump(h->data[p])) && hprof_header_ok(h, p)) {
			h->lengths += !open;
			break;
		}
		next = hprof_resync(h, p + 1, end);
		assert(next > p);
		hprof_lost(h, next == h->size ? &h->tail_bytes : &h->skipped_bytes, p, next - p);
		p = from = next;
	}
	h->failed |= h->ids.failed;
	h->overruns += p > end && !h->failed;
	return p;
}
