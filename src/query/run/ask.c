/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ask: a query from its text to its rows.
 */
#include "config.h"

#include "run.h"

bool
query_ask(struct reply *a, struct str text, unsigned how, struct session *session, struct work *work,
    struct err *err)
{
	bool ok;

	*a = (struct reply){ .query = NULL };
	ok = query_parse(&a->query, text, err) && ((how & ASK_ROWS) == 0 || query_only_asks(a->query, err));
	if (ok && (how & ASK_SHOWN) != 0)
		query_reads_shown(a->query);
	ok = ok && ((how & ASK_READY) != 0 || query_prepare(a->query, session, work, err)) &&
	    query_open(a->query, session, &a->rows, err);
	if (ok)
		rows_set_work(a->rows, work);
	else
		reply_close(a);
	return ok;
}

void
reply_close(struct reply *a)
{
	rows_close(a->rows);
	query_free(a->query);
	*a = (struct reply){ .query = NULL };
}

bool
query_want(struct str text, struct session *session, struct work *work, struct err *err)
{
	struct query *q = NULL;
	bool ok = query_parse(&q, text, err) && query_prepare(q, session, work, err);

	query_free(q);
	return ok;
}
