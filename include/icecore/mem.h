/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem: allocations with checked sizes and counted failures.
 */
#ifndef ICECORE_MEM_H
#define ICECORE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct str;

/* For functions whose result is false if they failed. */
#define MUST_USE __attribute__((warn_unused_result))
/*
 * A local variable that this function, which gets its address, closes where its block ends, also at a
 * return.
 */
#define CLOSED_BY(closes) __attribute__((cleanup(closes)))
/* A parameter that only other functions of the same type read; a function that some users of a macro call. */
#define UNUSED __attribute__((unused))

/* n * size zeroed bytes; NULL on overflow or when out of memory.  free() releases. */
void	*mem_array(size_t, size_t) MUST_USE;
/* With a closing NUL. */
char	*mem_copy(struct str) MUST_USE;
/*
 * Makes *array (elements of size bytes, *cap of them) hold at least need elements, at least doubling it.
 * On failure *array is unchanged.
 */
bool	 mem_grow(void *array, size_t *cap, size_t need, size_t size) MUST_USE;
/* mem_grow for one more element than n. */
#define MEM_ROOM(array, cap, n) mem_grow(&(array), &(cap), (n) + 1, sizeof *(array))
/*
 * Number of failed allocations so far, in any thread: here, and where mem_refuse was called.  Output made
 * since then may be incomplete even if the caller ignored the failure.  So no answer or file is published
 * unless mem_whole since it was begun (otherwise E_SYSTEM).
 */
uint64_t mem_refused(void);
void	 mem_refuse(void);
bool	 mem_whole(uint64_t since, struct err *) MUST_USE;

#endif
