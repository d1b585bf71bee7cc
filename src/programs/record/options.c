/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options: the command lines of icecore record.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/limits.h"
#include "record.h"

enum { OF_HEAP = 1, OF_HISTOGRAM = 2, OF_THREADS = 4, OF_JFR = 8, OF_CPU = 16, OF_SCHED = 32,
	OF_OFFCPU = 64, OF_ADB_HEAP = 128, OF_ADB = 15 * 128, OF_ALL = 2047,
	OF_KINDS = 2048 };	/* the help of all kinds */
enum { OF_FILES = OF_ALL - OF_HISTOGRAM, OF_JVM = OF_HEAP | OF_HISTOGRAM | OF_THREADS | OF_JFR | OF_CPU | OF_OFFCPU };

#define KIND_WIDTH 24			/* columns of a kind and what it takes in --help */
#define TIMEOUT_NS 300000000000u
#define AT(member) .at = offsetof(struct record_options, member)

static bool
set_cpu(void *to, const struct args_row *row, const char *arg, struct err *err)
{
	uint64_t n;

	(void)row;
	if (!num_u64(str_of(arg), 10, &n) || n >= 4096)
		return fail(err, E_USAGE, "'%s' is not the number of a CPU", arg);
	((struct record_options *)to)->cpu = (unsigned)n + 1;
	return true;
}

static const struct args_row rows[] = {
	{ 'o', NULL, "FILE", "name of the recording; an existing file is never replaced",
	    .kind = ARGS_TEXT, AT(out), .of = OF_FILES, .often = OF_KINDS },
	{ 'e', NULL, "QUERY", "run QUERY on the recording, not the explorer; repeatable",
	    .kind = ARGS_LIST, AT(queries), .of = OF_FILES, .often = OF_KINDS },
	{ 0, "report", NULL, "print a one-page report, and do not open the explorer",
	    .kind = ARGS_FLAG, AT(report), .of = OF_FILES, .often = OF_KINDS },
	{ 0, "no-open", NULL, "only record", .kind = ARGS_FLAG, AT(no_open), .of = OF_FILES },
	{ 0, "dry-run", NULL, "only print what would happen to the process", .kind = ARGS_FLAG, AT(dry_run),
	    .of = OF_ALL, .often = OF_KINDS },
	{ 0, "all", NULL, "heap, histogram: also count unreachable objects; cpu: all processes",
	    .kind = ARGS_FLAG, AT(all), .of = OF_HEAP | OF_HISTOGRAM | OF_CPU | OF_ADB_HEAP },
	{ 0, "adb", "PACKAGE", "record an app on an Android device, by adb", .kind = ARGS_TEXT, AT(package),
	    .of = OF_ADB, .often = OF_KINDS },
	{ 's', NULL, "SERIAL", "with --adb, which device", .kind = ARGS_TEXT, AT(serial), .of = OF_ADB },
	{ 0, "on-oom", "DIR", "print how to set up a JVM that leaves its dump in DIR if it runs out of memory, or a "
	    "class for an app (android)",
	    .kind = ARGS_TEXT, AT(on_oom), .of = OF_HEAP },
	{ 'F', NULL, "HZ", "samples a second for each busy CPU; default: 99", .kind = ARGS_NUMBER, .least = 1,
	    .most = 10000, AT(hz), .of = OF_CPU },
	{ 0, "cpu", "N", "only this CPU, from 0", .kind = ARGS_OWN, .own = set_cpu, .of = OF_SCHED },
	{ 'n', NULL, "N", "number of thread dumps or histograms; default: 1, or no limit with a histogram every TIME",
	    .kind = ARGS_NUMBER, .least = 1, AT(n), .of = OF_THREADS | OF_HISTOGRAM },
	{ 0, "every", "TIME", "time between two thread dumps, histograms or, for sched, lists of tasks, e.g. 2s",
	    .kind = ARGS_TIME, AT(every), .of = OF_THREADS | OF_HISTOGRAM | OF_SCHED },
	{ 0, "live", NULL, "show the overview of the recording so far; q ends it",
	    .kind = ARGS_FLAG, AT(live), .of = OF_ALL, .often = OF_KINDS },
	{ 0, "settings", "NAME", "settings of the flight recording; default: profile",
	    .kind = ARGS_TEXT, AT(settings), .of = OF_JFR },
	{ 0, "timeout", "TIME", "give up if a JVM does not answer for TIME; default: 5min",
	    .kind = ARGS_TIME, AT(timeout), .of = OF_JVM },
	{ 0, "reserve", "SIZE", "disk space to keep free; default: 1g, at most 5%",
	    .kind = ARGS_LIMIT, .limit = space_reserve, .of = OF_FILES },
	ARGS_HELP_ROW(AT(help), .of = OF_ALL),
};

static bool
record_operand(void *to, const char *arg, struct err *err)
{
	struct record_options *o = to;

	if (o->noperands == NELEM(o->operand))
		return fail(err, E_USAGE, "too many arguments; try 'icecore record --help'");
	o->operand[o->noperands++] = arg;
	return true;
}

/* kind NULL: options of all kinds. */
static struct args
record_args_of(struct record_options *o, const struct record_kind *kind)
{
	return (struct args){ rows, NELEM(rows), kind == NULL ? OF_ALL | OF_KINDS : 1u << (kind - record_kinds),
	    "icecore record", o, record_operand, NULL };
}

const struct record_kind *
record_kind_of(const char *word, bool adb)
{
	for (size_t i = 0; i < record_nkinds; i++)
		if (record_kinds[i].adb == adb && strcmp(record_kinds[i].word, word) == 0)
			return &record_kinds[i];
	return NULL;
}

/* live: of those, the ones that --live follows. */
static bool
fail_for_kind(const char *what, const char *word, bool adb, bool live, struct err *err)
{
	struct buf b = BUF_INIT;
	const char *last = NULL;
	bool ok;

	for (size_t i = 0; i < record_nkinds; i++) {
		if (record_kinds[i].adb != adb || (live && !record_kinds[i].live))
			continue;
		if (last != NULL)
			buf_printf(&b, "%s%s", b.n > 0 ? ", " : "", last);
		last = record_kinds[i].word;
	}
	ok = fail(err, E_USAGE, "%s '%s'; use %s or %s", what, word, b.bad ? "" : b.s, last);
	buf_free(&b);
	return ok;
}

bool
fail_kind(const char *word, bool adb, struct err *err)
{
	return fail_for_kind("cannot record", word, adb, false, err);
}

/* Find the word of the kind: the first, or the one after --adb PACKAGE.  0: none. */
static int
record_kind_at(int argc, char **argv, bool *adb)
{
	int at = 0;

	*adb = false;
	for (int i = 1; i < argc; i++)
		*adb = *adb || strcmp(argv[i], "--adb") == 0 || strncmp(argv[i], "--adb=", 6) == 0;
	if (argc > 1)
		at = argv[1][0] != '-' ? 1 : strcmp(argv[1], "--adb") == 0 ? 3 :
		    strncmp(argv[1], "--adb=", 6) == 0 ? 2 : 0;
	return at < argc && argv[at][0] != '-' ? at : 0;
}

/*
 * The operands of a kind are, in this order, a process and a time; of an Android app, its package and a URL.
 */
static bool
fit_operands(struct record_options *o, struct err *err)
{
	const struct record_kind *k = o->kind;
	size_t i = 0;
	uint64_t n;

	if (o->on_oom != NULL && strcmp(o->on_oom, OOM_ANDROID) == 0)
		return o->noperands <= 2 || fail(err, E_USAGE,
		    "too many arguments; --on-oom android takes a package and a URL");
	if (k->pid && !(k->either && o->all) && o->on_oom == NULL) {
		if (i == o->noperands || !num_u64(str_of(o->operand[i]), 10, &n) || n == 0 || n > INT32_MAX)
			return fail(err, E_USAGE, "%s%srecord %s takes %s; 'icecore ps' lists processes",
			    i < o->noperands ? o->operand[i] : "",
			    i < o->noperands ? " is not a process id: " : "", k->word, k->operands);
		o->pid = (pid_t)n;
		i++;
	}
	if (k->time && i < o->noperands && !limit_time(o->operand[i++], &o->time, err))
		return false;
	if (k->timed && o->time == 0)
		return fail(err, E_USAGE, "record %s takes %s, with a time such as 10s", k->word,
		    k->operands);
	return i == o->noperands || fail(err, E_USAGE, "too many arguments; record %s takes %s", k->word,
	    k->operands);
}

static bool
record_fit(const struct record_options *o, struct err *err)
{
	if (o->no_open && (o->queries.n > 0 || o->report || o->rest.n > 0))
		return fail(err, E_USAGE, "--no-open leaves nothing for -e, --report and options after --");
	if (o->report && o->queries.n > 0)
		return fail(err, E_USAGE, "-e and --report cannot be combined");
	if (o->live && !o->kind->live)
		return fail_for_kind("--live cannot follow", o->kind->word, false, true, err);
	if (o->live && !o->dry_run && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return fail(err, E_USAGE, "--live needs a terminal");
	return o->n < 2 || o->every > 0 || fail(err, E_USAGE, "-n needs --every TIME");
}

bool
record_options_read(struct record_options *o, int argc, char **argv, struct err *err)
{
	struct args args;
	int n = 1, at;
	bool adb;

	*o = (struct record_options){ .settings = "profile", .hz = 99, .timeout = TIMEOUT_NS };
	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	for (int i = n + 1; i < argc; i++)
		if (!args_add(&o->rest, argv[i], err))
			return false;
	at = record_kind_at(n, argv, &adb);
	if (at > 0) {
		o->kind = record_kind_of(argv[at], adb);
		if (o->kind == NULL)
			return fail_kind(argv[at], adb, err);
		memmove(argv + 1, argv, (size_t)at * sizeof *argv);
		argv++;
		n--;
	}
	args = record_args_of(o, o->kind);
	if (!args_read(&args, n, argv, err) || o->help)
		return o->help;
	if (o->kind == NULL)
		return fail(err, E_USAGE, "record takes the kind of recording first; try 'icecore record --help'");
	return fit_operands(o, err) && record_fit(o, err);
}

void
record_options_free(struct record_options *o)
{
	free(o->queries.arg);
	free(o->rest.arg);
}

/* Usage of a kind; NULL: a table of all kinds. */
static void
record_usage(const struct record_kind *kind, struct buf *b)
{
	size_t at;

	if (kind != NULL) {
		buf_printf(b, "usage: icecore record %s%s [OPTION ...] %s\nRecord and open: %s.\n",
		    kind->adb ? "--adb PACKAGE " : "", kind->word, kind->operands, kind->what);
		buf_str(b, STR("Options after -- are for the explorer.\n"));
		return;
	}
	buf_str(b, STR("usage: icecore record [--adb PACKAGE] KIND [OPTION ...] ...\n"
	    "Record a running process, and open it.  Options after -- are for the explorer.\n\n"));
	for (const struct record_kind *k = record_kinds; k < record_kinds + record_nkinds; k++) {
		at = b->n;
		buf_printf(b, "  %s%s %s", k->adb ? "--adb " : "", k->word, k->operands);
		buf_printf(b, "%*s %s\n", at + KIND_WIDTH > b->n ? (int)(at + KIND_WIDTH - b->n) : 0, "", k->what);
	}
}

void
record_help(const struct record_kind *kind, unsigned helped)
{
	struct args args = record_args_of(NULL, kind);
	struct buf usage = BUF_INIT;

	record_usage(kind, &usage);
	args_help(&args, helped, usage.bad ? "" : usage.s,
	    "0 recorded, 2 usage error, 3 recording damaged, 4 system error or\n"
	    "request refused, 5 recording unreadable, 130 cancelled; otherwise that of\nicecore for the recording.",
	    "icecore-record(1)");
	buf_free(&usage);
}
