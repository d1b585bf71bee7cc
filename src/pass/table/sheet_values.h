/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass/table: the different values of the columns of a table, and how often each occurs.
 *
 * At most VALUES_MOST values are kept.  If there are more, the columns with most values keep only those whose
 * hash ends in zeros, a random sample; numbers about these columns are estimates, except for the smallest and
 * the largest number and date.
 */
#ifndef PASS_TABLE_SHEET_VALUES_H
#define PASS_TABLE_SHEET_VALUES_H

#include "icecore/decimal.h"
#include "icecore/table.h"

#define VALUES_MOST (4u << 20)

struct sheet_value {
	struct sheet_field field;	/* where it occurs first; stamp: its column */
	uint64_t	key, n;		/* hash; number of records */
};

/* Ways to read a text: a number with a decimal point or comma, a date with the day or the month first. */
enum sheet_reading { READ_POINT, READ_COMMA, READ_DAY, READ_MONTH, READINGS };

struct extreme {
	struct decimal	 at;
	struct sheet_field field;
	bool		 any;
};

/* The smallest and the largest of the values of a column that are not kept. */
struct extremes {
	struct extreme	end[READINGS][2];
};

struct column_values {
	uint64_t	kept;		/* number of values kept */
	unsigned	zeros;		/* at the end of the hashes of kept values; 0: all values are kept */
	uint32_t	far;		/* number of its extremes, from 1; 0: none */
};

struct sheet_values {
	ARRAY(struct sheet_value)		value;
	ARRAY(struct column_values)	column;
	ARRAY(struct extremes)		far;
	uint64_t	n, nfar, most;
	uint32_t	columns;
	struct idmap	seen;		/* place in value, from 1, by key */
};

/* most: limit of values */
bool	sheet_values_open(struct sheet_values *, uint32_t columns, uint64_t most, struct err *);
void	sheet_values_close(struct sheet_values *);
/* Counts a value of a column in n records, with its text and the hash of both; f NULL: they lack it. */
bool	sheet_values_add(struct sheet_values *, struct sheet_reader *, uint32_t column,
    const struct sheet_field *f, struct str text, uint64_t key, uint64_t n, struct err *);
/* Number of different values; an estimate if some are not kept. */
uint64_t sheet_values_distinct(const struct sheet_values *, uint32_t column);
/* A date is ns since 1970.  False: the text is no such value. */
bool	sheet_values_read(struct str, enum sheet_reading, struct decimal *);
/* Takes the value if it is smaller than low or larger than high. */
void	sheet_values_widen(struct extreme end[2], struct decimal, const struct sheet_field *);

/* ---- stats.c ------------------------------------------------------------------------- */

/* Statistics of a column: places of texts in the words, from 1; 0: none. */
enum column_stat { STAT_MIN, STAT_MEDIAN, STAT_MAX, STAT_BARS, STAT_TOP, STATS };

struct stats_of {
	enum sheet_kind	 kind;
	bool		 numbers;	/* most values are numbers, even if kind is text */
	bool		 comma, month_first;
	unsigned	 places;	/* decimals of all its numbers; 0: they differ */
};

/* Values in the order of their columns. */
struct stats {
	const struct sheet_values	*values;
	struct sheet_reader	*reader;
	ARRAY(uint32_t)		 order;
	ARRAY(struct rank)	 rank;
	struct buf		 words, text;
	uint64_t		 from;		/* place in order of the next column */
};

bool	stats_open(struct stats *, const struct sheet_values *, struct sheet_reader *, struct err *);
void	stats_close(struct stats *);
/* Call it for each column in turn, from the first one. */
bool	stats_column(struct stats *, uint32_t column, const struct stats_of *, uint32_t stat[STATS],
    struct err *);

#endif
