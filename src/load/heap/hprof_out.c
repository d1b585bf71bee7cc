/*
 * hprof_out: what was read of a heap dump, as columns and facts.
 */
#include "config.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hprof_classes.h"

/* ---- members of rows as columns ------------------------------------------------- */

/* A member of the rows of a table, u8, u32 or u64 by its size, becomes a column. */
struct member {
	enum col	 column;
	int		 table;
	size_t		 size, offset, width;
};

#define MEMBER(column, table, type, field) \
	{ column, table, sizeof(struct type), offsetof(struct type, field), \
	    sizeof ((struct type *)0)->field }

static const struct member members[] = {
	MEMBER(COL_EXTENT_FROM, EXTENTS, extent, from),
	MEMBER(COL_EXTENT_TO, EXTENTS, extent, to),
	MEMBER(COL_CLASS_ADDR, CLASSES, class_row, addr),
	MEMBER(COL_CLASS_NAME, CLASSES, class_row, name_ref),
	MEMBER(COL_CLASS_SUPER, CLASSES, class_row, super),
	MEMBER(COL_CLASS_LOADER, CLASSES, class_row, loader),
	MEMBER(COL_CLASS_DUMP, CLASSES, class_row, dump),
	MEMBER(COL_CLASS_SIZE, CLASSES, class_row, size),
	MEMBER(COL_CLASS_ELEMENT, CLASSES, class_row, element),
	MEMBER(COL_CLASS_STRENGTH, CLASSES, class_row, strength),
	MEMBER(COL_CLASS_OBJECTS, CLASSES, class_row, count),
	MEMBER(COL_CLASS_STATICS, CLASSES, class_row, static_bytes),
	MEMBER(COL_CLASS_STATIC_REFS, CLASSES, class_row, static_refs),
	MEMBER(COL_CLASS_SERIAL, CLASSES, class_row, serial),
	MEMBER(COL_CLASS_FIELD, CLASSES, class_row, field),
	MEMBER(COL_CLASS_FIELDS, CLASSES, class_row, fields),
	MEMBER(COL_FIELD_NAME, FIELDS, field_row, name),
	MEMBER(COL_FIELD_TYPE, FIELDS, field_row, type),
	MEMBER(COL_JTHREAD_SERIAL, THREADS, thread_row, serial),
	MEMBER(COL_JTHREAD_NAME, THREADS, thread_row, name),
	MEMBER(COL_JTHREAD_TRACE, THREADS, thread_row, trace),
	MEMBER(COL_TRACE_SERIAL, TRACES, trace_row, serial),
	MEMBER(COL_TRACE_THREAD, TRACES, trace_row, thread),
	MEMBER(COL_TRACE_OFFSET, TRACES, trace_row, offset),
	MEMBER(COL_TRACE_FRAMES, TRACES, trace_row, frames),
	MEMBER(COL_SFRAME_ID, FRAMES, pair, id),
	MEMBER(COL_SFRAME_OFFSET, FRAMES, pair, offset),
	MEMBER(COL_NAME_ID, STRINGS, pair, id),
	MEMBER(COL_NAME_REF, STRINGS, pair, offset),
	MEMBER(COL_PART_FROM, PARTS, pair, offset),
	MEMBER(COL_PART_NAME, PARTS, pair, id)
};

static bool
out_member(struct hprof *h, const struct member *m, struct err *err)
{
	uint64_t n = h->table[m->table].n, i;
	enum column_type type = m->width == 1 ? COL_U8 : m->width == 4 ? COL_U32 : COL_U64;
	uint8_t *to = store_make(h->st, m->column, type, n, err);
	const uint8_t *from = h->table[m->table].rows.data;

	if (to == NULL)
		return false;
	for (i = 0; i < n; i++)
		memcpy(to + i * m->width, from + i * m->size + m->offset, m->width);
	return true;
}

/* Ids of names become the names. */
static void
resolve_names(struct hprof *h)
{
	uint64_t i;

	for (i = 0; i < h->table[FIELDS].n; i++) {
		struct field_row *f = ROW(h->table[FIELDS], struct field_row, i);

		f->name = hprof_name(h, f->name);
	}
	for (i = 0; i < h->table[THREADS].n; i++) {
		struct thread_row *t = ROW(h->table[THREADS], struct thread_row, i);

		t->name = hprof_name(h, t->name);
	}
	for (i = 0; i < h->table[PARTS].n; i++) {
		struct pair *p = ROW(h->table[PARTS], struct pair, i);

		p->id = hprof_name(h, p->id);
	}
}

static bool
out_members(struct hprof *h, struct err *err)
{
	size_t i;

	resolve_names(h);
	if (!hprof_sort_pairs(h, FRAMES))
		return false;
	for (i = 0; i < NELEM(members); i++)
		if (!out_member(h, &members[i], err))
			return false;
	return true;
}

/* ---- what needs the numbers of objects ------------------------------------------------ */

struct numbered {
	uint32_t	object, class;
};

static int
by_object(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return (x->object > y->object) - (x->object < y->object);
}

/* class.by_object from class.object. */
static bool
out_by_object(struct hprof *h, const uint32_t *object, uint64_t dumps, struct err *err)
{
	struct numbered *row = mem_array(dumps + 1, sizeof *row);
	uint64_t i, n = 0;
	uint32_t *to;

	if (row == NULL)
		return fail(err, E_SYSTEM, "no memory for classes");
	for (i = 0; i < h->table[CLASSES].n && n < dumps; i++)
		if (object[i] != 0)
			row[n++] = (struct numbered){ object[i], (uint32_t)i + 1 };
	qsort(row, n, sizeof *row, by_object);
	to = store_make(h->st, COL_CLASS_BY_OBJECT, COL_U32, n, err);
	for (i = 0; to != NULL && i < n; i++)
		to[i] = row[i].class;
	free(row);
	return to != NULL;
}

static bool
out_objects(struct hprof *h, const struct heap_ids *ids, const struct class_facts *f,
    struct err *err)
{
	uint64_t n = h->table[CLASSES].n, i;
	uint32_t *object = store_make(h->st, COL_CLASS_OBJECT, COL_U32, n, err);

	for (i = 0; object != NULL && i < n; i++)
		if (hprof_class_row(h, (uint32_t)i + 1)->dump != 0 &&
		    !hprof_class_row(h, (uint32_t)i + 1)->foreign)
			object[i] = heap_ids_find(ids, hprof_class_row(h, (uint32_t)i + 1)->addr);
	if (object == NULL || !out_by_object(h, object, f->dumps, err))
		return false;
	n = h->table[THREADS].n;
	object = store_make(h->st, COL_JTHREAD_OBJECT, COL_U32, n, err);
	for (i = 0; object != NULL && i < n; i++)
		object[i] = heap_ids_find(ids, ROW(h->table[THREADS], struct thread_row, i)->object);
	object = object == NULL ? NULL : store_make(h->st, COL_LOADER_OBJECT, COL_U32,
	    f->loaders.n, err);
	if (object != NULL)
		memcpy(object, f->loaders.rows.data, f->loaders.n * sizeof *object);
	return object != NULL;
}

/* Without sticky classes the classes of the boot loader are roots, as all of them are loaded for good. */
static bool
add_boot_classes(struct hprof *h)
{
	const struct class_row *c;
	struct root_row *r;
	uint64_t i;

	for (i = 0; i < h->table[ROOTS].n; i++)
		if (ROW(h->table[ROOTS], struct root_row, i)->kind == ROOT_STICKY_CLASS)
			return true;
	for (i = 1; i <= h->table[CLASSES].n; i++) {
		c = hprof_class_row(h, (uint32_t)i);
		if (c->dump == 0 || c->loader != 1 || c->element != 0)
			continue;
		if ((r = hprof_row(h, &h->table[ROOTS], sizeof *r)) == NULL)
			return false;
		*r = (struct root_row){ .id = c->addr, .depth = ROOT_NO_FRAME, .kind = ROOT_BOOT_CLASS };
	}
	return true;
}

static bool
has_thread(unsigned kind)
{
	return root_is_local(kind) || kind == ROOT_THREAD;
}

static bool
out_roots(struct hprof *h, const struct heap_ids *ids, uint64_t *absent, struct err *err)
{
	uint64_t n = 0, i, k = 0, all = h->table[ROOTS].n;
	uint32_t *object, *thread, *depth;
	const struct root_row *r;
	uint8_t *kind;

	for (i = 0; i < all; i++)
		n += heap_ids_find(ids, ROW(h->table[ROOTS], struct root_row, i)->id) != 0;
	*absent = all - n;
	object = store_make(h->st, COL_ROOT_OBJECT, COL_U32, n, err);
	thread = object == NULL ? NULL : store_make(h->st, COL_ROOT_THREAD, COL_U32, n, err);
	depth = thread == NULL ? NULL : store_make(h->st, COL_ROOT_DEPTH, COL_U32, n, err);
	kind = depth == NULL ? NULL : store_make(h->st, COL_ROOT_KIND, COL_U8, n, err);
	if (kind == NULL)
		return false;
	for (i = 0; i < all; i++) {
		r = ROW(h->table[ROOTS], struct root_row, i);
		if ((object[k] = heap_ids_find(ids, r->id)) == 0)
			continue;
		if (has_thread(r->kind))
			thread[k] = idmap_get(&h->thread_map, (uint64_t)r->serial + 1);
		depth[k] = r->depth;
		kind[k++] = r->kind;
		if (k == n)
			break;
	}
	return true;
}

/* ---- facts ------------------------------------------------------------------------------ */

static bool
count(struct hprof *h, const char *name, uint64_t n, struct err *err)
{
	return n == 0 || store_fact(h->st, name, FACT_COUNT, n, err);
}

static bool
size(struct hprof *h, const char *name, uint64_t n, struct err *err)
{
	return n == 0 || store_fact(h->st, name, FACT_BYTES, n, err);
}

/* What the writer did not finish may lack objects, and the roots, which come last. */
static bool
no_end(const struct hprof *h)
{
	return h->no_length || (h->open_segments && !h->end_record);
}

static bool
out_reason(struct hprof *h, struct err *err)
{
	unsigned long long at = h->lost_at, size = h->size, n = h->ids.n;
	const char *roots = h->table[ROOTS].n > 0 || n == 0 ? "" :
	    "; no roots among them: what nothing refers to is taken as root";
	char text[300];

	if (h->cut_bytes > 0 || h->tail_bytes > 0)
		snprintf(text, sizeof text, "truncated at byte %llu of %llu; %llu objects read%s",
		    at > 0 ? at : size, size + h->cut_bytes, n, roots);
	else if (h->skipped_bytes > 0)
		snprintf(text, sizeof text, "damaged at byte %llu: %llu bytes could not be read; "
		    "%llu objects read%s", at, (unsigned long long)h->skipped_bytes, n, roots);
	else if (no_end(h))
		snprintf(text, sizeof text, "the dump has no end record, its writer may have died; "
		    "%llu objects read%s", n, roots);
	else if (!h->heap)
		snprintf(text, sizeof text, "there is no heap in this file, only its header");
	else
		return true;
	return store_fact_text(h->st, "loss.reason", str_of(text), err);
}

static bool
out_losses(struct hprof *h, const struct class_facts *f, uint64_t absent, struct err *err)
{
	return count(h, "dumps", h->dumps > 1 ? h->dumps : 0, err) &&
	    count(h, "dump", h->dumps > 1 ? h->want : 0, err) &&
	    count(h, "repair.doubles", h->doubles, err) &&
	    count(h, "repair.unknown_records", h->unknown_records, err) &&
	    count(h, "repair.bad_records", h->bad_records, err) &&
	    count(h, "repair.lengths", h->lengths + h->overruns, err) &&
	    count(h, "repair.zeros", h->zeros, err) &&
	    count(h, "repair.super_cycles", f->cycles, err) &&
	    count(h, "repair.no_super", f->no_super, err) &&
	    count(h, "repair.no_class", h->no_class, err) &&
	    count(h, "repair.absent_roots", absent, err) &&
	    count(h, "repair.no_roots", h->table[ROOTS].n == 0 && h->ids.n > 0, err) &&
	    size(h, "loss.cut_bytes", h->cut_bytes, err) &&
	    size(h, "loss.tail_bytes", h->tail_bytes, err) &&
	    size(h, "loss.skipped_bytes", h->skipped_bytes, err) &&
	    count(h, "loss.no_end", no_end(h), err) &&
	    count(h, "loss.no_heap", !h->heap, err) && out_reason(h, err);
}

/* Classes that have objects and no record of their own. */
static void
count_no_class(struct hprof *h)
{
	const struct class_row *c;
	uint32_t i;

	for (i = 1; i <= h->table[CLASSES].n; i++) {
		c = hprof_class_row(h, i);
		h->no_class += c->count > 0 && c->dump == 0 && c->addr != 0;
	}
}

static bool
out_counts(struct hprof *h, const struct class_facts *f, struct err *err)
{
	return store_fact(h->st, "objects", FACT_COUNT, h->ids.n, err) &&
	    store_fact(h->st, "classes", FACT_COUNT, f->dumps, err) &&
	    store_fact(h->st, "loaders", FACT_COUNT, f->loaders.n, err) &&
	    store_fact(h->st, "roots", FACT_COUNT, h->table[ROOTS].n, err) &&
	    store_fact(h->st, "threads", FACT_COUNT, h->table[THREADS].n, err) &&
	    store_fact(h->st, "names", FACT_COUNT, h->table[STRINGS].n, err);
}

bool
hprof_each(struct hprof *h, void *arg, bool (*add)(void *, const struct heap_record *))
{
	struct heap_record r;
	struct extent *e;
	uint64_t i, p;

	for (i = 0; i < h->table[EXTENTS].n; i++) {
		e = ROW(h->table[EXTENTS], struct extent, i);
		for (p = e->from; p < e->to; p = r.next)
			if (heap_next_record(h->data, e->to, h->id_size, p, &r) && !add(arg, &r))
				return false;
	}
	return true;
}

bool
hprof_out(struct hprof *h, struct err *err)
{
	struct class_facts f = { .loaders.rows = SCRATCH_INIT };
	struct heap_ids ids;
	uint64_t absent = 0;
	bool pseudo = h->table[ROOTS].n == 0, ok;

	ok = hprof_ids_out(&h->ids, h->st, &ids, err) && hprof_classes(h, &ids, &f);
	if (ok)
		count_no_class(h);
	ok = ok && hprof_layout(h, &ids, f.order, f.class_class, err) &&
	    out_members(h, err) && out_objects(h, &ids, &f, err) &&
	    (pseudo || add_boot_classes(h)) && out_roots(h, &ids, &absent, err) &&
	    out_counts(h, &f, err) && out_losses(h, &f, absent, err) &&
	    store_fact(h->st, "heap.class_class", FACT_COUNT, f.class_class, err) &&
	    store_fact(h->st, "heap.pseudo", FACT_COUNT, pseudo, err);
	free(f.order);
	scratch_free(&f.loaders.rows);
	return ok;
}
