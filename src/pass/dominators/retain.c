/*
 * retain: retained sizes from dominators: of objects, of classes, of class
 * loaders.
 *
 * What a set of objects retains is the sum over those that no other of the set dominates.
 */
#include "config.h"

#include <string.h>

#include "dominators.h"

#define TICK 65536u
#define AHEAD 16u		/* so far in front, what will be written at random is fetched */

struct retain {
	struct dominators *d;
	struct scratch	 bytes;		/* by number, in units: shallow, then retained; u64 or u32 as the column */
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

/* Computes shallow sizes in the order of objects, in which they lie, and stores them by number. */
static bool
add_shallow(struct retain *r)
{
	struct dominators *d = r->d;
	const uint32_t *num = SCRATCH(d->num, uint32_t);
	const uint8_t *length = column_all(d->h.length);
	unsigned shift = (unsigned)__builtin_ctzll(d->unit);
	struct scratch sizes = SCRATCH_INIT;
	uint64_t up = d->h.rule.android ? 0 : d->unit - 1, bytes;
	const struct sizes *s;
	bool ok = read_sizes(&d->h, &sizes, d->err);

	work_start(d->work, "shallow sizes", d->h.objects);
	for (uint32_t i = 1; ok && i <= d->h.objects; i++) {
		if (i % TICK == 0 && !work_tick(d->work, i))
			ok = fail_cancel(d->err);
		if (i + AHEAD <= d->h.objects)
			fetch_bytes(r, num[i + AHEAD - 1]);
		if (num[i - 1] == 0)
			continue;
		s = &SCRATCH(sizes, struct sizes)[heap_class(&d->h, i)];
		bytes = s->special || length[i - 1] == HEAP_LONG_LIST ||
		    d->h.rule.align != d->unit ? heap_shallow(&d->h, i) :
		    s->bytes + (uint64_t)length[i - 1] * s->width;
		set_bytes(r, num[i - 1], (bytes + up) >> shift);
	}
	SCRATCH_FREE(&sizes, &d->num);
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
	struct scratch	 ends;
};

static inline void
add_member(struct sets *s, uint32_t set, uint32_t first, uint32_t size, uint64_t bytes)
{
	if (first < s->end[set])
		return;
	s->end[set] = first + size;
	s->retained[set] = num_add(s->retained[set], bytes);
}

static bool
make_set(struct retain *r, struct sets *s, enum col col, uint64_t n)
{
	struct dominators *d = r->d;

	s->retained = heap_make(d->st, &d->h, col, COL_U64, n, d->err);
	if (s->retained == NULL || !scratch_array(&s->ends, n + 1, sizeof *s->end, d->err))
		return false;
	s->end = SCRATCH(s->ends, uint32_t);
	return true;
}

/* Puts numbers in preorder of the dominator tree. */
static bool
make_preorder(struct retain *r, struct scratch *at)
{
	uint32_t *number;

	if (!scratch_array(at, (uint64_t)r->d->n + 1, sizeof *number, r->d->err))
		return false;
	number = SCRATCH(*at, uint32_t);
	for (uint32_t i = 0; i <= r->d->n; i++)
		number[SCRATCH(r->d->first, uint32_t)[i]] = i;
	return true;
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
add_sets(struct retain *r, struct sets *by_class, struct sets *by_loader, uint32_t *live)
{
	struct dominators *d = r->d;
	const struct column *loader = store_column(d->st, COL_CLASS_LOADER);
	const struct column *loader_object = store_column(d->st, COL_LOADER_OBJECT);
	const uint32_t *size = SCRATCH(d->size, uint32_t);
	struct scratch preorder = SCRATCH_INIT;
	uint32_t i, class, of, object;
	uint64_t bytes;
	struct idmap map = IDMAP_INIT;
	bool ok = make_preorder(r, &preorder);

	for (i = 1; ok && loader_object != NULL && i < loader_object->rows; i++)
		if (column_get(loader_object, i) != 0)
			ok = idmap_put(&map, column_get(loader_object, i), i + 1, d->err);
	work_start(d->work, "retained sizes of classes", d->n);
	for (uint32_t k = 1; ok && k <= d->n; k++) {
		if (k % TICK == 0 && !work_tick(d->work, k))
			ok = fail_cancel(d->err);
		i = SCRATCH(preorder, uint32_t)[k];
		if (k + AHEAD <= d->n)
			fetch_member(r, SCRATCH(preorder, uint32_t)[k + AHEAD],
			    SCRATCH(preorder, uint32_t)[k + AHEAD / 2]);
		object = d->order[i - 1];
		bytes = get_bytes(r, i) * r->d->unit;
		class = heap_class(&d->h, object);
		if (class == 0 || class > d->h.classes)
			continue;
		live[class - 1]++;
		add_member(by_class, class - 1, k, size[i], bytes);
		/* A loader holds itself, its classes and their instances. */
		of = heap_class_of_object(&d->h, object);
		of = (uint32_t)column_get(loader, (of != 0 ? of : class) - 1);
		if (of != 0)
			add_member(by_loader, of - 1, k, size[i], bytes);
		of = idmap_get(&map, object);
		if (of != 0)
			add_member(by_loader, of - 1, k, size[i], bytes);
	}
	scratch_free(&preorder);
	idmap_free(&map);
	return ok;
}

static bool
put_sets(struct retain *r)
{
	struct dominators *d = r->d;
	const struct column *loader = store_column(d->st, COL_LOADER_OBJECT);
	struct sets by_class, by_loader;
	uint32_t *live;
	bool ok;

	by_class.ends = by_loader.ends = SCRATCH_INIT;
	live = heap_make(d->st, &d->h, COL_EACH_CLASS_LIVE, COL_U32, d->h.classes, d->err);
	ok = live != NULL && make_set(r, &by_class, COL_EACH_CLASS_RETAINED, d->h.classes) &&
	    make_set(r, &by_loader, COL_EACH_LOADER_RETAINED, loader == NULL ? 0 : loader->rows) &&
	    add_sets(r, &by_class, &by_loader, live);
	SCRATCH_FREE(&by_class.ends, &by_loader.ends);
	return ok;
}

/* ---- objects ---------------------------------------------------------------------------- */

/* From here on the columns are no longer the working memory of the pass. */
static bool
take_columns(struct retain *r)
{
	struct dominators *d = r->d;
	size_t bytes = d->n * sizeof(uint32_t);

	if (!scratch_grow(&r->order, bytes, d->err) || !scratch_grow(&r->parent, bytes, d->err))
		return false;
	memcpy(r->order.data, d->order, bytes);
	memcpy(r->parent.data, d->parent, bytes);
	memset(d->order, 0, d->h.objects * (d->wide ? sizeof(uint64_t) : sizeof(uint32_t)));
	memset(d->parent, 0, d->h.objects * sizeof(uint32_t));
	return true;
}

static bool
put_objects(struct retain *r)
{
	struct dominators *d = r->d;
	uint32_t *to = d->parent, above;
	const uint32_t *order, *parent;

	if (d->n > 0 && !take_columns(r))
		return false;
	order = SCRATCH(r->order, uint32_t);
	parent = SCRATCH(r->parent, uint32_t);
	work_start(d->work, "retained sizes", d->n);
	for (uint32_t i = 1; i <= d->n; i++) {
		if (i % TICK == 0 && !work_tick(d->work, i))
			return fail_cancel(d->err);
		if (i + AHEAD <= d->n) {
			__builtin_prefetch(&to[order[i + AHEAD - 1] - 1], 1);
			__builtin_prefetch((char *)d->retained +
			    (uint64_t)(order[i + AHEAD - 1] - 1) * (d->wide ? 8 : 4), 1);
		}
		above = parent[i - 1];
		to[order[i - 1] - 1] = above == 0 ? HEAP_ROOT : order[above - 1];
		column_set(d->retained, d->wide ? COL_U64 : COL_U32, order[i - 1] - 1, get_bytes(r, i));
	}
	return true;
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
		ok = put_sets(&r);
		SCRATCH_FREE(&d->first, &d->size);
		ok = ok && put_objects(&r) && put_facts(&r);
	}
	SCRATCH_FREE(&r.bytes, &r.order, &r.parent);
	return ok;
}
