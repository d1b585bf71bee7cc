/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * folder: a directory as a table of the files that can be opened; private to load.
 */
#ifndef LOAD_FOLDER_H
#define LOAD_FOLDER_H

#include "icecore/load.h"

/*
 * Append a table with a header line, separated by commas: files of the directory by time, newest first;
 * the recent files, last first; directories; files that may not be read. recent: paths that NULL ends, or
 * NULL.
 * Names that begin with a dot and indexes are omitted.  E_UNREADABLE: it has neither files nor directories.
 */
bool	folder_read(struct buf *table, const char *path, const char *const *recent, struct work *,
	    struct err *) MUST_USE;

#endif
