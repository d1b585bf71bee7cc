/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_collections: classes of collections that are mostly empty, and hash tables in which most keys
 * collide: each look-up goes through many of them.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_dominators.h"
#include "icecore/heap_names.h"
#include "owners.h"

#define FLOOR (1u << 20)	/* bytes: classes that waste less are not reported */
#define SHARE_WASTE 20u		/* share of the live bytes that a class wastes: one part in this many */
#define FILLED 5u		/* less than one part in this many of the capacity is used: mostly empty */

#define ENTRIES 500u
#define COLLIDE 60u		/* percent; even hashes have 17 to 30 at the load that tables grow at */
/* entries in a bucket, from which on HashMap makes a tree of it: fewer are quickly scanned */
#define LONG 8u
#define TOLD 1024u	/* tables, those in which most entries collide */
#define LOOKED 64u		/* buckets and entries that are asked for their key */

/* ---- mostly empty ------------------------------------------------------------------------- */

/* The mostly empty collections of one class. */
struct empties {
	uint64_t	waste;
	uint32_t	n, empty;	/* empty: without any element */
};

/* The mostly empty collections that one field holds (one node of the name tree). */
struct place {
	uint64_t	waste, most;
	uint32_t	biggest;	/* 0: there are none */
};

struct collecting {
	bool		 wastes;		/* wasted bytes worth a finding */
	ARRAY(struct empties)	empties;		/* by class */
	ARRAY(struct place)	places;		/* by node of heap_names.h; 0: of none */
};

/*
 * The tables of one class of collections are arrays of one class, and all of those waste no more than they
 * are.  Those of Android may be several arrays, of numbers too.
 */
static bool
may_waste(const struct finder *f)
{
	const struct column *shallow = heap_class_shallow(f->st, f->h.sizes);
	uint64_t most = 0, bytes;

	for (uint64_t class = 0; class < f->h.classes; class++) {
		bytes = column_get(shallow, class);
		if (column_get(f->h.class_element, class) == HEAP_OBJECT && bytes > most)
			most = bytes;
	}
	return f->android || (most >= FLOOR && most >= f->live / SHARE_WASTE);
}

static bool
collections_begin(struct finder *f, void *state)
{
	struct collecting *s = state;

	s->wastes = may_waste(f);
	return !s->wastes || (array_grow(&s->empties, f->h.classes + 1ull, f->err) &&
	    array_grow(&s->places, names_count(&f->h) + 1ull, f->err));
}

/* A class cannot waste more than it retains: skip classes that retain too little. */
static bool
collections_wants(struct finder *f, void *state, uint32_t class)
{
	struct collecting *s = state;
	uint64_t retained;

	if (!s->wastes || !collections_know(f->collections, class))
		return false;
	retained = column_get(heap_column(&f->h, COL_EACH_CLASS_RETAINED), class - 1ull);
	return retained >= FLOOR && retained >= f->live / SHARE_WASTE;
}

static bool
collections_object(struct finder *f, void *state, uint32_t object)
{
	struct collecting *s = state;
	struct empties *e = &s->empties.at[heap_class(&f->h, object)];
	uint32_t node = names_of(&f->h, object);
	struct place *p = &s->places.at[node <= names_count(&f->h) ? node : 0];
	struct collection c;

	/* Without its own table it is empty, and wastes nothing. */
	if (heap_retained(&f->h, object) <= heap_shallow(&f->h, object) ||
	    !finder_collection(f, object, &c) || c.waste == 0 || c.size >= c.capacity / FILLED)
		return true;
	e->n++;
	e->empty += c.size == 0;
	e->waste = num_add(e->waste, c.waste);
	p->waste = num_add(p->waste, c.waste);
	if (c.waste > p->most) {
		p->most = c.waste;
		p->biggest = object;
	}
	return true;
}

/* The node where those of a class waste most. */
static uint32_t
worst_place(struct finder *f, const struct collecting *s, uint32_t class)
{
	const struct place *p = s->places.at;
	uint32_t best = UINT32_MAX;

	for (uint32_t node = 0; node <= names_count(&f->h); node++)
		if (p[node].biggest != 0 && heap_class(&f->h, p[node].biggest) == class &&
		    (best == UINT32_MAX || p[node].waste > p[best].waste))
			best = node;
	return best;
}

static bool
collections_end(struct finder *f, void *state)
{
	struct collecting *s = state;

	for (uint32_t class = 1; s->wastes && class <= f->h.classes; class++) {
		const struct empties *e = &s->empties.at[class];
		const struct place *p;
		uint32_t node;

		if (e->waste < FLOOR || e->waste < f->live / SHARE_WASTE ||
		    (node = worst_place(f, s, class)) == UINT32_MAX)
			continue;
		p = &s->places.at[node];
		if (!finding_add(f, &(struct finding){ .kind = FINDING_EMPTY, .object = p->biggest,
		    .class = class, .count = e->n,
		    .retained = e->waste, .number = e->empty,
		    .content = p->waste >= e->waste / 2 ? node : 0 }))
			return false;
	}
	return true;
}

static void
collections_release(void *state)
{
	struct collecting *s = state;

	SCRATCH_FREE(&s->empties, &s->places);
}

const struct detector detector_collections = {
	.state_size = sizeof(struct collecting), .begin = collections_begin, .wants = collections_wants,
	.object = collections_object, .end = collections_end, .release = collections_release
};

/* ---- keys that collide ---------------------------------------------------------------------- */

struct table {
	struct finding	found;
	uint32_t	buckets;	/* the array */
};

struct hashes {
	struct scratch		 list;		/* struct table */
	uint64_t		 n;
};

static bool
hashes_wants(struct finder *f, UNUSED void *state, uint32_t class)
{
	return collections_know(f->collections, class);
}

static uint64_t
collisions(const struct finding *x)
{
	return (uint64_t)x->count * x->number;
}

static bool
detect_hashes_add_table(struct finder *f, struct hashes *s, const struct table *t)
{
	struct table *list = SCRATCH(s->list, struct table);
	uint64_t least = 0;

	if (s->n < TOLD)
		return scratch_add(&s->list, &s->n, t, sizeof *t, f->err);
	assert(s->n == TOLD);
	for (uint64_t i = 1; i < s->n; i++)
		if (collisions(&list[i].found) < collisions(&list[least].found))
			least = i;
	if (collisions(&t->found) > collisions(&list[least].found))
		list[least] = *t;
	return true;
}

static bool
hashes_object(struct finder *f, void *state, uint32_t object)
{
	struct collection c;

	/* More entries than objects are none. */
	if (!finder_collection(f, object, &c) || !c.hashed || c.size < ENTRIES ||
	    c.size >= f->h.objects || !collection_get(f->collections, object, true, &c) || c.size < c.used ||
	    (c.size - c.used) * 100 < COLLIDE * c.size)
		return true;
	return detect_hashes_add_table(f, state, &(struct table){ .buckets = c.table,
	    .found = { .kind = FINDING_HASH,
	    .grade = 1 + (c.size / LONG >= c.used ? SEVERITY_WARNING : SEVERITY_NOTE), .object = object,
	    .other = object,
	    .count = c.size > UINT32_MAX ? UINT32_MAX : (uint32_t)c.size,
	    .number = (c.size - c.used) * 10000 / c.size,
	    .retained = heap_retained(&f->h, object) } });
}

/*
 * Return the key of a hash entry (weak maps: its referent), or of the first entry of a bucket that became a
 * tree.
 */
static uint32_t
detect_hashes_key_of(const struct heap *h, uint32_t entry)
{
	uint32_t key = heap_field_object(h, entry, "key");

	if (key == 0)
		key = heap_field_object(h, entry, "referent");
	return key != 0 ? key : heap_field_object(h, heap_field_object(h, entry, "first"), "key");
}

/* Return the class of one of the keys; 0: unknown. */
static uint32_t
class_of_keys(const struct heap *h, uint32_t buckets)
{
	struct heap_walk w;
	uint32_t entry, key = 0;

	heap_out(h, buckets, &w);
	for (uint32_t n = 0; n < LOOKED && key == 0 && (entry = heap_next(&w, NULL)) != 0; n++)
		key = detect_hashes_key_of(h, entry);
	return key == 0 ? 0 : heap_class(h, key);
}

/*
 * A set and its map share one table: merge the map into the set, in case something else holds the map, too.
 */
static void
detect_hashes_put_together(const struct heap *h, struct table *list, uint64_t n)
{
	struct heap_slot slot;

	for (uint64_t i = 0; i < n; i++)
		for (uint64_t k = 0; k < n; k++) {
			if (k == i || list[k].buckets != list[i].buckets || list[k].buckets == 0 ||
			    !heap_link(h, list[i].found.object, list[k].found.object, &slot))
				continue;
			if (list[k].found.retained > list[i].found.retained)
				list[i].found.retained = list[k].found.retained;
			list[k].found.count = 0;
		}
}

static bool
hashes_end(struct finder *f, void *state)
{
	struct hashes *s = state;
	const struct owners *o = f->owners;
	struct table *list = SCRATCH(s->list, struct table);

	detect_hashes_put_together(&f->h, list, s->n);
	for (uint64_t i = 0; i < s->n; i++) {
		struct finding *x = &list[i].found;
		uint32_t map = names_of(&f->h, x->object);

		if (map == 0 || x->count == 0)
			continue;
		x->owner = owners_teller(o, map);
		x->class = class_of_keys(&f->h, list[i].buckets);
		x->class = x->class != 0 ? x->class : heap_class(&f->h, x->other);
		x->object = owners_object(o, x->owner);
		x->object = x->object != 0 ? x->object : x->other;
		x->weight = num_add(x->retained, x->retained / 1000 * x->count);
		if (!finding_add(f, x))
			return false;
	}
	return true;
}

static void
hashes_release(void *state)
{
	scratch_free(&((struct hashes *)state)->list);
}

const struct detector detector_hashes = {
	.state_size = sizeof(struct hashes), .wants = hashes_wants, .object = hashes_object,
	.end = hashes_end, .release = hashes_release
};
