/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pick: the first rows, the last rows, those for which a condition holds, the number of rows.
 */
#include "config.h"

#include <stdlib.h>

#include "query/lang/lang.h"

#define ROWS_USUAL 10		/* head and tail without a number */

/* ---- head and tail ----------------------------------------------------------- */

struct slice {
	struct rows	rows;
	uint64_t	want;
	uint64_t	skip, n;	/* tail: known once all rows of in are */
	bool		known;
};

static uint64_t
head_reach(struct rows *r, uint64_t n)
{
	struct slice *s = (struct slice *)r;
	uint64_t got = rows_reach(r->in, n < s->want ? n : s->want);

	return got < s->want ? got : s->want;
}

static uint64_t
tail_reach(struct rows *r, uint64_t n)
{
	struct slice *s = (struct slice *)r;
	uint64_t all;

	if (n > 0 && !s->known) {
		all = rows_reach(r->in, ROWS_ALL);
		s->n = all < s->want ? all : s->want;
		s->skip = all - s->n;
		s->known = true;
	}
	return s->n;
}

static void
tail_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct slice *s = (struct slice *)r;

	rows_cell(r->in, s->skip + row, col, c);
}

static const struct rows_ops head_ops = { .reach = head_reach, .cell = same_cell, .touch = touch_same,
	.batch = same_batch };
static const struct rows_ops tail_ops = { .reach = tail_reach, .cell = tail_cell, .touch = touch_same };

static bool
slice_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	const struct rows_ops *ops = stage->command->source;
	struct slice *s = rows_new(sizeof *s, ops, session, in, err);
	struct cell count = { .u = ROWS_USUAL };
	bool ok;

	if (s == NULL)
		return false;
	s->rows.same = true;
	ok = stage_at_most(stage, 1, err) && (stage->n == 0 ||
	    literal_read(&stage->token[0], CELL_COUNT, &count, err));
	s->want = count.u;
	if (ok && ops == &head_ops)
		rows_limit(in, s->want);
	return rows_opened(&s->rows, ok, out);
}

const struct command stage_tail = {
	STAGE("tail", "the last rows (default 10)", "records | tail 3", slice_open),
	.args = ARGS({ &arg_count, ARG_OPTIONAL }),
	.source = &tail_ops
};

/* ---- head per: the first rows of each group --------------------------------------- */

struct head_per {
	struct sifted		 of;
	struct column_ref	*ref;
	size_t			 nrefs;
	struct keys		 keys;
	struct scratch		 seen;		/* u64: rows of each group */
	uint64_t		 want;
};

static bool
head_per_wants(struct sifted *s, bool *yes)
{
	struct head_per *h = (struct head_per *)s;
	uint32_t number;

	if (!keys_row(&h->keys, s->rows.in, s->next, h->ref, h->nrefs, &number, &s->rows.err) ||
	    !scratch_array(&h->seen, number, sizeof(uint64_t), &s->rows.err))
		return false;
	*yes = SCRATCH(h->seen, uint64_t)[number - 1]++ < h->want;
	return true;
}

static void
head_per_close(struct rows *r)
{
	struct head_per *h = (struct head_per *)r;

	free(h->ref);
	keys_free(&h->keys);
	scratch_free(&h->seen);
	sifted_close(&h->of);
}

static const struct rows_ops head_per_ops = {
	.reach = sifted_reach, .cell = sifted_cell, .close = head_per_close, .touch = touch_same,
	.batch = sifted_batch
};

static bool
head_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	struct cell count = { .u = 1 };
	struct stage front, per;
	struct head_per *h;
	bool ok;

	if (!stage_per(stage, &front, &per))
		return slice_open(session, stage, in, out, err);
	h = sifted_new(sizeof *h, &head_per_ops, head_per_wants, session, in, err);
	if (h == NULL)
		return false;
	h->of.rows.same = true;
	ok = stage_at_most(&front, 1, err) && (front.n == 0 ||
	    literal_read(&front.token[0], CELL_COUNT, &count, err)) &&
	    stage_columns(&per, in, REFS_PLAIN, &h->ref, &h->nrefs, err);
	h->want = count.u;
	h->of.rows.reads = ok ? columns_of_refs(h->ref, h->nrefs) : 0;
	return rows_opened(&h->of.rows, ok, out);
}

const struct command stage_head = {
	STAGE("head", "the first rows (default 10), of all or per key", "methods | sort -self | head 5",
	    head_open),
	.args = ARGS({ &arg_count, ARG_OPTIONAL }, { &arg_column, ARG_OPTIONAL | ARG_MANY, "per" }),
	.source = &head_ops
};

/* ---- where: found as far as they are asked for ---------------------------------- */

struct where {
	struct sifted	 of;
	struct expr	*expr;
	struct batch_keys *keys;	/* keys of the column that a bar is about; or NULL */
};

static bool
where_wants(struct sifted *s, bool *yes)
{
	const struct rows_bar *bar = s->rows.bar;
	struct cell c;

	/* The bar may have risen since rows were told apart. */
	if (rows_skip(&s->rows) && bar->set && bar->down) {
		rows_cell(s->rows.in, s->next, bar->col, &c);
		*yes = c.type == CELL_NONE || c.type == CELL_TEXT || ~c.u <= bar->above;
		if (!*yes)
			return true;
	}
	return expr_test(((struct where *)s)->expr, s->rows.in, s->next, yes, &s->rows.err);
}

/* Rows above the bar of the reader are not tested.  Return false if there is no bar. */
static bool
where_skip(struct where *w, size_t n, uint8_t *known)
{
	const struct rows_bar *bar = w->of.rows.bar;
	struct rows *in = w->of.rows.in;
	size_t wanted = 0;

	if (bar == NULL || !bar->set || (w->keys == NULL && (w->keys = mem_array(1,
	    sizeof *w->keys)) == NULL) || !rows_batch(in, w->of.next, n, bar->col, &w->keys->batch) ||
	    !batch_keys(w->keys, in, n, bar->col, bar->down))
		return false;
	for (size_t i = 0; i < n; i++)
		wanted += w->keys->key[i] <= bar->above;
	if (wanted > 0)
		expr_tell(w->expr, in, w->of.next, n, known);
	for (size_t i = 0; i < n; i++)
		known[i] = w->keys->key[i] > bar->above ? KNOWN_FALSE : known[i];
	return true;
}

static void
where_tell(struct sifted *s, size_t n, uint8_t *known)
{
	struct where *w = (struct where *)s;

	if (!where_skip(w, n, known))
		expr_tell(w->expr, s->rows.in, s->next, n, known);
}

/* If nothing was found, look for a text that differs in case only. */
static uint64_t
where_reach(struct rows *r, uint64_t n)
{
	struct where *w = (struct where *)r;
	bool ended = w->of.ended;
	struct str text;

	r->in->bar = r->bar;
	n = sifted_reach(r, n);
	if (!ended && w->of.ended && w->of.n == 0 && rows_error(r) == NULL &&
	    expr_other_case(w->expr, r->in, &text))
		rows_note_add(r, "0 rows; matches exist in another case: '%.*s'", (int)text.n, text.s);
	return n;
}

static void
where_close(struct rows *r)
{
	struct where *w = (struct where *)r;

	expr_free(w->expr);
	free(w->keys);
	sifted_close(&w->of);
}

static const struct rows_ops where_ops = {
	.reach = where_reach, .cell = sifted_cell, .close = where_close, .touch = touch_same,
	.batch = sifted_batch
};

static bool
where_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct where *w = sifted_new(sizeof *w, &where_ops, where_wants, session, in, err);
	bool ok;

	if (w == NULL)
		return false;
	w->of.rows.same = true;
	w->of.rows.skips = in->skips;
	w->of.tell = where_tell;
	ok = expr_compile(&w->expr, stage, in, err);
	w->of.rows.reads = ok ? expr_touches(w->expr) : 0;
	return rows_opened(&w->of.rows, ok, out);
}

const struct command stage_where = {
	STAGE("where", "keep rows that match a condition", "methods | where self > 1ms and class ~ icecore",
	    where_open),
	.args = ARGS({ &arg_condition })
};

/* ---- count -------------------------------------------------------------------- */

static const struct coldef count_cols[] = {
	{ "count", CELL_COUNT, "number of rows" }
};

struct count {
	struct rows	rows;
	uint64_t	n;
	bool		known;
};

static uint64_t
count_reach(struct rows *r, uint64_t n)
{
	struct count *s = (struct count *)r;

	if (n > 0 && !s->known) {
		s->n = rows_reach(r->in, ROWS_ALL);
		s->known = rows_error(r) == NULL;
	}
	return s->known;
}

static void
count_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	(void)row;
	(void)col;
	c->type = CELL_COUNT;
	c->u = ((struct count *)r)->n;
}

static const struct rows_ops count_ops = { .reach = count_reach, .cell = count_cell, .touch = touch_own };

static bool
fail_count(const struct stage *stage, struct err *err)
{
	const struct token *t = &stage->token[0];
	bool open = t->kind == TOKEN_OPEN;

	t += open && stage->n > 1;
	if (token_is(t, "distinct"))
		return fail_at(err, E_USAGE, t->at, "%s", hint_of(STR("dcount")));
	return open ? fail_at(err, E_USAGE, stage_at(stage, 0), HINT_ALL_ROWS) : stage_at_most(stage, 0, err);
}

static bool
count_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct count *s = rows_of_command(sizeof *s, &count_ops, session, stage, in, err);

	return s != NULL && rows_opened(&s->rows, stage->n > 0 ? fail_count(stage, err) : true, out);
}

const struct command stage_count = {
	STAGE("count", "number of rows", "calls | where depth > 5 | count", count_open),
	COLUMNS(count_cols)
};
