/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfetto: traces of Perfetto.  Source of all format facts: protos/perfetto/trace of the Perfetto project.
 *
 * Packets are read once, in the order of the file (packets.c, state.c, clocks.c, rows.c): what happened at
 * a time becomes a row that says where in the file it stands.  Rows are then put in order of time and
 * played (play.c): scheduler events (ftrace.c) go to sched_events, calls to struct spans_in, everything
 * else to struct marks_in (async.c, events.c), under the threads and processes that are alive (tasks.c).
 * Marks of user space are played by load/kernel.
 */
#ifndef LOAD_PERFETTO_H
#define LOAD_PERFETTO_H

#include <stdbool.h>
#include <stdint.h>

#include "icecore/make.h"
#include "icecore/protobuf.h"
#include "icecore/shape.h"
#include "icecore/str.h"
#include "load/kernel/kernel.h"
#include "kinds.h"
#include "messages.h"
#include "packets.h"

/* ---- samples ----------------------------------------------------------------------- */

/*
 * Stacks that were sampled, as samples.c, heapprofd.c, stacks.c and symbols.c give them to one
 * another.
 */

enum { NAME_FUNCTION = 5, NAME_FRAME = 6, NAME_STACK = 7, NAME_BUILD = 16, NAME_PATH = 17, NAME_SOURCE = 18,
    NAME_MAPPING = 19, NAME_KERNEL_SYMBOL = 26, NAME_TASK = 48, NAME_COUNTER = 50, NAME_OF_PROFILE = 1 };

/* Units of weights. */
enum pf_unit { PF_SAMPLES, PF_NS, PF_BYTES, PF_ALLOCATIONS };

struct pf_sample {
	uint64_t	time, weight;	/* ns */
	uint64_t	stack;		/* iid of its callstack, 0: none; of an inline callstack its offset */
	uint32_t	n;		/* bytes of that one; 0: it has an iid */
	uint32_t	task, state, event;	/* task: its row; event: word */
	uint8_t		unit;
	bool		heap;		/* the sample is of a heap profile */
};

/* Addresses, renamed methods and track events, by their hashes; a chain of rows for each. */
struct pf_symbols {
	struct scratch	packets, rows;	/* packets; struct pf_symbol */
	uint64_t	npackets, nrows;
	struct idmap	by_key;
	struct scratch	inlined;	/* uint32_t: how many, and frames, outermost first */
	uint64_t	ninlined;
	bool		renamed, translated;	/* there are methods; names of track events */
};

/* Heap profiles: the dumps, and the sums so far for each stack of a process. */
struct pf_heaps {
	struct scratch	dumps, sums, totals, starts;
	uint64_t	ndumps, nsums, ntotals, nstarts;
	struct idmap	by_sum, by_total, by_start, by_seen;
	uint32_t	wanted, most;	/* the last dump of each process that is read, or 0; the number of dumps */
};

/* ---- graphs ------------------------------------------------------------------------ */

/* A Java heap graph: graphs.c. */
struct pf_graph {
	int64_t		time;		/* ns, of its first packet */
	uint64_t	next;		/* index of its next packet */
	uint64_t	allocated;	/* bytes, as the runtime counts them */
	uint32_t	sequence, clock, pid, uid, packets, gaps;
	bool		ended, some;	/* some: it has objects */
};

/* A message of one. */
struct pf_graph_part {
	struct pf_place	in;
	uint32_t	graph;
	uint64_t	base;		/* where it stands for readers of the store */
};

struct pf_graphs {
	struct scratch	graphs, parts, arts;	/* arts: struct pf_place */
	uint64_t	ngraphs, nparts, narts;
	uint32_t	full;		/* graphs with objects, which are counted */
	uint32_t	chosen;		/* row of the graph that is loaded; 0: there is none */
	struct pf_place	scan;		/* its process in the scan of processes nearest to it */
	uint64_t	scan_off;	/* ns between both */
};

/* ---- tracks ------------------------------------------------------------------------ */

/*
 * Tracks of events, threads and processes, as rows.
 */

SHAPE(pf_thread_in, "thread_descriptor", FIELDS_THREAD)
SHAPE(pf_process_in, "process_descriptor", FIELDS_PROCESS)
SHAPE(pf_chrome_process, "chrome_process", FIELDS_CHROME_PROCESS)
SHAPE(pf_chrome_thread, "chrome_thread", FIELDS_CHROME_THREAD)
SHAPE(pf_counter_in, "counter_descriptor", FIELDS_COUNTER)
SHAPE(pf_track_in, "track_descriptor", FIELDS_TRACK)
SHAPE(pf_track_event, "track_event", FIELDS_EVENT)
SHAPE(pf_old_event, "track_event.legacy_event", FIELDS_OLD_EVENT)

/* The id of an old event, by which asynchronous ones belong together. */
static inline uint64_t
pf_old_id(const struct pf_old_event *old)
{
	return old->has_id ? old->id : old->has_local_id ? old->local_id : old->global_id;
}

enum pf_scope { PF_SCOPE_UNKNOWN, PF_SCOPE_BAD, PF_SCOPE_GLOBAL, PF_SCOPE_PROCESS, PF_SCOPE_THREAD };

struct pf_track {
	uint64_t	uuid, parent;
	struct pf_place	name, unit_name;
	uint32_t	pid, tid;	/* ids from the descriptor of the track */
	uint32_t	process, task;	/* rows: of the scope */
	double		multiplier;
	double		sum;		/* the last value of an incremental counter, of any sequence */
	uint32_t	word;		/* name of the track; 0: not yet asked */
	uint32_t	up, above, path;	/* the values of struct pf_about */
	bool		nested;		/* up, above and path are known */
	uint32_t	counter, level;	/* row of the counter among counters of marks; 1 + uses */
	uint8_t		scope;		/* enum pf_scope */
	uint8_t		unit;		/* 1: ns, 2: a count, 3: bytes */
	uint8_t		builtin;	/* 1: a counter of the CPU time of a thread, 2: of its instructions */
	bool		has_pid, has_tid, is_counter, incremental, is_state, apart, root;
};

/*
 * Kinds of calls: marks of the kernel, and tracks that are merged with them; tracks that stay apart from
 * those.
 */
enum pf_calls { PF_CALLS_NONE, PF_CALLS_MERGED, PF_CALLS_APART };

/*
 * Ids are reused: a task is one of those that had its tid, a process one of those that had its pid.  Rows
 * of both count from 1.
 */
struct pf_task {
	uint32_t	tid;
	uint32_t	process;	/* row of the process; 0: not known */
	uint32_t	word;		/* name of the task */
	uint32_t	thread;		/* thread in spans_in; 0: no call yet */
	uint32_t	before;		/* the task with that tid that was current before it; 0: none */
	uint32_t	sibling;	/* the next task of its process; 0: none */
	uint32_t	joined;		/* the next one in a ring of tasks of the same unknown process; 0: none */
	uint32_t	track;		/* track that describes the task; 0: none */
	uint32_t	second;		/* a further row, of its calls of the other kind; 0: none */
	uint32_t	of;		/* task of a further row; 0: this row is a task itself */
	uint8_t		calls;		/* enum pf_calls: which calls came first */
	uint8_t		rank;		/* rank of the source of the name */
	bool		ended, writes;	/* ended: it or its process; writes: it is in the system call */
	bool		seen;		/* in an event of the kernel */
};

struct pf_process {
	uint32_t	pid, word, process;	/* process: of marks_in; 0: not asked yet */
	uint32_t	serial;		/* how many processes had that pid before, and 1 */
	uint32_t	task;		/* the last one that was added; 0: none */
	uint32_t	track;		/* that describes it; 0: none */
	uint32_t	parent, uid, command;	/* a row of processes, and words; 0: unknown */
	uint32_t	scanned_parent;	/* pid of the parent in the last scan; 0: unknown */
	uint64_t	scanned_start;	/* start time in the last scan; 0: unknown */
	uint8_t		rank;
	bool		ended, kernel;	/* kernel: of a thread of the kernel */
};

enum { PF_NAMED_KERNEL = 1, PF_NAMED_TREE, PF_NAMED_CHROME, PF_NAMED_TRACK };

/* ---- clocks ------------------------------------------------------------------------ */

/*
 * Times of many clocks become times of one.
 */

enum { PF_SET_CLOCKS = 16, PF_HOPS = 4 };

/* From one clock to another one in the snapshots of the same set. */
struct pf_hop {
	uint32_t	set, from, to;	/* from, to: places in the set */
};

struct pf_clock {
	uint64_t	key;		/* key from pf_clock_key */
	uint64_t	multiplier;
	int64_t		last;		/* ns */
	bool		incremental, falls;	/* falls: its values went back, so it is not used as a source */
	uint32_t	version;	/* version of the sets for which hop is valid; 0: none */
	uint32_t	hops;		/* to the trace's clock; PF_HOPS + 1: there is no way */
	struct pf_hop	hop[PF_HOPS];
};

/* Snapshots of the same clocks. */
struct pf_clock_set {
	uint32_t	n;
	uint32_t	clock[PF_SET_CLOCKS];	/* rows of clocks */
	struct scratch	values;		/* int64_t, ns: n for each snapshot */
	uint64_t	rows;
};

struct pf_clocks {
	struct scratch	 clocks;	/* struct pf_clock */
	struct scratch	 sets;		/* struct pf_clock_set */
	struct idmap	 by_key, by_set;
	uint64_t	 nclocks, nsets, snapshots, bad;
	uint32_t	 trace;		/* id of the trace's clock; 0: unset, which means BOOTTIME */
	uint32_t	 version;	/* changes when a clock gets a new way to another one */
};

enum { CLOCK_OF_REALTIME = 1, CLOCK_OF_MONOTONIC = 3, CLOCK_OF_COARSE, CLOCK_OF_RAW = 5,
    CLOCK_OF_BOOTTIME = 6, CLOCK_OF_FILE = 11 };

uint64_t pf_clock_key(uint32_t sequence, uint32_t id);
/* The time of the trace's clock; false: there is no way to it yet. */
bool	pf_clock_convert(struct pf_clocks *, uint64_t key, int64_t time, int64_t *ns);
bool	pf_clock_snapshot(struct pf_clocks *, struct str message, uint32_t sequence, struct err *);
/* The time of day at a time of the trace's clock, ns since 1970; false: no snapshot has both. */
bool	pf_clock_realtime(const struct pf_clocks *, int64_t time, int64_t *ns);
/* Two clocks that had these values at the same moment. */
bool	pf_clock_pair(struct pf_clocks *, const uint64_t key[2], const int64_t value[2], struct err *);
void	pf_clocks_close(struct pf_clocks *);

/* ---- recorded ---------------------------------------------------------------------- */

/*
 * The values that a recorder wrote about the recording, before they become facts.
 */

enum { PF_CPUS = 1024, PF_LOSS_REASONS = 8, PF_RECORDER_STATS = 4, PF_SKIP_REASONS = 5 };

struct pf_recorded {
	uint64_t	reason[PF_LOSS_REASONS];	/* number of losses of sequences, by reason */
	/* lost kernel events, as counted when the recording began, and in it */
	uint64_t	before[PF_CPUS], cpu[PF_CPUS];
	uint64_t	stats[PF_RECORDER_STATS];
	uint64_t	skipped[PF_SKIP_REASONS];	/* samples without a stack, by reason */
	uint64_t	packages;
	struct pf_place	system, config, list;	/* list: of packages */
};

struct perfetto;
struct err;

/* Messages of their kind; dropped: the bits of a loss. */
void	pf_recorded_dropped(struct perfetto *, uint64_t bits);
void	pf_recorded_ftrace(struct perfetto *, struct str);
void	pf_recorded_stats(struct perfetto *, struct str);
void	pf_recorded_packages(struct perfetto *, struct str);
void	pf_recorded_config(struct perfetto *, struct str);
void	pf_recorded_system(struct perfetto *, struct str);
bool	pf_recorded_lost(const struct perfetto *);	/* whether the recorder lost something */
bool	pf_recorded_facts(struct perfetto *, struct err *);

/* ---- passed_over ------------------------------------------------------------------- */

/*
 * Packets, kernel events and fields that icecore does not show, counted by kind.
 */

struct perfetto;
struct err;

void	pf_skip_packet(struct perfetto *, uint64_t number);
void	pf_skip_event(struct perfetto *, uint32_t kind);
bool	pf_unread_facts(struct perfetto *, struct err *);
/* fails; the error lists what the trace contains instead of events */
bool	pf_nothing(const struct perfetto *, struct err *);

enum { PF_PACKETS = 136, PF_NESTED = 4, PF_TEXT_MOST = 4096, PF_LEFT = 256 };

/* Counters of errors, repairs and skipped data, named as the facts. */
enum pf_count {
	PF_BAD_PACKETS, PF_RESYNCS, PF_CUT, PF_BAD_FRAMING, PF_LOST_BYTES, PF_BAD_PACKED,
	    PF_OTHER_FIELDS, PF_DROPPED, PF_SKIPPED_STATE,
	PF_NO_CLOCK, PF_CLOCK_ASSUMED, PF_CLOCK_BAD, PF_CONCATENATED, PF_MACHINE, PF_BAD_FTRACE, PF_COMPACT,
	    PF_BEFORE_START, PF_LOST_FTRACE,
	PF_NO_NAME, PF_NO_TRACK, PF_NO_VALUE, PF_NO_TYPE, PF_NO_TIME, PF_BAD_MARK, PF_CONFLICT, PF_NEGATIVE,
	    PF_DEEPER, PF_LOST_SAMPLES, PF_NO_STACK, PF_CUT_STACKS, PF_HEAP_PACKETS, PF_HEAP_DUMPS,
	    PF_HEAP_FALLS, PF_COUNTS
};

/*
 * Kinds of rows; those before PF_TRACK_EVENT belong to a CPU.  PF_DESCRIBED describes threads, processes or
 * tracks.
 */
enum pf_row_kind { PF_FTRACE, PF_SWITCH, PF_WAKING, PF_LOST, PF_GENERIC, PF_TRACK_EVENT, PF_LEVEL, PF_DESCRIBED,
    PF_PACKET };

/* An event at a time. */
struct pf_row {
	uint64_t	time;		/* ns of the trace's clock; first, to be sorted */
	uint64_t	at;		/* where it stands; of a level: the uuid of its track */
	uint32_t	n;		/* bytes */
	/* state, and of PF_TRACK_EVENT the row of its CPU time, from 1; of PF_SWITCH: pid, prev_state; of PF_WAKING:
	 * pid, CPU; of
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
	uint32_t	pid, tid;	/* ids in the packet of an old thread descriptor; tid 0: none */
	uint32_t	clock;		/* 0: that of the trace */
	uint64_t	track;		/* uuid */
	struct pf_place	more, perf, stack;	/* TrackEventDefaults, PerfSampleDefaults, StackSampleDefaults */
	uint32_t	event;		/* word of the event of samples; 0: not yet looked for */
	uint64_t	period;		/* period of the event; 0: unknown */
	bool		timed;		/* in ns */
	/* profile: of a profile packet, whose texts have numbers of one kind */
	bool		has_track, valid, profile;
};

struct pf_sequence {
	uint32_t	state;		/* row in states, from 1 */
	uint64_t	trace;		/* how many traces there were before its own */
	bool		lost, seen, based;	/* based: time and cpu are known */
	int64_t		time, cpu;	/* running, ns, of old track events */
	uint32_t	profile;	/* state of the unfinished heap profile; 0: none */
	uint64_t	profile_next;	/* index of its next packet; 0: of the first */
	uint32_t	graph;		/* row of the unfinished heap graph; 0: none */
};

/* An incremental counter of a sequence. */
struct pf_sum {
	double		sum;		/* begins at 0 with new names */
	uint32_t	names;
};

/* Flags of a packet: it clears the state of its sequence; it needs that state. */
enum { FLAG_CLEARED = 1, FLAG_NEEDS = 2 };

/* A name that packets refer to by number. */
struct pf_interned {
	uint64_t	at, iid;	/* at: its message */
	uint32_t	n;
	uint32_t	names, field;	/* set of names, as in struct pf_state; kind of the name */
	uint32_t	text, text_n;	/* in the message, once it was looked for */
	uint32_t	frame;		/* once it was asked for: of a callstack the stack; 0: not yet */
	uint64_t	content;	/* hash of the content of a frame or callstack; 0: not yet */
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
	struct scratch	 sums;		/* struct pf_sum */
	uint64_t	 nsums;
	struct idmap	 by_sum;	/* by track and sequence */
};

/* frames.c */
struct pf_frames {
	struct scratch	 frames;
	uint64_t	 nframes;
	/* expected spans of frames; frames of apps by the frame that shows them */
	struct idmap	 by_frame, by_display;
};

/* args.c; bytes */
struct pf_args_found {
	struct scratch	 args, args_own;
	uint64_t	 nargs, nargs_own;
};

/* gpu.c; disks and pairs: system_stats.c */
struct pf_gpus {
	struct scratch	 gpu;		/* struct gpu_counter */
	uint64_t	 ngpu;
	struct idmap	 by_gpu;
	struct scratch	 disks;
	uint64_t	 ndisks;
	struct idmap	 by_disk;
	struct idmap	 by_pair;	/* words of counters, by field and key */
};

/* ftrace.c, generic.c */
struct pf_kernel {
	enum kernel_machine machine;
	uint32_t	 release;	/* 256 * major + minor; 0: unknown */
	struct pf_left { uint32_t from, to; uint16_t cpu; char letter; } left[PF_LEFT];	/* switches of that time */
	uint64_t	 left_time;
	unsigned	 nleft;
	uint32_t	 running[PF_CPUS];	/* rows of tasks by CPU, for compact switches; 0: not known */
	uint8_t		 first_bundle[PF_CPUS];
	const struct pf_row *row;	/* the event that is played; */
	uint32_t	 tid;		/* the task that it is about */
	/* times of the kernel events that were played; 0: there are none */
	uint64_t	 kernel_first, kernel_last;
};

struct perfetto {
	struct jload	*l;
	struct marks_in	 marks;
	struct str	 file;
	struct scratch	 spill;		/* bytes of decompressed packets, at offsets from file.n on */
	uint64_t	 nspill;
	struct kernel_player player;
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
	uint64_t	 events[KERNEL_KINDS];
	uint64_t	 uuid[2];
	bool		 has_uuid, preserve, logged;	/* logged: there are lines of a log */
	struct pf_recorded recorded;
	int64_t		 newest;	/* time of a packet */
	uint64_t	 started, range, ftrace_start;	/* ns; before these nothing counts */
	struct chrome_samples v8;	/* profiles of JavaScript */
	struct scratch	 samples;	/* struct pf_sample */
	uint64_t	 nsamples;
	struct pf_symbols symbols;
	struct pf_heaps	 heaps;
	struct pf_graphs graph;
	struct sched_events *sched;
	uint64_t	 first, last;	/* times of the first and the last event that were played */
	struct buf	 text;
};

/* Appends a row to a table of struct perfetto, and counts it. */
#define PF_ADD(of, rows, new, what, err) make_add(&(of).rows, &(of).n##rows, &(new), sizeof(new), MAKE_MOST, (what), \
    (err))
/* The row of a key in a table with a map; if there is none, new is added.  NULL: failure. */
#define PF_ENTRY(of, by, key, rows, new, what, err) \
	pf_entry(&(of).by, (key), &(of).rows, &(of).n##rows, &(new), sizeof(new), (what), (err))

static inline void *
pf_entry(struct idmap *by, uint64_t key, struct scratch *rows, uint64_t *n, const void *new, size_t size,
    const char *what, struct err *err)
{
	uint32_t at;

	if (!idmap_enter(by, key, (uint32_t)*n + 1, &at, err) ||
	    (at > *n && !make_add(rows, n, new, size, MAKE_MOST, what, err)))
		return NULL;
	return rows->data + (at - 1) * size;
}

/* Count an error, a repair or a loss; true. */
static inline bool
pf_count(struct perfetto *p, enum pf_count what)
{
	p->count[what]++;
	return true;
}

#define PF_TIME_MOST SCHED_TIME_MOST	/* ns: as switches, all events are before it */

/* A time of calls and samples, where 0 means none. */
#define PF_TIME(time) ((time) + 1)

/* The bytes from an offset of the file, or of what was unpacked. */
static inline struct str
pf_bytes(const struct perfetto *p, uint64_t at, uint64_t n)
{
	return at < p->file.n ? (struct str){ p->file.s + at, (size_t)n } :
	    (struct str){ (const char *)p->spill.data + (at - p->file.n), (size_t)n };
}

/* Where bytes of it stand. */
static inline uint64_t
pf_offset(const struct perfetto *p, const char *s)
{
	return samples_has_text(&p->l->samples, (struct str){ s, 0 }) ? (uint64_t)(s - p->file.s) :
	    p->file.n + (uint64_t)(s - (const char *)p->spill.data);
}

static inline struct pf_place
pf_place(const struct perfetto *p, struct str s)
{
	return (struct pf_place){ s.n > 0 ? pf_offset(p, s.s) : 0, (uint32_t)s.n };
}

static inline struct str
pf_placed(const struct perfetto *p, struct pf_place place)
{
	return pf_bytes(p, place.at, place.n);
}

/* packets.c: all packets, in order; the packet is valid during take. */
typedef bool (*pf_take)(struct perfetto *, const struct pf_packet *, struct err *);
bool	pf_packets(struct perfetto *, pf_take, struct err *);
/* Whether this is the beginning of a trace, or a piece of one. */
bool	pf_sniff(const uint8_t *head, size_t n);

/* state.c: what a packet changes in its sequence; *state 0: it is to be skipped. */
bool	pf_state_of(struct perfetto *, const struct pf_packet *, uint32_t *sequence, uint32_t *state,
    struct err *);
struct pf_sequence *pf_sequence(struct perfetto *, uint32_t id, struct err *);
struct pf_interned *pf_interned(const struct perfetto *, uint32_t state, unsigned field, uint64_t iid);
/* The text of an interned message, {1 iid, 2 text}; false: there is none. */
bool	pf_interned_text(const struct perfetto *, uint32_t state, unsigned field, uint64_t iid,
    struct str *text);

/* Return the message of an interned name; empty: there is none. */
static inline struct str
pf_interned_message(const struct perfetto *p, uint32_t state, unsigned field, uint64_t iid)
{
	const struct pf_interned *in = pf_interned(p, state, field, iid);

	return in == NULL ? STR("") : pf_bytes(p, in->at, in->n);
}

static inline const struct pf_state *
pf_state(const struct perfetto *p, uint32_t state)
{
	return &SCRATCH(p->seq.states, struct pf_state)[state - 1];
}

/*
 * Names of a message like InternedData belong to names; field 0: each of its own field, else all fields of
 * that number are of that kind.
 */
bool	pf_intern(struct perfetto *, uint32_t names, struct str data, unsigned from, unsigned field,
    struct err *);

/*
 * The thread that a message describes, {1 pid, 2 tid, 5 name, 6 time, 7 CPU time}: also of old events of
 * the sequence.
 */
bool	pf_thread_described(struct perfetto *, struct str message, uint32_t sequence, struct err *);

/* rows.c: a packet becomes rows. */
bool	pf_rows(struct perfetto *, const struct pf_packet *, struct err *);
bool	pf_row(struct perfetto *, const struct pf_row *, struct err *);	/* runs.c */
static inline bool
pf_now_timed(const struct pf_now *now)
{
	return pf_field(now->k, PKT_TIME)->number != 0 && now->time >= 0;
}

/* Make a row of a message of the packet. */
static inline bool
pf_now_row(struct perfetto *p, const struct pf_now *now, struct str m, enum pf_row_kind kind,
    bool describes, struct err *err)
{
	return pf_row(p, &(struct pf_row){ .time = now->time < 0 ? 0 : (uint64_t)now->time,
	    .at = pf_offset(p, m.s), .n = (uint32_t)m.n, .a = now->state, .b = now->number,
	    .kind = (uint8_t)kind, .flags = describes }, err);
}

bool	pf_late_rows(struct perfetto *, struct err *);	/* rows of packets that precede the snapshots of their clock */
/* event_rows.c: of a packet at that time, if it has none of its own. */
pf_rows_fn pf_event_rows;
/*
 * A value of the counter of a track, which is described already.  An incremental counter adds up what a
 * sequence writes, and begins at 0 with new names of the sequence.
 */
bool	pf_level_row(struct perfetto *, const struct pf_now *, int64_t time, uint64_t uuid, double value,
    struct err *);
/* probes.c: power rails, whose values have times of their own. */
pf_rows_fn pf_rail_rows;
/* ftrace_rows.c */
bool	pf_ftrace_rows(struct perfetto *, struct str bundle, uint32_t state, uint32_t sequence, struct err *);

/* tracks.c */
bool	pf_track_described(struct perfetto *, struct str descriptor, uint32_t sequence, struct err *);
struct pf_track *pf_track(struct perfetto *, uint64_t uuid, struct err *);	/* made if it is missing */
struct pf_track *pf_track_known(const struct perfetto *, uint64_t uuid);	/* or NULL */
/* Find out what a track is of; it is bad if it has too many parents, or a cycle of them. */
bool	pf_track_scope(struct perfetto *, struct pf_track *, struct err *);
/* what a counter counts in; empty: unknown */
struct str pf_track_unit(const struct perfetto *, const struct pf_track *);
/* Return the row of the process of a track; 0: none. */
uint32_t pf_track_process(const struct perfetto *, const struct pf_track *);

#include "play.h"

/* ---- async ------------------------------------------------------------------------- */

/*
 * Events that are not calls of a thread.
 */

struct perfetto;
struct pf_track;
struct err;

/* Spans that are not calls, by a key of their own, innermost first; counters; instants. */
struct pf_about {
	uint32_t	pid, tid;	/* ids of the current process and task; 0: none */
	uint32_t	process, task;	/* rows of them, instead of ids; 0: by the ids */
	uint32_t	name, cat;	/* words */
	uint32_t	kind;		/* word: of frames, whose names are numbers; else 0 */
	uint32_t	args;		/* number of pf_args; 0: none */
	uint32_t	tag;		/* word: of a line of a log; 0: none */
	char		priority;	/* letter of the priority */
	uint32_t	track;		/* word: what spans over time are called together; 0: the name */
	/* a nested track has 1 + the series of its parent and the path of its parents as a word; others 0 */
	uint32_t	up, above;
	uint32_t	path;		/* word: above and the name of the track; 0: it has none */
	uint32_t	counter;	/* row of the track of a counter; 0: it has none of its own */
	struct str	unit;		/* what a counter counts in; empty: unknown */
};
/* Numbers of spans_in and marks_in. */
bool	pf_async_ids(struct perfetto *, const struct pf_about *, uint32_t *thread, uint32_t *process,
    struct err *);
/* tracks.c: set up, above and path for a track with a scope. */
bool	pf_nest(struct perfetto *, struct pf_track *, struct pf_about *, struct err *);
bool	pf_async_begin(struct perfetto *, uint64_t key, uint64_t time, const struct pf_about *, struct err *);
bool	pf_async_end(struct perfetto *, uint64_t key, uint64_t time, struct err *);
/* The args of the end that follows. */
bool	pf_async_end_args(struct perfetto *, uint64_t key, uint32_t args, struct err *);
bool	pf_instant(struct perfetto *, uint64_t time, const struct pf_about *, char scope, struct err *);
/* Print into p->text; then the word of that. */
#define PF_TEXT(p, ...) (buf_clear(&(p)->text), buf_printf(&(p)->text, __VA_ARGS__))
bool	pf_text_word(struct perfetto *, uint32_t *word, struct err *);
bool	pf_level(struct perfetto *, uint64_t time, const struct pf_about *, double value, struct err *);
bool	pf_async_columns(struct perfetto *, struct err *);
bool	pf_async_args(struct perfetto *, struct err *);		/* the columns of args */
#endif
