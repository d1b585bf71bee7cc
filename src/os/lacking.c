/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lacking: functions that the C library of macOS lacks.
 */
#include "config.h"

#ifdef __APPLE__

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/select.h>

void *
lacking_memrchr(const void *bytes, int c, size_t n)
{
	const unsigned char *s = bytes;

	while (n > 0)
		if (s[--n] == (unsigned char)c)
			return (void *)(uintptr_t)(s + n);
	return NULL;
}

void
lacking_erase(void *bytes, size_t n)
{
	(void)memset_s(bytes, n, 0, n);
}

/* fsync of macOS does not reach the disk itself. */
int
lacking_fdatasync(int fd)
{
	return fcntl(fd, F_FULLFSYNC) == 0 ? 0 : fsync(fd);
}

int
lacking_pipe2(int end[2], int flags)
{
	if (pipe(end) != 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		if (flags & O_CLOEXEC)
			(void)fcntl(end[i], F_SETFD, FD_CLOEXEC);
		if (flags & O_NONBLOCK)
			(void)fcntl(end[i], F_SETFL, O_NONBLOCK);
	}
	return 0;
}

int
lacking_fallocate(int fd, off_t from, off_t bytes)
{
	fstore_t store = { .fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = bytes };
	struct stat st;

	if (fstat(fd, &st) != 0)
		return errno;
	if (from + bytes <= st.st_size)
		return 0;
	store.fst_length = from + bytes - st.st_size;
	/* A file system that cannot reserve fails later, when bytes are written. */
	if (fcntl(fd, F_PREALLOCATE, &store) != 0 && errno == ENOSPC)
		return errno;
	return ftruncate(fd, from + bytes) == 0 ? 0 : errno;
}

ssize_t
lacking_random(void *bytes, size_t n)
{
	return getentropy(bytes, n) == 0 ? (ssize_t)n : -1;
}

/* pselect changes the mask in one step as well. */
int
lacking_ppoll(struct pollfd *p, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	fd_set in, out, bad;
	int most = -1, found;

	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_ZERO(&bad);
	for (nfds_t i = 0; i < n; i++) {
		p[i].revents = 0;
		if (p[i].fd < 0)
			continue;
		if (p[i].fd >= FD_SETSIZE) {
			errno = EINVAL;
			return -1;
		}
		if (p[i].events & POLLIN)
			FD_SET(p[i].fd, &in);
		if (p[i].events & POLLOUT)
			FD_SET(p[i].fd, &out);
		FD_SET(p[i].fd, &bad);
		most = p[i].fd > most ? p[i].fd : most;
	}
	found = pselect(most + 1, &in, &out, &bad, timeout, mask);
	if (found <= 0)
		return found;
	found = 0;
	for (nfds_t i = 0; i < n; i++) {
		if (p[i].fd < 0)
			continue;
		p[i].revents = (short)((FD_ISSET(p[i].fd, &in) ? POLLIN :
		    0) | (FD_ISSET(p[i].fd, &out) ? POLLOUT : 0) | (FD_ISSET(p[i].fd, &bad) ? POLLERR : 0));
		found += p[i].revents != 0;
	}
	return found;
}

/* The own qsort_r of macOS takes its arguments in another order. */
struct lacking_order {
	int	(*compare)(const void *, const void *, void *);
	void	*to;
};

static int
lacking_compare(void *order, const void *a, const void *b)
{
	const struct lacking_order *o = order;

	return o->compare(a, b, o->to);
}

#undef qsort_r
void
lacking_sort(void *rows, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *to)
{
	struct lacking_order order = { compare, to };

	qsort_r(rows, n, size, &order, lacking_compare);
}

#else

typedef int lacking_nothing;	/* a file of C is never empty */

#endif
