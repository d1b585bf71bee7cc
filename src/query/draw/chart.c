/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart: calls of one thread in time order, as stacks that are never joined: each on the call that it is in.
 */
#include "config.h"

#include <stdlib.h>

#include "draw.h"

#define CALLS_MOST (BOXES_MAX - 1)	/* the thread has a box, too */

enum chart_col { CHART_THREAD, CHART_METHOD, CHART_START, CHART_WALL, CHART_COLS };

struct timed_call {
	uint64_t	start, end, row;
};

struct chart_reader {
	struct stack_tree	*s;
	struct rows	*rows;
	size_t		 col[CHART_COLS];
	struct timed_call *call;
	size_t		 n;
	struct buf	 thread;
	struct err	*err;
};

static bool
find_chart(struct rows *rows, size_t col[CHART_COLS])
{
	static const char *const names[] = { "thread", "method", "start_wall", "wall" };
	int at;

	for (size_t i = 0; i < CHART_COLS; i++) {
		at = rows_column(rows, str_of(names[i]));
		if (at < 0)
			return false;
		col[i] = (size_t)at;
	}
	return true;
}

bool
chart_fits(struct rows *rows)
{
	size_t col[CHART_COLS];

	return find_chart(rows, col);
}

/* Callers before the calls in them. */
static int
timed_order(const void *a, const void *b)
{
	const struct timed_call *x = a, *y = b;

	return num_order(x->start, y->start, num_order(y->end, x->end, num_order(x->row, y->row, 0)));
}

static bool
chart_list(struct chart_reader *r)
{
	struct cell name, start, wall;

	for (uint64_t row = 0; rows_reach(r->rows, row + 1) > row && rows_tick(r->rows, row); row++) {
		rows_cell(r->rows, row, r->col[CHART_THREAD], &name);
		rows_cell(r->rows, row, r->col[CHART_START], &start);
		rows_cell(r->rows, row, r->col[CHART_WALL], &wall);
		if (name.type != CELL_TEXT || start.type != CELL_TIME || wall.type != CELL_TIME)
			continue;
		if (r->n == CALLS_MOST)
			return fail(r->err, E_USAGE, "more than %u calls in a picture; use top %u wall",
			    CALLS_MOST, CALLS_MOST);
		if (r->n == 0)
			buf_str(&r->thread, name.text);
		else if (!str_eq(buf_view(&r->thread), name.text))
			return fail(r->err, E_USAGE,
			    "a picture in time order shows one thread; name it: spans THREAD");
		r->call[r->n++] = (struct timed_call){ start.u, num_add(start.u, wall.u), row };
	}
	qsort(r->call, r->n, sizeof *r->call, timed_order);
	return true;
}

/* Add a call, or the thread.  Its own weight is what no call in it takes. */
static bool
chart_add(struct chart_reader *r, const struct timed_call *call, uint32_t above, struct str name, char kind)
{
	uint64_t wall = call->end - call->start;

	if (above != 0)
		stack_at(r->s, above)->weight -= wall;
	return stacks_add(r->s, name, kind, &(struct tree_stack){ .caller = above, .weight = wall },
	    &(struct stack_about){ .start = call->start }, r->err);
}

/* Put each call on the innermost one that it begins in.  It ends with that at the latest. */
static bool
chart_nest(struct chart_reader *r)
{
	struct { uint64_t end; uint32_t stack; } open[LEVELS_MAX];
	struct timed_call all = { .start = r->n > 0 ? r->call[0].start : 0 };
	size_t depth = 1;
	struct cell name;

	for (size_t i = 0; i < r->n; i++)
		all.end = r->call[i].end > all.end ? r->call[i].end : all.end;
	if (r->n == 0 || !chart_add(r, &all, 0, buf_view(&r->thread), KIND_THREAD))
		return r->n == 0;
	open[0].end = all.end;
	open[0].stack = 1;
	for (struct timed_call *call = r->call; call < r->call + r->n; call++) {
		while (depth > 1 && open[depth - 1].end <= call->start)
			depth--;
		if (call->end > open[depth - 1].end)
			call->end = open[depth - 1].end;
		rows_cell(r->rows, call->row, r->col[CHART_METHOD], &name);
		if (depth == LEVELS_MAX || name.type != CELL_TEXT || call->end == call->start)
			continue;
		if (!chart_add(r, call, open[depth - 1].stack, name.text, KIND_NONE))
			return false;
		open[depth].end = call->end;
		open[depth++].stack = r->s->n;
	}
	return true;
}

bool
chart_read(struct stack_tree *s, struct rows *rows, struct err *err)
{
	struct chart_reader r = { .s = s, .rows = rows, .err = err };
	bool ok;

	s->timed = true;
	s->st = session_store(rows_origin(rows)->session);
	s->unit = 1;
	s->type = CELL_TIME;
	r.call = mem_array(CALLS_MOST, sizeof *r.call);
	ok = (r.call != NULL || fail(err, E_SYSTEM, "out of memory (picture)")) && find_chart(rows, r.col) &&
	    chart_list(&r) && chart_nest(&r) && (!r.thread.bad || fail(err, E_SYSTEM, "out of memory (picture)"));
	free(r.call);
	buf_free(&r.thread);
	return ok;
}
