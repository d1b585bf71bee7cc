/*
 * profile: three ways from a file to names with times and weights (columns: load.h).
 *
 * - samples: stacks with weights, for profilers that look now and then (folded.c, perf.c, cpuprofile.c);
 * - spans: (thread, start, end, name) in any order, for tracers that tell pieces of time (chrome.c);
 * - calls: enters and exits, each thread's in order of time (speedscope.c); spans become these.
 *
 * All three share the tables of names and threads in struct samples.  Ids are from 1, 0 is none, and a function that
 * returns an id returns 0 when it failed, with err filled.
 */
#ifndef LOAD_PROFILE_H
#define LOAD_PROFILE_H

#include "icecore/make.h"
#include "icecore/json.h"
#include "icecore/texts.h"
#include "sample_rows.h"

enum { WEIGHT_DECIMALS = 6, MONEY_DECIMALS = 13 };	/* at most so many are kept */
#define WEIGHT_MOST ((uint64_t)INT64_MAX)	/* all weights of an event together; what differs must fit too */

struct samples {
	struct store	*st;
	struct work	*work;
	const char	*source;
	uint64_t	 source_size;
	struct scratch	 names, stacks, threads, events;
	struct sample_rows rows;
	struct text_pool own, event_text, state_text;	/* that do not lie in the source */
	struct idmap	 by_name, by_stack, by_thread, by_event;
	uint64_t	 nnames, nstacks, nsamples, nthreads, nevents;
	uint64_t	 rounded, saturated;	/* weights that lost decimals, that were too large */
	uint32_t	 no_frame;	/* stack of samples without any, or 0 */
	uint32_t	 chosen;	/* the event that counts; 0: the one with the most samples */
	const char	*chosen_by;	/* why that one */
	uint32_t	 cut_frame;	/* stands for outermost frames that were left out; 0: none does */
	unsigned	 most_decimals, decimals;	/* of the weights so far */
	bool		 times, differs;	/* samples have their time, their weight before */
	uint64_t	 from, to;	/* where time begins and ends, on that clock; to 0: with the first and the last sample */
	enum { COUNT_ONE, COUNT_TOLD, COUNT_WEIGHT } counts;	/* samples per row: one, sample.count, or its weight */
	uint64_t	 ranked;	/* only the first so many events may be the one that counts; 0: all */
};

/* Rows of the tables; own: place of a text of our own, 0: the ref counts. */
struct sample_name {
	uint64_t	ref, file, module;
	uint32_t	own, file_own, module_own;
	char		kind;
	int64_t		line;		/* where it begins in its file, or was met first; -1: not told */
};

struct sample_stack {
	uint32_t	parent, frame;
	uint32_t	child;		/* the first one; the others are in by_stack */
};

struct sample_thread {
	uint64_t	ref;
	uint32_t	own, pid, tid;
	uint32_t	told;		/* of calls: the id in the file, where tid is one that tells it apart */
};

struct sample_event {
	uint64_t	ref;
	uint32_t	own, unit;
	enum weight_type type;
	uint64_t	samples, weight, before;
};

void	samples_open(struct samples *, struct store *, struct work *);
void	samples_close(struct samples *);
/* The id of a frame: text (copied if it is not of the source), file (or empty) and listed.kind tell it from others. */
uint32_t samples_frame(struct samples *, struct str text, struct str file, char kind, struct err *);
/*
 * samples_frame without a file, in two steps, so that several lookups overlap: samples_ahead returns the key
 * for samples_named.
 */
uint64_t samples_ahead(const struct samples *, struct str text, char kind);
uint32_t samples_named(struct samples *, uint64_t key, struct str text, char kind, struct err *);
/* A function of a module, in which it is the same only when all three are; one of both, when all four are. */
uint32_t samples_function(struct samples *, struct str text, struct str module, char kind, struct err *);
uint32_t samples_placed(struct samples *, struct str text, struct str file, struct str module, char kind, struct err *);
/* A function that begins at this line (from 1) and column of its file, all of which tell it from others.  Line 0: unknown. */
uint32_t samples_begun(struct samples *, struct str text, struct str file, uint64_t line, uint64_t column, struct err *);
/* The frame begins at that line of its file (from 1), or was sampled there; the first known line is kept. */
void	samples_line(struct samples *, uint32_t frame, uint64_t line);
uint32_t samples_stack(struct samples *, uint32_t parent, uint32_t frame, struct err *);	/* frame on top of parent (0: none) */
/* samples_stack will be asked for that: what it reads first is fetched meanwhile, and with a frame (not 0) what it reads then. */
void	samples_stack_ahead(const struct samples *, uint32_t parent, uint32_t frame);
/* Stacks of many samples, as samples_stack would make them one after the other: memory is waited for once for all of them. */
struct sample_path {
	const uint32_t	*frame;		/* outermost first */
	uint64_t	 n;
	uint32_t	 stack;		/* what is found; 0: of no frames */
};

bool	samples_stacks(struct samples *, struct sample_path *, size_t n, struct err *);
/* The thread with those ids and that name (may be empty); new when any of them is. */
uint32_t samples_thread(struct samples *, uint32_t pid, uint32_t tid, struct str name, struct err *);
/* unit: what one is called; of times "ns", "us", "ms" or "s", which says how long it is.  A state's id is its place in sample.states. */
uint32_t samples_event(struct samples *, struct str name, enum weight_type, const char *unit, struct err *);
uint32_t samples_state(struct samples *, struct str, struct err *);
struct str samples_event_name(const struct samples *, uint32_t event);
/*
 * A number like 12 or 31.25, into fixed-point with the decimals so far; more decimals make all earlier weights longer, also
 * those that were not added yet: these must then be read again.
 */
bool	samples_weight(struct samples *, struct str digits, uint64_t *weight, struct err *);
/* At least so many decimals from here on, so that all sums stay exact; where these would not fit any more, new ones are rounded. */
bool	samples_decimals(struct samples *, unsigned decimals, struct err *);
uint64_t samples_whole(const struct samples *, uint64_t v);	/* a whole number with the decimals so far */
void	samples_count_rows(struct samples *);	/* the weights are not sample counts: some have decimals, or all are 0 */
/* A text as a ref or, where the source lacks it, as one of our own; and back. */
bool	samples_text(struct samples *, struct text_pool *, struct str text, uint64_t *ref, uint32_t *place, struct err *);
struct str samples_text_at(const struct samples *, const struct text_pool *, uint64_t ref, uint32_t place);
bool	samples_has_text(const struct samples *, struct str text);	/* it lies in the source */
/* stack 0: one without frames, which gets one with an empty name.  thread and event are ids that exist. */
bool	samples_add(struct samples *, const struct sample *, struct err *);
/*
 * A text in parts, one a thread, each with samples of its own; those of the first part are joined by those of the others, in the
 * order of the text.  *alike: the result is what one thread alone would have found, to the byte; if not, nothing was joined, and
 * one thread has to read all (sums of weights near 2^63).  Texts of threads must lie in the source.
 */
uint64_t text_parts(uint64_t size);	/* as many as are worth it, at least 1 */
uint64_t text_part(const char *data, uint64_t size, uint64_t i, uint64_t n);	/* where part i begins, with a line; i = n: size */
bool	samples_join(struct samples *, struct samples *part, bool *alike, struct err *);
bool	samples_columns(struct samples *, struct err *);	/* and facts */
/*
 * Write samples that accompany calls, which provide names and threads: no event counts.  Samples before first
 * are moved to it.
 */
bool	samples_beside(struct samples *, uint64_t first, struct err *);

/* ---- calls ---------------------------------------------------------------------- */

struct calls_in {
	struct samples	*names;		/* frames and threads; samples, where there are some beside the calls */
	struct scratch	 events;	/* struct call_event, each thread's in order of time */
	uint64_t	 n;
	uint64_t	 with_cpu;	/* calls whose CPU time is known; 0: events have none */
	uint64_t	 first;		/* where time begins, if that is before the first call; 0: there */
	uint64_t	 nframes;	/* of names: those behind them are of samples alone; 0: there are no such */
	unsigned	 shapes;	/* what else the file has; not 0: there may be no calls */
	struct scratch	 args;		/* struct span_args by event; nargs: so many of them, the others have none */
	uint64_t	 nargs;
};

/* Numbers of what the reader knows of a begin and an end; 0: nothing. */
struct span_args {
	uint32_t	begin, end;
};

struct call_event {
	uint64_t	time;		/* ns on any clock */
	uint64_t	cpu;		/* ns, never falls within a thread */
	uint32_t	thread;		/* of names */
	uint32_t	word;		/* 4 * frame + enum action */
};

bool	calls_in_add(struct calls_in *, const struct call_event *, struct err *);
/* The columns and facts of a method trace; once, because threads and times are changed for it. */
bool	calls_in_columns(struct calls_in *, struct err *);

/* ---- spans ---------------------------------------------------------------------- */

/*
 * The way in for formats that tell when something began, when it ended and what it is called.  Spans may come in any
 * order; those of a thread lie within each other by their times, and one that is longer than the span around it ends
 * with that.  Without the reading of its lines (thread, start, end, name) this is a whole loader; tests/unit/spanlog.c runs it:
 *
 *	samples_open(&names, st, w);
 *	spans_in_open(&in, &names);
 *	while (ok && next_line(&text, &thread, &start, &end, &name)) {
 *		span = (struct span){ start, end, spans_in_named(&in, thread, err),
 *		    samples_frame(&names, name, STR(""), 0, err), SPAN_NO_CPU, SPAN_NO_CPU, 0 };
 *		ok = span.thread != 0 && span.frame != 0 && spans_in_add(&in, &span, err);
 *	}
 *	ok = ok && spans_in_calls(&in, err) && fact_set_text(st, FACT_FORMAT, STR("my format"), err) &&
 *	    calls_in_columns(&in.calls, err);
 *	spans_in_close(&in);
 *	samples_close(&names);
 */
struct span {
	uint64_t	start, end;	/* ns on any clock */
	uint32_t	thread, frame;	/* of spans_in_thread, samples_frame */
	/* CPU time of its thread at its start, and in it, ns below 2^62; SPAN_NO_CPU: not known. */
	uint64_t	cpu, cpu_length;
	uint32_t	args;		/* any number of the reader's; of an end too.  calls_in.args has them by event */
};

#define SPAN_NO_CPU UINT64_MAX

struct spans_in {
	struct calls_in	 calls;
	struct scratch	 threads, rows, open;
	struct scratch	 args;		/* struct span_args of rows, as they came */
	uint64_t	 nargs;
	struct scratch	 text;		/* names of threads that do not lie in the source */
	struct idmap	 by_id, by_tid;
	uint64_t	 nthreads, nrows, ntext;
	uint64_t	 cpu;		/* of the thread, while its spans become calls */
	uint64_t	 last;		/* what nobody ends, ends then */
	/* Unescape the id of a thread if it is a text; NULL: the id is used as the file has it. */
	struct str	 (*unescape)(struct str, struct buf *);
	/* Known when spans became calls: ends without a begin, with another name; begins without an end; spans longer than the one around them. */
	uint64_t	 no_begin, end_name, no_end, overlap;
};

void	spans_in_open(struct spans_in *, struct samples *names);
void	spans_in_close(struct spans_in *);
/* The thread with those ids, numbers or names, which lie in the source; without a name it is called by them. */
uint32_t spans_in_thread(struct spans_in *, struct str pid, struct str tid, struct err *);
/* The thread with that name, which lies in the source and is all that the file says of it. */
uint32_t spans_in_named(struct spans_in *, struct str name, struct err *);
/* The first thread with that tid, whatever its process is; a new one without a process where there is none. */
uint32_t spans_in_any(struct spans_in *, struct str tid, struct err *);
/* The first thread with that tid, or a new one of that process (0: unknown); the name is for one that has none. */
uint32_t spans_in_task(struct spans_in *, uint32_t pid, uint32_t tid, struct str name, struct err *);
bool	spans_in_name(struct spans_in *, uint32_t thread, struct str name, struct err *);
void	spans_in_of(struct spans_in *, uint32_t thread, uint32_t pid);	/* it is of that process */
uint32_t spans_in_tid(const struct spans_in *, uint32_t thread);
/* Times must be below 2^63; what ends before it began ends there. */
bool	spans_in_add(struct spans_in *, const struct span *, struct err *);
/*
 * A begin and, in any order, an end (both have start alone): by time, and by the order in which they came, an end closes the
 * innermost begin of its thread, also when its frame is another one (0: not told).  What nobody ends lasts to the end of the trace.
 */
bool	spans_in_begin(struct spans_in *, const struct span *, struct err *);
bool	spans_in_end(struct spans_in *, const struct span *, struct err *);
/* Numbers the threads anew: place has that of each, from 1.  Before spans become calls. */
bool	spans_in_order(struct spans_in *, const uint32_t *place, struct err *);
/* When all are there: spans become calls, threads those of names, and what was wrong with them is counted. */
bool	spans_in_calls(struct spans_in *, struct err *);

/* ---- threads -------------------------------------------------------------------- */

/* A thread as profilers tell it; name may be empty. */
struct thread_told {
	uint32_t	pid, tid;	/* 0: not told */
	struct str	name;
};

/*
 * Takes the frames that name a process or a thread from the front of a folded stack: "[name tid=1]" (async-profiler), "thread (1): name",
 * "process 1:"command"" (py-spy), "P1;T2" (Austin); or the name of a profile: "Thread 1 "name"".  False: there are none.
 */
bool	thread_told(struct str *stack, struct thread_told *);

#include "marks_in.h"	/* what is neither a call nor a sample */
#endif
