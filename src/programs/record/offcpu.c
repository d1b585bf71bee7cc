/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offcpu: stacks of a process by the time that it was off its CPUs.
 *
 * bpftrace adds the times in the kernel, by stack and thread. If it is missing or fails, ftrace records the
 * switches of the process, without stacks.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icecore/limits.h"
#include "icecore/program.h"
#include "names.h"

#define LOOK_NS 50000000u
#define TABLE "65536"		/* stacks with their threads */

/*
 * The argument of the script is the process. The keys are read by src/load/tracers/bpftrace.c. The stack of
 * a wait is that of the switch out; waits that do not end are dropped.
 */
static const char *const script[] = {
	"BEGIN { printf(\"off-CPU time of process %d (ns), by bpftrace\\n\", $1); }\n",
	"tracepoint:sched:sched_switch {\n",
	"	if (pid == $1) { @left[tid] = nsecs; @kernel[tid] = kstack; @user[tid] = ustack; @name[tid] = comm; "
	    "}\n",
	"	$left = @left[args->next_pid];\n	if ($left) {\n		@offcpu_waits = count();\n",
	"		@offcpu_ns[@kernel[args->next_pid], @user[args->next_pid], (uint64)$1, args->next_pid, "
	    "@name[args->next_pid]] =\n",
	"		    stats(nsecs - $left);\n",
	"		delete(@left[args->next_pid]); delete(@kernel[args->next_pid]);\n",
	"		delete(@user[args->next_pid]); delete(@name[args->next_pid]);\n	}\n}\n",
	"END { clear(@left); clear(@kernel); clear(@user); clear(@name); }\n"
};

static void
offcpu_describe(const struct recording *r)
{
	char time[NUM_TEXT], count[NUM_TEXT];

	num_show_count(count, sizeof count, switch_rate());
	num_show_duration(time, sizeof time, r->o->time);
	record_say("off-CPU stacks of %ld (%s) for %s, by bpftrace: the machine switches %s times a second, each of "
	    "which costs about 1 us more; writes %s",
	    (long)r->target.pid, r->target.name, time, count, r->path.s);
	record_say("switches of the process cost about 10 us more; bpftrace needs some seconds to start, and up to 100 "
	    "MiB in the kernel");
}

/* Whether bpftrace has begun: it prints its first line. */
static bool
offcpu_begun(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_size > 0;
}

/* False without *works: bpftrace failed, and something else may be tried. */
static bool
offcpu_run(struct recording *r, struct other_program *p, int fd, bool *works, struct err *err)
{
	struct code_names names = CODE_NAMES_NONE;
	uint64_t until;
	int status = 0;

	*works = false;
	while (!offcpu_begun(fd) && other_runs(p, &status) && stop_wait(os_now() + LOOK_NS))
		;
	if (record_stop == 0 && !offcpu_begun(fd))
		return other_failed(p, "bpftrace", status, err);
	*works = true;
	until = os_now() + r->o->time;
	while (os_now() < until && other_runs(p, &status) && stop_wait(os_now() + LOOK_NS))
		;
	/* bpftrace finds names while it prints, so the process must still have them. */
	names_ask(&names, r, true);
	other_stop(p, SIGINT, &status);
	code_names_end(&names);
	if (!stop_keeps(r, err))
		return false;
	*works = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	return *works || other_failed(p, "bpftrace", status, err);
}

static bool
offcpu_write(struct recording *r, const char *path, bool *works, struct err *err)
{
	struct other_program p = OTHER_NONE;
	struct buf text = BUF_INIT;
	char pid[24];
	struct file f;
	bool ok;

	*works = true;
	snprintf(pid, sizeof pid, "%ld", (long)r->target.pid);
	for (size_t i = 0; i < NELEM(script); i++)
		buf_str(&text, str_of(script[i]));
	/* Both names of the option: bpftrace has changed it. */
	(void)setenv("BPFTRACE_MAP_KEYS_MAX", TABLE, 1);
	(void)setenv("BPFTRACE_MAX_MAP_KEYS", TABLE, 1);
	/* Otherwise it reads the symbols of the process again for each stack. */
	(void)setenv("BPFTRACE_CACHE_USER_SYMBOLS", "1", 1);
	ok = (!text.bad || fail(err, E_SYSTEM, "out of memory")) && file_begin(&f, r->path.s, err);
	if (!ok) {
		buf_free(&text);
		return false;
	}
	ok = other_start(&p, path, (const char *const[]){ "bpftrace", "-q", "-B", "line", "-e", text.s, pid,
	    NULL }, -1, f.fd, err) && offcpu_run(r, &p, f.fd, works, err);
	other_end(&p);
	buf_free(&text);
	if (ok)
		return file_commit(&f, false, err);
	file_abandon(&f);
	return false;
}

bool
record_offcpu(struct recording *r, struct err *err)
{
	struct buf path = BUF_INIT;
	struct err why = { .kind = E_NONE };
	bool ok, works = false;

	if (!policy_run("bpftrace", &why) || (geteuid() != 0 && !fail(&why, E_SYSTEM, "it needs root")) ||
	    (!program_find("bpftrace", &path) && !fail(&why, E_SYSTEM,
	    "it is not installed (Debian: bpftrace)"))) {
		record_say("without bpftrace: %s; ftrace records the switches, without stacks", why.text);
		buf_free(&path);
		return record_sched(r, err);
	}
	ok = result_name(r, r->target.name, ".offcpu.txt", err);
	if (ok) {
		offcpu_describe(r);
		ok = r->o->dry_run || offcpu_write(r, path.s, &works, err);
	}
	buf_free(&path);
	if (ok || works || r->path.n == 0 || err->kind != E_SYSTEM)
		return ok;
	record_say("%s; ftrace records the switches, without stacks", err->text);
	return record_sched(r, err);
}
