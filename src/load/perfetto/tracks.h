/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tracks: what track events are of, and threads and processes, as rows.
 */
#ifndef LOAD_PERFETTO_TRACKS_H
#define LOAD_PERFETTO_TRACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "icecore/shape.h"

/* Descriptions of threads and processes, by themselves or of tracks. */
#define PF_THREAD(F) F(1, pid, U64) F(2, tid, U64) F(3, legacy_order, NONE) F(4, type, U64) F(5, name, BYTES) F(6, us, U64) F(7, cpu_us, U64) \
	F(8, instructions, NONE)
#define PF_PROCESS(F) F(1, pid, U64) F(2, cmdline, UNREAD) F(3, legacy_order, NONE) F(4, type, U64) F(5, process_priority, UNREAD) \
	F(6, name, BYTES) F(7, start_timestamp_ns, UNREAD) F(8, process_labels, UNREAD)
#define PF_CHROME_PROCESS(F) F(1, type, U64) F(2, process_priority, UNREAD) F(3, legacy_order, NONE) F(4, host_app_package_name, UNREAD) \
	F(5, crash_trace_id, UNREAD)
#define PF_CHROME_THREAD(F) F(1, type, U64) F(2, legacy_order, NONE) F(3, is_sandboxed_tid, UNREAD)
#define PF_COUNTER(F) F(1, builtin, U64) F(2, categories, UNREAD) F(3, unit, U64) F(4, multiplier, I64) F(5, incremental, U64) \
	F(6, unit_name, BYTES) F(7, axis, NONE)
#define PF_TRACK(F) F(1, uuid, U64) F(2, name, BYTES) F(3, process, BYTES) F(4, thread, BYTES) F(5, parent, U64) F(6, chrome_process, BYTES) \
	F(7, chrome_thread, BYTES) F(8, counter, BYTES) F(9, apart, U64) F(10, name, SAME) F(11, order, NONE) F(12, rank, NONE) F(13, name, SAME) \
	F(14, description, UNREAD) F(15, merging, NONE) F(16, merge_key, NONE) F(17, merge_key, NONE) F(18, state, FLAG) F(19, visible, NONE) \
	F(20, visible, NONE)
SHAPE(pf_thread_in, "thread_descriptor", PF_THREAD)
SHAPE(pf_process_in, "process_descriptor", PF_PROCESS)
SHAPE(pf_chrome_process, "chrome_process", PF_CHROME_PROCESS)
SHAPE(pf_chrome_thread, "chrome_thread", PF_CHROME_THREAD)
SHAPE(pf_counter_in, "counter_descriptor", PF_COUNTER)
SHAPE(pf_track_in, "track_descriptor", PF_TRACK)

enum pf_machine { PF_OTHER_MACHINE, PF_AARCH64, PF_AARCH32, PF_X86_64, PF_X86 };

enum pf_scope { PF_SCOPE_UNKNOWN, PF_SCOPE_BAD, PF_SCOPE_GLOBAL, PF_SCOPE_PROCESS, PF_SCOPE_THREAD };

struct pf_track {
	uint64_t	uuid, parent;
	uint64_t	name_at;	/* where its name stands */
	uint32_t	name_n;
	uint64_t	unit_at;	/* where the name of its unit stands */
	uint32_t	unit_n;
	uint32_t	pid, tid;	/* of its own descriptor */
	uint32_t	process, task;	/* rows: of the scope */
	double		multiplier;
	double		sum;		/* of an incremental counter, which begins again with */
	uint32_t	sum_names;	/* the names of its sequence */
	uint32_t	word;		/* its name; 0: not yet asked */
	uint32_t	up, above, path;	/* as in struct pf_about */
	bool		nested;		/* these are known */
	uint32_t	counter, level;	/* its row among counters of marks; 1 + uses */
	uint8_t		scope;		/* enum pf_scope */
	uint8_t		unit;		/* 1: ns, 2: a count, 3: bytes */
	uint8_t		builtin;	/* 1: a counter of the CPU time of a thread, 2: of its instructions */
	bool		has_pid, has_tid, is_counter, incremental, is_state, apart, root;
};

/* Whose calls: of marks of the kernel and of tracks that are merged with them; of tracks that stay apart from those. */
enum pf_calls { PF_CALLS_NONE, PF_CALLS_MERGED, PF_CALLS_APART };

/* Ids are reused: a task is one of those that had its tid, a process one of those that had its pid.  Rows of both count from 1. */
struct pf_task {
	uint32_t	tid;
	uint32_t	process;	/* its row; 0: not known */
	uint32_t	word;		/* its name */
	uint32_t	thread;		/* of spans_in; 0: no call yet */
	uint32_t	before;		/* the task with that tid that was current before it; 0: none */
	uint32_t	sibling;	/* the next task of its process; 0: none */
	uint32_t	joined;		/* the next one in a ring of tasks of the same unknown process; 0: none */
	uint32_t	track;		/* that describes it; 0: none */
	uint32_t	beside;		/* a further row, of its calls of the other kind; 0: none */
	uint32_t	of;		/* of such a row, the task; 0: it is a task itself */
	uint8_t		calls;		/* enum pf_calls: which calls came first */
	uint8_t		rank;		/* of the source of its name */
	bool		ended, writes;	/* ended: it or its process; writes: it is in the system call */
	bool		seen;		/* in an event of the kernel */
};

struct pf_process {
	uint32_t	pid, word, process;	/* process: of marks_in; 0: not asked yet */
	uint32_t	serial;		/* how many processes had that pid before, and 1 */
	uint32_t	task;		/* the last one that was added; 0: none */
	uint32_t	track;		/* that describes it; 0: none */
	uint32_t	parent, uid, command;	/* a row of processes, and words; 0: unknown */
	uint8_t		rank;
	bool		ended, kernel;	/* kernel: of a thread of the kernel */
};

enum { PF_NAMED_KERNEL = 1, PF_NAMED_TREE, PF_NAMED_CHROME, PF_NAMED_TRACK };

#endif
