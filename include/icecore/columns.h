/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns: a handle for every column that a loader or a pass makes.
 *
 * The store looks a column up by its handle; its name occurs only in the index file.  Belongs to layer
 * store, which needs nothing else.  To add a column: a row in the header of its family, whose comment
 * describes the value of each row.
 */
#ifndef ICECORE_COLUMNS_H
#define ICECORE_COLUMNS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* References that count for reachability, dominators and retained sizes (--refs). */
enum heap_refs { REFS_SOFT, REFS_STRONG, REFS_ALL,
	REFS_UNREACHABLE,	/* all references; objects that no root reaches get roots of their own */
	HEAP_REFS };
/* The rule of shallow sizes (--sizes): the layout vote, or MAT's formula. */
enum heap_sizes { SIZES_VM, SIZES_MAT, HEAP_SIZES };

/*
 * Each family of columns has its own header, columns_X.h.  Only files that use these columns include it, so
 * a new column recompiles few files.  This header assigns each family a range of numbers, which limits how
 * many columns it can have.
 *
 * Column numbers are 1 .. COL_COUNT - 1; some are unused.  Columns that exist once come first, the derived
 * ones last among them.  Then each EACH row has COL_CHOICES numbers, one for each choice of references and
 * sizes.  COL_EACH_X is not a column: it names all choices of X, for heap_col, for masks, and in the lists
 * of columns that passes need and make.
 */
typedef uint16_t column_id;

enum {
	COL_NONE,
	COL_OF_TRACE,
	COL_OF_SCHED = COL_OF_TRACE + 192,
	COL_OF_MARKS = COL_OF_SCHED + 96,
	COL_OF_MONEY = COL_OF_MARKS + 128,
	COL_OF_TABLE = COL_OF_MONEY + 64,
	COL_OF_CODE = COL_OF_TABLE + 32,
	COL_OF_TRIAGE = COL_OF_CODE + 64,
	COL_OF_DUMPS = COL_OF_TRIAGE + 96,
	COL_OF_COSTS = COL_OF_DUMPS + 128,
	COL_OF_COUNTS = COL_OF_COSTS + 32,
	COL_OF_HEAP = COL_OF_COUNTS + 64,
	COL_OF_FORMS = COL_OF_HEAP + 64,
	COL_OF_OBJECTS = COL_OF_FORMS + 32,
	COL_OF_FRAMES = COL_OF_OBJECTS + 32,
	COL_OF_REACH = COL_OF_FRAMES + 32,
	COL_OF_ALLOCATIONS = COL_OF_REACH + 32,
	COL_OF_LABELS = COL_OF_ALLOCATIONS + 32,
	COL_OF_DERIVED = COL_OF_LABELS + 16,	/* columns_trace.h */
	COL_CHOSEN = COL_OF_DERIVED + 32,		/* the first that has a choice */
	COL_EACH = 128,					/* number of families with choices */
	COL_CHOICES = HEAP_REFS * HEAP_SIZES,
	COL_COUNT = COL_CHOSEN + COL_EACH * COL_CHOICES,
	COL_OF_DOMINATORS = COL_COUNT,
	COL_OF_CONTENT = COL_OF_DOMINATORS + 32,
	COL_OF_NAMES = COL_OF_CONTENT + 32,
	COL_OF_FINDINGS = COL_OF_NAMES + 32,
	COL_END = COL_COUNT + COL_EACH
};

/*
 * Handles of a family, whose rows are COLUMNS_family; next: where the numbers of the next family begin.
 * Tests of its rows: man promises query unit/store.
 */
#define COLUMN_FAMILY(family, number, next) \
	enum { COL_BEFORE_##family = COL_OF_##family - 1, COLUMNS_##family(number) COL_PAST_##family }; \
	static_assert((int)COL_PAST_##family <= (int)(next), "more columns than columns.h has room for")
#define COL_NUMBER(handle, name) COL_##handle,
#define COL_FAMILY(handle, name) COL_EACH_##handle,

static inline bool
col_is_family(column_id column)
{
	return column >= COL_COUNT;
}

/* Never stored in an index. */
static inline bool
col_is_derived(column_id column)
{
	return column >= COL_OF_DERIVED && column < COL_CHOSEN;
}

static inline bool
col_is_chosen(column_id column)
{
	return column >= COL_CHOSEN && column < COL_COUNT;
}

/* The column of that choice of a family; a column without choices is returned unchanged. */
static inline column_id
col_choice(column_id column, unsigned choice)
{
	return col_is_family(column) ?
	    (column_id)(COL_CHOSEN + (column - COL_COUNT) * COL_CHOICES + choice) : column;
}

static inline column_id
heap_col(column_id column, enum heap_refs refs, enum heap_sizes sizes)
{
	assert(column < COL_END && refs < HEAP_REFS && sizes < HEAP_SIZES);
	return col_choice(column, refs * HEAP_SIZES + sizes);
}

/*
 * The choice and the family of a column with choices.  For other columns: soft and vm, which mean nothing,
 * and the column itself.
 */
static inline enum heap_refs
col_refs(column_id column)
{
	return col_is_chosen(column) ?
	    (enum heap_refs)((column - COL_CHOSEN) % COL_CHOICES / HEAP_SIZES) : REFS_SOFT;
}

static inline enum heap_sizes
col_sizes(column_id column)
{
	return col_is_chosen(column) ? (enum heap_sizes)((column - COL_CHOSEN) % HEAP_SIZES) : SIZES_VM;
}

static inline column_id
col_family(column_id column)
{
	return col_is_chosen(column) ? (column_id)(COL_COUNT + (column - COL_CHOSEN) / COL_CHOICES) : column;
}

/* The names in the index, by handle; NULL for numbers that no column has: src/store/column_names.c. */
extern const char *const column_names[COL_COUNT];

#endif
