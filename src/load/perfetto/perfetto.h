/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfetto: traces of Perfetto.  Source of all format facts: protos/perfetto/trace of the Perfetto project.
 *
 * Packets are read once, in the order of the file (packets.c, state.c, clocks.c, rows.c): what happened at a time becomes a row that says where in
 * the file it stands.  Rows are then put in order of time and played (play.c): scheduler events (ftrace.c) go to sched_events, calls to
 * struct spans_in, everything else to struct marks_in (async.c, events.c), under the threads and processes that are alive (tasks.c).
 * Marks of user space are played by load/kernel.
 */
#ifndef LOAD_PERFETTO_H
#define LOAD_PERFETTO_H

#include "icecore/shape.h"
#include "load/profile/profile.h"
#include "load/sched/beside.h"
#include "clocks.h"
#include "kinds.h"
#include "passed_over.h"
#include "samples.h"
#include "told.h"
#include "tracks.h"

enum { PF_PACKETS = 136, PF_NESTED = 4, PF_TEXT_MOST = 4096, PF_EVENT_KINDS = 640, PF_LEFT = 256 };

/* Counters of errors, repairs and skipped data, named as the facts. */
enum pf_count {
	PF_BAD_PACKETS, PF_RESYNCS, PF_CUT, PF_BAD_FRAMING, PF_LOST_BYTES, PF_BAD_ZLIB, PF_NO_ZSTD, PF_OTHER_FIELDS, PF_DROPPED, PF_SKIPPED_STATE,
	PF_NO_CLOCK, PF_CLOCK_ASSUMED, PF_CLOCK_BAD, PF_CONCATENATED, PF_MACHINE, PF_BAD_FTRACE, PF_COMPACT, PF_BEFORE_START, PF_LOST_FTRACE,
	PF_NO_NAME, PF_NO_TRACK, PF_NO_VALUE, PF_NO_TYPE, PF_NO_TIME, PF_BAD_MARK, PF_CONFLICT, PF_NEGATIVE, PF_DEEPER,
	    PF_LOST_SAMPLES, PF_NO_STACK, PF_CUT_STACKS, PF_HEAP_PACKETS, PF_HEAP_DUMPS, PF_HEAP_FALLS, PF_COUNTS
};

/* Kinds of rows; those before PF_TRACK_EVENT belong to a CPU.  PF_TOLD describes threads, processes or tracks. */
enum pf_row_kind { PF_FTRACE, PF_SWITCH, PF_WAKING, PF_LOST, PF_GENERIC, PF_TRACK_EVENT, PF_LEVEL, PF_TOLD, PF_PACKET };

/* An event at a time. */
struct pf_row {
	uint64_t	time;		/* ns of the trace's clock; first, to be sorted */
	uint64_t	at;		/* where it stands; of a level: the uuid of its track */
	uint32_t	n;		/* bytes */
	/* state, and of PF_TRACK_EVENT the row of its CPU time, from 1; of PF_SWITCH: pid, prev_state; of PF_WAKING: pid, CPU; of
	 * PF_LEVEL: the value is in n and a; b of other kinds: the field of the packet */
	uint32_t	a, b;
	uint16_t	cpu;
	uint8_t		kind, flags;	/* flags: of PF_WAKING the common flags; of PF_TRACK_EVENT 1: it names a
					 * track; of PF_PACKET 1: it only describes */
};

static inline bool
pf_row_logged(const struct pf_row *r)
{
	return r->kind == PF_PACKET && r->b == PKT_LOG;
}

/* The state of a sequence between two packets that change it.  Rows refer to it. */
struct pf_state {
	uint32_t	names;		/* which interned names are known */
	uint32_t	pid, tid;	/* of the packet of an old thread descriptor; tid 0: none */
	uint32_t	clock;		/* 0: that of the trace */
	uint64_t	track;		/* uuid */
	uint64_t	more_at;	/* TrackEventDefaults: where */
	uint32_t	more_n;
	uint64_t	perf_at;	/* PerfSampleDefaults */
	uint32_t	perf_n;
	uint32_t	stack_n;	/* StackSampleDefaults */
	uint64_t	stack_at;
	uint32_t	event;		/* word of the event of samples; 0: not yet looked for */
	uint64_t	period;		/* of that event; 0: unknown */
	bool		has_track, valid, profile;	/* profile: of a profile packet, whose texts have numbers of one kind */
};

struct pf_sequence {
	uint32_t	state;		/* its row in states, from 1 */
	uint64_t	trace;		/* how many traces there were before its own */
	bool		lost, seen, based;	/* based: time and cpu are known */
	int64_t		time, cpu;	/* running, ns, of old track events */
	uint32_t	profile;	/* state of the unfinished heap profile; 0: none */
	uint64_t	profile_next;	/* index of its next packet; 0: of the first */
};

/* A name that packets refer to by number. */
struct pf_interned {
	uint64_t	at, iid;	/* at: its message */
	uint32_t	n;
	uint32_t	names, field;	/* of whose names it is, and of which kind */
	uint32_t	text, text_n;	/* in the message, once it was looked for */
	uint32_t	frame;		/* once it was asked for: of a callstack the stack; 0: not yet */
	uint64_t	content;	/* of a frame or callstack, what it says; 0: not yet */
	bool		looked, bad;	/* bad: it refers to what is not there */
	bool		inlined;	/* frame: 1 + where inlined frames begin */
};

/* ---- all ------------------------------------------------------------------------------ */

/* flows.c */
struct pf_flows {
	struct scratch	 calls, by_call, pending;
	uint64_t	 ncalls, nby_call, npending;
	uint32_t	 free_call, free_pending;
	bool		 arrows_in_calls;	/* there are flows of ends of calls, or of the call around them */
	struct scratch	 flows, arrows;
	uint64_t	 nflows, narrows;
	struct idmap	 by_flow, by_binder, by_memory;	/* how a transaction goes; 1 + the task that has a memory */
};

/* Tracks, and the threads and processes that they and events are of: tracks.c, tasks.c */
struct pf_who {
	struct scratch	 tracks, tasks, processes;
	uint64_t	 ntracks, ntasks, nprocesses;
	struct idmap	 by_track, by_tid, by_pid;	/* by_tid, by_pid: the rows that are current */
	struct scratch	 direct;	/* u32: the same by tid */
	uint64_t	 ndirect;
};

/* Rows before they are played: runs.c, rows.c */
struct pf_rows_made {
	struct scratch	 runs, rows, late;
	uint64_t	 nruns, nrows, nlate;
	uint64_t	 nlater;	/* kernel events that are not rows */
	uint64_t	 nswitches, nwakes;	/* upper limits of the kernel's switches and wakeups */
	bool		 run_goes_on;
	uint64_t	 run_time;	/* time of the last row */
	struct pf_made	*into;		/* where rows of kernel events go; NULL: to the others */
	struct scratch	 cpus;		/* int64_t: CPU times of track events, ns */
	uint64_t	 ncpus;
};

/* State of sequences of packets: state.c */
struct pf_sequences {
	struct scratch	 states, interned, sequences;
	uint64_t	 nstates, ninterned, nsequences;
	struct idmap	 by_sequence, by_name;
	uint32_t	 nnames;
};

/* frames.c */
struct pf_frames {
	struct scratch	 frames;
	uint64_t	 nframes;
	struct idmap	 by_frame, by_display;	/* expected spans of frames; frames of apps by the frame that shows them */
};

/* args.c; bytes */
struct pf_args_found {
	struct scratch	 args, args_own;
	uint64_t	 nargs, nargs_own;
};

/* gpu.c */
struct pf_gpus {
	struct scratch	 gpu;		/* struct gpu_counter */
	uint64_t	 ngpu;
	struct idmap	 by_gpu;
};

/* ftrace.c, generic.c */
struct pf_kernel {
	enum pf_machine	 machine;
	uint32_t	 release;	/* 256 * major + minor; 0: unknown */
	struct pf_left { uint32_t from, to; uint16_t cpu; char letter; } left[PF_LEFT];	/* switches of that time */
	uint64_t	 left_time;
	unsigned	 nleft;
	uint32_t	 running[PF_CPUS];	/* rows of tasks by CPU, for compact switches; 0: not known */
	uint8_t		 first_bundle[PF_CPUS];
	uint64_t	 kernel_first, kernel_last;	/* times of the kernel events that were played; 0: there are none */
};

struct perfetto {
	struct jload	*l;
	struct marks_in	 marks;
	struct str	 file;
	struct scratch	 spill;		/* bytes of decompressed packets, at offsets from file.n on */
	uint64_t	 nspill;
	struct pf_flows	 flow;
	struct pf_who	 who;
	struct pf_rows_made row;
	struct pf_sequences seq;
	struct pf_frames frame;
	struct pf_args_found arg;
	struct pf_gpus	 gpus;
	struct pf_kernel kernel;
	struct pf_clocks clocks;
	uint64_t	 count[PF_COUNTS];
	uint64_t	 packets[PF_PACKETS], npackets;
	struct unread	 unread;	/* also packets of no known kind */
	uint64_t	 phases[128];	/* old track events that are not shown, by letter */
	uint64_t	 events[PF_EVENT_KINDS];
	uint64_t	 uuid[2];
	bool		 has_uuid, preserve, logged;	/* logged: there are lines of a log */
	struct pf_told	 told;
	int64_t		 newest;	/* time of a packet */
	uint64_t	 started, range, ftrace_start;	/* ns; before these nothing counts */
	struct scratch	 samples;	/* struct pf_sample */
	uint64_t	 nsamples;
	struct pf_symbols symbols;
	struct pf_heaps	 heaps;
	struct sched_events *sched;
	uint64_t	 first, last;	/* of rows that were played */
	struct buf	 text;
};

/* Keys of spans and tracks that are made here: of a kind, its number. */
static inline uint64_t
pf_key(char kind, uint64_t number)
{
	return idmap_hash(idmap_hash(number) ^ (uint64_t)(unsigned char)kind << 56);
}

#define PF_TIME_MOST SCHED_TOLD_MOST	/* ns: as switches, all events are before it */

/* A time of calls and samples, where 0 means none. */
#define PF_TIME(time) ((time) + 1)

/* The bytes from an offset of the file, or of what was unpacked. */
static inline struct str
pf_bytes(const struct perfetto *p, uint64_t at, uint64_t n)
{
	return at < p->file.n ? (struct str){ p->file.s + at, (size_t)n } : (struct str){ (const char *)p->spill.data + (at - p->file.n), (size_t)n };
}

/* Where bytes of it stand. */
static inline uint64_t
pf_offset(const struct perfetto *p, const char *s)
{
	return samples_has_text(&p->l->samples, (struct str){ s, 0 }) ? (uint64_t)(s - p->file.s) :
	    p->file.n + (uint64_t)(s - (const char *)p->spill.data);
}

/* packets.c: all packets, in order; the packet is valid during take. */
typedef bool (*pf_take)(struct perfetto *, const struct pf_packet *, struct err *);
bool	pf_packets(struct perfetto *, pf_take, struct err *);
/* Whether this is the beginning of a trace, or a piece of one. */
bool	pf_sniff(const uint8_t *head, size_t n);

/* state.c: what a packet changes in its sequence; *state 0: it is to be skipped. */
bool	pf_state_of(struct perfetto *, const struct pf_packet *, uint32_t *sequence, uint32_t *state, struct err *);
struct pf_sequence *pf_sequence(struct perfetto *, uint32_t id, struct err *);
struct pf_interned *pf_interned(const struct perfetto *, uint32_t state, unsigned field, uint64_t iid);
/* The text of an interned message, {1 iid, 2 text}; false: there is none. */
bool	pf_interned_text(const struct perfetto *, uint32_t state, unsigned field, uint64_t iid, struct str *text);

static inline const struct pf_state *
pf_state(const struct perfetto *p, uint32_t state)
{
	return &SCRATCH(p->seq.states, struct pf_state)[state - 1];
}

/* Names of a message like InternedData belong to names; field 0: each of its own field, else all fields of that number are of that kind. */
bool	pf_intern(struct perfetto *, uint32_t names, struct str data, unsigned told, unsigned field, struct err *);

/* A state like that one, that may be changed. */
struct pf_state *pf_state_next(struct perfetto *, struct pf_sequence *, struct err *);

/* rows.c: a packet becomes rows. */
bool	pf_rows(struct perfetto *, const struct pf_packet *, struct err *);
bool	pf_row(struct perfetto *, const struct pf_row *, struct err *);	/* runs.c */
static inline bool
pf_now_timed(const struct pf_now *now)
{
	return pf_field(now->k, PKT_TIME)->number != 0 && now->time >= 0;
}

/* Make a row of a message of the packet, unless it is empty. */
static inline bool
pf_now_row(struct perfetto *p, const struct pf_now *now, struct str m, enum pf_row_kind kind, bool describes, struct err *err)
{
	return m.n == 0 || pf_row(p, &(struct pf_row){ .time = now->time < 0 ? 0 : (uint64_t)now->time, .at = pf_offset(p, m.s), .n = (uint32_t)m.n,
	    .a = now->state, .b = now->number, .kind = (uint8_t)kind, .flags = describes }, err);
}

/* The thread that a message describes, {1 pid, 2 tid, 5 name, 6 time, 7 CPU time}: also of old events of the sequence. */
bool	pf_thread_told(struct perfetto *, struct str message, uint32_t sequence, struct err *);
bool	pf_late_rows(struct perfetto *, struct err *);	/* rows of packets that precede the snapshots of their clock */
/* event_rows.c: of a packet at that time, if it has none of its own. */
bool	pf_event_rows(struct perfetto *, const struct pf_now *, struct str event, struct err *);
/* A value of the counter of a track, which is described already.  Incremental counters begin at 0 with new names of the sequence. */
bool	pf_level_row(struct perfetto *, int64_t time, uint64_t uuid, double value, uint32_t names, struct err *);
/* probes.c: power rails, whose values have times of their own; time: of the packet. */
bool	pf_rail_rows(struct perfetto *, struct str rails, int64_t time, struct err *);
/* ftrace_rows.c */
bool	pf_ftrace_rows(struct perfetto *, struct str bundle, uint32_t state, uint32_t sequence, struct err *);

/* tracks.c */
bool	pf_track_told(struct perfetto *, struct str descriptor, uint32_t sequence, struct err *);
struct pf_track *pf_track(struct perfetto *, uint64_t uuid, struct err *);	/* made if it is missing */
struct pf_track *pf_track_known(const struct perfetto *, uint64_t uuid);	/* or NULL */
/* Find out what a track is of; it is bad if it has too many parents, or a cycle of them. */
bool	pf_track_scope(struct perfetto *, struct pf_track *, struct err *);
struct str pf_track_unit(const struct perfetto *, const struct pf_track *);	/* what a counter counts in; empty: unknown */
uint32_t pf_track_process(const struct perfetto *, const struct pf_track *);	/* its row; 0: none */

#include "async.h"
#include "play.h"
#endif
