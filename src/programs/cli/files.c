/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * files: open the files of a command line, together or, for heap dumps, one after the other, and report about
 * them.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "icecore/columns_names.h"
#include "icecore/command.h"
#include "icecore/facts.h"
#include "icecore/dumped.h"
#include "icecore/growth.h"
#include "icecore/view.h"
#include "cli.h"

/* ---- reports about a file ------------------------------------------------------------ */

/* Report the default event of a file with several, or that calls are the default, if no event was chosen. */
static void
files_tell_event(const struct store *st)
{
	struct buf b = BUF_INIT;

	event_told(st, &b);
	if (b.n > 0 && !b.bad)
		remark(store_path(st), buf_view(&b));
	buf_free(&b);
}

/* Warn if most lines of a text do not have its format, although the first lines do. */
static void
tell_left_out(const struct store *st)
{
	uint64_t n = load_left_out(st);
	char none[NUM_TEXT], all[NUM_TEXT];
	struct buf b = BUF_INIT;

	if (n == 0)
		return;
	num_show_count(none, sizeof none, n);
	num_show_count(all, sizeof all, num_add(fact_value(st, FACT_LINES), n));
	buf_printf(&b, "%s of %s lines dropped: no count at the end of the line", none, all);
	if (!b.bad)
		remark(store_path(st), buf_view(&b));
	buf_free(&b);
}

/* Warn if a table has no stacks because its weights are not numbers. */
static void
tell_unweighed(const struct store *st)
{
	struct str why = fact_text(st, FACT_TRACE_UNWEIGHED);

	if (why.n > 0)
		remark(store_path(st), why);
}

/* The results are correct in any case. */
static void
tell_damage(const struct store *st)
{
	struct buf said = BUF_INIT;

	if (!store_lost(st) && store_damage_text(st, &said) && !said.bad)
		remark(store_path(st), buf_view(&said));
	buf_free(&said);
}

/* Report which columns of tables were taken as times, and what they are. */
static void
tell_tracks(const struct store *st)
{
	struct str table = fact_text(st, FACT_BESIDE_TABLE), time = fact_text(st, FACT_BESIDE_TIME);
	struct buf b = BUF_INIT;

	buf_printf(&b, "times of the tracks of %.*s: %.*s; --time chooses another column", (int)table.n,
	    table.s, (int)time.n, time.s);
	if (table.n > 0 && !b.bad)
		remark(store_path(st), buf_view(&b));
	buf_free(&b);
}

/* Name the heap graphs of a trace if there are several. */
static void
tell_graphs(const struct store *st)
{
	struct str graphs = fact_text(st, FACT_HEAP_GRAPHS);
	struct buf b = BUF_INIT;

	buf_printf(&b, "first of %u heap graphs; --dump opens another: %.*s", (unsigned)fact_value(st, FACT_DUMPS),
	    (int)graphs.n, graphs.s);
	if (graphs.n > 0 && !b.bad)
		remark(store_path(st), buf_view(&b));
	buf_free(&b);
}

/* Print remarks about a file: the default event, dropped lines. */
static void
file_told(const struct options *o, const struct store *st)
{
	if (o->beside.time == NULL)
		tell_tracks(st);
	if (o->ui.event == NULL && (o->asks.n == 0 || asks_use_event(&o->asks, load_shapes(st))))
		files_tell_event(st);
	if (o->ui.store.dump == 0)
		tell_graphs(st);
	tell_left_out(st);
	tell_unweighed(st);
}

/* Save computed columns in the index, also if the answer failed or was cancelled. */
static void
file_keep(struct store *st)
{
	struct err err;

	tell_damage(st);
	if (!store_lost(st) && !store_save(st, &err))
		complain(store_path(st), &err);
}

/* Report what could not be read. The answer is printed nevertheless. */
static int
file_losses(const struct store *st, int status)
{
	struct err err = { .kind = E_INPUT };
	struct str reason = fact_text(st, FACT_LOSS_REASON);

	/* After a timeout or interrupt, the damage of the rest of the file is unknown. */
	if (store_lost(st) && !work_tick(&progress_work, 0)) {
		if (status >= E_SYSTEM)
			return status;
		(void)fail_cancel(&err);
	} else if (store_lost(st)) {
		fail(&err, E_INPUT, "file changed while reading; run icecore again");
		/* The usage error may come from the changed file, not from the query. */
		status = status == E_USAGE ? E_INPUT : status;
	} else if (!store_damaged(st))
		return status;
	else if (reason.n > 0)
		fail(&err, E_INPUT, "%.*s", (int)reason.n, reason.s);
	else
		fail(&err, E_INPUT, "file is damaged; 'info' lists the losses");
	complain(store_path(st), &err);
	return status > (int)err.kind || status == E_USAGE ? status : (int)err.kind;
}

/* ---- opening ------------------------------------------------------------------------- */

/* A query in place of a file: no file has that name. */
static bool
is_query(const char *path)
{
	for (size_t i = 0; commands[i] != NULL; i++)
		if (commands[i]->kind == COMMAND_SOURCE && strcmp(commands[i]->word, path) == 0)
			return access(path, F_OK) != 0;
	return false;
}

/*
 * Open a file with its side files. The session owns the store, even if a side file fails.  dump: of several in
 * the file; 0: that of the options.
 */
static bool
files_open_file(struct session *session, const struct options *o, const char *path, unsigned dump,
    struct work *work, struct err *err)
{
	struct store_options how = o->ui.store;
	struct store *st;
	bool ok;

	how.dump = dump != 0 ? dump : how.dump;
	if (!load_open(&st, path, &how, work, err))
		return is_query(path) ? fail(err, err->kind,
		    "no such file; to run a query, use -e: icecore -e %s FILE", path) : false;
	/* With several files, --event does not apply to heap dumps. */
	ok = load_sides(&st, st, &o->ui.sides, work, err) && (o->ui.event == NULL ||
	    (o->files.n > 1 && (load_shapes(st) & SHAPE_GRAPH) != 0) ||
	    view_event(&st, o->ui.event, work, err));
	session->store[session->nstores++] = st;
	return ok;
}

/* Heap dumps get the allocations that recordings among the files have. */
static bool
join_recordings(struct session *session, struct err *err)
{
	for (size_t i = 0; i < session->nstores; i++)
		for (size_t k = 0; k < session->nstores; k++)
			if (i != k && !load_recording(&session->store[i], session->store[k], err))
				return false;
	return true;
}

/* Return the first store of a dump joined with another file; nstores: none. */
static size_t
first_joined(const struct session *session)
{
	size_t i = 0;

	while (i < session->nstores && ((load_shapes(session->store[i]) & SHAPE_GRAPH) == 0 ||
	    (load_shapes(session->store[i]) & (SHAPE_MADE | SHAPE_NATIVE)) == 0))
		i++;
	return i;
}

bool
file_is_beside(const struct session *session, size_t i)
{
	return i != session->at && first_joined(session) < session->nstores &&
	    load_goes_beside(session->store[i]);
}

/* Return the default file of queries: the dump, if a dump and a recording were given in either order. */
static size_t
file_meant(const struct session *session)
{
	size_t dump = first_joined(session);

	return dump < session->nstores && load_goes_beside(session->store[0]) ? dump : 0;
}

/* The queries are about one of two files that could be compared. */
static void
files_tell_other(const struct session *session, const struct options *o)
{
	bool one = o->asks.n > 0 && o->at == 0 && !o->quiet && session_compares(session);

	for (size_t i = 0; one && i < o->asks.n; i++)
		one = o->asks.ask[i].query != NULL && query_files(o->asks.ask[i].query) == QUERY_ONE_FILE &&
		    !query_compares(o->asks.ask[i].query);
	if (one)
		remark(store_path(session->store[1]),
		    STR("not used by this query; --file 2 asks this file, the stage diff compares both"));
}

/* With two files, a query about one of them fails if the other cannot be used with it. */
static bool
files_check_pair(const struct session *session, const struct options *o, struct err *err)
{
	bool one = o->asks.n == 0;

	for (size_t i = 0; i < o->asks.n; i++)
		one |= o->asks.ask[i].query != NULL && query_files(o->asks.ask[i].query) == QUERY_ONE_FILE;
	return session->nstores != 2 || o->at > 0 || !one || session_together(session, 1, err);
}

/* *failed: the file that err refers to. */
static bool
open_all(struct session *session, const struct options *o, struct work *work, int *status,
    size_t *failed, struct err *err)
{
	struct store *series;

	(void)status;
	*failed = 0;
	if (!load_series(&series, o->files.arg, o->files.n, &o->ui.store, work, err))
		return false;
	if (series != NULL) {
		session->store[session->nstores++] = series;
		return load_sides(&session->store[0], series, &o->ui.sides, work, err);
	}
	if (o->files.n > SESSION_STORES)
		return fail(err, E_USAGE, "%zu files; at most %d can be open. 'icecore triage' reads more", o->files.n,
		    SESSION_STORES);
	for (*failed = 0; *failed < o->files.n; ++*failed)
		if (!files_open_file(session, o, o->files.arg[*failed], 0, work, err))
			return false;
	if (o->files.n > 1 && o->ui.has_offset)
		session->offset[1] = o->ui.offset;
	*failed = o->files.n - 1;
	if (!join_recordings(session, err) || !files_check_pair(session, o, err))
		return false;
	session->at = o->at > 0 ? o->at - 1 : file_meant(session);
	files_tell_other(session, o);
	return true;
}

/* The last of the dumps so far stays open. */
static void
close_earlier(struct session *session, int *status)
{
	size_t order[GROWTH_DUMPS], n = growth_dumps(session->growth);
	struct store *st;

	session->at = 0;
	if (session->nstores < 2)
		return;
	growth_order(session->growth, order);
	st = session->store[0];
	if (order[n - 1] == n - 1)
		session->store[0] = session->store[1];
	else
		st = session->store[1];
	session->nstores = 1;
	file_keep(st);
	*status = file_losses(st, *status);
	store_close_pile(st, NULL);
}

/* Add the store that was opened last. */
static bool
files_series_add(struct session *session, int *status, struct work *work, struct err *err)
{
	struct store *st = session->store[session->nstores - 1];

	if ((load_shapes(st) & SHAPE_GRAPH) == 0)
		return fail(err, E_USAGE, "not a heap dump; 'growth' compares heap dumps or class histograms");
	if (!pass_want(st, heap_col(COL_EACH_NAMES_KIND, session->refs, session->sizes), work, err) ||
	    !growth_add(session->growth, st, session->refs, session->sizes, work, err))
		return false;
	close_earlier(session, status);
	return true;
}

/* The other dumps in a file, of the same process. */
static bool
files_series_dumps(struct session *session, const struct options *o, struct work *work, int *status, struct err *err)
{
	const struct store *first = session->store[0];
	uint64_t pid = fact_value(first, FACT_PID), n = fact_value(first, FACT_DUMPS), opened = store_dump(first);

	for (unsigned i = 1; i <= n; i++) {
		if (i == opened)
			continue;
		if (!files_open_file(session, o, o->files.arg[0], i, work, err))
			return false;
		if (fact_value(session->store[session->nstores - 1], FACT_PID) != pid)
			store_close_pile(session->store[--session->nstores], NULL);
		else if (!files_series_add(session, status, work, err))
			return false;
	}
	return true;
}

static void
files_series_end(struct session *session)
{
	growth_free(session->growth);
	session->growth = NULL;
}

/*
 * Open heap dumps one by one for session->growth; the latest stays open. *status: file_losses of the others.
 * A single file may have several.
 */
static bool
open_series(struct session *session, const struct options *o, struct work *work, int *status,
    size_t *failed, struct err *err)
{
	bool one = o->files.n == 1;

	*failed = 0;
	if (!growth_new(&session->growth, err))
		return false;
	for (; *failed < o->files.n; ++*failed) {
		struct store *st;

		if (!files_open_file(session, o, o->files.arg[*failed], 0, work, err))
			return false;
		st = session->store[session->nstores - 1];
		/* The growth of class histograms is that of one series. */
		if (*failed == 0 && (load_shapes(st) & SHAPE_COUNTS) != 0) {
			files_series_end(session);
			session->nstores = 0;
			store_close_pile(st, NULL);
			return open_all(session, o, work, status, failed, err);
		}
		if (one && fact_value(st, FACT_DUMPS) < 2) {
			files_series_end(session);
			return true;
		}
		if (!files_series_add(session, status, work, err))
			return false;
	}
	*failed = o->files.n - 1;
	if (one && !files_series_dumps(session, o, work, status, err))
		return false;
	if (growth_dumps(session->growth) < 2)
		files_series_end(session);
	return true;
}

/* ---- answers ------------------------------------------------------------------------- */

static bool
answer_choose_clock(struct session *session, struct err *err)
{
	enum clock asked = session->clock;
	bool chosen = session->clock_chosen;

	session_choose_clock(session, session_store(session));
	return !chosen || session->clock == asked || fail(err, E_USAGE, "no clock '%s' in this file",
	    clock_names[asked]);
}

/* Return whether a query needs its files one at a time. */
static bool
asks_grow(const struct options *o)
{
	for (size_t i = 0; i < o->asks.n; i++)
		if (o->asks.ask[i].query != NULL && query_files(o->asks.ask[i].query) == QUERY_FILES_IN_TURN)
			return true;
	return false;
}

static int
answer_of_files(struct session *session, const struct options *o, int status, answer_fn *answer)
{
	struct err err = { .at = ERR_NOWHERE };
	size_t i;

	if (!(asks_grow(o) ? open_series : open_all)(session, o, &progress_work, &status, &i,
	    &err)) {
		progress_end();
		return check_memory(complain(o->files.arg[i], &err));
	}
	progress_end();
	for (i = 0; i < session->nstores; i++)
		if (!file_is_beside(session, i))
			file_told(o, session->store[i]);
	if (!answer_choose_clock(session, &err))
		return check_memory(complain(store_path(session->store[session->at]), &err));
	status = check_memory(answer(session, o, status));
	for (i = 0; i < session->nstores; i++)
		file_keep(session->store[i]);
	for (i = 0; i < session->nstores; i++)
		status = file_losses(session->store[i], status);
	return status;
}

bool
fail_no_file(struct err *err)
{
	return fail(err, E_USAGE, "no file given; try 'icecore --help'");
}

/* Fail unless all queries work without a file. */
static bool
check_no_file(struct session *session, const struct options *o, struct err *err)
{
	bool ready = o->ask && !o->text && !o->report;

	for (size_t i = 0; i < o->asks.n; i++)
		ready = ready && (o->asks.ask[i].query == NULL || query_ready(o->asks.ask[i].query, session));
	return ready || fail_no_file(err);
}

int
files_answer(struct session *session, const struct options *o, int status, answer_fn *answer)
{
	struct err err = { .at = ERR_NOWHERE };

	if (!confine_answers(o, &err))
		return complain(NULL, &err);
	progress_begin(!o->quiet);
	if (o->files.n > 0)
		return answer_of_files(session, o, status, answer);
	if (!check_no_file(session, o, &err))
		return complain(NULL, &err);
	return check_memory(answer(session, o, status));
}
