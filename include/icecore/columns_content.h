/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of what objects contain: duplicates, memory outside the heap, collections; for each choice of
 * --refs and --sizes.
 */
#ifndef ICECORE_COLUMNS_CONTENT_H
#define ICECORE_COLUMNS_CONTENT_H

#include "icecore/columns.h"

#define COLUMNS_CONTENT(EACH) \
	/* Pass duplicates: reachable arrays of one content and Strings of one text, by falling waste. */ \
	/* u8: 1 Strings, 0 arrays, 2 arrays of nothing but zeros. */ \
	EACH(DUP_STRING, "dup.string") \
	EACH(DUP_OBJECT, "dup.object")			/* u32: the lowest of these objects */ \
	EACH(DUP_COPIES, "dup.copies")			/* u32 */ \
	EACH(DUP_ARRAYS, "dup.arrays")			/* u32: distinct backing arrays */ \
	EACH(DUP_WASTE, "dup.waste")			/* u64 bytes of all copies except one */ \
	EACH(DUP_FIRST, "dup.first")			/* u32 row of dup.member */ \
	EACH(DUP_MEMBER, "dup.member")			/* u32: the objects, rising */ \
	/* u8, a row a member: 1: the array of this String would go with it. */ \
	EACH(DUP_OWNS, "dup.owns") \
	EACH(DUP_SHARED, "dup.shared")			/* u32, rising: arrays that several Strings have */ \
	EACH(DUP_SHARERS, "dup.sharers")		/* u32: so many */ \
	/* Pass direct: objects with memory outside the heap, without views of it, then users of zlib. */ \
	EACH(DIRECT_OBJECT, "direct.object")		/* u32, by address of the memory */ \
	EACH(DIRECT_BYTES, "direct.bytes")		/* u64 */ \
	/* Pass collections: packed; read through collection_rows_next. */ \
	EACH(COLLECTIONS, "collections")

COLUMN_FAMILY(CONTENT, COL_FAMILY, COL_OF_NAMES);

#endif
