/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: what the commands over heap dumps share.
 */
#ifndef ICECORE_QUERY_HEAP_H
#define ICECORE_QUERY_HEAP_H

#include "query/rows/items.h"
#include "query/trace/trace.h"

/* ---- arguments ------------------------------------------------------------- */

extern const struct arg_type arg_object, arg_class;

/*
 * "@12" is object number 12, "0x7f001230" the one at that address; of digits alone the number, else the
 * address.
 */
bool	object_of_token(const struct heap *, const struct token *, uint32_t *object,
	    struct err *);
/* Return whether a token begins as an object does ("@" or a digit), and not as the name of a class. */
bool	token_is_object(const struct token *);

/* Classes by number. */
struct class_set {
	uint8_t		*has;		/* 0 .. heap.classes */
	uint32_t	 n;		/* hits of arguments */
	uint32_t	 simple;	/* a class that was named without its package; 0: none */
};

/*
 * Adds the classes that the arguments of a stage mean: name, glob, /regex/, or a Class object.  Fails
 * when there is none.  A heap without a store: only checks.
 */
bool	classes_of_stage(struct class_set *, const struct heap *, const struct stage *,
	    struct err *);
/* Add the classes with that simple name if they share one full name; fail with several full names. */
bool	classes_by_simple_name(struct class_set *, const struct heap *, const struct token *, struct err *);
/* Suggest classes with a similar name in err; false: none. */
bool	simple_name_near(const struct heap *, const struct token *, struct err *);
/* Room for them, once; none is in it. */
bool	classes_make(struct class_set *, const struct heap *, struct err *);
void	classes_free(struct class_set *);

/* Objects one by one, and all that have one of the classes. */
struct object_args {
	uint32_t		*id;
	size_t			 n, cap;
	struct class_set	 classes;
};

bool	objects_of_stage(struct object_args *, const struct heap *, const struct stage *,
	    struct err *);
void	object_args_free(struct object_args *);

/*
 * Return the column of in that holds objects: object, id, or else the first. -1: there is none, and err is
 * filled.
 */
int	object_column(const struct stage *, const struct rows *in, struct err *);
/* The object in a cell of that column, or 0. */
uint32_t cell_object(const struct heap *, const struct cell *);
/* Read the object (or 0) in that column of the next row, and advance *row; false after the last row. */
bool	object_next(struct rows *, uint64_t *row, size_t col, const struct heap *,
	    uint32_t *object);

/* The object in a row of chains, 0: it is a headline; appends by what it refers to that of the next row. */
uint32_t chains_step(struct rows *, uint64_t row, struct buf *);

/* Threads by number: those that an argument means by name, glob, serial or Thread object. */
struct jthread_set {
	uint8_t		*has;		/* 0 .. n; NULL: all */
	uint32_t	 n;		/* threads of the dump */
};

/* Collect the threads that the arguments name; no arguments: all. A heap without a store: only checks. */
bool	jthreads_of_stage(struct jthread_set *, const struct heap *, const struct stage *,
	    struct err *);
bool	jthreads_have(const struct jthread_set *, uint32_t jthread);
void	jthreads_free(struct jthread_set *);

/*
 * A node of heap_names.h from the owner down: what holds, then what that has.  Appends to an empty buffer; of
 * the whole heap nothing.
 */
void	names_path(const struct heap *, uint32_t id, struct buf *);

/* ---- a heap that rows are read from ------------------------------------------- */

struct heap_view {
	struct heap	 heap;
	struct buf	 text;		/* text of the last cell, unless it was the name of a class */
	struct buf	 class_name;
	uint32_t	 class;		/* class that class_name is the name of; 0: none */
	struct buf	 package;
	uint32_t	 package_of;	/* class; 0: none */
	uint64_t	 whole;		/* that percentages are of: heap_whole */
	const struct column *class_shallow;
	struct copies	*copies;	/* NULL: nobody asked for them yet */
	struct contents	*contents;	/* likewise */
	struct collections *collections;	/* likewise */
	struct sites	*sites;		/* likewise */
	ARRAY(uint32_t)	 near;		/* likewise: by class, 1 + least distance of its objects; 0: some have none */
	struct link_index links;
};

bool	heap_view_open(struct heap_view *, const struct session *, struct err *);
void	heap_view_close(struct heap_view *);
/* A column of the graph and the sizes chosen. */
const struct column *view_column(const struct heap_view *, column_id);

/*
 * How a cell shows a number, in addition to enum show of items.h.  0 makes an empty cell from SHOW_CLASS on.
 */
enum heap_show {
	SHOW_PERCENT = SHOW_OWN,	/* bytes, as a percentage of heap_whole */
	/* The class, thread or frame with that number in class.*, jthread.*, frame.* */
	SHOW_CLASS, SHOW_PACKAGE, SHOW_THREAD, SHOW_FRAME,
	CLASS_SHALLOW,	/* bytes of the instances of a class */
	/* The number is that of an object: */
	OBJECT_ADDR, OBJECT_CLASS, OBJECT_LABEL, OBJECT_KIND, OBJECT_LENGTH, OBJECT_SHALLOW, OBJECT_RETAINED,
	OBJECT_PERCENT, OBJECT_REACHABLE, OBJECT_DOMINATOR, OBJECT_HEAP, OBJECT_OFFSET, OBJECT_NATIVE,
	/* The number is that of a string object: */
	OBJECT_VALUE, OBJECT_CHARS, OBJECT_CODER, OBJECT_ARRAY, OBJECT_COPIES, OBJECT_SHARED, OBJECT_WASTE,
	/* The owner of an object, and the field that holds it: "com.example.Cache.map". */
	OBJECT_OWNER, OBJECT_HELD_BY, SHOWS
};

/* Store columns that a cell of each kind needs besides those of its command; COL_NONE ends each list. */
extern const column_id show_needs[SHOWS][3];
/* Store columns for NEEDS() of hrows.h, and for commands. */
extern const column_id needs_objects[], needs_stacks[], needs_dominators[], needs_allocations[];
/* Texts are valid until the next cell. */
void	view_cell(struct rows *, struct heap_view *, uint64_t number, enum heap_show, struct cell *);
/*
 * Like view_cell for the n numbers in u of a batch and a column of that type: heap_batch.c.  false: make the
 * cells one by one.  run: the numbers rise by one from the first in u, which is not 0.
 */
bool	view_batch(const struct heap_view *, struct batch *, size_t n, bool run, enum heap_show,
    enum cell_type);
/* Make the cell of a value that view_batch numbered. */
void	view_value(struct rows *, struct heap_view *, uint64_t value, enum heap_show, struct cell *);

/* Describe the content of the object; empty if there is no description. */
void	view_content_cell(struct rows *, struct heap_view *, uint32_t object, struct cell *);
/* The package of the object's class; for a Class object, the package of the class it represents. */
void	view_package_cell(struct rows *, struct heap_view *, uint32_t object, struct cell *);
/* Return the contents, made on the first call; NULL: rows.err says why. */
struct contents *view_contents(struct rows *, struct heap_view *);
/* Return the collections or the copies, made on the first call; NULL: rows.err says why. */
struct collections *view_collections(struct rows *, struct heap_view *);
const struct copies *view_copies(struct rows *, struct heap_view *);
/*
 * "com.example.Cache.map": by what field the owner of the object holds it; without a reference the class of
 * the owner.  Appends.  False: it has no owner.
 */
bool	held_by_add(struct rows *, struct heap_view *, uint32_t object, struct buf *);
/* sites.c: where the object was allocated, known in dumps of the HPROF agent. */
void	view_site_cell(struct rows *, struct heap_view *, uint32_t object, struct cell *);
void	sites_close(struct sites *);	/* NULL is fine */

/* ---- fields of the objects as columns ----------------------------------------------- */

/*
 * The rows of a command, which have a column object or id, and the fields of these objects once
 * they are named; without such a column as they are.  classes: those of the objects, which live as long as
 * in; NULL or empty: any.  Takes over in, also on failure.
 */
bool	fields_over(struct session *, const struct stage *, struct rows *in, const struct class_set *classes,
	    struct rows **out, struct err *);
/* Columns that such rows have once they are named: those with fixed names, then one for all fields. */
enum { MADE_NAMED = 3, MADE_COLUMNS = 4 };
extern const struct coldef made_columns[MADE_COLUMNS];
/* Return whether the rows of a command are objects, which have fields. */
bool	command_has_fields(const struct command *);
/* Return the column that holds the objects of such rows, or -1. */
int	fields_object(struct rows *);
/*
 * Names of fields as candidates, in columns name and what: of the first objects in a column, or of the
 * objects at the end of prefix: "friends." gives "friends.size".  Takes over in.
 */
bool	field_names_open(struct session *, struct rows *in, size_t object, struct str prefix,
	    struct rows **out, struct err *);

/* ---- bitmaps: the source "bitmaps" and the sink "png" -------------------------------- */

extern const struct arg_type arg_pixels;	/* how they are to be read: the name of a format */

struct bitmap_view {
	const struct heap	*heap;
	struct bitmaps		*list;		/* NULL: not opened yet */
	struct heap_routes	*routes;	/* NULL: likewise */
	uint64_t		*waste;		/* bytes wasted by copies of each bitmap; NULL: likewise */
};

void	bitmap_view_close(struct bitmap_view *);
/* Finds the bitmaps, on the first call. */
bool	bitmap_view_list(struct bitmap_view *, struct work *, struct err *);
/* Finds paths to these bitmaps, n of them, on the first call; object NULL: to all. */
bool	bitmap_view_routes(struct bitmap_view *, const uint32_t *object, size_t n, struct work *,
	    struct err *);
/* Bytes of all bitmaps that are equal to the one in a row, except one of them; nonzero only for the first. */
bool	bitmap_view_waste(struct bitmap_view *, uint64_t row, uint64_t *waste, struct work *,
	    struct err *);
/* Append the reference from holder to object: "android.widget.ImageView.mDrawable", "static a.b.C.sIcon". */
void	bitmap_link(const struct heap *, uint32_t holder, uint32_t object, struct buf *);
/* Append the kind of a root by its row of root.* (0: the dump has no row): "<jni global>". */
void	root_name_add(const struct heap *, uint32_t root, struct buf *);

/* Parse a pixel format: "RGB_565", or an unambiguous part of it: "565". */
bool	bitmap_format_read(const struct token *, enum bitmap_format *, struct err *);

#endif
