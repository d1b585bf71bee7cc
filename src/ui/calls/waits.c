/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * waits: waits of threads with the waiting call and the waker, longest first; waits of idle threads are
 * folded into the last row.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/columns_sched.h"
#include "icecore/keys.h"
#include "ui/list/list.h"

enum { CALLER_W = 100 };		/* minimum width to show the caller */

static const struct list_fold idle_waits = {
	.flag = "idle", .text = "thread", .what = "idle wait", .sums = "wall", .least = 1,
	.why = "sleep of an idle thread or for half the thread's lifetime"
};

/* On a narrow screen show only the innermost call. */
static void
waits_draw(struct pane *p, struct area a)
{
	list_of(p)->is.quiet = a.w < CALLER_W ? "caller" : NULL;
	list_pane_draw(p, a);
}

static const struct list_spec waits_list[] = { {
	.columns = "select wall state label as thread waiting_in caller start_wall thread_id waker_id idle",
	.sort = "-wall",
	.naming = "thread", .hide = "thread_id waker_id idle io_wait process",
	.empty = "no waits in this file", .fold = &idle_waits
} };

/*
 * Only scheduler traces know wakers and functions of the kernel. Recordings also lack open calls, and
 * samples have no calls.
 */
static void
waits_reset(struct pane *p)
{
	unsigned shapes = ui_shapes(p->ui);
	bool	 blocked = column_rows(store_column(ui_file(p->ui), COL_BLOCKED_SWITCH)) > 0;
	bool	 sampled = (shapes & SHAPE_SAMPLES) != 0;
	char	 columns[200];

	snprintf(columns, sizeof columns, "select wall state label as thread%s%s waker_or_end start_wall thread_id "
	    "waker_id idle%s%s",
	    sampled ? "" : " waiting_in caller", !blocked ? "" : sampled ? " waiting_in" : " blocked_in",
	    blocked ? " io_wait" : "",
	    ui_processes(p->ui) && (shapes & SHAPE_MARKS) != 0 ? " process" : "");
	if (shapes & SHAPE_TASKS)
		list_columns(list_of(p), columns, "-wall");
	else if (shapes & SHAPE_LASTING)
		list_columns(list_of(p), "select wall state label as thread waits_for waiting_in holder start_wall "
		    "thread_id idle", "state -wall");
	list_reset(list_of(p));
}

/* Go to the thread at the time of the wait, or to the thread that woke it at the end. */
static bool
waits_act(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	uint64_t	 at = list_number(l, "start_wall"), end = at + list_number(l, "wall"),
	    id = list_number(l, "thread_id");
	bool		 waker = verb == VERB_GOTO;

	if (verb != VERB_ENTER && verb != VERB_TIME && !waker)
		return list_act(l, verb);
	if (list_enter_folded(l))
		return true;
	if (id == 0)
		return false;
	id = waker ? list_number(l, "waker_id") : id;
	if (id == 0)
		ui_say(p->ui, "waker unknown");
	else
		look_stretch(p->ui, (uint32_t)id, waker ? end : at, waker ? end + 1 : end);
	return true;
}

/* The file has thread states, or a pass can compute them. */
static bool
waits_fits(const struct ui *ui)
{
	const struct store *st = ui_store(ui);

	return (ui_shapes(ui) & SHAPE_TASKS) != 0 || column_rows(store_column(st, COL_STATE_NAME)) > 0 ||
	    (trace_has_clock(st, CLOCK_WALL) && trace_has_clock(st, CLOCK_CPU));
}

const struct pane_kind pane_waits = {
	"Waits", "waits", SHAPE_TRACKS | SHAPE_TASKS | SHAPE_CALLS,
	    IN_WAITS | IN_WAKERS | IN_CHART | IN_TIMES,
	LISTS_OF(waits_list), .plain = true, .ranged = true,
	.tell[TELL_PATH] = list_pane_path, .fits = waits_fits, .on[PANE_RESET] = waits_reset,
	.draw = waits_draw, .act = waits_act,
	.diff = "waits | group thread state : count, sum wall | diff thread state | select sum_wall_delta sum_wall "
	    "count_delta count thread state "
	    "change | sort -abs(sum_wall_delta)"
};
