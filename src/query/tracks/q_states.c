/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_states: what threads were doing, stretch after stretch, with the CPU time in it.
 */
#include "config.h"

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "stretch.h"

struct states_rows {
	struct item_rows	 rows;
	struct stretches	 stretches;
};

/* ---- columns ----------------------------------------------------------------------- */

enum { STATES_CPU, STATES_USE };

static void
q_states_cpu_cell(struct item_rows *s, uint64_t thread, struct cell *c)
{
	const struct stretch *x = s->item;
	struct cell other;
	bool cpu = item_show(s) == STATES_CPU;

	cell_cpu_inside(&TRACE(s)->cpu, s->st, (uint32_t)thread, x->start, x->end, cpu ? c : &other,
	    cpu ? &other : c);
}

static void
q_states_lost_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->u = stretch_lost(s->st, s->item);
}

#define OF(member) ITEM(struct stretch, member)

static const struct coldef states_cols[] = {
	{ "thread", CELL_TEXT, "thread name", THREAD_FROM(OF(thread)) },
	{ "state", CELL_TEXT, "state, named as in 'waits'", MADE(.show = TRACE_STATE, OF(state)) },
	{ "start_wall", CELL_TIME, "start", MADE(OF(start)) },
	{ "wall", CELL_TIME, "duration", MADE(OF(length)) },
	{ "cpu", CELL_TIME, "CPU time in the interval, if known",
	    COMPUTED(q_states_cpu_cell, .show = STATES_CPU, OF(thread)) },
	{ "utilisation", CELL_PERCENT, "share of the time",
	    COMPUTED(q_states_cpu_cell, .show = STATES_USE, OF(thread)),
	    .was = "cpu_pct", .head = "util" },
	{ "class", CELL_TEXT, "running, runnable, native, sleeping, blocked or other", MORE,
	    MADE(.show = TRACE_CLASS, OF(state)) },
	{ "thread_id", CELL_ID, "id of the thread", MORE, MADE(OF(thread)) },
	{ PROCESS_FROM(OF(thread)) },
	{ "lost", CELL_BOOL, "events of a CPU were lost during it", MORE, COMPUTED(q_states_lost_cell) }
};

/* ---- rows -------------------------------------------------------------------------- */

static bool
states_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	return stretches_open(&((struct states_rows *)r)->stretches, r->rows.session, stage, err);
}

static bool
states_step(struct item_rows *r)
{
	struct stretches *s = &((struct states_rows *)r)->stretches;
	struct stretch x;
	bool more = true;

	for (unsigned i = 0; more && i < 256 && s->n < r->wanted; i++)
		more = stretches_read(s, &x, &r->rows.err) && stretches_keep(s, &r->rows.err);
	r->n = s->n;
	return more;
}

static const void *
state_at(struct item_rows *r, uint64_t row)
{
	return stretches_row(&((struct states_rows *)r)->stretches, row);
}

static void
states_end(struct item_rows *r)
{
	stretches_close(&((struct states_rows *)r)->stretches);
}

static const struct source states = {
	.domain = &trace_domain, .size = sizeof(struct states_rows), .args = ARGS_OWN, .begin = states_begin,
	.step = states_step, .item_at = state_at, .end = states_end
};

static const column_id needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_NONE };

const struct command source_states = {
	SOURCE("states", "thread states over time, one row per interval",
	    "states | where class = native and wall > 50ms and utilisation < 10", item_rows_open),
	OVER(SHAPE_TRACKS, states_cols), .source = &states,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};
