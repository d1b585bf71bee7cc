/*
 * q_roots: what is held from outside the heap, and what stacks hold.
 */
#include "config.h"

#include <stdlib.h>

#include "heap.h"

struct roots {
	struct rows		 rows;
	struct heap_view	 view;
	const struct column	*object, *kind, *thread, *depth, *frame, *jthread;
	struct jthread_set	 threads;	/* of locals */
	struct scratch		 list;		/* of locals: struct local of each row */
	uint64_t		 n;
	bool			 known;
};

/* A root by its place in the stacks. */
struct local {
	uint32_t	thread, depth, row;
};

static uint64_t
roots_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct roots *)r)->n;
}

static void
roots_close(struct rows *r)
{
	struct roots *s = (struct roots *)r;

	jthreads_free(&s->threads);
	scratch_free(&s->list);
	heap_view_close(&s->view);
}

static bool
roots_open_view(struct roots *s, struct session *session, struct err *err)
{
	const struct store *st;

	s->list = SCRATCH_INIT;
	if (!heap_view_open(&s->view, session, err))
		return false;
	if ((st = s->view.heap.st) == NULL)
		return true;
	s->object = store_column(st, COL_ROOT_OBJECT);
	s->kind = store_column(st, COL_ROOT_KIND);
	s->thread = store_column(st, COL_ROOT_THREAD);
	s->depth = store_column(st, COL_ROOT_DEPTH);
	s->frame = store_column(st, COL_ROOT_FRAME);
	s->jthread = store_column(st, COL_JTHREAD_OBJECT);
	return true;
}

/* ---- cells ----------------------------------------------------------------------- */

enum root_field { ROOT_OBJECT, ROOT_KIND, ROOT_THREAD_NAME, ROOT_DEPTH, ROOT_CLASS, ROOT_SHALLOW,
	ROOT_RETAINED, ROOT_METHOD, ROOT_THREAD_OBJECT, ROOT_ADDR };

static void
root_cell(struct roots *s, uint64_t row, enum root_field field, struct cell *c)
{
	struct rows *r = &s->rows;
	uint32_t object = (uint32_t)column_get(s->object, row);
	uint32_t thread = (uint32_t)column_get(s->thread, row);

	switch (field) {
	case ROOT_OBJECT:
		cell_number(c, CELL_ID, object);
		break;
	case ROOT_KIND:
		c->type = CELL_TEXT;
		c->text = str_of(heap_root_name((unsigned)column_get(s->kind, row)));
		break;
	case ROOT_THREAD_NAME:
		cell_thread(r, &s->view, thread, c);
		break;
	case ROOT_DEPTH:
		c->u = column_get(s->depth, row);
		c->type = c->u == ROOT_NO_FRAME ? CELL_NONE : CELL_COUNT;
		break;
	case ROOT_CLASS:
		object_cell(r, &s->view, object, OBJECT_LABEL, c);
		break;
	case ROOT_SHALLOW:
		object_cell(r, &s->view, object, OBJECT_SHALLOW, c);
		break;
	case ROOT_RETAINED:
		object_cell(r, &s->view, object, OBJECT_RETAINED, c);
		break;
	case ROOT_METHOD:
		cell_frame(r, &s->view, (uint32_t)column_get(s->frame, row), c);
		break;
	case ROOT_THREAD_OBJECT:
		cell_number(c, CELL_ID, thread == 0 ? 0 : column_get(s->jthread, thread - 1));
		break;
	case ROOT_ADDR:
		object_cell(r, &s->view, object, OBJECT_ADDR, c);
		break;
	}
}

/* ---- roots ----------------------------------------------------------------------- */

static const struct coldef root_cols[] = {
	{ "object", CELL_ID, "the object that is held", false },
	{ "kind", CELL_TEXT, "why: sticky class, java frame, JNI global, thread, ...", false },
	{ "thread", CELL_TEXT, "name of the thread that holds it", false },
	{ "frame", CELL_COUNT, "which call of its stack, 0 for the innermost", false },
	{ "class", CELL_TEXT, "class of the object, or of a class its own name", false },
	{ "retained", CELL_BYTES, "what would be freed with the object", true },
	{ "method", CELL_TEXT, "the call of the stack", true },
	{ "thread_id", CELL_ID, "the Thread object", true },
	{ "addr", CELL_ADDR, "address of the object", true }
};

static const enum root_field root_fields[NELEM(root_cols)] = {
	ROOT_OBJECT, ROOT_KIND, ROOT_THREAD_NAME, ROOT_DEPTH, ROOT_CLASS, ROOT_RETAINED,
	ROOT_METHOD, ROOT_THREAD_OBJECT, ROOT_ADDR
};

static void
roots_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	root_cell((struct roots *)r, row, root_fields[col], c);
}

static const struct rows_ops roots_ops = { .reach = roots_reach, .cell = roots_cell,
	.close = roots_close };

static bool
roots_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct roots *s;

	if (!stage_at_most(stage, 0, err))
		return false;
	s = rows_new(sizeof *s, &roots_ops, session, in, err);
	if (s == NULL)
		return false;
	s->rows.cols = root_cols;
	s->rows.ncols = NELEM(root_cols);
	if (!roots_open_view(s, session, err)) {
		rows_close(&s->rows);
		return false;
	}
	s->n = s->object == NULL ? 0 : s->object->rows;
	*out = &s->rows;
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_FRAME_METHOD, COL_EACH_PARENT,
	COL_NONE };

const struct command source_roots = {
	.word = "roots",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.what = "what is held from outside the heap, in order of the file",
	.example = "roots | group kind : count",
	.needs = needs,
	.cols = root_cols,
	.ncols = NELEM(root_cols),
	.open = roots_open
};

/* ---- locals ---------------------------------------------------------------------- */

static const struct coldef local_cols[] = {
	{ "thread", CELL_TEXT, "name of the thread", false },
	{ "frame", CELL_COUNT, "which call of its stack, 0 for the innermost; empty: none", false },
	{ "object", CELL_ID, "the object that is held", false },
	{ "class", CELL_TEXT, "its class, or of a class its own name", false },
	{ "shallow", CELL_BYTES, "its own size", false },
	{ "retained", CELL_BYTES, "what would be freed with it", false },
	{ "kind", CELL_TEXT, "how it is held: java frame, JNI local, ...", false },
	{ "method", CELL_TEXT, "the call of the stack", true },
	{ "thread_id", CELL_ID, "the Thread object", true },
	{ "addr", CELL_ADDR, "address of the object", true }
};

static const enum root_field local_fields[NELEM(local_cols)] = {
	ROOT_THREAD_NAME, ROOT_DEPTH, ROOT_OBJECT, ROOT_CLASS, ROOT_SHALLOW, ROOT_RETAINED,
	ROOT_KIND, ROOT_METHOD, ROOT_THREAD_OBJECT, ROOT_ADDR
};

static void
locals_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct roots *s = (struct roots *)r;

	root_cell(s, SCRATCH(s->list, struct local)[row].row, local_fields[col], c);
}

static int
local_order(const void *x, const void *y)
{
	const struct local *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static void
list_locals(struct roots *s)
{
	uint64_t row, n = s->object == NULL ? 0 : s->object->rows;
	const struct jthread_set *set = &s->threads;
	struct local local;

	for (row = 0; row < n; row++) {
		if (row % 4096 == 0 && !rows_tick(&s->rows, row))
			return;
		if (!root_is_local(column_get(s->kind, row)))
			continue;
		local.thread = (uint32_t)column_get(s->thread, row);
		local.depth = (uint32_t)column_get(s->depth, row);
		local.row = (uint32_t)row;
		if (local.thread == 0 || local.thread > set->n ||
		    (set->has != NULL && !set->has[local.thread]))
			continue;
		if (!scratch_array(&s->list, s->n + 1, sizeof local, &s->rows.err))
			return;
		SCRATCH(s->list, struct local)[s->n++] = local;
	}
	if (s->n > 0)
		qsort(s->list.data, s->n, sizeof local, local_order);
}

static uint64_t
locals_reach(struct rows *r, uint64_t n)
{
	struct roots *s = (struct roots *)r;

	if (n > 0 && !s->known) {
		s->known = true;
		list_locals(s);
	}
	return s->n;
}

static const struct rows_ops locals_ops = { .reach = locals_reach, .cell = locals_cell,
	.close = roots_close };

static bool
locals_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct roots *s = rows_new(sizeof *s, &locals_ops, session, in, err);

	if (s == NULL)
		return false;
	s->rows.cols = local_cols;
	s->rows.ncols = NELEM(local_cols);
	if (!roots_open_view(s, session, err) ||
	    !jthreads_of_stage(&s->threads, &s->view.heap, stage, err)) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

const struct command source_locals = {
	.word = "locals",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.what = "what the stacks of the threads hold, by thread and call",
	.example = "locals main | sort -retained",
	.needs = needs,
	.cols = local_cols,
	.ncols = NELEM(local_cols),
	.open = locals_open
};
