/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * facts between loaders and passes, which nobody is shown: units, layouts, what was asked for.  See facts.h.
 */
#ifndef ICECORE_FACTS_INNER_H
#define ICECORE_FACTS_INNER_H

#define FACTS_INNER(FACT) \
	FACT(DUMP_SHOWN, "dump.shown", COUNT, INNER, "") \
	FACT(HEAP_ALIGN, "heap.align", COUNT, INNER, "") \
	FACT(HEAP_ANDROID, "heap.android", COUNT, INNER, "") \
	FACT(HEAP_CLASS_CLASS, "heap.class_class", COUNT, INNER, "") \
	FACT(HEAP_DUMPED_MS, "heap.dumped_ms", COUNT, INNER, "") \
	FACT(HEAP_FLAT, "heap.flat", COUNT, INNER, "") \
	FACT(HEAP_ID_BASE, "heap.id_base", COUNT, INNER, "") \
	FACT(HEAP_ID_SHIFT, "heap.id_shift", COUNT, INNER, "") \
	FACT(HEAP_ID_SIZE, "heap.id_size", COUNT, INNER, "") \
	FACT(HEAP_LAYOUT, "heap.layout", COUNT, INNER, "") \
	FACT(HEAP_MAT_ALIGN, "heap.mat_align", COUNT, INNER, "") \
	FACT(HEAP_MAT_REF, "heap.mat_ref", COUNT, INNER, "") \
	FACT(HEAP_OBJECTS, "heap.objects", COUNT, INNER, "") \
	FACT(HEAP_PSEUDO, "heap.pseudo", COUNT, INNER, "") \
	FACT(HEAP_OWNED, "heap.owned", COUNT, INNER, "") \
	FACT(HEAP_REST, "heap.rest", COUNT, INNER, "") \
	FACT(HEAP_ROOT, "heap.root", COUNT, INNER, "") \
	FACT(HEAP_STACK_CLASS, "heap.stack_class", COUNT, INNER, "") \
	FACT(HEAP_STACK_FIELD, "heap.stack_field", COUNT, INNER, "") \
	FACT(HEAP_TWICE, "heap.twice", COUNT, INNER, "") \
	FACT(RANGE_FROM, "range.from", TIME, INNER, "") \
	FACT(RANGE_SET, "range.set", COUNT, INNER, "") \
	FACT(RANGE_TO, "range.to", TIME, INNER, "") \
	FACT(SHAPES, "shapes", COUNT, INNER, "") \
	FACT(TRACE_ALL_THREADS, "trace.all_threads", COUNT, INNER, "") \
	FACT(TRACE_ASK_BY, "trace.ask_by", TEXT, INNER, "") \
	FACT(TRACE_ASK_CATEGORIES, "trace.ask_categories", TEXT, INNER, "") \
	FACT(TRACE_ASK_DECIMAL, "trace.ask_decimal", TEXT, INNER, "") \
	FACT(TRACE_ASK_DETAIL, "trace.ask_detail", TEXT, INNER, "") \
	FACT(TRACE_ASK_FULL, "trace.ask_full", TEXT, INNER, "") \
	FACT(TRACE_ASK_HEADER, "trace.ask_header", TEXT, INNER, "") \
	FACT(TRACE_ASK_PATH, "trace.ask_path", TEXT, INNER, "") \
	FACT(TRACE_ASK_PENDING, "trace.ask_pending", TEXT, INNER, "") \
	FACT(TRACE_ASK_RAW, "trace.ask_raw", TEXT, INNER, "") \
	FACT(TRACE_ASK_SEP, "trace.ask_sep", TEXT, INNER, "") \
	FACT(TRACE_ASK_TIME, "trace.ask_time", TEXT, INNER, "") \
	FACT(TRACE_ASK_WEIGHT, "trace.ask_weight", TEXT, INNER, "") \
	FACT(TRACE_ASKED, "trace.asked", COUNT, INNER, "") \
	FACT(TRACE_BARE, "trace.bare", COUNT, INNER, "") \
	FACT(TRACE_CALLED, "trace.called", COUNT, INNER, "") \
	FACT(TRACE_CALLS, "trace.calls", COUNT, INNER, "") \
	FACT(TRACE_CLOCKS, "trace.clocks", COUNT, INNER, "") \
	FACT(TRACE_COMPARED, "trace.compared", TEXT, INNER, "") \
	FACT(TRACE_CPU_AT, "trace.cpu_at", COUNT, INNER, "") \
	FACT(TRACE_CUT_FRAME, "trace.cut_frame", COUNT, INNER, "") \
	FACT(TRACE_FIRST, "trace.first", COUNT, INNER, "") \
	FACT(TRACE_FREQ, "trace.freq", COUNT, INNER, "") \
	FACT(TRACE_HASH, "trace.hash", COUNT, INNER, "") \
	FACT(TRACE_HINT, "trace.hint", TEXT, INNER, "") \
	FACT(TRACE_JDK_SAMPLES, "trace.jdk_samples", COUNT, INNER, "") \
	FACT(TRACE_LAYOUT, "trace.layout", COUNT, INNER, "") \
	FACT(TRACE_PART, "trace.part", TEXT, INNER, "") \
	FACT(TRACE_REALTIME, "trace.realtime", COUNT, INNER, "") \
	FACT(TRACE_RECSIZE, "trace.recsize", COUNT, INNER, "") \
	FACT(TRACE_SHEET_FIRST, "trace.sheet_first", COUNT, INNER, "") \
	FACT(TRACE_SHEET_LATIN, "trace.sheet_latin", COUNT, INNER, "") \
	FACT(TRACE_SHEET_LINE, "trace.sheet_line", COUNT, INNER, "") \
	FACT(TRACE_SHEET_SEP, "trace.sheet_sep", COUNT, INNER, "") \
	FACT(TRACE_START, "trace.start", COUNT, INNER, "") \
	FACT(TRACE_TICK, "trace.tick", COUNT, INNER, "") \
	FACT(TRACE_TIDSIZE, "trace.tidsize", COUNT, INNER, "") \
	FACT(TRACE_UNPACKED_HASH, "trace.unpacked_hash", COUNT, INNER, "") \
	FACT(TRACE_UNWEIGHED, "trace.unweighed", TEXT, INNER, "") \
	FACT(TRACE_WALL_AT, "trace.wall_at", COUNT, INNER, "") \
	FACT(TRACE_WIDE, "trace.wide", COUNT, INNER, "") \
	FACT(TRACE_TASKS_BEGIN, "trace.tasks_begin", COUNT, INNER, "") \
	FACT(TRACE_TASKS_END, "trace.tasks_end", COUNT, INNER, "") \
	FACT(TRACE_ZERO, "trace.zero", COUNT, INNER, "") \
	FACT(WEIGHT_DIFFERS, "weight.differs", COUNT, INNER, "") \
	FACT(WEIGHT_SCALE, "weight.scale", COUNT, INNER, "") \
	FACT(WEIGHT_TICK, "weight.tick", COUNT, INNER, "") \
	FACT(WEIGHT_TYPE, "weight.type", COUNT, INNER, "") \
	FACT(WEIGHT_UNIT, "weight.unit", TEXT, INNER, "") \
	/* Facts that each choice of --refs and --sizes has: see heap_fact. */ \
	FACT(HEAP_UNIT, "unit", COUNT, INNER, "")

#endif
