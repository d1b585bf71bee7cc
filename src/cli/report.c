/*
 * report: a page about the files: --text or --report.
 */
#include "config.h"

#include <stdio.h>

#include "cli.h"

/* text shows one file and has no comparison. */
static bool
prepare_text(struct session *session, const struct options *o, struct err *err)
{
	if (session->nstores > 1 && !o->page.one)
		return fail(err, E_USAGE, "%zu files given, but text shows one; choose it with --file N", session->nstores);
	return outline_prepare(session, &progress_work, err);
}

static int
report_answer(struct session *session, const struct options *o, int status)
{
	struct err err = { .at = ERR_NOWHERE };
	bool ok = o->report ? report_prepare(session, &o->page, &progress_work, &err) : prepare_text(session, o, &err);

	progress_end();
	/* On a terminal, progress would mix with the lines of the page. */
	if (output_width() > 0)
		progress_show(false);
	ok = ok && (o->report ? report_print(session, &o->page, stdout, &progress_work, &err) :
	    text_print(session, &o->page, output_width(), stdout, &progress_work, &err));
	progress_end();
	return ok ? status : complain(NULL, &err);
}

int
cli_report(struct session *session, const struct options *o)
{
	return files_answer(session, o, E_NONE, report_answer);
}
