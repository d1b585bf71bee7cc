/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series: several files of stack dumps, or of class histograms, read as one.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "icecore/dumped.h"
#include "icecore/facts.h"

/*
 * The file is of a kind of which several are one, and of the same as those before; what it decodes to is in
 * m, which the caller closes.
 */
static bool
part_open(struct map *m, const char *path, const struct loader **kind, struct work *w)
{
	const struct loader *l;
	struct err err;
	bool cut;

	if (!unpacked_open(m, path, NULL, &cut, w, &err))
		return false;
	l = load_format(m, path);
	if (l != NULL && (l->shapes & (SHAPE_DUMPS | SHAPE_COUNTS)) != 0 && (*kind == NULL || *kind == l)) {
		*kind = l;
		return true;
	}
	map_close(m);
	return false;
}

/* Append the texts of all files to fd.  *all: they are one series; false: err is filled. */
static bool
series_put(int fd, const char *const *path, size_t n, bool *all, struct work *w, struct err *err)
{
	const struct loader *kind = NULL;
	bool ok = true;

	for (size_t i = 0; ok && i < n; i++) {
		struct map m;

		if (!(*all = part_open(&m, path[i], &kind, w)))
			return true;
		ok = (i == 0 || fd_write_all(fd, SERIES_MARK, strlen(SERIES_MARK), err)) &&
		    fd_write_all(fd, m.data, (size_t)m.size, err);
		map_close(&m);
	}
	return ok;
}

bool
load_series(struct store **out, const char *const *path, size_t n, const struct store_options *options,
    struct work *w, struct err *err)
{
	struct store_options o = *options;
	bool all = n > 1, ok;
	int fd;

	*out = NULL;
	if (!all || o.as != NULL)
		return true;
	if (!fd_temporary(&fd, NULL, err))
		return false;
	o.fd = &fd;
	o.memory_only = true;
	ok = series_put(fd, path, n, &all, w, err) && (!all || load_open(out, path[0], &o, w, err));
	close(fd);
	if (*out == NULL)
		return ok;
	ok = fact_set(*out, FACT_SERIES_FILES, n, err);
	store_publish(*out);
	return ok;
}
