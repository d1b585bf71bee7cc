/*
 * Lays the finished call tree out as columns, in pre-order.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "calls_out.h"

static struct node *
nodes_of(struct calls_out *o)
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
find_parents(struct calls_out *o, struct err *err)
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
group_children(struct calls_out *o, struct err *err)
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
make_columns(struct calls_out *o, struct err *err)
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

static void
put_row(struct calls_out *o, uint32_t at, uint32_t thread, uint64_t row)
{
	const struct node *n = &nodes_of(o)[at];
	const struct node *p = &nodes_of(o)[SCRATCH(o->parent, uint32_t)[at]];
	uint32_t parent = p->method == 0 ? 0 : p->last;

	out_put(o, PARENT, row, parent);
	out_put(o, SIZE, row, 1);
	out_put(o, THREAD, row, thread);
	out_put(o, DEPTH, row, parent == 0 ? 0 : out_get(o, DEPTH, parent - 1) + 1);
	out_put(o, METHOD, row, n->method);
	out_put(o, CALLS, row, n->calls);
	out_put(o, TOTAL_WALL, row, n->wall);
	out_put(o, SELF_WALL, row, n->wall);
	out_put(o, TOTAL_CPU, row, n->cpu);
	out_put(o, SELF_CPU, row, n->cpu);
	if (parent != 0) {
		uint64_t wall = out_get(o, SELF_WALL, parent - 1);
		uint64_t cpu = out_get(o, SELF_CPU, parent - 1);

		out_put(o, SELF_WALL, parent - 1, wall > n->wall ? wall - n->wall : 0);
		out_put(o, SELF_CPU, parent - 1, cpu > n->cpu ? cpu - n->cpu : 0);
	}
}

/* The subtree of a thread's root, parents before children; *row is the next free row. */
bool
out_thread(struct calls_out *o, uint32_t thread, uint32_t root, uint64_t *row,
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

void
out_sizes(struct calls_out *o)
{
	uint32_t *size = o->col[SIZE].data;
	const uint32_t *parent = o->col[PARENT].data;
	uint64_t row;

	for (row = o->rows; row-- > 0; )
		if (parent[row] != 0)
			size[parent[row] - 1] += size[row];
}

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

static bool
publish(struct calls_out *o, struct err *err)
{
	struct calls *c = o->c;

	work_start(c->work, "call tree, in order", o->rows);
	return scratch_array(&o->todo, c->nnodes, sizeof(uint32_t), err) &&
	    find_parents(o, err) && group_children(o, err) &&
	    make_columns(o, err) && out_threads(o, err) &&
	    put_synthetic(c, err) && store_pack(c->st, "method.raw",
	    SCRATCH(c->replay.methods, uint64_t), c->replay.nmethods, err);
}

bool
calls_publish(struct calls *c, struct err *err)
{
	struct calls_out o;
	bool ok;

	memset(&o, 0, sizeof o);
	o.c = c;
	o.parent = o.first = o.kids = o.todo = SCRATCH_INIT;
	o.rows = c->nnodes - 1 - c->nthreads;	/* without [0] and roots */
	ok = publish(&o, err);
	scratch_free(&o.parent);
	scratch_free(&o.first);
	scratch_free(&o.kids);
	scratch_free(&o.todo);
	return ok;
}
