/*
 * q_loaders: the histogram of a heap dump and its class loaders.
 */
#include "config.h"

#include <stdlib.h>

#include "heap.h"

/* ---- histogram ------------------------------------------------------------------- */

enum histogram_col { HISTOGRAM_NAME, HISTOGRAM_OBJECTS, HISTOGRAM_SHALLOW, HISTOGRAM_ID,
	HISTOGRAM_COLS };

static const struct coldef histogram_cols[HISTOGRAM_COLS] = {
	[HISTOGRAM_NAME] = { "name", CELL_TEXT, "name of the class", false },
	[HISTOGRAM_OBJECTS] = { "objects", CELL_COUNT, "its instances, reachable or not", false },
	[HISTOGRAM_SHALLOW] = { "shallow", CELL_BYTES, "size of these", false },
	[HISTOGRAM_ID] = { "id", CELL_ID, "its Class object", true }
};

struct bar {
	uint64_t	shallow, objects;
	uint32_t	class;
};

struct histogram {
	struct rows		 rows;
	struct heap_view	 view;
	const struct column	*object;
	struct scratch		 bar;		/* struct bar */
	uint64_t		 n;
	bool			 known;
};

/* The largest first. */
static int
bar_order(const void *x, const void *y)
{
	const struct bar *a = x, *b = y;

	if (a->shallow != b->shallow)
		return a->shallow < b->shallow ? 1 : -1;
	return (a->class > b->class) - (a->class < b->class);
}

static bool
read_bars(struct histogram *s)
{
	const struct heap *h = &s->view.heap;
	const struct column *objects = store_column(h->st, COL_CLASS_OBJECTS);
	const struct column *shallow = heap_class_shallow(h->st, h->sizes);
	uint32_t class;
	struct bar bar;

	for (class = 1; class <= h->classes; class++) {
		bar.class = class;
		bar.objects = column_get(objects, class - 1);
		bar.shallow = column_get(shallow, class - 1);
		if (bar.objects == 0)
			continue;
		if (!scratch_array(&s->bar, s->n + 1, sizeof bar, &s->rows.err))
			return false;
		SCRATCH(s->bar, struct bar)[s->n++] = bar;
	}
	if (s->n > 0)
		qsort(s->bar.data, s->n, sizeof bar, bar_order);
	return true;
}

static uint64_t
histogram_reach(struct rows *r, uint64_t n)
{
	struct histogram *s = (struct histogram *)r;

	if (n > 0 && !s->known) {
		s->known = true;
		if (s->view.heap.st != NULL && !read_bars(s))
			s->n = 0;
	}
	return s->n;
}

static void
histogram_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct histogram *s = (struct histogram *)r;
	const struct bar *bar = &SCRATCH(s->bar, struct bar)[row];

	c->type = r->cols[col].type;
	switch ((enum histogram_col)col) {
	case HISTOGRAM_NAME:
		cell_class(r, &s->view, bar->class, c);
		break;
	case HISTOGRAM_OBJECTS:
		c->u = bar->objects;
		break;
	case HISTOGRAM_SHALLOW:
		c->u = bar->shallow;
		break;
	case HISTOGRAM_ID:
		cell_number(c, CELL_ID, column_get(s->object, bar->class - 1));
		break;
	case HISTOGRAM_COLS:
		break;
	}
}

static void
histogram_close(struct rows *r)
{
	struct histogram *s = (struct histogram *)r;

	scratch_free(&s->bar);
	heap_view_close(&s->view);
}

static const struct rows_ops histogram_ops = { .reach = histogram_reach,
	.cell = histogram_cell, .close = histogram_close };

static bool
histogram_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct histogram *s;

	if (!stage_at_most(stage, 0, err))
		return false;
	s = rows_new(sizeof *s, &histogram_ops, session, in, err);
	if (s == NULL)
		return false;
	s->bar = SCRATCH_INIT;
	s->rows.cols = histogram_cols;
	s->rows.ncols = HISTOGRAM_COLS;
	if (!heap_view_open(&s->view, session, err)) {
		rows_close(&s->rows);
		return false;
	}
	if (s->view.heap.st != NULL)
		s->object = store_column(s->view.heap.st, COL_CLASS_OBJECT);
	*out = &s->rows;
	return true;
}

const struct command source_histogram = {
	.word = "histogram",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.what = "the classes that have instances, the largest first; needs no passes",
	.example = "histogram | head 10",
	.cols = histogram_cols,
	.ncols = HISTOGRAM_COLS,
	.names = { "name" },
	.open = histogram_open
};

/* ---- loaders --------------------------------------------------------------------- */

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_EACH_PARENT, COL_NONE };

enum loader_col { LOADER_ID, LOADER_CLASS, LOADER_PARENT, LOADER_CLASSES, LOADER_OBJECTS,
	LOADER_SHALLOW, LOADER_RETAINED, LOADER_ADDR, LOADER_COLS };

static const struct coldef loader_cols[LOADER_COLS] = {
	[LOADER_ID] = { "id", CELL_ID, "the object that is the loader; empty: boot, the one of the VM", false },
	[LOADER_CLASS] = { "class", CELL_TEXT, "its class, or boot", false },
	[LOADER_PARENT] = { "parent", CELL_ID, "the loader it asks first; empty: boot", false },
	[LOADER_CLASSES] = { "classes", CELL_COUNT, "classes it loaded", false },
	[LOADER_OBJECTS] = { "objects", CELL_COUNT, "instances of these", false },
	[LOADER_SHALLOW] = { "shallow", CELL_BYTES, "size of these", false },
	[LOADER_RETAINED] = { "retained", CELL_BYTES, "what would be freed with its classes and their instances", false },
	[LOADER_ADDR] = { "addr", CELL_ADDR, "its address", true }
};

struct sums {
	uint64_t	classes, objects, shallow;
};

struct loaders {
	struct rows		 rows;
	struct heap_view	 view;
	const struct column	*object, *retained;
	struct scratch		 sums;		/* struct sums of each */
	uint64_t		 n;
	bool			 known;
};

static bool
add_up(struct loaders *s)
{
	const struct heap *h = &s->view.heap;
	const struct column *loader = store_column(h->st, COL_CLASS_LOADER);
	const struct column *objects = store_column(h->st, COL_CLASS_OBJECTS);
	const struct column *shallow = heap_class_shallow(h->st, h->sizes);
	uint64_t i, n = s->object == NULL ? 0 : s->object->rows, at;
	struct sums *sums;

	if (!scratch_array(&s->sums, n + 1, sizeof *sums, &s->rows.err))
		return false;
	for (i = 0; i < h->classes; i++) {
		at = column_get(loader, i);
		if (at == 0 || at > n)
			continue;
		sums = &SCRATCH(s->sums, struct sums)[at - 1];
		sums->classes++;
		sums->objects += column_get(objects, i);
		sums->shallow += column_get(shallow, i);
	}
	s->n = n;
	return true;
}

static uint64_t
loaders_reach(struct rows *r, uint64_t n)
{
	struct loaders *s = (struct loaders *)r;

	if (n > 0 && !s->known) {
		s->known = true;
		if (s->view.heap.st != NULL)
			add_up(s);
	}
	return s->n;
}

/* Both of Java and of Android call it so. */
static void
parent_cell(const struct heap *h, uint32_t object, struct cell *c)
{
	struct heap_slot slot;

	c->type = CELL_NONE;
	if (object != 0 && heap_field(h, object, STR("parent"), 0, &slot))
		cell_number(c, CELL_ID, slot.object);
}

static void
loaders_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct loaders *s = (struct loaders *)r;
	const struct sums *sums = &SCRATCH(s->sums, struct sums)[row];
	uint32_t object = (uint32_t)column_get(s->object, row);

	c->type = r->cols[col].type;
	switch ((enum loader_col)col) {
	case LOADER_ID:
		cell_number(c, CELL_ID, object);
		break;
	case LOADER_CLASS:
		c->text = STR("boot");
		if (object != 0)
			cell_label(r, &s->view, object, c);
		break;
	case LOADER_PARENT:
		parent_cell(&s->view.heap, object, c);
		break;
	case LOADER_CLASSES:
		c->u = sums->classes;
		break;
	case LOADER_OBJECTS:
		c->u = sums->objects;
		break;
	case LOADER_SHALLOW:
		c->u = sums->shallow;
		break;
	case LOADER_RETAINED:
		c->u = column_get(s->retained, row);
		break;
	case LOADER_ADDR:
		object_cell(r, &s->view, object, OBJECT_ADDR, c);
		break;
	case LOADER_COLS:
		break;
	}
}

static void
loaders_close(struct rows *r)
{
	struct loaders *s = (struct loaders *)r;

	scratch_free(&s->sums);
	heap_view_close(&s->view);
}

static const struct rows_ops loaders_ops = { .reach = loaders_reach, .cell = loaders_cell,
	.close = loaders_close };

static bool
loaders_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct loaders *s;

	if (!stage_at_most(stage, 0, err))
		return false;
	s = rows_new(sizeof *s, &loaders_ops, session, in, err);
	if (s == NULL)
		return false;
	s->sums = SCRATCH_INIT;
	s->rows.cols = loader_cols;
	s->rows.ncols = LOADER_COLS;
	if (!heap_view_open(&s->view, session, err)) {
		rows_close(&s->rows);
		return false;
	}
	if (s->view.heap.st != NULL) {
		s->object = store_column(s->view.heap.st, COL_LOADER_OBJECT);
		s->retained = view_column(&s->view, COL_EACH_LOADER_RETAINED);
	}
	*out = &s->rows;
	return true;
}

const struct command source_loaders = {
	.word = "loaders",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.what = "the class loaders, with what they loaded",
	.example = "loaders | sort -retained",
	.needs = needs,
	.cols = loader_cols,
	.ncols = LOADER_COLS,
	.names = { "class" },
	.open = loaders_open
};
