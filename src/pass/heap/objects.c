/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * objects: where each object of a heap dump lies, its class, its length, and
 * what it refers to.
 *
 * The second and last walk over the file: every address becomes a number at once, because all
 * of them are known.  The lists come in the order of the file, which is mostly that of the
 * addresses; runs of them are put into the order of the objects at the end.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "icecore/facts.h"
#include "objects.h"

#define WINDOW (4u << 20)	/* bytes of the file that are in memory at once */
#define PARTS 4u		/* parts for each thread, so that all threads end at about the same time */
#define EXTENTS_LEAST 4u
#define BATCH 16u		/* objects whose references are fetched before they are looked up */

/* ---- lists as they are met -------------------------------------------------------- */

/* A list under construction: its bytes follow room for a head. */
struct list {
	uint8_t		*from, *p;
	uint32_t	 self, last;
	uint8_t		 strength;	/* with LIST_CHAINED */
};

#define HEAD_MAX 10u

static bool
begin(struct objects *o, uint32_t object, uint64_t most, struct list *l)
{
	uint64_t need = o->pos + HEAD_MAX + (most + 2) * STEP_MAX;

	assert(object != 0 && object <= o->h.objects && o->pos <= o->reserved);
	if (need > o->reserved) {
		if (!scratch_grow(&o->stream.raw, need, o->err))
			return false;
		o->reserved = o->stream.raw.size;
	}
	l->from = l->p = o->stream.at + o->pos + HEAD_MAX;
	l->self = l->last = object;
	l->strength = 0;
	return true;
}

static inline void
objects_put(struct objects *o, struct list *l, uint64_t addr)
{
	uint32_t to;

	if (addr == 0)
		return;
	to = heap_ids_find(&o->h.ids, addr);
	if (to == 0) {
		o->missing++;
		return;
	}
	l->p = put_step(l->p, l->last, to);
	l->last = to;
}

/* Most lists are short: copying sixteen bytes costs less than a call of memcpy. */
static inline void
move_list(uint8_t *to, const uint8_t *from, uint64_t n)
{
	uint64_t a, b;

	if (n > 16) {
		memmove(to, from, n);
		return;
	}
	memcpy(&a, from, 8);
	memcpy(&b, from + 8, 8);
	memcpy(to, &a, 8);
	memcpy(to + 8, &b, 8);
}

/* Moves the list to the front of its room, behind a head where it needs one. */
static bool
objects_end(struct objects *o, struct list *l)
{
	uint64_t n = (uint64_t)(l->p - l->from);
	uint8_t *to = o->stream.at + o->pos;

	assert(l->p >= l->from && (uint64_t)(l->p - o->stream.at) <= o->reserved);
	if (l->self != o->next && !array_add(&o->runs, &o->nruns,
	    (&(struct list_run){ (uint64_t)l->self << 32, o->pos }), o->err))
		return false;
	assert(o->nruns > 0);
	o->runs.at[o->nruns - 1].objects++;
	o->next = l->self + 1;
	o->len[l->self - 1] = n >= HEAP_LONG_LIST || l->strength != 0 ? HEAP_LONG_LIST : (uint8_t)n;
	if (o->len[l->self - 1] == HEAP_LONG_LIST)
		to = put_number(to, n << LIST_LENGTH | l->strength);
	move_list(to, l->from, n);
	o->pos = (uint64_t)(to + n - o->stream.at);
	return true;
}

/* ---- one object --------------------------------------------------------------------- */

static inline uint64_t
objects_id_at(const struct objects *o, uint64_t at)
{
	return o->h.id_size == 8 ? be64(o->h.data + at) : be32(o->h.data + at);
}

/* Add a chained reference.  A missing target does not count as lost. */
static void
put_chain(struct objects *o, struct list *l, uint64_t addr)
{
	if (addr == 0 || heap_ids_find(&o->h.ids, addr) == 0)
		return;
	l->strength = LIST_CHAINED;
	objects_put(o, l, addr);
}

static bool
objects_put_instance(struct objects *o, uint32_t object, uint32_t class, const struct heap_record *r)
{
	const struct class_plan *plan = class_plan(o->plans, class);
	const uint32_t *ref;
	struct list l;
	uint64_t addr;

	if (!begin(o, object, plan->n + 2, &l))
		return false;
	ref = o->plans->refs.at + plan->first;
	o->short_records += r->bytes != plan->bytes;
	if (plan->chain != PLAN_NONE && r->bytes >= (uint64_t)plan->chain + o->h.id_size)
		put_chain(o, &l, objects_id_at(o, r->data + plan->chain));
	if (plan->referent != PLAN_NONE && r->bytes >= (uint64_t)plan->referent + o->h.id_size) {
		addr = objects_id_at(o, r->data + plan->referent);
		if (addr != 0 && heap_ids_find(&o->h.ids, addr) != 0)
			l.strength |= plan->strength;
		objects_put(o, &l, addr);
	}
	for (; ref < o->plans->refs.at + plan->first + plan->n; ref++)
		if (r->bytes >= (uint64_t)*ref + o->h.id_size)
			objects_put(o, &l, objects_id_at(o, r->data + *ref));
	return objects_end(o, &l);
}

static bool
objects_put_elements(struct objects *o, uint32_t object, const struct heap_record *r)
{
	uint32_t n = r->tag == TAG_OBJECTS ? r->length : 0;
	struct list l;

	if (!begin(o, object, n, &l))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (n > BATCH && n - i > BATCH)
			heap_ids_fetch(&o->h.ids, objects_id_at(o,
			    r->data + (i + BATCH) * (uint64_t)o->h.id_size));
		objects_put(o, &l, objects_id_at(o, r->data + (uint64_t)i * o->h.id_size));
		if (i % TICK == TICK - 1 && !work_tick(o->work, r->data))
			return fail_cancel(o->err);
	}
	return objects_end(o, &l);
}

static bool
objects_put_class(struct objects *o, uint32_t object, const struct heap_record *r)
{
	const unsigned id = o->h.id_size;
	struct hprof_members m = hprof_members(o->h.data, id, r);
	struct list l;

	if (!begin(o, object, r->bytes / (id + 1) + 8, &l))
		return false;
	/* Superclass, loader, signers, protection domain. */
	for (uint64_t i = 0; i < 4; i++)
		objects_put(o, &l, objects_id_at(o, r->data + 4 + (i + 1) * id));
	while (hprof_member(&m))
		if (m.list == LIST_STATICS && m.type <= HEAP_OBJECT)
			objects_put(o, &l, objects_id_at(o, m.value));
	return objects_end(o, &l);
}

static bool
put_length(struct objects *o, uint32_t object, uint32_t length)
{
	struct long_row row = { object, length };

	o->length[object - 1] = length < HEAP_LONG_LIST ? (uint8_t)length : HEAP_LONG_LIST;
	return length < HEAP_LONG_LIST || array_add(&o->longs, &o->nlongs, &row, o->err);
}

/* The object of a class that has its own record. */
static bool
is_class(struct objects *o, uint64_t addr)
{
	uint32_t class = idmap_get(&o->plans->numbers, addr + 1);

	return class != 0 && column_get(o->h.class_object, (uint64_t)class - 1) != 0;
}

static bool
put_object(struct objects *o, const struct heap_record *r)
{
	uint32_t object = heap_ids_find(&o->h.ids, r->id), class;

	/* A class that is an instance as well: its own record counts. */
	if (r->tag == TAG_INSTANCE && class_number(o->plans, &o->cache, r) == o->h.class_class &&
	    is_class(o, r->id))
		return true;
	/* A record of an object that had one already: the first one counts. */
	if (object == 0 || o->offset[object - 1] != 0 || (o->high && o->high[object - 1] != 0))
		return true;
	assert(object <= o->h.objects);
	o->offset[object - 1] = (uint32_t)r->offset;
	if (o->high != NULL)
		o->high[object - 1] = (uint8_t)(r->offset >> 32);
	class = class_number(o->plans, &o->cache, r);
	column_set(o->class, o->class_type, object - 1, class);
	if (r->tag == TAG_INSTANCE)
		return objects_put_instance(o, object, class, r);
	if (r->tag == TAG_CLASS)
		return objects_put_class(o, object, r);
	return put_length(o, object, r->length) && objects_put_elements(o, object, r);
}

/* ---- the walk ------------------------------------------------------------------------ */

/* Prefetches what looking up the references of an object will read. */
static void
objects_fetch(struct objects *o, const struct heap_record *r)
{
	const unsigned id = o->h.id_size;
	const struct class_plan *plan;
	const uint32_t *ref;

	heap_ids_fetch(&o->h.ids, r->id);
	if (r->tag == TAG_OBJECTS)
		for (uint32_t i = 0; i < r->length && i < BATCH; i++)
			heap_ids_fetch(&o->h.ids, objects_id_at(o, r->data + i * id));
	if (r->tag != TAG_INSTANCE)
		return;
	plan = class_plan(o->plans, class_number(o->plans, &o->cache, r));
	ref = o->plans->refs.at + plan->first;
	for (uint32_t i = 0; i < plan->n && i < BATCH; i++)
		if (r->bytes >= (uint64_t)ref[i] + id)
			heap_ids_fetch(&o->h.ids, objects_id_at(o, r->data + ref[i]));
}

/* The next objects of an extent: n of them; *p is behind them. */
static bool
objects_walk_batch(struct objects *o, uint64_t *p, uint64_t to)
{
	struct heap_record r[BATCH];
	unsigned n;

	for (n = 0; n < BATCH && *p < to; *p = r[n++].next)
		if (!heap_next_record(o->h.data, to, o->h.id_size, *p, &r[n])) {
			*p = to;
			break;
		} else
			objects_fetch(o, &r[n]);
	for (unsigned i = 0; i < n; i++)
		if (!put_object(o, &r[i]))
			return false;
	return true;
}

static bool
walk_extent(struct objects *o, uint64_t p, uint64_t to, const struct map *source)
{
	uint64_t window = p, tick = p;

	while (p < to) {
		if (!objects_walk_batch(o, &p, to))
			return false;
		if (p - tick < TICK)
			continue;
		tick = p;
		if (!work_go(o->work, p, o->err))
			return false;
		if (p - window >= WINDOW) {
			map_forget(source, window, p);
			window = p;
		}
	}
	assert(p == to);
	map_forget(source, window, to);
	return true;
}

/* Get extent i; false if it is not inside of the file. */
static bool
extent(const struct store *st, uint64_t i, uint64_t size, uint64_t *from, uint64_t *to)
{
	*from = column_get(store_column(st, COL_EXTENT_FROM), i);
	*to = column_get(store_column(st, COL_EXTENT_TO), i);
	return *to <= size && *from <= *to;
}

static bool
objects_walk_part(void *arg, uint64_t part, struct work *work, struct err *err)
{
	struct objects *o = (struct objects *)arg + part;
	uint64_t from, to;

	assert(o->first <= o->end);
	o->work = work;
	o->err = err;
	if (!scratch_grow(&o->stream.raw, HEAD_MAX, err))
		return false;
	for (uint64_t i = o->first; i < o->end; i++)
		if (extent(o->st, i, o->h.size, &from, &to) && !walk_extent(o, from, to, store_source(o->st)))
			return false;
	return true;
}

/* ---- the pass ------------------------------------------------------------------------------------ */

static bool
objects_make_columns(struct objects *o)
{
	uint64_t n = o->h.objects;

	o->class_type = column_fit(o->h.classes);
	if (!array_grow(&o->offsets, n, o->err) ||
	    (o->h.size > UINT32_MAX && !array_grow(&o->highs, n, o->err)))
		return false;
	o->offset = o->offsets.at;
	o->high = o->highs.at;
	o->class = store_make(o->st, COL_OBJECT_CLASS, o->class_type, n, o->err);
	o->length = o->class == NULL ? NULL : store_make(o->st, COL_OBJECT_LENGTH, COL_U8, n, o->err);
	o->len = o->length == NULL ? NULL : store_make(o->st, COL_OUT_LEN, COL_U8, n, o->err);
	return o->len != NULL;
}

/*
 * Divides the extents into parts of about one size, in the order of the file: *n of them, at most most.  Each
 * is as all is to begin with.
 */
static void
objects_divide(const struct objects *all, struct objects *part, uint64_t most, uint64_t *n)
{
	uint64_t extents = column_rows(store_column(all->st, COL_EXTENT_FROM)), from, to, bytes = 0;

	part[0] = *all;
	*n = 1;
	for (uint64_t i = 0; i < extents; i++) {
		if (bytes >= all->h.size / most * *n && *n < most && i > part[*n - 1].first) {
			part[*n] = *all;
			part[(*n)++].first = i;
		}
		part[*n - 1].end = i + 1;
		bytes += extent(all->st, i, all->h.size, &from, &to) ? to - from : 0;
	}
	assert(*n <= most && part[*n - 1].end == extents);
}

/* Use one part if objects have several records: the first record counts, which needs a scan by one thread. */
static uint64_t
objects_parts_of(const struct store *st)
{
	bool together = pool_size() > 1 && fact_value(st, FACT_HEAP_TWICE) == 0 &&
	    column_rows(store_column(st, COL_EXTENT_FROM)) >= EXTENTS_LEAST;

	if (!together)
		return 1;
	return pool_size() < PARTS_MOST / PARTS ? pool_size() * PARTS : PARTS_MOST;
}

static bool
objects_put_facts(const struct objects *part, uint64_t n, struct err *err)
{
	uint64_t missing = 0, short_records = 0;

	for (uint64_t i = 0; i < n; i++) {
		missing += part[i].missing;
		short_records += part[i].short_records;
	}
	return (missing == 0 || fact_set(part->st, FACT_MISSING, missing, err)) &&
	    (short_records == 0 || fact_set(part->st, FACT_REPAIR_FIELD_LENGTHS, short_records, err));
}

static bool
objects_make(struct objects *all, struct work *w, struct err *err)
{
	uint64_t most = objects_parts_of(all->st), n;
	struct objects *part = mem_array(most, sizeof *part);
	bool ok;

	if (part == NULL)
		return fail_memory(err, "objects");
	objects_divide(all, part, most, &n);
	work_start(w, "objects", all->h.size);
	ok = pool_run(w, n, objects_walk_part, part, err);
	part->work = w;
	part->err = err;
	ok = ok && objects_offsets(part) && objects_lengths(part, n) && objects_lists(part, n) &&
	    objects_put_facts(part, n, err);
	for (uint64_t i = 0; i < n; i++)
		SCRATCH_FREE(&part[i].runs, &part[i].stream, &part[i].longs);
	free(part);
	return ok;
}

static bool
objects_run(struct store *st, struct work *w, struct err *err)
{
	struct objects o = { .st = st, .work = w, .err = err };
	struct class_plans plans;
	bool ok;

	if (!heap_open(&o.h, st, REFS_ALL, SIZES_VM, err))
		return false;
	scratch_budget_input(o.h.size, o.h.objects);
	o.plans = &plans;
	if (!class_plans_open(&plans, &o.h, err))
		return false;
	ok = objects_make_columns(&o) && objects_make(&o, w, err);
	class_plans_close(&plans);
	SCRATCH_FREE(&o.offsets, &o.highs);
	return ok;
}

const struct pass pass_objects = {
	.name = "objects", .what = "objects", .run = objects_run,
	.needs = PASS_COLUMNS(COL_CLASS_OBJECT),
	.makes = PASS_COLUMNS(COL_OBJECT_OFFSET, COL_OFFSET_BLOCK, COL_FAR_OBJECT, COL_FAR_OFFSET,
	    COL_OBJECT_CLASS, COL_OBJECT_LENGTH,
	    COL_LONG_OBJECT, COL_LONG_LENGTH, COL_OUT_DATA, COL_OUT_LEN, COL_OUT_BLOCK, COL_LOCAL_THREAD,
	    COL_LOCAL_ROOT)
};
