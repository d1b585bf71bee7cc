/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * folder: a directory as a table of the files that can be opened; private to load.
 */
#ifndef LOAD_FOLDER_H
#define LOAD_FOLDER_H

#include "icecore/load.h"

/*
 * A table in memory, SHAPE_FOLDER: files of the directory by time, newest first; the recent files of the options, last first;
 * directories; files that may not be read.
 * Names that begin with a dot and indexes are omitted.  E_UNREADABLE: it has neither files nor directories.
 */
bool	folder_open(struct store **, const char *path, const struct store_options *, struct work *, struct err *) MUST_USE;

#endif
