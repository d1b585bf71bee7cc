/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * objects: what objects dominate, as stacks: of each what it retains, down to what is too small to be seen.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "draw.h"

#define FINEST 1e-3		/* percent: smaller objects are joined, whatever is asked for */

/* The children of an object that is open; those from next on are still to be added. */
struct open_object {
	struct siblings	of;
	uint64_t	next, end;	/* places of the next child and of the end */
	uint64_t	rest;		/* bytes that the children from next on retain */
	uint32_t	stack;
};

struct object_walk {
	struct stack_tree	*s;
	struct heap	 heap;
	struct rows	*rows;
	struct err	*err;
	uint64_t	 least;
	struct scratch	 open;		/* struct open_object */
	uint64_t	 nopen;
	struct buf	 name;
};

bool
objects_fit(struct rows *rows)
{
	const struct command *c = rows_origin(rows)->command;

	return c != NULL && c->draws == DRAWS_DOMINATORS && rows_column(rows, STR("object")) >= 0;
}

static void
objects_pop(struct object_walk *w)
{
	siblings_close(&SCRATCH(w->open, struct open_object)[--w->nopen].of);
}

/* Open the objects that an object dominates; *rest: bytes that they retain. */
static bool
open_children(struct object_walk *w, uint32_t object, uint32_t stack, uint64_t *rest)
{
	struct open_object open = { .stack = stack };
	uint64_t bytes;
	bool ok = siblings_open(&open.of, &w->heap, object, w->rows->work, w->err);

	for (uint64_t i = 0; ok && i < open.of.n; i++) {
		bytes = heap_retained(&w->heap, open.of.object[i]);
		open.rest = num_add(open.rest, bytes);
		/* Objects that retain nothing are sorted last. */
		open.end += bytes > 0;
	}
	*rest = open.rest;
	if (ok && open.rest > 0 && scratch_add(&w->open, &w->nopen, &open, sizeof open, w->err))
		return true;
	siblings_close(&open.of);
	return ok && open.rest == 0;
}

/* Add an object and open its children; its self weight is what the children leave. */
static bool
push_object(struct object_walk *w, uint32_t object, uint32_t caller)
{
	uint64_t retained = heap_retained(&w->heap, object), rest;
	struct tree_stack one = { .caller = caller };

	if (!open_children(w, object, w->s->n + 1, &rest))
		return false;
	one.weight = retained > rest ? retained - rest : 0;
	buf_clear(&w->name);
	heap_label(&w->heap, object, &w->name);
	buf_printf(&w->name, " @%u", object);
	if (w->name.bad)
		return fail(w->err, E_SYSTEM, "out of memory (name)");
	return stacks_add(w->s, buf_view(&w->name), KIND_NONE, &one, &(struct stack_about){ .more = 0 },
	    w->err);
}

/* Children come by descending size: the first one that is too small represents all later ones. */
static bool
objects_step(struct object_walk *w)
{
	struct open_object *o = &SCRATCH(w->open, struct open_object)[w->nopen - 1];
	struct tree_stack rest = { .caller = o->stack, .weight = o->rest };
	uint64_t retained, left = o->end - o->next;
	uint32_t object;

	if (!siblings_sort(&o->of, &w->heap, o->next, w->rows->work, w->err))
		return false;
	object = o->of.object[o->next];
	retained = heap_retained(&w->heap, object);
	if (retained < w->least || w->nopen > LEVELS_MAX) {
		objects_pop(w);
		return stacks_add(w->s, STR("more"), KIND_NONE, &rest,
		    &(struct stack_about){ .more = left > UINT32_MAX ? UINT32_MAX : (uint32_t)left }, w->err);
	}
	o->rest -= retained < o->rest ? retained : o->rest;
	if (++o->next == o->end)
		objects_pop(w);
	return push_object(w, object, rest.caller);
}

/* The object of a row; 0: it has none. */
static uint32_t
objects_object_of(struct object_walk *w, uint64_t row, int col)
{
	struct cell c;

	rows_cell(w->rows, row, (size_t)col, &c);
	return c.type == CELL_ID && c.u <= w->heap.objects ? (uint32_t)c.u : 0;
}

static bool
walk_rows(struct object_walk *w, double share)
{
	int col = rows_column(w->rows, STR("object"));
	struct tree_stack rest = { .caller = 0 };
	struct stack_about small = { .more = 0 };
	uint64_t all = 0;

	for (uint64_t row = 0; rows_reach(w->rows, row + 1) > row; row++)
		all = num_add(all, heap_retained(&w->heap, objects_object_of(w, row, col)));
	w->least = (uint64_t)((share > FINEST ? share : FINEST) / 100 * (double)all);
	for (uint64_t row = 0; rows_reach(w->rows, row + 1) > row; row++) {
		uint32_t object = objects_object_of(w, row, col);

		if (object != 0 && heap_retained(&w->heap, object) < w->least) {
			rest.weight = num_add(rest.weight, heap_retained(&w->heap, object));
			small.more += small.more < UINT32_MAX;
			continue;
		}
		if (object == 0)
			continue;
		if (!push_object(w, object, 0))
			return false;
		while (w->nopen > 0)
			if (!rows_tick(w->rows, row) || !objects_step(w))
				return false;
	}
	return small.more == 0 || stacks_add(w->s, STR("more"), KIND_NONE, &rest, &small, w->err);
}

bool
objects_read(struct stack_tree *s, struct rows *rows, double share, struct err *err)
{
	struct session *session = rows_origin(rows)->session;
	struct object_walk w = { .s = s, .rows = rows, .err = err };
	bool ok;

	s->st = session_store(session);
	s->type = CELL_BYTES;
	s->unit = 1;
	s->objects = true;
	/* The top of the tree alone needs no pass. */
	ok = pass_want(session_store(session), heap_col(COL_EACH_CHILDREN, session->refs, session->sizes),
	    rows->work, err) &&
	    pass_want(session_store(session), heap_col(COL_EACH_DIRECT_OBJECT, session->refs, session->sizes),
	    rows->work, err) &&
	    heap_open(&w.heap, s->st, session->refs, session->sizes, err) && walk_rows(&w, share);
	while (w.nopen > 0)
		objects_pop(&w);
	scratch_free(&w.open);
	buf_free(&w.name);
	return ok;
}
