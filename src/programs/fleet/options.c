/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options: the command lines of triage and watch.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/policy.h"
#include "fleet.h"

/* Bits of the programs. */
enum { OF_TRIAGE = 1 << FLEET_TRIAGE, OF_WATCH = 1 << FLEET_WATCH, OF_COMPARE = 1 << FLEET_COMPARE,
    OF_BOTH = OF_TRIAGE | OF_WATCH,
	OF_READING = OF_TRIAGE | OF_COMPARE, OF_EACH = OF_BOTH | OF_COMPARE };

/* Marks of option rows: the actions in which an option has an effect. */
enum { TO_ROWS = 1, TO_ONE = 2, TO_DUMPS = TO_ROWS | TO_ONE, TO_ANSWERS = 4, TO_ALL = TO_DUMPS | TO_ANSWERS };

#define AT(member) .at = offsetof(struct fleet_options, member)

static bool
set_shard(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	struct fleet_options *o = to;
	struct str part = STR(""), rest = str_of(arg);

	(void)row;
	return (str_split(&rest, '/', &part) && num_u64(part, 10, &o->shard) &&
	    num_u64(rest, 10, &o->shards) && o->shards > 0 &&
	    o->shard < o->shards) || fail(err, E_USAGE, "'%s' is not I/N with I from 0 to N - 1", arg);
}

static bool
set_states(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	unsigned *states = &((struct fleet_options *)to)->retry;
	struct str word, rest = str_of(arg);
	enum triage_state state;

	(void)row;
	for (*states = 0; str_split(&rest, ',', &word); *states |= 1u << state)
		if (!triage_state_of(word, &state))
			return fail(err, E_USAGE, "unknown state '%.*s'; icecore-triage(1) lists them",
			    (int)word.n, word.s);
	return true;
}

static bool
set_sandbox(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	size_t word;

	((struct fleet_options *)to)->sandbox_required = true;
	return args_set_word(row, &word, arg, err);
}

static bool
set_strata(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	unsigned *strata = &((struct fleet_options *)to)->strata;
	struct str word, rest = str_of(arg);
	size_t i;

	(void)row;
	for (*strata = 0; str_split(&rest, ',', &word); *strata |= 1u << i) {
		for (i = 0; i < PATTERN_PARTS && !str_eq(word, str_of(pattern_parts[i])); )
			i++;
		if (i == PATTERN_PARTS)
			return fail(err, E_USAGE, "'%.*s' is not app, build, process or device", (int)word.n,
			    word.s);
	}
	return true;
}

static const char *const required[] = { "required" };
static const char *const groupings[GROUPINGS] = { "finding", "path", "build" };

static const struct args_row rows[] = {
	{ 'o', NULL, "OUT", "output directory; with --table and --groups: output format",
	    .kind = ARGS_TEXT, AT(out), .of = OF_TRIAGE, .mark = TO_ROWS | TO_ANSWERS, .often = OF_TRIAGE },
	{ 0, "from", "LIST", "read paths from LIST, one per line; - is standard input",
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, from), .of = OF_READING,
	    .mark = TO_ROWS, .often = OF_EACH },
	{ 0, "null", NULL, "the paths of --from are separated by NUL",
	    .kind = ARGS_FLAG, .at = offsetof(struct fleet_options, null), .of = OF_READING,
	    .mark = TO_ROWS },
	{ 0, "all", NULL, "read the files of directories whatever their names",
	    .kind = ARGS_FLAG, .at = offsetof(struct fleet_options, all), .of = OF_READING, .mark = TO_ROWS },
	{ 0, "jobs", "N", "dumps read in parallel; default: by cores and memory",
	    .kind = ARGS_NUMBER, .least = 1, .at = offsetof(struct fleet_options, jobs), .of = OF_EACH,
	    .mark = TO_ROWS, .often = OF_EACH },
	{ 0, "shard", "I/N", "process part I of N of the files; I starts at 0",
	    .kind = ARGS_OWN, .own = set_shard, .of = OF_TRIAGE, .mark = TO_ROWS },
	{ 0, "timeout", "TIME", "time limit per dump; default: by its size",
	    .kind = ARGS_TIME, .at = offsetof(struct fleet_options, timeout), .of = OF_EACH,
	    .mark = TO_DUMPS },
	{ 0, "memory", "SIZE", "memory limit per dump; default: by its size",
	    .kind = ARGS_BYTES, .at = offsetof(struct fleet_options, memory), .of = OF_EACH,
	    .mark = TO_DUMPS },
	{ 0, "unpacked", "SIZE", "limit for a decompressed dump; default: 64g",
	    .kind = ARGS_BYTES, .at = offsetof(struct fleet_options, unpacked), .of = OF_EACH,
	    .mark = TO_DUMPS },
	{ 0, "mapping", "FILE", "deobfuscate with an R8/ProGuard mapping.txt",
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, mapping), .of = OF_EACH,
	    .mark = TO_DUMPS, .often = OF_EACH },
	{ 0, "mapping-dir", "DIR", "like --mapping, with DIR/BUILD.txt; needs --name-pattern",
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, mapping_dir), .of = OF_EACH,
	    .mark = TO_DUMPS, .often = OF_WATCH | OF_TRIAGE },
	{ 0, "name-pattern", "PATTERN", "find app, build, process and device in a path, e.g. "
	    "{app}/{build}/{process}-{any}.hprof",
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, pattern), .of = OF_EACH,
	    .mark = TO_DUMPS, .often = OF_COMPARE | OF_WATCH | OF_TRIAGE },
	{ 0, "retry", "STATES", "states to retry; default: timeout,oom,crash,system",
	    .kind = ARGS_OWN, .own = set_states, .of = OF_BOTH, .mark = TO_ROWS },
	{ 0, "keep", "N", "keep the N largest dumps of each signature in OUT/keep",
	    .kind = ARGS_NUMBER, .at = offsetof(struct fleet_options, keep), .of = OF_BOTH, .mark = TO_ROWS,
	    .often = OF_WATCH | OF_TRIAGE },
	{ 0, "max-bad", "PERCENT", "exit with status 3 if more than PERCENT of the dumps fail",
	    .kind = ARGS_NUMBER, .most = 100, .at = offsetof(struct fleet_options, max_bad), .of = OF_BOTH,
	    .mark = TO_ROWS },
	{ 0, "redact", NULL, "replace paths with hashes; omit descriptions of findings",
	    .kind = ARGS_FLAG, .at = offsetof(struct fleet_options, redact), .of = OF_BOTH,
	    .mark = TO_DUMPS, .often = OF_WATCH },
	{ 0, "sandbox", "WHEN", "do not read dumps if the sandbox is incomplete",
	    .kind = ARGS_OWN, .own = set_sandbox, .words = required, .nwords = NELEM(required), .of = OF_EACH,
	    .mark = TO_DUMPS },
	{ 0, "page", NULL, "keep the data for the page that icecore watch writes",
	    .kind = ARGS_FLAG, .at = offsetof(struct fleet_options, page), .of = OF_TRIAGE,
	    .mark = TO_DUMPS },
	{ 0, "one", "NAME", "print the rows of one dump, with NAME as its path",
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, one), .of = OF_TRIAGE, .mark = TO_ALL,
	    .often = OF_TRIAGE },
	{ 0, "groups", "OUT", "print the findings, grouped by signature",
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, groups), .of = OF_TRIAGE,
	    .mark = TO_ALL, .often = OF_TRIAGE },
	{ 0, "by", "WHAT", "with --groups: by signature, by hottest path, or methods in two builds",
	    .kind = ARGS_WORD, .at = offsetof(struct fleet_options, by), .words = groupings,
	    .nwords = GROUPINGS, .of = OF_TRIAGE, .mark = TO_ANSWERS },
	{ 0, "by", "WHAT", "what to compare, from the path",
	    .kind = ARGS_WORD, .at = offsetof(struct fleet_options, part),
	    .words = pattern_parts, .nwords = PATTERN_PARTS, .of = OF_COMPARE, .mark = TO_ALL, .often = OF_COMPARE },
	{ 0, "of", "WHAT", "what to measure: 'span NAME', method, wait, fact, or query",
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, of), .of = OF_COMPARE, .mark = TO_ALL,
	    .often = OF_COMPARE },
	{ 0, "of", "WHAT", NULL,
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, of), .of = OF_TRIAGE, .mark = TO_ONE },
	{ 0, "base", "NAME", "compare with this build, or directory; default: the first DIR, or the lowest build",
	    .kind = ARGS_TEXT, AT(base), .of = OF_COMPARE, .mark = TO_ALL, .often = OF_COMPARE },
	{ 0, "strata", "WHAT", "compare within each process, device ...; e.g. process,device",
	    .kind = ARGS_OWN, .own = set_strata, .of = OF_COMPARE, .mark = TO_ALL, .often = OF_COMPARE },
	{ 'o', NULL, "FORMAT", "output format",
	    .kind = ARGS_WORD, AT(format), .words = format_names, .nwords = FORMATS, .of = OF_COMPARE,
	    .mark = TO_ALL, .often = OF_COMPARE },
	{ 0, "table", "OUT", "print the dumps",
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, table), .of = OF_TRIAGE, .mark = TO_ALL,
	    .often = OF_TRIAGE },
	{ 0, "done", "DIR", "move dumps to DIR after their rows are written",
	    .kind = ARGS_TEXT, .at = offsetof(struct fleet_options, done), .of = OF_WATCH, .mark = TO_ROWS,
	    .often = OF_WATCH },
	{ 0, "retain", "TIME", "remove files from INBOX after TIME, e.g. 720h, with their rows and pages",
	    .kind = ARGS_TIME, .at = offsetof(struct fleet_options, retain), .of = OF_WATCH,
	    .mark = TO_ROWS, .often = OF_WATCH },
	{ 0, "retain-size", "SIZE", "remove the oldest files from INBOX beyond SIZE, with their rows and pages",
	    .kind = ARGS_BYTES, .at = offsetof(struct fleet_options, retain_size), .of = OF_WATCH,
	    .mark = TO_ROWS },
	{ 0, "once", NULL, "exit after processing the dumps already in INBOX",
	    .kind = ARGS_FLAG, .at = offsetof(struct fleet_options, once), .of = OF_WATCH, .mark = TO_ROWS,
	    .often = OF_WATCH },
	ARGS_HELP_ROW(AT(help), .of = OF_EACH),
};

/* With --groups and --table, -o is an output format. */
static const struct args_row format = { .letter = 'o', .kind = ARGS_WORD, AT(format), .words = format_names,
    .nwords = FORMATS };

static bool
note_given(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	struct fleet_options *o = to;

	(void)arg;
	(void)err;
	if ((row->mark & TO_ONE) == 0)
		o->not_one = row;
	if ((row->mark & TO_ANSWERS) == 0)
		o->not_answers = row;
	return true;
}

/* Report an option without effect as an error, because the user may rely on it. */
static bool
fail_idle(const struct args_row *row, const char *with, struct err *err)
{
	return fail(err, E_USAGE, "%s%s has no effect with %s", row->name == NULL ? "-o" : "--",
	    row->name == NULL ? "" : row->name, with);
}

static bool
fit_dumps(const struct fleet_options *o, struct err *err)
{
	if (o->keep > 0 && o->redact)
		return fail(err, E_USAGE, "--keep needs the paths of the dumps, which --redact omits");
	if (o->mapping_dir != NULL && o->pattern == NULL)
		return fail(err, E_USAGE, "--mapping-dir needs --name-pattern to find the build");
	if ((o->retain > 0 || o->retain_size > 0) && (o->done != NULL || o->keep > 0))
		return fail(err, E_USAGE, "--retain and --retain-size do not reach the copies of %s",
		    o->done != NULL ? "--done" : "--keep");
	return !o->null || o->from != NULL || fail(err, E_USAGE, "--null needs --from");
}

static bool
fit_compare(struct fleet_options *o, struct err *err)
{
	if (o->of == NULL)
		return fail(err, E_USAGE, "compare needs --of, e.g. --of 'span activityStart'; try 'icecore compare "
		    "--help'");
	if ((o->strata >> o->part & 1) != 0)
		return fail(err, E_USAGE, "--strata and --by cannot both be %s", pattern_parts[o->part]);
	if (o->npaths == 0 && o->from == NULL)
		return fail(err, E_USAGE, "no files given; try 'icecore compare --help'");
	return o->pattern != NULL || o->strata == 0 || fail(err, E_USAGE, "--strata needs --name-pattern");
}

/* Check which options and arguments can be combined. */
static bool
fit(struct fleet_options *o, enum fleet_program program, struct err *err)
{
	bool answers = o->groups != NULL || o->table != NULL;

	if (o->help)
		return true;
	if (!fit_dumps(o, err))
		return false;
	if (program == FLEET_COMPARE)
		return fit_compare(o, err);
	if (program == FLEET_WATCH)
		return o->npaths == 2 || fail(err, E_USAGE, "watch takes INBOX and OUT; try 'icecore watch --help'");
	if (answers && o->out != NULL && !args_take(&(struct args){ .to = o }, &format, o->out, err))
		return false;
	if ((o->groups != NULL) + (o->table != NULL) + (o->one != NULL) > 1)
		return fail(err, E_USAGE, "--one, --groups and --table cannot be combined");
	if (answers && o->not_answers != NULL)
		return fail_idle(o->not_answers, o->groups != NULL ? "--groups" : "--table", err);
	if (o->by != BY_FINDING && o->groups == NULL)
		return fail(err, E_USAGE, "--by needs --groups");
	if (answers)
		return o->npaths == 0 || fail(err, E_USAGE, "--groups and --table take an output directory, not dumps");
	if (o->one != NULL && o->not_one != NULL)
		return fail_idle(o->not_one, "--one", err);
	if (o->one != NULL)
		return o->npaths == 1 || fail(err, E_USAGE, "--one needs one file; - is standard input");
	if (o->out == NULL)
		return fail(err, E_USAGE, "triage needs the output directory -o OUT; try 'icecore triage --help'");
	return o->npaths > 0 || o->from != NULL || fail(err, E_USAGE,
	    "no heap dumps given; try 'icecore triage --help'");
}

static bool
add_path(void *to, const char *path, struct err *err)
{
	(void)err;
	((struct fleet_options *)to)->paths[((struct fleet_options *)to)->npaths++] = path;
	return true;
}

static struct args
options_args_of(struct fleet_options *o, enum fleet_program program)
{
	static const char *const names[FLEET_PROGRAMS] = { "icecore triage", "icecore watch",
	    "icecore compare" };

	return (struct args){ rows, NELEM(rows), 1u << program, names[program], o, add_path,
	    note_given };
}

/* Paths replace arguments that were already read. */
bool
fleet_options_read(struct fleet_options *o, enum fleet_program program, int argc, char **argv,
    struct err *err)
{
	struct args args = options_args_of(o, program);

	*o = (struct fleet_options){ .page = program == FLEET_WATCH, .part = PATTERN_BUILD, .shards = 1,
	    .unpacked = (uint64_t)64 << 30, .max_bad = 100, .format = FORMATS, .paths = (const char **)argv,
	    .retry = 1u << TRIAGE_TIMEOUT | 1u << TRIAGE_OOM | 1u << TRIAGE_CRASH | 1u << TRIAGE_SYSTEM };
	if (!args_read(&args, argc, argv, err) || !fit(o, program, err) ||
	    !sandbox_level(false, &o->sandbox, err))
		return false;
	o->unpacked = policy_least(policy_now()->unpacked, o->unpacked);
	return true;
}

struct run_limits
fleet_limits(const struct fleet_options *o, uint64_t bytes)
{
	/* A slow disk gives 4 MiB in a second. */
	static const struct size_limits by_size = { (uint64_t)120 * 1000000000u, 250000000u,
	    (uint64_t)512 << 20, 2 };

	return limits_of_size(&by_size, bytes, (struct run_limits){ o->timeout, o->memory });
}

void
fleet_help(enum fleet_program program, unsigned helped)
{
	static const char *const begins[FLEET_PROGRAMS] = {
		[FLEET_TRIAGE] = "usage: icecore triage [OPTION ...] -o OUT DIR|FILE ...\n"
		    "       icecore triage --groups OUT\n"
		    "       icecore triage --table OUT\n"
		    "       icecore triage --one NAME FILE\n"
		    "Find leaks in many heap dumps, and where time goes in many traces and profiles.\nEach file is "
		    "read in its own process.\n",
		[FLEET_WATCH] = "usage: icecore watch [OPTION ...] INBOX OUT\n"
		    "Wait for files in the directory INBOX; write rows and pages about them to OUT.\n",
		[FLEET_COMPARE] = "usage: icecore compare [OPTION ...] --of WHAT DIR|FILE ...\n"
		    "Compare builds by a value of each of many files, with 95 % intervals.\nEach file is read in its "
		    "own process.\n"
	}, *const exits[FLEET_PROGRAMS] = {
		[FLEET_TRIAGE] = "0 all dumps processed, 1 no files, 2 usage error,\n3 too many failed, 4 system "
		"error, 130 interrupted.",
		[FLEET_WATCH] = "0 stopped by SIGTERM; with --once, as triage; 2 usage error,\n3 INBOX removed, 4 "
		"system error, 130 interrupted.",
		[FLEET_COMPARE] = "0 success, 1 no file has the value, 2 usage error, 4 system error,\n130 interrupted."
	};
	struct args args = options_args_of(NULL, program);

	args_help(&args, helped, begins[program], exits[program],
	    program == FLEET_COMPARE ? "icecore-compare(1)" : "icecore-triage(1)");
}
