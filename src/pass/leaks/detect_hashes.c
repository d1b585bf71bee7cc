/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_hashes: hash tables in which most keys collide: each look-up goes through many of them.
 */
#include "config.h"

#include <assert.h>

#include "owners.h"

#define ENTRIES 500u
#define COLLIDE 60u		/* percent; even hashes have 17 to 30 at the load that tables grow at */
#define LONG 8u			/* entries in a bucket, from which on HashMap makes a tree of it: fewer are quickly scanned */
#define TOLD 1024u	/* tables, those in which most entries collide */
#define LOOKED 64u		/* buckets and entries that are asked for their key */

struct table {
	struct finding	found;
	uint32_t	buckets;	/* the array */
};

struct hashes {
	struct scratch		 list;		/* struct table */
	uint64_t		 n;
};

static bool
hashes_wants(struct finder *f, void *state, uint32_t class)
{
	(void)state;
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
	return detect_hashes_add_table(f, state, &(struct table){ .buckets = c.table, .found = { .kind = FINDING_HASH,
	    .grade = 1 + (c.size / LONG >= c.used ? SEVERITY_WARNING : SEVERITY_NOTE), .object = object, .other = object,
	    .count = c.size > UINT32_MAX ? UINT32_MAX : (uint32_t)c.size, .number = (c.size - c.used) * 10000 / c.size,
	    .retained = heap_retained(&f->h, object) } });
}

/* Return the key of a hash entry (weak maps: its referent), or of the first entry of a bucket that became a tree. */
static uint32_t
detect_hashes_key_of(const struct heap *h, uint32_t entry)
{
	uint32_t key = heap_field_object(h, entry, STR("key"));

	if (key == 0)
		key = heap_field_object(h, entry, STR("referent"));
	return key != 0 ? key : heap_field_object(h, heap_field_object(h, entry, STR("first")), STR("key"));
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

/* A set and its map share one table: merge the map into the set, in case something else holds the map, too. */
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
