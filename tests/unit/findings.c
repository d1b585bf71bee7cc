/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * findings: which rows leaking objects of heap dumps written here give, and in which order.
 */
#include "config.h"

#include "icecore/columns_content.h"
#include "icecore/columns_findings.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "leaky.h"

static void
assert_signature(const struct finding *f, const char *wanted)
{
	struct buf b = BUF_INIT;

	finding_signature(&all, f, &b);
	assert_string_equal(b.s, wanted);
	buf_free(&b);
}

static void
assert_why(const struct finding *f, const char *wanted)
{
	struct inspector *in;
	struct buf b = BUF_INIT;

	assert_true(inspector_open(&in, &heap, NULL));
	finding_why(&all, in, f, &b);
	assert_string_equal(b.s, wanted);
	inspector_close(in);
	buf_free(&b);
}

/* ---- leaking objects and their rows ---------------------------------------------------------- */

static void
same_leaks_are_one_row(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 4);
	write_activity(&w, 0, true, 0);
	write_activity(&w, 1, true, id_of(10));
	write_activity(&w, 2, true, 0);
	write_activity(&w, 3, false, 0);
	write_activity(&w, 5, true, 0);		/* garbage */
	write_bytes(&w, id_of(10), 1000);
	write_ballast(&w);
	find_all(&w);
	assert_int_equal(count(FINDING_ACTIVITY), 1);
	assert_true(find(FINDING_ACTIVITY, 0, &f));
	assert_int_equal(f.object, at(id_of(1)));
	assert_int_equal(f.class, heap_class(&heap, f.object));
	assert_int_equal(f.count, 3);
	assert_int_equal(f.retained, heap_retained(&heap, at(id_of(0))) +
	    heap_retained(&heap, at(id_of(1))) + heap_retained(&heap, at(id_of(2))));
	assert_int_equal(f.hops, 3);
	assert_int_equal(f.hop[0], at(APP));
	assert_int_equal(f.hop[1], at(KEPT));
	assert_int_equal(f.hop[2], f.object);
	assert_signature(&f, "static t.App.kept[] > t.MainActivity");
	assert_why(&f, "mDestroyed is true; 1.04 KiB retained; 3 leaking objects in all");
	store_close(st);
}

static void
held_ones_are_told_by_their_holder(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 2);
	/* A chain: the outermost; then a View that keeps an Activity: the reference to the View is to blame. */
	write_activity(&w, 0, true, id_of(10));
	write_activity(&w, 10, true, id_of(11));
	write_activity(&w, 11, true, 0);
	write_view(&w, 1, id_of(12));
	write_activity(&w, 12, true, 0);
	write_ballast(&w);
	find_all(&w);
	assert_int_equal(count(FINDING_VIEW), 1);
	assert_int_equal(count(FINDING_ACTIVITY), 1);
	assert_true(find(FINDING_ACTIVITY, 0, &f));
	assert_int_equal(f.object, at(id_of(0)));
	assert_int_equal(f.other, at(id_of(10)));
	assert_int_equal(f.count, 3);
	assert_true(find(FINDING_VIEW, 0, &f));
	assert_int_equal(f.object, at(id_of(1)));
	assert_int_equal(f.other, at(id_of(12)));
	assert_int_equal(f.count, 2);
	assert_int_equal(f.retained, heap_retained(&heap, at(id_of(1))));
	assert_signature(&f, "static t.App.kept[] > android.view.View");
	store_close(st);
}

/* A static keeps an Activity that keeps most of the heap: an accumulation, unless the Activity leaks. */
static void
what_a_leak_holds_is_not_told_again(void **state)
{
	unsigned destroyed;

	(void)state;
	for (destroyed = 0; destroyed < 2; destroyed++) {
		struct heap_writer w = HEAP_WRITER_INIT;
		uint32_t i;

		write_classes(&w);
		put_instance(&w, KEPT, MAIN, 9);
		put(&w.body, destroyed, 1);
		put(&w.body, id_of(200), 8);
		keep(&w, id_of(200), 100);
		for (i = 0; i < 100; i++)
			write_node(&w, id_of(i), NODE, BALLAST + i * 0x10000);
		for (i = 0; i < 100; i++)
			write_bytes(&w, BALLAST + i * 0x10000, 50000);
		find_all(&w);
		assert_int_equal(count(FINDING_ACTIVITY), destroyed);
		assert_int_equal(count(FINDING_ACCUMULATION), !destroyed);
		store_close(st);
	}
}

/* Reported are the field of the program, with all its objects, and the object that a person looks at. */
static void
an_accumulation_names_the_field(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;
	uint32_t i;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 100);
	for (i = 0; i < 100; i++)
		write_node(&w, id_of(i), NODE, BALLAST + i * 0x10000);
	for (i = 0; i < 100; i++)
		write_bytes(&w, BALLAST + i * 0x10000, 43000);
	find_all(&w);
	assert_int_equal(count(FINDING_ACCUMULATION), 1);
	assert_true(find(FINDING_ACCUMULATION, 0, &f));
	assert_int_equal(finding_severity(&f), SEVERITY_WARNING);
	assert_int_equal(f.count, 100);
	/* Classes own themselves, whoever holds them. */
	assert_int_equal(f.retained, heap_retained(&heap, at(KEPT)) - heap_shallow(&heap, at(NODE)) -
	    heap_shallow(&heap, at(BYTES)) - heap_shallow(&heap, at(ARRAY)));
	assert_int_equal(f.native, 0);
	assert_int_equal(f.object, at(APP));
	assert_int_equal(f.other, at(KEPT));
	assert_int_equal(f.class, heap_class(&heap, at(id_of(0))));
	assert_signature(&f, "v2 static t.App.kept[] > t.Node");
	assert_why(&f, "t.App.kept holds 4.10 MiB (100%): 100 t.Node in a java.lang.Object[]; 4.10 MiB of it in t.Node.next");
	store_close(st);
}

/* With --refs all it is in the tree of dominators, but it leaks not. */
static void
what_is_held_weakly_is_no_leak(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 1);
	put_instance(&w, id_of(0), FINALIZER, 16);
	put(&w.body, id_of(1), 8);
	put(&w.body, 0, 8);
	write_activity(&w, 1, true, 0);
	write_ballast(&w);
	find_all(&w);
	assert_int_equal(count(FINDING_ACTIVITY), 0);
	assert_true(pass_want(st, heap_col(COL_EACH_FINDING_KIND, REFS_ALL, SIZES_MAT), NULL, NULL));
	assert_true(heap_open(&heap, st, REFS_ALL, SIZES_MAT, NULL));
	assert_true(findings_open(&all, &heap));
	assert_int_not_equal(heap_dominator(&heap, at(id_of(1))), 0);
	assert_int_equal(count(FINDING_ACTIVITY), 0);
	store_close(st);
}

/* Two activities hold one view: nothing dominates it, but its path goes over one of them. */
static void
what_lies_behind_a_leak_is_counted_with_it(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 2);
	write_activity(&w, 0, true, id_of(10));
	write_activity(&w, 1, true, id_of(10));
	write_view(&w, 10, id_of(0));
	write_ballast(&w);
	find_all(&w);
	assert_int_equal(count(FINDING_VIEW), 0);
	assert_int_equal(count(FINDING_ACTIVITY), 1);
	assert_true(find(FINDING_ACTIVITY, 0, &f));
	assert_int_equal(f.count, 3);
	store_close(st);
}

static void
signatures_are_the_same_in_every_run(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f;

	(void)state;
	write_classes(&w);
	write_node(&w, KEPT, PROXY, id_of(0));
	write_node(&w, id_of(0), NODE, id_of(1));
	write_node(&w, id_of(1), NODE, id_of(2));
	write_node(&w, id_of(2), NODE, id_of(3));
	write_node(&w, id_of(3), LAMBDA, id_of(4));
	write_activity(&w, 4, true, 0);
	write_ballast(&w);
	find_all(&w);
	assert_true(find(FINDING_ACTIVITY, 0, &f));
	assert_signature(&f, "static t.App.kept > com.sun.proxy.$Proxy.h > t.Node.next* > "
	    "t.Screen$$Lambda.arg$1 > t.MainActivity");
	f.object = 0;
	assert_signature(&f, "t.MainActivity");
	f.class = 0;
	assert_signature(&f, "activity");
	f.object = at(APP);
	f.hops = 0;
	assert_signature(&f, "class t.App");
	store_close(st);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void
rows_come_by_severity_and_weight(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct finding f, before;
	uint64_t i;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 12);
	for (i = 0; i < 10; i++)
		write_bitmap(&w, (uint32_t)i, 0, 4, true);
	write_view(&w, 10, 0);
	write_activity(&w, 11, true, 0);
	write_ballast(&w);
	find_all(&w);
	assert_true(all.n >= 2);
	for (i = 1; i < all.n; i++) {
		finding_get(&all, i - 1, &before);
		finding_get(&all, i, &f);
		assert_true(finding_severity(&before) >= finding_severity(&f));
		if (finding_severity(&before) == finding_severity(&f))
			assert_true(before.retained >= f.retained);
	}
	store_close(st);
}

static void
a_cancelled_pass_leaves_nothing(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct err err = { .kind = E_NONE };
	struct finding f;
	struct work work;
	uint32_t i;

	(void)state;
	write_classes(&w);
	keep(&w, KEPT, 20000);
	for (i = 0; i < 20000; i++)
		write_activity(&w, i, true, 0);
	open_dump(&w);
	assert_true(pass_want(st, col_choice(COL_EACH_DUP_OBJECT, 0), NULL, &err));
	assert_true(pass_want(st, COL_REACH_OBJECT, NULL, &err) && pass_want(st, COL_IN_LEN, NULL, &err));
	work_init(&work, NULL);
	atomic_store(&work.cancel, true);
	assert_false(pass_want(st, col_choice(COL_EACH_FINDING_KIND, 0), &work, &err));
	assert_int_equal(err.kind, E_CANCEL);
	assert_null(store_column(st, col_choice(COL_EACH_FINDING_KIND, 0)));
	assert_true(heap_open(&heap, st, REFS_SOFT, SIZES_VM, NULL));
	assert_false(findings_open(&all, &heap));
	assert_true(pass_want(st, col_choice(COL_EACH_FINDING_KIND, 0), NULL, NULL));
	assert_true(heap_open(&heap, st, REFS_SOFT, SIZES_VM, NULL));
	assert_true(findings_open(&all, &heap));
	/* More than are reported one by one. */
	finding_get(&all, 0, &f);
	assert_int_equal(f.kind, FINDING_ACTIVITY);
	assert_int_equal(f.count, 20000);
	assert_int_equal(f.retained, 20000 * heap_retained(&heap, f.object));
	store_close(st);
}

static void
every_kind_is_explained(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < FINDINGS; i++) {
		assert_true(strlen(finding_rows[i].name) > 0 && strlen(finding_rows[i].name) < 20);
		assert_true(strlen(finding_rows[i].what) > 0 && strlen(finding_rows[i].rule) > 0);
		assert_true(finding_rows[i].severity < SEVERITIES);
	}
}

TOOL(unit, findings)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_leaks_are_one_row),
		cmocka_unit_test(held_ones_are_told_by_their_holder),
		cmocka_unit_test(what_a_leak_holds_is_not_told_again),
		cmocka_unit_test(an_accumulation_names_the_field),
		cmocka_unit_test(what_is_held_weakly_is_no_leak),
		cmocka_unit_test(what_lies_behind_a_leak_is_counted_with_it),
		cmocka_unit_test(signatures_are_the_same_in_every_run),
		cmocka_unit_test(rows_come_by_severity_and_weight),
		cmocka_unit_test(a_cancelled_pass_leaves_nothing),
		cmocka_unit_test(every_kind_is_explained),
	};

	return run_leaky("findings", tests, NELEM(tests));
}
