/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_recall: places of the icicle: the tree and its threads; for marks the names down to the selected
 * frame, or the object; for undo the nodes of the zoom and the selection.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icicle.h"

enum { THREADS_MOST = 64, WAY_MOST = 4096 };

/*
 * thread: "1234 main", because names may repeat, and tids may belong to other threads in another file.
 * frame: as icicle.kept.  Ways lead to the nodes of struct zoom, and to the selected node.
 */
#define ICICLE_AT(F, s) F(s, TEXT, BOTH, tree) F(s, FLAG, BOTH, unfolded) F(s, FLAG, BOTH, each) \
	F(s, NUMBER, MARK, zoomed) F(s, NUMBER, MARK, object) F(s, TEXTS, MARK, thread) F(s, NUMBER, MARK, zoom) \
	F(s, TEXTS, MARK, frame) F(s, NUMBERS, STEP, threads) F(s, NUMBERS, STEP, zoom_way) F(s, NUMBERS, STEP, \
	    left_way) \
	F(s, NUMBERS, STEP, selected_way) F(s, FLAG, STEP, group) F(s, NUMBER, STEP, n) F(s, NUMBER, STEP, weight) \
	F(s, NUMBER, STEP, rest) F(s, NUMBER, STEP, top) F(s, NUMBER, STEP, part)

PLACED(icicle_at, ICICLE_AT);

static const char *const tree_words[] = {
	[TREE_CALLS] = "top-down", [TREE_MERGED] = "merged", [TREE_PROCESSES] = "processes",
	    [TREE_INVERTED] = "bottom-up",
	[TREE_DOMINATORS] = "objects", [TREE_NAMES] = "fields"
};

/* ---- nodes of a step ------------------------------------------------------- */

/* Trees whose node ids depend on the order in which nodes are expanded. */
static bool
grows(enum tree_kind kind)
{
	return kind != TREE_CALLS && kind < TREE_DOMINATORS;
}

/* Save a node as child indexes from the root down, without the root; in trees with stable ids save its id. */
static void
add_way(struct icicle *ic, uint32_t id, struct buf *way)
{
	uint32_t	*rank, n = 0, at, up;

	if (!grows(ic->kind)) {
		buf_add(way, &id, sizeof id);
		return;
	}
	if (id == 0 || (rank = mem_array(WAY_MOST, sizeof *rank)) == NULL)
		return;
	for (; id != TREE_ROOT && (up = tree_parent(ic->tree, id)) != 0 && n < WAY_MOST; id = up, n++)
		for (at = tree_first(ic->tree, up); at != 0 && at != id; at = tree_next(ic->tree, at))
			rank[n]++;
	while (n-- > 0)
		buf_add(way, &rank[n], sizeof *rank);
	free(rank);
}

/* Find a node by its child indexes; false: the worker is expanding a large node on the path. */
static bool
follow_way(struct icicle *ic, const struct buf *way, uint32_t *id)
{
	uint32_t	rank;

	*id = TREE_ROOT;
	for (size_t i = 0; i < way->n; i += sizeof rank) {
		memcpy(&rank, way->s + i, sizeof rank);
		if (!grows(ic->kind)) {
			*id = rank;
			continue;
		}
		if (icicle_lend(ic, *id))
			return false;
		for (*id = tree_first(ic->tree, *id); rank > 0 && *id != 0; rank--)
			*id = tree_next(ic->tree, *id);
	}
	return true;
}

static void
take_nodes(struct icicle *ic, struct icicle_at *at)
{
	const struct box *fr = frames_selected(&ic->f);
	uint32_t	 sel = ic->sel_node;

	at->group = ic->zoom.group;
	at->n = ic->zoom.n;
	at->weight = ic->zoom.weight;
	at->rest = ic->zoom.rest;
	at->top = ic->f.top;
	at->part = ic->sel_part;
	if (sel == 0 && fr != NULL) {
		sel = fr->node;
		at->part = box_part(fr);
	}
	add_way(ic, ic->zoom.node, &at->zoom_way);
	add_way(ic, ic->zoom.id, &at->left_way);
	add_way(ic, sel, &at->selected_way);
}

static bool
go_nodes(struct icicle *ic, const struct icicle_at *at, bool moved)
{
	uint32_t	zoom, left, selected;

	if (!follow_way(ic, &at->zoom_way, &zoom) || !follow_way(ic, &at->left_way, &left) ||
	    !follow_way(ic, &at->selected_way, &selected))
		return false;
	ic->zoom = (struct zoom){ .node = moved || zoom == 0 || zoom == TREE_ROOT ? ic->root : zoom,
	    .group = at->group && !moved,
	    .id = at->left_way.n > 0 ? left : 0, .n = (uint32_t)at->n, .weight = at->weight,
	    .rest = at->rest };
	ic->sel_node = moved ? ic->root : selected;
	ic->sel_part = moved ? PART_OWN : (enum box_part)at->part;
	ic->f.top = (size_t)at->top;
	buf_clear(&ic->kept);
	return true;
}

/* ---- names of a mark ------------------------------------------------------- */

static void
add_thread_names(const struct icicle *ic, struct buf *names)
{
	for (size_t i = 0; i < ic->nthreads && i < THREADS_MOST; i++) {
		buf_printf(names, "%" PRIu64 " ", column_get(store_column(ic->st, COL_THREAD_TID),
		    ic->threads[i] - 1));
		thread_name(ic->st, ic->threads[i], names);
		buf_chr(names, '\0');
	}
}

static bool
is_thread(const struct icicle *ic, const struct buf *names, uint32_t id, uint64_t tid)
{
	struct buf	name = BUF_INIT;
	const char	*one;
	bool		is = false;

	buf_printf(&name, "%" PRIu64 " ", tid);
	thread_name(ic->st, id, &name);
	for (size_t at = 0; !is && placed_next(names, &at, &one);)
		is = str_eq(buf_view(&name), str_of(one));
	buf_free(&name);
	return is;
}

/* Add the threads that exist in the file, in file order. */
static void
find_threads(const struct icicle *ic, const struct buf *names, struct buf *threads)
{
	const struct column *tids = store_column(ic->st, COL_THREAD_TID);

	for (uint32_t id = 1; names->n > 0 && id <= column_rows(tids); id++)
		if (is_thread(ic, names, id, column_get(tids, id - 1)))
			buf_add(threads, &id, sizeof id);
}

static uint32_t
object_of(struct icicle *ic, uint32_t node)
{
	struct tree_node n = { 0 };

	if (node != 0 && node != TREE_ROOT)
		tree_peek(ic->tree, node, &n);
	return n.object;
}

static void
take_names(struct icicle *ic, struct icicle_at *at)
{
	const struct box *fr = frames_selected(&ic->f);

	if (of_objects(ic)) {
		at->zoomed = object_of(ic, ic->zoom.node);
		at->object = object_of(ic, fr != NULL ? fr->node : 0);
		return;
	}
	add_thread_names(ic, &at->thread);
	icicle_keep(ic);
	at->zoom = ic->kept_zoom;
	buf_str(&at->frame, buf_view(&ic->kept));
	buf_clear(&ic->kept);
}

static uint32_t
node_of(const struct icicle *ic, uint64_t object, uint32_t otherwise)
{
	uint32_t	node = object != 0 && object <= tree_heap(ic->tree)->objects ?
	    tree_of_object(ic->tree, (uint32_t)object) : 0;

	return node != 0 ? node : otherwise;
}

static void
go_names(struct icicle *ic, const struct icicle_at *at, bool moved)
{
	ic->zoom = (struct zoom){ .node = node_of(ic, moved ? 0 : at->zoomed, ic->root) };
	ic->sel_node = node_of(ic, moved ? 0 : at->object, ic->zoom.node);
	ic->sel_part = PART_OWN;
	icicle_find_kept(ic);
}

/* ---- places ---------------------------------------------------------------- */

/*
 * While the tree is being built only its kind can be saved, not a place in it; a pane that was not shown yet has none.
 */
static bool
icicle_recall_take(struct pane *p, void *place, enum placed_use use)
{
	struct icicle	*ic = icicle_of(p);
	struct icicle_at *at = place;
	bool		 ready = ic->tree != NULL && !ic->lent && !ic->task.given;

	buf_str(&at->tree, str_of(tree_words[use == OF_MARK ? ic->kind : ic->chosen]));
	at->unfolded = ic->unfolded;
	at->each = ic->row.each;
	buf_add(&at->threads, ic->threads, ic->nthreads * sizeof *ic->threads);
	if (ready)
		(use == OF_MARK ? take_names : take_nodes)(ic, at);
	return ready || (use == OF_STEP && (ic->tree != NULL || ic->task.given));
}

static bool
is_tree_of(const struct icicle *ic, enum tree_kind kind, const struct buf *threads)
{
	return ic->tree != NULL && ic->version == ui_version(ic->pane->ui) && ic->kind == kind &&
	    str_eq((struct str){ (const char *)ic->threads, ic->nthreads * sizeof *ic->threads },
	    buf_view(threads));
}

/* If it is in another tree, open that first.  Marks are then found by names. */
static bool
icicle_recall_go(struct pane *p, void *place, enum placed_use use, bool moved)
{
	struct icicle	*ic = icicle_of(p);
	struct icicle_at *at = place;
	enum tree_kind	 first = of_objects(ic) ? TREE_NAMES : TREE_CALLS, kind;

	if (use == OF_MARK && (ic->tree == NULL || ic->lent || ic->task.given))
		return false;
	kind = (enum tree_kind)placed_word(&at->tree, tree_words, NELEM(tree_words), first);
	ic->chosen = (kind >= TREE_DOMINATORS) == of_objects(ic) ? kind : first;
	ic->begun = true;
	ic->walking = ic->largest = false;
	ic->walk_method = ic->wanted = 0;
	if (ic->task.given)
		return false;
	if (use == OF_MARK) {
		find_threads(ic, &at->thread, &at->threads);
		buf_clear(&ic->kept);
		buf_str(&ic->kept, buf_view(&at->frame));
		ic->kept_zoom = (size_t)at->zoom;
		ic->unfolded = at->unfolded;
		ic->row.each = at->each;
	}
	if (!is_tree_of(ic, ic->chosen, &at->threads)) {
		icicle_threads(ic, (const uint32_t *)(const void *)at->threads.s,
		    at->threads.n / sizeof *ic->threads);
		if (use == OF_STEP) {
			p->stale = true;
			return false;
		}
		ic->wanted = moved || at->object > UINT32_MAX ? 0 : (uint32_t)at->object;
		icicle_reopen(ic);
		return true;
	}
	if (use == OF_MARK)
		go_names(ic, at, moved);
	else if (!go_nodes(ic, at, moved))
		return false;
	ic->unfolded = at->unfolded;
	ic->row.each = at->each;
	icicle_relay(ic);
	return true;
}

const struct placed_kind icicle_places = PLACED_KIND(icicle_at, ICICLE_AT, icicle_recall_take,
    icicle_recall_go);
