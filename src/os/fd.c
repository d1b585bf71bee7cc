/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fd: write to open files, give them space, and open files without a name.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/limits.h"
#include "orders.h"

/* Write at *at; at the current position if at is NULL. */
static bool
write_bytes(int fd, const char *s, size_t n, const uint64_t *at, struct err *err)
{
	ssize_t wrote;

	for (size_t done = 0; done < n; done += (size_t)wrote) {
		wrote = at == NULL ? write(fd, s + done, n - done) :
		    pwrite(fd, s + done, n - done, (off_t)(*at + done));
		if (wrote < 0 && errno != EINTR)
			return fail_errno(err, "cannot write");
		wrote = wrote < 0 ? 0 : wrote;
	}
	return true;
}

bool
fd_write_all(int fd, const void *data, size_t n, struct err *err)
{
	return write_bytes(fd, data, n, NULL, err);
}

bool
fd_write_at(int fd, const void *data, size_t n, uint64_t offset, struct err *err)
{
	return write_bytes(fd, data, n, &offset, err);
}

bool
fd_reserve(int fd, uint64_t offset, uint64_t size, struct err *err)
{
	int error;

	if (size == 0)
		return true;
	if (offset > INT64_MAX || size > INT64_MAX - offset)
		return fail(err, E_SYSTEM, "file too large for this file system");
	if (!space_ask(fd, size, err))
		return false;
	do
		error = posix_fallocate(fd, (off_t)offset, (off_t)size);
	while (error == EINTR);
	if (error == 0)
		return true;
	return fail(err, E_SYSTEM, "no space for %llu bytes: %s",
	    (unsigned long long)size, strerror(error));
}

bool
fd_temporary(int *fd, const char *directory, struct err *err)
{
	if (directory == NULL)
		directory = directory_temporary();
	return order_do(ORDER_TEMPORARY, directory, fd) || fail_errno(err, "%s: cannot make a temporary file",
	    directory);
}
