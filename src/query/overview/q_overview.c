/*
 * q_overview: the overview as rows.
 */
#include "config.h"

#include <stdlib.h>

#include "overview.h"

enum { OVERVIEW_NAME, OVERVIEW_VALUE, OVERVIEW_SHARE, OVERVIEW_SUBJECT, OVERVIEW_USE, OVERVIEW_OPENS };

static const struct coldef overview_cols[] = {
	[OVERVIEW_NAME] = { "line", CELL_TEXT, "name of the line", false },
	[OVERVIEW_VALUE] = { "value", CELL_NONE, "number; empty: none", false },
	[OVERVIEW_SHARE] = { "share", CELL_PERCENT, "share of the whole; empty: none", false },
	[OVERVIEW_SUBJECT] = { "subject", CELL_TEXT, "what it is about", false, .rest = true },
	[OVERVIEW_USE] = { "use", CELL_TEXT, "CPU use over time: 20 steps, 0 to 8", true },
	[OVERVIEW_OPENS] = { "opens", CELL_TEXT, "query that tells more", true }
};

struct overview_rows {
	struct rows		 rows;
	bool			 diff;
	size_t			 next;		/* line that is not answered yet */
	struct overview_answer	*answer;	/* of each line that has items */
	const struct overview_line **line;
	size_t			 n, cap, capline;
	struct { uint32_t answer, item; } *row;
	uint64_t		 nrows;
	size_t			 caprow;
	struct buf		 text;
};

/* The items of one more line. */
static bool
add_line(struct overview_rows *o, const struct overview_line *l)
{
	struct rows *r = &o->rows;
	struct overview_answer *answer;

	if (!mem_grow(&o->answer, &o->cap, o->n + 1, sizeof *o->answer) || !mem_grow(&o->line, &o->capline, o->n + 1, sizeof *o->line) ||
	    !mem_grow(&o->row, &o->caprow, o->nrows + OVERVIEW_ITEMS, sizeof *o->row))
		return fail(&r->err, E_SYSTEM, "out of memory (overview)");
	answer = &o->answer[o->n];
	*answer = (struct overview_answer){ .n = 0 };
	if (!overview_answer(l, r->session, answer, r->work, &r->err))
		return false;
	for (size_t i = 0; i < answer->n; i++) {
		o->row[o->nrows].answer = (uint32_t)o->n;
		o->row[o->nrows++].item = (uint32_t)i;
	}
	o->line[o->n++] = l;
	return true;
}

static uint64_t
overview_reach(struct rows *r, uint64_t n)
{
	struct overview_rows *o = (struct overview_rows *)r;
	const struct overview_line *l;

	while (o->nrows < n && r->err.kind == E_NONE && (l = overview_line(o->next)) != NULL) {
		if (overview_fits(l, r->session, o->diff) && !add_line(o, l))
			break;
		o->next++;
	}
	return o->nrows < n ? o->nrows : n;
}

static void
overview_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct overview_rows *o = (struct overview_rows *)r;
	const struct overview_item *item = &o->answer[o->row[row].answer].item[o->row[row].item];

	c->type = r->cols[col].type;
	switch (col) {
	case OVERVIEW_NAME:
		c->text = str_of(overview_name(o->line[o->row[row].answer]));
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
	case OVERVIEW_OPENS:
		c->text = buf_view(&item->opens);
		return;
	default:
		buf_clear(&o->text);
		for (size_t i = 0; item->bars && i < OVERVIEW_BARS; i++)
			buf_chr(&o->text, (char)('0' + item->bar[i]));
		cell_text(r, c, &o->text);
	}
}

static void
overview_close(struct rows *r)
{
	struct overview_rows *o = (struct overview_rows *)r;

	for (size_t i = 0; i < o->n; i++)
		overview_free(&o->answer[i]);
	free(o->answer);
	free(o->line);
	free(o->row);
	buf_free(&o->text);
}

static const struct rows_ops overview_ops = { .reach = overview_reach, .cell = overview_cell, .close = overview_close };

static bool
overview_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out, struct err *err)
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
	SOURCE("overview", "what the file holds, in a few lines", "overview | select line value subject", overview_open),
	.args = ARGS({ .word = "diff", .flags = ARG_OPTIONAL }), COLUMNS(overview_cols), .views = VIEWS_OF_TREES
};
