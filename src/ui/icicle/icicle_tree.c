/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_tree: open the trees of icicles on the worker, close them before their store, and reopen them for
 * a new store.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "icecore/columns_code.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_names.h"
#include "icecore/columns_trace.h"
#include "icecore/heap_names.h"
#include "icecore/view.h"
#include "icicle.h"

enum { MANY_THREADS = 13 };

/* Columns that heap trees are built from. */
static const column_id heap_columns[] = { [TREE_DOMINATORS] = COL_EACH_CHILDREN,
    [TREE_NAMES] = COL_EACH_NAMES_KIND };

/* Return the requested method, or in another store the first one with its name; 0: none. */
static uint32_t
icicle_tree_method(const struct icicle *ic, const struct store *st, uint32_t n)
{
	struct buf	name = BUF_INIT;
	uint32_t	id = ic->of.id <= n ? ic->of.id : 0;

	for (uint32_t i = 1; i <= n && id == 0; i++) {
		buf_clear(&name);
		method_name(st, i, &name);
		id = str_eq(buf_view(&name), buf_view(&ic->of.name)) ? i : 0;
	}
	buf_free(&name);
	return id;
}

static bool
has_twins(const struct icicle *ic, const struct store *st, uint32_t n, uint32_t id)
{
	struct buf	name = BUF_INIT;
	bool		twins = false;

	for (uint32_t i = 1; i <= n && id != 0 && !twins; i++) {
		buf_clear(&name);
		method_name(st, i, &name);
		twins = i != id && str_eq(buf_view(&name), buf_view(&ic->of.name));
	}
	buf_free(&name);
	return twins;
}

/* The worker also finds the calls of the method, where its trees begin. */
static bool
make_of_method(struct icicle *ic, const struct store *st, struct work *work, struct err *err)
{
	uint32_t	n = (uint32_t)store_column(st, COL_METHOD_RAW)->rows,
	    id = icicle_tree_method(ic, st, n);
	uint8_t		*has;

	if ((has = mem_array(n + 1ull, 1)) == NULL)
		return fail(err, E_SYSTEM, "out of memory (method)");
	has[id] = id != 0;
	ic->of.twins = has_twins(ic, st, n, id);
	work_start(work, "tree", 0);
	if (!tree_open_methods(&ic->of.made, st, ic->kind, has, err))
		return false;
	id = tree_first(ic->of.made, TREE_ROOT);
	tree_first(ic->of.made, id);
	return id != 0 || fail(err, E_USAGE, "%s",
	    hint(VERB_UNDO, "this method is hidden by the filters; _ undoes").s);
}

bool
icicle_run(struct task *task, struct work *work, struct err *err)
{
	struct icicle	*ic = (struct icicle *)task;
	struct store	*st = session_store(ui_seen(task->ui));

	if (ic->lent) {
		work_start(work, "tree", 0);
		tree_first(ic->tree, ic->heavy);
		return true;
	}
	if (of_objects(ic))
		return ui_heap_want(ui_seen(task->ui), heap_columns[ic->kind], work, err) &&
		    ui_heap_want(ui_seen(task->ui), COL_EACH_DIRECT_OBJECT, work, err);
	return pass_want(st, trace_has_idle(st) ? COL_THREAD_IDLE : COL_CALL_METHOD, work, err) &&
	    (!(load_shapes(st) & SHAPE_CODE) ||
	    (pass_want(st, COL_METHOD_CODE, work, err) && pass_want(st, COL_CODE_METHOD_BUGS, work, err))) &&
	    (ic->kind != TREE_INVERTED || (pass_want(st, COL_METHOD_NODE, work, err) &&
	    pass_want(st, COL_CALL_SELF_WALL, work, err))) &&
	    (!of_method(ic) || make_of_method(ic, st, work, err));
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
		return (ic->kind == TREE_NAMES ? tree_open_names : tree_open_heap)(tree, st, s->refs,
		    s->sizes, err);
	if (of_method(ic)) {
		*tree = ic->of.made;
		ic->of.made = NULL;
		return true;
	}
	return tree_open(tree, st, ic->kind, ic->threads, ic->nthreads, err);
}

/* The hash of the name of a thread's pool. */
static uint64_t
pool_hash(const struct store *st, uint32_t id)
{
	struct buf	b = BUF_INIT;
	uint64_t	hash;

	thread_name(st, id, &b);
	name_pool(&b, 0);
	hash = idmap_hash_text(buf_view(&b), 0);
	buf_free(&b);
	return hash;
}

/*
 * Three threads or more of one pool have more than half of the samples: they do the same work. A vote finds the pool.
 */
static bool
are_pool(const struct store *st)
{
	const struct column *calls = store_column(st, COL_THREAD_CALLS);
	uint64_t	most = 0, votes = 0, of = 0, n = 0, all = 0, hash, w;

	for (uint32_t id = 1; id <= column_rows(calls); id++) {
		w = column_get(calls, id - 1);
		hash = w > 0 ? pool_hash(st, id) : most;
		all += w;
		if (hash != most && votes <= w) {
			most = hash;
			votes = w - votes;
		} else
			votes = hash == most ? votes + w : votes - w;
	}
	for (uint32_t id = 1; id <= column_rows(calls); id++) {
		w = column_get(calls, id - 1);
		if (w == 0 || pool_hash(st, id) != most)
			continue;
		of += w;
		n++;
	}
	return n >= 3 && of > all / 2;
}

enum tree_kind
icicle_first_kind(const struct icicle *ic)
{
	const struct store	*st = ui_store(ic->pane->ui);
	const struct column	*calls = store_column(st, COL_THREAD_CALLS);
	uint32_t		 first = 0, process;

	for (uint64_t i = 0; ic->nthreads == 0 && i < column_rows(calls); i++) {
		process = column_get(calls, i) > 0 ? thread_process(st, (uint32_t)i + 1) : 0;
		if (process != 0 && first != 0 && process != first)
			return TREE_PROCESSES;
		first = process != 0 ? process : first;
	}
	return ic->nthreads == 0 && (load_shapes(st) & (SHAPE_SAMPLES | SHAPE_CALLS)) == SHAPE_SAMPLES && are_pool(st) ?
	    TREE_MERGED : TREE_CALLS;
}

uint32_t
icicle_process_thread(const struct icicle *ic, uint32_t process)
{
	const struct column *is_main = store_column(ic->st, COL_THREAD_MAIN);
	uint32_t first = 0;

	for (uint32_t id = 1; id <= column_rows(is_main); id++) {
		if (thread_process(ic->st, id) != process)
			continue;
		first = first == 0 || column_get(is_main, id - 1) != 0 ? id : first;
	}
	return first;
}

/* The first tree of a file: by process, unless the place to show is in another one. */
static void
choose_first(struct icicle *ic)
{
	if (!ic->begun && ic->kind == TREE_CALLS && ic->walk_method == 0)
		ic->kind = ic->chosen = icicle_first_kind(ic);
}

/*
 * With many threads each box is a sliver.  Begin zoomed to the main thread if it has a quarter of the weight, and
 * say so; back shows all threads.  An idle main thread is not what the reader looks for.
 */
static void
begin_at_main(struct icicle *ic)
{
	const struct column	*is_main = store_column(ui_store(ic->pane->ui), COL_THREAD_MAIN);
	struct tree_node	 n;
	uint64_t		 all = 0;
	size_t			 drawn = 0;

	if (ic->begun || ic->kind != TREE_CALLS || ic->nthreads > 0 || ic->root != TREE_ROOT ||
	    ic->walk_method != 0 || is_main == NULL || is_main->rows < MANY_THREADS)
		return;
	icicle_fold(ic);
	for (uint32_t id = tree_first(ic->tree, TREE_ROOT); id != 0; id = tree_next(ic->tree, id)) {
		drawn += icicle_weight(ic, id) > 0 && !icicle_folds(ic, id);
		all = num_add(all, icicle_weight(ic, id));
	}
	for (uint32_t id = tree_first(ic->tree, TREE_ROOT); id != 0 &&
	    drawn >= MANY_THREADS; id = tree_next(ic->tree, id)) {
		tree_peek(ic->tree, id, &n);
		if (column_get(is_main, n.thread - 1) != 0 && icicle_weight(ic, id) > 0 &&
		    icicle_weight(ic, id) >= all / 4) {
			ic->zoom = (struct zoom){ .node = id };
			ic->sel_node = id;
			icicle_relay(ic);
			ui_say_hint(ic->pane->ui, VERB_BACK, "the main thread alone; _ shows all threads");
			return;
		}
	}
}

static void
drop_made(struct icicle *ic)
{
	tree_close(ic->of.made);
	ic->of.made = NULL;
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
	ic->outdated = false;
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

void
icicle_done(struct task *task, bool ok, const struct err *err)
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
	if (ok)
		choose_first(ic);
	if (ok && !open_tree(ic, &tree, &why)) {
		ok = false;
		err = &why;
	}
	if (!ok) {
		drop_made(ic);
		task_why(err, ic->error, sizeof ic->error);
		if (ic->version != ui_version(task->ui))
			drop_tree(ic);
		return;
	}
	take_tree(ic, tree);
	icicle_relay(ic);
	begin_at_main(ic);
	ic->begun = true;
	if (ic->walk_method != 0 || ic->largest)
		ic->walking = true;
}

static void
icicle_reset(struct icicle *ic)
{
	unsigned	version = ui_version(ic->pane->ui);

	if (ic->tree != NULL && ic->version != version && !ic->lent)
		icicle_keep(ic);
	if (ic->of.version != version)
		ic->of.id = 0;
	if (ic->tree == NULL || of_objects(ic) || ic->version != version || placed_comes(ic->pane))
		icicle_reopen(ic);
	else
		icicle_relay(ic);
}

void
icicle_pane_reset(struct pane *p)
{
	for (size_t i = 0; i < icicle_count(p); i++)
		icicle_reset((struct icicle *)p->data + i);
}

void
icicle_pane_forget(struct pane *p)
{
	struct icicle	*ic = p->data;

	for (size_t i = 0; i < icicle_count(p); i++, ic++) {
		task_drop(&ic->task);
		ic->lent = ic->again = ic->walking = false;
		if (ic->tree != NULL)
			icicle_keep(ic);
		drop_tree(ic);
		drop_made(ic);
	}
}

void
icicle_pane_begin(struct pane *p)
{
	static const enum tree_kind halves[] = { TREE_CALLERS, TREE_CALLEES };
	struct icicle	*ic = p->data;

	for (size_t i = 0; i < icicle_count(p); i++, ic++) {
		ic->pane = p;
		ic->task.run = icicle_run;
		ic->task.done = icicle_done;
		ic->chosen = p->kind->shapes & SHAPE_GRAPH ? TREE_NAMES : icicle_count(p) == 1 ?
		    TREE_CALLS : halves[i];
		ic->unfolded = ui_options(p->ui)->idle_shown;
		ic->root = TREE_ROOT;
		ic->f.objects = ic->chosen == TREE_NAMES;
		ic->f.half = icicle_count(p) > 1;
		ic->f.up = ic->chosen == TREE_CALLERS;
	}
}

void
icicle_pane_close(struct pane *p)
{
	struct icicle	*ic = p->data;

	for (size_t i = 0; i < icicle_count(p); i++, ic++) {
		task_drop(&ic->task);
		if (ic->nthreads > 0)
			found_threads(p->ui, NULL, 0);
		tree_close(ic->tree);
		drop_made(ic);
		frames_free(&ic->f);
		buf_free(&ic->path);
		buf_free(&ic->kept);
		buf_free(&ic->of.name);
		free(ic->threads);
		buf_free(&ic->row.own);
		buf_free(&ic->row.all);
		free(ic->g.kid);
	}
}

void
icicle_set_method(struct icicle *ic, struct str name, uint32_t id)
{
	task_drop(&ic->task);
	drop_made(ic);
	drop_tree(ic);
	ic->lent = ic->again = ic->walking = false;
	buf_clear(&ic->of.name);
	buf_str(&ic->of.name, name);
	ic->of.id = id;
	ic->of.version = ui_version(ic->pane->ui);
	buf_clear(&ic->kept);
	icicle_reopen(ic);
}
