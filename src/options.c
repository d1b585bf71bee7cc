/*
 * options: one list of them, for parsing and for --help.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/bugs.h"
#include "icecore/growth.h"
#include "icecore/limits.h"
#include "options.h"

/* What an argument is. */
enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_WORD, OPTION_NUMBER, OPTION_QUERY,
	OPTION_SCRIPT, OPTION_SIZE, OPTION_TIME, OPTION_LIST, OPTION_OFFSET, OPTION_LOADER, OPTION_TABLE, OPTION_BYTES };

/* The one list of options: parsing and --help use it, manual and completions are checked against it. */
struct option_row {
	char			 letter;
	const char		*name, *arg, *what;	/* what NULL: for tests, --help leaves it out */
	enum option_kind	 kind;
	size_t			 at;		/* in struct options, where the kind needs it */
	void			(*size)(uint64_t);	/* takes the size */
	const char *const	*words;
	size_t			 nwords;
	enum { REPORT_NOT, REPORT, REPORT_PATH } reported;	/* in the header of a report, where it was given */
	enum { MCP_NOT, MCP_TOO, MCP_ALONE } mcp;	/* to icecore mcp as well, or to nothing else */
};

#define AT(field) .at = offsetof(struct options, field)

static const char *const decimal_marks[] = { ".", "," }, *const yes_no[] = { "yes", "no" };

static const struct option_row rows[] = {
	{ 'e', NULL, "QUERY", "run QUERY, print the result and exit; repeatable",
	    .kind = OPTION_QUERY },
	{ 'f', NULL, "SCRIPT", "run the queries of SCRIPT, one per line",
	    .kind = OPTION_SCRIPT },
	{ 0, "stop-on-error", NULL, "stop at the first query that fails",
	    .kind = OPTION_FLAG, AT(stop_on_error) },
	{ 0, "quiet", NULL, "no progress on standard error",
	    .kind = OPTION_FLAG, AT(quiet) },
	{ 'o', "format", "FORMAT", "output format",
	    .kind = OPTION_WORD, AT(format), .words = format_names, .nwords = FORMATS },
	{ 0, "raw-csv", NULL, "no ' before CSV texts that a spreadsheet would run",
	    .kind = OPTION_FLAG, AT(raw_csv) },
	{ 0, "clock", "CLOCK", "clock for self and total; off = wall - CPU",
	    .kind = OPTION_WORD, AT(clock), .words = clock_names, .nwords = CLOCKS },
	{ 0, "refs", "REFS", "references that count; soft = all but weak",
	    .kind = OPTION_WORD, AT(refs), .words = heap_refs_names, .nwords = HEAP_REFS, .mcp = MCP_TOO },
	{ 0, "sizes", "SIZES", "object sizes: as laid out by the VM, or as in Eclipse MAT",
	    .kind = OPTION_WORD, AT(sizes), .words = heap_sizes_names, .nwords = HEAP_SIZES, .mcp = MCP_TOO },
	{ 0, "rules", "RULES", "bug rules: all paths, or FindBugs detectors",
	    .kind = OPTION_WORD, AT(rules), .words = bug_rules_names, .nwords = BUG_RULE_SETS, .mcp = MCP_TOO },
	{ 0, "dump", "N", "heap dump to open in a file with several; first is 1",
	    .kind = OPTION_NUMBER, AT(ui.store.dump), .reported = REPORT },
	{ 0, "as", "NAME", "read all files as this format",
	    .kind = OPTION_LOADER, AT(ui.store.as), .reported = REPORT },
	{ 0, "path", "COLUMNS", "read a table: path columns, e.g. owner,day:month,file:dir",
	    .kind = OPTION_TABLE, AT(asked.path), .reported = REPORT },
	{ 0, "weight", "COLUMN", "table column with the weight; repeatable (default: 1 each)",
	    .kind = OPTION_LIST, AT(weights), .reported = REPORT },
	{ 0, "time", "COLUMN", "table column with the time, for 'range'",
	    .kind = OPTION_TABLE, AT(asked.time), .reported = REPORT },
	{ 0, "sep", "CHAR", "field separator of a table: tab or one character",
	    .kind = OPTION_TABLE, AT(asked.sep), .reported = REPORT },
	{ 0, "decimal", "MARK", "decimal mark of a table: . or ,",
	    .kind = OPTION_TABLE, AT(asked.decimal), .words = decimal_marks, .nwords = NELEM(decimal_marks), .reported = REPORT },
	{ 0, "header", "WORD", "whether the first record of a table holds the names",
	    .kind = OPTION_TABLE, AT(asked.header), .words = yes_no, .nwords = NELEM(yes_no), .reported = REPORT },
	{ 0, "raw", NULL, "tables: keep what follows the last column (column cut)",
	    .kind = OPTION_FLAG, AT(asked.raw), .reported = REPORT },
	{ 0, "by", "LEVELS", "levels of bank statements, e.g. month,payee",
	    .kind = OPTION_TEXT, AT(asked.by), .reported = REPORT },
	{ 0, "full", NULL, "whole account numbers, not their last 4 characters",
	    .kind = OPTION_FLAG, AT(asked.full), .reported = REPORT },
	{ 0, "pending", NULL, "count transactions not booked yet, too",
	    .kind = OPTION_FLAG, AT(asked.pending), .reported = REPORT },
	{ 0, "threads", "FILE", "thread names from a thread dump or a tid list; repeatable",
	    .kind = OPTION_LIST, AT(threads), .reported = REPORT_PATH, .mcp = MCP_TOO },
	{ 0, "mapping", "FILE", "deobfuscate with an R8/ProGuard mapping.txt; repeatable",
	    .kind = OPTION_LIST, AT(mappings), .reported = REPORT_PATH, .mcp = MCP_TOO },
	{ 0, "classes", "FILE", "bytecode: jar, APK, dex file or class directory; repeatable",
	    .kind = OPTION_LIST, AT(classes), .reported = REPORT_PATH, .mcp = MCP_TOO },
	{ 0, "event", "NAME", "event of a profile to show, or cpu, wall, alloc, lock ...",
	    .kind = OPTION_TEXT, AT(ui.event), .reported = REPORT },
	{ 0, "file", "N", "file that queries read; default 1, but none of three or more",
	    .kind = OPTION_NUMBER, AT(at), .reported = REPORT },
	{ 0, "offset", "TIME", "shift the second file in time, e.g. 1.5s or -20ms",
	    .kind = OPTION_OFFSET, .reported = REPORT },
	{ 0, "text", NULL, "print the largest calls or dominators as a tree and exit",
	    .kind = OPTION_FLAG, AT(text) },
	{ 0, "report", NULL, "print a one-page report for a ticket and exit",
	    .kind = OPTION_FLAG, AT(report) },
	{ 0, "no-hash", NULL, "no SHA-256 in the header of --report and --text",
	    .kind = OPTION_FLAG, AT(page.no_hash) },
	{ 0, "stamp", NULL, "modification time of the file in the header of a page",
	    .kind = OPTION_FLAG, AT(page.stamp) },
	{ 0, "index", "DIR", "write the index to DIR, not next to the file",
	    .kind = OPTION_TEXT, AT(ui.store.dir), .mcp = MCP_TOO },
	{ 0, "verify", NULL, "use the index only if every byte of the file is as it was",
	    .kind = OPTION_FLAG, AT(ui.store.verify), .mcp = MCP_TOO },
	{ 0, "no-index", NULL, "neither read nor write an index",
	    .kind = OPTION_FLAG, AT(ui.store.memory_only), .mcp = MCP_TOO },
	{ 0, "read-only", NULL, "write no file but an index in the cache directory",
	    .kind = OPTION_FLAG, AT(ui.store.read_only) },
	{ 0, "write-dir", "DIR", "let the explorer write to DIR as well; repeatable",
	    .kind = OPTION_LIST, AT(write_dirs) },
	{ 0, "no-run", NULL, "start no other program (perf, for perf.data)",
	    .kind = OPTION_FLAG, AT(no_run) },
	{ 0, "no-sandbox", NULL, "do not confine the process",
	    .kind = OPTION_FLAG, AT(no_sandbox), .mcp = MCP_TOO },
	{ 0, "memory", "SIZE", "memory limit before spilling to disk",
	    .kind = OPTION_SIZE, .size = scratch_budget, .mcp = MCP_TOO },
	{ 0, "jobs", "N", "threads for large heap dumps; default: all cores, up to 8",
	    .kind = OPTION_NUMBER, AT(jobs), .mcp = MCP_TOO },
	{ 0, "unpacked", "SIZE", "most bytes to unpack or read from a pipe; default 64g",
	    .kind = OPTION_SIZE, .size = intake_allow, .mcp = MCP_TOO },
	{ 0, "reserve", "SIZE", "disk space to keep free; default 1g, at most 5%",
	    .kind = OPTION_SIZE, .size = space_reserve, .mcp = MCP_TOO },
	{ 0, "timeout", "TIME", "with -e, -f, --text, --report: give up after TIME, e.g. 30s",
	    .kind = OPTION_TIME, AT(timeout), .mcp = MCP_TOO },
	{ 0, "no-history", NULL, "do not read or write the prompt history",
	    .kind = OPTION_FLAG, AT(ui.no_history) },
	{ 0, "no-mouse", NULL, "start with the mouse off; M turns it on",
	    .kind = OPTION_FLAG, AT(ui.no_mouse) },
	{ 0, "keys", "SCRIPT", "run the explorer from a key script (for tests)",
	    .kind = OPTION_TEXT, AT(ui.keys) },
	{ 0, "root", "DIR", "directory of the files that may be asked for",
	    .kind = OPTION_TEXT, AT(root), .mcp = MCP_ALONE },
	{ 0, "values", NULL, "show the contents of strings and arrays, too",
	    .kind = OPTION_FLAG, AT(mcp.values), .mcp = MCP_ALONE },
	{ 0, "follow", NULL, "follow symbolic links that stay below the root",
	    .kind = OPTION_FLAG, AT(mcp.follow), .mcp = MCP_ALONE },
	{ 0, "budget", "SIZE", "bytes of one answer, 4k to 256k; default 16k",
	    .kind = OPTION_BYTES, AT(mcp.budget), .mcp = MCP_ALONE },
	{ 0, "log-arguments", NULL, "log what tools are called with",
	    .kind = OPTION_FLAG, AT(mcp.log_arguments), .mcp = MCP_ALONE },
	{ 0, "list-formats", NULL, "list the supported input formats",
	    .kind = OPTION_FLAG, AT(list_formats) },
	{ 0, "list-keys", NULL, NULL,
	    .kind = OPTION_FLAG, AT(list_keys) },
	{ 0, "version", NULL, "print the version",
	    .kind = OPTION_FLAG, AT(version) },
	{ 0, "help", NULL, "print this help",
	    .kind = OPTION_FLAG, AT(help), .mcp = MCP_TOO },
};

/* What the argument may be, from 0 up to NULL. */
static const char *
word_at(const struct option_row *row, size_t i)
{
	if (row->kind == OPTION_LOADER)
		return loaders[i] != NULL ? loaders[i]->name : NULL;
	return i < row->nwords ? row->words[i] : NULL;
}

static bool
set_word(const struct option_row *row, size_t *value, const char *arg, struct err *err)
{
	struct buf all = BUF_INIT;
	const char *word;

	for (size_t i = 0; (word = word_at(row, i)) != NULL; i++)
		if (strcmp(arg, word) == 0) {
			*value = i;
			return true;
		}
	for (size_t i = 0; (word = word_at(row, i)) != NULL; i++)
		buf_printf(&all, "%s%s", i > 0 ? ", " : "", word);
	fail(err, E_USAGE, "unknown %s '%s'; use %s", row->kind == OPTION_LOADER ? "format" : row->name, arg,
	    all.bad ? "others" : all.s);
	buf_free(&all);
	return false;
}

static bool
set_number(const struct option_row *row, unsigned *value, const char *arg, struct err *err)
{
	uint64_t n;

	if (!num_u64(str_of(arg), 10, &n) || n == 0 || n > UINT32_MAX)
		return fail(err, E_USAGE, "'%s' is not a %s number; the first is 1",
		    arg, row->name);
	*value = (unsigned)n;
	return true;
}

static bool
set_size(const struct option_row *row, const char *arg, struct err *err)
{
	uint64_t bytes;

	if (!limit_size(arg, &bytes, err))
		return false;
	row->size(bytes);
	return true;
}

static bool
set_offset(struct options *o, const char *arg, struct err *err)
{
	bool back = arg[0] == '-';
	uint64_t ns;

	if (!num_duration(str_of(arg + (back || arg[0] == '+')), &ns) || ns > INT64_MAX)
		return fail(err, E_USAGE, "'%s' is not a time; e.g. 1.5s or -20ms", arg);
	o->ui.has_offset = true;
	o->ui.offset = back ? -(int64_t)ns : (int64_t)ns;
	return true;
}

static bool
add_arg(struct option_list *l, const char *arg, struct err *err)
{
	if (!mem_grow(&l->arg, &l->cap, l->n + 2, sizeof *l->arg))
		return fail(err, E_SYSTEM, "out of memory");
	l->arg[l->n++] = arg;
	l->arg[l->n] = NULL;
	return true;
}

static bool
set_loader(const struct option_row *row, const char **name, const char *arg, struct err *err)
{
	size_t i;

	if (!set_word(row, &i, arg, err))
		return false;
	*name = loaders[i]->name;
	return true;
}

static bool
set_table(const struct option_row *row, const char **value, const char *arg, struct err *err)
{
	size_t i;

	*value = arg;
	if (row->nwords > 0)
		return set_word(row, &i, arg, err);
	if (arg[0] == '\0')
		return fail(err, E_USAGE, "--%s needs %s", row->name, row->arg);
	if (row->at != offsetof(struct options, asked.sep) || strcmp(arg, "tab") == 0 || strcmp(arg, "\\t") == 0)
		return true;
	return (strlen(arg) == 1 && (unsigned char)arg[0] < 0x80 && strchr("\"\r\n", arg[0]) == NULL) ||
	    fail(err, E_USAGE, "'%s' is not a separator; use tab or one character", arg);
}

static bool
set_option(struct options *o, const struct option_row *row, const char *arg,
    struct err *err)
{
	void *at = (char *)o + row->at;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		return true;
	case OPTION_TEXT:
		*(const char **)at = arg;
		return true;
	case OPTION_WORD:
		return set_word(row, at, arg, err);
	case OPTION_NUMBER:
		return set_number(row, at, arg, err);
	case OPTION_QUERY:
		o->ask = true;
		return asks_add(&o->asks, str_of(arg), 0, err);
	case OPTION_SCRIPT:
		o->ask = true;
		o->script_stdin |= strcmp(arg, "-") == 0;
		return asks_read(&o->asks, arg, err);
	case OPTION_SIZE:
		return set_size(row, arg, err);
	case OPTION_BYTES:
		return limit_size(arg, at, err);
	case OPTION_TIME:
		return limit_time(arg, at, err);
	case OPTION_LIST:
		return add_arg(at, arg, err);
	case OPTION_OFFSET:
		return set_offset(o, arg, err);
	case OPTION_LOADER:
		return set_loader(row, at, arg, err);
	case OPTION_TABLE:
		return set_table(row, at, arg, err);
	}
	return true;
}

/* The header of a report says how its answers were asked for. */
static bool
tell_option(struct options *o, const struct option_row *row, const char *arg, struct err *err)
{
	if (row->reported == REPORT_NOT)
		return true;
	if (!mem_grow(&o->reported, &o->reported_cap, o->page.ngiven + 1, sizeof *o->reported))
		return fail(err, E_SYSTEM, "out of memory");
	o->reported[o->page.ngiven++] = (struct report_option){ row->name, arg, row->reported == REPORT_PATH };
	o->page.given = o->reported;
	return true;
}

static bool
is_option(const struct option_row *row, enum option_set set)
{
	return set == OPTIONS_MCP ? row->mcp != MCP_NOT : row->mcp != MCP_ALONE;
}

/* *arg: what is attached to the option, or NULL. */
static const struct option_row *
find_option(enum option_set set, const char *word, const char **arg)
{
	size_t n;

	for (const struct option_row *row = rows; row < rows + NELEM(rows); row++) {
		*arg = NULL;
		if (!is_option(row, set))
			continue;
		if (row->letter != 0 && word[0] == '-' && word[1] == row->letter) {
			if (word[2] != '\0')
				*arg = word + 2;
			return row;
		}
		n = row->name == NULL ? 0 : strlen(row->name);
		if (n == 0 || strncmp(word, "--", 2) != 0 ||
		    strncmp(word + 2, row->name, n) != 0)
			continue;
		if (word[2 + n] == '=')
			*arg = word + 3 + n;
		if (word[2 + n] == '=' || word[2 + n] == '\0')
			return row;
	}
	return NULL;
}

static struct str
option_name(void *to, uint64_t i)
{
	struct buf *b = to;

	buf_clear(b);
	if (rows[i].name != NULL && rows[i].what != NULL)
		buf_printf(b, "--%s", rows[i].name);
	return buf_view(b);
}

static bool
fail_option(const char *arg, struct err *err)
{
	struct str word = { arg, strcspn(arg, "=") };
	struct buf name = BUF_INIT;
	char text[GUESS_TEXT];

	guess_among(word, option_name, &name, NELEM(rows), text, sizeof text);
	buf_free(&name);
	return fail(err, E_USAGE, "unknown option '%s'%s", arg,
	    text[0] != '\0' ? text : "; try --help");
}

static bool
add_file(struct options *o, const char *path, struct err *err)
{
	if (o->files.n == GROWTH_DUMPS)
		return fail(err, E_USAGE, "too many files (limit: %d)", GROWTH_DUMPS);
	return add_arg(&o->files, path, err);
}

bool
options_read(struct options *o, int argc, char **argv, struct err *err)
{
	const struct option_row *row;
	const char *arg;
	bool options = true;

	for (int i = 1; i < argc; i++) {
		if (options && strcmp(argv[i], "--") == 0) {
			options = false;
			continue;
		}
		if (!options || argv[i][0] != '-' || argv[i][1] == '\0') {
			if (!add_file(o, argv[i], err))
				return false;
			continue;
		}
		row = find_option(o->set, argv[i], &arg);
		if (row == NULL || (row->arg == NULL && arg != NULL))
			return fail_option(argv[i], err);
		if (row->arg != NULL && arg == NULL && (arg = argv[++i]) == NULL)
			return fail(err, E_USAGE, "%s needs an argument: %s", argv[i - 1], row->arg);
		if (!set_option(o, row, arg, err) || !tell_option(o, row, arg, err))
			return false;
	}
	o->ui.paths = o->files.arg;
	o->ui.npaths = o->files.n;
	o->ui.sides = (struct side_options){ o->threads.arg, o->mappings.arg, o->classes.arg };
	o->asked.weight = o->weights.arg;
	o->ui.store.asks = &o->asked;
	/* Without a terminal there is nothing to explore. */
	o->text = o->text || (o->set == OPTIONS_MAIN && !o->ask && !o->report && o->ui.keys == NULL && !isatty(STDOUT_FILENO));
	o->ui.store.tree = !o->ask || o->text || o->report;
	o->ui.store.digest = (o->text || o->report) && !o->page.no_hash;
	o->page.one = o->at > 0;
	o->ui.page = o->page;
	work_deadline(o->timeout);
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
	session->clock_chosen = o->clock != CLOCKS;
	session->clock = session->clock_chosen ? (enum clock)o->clock : CLOCK_WALL;
}

void
options_free(struct options *o)
{
	asks_free(&o->asks);
	free(o->reported);
	free(o->files.arg);
	free(o->threads.arg);
	free(o->mappings.arg);
	free(o->classes.arg);
	free(o->weights.arg);
	free(o->write_dirs.arg);
}

static const char *const usages[OPTION_SETS] = {
	[OPTIONS_MAIN] = "usage: icecore [OPTION ...] FILE ...\n"
	    "       icecore mcp [OPTION ...] --root DIR\n"
	    "       icecore redact [OPTION ...] IN OUT\n"
	    "       icecore triage [OPTION ...] -o OUT DIR|FILE ...\n"
	    "       icecore watch [OPTION ...] INBOX OUT\n"
	    "Explore traces, profiles and heap dumps in the terminal, or query them with -e.\n"
	    "With two files, the second is compared with the first; 'growth' takes up to 64\n"
	    "heap dumps.  FILE - is standard input.\n",
	[OPTIONS_MCP] = "usage: icecore mcp [OPTION ...] --root DIR\n"
	    "Answer a client of the Model Context Protocol on standard input and output.\n"
}, *const ends[OPTION_SETS] = {
	[OPTIONS_MAIN] = "\nExit status: 0 answered, 1 no rows, 2 usage, 3 answered from a damaged file,\n"
	    "4 system, 5 file not readable, 130 cancelled.\n"
	    "\nSee icecore(1) for keys, icecore-query(7) for queries; 'icecore -e help' lists commands.",
	[OPTIONS_MCP] = "\nExit status: 0 the client has left, 2 usage, 4 system.\n"
	    "\nSee icecore-mcp(1)."
};

void
options_help(enum option_set set)
{
	const char *word;
	char left[40];

	puts(usages[set]);
	for (const struct option_row *row = rows; row < rows + NELEM(rows); row++) {
		if (row->what == NULL || !is_option(row, set))
			continue;
		snprintf(left, sizeof left, "%s%.1s%s %s", row->letter ? "-" : "--",
		    &row->letter, row->letter ? "" : row->name,
		    row->arg != NULL ? row->arg : "");
		printf("  %-16s  %s", left, row->what);
		for (size_t i = 0; (word = word_at(row, i)) != NULL; i++)
			printf("%s%s", i == 0 ? " (" : ", ", word);
		puts(word_at(row, 0) != NULL ? ")" : "");
	}
	puts(ends[set]);
}
