/*
 * Lays the finished call tree out as columns, in pre-order.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "calls.h"

/* A column being filled: column_set needs to know its type. */
struct out {
	void			*data;
	enum column_type	 type;
};

enum call_column {
	PARENT, SIZE, THREAD, DEPTH, METHOD, CALLS, TOTAL_WALL, SELF_WALL,
	TOTAL_CPU, SELF_CPU, CALL_COLUMNS
};

struct layout_out {
	struct calls	*c;
	struct out	 col[CALL_COLUMNS];
	uint64_t	 rows;
	uint64_t	 most[CALL_COLUMNS];	/* largest value, for the column's type */
	struct scratch	 parent;	/* u32: by node */
	struct scratch	 first;		/* u32: where a node's children begin in kids */
	struct scratch	 kids;		/* u32: nodes by parent */
	struct scratch	 todo;		/* u32: nodes waiting for their row */
};

static struct node *
nodes_of(struct layout_out *o)
{
	return SCRATCH(o->c->nodes, struct node);
}

/* ---- children of each node, in order -------------------------------------------------- */

static int
by_weight(const void *a, const void *b, void *nodes)
{
	const struct node *x = (struct node *)nodes + *(const uint32_t *)a;
	const struct node *y = (struct node *)nodes + *(const uint32_t *)b;

	if (x->wall != y->wall)
		return x->wall > y->wall ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu > y->cpu ? -1 : 1;
	return x->method < y->method ? -1 : x->method > y->method;
}

/* Nodes and edges know children; once the parents are noted the edges can go. */
static bool
find_parents(struct layout_out *o, struct err *err)
{
	const struct edge *e = SCRATCH(o->c->edges, struct edge);
	const struct node *n = nodes_of(o);
	uint32_t *parent, i, k;
	uint64_t slot;

	if (!scratch_array(&o->parent, o->c->nnodes, sizeof *parent, err))
		return false;
	parent = SCRATCH(o->parent, uint32_t);
	for (i = 1; i < o->c->nnodes; i++)
		for (k = 0; k < NODE_KIDS && n[i].kid_method[k] != 0; k++)
			parent[n[i].kid[k]] = i;
	for (slot = 0; slot < o->c->edges_size; slot++)
		if (e[slot].node != 0)
			parent[e[slot].node] = e[slot].parent;
	scratch_free(&o->c->edges);
	return true;
}

static bool
group_children(struct layout_out *o, struct err *err)
{
	uint32_t *parent = SCRATCH(o->parent, uint32_t);
	uint32_t *first, *kids, i, end, count = o->c->nnodes;

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
		if (!work_tick(o->c->work, i))
			return fail_cancel(err);
		if (first[i + 1] - first[i] > 1)
			qsort_r(kids + first[i], first[i + 1] - first[i],
			    sizeof *kids, by_weight, nodes_of(o));
	}
	return true;
}

/* ---- rows -------------------------------------------------------------------------------- */

static bool
make_columns(struct layout_out *o, struct err *err)
{
	static const char *const names[CALL_COLUMNS] = {
		"call.parent", "call.size", "call.thread", "call.depth",
		"call.method", "call.calls", "call.total_wall", "call.self_wall",
		"call.total_cpu", "call.self_cpu"
	};
	const struct node *n = nodes_of(o);
	uint32_t i;

	for (i = 1; i < o->c->nnodes; i++) {
		if (n[i].calls > o->most[CALLS])
			o->most[CALLS] = n[i].calls;
		if (n[i].wall > o->most[TOTAL_WALL])
			o->most[TOTAL_WALL] = n[i].wall;
		if (n[i].cpu > o->most[TOTAL_CPU])
			o->most[TOTAL_CPU] = n[i].cpu;
	}
	o->most[PARENT] = o->most[SIZE] = UINT32_MAX;
	o->most[THREAD] = o->c->nthreads;
	o->most[METHOD] = o->c->replay.nmethods;
	o->most[SELF_WALL] = o->most[TOTAL_WALL];
	o->most[SELF_CPU] = o->most[TOTAL_CPU];
	for (i = 0; i < o->c->nthreads; i++) {
		const struct call_thread *t =
		    &SCRATCH(o->c->threads, struct call_thread)[i];

		if (t->depth + t->fixed.synthetic > o->most[DEPTH])
			o->most[DEPTH] = t->depth + t->fixed.synthetic;
	}
	for (i = 0; i < CALL_COLUMNS; i++) {
		o->col[i].type = column_fit(o->most[i]);
		o->col[i].data = store_make(o->c->st, names[i], o->col[i].type,
		    o->rows, err);
		if (o->col[i].data == NULL)
			return false;
	}
	return true;
}

static inline void
put(struct layout_out *o, enum call_column c, uint64_t row, uint64_t v)
{
	column_set(o->col[c].data, o->col[c].type, row, v);
}

static uint64_t
get(struct layout_out *o, enum call_column c, uint64_t row)
{
	struct column col = { "", o->col[c].type, o->rows, o->col[c].data };

	return column_get(&col, row);
}

static void
put_row(struct layout_out *o, uint32_t at, uint32_t thread, uint64_t row)
{
	const struct node *n = &nodes_of(o)[at];
	const struct node *p = &nodes_of(o)[SCRATCH(o->parent, uint32_t)[at]];
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
put_thread(struct layout_out *o, uint32_t thread, uint32_t root, uint64_t *row,
    struct err *err)
{
	const uint32_t *first = SCRATCH(o->first, uint32_t);
	const uint32_t *kids = SCRATCH(o->kids, uint32_t);
	uint32_t *todo = SCRATCH(o->todo, uint32_t), n = 0, k, at = root;

	for (;;) {
		for (k = first[at + 1]; k-- > first[at]; )
			todo[n++] = kids[k];
		if (n == 0)
			return true;
		if (!work_tick(o->c->work, *row))
			return fail_cancel(err);
		at = todo[--n];
		put_row(o, at, thread, *row);
		nodes_of(o)[at].last = (uint32_t)++*row;
	}
}

static void
sum_sizes(struct layout_out *o)
{
	uint32_t *size = o->col[SIZE].data;
	const uint32_t *parent = o->col[PARENT].data;
	uint64_t row;

	for (row = o->rows; row-- > 0; )
		if (parent[row] != 0)
			size[parent[row] - 1] += size[row];
}

/* ---- threads ------------------------------------------------------------------------------- */

enum thread_column {
	T_RAW, T_TID, T_NAME, T_MAIN, T_CALLS, T_WALL, T_CPU, T_START, T_END,
	T_DEPTH, T_REPAIRS, T_RECORDS, T_CALL, T_SIZE, THREAD_COLUMNS
};

struct thread_table {
	struct scratch	col[THREAD_COLUMNS];	/* u64 */
	struct idmap	listed;		/* raw tid to 1 + row in listed.tid, last one */
};

static uint64_t *
cell(struct thread_table *t, enum thread_column c, uint32_t row)
{
	return &SCRATCH(t->col[c], uint64_t)[row];
}

static bool
list_tids(struct layout_out *o, struct thread_table *t, struct err *err)
{
	const struct column *tid = store_column(o->c->st, "listed.tid");
	uint32_t mask = o->c->replay.in.wide ? UINT32_MAX : 0xffff, i;

	for (i = 0; tid != NULL && i < tid->rows; i++)
		if (!idmap_put(&t->listed, column_get(tid, i) & mask, i + 1, err))
			return false;
	return true;
}

/* Totals over the top-level calls, which are the children of the root. */
static void
sum_thread(struct layout_out *o, struct thread_table *t, uint32_t row, uint64_t end)
{
	uint64_t i, from = *cell(t, T_CALL, row) - 1;

	*cell(t, T_SIZE, row) = end - from;
	for (i = from; i < end; i++)
		*cell(t, T_CALLS, row) += get(o, CALLS, i);
	for (i = from; i < end; i += get(o, SIZE, i)) {
		*cell(t, T_WALL, row) += get(o, TOTAL_WALL, i);
		*cell(t, T_CPU, row) += get(o, TOTAL_CPU, i);
	}
}

static void
put_thread_row(struct layout_out *o, struct thread_table *t, uint32_t row)
{
	const struct call_thread *th =
	    &SCRATCH(o->c->threads, struct call_thread)[row];
	const struct replay_thread *r = replay_thread(&o->c->replay, row + 1);
	const struct repairs *x = &th->fixed;
	bool wall = trace_has_clock(o->c->st, CLOCK_WALL);
	uint32_t listed = idmap_get(&t->listed, r->tid);

	*cell(t, T_RAW, row) = *cell(t, T_TID, row) = r->tid;
	if (listed != 0) {
		*cell(t, T_TID, row) = column_get(store_column(o->c->st,
		    "listed.tid"), listed - 1);
		*cell(t, T_NAME, row) = column_get(store_column(o->c->st,
		    "listed.thread"), listed - 1);
	}
	*cell(t, T_START, row) = wall ? th->first_wall : th->first_cpu;
	*cell(t, T_END, row) = wall ? r->clock.wall : r->clock.cpu;
	*cell(t, T_DEPTH, row) = th->depth;
	*cell(t, T_RECORDS, row) = th->records;
	*cell(t, T_REPAIRS, row) = x->synthetic + x->forced + x->ignored +
	    x->open + x->action3 + r->wraps + r->backwards;
}

/* The thread whose tid is the process id, else the one called main, else number 1 (Dalvik). */
static void
find_main(struct layout_out *o, struct thread_table *t)
{
	uint64_t pid = store_fact_get(o->c->st, "pid");
	uint32_t row, named = UINT32_MAX, one = UINT32_MAX, n = o->c->nthreads;

	for (row = n; row-- > 0; ) {
		struct str name = store_text(o->c->st, *cell(t, T_NAME, row));

		if (pid != 0 && *cell(t, T_TID, row) == pid)
			break;
		if (str_eq(name, STR("main")))
			named = row;
		if (*cell(t, T_TID, row) == 1)
			one = row;
	}
	if (row == UINT32_MAX)
		row = named != UINT32_MAX ? named : one;
	if (row < n)
		*cell(t, T_MAIN, row) = 1;
}

static bool
put_threads(struct layout_out *o, struct thread_table *t, struct err *err)
{
	static const char *const names[THREAD_COLUMNS] = {
		"thread.raw", "thread.tid", "thread.name", "thread.main",
		"thread.calls", "thread.wall", "thread.cpu", "thread.start",
		"thread.end", "thread.depth", "thread.repairs", "thread.records",
		"thread.call", "thread.size"
	};
	struct call_thread *th = SCRATCH(o->c->threads, struct call_thread);
	uint32_t i, n = o->c->nthreads;
	uint64_t row = 0;

	for (i = 0; i < THREAD_COLUMNS; i++)
		if (!scratch_array(&t->col[i], n, sizeof(uint64_t), err))
			return false;
	if (!list_tids(o, t, err))
		return false;
	for (i = 0; i < n; i++) {
		*cell(t, T_CALL, i) = row + 1;
		if (!put_thread(o, i + 1, th[i].root, &row, err))
			return false;
	}
	sum_sizes(o);
	for (i = 0; i < n; i++) {
		put_thread_row(o, t, i);
		sum_thread(o, t, i, i + 1 < n ? *cell(t, T_CALL, i + 1) - 1 : o->rows);
	}
	find_main(o, t);
	for (i = 0; i < THREAD_COLUMNS; i++)
		if (!store_pack(o->c->st, names[i], cell(t, i, 0), n, err))
			return false;
	return true;
}

/* ---- the rest --------------------------------------------------------------------------------- */

static bool
put_synthetic(struct calls *c, struct err *err)
{
	const struct synthetic *s = SCRATCH(c->synthetic, struct synthetic);
	uint64_t i, n = c->nsynthetic, *wall, *cpu;
	uint32_t *thread, *method;

	if ((thread = store_make(c->st, "synthetic.thread", COL_U32, n, err)) == NULL ||
	    (method = store_make(c->st, "synthetic.method", COL_U32, n, err)) == NULL ||
	    (wall = store_make(c->st, "synthetic.wall", COL_U64, n, err)) == NULL ||
	    (cpu = store_make(c->st, "synthetic.cpu", COL_U64, n, err)) == NULL)
		return false;
	for (i = 0; i < n; i++) {
		thread[i] = s[i].thread;
		method[i] = s[i].method;
		wall[i] = s[i].wall;
		cpu[i] = s[i].cpu;
	}
	return true;
}

/* Methods that occur in the tree. */
static bool
count_methods(struct layout_out *o, uint64_t *count, struct err *err)
{
	struct scratch seen = SCRATCH_INIT;
	uint64_t i, m;

	*count = 0;
	if (!scratch_array(&seen, (uint64_t)o->c->replay.nmethods + 1, 1, err))
		return false;
	for (i = 0; i < o->rows; i++) {
		m = get(o, METHOD, i);
		*count += !seen.data[m];
		seen.data[m] = 1;
	}
	scratch_free(&seen);
	return true;
}

/* Sums over all threads; the counters of policy P1 among them. */
struct sums {
	uint64_t	actions[4], depth, wall, cpu, wraps, backwards, unlisted;
	struct repairs	fixed;
};

static void
add_thread(struct layout_out *o, struct thread_table *t, uint32_t i, struct sums *s)
{
	const struct call_thread *th = &SCRATCH(o->c->threads, struct call_thread)[i];
	const struct replay_thread *r = replay_thread(&o->c->replay, i + 1);
	int a;

	for (a = 0; a < 4; a++)
		s->actions[a] += th->actions[a];
	s->depth = th->depth > s->depth ? th->depth : s->depth;
	s->wall = r->clock.wall > s->wall ? r->clock.wall : s->wall;
	s->cpu = r->clock.cpu > s->cpu ? r->clock.cpu : s->cpu;
	s->wraps += r->wraps;
	s->backwards += r->backwards;
	s->unlisted += idmap_get(&t->listed, r->tid) == 0 ? th->records : 0;
	s->fixed.synthetic += th->fixed.synthetic;
	s->fixed.forced += th->fixed.forced;
	s->fixed.ignored += th->fixed.ignored;
	s->fixed.open += th->fixed.open;
	s->fixed.action3 += th->fixed.action3;
}

static bool
put_facts(struct layout_out *o, const struct sums *s, struct err *err)
{
	struct calls *c = o->c;
	bool sampled = sampled_is(&c->sampled);
	uint64_t methods, interval = sampled_interval(&c->sampled);
	size_t i;

	if (!count_methods(o, &methods, err))
		return false;
	const struct { const char *name; enum fact_type type; uint64_t value; } facts[] = {
		{ "threads", FACT_COUNT, c->nthreads },
		{ "methods", FACT_COUNT, methods },
		{ "stacks", FACT_COUNT, o->rows },
		{ "enters", FACT_COUNT, s->actions[0] },
		{ "exits", FACT_COUNT, s->actions[1] },
		{ "unrolls", FACT_COUNT, s->actions[2] },
		{ "max_depth", FACT_COUNT, s->depth },
		{ "last_wall", FACT_TIME, trace_ns(c->st, s->wall) },
		{ "last_cpu", FACT_TIME, trace_ns(c->st, s->cpu) },
		{ "sampled", FACT_COUNT, sampled },
		{ "sample_interval", FACT_TIME, sampled ? trace_ns(c->st, interval) : 0 },
		{ "repair.synthetic", FACT_COUNT, s->fixed.synthetic },
		{ "repair.forced", FACT_COUNT, s->fixed.forced },
		{ "repair.ignored", FACT_COUNT, s->fixed.ignored },
		{ "repair.open", FACT_COUNT, s->fixed.open },
		{ "repair.action3", FACT_COUNT, s->fixed.action3 },
		{ "repair.wraps", FACT_COUNT, s->wraps },
		{ "repair.backwards", FACT_COUNT, s->backwards },
		{ "repair.unknown_methods", FACT_COUNT,
		    c->replay.nmethods - c->replay.nlisted },
		{ "repair.unknown_method_records", FACT_COUNT,
		    c->replay.unknown_records },
		{ "repair.unknown_thread_records", FACT_COUNT, s->unlisted },
	};

	for (i = 0; i < NELEM(facts); i++)
		if (!store_fact(c->st, facts[i].name, facts[i].type,
		    facts[i].value, err))
			return false;
	return store_fact_get(c->st, "elapsed") != 0 || store_fact(c->st,
	    "elapsed", FACT_TIME, trace_ns(c->st, s->wall ? s->wall : s->cpu), err);
}

static bool
publish(struct layout_out *o, struct thread_table *t, struct err *err)
{
	struct calls *c = o->c;
	struct sums sums;
	uint32_t i;

	memset(&sums, 0, sizeof sums);
	work_start(c->work, "call tree, in order", o->rows);
	if (!scratch_array(&o->todo, c->nnodes, sizeof(uint32_t), err) ||
	    !find_parents(o, err) || !group_children(o, err) || !make_columns(o, err) ||
	    !put_threads(o, t, err) || !put_synthetic(c, err) ||
	    !store_pack(c->st, "method.raw", SCRATCH(c->replay.methods, uint64_t),
	    c->replay.nmethods, err))
		return false;
	for (i = 0; i < c->nthreads; i++)
		add_thread(o, t, i, &sums);
	return put_facts(o, &sums, err);
}

bool
calls_publish(struct calls *c, struct err *err)
{
	struct layout_out o;
	struct thread_table t;
	bool ok;
	int i;

	memset(&o, 0, sizeof o);
	o.c = c;
	o.parent = o.first = o.kids = o.todo = SCRATCH_INIT;
	o.rows = c->nnodes - 1 - c->nthreads;	/* without [0] and roots */
	t.listed = IDMAP_INIT;
	for (i = 0; i < THREAD_COLUMNS; i++)
		t.col[i] = SCRATCH_INIT;
	ok = publish(&o, &t, err);
	for (i = 0; i < THREAD_COLUMNS; i++)
		scratch_free(&t.col[i]);
	idmap_free(&t.listed);
	scratch_free(&o.parent);
	scratch_free(&o.first);
	scratch_free(&o.kids);
	scratch_free(&o.todo);
	return ok;
}
