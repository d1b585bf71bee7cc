/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: what the sources of traces, profiles and tracks share.  The manual of this room.
 */
#ifndef ICECORE_QUERY_TRACE_H
#define ICECORE_QUERY_TRACE_H

#include "icecore/track.h"
#include "query/rows/items.h"

/* The tracks of one name by their threads; starts from a name and zeros. */
struct track_index {
	const char	*name;
	struct idmap	 places;	/* thread to 1 + place of its track */
	bool		 made;
};

#define TRACK_INDEX(name) ((struct track_index){ (name), IDMAP_INIT, false })

/* ---- declared rows: table.c ------------------------------------------------------------ */

/* How a cell shows the number v, in addition to enum show of src/query/rows/items.h. */
enum trace_show {
	/* Named by number: the name or kind of, what has, where was written, the package of method v; */
	TRACE_METHOD = SHOW_OWN, TRACE_KIND, TRACE_MODULE, TRACE_FILE, TRACE_PACKAGE,
	TRACE_THREAD, TRACE_LABEL,	/* name of thread v; the same for people: thread_label */
	/* name of process v; its id in the file; both, for people: process_label */
	TRACE_PROCESS, TRACE_PID, TRACE_PROCESS_LABEL,
	TRACE_WORD,		/* word v */
	TRACE_LETTER,		/* a character; 0: none */
	TRACE_STATE, TRACE_CLASS,	/* name of state v of a thread; its class */
	TRACE_ACTION,		/* enum action v */
	/* Other texts. */
	/* v is a ref to the name of the method that the row is about; of unknown ones what TRACE_METHOD gives */
	TRACE_NAME,
	TRACE_DOTTED,		/* ref to a class name, slashes shown as dots */
	TRACE_CLOCK,		/* moment v as date and time, if the file records its start */
	TRACE_WAKER,		/* who woke a task: v as in wake.by */
	TRACE_POOL, TRACE_EARLIER,	/* name of thread v, each number as *; its other names */
	TRACE_PROCESS_OF,	/* the process of thread v */
	/* where it is from; what thread v did and in which frame, as a thread dump says */
	TRACE_BY, TRACE_DUMPED, TRACE_TOP,
	/* Numbers. */
	TRACE_CPU,		/* v, unless it is SWITCH_NO_CPU */
	TRACE_SIGNED,		/* i64, negative: unknown */
	TRACE_REAL,		/* f64, NAN: unknown */
	TRACE_LEVEL,		/* the same, in the unit of which .other has the word */
	TRACE_SHARE,		/* percent of the weights of all threads */
	TRACE_PART,		/* percent of v and the other number together */
	/* v, by the CPU clock the other number: percent of the self weights of all calls, by the chosen clock */
	TRACE_PART_OF_SELF,
	/* Amounts. */
	TRACE_TICKS,		/* v, a time by the clock that the file has */
	TRACE_WEIGHT,		/* weight in the unit of the file: ticks for traces */
	TRACE_WEIGHT_CPU,	/* the same, by the CPU clock */
	TRACE_WEIGHT_OFF,	/* the same, off the CPU, or a change */
	TRACE_OFF		/* the same: v less the other number; of traces never below 0 */
};

/* A column that a query made by naming it. */
struct label_column {
	char		*name;
	struct origin	 origin;
};

/* Additions of rows over traces, profiles and tracks. */
struct trace_own {
	struct column_set	 set;
	struct weights		 weights;
	uint64_t		 whole;		/* weights of all threads */
	uint64_t		 whole_self, whole_cpu;	/* once known */
	bool			 has_self, has_cpu;
	bool			 all_cpu;	/* the CPU times of all methods are known, or of none */
	uint64_t		 tick;		/* ns */
	/* ns that reading the clocks takes at a call; 0: unknown, or no wall clock */
	uint64_t		 overhead;
	uint64_t		 zero;		/* moment of time 0; 0: unknown */
	bool			 dated;		/* moments have dates */
	bool			 wall_clock, cpu_clock, off;	/* the records have that clock; both */
	bool			 tracks;	/* CPU time may be in tracks: the records have no CPU clock */
	/* Columns of calls, and names of methods; or NULL. */
	const struct column	*parent, *method, *listed;
	struct any		 frames;
	struct track_index	 cpu;
	struct label_column	**labels;
	size_t			 nlabels, labels_cap;
};

#define TRACE(s) ((struct trace_own *)(s)->own)
extern const struct domain trace_domain;

/* A column that shows the values of a column of the store. */
#define IN(what, ...) MADE(.show = (what), .by = __VA_ARGS__)
#define NUMBER(...) IN(SHOW_NUMBER, __VA_ARGS__)
#define WORD(...) IN(TRACE_WORD, __VA_ARGS__)
#define OWN_NUMBER MADE(SHOW_NUMBER)	/* the number of the row itself */
/* The name of a thread by its number: threads of a pool differ at their ends. */
#define THREAD_FROM(...) MADE(.show = TRACE_THREAD, __VA_ARGS__), .cut = CUT_MIDDLE
/* Labels of threads: they distinguish threads that have the same name. */
#define LABEL_FROM(...) "label", CELL_TEXT, "name, with the tid if threads share the name", MORE, .cut = CUT_MIDDLE, \
	MADE(.show = TRACE_LABEL, __VA_ARGS__)
#define PROCESS_FROM(...) "process", CELL_TEXT, "process of the thread", MORE, .beside = SHAPE_MARKS, \
    .cut = CUT_FRONT, \
	MADE(.show = TRACE_PROCESS_OF, __VA_ARGS__)
#define PROCESS_LABEL(...) { "label", CELL_TEXT, "process and its id", MORE, .cut = CUT_FRONT, \
	MADE(.show = TRACE_PROCESS_LABEL, __VA_ARGS__) }
#define THREAD_LABEL(...) { LABEL_FROM(.by = COL_NONE), __VA_ARGS__ }
/* A column that only traces have, or only profiles. */
#define TIMED .only = SHAPE_CALLS | SHAPE_TASKS
#define SAMPLED .only = SHAPE_SAMPLES

/*
 * A source without arguments, with a row for each row of a column of the store: the first members of its
 * command.
 */
#define TABLE_SOURCE(name, says, query, files, table, ...) SOURCE(name, says, query, item_rows_open), \
    OVER(files, table), \
	.source = &(const struct source){ .domain = &trace_domain, .rows_of = __VA_ARGS__ }
/* A table of scheduler traces. */
#define TASK_TABLE(name, says, query, ...) TABLE_SOURCE(name, says, query, SHAPE_TASKS, __VA_ARGS__), \
    .views = VIEWS_OF_TIMES

/* The operations of rows with a row for each call. */
extern const struct rows_ops calls_ops;
/* Append the text of number v, if it takes no more than v to know it; nothing for number 0. */
void	text_named(const struct store *, enum trace_show, uint32_t v, struct buf *);
/* Return the greatest number that is named so, plus 1; 0: things are not named so by number. */
uint64_t values_named(const struct store *, enum trace_show);

/* ---- labels: label_columns.c ------------------------------------------------------------- */

/* Columns with the values of a label, label.service, are made when they are named. */
#define COLUMN_LABEL "label."
/* The place of a column; of a label by the column of the store with the set, or the number of the row is it. */
int	label_columns_find(struct rows *, struct str name, column_id by);
bool	label_columns_known(struct rows *, uint64_t i, struct str *name);	/* for .known of such rows */
bool	label_columns_all(struct item_rows *, uint64_t set, struct buf *);	/* all labels of a set */
void	label_columns_free(struct trace_own *);

/* ---- call trees ------------------------------------------------------------------------ */

extern const struct coldef call_cols[CALL_COLS];

/* Trees that are made while they are walked: q_tree.c. */
typedef bool tree_rows_open(struct session *, const struct stage *, struct rows *in, struct rows **,
    struct err *);
tree_rows_open	merged_open, process_calls_open, inverted_open, callers_open, callees_open;

/* ---- weights and times: weigh.c --------------------------------------------------------- */

/*
 * Gives rows the columns that the command of a stage has for its file, in their own set.  Weights get the
 * type of those of the store; columns for two weights exist only if these differ.  For the store of no file:
 * unchanged.
 */
void	rows_weigh(struct rows *, struct column_set *, const struct stage *, const struct store *st);
void	cell_weight(struct cell *, const struct weights *, enum clock, uint64_t value);

/* Compute the weight by the session's clock from those by both clocks; false: the file lacks that clock. */
bool	weight_by_clock(const struct rows *, const struct weights *, uint64_t wall, uint64_t cpu,
    uint64_t *weight);
/* Sum the self weights of all calls of the file, by the session's clock. */
uint64_t self_weights(const struct rows *, const struct store *, const struct weights *);
void	cell_part(struct cell *, uint64_t part, uint64_t whole);	/* a percentage; of nothing empty */

/* Ticks of a trace as a time. */
static inline void
cell_ticks(struct cell *c, uint64_t ticks, uint64_t tick)
{
	c->type = CELL_TIME;
	c->u = tick != 0 && ticks > UINT64_MAX / tick ? UINT64_MAX : ticks * tick;
}

/* Whether n calls of that length together are on average shorter than reading the clocks: noise. */
static inline void
cell_noise(struct cell *c, const struct trace_own *t, uint64_t ticks, uint64_t n)
{
	cell_ticks(c, ticks, t->tick);
	c->u = n > 0 && c->u / n < t->overhead;
	c->type = t->overhead > 0 ? CELL_BOOL : CELL_NONE;
}

/* ---- calls that begin the work of their thread: outer.c -------------------------------------- */

struct outer_thread {
	/* So many outermost calls are alone at their depths, have callees, and last for 95 % of the file. */
	uint32_t	depth;
	bool		leaf;		/* so is the one in there, but without callees */
	uint32_t	only;		/* method of the only outermost call; 0: there are several */
};

/* From zeros. */
struct outer {
	ARRAY(struct outer_thread) threads;	/* by id */
	ARRAY(uint8_t)	calls;			/* by method: whether it has callees */
	ARRAY(uint64_t)	first;			/* by method: ticks of its calls in main, in outer ones at most */
	uint64_t	n, methods;		/* their last ids */
	uint32_t	main, most;	/* the main thread; the method with most of its time in itself, 0: none */
};

/* Looks at the calls of all threads once.  The caller calls outer_end, also on failure.  Needs pass "calls". */
bool	outer_make(struct outer *, const struct store *, struct err *) MUST_USE;
/* A call of that thread at that depth is one of these, or the leaf, if it waits. */
bool	outer_begins(const struct outer *, uint32_t thread, uint32_t depth, bool waits);
/* More than half of the time of the main thread is in that method itself. */
bool	outer_is_most(const struct outer *, uint32_t thread, uint32_t method);
/* A call of that length, in ticks, is no part of another one of main, and most of all those of its method. */
bool	outer_is_alone(const struct outer *, uint32_t thread, uint32_t depth, uint32_t method, uint64_t wall);
/* The method has callees in some of its calls. */
bool	outer_calls(const struct outer *, uint32_t method);
/* The method of its only outermost call; 0: there are several. */
uint32_t outer_only(const struct outer *, uint32_t thread);
void	outer_end(struct outer *);

/* ---- what arguments mean by names: named.c ------------------------------------------------ */

/* Things 1 .. n that have names. */
struct named {
	const char		*what, *query;	/* "thread", and what lists them: for errors */
	uint32_t		 n;
	const struct store	*st;
	void			(*name)(const struct store *, uint32_t number, struct buf *);
	/* Instead of these two, of things in a heap. */
	const struct heap	*heap;
	void			(*heap_name)(const struct heap *, uint32_t number, struct buf *);
};

/* Match by name or by glob. */
bool	token_means(const struct token *, struct str name);
/*
 * Marks in has (0 .. n) those that a token means by name, glob or, unless it is NULL, the regex compiled from
 * it; adds to *hits.
 */
bool	named_mark(const struct named *, const struct token *, struct regex *, uint8_t *has, uint32_t *hits,
	    struct err *);
/* Mark in has the things with that number in a column; adds to *hits. */
void	named_mark_number(const struct named *, const struct column *, uint64_t number, uint8_t *has,
    uint32_t *hits);
/* Marks in has the thing that a token means by its number, "@12"; false: by none of 1 to n. */
bool	named_mark_id(const struct token *, uint32_t n, uint8_t *has);
/* Fails: no thing has that name. */
bool	fail_no_named(const struct named *, const struct token *, struct err *);

/* Ids of threads, in ascending order. */
struct thread_list {
	uint32_t	*id;
	size_t		 n;
};

/*
 * The threads that the arguments of a stage mean: by name, glob, tid or @id; of none all, or the list is
 * empty.  Fails where an argument means none.  No store: only checks.  The caller frees id, also on failure.
 */
bool	threads_of_stage(struct thread_list *, const struct store *, const struct stage *, bool all,
    struct err *);

/* Times after names: "from 1s to 2s min 10us", in ns. */
struct bounds {
	uint64_t	from, to, min;
};

/* Return the place of the first word of the bounds, or the end of the arguments. */
size_t	bounds_place(const struct stage *);
/* Reads them from argument i on; those that are not given stay as they are.  has_min: min is one of them. */
bool	bounds_read(struct bounds *, const struct stage *, size_t i, bool has_min, struct err *);

/*
 * The methods that the arguments of a stage mean, by name, glob or @id: *has is 1 at the id of each.  Fails
 * where an argument means none.  No store: only checks.  The caller frees *has, also on failure.
 */
bool	methods_of_stage(uint8_t **has, const struct store *, const struct stage *, struct err *);

/* ---- facts about the file: meanings.c ----------------------------------------------------- */

/*
 * The value of a field, of rows with columns field and value; returns the latter, or NULL: there is no such
 * field.
 */
const struct coldef *info_find(struct rows *, struct str field, struct cell *);

#define INFO_FLAG STR("1: ")	/* begins the phrases of facts that are 1 or not there */

/* The phrase that explains a fact about files of these shapes, see facts.h; "" if it is unknown. */
struct str info_phrase(struct str name, unsigned shapes);
/*
 * Append what a fact says behind its value: "records" of many, "record" of one, without INFO_FLAG; NULL: on
 * its own, of many.
 */
void	 info_meaning(struct str name, unsigned shapes, const struct cell *value, struct buf *);
/*
 * Call add for each line of what the file holds and icecore does not show (unread.h); false: out of memory.
 */
bool	 info_unread(const struct store *, void (*add)(void *, struct str), void *arg);
bool	 info_shows(struct str name);	/* not a fact between loaders and passes, or of one of several graphs */

/* ---- values over time: track_cells.c ------------------------------------------------------ */

/* Find the track as track_find does; return false also when there is no memory. */
bool	track_index_find(struct track_index *, const struct store *, uint32_t thread, struct track *);

/* Fill the cell with a value of the track: a time, bytes or a number. */
void	cell_track(const struct track *, uint64_t value, struct cell *);
/* Growth a second, of what the unit says; nothing for no time. */
void	cell_rate(uint64_t growth, uint64_t ns, struct cell *);
/* CPU time as a share of a time; empty for no time. */
void	cell_use(uint64_t cpu, uint64_t ns, struct cell *);
/* CPU time in a time span from the thread's track: CELL_NONE if there is none.  The index is of "cpu". */
void	cell_cpu_inside(struct track_index *, const struct store *, uint32_t thread, uint64_t from,
    uint64_t to,
	    struct cell *cpu, struct cell *use);
/* Append who woke a task, from wake.by; nothing if it is unknown. */
void	waker_name(const struct store *, uint32_t by, struct buf *);
/* The row, from 1, of the first event of a thread at a time; columns are ordered by time.  0: none. */
uint64_t event_at(const struct store *, column_id times, column_id threads, uint32_t thread, uint64_t time);
/* wake.by of the wakeup of a thread at a time; 0: no wakeup, or unknown. */
uint32_t woken_by(const struct store *, uint32_t thread, uint64_t time);
/* the process of a task that woke another; empty: no task */
struct str waker_process(const struct store *, uint32_t by);
const char *waker_context(uint32_t by);		/* "task", "irq", "softirq", "new"; NULL: not known */

#endif
