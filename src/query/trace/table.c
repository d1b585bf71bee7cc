/*
 * table: rows that stand in columns of the store.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/view.h"
#include "trace.h"

struct table {
	struct rows		 rows;
	const struct store	*store;
	struct column_set	 set;
	struct field		 field[COLUMN_SET_MAX];
	const struct column	*column[COLUMN_SET_MAX], *other[COLUMN_SET_MAX];
	struct weights		 weights;
	uint64_t		 whole;		/* weights of all threads */
	struct id_range		*range;
	size_t			 nranges;
	uint64_t		 n;
	uint64_t		 tick;		/* ns */
	bool			 off;		/* both clocks are there */
	bool			 calls;		/* a row is a call */
	struct buf		 text;		/* of the last cell */
	const struct column	*parent, *method;	/* of calls; else NULL */
	struct any		 frames;
	struct track_index	 cpu;		/* of traces whose records have no CPU clock */
	bool			 tracks;	/* there may be some */
};

static uint32_t
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
add_kind(struct table *t, uint32_t method)
{
	char kind = method_kind(t->store, method);

	if (kind != 0)
		buf_chr(&t->text, kind);
}

/* A caller has a smaller id. */
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
text_cell(struct table *t, size_t col, uint32_t id, uint64_t value)
{
	buf_clear(&t->text);
	switch (t->field[col].kind) {
	case FIELD_NAME:
		method_name(t->store, id, &t->text);
		break;
	case FIELD_METHOD:
		method_name(t->store, (uint32_t)value, &t->text);
		break;
	case FIELD_THREAD:
		thread_name(t->store, (uint32_t)value, &t->text);
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
		add_kind(t, (uint32_t)value);
		break;
	case FIELD_ANY:
		any_cell(t, id);
		break;
	default:
		break;
	}
}

static void
amount_cell(const struct table *t, size_t col, uint32_t id, uint64_t v, struct cell *c)
{
	uint64_t less;

	switch (t->field[col].kind) {
	case FIELD_TICKS:
		cell_ticks(c, v, t->tick);
		break;
	case FIELD_OFF:
		less = column_get(t->other[col], id - 1);
		cell_ticks(c, t->off && v > less ? v - less : 0, t->tick);
		break;
	case FIELD_LINE:
		c->i = (int64_t)v;
		if (id > (t->column[col] == NULL ? 0 : t->column[col]->rows) ||
		    c->i < 0)
			c->type = CELL_NONE;
		break;
	case FIELD_DELTA:
		cell_weight(c, &t->weights, CLOCK_OFF, v - column_get(t->other[col], id - 1));
		break;
	case FIELD_BEFORE:
		cell_weight(c, &t->weights, CLOCK_CPU, v);
		break;
	case FIELD_SHARE:
		c->f = t->whole == 0 ? 0 : 100.0 * (double)v / (double)t->whole;
		break;
	default:
		cell_weight(c, &t->weights, CLOCK_WALL, v);
		break;
	}
}

/* From the first record of a thread to its last, as far as it is in the view. */
static bool
cpu_of_track(struct table *t, uint32_t id, struct cell *cpu)
{
	struct cell start, end, use;
	uint64_t from, to;

	cpu->type = CELL_NONE;
	if (!t->tracks)
		return false;
	cell_ticks(&start, column_get(store_column(t->store, "thread.start"), id - 1), t->tick);
	cell_ticks(&end, column_get(store_column(t->store, "thread.end"), id - 1), t->tick);
	view_range(t->store, &from, &to);
	from = from > start.u ? from : start.u;
	to = to < end.u ? to : end.u;
	cell_cpu_inside(&t->cpu, t->store, id, from, to > from ? to : from, cpu, &use);
	return cpu->type != CELL_NONE;
}

static void
cpu_cell(struct table *t, size_t col, uint32_t id, uint64_t v, struct cell *c)
{
	bool off = t->field[col].kind == FIELD_OFF_CPU;
	uint64_t less = off ? column_get(t->other[col], id - 1) : 0;
	struct cell cpu;

	if (!cpu_of_track(t, id, &cpu)) {
		cell_ticks(c, !off ? v : t->off && v > less ? v - less : 0, t->tick);
		return;
	}
	cell_ticks(c, v, t->tick);
	c->u = !off ? cpu.u : c->u > cpu.u ? c->u - cpu.u : 0;
}

static void
table_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct table *t = (struct table *)r;
	const struct field *f = &t->field[col];
	uint32_t id = table_id(t, row);
	uint64_t v = f->column == NULL ? id : column_get(t->column[col], id - 1);

	c->type = r->cols[col].type;
	switch (f->kind) {
	case FIELD_ID:
	case FIELD_NUMBER:
		c->u = v;
		break;
	case FIELD_CPU:
	case FIELD_OFF_CPU:
		cpu_cell(t, col, id, v, c);
		break;
	case FIELD_TICKS:
	case FIELD_OFF:
	case FIELD_WEIGHT:
	case FIELD_BEFORE:
	case FIELD_DELTA:
	case FIELD_SHARE:
	case FIELD_LINE:
		amount_cell(t, col, id, v, c);
		break;
	case FIELD_TEXT:
		c->text = store_text(t->store, v);
		break;
	case FIELD_NAME:
		/* Names are searched by the million: where one lies in the source it is not copied. */
		if (t->column[col] != NULL && id <= t->column[col]->rows) {
			c->text = store_text(t->store, v);
			break;
		}
		text_cell(t, col, id, v);
		cell_text(r, c, &t->text);
		break;
	case FIELD_BY:
		c->text = str_of(thread_by(t->store, id));
		break;
	case FIELD_STATE:
		c->text = thread_state(t->store, id);
		break;
	case FIELD_DOTTED:
	case FIELD_METHOD:
	case FIELD_THREAD:
	case FIELD_POOL:
	case FIELD_EARLIER:
	case FIELD_KIND:
	case FIELD_ANY:
		text_cell(t, col, id, v);
		cell_text(r, c, &t->text);
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

static int
table_find(struct rows *r, struct str name, bool quoted)
{
	struct table *t = (struct table *)r;
	int col = -1;

	if (!quoted && t->calls)
		col = any_find(r, &t->set, name);
	if (col >= 0 && t->set.from[col] == UINT8_MAX)
		t->field[col] = (struct field){ FIELD_ANY, NULL, NULL };
	return col;
}

static bool
table_known(struct rows *r, uint64_t i, struct str *name)
{
	*name = STR(COLUMN_ANY);
	return ((struct table *)r)->calls && i == 0;
}

/* The calls of a thread stand together, in the order of their ids. */
static uint64_t
table_caller(struct rows *r, uint64_t row, uint32_t *method)
{
	struct table *t = (struct table *)r;
	uint32_t id = table_id(t, row), up = (uint32_t)column_get(t->parent, id - 1);

	*method = (uint32_t)column_get(t->method, id - 1);
	return up == 0 || up >= id || row < id - up ? 0 : row + 1 - (id - up);
}

static const struct rows_ops table_ops = { .reach = table_reach, .cell = table_cell,
	.close = table_close, .find = table_find, .known = table_known, .caller = table_caller };

bool
table_is_calls(const struct rows *r)
{
	return r->ops == &table_ops && ((const struct table *)r)->calls;
}

/* What percentages are of. */
static uint64_t
weights_whole(const struct store *st)
{
	const struct column *wall = store_column(st, "thread.wall");
	uint64_t i, whole = 0;

	for (i = 0; wall != NULL && i < wall->rows; i++)
		whole = num_add(whole, column_get(wall, i));
	return whole;
}

static void
find_columns(struct table *t)
{
	const struct field *f;
	size_t i;

	for (i = 0; i < t->rows.ncols; i++) {
		f = &t->field[i];
		if (f->column != NULL)
			t->column[i] = store_column(t->store, f->column);
		if (f->other != NULL)
			t->other[i] = store_column(t->store, f->other);
	}
	t->parent = store_column(t->store, "call.parent");
	t->method = store_column(t->store, "call.method");
	t->tick = trace_ns(t->store, 1);
	t->off = trace_has_clock(t->store, CLOCK_OFF);
	/* Those of tasks are made by a pass that may have run or not. */
	t->tracks = !trace_has_clock(t->store, CLOCK_CPU) && store_column(t->store, "switch.time") == NULL;
	weights_of(t->store, &t->weights);
	t->whole = weights_whole(t->store);
}

/* All ids that the column key has. */
static bool
whole_range(struct table *t, const char *key, struct err *err)
{
	const struct column *c = store_column(t->store, key);

	t->range = mem_array(1, sizeof *t->range);
	if (t->range == NULL)
		return fail(err, E_SYSTEM, "no memory for the answer");
	t->range->first = 1;
	t->range->n = c == NULL ? 0 : (uint32_t)c->rows;
	t->nranges = 1;
	return true;
}

/* The columns that the store has, each with its field. */
static void
take_columns(struct table *t, const struct table_kind *kind)
{
	size_t i;

	t->calls = strcmp(kind->key, "call.method") == 0;
	weight_columns(&t->set, kind->cols, kind->ncols, t->store);
	t->rows.cols = t->set.col;
	t->rows.ncols = t->set.n;
	for (i = 0; i < t->set.n; i++)
		t->field[i] = kind->field[t->set.from[i]];
}

bool
table_open(struct session *session, const struct table_kind *kind, struct id_range *range,
    size_t nranges, struct rows **out, struct err *err)
{
	struct table *t = rows_new(sizeof *t, &table_ops, session, NULL, err);
	size_t i;

	if (t == NULL) {
		free(range);
		return false;
	}
	t->store = session_store(session);
	t->cpu = TRACK_INDEX("cpu");
	t->range = range;
	t->nranges = nranges;
	take_columns(t, kind);
	*out = &t->rows;
	if (t->store == NULL)
		return true;
	find_columns(t);
	if (range == NULL && !whole_range(t, kind->key, err)) {
		rows_close(&t->rows);
		return false;
	}
	for (i = 0; i < t->nranges; i++) {
		t->range[i].row = t->n;
		t->n += t->range[i].n;
	}
	return true;
}
