/*
 * tasks: tasks and CPUs of a scheduler trace as lists; rows lead to the time of an event.
 */
#include "config.h"

#include "icecore/keys.h"
#include "ui/list/list.h"

enum { IDLE_W = 100 };		/* width from which on CPUs show idle times, which bars show as well */

/* ---- the lists ----------------------------------------------------------- */

static const char task_columns[] = "select name tid cpu utilisation runq max_runq max_wait p99_wait disk switches_in "
    "off_cpu waits p50_wait sleeping preempted id max_wait_at";

static const struct list_spec tasks_list[] = { {
	.columns = task_columns, .sort = "-cpu", .hide = "id max_wait_at", .named = "name"
} };

static const char cpu_columns[] = "select cpu busy idle utilisation use_over_time switches max_idle max_idle_at unaccounted";

static const struct list_spec cpus_list[] = { {
	.columns = cpu_columns, .sort = "cpu", .hide = "max_idle_at unaccounted", .naming = "cpu"
} };

static void
draw_cpus(struct pane *p, struct area a)
{
	list_of(p)->is.quiet = a.w < IDLE_W ? "idle" : NULL;
	list_pane_draw(p, a);
}

/* ---- keys ---------------------------------------------------------------- */

/* Queries for one file and for a comparison. */
static const struct list_form task_forms[] = {
	{ "tasks", task_columns, "-cpu" },
	{ "tasks | diff", "select cpu_delta cpu off_cpu_delta max_wait_delta max_wait runq_delta switches_in_delta name change",
	    "-abs(cpu_delta)" }
};

static const struct list_form cpu_forms[] = {
	{ "cpus", cpu_columns, "cpu" },
	{ "cpus | diff", "select busy_delta busy cpu idle_delta utilisation_delta utilisation switches_delta change", "-abs(busy_delta)" }
};

static void
tasks_reset(struct pane *p, const struct list_form *forms)
{
	if (!list_take(list_of(p), &forms[look_differs(p->ui) && look_two(p->ui, SHAPE_TASKS)]))
		list_reset(list_of(p));
}

static void
reset_tasks(struct pane *p)
{
	tasks_reset(p, task_forms);
}

static void
reset_cpus(struct pane *p)
{
	tasks_reset(p, cpu_forms);
}

/* Enter: go to the time of a row, given the columns of its thread, start and length. */
static bool
act_stretch(struct pane *p, enum verb verb, const char *thread, const char *start, const char *length)
{
	struct list	*l = list_of(p);
	uint64_t	 at = list_number(l, start), id = list_number(l, thread);

	if ((verb != VERB_ENTER && verb != VERB_TIME) || id == 0)
		return list_act(l, verb);
	ui_visit(p->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)id, .from = at,
	    .until = at + list_number(l, length) });
	return true;
}

static bool
act_tasks(struct pane *p, enum verb verb)
{
	return act_stretch(p, verb, "id", "max_wait_at", "max_wait");
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

/* Panes that query the file itself, only in the chosen range, and show their query above the rows. */
#define TIMES_OF(specs) LISTS_OF(specs), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path

const struct pane_kind pane_tasks = {
	"Tasks", "tasks", SHAPE_TASKS, IN_TASKS | IN_CHART | IN_TIMES,
	TIMES_OF(tasks_list), .compares = true,
	.on[PANE_RESET] = reset_tasks, .act = act_tasks
};

const struct pane_kind pane_cpus = {
	"CPUs", "cpus", SHAPE_TASKS, IN_TASKS | IN_CHART | IN_TIMES,
	TIMES_OF(cpus_list), .compares = true,
	.on[PANE_RESET] = reset_cpus, .draw = draw_cpus, .act = act_cpus
};
