/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* records: the records of method traces. */
#ifndef ICECORE_RECORDS_H
#define ICECORE_RECORDS_H

#include "icecore/store.h"

/*
 * Facts of a method trace beyond those for people: trace.tick = ns per unit of all stored times (1000 or 1),
 * trace.clocks = or of 1 << enum clock.  Text formats have no records that can be read in place: their
 * loaders make event.time, event.word, event.cpu with CLOCK_CPU and, for several threads, event.tid;
 * trace.layout is LAYOUT_COLUMNS, trace.wide 1, and segment.* one segment.  With the fact trace.all_threads
 * the rows of listed.tid, which must be distinct, are the threads, in that order, including those without
 * records.  Columns: columns_trace.h; scheduler traces: columns_sched.h; trace events: columns_marks.h.
 */
enum clock { CLOCK_WALL, CLOCK_CPU, CLOCK_OFF, CLOCKS };	/* OFF = wall - cpu, never below 0 */

enum action { ACT_ENTER, ACT_EXIT, ACT_UNROLL, ACT_OTHER,
	/* An exit that names no method: it leaves the innermost open call. */
	ACT_EXIT_TOP, ACT_UNROLL_TOP };

/* Encoding of the records of a segment (trace.layout); text formats use columns. */
enum records_kind { LAYOUT_FIXED, LAYOUT_V2A, LAYOUT_V2B, LAYOUT_V2C, LAYOUT_COLUMNS };

/* A record as stored in the file; times in ticks, not yet unwrapped. */
struct record {
	uint64_t	method;		/* raw id, action bits removed */
	uint64_t	wall, cpu;	/* 0 where the file has no such clock */
	uint32_t	tid;
	uint32_t	action;
};

/* A place in the records.  A plain value: copy it to remember the place; nothing to free. */
struct records {
	const uint8_t	*data;
	uint64_t	 size;
	uint64_t	 row, rows;	/* next row, number of rows in the file */
	bool		 wide;		/* 64-bit clocks and thread ids (V2) */
	struct records_layout {
		uint8_t	 kind, tidsize, wall_at, cpu_at;
		uint16_t recsize;
	} layout;
	const struct column *seg_offset, *seg_row;	/* segments by first row */
	struct {			/* event.*, of text formats */
		const uint64_t *time, *cpu;	/* cpu: or NULL */
		const uint32_t *word, *tid;
		uint32_t only;		/* tid of all, without such a column */
	} event;
	uint64_t	 seg, seg_end;	/* present segment, its end row */
	uint64_t	 at;		/* offset of the next record */
	uint64_t	 freq;		/* ticks of the counter per second in V2 C; otherwise 0 */
	struct {			/* running values inside a V2 block */
		uint64_t method, wall, cpu;
		uint32_t tid, left;
		uint64_t end;
		bool first;
	} block;
};

/*
 * The records of a trace from the first one on, and from a row on: records_seek is false if there is no such
 * row.
 */
bool	records_open(struct records *, const struct store *, struct err *) MUST_USE;
bool	records_seek(struct records *, uint64_t row);
/*
 * Read up to max records; 0 at the end. offsets (may be NULL) get the position of each in the source,
 * UINT64_MAX if unknown.
 */
size_t	records_read(struct records *, struct record *, uint64_t *offsets, size_t max);

#endif
