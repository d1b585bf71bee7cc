/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output: where a file may be written, and how.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/inflate.h"
#include "redact.h"

bool
output_is_std(const char *path)
{
	return strcmp(path, "-") == 0;
}

static bool
output_place(const char *path, bool force, struct err *err)
{
	struct str name = str_of(path);

	if (inflate_stem(name).n < name.n && !str_ends(name, ".gz"))
		return fail_file(err, E_USAGE, path,
		    "outputs are compressed by gzip only; end the name in .gz");
	return force || !output_replaces(path) ||
	    fail_file(err, E_USAGE, path, "already exists; --force replaces it");
}

static bool
same_inode(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static const char *
output_name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/* Or will be the same once it exists. */
static bool
same_file(const char *a, const char *b)
{
	char *in, *beside;
	bool same;

	if (same_inode(a, b) || strcmp(a, b) == 0)
		return true;
	if (strcmp(output_name_of(a), output_name_of(b)) != 0)
		return false;
	in = directory_of(a);
	beside = directory_of(b);
	same = in != NULL && beside != NULL && same_inode(in, beside);
	free(in);
	free(beside);
	return same;
}

bool
output_check(const struct output_path *all, size_t n, bool force, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (all[i].path == NULL || !all[i].made || output_is_std(all[i].path))
			continue;
		for (size_t k = 0; k < i; k++)
			if (all[k].path != NULL && !output_is_std(all[k].path) &&
			    same_file(all[k].path, all[i].path))
				return fail_file(err, E_USAGE, all[i].path, "%s and %s are the same file",
				    all[k].what, all[i].what);
		if (!output_place(all[i].path, force, err))
			return false;
	}
	return true;
}

bool
output_sink(struct sink *s, const char *path, int fd, uint64_t bytes, unsigned level, const char *comment,
    struct work *work, struct err *err)
{
	if (output_is_std(path) || !str_has_suffix(str_of(path), STR(".gz")))
		return sink_begin(s, fd, bytes, work, err);
	return sink_begin_gzip(s, fd, bytes, level > 0 ? level : 6, comment, work, err);
}

bool
output_size(int fd, uint64_t *bytes, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return fail_errno(err, "output");
	*bytes = (uint64_t)st.st_size;
	return true;
}
