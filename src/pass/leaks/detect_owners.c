/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_owners: what fills the heap, and its owners: the tree of names is walked from the top, down to an
 * owner of many things of one kind.
 */
#include "config.h"

#include <math.h>

#include "bounds.h"
#include "owners.h"
#include "pools.h"

/* bytes: less is looked at in no heap; more would leave small ones, as those of tests, without a row */
#define LEAST (64u << 10)
#define SHARE 20u		/* nor less than one part in this many */
#define FAN 20u			/* with this many children each they are many things of one kind */
#define FAN_ELEMENTS 8u		/* the same in a collection, where they are also FAN more */
#define NESTED 20u		/* more objects below one of their own make a linked structure */
#define LINKED 50u
#define WARN (4u << 20)		/* bytes: less is a note; */
#define WARN_SHARE 10u		/* nor is less than one part in this many worth a warning, */
#define WARN_FEW 100u		/* nor are fewer things in an array that is full, or fewer buffers of Netty */
/* a container that grows in each of many things has all except one part in this many of their bytes */
#define MOSTLY 4u
#define MIXED (16u << 20)	/* bytes of many kinds, and one large object */
#define POOL_STEPS 4u		/* nodes up from a queue to its pool */
#define NETTY_MANY 10u
#define PROMISED 8u		/* steps from a thing to its promise */
#define RING 256u		/* objects of a ring at least */
struct walk {
	struct finder	*f;
	const struct owners *o;
	uint64_t	 least, n;	/* n: of todo */
	struct scratch	 todo;		/* struct step */
};

/* A node to look at; one: of several that it is one of, the node. */
struct step {
	uint32_t	node, one;
};

/*
 * Things of one kind accumulate; an object has most of the bytes, or few things have all of them; several
 * collections share things (cuts.h).
 */
enum tell_what { TELL_THINGS, TELL_LARGE, TELL_CUT };

/* A candidate for a finding: where objects accumulate, which objects, and their owner. */
struct told {
	uint32_t	from;		/* the node where things gather */
	uint32_t	things;		/* what gathers there; 0: one thing, or many kinds */
	uint32_t	one, teller, content;
	uint32_t	owners;		/* as in struct finding */
	uint64_t	bytes, native, n;
	unsigned	whose;
	bool		bounded;
	bool		large;		/* TELL_LARGE */
	bool		rest;		/* a pool of which little is in use */
	bool		table;		/* made at once, and as large as it will be */
};

static inline const struct name_node *
at(const struct walk *w, uint32_t id)
{
	return owners_at(w->o, id);
}

static inline uint64_t
detect_owners_weight(const struct walk *w, uint32_t id)
{
	return owners_weight(w->o, id);
}

/* Objects that hold each other, three or more in a row: a list, a tree.  Two are how one thing is built. */
static bool
is_chain(const struct name_node *n)
{
	return n->folded > NESTED && n->folded * 3ull >= n->count * 2ull;
}

/* A chain, and not objects below one that has much else. */
static bool
is_linked(const struct walk *w, uint32_t id)
{
	uint32_t child = owners_first(w->o, id);

	return is_chain(at(w, id)) && (child == 0 || at(w, child)->count >= at(w, id)->count / NESTED ||
	    detect_owners_weight(w, child) < detect_owners_weight(w, id) - detect_owners_weight(w,
	    id) / MOSTLY);
}

/* ---- data of a finding ------------------------------------------------------------------------------ */

/* Return a factor for how much a finding looks like a leak: many things do more than few. */
static double
evidence(const struct told *t, enum finding_kind kind)
{
	double k = 0.5;

	if (t->things != 0)
		k = fmin(1.5, fmax(0.3, log10((double)(t->n > 0 ? t->n : 1)) / 3));
	if (!(t->whose & CLASS_PROGRAM))
		k /= 2;
	if (t->bounded)
		k /= 2;
	return kind == FINDING_THREAD_LOCAL ? fmax(1, k) * 1.2 : k;
}

/* Return whether the node is in the queue of a thread pool.  Objects of a worker are not in the queue. */
static bool
is_queue(const struct walk *w, uint32_t from)
{
	static const char *const pools[] = { "*ThreadPoolExecutor*", "*.ForkJoinPool$WorkQueue" };
	uint32_t pool = owners_above(w->o, from, POOL_STEPS, pools, NELEM(pools));

	return pool != 0 && !str_glob(STR("*$Worker"), at(w, pool)->class);
}

static bool
fits(const struct name_node *n, const char *const *globs)
{
	OWN_BUF field = BUF_INIT;

	name_add_field(n, &field);
	return str_glob_list(globs, n->class) || str_glob_list(globs, buf_view(&field));
}

/* Each thing has a promise, and the promise has a function that waits for it: a settled one has only its value. */
static bool
is_promised(const struct walk *w, uint32_t things, const char *const *promises)
{
	uint32_t least = at(w, things)->count / 2, id = things, child;

	for (unsigned i = 0; i < PROMISED && id != 0 && at(w, id)->count >= least; i++, id = owners_first(w->o, id)) {
		if (!fits(at(w, id), promises))
			continue;
		for (child = owners_first(w->o, id); child != 0; child = owners_next(w->o, child))
			if (at(w, child)->count >= least && at(w, child)->kind == NAME_FIELD &&
			    at(w, child)->label.n == 0 &&
			    at(w, child)->whose == CLASS_JDK)
				return true;
	}
	return false;
}

/* Timers and emitters keep functions: these are the content. */
static bool
is_kept_for(const struct walk *w, struct told *t, enum finding_kind *kind)
{
	const struct heap_language *l = heap_language_of(&w->f->h);
	uint32_t id = t->content, last = id, end = t->from;

	/* The list of an event is in an object with the lists of all. */
	if (name_is_collection(at(w, end)) && !owners_is_top(w->o, at(w, end)->parent))
		end = at(w, end)->parent;
	for (; l != NULL && !owners_is_top(w->o, id); last = id, id = at(w, id)->parent) {
		bool timer = fits(at(w, id), l->timers);

		if (timer || fits(at(w, id), l->listeners)) {
			*kind = timer ? FINDING_TIMERS : FINDING_LISTENERS;
			/* Timers, and listeners of an element, are objects with a function each. */
			if (timer || at(w, last)->count >= at(w, t->content)->count)
				t->content = last;
			return true;
		}
		if (id == end)
			break;
	}
	*kind = FINDING_PROMISES;
	return l != NULL && t->things != 0 && is_promised(w, t->things, l->promises);
}

static enum finding_kind
detect_owners_kind_of(const struct walk *w, struct told *t)
{
	const struct name_node *from = at(w, t->from), *teller = at(w, t->teller);
	const struct name_node *things = t->things == 0 ? NULL : at(w, t->things);
	bool queue = things != NULL && is_queue(w, t->from);
	enum finding_kind kept;

	/* Nobody can call remove() on one of the JDK's own, which keep buffers. */
	if (name_is_thread_local(teller->kind) && (t->native * 2 <= t->bytes ||
	    teller->holder_whose != CLASS_JDK))
		return FINDING_THREAD_LOCAL;
	/* Blame the pool's queue even if a local variable holds the pool. */
	if (teller->kind == NAME_LOCAL && !queue)
		return FINDING_THREAD;
	if (t->native * 2 > t->bytes)
		return FINDING_DIRECT;
	if (things == NULL)
		return t->large ? FINDING_LARGE : FINDING_ACCUMULATION;
	if (queue)
		return FINDING_POOL;
	if (is_kept_for(w, t, &kept))
		return kept;
	if ((is_chain(things) && things->count > LINKED) ||
	    (from->role == ROLE_PLAIN && is_linked(w, t->from)))
		return FINDING_LINKED;
	return t->bounded ? FINDING_CACHE : FINDING_ACCUMULATION;
}

/* Return whether the number of things is fixed: Netty's buffers, or an array that is full. */
static bool
is_fixed(const struct walk *w, const struct told *t)
{
	const struct name_node *from = at(w, t->from);

	return str_glob(STR("*netty.buffer.*"), at(w, t->content)->class) ||
	    (from->role == ROLE_ARRAY && from->count == 1 &&
	    heap_is_array(&w->f->h, from->object) && heap_length(&w->f->h, from->object) == at(w,
	    t->things)->count);
}

/*
 * An array of a power of two that a field of the program has, full of equally large objects: a ring that was
 * filled when it was made.
 */
static bool
is_ring(const struct walk *w, const struct told *t)
{
	const struct name_node *from = at(w, t->from), *things = at(w, t->things);
	uint32_t n;

	if (t->things == 0 || from->role != ROLE_ARRAY || from->count != 1 || !(from->holder_whose & CLASS_PROGRAM) ||
	    !heap_is_array(&w->f->h, from->object))
		return false;
	n = heap_length(&w->f->h, from->object);
	return n >= RING && (n & (n - 1)) == 0 && things->count == n && name_is_even(things);
}

static enum severity
severity_of(const struct walk *w, const struct told *t, enum finding_kind kind)
{
	bool native = t->native * 2 > t->bytes, many = (t->things != 0 && !t->large &&
	    (t->n >= WARN_FEW || !is_fixed(w, t))) ||
	    (t->large && t->bytes >= MIXED && t->bytes >= w->o->whole / 4);

	if (at(w, t->teller)->kind == NAME_LOST_LOCAL)
		return SEVERITY_LEAK;
	return !t->table && t->bytes >= WARN && t->bytes >= w->o->whole / WARN_SHARE &&
	    (many || native || kind == FINDING_THREAD) && !t->bounded && !t->rest && !is_ring(w, t) &&
	    ((t->whose & CLASS_PROGRAM) || native || t->bytes >= w->o->whole / 3) ? SEVERITY_WARNING :
	    SEVERITY_NOTE;
}

/* An immutable collection, and the parts of which Guava builds it. */
static bool
is_immutable(const struct walk *w, uint32_t from)
{
	static const char *const classes[] = { "java.util.ImmutableCollections$*",
	    "com.google.common.collect.*Immutable*" };
	uint32_t up = at(w, from)->role == ROLE_ARRAY ? at(w, from)->parent : from;

	return str_glob_any(classes, NELEM(classes), at(w, from)->class) ||
	    str_glob_any(classes, NELEM(classes), at(w, up)->class);
}

/* Skip what every program has (tables, classes and threads of the JDK) and what cannot grow. */
static bool
is_silent(const struct walk *w, const struct told *t)
{
	const struct name_node *content = at(w, t->content);
	uint64_t all = w->o->whole;

	if (t->things != 0 && is_immutable(w, t->from))
		return true;
	if (str_is(content->class, "java.lang.Class") || (t->things != 0 && owners_is_top(w->o, t->things)))
		return true;
	if (t->whose & ~(unsigned)CLASS_JDK)
		return false;
	/* The globals of a runtime hold all of it. */
	if (w->f->h.form != NULL && t->things == 0 && content->kind == NAME_GC_ROOT)
		return true;
	/* Memory of the JDK: WARN bytes are enough only if they are half of the heap. */
	if (t->bytes >= all / 2)
		return t->bytes < WARN;
	return t->bytes < MIXED || t->bytes < all / 4 ||
	    (t->native * 2 < t->bytes && at(w, t->teller)->kind != NAME_LOCAL &&
	    !str_is(content->class, "java.lang.String"));
}

/* ---- the same field in several nodes ----------------------------------------------------------------- */

/* The objects of a class below a node, in the node that has most of them. */
static uint32_t
most_below(const struct walk *w, uint32_t id, struct str class)
{
	uint32_t most = 0;

	for (uint32_t end = id + at(w, id)->size; id < end; id++)
		if (at(w, id)->count > most && str_eq(at(w, id)->class, class))
			most = at(w, id)->count;
	return most;
}

/*
 * Entries of a cache may be linked, and then objects with the same field are in several nodes below one root:
 * all of them own the things.  False: another node has most of them, and is reported.
 */
static bool
add_same_fields(struct walk *w, struct told *t)
{
	const struct name_node *teller = at(w, t->teller);
	uint32_t top = t->teller, others = 0;

	if (teller->kind != NAME_FIELD || teller->count - teller->folded < 2 || t->one != 0)
		return true;
	while (!owners_is_top(w->o, at(w, top)->parent))
		top = at(w, top)->parent;
	for (uint32_t id = top, step, things; id < top + at(w, top)->size; id += step) {
		bool same = name_is_same_field(at(w, id), teller) && at(w, id)->folded == 0;

		step = same || id == t->teller ? at(w, id)->size : 1;
		if (!same || id == t->teller)
			continue;
		things = most_below(w, id, at(w, t->content)->class);
		if (things > 0 && (detect_owners_weight(w, id) > detect_owners_weight(w, t->teller) ||
		    (detect_owners_weight(w, id) == detect_owners_weight(w, t->teller) && id < t->teller)))
			return false;
		others += at(w, id)->count;
		t->bytes = num_add(t->bytes, detect_owners_weight(w, id));
		t->native = num_add(t->native, at(w, id)->native_total);
		t->n += things;
	}
	t->owners = others == 0 ? 0 : others + teller->count - teller->folded;
	return true;
}

static bool
detect_owners_add(struct walk *w, const struct told *t, enum finding_kind kind)
{
	const struct name_node *content = at(w, t->content), *teller = at(w, t->teller);
	struct finding finding = { .kind = kind, .object = owners_object(w->o, t->teller),
	    .other = at(w, t->from)->object,
	    .class = content->object == 0 ? 0 : heap_class(&w->f->h, content->object),
	    .count = t->n > UINT32_MAX ? UINT32_MAX : (uint32_t)t->n, .retained = t->bytes,
	    .native = t->native,
	    .owner = t->teller, .content = t->content, .one = t->one, .owners = t->owners,
	    .number = kind == FINDING_NETTY ? w->f->netty_used << 1 | t->rest : t->things };

	if (finding.other == 0)
		finding.other = content->object;
	if (finding.object == 0)
		finding.object = teller->object;
	finding.grade = 1 + (uint8_t)severity_of(w, t, kind);
	finding.weight = (uint64_t)((double)t->bytes * evidence(t, kind));
	return finding_add(w->f, &finding);
}

/* ---- Netty ------------------------------------------------------------------------------------------- */

/* Return whether the things are parts of what pools keep, and most of that is not in use. */
static bool
is_pooled(const struct walk *w, uint32_t id)
{
	if (w->f->pooled == 0 || w->f->pooled_used * 2 >= w->f->pooled)
		return false;
	for (; !owners_is_top(w->o, id); id = at(w, id)->parent)
		if (at(w, id)->object != 0 && pool_is_entry(&w->f->h, at(w, id)->object))
			return true;
	return false;
}

/* Netty's pool does not own its memory: blame the owner of the buffers. */
static bool
find_netty(struct walk *w, struct told *t)
{
	static const char *const chunks[] = { "*.PoolChunk" },
	    *const buffers[] = { "io.netty.buffer.Pooled*ByteBuf" };
	uint32_t best = 0, up;

	if (owners_above(w->o, t->things != 0 ? t->things : t->from, 3, chunks, 1) == 0 &&
	    !str_glob(STR("*.PoolChunk"), at(w, t->teller)->holder))
		return false;
	for (uint32_t id = 1; id <= w->o->n; id++)
		if (at(w, id)->count >= NETTY_MANY && at(w, id)->role == ROLE_PLAIN &&
		    str_glob_any(buffers, 1, at(w, id)->class) &&
		    (best == 0 || at(w, id)->count > at(w, best)->count))
			best = id;
	/* Half of the bytes in use are no longer what threads keep for their next buffers. */
	t->rest = w->f->netty_all > 0 && w->f->netty_used < w->f->netty_all / 2;
	if (best == 0 || t->rest)
		return w->f->netty_all > 0;
	t->content = t->things = best;
	t->n = at(w, best)->count;
	t->teller = owners_teller(w->o, best);
	for (up = best; !owners_is_top(w->o, up) && !(at(w, up)->holder_whose & CLASS_PROGRAM); up = at(w,
	    up)->parent)
		continue;
	if (!owners_is_top(w->o, up))
		t->teller = up;
	t->whose = owners_whose(w->o, best);
	return true;
}

/*
 * ---- one finding -----------------------------------------------------------------------------------------
 */

/*
 * new short[2000][5000]: rows of equal length, and none is missing, in each of them.  Containers that grow
 * have free capacity, or rows that were added one by one.  With more dimensions a missing row cannot be
 * detected.
 */
static bool
detect_owners_is_table(const struct walk *w, uint32_t from, uint32_t things)
{
	const struct name_node *table = at(w, from), *rows = things == 0 ? NULL : at(w, things);
	const struct heap *h = &w->f->h;
	uint32_t n;

	if (rows == NULL || table->role != ROLE_ARRAY || table->count == 0 || rows->count == 0 ||
	    !heap_is_array(h, table->object) || !heap_is_array(h, rows->object) ||
	    column_get(h->class_element, heap_class(h, rows->object) - 1ull) == HEAP_OBJECT)
		return false;
	n = heap_length(h, table->object);
	return rows->count == (uint64_t)table->count * n && rows->total / rows->count == rows->most &&
	    rows->total % rows->count == 0;
}

static void
look_behind(const struct walk *w, struct told *t)
{
	uint32_t count = 0, behind = owners_behind(w->o, t->teller, &count),
	    object = at(w, t->content)->object;

	if (behind == t->teller && coroutine_is(&w->f->h, object) && !owners_is_of_program(w->o, behind))
		behind = coroutine_owner(w->o, object);
	if (behind == t->teller || behind == 0)
		return;
	if (t->n < count && count - t->n < count / FAN)
		t->n = count;
	t->from = t->teller = behind;
	t->whose |= owners_whose(w->o, behind);
}

/* Other objects, too, hold a few elements of the collection: count all. */
static void
count_others(struct walk *w, struct told *t)
{
	const struct name_node *from = at(w, t->from);
	struct collection c;

	if (from->role == ROLE_COLLECTION && from->count == 1 && from->object != 0 &&
	    collection_size(w->f->collections, from->object, &c) && c.size > t->n && c.size - t->n < t->n / FAN)
		t->n = c.size;
}

/* Things accumulate at from. */
static bool
detect_owners_tell(struct walk *w, uint32_t from, uint32_t things, uint32_t one, enum tell_what what)
{
	bool top = owners_is_top(w->o, from);
	struct told t = { .from = from, .things = things, .one = one, .large = what == TELL_LARGE };
	uint32_t owner = top ? things : from;
	enum finding_kind kind;
	struct bound bound;

	t.teller = owners_local(w->o, owners_teller(w->o, owner));
	t.content = things == 0 ? from : owners_content(w->o, things);
	t.n = at(w, t.content)->count;
	count_others(w, &t);
	t.bytes = detect_owners_weight(w, owner);
	/*
	 * Never a part of the content of its field, except for an object with content besides its other
	 * parts; without names of fields, what has most of it is that object.
	 */
	if (detect_owners_weight(w, t.teller) > t.bytes && (w->f->h.form == NULL ||
	    detect_owners_weight(w, t.teller) / 2 < t.bytes))
		t.bytes = detect_owners_weight(w, t.teller);
	if (!top && things != 0 && what != TELL_CUT && at(w, from)->role == ROLE_PLAIN && detect_owners_weight(w,
	    things) < detect_owners_weight(w, from) / 2 && !is_linked(w, from))
		t.bytes = detect_owners_weight(w, things);
	t.native = at(w, owner)->native_total;
	t.whose = owners_whose(w->o, from) | owners_whose(w->o, t.content);
	bound_find(&w->f->h, owner, t.n, bound_backlog(at(w, t.content), t.n), &bound);
	t.bounded = bound.sure == BOUND_REACHED;
	t.table = detect_owners_is_table(w, from, things);
	if (!add_same_fields(w, &t))
		return true;
	if (find_netty(w, &t))
		kind = t.native * 2 > t.bytes && !t.rest ? FINDING_DIRECT : FINDING_NETTY;
	else {
		t.rest = is_pooled(w, t.content);
		if (!t.rest)
			look_behind(w, &t);
		if (is_silent(w, &t))
			return true;
		kind = detect_owners_kind_of(w, &t);
	}
	return detect_owners_add(w, &t, kind);
}

/*
 * ---- the walk
 * ----------------------------------------------------------------------------------------------
 */

/* Return whether one object has at least half of the bytes of the node. */
static bool
is_uneven(const struct name_node *c)
{
	return c->count > 1 && c->most * 2 >= c->total && c->folded == 0 && c->native_total == 0;
}

/*
 * Return how many objects share the children of a node: 1 if a single object has at least half of the bytes.
 */
static uint64_t
holders(const struct name_node *m)
{
	return m->count == 0 || is_uneven(m) ? 1 : m->count;
}

/* Return whether child represents many things of one kind. */
static bool
is_fan(const struct walk *w, uint32_t from, uint32_t child)
{
	const struct name_node *m = at(w, from), *c = at(w, child);
	uint64_t many = c->count - c->folded;	/* a list is one, however many nodes it has */

	switch (m->role) {
	case ROLE_ROOT:
		return c->role != ROLE_CLASS && many >= FAN;
	case ROLE_THREADS:
		if (name_is_thread_local(c->kind))
			return c->count >= 2 || detect_owners_weight(w, child) >= w->least;
		/* There are many threads: each thread in the method has one. */
		if (c->kind == NAME_LOCAL)
			return many >= FAN;
		break;
	/* A static has one object; what several have is many, and so are statics without names. */
	case ROLE_CLASS:
		return (c->kind == NAME_SHARED || w->f->h.form != NULL) && many >= FAN;
	case ROLE_COLLECTION: case ROLE_ARRAY:
		if (many >= FAN_ELEMENTS * holders(m) && many >= holders(m) + FAN)
			return true;
		break;
	default:
		break;
	}
	return many >= FAN * holders(m);
}

/*
 * Return whether each object of the node has many children, none with most of the bytes.  In a list every
 * node counts.  If all objects are equally large, and there are more of them than one has children, they were
 * made so: the objects grow in number, not their children.
 */
static bool
is_many_each(const struct walk *w, uint32_t id, uint32_t child, uint64_t many)
{
	const struct name_node *m = at(w, id), *c = at(w, child);
	uint64_t n = holders(m), each = (is_chain(c) ? c->count : c->count - c->folded) / n;

	return each >= many && (name_is_even(m) ? each >= n : each * each >= n) && !is_uneven(c) &&
	    !detect_owners_is_table(w, id, child);
}

/*
 * If there are many things, lists or tables that grow below them have most of the bytes: a queue in each
 * connection.  Few elements in each of very many things are part of their structure, as the lines of an
 * order, and so are tables.  The value of a thread local may be a list unless it is short.
 */
static bool
grows_below(const struct walk *w, uint32_t things)
{
	uint64_t many = name_is_thread_local(at(w, things)->kind) ? BACKLOG : FAN;
	uint64_t most = detect_owners_weight(w, things) - detect_owners_weight(w, things) / MOSTLY;
	uint32_t id = things, child;

	for (; detect_owners_weight(w, id) >= most && (child = owners_first(w->o, id)) != 0; id = child)
		if (is_many_each(w, id, child, many) &&
		    (name_is_collection(at(w, id)) || detect_owners_weight(w, child) >= most))
			return true;
	return false;
}

static bool
detect_owners_push(struct walk *w, uint32_t node, uint32_t one)
{
	const struct step step = { node, one };

	return scratch_add(&w->todo, &w->n, &step, sizeof step, w->f->err);
}

/* Find the content of the nodes of a linked structure: descend to the heaviest child. */
static uint32_t
carried(const struct walk *w, uint32_t from)
{
	uint32_t id = from, child;

	while ((child = owners_first(w->o, id)) != 0) {
		const struct name_node *c = at(w, child);

		if (detect_owners_weight(w, child) * 2 < detect_owners_weight(w, from) ||
		    c->count * 2ull < at(w, id)->count)
			break;
		id = child;
		/* Nodes of chunks carry what is in the chunks. */
		if (((c->whose & CLASS_PROGRAM) && c->count * 2ull >= at(w, from)->count) ||
		    c->count / FAN_ELEMENTS >= at(w, from)->count)
			break;
	}
	/* Nodes of the program say more than bytes in them. */
	return (at(w, from)->whose & CLASS_PROGRAM) && !(at(w, id)->whose & CLASS_PROGRAM) ? from : id;
}

/* Report the bytes that remain after the large children. */
static bool
tell_rest(struct walk *w, uint32_t from, uint64_t rest, uint32_t one)
{
	const struct name_node *m = at(w, from), *best = NULL;
	uint64_t all = w->o->whole, n = 0;
	uint32_t most = 0;

	if (m->self >= w->least && rest >= w->least && m->count < m->self >> 16)
		return detect_owners_tell(w, from, m->most * 2 >= m->self ? 0 : from, one,
		    TELL_LARGE);
	if (rest < w->least || rest * 2 < detect_owners_weight(w, from))
		return true;
	for (uint32_t child = owners_first(w->o, from); child != 0; child = owners_next(w->o, child)) {
		n += at(w, child)->count;
		if (best == NULL || at(w, child)->count > best->count)
			best = at(w, most = child);
	}
	if (name_is_collection(m) && n >= FAN * holders(m))
		return detect_owners_tell(w, from, owners_element(w->o, most), one, TELL_THINGS);
	if ((rest >= MIXED && rest >= all / 2) ||
	    ((m->whose & CLASS_PROGRAM) && m->role == ROLE_PLAIN && rest >= WARN && rest >= all / 4))
		return detect_owners_tell(w, from, 0, one, TELL_THINGS);
	return true;
}

/*
 * Choose the elements to report for a collection: the most informative child if it is a fan; otherwise the
 * given one.
 */
static uint32_t
fan_element(const struct walk *w, uint32_t from, uint32_t child)
{
	uint32_t element = owners_element(w->o, child);

	return is_fan(w, from, element) && !is_uneven(at(w, element)) ? element : child;
}

static bool
detect_owners_look(struct walk *w, struct step step)
{
	const struct name_node *m = at(w, step.node);
	bool elements = name_is_collection(m);
	uint64_t rest = detect_owners_weight(w, step.node);
	struct cut_found cut;

	if (!owners_is_top(w->o, step.node) && is_linked(w, step.node))
		return detect_owners_tell(w, step.node, carried(w, step.node), step.one, TELL_THINGS);
	if (cut_find(&w->f->h, step.node, &cut))
		return detect_owners_tell(w, step.node, cut.things, step.one, TELL_CUT);
	for (uint32_t c = owners_first(w->o, step.node); c != 0 &&
	    detect_owners_weight(w, c) >= w->least; c = owners_next(w->o, c)) {
		bool fan = !owners_is_top(w->o, c) && is_fan(w, step.node, c);
		/* The larger of two values has half, and still belongs to a thread local. */
		bool uneven = fan && !name_is_thread_local(at(w, c)->kind) && is_uneven(at(w, c));

		rest -= rest < detect_owners_weight(w, c) ? rest : detect_owners_weight(w, c);
		if (!fan || uneven || grows_below(w, c)) {
			/* The outermost is the one that a person knows. */
			if (!detect_owners_push(w, c, uneven && step.one == 0 ? c : step.one))
				return false;
			continue;
		}
		/* The finding covers the other elements and the tables, too. */
		if (elements)
			return detect_owners_tell(w, step.node, fan_element(w, step.node, c), step.one,
			    TELL_THINGS);
		if (!detect_owners_tell(w, owners_is_top(w->o, step.node) ? c : step.node, c, step.one,
		    TELL_THINGS))
			return false;
	}
	return owners_is_top(w->o, step.node) || tell_rest(w, step.node, rest, step.one);
}

/* A large part is one of the program, not of stacks and tables of a virtual machine beside it. */
static uint64_t
of_program(const struct walk *w)
{
	uint64_t rest = w->o->whole;

	for (uint32_t id = 1; w->f->h.form != NULL && id <= w->o->n; id++)
		if (at(w, id)->whose == CLASS_JDK && at(w, id)->count > 0 &&
		    at(w, id)->self / at(w, id)->count >= LEAST)
			rest -= at(w, id)->self;
	return rest;
}

static bool
detect_owners_walk_all(struct walk *w)
{
	uint64_t whole = of_program(w);

	w->least = whole / SHARE < LEAST ? LEAST : whole / SHARE;
	if (w->o->n > 0 && !detect_owners_push(w, 1, 0))
		return false;
	while (w->n > 0) {
		struct step step = SCRATCH(w->todo, struct step)[--w->n];

		if (!work_go(w->f->work, 0, w->f->err) || !detect_owners_look(w, step))
			return false;
	}
	return true;
}

static bool
owners_end(struct finder *f, void *state)
{
	struct walk *w = state;

	w->f = f;
	w->o = f->owners;
	return detect_owners_walk_all(w);
}

static void
owners_release(void *state)
{
	scratch_free(&((struct walk *)state)->todo);
}

const struct detector detector_owners = {
	.state_size = sizeof(struct walk), .end = owners_end, .release = owners_release
};
