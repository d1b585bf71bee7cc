/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grow: an index that is appended to loses nothing, and two who write never spoil each other's.
 */
#include "config.h"

#include <sys/resource.h>

#include "stores.h"

#define HEADER 96

static ino_t
inode(void)
{
	struct stat s;

	assert_int_equal(stat(indexed, &s), 0);
	return s.st_ino;
}

/* ---- growing -------------------------------------------------------------------- */

static void
in_place(void **state)
{
	struct store *reader;
	const struct column *held;
	char *before, *after;
	size_t n, m;
	ino_t ino;

	(void)state;
	build_old();
	ino = inode();
	before = folder_read(indexed, &n);
	reader = opened();
	held = store_column(reader, T_OLD_LARGE);
	build_new();
	assert_int_equal(inode(), ino);
	assert_int_equal(built(), 2);
	/* Each byte is written once, except the header. */
	after = folder_read(indexed, &m);
	assert_true(m > n);
	assert_memory_equal(before + HEADER, after + HEADER, n - HEADER);
	assert_memory_not_equal(before, after, HEADER);
	/* A process that had opened it before still reads the old bytes. */
	check(reader, T_OLD_LARGE, BIG, 3);
	assert_true(store_column(reader, T_OLD_LARGE) == held);
	assert_null(store_column(reader, T_NEW_SMALL));
	assert_int_equal(store_fact_get(reader, "n"), 1);
	assert_false(store_lost(reader));
	store_close(reader);
	free(before);
	free(after);
}

static void
again_and_again(void **state)
{
	struct store *st = opened();
	unsigned i;
	ino_t ino;

	(void)state;
	make(st, numbered(0), BIG, 0);
	save(st);
	ino = inode();
	for (i = 1; i < 20; i++) {
		make(st, numbered(i), i % 2 == 0 ? BIG : 30, i);
		save(st);
		if (i == 10) {
			store_close(st);
			st = opened();
		}
	}
	for (i = 0; i < 20; i++)
		check(st, numbered(i), i % 2 == 0 ? BIG : 30, i);
	store_close(st);
	assert_int_equal(inode(), ino);
	st = opened();
	for (i = 0; i < 20; i++)
		check(st, numbered(i), i % 2 == 0 ? BIG : 30, i);
	store_close(st);
}

/* Made, but never saved: none of it stays in the file. */
static void
not_saved(void **state)
{
	struct stat s, again;
	struct store *st;

	(void)state;
	build_old();
	assert_int_equal(stat(indexed, &s), 0);
	st = opened();
	make(st, T_NEW_LARGE, BIG, 7);
	store_publish(st);
	make(st, T_DROPPED, BIG, 1);
	store_discard(st);
	check(st, T_NEW_LARGE, BIG, 7);
	store_close(st);
	assert_int_equal(stat(indexed, &again), 0);
	assert_int_equal(s.st_size, again.st_size);
	assert_int_equal(built(), 1);
}

static void
worth(void **state)
{
	struct store *st = opened();

	(void)state;
	make(st, T_SMALL, 1000, 1);
	store_publish(st);
	store_save_worth(st, NULL);
	assert_int_equal(access(indexed, F_OK), -1);
	make(st, T_LARGE, 300000, 1);
	store_publish(st);
	store_save_worth(st, NULL);
	assert_int_equal(access(indexed, F_OK), 0);
	store_close(st);
	st = opened();
	check(st, T_SMALL, 1000, 1);
	check(st, T_LARGE, 300000, 1);
	store_close(st);
}

/* ---- over damage ------------------------------------------------------------------ */

static void
poke(off_t at, char value)
{
	int fd = open(indexed, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &value, 1, at), 1);
	close(fd);
}

/* The index ignores bytes after the end in the header. */
static void
behind(void **state)
{
	struct store *st = opened();
	struct stat s;
	uint64_t at;

	(void)state;
	make(st, T_LARGE, BIG, 3);
	save(st);
	store_close(st);
	assert_int_equal(stat(indexed, &s), 0);
	poke(s.st_size + 5000, 'x');
	st = opened();
	check(st, T_LARGE, BIG, 3);
	assert_false(store_damage(st, &at));
	make(st, T_THIRD, BIG, 5);
	save(st);
	store_close(st);
	st = opened();
	check(st, T_LARGE, BIG, 3);
	check(st, T_THIRD, BIG, 5);
	store_close(st);
}

/* Damage is not covered up by saving something else. */
static void
over_damage(void **state)
{
	struct store *st = opened();
	uint64_t at;

	(void)state;
	make(st, T_LARGE, 2000000, 1);
	make(st, T_GOOD, BIG, 1);
	save(st);
	store_close(st);
	poke(4000000, 'x');
	st = opened();
	make(st, T_MORE, BIG, 3);
	save(st);
	check(st, T_MORE, BIG, 3);
	assert_false(store_damage(st, &at));
	store_close(st);
	st = opened();
	check(st, T_LARGE, 2000000, 1);
	assert_true(store_damage(st, &at));
	check(st, T_MORE, BIG, 3);
	store_close(st);
}

/* ---- two at once ---------------------------------------------------------------- */

static void
two_growing(void **state)
{
	struct store *a, *b;

	(void)state;
	build_old();
	a = opened();
	b = opened();
	make(a, T_NEW_LARGE, BIG, 7);
	/* The other one does without, and has the same values. */
	make(b, T_NEW_LARGE, BIG, 9);
	assert_string_equal(store_note(a), "");
	assert_non_null(strstr(store_note(b), "another icecore is writing it"));
	save(b);
	save(a);
	check(a, T_NEW_LARGE, BIG, 7);
	check(b, T_NEW_LARGE, BIG, 9);
	check(b, T_OLD_LARGE, BIG, 3);
	store_close(b);
	b = opened();
	check(b, T_NEW_LARGE, BIG, 7);
	/* The first one has released it. */
	make(b, T_THIRD, BIG, 1);
	save(b);
	assert_string_equal(store_note(b), "");
	/* And knows that it does not know all of the index any more. */
	make(a, T_FOURTH, BIG, 2);
	save(a);
	assert_non_null(strstr(store_note(a), "another icecore is writing it"));
	check(a, T_FOURTH, BIG, 2);
	store_close(a);
	store_close(b);
	a = opened();
	check(a, T_NEW_LARGE, BIG, 7);
	check(a, T_THIRD, BIG, 1);
	assert_null(store_column(a, T_FOURTH));
	store_close(a);
}

static void
two_beginning(void **state)
{
	struct store *a = opened(), *b = opened();
	ino_t ino;

	(void)state;
	make(a, T_OLD_LARGE, BIG, 3);
	make(b, T_OLD_LARGE, BIG, 4);
	save(a);
	ino = inode();
	save(b);
	assert_int_equal(inode(), ino);
	assert_non_null(strstr(store_note(b), "another icecore is writing it"));
	make(a, T_MORE, BIG, 5);
	make(b, T_MORE, BIG, 6);
	save(b);
	save(a);
	check(b, T_OLD_LARGE, BIG, 4);
	check(b, T_MORE, BIG, 6);
	store_close(a);
	store_close(b);
	assert_int_equal(inode(), ino);
	a = opened();
	check(a, T_OLD_LARGE, BIG, 3);
	check(a, T_MORE, BIG, 5);
	store_close(a);
	assert_int_equal(folder_count(folder, ".icecore-"), 0);
}

/* Both see an index that does not count; the first to be done replaces it, and only that one. */
static void
two_replacing(void **state)
{
	struct store *a, *b;
	ino_t ino;

	(void)state;
	folder_write(indexed, "rubbish", 7);
	a = opened();
	b = opened();
	make(a, T_OLD_LARGE, BIG, 3);
	make(b, T_OLD_LARGE, BIG, 4);
	save(a);
	ino = inode();
	save(b);
	assert_int_equal(inode(), ino);
	store_close(a);
	store_close(b);
	a = opened();
	check(a, T_OLD_LARGE, BIG, 3);
	store_close(a);
}

static void
deleted_meanwhile(void **state)
{
	struct store *st;

	(void)state;
	build_old();
	st = opened();
	assert_int_equal(unlink(indexed), 0);
	make(st, T_NEW_LARGE, BIG, 7);
	save(st);
	store_close(st);
	st = opened();
	check(st, T_OLD_LARGE, BIG, 3);
	check(st, T_OLD_SMALL, 50, 2);
	check(st, T_NEW_LARGE, BIG, 7);
	store_close(st);
}

/* ---- what goes wrong ------------------------------------------------------------ */

/* Damage that shows while the index grows: rebuilt columns are appended as well. */
static void
damaged_meanwhile(void **state)
{
	struct store *st = opened();
	uint64_t at;
	ino_t ino;

	(void)state;
	make(st, T_GOOD, BIG, 4);
	make(st, T_LARGE, 2000000, 1);
	save(st);
	store_close(st);
	ino = inode();
	poke(4000000, 'x');
	st = opened();
	check(st, T_GOOD, BIG, 4);
	make(st, T_MORE, BIG, 6);
	store_publish(st);
	check(st, T_LARGE, 2000000, 1);
	assert_int_equal(store_mended(st), 1);
	save(st);
	check(st, T_MORE, BIG, 6);
	make(st, T_LAST, BIG, 8);
	save(st);
	store_close(st);
	assert_true(inode() == ino);
	st = opened();
	check(st, T_GOOD, BIG, 4);
	check(st, T_MORE, BIG, 6);
	check(st, T_LARGE, 2000000, 1);
	check(st, T_LAST, BIG, 8);
	assert_false(store_damage(st, &at));
	store_close(st);
}

/* No space for what is new, wherever that shows; the old index stays, and later all is saved. */
static void
no_space(void **state)
{
	struct rlimit limit, tight;
	struct store *st;
	struct stat s;
	struct err e;
	unsigned more;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	for (more = 0; more < 420000; more += 13000) {
		unlink(indexed);
		build_old();
		assert_int_equal(stat(indexed, &s), 0);
		tight = (struct rlimit){ (rlim_t)s.st_size + more, limit.rlim_max };
		st = opened();
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
		make(st, T_NEW_LARGE, BIG, 7);
		make(st, T_NEW_SMALL, 60, 5);
		assert_true(store_fact(st, "n", FACT_COUNT, 2, &e));
		store_publish(st);
		if (!store_save(st, &e)) {
			assert_int_equal(e.kind, E_SYSTEM);
			assert_int_equal(built(), 1);
		}
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		make(st, T_LATER, BIG, 9);
		save(st);
		check(st, T_LATER, BIG, 9);
		store_close(st);
		assert_int_equal(built(), 2);
	}
}

TOOL(unit, grow)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(in_place, begin),
		cmocka_unit_test_setup(again_and_again, begin),
		cmocka_unit_test_setup(not_saved, begin),
		cmocka_unit_test_setup(worth, begin),
		cmocka_unit_test_setup(behind, begin),
		cmocka_unit_test_setup(over_damage, begin),
		cmocka_unit_test_setup(two_growing, begin),
		cmocka_unit_test_setup(two_beginning, begin),
		cmocka_unit_test_setup(two_replacing, begin),
		cmocka_unit_test_setup(deleted_meanwhile, begin),
		cmocka_unit_test_setup(damaged_meanwhile, begin),
		cmocka_unit_test_setup(no_space, begin),
	};

	return stores_run("grow", tests);
}
