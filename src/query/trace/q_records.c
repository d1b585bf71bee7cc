/*
 * q_records: the records of a trace as they stand in the file.
 */
#include "config.h"

#include "icecore/batch.h"
#include "icecore/columns_trace.h"
#include "trace.h"

#define BLOCK 256		/* records read at once */

struct records_rows {
	struct rows		 rows;
	const struct store	*store;
	struct records		 in;
	struct idmap		 methods;	/* raw id + 1 to id */
	struct record		 record[BLOCK];
	uint64_t		 offset[BLOCK];
	uint64_t		 first, n;	/* rows that are in record */
	uint64_t		 tick;
	struct buf		 text;
	bool			 mapped;	/* methods is filled */
};

static const column_id method_needs[] = { COL_METHOD_RAW, COL_NONE };

/* Cells that are not members of struct record. */
enum { RECORD_ROW = FIELD_OWN, RECORD_OFFSET, RECORD_METHOD, RECORD_ACTION, RECORD_CPU, RECORD_WALL, RECORD_METHOD_ID,
	RECORD_RAW, RECORD_PACKAGE };

static const struct coldef record_cols[] = {
	{ "row", CELL_ID, "record number, from 1", false, RECORD_ROW },
	{ "offset", CELL_ID, "offset in the uncompressed file; empty for text", false, RECORD_OFFSET },
	{ "tid", CELL_ID, "thread id", false, FIELD_OF(struct record, tid) },
	{ "method", CELL_TEXT, "class and method", false, RECORD_METHOD, .needs = method_needs, .function = true },
	{ "action", CELL_TEXT, "enter, exit, unroll or other", false, RECORD_ACTION },
	{ "cpu", CELL_TIME, "raw thread CPU clock", false, RECORD_CPU },
	{ "wall", CELL_TIME, "raw wall clock", false, RECORD_WALL },
	{ "method_id", CELL_ID, "id of the method", true, RECORD_METHOD_ID, .needs = method_needs, .of = ID_METHOD },
	{ "raw", CELL_ID, "id of the method in the file", true, RECORD_RAW },
	{ "package", CELL_TEXT, "package of the method", true, RECORD_PACKAGE, .needs = method_needs }
};

static bool
q_records_map_methods(struct records_rows *s)
{
	const struct column *raw = store_column(s->store, COL_METHOD_RAW);

	for (uint64_t row = 0; raw != NULL && row < raw->rows; row++)
		if (!idmap_put(&s->methods, column_get(raw, row),
		    (uint32_t)row + 1, &s->rows.err))
			return false;
	s->mapped = true;
	return true;
}

static uint64_t
records_reach(struct rows *r, uint64_t n)
{
	struct records_rows *s = (struct records_rows *)r;

	return n == 0 || r->err.kind != E_NONE ? 0 : s->in.rows;
}

/* Return the record of a row; zeros if reading the file failed. */
static const struct record *
record_at(struct records_rows *s, uint64_t row, uint64_t *offset)
{
	static const struct record none;

	*offset = 0;
	if (row - s->first >= s->n) {
		s->first = row;
		s->n = 0;
		if (records_seek(&s->in, row))
			s->n = records_read(&s->in, s->record, s->offset, BLOCK);
	}
	if (row - s->first >= s->n)
		return &none;
	*offset = s->offset[row - s->first];
	return &s->record[row - s->first];
}

static const char *const action_names[] = {
	[ACT_ENTER] = "enter", [ACT_EXIT] = "exit", [ACT_EXIT_TOP] = "exit", [ACT_UNROLL] = "unroll",
	[ACT_UNROLL_TOP] = "unroll", [ACT_OTHER] = "other"
};

/* Fill a cell from the number of a method. */
static void
q_records_name_cell(struct records_rows *s, uint32_t method, unsigned col, struct cell *c)
{
	c->u = method;
	if (col == RECORD_PACKAGE)
		cell_package(&s->rows, s->store, method, &s->text, c);
	if (col != RECORD_METHOD)
		return;
	buf_clear(&s->text);
	method_name(s->store, method, &s->text);
	cell_text(&s->rows, c, &s->text);
}

/* An exit of the innermost call, whatever that is, names no method. */
static void
method_cell(struct records_rows *s, const struct record *rec, unsigned col, struct cell *c)
{
	if (rec->action >= ACT_EXIT_TOP || (col != RECORD_RAW && !s->mapped && !q_records_map_methods(s))) {
		c->type = CELL_NONE;
		return;
	}
	if (col == RECORD_RAW)
		c->u = rec->method;
	else
		q_records_name_cell(s, idmap_get(&s->methods, rec->method), col, c);
}

static void
records_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct records_rows *s = (struct records_rows *)r;
	uint64_t offset;
	const struct record *rec = record_at(s, row, &offset);

	if (cell_member(r, s->store, rec, col, &s->text, c))
		return;
	switch (r->cols[col].kind) {
	case RECORD_ROW:
		c->u = row + 1;
		break;
	case RECORD_OFFSET:
		c->u = offset;
		if (offset == UINT64_MAX)
			c->type = CELL_NONE;
		break;
	case RECORD_ACTION:
		c->text = str_of(action_names[rec->action < NELEM(action_names) ? rec->action : ACT_OTHER]);
		break;
	case RECORD_CPU:
		cell_ticks(c, rec->cpu, s->tick);
		break;
	case RECORD_WALL:
		cell_ticks(c, rec->wall, s->tick);
		break;
	default:
		method_cell(s, rec, r->cols[col].kind, c);
		break;
	}
}

/* Members of struct record are read cell by cell, which needs no look-up. */
static bool
records_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	struct records_rows *s = (struct records_rows *)r;
	unsigned kind = r->cols[col].kind;
	bool methods = kind == RECORD_METHOD || kind == RECORD_PACKAGE;
	const struct record *rec;
	uint64_t offset;

	if (!methods && kind != RECORD_ACTION)
		return batch_of_cells(r, first, n, col, b);
	if (methods && !s->mapped && !q_records_map_methods(s))
		return false;
	b->values = methods ? column_rows(store_column(s->store, COL_METHOD_RAW)) + 1 : NELEM(action_names);
	b->empty = methods;
	for (size_t i = 0; i < n; i++) {
		rec = record_at(s, first + i, &offset);
		b->none[i] = methods && rec->action >= ACT_EXIT_TOP;
		b->u[i] = methods ? idmap_get(&s->methods, rec->method) : rec->action < NELEM(action_names) ? rec->action : ACT_OTHER;
	}
	return true;
}

static void
records_value(struct rows *r, size_t col, uint64_t value, struct cell *c)
{
	struct records_rows *s = (struct records_rows *)r;

	if (r->cols[col].kind == RECORD_ACTION)
		c->text = str_of(action_names[value]);
	else
		q_records_name_cell(s, (uint32_t)value, r->cols[col].kind, c);
}

static void
records_close(struct rows *r)
{
	struct records_rows *s = (struct records_rows *)r;

	idmap_free(&s->methods);
	buf_free(&s->text);
}

static const struct rows_ops records_ops = { .reach = records_reach, .cell = records_cell, .close = records_close,
	.batch = records_batch, .value = records_value };

static bool
records_source(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct records_rows *s = rows_of_command(sizeof *s, &records_ops, session, stage, in, err);

	if (s == NULL)
		return false;
	s->store = session_store(session);
	s->tick = trace_ns(s->store, 1);
	return rows_opened(&s->rows, stage_at_most(stage, 0, err) &&
	    (store_is_blank(s->store) || records_open(&s->in, s->store, err)), out);
}

const struct command source_records = {
	SOURCE("records", "raw records in file order, before repairs", "records | where action = exit | head 3",
	    records_source),
	OVER(SHAPE_INTERVALS, record_cols)
};
