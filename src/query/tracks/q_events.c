/*
 * q_events: the events of a profile, of which one counts.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "query/trace/trace.h"

static struct str
event_unit(const struct store *st, uint32_t id)
{
	return column_text(store_column(st, COL_EVENT_TEXT), column_get(store_column(st, COL_EVENT_UNIT), id - 1));
}

/* Show times in the units of the file, other weights with the file's number of decimals. */
static void
weight_cell(const struct store *st, uint32_t id, struct cell *c)
{
	uint64_t scale = fact_value(st, FACT_WEIGHT_SCALE), v = column_get(store_column(st, COL_EVENT_WEIGHT), id - 1);
	uint64_t type = column_get(store_column(st, COL_EVENT_TYPE), id - 1);
	struct weights w = { .scale = scale };
	struct decimal d = { (__int128)v, weights_places(&w) };

	if (type == WEIGHT_MONEY) {
		cell_decimal(c, d, money_currency(event_unit(st, id)));
		return;
	}
	if (type == WEIGHT_TIME) {
		weights_of(st, &w);
		c->type = CELL_TIME;
		c->u = v / (scale > 1 ? scale : 1) * (w.type == WEIGHT_TIME && w.tick > 0 ? w.tick : 1);
		return;
	}
	c->type = type == WEIGHT_BYTES ? CELL_BYTES : CELL_COUNT;
	c->u = type == WEIGHT_WHOLE && scale > 1 ? v / scale : v;
	if (scale > 1 && type != WEIGHT_WHOLE)
		cell_decimal(c, d, MONEY_NO_CURRENCY);
}

static void
q_events_name_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->text = event_name(st, id);
}

static void
unit_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->text = column_get(store_column(st, COL_EVENT_TYPE), id - 1) == WEIGHT_TIME ? STR("") :
	    event_unit(st, id);
}

static void
counts_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->u = fact_value(st, FACT_EVENT) == id;
}

static void
q_events_kind_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->text = event_kind_name(event_kind(st, id));
}

/* Return a setting of the recorder for the event. */
static struct str
setting(const struct store *st, uint32_t id, const char *setting)
{
	struct str name = str_head(event_name(st, id), 150);
	char fact[200];

	snprintf(fact, sizeof fact, "setting.%.*s.%s", (int)name.n, name.s, setting);
	return store_fact_str(st, fact);
}

/* Show the period of the event; otherwise the only period of the file. */
static void
period_cell(const struct store *st, uint32_t id, struct cell *c)
{
	static const char *const settings[] = { "period", "throttle" };

	c->type = CELL_TEXT;
	c->text = STR("");
	for (size_t i = 0; i < NELEM(settings) && c->text.n == 0; i++)
		c->text = setting(st, id, settings[i]);
	if (c->text.n == 0)
		c->text = fact_text(st, FACT_PERIOD);
	if (c->text.n > 0 || (c->u = fact_value(st, FACT_INTERVAL)) == 0)
		return;
	c->type = CELL_TIME;
}

static void
threshold_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->text = setting(st, id, "threshold");
}

/* Explain an event beyond its name.  async-profiler uses names of the JDK for other samples. */
static void
about_cell(const struct store *st, uint32_t id, struct cell *c)
{
	static const struct { const char *event, *about; bool jdk; } notes[] = {
		{ "jdk.ExecutionSample", "running Java code only; at most 5 threads per period", true },
		{ "jdk.NativeMethodSample", "native code only, also waiting; one thread per period", true },
		{ "jdk.CPUTimeSample", "CPU time of Java code", true },
		{ "jdk.ObjectAllocationSample", "an estimate: each sample stands for all bytes since the one before", true },
		{ "jdk.ObjectAllocationInNewTLAB", "an estimate: each sample stands for the buffer it began", true },
		{ "jdk.ObjectAllocationOutsideTLAB", "objects too large for the buffer of their thread", true },
		{ "jdk.OldObjectSample", "some objects still alive at the end", true },
		{ "alloc_space", "since the program began", false }, { "alloc_objects", "since the program began", false },
		{ "inuse_space", "not freed at the last collection", false }, { "inuse_objects", "not freed at the last collection", false },
	};
	struct str name = event_name(st, id);
	bool jdk = fact_value(st, FACT_TRACE_JDK_SAMPLES) != 0;

	c->text = STR("");
	for (size_t i = 0; i < NELEM(notes) && c->text.n == 0; i++)
		if ((!notes[i].jdk || jdk) && str_eq(name, str_of(notes[i].event)))
			c->text = str_of(notes[i].about);
}

static const column_id sums_needs[] = { COL_EVENT_THREADS, COL_NONE };

static const struct coldef event_cols[] = {
	{ "id", CELL_ID, "event number in file order", true, FIELD_ID, COL_EVENT_NAME },
	{ "name", CELL_TEXT, "event", false, FIELD_CELL, .cell = q_events_name_cell },
	{ "kind", CELL_TEXT, "cpu, wall, allocation, lock, I/O, exception or other", false, FIELD_CELL, .cell = q_events_kind_cell },
	{ "samples", CELL_COUNT, "samples", false, FIELD_NUMBER, COL_EVENT_SAMPLES },
	{ "weight", CELL_NONE, "total weight", false, FIELD_CELL, .cell = weight_cell },
	{ "unit", CELL_TEXT, "unit of the weight; empty: time", false, FIELD_CELL, .cell = unit_cell },
	{ "current", CELL_BOOL, "1: the event that is shown; --event chooses another", false, FIELD_CELL, .cell = counts_cell,
	    .was = "counts" },
	{ "threads", CELL_COUNT, "threads with samples of it", true, FIELD_NUMBER, COL_EVENT_THREADS, .needs = sums_needs },
	{ "no_stack", CELL_COUNT, "samples without a stack", true, FIELD_NUMBER, COL_EVENT_BARE, .needs = sums_needs },
	{ "truncated", CELL_COUNT, "samples whose outermost frames are missing", true, FIELD_NUMBER, COL_EVENT_CUT,
	    .needs = sums_needs },
	{ "period", CELL_NONE, "sampling period, where the file has it", true, FIELD_CELL, .cell = period_cell },
	{ "threshold", CELL_TEXT, "shorter ones are not in the file", true, FIELD_CELL, .cell = threshold_cell },
	{ "about", CELL_TEXT, "what the numbers stand for, where the name is not enough", true, FIELD_CELL, .cell = about_cell }
};

/* A file without samples has one placeholder event: do not list it. */
static bool
events_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	const struct store *st = session_store(session);
	bool none = column_rows(store_column(st, COL_EVENT_SAMPLES)) == 1 && store_cell(st, COL_EVENT_SAMPLES, 1) == 0 &&
	    fact_value(st, FACT_EVENTS) == 0;
	struct id_range *no_range = none ? mem_array(1, sizeof *no_range) : NULL;

	(void)in;
	if (none && no_range == NULL)
		return fail(err, E_SYSTEM, "out of memory (events)");
	if (stage_at_most(stage, 0, err))
		return table_open(session, stage, no_range, 0, out, err);
	free(no_range);
	return false;
}

const struct command source_events = {
	SOURCE("events", "events of a profile, one of which is current", "events | where kind = cpu", events_open),
	OVER(SHAPE_SAMPLES | SHAPE_EVENTS, event_cols),
	.names = { "name" }
};
