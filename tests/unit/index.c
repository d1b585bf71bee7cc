/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * index: the index file is whole and right, or it does not count.
 */
#include "config.h"

#include <inttypes.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <xxhash.h>

#include "icecore/ending.h"
#include "icecore/facts.h"
#include "stores.h"
#include "store/inside.h"

#define SMALL 100

/* STORE_CONTENT, and the sum of the names of columns and facts, when it was raised last. */
#define NUMBERED 115u
#define NUMBERED_NAMES UINT64_C(0xcbcf66a3abdf3937)

/* A small index with everything in it. */
static void
build(void)
{
	struct store *st = opened();
	struct err e;

	make(st, T_A_SMALL, SMALL, 3);
	make(st, T_B_OTHER, 7, 1);
	memcpy(store_make(st, T_C_BYTES, COL_BYTES, 5, &e), "hello", 5);
	assert_true(store_fact(st, "records", FACT_COUNT, 12345, &e));
	assert_true(store_fact_text(st, "thread", STR("main\n\0x"), &e));
	assert_true(store_fact(st, "loss.bytes", FACT_BYTES, 9, &e));
	save(st);
	store_close(st);
}

static bool damaged;	/* is_built found that it was */

/* Right, or not there at all. */
static bool
is_built(void)
{
	struct store *st = opened();
	const struct column *c = store_column(st, T_A_SMALL);
	bool there = c != NULL;
	uint64_t i, at;

	if (there) {
		assert_int_equal(c->rows, SMALL);
		for (i = 0; i < SMALL; i++)
			assert_int_equal(column_get(c, i), i * 3);
		assert_int_equal(column_get(c, SMALL), 0);
		c = store_column(st, T_B_OTHER);
		assert_int_equal(column_get(c, 6), 6);
		c = store_column(st, T_C_BYTES);
		assert_int_equal(c->type, COL_BYTES);
		assert_memory_equal(column_all(c), "hello", 5);
		assert_int_equal(store_nfacts(st), 3);
		assert_int_equal(store_fact_get(st, "records"), 12345);
		assert_true(str_eq(store_fact_str(st, "thread"),
		    STR("main\n\0x")));
		assert_true(store_damaged(st));
	} else {
		assert_null(store_column(st, T_B_OTHER));
		assert_null(store_column(st, T_C_BYTES));
		assert_int_equal(store_nfacts(st), 0);
	}
	assert_false(store_lost(st));
	damaged = store_damage(st, &at);
	store_close(st);
	return there;
}

static void
reopened(void **state)
{
	struct store *st;
	const struct column *held;
	struct stat s, again;

	(void)state;
	assert_false(is_built());
	build();
	assert_true(is_built());
	assert_int_equal(stat(indexed, &s), 0);
	assert_int_equal(s.st_mode & 0777, 0600);
	/* Without anything new it is not written again. */
	st = opened();
	save(st);
	store_close(st);
	assert_int_equal(stat(indexed, &again), 0);
	assert_int_equal(again.st_ino, s.st_ino);
	/* Existing columns keep their address, and the next index contains them, too. */
	st = opened();
	held = store_column(st, T_A_SMALL);
	make(st, T_D_MORE, BIG, 9);
	save(st);
	assert_true(held == store_column(st, T_A_SMALL));
	assert_int_equal(column_get(held, 5), 15);
	make(st, T_E_MORE, BIG, 2);
	save(st);
	assert_int_equal(column_get(store_column(st, T_D_MORE), 5), 45);
	store_close(st);
	assert_true(is_built());
	st = opened();
	assert_int_equal(column_get(store_column(st, T_D_MORE), BIG - 1), (BIG - 1) * 9);
	assert_int_equal(column_get(store_column(st, T_E_MORE), BIG - 1), (BIG - 1) * 2);
	store_close(st);
	assert_int_equal(folder_count(folder, ".icecore-"), 0);
}

static void
flipped(void **state)
{
	size_t n, i;
	char *bytes;
	int rejected = 0, noticed = 0, fd;
	char c;

	(void)state;
	build();
	bytes = folder_read(indexed, &n);
	fd = open(indexed, O_WRONLY);
	assert_true(fd >= 0);
	for (i = 0; i < n; i++) {
		c = (char)(bytes[i] ^ 1 << i % 8);
		assert_int_equal(pwrite(fd, &c, 1, (off_t)i), 1);
		rejected += !is_built();
		noticed += damaged;
		assert_int_equal(pwrite(fd, &bytes[i], 1, (off_t)i), 1);
	}
	close(fd);
	free(bytes);
	/* Header, directory with sums, and facts; not what fills up the pages. */
	assert_int_equal(rejected, 96 + 4 * 72 + 4 * 8 + 112);
	/* Without magic, byte order and format it is none of ours; columns are rebuilt. */
	assert_int_equal(noticed, rejected - 16 + SMALL * 4 + 7 * 4 + 5);
	assert_true(is_built());
	assert_false(damaged);
}

/* Sizes that reach behind the facts, or wrap round: as 0 to 7 bytes they would lead to the next fact. */
static void
fact_sizes(void **state)
{
	static const uint64_t sizes[] = { 0, 32, 33, 40, UINT64_MAX, UINT64_MAX - 6, UINT64_MAX - 7, UINT64_MAX - 39, (uint64_t)1 << 63 };
	struct fact_bytes { uint32_t type, name_size; uint64_t value, text_size; char name[8]; } fact[] = {
		{ .type = FACT_TEXT, .name_size = 8, .name = "records" }, { .type = FACT_COUNT, .name_size = 8, .name = "threads" },
	};

	(void)state;
	for (size_t i = 0; i < NELEM(sizes); i++) {
		struct store *st = opened();

		fact[0].text_size = sizes[i];
		assert_int_equal(facts_unpack(st, (struct str){ (const char *)fact, sizeof fact }), sizes[i] <= 32);
		store_close(st);
	}
}

static void
truncated(void **state)
{
	size_t n, i;
	char *bytes;

	(void)state;
	build();
	bytes = folder_read(indexed, &n);
	for (i = n; i-- > 0;) {
		assert_int_equal(truncate(indexed, (off_t)i), 0);
		if (is_built())
			fail_msg("taken with %zu of %zu bytes", i, n);
	}
	folder_write(indexed, bytes, n);
	assert_true(is_built());
	/* Bytes after its end were never finished. */
	assert_int_equal(truncate(indexed, (off_t)n + 1), 0);
	assert_true(is_built());
	free(bytes);
}

static void
set_mtime(const char *path, time_t s, long ns)
{
	struct timespec t[2] = { { s, ns }, { s, ns } };

	assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

static void
stale(void **state)
{
	char *moved = folder_path(folder, "moved"), *bytes;
	size_t n;

	(void)state;
	set_mtime(source, 1000000, 5);
	build();
	set_mtime(source, 1000000, 6);
	assert_false(is_built());
	set_mtime(source, 1000000, 5);
	assert_true(is_built());
	/* The same size and time, other bytes. */
	bytes = folder_read(source, &n);
	bytes[n - 1] ^= 1;
	folder_write(source, bytes, n);
	set_mtime(source, 1000000, 5);
	assert_false(is_built());
	bytes[n - 1] ^= 1;
	folder_write(source, bytes, n);
	set_mtime(source, 1000000, 5);
	assert_true(is_built());
	/* The same bytes, another file. */
	assert_int_equal(rename(source, moved), 0);
	folder_write(source, bytes, n);
	set_mtime(source, 1000000, 5);
	assert_false(is_built());
	/* And the next build takes the place of the stale one. */
	build();
	assert_true(is_built());
	free(bytes);
	free(moved);
}

static void
untrusted(void **state)
{
	char *other = folder_path(folder, "elsewhere");

	(void)state;
	build();
	assert_int_equal(chmod(indexed, 0620), 0);
	assert_false(is_built());
	assert_int_equal(chmod(indexed, 0644), 0);
	assert_true(is_built());
	assert_int_equal(rename(indexed, other), 0);
	assert_int_equal(symlink(other, indexed), 0);
	assert_false(is_built());
	build();
	assert_true(is_built());
	assert_int_equal(unlink(indexed), 0);
	assert_int_equal(mkfifo(indexed, 0600), 0);
	assert_false(is_built());
	build();
	assert_true(is_built());
	free(other);
}

/* ---- chunks ------------------------------------------------------------------------ */

#define CHUNK (1u << 18)
#define ROWS 2500000u	/* 39 chunks, the last of them shorter */
#define ROW (CHUNK / 4)	/* rows of a chunk */

static uint64_t at_large;	/* where T_LARGE lies */

static struct held *
held_of(struct store *st, column_id col)
{
	return (struct held *)(uintptr_t)store_column(st, col);
}

static void
build_large(void)
{
	struct store *st = opened();

	make(st, T_GOOD, BIG, 4);
	make(st, T_LARGE, ROWS, 3);
	save(st);
	at_large = held_of(st, T_LARGE)->offset;
	store_close(st);
}

static void
write_at(const char *path, uint64_t at, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, n, (off_t)at), n);
	close(fd);
}

/* A chunk is verified when one of its values is used first, and once. */
static void
chunk_states(void **state)
{
	struct store *st;
	struct held *e;

	(void)state;
	build_large();
	st = opened();
	e = held_of(st, T_LARGE);
	assert_true(atomic_load(&e->column.guarded));
	assert_int_equal(atomic_load(&e->unknown), 39);
	assert_int_equal(column_get(&e->column, ROW - 1), (ROW - 1) * 3);
	assert_int_equal(atomic_load(&e->unknown), 38);
	assert_int_equal(column_get(&e->column, 0), 0);
	assert_int_equal(atomic_load(&e->unknown), 38);
	assert_int_equal(column_get(&e->column, ROWS - 1), (ROWS - 1) * 3);
	assert_int_equal(column_get(&e->column, ROWS), 0);
	assert_int_equal(atomic_load(&e->unknown), 37);
	/* Over an edge: both. */
	column_need(&e->column, 5 * ROW - 1, 2);
	assert_int_equal(atomic_load(&e->unknown), 35);
	column_need(&e->column, ROWS, 7);
	column_need(&e->column, 7, 0);
	assert_int_equal(atomic_load(&e->unknown), 35);
	/* Whoever takes so many gets all. */
	for (unsigned i = 10; i < 15; i++)
		assert_int_equal(column_get(&e->column, i * ROW), (uint64_t)i * ROW * 3);
	assert_false(atomic_load(&e->column.guarded));
	assert_int_equal(atomic_load(&e->unknown), 0);
	assert_true(atomic_load(&held_of(st, T_GOOD)->column.guarded));
	assert_false(store_verify(st, UINT64_MAX, NULL));
	assert_false(atomic_load(&held_of(st, T_GOOD)->column.guarded));
	assert_int_equal(store_mended(st), 0);
	store_close(st);
}

/* Rows that are looked up together are verified together, with the rows between them if they are near. */
static void
looked_up(void **state)
{
	uint64_t down[] = { 6 * ROW + 2, 5 * ROW + ROW / 2 + 1, 0, ROWS + 1 };
	uint64_t up[] = { 20 * ROW + ROW / 2 + 1, 21 * ROW + ROW / 4 + 1, 22 * ROW + 1 };
	struct store *st;
	struct held *e;

	(void)state;
	build_large();
	st = opened();
	e = held_of(st, T_LARGE);
	column_look_up(&e->column, down, NELEM(down));
	assert_int_equal(down[0], (6 * ROW + 1) * 3);
	assert_int_equal(down[1], (5 * ROW + ROW / 2) * 3);
	assert_int_equal(down[2], 0);
	assert_int_equal(down[3], 0);
	assert_int_equal(atomic_load(&e->unknown), 39 - 2);
	column_look_up(&e->column, up, NELEM(up));
	assert_int_equal(up[1], (21 * ROW + ROW / 4) * 3);
	assert_int_equal(up[2], 22 * ROW * 3);
	assert_int_equal(atomic_load(&e->unknown), 39 - 2 - 3);
	store_close(st);
}

/* Until the time that was given, each time a piece. */
static void
in_pieces(void **state)
{
	struct store *st;
	unsigned n = 0;

	(void)state;
	build_large();
	st = opened();
	while (store_verify(st, 0, NULL))
		n++;
	assert_int_equal(n, 39 + 2);
	check(st, T_LARGE, ROWS, 3);
	store_close(st);
}

/* A repaired column keeps its address, and is saved: the index is whole again. */
static void
mended(void **state)
{
	static uint8_t zeros[4096], page[4096];
	struct store *st;
	const struct column *c;
	const void *values;
	uint64_t at;
	char *bytes;
	size_t n;

	(void)state;
	for (unsigned kind = 0; kind < 4; kind++) {
		unlink(indexed);
		build_large();
		bytes = folder_read(indexed, &n);
		memcpy(page, bytes + at_large + 2 * CHUNK, sizeof page);
		if (kind == 0)
			write_at(indexed, at_large + 3 * CHUNK - 1, "\xff", 1);
		else if (kind == 1)
			write_at(indexed, at_large + 2 * CHUNK + 4096, zeros, sizeof zeros);
		else if (kind == 2)
			write_at(indexed, at_large + 2 * CHUNK + 4096, page, sizeof page);
		else {
			write_at(indexed, at_large + 2 * CHUNK, bytes + at_large + 5 * CHUNK, CHUNK);
			write_at(indexed, at_large + 5 * CHUNK, bytes + at_large + 2 * CHUNK, CHUNK);
		}
		free(bytes);
		st = opened();
		c = store_column(st, T_LARGE);
		values = c->values;
		assert_int_equal(column_get(c, 2 * ROW - 1), (2 * ROW - 1) * 3);
		assert_false(store_damage(st, &at));
		assert_int_equal(column_get(c, 2 * ROW + 5000), (2 * ROW + 5000) * 3);
		assert_true(store_damage(st, &at));
		assert_int_equal(at, at_large + 2 * CHUNK);
		assert_ptr_equal(c->values, values);
		check(st, T_LARGE, ROWS, 3);
		assert_int_equal(store_mended(st), 1);
		save(st);
		store_close(st);
		st = opened();
		check(st, T_LARGE, ROWS, 3);
		check(st, T_GOOD, BIG, 4);
		assert_false(store_damage(st, &at));
		assert_false(store_lost(st));
		store_close(st);
	}
}

/* Nobody can rebuild it, or not equally: it reads as zeros and counts as lost, and the next start makes a new index. */
static void
not_mended(void **state)
{
	struct store *st;
	struct err e;

	(void)state;
	ending_guard();
	for (unsigned kind = 0; kind < 2; kind++) {
		build_large();
		write_at(indexed, at_large + 10, "\xff", 1);
		if (kind == 0)
			assert_true(store_open(&st, source, NULL, &e));
		else
			st = opened();
		made[T_LARGE].factor = 5;
		assert_int_equal(column_get(store_column(st, T_GOOD), 9), 36);
		assert_false(store_lost(st));
		assert_int_equal(column_get(store_column(st, T_LARGE), 9), 0);
		assert_true(store_lost(st));
		assert_false(store_save(st, &e));
		store_close(st);
		assert_int_equal(access(indexed, F_OK), -1);
	}
}

/* A column that is lost during its copy is not saved.  The index that it was copied from is not ours to remove. */
static void
lost_copy(void **state)
{
	struct store_options o = { .read_only = true };
	struct store *st;
	struct err e;
	char *other;

	(void)state;
	ending_guard();
	assert_true(store_open(&st, source, &o, &e));
	make(st, T_LARGE, ROWS, 3);
	save(st);
	at_large = held_of(st, T_LARGE)->offset;
	other = strdup(store_index_path(st));
	store_close(st);
	write_at(other, at_large + 10, "\xff", 1);
	assert_true(store_open(&st, source, NULL, &e));
	assert_string_equal(store_index_path(st), other);
	make(st, T_MORE, BIG, 1);
	store_publish(st);
	assert_false(store_lost(st));
	assert_false(store_save(st, &e));
	assert_true(store_lost(st));
	store_close(st);
	assert_int_equal(access(indexed, F_OK), -1);
	assert_int_equal(access(other, F_OK), 0);
	free(other);
}

static void *
take_all(void *arg)
{
	struct store *st = arg;
	const struct column *c = store_column(st, T_LARGE);
	uint64_t wrong = 0;

	for (uint64_t i = 0; i < ROWS; i += 1000)
		wrong += column_get(c, i) != (uint32_t)(i * 3);
	return wrong == 0 ? st : NULL;
}

static void
from_threads(void **state)
{
	pthread_t thread[4];
	struct store *st;
	void *right;

	(void)state;
	build_large();
	write_at(indexed, at_large + 20 * CHUNK + 77, "\xff", 1);
	st = opened();
	for (size_t i = 0; i < NELEM(thread); i++)
		assert_int_equal(pthread_create(&thread[i], NULL, take_all, st), 0);
	for (size_t i = 0; i < NELEM(thread); i++) {
		pthread_join(thread[i], &right);
		assert_ptr_equal(right, st);
	}
	assert_int_equal(store_mended(st), 1);
	store_close(st);
}

/* ---- what goes wrong -------------------------------------------------------------- */

static void
no_space(void **state)
{
	struct rlimit limit, tight = { 200000, 0 };
	struct store *st;
	struct err e;

	(void)state;
	build();
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	tight.rlim_max = limit.rlim_max;
	st = opened();
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
	make(st, T_FITS, 20000, 1);
	make(st, T_TOO_LARGE, BIG, 8);
	store_publish(st);
	assert_false(store_save(st, &e));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(e.kind, E_SYSTEM);
	assert_int_equal(folder_count(folder, ".icecore-"), 0);
	assert_true(is_built());
	/* Nothing was lost, and it can be tried again. */
	assert_int_equal(column_get(store_column(st, T_FITS), 19999), 19999);
	assert_int_equal(column_get(store_column(st, T_TOO_LARGE), 2), 16);
	save(st);
	store_close(st);
	assert_true(is_built());
	st = opened();
	assert_int_equal(column_get(store_column(st, T_TOO_LARGE), 2), 16);
	assert_int_equal(column_get(store_column(st, T_FITS), 19999), 19999);
	store_close(st);
}

static void
lost_source(void **state)
{
	struct store *st;
	struct err e;

	(void)state;
	ending_guard();
	build();
	st = opened();
	assert_false(store_lost(st));
	make(st, T_MORE, BIG, 1);
	store_publish(st);
	assert_int_equal(truncate(source, 100), 0);
	assert_int_equal(store_text(st, ref_make(4998, 1)).s[0], 0);
	assert_true(store_lost(st));
	assert_false(store_save(st, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	store_close(st);
	assert_int_equal(folder_count(folder, ".icecore-"), 0);
}

/* Saves again and again: its columns are of a few pages, so that it grows often. */
static void
grow(void)
{
	struct store *st;

	for (unsigned round = 0; round < 20; round++) {
		unlink(indexed);
		st = opened();
		for (unsigned i = 0; i < 100; i++) {
			make(st, numbered(i), 5000, i);
			save(st);
		}
		store_close(st);
	}
	_exit(0);
}

/* Opened while another process makes it grow it is whole. */
static void
read_while_it_grows(void **state)
{
	struct store *st;
	uint64_t at;
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		grow();
	while (waitpid(pid, &status, WNOHANG) == 0) {
		st = opened();
		assert_false(store_damage(st, &at));
		store_close(st);
	}
	assert_int_equal(status, 0);
}

static void
write_for_ever(unsigned seed)
{
	struct store *st;
	struct err e;
	uint64_t *v, i;

	for (;; seed++) {
		if (!store_open(&st, source, NULL, &e))
			_exit(1);
		if (store_column(st, T_ALL) == NULL) {
			v = store_make(st, T_ALL, COL_U64, BIG, &e);
			for (i = 0; v != NULL && i < BIG; i++)
				v[i] = i * 7;
			store_publish(st);
			if (v == NULL || !store_save(st, &e))
				_exit(2);
		} else if (seed % 3 == 0)
			unlink(indexed);
		store_close(st);
	}
}

static void
check_all(void)
{
	struct store *st = opened();
	const struct column *c = store_column(st, T_ALL);
	uint64_t i;

	if (c != NULL)
		for (i = 0; i < BIG; i++)
			assert_int_equal(column_get(c, i), i * 7);
	store_close(st);
}

/* Writers of the same index, killed at any moment: what is there is whole. */
static void
killed(void **state)
{
	pid_t pid[4];
	int round, status;
	size_t i;

	(void)state;
	for (round = 0; round < 25; round++) {
		for (i = 0; i < NELEM(pid); i++)
			if ((pid[i] = fork()) == 0)
				write_for_ever((unsigned)i);
		for (i = 0; i < NELEM(pid); i++) {
			usleep(3000 + (unsigned)round * 500);
			check_all();
			assert_int_equal(waitpid(pid[i], &status, WNOHANG), 0);
			kill(pid[i], SIGKILL);
			waitpid(pid[i], &status, 0);
		}
		check_all();
	}
	unlink(indexed);
	build();
	assert_int_equal(folder_count(folder, ".icecore-"), 0);
}

/*
 * An index from before a column or a fact existed would pass for complete, so that a new one needs a new STORE_CONTENT.  Then the
 * sum of the names changes, which the test prints.
 */
static void
content_numbered(void **state)
{
	XXH3_state_t *sum = XXH3_createState();
	uint64_t names;

	(void)state;
	assert_non_null(sum);
	XXH3_64bits_reset(sum);
	for (size_t i = 0; i < COL_COUNT; i++)
		if (column_names[i] != NULL)
			XXH3_64bits_update(sum, column_names[i], strlen(column_names[i]) + 1);
	for (size_t i = 0; i < FACT_IDS; i++)
		XXH3_64bits_update(sum, fact_name((enum fact_id)i), strlen(fact_name((enum fact_id)i)) + 1);
	names = XXH3_64bits_digest(sum);
	XXH3_freeState(sum);
	if (STORE_CONTENT != NUMBERED || names != NUMBERED_NAMES)
		fail_msg("columns or facts changed: raise STORE_CONTENT (now %u, last time %u) and let NUMBERED_NAMES be 0x%016" PRIx64,
		    STORE_CONTENT, NUMBERED, names);
}

TOOL(unit, index)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(reopened, begin),
		cmocka_unit_test_setup(flipped, begin),
		cmocka_unit_test_setup(fact_sizes, begin),
		cmocka_unit_test_setup(truncated, begin),
		cmocka_unit_test_setup(stale, begin),
		cmocka_unit_test_setup(untrusted, begin),
		cmocka_unit_test_setup(chunk_states, begin),
		cmocka_unit_test_setup(looked_up, begin),
		cmocka_unit_test_setup(in_pieces, begin),
		cmocka_unit_test_setup(mended, begin),
		cmocka_unit_test_setup(not_mended, begin),
		cmocka_unit_test_setup(lost_copy, begin),
		cmocka_unit_test_setup(from_threads, begin),
		cmocka_unit_test_setup(no_space, begin),
		cmocka_unit_test_setup(lost_source, begin),
		cmocka_unit_test_setup(read_while_it_grows, begin),
		cmocka_unit_test_setup(killed, begin),
		cmocka_unit_test(content_numbered),
	};

	return stores_run("index", tests);
}
