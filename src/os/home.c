/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * home: the user's files: their paths, reading and writing them.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/home.h"
#include "icecore/named.h"

char *
home_path(const char *variable, const char *otherwise, const char *name)
{
	const char	*base = getenv(variable), *home = getenv("HOME");
	struct buf	 b = BUF_INIT;

	if (base != NULL && *base == '/')
		buf_printf(&b, "%s/icecore/%s", base, name);
	else if (home != NULL && *home == '/')
		buf_printf(&b, "%s/%s/icecore/%s", home, otherwise, name);
	if (b.bad) {
		buf_free(&b);
		return NULL;
	}
	return b.s;
}

static struct err noted;	/* the first file that was left out */

const char *
home_note(void)
{
	return noted.kind != E_NONE ? noted.text : NULL;
}

/* Those who want no such file put a link to /dev/null in its place. */
static bool
home_is_null(const struct stat *st)
{
	struct stat null;

	return S_ISCHR(st->st_mode) && stat("/dev/null", &null) == 0 && st->st_rdev == null.st_rdev;
}

/* Nobody asked for these files: a pipe would be waited for, and a huge file would take the memory. */
static bool
home_fits(const char *path, const struct stat *st, struct err *err)
{
	bool regular = S_ISREG(st->st_mode);

	if (home_is_null(st) || (regular && st->st_size <= HOME_MOST))
		return true;
	if (regular)
		fail_file(err, E_USAGE, path, "file too large (limit: %d MiB); it is not read", HOME_MOST >> 20);
	else
		fail_file(err, E_USAGE, path, "not a regular file; it is not read");
	if (noted.kind == E_NONE)
		noted = *err;
	return false;
}

bool
home_may(const char *path)
{
	struct stat st;
	struct err err;

	return stat(path, &st) != 0 || home_fits(path, &st, &err);
}

static bool
home_take(int fd, const char *path, struct buf *b, struct err *err)
{
	char piece[4096];
	ssize_t n;

	while ((n = read(fd, piece, sizeof piece)) != 0) {
		if (n < 0 && errno != EINTR)
			return fail_path(err, path);
		if (n > 0)
			buf_add(b, piece, (size_t)n);
		if (b->n > HOME_MOST || b->bad)
			return fail_file(err, E_USAGE, path, "file too large");
	}
	return true;
}

/* given: the user named the file. */
static bool
home_open(const char *path, bool given, struct buf *b, struct err *err)
{
	int fd = named_open(path, O_NOCTTY | (given ? 0 : O_NONBLOCK));
	struct err why = { .kind = E_NONE };
	struct stat st;
	bool ok;

	if (fd < 0)
		return errno == ENOENT || fail_path(err, path);
	ok = (given || (fstat(fd, &st) == 0 ? home_fits(path, &st, &why) : fail_path(&why, path))) &&
	    home_take(fd, path, b, &why);
	close(fd);
	return ok || fail_about(err, NULL, &why);
}

bool
home_read(const char *path, struct buf *b, struct err *err)
{
	return home_open(path, false, b, err);
}

bool
home_read_given(const char *path, struct buf *b, struct err *err)
{
	return home_open(path, true, b, err);
}

bool
home_write(const char *path, const struct buf *b, struct err *err)
{
	struct file	file;

	if (b->bad)
		return fail(err, E_SYSTEM, "out of memory (file)");
	if (!named_directories(path))
		return fail_path(err, path);
	if (!file_begin(&file, path, err))
		return false;
	if (file_write(&file, b->s, b->n, err) && file_commit(&file, true, err))
		return true;
	file_abandon(&file);
	return false;
}
