/*
 * offcpu: of samples that were taken when a thread left its CPU, how long it was away.
 */
#ifndef LOAD_OFFCPU_H
#define LOAD_OFFCPU_H

#include "icecore/perf.h"
#include "profile.h"

struct offcpu {
	struct samples	*samples;
	struct idmap	 by_tid;	/* row of away + 1 */
	struct scratch	 away;		/* struct sample: the last one of a thread that left; stack 0: it is back */
	uint64_t	 n;
	uint32_t	 event;		/* 0: no switch was seen */
};

void	offcpu_open(struct offcpu *, struct samples *);
void	offcpu_close(struct offcpu *);
/* Looks whether p is a switch; when a thread comes back, its last stack gets the time it was away, as event "off-cpu". */
bool	offcpu_sample(struct offcpu *, const struct perf_sample *p, const struct sample *, struct err *);

#endif
