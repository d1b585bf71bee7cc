/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slice: a part of a file by time: what loaders that cut files share.
 *
 * They read a file twice: first for what is active when the part begins (active.c), then to write the part.
 */
#ifndef LOAD_SLICE_SLICE_H
#define LOAD_SLICE_SLICE_H

#include "icecore/kernel.h"
#include "icecore/make.h"
#include "icecore/protobuf.h"
#include "icecore/slice.h"

/* slice.c: passes bytes on, and counts them. */
bool	slice_put(const struct slicing *, struct str, struct err *);

/*
 * slice.c: the lines of a text, except an incomplete one at its end.  The loader knows which it is, since a text
 * may also end without a newline.  It is counted.
 */
struct str slice_text(const struct slicing *);

/* Functions that cut a format, for the loader of the format. */
bool	pf_slice(const struct slicing *, struct err *);
bool	sched_slice(const struct slicing *, struct err *);
bool	perf_slice(const struct slicing *, struct err *);
bool	jfr_slice(const struct slicing *, struct err *);

/* ---- active.c: events from before the part that are active when it begins ----------------------- */

/* An event that begins or ends something; of the events of a key those that began last end first. */
struct active_event {
	uint64_t	time;		/* first, to be sorted */
	uint64_t	at, key;	/* at: which event it is */
	uint32_t	below, depth;	/* the one that it began in, from 1; 0: none */
	bool		begins, active;
	bool		alone;		/* a begin while its key is open is ignored */
};

/* The last event of a key, and when something else ended what it says. */
struct active_last {
	uint64_t	time;		/* first, to be sorted */
	uint64_t	at, key, ended;
	uint64_t	above;
	bool		known;
};

struct active {
	struct scratch	events, lasts;	/* struct active_event, struct active_last */
	uint64_t	nevents, nlasts;
	struct idmap	by_key, by_last, found;
};

#define ACTIVE_INIT ((struct active){ .events = SCRATCH_INIT, .lasts = SCRATCH_INIT, \
	.by_key = IDMAP_INIT, .by_last = IDMAP_INIT, .found = IDMAP_INIT })

/* Events may come in any order of time.  If two have the same time, the later one counts. */
bool	active_span(struct active *, uint64_t key, uint64_t time, uint64_t at, bool begins, struct err *);
bool	active_last(struct active *, uint64_t key, uint64_t time, uint64_t at, struct err *);
/* Find out which events are active, after the last one was added. */
bool	active_settle(struct active *, struct work *, struct err *);
/*
 * A switch is active for its CPU until the next one there, and for the thread that left until that thread
 * runs again; the idle task has number 0.
 */
bool	active_switch(struct active *, uint64_t cpu, uint32_t from, uint32_t to, uint64_t time,
    uint64_t at, struct err *);
/*
 * Return whether that event is active.  *above: how many active events began inside it; if it is the last
 * event of a key, how many last events are later.
 */
bool	active_is(const struct active *, uint64_t at, uint64_t *above);
void	active_close(struct active *);

/*
 * Kinds of keys, and the meaning of their numbers.  All loaders use this list, so that no two kinds share
 * keys.
 */
enum active_kind {
	ACTIVE_ON_CPU,		/* CPU: its last switch */
	ACTIVE_LEFT,		/* thread: the switch that left it */
	ACTIVE_WAKING, ACTIVE_MADE, ACTIVE_NAMED,	/* thread: its last wakeup, creation, name */
	ACTIVE_CALL,		/* thread: calls that are open */
	ACTIVE_FREQUENCY,		/* kind of event, and CPU or clock */
	ACTIVE_COUNTER,		/* counter of user space: hash of process and name */
	ACTIVE_ASYNC, ACTIVE_ASYNC_TRACK,	/* slices of user space, by name and cookie, or by track */
	/* track event track: calls or slices, state, value */
	ACTIVE_TRACK, ACTIVE_STATE, ACTIVE_VALUE,
	ACTIVE_OLD,		/* slices of old track events, by their id */
	ACTIVE_WHOLE,		/* place of an event that has its duration */
	ACTIVE_FRAME,		/* cookie */
	ACTIVE_WAKELOCK, ACTIVE_BUFFER,	/* hash of the name; kind of event and number */
	ACTIVE_PAIRS		/* this and all later ones: CPU or thread; kernel events in pairs */
};

static inline uint64_t
active_key(enum active_kind kind, uint64_t number)
{
	return idmap_hash(idmap_hash(number) ^ (uint64_t)kind << 56) | 1;
}

/* An event of the kernel by a thread on a CPU. */
bool	active_event(struct active *, uint64_t cpu, uint32_t tid, uint64_t time, uint64_t at,
    const struct kernel_event *, struct err *);

/* A mark that user space wrote into the kernel's trace: "B|12|name". */
bool	active_mark(struct active *, uint32_t tid, uint64_t time, uint64_t at, struct str text,
    struct err *);

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
