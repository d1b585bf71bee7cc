/*
 * retain: retained sizes from dominators: of objects, of classes, of class
 * loaders, of components.
 *
 * What a set of objects retains is the sum over those that no other of the set dominates.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dominators.h"

#define TICK 65536u
#define AHEAD 16u		/* so far in front, what will be written at random is fetched */

struct retain {
	struct dominators *d;
	struct scratch	 bytes;		/* by number, in units: shallow, then retained; u64 or u32 as the column */
	struct scratch	 sizes;		/* struct sizes by class */
	struct scratch	 order, parent;	/* copies of what the columns held until now */
};

static inline uint64_t
get_bytes(const struct retain *r, uint32_t i)
{
	return r->d->wide ? SCRATCH(r->bytes, uint64_t)[i] : SCRATCH(r->bytes, uint32_t)[i];
}

static inline void
set_bytes(struct retain *r, uint32_t i, uint64_t n)
{
	if (r->d->wide)
		SCRATCH(r->bytes, uint64_t)[i] = n;
	else
		SCRATCH(r->bytes, uint32_t)[i] = (uint32_t)n;
}

static inline void
fetch_bytes(const struct retain *r, uint32_t i)
{
	__builtin_prefetch(r->bytes.data + (uint64_t)i * (r->d->wide ? 8 : 4), 1);
}

/* ---- sums -------------------------------------------------------------------------- */

/* What heap_shallow needs of each class, side by side for the loop over all objects. */
struct sizes {
	uint32_t	bytes;		/* of an instance; of an array without its elements */
	uint8_t		width;		/* of an element; 0: no array */
	bool		special;	/* java.lang.Class, whose objects differ */
};

static bool
read_sizes(const struct heap *h, struct scratch *to, struct err *err)
{
	struct sizes *s;

	if (!scratch_array(to, (uint64_t)h->classes + 1, sizeof *s, err))
		return false;
	s = SCRATCH(*to, struct sizes);
	for (uint64_t i = 1; i <= h->classes; i++) {
		unsigned type = (unsigned)column_get(h->class_element, i - 1);

		s[i] = (struct sizes){ (uint32_t)column_get(h->class_size, i - 1), 0,
		    i == h->class_class };
		if (type != 0)
			s[i] = (struct sizes){ heap_rule_head(&h->rule, type),
			    (uint8_t)heap_rule_width(&h->rule, type), false };
	}
	return true;
}

/* In units. */
static inline uint64_t
shallow_of(const struct retain *r, uint32_t object, uint32_t class)
{
	const struct heap *h = &r->d->h;
	const struct sizes *s = &SCRATCH(r->sizes, struct sizes)[class];
	uint64_t length = column_get(h->length, object - 1ull), up = h->rule.android ? 0 : r->d->unit - 1;

	return ((s->special || length == HEAP_LONG_LIST || h->rule.align != r->d->unit ? heap_shallow(h, object) :
	    s->bytes + length * s->width) + up) >> __builtin_ctzll(r->d->unit);
}

/* Computes shallow sizes in the order of objects, in which they lie, and stores them by number. */
static bool
add_shallow_of(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	struct retain *r = arg;
	struct dominators *d = r->d;
	const uint32_t *num = SCRATCH(d->num, uint32_t);

	for (uint32_t i = (uint32_t)from + 1; i <= to; i++) {
		if (i % TICK == 0 && !work_tick(w, i))
			return fail_cancel(err);
		if (i + AHEAD <= to)
			fetch_bytes(r, num[i + AHEAD - 1]);
		if (num[i - 1] == 0)
			continue;
		set_bytes(r, num[i - 1], shallow_of(r, i, heap_class(&d->h, i)));
	}
	return true;
}

static bool
add_shallow(struct retain *r)
{
	struct dominators *d = r->d;
	bool ok = read_sizes(&d->h, &r->sizes, d->err);

	work_start(d->work, "shallow sizes", d->h.objects);
	ok = ok && pool_ranges(d->work, d->h.objects, add_shallow_of, r, d->err);
	scratch_free(&d->num);
	return ok;
}

/* A dominator has a smaller number than what it dominates. */
static void
add_up(struct retain *r)
{
	uint32_t above;

	for (uint32_t i = r->d->n; i > 0; i--) {
		above = parent_of(r->d, i);
		set_bytes(r, above, get_bytes(r, above) + get_bytes(r, i));
	}
}

/* ---- sets ----------------------------------------------------------------------------- */

/* Sums over the members of sets, given in preorder, that no other member dominates. */
struct sets {
	uint64_t	*retained;
	uint32_t	*end;		/* of each set: where what its last member dominates ends */
};

/* Components have the numbers that they have in enum component_by. */
enum { SETS_CLASS = COMPONENTS, SETS_LOADER, SETS };

/* Those of a range of the preorder. */
struct part {
	struct scratch	 sums, ends;
	struct sets	 set[SETS];
	uint32_t	*live, *objects;	/* objects by class; those that count for it */
	uint64_t	*shallow;	/* of these, in units */
};

struct parts {
	struct retain	*r;
	struct part	*part;
	uint64_t	 n, loaders;
	struct scratch	 preorder, first[COMPONENTS];	/* first: by class, the first one of its component */
	struct idmap	 map;		/* objects that are loaders */
	const struct column *loader;	/* of classes */
};

/* above: it only tells where what it dominates ends. */
static inline void
add_member(struct sets *s, uint32_t set, uint32_t first, uint32_t size, uint64_t bytes, bool above)
{
	if (!above && first < s->end[set])
		return;
	s->end[set] = first + size;
	if (!above)
		s->retained[set] = num_add(s->retained[set], bytes);
}

/* The k-th of the preorder, which is number i, is a member of some sets. */
static inline void
add_to_sets(const struct parts *all, struct part *p, uint32_t k, uint32_t i, bool above)
{
	const struct dominators *d = all->r->d;
	uint32_t size = SCRATCH(d->size, uint32_t)[i], object = d->order[i - 1], class = heap_class(&d->h, object), of;
	uint64_t bytes = get_bytes(all->r, i) * d->unit;

	if (class == 0 || class > d->h.classes)
		return;
	add_member(&p->set[SETS_CLASS], class - 1, k, size, bytes, above);
	of = heap_class_of_object(&d->h, object);
	of = of != 0 ? of : class;
	for (unsigned by = 0; by < COMPONENTS; by++)
		add_member(&p->set[by], SCRATCH(all->first[by], uint32_t)[of] - 1, k, size, bytes, above);
	if (!above) {
		p->live[class - 1]++;
		p->objects[of - 1]++;
		p->shallow[of - 1] += shallow_of(all->r, object, class);
	}
	/* A loader holds itself, its classes and their instances. */
	of = (uint32_t)column_get(all->loader, of - 1);
	if (of != 0)
		add_member(&p->set[SETS_LOADER], of - 1, k, size, bytes, above);
	of = idmap_get(&all->map, object);
	if (of != 0)
		add_member(&p->set[SETS_LOADER], of - 1, k, size, bytes, above);
}

/* Puts numbers in preorder of the dominator tree. */
static bool
put_preorder(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	const struct parts *all = arg;
	const uint32_t *first = SCRATCH(all->r->d->first, uint32_t);
	uint32_t *number = SCRATCH(all->preorder, uint32_t);

	for (uint64_t i = from; i < to; i++)
		number[first[i]] = (uint32_t)i;
	return work_go(w, to, err);
}

/* Prefetches what the loop will read of number i, and the class of the number before. */
static inline void
fetch_member(const struct retain *r, uint32_t i, uint32_t before)
{
	const struct dominators *d = r->d;

	__builtin_prefetch(&d->order[i - 1]);
	__builtin_prefetch(&SCRATCH(d->size, uint32_t)[i]);
	__builtin_prefetch(r->bytes.data + (uint64_t)i * (d->wide ? 8 : 4));
	__builtin_prefetch((const char *)d->h.class->values + ((uint64_t)d->order[before - 1] - 1) *
	    column_width(d->h.class->type));
}

static bool
open_part(const struct parts *all, struct part *p, struct err *err)
{
	uint64_t classes = all->r->d->h.classes, n = SETS_LOADER * classes + all->loaders;

	if (!scratch_array(&p->sums, n + classes + 1, sizeof(uint64_t), err) ||
	    !scratch_array(&p->ends, n + 2 * classes + 1, sizeof(uint32_t), err))
		return false;
	for (unsigned i = 0; i < SETS; i++)
		p->set[i] = (struct sets){ SCRATCH(p->sums, uint64_t) + i * classes, SCRATCH(p->ends, uint32_t) + i * classes };
	p->shallow = SCRATCH(p->sums, uint64_t) + n;
	p->live = SCRATCH(p->ends, uint32_t) + n;
	p->objects = p->live + classes;
	return true;
}

/* What members in front of the range dominate in it does not count: they are above its first number, the outermost is met last. */
static bool
add_part(void *arg, uint64_t part, struct work *w, struct err *err)
{
	const struct parts *all = arg;
	const struct dominators *d = all->r->d;
	const uint32_t *number = SCRATCH(all->preorder, uint32_t), *first = SCRATCH(d->first, uint32_t);
	uint32_t from = (uint32_t)(part * d->n / all->n) + 1, to = (uint32_t)((part + 1) * d->n / all->n), i;
	struct part *p = &all->part[part];

	if (!open_part(all, p, err))
		return false;
	for (i = from > 1 ? parent_of(d, number[from]) : 0; i != 0; i = parent_of(d, i))
		add_to_sets(all, p, first[i], i, true);
	for (uint32_t k = from; k <= to; k++) {
		if (k % TICK == 0 && !work_tick(w, k))
			return fail_cancel(err);
		i = number[k];
		if (k + AHEAD <= to)
			fetch_member(all->r, number[k + AHEAD], number[k + AHEAD / 2]);
		add_to_sets(all, p, k, i, false);
	}
	return true;
}
static bool
map_loaders(struct parts *all, struct err *err)
{
	const struct column *object = store_column(all->r->d->st, COL_LOADER_OBJECT);

	for (uint32_t i = 1; object != NULL && i < object->rows; i++)
		if (column_get(object, i) != 0 && !idmap_put(&all->map, column_get(object, i), i + 1, err))
			return false;
	return true;
}

static bool
add_parts(struct parts *all)
{
	struct dominators *d = all->r->d;

	work_start(d->work, "retained sizes of classes", d->n);
	return map_loaders(all, d->err) && scratch_array(&all->preorder, (uint64_t)d->n + 1, sizeof(uint32_t), d->err) &&
	    pool_ranges(d->work, (uint64_t)d->n + 1, put_preorder, all, d->err) &&
	    pool_run(d->work, all->n, add_part, all, d->err);
}

/* The columns are the sums of all parts. */
static bool
put_set(struct parts *all, enum col col, unsigned set, uint64_t n)
{
	struct dominators *d = all->r->d;
	uint64_t *to = heap_make(d->st, &d->h, col, COL_U64, n, d->err);

	for (struct part *p = all->part; to != NULL && p < all->part + all->n; p++)
		for (uint64_t i = 0; i < n; i++)
			to[i] = num_add(to[i], p->set[set].retained[i]);
	return to != NULL;
}

static bool
put_counts(struct parts *all)
{
	struct dominators *d = all->r->d;
	uint32_t *live = heap_make(d->st, &d->h, COL_EACH_CLASS_LIVE, COL_U32, d->h.classes, d->err);
	uint32_t *objects = heap_make(d->st, &d->h, COL_EACH_COMPONENT_OBJECTS, COL_U32, d->h.classes, d->err);
	uint64_t *shallow = heap_make(d->st, &d->h, COL_EACH_COMPONENT_SHALLOW, COL_U64, d->h.classes, d->err);

	if (live == NULL || objects == NULL || shallow == NULL)
		return false;
	for (struct part *p = all->part; p < all->part + all->n; p++)
		for (uint64_t i = 0; i < d->h.classes; i++) {
			live[i] += p->live[i];
			objects[i] += p->objects[i];
			shallow[i] += p->shallow[i] * d->unit;
		}
	return true;
}

static bool
put_sets(struct parts *all)
{
	uint64_t classes = all->r->d->h.classes;

	for (unsigned by = 0; by < COMPONENTS; by++)
		if (!put_set(all, COL_EACH_COMPONENT_PACKAGE + by, by, classes))
			return false;
	return put_set(all, COL_EACH_CLASS_RETAINED, SETS_CLASS, classes) &&
	    put_set(all, COL_EACH_LOADER_RETAINED, SETS_LOADER, all->loaders) && put_counts(all);
}

static bool
find_components(struct parts *all, struct err *err)
{
	const struct heap *h = &all->r->d->h;

	for (unsigned by = 0; by < COMPONENTS; by++)
		if (!scratch_array(&all->first[by], h->classes + 1ull, sizeof(uint32_t), err) ||
		    !heap_components(h, (enum component_by)by, SCRATCH(all->first[by], uint32_t), err))
			return false;
	return true;
}

static bool
sum_sets(struct retain *r)
{
	struct dominators *d = r->d;
	struct parts all = { .r = r, .n = pool_size(), .map = IDMAP_INIT, .loader = store_column(d->st, COL_CLASS_LOADER),
	    .loaders = column_rows(store_column(d->st, COL_LOADER_OBJECT)) };
	bool ok;

	all.part = mem_array((size_t)all.n, sizeof *all.part);
	ok = all.part != NULL || fail(d->err, E_SYSTEM, "out of memory (retained sizes)");
	ok = ok && find_components(&all, d->err) && add_parts(&all) && put_sets(&all);
	for (uint64_t i = 0; all.part != NULL && i < all.n; i++)
		SCRATCH_FREE(&all.part[i].sums, &all.part[i].ends);
	free(all.part);
	SCRATCH_FREE(&all.preorder, &all.first[BY_PACKAGE], &all.first[BY_LOADER], &all.first[BY_CLASS], &r->sizes);
	idmap_free(&all.map);
	return ok;
}

/* ---- objects ---------------------------------------------------------------------------- */

/* From here on the columns are no longer the working memory of the pass. */
static bool
take_columns(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	struct retain *r = arg;
	struct dominators *d = r->d;
	uint64_t most = to < d->n ? to : d->n;

	if (from < most) {
		memcpy(SCRATCH(r->order, uint32_t) + from, d->order + from, (most - from) * sizeof(uint32_t));
		memcpy(SCRATCH(r->parent, uint32_t) + from, d->parent + from, (most - from) * sizeof(uint32_t));
	}
	memset(d->order + from, 0, (to - from) * sizeof(uint32_t));
	memset(d->parent + from, 0, (to - from) * sizeof(uint32_t));
	return work_go(w, to, err);
}

static bool
put_objects_of(void *arg, uint64_t from, uint64_t to, struct work *w, struct err *err)
{
	struct retain *r = arg;
	struct dominators *d = r->d;
	const uint32_t *order = SCRATCH(r->order, uint32_t), *parent = SCRATCH(r->parent, uint32_t);
	uint32_t *out = d->parent, above;

	for (uint64_t i = from; i < to; i++) {
		if (i % TICK == 0 && !work_tick(w, i))
			return fail_cancel(err);
		if (i + AHEAD < to) {
			__builtin_prefetch(&out[order[i + AHEAD] - 1], 1);
			__builtin_prefetch((char *)d->retained + (uint64_t)(order[i + AHEAD] - 1) * (d->wide ? 8 : 4), 1);
		}
		above = parent[i];
		out[order[i] - 1] = above == 0 ? HEAP_ROOT : order[above - 1];
		column_set(d->retained, d->wide ? COL_U64 : COL_U32, order[i] - 1, get_bytes(r, (uint32_t)i + 1));
	}
	return true;
}

static bool
put_objects(struct retain *r)
{
	struct dominators *d = r->d;

	work_start(d->work, "retained sizes", d->n);
	return scratch_array(&r->order, d->n, sizeof(uint32_t), d->err) && scratch_array(&r->parent, d->n, sizeof(uint32_t), d->err) &&
	    pool_ranges(d->work, d->h.objects, take_columns, r, d->err) && pool_ranges(d->work, d->n, put_objects_of, r, d->err);
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool
put_facts(struct retain *r)
{
	struct dominators *d = r->d;

	return heap_fact_set(d->st, "unit", d->h.refs, d->h.sizes, FACT_COUNT, d->unit, d->err) &&
	    heap_fact_set(d->st, "live_objects", d->h.refs, d->h.sizes, FACT_COUNT, d->n, d->err) &&
	    heap_fact_set(d->st, "live_bytes", d->h.refs, d->h.sizes, FACT_BYTES, get_bytes(r, 0) * d->unit,
	    d->err);
}

bool
dominators_out(struct dominators *d)
{
	struct retain r = { .d = d };
	bool ok;

	ok = scratch_array(&r.bytes, (uint64_t)d->n + 1,
	    d->wide ? sizeof(uint64_t) : sizeof(uint32_t), d->err) && add_shallow(&r);
	if (ok) {
		add_up(&r);
		ok = sum_sets(&r);
		SCRATCH_FREE(&d->first, &d->size);
		ok = ok && put_objects(&r) && put_facts(&r);
	}
	SCRATCH_FREE(&r.bytes, &r.sizes, &r.order, &r.parent);
	return ok;
}
