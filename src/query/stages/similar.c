/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * similar: one row for all texts that are nearly equal.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/make.h"
#include "likeness.h"
#include "query/lang/lang.h"

enum similar_col { SIMILAR_TEXT, SIMILAR_COUNT, SIMILAR_TEXTS, SIMILAR_DISTANCE, SIMILAR_EXAMPLE,
    SIMILAR_COLS };

struct similar_group {
	uint64_t	order;		/* rows are sorted by it: the complement of the count */
	uint64_t	distance;	/* distance between text and far */
	uint32_t	texts;
	uint32_t	text, far;	/* the most frequent text; the one farthest from it, 0: none */
};

struct similar {
	struct rows		 rows;
	size_t			 col;
	uint64_t		 distance;
	struct text_pool	 texts;
	struct scratch		 count;		/* u64: rows of each text, by number */
	struct scratch		 group;		/* struct similar_group */
	uint64_t		 n, without;	/* groups; rows without a text */
	bool			 done;
};

static const struct coldef similar_cols[SIMILAR_COLS] = {
	[SIMILAR_TEXT] = { "text", CELL_TEXT, "most frequent text of the group" },
	[SIMILAR_COUNT] = { "count", CELL_COUNT, "rows with a text of the group" },
	[SIMILAR_TEXTS] = { "texts", CELL_COUNT, "different texts of the group" },
	[SIMILAR_DISTANCE] = { "distance", CELL_COUNT, "letters changed from text to example" },
	[SIMILAR_EXAMPLE] = { "example", CELL_TEXT, "text of the group that differs most from text" }
};

/* ---- texts ------------------------------------------------------------------------- */

static bool
similar_add(struct similar *s, struct str text)
{
	struct err *err = &s->rows.err;
	uint32_t number;

	if (!texts_number(&s->texts, text, &number, err) || !scratch_array(&s->count, number + UINT64_C(1),
	    sizeof(uint64_t), err))
		return false;
	if (number > LIKENESS_TEXTS)
		return fail(err, E_USAGE, "similar: over %u different texts; use fewer rows (head, where)",
		    LIKENESS_TEXTS);
	if (s->texts.size > LIKENESS_BYTES)
		return fail(err, E_USAGE, "similar: over %u MiB of different texts; use fewer rows (head, where)",
		    LIKENESS_BYTES >> 20);
	SCRATCH(s->count, uint64_t)[number]++;
	return true;
}

static bool
similar_read(struct similar *s)
{
	struct rows *in = s->rows.in;
	struct cell c;

	for (uint64_t row = 0; rows_reach(in, row + 1) > row; row++) {
		rows_cell(in, row, s->col, &c);
		s->without += c.type != CELL_TEXT;
		if (!rows_tick(&s->rows, row) || (c.type == CELL_TEXT && !similar_add(s, c.text)))
			return false;
	}
	if (s->without > 0)
		rows_note_add(&s->rows, "rows without a text in '%s' dropped: %" PRIu64,
		    in->cols[s->col].name, s->without);
	return rows_error(&s->rows) == NULL;
}

/* ---- groups ------------------------------------------------------------------------ */

static struct similar_group *
group_of(struct similar *s, struct likeness *l, const struct scratch *place, uint32_t text)
{
	return &SCRATCH(s->group, struct similar_group)[SCRATCH(*place,
	    uint64_t)[likeness_group(l, text)] - 1];
}

/* place: u64 by text that stands for a group, 1 more than its index. */
static bool
similar_collect(struct similar *s, struct likeness *l, const struct scratch *place)
{
	const uint64_t *count = SCRATCH(s->count, uint64_t);
	uint64_t *at = SCRATCH(*place, uint64_t);
	struct similar_group *g, none = { .order = UINT64_MAX };

	for (uint32_t i = 1; i <= s->texts.n; i++) {
		none.text = i;
		if (at[likeness_group(l, i)] == 0) {
			if (!scratch_add(&s->group, &s->n, &none, sizeof none, &s->rows.err))
				return false;
			at[likeness_group(l, i)] = s->n;
		}
		g = group_of(s, l, place, i);
		g->order -= count[i];
		g->texts++;
		g->text = count[i] > count[g->text] ? i : g->text;
	}
	return true;
}

static bool
similar_measure(struct similar *s, struct likeness *l, const struct scratch *place)
{
	struct similar_group *g;
	uint64_t distance;

	work_start(s->rows.work, "distances", s->texts.n);
	for (uint32_t i = 1; i <= s->texts.n; i++) {
		g = group_of(s, l, place, i);
		if (!rows_tick(&s->rows, i))
			return false;
		if (i == g->text)
			continue;
		if (!likeness_distance(l, g->text, i, LEV_OVER, &distance, s->rows.work, &s->rows.err))
			return false;
		if (distance > g->distance) {
			g->distance = distance;
			g->far = i;
		}
	}
	return true;
}

static bool
similar_join(struct similar *s)
{
	const uint64_t measured = COLUMN_BIT(SIMILAR_DISTANCE) | COLUMN_BIT(SIMILAR_EXAMPLE);
	struct scratch place = SCRATCH_INIT;
	struct err *err = &s->rows.err;
	struct likeness *l = NULL;
	bool ok;

	ok = likeness_open(&l, &s->texts, s->distance, LIKENESS_PAIRS, err) &&
	    likeness_join(l, s->rows.work, err) &&
	    scratch_array(&place, s->texts.n + UINT64_C(1), sizeof(uint64_t), err) &&
	    similar_collect(s, l, &place) &&
	    ((s->rows.untouched & measured) == measured || similar_measure(s, l, &place)) &&
	    make_sort(&s->group, s->n, sizeof(struct similar_group), s->rows.work, err);
	likeness_close(l);
	scratch_free(&place);
	return ok;
}

/* ---- rows -------------------------------------------------------------------------- */

static uint64_t
similar_reach(struct rows *r, uint64_t n)
{
	struct similar *s = (struct similar *)r;

	if (n > 0 && !s->done) {
		s->done = true;
		if (!similar_read(s) || !similar_join(s))
			s->n = 0;
	}
	return s->n;
}

static void
similar_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	const struct similar *s = (struct similar *)r;
	const struct similar_group *g = &SCRATCH(s->group, struct similar_group)[row];

	c->type = similar_cols[col].type;
	switch (col) {
	case SIMILAR_TEXT:
		c->text = texts_get(&s->texts, g->text);
		break;
	case SIMILAR_COUNT:
		c->u = UINT64_MAX - g->order;
		break;
	case SIMILAR_TEXTS:
		c->u = g->texts;
		break;
	case SIMILAR_DISTANCE:
		c->u = g->distance;
		break;
	case SIMILAR_EXAMPLE:
		if (g->far == 0)
			c->type = CELL_NONE;
		else
			c->text = texts_get(&s->texts, g->far);
		break;
	}
}

static void
similar_close(struct rows *r)
{
	struct similar *s = (struct similar *)r;

	texts_free(&s->texts);
	SCRATCH_FREE(&s->count, &s->group);
}

static const struct rows_ops similar_ops = {
	.reach = similar_reach, .cell = similar_cell, .close = similar_close, .touch = touch_own
};

static bool
similar_arguments(struct similar *s, const struct stage *stage, struct err *err)
{
	struct rows *in = s->rows.in;
	const struct token *t = stage->token;
	int col;

	if (stage->n == 0)
		return fail_needs(stage, err);
	if (!stage_at_most(stage, 2, err) || (col = rows_need_column(in, t, t->text, err)) < 0)
		return false;
	s->col = (size_t)col;
	s->rows.reads = COLUMN_BIT(s->col);
	if (in->cols[col].type != CELL_TEXT && in->cols[col].type != CELL_NONE)
		return fail_at(err, E_USAGE, t->at,
		    "'similar' needs a column of texts, which '%s' is not; equal numbers: 'group %s: count'",
		    in->cols[col].name, in->cols[col].name);
	s->distance = LIKENESS_BY_LENGTH;
	return stage->n == 1 || (t[1].kind == TOKEN_WORD && num_u64(t[1].text, 10, &s->distance) &&
	    s->distance > 0 && s->distance <= LIKENESS_DISTANCE) || fail_at(err, E_USAGE, t[1].at,
	    "expected a distance from 1 to %u", LIKENESS_DISTANCE);
}

static bool
similar_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	struct similar *s = rows_of_command(sizeof *s, &similar_ops, session, stage, in, err);

	return s != NULL && rows_opened(&s->rows, similar_arguments(s, stage, err), out);
}

const struct command stage_similar = {
	STAGE("similar", "one row for all texts that are nearly equal", "methods | similar name 2",
	    similar_open),
	COLUMNS(similar_cols),
	.args = ARGS({ &arg_column }, { .type = &arg_number, .flags = ARG_OPTIONAL, .name = "DISTANCE" })
};
