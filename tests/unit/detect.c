/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect: kinds of findings that count from a number or a size on: each just there, and just not.
 */
#include "config.h"

#include "leaky.h"

static void
static_views_are_warned_of(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;

	(void)state;
	write_classes(&w);
	put_instance(&w, KEPT, VIEW, 28);
	put(&w.body, 0, 28);
	write_ballast(&w);
	find_all(&w);
	assert_true(find(FINDING_STATIC_VIEW, 0, &f));
	assert_int_equal(f.object, at(KEPT));
	assert_int_equal(f.other, at(APP));
	store_close(st);
}

/* ---- what counts only in numbers ---------------------------------------------------------------- */

/* So many open cursors, in an array that a Node holds, or the static itself. */
static unsigned
cursors(uint32_t n, bool open, bool in_static)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;
	uint32_t i;
	unsigned told;

	write_classes(&w);
	if (!in_static)
		write_node(&w, KEPT, NODE, id_of(1000));
	keep(&w, in_static ? KEPT : id_of(1000), n);
	for (i = 0; i < n; i++) {
		put_instance(&w, id_of(i), i % 2 == 0 ? CURSOR : SQL, i % 2 == 0 ? 1 : 8);
		put(&w.body, i % 2 == 0 ? !open : open, i % 2 == 0 ? 1 : 8);
	}
	write_ballast(&w);
	find_all(&w);
	told = find(FINDING_CURSOR, 0, &f) ? f.count : 0;
	store_close(st);
	return told;
}

static void
open_cursors_are_told_when_there_are_many(void **state)
{
	(void)state;
	assert_int_equal(cursors(40, true, false), 0);
	assert_int_equal(cursors(42, true, false), 21);
	assert_int_equal(cursors(42, false, false), 0);
	assert_int_equal(cursors(1, true, true), 1);
	assert_int_equal(cursors(1, false, true), 0);
}

static unsigned
recycled(uint32_t n, bool pixels)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;
	uint32_t i;
	unsigned told;

	write_classes(&w);
	keep(&w, KEPT, n);
	for (i = 0; i < n; i++)
		write_bitmap(&w, i, pixels && i == n - 1 ? id_of(1000) : 0, 4, true);
	write_bytes(&w, id_of(1000), 64);
	write_ballast(&w);
	find_all(&w);
	told = find(FINDING_BITMAP_RECYCLED, 0, &f) ? f.count : 0;
	if (pixels)
		assert_int_equal(f.object, at(id_of(n - 1)));
	store_close(st);
	return told;
}

static void
recycled_bitmaps_are_told_when_they_cost_something(void **state)
{
	(void)state;
	assert_int_equal(recycled(9, false), 0);
	assert_int_equal(recycled(10, false), 10);
	assert_int_equal(recycled(2, true), 2);
}

/* So many bitmaps of that side, all alike. */
static uint64_t
copies(uint32_t n, uint32_t side)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;
	uint64_t waste;
	uint32_t i;

	write_classes(&w);
	keep(&w, KEPT, n);
	for (i = 0; i < n; i++)
		write_bitmap(&w, i, BALLAST / 2 + i * 0x10000, side, false);
	for (i = 0; i < n; i++)
		write_bytes(&w, BALLAST / 2 + i * 0x10000, side * side * 4);
	write_ballast(&w);
	write_bytes(&w, BALLAST + 0x1000000, 8u << 20);
	put_root(&w, ROOT_JNI_GLOBAL, BALLAST + 0x1000000);
	find_all(&w);
	waste = find(FINDING_BITMAP_COPIES, 0, &f) ? f.retained : 0;
	if (waste != 0) {
		assert_int_equal(f.count, n);
		assert_int_equal(f.object, at(id_of(0)));
	}
	store_close(st);
	return waste;
}

static void
equal_bitmaps_are_told_when_they_waste_much(void **state)
{
	(void)state;
	assert_int_equal(copies(2, 100), 0);
	assert_int_equal(copies(2, 128), 65536);
	assert_int_equal(copies(3, 128), 131072);
	assert_int_equal(copies(1, 128), 0);
}

/* Two pictures, of 128 and of 256 pixels a side, which one array holds. */
static void
equal_bitmaps_of_one_holder_are_one_finding(void **state)
{
	static const uint32_t side[] = { 128, 256, 128, 256, 256 };
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;
	uint32_t i, n = NELEM(side);

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, n);
	for (i = 0; i < n; i++)
		write_bitmap(&w, i, BALLAST / 2 + i * 0x100000, side[i], false);
	for (i = 0; i < n; i++)
		write_bytes(&w, BALLAST / 2 + i * 0x100000, side[i] * side[i] * 4);
	find_all(&w);
	assert_int_equal(count(FINDING_BITMAP_COPIES), 1);
	assert_true(find(FINDING_BITMAP_COPIES, 0, &f));
	assert_int_equal(f.count, n);
	assert_int_equal(f.number, 2);
	assert_int_equal(f.retained, 128 * 128 * 4 + 2 * 256 * 256 * 4);
	store_close(st);
}

/* Two of three have one array. */
static void
bitmaps_that_share_an_array_waste_nothing(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;
	uint32_t i;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 3);
	for (i = 0; i < 3; i++)
		write_bitmap(&w, i, BALLAST / 2 + i / 2 * 0x100000, 256, false);
	for (i = 0; i < 2; i++)
		write_bytes(&w, BALLAST / 2 + i * 0x100000, 256 * 256 * 4);
	find_all(&w);
	assert_true(find(FINDING_BITMAP_COPIES, 0, &f));
	assert_int_equal(f.count, 3);
	assert_int_equal(f.retained, 256 * 256 * 4);
	store_close(st);
}

/* How many of n objects with that many bytes each are reported as waiting for their finalizer; live: bytes of others. */
static unsigned
finalizers(uint32_t n, uint32_t bytes, uint32_t live)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	uint64_t held = 0;
	struct finding f;
	unsigned told;

	write_classes(&w);
	keep(&w, KEPT, n);
	for (uint32_t i = 0; i < n; i++) {
		put_instance(&w, id_of(i), FINALIZER, 16);
		put(&w.body, id_of(n + i), 8);
		put(&w.body, 0, 8);
	}
	for (uint32_t i = 0; i < n; i++)
		write_node(&w, id_of(n + i), NODE, BALLAST / 2);
	write_bytes(&w, BALLAST / 2, bytes);
	write_bytes(&w, BALLAST, live);
	put_root(&w, ROOT_JNI_GLOBAL, BALLAST);
	find_all(&w);
	told = find(FINDING_FINALIZER, 0, &f) ? f.count : 0;
	/* An object that all of them refer to counts once. */
	for (uint32_t i = 0; i < n; i++)
		held += heap_shallow(&heap, at(id_of(n + i)));
	if (told != 0)
		assert_int_equal(f.retained, held + heap_shallow(&heap, at(BALLAST / 2)));
	store_close(st);
	return told;
}

static void
what_waits_for_finalizers_is_told_when_it_is_much(void **state)
{
	(void)state;
	assert_int_equal(finalizers(999, 8, 1u << 20), 0);
	assert_int_equal(finalizers(1000, 8, 1u << 20), 1000);
	assert_int_equal(finalizers(1, (1u << 20) - 100, 1u << 20), 0);
	assert_int_equal(finalizers(1, 1u << 20, 1u << 20), 1);
	/* A fiftieth of the live bytes. */
	assert_int_equal(finalizers(1, 1u << 20, 54u << 20), 0);
}

/* Whoever else holds it, it does not wait. */
static void
what_is_in_use_waits_for_no_finalizer(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	uint32_t n = 1000;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 2 * n);
	for (uint32_t i = 0; i < n; i++) {
		put_instance(&w, id_of(i), FINALIZER, 16);
		put(&w.body, id_of(n + i), 8);
		put(&w.body, 0, 8);
	}
	for (uint32_t i = 0; i < n; i++)
		write_node(&w, id_of(n + i), NODE, 0);
	find_all(&w);
	assert_int_equal(count(FINDING_FINALIZER), 0);
	store_close(st);
}

/* A cursor that only its finalizer holds cannot be reached otherwise, and has no path. */
static void
cursors_wait_for_their_finalizer(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 1);
	put_instance(&w, id_of(0), FINALIZER, 16);
	put(&w.body, id_of(1), 8);
	put(&w.body, 0, 8);
	put_instance(&w, id_of(1), CURSOR, 1);
	put(&w.body, 0, 1);
	write_ballast(&w);
	find_all(&w);
	assert_true(find(FINDING_CURSOR, 0, &f));
	assert_int_equal(f.object, at(id_of(1)));
	assert_int_equal(f.number, 1);
	assert_int_equal(f.hops, 0);
	store_close(st);
}

TOOL(unit, detect)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(static_views_are_warned_of),
		cmocka_unit_test(open_cursors_are_told_when_there_are_many),
		cmocka_unit_test(recycled_bitmaps_are_told_when_they_cost_something),
		cmocka_unit_test(equal_bitmaps_are_told_when_they_waste_much),
		cmocka_unit_test(equal_bitmaps_of_one_holder_are_one_finding),
		cmocka_unit_test(bitmaps_that_share_an_array_waste_nothing),
		cmocka_unit_test(what_waits_for_finalizers_is_told_when_it_is_much),
		cmocka_unit_test(what_is_in_use_waits_for_no_finalizer),
		cmocka_unit_test(cursors_wait_for_their_finalizer),
	};

	return run_leaky("detect", tests, NELEM(tests));
}
