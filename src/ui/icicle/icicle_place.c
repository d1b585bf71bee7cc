/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_place: the place in the icicle across trees and stores, navigation from other panes, and search.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icicle.h"

enum { KEPT_DEPTH = 4096, LOOKS = 100000, HEAVY = 20000, WALK_STEP = 512 };

/* ---- initial place ------------------------------------------------------- */

/* True without thread names: the profile has none, or it is a comparison, whose single thread is called "all". */
static bool
is_nameless(const struct store *st)
{
	const struct column *tid = store_column(st, COL_THREAD_TID);
	struct buf	 name = BUF_INIT;
	bool		 all = false;

	if (fact_value(st, FACT_WEIGHT_DIFFERS) != 0 && tid != NULL && tid->rows == 1) {
		thread_name(st, 1, &name);
		all = column_get(tid, 0) == 0 && str_eq(buf_view(&name), STR("all"));
	}
	buf_free(&name);
	return all || threads_nameless(st);
}

/*
 * A single thread without a name says nothing: start the icicle with its calls; trees of a method start
 * with the method.
 */
uint32_t
icicle_top(struct icicle *ic)
{
	uint32_t	first = 0;

	if (of_method(ic) || (ic->kind == TREE_CALLS && is_nameless(ic->st)))
		first = tree_first(ic->tree, TREE_ROOT);
	return first != 0 ? first : TREE_ROOT;
}

/* ---- the same place in another store ------------------------------------- */

/* Fill in the nodes from id up to the root, without the root; return their number. */
static size_t
way_up(struct icicle *ic, uint32_t id, uint32_t *way)
{
	size_t	n;

	for (n = 0; id != 0 && id != ic->root && id != TREE_ROOT && n < KEPT_DEPTH;
	    id = tree_parent(ic->tree, id))
		way[n++] = id;
	return n;
}

void
icicle_keep(struct icicle *ic)
{
	const struct box *fr = frames_selected(&ic->f);
	uint32_t	*way = mem_array(KEPT_DEPTH, sizeof *way);
	size_t		 n, zoom;

	buf_clear(&ic->kept);
	if (way == NULL || of_objects(ic))
		goto out;
	zoom = way_up(ic, ic->zoom.node, way);
	n = fr != NULL ? way_up(ic, fr->node, way) : 0;
	/* If the selection is not below the zoomed node, keep the zoomed node as the place. */
	if (n < zoom || (zoom > 0 && way[n - zoom] != ic->zoom.node))
		n = way_up(ic, ic->zoom.node, way);
	ic->kept_zoom = zoom;
	while (n-- > 0) {
		icicle_name(ic, way[n], &ic->kept);
		buf_chr(&ic->kept, '\0');
	}
out:
	free(way);
}

/* Return the child with that name; 0: none, or too many children to search. */
static uint32_t
child_named(struct icicle *ic, uint32_t id, const char *name, size_t *looks)
{
	struct buf	b = BUF_INIT;
	uint32_t	child = 0;

	if (tree_cost(ic->tree, id) < HEAVY)
		child = tree_first(ic->tree, id);
	for (; child != 0 && ++*looks < LOOKS; child = tree_next(ic->tree, child)) {
		buf_clear(&b);
		icicle_name(ic, child, &b);
		if (str_eq(buf_view(&b), str_of(name)))
			break;
	}
	buf_free(&b);
	return *looks < LOOKS ? child : 0;
}

/* Restore the kept place; skip frames that are hidden now. */
void
icicle_find_kept(struct icicle *ic)
{
	uint32_t	id = ic->root, child;
	size_t		at, n = 0, looks = 0;

	if (ic->kept.bad)
		buf_clear(&ic->kept);
	for (at = 0; at < ic->kept.n; at += strlen(ic->kept.s + at) + 1) {
		child = child_named(ic, id, ic->kept.s + at, &looks);
		id = child != 0 ? child : id;
		if (++n == ic->kept_zoom)
			ic->zoom.node = id;
	}
	if (ic->kept.n > 0) {
		ic->sel_node = id;
		ic->begun = true;
	}
	buf_clear(&ic->kept);
}

void
icicle_threads(struct icicle *ic, const uint32_t *ids, size_t n)
{
	uint32_t	*copy = n > 0 ? mem_array(n, sizeof *copy) : NULL;

	if (n > 0 && copy == NULL) {
		ui_say(ic->pane->ui, "out of memory (threads)");
		return;
	}
	if (n > 0)
		memcpy(copy, ids, n * sizeof *copy);
	free(ic->threads);
	ic->threads = copy;
	ic->nthreads = n;
	ic->outdated = true;
	found_threads(ic->pane->ui, copy, n);
}

void
icicle_reopen(struct icicle *ic)
{
	ic->walking = false;
	ic->walk = 0;
	if (!ic->task.given)
		ic->kind = ic->chosen;
	task_give(ic->pane->ui, &ic->task);
}

void
icicle_choose(struct icicle *ic, const uint32_t *ids, size_t n)
{
	if (task_refuses(&ic->task))
		return;
	step_add(ic->pane, STEP_ZOOM, n == 0 ? "all threads" : n == 1 ? "one thread" : "threads");
	if (n > 0 && (ic->chosen == TREE_PROCESSES || (ic->chosen == TREE_MERGED && n == 1)))
		ic->chosen = TREE_CALLS;
	buf_clear(&ic->kept);
	icicle_threads(ic, ids, n);
	icicle_reopen(ic);
}

void
icicle_zoom(struct icicle *ic, struct zoom z)
{
	if (z.node == TREE_ROOT)
		z.node = ic->root;
	if ((z.node == ic->zoom.node && z.group == ic->zoom.group && z.id == ic->zoom.id &&
	    z.weight == ic->zoom.weight))
		return;
	step_add(ic->pane, STEP_ZOOM, "zoom");
	ic->zoom = z;
	icicle_relay(ic);
}

void
icicle_unfold(struct icicle *ic)
{
	step_add(ic->pane, STEP_GROUP, "unfold");
	ic->unfolded = true;
	icicle_select(ic, ic->folded.first);
}

/* ---- navigation from other panes ----------------------------------------- */

void
icicle_marked(struct pane *p)
{
	for (size_t i = 0; i < icicle_count(p); i++)
		icicle_relay((struct icicle *)p->data + i);
}

/* Go to the heaviest node of a method. */
static void
go_method(struct icicle *ic, uint32_t method)
{
	if (task_refuses(&ic->task))
		return;
	ic->walk_method = method;
	ic->largest = false;
	ic->walk = 0;
	ic->walking = true;
	if (ic->kind != TREE_CALLS || ic->tree == NULL || ic->outdated) {
		ic->chosen = TREE_CALLS;
		icicle_reopen(ic);
	}
}

/* Follow the hottest path of all threads. */
static void
go_largest(struct icicle *ic)
{
	if (task_refuses(&ic->task))
		return;
	ic->walk_method = 0;
	ic->walk = 0;
	ic->walking = ic->largest = true;
	if (ic->kind != TREE_MERGED || ic->tree == NULL || ic->nthreads > 0 || ic->outdated) {
		icicle_threads(ic, NULL, 0);
		ic->chosen = TREE_MERGED;
		icicle_reopen(ic);
	}
}

bool
icicle_go(struct pane *p, const struct visit *v)
{
	struct icicle	*ic = icicle_of(p);

	if (v->to != PLACE_THREADS)
		placed_stay(p);
	if (v->to == PLACE_THREADS)
		icicle_choose(ic, v->ids, v->n);
	else if (v->to == PLACE_CALLS)
		go_method(ic, v->id);
	else if (v->to == PLACE_LARGEST)
		go_largest(ic);
	else {
		ic->wanted = v->id;
		if (ic->chosen != TREE_DOMINATORS) {
			ic->chosen = TREE_DOMINATORS;
			icicle_reopen(ic);
		}
	}
	return true;
}

/* ---- searching calls, visible ones first ---------------------------------- */

static bool
walk_wants(struct icicle *ic, uint32_t id)
{
	struct tree_node node;

	tree_peek(ic->tree, id, &node);
	return ic->walk_method != 0 ? node.method == ic->walk_method :
	    icicle_matches(ic, id, &node);
}

static uint32_t
icicle_place_walk_next(struct icicle *ic, uint32_t id)
{
	uint32_t	next = tree_first(ic->tree, id);

	while (next == 0 && id != 0) {
		next = tree_next(ic->tree, id);
		id = tree_parent(ic->tree, id);
	}
	return next;
}

/* Unfold idle threads to show a node of one of them in the whole tree.  Add a step, unless zooming adds one. */
static void
show_thread(struct icicle *ic, uint32_t id, uint32_t zoom)
{
	uint32_t	thread = id, up;

	if (zoom != ic->root || id == ic->root)
		return;
	while ((up = tree_parent(ic->tree, thread)) != TREE_ROOT && up != 0)
		thread = up;
	icicle_fold(ic);
	if (!icicle_folds(ic, thread))
		return;
	if (ic->zoom.node == ic->root && !ic->zoom.group)
		step_add(ic->pane, STEP_GROUP, "unfold");
	ic->unfolded = true;
}

/* Zoom to the highest ancestor that leaves the node at least three cells, and select the node. */
void
icicle_show(struct icicle *ic, uint32_t id)
{
	double		need = (double)icicle_weight(ic, id) * ic->width;
	uint32_t	up, zoom = id;

	for (up = id; up != 0 && 3 * (double)icicle_weight(ic, up) <= need;
	    up = tree_parent(ic->tree, up))
		zoom = up;
	show_thread(ic, id, zoom);
	icicle_zoom(ic, (struct zoom){ .node = zoom });
	icicle_select(ic, id);
}

static void
walk_end(struct icicle *ic)
{
	ic->walking = ic->largest = false;
	ic->walk_method = 0;
	if (ic->best != 0)
		icicle_show(ic, ic->best);
	else
		ui_say(ic->pane->ui, "no call of this method in this tree");
}

/* Go from the root to the largest child, and on while one child has more than half of its caller's weight. */
static uint32_t
walk_down(struct icicle *ic, uint32_t at)
{
	uint32_t	best = 0;
	uint64_t	weight = 0, one;

	for (uint32_t child = tree_first(ic->tree, at); child != 0; child = tree_next(ic->tree, child))
		if ((one = icicle_weight(ic, child)) > weight) {
			best = child;
			weight = one;
		}
	return at == TREE_ROOT || weight > icicle_weight(ic, at) / 2 ? best : 0;
}

bool
icicle_walk(struct icicle *ic, uint64_t deadline)
{
	uint64_t	weight;
	size_t		n = 0;

	if (ic->walk == 0) {
		ic->walk = TREE_ROOT;
		ic->best = 0;
		ic->best_weight = 0;
	}
	for (; ic->walk != 0; ic->walk = ic->largest ? walk_down(ic, ic->walk) :
	    icicle_place_walk_next(ic, ic->walk)) {
		if (icicle_lend(ic, ic->walk))
			return false;
		if (++n % WALK_STEP == 0 && os_now() > deadline)
			return true;
		if (ic->largest)
			ic->best = ic->walk;
		if (ic->largest || !walk_wants(ic, ic->walk))
			continue;
		weight = icicle_weight(ic, ic->walk);
		if (ic->best == 0 || weight > ic->best_weight) {
			ic->best = ic->walk;
			ic->best_weight = weight;
		}
	}
	walk_end(ic);
	return true;
}

/* Go to the next thread or process, after the selected one, whose name matches; false: none does. */
static bool
icicle_place_find_top(struct icicle *ic, bool backward)
{
	const struct box *fr = frames_selected(&ic->f);
	bool		 processes = ic->kind == TREE_PROCESSES;
	struct pattern	*p = processes || ic->kind == TREE_CALLS ?
	    pattern_make(str_of(ui_found(ic->pane->ui)->text), NULL) : NULL;
	uint32_t	 now = fr != NULL ? fr->node : 0, first = 0, before = 0, after = 0, last = 0;
	struct buf	 name = BUF_INIT, fit = BUF_INIT;

	while (now != 0 && tree_parent(ic->tree, now) != TREE_ROOT)
		now = tree_parent(ic->tree, now);
	for (uint32_t id = p != NULL ? tree_first(ic->tree, TREE_ROOT) :
	    0; id != 0; id = tree_next(ic->tree, id)) {
		buf_clear(&name);
		icicle_name(ic, id, &name);
		if (icicle_weight(ic, id) == 0 || !pattern_match(p, buf_view(&name)))
			continue;
		first = first != 0 ? first : id;
		before = id < now ? id : before;
		after = after == 0 && id > now ? id : after;
		last = id;
	}
	pattern_free(p);
	first = backward ? (before != 0 ? before : last) : (after != 0 ? after : first);
	if (first != 0) {
		buf_clear(&name);
		icicle_name(ic, first, &name);
		screen_fit(&fit, buf_view(&name));
		icicle_show(ic, first);
		ui_say(ic->pane->ui, "/%s: %s %.*s", ui_found(ic->pane->ui)->text, processes ? "process" :
		    "thread", (int)fit.n, fit.n > 0 ? fit.s : "");
	}
	buf_free(&name);
	buf_free(&fit);
	return first != 0;
}

/* Search visible boxes, then the tree for boxes too narrow to draw.  The inverted tree is too large to search. */
void
icicle_find(struct icicle *ic)
{
	bool	backward = ic->find < 0;
	size_t	was = ic->f.sel;

	ic->find = 0;
	if (frames_next_match(&ic->f, backward)) {
		if (of_objects(ic) && (ic->kind == TREE_NAMES || ui_found(ic->pane->ui)->calls == 0))
			ui_say(ic->pane->ui, "/%s: in the names of boxes", ui_found(ic->pane->ui)->text);
		/* Keep the message of the first search. */
		if ((backward ? ic->f.sel >= was : ic->f.sel <= was) &&
		    ui_message(ic->pane->ui)->text[0] == '\0')
			ui_say(ic->pane->ui, "/%s: search wrapped at the %s", ui_found(ic->pane->ui)->text,
			    backward ? "end" : "top");
		return;
	}
	if (ui_found(ic->pane->ui)->calls == 0) {
		if (!icicle_place_find_top(ic, backward))
			found_show(ic->pane->ui);
		return;
	}
	if (of_objects(ic))
		icicle_show(ic, tree_of_object(ic->tree, ui_found(ic->pane->ui)->best));
	else if (ic->kind == TREE_INVERTED || ic->kind == TREE_CALLERS)
		ui_say_hint(ic->pane->ui, VERB_INVERT, "matches are too narrow here; zoom in or press _");
	else {
		ic->walk = 0;
		ic->walk_method = 0;
		ic->largest = false;
		ic->walking = true;
	}
}
