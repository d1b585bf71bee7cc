/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem: allocations whose sizes cannot overflow, and whose failures are counted.
 */
#include "config.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/base.h"

#define FIRST_CAP 16

/*
 * Mark memory that realloc added. A build with a memory sanitizer takes all other memory of the heap for written, as
 * libraries write there.
 */
#if defined __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define UNWRITTEN(p, n) __msan_poison(p, n)
#endif
#endif
#ifndef UNWRITTEN
#define UNWRITTEN(p, n) ((void)(p))
#endif

static atomic_uint_fast64_t refused;

void
mem_refuse(void)
{
	atomic_fetch_add(&refused, 1);
}

uint64_t
mem_refused(void)
{
	return atomic_load(&refused);
}

bool
mem_whole(uint64_t since, struct err *err)
{
	return mem_refused() == since || fail(err, E_SYSTEM, "out of memory");
}

/* Pass an allocation on; count it if it failed. */
static void *
given(void *p)
{
	if (p == NULL)
		mem_refuse();
	return p;
}

void *
mem_array(size_t n, size_t size)
{
	if (n == 0 || size == 0)
		n = size = 1;
	return given(n > PTRDIFF_MAX / size ? NULL : calloc(n, size));
}

char *
mem_copy(struct str s)
{
	char *copy = mem_array(num_add(s.n, 1), 1);

	if (copy != NULL && s.n > 0)
		memcpy(copy, s.s, s.n);
	return copy;
}

bool
mem_grow(void *array, size_t *cap, size_t need, size_t size)
{
	void *old, *new;
	size_t n = *cap;

	if (need <= n)
		return true;
	n = n > SIZE_MAX / 2 ? SIZE_MAX : n * 2;
	if (n < FIRST_CAP)
		n = FIRST_CAP;
	if (n < need)
		n = need;
	memcpy(&old, array, sizeof old);
	new = given(size != 0 && n > PTRDIFF_MAX / size ? NULL : realloc(old, n * size));
	if (new == NULL)
		return false;
	memcpy(array, &new, sizeof new);
	UNWRITTEN((char *)new + *cap * size, (n - *cap) * size);
	*cap = n;
	return true;
}
