/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_schema: the columns of all sources, for programs that read answers.
 */
#include "config.h"

#include <string.h>

#include "icecore/query.h"
#include "query/lang/lang.h"

enum schema_col { SCHEMA_SOURCE, SCHEMA_COLUMN, SCHEMA_TYPE, SCHEMA_UNIT, SCHEMA_SHOWN, SCHEMA_MEANING };

static const struct coldef schema_cols[] = {
	[SCHEMA_SOURCE] = { "source", CELL_TEXT, "source" },
	[SCHEMA_COLUMN] = { "column", CELL_TEXT, "name of the column" },
	[SCHEMA_TYPE] = { "type", CELL_TEXT, "type" },
	[SCHEMA_UNIT] = { "unit", CELL_TEXT, "unit in TSV, CSV and JSON: ns, bytes or %" },
	[SCHEMA_SHOWN] = { "shown", CELL_BOOL, "shown by default, not only when selected", .more = true },
	[SCHEMA_MEANING] = { "meaning", CELL_TEXT, "meaning" }
};

struct schema {
	struct rows	rows;
	struct scratch	listed;		/* struct schema_row */
	uint64_t	n;
};

struct schema_row {
	const struct command	*source;
	const struct coldef	*column;
};

static uint64_t
schema_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct schema *)r)->n;
}

static void
schema_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	static const char *const units[CELL_TEXT + 1] = {
		[CELL_TIME] = "ns", [CELL_BYTES] = "bytes", [CELL_PERCENT] = "%"
	};
	const struct schema_row *s = &SCRATCH(((struct schema *)r)->listed, struct schema_row)[row];
	const char *unit = units[s->column->type];

	c->type = schema_cols[col].type;
	switch ((enum schema_col)col) {
	case SCHEMA_SOURCE: c->text = str_of(s->source->word); break;
	case SCHEMA_COLUMN: c->text = str_of(s->column->name); break;
	case SCHEMA_TYPE: c->text = str_of(cell_type_name(s->column->type)); break;
	case SCHEMA_UNIT: c->text = str_of(unit == NULL ? "" : unit); break;
	case SCHEMA_SHOWN: c->u = !s->column->more; break;
	case SCHEMA_MEANING: c->text = str_of(s->column->what); break;
	}
}

static void
schema_close(struct rows *r)
{
	scratch_free(&((struct schema *)r)->listed);
}

static const struct rows_ops schema_ops = { schema_reach, schema_cell, schema_close };

static bool
schema_lists(const struct command *source, size_t i, unsigned shapes)
{
	return shapes == 0 || command_has_column(source, i, shapes);
}

/* Without a file, sources that share a word have a row for each name of a column: whether one has been listed. */
static bool
schema_has(size_t k, size_t at, unsigned shapes)
{
	for (size_t j = 0; j <= k; j++) {
		const struct command *c = commands[j];

		if (c->kind != COMMAND_SOURCE || strcmp(c->word, commands[k]->word) != 0 || !command_fits(c, shapes))
			continue;
		for (size_t i = 0; i < (j == k ? at : c->ncols); i++)
			if (strcmp(c->cols[i].name, commands[k]->cols[at].name) == 0 && schema_lists(c, i, shapes))
				return true;
	}
	return false;
}

/* Add the columns of source k. */
static bool
schema_add(struct schema *s, size_t k, unsigned shapes, struct err *err)
{
	const struct command *c = commands[k];

	for (size_t i = 0; i < c->ncols; i++) {
		if (!schema_lists(c, i, shapes) || schema_has(k, i, shapes))
			continue;
		if (!scratch_array(&s->listed, s->n + 1, sizeof(struct schema_row), err))
			return false;
		SCRATCH(s->listed, struct schema_row)[s->n++] = (struct schema_row){ c, &c->cols[i] };
	}
	return true;
}

static bool
schema_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	unsigned shapes = session_shapes(session);
	struct schema *s;

	(void)in;
	if (!stage_at_most(stage, 0, err) ||
	    (s = rows_new(sizeof *s, &schema_ops, session, NULL, err)) == NULL)
		return false;
	s->rows.cols = schema_cols;
	s->rows.ncols = NELEM(schema_cols);
	for (size_t k = 0; commands[k] != NULL; k++)
		if (commands[k]->kind == COMMAND_SOURCE && command_fits(commands[k], shapes) &&
		    !schema_add(s, k, shapes, err)) {
			rows_close(&s->rows);
			return false;
		}
	*out = &s->rows;
	return true;
}

const struct command source_schema = {
	SOURCE("schema", "columns of all sources, with type and unit", "schema | where source = threads",
	    schema_open),
	COLUMNS(schema_cols),
	.no_file = true
};
