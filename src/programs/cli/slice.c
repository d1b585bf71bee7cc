/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slice: icecore slice: its options, its sandbox, and what it says.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/args.h"
#include "icecore/directory.h"
#include "icecore/facts.h"
#include "icecore/limits.h"
#include "icecore/load.h"
#include "icecore/query.h"
#include "icecore/redact.h"
#include "cli.h"

struct slice_order {
	struct slice_options o;
	const char	*from, *to;
	struct file_run	 run;
	size_t		 noperands;
};

#define AT(member) .at = offsetof(struct slice_order, member)

static const struct args_row rows[] = {
	{ 0, "level", "N", "gzip level of an output named .gz, 1 to 9; default: 6", .kind = ARGS_NUMBER,
	    AT(o.level), .least = 1, .most = 9 },
	{ 0, "force", NULL, "overwrite an existing regular file", .kind = ARGS_FLAG, AT(o.force) },
	{ 0, "jobs", "N", "threads; default: all cores, up to 8", .kind = ARGS_NUMBER, AT(run.jobs), .least = 1 },
	{ 0, "memory", "SIZE", "memory limit before spilling to disk", .kind = ARGS_LIMIT,
	    .limit = scratch_budget },
	FILE_RUN_ROWS
};

static bool
slice_operand(void *order, const char *arg, struct err *err)
{
	struct slice_order *c = order;
	const char **const to[] = { &c->from, &c->to, &c->o.in, &c->o.out };

	if (c->noperands == NELEM(to))
		return fail(err, E_USAGE, "too many arguments; slice takes FROM TO IN OUT; try 'icecore slice --help'");
	*to[c->noperands++] = arg;
	return true;
}

static struct args
slice_args_of(struct slice_order *c)
{
	return (struct args){ rows, NELEM(rows), 1, "icecore slice", c, slice_operand, NULL };
}

static void
slice_help(unsigned helped)
{
	struct args args = slice_args_of(NULL);

	args_help(&args, helped, "usage: icecore slice [OPTION ...] FROM TO IN OUT\n"
	    "Write the part of a trace between two times: Perfetto, ftrace text, perf script,\n"
	    "and whole chunks of JFR.  Times are written as for 'range', e.g. 2s or 1.5ms.\n"
	    "OUT also contains the names, processes and clocks that the part needs,\n"
	    "and events from before FROM that still apply.\n"
	    "An OUT named .gz is compressed; - is standard input or output.\n",
	    "0 written, 2 usage error, 3 written without the damaged parts,\n"
	    "4 system error, 5 unsupported format, 130 cancelled.", "icecore-slice(1)");
}

static bool
slice_confine(const struct slice_order *c, struct err *err)
{
	struct sandbox s;

	if (!confine_file(&s, &c->run, c->o.in, err))
		return false;
	sandbox_let(&s, SANDBOX_TARGET, c->o.out);
	return sandbox_enter(&s, err);
}

/* Read the times in the way of the stage range. */
static bool
slice_range(const struct slice_order *c, struct store *st, uint64_t *from, uint64_t *to, struct err *err)
{
	struct session session = { .store = { st }, .nstores = 1 };
	struct buf stage = BUF_INIT;
	struct err why;
	bool ok;

	buf_printf(&stage, "range %s .. %s", c->from, c->to);
	ok = strchr(stage.bad ? "|" : stage.s, '|') == NULL &&
	    query_range(&session, buf_view(&stage), from, to, &why);
	buf_free(&stage);
	return ok || fail(err, E_USAGE, "invalid range '%s' to '%s'; for example: icecore slice 2s 3s IN OUT",
	    c->from, c->to);
}

static void
slice_say(const struct slice_order *c, const struct sliced *t)
{
	char size[NUM_TEXT], whole[NUM_TEXT], kept[NUM_TEXT], all[NUM_TEXT];
	struct buf b = BUF_INIT;

	num_show_size(size, sizeof size, t->written);
	num_show_size(whole, sizeof whole, t->size);
	num_show_count(kept, sizeof kept, t->kept);
	num_show_count(all, sizeof all, num_add(t->kept, num_add(t->left_out, t->moved)));
	buf_printf(&b, "wrote %s of %s; kept %s of %s %ss", size, whole, kept, all, t->unit);
	if (t->moved > 0)
		buf_printf(&b, ", and %llu earlier ones that still apply", (unsigned long long)t->moved);
	if (!b.bad)
		remark(strcmp(c->o.out, "-") == 0 ? NULL : c->o.out, buf_view(&b));
	buf_free(&b);
}

static int
say_damage(const struct slice_order *c, const struct sliced *t)
{
	struct err err;

	if (t->damaged == 0 && !t->cut && t->tail == 0)
		return E_NONE;
	if (t->damaged > 0)
		fail(&err, E_INPUT, "%llu damaged %s skipped", (unsigned long long)t->damaged,
		    t->damaged == 1 ? "piece" : "pieces");
	else if (t->cut)
		fail(&err, E_INPUT, "compressed data truncated or damaged");
	else
		fail(&err, E_INPUT, "truncated: the last %llu bytes are not a complete line; omitted",
		    (unsigned long long)t->tail);
	return complain(c->o.in, &err);
}

static bool
open_and_write(const struct slice_order *c, struct sliced *told, struct err *err)
{
	const struct store_options options = { .memory_only = true };
	struct err why = { .kind = E_NONE };
	struct store *st;
	uint64_t from, to;
	bool ok;

	if (!load_open(&st, c->o.in, &options, &progress_work, &why))
		return fail_about(err, why.kind == E_SYSTEM ||
		    why.kind == E_CANCEL ? NULL : shown_path(c->o.in), &why);
	ok = (slice_can(st, &why) || fail_about(err, shown_path(c->o.in), &why)) &&
	    slice_range(c, st, &from, &to, err) && slice_file(&c->o, st, from, to, told, &progress_work, err);
	store_close(st);
	return ok;
}

static bool
slice_run(const struct slice_order *c, int *status, struct err *err)
{
	struct sliced told = { .unit = "" };
	bool ok;

	if (!slice_ready(&c->o, err) || !slice_confine(c, err))
		return false;
	pool_jobs(c->run.jobs);
	progress_begin(!c->run.quiet);
	ok = open_and_write(c, &told, err);
	progress_end();
	if (!ok)
		return false;
	if (!c->run.quiet)
		slice_say(c, &told);
	*status = check_memory(say_damage(c, &told));
	return true;
}

bool
cli_slice(int argc, char **argv, int *status, struct err *err)
{
	struct slice_order c = { .from = NULL };
	struct args args = slice_args_of(&c);

	*status = E_NONE;
	if (!args_read(&args, argc, argv, err))
		return false;
	if (c.run.help) {
		slice_help(c.run.help);
		return true;
	}
	return c.noperands == 4 ? slice_run(&c, status, err) :
	    fail(err, E_USAGE, "slice takes FROM TO IN OUT; try 'icecore slice --help'");
}
