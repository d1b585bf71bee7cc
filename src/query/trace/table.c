/*
 * table: rows that are declared: they stand in columns of the store, or are structs.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/sched.h"
#include "icecore/view.h"
#include "table.h"

uint32_t
table_id(const struct table *t, uint64_t row)
{
	const struct id_range *r = t->range;
	size_t low = 0, high = t->nranges, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (r[middle].row <= row)
			low = middle;
		else
			high = middle;
	}
	return r[low].first + (uint32_t)(row - r[low].row);
}

static void
table_add_kind(struct table *t, uint32_t method)
{
	char kind = method_kind(t->store, method);

	if (kind != 0)
		buf_chr(&t->text, kind);
}

/* Callers have smaller ids: stop at any other. */
static void
any_cell(struct table *t, uint32_t id)
{
	uint32_t up;

	for (; id != 0; id = up < id ? up : 0) {
		up = (uint32_t)column_get(t->parent, id - 1);
		if (!any_add(&t->frames, (uint32_t)column_get(t->method, id - 1)))
			t->text.bad = true;
	}
	any_text(&t->frames, t->store, &t->text);
}

static void
table_text_cell(struct table *t, size_t col, uint32_t id, uint64_t value)
{
	buf_clear(&t->text);
	switch ((enum field_kind)t->set.col[col].kind) {
	case FIELD_NAME:
		method_name(t->store, id, &t->text);
		break;
	case FIELD_METHOD:
		method_name(t->store, (uint32_t)value, &t->text);
		break;
	case FIELD_CLOCK:
		if (t->zero != 0)
			moment_show(num_add(t->zero, value), t->dated, &t->text);
		break;
	case FIELD_THREAD:
		thread_name(t->store, (uint32_t)value, &t->text);
		break;
	case FIELD_LABEL:
		thread_label(t->store, (uint32_t)value, &t->text);
		break;
	case FIELD_WAKER:
		waker_name(t->store, (uint32_t)value, &t->text);
		break;
	case FIELD_POOL:
		thread_name(t->store, id, &t->text);
		name_pool(&t->text, 0);
		break;
	case FIELD_EARLIER:
		thread_earlier(t->store, id, &t->text);
		break;
	case FIELD_DOTTED:
		class_name(store_text(t->store, value), &t->text);
		break;
	case FIELD_KIND:
		table_add_kind(t, (uint32_t)value);
		break;
	case FIELD_MODULE:
		buf_str(&t->text, method_module(t->store, (uint32_t)value));
		break;
	case FIELD_FILE:
		buf_str(&t->text, method_file(t->store, (uint32_t)value));
		break;
	case FIELD_PACKAGE:
		view_group_name(t->store, (uint32_t)value, VIEW_PACKAGE, &t->text);
		break;
	case FIELD_LETTER:
		if (value != 0)
			buf_chr(&t->text, (char)value);
		break;
	case FIELD_ANY:
		any_cell(t, id);
		break;
	default:
		break;
	}
}

/* Deltas may be negative; off-CPU time is clamped at 0. */
static void
table_off_cell(const struct table *t, uint64_t v, uint64_t less, struct cell *c)
{
	if (!t->weights.differs && (!t->off || v <= less))
		v = less;
	cell_weight(c, &t->weights, CLOCK_OFF, v - less);
}

static void
table_line_cell(const struct table *t, size_t col, uint32_t id, uint64_t v, struct cell *c)
{
	c->i = (int64_t)v;
	if (id > (t->column[col] == NULL ? 0 : t->column[col]->rows) || c->i < 0)
		c->type = CELL_NONE;
}

/* Read the CPU time of a thread from its track, between its first and last record and within the view. */
static bool
cpu_of_track(struct table *t, uint32_t id, struct cell *cpu)
{
	struct cell start, end, use;
	uint64_t from, to;

	cpu->type = CELL_NONE;
	if (!t->tracks)
		return false;
	cell_ticks(&start, column_get(store_column(t->store, COL_THREAD_START), id - 1), t->tick);
	cell_ticks(&end, column_get(store_column(t->store, COL_THREAD_END), id - 1), t->tick);
	view_range(t->store, &from, &to);
	from = from > start.u ? from : start.u;
	to = to < end.u ? to : end.u;
	cell_cpu_inside(&t->cpu, t->store, id, from, to > from ? to : from, cpu, &use);
	return cpu->type != CELL_NONE;
}

static void
table_cpu_cell(struct table *t, size_t col, uint32_t id, uint64_t v, struct cell *c)
{
	bool off = t->set.col[col].kind == FIELD_OFF_CPU;
	uint64_t less = off ? column_get(t->other[col], id - 1) : 0;
	struct cell cpu;

	if (t->cpu_clock) {
		cell_ticks(c, !off ? v : t->off && v > less ? v - less : 0, t->tick);
		return;
	}
	if (!cpu_of_track(t, id, &cpu)) {
		c->type = CELL_NONE;
		return;
	}
	cell_ticks(c, v, t->tick);
	c->u = !off ? cpu.u : c->u > cpu.u ? c->u - cpu.u : 0;
}

static uint64_t
cpu_of(struct table *t, size_t col, uint32_t id)
{
	const struct coldef *def = &t->set.col[col];
	struct cell c = { .type = CELL_TIME };

	if (def->cell != NULL)
		def->cell(t->store, id, &c);
	else
		table_cpu_cell(t, col, id, def->column == COL_NONE ? 0 : column_get(t->column[col], id - 1), &c);
	return c.type == CELL_NONE ? 0 : c.u;
}

static void
part_of_cpu(struct table *t, size_t col, uint32_t id, struct cell *c)
{
	const struct column *tid = store_column(t->store, COL_THREAD_TID);

	for (uint32_t i = 1; !t->has_cpu && tid != NULL && i <= tid->rows; i++)
		t->whole_cpu = num_add(t->whole_cpu, cpu_of(t, col, i));
	t->has_cpu = true;
	cell_part(c, cpu_of(t, col, id), t->whole_cpu);
}

static void
part_of_self(struct table *t, uint64_t wall, uint64_t cpu, struct cell *c)
{
	uint64_t weight;

	if (!t->has_self)
		t->whole_self = self_weights(&t->rows, t->store, &t->weights);
	t->has_self = true;
	if (weight_by_clock(&t->rows, &t->weights, wall, cpu, &weight))
		cell_part(c, weight, t->whole_self);
	else
		c->type = CELL_NONE;
}

/* Queries search millions of names: names that the store has as a whole are not copied. */
static void
table_name_cell(struct table *t, size_t col, uint32_t id, uint64_t v, struct cell *c)
{
	if (t->set.col[col].kind == FIELD_NAME && id <= column_rows(t->column[col]) && (v != 0 || store_cell(t->store, COL_LISTED_OWN, id) == 0)) {
		c->text = store_text(t->store, v);
	} else {
		table_text_cell(t, col, id, v);
		cell_text(&t->rows, c, &t->text);
	}
}

/* Return a text that the store has as a whole; false: the text has to be built. */
static bool
kept_text(const struct table *t, size_t col, uint32_t id, uint64_t v, struct cell *c)
{
	switch ((enum field_kind)t->set.col[col].kind) {
	case FIELD_TEXT:
		c->text = store_text(t->store, v);
		return true;
	case FIELD_WORD:
		c->text = word_text(t->store, (uint32_t)v);
		return true;
	case FIELD_PROCESS:
		c->text = process_name(t->store, (uint32_t)v);
		return true;
	case FIELD_PID:
		c->text = word_text(t->store, (uint32_t)store_cell(t->store, COL_PROCESS_PID, (uint32_t)v));
		return true;
	case FIELD_BY:
		c->text = str_of(thread_by(t->store, id));
		return true;
	case FIELD_STATE:
		c->text = thread_state(t->store, id);
		return true;
	case FIELD_TOP:
		c->text = thread_top(t->store, id);
		return true;
	default:
		return false;
	}
}

void
table_value(struct rows *r, size_t col, uint64_t value, struct cell *c)
{
	struct table *t = (struct table *)r;

	if (!kept_text(t, col, 0, value, c))
		table_name_cell(t, col, 0, value, c);
}

static void
table_table_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct table *t = (struct table *)r;
	const struct coldef *def = &t->set.col[col];
	uint32_t id = table_id(t, row);
	uint64_t v = def->column == COL_NONE ? id : column_get(t->column[col], id - 1);
	uint64_t other = def->other == COL_NONE ? 0 : column_get(t->other[col], id - 1);

	c->type = def->type;
	switch ((enum field_kind)def->kind) {
	case FIELD_ID:
		c->u = id;
		break;
	case FIELD_PROCESSOR:
		c->type = v == SWITCH_NO_CPU ? CELL_NONE : c->type;
		c->u = v;
		break;
	case FIELD_CPU:
	case FIELD_OFF_CPU:
		table_cpu_cell(t, col, id, v, c);
		break;
	case FIELD_TICKS:
		cell_ticks(c, v, t->tick);
		break;
	case FIELD_WEIGHT:
	case FIELD_WEIGHT_CPU:
		cell_weight(c, &t->weights, def->kind == FIELD_WEIGHT_CPU ? CLOCK_CPU : CLOCK_WALL, v);
		break;
	case FIELD_OFF:
		table_off_cell(t, v, other, c);
		break;
	case FIELD_SHARE:
		c->f = t->whole == 0 ? 0 : 100.0 * (double)v / (double)t->whole;
		break;
	case FIELD_PART_OF_SELF:
		part_of_self(t, v, other, c);
		break;
	case FIELD_PART_OF_CPU:
		part_of_cpu(t, col, id, c);
		break;
	case FIELD_PART:
		cell_part(c, v, num_add(v, other));
		break;
	case FIELD_LINE:
		table_line_cell(t, col, id, v, c);
		break;
	case FIELD_REAL:
		c->f = column_real(t->column[col], id - 1);
		break;
	case FIELD_CELL:
		def->cell(t->store, id, c);
		break;
	default:
		c->u = v;
		if (c->type == CELL_TEXT && !kept_text(t, col, id, v, c))
			table_name_cell(t, col, id, v, c);
		break;
	}
}

static uint64_t
table_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct table *)r)->n;
}

static void
table_close(struct rows *r)
{
	struct table *t = (struct table *)r;

	free(t->range);
	free(t->frames.method);
	idmap_free(&t->cpu.places);
	buf_free(&t->text);
}

/* ---- tables of calls --------------------------------------------------------------- */

static int
calls_find(struct rows *r, struct str name, bool quoted)
{
	struct table *t = (struct table *)r;
	int col = any_find(r, &t->set, name);

	(void)quoted;
	if (col >= 0 && t->set.from[col] == UINT8_MAX)
		t->set.col[col].kind = FIELD_ANY;
	return col;
}

/* The calls of a thread are adjacent rows, in the order of their ids. */
static uint64_t
calls_caller(struct rows *r, uint64_t row, uint32_t *method)
{
	struct table *t = (struct table *)r;
	uint32_t id = table_id(t, row), up = (uint32_t)column_get(t->parent, id - 1);

	*method = (uint32_t)column_get(t->method, id - 1);
	return up == 0 || up >= id || row < id - up ? 0 : row + 1 - (id - up);
}

static const struct rows_ops calls_ops = { .reach = table_reach, .cell = table_table_cell,
	.close = table_close, .find = calls_find, .known = any_known, .caller = calls_caller,
	.batch = table_batch, .value = table_value };

bool
table_is_calls(const struct rows *r)
{
	return r->ops == &calls_ops;
}

/* ---- all tables -------------------------------------------------------------------- */

static const struct rows_ops table_ops = { .reach = table_reach, .cell = table_table_cell, .close = table_close,
	.batch = table_batch, .value = table_value };

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

static void
table_find_columns(struct table *t)
{
	const struct coldef *def;

	for (size_t i = 0; i < t->set.n; i++) {
		def = &t->set.col[i];
		if (def->column != COL_NONE)
			t->column[i] = store_column(t->store, def->column);
		if (def->other != COL_NONE)
			t->other[i] = store_column(t->store, def->other);
		if (def->kind == FIELD_MOMENT)
			t->moment = t->column[i];
	}
	t->parent = store_column(t->store, COL_CALL_PARENT);
	t->method = store_column(t->store, COL_CALL_METHOD);
	t->tick = trace_ns(t->store, 1);
	t->zero = moment_zero(t->store);
	t->dated = fact_value(t->store, FACT_ELAPSED) >= MOMENTS_DAY;
	t->off = trace_has_clock(t->store, CLOCK_OFF);
	t->cpu_clock = trace_has_clock(t->store, CLOCK_CPU);
	/* Ignore the tracks of tasks: the pass that makes them may not have run. */
	t->tracks = !t->cpu_clock && store_column(t->store, COL_SWITCH_TIME) == NULL;
	weights_of(t->store, &t->weights);
	t->whole = weights_whole(t->store);
}

/* Select all ids of the first column, or those in the range of a view. */
static bool
whole_range(struct table *t, struct err *err)
{
	const struct column *c = t->column[0];
	uint64_t from, to, first = 0, end = c == NULL ? 0 : c->rows;

	t->range = mem_array(1, sizeof *t->range);
	if (t->range == NULL)
		return fail(err, E_SYSTEM, "out of memory (answer)");
	if (t->moment != NULL && view_range(t->store, &from, &to)) {
		first = column_place(t->moment, from);
		end = column_place(t->moment, to);
	}
	t->range->first = (uint32_t)first + 1;
	t->range->n = (uint32_t)(end - first);
	t->nranges = 1;
	return true;
}

bool
table_open(struct session *session, const struct stage *stage, struct id_range *range, size_t nranges, struct rows **out, struct err *err)
{
	const struct rows_ops *ops = stage->command->cols[0].column == COL_CALL_METHOD ? &calls_ops : &table_ops;
	struct table *t = rows_new(sizeof *t, ops, session, NULL, err);

	if (t == NULL) {
		free(range);
		return false;
	}
	t->store = session_store(session);
	t->cpu = TRACK_INDEX("cpu");
	t->range = range;
	t->nranges = nranges;
	rows_weigh(&t->rows, &t->set, stage, t->store);
	table_find_columns(t);
	if (range == NULL && !whole_range(t, err))
		return rows_opened(&t->rows, false, out);
	for (size_t i = 0; i < t->nranges; i++) {
		t->range[i].row = t->n;
		t->n += t->range[i].n;
	}
	return rows_opened(&t->rows, true, out);
}

bool
table_source(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	(void)in;
	return stage_at_most(stage, 0, err) && table_open(session, stage, NULL, 0, out, err);
}

/* ---- rows that are structs ------------------------------------------------------- */

bool
cell_member(struct rows *r, const struct store *st, const void *row, size_t col, struct buf *text, struct cell *c)
{
	const struct coldef *def = &r->cols[col];
	const unsigned char *at = (const unsigned char *)row + def->at;
	uint32_t u32 = 0;

	c->type = def->type;
	if (def->kind == FIELD_U64)
		memcpy(&c->u, at, sizeof c->u);
	else if (def->kind >= FIELD_U32 && def->kind < FIELD_OWN)
		memcpy(&u32, at, sizeof u32);
	switch ((enum field_kind)def->kind) {
	case FIELD_U64:
		return true;
	case FIELD_U32:
		c->u = u32;
		return true;
	case FIELD_U32_THREAD:
		cell_thread_name(r, st, u32, text, c);
		return true;
	case FIELD_U32_LABEL: case FIELD_U32_METHOD:
		buf_clear(text);
		(def->kind == FIELD_U32_LABEL ? thread_label : method_name)(st, u32, text);
		cell_text(r, c, text);
		return true;
	default:
		return false;
	}
}
