/*
 * Trees to walk.  The call tree itself lies in columns; the others grow.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tree.h"

/* Node ids of TREE_CALLS: the root, the threads, then the calls. */
#define FIRST_THREAD 2u

static uint32_t
first_call(const struct tree *t)
{
	return FIRST_THREAD + t->nthreads;
}

static bool
is_thread(const struct tree *t, uint32_t id)
{
	return id >= FIRST_THREAD && id < first_call(t);
}

/* ---- opening ------------------------------------------------------------------------------ */

static bool
take_threads(struct tree *t, const uint32_t *threads, size_t n, struct err *err)
{
	uint32_t i, all = (uint32_t)t->thread.call->rows;

	t->nthreads = n == 0 ? all : (uint32_t)n;
	t->threads = mem_array((size_t)t->nthreads + 1, sizeof *t->threads);
	if (t->threads == NULL)
		return fail(err, E_SYSTEM, "no memory");
	for (i = 0; i < t->nthreads; i++) {
		t->threads[i] = n == 0 ? i + 1 : threads[i];
		if (t->threads[i] == 0 || t->threads[i] > all)
			return fail(err, E_USAGE, "there is no thread %u",
			    t->threads[i]);
	}
	if (t->rows + t->nthreads + FIRST_THREAD > UINT32_MAX)
		return fail(err, E_INPUT, "more than 2^32 distinct stacks");
	return true;
}

static bool
find_columns(struct tree *t, struct err *err)
{
	const struct { const struct column **to; const char *name; } want[] = {
		{ &t->call.parent, "call.parent" },
		{ &t->call.size, "call.size" },
		{ &t->call.thread, "call.thread" },
		{ &t->call.depth, "call.depth" },
		{ &t->call.method, "call.method" },
		{ &t->call.calls, "call.calls" },
		{ &t->call.wall, "call.total_wall" },
		{ &t->call.self_wall, "call.self_wall" },
		{ &t->call.cpu, "call.total_cpu" },
		{ &t->call.self_cpu, "call.self_cpu" },
		{ &t->thread.calls, "thread.calls" },
		{ &t->thread.wall, "thread.wall" },
		{ &t->thread.cpu, "thread.cpu" },
		{ &t->thread.call, "thread.call" },
		{ &t->thread.size, "thread.size" },
	};
	size_t i;

	for (i = 0; i < NELEM(want); i++)
		if ((*want[i].to = store_column(t->st, want[i].name)) == NULL)
			return fail(err, E_USAGE, "this file has no call tree");
	t->rows = t->call.method->rows;
	return true;
}

bool
tree_open(struct tree **out, const struct store *st, enum tree_kind kind,
    const uint32_t *threads, size_t n, struct err *err)
{
	struct tree *t = mem_array(1, sizeof *t);

	*out = NULL;
	if (t == NULL)
		return fail(err, E_SYSTEM, "no memory");
	t->st = st;
	t->kind = kind;
	t->differs = store_fact_get(st, "weight.differs") != 0;
	t->grown = t->entries = t->group = SCRATCH_INIT;
	if (!find_columns(t, err) || !take_threads(t, threads, n, err) ||
	    (kind != TREE_CALLS && !tree_grow_root(t, err))) {
		tree_close(t);
		return false;
	}
	*out = t;
	return true;
}

void
tree_close(struct tree *t)
{
	if (t == NULL)
		return;
	scratch_free(&t->grown);
	scratch_free(&t->entries);
	scratch_free(&t->group);
	free(t->threads);
	free(t);
}

/* ---- weights ------------------------------------------------------------------------------- */

static uint64_t
less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The third weight: wall without cpu, or what is more than before, which may be below 0. */
static uint64_t
off(const struct tree *t, uint64_t wall, uint64_t cpu)
{
	return t->differs ? wall - cpu : less(wall, cpu);
}

static void
set_weights(const struct tree *t, uint64_t w[CLOCKS], uint64_t wall, uint64_t cpu)
{
	w[CLOCK_WALL] = wall;
	w[CLOCK_CPU] = cpu;
	w[CLOCK_OFF] = off(t, wall, cpu);
}

static uint64_t
pick(const struct tree *t, enum clock clock, uint64_t wall, uint64_t cpu)
{
	return clock == CLOCK_WALL ? wall : clock == CLOCK_CPU ? cpu : off(t, wall, cpu);
}

/* ---- walking ------------------------------------------------------------------------------------ */

static void
get_call(struct tree *t, uint32_t id, struct tree_node *n)
{
	uint64_t row = id - first_call(t);

	n->parent = tree_parent(t, id);
	n->method = (uint32_t)column_get(t->call.method, row);
	n->thread = (uint32_t)column_get(t->call.thread, row);
	n->depth = (uint32_t)column_get(t->call.depth, row) + 2;
	n->calls = column_get(t->call.calls, row);
	set_weights(t, n->total, column_get(t->call.wall, row),
	    column_get(t->call.cpu, row));
	set_weights(t, n->self, column_get(t->call.self_wall, row),
	    column_get(t->call.self_cpu, row));
}

static void
add_thread(struct tree *t, uint32_t thread, struct tree_node *n)
{
	n->calls += column_get(t->thread.calls, thread - 1);
	n->total[CLOCK_WALL] = num_add(n->total[CLOCK_WALL],
	    column_get(t->thread.wall, thread - 1));
	n->total[CLOCK_CPU] = num_add(n->total[CLOCK_CPU],
	    column_get(t->thread.cpu, thread - 1));
}

static void
get_grown(struct tree *t, uint32_t id, struct tree_node *n)
{
	const struct grown *g;

	tree_first(t, id);	/* the self time is known once there are children */
	g = grown(t, id);
	n->parent = g->parent;
	n->method = g->method;
	n->thread = t->nthreads == 1 ? t->threads[0] : 0;
	n->depth = g->depth;
	n->calls = g->calls;
	set_weights(t, n->total, g->wall, g->cpu);
	set_weights(t, n->self, less(g->wall, g->inner_wall), less(g->cpu, g->inner_cpu));
}

void
tree_get(struct tree *t, uint32_t id, struct tree_node *n)
{
	uint32_t i;

	memset(n, 0, sizeof *n);
	if (t->kind == TREE_DOMINATORS) {
		tree_heap_get(t, id, n);
	} else if (t->kind != TREE_CALLS) {
		if (id != 0 && id <= t->ngrown)
			get_grown(t, id, n);
	} else if (id >= first_call(t)) {
		get_call(t, id, n);
	} else if (is_thread(t, id)) {
		n->parent = TREE_ROOT;
		n->depth = 1;
		n->thread = t->threads[id - FIRST_THREAD];
		add_thread(t, n->thread, n);
		n->total[CLOCK_OFF] = off(t, n->total[CLOCK_WALL], n->total[CLOCK_CPU]);
	} else if (id == TREE_ROOT) {
		n->thread = t->nthreads == 1 ? t->threads[0] : 0;
		for (i = 0; i < t->nthreads; i++)
			add_thread(t, t->threads[i], n);
		n->total[CLOCK_OFF] = off(t, n->total[CLOCK_WALL], n->total[CLOCK_CPU]);
	}
}

uint64_t
tree_total(struct tree *t, uint32_t id, enum clock clock)
{
	struct tree_node n;
	uint64_t row;

	if (t->kind == TREE_DOMINATORS)
		return tree_heap_total(t, id);
	if (t->kind != TREE_CALLS)
		return id == 0 || id > t->ngrown ? 0 :
		    pick(t, clock, grown(t, id)->wall, grown(t, id)->cpu);
	if (id >= first_call(t)) {
		row = id - first_call(t);
		return pick(t, clock, clock == CLOCK_CPU ? 0 : column_get(t->call.wall, row),
		    clock == CLOCK_WALL ? 0 : column_get(t->call.cpu, row));
	}
	tree_get(t, id, &n);
	return n.total[clock];
}

uint32_t
tree_first(struct tree *t, uint32_t id)
{
	uint64_t row;

	if (t->kind == TREE_DOMINATORS)
		return tree_heap_first(t, id);
	if (t->kind != TREE_CALLS) {
		if (id == 0 || id > t->ngrown)
			return 0;
		/* Without room a node has no children rather than wrong ones. */
		if (!grown(t, id)->expanded && !tree_expand(t, id)) {
			grown(t, id)->first = 0;
			t->full = true;
		}
		return grown(t, id)->first;
	}
	if (id == TREE_ROOT)
		return t->nthreads > 0 ? FIRST_THREAD : 0;
	if (is_thread(t, id)) {
		uint32_t thread = t->threads[id - FIRST_THREAD] - 1;

		row = column_get(t->thread.call, thread);
		return column_get(t->thread.size, thread) == 0 || row == 0 ? 0 :
		    first_call(t) + (uint32_t)row - 1;
	}
	row = id - first_call(t);
	return column_get(t->call.size, row) > 1 ? id + 1 : 0;
}

uint32_t
tree_next(struct tree *t, uint32_t id)
{
	uint64_t row, parent, end, thread;

	if (t->kind == TREE_DOMINATORS)
		return tree_heap_next(t, id);
	if (t->kind != TREE_CALLS)
		return id == 0 || id > t->ngrown ? 0 : grown(t, id)->next;
	if (id == TREE_ROOT)
		return 0;
	if (is_thread(t, id))
		return id + 1 < first_call(t) ? id + 1 : 0;
	row = id - first_call(t);
	parent = column_get(t->call.parent, row);
	if (parent != 0) {
		end = parent - 1 + column_get(t->call.size, parent - 1);
	} else {
		thread = column_get(t->call.thread, row);
		end = column_get(t->thread.call, thread - 1) - 1 +
		    column_get(t->thread.size, thread - 1);
	}
	row += column_get(t->call.size, row);
	return row < end && row < t->rows && row >= id - first_call(t) + 1u ?
	    first_call(t) + (uint32_t)row : 0;
}

uint32_t
tree_parent(struct tree *t, uint32_t id)
{
	uint64_t row, parent, thread;
	uint32_t i;

	if (t->kind == TREE_DOMINATORS)
		return tree_heap_parent(t, id);
	if (t->kind != TREE_CALLS)
		return id == 0 || id > t->ngrown ? 0 : grown(t, id)->parent;
	if (id == TREE_ROOT)
		return 0;
	if (is_thread(t, id))
		return TREE_ROOT;
	row = id - first_call(t);
	parent = column_get(t->call.parent, row);
	if (parent != 0)
		return first_call(t) + (uint32_t)parent - 1;
	thread = column_get(t->call.thread, row);
	for (i = 0; i < t->nthreads; i++)
		if (t->threads[i] == thread)
			return FIRST_THREAD + i;
	return TREE_ROOT;
}

uint64_t
tree_cost(struct tree *t, uint32_t id)
{
	if (t->kind == TREE_CALLS || t->kind == TREE_DOMINATORS || id == 0 || id > t->ngrown ||
	    grown(t, id)->expanded)
		return 0;
	if (id == TREE_ROOT)
		return t->kind == TREE_INVERTED ? t->rows : t->nthreads;
	return grown(t, id)->nentries;
}

bool
tree_full(const struct tree *t)
{
	return t->full;
}
