/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* file: files that appear whole or not at all. */
#ifndef ICECORE_FILE_H
#define ICECORE_FILE_H

#include <stdio.h>

#include "icecore/base.h"

/*
 * A new file in the directory of path, 0600, open for reading and writing, without a name where
 * the file system can do that, else with a temporary one; file_commit makes it path in one step
 * (fsync, rename, fsync of the directory), file_abandon leaves no trace of it.  Only a regular file or a
 * link is replaced.
 */
struct file {
	int	 fd;		/* -1: none */
	int	 through;	/* a device or pipe that gets what was written to fd; -1: none */
	char	*path;
	/* Number of the file for the helper; -1: it has its final name, or gets none. */
	int	 made;
	/* mem_refused when it was begun: it does not take its place when memory was refused since. */
	uint64_t refused;
};

#define FILE_INIT ((struct file){ .fd = -1, .through = -1, .made = -1 })

/* Begins a file that takes the place of path once it is whole (file_end); until then path stays as it is. */
bool	file_begin(struct file *, const char *path, struct err *) MUST_USE;
/*
 * The same for a name that the user gave.  If it is a link, its target is replaced; a device, a pipe, and
 * what is open as /dev/stdout or /dev/fd/N gets all bytes at the commit.
 */
bool	output_begin(struct file *, const char *path, struct err *) MUST_USE;
/* An output of this name would replace a file, so the user must have asked for that. */
bool	output_replaces(const char *path);
bool	file_write(struct file *, const void *, size_t, struct err *) MUST_USE;
/* replace: replace an existing path; otherwise that is an E_USAGE error, and the new file is removed. */
bool	file_commit(struct file *, bool replace, struct err *) MUST_USE;
/*
 * Like file_commit, but they do not wait for the disk: if the machine fails soon after, the file may be
 * empty.  file_publish leaves the file open and locked, as file_begin made it; after a failure, whose text
 * does not name the file, it can be called again.  file_place replaces nothing.
 */
bool	file_publish(struct file *, bool replace, struct err *) MUST_USE;
bool	file_place(struct file *, struct err *) MUST_USE;
void	file_abandon(struct file *);
/*
 * Write what print prints to a file, all of it or nothing; *size: its bytes. E_USAGE: it would replace a
 * file that is being read.
 */
typedef bool file_print_fn(void *of, FILE *, struct err *);
bool	file_print(const char *path, bool replace, file_print_fn *print, void *of, uint64_t *size,
    struct err *) MUST_USE;
/* write(2) until all is written; EINTR and short writes handled. */
bool	fd_write_all(int fd, const void *, size_t, struct err *) MUST_USE;
bool	fd_write_at(int fd, const void *, size_t, uint64_t offset, struct err *) MUST_USE;
/*
 * Gives the file disk blocks from offset on, so that no write to them, mapped or not, can run out of space.
 */
bool	fd_reserve(int fd, uint64_t offset, uint64_t size, struct err *) MUST_USE;
/* An open temporary file without a name in that directory (NULL: $TMPDIR or /tmp). */
bool	fd_temporary(int *fd, const char *directory, struct err *) MUST_USE;
/* Removes the temporary files that dead processes of this user left in that directory. */
void	file_sweep(const char *directory);

#endif
