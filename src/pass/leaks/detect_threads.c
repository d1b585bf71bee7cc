/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_threads: many similar threads outside any pool, and many similar pools: code starts one each time,
 * and never ends it.
 *
 * Virtual threads are many by nature: the finding shows where they wait and how much they keep.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "icecore/content.h"
#include "owners.h"

#define MANY 50u
#define POOLS 20u		/* with POOL_THREADS in all are many as well */
#define POOL_THREADS 200u
#define CROWD 1000u		/* threads in one pool */
#define STACK (64u << 10)	/* bytes that a thread takes outside of the heap, at least */

#define VIRTUAL_TOLD 500u	/* virtual threads at one place: fewer are not reported */
#define VIRTUAL_MANY 5000u	/* virtual threads that are a warning */
#define VIRTUAL_FEW 100u	/* virtual threads that are a warning if they are large */
#define VIRTUAL_LARGE (8u << 10)	/* bytes of a large thread, on average */
#define VIRTUAL_BYTES (4u << 20)	/* bytes of all threads of a warning, at least */
#define VIRTUAL_SHARE 10u		/* share of the live bytes of a warning: one part in this many */

/* How things are grouped: the kind with more things is the better one. */
enum way { BY_NAME, BY_PLACE, WAYS };

/* A thread, or the pool that it works for. */
struct thing {
	uint32_t	object, thread;	/* thread: jthread of one of its threads */
	uint32_t	threads;	/* number of threads of a pool; 0: it is a thread */
	uint32_t	kind[WAYS];	/* from 1; 0: it is of none */
	uint64_t	bytes;
};

struct kind {
	uint32_t	class, size, things, threads, biggest, thread;
	bool		pools, place;
	uint64_t	bytes, most;
};

/* Virtual threads in one method, or with one task where the dump has no stacks of them. */
struct crowd {
	uint32_t	n, biggest;
	uint64_t	bytes, most;
	struct finding	kept;		/* the largest content of their local variables; count 0: none */
};

struct threads {
	ARRAY(struct kind)	kinds;
	ARRAY(struct thing)	things;
	ARRAY(struct crowd)	crowds;
	struct scratch	workers;	/* workers: u8 by thread: it works for a pool, or may */
	struct scratch	 platform;	/* u8 by class: of the JDK */
	uint64_t	 nkinds, nthings, ncrowds;
	struct idmap	 by_key, by_pool, by_place, by_object;	/* by_object: the thread of a Thread */
	struct buf	 text;
};

/*
 * ---- threads and pools
 * -------------------------------------------------------------------------------------
 */

/*
 * Find threads of pools: JDK, Jetty, Tomcat, Netty, JBoss and Kotlin.  This needs the stacks of the threads.
 */
static bool
find_workers(struct finder *f, struct threads *s, uint64_t threads)
{
	static const char *const pools[] = { "*ThreadPool*", "*Executor*", "*ForkJoin*", "*VirtualThread*",
	    "*CoroutineScheduler*" };
	const struct column *thread = store_column(f->st, COL_FRAME_THREAD),
	    *class = store_column(f->st, COL_FRAME_CLASS);
	OWN_SCRATCH pool = SCRATCH_INIT;
	uint64_t of, c;

	if (!scratch_array(&s->workers, threads + 1, 1, f->err) ||
	    !scratch_array(&pool, f->h.classes + 1ull, 1, f->err))
		return false;
	for (uint32_t i = 1; i <= f->h.classes; i++)
		pool.data[i] = heap_class_like(&f->h, i, pools, NELEM(pools));
	for (uint64_t i = 1; i <= threads; i++)
		s->workers.data[i] = store_cell(f->st, COL_JTHREAD_FRAMES, i) == 0;
	for (uint64_t i = 0; i < column_rows(thread); i++) {
		of = column_get(thread, i);
		c = column_get(class, i);
		if (of <= threads && c <= f->h.classes)
			s->workers.data[of] |= pool.data[c];
	}
	return true;
}

/* The kind with the name in s->text, 0 if it is empty. */
static bool
find_kind(struct finder *f, struct threads *s, const struct kind *new, uint32_t *kind)
{
	uint64_t key = hash_bytes(s->text.s, s->text.n,
	    (uint64_t)new->size << 32 | (new->class * 4ull + new->pools * 2u + new->place));

	if (s->text.bad)
		return fail_memory(f->err, "name");
	*kind = s->text.n == 0 ? 0 : idmap_get(&s->by_key, key);
	if (s->text.n == 0 || *kind != 0)
		return true;
	if (!array_add(&s->kinds, &s->nkinds, new, f->err))
		return false;
	*kind = (uint32_t)s->nkinds;
	return idmap_put(&s->by_key, key, *kind, f->err);
}

/* The classes and methods on its stack that are not of the JDK, and the object it runs. */
static void
detect_threads_add_place(const struct finder *f, const struct threads *s, uint32_t thread, uint32_t object,
    struct buf *b)
{
	uint64_t frame = store_cell(f->st, COL_JTHREAD_FRAME, thread),
	    n = store_cell(f->st, COL_JTHREAD_FRAMES, thread);
	uint32_t task = heap_thread_task(&f->h, object);

	for (; frame != 0 && n > 0; n--, frame++) {
		uint32_t class = (uint32_t)store_cell(f->st, COL_FRAME_CLASS, frame);

		if (class == 0 || class > f->h.classes || s->platform.data[class])
			continue;
		heap_stable_name(&f->h, class, b);
		buf_chr(b, '.');
		buf_str(b, store_text(f->st, store_cell(f->st, COL_FRAME_METHOD, frame)));
		buf_chr(b, '\n');
	}
	if (b->n > 0 && task != 0)
		heap_stable_name(&f->h, heap_class(&f->h, task), b);
}

/* Return the thread factory of a pool; 0: none, or one of the JDK. */
static uint32_t
factory_of(const struct finder *f, const struct threads *s, uint32_t pool)
{
	uint32_t factory = heap_field_object(&f->h, pool, "threadFactory"), class;

	factory = factory != 0 ? factory : heap_field_object(&f->h, pool, "factory");
	class = factory == 0 ? 0 : heap_class(&f->h, factory);
	return class == 0 || class > f->h.classes || s->platform.data[class] ? 0 : factory;
}

/* Append the class of a pool's thread factory, unless the JDK's; "*" for other pools outside of the JDK. */
static void
add_factory(const struct finder *f, const struct threads *s, uint32_t pool, struct buf *b)
{
	uint32_t factory = factory_of(f, s, pool);

	if (factory != 0)
		heap_stable_name(&f->h, heap_class(&f->h, factory), b);
	else if (heap_class(&f->h, pool) <= f->h.classes && !s->platform.data[heap_class(&f->h, pool)])
		buf_chr(b, '*');
}

/* Return the core size of a ThreadPoolExecutor; 0: another kind of pool. */
static uint32_t
detect_threads_size_of(const struct finder *f, uint32_t pool)
{
	struct heap_slot slot;

	return heap_field(&f->h, pool, "corePoolSize", 0, &slot) &&
	    slot.type == HEAP_INT ? (uint32_t)slot.bits : 0;
}

static bool
detect_threads_find_kinds(struct finder *f, struct threads *s, struct thing *t)
{
	/* Schedulers that all of a program share, with a pool for each thread. */
	static const char *const shared[] = { "boundedElastic-*", "RxCachedThreadScheduler-*",
	    "RxComputationThreadPool-*" };
	struct kind new = { .class = heap_class(&f->h, t->object), .pools = t->threads > 0,
	    .size = t->threads > 0 ? detect_threads_size_of(f, t->object) : 0 };

	buf_clear(&s->text);
	heap_thread_name(&f->h, t->thread, &s->text);
	name_pool(&s->text, 0);
	if (new.pools && str_glob_any(shared, NELEM(shared), buf_view(&s->text)))
		return true;
	if (!find_kind(f, s, &new, &t->kind[BY_NAME]))
		return false;
	buf_clear(&s->text);
	if (new.pools)
		add_factory(f, s, t->object, &s->text);
	else
		detect_threads_add_place(f, s, t->thread, t->object, &s->text);
	new.place = true;
	return find_kind(f, s, &new, &t->kind[BY_PLACE]);
}

/* Objects below a thread are counted with the thread. */
static bool
is_of_thread(const struct finder *f, uint32_t object)
{
	for (uint32_t n = 0; n < DEEP && object != 0 && !(finder_sort(f, object) & SORT_THREAD); n++)
		object = heap_above(&f->h, object);
	return object != 0;
}

/* A thread that no pool has, or the pool, which is one thing however many threads it has. */
static bool
detect_threads_add_thread(struct finder *f, struct threads *s, uint32_t thread, uint32_t object)
{
	uint32_t pool = heap_thread_pool(&f->h, object), at;
	struct thing new = { .object = pool != 0 ? pool : object, .thread = thread, .threads = pool != 0 };

	if (pool == 0 && s->workers.data[thread])
		return true;
	at = pool == 0 ? 0 : idmap_get(&s->by_pool, pool);
	if (at == 0) {
		new.bytes = pool == 0 || is_of_thread(f, pool) ? 0 : heap_retained(&f->h, pool);
		if (!detect_threads_find_kinds(f, s, &new) ||
		    !array_add(&s->things, &s->nthings, &new, f->err) ||
		    (pool != 0 && !idmap_put(&s->by_pool, pool, (uint32_t)s->nthings, f->err)))
			return false;
		at = (uint32_t)s->nthings;
	} else
		s->things.at[at - 1].threads++;
	s->things.at[at - 1].bytes += heap_retained(&f->h, object);
	return true;
}

static uint32_t
better_kind(const struct threads *s, const struct thing *t)
{
	const struct kind *k = s->kinds.at;
	uint32_t name = t->kind[BY_NAME], place = t->kind[BY_PLACE];

	if (name == 0 || place == 0)
		return name != 0 ? name : place;
	return k[place - 1].things > k[name - 1].things ? place : name;
}

/* Each thing goes to the kind that has more of them. */
static void
count_things(struct threads *s)
{
	struct thing *t = s->things.at;
	struct kind *k = s->kinds.at;

	for (uint64_t i = 0; i < s->nthings; i++)
		for (unsigned way = 0; way < WAYS; way++)
			if (t[i].kind[way] != 0)
				k[t[i].kind[way] - 1].things++;
	for (uint64_t i = 0; i < s->nthings; i++)
		t[i].kind[0] = better_kind(s, &t[i]);
	for (uint64_t i = 0; i < s->nkinds; i++)
		k[i].things = 0;
	for (uint64_t i = 0; i < s->nthings; i++) {
		struct kind *to = t[i].kind[0] == 0 ? NULL : &k[t[i].kind[0] - 1];

		if (to == NULL)
			continue;
		to->things++;
		to->threads += t[i].threads != 0 ? t[i].threads : 1;
		to->bytes = num_add(to->bytes, t[i].bytes);
		if (to->biggest == 0 || t[i].bytes > to->most) {
			to->most = t[i].bytes;
			to->biggest = t[i].object;
			to->thread = t[i].thread;
		}
	}
}

static bool
is_many(const struct kind *k)
{
	assert(k->things > 0);
	if (!k->pools)
		return k->things >= MANY;
	return k->things >= MANY || (k->things >= POOLS && k->threads >= POOL_THREADS) ||
	    k->threads / k->things >= CROWD;
}

static bool
tell_kinds(struct finder *f, const struct threads *s)
{
	for (uint64_t i = 0; i < s->nkinds; i++) {
		const struct kind *k = &s->kinds.at[i];
		uint64_t stacks = (uint64_t)k->threads * STACK;
		struct finding x = { .kind = k->pools ? FINDING_POOLS : FINDING_THREADS, .object = k->biggest,
		    .class = k->class,
		    .count = k->things, .number = k->pools ? k->threads : k->place, .retained = k->bytes,
		    .weight = k->bytes > stacks ? k->bytes : stacks };

		if (k->pools)
			x.other = k->place ? factory_of(f, s, k->biggest) : (uint32_t)store_cell(f->st,
			    COL_JTHREAD_OBJECT, k->thread);
		if (k->things > 0 && is_many(k) && !finding_add(f, &x))
			return false;
	}
	return true;
}

/*
 * ---- virtual threads
 * ------------------------------------------------------------------------------------------
 */

static bool
threads_begin(struct finder *f, void *state)
{
	struct threads *s = state;
	uint64_t threads = column_rows(f->h.jthread_object);

	if (!scratch_array(&s->platform, f->h.classes + 1ull, 1, f->err))
		return false;
	for (uint32_t class = 1; class <= f->h.classes; class++)
		s->platform.data[class] = heap_is_platform(&f->h, class, PLATFORM_BLAME);
	for (uint64_t i = 1; i <= threads && i <= UINT32_MAX; i++) {
		uint32_t object = (uint32_t)column_get(f->h.jthread_object, i - 1);

		if (!work_go(f->work, i, f->err) || (object != 0 &&
		    !idmap_put(&s->by_object, object, (uint32_t)i, f->err)))
			return false;
	}
	return true;
}

static bool
threads_wants(struct finder *f, UNUSED void *state, uint32_t class)
{
	return (f->sorts.data[class] & SORT_THREAD) && class_named(&f->h, class,
	    "java.lang.VirtualThread") != 0;
}

/* Puts the name of the crowd of a virtual thread into s->text. */
static bool
name_crowd(const struct finder *f, struct threads *s, uint32_t object)
{
	buf_clear(&s->text);
	if (thread_place(&f->h, idmap_get(&s->by_object, object), object, s->platform.data, &s->text))
		buf_chr(&s->text, '\n');
	buf_text(&s->text, thread_does(&f->h, object));
	return !s->text.bad;
}

static uint64_t
crowd_key(const struct threads *s)
{
	return hash_bytes(s->text.s, s->text.n, 0);
}

static bool
threads_object(struct finder *f, void *state, uint32_t object)
{
	struct threads *s = state;
	uint64_t key, bytes = heap_retained(&f->h, object);
	struct crowd *c, new = { .biggest = object };
	uint32_t at;

	if (!heap_thread_alive(&f->h, object))
		return true;
	if (!name_crowd(f, s, object))
		return fail_memory(f->err, "name");
	key = crowd_key(s);
	at = idmap_get(&s->by_place, key);
	if (at == 0 && (!array_add(&s->crowds, &s->ncrowds, &new, f->err) ||
	    !idmap_put(&s->by_place, key, at = (uint32_t)s->ncrowds, f->err)))
		return false;
	assert(at > 0 && at <= s->ncrowds);
	c = &s->crowds.at[at - 1];
	c->n++;
	c->bytes = num_add(c->bytes, bytes);
	/* Prefer as the example a thread with a parkBlocker, which shows the awaited object. */
	if (heap_field_object(&f->h, object, "parkBlocker") != 0)
		bytes |= UINT64_C(1) << 63;
	if (bytes > c->most) {
		c->most = bytes;
		c->biggest = object;
	}
	return true;
}

/* Return the crowd of the virtual thread that dominates the object; NULL: no virtual thread does. */
static struct crowd *
crowd_above(const struct finder *f, struct threads *s, uint32_t object)
{
	uint32_t at;

	for (uint32_t n = 0; n < DEEP && object != 0 && heap_thread_virtual(&f->h, object) == 0; n++)
		object = heap_above(&f->h, object);
	at = heap_thread_virtual(&f->h, object) != 0 &&
	    name_crowd(f, s, object) ? idmap_get(&s->by_place, crowd_key(s)) : 0;
	return at == 0 ? NULL : &s->crowds.at[at - 1];
}

/*
 * Merge findings about local variables of many virtual threads, and about how the JDK keeps their stacks,
 * into the finding about the place where these threads are.  Otherwise one place would be reported frame by
 * frame.
 */
static void
detect_threads_take_in(struct finder *f, struct threads *s)
{
	struct finding *list = SCRATCH(f->list, struct finding);

	for (uint64_t i = 0; i < f->n; i++) {
		struct finding *x = &list[i];
		const struct name_node *owner = x->owner == 0 ? NULL : owners_at(f->owners, x->owner);
		struct crowd *c;

		if (owner == NULL || owner->count < MANY ||
		    (owner->kind != NAME_LOCAL && owner->holder_whose != CLASS_JDK) ||
		    (c = crowd_above(f, s, x->other != 0 ? x->other : x->object)) == NULL)
			continue;
		if (x->content != 0 && !(owners_at(f->owners, x->content)->whose & CLASS_JDK) &&
		    x->retained > c->kept.retained)
			c->kept = *x;
		x->count = 0;
	}
	findings_sweep(f);
}

static bool
is_warning(const struct finder *f, const struct crowd *c)
{
	return (c->n >= VIRTUAL_MANY || (c->n >= VIRTUAL_FEW && c->bytes / c->n >= VIRTUAL_LARGE)) &&
	    c->bytes >= VIRTUAL_BYTES &&
	    c->bytes >= f->live / VIRTUAL_SHARE;
}

static bool
tell_crowds(struct finder *f, struct threads *s)
{
	for (uint64_t i = 0; i < s->ncrowds; i++) {
		const struct crowd *c = &s->crowds.at[i];
		const struct finding *kept = &c->kept;
		struct finding x = { .kind = FINDING_VIRTUAL, .object = c->biggest, .count = c->n,
		    .retained = c->bytes,
		    .grade = 1 + (is_warning(f, c) ? SEVERITY_WARNING : SEVERITY_NOTE) };

		if (c->n < VIRTUAL_TOLD && kept->count == 0)
			continue;
		if (kept->count != 0) {
			x.owner = kept->owner;
			x.content = kept->content;
			x.other = kept->other;
			x.number = kept->number;
			if (finding_severity(kept) == SEVERITY_WARNING)
				x.grade = 1 + SEVERITY_WARNING;
		}
		if (!finding_add(f, &x))
			return false;
	}
	return true;
}

/*
 * ---- all
 * -----------------------------------------------------------------------------------------------------
 */

static bool
threads_end(struct finder *f, void *state)
{
	struct threads *s = state;
	uint64_t threads = column_rows(f->h.jthread_object);

	detect_threads_take_in(f, s);
	if (!tell_crowds(f, s))
		return false;
	if (threads < MANY)
		return true;
	if (!find_workers(f, s, threads))
		return false;
	for (uint64_t i = 1; i <= threads && i <= UINT32_MAX; i++) {
		uint32_t object = (uint32_t)column_get(f->h.jthread_object, i - 1);

		if (!work_go(f->work, i, f->err))
			return false;
		if (object != 0 && object <= f->h.objects && heap_dominator(&f->h, object) != 0 &&
		    heap_thread_virtual(&f->h, object) == 0 &&
		    !detect_threads_add_thread(f, s, (uint32_t)i, object))
			return false;
	}
	count_things(s);
	return tell_kinds(f, s);
}

static void
threads_release(void *state)
{
	struct threads *s = state;

	SCRATCH_FREE(&s->kinds, &s->things, &s->crowds, &s->workers, &s->platform);
	idmap_free(&s->by_key);
	idmap_free(&s->by_pool);
	idmap_free(&s->by_place);
	idmap_free(&s->by_object);
	buf_free(&s->text);
}

const struct detector detector_threads = {
	.state_size = sizeof(struct threads), .begin = threads_begin, .wants = threads_wants,
	    .object = threads_object,
	.end = threads_end, .release = threads_release
};
