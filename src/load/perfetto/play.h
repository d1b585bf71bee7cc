/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * play: what plays rows, in order of time, and the threads and processes that they are of.
 */
#ifndef LOAD_PERFETTO_PLAY_H
#define LOAD_PERFETTO_PLAY_H

#include <assert.h>

#include "perfetto.h"

/* tasks.c */
/*
 * The current task with that tid, which may be new; NULL: failure.  Valid until the next call that may add
 * one.
 */
struct pf_task *pf_task(struct perfetto *, uint32_t tid, struct err *);
/* The one with that tid in that process. */
struct pf_task *pf_task_in(struct perfetto *, uint32_t tid, uint32_t pid, struct err *);
/* A further task with that tid; NULL: failure. */
struct pf_task *pf_task_new(struct perfetto *, uint32_t tid, struct err *);
/* two rows are of one process; the second one is new */
void	pf_task_joins(struct perfetto *, uint32_t task, uint32_t new);
void	pf_task_ends(struct perfetto *, uint32_t tid);
/* The row of the current process, which may be new, with a main task; 0: failure. */
uint32_t pf_process(struct perfetto *, uint32_t pid, struct err *);
/*
 * The current process with that pid, if that parent started it and none of its tasks has an event yet; 0:
 * no such process.
 */
uint32_t pf_process_expected(const struct perfetto *, uint32_t pid, uint32_t parent);
/* A further process with that pid, which is the current one from now on. */
uint32_t pf_process_new(struct perfetto *, uint32_t pid, struct err *);
/* A task or process of NULL or 0 is a failure. */
bool	pf_task_name(struct perfetto *, struct pf_task *, struct str name, unsigned rank, struct err *);
bool	pf_process_name(struct perfetto *, uint32_t process, struct str name, unsigned rank, struct err *);
uint32_t pf_task_thread(struct perfetto *, struct pf_task *, struct err *);	/* 0: failure */
/* Return the thread of the current task with that tid; 0: failure. */
uint32_t pf_span_thread(struct perfetto *, uint32_t tid, struct err *);
/*
 * The thread for calls of a task.  Calls of both kinds may overlap, so those that come second get a thread
 * of their own with the same id. 0: failure.
 */
uint32_t pf_call_thread(struct perfetto *, uint32_t task, enum pf_calls, struct err *);
/* 0: failure; process 0: what is of no process */
uint32_t pf_mark_process(struct perfetto *, uint32_t process, struct err *);

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

pf_play_fn pf_tree;
/* When all are there, before spans become calls: names and order; place: by thread, scratch of u32. */
bool	pf_task_order(struct perfetto *, struct scratch *place, struct err *);
bool	pf_task_columns(struct perfetto *, const uint32_t *place, struct err *);

/* play.c */
bool	pf_play(struct perfetto *, struct err *);
/* ftrace.c */
bool	pf_play_ftrace(struct perfetto *, const struct pf_row *, struct err *);
/* generic.c: a packet of a kernel other than Linux; and the last switches, when all was played */
pf_play_fn pf_play_generic;
bool	pf_generic_end(struct perfetto *, struct err *);
/* counts: it is a switch of the recorded time; else it only says what runs. */
bool	pf_play_switch(struct perfetto *, const struct pf_row *, bool counts, struct err *);
bool	pf_play_waking(struct perfetto *, const struct pf_row *, struct err *);
/* atrace.c: the tasks and processes of packets; and a mark that user space wrote */
extern const struct kernel_host pf_host;
bool	pf_play_mark(struct perfetto *, uint32_t tid, uint64_t time, struct str text, struct err *);
/* events.c */
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_LEVEL, TYPE_STATE };	/* types of track events */
bool	pf_play_event(struct perfetto *, const struct pf_row *, struct err *);
bool	pf_play_level(struct perfetto *, const struct pf_row *, struct err *);
/* system_stats.c: add a value of a counter of the system, whose name is in p->text. */
bool	pf_level_named(struct perfetto *, uint64_t time, const char *unit, double value, struct err *);
/* Set p->text to a name between two texts. */
void	pf_counter_name(struct perfetto *, const char *before, struct str name, const char *after);

/*
 * args.c: notes where the args of a track event are, by numbers from 1; and their columns, after those of
 * instants and async spans.
 */
bool	pf_args(struct perfetto *, const struct pf_row *, uint32_t *number, struct err *);
bool	pf_args_columns(struct perfetto *, struct err *);
/*
 * log.c: a line of the log; a message of Chrome at an instant of a task; columns of both, after those of
 * instants.
 */
pf_rows_fn pf_log_rows;
pf_play_fn pf_play_logged;
bool	pf_play_message(struct perfetto *, const struct pf_row *, struct str, uint32_t process,
    uint32_t task, struct err *);
bool	pf_log_columns(struct perfetto *, struct err *);
/* called.c */
pf_play_fn pf_play_thread, pf_play_process, pf_play_descriptor;
/* An event "thread_name" or "process_name" whose first annotation is the name {6 text}. */
bool	pf_play_called(struct perfetto *, struct str event, struct str what, uint32_t task,
    uint32_t process, struct err *);

pf_rows_fn pf_gpu_rows;
/* gpu.c: {1 descriptor, 2 values, 3 GPU, 4 descriptor}; and the last values, when all was played */
pf_play_fn pf_play_gpu;
bool	pf_gpu_end(struct perfetto *, struct err *);

/* flows.c: the ids of a track event, which was read. */
bool	pf_flow_event(struct perfetto *, struct str event, const struct pf_track_event *,
    const struct pf_old_event *,
	    const struct flow_stop *, struct err *);
/*
 * The calls that are open, in traces with arrows from or to these (arrows_in_calls).  Open a call; until:
 * its end, as PF_TIME, UINT64_MAX: not known yet.
 */
bool	pf_call_begins(struct perfetto *, const struct flow_stop *, uint64_t until, struct err *);
void	pf_call_ends(struct perfetto *, uint32_t thread, uint64_t time);	/* the innermost one */
/* Get the innermost open call; false: no call is open. */
bool	pf_call_around(struct perfetto *, uint32_t thread, uint64_t time, struct flow_stop *);
/* The flow has an arrow to the next call of the thread. */
bool	pf_call_awaits(struct perfetto *, uint32_t thread, uint64_t key, uint64_t id, struct err *);

/* async.c: the innermost open span of a key. */
bool	pf_async_around(struct perfetto *, uint64_t key, struct flow_stop *, bool *has, struct err *);

/* frames.c */
pf_play_fn pf_play_frame;
bool	pf_frame_columns(struct perfetto *, struct err *);

/* probes.c */
pf_play_fn pf_play_system, pf_play_stats, pf_play_battery, pf_play_properties, pf_play_screen;


/* ---- stacks ------------------------------------------------------------------------ */

/*
 * Samples with their stacks, of all kinds of packets, as they are read and played.
 */

/* samples.c: in order of time; then, when spans are calls, as samples of threads in their places. */
pf_play_fn pf_play_perf, pf_play_streaming, pf_play_stack;
bool	pf_samples_load(struct perfetto *, const uint32_t *place, struct err *);
/*
 * profiles.c: take an old event of phase 'P'.  key: the same for all events of a profile.  *read: it is a part of a
 * profile of JavaScript.  Then make the samples of all profiles, before all other samples.
 */
bool	pf_play_profile(struct perfetto *, const struct pf_row *, struct str name, uint64_t key, uint32_t task,
    bool *read, struct err *);
bool	pf_profiles_load(struct perfetto *, const uint32_t *place, struct err *);
bool	pf_sample(struct perfetto *, const struct pf_sample *, struct err *);
/* Set the task of a sample. */
bool	pf_sample_of(struct perfetto *, struct pf_sample *, uint32_t tid, uint32_t pid, struct err *);
/* The samples of a packet of Chrome become rows. */
pf_rows_fn pf_streaming_rows;
/*
 * stacks.c: the stack of a callstack; 0 without err: it cannot be read.  content: a hash of its frames, 0:
 * none.
 */
uint32_t pf_stack(struct perfetto *, uint32_t state, uint64_t iid, struct err *);
uint32_t pf_stack_inline(struct perfetto *, struct str, struct err *);
uint64_t pf_stack_content(struct perfetto *, uint32_t state, uint64_t iid);
/* symbols.c */
pf_rows_fn pf_symbols_packet, pf_translation_packet;
bool	pf_symbols_read(struct perfetto *, struct err *);	/* once, after the last packet */
void	pf_symbols_close(struct pf_symbols *);
/* The lines of an address, innermost first: {1 function, 2 file, 3 line}; false: none are known. */
bool	pf_symbols_find(const struct perfetto *, struct str path, struct str build, uint64_t address,
    struct str *lines);
struct symbol;
/* A method at a line of a renamed method. */
struct pf_retraced {
	const struct symbol	*method;
	uint64_t		 line;	/* 0: unknown */
};
enum { PF_RETRACED_MOST = 16 };
/* Find the methods at a line, inlined ones first.  Return their number, at most PF_RETRACED_MOST. */
unsigned pf_retraced(const struct perfetto *, struct str name, struct str path, uint64_t line,
    struct pf_retraced *);
/* Append "class.method". */
void	pf_retraced_name(const struct perfetto *, const struct pf_retraced *, struct buf *);
/*
 * Return the original name of a renamed method, in the buffer; otherwise the name itself.  If it may have
 * several names, they are sorted.
 */
struct str pf_deobfuscated(struct perfetto *, struct str name, struct str path, struct buf *);
/* The name of a track event as a translation table says it; or as it is. */
struct str pf_translated(const struct perfetto *, struct str name);
/*
 * Append the original name of a class, or "class.member" of a field.  package: where the path names none.
 * False: it is not renamed, or may have several names.
 */
bool	pf_renamed(const struct perfetto *, struct str class, struct str field, struct str path, struct str package,
    struct buf *);
/* graphs.c: packets of heap graphs, and of the runtime whose heap it is. */
pf_rows_fn pf_graph_packet, pf_graph_art;
bool	pf_graph_cut(struct perfetto *, struct str message, struct err *);	/* cut at the end of the trace */
bool	pf_graph_choose(struct perfetto *, struct err *);	/* once, after the last packet: which one is loaded */
bool	pf_graph_incomplete(const struct perfetto *);
void	pf_graph_scanned(struct perfetto *, uint64_t time, struct str process);
struct str pf_graph_package(const struct perfetto *);
bool	pf_graph_facts(struct perfetto *, struct err *);
void	pf_graphs_close(struct pf_graphs *);
/* graph_load.c: its columns and facts.  alone: the trace has nothing else. */
bool	pf_graph_load(struct perfetto *, bool alone, struct err *);
struct heap_form;
extern const struct heap_form pf_graph_form;	/* graph_form.c */
/*
 * heapprofd.c: packets become rows when all clocks are known, and unreleased memory samples when all was
 * played.
 */
pf_rows_fn pf_heap_packet;
bool	pf_heap_rows(struct perfetto *, struct err *);
pf_play_fn pf_play_heap;	/* the row names a dump; the message is empty */
bool	pf_heap_unreleased(struct perfetto *, struct err *);
void	pf_heaps_close(struct pf_heaps *);
#endif
