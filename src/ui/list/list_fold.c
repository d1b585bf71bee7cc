/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list_fold: fold idle rows into the last row until Enter shows them.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lines.h"

/* Rows over in, with its columns: the rows that are not folded, then one row that sums up the folded ones. */
struct folded {
	struct rows	 rows;
	const struct list_fold *fold;
	struct scratch	 row, hidden;	/* u32: row numbers of in */
	uint64_t	 n, nhidden;
	uint64_t	*sum;		/* sums of the hidden rows, by column */
	uint64_t	 summed;	/* bit set of columns that have a sum */
	int		 text;		/* column that shows the number of folded rows */
	struct buf	 said;
};

/* ---- rows ---------------------------------------------------------------- */

static uint64_t
list_fold_reach(struct rows *r, uint64_t n)
{
	struct folded	*f = (struct folded *)r;

	return n < f->n + 1 ? n : f->n + 1;
}

static void
list_fold_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct folded	*f = (struct folded *)r;
	char		 n[NUM_TEXT];

	if (row < f->n) {
		rows_cell(r->in, SCRATCH(f->row, uint32_t)[row], col, c);
		return;
	}
	*c = (struct cell){ .type = CELL_NONE };
	if (col < COLUMNS_MAX && (f->summed & COLUMN_BIT(col)) != 0) {
		c->type = r->cols[col].type;
		c->u = f->sum[col];
	} else if ((int)col == f->text) {
		num_show_count(n, sizeof n, f->nhidden);
		buf_clear(&f->said);
		buf_printf(&f->said, "+%s %s%s", n, f->fold->what, f->nhidden == 1 ? "" : "s");
		c->type = CELL_TEXT;
		c->text = buf_view(&f->said);
	}
}

static void
folded_close(struct rows *r)
{
	struct folded	*f = (struct folded *)r;

	scratch_free(&f->row);
	scratch_free(&f->hidden);
	free(f->sum);
	buf_free(&f->said);
}

static const struct rows_ops folded_ops = { .reach = list_fold_reach, .cell = list_fold_cell,
    .close = folded_close };

static void
add_sums(struct folded *f, uint64_t row)
{
	struct cell	 c;

	for (size_t col = 0; col < f->rows.ncols && col < COLUMNS_MAX; col++) {
		if ((f->summed & COLUMN_BIT(col)) == 0)
			continue;
		rows_cell(f->rows.in, row, col, &c);
		f->sum[col] = num_add(f->sum[col], c.type == CELL_NONE ? 0 : c.u);
	}
}

static bool
list_fold_sift(struct list *l, struct folded *f, int flag, struct err *err)
{
	struct rows	*in = f->rows.in;
	struct cell	 c;
	bool		 hide;

	for (uint64_t row = 0; rows_reach(in, row + 1) > row && row < UINT32_MAX; row++) {
		uint32_t at = (uint32_t)row;

		rows_cell(in, row, (size_t)flag, &c);
		hide = c.u != 0 && (f->fold->stays == NULL || !f->fold->stays(l, in, row));
		if (!scratch_add(hide ? &f->hidden : &f->row, hide ? &f->nhidden : &f->n, &at, sizeof at,
		    err))
			return false;
		if (hide)
			add_sums(f, row);
	}
	return rows_whole(in, err);
}

static bool
list_fold_make(struct list *l, struct folded *f, int flag, struct err *err)
{
	struct str	 rest = str_of(f->fold->sums), name;
	int		 col;

	f->text = rows_column(f->rows.in, str_of(f->fold->text));
	if ((f->sum = mem_array(f->rows.ncols + 1, sizeof *f->sum)) == NULL)
		return fail(err, E_SYSTEM, "out of memory (idle rows)");
	while (str_split(&rest, ' ', &name))
		if ((col = rows_column(f->rows.in, name)) >= 0 && col < COLUMNS_MAX)
			f->summed |= COLUMN_BIT(col);
	return list_fold_sift(l, f, flag, err);
}

struct rows *
list_fold_rows(struct list *l, struct rows *in, struct err *err)
{
	const struct list_fold *fold = l->ask.fold;
	int		 flag = fold != NULL ? rows_column(in, str_of(fold->flag)) : -1;
	struct folded	*f;

	if (flag < 0)
		return in;
	f = rows_new(sizeof *f, &folded_ops, in->session, in, err);
	if (f == NULL)
		return NULL;
	f->fold = fold;
	if (!list_fold_make(l, f, flag, err)) {
		rows_close(&f->rows);
		return NULL;
	}
	if (f->n >= fold->left && f->nhidden >= fold->least)
		return &f->rows;
	f->rows.in = NULL;
	rows_close(&f->rows);
	return in;
}

/* ---- hidden rows --------------------------------------------------------- */

static struct folded *
folded_of(const struct list *l)
{
	return l->now.rows != NULL && l->now.rows->ops == &folded_ops ? (struct folded *)l->now.rows : NULL;
}

struct rows *
list_whole(struct list *l)
{
	return folded_of(l) != NULL ? l->now.rows->in : l->now.rows;
}

bool
list_folded(const struct list *l, uint64_t row)
{
	const struct folded *f = folded_of(l);

	return f != NULL && row == f->n;
}

uint64_t
list_hidden(const struct list *l, uint64_t i)
{
	const struct folded *f = folded_of(l);

	return f != NULL && i < f->nhidden ? SCRATCH(f->hidden, uint32_t)[i] : ROWS_ALL;
}

/* Queries include rows that are shown despite their flag by id. */
void
list_fold_text(const struct list *l, struct buf *b)
{
	const struct folded *f = folded_of(l);
	bool		 any = false;

	if (f == NULL)
		return;
	buf_printf(b, " | where not %s", f->fold->flag);
	for (uint64_t i = 0; f->fold->stays != NULL && i < f->n; i++) {
		uint64_t row = SCRATCH(f->row, uint32_t)[i];

		if (list_number_at(f->rows.in, row, f->fold->flag) == 0)
			continue;
		buf_printf(b, "%s%" PRIu64, any ? ", " : " or id in (",
		    list_number_at(f->rows.in, row, "id"));
		any = true;
	}
	buf_str(b, any ? STR(")") : STR(""));
}

const char *
list_folded_why(const struct list *l)
{
	return folded_of(l)->fold->why;
}
