/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tasks: lists of tasks and CPUs. Tasks of several processes are grouped by process; Enter goes to the time
 * of an event.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/keys.h"
#include "ui/list/list.h"

enum { IDLE_W = 100 };		/* narrower lists of CPUs omit idle times, which the bars show as well */

/* ---- the lists ----------------------------------------------------------- */

static const char task_columns[] = "select name tid cpu utilisation run_queue max_run_queue max_wait p99_wait disk "
    "switches_in "
    "off_cpu waits p50_wait sleeping preempted id max_wait_at";

static const char process_columns[] = "select name tid process cpu utilisation run_queue max_run_queue max_wait "
    "p99_wait disk switches_in "
    "off_cpu waits p50_wait sleeping preempted id max_wait_at pid as of_pid";

struct tasks {
	struct list	*list;
	struct folds	 folds;
	bool		 flat;		/* not grouped by process */
};

static struct rows *
tasks_wrap(struct list *l, struct rows *in, struct err *err)
{
	struct tasks	*t = l->pane->data;

	return t->flat ? in : pools_wrap(in, "process", l->sort, &t->folds, err);
}

static const struct list_spec tasks_list[] = { {
	.columns = task_columns, .sort = "-cpu", .hide = "id max_wait_at of_pid", .named = "name",
	.wrap = tasks_wrap
} };

static const char cpu_columns[] = "select cpu busy idle utilisation use_over_time switches max_idle max_idle_at "
    "unaccounted";

static const struct list_spec cpus_list[] = { {
	.columns = cpu_columns, .sort = "cpu", .hide = "max_idle_at unaccounted", .naming = "cpu"
} };

static void
draw_cpus(struct pane *p, struct area a)
{
	list_of(p)->is.quiet = a.w < IDLE_W ? "idle" : NULL;
	list_pane_draw(p, a);
}

/* Hide the column process while tasks are grouped: the headings name the processes. */
static void
draw_tasks(struct pane *p, struct area a)
{
	list_of(p)->is.quiet = ((struct tasks *)p->data)->flat ? NULL : "process";
	list_pane_draw(p, a);
}

/* ---- keys ---------------------------------------------------------------- */

/* Queries for one file, for one with several processes, and for a comparison. */
static const struct list_form task_forms[] = {
	{ "tasks", task_columns, "-cpu" },
	{ "tasks", process_columns, "-cpu" },
	{ "tasks | diff", "select cpu_delta cpu off_cpu_delta max_wait_delta max_wait run_queue_delta "
	    "switches_in_delta name change",
	    "-abs(cpu_delta)" }
};

static const struct list_form cpu_forms[] = {
	{ "cpus", cpu_columns, "cpu" },
	{ "cpus | diff", "select busy_delta busy cpu idle_delta utilisation_delta utilisation switches_delta change",
	    "-abs(busy_delta)" }
};

static bool
tasks_differ(struct pane *p)
{
	return look_differs(p->ui) && look_two(p->ui, SHAPE_TASKS);
}

static void
tasks_take(struct pane *p, const struct list_form *form)
{
	if (list_take(list_of(p), form))
		return;
	list_columns(list_of(p), form->columns, form->sort);
	list_reset(list_of(p));
}

static void
reset_tasks(struct pane *p)
{
	tasks_take(p, &task_forms[tasks_differ(p) ? 2 : ui_processes(p->ui)]);
}

static void
reset_cpus(struct pane *p)
{
	tasks_take(p, &cpu_forms[tasks_differ(p)]);
}

static void
tasks_close(struct pane *p)
{
	struct tasks	*t = p->data;

	idmap_free(&t->folds.pool);
	list_pane_close(p);
}

static void
tasks_modes(struct pane *p, struct buf *b)
{
	struct tasks	*t = p->data;

	if (ui_processes(p->ui))
		buf_str(b, str_of(t->flat ? "not grouped" : "by process"));
}

#define TASKS_AT(F, s) LIST_PANE_AT(F, s) F(s, FLAG, BOTH, flat)

PLACED(tasks_at, TASKS_AT);

static bool
tasks_take_at(struct pane *p, void *place, enum placed_use use)
{
	((struct tasks_at *)place)->flat = ((struct tasks *)p->data)->flat;
	return list_take_place(p, place, use);
}

static bool
tasks_go_at(struct pane *p, void *place, enum placed_use use, bool moved)
{
	if (use == OF_STEP || list_placeable(p))
		((struct tasks *)p->data)->flat = ((struct tasks_at *)place)->flat;
	return list_go_place(p, place, use, moved);
}

static const struct placed_kind tasks_places = PLACED_KIND(tasks_at, TASKS_AT, tasks_take_at, tasks_go_at);

/* Handle a key of processes; false: another key. */
static bool
act_processes(struct pane *p, enum verb verb)
{
	struct tasks	*t = p->data;

	if (!ui_processes(p->ui) || tasks_differ(p) || !list_placeable(p) || t->list->now.known == 0)
		return false;
	if (verb != VERB_POOLS)
		return pools_act(t->list, &t->folds, verb);
	step_add(p, STEP_GROUP, t->flat ? "by process" : "not grouped");
	t->flat = !t->flat;
	list_reset(t->list);
	return true;
}

static bool
act_tasks(struct pane *p, enum verb verb)
{
	return act_processes(p, verb) || list_act_stretch(list_of(p), verb, "id", "max_wait_at", "max_wait");
}

static bool
act_cpus(struct pane *p, enum verb verb)
{
	struct cell	c;

	if ((verb != VERB_ENTER && verb != VERB_TIME) || !list_cell(list_of(p), "cpu", &c))
		return list_act(list_of(p), verb);
	ui_go(p->ui, PLACE_CPU, (uint32_t)c.u);
	return true;
}

/* ---- panes --------------------------------------------------------------- */

/* Panes that query the file directly, limited to the current range, and show their query above the rows. */
#define TIMES_OF(specs) LISTS_OF(specs), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path

const struct pane_kind pane_tasks = {
	"Tasks", "tasks", SHAPE_TASKS, IN_TASKS | IN_CHART | IN_TIMES | IN_PROCESSES, sizeof(struct tasks),
	LISTS_OF(tasks_list), .plain = true, .ranged = true, .compares = true,
	.on = { [PANE_CLOSES] = tasks_close, [PANE_RESET] = reset_tasks },
	.tell = { [TELL_PATH] = list_pane_path, [TELL_MODES] = tasks_modes },
	.draw = draw_tasks, .act = act_tasks, .place = &tasks_places
};

const struct pane_kind pane_cpus = {
	"CPUs", "cpus", SHAPE_TASKS, IN_TASKS | IN_CHART | IN_TIMES,
	TIMES_OF(cpus_list), .compares = true,
	.on[PANE_RESET] = reset_cpus, .draw = draw_cpus, .act = act_cpus
};
