/*
 * members: the objects of a class of the platform and of the classes that extend it.
 */
#include "config.h"

#include "heap.h"

#define TICK 65536u

/* AHEAD: the class is on the chain of superclasses being followed. */
enum member_mark { MARK_NONE, MARK_AHEAD, MARK_NO, MARK_YES };

/* Goes up to the first superclass that is decided, then down again to mark those on the way: each class is passed once. */
static void
mark_class(const struct members *m, const struct column *super, uint32_t class, struct str name)
{
	uint8_t *marks = m->marks.data, mark;
	uint32_t c;

	for (c = class; c != 0 && c <= m->h->classes && marks[c] == MARK_NONE;
	    c = (uint32_t)column_get(super, c - 1)) {
		marks[c] = MARK_AHEAD;
		if (class_is(m->h, c, name)) {
			marks[c] = MARK_YES;
			break;
		}
	}
	mark = members_has(m, c) ? MARK_YES : MARK_NO;
	for (c = class; c != 0 && c <= m->h->classes && marks[c] == MARK_AHEAD;
	    c = (uint32_t)column_get(super, c - 1))
		marks[c] = mark;
}

bool
members_open(struct members *m, const struct heap *h, struct str name, struct err *err)
{
	const struct column *super = store_column(h->st, COL_CLASS_SUPER);
	const struct column *objects = store_column(h->st, COL_CLASS_OBJECTS);

	*m = (struct members){ .h = h, .next = 1 };
	if (!scratch_array(&m->marks, h->classes + 1ull, 1, err))
		return false;
	for (uint32_t c = 1; c <= h->classes; c++) {
		mark_class(m, super, c, name);
		if (members_has(m, c))
			m->left = num_add(m->left, column_get(objects, c - 1));
	}
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
	*object = 0;
	for (; m->left > 0 && m->next <= m->h->objects; m->next++) {
		if (m->next % TICK == 0 && !work_tick(w, m->next))
			return fail_cancel(err);
		if (!members_has(m, heap_class(m->h, m->next)))
			continue;
		m->left--;
		*object = m->next++;
		return true;
	}
	return true;
}
