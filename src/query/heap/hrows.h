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
#define NUMBER_OF(...) FROM(SHOW_NUMBER, __VA_ARGS__)
#define SOME_OF(...) FROM(SHOW_SOME, __VA_ARGS__)
/* Class names are cut in front: their end is specific. Threads of a pool differ only at the end. */
#define CUT_OF(what) ((what) == OBJECT_CLASS || (what) == OBJECT_LABEL || (what) == OBJECT_HELD_BY || \
    (what) == SHOW_CLASS || \
	(what) == SHOW_PACKAGE ? CUT_FRONT : (what) == SHOW_THREAD ? CUT_MIDDLE : CUT_END)
#define SUMS(what) .sum_note = overlap_##what
#define NEEDS(what) .needs = needs_##what

/* ---- rows ------------------------------------------------------------------------ */

/* Arguments of sources, read before begin. */
enum {
	ARGS_OBJECTS = ARGS_DOMAIN,	/* see OVER_OBJECTS */
	ARGS_CLASSES,	/* the same of classes, which a source finds in struct heap_own */
	ARGS_THREADS	/* the same for threads; a stage: those whose objects are in its rows */
};

/* Additions of rows over a heap dump. */
struct heap_own {
	struct heap_view	 view;
	struct class_set	 classes;	/* classes of the arguments; for a stage those of its rows */
	bool			 of_classes;	/* the rows are objects, each of one of them */
	struct jthread_set	 threads;
};

#define HEAP(s) ((struct heap_own *)(s)->own)
extern const struct domain heap_domain;

/*
 * A source goes through the objects of its arguments, of which it needs one; a stage takes none and goes
 * through those of its rows.
 */
#define OVER_OBJECTS .args = ARGS_OBJECTS, .over = &source_objects

/* Rows of a command over those of in, whose objects are in column col; NULL: err is filled, in is closed. */
struct rows *heap_rows_over(struct session *, const struct command *, const struct stage *, struct rows *in,
    size_t col,
	    struct err *);
/* Opens all that commands declare, with their arguments: for struct command. */
bool	heap_rows_open(struct session *, const struct stage *, struct rows *in, struct rows **out,
    struct err *);
/* The first members of a struct command in this room. */
#define HEAP_SOURCE(name, says, query, ...) SOURCE(name, says, query, heap_rows_open), HEAP_ROWS(__VA_ARGS__)
#define HEAP_STAGE(name, says, query, ...) STAGE(name, says, query, heap_rows_open), HEAP_ROWS(__VA_ARGS__)
/* table of columns, struct source, and the store columns that every row needs (NULL: none) */
#define HEAP_ROWS(table, from, need) HEAP_ROWS_OF(SHAPE_GRAPH, table, from, need)
#define HEAP_ROWS_OF(of, table, from, need) OVER(of, table), .source = &(from), .needs = (need)
/* Rows of heaps with values. */
#define VALUES_SOURCE(name, says, query, ...) \
	SOURCE(name, says, query, heap_rows_open), HEAP_ROWS_OF(SHAPE_VALUES, __VA_ARGS__)
#define VALUES_STAGE(name, says, query, ...) STAGE(name, says, query, heap_rows_open), \
    HEAP_ROWS_OF(SHAPE_VALUES, __VA_ARGS__)

/* Mark the classes whose Class objects are in the rows of in. others: for other objects mark their class. */
bool	heap_rows_classes(struct item_rows *, bool others);
/*
 * ARGS_THREADS of a stage, before the first row: the threads are those whose Thread objects are in the rows
 * of in.
 */
bool	heap_rows_threads(struct item_rows *);
/* ARGS_OBJECTS: read the object of the next input row, or 0; false after the last. */
bool	heap_rows_next(struct item_rows *, uint32_t *object);

/* The source "objects". Other commands use its columns, too. */
#define OBJECT_ROWS(ROW) \
	ROW("id", CELL_ID, "object id, in address order", SOME_OF(), OBJECT_ID) \
	ROW("addr", CELL_ADDR, "address", FROM(OBJECT_ADDR)) \
	ROW("class", CELL_TEXT, "class", FROM(OBJECT_CLASS)) \
	ROW("kind", CELL_TEXT, "instance, object array, primitive array or class", FROM(OBJECT_KIND)) \
	ROW("length", CELL_COUNT, "array length", FROM(OBJECT_LENGTH)) \
	ROW("shallow", CELL_BYTES, "shallow size", FROM(OBJECT_SHALLOW)) \
	ROW("retained", CELL_BYTES, "retained size; 0: unreachable", FROM(OBJECT_RETAINED), SUMS(objects)) \
	ROW("reachable", CELL_TEXT, "strong, soft, finalizer, weak, phantom or unreachable", \
	    FROM(OBJECT_REACHABLE)) \
	ROW("distance", CELL_COUNT, "references from the nearest root; from 100 000 000 on from roots of the " \
	    "system only", \
	    .beside = SHAPE_DISTANCES, COMPUTED(distance_cell, .by = COL_OBJECT_DISTANCE)) \
	ROW("detached", CELL_TEXT, "DOM node: attached to a document, or detached", MORE, .beside = SHAPE_DISTANCES, \
	    MADE(.by = COL_OBJECT_STATE, .word = dom_state)) \
	ROW("place", CELL_TEXT, "script, line and column where its function or constructor begins", MORE, \
	    .beside = SHAPE_DISTANCES, TEXT(object_place_text)) \
	ROW("label", CELL_TEXT, "class (of a Class object: its name)", MORE, FROM(OBJECT_LABEL)) \
	ROW("dominator", CELL_ID, "immediate dominator", MORE, FROM(OBJECT_DOMINATOR), OBJECT_ID) \
	ROW("heap", CELL_TEXT, "Android heap: app, zygote, image", MORE, FROM(OBJECT_HEAP)) \
	ROW("offset", CELL_ID, "offset in the uncompressed file", MORE, FROM(OBJECT_OFFSET)) \
	ROW("native", CELL_BYTES, "Android native size (registered with its cleaner)", MORE, \
	    FROM(OBJECT_NATIVE)) \
	ROW("method", CELL_TEXT, "method that ran when it was made", MORE, .beside = SHAPE_SITES, \
	    MADE(.show = SHOW_REF, .by = COL_OBJECT_SITE, .then = COL_SITE_METHOD)) \
	ROW("generation", CELL_COUNT, "collections before it was made", MORE, .beside = SHAPE_SITES, \
	    COMPUTED(before_cell, .by = COL_OBJECT_BORN)) \
	ROW("age", CELL_COUNT, "collections from then to that of the newest object", MORE, .beside = SHAPE_SITES, \
	    COMPUTED(age_cell, .by = COL_OBJECT_BORN))
#define ONE_ROW(...) + 1
enum { OBJECT_COLUMNS = 0 OBJECT_ROWS(ONE_ROW) };
extern const struct coldef object_cols[OBJECT_COLUMNS];
extern const struct command source_objects;

/* overlap.c: return a note if retained sizes of the rows overlap (their sum counts twice), or NULL. */
const char *overlap_objects(struct rows *);
const char *overlap_classes(struct rows *);

/* ---- cells -------------------------------------------------------------------------- */

/* A number stored as 1 + it; the age of object.born. */
void	before_cell(struct item_rows *, uint64_t born, struct cell *);
void	age_cell(struct item_rows *, uint64_t born, struct cell *);
/* Cells of a value of object.distance, and of the nearest object of a class. */
void	distance_cell(struct item_rows *, uint64_t value, struct cell *);
void	class_distance_cell(struct item_rows *, uint64_t class, struct cell *);
const char *dom_state(unsigned);	/* of object.state */
/* "82:7:13": script, line and column of a row of place.*, and of an object. */
bool	script_place_text(struct item_rows *, uint64_t row, struct buf *);
bool	object_place_text(struct item_rows *, uint64_t object, struct buf *);
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
/*
 * Name a hop of a path: the reference in links from holder to object; holder 0: the kind of root.  inside:
 * the holder is the part of a collection that has the element.
 */
void	hop_name_cell(struct item_rows *, const struct heap *links, uint32_t holder, uint32_t object,
    uint32_t root, bool inside, struct cell *);

/* ---- objects of equal content: copies.c -------------------------------------------------------- */

/* Copies of each object. Zero it; copies_make fills it on first use. */
struct copies {
	bool			 made;
	ARRAY(uint64_t)	has;		/* by object: it is a member of a group */
	ARRAY(uint32_t)	before;	/* members in front of each word of has */
	ARRAY(uint32_t)	row;		/* row in dup.member of each member, by rising number */
	const struct column	*first, *member, *owns, *copies, *waste, *shared, *sharers;
};

void	copies_free(struct copies *);
bool	copies_make(struct copies *, const struct heap *, struct work *, struct err *);
/* Row of dup.member of an object, from 1; 0: there is no other of its content, or it is unreachable. */
uint64_t copies_row(const struct copies *, uint32_t object);
/* The row of dup.* that has that row of dup.member, from 1. */
uint64_t copies_group(const struct copies *, uint64_t row);
/* Strings that have the array. */
uint64_t copies_sharers(const struct copies *, uint32_t array);
/* Bytes that would be free if its text or content were there only once. */
uint64_t copies_waste(const struct copies *, const struct heap *, uint32_t object);

#endif
