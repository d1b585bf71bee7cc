/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * home: the files that a user keeps: configuration, queries, presets, history and marks.
 */
#ifndef ICECORE_HOME_H
#define ICECORE_HOME_H

#include "icecore/os.h"

enum { HOME_MOST = 1 << 20 };		/* bytes of such a file */

/*
 * Return $variable/icecore/name, or $HOME/otherwise/icecore/name; NULL: no absolute path.  The caller
 * frees.
 */
char	*home_path(const char *variable, const char *otherwise, const char *name);
/*
 * Append the whole file; a missing file counts as empty.  Only a regular file of at most HOME_MOST bytes is
 * read: it is there without being asked for.
 */
bool	 home_read(const char *path, struct buf *, struct err *);
/* Of a file that the user named, which may be a pipe. */
bool	 home_read_given(const char *path, struct buf *, struct err *);
/* False: home_read would not read what is there.  For libraries that read files of the user. */
bool	 home_may(const char *path);
/* Why the first of these files was not read; NULL: all were, or are not there. */
const char *home_note(void);
/* Replace the file, and make the missing directories above it; only this user may read it. */
bool	 home_write(const char *path, const struct buf *, struct err *);

#endif
