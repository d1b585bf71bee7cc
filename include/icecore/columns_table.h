/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of tables: of CSV, TSV and JSON lines.
 */
#ifndef ICECORE_COLUMNS_TABLE_H
#define ICECORE_COLUMNS_TABLE_H

#include "icecore/columns.h"

#define COLUMNS_TABLE(ROW) \
	/* Loader: one row a column of the file. */ \
	ROW(TABLE_NAME, "table.name")			/* u32: offset + 1 in table.text */ \
	/* u8, enum sheet_kind and SHEET_COMMA: guessed from the first records. */ \
	ROW(TABLE_LIKELY, "table.likely") \
	/* u8: decimals of all numbers of the first records; 0: they have different ones. */ \
	ROW(TABLE_PLACES, "table.places") \
	ROW(TABLE_TEXT, "table.text")			/* bytes, texts end with NUL */ \
	/* Loader: every SHEET_BLOCK-th record. */ \
	ROW(TABLE_BLOCK, "table.block")			/* u64: where it begins in the source */ \
	ROW(TABLE_LINE, "table.line")			/* u64: on which line of the file, from 1 */ \
	/* Pass columns. */ \
	ROW(TABLE_KIND, "table.kind")			/* u8, enum sheet_kind, of all values */ \
	ROW(TABLE_COMMA, "table.comma")			/* u8: of numbers 1: a comma is the decimal mark */ \
	/* u8, enum date_order: order of the parts of dates. */ \
	ROW(TABLE_DATES, "table.dates") \
	ROW(TABLE_EMPTY, "table.empty")			/* u64: records without a value */ \
	ROW(TABLE_DISTINCT, "table.distinct")		/* u64: different values, the empty one too */ \
	/* u8: 1: numbers about the values are estimates */ \
	ROW(TABLE_SAMPLED, "table.sampled") \
	/* u8: 1: min, median and max are numbers */ \
	ROW(TABLE_AMOUNTS, "table.amounts") \
	/* u32, offset + 1 in table.words; 0: none. */ \
	ROW(TABLE_MIN, "table.min") \
	ROW(TABLE_MEDIAN, "table.median") \
	ROW(TABLE_MAX, "table.max") \
	ROW(TABLE_BARS, "table.bars")			/* digits, as of cpu.use */ \
	ROW(TABLE_TOP, "table.top")			/* values that occur most, with their numbers */ \
	ROW(TABLE_WORDS, "table.words")			/* bytes, texts end with NUL */

COLUMN_FAMILY(TABLE, COL_NUMBER, COL_OF_CODE);

#endif
