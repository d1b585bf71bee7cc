/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of tracers cut at every byte: what is there is read, or refused in words, and all samples have a stack and a share of the sum. */
#include "config.h"

#include "check.h"
#include "folder.h"

#include "icecore/columns_trace.h"
#include "icecore/load.h"

static void
check_stacks(const struct store *st)
{
	uint64_t n = column_rows(store_column(st, COL_STACK_PARENT)), methods = column_rows(store_column(st, COL_LISTED_METHOD));

	for (uint64_t i = 1; i <= n; i++) {
		assert_true(store_cell(st, COL_STACK_PARENT, i) < i);
		assert_in_range(store_cell(st, COL_STACK_METHOD, i), 1, methods);
	}
}

/* The sum of the values of all samples is that of the events. */
static uint64_t
check_samples(const struct store *st)
{
	uint64_t n = column_rows(store_column(st, COL_SAMPLE_STACK)), events = column_rows(store_column(st, COL_EVENT_WEIGHT)), sum = 0, all = 0;

	for (uint64_t i = 1; i <= n; i++) {
		assert_in_range(store_cell(st, COL_SAMPLE_STACK, i), 1, column_rows(store_column(st, COL_STACK_PARENT)));
		assert_in_range(store_cell(st, COL_SAMPLE_THREAD, i), 1, column_rows(store_column(st, COL_LISTED_TID)));
		assert_in_range(store_cell(st, COL_SAMPLE_EVENT, i), 1, events);
		sum += store_cell(st, COL_SAMPLE_WEIGHT, i);
	}
	for (uint64_t i = 1; i <= events; i++)
		all += store_cell(st, COL_EVENT_WEIGHT, i);
	assert_true(n > 0);
	assert_int_equal(sum, all);
	return n;
}

/* The number of samples in the first n bytes; 0: they are refused. */
static uint64_t
check_bytes(const char *data, size_t n)
{
	const struct str bytes = { data, n };
	struct err err = { .kind = E_NONE };
	struct store *st;
	uint64_t samples;

	if (!load_open(&st, "cut", &(struct store_options){ .memory_only = true, .as = "tracers", .bytes = &bytes }, NULL, &err)) {
		assert_int_equal(err.kind, E_UNREADABLE);
		assert_true(err.text[0] != '\0');
		return 0;
	}
	check_stacks(st);
	samples = check_samples(st);
	store_close(st);
	return samples;
}

static void
cut_all(void **state)
{
	const char *srcdir = getenv("srcdir");
	char *name = folder_path(srcdir == NULL ? ".." : srcdir, "tests/fuzz/corpus/tracers"), *data, *path;
	struct dirent *entry;
	size_t n, files = 0;
	DIR *dir;

	(void)state;
	assert_non_null(dir = opendir(name));
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		path = folder_path(name, entry->d_name);
		data = folder_read(path, &n);
		assert_non_null(data);
		if (check_bytes(data, n) == 0)
			fail_msg("%s is refused", entry->d_name);
		while (n-- > 0)
			check_bytes(data, n);
		free(data);
		free(path);
		files++;
	}
	closedir(dir);
	free(name);
	assert_true(files > 15);
}

TOOL(unit, tracer_cuts)
{
	const struct CMUnitTest tests[] = { { "every form", cut_all, NULL, NULL, NULL } };

	return cmocka_run_group_tests_name("tracer_cuts", tests, NULL, NULL);
}
