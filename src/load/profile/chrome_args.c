/*
 * Args of calls: where they stand and what they say, as columns.
 */
#include "config.h"

#include "chrome_marks.h"

uint64_t
chrome_args(struct json args)
{
	return args.at < args.size && json_peek(&args) == '{' ? args.at + 1 : 0;
}

/* ---- columns ---------------------------------------------------------------------------------- */

/* Columns of a row for each call and each end, up to the last one that has args. */
struct args_out {
	uint32_t	*word;
	void		*begin, *end;		/* NULL: no end has args */
	enum column_type type;
};

static bool
make_out(struct chrome_marks *m, struct args_out *out, struct err *err)
{
	const struct calls_in *c = &m->l->spans.calls;
	const struct span_args *args = SCRATCH(c->args, struct span_args);
	bool ends = false;

	for (uint64_t i = 0; i < c->nargs; i++)
		ends |= args[i].end != 0;
	out->type = column_fit(m->l->doc.size);
	out->word = store_make(m->l->st, COL_EVENT_DETAIL, COL_U32, c->nargs, err);
	out->begin = out->word == NULL ? NULL : store_make(m->l->st, COL_EVENT_ARGS, out->type, c->nargs, err);
	out->end = out->begin == NULL || !ends ? NULL : store_make(m->l->st, COL_EVENT_END_ARGS, out->type, c->nargs, err);
	return out->begin != NULL && (out->end != NULL || !ends);
}

static uint64_t
place_of(const struct chrome_marks *m, uint32_t number)
{
	return number == 0 ? 0 : SCRATCH(m->args, uint64_t)[number - 1];
}

bool
chrome_args_columns(struct chrome_marks *m, struct err *err)
{
	const struct calls_in *c = &m->l->spans.calls;
	const struct span_args *args = SCRATCH(c->args, struct span_args);
	struct args_out out;

	if (c->nargs == 0)
		return true;
	if (!make_out(m, &out, err))
		return false;
	for (uint64_t i = 0; i < c->nargs; i++) {
		uint64_t places[2] = { place_of(m, args[i].begin), place_of(m, args[i].end) };

		if (!work_go(m->l->work, m->l->doc.size, err) || !chrome_detail(m, places, &out.word[i], err))
			return false;
		column_set(out.begin, out.type, i, places[0]);
		if (out.end != NULL)
			column_set(out.end, out.type, i, places[1]);
	}
	return true;
}
