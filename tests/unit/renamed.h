/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * renamed: a heap dump of a program that R8 has been at, and its mapping file.
 */
#ifndef UNIT_RENAMED_H
#define UNIT_RENAMED_H

#include "heaps.h"

enum { R_OBJECT = 0x1000, R_CLASS = 0x1010, R_MAIN = 0x1020, R_SUB = 0x1030, R_ARRAY = 0x1040,
	R_DOTTED = 0x1050, R_THREAD = 0x1060, R_KEPT = 0x1070,
	R_ONE = 0x2000, R_TWO = 0x2040, R_RUNNER = 0x2080, R_LIST = 0x20c0 };

#define R_FIELDS(...) (const struct put_field[]){ __VA_ARGS__ }, \
	NELEM(((const struct put_field[]){ __VA_ARGS__ }))

static const char renamed_mapping[] =
    "# compiler: R8\n"
    "com.app.Main -> a.a:\n"
    "# {\"id\":\"sourceFile\",\"fileName\":\"Main.java\"}\n"
    "    int size -> a\n"
    "    com.app.Main next -> a\n"
    "    java.lang.Object first -> b\n"
    "    java.lang.Object second -> b\n"
    "    com.app.Main[] all -> s\n"
    "    1:9:void slow():100:108 -> c\n"
    "    10:20:void com.app.Helper.inner():70 -> c\n"
    "    10:20:void outer():60 -> c\n"
    "com.app.Sub -> a.b:\n"
    "    long size -> a\n"
    "com.app.Kept -> com.app.Kept:\n"
    "    int plain -> z\n";

/* Appends the dump.  Field a is there with two types; static s; line: of the one frame, of method c. */
static inline void
renamed_heap(struct buf *file, uint32_t line)
{
	struct heap_writer w = HEAP_WRITER_INIT;

	put_class(&w, R_OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(&w, R_CLASS, "java/lang/Class", R_OBJECT, 0, NULL, 0);
	put_class(&w, R_THREAD, "java/lang/Thread", R_OBJECT, 0,
	    R_FIELDS({ "name", HEAP_OBJECT, false, 0 }));
	put_class(&w, R_MAIN, "a/a", R_OBJECT, 0, R_FIELDS({ "a", HEAP_INT, false, 0 },
	    { "a", HEAP_OBJECT, false, 0 }, { "b", HEAP_OBJECT, false, 0 },
	    { "s", HEAP_OBJECT, true, R_LIST }, { "kept", HEAP_INT, true, 7 }));
	put_class(&w, R_SUB, "a/b", R_MAIN, 0, R_FIELDS({ "a", HEAP_LONG, false, 0 }));
	put_class(&w, R_ARRAY, "[[La/a;", R_OBJECT, 0, NULL, 0);
	put_class(&w, R_DOTTED, "a.b[]", R_OBJECT, 0, NULL, 0);
	put_class(&w, R_KEPT, "com.app.Kept", R_OBJECT, 0, R_FIELDS({ "z", HEAP_INT, false, 0 }));
	put_instance(&w, R_ONE, R_MAIN, 20);
	put(&w.body, 5, 4);
	put(&w.body, R_TWO, 8);
	put(&w.body, 0, 8);
	put_instance(&w, R_TWO, R_SUB, 28);
	put(&w.body, 9, 8);
	put(&w.body, 6, 4);
	put(&w.body, 0, 16);
	put_instance(&w, R_RUNNER, R_THREAD, 8);
	put(&w.body, 0, 8);
	put_objects(&w, R_LIST, R_ARRAY, 1);
	put(&w.body, R_ONE, 8);
	put_root(&w, ROOT_STICKY_CLASS, R_MAIN);
	put_thread_root(&w, ROOT_THREAD, R_RUNNER, 1, 11);
	put_thread_root(&w, ROOT_JAVA_FRAME, R_ONE, 1, 0);
	put_stack(&w, 11, 1, "c", R_MAIN, line);
	put_file(&w, file);
}

#endif
