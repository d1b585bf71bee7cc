/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_tree: call trees that are made while they are walked: merged threads, of all or of each process, and
 * inverted trees.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/batch.h"
#include "trace.h"

struct walk {
	struct rows		 rows;
	const struct store	*store;
	struct tree		*tree;
	bool			 processes;	/* the top rows are below the nodes of processes */
	ARRAY(uint32_t)	node, parent;	/* by row: node; row of the parent + 1 */
	ARRAY(uint32_t)	process;	/* by row, if processes is set: node of the process */
	uint64_t		 n;
	struct column_set	 set;
	struct weights		 weights;
	uint64_t		 whole;		/* what percentages are of, once known */
	bool			 weighed;
	uint64_t		 at;		/* the row that last holds, + 1 */
	struct tree_node	 last;
	struct any		 frames;
	struct buf		 text;
	bool			 ended;
};

static bool
walk_add(struct walk *w, uint32_t node, uint32_t parent)
{
	struct err *err = &w->rows.err;

	if (w->n == UINT32_MAX)
		return fail(err, E_SYSTEM, "call tree too large (over %u calls); add head or where",
		    UINT32_MAX);
	if (!array_grow(&w->node, w->n + 1, err) ||
	    !array_grow(&w->parent, w->n + 1, err) ||
	    (w->processes && !array_grow(&w->process, w->n + 1, err)))
		return false;
	if (w->processes)
		w->process.at[w->n] = parent == 0 ? tree_parent(w->tree, node) : w->process.at[parent - 1];
	w->node.at[w->n] = node;
	w->parent.at[w->n] = parent;
	w->n++;
	return true;
}

/* Return the first call of this process, or of the next one that has calls; 0: none. */
static uint32_t
walk_enter(struct walk *w, uint32_t process)
{
	uint32_t first = 0;

	for (; process != 0 && first == 0; process = tree_next(w->tree, process))
		first = tree_first(w->tree, process);
	return first;
}

/* Read the next call in pre-order; false: the end, or a failure. */
static bool
q_tree_walk_step(struct walk *w)
{
	uint32_t row = (uint32_t)w->n, node = TREE_ROOT, next;

	if (!rows_tick(&w->rows, w->n))
		return false;
	if (row > 0)
		node = w->node.at[row - 1];
	next = tree_first(w->tree, node);
	if (tree_full(w->tree))
		return fail(&w->rows.err, E_SYSTEM, "tree too large to invert; name one thread, or add head");
	if (row == 0 && w->processes)
		next = walk_enter(w, next);
	if (next != 0)
		return walk_add(w, next, row);
	for (; row > 0; row = w->parent.at[row - 1]) {
		node = w->node.at[row - 1];
		next = tree_next(w->tree, node);
		if (next != 0)
			return walk_add(w, next,
			    w->parent.at[row - 1]);
	}
	next = w->processes && w->n > 0 ? walk_enter(w, tree_next(w->tree, w->process.at[w->n - 1])) : 0;
	return next != 0 && walk_add(w, next, 0);
}

static uint64_t
walk_reach(struct rows *r, uint64_t n)
{
	struct walk *w = (struct walk *)r;

	while (w->n < n && !w->ended)
		w->ended = w->tree == NULL || !q_tree_walk_step(w);
	return w->n;
}

/* The columns are pairs of self and total: for both weights, then for their difference. */
static void
walk_weight(const struct walk *w, size_t col, struct cell *c)
{
	enum clock clock = (enum clock)((col - CALL_SELF_WALL) / 2);
	bool self = (col - CALL_SELF_WALL) % 2 == 0;
	uint64_t value = self ? w->last.self[clock] : w->last.total[clock];

	cell_weight(c, &w->weights, clock, value);
	if (clock != CLOCK_WALL && !method_has_cpu(w->store, w->last.method))
		c->type = CELL_NONE;
}

static void
q_tree_walk_part(struct walk *w, const uint64_t *of, struct cell *c)
{
	uint64_t weight;

	if (!w->weighed)
		w->whole = self_weights(&w->rows, w->store, &w->weights);
	w->weighed = true;
	if (weight_by_clock(&w->rows, &w->weights, of[CLOCK_WALL], of[CLOCK_CPU], &weight))
		cell_part(c, weight, w->whole);
	else
		c->type = CELL_NONE;
}

static void
walk_number(struct walk *w, uint64_t row, size_t col, struct cell *c)
{
	const struct tree_node *node = &w->last;

	switch ((enum call_col)col) {
	case CALL_ID:
		c->u = row + 1;
		break;
	case CALL_PARENT:
		c->u = w->parent.at[row];
		break;
	case CALL_DEPTH:
		c->u = node->depth - 1 - w->processes;
		break;
	case CALL_CALLS:
		c->u = node->calls;
		break;
	case CALL_SELF_WALL:
	case CALL_TOTAL_WALL:
	case CALL_SELF_CPU:
	case CALL_TOTAL_CPU:
	case CALL_SELF_OFF:
	case CALL_TOTAL_OFF:
		walk_weight(w, col, c);
		break;
	case CALL_THREAD_ID:
		c->u = node->thread;
		break;
	case CALL_METHOD_ID:
		c->u = node->method;
		break;
	case CALL_SELF_PCT:
		q_tree_walk_part(w, node->self, c);
		break;
	case CALL_TOTAL_PCT:
		q_tree_walk_part(w, node->total, c);
		break;
	case CALL_PACKAGE:
	case CALL_THREAD:
	case CALL_METHOD:
	case CALL_FUNCTION: case CALL_KIND: case CALL_MODULE: case CALL_DETAIL: case CALL_PROCESS: case CALL_COLS:
		break;
	}
}

static void
walk_any(struct walk *w, uint64_t row)
{
	struct tree_node node;

	for (uint64_t at = row + 1; at != 0; at = w->parent.at[at - 1]) {
		tree_peek(w->tree, w->node.at[at - 1], &node);
		if (!any_add(&w->frames, node.method))
			w->text.bad = true;
	}
	buf_clear(&w->text);
	any_text(&w->frames, w->store, &w->text);
}

/* Merged calls of several threads have no thread. */
static void
walk_text(struct walk *w, const struct coldef *def, struct cell *c)
{
	bool thread = def->origin->show == TRACE_THREAD;

	buf_clear(&w->text);
	text_named(w->store, (enum trace_show)def->origin->show, thread ? w->last.thread : w->last.method,
	    &w->text);
	cell_text(&w->rows, c, &w->text);
	if (thread && w->last.thread == 0)
		c->type = CELL_NONE;
}

/* Return what a column is, of profiles as of traces. */
static size_t
walk_column(const struct walk *w, size_t col)
{
	size_t from = w->set.from[col];

	return from >= CALL_FUNCTION && from < CALL_THREAD_ID ? from - CALL_FUNCTION + CALL_METHOD : from;
}

static void
walk_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct walk *w = (struct walk *)r;
	const struct coldef *def = &r->cols[col];
	struct tree_node node;

	if (w->at != row + 1) {
		tree_get(w->tree, w->node.at[row], &w->last);
		w->at = row + 1;
	}
	c->type = def->type;
	col = walk_column(w, col);
	if (col == UINT8_MAX) {
		walk_any(w, row);
		cell_text(r, c, &w->text);
		return;
	}
	if (col == CALL_PROCESS) {
		tree_peek(w->tree, w->process.at[row], &node);
		c->text = process_name(w->store, node.process);
		return;
	}
	if (c->type == CELL_TEXT) {
		walk_text(w, def, c);
		return;
	}
	walk_number(w, row, col, c);
	if (col == CALL_THREAD_ID && w->last.thread == 0)
		c->type = CELL_NONE;
}

/* Batches have names as numbers, and other columns as cells. */
static bool
q_tree_walk_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	struct walk *w = (struct walk *)r;
	const uint32_t *id = w->node.at + first;
	uint8_t from = w->set.from[col];
	struct tree_node node;

	if (from == UINT8_MAX || from == CALL_PROCESS || r->cols[col].type != CELL_TEXT)
		return from != UINT8_MAX && batch_of_cells(r, first, n, col, b);
	b->values = values_named(w->store, (enum trace_show)r->cols[col].origin->show);
	for (size_t i = 0; i < n; i++) {
		tree_peek(w->tree, id[i], &node);
		b->u[i] = from == CALL_THREAD ? node.thread : node.method;
		if (b->u[i] >= b->values)
			return false;
	}
	batch_full(b, CELL_TEXT);
	if (from == CALL_THREAD)
		batch_some(b, n, CELL_TEXT);
	return true;
}

static void
walk_value(struct rows *r, size_t col, uint64_t value, struct cell *c)
{
	struct walk *w = (struct walk *)r;

	w->at = 0;
	w->last.method = w->last.thread = (uint32_t)value;
	walk_text(w, &r->cols[col], c);
}

static void
walk_close(struct rows *r)
{
	struct walk *w = (struct walk *)r;

	if (w->tree != NULL)
		tree_close(w->tree);
	SCRATCH_FREE(&w->node, &w->parent, &w->process);
	free(w->frames.method);
	buf_free(&w->text);
}

static int
walk_find(struct rows *r, struct str name, UNUSED bool quoted)
{
	return any_find(r, &((struct walk *)r)->set, name);
}

static uint64_t
walk_caller(struct rows *r, uint64_t row, uint32_t *method)
{
	struct walk *w = (struct walk *)r;
	struct tree_node node;

	tree_peek(w->tree, w->node.at[row], &node);
	*method = node.method;
	return w->parent.at[row];
}

static const struct rows_ops walk_ops = { .reach = walk_reach, .cell = walk_cell,
	.close = walk_close, .find = walk_find, .known = any_known, .caller = walk_caller,
	.batch = q_tree_walk_batch, .value = walk_value };

static bool
open_of_threads(struct walk *w, const struct stage *stage, enum tree_kind kind, struct err *err)
{
	struct thread_list list;
	bool ok = threads_of_stage(&list, w->store, stage, false, err) &&
	    (store_is_blank(w->store) || tree_open(&w->tree, w->store, kind, list.id, list.n, err));

	free(list.id);
	return ok;
}

static bool
open_of_methods(struct walk *w, const struct stage *stage, enum tree_kind kind, struct err *err)
{
	uint8_t *has;
	bool ok = methods_of_stage(&has, w->store, stage, err);

	if (ok && !store_is_blank(w->store))
		return tree_open_methods(&w->tree, w->store, kind, has, err);
	free(has);
	return ok;
}

static bool
walk_open(struct session *session, const struct stage *stage, struct rows *in, enum tree_kind kind,
    struct rows **out, struct err *err)
{
	struct walk *w = rows_of_command(sizeof *w, &walk_ops, session, stage, in, err);
	bool ok;

	if (w == NULL)
		return false;
	w->store = session_store(session);
	w->processes = kind == TREE_PROCESSES;
	rows_weigh(&w->rows, &w->set, stage, w->store);
	/* All rows have a process, and hardly one has a thread. */
	for (size_t i = 0; w->processes && i < w->set.n; i++)
		w->set.col[i].more = w->set.from[i] == CALL_THREAD ||
		    (w->set.col[i].more && w->set.from[i] != CALL_PROCESS);
	weights_of(w->store, &w->weights);
	ok = (kind == TREE_CALLERS || kind == TREE_CALLEES ? open_of_methods : open_of_threads)(w, stage,
	    kind, err);
	if (!ok)
		w->tree = NULL;
	return rows_opened(&w->rows, ok, out);
}

bool
merged_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	return walk_open(session, stage, in, TREE_MERGED, out, err);
}

bool
process_calls_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	return walk_open(session, stage, in, TREE_PROCESSES, out, err);
}

bool
inverted_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	return walk_open(session, stage, in, TREE_INVERTED, out, err);
}

bool
callers_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	return walk_open(session, stage, in, TREE_CALLERS, out, err);
}

bool
callees_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	return walk_open(session, stage, in, TREE_CALLEES, out, err);
}
