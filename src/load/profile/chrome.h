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
	uint64_t	 first, last;	/* displayed times of the first and the last event; 0: no events */
	uint64_t	 none, moved;	/* events at or before 0 have no time; events of other eras than most */
	uint64_t	 beyond;	/* number of clipped times */
	bool		 epoch;
};

bool	chrome_times_open(struct chrome_times *, struct err *);
void	chrome_times_close(struct chrome_times *);
void	chrome_times_see(struct chrome_times *, uint64_t time);	/* for each event with a time */
/* an event at that time with that duration */
void	chrome_times_end(struct chrome_times *, uint64_t start, uint64_t end);
void	chrome_times_choose(struct chrome_times *);		/* when all times are known */
uint64_t chrome_times_shown(struct chrome_times *, uint64_t time);	/* between first and first + TIMES_LENGTH */
uint64_t chrome_times_since(void *times, uint64_t time);	/* the same, relative to first */
/* Spans and samples, before they are converted to calls and columns. */
void	chrome_times_spans(struct chrome_times *, struct spans_in *);
void	chrome_times_samples(struct chrome_times *, struct into *);

/*
 * Members of an event.  Its stacks ("sf" and "stack") are read for instants only, and "sf" of begins and ends is
 * compared with their nesting; cname is a colour.
 */
#define CHROME_EVENT(W, V, O) \
	W(name) W(ph) W(ts) W(pid) W(tid) W(cat) W(dur) V(args) W(id) W(s) W(tts) W(tdur) V(id2) \
	W(scope) W(bp) W(bind_id) \
	W(flow_in) W(flow_out) V(sf) V(stack) V(esf) V(cname)
JLOAD_SHAPE(chrome_said, CHROME_EVENT)

struct chrome_event {
	struct json	 json;
	struct chrome_said is;		/* raw, as in the file */
	uint64_t	 time;			/* from TIME_ZERO on */
	uint32_t	 thread;
	char		 letter;
};

/* Stacks of begins and ends.  Starts from zeros. */
struct chrome_nested {
	struct scratch	 events;
	uint64_t	 n;
	uint32_t	 threads;	/* the largest one */
};

void	chrome_nested_add(struct chrome_nested *, struct jload *, const struct chrome_event *);
/* At the end: return the number of stacks that say anything else than the nesting of calls, and free all. */
uint64_t chrome_nested_others(struct chrome_nested *, struct jload *, struct json frames);

/* Return whether the event is a part of a profile. */
bool	chrome_samples_see(struct chrome_samples *, const struct chrome_event *);
/* Return whether the event is an instant with a stack, which is a sample as well. */
bool	chrome_samples_instant(struct chrome_samples *, const struct chrome_event *);
/* Return whether there are samples, before they are made. */
bool	chrome_samples_any(const struct chrome_samples *);
/* Make their threads before spans become calls; chrome_samples_load makes their samples afterwards. */
void	chrome_samples_threads(struct chrome_samples *);

#endif
