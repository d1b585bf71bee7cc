/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_spread: walks over all edges of a snapshot of V8: which DOM nodes are detached, which objects are of the
 * page, who pays for hidden objects, how far objects are from the roots.
 */
#include "config.h"

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "v8_in.h"

#define TICK 65536u
#define AHEAD 8u		/* nodes by which the fetching of edges is ahead */
#define ATTACHED 1u
#define DETACHED 2u
#define MANY UINT32_MAX		/* owners */
#define SYSTEM 1u		/* bit of a distance: from the root, not from a user root */

/* Nodes whose edges are still to be followed; queue: the first one added comes first. */
struct v8_todo {
	ARRAY(uint32_t)	node;
	uint64_t	n, done;
};

static bool
v8_todo_add(struct v8 *v, struct v8_todo *t, uint32_t node)
{
	return array_add(&t->node, &t->n, &node, v->err);
}

/* The first one left; false: none is, or cancelled. */
static bool
v8_todo_first(struct v8 *v, struct v8_todo *t, uint32_t *node)
{
	uint32_t ahead;

	v->failed = v->failed || !work_each(v->work, t->done, TICK, v->err);
	if (t->done >= t->n || v->failed)
		return false;
	if (t->n - t->done > 2 * AHEAD) {
		__builtin_prefetch(&v->at.at[t->node.at[t->done + 2 * AHEAD]]);
		ahead = t->node.at[t->done + AHEAD];
		__builtin_prefetch(v->packed.at + v->block.at[ahead / HEAP_BLOCK] + v->at.at[ahead]);
	}
	*node = t->node.at[t->done++];
	assert(*node < v->n);
	return true;
}

/* ---- DOM nodes -------------------------------------------------------------------------------- */

/* Snapshots without states tell it by the name. */
static void
v8_states_by_name(struct v8 *v)
{
	struct str s;

	for (uint32_t i = 0; i < v->n; i++)
		if (v8_type(v, i) == V8_NATIVE && v8_string(v->source, v->strings.places.at, v->strings.n,
		    v->name.at[i], &s) && str_begins(s, "Detached "))
			v->state[i] = DETACHED;
}

static bool
v8_states_follow(struct v8 *v, struct v8_todo *t, uint8_t state)
{
	uint32_t node;
	bool ok = true;

	for (uint32_t i = 0; ok && i < v->n; i++)
		ok = v->state[i] != state || v8_type(v, i) != V8_NATIVE || v8_todo_add(v, t, i);
	while (ok && v8_todo_first(v, t, &node))
		for (struct v8_walk w = v8_walk(v, node); ok && v8_next(&w); )
			if (w.way != V8_WAY_WEAK && w.way != V8_WAY_HIDDEN &&
			    v->state[w.to] == 0 && v8_type(v, w.to) == V8_NATIVE) {
				v->state[w.to] = state;
				ok = v8_todo_add(v, t, w.to);
			}
	return ok && !v->failed;
}

bool
v8_states(struct v8 *v)
{
	struct v8_todo t = { .n = 0 };
	bool ok = true;

	if (v->meta.node[V8_NODE_STATE] == V8_ABSENT)
		v8_states_by_name(v);
	else
		ok = v8_states_follow(v, &t, ATTACHED) && v8_states_follow(v, &t, DETACHED);
	array_free(&t.node);
	return ok;
}

/* ---- the page ----------------------------------------------------------------------------------- */

static bool
v8_pages_meet(struct v8 *v, struct v8_todo *t, uint32_t i)
{
	if (has_bit(&v->page.raw, i))
		return true;
	set_bit(&v->page.raw, i);
	return v8_todo_add(v, t, i);
}

bool
v8_pages(struct v8 *v)
{
	struct v8_todo t = { .n = 0 };
	const struct v8_root_edge *edge = v->root_edges.at;
	bool ok = array_grow(&v->page, v->n / 64 + 1ull, v->err);
	uint32_t node;

	for (uint64_t i = 0; ok && i < v->nroot_edges; i++)
		if (edge[i].type == V8_SHORTCUT ||
		    (edge[i].type == V8_ELEMENT && v8_type(v, edge[i].to) == V8_SYNTHETIC &&
		    v8_is_user_root(v, edge[i].to)))
			ok = v8_pages_meet(v, &t, edge[i].to);
	while (ok && v8_todo_first(v, &t, &node))
		for (struct v8_walk w = v8_walk(v, node); ok && v8_next(&w); )
			ok = w.way == V8_WAY_WEAK || v8_pages_meet(v, &t, w.to);
	array_free(&t.node);
	return ok && !v->failed && make_copy(v->st, COL_V8_PAGE, COL_U64, v->page.at, v->n / 64 + 1ull, v->err);
}

/* ---- owners --------------------------------------------------------------------------------------- */

/* Return whether the only owner of a node gets its bytes. */
static bool
v8_owners_pays_none(const struct v8 *v, uint32_t i)
{
	enum v8_type type = v8_type(v, i);

	return type == V8_HIDDEN || type == V8_ARRAY ||
	    (type == V8_NATIVE && v8_mark(v, v->name.at[i]) == V8_EXTERNAL);
}

/* Owners are nodes from 1, 0: none so far. */
static bool
v8_owners_follow(struct v8 *v, struct v8_todo *t, uint32_t *owner, uint32_t node)
{
	for (struct v8_walk w = v8_walk(v, node); v8_next(&w); ) {
		uint32_t has = owner[w.to];

		if (w.way == V8_WAY_WEAK || has == w.to + 1 || has == owner[node] || has == MANY)
			continue;
		owner[w.to] = has == 0 ? owner[node] : MANY;
		if (!v8_todo_add(v, t, w.to))
			return false;
	}
	return true;
}

/* The last one left. */
static bool
v8_owners_empty(struct v8 *v, struct v8_todo *t, uint32_t *owner)
{
	while (t->n > 0)
		if (!v8_owners_follow(v, t, owner, t->node.at[--t->n]) || !work_each(v->work, t->n, TICK, v->err))
			return false;
	return true;
}

static bool
v8_owners_give(struct v8 *v, const uint32_t *owner)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < v->n; i++) {
		uint32_t of = owner[i] - 1;

		if (owner[i] == 0 || owner[i] == MANY || of == i || of == v->root || v8_type(v, of) == V8_SYNTHETIC)
			continue;
		assert(of < v->n);
		ok = v8_wide_put(v, &v->size, of, num_add(v8_wide_get(&v->size, of), v8_wide_get(&v->size, i))) &&
		    v8_wide_put(v, &v->size, i, 0);
	}
	return ok;
}

bool
v8_owners(struct v8 *v)
{
	struct v8_todo t = { .n = 0 };
	OWN_ARRAY(uint32_t) owner = ARRAY_INIT;
	bool ok = array_grow(&owner, v->n, v->err);

	if (v->user_roots == 0)
		return true;
	work_start(v->work, "owners of hidden objects", v->n);
	for (uint32_t i = 0; ok && i < v->n; i++)
		owner.at[i] = v8_owners_pays_none(v, i) ? 0 : i + 1;
	for (uint32_t i = 0; ok && i < v->n; i++)
		ok = v8_owners_pays_none(v, i) ||
		    (v8_owners_follow(v, &t, owner.at, i) && v8_owners_empty(v, &t, owner.at) &&
		    work_each(v->work, i, TICK, v->err));
	array_free(&t.node);
	return ok && v8_owners_give(v, owner.at);
}

/* ---- distances -------------------------------------------------------------------------------------- */

struct v8_distances {
	struct v8	*v;
	struct v8_todo	 todo;
	ARRAY(uint32_t)	 far;		/* (1 + distance) << 1 | SYSTEM; 0: not met */
	struct idmap	 pairs;		/* tails of pairs whose first edge was met, to 1; then 2 */
};

static bool
v8_distances_set(struct v8_distances *d, uint32_t i, uint32_t far)
{
	assert(i < d->v->n && far > SYSTEM);
	d->far.at[i] = far;
	return v8_todo_add(d->v, &d->todo, i);
}

/* The first of the two edges of a pair that is met does not count. */
static bool
v8_distances_pair(struct v8_distances *d, uint32_t from, uint32_t to)
{
	struct v8_pair_edge *edge = d->v->pair_edges.at;
	uint64_t ends = (uint64_t)from << 32 | to, i = make_place(edge, d->v->npair_edges, sizeof *edge, ends);
	uint32_t was;

	if (i >= d->v->npair_edges)
		return true;
	i += edge[i].met++;
	if (i >= d->v->npair_edges)
		return true;
	was = idmap_get(&d->pairs, edge[i].tail);
	d->v->failed = d->v->failed || !idmap_put(&d->pairs, edge[i].tail, was == 1 ? 2 : 1, d->v->err);
	return was == 1;
}

static bool
v8_distances_follow(struct v8_distances *d)
{
	struct v8 *v = d->v;
	uint32_t node;

	while (v8_todo_first(v, &d->todo, &node)) {
		for (struct v8_walk w = v8_walk(v, node); v8_next(&w); ) {
			if (w.way == V8_WAY_WEAK || d->far.at[w.to] != 0 || w.way == V8_WAY_FAR ||
			    w.way == V8_WAY_LOOSE_FAR ||
			    (w.way >= V8_WAY_KEY && !v8_distances_pair(d, node, w.to)))
				continue;
			if (!v8_distances_set(d, w.to, d->far.at[node] + 2))
				return false;
		}
	}
	return !v->failed;
}

static bool
v8_distances_out(struct v8_distances *d)
{
	struct v8 *v = d->v;
	uint32_t most = 0;
	enum column_type type;
	void *to;

	for (uint32_t i = 0; i < v->n; i++)
		most = d->far.at[i] > most ? d->far.at[i] : most;
	type = column_fit(most);
	to = store_make(v->st, COL_OBJECT_DISTANCE, type, v->n, v->err);
	for (uint32_t i = 0; to != NULL && i < v->n; i++)
		column_set(to, type, i, d->far.at[i]);
	return to != NULL;
}

bool
v8_distances(struct v8 *v)
{
	struct v8_distances d = { .v = v };
	const struct v8_root_edge *edge = v->root_edges.at;
	bool ok = array_grow(&d.far, v->n, v->err);

	work_start(v->work, "distances from roots", v->n);
	for (uint64_t i = 0; ok && i < v->nroot_edges; i++)
		if (v8_is_user_root(v, edge[i].to) && d.far.at[edge[i].to] == 0)
			ok = v8_distances_set(&d, edge[i].to, 2 << 1);
	ok = ok && v8_distances_follow(&d);
	if (ok && v->n > 0)
		ok = v8_distances_set(&d, v->root, (1 << 1) | (v->user_roots > 0 ? SYSTEM : 0)) &&
		    v8_distances_follow(&d);
	ok = ok && v8_distances_out(&d);
	SCRATCH_FREE(&d.todo.node, &d.far);
	idmap_free(&d.pairs);
	return ok;
}
