/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumpparts: find the parts of an unfinished heap dump.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decode.h"
#include "icecore/heap.h"

#define RECORD 9u

bool
dumpparts_is_one(const uint8_t *head, size_t n)
{
	return n > RECORD && head[0] == RECORD_SEGMENT && be32(head + 1) == 0 && be32(head + 5) > 0 &&
	    (head[RECORD] == ROOT_UNKNOWN || (head[RECORD] >= ROOT_JNI_GLOBAL && head[RECORD] <= ROOT_THREAD) ||
	    (head[RECORD] >= TAG_CLASS && head[RECORD] <= TAG_PRIMS));
}

/* Return the path of a part; NULL: out of memory. */
static char *
part_path(const char *path, unsigned number)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s.p%u", path, number);
	if (b.bad)
		buf_free(&b);
	return b.s;
}

int
dumpparts_file(const char *path, unsigned number)
{
	char *part = part_path(path, number);
	struct stat st;
	int fd = part == NULL ? -1 : os_open_regular(part, &st), error = errno;

	free(part);
	errno = error;
	return fd;
}

/* Only a heap dump of HotSpot has parts: no other file is searched for their names. */
static bool
may_have_parts(const char *path)
{
	char head[sizeof HPROF_MARK - 1];
	struct stat st;
	int fd = os_open_regular(path, &st);
	bool is = fd >= 0 && pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
	    memcmp(head, HPROF_MARK, sizeof head) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

void
dumpparts_each(const char *path, void (*each)(void *to, const char *file), void *to)
{
	struct stat st;
	char *part;

	if (!may_have_parts(path))
		return;
	for (unsigned i = 0; i < DUMP_PARTS; i++) {
		part = part_path(path, i);
		if (part != NULL && stat(part, &st) == 0)
			each(to, part);
		free(part);
	}
}
