/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options_fit: check combinations of options, and derive settings from them.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "icecore/directory.h"
#include "icecore/policy.h"
#include "options.h"

/* With --path, any file is read as a table. */
static bool
check_table(struct options *o, struct err *err)
{
	const char **as = &o->ui.store.as;

	if (o->asked.path == NULL && o->sides.tables.n > 0)
		return o->weights.n == 0 || fail(err, E_USAGE, "--weight needs --path with the path columns");
	if (o->asked.path == NULL)
		return (o->weights.n == 0 && o->asked.time == NULL) ||
		    fail(err, E_USAGE, "--%s needs --path with the path columns",
		    o->weights.n > 0 ? "weight" : "time");
	if (*as != NULL && strcmp(*as, "table") != 0)
		return fail(err, E_USAGE, "--path is only for tables, not for --as %s", *as);
	*as = "table";
	return true;
}

static bool
check_files(const struct options *o, struct err *err)
{
	size_t pipes = 0;

	for (size_t i = 0; i < o->files.n; i++)
		pipes += strcmp(o->files.arg[i], "-") == 0;
	if (o->script_stdin && pipes > 0)
		return fail(err, E_USAGE, "standard input cannot be both the script and the file");
	if (pipes > 1)
		return fail(err, E_USAGE, "only one file can be standard input");
	if (o->files.n > 2 && o->at == 0 && (o->text || o->report))
		return fail(err, E_USAGE, "%zu files given, but a page covers one or two; choose one with --file N",
		    o->files.n);
	if (o->at > o->files.n)
		return fail(err, E_USAGE, "no file %u; %zu %s given", o->at, o->files.n,
		    o->files.n == 1 ? "is" : "are");
	return true;
}

/* A page is text or Markdown, a report also a page of HTML or a JSON object, and nothing else is printed. */
static bool
check_page(struct options *o, struct err *err)
{
	const char *page = o->report ? "--report" : "--text";

	if (!o->report && !o->text)
		return !(o->page.no_hash || o->page.stamp) ||
		    fail(err, E_USAGE, "--%s needs --report or --text",
		    o->page.no_hash ? "no-hash" : "stamp");
	if (o->asks.n > 0 || (o->report && o->text))
		return fail(err, E_USAGE, "%s cannot be combined with %s", page,
		    o->asks.n > 0 ? "-e and -f" : "--text");
	o->page.format = o->format == FORMATS ? FORMAT_TABLE : (enum format)o->format;
	return o->page.format == FORMAT_TABLE || o->page.format == FORMAT_MD ||
	    (o->report && (o->page.format == FORMAT_JSON || o->page.format == FORMAT_HTML)) ||
	    fail(err, E_USAGE, "%s prints text%s Markdown (-o md)%s, not %s", page, o->report ? "," : " or",
	    o->report ? ", HTML (-o html) or JSON (-o json)" : "", format_names[o->format]);
}

static bool
check_read_only(const struct options *o, struct err *err)
{
	const char *other = o->ui.store.dir != NULL ? "--index" : o->write_dirs.n > 0 ? "--write-dir" : NULL;

	return !o->ui.store.read_only || other == NULL || fail(err, E_USAGE,
	    "--read-only cannot be combined with %s", other);
}

/* Fail early: the sandbox cannot allow a missing directory, so that writing there would fail later. */
static bool
check_write_dirs(const struct options *o, struct err *err)
{
	struct stat st;

	for (size_t i = 0; i < o->write_dirs.n; i++) {
		const char *dir = o->write_dirs.arg[i];

		if (stat(dir, &st) < 0)
			return fail_errno(err, "--write-dir %s", dir);
		if (!S_ISDIR(st.st_mode))
			return fail(err, E_USAGE, "--write-dir %s: not a directory", dir);
		if (directory_is_root(dir))
			return fail(err, E_USAGE,
			    "--write-dir %s would allow writing anywhere; use --no-sandbox instead", dir);
	}
	return true;
}

static bool
check_mcp(const struct options *o, struct err *err)
{
	if (o->files.n > 0)
		return fail(err, E_USAGE, "mcp takes no FILE arguments; name their directory with --root");
	if (o->root == NULL && !o->print.help)
		return fail(err, E_USAGE, "mcp needs --root DIR; try 'icecore mcp --help'");
	return true;
}

bool
options_fit(struct options *o, struct err *err)
{
	const char *no_run = getenv("ICECORE_NO_RUN");

	o->ui.of_row = getenv("ICECORE_ROW") != NULL;
	o->outside.no_run = o->outside.no_run || policy_now()->no_run ||
	    (no_run != NULL && no_run[0] != '\0');
	if (!sandbox_level(o->outside.no_sandbox, &o->outside.level, err))
		return false;
	if (o->set == OPTIONS_MCP)
		return check_mcp(o, err);
	if (o->timeout > 0 && !o->ask && !o->text && !o->report)
		return fail(err, E_USAGE, "--timeout needs -e, -f, --report or --text");
	if ((o->fail_if_rows || o->repeat > 0) && !o->ask)
		return fail(err, E_USAGE, "--%s needs -e, -f or --preset",
		    o->repeat > 0 ? "repeat" : "fail-if-rows");
	if (o->format == FORMAT_SARIF && o->asks.n > 1)
		return fail(err, E_USAGE, "-o sarif prints one document; run one query at a time");
	return check_read_only(o, err) && check_write_dirs(o, err) && check_table(o, err) &&
	    check_files(o, err) && check_page(o, err);
}
