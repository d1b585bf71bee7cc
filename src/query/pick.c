/*
 * pick: the first rows, the last rows, some columns, the number of rows.
 */
#include "config.h"

#include <stdlib.h>

#include "stage.h"

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

static void
head_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	rows_cell(r->in, row, col, c);
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

static const struct rows_ops head_ops = { head_reach, head_cell, NULL };
static const struct rows_ops tail_ops = { tail_reach, tail_cell, NULL };

static bool
slice_open(struct session *session, const struct stage *stage, struct rows *in,
    const struct rows_ops *ops, struct rows **out, struct err *err)
{
	struct slice *s = rows_new(sizeof *s, ops, session, in, err);
	struct cell count = { .u = ROWS_USUAL };

	if (s == NULL)
		return false;
	if (!stage_at_most(stage, 1, err) || (stage->n == 1 &&
	    !literal_read(&stage->token[0], CELL_COUNT, &count, err))) {
		rows_close(&s->rows);
		return false;
	}
	s->want = count.u;
	*out = &s->rows;
	return true;
}

static bool
head_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	if (!slice_open(session, stage, in, &head_ops, out, err))
		return false;
	rows_limit(in, ((struct slice *)*out)->want);
	return true;
}

static bool
tail_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return slice_open(session, stage, in, &tail_ops, out, err);
}

const struct command stage_head = {
	.word = "head",
	.kind = COMMAND_STAGE,
	.args = "[COUNT]",
	.what = "the first rows, 10 unless told",
	.example = "methods | sort -self | head 5",
	.open = head_open
};

const struct command stage_tail = {
	.word = "tail",
	.kind = COMMAND_STAGE,
	.args = "[COUNT]",
	.what = "the last rows, 10 unless told",
	.example = "records | tail 3",
	.open = tail_open
};

/* ---- select ------------------------------------------------------------------- */

struct select {
	struct rows		 rows;
	struct column_ref	*ref;
	struct coldef		*cols;
};

static uint64_t
select_reach(struct rows *r, uint64_t n)
{
	return rows_reach(r->in, n);
}

static void
select_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct select *s = (struct select *)r;

	rows_cell(r->in, row, s->ref[col].col, c);
}

static void
select_close(struct rows *r)
{
	struct select *s = (struct select *)r;

	free(s->ref);
	free(s->cols);
}

static const struct rows_ops select_ops = { select_reach, select_cell, select_close };

/* Fails when a column was named twice: a json object cannot have it twice. */
static bool
select_columns(struct select *s, const struct stage *stage, struct err *err)
{
	struct rows *r = &s->rows;
	size_t i, j, n;

	if (!stage_columns(stage, r->in, false, &s->ref, &n, err))
		return false;
	s->cols = mem_array(n, sizeof *s->cols);
	if (s->cols == NULL)
		return fail(err, E_SYSTEM, "no memory for the query");
	for (i = 0; i < n; i++) {
		for (j = 0; j < i; j++)
			if (s->ref[j].col == s->ref[i].col)
				return fail_at(err, E_USAGE, stage->at,
				    "column '%s' is selected twice",
				    r->in->cols[s->ref[i].col].name);
		s->cols[i] = r->in->cols[s->ref[i].col];
		s->cols[i].more = false;
	}
	r->cols = s->cols;
	r->ncols = n;
	return true;
}

static bool
select_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct select *s = rows_new(sizeof *s, &select_ops, session, in, err);

	if (s == NULL)
		return false;
	if (!select_columns(s, stage, err)) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

const struct command stage_select = {
	.word = "select",
	.kind = COMMAND_STAGE,
	.args = "COLUMN ...",
	.what = "these columns, in this order",
	.example = "methods | select method calls self total",
	.open = select_open
};

/* A promise about the rows of a select is one about the rows below it. */
void
rows_limit(struct rows *r, uint64_t n)
{
	for (; r != NULL; r = r->ops == &select_ops ? r->in : NULL)
		if (n < r->most)
			r->most = n;
}

/* ---- count -------------------------------------------------------------------- */

static const struct coldef count_cols[] = {
	{ "count", CELL_COUNT, "number of rows", false }
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

static const struct rows_ops count_ops = { count_reach, count_cell, NULL };

static bool
count_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct count *s = rows_new(sizeof *s, &count_ops, session, in, err);

	if (s == NULL)
		return false;
	if (!stage_at_most(stage, 0, err)) {
		rows_close(&s->rows);
		return false;
	}
	s->rows.cols = count_cols;
	s->rows.ncols = NELEM(count_cols);
	*out = &s->rows;
	return true;
}

const struct command stage_count = {
	.word = "count",
	.kind = COMMAND_STAGE,
	.args = "",
	.what = "how many rows there are",
	.example = "calls | where depth > 5 | count",
	.cols = count_cols,
	.ncols = NELEM(count_cols),
	.open = count_open
};
