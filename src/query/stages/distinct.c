/*
 * distinct: the first row of those that are equal, found as far as rows are
 * asked for.
 */
#include "config.h"

#include <stdlib.h>

#include "query/lang/lang.h"

struct distinct {
	struct rows		 rows;
	struct column_ref	*ref;		/* what has to differ */
	size_t			 nrefs;
	struct keys		 keys;
	struct buf		 key;
	struct scratch		 first;		/* u64: row of in for each row */
	uint64_t		 n, next;	/* rows known, next row of in to look at */
	bool			 ended;
};

static bool
distinct_step(struct distinct *d)
{
	struct rows *r = &d->rows;
	struct cell c;
	uint32_t number;
	size_t i;

	if (rows_reach(r->in, d->next + 1) <= d->next || !rows_tick(r, d->next))
		return false;
	buf_clear(&d->key);
	for (i = 0; i < d->nrefs; i++) {
		rows_cell(r->in, d->next, d->ref[i].col, &c);
		keys_add_cell(&d->key, &c);
	}
	if (d->key.bad)
		return fail(&r->err, E_SYSTEM, "no memory for a row");
	if (!keys_number(&d->keys, buf_view(&d->key), &number, &r->err))
		return false;
	if (number > d->n) {
		if (!scratch_array(&d->first, d->n + 1, sizeof(uint64_t), &r->err))
			return false;
		SCRATCH(d->first, uint64_t)[d->n++] = d->next;
	}
	d->next++;
	return true;
}

static uint64_t
distinct_reach(struct rows *r, uint64_t n)
{
	struct distinct *d = (struct distinct *)r;

	while (d->n < n && !d->ended)
		d->ended = !distinct_step(d);
	return d->n;
}

static void
distinct_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct distinct *d = (struct distinct *)r;

	rows_cell(r->in, SCRATCH(d->first, uint64_t)[row], col, c);
}

static void
distinct_close(struct rows *r)
{
	struct distinct *d = (struct distinct *)r;

	free(d->ref);
	keys_free(&d->keys);
	buf_free(&d->key);
	scratch_free(&d->first);
}

static uint64_t
distinct_touch(struct rows *r, uint64_t mine, struct touching *touching)
{
	const struct distinct *d = (struct distinct *)r;

	(void)touching;
	return mine | columns_of_refs(d->ref, d->nrefs);
}

static const struct rows_ops distinct_ops = {
	.reach = distinct_reach, .cell = distinct_cell, .close = distinct_close, .touch = distinct_touch
};

static bool
all_columns(struct distinct *d, struct err *err)
{
	d->ref = mem_array(d->rows.ncols, sizeof *d->ref);
	if (d->ref == NULL)
		return fail(err, E_SYSTEM, "no memory for the query");
	for (; d->nrefs < d->rows.ncols; d->nrefs++)
		d->ref[d->nrefs].col = d->nrefs;
	return true;
}

static bool
distinct_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct distinct *d = rows_new(sizeof *d, &distinct_ops, session, in, err);

	if (d == NULL)
		return false;
	d->keys = KEYS_INIT;
	d->rows.same = true;
	d->first = SCRATCH_INIT;
	if (!(stage->n == 0 ? all_columns(d, err) :
	    stage_columns(stage, in, false, &d->ref, &d->nrefs, err))) {
		rows_close(&d->rows);
		return false;
	}
	*out = &d->rows;
	return true;
}

const struct command stage_distinct = {
	.word = "distinct",
	.kind = COMMAND_STAGE,
	.args = ARGS({ &arg_column, ARG_OPTIONAL | ARG_MANY }),
	.what = "the first of rows that are equal, in all or some columns",
	.example = "records | select method action | distinct",
	.open = distinct_open
};
