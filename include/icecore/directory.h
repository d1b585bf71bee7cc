/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * directory: directories of files and of temporary files.
 */
#ifndef ICECORE_DIRECTORY_H
#define ICECORE_DIRECTORY_H

#include "icecore/base.h"

/*
 * The directory of path: "." for "name" and "name/", "/" for "/name".  The caller frees it; NULL when
 * memory runs out.
 */
char	*directory_of(const char *path) MUST_USE;
/*
 * The file that the link at path leads to, whether it is there or not; the caller frees it.  NULL: no link is there
 * (errno is 0), or it leads nowhere.
 */
char	*directory_link_end(const char *path) MUST_USE;
/* Return path as shown in messages: itself, or "standard input" for "-". */
const char *shown_path(const char *path);
/* The last component of path, without slashes at its end; "/" for "/". */
struct str last_name(const char *path);
/* The last part of a path, for pages and titles, which must not reveal directories. */
struct str shown_name(const char *path);
/* $TMPDIR, or /tmp. */
const char *directory_temporary(void);
bool	directory_is(const char *path);		/* true if path names a directory */
bool	directory_is_root(const char *directory);
/*
 * True if a file may be created at path.  False in "/", because a sandbox that allows this would allow
 * writing everywhere.
 */
bool	directory_takes(const char *path);
/*
 * True if path does not exist or may be replaced.  In a directory with the sticky bit, users can replace
 * only their own files.
 */
bool	directory_replaces(const char *path);

/* ---- without symbolic links ------------------------------------------------------------------- */

/*
 * Open the directory of path, which is below an open directory, without following links.  *name: the last
 * part of path, or ".".  The caller closes it.  -1: errno, ELOOP for a link.
 */
int	directory_enter(int directory, const char *path, const char **name);
/* Open a file, not through a link in its place, with flags of open(2) and O_CLOEXEC.  -1: as above. */
int	directory_file(int directory, const char *name, int flags);

/* ---- who writes where a group may: group.c --------------------------------------------------- */

struct stat;

/*
 * The group of an open file or directory is that of this user alone: of the same name and without another
 * member, as /etc/passwd and /etc/group say.  False for users and groups that only a server knows, and
 * where there is an access list.
 */
bool	group_is_private(int fd, const struct stat *);
/* The same check, given the contents of /etc/passwd and /etc/group. */
bool	group_of_one(struct str passwd, struct str groups, uint64_t user, uint64_t group);

#endif
