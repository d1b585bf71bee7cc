/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simpleperf: profiles of Android, as the report that Android Studio keeps (SIMPLEPERF and messages of
 * protobuf), and as the recording itself (perf.data with tables of its own).
 *
 * Both add samples and switches in any order.  simple_end sorts them by time, and makes samples of waits.
 */
#ifndef LOAD_SIMPLEPERF_H
#define LOAD_SIMPLEPERF_H

#include "icecore/unread.h"
#include "load/profile/profile.h"

enum simple_count {
	SIMPLE_LOST, SIMPLE_TAIL, SIMPLE_BAD, SIMPLE_NO_NAMES, SIMPLE_SECTIONS, SIMPLE_TRAILING, SIMPLE_INDEX,
	SIMPLE_THREAD, SIMPLE_IDS, SIMPLE_SWITCHES, SIMPLE_OPEN, SIMPLE_UNNAMED, SIMPLE_BROKEN, SIMPLE_ART,
	SIMPLE_MISCOUNT, SIMPLE_MAPS, SIMPLE_COUNTS
};

struct simple {
	struct samples	 s;
	struct str	 file;
	struct scratch	 rows, events, frames;
	struct scratch	 waits;		/* by thread: the sample that began its wait */
	uint64_t	 nrows, nevents, nwaits;
	struct idmap	 by_tid;	/* row of waits + 1 */
	bool		 off_cpu;	/* samples of all events except the first begin waits */
	bool		 timeless;	/* the time of a sample is not known */
	uint64_t	 nsamples;
	uint64_t	 count[SIMPLE_COUNTS];
	struct unread	 unread;
	struct buf	 name;
	struct str	 app;
	struct buf	 system, recorder;
};

/* ---- simple_names.c -------------------------------------------------------------------------------- */

/* The next event of the recording, in the order of its numbers. */
bool	simple_event(struct simple *, struct str name, struct err *);
/* The event with that number, from 0; one that is not there is "samples", and counted. */
uint32_t simple_event_at(struct simple *, uint64_t number, struct err *);
/* The kind of a frame by the path of its file: kernel, compiled, interpreted or 0. */
char	simple_kind(struct str path);
/* A function of a file; without a name, "[file]", and it is counted. */
uint32_t simple_frame(struct simple *, struct str name, struct str path, struct str module, char kind,
    struct err *);
/* The stack of the first n ids in frames, innermost first. */
bool	simple_stack(struct simple *, uint64_t n, uint32_t *stack, struct err *);

/* ---- simple_waits.c --------------------------------------------------------------------------------- */

void	simple_close(struct simple *);
/* Add a sample of the event with that number, in sample.event that of the profile. */
bool	simple_sample(struct simple *, const struct sample *, uint32_t tid, uint64_t number, struct err *);
/* A thread got a CPU. */
bool	simple_switch(struct simple *, uint64_t time, uint32_t tid, struct err *);
/* At the end of the file: put all samples in order, and those of waits beside them. */
bool	simple_end(struct simple *, struct err *);

/* ---- the two forms ---------------------------------------------------------------------------------- */

#define SIMPLE_MAGIC "SIMPLEPERF"

bool	simple_report(struct simple *, struct err *);
bool	simple_recording(struct simple *, struct err *);

#endif
