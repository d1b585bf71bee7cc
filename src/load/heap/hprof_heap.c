/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_heap: the sub-records of a heap dump: objects with class and length, classes, roots.
 *
 * The one loop over all objects reads headers only.
 */
#include "config.h"

#include <assert.h>

#include "hprof.h"

#define TICK_BYTES (1u << 20)
#define WINDOW (4u << 20)	/* bytes of the file kept in memory */
#define AHEAD 2048u		/* bytes that the processor prefetches, across a page */

/* ---- objects -------------------------------------------------------------------- */

static inline uint64_t
up8(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

/* Sample evenly spread objects for the layout vote. */
static inline void
take_sample(struct hprof *h, uint64_t id, uint32_t class, uint32_t length)
{
	if (h->samples.until-- > 0)
		return;
	if (h->samples.n == h->samples.most) {
		for (uint64_t i = 0; i < h->samples.most / 2; i++)
			h->samples.row[i] = h->samples.row[2 * i];
		h->samples.n = h->samples.most / 2;
		h->samples.stride *= 2;
	}
	assert(h->samples.n < h->samples.most);
	h->samples.row[h->samples.n++] = (struct heap_sample){ id, class, length };
	h->samples.until = h->samples.stride - 1;
}

/* Update the greatest common divisor of all distances. The caller stops when it is at most 8. */
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
	if (id != 0 && ids_in_add(&h->ids, id))
		return true;
	h->lost.doubles++;
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

/* Read a stack chunk; return the words of its stack. */
static __attribute__((noinline)) uint32_t
hprof_heap_add_stack(const struct hprof *h, struct class_row *c, const uint8_t *values, uint64_t bytes)
{
	const struct heap_rule narrow = { .ref = 4, .id_size = h->id_size },
	    wide = { .ref = h->id_size, .id_size = h->id_size };
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
hprof_heap_add_instance(struct hprof *h, const struct heap_record *r)
{
	struct class_row *c;
	uint32_t class, length = 0;

	if (!new_object(h, r->id))
		return !h->ids.failed;
	if ((c = hprof_heap_class_of(h, r->class, &class)) == NULL)
		return false;
	if (class == h->stack_class)
		length = hprof_heap_add_stack(h, c, h->data + r->data, r->bytes);
	if (class == h->values_class && !hprof_add_pair(h, VALUES, r->id, 0))
		return false;
	take_sample(h, r->id, class, length);
	return c->count++ >= FIRSTS_MAX || add_first(h, r->id, class, length);
}

/* Add an array of n elements; bytes: total of all elements, a reference as 4. */
static bool
hprof_heap_add_array(struct hprof *h, uint64_t id, struct class_row *c, uint32_t class, uint32_t n, uint64_t bytes)
{
	if (!new_object(h, id))
		return !h->ids.failed;
	c->count++;
	c->elements += n;
	c->up0 += up8(bytes);
	c->up4 += up8(bytes + 4);
	take_sample(h, id, class, n);
	return true;
}

/* MAT's test for 4-byte references: two arrays are closer than 8-byte references would permit. */
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
	return hprof_heap_add_array(h, id, c, class, n, (uint64_t)n * 4);
}

/* Primitive arrays get their class by name once all names are known. */
static bool
add_prims(struct hprof *h, uint64_t id, uint32_t n, unsigned type, uint64_t bytes)
{
	return hprof_heap_add_array(h, id, &h->prims[type], PRIM_CLASS + type, n, bytes);
}

/* ---- classes ---------------------------------------------------------------------- */

static void
hprof_heap_add_static(struct hprof *h, struct class_row *c, const struct hprof_members *m)
{
	uint64_t name = hprof_member_name(m);

	h->android |= name != 0 && name == h->android_static;
	c->static_wide |= m->type == HEAP_LONG || m->type == HEAP_DOUBLE;
	c->static_added += m->type <= HEAP_OBJECT && name != 0 &&
	    (name == h->added_name[0] || name == h->added_name[1]);
	if (m->type <= HEAP_OBJECT)
		c->static_refs++;
	else
		c->static_bytes += m->width;
}

static bool
hprof_heap_add_field(struct hprof *h, struct class_row *c, bool stack, const struct hprof_members *m)
{
	struct field_row f = { hprof_member_name(m), (uint8_t)m->type };

	h->android |= f.name != 0 && f.name == h->android_field;
	if (stack && f.name == h->size_name && f.type == HEAP_INT)
		h->stack_field = (uint64_t)c->field_refs * h->id_size + c->field_bytes + 1;
	c->fields++;
	if (m->type <= HEAP_OBJECT)
		c->field_refs++;
	else
		c->field_bytes += m->width;
	return hprof_add(h, &h->table[FIELDS], &f, sizeof f);
}

static bool
hprof_heap_add_class(struct hprof *h, const struct heap_record *r)
{
	const unsigned id = h->id_size;
	struct hprof_members m = hprof_members(h->data, id, r);
	struct class_row *c;
	uint32_t class;
	bool fresh = new_object(h, r->id), ok = true;

	if (h->ids.failed || (class = hprof_class(h, r->id)) == 0)
		return false;
	c = hprof_class_row(h, class);
	if (c->dump != 0)
		return true;
	/* Exports of other dumps write classes as instances, too; these are not duplicates. */
	c->instance = !fresh;
	h->lost.doubles -= !fresh;
	c->dump = r->offset;
	c->super_addr = hprof_id(h, r->data + id + 4);
	c->loader_addr = hprof_id(h, r->data + 2 * id + 4);
	c->size = be32(h->data + r->data + 7 * id + 4);
	c->field = (uint32_t)h->table[FIELDS].n + 1;
	if (class == h->stack_class)
		h->stack_field = 0;
	while (ok && hprof_member(&m))
		if (m.list == LIST_STATICS)
			hprof_heap_add_static(h, c, &m);
		else if (m.list == LIST_FIELDS)
			ok = hprof_heap_add_field(h, c, class == h->stack_class, &m);
	assert(!ok || (m.whole && m.at == r->next));
	return ok;
}

/* ---- roots and heaps ------------------------------------------------------------------ */

static bool
hprof_heap_add_root(struct hprof *h, const struct heap_record *r)
{
	uint64_t numbers = r->tag == ROOT_JNI_GLOBAL ? 0 : r->bytes / 4;
	uint32_t first = numbers > 0 ? be32(h->data + r->data) : 0,
	    second = numbers > 1 ? be32(h->data + r->data + 4) : 0;
	struct root_row row = { .id = r->id, .kind = r->tag, .serial = first,
	    .depth = numbers > 1 && r->tag != ROOT_THREAD ? second : ROOT_NO_FRAME };
	struct thread_row *t;

	if (r->tag >= ROOT_INTERNED && r->tag != ROOT_UNKNOWN)
		h->android = true;
	if (r->tag == ROOT_UNREACHABLE)
		return true;
	if (!hprof_add(h, &h->table[ROOTS], &row, sizeof row))
		return false;
	if (r->tag != ROOT_THREAD)
		return true;
	if ((t = hprof_thread(h, first)) == NULL)
		return false;
	if (!t->rooted) {
		t->rooted = true;
		t->object = r->id;
		t->trace = second;
	}
	return true;
}

/* Objects from here on belong to another heap. */
static bool
hprof_heap_add_part(struct hprof *h, const struct heap_record *r)
{
	uint64_t n = h->table[PARTS].n;

	h->android = true;
	return (n > 0 && ROW(h->table[PARTS], struct pair, n - 1)->id == r->id) ||
	    hprof_add_pair(h, PARTS, r->id, r->next);
}

/* ---- the loop ---------------------------------------------------------------------- */

static bool
hprof_heap_add_rare(struct hprof *h, struct heap_record r)
{
	switch (r.tag) {
	case TAG_CLASS:
		return hprof_heap_add_class(h, &r);
	case TAG_NODATA:
		h->android = true;
		return add_prims(h, r.id, r.length, r.type, (uint64_t)r.length * heap_width(r.type, h->id_size));
	case TAG_PART:
		return hprof_heap_add_part(h, &r);
	}
	return hprof_heap_add_root(h, &r);
}

/* Copy the record of a rare tag, so that common records stay in registers. */
static inline __attribute__((always_inline)) bool
hprof_heap_add(void *arg, const struct heap_record *r)
{
	struct hprof *h = arg;

	__builtin_prefetch(h->data + r->offset + AHEAD);
	switch (r->tag) {
	case TAG_INSTANCE:
		return hprof_heap_add_instance(h, r);
	case TAG_OBJECTS:
		return hprof_heap_add_objects(h, r->id, r->class, r->length);
	case TAG_PRIMS:
		return add_prims(h, r->id, r->length, r->type, r->bytes);
	}
	return hprof_heap_add_rare(h, *r);
}

/* ---- extents ---------------------------------------------------------------------------- */

/* Add an extent of complete records. Long runs are split, so that several threads can read them. */
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

/* Read sub-records while they are complete. */
static inline __attribute__((always_inline)) bool
hprof_heap_run(struct hprof *h, uint64_t *p, uint64_t end, const unsigned id)
{
	struct heap_record r;
	uint64_t from, stop, at;
	bool ok = true;

	while (*p < end && ok) {
		from = *p;
		stop = end - from < TICK_BYTES ? end : from + TICK_BYTES;
		move_window(h, *p);
		if (!hprof_tick(h, *p))
			return false;
		for (at = from; at < stop && (ok = hprof_visit(h->data, h->size, id, at, &h->vain, &r,
		    hprof_heap_add, h)); at = r.next)
			;
		*p = at;
		if (!add_extent(h, from, *p))
			return false;
	}
	return ok;
}

uint64_t
hprof_heap(struct hprof *h, uint64_t p, uint64_t end, bool open)
{
	uint64_t from = p, next;
	bool ok;

	while (p < end && !h->failed) {
		ok = h->id_size == 8 ? hprof_heap_run(h, &p, end, 8) : hprof_heap_run(h, &p, end, 4);
		if (h->failed || h->ids.failed)
			break;
		h->whole |= p > from;
		from = p;
		if (ok)
			break;
		/* The segment is shorter than its length. */
		if (hprof_is_short(h->data, h->size, p)) {
			h->lost.lengths += !open;
			break;
		}
		next = hprof_resync(h, p + 1, end);
		assert(next > p);
		hprof_lost(h, next == h->size ? &h->lost.tail_bytes : &h->lost.skipped_bytes, p, next - p);
		p = from = next;
	}
	h->failed |= h->ids.failed;
	h->lost.overruns += p > end && !h->failed;
	return p;
}
