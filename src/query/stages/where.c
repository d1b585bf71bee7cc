/*
 * where: the rows for which a condition holds, found as far as they are asked for.
 */
#include "config.h"

#include "query/lang/lang.h"

struct where {
	struct rows	 rows;
	struct expr	*expr;
	struct scratch	 match;		/* u64: row of in for each row */
	uint64_t	 n, next;	/* rows known, next row of in to look at */
	bool		 ended;
};

static bool
where_step(struct where *w)
{
	struct rows *r = &w->rows;
	bool yes;

	if (rows_reach(r->in, w->next + 1) <= w->next)
		return false;
	if (!rows_tick(r, w->next) ||
	    !expr_test(w->expr, r->in, w->next, &yes, &r->err))
		return false;
	if (yes) {
		if (!scratch_array(&w->match, w->n + 1, sizeof(uint64_t), &r->err))
			return false;
		SCRATCH(w->match, uint64_t)[w->n++] = w->next;
	}
	w->next++;
	return true;
}

static uint64_t
where_reach(struct rows *r, uint64_t n)
{
	struct where *w = (struct where *)r;

	while (w->n < n && !w->ended)
		w->ended = !where_step(w);
	return w->n;
}

static void
where_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct where *w = (struct where *)r;

	rows_cell(r->in, SCRATCH(w->match, uint64_t)[row], col, c);
}

static void
where_close(struct rows *r)
{
	struct where *w = (struct where *)r;

	expr_free(w->expr);
	scratch_free(&w->match);
}

static uint64_t
where_touch(struct rows *r, uint64_t mine, struct touching *touching)
{
	(void)touching;
	return mine | expr_touches(((struct where *)r)->expr);
}

static const struct rows_ops where_ops = {
	.reach = where_reach, .cell = where_cell, .close = where_close, .touch = where_touch
};

static bool
where_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct where *w = rows_new(sizeof *w, &where_ops, session, in, err);

	if (w == NULL)
		return false;
	w->match = SCRATCH_INIT;
	w->rows.same = true;
	if (!expr_compile(&w->expr, stage, in, err)) {
		rows_close(&w->rows);
		return false;
	}
	*out = &w->rows;
	return true;
}

const struct command stage_where = {
	.word = "where",
	.kind = COMMAND_STAGE,
	.args = ARGS({ &arg_condition }),
	.what = "the rows for which a condition holds",
	.example = "methods | where self > 1ms and class ~ icecore",
	.open = where_open
};
