/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * play: what plays rows, in order of time, and the threads and processes that they are of.
 */
#ifndef LOAD_PERFETTO_PLAY_H
#define LOAD_PERFETTO_PLAY_H

#include <assert.h>

#include "perfetto.h"

/* tasks.c */
/* The current task with that tid, which may be new; NULL: failure.  Valid until the next call that may add one. */
struct pf_task *pf_task(struct perfetto *, uint32_t tid, struct err *);
/* The one with that tid in that process. */
struct pf_task *pf_task_in(struct perfetto *, uint32_t tid, uint32_t pid, struct err *);
/* A further task with that tid; NULL: failure. */
struct pf_task *pf_task_new(struct perfetto *, uint32_t tid, struct err *);
void	pf_task_joins(struct perfetto *, uint32_t task, uint32_t new);	/* two rows are of one process; the second one is new */
void	pf_task_ends(struct perfetto *, uint32_t tid);
/* The row of the current process, which may be new, with a main task; 0: failure. */
uint32_t pf_process(struct perfetto *, uint32_t pid, struct err *);
/* The current process with that pid, if that parent started it and none of its tasks has an event yet; 0: no such process. */
uint32_t pf_process_told(const struct perfetto *, uint32_t pid, uint32_t parent);
/* A further process with that pid, which is the current one from now on. */
uint32_t pf_process_new(struct perfetto *, uint32_t pid, struct err *);
/* A task or process of NULL or 0 is a failure. */
bool	pf_task_name(struct perfetto *, struct pf_task *, struct str name, unsigned rank, struct err *);
bool	pf_process_name(struct perfetto *, uint32_t process, struct str name, unsigned rank, struct err *);
uint32_t pf_task_thread(struct perfetto *, struct pf_task *, struct err *);	/* 0: failure */
uint32_t pf_span_thread(struct perfetto *, uint32_t tid, struct err *);	/* of the current task; 0: failure */
/*
 * The thread for calls of a task.  Calls of both kinds may overlap, so those that come second get a thread of their own with the same id.
 * 0: failure.
 */
uint32_t pf_call_thread(struct perfetto *, uint32_t task, enum pf_calls, struct err *);
uint32_t pf_mark_process(struct perfetto *, uint32_t process, struct err *);	/* 0: failure; process 0: what is of no process */

static inline struct pf_task *
pf_task_at(const struct perfetto *p, uint32_t row)
{
	assert(row != 0 && row <= p->who.ntasks);
	return &SCRATCH(p->who.tasks, struct pf_task)[row - 1];
}

static inline uint32_t
pf_task_row(const struct perfetto *p, const struct pf_task *t)
{
	return (uint32_t)(t - SCRATCH(p->who.tasks, struct pf_task)) + 1;
}

/* The number of a task in switches and wakeups; 0: the idle task. */
static inline uint32_t
pf_task_key(const struct perfetto *p, const struct pf_task *t)
{
	return t->tid == 0 ? 0 : pf_task_row(p, t);
}

static inline struct pf_process *
pf_process_at(const struct perfetto *p, uint32_t row)
{
	assert(row != 0 && row <= p->who.nprocesses);
	return &SCRATCH(p->who.processes, struct pf_process)[row - 1];
}

bool	pf_tree(struct perfetto *, const struct pf_row *, struct str tree, struct err *);
/* When all are there, before spans become calls: names and order; place: by thread, scratch of u32. */
bool	pf_task_order(struct perfetto *, struct scratch *place, struct err *);
bool	pf_task_columns(struct perfetto *, const uint32_t *place, struct err *);

/* play.c */
bool	pf_play(struct perfetto *, struct err *);
/* ftrace.c */
bool	pf_play_ftrace(struct perfetto *, const struct pf_row *, struct err *);
/* How fast a CPU is from then on. */
bool	pf_play_frequency(struct perfetto *, uint64_t time, uint32_t cpu, uint64_t khz, struct err *);
/* generic.c: a packet of a kernel other than Linux; and the last switches, when all was played */
bool	pf_play_generic(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_generic_end(struct perfetto *, struct err *);
/* counts: it is a switch of the recorded time; else it only says what runs. */
bool	pf_play_switch(struct perfetto *, const struct pf_row *, bool counts, struct err *);
bool	pf_play_waking(struct perfetto *, const struct pf_row *, struct err *);
/* atrace.c: a mark that user space wrote */
/* A call of a thread: B or E. */
bool	pf_play_call(struct perfetto *, uint32_t tid, uint64_t time, char letter, struct str name, struct err *);
/* A mark by its letter: B, E, C or I. */
bool	pf_play_letter(struct perfetto *, uint32_t tid, uint64_t time, char letter, uint32_t pid, struct str name, int64_t value, struct err *);
bool	pf_play_mark(struct perfetto *, uint32_t tid, uint64_t time, struct str text, struct err *);
/* events.c */
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_LEVEL, TYPE_STATE };	/* of track events */
bool	pf_play_event(struct perfetto *, const struct pf_row *, struct err *);
bool	pf_play_level(struct perfetto *, const struct pf_row *, struct err *);

/* args.c: notes where the args of a track event are, by numbers from 1; and their columns, after those of instants and async spans. */
bool	pf_args(struct perfetto *, const struct pf_row *, uint32_t *number, struct err *);
bool	pf_args_columns(struct perfetto *, struct err *);
/* log.c: a line of the log; a message of Chrome at an instant of a task; columns of both, after those of instants. */
bool	pf_log_rows(struct perfetto *, const struct pf_now *, struct str, struct err *);
bool	pf_play_logged(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_play_message(struct perfetto *, const struct pf_row *, struct str, uint32_t process, uint32_t task, struct err *);
bool	pf_log_columns(struct perfetto *, struct err *);
/* called.c */
bool	pf_play_thread(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_play_descriptor(struct perfetto *, const struct pf_row *, struct str, struct err *);
/* An event "thread_name" or "process_name" whose first annotation is the name {6 text}. */
bool	pf_play_called(struct perfetto *, struct str event, struct str what, uint32_t task, uint32_t process, struct err *);

/* syscalls.c: by its name in the system information of the trace */
enum pf_machine pf_machine(struct str name);

bool	pf_gpu_rows(struct perfetto *, const struct pf_now *, struct str, struct err *);
/* gpu.c: {1 descriptor, 2 values, 3 GPU, 4 descriptor}; and the last values, when all was played */
bool	pf_play_gpu(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_gpu_end(struct perfetto *, struct err *);

/* flows.c: flows between events, and from binder transactions to their receivers. */
enum pf_flow_how {
	PF_FLOW_START,		/* the flow starts here, whatever was before */
	PF_FLOW_STEP,		/* an arrow to here, where the flow continues; the first step starts it */
	PF_FLOW_END,		/* an arrow to here; the flow continues from where it was */
	PF_FLOW_CLOSE		/* an arrow to here; the id is free again */
};

/* An event that a flow goes through. */
struct pf_flow_end {
	uint64_t	time;		/* since the first event */
	uint32_t	thread, frame;	/* thread of spans and name of a call; 0: none */
	uint32_t	name, cat;	/* words */
};

/* key: of the flow, from pf_key; id: the one in the file, 0: none to show. */
bool	pf_flow(struct perfetto *, uint64_t key, uint64_t id, const struct pf_flow_end *, enum pf_flow_how, struct err *);
/* {36, 47 ids, 42, 48 ids that end, 6 {8 id, 13 direction}} of a track event. */
bool	pf_flow_event(struct perfetto *, struct str event, const struct pf_flow_end *, struct err *);
/*
 * The calls that are open, in traces with arrows from or to these (arrows_in_calls).  Open a call; until: its end, as PF_TIME, UINT64_MAX:
 * not known yet.
 */
bool	pf_call_begins(struct perfetto *, const struct pf_flow_end *, uint64_t until, struct err *);
void	pf_call_ends(struct perfetto *, uint32_t thread, uint64_t time);	/* the innermost one */
/* Get the innermost open call; false: no call is open. */
bool	pf_call_around(struct perfetto *, uint32_t thread, uint64_t time, struct pf_flow_end *);
/* The flow has an arrow to the next call of the thread. */
bool	pf_call_awaits(struct perfetto *, uint32_t thread, uint64_t key, uint64_t id, struct err *);
void	pf_flow_order(struct perfetto *, const uint32_t *place);	/* replace threads by their places */
bool	pf_flow_columns(struct perfetto *, struct err *);

/* An arrow between two events; id: as of pf_flow. */
bool	pf_arrow(struct perfetto *, const struct pf_flow_end *from, const struct pf_flow_end *to, uint64_t id, struct err *);

/* async.c: the innermost open span of a key. */
bool	pf_async_around(struct perfetto *, uint64_t key, struct pf_flow_end *, bool *has, struct err *);

/* frames.c */
bool	pf_play_frame(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_frame_columns(struct perfetto *, struct err *);

/* probes.c */
bool	pf_play_system(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_play_stats(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_play_battery(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_play_properties(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_play_screen(struct perfetto *, const struct pf_row *, struct str, struct err *);

#include "stacks.h"
#endif
