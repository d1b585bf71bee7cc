/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * group: one row for all rows with the same keys, with aggregates of their values; sum, min, max, avg and
 * percentiles as stages have no keys.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agg.h"
#include "key.h"
#include "query/lang/lang.h"

struct group {
	struct rows		 rows;
	struct groupkeys	 by;
	struct aggs		 aggs;
	struct coldef		*cols;
	struct buf		 text;
	struct scratch		 first;		/* u64: a row of in for each group */
	struct accs		 accs;
	uint64_t		 n;
	bool			 done;
	struct group_room {
		struct batch	 batch;
		uint32_t	 number[BATCH];	/* the group of each row, from 1 */
	}			*room;		/* while rows are added */
};

static bool
group_fail_memory(struct err *err)
{
	return fail(err, E_SYSTEM, "out of memory (query)");
}

/* ---- rows -------------------------------------------------------------------------- */

static bool
new_group(struct group *g, uint64_t row)
{
	struct err *err = &g->rows.err;

	if (!scratch_array(&g->first, g->n + 1, sizeof(uint64_t), err) ||
	    !scratch_array(&g->accs.of, g->n + 1, g->accs.bytes, err))
		return false;
	SCRATCH(g->first, uint64_t)[g->n++] = row;
	return true;
}

/* Add rows [row, row + n), n <= BATCH. */
static bool
group_add_batch(struct group *g, uint64_t row, size_t n)
{
	uint32_t *number = g->by.n == 0 ? NULL : g->room->number;

	if (number != NULL && !groupkeys_rows(&g->by, &g->rows, row, n, number))
		return false;
	for (size_t i = 0; number != NULL && groupkeys_met(&g->by) > g->n && i < n; i++)
		if (number[i] > g->n && !new_group(g, row + i))
			return false;
	for (size_t i = 0; i < g->aggs.n; i++)
		if (!agg_add(&g->aggs.agg[i], &g->accs, number, &g->rows, row, n, &g->room->batch, &g->text))
			return false;
	return true;
}

/* Use batches only if all columns have them.  Otherwise read row by row, as rows may cache the last row. */
static size_t
batch_size(struct group *g, uint64_t row, size_t n)
{
	struct batch *b = &g->room->batch;

	if (!groupkeys_batch(&g->by, g->rows.in, row, n, b))
		return 1;
	for (size_t i = 0; i < g->aggs.n; i++)
		if (g->aggs.agg[i].col != AGG_NO_COLUMN && !rows_batch(g->rows.in, row, n, g->aggs.agg[i].col,
		    b))
			return 1;
	return BATCH;
}

static const char *
(*sum_note(const struct group *g, size_t i))(struct rows *)
{
	const struct agg *a = &g->aggs.agg[i];

	return a->kind == AGG_SUM && a->col != AGG_NO_COLUMN ? g->rows.in->cols[a->col].sum_note : NULL;
}

/* Add notes for columns whose amounts cannot be added up. */
static void
note_sums(struct group *g)
{
	const char *note;

	for (size_t i = 0; i < g->aggs.n; i++)
		if (sum_note(g, i) != NULL && (note = sum_note(g, i)(g->rows.in)) != NULL)
			rows_note_add(&g->rows, "%s", note);
}

/* An earlier aggregate drops values of the same column, too: the note would be a duplicate. */
static bool
group_is_told(const struct aggs *aggs, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (aggs->agg[k].col == aggs->agg[i].col && aggs->agg[k].dropped > 0)
			return true;
	return false;
}

static void
note_dropped(struct group *g)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < g->aggs.n; i++)
		if (g->aggs.agg[i].dropped > 0 && !group_is_told(&g->aggs, i))
			buf_printf(&b, "%s %s: %llu", b.n > 0 ? "," : "",
			    g->rows.in->cols[g->aggs.agg[i].col].name,
			    (unsigned long long)g->aggs.agg[i].dropped);
	if (b.n > 0 && !b.bad)
		rows_note_add(&g->rows, "non-numeric values dropped:%.*s", (int)b.n, b.s);
	buf_free(&b);
}

static bool
group_add_rows(struct group *g)
{
	size_t n, most = 0;

	g->room = mem_array(1, sizeof *g->room);
	if (g->room == NULL)
		return fail(&g->rows.err, E_SYSTEM, "out of memory (group)");
	if (g->by.n == 0 && !new_group(g, 0))
		return false;
	for (uint64_t row = 0; (n = rows_next(g->rows.in, row, BATCH)) > 0;) {
		most = most == 0 ? batch_size(g, row, n) : most;
		for (size_t left = n; left > 0; left -= n, row += n) {
			n = left < most ? left : most;
			if (!rows_tick(&g->rows, row) || !group_add_batch(g, row, n))
				return false;
		}
	}
	for (size_t i = 0; g->n > 0 && i < g->aggs.n; i++)
		if (!agg_finish(&g->aggs.agg[i], &g->accs, g->n, &g->rows, &g->rows.err))
			return false;
	note_sums(g);
	note_dropped(g);
	return rows_error(&g->rows) == NULL;
}

static uint64_t
group_reach(struct rows *r, uint64_t n)
{
	struct group *g = (struct group *)r;

	if (n > 0 && !g->done) {
		g->done = true;
		if (!group_add_rows(g))
			g->n = 0;
	}
	return g->n;
}

static void
group_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct group *g = (struct group *)r;

	if (col < g->by.n) {
		if (!groupkey_cell(&g->by.key[col], r->in, SCRATCH(g->first, uint64_t)[row], c, &r->err))
			c->type = CELL_NONE;
		return;
	}
	agg_cell(&g->aggs.agg[col - g->by.n], &g->accs, row, r->in, c);
}

static void
group_close(struct rows *r)
{
	struct group *g = (struct group *)r;

	groupkeys_free(&g->by);
	aggs_free(&g->aggs);
	free(g->cols);
	free(g->room);
	buf_free(&g->text);
	scratch_free(&g->first);
	scratch_free(&g->accs.of);
}

static const struct rows_ops group_ops = {
	.reach = group_reach, .cell = group_cell, .close = group_close, .touch = touch_own
};

/* ---- columns ----------------------------------------------------------------------- */

static bool
group_make_columns(struct group *g, const struct stage *stage, struct err *err)
{
	size_t n = g->by.n + g->aggs.n;

	g->cols = mem_array(n, sizeof *g->cols);
	if (g->cols == NULL)
		return group_fail_memory(err);
	for (size_t i = 0; i < n; i++) {
		if (i < g->by.n)
			g->cols[i] = groupkey_column(&g->by.key[i], g->rows.in);
		else
			agg_column(&g->aggs.agg[i - g->by.n], &g->cols[i]);
		for (size_t j = 0; j < i; j++)
			if (strcmp(g->cols[i].name, g->cols[j].name) == 0)
				return fail_at(err, E_USAGE, stage->at,
				    "duplicate column name '%s'; rename one with 'as NAME'",
				    g->cols[i].name);
	}
	g->rows.cols = g->cols;
	g->rows.ncols = n;
	g->rows.reads = groupkeys_touch(&g->by);
	for (size_t i = 0; i < g->aggs.n; i++) {
		g->aggs.agg[i].at = g->accs.bytes;
		g->accs.bytes += agg_bytes(&g->aggs.agg[i]);
		if (g->aggs.agg[i].col != AGG_NO_COLUMN)
			g->rows.reads |= COLUMN_BIT(g->aggs.agg[i].col);
		if (sum_note(g, i) != NULL && rows_ids(g->rows.in, ID_OBJECT) >= 0)
			g->rows.reads |= COLUMN_BIT((size_t)rows_ids(g->rows.in, ID_OBJECT));
	}
	return true;
}

/* ---- group ------------------------------------------------------------------------- */

/* Split the arguments at the first colon, which may be attached to a word. */
static bool
split_arguments(const struct stage *s, struct token **copy, struct stage *by,
    struct stage *aggs, bool *split, struct err *err)
{
	const struct token *t;
	struct token *to;
	const char *colon = NULL;
	size_t i, left, depth = 0;

	*by = *aggs = *s;
	to = *copy = mem_array(s->n + 2, sizeof *to);
	if (to == NULL)
		return group_fail_memory(err);
	by->token = to;
	for (i = 0; i < s->n && colon == NULL; i++) {
		t = &s->token[i];
		depth += t->kind == TOKEN_OPEN;
		depth -= t->kind == TOKEN_CLOSE && depth > 0;
		if (t->kind == TOKEN_WORD && depth == 0)
			colon = memchr(t->text.s, ':', t->text.n);
		left = colon == NULL ? t->text.n : (size_t)(colon - t->text.s);
		*to = *t;
		to->text.n = left;
		to += colon == NULL || left > 0;
	}
	by->n = (size_t)(to - by->token);
	aggs->token = to;
	if (colon != NULL) {
		t = &s->token[i - 1];
		by->end = t->at + (size_t)(colon - t->text.s);
		*to = *t;
		to->text.s = colon + 1;
		to->text.n = t->text.n - (size_t)(colon - t->text.s) - 1;
		to->at = (uint32_t)by->end + 1;
		to += to->text.n > 0;
	}
	while (i < s->n)
		*to++ = s->token[i++];
	aggs->n = (size_t)(to - aggs->token);
	*split = colon != NULL;
	return true;
}

static bool
group_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct group *g = rows_new(sizeof *g, &group_ops, session, in, err);
	struct stage by, aggs;
	struct token *copy;
	bool ok, colon = false;

	if (g == NULL)
		return false;
	ok = split_arguments(stage, &copy, &by, &aggs, &colon, err) &&
	    groupkeys_read(&g->by, &by, in, err);
	if (ok && colon && aggs.n == 0)
		ok = fail_at(err, E_USAGE, stage->end, "expected an aggregate after ':'");
	ok = ok && aggs_read(&g->aggs, &aggs, in, err) && group_make_columns(g, stage, err);
	free(copy);
	return rows_opened(&g->rows, ok, out);
}

static bool
offer_aggregate(size_t i, const char **word, const char **what)
{
	*what = "an aggregate";
	return (*word = agg_word(i)) != NULL;
}

static const struct arg_type arg_aggregate = { .name = "AGGREGATE", .look = LOOK_WORDS,
    .word = offer_aggregate };

const struct command stage_group = {
	STAGE("group", "one row for all rows with equal keys, with aggregates",
	    "methods | group class : sum self, count | top 5 sum_self", group_open),
	.args = ARGS({ &arg_column, ARG_MANY, .name = "KEY" },
	    { &arg_aggregate, ARG_OPTIONAL | ARG_MANY, ":" })
};

/* ---- of all rows --------------------------------------------------------------------- */

/* Parse a stage whose word is an aggregate. */
static bool
read_columns(struct group *g, const struct stage *s, struct err *err)
{
	struct agg kind = { .kind = AGG_COUNT };
	const char *why;

	if (!agg_find(s->word, &kind, &why) || !aggs_init(&g->aggs, s->n, err))
		return false;
	if (s->n > 0 && s->token[0].kind == TOKEN_OPEN)
		return fail_at(err, E_USAGE, stage_at(s, 0), HINT_ALL_ROWS);
	for (size_t i = 0; i < s->n; i++) {
		if (s->token[i].kind == TOKEN_COMMA && i > 0 && i + 1 < s->n)
			continue;
		if (!aggs_add(&g->aggs, &kind, g->rows.in, &s->token[i], err))
			return false;
	}
	return true;
}

static bool
whole_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct group *g = rows_new(sizeof *g, &group_ops, session, in, err);

	return g != NULL && rows_opened(&g->rows, read_columns(g, stage, err) &&
	    group_make_columns(g, stage, err), out);
}

#define OF_ALL(word, says, query) { STAGE(word, says, query, whole_open), .args = ARGS({ &arg_column, ARG_MANY }) }

const struct command stage_sum = OF_ALL("sum", "sum of columns over all rows", "threads | sum cpu calls");
const struct command stage_min = OF_ALL("min", "minimum of columns over all rows", "threads | min start");
const struct command stage_max = OF_ALL("max", "maximum of columns over all rows", "calls | max depth");
const struct command stage_avg = OF_ALL("avg", "mean of columns over all rows",
    "calls main | avg self depth");
const struct command stage_p50 = OF_ALL("p50", "medians over all rows", "spans main | p50 wall");
const struct command stage_p90 = OF_ALL("p90", "90th percentiles over all rows", "spans main | p90 wall");
const struct command stage_p95 = OF_ALL("p95", "95th percentiles over all rows", "spans main | p95 wall");
const struct command stage_p99 = { STAGE("p99", "99th percentiles over all rows; p1 to p99",
    "spans main | p99 wall", whole_open),
	.args = ARGS({ &arg_column, ARG_MANY }), .any_percentile = true };
