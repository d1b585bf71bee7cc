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
	uint16_t	 at;		/* offset in the item of the number */
	uint8_t		 bytes;		/* of the number; 0: 4 */
	/* Store columns to look up in turn: the row is the number, the value becomes the next number. */
	column_id	 by, then;
	/* Instead of show, one of these with the last number. words, word: a word; NULL is an empty cell. */
	const char *const *words;
	const char	*(*word)(unsigned n);
	/* Makes the cell, whose type is that of the column already; the whole item is rows.item. */
	void		(*cell)(struct heap_rows *, uint64_t n, struct cell *);
	/* Appends the text of the cell; false: the cell is empty. */
	bool		(*text)(struct heap_rows *, uint64_t n, struct buf *);
};

/* A column that shows a number as `what`, with the store columns that needs. The rest locates the number. */
#define FROM(what, ...) .needs = show_needs[what], .cut = CUT_OF(what), MADE(.show = what, __VA_ARGS__)
/* Class names are cut in front: their end is specific. Threads of a pool differ only at the end. */
#define CUT_OF(what) ((what) == OBJECT_CLASS || (what) == OBJECT_LABEL || (what) == OBJECT_HELD_BY || (what) == SHOW_CLASS || \
	(what) == SHOW_PACKAGE ? CUT_FRONT : (what) == SHOW_THREAD ? CUT_MIDDLE : CUT_END)
#define MADE(...) .origin = &(const struct origin){ __VA_ARGS__ }
#define COMPUTED(...) MADE(.cell = __VA_ARGS__)
#define TEXT(...) MADE(.text = __VA_ARGS__)
#define SUMS(what) .sum_note = overlap_##what
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
	ARGS_THREADS	/* those of struct heap_rows; a stage: those whose objects are in its rows */
};

struct heap_source {
	size_t		 size;		/* of its rows, which begin with a struct heap_rows; 0: they are no more than that */
	size_t		 item;		/* bytes of an item in the list; 0: a uint32_t */
	enum heap_args	 args;
	/* ARGS_OBJECTS: how many leading arguments are objects; begin reads the others. NULL: all are. */
	size_t		(*count_objects)(const struct stage *);
	/*
	 * Done before the first row; the heap is open.  Where it fails, err or rows.err says why.
	 * NULL: nothing is to be done.
	 */
	bool		(*begin)(struct heap_rows *, const struct stage *, struct err *);
	/* Adds items to the list; false: there are no more, or rows.err is filled.  NULL: all rows are known from begin on. */
	bool		(*step)(struct heap_rows *);
	unsigned	 steps;		/* between two ticks; 0: 1 */
	column_id	 rows_of;	/* column of the store: there is a row for each of its rows; or COL_NONE */
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
	bool				 numbered;	/* row n is about number n + 1: the list is not used */
	bool				 began, ended;
	const void			*item;		/* of the last cell */
	uint32_t			 number;	/* room for an item */
	size_t				 col;		/* of in: the objects; rows.reads has it, and what begin adds */
	uint64_t			 row;		/* of in: the next one */
	struct class_set		 classes;	/* of the arguments */
	bool				 of_classes;	/* the rows are objects, each of one of them */
	struct jthread_set		 threads;
	struct link_index		 links;
};

/* Rows of a command over those of in, whose objects are in column col; NULL: err is filled, in is closed. */
struct rows *heap_rows_over(struct session *, const struct command *, const struct stage *, struct rows *in, size_t col,
	    struct err *);
/* Opens all that commands declare, with their arguments: for struct command. */
bool	heap_rows_open(struct session *, const struct stage *, struct rows *in, struct rows **out, struct err *);
/* The first members of a struct command in this room. */
#define HEAP_SOURCE(name, says, query, ...) SOURCE(name, says, query, heap_rows_open), HEAP_ROWS(__VA_ARGS__)
#define HEAP_STAGE(name, says, query, ...) STAGE(name, says, query, heap_rows_open), HEAP_ROWS(__VA_ARGS__)
/* table of columns, struct heap_source, and the store columns that every row needs (NULL: none) */
#define HEAP_ROWS(table, from, need) OVER(SHAPE_GRAPH, table), .source = &(from), .needs = (need)

/* Makes n rows, which are about the numbers 1 .. n. */
void	heap_rows_numbered(struct heap_rows *, uint64_t n);
/* Append an item to the list; false: rows.err is filled. */
bool	heap_rows_add(struct heap_rows *, const void *item);
bool	heap_rows_add_number(struct heap_rows *, uint32_t);
/* Mark the classes whose Class objects are in the rows of in. others: for other objects mark their class. */
bool	heap_rows_classes(struct heap_rows *, bool others);
/* ARGS_THREADS of a stage, before the first row: the threads are those whose Thread objects are in the rows of in. */
bool	heap_rows_threads(struct heap_rows *);
/* ARGS_OBJECTS: read the object of the next input row, or 0; false after the last. */
bool	heap_rows_next(struct heap_rows *, uint32_t *object);

/* The source "objects". Other commands use its columns, too. */
enum { OBJECT_COLUMNS = 13 };
extern const struct coldef object_cols[OBJECT_COLUMNS];
extern const struct command source_objects;

/* overlap.c: return a note if retained sizes of the rows overlap (their sum counts twice), or NULL. */
const char *overlap_objects(struct rows *);
const char *overlap_classes(struct rows *);

/* ---- cells -------------------------------------------------------------------------- */

/* An empty buffer for the text of a cell. */
static inline struct buf *
cell_begin(struct heap_rows *s)
{
	buf_clear(&s->view.text);
	return &s->view.text;
}

/* Make a cell of a constant text; NULL: empty. */
static inline void
cell_word(struct cell *c, const char *word)
{
	c->type = word == NULL ? CELL_NONE : CELL_TEXT;
	c->text = str_of(word);
}

/* Make a cell of part as a percentage of whole; empty if whole is 0. */
void	cell_share(struct cell *, uint64_t part, uint64_t whole);

/* ---- references: slot_cells.c ---------------------------------------------------------- */

/* Append the text of a reference to an object missing in the dump. This and the next two append raw bytes. */
void	slot_missing_add(const struct heap_slot *, struct buf *);
/* "java.util.HashMap @17", "byte[12] @18". */
void	slot_object_add(const struct heap *, uint32_t object, struct buf *);
/* Append the name of a field; for other slots, heap_slot_name. */
void	slot_name_add(const struct heap *, const struct heap_slot *, struct buf *);

/* The name as a cell; NULL: empty. */
void	slot_name_cell(struct heap_rows *, const struct heap_slot *, struct cell *);
void	slot_value_cell(struct heap_rows *, const struct heap_slot *, struct cell *);
/* Name a hop of a path: the reference in links from holder to object; holder 0: the kind of root. */
void	hop_name_cell(struct heap_rows *, const struct heap *links, uint32_t holder, uint32_t object, uint32_t root,
	    struct cell *);

/* ---- objects of equal content, as pass "duplicates" left them: q_copies.c --------------------- */

/* Copies of each object. Zero it; copies_make fills it on first use. */
struct copies {
	bool			 made;
	struct scratch		 has;		/* bits by object: it is a member of a group */
	struct scratch		 before;	/* u32: members in front of each word of has */
	struct scratch		 row;		/* u32: of each member, by rising number, its row in dup.member */
	const struct column	*first, *member, *owns, *copies, *waste, *shared, *sharers;
};

void	copies_free(struct copies *);
bool	copies_make(struct copies *, const struct heap_view *, struct work *, struct err *);
/* Row of dup.member of an object, from 1; 0: there is no other of its content, or it is unreachable. */
uint64_t copies_row(const struct copies *, uint32_t object);
/* The row of dup.* that has that row of dup.member, from 1. */
uint64_t copies_group(const struct copies *, uint64_t row);
/* Strings that have the array. */
uint64_t copies_sharers(const struct copies *, uint32_t array);
/* Bytes that would be free if its text or content were there only once. */
uint64_t copies_waste(const struct copies *, const struct heap *, uint32_t object);

#endif
