/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counts: class histograms and reports of Native Memory Tracking in a text.  The manual of this room.
 *
 * A reader of a text that may contain histograms passes its lines to counts_line, one after another.
 * Failures stick: after one, nothing more is added.  Lines of unknown form are never an error: what is lost
 * is counted.
 */
#ifndef LOAD_COUNTS_H
#define LOAD_COUNTS_H

#include "icecore/lines.h"
#include "icecore/make.h"
#include "icecore/texts.h"

enum counts_count {
	COUNTS_LOST_ROWS,	/* lines of histograms that are missing by their numbers, or cannot be read */
	COUNTS_BAD_HISTOGRAMS,	/* histograms that do not add up to a Total line, or without any row */
	COUNTS_LOST_LINES,	/* lines of reports that cannot be read */
	COUNTS_BAD_REPORTS,	/* reports whose categories add up to less than the total */
	COUNTS_REGIONS,		/* regions of the virtual memory map */
	COUNTS_UNREAD,		/* lines of reports of unknown form */
	COUNTS_OMITTED,		/* small call sites that the VM omitted */
	COUNTS
};

struct class_histogram {
	struct str	when;
	uint64_t	objects, bytes;		/* sums of its rows */
	uint32_t	file, classes;
	uint8_t		whole;
};

struct count_row {
	uint64_t	objects, bytes;
	uint32_t	histogram, class;	/* from 1 */
};

struct counted {
	struct str	name;
	/* In the last histogram that contains it, and its bytes in the one before that. */
	uint64_t	objects, bytes, before;
	uint64_t	first_objects, first_bytes;	/* in the first histogram of the file */
	uint32_t	last;			/* number of the last histogram that contains it */
	uint32_t	seen, rises;
};

struct native_report {
	struct str	when;
	uint64_t	reserved, committed, malloc, rss;
	uint64_t	sum;			/* committed by its categories */
	uint64_t	unit;			/* bytes of the unit of its sizes: the rounding error of each */
	uint32_t	categories;
	bool		summed;			/* its total was read */
};

struct native_category {
	struct str	name;
	uint64_t	reserved, committed, malloc, mallocs, mmap, arena, count;
	int64_t		change;
	uint32_t	report;
};

struct native_site {
	struct str	stack, category;
	uint64_t	bytes, reserved, count;
	int64_t		change;
	uint32_t	report;
};

enum histogram_form { HISTOGRAM_HOTSPOT, HISTOGRAM_OPENJ9, HISTOGRAM_DOTNET };

/* The histogram that is being read. */
struct open_histogram {
	bool		 on;
	enum histogram_form form;
	bool		 empty;			/* no row was read yet, so no table has it */
	struct str	 prefix;		/* text before each of its lines in a log */
	struct str	 when;
	uint64_t	 rank;			/* number of its last row */
	uint64_t	 objects, bytes;	/* its Total line; bytes UINT64_MAX: not written */
	bool		 total;
};

/* The report that is being read. */
struct open_report {
	bool		 on;
	bool		 map;			/* in the virtual memory map */
	bool		 category;		/* lines below belong to the last category */
	struct str	 stack;			/* lines of the frames of a call site so far */
};

struct counts {
	struct store	*st;
	struct err	*err;
	bool		 bad;			/* err is filled */
	uint32_t	 file;			/* number of the file in a series, from 1 */
	struct str	 when;			/* the last line with a time */
	uint64_t	 rss;
	uint64_t	 before;		/* reports of the files before this one */
	struct open_histogram h;
	struct open_report r;
	struct idmap	 by_name;
	struct scratch	 histograms, rows, classes, reports, categories, sites;
	uint64_t	 nhistograms, nrows, nclasses, nreports, ncategories, nsites;
	uint64_t	 count[COUNTS];
};

void	counts_open(struct counts *, struct store *, struct err *);
void	counts_close(struct counts *);
/*
 * A line of the text; cut: it is the last one and has no end.  False: it belongs to no histogram and no
 * report.
 */
bool	counts_line(struct counts *, struct str line, bool cut);
/* The time of the next histogram, in a line that is a time and little else, or in a prefix. */
void	histogram_when(struct counts *, struct str line);
void	counts_next_file(struct counts *);	/* the text of the next file of a series begins */
/* Ends what is open, and makes columns and facts, unless there is nothing.  *shapes: those it found. */
bool	counts_columns(struct counts *, unsigned *shapes);

#define WHEN_MOST 64u	/* bytes of such a line */

/* Without the blanks at both ends. */
static inline struct str
counts_trim(struct str s)
{
	return str_trim(str_skip_blanks(s));
}

/* ---- histogram.c, native_memory.c ------------------------------------------------- */

/* A line with the names of the columns of a histogram; *at: where it begins in a log. */
bool	histogram_is_head(struct str line, enum histogram_form *form, size_t *at);
bool	histogram_take(struct counts *, struct str line, bool cut);
void	histogram_close(struct counts *);
bool	native_is_head(struct str line);
bool	native_line(struct counts *, struct str line, bool cut);
void	native_end(struct counts *);

#endif
