/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_collections: classes of collections that are mostly empty.
 */
#include "config.h"

#include "icecore/columns_dominators.h"
#include "icecore/heap_names.h"
#include "findings.h"

#define FLOOR (1u << 20)	/* bytes: classes that waste less are not reported */
#define SHARE_WASTE 20u		/* one part in this many of the live bytes is wasted by a class */
#define FILLED 5u		/* less than one part in this many of the capacity is used: mostly empty */

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
	struct scratch	 empties;		/* by class */
	struct scratch	 places;		/* by node of heap_names.h; 0: of none */
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
	return !s->wastes || (scratch_array(&s->empties, f->h.classes + 1ull, sizeof(struct empties), f->err) &&
	    scratch_array(&s->places, names_count(&f->h) + 1ull, sizeof(struct place), f->err));
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
	struct empties *e = &SCRATCH(s->empties, struct empties)[heap_class(&f->h, object)];
	uint32_t node = names_of(&f->h, object);
	struct place *p = &SCRATCH(s->places, struct place)[node <= names_count(&f->h) ? node : 0];
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
	const struct place *p = SCRATCH(s->places, struct place);
	uint32_t best = UINT32_MAX;

	for (uint32_t node = 0; node <= names_count(&f->h); node++)
		if (p[node].biggest != 0 && heap_class(&f->h, p[node].biggest) == class && (best == UINT32_MAX || p[node].waste > p[best].waste))
			best = node;
	return best;
}

static bool
collections_end(struct finder *f, void *state)
{
	struct collecting *s = state;

	for (uint32_t class = 1; s->wastes && class <= f->h.classes; class++) {
		const struct empties *e = &SCRATCH(s->empties, struct empties)[class];
		const struct place *p;
		uint32_t node;

		if (e->waste < FLOOR || e->waste < f->live / SHARE_WASTE || (node = worst_place(f, s, class)) == UINT32_MAX)
			continue;
		p = &SCRATCH(s->places, struct place)[node];
		if (!finding_add(f, &(struct finding){ .kind = FINDING_EMPTY, .object = p->biggest, .class = class, .count = e->n,
		    .retained = e->waste, .number = e->empty, .content = p->waste >= e->waste / 2 ? node : 0 }))
			return false;
	}
	return true;
}

static void
collections_release(void *state)
{
	scratch_free(&((struct collecting *)state)->empties);
	scratch_free(&((struct collecting *)state)->places);
}

const struct detector detector_collections = {
	.state_size = sizeof(struct collecting), .begin = collections_begin, .wants = collections_wants,
	.object = collections_object, .end = collections_end, .release = collections_release
};
