/*
 * chrome: what chrome.c tells chrome_samples.c of trace events.
 */
#ifndef LOAD_CHROME_H
#define LOAD_CHROME_H

#include "jload.h"

/* Times may be below 0: they are kept from here on. */
#define CHROME_ZERO ((uint64_t)1 << 62)
#define CHROME_MOST (CHROME_ZERO / 2 - 1)

/* Microseconds, as a number or a text of one, as ns from CHROME_ZERO on. */
bool	chrome_time(struct str, uint64_t *);

/* Events with samples, by place; what they say is read when all threads are known. */
struct chrome_samples {
	struct scratch	 profiles, pieces;
	struct scratch	 sampled;	/* u8 by thread: a profile of it was read */
	struct idmap	 by_id;
	uint64_t	 nprofiles, npieces;
	struct json	 top, frames;	/* "samples" and "stackFrames" beside the events; at = size: there are none */
	uint64_t	 bad_nodes, no_head;	/* samples of nodes that are not there; profiles without their first event */
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
