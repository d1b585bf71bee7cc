/*
 * marks_in: the way in for formats that tell more than calls and samples: events of a moment, spans that overlap, counters, and the words,
 * processes and tracks of these (columns: columns_marks.h).  Numbers are from 1, 0 is none.
 *
 * Times are on any clock while the file is read; when all are known shown gives them as they are shown.  Rows of one table become its columns
 * in one call, in the order that a loader chooses.  A loader with counters and events of a moment:
 *
 *	struct marks_in m = { .l = l, .shown = since_my_start, .clock = &first };
 *
 *	while (ok && next_event(&raw, &pid, &counter, &value, &time))
 *		ok = marks_word(&m, raw, &instant.name, err) && (instant.process = marks_process(&m, pid, 0, err)) != 0 &&
 *		    marks_instant(&m, &instant, err) && marks_count(&m, counter, time, value, err);
 *	ok = ok && marks_instant_columns(&m, err) && marks_counter_columns(&m, &my_scale, err) && marks_level_columns(&m, err) &&
 *	    marks_process_columns(&m, err) && marks_word_columns(&m, err);
 *	marks_close(&m);
 *
 * Functions return false, or 0 for a number, with err filled when out of memory.
 */
#ifndef LOAD_MARKS_IN_H
#define LOAD_MARKS_IN_H

#include "icecore/points.h"
#include "jload.h"

/* Rows that differ in the bytes they begin with, which have no gaps. */
struct mark_set {
	struct scratch	 rows;
	struct idmap	 by_key;
	uint64_t	 n;
};

struct mark_process {
	uint32_t	pid, serial;	/* the key: a word; what tells those without one apart */
	uint32_t	name, labels;	/* words; 0: not told */
	int64_t		order;		/* among processes, for threads in order */
};

struct mark_instant {
	uint64_t	time;		/* first: marks_order */
	uint32_t	name, cat, detail, thread, process;
	char		letter, scope;
};

/* Rows of spans begin with this. */
struct mark_span {
	uint64_t	start, end;	/* start first: marks_order */
	uint32_t	name, cat, detail, thread, process;	/* words; thread and process may be 0 */
	uint32_t	kind;		/* word: what spans that have names of their own are summed up as; 0: the name */
	uint32_t	list, outer;	/* while it is open: the list of those with its key, the next one in that */
	uint8_t		open, early;	/* the mark has no end; it has no start of its own */
};

/* Spans of a category and a name, and points that are told beside them. */
struct mark_operation {
	uint32_t	cat, name;
	uint64_t	count, total, max, points, open;	/* count, total and max: of those that ended */
};

struct mark_counter {
	uint32_t	process, name, key;	/* words, but for the process */
	uint32_t	series;
	uint64_t	points;
	double		min, max, last;
	uint8_t		decimals;	/* the most that a level has */
};

/* Levels of counters: whole numbers of at least 0, with decimals. */
struct mark_scale {
	unsigned	(*decimals)(double value);	/* that it has */
	unsigned	(*most)(double max);		/* that its counter may have; NULL: any */
	uint64_t	(*level)(const struct mark_counter *, double value);
};

/* Values keep the decimals they have, six at most (chrome_counters.c). */
extern const struct mark_scale marks_decimals;

struct marks_in {
	struct jload	*l;
	uint64_t	(*shown)(void *clock, uint64_t time);	/* asked once of each time */
	void		*clock;
	size_t		 span_size;	/* of a row of spans */
	struct text_pool own;
	struct scratch	 words, instants, spans, counts, series, levels;
	struct idmap	 by_word;
	struct mark_set	 processes, counters, lists, operations, tracks;
	uint64_t	 nwords, ninstants, nspans, ncounts, nseries, nlevels;
	uint64_t	 no_begin;	/* ends of spans that did not begin */
};

/* The row that begins with the same key bytes as this one, which is added where there is none; 0: no memory. */
uint32_t mark_set_add(struct mark_set *, const void *row, size_t key, size_t size, const char *what, struct err *);
void	mark_set_free(struct mark_set *);

void	marks_close(struct marks_in *);

/* The number of a text as it stands in the file. */
bool	marks_word(struct marks_in *, struct str raw, uint32_t *word, struct err *);
/* Like marks_word, for a text without escapes. */
bool	marks_word_of(struct marks_in *, struct str, uint32_t *word, struct err *);
struct str marks_text(const struct marks_in *, uint32_t word);
bool	marks_word_columns(const struct marks_in *, struct err *);

/* The process with that id; without an id serial tells it from others. */
uint32_t marks_process(struct marks_in *, struct str pid, uint32_t serial, struct err *);
struct mark_process *marks_process_at(const struct marks_in *, uint32_t process);
bool	marks_process_columns(const struct marks_in *, struct err *);

/* Puts rows that begin with their time in order, by the clock that is shown. */
bool	marks_order(const struct marks_in *, struct scratch *rows, uint64_t n, size_t size, struct err *);

bool	marks_instant(struct marks_in *, const struct mark_instant *, struct err *);
bool	marks_instant_columns(struct marks_in *, struct err *);

/*
 * A row of spans that is open until marks_end: the open ones of a key, which are two numbers, are a list, and the innermost one is that
 * which came last.
 */
bool	marks_begin(struct marks_in *, void *row, uint32_t within, uint32_t name, struct err *);
bool	marks_innermost(struct marks_in *, uint32_t within, uint32_t name, uint32_t *span, struct err *);
/* The innermost one of its list ends. */
struct mark_span *marks_end(struct marks_in *, uint32_t span, uint64_t time);
struct mark_span *marks_span(const struct marks_in *, uint64_t span);
/* Valid until the next call; of those with equal totals the one that was asked for first comes first. */
struct mark_operation *marks_operation(struct marks_in *, uint32_t cat, uint32_t name, struct err *);
bool	marks_sum_spans(struct marks_in *, struct err *);
/* What was summed, by falling total. */
bool	marks_operation_columns(const struct marks_in *, struct err *);

/* A value of a row of counters; they may come in any order. */
bool	marks_count(struct marks_in *, uint32_t counter, uint64_t time, double value, struct err *);
bool	marks_counter_columns(struct marks_in *, const struct mark_scale *, struct err *);

/* The track of spans of this thread, process, category and name: how many are open.  *series is from 0. */
bool	marks_track(struct marks_in *, const struct mark_span *, uint32_t *series, struct err *);
/*
 * A level of a counter at a time as it is shown; of spans how many more are open then: 1, or MARK_LESS.  Those of one time count in the
 * order in which they came.  For columns, in order of time.
 */
#define MARK_LESS UINT64_MAX
bool	marks_level(struct marks_in *, uint32_t series, uint64_t time, uint64_t value, struct err *);
/* Tracks of counters and spans: as columns; or as points, which the loader makes columns of. */
bool	marks_level_columns(struct marks_in *, struct err *);
bool	marks_points(struct marks_in *, struct points *, struct err *);

#endif
