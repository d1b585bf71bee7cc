/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report: write a page about the files for --text, --report or icecore page.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "icecore/pass.h"
#include "cli.h"

struct printing {
	struct session		*session;
	const struct options	*o;
};

static bool
report_write(void *of, FILE *to, struct err *err)
{
	const struct printing *p = of;

	return report_print(p->session, &p->o->page, to, &progress_work, err);
}

static int
report_answer(struct session *session, const struct options *o, int status)
{
	struct err err = { .at = ERR_NOWHERE };
	bool ok = report_prepare(session, &o->page, &progress_work, &err);
	struct printing p = { session, o };
	uint64_t size;

	progress_end();
	/* On a terminal, progress would mix with the lines of the page. */
	if (output_width() > 0 && o->out == NULL)
		progress_show(false);
	if (ok)
		ok = o->out != NULL ? file_print(o->out, o->force, report_write, &p, &size, &err) :
		    report_write(&p, stdout, &err);
	progress_end();
	return ok ? status : complain(NULL, &err);
}

int
cli_report(struct session *session, const struct options *o)
{
	return files_answer(session, o, E_NONE, report_answer);
}

/* Append the default name of the page: that of the last file, in the current directory. */
static void
name_page(const struct options *o, struct buf *b)
{
	const char *path = o->files.arg[o->files.n - 1], *slash = strrchr(path, '/');

	buf_printf(b, "%s.html", strcmp(path, "-") == 0 ? "stdin" : slash != NULL &&
	    slash[1] != '\0' ? slash + 1 : path);
}

static bool
page_run(struct options *o, int *status, struct err *err)
{
	struct session session = { .nstores = 0 };
	struct buf name = BUF_INIT;
	bool ok = o->files.n > 0 || fail(err, E_USAGE, "no file given; try 'icecore page --help'");

	if (ok && o->out == NULL) {
		name_page(o, &name);
		o->out = name.s;
		ok = !name.bad || fail(err, E_SYSTEM, "out of memory");
	}
	if (ok && strcmp(o->out, "-") == 0)
		o->out = NULL;
	ok = ok && (o->out == NULL || o->force || !output_replaces(o->out) ||
	    fail(err, E_USAGE, "%s exists; use --force to overwrite it, or -o FILE", o->out));
	if (ok) {
		options_session(o, &session);
		*status = cli_report(&session, o);
		session_close(&session);
		if (o->out != NULL && !o->quiet && (*status == E_NONE || *status == E_INPUT))
			remark(o->out, STR("written"));
	}
	buf_free(&name);
	return ok;
}

bool
cli_page(int argc, char **argv, int *status, struct err *err)
{
	struct options o = { .set = OPTIONS_PAGE, .format = FORMATS, .clock = CLOCKS,
	    .ui.store.rebuild = pass_rebuild };
	bool ok = options_read(&o, argc, argv, err);

	*status = E_NONE;
	if (ok && o.print.help)
		options_help(&o);
	else if (ok)
		ok = page_run(&o, status, err);
	options_free(&o);
	return ok;
}
