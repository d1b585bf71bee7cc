/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_pane: the icicle pane: zoom and keys.
 */
#include "config.h"

#include "icecore/keys.h"
#include "icicle.h"

enum { BOTTOM_NS = 200000000 };

/* ---- zoom ---------------------------------------------------------------- */

/* A +N cell stands for the children after its left neighbour, if that has the same parent. */
static struct zoom
group_zoom(struct icicle *ic, const struct box *fr)
{
	struct zoom	 z = { .node = fr->node, .group = true, .weight = UINT64_MAX,
			    .n = fr->group, .rest = fr->weight };
	const struct box *left = fr - 1;

	if (fr > ic->f.at && left->group == 0 && tree_parent(ic->tree, left->first) == fr->node) {
		z.weight = left->weight;
		z.id = left->first;
	} else if (ic->zoom.group && ic->zoom.node == fr->node)
		z = ic->zoom;
	return z;
}

static void
icicle_pane_enter(struct icicle *ic)
{
	const struct box *fr = frames_selected(&ic->f);

	if (fr == NULL)
		return;
	if (fr->idle)
		icicle_unfold(ic);
	else if (fr->group != 0)
		icicle_zoom(ic, group_zoom(ic, fr));
	else
		icicle_zoom(ic, (struct zoom){ .node = icicle_row_has(ic, fr, ic->root) ? ic->root :
		    !ic->zoom.group && icicle_row_has(ic, fr, ic->zoom.node) ? ic->zoom.node : fr->node });
}

/* False: nothing to go back to. */
static bool
icicle_pane_go_back(struct icicle *ic)
{
	if (step_back(ic->pane))
		return true;
	if (ic->zoom.node != ic->root || ic->zoom.group)
		icicle_zoom(ic, (struct zoom){ .node = ic->root });
	else if (ic->nthreads > 0)
		icicle_choose(ic, NULL, 0);
	else
		return false;
	return true;
}

/* ---- finding ------------------------------------------------------------- */

static void
icicle_pane_find(struct pane *p, const char *text, bool backward)
{
	struct icicle	*ic = icicle_of(p);

	if (text != NULL) {
		found_start(p->ui, text, backward, false);
		return;
	}
	if (ic->tree == NULL || !ui_found(p->ui)->known)
		return;
	ic->find = backward ? -1 : 1;
	icicle_relay(ic);
}

static void
show_wanted(struct icicle *ic)
{
	uint32_t	id = tree_of_object(ic->tree, ic->wanted);

	ic->wanted = 0;
	if (id != 0)
		icicle_show(ic, id);
	else
		ui_say(ic->pane->ui, "unreachable: not in the dominator tree");
}

static bool
icicle_step(struct icicle *ic, uint64_t deadline)
{
	if (ic->tree == NULL || ic->lent)
		return false;
	/* The width is known after the first draw. */
	if (ic->width == 0)
		return (ic->walking || ic->wanted != 0) && screen_fits();
	if (!icicle_lay(ic, deadline))
		return !ic->lent;
	if (ic->wanted != 0 && !ic->task.given) {
		show_wanted(ic);
		return true;
	}
	if (ic->walking)
		return icicle_walk(ic, deadline);
	if (ic->find != 0) {
		icicle_find(ic);
		return ic->walking;
	}
	return false;
}

static bool
icicle_pane_step(struct pane *p, uint64_t deadline)
{
	bool	more = false;

	for (size_t i = 0; i < icicle_count(p); i++)
		more |= icicle_step((struct icicle *)p->data + i, deadline);
	return more;
}

/* ---- keys ---------------------------------------------------------------- */

/* Return the tree that the key leads to: calls by process, merged, by thread, in turns. */
static enum tree_kind
kind_after(const struct icicle *ic, enum verb verb)
{
	enum tree_kind first = of_objects(ic) ? TREE_NAMES : icicle_first_kind(ic);
	enum tree_kind kind = verb == VERB_NAMES ? TREE_DOMINATORS : verb == VERB_INVERT ? TREE_INVERTED :
	    TREE_MERGED;

	if (ic->chosen != kind)
		return verb == VERB_TOGETHER && ic->chosen == TREE_CALLS ? first == TREE_CALLS ? kind :
		    first : kind;
	return verb == VERB_TOGETHER ? TREE_CALLS : first;
}

static void
set_kind(struct icicle *ic, enum verb verb)
{
	static const char *const names[] = {
		[TREE_CALLS] = "top-down", [TREE_MERGED] = "all threads", [TREE_PROCESSES] = "by process",
		    [TREE_INVERTED] = "bottom-up",
		[TREE_DOMINATORS] = "objects", [TREE_NAMES] = "by field"
	};
	enum tree_kind kind = kind_after(ic, verb);

	if (verb == VERB_TOGETHER && ic->row.some && icicle_row_folds(ic)) {
		step_add(ic->pane, STEP_GROUP, "unfold");
		ic->row.each = true;
		icicle_relay(ic);
		return;
	}
	ic->row.each &= verb != VERB_TOGETHER;
	step_add(ic->pane, STEP_GROUP, names[kind]);
	ic->chosen = kind;
	icicle_reopen(ic);
}

static void
to_time(struct icicle *ic)
{
	const struct box *fr = frames_selected(&ic->f);
	struct tree_node node = { 0 };

	if (ic->tree == NULL || fr == NULL)
		return;
	tree_peek(ic->tree, fr->node, &node);
	if (node.process != 0)
		node.thread = icicle_process_thread(ic, node.process);
	else if (node.thread == 0 && ic->nthreads > 0)
		node.thread = ic->threads[0];
	ui_go_time(ic->pane->ui, node.thread, fr->group == 0 ? node.method : 0);
}

static uint32_t
icicle_pane_selected(struct pane *p)
{
	struct icicle	*ic = icicle_of(p);
	const struct box *fr = frames_selected(&ic->f);
	struct tree_node node = { 0 };

	if (ic->tree != NULL && fr != NULL && fr->group == 0)
		tree_peek(ic->tree, fr->node, &node);
	return node.object;
}

/* Open the object or method of the selected frame, the threads that the method runs on, or its callers and callees. */
static void
to_other(struct icicle *ic, enum verb verb)
{
	const struct box *fr = frames_selected(&ic->f);

	if (of_objects(ic) && verb == VERB_GOTO)
		ui_go(ic->pane->ui, PLACE_OBJECT, icicle_pane_selected(ic->pane));
	else if (verb == VERB_GOTO && ui_answers(ic->pane->ui, PLACE_METHOD) == NULL)
		ui_go(ic->pane->ui, PLACE_METHOD, 0);
	else if (fr == NULL || fr->group != 0 || fr->method == 0)
		ui_say(ic->pane->ui, "select a method first");
	else if (verb == VERB_ON_THREADS)
		look_threads(ic->pane->ui, fr->method);
	else
		ui_go(ic->pane->ui, verb == VERB_GOTO ? PLACE_METHOD : PLACE_SANDWICH, fr->method);
}

/* Account statements have payees and no Methods pane. */
static bool
icicle_pane_offers(struct pane *p, enum verb verb)
{
	return verb != VERB_GOTO || of_objects(icicle_of(p)) || ui_answers(p->ui, PLACE_METHOD) != NULL;
}

static bool
icicle_pane_move(struct icicle *ic, enum verb verb)
{
	if (verb == VERB_BOTTOM) {
		ic->goal = SIZE_MAX / 2;
		icicle_lay(ic, os_now() + BOTTOM_NS);
		ic->goal = 0;
	}
	return frames_move(&ic->f, verb, (size_t)(ic->pane->area.h > 0 ? ic->pane->area.h : 1));
}

bool
icicle_act(struct pane *p, enum verb verb)
{
	struct icicle	*ic = icicle_of(p);
	const struct box *fr;

	if (ic->tree == NULL) {
		if (verb != VERB_ENTER)
			return false;
		icicle_reopen(ic);
		return true;
	}
	if (ic->lent)
		return frames_move(&ic->f, verb, (size_t)ic->pane->area.h);
	if (ic->fresh)
		icicle_lay(ic, os_now() + ICICLE_FRAME_NS);
	switch (verb) {
	case VERB_ENTER:
		icicle_pane_enter(ic);
		return true;
	case VERB_BACK:
		return icicle_pane_go_back(ic);
	case VERB_ALL:
		icicle_zoom(ic, (struct zoom){ .node = ic->root });
		if (ic->nthreads > 0)
			icicle_choose(ic, NULL, 0);
		return true;
	case VERB_NAMES: case VERB_INVERT: case VERB_TOGETHER:
		set_kind(ic, verb);
		return true;
	case VERB_TIME:
		to_time(ic);
		return true;
	case VERB_BYTECODE:
		fr = frames_selected(&ic->f);
		look_bytecode(p->ui, fr == NULL || fr->group != 0 ? 0 : fr->method);
		return true;
	case VERB_GOTO: case VERB_ON_THREADS: case VERB_SANDWICH:
		to_other(ic, verb);
		return true;
	default:
		return icicle_pane_move(ic, verb);
	}
}

/* Keys wait for the first tree. */
static bool
icicle_busy(struct pane *p)
{
	return icicle_of(p)->tree == NULL && icicle_of(p)->task.given;
}

const struct pane_kind pane_icicle = {
	"Icicle", "calls", SHAPE_TREES, IN_ICICLE | IN_CLOCKS | IN_TIMES | IN_EVENTS | IN_DUMPS,
	    sizeof(struct icicle),
	.format = FORMAT_FOLDED, .compares = true, .fits = ui_has_calls,
	.places = 1 << PLACE_THREADS | 1 << PLACE_CALLS | 1 << PLACE_LARGEST,
	.run = icicle_run, .done = icicle_done,
	.on = {
		[PANE_BEGINS] = icicle_pane_begin, [PANE_CLOSES] = icicle_pane_close,
		    [PANE_RESET] = icicle_pane_reset,
		[PANE_FORGETS] = icicle_pane_forget, [PANE_MARKED] = icicle_marked
	},
	.tell = {
		[TELL_PATH] = icicle_path, [TELL_STRIP] = icicle_strip, [TELL_MODES] = icicle_modes,
		[TELL_STATUS] = icicle_status, [TELL_COPY] = icicle_copy,
		[TELL_QUERY] = icicle_text, [TELL_FRAME] = icicle_frame, [TELL_SUBJECT] = icicle_subject
	},
	.step = icicle_pane_step, .draw = icicle_draw, .busy = icicle_busy, .act = icicle_act,
	.offers = icicle_pane_offers,
	.find = icicle_pane_find,
	.go = icicle_go, .details = icicle_details, .place = &icicle_places, .legend = icicle_legend
};

const struct pane_kind pane_retained = {
	"Icicle", "dominators", SHAPE_GRAPH, IN_BYTES | IN_OBJECTS, sizeof(struct icicle),
	.like = &pane_icicle, .places = 1 << PLACE_RETAINED,
	.object = icicle_pane_selected, .diff = COMPARE_PACKAGES
};
