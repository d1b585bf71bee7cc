/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * home: the user's files: their paths, reading and writing them.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool
home_read(const char *path, struct buf *b, struct err *err)
{
	char	 piece[4096];
	FILE	*f = named_stream(path);
	size_t	 n;
	bool	 ok = true;

	if (f == NULL)
		return errno == ENOENT || fail_path(err, path);
	while (ok && (n = fread(piece, 1, sizeof piece, f)) > 0) {
		buf_add(b, piece, n);
		ok = b->n <= HOME_MOST && !b->bad;
	}
	if (!ok)
		fail_file(err, E_USAGE, path, "file too large");
	else if (ferror(f))
		ok = fail_path(err, path);
	fclose(f);
	return ok;
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
