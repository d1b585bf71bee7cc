/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * below: open files below the directories that the user named.
 *
 * Who can write there can put a link in the place of a file or directory at any time. So each path is opened
 * part by part without following links, from a directory that is the same as at the start. No directory stays
 * open: the system reports the removal of INBOX only when nobody has it open. Other paths are the choice of
 * the user: only their last part must not be a link.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "fleet.h"

bool
below_begin(struct fleet_options *o, size_t n, bool all, struct err *err)
{
	bool ok = true;

	o->directory = mem_array(n, sizeof *o->directory);
	if (n > 0 && o->directory == NULL)
		return fail(err, E_SYSTEM, "out of memory (names)");
	for (; ok && o->ndirectories < n; o->ndirectories++) {
		struct stat *st = &o->directory[o->ndirectories];
		const char *path = o->paths[o->ndirectories];
		bool there = stat(path, st) == 0;

		if (there && !S_ISDIR(st->st_mode))
			errno = ENOTDIR;
		if (!there || !S_ISDIR(st->st_mode)) {
			st->st_mode = 0;
			ok = !all || fail_path(err, path);
		}
	}
	return ok;
}

void
below_end(struct fleet_options *o)
{
	free(o->directory);
	o->directory = NULL;
	o->ndirectories = 0;
}

bool
below_is(const struct fleet_options *o, size_t i)
{
	return i < o->ndirectories && S_ISDIR(o->directory[i].st_mode);
}

/* Open one of the directories; -1: errno, ENOENT for another one in its place. */
static int
below_top(const struct fleet_options *o, size_t i)
{
	const struct stat *was = &o->directory[i];
	int fd = open(o->paths[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || (fstat(fd, &st) == 0 && st.st_dev == was->st_dev && st.st_ino == was->st_ino))
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

int
below_enter(const struct fleet_options *o, const char *path, const char **name)
{
	size_t top = o->ndirectories, most = 0, n;
	int fd, in;

	for (size_t i = 0; i < o->ndirectories; i++) {
		n = strlen(o->paths[i]);
		while (n > 0 && o->paths[i][n - 1] == '/')
			n--;
		if (!below_is(o, i) || (top < o->ndirectories && n < most) ||
		    strncmp(path, o->paths[i], n) != 0 || (path[n] != '/' && path[n] != '\0'))
			continue;
		top = i;
		most = n;
	}
	*name = path;
	if (top == o->ndirectories)
		return AT_FDCWD;
	/* As for other paths: each costs its length. */
	if (strlen(path) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = below_top(o, top);
	in = fd >= 0 ? directory_enter(fd, path + most, name) : -1;
	below_leave(fd);
	return in;
}

void
below_leave(int directory)
{
	int error = errno;

	if (directory >= 0)
		close(directory);
	errno = error;
}

int
below_open(const struct fleet_options *o, const char *path, int flags)
{
	const char *name;
	int in = below_enter(o, path, &name);
	int fd = in != -1 ? directory_file(in, name, flags | O_RDONLY | O_NONBLOCK | O_NOCTTY) : -1;

	below_leave(in);
	return fd;
}

DIR *
below_list(const struct fleet_options *o, const char *path)
{
	int fd = below_open(o, path, O_DIRECTORY);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

	if (d == NULL)
		below_leave(fd);
	return d;
}

bool
below_stat(const struct fleet_options *o, const char *path, struct stat *st)
{
	const char *name;
	int in = below_enter(o, path, &name);
	bool ok = in != -1 && fstatat(in, name, st, AT_SYMLINK_NOFOLLOW) == 0;

	below_leave(in);
	return ok;
}
