/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* weights: what the numbers of call trees mean. */
#ifndef ICECORE_WEIGHTS_H
#define ICECORE_WEIGHTS_H

#include "icecore/records.h"
#include "icecore/samples.h"

/*
 * Call trees have up to three weights, in the places of enum clock.  Method traces: wall, cpu and off.
 * Profiles: one ("samples").  Two profiles or two files: after, before and delta, which is signed.
 */
struct weights {
	enum weight_type type;
	uint64_t	 tick;		/* ns per unit, if the unit is a time */
	/* Factor by which the numbers are scaled; 1 unless weights have decimals. */
	uint64_t	 scale;
	bool		 differs;	/* after, before, delta */
	/* Wall, cpu and off exist, and calls are counted; otherwise samples are counted. */
	bool		 clocks;
	bool		 some_cpu;	/* the CPU time of most calls is unknown */
	const char	*name[CLOCKS];	/* NULL: none */
	struct str	 unit;		/* "samples", "cycles"; of times "" */
};

/* The weights that a file has.  Names and units point into the store. */
void	weights_of(const struct store *, struct weights *);
/* Initial weight: CPU time if the trace has that of most calls. */
enum clock weights_clock(const struct weights *);
unsigned weights_places(const struct weights *);	/* decimals: scale is 10 to the power of it */
struct str event_name(const struct store *, uint32_t event);	/* event of a profile, from 1 */
struct str word_text(const struct store *, uint32_t word);	/* word of trace events; 0: empty */
struct str process_name(const struct store *, uint32_t process);	/* name or id */
uint32_t thread_process(const struct store *, uint32_t thread);	/* 0: unknown */
/* For people, "system_server 1643"; without a name nothing, or "(process unknown)" as a heading; they append. */
void	process_label(const struct store *, uint32_t process, struct buf *);
void	process_heading(const struct store *, uint32_t process, struct buf *);
/*
 * "event cpu-clock counts (49 samples); not page-faults (7): --event"; for samples recorded with calls, which
 * count, "1,600 samples: --event cpu-samples"; nothing if there is only one event.  Raw bytes.
 */
void	event_told(const struct store *, struct buf *);
uint32_t event_named(const struct store *, struct str name);	/* exactly so; 0: none */
/*
 * The event of that name, with or without modifiers: "cycles" is "cycles:u" where only one event begins so;
 * or the one that an alias means, "cpu", "wall", "alloc", "lock", "io", "exception": the file's event of that
 * kind that says most; "freed bytes" is the first of "freed bytes of libc.malloc" and other heaps.  0: none.
 */
uint32_t event_find(const struct store *, struct str name);
/* Kind of resource that an event measures, if its name is known. */
enum event_kind { EVENT_OTHER, EVENT_OF_CPU, EVENT_OF_WALL, EVENT_OF_MEMORY, EVENT_OF_LOCKS, EVENT_OF_IO,
    EVENT_OF_ERRORS, EVENT_OF_DURATION };
enum event_kind event_kind(const struct store *, uint32_t event);
struct str event_kind_name(enum event_kind);	/* "allocation" */
const char *event_alias(size_t i);	/* "alloc": kinds that --event takes, from 0; NULL after the last */
/* "3.21 ms", "1 204", "12.5", a delta with its sign; appends. */
void	weight_show(const struct weights *, enum clock, uint64_t value, struct buf *);
/* The same, with the unit of counts: "91 samples". */
void	weight_show_unit(const struct weights *, enum clock, uint64_t value, struct buf *);

#endif
