/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record: icecore record: the kinds of recordings.
 *
 * To add one: write a file with its function, and add a row here.
 */
#include "config.h"

#include "record.h"

const struct record_kind record_kinds[] = {
	{ "heap", "PID", "heap dump of a JVM; --on-oom: how to get one at its end", .pid = true, .run = record_heap },
	{ "histogram", "PID", "classes of a JVM by size; with --every, what grows", .pid = true, .run = record_histogram },
	{ "threads", "PID", "thread dumps of a JVM", .pid = true, .run = record_threads },
	{ "jfr", "PID [TIME]", "flight recording of a JVM; without TIME, the one that runs", .pid = true, .time = true, .run = record_jfr },
	{ "cpu", "PID|--all TIME", "stacks by CPU time, by perf", .pid = true, .time = true, .timed = true, .either = true, .run = record_cpu },
	{ "sched", "TIME", "context switches and wakeups, by ftrace", .time = true, .timed = true, .run = record_sched },
	{ "offcpu", "PID TIME", "stacks by time off the CPUs, by bpftrace or ftrace", .pid = true, .time = true, .timed = true, .run = record_offcpu },
	{ "heap", "", "heap dump of an app", .adb = true, .run = record_adb_heap },
	{ "trace", "[TIME]", "methods of an app, sampled; default: 10s", .adb = true, .time = true, .run = record_adb_trace },
	{ "threads", "", "thread dump of an app", .adb = true, .run = record_adb_threads },
	{ "perfetto", "[TIME]", "Perfetto trace of the device; default: 10s", .adb = true, .time = true, .run = record_adb_perfetto },
};
const size_t record_nkinds = NELEM(record_kinds);

static bool
record_all(struct recording *r, struct err *err)
{
	const struct record_options *o = r->o;

	if (o->pid != 0 && !target_look(&r->target, o->pid, err))
		return false;
	r->target.patience = o->timeout;
	stop_catch();
	if (!o->kind->run(r, err))
		return result_failed(r, err);
	return o->dry_run || r->path.n == 0 || (result_tell(r, err) && (o->no_open || result_open(r, err)));
}

bool
record_run(int argc, char **argv, int *status, struct err *err)
{
	struct record_options o;
	struct recording r = { .o = &o, .target = TARGET_NONE, .path = BUF_INIT, .names = BUF_INIT, .typed = BUF_INIT };
	bool ok = record_options_read(&o, argc, argv, err);

	*status = E_NONE;
	if (ok && o.help)
		record_help(o.kind);
	else if (ok)
		ok = policy_record(err) && system_records(err) && record_all(&r, err);
	target_close(&r.target);
	buf_free(&r.path);
	buf_free(&r.names);
	buf_free(&r.typed);
	record_options_free(&o);
	if (!ok && record_stop != 0)
		r.stopped = record_stop;
	/* Everything is undone: end as the signal demands. */
	if (!ok && (r.stopped == SIGTERM || r.stopped == SIGHUP)) {
		(void)signal(r.stopped, SIG_DFL);
		(void)raise(r.stopped);
	}
	return ok;
}
