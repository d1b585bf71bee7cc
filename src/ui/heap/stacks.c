/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks: the threads of a heap dump; for an opened thread its stack, with the objects referenced by each
 * frame.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "icecore/keys.h"
#include "ui/list/list.h"

enum { COL_RETAINED, COL_KIND, COL_CALL, COL_OBJECT, COLS };

/* A frame, or a row of in: an object that a frame references. */
struct line {
	uint32_t	frame;		/* row of frame.* + 1; 0: an object */
	uint64_t	row;
};

struct calls {
	struct rows	 rows;
	struct heap	 heap;
	struct line	*line;
	size_t		 n, cap;
	int		 depth, from[COLS];	/* columns of in */
	struct buf	 text;
};

enum { THREADS, CALLS, LISTS };

struct stacks {
	struct list	*list[LISTS];
	uint32_t	 jthread;	/* thread of the stack */
};

/* ---- frames and their objects as rows ---------------------------------------- */

static const struct coldef cols[] = {
	[COL_RETAINED] = { "retained", CELL_BYTES, "retained size of the object" },
	[COL_KIND] = { "holder", CELL_TEXT, "root type" },
	[COL_CALL] = { "call", CELL_TEXT, "frame, with the objects it references" },
	[COL_OBJECT] = { "object", CELL_ID, "object", .more = true, .of = ID_OBJECT }
};

static uint64_t
reach(struct rows *r, uint64_t n)
{
	struct calls	*c = (struct calls *)r;

	return n < c->n ? n : c->n;
}

static void
cell(struct rows *r, uint64_t row, size_t col, struct cell *cell)
{
	struct calls	*c = (struct calls *)r;
	const struct line *l = &c->line[row];

	if (col != COL_CALL && l->frame == 0) {
		rows_cell(r->in, l->row, (size_t)c->from[col], cell);
		return;
	}
	if (col != COL_CALL) {
		cell->type = CELL_NONE;
		cell->u = 0;
		return;
	}
	buf_clear(&c->text);
	if (l->frame != 0)
		heap_frame_name(&c->heap, l->frame, &c->text);
	else {
		rows_cell(r->in, l->row, (size_t)c->from[COL_OBJECT], cell);
		buf_str(&c->text, STR("    "));
		object_name(&c->heap, (uint32_t)cell->u, &c->text);
	}
	cell->type = CELL_TEXT;
	cell->text = buf_view(&c->text);
}

static void
calls_close(struct rows *r)
{
	struct calls	*c = (struct calls *)r;

	free(c->line);
	buf_free(&c->text);
}

static bool
add(struct calls *c, uint32_t frame, uint64_t row)
{
	if (!MEM_ROOM(c->line, c->cap, c->n))
		return false;
	c->line[c->n++] = (struct line){ frame, row };
	return true;
}

/* Objects come in the order of their frames; objects without a frame come last. */
static bool
stacks_add_lines(struct calls *c, uint32_t jthread)
{
	struct rows	*in = c->rows.in;
	uint64_t	 row = 0, n = rows_reach(in, ROWS_ALL), first, frames;
	struct cell	 depth;

	frames = column_rows_of(store_column(c->heap.st, COL_JTHREAD_FRAME),
	    store_column(c->heap.st, COL_JTHREAD_FRAMES),
	    store_column(c->heap.st, COL_FRAME_THREAD), jthread, &first);
	for (uint64_t i = 0; i < frames; i++) {
		if (!add(c, (uint32_t)(first + i), 0))
			return false;
		for (; row < n; row++) {
			rows_cell(in, row, (size_t)c->depth, &depth);
			if (depth.type != CELL_COUNT || depth.u != i)
				break;
			if (!add(c, 0, row))
				return false;
		}
	}
	for (; row < n; row++)
		if (!add(c, 0, row))
			return false;
	return true;
}

static struct rows *
stacks_wrap(struct list *l, struct rows *in, struct err *err)
{
	static const struct rows_ops ops = { .reach = reach, .cell = cell, .close = calls_close };
	const struct session *s = in->session;
	struct stacks	*stacks = l->pane->data;
	struct calls	*c = rows_new(sizeof *c, &ops, in->session, in, err);

	if (c == NULL)
		return NULL;
	c->rows.cols = cols;
	c->rows.ncols = NELEM(cols);
	c->depth = rows_column(in, STR("frame"));
	c->from[COL_OBJECT] = rows_column(in, STR("object"));
	c->from[COL_RETAINED] = rows_column(in, STR("retained"));
	c->from[COL_KIND] = rows_column(in, STR("kind"));
	if (c->depth < 0 || c->from[COL_OBJECT] < 0 || c->from[COL_RETAINED] < 0 ||
	    c->from[COL_KIND] < 0)
		fail(err, E_USAGE, "not a list of locals");
	else if (heap_open(&c->heap, session_store(s), s->refs, s->sizes, err)) {
		if (stacks_add_lines(c, stacks->jthread))
			return &c->rows;
		fail(err, E_SYSTEM, "out of memory (stack)");
	}
	rows_close(&c->rows);
	return NULL;
}

/* ---- the pane ------------------------------------------------------------------ */

static const struct list_spec lists[LISTS] = {
	[THREADS] = { .columns = "select name frames locals retained class serial id", .naming = "name",
	    .sort = "-retained",
	    .hide = "serial id", .empty = "no threads in this dump" },
	[CALLS] = { .base = "", .empty = "no stack for this thread in the dump",
	    .fixed = "a stack cannot be sorted",
	    .wrap = stacks_wrap }
};

/* Serial numbers may repeat, and threads may lack an object: match both. */
static uint32_t
find_jthread(const struct store *st, uint64_t serial, uint64_t object)
{
	const struct column *serials = store_column(st, COL_JTHREAD_SERIAL);
	const struct column *objects = store_column(st, COL_JTHREAD_OBJECT);

	for (uint32_t i = 0; serials != NULL && i < serials->rows; i++)
		if (column_get(serials, i) == serial && column_get(objects, i) == object)
			return i + 1;
	return 0;
}

static void
open_thread(struct pane *p)
{
	struct stacks	*s = p->data;
	struct cell	 serial;
	uint32_t	 object = list_object(s->list[THREADS]);
	char		 query[64];

	if (!list_cell(s->list[THREADS], "serial", &serial) || s->list[CALLS]->task.given)
		return;
	s->jthread = find_jthread(ui_store(p->ui), serial.u, object);
	if (object != 0)
		snprintf(query, sizeof query, "locals @%u", object);
	else
		snprintf(query, sizeof query, "locals %" PRIu64, serial.u);
	list_set(s->list[CALLS], query, 0);
	p->focus = CALLS;
}

static bool
stacks_act(struct pane *p, enum verb verb)
{
	struct stacks	*s = p->data;

	switch (verb) {
	case VERB_ENTER:
		if (s->list[THREADS]->now.rows == NULL)
			return list_act(s->list[THREADS], verb);
		if (p->focus == THREADS)
			open_thread(p);
		else if (list_object(s->list[CALLS]) != 0)
			ui_go(p->ui, PLACE_OBJECT, list_object(s->list[CALLS]));
		return true;
	case VERB_BACK:
		if (p->focus == THREADS)
			return false;
		p->focus = THREADS;
		return true;
	default:
		return list_act(list_of(p), verb);
	}
}

static void
stacks_path(struct pane *p, struct buf *b)
{
	struct stacks	*s = p->data;
	struct heap	 h;
	size_t		 at;

	buf_str(b, STR("threads"));
	if (p->focus == THREADS || s->jthread == 0 || !ui_heap(p->ui, &h))
		return;
	buf_str(b, str_of(glyph(GLYPH_INTO)));
	at = b->n;
	heap_thread_name(&h, s->jthread, b);
	screen_fit_from(b, at);
}

const struct pane_kind pane_stacks = {
	"Threads", "threads", SHAPE_VALUES, IN_STACKS | IN_OBJECTS, sizeof(struct stacks),
	LISTS_OF(lists),
	.tell[TELL_PATH] = stacks_path, .act = stacks_act,
	.diff = "threads | diff | select retained_delta retained name change | sort -abs(retained_delta)"
};
