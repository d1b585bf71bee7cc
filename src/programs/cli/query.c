/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query: run the queries of -e and -f.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/home.h"
#include "cli.h"

/* Report all invalid queries before a file is opened. *good: number of valid queries. */
static int
parse_asks(const struct options *o, size_t *good)
{
	struct err err = { .at = ERR_NOWHERE };
	int status = E_NONE;
	struct ask *ask;

	*good = 0;
	for (size_t i = 0; i < o->asks.n; i++) {
		ask = &o->asks.ask[i];
		if (query_parse(&ask->query, ask->text, &err) &&
		    (o->repeat == 0 || query_only_asks(ask->query, &err))) {
			++*good;
			continue;
		}
		query_free(ask->query);
		ask->query = NULL;
		status = complain_ask(ask, &err);
		if (status >= E_SYSTEM || o->stop_on_error)
			break;
	}
	return status;
}

/* With more than two files, a query that reads one file needs --file N. */
static bool
check_one(const struct session *session, const struct options *o, const struct query *q, struct err *err)
{
	size_t files = 0;

	if (query_files(q) != QUERY_ONE_FILE)
		return true;
	for (size_t i = 0; i < session->nstores; i++)
		files += !file_is_beside(session, i);
	err->at = ERR_NOWHERE;
	if (session->growth != NULL)
		return fail(err, E_USAGE, "'growth' closes all files except the last; run queries about one file "
		    "separately");
	return files <= 2 || o->at > 0 ||
	    fail(err, E_USAGE, "%zu files given, but this query reads one; choose it with --file N",
	    session->nstores);
}

/* Report queries that parse, but do not fit the open files.  Some queries of presets may not. */
static int
check_asks(const struct session *session, const struct options *o, int status)
{
	struct err err = { .at = ERR_NOWHERE };
	size_t unfit = 0;
	struct ask *ask;
	int bad;

	for (size_t i = 0; i < o->asks.n; i++) {
		ask = &o->asks.ask[i];
		if (ask->query == NULL || ((ask->title.n == 0 ? query_may_fit(ask->query, session, &err) :
		    query_fits(ask->query, session, &err) && (query_has_events(ask->query, session) ||
		    fail(&err, E_USAGE, "no such event"))) && check_one(session, o, ask->query, &err)))
			continue;
		query_free(ask->query);
		ask->query = NULL;
		if (ask->title.n > 0 && err.kind == E_USAGE) {
			unfit++;
			continue;
		}
		bad = complain_ask(ask, &err);
		status = bad > status ? bad : status;
		if (o->stop_on_error)
			break;
	}
	if (unfit == 0 || unfit < o->asks.n)
		return status;
	err.at = ERR_NOWHERE;
	fail(&err, E_USAGE, "no query of the preset fits this file; 'icecore -e \"presets | where fits = true\" FILE' "
	    "lists the queries that fit");
	return complain(NULL, &err);
}

/* Return the query after ask i, whose passes may be computed in advance; NULL: none, or --timeout is set. */
static struct query *
next_query(const struct options *o, size_t i)
{
	while (o->timeout == 0 && ++i < o->asks.n)
		if (o->asks.ask[i].query != NULL)
			return o->asks.ask[i].query;
	return NULL;
}

/* The title of a query of a preset, above its answer. */
static void
put_title(struct str title, enum format format)
{
	struct buf b = BUF_INIT;

	if (title.n == 0 || !format_shows(format))
		return;
	text_fit_buf(&b, title);
	printf("%.*s\n", (int)b.n, b.s);
	for (size_t i = text_width(buf_view(&b)); i > 0; i--)
		putchar('-');
	putchar('\n');
	buf_free(&b);
}

/*
 * Print a whole answer. A query of a preset that found nothing has no columns to show, so that people do not
 * read an empty table.
 */
static bool
print_rows(struct rows *answer, const struct options *o, bool titled, uint64_t *n, struct err *err)
{
	enum format format = output_format(o->format);

	*n = 0;
	if (titled && format_shows(format) && rows_reach(answer, 1) == 0 && rows_error(answer) == NULL) {
		puts("None recorded.");
		return true;
	}
	return rows_print(answer, format, output_width(), stdout, n, err);
}

/* *begun: an earlier answer was printed; separate them with an empty line. */
static bool
print_one_answer(struct session *session, const struct options *o, size_t i, bool *begun, uint64_t *n,
    struct err *err)
{
	const struct ask *ask = &o->asks.ask[i];
	struct rows *answer;
	bool ok;

	*n = 0;
	progress_show(!o->quiet);
	if (!query_prepare_before(ask->query, next_query(o, i), session, &progress_work, err) ||
	    !query_open(ask->query, session, &answer, err))
		return false;
	rows_set_work(answer, &progress_work);
	/* Print no empty line either if a query fails before its first row. */
	rows_reach(answer, 1);
	progress_end();
	progress_show(false);
	if (rows_error(answer) == NULL) {
		if (*begun)
			rows_gap(answer, output_format(o->format), stdout);
		*begun = true;
		put_title(ask->title, output_format(o->format));
	}
	ok = print_rows(answer, o, ask->title.n > 0, n, err) && mem_whole(0, err);
	for (size_t k = 0; rows_note(answer, k) != NULL; k++)
		fprintf(stderr, "icecore: note: %s\n", rows_note(answer, k));
	rows_close(answer);
	return ok && (o->repeat == 0 || ferror(stdout) || query_repeat(session, o, ask, err));
}

/* On standard error, because only the source of an empty result knows the reason. */
static void
say_why_nothing(const struct session *session, struct query *q)
{
	struct buf why = BUF_INIT;

	query_nothing(q, session, &why);
	if (why.n > 0 && !why.bad)
		remark(store_path(session->store[session->at]), buf_view(&why));
	buf_free(&why);
}

/* last: number of rows of the last query; printed, titled: a query, or one of a preset, printed a row. */
static int
rows_status(const struct options *o, int status, uint64_t last, bool printed, bool titled)
{
	if (o->fail_if_rows)
		return printed && status < E_ROWS ? E_ROWS : status;
	return status == E_NONE && last == 0 && !titled ? E_EMPTY : status;
}

/*
 * A query that fails does not stop later ones, unless --stop-on-error is given. status: exit status for
 * invalid queries.
 */
static int
print_answers(struct session *session, const struct options *o, int status)
{
	struct err err = { .at = ERR_NOWHERE };
	const struct ask *ask;
	uint64_t n, last = 1;	/* last: of the last query that succeeded */
	bool begun = false, found = false, printed = false, ok;
	int bad;

	for (size_t i = 0; i < o->asks.n && format_shows(output_format(o->format)); i++)
		if (o->asks.ask[i].query != NULL)
			query_reads_shown(o->asks.ask[i].query);
	for (size_t i = 0; i < o->asks.n; i++) {
		ask = &o->asks.ask[i];
		if (ask->query == NULL)
			continue;
		ok = print_one_answer(session, o, i, &begun, &n, &err);
		printed |= n > 0;
		if (ok) {
			/* The reader closed the pipe: stop. */
			last = ferror(stdout) ? 1 : n;
			if (ferror(stdout))
				break;
			found |= n > 0 && ask->title.n > 0;
			if (n == 0)
				say_why_nothing(session, ask->query);
			continue;
		}
		progress_end();
		fflush(stdout);
		/*
		 * A query of a preset that fits files of this kind, but this one lacks a column of the store.
		 */
		if (ask->title.n > 0 && err.kind == E_USAGE && err.at == ERR_NOWHERE)
			continue;
		bad = complain_ask(ask, &err);
		status = bad > status ? bad : status;
		if (bad >= E_SYSTEM || o->stop_on_error)
			break;
	}
	return rows_status(o, status, last, printed, found);
}

/*
 * Report an invalid line of the user's presets, but only if a preset or the source presets is used, and a file of
 * them that is not read.
 */
static void
tell_wrong_presets(const struct options *o)
{
	bool asked = false;

	for (size_t i = 0; i < o->asks.n; i++)
		asked |= o->asks.ask[i].title.n > 0 || str_has_prefix(o->asks.ask[i].text, STR("presets"));
	if ((asked || home_note() != NULL) && o->presets.wrong.kind != E_NONE)
		remark(NULL, str_of(o->presets.wrong.text));
}

static int
answer_asks(struct session *session, const struct options *o, int status)
{
	if (session->nstores > 0)
		status = check_asks(session, o, status);
	return status == E_NONE || !o->stop_on_error ? print_answers(session, o, status) : status;
}

int
cli_query(struct session *session, const struct options *o)
{
	struct err err = { .at = ERR_NOWHERE };
	size_t good;
	int status;

	tell_wrong_presets(o);
	status = parse_asks(o, &good);
	if (o->repeat > 0 && !repeat_begin(&err))
		return complain(NULL, &err);
	if (status >= E_SYSTEM || (status != E_NONE && (good == 0 || o->stop_on_error)))
		return check_memory(status);
	return files_answer(session, o, status, answer_asks);
}
