/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/heap: rows over a heap dump, declared by tables as src/query/rows/items.h says.
 */
#ifndef ICECORE_QUERY_HROWS_H
#define ICECORE_QUERY_HROWS_H

#include "heap.h"

/* ---- columns ----------------------------------------------------------------- */

/* A column that shows a number as `what`, with the store columns that needs. The rest locates the number. */
#define FROM(what, ...) .needs = show_needs[what], .cut = CUT_OF((unsigned)(what)), MADE(.show = what, __VA_ARGS__)
/* Class names are cut in front: their end is specific. Threads of a pool differ only at the end. */
#define CUT_OF(what) ((what) == OBJECT_CLASS || (what) == OBJECT_LABEL || (what) == OBJECT_HELD_BY || (what) == SHOW_CLASS || \
	(what) == SHOW_PACKAGE ? CUT_FRONT : (what) == SHOW_THREAD ? CUT_MIDDLE : CUT_END)
#define SUMS(what) .sum_note = overlap_##what
#define NEEDS(what) .needs = needs_##what

/* ---- rows ------------------------------------------------------------------------ */

/* Arguments of sources, read before begin. */
enum {
	/*
	 * A source goes through the objects of its arguments, of which it needs one; a stage takes none and goes
	 * through those of its rows.
	 */
	ARGS_OBJECTS = ARGS_DOMAIN,
	ARGS_CLASSES,	/* the same of classes, which a source finds in struct heap_own */
	ARGS_THREADS	/* those of struct heap_own; a stage: those whose objects are in its rows */
};

/* Additions of rows over a heap dump. */
struct heap_own {
	struct heap_view	 view;
	struct class_set	 classes;	/* of the arguments */
	bool			 of_classes;	/* the rows are objects, each of one of them */
	struct jthread_set	 threads;
	struct link_index	 links;
};

#define HEAP(s) ((struct heap_own *)(s)->own)
extern const struct domain heap_domain;

/* Rows of a command over those of in, whose objects are in column col; NULL: err is filled, in is closed. */
struct rows *heap_rows_over(struct session *, const struct command *, const struct stage *, struct rows *in, size_t col,
	    struct err *);
/* Opens all that commands declare, with their arguments: for struct command. */
bool	heap_rows_open(struct session *, const struct stage *, struct rows *in, struct rows **out, struct err *);
/* The first members of a struct command in this room. */
#define HEAP_SOURCE(name, says, query, ...) SOURCE(name, says, query, heap_rows_open), HEAP_ROWS(__VA_ARGS__)
#define HEAP_STAGE(name, says, query, ...) STAGE(name, says, query, heap_rows_open), HEAP_ROWS(__VA_ARGS__)
/* table of columns, struct source, and the store columns that every row needs (NULL: none) */
#define HEAP_ROWS(table, from, need) OVER(SHAPE_GRAPH, table), .source = &(from), .needs = (need)

/* Mark the classes whose Class objects are in the rows of in. others: for other objects mark their class. */
bool	heap_rows_classes(struct item_rows *, bool others);
/* ARGS_THREADS of a stage, before the first row: the threads are those whose Thread objects are in the rows of in. */
bool	heap_rows_threads(struct item_rows *);
/* ARGS_OBJECTS: read the object of the next input row, or 0; false after the last. */
bool	heap_rows_next(struct item_rows *, uint32_t *object);

/* The source "objects". Other commands use its columns, too. */
enum { OBJECT_COLUMNS = 13 };
extern const struct coldef object_cols[OBJECT_COLUMNS];
extern const struct command source_objects;

/* overlap.c: return a note if retained sizes of the rows overlap (their sum counts twice), or NULL. */
const char *overlap_objects(struct rows *);
const char *overlap_classes(struct rows *);

/* ---- cells -------------------------------------------------------------------------- */

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
void	slot_name_cell(struct item_rows *, const struct heap_slot *, struct cell *);
void	slot_value_cell(struct item_rows *, const struct heap_slot *, struct cell *);
/* Name a hop of a path: the reference in links from holder to object; holder 0: the kind of root. */
void	hop_name_cell(struct item_rows *, const struct heap *links, uint32_t holder, uint32_t object, uint32_t root,
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
