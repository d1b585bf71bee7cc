/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_classes: the classes of a heap dump, those above and below others, their histogram, and what a recording
 * saw of them.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_forms.h"
#include "icecore/columns_heap.h"
#include "icecore/facts.h"
#include "hrows.h"

/* ---- cells ----------------------------------------------------------------------- */

/* Class and id of the class loader; the boot loader has no object. */
static bool
loader_text(struct item_rows *s, uint64_t object, struct buf *b)
{
	if (object == 0) {
		buf_text(b, "boot");
		return true;
	}
	heap_label(&HEAP(s)->view.heap, (uint32_t)object, b);
	buf_printf(b, " @%u", (unsigned)object);
	return true;
}

/* Arrays differ in size, and so do the objects of java.lang.Class and stack chunks. */
static void
size_cell(struct item_rows *s, uint64_t class, struct cell *c)
{
	const struct heap *h = &HEAP(s)->view.heap;

	cell_number(c, CELL_BYTES, heap_holds_classes(h, class) || class == h->stack_class ||
	    column_get(h->class_element, class - 1) != 0 ? 0 : column_get(h->class_size, class - 1));
}

static bool
obfuscated_text(struct item_rows *s, uint64_t class, struct buf *b)
{
	heap_class_obfuscated(&HEAP(s)->view.heap, (uint32_t)class, b);
	return true;
}

/* Append a text of the recording that was opened with the dump; false: the class has none. */
static bool
q_classes_text_of(const struct store *st, column_id place, uint64_t row, struct buf *b)
{
	struct str text = row == 0 ? STR("") : column_text(store_column(st, COL_MADE_TEXT),
	    store_cell(st, place, row));

	buf_str(b, text);
	return text.n > 0;
}

static bool
allocation_name_text(struct item_rows *s, uint64_t row, struct buf *b)
{
	return q_classes_text_of(s->st, COL_MADE_NAME, row, b);
}

static bool
allocation_site_text(struct item_rows *s, uint64_t row, struct buf *b)
{
	return q_classes_text_of(s->st, COL_MADE_SITE, row, b);
}

static void
allocation_rate_cell(struct item_rows *s, uint64_t bytes, struct cell *c)
{
	uint64_t ns = fact_value(s->st, FACT_RECORDING_ELAPSED);

	c->type = bytes == 0 || ns == 0 ? CELL_NONE : CELL_BYTES;
	c->u = ns == 0 ? 0 : (uint64_t)((unsigned __int128)bytes * 1000000000 / ns);
}

#define CLASS_COLUMNS \
	{ "id", CELL_ID, "Class object; empty: not in the dump", \
	    SOME_OF(.by = COL_CLASS_OBJECT), OBJECT_ID }, \
	{ "name", CELL_TEXT, "name", FROM(SHOW_CLASS) }, \
	{ "loader", CELL_TEXT, "class loader (class and id), or boot", \
	    TEXT(loader_text, .by = COL_CLASS_LOADER, .then = COL_LOADER_OBJECT), NEEDS(objects), .cut = CUT_FRONT }, \
	{ "super", CELL_TEXT, "superclass", FROM(SHOW_CLASS, .by = COL_CLASS_SUPER) }, \
	{ "objects", CELL_COUNT, "instances, without subclasses", \
	    NUMBER_OF(.by = COL_CLASS_OBJECTS) }, \
	{ "shallow", CELL_BYTES, "shallow size of the instances", FROM(CLASS_SHALLOW) }, \
	{ "retained", CELL_BYTES, "retained size of all instances together", \
	    MADE(.by = COL_EACH_CLASS_RETAINED), NEEDS(dominators), SUMS(classes) }, \
	{ "distance", CELL_COUNT, "references from the nearest root to the nearest instance", \
	    .beside = SHAPE_DISTANCES, COMPUTED(class_distance_cell), NEEDS(objects) }, \
	{ "instance_size", CELL_BYTES, "shallow size of one instance; empty: varies", COMPUTED(size_cell) }, \
	{ "live", CELL_COUNT, "reachable instances", MORE, MADE(.by = COL_EACH_CLASS_LIVE), NEEDS(dominators) }, \
	{ "class", CELL_ID, "class number in file order", MORE, FROM(SHOW_NUMBER) }, \
	{ "super_id", CELL_ID, "Class object of the superclass", MORE, \
	    SOME_OF(.by = COL_CLASS_SUPER, .then = COL_CLASS_OBJECT), OBJECT_ID }, \
	{ "loader_id", CELL_ID, "class loader object", MORE, \
	    SOME_OF(.by = COL_CLASS_LOADER, .then = COL_LOADER_OBJECT), OBJECT_ID }, \
	{ "addr", CELL_ADDR, "address of the Class object", MORE, SOME_OF(.by = COL_CLASS_ADDR) }, \
	{ "obfuscated", CELL_TEXT, "obfuscated name (with --mapping)", MORE, \
	    TEXT(obfuscated_text) }, \
	{ "package", CELL_TEXT, "package", MORE, FROM(SHOW_PACKAGE) }, \
	{ "place", CELL_TEXT, "script, line and column where the constructor begins", MORE, .beside = SHAPE_DISTANCES, \
	    TEXT(script_place_text, .by = COL_CLASS_SCRIPT) }

static const struct coldef class_cols[] = { CLASS_COLUMNS };

/* With a recording opened with the dump. */
static const struct coldef made_class_cols[] = {
	CLASS_COLUMNS,
	{ "alloc_bytes", CELL_BYTES, "allocated bytes, estimated from the recording",
	    MADE(.show = SHOW_SOME, .by = COL_ALLOC_BYTES), NEEDS(allocations) },
	{ "alloc_rate", CELL_BYTES, "allocated bytes per second of the recording",
	    COMPUTED(allocation_rate_cell, .by = COL_ALLOC_BYTES), NEEDS(allocations) },
	{ "alloc_site", CELL_TEXT, "method that allocated most of these bytes",
	    TEXT(allocation_site_text, .by = COL_ALLOC_ROW), NEEDS(allocations), FUNCTION },
	{ "old_objects", CELL_COUNT, "sampled objects alive at the end of the recording", MORE,
	    MADE(.show = SHOW_SOME, .by = COL_ALLOC_OLD), NEEDS(allocations) },
	{ "old_site", CELL_TEXT, "method that allocated most of the old objects", MORE,
	    TEXT(allocation_site_text, .by = COL_ALLOC_OLD_ROW), NEEDS(allocations), FUNCTION },
	{ "alloc_samples", CELL_COUNT, "samples that alloc_bytes is based on", MORE,
	    MADE(.show = SHOW_SOME, .by = COL_ALLOC_SAMPLES), NEEDS(allocations) }
};

/* ---- classes --------------------------------------------------------------------- */

/* List all classes, or those of the arguments, by number. */
static bool
classes_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	if (stage->n == 0)
		return item_rows_run(s, 1, HEAP(s)->view.heap.classes);
	if (!classes_of_stage(&HEAP(s)->classes, &HEAP(s)->view.heap, stage, err))
		return false;
	for (uint32_t class = 1; HEAP(s)->classes.has != NULL && class <= HEAP(s)->view.heap.classes; class++)
		if (HEAP(s)->classes.has[class] && !item_rows_add_number(s, class))
			return false;
	return true;
}

static const struct source classes = { .domain = &heap_domain, .args = ARGS_OWN, .begin = classes_begin };

const struct command source_classes = {
	HEAP_SOURCE("classes", "classes with instance count, shallow and retained size",
	    "classes | sort -retained | head 10", class_cols, classes, NULL),
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY }),
	.names = { "name", "loader" },
	.numbered = true
};

const struct command source_made_classes = {
	SOURCE("classes", "classes with instance count, shallow and retained size",
	    "classes | sort -retained | select name, retained, alloc_bytes, alloc_site | head 10",
	    heap_rows_open),
	OVER(SHAPE_MADE, made_class_cols), .source = &classes,
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY }),
	.names = { "name", "loader" },
	.numbered = true,
	.to_get = "a recording: icecore DUMP.hprof REC.jfr"
};

/* ---- allocations: also of classes of which nothing is left ------------------------ */

static const struct coldef allocation_cols[] = {
	{ "class", CELL_TEXT, "class name in the recording", TEXT(allocation_name_text), .cut = CUT_FRONT },
	{ "alloc_bytes", CELL_BYTES, "allocated bytes, estimated from the recording",
	    NUMBER_OF(.by = COL_MADE_BYTES) },
	{ "alloc_rate", CELL_BYTES, "allocated bytes per second of the recording",
	    COMPUTED(allocation_rate_cell, .by = COL_MADE_BYTES) },
	{ "site", CELL_TEXT, "method that allocated them, outside the Java library",
	    TEXT(allocation_site_text), FUNCTION },
	{ "samples", CELL_COUNT, "samples of the recording", NUMBER_OF(.by = COL_MADE_SAMPLES) },
	{ "old_objects", CELL_COUNT, "sampled objects alive at the end of the recording",
	    NUMBER_OF(.by = COL_MADE_OLD) },
	{ "id", CELL_ID, "Class object; empty: not in the dump", MORE,
	    SOME_OF(.by = COL_MADE_CLASS, .then = COL_CLASS_OBJECT), OBJECT_ID },
	{ "live_bytes", CELL_BYTES, "shallow size of the instances in the dump", MORE,
	    FROM(CLASS_SHALLOW, .by = COL_MADE_CLASS) }
};

/* List all rows, or those whose names are those of the classes in the arguments. */
static bool
allocations_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	const struct store *st = s->st;
	uint64_t all = column_rows(store_column(st, COL_MADE_BYTES)), row, end;
	uint8_t *wanted;

	if (stage->n == 0)
		return item_rows_run(s, 1, all);
	if (!classes_of_stage(&HEAP(s)->classes, &HEAP(s)->view.heap, stage, err))
		return false;
	if ((wanted = mem_array(all + 1, 1)) == NULL)
		return fail_memory(err, "allocations");
	for (uint32_t class = 1; HEAP(s)->classes.has != NULL &&
	    class <= HEAP(s)->view.heap.classes; class++) {
		if (!HEAP(s)->classes.has[class])
			continue;
		row = store_cell(st, COL_ALLOC_ROW, class);
		end = row + store_cell(st, COL_ALLOC_ROWS, class);
		/* Classes with the same name share rows; add each row once. */
		while (row > 0 && row < end && row <= all && !wanted[row])
			wanted[row++] = 1;
	}
	for (row = 1; row <= all; row++)
		if (wanted[row] && !item_rows_add_number(s, (uint32_t)row))
			break;
	free(wanted);
	return s->rows.err.kind == E_NONE;
}

static const struct source allocations = { .domain = &heap_domain, .args = ARGS_OWN,
    .begin = allocations_begin };

const struct command source_allocations = {
	SOURCE("allocations", "allocations of a recording next to a dump, by class and site",
	    "allocations | top 10 alloc_bytes", heap_rows_open),
	OVER(SHAPE_MADE, allocation_cols), .source = &allocations, .needs = needs_allocations,
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY }),
	.names = { "class", "site" },
	.to_get = "a recording: icecore DUMP.hprof REC.jfr"
};

/* ---- above and below ------------------------------------------------------------- */

/* Marks of classes. MARKED: the classes of the arguments; 1, as in class_set.has. */
enum { MARKED = 1, BELOW = 2, NOT_BELOW = 4, ABOVE = 8 };

/* The nearest first, of the first class first. */
static bool
above_step(struct item_rows *s)
{
	const struct column *supers = store_column(s->st, COL_CLASS_SUPER);
	uint32_t n = HEAP(s)->view.heap.classes;
	uint8_t *mark;

	if (!heap_rows_classes(s, true))
		return false;
	mark = HEAP(s)->classes.has;
	for (uint32_t class = 1; class <= n; class++) {
		if (!(mark[class] & MARKED))
			continue;
		for (uint32_t super = class;;) {
			super = (uint32_t)column_get(supers, super - 1ull);
			if (super == 0 || super > n || mark[super] & ABOVE)
				break;
			mark[super] |= ABOVE;
			if (!item_rows_add_number(s, super))
				return false;
		}
	}
	return false;
}

/*
 * Walks up to a class known to be below a marked one or not, and sets the result for all classes on the way.
 */
static void
q_classes_settle(const struct column *supers, uint8_t *mark, uint32_t n, uint32_t class)
{
	uint32_t super, hops = n;
	uint8_t what = NOT_BELOW;

	for (uint32_t at = class; hops > 0; at = super, hops--) {
		super = (uint32_t)column_get(supers, at - 1ull);
		if (super == 0 || super > n)
			break;
		if (mark[super] & (MARKED | BELOW)) {
			what = BELOW;
			break;
		}
		if (mark[super] & NOT_BELOW)
			break;
	}
	for (uint32_t at = class; at != 0 && !(mark[at] & (BELOW | NOT_BELOW)); at = super) {
		mark[at] |= what;
		super = (uint32_t)column_get(supers, at - 1ull);
		if (super > n || mark[super] & MARKED)
			break;
	}
}

static bool
q_classes_below_step(struct item_rows *s)
{
	const struct column *supers = store_column(s->st, COL_CLASS_SUPER);
	uint32_t n = HEAP(s)->view.heap.classes;
	uint8_t *mark;

	if (!heap_rows_classes(s, true))
		return false;
	mark = HEAP(s)->classes.has;
	for (uint32_t class = 1; class <= n; class++) {
		if (!(mark[class] & (BELOW | NOT_BELOW)))
			q_classes_settle(supers, mark, n, class);
		if (mark[class] & BELOW && !item_rows_add_number(s, class))
			return false;
	}
	return false;
}

static const struct source above = { .domain = &heap_domain, .args = ARGS_CLASSES, .step = above_step };
static const struct source below = { .domain = &heap_domain, .args = ARGS_CLASSES,
    .step = q_classes_below_step };

const struct command source_superclasses = {
	HEAP_SOURCE("superclasses", "superclasses, nearest first",
	    "superclasses java.lang.Thread", class_cols, above, needs_objects),
	.args = ARGS({ &arg_class, ARG_MANY })
};

const struct command stage_superclasses = {
	HEAP_STAGE("superclasses", "superclasses of the classes", "threads | superclasses",
	    class_cols, above, needs_objects)
};

const struct command source_subclasses = {
	HEAP_SOURCE("subclasses", "all subclasses, direct and indirect",
	    "subclasses java.lang.Object | sort -shallow | head 10", class_cols, below, needs_objects),
	.args = ARGS({ &arg_class, ARG_MANY })
};

const struct command stage_subclasses = {
	HEAP_STAGE("subclasses", "subclasses of the classes",
	    "classes java.lang.Object | subclasses | count", class_cols, below, needs_objects)
};

/* ---- histogram ------------------------------------------------------------------- */

struct bar {
	uint64_t	shallow;
	uint32_t	class;
};

static const struct coldef histogram_cols[] = {
	{ "name", CELL_TEXT, "class", FROM(SHOW_CLASS, ITEM(struct bar, class)) },
	{ "objects", CELL_COUNT, "instances, reachable or not",
	    NUMBER_OF(ITEM(struct bar, class), .by = COL_CLASS_OBJECTS) },
	{ "shallow", CELL_BYTES, "shallow size of the instances", NUMBER_OF(ITEM(struct bar, shallow)) },
	{ "id", CELL_ID, "Class object",
	    MORE, SOME_OF(ITEM(struct bar, class), .by = COL_CLASS_OBJECT), OBJECT_ID },
	{ "package", CELL_TEXT, "package", MORE, FROM(SHOW_PACKAGE, ITEM(struct bar, class)) }
};

/* The largest first. */
static int
bar_order(const void *x, const void *y)
{
	const struct bar *a = x, *b = y;

	return num_order(b->shallow, a->shallow, num_order(a->class, b->class, 0));
}

static bool
histogram_step(struct item_rows *s)
{
	const struct heap *h = &HEAP(s)->view.heap;
	const struct column *objects = store_column(h->st, COL_CLASS_OBJECTS);
	const struct column *shallow = heap_class_shallow(h->st, h->sizes);

	for (uint32_t class = 1; class <= h->classes; class++)
		if (column_get(objects, class - 1ull) != 0 &&
		    !item_rows_add(s, &(struct bar){ column_get(shallow, class - 1ull), class }))
			return false;
	if (s->n > 0)
		qsort(s->list.data, s->n, sizeof(struct bar), bar_order);
	return false;
}

static const struct source histogram = { .domain = &heap_domain, .item = sizeof(struct bar),
    .step = histogram_step };

const struct command source_histogram = {
	HEAP_SOURCE("histogram", "class histogram by shallow size (fast: no dominators)",
	    "histogram | head 10", histogram_cols, histogram, NULL),
	.names = { "name" }
};
