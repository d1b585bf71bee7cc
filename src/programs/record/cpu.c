/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu: samples of stacks, by perf, with the names of compiled Java code and of threads.
 *
 * perf writes a temporary file. While the process still lives, the JVM is asked for the addresses of its
 * compiled code, and perf script turns the samples into text with names, which does not need the process any
 * more.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/ending.h"
#include "icecore/limits.h"
#include "icecore/perf.h"
#include "icecore/program.h"
#include "names.h"

#define PIECE_NS 2000000000u	/* with --live */

struct cpu_recording {
	struct buf	 perf;		/* path of the program */
	char		*data;		/* temporary file of perf; NULL: none */
	int		 text;		/* with --live: the samples so far; -1: none */
	struct other_program	 record;	/* perf record */
	struct code_names names;
};

/* ---- rights ----------------------------------------------------------------------------------------------- */

static bool
cpu_may(const struct record_options *o, struct err *err)
{
	struct buf b = BUF_INIT;
	int64_t level = 0;

	if (geteuid() != 0 && proc_read_machine("sys/kernel/perf_event_paranoid", &b))
		(void)num_i64(str_head(buf_view(&b), b.n - (b.n > 0)), 10, &level);
	buf_free(&b);
	if (level > (o->all ? 0 : 2))
		return fail(err, E_SYSTEM,
		    "kernel.perf_event_paranoid is %lld; run as root, or: sudo sysctl kernel.perf_event_paranoid=%d",
		    (long long)level,
		    o->all ? 0 : 2);
	return true;
}

static void
cpu_describe(const struct recording *r)
{
	char time[NUM_TEXT], whom[128] = "all processes";
	const struct str args = r->target.counters.arguments;

	num_show_duration(time, sizeof time, r->o->time);
	if (!r->o->all)
		snprintf(whom, sizeof whom, "%ld (%s)", (long)r->target.pid, r->target.name);
	record_say("CPU samples of %s for %s, %u a second for each busy CPU: costs about 1 %% CPU; writes %s",
	    whom, time, r->o->hz, r->path.s);
	if (!r->o->all && r->target.jvm == JVM_HOTSPOT && (args.n == 0 ||
	    memmem(args.s, args.n, "+PreserveFramePointer", 21) == NULL))
		record_say("%s runs without -XX:+PreserveFramePointer, so stacks of Java code may be cut off; use "
		    "'record jfr' for complete stacks", r->target.name);
}

/* ---- perf record ------------------------------------------------------------------------------------------- */

static bool
cpu_start(struct cpu_recording *c, const struct record_options *o, uint64_t time, struct err *err)
{
	char hz[16], whom[24], seconds[32];
	/* perf starts sleep when it samples: its own start may take seconds on a busy machine. */
	const char *const argv[] = { "perf", "record", "-q", "-g", "-F", hz, "-o", c->data, whom, "--",
	    "sleep", seconds, NULL };

	snprintf(hz, sizeof hz, "%u", o->hz);
	snprintf(whom, sizeof whom, o->all ? "-a" : "-p%ld", (long)o->pid);
	snprintf(seconds, sizeof seconds, "%.3f", (double)time / 1e9);
	return other_start(&c->record, c->perf.s, argv, -1, -1, err);
}

/* Wait until perf ends, or a signal ends it. */
static bool
cpu_wait(struct cpu_recording *c, struct recording *r, struct err *err)
{
	struct stat st;
	int status = 0;

	while (other_runs(&c->record, &status) && follow_wait(r, os_now() + 50000000u))
		;
	other_stop(&c->record, SIGINT, &status);
	if (!stop_keeps(r, err))
		return false;
	return (stat(c->data, &st) == 0 && st.st_size > 0 &&
	    !(WIFEXITED(status) && WEXITSTATUS(status) != 0)) ||
	    other_failed(&c->record, "perf record", status, err);
}

/* Open the file of perf and remove its name; -1: it cannot be read. */
static int
cpu_open(const struct cpu_recording *c, struct err *err)
{
	int fd = open(c->data, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		(void)fail_errno(err, "perf wrote no recording");
	(void)unlink(c->data);
	return fd;
}

/* ---- names --------------------------------------------------------------------------------------------------- */

/* The text of perf script; perf does not find the names of a JVM in a container. */
static bool
cpu_text(const struct cpu_recording *c, int data, int to, struct err *err)
{
	char *directory;
	int text;
	bool ok;

	if (c->names.code.n == 0)
		return load_perf_text(c->perf.s, data, to, err);
	directory = directory_of(c->data);
	ok = (directory != NULL || fail(err, E_SYSTEM, "out of memory")) &&
	    fd_temporary(&text, directory, err);
	free(directory);
	if (!ok)
		return false;
	ok = load_perf_text(c->perf.s, data, text, err) && perf_map_fill(&c->names.code, text, to, err);
	close(text);
	return ok;
}

/* data: closed. */
static bool
cpu_take(const struct cpu_recording *c, int data, int to, struct err *err)
{
	bool ok = data >= 0 && cpu_text(c, data, to, err);

	if (data >= 0)
		close(data);
	return ok;
}

static bool
cpu_write(const struct cpu_recording *c, const struct recording *r, struct err *err)
{
	struct stat st;
	struct file f;

	if (!file_begin(&f, r->path.s, err))
		return false;
	if ((c->text < 0 ? cpu_take(c, cpu_open(c, err), f.fd, err) :
	    perf_map_fill(&c->names.code, c->text, f.fd, err)) &&
	    ((fstat(f.fd, &st) == 0 && st.st_size > 0) ||
	    fail(err, E_EMPTY, "no samples: %s did not use a CPU", r->o->all ? "all processes" : r->target.name)))
		return file_commit(&f, false, err);
	file_abandon(&f);
	return false;
}

/* ---- --live -------------------------------------------------------------------------------------------------- */

static bool
cpu_so_far(struct recording *r, int *fd, struct err *err)
{
	return follow_file(((struct cpu_recording *)r->made)->text, fd, err);
}

/* perf completes its file only at its end, so it samples piece by piece.  The process may end before the time. */
static bool
cpu_pieces(struct cpu_recording *c, struct recording *r, struct err *err)
{
	uint64_t until = os_now() + r->o->time, now;
	struct err why = { .kind = E_NONE };
	bool some = false;
	int last = -1;

	while (why.kind == E_NONE && r->stopped == 0 && (now = os_now()) < until) {
		if (!cpu_start(c, r->o, until - now < PIECE_NS ? until - now : PIECE_NS, &why))
			break;
		if (last >= 0 && !cpu_take(c, last, c->text, &why))
			break;
		some |= last >= 0;
		last = cpu_wait(c, r, &why) ? cpu_open(c, &why) : -1;
	}
	if (last >= 0)
		some = cpu_take(c, last, c->text, &why) || some;
	return why.kind == E_NONE || (some && why.kind != E_CANCEL) || fail_about(err, NULL, &why);
}

static bool
cpu_follow(struct cpu_recording *c, struct recording *r, struct err *err)
{
	char *directory = directory_of(c->data);
	bool ok = (directory != NULL || fail(err, E_SYSTEM, "out of memory")) &&
	    fd_temporary(&c->text, directory, err) && follow_begin(r, cpu_so_far, c, err) && cpu_pieces(c, r, err);

	free(directory);
	follow_end(r);
	return ok;
}

/* ---- the kind -------------------------------------------------------------------------------------------------- */

static bool
cpu_data(struct cpu_recording *c, const struct recording *r, struct err *err)
{
	char *directory = directory_of(r->path.s);

	c->data = directory == NULL ? NULL : leftover_name(directory);
	free(directory);
	if (c->data == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	leftover_note(c->data);
	return true;
}

static void
cpu_end(struct cpu_recording *c)
{
	other_end(&c->record);
	if (c->data != NULL) {
		(void)unlink(c->data);
		leftover_forget(c->data);
	}
	if (c->text >= 0)
		close(c->text);
	code_names_end(&c->names);
	free(c->data);
	buf_free(&c->perf);
}

bool
record_cpu(struct recording *r, struct err *err)
{
	struct cpu_recording c = { .perf = BUF_INIT, .text = -1, .record = OTHER_NONE, .names = CODE_NAMES_NONE };
	bool ok;

	if (!policy_run("perf", err) || !cpu_may(r->o, err) ||
	    !result_name(r, r->o->all ? "cpu" : r->target.name, ".perf.txt", err))
		return false;
	ok = program_find("perf", &c.perf) ||
	    fail(err, E_SYSTEM, "perf is not installed (Debian: linux-perf, Fedora: perf, Ubuntu: linux-tools)");
	if (ok)
		cpu_describe(r);
	if (ok && !r->o->dry_run) {
		ok = cpu_data(&c, r, err) && (r->o->live ? cpu_follow(&c, r, err) :
		    cpu_start(&c, r->o, r->o->time, err) && cpu_wait(&c, r, err));
		if (ok && !r->o->all)
			names_ask(&c.names, r, false);
		ok = ok && cpu_write(&c, r, err);
	}
	cpu_end(&c);
	return ok;
}
