/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of heap dumps as their loader makes them.  Objects are numbered 1 .. heap.objects by rising
 * address, classes by first appearance in the file; 0 is none.
 */
#ifndef ICECORE_COLUMNS_HEAP_H
#define ICECORE_COLUMNS_HEAP_H

#include "icecore/columns.h"

#define COLUMNS_HEAP(ROW) \
	/* Loader: objects by address, with facts heap.id_base and heap.id_shift; only ids.h reads them. */ \
	ROW(ID_SORTED, "id.sorted") \
	ROW(ID_PAGE, "id.page") \
	ROW(ID_PLACE, "id.place") \
	ROW(ID_BITS, "id.bits") \
	ROW(ID_RANK, "id.rank") \
	/* Runs of whole sub-records, file order. */ \
	ROW(EXTENT_FROM, "extent.from")			/* u64, offset in the source */ \
	ROW(EXTENT_TO, "extent.to")			/* u64 */ \
	/* Classes, also those that are only named or only used. */ \
	ROW(CLASS_OBJECT, "class.object")		/* u32: its Class object; 0: not dumped */ \
	/* u32: the classes that are objects, by rising object. */ \
	ROW(CLASS_BY_OBJECT, "class.by_object") \
	ROW(CLASS_ADDR, "class.addr")			/* u64 */ \
	ROW(CLASS_NAME, "class.name")			/* ref, as in the file; 0: unknown */ \
	ROW(CLASS_SUPER, "class.super")			/* u32 class; 0: none */ \
	ROW(CLASS_LOADER, "class.loader")		/* u32 row of loader.* */ \
	ROW(CLASS_DUMP, "class.dump")			/* u64 offset of its CLASS_DUMP; 0: none */ \
	ROW(CLASS_SIZE, "class.size")			/* u32: the instance size that the dump says */ \
	ROW(CLASS_ELEMENT, "class.element")		/* u8: 0 no array, else enum heap_type */ \
	ROW(CLASS_STRENGTH, "class.strength")		/* u8, enum heap_strength of its referent field */ \
	/* u32: instances; of java.lang.Class the classes too. */ \
	ROW(CLASS_OBJECTS, "class.objects") \
	ROW(CLASS_SHALLOW, "class.shallow")		/* u64: bytes of all its instances by SIZES_VM */ \
	ROW(CLASS_MAT_SHALLOW, "class.mat_shallow")	/* u64: the same by SIZES_MAT */ \
	ROW(CLASS_VM_SIZE, "class.vm_size")		/* u32: bytes of one instance */ \
	ROW(CLASS_MAT_SIZE, "class.mat_size")		/* u32 */ \
	ROW(CLASS_STATICS, "class.statics")		/* u32: bytes of primitive statics */ \
	ROW(CLASS_STATIC_REFS, "class.static_refs")	/* u32: statics that are references */ \
	/* u32: number of those that the VM keeps outside the Class object. */ \
	ROW(CLASS_STATIC_ADDED, "class.static_added") \
	ROW(CLASS_STATIC_WIDE, "class.static_wide")	/* u8: 1: some statics are of type long or double */ \
	ROW(CLASS_SERIAL, "class.serial")		/* u32 */ \
	ROW(CLASS_FIELD, "class.field")			/* u32: first row of field.* */ \
	ROW(CLASS_FIELDS, "class.fields")		/* u32: fields that it declares itself */ \
	/* ref; instance fields in the order of their values. */ \
	ROW(FIELD_NAME, "field.name") \
	ROW(FIELD_TYPE, "field.type")			/* u8 */ \
	ROW(LOADER_OBJECT, "loader.object")		/* u32: row 1 is the boot loader with object 0 */ \
	/* Roots in file order; roots of missing objects are dropped. */ \
	ROW(ROOT_OBJECT, "root.object") \
	ROW(ROOT_KIND, "root.kind")			/* u8, enum heap_root */ \
	ROW(ROOT_THREAD, "root.thread")			/* u32 row of jthread.*; 0: none */ \
	/* u32: frame of the stack, 0 innermost; ROOT_NO_FRAME. */ \
	ROW(ROOT_DEPTH, "root.depth") \
	/* Threads alive when the dump was taken, as recorded in the file. */ \
	ROW(JTHREAD_OBJECT, "jthread.object")		/* u32; 0: not dumped */ \
	ROW(JTHREAD_SERIAL, "jthread.serial")		/* u32 */ \
	ROW(JTHREAD_NAME, "jthread.name")		/* ref, of START_THREAD */ \
	ROW(JTHREAD_TRACE, "jthread.trace")		/* u32 serial */ \
	ROW(TRACE_SERIAL, "trace.serial")		/* u32; the STACK_TRACE records */ \
	ROW(TRACE_THREAD, "trace.thread")		/* u32 serial */ \
	ROW(TRACE_OFFSET, "trace.offset")		/* u64, of its frame ids */ \
	ROW(TRACE_FRAMES, "trace.frames")		/* u32 */ \
	ROW(SFRAME_ID, "sframe.id")			/* u64, rising; the STACK_FRAME records */ \
	ROW(SFRAME_OFFSET, "sframe.offset")		/* u64, of the body */ \
	ROW(NAME_ID, "name.id")				/* u64, rising; the STRING records */ \
	ROW(NAME_REF, "name.ref") \
	/* Side files: original names from a mapping file, in place of class.name and field.name. */ \
	ROW(RAW_CLASS, "raw.class")			/* ref by class: its obfuscated name; 0: the same */ \
	ROW(STATIC_CLASS, "static.class")		/* u32, rising: static fields */ \
	ROW(STATIC_ID, "static.id")			/* u64, of the name in the file */ \
	ROW(STATIC_NAME, "static.name")			/* ref */ \
	ROW(SFRAME_METHOD, "sframe.method")		/* ref by row of sframe.*; 0: as in the file */ \
	ROW(SFRAME_FILE, "sframe.file")			/* ref */ \
	ROW(SFRAME_LINE, "sframe.line")			/* i64 */

COLUMN_FAMILY(HEAP, COL_NUMBER, COL_OF_FORMS);

#endif
