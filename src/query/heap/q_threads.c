/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_threads: the threads of a heap dump and their stacks.
 */
#include "config.h"

#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "icecore/content.h"
#include "hrows.h"

/* ---- threads --------------------------------------------------------------------- */

struct jthread {
	uint32_t	number, locals;
};

struct jthreads {
	struct item_rows	 rows;
	const struct column	*frame, *frames, *frame_class;
};

static void
state_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	cell_word(c, object == 0 ? NULL : heap_thread_state(&HEAP(s)->view.heap, (uint32_t)object));
}

static void
daemon_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	bool daemon;

	c->type = CELL_NONE;
	if (object == 0 || !heap_thread_daemon(&HEAP(s)->view.heap, (uint32_t)object, &daemon))
		return;
	c->type = CELL_BOOL;
	c->u = daemon;
}

/* The innermost call; jthread.frame says where the next one would be when there is none. */
static void
top_cell(struct item_rows *s, uint64_t thread, struct cell *c)
{
	const struct jthreads *t = (const struct jthreads *)s;

	view_cell(&s->rows, &HEAP(s)->view, column_get(t->frames, thread - 1) == 0 ? 0 :
	    column_get(t->frame, thread - 1), SHOW_FRAME, c);
}

/* Classes of the platform say little of what a program was doing. */
static void
at_cell(struct item_rows *s, uint64_t thread, struct cell *c)
{
	const struct jthreads *t = (const struct jthreads *)s;
	uint64_t i = column_get(t->frame, thread - 1), end = i + column_get(t->frames, thread - 1);
	uint32_t class;

	c->type = CELL_NONE;
	for (; i < end && i <= t->frame_class->rows; i++) {
		class = (uint32_t)column_get(t->frame_class, i - 1);
		if (class == 0 || heap_is_platform(&HEAP(s)->view.heap, class, PLATFORM_RUNS))
			continue;
		view_cell(&s->rows, &HEAP(s)->view, i, SHOW_FRAME, c);
		return;
	}
}

static const struct coldef jthread_cols[] = {
	{ "id", CELL_ID, "Thread object; empty: not in the dump",
	    SOME_OF(.by = COL_JTHREAD_OBJECT), OBJECT_ID },
	{ "serial", CELL_ID, "thread serial number in the file", NUMBER_OF(.by = COL_JTHREAD_SERIAL) },
	{ "name", CELL_TEXT, "name", FROM(SHOW_THREAD) },
	{ "frames", CELL_COUNT, "stack depth", MADE(.by = COL_JTHREAD_FRAMES), NEEDS(stacks) },
	{ "locals", CELL_COUNT, "locals: objects referenced by its stack",
	    NUMBER_OF(ITEM(struct jthread, locals)) },
	{ "retained", CELL_BYTES, "retained size", FROM(OBJECT_RETAINED, .by = COL_JTHREAD_OBJECT) },
	{ "class", CELL_TEXT, "class of the Thread object", FROM(OBJECT_CLASS, .by = COL_JTHREAD_OBJECT) },
	{ "addr", CELL_ADDR, "address of the Thread object", MORE,
	    FROM(OBJECT_ADDR, .by = COL_JTHREAD_OBJECT) },
	{ "state", CELL_TEXT, "thread state, if the object has it", MORE,
	    COMPUTED(state_cell, .by = COL_JTHREAD_OBJECT) },
	{ "daemon", CELL_BOOL, "daemon thread", MORE,
	    COMPUTED(daemon_cell, .by = COL_JTHREAD_OBJECT) },
	{ "top", CELL_TEXT, "innermost frame", MORE, COMPUTED(top_cell), NEEDS(stacks), .cut = CUT_FRONT },
	{ "at", CELL_TEXT, "innermost application frame", MORE, COMPUTED(at_cell), NEEDS(stacks),
	    .cut = CUT_FRONT }
};

static bool
jthreads_step(struct item_rows *s)
{
	struct jthreads *t = (struct jthreads *)s;
	const struct store *st = s->st;
	const struct column *kind = store_column(st, COL_ROOT_KIND),
	    *thread = store_column(st, COL_ROOT_THREAD);
	const struct column *object = store_column(st, COL_JTHREAD_OBJECT);
	uint64_t row, at, n = object == NULL ? 0 : object->rows;

	t->frame = store_column(st, COL_JTHREAD_FRAME);
	t->frames = store_column(st, COL_JTHREAD_FRAMES);
	t->frame_class = store_column(st, COL_FRAME_CLASS);
	while (s->n < n)
		if (!item_rows_add(s, &(struct jthread){ (uint32_t)s->n + 1, 0 }))
			return false;
	for (row = 0; kind != NULL && row < kind->rows; row++) {
		at = column_get(thread, row);
		if (at > 0 && at <= n && root_is_local(column_get(kind, row)))
			SCRATCH(s->list, struct jthread)[at - 1].locals++;
	}
	return false;
}

static const struct source jthreads = {
	.domain = &heap_domain, .size = sizeof(struct jthreads), .item = sizeof(struct jthread),
	    .step = jthreads_step
};

const struct command source_heap_threads = {
	VALUES_SOURCE("threads", "threads with retained size and stack depth", "threads | sort -retained",
	    jthread_cols, jthreads, needs_objects),
	.names = { "name" },
	.lists_threads = true
};

/* ---- frames ---------------------------------------------------------------------- */

struct frames {
	struct item_rows	 rows;
	const struct column	*thread, *first;
};

/* The frames of a thread are contiguous, so depth is the distance from its first. */
static void
depth_cell(struct item_rows *s, uint64_t frame, struct cell *c)
{
	const struct frames *f = (const struct frames *)s;

	c->u = frame - column_get(f->first, column_get(f->thread, frame - 1) - 1);
}

/* A line below 1 means no line number. */
static void
q_threads_line_cell(UNUSED struct item_rows *s, uint64_t line, struct cell *c)
{
	c->i = (int64_t)line;
	if (c->i <= 0)
		c->type = CELL_NONE;
}

static const struct coldef frame_cols[] = {
	{ "thread", CELL_TEXT, "thread name", FROM(SHOW_THREAD, .by = COL_FRAME_THREAD) },
	{ "depth", CELL_COUNT, "frame number; 0 is the innermost", COMPUTED(depth_cell) },
	{ "method", CELL_TEXT, "method name", FROM(SHOW_REF, .by = COL_FRAME_METHOD) },
	{ "class", CELL_TEXT, "class", FROM(SHOW_CLASS, .by = COL_FRAME_CLASS) },
	{ "file", CELL_TEXT, "source file", FROM(SHOW_REF, .by = COL_FRAME_FILE) },
	{ "line", CELL_INT, "source line, if known", COMPUTED(q_threads_line_cell, .by = COL_FRAME_LINE) },
	{ "signature", CELL_TEXT, "argument and return types", MORE,
	    FROM(SHOW_REF, .by = COL_FRAME_SIGNATURE) },
	{ "package", CELL_TEXT, "package", MORE, FROM(SHOW_PACKAGE, .by = COL_FRAME_CLASS) },
	{ "thread_id", CELL_ID, "Thread object", MORE,
	    SOME_OF(.by = COL_FRAME_THREAD, .then = COL_JTHREAD_OBJECT), OBJECT_ID }
};

static bool
frames_step(struct item_rows *s)
{
	struct frames *f = (struct frames *)s;
	uint64_t i, n;

	f->thread = store_column(s->st, COL_FRAME_THREAD);
	f->first = store_column(s->st, COL_JTHREAD_FRAME);
	n = f->thread == NULL || !heap_rows_threads(s) ? 0 : f->thread->rows;
	for (i = 0; i < n; i++) {
		if (i % 4096 == 0 && !rows_tick(&s->rows, i))
			return false;
		if (jthreads_have(&HEAP(s)->threads, (uint32_t)column_get(f->thread, i)) &&
		    !item_rows_add_number(s, (uint32_t)i + 1))
			return false;
	}
	return false;
}

static const struct source frames = {
	.domain = &heap_domain, .size = sizeof(struct frames), .args = ARGS_THREADS, .step = frames_step
};

static const column_id frame_needs[] = { COL_OBJECT_OFFSET, COL_FRAME_METHOD, COL_NONE };

const struct command source_frames = {
	VALUES_SOURCE("frames", "thread stacks, innermost frame first", "frames main", frame_cols, frames,
	    frame_needs),
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY })
};

const struct command stage_frames = {
	VALUES_STAGE("frames", "stacks of the threads, innermost frame first",
	    "threads | top 1 frames | frames", frame_cols, frames, frame_needs)
};
