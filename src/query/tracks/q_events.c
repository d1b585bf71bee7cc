/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
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
event_unit(const struct store *st, uint64_t id)
{
	return column_text(store_column(st, COL_EVENT_TEXT), store_cell(st, COL_EVENT_UNIT, id));
}

/* Show times in the units of the file, other weights with the file's number of decimals. */
static void
weight_cell(struct item_rows *s, uint64_t v, struct cell *c)
{
	const struct store *st = s->st;
	uint64_t scale = fact_value(st, FACT_WEIGHT_SCALE), type = item_other(s);
	struct weights w = { .scale = scale };
	struct decimal d = { (__int128)v, weights_places(&w) };

	if (type == WEIGHT_MONEY) {
		cell_decimal(c, d, money_currency(event_unit(st, s->number)));
		return;
	}
	if (type == WEIGHT_TIME) {
		c->type = CELL_TIME;
		c->u = v / (scale > 1 ? scale : 1) * unit_ns(event_unit(st, s->number));
		return;
	}
	c->type = type == WEIGHT_BYTES ? CELL_BYTES : CELL_COUNT;
	c->u = type == WEIGHT_WHOLE && scale > 1 ? v / scale : v;
	if (scale > 1 && type != WEIGHT_WHOLE)
		cell_decimal(c, d, MONEY_NO_CURRENCY);
}

static void
q_events_name_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	c->text = event_name(s->st, (uint32_t)id);
}

static void
unit_cell(struct item_rows *s, uint64_t type, struct cell *c)
{
	c->text = type == WEIGHT_TIME ? STR("") : event_unit(s->st, s->number);
}

static void
counts_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	c->u = fact_value(s->st, FACT_EVENT) == id;
}

static void
q_events_kind_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	c->text = event_kind_name(event_kind(s->st, (uint32_t)id));
}

/* Return a setting of the recorder for the event. */
static struct str
setting(const struct store *st, uint64_t id, const char *setting)
{
	struct str name = str_head(event_name(st, (uint32_t)id), 150);
	char fact[200];

	snprintf(fact, sizeof fact, "setting.%.*s.%s", (int)name.n, name.s, setting);
	return store_fact_str(st, fact);
}

/* The shortest and the longest period of an event whose recorder changed it. */
static void
periods_cell(struct item_rows *s, uint64_t least, uint64_t most, struct cell *c)
{
	c->type = CELL_TIME;
	c->u = least;
	if (least == most)
		return;
	c->type = CELL_TEXT;
	buf_clear(&s->text);
	buf_num(&s->text, num_show_duration, least);
	buf_str(&s->text, STR(" to "));
	buf_num(&s->text, num_show_duration, most);
	c->text = buf_view(&s->text);
}

/* Show the period of the event; otherwise the only period of the file. */
static void
period_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	static const char *const settings[] = { "period", "throttle" };
	uint64_t least = store_cell(s->st, COL_EVENT_PERIOD, id);
	struct fact f;

	if (least > 0) {
		periods_cell(s, least, store_cell(s->st, COL_EVENT_PERIOD_MOST, id), c);
		return;
	}

	c->type = CELL_TEXT;
	c->text = STR("");
	for (size_t i = 0; i < NELEM(settings) && c->text.n == 0; i++)
		c->text = setting(s->st, id, settings[i]);
	for (size_t i = 0; i < store_nfacts(s->st) && c->text.n == 0; i++)
		if (store_fact_at(s->st, i, &f) && f.value > 0 &&
		    (str_is(str_of(f.name), "period") || str_is(str_of(f.name), "interval"))) {
			c->type = f.type == FACT_TIME ? CELL_TIME : f.type == FACT_BYTES ? CELL_BYTES :
			    CELL_COUNT;
			c->u = f.value;
		}
}

static void
threshold_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	c->text = setting(s->st, id, "threshold");
}

/* Explain an event beyond its name.  async-profiler uses names of the JDK for other samples. */
static void
about_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	static const struct { const char *event, *about; bool jdk; } notes[] = {
		{ "jdk.ExecutionSample", "running Java code only; at most 5 threads per period", true },
		{ "jdk.NativeMethodSample", "native code only, also waiting; one thread per period", true },
		{ "jdk.CPUTimeSample", "CPU time of Java code", true },
		{ "jdk.ObjectAllocationSample", "estimate: each sample counts all bytes since the previous one", true },
		{ "jdk.ObjectAllocationInNewTLAB", "estimate: each sample counts the buffer it began", true },
		{ "jdk.ObjectAllocationOutsideTLAB", "objects too large for the buffer of their thread",
		    true },
		{ "jdk.OldObjectSample", "some objects still alive at the end", true },
		{ "alloc_space", "since the program began", false },
		{ "alloc_objects", "since the program began", false },
		{ "inuse_space", "not freed at the last collection", false },
		{ "inuse_objects", "not freed at the last collection", false },
	};
	struct str name = event_name(s->st, (uint32_t)id);
	bool jdk = fact_value(s->st, FACT_TRACE_JDK_SAMPLES) != 0;

	c->text = STR("");
	for (size_t i = 0; i < NELEM(notes) && c->text.n == 0; i++)
		if ((!notes[i].jdk || jdk) && str_is(name, notes[i].event))
			c->text = str_of(notes[i].about);
}

static const column_id sums_needs[] = { COL_EVENT_THREADS, COL_NONE };

static const struct coldef event_cols[] = {
	{ "id", CELL_ID, "event number in file order", MORE, OWN_NUMBER },
	{ "name", CELL_TEXT, "event", COMPUTED(q_events_name_cell) },
	{ "kind", CELL_TEXT, "cpu, wall, allocation, lock, I/O, exception or other",
	    COMPUTED(q_events_kind_cell) },
	{ "samples", CELL_COUNT, "samples", NUMBER(COL_EVENT_SAMPLES) },
	{ "weight", CELL_NONE, "total weight", COMPUTED(weight_cell, .by = COL_EVENT_WEIGHT,
	    .other = COL_EVENT_TYPE) },
	{ "unit", CELL_TEXT, "unit of the weight; empty: time", COMPUTED(unit_cell, .by = COL_EVENT_TYPE) },
	{ "current", CELL_BOOL, "the current event; --event chooses another", COMPUTED(counts_cell),
	    .was = "counts" },
	{ "threads", CELL_COUNT, "threads with samples of it", MORE, NUMBER(COL_EVENT_THREADS),
	    .needs = sums_needs },
	{ "no_stack", CELL_COUNT, "samples without a stack", MORE, NUMBER(COL_EVENT_BARE),
	    .needs = sums_needs },
	{ "truncated", CELL_COUNT, "samples whose outermost frames are missing", MORE, NUMBER(COL_EVENT_CUT),
	    .needs = sums_needs },
	{ "period", CELL_NONE, "sampling period, if known", MORE, COMPUTED(period_cell) },
	{ "threshold", CELL_TEXT, "minimum duration; shorter events were not recorded", MORE,
	    COMPUTED(threshold_cell) },
	{ "about", CELL_TEXT, "explanation of the numbers, if the name is not enough", MORE,
	    COMPUTED(about_cell) }
};

/* A file without samples has one placeholder event: do not list it. */
static bool
events_begin(struct item_rows *s, UNUSED const struct stage *stage, UNUSED struct err *err)
{
	const struct column *samples = store_column(s->st, COL_EVENT_SAMPLES);

	return (column_rows(samples) == 1 && column_get(samples, 0) == 0 &&
	    fact_value(s->st, FACT_EVENTS) == 0) ||
	    item_rows_each(s, COL_EVENT_NAME, false);
}

static const struct source events = { .domain = &trace_domain, .begin = events_begin };

const struct command source_events = {
	SOURCE("events", "events of a profile, one of which is current", "events | where kind = cpu",
	    item_rows_open),
	OVER(SHAPE_SAMPLES | SHAPE_EVENTS, event_cols), .source = &events,
	.names = { "name" }
};
