/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scratch: large arrays while they are built.
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "icecore/os.h"
#include "icecore/system.h"

/* A multiple of all page sizes. Smaller arrays use malloc, because a map costs microseconds. */
#define PAGE 65536
#define HUGE_FROM (4u << 20)	/* large arrays with random access are faster on huge pages */

/*
 * Freed large arrays are kept for reuse: zeroing mapped memory is much cheaper than mapping new pages. They
 * count as used.
 */
#define SPARES 8u

struct spare {
	void	*data;
	size_t	 size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t budget = 64u << 20, used;
static struct spare spare[SPARES];
static bool budget_asked;

void
scratch_budget(uint64_t bytes)
{
	pthread_mutex_lock(&lock);
	budget = bytes;
	budget_asked = true;
	pthread_mutex_unlock(&lock);
}

static void
raise_budget(uint64_t fit)
{
	pthread_mutex_lock(&lock);
	if (!budget_asked && fit > budget)
		budget = fit;
	pthread_mutex_unlock(&lock);
}

void
scratch_budget_rows(uint64_t rows)
{
	raise_budget(rows > UINT64_MAX / 16 ? UINT64_MAX : rows * 16);
}

void
scratch_budget_input(uint64_t bytes, uint64_t objects)
{
	resident_source(bytes, objects > 0);
	raise_budget(bytes / 4);
	scratch_budget_rows(objects);
}

void
scratch_settle(void)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < SPARES; i++) {
		if (spare[i].data == NULL)
			continue;
		munmap(spare[i].data, spare[i].size);
		used -= spare[i].size;
		spare[i].data = NULL;
	}
	pthread_mutex_unlock(&lock);
}

/* Keep a freed array; false if the list is full. */
static bool
scratch_keep(const struct scratch *s)
{
	size_t i;

	/* The array may have been sealed (read-only). */
	if (s->size < HUGE_FROM || mprotect(s->data, s->size, PROT_READ | PROT_WRITE) < 0)
		return false;
	pthread_mutex_lock(&lock);
	for (i = 0; i < SPARES && spare[i].data != NULL; i++)
		;
	if (i < SPARES)
		spare[i] = (struct spare){ s->data, s->size };
	pthread_mutex_unlock(&lock);
	return i < SPARES;
}

static void
give_back(size_t bytes)
{
	pthread_mutex_lock(&lock);
	used -= bytes;
	pthread_mutex_unlock(&lock);
}

/* Return the front of the smallest kept array that is large enough, zeroed. The rest stays available. */
static bool
scratch_reuse(struct scratch *s, size_t size)
{
	struct spare *best = NULL, found;

	if (size < HUGE_FROM)
		return false;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < SPARES; i++)
		if (spare[i].data != NULL && spare[i].size >= size &&
		    (best == NULL || spare[i].size < best->size))
			best = &spare[i];
	if (best != NULL) {
		found = *best;
		best->data = NULL;
		if (found.size - size >= HUGE_FROM) {
			*best = (struct spare){ (char *)found.data + size, found.size - size };
			found.size = size;
		}
	}
	pthread_mutex_unlock(&lock);
	if (best == NULL)
		return false;
	memset(found.data, 0, found.size);
	*s = (struct scratch){ found.data, found.size, -1 };
	return true;
}

static bool
take_now(size_t more)
{
	bool ok;

	pthread_mutex_lock(&lock);
	ok = used <= budget && more <= budget - used;
	if (ok)
		used += more;
	pthread_mutex_unlock(&lock);
	return ok;
}

/* Count bytes of anonymous memory; false if they exceed the budget. */
static bool
scratch_take(size_t more)
{
	if (take_now(more))
		return true;
	scratch_settle();
	return take_now(more);
}

/*
 * The new map may have addresses of another thread. The kernel orders these accesses; the lock makes that
 * visible to ThreadSanitizer.
 */
static void *
resize(const struct scratch *s, size_t size, int fd)
{
	void *data;

	pthread_mutex_lock(&lock);
	data = system_resize(s->data, s->size, size, fd);
	pthread_mutex_unlock(&lock);
	return data;
}

static bool
grow_anonymous(struct scratch *s, size_t size, struct err *err)
{
	void *data;

	if (s->data == NULL)
		data = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else
		data = resize(s, size, -1);
	if (data == MAP_FAILED) {
		give_back(size - s->size);
		return fail_errno(err, "out of memory (%zu bytes)", size);
	}
	/* Only a hint: no error if the kernel does not support it. */
#ifdef MADV_HUGEPAGE
	if (size >= HUGE_FROM)
		madvise(data, size, MADV_HUGEPAGE);
#endif
	/* Prefault new arrays only: a growing array may not need all its memory. */
	if (s->data == NULL && size >= AHEAD_MIN)
		os_ahead(data, size);
	s->data = data;
	s->size = size;
	return true;
}

static bool
grow_file(struct scratch *s, size_t size, struct err *err)
{
	void *data;

	if (!fd_reserve(s->fd, s->size, size - s->size, err))
		return false;
	resident_remove(s->data);
	data = resize(s, size, s->fd);
	if (data == MAP_FAILED) {
		resident_add(s->data, s->size, true);
		return fail_errno(err, "cannot map %zu bytes", size);
	}
	resident_add(data, size, true);
	s->data = data;
	s->size = size;
	return true;
}

/* Move the array from anonymous memory to a nameless file. */
static bool
scratch_begin_file(struct scratch *s, size_t size, struct err *err)
{
	void *data = MAP_FAILED;
	int fd;

	if (!fd_temporary(&fd, NULL, err))
		return false;
	if (!fd_reserve(fd, 0, size, err)) {
		close(fd);
		return false;
	}
	data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (data == MAP_FAILED) {
		fail_errno(err, "cannot map %zu bytes", size);
		close(fd);
		return false;
	}
	if (s->size > 0) {
		memcpy(data, s->data, s->size);
		munmap(s->data, s->size);
		give_back(s->size);
	}
	resident_add(data, size, true);
	*s = (struct scratch){ data, size, fd };
	return true;
}

static bool
grow_small(struct scratch *s, size_t size, struct err *err)
{
	size_t had = s->size;

	if (!mem_grow(&s->data, &s->size, size, 1))
		return fail(err, E_SYSTEM, "out of memory (%zu bytes)", size);
	memset(s->data + had, 0, s->size - had);
	return true;
}

/* Convert a small array to a mapped one. */
static bool
leave_small(struct scratch *s, size_t size, struct err *err)
{
	struct scratch big = SCRATCH_INIT;

	if (!scratch_grow(&big, size, err))
		return false;
	memcpy(big.data, s->data, s->size);
	free(s->data);
	*s = big;
	return true;
}

static bool
grow(struct scratch *s, size_t size, struct err *err)
{
	if (size <= s->size)
		return true;
	/* An array of zeros is empty as well. */
	if (s->data == NULL)
		s->fd = -1;
	if (s->size > 0 && size < s->size * 2)
		size = s->size * 2;
	if (size > SIZE_MAX / 4)
		return fail(err, E_SYSTEM, "out of memory (%zu bytes)", size);
	if (size < PAGE)
		return grow_small(s, size, err);
	if (s->size > 0 && s->size < PAGE)
		return leave_small(s, size, err);
	size = (size + PAGE - 1) / PAGE * PAGE;
	if (s->fd >= 0)
		return grow_file(s, size, err);
	if (s->data == NULL && scratch_reuse(s, size))
		return true;
	if (scratch_take(size - s->size))
		return grow_anonymous(s, size, err);
	return scratch_begin_file(s, size, err);
}

bool
scratch_grow(struct scratch *s, size_t size, struct err *err)
{
	if (grow(s, size, err))
		return true;
	mem_refuse();
	return false;
}

bool
scratch_array(struct scratch *s, uint64_t n, size_t size, struct err *err)
{
	if (size != 0 && n > SIZE_MAX / size)
		return fail(err, E_SYSTEM, "out of memory (%llu x %zu bytes)",
		    (unsigned long long)n, size);
	return scratch_grow(s, (size_t)n * size, err);
}

void
scratch_seal(struct scratch *s)
{
	if (s->size >= PAGE)
		mprotect(s->data, s->size, PROT_READ);
}

void
scratch_free(struct scratch *s)
{
	/* A scratch that never grew has no memory. In an array of zeros, fd 0 would be standard input. */
	if (s->data == NULL)
		;
	else if (s->size < PAGE)
		free(s->data);
	else if (s->fd >= 0) {
		resident_remove(s->data);
		munmap(s->data, s->size);
		close(s->fd);
	} else if (!scratch_keep(s)) {
		munmap(s->data, s->size);
		give_back(s->size);
	}
	*s = SCRATCH_INIT;
}
