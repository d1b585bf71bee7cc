/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * filters: view stages without a source, as a user types them or the explorer keeps them.
 */
#include "config.h"

#include "run.h"

/* Without call trees only range is possible, which tracks accepts. */
static struct str
filters_source(const struct session *session)
{
	unsigned shapes = session_shapes(session);

	return load_graph_only(shapes) ? STR("methods | ") : (shapes & SHAPE_TREES) == 0 ? STR("tracks | ") :
	    STR("calls | ");
}

/* Parse the stages behind a source.  Error positions are those of the whole text. */
static bool
filters_read(struct query **q, struct session *session, struct str stages, struct err *err)
{
	struct buf text = BUF_INIT;
	size_t n;
	bool ok;

	buf_str(&text, filters_source(session));
	buf_str(&text, stages);
	*q = NULL;
	ok = text.bad ? fail(err, E_SYSTEM, "out of memory (filters)") :
	    query_parse(q, buf_view(&text), err) && query_fits(*q, session, err);
	buf_free(&text);
	if (!ok)
		return false;
	n = 1 + views_behind(*q, 0, session_shapes(session));
	return n == (*q)->nstages || fail_at(err, E_USAGE, (*q)->stage[n].at,
	    "'%s' works on rows: start with a source, e.g. '%s'",
	    (*q)->stage[n].command->word, (*q)->stage[n].command->example);
}

/* Correct an error position for the source in front of the stages. */
static bool
filters_end(struct query *q, const struct session *session, bool ok, struct err *err)
{
	size_t source = filters_source(session).n;

	if (!ok && err->at != ERR_NOWHERE)
		err->at -= err->at < source ? err->at : source;
	query_free(q);
	return ok;
}

bool
query_view(const struct session *session, struct str stages, struct store **out, struct work *work,
    struct err *err)
{
	struct session plain = *session;
	struct query *q;
	bool ok;

	plain.view = NULL;
	ok = filters_read(&q, &plain, stages, err) && query_prepare(q, &plain, work, err) &&
	    (made_take(q, out) || fail_at(err, E_USAGE, 0, "not a filter"));
	return filters_end(q, &plain, ok, err);
}

bool
query_range(const struct session *session, struct str stages, uint64_t *from, uint64_t *to, struct err *err)
{
	struct session plain = *session;
	struct plan *plan = NULL;
	struct query *q;
	bool ok;

	plain.view = NULL;
	*from = 0;
	*to = UINT64_MAX;
	ok = filters_read(&q, &plain, stages, err) && plan_open(&plan, &plain, q->stage, q->nstages - 1, err);
	if (ok)
		plan_limits(plan, from, to);
	plan_close(plan);
	return filters_end(q, &plain, ok, err);
}
