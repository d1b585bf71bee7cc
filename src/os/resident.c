/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resident: limit the resident memory of mapped files.
 *
 * Dropped pages stay in the page cache, which the kernel reclaims when needed; reading them maps them again.
 * Only shared or read-only maps may be registered.
 *
 * Pages are dropped piece by piece, in turn, and only as many as exceed the limit, so that most frequently
 * used pages stay. Random writes bring pages back at once, one by one. If that takes too much time, pages
 * stay and the limit grows.
 */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "icecore/os.h"
#include "icecore/system.h"

#define EVERY 1000000u		/* ns between checks; up to 20 MB may be mapped meanwhile */
#define MORE (32u << 20)	/* minimum above what cannot be dropped, before the next attempt */
#define PIECE (16u << 20)	/* bytes dropped at once; for large files, a PIECES-th part */
#define PIECES 64u
#define SOURCE_MIN (96u << 20)
#define FAULTS 131072u		/* pages that may come back, plus this number per second of CPU time; */
#define FAULTS_SECOND 32768u	/* each takes 3 us */

struct range {
	void	*data;
	size_t	 size;
	bool	 written;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range *ranges;
static size_t nranges, cap;
/* Total size of all written ranges so far: each page of them comes once in any case. */
static uint64_t written_bytes;
static bool all;		/* maps that are also written may be dropped */
static size_t turn;		/* index of the range to drop next */
static size_t gone;		/* bytes of this range that were already dropped */
static _Atomic uint64_t limit, threshold, looked;

void
resident_limit(uint64_t bytes, bool written)
{
	pthread_mutex_lock(&lock);
	if (bytes > limit)
		limit = threshold = bytes;
	all |= written;
	pthread_mutex_unlock(&lock);
}

void
resident_source(uint64_t bytes, bool written)
{
	uint64_t half = bytes / 2 > SOURCE_MIN ? bytes / 2 : SOURCE_MIN;

	/* Pages mapped between two checks come on top of the limit. */
	resident_limit(half / 16 * 13, written);
}

void
resident_add(void *data, size_t size, bool written)
{
	pthread_mutex_lock(&lock);
	/* Without memory for the list the range stays resident. */
	if (mem_grow(&ranges, &cap, nranges + 1, sizeof *ranges))
		ranges[nranges++] = (struct range){ data, size, written };
	written_bytes += written ? size : 0;
	pthread_mutex_unlock(&lock);
}

void
resident_remove(const void *data)
{
	pthread_mutex_lock(&lock);
	for (size_t i = nranges; i > 0; i--)
		if (ranges[i - 1].data == data) {
			ranges[i - 1] = ranges[--nranges];
			/* Continue with another range. */
			if (turn == i - 1 || turn == nranges)
				gone = 0;
			break;
		}
	pthread_mutex_unlock(&lock);
}

/* Bytes that may be dropped. */
static uint64_t
leaving(bool written)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < nranges; i++)
		bytes += written || !ranges[i].written ? ranges[i].size : 0;
	return bytes;
}

/* Return whether reloading pages takes too much of the time. */
static bool
is_thrashing(void)
{
	struct rusage u;
	uint64_t us, first;

	if (getrusage(RUSAGE_SELF, &u) != 0)
		return false;
	first = written_bytes / (uint64_t)sysconf(_SC_PAGESIZE);
	us = (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 +
	    (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
	return (uint64_t)u.ru_minflt > FAULTS + first + us * FAULTS_SECOND / 1000000;
}

/* Drop the next piece, or go on to the next range.  Return how many bytes were dropped. */
static size_t
leave_piece(size_t piece, bool written)
{
	const struct range *r;
	size_t n;

	if (turn >= nranges)
		turn = 0;
	r = &ranges[turn];
	if (gone >= r->size || (r->written && !written)) {
		turn++;
		gone = 0;
		return 0;
	}
	n = r->size - gone < piece ? r->size - gone : piece;
	(void)madvise((char *)r->data + gone, n, MADV_DONTNEED);
	gone += n;
	return n;
}

static void
resident_release(void)
{
	uint64_t left, enough, resident, more;
	size_t piece, n;
	bool written;

	pthread_mutex_lock(&lock);
	/* Another thread may have dropped pages meanwhile. */
	resident = system_resident();
	written = all && !is_thrashing();
	left = leaving(written);
	piece = left / PIECES > PIECE ? (size_t)(left / PIECES / PIECE * PIECE) : PIECE;
	enough = limit - limit / 8;
	while (left > 0 && resident > enough) {
		n = leave_piece(piece, written);
		left -= n < left ? n : left;
		if (n > 0)
			resident = system_resident();
	}
	/* The more memory cannot be dropped, the less it helps to try again. */
	more = resident > enough && (resident - enough) / 2 > MORE ? (resident - enough) / 2 : MORE;
	threshold = resident > enough && resident + more > limit ? resident + more : limit;
	pthread_mutex_unlock(&lock);
}

void
resident_check(void)
{
	uint64_t now;

	if (atomic_load_explicit(&limit, memory_order_relaxed) == 0)
		return;
	now = os_now();
	if (now - atomic_load_explicit(&looked, memory_order_relaxed) < EVERY)
		return;
	atomic_store_explicit(&looked, now, memory_order_relaxed);
	if (system_resident() > threshold)
		resident_release();
}
