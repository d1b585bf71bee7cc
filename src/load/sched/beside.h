/*
 * Switches and wakeups in a text whose events are samples, or that lies in another file.
 */
#ifndef LOAD_SCHED_BESIDE_H
#define LOAD_SCHED_BESIDE_H

#include "icecore/work.h"
#include "icecore/store.h"

struct sched_beside {
	uint64_t	first;		/* ns: where time begins; no event is earlier */
	/* The id of a thread from 1, which may be a new one; 0: failure. */
	uint32_t	(*thread)(void *arg, uint32_t pid, uint32_t tid, struct str name, struct err *);
	void		*arg;
};

/* switch.*, wake.* and the facts "switches" and "wakeups", unless there are no switches. */
bool	sched_beside(struct store *, struct str text, const struct sched_beside *, uint64_t *switches, struct work *, struct err *) MUST_USE;

#endif
