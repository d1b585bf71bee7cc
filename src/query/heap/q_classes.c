/*
 * q_classes: the classes of a heap dump, those above and below others, and their histogram.
 */
#include "config.h"

#include <stdlib.h>

#include "hrows.h"

/* ---- cells ----------------------------------------------------------------------- */

/* Class and id of the object that loaded it; the boot loader is no object. */
static bool
loader_text(struct heap_rows *s, uint64_t object, struct buf *b)
{
	if (object == 0) {
		buf_str(b, STR("boot"));
		return true;
	}
	heap_label(&s->view.heap, (uint32_t)object, b);
	buf_printf(b, " @%u", (unsigned)object);
	return true;
}

/* Arrays differ in size, and so do the objects of java.lang.Class. */
static void
size_cell(struct heap_rows *s, uint64_t class, struct cell *c)
{
	const struct heap *h = &s->view.heap;

	cell_number(c, CELL_BYTES, class == h->class_class || column_get(h->class_element, class - 1) != 0 ? 0 :
	    column_get(h->class_size, class - 1));
}

static bool
obfuscated_text(struct heap_rows *s, uint64_t class, struct buf *b)
{
	heap_class_obfuscated(&s->view.heap, (uint32_t)class, b);
	return true;
}

static const struct coldef class_cols[] = {
	{ "id", CELL_ID, "Class object; empty: not in the dump",
	    false, FROM(SHOW_SOME, .by = COL_CLASS_OBJECT), .of = ID_OBJECT },
	{ "name", CELL_TEXT, "name", false, FROM(SHOW_CLASS) },
	{ "loader", CELL_TEXT, "class loader (class and id), or boot", false,
	    TEXT(loader_text, .by = COL_CLASS_LOADER, .then = COL_LOADER_OBJECT), NEEDS(objects), .cut = CUT_FRONT },
	{ "super", CELL_TEXT, "superclass", false, FROM(SHOW_CLASS, .by = COL_CLASS_SUPER) },
	{ "objects", CELL_COUNT, "instances, without subclasses", false,
	    FROM(SHOW_NUMBER, .by = COL_CLASS_OBJECTS) },
	{ "shallow", CELL_BYTES, "shallow size of the instances", false, FROM(CLASS_SHALLOW) },
	{ "retained", CELL_BYTES, "retained size of all instances together", false,
	    MADE(.by = COL_EACH_CLASS_RETAINED), NEEDS(dominators), SUMS(classes) },
	{ "instance_size", CELL_BYTES, "shallow size of one instance; empty: varies", false, COMPUTED(size_cell) },
	{ "live", CELL_COUNT, "reachable instances", true, MADE(.by = COL_EACH_CLASS_LIVE), NEEDS(dominators) },
	{ "class", CELL_ID, "class number in file order", true, FROM(SHOW_NUMBER) },
	{ "super_id", CELL_ID, "Class object of the superclass", true,
	    FROM(SHOW_SOME, .by = COL_CLASS_SUPER, .then = COL_CLASS_OBJECT), .of = ID_OBJECT },
	{ "loader_id", CELL_ID, "class loader object", true,
	    FROM(SHOW_SOME, .by = COL_CLASS_LOADER, .then = COL_LOADER_OBJECT), .of = ID_OBJECT },
	{ "addr", CELL_ADDR, "address of the Class object", true, FROM(SHOW_SOME, .by = COL_CLASS_ADDR) },
	{ "obfuscated", CELL_TEXT, "obfuscated name (with --mapping)", true,
	    TEXT(obfuscated_text) },
	{ "package", CELL_TEXT, "package", true, FROM(SHOW_PACKAGE) }
};

/* ---- classes --------------------------------------------------------------------- */

/* All of them, or those of the arguments by number. */
static bool
classes_begin(struct heap_rows *s, const struct stage *stage, struct err *err)
{
	if (stage->n == 0) {
		heap_rows_numbered(s, s->view.heap.classes);
		return true;
	}
	if (!classes_of_stage(&s->classes, &s->view.heap, stage, err))
		return false;
	for (uint32_t class = 1; s->classes.has != NULL && class <= s->view.heap.classes; class++)
		if (s->classes.has[class] && !heap_rows_add_number(s, class))
			return false;
	return true;
}

static const struct heap_source classes = { .args = ARGS_OWN, .begin = classes_begin };

const struct command source_classes = {
	HEAP_SOURCE("classes", "classes with instance count, shallow and retained size",
	    "classes | sort -retained | head 10", class_cols, classes, NULL),
	.args = ARGS({ &arg_class, ARG_OPTIONAL | ARG_MANY }),
	.names = { "name", "loader" },
	.numbered = true
};

/* ---- above and below ------------------------------------------------------------- */

/* MARKED are those that others have to be above or below of; 1, as in a set. */
enum { MARKED = 1, BELOW = 2, NOT_BELOW = 4, ABOVE = 8 };

/* The nearest first, of the first class first. */
static bool
above_step(struct heap_rows *s)
{
	const struct column *supers = store_column(s->view.heap.st, COL_CLASS_SUPER);
	uint32_t n = s->view.heap.classes;
	uint8_t *mark;

	if (!heap_rows_classes(s, true))
		return false;
	mark = s->classes.has;
	for (uint32_t class = 1; class <= n; class++) {
		if (!(mark[class] & MARKED))
			continue;
		for (uint32_t super = class;;) {
			super = (uint32_t)column_get(supers, super - 1ull);
			if (super == 0 || super > n || mark[super] & ABOVE)
				break;
			mark[super] |= ABOVE;
			if (!heap_rows_add_number(s, super))
				return false;
		}
	}
	return false;
}

/*
 * Goes up to a class of which it is known whether it is below a marked one, and
 * tells all on the way.
 */
static void
settle(const struct column *supers, uint8_t *mark, uint32_t n, uint32_t class)
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
below_step(struct heap_rows *s)
{
	const struct column *supers = store_column(s->view.heap.st, COL_CLASS_SUPER);
	uint32_t n = s->view.heap.classes;
	uint8_t *mark;

	if (!heap_rows_classes(s, true))
		return false;
	mark = s->classes.has;
	for (uint32_t class = 1; class <= n; class++) {
		if (!(mark[class] & (BELOW | NOT_BELOW)))
			settle(supers, mark, n, class);
		if (mark[class] & BELOW && !heap_rows_add_number(s, class))
			return false;
	}
	return false;
}

static const struct heap_source above = { .args = ARGS_CLASSES, .step = above_step };
static const struct heap_source below = { .args = ARGS_CLASSES, .step = below_step };

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
	{ "name", CELL_TEXT, "class", false, FROM(SHOW_CLASS, ITEM(struct bar, class)) },
	{ "objects", CELL_COUNT, "instances, reachable or not", false,
	    FROM(SHOW_NUMBER, ITEM(struct bar, class), .by = COL_CLASS_OBJECTS) },
	{ "shallow", CELL_BYTES, "shallow size of the instances", false, FROM(SHOW_NUMBER, ITEM(struct bar, shallow)) },
	{ "id", CELL_ID, "Class object",
	    true, FROM(SHOW_SOME, ITEM(struct bar, class), .by = COL_CLASS_OBJECT), .of = ID_OBJECT },
	{ "package", CELL_TEXT, "package", true, FROM(SHOW_PACKAGE, ITEM(struct bar, class)) }
};

/* The largest first. */
static int
bar_order(const void *x, const void *y)
{
	const struct bar *a = x, *b = y;

	return num_order(b->shallow, a->shallow, num_order(a->class, b->class, 0));
}

static bool
histogram_step(struct heap_rows *s)
{
	const struct heap *h = &s->view.heap;
	const struct column *objects = store_column(h->st, COL_CLASS_OBJECTS);
	const struct column *shallow = heap_class_shallow(h->st, h->sizes);

	for (uint32_t class = 1; class <= h->classes; class++)
		if (column_get(objects, class - 1ull) != 0 &&
		    !heap_rows_add(s, &(struct bar){ column_get(shallow, class - 1ull), class }))
			return false;
	if (s->n > 0)
		qsort(s->list.data, s->n, sizeof(struct bar), bar_order);
	return false;
}

static const struct heap_source histogram = { .item = sizeof(struct bar), .step = histogram_step };

const struct command source_histogram = {
	HEAP_SOURCE("histogram", "class histogram by shallow size (fast: no dominators)",
	    "histogram | head 10", histogram_cols, histogram, NULL),
	.names = { "name" }
};
