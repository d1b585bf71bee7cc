/*
 * q_tasks: the tasks and CPUs of a scheduler trace.
 */
#include "config.h"

#include "query/trace/trace.h"

/* ---- tasks --------------------------------------------------------------------------- */

static const char *const tasks_needs[] = { "task.on", "thread.tid", NULL };

static const struct coldef task_cols[] = {
	{ "id", CELL_ID, "number of the task, the same as of its thread", false, FIELD_ID, "task.on" },
	{ "name", CELL_TEXT, "its last name", false, FIELD_THREAD },
	{ "tid", CELL_ID, "thread id of the system", false, FIELD_NUMBER, "listed.tid" },
	{ "pid", CELL_ID, "process id, where the trace tells", false, FIELD_NUMBER, "listed.pid" },
	{ "on", CELL_TIME, "time on a CPU", false, FIELD_NUMBER, "task.on" },
	{ "off", CELL_TIME, "time off CPU: sum of the gaps", false, FIELD_NUMBER, "task.off" },
	{ "gaps", CELL_COUNT, "times it was off CPU, from when it left to when it came back", false,
	    FIELD_NUMBER, "task.gaps" },
	{ "max_gap", CELL_TIME, "the longest of them", false, FIELD_NUMBER, "task.max_gap" },
	{ "max_gap_at", CELL_TIME, "when that one began", true, FIELD_NUMBER, "task.max_gap_at" },
	{ "p50", CELL_TIME, "half of the gaps are no longer", false, FIELD_NUMBER, "task.p50" },
	{ "p99", CELL_TIME, "99 % of the gaps are no longer", false, FIELD_NUMBER, "task.p99" },
	{ "sleeping", CELL_TIME, "off CPU in state S, interruptible sleep", false, FIELD_NUMBER, "task.sleeping" },
	{ "disk", CELL_TIME, "off CPU in state D, uninterruptible sleep", false, FIELD_NUMBER, "task.disk" },
	{ "preempted", CELL_TIME, "off CPU in state R, runnable", false, FIELD_NUMBER, "task.preempted" },
	{ "other", CELL_TIME, "off CPU in any other state", true, FIELD_NUMBER, "task.other" },
	{ "delay", CELL_TIME, "run queue: from the first wakeup to when it ran, sum", false, FIELD_NUMBER, "task.delay" },
	{ "delays", CELL_COUNT, "how many of these there are", true, FIELD_NUMBER, "task.delays" },
	{ "max_delay", CELL_TIME, "the longest of them", false, FIELD_NUMBER, "task.max_delay" },
	{ "p99_delay", CELL_TIME, "99 % of them are no longer", true, FIELD_NUMBER, "task.p99_delay" },
	{ "in", CELL_COUNT, "switches to it", false, FIELD_NUMBER, "task.in" },
	{ "out", CELL_COUNT, "switches away from it", true, FIELD_NUMBER, "task.out" },
	{ "earlier", CELL_TEXT, "names it, or another task with this id, had before", true, FIELD_EARLIER }
};

const struct command source_tasks = {
	.word = "tasks",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TASKS,
	.what = "the tasks with their time on and off CPUs",
	.example = "tasks | sort -max_gap | head 10",
	.needs = tasks_needs,
	COLUMNS(task_cols),
	.names = { "name" },
	.views = VIEWS_OF_TIMES,
	.open = table_source
};

/* ---- CPUs ------------------------------------------------------------------------------ */

static const struct coldef cpu_cols[] = {
	{ "cpu", CELL_ID, "number of the CPU", false, FIELD_NUMBER, "cpu.number" },
	{ "busy", CELL_TIME, "time it ran tasks", false, FIELD_NUMBER, "cpu.busy" },
	{ "idle", CELL_TIME, "time it had none", false, FIELD_NUMBER, "cpu.idle" },
	{ "use", CELL_PERCENT, "busy of both", false, FIELD_PART, "cpu.busy", "cpu.idle" },
	{ "switches", CELL_COUNT, "switches on it", false, FIELD_NUMBER, "cpu.switches" },
	{ "max_idle", CELL_TIME, "the longest time without a task", false, FIELD_NUMBER, "cpu.max_idle" },
	{ "max_idle_at", CELL_TIME, "when that began", true, FIELD_NUMBER, "cpu.max_idle_at" },
	{ "unknown", CELL_TIME, "time between switches that do not fit together", true, FIELD_NUMBER, "cpu.unknown" }
};

static const char *const cpus_needs[] = { "cpu.number", NULL };

const struct command source_cpus = {
	.word = "cpus",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TASKS,
	.what = "the CPUs with their busy and idle time",
	.example = "cpus | sort -busy",
	.needs = cpus_needs,
	COLUMNS(cpu_cols),
	.names = { "cpu" },
	.views = VIEWS_OF_TIMES,
	.open = table_source
};
