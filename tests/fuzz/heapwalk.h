/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heapwalk: looks at all of an opened heap dump; what contradicts itself aborts.
 */
#ifndef TESTS_HEAPWALK_H
#define TESTS_HEAPWALK_H

#include <stdio.h>
#include <stdlib.h>

#include "icecore/bitmap.h"

/* Like assert, but also in builds without it. */
#define MUST(condition) do { \
	if (!(condition)) { \
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, \
		    #condition); \
		abort(); \
	} \
} while (0)

/* All passes have run.  Returns the number of objects. */
uint64_t walk_heap(const struct store *, struct work *, struct err *);

/* Computes the dominators again, in another way; returns how many objects have others. */
uint32_t heapdom_differ(const struct heap *);

#endif
