/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * limits: limits of disk space and time for one run, whatever the input contains.
 */
#ifndef ICECORE_LIMITS_H
#define ICECORE_LIMITS_H

#include "icecore/os.h"

/* ---- value of an option that sets a limit; false: E_USAGE ---------------------------------- */

/* Bytes, with or without a unit: "64M", "1g". */
bool	limit_size(const char *arg, uint64_t *bytes, struct err *) MUST_USE;
/* A plain number is seconds; 0 is none. */
bool	limit_time(const char *arg, uint64_t *ns, struct err *) MUST_USE;

/* ---- space: temporary files and the index leave room on every disk ------------------- */

/*
 * reserve: space that stays free in a file system.  Default: 1 GiB, or 5 % of a small one.  The first 16
 * MiB of a run are exempt, so that small jobs work on a nearly full disk.
 */
void	space_reserve(uint64_t bytes);
/* Call before the file grows by this much.  False: E_SYSTEM that names the directory and a remedy. */
bool	space_ask(int fd, uint64_t more, struct err *) MUST_USE;

/* ---- intake: bytes whose number nobody knows, on their way into a file: unpacked, or out of a pipe ---- */

/*
 * Called with the data so far, once at INTAKE_LOOK bytes and once at INTAKE_LAST.  False with err: no
 * loader can read it.
 */
struct intake_check {
	bool		(*ok)(const struct map *, const void *arg, struct err *);
	const void	*arg;
};

#define INTAKE_LOOK ((uint64_t)16 << 20)
#define INTAKE_LAST ((uint64_t)256 << 20)

struct intake {
	int			 fd;
	const struct intake_check	*known;		/* or NULL */
	uint64_t		 most;		/* upper bound */
	uint64_t		 n;		/* bytes it has */
};

/* unpacked: limit per input, including all layers.  Default: 64 GiB. */
void	intake_allow(uint64_t bytes);
uint64_t intake_allowed(void);
bool	fail_allowed(struct err *, bool pipe);	/* REASON_LIMIT: more than that */
/* False: no space, not known, or, with REASON_LIMIT, more than most, which the file has. */
bool	intake_put(struct intake *, const void *, size_t, struct err *) MUST_USE;
/* All that from gives, however slowly: work is asked ten times a second. */
bool	intake_drain(struct intake *, int from, struct work *, struct err *) MUST_USE;

/*
 * Like map_open; format: as for map_open_fd.  If a pipe gives more than --unpacked allows, the map has the first part
 * and m->cut is set.
 */
bool	map_open_known(struct map *, const char *path, const char *format, const struct intake_check *,
    struct work *, struct err *) MUST_USE;

/* ---- batch: a command that ends by itself ------------------------------------------------- */

/*
 * Sets the limits of time and memory from the options of the command; 0: from the size of its inputs, 10 min
 * and 1 min per 10 MiB, 4 GiB and 32 bytes per byte, but no limit if the size of an input is unknown, as of
 * a pipe.  The policy may set smaller ones.  Call it before the sandbox.
 */
void	limits_batch(const char *const *path, size_t n, uint64_t time, uint64_t memory);
/* Limits by the size of an input: so much at least, and so much more for each part of it. */
struct size_limits {
	uint64_t	time, time_a_mib;	/* ns */
	uint64_t	memory, memory_a_byte;
};
struct run_limits {
	uint64_t	time, memory;		/* ns; bytes; 0: none */
};
/* Limits that were asked for, otherwise (0) those by the size, and at most those of the policy. */
struct run_limits limits_of_size(const struct size_limits *, uint64_t bytes, struct run_limits asked);
/*
 * Limit the memory of this process and of programs it starts, without mapped files; 0: no limit.  The
 * option raises it.
 */
void	limit_memory(uint64_t bytes, const char *option);
void	limits_put_advice(struct buf *);	/* append what helps after memory was refused */

/* ---- deadline: --timeout ------------------------------------------------------------------- */

/*
 * After this many ns from now (0: never), work_tick returns false and fail_cancel reports E_SYSTEM with the
 * current work; applies to all work of the process.
 */
void	work_deadline(uint64_t ns);
/* For optional work: uses half of the remaining time, until work_deadline_end.  False: no deadline is set. */
struct work_deadline_was {
	uint64_t	at, ns;
};
bool	work_deadline_half(struct work_deadline_was *);
void	work_deadline_end(const struct work_deadline_was *);

#endif
