/*
 * Lays finished call trees out as columns: calls in pre-order, and what threads are by their calls.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/make.h"
#include "build.h"

/* A column being filled: column_set needs to know its type. */
struct out {
	void			*data;
	enum column_type	 type;
};

enum call_column {
	PARENT, SIZE, THREAD, DEPTH, METHOD, CALLS, TOTAL_WALL, SELF_WALL,
	TOTAL_CPU, SELF_CPU, CALL_COLUMNS
};

struct thread_sums {
	uint64_t	call, size, calls, wall, cpu, depth;
};

struct layout {
	struct build	*b;
	struct store	*st;
	struct work	*work;
	struct out	 col[CALL_COLUMNS];
	uint64_t	 rows;
	uint64_t	 most[CALL_COLUMNS];	/* largest value, for the column's type */
	struct scratch	 first;		/* u32: where a node's children begin in kids */
	struct scratch	 kids;		/* u32: nodes by parent */
	struct scratch	 todo;		/* u32: nodes waiting for their row */
	struct scratch	 threads;	/* struct thread_sums */
};

static inline void
put(struct layout *o, enum call_column c, uint64_t row, uint64_t v)
{
	column_set(o->col[c].data, o->col[c].type, row, v);
}

static inline uint64_t
get(struct layout *o, enum call_column c, uint64_t row)
{
	struct column col = { COL_NONE, o->col[c].type, o->rows, o->col[c].data };

	return column_get(&col, row);
}

/* ---- children of each node, in order -------------------------------------------------- */

static int
by_weight(const void *a, const void *b, void *nodes)
{
	const struct call_node *x = (struct call_node *)nodes + *(const uint32_t *)a;
	const struct call_node *y = (struct call_node *)nodes + *(const uint32_t *)b;

	return num_order(y->wall, x->wall, num_order(y->cpu, x->cpu, num_order(x->method, y->method, 0)));
}

static bool
group_children(struct layout *o, struct err *err)
{
	uint32_t *parent = SCRATCH(o->b->parent, uint32_t);
	uint32_t *first, *kids, i, end, count = o->b->nnodes;

	if (!scratch_array(&o->first, (uint64_t)count + 1, sizeof *first, err) ||
	    !scratch_array(&o->kids, count, sizeof *kids, err))
		return false;
	first = SCRATCH(o->first, uint32_t);
	kids = SCRATCH(o->kids, uint32_t);
	for (i = 1; i < count; i++)
		first[parent[i]]++;
	for (i = 0, end = 0; i < count; i++) {
		end += first[i];
		first[i] = end;
	}
	first[count] = end;
	/* From the back, so that first[] ends up at the begin of each group. */
	for (i = count; i-- > 1; )
		kids[--first[parent[i]]] = i;
	for (i = 1; i < count; i++) {
		if (!work_tick(o->work, i))
			return fail_cancel(err);
		if (first[i + 1] - first[i] > 1)
			qsort_r(kids + first[i], first[i + 1] - first[i],
			    sizeof *kids, by_weight, build_at(o->b, 0));
	}
	return true;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* The largest depth of a call; parents come first.  Roots are no calls. */
static bool
find_deepest(struct layout *o, struct err *err)
{
	const uint32_t *parent = SCRATCH(o->b->parent, uint32_t);
	uint32_t *depth, deepest = 0;

	if (!scratch_array(&o->todo, o->b->nnodes, sizeof *depth, err))
		return false;
	depth = SCRATCH(o->todo, uint32_t);
	for (uint32_t i = 1; i < o->b->nnodes; i++) {
		depth[i] = parent[i] == 0 ? 0 : depth[parent[i]] + 1;
		deepest = depth[i] > deepest ? depth[i] : deepest;
	}
	o->most[DEPTH] = deepest > 0 ? deepest - 1 : 0;
	return true;
}

static void
find_most(struct layout *o)
{
	const struct call_node *n = build_at(o->b, 0);

	for (uint32_t i = 1; i < o->b->nnodes; i++) {
		if (n[i].calls > o->most[CALLS])
			o->most[CALLS] = n[i].calls;
		if (n[i].wall > o->most[TOTAL_WALL])
			o->most[TOTAL_WALL] = n[i].wall;
		if (n[i].cpu > o->most[TOTAL_CPU])
			o->most[TOTAL_CPU] = n[i].cpu;
	}
	o->most[PARENT] = o->most[SIZE] = UINT32_MAX;
	o->most[THREAD] = o->b->nthreads;
	o->most[SELF_WALL] = o->most[TOTAL_WALL];
	o->most[SELF_CPU] = o->most[TOTAL_CPU];
}

static bool
make_calls(struct layout *o, struct err *err)
{
	static const enum col cols[CALL_COLUMNS] = { BUILD_CALLS };

	find_most(o);
	for (uint32_t i = 0; i < CALL_COLUMNS; i++) {
		o->col[i].type = column_fit(o->most[i]);
		o->col[i].data = store_make(o->st, cols[i], o->col[i].type,
		    o->rows, err);
		if (o->col[i].data == NULL)
			return false;
	}
	return true;
}

static void
put_row(struct layout *o, uint32_t at, uint32_t thread, uint64_t row)
{
	const struct call_node *n = build_at(o->b, at);
	const struct call_node *p = build_at(o->b, SCRATCH(o->b->parent, uint32_t)[at]);
	uint32_t parent = p->method == 0 ? 0 : p->last;

	put(o, PARENT, row, parent);
	put(o, SIZE, row, 1);
	put(o, THREAD, row, thread);
	put(o, DEPTH, row, parent == 0 ? 0 : get(o, DEPTH, parent - 1) + 1);
	put(o, METHOD, row, n->method);
	put(o, CALLS, row, n->calls);
	put(o, TOTAL_WALL, row, n->wall);
	put(o, SELF_WALL, row, n->wall);
	put(o, TOTAL_CPU, row, n->cpu);
	put(o, SELF_CPU, row, n->cpu);
	if (parent != 0) {
		uint64_t wall = get(o, SELF_WALL, parent - 1);
		uint64_t cpu = get(o, SELF_CPU, parent - 1);

		put(o, SELF_WALL, parent - 1, wall > n->wall ? wall - n->wall : 0);
		put(o, SELF_CPU, parent - 1, cpu > n->cpu ? cpu - n->cpu : 0);
	}
}

/* The subtree of a thread's root, parents before children; *row is the next free row. */
static bool
put_thread(struct layout *o, uint32_t thread, uint32_t root, uint64_t *row,
    struct err *err)
{
	const uint32_t *first = SCRATCH(o->first, uint32_t);
	const uint32_t *kids = SCRATCH(o->kids, uint32_t);
	uint32_t *todo = SCRATCH(o->todo, uint32_t), n = 0, at = root;

	for (;;) {
		for (uint32_t k = first[at + 1]; k-- > first[at]; )
			todo[n++] = kids[k];
		if (n == 0)
			return true;
		if (!work_tick(o->work, *row))
			return fail_cancel(err);
		at = todo[--n];
		put_row(o, at, thread, *row);
		build_at(o->b, at)->last = (uint32_t)++*row;
	}
}

static void
put_sizes(struct layout *o)
{
	uint32_t *size = o->col[SIZE].data;
	const uint32_t *parent = o->col[PARENT].data;

	for (uint64_t row = o->rows; row-- > 0; )
		if (parent[row] != 0)
			size[parent[row] - 1] += size[row];
}

/* ---- threads -------------------------------------------------------------------------------- */

/* Totals over the top-level calls, which are the children of the root. */
static void
sum_thread(struct layout *o, struct thread_sums *t, uint64_t end, uint32_t root)
{
	const struct call_node *n = build_at(o->b, root);
	uint64_t depth, from = t->call - 1;

	t->size = end - from;
	for (uint64_t row = from; row < end; row++) {
		t->calls += get(o, CALLS, row);
		depth = get(o, DEPTH, row) + 1;
		t->depth = depth > t->depth ? depth : t->depth;
	}
	for (uint64_t row = from; row < end; row += get(o, SIZE, row)) {
		t->wall = num_add(t->wall, get(o, TOTAL_WALL, row));
		t->cpu = num_add(t->cpu, get(o, TOTAL_CPU, row));
	}
	/* What has no frame at all, or only hidden ones, counts for the thread. */
	if (root != 0) {
		t->wall = n->wall > t->wall ? n->wall : t->wall;
		t->cpu = n->cpu > t->cpu ? n->cpu : t->cpu;
	}
}

static bool
put_threads(struct layout *o, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_THREAD_CALL, thread_sums, call), MAKE_FIT(COL_THREAD_SIZE, thread_sums, size),
		MAKE_FIT(COL_THREAD_CALLS, thread_sums, calls), MAKE_FIT(COL_THREAD_WALL, thread_sums, wall),
		MAKE_FIT(COL_THREAD_CPU, thread_sums, cpu), MAKE_FIT(COL_THREAD_DEPTH, thread_sums, depth)
	};
	uint32_t n = o->b->nthreads, root;
	struct thread_sums *t;
	uint64_t row = 0;

	if (!scratch_array(&o->threads, n, sizeof *t, err))
		return false;
	t = SCRATCH(o->threads, struct thread_sums);
	for (uint32_t i = 0; i < n; i++) {
		t[i].call = row + 1;
		root = *build_root(o->b, i + 1);
		if (root != 0 && !put_thread(o, i + 1, root, &row, err))
			return false;
	}
	assert(row == o->rows);
	put_sizes(o);
	for (uint32_t i = 0; i < n; i++) {
		sum_thread(o, &t[i], i + 1 < n ? t[i + 1].call - 1 : o->rows, *build_root(o->b, i + 1));
		if (o->b->depths != NULL)
			t[i].depth = o->b->depths[i];
	}
	return make_columns(o->st, columns, NELEM(columns), MAKE_ROWS(t, n), err);
}

static bool
lay_out(struct layout *o, struct err *err)
{
	o->rows = build_stacks(o->b);
	assert(o->rows < o->b->nnodes);
	work_start(o->work, "call tree (time order)", o->rows);
	idmap_free(&o->b->edges);
	o->most[DEPTH] = o->b->deepest;
	if (o->b->deepest == 0 && !find_deepest(o, err))
		return false;
	return scratch_array(&o->todo, o->b->nnodes, sizeof(uint32_t), err) &&
	    group_children(o, err) && make_calls(o, err) && put_threads(o, err);
}

bool
build_columns(struct build *b, struct store *st, uint32_t nmethods, struct work *work, struct err *err)
{
	struct layout o = { .b = b, .st = st, .work = work, .most[METHOD] = nmethods };
	bool ok = lay_out(&o, err);

	SCRATCH_FREE(&o.first, &o.kids, &o.todo, &o.threads);
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
