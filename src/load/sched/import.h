/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * import: switches and wakeups that loaders of other formats add to their columns: from a text that is
 * part of a file with samples or calls, and one by one.
 */
#ifndef LOAD_SCHED_IMPORT_H
#define LOAD_SCHED_IMPORT_H

#include "icecore/sched.h"
#include "icecore/work.h"
#include "icecore/store.h"
#include "icecore/telling.h"

/*
 * Report the meaning of a line (meant.h) if it is a switch, wakeup, exit or frequency; no spans may wait.
 * False: it is another line.
 */
bool	sched_tell_line(struct tells *, struct str line);
/*
 * Spans of "a=1 b=2", fields of an unknown event: names and numbers; own: the program defines it, so that they may be
 * private.
 */
void	sched_tell_fields(struct tells *, struct str, bool own);

/* The line of any tracer: "task-pid [cpu] flags time: event: rest".  All texts are in the line. */
struct sched_wrote {
	uint64_t	time;		/* ns */
	uint32_t	tid, cpu;
	struct str	name;		/* empty: unknown */
	struct str	event, rest;	/* event: may be empty */
	uint64_t	lost;		/* lost events, if the line reports those */
};

/* False: another line. */
bool	sched_wrote(struct str line, struct sched_wrote *);
/* Set the reason of a loss: lost events, or the bytes of an incomplete last line. */
bool	sched_loss_reason(struct store *, uint64_t events, uint64_t tail, struct err *);

/* Where a thread waited until a time, in ns since the start of time, in order of time. */
struct sched_reason {
	uint64_t	time;		/* first, to be sorted */
	uint32_t	thread, word;	/* the function; a row of word.* */
	bool		io;
};

struct sched_import {
	/*
	 * Return the time of the text's first event, in ns since the start of time; first and last: times
	 * in the text.
	 */
	bool		(*begin)(void *arg, uint64_t first, uint64_t last, uint64_t *at, struct err *);
	/* Return the id of a thread from 1, which may be new; pid 0: unknown. 0: failure. */
	uint32_t	(*thread)(void *arg, uint32_t pid, uint32_t tid, struct str name, struct err *);
	void		*arg;
	const struct sched_reason *reasons;
	uint64_t	nreasons;
	/*
	 * Counts. others: lines that are not switches, wakeups or comments; lost: events lost by the
	 * recorder.
	 */
	uint64_t	switches, wakeups, others, lost;
};

/*
 * Write switch.*, wake.*, blocked.* and the facts "switches" and "wakeups"; without switches, write nothing
 * and do not call begin. The text is not needed afterwards.
 */
bool	sched_import(struct store *, struct str text, struct sched_import *, struct work *,
    struct err *) MUST_USE;

/* ---- a text of its own ------------------------------------------------------------------ */

#define CLONE_THREAD 0x10000	/* flag of clone(2): the new task is a thread of its maker's process */

/* An event of the kernel, or a mark that a task wrote: KERNEL_PRINT. */
struct sched_noted {
	uint64_t	time;		/* time in the text; the sort key, so first */
	/* Offset of the payload, of the mark, or of the name of a generic event. */
	uint64_t	at;
	uint32_t	n;		/* bytes */
	uint32_t	thread, about;	/* writer of the line, task of the event; 0: none */
	uint16_t	cpu, kind;
};

struct sched_found {
	const struct sched_noted *note;	/* notes in order of time */
	uint64_t	notes, switches, threads;
	uint64_t	first, last;	/* times in the text, of all events */
	uint64_t	bad_syncs;	/* marks of clocks that are unreadable */
};

struct sched_task {
	uint32_t	tid, pid;	/* pid 0: unknown */
	struct str	name;		/* the last one */
};

struct sched;

/* Read the source of a store; NULL: failure, also if the text has no events. */
struct sched *sched_text_open(struct store *, struct work *, struct err *);
void	sched_text_close(struct sched *);	/* may be NULL */
struct sched_found sched_text_found(const struct sched *);
struct sched_task sched_text_task(const struct sched *, uint32_t thread);
/* The process of a thread, according to a mark, 0: unknown; lines that name it know better. */
void	sched_text_joins(struct sched *, uint32_t thread, uint32_t pid);
/*
 * Record why a task that was just woken slept, as sched_events_blocked does, and the frequency of a CPU from
 * then on.  Times are since the first event.
 */
bool	sched_text_blocked(struct sched *, uint32_t thread, uint64_t time, bool io, uint32_t word,
    struct err *);
bool	sched_text_frequency(struct sched *, uint32_t cpu, uint64_t time, uint32_t khz, struct err *);
/* The same for the main thread of that process, if there is one. */
void	sched_text_joins_main(struct sched *, uint32_t pid);
/* sched_text_joins for a thread with calls.  Return its tid; the loader counts its open calls in *depth. */
uint32_t sched_text_calls(struct sched *, uint32_t thread, uint32_t pid, uint32_t **depth);
/* Write switch.*, wake.*, blocked.*, frequency.*, listed.* of threads, and facts except those of marks. */
bool	sched_text_columns(struct sched *, struct err *);

/*
 * The name of calls; own: 1 + where it is in a text of its own, which has all names that are not in the
 * file; 0: it is in the file.
 */
struct sched_name {
	struct str	name;
	uint32_t	own;
};

/* A call begins or ends. */
struct sched_event {
	uint64_t	time;		/* since the first event */
	uint32_t	word, tid;	/* values of event.word and event.tid */
};

#define SCHED_OWN_NAMES "[empty slice name]"
/* Write listed.* of methods, event.*, segment.*; own: texts, each with its NUL. */
bool	sched_call_columns(struct store *, struct make_rows names, struct str own, struct make_rows events,
    struct err *);

/* Functions for a loader of such text. */
bool	sched_sniff(const uint8_t *head, size_t n);
bool	sched_meant(const struct map *, meant_take, void *arg, uint64_t *lost, struct work *, struct err *);

/* ---- from readers of other formats ------------------------------------------------------ */

#define SCHED_TIME_MOST ((uint64_t)1 << 56)	/* ns; two years */

#define SCHED_IRQ_NOBODY 1	/* irq of a wakeup: no letter, but the waker is unknown */

/*
 * A switch on a CPU, from one task to another; or a wakeup of to by self.  Tasks are numbers of the reader,
 * from 1; 0 is the idle task.
 */
struct sched_record {
	uint64_t	time;		/* ns since the first event of the file, below SCHED_TIME_MOST */
	uint32_t	cpu, from, to, self;
	uint8_t		state;		/* the letter for from */
	uint8_t		irq;		/* wakeups: letter of the interrupt, as in text; 0: none */
	enum wake_kind	wake;		/* wakeups: logged before it happened (waking), or of a new task */
	uint32_t	target;		/* the CPU it is woken on */
};

struct sched_events;

/* Events must come in time order. NULL: failure. */
struct sched_events *sched_events_open(struct store *, struct work *, struct err *);
void	sched_events_close(struct sched_events *);		/* may be NULL */
/* Call it before the first event: the numbers are upper limits. */
void	sched_events_expect(struct sched_events *, uint64_t switches, uint64_t wakes);
bool	sched_events_switch(struct sched_events *, const struct sched_record *, struct err *);
bool	sched_events_waking(struct sched_events *, const struct sched_record *, struct err *);
/*
 * Record why the task that was just woken slept: waiting for I/O or not, in a function of the kernel, of
 * which only the word is kept.
 */
bool	sched_events_blocked(struct sched_events *, uint32_t task, uint64_t time, bool io, uint32_t word,
    struct err *);
/* Record the frequency of a CPU from then on. */
bool	sched_events_frequency(struct sched_events *, uint32_t cpu, uint64_t time, uint32_t khz,
    struct err *);
/* Events of a CPU from its last switch or wakeup to the next one are lost. */
bool	sched_events_lost(struct sched_events *, uint32_t cpu, struct err *);
uint64_t sched_events_switches(const struct sched_events *);
/*
 * At the end, if there are switches: ask for the thread of each task, from 1, 0: failure.  Then write
 * switch.*, wake.* and the facts "switches" and "wakeups"; place: number of each thread.
 */
bool	sched_events_threads(struct sched_events *, uint32_t (*thread)(void *, uint32_t task, struct err *),
    void *arg, struct err *);
bool	sched_events_columns(struct sched_events *, const uint32_t *place, struct err *);

#endif
