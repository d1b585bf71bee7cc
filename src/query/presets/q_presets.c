/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_presets: the source "presets", with one row for each query of a preset.
 */
#include "config.h"

#include "icecore/preset.h"
#include "query/lang/lang.h"

enum presets_col { PRESETS_PRESET, PRESETS_TITLE, PRESETS_FITS, PRESETS_QUERY, PRESETS_WHAT, PRESETS_OWN,
    PRESETS_COLS };

static const struct coldef presets_cols[PRESETS_COLS] = {
	[PRESETS_PRESET] = { "preset", CELL_TEXT, "name, for --preset" },
	[PRESETS_TITLE] = { "title", CELL_TEXT, "what the query shows" },
	[PRESETS_FITS] = { "fits", CELL_BOOL, "whether this file can answer the query" },
	[PRESETS_QUERY] = { "query", CELL_TEXT, "query" },
	[PRESETS_WHAT] = { "what", CELL_TEXT, "what the preset answers", .more = true },
	[PRESETS_OWN] = { "own", CELL_BOOL, "whether it is in the user's file", .more = true }
};

struct presets_rows {
	struct rows		 rows;
	const struct presets	*presets;
};

static uint64_t
presets_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct presets_rows *)r)->presets->nqueries;
}

bool
preset_fits(const struct session *session, struct str text)
{
	struct err err;
	struct query *q;
	bool fits;

	if (session->nstores == 0 || !query_parse(&q, text, &err))
		return false;
	fits = query_fits(q, session, &err) && query_has_events(q, session);
	query_free(q);
	return fits;
}

static void
presets_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	const struct presets *p = ((struct presets_rows *)r)->presets;
	const struct preset_query *q = &p->query[row];
	const struct preset *of = p->preset;

	while (row < of->first || row >= of->first + of->n)
		of++;
	c->type = presets_cols[col].type;
	switch ((enum presets_col)col) {
	case PRESETS_PRESET: c->text = str_of(of->name); break;
	case PRESETS_TITLE: c->text = q->title; break;
	case PRESETS_FITS: c->u = preset_fits(r->session, q->text); break;
	case PRESETS_QUERY: c->text = q->text; break;
	case PRESETS_WHAT: c->text = of->what; break;
	case PRESETS_OWN: c->u = of->own; break;
	case PRESETS_COLS: break;
	}
}

static void
presets_close(struct rows *r)
{
	(void)r;
}

static const struct rows_ops presets_ops = { presets_reach, presets_cell, presets_close };

static bool
presets_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	static const struct presets none;
	struct presets_rows *p;

	(void)in;
	if (!stage_at_most(stage, 0, err) || (p = rows_new(sizeof *p, &presets_ops, session, NULL,
	    err)) == NULL)
		return false;
	p->rows.cols = presets_cols;
	p->rows.ncols = PRESETS_COLS;
	p->presets = session->presets != NULL ? session->presets : &none;
	*out = &p->rows;
	return true;
}

const struct command source_presets = {
	SOURCE("presets", "named queries that answer a question, for --preset", "presets | where fits = true",
	    presets_open),
	.cols = presets_cols, .ncols = PRESETS_COLS, .no_file = true
};
