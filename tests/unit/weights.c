/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the meaning of the weights of a profile, and how they are shown. */
#include "config.h"

#include "check.h"
#include "folder.h"

#include "icecore/columns_trace.h"
#include "icecore/query.h"
#include "icecore/view.h"

static char *folder;

/* Calls, and samples beside them. */
#define BOTH "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":90,\"pid\":1,\"tid\":1}," \
	"{\"ph\":\"I\",\"name\":\"CpuProfile\",\"ts\":1,\"pid\":1,\"tid\":1,\"args\":{\"data\":{\"cpuProfile\":{" \
	"\"startTime\":1,\"endTime\":41,\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"f\"}}]," \
	"\"samples\":[1,1],\"timeDeltas\":[10,10]}}}}]"

static struct store *
profile_open(const char *text)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	char *path = folder_path(folder, "profile.txt");
	struct store *st;

	folder_write(path, text, strlen(text));
	if (!load_open(&st, path, &options, NULL, &err) || !pass_want(st, COL_CALL_METHOD, NULL, &err))
		fail_msg("%s", err.text);
	free(path);
	return st;
}

static void
shows(const struct weights *w, enum clock clock, uint64_t value, const char *want)
{
	struct buf b = BUF_INIT;

	weight_show(w, clock, value, &b);
	assert_string_equal(b.s, want);
	buf_free(&b);
}

static void
counts(void **state)
{
	struct store *st = profile_open("a;b 1200\na 4\n");
	struct weights w;

	(void)state;
	weights_of(st, &w);
	assert_int_equal(w.type, WEIGHT_COUNT);
	assert_true(w.scale == 1 && w.tick == 1 && !w.differs && !w.clocks);
	assert_string_equal(w.name[CLOCK_WALL], "samples");
	assert_null(w.name[CLOCK_CPU]);
	assert_null(w.name[CLOCK_OFF]);
	shows(&w, CLOCK_WALL, 1204, "1 204");
	assert_true(trace_has_clock(st, CLOCK_WALL) && !trace_has_clock(st, CLOCK_CPU));
	store_close(st);
}

static void
decimals(void **state)
{
	struct store *st = profile_open("a;b 1.25\na;c 4.5\na;d 3\n");
	struct weights w;

	(void)state;
	weights_of(st, &w);
	assert_true(w.scale == 100);
	shows(&w, CLOCK_WALL, 875, "8.75");
	shows(&w, CLOCK_WALL, 450, "4.5");
	shows(&w, CLOCK_WALL, 300, "3");
	shows(&w, CLOCK_WALL, 5, "0.05");
	assert_true(column_get(store_column(st, COL_THREAD_WALL), 0) == 875);
	store_close(st);
}

static void
differences(void **state)
{
	struct store *st = profile_open("# mode: wall\na;b 1500 2000\na;c 7000 1000\n");
	struct weights w;
	struct tree *t;
	struct tree_node n;
	struct err err = { .kind = E_NONE };

	(void)state;
	weights_of(st, &w);
	assert_true(w.differs && w.tick == 1000 && w.type == WEIGHT_TIME && w.unit.n == 0);
	assert_string_equal(w.name[CLOCK_OFF], "delta");
	shows(&w, CLOCK_WALL, 3000, "3 ms");
	shows(&w, CLOCK_CPU, 8500, "8.50 ms");
	shows(&w, CLOCK_OFF, (uint64_t)-5500, "-5.50 ms");
	shows(&w, CLOCK_OFF, 500, "+500 us");
	shows(&w, CLOCK_OFF, 0, "0 ns");
	assert_true(tree_open(&t, st, TREE_CALLS, NULL, 0, &err));
	tree_get(t, TREE_ROOT, &n);
	assert_true((int64_t)n.total[CLOCK_OFF] == -5500);
	tree_close(t);
	store_close(st);
}

/* A store over a profile may say that its weights differ. */
static void
over(void **state)
{
	struct store *base = profile_open("a;b 12\n"), *st;
	struct err err = { .kind = E_NONE };
	struct weights w;

	(void)state;
	assert_true(store_over(&st, base, NULL, &err));
	assert_true(store_fact(st, "weight.differs", FACT_COUNT, 1, &err));
	store_publish(st);
	weights_of(st, &w);
	assert_true(w.differs && w.type == WEIGHT_COUNT);
	shows(&w, CLOCK_OFF, (uint64_t)-3, "-3");
	store_close(st);
	store_close(base);
}

static void
bytes(void **state)
{
	struct store *st = profile_open("# mode: memory\na;b 2048\n");
	struct weights w;

	(void)state;
	weights_of(st, &w);
	assert_int_equal(w.type, WEIGHT_BYTES);
	assert_string_equal(w.name[CLOCK_WALL], "bytes");
	shows(&w, CLOCK_WALL, 2048, "2 KiB");
	store_close(st);
}

/* A view of an event of samples beside calls is a profile, of which a piece of time may be shown. */
static void
beside(void **state)
{
	struct store *base = profile_open(BOTH), *st;
	struct err err = { .kind = E_NONE };
	struct weights w;
	struct buf b = BUF_INIT;

	(void)state;
	weights_of(base, &w);
	assert_true(w.clocks && !trace_is_profile(base));
	event_told(base, &b);
	assert_string_equal(b.s, "2 samples: --event cpu-samples, calls");
	buf_free(&b);
	assert_true(view_open(&st, base, &(struct view){ .event = 1 }, NULL, &err));
	weights_of(st, &w);
	assert_true(!w.clocks && w.type == WEIGHT_TIME && trace_is_profile(st) && load_shapes(st) == SHAPE_SAMPLES);
	assert_string_equal(w.name[CLOCK_WALL], "time");
	assert_null(w.name[CLOCK_CPU]);
	assert_int_equal(store_fact_get(st, "samples"), 2);
	assert_int_equal(store_fact_get(st, "total"), 30000);
	store_close_pile(st, base);
	assert_true(view_open(&st, base, &(struct view){ .event = 1, .ranged = true, .from = 15000, .to = UINT64_MAX }, NULL, &err));
	assert_int_equal(store_fact_get(st, "samples"), 1);
	store_close_pile(st, base);
	assert_true(!view_event(&base, "lock", NULL, &err) && err.kind == E_USAGE);
	store_close(base);
}

/* An index may say that there are such samples, and lack any of their columns. */
static void
beside_hostile(void **state)
{
	static const column_id must[] = { COL_STACK_PARENT, COL_STACK_METHOD, COL_SAMPLE_STACK, COL_SAMPLE_THREAD, COL_SAMPLE_WEIGHT },
	    may[] = { COL_SAMPLE_EVENT, COL_SAMPLE_TIME, COL_SAMPLE_OFFSET, COL_EVENT_TYPE, COL_EVENT_NAME, COL_EVENT_SAMPLES,
	    COL_EVENT_TEXT, COL_EVENT_UNIT, COL_EVENT_OWN, COL_SEGMENT_ROW };
	struct store *base = profile_open(BOTH), *st, *view;
	struct err err = { .kind = E_NONE };
	struct buf b = BUF_INIT;
	struct weights w;

	(void)state;
	for (size_t i = 0; i < NELEM(must) + NELEM(may); i++) {
		column_id lacks[] = { i < NELEM(must) ? must[i] : may[i - NELEM(must)], COL_NONE };

		assert_true(store_over(&st, base, lacks, &err));
		buf_clear(&b);
		event_told(st, &b);
		weights_of(st, &w);
		for (int ranged = 0; ranged < 2; ranged++) {
			bool ok = view_open(&view, st, &(struct view){ .event = 1, .ranged = ranged, .to = 10 }, NULL, &err);

			assert_true(!ok || i >= NELEM(must));
			if (ok)
				store_close_pile(view, st);
		}
		store_close(st);
	}
	buf_free(&b);
	store_close(base);
}

TOOL(unit, weights)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(decimals),
		cmocka_unit_test(differences),
		cmocka_unit_test(over),
		cmocka_unit_test(bytes),
		cmocka_unit_test(beside),
		cmocka_unit_test(beside_hostile),
	};
	int failed;

	folder = folder_make();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	folder_remove(folder);
	return failed;
}
