/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of allocations, from a recording opened with a heap dump, and of native memory that objects
 * registered.
 */
#ifndef ICECORE_COLUMNS_ALLOCATIONS_H
#define ICECORE_COLUMNS_ALLOCATIONS_H

#include "icecore/columns.h"

#define COLUMNS_ALLOCATIONS(ROW) \
	/* Pass allocations, in a store with a recording: row of the name of each class; 0: not recorded. */ \
	ROW(ALLOC_BYTES, "alloc.bytes")			/* u64 */ \
	ROW(ALLOC_SAMPLES, "alloc.samples")		/* u64 */ \
	ROW(ALLOC_OLD, "alloc.old")			/* u64: objects that stayed */ \
	/* u32: its first row of made.*, of the site that made most bytes. */ \
	ROW(ALLOC_ROW, "alloc.row") \
	ROW(ALLOC_ROWS, "alloc.rows")			/* u32: so many */ \
	/* u32: row of the site that made most of the surviving objects. */ \
	ROW(ALLOC_OLD_ROW, "alloc.old_row") \
	/* Names of classes and of sites that made objects, by falling bytes of the class, then the site. */ \
	ROW(MADE_NAME, "made.name")			/* u32, offset + 1 in made.text */ \
	ROW(MADE_SITE, "made.site")			/* the same; 0: not known */ \
	/* u32: the first class of the dump that has the name; 0: none has. */ \
	ROW(MADE_CLASS, "made.class") \
	ROW(MADE_BYTES, "made.bytes")			/* u64 */ \
	ROW(MADE_SAMPLES, "made.samples")		/* u64 */ \
	ROW(MADE_OLD, "made.old")			/* u64 */ \
	ROW(MADE_TEXT, "made.text")			/* bytes, texts end with NUL */ \
	/* Pass natives: native memory that belongs to objects by NativeAllocationRegistry of Android. */ \
	ROW(NATIVE_OBJECT, "native.object")		/* u32, rising */ \
	ROW(NATIVE_BYTES, "native.bytes")		/* u64 */

COLUMN_FAMILY(ALLOCATIONS, COL_NUMBER, COL_OF_LABELS);

/* Columns made from a recording opened with a dump. */
#define MADE_MAKES \
	COL_ALLOC_BYTES, COL_ALLOC_SAMPLES, COL_ALLOC_OLD, COL_ALLOC_ROW, COL_ALLOC_ROWS, COL_ALLOC_OLD_ROW, \
	COL_MADE_NAME, COL_MADE_SITE, COL_MADE_CLASS, COL_MADE_BYTES, COL_MADE_SAMPLES, COL_MADE_OLD, \
	    COL_MADE_TEXT

#endif
