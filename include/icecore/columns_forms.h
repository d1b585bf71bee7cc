/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of heap dumps that only some formats have.
 */
#ifndef ICECORE_COLUMNS_FORMS_H
#define ICECORE_COLUMNS_FORMS_H

#include "icecore/columns.h"

#define COLUMNS_FORMS(ROW) \
	/* u64 offset: heaps of Android; an object is of the last part from there on. */ \
	ROW(PART_FROM, "part.from") \
	ROW(PART_NAME, "part.name")			/* ref */ \
	/* bytes: texts that the source lacks; refs from store_own_at on */ \
	ROW(HEAP_TEXT, "heap.text") \
	/* Heap graphs: where the code of a class is from; name.* of fields that objects name, once for each place. */ \
	ROW(CLASS_PLACE, "class.place")			/* ref */ \
	ROW(NAME_CLASS, "name.class")			/* u32: that declares the field; 0: unknown */ \
	ROW(NAME_PLACE, "name.place")			/* ref of objects' classes; 0: of others */ \
	ROW(SITE_FILE, "site.file")			/* ref; places in the program that made objects */ \
	ROW(SITE_LINE, "site.line")			/* u32: 1 + the line; 0: unknown */ \
	ROW(SITE_METHOD, "site.method")			/* ref */ \
	ROW(SHAPE_ID, "shape.id")			/* u32, rising: lists of instance variables of Ruby */ \
	/* u32 row of shape.*, a lower one: all except the last; 0: none */ \
	ROW(SHAPE_PARENT, "shape.parent") \
	ROW(SHAPE_NAME, "shape.name")			/* ref: the last of them; 0: it adds none */ \
	/* Snapshots of V8: see src/load/heap/v8_in.h. */ \
	/* u32, rising: functions, and objects by their constructors, */ \
	ROW(PLACE_OBJECT, "place.object") \
	ROW(PLACE_SCRIPT, "place.script")		/* u32: begin in that script */ \
	ROW(PLACE_LINE, "place.line")			/* u32, from 0 */ \
	ROW(PLACE_COLUMN, "place.column")		/* u32, from 0 */ \
	ROW(CLASS_SCRIPT, "class.script")		/* u32 row of place.*; 0: unknown */ \
	ROW(V8_META, "v8.meta")				/* bytes: struct v8_meta */ \
	ROW(V8_STRING, "v8.string")			/* u64: offset of each V8_STRIDEth string */ \
	ROW(V8_EDGE_OBJECT, "v8.edge_object")		/* u32, rising: some objects, */ \
	ROW(V8_EDGE_PLACE, "v8.edge_place")		/* u64: and where their edges begin */ \
	ROW(V8_PAGE, "v8.page")				/* u64: bits of objects that belong to the page */

COLUMN_FAMILY(FORMS, COL_NUMBER, COL_OF_OBJECTS);

#endif
