/*
 * q_sched: the tasks, CPUs, switches and wakeups of a scheduler trace.
 */
#include "config.h"

#include "icecore/sched.h"
#include "icecore/view.h"
#include "query/trace/trace.h"

/* ---- tasks --------------------------------------------------------------------------- */

static const enum col tasks_needs[] = { COL_TASK_ON, COL_NONE };
static const enum col name_needs[] = { COL_THREAD_TID, COL_NONE };

/* Of the trace, or of the range that is looked at. */
static void
util_cell(const struct store *st, uint32_t id, struct cell *c)
{
	uint64_t from, to, end = store_fact_get(st, "elapsed");

	view_range(st, &from, &to);
	to = to < end ? to : end;
	cell_use(store_cell(st, COL_TASK_ON, id), to > from ? to - from : 0, c);
}

static const struct coldef task_cols[] = {
	{ "id", CELL_ID, "number of the task, the same as of its thread", false, FIELD_ID, COL_TASK_ON },
	{ "name", CELL_TEXT, "its last name", false, FIELD_THREAD, .needs = name_needs },
	{ "tid", CELL_ID, "thread id of the system", false, FIELD_NUMBER, COL_LISTED_TID },
	{ "pid", CELL_ID, "process id, where the trace tells", false, FIELD_NUMBER, COL_LISTED_PID },
	{ "on", CELL_TIME, "time on a CPU", false, FIELD_NUMBER, COL_TASK_ON },
	{ "util", CELL_PERCENT, "the same as part of the trace, or of the range", false, FIELD_CELL, COL_TASK_ON,
	    .cell = util_cell },
	{ "off", CELL_TIME, "time off CPU: sum of the gaps", false, FIELD_NUMBER, COL_TASK_OFF },
	{ "gaps", CELL_COUNT, "times it was off CPU, from when it left to when it came back", false,
	    FIELD_NUMBER, COL_TASK_GAPS },
	{ "max_gap", CELL_TIME, "the longest of them", false, FIELD_NUMBER, COL_TASK_MAX_GAP },
	{ "max_gap_at", CELL_TIME, "when that one began", true, FIELD_NUMBER, COL_TASK_MAX_GAP_AT },
	{ "p50", CELL_TIME, "half of the gaps are no longer", false, FIELD_NUMBER, COL_TASK_P50 },
	{ "p99", CELL_TIME, "99 % of the gaps are no longer", false, FIELD_NUMBER, COL_TASK_P99 },
	{ "sleeping", CELL_TIME, "off CPU in state S, interruptible sleep", false, FIELD_NUMBER, COL_TASK_SLEEPING },
	{ "disk", CELL_TIME, "off CPU in state D, uninterruptible sleep", false, FIELD_NUMBER, COL_TASK_DISK },
	{ "preempted", CELL_TIME, "off CPU in state R, runnable", false, FIELD_NUMBER, COL_TASK_PREEMPTED },
	{ "other", CELL_TIME, "off CPU in any other state", true, FIELD_NUMBER, COL_TASK_OTHER },
	{ "delay", CELL_TIME, "run queue: from the first wakeup to when it ran, sum", false, FIELD_NUMBER, COL_TASK_DELAY },
	{ "delays", CELL_COUNT, "how many of these there are", true, FIELD_NUMBER, COL_TASK_DELAYS },
	{ "max_delay", CELL_TIME, "the longest of them", false, FIELD_NUMBER, COL_TASK_MAX_DELAY },
	{ "p99_delay", CELL_TIME, "99 % of them are no longer", true, FIELD_NUMBER, COL_TASK_P99_DELAY },
	{ "in", CELL_COUNT, "switches to it", false, FIELD_NUMBER, COL_TASK_IN },
	{ "out", CELL_COUNT, "switches away from it", true, FIELD_NUMBER, COL_TASK_OUT },
	{ "earlier", CELL_TEXT, "names it, or another task with this id, had before", true,
	    FIELD_EARLIER, .needs = name_needs }
};

const struct command source_tasks = {
	TASK_TABLE("tasks", "the tasks with their time on and off CPUs", "tasks | sort -max_gap | head 10", task_cols),
	.needs = tasks_needs,
	.lists_threads = true,
	.names = { "name" }
};

/* ---- CPUs ------------------------------------------------------------------------------ */

static const struct coldef cpu_cols[] = {
	{ "cpu", CELL_ID, "number of the CPU", false, FIELD_NUMBER, COL_CPU_NUMBER },
	{ "busy", CELL_TIME, "time it ran tasks", false, FIELD_NUMBER, COL_CPU_BUSY },
	{ "idle", CELL_TIME, "time it had none", false, FIELD_NUMBER, COL_CPU_IDLE },
	{ "use", CELL_PERCENT, "busy of both", false, FIELD_PART, COL_CPU_BUSY, COL_CPU_IDLE },
	{ "switches", CELL_COUNT, "switches on it", false, FIELD_NUMBER, COL_CPU_SWITCHES },
	{ "max_idle", CELL_TIME, "the longest time without a task", false, FIELD_NUMBER, COL_CPU_MAX_IDLE },
	{ "max_idle_at", CELL_TIME, "when that began", true, FIELD_NUMBER, COL_CPU_MAX_IDLE_AT },
	{ "unknown", CELL_TIME, "time between switches that do not fit together", true, FIELD_NUMBER, COL_CPU_UNKNOWN }
};

static const enum col cpus_needs[] = { COL_CPU_NUMBER, COL_NONE };

const struct command source_cpus = {
	TASK_TABLE("cpus", "the CPUs with their busy and idle time", "cpus | sort -busy", cpu_cols),
	.needs = cpus_needs,
	.names = { "cpu" }
};

/* ---- switches -------------------------------------------------------------------------- */

static const struct coldef switch_cols[] = {
	{ "id", CELL_ID, "number of the switch, in order of time", false, FIELD_ID, COL_SWITCH_TIME },
	{ "time", CELL_TIME, "when, since the first event", false, FIELD_MOMENT, COL_SWITCH_TIME },
	{ "cpu", CELL_ID, "on which CPU, where the file tells", false, FIELD_PROCESSOR, COL_SWITCH_CPU },
	{ "from", CELL_TEXT, "the task that leaves; empty: the idle task", false,
	    FIELD_THREAD, COL_SWITCH_FROM, .needs = name_needs },
	{ "state", CELL_TEXT, "the letter of the state it leaves in", false, FIELD_LETTER, COL_SWITCH_STATE },
	{ "to", CELL_TEXT, "the task that comes; empty: the idle task", false,
	    FIELD_THREAD, COL_SWITCH_TO, .needs = name_needs },
	{ "from_id", CELL_ID, "id of the task that leaves, 0: the idle task", true, FIELD_NUMBER, COL_SWITCH_FROM },
	{ "to_id", CELL_ID, "id of the task that comes, 0: the idle task", true, FIELD_NUMBER, COL_SWITCH_TO }
};

static const enum col switches_needs[] = { COL_SWITCH_TIME, COL_NONE };

const struct command source_switches = {
	TASK_TABLE("switches", "the switches from task to task", "switches | where cpu = 0 | head 3", switch_cols),
	.needs = switches_needs
};

/* ---- wakeups ------------------------------------------------------------------------- */

static void
waker_id_cell(const struct store *st, uint32_t id, struct cell *c)
{
	uint64_t waker = WAKE_ID(store_cell(st, COL_WAKE_BY, id));

	c->type = waker != 0 && waker <= TASKS_MOST ? CELL_ID : CELL_NONE;
	c->u = waker;
}

static void
context_cell(const struct store *st, uint32_t id, struct cell *c)
{
	const char *context = waker_context((uint32_t)store_cell(st, COL_WAKE_BY, id));

	c->type = context != NULL ? CELL_TEXT : CELL_NONE;
	c->text = str_of(context != NULL ? context : "");
}

/* Of a wakeup of a task that runs, or that never came, there is none. */
static void
latency_cell(const struct store *st, uint32_t id, struct cell *c)
{
	uint64_t at = store_cell(st, COL_WAKE_SWITCH, id);

	c->type = at != 0 ? CELL_TIME : CELL_NONE;
	c->u = at == 0 ? 0 : store_cell(st, COL_SWITCH_TIME, at) - store_cell(st, COL_WAKE_TIME, id);
}

static const struct coldef wakeup_cols[] = {
	{ "id", CELL_ID, "number of the wakeup, in order of time", false, FIELD_ID, COL_WAKE_TIME },
	{ "time", CELL_TIME, "when, since the first event", false, FIELD_MOMENT, COL_WAKE_TIME },
	{ "task", CELL_TEXT, "task that is woken", false, FIELD_THREAD, COL_WAKE_THREAD, .needs = name_needs },
	{ "waker", CELL_TEXT, "task that woke it, (irq) or (idle); empty: unknown", false, FIELD_WAKER, COL_WAKE_BY,
	    .needs = name_needs },
	{ "cpu", CELL_ID, "CPU of the waker", false, FIELD_PROCESSOR, COL_WAKE_CPU },
	{ "target_cpu", CELL_ID, "CPU it is woken on, where the file tells", false, FIELD_PROCESSOR, COL_WAKE_TARGET },
	{ "latency", CELL_TIME, "until its next switch-in; empty: it ran, or never came", false, FIELD_CELL,
	    COL_WAKE_SWITCH, .cell = latency_cell },
	{ "context", CELL_TEXT, "task, irq, softirq or new", false, FIELD_CELL, COL_WAKE_BY, .cell = context_cell },
	{ "task_id", CELL_ID, "id of that task", true, FIELD_NUMBER, COL_WAKE_THREAD },
	{ "waker_id", CELL_ID, "id of the waker; empty: no task", true, FIELD_CELL, COL_WAKE_BY, .cell = waker_id_cell }
};

static const enum col wakeups_needs[] = { COL_WAKE_TIME, COL_NONE };

const struct command source_wakeups = {
	TASK_TABLE("wakeups", "the wakeups of tasks, and who woke them",
	    "wakeups | where latency > 1ms | group task waker : count | sort -count", wakeup_cols),
	.needs = wakeups_needs
};
