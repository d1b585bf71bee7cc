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

static inline struct store *
opened(void)
{
	struct store *st;
	struct err e = { .kind = E_NONE };

	if (!store_open(&st, source, NULL, &e))
		fail_msg("%s", e.text);
	return st;
}

static inline void
make(struct store *st, const char *name, uint64_t rows, uint32_t factor)
{
	struct err e;
	uint32_t *v = store_make(st, name, COL_U32, rows, &e);
	uint64_t i;

	assert_non_null(v);
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
