/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kinds: the kinds of recordings.
 *
 * To add one: write a file with its function, and add a row here.
 */
#include "config.h"

#include "record.h"

const struct record_kind record_kinds[] = {
	{ "heap", "PID", "heap dump of a JVM; --on-oom: how to get one at its end", .pid = true,
	    .run = record_heap },
	{ "histogram", "PID", "classes of a JVM by size; with --every, what grows", .pid = true,
	    .run = record_histogram },
	{ "threads", "PID", "thread dumps of a JVM", .pid = true, .live = true, .run = record_threads },
	{ "jfr", "PID [TIME]", "flight recording of a JVM; no TIME: the running one", .pid = true,
	    .time = true, .live = true, .run = record_jfr },
	{ "cpu", "PID|--all TIME", "stacks by CPU time, by perf", .pid = true, .time = true, .timed = true,
	    .either = true, .live = true, .run = record_cpu },
	{ "sched", "TIME", "context switches and wakeups, by ftrace", .time = true, .timed = true,
	    .live = true, .run = record_sched },
	{ "offcpu", "PID TIME", "stacks by time off the CPUs, by bpftrace or ftrace", .pid = true,
	    .time = true, .timed = true, .run = record_offcpu },
	{ "heap", "", "heap dump of an app", .adb = true, .run = record_adb_heap },
	{ "trace", "[TIME]", "methods of an app, sampled; default: 10s", .adb = true, .time = true,
	    .run = record_adb_trace },
	{ "threads", "", "thread dump of an app", .adb = true, .run = record_adb_threads },
	{ "perfetto", "[TIME]", "Perfetto trace of the device; default: 10s", .adb = true, .time = true,
	    .run = record_adb_perfetto },
};
const size_t record_nkinds = NELEM(record_kinds);
