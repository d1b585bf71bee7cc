/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options: one table of options, for parsing and for --help.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/args.h"
#include "icecore/bugs.h"
#include "icecore/growth.h"
#include "icecore/limits.h"
#include "icecore/money.h"
#include "icecore/pass.h"
#include "options.h"

enum { OF_MAIN = 1, OF_MCP = 2, OF_PAGE = 4, OF_ANY = OF_MAIN | OF_MCP | OF_PAGE,
    OF_PAGES = OF_MAIN | OF_PAGE };

/*
 * Bits of a mark. REPORT, REPORT_PATH: the header of a report lists the option; its argument is a path.
 * PASSED: processes of the explorer that open other files get it.
 */
enum { REPORT = 1, REPORT_PATH = 2, PASSED = 4 };

#define AT(field) .at = offsetof(struct options, field)

static const char *const decimal_marks[] = { ".", "," }, *const yes_no[] = { "yes", "no" };

static const char *
loader_name(size_t i)
{
	return loaders[i] != NULL ? loaders[i]->name : NULL;
}

static bool
set_loader(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	size_t i;

	if (!args_set_word(row, &i, arg, err))
		return false;
	((struct options *)to)->ui.store.as = loaders[i]->name;
	return true;
}

static bool
set_query(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	struct options *o = to;

	(void)row;
	o->ask = true;
	return asks_add(&o->asks, str_of(arg), 0, err);
}

static bool
set_preset(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	struct options *o = to;
	const struct preset *preset;

	(void)row;
	o->ask = true;
	return presets_find(&o->presets, str_of(arg), &preset, err) &&
	    asks_add_preset(&o->asks, &o->presets, preset, err);
}

static bool
set_script(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	struct options *o = to;

	(void)row;
	o->ask = true;
	o->script_stdin |= strcmp(arg, "-") == 0;
	return asks_read(&o->asks, arg, err);
}

static bool
set_offset(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	bool back = arg[0] == '-';
	struct options *o = to;
	uint64_t ns;

	(void)row;
	if (!num_duration(str_of(arg + (back || arg[0] == '+')), &ns) || ns > INT64_MAX)
		return fail(err, E_USAGE, "'%s' is not a time; e.g. 1.5s or -20ms", arg);
	o->ui.has_offset = true;
	o->ui.offset = back ? -(int64_t)ns : (int64_t)ns;
	return true;
}

/* Read and check the rules, so that an error is reported before a file is read. */
static bool
set_categories(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	struct options *o = to;
	struct err why = { .kind = E_NONE };
	struct map m;
	bool cut, ok;

	(void)row;
	if (!text_file_open(&m, arg, &cut, NULL, err))
		return false;
	buf_clear(&o->categories);
	buf_add(&o->categories, (const char *)m.data, m.data == NULL ? 0 : (size_t)m.size);
	map_close(&m);
	ok = categories_check(buf_view(&o->categories), &why) || fail_about(err, arg, &why);
	if (ok && (o->categories.bad || memchr(o->categories.s, 0, o->categories.n) != NULL))
		return fail(err, o->categories.bad ? E_SYSTEM : E_USAGE, "%s: %s", arg,
		    o->categories.bad ? "out of memory" : "not a text");
	o->asked.categories = o->categories.s;
	return ok;
}

static bool
set_table(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	size_t i;

	*(const char **)((char *)to + row->at) = arg;
	if (row->nwords > 0)
		return args_set_word(row, &i, arg, err);
	if (arg[0] == '\0')
		return fail(err, E_USAGE, "empty value; %s expected", row->arg);
	if (row->at != offsetof(struct options, asked.sep) || strcmp(arg, "tab") == 0 ||
	    strcmp(arg, "\\t") == 0)
		return true;
	return (strlen(arg) == 1 && (unsigned char)arg[0] < 0x80 && !is_one_of(arg[0], "\"\r\n")) ||
	    fail(err, E_USAGE, "'%s' is not a separator; use tab or one character", arg);
}

/* Tests of its rows: install man words status. */
static const struct args_row rows[] = {
	{ 'e', NULL, "QUERY", "run QUERY, print the result and exit; repeatable",
	    .kind = ARGS_OWN, .own = set_query, .often = OF_MAIN },
	{ 'f', NULL, "SCRIPT", "run the queries of SCRIPT, one per line",
	    .kind = ARGS_OWN, .own = set_script },
	{ 0, "preset", "NAME", "run the queries of a preset; 'icecore -e presets' lists all",
	    .kind = ARGS_OWN, .own = set_preset, .word = preset_shipped, .often = OF_MAIN },
	{ 0, "stop-on-error", NULL, "stop at the first query that fails",
	    .kind = ARGS_FLAG, AT(stop_on_error) },
	{ 0, "fail-if-rows", NULL, "exit with 6 if a query prints a row, with 0 if none does",
	    .kind = ARGS_FLAG, AT(fail_if_rows) },
	{ 0, "repeat", "N", "run each query N more times and report its times",
	    .kind = ARGS_NUMBER, .least = 1, AT(repeat) },
	{ 0, "quiet", NULL, "show no progress on standard error",
	    .kind = ARGS_FLAG, AT(quiet), .of = OF_PAGES },
	{ 'o', "format", "FORMAT", "output format",
	    .kind = ARGS_WORD, AT(format), .words = format_names, .nwords = FORMATS, .often = OF_MAIN },
	{ 0, "raw-csv", NULL, "do not put ' before CSV values that look like formulas",
	    .kind = ARGS_FLAG, AT(raw_csv) },
	{ 0, "clock", "CLOCK", "clock for self and total (default: cpu if known)",
	    .kind = ARGS_WORD, AT(clock), .words = clock_names, .nwords = CLOCKS, .mark = PASSED,
	    .of = OF_PAGES, .often = OF_PAGE },
	{ 0, "refs", "REFS", "references to follow; soft = all except weak",
	    .kind = ARGS_WORD, AT(refs), .words = heap_refs_names, .nwords = HEAP_REFS, .mark = PASSED,
	    .of = OF_ANY },
	{ 0, "sizes", "SIZES", "object sizes: as in the VM, or as in Eclipse MAT",
	    .kind = ARGS_WORD, AT(sizes), .words = heap_sizes_names, .nwords = HEAP_SIZES, .mark = PASSED,
	    .of = OF_ANY },
	{ 0, "rules", "RULES", "bug rules: all paths, or FindBugs detectors",
	    .kind = ARGS_WORD, AT(rules), .words = bug_rules_names, .nwords = BUG_RULE_SETS, .mark = PASSED,
	    .of = OF_ANY },
	{ 0, "dump", "N", "heap dump to open if the file contains several; from 1",
	    .kind = ARGS_NUMBER, .least = 1, AT(ui.store.dump), .mark = REPORT, .of = OF_PAGES },
	{ 0, "as", "NAME", "read all files as this format",
	    .kind = ARGS_OWN, .own = set_loader, .word = loader_name, AT(ui.store.as), .mark = REPORT,
	    .of = OF_PAGES, .often = OF_MAIN | OF_PAGE },
	{ 0, "path", "COLUMNS", "read a table: path columns, e.g. owner,day:month,file:dir",
	    .kind = ARGS_OWN, .own = set_table, AT(asked.path), .mark = REPORT, .of = OF_PAGES },
	{ 0, "weight", "COLUMN", "table column with the weight; repeatable; default: 1 per row",
	    .kind = ARGS_LIST, AT(weights), .mark = REPORT, .of = OF_PAGES },
	{ 0, "time", "COLUMN", "column of a table that has the times",
	    .kind = ARGS_OWN, .own = set_table, AT(asked.time), .mark = REPORT, .of = OF_PAGES },
	{ 0, "sep", "CHAR", "field separator of a table: tab or one character",
	    .kind = ARGS_OWN, .own = set_table, AT(asked.sep), .mark = REPORT, .of = OF_PAGES },
	{ 0, "decimal", "MARK", "decimal mark of a table",
	    .kind = ARGS_OWN, .own = set_table, AT(asked.decimal), .words = decimal_marks,
	    .nwords = NELEM(decimal_marks), .mark = REPORT, .of = OF_PAGES },
	{ 0, "header", "WORD", "whether the first record of a table contains column names",
	    .kind = ARGS_OWN, .own = set_table, AT(asked.header), .words = yes_no, .nwords = NELEM(yes_no),
	    .mark = REPORT, .of = OF_PAGES },
	{ 0, "raw", NULL, "tables: keep text after the last column (column 'cut')",
	    .kind = ARGS_FLAG, AT(asked.raw), .mark = REPORT, .of = OF_PAGES },
	{ 0, "by", "LEVELS", "levels of bank statements, e.g. month,payee",
	    .kind = ARGS_TEXT, AT(asked.by), .mark = REPORT, .of = OF_PAGES },
	{ 0, "categories", "FILE", "rules for categories of transactions",
	    .kind = ARGS_OWN, .own = set_categories, .mark = REPORT_PATH, .of = OF_PAGES },
	{ 0, "full", NULL, "show full account numbers, not only the last 4 characters",
	    .kind = ARGS_FLAG, AT(asked.full), .mark = REPORT, .of = OF_PAGES },
	{ 0, "pending", NULL, "include pending transactions",
	    .kind = ARGS_FLAG, AT(asked.pending), .mark = REPORT, .of = OF_PAGES },
	{ 0, "detail", NULL, "add the args of trace events to their names",
	    .kind = ARGS_FLAG, AT(asked.detail), .mark = REPORT, .of = OF_PAGES },
	{ 0, "threads", "FILE", "thread names from a thread dump or a tid list; repeatable",
	    .kind = ARGS_LIST, AT(sides.threads), .mark = REPORT_PATH, .of = OF_ANY, .often = OF_PAGE },
	{ 0, "mapping", "FILE", "deobfuscate with an R8/ProGuard mapping.txt; repeatable",
	    .kind = ARGS_LIST, AT(sides.mappings), .mark = REPORT_PATH | PASSED, .of = OF_ANY, .often = OF_ANY },
	{ 0, "classes", "FILE", "bytecode: jar, APK, dex file or class directory; repeatable",
	    .kind = ARGS_LIST, AT(sides.classes), .mark = REPORT_PATH | PASSED, .of = OF_ANY, .often = OF_MCP },
	{ 0, "resources", "FILE", "bugs: more resources that must be released; repeatable",
	    .kind = ARGS_LIST, AT(sides.resources), .mark = REPORT_PATH | PASSED, .of = OF_ANY },
	{ 0, "checks", "FILE", "bugs: rules about calls that must come together; repeatable",
	    .kind = ARGS_LIST, AT(sides.checks), .mark = REPORT_PATH | PASSED, .of = OF_ANY },
	{ 0, "tracks", "TABLE", "show the numbers of a table as tracks; repeatable",
	    .kind = ARGS_LIST, AT(sides.tables), .mark = REPORT_PATH, .of = OF_PAGES },
	{ 0, "event", "NAME", "event of a profile, or a kind",
	    .kind = ARGS_TEXT, AT(ui.event), .word = event_alias, .mark = REPORT, .of = OF_PAGES,
	    .often = OF_MAIN | OF_PAGE },
	{ 0, "file", "N", "file that queries read; default: 1, none if three or more",
	    .kind = ARGS_NUMBER, .least = 1, AT(at), .mark = REPORT, .of = OF_PAGES },
	{ 0, "offset", "TIME", "shift the second file or tables in time, e.g. -20ms",
	    .kind = ARGS_OWN, .own = set_offset, .mark = REPORT, .of = OF_PAGES },
	{ 0, "text", NULL, "print the largest calls or dominators as a tree and exit",
	    .kind = ARGS_FLAG, AT(text) },
	{ 0, "report", NULL, "print a one-page report for a ticket and exit",
	    .kind = ARGS_FLAG, AT(report), .often = OF_MAIN },
	{ 0, "no-hash", NULL, "omit SHA-256 from the header of --report and --text",
	    .kind = ARGS_FLAG, AT(page.no_hash), .of = OF_PAGES },
	{ 0, "stamp", NULL, "show the file's modification time in the page header",
	    .kind = ARGS_FLAG, AT(page.stamp), .of = OF_PAGES },
	{ 0, "index", "DIR", "write the index to DIR, not next to the file",
	    .kind = ARGS_TEXT, AT(ui.store.dir), .mark = PASSED, .of = OF_ANY },
	{ 0, "verify", NULL, "use the index only if the whole file is unchanged",
	    .kind = ARGS_FLAG, AT(ui.store.verify), .mark = PASSED, .of = OF_ANY },
	{ 0, "no-index", NULL, "neither read nor write an index",
	    .kind = ARGS_FLAG, AT(ui.store.memory_only), .mark = PASSED, .of = OF_ANY, .often = OF_ANY },
	{ 0, "read-only", NULL, "write no files except an index in the cache directory",
	    .kind = ARGS_FLAG, AT(ui.store.read_only), .mark = PASSED },
	{ 0, "write-dir", "DIR", "also let the explorer write to DIR; repeatable",
	    .kind = ARGS_LIST, AT(write_dirs), .mark = PASSED },
	{ 0, "inline", NULL, "show inlined frames of perf.data (slow)",
	    .kind = ARGS_FLAG, AT(outside.inlined), .mark = PASSED, .of = OF_PAGES },
	{ 0, "no-run", NULL, "run no other programs (perf for perf.data)",
	    .kind = ARGS_FLAG, AT(outside.no_run), .mark = PASSED, .of = OF_PAGES },
	{ 0, "no-symbols", NULL, "do not look up function names for addresses in a profile",
	    .kind = ARGS_FLAG, AT(outside.no_symbols), .mark = PASSED, .of = OF_PAGES },
	{ 0, "no-sandbox", NULL, "run without the sandbox",
	    .kind = ARGS_FLAG, AT(outside.no_sandbox), .mark = PASSED, .of = OF_ANY },
	{ 0, "memory", "SIZE", "memory to use before spilling to disk",
	    .kind = ARGS_LIMIT, .limit = scratch_budget, .mark = PASSED, .of = OF_ANY },
	{ 0, "jobs", "N", "threads for large heap dumps; default: all cores, up to 8",
	    .kind = ARGS_NUMBER, .least = 1, AT(jobs), .mark = PASSED, .of = OF_ANY },
	{ 0, "unpacked", "SIZE", "limit for decompressed files and pipes; default: 64g",
	    .kind = ARGS_LIMIT, .limit = intake_allow, .mark = PASSED, .of = OF_ANY },
	{ 0, "reserve", "SIZE", "disk space to keep free; default: 1g, at most 5%",
	    .kind = ARGS_LIMIT, .limit = space_reserve, .mark = PASSED, .of = OF_ANY },
	{ 0, "timeout", "TIME", "stop queries after TIME; default: by file size",
	    .kind = ARGS_TIME, AT(timeout), .of = OF_ANY, .often = OF_PAGE | OF_MCP },
	{ 0, "max-memory", "SIZE", "memory limit; default: by file size",
	    .kind = ARGS_BYTES, AT(most), .of = OF_ANY, .often = OF_MCP },
	{ 0, "no-history", NULL, "do not save the prompt history, marks and recent files",
	    .kind = ARGS_FLAG, AT(ui.no_history), .mark = PASSED },
	{ 0, "marks", "FILE", "save marks in FILE, not in the state directory",
	    .kind = ARGS_TEXT, AT(ui.marks), .mark = PASSED },
	{ 0, "config", "FILE", "read the explorer configuration from FILE",
	    .kind = ARGS_TEXT, AT(ui.config), .mark = PASSED },
	{ 0, "tour", NULL, "show eight keys on this file, one after the other",
	    .kind = ARGS_FLAG, AT(ui.tour) },
	{ 0, "no-mouse", NULL, "start with the mouse off; M turns it on",
	    .kind = ARGS_FLAG, AT(ui.no_mouse), .mark = PASSED },
	{ 0, "graphics", "HOW", "protocol for bitmaps; auto asks the terminal",
	    .kind = ARGS_WORD, AT(ui.graphics), .words = graphics_names, .nwords = GRAPHICS, .mark = PASSED },
	{ 0, "keys", "SCRIPT", "run the explorer from a key script, for tests",
	    .kind = ARGS_TEXT, AT(ui.keys) },
	{ 0, "complete", "QUERY", NULL,
	    .kind = ARGS_TEXT, AT(print.complete) },
	{ 0, "type", "KEYS", NULL,
	    .kind = ARGS_TEXT, AT(ui.typed) },
	{ 'o', "out", "FILE", "write the page to FILE; default: NAME.html in the current directory",
	    .kind = ARGS_TEXT, AT(out), .of = OF_PAGE, .often = OF_PAGE },
	{ 0, "force", NULL, "overwrite an existing regular file",
	    .kind = ARGS_FLAG, AT(force), .of = OF_PAGE, .often = OF_PAGE },
	{ 0, "root", "DIR", "directory of the files that clients may read",
	    .kind = ARGS_TEXT, AT(root), .of = OF_MCP, .often = OF_MCP },
	{ 0, "values", NULL, "also show the contents of strings and arrays",
	    .kind = ARGS_FLAG, AT(mcp.values), .of = OF_MCP, .often = OF_MCP },
	{ 0, "follow", NULL, "follow relative symbolic links that stay below the root",
	    .kind = ARGS_FLAG, AT(mcp.follow), .of = OF_MCP, .often = OF_MCP },
	{ 0, "budget", "SIZE", "maximum size of an answer, 4k to 256k; default: 16k",
	    .kind = ARGS_BYTES, .least = MCP_BUDGET_MIN, .most = MCP_BUDGET_MAX, AT(mcp.budget),
	    .of = OF_MCP, .often = OF_MCP },
	{ 0, "record", NULL, "clients may record running processes, into the root",
	    .kind = ARGS_FLAG, AT(mcp.record), .of = OF_MCP, .often = OF_MCP },
	{ 0, "log-arguments", NULL, "log the arguments of tool calls",
	    .kind = ARGS_FLAG, AT(mcp.log_arguments), .of = OF_MCP },
	{ 0, "list-formats", NULL, "list the supported input formats",
	    .kind = ARGS_FLAG, AT(print.formats) },
	{ 0, "list-config", NULL, "print a configuration file with default values",
	    .kind = ARGS_FLAG, AT(print.config) },
	{ 0, "list-keys", NULL, NULL,
	    .kind = ARGS_FLAG, AT(print.keys) },
	{ 0, "show-policy", NULL, "print what the policy of this machine allows",
	    .kind = ARGS_FLAG, AT(print.policy) },
	{ 0, "check-sandbox", NULL, "test the sandbox and print what it refuses",
	    .kind = ARGS_FLAG, AT(check_sandbox) },
	{ 'V', "version", NULL, "print the version",
	    .kind = ARGS_FLAG, AT(print.version), .often = OF_MAIN },
	ARGS_HELP_ROW(AT(print.help), .of = OF_ANY),
};

static bool
options_pass(struct options *o, struct buf *word, struct err *err)
{
	if (!word->bad && args_add(&o->passed, word->s, err))
		return true;
	buf_free(word);
	return fail(err, E_SYSTEM, "out of memory");
}

static bool
options_report(struct options *o, const char *name, const char *arg, bool path, struct err *err)
{
	if (!mem_grow(&o->reported, &o->reported_cap, o->page.ngiven + 1, sizeof *o->reported))
		return fail(err, E_SYSTEM, "out of memory");
	o->reported[o->page.ngiven++] = (struct report_option){ name, arg, path };
	o->page.given = o->reported;
	return true;
}

/* The header of a report shows the options that affect its results. */
static bool
tell_option(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	struct buf name = BUF_INIT, value = BUF_INIT;
	struct options *o = to;

	if ((row->mark & PASSED) != 0) {
		buf_printf(&name, "--%s", row->name);
		if (row->arg != NULL)
			buf_str(&value, str_of(arg));
		if (!options_pass(o, &name, err) || (row->arg != NULL && !options_pass(o, &value, err)))
			return false;
	}
	if ((row->mark & (REPORT | REPORT_PATH)) == 0)
		return true;
	return options_report(o, row->name, arg, (row->mark & REPORT_PATH) != 0, err);
}

static bool
options_add_file(void *to, const char *path, struct err *err)
{
	struct options *o = to;

	if (o->files.n == GROWTH_DUMPS)
		return fail(err, E_USAGE, "too many files (limit: %d)", GROWTH_DUMPS);
	return args_add(&o->files, path, err);
}

static struct args
options_args_of(struct options *o, enum option_set set)
{
	static const struct {
		const char	*program;
		unsigned	 of;
	} sets[OPTION_SETS] = { [OPTIONS_MAIN] = { "icecore", OF_MAIN },
	    [OPTIONS_MCP] = { "icecore mcp", OF_MCP }, [OPTIONS_PAGE] = { "icecore page", OF_PAGE } };

	return (struct args){ rows, NELEM(rows), sets[set].of, sets[set].program, o, options_add_file,
	    tell_option };
}

void
options_listed(struct options *o)
{
	o->ui.paths = o->files.arg;
	o->ui.npaths = o->files.n;
	o->ui.store.recent = o->recent.arg;
}

bool
options_read(struct options *o, int argc, char **argv, struct err *err)
{
	struct args args = options_args_of(o, o->set);
	size_t named, names;

	if (!presets_read(&o->presets, err) || !args_read(&args, argc, argv, err))
		return false;
	named = o->sides.tables.n;
	names = o->sides.threads.n;
	if (!options_beside(o, err))
		return false;
	for (; named < o->sides.tables.n; named++)
		if (!options_report(o, "tracks", o->sides.tables.arg[named], true, err))
			return false;
	if (names < o->sides.threads.n && !options_report(o, "threads", o->sides.threads.arg[names], true, err))
		return false;
	if (o->set == OPTIONS_PAGE) {
		o->report = true;
		o->format = FORMAT_HTML;
	}
	options_listed(o);
	o->ui.sides = (struct side_options){ o->sides.threads.arg, o->sides.mappings.arg,
	    o->sides.classes.arg, o->sides.resources.arg,
	    o->sides.checks.arg, o->sides.tables.arg, &o->beside, o->files.n > 1 ? 0 : o->ui.offset };
	o->asked.weight = o->weights.arg;
	o->ui.store.asks = &o->asked;
	/* Without a terminal the explorer cannot run. */
	o->text = o->text || (o->set == OPTIONS_MAIN && !o->ask && !o->report && o->ui.keys == NULL &&
	    !isatty(STDOUT_FILENO));
	o->ui.store.digest = (o->text || o->report) && !o->page.no_hash;
	o->page.page = o->text ? PAGE_TEXT : PAGE_REPORT;
	o->page.one = o->at > 0;
	o->ui.page = o->page;
	pool_jobs(o->jobs);
	return options_fit(o, err);
}

void
options_session(const struct options *o, struct session *session)
{
	session->refs = (enum heap_refs)o->refs;
	session->sizes = (enum heap_sizes)o->sizes;
	session->rules = (unsigned)o->rules;
	session->raw_csv = o->raw_csv;
	session->sealed = o->ui.store.read_only;
	session->presets = &o->presets;
	session->clock_chosen = o->clock != CLOCKS;
	session->clock = session->clock_chosen ? (enum clock)o->clock : CLOCK_WALL;
}

void
options_free(struct options *o)
{
	asks_free(&o->asks);
	presets_free(&o->presets);
	free(o->reported);
	free(o->files.arg);
	free(o->recent.arg);
	buf_free(&o->recent_paths);
	buf_free(&o->categories);
	free(o->sides.threads.arg);
	buf_free(&o->sides.names);
	free(o->sides.mappings.arg);
	free(o->sides.classes.arg);
	free(o->sides.resources.arg);
	free(o->sides.checks.arg);
	free(o->sides.tables.arg);
	free(o->weights.arg);
	free(o->write_dirs.arg);
	for (size_t i = 0; i < o->passed.n; i++)
		free((void *)(uintptr_t)o->passed.arg[i]);
	free(o->passed.arg);
}

static const char main_brief[] =
    "usage: icecore [OPTION ...] FILE ...\n"
    "       icecore PROGRAM ...     'icecore help PROGRAM' explains one\n"
    "Explore traces, profiles and heap dumps in the terminal, or query them with -e.\n"
    "A second file is compared with the first.  FILE - is standard input.\n"
    "\n"
    "  compare  builds of an app by a value   redact  make a file safe to share\n"
    "  mcp      serve a client by MCP         slice   cut a trace in time\n"
    "  page     write a page about a file     triage  find leaks in many files\n"
    "  ps       list processes to record      watch   triage files that arrive\n"
    "  record   record a running process      help    explain a program or a word\n";

static const struct {
	const char	*usage, *exits, *page;
} texts[OPTION_SETS] = {
	[OPTIONS_MAIN] = { "usage: icecore [OPTION ...] FILE ...\n"
	    "       icecore compare [OPTION ...] --of WHAT DIR|FILE ...\n"
	    "       icecore help [PROGRAM|WORD]\n"
	    "       icecore mcp [OPTION ...] --root DIR\n"
	    "       icecore page [OPTION ...] FILE [FILE]\n"
	    "       icecore ps [--all]\n"
	    "       icecore record KIND ...\n"
	    "       icecore redact [OPTION ...] IN OUT\n"
	    "       icecore slice [OPTION ...] FROM TO IN OUT\n"
	    "       icecore triage [OPTION ...] -o OUT DIR|FILE ...\n"
	    "       icecore watch [OPTION ...] INBOX OUT\n"
	    "Explore traces, profiles and heap dumps in the terminal, or query them with -e.\n"
	    "With two files, the second is compared with the first, or a table shown beside\n"
	    "a trace; 'growth' takes up to 64 heap dumps.  FILE - is standard input.\n",
	    "0 success, 1 no rows, 2 usage error, 3 result from a damaged\n"
	    "file, 4 system error, 5 file unreadable, 6 rows with --fail-if-rows,\n"
	    "130 cancelled.",
	    "icecore(1) for keys, icecore-formats(5) for file formats, and\n"
	    "icecore-query(7), icecore-trace(7), icecore-heap(7) and 'icecore -e help'\n"
	    "for queries" },
	[OPTIONS_MCP] = { "usage: icecore mcp [OPTION ...] --root DIR\n"
	    "Serve a Model Context Protocol client on standard input and output.\n",
	    "0 client disconnected, 2 usage error, 4 system error.", "icecore-mcp(1)" },
	[OPTIONS_PAGE] = { "usage: icecore page [OPTION ...] FILE [FILE]\n"
	    "Write a page of HTML about a file: an overview, findings, flame graphs of all\n"
	    "threads and of each pool, tables and small charts.  With two files, the second\n"
	    "is compared with the first.  The page is one file and loads nothing else.\n",
	    "0 written, 2 usage error, 3 page about a damaged file, 4 system\n"
	    "error, 5 file unreadable, 130 cancelled.", "PAGES in icecore(1)" }
};

void
options_help(const struct options *o)
{
	struct args args = options_args_of(NULL, o->set);
	bool brief = o->set == OPTIONS_MAIN && o->print.help == HELP_OFTEN;

	args_help(&args, o->print.help, brief ? main_brief : texts[o->set].usage, texts[o->set].exits,
	    brief ? "icecore(1), and 'icecore -e help' for queries" : texts[o->set].page);
}
