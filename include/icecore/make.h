/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make: how a loader publishes its data: members of its rows become columns, its counts become facts.
 *
 * A loader reads into its own tables (struct scratch), one row per item.  At the end, a const table maps
 * each member of a row to a column, and another table maps each count to a fact:
 *
 *	static const struct make_column columns[] = {
 *		MAKE(COL_SWITCH_TIME, sched_row, time),
 *		MAKE(COL_SWITCH_CPU, sched_row, cpu),
 *	};
 *	const struct make_fact facts[] = {
 *		{ FACT_SWITCHES, s->nrows },
 *		{ FACT_LOSS_EVENTS, s->lost, MAKE_ANY },
 *	};
 *	return make_columns(st, columns, NELEM(columns), (struct make_rows)MAKE_ROWS(row, n), err) &&
 *	    make_facts(st, facts, NELEM(facts), err);
 *
 * Columns and facts are made in the order of these tables.  All functions return false and fill err if
 * memory or disk space runs out.  They publish nothing.
 */
#ifndef ICECORE_MAKE_H
#define ICECORE_MAKE_H

#include <stddef.h>
#include <string.h>

#include "icecore/facts.h"
#include "icecore/load.h"

/* ---- columns ---------------------------------------------------------------- */

/* Ways in which values are stored. */
enum make_as {
	MAKE_AS_IS,	/* unsigned, as wide as the member */
	MAKE_SIGNED,	/* i64; the member is an i64, too */
	MAKE_REAL,	/* f64; the member is a double */
	MAKE_NARROW,	/* unsigned, the narrowest type that fits all values */
	MAKE_REF,	/* u64: the ref of a string; the member is a struct str */
	MAKE_ZERO,	/* zeros, as wide as the member, for data that no row has */
	MAKE_NUMBER,	/* row numbers from 1, in the narrowest type */
	MAKE_METHOD,	/* u64: 4 * the row number, as in event.word */
	MAKE_NO_LINE	/* i64: -1, as in listed.line for unknown lines */
};

struct make_column {
	column_id	 col;
	size_t		 at;		/* offset of the member in a row */
	uint8_t		 width;		/* size of the member: 1, 2, 4 or 8 bytes; any size for a string */
	uint8_t		 as;		/* enum make_as */
};

#define MAKE_COLUMN(col, row, member, as) \
	{ col, offsetof(struct row, member), sizeof ((struct row *)0)->member, as }
#define MAKE(col, row, member) MAKE_COLUMN(col, row, member, MAKE_AS_IS)
#define MAKE_FIT(col, row, member) MAKE_COLUMN(col, row, member, MAKE_NARROW)
/* Without a member: MAKE_ZERO and the values after it. */
#define MAKE_CONST(col, width, as) { col, 0, width, as }

/* Contiguous rows. */
struct make_rows {
	const void	*data;		/* may be NULL when n is 0 */
	uint64_t	 n;
	size_t		 size;		/* bytes per row */
	uint64_t	 first, ring;	/* ring > 0: row i is at position (first + i) % ring */
	struct work	*work;		/* checked periodically; may be NULL */
	const void	*text;		/* MAKE_REF: start of the source that contains the texts */
};

#define MAKE_ROWS(row, n) MAKE_TEXT_ROWS(row, n, NULL)
#define MAKE_TEXT_ROWS(row, n, text) (struct make_rows){ row, n, sizeof *(row), 0, 0, NULL, text }

/* Makes n columns, each from a member of the rows.  False: no memory, or no room on the disk. */
bool	make_columns(struct store *, const struct make_column *, size_t n, struct make_rows, struct err *);
/*
 * Copy an array to a column unchanged: strings, or numbers of the same type.  data may be NULL if rows is
 * 0.
 */
bool	make_copy(struct store *, column_id, enum column_type, const void *data, uint64_t rows, struct err *);
/* Make segment.offset and segment.row for a file whose records are columns: a single segment. */
bool	make_segment(struct store *, struct err *);

/* ---- order ------------------------------------------------------------------- */

/*
 * Sort rows by the uint64_t at their start; equal rows keep their order. Takes linear time, so no file
 * makes it slow.
 */
bool	make_sort(struct scratch *rows, uint64_t n, size_t size, struct work *, struct err *);
/* Sort rows by the two uint64_t at their start: by the first, then by the second. */
bool	make_sort_both(struct scratch *rows, uint64_t n, size_t size, struct work *, struct err *);
/* The index of the first row whose value is at least value, among n rows sorted by make_sort; n: none. */
uint64_t make_place(const void *rows, uint64_t n, size_t size, uint64_t value);

/* ---- facts ------------------------------------------------------------------- */

/* Condition for storing a fact: always, or only if it is not 0 or not an empty string. */
enum make_how { MAKE_ALWAYS, MAKE_ANY };

struct make_fact {
	enum fact_id	 id;
	uint64_t	 value;
	enum make_how	 how;
	struct str	 text;		/* the value of a fact that is a string */
};

/* FACT_DURATION of a profile (ns); 0, unknown, from ten years on: writers put a moment since 1970 there. */
#define MAKE_DURATION(ns) ((ns) < UINT64_C(315360000) * 1000000000 ? (ns) : 0)

/*
 * Facts of all traces whose records are columns (load.h), whose threads are listed, and whose ticks are ns.
 */
#define MAKE_COLUMN_TRACE \
	{ FACT_TRACE_TICK, 1 }, { FACT_TRACE_CLOCKS, 1 << CLOCK_WALL }, { FACT_TRACE_WIDE, 1 }, \
	{ FACT_TRACE_LAYOUT, LAYOUT_COLUMNS }, { FACT_TRACE_ALL_THREADS, 1 }

/* Sets n facts of the store; make_how says when one is left out.  False: no memory. */
bool	make_facts(struct store *, const struct make_fact *, size_t n, struct err *);

/* A fact whose value is one of several counts. */
struct make_count {
	enum fact_id	 id;
	unsigned	 count;		/* index of its count */
};

/* Make the facts whose counts are not 0. */
bool	make_counts(struct store *, const struct make_count *, size_t n, const uint64_t *counts,
    struct err *);

/*
 * Set a fact to a sum of weights, scaled by FACT_WEIGHT_SCALE. A fraction keeps all its decimals; times and
 * money get their unit.
 */
bool	weight_fact(struct store *, enum fact_id, uint64_t sum, enum weight_type, struct str unit,
    struct err *);
/* Fails if the facts show damage and n, the number of complete records, is 0. */
bool	make_whole(const struct store *, uint64_t n, struct err *);

/* ---- text ---------------------------------------------------------------------- */

/* The part before the first byte c, or the whole string. */
static inline struct str
str_until(struct str s, char c)
{
	const char *end = s.n == 0 ? NULL : memchr(s.s, c, s.n);

	return (struct str){ s.s, end == NULL ? s.n : (size_t)(end - s.s) };
}

/*
 * Take the next line from rest. line excludes the line end and a '\r' before it. False: rest contains no
 * line end.
 */
static inline bool
str_line(struct str *rest, struct str *line)
{
	const char *end = rest->n == 0 ? NULL : memchr(rest->s, '\n', rest->n);

	if (end == NULL)
		return false;
	*line = (struct str){ rest->s, (size_t)(end - rest->s) };
	*rest = str_after(*rest, line->n + 1);
	line->n -= line->n > 0 && end[-1] == '\r';
	return true;
}

/* Takes leading decimal digits; false: none, or too many for 64 bits. */
bool	str_number(struct str *, uint64_t *);
/* str_number, or hexadecimal digits after 0x. */
bool	str_number_any(struct str *, uint64_t *);

/* The ref of a text in the source, which begins at base; 0 for the empty text. */
static inline uint64_t
make_ref(const void *base, struct str s)
{
	return s.n == 0 ? 0 : ref_make((uint64_t)(s.s - (const char *)base), s.n);
}

/* ---- rows ---------------------------------------------------------------------- */

#define MAKE_MOST (UINT32_MAX - 1ull)	/* rows of a table whose numbers are ids */

/* Fails with "more than 12 threads"; NULL always. */
void	*make_row_fail(uint64_t most, const char *what, struct err *);

/*
 * Place for row n, from 0, of rows of size bytes, zeroed the first time; the caller counts.  NULL with err
 * filled: out of memory, or too many rows (what names them).
 */
static inline void *
make_row(struct scratch *s, uint64_t n, size_t size, uint64_t most, const char *what, struct err *err)
{
	if (n >= most)
		return make_row_fail(most, what, err);
	if ((n + 1) * size > s->size && !scratch_array(s, n + 1, size, err))
		return NULL;
	return s->data + n * size;
}

/* Appends a row of size bytes to the *n rows, and counts it; false: as for make_row. */
static inline bool
make_add(struct scratch *s, uint64_t *n, const void *row, size_t size, uint64_t most, const char *what,
    struct err *err)
{
	return *n >= most ? make_row_fail(most, what, err) != NULL : scratch_add(s, n, row, size, err);
}

/*
 * Append a row to a table of an object with members table, ntable, bad and err.  The error sticks: after
 * one, nothing is added.
 */
#define MAKE_PUT(in, table, row, most, what) \
	((in)->bad = (in)->bad || !make_add(&(in)->table, &(in)->n##table, &(row), sizeof(row), most, what, \
	    (in)->err))

#endif
