/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/table: fields of some columns of a table in many records at once.
 *
 * Records are read in windows, a window once for all columns requested so far; some windows stay, so that
 * columns may be read one after the other.  If windows are read in file order, the following ones are read
 * ahead, on several processors.
 */
#ifndef ICECORE_QUERY_WINDOWS_H
#define ICECORE_QUERY_WINDOWS_H

#include "icecore/batch.h"
#include "icecore/table.h"
#include "icecore/texts.h"

#define WINDOWS_COLUMNS 16u	/* so many may be asked for */
#define WINDOWS_MOST 64u	/* that stay */
#define WINDOWS_VALUES 65536u	/* a column with more different texts has no values */

struct window_column {
	uint32_t	 column;	/* number of the column in the file */
	struct sheet_field *field;	/* fields of the records in the windows */
	struct text_pool texts;		/* different texts of the column */
	bool		 many;		/* the column has too many different texts */
};

struct windows {
	struct sheet_reader reader;	/* for texts */
	const struct column *block;	/* column of the store: where records begin */
	uint64_t	 slots;		/* windows that stay */
	uint64_t	 there[WINDOWS_MOST];	/* the number of the window that is there, from 1; 0: none */
	/* the window behind the last one that was read; so many are read at once there */
	uint64_t	 next, ahead;
	struct window_column column[WINDOWS_COLUMNS];
	unsigned	 n;
};

bool	windows_open(struct windows *, const struct sheet *, const struct store *, struct err *);
void	windows_close(struct windows *);
/*
 * Read a column of records first .. first + n - 1, which exist; n <= BATCH.  NULL: the caller has to read the
 * cells instead.
 */
struct window_column *windows_read(struct windows *, uint32_t column, uint64_t first, size_t n,
    struct work *);
/* The text of a field that was read; valid until the next one. */
struct str windows_text(struct windows *, const struct window_column *, uint64_t record);
/* Return the column if that record was read; otherwise NULL. */
const struct window_column *windows_have(const struct windows *, uint32_t column, uint64_t record);
/* The text of a value of a column that has values. */
struct str windows_value(const struct windows *, uint32_t column, uint64_t value);
/*
 * Number the texts of n records from 0, as values of a batch; empty texts have no number.  False: too many
 * texts differ.
 */
bool	windows_values(struct windows *, struct window_column *, uint64_t first, size_t n, struct batch *);

#endif
