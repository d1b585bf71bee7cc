/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chunks: sums of the pieces of a column, by which they are verified one by one.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "inside.h"

/* With the address sanitizer whoever reads what was not verified is found out. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

/* Mapped columns from here on leave resident memory when they were summed up; they stay in the page cache. */
#define RELEASE_MIN (1u << 20)

uint64_t
chunks_of(uint64_t bytes)
{
	return (bytes + CHUNK - 1) / CHUNK;
}

/* Return the size of a chunk in a column of n bytes; the last one is shorter. */
static size_t
chunk_size(uint64_t bytes, uint64_t chunk)
{
	uint64_t left = bytes - chunk * CHUNK;

	return left < CHUNK ? (size_t)left : CHUNK;
}

static uint64_t
sum(const void *values, uint64_t bytes, uint64_t chunk)
{
	return hash_bytes((const char *)values + chunk * CHUNK, chunk_size(bytes, chunk), 0);
}

void
chunks_open(const struct held *e)
{
	if (e->chunk != NULL)
		ASAN_UNPOISON_MEMORY_REGION(e->column.values, index_bytes(&e->column));
}

void
chunks_open_one(const struct held *e, uint64_t chunk)
{
	ASAN_UNPOISON_MEMORY_REGION((const char *)e->column.values + chunk * CHUNK,
	    chunk_size(index_bytes(&e->column), chunk));
}

bool
chunks_fit(const struct held *e, const void *values, uint64_t chunk)
{
	return sum(values, index_bytes(&e->column), chunk) == e->sums[chunk];
}

void
chunks_release(const struct held *e, uint64_t chunk)
{
	(void)madvise((char *)(uintptr_t)e->column.values + chunk * CHUNK,
	    chunk_size(index_bytes(&e->column), chunk), MADV_DONTNEED);
}

bool
chunks_sum(struct held *e)
{
	uint64_t bytes = index_bytes(&e->column), n = chunks_of(bytes);

	assert(!atomic_load(&e->column.guarded));
	if (e->sums == NULL && (e->sums = mem_array(n + 1, sizeof *e->sums)) == NULL)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		e->sums[i] = sum(e->column.values, bytes, i);
		if (e->place != PLACE_MEMORY && bytes >= RELEASE_MIN)
			chunks_release(e, i);
	}
	return true;
}

bool
chunks_guard(struct store *st, struct held *e, const uint64_t *sums)
{
	uint64_t n = chunks_of(index_bytes(&e->column));

	e->store = st;
	e->sums = mem_array(n + 1, sizeof *e->sums);
	e->chunk = mem_array(n + 1, sizeof *e->chunk);
	if (e->sums == NULL || e->chunk == NULL)
		return false;
	if (n > 0)
		memcpy(e->sums, sums, n * sizeof *sums);
	atomic_store(&e->unknown, n);
	atomic_store(&e->column.guarded, n > 0);
	ASAN_POISON_MEMORY_REGION(e->column.values, index_bytes(&e->column));
	return true;
}
