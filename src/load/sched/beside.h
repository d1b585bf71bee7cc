/*
 * Switches and wakeups in a text beside samples or calls, whose threads and times they get.
 */
#ifndef LOAD_SCHED_BESIDE_H
#define LOAD_SCHED_BESIDE_H

#include "icecore/work.h"
#include "icecore/store.h"

struct sched_beside {
	/* Where the first event of the text is, in ns since time begins; first and last as the text has them. */
	bool		(*begin)(void *arg, uint64_t first, uint64_t last, uint64_t *at, struct err *);
	/* The id of a thread from 1, which may be a new one; pid 0: unknown.  0: failure. */
	uint32_t	(*thread)(void *arg, uint32_t pid, uint32_t tid, struct str name, struct err *);
	void		*arg;
	/*
	 * Counts.  others: lines that are neither switches, wakeups nor comments; lost: events that the
	 * recorder lost.
	 */
	uint64_t	switches, wakeups, others, lost;
};

/*
 * switch.*, wake.* and the facts "switches" and "wakeups"; nothing, and no call of begin, where there are no switches.  The text
 * may go once it returns.
 */
bool	sched_beside(struct store *, struct str text, struct sched_beside *, struct work *, struct err *) MUST_USE;

#endif
