/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table: records of CSV, TSV and JSON lines, read in place in the source.  Belongs to layer load.
 *
 * A sheet describes how a source is read; a reader visits its records one by one and keeps only the current
 * one, so memory does not grow with the file.  Damage is counted and stays in one field: the fields after
 * it are read.
 *
 * Facts of a table, for sheet_open: trace.sheet_sep (the byte; 0: JSON lines), trace.sheet_latin,
 * trace.sheet_first and trace.sheet_line (start of the first record of data), records, and repair.nul.
 * Columns: columns_table.h.
 */
#ifndef ICECORE_TABLE_H
#define ICECORE_TABLE_H

#include "icecore/calendar.h"
#include "icecore/load.h"

#define SHEET_COLUMNS 65536u	/* later fields of a record are dropped */
#define SHEET_BLOCK 256u	/* records between two places that table.block keeps */

/* ---- names of columns ------------------------------------------------------------ */

struct sheet_names {
	struct buf	 text;		/* contiguous, each with its NUL */
	struct scratch	 place;		/* u32: where each begins */
	uint32_t	 n;
	struct idmap	 by_hash;	/* place in the list, from 1 */
	uint64_t	 lost;		/* names beyond SHEET_COLUMNS */
};

struct str	sheet_name(const struct sheet_names *, uint32_t column);	/* from 0 */
/* The first column of that name, from 1; 0: none. */
uint32_t	sheet_named(const struct sheet_names *, struct str name);
/* Find a column by name; add it if it is missing or if again, which allows duplicate names. */
bool		sheet_add_name(struct sheet_names *, struct str name, bool again, uint32_t *column,
    struct err *);
void		sheet_names_free(struct sheet_names *);

/* ---- records ---------------------------------------------------------------------- */

struct sheet {
	const char	*data, *end;	/* the source */
	char		 sep;
	bool		 json;		/* an object a line */
	bool		 latin;		/* Windows-1252, not UTF-8 */
	bool		 nuls;		/* some byte is a NUL */
	uint64_t	 first, line;	/* offset of the first record; its line, from 1 */
	uint64_t	 records;
	struct sheet_names names;
};

/* Open a table that was loaded. */
bool	sheet_open(struct sheet *, const struct store *, struct err *);
void	sheet_close(struct sheet *);

enum field_form {
	FORM_PLAIN,	/* unchanged text of the file */
	FORM_QUOTED,	/* the same, between quotes */
	FORM_PIECES,	/* from its quote on, with doubled quotes, or text after the closing one */
	FORM_ESCAPED	/* a string of JSON with escapes */
};

struct sheet_field {
	const char	*from, *end;
	uint8_t		 form;		/* enum field_form */
	uint32_t	 stamp;		/* reader of this record */
};

#define SHEET_MASKS 64u

struct sheet_reader {
	const struct sheet *sheet;
	/* CSV: fields of a record to keep, at least one; lower it after opening to read less. */
	uint32_t	 keep;
	const char	*at;		/* begin of the next record, on line next_line */
	uint64_t	 next_line;
	/* The present record. */
	const char	*record;
	uint64_t	 line;
	uint32_t	 n;		/* fields of the record; JSON: all known columns */
	struct scratch	 field;		/* struct sheet_field */
	/* JSON: a number that differs between records, so that no column has to be cleared. */
	uint32_t	 stamp;
	struct scratch	 given;		/* JSON: u32: columns of the record, each once */
	uint64_t	 ngiven;
	struct sheet_names *grow;	/* names of JSON that are new go here; NULL: they are dropped */
	/* Quotes without an end, texts after a closing quote, and lines without an object. */
	uint64_t	 unclosed, stray, bad;
	struct buf	 text, key, unescaped;
	/* CSV: a bit for each byte from masked on that ends an unquoted field. */
	const char	*masked;
	size_t		 masks;
	uint64_t	 stop[SHEET_MASKS];
};

/* Reads records from byte at on, which is in that line, from 1.  The sheet must stay open. */
bool	sheet_reader_open(struct sheet_reader *, const struct sheet *, uint64_t at, uint64_t line,
    struct err *);
void	sheet_reader_close(struct sheet_reader *);
/* The next record; false at the end, and when err is filled: its kind is E_NONE at the end. */
bool	sheet_next(struct sheet_reader *, struct err *);
/*
 * Return the field of a column in the current record; NULL: the record has no such field, or it is not
 * kept.
 */
static inline const struct sheet_field *
sheet_field(const struct sheet_reader *r, uint32_t column)
{
	const struct sheet_field *f = SCRATCH(r->field, struct sheet_field) + column;

	return column < r->n && column < r->keep && f->stamp == r->stamp ? f : NULL;
}

/* Return the text of a field of the sheet, in UTF-8 without NULs.  Valid until the next text is read. */
struct str sheet_field_text(struct sheet_reader *, const struct sheet_field *);
/* Return the text of a column in the current record; empty if the record has no such field. */
struct str sheet_text(struct sheet_reader *, uint32_t column);
/* The rest of the record after the last column, unchanged, in UTF-8; empty: none.  Valid as above. */
struct str sheet_cut(struct sheet_reader *);

/* ---- values ----------------------------------------------------------------------- */

/* Without white space of any kind at both ends. */
struct str sheet_trim(struct str);
/* Bytes of the white space that the text begins with, 0: none. */
size_t	sheet_space(struct str);

enum amount_verdict { AMOUNT_NONE, AMOUNT_IS, AMOUNT_TOO_LARGE };

#define AMOUNT_DECIMALS 18u	/* more are rounded */

/* A decimal number: units / 10^decimals. */
struct amount {
	unsigned __int128 units;
	unsigned	 decimals;
	bool		 below, rounded;
};

/* Reads an amount; mark: what stands before its decimals, '.' or ','. */
enum amount_verdict sheet_amount(struct str, char mark, struct amount *);
/* The currency at either end, as "EUR" or "€"; empty: none. */
struct str sheet_currency(struct str);

/* Counts of values of a column that decide its decimal mark and the order of its dates. */
struct sheet_votes {
	uint64_t	point, comma, day_first, month_first, year_last;
};

/* Counts what the form of an amount or of a date says about the others of its column. */
void	sheet_vote(struct sheet_votes *, struct str);
static inline char
sheet_mark(const struct sheet_votes *v)
{
	return v->comma > v->point ? ',' : '.';
}

static inline bool
sheet_month_first(const struct sheet_votes *v)
{
	return v->month_first > 0 && v->day_first == 0;
}

enum date_order { DATE_YMD, DATE_DMY, DATE_MDY, DATE_ORDERS };

static inline enum date_order
sheet_date_order(const struct sheet_votes *v)
{
	return v->year_last == 0 ? DATE_YMD : sheet_month_first(v) ? DATE_MDY : DATE_DMY;
}

struct sheet_day {
	struct calendar_day	is;
	struct str		rest;	/* the time after it */
};

/* Reads a date; month_first: of 1/2 the first is the month.  False: it is none. */
bool	sheet_date(struct str, bool month_first, struct sheet_day *);
/* ns since 1970 of a date with or without a time. */
bool	sheet_instant(struct str, bool month_first, __int128 *ns);
/* The time of a date from 1677 to 2262, or of Unix seconds, ms, us or ns; in ns since 1970. */
bool	sheet_moment(struct str, bool month_first, int64_t *ns);

/* Return the hour of the time after a date, as written. */
unsigned sheet_hour(struct str time);
/* The day and the hour of such a moment. */
void	sheet_day_of(int64_t ns, struct sheet_day *, unsigned *hour);

/* Codes have digits alone, some begin with a zero: they are texts. */
enum sheet_kind { SHEET_EMPTY, SHEET_NUMBER, SHEET_DATE, SHEET_TEXT, SHEET_CODES };

/*
 * In table.likely: the kind, whether a comma is the decimal mark, whether sums make sense, and details of
 * the kind.
 */
#define SHEET_KIND_MASK 15u
#define SHEET_COMMA 16u
#define SHEET_NAMES 32u		/* numbers that name things */
#define SHEET_YEAR_LAST 64u	/* dates whose text order differs from their order */
#define SHEET_CURRENCIES 128u	/* amounts in several currencies */

/* The type of a column, from its values one by one. */
struct sheet_guess {
	struct sheet_votes votes;
	uint64_t	 values, empty;
	uint64_t	 no_number[2];			/* values that are none, by mark: point, comma */
	bool		 no_date[2];			/* day first, month first */
	/* Values of digits alone, which may be codes or ids: how many digits, the last one. */
	uint64_t	 digits, last;
	bool		 zero, varied, falls, measured;	/* measured: some have more than digits */
	unsigned	 places[2];			/* most decimals of a number, by mark */
	bool		 uneven[2];			/* some numbers have fewer */
	char		 currency[4];			/* currency of the first amount with one */
	bool		 currencies;			/* a later amount has another currency */
};

/* Looks at a cell of a column; then says what the column contains. */
void	sheet_guess_add(struct sheet_guess *, struct str);
enum sheet_kind sheet_guess_kind(const struct sheet_guess *);
/* sheet_guess_kind, but numbers if most values are: measurements may contain words for missing values. */
enum sheet_kind sheet_guess_likely(const struct sheet_guess *);
/* Decimals of all numbers, or of amounts of money; 0: the numbers have different ones. */
unsigned sheet_guess_places(const struct sheet_guess *);
/* The column's numbers are names (status, id, year), which must not be added up. */
bool	sheet_guess_names(const struct sheet_guess *);

#endif
