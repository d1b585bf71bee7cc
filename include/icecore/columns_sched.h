/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of scheduler traces and of tracks; times in ns.
 */
#ifndef ICECORE_COLUMNS_SCHED_H
#define ICECORE_COLUMNS_SCHED_H

#include "icecore/columns.h"

#define COLUMNS_SCHED(ROW) \
	/* Loaders of scheduler text, in order of time; threads are ids of listed.tid, 0 is idle. */ \
	ROW(SWITCH_TIME, "switch.time")			/* u64 */ \
	ROW(SWITCH_CPU, "switch.cpu")			/* u16 */ \
	ROW(SWITCH_FROM, "switch.from")			/* u32 */ \
	ROW(SWITCH_TO, "switch.to")			/* u32 */ \
	ROW(SWITCH_STATE, "switch.state")		/* u8: state letter of the previous task */ \
	ROW(WAKE_TIME, "wake.time")			/* u64 */ \
	ROW(WAKE_THREAD, "wake.thread")			/* u32 */ \
	ROW(WAKE_BEFORE, "wake.before")			/* u32: switches that come before it */ \
	/* u32: the waker, and the event that names it: WAKE_BY of sched.h. */ \
	ROW(WAKE_BY, "wake.by") \
	ROW(WAKE_CPU, "wake.cpu")			/* u16: where that was */ \
	ROW(WAKE_TARGET, "wake.target")			/* u16: the CPU it is woken for */ \
	ROW(WAKE_SWITCH, "wake.switch")			/* u32: row of the switch to it; 0: none */ \
	ROW(SERIES_KIND, "series.kind")			/* u8, enum series_kind */ \
	ROW(LEVEL_TIME, "level.time")			/* u64 */ \
	ROW(LEVEL_VALUE, "level.value")			/* u64 */ \
	ROW(LEVEL_SERIES, "level.series")		/* u32, from 0 */ \
	/*
	 * Loaders that know why tasks slept: reasons by row of the switch with which the task left; and
	 * frequencies of CPUs, in order of time.
	 */ \
	ROW(BLOCKED_SWITCH, "blocked.switch")		/* u32, from 1, rising */ \
	ROW(BLOCKED_IO, "blocked.io")			/* u8, 1: it waited for I/O */ \
	/* u32: word, the function of the kernel; 0: unknown. */ \
	ROW(BLOCKED_IN, "blocked.in") \
	ROW(FREQUENCY_TIME, "frequency.time")		/* u64 */ \
	ROW(FREQUENCY_CPU, "frequency.cpu")		/* u16 */ \
	ROW(FREQUENCY_KHZ, "frequency.khz")		/* u32 */ \
	/*
	 * Loaders of switches: times between which events of a CPU were lost.  An end is the latest one of
	 * all losses up to that row.
	 */ \
	ROW(LOST_FROM, "lost.from")			/* u64, rising */ \
	ROW(LOST_TO, "lost.to")				/* u64 */ \
	/* Pass tasks, by thread, and the loader of a live stream: struct task_sum, u64. */ \
	ROW(TASK_ON, "task.on") \
	ROW(TASK_OFF, "task.off") \
	ROW(TASK_GAPS, "task.gaps") \
	ROW(TASK_MAX_GAP, "task.max_gap") \
	ROW(TASK_MAX_GAP_AT, "task.max_gap_at") \
	ROW(TASK_SLEEPING, "task.sleeping")		/* off by the state in which it left: S */ \
	ROW(TASK_DISK, "task.disk")			/* D */ \
	ROW(TASK_PREEMPTED, "task.preempted")		/* R */ \
	ROW(TASK_OTHER, "task.other") \
	ROW(TASK_DELAYS, "task.delays") \
	ROW(TASK_DELAY, "task.delay")			/* from the first wakeup until it ran */ \
	ROW(TASK_MAX_DELAY, "task.max_delay") \
	ROW(TASK_IN, "task.in") \
	ROW(TASK_OUT, "task.out") \
	ROW(TASK_P50, "task.p50")			/* percentiles of its gaps */ \
	ROW(TASK_P99, "task.p99") \
	ROW(TASK_P99_DELAY, "task.p99_delay") \
	/* u8, 1: the task did hardly anything; this and the next column: pass task idle. */ \
	ROW(TASK_IDLE, "task.idle") \
	/* u64: points of its states and of its CPU time; then of the tasks of each CPU. */ \
	ROW(TASK_POINTS, "task.points") \
	/* Passes processes and process times, by process of process.pid. */ \
	ROW(PROCESS_THREADS, "process.threads")		/* u32 */ \
	ROW(PROCESS_MAIN, "process.main")		/* u32: its main thread; 0: unknown */ \
	ROW(PROCESS_FRAMES, "process.frames")		/* u32: of FrameTimeline, in the range */ \
	ROW(PROCESS_LATE, "process.late")		/* u32: of these */ \
	ROW(PROCESS_CPU, "process.cpu")			/* u64: sum of its tasks, like delay and disk */ \
	ROW(PROCESS_DELAY, "process.delay") \
	ROW(PROCESS_DISK, "process.disk") \
	/* A row for each CPU with switches: struct cpu_sum. */ \
	ROW(CPU_NUMBER, "cpu.number") \
	ROW(CPU_BUSY, "cpu.busy") \
	ROW(CPU_IDLE, "cpu.idle") \
	ROW(CPU_MAX_IDLE, "cpu.max_idle") \
	ROW(CPU_MAX_IDLE_AT, "cpu.max_idle_at") \
	ROW(CPU_UNKNOWN, "cpu.unknown") \
	ROW(CPU_SWITCHES, "cpu.switches") \
	/* u8: digits of use_step, USE_PARTS per CPU: pass cpu use. */ \
	ROW(CPU_USE, "cpu.use") \
	/* Pass frequency; kHz, 0: unknown. */ \
	ROW(TASK_FREQUENCY, "task.frequency")		/* by thread: mean while it ran */ \
	/* By thread, ns: off in sleeps that waited for I/O. */ \
	ROW(TASK_IO, "task.io") \
	ROW(CPU_FREQUENCY, "cpu.frequency")		/* by row of cpu.number: mean while it ran a task */ \
	ROW(CPU_MAX_FREQUENCY, "cpu.max_frequency")	/* the highest one */ \
	/*
	 * Passes tracks and sched tracks, or side files of a Nanoscope trace.  Times are on the clock of the
	 * file's spans (trace_ns).
	 */ \
	ROW(TRACK_KIND, "track.kind")			/* u8, enum track_kind */ \
	ROW(TRACK_NAME, "track.name")			/* u32: offset in track.text */ \
	ROW(TRACK_UNIT, "track.unit")			/* u32: offset in track.text */ \
	ROW(TRACK_TEXT, "track.text")			/* bytes, names end with NUL */ \
	ROW(TRACK_THREAD, "track.thread")		/* u32; 0: none */ \
	ROW(TRACK_CPU, "track.cpu")			/* u32: number + 1; 0: none */ \
	ROW(TRACK_PROCESS, "track.process")		/* u32; 0: the file names none */ \
	ROW(TRACK_DECIMALS, "track.decimals")		/* u8: power of 10 by which its values are scaled */ \
	/* u64: a number that makes all values of the track at least 0, and is added to them; absent: 0. */ \
	ROW(TRACK_BELOW, "track.below") \
	/* u8: tracks above it; those below a track follow it; absent: 0. */ \
	ROW(TRACK_DEPTH, "track.depth") \
	ROW(TRACK_FIRST, "track.first")			/* u64, one more row: where its points begin */ \
	ROW(TRACK_LAST, "track.last")			/* u64: time of its last point; 0: none */ \
	ROW(POINT_TIME, "point.time")			/* u64, each track's in order of time */ \
	ROW(POINT_VALUE, "point.value")			/* u64 */ \
	/* u64, by POINTS_PIECE points: the longest value that begins there; sched tracks. */ \
	ROW(POINT_LONGEST, "point.longest") \
	/* u32, by number of the state: offset in track.text. */ \
	ROW(STATE_NAME, "state.name") \
	/* Pass "sampled": samples of CPU time with a time, by thread (row of listed.tid), then by time. */ \
	/* u64, by thread and one more row: where its samples begin. */ \
	ROW(SAMPLED_FIRST, "sampled.first") \
	ROW(SAMPLED_ROW, "sampled.row")			/* u64: row of sample.*, from 0 */ \
	/* u64, ns: how long it lasts, at most to the next one. */ \
	ROW(SAMPLED_LENGTH, "sampled.length") \
	ROW(SAMPLED_POINTS, "sampled.points")		/* u64, as sampled.first: where its points begin */ \
	ROW(SAMPLED_TIME, "sampled.time")		/* u64, ns */ \
	ROW(SAMPLED_CPU, "sampled.cpu")			/* u64, ns: CPU time of the thread up to then */ \
	/* Loaders of recordings: events that last, by start. */ \
	ROW(INTERVAL_START, "interval.start")		/* u64, ns, as sample.time */ \
	ROW(INTERVAL_LENGTH, "interval.length")		/* u64, ns */ \
	ROW(INTERVAL_THREAD, "interval.thread")		/* u32; 0: none */ \
	ROW(INTERVAL_EVENT, "interval.event")		/* u32: offset + 1 in interval.text */ \
	ROW(INTERVAL_WHAT, "interval.what")		/* u32: the same; 0: nothing */ \
	ROW(INTERVAL_BYTES, "interval.bytes")		/* u64, UINT64_MAX: unknown */ \
	ROW(INTERVAL_STACK, "interval.stack")		/* u32: row of stack.*; 0: none */ \
	/* u32: thread that held the lock before; 0: unknown. */ \
	ROW(INTERVAL_OWNER, "interval.owner") \
	/* u64, ns, UINT64_MAX: unknown: pauses of a garbage collection in all, and the longest. */ \
	ROW(INTERVAL_PAUSED, "interval.paused") \
	ROW(INTERVAL_PAUSE, "interval.pause") \
	ROW(INTERVAL_TEXT, "interval.text")		/* bytes, texts end with NUL */

COLUMN_FAMILY(SCHED, COL_NUMBER, COL_OF_MARKS);

#endif
