/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* map: files that are mapped to be read, their digest, and how much of them is in memory. */
#ifndef ICECORE_MAP_H
#define ICECORE_MAP_H

#include "icecore/base.h"
#include "icecore/work.h"

/* ---- map: a file, mapped to be read ------------------------------------ */

struct stat;

struct map {
	const uint8_t	*data;	/* NULL when size is 0 */
	uint64_t	 size;
	uint64_t	 mtime;	/* ns since 1970 */
	/* The same, of data or attributes; 0: so recent that another change may not show. */
	uint64_t	 ctime;
	uint64_t	 dev, ino;
	int		 slot;	/* in the table the SIGBUS handler reads */
	bool		 cut;	/* the pipe gave more: map_open_known (limits.h) */
};

/*
 * A regular file, or standard input ("-").  A pipe, and a file of the kernel that has bytes though its size
 * is 0, is drained into a temporary file without a name.  If it cannot be opened, the reason is
 * REASON_NO_FILE.
 */
bool	map_open(struct map *, const char *path, struct work *, struct err *) MUST_USE;
/*
 * The descriptor stays open.  format: that of a file beside the input, which the policy must allow; NULL: we wrote the
 * file, or its loader asks the policy.
 */
bool	map_open_fd(struct map *, int fd, const char *format, struct work *, struct err *) MUST_USE;
/* Map the file of a descriptor, which must be a regular file and stays open. */
bool	map_regular(struct map *, int fd, struct err *) MUST_USE;
/* A regular file that nobody but us or root can have written; no error text, just no. */
bool	map_is_own(const struct stat *);
bool	map_open_own(struct map *, const char *path);
/* Makes a map that is a copy of bytes. */
bool	map_of_memory(struct map *, struct str bytes, struct err *) MUST_USE;
void	map_close(struct map *);
/*
 * True once a mapped file has shrunk, failed or been overwritten: code that computed from the map must
 * report it.  Parts that shrank or failed read as zeros (the SIGBUS handler maps zero pages), overwritten
 * parts as their new bytes.  A file that only grows is not lost.
 */
bool	map_lost(const struct map *);
/* The file, open to be read until map_close; -1: it is empty, or memory. */
int	map_fd(const struct map *);
/*
 * Opens a regular file for reading, but nothing else, because opening a device or FIFO can have effects.
 * -1: errno.
 */
int	os_open_regular(const char *path, struct stat *);
/* Nanoseconds since 1970. */
struct timespec;
uint64_t os_ns(const struct timespec *);
/* Whether a file that is mapped is this one. */
bool	map_reads(const struct stat *);
/*
 * Bytes from .. to - 1 are not read again soon and leave resident memory; reading them still works.  Never
 * fails.
 */
void	map_forget(const struct map *, uint64_t from, uint64_t to);
void	map_shrink(struct map *, uint64_t size);	/* keeps the first size bytes only */
/*
 * True if addr was inside a map, which now reads as zeros from there to its end; the access can be retried.
 * Async-signal-safe.
 */
bool	map_fault(const void *addr);

/* ---- digest: the SHA-256 of a file, computed while it is read -------- */

struct digest;

/* A separate thread reads the file of the map, which stays open until digest_free. */
bool	digest_start(struct digest **, const struct map *, struct work *, struct err *) MUST_USE;
/*
 * Waits for it.  Cancelled, after which it can be asked for again, or the file shrank (E_SYSTEM) or failed.
 */
bool	digest_take(struct digest *, unsigned char sum[SHA256_BYTES], struct work *, struct err *) MUST_USE;
void	digest_free(struct digest *);	/* stops it; NULL is fine */

/* ---- resident: how much of mapped files is in memory ------------------------ */

/*
 * From then on work_tick makes files that are mapped to be read leave resident memory when the process has
 * more than that; written: those that are written to as well.  Never lowered.
 */
void	resident_limit(uint64_t bytes, bool written);
/* resident_most with half of the size of a source, or 96 MiB. */
void	resident_source(uint64_t bytes, bool written);
/* A map of a file, shared or read-only; remove it before unmapping.  Maps and scratch do that themselves. */
void	resident_add(void *data, size_t size, bool written);
void	resident_remove(const void *data);
void	resident_check(void);

/* The same, in loops over rows of scratch memory that do not call work_tick. */
static inline void
resident_row(uint64_t i)
{
	if (i % 32768 == 0)
		resident_check();
}

#endif
