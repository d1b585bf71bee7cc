/*
 * detect_collections: collections that are very large, and classes of them that are mostly empty.
 */
#include "config.h"

#include <stdlib.h>

#include "findings.h"

#define SHARE_LARGE 10u		/* one part in so many of the live bytes makes one large */
#define SHARE_LONG 20u		/* the same, of one with many elements */
#define LONG 100000u		/* elements */
#define FLOOR (1u << 20)	/* bytes: less is told of no collection and of no class */
#define SHARE_WASTE 20u		/* one part in so many of the live bytes: what all of a class waste */
#define FILLED 5u		/* less than one part in so many of the places taken: mostly empty */

/* The mostly empty ones of a class. */
struct empties {
	uint64_t	waste, most;
	uint32_t	n, empty, biggest;	/* empty: without any element */
};

struct collecting {
	struct collections *collections;
	bool		 sparse;		/* so much may be wasted that it is worth a finding */
	struct scratch	 empties;		/* by class */
	struct scratch	 large;			/* struct finding */
	uint64_t	 n;
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

	s->sparse = may_waste(f);
	return collections_open(&s->collections, &f->h, f->err) &&
	    scratch_array(&s->empties, f->h.classes + 1ull, sizeof(struct empties), f->err);
}

/* What a class does not retain, it can neither hold nor waste. */
static bool
collections_wants(struct finder *f, void *state, uint32_t class)
{
	struct collecting *s = state;
	uint64_t retained;

	if (!collections_know(s->collections, class))
		return false;
	retained = column_get(heap_column(&f->h, COL_EACH_CLASS_RETAINED), class - 1ull);
	return retained >= FLOOR && retained >= f->live / SHARE_WASTE;
}

/* The list of its classes that a class loader keeps: it holds the program itself. */
static bool
is_class_list(const struct finder *f, struct collecting *s, uint32_t object)
{
	uint32_t holder = collection_holder(s->collections, object);

	return holder != 0 && (finder_sort(f, holder) & SORT_LOADER) != 0 &&
	    heap_field_object(&f->h, holder, STR("classes")) == object;
}

static bool
is_large(const struct finder *f, uint64_t retained, const struct collection *c)
{
	return retained >= FLOOR && (retained >= f->live / SHARE_LARGE ||
	    (c->size >= LONG && retained >= f->live / SHARE_LONG));
}

static bool
collections_object(struct finder *f, void *state, uint32_t object)
{
	struct collecting *s = state;
	struct empties *e = &SCRATCH(s->empties, struct empties)[heap_class(&f->h, object)];
	uint64_t retained = heap_retained(&f->h, object);
	struct collection c;
	struct finding large;

	/* Without a table of its own it is empty, and wastes nothing. */
	if (retained <= heap_shallow(&f->h, object) ||
	    (!s->sparse && retained < f->live / SHARE_LONG) ||
	    !collection_get(s->collections, object, false, &c))
		return true;
	if (c.waste > 0 && c.size < c.capacity / FILLED) {
		e->n++;
		e->empty += c.size == 0;
		e->waste = num_add(e->waste, c.waste);
		if (c.waste > e->most) {
			e->most = c.waste;
			e->biggest = object;
		}
	}
	large = (struct finding){ .kind = FINDING_COLLECTION, .object = object, .count = 1,
	    .retained = retained, .number = c.size };
	return !is_large(f, retained, &c) || is_class_list(f, s, object) ||
	    scratch_add(&s->large, &s->n, &large, sizeof large, f->err);
}

static int
by_object(const void *x, const void *y)
{
	const struct finding *a = x, *b = y;

	return num_order(a->object, b->object, 0);
}

/*
 * A HashSet is its map, and a map of maps is told by those: one that another is nearly all of says nothing
 * more.  Its count becomes 0.
 */
static bool
mark_shells(struct finder *f, const struct collecting *s)
{
	const struct finding *inner;
	struct finding *outer;
	uint32_t at, n;

	for (uint64_t i = 0; i < s->n; i++) {
		inner = &SCRATCH(s->large, struct finding)[i];
		at = heap_above(&f->h, inner->object);
		for (n = 0, outer = NULL; at != 0 && n < DEEP && outer == NULL; n++, at = heap_above(&f->h, at))
			outer = bsearch(&(struct finding){ .object = at }, s->large.data, s->n, sizeof *outer,
			    by_object);
		if (outer != NULL && inner->retained >= outer->retained / 10 * 9)
			outer->count = 0;
		if (!work_tick(f->work, i))
			return fail_cancel(f->err);
	}
	return true;
}

static bool
collections_end(struct finder *f, void *state)
{
	struct collecting *s = state;
	const struct finding *large;
	const struct empties *e;

	if (!mark_shells(f, s))
		return false;
	for (uint64_t i = 0; i < s->n; i++) {
		large = &SCRATCH(s->large, struct finding)[i];
		if (large->count > 0 && !finding_add(f, large))
			return false;
	}
	for (uint32_t class = 1; class <= f->h.classes; class++) {
		e = &SCRATCH(s->empties, struct empties)[class];
		if (e->waste < FLOOR || e->waste < f->live / SHARE_WASTE)
			continue;
		if (!finding_add(f, &(struct finding){ .kind = FINDING_COLLECTION,
		    .object = e->biggest, .class = class, .count = e->n, .retained = e->waste,
		    .number = e->empty }))
			return false;
	}
	return true;
}

static void
collections_release(void *state)
{
	struct collecting *s = state;

	collections_close(s->collections);
	SCRATCH_FREE(&s->empties, &s->large);
}

const struct detector detector_collections = {
	.state_size = sizeof(struct collecting), .begin = collections_begin, .wants = collections_wants,
	.object = collections_object, .end = collections_end, .release = collections_release
};
