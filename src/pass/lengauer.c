/*
 * lengauer: dominators of the core, by the simple algorithm of Lengauer and
 * Tarjan ("A fast algorithm for finding dominators in a flowgraph", 1979) with
 * path compression and no recursion.
 *
 * Only edges that are not of the search tree are kept as predecessors: the parent
 * is known.  Chosen because it is never quadratic; iterative algorithms and Semi-NCA are on
 * ordinary Java lists and rings.
 */
#include "config.h"

#include <string.h>

#include "dominators.h"

#define TICK 65536u

struct solver {
	struct dominators *d;
	uint32_t	 n;
	struct scratch	 from;		/* u32 by core number: its first source; one more at the end */
	struct scratch	 source;	/* u32: sources of edges, by target */
	struct scratch	 a[5];		/* u32 by core number */
	uint32_t	*up;		/* parent, then an ancestor: paths are compressed */
	uint32_t	*semi, *best;	/* best: on the compressed path, the one with the least semi */
	uint32_t	*bucket;	/* the first whose semidominator it is */
	uint32_t	*idom;		/* the next in the bucket, then the dominator */
	struct scratch	 path;
};

/* ---- the core --------------------------------------------------------------------- */

static bool
number_core(struct dominators *d)
{
	const uint32_t *parent = SCRATCH(d->parent, uint32_t);
	uint32_t *core, *number, i;

	if (!scratch_array(&d->core, (uint64_t)d->n + 1, sizeof *core, d->err))
		return false;
	core = SCRATCH(d->core, uint32_t);
	for (d->ncore = 0, i = 1; i <= d->n; i++)
		core[i] = is_folded(d, i) ? core[parent[i]] : ++d->ncore;
	if (!scratch_array(&d->number, (uint64_t)d->ncore + 1, sizeof *number, d->err))
		return false;
	number = SCRATCH(d->number, uint32_t);
	for (i = 1; i <= d->n; i++)
		if (!is_folded(d, i))
			number[core[i]] = i;
	return true;
}

/* Edges by target: a counting sort. */
static bool
sort_edges(struct solver *s)
{
	const struct edge *edge = SCRATCH(s->d->edges, struct edge);
	const uint32_t *core = SCRATCH(s->d->core, uint32_t);
	uint64_t i, n = s->d->nedges;
	uint32_t *from, *source, k;

	if (!scratch_array(&s->from, (uint64_t)s->n + 2, sizeof *from, s->d->err) ||
	    !scratch_array(&s->source, n, sizeof *source, s->d->err))
		return false;
	if (n > UINT32_MAX)
		return fail(s->d->err, E_INPUT, "more than 4 294 967 295 references");
	from = SCRATCH(s->from, uint32_t);
	source = SCRATCH(s->source, uint32_t);
	memset(from, 0, ((size_t)s->n + 2) * sizeof *from);
	for (i = 0; i < n; i++)
		from[core[edge[i].target]]++;
	for (k = 1; k <= s->n; k++)
		from[k] += from[k - 1];
	from[s->n + 1] = from[s->n];
	for (i = n; i > 0; i--)
		source[--from[core[edge[i - 1].target]]] = core[edge[i - 1].source];
	return true;
}

static bool
make_solver(struct solver *s)
{
	const uint32_t *number = SCRATCH(s->d->number, uint32_t);
	const uint32_t *core = SCRATCH(s->d->core, uint32_t);
	const uint32_t *parent = SCRATCH(s->d->parent, uint32_t);
	uint32_t i;

	for (i = 0; i < NELEM(s->a); i++)
		if (!scratch_array(&s->a[i], (uint64_t)s->n + 1, sizeof(uint32_t), s->d->err))
			return false;
	s->up = SCRATCH(s->a[0], uint32_t);
	s->semi = SCRATCH(s->a[1], uint32_t);
	s->best = SCRATCH(s->a[2], uint32_t);
	s->bucket = SCRATCH(s->a[3], uint32_t);
	s->idom = SCRATCH(s->a[4], uint32_t);
	for (i = 1; i <= s->n; i++) {
		/* The parent of what is not folded is not folded. */
		s->up[i] = core[parent[number[i]]];
		s->semi[i] = s->best[i] = i;
	}
	return true;
}

/* ---- the algorithm --------------------------------------------------------------------- */

/*
 * The one with the least semi on the way from v up to, and without, the first that is
 * below floor: those from floor on are linked to their parents.
 */
static bool
eval(struct solver *s, uint32_t v, uint32_t floor, uint32_t *best)
{
	uint32_t *up = s->up, *path, x = v, above;
	uint64_t n = 0;

	while (up[x] >= floor) {
		if (n * sizeof x >= s->path.size &&
		    !scratch_array(&s->path, n + 1, sizeof x, s->d->err))
			return false;
		SCRATCH(s->path, uint32_t)[n++] = x;
		x = up[x];
	}
	for (path = SCRATCH(s->path, uint32_t); n > 0; n--) {
		x = path[n - 1];
		above = up[x];
		if (s->semi[s->best[above]] < s->semi[s->best[x]])
			s->best[x] = s->best[above];
		up[x] = up[above];
	}
	*best = s->best[v];
	return true;
}

static bool
semidominator(struct solver *s, uint32_t w, uint32_t parent)
{
	const uint32_t *from = SCRATCH(s->from, uint32_t);
	const uint32_t *source = SCRATCH(s->source, uint32_t);
	uint32_t semi = parent, i, v, best;

	for (i = from[w]; i < from[w + 1]; i++) {
		v = source[i];
		if (v > w) {
			if (!eval(s, v, w + 1, &best))
				return false;
			v = s->semi[best];
		}
		if (v < semi)
			semi = v;
	}
	s->semi[w] = semi;
	return true;
}

/* All whose semidominator is parent, now that w is linked to it. */
static bool
empty_bucket(struct solver *s, uint32_t w, uint32_t parent)
{
	uint32_t v, next, best;

	for (v = s->bucket[parent]; v != 0; v = next) {
		next = s->idom[v];
		if (!eval(s, v, w, &best))
			return false;
		s->idom[v] = s->semi[best] < parent ? best : parent;
	}
	s->bucket[parent] = 0;
	return true;
}

static bool
lengauer_tarjan(struct solver *s)
{
	const uint32_t *number = SCRATCH(s->d->number, uint32_t);
	const uint32_t *core = SCRATCH(s->d->core, uint32_t);
	const uint32_t *parents = SCRATCH(s->d->parent, uint32_t);
	uint32_t w, parent;

	work_start(s->d->work, "dominators", s->n);
	for (w = s->n; w > 0; w--) {
		if (w % TICK == 0 && !work_tick(s->d->work, s->n - w))
			return fail_cancel(s->d->err);
		parent = core[parents[number[w]]];
		if (!semidominator(s, w, parent))
			return false;
		if (s->semi[w] == parent) {
			s->idom[w] = parent;
		} else {
			s->idom[w] = s->bucket[s->semi[w]];
			s->bucket[s->semi[w]] = w;
		}
		if (!empty_bucket(s, w, parent))
			return false;
	}
	for (w = 1; w <= s->n; w++)
		if (s->idom[w] != s->semi[w])
			s->idom[w] = s->idom[s->idom[w]];
	return true;
}

/* ---- classes ------------------------------------------------------------------------------- */

/* Instances of one class outside of what dominates the class: the outermost ones in preorder. */
struct outside {
	uint32_t	low, high;	/* numbers; 0: none */
};

static bool
find_outside(struct dominators *d, const uint32_t *dominator, struct outside *out)
{
	const uint32_t *order = SCRATCH(d->order, uint32_t), *num = SCRATCH(d->num, uint32_t);
	const uint32_t *first = SCRATCH(d->first, uint32_t), *size = SCRATCH(d->size, uint32_t);
	uint32_t i, held, top, class;

	for (i = 1; i <= d->n; i++) {
		if (i % TICK == 0 && !work_tick(d->work, i))
			return fail_cancel(d->err);
		if (!(SCRATCH(d->mark, uint8_t)[order[i] - 1] & MARK_CLASS))
			continue;
		class = heap_class(&d->h, order[i]);
		held = d->class_object[class];
		top = dominator[num[held - 1]];
		if (order[i] == held || first[i] - first[top] < size[top])
			continue;
		if (out[class].low == 0 || first[i] < first[out[class].low])
			out[class].low = i;
		if (out[class].high == 0 || first[i] > first[out[class].high])
			out[class].high = i;
	}
	return true;
}

/* Adds the edges from instances to their classes that matter and were left out; *more: there were some. */
static bool
add_class_edges(struct dominators *d, const uint32_t *dominator, bool *more)
{
	struct scratch scratch = SCRATCH_INIT;
	struct outside *out;
	uint32_t c, held;
	bool ok;

	*more = false;
	ok = scratch_array(&scratch, (uint64_t)d->h.classes + 1, sizeof *out, d->err);
	out = SCRATCH(scratch, struct outside);
	ok = ok && find_outside(d, dominator, out);
	for (c = 1; ok && c <= d->h.classes; c++) {
		if (out[c].low == 0)
			continue;
		*more = true;
		held = SCRATCH(d->num, uint32_t)[d->class_object[c] - 1];
		ok = dominators_edge(d, held, out[c].low) && dominators_edge(d, held, out[c].high);
	}
	scratch_free(&scratch);
	return ok;
}

/* ---- all of it ------------------------------------------------------------------------------- */

bool
dominators_places(struct dominators *d)
{
	const uint32_t *dominator = SCRATCH(d->parent, uint32_t);
	uint32_t *first, *size, i, at;

	if (!scratch_array(&d->first, (uint64_t)d->n + 1, sizeof *first, d->err) ||
	    !scratch_array(&d->size, (uint64_t)d->n + 1, sizeof *size, d->err))
		return false;
	first = SCRATCH(d->first, uint32_t);
	size = SCRATCH(d->size, uint32_t);
	for (i = 0; i <= d->n; i++)
		size[i] = 1;
	for (i = d->n; i > 0; i--)
		size[dominator[i]] += size[i];
	/* first of those not come to yet: where the next child of it goes. */
	for (first[0] = 1, i = 1; i <= d->n; i++) {
		at = first[dominator[i]];
		first[dominator[i]] += size[i];
		first[i] = at + 1;
	}
	/* Each has moved by the size of all its children. */
	for (i = 0; i <= d->n; i++)
		first[i] -= size[i];
	return true;
}

/* Dominators of all numbers from those of the core. */
static void
spread(struct solver *s, uint32_t *dominator)
{
	const uint32_t *parent = SCRATCH(s->d->parent, uint32_t);
	const uint32_t *core = SCRATCH(s->d->core, uint32_t);
	const uint32_t *number = SCRATCH(s->d->number, uint32_t);
	uint32_t i;

	for (i = 1; i <= s->d->n; i++)
		dominator[i] = is_folded(s->d, i) ? parent[i] : number[s->idom[core[i]]];
}

static void
free_solver(struct solver *s)
{
	size_t i;

	scratch_free(&s->from);
	scratch_free(&s->source);
	scratch_free(&s->path);
	for (i = 0; i < NELEM(s->a); i++)
		scratch_free(&s->a[i]);
}

static bool
solve_once(struct dominators *d, uint32_t *dominator)
{
	struct solver s = { .d = d, .n = d->ncore, .from = SCRATCH_INIT,
	    .source = SCRATCH_INIT, .path = SCRATCH_INIT };
	bool ok;
	size_t i;

	for (i = 0; i < NELEM(s.a); i++)
		s.a[i] = SCRATCH_INIT;
	ok = sort_edges(&s) && make_solver(&s) && lengauer_tarjan(&s);
	if (ok)
		spread(&s, dominator);
	free_solver(&s);
	return ok;
}

bool
dominators_solve(struct dominators *d)
{
	struct scratch dominator = SCRATCH_INIT, parent;
	bool more = true, ok;

	ok = number_core(d) &&
	    scratch_array(&dominator, (uint64_t)d->n + 1, sizeof(uint32_t), d->err);
	parent = d->parent;
	while (ok && more) {
		d->parent = parent;
		ok = solve_once(d, SCRATCH(dominator, uint32_t));
		d->parent = dominator;
		ok = ok && dominators_places(d) &&
		    add_class_edges(d, SCRATCH(dominator, uint32_t), &more);
	}
	d->parent = dominator;
	scratch_free(&parent);
	return ok;
}
