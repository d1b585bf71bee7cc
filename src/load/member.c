/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * member: a file of an archive that is opened by its name, as "dumps.zip!a.hprof".
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decode.h"

static bool
member_is_file(const char *path)
{
	struct stat st;
	int fd = os_open_regular(path, &st);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

char *
member_archive(const char *path, const char **name)
{
	const char *mark = strchr(path, '!');
	char *archive;

	if (mark == NULL || member_is_file(path))
		return NULL;
	for (; mark != NULL; mark = strchr(mark + 1, '!')) {
		if ((archive = mem_copy((struct str){ path, (size_t)(mark - path) })) == NULL)
			return NULL;
		*name = mark + 1;
		if (member_is_file(archive))
			return archive;
		free(archive);
	}
	return NULL;
}

bool
member_unpack_to(int fd, const char *archive, const char *name, struct work *w, struct err *err)
{
	struct decoded done = { .log = true, .member = name };
	struct map packed, m;
	bool ok;

	if (!map_open(&packed, archive, w, err))
		return false;
	ok = decode_kind(&packed, true) != DECODE_NONE || fail(err, E_UNREADABLE, "not an archive");
	ok = ok && decode_file(&m, &packed, NULL, NULL, &done, w, err);
	map_close(&packed);
	if (!ok)
		return false;
	ok = (done.member == NULL || fail(err, E_UNREADABLE, "not an archive")) &&
	    fd_write_all(fd, m.data, (size_t)m.size, err);
	map_close(&m);
	return ok;
}
