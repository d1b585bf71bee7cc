/*
 * Merged and inverted trees, made node by node where somebody looks.
 */
#include "config.h"

#include <stdlib.h>

#include "tree.h"

/* A deep recursion turned round grows with the square of its depth: there is an end to it. */
#define ENTRIES_MOST (32u << 20)

static uint32_t
new_grown(struct tree *t, uint32_t parent, uint32_t method)
{
	struct grown *g;

	if (!scratch_array(&t->grown, t->ngrown + 1u, sizeof *g, NULL))
		return 0;
	g = grown(t, ++t->ngrown);
	g->parent = parent;
	g->method = method;
	g->depth = parent == 0 ? 0 : grown(t, parent)->depth + 1;
	return t->ngrown;
}

/* One call joins the set of the child of id for its method. */
static bool
join(struct tree *t, uint32_t id, uint32_t at, uint32_t leaf, uint32_t *child)
{
	uint32_t method = (uint32_t)column_get(t->call.method, at - 1);
	uint32_t *group = SCRATCH(t->group, uint32_t);
	bool inverted = t->kind == TREE_INVERTED;
	uint64_t wall, cpu;
	struct grown *g;

	if (method > t->nmethods)
		return false;
	*child = group[method];
	if (*child == 0 || *child > t->ngrown || grown(t, *child)->parent != id) {
		if ((*child = new_grown(t, id, method)) == 0)
			return false;
		group[method] = *child;
	}
	g = grown(t, *child);
	wall = column_get(inverted ? t->call.self_wall : t->call.wall, leaf - 1);
	cpu = column_get(inverted ? t->call.self_cpu : t->call.cpu, leaf - 1);
	g->nentries++;
	g->calls += column_get(t->call.calls, leaf - 1);
	g->wall = num_add(g->wall, wall);
	g->cpu = num_add(g->cpu, cpu);
	g = grown(t, id);
	g->inner_wall = num_add(g->inner_wall, wall);
	g->inner_cpu = num_add(g->inner_cpu, cpu);
	return true;
}

/*
 * Calls do with each (call, leaf) that belongs below the node: for the root
 * the calls where the tree begins, else what lies one step further.
 */
typedef bool (*visit)(struct tree *, uint32_t id, uint32_t at, uint32_t leaf);

/* No sample ended in the call: nothing of it is to be told. */
static bool
is_passed(const struct tree *t, uint64_t at)
{
	return column_get(t->call.calls, at - 1) == 0 && column_get(t->call.self_wall, at - 1) == 0 &&
	    column_get(t->call.self_cpu, at - 1) == 0;
}

/* Calls at and its next siblings before end; or all calls there, for a tree turned round. */
static bool
each_call(struct tree *t, uint32_t id, uint64_t at, uint64_t end, visit v)
{
	uint64_t size, step;

	for (; at > 0 && at < end && at <= t->rows; at += step) {
		size = column_get(t->call.size, at - 1);
		step = t->kind == TREE_INVERTED || size == 0 ? 1 : size;
		if (t->kind == TREE_INVERTED && is_passed(t, at))
			continue;
		if (!v(t, id, (uint32_t)at, (uint32_t)at))
			return false;
	}
	return true;
}

static bool
each_of_root(struct tree *t, uint32_t id, visit v)
{
	uint32_t i;

	for (i = 0; i < t->nthreads; i++) {
		uint64_t at = column_get(t->thread.call, t->threads[i] - 1);
		uint64_t n = column_get(t->thread.size, t->threads[i] - 1);

		if (!each_call(t, id, at, at + n, v))
			return false;
	}
	return true;
}

static bool
each_below(struct tree *t, uint32_t id, visit v)
{
	uint64_t i, from = grown(t, id)->entry, n = grown(t, id)->nentries, up;

	if (id == TREE_ROOT)
		return each_of_root(t, id, v);
	for (i = from; i < from + n; i++) {
		struct entry e = SCRATCH(t->entries, struct entry)[i];

		if (t->kind == TREE_INVERTED) {
			up = column_get(t->call.parent, e.at - 1);
			if (up != 0 && up <= t->rows &&
			    !v(t, id, (uint32_t)up, e.leaf))
				return false;
		} else if (!each_call(t, id, e.at + 1u, e.at +
		    column_get(t->call.size, e.at - 1), v)) {
			return false;
		}
	}
	return true;
}

static bool
count_entry(struct tree *t, uint32_t id, uint32_t at, uint32_t leaf)
{
	uint32_t child;

	return join(t, id, at, leaf, &child);
}

static bool
place_entry(struct tree *t, uint32_t id, uint32_t at, uint32_t leaf)
{
	uint32_t method = (uint32_t)column_get(t->call.method, at - 1);
	struct grown *g = grown(t, SCRATCH(t->group, uint32_t)[method]);

	(void)id;
	SCRATCH(t->entries, struct entry)[g->entry + g->nentries++] =
	    (struct entry){ at, leaf };
	return true;
}

static int
by_weight(const void *a, const void *b)
{
	const struct grown *x = a, *y = b;

	if (x->wall != y->wall)
		return x->wall > y->wall ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu > y->cpu ? -1 : 1;
	return x->method < y->method ? -1 : x->method > y->method;
}

/* Children get ids in a row; they are put in order before anybody sees them. */
bool
tree_expand(struct tree *t, uint32_t id)
{
	uint32_t from = t->ngrown + 1, i;
	uint64_t total = 0;

	grown(t, id)->expanded = 1;
	if (!each_below(t, id, count_entry))
		return false;
	if (t->ngrown < from)
		return true;
	qsort(grown(t, from), t->ngrown - from + 1, sizeof(struct grown), by_weight);
	for (i = from; i <= t->ngrown; i++) {
		struct grown *g = grown(t, i);

		SCRATCH(t->group, uint32_t)[g->method] = i;
		g->entry = t->nentries + total;
		total += g->nentries;
		g->nentries = 0;
		g->next = i < t->ngrown ? i + 1 : 0;
	}
	if (t->nentries + total > ENTRIES_MOST || !scratch_array(&t->entries,
	    t->nentries + total, sizeof(struct entry), NULL))
		return false;
	t->nentries += total;
	grown(t, id)->first = from;
	return each_below(t, id, place_entry);
}

bool
tree_grow_root(struct tree *t, struct err *err)
{
	struct grown *g;
	uint32_t i;

	t->nmethods = store_column(t->st, "method.raw")->rows;
	if (!scratch_array(&t->group, t->nmethods + 1, sizeof(uint32_t), err))
		return false;
	if (new_grown(t, 0, 0) == 0)
		return fail(err, E_SYSTEM, "no memory for a tree");
	g = grown(t, TREE_ROOT);
	for (i = 0; i < t->nthreads; i++) {
		uint32_t row = t->threads[i] - 1;

		g->calls += column_get(t->thread.calls, row);
		g->wall = num_add(g->wall, column_get(t->thread.wall, row));
		g->cpu = num_add(g->cpu, column_get(t->thread.cpu, row));
	}
	return true;
}
