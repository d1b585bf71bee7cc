/*
 * table: rows that stand in columns of the store.
 */
#include "config.h"

#include <stdlib.h>

#include "table.h"

#define FIELDS_MAX 24

struct table {
	struct rows		 rows;
	const struct store	*store;
	const struct field	*field;
	const struct column	*column[FIELDS_MAX], *other[FIELDS_MAX];
	struct id_range		*range;
	size_t			 nranges;
	uint64_t		 n;
	uint64_t		 tick;		/* ns */
	bool			 off;		/* both clocks are there */
	struct buf		 text;		/* of the last cell */
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

/* "Binder:12_3" and "Binder:7_11" are of the pool "Binder:*_*". */
static void
pool_of(struct buf *b)
{
	size_t i, n = 0;
	bool digit, before = false;

	for (i = 0; i < b->n; i++, before = digit) {
		digit = b->s[i] >= '0' && b->s[i] <= '9';
		if (!digit)
			b->s[n++] = b->s[i];
		else if (!before)
			b->s[n++] = '*';
	}
	b->n = n;
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
		pool_of(&t->text);
		break;
	case FIELD_EARLIER:
		thread_earlier(t->store, id, &t->text);
		break;
	case FIELD_DOTTED:
		class_name(store_text(t->store, value), &t->text);
		break;
	default:
		break;
	}
}

static void
table_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct table *t = (struct table *)r;
	const struct field *f = &t->field[col];
	uint32_t id = table_id(t, row);
	uint64_t less, v = f->column == NULL ? id :
	    column_get(t->column[col], id - 1);

	c->type = r->cols[col].type;
	switch (f->kind) {
	case FIELD_ID:
	case FIELD_NUMBER:
		c->u = v;
		break;
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
	case FIELD_DOTTED:
	case FIELD_METHOD:
	case FIELD_THREAD:
	case FIELD_POOL:
	case FIELD_EARLIER:
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
	buf_free(&t->text);
}

static const struct rows_ops table_ops = { table_reach, table_cell, table_close };

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
	t->tick = trace_ns(t->store, 1);
	t->off = trace_has_clock(t->store, CLOCK_OFF);
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

bool
table_open(struct session *session, const struct command *command,
    const struct field *field, const char *key, struct id_range *range,
    size_t nranges, struct rows **out, struct err *err)
{
	struct table *t = rows_new(sizeof *t, &table_ops, session, NULL, err);
	size_t i;

	if (t == NULL) {
		free(range);
		return false;
	}
	t->rows.cols = command->cols;
	t->rows.ncols = command->ncols;
	t->store = session_store(session);
	t->field = field;
	t->range = range;
	t->nranges = nranges;
	*out = &t->rows;
	if (t->store == NULL)
		return true;
	find_columns(t);
	if (range == NULL && !whole_range(t, key, err)) {
		rows_close(&t->rows);
		return false;
	}
	for (i = 0; i < t->nranges; i++) {
		t->range[i].row = t->n;
		t->n += t->range[i].n;
	}
	return true;
}
