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

/* To be read, with flags of open(2) besides O_RDONLY and O_CLOEXEC; -1: errno. */
int	named_open(const char *path, int flags);
/* The same as a stream; NULL: errno. */
FILE	*named_stream(const char *path);
/* The regular file of that name, no link, to be read and written; -1: errno. */
int	named_open_both(const char *path);
/*
 * A regular file or directory beneath the working directory, which no part of path leads out of; links: symbolic ones are
 * followed.  *st is of what was opened; -1: it is none, or of another file system.
 */
int	named_open_beneath(const char *path, bool directory, bool links, struct stat *);
bool	named_remove(const char *path);
/* For this user alone. */
bool	named_directory(const char *path);
/* The directories that path lies in, as far as they are missing; false: one cannot be made. */
bool	named_directories(const char *path);
/* Entries of a directory by name, without those that begin with a dot, each to be freed with the list; -1: errno. */
int	named_scan(const char *path, struct dirent ***list);

#endif
