/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_overview: the overview as rows.
 */
#include "config.h"

#include <inttypes.h>

#include "overview.h"

enum { OVERVIEW_NAME, OVERVIEW_VALUE, OVERVIEW_SHARE, OVERVIEW_SUBJECT, OVERVIEW_UNIT, OVERVIEW_USE,
	OVERVIEW_OPENS };

static const struct coldef overview_cols[] = {
	[OVERVIEW_NAME] = { "line", CELL_TEXT, "name of the line" },
	[OVERVIEW_VALUE] = { "value", CELL_NONE, "number; empty: none" },
	[OVERVIEW_SHARE] = { "share", CELL_PERCENT, "share of the whole; empty: none" },
	[OVERVIEW_SUBJECT] = { "subject", CELL_TEXT, "subject of the line", .rest = true },
	[OVERVIEW_UNIT] = { "unit", CELL_TEXT, "unit of value; empty: none", .more = true },
	[OVERVIEW_USE] = { "use", CELL_TEXT, "CPU use in 20 equal parts: steps 0 to 8", .more = true,
	    .bars = true },
	[OVERVIEW_OPENS] = { "opens", CELL_TEXT, "query that shows the subject, or the omitted rows",
	    .more = true }
};

struct overview_rows {
	struct rows		 rows;
	bool			 diff;
	size_t			 next;		/* line that is not answered yet */
	struct overview_answer	 answer[OVERVIEW_LINES];
	struct {
		const struct overview_line *line;
		const struct overview_item *item;
	}			 row[OVERVIEW_LINES * OVERVIEW_ITEMS];
	uint64_t		 nrows;
	struct buf		 text;
};

/* The items of one more line. */
static bool
q_overview_add_line(struct overview_rows *o, const struct overview_line *l)
{
	struct rows *r = &o->rows;
	struct overview_answer *answer = &o->answer[o->next];

	if (!overview_answer(l, r->session, answer, r->work, &r->err))
		return false;
	if (answer->late && !r->session->late)
		rows_note_add(r, "some lines took too long; finished work is kept: run it again");
	r->session->late |= answer->late;
	for (size_t i = 0; i < answer->n; i++, o->nrows++) {
		o->row[o->nrows].line = l;
		o->row[o->nrows].item = &answer->item[i];
	}
	return true;
}

static uint64_t
overview_reach(struct rows *r, uint64_t n)
{
	struct overview_rows *o = (struct overview_rows *)r;
	const struct overview_line *l;

	while (o->nrows < n && r->err.kind == E_NONE && (l = &overview_lines[o->next])->name != NULL) {
		if (overview_fits(l, r->session, o->diff) && !q_overview_add_line(o, l))
			break;
		o->next++;
	}
	return o->nrows < n ? o->nrows : n;
}

/* Append the query that Enter opens: of the one object, wait or method, otherwise the query of the line. */
static void
add_target(const struct overview_rows *o, const char *opens, const struct overview_item *item,
    struct buf *b)
{
	struct str source = str_of(opens), rest;
	bool stages = str_divide(source, STR(" |"), &source, &rest);

	if (item->about == ABOUT_OBJECT)
		buf_printf(b, "objects @%" PRIu32, item->id);
	else if (item->about == ABOUT_STRETCH)
		buf_printf(b, "%.*s | where thread_id = %" PRIu32 " and start_wall = %" PRIu64 "ns and wall = "
		    "%" PRIu64 "ns", (int)source.n,
		    source.s, item->id, item->from, item->until - item->from);
	else if (item->about == ABOUT_METHOD)
		buf_printf(b, "methods | where id = %" PRIu32, item->id);
	else if (item->about == ABOUT_PROCESS)
		buf_printf(b, "%.*s | where process_id = %" PRIu32 " |%.*s", (int)source.n, source.s, item->id,
		    (int)rest.n, rest.s);
	else if (item->about == ABOUT_CPU)
		buf_printf(b, "cpus | where cpu = %" PRIu32, item->id);
	else if (item->about == ABOUT_THREAD && stages)
		buf_printf(b, "%.*s | where thread_id = %" PRIu32 " |%.*s", (int)source.n, source.s, item->id,
		    (int)rest.n, rest.s);
	else if (item->about == ABOUT_THREAD)
		buf_printf(b, "%s | where id = %" PRIu32, session_shapes(o->rows.session) & SHAPE_TASKS ?
		    "tasks" : "threads", item->id);
	else
		buf_str(b, str_of(opens));
}

/* Append the unit of a value: a change is a number whose unit is that of its column. */
static void
q_overview_add_unit(const struct overview_item *item, struct buf *b)
{
	const struct cell *c = &item->value;

	if (c->type == CELL_DECIMAL && c->currency != MONEY_NO_CURRENCY)
		money_currency_name(c->currency, b);
	else if (c->type != CELL_NONE)
		buf_str(b, str_of(cell_unit(item->unit != CELL_NONE ? item->unit : c->type)));
}

static void
overview_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct overview_rows *o = (struct overview_rows *)r;
	const struct overview_item *item = o->row[row].item;

	c->type = r->cols[col].type;
	switch (col) {
	case OVERVIEW_NAME:
		c->text = str_of(o->row[row].line->name);
		return;
	case OVERVIEW_VALUE:
		*c = item->value;
		return;
	case OVERVIEW_SHARE:
		c->type = item->shared ? CELL_PERCENT : CELL_NONE;
		c->f = item->share;
		return;
	case OVERVIEW_SUBJECT:
		c->text = buf_view(&item->words);
		return;
	case OVERVIEW_UNIT:
		buf_clear(&o->text);
		q_overview_add_unit(item, &o->text);
		cell_text(r, c, &o->text);
		return;
	case OVERVIEW_OPENS:
		buf_clear(&o->text);
		add_target(o, overview_opens(o->row[row].line, item), item, &o->text);
		cell_text(r, c, &o->text);
		return;
	default:
		buf_clear(&o->text);
		for (size_t i = 0; i < item->bars; i++)
			buf_chr(&o->text, (char)('0' + item->bar[i]));
		cell_text(r, c, &o->text);
	}
}

static void
overview_close(struct rows *r)
{
	struct overview_rows *o = (struct overview_rows *)r;

	for (size_t i = 0; i < o->next; i++)
		overview_free(&o->answer[i]);
	buf_free(&o->text);
}

static const struct rows_ops overview_ops = { .reach = overview_reach, .cell = overview_cell,
    .close = overview_close };

static bool
overview_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	struct overview_rows *o = rows_of_command(sizeof *o, &overview_ops, session, stage, in, err);
	bool ok;

	if (o == NULL)
		return false;
	o->diff = stage->n > 0;
	ok = stage_at_most(stage, 1, err) && (stage->n == 0 || token_is(&stage->token[0], "diff") ||
	    fail_at(err, E_USAGE, stage_at(stage, 0), "expected diff here"));
	return rows_opened(&o->rows, ok, out);
}

const struct command source_overview = {
	SOURCE("overview", "summary of the file in a few lines", "overview | select line value subject",
	    overview_open),
	.args = ARGS({ .word = "diff", .flags = ARG_OPTIONAL }), COLUMNS(overview_cols),
	.views = VIEWS_OF_TREES
};
