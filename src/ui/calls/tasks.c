/*
 * tasks: what is known of time on and off CPUs as lists that lead to the place in time: tasks, CPUs, and whatever waited.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ui/list/list.h"

/* ---- opening ------------------------------------------------------------- */

static bool
open_list(struct pane *p, const char *base, const char *tail, const char *sort, const char *hide,
    struct err *err)
{
	struct list	*l = list_new(p, base, tail, sort);

	if (l == NULL)
		return fail(err, E_SYSTEM, "no memory for a pane");
	l->hide = hide;
	l->role = list_delta_role;
	p->data = l;
	return true;
}

static const char task_columns[] = "select name tid on off max_gap gaps p50 p99 delay max_delay sleeping disk "
    "preempted in id max_gap_at";

static bool
open_tasks(struct pane *p, const char *query, struct err *err)
{
	if (!open_list(p, query, task_columns, "-max_gap", "id max_gap_at", err))
		return false;
	((struct list *)p->data)->named = "name";
	return true;
}

static bool
open_cpus(struct pane *p, const char *query, struct err *err)
{
	return open_list(p, query, "", "cpu", NULL, err);
}

static bool
open_waits(struct pane *p, const char *query, struct err *err)
{
	/* Off the CPU tasks use none of it: a column of zeros. */
	if (!open_list(p, query, ui_shapes(p->ui) & SHAPE_TASKS ? "select state wall thread start_wall thread_id" :
	    "select state wall cpu_pct thread start_wall thread_id", "-wall", "thread_id", err))
		return false;
	((struct list *)p->data)->empty = "nothing waited, as far as the file tells";
	return true;
}

/* ---- keys ---------------------------------------------------------------- */

/* The same of two files, and back. */
static bool
toggle_delta(struct pane *p, const char *columns, const char *sort, const char *grown, const char *grown_sort)
{
	struct list	*l = p->data;
	bool		 differs = strstr(l->base, " | diff") != NULL;
	char		 base[32];

	if (!look_two(p->ui, SHAPE_TASKS))
		return false;
	snprintf(base, sizeof base, "%s%s", p->kind->query, differs ? "" : " | diff");
	list_columns(l, differs ? columns : grown, differs ? sort : grown_sort);
	list_set(l, base, 0);
	ui_say(p->ui, differs ? "" : "what differs between the two traces; D shows one of them again");
	return true;
}

static uint64_t
number(struct list *l, const char *column)
{
	struct cell	c;

	return list_cell(l, column, &c) && c.type != CELL_NONE ? c.u : 0;
}

static bool
act_tasks(struct pane *p, enum verb verb)
{
	struct list	*l = p->data;
	uint64_t	 at = number(l, "max_gap_at"), id = number(l, "id");

	if (verb == VERB_DELTA)
		return toggle_delta(p, task_columns, "-max_gap", "select name on_delta on off_delta max_gap_delta max_gap "
		    "delay_delta in_delta found", "-on_delta");
	if ((verb != VERB_ENTER && verb != VERB_TIME) || id == 0)
		return list_act(l, verb);
	ui_visit(p->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)id, .from = at,
	    .until = at + number(l, "max_gap") });
	return true;
}

static bool
act_waits(struct pane *p, enum verb verb)
{
	struct list	*l = p->data;
	uint64_t	 at = number(l, "start_wall"), id = number(l, "thread_id");

	if ((verb != VERB_ENTER && verb != VERB_TIME) || id == 0)
		return list_act(l, verb);
	ui_visit(p->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)id, .from = at,
	    .until = at + number(l, "wall") });
	return true;
}

static bool
act_cpus(struct pane *p, enum verb verb)
{
	struct cell	c;

	if (verb == VERB_DELTA)
		return toggle_delta(p, "", "cpu", "select cpu busy_delta busy idle_delta use use_delta switches_delta found",
		    "-busy_delta");
	if ((verb != VERB_ENTER && verb != VERB_TIME) || !list_cell(p->data, "cpu", &c))
		return list_act(p->data, verb);
	ui_go(p->ui, PLACE_CPU, (uint32_t)c.u);
	return true;
}

/* ---- panes --------------------------------------------------------------- */

/* States are there, or a pass can make them. */
static bool
waits_fits(const struct ui *ui)
{
	const struct store *st = ui_store(ui);

	return (ui_shapes(ui) & SHAPE_TASKS) != 0 || store_column(st, "state.name") != NULL ||
	    (trace_has_clock(st, CLOCK_WALL) && trace_has_clock(st, CLOCK_CPU));
}

const struct pane_kind pane_tasks = {
	.name = "Tasks",
	.what = "tasks with their time on and off CPUs, the longest gap first",
	.query = "tasks",
	.shapes = SHAPE_TASKS,
	.where = IN_TASKS,
	.format = FORMAT_TSV,
	.plain = true,
	.ranged = true,
	.open = open_tasks,
	.close = list_pane_close,
	.forget = list_pane_forget,
	.reset = list_pane_reset,
	.draw = list_pane_draw,
	.act = act_tasks,
	.path = list_pane_path,
	.status = list_pane_status,
	.copy = list_pane_copy,
	.text = list_pane_text,
	.find = list_pane_find
};

const struct pane_kind pane_cpus = {
	.name = "CPUs",
	.what = "CPUs with their busy and idle time",
	.query = "cpus",
	.shapes = SHAPE_TASKS,
	.where = IN_TASKS,
	.format = FORMAT_TSV,
	.plain = true,
	.ranged = true,
	.open = open_cpus,
	.close = list_pane_close,
	.forget = list_pane_forget,
	.reset = list_pane_reset,
	.draw = list_pane_draw,
	.act = act_cpus,
	.path = list_pane_path,
	.status = list_pane_status,
	.copy = list_pane_copy,
	.text = list_pane_text,
	.find = list_pane_find
};

const struct pane_kind pane_waits = {
	.name = "Waits",
	.what = "states of threads in which they did not run, the longest first",
	/* What has ended waits for nothing. */
	.query = "states | where class != running and state !~ /^(dead|zombie|Terminated)$/",
	.shapes = SHAPE_TRACKS | SHAPE_TASKS | SHAPE_CALLS,
	.where = IN_WAITS,
	.format = FORMAT_TSV,
	.plain = true,
	.ranged = true,
	.fits = waits_fits,
	.open = open_waits,
	.close = list_pane_close,
	.forget = list_pane_forget,
	.reset = list_pane_reset,
	.draw = list_pane_draw,
	.act = act_waits,
	.path = list_pane_path,
	.status = list_pane_status,
	.copy = list_pane_copy,
	.text = list_pane_text,
	.find = list_pane_find
};
