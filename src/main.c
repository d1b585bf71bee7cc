/*
 * icecore: options, then open, then the explorer or answers.
 */
#include "config.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "icecore/growth.h"
#include "icecore/view.h"
#include "complain.h"
#include "confine.h"
#include "files.h"
#include "options.h"
#include "progress.h"
#include "subcommand.h"

/* ---- answers --------------------------------------------------------------------- */

static unsigned
terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

static enum format
main_format_of(const struct options *o)
{
	if (o->format != FORMATS)
		return (enum format)o->format;
	return isatty(STDOUT_FILENO) ? FORMAT_TABLE : FORMAT_TSV;
}

/* Return the query after ask i, whose passes may be computed in advance; NULL: none, or --timeout is set. */
static const struct query *
next_query(const struct options *o, size_t i)
{
	while (o->timeout == 0 && ++i < o->asks.n)
		if (o->asks.ask[i].query != NULL)
			return o->asks.ask[i].query;
	return NULL;
}

/* *begun: an earlier answer was printed; separate them with an empty line. */
static bool
main_print_answer(struct session *session, const struct options *o, size_t i, bool *begun, uint64_t *n, struct err *err)
{
	const struct ask *ask = &o->asks.ask[i];
	struct rows *answer;
	bool ok;

	progress_show(!o->quiet);
	if (!query_prepare_before(ask->query, next_query(o, i), session, &progress_work, err) ||
	    !query_open(ask->query, session, &answer, err))
		return false;
	rows_set_work(answer, &progress_work);
	/* An answer that fails before its first row leaves nothing, no empty line either. */
	rows_reach(answer, 1);
	progress_end();
	progress_show(false);
	if (rows_error(answer) == NULL) {
		if (*begun)
			rows_gap(answer, main_format_of(o), stdout);
		*begun = true;
	}
	ok = rows_print(answer, main_format_of(o), isatty(STDOUT_FILENO) ? terminal_width() : 0, stdout, n, err) && mem_whole(0, err);
	for (size_t k = 0; rows_note(answer, k) != NULL; k++)
		fprintf(stderr, "icecore: note: %s\n", rows_note(answer, k));
	rows_close(answer);
	return ok;
}

/* On standard error, where the source of an empty answer knows why. */
static void
say_why_nothing(const struct session *session, const struct query *q)
{
	struct buf why = BUF_INIT;

	query_nothing(q, session, &why);
	if (why.n > 0 && !why.bad)
		remark(store_path(session->store[session->at]), buf_view(&why));
	buf_free(&why);
}

/*
 * A query that fails does not keep the next ones from being answered, unless
 * that is asked for.  status: of the queries that were wrong.
 */
static int
main_answer(struct session *session, const struct options *o, int status)
{
	struct err err = { .at = ERR_NOWHERE };
	const struct ask *ask;
	uint64_t n = 1;		/* of the last answer */
	bool begun = false;
	int bad;

	for (size_t i = 0; i < o->asks.n && format_shows(main_format_of(o)); i++)
		if (o->asks.ask[i].query != NULL)
			query_reads_shown(o->asks.ask[i].query);
	for (size_t i = 0; i < o->asks.n; i++) {
		ask = &o->asks.ask[i];
		if (ask->query == NULL)
			continue;
		if (main_print_answer(session, o, i, &begun, &n, &err)) {
			/* The reader closed the pipe: stop. */
			if (ferror(stdout))
				return status;
			if (n == 0)
				say_why_nothing(session, ask->query);
			continue;
		}
		progress_end();
		fflush(stdout);
		bad = complain_ask(ask, &err);
		status = bad > status ? bad : status;
		if (bad >= E_SYSTEM || o->stop_on_error)
			return status;
	}
	return status == E_NONE && n == 0 ? E_EMPTY : status;
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
		return fail(err, E_USAGE, "'growth' closes all files but the last; ask queries of one file in another run");
	return files <= 2 || o->at > 0 ||
	    fail(err, E_USAGE, "%zu files given, and this query reads one; choose it with --file N", session->nstores);
}

/* Report queries that parse, but do not fit the open files. */
static int
check_asks(const struct session *session, const struct options *o, int status)
{
	struct err err = { .at = ERR_NOWHERE };
	struct ask *ask;
	int bad;

	for (size_t i = 0; i < o->asks.n; i++) {
		ask = &o->asks.ask[i];
		if (ask->query == NULL || (query_fits(ask->query, session, &err) && check_one(session, o, ask->query, &err)))
			continue;
		bad = complain_ask(ask, &err);
		status = bad > status ? bad : status;
		query_free(ask->query);
		ask->query = NULL;
		if (o->stop_on_error)
			break;
	}
	return status;
}

/* text shows one file and has no comparison. */
static bool
prepare_text(struct session *session, const struct options *o, struct err *err)
{
	if (session->nstores > 1 && !o->page.one)
		return fail(err, E_USAGE, "%zu files given, but text shows one; choose it with --file N", session->nstores);
	return outline_prepare(session, &progress_work, err);
}

/* Text, or a report. */
static int
page(struct session *session, const struct options *o)
{
	struct err err = { .at = ERR_NOWHERE };
	bool terminal = isatty(STDOUT_FILENO);
	bool ok = o->report ? report_prepare(session, &o->page, &progress_work, &err) : prepare_text(session, o, &err);

	progress_end();
	/* On a terminal, progress would mix with the lines of the page. */
	if (terminal)
		progress_show(false);
	ok = ok && (o->report ? report_print(session, &o->page, stdout, &progress_work, &err) :
	    text_print(session, &o->page, terminal ? terminal_width() : 0, stdout, &progress_work, &err));
	progress_end();
	return ok ? E_NONE : complain(NULL, &err);
}

/* The clock that self and total stand for: what is asked for, or the first that the file has; of a page CPU time where it has that. */
static bool
main_choose_clock(struct session *session, const struct options *o, struct err *err)
{
	struct weights w;

	weights_of(session_store(session), &w);
	if (o->clock == CLOCKS && (o->report || o->text)) {
		session->clock = weights_clock(&w);
		return true;
	}
	for (size_t i = 0; o->clock == CLOCKS && i < CLOCKS; i++)
		if (w.name[i] != NULL) {
			session->clock = (enum clock)i;
			return true;
		}
	return o->clock == CLOCKS || w.name[session->clock] != NULL ||
	    fail(err, E_USAGE, "no clock '%s' in this file", clock_names[session->clock]);
}

/* Return whether a query needs its files one at a time. */
static bool
asks_grow(const struct options *o)
{
	for (size_t i = 0; i < o->asks.n && o->files.n > 1; i++)
		if (o->asks.ask[i].query != NULL && query_files(o->asks.ask[i].query) == QUERY_FILES_IN_TURN)
			return true;
	return false;
}

static int
answer_of_files(struct session *session, const struct options *o, int status)
{
	struct err err = { .at = ERR_NOWHERE };
	size_t i;

	if (o->files.n > SESSION_STORES && !asks_grow(o)) {
		fail(&err, E_USAGE, "too many files; at most %d can be open", SESSION_STORES);
		return complain(NULL, &err);
	}
	if (!(asks_grow(o) ? files_open_series : files_open_all)(session, o, &progress_work, &status, &i, &err)) {
		progress_end();
		return check_memory(complain(o->files.arg[i], &err));
	}
	progress_end();
	for (i = 0; i < session->nstores; i++)
		if (!file_is_beside(session, i))
			file_told(o, session->store[i]);
	if (!main_choose_clock(session, o, &err))
		return check_memory(complain(store_path(session->store[session->at]), &err));
	status = check_asks(session, o, status);
	if (status == E_NONE || !o->stop_on_error)
		status = o->report || o->text ? page(session, o) : main_answer(session, o, status);
	status = check_memory(status);
	for (i = 0; i < session->nstores; i++)
		file_keep(session->store[i]);
	for (i = 0; i < session->nstores; i++)
		status = file_losses(session->store[i], status);
	return status;
}

/* ---- main ------------------------------------------------------------------------ */

/* The explorer itself reports that memory ran out; with --keys report it here. */
static int
explore(struct session *session, const struct options *o)
{
	struct err err = { .at = ERR_NOWHERE };
	int status = ui_run(session, &o->ui, &err) ? E_NONE : complain(o->files.arg[0], &err);

	return o->ui.keys != NULL ? check_memory(status) : status;
}

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
		if (query_parse(&ask->query, ask->text, &err)) {
			++*good;
			continue;
		}
		status = complain_ask(ask, &err);
		if (status >= E_SYSTEM || o->stop_on_error)
			break;
	}
	return status;
}

/* Fails unless every query is of those that need no file. */
static bool
check_no_file(const struct session *session, const struct options *o, struct err *err)
{
	bool ready = o->ask && !o->text && !o->report;

	for (size_t i = 0; i < o->asks.n; i++)
		ready = ready && (o->asks.ask[i].query == NULL || query_ready(o->asks.ask[i].query, session));
	return ready || fail(err, E_USAGE, "no file given; try 'icecore --help'");
}

static int
answer_asks(struct session *session, const struct options *o)
{
	struct err err = { .at = ERR_NOWHERE };
	size_t good;
	int status = parse_asks(o, &good);

	if (status >= E_SYSTEM || (status != E_NONE && (good == 0 || o->stop_on_error)))
		return check_memory(status);
	if (!confine_answers(o, &err))
		return complain(NULL, &err);
	progress_begin(!o->quiet);
	if (o->files.n > 0)
		return answer_of_files(session, o, status);
	if (!check_no_file(session, o, &err))
		return complain(NULL, &err);
	return check_memory(main_answer(session, o, status));
}

static bool
print_about(const struct options *o)
{
	if (o->help)
		options_help(o->set);
	else if (o->version)
		puts(PACKAGE_STRING);
	else if (o->list_formats)
		for (const struct loader *const *loader = loaders; *loader != NULL; loader++)
			printf("%-9s %s\n", (*loader)->name, (*loader)->what);
	else if (o->list_keys)
		ui_list_keys(stdout);
	return o->help || o->version || o->list_formats || o->list_keys;
}

/* Print what the sandbox refuses on this kernel to a process that reads a file. */
static int
check_sandbox(const struct options *o)
{
	struct err err = { .at = ERR_NOWHERE };
	struct sandbox_tried t;
	bool whole = true;

	for (size_t i = 0; i < SANDBOX_TRIES; i++) {
		fflush(stdout);
		if (!sandbox_try(i, o->sandbox, &t, &err))
			return complain(NULL, &err);
		whole &= t.ended || t.error != 0;
		printf("%-18s %s%s\n", t.what, t.ended ? "refused: the process is ended" : t.error != 0 ? "refused: " : "NOT refused",
		    t.ended || t.error == 0 ? "" : strerror(t.error));
	}
	if (whole)
		return E_NONE;
	fail(&err, E_SYSTEM, "the sandbox is incomplete: SANDBOX in icecore(1) says what the kernel needs");
	return complain(NULL, &err);
}

static int
main_run(struct session *session, const struct options *o)
{
	struct err err = { .at = ERR_NOWHERE };

	if (print_about(o))
		return check_memory(E_NONE);
	if (o->check_sandbox)
		return check_sandbox(o);
	if (o->ask || o->text || o->report)
		return answer_asks(session, o);
	if (o->files.n > 0)
		return explore(session, o);
	check_no_file(session, o, &err);
	return complain(NULL, &err);
}

static int
run_options(struct session *session, struct options *o, int argc, char **argv)
{
	struct err err = { .at = ERR_NOWHERE };

	if (!options_read(o, argc, argv, &err))
		return check_memory(complain(NULL, &err));
	options_session(o, session);
	return main_run(session, o);
}

/* Count memory refused to the JSON library: a row that it cannot read for that reason is not damaged. */
static void *
jansson_memory(size_t n)
{
	void *p = malloc(n);

	if (p == NULL)
		mem_refuse();
	return p;
}

int
main(int argc, char **argv)
{
	struct options o = { .format = FORMATS, .clock = CLOCKS, .ui = { .frames = stdout,
	    .store.rebuild = pass_rebuild, .confine = confine_explorer, .confined = &o } };
	struct session session = { .nstores = 0 };
	struct err err = { .at = ERR_NOWHERE };
	static char output[65536];
	int status;

	start_clean();
	locale_start();
	json_set_alloc_funcs(jansson_memory, free);
	/* Answers of many lines take few calls. */
	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, output, _IOFBF, sizeof output);
	ending_catch(false);
	if (!subcommand_run(argc, argv, &status))
		status = run_options(&session, &o, argc, argv);
	/* Queries hold views over the files. */
	options_free(&o);
	session_close(&session);
	growth_free(session.growth);
	errno = 0;
	if (fflush(stdout) != 0 && errno != EPIPE && status == E_NONE) {
		fail_errno(&err, "cannot write");
		status = complain(NULL, &err);
	}
	return status;
}
