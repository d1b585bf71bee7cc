/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* os: services of the operating system: mapped files, files replaced atomically, scratch memory. */
#ifndef ICECORE_OS_H
#define ICECORE_OS_H

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "icecore/base.h"
#include "icecore/work.h"

/* ---- start: environment of the program at its start ---------------------- */

/*
 * Standard descriptors that are closed can be opened by no file, and signals are as icecore needs them; to
 * be called first.
 */
void	start_clean(void);
/* In a child: ignore the n signals of ignored, reset all others to the default, and unblock every signal. */
void	signals_clean(const int *ignored, size_t n);
enum { DESCRIPTORS_MOST = 8 };
/*
 * In a child: n descriptors, equal ones too, become 0, 1, 2 and so on, and all others are closed.  False:
 * errno.
 */
bool	descriptors_keep(const int *fd, int n);

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

/* ---- file: files that appear whole or not at all ----------------------- */

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

/* ---- locale: which characters the terminal shows ------------------------- */

/* By the environment.  Where the locale it names is missing, its UTF-8 is kept. */
void	locale_start(void);

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

/* ---- scratch: big arrays while they are built -------------------------- */

/*
 * A growing array of zeroed bytes.  It is anonymous memory as long as all scratch
 * together stays within the budget, above it an unlinked temporary file that
 * the kernel may write out and drop.  One that is all zeros is empty, as SCRATCH_INIT is.
 */
struct scratch {
	uint8_t	*data;
	size_t	 size;		/* bytes usable */
	int	 fd;		/* -1 while anonymous */
};

#define SCRATCH_INIT ((struct scratch){ NULL, 0, -1 })

/* A local one, freed at the end of its block. */
#define OWN_SCRATCH CLOSED_BY(scratch_free) struct scratch

/*
 * A scratch whose elements have a type: a.at[i].  Functions that do not know the type get &a.raw.
 * array_grow and array_add do what scratch_array and scratch_add do, without the size.
 */
#define ARRAY(type) union { struct scratch raw; type *at; }
#define ARRAY_INIT { SCRATCH_INIT }
/* A local one, freed at the end of its block. */
#define OWN_ARRAY(type) CLOSED_BY(array_free) ARRAY(type)
#define array_grow(a, n, err) scratch_array(&(a)->raw, n, sizeof *(a)->at, err)
#define array_add(a, n, item, err) scratch_add(&(a)->raw, n, 1 ? (item) : (a)->at, sizeof *(a)->at, err)
void	array_free(void *array);
void	array_free_all(void *const *);		/* NULL ends them */

/* At least size bytes (at least doubled when grown); data may move. */
bool	scratch_grow(struct scratch *, size_t size, struct err *) MUST_USE;
void	scratch_free(struct scratch *);
/* Releases the kept memory of freed arrays; for the end of a piece of work. */
void	scratch_settle(void);
/* Read-only until it is freed; those below 64 KiB, which share their pages, stay as they are. */
void	scratch_seal(struct scratch *);
void	scratch_budget(uint64_t bytes);		/* --memory */
/*
 * The budget for an input of that size with that many objects: the largest of 64 MiB, a quarter of the
 * input and 16 bytes an object.  Only raises the budget, and only while scratch_budget was not called.
 * Does resident_source, too.
 */
void	scratch_budget_input(uint64_t bytes, uint64_t objects);
void	scratch_budget_rows(uint64_t rows);	/* the same for a trace: 16 bytes a record */
/* Array access without casts: scratch_need(&s, n, uint32_t, err), then SCRATCH(s, uint32_t)[i]. */
#define SCRATCH(s, type) ((type *)(void *)(s).data)
bool	scratch_array(struct scratch *, uint64_t n, size_t size, struct err *) MUST_USE;

/* Appends a copy of item, of size bytes, to the *n items, and counts it. */
static inline bool
scratch_add(struct scratch *s, uint64_t *n, const void *item, size_t size, struct err *err)
{
	if ((*n + 1) * size > s->size && !scratch_array(s, *n + 1, size, err))
		return false;
	memcpy(s->data + *n * size, item, size);
	++*n;
	return true;
}

/* Frees each argument, a struct scratch or an ARRAY: SCRATCH_FREE(&a, &b). */
#define SCRATCH_FREE(...) array_free_all((void *const []){ __VA_ARGS__, NULL })
/* Bits in an array of u64. */
static inline bool
has_bit(const struct scratch *bits, uint32_t i)
{
	return SCRATCH(*bits, uint64_t)[i / 64] >> (i % 64) & 1;
}

static inline void
set_bit(const struct scratch *bits, uint32_t i)
{
	SCRATCH(*bits, uint64_t)[i / 64] |= (uint64_t)1 << (i % 64);
}

/*
 * All of the new memory at data will be written soon: where --jobs allows a second thread, it makes the
 * pages meanwhile; else they are made at once.  A wish.
 */
#define AHEAD_MIN (16u << 20)		/* less is not worth it */
void	os_ahead(void *data, size_t size);

/* ---- idmap: 64-bit ids to small numbers ---------------------------------- */

struct idmap {
	struct scratch	 slots;
	uint64_t	 cap, n;
};

#define IDMAP_INIT ((struct idmap){ SCRATCH_INIT, 0, 0 })
#define OWN_IDMAP CLOSED_BY(idmap_free) struct idmap

/* 0: no such key. */
uint32_t idmap_get(const struct idmap *, uint64_t key);
/* The key will be asked for soon: its place is fetched meanwhile. */
void	idmap_ahead(const struct idmap *, uint64_t key);
/* Sets or replaces; value 0 is not allowed. */
bool	idmap_put(struct idmap *, uint64_t key, uint32_t value, struct err *) MUST_USE;
/* Look up a key: *found gets its value.  A missing key is added with this value, which is not 0. */
bool	idmap_enter(struct idmap *, uint64_t key, uint32_t value, uint32_t *found, struct err *) MUST_USE;
/* Empties it.  Its memory stays for as many again, unless it had much more than it needed. */
void	idmap_clear(struct idmap *);
void	idmap_free(struct idmap *);
/* Hash of a key, seeded, so that a file cannot provoke collisions. */
uint64_t idmap_hash(uint64_t key);
/*
 * Seeded 64-bit hash used in place of the text: no file can provoke two equal ones.  salt: further
 * distinction.
 */
uint64_t idmap_hash_text(struct str, uint64_t salt);
/*
 * The hash of a text whose bytes are replaced first, so that names that are spelt differently have the same
 * hash.
 */
uint64_t idmap_hash_as(struct str, char (*as)(char), uint64_t salt);

#endif
