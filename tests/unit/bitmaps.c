/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmaps: the bitmaps of a heap dump written here.
 */
#include "config.h"

#include "icecore/columns_allocations.h"
#include "icecore/columns_objects.h"
#include "folder.h"
#include "pixels.h"

/* Classes, then objects; the arrays of the bitmaps lie at ARRAYS + number. */
enum {
	OBJECT = 0x1000, CLASS = 0x1010, BITMAP = 0x1020, SUB = 0x1030, DATA = 0x1040, LISTS = 0x1050,
	IMAGES = 0x2000, NATIVES = 0x2100, BUFFERS = 0x2200, BITMAPS = 0x3000, ARRAYS = 0x5000, PNG = 0x6000,
	OTHER = 0x7000
};

static char *folder;
static struct store *st;
static struct heap heap;
static struct bitmaps *all;

#define FIELDS(...) (const struct put_field[]){ __VA_ARGS__ }, \
	NELEM(((const struct put_field[]){ __VA_ARGS__ }))

static void
write_classes(struct heap_writer *w)
{
	put_class(w, OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(w, CLASS, "java/lang/Class", OBJECT, 0, NULL, 0);
	put_class(w, BITMAP, "android.graphics.Bitmap", OBJECT, 0,
	    FIELDS({ "dumpData", HEAP_OBJECT, true, IMAGES }, { "mBuffer", HEAP_OBJECT, false, 0 },
	    { "mNativePtr", HEAP_LONG, false, 0 }, { "mWidth", HEAP_INT, false, 0 },
	    { "mHeight", HEAP_INT, false, 0 }, { "mRecycled", HEAP_BOOLEAN, false, 0 }));
	put_class(w, SUB, "com.example.Picture", BITMAP, 0, FIELDS({ "mWidth", HEAP_INT, false, 0 }));
	put_class(w, DATA, "android.graphics.Bitmap$DumpData", OBJECT, 0,
	    FIELDS({ "count", HEAP_INT, false, 0 }, { "natives", HEAP_OBJECT, false, 0 },
	    { "buffers", HEAP_OBJECT, false, 0 }));
	put_class(w, LISTS, "[[B", OBJECT, 0, NULL, 0);
}

static void
write_bitmap(struct heap_writer *w, uint64_t id, uint64_t buffer, uint64_t native, uint32_t width,
    uint32_t height, bool recycled)
{
	put_instance(w, id, BITMAP, 25);
	put(&w->body, buffer, 8);
	put(&w->body, native, 8);
	put(&w->body, width, 4);
	put(&w->body, height, 4);
	put(&w->body, recycled, 1);
}

static void
write_array(struct heap_writer *w, uint64_t id, uint32_t n, uint8_t first)
{
	uint32_t i;

	put_prims(w, id, HEAP_BYTE, n);
	for (i = 0; i < n; i++)
		put(&w->body, (uint8_t)(first + i), 1);
}

/* By number: sides, bytes of the array (0: none), native address, recycled. */
static const struct {
	uint32_t width, height, bytes;
	uint64_t native;
	bool	 recycled;
} rows[] = {
	{ 4, 4, 64, 1, false }, { 4, 4, 64, 1, false }, { 4, 4, 64, 1, false }, { 2, 8, 64, 1, false },
	{ 3, 3, 20, 1, false }, { 0, 4, 64, 1, false }, { UINT32_MAX, UINT32_MAX, 64, 1, false },
	{ 5, 4, 19, 1, false }, { 5, 4, 0, 0x1000, false }, { 6, 4, 0, 0x2000, true }, { 2, 2, 0, 0x3000, false },
	{ 2, 3, 0, 0x3000, false }, { 2, 2, 0, 0, false }, { 4, 4, 64, 1, true }
};

static void
write_images(struct heap_writer *w)
{
	static const uint8_t raw[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 9, 9, 9, 9, 1, 1, 1, 1 }, form[] = { 8, 6, 0, 0, 0 };
	static const uint64_t native[] = { 0x3000, 0x1000, 0x3000, 0x4000 }, buffer[] = { OTHER, 0, PNG, PNG };
	struct buf png = BUF_INIT;
	size_t i;

	put_png(&png, 2, 2, form, NULL, raw, sizeof raw);
	put_prims(w, PNG, HEAP_BYTE, (uint32_t)png.n);
	buf_add(&w->body, png.s, png.n);
	buf_free(&png);
	write_array(w, OTHER, 30, 0);
	put_prims(w, NATIVES, HEAP_LONG, NELEM(native));
	for (i = 0; i < NELEM(native); i++)
		put(&w->body, native[i], 8);
	put_objects(w, BUFFERS, LISTS, NELEM(buffer));
	for (i = 0; i < NELEM(buffer); i++)
		put(&w->body, buffer[i], 8);
	put_instance(w, IMAGES, DATA, 20);
	put(&w->body, 3, 4);
	put(&w->body, NATIVES, 8);
	put(&w->body, BUFFERS, 8);
}

static int
set_up(void **state)
{
	static const column_id wanted[] = { COL_OBJECT_OFFSET, COL_NATIVE_OBJECT };
	static const struct store_options options = { .memory_only = true };
	struct heap_writer w = HEAP_WRITER_INIT;
	struct buf file = BUF_INIT;
	struct err err = { .kind = E_NONE };
	char *path;
	uint32_t i;

	(void)state;
	write_classes(&w);
	for (i = 0; i < NELEM(rows); i++) {
		write_bitmap(&w, BITMAPS + 0x100 * i, rows[i].bytes > 0 ? ARRAYS + 0x100 * i : 0, rows[i].native,
		    rows[i].width, rows[i].height, rows[i].recycled);
		if (rows[i].bytes > 0)
			write_array(&w, ARRAYS + 0x100 * i, rows[i].bytes, i == 2);
	}
	write_images(&w);
	put_root(&w, ROOT_STICKY_CLASS, BITMAP);
	put_file(&w, &file);
	folder = folder_make();
	path = folder_path(folder, "bitmaps.hprof");
	folder_write(path, file.s, file.n);
	buf_free(&file);
	if (!load_open(&st, path, &options, NULL, &err) || !pass_want(st, wanted[0], NULL, &err) ||
	    !pass_want(st, wanted[1], NULL, &err) || !heap_open(&heap, st, REFS_SOFT, SIZES_VM, &err) ||
	    !bitmaps_open(&all, &heap, NULL, &err))
		print_error("%s\n", err.text);
	free(path);
	return err.kind;
}

static int
tear_down(void **state)
{
	(void)state;
	bitmaps_close(all);
	store_close(st);
	folder_remove(folder);
	return 0;
}

static struct bitmap
number(uint32_t i)
{
	struct bitmap b;

	assert_true(bitmap_get(all, heap_find(&heap, BITMAPS + 0x100 * i), &b));
	return b;
}

static void
bitmaps_of_a_dump(void **state)
{
	static const enum bitmap_place place[NELEM(rows)] = { [0] = BITMAP_JAVA, BITMAP_JAVA, BITMAP_JAVA,
	    BITMAP_JAVA, BITMAP_JAVA, BITMAP_JAVA, BITMAP_JAVA, BITMAP_JAVA, BITMAP_NATIVE, BITMAP_NOWHERE,
	    BITMAP_DUMPED, BITMAP_DUMPED, BITMAP_NOWHERE, BITMAP_JAVA };
	static const char shown[] = "yyyyynnnnnynnn";
	struct bitmap b;
	uint32_t i;

	(void)state;
	assert_int_equal(bitmaps_count(all), NELEM(rows));
	for (i = 0; i < NELEM(rows); i++) {
		b = number(i);
		assert_int_equal(b.object, bitmaps_object(all, i));
		assert_int_equal(b.place, place[i]);
		assert_int_equal(b.lack == NULL, shown[i] == 'y');
		assert_int_equal(b.recycled, rows[i].recycled);
		if (rows[i].bytes > 0)
			assert_int_equal(b.bytes, rows[i].bytes);
	}
	assert_int_equal(bitmaps_object(all, (uint32_t)NELEM(rows)), 0);
	assert_false(bitmap_get(all, heap_find(&heap, PNG), &b));
	assert_false(bitmap_get(all, 0, &b));
	assert_false(bitmap_get(all, UINT32_MAX, &b));
	b = number(4);
	assert_int_equal(b.size, 18);
	assert_int_equal(b.format, BITMAP_RGB_565);
	b = number(8);
	assert_int_equal(b.bytes, 80);
	assert_true(b.estimated);
	b = number(10);
	assert_int_equal(b.image, IMAGE_PNG);
	assert_reads(&b, "\1\2\3\4\5\6\7\x08\x0a\x0b\x0c\x0d\6\7\x08\x09");
}

static void
equal_ones_are_found(void **state)
{
	static const uint32_t copies[] = { 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	struct err err = { .kind = E_NONE };
	struct bitmap_twins t;
	uint32_t i;

	(void)state;
	for (i = 0; i < NELEM(copies); i++) {
		assert_true(bitmap_twins(all, number(i).object, &t, NULL, &err));
		assert_int_equal(t.copies, copies[i]);
		assert_int_equal(t.first, number(i == 1 ? 0 : i).object);
		assert_int_equal(t.hash != 0, number(i).data != NULL);
	}
}

static void
cancelling_ends_it(void **state)
{
	struct err err = { .kind = E_NONE };
	struct bitmap_twins t;
	struct bitmaps *other;
	struct work work;
	struct bitmap b = number(0);
	uint8_t out[4];

	(void)state;
	work_init(&work, NULL);
	assert_true(bitmaps_open(&other, &heap, &work, &err));
	atomic_store(&work.cancel, true);
	assert_false(bitmap_twins(other, b.object, &t, &work, &err));
	assert_int_equal(err.kind, E_CANCEL);
	assert_true(bitmap_twins(other, b.object, &t, NULL, &err));
	assert_int_equal(t.copies, 2);
	assert_false(bitmap_shrink(&b, 1, 1, out, &work, &err));
	bitmaps_close(other);
}

TOOL(unit, bitmaps)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bitmaps_of_a_dump),
		cmocka_unit_test(equal_ones_are_found),
		cmocka_unit_test(cancelling_ends_it)
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
