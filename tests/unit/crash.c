/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * crash: whatever is left of the index by a crash while it grows, it is as it was saved before, or
 * as it was to become, or none.
 */
#include "config.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include "stores.h"

#define HEADER 96

/* The bytes of the index with what build_old saved, and after build_new. */
static char *before, *after;
static size_t nbefore, nafter;

static void
both_states(void)
{
	build_old();
	before = folder_read(indexed, &nbefore);
	build_new();
	after = folder_read(indexed, &nafter);
}

static void
free_states(void)
{
	free(before);
	free(after);
}

/* Everything behind the old end may be there or not, in any state: the old header decides. */
static void
crash_before_header(void **state)
{
	char *torn;
	size_t n, i;

	(void)state;
	both_states();
	torn = malloc(nafter);
	assert_non_null(torn);
	memcpy(torn, after, nafter);
	memcpy(torn, before, HEADER);
	for (n = nbefore; n <= nafter; n += n < nbefore + 5000 ? 997 : 29989) {
		folder_write(indexed, torn, n);
		assert_int_equal(built(), 1);
	}
	for (i = nbefore; i < nafter; i++)
		torn[i] = (char)(i * 31);
	folder_write(indexed, torn, nafter);
	assert_int_equal(built(), 1);
	/* And whoever writes next finds zeros there: make() looks. */
	build_new();
	assert_int_equal(built(), 2);
	assert_int_equal(folder_count(folder, ".icecore-"), 0);
	free(torn);
	free_states();
}

/* The header is half the old and half the new one: one of them, or no index. */
static void
crash_in_header(void **state)
{
	char *torn;
	size_t i;
	unsigned n, none = 0;

	(void)state;
	both_states();
	torn = malloc(nafter);
	assert_non_null(torn);
	memcpy(torn, after, nafter);
	for (i = 0; i <= HEADER; i++) {
		memcpy(torn, after, i);
		memcpy(torn + i, before + i, HEADER - i);
		folder_write(indexed, torn, nafter);
		n = built();
		assert_true(n == 0 || n == (memcmp(torn, before, HEADER) == 0 ? 1 : 2));
		none += n == 0;
	}
	assert_true(none > 30);
	assert_int_equal(built(), 2);
	/* A torn one is replaced by a whole one. */
	torn[HEADER - 8] = (char)~torn[HEADER - 8];
	folder_write(indexed, torn, nafter);
	assert_int_equal(built(), 0);
	build_old();
	assert_int_equal(built(), 1);
	free(torn);
	free_states();
}

/* A power cut that kept the header and lost the columns in it is detected. */
static void
lost_behind(void **state)
{
	size_t n;

	(void)state;
	both_states();
	for (n = nafter - 1; n > nbefore; n -= n > nafter - 1000 ? 41 : 20011) {
		folder_write(indexed, after, n);
		assert_int_equal(built(), 0);
		if (n < nbefore + 20011)
			break;
	}
	free_states();
}

/* Grows the index for ever; prints how many columns it has saved. */
static void
grow_for_ever(_Atomic unsigned *saved)
{
	struct store *st;
	struct err e;
	uint32_t *v;
	unsigned n, i;

	for (;;) {
		if (!store_open(&st, source, NULL, &e))
			_exit(1);
		for (n = 0;; n++) {
			if (numbered(n) == COL_COUNT)
				pause();
			if (store_column(st, numbered(n)) == NULL)
				break;
		}
		v = store_make(st, numbered(n), COL_U32, 20000, &e);
		for (i = 0; v != NULL && i < 20000; i++)
			v[i] = i * n;
		store_publish(st);
		if (v == NULL || !store_save(st, &e))
			_exit(2);
		if (*saved < n + 1)
			*saved = n + 1;
		store_close(st);
	}
}

static void
killed(void **state)
{
	_Atomic unsigned *saved = mmap(NULL, sizeof *saved, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct store *st;
	unsigned round, i;
	int status;
	pid_t pid;

	(void)state;
	assert_true(saved != MAP_FAILED);
	/* More and longer rounds where the machine does much else: minutes, until something was saved. */
	for (round = 0; round < 30 || (*saved <= 3 && round < 1200); round++) {
		pid = fork();
		if (pid == 0)
			grow_for_ever(saved);
		usleep(2000 + round * 700);
		assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		st = opened();
		for (i = 0; i < *saved; i++)
			check(st, numbered(i), 20000, i);
		store_close(st);
	}
	assert_true(*saved > 3);
	munmap((void *)saved, sizeof *saved);
}

TOOL(unit, crash)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(crash_before_header, begin),
		cmocka_unit_test_setup(crash_in_header, begin),
		cmocka_unit_test_setup(lost_behind, begin),
		cmocka_unit_test_setup(killed, begin),
	};

	return stores_run("crash", tests);
}
