/*
 * jcalls: calls with their times, out of JSON: their records and names become the columns of a method trace.
 */
#ifndef LOAD_JCALLS_H
#define LOAD_JCALLS_H

#include "samples.h"

struct jcalls {
	struct samples	*names;		/* names of frames and threads; no samples */
	struct scratch	 events;	/* struct jevent, each thread's in order of time */
	uint64_t	 n;
};

struct jevent {
	uint64_t	time;		/* ns */
	uint32_t	thread;		/* of names */
	uint32_t	word;		/* 4 * frame + enum action */
};

void	jcalls_open(struct jcalls *, struct samples *names);
void	jcalls_close(struct jcalls *);
bool	jcalls_add(struct jcalls *, const struct jevent *, struct err *);
bool	jcalls_columns(struct jcalls *, struct err *);

#endif
