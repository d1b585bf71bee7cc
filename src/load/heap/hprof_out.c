/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_out: write a heap dump's tables as columns and facts.
 */
#include "config.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_forms.h"
#include "icecore/columns_heap.h"
#include "icecore/facts.h"
#include "hprof_classes.h"

/* ---- members of rows as columns ------------------------------------------------- */

static const struct make_column extents[] = {
	MAKE(COL_EXTENT_FROM, extent, from), MAKE(COL_EXTENT_TO, extent, to),
}, classes[] = {
	MAKE(COL_CLASS_ADDR, class_row, addr), MAKE(COL_CLASS_NAME, class_row, name_ref),
	MAKE(COL_CLASS_SUPER, class_row, super), MAKE(COL_CLASS_LOADER, class_row, loader),
	MAKE(COL_CLASS_DUMP, class_row, dump), MAKE(COL_CLASS_SIZE, class_row, size),
	MAKE(COL_CLASS_ELEMENT, class_row, element), MAKE(COL_CLASS_STRENGTH, class_row, strength),
	MAKE(COL_CLASS_OBJECTS, class_row, count), MAKE(COL_CLASS_STATICS, class_row, static_bytes),
	MAKE(COL_CLASS_STATIC_REFS, class_row, static_refs),
	MAKE(COL_CLASS_STATIC_ADDED, class_row, static_added), MAKE(COL_CLASS_STATIC_WIDE, class_row, static_wide),
	MAKE(COL_CLASS_SERIAL, class_row, serial),
	MAKE(COL_CLASS_FIELD, class_row, field), MAKE(COL_CLASS_FIELDS, class_row, fields),
}, fields[] = {
	MAKE(COL_FIELD_NAME, field_row, name), MAKE(COL_FIELD_TYPE, field_row, type),
}, threads[] = {
	MAKE(COL_JTHREAD_SERIAL, thread_row, serial), MAKE(COL_JTHREAD_NAME, thread_row, name),
	MAKE(COL_JTHREAD_TRACE, thread_row, trace),
}, traces[] = {
	MAKE(COL_TRACE_SERIAL, trace_row, serial), MAKE(COL_TRACE_THREAD, trace_row, thread),
	MAKE(COL_TRACE_OFFSET, trace_row, offset), MAKE(COL_TRACE_FRAMES, trace_row, frames),
}, frames[] = {
	MAKE(COL_SFRAME_ID, pair, id), MAKE(COL_SFRAME_OFFSET, pair, offset),
}, strings[] = {
	MAKE(COL_NAME_ID, pair, id), MAKE(COL_NAME_REF, pair, offset),
}, parts[] = {
	MAKE(COL_PART_FROM, pair, offset), MAKE(COL_PART_NAME, pair, id),
};

/* Columns made from the rows of each table. */
static const struct {
	int			 table;
	size_t			 size;
	const struct make_column *column;
	size_t			 n;
} tables[] = {
	{ EXTENTS, sizeof(struct extent), extents, NELEM(extents) },
	{ CLASSES, sizeof(struct class_row), classes, NELEM(classes) },
	{ FIELDS, sizeof(struct field_row), fields, NELEM(fields) },
	{ THREADS, sizeof(struct thread_row), threads, NELEM(threads) },
	{ TRACES, sizeof(struct trace_row), traces, NELEM(traces) },
	{ FRAMES, sizeof(struct pair), frames, NELEM(frames) },
	{ STRINGS, sizeof(struct pair), strings, NELEM(strings) },
	{ PARTS, sizeof(struct pair), parts, NELEM(parts) },
};

/* Replace the ids of names with the names. */
static void
resolve_names(struct hprof *h)
{
	for (uint64_t i = 0; i < h->table[FIELDS].n; i++) {
		struct field_row *f = ROW(h->table[FIELDS], struct field_row, i);

		f->name = hprof_name(h, f->name);
	}
	for (uint64_t i = 0; i < h->table[THREADS].n; i++) {
		struct thread_row *t = ROW(h->table[THREADS], struct thread_row, i);

		t->name = hprof_name(h, t->name);
	}
	for (uint64_t i = 0; i < h->table[PARTS].n; i++) {
		struct pair *p = ROW(h->table[PARTS], struct pair, i);

		p->id = hprof_name(h, p->id);
	}
}

static bool
out_members(struct hprof *h, struct err *err)
{
	resolve_names(h);
	if (!hprof_sort_pairs(h, FRAMES))
		return false;
	for (size_t i = 0; i < NELEM(tables); i++) {
		struct table *t = &h->table[tables[i].table];
		struct make_rows rows = { t->rows.data, t->n, tables[i].size, 0, 0, NULL };

		if (!make_columns(h->st, tables[i].column, tables[i].n, rows, err))
			return false;
	}
	return true;
}

/* ---- data that needs object numbers --------------------------------------------------- */

struct numbered {
	uint32_t	object, class;
};

static int
hprof_out_by_object(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return num_order(x->object, y->object, 0);
}

/* class.by_object from class.object. */
static bool
out_by_object(struct hprof *h, const uint32_t *object, uint64_t dumps, struct err *err)
{
	struct numbered *row = mem_array(dumps + 1, sizeof *row);
	uint64_t n = 0;
	uint32_t *to;

	if (row == NULL)
		return fail(err, E_SYSTEM, "out of memory (classes)");
	for (uint64_t i = 0; i < h->table[CLASSES].n && n < dumps; i++)
		if (object[i] != 0)
			row[n++] = (struct numbered){ object[i], (uint32_t)i + 1 };
	assert(n <= dumps);
	qsort(row, n, sizeof *row, hprof_out_by_object);
	to = store_make(h->st, COL_CLASS_BY_OBJECT, COL_U32, n, err);
	for (uint64_t i = 0; to != NULL && i < n; i++)
		to[i] = row[i].class;
	free(row);
	return to != NULL;
}

static bool
out_objects(struct hprof *h, const struct heap_ids *ids, const struct class_facts *f,
    struct err *err)
{
	uint64_t n = h->table[CLASSES].n;
	uint32_t *object = store_make(h->st, COL_CLASS_OBJECT, COL_U32, n, err);

	for (uint64_t i = 0; object != NULL && i < n; i++)
		if (hprof_class_row(h, (uint32_t)i + 1)->dump != 0 &&
		    !hprof_class_row(h, (uint32_t)i + 1)->foreign)
			object[i] = heap_ids_find(ids, hprof_class_row(h, (uint32_t)i + 1)->addr);
	if (object == NULL || !out_by_object(h, object, f->dumps, err))
		return false;
	n = h->table[THREADS].n;
	object = store_make(h->st, COL_JTHREAD_OBJECT, COL_U32, n, err);
	for (uint64_t i = 0; object != NULL && i < n; i++)
		object[i] = heap_ids_find(ids, ROW(h->table[THREADS], struct thread_row, i)->object);
	return object != NULL &&
	    make_copy(h->st, COL_LOADER_OBJECT, COL_U32, f->loaders.rows.data, f->loaders.n, err);
}

/* Without sticky class roots, the classes of the boot loader are roots: they are never unloaded. */
static bool
add_boot_classes(struct hprof *h)
{
	const struct class_row *c;
	struct root_row r;

	for (uint64_t i = 0; i < h->table[ROOTS].n; i++)
		if (ROW(h->table[ROOTS], struct root_row, i)->kind == ROOT_STICKY_CLASS)
			return true;
	for (uint64_t i = 1; i <= h->table[CLASSES].n; i++) {
		c = hprof_class_row(h, (uint32_t)i);
		if (c->dump == 0 || c->loader != 1 || c->element != 0)
			continue;
		r = (struct root_row){ .id = c->addr, .depth = ROOT_NO_FRAME, .kind = ROOT_BOOT_CLASS };
		if (!hprof_add(h, &h->table[ROOTS], &r, sizeof r))
			return false;
	}
	return true;
}

/*
 * HotSpot writes no fields of instances of java.lang.Class, so that nothing in the dump refers to the map of the values
 * that ClassValues computed for a class.  It lives as long as the class.
 */
static bool
add_class_values(struct hprof *h)
{
	struct root_row r = { .depth = ROOT_NO_FRAME, .kind = ROOT_CLASS_VALUES };

	for (uint64_t i = 0; i < h->table[VALUES].n && !h->android; i++) {
		r.id = ROW(h->table[VALUES], struct pair, i)->id;
		if (!hprof_add(h, &h->table[ROOTS], &r, sizeof r))
			return false;
	}
	return true;
}

static bool
out_roots(struct hprof *h, const struct heap_ids *ids, uint64_t *absent, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_ROOT_OBJECT, root_row, object), MAKE(COL_ROOT_THREAD, root_row, serial),
		MAKE(COL_ROOT_DEPTH, root_row, depth), MAKE(COL_ROOT_KIND, root_row, kind),
	};
	struct root_row *first = SCRATCH(h->table[ROOTS].rows, struct root_row), *r, *to = first;

	/* Drop roots without an object; replace the serial of a thread with its row. */
	for (uint64_t i = 0; i < h->table[ROOTS].n; i++) {
		r = first + i;
		if ((r->object = heap_ids_find(ids, r->id)) == 0)
			continue;
		r->serial = root_is_local(r->kind) || r->kind == ROOT_THREAD ?
		    idmap_get(&h->thread_map, (uint64_t)r->serial + 1) : 0;
		*to++ = *r;
	}
	*absent = h->table[ROOTS].n - (uint64_t)(to - first);
	return make_columns(h->st, columns, NELEM(columns), MAKE_ROWS(first, (uint64_t)(to - first)), err);
}

/* ---- facts ------------------------------------------------------------------------------ */

/* A dump that the writer did not finish may lack objects, and roots, which come last. */
static bool
no_end(const struct hprof *h)
{
	return h->no_length || (h->open_segments && !h->end_record);
}

/* JDK 22 and later first write objects to separate files; a dump without objects may have lost them. */
static void
unfinished(const struct hprof *h, uint64_t beside, const char *roots, char *text, size_t room)
{
	if (beside > 0)
		snprintf(text, room, "unfinished: the process ended while it wrote the dump; %llu part%s beside the "
		    "file also read; "
		    "%llu objects read%s", (unsigned long long)beside, beside == 1 ? "" : "s",
		    (unsigned long long)h->ids.n, roots);
	else
		snprintf(text, room, "no objects: the dump is unfinished; JDK 22 and later write objects to NAME.p0, "
		    "NAME.p1, ... first; put those files "
		    "beside this one");
}

static void
hprof_out_loss_reason(const struct hprof *h, char *text, size_t room)
{
	unsigned long long at = h->lost.first, size = h->size, n = h->ids.n;
	uint64_t beside = fact_value(h->st, FACT_PARTS);
	const char *roots = h->table[ROOTS].n > 0 || n == 0 ? "" :
	    "; no GC roots: unreferenced objects used as roots";

	text[0] = '\0';
	if (beside > 0 || (!h->heap && h->table[STRINGS].n > 0))
		unfinished(h, beside, roots, text, room);
	else if (h->lost.cut_bytes > 0 || h->lost.tail_bytes > 0)
		snprintf(text, room, "truncated at byte %llu of %llu; %llu objects read%s",
		    at > 0 ? at : size, size + h->lost.cut_bytes, n, roots);
	else if (h->lost.skipped_bytes > 0)
		snprintf(text, room, "damaged at byte %llu: %llu bytes skipped; %llu objects read%s",
		    at, (unsigned long long)h->lost.skipped_bytes, n, roots);
	else if (no_end(h))
		snprintf(text, room, "no end record: the writing process may have crashed; %llu objects read%s",
		    n, roots);
	else if (!h->heap)
		snprintf(text, room, "header only: no heap in this file");
}

/*
 * Classes whose address is also used by another record. Instances of java.lang.Class do not count: the pass skips
 * them.
 */
static uint64_t
classes_twice(const struct hprof *h)
{
	uint64_t n = 0;

	for (uint32_t i = 1; i <= h->table[CLASSES].n; i++)
		n += hprof_class_row(h, i)->instance || hprof_class_row(h, i)->foreign;
	return n;
}

static bool
out_facts(struct hprof *h, const struct class_facts *f, uint64_t absent, bool pseudo, struct err *err)
{
	char reason[400];

	hprof_out_loss_reason(h, reason, sizeof reason);
	const struct make_fact facts[] = {
		{ FACT_OBJECTS, h->ids.n }, { FACT_CLASSES, f->dumps }, { FACT_LOADERS, f->loaders.n },
		{ FACT_ROOTS, h->table[ROOTS].n }, { FACT_THREADS, h->table[THREADS].n },
		{ FACT_NAMES, h->table[STRINGS].n },
		{ FACT_DUMPS, h->dumps > 1 ? h->dumps : 0, MAKE_ANY },
		{ FACT_DUMP, h->dumps > 1 ? h->want : 0, MAKE_ANY },
		{ FACT_REPAIR_DOUBLES, h->lost.doubles, MAKE_ANY },
		{ FACT_REPAIR_BAD_RECORDS, h->lost.bad_records, MAKE_ANY },
		{ FACT_REPAIR_LENGTHS, h->lost.lengths + h->lost.overruns, MAKE_ANY },
		{ FACT_REPAIR_ZEROS, h->lost.zeros, MAKE_ANY },
		{ FACT_REPAIR_SUPER_CYCLES, f->cycles, MAKE_ANY },
		{ FACT_REPAIR_NO_SUPER, f->no_super, MAKE_ANY },
		{ FACT_REPAIR_NO_CLASS, h->lost.no_class, MAKE_ANY },
		{ FACT_REPAIR_ABSENT_ROOTS, absent, MAKE_ANY },
		{ FACT_REPAIR_NO_ROOTS, h->table[ROOTS].n == 0 && h->ids.n > 0, MAKE_ANY },
		{ FACT_LOSS_CUT_BYTES, h->lost.cut_bytes, MAKE_ANY },
		{ FACT_LOSS_TAIL_BYTES, h->lost.tail_bytes, MAKE_ANY },
		{ FACT_LOSS_SKIPPED_BYTES, h->lost.skipped_bytes, MAKE_ANY },
		{ FACT_LOSS_NO_END, no_end(h), MAKE_ANY },
		{ FACT_LOSS_NO_HEAP, !h->heap, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
		{ FACT_HEAP_CLASS_CLASS, f->class_class }, { FACT_HEAP_PSEUDO, pseudo },
		{ FACT_HEAP_TWICE, h->lost.doubles + classes_twice(h), MAKE_ANY },
	};

	return unread_facts(&h->unread, h->st, err) && make_facts(h->st, facts, NELEM(facts), err);
}

bool
hprof_out(struct hprof *h, struct err *err)
{
	struct class_facts f = { .order = NULL };
	struct heap_ids ids;
	uint64_t absent = 0;
	bool pseudo = h->table[ROOTS].n == 0, ok;

	ok = ids_in_out(&h->ids, h->st, &ids, err) && hprof_classes(h, &ids, &f) &&
	    hprof_layout(h, &ids, f.order, f.class_class, err) &&
	    out_members(h, err) && out_objects(h, &ids, &f, err) &&
	    (pseudo || (add_boot_classes(h) && add_class_values(h))) && out_roots(h, &ids, &absent, err) &&
	    out_facts(h, &f, absent, pseudo, err);
	free(f.order);
	scratch_free(&f.loaders.rows);
	return ok;
}
