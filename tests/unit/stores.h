/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stores: a source and its store, for the tests of the store.
 */
#ifndef UNIT_STORES_H
#define UNIT_STORES_H

#include <signal.h>

#include "check.h"
#include "folder.h"
#include "icecore/store.h"

#define BIG 100000	/* rows that go to the file at once */

static char *folder, *source, *indexed, *cache;

/* The tests' own names for columns, any will do that an index keeps; from T_NUMBERED on for numbers. */
static const column_id T_X_ONE = 1, T_X_HUGE = 2, T_X_NONE = 3, T_X_PACK = 4, T_KEEP = 5,
    T_DROP_ONE = 6, T_DROP_TWO = 7, T_TRIMMED = 8, T_AFTER = 9, T_INNER = 10, T_LAST = 11, T_A = 12,
    T_FIRST = 13, T_B = 14, T_DROPPED = 15, T_BELOW = 16, T_ABOVE = 17, T_A_SMALL = 18,
    T_B_OTHER = 19, T_C_BYTES = 20, T_D_MORE = 21, T_E_MORE = 22, T_GOOD = 23, T_LARGE = 24,
    T_OTHER = 25, T_FITS = 26, T_TOO_LARGE = 27, T_MORE = 28, T_ALL = 29, T_OLD_LARGE = 30,
    T_OLD_SMALL = 31, T_NEW_LARGE = 32, T_NEW_SMALL = 33, T_SMALL = 34, T_THIRD = 35, T_FOURTH = 36,
    T_LATER = 37, T_REAL = 38;

/* The i-th of those that have a name and a choice, which no other handle is; COL_COUNT: there are fewer. */
static inline column_id
numbered(unsigned i)
{
	column_id col = COL_CHOSEN;

	while (col < COL_COUNT && (column_names[col] == NULL || i-- > 0))
		col++;
	return col;
}

/* As they were made last, so that they can be rebuilt. */
static struct made {
	uint64_t	rows;
	uint32_t	factor;
} made[COL_COUNT];

static inline void make(struct store *, column_id, uint64_t rows, uint32_t factor);

static inline bool
remake(struct store *st, column_id col, struct work *work, struct err *err)
{
	(void)work;
	if (col == T_C_BYTES)
		memcpy(store_make(st, T_C_BYTES, COL_BYTES, 5, err), "hello", 5);
	else if (col != COL_NONE)
		make(st, col, made[col].rows, made[col].factor);
	store_publish(st);
	return true;
}

static inline struct store *
opened(void)
{
	struct store_options o = { .rebuild = remake };
	struct store *st;
	struct err e = { .kind = E_NONE };

	if (!store_open(&st, source, &o, &e))
		fail_msg("%s", e.text);
	return st;
}

static inline void
make(struct store *st, column_id col, uint64_t rows, uint32_t factor)
{
	struct err e;
	uint32_t *v = store_make(st, col, COL_U32, rows, &e);
	uint64_t i;

	assert_non_null(v);
	made[col] = (struct made){ rows, factor };
	for (i = 0; i < rows; i++) {
		assert_int_equal(v[i], 0);
		v[i] = (uint32_t)i * factor;
	}
}

static inline void
save(struct store *st)
{
	struct err e = { .kind = E_NONE };

	store_publish(st);
	if (!store_save(st, &e))
		fail_msg("%s", e.text);
}

static inline int
begin(void **state)
{
	char text[5000];
	size_t i;

	(void)state;
	folder_clear(folder);
	for (i = 0; i < sizeof text; i++)
		text[i] = (char)('a' + i % 26);
	folder_write(source, text, sizeof text);
	return 0;
}

/* ---- an index that was saved twice --------------------------------------------- */

static inline void
check(struct store *st, column_id col, uint64_t rows, uint32_t factor)
{
	const struct column *c = store_column(st, col);
	uint64_t i;

	if (c == NULL)
		fail_msg("%s is not there", column_names[col]);
	assert_int_equal(c->rows, rows);
	for (i = 0; i < rows; i++)
		assert_int_equal(column_get(c, i), (uint32_t)i * factor);
}

/* The first save: old columns, large and small, and a fact. */
static inline void
build_old(void)
{
	struct store *st = opened();
	struct err e;

	make(st, T_OLD_LARGE, BIG, 3);
	make(st, T_OLD_SMALL, 50, 2);
	assert_true(store_fact(st, "n", FACT_COUNT, 1, &e));
	save(st);
	store_close(st);
}

/* The second. */
static inline void
build_new(void)
{
	struct store *st = opened();
	struct err e;

	make(st, T_NEW_LARGE, BIG, 7);
	make(st, T_NEW_SMALL, 60, 5);
	assert_true(store_fact(st, "n", FACT_COUNT, 2, &e));
	save(st);
	store_close(st);
}

/* 0: nothing; 1: what build_old made; 2: what build_new made, too.  Never anything else. */
static inline unsigned
built(void)
{
	struct store *st = opened();
	unsigned n = (unsigned)store_fact_get(st, "n");

	if (n >= 1) {
		check(st, T_OLD_LARGE, BIG, 3);
		check(st, T_OLD_SMALL, 50, 2);
	} else
		assert_null(store_column(st, T_OLD_SMALL));
	if (n == 2) {
		check(st, T_NEW_LARGE, BIG, 7);
		check(st, T_NEW_SMALL, 60, 5);
	} else
		assert_null(store_column(st, T_NEW_SMALL));
	store_close(st);
	return n;
}

/* Runs the tests in a folder of their own, which begin makes empty for each. */
#define stores_run(name, tests) \
	(stores_set_up(), stores_clean_up(cmocka_run_group_tests_name(name, tests, NULL, NULL)))

static inline void
stores_set_up(void)
{
	signal(SIGXFSZ, SIG_IGN);
	folder = folder_make();
	source = folder_path(folder, "app.trace");
	indexed = folder_path(folder, "app.trace.icx");
	cache = folder_path(folder, "cache");
	setenv("XDG_CACHE_HOME", cache, 1);
}

static inline int
stores_clean_up(int failed)
{
	free(source);
	free(indexed);
	free(cache);
	folder_remove(folder);
	return failed;
}

#endif
