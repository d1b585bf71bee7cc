/*
 * limits: how much of the disk one run may take.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "icecore/limits.h"

#define UNASKED ((uint64_t)16 << 20)
#define KEEP_MOST ((uint64_t)1 << 30)
#define KEEP_PART 20		/* one of so many parts of a small file system */
#define ALLOWED ((uint64_t)64 << 30)
#define DRAIN_WAIT 100		/* ms */
#define DRAIN_CHUNK 65536

/* Options, set before there are threads. */
static uint64_t reserve, allowed = ALLOWED;
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

/* The directory that a file is in, with or without a name. */
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
	    "%s: not enough space: %s free, %s kept; set TMPDIR or --index to another directory, or lower --reserve",
	    dir, is, stays);
}

/* ---- intake ------------------------------------------------------------------- */

void
intake_allow(uint64_t bytes)
{
	allowed = bytes;
}

uint64_t
intake_allowed(void)
{
	return allowed;
}

bool
fail_allowed(struct err *err, bool pipe)
{
	char size[NUM_TEXT];

	num_show_size(size, sizeof size, allowed);
	return fail_for(err, REASON_LIMIT, E_UNREADABLE, ERR_NOWHERE, "%s more than %s; --unpacked SIZE allows more",
	    pipe ? "gives" : "unpacks to", size);
}

/* Before each INTAKE_LOOK bytes. */
static bool
limits_look(const struct intake *in, struct err *err)
{
	struct map m;
	bool ok;

	if (in->known == NULL || (in->n != INTAKE_LOOK && in->n != INTAKE_LAST))
		return space_ask(in->fd, INTAKE_LOOK, err);
	if (!map_open_fd(&m, in->fd, NULL, err))
		return false;
	ok = in->known->ok(&m, in->known->arg, err);
	map_close(&m);
	return ok && space_ask(in->fd, INTAKE_LOOK, err);
}

bool
intake_put(struct intake *in, const void *data, size_t size, struct err *err)
{
	const uint8_t *from = data;
	uint64_t room, left;
	size_t n;

	for (; size > 0; from += n, size -= n, in->n += n) {
		left = in->most - in->n;
		if (left == 0)
			return fail_allowed(err, false);
		if (in->n % INTAKE_LOOK == 0 && !limits_look(in, err))
			return false;
		room = INTAKE_LOOK - in->n % INTAKE_LOOK;
		room = room < left ? room : left;
		n = size < room ? size : (size_t)room;
		if (!fd_write_all(in->fd, from, n, err))
			return false;
	}
	return true;
}

bool
intake_drain(struct intake *in, int from, struct work *w, struct err *err)
{
	char chunk[DRAIN_CHUNK];
	struct pollfd p = { .fd = from, .events = POLLIN };
	ssize_t n = 1;

	while (n != 0) {
		if (!work_go(w, in->n, err))
			return false;
		if (poll(&p, 1, DRAIN_WAIT) <= 0)
			continue;
		n = read(from, chunk, sizeof chunk);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return fail(err, E_SYSTEM, "cannot read: %s", strerror(errno));
		if (!intake_put(in, chunk, (size_t)n, err))
			return false;
	}
	return true;
}
