/*
 * Off-CPU time of the threads of a perf script text, with stacks.
 *
 * A wait begins when a thread leaves its CPU and ends when it gets one.  Records of perf (PERF_RECORD_SWITCH) tell both, and the
 * stack is that of the sched_switch sample before.  Without such records sched_switch samples tell both.  A recording of one process
 * lacks the switches in which its threads get a CPU: a thread that is mostly not seen to come back has no known waits (sched_alone).
 */
#ifndef LOAD_PERF_OFFCPU_H
#define LOAD_PERF_OFFCPU_H

#include "icecore/perf.h"
#include "load/profile/profile.h"

struct offcpu {
	struct samples	*samples;
	struct str	 text;		/* of which the records count; empty: none do */
	bool		 looked, records;	/* offcpu_has_records */
	struct idmap	 by_tid;	/* row of tasks + 1 */
	struct scratch	 tasks, waits;
	uint64_t	 ntasks, nwaits;
	uint64_t	 first, last;	/* times of the samples */
	uint64_t	 open, alone;	/* waits without an end; tasks without waits that are known */
	uint64_t	 sampled;	/* switches that stand for several, of which the others are not there: then no waits are known */
};

void	offcpu_free(struct offcpu *);
/* Whether the text has PERF_RECORD_SWITCH, which tells the times.  It is searched when this matters for the first time. */
bool	offcpu_has_records(struct offcpu *);
/* Whether the sample is one of a task that leaves its CPU. */
bool	offcpu_is_switch(const struct perf_sample *);
/* Takes a sample of a switch and its stack; lost: the number of events lost before it. */
bool	offcpu_sample(struct offcpu *, const struct perf_sample *, const struct sample *, uint64_t lost, struct err *);
/* A record of a task that leaves or gets a CPU. */
bool	offcpu_record(struct offcpu *, const struct perf_sample *, struct err *);
/* The text has ended: all waits become samples of event "off-cpu". */
bool	offcpu_end(struct offcpu *, struct err *);

#endif
