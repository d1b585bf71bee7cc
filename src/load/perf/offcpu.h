/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Off-CPU time of threads in a perf script text, with stacks.
 *
 * A wait begins when a thread leaves its CPU and ends when it gets one. With switch records
 * (PERF_RECORD_SWITCH) these give both times, and the stack is that of the sched_switch sample before.
 * Otherwise sched_switch samples give both. A recording of one process lacks the switches in which its
 * threads get a CPU: if most returns of a thread are not seen, its waits are unknown (sched_alone).
 */
#ifndef LOAD_PERF_OFFCPU_H
#define LOAD_PERF_OFFCPU_H

#include "icecore/perf.h"
#include "load/profile/profile.h"
#include "load/sched/import.h"

struct offcpu {
	struct samples	*samples;
	struct str	 text;		/* event whose records are used; empty: none */
	bool		 looked, records;	/* offcpu_has_records */
	struct idmap	 by_tid;	/* row of tasks + 1 */
	struct scratch	 tasks, waits, ends;
	uint64_t	 ntasks, nwaits;
	uint64_t	 first, last;	/* times of the samples */
	uint64_t	 open, alone;	/* waits without an end; tasks whose waits are unknown */
	uint64_t	 sampled;	/* samples that stand for several switches: then no waits are known */
	bool		 idles;		/* idle CPUs switch, too: a recording of all tasks of a CPU */
	uint32_t	 event;		/* "off-cpu"; 0: no wait is known */
};

#define OFFCPU_EVENT "off-cpu"

void	offcpu_free(struct offcpu *);
/*
 * Return whether the text has PERF_RECORD_SWITCH, which gives the times. The text is searched when this first
 * matters.
 */
bool	offcpu_has_records(struct offcpu *);
/* Return whether the sample is a task that leaves its CPU. */
bool	offcpu_is_switch(const struct perf_sample *);
/* Add a sample of a switch and its stack; lost: the number of events lost before it. */
bool	offcpu_sample(struct offcpu *, const struct perf_sample *, const struct sample *, uint64_t lost,
	    struct err *);
/* Add a record of a task that leaves or gets a CPU. */
bool	offcpu_record(struct offcpu *, const struct perf_sample *, struct err *);
/* At the end of the text: convert all waits to samples of event "off-cpu". */
bool	offcpu_end(struct offcpu *, struct err *);
/*
 * End a stack where it waits: without the frames on top that wait, of which the outermost one stays if there
 * are no others.  *io: one waits for I/O.
 */
bool	offcpu_cut(struct offcpu *, uint32_t *stack, bool *io, struct err *);
/* The frames in which threads waited, as rows of reasons; threads: by tid. */
bool	offcpu_reasons(const struct offcpu *, const struct idmap *threads, struct scratch *reasons,
	    uint64_t *n, struct err *);

#endif
