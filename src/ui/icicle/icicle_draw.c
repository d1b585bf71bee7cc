/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_draw: draw a call tree with the root on top and widths by weight. It reads only nodes at least a
 * cell wide, and lays out levels only down to the end of the pane.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icicle.h"

enum { FRAME_COST = 32, FAR_COST = 2000, LEVELS_MAX = 131072 };

/* ---- layout -------------------------------------------------------------- */

static void
icicle_draw_name_of(void *data, const struct box *fr, struct buf *b)
{
	struct icicle	*ic = data;

	if (of_objects(ic))
		icicle_name(ic, fr->node, b);
	else
		icicle_label(ic, fr, b);
}

static int
kid_cmp(const void *a, const void *b)
{
	const struct kid *x = a, *y = b;

	return num_order(y->weight, x->weight, num_order(x->id, y->id, 0));
}

static bool
icicle_draw_is_below(const struct zoom *z, uint64_t weight, uint32_t id)
{
	return !z->group || weight < z->weight || (weight == z->weight && id > z->id);
}

static bool
add_child(struct icicle *ic, uint64_t weight, uint32_t id)
{
	if (!MEM_ROOM(ic->g.kid, ic->g.cap, ic->g.n))
		return false;
	ic->g.kid[ic->g.n++] = (struct kid){ weight, id };
	return true;
}

/*
 * Collect the children of a node that are at least one cell wide, largest first; sum the others in rest.
 * In a zoomed group collect all children of the group, since the user zoomed to see the narrow ones.
 */
static bool
icicle_draw_gather(struct icicle *ic, const struct box *fr, bool group)
{
	struct gathered	*g = &ic->g;
	struct tree_node node;
	uint64_t	 weight;
	double		 least;

	*g = (struct gathered){ .kid = g->kid, .cap = g->cap };
	least = group ? 0 : (double)fr->weight / fr->w;
	for (uint32_t id = tree_first(ic->tree, fr->node); id != 0; id = tree_next(ic->tree, id)) {
		weight = icicle_weight(ic, id);
		if (weight == 0 || (group && !icicle_draw_is_below(&ic->zoom, weight, id)) ||
		    (fr->node == TREE_ROOT && icicle_folds(ic, id)))
			continue;
		g->sum += weight;
		if ((double)weight < least) {
			g->rest += weight;
			g->nrest++;
			if (!g->match && ui_found(ic->pane->ui)->known) {
				tree_peek(ic->tree, id, &node);
				g->match = icicle_matches(ic, id, &node);
			}
			continue;
		}
		if (!add_child(ic, weight, id))
			return false;
	}
	if (g->n > 1)
		qsort(g->kid, g->n, sizeof *g->kid, kid_cmp);
	return true;
}

/* Variant of gather for heaps: children are sorted by decreasing weight, so the first narrow child ends the loop. */
static bool
gather_sorted(struct icicle *ic, const struct box *fr, bool group)
{
	struct gathered	*g = &ic->g;
	struct tree_node node;
	double		 least = group ? 0 : (double)fr->weight / fr->w;
	uint64_t	 weight;
	uint32_t	 id;

	tree_get(ic->tree, fr->node, &node);
	g->match = false;
	g->sum = group ? ic->zoom.rest : fr->weight > node.self[CLOCK_WALL] ?
	    fr->weight - node.self[CLOCK_WALL] : 0;
	g->rest = g->sum;
	g->nrest = group ? ic->zoom.n : tree_children(ic->tree, fr->node);
	id = group && ic->zoom.id != 0 ? tree_next(ic->tree, ic->zoom.id) :
	    tree_first(ic->tree, fr->node);
	for (g->n = 0; id != 0 && g->n < fr->w; id = tree_next(ic->tree, id)) {
		weight = tree_total(ic->tree, id, CLOCK_WALL);
		if (weight == 0 || weight > g->rest || (double)weight < least)
			break;
		if (!add_child(ic, weight, id))
			return false;
		g->rest -= weight;
		g->nrest--;
	}
	return true;
}

static bool
add_kid(struct icicle *ic, const struct kid *k, uint32_t x, uint32_t w)
{
	struct box	*fr = frames_add(&ic->f, (struct box){ .x = x, .w = w, .first = k->id,
			    .weight = k->weight });

	if (fr != NULL)
		icicle_describe(ic, fr, k->id);
	return fr != NULL;
}

static bool
icicle_draw_add_group(struct icicle *ic, uint32_t parent, const struct gathered *g, uint32_t x, uint32_t w)
{
	return frames_add(&ic->f, (struct box){ .x = x, .w = w, .node = parent, .group = g->nrest,
	    .weight = g->rest, .match = g->match }) != NULL;
}

/* Give the last cell to the group of narrow children if the others left it no room. */
static void
icicle_draw_make_room(struct icicle *ic, size_t first, struct gathered *g, uint32_t *x, uint32_t end)
{
	struct box	*last;

	if (*x < end || ic->f.n == first)
		return;
	last = &ic->f.at[ic->f.n - 1];
	*x = end - 1;
	if (last->w > 1) {
		last->w--;
		return;
	}
	g->rest += last->weight;
	g->nrest++;
	g->match |= last->match;
	ic->f.n--;
}

static bool
lay_kids(struct icicle *ic, struct box fr, bool group)
{
	struct gathered	*g = &ic->g;
	size_t		i, first = ic->f.n;
	uint32_t	x = fr.x, end = fr.x + fr.w, w;
	double		total, sum = 0;

	/* For wall minus CPU the children's sum may exceed their parent. */
	total = (double)(group || g->sum > fr.weight ? g->sum : fr.weight);
	for (i = 0; i < g->n && x < end; i++) {
		sum += (double)g->kid[i].weight;
		w = fr.x + (uint32_t)(sum / total * fr.w + 1e-6);
		w = w > x ? w - x : 1;
		if (w > end - x)
			w = end - x;
		if (!add_kid(ic, &g->kid[i], x, w))
			return false;
		x += w;
	}
	for (; i < g->n; i++) {
		g->rest += g->kid[i].weight;
		g->nrest++;
	}
	if (g->nrest == 0)
		return true;
	icicle_draw_make_room(ic, first, g, &x, end);
	w = (uint32_t)((double)g->rest / total * fr.w);
	w = w < 1 ? 1 : w > end - x ? end - x : w;
	return icicle_draw_add_group(ic, fr.node, g, x, w);
}

/* Exclude the weight of idle threads from the scale: their box has a width of its own. */
static bool
lay_folded(struct icicle *ic, struct box all)
{
	uint32_t	w = icicle_fold_width(ic, &all);

	all.w -= w;
	all.weight -= ic->folded.sum < all.weight ? ic->folded.sum : all.weight;
	return all.weight > 0 && icicle_draw_gather(ic, &all, false) && lay_kids(ic, all, false) &&
	    frames_add(&ic->f, (struct box){ .x = all.x + all.w, .w = w,
	    .node = all.node, .group = ic->folded.n, .idle = true, .weight = ic->folded.sum }) != NULL;
}

/* Lay the children of the next box, or take its only child into its row; then it is still the next. */
static bool
lay_next(struct icicle *ic)
{
	struct box	*fr = &ic->f.at[ic->next];
	bool		 group = ic->zoom.group && fr->node == ic->zoom.node;
	bool		 ends = fr->group != 0 || fr->weight == 0;

	if (!ends && fr->node == TREE_ROOT && ic->folded.n > 0 && fr->w > 2 && !ic->zoom.group) {
		ic->next++;
		return lay_folded(ic, *fr);
	}
	if (!ends && !(of_objects(ic) ? gather_sorted : icicle_draw_gather)(ic, fr, group))
		return false;
	if (!ends && !group && ic->g.n == 1 && !ic->g.match && icicle_row_takes(ic, fr, ic->g.kid))
		return true;
	ic->next++;
	if (ends)
		return true;
	icicle_row_end(ic, fr);
	return lay_kids(ic, *fr, group);
}

/* The nodes from one up to the root of the drawing; the caller frees them. */
static size_t
icicle_draw_way(struct icicle *ic, uint32_t id, uint32_t **way)
{
	size_t	n = 0, cap = 0;

	*way = NULL;
	for (; id != 0 && n <= LEVELS_MAX; id = id == ic->root ? 0 : tree_parent(ic->tree, id)) {
		if (!MEM_ROOM(*way, cap, n))
			break;
		(*way)[n++] = id;
	}
	return n;
}

/* Lay the zoomed node and its ancestors over the whole width. */
static void
lay_ancestors(struct icicle *ic)
{
	struct box	*fr = NULL;
	struct kid	 k;
	uint32_t	 *way;
	size_t		 n = icicle_draw_way(ic, ic->zoom.node, &way);

	while (n-- > 0) {
		k = (struct kid){ icicle_weight(ic, way[n]), way[n] };
		if (fr != NULL && icicle_row_takes(ic, fr, &k))
			continue;
		if (fr != NULL)
			icicle_row_end(ic, fr);
		if (!frames_level(&ic->f) || !add_kid(ic, &k, 0, (uint32_t)ic->width))
			break;
		fr = &ic->f.at[ic->f.n - 1];
	}
	ic->above = ic->f.nlevels > 0 ? ic->f.nlevels - 1 : 0;
	free(way);
}

static void
lay_start(struct icicle *ic)
{
	ic->fresh = false;
	ic->done = false;
	frames_clear(&ic->f);
	icicle_fold(ic);
	ic->row.some = false;
	lay_ancestors(ic);
	if (ic->f.n == 0) {
		ic->done = true;
		return;
	}
	ic->next = ic->f.n - 1;
	ic->done = !frames_level(&ic->f);
}

/* True if all levels of the page, and of the page below the selected level, are laid out. */
static bool
deep_enough(const struct icicle *ic)
{
	size_t	height = (size_t)(ic->pane->area.h > 0 ? ic->pane->area.h : 1);
	size_t	goal = ic->f.top + height;

	if (ic->above + ic->goal > goal)
		goal = ic->above + ic->goal;
	if (ic->f.sel_level + height > goal)
		goal = ic->f.sel_level + height;
	return ic->f.nlevels > goal + 1;
}

bool
icicle_lend(struct icicle *ic, uint32_t node)
{
	if (!icicle_heavy(ic, node) || ic->task.given)
		return false;
	ic->heavy = node;
	ic->lent = true;
	task_give(ic->pane->ui, &ic->task);
	return true;
}

/* Continue the layout; true when it is deep enough. */
static bool
lay_out(struct icicle *ic, uint64_t deadline)
{
	size_t		level_end;
	uint64_t	cost = 0;

	while (!ic->done && !deep_enough(ic)) {
		level_end = frames_begin(&ic->f, ic->f.nlevels - 1);
		if (ic->next == level_end) {
			if (ic->f.n == level_end) {
				ic->f.nlevels--;
				ic->done = true;
			} else if (!frames_level(&ic->f))
				ic->done = true;
			continue;
		}
		cost += FRAME_COST + tree_cost(ic->tree, ic->f.at[ic->next].node);
		if (cost > FAR_COST && os_now() > deadline)
			return false;
		cost = cost > FAR_COST ? 0 : cost;
		if (ic->f.at[ic->next].group == 0 &&
		    icicle_lend(ic, ic->f.at[ic->next].node))
			return false;
		if (!lay_next(ic))
			ic->done = true;
	}
	return true;
}

/* ---- selection across layouts -------------------------------------------- */

static void
icicle_draw_remember(struct icicle *ic)
{
	const struct box *fr = frames_selected(&ic->f);

	if (fr == NULL)
		return;
	ic->sel_node = fr->node;
	ic->sel_part = box_part(fr);
}

/* Count the steps up to the zoomed node; false: the node is not below it. */
static bool
steps_up(struct icicle *ic, uint32_t id, size_t *n)
{
	for (*n = 0; id != 0 && *n <= LEVELS_MAX; id = tree_parent(ic->tree, id), ++*n)
		if (id == ic->zoom.node)
			return true;
	return false;
}

/* Return the box of a level that begins with the node; for parts, below the node.  SIZE_MAX: none. */
static size_t
box_at(const struct icicle *ic, size_t level, uint32_t id, enum box_part part)
{
	const struct box *fr;

	for (size_t i = frames_begin(&ic->f, level); i < frames_end(&ic->f, level); i++) {
		fr = &ic->f.at[i];
		if (box_part(fr) == part && (part == PART_OWN ? fr->first : fr->node) == id)
			return i;
	}
	return SIZE_MAX;
}

/* Return the row of the node, otherwise of its nearest visible ancestor, with the first node below it in out, or 0. */
static size_t
icicle_draw_row(struct icicle *ic, uint32_t id, size_t *below, uint32_t *out)
{
	uint32_t	*way;
	size_t		 n = icicle_draw_way(ic, id, &way), at, best = 0;

	*out = id;
	for (*below = 0; n > 0 && (at = box_at(ic, *below, way[n - 1], PART_OWN)) != SIZE_MAX; ++*below) {
		best = at;
		*out = icicle_row_has(ic, &ic->f.at[best], id) ? 0 : id;
		while (n > 0 && way[n - 1] != ic->f.at[best].node)
			n--;
		n -= n > 0;
		*out = n > 0 ? way[n - 1] : *out;
	}
	free(way);
	return best;
}

/* For a folded thread select the box of folded threads; for a node that is not below the zoomed one, that one. */
static void
select_node(struct icicle *ic, uint32_t id, enum box_part part)
{
	uint32_t	out;
	size_t		below, n, best = icicle_draw_row(ic, id, &below, &out), at = SIZE_MAX;

	if (out != 0 && !steps_up(ic, id, &n))
		best = frames_begin(&ic->f, ic->above);
	else if (out == 0 && part != PART_OWN)
		at = box_at(ic, below, id, part);
	else if (out != 0 && icicle_folds(ic, out))
		at = box_at(ic, below, TREE_ROOT, PART_IDLE);
	frames_select(&ic->f, at != SIZE_MAX ? at : best);
}

void
icicle_select(struct icicle *ic, uint32_t id)
{
	ic->sel_node = id;
	ic->sel_part = PART_OWN;
	icicle_relay(ic);
}

/* Lay out again, keeping the selection. */
void
icicle_relay(struct icicle *ic)
{
	size_t	n;

	if (ic->tree == NULL || ic->lent) {
		ic->again = ic->lent;
		return;
	}
	if (ic->sel_node == 0)
		icicle_draw_remember(ic);
	if (ic->sel_node == 0)
		ic->sel_node = ic->zoom.node;
	if (steps_up(ic, ic->sel_node, &n) && n + 1 > ic->goal)
		ic->goal = n + 1;
	ic->fresh = true;
}

bool
icicle_lay(struct icicle *ic, uint64_t deadline)
{
	if (ic->tree == NULL || ic->width <= 0 || ic->lent)
		return true;
	if (ic->fresh)
		lay_start(ic);
	if (!lay_out(ic, deadline))
		return false;
	if (ic->sel_node == 0)
		return true;
	select_node(ic, ic->sel_node, ic->sel_part);
	ic->goal = 0;
	ic->sel_node = 0;
	return true;
}

/* ---- drawing ------------------------------------------------------------- */

static void
icicle_draw_click(void *who, size_t what, int y, int x)
{
	struct icicle	*ic = who;

	ic->pane->focus = what;
	if (y != SPOT_FOCUS)
		frames_click(&ic->f, y, x);
}

bool
icicle_ready(struct icicle *ic, struct area a)
{
	if (ic->tree == NULL) {
		screen_hint(a, ic->error[0] != '\0' ? ic->error : "working");
		return false;
	}
	if (a.w != ic->width && !ic->lent) {
		ic->width = a.w;
		icicle_relay(ic);
	}
	ic->pane->unfinished |= !icicle_lay(ic, os_now() + ICICLE_FRAME_NS) && !ic->lent;
	if (ic->f.n > 0 && ic->f.at[0].weight == 0) {
		screen_hint(a, icicle_empty(ic).s);
		return false;
	}
	ic->f.st = ic->st;
	return true;
}

void
icicle_draw_in(struct icicle *ic, struct area a)
{
	size_t	which = (size_t)(ic - (struct icicle *)ic->pane->data);

	spot_add(&(struct spot){ .area = a, .click = icicle_draw_click, .who = ic, .what = which,
	    .enters = true });
	frames_draw(&ic->f, a, ic, icicle_draw_name_of);
}

void
icicle_draw(struct pane *p, struct area a)
{
	if (icicle_ready(icicle_of(p), a))
		icicle_draw_in(icicle_of(p), a);
}
