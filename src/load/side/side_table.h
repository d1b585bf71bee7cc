/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * side_table: a table beside a trace, whose numbers become tracks.
 */
#ifndef LOAD_SIDE_TABLE_H
#define LOAD_SIDE_TABLE_H

#include "icecore/make.h"
#include "icecore/table.h"

#define AXIS_MOST (INT64_MAX / 3)	/* ns; times and offsets beyond it are not usable, so that sums fit */

/* The meaning of the times. */
enum time_form { TIME_DATES, TIME_UNIX, TIME_NUMBERS };

struct side_times {
	uint32_t	 column;
	enum time_form	 form;
	bool		 month_first;
	char		 mark;		/* decimal mark of TIME_NUMBERS */
	uint64_t	 unit;		/* length of a unit of TIME_NUMBERS, ns */
	const char	*unit_name;
};

/* A table that is open. */
struct side_table {
	const struct store	*st;
	struct sheet		 sheet;
	const uint8_t		*likely;	/* by column: enum sheet_kind and more */
	char			 mark;		/* that the user asked for; 0: none */
	struct work		*work;
};

/* Return the decimal mark of a column. */
static inline char
side_mark(const struct side_table *t, uint32_t column)
{
	return t->mark != '\0' ? t->mark : t->likely[column] & SHEET_COMMA ? ',' : '.';
}

/*
 * Find the column of times: the one that the user named (empty: none), else by name, form and order; E_USAGE:
 * none.
 */
bool	side_times_find(struct side_times *, const struct side_table *, struct str named, struct err *);
/* ns since 1970, or since a time that side_times_place finds; false: unusable. */
bool	side_times_read(const struct side_times *, struct str, int64_t *ns);

/* The time of the trace. */
struct side_axis {
	int64_t		zero;	/* ns since 1970 at the start of the trace; 0: unknown */
	int64_t		start;	/* start of the trace on its own clock; 0: unknown */
	int64_t		length;
	int64_t		offset;	/* that is added to the times of the table */
};

/* False, E_USAGE: the file has no times. */
bool	side_axis_of(struct side_axis *, const struct store *, struct err *);
/*
 * Find the time at which the trace starts, for a table from first to last, offset added.  *meaning: that of
 * its times, "seconds since the start of the trace".  False, E_USAGE: the table and the trace have no time in
 * common.
 */
bool	side_times_place(const struct side_times *, const struct side_axis *, int64_t first, int64_t last,
	    int64_t *origin, struct buf *meaning, struct err *);

#endif
