/*
 * q_switches: the switches and wakeups of a scheduler trace, one by one.
 */
#include "config.h"

#include "query/trace/trace.h"

static const struct coldef switch_cols[] = {
	{ "id", CELL_ID, "number of the switch, in order of time", false, FIELD_ID, "switch.time" },
	{ "time", CELL_TIME, "when, since the first event", false, FIELD_MOMENT, "switch.time" },
	{ "cpu", CELL_ID, "on which CPU, where the file tells", false, FIELD_PROCESSOR, "switch.cpu" },
	{ "from", CELL_TEXT, "the task that leaves; empty: the idle task", false, FIELD_THREAD, "switch.from" },
	{ "state", CELL_TEXT, "the letter of the state it leaves in", false, FIELD_LETTER, "switch.state" },
	{ "to", CELL_TEXT, "the task that comes; empty: the idle task", false, FIELD_THREAD, "switch.to" },
	{ "from_id", CELL_ID, "id of the task that leaves, 0: the idle task", true, FIELD_NUMBER, "switch.from" },
	{ "to_id", CELL_ID, "id of the task that comes, 0: the idle task", true, FIELD_NUMBER, "switch.to" }
};

static const char *const switches_needs[] = { "switch.time", "thread.tid", NULL };

const struct command source_switches = {
	.word = "switches",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TASKS,
	.what = "the switches from task to task",
	.example = "switches | where cpu = 0 | head 3",
	.needs = switches_needs,
	COLUMNS(switch_cols),
	.views = VIEWS_OF_TIMES,
	.open = table_source
};

/* ---- wakeups ------------------------------------------------------------------------- */

static const struct coldef wakeup_cols[] = {
	{ "id", CELL_ID, "number of the wakeup, in order of time", false, FIELD_ID, "wake.time" },
	{ "time", CELL_TIME, "when, since the first event", false, FIELD_MOMENT, "wake.time" },
	{ "task", CELL_TEXT, "who is woken", false, FIELD_THREAD, "wake.thread" },
	{ "task_id", CELL_ID, "id of that task", true, FIELD_NUMBER, "wake.thread" }
};

static const char *const wakeups_needs[] = { "wake.time", "thread.tid", NULL };

const struct command source_wakeups = {
	.word = "wakeups",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_TASKS,
	.what = "the wakeups of tasks",
	.example = "wakeups | group task : count | sort -count | head 5",
	.needs = wakeups_needs,
	COLUMNS(wakeup_cols),
	.views = VIEWS_OF_TIMES,
	.open = table_source
};
