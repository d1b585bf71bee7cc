/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel: what events of the kernel's trace (icecore/kernel.h) and marks of user space in it (mark.h) mean.
 * Traces as text (text_trace.c) and as packets (load/perfetto) play them here, in order of time, each with
 * the threads and processes that it knows.  Times are ns since the first event.
 */
#ifndef LOAD_KERNEL_H
#define LOAD_KERNEL_H

#include "icecore/kernel.h"
#include "icecore/mark.h"
#include "load/profile/profile.h"
#include "load/sched/import.h"

/* ---- async spans: rows of marks_in --------------------------------------------------------- */

struct async_row {
	struct mark_span is;
	uint32_t	id, parent, points, series, args, end_args;
};

static inline struct async_row *
async_row(const struct marks_in *m, uint64_t span)
{
	return (struct async_row *)(void *)marks_span(m, span);
}

/* Keys of spans, tracks and flows: of a kind, its number. */
static inline uint64_t
async_key(char kind, uint64_t number)
{
	return idmap_hash(idmap_hash(number) ^ (uint64_t)(unsigned char)kind << 56);
}

/*
 * Spans of a key nest: one that begins within another one has that as its parent.  Those like one that this
 * describes are one line over time; up: 1 + the series above it, 0: none.
 */
bool	async_begin(struct marks_in *, uint64_t key, struct async_row *, const struct mark_span *like,
    uint32_t up, struct err *);
/* End the innermost one; without one, count it. */
bool	async_end(struct marks_in *, uint64_t key, uint64_t time, struct err *);
/* *span 0: the key has no open span. */
bool	async_innermost(struct marks_in *, uint64_t key, uint32_t *span, struct err *);
/* async.* and operation.*; spans that are open end at that time. */
bool	async_columns(struct marks_in *, uint64_t end, struct err *);

/*
 * A value of a counter, by its name, process and track; process 0: failure.  unit: what it counts in, empty:
 * unknown.
 */
bool	counter_value(struct marks_in *, uint64_t time, const struct mark_counter *, struct str unit,
    double value, struct err *);

/* ---- flows: arrows between events, by the ids that both have ----------------------------------- */

enum flow_how {
	FLOW_START,		/* the flow starts here, whatever was before */
	FLOW_STEP,		/* an arrow to here, where the flow continues; the first step starts it */
	FLOW_END,		/* an arrow to here; the flow continues from where it was */
	FLOW_CLOSE		/* an arrow to here; the id is free again */
};

/* An event that a flow passes. */
struct flow_stop {
	uint64_t	time;
	uint32_t	thread, frame;	/* thread and name of a call; 0: none */
	uint32_t	name, cat;	/* words */
};

/* Empty if all zeros. */
struct flows {
	struct scratch	flows, arrows;
	uint64_t	nflows, narrows;
	struct idmap	by_flow;
};

/* key: of the flow; id: the one in the file, 0: none to show. */
bool	flow_pass(struct flows *, struct marks_in *, uint64_t key, uint64_t id, const struct flow_stop *,
    enum flow_how, struct err *);
/* An arrow between two events. */
bool	flow_arrow(struct flows *, struct marks_in *, const struct flow_stop *from,
    const struct flow_stop *to, uint64_t id, struct err *);
void	flow_order(struct flows *, const uint32_t *place);	/* replace threads by their places */
bool	flow_columns(struct flows *, struct marks_in *, struct err *);
void	flow_close(struct flows *);

/* ---- playing ------------------------------------------------------------------------------------- */

/* The tasks of a trace.  All functions are about one of them, which arg knows: at first the one that ran. */
struct kernel_host {
	/* A call of the task begins or ends: B or E.  pid: process of the task; 0: unknown. */
	bool		(*call)(void *arg, uint64_t time, char letter, uint32_t pid, struct str name,
	    struct err *);
	/* Number of the task for instants; 0: none.  pid: process of the task; 0: unknown. */
	bool		(*thread)(void *arg, uint32_t pid, uint32_t *thread, struct err *);
	/* Number of a process of marks, which may be new; pid 0: marks without a process.  0: failure. */
	uint32_t	(*process)(void *arg, uint32_t pid, struct err *);
	/* Number of the task's own process, likewise; with guess, a task of an unknown process is a main thread. */
	uint32_t	(*own)(void *arg, bool guess, struct err *);
	/* Number of the task; 0: failure. */
	uint32_t	(*task)(void *arg, struct err *);
	/*
	 * Functions are now about the task with that number, or the one that the event is about.  False: that
	 * task has ended.
	 */
	bool		(*turn)(void *arg, uint32_t task);
	void		(*about)(void *arg, const struct kernel_event *);
	/* Thread of its calls and name of a call, which may be empty. */
	bool		(*end)(void *arg, struct str name, struct flow_stop *, struct err *);
	/* A field that is a function of the kernel; empty: unknown. */
	struct str	(*symbol)(void *arg, const struct kernel_event *, unsigned field);
	/* The task just woke after waiting, for I/O or not, in a function of the kernel (a word). */
	bool		(*blocked)(void *arg, uint64_t time, bool io, uint32_t word, struct err *);
	bool		(*frequency)(void *arg, uint64_t time, uint32_t cpu, uint32_t khz, struct err *);
};

/* Set host, marks and arg; the rest is empty if all zeros. */
struct kernel_player {
	const struct kernel_host *host;
	struct marks_in	*marks;
	void		*arg;
	struct flows	 flows;
	/* State of each transaction, task of each memory map, number of locks of each wake lock. */
	struct idmap	 binder, memory, wakelocks;
	uint64_t	 bad;		/* marks that are not shown */
};

void	kernel_player_close(struct kernel_player *);

/* The name of a call, which may be empty. */
static inline struct str
mark_call_name(struct str name)
{
	return name.n > 0 ? name : STR(SCHED_OWN_NAMES);
}

bool	mark_play(struct kernel_player *, uint64_t time, const struct user_mark *, struct err *);

/* Time and CPU of an event; idle: no task ran. */
struct kernel_when {
	uint64_t	time;
	uint32_t	cpu;
	bool		idle;
};

/* *known false: it is not one that is played here. */
bool	kernel_play(struct kernel_player *, const struct kernel_when *, const struct kernel_event *,
    bool *known, struct err *);
/* A CPU has another frequency from then on. */
bool	kernel_frequency(struct kernel_player *, uint64_t time, uint32_t cpu, uint64_t khz, struct err *);
/* A call of the running task begins or ends; letter: B or E. */
bool	kernel_call(struct kernel_player *, const struct kernel_when *, char letter, struct str name,
    struct err *);
/* An instant of the task. */
bool	kernel_instant(struct kernel_player *, const struct kernel_when *, struct str name, struct str cat,
    struct err *);

#endif
