/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_sheet_columns: the columns of a table; with the name of a source those of its rows, as in all files.
 */
#include "config.h"

#include "icecore/columns_table.h"
#include "icecore/table.h"
#include "query/trace/trace.h"

extern const struct command source_columns;

static void
q_sheet_columns_name_cell(struct item_rows *s, uint64_t place, struct cell *c)
{
	c->text = column_text(store_column(s->st, COL_TABLE_TEXT), place);
}

static const char *
q_sheet_columns_kind_word(unsigned kind)
{
	static const char *const names[] = { [SHEET_EMPTY] = "empty", [SHEET_NUMBER] = "number", [SHEET_DATE] = "date",
		[SHEET_TEXT] = "text", [SHEET_CODES] = "text" };

	return names[kind < NELEM(names) ? kind : SHEET_TEXT];
}

static void
form_cell(struct item_rows *s, uint64_t kind, struct cell *c)
{
	static const char *const orders[DATE_ORDERS] = { [DATE_YMD] = "ymd", [DATE_DMY] = "dmy", [DATE_MDY] = "mdy" };
	uint64_t order = item_other(s);

	if (kind == SHEET_NUMBER)
		c->text = store_cell(s->st, COL_TABLE_COMMA, s->number) ? STR(",") : STR(".");
	else
		c->text = str_of(kind == SHEET_DATE && order < DATE_ORDERS ? orders[order] : "");
}

static const column_id kind_needs[] = { COL_TABLE_KIND, COL_NONE };

static const struct coldef columns_cols[] = {
	{ "id", CELL_ID, "column number, from 1", .more = true, MADE(SHOW_NUMBER) },
	{ "name", CELL_TEXT, "name in the header, otherwise c1, c2, ...", COMPUTED(q_sheet_columns_name_cell, .by = COL_TABLE_NAME) },
	{ "kind", CELL_TEXT, "type of all values: number, date, text or empty",
	    MADE(.word = q_sheet_columns_kind_word, .by = COL_TABLE_KIND), .needs = kind_needs },
	{ "form", CELL_TEXT, "decimal mark of numbers; order of dates: ymd, dmy or mdy",
	    COMPUTED(form_cell, .by = COL_TABLE_KIND, .other = COL_TABLE_DATES), .needs = kind_needs },
	{ "empty", CELL_COUNT, "records without a value", IN(SHOW_NUMBER, COL_TABLE_EMPTY) },
	{ "distinct", CELL_COUNT, "different values", IN(SHOW_NUMBER, COL_TABLE_DISTINCT) }
};

static const struct source columns = { .domain = &trace_domain, .rows_of = COL_TABLE_NAME };

static bool
sheet_columns(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	return stage->n > 0 ? source_columns.open(session, stage, in, out, err) : item_rows_open(session, stage, in, out, err);
}

const struct command source_sheet_columns = {
	SOURCE("columns", "columns of a table, or of a source", "columns", sheet_columns),
	OVER(SHAPE_TABLE, columns_cols), .source = &columns,
	.args = ARGS({ &arg_source, ARG_OPTIONAL }),
	.names = { "name" },
	.args_no_file = true
};
