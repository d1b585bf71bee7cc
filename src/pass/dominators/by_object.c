/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * by_object: the results of the dominator pass, which are by number, in the order of objects.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_dominators.h"
#include "icecore/make.h"
#include "dominators.h"

#define TICK 4096u		/* each may write at random to pages that have left memory */
#define AHEAD 16u		/* so far in front, what will be written at random is fetched */
#define TOP_SHARE 64u		/* if more than one in this many have no dominator, there is no list of them */
#define LARGE_SHARE 8u		/* if more than one in this many are large, the column is wide */

struct by_object {
	struct dominators *d;
	void		*out;		/* the column that is written, and its type */
	enum column_type type;
	/* numbers of dominators, which that column held until now; NULL: it is of retained sizes */
	uint32_t	*was;
};

/* A size that does not fit into a column of 16 bits. */
struct large {
	uint64_t	object, units;
};

struct top {
	uint64_t	number;		/* what it is sorted by: that of the object */
	uint32_t	object;
};

/*
 * Move the numbers of dominators away from their column and clear it, so that results can be written in their
 * place.
 */
static bool
take_parents(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	const struct by_object *r = arg;
	const struct dominators *d = r->d;

	assert(from < to && to <= d->h.objects);
	if (from < d->n)
		memcpy(r->was + from, d->parent + from, ((to < d->n ? to : d->n) - from) * sizeof *d->parent);
	memset(d->parent + from, 0, (to - from) * sizeof *d->parent);
	return work_go(w, to, err);
}

/*
 * Scatter one result to the column of all objects: retained sizes, or dominators, whose numbers are in was.
 */
static bool
by_object_put(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	const struct by_object *r = arg;
	const struct dominators *d = r->d;
	const uint32_t *was = r->was, *order = d->order;
	size_t width = column_width(r->type);
	uint64_t value;

	for (uint64_t i = from; i < to; i++) {
		if (!work_each(w, i, TICK, err))
			return false;
		if (i + AHEAD < to)
			__builtin_prefetch((char *)r->out + (order[i + AHEAD] - 1) * width, 1);
		assert(order[i] != 0 && order[i] <= d->h.objects && (was == NULL || was[i] <= d->n));
		if (was != NULL)
			value = was[i] == 0 ? HEAP_ROOT : order[was[i] - 1];
		else if ((value = dominators_bytes(d, (uint32_t)i + 1)) > HEAP_LARGE && r->type == COL_U16)
			value = HEAP_LARGE;
		column_set(r->out, r->type, order[i] - 1, value);
	}
	return work_go(w, to, err);
}

/* Chooses the type of the column. */
static bool
find_large(struct by_object *r, struct scratch *large, uint64_t *n)
{
	const struct dominators *d = r->d;
	struct large row;

	r->type = COL_U16;
	for (uint32_t i = 1; i <= d->n; i++) {
		if (i % TICK == 0 && !work_go(d->work, 0, d->err))
			return false;
		if (dominators_bytes(d, i) < HEAP_LARGE)
			continue;
		if (*n > d->n / LARGE_SHARE) {
			r->type = d->wide ? COL_U64 : COL_U32;
			*n = 0;
			return true;
		}
		row = (struct large){ d->order[i - 1], dominators_bytes(d, i) };
		if (!scratch_add(large, n, &row, sizeof row, d->err))
			return false;
	}
	return *n == 0 || make_sort(large, *n, sizeof row, d->work, d->err);
}

static bool
put_large(struct by_object *r)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_EACH_LARGE_OBJECT, large, object),
		MAKE_FIT(COL_EACH_LARGE_RETAINED, large, units)
	};
	OWN_ARRAY(struct large) large = ARRAY_INIT;
	uint64_t n = 0;

	return find_large(r, &large.raw, &n) && heap_make_columns(r->d->st, &r->d->h, columns, NELEM(columns),
	    MAKE_ROWS(large.at, n), r->d->err);
}

/* The objects that nothing dominates, unless they are many. */
static bool
put_top(const struct by_object *r)
{
	static const struct make_column column = MAKE(COL_EACH_TOP, top, object);
	const struct dominators *d = r->d;
	OWN_ARRAY(struct top) tops = ARRAY_INIT;
	struct top row;
	uint64_t n = 0;
	bool ok = true;

	for (uint32_t i = 1; ok && i <= d->n && n <= d->n / TOP_SHARE; i++) {
		row = (struct top){ d->order[i - 1], d->order[i - 1] };
		ok = (i % TICK != 0 || work_go(d->work, 0, d->err)) &&
		    (parent_of(d, i) != 0 || array_add(&tops, &n, &row, d->err));
	}
	if (n > d->n / TOP_SHARE)
		n = 0;
	return ok && (n == 0 || make_sort(&tops.raw, n, sizeof row, d->work, d->err)) &&
	    heap_make_columns(d->st, &d->h, &column, 1, MAKE_ROWS(tops.at, n), d->err);
}

/*
 * Write one column after the other: only one needs to be in memory at a time.  Then bytes are not needed, and
 * their memory is.
 */
bool
dominators_by_object(struct dominators *d)
{
	struct by_object r = { .d = d };
	bool ok;

	assert(d->n <= d->h.objects);
	work_start(d->work, "retained sizes", d->n);
	ok = put_large(&r) && put_top(&r) && (r.out = heap_make(d->st, &d->h, COL_EACH_RETAINED, r.type,
	    d->h.objects, d->err)) != NULL &&
	    pool_ranges(d->work, d->n, by_object_put, &r, d->err);
	r.was = SCRATCH(d->bytes, uint32_t);
	r.out = d->parent;
	r.type = COL_U32;
	return ok && pool_ranges(d->work, d->h.objects, take_parents, &r, d->err) &&
	    pool_ranges(d->work, d->n, by_object_put, &r, d->err);
}
