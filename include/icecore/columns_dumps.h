/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of stack dumps: the threads of each dump, the locks that they want and hold, and the waits that
 * follow.  A ref is text in the source (ref_make).  An "own" is an offset + 1 in tdump.text of a text that
 * the source lacks; 0: see the ref.
 */
#ifndef ICECORE_COLUMNS_DUMPS_H
#define ICECORE_COLUMNS_DUMPS_H

#include "icecore/columns.h"

#define COLUMNS_DUMPS(ROW) \
	/* Loader: one row a dump, in the order of the file. */ \
	ROW(TDUMP_KIND, "tdump.kind")			/* u8, enum dump_kind */ \
	ROW(TDUMP_PID, "tdump.pid")			/* u64; 0: unknown */ \
	/* u64: ns since 1970 by the clock of the dump, UINT64_MAX: unknown. */ \
	ROW(TDUMP_TIME, "tdump.time") \
	ROW(TDUMP_WHEN, "tdump.when")			/* ref: the time in the words of the dump */ \
	ROW(TDUMP_PROGRAM, "tdump.program")		/* ref: command line or version */ \
	/* ref: why it was made, or its own verdict; 0: none. */ \
	ROW(TDUMP_REASON, "tdump.reason") \
	/* u32: its first row of dumped.*, from 0; one more row than dumps. */ \
	ROW(TDUMP_FIRST, "tdump.first") \
	ROW(TDUMP_OTHER, "tdump.other")			/* u64: lines that belong to no thread */ \
	ROW(TDUMP_TEXT, "tdump.text")			/* bytes, texts end with NUL */ \
	/* Loader: one row a thread in a dump.  Rows are numbered from 1. */ \
	/* u32: row of listed.tid; the same in all dumps of a series. */ \
	ROW(DUMPED_THREAD, "dumped.thread") \
	ROW(DUMPED_NAME, "dumped.name")			/* ref; */ \
	ROW(DUMPED_NAME_OWN, "dumped.name_own")		/* u32: own */ \
	ROW(DUMPED_ID, "dumped.id")			/* ref: the id that the runtime uses: 12, 0.9.0 */ \
	ROW(DUMPED_ID_OWN, "dumped.id_own")		/* u32: own */ \
	ROW(DUMPED_TID, "dumped.tid")			/* u64: the id of the system; 0: unknown */ \
	ROW(DUMPED_STATE, "dumped.state")		/* u8, enum dump_state */ \
	ROW(DUMPED_RAW, "dumped.raw")			/* ref: the state in the words of the dump */ \
	ROW(DUMPED_RAW_OWN, "dumped.raw_own")		/* u32: own */ \
	ROW(DUMPED_WANT, "dumped.want")			/* u8, enum dump_want */ \
	/* u32: row of lock.*, from 1, that it waits for; 0: none. */ \
	ROW(DUMPED_LOCK, "dumped.lock") \
	/* u32: row of the thread that holds the lock; 0: see dumped.how. */ \
	ROW(DUMPED_HOLDER, "dumped.holder") \
	ROW(DUMPED_HOW, "dumped.how")			/* u8, enum dump_how */ \
	ROW(DUMPED_STACK, "dumped.stack")		/* u32: row of exact.*, from 1; 0: no frames */ \
	/* u64: ns since the thread began; UINT64_MAX: unknown. */ \
	ROW(DUMPED_CPU, "dumped.cpu") \
	ROW(DUMPED_ELAPSED, "dumped.elapsed")		/* u64: ns; UINT64_MAX: unknown */ \
	ROW(DUMPED_COUNT, "dumped.count")		/* u32: threads that the row stands for */ \
	ROW(DUMPED_FLAGS, "dumped.flags")		/* u8, enum dump_flag */ \
	/* u64: messages that wait (Erlang); only where a dump has one. */ \
	ROW(DUMPED_QUEUE, "dumped.queue") \
	/* ref: what created it, or its container; only where a dump has one. */ \
	ROW(DUMPED_PARENT, "dumped.parent") \
	/* u32: a set of labels (labels.h); only where a dump has one. */ \
	ROW(DUMPED_LABELS, "dumped.labels") \
	/* Loader: locks by dump and key.  Rows are numbered from 1. */ \
	ROW(LOCK_DUMP, "lock.dump")			/* u32, from 1 */ \
	/* ref: address, Class@hash; 0: the dump does not name it. */ \
	ROW(LOCK_KEY, "lock.key") \
	ROW(LOCK_KEY_OWN, "lock.key_own")		/* u32: own */ \
	ROW(LOCK_CLASS, "lock.class")			/* ref; 0: unknown */ \
	ROW(LOCK_CLASS_OWN, "lock.class_own")		/* u32: own */ \
	/* Loader: what threads hold, in the order of dumped.*, without locks that they gave up to wait. */ \
	ROW(HOLD_THREAD, "hold.thread")			/* u32: row of dumped.* */ \
	ROW(HOLD_LOCK, "hold.lock")			/* u32: row of lock.* */ \
	/* Loader: stacks with the places of frames, as a trie; parents before children; rows from 1. */ \
	ROW(EXACT_PARENT, "exact.parent")		/* u32; 0: outermost */ \
	ROW(EXACT_METHOD, "exact.method")		/* u32: row of listed.method */ \
	ROW(EXACT_PLACE, "exact.place")			/* ref: Pool.java:6 */ \
	ROW(EXACT_PLACE_OWN, "exact.place_own")		/* u32: own */ \
	ROW(EXACT_DEPTH, "exact.depth")			/* u32: frames */ \
	/* Loader: deadlocks that a dump reports, a row a thread. */ \
	ROW(REPORT_DUMP, "report.dump")			/* u32, from 1 */ \
	/* u32: number of the deadlock in its dump, from 1. */ \
	ROW(REPORT_NUMBER, "report.number") \
	ROW(REPORT_NAME, "report.name")			/* ref: of the thread */ \
	ROW(REPORT_LOCK, "report.lock")			/* u32: row of lock.*; 0: not reported */ \
	ROW(REPORT_HOLDER, "report.holder")			/* ref: name; 0: not reported */ \
	/* Pass "waits of dumps", by row of dumped.*. */ \
	ROW(DUMPED_DUMP, "dumped.dump")			/* u32, from 1 */ \
	ROW(DUMPED_BEHIND, "dumped.behind")		/* u32: threads that wait for it, directly or not */ \
	/* u32: number of the deadlock in its dump; 0: none. */ \
	ROW(DUMPED_CYCLE, "dumped.cycle") \
	ROW(DUMPED_IDLE, "dumped.idle")			/* u8: 1: it waits for work */ \
	ROW(DUMPED_GROUP, "dumped.group")		/* u32: row of alike.*, from 1 */ \
	/* u32, by row of exact.*: its innermost row of no runtime or library; 0: none. */ \
	ROW(EXACT_OWN, "exact.own") \
	/* Same pass: who waits for whom, in the order of a tree: holders above those that wait for them. */ \
	ROW(BEHIND_DUMP, "behind.dump")			/* u32, from 1 */ \
	ROW(BEHIND_DEPTH, "behind.depth")		/* u32; 0: holder */ \
	/* u32: row of dumped.*; 0: the holder is not in the dump. */ \
	ROW(BEHIND_THREAD, "behind.thread") \
	ROW(BEHIND_LOCK, "behind.lock")			/* u32: row of lock.* that it waits for; 0: none */ \
	ROW(BEHIND_HOW, "behind.how")			/* u8, enum behind_how */ \
	ROW(BEHIND_BELOW, "behind.below")		/* u32: threads below it */ \
	/* Pass "holders in all dumps", of the process that is shown first. */ \
	ROW(TDUMP_SERIES, "tdump.series")		/* u32: dumps of that process; 0: of another one */ \
	ROW(BEHIND_NEWEST, "behind.newest")		/* u8: 1: no later dump has the same holder */ \
	ROW(BEHIND_DUMPS, "behind.dumps")		/* u32: dumps with that holder; 0: it waits */ \
	ROW(BEHIND_MOST, "behind.most")			/* u32: most threads behind it in these dumps */ \
	/* Pass "waits of dumps", by row of lock.*. */ \
	ROW(LOCK_HOLDER, "lock.holder")			/* u32: row of dumped.*; 0: unknown */ \
	ROW(LOCK_WAITERS, "lock.waiters")		/* u32: threads that want to own it */ \
	ROW(LOCK_WAITING, "lock.waiting")		/* u32: threads that wait on it in another way */ \
	/* Same pass: deadlocks, a row for each thread, in the order of the circle. */ \
	ROW(CIRCLE_DUMP, "circle.dump")			/* u32, from 1 */ \
	ROW(CIRCLE_NUMBER, "circle.number")		/* u32: of the deadlock in its dump, from 1 */ \
	ROW(CIRCLE_THREAD, "circle.thread")		/* u32: row of dumped.*; 0: see circle.report */ \
	/* u32: row of report.*, from 1, that the stacks do not confirm; else 0. */ \
	ROW(CIRCLE_REPORT, "circle.report") \
	ROW(CIRCLE_HOW, "circle.how")			/* u8, enum circle_how */ \
	ROW(CIRCLE_FIRST, "circle.first")		/* u32: the first row of its deadlock, from 1 */ \
	ROW(CIRCLE_THREADS, "circle.threads")		/* u32: rows of its deadlock */ \
	/* Pass "holders in all dumps". */ \
	ROW(CIRCLE_NEWEST, "circle.newest")		/* u8: 1: no later dump of the process has it */ \
	/* Pass "waits of dumps": equal stacks of a dump, most threads first. */ \
	ROW(ALIKE_DUMP, "alike.dump")			/* u32, from 1 */ \
	ROW(ALIKE_STACK, "alike.stack")			/* u32: row of exact.*; 0: no frames */ \
	ROW(ALIKE_THREADS, "alike.threads")		/* u64 */ \
	ROW(ALIKE_FIRST, "alike.first")			/* u32: the first row of dumped.* */ \
	ROW(ALIKE_IDLE, "alike.idle")			/* u64: threads of it that wait for work */ \
	/* u32: its first row of alike.state; one more row than groups. */ \
	ROW(ALIKE_STATES, "alike.states") \
	ROW(ALIKE_STATE, "alike.state")			/* u8, enum dump_state, by group */ \
	ROW(ALIKE_IN_STATE, "alike.in_state")		/* u64: threads in that state */ \
	/* Pass "pools of dumps": the same by pool: threads whose names differ in numbers only. */ \
	ROW(POOLED_DUMP, "pooled.dump")			/* u32, from 1 */ \
	ROW(POOLED_THREADS, "pooled.threads")		/* u64 */ \
	ROW(POOLED_FIRST, "pooled.first")		/* u32: the first row of dumped.* */ \
	ROW(POOLED_IDLE, "pooled.idle")			/* u64: threads of it that wait for work */ \
	ROW(POOLED_BEHIND, "pooled.behind")		/* u64: threads that wait for one of them */ \
	ROW(POOLED_CPU, "pooled.cpu")			/* u64: ns since they began; UINT64_MAX: unknown */ \
	/* u32: its first row of pooled.state; one more row than pools. */ \
	ROW(POOLED_STATES, "pooled.states") \
	ROW(POOLED_STATE, "pooled.state")		/* u8, enum dump_state, by pool */ \
	ROW(POOLED_IN_STATE, "pooled.in_state")		/* u64: threads in that state */ \
	/* Same pass: the first pools in each group of equal stacks. */ \
	/* u32: its first row of alike.pool; one more row than groups. */ \
	ROW(ALIKE_POOLS, "alike.pools") \
	ROW(ALIKE_POOL, "alike.pool")			/* u32: row of pooled.*, from 1, by group */ \
	/* u64: threads of the group that are of that pool. */ \
	ROW(ALIKE_IN_POOL, "alike.in_pool") \
	/* Same pass: threads of a dump and the next one. */ \
	ROW(MOVE_DUMP, "move.dump")			/* u32: of the earlier one, from 1 */ \
	ROW(MOVE_FROM, "move.from")			/* u32: row of dumped.*; 0: it is new */ \
	ROW(MOVE_TO, "move.to")				/* u32: row of dumped.*; 0: it is gone */ \
	ROW(MOVE_HOW, "move.how")			/* u8, enum move_how */ \
	/* u32, by row of dumped.*: dumps in a row, this one the last, with the same stack. */ \
	ROW(DUMPED_SAME, "dumped.same") \
	/* u8, enum move_how, by row of dumped.*: against the same thread in the first dump. */ \
	ROW(DUMPED_SINCE, "dumped.since") \
	/* Pass "findings of dumps": obstacles to threads, by dump and kind, most threads first. */ \
	ROW(TROUBLE_KIND, "trouble.kind")		/* u8, enum dump_trouble */ \
	ROW(TROUBLE_DUMP, "trouble.dump")		/* u32, from 1 */ \
	ROW(TROUBLE_THREADS, "trouble.threads")		/* u64: how many are concerned */ \
	/* u32: row of dumped.*: the holder, or the first of them; 0: unknown. */ \
	ROW(TROUBLE_THREAD, "trouble.thread") \
	/* u32: row of circle.* (deadlock), of lock.* (convoy); else 0. */ \
	ROW(TROUBLE_OF, "trouble.of") \
	/* u64: dumps (held, stuck), percent (busy), messages (queue); else 0. */ \
	ROW(TROUBLE_VALUE, "trouble.value") \
	/* u8: 1: no later dump has it; only of the process that is shown first. */ \
	ROW(TROUBLE_NEWEST, "trouble.newest")

COLUMN_FAMILY(DUMPS, COL_NUMBER, COL_OF_COSTS);

#endif
