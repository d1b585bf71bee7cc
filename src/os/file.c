/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * file: write files atomically: they appear complete or not at all.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/sandbox.h"
#include "icecore/work.h"
#include "orders.h"

#define PIECE 65536
#define PIPE_MS 20

bool
file_begin(struct file *f, const char *path, struct err *err)
{
	struct file_order o;
	struct file_answer a = { .made = -1 };

	*f = FILE_INIT;
	f->refused = mem_refused();
	f->path = mem_copy(str_of(path));
	if (f->path == NULL)
		errno = ENOMEM;
	else if (order_of(&o, ORDER_NEW, path))
		order_give(&o, &a, &f->fd);
	f->made = a.made;
	if (f->fd < 0) {
		if (!sandbox_explains(path, err))
			(void)(fail_errno(err, "cannot create a file in this directory") ||
			    fail_about(err, path, err));
		file_abandon(f);
		return false;
	}
	/* A lock shows file_sweep on other machines and in containers that this process is alive. */
	(void)flock(f->fd, LOCK_EX | LOCK_NB);
	return true;
}

/* ---- outputs that the user named ----------------------------------------------------- */

/* Descriptors of this process have names that mean others in the helper: /dev/stdout, /dev/fd/63. */
static int
named_descriptor(const char *path)
{
	static const struct {
		const char	*name;
		int		 fd;
	} std[] = { { "/dev/stdout", STDOUT_FILENO }, { "/dev/stderr", STDERR_FILENO } };
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	struct str s = str_of(path), digits;
	uint64_t n;

	for (size_t i = 0; i < NELEM(std); i++)
		if (str_eq(s, str_of(std[i].name)))
			return std[i].fd;
	for (size_t i = 0; i < NELEM(folders); i++)
		if (str_has_prefix(s, str_of(folders[i]))) {
			digits = str_after(s, strlen(folders[i]));
			return num_u64(digits, 10, &n) && n <= INT_MAX ? (int)n : -1;
		}
	return -1;
}

/* Is a device or a pipe, which cannot be replaced. */
static bool
file_is_stream(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/*
 * Wait for the reader of a pipe, as a shell does. False: cancelled, or --timeout; else *fd is -1 with errno set if
 * it cannot be opened.
 */
static bool
open_stream(const char *path, int *fd, struct err *err)
{
	struct file_order o;
	struct file_answer a = { .error = 0 };

	*fd = -1;
	if (!order_of(&o, ORDER_THROUGH, path))
		return true;
	do {
		if (a.error == ENXIO && !work_sleep("waiting for the reader of a pipe", PIPE_MS))
			return fail_cancel(err);
		order_give(&o, &a, fd);
	} while (a.error == ENXIO && file_is_stream(path));
	errno = a.error;
	return true;
}

/* Collect the output in a temporary file: it is written through as a whole, or not at all. */
static bool
stream_begin(struct file *f, const char *path, int through, struct err *err)
{
	*f = FILE_INIT;
	f->refused = mem_refused();
	f->path = mem_copy(str_of(path));
	f->through = through;
	if (f->path == NULL)
		errno = ENOMEM;
	if (f->path != NULL && f->through >= 0 && fd_temporary(&f->fd, NULL, err))
		return true;
	if (f->path == NULL || f->through < 0)
		(void)(sandbox_explains(path, err) || fail_errno(err, "cannot write %s", path));
	file_abandon(f);
	return false;
}

/* What stands there can be written or replaced. */
static bool
output_is_kind(const char *path, struct err *err)
{
	struct stat st;

	if (path[0] == '\0')
		return fail(err, E_USAGE, "the name of the output is empty; name a file");
	if (stat(path, &st) < 0)
		return true;
	if (S_ISDIR(st.st_mode))
		return fail(err, E_USAGE, "%s is a directory; name a file in it", path);
	return (!S_ISSOCK(st.st_mode) && !S_ISBLK(st.st_mode)) ||
	    fail(err, E_USAGE, "%s is a %s, which is not written; name a file or a pipe", path,
	    S_ISSOCK(st.st_mode) ? "socket" : "disk");
}

bool
output_begin(struct file *f, const char *path, struct err *err)
{
	/* Of a link, the file that it names is written, and the link stays. */
	char *end = directory_link_end(path);
	int open;
	bool ok;

	*f = FILE_INIT;
	if (end == NULL && errno != 0)
		return fail_errno(err, "cannot write %s", path);
	path = end != NULL ? end : path;
	open = named_descriptor(path);
	if (open >= 0)
		ok = stream_begin(f, path, fcntl(open, F_DUPFD_CLOEXEC, 3), err);
	else if (!output_is_kind(path, err))
		ok = false;
	else if (file_is_stream(path))
		ok = open_stream(path, &open, err) && stream_begin(f, path, open, err);
	else
		ok = file_begin(f, path, err);
	free(end);
	return ok;
}

bool
output_replaces(const char *path)
{
	struct stat st;

	return named_descriptor(path) < 0 && lstat(path, &st) == 0 && !S_ISDIR(st.st_mode) && !file_is_stream(path);
}

static bool
stream_finish(struct file *f, struct err *err)
{
	char piece[PIECE];
	uint64_t at = 0;
	ssize_t n;

	if (mem_refused() != f->refused)
		return fail(err, E_SYSTEM, "out of memory; not written");
	while ((n = pread(f->fd, piece, sizeof piece, (off_t)at)) > 0) {
		if (!fd_write_all(f->through, piece, (size_t)n, err))
			return false;
		at += (uint64_t)n;
	}
	return n == 0 || fail_errno(err, "read failed");
}

/* ---- files in their places ----------------------------------------------------------- */

bool
file_write(struct file *f, const void *data, size_t n, struct err *err)
{
	struct err why = { .kind = E_NONE };

	if (fd_write_all(f->fd, data, n, &why))
		return true;
	return fail_about(err, f->path, &why);
}

/*
 * durable: wait for the disk; otherwise a nameless file may get its name at once. Errors do not name the
 * file.
 */
static bool
file_put_in_place(struct file *f, bool replace, bool durable, struct err *err)
{
	const struct file_order o = { .kind = ORDER_NAME, .made = f->made, .replace = replace,
	    .durable = durable };
	struct file_answer a;
	int none;

	if (mem_refused() != f->refused)
		return fail(err, E_SYSTEM, "out of memory; not written");
	if (durable && fsync(f->fd) < 0)
		return fail_errno(err, "write failed");
	order_give(&o, &a, &none);
	if (a.error == 0)
		f->made = -1;
	else if (!replace && a.error == EEXIST)
		return fail(err, E_USAGE, "already exists");
	return a.error == 0 || fail_errno(err, "rename failed");
}

/* Close f and put its name in front of the error. */
static bool
file_finish(struct file *f, bool replace, bool durable, struct err *err)
{
	struct err why = { .kind = E_NONE };
	bool ok = (f->through >= 0 ? stream_finish(f, &why) : file_put_in_place(f, replace, durable, &why)) ||
	    fail_about(err, f->path, &why);

	file_abandon(f);
	return ok;
}

bool
file_place(struct file *f, struct err *err)
{
	return file_finish(f, false, false, err);
}

bool
file_publish(struct file *f, bool replace, struct err *err)
{
	return file_put_in_place(f, replace, false, err);
}

bool
file_commit(struct file *f, bool replace, struct err *err)
{
	return file_finish(f, replace, true, err);
}

void
file_abandon(struct file *f)
{
	const struct file_order o = { .kind = ORDER_DROP, .made = f->made };
	struct file_answer a;
	int none;

	if (f->made >= 0)
		order_give(&o, &a, &none);
	if (f->fd >= 0)
		close(f->fd);
	if (f->through >= 0)
		close(f->through);
	free(f->path);
	*f = FILE_INIT;
}

/* The stream has a descriptor of its own: the file stays open for the commit. */
static bool
print_to(const struct file *f, const char *path, file_print_fn *print, void *of, struct err *err)
{
	int copy = dup(f->fd);
	FILE *to = copy < 0 ? NULL : fdopen(copy, "w");
	bool ok;

	if (to == NULL) {
		fail_errno(err, "cannot write %s", path);
		if (copy >= 0)
			close(copy);
		return false;
	}
	ok = print(of, to, err);
	if (fclose(to) != 0 && ok)
		ok = fail_errno(err, "cannot write %s", path);
	return ok;
}

bool
file_print(const char *path, bool replace, file_print_fn *print, void *of, uint64_t *size, struct err *err)
{
	struct file f = FILE_INIT;
	struct stat st;

	if (replace && output_replaces(path) && stat(path, &st) == 0 && map_reads(&st))
		return fail(err, E_USAGE, "%s is being read; choose another name", path);
	if (!output_begin(&f, path, err))
		return false;
	if (!print_to(&f, path, print, of, err) || (fstat(f.fd, &st) < 0 && !fail_path(err, path))) {
		file_abandon(&f);
		return false;
	}
	*size = (uint64_t)st.st_size;
	return file_commit(&f, replace, err);
}

void
file_sweep(const char *directory)
{
	int none;

	(void)order_do(ORDER_SWEEP, directory, &none);
}
