/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_sheet: the records of a table, whose columns are those of the file.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_table.h"
#include "icecore/facts.h"
#include "windows.h"
#include "query/trace/trace.h"

struct sheet_rows {
	struct rows		 rows;
	const struct store	*store;
	struct sheet		 sheet;
	struct windows	 windows;	/* fields of many records */
	struct sheet_reader	 reader;	/* reader of single records */
	uint64_t		 at;		/* the record that the reader has, from 1; 0: none */
	struct coldef		*cols;
	size_t			 cap;
	const struct column	*likely, *places, *block, *line;
	bool			 raw;		/* --raw: the last column is what is cut off */
	/* Columns of sizes and of nanoseconds, where the rows are files of a directory; 0: none. */
	size_t			 bytes, age;
};

static const struct coldef sheet_cols[] = {
	{ "line", CELL_ID, "first line of the record; the columns of the file follow" }
};
static const struct coldef file_column = { NULL, CELL_NONE, "column of the file" };

static uint64_t
sheet_rows_reach(struct rows *r, uint64_t n)
{
	struct sheet_rows *s = (struct sheet_rows *)r;

	(void)n;
	return r->err.kind != E_NONE ? 0 : s->sheet.records;
}

/* Seek to a record: jump to the start of its block, then skip records. */
static bool
q_sheet_seek(struct sheet_rows *s, uint64_t row)
{
	uint64_t block = row / SHEET_BLOCK, at = column_get(s->block, block),
	    line = column_get(s->line, block);

	if (s->at > row || row - s->at >= SHEET_BLOCK) {
		if (block >= column_rows(s->block) || at > (uint64_t)(s->sheet.end - s->sheet.data))
			return false;
		s->reader.at = s->sheet.data + at;
		s->reader.next_line = line;
		s->at = block * SHEET_BLOCK;
	}
	for (; s->at <= row; s->at++)
		if (!sheet_next(&s->reader, &s->rows.err))
			return false;
	return true;
}

#define SHORT_DIGITS 18u	/* numbers of no more fit 64 bits */

/* Parse a number of digits without a leading zero, as most are. */
static bool
q_sheet_digits(struct str text, int64_t *value)
{
	unsigned digit;

	if (text.n == 0 || text.n > SHORT_DIGITS || text.s[0] == '0')
		return false;
	*value = 0;
	for (size_t i = 0; i < text.n; i++) {
		if ((digit = (unsigned char)text.s[i] - '0') > 9)
			return false;
		*value = *value * 10 + digit;
	}
	return true;
}

/* Read a number with all decimals of its column; a number with a leading zero is a code. */
static bool
q_sheet_number_cell(uint64_t likely, uint64_t places, struct str text, struct cell *c)
{
	struct decimal d;
	struct amount a;

	if ((likely & SHEET_KIND_MASK) != SHEET_NUMBER)
		return false;
	if (places == 0 && q_sheet_digits(text, &c->i)) {
		c->type = CELL_INT;
		return true;
	}
	if ((text.n > 1 && text.s[0] == '0' && is_digit(text.s[1])) ||
	    sheet_amount(text, likely & SHEET_COMMA ? ',' : '.', &a) != AMOUNT_IS || a.rounded)
		return false;
	if (places == 0 && a.decimals == 0 && a.units <= INT64_MAX) {
		c->type = CELL_INT;
		c->i = a.below ? -(int64_t)a.units : (int64_t)a.units;
		return true;
	}
	if (a.units > (unsigned __int128)DECIMAL_MOST)
		return false;
	d = (struct decimal){ a.below ? -(__int128)a.units : (__int128)a.units, a.decimals };
	(void)decimal_add(&d, (struct decimal){ 0, (unsigned)places });
	cell_decimal(c, d, MONEY_NO_CURRENCY);
	return true;
}

/* Make the cell of a text in a column of the file, from 0. */
static void
cell_of(const struct sheet_rows *s, size_t column, struct str text, struct cell *c)
{
	c->type = CELL_NONE;
	if (q_sheet_number_cell(column_get(s->likely, column), column_get(s->places, column), text, c) ||
	    text.n == 0)
		return;
	c->type = CELL_TEXT;
	c->text = text;
}

static enum cell_type
integer_type(const struct sheet_rows *s, size_t col)
{
	return col == s->bytes ? CELL_BYTES : col == s->age ? CELL_TIME : CELL_INT;
}

static void
sheet_rows_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct sheet_rows *s = (struct sheet_rows *)r;
	bool cut = s->raw && col == r->ncols - 1;
	const struct window_column *read = col == 0 || cut ? NULL :
	    windows_have(&s->windows, (uint32_t)col - 1, row);

	c->type = CELL_NONE;
	if (read != NULL) {
		cell_of(s, col - 1, windows_text(&s->windows, read, row), c);
	} else if (s->at != row + 1 && !q_sheet_seek(s, row)) {
		return;
	} else if (col == 0) {
		c->type = CELL_ID;
		c->u = s->reader.line;
	} else if (cut) {
		c->type = CELL_TEXT;
		c->text = sheet_cut(&s->reader);
	} else {
		cell_of(s, col - 1, sheet_text(&s->reader, (uint32_t)col - 1), c);
	}
	if (col > 0 && c->type == CELL_INT)
		c->type = integer_type(s, col);
}

/* Read a column of n records as integers; false: some cells are not integers. */
static bool
q_sheet_integers(struct sheet_rows *s, const struct window_column *read, uint64_t first, size_t n,
    struct batch *b)
{
	struct cell c = { .type = CELL_NONE };

	b->type = integer_type(s, (size_t)read->column + 1);
	b->empty = false;
	for (size_t i = 0; i < n; i++) {
		cell_of(s, read->column, windows_text(&s->windows, read, first + i), &c);
		if (c.type != CELL_INT && c.type != CELL_NONE)
			return false;
		b->none[i] = c.type == CELL_NONE;
		b->empty |= c.type == CELL_NONE;
		b->u[i] = c.u;
	}
	return true;
}

/* Columns of numbers give integers; other columns give numbered texts. */
static bool
sheet_rows_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	struct sheet_rows *s = (struct sheet_rows *)r;
	bool numbers = col > 0 && (column_get(s->likely, col - 1) & SHEET_KIND_MASK) == SHEET_NUMBER;
	struct window_column *read;

	if (col == 0 || (s->raw && col == r->ncols - 1) || (read = windows_read(&s->windows,
	    (uint32_t)col - 1, first, n, r->work)) == NULL)
		return false;
	return numbers ? q_sheet_integers(s, read, first, n, b) :
	    windows_values(&s->windows, read, first, n, b);
}

static void
sheet_rows_value(struct rows *r, size_t col, uint64_t value, struct cell *c)
{
	struct sheet_rows *s = (struct sheet_rows *)r;

	c->type = CELL_TEXT;
	c->text = windows_value(&s->windows, (uint32_t)col - 1, value);
}

static void
sheet_rows_close(struct rows *r)
{
	struct sheet_rows *s = (struct sheet_rows *)r;

	for (size_t i = 0; i < r->ncols; i++)
		free((char *)(uintptr_t)s->cols[i].name);
	free(s->cols);
	windows_close(&s->windows);
	sheet_reader_close(&s->reader);
	sheet_close(&s->sheet);
}

/* A column like that, of another name. */
static bool
q_sheet_add_column(struct sheet_rows *s, struct str name, const struct coldef *like)
{
	struct buf fitted = BUF_INIT;
	char *copy;

	/* Headers and queries use the name as it is displayed. */
	text_fit_buf(&fitted, name);
	copy = fitted.bad ? NULL : mem_copy(buf_view(&fitted));
	buf_free(&fitted);
	if (copy == NULL || !mem_grow(&s->cols, &s->cap, s->rows.ncols + 1, sizeof *s->cols)) {
		free(copy);
		return fail(&s->rows.err, E_SYSTEM, "out of memory (columns)");
	}
	s->rows.cols = s->cols;
	s->cols[s->rows.ncols] = *like;
	s->cols[s->rows.ncols++].name = copy;
	return true;
}

/* Add a column of ours; append underscores until its name differs from those of the file. */
static bool
add_beside(struct sheet_rows *s, struct str name, const struct coldef *like)
{
	struct buf b = BUF_INIT;
	bool ok;

	buf_str(&b, name);
	while (!b.bad && sheet_named(&s->sheet.names, buf_view(&b)) > 0)
		buf_chr(&b, '_');
	ok = b.bad ? fail(&s->rows.err, E_SYSTEM, "out of memory (columns)") :
	    q_sheet_add_column(s, buf_view(&b), like);
	buf_free(&b);
	return ok;
}

static const char *
note_currencies(struct rows *r)
{
	(void)r;
	return "amounts in several currencies are summed as numbers";
}

/* Describe a column of the file by the values of the first records. */
static struct coldef
column_of_file(const struct sheet_rows *s, uint32_t i)
{
	static const enum cell_mostly mostly[] = { [SHEET_NUMBER] = MOSTLY_NUMBERS,
	    [SHEET_DATE] = MOSTLY_DATES,
		[SHEET_TEXT] = MOSTLY_TEXTS, [SHEET_CODES] = MOSTLY_TEXTS };
	uint64_t likely = column_get(s->likely, i), kind = likely & SHEET_KIND_MASK;
	struct coldef def = file_column;

	def.mostly = kind < NELEM(mostly) ? mostly[kind] : MOSTLY_ANYTHING;
	if (def.mostly == MOSTLY_DATES && (likely & SHEET_YEAR_LAST) != 0)
		def.mostly = MOSTLY_LATE_YEARS;
	if ((likely & SHEET_CURRENCIES) != 0)
		def.sum_note = note_currencies;
	return def;
}

/* Add a column of the file; append its number if an earlier column has the same name. */
static bool
add_file_column(struct sheet_rows *s, uint32_t i)
{
	struct str name = sheet_name(&s->sheet.names, i);
	struct coldef def = column_of_file(s, i);
	struct buf b = BUF_INIT;
	bool ok;

	if (sheet_named(&s->sheet.names, name) == i + 1)
		return q_sheet_add_column(s, name, &def);
	buf_str(&b, name);
	buf_printf(&b, "_%u", i + 1);
	ok = b.bad ? fail(&s->rows.err, E_SYSTEM, "out of memory (columns)") :
	    add_beside(s, buf_view(&b), &def);
	buf_free(&b);
	return ok;
}

/* Over the store of no file accept any name as a column. */
static int
sheet_rows_find(struct rows *r, struct str name, bool quoted)
{
	struct sheet_rows *s = (struct sheet_rows *)r;
	int col = rows_column(r, name);

	(void)quoted;
	if (col >= 0 || !store_is_blank(s->store) || r->err.kind != E_NONE ||
	    !q_sheet_add_column(s, name, &file_column))
		return col;
	s->cols[r->ncols - 1].more = true;
	return (int)r->ncols - 1;
}

static const struct rows_ops sheet_rows_ops = { .reach = sheet_rows_reach, .cell = sheet_rows_cell,
    .close = sheet_rows_close,
	.find = sheet_rows_find, .batch = sheet_rows_batch, .value = sheet_rows_value };

static bool
q_sheet_add_columns(struct sheet_rows *s)
{
	if (!add_beside(s, str_of(sheet_cols[0].name), &sheet_cols[0]))
		return false;
	/* Over the store of no file the type is unknown: the file may have a column of that name. */
	if (store_is_blank(s->store))
		s->cols[0].type = CELL_NONE;
	for (uint32_t i = 0; i < s->sheet.names.n; i++)
		if (!add_file_column(s, i))
			return false;
	return !s->raw || add_beside(s, STR("cut"), &file_column);
}

static bool
open_sheet(struct sheet_rows *s, struct err *err)
{
	if (!sheet_open(&s->sheet, s->store, err) ||
	    !sheet_reader_open(&s->reader, &s->sheet, s->sheet.first, s->sheet.line, err) ||
	    !windows_open(&s->windows, &s->sheet, s->store, err))
		return false;
	s->likely = store_column(s->store, COL_TABLE_LIKELY);
	s->places = store_column(s->store, COL_TABLE_PLACES);
	s->block = store_column(s->store, COL_TABLE_BLOCK);
	s->line = store_column(s->store, COL_TABLE_LINE);
	s->raw = fact_text(s->store, FACT_TRACE_ASK_RAW).n > 0;
	if ((load_shapes(s->store) & SHAPE_FOLDER) != 0) {
		s->bytes = sheet_named(&s->sheet.names, STR("size"));
		s->age = sheet_named(&s->sheet.names, STR("age"));
	}
	return true;
}

static bool
sheet_source(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	struct sheet_rows *s = rows_of_command(sizeof *s, &sheet_rows_ops, session, stage, in, err);
	bool ok;

	if (s == NULL)
		return false;
	s->rows.ncols = 0;
	s->store = session_store(session);
	ok = stage_at_most(stage, 0, err) && (store_is_blank(s->store) || open_sheet(s, err));
	if (ok && !q_sheet_add_columns(s)) {
		*err = s->rows.err;
		ok = false;
	}
	return rows_opened(&s->rows, ok, out);
}

const struct command source_sheet = {
	SOURCE("records", "records of a table, in file order", "records | head 3", sheet_source),
	OVER(SHAPE_TABLE, sheet_cols)
};
