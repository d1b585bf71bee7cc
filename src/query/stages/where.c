/*
 * where: the rows for which a condition holds, found as far as they are asked for.
 */
#include "config.h"

#include "query/lang/lang.h"

struct where {
	struct sifted	 of;
	struct expr	*expr;
};

static bool
where_wants(struct sifted *s, bool *yes)
{
	return expr_test(((struct where *)s)->expr, s->rows.in, s->next, yes, &s->rows.err);
}

static void
where_close(struct rows *r)
{
	struct where *w = (struct where *)r;

	expr_free(w->expr);
	scratch_free(&w->of.found);
}

static const struct rows_ops where_ops = {
	.reach = sifted_reach, .cell = sifted_cell, .close = where_close, .touch = touch_same
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
	ok = expr_compile(&w->expr, stage, in, err);
	w->of.rows.reads = ok ? expr_touches(w->expr) : 0;
	return rows_opened(&w->of.rows, ok, out);
}

const struct command stage_where = {
	STAGE("where", "the rows for which a condition holds", "methods | where self > 1ms and class ~ icecore",
	    where_open),
	.args = ARGS({ &arg_condition })
};
