/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marks_in: interface for formats with more than calls and samples: instants, overlapping spans, counters, and their
 * words, processes and tracks (columns: columns_marks.h). Numbers count from 1; 0 means none.
 *
 * Times are on any clock while the file is read; when all are known, shown converts them to displayed times.
 * Each call writes the columns of one table, in the order that the loader chooses. A loader with counters
 * and instants:
 *
 *	struct marks_in m = { .l = l, .shown = since_my_start, .clock = &first };
 *
 *	while (ok && next_event(&raw, &pid, &counter, &value, &time))
 *		ok = marks_word(&m, raw, &instant.name, err) && (instant.process = marks_process(&m, pid, 0, err)) != 0
 * &&
 *		    marks_instant(&m, &instant, err) && marks_count(&m, counter, time, value, err);
 *	ok = ok && marks_instant_columns(&m, err) && marks_counter_columns(&m, &my_scale, err) &&
 * marks_level_columns(&m, err) &&
 *	    marks_process_columns(&m, err) && marks_word_columns(&m, err);
 *	marks_close(&m);
 *
 * If memory runs out, functions return false, or 0 for a number, with err set.
 */
#ifndef LOAD_MARKS_IN_H
#define LOAD_MARKS_IN_H

#include "icecore/make.h"
#include "icecore/points.h"
#include "icecore/texts.h"

struct jload;

/* Rows identified by their leading bytes, which have no padding. */
struct mark_set {
	struct scratch	 rows;
	struct idmap	 by_key;
	uint64_t	 n;
};

struct mark_process {
	uint32_t	pid, serial;	/* the key: a word; distinguishes processes with one pid */
	uint32_t	name, labels;	/* words; 0: unknown */
	uint32_t	uid, parent, command;	/* words, and a process; 0: unknown */
	int64_t		order;		/* among processes; of threads among all */
};

struct mark_instant {
	uint64_t	time;		/* first: marks_order */
	uint32_t	name, cat, detail, thread, process;
	char		letter, scope, priority;
	uint32_t	args;		/* row of args.place; 0: none */
	uint32_t	tag;		/* word: of a line of a log */
	uint32_t	track;		/* word: as in mark_span */
};

/* Rows of spans begin with this. */
struct mark_span {
	uint64_t	start, end;	/* start first: marks_order */
	uint32_t	name, cat, detail, thread, process;	/* words; thread and process may be 0 */
	uint32_t	kind;		/* word: kind that sums up spans with names of their own; 0: the name */
	uint32_t	track;		/* word: the named track that it is on, after those above it; 0: none */
	uint32_t	depth;		/* spans around it on its track */
	uint32_t	list, outer;	/* while open: the list of its key, and the next span in it */
	uint8_t		open, early;	/* the mark has no end; it has no start */
};

/* Columns that the spans of all formats have; row: their struct, with the members is, id, parent and points. */
#define ASYNC_COLUMNS(row) \
	MAKE(COL_ASYNC_START, row, is.start), MAKE(COL_ASYNC_END, row, is.end), MAKE(COL_ASYNC_NAME, row, is.name), \
	MAKE(COL_ASYNC_CAT, row, is.cat), MAKE(COL_ASYNC_ID, row, id), MAKE(COL_ASYNC_PROCESS, row, is.process), \
	MAKE(COL_ASYNC_PARENT, row, parent), MAKE(COL_ASYNC_POINTS, row, points), MAKE(COL_ASYNC_OPEN, row, is.open), \
	MAKE(COL_ASYNC_DEPTH, row, is.depth)

/* Totals of spans with a category, a name, a track and a process, and of their points. */
struct mark_operation {
	uint32_t	cat, name, track, process;
	uint64_t	count, total, max, points, open;	/* count, total and max: only of spans that ended */
};

struct mark_counter {
	uint32_t	process, name, key;	/* words, except the process */
	uint32_t	track;		/* distinguishes counters of one name; 0: there is no other */
	uint32_t	series;
	uint64_t	points;
	double		min, max, last;
	uint8_t		decimals;	/* maximum of a level */
	uint64_t	below;		/* levels are raised by that */
	uint32_t	unit;		/* word; 0: none */
};

/* Levels of counters: integers of at least 0, with decimals. */
struct mark_scale {
	unsigned	(*decimals)(double value);	/* number of decimals for the value */
	unsigned	(*most)(double max);		/* limit for a counter whose values span so much;
							 * NULL: none */
	uint64_t	(*level)(const struct mark_counter *, double value);
	bool		signs;		/* values below 0 are shown: level raises those of such a counter by
					 * its below */
};

/* Values keep their decimals, at most six (chrome_counters.c). */
extern const struct mark_scale marks_decimals;

struct marks_in {
	struct jload	*l;
	uint64_t	(*shown)(void *clock, uint64_t time);	/* called once for each time */
	void		*clock;
	size_t		 span_size;	/* size of a row of spans */
	struct text_pool own;
	struct scratch	 words, instants, spans, counts, series, levels;
	struct idmap	 by_word;
	struct mark_set	 processes, counters, lists, operations, tracks;
	uint64_t	 nwords, ninstants, nspans, ncounts, nseries, nlevels;
	uint64_t	 no_begin;	/* ends without a begin */
	bool		 on_tracks;	/* an instant is on a named track */
};

/* Return the row with the same key bytes as this one, and add it if it is missing; 0: out of memory. */
uint32_t mark_set_add(struct mark_set *, const void *row, size_t key, size_t size, const char *what, struct err *);
void	mark_set_free(struct mark_set *);

void	marks_close(struct marks_in *);

/* Return the number of a raw text from the file. */
bool	marks_word(struct marks_in *, struct str raw, uint32_t *word, struct err *);
/* Like marks_word, for a text without escapes. */
bool	marks_word_of(struct marks_in *, struct str, uint32_t *word, struct err *);
struct str marks_text(const struct marks_in *, uint32_t word);
bool	marks_word_columns(const struct marks_in *, struct err *);

/* Return the process with that id; serial distinguishes processes with the same id, or without one. */
uint32_t marks_process(struct marks_in *, struct str pid, uint32_t serial, struct err *);
struct mark_process *marks_process_at(const struct marks_in *, uint32_t process);
bool	marks_process_columns(const struct marks_in *, struct err *);
/* Write uid, parent and command line, for formats that list them. */
bool	marks_parent_columns(const struct marks_in *, struct err *);

/* Sort rows that begin with their time, by the displayed clock. */
bool	marks_order(const struct marks_in *, struct scratch *rows, uint64_t n, size_t size, struct err *);

bool	marks_instant(struct marks_in *, const struct mark_instant *, struct err *);
bool	marks_instant_columns(struct marks_in *, struct err *);

/*
 * Add a span that is open until marks_end. The open spans of a key, which consists of two numbers, form a list; the
 * innermost one came last.
 */
bool	marks_begin(struct marks_in *, void *row, uint32_t within, uint32_t name, struct err *);
bool	marks_innermost(struct marks_in *, uint32_t within, uint32_t name, uint32_t *span, struct err *);
/* End the innermost span of its list. */
struct mark_span *marks_end(struct marks_in *, uint32_t span, uint64_t time);
struct mark_span *marks_span(const struct marks_in *, uint64_t span);
/* Valid until the next call; among equal totals the first requested one comes first. */
struct mark_operation *marks_operation(struct marks_in *, uint32_t cat, uint32_t name, uint32_t track,
    uint32_t process,
	    struct err *);
bool	marks_sum_spans(struct marks_in *, struct err *);
/* Sort the totals, largest first. */
bool	marks_operation_columns(const struct marks_in *, struct err *);

/* Add a value of a counter; values may come in any order. */
bool	marks_count(struct marks_in *, uint32_t counter, uint64_t time, double value, struct err *);
bool	marks_counter_columns(struct marks_in *, const struct mark_scale *, struct err *);

/*
 * Return the track for spans of this thread, process, category and name: the number of open ones. *series counts from
 * 0.
 */
bool	marks_track(struct marks_in *, const struct mark_span *, uint32_t *series, struct err *);
/* Put a new track below an older one, where its open spans count too.  Otherwise it stays where it is. */
void	marks_nest(struct marks_in *, uint32_t series, uint32_t parent);
/*
 * Add a level of a counter at a displayed time; for spans a change of the number of open ones: 1, or MARK_LESS. Equal
 * times keep their order. For columns, call it in time order.
 */
#define MARK_LESS UINT64_MAX
bool	marks_level(struct marks_in *, uint32_t series, uint64_t time, uint64_t value, struct err *);
/* Write tracks of counters and spans: as columns; or as points, which the loader converts to columns. */
bool	marks_level_columns(struct marks_in *, struct err *);
bool	marks_points(struct marks_in *, struct points *, struct err *);

#endif
