/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overview: a summary of a file in a few lines, which are filled in one by one.
 *
 * Lines are rows of one table for all kinds of files: a name, the query that answers it, the cells to show, and the query
 * that Enter opens.  A line has any number of items; each is a line on the screen.
 */
#ifndef ICECORE_OVERVIEW_H
#define ICECORE_OVERVIEW_H

#include "icecore/query.h"
#include "icecore/sums.h"

#define OVERVIEW_LINES 160	/* fewer are in the table */
#define OVERVIEW_ITEMS 8	/* of one line */
#define OVERVIEW_ROWS 16	/* of the picture */
#define OVERVIEW_PARTS 40	/* bars of a row of the picture; more than USE_PARTS */
#define OVERVIEW_GIVEN 3	/* queries that run before the query of a line */

struct answering;

/* Which files a line is for: profiles of one file, or profiles with weights before and after. */
enum line_weights { WEIGHTS_ANY, WEIGHTS_OF_ONE, WEIGHTS_DIFFER };

/*
 * Words are a phrase (icecore/phrase.h) whose fields are cells of the row, or of the first row of a given query.  For
 * rows of info the fields are those of info.  Queries may contain {COLUMN} of given queries, as plain numbers.  Columns
 * object, thread_id, method_id, on_cpu, and start_wall with length identify the subject of a row.  Its bars are in
 * use_over_time.
 */
struct overview_line {
	unsigned	 shapes, but;	/* files it applies to, except files of the second set; or of enum shape */
	const char	*name;
	const char	*query;		/* columns value and share, and those used in words */
	const char	*words;
	const char	*opens;		/* query of a pane, or another query with details; NULL: the subject of the row */
	const char	*given[OVERVIEW_GIVEN];	/* asked first */
	unsigned	 with;		/* only files that also have one of these; 0: any */
	unsigned	 all, but_all;	/* only files that have all of these; except files that have all of these; 0: any */
	const char	*of;		/* query of one number; the share is the value divided by it */
	const char	*value;		/* instead of "value" */
	const char	*none;		/* text if there are no rows, or only 0; NULL: the line is omitted */
	uint8_t		 rows;		/* limit of items; 0: 1 */
	uint8_t		 weights;	/* enum line_weights */
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
 * Kinds of ids of items.  PATH: a method, reached by its hottest path.  CALL: the heaviest call of a method.  STRETCH: a
 * thread, from one time until another.
 */
enum overview_about { ABOUT_NOTHING, ABOUT_OBJECT, ABOUT_STRETCH, ABOUT_METHOD, ABOUT_PATH, ABOUT_CALL, ABOUT_CPU, ABOUT_THREAD };

struct overview_item {
	struct cell	 value;		/* CELL_NONE: none */
	enum cell_type	 unit;		/* of a value that may be below 0; else CELL_NONE */
	bool		 shared;
	double		 share;		/* percent, if shared */
	uint8_t		 bars;		/* number of bars; 0: none */
	uint8_t		 bar[OVERVIEW_PARTS];	/* CPU use over time: steps 0 to 8 */
	struct buf	 words;		/* raw */
	bool		 named;		/* they begin with a name: place it where lines with shares have theirs */
	size_t		 name, name_n;	/* bytes of words that are the name of a function or class; n 0: none */
	bool		 class_name;
	bool		 tail;		/* they are a path, whose end says most */
	bool		 nothing;	/* they report that the file has no such data: Enter opens nothing */
	enum overview_about about;
	char		 by[32];	/* with key: the column, and its value in the row of a list that the item names; "": none */
	struct buf	 key;		/* raw */
	uint32_t	 id;
	uint64_t	 from, until;	/* ns, of a stretch */
};

struct overview_answer {
	struct overview_item	item[OVERVIEW_ROWS];
	size_t			n;
	bool			late;		/* this line took too long; only where session->piecewise is set */
};

extern const struct overview_line overview_lines[];	/* by kinds of files; ends with one without a name */
/* Whether the files of the session have that line; diff: about the difference of its two files. */
bool	 overview_fits(const struct overview_line *, const struct session *, bool diff);
/*
 * Runs the passes it needs: on the worker or inline.  No items: the file has no data for it.  An error of a pass becomes
 * an item, as does a timeout in a piecewise session (half of the remaining time).  False: cancelled.
 */
bool	 overview_answer(const struct overview_line *, struct session *, struct overview_answer *, struct work *, struct err *);
/*
 * Answers the picture next to the lines: CPU use of the busiest threads over time, otherwise the hottest path, or the
 * largest classes of a heap.  *line: which one; no items: the file has none.  False: cancelled.
 */
bool	 overview_picture(const struct overview_line **line, struct session *, struct overview_answer *, struct work *, struct err *);
void	 overview_value(const struct overview_item *, struct buf *);	/* for people; of changes with their sign; appends */
void	 overview_free(struct overview_answer *);	/* starts from zeros */

#endif
