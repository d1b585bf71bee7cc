/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_detached: elements that were removed from their page and are still held.
 */
#include "config.h"

#include "findings.h"

static bool
detect_detached_wants(struct finder *f, UNUSED void *state, uint32_t class)
{
	const struct heap_language *l = heap_language_of(&f->h);
	size_t n = 0;

	while (l != NULL && l->detached != NULL && l->detached[n] != NULL)
		n++;
	return n > 0 && heap_class_like(&f->h, class, l->detached, n);
}

static bool
detect_detached_object(struct finder *f, UNUSED void *state, uint32_t object)
{
	assert(object > 0 && object <= f->h.objects);
	return finding_add(f, &(struct finding){ .kind = FINDING_DETACHED, .object = object, .count = 1 });
}

const struct detector detector_detached = { .wants = detect_detached_wants, .object = detect_detached_object };
