/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overview: a summary of a file in a few lines, which are filled in one by one.
 *
 * Lines are rows of one table for all kinds of files: a name, the query that answers it, the cells to show,
 * and the query that Enter opens.  A line has any number of items; each is a line on the screen.
 */
#ifndef ICECORE_OVERVIEW_H
#define ICECORE_OVERVIEW_H

#include "icecore/query.h"
#include "icecore/sums.h"

#define OVERVIEW_LINES 224	/* fewer are in the table */
#define OVERVIEW_ITEMS 8	/* most items of a line */
#define OVERVIEW_ROWS 16	/* most rows of the picture */
#define OVERVIEW_PARTS 40	/* bars of a row of the picture; more than USE_PARTS */
#define OVERVIEW_GIVEN 4	/* queries that run before the query of a line */

struct answering;

/* Which files a line is for: profiles of one file, or profiles with weights before and after. */
enum line_weights { WEIGHTS_ANY, WEIGHTS_OF_ONE, WEIGHTS_DIFFER };

/*
 * Words are a phrase (icecore/phrase.h) whose fields are cells of the row, or of the first row of a given
 * query.  For rows of info the fields are those of info.  Queries may contain {COLUMN} of given queries, as
 * plain numbers.  Columns object, thread_id, method_id, on_cpu, and start_wall with length identify the
 * subject of a row.  Its bars are in use_over_time.
 */
struct overview_line {
	/* Files it applies to, except files of the second set; or of enum shape. */
	unsigned	 shapes, but;
	const char	*name;
	const char	*query;		/* columns value and share, and those used in words */
	const char	*words;
	/* Query of a pane, or another query with details; NULL: the subject of the row. */
	const char	*opens;
	const char	*given[OVERVIEW_GIVEN];	/* asked first */
	unsigned	 with;		/* only files that also have one of these; 0: any */
	/* Shapes that a file must have, and shapes that exclude a file that has all of them; 0: any. */
	unsigned	 all, but_all;
	const char	*of;		/* query of one number; the share is the value divided by it */
	const char	*value;		/* instead of "value" */
	const char	*none;		/* text if there are no rows, or only 0; NULL: the line is omitted */
	uint8_t		 rows;		/* limit of items; 0: 1 */
	uint8_t		 weights;	/* enum line_weights */
	/* 1 + enum fact_id: only files that have the fact, or that lack it; 0: any. */
	uint16_t	 fact, no_fact[2];
	bool		 count;		/* the value is how many rows there are; the words are of the first */
	bool		 threads;	/* only where threads are known */
	bool		 objects;	/* about objects of a dump */
	bool		 change;	/* the value is the difference of two files */
	bool		 late;		/* answered after all other lines */
	bool		 diff;		/* for two files that are compared by their rows */
	bool		 whole;		/* show none only if the file has no unread kinds (unread.h) */
	bool		 header;	/* the header of a report says it as well */
	/* Instead of the rows of the query, which is only prepared. */
	bool		(*own)(struct answering *, struct err *);
};

/*
 * Kinds of ids of items.  PATH: a method, reached by its hottest path.  CALL: the heaviest call of a
 * method.  STRETCH: a thread, from one time until another.  STACK: a row of threads of stack dumps.
 */
enum overview_about { ABOUT_NOTHING, ABOUT_OBJECT, ABOUT_STRETCH, ABOUT_METHOD, ABOUT_PATH, ABOUT_CALL,
    ABOUT_CPU, ABOUT_THREAD, ABOUT_STACK, ABOUT_PROCESS };

struct overview_item {
	struct cell	 value;		/* CELL_NONE: none */
	enum cell_type	 unit;		/* type of a value that may be below 0, otherwise CELL_NONE */
	bool		 shared;
	double		 share;		/* percent, if shared */
	uint8_t		 bars;		/* number of bars; 0: none */
	uint8_t		 bar[OVERVIEW_PARTS];	/* CPU use over time: steps 0 to 8 */
	struct buf	 words;		/* raw */
	/* The words begin with a name: it goes to the column of the names of lines with shares. */
	bool		 named;
	/* Bytes of words that are the name of a function or class; n 0: none. */
	size_t		 name, name_n;
	bool		 class_name;
	bool		 tail;		/* the words are a path: its end is the important part */
	bool		 nothing;	/* the file has no such data: Enter opens nothing */
	enum overview_about about;
	/* With key: the column, and its value in the row of a list that the item names; "": none. */
	char		 by[32];
	struct buf	 key;		/* raw */
	const char	*opens;		/* instead of that of its line; NULL: the same */
	uint32_t	 id, method;	/* method: of the call that a stretch is; 0: none */
	uint64_t	 from, until;	/* ns, of a stretch */
};

struct overview_answer {
	struct overview_item	item[OVERVIEW_ROWS];
	size_t			n;
	/* This line took too long; only where session->piecewise is set. */
	bool			late;
};

/* The query or pane that an item of a line opens. */
static inline const char *
overview_opens(const struct overview_line *line, const struct overview_item *item)
{
	return item != NULL && item->opens != NULL ? item->opens : line->opens;
}

extern const struct overview_line overview_lines[];	/* by kinds of files; ends with one without a name */
/* Whether the files of the session have that line; diff: about the difference of its two files. */
bool	 overview_fits(const struct overview_line *, const struct session *, bool diff);
/*
 * Runs the passes it needs: on the worker or inline.  No items: the file has no data for it.  An error of a
 * pass becomes an item, as does a timeout in a piecewise session (half of the remaining time).  False:
 * cancelled.
 */
bool	 overview_answer(const struct overview_line *, struct session *, struct overview_answer *,
    struct work *, struct err *);
/* The line that says in one sentence what happened.  Every file has it; where nothing is certain, it has no item. */
const struct overview_line *overview_story(bool diff);
/*
 * Answers the picture next to the lines: CPU use of the busiest threads over time, otherwise the hottest
 * path, or the largest classes of a heap.  *line: which one; no items: the file has none.  False:
 * cancelled.
 */
bool	 overview_picture(const struct overview_line **line, struct session *, struct overview_answer *,
    struct work *, struct err *);
/* Appends the value for people, that of a change with its sign. */
void	 overview_value(const struct overview_item *, struct buf *);
void	 overview_free(struct overview_answer *);	/* starts from zeros */

#endif
