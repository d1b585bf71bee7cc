/*
 * columns: a handle for every column that a loader or a pass makes.  The store looks a column up by its
 * handle; its name stands in the index file only.  Belongs to layer store, which knows no more than that.
 *
 * To add a column: a row in the header of its family, whose comment says what the column has for each row.
 */
#ifndef ICECORE_COLUMNS_H
#define ICECORE_COLUMNS_H

#include <assert.h>
#include <stdbool.h>

#include "icecore/columns_code.h"
#include "icecore/columns_heap.h"
#include "icecore/columns_marks.h"
#include "icecore/columns_money.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_table.h"
#include "icecore/columns_trace.h"
#include "icecore/columns_triage.h"

#define COLUMNS_SINGLE(ROW) COLUMNS_TRACE(ROW) COLUMNS_SCHED(ROW) COLUMNS_MARKS(ROW) COLUMNS_MONEY(ROW) COLUMNS_TABLE(ROW) \
	COLUMNS_CODE(ROW) COLUMNS_TRIAGE(ROW) COLUMNS_HEAP(ROW)
#define COL_CHOICES (HEAP_REFS * HEAP_SIZES)

/*
 * Columns are numbered 1 .. COL_COUNT - 1: first one for each ROW, the derived ones last, then COL_CHOICES for each EACH, one a
 * choice of references and sizes.  COL_EACH_X is no column but the name of such a family, for heap_col, for masks, and for what passes need and make.
 */
enum col {
	COL_NONE,
#define ROW(handle, name) COL_##handle,
	COLUMNS_SINGLE(ROW)
	COL_DERIVED,			/* the first of these */
	COL_BEFORE_DERIVED = COL_DERIVED - 1,
	COLUMNS_DERIVED(ROW)
#undef ROW
	COL_CHOSEN,			/* the first that has a choice */
	COL_BEFORE_CHOSEN = COL_CHOSEN - 1,
#define EACH(handle, name) COL_FIRST_##handle, COL_LAST_##handle = COL_FIRST_##handle + COL_CHOICES - 1,
	COLUMNS_CHOSEN(EACH)
#undef EACH
	COL_COUNT,
	COL_BEFORE_FAMILIES = COL_COUNT - 1,
#define EACH(handle, name) COL_EACH_##handle,
	COLUMNS_CHOSEN(EACH)
#undef EACH
	COL_END
};

static inline bool
col_is_family(enum col column)
{
	return column >= COL_COUNT;
}

/* No index has it. */
static inline bool
col_is_derived(enum col column)
{
	return column >= COL_DERIVED && column < COL_CHOSEN;
}

static inline bool
col_is_chosen(enum col column)
{
	return column >= COL_CHOSEN && column < COL_COUNT;
}

/* The column of that choice of a family; a column that exists only once stays what it is. */
static inline enum col
col_choice(enum col column, unsigned choice)
{
	return col_is_family(column) ? (enum col)(COL_CHOSEN + (column - COL_COUNT) * COL_CHOICES + choice) : column;
}

static inline enum col
heap_col(enum col column, enum heap_refs refs, enum heap_sizes sizes)
{
	assert(column < COL_END && refs < HEAP_REFS && sizes < HEAP_SIZES);
	return col_choice(column, refs * HEAP_SIZES + sizes);
}

/* Of a column of a choice: that choice, and its family.  Of others soft and vm, which mean nothing, and the column itself. */
static inline enum heap_refs
col_refs(enum col column)
{
	return col_is_chosen(column) ? (enum heap_refs)((column - COL_CHOSEN) % COL_CHOICES / HEAP_SIZES) : REFS_SOFT;
}

static inline enum heap_sizes
col_sizes(enum col column)
{
	return col_is_chosen(column) ? (enum heap_sizes)((column - COL_CHOSEN) % HEAP_SIZES) : SIZES_VM;
}

static inline enum col
col_family(enum col column)
{
	return col_is_chosen(column) ? (enum col)(COL_COUNT + (column - COL_CHOSEN) / COL_CHOICES) : column;
}

/* The names in the index, by handle, [0] NULL: src/tables.c. */
extern const char *const column_names[];

#endif
