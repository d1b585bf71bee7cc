/*
 * chrome: what chrome.c tells chrome_samples.c of trace events.
 */
#ifndef LOAD_CHROME_H
#define LOAD_CHROME_H

#include "jload.h"

/* Beyond an hour times are of an epoch or since the boot, and one of 0 is none. */
#define HOUR (3600 * (uint64_t)1000000000)
#define TIMES_LENGTH ((uint64_t)1 << 56)	/* that records may be long; what is later is clipped, and counted */

/*
 * Times of events.  Those that are years apart are of different clocks: they are shown without the time between them, on the clock
 * of most events.
 */
struct chrome_times {
	struct scratch	 eras;
	uint64_t	 n;		/* of eras, when all times are seen */
	uint64_t	 low;		/* the least time above 0; 0: there is none */
	uint64_t	 first, last;	/* as they are shown; 0: there is no event */
	uint64_t	 none, moved;	/* events at 0 or before that have no time; of other eras than most */
	uint64_t	 beyond;	/* what was clipped */
	bool		 epoch;
};

bool	chrome_times_open(struct chrome_times *, struct err *);
void	chrome_times_close(struct chrome_times *);
void	chrome_times_see(struct chrome_times *, uint64_t time);	/* of each event that has one */
void	chrome_times_end(struct chrome_times *, uint64_t start, uint64_t end);	/* an event of that time lasts so long */
void	chrome_times_choose(struct chrome_times *);		/* when all are there */
uint64_t chrome_times_shown(struct chrome_times *, uint64_t time);	/* from first to TIMES_LENGTH behind it */
uint64_t chrome_times_since(void *times, uint64_t time);	/* the same, since the first */
/* Spans and samples, before they become calls and columns. */
void	chrome_times_spans(struct chrome_times *, struct spans_in *);
bool	chrome_times_samples(struct chrome_times *, struct samples *, struct err *);

/* Events with samples, by place; what they say is read when all threads are known. */
struct chrome_samples {
	struct scratch	 profiles, pieces;
	struct scratch	 sampled;	/* u8 by thread: a profile of it was read */
	struct idmap	 by_id;
	uint64_t	 nprofiles, npieces;
	struct json	 top, frames;	/* "samples" and "stackFrames" beside the events; at = size: there are none */
	uint64_t	 no_head;	/* profiles without their first event */
};

enum chrome_piece { CHROME_HEAD, CHROME_CHUNK, CHROME_WHOLE };

/* An event of a profile of that process: its first one, one of those that follow, or one that has all of it. */
bool	chrome_samples_see(struct chrome_samples *, enum chrome_piece, struct json event, struct str pid, struct str tid, struct str id,
    struct err *);
/* Their threads, before spans become calls; what they say, behind that. */
bool	chrome_samples_threads(struct chrome_samples *, struct jload *, struct err *);
bool	chrome_samples_load(struct chrome_samples *, struct jload *, struct err *);
void	chrome_samples_close(struct chrome_samples *);

#endif
