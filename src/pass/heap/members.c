/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * members: the objects of a class of the platform and of the classes that extend it.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_heap.h"
#include "heap.h"

#define TICK 65536u

/*
 * Goes up to the first superclass that is decided, then down again to mark those on the way: each class is
 * passed once.
 */
static void
mark_class(const struct heap *h, const struct column *super, uint32_t class, uint8_t *marks)
{
	uint32_t c;
	uint8_t mark;

	for (c = class; c != 0 && c <= h->classes && marks[c] == MARK_NONE; c = (uint32_t)column_get(super,
	    c - 1ull))
		marks[c] = MARK_AHEAD;
	mark = c != 0 && c <= h->classes && marks[c] == MARK_YES ? MARK_YES : MARK_NO;
	for (c = class; c != 0 && c <= h->classes && marks[c] == MARK_AHEAD; c = (uint32_t)column_get(super,
	    c - 1ull))
		marks[c] = mark;
	assert(marks[class] == MARK_YES || marks[class] == MARK_NO);
}

void
class_inherit(const struct heap *h, uint8_t *marks)
{
	const struct column *super = store_column(h->st, COL_CLASS_SUPER);

	for (uint32_t c = 1; c <= h->classes; c++) {
		mark_class(h, super, c, marks);
		assert(marks[c] == MARK_YES || marks[c] == MARK_NO);
	}
}

bool
members_open(struct members *m, const struct heap *h, struct str name, struct err *err)
{
	const struct column *objects = store_column(h->st, COL_CLASS_OBJECTS);

	*m = (struct members){ .h = h, .next = 1 };
	if (!scratch_array(&m->marks, h->classes + 1ull, 1, err))
		return false;
	for (uint32_t c = 1; c <= h->classes; c++)
		if (heap_same_name(class_text(h, c), name))
			m->marks.data[c] = MARK_YES;
	class_inherit(h, m->marks.data);
	for (uint32_t c = 1; c <= h->classes; c++)
		if (members_has(m, c))
			m->left = num_add(m->left, column_get(objects, c - 1));
	return true;
}

void
members_close(struct members *m)
{
	scratch_free(&m->marks);
}

bool
members_has(const struct members *m, uint32_t class)
{
	return class != 0 && class <= m->h->classes && m->marks.data[class] == MARK_YES;
}

bool
members_next(struct members *m, uint32_t *object, struct work *w, struct err *err)
{
	assert(m->next > 0);
	*object = 0;
	for (; m->left > 0 && m->next <= m->h->objects; m->next++) {
		if (m->next % TICK == 0 && !work_go(w, m->next, err))
			return false;
		if (!members_has(m, heap_class(m->h, m->next)))
			continue;
		m->left--;
		*object = m->next++;
		return true;
	}
	return true;
}
