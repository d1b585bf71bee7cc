/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows: the open stores, and lazy tables of cells: what every question about them answers with.
 */
#ifndef ICECORE_ROWS_H
#define ICECORE_ROWS_H

#include <assert.h>

#include "icecore/graph.h"
#include "icecore/money.h"

/* ---- session: the open stores ---------------------------------------------- */

#define SESSION_STORES 8

struct session {
	/* [0] is the queried file; each may be on top of other stores: store_below. */
	struct store	*store[SESSION_STORES];
	size_t		 nstores;
	size_t		 at;			/* the file that queries read */
	int64_t		 offset[SESSION_STORES];	/* ns to add to its times to get those of [0] */
	struct store	*view;			/* store above store[at] that queries see; or NULL */
	/* This session is that of a view made by a query: nested queries see this; or NULL. */
	struct session	*plain;
	enum clock	 clock;			/* clock to which self and total refer */
	bool		 clock_chosen;		/* the user or session_choose_clock chose the clock */
	enum heap_refs	 refs;			/* --refs: which references count */
	enum heap_sizes	 sizes;			/* --sizes */
	unsigned	 rules;			/* --rules: enum bug_rules of bugs.h */
	/* --raw-csv: no quote before texts that a spreadsheet would run. */
	bool		 raw_csv;
	const struct presets *presets;		/* or NULL */
	/* Growth over dumps that were closed and the last one, which is store[0]; or NULL. */
	struct growth	*growth;
	bool		 sealed;		/* export is refused: no query may write files */
	bool		 remote;		/* hide the directories of files from the reader */
	/* An overview line that takes too long reports that, and the other lines are answered. */
	bool		 piecewise;
	bool		 late;			/* a line was dropped: a new answer may differ */
};

/* ---- rows: a lazy table ------------------------------------------------------ */

enum cell_type {
	CELL_NONE,	/* empty; as the type of a column: each cell has its own */
	CELL_ID,	/* u */
	CELL_ADDR,	/* u, in hexadecimal digits everywhere */
	CELL_COUNT,	/* u */
	CELL_INT,	/* i */
	CELL_REAL,	/* f; exact cells of such a column are CELL_DECIMAL */
	CELL_BYTES,	/* u, a size */
	CELL_TIME,	/* u, nanoseconds: a duration or a time since the start */
	CELL_PERCENT,	/* f, 0 to 100 */
	CELL_BOOL,	/* u: true unless it is 0 */
	/*
	 * An exact number, perhaps of a currency: cell_exact.  A column of this type is of amounts of
	 * money.
	 */
	CELL_DECIMAL,
	CELL_TEXT	/* text, raw bytes, not yet fitted */
};

struct cell {
	enum cell_type	type;
	uint32_t	decimals : 6;	/* CELL_DECIMAL: places */
	uint32_t	bytes : 1;	/* CELL_INT: a size below 0, in a column of any amounts */
	uint32_t	currency : 24;	/* CELL_DECIMAL: code of money.h; MONEY_NO_CURRENCY: a number alone */
	union {
		uint64_t	u;
		int64_t		i;
		double		f;
		struct str	text;	/* valid until the next cell of the same rows */
		uint64_t	wide[2];	/* CELL_DECIMAL: digits, the low half first */
	};
};

static inline void
cell_decimal(struct cell *c, struct decimal d, uint32_t currency)
{
	c->type = CELL_DECIMAL;
	c->decimals = d.places & 0x3f;
	c->currency = currency & 0xffffff;
	c->wide[0] = (uint64_t)(unsigned __int128)d.value;
	c->wide[1] = (uint64_t)((unsigned __int128)d.value >> 64);
}

/* Identity of the ids in a CELL_ID column, for following them to other rows. */
enum id_of {
	ID_OWN,			/* things that only rows of this kind have */
	ID_OBJECT,		/* objects of a heap dump */
	ID_METHOD,		/* methods of a trace or profile */
	ID_CODE_METHOD		/* methods of bytecode */
};

/*
 * Weight of a column in a profile with before and after; only such profiles have weights other than the
 * first.
 */
enum weight_column { WEIGHT_AFTER, WEIGHT_BEFORE, WEIGHT_DELTA };

struct rows;
struct batch;

/* A column of a source.  Tests of its rows: promises query man. */
struct coldef {
	const char	*name;
	enum cell_type	 type;
	const char	*what;		/* a line for help */
	bool		 more;		/* table omits it unless it was selected */
	/* Origin of the cells, for the room that makes such rows; or NULL. */
	const struct origin *origin;
	/* Store columns read by its cells, in addition to those of the command. */
	const column_id	*needs;
	/* Shapes of the files with this column, enum shape or-ed; 0: all files of the command. */
	unsigned	 only;
	unsigned	 beside;	/* additional shapes that the file must have; 0: none */
	enum weight_column differs;
	bool		 function;	/* the texts are function names, and are shortened as such */
	enum id_of	 of;
	/* Note about the sum of the cells of such rows, NULL: none; or NULL. */
	const char	*(*sum_note)(struct rows *);
	/* A letter of method_kind; lists show a word for it if there is room. */
	bool		 kinds;
	bool		 bars;		/* a text of digits, 0 to USE_STEPS, which lists draw as bars */
	/* A text that takes the remaining width, and is dropped if that is small. */
	bool		 rest;
	enum cell_cut {
		CUT_END, CUT_FRONT, CUT_MIDDLE
	/* Place of the cut in a text that is too wide: words, names of classes, paths. */
	}		 cut;
	const char	*was;		/* a former name, which queries may use; shown nowhere; or NULL */
	const char	*head;		/* a shorter name for the head of a list, or NULL */
	enum cell_mostly {
		MOSTLY_ANYTHING, MOSTLY_NUMBERS, MOSTLY_TEXTS, MOSTLY_DATES,
		MOSTLY_LATE_YEARS	/* dates whose text order differs from their order */
	/* Most frequent type of the cells, for a column whose cells have their own types. */
	}		 mostly;
};

/*
 * Sets of columns of rows, a bit each; columns from 63 on share the last bit.  A query runs only the passes
 * of columns that are read, so readers of cells announce them first: rows_touch.
 */
#define COLUMN_BIT(col) (UINT64_C(1) << ((col) < 63 ? (col) : 63))
#define COLUMNS_ALL UINT64_MAX

struct command;

/*
 * The first member of every kind of rows.  Rows own the rows they were made from.
 */
struct rows {
	const struct rows_ops	*ops;
	const struct coldef	*cols;
	size_t			 ncols;
	struct work		*work;	/* checked by long loops; may be NULL */
	struct session		*session;
	struct rows		*in;	/* the rows they were made from, or NULL */
	struct err		 err;	/* why reach fell short; kind is E_NONE if it did not */
	unsigned		 format;	/* 1 + the enum format that a stage chose; 0: none did */
	uint64_t		 most;	/* a promise: no row at or after this one is read */
	/* Set by their only reader, which lives as long as they do; or NULL. */
	const struct rows_bar	*bar;
	bool			 same;	/* their columns are those of in */
	bool			 each;	/* each is the row of in with its number */
	const struct command	*command;	/* command that opened them; NULL: part of other rows */
	size_t			 step;	/* the number of its stage */
	struct str		 asked;	/* the query that produced them; as long as the query */
	/* Rows that are a part of these, and have no other reader; or NULL. */
	struct sifted		*sifted;
	uint64_t		 reads;	/* columns of in that they take themselves: touch_same, touch_own */
	char			*note;		/* a note about the result, shown once; or NULL */
	uint64_t		 untouched;	/* unread columns, by rows_touch */
	uint64_t		 behind;	/* columns that a later stage reads as well */
	uint64_t		 skips;		/* columns: rows above a bar in one of them are not made */
	bool			 slow;		/* a cell of a row that nobody asked for yet may take long */
};

/* Gets all rows that rows_touch marks. */
struct touching {
	void	(*tell)(struct touching *, const struct rows *);
};

struct rows_ops {
	/*
	 * Makes rows 0 .. n-1 known if they exist; returns how many are known (less than n: these are all).
	 */
	uint64_t	(*reach)(struct rows *, uint64_t n);
	/* Sets the cell of a row that was reached. */
	void		(*cell)(struct rows *, uint64_t row, size_t col, struct cell *);
	/* Frees the data of the rows, but neither in nor the rows themselves; may be NULL. */
	void		(*close)(struct rows *);
	/*
	 * For columns that are made when they are named; may be NULL.  Adds a hidden column whose cells
	 * have their own types, after the existing ones, which keep their indices; -1: unknown name.
	 * quoted: the name is complete, not a word that may be an expression.
	 */
	int		(*find)(struct rows *, struct str name, bool quoted);
	/* Sets the name of known column i; false after the last one. */
	bool		(*known)(struct rows *, uint64_t i, struct str *name);
	/*
	 * For call trees: return the caller's row, from 1, below this one; 0: none.  Sets the method of
	 * this row.  Or NULL.
	 */
	uint64_t	(*caller)(struct rows *, uint64_t row, uint32_t *method);
	/*
	 * The columns of in that are read for the columns mine of these rows.  NULL: all.  It passes other
	 * input rows to rows_touch itself.
	 */
	uint64_t	(*touch)(struct rows *, uint64_t mine, struct touching *);
	/* cell for many rows at once; false, or NULL: unsupported, ask for single cells.  See batch.h. */
	bool		(*batch)(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);
	/* The cell of a value of such a column. */
	void		(*value)(struct rows *, size_t col, uint64_t value, struct cell *);
};

#define ROWS_ALL UINT64_MAX

/* The store that queries are about; NULL: no file is open. */
static inline struct store *
session_store(const struct session *s)
{
	return s->view != NULL ? s->view : s->at < s->nstores ? s->store[s->at] : NULL;
}

/* Use weights_clock for self and total if no clock was chosen, or if the store lacks the chosen one. */
void	session_choose_clock(struct session *, const struct store *);
/* True for a profile without threads: its one "thread" represents all. */
bool	threads_nameless(const struct store *);

/* Closes a store and all stores below it. */
void	session_close(struct session *);
/*
 * Sets the offset of file i by when the threads that it and the first file know were busy; *sure 0 to 100,
 * 0: nothing is in common, or the two are of one kind and not to be shown on one axis.
 */
bool	session_line_up(struct session *, size_t i, unsigned *sure, struct work *, struct err *) MUST_USE;
/* File i fits the first file; E_USAGE names it. */
bool	session_together(const struct session *, size_t i, struct err *);
/* There are two files, and they are of one kind: unless one is chosen, the second is compared with the first. */
bool	session_compares(const struct session *);

static inline uint64_t
rows_reach(struct rows *r, uint64_t n)
{
	return r->ops->reach(r, n);
}

static inline void
rows_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	assert((r->untouched & COLUMN_BIT(col)) == 0);
	c->bytes = 0;
	r->ops->cell(r, row, col, c);
}

/*
 * Zeroed rows of that size whose first member is struct rows, over in (may be NULL), with its columns.  On
 * failure in is closed.
 */
void	*rows_new(size_t size, const struct rows_ops *, struct session *, struct rows *in, struct err *);
void	rows_close(struct rows *);	/* closes their inputs, too; NULL is allowed */
/* The error that ended rows early, here or in their input; NULL: none. */
const struct err *rows_error(const struct rows *);
bool	rows_whole(const struct rows *, struct err *);	/* all rows could be read; false: err says why not */
/*
 * Returns note i to show with an answer, for example that a number without unit was read as ns.  NULL: no
 * more notes.
 */
const char *rows_note(const struct rows *, size_t i);
/* Notes something, unless something was noted before. */
void	rows_note_add(struct rows *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Notes that a column is sorted as text, which is not the order of its dates. */
void	rows_note_order(struct rows *, const struct coldef *);
/* Only these columns of the rows will be read.  touching: notified of them and of their inputs; or NULL. */
void	rows_touch(struct rows *, uint64_t read, struct touching *);
void	rows_set_work(struct rows *, struct work *);	/* sets it in their inputs, too */
/* Index of a column, or -1.  "self" and "total" mean self_wall ... of the session's clock. */
int	rows_column(const struct rows *, struct str name);
/*
 * rows_column, otherwise a computed column, if possible.  Rows that compute columns take a quoted name only
 * as a computed one.
 */
int	rows_find(struct rows *, struct str name, bool quoted);
/* Return the exact value of a cell; 0 for CELL_REAL, CELL_PERCENT and CELL_TEXT, which have none. */
struct decimal cell_exact(const struct cell *);
int	rows_ids(const struct rows *, enum id_of);	/* the first of these columns; or -1 */
/* Compare two cells of the same column: numbers by value, text by bytes, empty cells first. */
int	cell_cmp(const struct cell *, const struct cell *);

#endif
