/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * split: rows with a start and a length cut at multiples of a width, so that time counts where it passes.
 */
#include "config.h"

#include <stdlib.h>

#include "query/lang/lang.h"

#define PIECES_MAX 10000000u

struct split {
	struct rows	 rows;
	size_t		 start, wall;
	uint64_t	 evenly;	/* columns whose amounts pass evenly, as COLUMN_BIT */
	uint64_t	 width;
	struct scratch	 piece;		/* struct piece */
	uint64_t	 n, next;	/* rows known, next row of in to look at */
	bool		 ended;
};

struct piece {
	uint64_t	row, at;	/* at: when it begins */
};

/* False: the row has no start and length, or begins and ends where no time is; it stays whole. */
static bool
interval(const struct split *s, uint64_t row, uint64_t *from, uint64_t *to)
{
	struct cell start, wall;

	rows_cell(s->rows.in, row, s->start, &start);
	rows_cell(s->rows.in, row, s->wall, &wall);
	*from = *to = 0;
	if (start.type != CELL_TIME || wall.type != CELL_TIME ||
	    wall.u > UINT64_MAX / 2 - start.u % (UINT64_MAX / 2))
		return false;
	*from = start.u;
	*to = start.u + wall.u;
	return *to > *from;
}

/* Return the next multiple of the width, or the end of the row. */
static uint64_t
piece_end(const struct split *s, uint64_t at, uint64_t to)
{
	uint64_t left = s->width - at % s->width;

	return to - at < left ? to : at + left;
}

static bool
split_add_row(struct split *s)
{
	struct piece p = { .row = s->next };
	struct err *err = &s->rows.err;
	uint64_t to;

	interval(s, s->next, &p.at, &to);
	do {
		if (s->n == PIECES_MAX)
			return fail(err, E_USAGE, "split: over %u pieces; use a larger width", PIECES_MAX);
		if (!scratch_add(&s->piece, &s->n, &p, sizeof p, err))
			return false;
		p.at = piece_end(s, p.at, to);
	} while (p.at < to);
	return true;
}

static uint64_t
split_reach(struct rows *r, uint64_t n)
{
	struct split *s = (struct split *)r;

	while (s->n < n && !s->ended) {
		if (rows_reach(r->in, s->next + 1) <= s->next || !rows_tick(r, s->next) ||
		    !split_add_row(s)) {
			s->ended = true;
			break;
		}
		s->next++;
	}
	return s->n;
}

/* Return how much of an amount has passed after part of the whole, rounded down. */
static int64_t
passed(int64_t amount, uint64_t part, uint64_t whole)
{
	__int128 all = (__int128)amount * part, n = all / whole;

	return (int64_t)(n - (all % whole < 0));
}

static void
split_share_cell(struct cell *c, uint64_t begin, uint64_t end, uint64_t whole)
{
	enum cell_type type = c->type;
	int64_t n;

	if (is_real(type)) {
		c->f = c->f * (double)end / (double)whole - c->f * (double)begin / (double)whole;
		return;
	}
	if ((type != CELL_INT && type != CELL_COUNT && type != CELL_TIME && type != CELL_BYTES) ||
	    (type != CELL_INT && c->u > INT64_MAX))
		return;
	n = passed((int64_t)c->u, end, whole) - passed((int64_t)c->u, begin, whole);
	if (type == CELL_INT)
		c->i = n;
	else
		c->u = (uint64_t)n;
}

static void
split_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct split *s = (struct split *)r;
	struct piece p = SCRATCH(s->piece, struct piece)[row];
	bool even = col < 63 && (s->evenly & COLUMN_BIT(col)) != 0;
	uint64_t from, to, end;

	rows_cell(r->in, p.row, col, c);
	if ((!even && col != s->start && col != s->wall) || !interval(s, p.row, &from, &to))
		return;
	end = piece_end(s, p.at, to);
	if (even)
		split_share_cell(c, p.at - from, end - from, to - from);
	else
		c->u = col == s->start ? p.at : end - p.at;
}

static void
split_close(struct rows *r)
{
	scratch_free(&((struct split *)r)->piece);
}

static const struct rows_ops split_ops = {
	.reach = split_reach, .cell = split_cell, .close = split_close, .touch = touch_same,
	.batch = batch_of_cells
};

static bool
split_find_columns(struct split *s, const struct stage *stage, struct err *err)
{
	static const char *const evenly[] = { "cpu", "off", "delta", "overlap" };
	int start = rows_column(s->rows.in, STR("start_wall")), wall = rows_column(s->rows.in, STR("wall")),
	    col;

	if (start < 0 || wall < 0)
		return fail_for(err, REASON_NO_COLUMN, E_USAGE, stage->at,
		    "'split' needs rows with start_wall and wall, as in '%s'", stage->command->example);
	s->start = (size_t)start;
	s->wall = (size_t)wall;
	s->rows.reads = COLUMN_BIT(s->start) | COLUMN_BIT(s->wall);
	for (size_t i = 0; i < NELEM(evenly); i++)
		if ((col = rows_column(s->rows.in, str_of(evenly[i]))) >= 0 && col < 63)
			s->evenly |= COLUMN_BIT((size_t)col);
	return true;
}

static bool
split_read_width(struct split *s, const struct stage *stage, struct err *err)
{
	struct cell c;
	uint64_t n;

	if (num_u64(stage->token[0].text, 0, &n) && n > 0)
		return fail_at(err, E_USAGE, stage->token[0].at, "'%.*s' has no unit: %.*sms?",
		    (int)stage->token[0].text.n,
		    stage->token[0].text.s, (int)stage->token[0].text.n, stage->token[0].text.s);
	if (!stage_at_most(stage, 1, err) || !literal_read(&stage->token[0], CELL_TIME, &c, err))
		return false;
	if (c.type != CELL_TIME || c.u == 0)
		return fail_at(err, E_USAGE, stage->token[0].at, "split width must be positive");
	s->width = c.u;
	return true;
}

static bool
split_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	struct split *s = rows_new(sizeof *s, &split_ops, session, in, err);

	if (s == NULL)
		return false;
	s->rows.same = true;
	s->piece = (struct scratch)SCRATCH_INIT;
	return rows_opened(&s->rows, split_find_columns(s, stage, err) && split_read_width(s, stage, err),
	    out);
}

const struct command stage_split = {
	STAGE("split", "split rows at multiples of a time, amounts in proportion",
	    "spans main | split 100ms | group start_wall by 100ms: sum cpu", split_open),
	.args = ARGS({ .type = &arg_time, .name = "WIDTH" })
};
