/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * adb_kinds: recordings of an app on an Android device: heap dumps, method traces, thread dumps, Perfetto
 * traces.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adb.h"

#define TIME_NS 10000000000u
#define ENDS_NS 20000000000u	/* perfetto may take this long to write the rest */
#define DUMP_NS 10000000000u	/* an app may take this long to write its threads */
#define LOOK_NS 250000000u
#define TMP "/data/local/tmp/"
#define TRACES "/data/misc/perfetto-traces/"	/* the only directory where it may write */
#define DUMPS "/data/anr/"

struct adb_kind {
	const char	*ending;
	bool		 app;		/* the app must run */
	void		(*describe)(const struct adb *, const char *time);
	/* Record, and set the file on the device or write the result to fd. */
	bool		(*make)(struct adb *, int fd, struct err *);
};

static uint64_t
adb_time(const struct adb *a)
{
	return a->r->o->time > 0 ? a->r->o->time : TIME_NS;
}

static void
adb_file(struct adb *a, const char *directory, const char *ending)
{
	snprintf(a->file, sizeof a->file, "%sicecore-%ld%s", directory, (long)getpid(), ending);
}

/* ---- heap dumps -------------------------------------------------------------------------------------------- */

static void
adb_heap_describe(const struct adb *a, const char *time)
{
	(void)time;
	record_say("heap dump of %s on device %s: %sthe app stops for some seconds; writes %s",
	    a->r->o->package, a->serial.s, a->r->o->all ? "" : "runs a full GC; ", a->r->path.s);
}

static bool
adb_heap_make(struct adb *a, int fd, struct err *err)
{
	const char *const live[] = { "shell", "am", "dumpheap", "-g", a->pid, a->file, NULL };
	const char *const all[] = { "shell", "am", "dumpheap", a->pid, a->file, NULL };

	(void)fd;
	adb_file(a, TMP, ".hprof");
	if (!adb_ask(a, a->r->o->all ? all : live, err))
		return false;
	/* Newer devices say that they wait for the end of the dump; am of older ones ends before. */
	if (memmem(a->answer.s == NULL ? "" : a->answer.s, a->answer.n, "Waiting for dump", 16) == NULL &&
	    !adb_settle(a, err))
		return false;
	return record_stop == 0 || fail_cancel(err);
}

/* ---- method traces ----------------------------------------------------------------------------------------- */

static void
adb_trace_describe(const struct adb *a, const char *time)
{
	record_say("methods of %s on device %s for %s: a sample each millisecond slows the app a little; writes %s",
	    a->r->o->package, a->serial.s,
	    time, a->r->path.s);
}

static bool
adb_trace_make(struct adb *a, int fd, struct err *err)
{
	const char *const start[] = { "shell", "am", "profile", "start", "--sampling", "1000", a->pid,
	    a->file, NULL };
	const char *const stop[] = { "shell", "am", "profile", "stop", a->pid, NULL };
	struct err why;
	bool ok, stopped;

	(void)fd;
	adb_file(a, TMP, ".trace");
	ok = adb_ask(a, start, err);
	if (ok)
		(void)stop_wait(os_now() + adb_time(a));
	/* Whatever happened: the app may have begun. */
	ok = stop_keeps(a->r, ok ? err : NULL) && ok;
	stopped = adb_ask(a, stop, &why);
	if (ok && !stopped)
		return fail_about(err, NULL, &why);
	return ok && adb_settle(a, err);
}

/* ---- thread dumps ------------------------------------------------------------------------------------------ */

static void
adb_threads_describe(const struct adb *a, const char *time)
{
	(void)time;
	record_say("thread dump of %s on device %s: the app stops for some milliseconds; writes %s",
	    a->r->o->package, a->serial.s, a->r->path.s);
}

/* Find the first name of the answer that was not there before, and is a plain one. */
static bool
adb_new_dump(struct adb *a, struct str before)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	struct str rest = buf_view(&a->answer), old, line, name;
	size_t n;

	while (str_split(&rest, '\n', &line)) {
		for (n = 0; n < line.n && is_one_of(line.s[n], plain); n++)
			;
		for (old = before; n > 0 && str_split(&old, '\n', &name);)
			if (str_eq(name, line))
				n = 0;
		if (n == 0 || n != line.n || n + sizeof DUMPS >= sizeof a->file || line.s[0] == '.')
			continue;
		snprintf(a->file, sizeof a->file, DUMPS "%.*s", (int)n, line.s);
		return true;
	}
	return false;
}

/* Ask the app by SIGQUIT: its runtime writes a file. */
static bool
adb_signal(struct adb *a, struct err *err)
{
	const char *const ls[] = { "shell", "ls", DUMPS, NULL },
	    *const quit[] = { "shell", "kill", "-3", a->pid, NULL };
	struct buf before = BUF_INIT;
	uint64_t until;
	bool ok = adb_ask(a, ls, err);

	buf_str(&before, buf_view(&a->answer));
	ok = ok && adb_ask(a, quit, err);
	for (until = os_now() + DUMP_NS; ok && a->file[0] == '\0';) {
		ok = adb_ask(a, ls, err);
		if (!ok || adb_new_dump(a, buf_view(&before)))
			break;
		if (!stop_wait(os_now() + LOOK_NS))
			ok = fail_cancel(err);
		else if (os_now() > until)
			ok = fail(err, E_SYSTEM, "%s wrote no thread dump to " DUMPS, a->r->o->package);
	}
	buf_free(&before);
	return ok && adb_settle(a, err);
}

static bool
adb_threads_make(struct adb *a, int fd, struct err *err)
{
	const char *const words[] = { "shell", "debuggerd", "-j", a->pid, NULL };
	struct err why = { .kind = E_NONE };
	off_t end;
	int status;

	if (!adb_try(a, -1, fd, &status, words, err))
		return false;
	end = lseek(fd, 0, SEEK_END);
	if (status == 0 && end > 0)
		return record_stop == 0 || fail_cancel(err);
	if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
		return fail_errno(err, "cannot write the recording");
	if (adb_signal(a, &why))
		return true;
	return why.kind == E_CANCEL ? fail_cancel(err) :
	    fail(err, E_SYSTEM, "thread dumps need a device with root: 'adb root' first, on an emulator without Google "
	    "Play (%.200s)", why.text);
}

/* ---- Perfetto traces --------------------------------------------------------------------------------------- */

static void
adb_perfetto_describe(const struct adb *a, const char *time)
{
	record_say("Perfetto trace of device %s, with the events of %s, for %s: costs some per cent of a CPU; writes "
	    "%s", a->serial.s, a->r->o->package,
	    time, a->r->path.s);
}

static void
adb_perfetto_config(const struct adb *a, struct buf *b)
{
	static const char *const events[] = { "sched/sched_switch", "sched/sched_waking",
	    "sched/sched_process_exit", "task/task_newtask", "task/task_rename" };
	static const char *const categories[] = { "am", "dalvik", "gfx", "input", "view", "wm" };

	buf_str(b, STR("buffers { size_kb: 65536 fill_policy: RING_BUFFER }\n"));
	buf_str(b, STR("data_sources { config { name: \"linux.process_stats\"\n"));
	buf_str(b, STR("process_stats_config { scan_all_processes_on_start: true } } }\n"));
	buf_str(b, STR("data_sources { config { name: \"linux.ftrace\" ftrace_config {\n"));
	for (size_t i = 0; i < NELEM(events); i++)
		buf_printf(b, "ftrace_events: \"%s\"\n", events[i]);
	for (size_t i = 0; i < NELEM(categories); i++)
		buf_printf(b, "atrace_categories: \"%s\"\n", categories[i]);
	buf_printf(b, "atrace_apps: \"%s\"\n} } }\n", a->r->o->package);
	buf_str(b, STR("write_into_file: true\nfile_write_period_ms: 2500\nflush_period_ms: 5000\n"));
	buf_printf(b, "duration_ms: %llu\n", (unsigned long long)(adb_time(a) / 1000000u));
}

/* The number of the program, on the last line of its standard output. */
static bool
adb_perfetto_pid(const struct adb *a, char *pid, size_t size)
{
	struct str rest = buf_view(&a->answer), line;
	uint64_t n;
	bool found = false;

	while (str_split(&rest, '\n', &line))
		if (num_u64(str_trim(line), 10, &n) && n > 1 && n <= INT32_MAX) {
			snprintf(pid, size, "%llu", (unsigned long long)n);
			found = true;
		}
	return found;
}

static bool
adb_perfetto_start(struct adb *a, char *pid, size_t size, struct err *err)
{
	const char *const words[] = { "shell", "perfetto", "--background", "--txt", "-c", "-", "-o", a->file,
	    NULL };
	struct buf config = BUF_INIT;
	int in = -1, status = 0;
	bool ok;

	adb_perfetto_config(a, &config);
	ok = (!config.bad || fail(err, E_SYSTEM, "out of memory")) && fd_temporary(&in, NULL, err) &&
	    fd_write_all(in, config.s, config.n, err) &&
	    (lseek(in, 0, SEEK_SET) == 0 || fail_errno(err, "cannot write the settings")) &&
	    adb_try(a, in, -1, &status, words, err);
	buf_free(&config);
	if (in >= 0)
		close(in);
	return ok && ((status == 0 && adb_perfetto_pid(a, pid, size)) ||
	    adb_failed(a, "adb shell perfetto", err));
}

/* Wait until perfetto has written everything. */
static bool
adb_perfetto_ends(struct adb *a, const char *pid, struct err *err)
{
	const char *const alive[] = { "shell", "kill", "-0", pid, NULL };
	uint64_t until = os_now() + ENDS_NS;
	int status;

	for (;;) {
		if (!adb_try(a, -1, -1, &status, alive, err))
			return false;
		if (status != 0)
			return true;
		if (os_now() > until)
			return fail(err, E_SYSTEM, "perfetto does not end on device %s", a->serial.s);
		if (!stop_wait(os_now() + LOOK_NS))
			return fail_cancel(err);
	}
}

static void
adb_perfetto_stop(struct adb *a, const char *pid)
{
	const char *const term[] = { "shell", "kill", "-TERM", pid, NULL };
	struct err why;

	if (!adb_ask(a, term, &why))
		record_say("perfetto may still run on device %s: %s", a->serial.s, why.text);
}

static bool
adb_perfetto_make(struct adb *a, int fd, struct err *err)
{
	char pid[16];
	bool ok;

	(void)fd;
	adb_file(a, TRACES, ".pftrace");
	if (!adb_perfetto_start(a, pid, sizeof pid, err))
		return false;
	if (!stop_wait(os_now() + adb_time(a)))
		adb_perfetto_stop(a, pid);
	ok = stop_keeps(a->r, err) && adb_perfetto_ends(a, pid, err);
	if (!ok && record_stop != 0)
		adb_perfetto_stop(a, pid);
	return ok;
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

static const struct adb_kind adb_heap = { ".hprof", true, adb_heap_describe, adb_heap_make };
static const struct adb_kind adb_trace = { ".trace", true, adb_trace_describe, adb_trace_make };
static const struct adb_kind adb_threads = { ".threads.txt", true, adb_threads_describe, adb_threads_make };
static const struct adb_kind adb_perfetto = { ".pftrace", false, adb_perfetto_describe, adb_perfetto_make };

/* The app's name is part of the name of the recording. */
static bool
adb_name(struct recording *r, const char *ending, struct err *err)
{
	char name[256];

	snprintf(name, sizeof name, "%s", r->o->package);
	for (char *s = name; *s != '\0'; s++)
		if (*s == ':')
			*s = '_';
	return result_name(r, name, ending, err);
}

static bool
adb_write(struct adb *a, const struct adb_kind *kind, struct err *err)
{
	struct file f;

	if (!file_begin(&f, a->r->path.s, err))
		return false;
	if (kind->make(a, f.fd, err) && (a->file[0] == '\0' || adb_copy(a, f.fd, err)))
		return file_commit(&f, false, err);
	file_abandon(&f);
	return false;
}

static bool
adb_record(struct recording *r, const struct adb_kind *kind, struct err *err)
{
	struct adb a = { .r = r };
	char time[NUM_TEXT];
	bool ok = adb_begin(&a, kind->app, err) && adb_name(r, kind->ending, err);

	if (ok) {
		num_show_duration(time, sizeof time, adb_time(&a));
		kind->describe(&a, time);
	}
	if (ok && !r->o->dry_run)
		ok = adb_write(&a, kind, err);
	adb_end(&a);
	return ok;
}

bool
record_adb_heap(struct recording *r, struct err *err)
{
	return adb_record(r, &adb_heap, err);
}

bool
record_adb_trace(struct recording *r, struct err *err)
{
	return adb_record(r, &adb_trace, err);
}

bool
record_adb_threads(struct recording *r, struct err *err)
{
	return adb_record(r, &adb_threads, err);
}

bool
record_adb_perfetto(struct recording *r, struct err *err)
{
	return adb_record(r, &adb_perfetto, err);
}
