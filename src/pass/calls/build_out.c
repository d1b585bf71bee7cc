/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes finished call trees as columns: calls in pre-order, and totals of threads by their calls.
 *
 * The trees are not walked.  Children are younger than their parents, so a loop backwards gives sizes, and
 * one forwards, from parents to children, the position of each node; then every column is written in order.
 * A node younger than its child is a root that was wrapped: these are handled separately.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/chunk.h"
#include "icecore/columns_trace.h"
#include "icecore/make.h"
#include "build.h"

#define BLOCK CHUNK_OF(512)		/* rows gathered before they are written */
#define AHEAD 16		/* nodes that are fetched before they are needed */
#define SORT_FEW 24		/* up to this many children are sorted in place */

enum gathered { METHOD, CALLS, TOTAL_WALL, TOTAL_CPU, GATHERED };

struct thread_sums {
	uint64_t	call, size, calls, wall, cpu, depth;
};

/* A child that waits for its place. */
struct sibling {
	uint64_t	wall, cpu;
	uint32_t	method, node;
};

struct layout {
	struct build	*b;
	struct store	*st;
	struct work	*work;
	uint64_t	 rows;
	uint64_t	 most[GATHERED];	/* largest value, for the column's type */
	void		*data[GATHERED];
	enum column_type type[GATHERED];
	uint32_t	*parent, *size;		/* size has the node of a row first */
	ARRAY(struct sibling)	kids;			/* children of one node */
	ARRAY(struct thread_sums)	threads;
};

/* ---- places ------------------------------------------------------------------------------ */

/* Neither a root nor one that was: all above it have places before it. */
static bool
is_younger(const struct build *b, uint32_t node)
{
	uint32_t parent = build_at(b, node)->parent;

	return parent != 0 && parent < node;
}

static void
build_out_find_most(struct layout *o)
{
	struct call_node *n = build_at(o->b, 0);
	uint64_t wall, cpu, calls;

	for (uint32_t i = 1; i < o->b->nnodes; i++) {
		calls = build_calls(o->b, i);
		build_weight(o->b, i, &wall, &cpu);
		o->most[CALLS] = calls > o->most[CALLS] ? calls : o->most[CALLS];
		o->most[TOTAL_WALL] = wall > o->most[TOTAL_WALL] ? wall : o->most[TOTAL_WALL];
		o->most[TOTAL_CPU] = cpu > o->most[TOTAL_CPU] ? cpu : o->most[TOTAL_CPU];
		n[i].size = 1;
	}
}

static void
find_sizes(struct build *b)
{
	const uint32_t *wrapped = b->wrapped.at;
	struct call_node *n = build_at(b, 0);

	for (uint32_t i = b->nnodes; i-- > 1; )
		if (is_younger(b, i))
			n[n[i].parent].size += n[i].size;
	for (uint64_t i = 0; i < b->nwrapped; i++)
		n[n[wrapped[i]].parent].size += n[wrapped[i]].size;
}

/* Siblings differ in their methods. */
static inline int
build_out_compare(const struct sibling *x, const struct sibling *y)
{
	if (x->wall != y->wall)
		return x->wall > y->wall ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu > y->cpu ? -1 : 1;
	return x->method < y->method ? -1 : 1;
}

static int
build_out_by_weight(const void *x, const void *y)
{
	return build_out_compare(x, y);
}

/* The children of a node, the heaviest first. */
static bool
list_kids(struct layout *o, uint32_t node, uint64_t *count, struct err *err)
{
	uint64_t n = 0, i;
	struct sibling *kid, k;

	for (; node != 0; node = build_at(o->b, node)->next, n++) {
		if ((n + 1) * sizeof k > o->kids.raw.size && !array_grow(&o->kids, n + 1, err))
			return false;
		kid = o->kids.at;
		build_weight(o->b, node, &k.wall, &k.cpu);
		k.method = build_at(o->b, node)->method;
		k.node = node;
		for (i = n; n < SORT_FEW && i > 0 && build_out_compare(&k, &kid[i - 1]) < 0; i--)
			kid[i] = kid[i - 1];
		kid[i] = k;
	}
	if (n > SORT_FEW)
		qsort(o->kids.at, n, sizeof k, build_out_by_weight);
	/* An only child is placed without this list. */
	assert(n > 1);
	*count = n;
	return true;
}

static inline void
build_out_place(struct layout *o, uint32_t node, uint32_t id)
{
	assert(id > 0 && id <= o->rows && o->size[id - 1] == 0);
	build_at(o->b, node)->id = id;
	o->size[id - 1] = node;
}

/* Gives the children of a node their ids; its own is there. */
static bool
place_kids(struct layout *o, uint32_t node, uint32_t next, struct err *err)
{
	struct call_node *n = build_at(o->b, 0), *at = &n[node];
	uint32_t first = at->first;
	const struct sibling *kid;
	uint64_t count;

	assert(next > 0 && next <= o->rows + 1);
	at->depth = at->parent == 0 ? 0 : n[at->parent].depth + 1;
	if (first == 0)
		return true;
	if (n[first].next == 0) {
		build_out_place(o, first, next);
		return true;
	}
	if (!list_kids(o, first, &count, err))
		return false;
	kid = o->kids.at;
	for (uint64_t i = 0; i < count; i++) {
		build_out_place(o, kid[i].node, next);
		next += n[kid[i].node].size;
	}
	assert(next <= o->rows + 1);
	return true;
}

/* Roots first, outermost first, then all others in the order of creation. */
static bool
build_out_place_nodes(struct layout *o, struct err *err)
{
	struct build *b = o->b;
	const uint32_t *wrapped = b->wrapped.at;
	struct thread_sums *t = o->threads.at;
	struct call_node *n = build_at(b, 0);
	uint32_t root, id = 1;

	for (uint32_t i = 0; i < b->nthreads; i++) {
		t[i].call = id;
		if ((root = *build_root(b, i + 1)) == 0)
			continue;
		assert(n[root].parent == 0 && n[root].size > 0);
		t[i].size = n[root].size - 1;
		n[root].id = 0;
		if (!place_kids(o, root, id, err))
			return false;
		id += (uint32_t)t[i].size;
	}
	assert(id == o->rows + 1);
	for (uint64_t i = b->nwrapped; i-- > 0; )
		if (!place_kids(o, wrapped[i], n[wrapped[i]].id + 1, err))
			return false;
	for (uint32_t i = 1; i < b->nnodes; i++) {
		if (!work_each(o->work, i, 4096, err))
			return false;
		/* The first child of one node, the next child of a nearer one. */
		__builtin_prefetch(&n[n[i + 2 * AHEAD < b->nnodes ? i + 2 * AHEAD : i].first]);
		__builtin_prefetch(&n[n[n[i + AHEAD < b->nnodes ? i + AHEAD : i].first].next]);
		if (is_younger(b, i) && !place_kids(o, i, n[i].id + 1, err))
			return false;
	}
	return true;
}

/* ---- rows -------------------------------------------------------------------------------- */

static bool
make_calls(struct layout *o, struct err *err)
{
	static const column_id cols[GATHERED] = { COL_CALL_METHOD, COL_CALL_CALLS, COL_CALL_TOTAL_WALL,
	    COL_CALL_TOTAL_CPU };

	o->parent = store_make(o->st, COL_CALL_PARENT, COL_U32, o->rows, err);
	for (int i = 0; i < GATHERED; i++) {
		o->type[i] = column_fit(o->most[i]);
		o->data[i] = store_make(o->st, cols[i], o->type[i], o->rows, err);
		if (o->data[i] == NULL)
			return false;
	}
	return o->parent != NULL;
}

static void
write_block(struct layout *o, uint64_t row, uint64_t v[GATHERED][BLOCK], uint64_t n)
{
	assert(n > 0 && n <= BLOCK && row + n <= o->rows);
	for (int c = 0; c < GATHERED; c++)
		column_set_many(o->data[c], o->type[c], row, v[c], n);
}

/* The rows of a thread. */
static bool
build_out_gather(struct layout *o, struct thread_sums *t, struct err *err)
{
	const struct build *b = o->b;
	const struct call_node *n = build_at(b, 0), *x;
	uint64_t row = t->call - 1, end = row + t->size, k = 0, v[GATHERED][BLOCK];

	assert(t->call > 0 && end <= o->rows);
	for (; row < end; row++) {
		assert(o->size[row] != 0 && n[o->size[row]].id == row + 1);
		x = &n[o->size[row]];
		__builtin_prefetch(&n[o->size[row + AHEAD < o->rows ? row + AHEAD : row]]);
		build_weight(b, o->size[row], &v[TOTAL_WALL][k], &v[TOTAL_CPU][k]);
		v[METHOD][k] = x->method;
		v[CALLS][k] = build_calls(b, o->size[row]);
		o->parent[row] = n[x->parent].id;
		o->size[row] = x->size;
		t->calls = num_add(t->calls, v[CALLS][k]);
		t->depth = x->depth > t->depth ? x->depth : t->depth;
		if (o->parent[row] == 0) {
			t->wall = num_add(t->wall, v[TOTAL_WALL][k]);
			t->cpu = num_add(t->cpu, v[TOTAL_CPU][k]);
		}
		if (++k < BLOCK && row + 1 < end)
			continue;
		if (!work_go(o->work, row, err))
			return false;
		write_block(o, row + 1 - k, v, k);
		k = 0;
	}
	/* The last block is written. */
	assert(k == 0);
	return true;
}

static bool
put_calls(struct layout *o, struct err *err)
{
	for (uint32_t i = 0; i < o->b->nthreads; i++)
		if (!build_out_gather(o, &o->threads.at[i], err))
			return false;
	return true;
}

/* ---- threads ----------------------------------------------------------------------------- */

static bool
build_out_put_threads(struct layout *o, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_THREAD_CALL, thread_sums, call), MAKE_FIT(COL_THREAD_SIZE, thread_sums, size),
		MAKE_FIT(COL_THREAD_CALLS, thread_sums, calls), MAKE_FIT(COL_THREAD_WALL, thread_sums, wall),
		MAKE_FIT(COL_THREAD_CPU, thread_sums, cpu), MAKE_FIT(COL_THREAD_DEPTH, thread_sums, depth)
	};
	struct thread_sums *t = o->threads.at;
	uint64_t wall, cpu;
	uint32_t root;

	for (uint32_t i = 0; i < o->b->nthreads; i++) {
		/* Weight without a frame, or with hidden frames only, counts for the thread. */
		if ((root = *build_root(o->b, i + 1)) != 0) {
			build_weight(o->b, root, &wall, &cpu);
			t[i].wall = wall > t[i].wall ? wall : t[i].wall;
			t[i].cpu = cpu > t[i].cpu ? cpu : t[i].cpu;
		}
		if (o->b->depths != NULL)
			t[i].depth = o->b->depths[i];
	}
	return make_columns(o->st, columns, NELEM(columns), MAKE_ROWS(t, o->b->nthreads), err);
}

static bool
build_out_lay_out(struct layout *o, struct err *err)
{
	o->rows = build_stacks(o->b);
	assert(o->rows < o->b->nnodes);
	work_start(o->work, "call tree (time order)", o->rows);
	array_free(&o->b->edges);
	build_out_find_most(o);
	find_sizes(o->b);
	o->size = store_make(o->st, COL_CALL_SIZE, COL_U32, o->rows, err);
	return o->size != NULL && array_grow(&o->threads, o->b->nthreads, err) &&
	    build_out_place_nodes(o, err) &&
	    make_calls(o, err) && put_calls(o, err) && build_out_put_threads(o, err);
}

bool
build_columns(struct build *b, struct store *st, uint32_t nmethods, struct work *work, struct err *err)
{
	struct layout o = { .b = b, .st = st, .work = work, .most[METHOD] = nmethods };
	bool ok = build_out_lay_out(&o, err);

	SCRATCH_FREE(&o.kids, &o.threads);
	return ok;
}

bool
build_numbers(struct store *st, uint32_t nmethods, struct err *err)
{
	uint32_t *raw = store_make(st, COL_METHOD_RAW, COL_U32, nmethods, err);

	for (uint32_t i = 0; raw != NULL && i < nmethods; i++)
		raw[i] = i + 1;
	return raw != NULL;
}
