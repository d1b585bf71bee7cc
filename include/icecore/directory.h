/*
 * directory: directories of files and of temporary files.
 */
#ifndef ICECORE_DIRECTORY_H
#define ICECORE_DIRECTORY_H

#include "icecore/base.h"

/* The directory of path: "." for "name" and "name/", "/" for "/name".  The caller frees it; NULL when memory runs out. */
char	*directory_of(const char *path) MUST_USE;
/* Return path as shown in messages: itself, or "standard input" for "-". */
const char *shown_path(const char *path);
/* The name behind the directory, without slashes at its end; all of "/". */
struct str last_name(const char *path);
/* The last part of a path, for pages and titles, which must not reveal directories. */
struct str shown_name(const char *path);
/* $TMPDIR, or /tmp. */
const char *directory_temporary(void);
/* The directory is in memory: tmpfs, ramfs. */
bool	directory_in_memory(const char *path);
bool	directory_is_root(const char *directory);
/* Whether a file may be made at path.  Not in "/": a sandbox that lets one be made there would let everything be written. */
bool	directory_takes(const char *path);
/* Whether a new file may be created at path.  In a directory that everyone may write to, only one's own files can be replaced. */
bool	directory_replaces(const char *path);

#endif
