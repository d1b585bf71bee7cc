/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * outdir: OUT and the directories below it. Other users must not write there: they could choose which of this
 * user's files are overwritten. A group without other members may.
 *
 * Files are opened through directory descriptors, so renames and links have no effect.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "fleet.h"

static bool
outdir_refuse(int fd, const struct stat *st, const char *path, struct err *err)
{
	if (S_ISLNK(st->st_mode))
		return fail_file(err, E_SYSTEM, path, "is a symbolic link; remove it or use another directory");
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return fail_file(err, E_SYSTEM, path, "belongs to another user; use your own directory");
	if ((st->st_mode & S_IWOTH) != 0 || ((st->st_mode & S_IWGRP) != 0 && !group_is_private(fd, st)))
		return fail_file(err, E_SYSTEM, path,
		    "writable by other users; run 'chmod go-w' or use another directory");
	return true;
}

/* Report a failed open. A symbolic link has its own message. */
static bool
fail_open(const struct out_dir *d, const char *name, const char *path, struct err *err)
{
	int error = errno;
	struct stat st;

	if (fstatat(d->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
		return outdir_refuse(-1, &st, path, err);
	errno = error;
	return fail_path(err, path);
}

static char *
path_in(const char *directory, const char *name, struct err *err)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s/%s", directory, name);
	if (!b.bad)
		return b.s;
	buf_free(&b);
	fail(err, E_SYSTEM, "out of memory (names)");
	return NULL;
}

bool
outdir_read(struct out_dir *d, const char *path, struct err *err)
{
	*d = OUT_DIR_INIT;
	if ((d->path = mem_copy(str_of(path))) == NULL)
		return fail(err, E_SYSTEM, "out of memory (names)");
	d->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return d->fd >= 0 || fail_path(err, path);
}

bool
outdir_open(struct out_dir *d, const char *path, struct err *err)
{
	struct stat st;

	*d = OUT_DIR_INIT;
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return fail_path(err, path);
	if (!outdir_read(d, path, err))
		return false;
	d->own = true;
	return (fstat(d->fd, &st) == 0 || fail_path(err, path)) && outdir_refuse(d->fd, &st, path, err);
}

bool
outdir_below(struct out_dir *d, const struct out_dir *in, const char *name, bool make, struct err *err)
{
	struct stat st;

	*d = OUT_DIR_INIT;
	d->own = in->own;
	if ((d->path = path_in(in->path, name, err)) == NULL)
		return false;
	if (make && mkdirat(in->fd, name, 0700) != 0 && errno != EEXIST)
		return fail_path(err, d->path);
	d->fd = openat(in->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (d->fd < 0)
		return fail_open(in, name, d->path, err);
	return (fstat(d->fd, &st) == 0 || fail_path(err, d->path)) && outdir_refuse(d->fd, &st, d->path, err);
}

void
outdir_close(struct out_dir *d)
{
	if (d->fd >= 0)
		close(d->fd);
	free(d->path);
	*d = OUT_DIR_INIT;
}

int
outdir_file(const struct out_dir *d, const char *name, int flags, struct err *err)
{
	int fd = openat(d->fd, name, flags | (d->own ? O_NOFOLLOW : 0) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
	    0600);
	char *path = path_in(d->path, name, err);
	struct stat st;
	bool ok = path != NULL;

	if (ok && fd < 0)
		ok = fail_open(d, name, path, err);
	else if (ok)
		ok = (fstat(fd, &st) == 0 || fail_path(err, path)) &&
		    (S_ISREG(st.st_mode) || fail_file(err, E_SYSTEM, path,
		    "not a regular file; remove it or use another directory")) &&
		    (!d->own || outdir_refuse(fd, &st, path, err));
	free(path);
	if (ok)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* ---- for functions that take paths ----------------------------------------------------------- */

void
outdir_path(const struct out_dir *d, const char *name, struct buf *b)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", d->fd);
	buf_printf(b, "%s/%s", access(path, X_OK) == 0 ? path : d->path, name);
}

bool
outdir_fail(const struct out_dir *d, const char *name, struct err *err)
{
	char *path = path_in(d->path, name, NULL);

	if (path != NULL)
		err_rename(err, path);
	free(path);
	return false;
}
