/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chrome: interface between chrome.c and chrome_samples.c.
 */
#ifndef LOAD_CHROME_H
#define LOAD_CHROME_H

#include "jload.h"

/* Times beyond an hour count from an epoch or from boot, and a time of 0 is missing. */
#define HOUR (3600 * (uint64_t)1000000000)
#define TIMES_LENGTH ((uint64_t)1 << 56)	/* maximum length of a recording; later times are clipped and counted */

/*
 * Times of events. Times years apart come from different clocks: the gap between them is not shown, and the clock of
 * most events is used.
 */
struct chrome_times {
	struct scratch	 eras;
	uint64_t	 n;		/* number of eras, when all times are known */
	uint64_t	 low;		/* the smallest time above 0; 0: none */
	uint64_t	 first, last;	/* as displayed; 0: no events */
	uint64_t	 none, moved;	/* events at or before 0 have no time; events of other eras than most */
	uint64_t	 beyond;	/* number of clipped times */
	bool		 epoch;
};

bool	chrome_times_open(struct chrome_times *, struct err *);
void	chrome_times_close(struct chrome_times *);
void	chrome_times_see(struct chrome_times *, uint64_t time);	/* for each event with a time */
void	chrome_times_end(struct chrome_times *, uint64_t start, uint64_t end);	/* an event at that time with that duration */
void	chrome_times_choose(struct chrome_times *);		/* when all times are known */
uint64_t chrome_times_shown(struct chrome_times *, uint64_t time);	/* between first and first + TIMES_LENGTH */
uint64_t chrome_times_since(void *times, uint64_t time);	/* the same, relative to first */
/* Spans and samples, before they are converted to calls and columns. */
void	chrome_times_spans(struct chrome_times *, struct spans_in *);
bool	chrome_times_samples(struct chrome_times *, struct samples *, struct err *);

/* Positions of events with samples; they are read when all threads are known. */
struct chrome_samples {
	struct scratch	 profiles, pieces;
	struct scratch	 sampled;	/* u8 by thread: a profile of it was read */
	struct idmap	 by_id;
	uint64_t	 nprofiles, npieces;
	struct json	 top, frames;	/* "samples" and "stackFrames" beside the events; at = size: missing */
	uint64_t	 no_head;	/* profiles whose first event is missing */
};

enum chrome_piece { CHROME_HEAD, CHROME_CHUNK, CHROME_WHOLE };

/* An event of a profile of that process: its first one, a following one, or a complete one. */
bool	chrome_samples_see(struct chrome_samples *, enum chrome_piece, struct json event, struct str pid, struct str tid, struct str id,
    struct err *);
/* Make their threads before spans become calls; make their samples afterwards. */
bool	chrome_samples_threads(struct chrome_samples *, struct jload *, struct err *);
bool	chrome_samples_load(struct chrome_samples *, struct jload *, struct err *);
void	chrome_samples_close(struct chrome_samples *);

#endif
