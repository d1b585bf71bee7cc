/*
 * q_roots: what is held from outside the heap, and what stacks hold.
 */
#include "config.h"

#include <stdlib.h>

#include "hrows.h"

/* ---- roots ----------------------------------------------------------------------- */

/* The numbers are those of root.*, in both tables. */
static const struct coldef root_cols[] = {
	{ "object", CELL_ID, "the object that is held", false, FROM(SHOW_SOME, .by = COL_ROOT_OBJECT), .of = ID_OBJECT },
	{ "kind", CELL_TEXT, "why: sticky class, java frame, JNI global, thread, ...", false,
	    MADE(.word = heap_root_name, .by = COL_ROOT_KIND) },
	{ "thread", CELL_TEXT, "name of the thread that holds it", false, FROM(SHOW_THREAD, .by = COL_ROOT_THREAD) },
	{ "frame", CELL_COUNT, "which call of its stack, 0 for the innermost", false,
	    FROM(SHOW_KNOWN, .by = COL_ROOT_DEPTH) },
	{ "class", CELL_TEXT, "class of the object, or of a class its own name", false,
	    FROM(OBJECT_LABEL, .by = COL_ROOT_OBJECT) },
	{ "retained", CELL_BYTES, "what would be freed with the object", true, FROM(OBJECT_RETAINED, .by = COL_ROOT_OBJECT) },
	{ "method", CELL_TEXT, "the call of the stack", true, FROM(SHOW_FRAME, .by = COL_ROOT_FRAME) },
	{ "thread_id", CELL_ID, "the Thread object", true,
	    FROM(SHOW_SOME, .by = COL_ROOT_THREAD, .then = COL_JTHREAD_OBJECT), .of = ID_OBJECT },
	{ "addr", CELL_ADDR, "address of the object", true, FROM(OBJECT_ADDR, .by = COL_ROOT_OBJECT) }
};

static const struct heap_source roots = { .rows_of = COL_ROOT_OBJECT };

const struct command source_roots = {
	HEAP_SOURCE("roots", "what is held from outside the heap, in order of the file",
	    "roots | group kind : count", root_cols, roots, needs_objects)
};

/* ---- locals ---------------------------------------------------------------------- */

static const struct coldef local_cols[] = {
	{ "thread", CELL_TEXT, "name of the thread", false, FROM(SHOW_THREAD, .by = COL_ROOT_THREAD) },
	{ "frame", CELL_COUNT, "which call of its stack, 0 for the innermost; empty: none", false,
	    FROM(SHOW_KNOWN, .by = COL_ROOT_DEPTH) },
	{ "object", CELL_ID, "the object that is held", false, FROM(SHOW_SOME, .by = COL_ROOT_OBJECT), .of = ID_OBJECT },
	{ "class", CELL_TEXT, "its class, or of a class its own name", false, FROM(OBJECT_LABEL, .by = COL_ROOT_OBJECT) },
	{ "shallow", CELL_BYTES, "its own size", false, FROM(OBJECT_SHALLOW, .by = COL_ROOT_OBJECT) },
	{ "retained", CELL_BYTES, "what would be freed with it", false, FROM(OBJECT_RETAINED, .by = COL_ROOT_OBJECT) },
	{ "kind", CELL_TEXT, "how it is held: java frame, JNI local, ...", false, MADE(.word = heap_root_name, .by = COL_ROOT_KIND) },
	{ "method", CELL_TEXT, "the call of the stack", true, FROM(SHOW_FRAME, .by = COL_ROOT_FRAME) },
	{ "thread_id", CELL_ID, "the Thread object", true,
	    FROM(SHOW_SOME, .by = COL_ROOT_THREAD, .then = COL_JTHREAD_OBJECT), .of = ID_OBJECT },
	{ "addr", CELL_ADDR, "address of the object", true, FROM(OBJECT_ADDR, .by = COL_ROOT_OBJECT) }
};

/* A root by its place in the stacks. */
struct local {
	uint32_t	root, thread, depth;
};

static int
local_order(const void *x, const void *y)
{
	const struct local *a = x, *b = y;

	return num_order(a->thread, b->thread, num_order(a->depth, b->depth, num_order(a->root, b->root, 0)));
}

static bool
locals_step(struct heap_rows *s)
{
	const struct store *st = s->view.heap.st;
	const struct column *kind = store_column(st, COL_ROOT_KIND), *threads = store_column(st, COL_ROOT_THREAD);
	const struct column *depth = store_column(st, COL_ROOT_DEPTH);
	uint64_t i, n = kind == NULL || !heap_rows_threads(s) ? 0 : kind->rows;
	uint32_t thread;

	for (i = 0; i < n; i++) {
		if (i % 4096 == 0 && !rows_tick(&s->rows, i))
			return false;
		thread = (uint32_t)column_get(threads, i);
		if (!root_is_local(column_get(kind, i)) || !jthreads_have(&s->threads, thread))
			continue;
		if (!heap_rows_add(s, &(struct local){ (uint32_t)i + 1, thread, (uint32_t)column_get(depth, i) }))
			return false;
	}
	if (s->n > 0)
		qsort(s->list.data, s->n, sizeof(struct local), local_order);
	return false;
}

static const struct heap_source locals = {
	.item = sizeof(struct local), .args = ARGS_THREADS, .step = locals_step
};

const struct command source_locals = {
	HEAP_SOURCE("locals", "what the stacks of the threads hold, by thread and call",
	    "locals main | sort -retained", local_cols, locals, needs_objects),
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY })
};

const struct command stage_locals = {
	HEAP_STAGE("locals", "what the stacks of the threads of the rows hold, by thread and call",
	    "threads | top 1 retained | locals | top 10 retained", local_cols, locals, needs_objects)
};
