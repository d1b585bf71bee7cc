/*
 * icicle_pane: the icicle as a pane: which tree, where it is zoomed, what keys do.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "icecore/columns_code.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_names.h"
#include "icecore/columns_trace.h"
#include "icecore/heap_names.h"
#include "icecore/keys.h"
#include "icecore/view.h"
#include "icicle.h"

enum { BOTTOM_NS = 200000000, MANY_THREADS = 13 };

/* ---- the tree ------------------------------------------------------------ */

/* Columns that the trees of a heap are built from. */
static const column_id heap_columns[] = { [TREE_DOMINATORS] = COL_EACH_CHILDREN, [TREE_NAMES] = COL_EACH_NAMES_KIND };

static bool
icicle_pane_run(struct task *task, struct work *work, struct err *err)
{
	struct icicle	*ic = (struct icicle *)task;
	struct store	*st = session_store(ui_seen(task->ui));

	if (ic->lent) {
		work_start(work, "tree", 0);
		tree_first(ic->tree, ic->heavy);
		return true;
	}
	if (of_objects(ic))
		return ui_heap_want(ui_seen(task->ui), heap_columns[ic->kind], work, err);
	return pass_want(st, trace_has_idle(st) ? COL_THREAD_IDLE : COL_CALL_METHOD, work, err) && (!(load_shapes(st) & SHAPE_CODE) ||
	    (pass_want(st, COL_METHOD_CODE, work, err) && pass_want(st, COL_CODE_METHOD_BUGS, work, err))) &&
	    (ic->kind != TREE_INVERTED || (pass_want(st, COL_METHOD_NODE, work, err) && pass_want(st, COL_CALL_SELF_WALL, work, err)));
}

static bool
open_tree(struct icicle *ic, struct tree **tree, struct err *err)
{
	const struct session	*s = ui_session(ic->pane->ui);
	const struct store	*st = ui_store(ic->pane->ui);

	if (ic->at != s->at && ic->nthreads > 0) {
		ic->nthreads = 0;
		found_threads(ic->pane->ui, NULL, 0);
	}
	if (of_objects(ic))
		return (ic->kind == TREE_NAMES ? tree_open_names : tree_open_heap)(tree, st, s->refs, s->sizes, err);
	return tree_open(tree, st, ic->kind, ic->threads, ic->nthreads, err);
}

/*
 * With many threads each box is a sliver.  Begin zoomed to the main thread if it has weight; Backspace shows all threads.
 */
static void
begin_at_main(struct icicle *ic)
{
	const struct column	*is_main = store_column(ui_store(ic->pane->ui), COL_THREAD_MAIN);
	struct tree_node	 n;
	size_t			 drawn = 0;

	if (ic->begun || ic->kind != TREE_CALLS || ic->nthreads > 0 || ic->root != TREE_ROOT ||
	    ic->walk_method != 0 || is_main == NULL || is_main->rows < MANY_THREADS)
		return;
	icicle_fold(ic);
	for (uint32_t id = tree_first(ic->tree, TREE_ROOT); id != 0; id = tree_next(ic->tree, id))
		drawn += icicle_weight(ic, id) > 0 && !icicle_folds(ic, id);
	for (uint32_t id = tree_first(ic->tree, TREE_ROOT); id != 0 && drawn >= MANY_THREADS; id = tree_next(ic->tree, id)) {
		tree_peek(ic->tree, id, &n);
		if (column_get(is_main, n.thread - 1) != 0 && icicle_weight(ic, id) > 0) {
			ic->zoom = (struct zoom){ .node = id };
			ic->sel_node = id;
			icicle_relay(ic);
			return;
		}
	}
}

/* Close the tree before its store is closed.  The layout refers to the tree, so it is dropped, too. */
static void
drop_tree(struct icicle *ic)
{
	tree_close(ic->tree);
	ic->tree = NULL;
	ic->fresh = true;
	frames_clear(&ic->f);
	buf_clear(&ic->path);
}

static void
take_tree(struct icicle *ic, struct tree *tree)
{
	struct ui	*ui = ic->pane->ui;

	drop_tree(ic);
	ic->tree = tree;
	ic->st = ui_store(ui);
	ic->version = ui_version(ui);
	ic->at = ui_session(ui)->at;
	if (!of_objects(ic))
		weights_of(ic->st, &ic->w);
	ic->f.differ = ic->w.differs;
	ic->root = icicle_top(ic);
	ic->error[0] = '\0';
	ic->zoom = (struct zoom){ .node = ic->root };
	ic->sel_node = ic->root;
	ic->sel_part = PART_OWN;
	ic->f.top = ic->f.sel_level = 0;
	icicle_find_kept(ic);
}

static void
icicle_pane_done(struct task *task, bool ok, const struct err *err)
{
	struct icicle	*ic = (struct icicle *)task;
	struct tree	*tree;
	struct err	 why;

	if (ic->lent) {
		ic->lent = false;
		if (ic->kind != ic->chosen || ic->version != ui_version(task->ui))
			icicle_reopen(ic);
		else if (ic->again)
			icicle_relay(ic);
		ic->again = false;
		return;
	}
	/* Another tree, or other references, were chosen meanwhile. */
	if (ok && (ic->kind != ic->chosen || (of_objects(ic) &&
	    !ui_heap_has(task->ui, heap_columns[ic->kind])))) {
		icicle_reopen(ic);
		return;
	}
	if (ok && !open_tree(ic, &tree, &why)) {
		ok = false;
		err = &why;
	}
	if (!ok) {
		snprintf(ic->error, sizeof ic->error, "%s",
		    err->kind == E_CANCEL ? "stopped; Enter resumes" : err->text);
		if (ic->version != ui_version(task->ui))
			drop_tree(ic);
		return;
	}
	take_tree(ic, tree);
	if (!icicle_arrives(ic)) {
		icicle_relay(ic);
		begin_at_main(ic);
	}
	ic->begun = true;
	if (ic->walk_method != 0 || ic->largest)
		ic->walking = true;
}

static void
icicle_pane_reset(struct pane *p)
{
	struct icicle	*ic = p->data;

	if (ic->tree != NULL && ic->version != ui_version(p->ui) && !ic->lent)
		icicle_keep(ic);
	if (ic->tree == NULL || of_objects(ic) || ic->version != ui_version(p->ui) || ic->going.n > 0)
		icicle_reopen(ic);
	else
		icicle_relay(ic);
}

static void
icicle_pane_forget(struct pane *p)
{
	struct icicle	*ic = p->data;

	task_drop(&ic->task);
	ic->lent = ic->again = ic->walking = false;
	if (ic->tree != NULL)
		icicle_keep(ic);
	drop_tree(ic);
}

static void
icicle_pane_begin(struct pane *p)
{
	struct icicle	*ic = p->data;

	ic->pane = p;
	ic->chosen = p->kind == &pane_retained ? TREE_DOMINATORS : TREE_CALLS;
	ic->unfolded = ui_options(p->ui)->idle_shown;
	ic->root = TREE_ROOT;
	ic->f.objects = ic->chosen == TREE_DOMINATORS;
}

static void
icicle_pane_pane_close(struct pane *p)
{
	struct icicle	*ic = p->data;

	task_drop(&ic->task);
	if (ic->nthreads > 0)
		found_threads(p->ui, NULL, 0);
	tree_close(ic->tree);
	frames_free(&ic->f);
	buf_free(&ic->path);
	buf_free(&ic->kept);
	buf_free(&ic->going);
	free(ic->threads);
	free(ic->kid);
}

/* ---- zoom ---------------------------------------------------------------- */

/* A +N cell stands for the children after its left neighbour, if that has the same parent. */
static struct zoom
group_zoom(struct icicle *ic, const struct box *fr)
{
	struct zoom	 z = { .node = fr->node, .group = true, .weight = UINT64_MAX,
			    .n = fr->group, .rest = fr->weight };
	const struct box *left = fr - 1;

	if (fr > ic->f.at && left->group == 0 && tree_parent(ic->tree, left->node) == fr->node) {
		z.weight = left->weight;
		z.id = left->node;
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
		icicle_zoom(ic, (struct zoom){ .node = fr->node });
}

/* False: there is nowhere to go back to. */
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
	struct icicle	*ic = p->data;

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
icicle_pane_step(struct pane *p, uint64_t deadline)
{
	struct icicle	*ic = p->data;

	if (ic->tree == NULL || ic->lent)
		return false;
	if (ic->going.n > 0 && !ic->task.given)
		icicle_arrive(ic);
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

/* ---- keys ---------------------------------------------------------------- */

static void
set_kind(struct icicle *ic, enum tree_kind kind)
{
	static const char *const names[] = {
		[TREE_CALLS] = "top-down", [TREE_MERGED] = "all threads", [TREE_INVERTED] = "bottom-up",
		[TREE_DOMINATORS] = "objects", [TREE_NAMES] = "by field"
	};

	kind = ic->chosen != kind ? kind : of_objects(ic) ? TREE_DOMINATORS : TREE_CALLS;
	step_add(ic->pane, STEP_GROUP, names[kind]);
	buf_clear(&ic->going);
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
	if (node.thread == 0 && ic->nthreads > 0)
		node.thread = ic->threads[0];
	ui_go_time(ic->pane->ui, node.thread, fr->group == 0 ? node.method : 0);
}

static uint32_t
icicle_pane_selected(struct pane *p)
{
	struct icicle	*ic = p->data;
	const struct box *fr = frames_selected(&ic->f);
	struct tree_node node = { 0 };

	if (ic->tree != NULL && fr != NULL && fr->group == 0)
		tree_peek(ic->tree, fr->node, &node);
	return node.object;
}

/* Open the object or method of the selected frame, or the threads that the method runs on. */
static void
to_other(struct icicle *ic, bool threads)
{
	const struct box *fr = frames_selected(&ic->f);

	if (of_objects(ic) && !threads)
		ui_go(ic->pane->ui, PLACE_OBJECT, icicle_pane_selected(ic->pane));
	else if (!threads && ui_answers(ic->pane->ui, PLACE_METHOD) == NULL)
		ui_go(ic->pane->ui, PLACE_METHOD, 0);
	else if (fr == NULL || fr->group != 0 || fr->method == 0)
		ui_say(ic->pane->ui, "select a method first");
	else if (threads)
		look_threads(ic->pane->ui, fr->method);
	else
		ui_go(ic->pane->ui, PLACE_METHOD, fr->method);
}

/* Account statements have payees and no Methods pane. */
static bool
icicle_pane_offers(struct pane *p, enum verb verb)
{
	return verb != VERB_GOTO || of_objects(p->data) || ui_answers(p->ui, PLACE_METHOD) != NULL;
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

static bool
icicle_pane_act(struct pane *p, enum verb verb)
{
	struct icicle	*ic = p->data;
	const struct box *fr;

	if (ic->tree == NULL) {
		if (verb != VERB_ENTER)
			return false;
		icicle_reopen(ic);
		return true;
	}
	if (ic->lent)
		return frames_move(&ic->f, verb, (size_t)p->area.h);
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
	case VERB_NAMES:
		set_kind(ic, TREE_NAMES);
		return true;
	case VERB_INVERT: case VERB_TOGETHER:
		set_kind(ic, verb == VERB_INVERT ? TREE_INVERTED : TREE_MERGED);
		return true;
	case VERB_TIME:
		to_time(ic);
		return true;
	case VERB_BYTECODE:
		fr = frames_selected(&ic->f);
		look_bytecode(p->ui, fr == NULL || fr->group != 0 ? 0 : fr->method);
		return true;
	case VERB_GOTO: case VERB_ON_THREADS:
		to_other(ic, verb == VERB_ON_THREADS);
		return true;
	default:
		return icicle_pane_move(ic, verb);
	}
}

const struct pane_kind pane_icicle = {
	"Icicle", "calls", SHAPE_TREES, IN_ICICLE | IN_CLOCKS | IN_TIMES | IN_EVENTS, sizeof(struct icicle),
	.format = FORMAT_FOLDED, .compares = true, .fits = ui_has_calls, .places = 1 << PLACE_THREADS | 1 << PLACE_CALLS | 1 << PLACE_LARGEST,
	.run = icicle_pane_run, .done = icicle_pane_done,
	.on = {
		[PANE_BEGINS] = icicle_pane_begin, [PANE_CLOSES] = icicle_pane_pane_close, [PANE_RESET] = icicle_pane_reset,
		[PANE_FORGETS] = icicle_pane_forget, [PANE_MARKED] = icicle_marked
	},
	.tell = {
		[TELL_PATH] = icicle_path, [TELL_STRIP] = icicle_strip, [TELL_MODES] = icicle_modes,
		[TELL_STATUS] = icicle_status, [TELL_COPY] = icicle_copy,
		[TELL_QUERY] = icicle_text, [TELL_FRAME] = icicle_frame, [TELL_SUBJECT] = icicle_subject, [TELL_PLACE] = icicle_tell,
		[TELL_MARK] = icicle_mark
	},
	.step = icicle_pane_step, .draw = icicle_draw, .act = icicle_pane_act, .offers = icicle_pane_offers, .find = icicle_pane_find,
	.go = icicle_go, .details = icicle_details, .put = icicle_put, .recall = icicle_recall, .legend = icicle_legend
};

const struct pane_kind pane_retained = {
	"Icicle", "dominators", SHAPE_GRAPH, IN_BYTES | IN_OBJECTS, sizeof(struct icicle),
	.like = &pane_icicle, .places = 1 << PLACE_RETAINED,
	.object = icicle_pane_selected, .diff = COMPARE_PACKAGES
};
