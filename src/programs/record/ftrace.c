/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace: the kind sched: context switches and wakeups, by ftrace.
 *
 * An instance of our own leaves the tracing of others alone. Its pipe is read while it runs, so that nothing
 * is overwritten, and it is removed at the end, also when a signal ends the program. One that a killed
 * icecore left is removed by the next.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "icecore/limits.h"
#include "away.h"

#define PREFIX "icecore-"
#define BUFFER "4096"		/* KiB a CPU */
#define RATE_NS 200000000u
/* Bytes of the line of a switch; with its part of the wakeups about twice as many. */
#define LINE_BYTES 170u
#define REMOVE_TRIES 50
#define CPUS_MOST 4096
#define STATS_MOST 4096u	/* bytes */

static const char *const events[] = { "sched_switch", "sched_waking", "sched_wakeup_new",
    "sched_process_fork", "sched_process_exit",
	"task_rename" };

/* For the cleanup by a signal; also the only instance. */
static struct instance {
	char	path[128];
	int	pipe, on;		/* -1: closed */
} instance = { .pipe = -1, .on = -1 };

/* ---- the instance ------------------------------------------------------------------------------------- */

/* Async-signal-safe. The kernel refuses to remove an instance while its pipe is open. */
static void
ftrace_undo(void)
{
	if (instance.on >= 0)
		(void)!write(instance.on, "0", 1);
	if (instance.pipe >= 0)
		close(instance.pipe);
	if (instance.on >= 0)
		close(instance.on);
	instance.pipe = instance.on = -1;
	if (instance.path[0] != '\0')
		(void)rmdir(instance.path);
}

static int
ftrace_open(const char *name, int flags)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", instance.path, name);
	return open(path, flags | O_CLOEXEC);
}

static bool
ftrace_put(const char *name, const char *value, int flags)
{
	int fd = ftrace_open(name, O_WRONLY | flags);
	bool ok = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool
ftrace_write(const char *name, const char *value)
{
	return ftrace_put(name, value, 0);
}

/* Add to a list. */
static bool
ftrace_append(const char *name, const char *value)
{
	return ftrace_put(name, value, O_APPEND);
}

static bool
ftrace_set(const char *name, const char *value, struct err *err)
{
	return ftrace_write(name, value) || fail_errno(err, "%s/%s", instance.path, name);
}

static const char *
ftrace_directory(void)
{
	static const char *const directories[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[64];

	for (size_t i = 0; i < NELEM(directories); i++) {
		snprintf(path, sizeof path, "%s/instances", directories[i]);
		if (access(path, F_OK) == 0)
			return directories[i];
	}
	return NULL;
}

/* Remove instances of processes that were killed. */
static void
ftrace_sweep(const char *instances)
{
	DIR *dir = opendir(instances);
	struct dirent *e;
	struct str name;
	uint64_t pid;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		name = str_of(e->d_name);
		if (str_take(&name, STR(PREFIX)) && num_u64(name, 10, &pid) && pid > 0 && pid <= INT32_MAX &&
		    process_ended((pid_t)pid))
			(void)unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
	}
	if (dir != NULL)
		closedir(dir);
}

static bool
ftrace_may(struct err *err)
{
	const char *directory = ftrace_directory();
	char path[64];

	snprintf(path, sizeof path, "%s/instances", directory == NULL ? "" : directory);
	if (directory == NULL && geteuid() == 0)
		return fail(err, E_SYSTEM, "tracefs is not mounted; run: mount -t tracefs none /sys/kernel/tracing");
	return (directory != NULL && access(path, W_OK) == 0) ||
	    fail(err, E_SYSTEM, "recording the scheduler needs root: sudo icecore record sched ...");
}

static bool
ftrace_make(struct err *err)
{
	char path[64];

	snprintf(path, sizeof path, "%s/instances", ftrace_directory());
	ftrace_sweep(path);
	snprintf(instance.path, sizeof instance.path, "%s/" PREFIX "%ld", path, (long)getpid());
	ending_before(ftrace_undo);
	if (mkdir(instance.path, 0700) == 0)
		return true;
	instance.path[0] = '\0';
	return fail_path(err, path);
}

/* The mask is in hexadecimal, in groups of 32 CPUs. */
static bool
choose_cpu(unsigned cpu, struct err *err)
{
	struct buf mask = BUF_INIT;
	bool ok;

	buf_printf(&mask, "%x", 1u << cpu % 32);
	for (unsigned i = 0; i < cpu / 32; i++)
		buf_str(&mask, STR(",00000000"));
	ok = !mask.bad && ftrace_write("tracing_cpumask", mask.s);
	buf_free(&mask);
	return ok || fail(err, E_USAGE, "--cpu: this machine has no CPU %u", cpu);
}

/* Only the threads of a process, and those that they start. */
static bool
choose_process(pid_t pid, struct err *err)
{
	char path[64];
	struct dirent *e;
	uint64_t tid;
	bool ok = true;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	dir = opendir(path);
	if (dir == NULL)
		return fail_path(err, path);
	(void)ftrace_write("options/event-fork", "1");
	while (ok && (e = readdir(dir)) != NULL)
		if (num_u64(str_of(e->d_name), 10, &tid))
			ok = ftrace_append("set_event_pid", e->d_name) ||
			    fail_errno(err, "%s/set_event_pid", instance.path);
	closedir(dir);
	return ok;
}

static bool
ftrace_start(const struct record_options *o, struct err *err)
{
	char name[64];
	bool ok = ftrace_set("buffer_size_kb", BUFFER, err) && ftrace_set("trace_clock", "mono", err) &&
	    (o->cpu == 0 || choose_cpu(o->cpu - 1, err)) &&
	    (o->pid == 0 || choose_process(o->pid, err));

	for (size_t i = 0; ok && i < NELEM(events); i++) {
		snprintf(name, sizeof name, "events/%s/%s/enable", i + 1 < NELEM(events) ? "sched" : "task",
		    events[i]);
		ok = ftrace_set(name, "1", err);
	}
	/* With the numbers of processes, if the kernel has the option for instances. */
	(void)ftrace_write("options/record-tgid", "1");
	if (!ok)
		return false;
	instance.pipe = ftrace_open("trace_pipe", O_RDONLY | O_NONBLOCK);
	instance.on = ftrace_open("tracing_on", O_WRONLY);
	return (instance.pipe >= 0 && instance.on >= 0 && write(instance.on, "1", 1) == 1) ||
	    fail_errno(err, "%s", instance.path);
}

/* Return the events that were overwritten before they were read. */
static uint64_t
ftrace_lost(void)
{
	struct str line, before, rest;
	uint64_t lost = 0, n;
	char name[64];
	struct buf b = BUF_INIT;

	for (unsigned cpu = 0; cpu < CPUS_MOST; cpu++) {
		snprintf(name, sizeof name, "per_cpu/cpu%u/stats", cpu);
		buf_clear(&b);
		if (!read_most(ftrace_open(name, O_RDONLY), STATS_MOST, &b))
			break;
		for (rest = buf_view(&b); str_split(&rest, '\n', &line);)
			if (str_divide(line, STR("overrun: "), &before, &line) &&
			    num_u64(str_trim(line), 10, &n))
				lost = num_add(lost, n);
	}
	buf_free(&b);
	return lost;
}

static void
ftrace_remove(void)
{
	for (int i = 0; i < REMOVE_TRIES; i++) {
		ftrace_undo();
		if (access(instance.path, F_OK) != 0)
			break;
		(void)poll(NULL, 0, 20);
	}
	ending_before(NULL);
	instance.path[0] = '\0';
}

/* ---- reading the pipe ------------------------------------------------------------------------------------- */

struct ftrace_reader {
	struct file	*file;
	struct away	*off;		/* NULL: no --every */
	char		*piece;
};

#define PIECE 65536u

/* Read the events so far. */
static bool
ftrace_drain(const struct ftrace_reader *s, struct err *err)
{
	ssize_t n;

	while ((n = read(instance.pipe, s->piece, PIECE)) > 0) {
		if (!space_ask(s->file->fd, (uint64_t)n, err) ||
		    !file_write(s->file, s->piece, (size_t)n, err) ||
		    (s->off != NULL && !away_take(s->off, s->piece, (size_t)n, err)))
			return false;
		if (record_stop != 0)
			break;
	}
	return n >= 0 || errno == EAGAIN || errno == EINTR || fail_errno(err, "cannot read events");
}

static bool
ftrace_so_far(struct recording *r, int *fd, struct err *err)
{
	return follow_file(((struct file *)r->made)->fd, fd, err);
}

static bool
ftrace_follow(struct recording *r, const struct ftrace_reader *s, struct err *err)
{
	uint64_t now = os_now(), until = now + r->o->time, next = now + r->o->every;
	bool ok = follow_begin(r, ftrace_so_far, s->file, err);

	for (; ok && record_stop == 0 && now < until; now = os_now()) {
		struct pollfd p = { .fd = instance.pipe, .events = POLLIN };

		(void)poll(&p, 1, until - now < 100000000u ? (int)((until - now) / 1000000u) + 1 : 100);
		ok = ftrace_drain(s, err);
		if (ok && s->off != NULL && os_now() >= next) {
			ok = away_print(s->off, err);
			next += r->o->every;
		}
		/* Events come all the time, but not one by one. */
		(void)follow_wait(r, os_now() + 20000000u);
	}
	follow_end(r);
	(void)!write(instance.on, "0", 1);
	return ok && stop_keeps(r, err) && ftrace_drain(s, err) &&
	    (s->off == NULL || away_print(s->off, err));
}

static bool
ftrace_write_file(struct recording *r, struct err *err)
{
	static const char head[] = "# tracer: nop\n#\n";
	struct away off = AWAY_INIT;
	struct file f;
	struct ftrace_reader s = { &f, r->o->every > 0 ? &off : NULL, mem_array(PIECE, 1) };
	uint64_t lost;
	bool ok = s.piece != NULL || fail(err, E_SYSTEM, "out of memory");

	ok = ok && file_begin(&f, r->path.s, err);
	if (ok) {
		ok = file_write(&f, head, sizeof head - 1, err) && ftrace_start(r->o, err) &&
		    ftrace_follow(r, &s, err);
		lost = ok ? ftrace_lost() : 0;
		if (lost > 0)
			record_say("%llu events were lost", (unsigned long long)lost);
		if (ok)
			ok = file_commit(&f, false, err);
		else
			file_abandon(&f);
	}
	free(s.piece);
	away_free(&off);
	return ok;
}

/* ---- the kind ------------------------------------------------------------------------------------------------ */

static uint64_t
ftrace_switches(void)
{
	struct buf b = BUF_INIT;
	struct str rest, line;
	uint64_t n = 0;

	if (proc_read_machine("stat", &b))
		for (rest = buf_view(&b); str_split(&rest, '\n', &line);)
			if (str_take(&line, STR("ctxt ")))
				(void)num_u64(line, 10, &n);
	buf_free(&b);
	return n;
}

uint64_t
switch_rate(void)
{
	uint64_t before = ftrace_switches();

	(void)stop_wait(os_now() + RATE_NS);
	return (ftrace_switches() - before) * (1000000000u / RATE_NS);
}

static void
ftrace_describe(const struct recording *r)
{
	char time[NUM_TEXT], count[NUM_TEXT], size[NUM_TEXT], cpu[32] = "all CPUs";
	uint64_t rate = switch_rate(), seconds = r->o->time / 1000000000u;

	num_show_duration(time, sizeof time, r->o->time);
	num_show_count(count, sizeof count, rate);
	num_show_size(size, sizeof size, rate < UINT32_MAX &&
	    seconds < UINT32_MAX / 4 ? rate * 2 * LINE_BYTES * (seconds + 1) : UINT64_MAX);
	if (r->o->cpu > 0)
		snprintf(cpu, sizeof cpu, "CPU %u", r->o->cpu - 1);
	else if (r->o->pid != 0)
		snprintf(cpu, sizeof cpu, "process %ld", (long)r->o->pid);
	record_say("scheduler of %s for %s: the machine switches %s times a second, each of which costs about 1 us "
	    "more; writes up to about %s to %s",
	    cpu, time, count, size, r->path.s);
}

bool
record_sched(struct recording *r, struct err *err)
{
	bool ok;

	if (!ftrace_may(err) || !result_name(r, "sched", ".ftrace.txt", err))
		return false;
	ftrace_describe(r);
	if (r->o->dry_run)
		return true;
	ok = ftrace_make(err) && ftrace_write_file(r, err);
	ftrace_remove();
	return ok;
}
