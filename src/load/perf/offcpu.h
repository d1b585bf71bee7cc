/*
 * Off-CPU time of the threads of a perf script text, with stacks.
 *
 * A wait begins when a thread leaves its CPU and ends when it gets one.  Records of perf (PERF_RECORD_SWITCH) tell both, and the
 * stack is that of the sched_switch sample before; without such records both are told by sched_switch samples, whose recordings
 * of one process lack who comes: a thread that leaves twice without coming between has no waits that are known.
 */
#ifndef LOAD_PERF_OFFCPU_H
#define LOAD_PERF_OFFCPU_H

#include "icecore/perf.h"
#include "load/profile/profile.h"

struct offcpu {
	struct samples	*samples;
	bool		 records;	/* the text has PERF_RECORD_SWITCH: these tell the times */
	struct idmap	 by_tid;	/* row of tasks + 1 */
	struct scratch	 tasks, waits;
	uint64_t	 ntasks, nwaits;
	uint64_t	 first, last;	/* times of the samples */
	uint64_t	 open, alone;	/* waits without an end; tasks without waits that are known */
};

void	offcpu_free(struct offcpu *);
/* Whether the sample is one of a task that leaves its CPU. */
bool	offcpu_is_switch(const struct perf_sample *);
/* Such a sample with its stack; lost: events that were lost before it. */
bool	offcpu_sample(struct offcpu *, const struct perf_sample *, const struct sample *, uint64_t lost, struct err *);
/* A record of a task that leaves or gets a CPU. */
bool	offcpu_record(struct offcpu *, const struct perf_sample *, struct err *);
/* The text has ended: all waits become samples of event "off-cpu". */
bool	offcpu_end(struct offcpu *, struct err *);

#endif
