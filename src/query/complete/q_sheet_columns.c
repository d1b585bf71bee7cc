/*
 * q_sheet_columns: the columns of a table; with the name of a source those of its rows, as in all files.
 */
#include "config.h"

#include "icecore/columns_table.h"
#include "icecore/table.h"
#include "query/trace/trace.h"

extern const struct command source_columns;

static void
q_sheet_columns_name_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->text = column_text(store_column(st, COL_TABLE_TEXT), store_cell(st, COL_TABLE_NAME, id));
}

static void
q_sheet_columns_kind_cell(const struct store *st, uint32_t id, struct cell *c)
{
	static const char *const names[] = { [SHEET_EMPTY] = "empty", [SHEET_NUMBER] = "number", [SHEET_DATE] = "date",
		[SHEET_TEXT] = "text", [SHEET_CODES] = "text" };
	uint64_t kind = store_cell(st, COL_TABLE_KIND, id);

	c->text = str_of(names[kind < NELEM(names) ? kind : SHEET_TEXT]);
}

static void
form_cell(const struct store *st, uint32_t id, struct cell *c)
{
	static const char *const orders[DATE_ORDERS] = { [DATE_YMD] = "ymd", [DATE_DMY] = "dmy", [DATE_MDY] = "mdy" };
	uint64_t kind = store_cell(st, COL_TABLE_KIND, id), order = store_cell(st, COL_TABLE_DATES, id);

	if (kind == SHEET_NUMBER)
		c->text = store_cell(st, COL_TABLE_COMMA, id) ? STR(",") : STR(".");
	else
		c->text = str_of(kind == SHEET_DATE && order < DATE_ORDERS ? orders[order] : "");
}

static const column_id kind_needs[] = { COL_TABLE_KIND, COL_NONE };

static const struct coldef columns_cols[] = {
	{ "id", CELL_ID, "column number, from 1", .more = true, .kind = FIELD_ID, .column = COL_TABLE_NAME },
	{ "name", CELL_TEXT, "name in the header, else c1, c2, ...", .kind = FIELD_CELL, .cell = q_sheet_columns_name_cell },
	{ "kind", CELL_TEXT, "number, date, text or empty, if true for all values",
	    .kind = FIELD_CELL, .cell = q_sheet_columns_kind_cell,
	    .needs = kind_needs },
	{ "form", CELL_TEXT, "decimal mark of numbers; order of dates: ymd, dmy or mdy", .kind = FIELD_CELL, .cell = form_cell,
	    .needs = kind_needs },
	{ "empty", CELL_COUNT, "records without a value", .kind = FIELD_NUMBER, .column = COL_TABLE_EMPTY },
	{ "distinct", CELL_COUNT, "different values", .kind = FIELD_NUMBER, .column = COL_TABLE_DISTINCT }
};

static bool
sheet_columns(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
{
	return stage->n > 0 ? source_columns.open(session, stage, in, out, err) : table_source(session, stage, in, out, err);
}

const struct command source_sheet_columns = {
	SOURCE("columns", "columns of a table, or of a source", "columns", sheet_columns),
	OVER(SHAPE_TABLE, columns_cols),
	.args = ARGS({ &arg_source, ARG_OPTIONAL }),
	.names = { "name" },
	.args_no_file = true
};
