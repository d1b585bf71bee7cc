/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hrows: rows over a heap dump, declared by tables.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "hrows.h"

/* ---- cells -------------------------------------------------------------------------- */

static void
heap_rows_cell(struct item_rows *s, uint64_t n, unsigned show, struct cell *c)
{
	view_cell(&s->rows, &HEAP(s)->view, n, show, c);
}

static bool
heap_rows_batch(struct item_rows *s, struct batch *b, size_t n, bool run, unsigned show, enum cell_type type)
{
	return view_batch(&HEAP(s)->view, b, n, run, show, type);
}

static void
heap_rows_value(struct item_rows *s, uint64_t value, unsigned show, struct cell *c)
{
	view_value(&s->rows, &HEAP(s)->view, value, show, c);
}

void
cell_share(struct cell *c, uint64_t part, uint64_t whole)
{
	c->type = whole == 0 ? CELL_NONE : CELL_PERCENT;
	c->f = whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/* ---- rows ------------------------------------------------------------------------ */

bool
heap_rows_next(struct item_rows *s, uint32_t *object)
{
	return object_next(s->rows.in, &s->row, s->col, &HEAP(s)->view.heap, object);
}

bool
heap_rows_classes(struct item_rows *s, bool others)
{
	const struct heap *h = &HEAP(s)->view.heap;
	uint32_t object, class;

	if (!classes_make(&HEAP(s)->classes, h, &s->rows.err))
		return false;
	while (s->rows.in != NULL && heap_rows_next(s, &object)) {
		class = heap_class_of_object(h, object);
		if (others && object != 0 && class == 0)
			class = heap_class(h, object);
		if (class != 0)
			HEAP(s)->classes.has[class] = 1;
	}
	return s->rows.in == NULL || rows_error(s->rows.in) == NULL;
}

bool
heap_rows_threads(struct item_rows *s)
{
	const struct column *objects = store_column(s->st, COL_JTHREAD_OBJECT);
	OWN_SCRATCH named = SCRATCH_INIT;
	uint32_t object;
	bool ok;

	if (s->rows.in == NULL)
		return true;
	HEAP(s)->threads.n = objects == NULL ? 0 : (uint32_t)objects->rows;
	HEAP(s)->threads.has = mem_array(HEAP(s)->threads.n + 1ull, 1);
	ok = HEAP(s)->threads.has != NULL || fail_memory(&s->rows.err, "threads");
	ok = ok && scratch_array(&named, HEAP(s)->view.heap.objects / 64 + 1ull, sizeof(uint64_t),
	    &s->rows.err);
	while (ok && heap_rows_next(s, &object))
		set_bit(&named, object);
	for (uint32_t i = 1; ok && i <= HEAP(s)->threads.n; i++) {
		object = (uint32_t)column_get(objects, i - 1);
		HEAP(s)->threads.has[i] = object != 0 && has_bit(&named, object);
	}
	return ok && rows_error(s->rows.in) == NULL;
}

/* ---- opening ----------------------------------------------------------------------- */

static bool
heap_rows_view(struct item_rows *s, UNUSED const struct stage *stage, struct err *err)
{
	/* Columns that only some heaps have are the last ones. */
	while (!store_is_blank(s->st) && s->rows.ncols > 0 &&
	    (s->rows.cols[s->rows.ncols - 1].beside & ~load_shapes(s->st)) != 0)
		s->rows.ncols--;
	return heap_view_open(&HEAP(s)->view, s->rows.session, err);
}

static void
heap_rows_close(struct item_rows *s)
{
	struct heap_own *own = HEAP(s);

	classes_free(&own->classes);
	jthreads_free(&own->threads);
	heap_view_close(&own->view);
}

static const struct column *
heap_rows_column(const struct item_rows *s, column_id col)
{
	return view_column(&HEAP(s)->view, col);
}

/* The classes or threads that a source is about; a stage is about those of its rows. */
static bool
heap_rows_arguments(struct item_rows *s, const struct stage *stage, struct err *err)
{
	struct heap_own *own = HEAP(s);

	if (s->rows.in != NULL)
		return true;
	switch (s->source->args) {
	case ARGS_CLASSES:
		return classes_of_stage(&own->classes, &own->view.heap, stage, err);
	case ARGS_THREADS:
		return jthreads_of_stage(&own->threads, &own->view.heap, stage, err);
	}
	return true;
}

const struct domain heap_domain = {
	.leaves_out = true, .size = sizeof(struct heap_own), .open = heap_rows_view, .arguments = heap_rows_arguments,
	    .close = heap_rows_close,
	.column = heap_rows_column, .cell = heap_rows_cell, .batch = heap_rows_batch, .value = heap_rows_value
};

/* Note which class a name without a package was resolved to. */
static void
note_class(struct item_rows *s)
{
	OWN_BUF name = BUF_INIT;
	struct str package, simple;

	if (HEAP(s)->classes.simple == 0)
		return;
	heap_class_name(&HEAP(s)->view.heap, HEAP(s)->classes.simple, &name);
	if (!name.bad && str_divide_last(buf_view(&name), '.', &package, &simple))
		rows_note_add(&s->rows, "'%.*s' is %.*s", (int)simple.n, simple.s, (int)name.n, name.s);
}

struct rows *
heap_rows_over(struct session *session, const struct command *command, const struct stage *stage,
    struct rows *in, size_t col, struct err *err)
{
	struct rows *r = item_rows_over(session, command, stage, in, col, err);

	if (r != NULL)
		note_class((struct item_rows *)r);
	return r;
}

/* The objects of the arguments as rows; errors speak of the stage. */
static bool
open_objects(struct session *session, const struct stage *stage, struct rows **in, struct err *err)
{
	const struct source *from = stage->command->source;

	/* "dominator all" names none. */
	if (stage->n == 0)
		return fail_needs(stage, err);
	*in = heap_rows_over(session, from->over, stage, NULL, 0, err);
	return *in != NULL;
}

/* Open the input rows of a command: none, the rows in front, or the objects of its arguments. */
static bool
open_in(struct session *session, const struct stage *stage, struct rows **in, size_t *col, struct err *err)
{
	const struct source *from = stage->command->source;
	bool objects = from->args == ARGS_OBJECTS && *in == NULL;
	struct stage read = *stage;
	int found;

	if (from->leading != NULL)
		read.n = from->leading(stage);
	if (!item_rows_takes(&read, *in, err) || (objects && !open_objects(session, &read, in, err)))
		return false;
	if (*in == NULL)
		return true;
	found = object_column(stage, *in, err);
	*col = found < 0 ? 0 : (size_t)found;
	return found >= 0;
}

bool
heap_rows_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	const struct heap_own *own;
	struct rows *r;
	size_t col = 0;

	if (!open_in(session, stage, &in, &col, err)) {
		rows_close(in);
		return false;
	}
	r = heap_rows_over(session, stage->command, stage, in, col, err);
	if (r == NULL)
		return false;
	own = HEAP((struct item_rows *)r);
	return fields_over(session, stage, r, own->of_classes ? &own->classes : NULL, out, err);
}
