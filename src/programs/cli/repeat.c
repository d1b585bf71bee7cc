/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * repeat: how long a query takes, by running it again. The open file and the computed columns stay; all cells
 * are printed to nowhere.
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "cli.h"

static FILE *nowhere;

/* Durations in ns. Welford's sums: the mean so far, and the squared distances from it. */
struct repeated {
	uint64_t	n, least, most;
	double		mean, squares;
};

static void
repeated_add(struct repeated *r, uint64_t ns)
{
	double off = (double)ns - r->mean;

	r->least = r->n == 0 || ns < r->least ? ns : r->least;
	r->most = ns > r->most ? ns : r->most;
	r->n++;
	r->mean += off / (double)r->n;
	r->squares += off * ((double)ns - r->mean);
}

static bool
repeat_once(struct repeated *r, struct session *session, const struct options *o, const struct ask *ask,
    struct err *err)
{
	enum format format = output_format(o->format);
	struct reply reply;
	uint64_t n, begun = os_now();
	bool ok = query_ask(&reply, ask->text, ASK_ROWS | (format_shows(format) ? ASK_SHOWN : 0), session,
	    &progress_work, err);

	ok = ok && rows_print(reply.rows, format, output_width(), nowhere, &n, err);
	reply_close(&reply);
	repeated_add(r, os_now() - begun);
	return ok;
}

static void
put_ns(struct buf *b, const char *name, double ns)
{
	buf_printf(b, ", %s ", name);
	cell_show(&(struct cell){ .type = CELL_TIME, .u = (uint64_t)llround(ns) }, b);
}

static void
repeat_tell(const struct repeated *r, struct str query)
{
	struct buf b = BUF_INIT;

	assert(r->n > 0);
	buf_printf(&b, "%.*s: %llu times", (int)query.n, query.s, (unsigned long long)r->n);
	put_ns(&b, "average", r->mean);
	if (r->n > 1)
		put_ns(&b, "standard deviation", sqrt(r->squares / (double)(r->n - 1)));
	put_ns(&b, "least", (double)r->least);
	put_ns(&b, "most", (double)r->most);
	buf_printf(&b, ", %.*f queries per second", r->mean > 1e7 ? 2 : 0, 1e9 / (r->mean > 1 ? r->mean : 1));
	if (!b.bad)
		remark(NULL, buf_view(&b));
	buf_free(&b);
}

bool
repeat_begin(struct err *err)
{
	nowhere = fopen("/dev/null", "we");
	return nowhere != NULL || fail_errno(err, "--repeat: cannot open /dev/null");
}

bool
query_repeat(struct session *session, const struct options *o, const struct ask *ask, struct err *err)
{
	struct repeated r = { .n = 0 };

	while (r.n < o->repeat)
		if (!repeat_once(&r, session, o, ask, err))
			return false;
	repeat_tell(&r, ask->text);
	return true;
}
