/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * os: maps that vanish, files that appear whole, scratch, the worker.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "folder.h"
#include "icecore/directory.h"
#include "icecore/ending.h"
#include "icecore/limits.h"
#include "icecore/os.h"
#include "icecore/texts.h"

static char *folder;

/* ---- groups ----------------------------------------------------------------------- */

static void
groups_private(void **state)
{
	static const struct {
		const char *passwd, *group;
		bool private;
	} cases[] = {
		{ "root:x:0:0::/:/bin/sh\nann:x:7:7::/:/bin/sh\n", "root:x:0:\nann:x:7:\n", true },
		{ "ann:x:7:7::/:/bin/sh", "ann:x:7:ann", true },
		{ "ann:x:7:7\nbob:x:8:7\n", "ann:x:7:\n", false },
		{ "bob:x:8:7\nann:x:7:7\n", "ann:x:7:\n", false },
		{ "ann:x:7:7\n", "ann:x:7:bob\n", false },
		{ "ann:x:7:7\n", "ann:x:7:ann,bob\n", false },
		{ "ann:x:7:7\n", "ann:x:7:\nann:x:7:bob\n", false },
		{ "ann:x:7:7\n", "staff:x:7:\n", false },
		{ "ann:x:7:100\n", "ann:x:7:\nusers:x:100:\n", false },
		{ "ann:x:7:100\n", "ann:x:7:\n", false },
		{ "ann:x:7:7\n+::::::\n", "ann:x:7:\n", false },
		{ "ann:x:7:7\n", "", false },
		{ "", "ann:x:7:\n", false },
		{ "ann:x:7:7x\n:::\n\n", "ann:x:7:\n", false },
	};

	(void)state;
	for (size_t i = 0; i < NELEM(cases); i++)
		if (group_of_one(str_of(cases[i].passwd), str_of(cases[i].group), 7, 7) != cases[i].private)
			fail_msg("case %zu", i);
}

/* ---- map ----------------------------------------------------------------------- */

static void
map_contents(void **state)
{
	char *path = folder_path(folder, "plain"), *none;
	struct map m;
	struct err e;

	(void)state;
	folder_write(path, "hello", 5);
	assert_true(map_open(&m, path, NULL, &e));
	assert_int_equal(m.size, 5);
	assert_memory_equal(m.data, "hello", 5);
	assert_false(map_lost(&m));
	map_close(&m);
	assert_null(m.data);
	map_close(&m);
	folder_write(path, "", 0);
	assert_true(map_open(&m, path, NULL, &e));
	assert_int_equal(m.size, 0);
	assert_false(map_lost(&m));
	map_close(&m);
	assert_false(map_open(&m, folder, NULL, &e));
	assert_int_equal(e.kind, E_UNREADABLE);
	none = folder_path(folder, "none");
	assert_false(map_open(&m, none, NULL, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_non_null(strstr(e.text, "none: No such file"));
	free(none);
	free(path);
}

static void
map_pipe(void **state)
{
	struct map m;
	struct err e;
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "through a pipe", 14), 14);
	close(fd[1]);
	assert_true(map_open_fd(&m, fd[0], NULL, NULL, &e));
	assert_int_equal(m.size, 14);
	assert_memory_equal(m.data, "through a pipe", 14);
	map_close(&m);
	close(fd[0]);
}

/* It outlives what it is a copy of, and what is said of pages does not touch it. */
static void
map_memory(void **state)
{
	char text[] = "in memory";
	struct map m;
	struct err e;

	(void)state;
	assert_true(map_of_memory(&m, str_of(text), &e));
	memset(text, 'x', sizeof text);
	map_forget(&m, 0, m.size);
	assert_int_equal(m.size, 9);
	assert_memory_equal(m.data, "in memory", 9);
	assert_false(map_lost(&m));
	assert_int_equal(map_fd(&m), -1);
	map_close(&m);
	assert_true(map_of_memory(&m, STR(""), &e));
	assert_int_equal(m.size, 0);
	map_close(&m);
}

static uint64_t
sum(const struct map *m)
{
	uint64_t total = 0, i;

	for (i = 0; i < m->size; i++)
		total += ((const volatile uint8_t *)m->data)[i];
	return total;
}

/* A file that is cut while it is mapped reads as zeros, from behind as well. */
static void
map_shrinks(void **state)
{
	char *path = folder_path(folder, "shrinks");
	static uint8_t ones[100000];
	struct map m, other;
	struct err e;
	size_t i;

	(void)state;
	ending_guard();	/* cmocka has put its own handler there */
	memset(ones, 1, sizeof ones);
	folder_write(path, ones, sizeof ones);
	assert_true(map_open(&m, path, NULL, &e));
	assert_true(map_open(&other, path, NULL, &e));
	assert_int_equal(sum(&m), sizeof ones);
	assert_int_equal(truncate(path, 5000), 0);
	for (i = m.size - 1; i > 8192; i -= 777)
		assert_int_equal(((const volatile uint8_t *)m.data)[i], 0);
	assert_int_equal(sum(&m), 5000);
	assert_true(map_lost(&m));
	assert_true(map_lost(&other));
	map_close(&m);
	map_close(&other);
	assert_true(map_open(&m, path, NULL, &e));
	assert_false(map_lost(&m));
	/* Within the last page nothing faults, but it is still lost. */
	assert_int_equal(truncate(path, 4999), 0);
	assert_true(map_lost(&m));
	map_close(&m);
	assert_false(map_fault(&e));
	free(path);
}

/* A rewritten file is lost, also when its size stays; one that grows is not, nor one that we wrote. */
static void
map_rewritten(void **state)
{
	const struct timespec before[2] = { { 1000, 0 }, { 1000, 0 } };
	char *path = folder_path(folder, "rewritten");
	struct map m, own;
	struct err e;
	int fd;

	(void)state;
	folder_write(path, "before", 6);
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, before, 0), 0);
	assert_true(map_open(&m, path, NULL, &e));
	assert_true(map_open_own(&own, path));
	assert_false(map_lost(&m));
	fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, "more", 4), 4);
	close(fd);
	assert_false(map_lost(&m));
	assert_int_equal(truncate(path, 6), 0);
	assert_true(map_lost(&m));
	assert_false(map_lost(&own));
	map_close(&m);
	map_close(&own);
	free(path);
}

/* A SIGBUS that is not ours still ends the program by that signal. */
static void
map_other_fault(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		struct rlimit none = { 0, 0 };

		ending_guard();
		setrlimit(RLIMIT_CORE, &none);
		raise(SIGBUS);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
}

static void
map_too_many(void **state)
{
	static struct map maps[200];
	char *path = folder_path(folder, "many");
	struct err e;
	size_t n = 0, i;

	(void)state;
	folder_write(path, "x", 1);
	while (n < NELEM(maps) && map_open(&maps[n], path, NULL, &e))
		n++;
	assert_true(n >= 16 && n < NELEM(maps));
	assert_int_equal(e.kind, E_SYSTEM);
	for (i = 0; i < n; i++)
		map_close(&maps[i]);
	assert_true(map_open(&maps[0], path, NULL, &e));
	map_close(&maps[0]);
	free(path);
}

/* ---- file ---------------------------------------------------------------------- */

static void
file_whole(void **state)
{
	char *path = folder_path(folder, "out");
	struct file f;
	struct stat st;
	struct err e;

	(void)state;
	assert_true(file_begin(&f, path, &e));
	assert_true(file_write(&f, "one", 3, &e));
	assert_int_equal(access(path, F_OK), -1);
	assert_true(file_commit(&f, false, &e));
	assert_true(folder_holds(path, "one", 3));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);

	assert_true(file_begin(&f, path, &e));
	assert_true(file_write(&f, "two", 3, &e));
	assert_false(file_commit(&f, false, &e));
	assert_int_equal(e.kind, E_USAGE);
	assert_true(folder_holds(path, "one", 3));

	assert_true(file_begin(&f, path, &e));
	assert_true(file_write(&f, "two", 3, &e));
	assert_true(file_commit(&f, true, &e));
	assert_true(folder_holds(path, "two", 3));

	/* A file that was written while memory was refused may be incomplete. */
	assert_true(file_begin(&f, path, &e));
	assert_true(file_write(&f, "three", 5, &e));
	assert_null(mem_array(SIZE_MAX / 2, 3));
	assert_false(file_commit(&f, true, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_true(folder_holds(path, "two", 3));

	assert_true(file_begin(&f, path, &e));
	file_abandon(&f);
	file_abandon(&f);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(folder_count(folder, ".icecore-"), 0);
	free(path);
}

/* A link of somebody is replaced, never followed. */
static void
file_links(void **state)
{
	char *path = folder_path(folder, "link"), *target = folder_path(folder, "target");
	struct file f;
	struct stat st;
	struct err e;

	(void)state;
	folder_write(target, "mine", 4);
	assert_int_equal(symlink(target, path), 0);
	assert_true(file_begin(&f, path, &e));
	assert_false(file_commit(&f, false, &e));
	assert_true(file_begin(&f, path, &e));
	assert_true(file_commit(&f, true, &e));
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_true(folder_holds(target, "mine", 4));
	free(path);
	free(target);
}

/* A new file only: nothing is replaced or followed, and nothing is left. */
static void
file_placed(void **state)
{
	char *path = folder_path(folder, "placed"), *link = folder_path(folder, "pointer");
	struct file f;
	struct stat st;
	struct err e;

	(void)state;
	assert_true(file_begin(&f, path, &e));
	assert_true(file_write(&f, "one", 3, &e));
	assert_int_equal(access(path, F_OK), -1);
	assert_true(file_place(&f, &e));
	assert_int_equal(f.fd, -1);
	assert_true(folder_holds(path, "one", 3));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(symlink("nowhere", link), 0);
	assert_true(file_begin(&f, link, &e));
	assert_false(file_place(&f, &e));
	assert_int_equal(e.kind, E_USAGE);
	assert_true(file_begin(&f, path, &e));
	assert_false(file_place(&f, &e));
	assert_true(folder_holds(path, "one", 3));
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(folder_count(folder, ".icecore-"), 0);
	free(path);
	free(link);
}

/* A file system that has no hard links, and no rename that replaces nothing. */
static bool no_links;

int
link(const char *from, const char *to)
{
	if (!no_links)
		return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
	errno = ENOSYS;
	return -1;
}

int
renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
	if (!no_links)
		return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
	errno = EINVAL;
	return -1;
}

static void
file_without_links(void **state)
{
	char *path = folder_path(folder, "linkless");
	struct file f;
	struct err e;

	(void)state;
	no_links = true;
	assert_true(file_begin(&f, path, &e));
	assert_true(file_write(&f, "one", 3, &e));
	assert_true(file_commit(&f, false, &e));
	assert_true(folder_holds(path, "one", 3));
	assert_true(file_begin(&f, path, &e));
	assert_false(file_commit(&f, false, &e));
	assert_int_equal(e.kind, E_USAGE);
	assert_true(folder_holds(path, "one", 3));
	no_links = false;
	assert_int_equal(unlink(path), 0);
	assert_int_equal(folder_count(folder, ".icecore-"), 0);
	free(path);
}

static void
file_nowhere(void **state)
{
	char *path = folder_path(folder, "no/such/folder");
	struct file f;
	struct err e;

	(void)state;
	assert_false(file_begin(&f, path, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_int_equal(f.fd, -1);
	free(path);
}

static void
file_no_space(void **state)
{
	char *path = folder_path(folder, "full"), block[65536];
	struct rlimit limit, tight = { 100000, RLIM_INFINITY };
	struct file f;
	struct err e;

	(void)state;
	memset(block, 'x', sizeof block);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	tight.rlim_max = limit.rlim_max;
	assert_true(file_begin(&f, path, &e));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
	assert_true(file_write(&f, block, sizeof block, &e));
	assert_false(file_write(&f, block, sizeof block, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_false(fd_reserve(f.fd, 0, 200000, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_false(fd_reserve(f.fd, UINT64_MAX - 5, 10, &e));
	file_abandon(&f);
	assert_int_equal(access(path, F_OK), -1);
	free(path);
}

static void
leave(const char *name, bool there)
{
	char *path = folder_path(folder, name);

	if (there)
		folder_write(path, "", 0);
	else
		assert_int_equal(access(path, F_OK), -1);
	free(path);
}

/* Leftovers of the dead go; those of the living and what only looks alike stay. */
static void
file_sweeps(void **state)
{
	char dead[64], living[64], *path;
	pid_t pid = fork();
	struct file f;
	int status;

	(void)state;
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	snprintf(dead, sizeof dead, ".icecore-%ld-1f-0", (long)pid);
	snprintf(living, sizeof living, ".icecore-%ld-1f-0", (long)getpid());
	leave(dead, true);
	leave(living, true);
	leave(".icecore-x-1", true);
	leave(".icecore--1-1", true);
	leave("icecore-1-1", true);
	path = folder_path(folder, "other");
	assert_true(file_begin(&f, path, NULL));
	file_sweep(folder);
	assert_true(file_commit(&f, true, NULL));
	leave(dead, false);
	assert_int_equal(folder_count(folder, ".icecore-"), 3);
	assert_int_equal(folder_count(folder, "icecore-1-1"), 1);
	folder_clear(folder);
	file_sweep("/nonexistent");
	free(path);
}

/* ---- descriptors ------------------------------------------------------------------- */

enum { KEPT = 3, OPEN = 5 };

/* In a child with files of its own as the first descriptors. */
static void
descriptors_take(const int fd[KEPT])
{
	ino_t file[OPEN];
	struct stat st;
	char name[] = "/tmp/icecore-descriptor-XXXXXX";
	int other;

	for (int i = 0; i < OPEN; i++) {
		memcpy(name + sizeof name - 7, "XXXXXX", 6);
		other = mkstemp(name);
		if (other < 0 || unlink(name) != 0 || fstat(other, &st) != 0 || dup2(other, i) != i)
			_exit(1);
		file[i] = st.st_ino;
		if (other >= OPEN)
			close(other);
	}
	if (!descriptors_keep(fd, KEPT))
		_exit(2);
	for (int i = 0; i < KEPT; i++)
		if (fstat(i, &st) != 0 || st.st_ino != file[fd[i]])
			_exit(3);
	_exit(fcntl(KEPT, F_GETFD) < 0 && fcntl(KEPT + 1, F_GETFD) < 0 ? 0 : 4);
}

/* Whatever places they have before, and if some are the same. */
static void
descriptors_any_order(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	for (int order = 0; order < OPEN * OPEN * OPEN; order++) {
		pid = fork();
		if (pid == 0)
			descriptors_take((const int[]){ order % OPEN, order / OPEN % OPEN, order / OPEN / OPEN });
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (status != 0)
			fail_msg("order %d: %d", order, status >> 8);
	}
}

/* ---- walks ---------------------------------------------------------------------- */

/* MiB of mapped files that are resident; those of a file system in memory are counted as shared. */
static unsigned long
resident(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	unsigned long kib, all = 0;

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "RssFile: %lu", &kib) == 1 || sscanf(line, "RssShmem: %lu", &kib) == 1)
			all += kib;
	if (f != NULL)
		fclose(f);
	return all / 1024;
}

static void
map_walks(void **state)
{
	char *path = folder_path(folder, "walked"), *bytes = malloc(16 << 20);
	struct map m, none = { .slot = -1 };
	unsigned long before;
	uint64_t want;
	struct err e;

	(void)state;
	assert_non_null(bytes);
	memset(bytes, 1, 16 << 20);
	folder_write(path, bytes, (16 << 20) - 100);
	free(bytes);
	assert_true(map_open(&m, path, NULL, &e));
	want = sum(&m);
	before = resident();
	map_forget(&m, 0, m.size);
	if (before >= 16)
		assert_true(resident() + 15 <= before);
	/* Mapped again by being read. */
	assert_int_equal(sum(&m), want);
	map_forget(&m, 5000, 9000);
	map_forget(&m, m.size - 1, UINT64_MAX);
	map_forget(&m, m.size, m.size + 1);
	map_forget(&m, 10, 5);
	map_forget(&none, 0, 10);
	assert_int_equal(sum(&m), want);
	/* Only what is left of the file counts. */
	map_shrink(&m, (8 << 20) + 1);
	assert_int_equal(m.size, (8 << 20) + 1);
	assert_int_equal(sum(&m), (8 << 20) + 1);
	assert_int_equal(truncate(path, (8 << 20) + 1), 0);
	assert_false(map_lost(&m));
	ending_guard();
	assert_int_equal(truncate(path, 4096), 0);
	assert_int_equal(sum(&m), 4096);
	map_forget(&m, 0, m.size);
	assert_int_equal(sum(&m), 4096);
	assert_true(map_lost(&m));
	map_close(&m);
	free(path);
}

/* Mapped files leave resident memory when the process has too much of it, and no data is lost. */
static void
resident_limited(void **state)
{
	char *path = folder_path(folder, "large");
	struct scratch s = SCRATCH_INIT;
	struct map m;
	struct err e;

	(void)state;
	folder_write(path, "x", 1);
	assert_int_equal(truncate(path, 80 << 20), 0);
	assert_true(map_open(&m, path, NULL, &e));
	assert_true(scratch_grow(&s, 80 << 20, &e));
	assert_true(s.fd >= 0);
	memset(s.data, 7, 80 << 20);
	assert_int_equal(sum(&m), 'x');
	work_tick(NULL, 0);
	assert_true(resident() >= 150);
	/* First what is only read. */
	resident_limit(50 << 20, false);
	usleep(20000);
	work_tick(NULL, 0);
	assert_true(resident() >= 80 && resident() < 120);
	assert_int_equal(sum(&m), 'x');
	resident_limit(50 << 20, true);
	usleep(20000);
	work_tick(NULL, 0);
	assert_true(resident() < 50);
	assert_int_equal(s.data[(80 << 20) - 1], 7);
	/* A larger array may lie elsewhere. */
	assert_true(scratch_grow(&s, 200 << 20, &e));
	memset(s.data + (80 << 20), 8, 80 << 20);
	usleep(20000);
	work_tick(NULL, 0);
	assert_true(resident() < 50);
	/* At least so much of a source may be resident, whatever its size; more is never taken back. */
	resident_source(1000, true);
	memset(s.data, 7, 60 << 20);
	usleep(20000);
	work_tick(NULL, 0);
	assert_true(resident() >= 30);
	resident_source(400 << 20, true);
	memset(s.data, 7, 140 << 20);
	usleep(20000);
	work_tick(NULL, 0);
	assert_true(resident() >= 140);
	memset(s.data, 7, 190 << 20);
	usleep(20000);
	work_tick(NULL, 0);
	assert_true(resident() >= 60 && resident() < 160);
	assert_int_equal(s.data[0], 7);
	assert_int_equal(s.data[(195 << 20)], 0);
	scratch_free(&s);
	map_close(&m);
	free(path);
}

/* A file that is read repeatedly leaves memory piece by piece: memory is never far above its limit, and most of it stays resident. */
static void
resident_pieces(void **state)
{
	char *path = folder_path(folder, "again");
	struct map m;
	uint64_t n;
	struct err e;

	(void)state;
	folder_write(path, "x", 1);
	assert_int_equal(truncate(path, 256 << 20), 0);
	assert_true(map_open(&m, path, NULL, &e));
	resident_source(400 << 20, false);
	for (int i = 0; i < 8; i++) {
		n = 0;
		for (uint64_t at = 0; at < m.size; at += 4096) {
			n += m.data[at];
			if (at % (4 << 20) != 0)
				continue;
			usleep(1100);
			resident_check();
			assert_true(resident() < 190);
		}
		assert_int_equal(n, 'x');
		assert_true(resident() >= 60);
	}
	map_close(&m);
	free(path);
}

/* ---- scratch -------------------------------------------------------------------- */

/* Growing keeps the existing bytes and zeroes the new ones, in any kind of memory. */
static void
scratch_zeros(void **state)
{
	static const size_t sizes[] = { 1, 17, 1024, 40000, 65535, 65536, 300000 };
	struct scratch s = SCRATCH_INIT;
	size_t had = 0, i, k;
	struct err e;

	(void)state;
	for (i = 0; i < NELEM(sizes); i++) {
		assert_true(scratch_grow(&s, sizes[i], &e));
		assert_true(s.size >= sizes[i]);
		for (k = 0; k < s.size; k++)
			assert_int_equal(s.data[k], k < had ? 7 : 0);
		memset(s.data, 7, s.size);
		had = s.size;
	}
	scratch_seal(&s);
	scratch_free(&s);
}

/* A freed large array is zero when it is used again. */
static void
scratch_again(void **state)
{
	struct scratch s = SCRATCH_INIT;
	struct err e;

	(void)state;
	for (int round = 0; round < 3; round++) {
		assert_true(scratch_grow(&s, 8 << 20, &e));
		for (size_t i = 0; i < s.size; i++)
			assert_int_equal(s.data[i], 0);
		memset(s.data, 7, s.size);
		scratch_free(&s);
	}
}

static void
count_close(int **closed)
{
	++**closed;
}

/* An array knows the size of its elements, also when it is passed as raw bytes; an owned one is closed at a return. */
static uint64_t
arrays_sum(uint32_t n, int *closed)
{
	CLOSED_BY(count_close) int *end = closed;
	OWN_ARRAY(uint64_t) a = ARRAY_INIT;
	struct scratch *raw = &a.raw;
	uint64_t filled = 0, sum = 0;
	struct err e;

	for (uint64_t i = 0; i < n; i++)
		assert_true(array_add(&a, &filled, &i, &e));
	assert_int_equal(filled, n);
	assert_true(array_grow(&a, 2 * n, &e));
	assert_true(raw->size >= 2 * n * sizeof(uint64_t));
	for (uint32_t i = 0; i < 2 * n; i++)
		sum += a.at[i];
	assert_ptr_equal(end, closed);
	return sum;
}

static void
arrays_have_types(void **state)
{
	ARRAY(char) one = ARRAY_INIT;
	struct scratch other = SCRATCH_INIT;
	int closed = 0;
	struct err e;

	(void)state;
	assert_int_equal(arrays_sum(40000, &closed), 40000ull * 39999 / 2);
	assert_int_equal(closed, 1);
	assert_true(array_grow(&one, 100000, &e) && scratch_grow(&other, 10, &e));
	SCRATCH_FREE(&one, &other);
	assert_true(one.at == NULL && other.data == NULL);
}

/* The first of the tests that set the budget: afterwards it is what was asked for. */
static void
scratch_fits_input(void **state)
{
	struct scratch s = SCRATCH_INIT;
	struct err e;

	(void)state;
	scratch_budget_input(100, 100);
	assert_true(scratch_grow(&s, 64 << 20, &e));
	assert_int_equal(s.fd, -1);
	scratch_free(&s);
	assert_true(scratch_grow(&s, 65 << 20, &e));
	assert_true(s.fd >= 0);
	scratch_free(&s);
	scratch_budget_input(264 << 20, 100);
	assert_true(scratch_grow(&s, 65 << 20, &e));
	assert_int_equal(s.fd, -1);
	scratch_free(&s);
	scratch_budget_input(1000, (68 << 20) / 16);
	assert_true(scratch_grow(&s, 68 << 20, &e));
	assert_int_equal(s.fd, -1);
	scratch_free(&s);
	scratch_budget(1 << 20);
	scratch_budget_input(UINT64_MAX, UINT64_MAX);
	assert_true(scratch_grow(&s, 2 << 20, &e));
	assert_true(s.fd >= 0);
	scratch_free(&s);
	scratch_budget(64 << 20);
}

/* The cut part of a freed large array is available for others. */
static void
scratch_cut(void **state)
{
	struct scratch a = SCRATCH_INIT, b = SCRATCH_INIT;
	struct err e;

	(void)state;
	scratch_settle();
	scratch_budget(12 << 20);
	assert_true(scratch_grow(&a, 12 << 20, &e));
	scratch_free(&a);
	assert_true(scratch_grow(&a, 7 << 20, &e));
	assert_int_equal(a.size, 7 << 20);
	assert_true(scratch_grow(&b, 5 << 20, &e));
	assert_int_equal(b.fd, -1);
	scratch_free(&a);
	scratch_free(&b);
	scratch_settle();
	scratch_budget(64 << 20);
}

static void
scratch_grows(void **state)
{
	struct scratch a = SCRATCH_INIT, b = SCRATCH_INIT;
	struct err e;
	size_t n, i;

	(void)state;
	scratch_budget(1 << 20);
	/* From a small array to one in memory to one in a file. */
	for (n = 10; n < 4000000; n *= 2) {
		assert_true(scratch_array(&a, n, sizeof(uint32_t), &e));
		for (i = n == 10 ? 0 : n / 2; i < n; i++) {
			assert_int_equal(SCRATCH(a, uint32_t)[i], 0);
			SCRATCH(a, uint32_t)[i] = (uint32_t)i;
		}
	}
	assert_true(a.fd >= 0);
	for (i = 0; i < n / 2; i++)
		assert_int_equal(SCRATCH(a, uint32_t)[i], i);
	/* The array that moved to the file released its budget to other arrays. */
	assert_true(scratch_grow(&b, 1 << 20, &e));
	assert_int_equal(b.fd, -1);
	assert_false(scratch_array(&b, SIZE_MAX / 2, 8, &e));
	assert_int_equal(e.kind, E_SYSTEM);
	assert_non_null(b.data);
	scratch_free(&a);
	scratch_free(&b);
	scratch_free(&b);
	assert_true(scratch_grow(&b, 1 << 20, &e));
	assert_int_equal(b.fd, -1);
	scratch_free(&b);
	scratch_budget(64 << 20);
}

static void
scratch_no_space(void **state)
{
	struct rlimit limit, tight = { 100000, 0 };
	struct scratch s = SCRATCH_INIT;
	struct err e;
	int first = dup(STDOUT_FILENO), again;

	(void)state;
	close(first);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	tight.rlim_max = limit.rlim_max;
	scratch_budget(100000);
	assert_true(scratch_grow(&s, 10, &e));
	s.data[9] = 9;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
	assert_false(scratch_grow(&s, 1 << 20, &e));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	/* Its file is closed. */
	again = dup(STDOUT_FILENO);
	assert_int_equal(again, first);
	close(again);
	assert_int_equal(e.kind, E_SYSTEM);
	assert_int_equal(s.data[9], 9);
	scratch_free(&s);
	scratch_budget(64 << 20);
}

/* ---- work ----------------------------------------------------------------------- */

static int shown;

static void
show(struct work *w)
{
	(void)w;
	shown++;
}

/* Progress is shown, and no more than ten times a second, however long the machine does something else meanwhile. */
static void
work_progress(void **state)
{
	uint64_t begun = os_now(), i;
	struct work w;
	struct err e;

	(void)state;
	assert_true(work_tick(NULL, 1));
	work_start(NULL, "nobody watches", 1);
	work_init(&w, show);
	work_start(&w, "counting", 10);
	assert_string_equal(atomic_load(&w.label), "counting");
	for (i = 0; shown < 2; i++)
		assert_true(work_tick(&w, i));
	assert_true(os_now() - begun >= 200000000);
	assert_int_equal(atomic_load(&w.done), i - 1);
	atomic_store(&w.cancel, true);
	assert_false(work_tick(&w, 0));
	assert_false(fail_cancel(&e));
	assert_int_equal(e.kind, E_CANCEL);
}

/* Calls that follow quickly rarely read the clock; slow ones after them still end in time. */
static void
work_is_late(void **state)
{
	struct work w;
	struct err e;
	unsigned slow = 0;

	(void)state;
	work_init(&w, NULL);
	work_start(&w, "slow rows", 0);
	for (uint64_t i = 0; i < 10000; i++)
		assert_true(work_tick(&w, i));
	work_deadline(100000000);
	for (uint64_t i = 0; i < 1000; i++)
		assert_true(work_tick(&w, i));
	/* Each takes a millisecond, or more where the machine does much else. */
	for (; work_tick(&w, 0); slow++)
		usleep(1000);
	assert_true(slow < 550);
	assert_false(work_tick(&w, 0));
	assert_false(fail_cancel(&e));
	assert_int_equal(e.reason, REASON_TIME);
	work_deadline(0);
	assert_true(work_tick(&w, 0));
}

static void
work_apart_ends(void **state)
{
	struct work_was was = work_apart("nobody's");
	struct buf b = BUF_INIT;
	int before = shown;
	struct work w;

	(void)state;
	assert_null(was.work);
	work_back(&was);
	work_init(&w, show);
	work_of_thread(&w);
	work_start_bytes(&w, "reading", 1 << 20);
	work_step(&w, 2, 3);
	was = work_apart("mending");
	assert_ptr_equal(was.work, &w);
	work_step(&w, 0, 0);
	work_start(&w, "sums", 4);
	atomic_store(&w.cancel, true);
	assert_true(work_tick(was.work, 1));
	assert_int_equal(shown, before + 1);
	work_text(&w, false, &b);
	assert_string_equal(b.s, "[ 25% ] mending: sums");
	work_back(&was);
	assert_false(work_tick(&w, 0));
	buf_clear(&b);
	work_text(&w, false, &b);
	assert_string_equal(b.s, "[  0% ] reading 2/3  0 B of 1 MiB");
	buf_free(&b);
	work_of_thread(NULL);
}

/* Ten of all are done after spent ns.  Repeated where the machine did something else for a while, which would count. */
static void
tells_left(const char *label, uint64_t all, uint64_t spent, const char *want)
{
	struct buf b = BUF_INIT;
	struct work w;
	uint64_t now;

	do {
		work_init(&w, NULL);
		work_start(&w, label, all);
		now = os_now();
		atomic_store(&w.began, now - spent);
		assert_true(work_tick(&w, 10));
		buf_clear(&b);
		work_text(&w, true, &b);
	} while (os_now() - now > 200000000);
	assert_string_equal(b.s, want);
	buf_free(&b);
}

/* The remaining time is shown in whole minutes, below that in seconds. */
static void
work_tells_left(void **state)
{
	(void)state;
	tells_left("far", 110, 10000000000u, "[  9% ] far  ~2 min");
	tells_left("near", 20, 9500000000u, "[ 50% ] near  ~10 s");
}

static bool
wait_for_cancel(void *arg, struct work *w, struct err *err)
{
	sigset_t set;

	pthread_sigmask(SIG_SETMASK, NULL, &set);
	*(bool *)arg = sigismember(&set, SIGINT) && sigismember(&set, SIGWINCH);
	while (work_tick(w, 1))
		usleep(1000);
	return fail_cancel(err);
}

static bool
succeed(void *arg, struct work *w, struct err *err)
{
	(void)err;
	work_start(w, "quick", 1);
	*(int *)arg = 42;
	return true;
}

static void
wait_byte(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char byte;

	assert_int_equal(poll(&p, 1, 300000), 1);
	assert_int_equal(read(fd, &byte, 1), 1);
}

static void
worker_jobs(void **state)
{
	struct worker *w;
	struct err e;
	int fd[2], result = 0;
	bool ok, blocked = false;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_true(worker_start(&w, fd[1], &e));
	assert_false(worker_take(w, &ok, &e));
	assert_true(worker_give(w, succeed, &result));
	assert_false(worker_give(w, succeed, &result));
	wait_byte(fd[0]);
	/* Its result is still to be taken. */
	assert_false(worker_give(w, succeed, &result));
	assert_true(worker_take(w, &ok, &e));
	assert_false(worker_take(w, &ok, &e));
	assert_true(ok);
	assert_int_equal(result, 42);

	assert_true(worker_give(w, wait_for_cancel, &blocked));
	atomic_store(&worker_work(w)->cancel, true);
	wait_byte(fd[0]);
	assert_true(worker_take(w, &ok, &e));
	assert_false(ok);
	assert_true(blocked);
	assert_int_equal(e.kind, E_CANCEL);

	assert_true(worker_give(w, wait_for_cancel, &blocked));
	worker_stop(w);
	worker_stop(NULL);
	close(fd[0]);
	close(fd[1]);
}

/* ---- what files are called -------------------------------------------------------- */

static void
names_shown(void **state)
{
	static const struct { const char *path, *path_shown, *name; } files[] = {
		{ "-", "standard input", "standard input" }, { "a", "a", "a" }, { "/a/b.gz", "/a/b.gz", "b.gz" }, { "./-", "./-", "-" },
		{ "a/b/", "a/b/", "b" }, { "a//", "a//", "a" }, { "/", "/", "/" },
	};

	(void)state;
	for (size_t i = 0; i < NELEM(files); i++) {
		assert_string_equal(shown_path(files[i].path), files[i].path_shown);
		assert_true(str_eq(shown_name(files[i].path), str_of(files[i].name)));
	}
}

/* ---- texts ---------------------------------------------------------------------- */

static void
texts_numbered(void **state)
{
	struct text_pool t = { .n = 0 };
	char text[16];
	uint32_t number;
	struct err e;

	(void)state;
	assert_int_equal(texts_find(&t, STR("")), 0);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 5000; i++) {
			snprintf(text, sizeof text, "%x", i);
			assert_true(texts_number(&t, (struct str){ text, i == 0 ? 0 : strlen(text) + i % 2 }, &number, &e));
			assert_int_equal(number, i + 1);
		}
	assert_true(str_eq(texts_get(&t, 1), STR("")));
	assert_true(str_eq(texts_get(&t, 16), STR("f\0")));
	assert_int_equal(texts_find(&t, STR("f\0")), 16);
	assert_int_equal(texts_find(&t, STR("f")), 0);
	texts_free(&t);
	assert_int_equal(texts_find(&t, STR("f\0")), 0);
}

static void
texts_placed(void **state)
{
	struct text_pool t = { .n = 0 };
	uint32_t a, b, c, d, again;
	struct err e;

	(void)state;
	assert_true(texts_place(&t, STR(""), &a, &e) && texts_place(&t, STR("one"), &b, &e) && texts_place(&t, STR("\0two\0"), &c, &e));
	assert_true(texts_place(&t, STR("one"), &again, &e) && texts_add(&t, STR("one"), &d, &e));
	assert_int_equal(a, 1);
	assert_int_equal(again, b);
	assert_int_equal(texts_find(&t, STR("one")), b);
	assert_string_equal(texts_at(&t, a), "");
	assert_string_equal(texts_at(&t, c), "\1two\1");
	assert_int_equal(d, c + 6);
	assert_int_equal(t.size, d + 3);
	assert_true(texts_place(&t, STR("\0two\0"), &again, &e));
	assert_int_equal(again, c);
	texts_free(&t);
}

/* Cleared with few and with many keys of those that fit. */
static void
idmap_cleared(void **state)
{
	static const uint32_t rounds[] = { 5000, 5000, 3, 1, 5000 };
	struct idmap m = IDMAP_INIT;
	struct err e;

	(void)state;
	idmap_clear(&m);
	for (size_t r = 0; r < NELEM(rounds); r++) {
		for (uint32_t i = 1; i <= rounds[r]; i++)
			assert_true(idmap_put(&m, i * 77ull, i, &e));
		assert_int_equal(m.n, rounds[r]);
		assert_int_equal(idmap_get(&m, 77), 1);
		idmap_clear(&m);
		assert_int_equal(m.n, 0);
		for (uint32_t i = 1; i <= 5000; i++)
			assert_int_equal(idmap_get(&m, i * 77ull), 0);
	}
	idmap_free(&m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_shown),
		cmocka_unit_test(groups_private),
		cmocka_unit_test(map_contents),
		cmocka_unit_test(map_pipe),
		cmocka_unit_test(map_shrinks),
		cmocka_unit_test(map_memory),
		cmocka_unit_test(map_rewritten),
		cmocka_unit_test(map_other_fault),
		cmocka_unit_test(map_too_many),
		cmocka_unit_test(file_whole),
		cmocka_unit_test(file_links),
		cmocka_unit_test(file_placed),
		cmocka_unit_test(file_without_links),
		cmocka_unit_test(file_nowhere),
		cmocka_unit_test(file_no_space),
		cmocka_unit_test(file_sweeps),
		cmocka_unit_test(descriptors_any_order),
		cmocka_unit_test(map_walks),
		cmocka_unit_test(resident_limited),
		cmocka_unit_test(resident_pieces),
		cmocka_unit_test(scratch_zeros),
		cmocka_unit_test(scratch_again),
		cmocka_unit_test(arrays_have_types),
		cmocka_unit_test(scratch_fits_input),
		cmocka_unit_test(scratch_cut),
		cmocka_unit_test(scratch_grows),
		cmocka_unit_test(scratch_no_space),
		cmocka_unit_test(idmap_cleared),
		cmocka_unit_test(texts_numbered),
		cmocka_unit_test(texts_placed),
		cmocka_unit_test(work_progress),
		cmocka_unit_test(work_is_late),
		cmocka_unit_test(work_apart_ends),
		cmocka_unit_test(work_tells_left),
		cmocka_unit_test(worker_jobs),
	};
	int failed;

	signal(SIGXFSZ, SIG_IGN);
	folder = folder_make();
	failed = cmocka_run_group_tests_name("os", tests, NULL, NULL);
	folder_remove(folder);
	return failed;
}
