/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * named: operations on files by name.
 *
 * A confined process (sandbox.h) cannot open, create or remove files itself.  It asks its helper process,
 * which obeys the places given to sandbox_let.  In other processes these functions make the system calls
 * directly.  All of them set errno and may be called from any thread.
 */
#ifndef ICECORE_NAMED_H
#define ICECORE_NAMED_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

#include "icecore/base.h"

struct stat;

/* Open a file for reading; flags of open(2) are added to O_RDONLY and O_CLOEXEC.  -1: errno. */
int	named_open(const char *path, int flags);
/* Open a regular file for reading and writing, but never through a symbolic link.  -1: errno. */
int	named_open_both(const char *path);
/*
 * Open a regular file or a directory below the working directory.  Fails if any part of path leaves that
 * directory.  links: follow symbolic links.  Fills *st for the opened file.  -1: neither file nor
 * directory, or on another file system.
 */
int	named_open_beneath(const char *path, bool directory, bool links, struct stat *);
/* Remove a file. */
bool	named_remove(const char *path);
/* Create a directory that only this user may enter. */
bool	named_directory(const char *path);
/* Create the missing directories above path; false: one of them cannot be created. */
bool	named_directories(const char *path);
/*
 * List a directory sorted by name, without entries that begin with a dot.  Returns the number of entries;
 * -1: errno.  The caller frees each entry and the list.
 */
int	named_scan(const char *path, struct dirent ***list);

/* ---- for the explorer ------------------------------------------------------------------------ */

/*
 * Before the sandbox: keys come from this descriptor of the terminal.  A helper reads them instead of this
 * process.
 */
void	keys_from(int terminal);
/* Open the terminal once more, so that keys cannot be read from it. */
int	keys_output(int terminal);
/* Before the sandbox: keys of a script, for the helper. */
void	keys_scripted(const char *, size_t);
/* True if a helper reads the keys: then this process needs no descriptor that can read the terminal. */
bool	keys_helped(void);
/* Read keys without waiting, as read(2). */
ssize_t	keys_read(char *, size_t);
/* Tell that a prompt proposes a name, which the user may accept. */
void	named_offer(const char *name);
/*
 * Open a file in a process of its own, which starts with that query (NULL: none), and wait for its end.
 * *status: its exit status.  said: what it wrote to standard error.  False: errno.
 */
bool	named_start(const char *path, const char *query, int *status, struct buf *said);

#endif
