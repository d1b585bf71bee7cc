/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distinct: the first row of those that are equal, found as far as rows are
 * asked for.
 */
#include "config.h"

#include <stdlib.h>

#include "query/lang/lang.h"

struct distinct {
	struct sifted		 of;
	struct column_ref	*ref;		/* columns that have to differ */
	size_t			 nrefs;
	struct keys		 keys;
};

static bool
distinct_wants(struct sifted *s, bool *yes)
{
	struct distinct *d = (struct distinct *)s;
	uint32_t number;

	if (!keys_row(&d->keys, s->rows.in, s->next, d->ref, d->nrefs, &number, &s->rows.err))
		return false;
	*yes = number > s->n;
	return true;
}

static void
distinct_close(struct rows *r)
{
	struct distinct *d = (struct distinct *)r;

	free(d->ref);
	keys_free(&d->keys);
	sifted_close(&d->of);
}

static const struct rows_ops distinct_ops = {
	.reach = sifted_reach, .cell = sifted_cell, .close = distinct_close, .touch = touch_same,
	.batch = sifted_batch
};

static bool
all_columns(struct distinct *d, struct err *err)
{
	size_t n = d->of.rows.ncols;

	d->ref = mem_array(n, sizeof *d->ref);
	if (d->ref == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	for (; d->nrefs < n; d->nrefs++)
		d->ref[d->nrefs].col = d->nrefs;
	return true;
}

static bool
distinct_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct distinct *d = sifted_new(sizeof *d, &distinct_ops, distinct_wants, session, in, err);
	bool ok;

	if (d == NULL)
		return false;
	d->of.rows.same = true;
	ok = stage->n == 0 ? all_columns(d, err) : stage_columns(stage, in, REFS_PLAIN, &d->ref, &d->nrefs,
	    err);
	d->of.rows.reads = ok ? columns_of_refs(d->ref, d->nrefs) : 0;
	return rows_opened(&d->of.rows, ok, out);
}

const struct command stage_distinct = {
	STAGE("distinct", "drop duplicate rows, by all or the given columns",
	    "records | select method action | distinct", distinct_open),
	.args = ARGS({ &arg_column, ARG_OPTIONAL | ARG_MANY })
};
