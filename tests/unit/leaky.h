/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaky: heap dumps of a small application that may leak, and what is found in them.
 */
#ifndef UNIT_LEAKY_H
#define UNIT_LEAKY_H

#include "check.h"
#include "folder.h"
#include "heaps.h"

#include "icecore/columns_findings.h"
#include "icecore/leak.h"

/* Classes, and the object the static of the application keeps; a test writes after them. */
enum {
	OBJECT = 0x1000, CLASS = 0x1010, ARRAY = 0x1020, BYTES = 0x1030, ACTIVITY = 0x1040, MAIN = 0x1050,
	VIEW = 0x1060, BITMAP = 0x1070, CURSOR = 0x1080, SQL = 0x1090, NODE = 0x10a0, REFERENCE = 0x10b0,
	FINALIZER = 0x10c0, LAMBDA = 0x10e0, PROXY = 0x10f0, APP = 0x1100,
	KEPT = 0x2000, FIRST = 0x3000, STEP = 16, BALLAST = 0x2000000
};

static char *folder, *path;
static struct store *st;
static struct heap heap;
static struct findings all;

/* ---- dumps ---------------------------------------------------------------------------- */

#define FIELDS(...) (const struct put_field[]){ __VA_ARGS__ }, \
	NELEM(((const struct put_field[]){ __VA_ARGS__ }))

static inline void
write_classes(struct heap_writer *w)
{
	put_class(w, OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(w, CLASS, "java/lang/Class", OBJECT, 0, NULL, 0);
	put_class(w, ARRAY, "[Ljava/lang/Object;", OBJECT, 0, NULL, 0);
	put_class(w, BYTES, "[B", OBJECT, 0, NULL, 0);
	put_class(w, ACTIVITY, "android/app/Activity", OBJECT, 0,
	    FIELDS({ "mDestroyed", HEAP_BOOLEAN, false, 0 }, { "mHeld", HEAP_OBJECT, false, 0 }));
	put_class(w, MAIN, "t/MainActivity", ACTIVITY, 0, NULL, 0);
	put_class(w, VIEW, "android/view/View", OBJECT, 0, FIELDS({ "mContext", HEAP_OBJECT, false, 0 },
	    { "mParent", HEAP_OBJECT, false, 0 }, { "mAttachInfo", HEAP_OBJECT, false, 0 },
	    { "mWindowAttachCount", HEAP_INT, false, 0 }));
	put_class(w, BITMAP, "android/graphics/Bitmap", OBJECT, 0, FIELDS({ "mBuffer", HEAP_OBJECT, false, 0 },
	    { "mWidth", HEAP_INT, false, 0 }, { "mHeight", HEAP_INT, false, 0 },
	    { "mRecycled", HEAP_BOOLEAN, false, 0 }));
	put_class(w, CURSOR, "android/database/AbstractCursor", OBJECT, 0,
	    FIELDS({ "mClosed", HEAP_BOOLEAN, false, 0 }));
	put_class(w, SQL, "android/database/CursorWindow", OBJECT, 0,
	    FIELDS({ "mWindowPtr", HEAP_LONG, false, 0 }));
	put_class(w, NODE, "t/Node", OBJECT, 0, FIELDS({ "next", HEAP_OBJECT, false, 0 }));
	put_class(w, REFERENCE, "java/lang/ref/Reference", OBJECT, 0,
	    FIELDS({ "referent", HEAP_OBJECT, false, 0 }, { "queue", HEAP_OBJECT, false, 0 }));
	put_class(w, FINALIZER, "java/lang/ref/Finalizer", REFERENCE, 0, NULL, 0);
	put_class(w, LAMBDA, "t/Screen$$Lambda$14/0x0000000800066840", OBJECT, 0,
	    FIELDS({ "arg$1", HEAP_OBJECT, false, 0 }));
	put_class(w, PROXY, "com/sun/proxy/$Proxy12", OBJECT, 0, FIELDS({ "h", HEAP_OBJECT, false, 0 }));
	put_class(w, APP, "t/App", OBJECT, 0, FIELDS({ "kept", HEAP_OBJECT, true, KEPT }));
	put_root(w, ROOT_STICKY_CLASS, OBJECT);
	put_root(w, ROOT_STICKY_CLASS, APP);
}

static inline uint64_t
id_of(uint32_t i)
{
	return FIRST + (uint64_t)i * STEP;
}

/* Writes the array that the static field keeps: it contains the first n objects. */
static inline void
keep(struct heap_writer *w, uint64_t id, uint32_t n)
{
	uint32_t i;

	put_objects(w, id, ARRAY, n);
	for (i = 0; i < n; i++)
		put(&w->body, id_of(i), 8);
}

static inline void
write_activity(struct heap_writer *w, uint32_t i, bool destroyed, uint64_t held)
{
	put_instance(w, id_of(i), MAIN, 9);
	put(&w->body, destroyed, 1);
	put(&w->body, held, 8);
}

static inline void
write_view(struct heap_writer *w, uint32_t i, uint64_t context)
{
	put_instance(w, id_of(i), VIEW, 28);
	put(&w->body, context, 8);
	put(&w->body, 0, 20);
}

static inline void
write_bytes(struct heap_writer *w, uint64_t id, uint32_t n)
{
	put_prims(w, id, HEAP_BYTE, n);
	while (n-- > 0)
		buf_chr(&w->body, (char)(n * 7));
}

static inline void
write_bitmap(struct heap_writer *w, uint32_t i, uint64_t buffer, uint32_t side, bool recycled)
{
	put_instance(w, id_of(i), BITMAP, 17);
	put(&w->body, buffer, 8);
	put(&w->body, side, 4);
	put(&w->body, side, 4);
	put(&w->body, recycled, 1);
}

static inline void
write_node(struct heap_writer *w, uint64_t id, uint64_t class, uint64_t next)
{
	put_instance(w, id, class, 8);
	put(&w->body, next, 8);
}

/* So much that findings of the size of the heap do not come up. */
static inline void
write_ballast(struct heap_writer *w)
{
	write_bytes(w, BALLAST, 1u << 20);
	put_root(w, ROOT_JNI_GLOBAL, BALLAST);
}

static inline void
open_dump(struct heap_writer *w)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	struct buf file = BUF_INIT;

	put_file(w, &file);
	folder_write(path, file.s, file.n);
	buf_free(&file);
	if (!load_open(&st, path, &options, NULL, &err))
		fail_msg("%s", err.text);
}

static inline void
find_all(struct heap_writer *w)
{
	struct err err = { .kind = E_NONE };

	open_dump(w);
	if (!pass_want(st, col_choice(COL_EACH_FINDING_KIND, 0), NULL, &err))
		fail_msg("%s", err.text);
	assert_true(heap_open(&heap, st, REFS_SOFT, SIZES_VM, &err));
	assert_true(findings_open(&all, &heap));
}

static inline uint32_t
at(uint64_t addr)
{
	uint32_t object = heap_find(&heap, addr);

	assert_int_not_equal(object, 0);
	return object;
}

/* The k-th finding of the kind; false: there are fewer. */
static inline bool
find(enum finding_kind kind, unsigned k, struct finding *f)
{
	uint64_t i;

	for (i = 0; i < all.n; i++) {
		finding_get(&all, i, f);
		if (f->kind == kind && k-- == 0)
			return true;
	}
	return false;
}

static inline unsigned
count(enum finding_kind kind)
{
	struct finding f;
	unsigned n = 0;

	while (find(kind, n, &f))
		n++;
	return n;
}

static inline int
run_leaky(const char *name, const struct CMUnitTest *tests, size_t n)
{
	int failed;

	folder = folder_make();
	path = folder_path(folder, "leaky.hprof");
	failed = _cmocka_run_group_tests(name, tests, n, NULL, NULL);
	free(path);
	folder_remove(folder);
	return failed;
}

#endif
