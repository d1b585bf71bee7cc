/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * items: rows that are declared by tables.  The manual of this room.
 *
 * A source, or a stage that continues from other rows, is a table of columns and a struct source, which
 * describes its rows.  Each row is an item: a number (of an object, a class, a transaction, ...) or a struct
 * that has some.  A column has an origin: which number of the item is used, which columns of the store it is
 * looked up in, and how it is shown. Only computed values need a function.  Properties shared by all sources
 * of a kind of file are declared once, as a domain.
 */
#ifndef ICECORE_QUERY_ITEMS_H
#define ICECORE_QUERY_ITEMS_H

#include <stddef.h>

#include "icecore/batch.h"
#include "query/lang/lang.h"

struct item_rows;

/* ---- columns ----------------------------------------------------------------- */

/* How a cell shows a number. */
enum show {
	SHOW_NUMBER,	/* the number itself; the cell has the type of its column already */
	SHOW_SOME,	/* the number itself, if it is not 0 */
	SHOW_KNOWN,	/* the number itself; empty for UINT32_MAX */
	SHOW_TRUE,	/* whether it is not 0 */
	SHOW_REF,	/* the text of a ref */
	SHOW_WORD,	/* the text of ours that it points to */
	SHOW_OWN	/* this and above: what the domain knows, or the function of the column */
};

struct origin {
	unsigned	 show;		/* enum show, or the domain's; or what cell means by it: item_show */
	uint16_t	 at;		/* offset in the item of the number */
	uint8_t		 bytes;		/* size of the number; 0: 4 bytes */
	/* Store columns to look up in turn: the row is the number, the value becomes the next number. */
	column_id	 by, then;
	/* Changes the number before it is looked up; false: the cell is empty.  Or NULL. */
	bool		(*number)(struct item_rows *, uint64_t *n);
	column_id	 other;		/* another column, in rows that are about numbers: item_other */
	/* Instead of show, one of these with the last number. words, word: a word; NULL is an empty cell. */
	const char *const *words;
	const char	*(*word)(unsigned n);
	/* Makes the cell, whose type is that of the column already; the whole item is rows.item. */
	void		(*cell)(struct item_rows *, uint64_t n, struct cell *);
	/* Appends the text of the cell; false: the cell is empty. */
	bool		(*text)(struct item_rows *, uint64_t n, struct buf *);
	bool		 quick;		/* cell takes no longer than a look-up: batches ask for it, too */
};

#define MADE(...) .origin = &(const struct origin){ __VA_ARGS__ }
#define COMPUTED(...) MADE(.cell = __VA_ARGS__)
#define TEXT(...) MADE(.text = __VA_ARGS__)
/* Marks of columns. */
#define MORE .more = true
#define FUNCTION .function = true
#define OBJECT_ID .of = ID_OBJECT
#define METHOD_ID .of = ID_METHOD
#define ITEM(type, member) .at = offsetof(type, member), .bytes = sizeof ((const type *)0)->member

/* ---- sources --------------------------------------------------------------------- */

/* Common parts of the rows of all sources of a kind of file.  Any function may be NULL. */
struct domain {
	bool	leaves_out;	/* columns that only other files have (beside of struct coldef) */
	size_t		 size;		/* size of item_rows.own */
	/* Done first; what it fills is freed by close, also when it fails. */
	bool		(*open)(struct item_rows *, const struct stage *, struct err *);
	/* Reads the arguments that source.args leaves to the domain. */
	bool		(*arguments)(struct item_rows *, const struct stage *, struct err *);
	void		(*close)(struct item_rows *);
	/* The column of the store named by an origin; NULL: that one. */
	const struct column *(*column)(const struct item_rows *, column_id);
	/* From SHOW_OWN on: make the cell of a number, which has the type of its column. */
	void		(*cell)(struct item_rows *, uint64_t n, unsigned show, struct cell *);
	/*
	 * The same for the n numbers in u of a batch, of which those with a mark in none are empty already,
	 * and a column of that type; false: make the cells one by one. run: the numbers rise by one from the
	 * first in u, which is not 0.  The other numbers of the origin are in spare.
	 */
	bool		(*batch)(struct item_rows *, struct batch *, size_t n, bool run, unsigned show,
	    enum cell_type);
	/* Makes the cell of a value that batch numbered. */
	void		(*value)(struct item_rows *, uint64_t value, unsigned show, struct cell *);
};

enum source_args {
	ARGS_NONE,	/* the source takes no arguments */
	ARGS_OWN,	/* begin reads them */
	ARGS_DOMAIN	/* this and above: the domain's */
};

struct source {
	const struct domain *domain;
	size_t		 size;		/* bytes of the rows, from struct item_rows on; 0: of that struct */
	size_t		 item;		/* bytes of an item in the list; 0: a uint32_t */
	unsigned	 args;		/* enum source_args, or the domain's */
	const struct command *over;	/* source of the rows that its arguments name; NULL: they name none */
	/* How many leading arguments are the domain's; begin reads the others.  NULL: all are. */
	size_t		(*leading)(const struct stage *);
	/*
	 * Done before the first row; the domain is open.  Where it fails, err or rows.err says why.
	 * NULL: nothing is to be done.
	 */
	bool		(*begin)(struct item_rows *, const struct stage *, struct err *);
	/*
	 * Adds items to the list; false: there are no more, or rows.err is filled.  NULL: all rows are known
	 * from begin on.
	 */
	bool		(*step)(struct item_rows *);
	unsigned	 steps;		/* between two ticks; 0: 1 */
	column_id	 rows_of;	/* column of the store: there is a row for each of its rows; or COL_NONE */
	bool		 moments;	/* rows_of has rising times in ns: views limit the rows */
	/* The item of a row that is in no list; valid until the next one.  NULL: the list has it. */
	const void	*(*item_at)(struct item_rows *, uint64_t row);
	/*
	 * Called after item_at: how many items from that row on follow each other in memory, at least one.
	 *  NULL: one.
	 */
	uint64_t	(*together)(const struct item_rows *, uint64_t row);
	void		(*end)(struct item_rows *);	/* frees what begin and step made; or NULL */
	const struct rows_ops *ops;	/* ITEM_OPS and more; or NULL */
};

#define ITEM_COLUMNS COLUMN_SET_MAX

/* Rows from row on that are about numbers which rise by one from first. */
struct item_run {
	uint64_t	row, n;
	uint32_t	first;
};

struct item_rows {
	struct rows		 rows;
	const struct source	*source;
	const struct store	*st;
	void			*own;		/* the domain's, of its size, from zeros */
	/* Columns of origins, found once. */
	const struct column	*by[ITEM_COLUMNS], *then[ITEM_COLUMNS], *other[ITEM_COLUMNS];
	struct coldef		*had;		/* the columns that the file has, if some are missing */
	struct scratch		 list;		/* the items; or */
	uint64_t		 nruns;		/* so many struct item_run */
	uint64_t		 n;		/* rows known */
	uint64_t		 wanted;	/* rows to be known, while steps are done */
	bool			 began, ended;
	const void		*item;		/* that of the last cell */
	uint64_t		 at;		/* row of the last cell; made: the column */
	size_t			 made;
	uint32_t		 number;	/* that of the last row, in rows that are about numbers */
	struct buf		 text;		/* text of the last cell */
	size_t			 col;		/* column of in that is read; rows.reads may have more */
	uint64_t		 row;		/* next row of in */
};

/* Rows of a command over those of in, of which column col is read; NULL: err is filled, in is closed. */
struct rows *item_rows_over(struct session *, const struct command *, const struct stage *, struct rows *in,
    size_t col,
	    struct err *);
/* Fails where a stage has arguments that its source, or, behind rows, a stage does not take. */
bool	item_rows_takes(const struct stage *, const struct rows *in, struct err *);
/* Opens what commands declare, unless the domain has arguments: for struct command. */
bool	item_rows_open(struct session *, const struct stage *, struct rows *in, struct rows **out,
    struct err *);

/* Append rows about n numbers that rise by one from first, instead of items; false: rows.err is filled. */
bool	item_rows_run(struct item_rows *, uint32_t first, uint64_t n);
/* Append one for each row of a column of the store; moments: as in struct source. */
bool	item_rows_each(struct item_rows *, column_id, bool moments);
/* Append an item to the list; false: rows.err is filled. */
bool	item_rows_add(struct item_rows *, const void *item);
bool	item_rows_add_number(struct item_rows *, uint32_t);
/* The reader drops rows that have less than this in a column of skips; 0: it has no bar yet. */
uint64_t item_rows_least(const struct item_rows *);
/* The columns that are made of a number at that offset of the item. */
uint64_t item_rows_columns(const struct item_rows *, size_t at);
/* The item of a row that was reached, good until the next one. */
const void *item_rows_item(struct item_rows *, uint64_t row);

/* Members of struct rows_ops: what declared rows do. */
#define ITEM_OPS .reach = item_rows_reach, .cell = item_rows_cell, .close = item_rows_close, .touch = touch_own, \
	.batch = item_rows_batch, .value = item_rows_value
uint64_t item_rows_reach(struct rows *, uint64_t n);
void	item_rows_cell(struct rows *, uint64_t row, size_t col, struct cell *);
bool	item_rows_batch(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);
void	item_rows_value(struct rows *, size_t col, uint64_t value, struct cell *);
void	item_rows_close(struct rows *);

/* ---- cells -------------------------------------------------------------------------- */

/* The number that the other column of the last cell's origin has for its row. */
static inline uint64_t
item_other(const struct item_rows *s)
{
	return column_get(s->other[s->made], s->number - UINT64_C(1));
}

static inline unsigned
item_show(const struct item_rows *s)
{
	return s->rows.cols[s->made].origin->show;
}

/* An empty buffer for the text of a cell. */
static inline struct buf *
cell_begin(struct item_rows *s)
{
	buf_clear(&s->text);
	return &s->text;
}

/* Make a cell of a constant text; NULL: empty. */
static inline void
cell_word(struct cell *c, const char *word)
{
	c->type = word == NULL ? CELL_NONE : CELL_TEXT;
	c->text = str_of(word);
}

/* Make a cell of a number; 0 makes an empty cell. */
static inline void
cell_number(struct cell *c, enum cell_type type, uint64_t n)
{
	c->type = n == 0 ? CELL_NONE : type;
	c->u = n;
}

#endif
