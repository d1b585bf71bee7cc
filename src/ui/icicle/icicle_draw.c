/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_draw: draw a call tree with the root on top and widths by weight. It reads only nodes at least a cell wide,
 * and lays out levels only down to the end of the pane.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/bugs.h"
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

/* Shade by change relative to the larger value: >= 50 % strong, >= 10 % medium, otherwise weak. */
static int8_t
shade_of(const struct tree_node *n)
{
	uint64_t	after = n->total[CLOCK_WALL], before = n->total[CLOCK_CPU];
	double		by, most = (double)(after > before ? after : before);
	int		shade;

	if (after == before)
		return 0;
	by = (double)(after > before ? after - before : before - after) / most;
	shade = by >= 0.5 ? 3 : by >= 0.1 ? 2 : 1;
	return (int8_t)(after > before ? shade : -shade);
}

/* Fill in the properties that a frame shows of its node. */
static void
icicle_draw_describe(struct icicle *ic, struct box *fr, uint32_t id)
{
	struct tree_node n;

	tree_peek(ic->tree, id, &n);
	icicle_box(ic, id, &n, fr);
	fr->match = icicle_matches(ic, id, &n);
	if (n.method != 0) {
		fr->kind = method_kind(ic->st, n.method);
		fr->bug = method_has_bugs(ic->st, n.method);
	}
	if (ic->w.differs)
		fr->shade = shade_of(&n);
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

/*
 * Collect the children of a node that are at least one cell wide, largest first; sum the others in rest.
 * In a zoomed group collect all children of the group, since the user zoomed to see the narrow ones.
 */
static bool
icicle_draw_gather(struct icicle *ic, const struct box *fr, bool group, struct gathered *g)
{
	struct tree_node node;
	uint64_t	 weight;
	double		 least;

	memset(g, 0, sizeof *g);
	ic->nkids = 0;
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
		if (!mem_grow(&ic->kid, &ic->capkids, ic->nkids + 1, sizeof *ic->kid))
			return false;
		ic->kid[ic->nkids++] = (struct kid){ weight, id };
	}
	if (ic->nkids > 1)
		qsort(ic->kid, ic->nkids, sizeof *ic->kid, kid_cmp);
	return true;
}

/* Variant of gather for heaps: children are sorted by decreasing weight, so the first narrow child ends the loop. */
static bool
gather_sorted(struct icicle *ic, const struct box *fr, bool group, struct gathered *g)
{
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
	for (ic->nkids = 0; id != 0 && ic->nkids < fr->w; id = tree_next(ic->tree, id)) {
		weight = tree_total(ic->tree, id, CLOCK_WALL);
		if (weight == 0 || weight > g->rest || (double)weight < least)
			break;
		if (!mem_grow(&ic->kid, &ic->capkids, ic->nkids + 1, sizeof *ic->kid))
			return false;
		ic->kid[ic->nkids++] = (struct kid){ weight, id };
		g->rest -= weight;
		g->nrest--;
	}
	return true;
}

static bool
add_kid(struct icicle *ic, const struct kid *k, uint32_t x, uint32_t w)
{
	struct box	*fr = frames_add(&ic->f);

	if (fr == NULL)
		return false;
	*fr = (struct box){ .x = x, .w = w, .weight = k->weight };
	icicle_draw_describe(ic, fr, k->id);
	return true;
}

static bool
icicle_draw_add_group(struct icicle *ic, uint32_t parent, const struct gathered *g, uint32_t x, uint32_t w)
{
	struct box	*fr = frames_add(&ic->f);

	if (fr == NULL)
		return false;
	*fr = (struct box){ .x = x, .w = w, .node = parent, .group = g->nrest, .weight = g->rest, .match = g->match };
	return true;
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
lay_kids(struct icicle *ic, struct box fr)
{
	struct gathered	g;
	bool		group = ic->zoom.group && fr.node == ic->zoom.node;
	size_t		i, first = ic->f.n;
	uint32_t	x = fr.x, end = fr.x + fr.w, w;
	double		total, sum = 0;

	if (!(of_objects(ic) ? gather_sorted : icicle_draw_gather)(ic, &fr, group, &g))
		return false;
	/* For wall minus CPU the children's sum may exceed their parent. */
	total = (double)(group || g.sum > fr.weight ? g.sum : fr.weight);
	for (i = 0; i < ic->nkids && x < end; i++) {
		sum += (double)ic->kid[i].weight;
		w = fr.x + (uint32_t)(sum / total * fr.w + 1e-6);
		w = w > x ? w - x : 1;
		if (w > end - x)
			w = end - x;
		if (!add_kid(ic, &ic->kid[i], x, w))
			return false;
		x += w;
	}
	for (; i < ic->nkids; i++) {
		g.rest += ic->kid[i].weight;
		g.nrest++;
	}
	if (g.nrest == 0)
		return true;
	icicle_draw_make_room(ic, first, &g, &x, end);
	w = (uint32_t)((double)g.rest / total * fr.w);
	w = w < 1 ? 1 : w > end - x ? end - x : w;
	return icicle_draw_add_group(ic, fr.node, &g, x, w);
}

/* Exclude the weight of idle threads from the scale: their box has a width of its own. */
static bool
lay_folded(struct icicle *ic, struct box all)
{
	uint32_t	 w = icicle_fold_width(ic, &all);
	struct box	*fr;

	all.w -= w;
	all.weight -= ic->folded.sum < all.weight ? ic->folded.sum : all.weight;
	if (all.weight == 0 || !lay_kids(ic, all) || (fr = frames_add(&ic->f)) == NULL)
		return false;
	*fr = (struct box){ .x = all.x + all.w, .w = w, .node = all.node, .group = ic->folded.n, .idle = true,
	    .weight = ic->folded.sum };
	return true;
}

static bool
lay_children(struct icicle *ic, size_t parent)
{
	const struct box *fr = &ic->f.at[parent];

	if (fr->group != 0 || fr->weight == 0)
		return true;
	if (fr->node == TREE_ROOT && ic->folded.n > 0 && fr->w > 2 && !ic->zoom.group)
		return lay_folded(ic, *fr);
	return lay_kids(ic, *fr);
}

/* Lay the zoomed node and its ancestors over the whole width. */
static bool
lay_ancestors(struct icicle *ic)
{
	struct box	*fr;
	uint32_t	 *path = NULL;
	size_t		 n = 0, cap = 0;

	for (uint32_t id = ic->zoom.node; id != 0 && n <= LEVELS_MAX; id = tree_parent(ic->tree, id)) {
		if (!mem_grow(&path, &cap, n + 1, sizeof *path))
			break;
		path[n++] = id;
		if (id == ic->root)
			break;
	}
	ic->above = n > 0 ? n - 1 : 0;
	while (n-- > 0) {
		if (!frames_level(&ic->f) || (fr = frames_add(&ic->f)) == NULL)
			break;
		fr->w = (uint32_t)ic->width;
		fr->weight = icicle_weight(ic, path[n]);
		icicle_draw_describe(ic, fr, path[n]);
	}
	free(path);
	return n == SIZE_MAX;
}

static void
lay_start(struct icicle *ic)
{
	ic->fresh = false;
	ic->done = false;
	frames_clear(&ic->f);
	icicle_fold(ic);
	if (!lay_ancestors(ic) || ic->f.n == 0) {
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
icicle_draw_lay_out(struct icicle *ic, uint64_t deadline)
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
		if (!lay_children(ic, ic->next))
			ic->done = true;
		ic->next++;
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

static bool
select_at(struct icicle *ic, size_t level, uint32_t id, enum box_part part)
{
	for (size_t i = frames_begin(&ic->f, level); i < frames_end(&ic->f, level); i++)
		if (ic->f.at[i].node == id && box_part(&ic->f.at[i]) == part) {
			frames_select(&ic->f, i);
			return true;
		}
	return false;
}

/* Select the node at its level, otherwise its nearest visible ancestor; for a folded thread the box of folded threads. */
static bool
select_node(struct icicle *ic, uint32_t id, enum box_part part)
{
	size_t	n;

	if (!steps_up(ic, id, &n)) {
		for (size_t level = 0; level < ic->above; level++)
			if (select_at(ic, level, id, PART_OWN))
				return true;
		return select_at(ic, ic->above, ic->zoom.node, PART_OWN);
	}
	if (part != PART_OWN && select_at(ic, ic->above + n + 1, id, part))
		return true;
	for (;; n--, id = tree_parent(ic->tree, id))
		if (select_at(ic, ic->above + n, id, PART_OWN) || n == 0 ||
		    (icicle_folds(ic, id) && select_at(ic, ic->above + n, TREE_ROOT, PART_IDLE)))
			return true;
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
	if (!icicle_draw_lay_out(ic, deadline))
		return false;
	if (ic->sel_node == 0)
		return true;
	if (!select_node(ic, ic->sel_node, ic->sel_part))
		frames_select(&ic->f, 0);
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
		screen_puts(a.y, a.x + 2, a.w - 2, ROLE_DIM, LOOK_PLAIN,
		    ic->error[0] != '\0' ? ic->error : "working");
		return false;
	}
	if (a.w != ic->width && !ic->lent) {
		ic->width = a.w;
		icicle_relay(ic);
	}
	ic->pane->unfinished |= !icicle_lay(ic, os_now() + ICICLE_FRAME_NS) && !ic->lent;
	if (ic->f.n > 0 && ic->f.at[0].weight == 0) {
		screen_puts(a.y, a.x + 2, a.w - 2, ROLE_DIM, LOOK_PLAIN, icicle_empty(ic));
		return false;
	}
	ic->f.st = ic->st;
	return true;
}

void
icicle_draw_in(struct icicle *ic, struct area a)
{
	size_t	which = (size_t)(ic - (struct icicle *)ic->pane->data);

	spot_add(&(struct spot){ .area = a, .click = icicle_draw_click, .who = ic, .what = which, .enters = true });
	frames_draw(&ic->f, a, ic, icicle_draw_name_of);
}

void
icicle_draw(struct pane *p, struct area a)
{
	p->area = a;
	if (icicle_ready(icicle_of(p), a))
		icicle_draw_in(icicle_of(p), a);
}
