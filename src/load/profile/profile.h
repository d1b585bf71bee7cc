/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile: three interfaces for loaders of names with times and weights (columns: load.h).
 *
 * - samples: stacks with weights, for sampling profilers (folded.c, perf.c, cpuprofile.c);
 * - spans: (thread, start, end, name) in any order, for tracers (chrome.c);
 * - calls: enters and exits, in time order for each thread (speedscope.c); spans are converted to calls.
 *
 * All three share the tables of names and threads in struct samples. Ids count from 1; 0 means none. A
 * function that returns an id returns 0 on failure, with err set.
 */
#ifndef LOAD_PROFILE_H
#define LOAD_PROFILE_H

#include "icecore/make.h"
#include "icecore/json.h"
#include "icecore/texts.h"
#include "label_sets.h"
#include "sample_rows.h"

enum { WEIGHT_DECIMALS = 6, MONEY_DECIMALS = 13 };	/* maximum number of decimals */
#define PERIOD_MOST 3600000000000u	/* ns; longer periods are errors */
/* limit for the sum of an event's weights, and for differences of sums */
#define WEIGHT_MOST ((uint64_t)INT64_MAX)

struct samples {
	struct store	*st;
	struct work	*work;
	const char	*source;
	uint64_t	 source_size;
	struct scratch	 names, stacks, threads, events, periods;
	struct sample_rows rows;
	struct label_sets labels;	/* their labels */
	struct text_pool own, event_text, state_text;	/* not in the source */
	struct idmap	 by_name, by_stack, by_thread, by_event;
	uint64_t	 nnames, nstacks, nsamples, nthreads, nevents, nperiods;
	uint64_t	 rounded, saturated;	/* weights that lost decimals, or were too large */
	uint32_t	 no_frame;	/* stack of samples without frames, or 0 */
	uint32_t	 chosen;	/* the default event; 0: the one with the most samples */
	const char	*chosen_by;	/* reason for this choice */
	uint32_t	 cut_frame;	/* frame in place of omitted outermost frames; 0: none */
	unsigned	 most_decimals, decimals;	/* maximum of the weights so far */
	bool		 times, differs;	/* samples have a time, or the base file's weight */
	uint64_t	 from, to;	/* start and end of time on that clock; to 0: from the first to the
					 * last sample */
	enum { COUNT_ONE, COUNT_TOLD, COUNT_WEIGHT } counts;	/* samples per row: one, sample.count, or
								 * its weight */
	uint64_t	 ranked;	/* only this number of events may be the default; 0: all */
};

/* Rows of the tables; own: offset of a text not in the source, 0: use the ref. */
struct sample_name {
	uint64_t	ref, file, module;
	uint32_t	own, file_own, module_own;
	char		kind;
	uint8_t		has_cpu;	/* the CPU time of a call is known */
	uint8_t		state;		/* no function: see state_told */
	int64_t		line;		/* where it begins in its file, or was first sampled; -1: unknown */
};

struct sample_stack {
	uint32_t	parent, frame;
	uint32_t	child;		/* the first one; others are in by_stack */
};

struct sample_thread {
	uint64_t	ref;
	uint32_t	own, pid, tid;
	uint32_t	told;		/* for calls: the id in the file, if tid was made unique */
};

struct sample_event {
	uint64_t	ref;
	uint32_t	own, unit;
	enum weight_type type;
	uint64_t	samples, weight, before;
	uint8_t		fills;		/* enum sample_fills */
};

/*
 * How long a sample fills the calls around it: not at all; to the next one of its thread; to the next one, but
 * not much longer than the usual step, because threads that sleep have no samples.
 */
enum sample_fills { FILLS_NOTHING, FILLS_ALL, FILLS_STEP };

void	samples_open(struct samples *, struct store *, struct work *);
void	samples_close(struct samples *);
/*
 * Return the id of a frame, identified by text (copied if not in the source), file (or empty) and
 * listed.kind.
 */
uint32_t samples_frame(struct samples *, struct str text, struct str file, char kind, struct err *);
/*
 * samples_frame without a file, in two steps, so that several lookups overlap: samples_ahead returns the
 * key for samples_named.
 */
uint64_t samples_ahead(const struct samples *, struct str text, char kind);
uint32_t samples_named(struct samples *, uint64_t key, struct str text, char kind, struct err *);
/* A function identified by name, module and kind; samples_placed: also by file. */
uint32_t samples_function(struct samples *, struct str text, struct str module, char kind, struct err *);
uint32_t samples_placed(struct samples *, struct str text, struct str file, struct str module, char kind,
    struct err *);
/* A function identified by file, line (from 1) and column where it begins. Line 0: unknown. */
uint32_t samples_begun(struct samples *, struct str text, struct str file, uint64_t line, uint64_t column,
    struct err *);
/* The frame begins at that line of its file (from 1), or was sampled there; the first known line is kept. */
void	samples_line(struct samples *, uint32_t frame, uint64_t line);
/* frame on top of parent (0: none); a state (state_told) on top of a function is the stack of that function */
uint32_t samples_stack(struct samples *, uint32_t parent, uint32_t frame, struct err *);
/* Prefetch what a later samples_stack for parent will read, and for a frame (not 0). */
void	samples_stack_ahead(const struct samples *, uint32_t parent, uint32_t frame);
/*
 * Stacks of many samples, with the same results as samples_stack for each, but with overlapping memory
 * accesses.
 */
struct sample_path {
	const uint32_t	*frame;		/* outermost first */
	uint64_t	 n;
	uint32_t	 stack;		/* result; 0: no frames */
};

bool	samples_stacks(struct samples *, struct sample_path *, size_t n, struct err *);
/* Return the thread with these ids and name (may be empty); add it if one of them differs. */
uint32_t samples_thread(struct samples *, uint32_t pid, uint32_t tid, struct str name, struct err *);
/* Add a thread, even if one has the same ids and name: ids are reused. */
uint32_t samples_thread_new(struct samples *, uint32_t pid, uint32_t tid, struct str name, struct err *);
/* unit: name of the unit; for times "ns", "us", "ms" or "s". A state's id is its index in sample.states. */
uint32_t samples_event(struct samples *, struct str name, enum weight_type, const char *unit, struct err *);
uint32_t samples_state(struct samples *, struct str, struct err *);
void	samples_fill(struct samples *, uint32_t event, enum sample_fills);
/* Frames that are made from here on are others than the earlier ones, even with the same name. */
void	samples_apart(struct samples *);

struct weight_unit {
	const char	*unit;		/* argument of samples_event */
	uint64_t	 factor;	/* from the values of the file */
	enum weight_type type;
};

/* Find the unit with a name that profilers use: "nanoseconds", "kilobyte", "count".  False: unknown. */
bool	weight_unit(struct str, struct weight_unit *);
struct str samples_event_name(const struct samples *, uint32_t event);
/* Choose the event "unreleased bytes ..." with most memory, of profiles of native heaps alone. */
void	samples_choose_heap(struct samples *);
/*
 * Convert a number such as 12 or 31.25 to fixed-point with the current decimals. More decimals scale up all
 * earlier weights; weights not yet added must then be parsed again.
 */
bool	samples_weight(struct samples *, struct str digits, uint64_t *weight, struct err *);
/*
 * Use at least this number of decimals from here on, so that sums stay exact; if sums would overflow, round
 * new weights.
 */
bool	samples_decimals(struct samples *, unsigned decimals, struct err *);
uint64_t samples_whole(const struct samples *, uint64_t v);	/* an integer with the current decimals */
void	samples_count_rows(struct samples *);	/* the weights are not sample counts: some have decimals, or
						 * all are 0 */
/* Store a text as a ref or, if it is not in the source, in the pool; and get it back. */
bool	samples_text(struct samples *, struct text_pool *, struct str text, uint64_t *ref, uint32_t *place,
    struct err *);
struct str samples_text_at(const struct samples *, const struct text_pool *, uint64_t ref, uint32_t place);
struct str samples_frame_name(const struct samples *, uint32_t frame);
/* Return whether the text is in the source. */
bool	samples_has_text(const struct samples *, struct str text);
/* stack 0: no frames; it gets a frame with an empty name. thread and event must exist. */
bool	samples_add(struct samples *, const struct sample *, struct err *);
/*
 * A text in parts, one per thread, each with its own samples. The others are joined to the first part, in
 * text order. *alike: the result equals that of a single thread exactly. If not, nothing was joined, and
 * one thread must read everything (sums of weights near 2^63). Texts of threads must be in the source.
 */
uint64_t text_parts(uint64_t size);	/* useful number of parts, at least 1 */
/* offset of part i, at a line start; i = n: size */
uint64_t text_part(const char *data, uint64_t size, uint64_t i, uint64_t n);
bool	samples_join(struct samples *, struct samples *part, bool *alike, struct err *);
/*
 * The weights of the event count samples, which were taken each ns from that time on (on their clock; 0: always). They
 * become times: see samples_period.c. ns 0: unknown, no change. The event may be added later, or never.
 */
bool	samples_period(struct samples *, struct str event, uint64_t since, uint64_t ns, struct err *);
bool	samples_period_settle(struct samples *, struct err *);
bool	samples_columns(struct samples *, struct err *);	/* write columns and facts */
/*
 * Write samples that accompany calls, which provide names and threads: no event counts. Samples before
 * first are moved to it.
 */
bool	samples_beside(struct samples *, uint64_t first, struct err *);

/* ---- calls ---------------------------------------------------------------------- */

struct calls_in {
	struct samples	*names;		/* frames and threads; samples, if the file has some as well as calls */
	struct scratch	 events;	/* struct call_event, in time order for each thread */
	uint64_t	 n;
	uint64_t	 with_cpu;	/* calls whose CPU time is known; 0: events have none */
	uint64_t	 first;		/* start of time if it is before the first call; 0: at the first call */
	uint64_t	 nframes;	/* in names: later frames belong to samples only; 0: no such frames */
	unsigned	 shapes;	/* other data in the file; not 0: it may have no calls */
	struct scratch	 args;		/* struct span_args by event; nargs: number of events that have args */
	uint64_t	 nargs;
	uint64_t	 listed;	/* frames of calls, with those of samples that became calls; 0: nframes */
	uint64_t	 unplaced;	/* samples that would have made too many calls */
};

/* Numbers chosen by the reader for a begin and an end; 0: none. */
struct span_args {
	uint32_t	begin, end;
};

struct call_event {
	uint64_t	time;		/* ns on any clock */
	uint64_t	cpu;		/* ns, never decreases within a thread; SPAN_NO_CPU: unknown */
	uint32_t	thread;		/* id from samples_thread of names */
	uint32_t	word;		/* 4 * frame + enum action */
};

bool	calls_in_add(struct calls_in *, const struct call_event *, struct err *);
/*
 * Put the samples of events that fill (samples_fill) into calls, which are grouped by thread in order of ids.
 * A sample becomes calls of its frames, inside the innermost call at its time, and lasts as calls_fill.c says.
 * Frames of samples must be apart from those of calls.  Afterwards "calls" is an event: the calls alone.
 */
bool	calls_in_fill(struct calls_in *, struct err *);
/* Write the columns and facts of a method trace; call it once, because it changes threads and times. */
bool	calls_in_columns(struct calls_in *, struct err *);

/* ---- spans ---------------------------------------------------------------------- */

/*
 * Interface for formats with start, end and name. Spans may come in any order. Spans of a thread are nested
 * by time; one that is longer than its enclosing span is cut to end with it. The following is a complete
 * loader, except for parsing the lines (process, thread, start, end, name); tests/unit/spanlog.c runs it:
 *
 *	struct into to = { .samples = &names, .spans = &in, .work = w, .err = err };
 *
 *	samples_open(&names, st, w);
 *	spans_in_open(&in, &names);
 *	while (into_go(&to, (uint64_t)(text.s - source)) && next_line(&text, &pid, &tid, &start, &end, &name)) {
 *		span = (struct span){ start, end, INTO_ID(&to, spans_in_thread(&in, pid, tid, err)),
 *		    into_frame(&to, name), SPAN_NO_CPU, SPAN_NO_CPU, 0 };
 *		INTO(&to, spans_in_add(&in, &span, err));
 *	}
 *	INTO(&to, spans_in_calls(&in, err) && fact_set_text(st, FACT_FORMAT, STR("my format"), err) &&
 *	    calls_in_columns(&in.calls, err));
 *	spans_in_close(&in);
 *	samples_close(&names);
 *	return !to.bad;
 */
struct span {
	uint64_t	start, end;	/* ns on any clock */
	uint32_t	thread, frame;	/* ids from spans_in_thread and samples_frame */
	/* CPU time of its thread at its start, and in it, ns below 2^62; SPAN_NO_CPU: unknown. */
	uint64_t	cpu, cpu_length;
	uint32_t	args;		/* any number chosen by the reader; also for an end. calls_in.args
					 * has them by event */
	uint32_t	cat;		/* spans_category of its category; 0: unknown */
};

#define SPAN_NO_CPU UINT64_MAX

/* A number below 2^30 for a category: an end has that of its span. */
static inline uint32_t
spans_category(struct str category)
{
	return category.n == 0 ? 0 : (uint32_t)idmap_hash_text(category, 0) >> 2 | 1;
}

struct spans_in {
	struct calls_in	 calls;
	struct scratch	 threads, rows, open;
	struct scratch	 args;		/* struct span_args of rows, in order of appearance */
	struct scratch	 cpus;		/* CPU times of rows */
	uint64_t	 nargs, ncpus;
	struct scratch	 text;		/* names of threads that are not in the source */
	struct idmap	 by_id, by_tid;
	uint64_t	 nthreads, nrows, ntext;
	uint64_t	 last;		/* open spans end at this time */
	/* Unescape the id of a thread if it is a text; NULL: the id is used unchanged. */
	struct str	 (*unescape)(struct str, struct buf *);
	/*
	 * Set when spans become calls: ends without a start, or with another name; starts without an end, or
	 * ended by that of an outer call; spans cut because they crossed others, and the time they lost; spans
	 * without a CPU time beside those with one; spans with 1 us more of CPU time than of time.
	 */
	uint64_t	 no_begin, end_name, no_end, outer_end, overlap, overlap_time, no_cpu, fast_cpu;
};

void	spans_in_open(struct spans_in *, struct samples *names);
void	spans_in_close(struct spans_in *);
/*
 * Return the thread with these ids, numbers or names, which are in the source; its default name is the ids.
 */
uint32_t spans_in_thread(struct spans_in *, struct str pid, struct str tid, struct err *);
/* Return the first thread with that tid in any process, or a new one without a process. */
uint32_t spans_in_any(struct spans_in *, struct str tid, struct err *);
/*
 * Return the first thread with that tid, or a new one in that process (0: unknown); the name is for an
 * unnamed thread.
 */
uint32_t spans_in_task(struct spans_in *, uint32_t pid, uint32_t tid, struct str name, struct err *);
bool	spans_in_name(struct spans_in *, uint32_t thread, struct str name, struct err *);
void	spans_in_of(struct spans_in *, uint32_t thread, uint32_t pid, uint32_t tid);	/* set its ids */
uint32_t spans_in_tid(const struct spans_in *, uint32_t thread);
/* Times must be below 2^63; a span that ends before its start has length 0. */
bool	spans_in_add(struct spans_in *, const struct span *, struct err *);
/*
 * Add a begin or an end, in any order (both use start only). An end closes the innermost begin of its
 * thread with its frame and category (0: any), and those inside it. An end that names no open span is
 * dropped if the span around it is closed by name later, else it closes that. Open spans last to the end of
 * the trace.
 */
bool	spans_in_begin(struct spans_in *, const struct span *, struct err *);
bool	spans_in_end(struct spans_in *, const struct span *, struct err *);
/* Renumber the threads: place has the new number of each, from 1. Call it before spans become calls. */
bool	spans_in_order(struct spans_in *, const uint32_t *place, struct err *);
/* At the end: convert spans to calls and threads to those of names, and count errors. */
bool	spans_in_calls(struct spans_in *, struct err *);

/* ---- threads -------------------------------------------------------------------- */

/* A thread as profilers write it; name may be empty. */
struct thread_told {
	uint32_t	pid, tid;	/* 0: unknown */
	struct str	name;
};

/*
 * Take frames that name a process or a thread off the front of a folded stack: "[name tid=1]" (async-
 * profiler), "thread (1): name", "process 1:"command"" (py-spy), "P1;T2" (Austin); or parse the name of a
 * profile: "Thread 1 "name"". False: there are none.
 */
bool	thread_told(struct str *stack, struct thread_told *);
/* The same for one frame, which names nothing else; what frames before it named stays. */
bool	frame_told(struct str frame, struct thread_told *);
/*
 * Return the state of a thread that dotnet-trace puts on top of its stack, like a function; NULL: a function.
 * Loaders need not ask: spans and stacks leave such frames out, so the function below has their time.
 */
const char *state_told(struct str frame);

/* A function of async-profiler that calls malloc and the like for the program; with or without its library. */
bool	hook_told(struct str frame);

/* Other data than calls and samples, and readers of JSON; these need what is above. */
#include "marks_in.h"
#include "into.h"
#include "jload.h"
#endif
