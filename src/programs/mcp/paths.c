/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paths: files beneath the root.
 */
#include "config.h"

#include <sys/stat.h>

#include "icecore/named.h"
#include "mcp.h"

#define PATH_MOST 1024
#define NAME_SHOWN 64u		/* columns of a name in an error */

bool
path_open(const struct mcp_options *o, struct str path, bool directory, int *fd, struct file_id *id,
    struct err *err)
{
	struct buf shown = BUF_INIT;
	char name[PATH_MOST + 1];
	struct stat st;

	*fd = -1;
	if (path.n <= PATH_MOST && (directory || path.n > 0) &&
	    (path.n == 0 || memchr(path.s, '\0', path.n) == NULL)) {
		memcpy(name, path.n > 0 ? path.s : ".", path.n > 0 ? path.n : 1);
		name[path.n > 0 ? path.n : 1] = '\0';
		*fd = named_open_beneath(name, directory, o->follow, &st);
	}
	if (*fd >= 0) {
		*id = (struct file_id){ st.st_dev, st.st_ino, os_ns(&st.st_mtim), os_ns(&st.st_ctim),
		    (uint64_t)st.st_size };
		return true;
	}
	text_escape(&shown, str_head(path, PATH_MOST));
	fail(err, E_USAGE, "no such %s below the root: '%.*s'", directory ? "directory" : "file",
	    (int)text_cut(buf_view(&shown), NAME_SHOWN, NULL), shown.s != NULL ? shown.s : "");
	buf_free(&shown);
	return false;
}
