/*
 * retain: retained sizes from dominators: of objects, of classes, of class
 * loaders.
 *
 * What a set of objects retains is the sum over those that no other of the set dominates.
 */
#include "config.h"

#include "dominators.h"

#define TICK 65536u

struct retain {
	struct dominators *d;
	const uint32_t	*order, *dominator, *first, *size;
	struct scratch	 bytes;		/* u64 by number: shallow, then retained */
	uint64_t	 unit, live_objects, live_bytes;
};

/* ---- objects ----------------------------------------------------------------------- */

/* Shallow sizes by object, which is the order they lie in, to where their numbers are. */
static bool
add_shallow(struct retain *r)
{
	struct dominators *d = r->d;
	const uint32_t *num = SCRATCH(d->num, uint32_t);
	uint64_t *bytes = SCRATCH(r->bytes, uint64_t);
	uint32_t i;

	work_start(d->work, "shallow sizes", d->h.objects);
	for (i = 1; i <= d->h.objects; i++) {
		if (i % TICK == 0 && !work_tick(d->work, i))
			return fail_cancel(d->err);
		if (num[i - 1] != 0)
			bytes[num[i - 1]] = heap_shallow(&d->h, i);
	}
	return true;
}

/* A dominator has a smaller number than what it dominates. */
static void
add_up(struct retain *r)
{
	uint64_t *bytes = SCRATCH(r->bytes, uint64_t);
	uint32_t i;

	for (i = r->d->n; i > 0; i--)
		bytes[r->dominator[i]] = num_add(bytes[r->dominator[i]], bytes[i]);
	r->live_objects = r->d->n;
	r->live_bytes = bytes[0];
}

static bool
put_objects(struct retain *r)
{
	struct dominators *d = r->d;
	const uint64_t *bytes = SCRATCH(r->bytes, uint64_t);
	enum column_type type = column_fit(bytes[0] / r->unit);
	uint32_t *parent, i, object;
	char name[HEAP_COLUMN];
	void *retained;

	type = type < COL_U32 ? COL_U32 : type;
	parent = store_make(d->st, heap_column(name, "REFS.SIZES.parent", d->h.refs, d->h.sizes),
	    COL_U32, d->h.objects, d->err);
	retained = parent == NULL ? NULL : store_make(d->st, heap_column(name,
	    "REFS.SIZES.retained", d->h.refs, d->h.sizes), type, d->h.objects, d->err);
	if (retained == NULL)
		return false;
	work_start(d->work, "retained sizes", d->n);
	for (i = 1; i <= d->n; i++) {
		if (i % TICK == 0 && !work_tick(d->work, i))
			return fail_cancel(d->err);
		object = r->order[i];
		parent[object - 1] = r->dominator[i] == 0 ? HEAP_ROOT : r->order[r->dominator[i]];
		column_set(retained, type, object - 1, bytes[i] / r->unit);
	}
	return true;
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
make_set(struct retain *r, struct sets *s, const char *column, uint64_t n)
{
	struct dominators *d = r->d;
	char name[HEAP_COLUMN];

	s->ends = SCRATCH_INIT;
	s->retained = store_make(d->st, heap_column(name, column, d->h.refs, d->h.sizes), COL_U64,
	    n, d->err);
	if (s->retained == NULL || !scratch_array(&s->ends, n + 1, sizeof *s->end, d->err))
		return false;
	s->end = SCRATCH(s->ends, uint32_t);
	return true;
}

/* Numbers in preorder of the dominator tree. */
static bool
make_preorder(struct retain *r, struct scratch *at)
{
	uint32_t *number, i;

	if (!scratch_array(at, (uint64_t)r->d->n + 1, sizeof *number, r->d->err))
		return false;
	number = SCRATCH(*at, uint32_t);
	for (i = 0; i <= r->d->n; i++)
		number[r->first[i]] = i;
	return true;
}

static bool
add_sets(struct retain *r, struct sets *by_class, struct sets *by_loader, uint32_t *live)
{
	struct dominators *d = r->d;
	const struct column *loader = store_column(d->st, "class.loader");
	const struct column *loader_object = store_column(d->st, "loader.object");
	const uint64_t *bytes = SCRATCH(r->bytes, uint64_t);
	struct scratch preorder = SCRATCH_INIT;
	uint32_t i, k, class, of, object;
	struct idmap map = IDMAP_INIT;
	bool ok = make_preorder(r, &preorder);

	for (i = 1; ok && loader_object != NULL && i < loader_object->rows; i++)
		if (column_get(loader_object, i) != 0)
			ok = idmap_put(&map, column_get(loader_object, i), i + 1, d->err);
	work_start(d->work, "retained sizes of classes", d->n);
	for (k = 1; ok && k <= d->n; k++) {
		if (k % TICK == 0 && !work_tick(d->work, k))
			ok = fail_cancel(d->err);
		i = SCRATCH(preorder, uint32_t)[k];
		object = r->order[i];
		class = heap_class(&d->h, object);
		if (class == 0 || class > d->h.classes)
			continue;
		live[class - 1]++;
		add_member(by_class, class - 1, k, r->size[i], bytes[i]);
		/* A loader holds itself, its classes and their instances. */
		of = heap_class_of_object(&d->h, object);
		of = (uint32_t)column_get(loader, (of != 0 ? of : class) - 1);
		if (of != 0)
			add_member(by_loader, of - 1, k, r->size[i], bytes[i]);
		of = idmap_get(&map, object);
		if (of != 0)
			add_member(by_loader, of - 1, k, r->size[i], bytes[i]);
	}
	scratch_free(&preorder);
	idmap_free(&map);
	return ok;
}

static bool
put_sets(struct retain *r)
{
	struct dominators *d = r->d;
	const struct column *loader = store_column(d->st, "loader.object");
	struct sets by_class, by_loader;
	char name[HEAP_COLUMN];
	uint32_t *live;
	bool ok;

	by_class.ends = by_loader.ends = SCRATCH_INIT;
	live = store_make(d->st, heap_column(name, "REFS.SIZES.class_live", d->h.refs,
	    d->h.sizes), COL_U32, d->h.classes, d->err);
	ok = live != NULL && make_set(r, &by_class, "REFS.SIZES.class_retained", d->h.classes) &&
	    make_set(r, &by_loader, "REFS.SIZES.loader_retained", loader == NULL ? 0 : loader->rows) &&
	    add_sets(r, &by_class, &by_loader, live);
	scratch_free(&by_class.ends);
	scratch_free(&by_loader.ends);
	return ok;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool
put_facts(struct retain *r)
{
	struct dominators *d = r->d;
	char name[HEAP_COLUMN];

	return store_fact(d->st, heap_column(name, "REFS.SIZES.unit", d->h.refs, d->h.sizes),
	    FACT_COUNT, r->unit, d->err) &&
	    store_fact(d->st, heap_column(name, "REFS.SIZES.live_objects", d->h.refs, d->h.sizes),
	    FACT_COUNT, r->live_objects, d->err) &&
	    store_fact(d->st, heap_column(name, "REFS.SIZES.live_bytes", d->h.refs, d->h.sizes),
	    FACT_BYTES, r->live_bytes, d->err);
}

bool
dominators_out(struct dominators *d)
{
	struct retain r = { .d = d, .order = SCRATCH(d->order, uint32_t),
	    .dominator = SCRATCH(d->parent, uint32_t), .first = SCRATCH(d->first, uint32_t),
	    .size = SCRATCH(d->size, uint32_t), .bytes = SCRATCH_INIT,
	    .unit = d->h.rule.android ? 1 : d->h.rule.align };
	bool ok;

	ok = scratch_array(&r.bytes, (uint64_t)d->n + 1, sizeof(uint64_t), d->err) &&
	    add_shallow(&r);
	if (ok) {
		add_up(&r);
		ok = put_objects(&r) && put_sets(&r) && put_facts(&r);
	}
	scratch_free(&r.bytes);
	return ok;
}
