/*
 * named: what is done to files by their names.
 *
 * A process that is confined (sandbox.h) opens, makes and removes nothing itself: it asks its helper, which does what the places
 * allow that sandbox_let was given.  Elsewhere these calls are those of the system.  All set errno; from any thread.
 */
#ifndef ICECORE_NAMED_H
#define ICECORE_NAMED_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>

struct stat;

/* Opens a file to read from, with flags of open(2) besides O_RDONLY and O_CLOEXEC; -1: errno. */
int	named_open(const char *path, int flags);
/* Opens a stream to read from, which the caller closes; NULL: errno. */
FILE	*named_stream(const char *path);
/* Opens a regular file, but no link, to read and to write; -1: errno. */
int	named_open_both(const char *path);
/*
 * Opens a regular file or a directory below the working directory.  Fails if any part of path leaves that directory.
 * links: follow symbolic links.  Fills *st for the opened file.  -1: neither file nor directory, or on another file
 * system.
 */
int	named_open_beneath(const char *path, bool directory, bool links, struct stat *);
/* Removes a file. */
bool	named_remove(const char *path);
/* Makes a directory that only this user may enter. */
bool	named_directory(const char *path);
/* Makes the missing directories above path; false: one cannot be made. */
bool	named_directories(const char *path);
/*
 * Lists a directory by name, without entries that begin with a dot.  The caller frees each entry, and the list.  The number of
 * entries; -1: errno.
 */
int	named_scan(const char *path, struct dirent ***list);

#endif
