/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu: samples of stacks, by perf, with the names of compiled Java code and of threads.
 *
 * perf writes a temporary file. While the process still lives, the JVM is asked for the addresses of its compiled code, and
 * perf script turns the samples into text with names, which does not need the process any more.
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

struct cpu_recording {
	struct buf	 perf;		/* path of the program */
	char		*data;		/* temporary file of perf; NULL: none */
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
		return fail(err, E_SYSTEM, "kernel.perf_event_paranoid is %lld; run as root, or: sudo sysctl kernel.perf_event_paranoid=%d", (long long)level,
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
	record_say("CPU samples of %s for %s, %u a second for each busy CPU: costs about 1 %% CPU; writes %s", whom, time, r->o->hz, r->path.s);
	if (!r->o->all && r->target.jvm == JVM_HOTSPOT && (args.n == 0 || memmem(args.s, args.n, "+PreserveFramePointer", 21) == NULL))
		record_say("%s runs without -XX:+PreserveFramePointer, so stacks of Java code may be cut off; 'record jfr' has whole ones", r->target.name);
}

/* ---- perf record ------------------------------------------------------------------------------------------- */

static bool
cpu_start(struct cpu_recording *c, const struct record_options *o, struct err *err)
{
	char hz[16], whom[24], seconds[32];
	/* perf starts sleep when it samples: its own start may take seconds on a busy machine. */
	const char *const argv[] = { "perf", "record", "-q", "-g", "-F", hz, "-o", c->data, whom, "--", "sleep", seconds, NULL };

	snprintf(hz, sizeof hz, "%u", o->hz);
	snprintf(whom, sizeof whom, o->all ? "-a" : "-p%ld", (long)o->pid);
	snprintf(seconds, sizeof seconds, "%.3f", (double)o->time / 1e9);
	return other_start(&c->record, c->perf.s, argv, -1, -1, err);
}

static bool
cpu_sample(struct cpu_recording *c, struct recording *r, struct err *err)
{
	struct stat st;
	int status = 0;

	if (!cpu_start(c, r->o, err))
		return false;
	while (other_runs(&c->record, &status) && stop_wait(os_now() + 50000000u))
		;
	other_stop(&c->record, SIGINT, &status);
	if (!stop_keeps(r, err))
		return false;
	return (stat(c->data, &st) == 0 && st.st_size > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) != 0)) ||
	    other_failed(&c->record, "perf record", status, err);
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
	ok = (directory != NULL || fail(err, E_SYSTEM, "out of memory")) && fd_temporary(&text, directory, err);
	free(directory);
	if (!ok)
		return false;
	ok = load_perf_text(c->perf.s, data, text, err) && perf_map_fill(&c->names.code, text, to, err);
	close(text);
	return ok;
}

static bool
cpu_write(const struct cpu_recording *c, const struct recording *r, struct err *err)
{
	int fd = open(c->data, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	struct file f;
	bool ok;

	if (fd < 0)
		return fail_errno(err, "perf wrote no recording");
	if (!file_begin(&f, r->path.s, err)) {
		close(fd);
		return false;
	}
	ok = cpu_text(c, fd, f.fd, err) && ((fstat(f.fd, &st) == 0 && st.st_size > 0) ||
	    fail(err, E_EMPTY, "no samples: %s did not use a CPU", r->o->all ? "all processes" : r->target.name));
	close(fd);
	if (ok)
		return file_commit(&f, false, err);
	file_abandon(&f);
	return false;
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
	code_names_end(&c->names);
	free(c->data);
	buf_free(&c->perf);
}

bool
record_cpu(struct recording *r, struct err *err)
{
	struct cpu_recording c = { .perf = BUF_INIT, .record = OTHER_NONE, .names = CODE_NAMES_NONE };
	bool ok;

	if (!policy_run("perf", err) || !cpu_may(r->o, err) || !result_name(r, r->o->all ? "cpu" : r->target.name, ".perf.txt", err))
		return false;
	ok = program_find("perf", &c.perf) ||
	    fail(err, E_SYSTEM, "perf is not installed (Debian: linux-perf, Fedora: perf, Ubuntu: linux-tools)");
	if (ok)
		cpu_describe(r);
	if (ok && !r->o->dry_run) {
		ok = cpu_data(&c, r, err) && cpu_sample(&c, r, err);
		if (ok && !r->o->all)
			names_ask(&c.names, r);
		ok = ok && cpu_write(&c, r, err);
	}
	cpu_end(&c);
	return ok;
}
