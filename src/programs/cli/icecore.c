/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icecore: the default program. Its options choose the explorer, queries, a page, or information about
 * icecore.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/growth.h"
#include "icecore/pass.h"
#include "icecore/query.h"
#include "cli.h"

/* Print the query with each word that may end it, and the meaning of the word.  True: there are some. */
static bool
print_completed(struct str query, size_t skip)
{
	struct session none = { .nstores = 0 };
	struct completion c;
	bool any = false;

	completion_begin(&c, query, query.n, &none);
	for (size_t i = 0; i < c.n; i++)
		if (str_has_prefix(str_of(c.item[i].text), buf_view(&c.word))) {
			printf("%.*s%s\t%s\n", (int)(c.from - skip), query.s + skip, c.item[i].text,
			    c.item[i].what);
			any = true;
		}
	completion_free(&c);
	return any;
}

/* Stages without a source are completed as those of sources that many files have. */
static void
print_completions(struct str query)
{
	static const char *const sources[] = { "methods | ", "classes | " };
	struct buf whole = BUF_INIT;
	bool any = print_completed(query, 0);

	for (size_t i = 0; !any && i < NELEM(sources); i++) {
		buf_clear(&whole);
		buf_str(&whole, str_of(sources[i]));
		buf_str(&whole, query);
		any = whole.bad || print_completed(buf_view(&whole), strlen(sources[i]));
	}
	buf_free(&whole);
}

static bool
print_about(const struct options *o)
{
	if (o->print.help)
		options_help(o);
	else if (o->print.complete != NULL)
		print_completions(str_of(o->print.complete));
	else if (o->print.version)
		puts(base_program);
	else if (o->print.formats)
		for (const struct loader *const *loader = loaders; *loader != NULL; loader++)
			printf("%-9s %s\n", (*loader)->name, (*loader)->what);
	else if (o->print.keys)
		ui_list_keys(stdout);
	else if (o->print.config)
		ui_list_config(stdout);
	else if (o->print.policy)
		policy_print(stdout);
	return o->print.help != HELP_NONE || o->print.complete != NULL || o->print.policy || o->print.version ||
	    o->print.formats || o->print.keys ||
	    o->print.config;
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
		if (!sandbox_try(i, o->outside.level, &t, &err))
			return complain(NULL, &err);
		whole &= t.ended || t.error != 0;
		printf("%-18s %s%s\n", t.what, t.ended ? "refused: process killed" :
		    t.error != 0 ? "refused: " : "NOT refused",
		    t.ended || t.error == 0 ? "" : strerror(t.error));
	}
	if (whole)
		return E_NONE;
	fail(&err, E_SYSTEM, "the sandbox is incomplete; for kernel requirements, see SANDBOX in icecore(1)");
	return complain(NULL, &err);
}

/* Without a file, in a terminal: list the current directory and the files opened recently. */
static bool
choose_file(struct options *o, struct err *err)
{
	if (!isatty(STDIN_FILENO))
		return fail_no_file(err);
	if (!args_add(&o->files, ".", err) || !ui_recent(&o->ui, &o->recent_paths, err))
		return false;
	for (struct str rest = buf_view(&o->recent_paths), path; str_split(&rest, '\0', &path); )
		if (path.n > 0 && !args_add(&o->recent, path.s, err))
			return false;
	options_listed(o);
	return true;
}

static int
icecore_run(struct session *session, struct options *o)
{
	struct err err = { .at = ERR_NOWHERE };

	if (print_about(o))
		return check_memory(E_NONE);
	if (o->check_sandbox)
		return check_sandbox(o);
	if (o->text || o->report)
		return cli_report(session, o);
	if (o->ask)
		return cli_query(session, o);
	if (o->files.n == 0 && !choose_file(o, &err))
		return complain(NULL, &err);
	return cli_explore(session, o);
}

bool
cli_icecore(int argc, char **argv, int *status, struct err *err)
{
	struct options o = { .format = FORMATS, .clock = CLOCKS, .ui = { .frames = stdout,
	    .store.rebuild = pass_rebuild, .confine = confine_explorer, .confined = &o } };
	struct session session = { .nstores = 0 };
	struct args_list words = { .n = 0 };
	struct buf text = BUF_INIT;
	bool ok = address_expand(argc, argv, &text, &words, err) &&
	    options_read(&o, (int)words.n, (char **)(uintptr_t)words.arg, err);

	if (ok) {
		options_session(&o, &session);
		*status = icecore_run(&session, &o);
	}
	/* Queries refer to views of the files. */
	options_free(&o);
	session_close(&session);
	growth_free(session.growth);
	free(words.arg);
	buf_free(&text);
	return ok;
}
