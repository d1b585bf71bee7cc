/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_sheet_columns: the columns of a table; with the name of a source those of its rows, as in all files.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_table.h"
#include "icecore/table.h"
#include "query/trace/trace.h"

extern const struct command source_columns;

static void
name_cell(struct item_rows *s, uint64_t place, struct cell *c)
{
	c->text = column_text(store_column(s->st, COL_TABLE_TEXT), place);
}

static const char *
q_sheet_columns_kind_word(unsigned kind)
{
	static const char *const names[] = { [SHEET_EMPTY] = "empty", [SHEET_NUMBER] = "number",
	    [SHEET_DATE] = "date",
		[SHEET_TEXT] = "text", [SHEET_CODES] = "text" };

	return names[kind < NELEM(names) ? kind : SHEET_TEXT];
}

static void
form_cell(struct item_rows *s, uint64_t kind, struct cell *c)
{
	static const char *const orders[DATE_ORDERS] = { [DATE_YMD] = "ymd", [DATE_DMY] = "dmy",
	    [DATE_MDY] = "mdy" };
	uint64_t order = item_other(s);

	if (kind == SHEET_NUMBER)
		c->text = store_cell(s->st, COL_TABLE_COMMA, s->number) ? STR(",") : STR(".");
	else
		c->text = str_of(kind == SHEET_DATE && order < DATE_ORDERS ? orders[order] : "");
}

static void
word_cell(struct item_rows *s, uint64_t place, struct cell *c)
{
	c->type = place == 0 ? CELL_NONE : CELL_TEXT;
	c->text = column_text(store_column(s->st, COL_TABLE_WORDS), place);
}

/* A number keeps the decimals that it is written with, those of the column. */
static void
value_cell(struct item_rows *s, uint64_t place, struct cell *c)
{
	const char *point;
	struct decimal d;

	word_cell(s, place, c);
	if (place == 0 || store_cell(s->st, COL_TABLE_AMOUNTS, s->number) == 0 || !decimal_read(c->text, &d))
		return;
	point = memchr(c->text.s, '.', c->text.n);
	if (point != NULL)
		(void)decimal_add(&d, (struct decimal){ 0, (unsigned)(c->text.s + c->text.n - point) - 1 });
	if (d.places > 0 || d.value != (int64_t)d.value)
		cell_decimal(c, d, MONEY_NO_CURRENCY);
	else
		*c = (struct cell){ .type = CELL_INT, .i = (int64_t)d.value };
}

static const column_id value_needs[] = { COL_TABLE_AMOUNTS, COL_TABLE_WORDS, COL_NONE };
static const column_id kind_needs[] = { COL_TABLE_KIND, COL_NONE };

static const struct coldef columns_cols[] = {
	{ "id", CELL_ID, "column number, from 1", .more = true, MADE(SHOW_NUMBER) },
	{ "name", CELL_TEXT, "name in the header, otherwise c1, c2, ...",
	    COMPUTED(name_cell, .by = COL_TABLE_NAME) },
	{ "kind", CELL_TEXT, "type of all values: number, date, text or empty",
	    MADE(.word = q_sheet_columns_kind_word, .by = COL_TABLE_KIND), .needs = kind_needs },
	{ "form", CELL_TEXT, "decimal mark of numbers; order of dates: ymd, dmy or mdy",
	    COMPUTED(form_cell, .by = COL_TABLE_KIND, .other = COL_TABLE_DATES), .needs = kind_needs },
	{ "empty", CELL_COUNT, "records without a value", IN(SHOW_NUMBER, COL_TABLE_EMPTY) },
	{ "distinct", CELL_COUNT, "different values", IN(SHOW_NUMBER, COL_TABLE_DISTINCT) },
	{ "min", CELL_NONE, "smallest number, first date or text", COMPUTED(value_cell, .by = COL_TABLE_MIN),
	    .needs = value_needs, .mostly = MOSTLY_NUMBERS },
	{ "median", CELL_NONE, "number or date in the middle", COMPUTED(value_cell, .by = COL_TABLE_MEDIAN),
	    .needs = value_needs, .mostly = MOSTLY_NUMBERS },
	{ "max", CELL_NONE, "largest number, last date or text", COMPUTED(value_cell, .by = COL_TABLE_MAX),
	    .needs = value_needs, .mostly = MOSTLY_NUMBERS },
	{ "histogram", CELL_TEXT, "records in 20 equal parts from min to max: steps 0 to 8",
	    COMPUTED(word_cell, .by = COL_TABLE_BARS), .needs = value_needs, .bars = true },
	{ "top", CELL_TEXT, "up to 5 values that occur most, with their numbers",
	    COMPUTED(word_cell, .by = COL_TABLE_TOP), .needs = value_needs },
	{ "sampled", CELL_BOOL, "distinct, median and histogram are estimates", MORE,
	    IN(SHOW_TRUE, COL_TABLE_SAMPLED) }
};

static const struct source columns = { .domain = &trace_domain, .rows_of = COL_TABLE_NAME };

static bool
sheet_columns(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	return stage->n > 0 ? source_columns.open(session, stage, in, out, err) :
	    item_rows_open(session, stage, in, out, err);
}

const struct command source_sheet_columns = {
	SOURCE("columns", "columns of a table, or of a source", "columns", sheet_columns),
	OVER(SHAPE_TABLE, columns_cols), .source = &columns,
	.args = ARGS({ &arg_source, ARG_OPTIONAL }),
	.names = { "name" },
	.args_no_file = true
};
