/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_records: the raw records of a trace.
 */
#include "config.h"

#include "icecore/chunk.h"
#include "icecore/columns_trace.h"
#include "trace.h"

#define BLOCK CHUNK_OF(256)		/* records read at once */

struct records_rows {
	struct item_rows	 rows;
	struct records		 in;
	struct idmap		 methods;	/* raw id to id */
	struct record		 record[BLOCK];
	uint64_t		 offset[BLOCK];
	uint64_t		 first, n;	/* rows that are in record */
	bool			 mapped;	/* methods is filled */
};

/* ---- cells ------------------------------------------------------------------------- */

static bool
q_records_map_methods(struct records_rows *s)
{
	const struct column *raw = store_column(s->rows.st, COL_METHOD_RAW);

	for (uint64_t row = 0; raw != NULL && row < raw->rows; row++)
		if (!idmap_put(&s->methods, column_get(raw, row),
		    (uint32_t)row + 1, &s->rows.rows.err))
			return false;
	s->mapped = true;
	return true;
}

/* An exit of the innermost call, whatever that is, names no method. */
static bool
names_method(struct item_rows *s, UNUSED uint64_t *raw)
{
	return ((const struct record *)s->item)->action < ACT_EXIT_TOP;
}

static bool
method_of(struct item_rows *r, uint64_t *n)
{
	struct records_rows *s = (struct records_rows *)r;
	bool has = names_method(r, n) && (s->mapped || q_records_map_methods(s));

	*n = has ? idmap_get(&s->methods, *n) : 0;
	return has;
}

static void
row_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->u = s->at + 1;
}

static void
offset_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	const struct records_rows *s = (const struct records_rows *)r;

	c->u = r->at - s->first < s->n ? s->offset[r->at - s->first] : 0;
	c->type = c->u == UINT64_MAX ? CELL_NONE : CELL_ID;
}

static const column_id method_needs[] = { COL_METHOD_RAW, COL_NONE };

#define OF(member) ITEM(struct record, member)
#define OF_METHOD(what) MADE(.show = (what), .number = method_of, OF(method)), .needs = method_needs

static const struct coldef record_cols[] = {
	{ "row", CELL_ID, "record number, from 1", COMPUTED(row_cell, .quick = true) },
	{ "offset", CELL_ID, "offset in the uncompressed file; empty for text",
	    COMPUTED(offset_cell, .quick = true) },
	{ "tid", CELL_ID, "thread id", MADE(OF(tid)) },
	{ "method", CELL_TEXT, "class and method", OF_METHOD(TRACE_METHOD), FUNCTION },
	{ "action", CELL_TEXT, "enter, exit, unroll or other", MADE(.show = TRACE_ACTION, OF(action)) },
	{ "cpu", CELL_TIME, "raw thread CPU clock", MADE(.show = TRACE_TICKS, OF(cpu)) },
	{ "wall", CELL_TIME, "raw wall clock", MADE(.show = TRACE_TICKS, OF(wall)) },
	{ "method_id", CELL_ID, "id of the method", MORE, OF_METHOD(SHOW_NUMBER), METHOD_ID },
	{ "raw", CELL_ID, "id of the method in the file", MORE, MADE(.number = names_method, OF(method)) },
	{ "package", CELL_TEXT, "package of the method", MORE, OF_METHOD(TRACE_PACKAGE) }
};

/* ---- rows -------------------------------------------------------------------------- */

static bool
q_records_read_block(struct records_rows *s, uint64_t row)
{
	s->first = row;
	s->n = records_seek(&s->in, row) ? records_read(&s->in, s->record, s->offset, BLOCK) : 0;
	return s->n > 0;
}

/* Return the record of a row; zeros if reading the file failed. */
static const void *
record_at(struct item_rows *r, uint64_t row)
{
	static const struct record none;
	struct records_rows *s = (struct records_rows *)r;

	if (row - s->first >= s->n && !q_records_read_block(s, row))
		return &none;
	return &s->record[row - s->first];
}

static uint64_t
records_together(const struct item_rows *r, uint64_t row)
{
	const struct records_rows *s = (const struct records_rows *)r;

	return row - s->first < s->n ? s->first + s->n - row : 1;
}

static bool
records_begin(struct item_rows *r, UNUSED const struct stage *stage, struct err *err)
{
	struct records_rows *s = (struct records_rows *)r;
	bool ok = store_is_blank(r->st) || records_open(&s->in, r->st, err);

	r->n = s->in.rows;
	return ok;
}

static void
records_end(struct item_rows *r)
{
	idmap_free(&((struct records_rows *)r)->methods);
}

static const struct source records = {
	.domain = &trace_domain, .size = sizeof(struct records_rows), .item = sizeof(struct record),
	    .begin = records_begin,
	.item_at = record_at, .together = records_together, .end = records_end
};

const struct command source_records = {
	SOURCE("records", "raw records in file order, before repairs",
	    "records | where action = exit | head 3",
	    item_rows_open),
	OVER(SHAPE_INTERVALS, record_cols), .source = &records
};
