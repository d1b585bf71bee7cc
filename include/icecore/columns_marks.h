/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of trace events other than calls: async operations, counters, instants, flows.  Texts are words:
 * numbers from 1 of word.*, 0 is the empty one; times in ns on the clock of the file's calls.
 */
#ifndef ICECORE_COLUMNS_MARKS_H
#define ICECORE_COLUMNS_MARKS_H

#include "icecore/columns.h"

#define COLUMNS_MARKS(ROW) \
	ROW(WORD_REF, "word.ref")			/* ref */ \
	/* u32: a text that the source lacks, offset + 1 in word.text; 0: see ref. */ \
	ROW(WORD_OWN, "word.own") \
	ROW(WORD_TEXT, "word.text")			/* bytes, texts end with NUL */ \
	/* Processes, numbered from 1. */ \
	ROW(PROCESS_PID, "process.pid")			/* u32: word */ \
	ROW(PROCESS_NAME, "process.name")		/* u32: word; 0: it is called by its pid */ \
	/* Columns that only Perfetto traces have. */ \
	ROW(PROCESS_UID, "process.uid")			/* u32: word */ \
	ROW(PROCESS_PARENT, "process.parent")		/* u32: its row; 0: unknown */ \
	ROW(PROCESS_COMMAND, "process.command")		/* u32: word, the command line */ \
	ROW(LISTED_PROCESS, "listed.process")		/* u32, by row of listed.tid */ \
	/* Instants, in order of time. */ \
	ROW(INSTANT_TIME, "instant.time")		/* u64 */ \
	ROW(INSTANT_NAME, "instant.name")		/* u32: word */ \
	ROW(INSTANT_CAT, "instant.cat")			/* u32: word */ \
	ROW(INSTANT_SCOPE, "instant.scope")		/* u8: the letter g, p or t */ \
	ROW(INSTANT_LETTER, "instant.letter")		/* u8: of the event; R is a mark of navigation */ \
	ROW(INSTANT_THREAD, "instant.thread")		/* u32 */ \
	ROW(INSTANT_PROCESS, "instant.process")		/* u32 */ \
	ROW(INSTANT_DETAIL, "instant.detail")		/* u32: word, the data of Firefox markers */ \
	ROW(INSTANT_ARGS, "instant.args")		/* u32: row of args.place; 0: none */ \
	ROW(INSTANT_TAG, "instant.tag")			/* u32: word; of a line of a log */ \
	ROW(INSTANT_PRIORITY, "instant.priority")	/* u8: its letter: V, D, I, W, E or F; 0: none */ \
	ROW(INSTANT_TRACK, "instant.track")		/* u32: word, as async.track; 0: none */ \
	/*
	 * Instants by owner, then in order of time: first those of threads, then those of processes; both by
	 * id, with one more row at the end.
	 */ \
	ROW(MOMENT_THREAD, "moment.thread")		/* u64: where those of a thread begin in moment.* */ \
	/* u64: where those of a process without a thread begin. */ \
	ROW(MOMENT_PROCESS, "moment.process") \
	ROW(MOMENT_TIME, "moment.time")			/* u64 */ \
	ROW(MOMENT_ROW, "moment.row")			/* u64: row of instant.*, from 0 */ \
	/* Async operations, in order of their starts. */ \
	ROW(ASYNC_START, "async.start")			/* u64 */ \
	ROW(ASYNC_END, "async.end")			/* u64 */ \
	ROW(ASYNC_NAME, "async.name")			/* u32: word */ \
	ROW(ASYNC_CAT, "async.cat")			/* u32: word */ \
	ROW(ASYNC_ID, "async.id")			/* u32: word */ \
	ROW(ASYNC_PROCESS, "async.process")		/* u32 */ \
	ROW(ASYNC_THREAD, "async.thread")		/* u32; of markers of Firefox, as detail is */ \
	ROW(ASYNC_DETAIL, "async.detail")		/* u32: word */ \
	ROW(ASYNC_ARGS, "async.args")			/* u32: row of args.place; 0: none */ \
	ROW(ASYNC_END_ARGS, "async.end_args")		/* u32: the same of its end */ \
	ROW(ASYNC_PARENT, "async.parent")		/* u32: its number, from 1; 0: none */ \
	ROW(ASYNC_DEPTH, "async.depth")			/* u32: slices around it on its track */ \
	/* u32: word, names of its track and of those above it; 0: none. */ \
	ROW(ASYNC_TRACK, "async.track") \
	ROW(ASYNC_POINTS, "async.points")		/* u32: events in it */ \
	ROW(ASYNC_OPEN, "async.open")			/* u8: 1: it did not end */ \
	/* Frames of Android with an actual time, in order of time. */ \
	ROW(FRAME_START, "frame.start")			/* u64 */ \
	/* u32: row of the actual time of the frame in async.*, from 1. */ \
	ROW(FRAME_ACTUAL, "frame.actual") \
	ROW(FRAME_EXPECTED, "frame.expected")		/* u32: row of the expected time; 0: none */ \
	ROW(FRAME_PROCESS, "frame.process")		/* u32 */ \
	ROW(FRAME_LAYER, "frame.layer")			/* u32: word; 0: none */ \
	/* u32: word, name of the frame of the display that shows it. */ \
	ROW(FRAME_DISPLAY, "frame.display") \
	ROW(FRAME_JANK, "frame.jank")			/* u32: word, its jank types */ \
	ROW(FRAME_KIND, "frame.kind")			/* u8: 0 of an app, 1 of the display */ \
	ROW(FRAME_TAG, "frame.tag")			/* u8, enum frame_tag */ \
	/* u8: 1 on time, 2 late, 3 early, 4 dropped, 0 and 5 unknown. */ \
	ROW(FRAME_PRESENT, "frame.present") \
	ROW(FRAME_PREDICTION, "frame.prediction")	/* u8: 1 valid, 2 expired, 0 and 3 unknown */ \
	ROW(FRAME_SEVERITY, "frame.severity")		/* u8: 1 none, 2 partial, 3 full, 0 unknown */ \
	ROW(FRAME_ON_TIME, "frame.on_time")		/* u8: 1: it was finished in time */ \
	ROW(FRAME_GPU, "frame.gpu")			/* u8: 1: the GPU composed it */ \
	/* u8: 1: presented late for jank of the app or SurfaceFlinger, except errors of prediction. */ \
	ROW(FRAME_LATE, "frame.late") \
	/*
	 * Args of Perfetto traces; event.args and event.end_args are rows of these.  A place is 1 + the
	 * offset of the length of a message or text, which follows it, in the source, or behind it in
	 * args.own.
	 */ \
	ROW(ARGS_PLACE, "args.place")			/* place of the args of a track event */ \
	ROW(ARGS_NAMES, "args.names")			/* u32: sequence whose texts they use */ \
	/* Bytes: what the source has only in compressed form. */ \
	ROW(ARGS_OWN, "args.own") \
	/* Texts with numbers, in order of both. */ \
	/* u64: 256 * args.names, plus its kind: 3 names, 29 values. */ \
	ROW(ARG_TEXT_OF, "arg_text.of") \
	ROW(ARG_TEXT_NUMBER, "arg_text.number")		/* u64 */ \
	ROW(ARG_TEXT_PLACE, "arg_text.place") \
	/* Kinds of async operations, by falling total: ended ones, and events in any of that name. */ \
	ROW(OPERATION_NAME, "operation.name")		/* u32: word */ \
	ROW(OPERATION_CAT, "operation.cat")		/* u32: word */ \
	ROW(OPERATION_TRACK, "operation.track")		/* u32: word, as async.track; 0: none */ \
	ROW(OPERATION_PROCESS, "operation.process")	/* u32 */ \
	ROW(OPERATION_COUNT, "operation.count")		/* u64 */ \
	ROW(OPERATION_TOTAL, "operation.total")		/* u64 */ \
	ROW(OPERATION_MAX, "operation.max")		/* u64 */ \
	ROW(OPERATION_POINTS, "operation.points")	/* u64 */ \
	ROW(OPERATION_OPEN, "operation.open")		/* u64: number of slices without an end */ \
	/* Counters, in the order of the file. */ \
	ROW(COUNTER_NAME, "counter.name")		/* u32: word */ \
	ROW(COUNTER_KEY, "counter.key")			/* u32: word */ \
	ROW(COUNTER_PROCESS, "counter.process")		/* u32 */ \
	ROW(COUNTER_POINTS, "counter.points")		/* u64 */ \
	ROW(COUNTER_MIN, "counter.min")			/* f64 */ \
	ROW(COUNTER_MAX, "counter.max")			/* f64 */ \
	ROW(COUNTER_LAST, "counter.last")		/* f64 */ \
	ROW(COUNTER_UNIT, "counter.unit")		/* u32: word; 0: none */ \
	/* Flows, in order of their starts; missing ends are 0.  An end has a name where it is not a call. */ \
	ROW(FLOW_START, "flow.start")			/* u64 */ \
	ROW(FLOW_DELAY, "flow.delay")			/* u64: from its start to its end */ \
	ROW(FLOW_WHOLE, "flow.whole")			/* u8: 1: it has both */ \
	ROW(FLOW_NAME, "flow.name")			/* u32: word */ \
	ROW(FLOW_CAT, "flow.cat")			/* u32: word */ \
	ROW(FLOW_ID, "flow.id")				/* u32: word */ \
	ROW(FLOW_POINTS, "flow.points")			/* u64 */ \
	ROW(FLOW_FROM_THREAD, "flow.from_thread")	/* u32 */ \
	ROW(FLOW_FROM_METHOD, "flow.from_method")	/* u32 */ \
	ROW(FLOW_FROM_NAME, "flow.from_name")		/* u32: word */ \
	ROW(FLOW_TO_THREAD, "flow.to_thread")		/* u32 */ \
	ROW(FLOW_TO_METHOD, "flow.to_method")		/* u32 */ \
	ROW(FLOW_TO_NAME, "flow.to_name")		/* u32: word */ \
	/* Categories of samples of Firefox, one row for each of a thread. */ \
	ROW(CATEGORY_THREAD, "category.thread")		/* u32 */ \
	ROW(CATEGORY_NAME, "category.name")		/* u32: word */ \
	ROW(CATEGORY_SUB, "category.sub")		/* u32: word */ \
	ROW(CATEGORY_SAMPLES, "category.samples")	/* u64 */ \
	ROW(CATEGORY_CPU, "category.cpu")		/* u64: ns */ \
	/* Both as tracks, parallel to series.kind; level.* is ordered by series. */ \
	ROW(SERIES_WORD, "series.word")			/* u32: word, the name */ \
	ROW(SERIES_PROCESS, "series.process")		/* u32 */ \
	ROW(SERIES_UNIT, "series.unit")			/* u32: word, the unit of a counter; 0: none */ \
	ROW(SERIES_DECIMALS, "series.decimals")		/* u8: of level.value */ \
	/* u64: added to its values so that they are not negative. */ \
	ROW(SERIES_BELOW, "series.below") \
	/* u8: number of tracks above it, which precede it; absent: no nested tracks. */ \
	ROW(SERIES_DEPTH, "series.depth")

COLUMN_FAMILY(MARKS, COL_NUMBER, COL_OF_MONEY);

/* Causes of late frames; words of Perfetto: frame_tags of q_frames.c. */
enum frame_tag {
	TAG_UNKNOWN, TAG_NONE, TAG_SELF, TAG_OTHER, TAG_STUFFING, TAG_FLINGER_STUFFING, TAG_DROPPED,
	    TAG_UNSEEN, FRAME_TAGS
};

#endif
