/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report: write a page about the files for --text or --report.
 */
#include "config.h"

#include <stdio.h>

#include "cli.h"

static int
report_answer(struct session *session, const struct options *o, int status)
{
	struct err err = { .at = ERR_NOWHERE };
	bool ok = report_prepare(session, &o->page, &progress_work, &err);

	progress_end();
	/* On a terminal, progress would mix with the lines of the page. */
	if (output_width() > 0)
		progress_show(false);
	ok = ok && report_print(session, &o->page, stdout, &progress_work, &err);
	progress_end();
	return ok ? status : complain(NULL, &err);
}

int
cli_report(struct session *session, const struct options *o)
{
	return files_answer(session, o, E_NONE, report_answer);
}
