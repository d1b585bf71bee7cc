/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wasted: objects without information of their own, or with unused capacity: objects with equal fields,
 * arrays of references with few elements, and arrays of numbers that end in zeros.
 */
#include "config.h"

#include "icecore/content.h"
#include "pass/heap/heap.h"

#define TICK 1024u
#define EQUAL_BYTES 64u		/* most bytes of fields: larger objects are rarely equal */
#define SPARSE_LENGTH 16u
#define SPARSE_SHARE 4u		/* at most one in this many elements is in use */
#define TAIL_BYTES 64u

struct equal {
	uint32_t	object, copies;
};

struct scan {
	const struct heap	*h;
	struct work		*work;
	struct err		*err;
	bool			(*add)(void *to, const struct wasted *);
	void			*to;
	struct idmap		 groups;	/* hash of class and fields to 1 + row of equals */
	ARRAY(struct equal)	equals;
	uint64_t		 n;
};

/* The class and all fields are equal, including references; if they never change, one object would do. */
static bool
look_equal(struct scan *s, uint32_t object, const struct heap_record *r)
{
	struct str fields = { (const char *)s->h->data + r->data, (size_t)r->bytes };
	uint64_t key;
	uint32_t row;

	if (r->tag != TAG_INSTANCE || r->bytes == 0 || r->bytes > EQUAL_BYTES)
		return true;
	key = idmap_hash_text(fields, heap_class(s->h, object));
	/* A key of 0 is none. */
	if (!idmap_enter(&s->groups, key | (key == 0), (uint32_t)s->n + 1, &row, s->err))
		return false;
	if (row == s->n + 1)
		return s->n < UINT32_MAX - 1 && array_add(&s->equals, &s->n, (&(struct equal){ object, 1 }),
		    s->err);
	s->equals.at[row - 1].copies++;
	return true;
}

static bool
look_sparse(struct scan *s, uint32_t object, const struct heap_record *r)
{
	const unsigned id = s->h->id_size;
	uint32_t used = 0;

	if (r->tag != TAG_OBJECTS || r->length < SPARSE_LENGTH)
		return true;
	for (uint32_t i = 0; i < r->length && used * SPARSE_SHARE <= r->length; i++)
		used += heap_id(s->h->data + r->data + (uint64_t)i * id, id) != 0;
	return used * SPARSE_SHARE > r->length || s->add(s->to,
	    &(struct wasted){ (r->length - used) * (uint64_t)s->h->rule.ref, object, 1, used });
}

static bool
look_tail(struct scan *s, uint32_t object, const struct heap_record *r)
{
	const uint8_t *d = s->h->data + r->data;
	unsigned width = r->tag == TAG_PRIMS ? heap_width(r->type, s->h->id_size) : 0;
	uint64_t used = r->bytes, tail;

	if (width == 0)
		return true;
	while (used > 0 && d[used - 1] == 0)
		used--;
	used = (used + width - 1) / width;
	tail = r->bytes - used * width;
	return tail < TAIL_BYTES || tail * 2 < r->bytes ||
	    s->add(s->to, &(struct wasted){ tail, object, 1, (uint32_t)used });
}

static bool
tell_equals(struct scan *s)
{
	const struct equal *e = s->equals.at;

	for (uint64_t i = 0; i < s->n; i++)
		if (e[i].copies > 1 &&
		    !s->add(s->to, &(struct wasted){ (e[i].copies - 1) * heap_shallow(s->h, e[i].object),
		    e[i].object, e[i].copies, 0 }))
			return false;
	return true;
}

bool
heap_wasted(const struct heap *h, enum wasted_kind kind, bool (*add)(void *, const struct wasted *), void *to,
    struct work *work, struct err *err)
{
	static bool (*const look[])(struct scan *, uint32_t, const struct heap_record *) = {
		[WASTED_OBJECTS] = look_equal, [WASTED_SPARSE] = look_sparse, [WASTED_TAILS] = look_tail
	};
	struct scan s = { .h = h, .work = work, .err = err, .add = add, .to = to };
	struct heap_record r;
	bool ok = true;

	for (uint32_t object = 1; ok && object <= h->objects; object++) {
		if (!work_each(work, object, TICK, err))
			ok = false;
		else if (heap_dominator(h, object) != 0 && heap_take(h, object, &r))
			ok = look[kind](&s, object, &r);
	}
	ok = ok && tell_equals(&s);
	idmap_free(&s.groups);
	array_free(&s.equals);
	return ok;
}
