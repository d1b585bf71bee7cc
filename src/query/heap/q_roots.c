/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_roots: what is held from outside the heap, and what stacks hold.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "hrows.h"

/* ---- roots ----------------------------------------------------------------------- */

/* The numbers are those of root.*, in both tables. */
static const struct coldef root_cols[] = {
	{ "object", CELL_ID, "referenced object", SOME_OF(.by = COL_ROOT_OBJECT), OBJECT_ID },
	{ "kind", CELL_TEXT, "root type: system class, Java local, JNI global, thread, ...",
	    MADE(.word = heap_root_name, .by = COL_ROOT_KIND) },
	{ "thread", CELL_TEXT, "thread, for Java locals and JNI locals",
	    FROM(SHOW_THREAD, .by = COL_ROOT_THREAD) },
	{ "frame", CELL_COUNT, "frame number; 0 is the innermost",
	    FROM(SHOW_KNOWN, .by = COL_ROOT_DEPTH) },
	{ "class", CELL_TEXT, "class (of a Class object: its name)",
	    FROM(OBJECT_LABEL, .by = COL_ROOT_OBJECT) },
	{ "retained", CELL_BYTES, "retained size of the object", MORE,
	    FROM(OBJECT_RETAINED, .by = COL_ROOT_OBJECT) },
	{ "method", CELL_TEXT, "method of the frame", MORE, FROM(SHOW_FRAME, .by = COL_ROOT_FRAME) },
	{ "thread_id", CELL_ID, "Thread object", MORE,
	    SOME_OF(.by = COL_ROOT_THREAD, .then = COL_JTHREAD_OBJECT), OBJECT_ID },
	{ "addr", CELL_ADDR, "address", MORE, FROM(OBJECT_ADDR, .by = COL_ROOT_OBJECT) }
};

static const struct source roots = { .domain = &heap_domain, .rows_of = COL_ROOT_OBJECT };

const struct command source_roots = {
	HEAP_SOURCE("roots", "GC roots",
	    "roots | group kind : count", root_cols, roots, needs_objects)
};

/* ---- locals ---------------------------------------------------------------------- */

static const struct coldef local_cols[] = {
	{ "thread", CELL_TEXT, "thread name", FROM(SHOW_THREAD, .by = COL_ROOT_THREAD) },
	{ "frame", CELL_COUNT, "frame number; 0 is the innermost; empty: none",
	    FROM(SHOW_KNOWN, .by = COL_ROOT_DEPTH) },
	{ "object", CELL_ID, "referenced object", SOME_OF(.by = COL_ROOT_OBJECT), OBJECT_ID },
	{ "class", CELL_TEXT, "class (of a Class object: its name)",
	    FROM(OBJECT_LABEL, .by = COL_ROOT_OBJECT) },
	{ "shallow", CELL_BYTES, "shallow size", FROM(OBJECT_SHALLOW, .by = COL_ROOT_OBJECT) },
	{ "retained", CELL_BYTES, "retained size", FROM(OBJECT_RETAINED, .by = COL_ROOT_OBJECT) },
	{ "kind", CELL_TEXT, "root type: Java local, JNI local, ...",
	    MADE(.word = heap_root_name, .by = COL_ROOT_KIND) },
	{ "method", CELL_TEXT, "method of the frame", MORE, FROM(SHOW_FRAME, .by = COL_ROOT_FRAME) },
	{ "thread_id", CELL_ID, "Thread object", MORE,
	    SOME_OF(.by = COL_ROOT_THREAD, .then = COL_JTHREAD_OBJECT), OBJECT_ID },
	{ "addr", CELL_ADDR, "address", MORE, FROM(OBJECT_ADDR, .by = COL_ROOT_OBJECT) }
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
locals_step(struct item_rows *s)
{
	const struct store *st = s->st;
	const struct column *kind = store_column(st, COL_ROOT_KIND),
	    *threads = store_column(st, COL_ROOT_THREAD);
	const struct column *depth = store_column(st, COL_ROOT_DEPTH);
	uint64_t i, n = kind == NULL || !heap_rows_threads(s) ? 0 : kind->rows;
	uint32_t thread;

	for (i = 0; i < n; i++) {
		if (i % 4096 == 0 && !rows_tick(&s->rows, i))
			return false;
		thread = (uint32_t)column_get(threads, i);
		if (!root_is_local(column_get(kind, i)) || !jthreads_have(&HEAP(s)->threads, thread))
			continue;
		if (!item_rows_add(s, &(struct local){ (uint32_t)i + 1, thread,
		    (uint32_t)column_get(depth, i) }))
			return false;
	}
	if (s->n > 0)
		qsort(s->list.data, s->n, sizeof(struct local), local_order);
	return false;
}

static const struct source locals = {
	.domain = &heap_domain, .item = sizeof(struct local), .args = ARGS_THREADS, .step = locals_step
};

const struct command source_locals = {
	VALUES_SOURCE("locals", "locals: objects referenced by thread stacks",
	    "locals main | sort -retained", local_cols, locals, needs_objects),
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY })
};

const struct command stage_locals = {
	VALUES_STAGE("locals", "objects held by the stacks of the threads",
	    "threads | top 1 retained | locals | top 10 retained", local_cols, locals, needs_objects)
};
