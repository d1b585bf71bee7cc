/*
 * q_tasks: the tasks and CPUs of a scheduler trace.
 */
#include "config.h"

#include "query/trace/trace.h"

/* ---- tasks --------------------------------------------------------------------------- */

static const char *const tasks_needs[] = { "task.on", "thread.tid", NULL };

static const struct coldef task_cols[] = {
	{ "id", CELL_ID, "number of the task, the same as of its thread", false },
	{ "name", CELL_TEXT, "its last name", false },
	{ "tid", CELL_ID, "thread id of the system", false },
	{ "pid", CELL_ID, "process id, where the trace tells", false },
	{ "on", CELL_TIME, "time on a CPU", false },
	{ "off", CELL_TIME, "time off CPU: sum of the gaps", false },
	{ "gaps", CELL_COUNT, "times it was off CPU, from when it left to when it came back", false },
	{ "max_gap", CELL_TIME, "the longest of them", false },
	{ "max_gap_at", CELL_TIME, "when that one began", true },
	{ "p50", CELL_TIME, "half of the gaps are no longer", false },
	{ "p99", CELL_TIME, "99 % of the gaps are no longer", false },
	{ "sleeping", CELL_TIME, "off CPU in state S, interruptible sleep", false },
	{ "disk", CELL_TIME, "off CPU in state D, uninterruptible sleep", false },
	{ "preempted", CELL_TIME, "off CPU in state R, runnable", false },
	{ "other", CELL_TIME, "off CPU in any other state", true },
	{ "delay", CELL_TIME, "run queue: from the first wakeup to when it ran, sum", false },
	{ "delays", CELL_COUNT, "how many of these there are", true },
	{ "max_delay", CELL_TIME, "the longest of them", false },
	{ "p99_delay", CELL_TIME, "99 % of them are no longer", true },
	{ "in", CELL_COUNT, "switches to it", false },
	{ "out", CELL_COUNT, "switches away from it", true },
	{ "earlier", CELL_TEXT, "names it, or another task with this id, had before", true }
};

static const struct field task_fields[NELEM(task_cols)] = {
	{ FIELD_ID, NULL, NULL },
	{ FIELD_THREAD, NULL, NULL },
	{ FIELD_NUMBER, "listed.tid", NULL },
	{ FIELD_NUMBER, "listed.pid", NULL },
	{ FIELD_NUMBER, "task.on", NULL },
	{ FIELD_NUMBER, "task.off", NULL },
	{ FIELD_NUMBER, "task.gaps", NULL },
	{ FIELD_NUMBER, "task.max_gap", NULL },
	{ FIELD_NUMBER, "task.max_gap_at", NULL },
	{ FIELD_NUMBER, "task.p50", NULL },
	{ FIELD_NUMBER, "task.p99", NULL },
	{ FIELD_NUMBER, "task.sleeping", NULL },
	{ FIELD_NUMBER, "task.disk", NULL },
	{ FIELD_NUMBER, "task.preempted", NULL },
	{ FIELD_NUMBER, "task.other", NULL },
	{ FIELD_NUMBER, "task.delay", NULL },
	{ FIELD_NUMBER, "task.delays", NULL },
	{ FIELD_NUMBER, "task.max_delay", NULL },
	{ FIELD_NUMBER, "task.p99_delay", NULL },
	{ FIELD_NUMBER, "task.in", NULL },
	{ FIELD_NUMBER, "task.out", NULL },
	{ FIELD_EARLIER, NULL, NULL }
};

static const struct table_kind task_table = { task_cols, NELEM(task_cols), task_fields, "task.on" };

static bool
tasks_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	(void)in;
	return stage_at_most(stage, 0, err) && table_open(session, &task_table, NULL, 0, out, err);
}

const struct command source_tasks = {
	.word = "tasks",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TASKS,
	.what = "the tasks with their time on and off CPUs",
	.example = "tasks | sort -max_gap | head 10",
	.needs = tasks_needs,
	.cols = task_cols,
	.ncols = NELEM(task_cols),
	.names = { "name" },
	.views = VIEWS_OF_TIMES,
	.open = tasks_open
};

/* ---- CPUs ------------------------------------------------------------------------------ */

enum cpu_col { CPU_CPU, CPU_BUSY, CPU_IDLE, CPU_USE, CPU_SWITCHES, CPU_MAX_IDLE, CPU_MAX_IDLE_AT, CPU_UNKNOWN,
	CPU_COLS };

static const struct coldef cpu_cols[CPU_COLS] = {
	[CPU_CPU] = { "cpu", CELL_ID, "number of the CPU", false },
	[CPU_BUSY] = { "busy", CELL_TIME, "time it ran tasks", false },
	[CPU_IDLE] = { "idle", CELL_TIME, "time it had none", false },
	[CPU_USE] = { "use", CELL_PERCENT, "busy of both", false },
	[CPU_SWITCHES] = { "switches", CELL_COUNT, "switches on it", false },
	[CPU_MAX_IDLE] = { "max_idle", CELL_TIME, "the longest time without a task", false },
	[CPU_MAX_IDLE_AT] = { "max_idle_at", CELL_TIME, "when that began", true },
	[CPU_UNKNOWN] = { "unknown", CELL_TIME, "time between switches that do not fit together", true }
};

struct cpus {
	struct rows		 rows;
	const struct column	*col[CPU_COLS];
	uint64_t		 n;
};

static uint64_t
cpus_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct cpus *)r)->n;
}

static void
cpus_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	const struct cpus *s = (const struct cpus *)r;
	double busy, idle;

	c->type = r->cols[col].type;
	if (col != CPU_USE) {
		c->u = column_get(s->col[col], row);
		return;
	}
	busy = (double)column_get(s->col[CPU_BUSY], row);
	idle = (double)column_get(s->col[CPU_IDLE], row);
	c->f = busy + idle > 0 ? busy / (busy + idle) * 100 : 0;
	if (busy + idle <= 0)
		c->type = CELL_NONE;
}

static const struct rows_ops cpus_ops = { .reach = cpus_reach, .cell = cpus_cell };

static bool
cpus_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	static const char *const names[CPU_COLS] = {
		[CPU_CPU] = "cpu.number", [CPU_BUSY] = "cpu.busy", [CPU_IDLE] = "cpu.idle",
		[CPU_SWITCHES] = "cpu.switches", [CPU_MAX_IDLE] = "cpu.max_idle",
		[CPU_MAX_IDLE_AT] = "cpu.max_idle_at", [CPU_UNKNOWN] = "cpu.unknown"
	};
	const struct store *st = session_store(session);
	struct cpus *s;
	size_t i;

	if (!stage_at_most(stage, 0, err) ||
	    (s = rows_new(sizeof *s, &cpus_ops, session, in, err)) == NULL)
		return false;
	s->rows.cols = cpu_cols;
	s->rows.ncols = CPU_COLS;
	for (i = 0; st != NULL && i < CPU_COLS; i++)
		s->col[i] = names[i] == NULL ? NULL : store_column(st, names[i]);
	s->n = s->col[CPU_CPU] == NULL ? 0 : s->col[CPU_CPU]->rows;
	*out = &s->rows;
	return true;
}

static const char *const cpus_needs[] = { "cpu.number", NULL };

const struct command source_cpus = {
	.word = "cpus",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TASKS,
	.what = "the CPUs with their busy and idle time",
	.example = "cpus | sort -busy",
	.needs = cpus_needs,
	.cols = cpu_cols,
	.ncols = CPU_COLS,
	.names = { "cpu" },
	.views = VIEWS_OF_TIMES,
	.open = cpus_open
};
