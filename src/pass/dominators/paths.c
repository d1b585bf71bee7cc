/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paths: from an object over what refers to it to the roots, breadth first.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_heap.h"
#include "icecore/facts.h"
#include "path_tree.h"

/* An object met; from: index of the node it refers to. */
struct path_node {
	uint32_t	object, from;
};

/* The end of a path: what root refers to.  Root and node are the same where the object is a root itself. */
struct path_hit {
	uint32_t	node, root, row, rank;
};

struct heap_paths {
	const struct heap	*heap;
	const struct column	*strength;	/* class.strength */
	bool			 chains;
	bool			 pseudo;	/* the dump has no roots */
	/* u64 words of bits, by object; late: roots of the runtime only */
	struct scratch		 seen, roots, late;
	ARRAY(struct path_node)	nodes;
	uint64_t		 n, at;		/* nodes; the one whose referrers are looked at */
	uint64_t		 level;		/* nodes in front of it are of the present distance, or nearer */
	struct heap_walk	 walk;		/* the referrers of node at */
	bool			 walking;
	uint32_t		 last;		/* referrer before */
	ARRAY(struct path_hit)	hits;		/* hits at the present distance */
	uint64_t		 nhits, hit;
	ARRAY(struct path_hit)	late_hits;	/* wait until all other paths were found; nearest first */
	uint64_t		 nlate;
	/* Hits are complete and in order; those in front of hit were given out. */
	bool			 ready;
	struct idmap		 rows;		/* root objects to their rows in root.*, once there was a hit */
	bool			 found;
	ARRAY(uint32_t)	start;		/* by class, where its instances begin, which hold it; size 0: not made */
	ARRAY(uint32_t)	instances;
	uint64_t		 classes;	/* nodes in front of it have given their instances */
	struct link_index	 links;		/* statics of classes that were met */
	ARRAY(uint32_t)	path;
	uint64_t		 spent;		/* references looked at, for all objects */
	struct path_tree	 tree;		/* of heap_paths_first; .known: for heap_paths_next */
};

/* ---- roots ------------------------------------------------------------------------- */

/*
 * In a dump without roots: classes, and objects without referrers; if unreachable objects have their own
 * roots, only these.
 */
static bool
is_root(const struct heap_paths *p, uint32_t object)
{
	bool class = heap_class_of_object(p->heap, object) != 0;
	struct heap_walk w;

	if (!p->pseudo && (has_bit(&p->roots, object) || p->heap->refs != REFS_UNREACHABLE || class))
		return has_bit(&p->roots, object);
	if (class)
		return true;
	heap_in(p->heap, object, &w);
	return heap_next(&w, NULL) == 0;
}

/* ---- instances -------------------------------------------------------------------- */

/* Sorts the objects by class.  All of them count, whatever passes have run: unreachable ones have no path. */
static bool
find_instances(struct heap_paths *p, struct work *work, struct err *err)
{
	const struct heap *h = p->heap;
	uint64_t n = h->classes + 3ull;
	uint32_t *start, *list, class;
	bool ok = array_grow(&p->start, n, err) &&
	    array_grow(&p->instances, h->objects, err);

	start = p->start.at;
	list = p->instances.at;
	/*
	 * First those of each class are counted, two places behind it; then each is put where start of the
	 * next one says.
	 */
	for (unsigned round = 0; ok && round < 2; round++) {
		for (uint32_t object = 1; ok && object <= h->objects; object++) {
			class = heap_class(h, object) <= h->classes ? heap_class(h, object) : 0;
			if (round == 0)
				start[class + 2]++;
			else
				list[start[class + 1]++] = object;
			ok = object % 65536 != 0 || work_go(work, object, err);
		}
		for (uint64_t i = 3; round == 0 && i < n; i++)
			start[i] += start[i - 1];
		assert(!ok || start[n - 1] == h->objects);
	}
	assert(!ok || start[h->classes + 1] == h->objects);
	if (!ok)
		array_free(&p->start);
	return ok;
}

static bool
bits_make(struct scratch *s, const struct heap *h, struct err *err)
{
	return scratch_array(s, h->objects / 64 + 1ull, sizeof(uint64_t), err);
}

/* ---- hits ---------------------------------------------------------------------------- */

static int
hit_order(const void *x, const void *y)
{
	const struct path_hit *a = x, *b = y;

	return num_order(a->rank, b->rank, num_order(a->root, b->root, num_order(a->node, b->node, 0)));
}

static bool
order_hits(struct heap_paths *p, struct err *err)
{
	const struct column *kind = p->heap->root_kind;
	struct path_hit *hit = p->hits.at;

	if (p->nhits > 0 && !p->chains && p->rows.n == 0 && !roots_map(p->heap, &p->rows, err))
		return false;
	for (uint64_t i = 0; i < p->nhits && !p->chains; i++) {
		hit[i].row = idmap_get(&p->rows, hit[i].root);
		hit[i].rank = has_bit(&p->late, hit[i].root) ?
		    2 * hit[i].node + (hit[i].root != p->nodes.at[hit[i].node].object) :
		    root_rank(column_get(kind, hit[i].row - 1ull));
	}
	if (p->nhits > 1)
		qsort(hit, p->nhits, sizeof *hit, hit_order);
	return true;
}

static bool
add_hit(struct heap_paths *p, uint64_t node, uint32_t root, struct err *err)
{
	struct path_hit hit = { .node = (uint32_t)node, .root = root };

	assert(node < p->n && root != 0);
	if (has_bit(&p->late, root))
		return array_add(&p->late_hits, &p->nlate, &hit, err);
	p->found = true;
	return array_add(&p->hits, &p->nhits, &hit, err);
}

static bool
paths_add_node(struct heap_paths *p, uint32_t object, uint64_t from, struct err *err)
{
	struct path_node node = { object, (uint32_t)from };

	assert(p->n == 0 || from < p->n);
	set_bit(&p->seen, object);
	return array_add(&p->nodes, &p->n, &node, err);
}

/* ---- edges ------------------------------------------------------------------------------ */

/* Whether holder refers to object in a way that counts. */
static bool
edge_counts(struct heap_paths *p, uint32_t holder, uint32_t object)
{
	const struct heap *h = p->heap;
	uint64_t strength = column_get(p->strength, heap_class(h, holder) - 1ull);
	enum heap_strength s;
	struct heap_walk w;
	uint32_t to;

	if (strength == HEAP_STRONG && h->form == NULL)
		return true;
	if (p->chains && (strength == HEAP_WEAK || strength == HEAP_FINALIZER))
		return false;
	heap_out(h, holder, &w);
	if (w.weak == 0 && w.chain == 0)
		return true;
	for (; (to = heap_next(&w, &s)) != 0; p->spent++)
		if (to == object && heap_counts(h, s))
			return true;
	return false;
}

static bool
holds_by_static(struct heap_paths *p, uint32_t holder, uint32_t object, struct err *err)
{
	struct heap_slots s;
	struct heap_slot slot;

	/* Statics come before all else that refers. */
	if (link_index_has(&p->links, p->heap, holder, err))
		return link_index_find(&p->links, p->heap, holder, object, 0, &slot) &&
		    slot.kind == SLOT_STATIC;
	if (!heap_slots(p->heap, holder, &s))
		return false;
	while (heap_slot(&s, &slot) && slot.kind == SLOT_STATIC)
		if (slot.object == object)
			return true;
	return false;
}

/*
 * Takes a referrer (or, for a class, an instance) of a node: it ends a path, becomes a node, or is already
 * known.
 */
static bool
paths_meet(struct heap_paths *p, uint64_t node, uint32_t holder, bool instance, struct err *err)
{
	const struct heap *h = p->heap;
	uint32_t object = p->nodes.at[node].object;
	bool ends;

	if (has_bit(&p->seen, holder) ||
	    (h->parent != NULL && heap_dominator(h, holder) == 0))
		return true;
	ends = p->chains ? heap_class_of_object(h, holder) != 0 :
	    is_root(p, holder);
	if (!instance && !edge_counts(p, holder, object))
		return true;
	if ((!ends || has_bit(&p->late, holder)) && !paths_add_node(p, holder, node, err))
		return false;
	return !ends || (p->chains && !holds_by_static(p, holder, object, err)) ||
	    add_hit(p, node, holder, err);
}

/* ---- objects from which no path continues ------------------------------------------------- */

/*
 * The instances of the classes found since the last time: they hold them strongly, whatever their fields do.
 */
static bool
add_instances(struct heap_paths *p, struct work *work, struct err *err)
{
	const uint32_t *start;
	uint64_t end = p->n;
	uint32_t class;

	assert(p->classes <= p->n);
	for (; p->classes < end; p->classes++) {
		class = heap_class_of_object(p->heap,
		    p->nodes.at[p->classes].object);
		if (class == 0)
			continue;
		if (p->start.raw.size == 0 && !find_instances(p, work, err))
			return false;
		start = p->start.at + class;
		for (uint32_t i = start[0]; i < start[1]; i++)
			if (!paths_meet(p, p->classes, p->instances.at[i], true, err))
				return false;
		p->spent += start[1] - start[0];
	}
	return true;
}

/* Only cycles lead to it, in a dump without roots: the object with the lowest number is used as root. */
static bool
add_lowest(struct heap_paths *p, struct err *err)
{
	const struct path_node *node = p->nodes.at;
	uint64_t low = 0;

	for (uint64_t i = 1; i < p->n; i++)
		if (node[i].object < node[low].object)
			low = i;
	return add_hit(p, low, node[low].object, err);
}

/* ---- breadth first ------------------------------------------------------------------------- */

/*
 * Looks at all referrers of node at.  False when it stopped before the last: *more is true, or err is filled.
 */
static bool
paths_expand(struct heap_paths *p, uint64_t *left, bool *more, struct work *work, struct err *err)
{
	uint32_t object = p->nodes.at[p->at].object, holder;

	assert(p->at < p->n);
	if (!p->walking) {
		heap_in(p->heap, object, &p->walk);
		p->walking = true;
		p->last = 0;
	}
	for (; *left > 0; --*left, p->spent++) {
		if (*left % 4096 == 0 && work != NULL && !work_tick(work, p->n))
			return fail_cancel(err);
		holder = heap_next(&p->walk, NULL);
		if (holder == 0) {
			p->walking = false;
			p->at++;
			return true;
		}
		if (holder == p->last || holder > p->heap->objects)
			continue;
		p->last = holder;
		if (!paths_meet(p, p->at, holder, false, err))
			return false;
	}
	*more = true;
	return false;
}

/* No other path is left. */
static bool
paths_take_late(struct heap_paths *p, struct err *err)
{
	struct scratch swap = p->hits.raw;

	p->hits.raw = p->late_hits.raw;
	p->late_hits.raw = swap;
	p->nhits = p->nlate;
	p->nlate = 0;
	p->found = true;
	return order_hits(p, err);
}

/*
 * All nodes of the current distance.  False: nothing is left, it stopped, or it failed.  Class objects that
 * are held by nothing else give their instances when no other path continues.
 */
static bool
finish_level(struct heap_paths *p, uint64_t *left, bool *more, struct work *work,
    struct err *err)
{
	bool circles = p->pseudo || p->heap->refs == REFS_UNREACHABLE;
	uint64_t before;

	for (;;) {
		while (p->at < p->level)
			if (!paths_expand(p, left, more, work, err))
				return false;
		if (p->nhits > 0 || p->level < p->n)
			return order_hits(p, err);
		if (p->nlate > 0)
			return paths_take_late(p, err);
		before = p->n;
		if (p->found || p->chains || (!p->pseudo && !add_instances(p, work, err)) ||
		    (circles && p->n == before && p->nhits == 0 && !add_lowest(p, err)) ||
		    (p->n == before && p->nhits == 0))
			return false;
		if (p->nhits == 0)
			p->level = p->n;
	}
}

static bool
take_path(struct heap_paths *p, const struct path_hit *hit, struct heap_path *path,
    struct err *err)
{
	const struct path_node *node = p->nodes.at;
	uint32_t i = hit->node, *object;
	size_t n = 1, k;

	assert(i < p->n);
	for (; i != 0; i = node[i].from) {
		assert(node[i].from < i);
		n++;
	}
	if (!array_grow(&p->path, n + 1, err))
		return false;
	object = p->path.at;
	for (k = n, i = hit->node; k-- > 0; i = node[i].from)
		object[k] = node[i].object;
	if (hit->root != object[n - 1])
		object[n++] = hit->root;
	*path = (struct heap_path){ .object = object, .n = n, .root = hit->row };
	return true;
}

bool
heap_paths_next(struct heap_paths *p, struct heap_path *path, uint64_t steps, bool *more,
    struct work *work, struct err *err)
{
	uint64_t left = steps == 0 ? UINT64_MAX : steps;
	bool found = p->tree.known == PATH_FOUND;

	*more = false;
	if (p->tree.known != PATH_UNKNOWN) {
		*path = p->tree.path;
		p->tree.known = PATH_NONE;
		return found;
	}
	while (!p->ready || p->hit == p->nhits) {
		if (p->ready) {
			p->nhits = p->hit = 0;
			p->level = p->n;
		}
		p->ready = false;
		if (!finish_level(p, &left, more, work, err))
			return false;
		p->ready = true;
	}
	assert(p->hit < p->nhits && p->level <= p->n);
	return take_path(p, &p->hits.at[p->hit++], path, err);
}

/* ---- opening ------------------------------------------------------------------------------- */

static bool
paths_find_roots(struct heap_paths *p, const struct heap *h, struct err *err)
{
	uint32_t row = 0, root;

	if (!bits_make(&p->seen, h, err) || !bits_make(&p->roots, h, err) || !bits_make(&p->late, h, err))
		return false;
	while ((root = root_next(h, &row)) != 0) {
		set_bit(&p->roots, root);
		if (root_is_late(column_get(h->root_kind, row - 1ull)))
			set_bit(&p->late, root);
	}
	return true;
}

/* Search again for another object: keep what depends on the heap, clear what depends on the object before. */
bool
heap_paths_again(struct heap_paths *p, uint32_t object, struct err *err)
{
	if (object == 0 || object > p->heap->objects)
		return fail(err, E_USAGE, "no object @%u", object);
	for (uint64_t i = 0; i < p->n; i++)
		SCRATCH(p->seen, uint64_t)[p->nodes.at[i].object / 64] = 0;
	p->n = p->at = p->level = p->nhits = p->nlate = p->hit = p->classes = 0;
	p->walking = p->found = false;
	p->tree.known = PATH_UNKNOWN;
	if (!paths_add_node(p, object, 0, err))
		return false;
	p->ready = true;
	/* The shortest path of a root is the root itself. */
	return p->chains || !is_root(p, object) || (add_hit(p, 0, object, err) && order_hits(p, err));
}

/* From one search for all objects, where those before looked at as many references as there are objects. */
bool
heap_paths_first(struct heap_paths *p, uint32_t object, struct work *work, struct err *err)
{
	const struct heap *h = p->heap;

	if (!heap_paths_again(p, object, err))
		return false;
	if (p->chains || p->spent < h->objects)
		return true;
	if (p->tree.from.raw.size == 0) {
		/* Objects that count as roots have their bits too. */
		for (uint32_t i = 1; i <= h->objects; i++)
			if (is_root(p, i))
				set_bit(&p->roots, i);
		if (!path_tree_open(&p->tree, h, &p->roots, &p->late, work, err))
			return false;
	}
	return path_tree_to(&p->tree, object, err);
}

bool
heap_paths_open(struct heap_paths **out, const struct heap *h, uint32_t object, bool chains,
    struct err *err)
{
	struct heap_paths *p = mem_array(1, sizeof *p);

	if (p == NULL)
		return fail_memory(err, "path");
	p->heap = h;
	p->strength = store_column(h->st, COL_CLASS_STRENGTH);
	p->chains = chains;
	p->pseudo = fact_value(h->st, FACT_HEAP_PSEUDO) != 0;
	if (!paths_find_roots(p, h, err) || !heap_paths_again(p, object, err)) {
		heap_paths_close(p);
		return false;
	}
	*out = p;
	return true;
}

void
heap_paths_close(struct heap_paths *p)
{
	if (p == NULL)
		return;
	SCRATCH_FREE(&p->seen, &p->roots, &p->late, &p->nodes, &p->hits, &p->late_hits, &p->start, &p->instances,
	    &p->path);
	idmap_free(&p->rows);
	link_index_free(&p->links);
	path_tree_close(&p->tree);
	free(p);
}
