/*
 * q_switches: the switches and wakeups of a scheduler trace, one by one.
 */
#include "config.h"

#include "query/trace/trace.h"

static const enum col name_needs[] = { COL_THREAD_TID, COL_NONE };

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

static const struct coldef wakeup_cols[] = {
	{ "id", CELL_ID, "number of the wakeup, in order of time", false, FIELD_ID, COL_WAKE_TIME },
	{ "time", CELL_TIME, "when, since the first event", false, FIELD_MOMENT, COL_WAKE_TIME },
	{ "task", CELL_TEXT, "who is woken", false, FIELD_THREAD, COL_WAKE_THREAD, .needs = name_needs },
	{ "task_id", CELL_ID, "id of that task", true, FIELD_NUMBER, COL_WAKE_THREAD }
};

static const enum col wakeups_needs[] = { COL_WAKE_TIME, COL_NONE };

const struct command source_wakeups = {
	TASK_TABLE("wakeups", "the wakeups of tasks", "wakeups | group task : count | sort -count | head 5",
	    wakeup_cols),
	.needs = wakeups_needs
};
