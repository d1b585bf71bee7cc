/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * limits: disk space that one run may use.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "icecore/limits.h"

#define UNASKED ((uint64_t)16 << 20)
#define KEEP_MOST ((uint64_t)1 << 30)
#define KEEP_PART 20		/* at most this fraction of a small file system */

/* Options, set before threads are started. */
static uint64_t reserve;
static bool reserve_asked;

/* ---- options ---------------------------------------------------------------------- */

bool
limit_size(const char *arg, uint64_t *bytes, struct err *err)
{
	return num_u64(str_of(arg), 10, bytes) || num_size(str_of(arg), bytes) ||
	    fail(err, E_USAGE, "'%s' is not a size; e.g. 64M or 1g", arg);
}

bool
limit_time(const char *arg, uint64_t *ns, struct err *err)
{
	double seconds;

	if (num_f64(str_of(arg), &seconds))
		*ns = seconds > 0 && seconds <= UINT32_MAX ? (uint64_t)(seconds * 1e9) : 0;
	else if (!num_duration(str_of(arg), ns))
		*ns = 0;
	return *ns > 0 || fail(err, E_USAGE, "'%s' is not a time; e.g. 30s or 2min", arg);
}

/* ---- space -------------------------------------------------------------------- */

void
space_reserve(uint64_t bytes)
{
	reserve = bytes;
	reserve_asked = true;
}

/* Return the directory of a file, whether or not the file has a name. */
static void
directory_of_fd(int fd, char *dir, size_t size)
{
	char proc[64], *slash;
	ssize_t n;

	snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
	n = readlink(proc, dir, size - 1);
	dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(dir, '/');
	if (dir[0] != '/' || slash == NULL)
		snprintf(dir, size, "the disk");
	else
		slash[slash == dir] = '\0';
}

bool
space_ask(int fd, uint64_t more, struct err *err)
{
	static _Atomic uint64_t taken;
	char dir[256], is[NUM_TEXT], stays[NUM_TEXT];
	struct statvfs s;
	uint64_t all, free, keep;

	if (!reserve_asked && atomic_fetch_add(&taken, more) + more <= UNASKED)
		return true;
	if (fstatvfs(fd, &s) != 0 || s.f_blocks == 0)
		return true;
	free = s.f_bavail * (uint64_t)s.f_frsize;
	all = s.f_blocks * (uint64_t)s.f_frsize;
	keep = all / KEEP_PART < KEEP_MOST ? all / KEEP_PART : KEEP_MOST;
	keep = reserve_asked ? reserve : keep;
	if (free >= keep && free - keep >= more)
		return true;
	directory_of_fd(fd, dir, sizeof dir);
	num_show_size(is, sizeof is, free);
	num_show_size(stays, sizeof stays, keep);
	return fail_for(err, REASON_SPACE, E_SYSTEM, ERR_NOWHERE,
	    "%s: not enough space: %s free, %s reserved; set TMPDIR or --index to another directory, or lower "
	    "--reserve",
	    dir, is, stays);
}
