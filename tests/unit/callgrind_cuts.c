/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Call graphs with costs cut at every byte: whole lines are read, arcs are between functions, and sums of self are those of the events. */
#include "config.h"

#include "check.h"
#include "folder.h"

#include "icecore/columns_costs.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/load.h"

static uint64_t
rows(const struct store *st, column_id col)
{
	return column_rows(store_column(st, col));
}

/* Files of cProfile have no lines. */
static bool
is_python(const struct store *st)
{
	return str_begins(fact_text(st, FACT_FORMAT), "pstats");
}

static void
check_graph(const struct store *st)
{
	uint64_t n = rows(st, COL_COST_NAME), arcs = rows(st, COL_ARC_CALLER), events = rows(st, COL_COST_SUM), calls = 0, called = 0;
	uint64_t lines = rows(st, COL_COST_LINE), threads = fact_value(st, FACT_COST_THREADS);

	assert_true(n > 0);
	assert_int_equal(rows(st, COL_COST_SELF), n * events);
	assert_int_equal(rows(st, COL_COST_TOTAL), n * events);
	assert_int_equal(rows(st, COL_ARC_COST), arcs * events);
	assert_int_equal(rows(st, COL_COST_LINE_SELF), lines * events);
	assert_int_equal(rows(st, COL_COST_LINE_TOTAL), lines * events);
	assert_int_equal(rows(st, COL_COST_CALLS), n * (threads + 1));
	assert_int_equal(rows(st, COL_ARC_CALLS), arcs * (threads + 1));
	for (uint64_t i = 1; i <= arcs; i++) {
		assert_in_range(store_cell(st, COL_ARC_CALLER, i), 1, n);
		assert_in_range(store_cell(st, COL_ARC_CALLEE, i), 1, n);
		calls += store_cell(st, COL_ARC_CALLS, i);
	}
	for (uint64_t i = 1; i <= n; i++)
		called += store_cell(st, COL_COST_CALLS, i);
	/* cProfile also counts calls from outside. */
	assert_true(is_python(st) ? calls <= called : calls == called);
	for (uint64_t e = 0; e < events; e++) {
		uint64_t sum = 0;

		for (uint64_t i = 1; i <= n; i++) {
			assert_true(store_cell(st, COL_COST_SELF, e * n + i) <= store_cell(st, COL_COST_TOTAL, e * n + i));
			sum += store_cell(st, COL_COST_SELF, e * n + i);
		}
		assert_int_equal(sum, store_cell(st, COL_COST_SUM, e + 1));
		for (uint64_t i = 1; i <= lines; i++) {
			assert_in_range(store_cell(st, COL_COST_LINE_FUNCTION, i), 1, n);
			assert_true(store_cell(st, COL_COST_LINE_SELF, e * lines + i) <= store_cell(st, COL_COST_LINE_TOTAL, e * lines + i));
			sum -= store_cell(st, COL_COST_LINE_SELF, e * lines + i);
		}
		assert_int_equal(sum, 0);
		assert_in_range(store_cell(st, COL_COST_THREAD, e + 1), 0, threads);
	}
}

/* A graph that is a tree is also a profile, with the same sums. */
static void
check_profile(const struct store *st)
{
	uint64_t samples = rows(st, COL_SAMPLE_WEIGHT), sum;

	assert_int_equal(samples > 0, !load_graph_only(load_shapes(st)));
	for (uint64_t e = 1; samples > 0 && e <= rows(st, COL_COST_SUM); e++) {
		sum = 0;
		for (uint64_t i = 1; i <= samples; i++)
			sum += store_cell(st, COL_SAMPLE_EVENT, i) == e ? store_cell(st, COL_SAMPLE_WEIGHT, i) : 0;
		assert_int_equal(sum, store_cell(st, COL_COST_SUM, e));
	}
}

/* The first character of the last line in the first n bytes. */
static char
line_start(const char *data, size_t n)
{
	while (n > 0 && data[n - 1] != '\n')
		n--;
	return data[n];
}

/* The number of functions in the first n bytes; 0: they are refused. */
static uint64_t
check_bytes(const char *data, size_t n, bool cut)
{
	const struct str bytes = { data, n };
	struct err err = { .kind = E_NONE };
	struct store *st;
	uint64_t functions;

	if (!load_open(&st, "cut", &(struct store_options){ .memory_only = true, .as = "callgrind", .bytes = &bytes }, NULL, &err)) {
		assert_int_equal(err.kind, E_UNREADABLE);
		assert_true(err.text[0] != '\0');
		return 0;
	}
	check_graph(st);
	check_profile(st);
	functions = rows(st, COL_COST_NAME);
	/* The last number of a line of costs without an end may be cut. */
	if (cut && !is_python(st) && is_digit(data[n - 1]) && is_digit(line_start(data, n)))
		assert_int_equal(fact_value(st, FACT_LOSS_CUT_LINE) + fact_value(st, FACT_REPAIR_LAST_LINE), 1);
	store_close(st);
	return functions;
}

static void
cut_all(void **state)
{
	const char *srcdir = getenv("srcdir");
	char *name = folder_path(srcdir == NULL ? ".." : srcdir, "tests/fuzz/corpus/callgrind"), *data, *path;
	struct dirent *entry;
	size_t n, files = 0;
	DIR *dir;

	(void)state;
	assert_non_null(dir = opendir(name));
	/* A tree whose first event has no costs. */
	assert_int_equal(check_bytes(STR("events: Ir Dr\nfn=(1) f\n1 0 5\ncfn=(2) g\ncalls=1 1\n1 0 7\nfn=(2)\n1 0 7\n").s, 68, false), 2);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		path = folder_path(name, entry->d_name);
		data = folder_read(path, &n);
		assert_non_null(data);
		if (check_bytes(data, n, false) == 0)
			fail_msg("%s is refused", entry->d_name);
		while (n-- > 0)
			check_bytes(data, n, true);
		free(data);
		free(path);
		files++;
	}
	closedir(dir);
	free(name);
	assert_true(files >= 5);
}

/* A path of many functions that ends where it begins is one cycle, found without recursion. */
static void
long_cycle(void **state)
{
	enum { FUNCTIONS = 200000 };
	struct buf b = BUF_INIT;
	struct str bytes;
	struct err err;
	struct store *st;

	(void)state;
	buf_str(&b, STR("events: Ir\n"));
	for (unsigned i = 1; i <= FUNCTIONS; i++)
		buf_printf(&b, "fn=(%u) f%u\n1 1\ncfn=(%u) f%u\ncalls=1 1\n1 1\n", i, i, i % FUNCTIONS + 1, i % FUNCTIONS + 1);
	assert_false(b.bad);
	bytes = buf_view(&b);
	assert_true(load_open(&st, "cycle", &(struct store_options){ .memory_only = true, .bytes = &bytes }, NULL, &err));
	assert_int_equal(fact_value(st, FACT_CYCLE_FUNCTIONS), FUNCTIONS);
	for (uint64_t i = 1; i <= FUNCTIONS; i++)
		assert_int_equal(store_cell(st, COL_COST_CYCLE, i), 1);
	store_close(st);
	buf_free(&b);
}

/* A path of many functions is a tree; another caller of one of them makes it a graph again. */
static void
long_path(void **state)
{
	enum { FUNCTIONS = 200000 };
	struct buf b = BUF_INIT;
	struct str bytes;
	struct err err;
	struct store *st;

	(void)state;
	buf_str(&b, STR("events: Ir\n"));
	for (unsigned i = 1; i < FUNCTIONS; i++)
		buf_printf(&b, "fn=(%u) f%u\n1 1\ncfn=(%u) f%u\ncalls=1 1\n1 %u\n", i, i, i + 1, i + 1, FUNCTIONS - i);
	buf_printf(&b, "fn=(%u)\n1 1\n", FUNCTIONS);
	assert_false(b.bad);
	bytes = buf_view(&b);
	assert_true(load_open(&st, "path", &(struct store_options){ .memory_only = true, .bytes = &bytes }, NULL, &err));
	assert_int_equal(fact_value(st, FACT_MAX_DEPTH), FUNCTIONS);
	assert_int_equal(rows(st, COL_SAMPLE_WEIGHT), FUNCTIONS);
	store_close(st);
	buf_str(&b, STR("fn=(1)\ncfn=(3)\ncalls=1 1\n1 0\n"));
	bytes = buf_view(&b);
	assert_true(load_open(&st, "path", &(struct store_options){ .memory_only = true, .bytes = &bytes }, NULL, &err));
	assert_true(load_graph_only(load_shapes(st)));
	store_close(st);
	buf_free(&b);
}

TOOL(unit, callgrind_cuts)
{
	const struct CMUnitTest tests[] = { { "every byte", cut_all, NULL, NULL, NULL }, { "a long cycle", long_cycle, NULL, NULL, NULL },
		{ "a long path", long_path, NULL, NULL, NULL } };

	return cmocka_run_group_tests_name("callgrind_cuts", tests, NULL, NULL);
}
