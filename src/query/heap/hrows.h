/*
 * Private to src/query/heap: rows over a heap dump, declared by tables.
 *
 * A source, or a stage that moves on from objects, is a table of columns and a struct heap_source, which says what
 * its rows are.  Each row is an item: a number (of an object, a class, a thread, ...) or a struct that has some.
 * A column has an origin: which number of the item is meant, through which columns of the store it leads on, and
 * what is shown of it.  Only what has to be computed is a function.
 */
#ifndef ICECORE_QUERY_HROWS_H
#define ICECORE_QUERY_HROWS_H

#include <stddef.h>

#include "heap.h"

/* ---- columns ----------------------------------------------------------------- */

struct heap_rows;

struct origin {
	enum show	 show;
	uint16_t	 at;		/* where in the item the number stands */
	uint8_t		 bytes;		/* it has; 0: 4 */
	/* Columns of the store: the number becomes what stands in its row, once or twice. */
	enum col	 by, then;
	/* Instead of show: makes the cell, which has the type of its column, from the number or from the item in rows.item. */
	void		(*cell)(struct heap_rows *, uint64_t n, struct cell *);
};

#define FROM(...) .origin = &(const struct origin){ __VA_ARGS__ }
#define COMPUTED(...) FROM(.cell = __VA_ARGS__)
#define NEEDS(what) .needs = needs_##what
#define ITEM(type, member) .at = offsetof(type, member), .bytes = sizeof ((const type *)0)->member

/* ---- rows ------------------------------------------------------------------------ */

enum heap_args {
	ARGS_NONE,	/* it takes none */
	ARGS_OWN,	/* begin reads them */
	/*
	 * A source goes through the objects of its arguments, of which it needs one; a stage takes none and goes
	 * through those of its rows.
	 */
	ARGS_OBJECTS,
	ARGS_CLASSES,	/* the same of classes, which a source finds in struct heap_rows */
	ARGS_THREADS	/* those of struct heap_rows */
};

struct heap_source {
	size_t		 size;		/* of its rows, which begin with a struct heap_rows; 0: they are no more than that */
	size_t		 item;		/* bytes of an item in the list; 0: a uint32_t */
	enum heap_args	 args;
	/* ARGS_OBJECTS: how many of the arguments are such; begin reads the others.  NULL: all. */
	size_t		(*objects)(const struct stage *);
	/* What is to be done before the first row; the heap is open, unless there is no file.  NULL: nothing. */
	bool		(*begin)(struct heap_rows *, const struct stage *, struct err *);
	/* Adds items to the list; false: there are no more, or rows.err is filled.  NULL: all rows are known from begin on. */
	bool		(*step)(struct heap_rows *);
	unsigned	 steps;		/* between two ticks; 0: 1 */
	enum col	 all;		/* column of the store: its rows are ours, by number; or COL_NONE */
	/* The item of a row that stands in no list; good until the next one.  NULL: the list has it. */
	const void	*(*item_at)(struct heap_rows *, uint64_t row);
	void		(*end)(struct heap_rows *);	/* frees what begin and step made; or NULL */
};

#define HEAP_ROWS_COLUMNS 24

struct heap_rows {
	struct rows			 rows;
	struct heap_view		 view;
	const struct heap_source	*source;
	const struct column		*by[HEAP_ROWS_COLUMNS], *then[HEAP_ROWS_COLUMNS];	/* of origins, found once */
	struct scratch			 list;		/* of items */
	uint64_t			 n;		/* rows known */
	bool				 all;		/* row n is about number n + 1 */
	bool				 began, ended;
	const void			*item;		/* of the last cell */
	uint32_t			 number;	/* room for an item */
	size_t				 col;		/* of in: the objects */
	uint64_t			 reads;		/* columns of in that are read: this one, and what begin adds */
	uint64_t			 row;		/* of in: the next one */
	struct class_set		 classes;	/* of the arguments */
	bool				 of_classes;	/* the rows are objects, each of one of them */
	struct jthread_set		 threads;
};

/* Opens all of them: for struct command. */
bool	heap_rows_open(struct session *, const struct stage *, struct rows *in, struct rows **out, struct err *);
/* What stands in front of the other members of a command; without the columns, where they are no whole table. */
#define HEAP_COMMAND(place, name, table, from) HEAP_COMMAND_OF(place, name, from), COLUMNS(table)
#define HEAP_COMMAND_OF(place, name, from) .word = (name), .kind = COMMAND_##place, .shapes = SHAPE_GRAPH, \
	.source = &(from), .open = heap_rows_open

/* Rows for all numbers up to n. */
void	heap_rows_all(struct heap_rows *, uint64_t n);
/* One more item at the end of the list, to be filled; NULL: rows.err is. */
void	*heap_rows_add(struct heap_rows *);
bool	heap_rows_add_number(struct heap_rows *, uint32_t);
/* ARGS_OBJECTS: the object of the next row that is gone through, or 0; false behind the last one. */
bool	heap_rows_next(struct heap_rows *, uint32_t *object);

/* The source "objects", whose columns others have as well. */
enum { OBJECT_COLUMNS = 13 };
extern const struct coldef object_cols[OBJECT_COLUMNS];
extern const struct command source_objects;

/* ---- cells -------------------------------------------------------------------------- */

/* An empty buffer for the text of a cell. */
struct buf *cell_begin(struct heap_rows *);
/* A text of ours; empty where it is NULL. */
void	cell_word(struct cell *, const char *);
/* 100 of 100; empty where there is no whole. */
void	cell_share(struct cell *, uint64_t part, uint64_t whole);

#endif
