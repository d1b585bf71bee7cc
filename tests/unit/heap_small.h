/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_small: a heap dump with a bit of everything, opened.
 */
#ifndef UNIT_HEAP_SMALL_H
#define UNIT_HEAP_SMALL_H

#include "check.h"
#include "folder.h"
#include "heaps.h"

#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/values.h"

/* Classes, then objects. */
enum {
	OBJECT = 0x1000, CLASS = 0x1010, STRING = 0x1020, BYTES = 0x1030, CHARS = 0x1040,
	ARRAY = 0x1050, THREAD = 0x1060, VIRTUAL = 0x1070, REFERENCE = 0x1080, WEAK = 0x1090,
	BASE = 0x10a0, DERIVED = 0x10b0, HOLDER = 0x10c0, LOADER = 0x10d0, LOADED = 0x10e0,
	NODE = 0x10f0, MATRIX = 0x1100, OLD = 0x1110,
	LATIN_BYTES = 0x2000, LATIN = 0x2020, WIDE_BYTES = 0x2040, WIDE = 0x2060,
	NO_VALUE = 0x2080, BAD_PART_CHARS = 0x20a0, LISTED = 0x20c0, EMPTY_BYTES = 0x20e0,
	EMPTY = 0x2100,
	FULL = 0x3000, SHORT = 0x3100, ELEMENTS = 0x3200, NUMBERS = 0x3300,
	MAIN = 0x4000, LIGHT = 0x4040, LOCAL = 0x4080, THIRD = 0x40c0,
	TARGET = 0x5000, MIDDLE = 0x5020, CACHE = 0x5040, WEAKLY = 0x5060, JNI = 0x5080,
	FAR = 0x50a0, RING = 0x50c0, OWN_LOADER = 0x50e0, MADE = 0x5100, GARBAGE = 0x5120
};

static char *folder;
static struct store *st;
static struct heap heap;

/* ---- the dump -------------------------------------------------------------------- */

#define FIELDS(...) (const struct put_field[]){ __VA_ARGS__ }, \
	NELEM(((const struct put_field[]){ __VA_ARGS__ }))

static void
write_classes(struct heap_writer *w)
{
	put_class(w, OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(w, CLASS, "java/lang/Class", OBJECT, 0, NULL, 0);
	put_class(w, STRING, "java/lang/String", OBJECT, 0, FIELDS({ "value", HEAP_OBJECT, false, 0 },
	    { "coder", HEAP_BYTE, false, 0 }));
	put_class(w, BYTES, "[B", OBJECT, 0, NULL, 0);
	put_class(w, CHARS, "[C", OBJECT, 0, NULL, 0);
	put_class(w, ARRAY, "[Ljava/lang/Object;", OBJECT, 0, NULL, 0);
	put_class(w, MATRIX, "[[Ljava/lang/Object;", OBJECT, 0, NULL, 0);
	put_class(w, OLD, "a.dotted.Name[]", OBJECT, 0, NULL, 0);
	put_class(w, THREAD, "java/lang/Thread", OBJECT, 0, FIELDS({ "name", HEAP_OBJECT, false, 0 },
	    { "tid", HEAP_LONG, false, 0 }));
	put_class(w, VIRTUAL, "java/lang/VirtualThread", THREAD, 0, NULL, 0);
	put_class(w, REFERENCE, "java/lang/ref/Reference", OBJECT, 0,
	    FIELDS({ "referent", HEAP_OBJECT, false, 0 }, { "next", HEAP_OBJECT, false, 0 }));
	put_class(w, WEAK, "java/lang/ref/WeakReference", REFERENCE, 0, NULL, 0);
	put_class(w, BASE, "t/Base", OBJECT, 0, FIELDS({ "z", HEAP_BOOLEAN, false, 0 },
	    { "c", HEAP_CHAR, false, 0 }, { "x", HEAP_INT, false, 0 }, { "f", HEAP_FLOAT, false, 0 }));
	put_class(w, DERIVED, "t/Derived", BASE, 0, FIELDS({ "d", HEAP_DOUBLE, false, 0 },
	    { "x", HEAP_LONG, false, 0 }, { "s", HEAP_SHORT, false, 0 },
	    { "b", HEAP_BYTE, false, 0 }, { "gone", HEAP_OBJECT, false, 0 }));
	put_class(w, HOLDER, "t/Holder", OBJECT, 0, FIELDS({ "count", HEAP_INT, true, 42 },
	    { "cache", HEAP_OBJECT, true, CACHE }, { "again", HEAP_OBJECT, true, CACHE },
	    { "none", HEAP_OBJECT, true, 0 }));
	put_class(w, LOADER, "t/Loader", OBJECT, 0, NULL, 0);
	put_class(w, LOADED, "t/Loaded", OBJECT, OWN_LOADER, NULL, 0);
	put_class(w, NODE, "t/Node", OBJECT, 0, FIELDS({ "next", HEAP_OBJECT, false, 0 },
	    { "other", HEAP_OBJECT, false, 0 }));
}

static void
write_string(struct heap_writer *w, uint64_t id, uint64_t value, uint8_t coder)
{
	put_instance(w, id, STRING, 9);
	put(&w->body, value, 8);
	put(&w->body, coder, 1);
}

static void
write_texts(struct heap_writer *w)
{
	/* Little-endian: a, U+1F600 as a pair, half a pair, b. */
	static const uint8_t wide[] = { 'a', 0, 0x3d, 0xd8, 0, 0xde, 0, 0xd8, 'b', 0 };

	put_prims(w, LATIN_BYTES, HEAP_BYTE, 4);
	buf_add(&w->body, "gr\xfcn", 4);
	write_string(w, LATIN, LATIN_BYTES, 0);
	put_prims(w, WIDE_BYTES, HEAP_BYTE, sizeof wide);
	buf_add(&w->body, wide, sizeof wide);
	write_string(w, WIDE, WIDE_BYTES, 1);
	write_string(w, NO_VALUE, 0, 0);
	put_prims(w, BAD_PART_CHARS, HEAP_CHAR, 3);
	buf_add(&w->body, "\0o\0l\0d", 6);
	write_string(w, LISTED, BAD_PART_CHARS, 0);
	put_prims(w, EMPTY_BYTES, HEAP_BYTE, 0);
	write_string(w, EMPTY, EMPTY_BYTES, 0);
}

static void
write_values(struct heap_writer *w)
{
	put_instance(w, FULL, DERIVED, 38);
	put(&w->body, 0x3ff8000000000000, 8);	/* 1.5 */
	put(&w->body, UINT64_MAX, 8);
	put(&w->body, 0x8000, 2);
	put(&w->body, 0x80, 1);
	put(&w->body, 0xdead0, 8);
	put(&w->body, 1, 1);
	put(&w->body, 0xe9, 2);
	put(&w->body, 0x80000000, 4);
	put(&w->body, 0x7f800000, 4);
	put_instance(w, SHORT, DERIVED, 10);
	put(&w->body, 0, 10);
	put_objects(w, ELEMENTS, ARRAY, 4);
	put(&w->body, LATIN, 8);
	put(&w->body, 0, 8);
	put(&w->body, 0xdead0, 8);
	put(&w->body, LATIN, 8);
	put_prims(w, NUMBERS, HEAP_CHAR, 2);
	put(&w->body, 'x', 2);
	put(&w->body, 'y', 2);
}

static void
write_node(struct heap_writer *w, uint64_t id, uint64_t next, uint64_t other)
{
	put_instance(w, id, NODE, 16);
	put(&w->body, next, 8);
	put(&w->body, other, 8);
}

static void
write_thread(struct heap_writer *w, uint64_t id, uint64_t class, uint64_t name)
{
	put_instance(w, id, class, 16);
	put(&w->body, name, 8);
	put(&w->body, 27, 8);
}

/*
 * TARGET is held by MIDDLE (which the static t.Holder.cache holds through an array), by FAR
 * (which a local of the main thread holds through RING), and weakly by a JNI global.
 */
static void
write_graph(struct heap_writer *w)
{
	write_thread(w, MAIN, THREAD, LATIN);
	write_thread(w, LIGHT, VIRTUAL, EMPTY);
	write_thread(w, THIRD, THREAD, 0);
	write_node(w, LOCAL, RING, 0);
	write_node(w, RING, FAR, RING);
	write_node(w, FAR, TARGET, 0);
	write_node(w, TARGET, 0, RING);
	write_node(w, MIDDLE, 0, TARGET);
	put_objects(w, CACHE, ARRAY, 3);
	put(&w->body, 0, 8);
	put(&w->body, MIDDLE, 8);
	put(&w->body, MIDDLE, 8);
	put_instance(w, WEAKLY, WEAK, 16);
	put(&w->body, TARGET, 8);
	put(&w->body, 0, 8);
	write_node(w, JNI, WEAKLY, MADE);
	put_instance(w, OWN_LOADER, LOADER, 0);
	put_instance(w, MADE, LOADED, 0);
	write_node(w, GARBAGE, 0, 0);
	put_root(w, ROOT_STICKY_CLASS, HOLDER);
	put_root(w, ROOT_STICKY_CLASS, OBJECT);
	put_root(w, ROOT_JNI_GLOBAL, JNI);
	put_thread_root(w, ROOT_THREAD, MAIN, 1, 11);
	put_thread_root(w, ROOT_THREAD, LIGHT, 2, 0);
	put_thread_root(w, ROOT_THREAD, THIRD, 3, 0);
	put_thread_root(w, ROOT_JAVA_FRAME, LOCAL, 1, 0);
	put_stack(w, 11, 1, "run", HOLDER, 17);
}

static int
set_up(void **state)
{
	static const column_id wanted[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN };
	static const struct store_options options = { .memory_only = true };
	struct heap_writer w = HEAP_WRITER_INIT;
	struct buf file = BUF_INIT;
	struct err err = { .kind = E_NONE };
	size_t i;
	char *path;

	(void)state;
	write_classes(&w);
	write_texts(&w);
	write_values(&w);
	write_graph(&w);
	put_file(&w, &file);
	folder = folder_make();
	path = folder_path(folder, "values.hprof");
	folder_write(path, file.s, file.n);
	buf_free(&file);
	if (load_open(&st, path, &options, NULL, &err))
		for (i = 0; i < NELEM(wanted) && pass_want(st, wanted[i], NULL, &err); i++)
			;
	if (err.kind != E_NONE ||
	    !heap_open(&heap, st, REFS_SOFT, SIZES_VM, &err))
		print_error("%s\n", err.text);
	free(path);
	return err.kind;
}

static int
tear_down(void **state)
{
	(void)state;
	store_close(st);
	folder_remove(folder);
	return 0;
}

static uint32_t
at(uint64_t addr)
{
	uint32_t object = heap_find(&heap, addr);

	assert_int_not_equal(object, 0);
	return object;
}

static void
assert_text(const struct buf *b, const char *text)
{
	assert_string_equal(b->n == 0 ? "" : b->s, text);
}

#endif
