/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table: rows over traces, profiles and tracks, declared by tables.
 */
#include "config.h"

#include <math.h>

#include <stdlib.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/name.h"
#include "icecore/sched.h"
#include "icecore/view.h"
#include "trace.h"

/* ---- texts ------------------------------------------------------------------------- */

static const char *const actions[] = {
	[ACT_ENTER] = "enter", [ACT_EXIT] = "exit", [ACT_EXIT_TOP] = "exit", [ACT_UNROLL] = "unroll",
	[ACT_UNROLL_TOP] = "unroll", [ACT_OTHER] = "other"
};

static const char *const classes[] = {
	[STATE_RUNNING] = "running", [STATE_RUNNABLE] = "runnable", [STATE_NATIVE] = "native",
	[STATE_SLEEPING] = "sleeping", [STATE_BLOCKED] = "blocked", [STATE_OTHER] = "other"
};

static void
add_letter(struct buf *b, char letter)
{
	if (letter != 0)
		buf_chr(b, letter);
}

void
text_named(const struct store *st, enum trace_show show, uint32_t v, struct buf *b)
{
	switch (show) {
	case TRACE_METHOD: method_name(st, v, b); break;
	case TRACE_KIND: add_letter(b, method_kind(st, v)); break;
	case TRACE_MODULE: buf_str(b, method_module(st, v)); break;
	case TRACE_PACKAGE:
		if (v != 0)
			view_group_name(st, v, VIEW_PACKAGE, b);
		break;
	case TRACE_THREAD: thread_name(st, v, b); break;
	case TRACE_LABEL: thread_label(st, v, b); break;
	case TRACE_PROCESS_LABEL: process_label(st, v, b); break;
	case TRACE_LETTER: add_letter(b, (char)v); break;
	case TRACE_WAKER: waker_name(st, v, b); break;
	case TRACE_EARLIER: thread_earlier(st, v, b); break;
	case TRACE_POOL:
		thread_name(st, v, b);
		name_pool(b, 0);
		break;
	default:
		break;
	}
}

/* Queries search millions of names: texts that the store has as a whole are not copied. */
static void
table_text_cell(struct item_rows *s, uint64_t v, enum trace_show show, struct cell *c)
{
	struct buf *b = cell_begin(s);
	uint32_t id = (uint32_t)v;

	switch (show) {
	case TRACE_WORD: c->text = word_text(s->st, id); return;
	case TRACE_PROCESS: c->text = process_name(s->st, id); return;
	case TRACE_PROCESS_OF: c->text = process_name(s->st, thread_process(s->st, id)); return;
	case TRACE_PID: c->text = word_text(s->st, (uint32_t)store_cell(s->st, COL_PROCESS_PID, id)); return;
	case TRACE_MODULE: c->text = method_module(s->st, id); return;
	case TRACE_FILE: c->text = method_file(s->st, id); return;
	case TRACE_STATE: c->text = str_of(state_word(s->st, id)); return;
	case TRACE_CLASS: c->text = str_of(classes[state_class(s->st, id)]); return;
	case TRACE_ACTION: c->text = str_of(actions[id < NELEM(actions) ? id : ACT_OTHER]); return;
	case TRACE_BY: c->text = str_of(thread_by(s->st, id)); return;
	case TRACE_DUMPED: c->text = thread_state(s->st, id); return;
	case TRACE_TOP: c->text = thread_top(s->st, id); return;
	case TRACE_NAME:
		c->text = store_text(s->st, v);
		if (name_demangle(c->text, b))
			break;
		if (s->number <= column_rows(TRACE(s)->listed) &&
		    (v != 0 || store_cell(s->st, COL_LISTED_OWN, s->number) == 0))
			return;
		method_name(s->st, s->number, b);
		break;
	case TRACE_DOTTED: class_name(store_text(s->st, v), b); break;
	case TRACE_CLOCK:
		if (TRACE(s)->zero != 0)
			moment_show(num_add(TRACE(s)->zero, v), TRACE(s)->dated, b);
		break;
	default: text_named(s->st, show, id, b); break;
	}
	cell_text(&s->rows, c, b);
}

/* ---- numbers ----------------------------------------------------------------------- */

static void
amount_cell(const struct trace_own *t, uint64_t v, uint64_t other, enum trace_show show, struct cell *c)
{
	if (show == TRACE_TICKS) {
		cell_ticks(c, v, t->tick);
		return;
	}
	/* Changes may be negative; time off the CPU is clamped at 0. */
	if (show == TRACE_OFF)
		v = !t->weights.differs && (!t->off || v <= other) ? 0 : v - other;
	cell_weight(c, &t->weights, show == TRACE_WEIGHT ? CLOCK_WALL : show == TRACE_WEIGHT_CPU ? CLOCK_CPU :
	    CLOCK_OFF, v);
}

static void
part_of_self(struct item_rows *s, uint64_t wall, uint64_t cpu, struct cell *c)
{
	struct trace_own *t = TRACE(s);
	uint64_t weight;

	if (!t->has_self)
		t->whole_self = self_weights(&s->rows, s->st, &t->weights);
	t->has_self = true;
	if (weight_by_clock(&s->rows, &t->weights, wall, cpu, &weight))
		cell_part(c, weight, t->whole_self);
	else
		c->type = CELL_NONE;
}

/* Whether the CPU time of a row is known: of a method, or of calls. */
static bool
has_cpu(const struct item_rows *s)
{
	const struct trace_own *t = TRACE(s);

	return t->all_cpu || s->by[s->made] == NULL || method_has_cpu(s->st, s->rows.ops != &calls_ops ? s->number :
	    (uint32_t)column_get(t->method, s->number - UINT64_C(1)));
}

static void
real_cell(const struct item_rows *s, struct cell *c)
{
	c->f = column_real(s->by[s->made], s->number - 1);
	c->type = isnan(c->f) ? CELL_NONE : c->type;
	if (c->type == CELL_REAL && c->f == floor(c->f) && fabs(c->f) < 0x1p53) {
		c->type = CELL_INT;
		c->i = (int64_t)c->f;
	}
}

static void
trace_cell(struct item_rows *s, uint64_t v, unsigned show, struct cell *c)
{
	const struct trace_own *t = TRACE(s);

	c->u = v;
	if ((show == TRACE_WEIGHT_CPU || show == TRACE_OFF) && !has_cpu(s)) {
		c->type = CELL_NONE;
		return;
	}
	switch ((enum trace_show)show) {
	case TRACE_CPU:
		c->type = v == SWITCH_NO_CPU ? CELL_NONE : c->type;
		break;
	case TRACE_SIGNED:
		if (s->number > column_rows(s->by[s->made]) || c->i < 0)
			c->type = CELL_NONE;
		break;
	case TRACE_REAL:
		real_cell(s, c);
		break;
	case TRACE_LEVEL:
		c->type = CELL_REAL;
		real_cell(s, c);
		c->bytes = c->type == CELL_INT &&
		    strcmp(word_text(s->st, (uint32_t)item_other(s)).s, "bytes") == 0;
		if (c->bytes && c->i >= 0)
			c->type = CELL_BYTES;
		break;
	case TRACE_SHARE:
		c->f = t->whole == 0 ? 0 : 100.0 * (double)v / (double)t->whole;
		break;
	case TRACE_PART:
		cell_part(c, v, num_add(v, item_other(s)));
		break;
	case TRACE_PART_OF_SELF:
		part_of_self(s, v, item_other(s), c);
		break;
	case TRACE_TICKS: case TRACE_WEIGHT: case TRACE_WEIGHT_CPU: case TRACE_WEIGHT_OFF:
		amount_cell(t, v, 0, (enum trace_show)show, c);
		break;
	case TRACE_OFF:
		amount_cell(t, v, item_other(s), TRACE_OFF, c);
		break;
	default:
		table_text_cell(s, v, (enum trace_show)show, c);
		break;
	}
}

/* ---- many rows at once --------------------------------------------------------------- */

uint64_t
values_named(const struct store *st, enum trace_show show)
{
	uint64_t methods = column_rows(store_column(st, COL_METHOD_RAW));
	uint64_t listed = column_rows(store_column(st, COL_LISTED_NAME));

	switch (show) {
	case TRACE_METHOD: case TRACE_KIND: case TRACE_MODULE: case TRACE_FILE: case TRACE_PACKAGE:
		return (methods > listed ? methods : listed) + 1;
	case TRACE_THREAD: case TRACE_LABEL:
		return column_rows(store_column(st, COL_THREAD_TID)) + 1;
	case TRACE_PROCESS: case TRACE_PID: case TRACE_PROCESS_LABEL:
		return column_rows(store_column(st, COL_PROCESS_PID)) + 1;
	case TRACE_WORD:
		return column_rows(store_column(st, COL_WORD_REF)) + 1;
	case TRACE_LETTER:
		return UINT8_MAX + 1u;
	case TRACE_ACTION:
		return NELEM(actions);
	case TRACE_STATE: case TRACE_CLASS:
		return states_count(st) + UINT64_C(1);
	default:
		return 0;
	}
}

static bool
amounts_batch(const struct trace_own *t, struct batch *b, size_t n, enum trace_show show, enum cell_type type)
{
	bool some = b->empty;
	struct cell c;

	for (size_t i = 0; i < n; i++) {
		c.u = b->u[i];
		if ((some && b->none[i]) || (show == TRACE_CPU && c.u == SWITCH_NO_CPU))
			c.type = CELL_NONE;
		else if (show == TRACE_CPU)
			c.type = type;
		else
			amount_cell(t, c.u, show == TRACE_OFF ? b->spare[i] : 0, show, &c);
		if (!batch_put(b, i, &c))
			return false;
	}
	return true;
}

static bool
table_batch(struct item_rows *s, struct batch *b, size_t n, bool run, unsigned show, enum cell_type type)
{
	for (size_t i = 1; run && i < n; i++)
		b->u[i] = b->u[0] + i;
	if (!TRACE(s)->all_cpu && (show == TRACE_WEIGHT_CPU || show == TRACE_OFF))
		return false;
	if (show == TRACE_CPU || show >= TRACE_TICKS)
		return amounts_batch(TRACE(s), b, n, (enum trace_show)show, type);
	b->values = values_named(s->st, (enum trace_show)show);
	for (size_t i = 0; i < n; i++)
		if (b->u[i] >= b->values)
			return false;
	b->type = type;
	return true;
}

/* ---- tables of calls --------------------------------------------------------------- */

/* Callers have smaller ids: stop at any other. */
static bool
any_cell(struct item_rows *s, uint64_t id, struct buf *b)
{
	struct trace_own *t = TRACE(s);
	uint64_t up;

	for (; id != 0; id = up < id ? up : 0) {
		up = column_get(t->parent, id - 1);
		if (!any_add(&t->frames, (uint32_t)column_get(t->method, id - 1)))
			b->bad = true;
	}
	any_text(&t->frames, s->st, b);
	return true;
}

static int
calls_find(struct rows *r, struct str name, UNUSED bool quoted)
{
	static const struct origin any = { .text = any_cell };
	struct column_set *set = &TRACE((struct item_rows *)r)->set;
	int col = any_find(r, set, name);

	if (col >= 0 && set->from[col] == UINT8_MAX)
		set->col[col].origin = &any;
	return col;
}

/* The calls of a thread are adjacent rows, in the order of their ids. */
static uint64_t
calls_caller(struct rows *r, uint64_t row, uint32_t *method)
{
	struct item_rows *s = (struct item_rows *)r;
	uint32_t id = *(const uint32_t *)item_rows_item(s, row),
	    up = (uint32_t)column_get(TRACE(s)->parent, id - 1);

	*method = (uint32_t)column_get(TRACE(s)->method, id - 1);
	return up == 0 || up >= id || row < id - up ? 0 : row + 1 - (id - up);
}

const struct rows_ops calls_ops = { ITEM_OPS, .find = calls_find, .known = any_known,
    .caller = calls_caller };

/* ---- all tables -------------------------------------------------------------------- */

/* Sum the weights of all threads: percentages refer to the sum. */
static uint64_t
weights_whole(const struct store *st)
{
	const struct column *wall = store_column(st, COL_THREAD_WALL);
	uint64_t whole = 0;

	for (uint64_t i = 0; wall != NULL && i < wall->rows; i++)
		whole = num_add(whole, column_get(wall, i));
	return whole;
}

static bool
table_open(struct item_rows *s, const struct stage *stage, UNUSED struct err *err)
{
	struct trace_own *t = TRACE(s);

	t->cpu = TRACK_INDEX("cpu");
	rows_weigh(&s->rows, &t->set, stage, s->st);
	t->parent = store_column(s->st, COL_CALL_PARENT);
	t->method = store_column(s->st, COL_CALL_METHOD);
	t->listed = store_column(s->st, COL_LISTED_NAME);
	t->tick = trace_ns(s->st, 1);
	t->zero = moment_zero(s->st);
	t->dated = fact_value(s->st, FACT_ELAPSED) >= MOMENTS_DAY;
	t->off = trace_has_clock(s->st, CLOCK_OFF);
	t->wall_clock = trace_has_clock(s->st, CLOCK_WALL);
	t->overhead = t->wall_clock ? fact_value(s->st, FACT_CLOCK_OVERHEAD) : 0;
	t->all_cpu = store_column(s->st, COL_LISTED_CPU) == NULL;
	t->cpu_clock = trace_has_clock(s->st, CLOCK_CPU);
	/* Ignore the tracks of tasks: the pass that makes them may not have run. */
	t->tracks = !t->cpu_clock && store_column(s->st, COL_SWITCH_TIME) == NULL;
	weights_of(s->st, &t->weights);
	t->whole = weights_whole(s->st);
	return true;
}

static void
table_close(struct item_rows *s)
{
	label_columns_free(TRACE(s));
	free(TRACE(s)->frames.method);
	idmap_free(&TRACE(s)->cpu.places);
}

const struct domain trace_domain = {
	.size = sizeof(struct trace_own), .open = table_open, .close = table_close, .cell = trace_cell,
	    .batch = table_batch, .value = trace_cell
};
