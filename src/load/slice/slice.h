/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slice: a part of a file by time: what loaders that cut files share.
 *
 * They read a file twice: first for what still holds when the part begins (held.c), then to write the part.
 */
#ifndef LOAD_SLICE_SLICE_H
#define LOAD_SLICE_SLICE_H

#include "icecore/make.h"
#include "icecore/protobuf.h"
#include "icecore/slice.h"

/* slice.c: passes bytes on, and counts them. */
bool	slice_put(const struct slicing *, struct str, struct err *);

/* Those that cut a format, for its loader. */
bool	pf_slice(const struct slicing *, struct err *);
bool	sched_slice(const struct slicing *, struct err *);
bool	perf_slice(const struct slicing *, struct err *);
bool	jfr_slice(const struct slicing *, struct err *);

/* ---- held.c: events from before a time that still hold then -------------------------------------- */

/* An event that begins or ends something; of the events of a key those that began last end first. */
struct held_event {
	uint64_t	time;		/* first, to be sorted */
	uint64_t	at, key;	/* at: which event it is */
	uint32_t	below, depth;	/* the one that it began in, from 1; 0: none */
	bool		begins, holds;
	bool		alone;		/* a begin while its key is open is ignored */
};

/* The last event of a key, and when something else ended what it says. */
struct held_last {
	uint64_t	time;		/* first, to be sorted */
	uint64_t	at, key, ended;
	uint64_t	above;
	bool		told;
};

struct holds {
	struct scratch	events, lasts;	/* struct held_event, struct held_last */
	uint64_t	nevents, nlasts;
	struct idmap	by_key, by_last, found;
};

#define HOLDS_INIT ((struct holds){ .events = SCRATCH_INIT, .lasts = SCRATCH_INIT, .by_key = IDMAP_INIT, .by_last = IDMAP_INIT, .found = IDMAP_INIT })

/* Events may come in any order of time; of one time the later one counts. */
bool	held_span(struct holds *, uint64_t key, uint64_t time, uint64_t at, bool begins, struct err *);
bool	held_last(struct holds *, uint64_t key, uint64_t time, uint64_t at, struct err *);
bool	held_end(struct holds *, uint64_t key, uint64_t time, struct err *);
/* When all are there: finds out which hold. */
bool	held_settle(struct holds *, struct work *, struct err *);
/* A switch holds for its CPU until the next one there, and for the thread that left until that thread runs again; the idle task has number 0. */
bool	held_switch(struct holds *, uint64_t cpu, uint32_t from, uint32_t to, uint64_t time, uint64_t at, struct err *);
/* Whether that event holds; *above: how many that began in it, or are later ones of those that are last, do. */
bool	held_holds(const struct holds *, uint64_t at, uint64_t *above);
void	held_close(struct holds *);

/* Kinds of keys, and the meaning of their numbers.  All loaders use this list, so that no two kinds share keys. */
enum held_kind {
	HELD_ON_CPU,		/* CPU: its last switch */
	HELD_LEFT,		/* thread: the switch that left it */
	HELD_WAKING, HELD_MADE, HELD_NAMED,	/* thread: its last wakeup, creation, name */
	HELD_CALL,		/* thread: calls that are open */
	HELD_FREQUENCY,		/* of a CPU or a clock */
	HELD_COUNTER,		/* of user space: hash of process and name */
	HELD_ASYNC, HELD_ASYNC_TRACK,	/* slices of user space, by name and cookie, or by track */
	HELD_TRACK, HELD_STATE, HELD_VALUE,	/* track event track: calls or slices, state, value */
	HELD_OLD,		/* slices of old track events, by their id */
	HELD_WHOLE,		/* place of an event that has its duration */
	HELD_FRAME,		/* cookie */
	HELD_PAIRS		/* this and all later ones: CPU or thread; kernel events in pairs */
};

static inline uint64_t
held_key(enum held_kind kind, uint64_t number)
{
	return idmap_hash(idmap_hash(number) ^ (uint64_t)kind << 56) | 1;
}

/* A mark that user space wrote into the kernel's trace: "B|12|name". */
bool	held_mark(struct holds *, uint32_t tid, uint64_t time, uint64_t at, struct str text, struct err *);

/* ---- messages ------------------------------------------------------------------------------------------ */

enum { MSG_FIELDS = 64 };

/* The last field of each number; an absent one is 0 and empty. */
struct msg {
	uint64_t	v[MSG_FIELDS], has;	/* has: bits */
	struct str	s[MSG_FIELDS];
};

/* False: it is damaged. */
static inline bool
msg_read(struct str m, struct msg *to)
{
	struct proto_field f;
	bool bad = false;

	memset(to, 0, sizeof *to);
	while (proto_next_whole(&m, &f, &bad))
		if (f.number < MSG_FIELDS) {
			to->v[f.number] = f.wire == PROTO_VARINT ? f.value : 0;
			to->s[f.number] = f.wire == PROTO_VARINT ? STR("") : f.in;
			to->has |= UINT64_C(1) << f.number;
		}
	return !bad;
}

static inline bool
msg_has(const struct msg *m, unsigned field)
{
	return m->has >> field & 1;
}

#endif
