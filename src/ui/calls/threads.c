/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads: the list of threads, by process if there are several, or in pools, with marks. Without groups,
 * idle threads are folded into the last row.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/idle.h"
#include "icecore/keys.h"
#include "ui/list/list.h"

static const char with_clocks[] = "select name tid calls wall cpu off_cpu repairs depth id pool idle";
static const char with_processes[] = "select name tid calls wall cpu off_cpu repairs depth id pool idle process pid as "
    "of_pid";

enum grouping { NO_GROUPS, BY_PROCESS, BY_POOL, GROUPINGS };
static const char *const grouping_names[GROUPINGS] = { "not grouped", "by process", "by pool" };

struct threads {
	struct list	*list;
	struct folds	 folds;
	enum grouping	 grouping;
	bool		 chosen;	/* the user chose it */
	enum clock	 clock;		/* clock that the rows were sorted by, unless the user chose another order */
};

static bool
is_marked(struct list *l, uint64_t row)
{
	uint32_t	*ids;
	size_t		 n, i;

	mark_list(l->pane->ui, &n);
	if (n == 0)
		return false;
	ids = pools_threads(l->now.rows, row, &n);
	for (i = 0; ids != NULL && i < n && mark_has(l->pane->ui, ids[i]); i++)
		;
	free(ids);
	return n > 0 && i == n;
}

static struct rows *
threads_wrap(struct list *l, struct rows *in, struct err *err)
{
	struct threads	*t = l->pane->data;

	return t->grouping == NO_GROUPS ? in : t->grouping == BY_POOL ?
	    pools_wrap(in, "pool", NULL, &t->folds, err) :
	    pools_wrap(in, "process", l->sort, &t->folds, err);
}

/* Do not fold marked threads. */
static bool
stays(struct list *l, struct rows *in, uint64_t row)
{
	return mark_has(l->pane->ui, (uint32_t)list_number_at(in, row, "id"));
}

static const struct list_fold idle_threads = {
	.flag = "idle", .text = "name", .what = "idle thread", .sums = "calls wall cpu off_cpu repairs",
	.left = 2, .least = 2, .stays = stays,
	.why = IDLE_BY_STACKS
};

static void
set_grouping(struct threads *t, enum grouping grouping)
{
	t->grouping = grouping;
	t->list->is.fold = grouping != NO_GROUPS ? NULL : &idle_threads;
}

/* The next kind of groups; by process only if the file has several. */
static enum grouping
next_grouping(const struct threads *t)
{
	enum grouping next = (t->grouping + 1) % GROUPINGS;

	return next == BY_PROCESS && !ui_processes(t->list->pane->ui) ? BY_POOL : next;
}

static const struct list_spec lists[] = { {
	.base = "threads", .columns = with_clocks, .sort = "-wall", .hide = "id pool idle process of_pid",
	.named = "name",
	.wrap = threads_wrap, .fold = &idle_threads, .marked = is_marked
} };

static void
threads_pane_close(struct pane *p)
{
	struct threads	*t = p->data;

	idmap_free(&t->folds.pool);
	list_pane_close(p);
}

static void
threads_modes(struct pane *p, struct buf *b)
{
	struct threads	*t = p->data;
	size_t		 n;

	mark_list(p->ui, &n);
	if (n > 0)
		buf_printf(b, "%zu marked, ", n);
	buf_str(b, str_of(grouping_names[t->grouping]));
}

/* A pool's heading marks all its threads, or unmarks them if all are marked. */
static void
toggle_marks(struct threads *t)
{
	size_t		 n;
	bool		 drop = is_marked(t->list, t->list->sel);
	uint32_t *ids = pools_threads(t->list->now.rows, t->list->sel, &n);

	for (size_t i = 0; ids != NULL && i < n; i++)
		mark_set(t->list->pane->ui, ids[i], !drop);
	free(ids);
	list_act(t->list, VERB_DOWN);
}

/* Add the threads of a row (of a pool: its members), each once. */
static void
add_shown(struct rows *rows, uint64_t row, uint8_t *seen, uint64_t most, uint32_t *ids, size_t *n)
{
	size_t		 many;
	uint32_t	*some = pools_threads(rows, row, &many);

	for (size_t i = 0; some != NULL && i < many; i++)
		if (some[i] <= most && !seen[some[i]]) {
			seen[some[i]] = 1;
			ids[(*n)++] = some[i];
		}
	free(some);
}

/* Show the calls of all threads that pass the filter, including folded idle ones. */
static void
enter_shown(struct threads *t, struct ui *ui)
{
	const struct column *tid = store_column(ui_store(ui), COL_THREAD_TID);
	uint64_t	 most = tid != NULL ? tid->rows : 0;
	uint8_t		*seen = mem_array((size_t)most + 1, 1);
	uint32_t	*ids = mem_array((size_t)most + 1, sizeof *ids);
	struct rows	*rows = list_whole(t->list);
	size_t		 n = 0;

	for (uint64_t row = 0; seen != NULL && ids != NULL && rows_reach(rows, row + 1) > row; row++)
		add_shown(rows, row, seen, most, ids, &n);
	if (n > 0)
		ui_go_threads(ui, ids, n);
	free(seen);
	free(ids);
}

/*
 * Open the calls of marked threads, otherwise of filtered ones, otherwise of the selected one; or Stack chart,
 * for one thread.
 */
static void
threads_enter(struct threads *t, struct ui *ui, bool time)
{
	size_t		 n;
	const uint32_t	*marked = mark_list(ui, &n);
	uint32_t	*ids;

	if (!time && n > 0) {
		ui_go_threads(ui, marked, n);
		return;
	}
	if (!time && t->list->filter != NULL && t->list->now.all) {
		enter_shown(t, ui);
		return;
	}
	ids = pools_threads(t->list->now.rows, t->list->sel, &n);
	if (n > 0 && time)
		ui_go_time(ui, ids[0], 0);
	else if (n > 0)
		ui_go_threads(ui, ids, n);
	free(ids);
}

static bool
threads_act(struct pane *p, enum verb verb)
{
	struct threads	*t = p->data;
	size_t		 marked;

	/* The worker reads the collapsed pools while it opens the rows. */
	if (!list_usable(t->list) || t->list->now.known == 0 || t->list->task.given)
		return list_act(t->list, verb);
	switch (verb) {
	case VERB_POOLS:
		t->chosen = true;
		step_add(p, STEP_GROUP, grouping_names[next_grouping(t)]);
		set_grouping(t, next_grouping(t));
		list_reset(t->list);
		return true;
	case VERB_MARK:
		if (!list_enter_folded(t->list))
			toggle_marks(t);
		return true;
	case VERB_BACK:
		mark_list(p->ui, &marked);
		mark_clear(p->ui);
		return marked > 0;
	case VERB_SIDE:
		if (!list_folded(t->list, t->list->sel))
			threads_enter(t, p->ui, false);
		return true;
	case VERB_ENTER: case VERB_TIME:
		if (!list_enter_folded(t->list))
			threads_enter(t, p->ui, verb == VERB_TIME);
		return true;
	default:
		return pools_act(t->list, &t->folds, verb) || list_act(t->list, verb);
	}
}

static void
threads_reset(struct pane *p)
{
	static const char *const by_clock[CLOCKS] = { "-wall", "-cpu", "-off_cpu" };
	struct threads	*t = p->data;
	enum clock	 clock = ui_session(p->ui)->clock;
	struct weights	 w;

	weights_of(ui_store(p->ui), &w);
	if (w.differs)
		list_columns(t->list, "select total_delta total_after total_before name tid id pool",
		    "-abs(total_delta)");
	else if (!w.clocks)
		list_columns(t->list, "select name tid pid samples total total_pct depth id pool", "-total");
	else {
		if (!t->chosen)
			set_grouping(t, ui_processes(p->ui) ? BY_PROCESS : NO_GROUPS);
		list_columns(t->list, ui_processes(p->ui) ? with_processes : with_clocks, by_clock[clock]);
		/* The order follows the clock until the user chooses another. */
		if (strcmp(t->list->sort, by_clock[t->clock]) == 0)
			TEXT_COPY(t->list->sort, by_clock[clock]);
		t->clock = clock;
	}
	list_reset(t->list);
}

#define THREADS_AT(F, s) LIST_PANE_AT(F, s) F(s, FLAG, BOTH, alone) F(s, FLAG, BOTH, processes) F(s, FLAG, BOTH, pools)

PLACED(threads_at, THREADS_AT);

static bool
threads_take_place(struct pane *p, void *place, enum placed_use use)
{
	const struct threads *t = p->data;
	struct threads_at *at = place;

	at->alone = t->grouping == NO_GROUPS && (use == OF_STEP || ui_processes(p->ui));
	at->processes = t->grouping == BY_PROCESS;
	at->pools = t->grouping == BY_POOL;
	return list_take_place(p, place, use);
}

static bool
threads_go_place(struct pane *p, void *place, enum placed_use use, bool moved)
{
	const struct threads_at *at = place;

	if (use == OF_STEP || list_placeable(p))
		set_grouping(p->data, at->pools ? BY_POOL : at->processes ? BY_PROCESS : NO_GROUPS);
	return list_go_place(p, place, use, moved);
}

static const struct placed_kind threads_places = PLACED_KIND(threads_at, THREADS_AT, threads_take_place,
    threads_go_place);

/*
 * Accounts are not threads.  Scheduler traces and stack dumps have panes of their own.  Without samples all
 * values would be 0.
 */
static bool
has_threads(const struct ui *ui)
{
	return ui_has_calls(ui) && (ui_shapes(ui) & (SHAPE_MONEY | SHAPE_TASKS | SHAPE_DUMPS)) == 0;
}

const struct pane_kind pane_threads = {
	"Threads", "threads", SHAPE_TREES, IN_THREADS | IN_CLOCKS | IN_TIMES | IN_EVENTS,
	    sizeof(struct threads),
	LISTS_OF(lists), .fits = has_threads, .compares = true,
	.on = { [PANE_CLOSES] = threads_pane_close, [PANE_RESET] = threads_reset },
	.tell[TELL_MODES] = threads_modes,
	.act = threads_act, .place = &threads_places
};
