/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of method traces and profiles.  A "ref" is text in the source (ref_make); times are in ticks
 * of trace.tick ns unless stated otherwise.
 */
#ifndef ICECORE_COLUMNS_TRACE_H
#define ICECORE_COLUMNS_TRACE_H

#include "icecore/columns.h"

#define COLUMNS_TRACE(ROW) \
	/* Loaders, listed.*: methods, or frames of profiles; a row for each id, from its last line. */ \
	/* Raw id; in text formats 4 * row, in profiles the row. */ \
	ROW(LISTED_METHOD, "listed.method") \
	ROW(LISTED_CLASS, "listed.class")		/* ref */ \
	ROW(LISTED_NAME, "listed.name")			/* ref */ \
	ROW(LISTED_SIGNATURE, "listed.signature")	/* ref */ \
	ROW(LISTED_FILE, "listed.file")			/* ref */ \
	ROW(LISTED_LINE, "listed.line")			/* i64, -1: unknown */ \
	/* u8: 0, or 'k' kernel, 'j' JIT, 'i' inlined, 'c' class, 'w' waker, 'a' runtime of Android. */ \
	ROW(LISTED_KIND, "listed.kind") \
	/* u8, 1: the CPU time of a call of it is known; missing if that is so for all, or for none. */ \
	ROW(LISTED_CPU, "listed.cpu") \
	/* u32: a name that the source lacks, offset + 1 in own_text; 0: see name. */ \
	ROW(LISTED_OWN, "listed.own") \
	ROW(LISTED_FILE_OWN, "listed.file_own")		/* u32: as listed.own, for file */ \
	/* ref: program, library or kernel that contains it. */ \
	ROW(LISTED_MODULE, "listed.module") \
	ROW(LISTED_MODULE_OWN, "listed.module_own")	/* u32: as listed.own, for module */ \
	/* u8, traces whose calls contain samples: 1: seen in samples alone */ \
	ROW(LISTED_SAMPLED, "listed.sampled") \
	ROW(LISTED_OWN_TEXT, "listed.own_text")		/* bytes, texts end with NUL */ \
	/* Loaders, listed.*: threads, a row for each line; profiles, text formats: thread id = row. */ \
	ROW(LISTED_TID, "listed.tid") \
	ROW(LISTED_PID, "listed.pid") \
	/* u32: the id in the file where the loader assigned listed.tid; 0: none. */ \
	ROW(LISTED_TOLD, "listed.told") \
	ROW(LISTED_THREAD, "listed.thread")		/* ref: the name */ \
	ROW(LISTED_THREAD_OWN, "listed.thread_own")	/* u32: as listed.own, for thread */ \
	ROW(LISTED_BEFORE, "listed.before")		/* row that listed this tid before; 0: none */ \
	/* u32: its other names, offset + 1 in earlier_text; 0: none. */ \
	ROW(LISTED_EARLIER, "listed.earlier") \
	ROW(LISTED_EARLIER_TEXT, "listed.earlier_text") \
	/* Loaders: position of the records of a method trace; read only through struct records. */ \
	ROW(SEGMENT_OFFSET, "segment.offset") \
	ROW(SEGMENT_ROW, "segment.row") \
	/* Loaders of text formats, which have no records to be read in place. */ \
	ROW(EVENT_TIME, "event.time")			/* u64 */ \
	/* u64: CPU time of the thread, if the file has it. */ \
	ROW(EVENT_CPU, "event.cpu") \
	/* u32: 4 * row of listed.* from 1, plus enum action; row 0: no method named. */ \
	ROW(EVENT_WORD, "event.word") \
	ROW(EVENT_TID, "event.tid")			/* u32, if there are several threads */ \
	/* Args by enter of a trace event: 1 + offset in the source, or row of args.place; 0: no args. */ \
	ROW(EVENT_ARGS, "event.args") \
	ROW(EVENT_END_ARGS, "event.end_args")		/* the same of exits; absent if no exit has args */ \
	/* u64: row of event.time with a text. */ \
	ROW(NOTE_ROW, "note.row") \
	ROW(NOTE_TEXT, "note.text")			/* ref */ \
	/* Loaders of profiles: stacks as a trie; ids from 1, parents before children; 0: no frame. */ \
	ROW(STACK_PARENT, "stack.parent")		/* u32 */ \
	ROW(STACK_METHOD, "stack.method")		/* u32 */ \
	/* A row for each sample, in the order of the file. */ \
	ROW(SAMPLE_STACK, "sample.stack")		/* u32 */ \
	ROW(SAMPLE_THREAD, "sample.thread")		/* u32 */ \
	ROW(SAMPLE_WEIGHT, "sample.weight")		/* u64, in units of 1 / weight.scale */ \
	ROW(SAMPLE_EVENT, "sample.event")		/* id of event.* */ \
	/* u64, ns since the first one, UINT64_MAX: unknown; only where the file has times. */ \
	ROW(SAMPLE_TIME, "sample.time") \
	/* u64: number of samples that it represents; missing if always 1. */ \
	ROW(SAMPLE_COUNT, "sample.count") \
	ROW(SAMPLE_OFFSET, "sample.offset")		/* offset of the sample's text in the source */ \
	/* u32: state of its thread, offset + 1 in sample.states; 0: unknown. */ \
	ROW(SAMPLE_STATE, "sample.state") \
	ROW(SAMPLE_STATES, "sample.states")		/* bytes, texts end with NUL */ \
	/* u32: a set of labels (labels.h); only where a sample has one */ \
	ROW(SAMPLE_LABELS, "sample.labels") \
	/* Lines of functions and the samples in them, of profiles that count these by function; no events. */ \
	ROW(TICKED_METHOD, "ticked.method")		/* u32: row of listed.method */ \
	ROW(TICKED_LINE, "ticked.line")			/* u32: line in the file of the function, from 1 */ \
	ROW(TICKED_SAMPLES, "ticked.samples")		/* u64 */ \
	ROW(SAMPLE_BEFORE, "sample.before")		/* u64: the other weight; only of files with two */ \
	/* Kinds of samples. */ \
	ROW(EVENT_NAME, "event.name")			/* ref */ \
	ROW(EVENT_OWN, "event.own")			/* u32, as listed.own, in event.text */ \
	ROW(EVENT_SAMPLES, "event.samples") \
	ROW(EVENT_WEIGHT, "event.weight") \
	ROW(EVENT_TYPE, "event.type")			/* u8, enum weight_type */ \
	ROW(EVENT_UNIT, "event.unit")			/* u32, as event.own */ \
	ROW(EVENT_TEXT, "event.text") \
	/* u8, enum event_role; only where one has another than EVENT_NO_ROLE. */ \
	ROW(EVENT_ROLE, "event.role") \
	/* u64: ns between two samples, the shortest and the longest; 0: unknown. Only if one is known. */ \
	ROW(EVENT_PERIOD, "event.period") \
	ROW(EVENT_PERIOD_MOST, "event.period_most") \
	/* Pass "event sums". */ \
	ROW(EVENT_THREADS, "event.threads") \
	ROW(EVENT_BARE, "event.bare")			/* samples without a stack */ \
	ROW(EVENT_CUT, "event.cut")			/* samples whose outermost frames are missing */ \
	/* Loaders of recordings: objects that were alive when it ended. */ \
	ROW(OLD_CLASS, "old.class")			/* u32: its class, a row of listed.* */ \
	ROW(OLD_STACK, "old.stack")			/* u32: that made it */ \
	/* Side files: threads, by rising tid; read through thread_name and its like. */ \
	ROW(SIDE_TID, "side.tid")			/* u64 */ \
	ROW(SIDE_NAME, "side.name")			/* ref */ \
	ROW(SIDE_STATE, "side.state")			/* ref */ \
	ROW(SIDE_TOP, "side.top")			/* ref: class and method */ \
	ROW(SIDE_EARLIER, "side.earlier")		/* ref */ \
	ROW(SIDE_BY, "side.by")				/* u8, enum side_by */ \
	/* u32, by row of listed.tid: row of side.tid; 0: none. */ \
	ROW(SIDE_LISTED, "side.listed") \
	/* u8, by row of listed.tid: 1: the name in side.name is also that of another thread. */ \
	ROW(SIDE_ALIKE, "side.alike") \
	ROW(SIDE_TEXT, "side.text")			/* bytes: the text that these refs point to */ \
	/* ref, by row of listed.*: obfuscated name of the method; 0: the same. */ \
	ROW(RAW_METHOD, "raw.method") \
	/* Passes calls and samples, in order of first appearance: threads. */ \
	ROW(THREAD_RAW, "thread.raw")			/* the tid that the records have */ \
	ROW(THREAD_TID, "thread.tid") \
	ROW(THREAD_NAME, "thread.name")			/* ref; 0: none */ \
	ROW(THREAD_MAIN, "thread.main") \
	ROW(THREAD_LISTED, "thread.listed")		/* row of listed.tid; 0: none */ \
	ROW(THREAD_ALIKE, "thread.alike")		/* u8, enum thread_alike */ \
	ROW(THREAD_CALLS, "thread.calls") \
	ROW(THREAD_WALL, "thread.wall")			/* sum of the top-level calls */ \
	ROW(THREAD_CPU, "thread.cpu")			/* the same */ \
	/* CPU time from the first record of the thread to its last one; 0: none. */ \
	ROW(THREAD_CLOCK, "thread.clock") \
	ROW(THREAD_START, "thread.start")		/* first record: wall, or else cpu */ \
	ROW(THREAD_END, "thread.end")			/* last record */ \
	ROW(THREAD_DEPTH, "thread.depth")		/* deepest stack */ \
	ROW(THREAD_REPAIRS, "thread.repairs") \
	ROW(THREAD_RECORDS, "thread.records") \
	ROW(THREAD_CALL, "thread.call")			/* id of its first call */ \
	ROW(THREAD_SIZE, "thread.size")			/* number of its rows of call.* */ \
	/* The merged call tree in pre-order, siblings by falling total (wall, then cpu), then method id. */ \
	ROW(CALL_PARENT, "call.parent")			/* u32; 0: top level */ \
	ROW(CALL_SIZE, "call.size")			/* u32: calls in the subtree, itself included */ \
	ROW(CALL_METHOD, "call.method") \
	ROW(CALL_CALLS, "call.calls") \
	/* Totals by the wall and CPU clocks; of a profile, its weights: struct weights. */ \
	ROW(CALL_TOTAL_WALL, "call.total_wall") \
	ROW(CALL_TOTAL_CPU, "call.total_cpu") \
	ROW(METHOD_RAW, "method.raw")			/* raw id: listed methods, then unknown ones */ \
	/* Pass calls: calls that were open before the first record. */ \
	ROW(SYNTHETIC_THREAD, "synthetic.thread")	/* u32 */ \
	ROW(SYNTHETIC_METHOD, "synthetic.method")	/* u32 */ \
	ROW(SYNTHETIC_WALL, "synthetic.wall")		/* u64 */ \
	ROW(SYNTHETIC_CPU, "synthetic.cpu")		/* u64 */ \
	/* Pass methods. */ \
	ROW(METHOD_CALLS, "method.calls") \
	ROW(METHOD_SELF_WALL, "method.self_wall") \
	ROW(METHOD_TOTAL_WALL, "method.total_wall")	/* outermost calls only */ \
	ROW(METHOD_SELF_CPU, "method.self_cpu") \
	ROW(METHOD_TOTAL_CPU, "method.total_cpu") \
	/* Row of the first call of the method in method.node; one more row than methods. */ \
	ROW(METHOD_FIRST, "method.first") \
	ROW(METHOD_NODE, "method.node")			/* calls of each method, rising */ \
	/* Pass idle. */ \
	ROW(THREAD_IDLE, "thread.idle")			/* 1: it did next to nothing */ \
	/* Pass order: stack checkpoints by block of records, long calls by thread; spans_* reads them. */ \
	ROW(MARK_THREAD, "mark.thread") \
	ROW(MARK_BLOCK, "mark.block") \
	ROW(MARK_TOP, "mark.top")			/* innermost open call, row of span.*; 0: none */ \
	ROW(MARK_FLOOR, "mark.floor")			/* number of calls open before the first record */ \
	ROW(MARK_WALL, "mark.wall")			/* the clock of the thread: struct thread_clock */ \
	ROW(MARK_CPU, "mark.cpu") \
	ROW(MARK_RAW_WALL, "mark.raw_wall") \
	ROW(MARK_RAW_CPU, "mark.raw_cpu") \
	ROW(MARK_BASE_WALL, "mark.base_wall") \
	ROW(MARK_BASE_CPU, "mark.base_cpu") \
	ROW(MARK_SEEN, "mark.seen") \
	ROW(MARK_FIRST, "mark.first")			/* by thread: where its marks begin in mark.list */ \
	ROW(MARK_LIST, "mark.list") \
	ROW(BLOCK_MARK, "block.mark")			/* by block: its first mark */ \
	ROW(BLOCK_LATEST, "block.latest")		/* wall time of any thread before it */ \
	ROW(SPAN_FIRST, "span.first")			/* by thread: its first span */ \
	ROW(SPAN_START, "span.start") \
	ROW(SPAN_END, "span.end") \
	ROW(SPAN_START_CPU, "span.start_cpu") \
	ROW(SPAN_END_CPU, "span.end_cpu") \
	ROW(SPAN_PARENT, "span.parent") \
	ROW(SPAN_METHOD, "span.method") \
	ROW(SPAN_DEPTH, "span.depth") \
	/* 0: one call; otherwise the number of short calls merged. */ \
	ROW(SPAN_CROWD, "span.crowd") \
	/* Number of the record that enters the call, from 1; 0: it was open before the first record. */ \
	ROW(SPAN_ROW, "span.row") \
	/* Views. */ \
	ROW(VIEW_TEXT, "view.text")			/* bytes: names that the view made */

COLUMN_FAMILY(TRACE, COL_NUMBER, COL_OF_SCHED);

/* Cheap to compute from other columns: passes make them when a query reads them; no index stores them. */
#define COLUMNS_DERIVED(ROW) \
	ROW(CALL_THREAD, "call.thread") \
	ROW(CALL_DEPTH, "call.depth")			/* 0: top level */ \
	ROW(CALL_SELF_WALL, "call.self_wall")		/* total minus the totals of the children */ \
	ROW(CALL_SELF_CPU, "call.self_cpu") \
	/* 1 + offset in call.detail_text of the args that all its calls have; 0: the args differ. */ \
	ROW(CALL_DETAIL, "call.detail") \
	ROW(CALL_DETAIL_TEXT, "call.detail_text") \
	/* Pass about, by method. */ \
	/* Self weight plus that of the class frames below; for class frames: nothing. */ \
	ROW(METHOD_DIRECT, "method.direct") \
	/* u32: the class (listed as a method) with the largest part of it; 0: none. */ \
	ROW(METHOD_MOSTLY, "method.mostly") \
	/* Pass waited, by method: self weight plus that of waits and kernel frames below; for these: nothing. */ \
	ROW(METHOD_WAITED, "method.waited")

COLUMN_FAMILY(DERIVED, COL_NUMBER, COL_CHOSEN);

/*
 * Lists of handles: the columns that every pass which builds call trees makes, and the columns of calls and
 * of threads among them.
 */
#define BUILD_CALLS \
	COL_CALL_PARENT, COL_CALL_SIZE, COL_CALL_METHOD, COL_CALL_CALLS, COL_CALL_TOTAL_WALL, \
	    COL_CALL_TOTAL_CPU
#define BUILD_THREADS \
	COL_THREAD_CALL, COL_THREAD_SIZE, COL_THREAD_CALLS, COL_THREAD_WALL, COL_THREAD_CPU, COL_THREAD_DEPTH
#define BUILD_MAKES \
	BUILD_CALLS, BUILD_THREADS, COL_THREAD_RAW, COL_THREAD_TID, COL_THREAD_NAME, COL_THREAD_MAIN, \
	COL_THREAD_CLOCK, COL_THREAD_START, COL_THREAD_END, COL_THREAD_REPAIRS, COL_THREAD_RECORDS, COL_THREAD_LISTED, \
	COL_THREAD_ALIKE, COL_METHOD_RAW
/* Columns made from them by pass methods, and by all passes. */
#define METHODS_MAKES \
	COL_METHOD_CALLS, COL_METHOD_SELF_WALL, COL_METHOD_TOTAL_WALL, COL_METHOD_SELF_CPU, \
	COL_METHOD_TOTAL_CPU, COL_METHOD_FIRST, COL_METHOD_NODE
#define TREES_MAKE \
	METHODS_MAKES, COL_THREAD_IDLE, COL_CALL_THREAD, COL_CALL_DEPTH, COL_CALL_SELF_WALL, COL_CALL_SELF_CPU, \
	COL_CALL_DETAIL, \
	COL_CALL_DETAIL_TEXT, COL_METHOD_DIRECT, COL_METHOD_MOSTLY, COL_METHOD_WAITED

#endif
