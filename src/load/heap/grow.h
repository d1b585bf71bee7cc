/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes larger than their fields: interface between hprof_grow.c and hprof_layout.c.
 */
#ifndef LOAD_HEAP_GROW_H
#define LOAD_HEAP_GROW_H

#include "hprof.h"

/*
 * Number of classes that are larger than their fields themselves, and of classes with no matching instance:
 * hprof_grow.c.
 */
struct larger {
	uint64_t	classes, differ;
};
/* size: bytes by the rule, not yet aligned; increased by the call. The samples already contain distances. */
bool	hprof_grow(struct hprof *, const struct heap_ids *, const struct heap_rule *, const uint32_t *order,
	    uint32_t class_class, uint64_t *size, struct larger *);

#endif
