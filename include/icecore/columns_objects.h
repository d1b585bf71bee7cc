/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of the objects of a heap dump and of the references between them.
 */
#ifndef ICECORE_COLUMNS_OBJECTS_H
#define ICECORE_COLUMNS_OBJECTS_H

#include "icecore/columns.h"

#define COLUMNS_OBJECTS(ROW) \
	/* Pass objects. */ \
	/* u16: offset after offset.block, HEAP_LARGE: see far.*; u32 if objects are in no order. */ \
	ROW(OBJECT_OFFSET, "object.offset") \
	ROW(OBJECT_HIGH, "object.high")			/* u8, of u32 above 4 GiB */ \
	ROW(OFFSET_BLOCK, "offset.block")		/* u64: the least of HEAP_BLOCK objects */ \
	ROW(FAR_OBJECT, "far.object")			/* rising */ \
	ROW(FAR_OFFSET, "far.offset") \
	ROW(OBJECT_CLASS, "object.class") \
	ROW(OBJECT_ID, "object.id")			/* ids that do not rise; absent: those of ids.h */ \
	/* Bytes; absent: the rule of the class says it. */ \
	ROW(OBJECT_SHALLOW, "object.shallow") \
	ROW(OBJECT_MAT_SHALLOW, "object.mat_shallow")	/* absent: object.shallow */ \
	ROW(OBJECT_TYPE, "object.type")			/* u8: type and bits of the form */ \
	ROW(OBJECT_SITE, "object.site")			/* row of site.*; 0: unknown */ \
	/* 1 + the number of collections before it was made; 0: unknown. */ \
	ROW(OBJECT_BORN, "object.born") \
	/* From the roots: (1 + references) << 1, | 1: those of the system only; 0: not reached. */ \
	ROW(OBJECT_DISTANCE, "object.distance") \
	ROW(OBJECT_STATE, "object.state")		/* u8: 1 attached to a document, 2 detached; else unknown */ \
	ROW(OBJECT_LENGTH, "object.length")		/* u8: elements; 255: see long.* */ \
	ROW(LONG_OBJECT, "long.object") \
	ROW(LONG_LENGTH, "long.length") \
	ROW(OUT_DATA, "out.data")			/* outgoing references; read through heap_out */ \
	ROW(OUT_LEN, "out.len") \
	ROW(OUT_BLOCK, "out.block") \
	/* u32, rising: a Thread, for each object that its stack holds. */ \
	ROW(LOCAL_THREAD, "local.thread") \
	ROW(LOCAL_ROOT, "local.root")			/* u32 row of root.*, ascending per object */ \
	/* Pass referrers: incoming references; read through heap_in. */ \
	ROW(IN_DATA, "in.data") \
	ROW(IN_LEN, "in.len") \
	ROW(IN_BLOCK, "in.block")

COLUMN_FAMILY(OBJECTS, COL_NUMBER, COL_OF_FRAMES);

#endif
