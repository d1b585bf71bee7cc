/*
 * q_states: what threads were doing, stretch after stretch, with the CPU time in it.
 */
#include "config.h"

#include "icecore/batch.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "stretch.h"

struct states_rows {
	struct rows		 rows;
	struct stretches	 stretches;
	struct track_index	 cpu;
	struct buf		 text;
};

/* Cells computed from the interval, not stored in struct stretch. */
enum { STATES_STATE = FIELD_OWN, STATES_WALL, STATES_CPU, STATES_CPU_PCT, STATES_CLASS };

static const struct coldef states_cols[] = {
	{ "thread", CELL_TEXT, "thread name", false, THREAD_OF(struct stretch, thread) },
	{ "state", CELL_TEXT, "state as named in the file", false, STATES_STATE },
	{ "start_wall", CELL_TIME, "start", false, FIELD_OF(struct stretch, start) },
	{ "wall", CELL_TIME, "duration", false, STATES_WALL },
	{ "cpu", CELL_TIME, "CPU time in the interval, if known", false, STATES_CPU },
	{ "utilisation", CELL_PERCENT, "share of the time", false, STATES_CPU_PCT, .was = "cpu_pct", .head = "util" },
	{ "class", CELL_TEXT, "running, runnable, native, sleeping, blocked or other", true, STATES_CLASS },
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_OF(struct stretch, thread) }
};

/* ---- rows -------------------------------------------------------------------------- */

static uint64_t
states_reach(struct rows *r, uint64_t n)
{
	struct states_rows *s = (struct states_rows *)r;
	struct stretch x;

	while (s->stretches.n < n && r->err.kind == E_NONE)
		if (!rows_tick(r, s->stretches.n) || !stretches_read(&s->stretches, &x, &r->err) ||
		    !stretches_keep(&s->stretches, &r->err))
			break;
	return s->stretches.n;
}

static const char *const classes[] = {
	[STATE_RUNNING] = "running", [STATE_RUNNABLE] = "runnable",
	[STATE_NATIVE] = "native", [STATE_SLEEPING] = "sleeping",
	[STATE_BLOCKED] = "blocked", [STATE_OTHER] = "other"
};

static void
states_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct states_rows *s = (struct states_rows *)r;
	const struct stretch *x = stretches_row(&s->stretches, row);
	const struct store *st = s->stretches.store;
	unsigned what = r->cols[col].kind;
	struct cell cpu, use;

	if (cell_member(r, st, x, col, &s->text, c))
		return;
	if (what == STATES_STATE)
		c->text = str_of(state_name(st, x->state));
	else if (what == STATES_CLASS)
		c->text = str_of(classes[state_class(st, x->state)]);
	else if (what == STATES_WALL)
		c->u = x->end - x->start;
	else {
		cell_cpu_inside(&s->cpu, st, x->thread, x->start, x->end, &cpu, &use);
		*c = what == STATES_CPU ? cpu : use;
	}
}

static bool
states_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	struct states_rows *s = (struct states_rows *)r;
	const struct store *st = s->stretches.store;
	uint64_t states = states_count(st), threads = column_rows(store_column(st, COL_THREAD_TID));
	unsigned what = r->cols[col].kind;
	const struct stretch *x;

	if (what != STATES_STATE && what != STATES_CLASS && what != FIELD_U32_THREAD)
		return what != STATES_CPU && what != STATES_CPU_PCT && batch_of_cells(r, first, n, col, b);
	b->values = what == STATES_STATE ? states + 1 : what == STATES_CLASS ? NELEM(classes) : threads + 1;
	b->empty = false;
	for (size_t i = 0; i < n; i++) {
		x = stretches_row(&s->stretches, first + i);
		if (what == STATES_STATE)
			b->u[i] = x->state < states ? x->state : states;
		else
			b->u[i] = what == STATES_CLASS ? state_class(st, x->state) : x->thread;
		if (b->u[i] >= b->values)
			return false;
	}
	return true;
}

static void
states_value(struct rows *r, size_t col, uint64_t value, struct cell *c)
{
	struct states_rows *s = (struct states_rows *)r;
	const struct store *st = s->stretches.store;
	unsigned what = r->cols[col].kind;

	if (what == FIELD_U32_THREAD)
		cell_thread_name(r, st, (uint32_t)value, &s->text, c);
	else
		c->text = str_of(what == STATES_STATE ? state_name(st, (uint32_t)value) : classes[value]);
}

static void
states_close(struct rows *r)
{
	struct states_rows *s = (struct states_rows *)r;

	stretches_close(&s->stretches);
	idmap_free(&s->cpu.places);
	buf_free(&s->text);
}

static const struct rows_ops states_ops = { .reach = states_reach, .cell = states_cell,
	.close = states_close, .batch = states_batch, .value = states_value };

static bool
states_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct states_rows *s = rows_of_command(sizeof *s, &states_ops, session, stage, in, err);

	if (s == NULL)
		return false;
	s->cpu = TRACK_INDEX("cpu");
	return rows_opened(&s->rows, stretches_open(&s->stretches, session, stage, err), out);
}

static const column_id needs[] = { COL_THREAD_TID, COL_TRACK_KIND, COL_NONE };

const struct command source_states = {
	SOURCE("states", "thread states over time, one row per interval",
	    "states | where class = native and wall > 50ms and utilisation < 10", states_open),
	OVER(SHAPE_TRACKS, states_cols),
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};
