/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Stack dumps cut at every byte: what is there is read, or refused in words, and every row that another names exists. */
#include "config.h"

#include <sys/stat.h>

#include "check.h"
#include "folder.h"

#include "icecore/columns_dumps.h"
#include "icecore/columns_trace.h"
#include "icecore/load.h"

/* The cells of a column are rows of another one, from 1, or 0. */
static void
check_rows(const struct store *st, column_id column, column_id of)
{
	uint64_t n = column_rows(store_column(st, column)), most = column_rows(store_column(st, of));

	for (uint64_t i = 1; i <= n; i++)
		assert_true(store_cell(st, column, i) <= most);
}

static void
check_store(const struct store *st)
{
	uint64_t dumps = column_rows(store_column(st, COL_TDUMP_KIND)), threads = column_rows(store_column(st, COL_DUMPED_STATE));

	assert_true(dumps > 0 && threads > 0);
	assert_int_equal(column_rows(store_column(st, COL_TDUMP_FIRST)), dumps + 1);
	assert_int_equal(store_cell(st, COL_TDUMP_FIRST, dumps + 1), threads);
	assert_int_equal(column_rows(store_column(st, COL_SAMPLE_STACK)), threads);
	for (uint64_t i = 1; i <= dumps; i++)
		assert_true(store_cell(st, COL_TDUMP_FIRST, i) < store_cell(st, COL_TDUMP_FIRST, i + 1));
	check_rows(st, COL_DUMPED_THREAD, COL_LISTED_TID);
	check_rows(st, COL_DUMPED_LOCK, COL_LOCK_DUMP);
	check_rows(st, COL_DUMPED_HOLDER, COL_DUMPED_STATE);
	check_rows(st, COL_DUMPED_STACK, COL_EXACT_PARENT);
	check_rows(st, COL_EXACT_METHOD, COL_LISTED_METHOD);
	check_rows(st, COL_HOLD_THREAD, COL_DUMPED_STATE);
	check_rows(st, COL_HOLD_LOCK, COL_LOCK_DUMP);
	check_rows(st, COL_REPORT_LOCK, COL_LOCK_DUMP);
	for (uint64_t i = 1; i <= column_rows(store_column(st, COL_EXACT_PARENT)); i++)
		assert_true(store_cell(st, COL_EXACT_PARENT, i) < i);
}

/* Whether the first n bytes are read. */
static bool
check_bytes(const char *data, size_t n)
{
	const struct str bytes = { data, n };
	struct err err = { .kind = E_NONE };
	struct store *st;

	if (!load_open(&st, "cut", &(struct store_options){ .memory_only = true, .as = "stacks", .bytes = &bytes }, NULL, &err)) {
		assert_int_equal(err.kind, E_UNREADABLE);
		assert_true(err.text[0] != '\0');
		return false;
	}
	check_store(st);
	store_close(st);
	return true;
}

static void
cut_all(void **state)
{
	const char *srcdir = getenv("srcdir");
	char *name = folder_path(srcdir == NULL ? ".." : srcdir, "tests/fuzz/corpus/stacks"), *data, *path;
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
		if (!check_bytes(data, n))
			fail_msg("%s is refused", entry->d_name);
		while (n-- > 0)
			check_bytes(data, n);
		free(data);
		free(path);
		files++;
	}
	closedir(dir);
	free(name);
	assert_true(files > 20);
}

TOOL(unit, stack_cuts)
{
	const struct CMUnitTest tests[] = { { "every form", cut_all, NULL, NULL, NULL } };

	return cmocka_run_group_tests_name("stack_cuts", tests, NULL, NULL);
}
