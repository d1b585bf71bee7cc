/*
 * Private to src/query: what happened while rows lasted, between being looked for (during.c) and shown (q_during.c).
 */
#ifndef ICECORE_QUERY_DURING_H
#define ICECORE_QUERY_DURING_H

#include "query/trace/trace.h"

enum what { DURING_CALLS, DURING_METRICS, DURING_STATES };

/* A call, track or state in the time of a row. */
struct item {
	uint64_t	row;		/* of in, from 1 */
	uint64_t	start, end;	/* ns: of the call; else of the row */
	uint64_t	inside;		/* ns of the row in which it was the innermost call, or the state */
	uint64_t	length;		/* ns of the row */
	uint64_t	order;		/* of two as long, the one that came first */
	uint32_t	thread, depth;
	uint32_t	id;		/* method, 1 + place of the track, or state */
};

struct during {
	struct rows		 rows;
	const struct store	*store;
	enum what		 what;
	size_t			 col[3];	/* of in: start_wall, wall, thread_id */
	uint64_t		 next;		/* row of in */
	struct scratch		 item;
	uint64_t		 n;
	struct spans		 spans;		/* calls of one thread that touch from .. to */
	uint32_t		 spans_thread;
	uint64_t		 from, to;	/* ticks */
	uint64_t		 ahead;		/* ticks that a piece of records has */
	uint64_t		 tick;
	struct track_index	 states;
	struct scratch		 open;		/* u64: places in spans of the calls around */
	struct buf		 text;
};

/* Of struct rows_ops. */
uint64_t during_reach(struct rows *, uint64_t n);
void	during_close(struct rows *);

#endif
