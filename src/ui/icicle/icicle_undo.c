/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_undo: the icicle's place for undo: the tree, the zoom and the selection.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icicle.h"

enum { WAY_MOST = 4096 };

enum { AT_ZOOM, AT_LEFT, AT_SELECTED, NODES };

/* The header of a saved place; the threads follow, then the nodes. */
struct icicle_at {
	enum tree_kind	kind;
	uint32_t	nthreads;
	uint32_t	way[NODES];		/* number of values for each */
	struct zoom	zoom;			/* without its nodes */
	size_t		top;
	enum box_part	sel_part;
	bool		unfolded;
};

/* Trees whose node ids depend on the order in which nodes are expanded. */
static bool
grows(enum tree_kind kind)
{
	return kind != TREE_CALLS && kind < TREE_DOMINATORS;
}

/* Save a node as child indexes from the root down, without the root; in trees with stable ids save its id. */
static uint32_t
icicle_undo_add_way(struct icicle *ic, uint32_t id, struct buf *b)
{
	uint32_t	*rank, n = 0, at, up;

	if (!grows(ic->kind)) {
		buf_add(b, &id, sizeof id);
		return 1;
	}
	if (id == 0 || (rank = mem_array(WAY_MOST, sizeof *rank)) == NULL)
		return 0;
	for (; id != TREE_ROOT && (up = tree_parent(ic->tree, id)) != 0 && n < WAY_MOST; id = up, n++)
		for (at = tree_first(ic->tree, up); at != 0 && at != id; at = tree_next(ic->tree, at))
			rank[n]++;
	for (uint32_t i = n; i-- > 0;)
		buf_add(b, &rank[i], sizeof *rank);
	free(rank);
	return n;
}

/* Find a node by its child indexes; false: the worker is expanding a large node on the path. */
static bool
follow_way(struct icicle *ic, const uint32_t *way, uint32_t n, uint32_t *id)
{
	*id = grows(ic->kind) || n == 0 ? TREE_ROOT : way[0];
	for (uint32_t i = 0; i < n && grows(ic->kind); i++) {
		if (icicle_lend(ic, *id))
			return false;
		*id = tree_first(ic->tree, *id);
		for (uint32_t k = 0; k < way[i] && *id != 0; k++)
			*id = tree_next(ic->tree, *id);
	}
	return true;
}

/* While the tree is being built only its kind can be saved, not a place in it. */
static void
add_nodes(struct icicle *ic, struct icicle_at *spot, struct buf *b)
{
	const struct box *fr = frames_selected(&ic->f);
	uint32_t	 sel = ic->sel_node;

	if (ic->tree == NULL || ic->lent || ic->task.given)
		return;
	spot->zoom = ic->zoom;
	spot->top = ic->f.top;
	spot->sel_part = ic->sel_part;
	if (sel == 0 && fr != NULL) {
		sel = fr->node;
		spot->sel_part = box_part(fr);
	}
	spot->way[AT_ZOOM] = icicle_undo_add_way(ic, ic->zoom.node, b);
	spot->way[AT_LEFT] = icicle_undo_add_way(ic, ic->zoom.id, b);
	spot->way[AT_SELECTED] = icicle_undo_add_way(ic, sel, b);
}

void
icicle_tell(struct pane *p, struct buf *b)
{
	struct icicle	*ic = icicle_of(p);
	struct icicle_at spot;

	if (ic->going.n > 0 && ic->going_version == ui_version(p->ui)) {
		buf_str(b, buf_view(&ic->going));
		return;
	}
	memset(&spot, 0, sizeof spot);
	spot.kind = ic->chosen;
	spot.nthreads = (uint32_t)ic->nthreads;
	spot.unfolded = ic->unfolded;
	buf_add(b, &spot, sizeof spot);
	for (size_t i = 0; i < ic->nthreads; i++)
		buf_add(b, &ic->threads[i], sizeof *ic->threads);
	add_nodes(ic, &spot, b);
	if (!b->bad)
		memcpy(b->s, &spot, sizeof spot);
}

/* Return true if the current tree is the one that the spot was saved in. */
static bool
is_tree_of(const struct icicle *ic, const struct icicle_at *spot, const uint32_t *threads)
{
	return ic->tree != NULL && ic->version == ui_version(ic->pane->ui) && ic->kind == spot->kind &&
	    ic->nthreads == spot->nthreads &&
	    (spot->nthreads == 0 || memcmp(ic->threads, threads, spot->nthreads * sizeof *threads) == 0);
}

static const uint32_t *
read_spot(const struct icicle *ic, struct icicle_at *spot)
{
	memcpy(spot, ic->going.s, sizeof *spot);
	return (const uint32_t *)(const void *)(ic->going.s + sizeof *spot);
}

void
icicle_arrive(struct icicle *ic)
{
	struct icicle_at spot;
	const uint32_t	*way;
	uint32_t	 node[NODES];

	way = read_spot(ic, &spot) + spot.nthreads;
	if (ic->lent)
		return;
	for (size_t i = 0; i < NODES; way += spot.way[i++])
		if (!follow_way(ic, way, spot.way[i], &node[i]))
			return;
	ic->zoom = spot.zoom;
	ic->zoom.node = ic->going_moved || node[AT_ZOOM] == 0 || node[AT_ZOOM] == TREE_ROOT ? ic->root : node[AT_ZOOM];
	ic->zoom.id = spot.way[AT_LEFT] > 0 ? node[AT_LEFT] : 0;
	ic->zoom.group = spot.zoom.group && !ic->going_moved;
	ic->sel_node = ic->going_moved ? ic->root : node[AT_SELECTED];
	ic->sel_part = ic->going_moved ? PART_OWN : spot.sel_part;
	ic->unfolded = spot.unfolded;
	ic->f.top = spot.top;
	buf_clear(&ic->going);
	buf_clear(&ic->kept);
	icicle_relay(ic);
}

/* Restore a saved place; if another tree must be opened first, restore it then. */
void
icicle_put(struct pane *p, struct str place, bool moved)
{
	struct icicle	*ic = icicle_of(p);
	struct icicle_at spot;
	const uint32_t	*threads;

	buf_clear(&ic->going);
	buf_str(&ic->going, place);
	if (ic->going.bad || ic->going.n < sizeof spot) {
		buf_clear(&ic->going);
		return;
	}
	ic->going_moved = moved;
	ic->going_version = ui_version(p->ui);
	ic->begun = true;
	ic->walking = ic->largest = false;
	ic->walk_method = 0;
	ic->wanted = 0;
	threads = read_spot(ic, &spot);
	ic->chosen = spot.kind;
	if (ic->task.given)
		return;
	if (is_tree_of(ic, &spot, threads)) {
		icicle_arrive(ic);
		return;
	}
	icicle_threads(ic, threads, spot.nthreads);
	p->stale = true;
}

/* Restore the saved place in the tree that was opened, unless it is another tree; drop a place of another view. */
bool
icicle_arrives(struct icicle *ic)
{
	struct icicle_at spot;
	const uint32_t	*threads;

	if (ic->going_version != ui_version(ic->pane->ui))
		buf_clear(&ic->going);
	if (ic->going.n == 0)
		return false;
	threads = read_spot(ic, &spot);
	if (is_tree_of(ic, &spot, threads)) {
		icicle_arrive(ic);
		return true;
	}
	ic->chosen = spot.kind;
	icicle_threads(ic, threads, spot.nthreads);
	icicle_reopen(ic);
	return true;
}
