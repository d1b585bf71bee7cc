/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples over time: how long each lasts, the CPU time that they stand for, and the chart of their stacks, with a slow model. */
#include "config.h"

#include "check.h"
#include "folder.h"

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/sampled.h"

enum { MS = 1000000 };

static char *folder;

static struct store *
profile_open(const char *text)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	char *path = folder_path(folder, "profile.txt");
	struct store *st;

	folder_write(path, text, strlen(text));
	if (!load_open(&st, path, &options, NULL, &err) || !pass_want(st, COL_THREAD_TID, NULL, &err) ||
	    (sampled_has(st) && !pass_want(st, COL_SAMPLED_FIRST, NULL, &err)))
		fail_msg("%s", err.text);
	free(path);
	return st;
}

/* A sample of perf script. */
#define AT(ms, frames) "app 1/1 [000] 1.0" ms ": 1 cycles:\n" frames "\n"
#define MAIN "\t10 main (/a)\n"
#define F "\t20 f (/a)\n"
#define G "\t30 g (/a)\n"

/* Samples 10 ms apart, one of them late, then a gap, and two out of order. */
static const char plain[] =
	AT("00000", F MAIN) AT("10000", F MAIN) AT("20000", G MAIN) AT("32000", F MAIN) AT("42000", F MAIN)
	AT("90000", G F MAIN) AT("80000", F MAIN);

static uint64_t
cpu_until(const struct store *st, uint64_t ms)
{
	struct track t;

	assert_true(sampled_track(st, 1, &t));
	return track_total(&t, ms * MS);
}

static void
cpu_time(void **state)
{
	struct store *st = profile_open(plain);
	struct track_piece p;
	struct track t;

	(void)state;
	assert_true(sampled_has(st));
	assert_int_equal(cpu_until(st, 0), 0);
	assert_int_equal(cpu_until(st, 5), 5 * MS);
	assert_int_equal(cpu_until(st, 20), 20 * MS);
	/* The late one stands for no more than the others. */
	assert_int_equal(cpu_until(st, 32), 30 * MS);
	/* Nothing grows in the gap. */
	assert_int_equal(cpu_until(st, 52), 50 * MS);
	assert_int_equal(cpu_until(st, 80), 50 * MS);
	assert_int_equal(cpu_until(st, 100), 70 * MS);
	assert_true(sampled_track(st, 1, &t) && !sampled_track(st, 2, &t) && !sampled_track(st, 0, &t));
	assert_true(t.kind == TRACK_CPU && t.thread == 1);
	track_piece(&t, 60 * MS, 70 * MS, &p);
	assert_true(p.sum == 0);
	store_close(st);
}

/* Threads one after another, 1 ms apart: the time from one thread to the next is no period. */
static void
cpu_threads(void **state)
{
	struct store *st = profile_open("a 1/1 [000] 1.000000: 1 cycles:\n" F "\na 1/1 [000] 1.010000: 1 cycles:\n" F
	    "\nb 1/2 [000] 1.011000: 1 cycles:\n" F "\nb 1/2 [000] 1.021000: 1 cycles:\n" F
	    "\nc 1/3 [000] 1.022000: 1 cycles:\n" F "\nc 1/3 [000] 1.032000: 1 cycles:\n" F "\n");
	struct track t;

	(void)state;
	assert_int_equal(cpu_until(st, 100), 20 * MS);
	assert_true(sampled_track(st, 3, &t));
	assert_int_equal(track_total(&t, 100 * MS), 20 * MS);
	store_close(st);
}

static const struct span *
span_at(const struct spans *s, uint32_t depth, uint64_t ms)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->span[i].depth == depth && s->span[i].start == ms * MS)
			return &s->span[i];
	return NULL;
}

static void
stacks(void **state)
{
	struct store *st = profile_open(plain);
	struct spans s = { .n = 0 };
	struct err err;
	const struct span *one;

	(void)state;
	assert_true(sampled_spans(st, 1, 0, 200 * MS, &s, &err));
	/* main, f, g, f; main, f, g: frames that follow each other are one, a gap parts them. */
	assert_int_equal(s.n, 7);
	one = span_at(&s, 0, 0);
	assert_true(one != NULL && one->end == 52 * MS);
	one = span_at(&s, 1, 0);
	assert_true(one != NULL && one->end == 20 * MS);
	one = span_at(&s, 1, 20);
	assert_true(one != NULL && one->end == 32 * MS && one->method != span_at(&s, 1, 0)->method);
	one = span_at(&s, 0, 80);
	assert_true(one != NULL && one->end == 100 * MS);
	one = span_at(&s, 2, 90);
	assert_true(one != NULL && one->end == 100 * MS);
	/* Only what touches the window. */
	s.n = 0;
	assert_true(sampled_spans(st, 1, 85 * MS, 86 * MS, &s, &err));
	assert_int_equal(s.n, 2);
	s.n = 0;
	assert_true(sampled_spans(st, 7, 0, UINT64_MAX, &s, &err) && s.n == 0);
	spans_free(&s);
	store_close(st);
}

/* Without times, or with events without time, there is nothing. */
static void
nothing(void **state)
{
	struct store *st = profile_open("a;b 1200\na 4\n");
	struct track t;

	(void)state;
	assert_false(sampled_has(st) || sampled_has(NULL) || sampled_track(st, 1, &t));
	store_close(st);
	st = profile_open("app 1/1 [000] 1.0: 1 page-faults:\n" MAIN "\n");
	assert_false(sampled_has(st) || sampled_track(st, 1, &t));
	store_close(st);
}

/* More samples than are read: every nth one, and the whole time is covered. */
static void
many(void **state)
{
	struct buf b = BUF_INIT;
	struct spans s = { .n = 0 };
	struct store *st;
	struct err err;

	(void)state;
	for (int i = 0; i < 3 * SAMPLED_MOST; i++)
		buf_printf(&b, "app 1/1 [000] %d.%03d000: 1 cycles:\n" F MAIN "\n", 1 + i / 1000, i % 1000);
	st = profile_open(b.s);
	assert_int_equal(cpu_until(st, 3 * SAMPLED_MOST), 3ull * SAMPLED_MOST * MS);
	assert_true(sampled_spans(st, 1, 0, UINT64_MAX, &s, &err));
	assert_int_equal(s.n, 2);
	assert_true(s.span[0].start == 0 && s.span[0].end >= 3ull * SAMPLED_MOST * MS);
	spans_free(&s);
	store_close(st);
	buf_free(&b);
}

TOOL(unit, sampled)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_time), cmocka_unit_test(cpu_threads),
		cmocka_unit_test(stacks),
		cmocka_unit_test(nothing),
		cmocka_unit_test(many),
	};
	int failed;

	folder = folder_make();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	folder_remove(folder);
	return failed;
}
