/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * map_open: open files to map them; pipes and the like are read into a temporary file, which is mapped.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/limits.h"
#include "icecore/named.h"
#include "icecore/policy.h"

/* Kernel files report no size, and some can be read only sequentially. */
static bool
is_stream(int fd, const struct stat *st)
{
	char first;

	return !S_ISREG(st->st_mode) || (st->st_size == 0 && pread(fd, &first, 1, 0) != 0);
}

static bool
map_file(struct map *m, int fd, const char *format, const struct intake_check *known, struct work *w,
    struct err *err)
{
	struct intake in = { .known = known, .most = intake_allowed() };
	struct err why = { .reason = REASON_NONE };
	struct stat st;
	bool ok;

	if (format != NULL && !policy_format(format, err))
		return false;
	if (fstat(fd, &st) < 0)
		return fail_errno(err, "cannot read");
	if (S_ISDIR(st.st_mode))
		return fail(err, E_UNREADABLE, "is a directory");
	if (!is_stream(fd, &st))
		return map_regular(m, fd, err);
	if (!fd_temporary(&in.fd, NULL, err))
		return false;
	work_start(w, "reading", 0);
	ok = intake_drain(&in, fd, w, &why) || why.reason == REASON_LIMIT ||
	    fail(err, why.kind, "%s", why.text);
	ok = ok && map_regular(m, in.fd, err);
	if (ok)
		m->cut = why.reason == REASON_LIMIT;
	close(in.fd);
	return ok;
}

bool
map_open_fd(struct map *m, int fd, const char *format, struct work *w, struct err *err)
{
	return map_file(m, fd, format, NULL, w, err);
}

int
os_open_regular(const char *path, struct stat *st)
{
	int fd = -1;

	if (stat(path, st) != 0)
		return -1;
	if (S_ISREG(st->st_mode) && (fd = named_open(path, O_NOCTTY | O_NONBLOCK)) < 0)
		return -1;
	if (fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	errno = EINVAL;
	return -1;
}

/* Opening a device may have side effects. Opening a FIFO without a writer would block. */
static int
open_input(const char *path, struct err *err)
{
	int flags = O_NOCTTY, fd;
	const char *what = NULL;
	struct stat st;

	if (stat(path, &st) == 0) {
		what = S_ISBLK(st.st_mode) ? "a block device" : S_ISCHR(st.st_mode) ? "a character device" :
		    S_ISSOCK(st.st_mode) ? "a socket" : NULL;
		flags |= S_ISFIFO(st.st_mode) ? O_NONBLOCK : 0;
	}
	if (what != NULL) {
		fail_file(err, E_UNREADABLE, path, "is %s; to read standard input, use -", what);
		return -1;
	}
	fd = named_open(path, flags);
	if (fd < 0 && !fail_path(err, path) && err != NULL && err->reason == REASON_NONE)
		err->reason = REASON_NO_FILE;
	return fd;
}

bool
map_open_known(struct map *m, const char *path, const char *format, const struct intake_check *known,
    struct work *w, struct err *err)
{
	struct err why = { .kind = E_NONE };
	bool std = strcmp(path, "-") == 0;
	int fd = std ? STDIN_FILENO : open_input(path, err);
	bool ok;

	if (fd < 0)
		return false;
	ok = map_file(m, fd, format, known, w, &why);
	if (!std)
		close(fd);
	if (!ok)
		fail_about(err, std ? "standard input" : path, &why);
	return ok;
}

bool
map_open(struct map *m, const char *path, struct work *w, struct err *err)
{
	return map_open_known(m, path, NULL, NULL, w, err);
}
