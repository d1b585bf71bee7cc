/*
 * paths: from an object over what refers to it to the roots, breadth first.
 */
#include "config.h"

#include <stdlib.h>

#include "slots.h"

/* An object met; from: index of the node it refers to. */
struct node {
	uint32_t	object, from;
};

/* The end of a path: what root refers to.  Root and node are the same where the object is a root itself. */
struct hit {
	uint32_t	node, root, row, rank;
};

struct heap_paths {
	const struct heap	*heap;
	const struct column	*strength;	/* class.strength */
	bool			 chains;
	bool			 pseudo;	/* the dump has no roots */
	struct scratch		 seen, roots;	/* u64 words of bits, by object */
	struct scratch		 nodes;
	uint64_t		 n, at;		/* nodes; the one whose referrers are looked at */
	uint64_t		 level;		/* nodes in front of it are of the present distance, or nearer */
	struct heap_walk	 walk;		/* the referrers of node at */
	bool			 walking;
	uint32_t		 last;		/* referrer before */
	struct scratch		 hits;		/* of the present distance */
	uint64_t		 nhits, hit;
	bool			 ready;		/* they are complete and in order; those in front of hit were given out */
	struct idmap		 rows;		/* root objects to their rows in root.*, once there was a hit */
	bool			 found;
	struct scratch		 instance;	/* u32: the lowest reachable instance of each class; size 0: not made */
	uint64_t		 classes;	/* nodes in front of it have given their instances */
	struct scratch		 path;
};

/* ---- sets of objects -------------------------------------------------------------- */

static bool
bits_make(struct scratch *s, const struct heap *h, struct err *err)
{
	return scratch_array(s, h->objects / 64 + 1ull, sizeof(uint64_t), err);
}

static bool
bit_get(const struct scratch *s, uint32_t i)
{
	return (SCRATCH(*s, uint64_t)[i / 64] >> i % 64 & 1) != 0;
}

static void
bit_set(struct scratch *s, uint32_t i)
{
	SCRATCH(*s, uint64_t)[i / 64] |= 1ull << i % 64;
}

/* ---- roots ------------------------------------------------------------------------- */

/* Of several roots of one object, and of several objects, the first of these is the better answer. */
static uint32_t
kind_rank(uint64_t kind)
{
	static const uint8_t order[] = {
		ROOT_THREAD, ROOT_JAVA_FRAME, ROOT_JNI_LOCAL, ROOT_JNI_GLOBAL,
		ROOT_STICKY_CLASS, ROOT_MONITOR
	};
	uint32_t i;

	for (i = 0; i < NELEM(order) && order[i] != kind; i++)
		continue;
	return i;
}

struct root_columns {
	const struct column *object, *kind, *thread, *threads;
};

static void
find_roots(struct root_columns *c, const struct store *st)
{
	c->object = store_column(st, "root.object");
	c->kind = store_column(st, "root.kind");
	c->thread = store_column(st, "root.thread");
	c->threads = store_column(st, "jthread.object");
}

/* The object of a root, from row 1 on; 0: its thread holds it, so it is none. */
static uint32_t
root_object(const struct root_columns *c, const struct heap *h, uint64_t row)
{
	uint32_t object = (uint32_t)column_get(c->object, row - 1);
	uint64_t thread = column_get(c->thread, row - 1);

	if (object > h->objects || (root_is_local(column_get(c->kind, row - 1)) &&
	    thread != 0 && column_get(c->threads, thread - 1) != 0))
		return 0;
	return object;
}

static void
mark_roots(struct heap_paths *p)
{
	struct root_columns c;
	uint32_t object;
	uint64_t row;

	find_roots(&c, p->heap->st);
	for (row = 1; c.object != NULL && row <= c.object->rows; row++) {
		object = root_object(&c, p->heap, row);
		if (object != 0)
			bit_set(&p->roots, object);
	}
}

/* In a dump without roots: classes, and what nothing refers to. */
static bool
is_root(const struct heap_paths *p, uint32_t object)
{
	struct heap_walk w;

	if (!p->pseudo)
		return bit_get(&p->roots, object);
	if (heap_class_of_object(p->heap, object) != 0)
		return true;
	heap_in(p->heap, object, &w);
	return heap_next(&w, NULL) == 0;
}

/* The best row of each root object. */
static bool
map_roots(struct heap_paths *p, struct err *err)
{
	struct root_columns c;
	uint32_t object, before;
	uint64_t row;

	find_roots(&c, p->heap->st);
	for (row = 1; c.object != NULL && row <= c.object->rows; row++) {
		object = root_object(&c, p->heap, row);
		before = object == 0 ? 0 : idmap_get(&p->rows, object);
		if (object == 0 || (before != 0 &&
		    kind_rank(column_get(c.kind, before - 1)) <=
		    kind_rank(column_get(c.kind, row - 1))))
			continue;
		if (!idmap_put(&p->rows, object, (uint32_t)row, err))
			return false;
	}
	return true;
}

/* ---- hits ---------------------------------------------------------------------------- */

static int
hit_order(const void *x, const void *y)
{
	const struct hit *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static bool
order_hits(struct heap_paths *p, struct err *err)
{
	const struct column *kind = store_column(p->heap->st, "root.kind");
	struct hit *hit = SCRATCH(p->hits, struct hit);
	uint64_t i;

	if (p->nhits > 0 && !p->chains && p->rows.n == 0 && !map_roots(p, err))
		return false;
	for (i = 0; i < p->nhits && !p->chains; i++) {
		hit[i].row = idmap_get(&p->rows, hit[i].root);
		hit[i].rank = kind_rank(column_get(kind, hit[i].row - 1ull));
	}
	if (p->nhits > 1)
		qsort(hit, p->nhits, sizeof *hit, hit_order);
	return true;
}

static bool
add_hit(struct heap_paths *p, uint64_t node, uint32_t root, struct err *err)
{
	if (!scratch_array(&p->hits, p->nhits + 1, sizeof(struct hit), err))
		return false;
	SCRATCH(p->hits, struct hit)[p->nhits++] =
	    (struct hit){ .node = (uint32_t)node, .root = root };
	p->found = true;
	return true;
}

static bool
add_node(struct heap_paths *p, uint32_t object, uint64_t from, struct err *err)
{
	if (!scratch_array(&p->nodes, p->n + 1, sizeof(struct node), err))
		return false;
	SCRATCH(p->nodes, struct node)[p->n++] = (struct node){ object, (uint32_t)from };
	bit_set(&p->seen, object);
	return true;
}

/* ---- edges ------------------------------------------------------------------------------ */

/* Whether holder refers to object in a way that counts. */
static bool
edge_counts(const struct heap_paths *p, uint32_t holder, uint32_t object)
{
	const struct heap *h = p->heap;
	uint64_t strength = column_get(p->strength, heap_class(h, holder) - 1ull);
	enum heap_strength s;
	struct heap_walk w;
	uint32_t to;

	if (strength == HEAP_STRONG)
		return true;
	if (p->chains && (strength == HEAP_WEAK || strength == HEAP_FINALIZER))
		return false;
	heap_out(h, holder, &w);
	while ((to = heap_next(&w, &s)) != 0)
		if (to == object && heap_counts(h, s))
			return true;
	return false;
}

static bool
holds_by_static(const struct heap *h, uint32_t holder, uint32_t object)
{
	struct heap_slots s;
	struct heap_slot slot;

	if (!heap_slots(h, holder, &s))
		return false;
	while (heap_slot(&s, &slot) && slot.kind == SLOT_STATIC)
		if (slot.object == object)
			return true;
	return false;
}

/* A referrer of a node: the end of a path, one more node, or nothing new. */
static bool
meet(struct heap_paths *p, uint64_t node, uint32_t holder, struct err *err)
{
	const struct heap *h = p->heap;
	uint32_t object = SCRATCH(p->nodes, struct node)[node].object;
	bool ends;

	if (bit_get(&p->seen, holder) ||
	    (h->parent != NULL && heap_dominator(h, holder) == 0))
		return true;
	ends = p->chains ? heap_class_of_object(h, holder) != 0 :
	    is_root(p, holder);
	if (!edge_counts(p, holder, object))
		return true;
	if (!ends)
		return add_node(p, holder, node, err);
	return (p->chains && !holds_by_static(h, holder, object)) ||
	    add_hit(p, node, holder, err);
}

/* ---- classes that only their instances hold ------------------------------------------------ */

static bool
find_instances(struct heap_paths *p, struct work *work, struct err *err)
{
	const struct heap *h = p->heap;
	uint32_t *first, object, class;

	if (!scratch_array(&p->instance, h->classes + 1ull, sizeof *first, err))
		return false;
	first = SCRATCH(p->instance, uint32_t);
	for (object = h->objects; object > 0; object--) {
		if (object % 65536 == 0 && work != NULL && !work_tick(work, object)) {
			scratch_free(&p->instance);
			p->instance = SCRATCH_INIT;
			return fail_cancel(err);
		}
		class = (uint32_t)column_get(h->class, object - 1ull);
		if (class <= h->classes &&
		    (h->parent == NULL || heap_dominator(h, object) != 0))
			first[class] = object;
	}
	return true;
}

/* An instance for each class that was met since the last time. */
static bool
add_instances(struct heap_paths *p, struct work *work, struct err *err)
{
	uint64_t end = p->n;
	uint32_t class, object;

	for (; p->classes < end; p->classes++) {
		object = SCRATCH(p->nodes, struct node)[p->classes].object;
		class = heap_class_of_object(p->heap, object);
		if (class == 0)
			continue;
		if (p->instance.size == 0 && !find_instances(p, work, err))
			return false;
		object = SCRATCH(p->instance, uint32_t)[class];
		if (object != 0 && !meet(p, p->classes, object, err))
			return false;
	}
	return true;
}

/* Only circles lead to it, in a dump without roots: the lowest number of them all is taken as one. */
static bool
add_lowest(struct heap_paths *p, struct err *err)
{
	const struct node *node = SCRATCH(p->nodes, struct node);
	uint64_t i, low = 0;

	for (i = 1; i < p->n; i++)
		if (node[i].object < node[low].object)
			low = i;
	return add_hit(p, low, node[low].object, err);
}

/* What else leads on where no reference does. */
static bool
add_more(struct heap_paths *p, struct work *work, struct err *err)
{
	return p->pseudo ? add_lowest(p, err) : add_instances(p, work, err);
}

/* ---- breadth first ------------------------------------------------------------------------- */

/* All referrers of node at; false when it stopped before their end: more is true, or err is filled. */
static bool
expand(struct heap_paths *p, uint64_t *left, bool *more, struct work *work, struct err *err)
{
	uint32_t object = SCRATCH(p->nodes, struct node)[p->at].object, holder;

	if (!p->walking) {
		heap_in(p->heap, object, &p->walk);
		p->walking = true;
		p->last = 0;
	}
	for (; *left > 0; --*left) {
		if (*left % 4096 == 0 && work != NULL && !work_tick(work, p->n))
			return fail_cancel(err);
		holder = heap_next(&p->walk, NULL);
		if (holder == 0) {
			p->walking = false;
			p->at++;
			return true;
		}
		if (holder == p->last || holder > p->heap->objects)
			continue;
		p->last = holder;
		if (!meet(p, p->at, holder, err))
			return false;
	}
	*more = true;
	return false;
}

/*
 * All nodes of the present distance.  False: nothing is left, it stopped, or it failed.  Class objects
 * that are held by nothing else give their instances once nothing else leads on.
 */
static bool
finish_level(struct heap_paths *p, uint64_t *left, bool *more, struct work *work,
    struct err *err)
{
	uint64_t before;

	for (;;) {
		while (p->at < p->level)
			if (!expand(p, left, more, work, err))
				return false;
		if (p->nhits > 0 || p->level < p->n)
			return order_hits(p, err);
		before = p->n;
		if (p->found || p->chains || !add_more(p, work, err) ||
		    (p->n == before && p->nhits == 0))
			return false;
		if (p->nhits == 0)
			p->level = p->n;
	}
}

static bool
take_path(struct heap_paths *p, const struct hit *hit, struct heap_path *path,
    struct err *err)
{
	const struct node *node = SCRATCH(p->nodes, struct node);
	uint32_t i = hit->node, *object;
	size_t n = 1, k;

	for (; i != 0; i = node[i].from)
		n++;
	if (!scratch_array(&p->path, n + 1, sizeof *object, err))
		return false;
	object = SCRATCH(p->path, uint32_t);
	for (k = n, i = hit->node; k-- > 0; i = node[i].from)
		object[k] = node[i].object;
	if (hit->root != object[n - 1])
		object[n++] = hit->root;
	*path = (struct heap_path){ .object = object, .n = n, .root = hit->row };
	return true;
}

bool
heap_paths_next(struct heap_paths *p, struct heap_path *path, uint64_t steps, bool *more,
    struct work *work, struct err *err)
{
	uint64_t left = steps == 0 ? UINT64_MAX : steps;

	*more = false;
	while (!p->ready || p->hit == p->nhits) {
		if (p->ready) {
			p->nhits = p->hit = 0;
			p->level = p->n;
		}
		p->ready = false;
		if (!finish_level(p, &left, more, work, err))
			return false;
		p->ready = true;
	}
	return take_path(p, &SCRATCH(p->hits, struct hit)[p->hit++], path, err);
}

/* ---- opening ------------------------------------------------------------------------------- */

static bool
begin(struct heap_paths *p, const struct heap *h, uint32_t object, struct err *err)
{
	if (object == 0 || object > h->objects)
		return fail(err, E_USAGE, "there is no object @%u", object);
	if (!bits_make(&p->seen, h, err) || !bits_make(&p->roots, h, err) ||
	    !add_node(p, object, 0, err))
		return false;
	mark_roots(p);
	p->ready = true;
	/* What is a root itself is its own shortest path. */
	if (!p->chains && is_root(p, object) && (!add_hit(p, 0, object, err) || !order_hits(p, err)))
		return false;
	return true;
}

static bool
paths_open(struct heap_paths **out, const struct heap *h, uint32_t object, bool chains,
    struct err *err)
{
	struct heap_paths *p = mem_array(1, sizeof *p);

	if (p == NULL)
		return fail(err, E_SYSTEM, "no memory for a path");
	p->seen = p->roots = p->nodes = p->hits = p->instance = p->path = SCRATCH_INIT;
	p->rows = IDMAP_INIT;
	p->heap = h;
	p->strength = store_column(h->st, "class.strength");
	p->chains = chains;
	p->pseudo = store_fact_get(h->st, "heap.pseudo") != 0;
	if (!begin(p, h, object, err)) {
		heap_paths_close(p);
		return false;
	}
	*out = p;
	return true;
}

bool
heap_paths_open(struct heap_paths **out, const struct heap *h, uint32_t object, struct err *err)
{
	return paths_open(out, h, object, false, err);
}

bool
heap_chains_open(struct heap_paths **out, const struct heap *h, uint32_t object, struct err *err)
{
	return paths_open(out, h, object, true, err);
}

void
heap_paths_close(struct heap_paths *p)
{
	if (p == NULL)
		return;
	scratch_free(&p->seen);
	scratch_free(&p->roots);
	scratch_free(&p->nodes);
	scratch_free(&p->hits);
	scratch_free(&p->instance);
	scratch_free(&p->path);
	idmap_free(&p->rows);
	free(p);
}
