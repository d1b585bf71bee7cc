/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_threads: fields of phrases about threads: their names, where they are, whose pool they work for.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "icecore/content.h"
#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "findings.h"

#define POOL_STEPS 4u	/* steps from a queue up to its pool */
#define REFERRERS 12u	/* referrers of an object that are looked at */

/* ---- names ----------------------------------------------------------------------------------- */

/* The thread of a Thread; 0: none. */
static uint32_t
finding_threads_row_of(const struct findings *f, uint32_t thread)
{
	const struct column *objects = store_column(f->heap->st, COL_JTHREAD_OBJECT);
	uint64_t row, rows = objects == NULL ? 0 : objects->rows;

	for (row = 0; row < rows && column_get(objects, row) != thread; row++)
		continue;
	return row < rows ? (uint32_t)row + 1 : 0;
}

static void
finding_threads_add_name(const struct findings *f, uint32_t thread, struct buf *b)
{
	uint32_t name, row = finding_threads_row_of(f, thread);

	if (row != 0)
		heap_thread_name(f->heap, row, b);
	else if ((name = heap_field_object(f->heap, thread, "name")) != 0)
		heap_string(f->heap, name, 100, b);
}

/* The names of threads with * for numbers. */
static void
finding_threads_add_pattern(const struct findings *f, uint32_t thread, struct buf *b)
{
	size_t from = b->n;

	finding_threads_add_name(f, thread, b);
	name_pool(b, from);
}

void
finding_pattern(const struct findings *f, const struct finding *x, struct buf *b)
{
	bool others = x->kind == FINDING_THREADS && x->number != 0;

	buf_chr(b, '"');
	if (others)
		finding_threads_add_name(f, x->object, b);
	else
		finding_threads_add_pattern(f, x->kind == FINDING_POOLS ? x->other : x->object, b);
	buf_text(b, others ? "\" and others" : "\"");
}

/* ---- the method with the local variable ---------------------------------------------------------- */

#define ASKED 256u	/* threads that are asked for their request */

struct keepers {
	struct buf	first, pattern, next;	/* first: its name */
	uint32_t	thread[ASKED];
	uint32_t	last, n;		/* last: that was met */
	bool		differ;			/* their names differ, and not in numbers only */
};

static void
keeper_met(const struct findings *f, struct keepers *k, uint32_t thread)
{
	if (thread == k->last)
		return;
	if (k->last == 0) {
		finding_threads_add_name(f, thread, &k->first);
		finding_threads_add_pattern(f, thread, &k->pattern);
	} else {
		buf_clear(&k->next);
		finding_threads_add_pattern(f, thread, &k->next);
		k->differ |= !str_eq(buf_view(&k->next), buf_view(&k->pattern));
	}
	k->last = thread;
	if (k->n < ASKED)
		k->thread[k->n] = thread;
	k->n++;
}

/* The frame's method is the owner, which has lost what counts lambdas. */
static bool
is_owner(const struct heap *h, uint64_t frame, const struct name_node *owner, struct buf *text)
{
	uint64_t class = frame == 0 ? 0 : store_cell(h->st, COL_FRAME_CLASS, frame);

	if (class == 0 || class > h->classes ||
	    !str_has_prefix(store_text(h->st, store_cell(h->st, COL_FRAME_METHOD, frame)), owner->label))
		return false;
	buf_clear(text);
	heap_stable_name(h, (uint32_t)class, text);
	return str_eq(buf_view(text), owner->holder);
}

/*
 * Find the threads whose stacks have local variables of the owner, a node of the tree of names; without any,
 * x->object may be the thread.
 */
static void
find_keepers(const struct findings *f, const struct finding *x, struct keepers *k)
{
	uint64_t rows = column_rows(f->heap->root_kind);
	OWN_BUF text = BUF_INIT;
	struct name_node owner;

	if (x->owner == 0)
		return;
	names_get(f->heap, x->owner, &owner);
	for (uint64_t row = 1; row <= rows && row <= UINT32_MAX; row++) {
		uint32_t thread = heap_root_thread(f->heap, (uint32_t)row),
		    object = (uint32_t)store_cell(f->heap->st, COL_ROOT_OBJECT, row);

		if (thread != 0 && (object == x->object || names_of(f->heap, object) == x->owner) &&
		    is_owner(f->heap, store_cell(f->heap->st, COL_ROOT_FRAME, row), &owner, &text))
			keeper_met(f, k, thread);
	}
	if (k->n == 0 && object_is(f->heap, x->object, "java.lang.Thread"))
		keeper_met(f, k, x->object);
}

static void
keepers_free(struct keepers *k)
{
	buf_free(&k->first);
	buf_free(&k->pattern);
	buf_free(&k->next);
}

/* "import-1", "import-*", or "import-1" and others. */
static void
keepers_add(const struct keepers *k, struct buf *b)
{
	buf_chr(b, '"');
	buf_str(b, buf_view(k->n > 1 && !k->differ ? &k->pattern : &k->first));
	buf_text(b, k->differ ? "\" and others" : "\"");
}

uint64_t
finding_keepers(const struct findings *f, const struct finding *x)
{
	CLOSED_BY(keepers_free) struct keepers k = { .n = 0 };

	find_keepers(f, x, &k);
	return k.n;
}

void
finding_keeper(const struct findings *f, const struct finding *x, struct buf *b)
{
	CLOSED_BY(keepers_free) struct keepers k = { .n = 0 };

	find_keepers(f, x, &k);
	keepers_add(&k, b);
}

/* Return whether only that thread has a local variable with the object. */
static bool
is_own_local(const struct heap *h, uint32_t object, uint32_t thread)
{
	uint64_t rows = column_rows(h->root_kind);
	uint32_t other;

	for (uint64_t row = 1; row <= rows; row++)
		if (store_cell(h->st, COL_ROOT_OBJECT, row) == object &&
		    (other = heap_root_thread(h, (uint32_t)row)) != 0 && other != thread)
			return false;
	return true;
}

#define SHARED_MOST 64u	/* objects of several threads that are remembered */

static bool
is_asked(const uint32_t *objects, unsigned n, uint32_t object)
{
	while (n > 0 && objects[n - 1] != object)
		n--;
	return n > 0;
}

static bool
is_own_request(const struct heap *h, uint32_t object, uint32_t thread)
{
	uint32_t node = object == thread ? 0 : names_of(h, object);
	struct name_node n;

	if (node == 0)
		return false;
	names_get(h, node, &n);
	return n.role == ROLE_PLAIN && (n.whose & CLASS_PROGRAM) && !str_has_suffix(n.class, STR("$$Lambda"));
}

/* The outermost local variable with an object of the program that is none of these; 0: none. */
static uint32_t
outermost_of(const struct heap *h, uint32_t thread, const uint32_t *shared, unsigned n)
{
	const struct column *threads = h->local_thread;
	uint64_t depth, most = 0;
	uint32_t row, object, found = 0;

	for (uint64_t i = column_place(threads, thread); column_get(threads, i) == thread; i++) {
		row = (uint32_t)column_get(h->local_root, i);
		depth = store_cell(h->st, COL_ROOT_DEPTH, row);
		object = (uint32_t)store_cell(h->st, COL_ROOT_OBJECT, row);
		if (depth == ROOT_NO_FRAME || depth < most || is_asked(shared, n, object) ||
		    !is_own_request(h, object, thread))
			continue;
		most = depth;
		found = object;
	}
	return found;
}

/* The class of the outermost local variable with an object of the program that no other thread has; 0: none. */
static uint32_t
request_of(const struct heap *h, uint32_t thread)
{
	uint32_t shared[SHARED_MOST], object;

	for (unsigned n = 0; thread != 0 && n < SHARED_MOST; n++) {
		if ((object = outermost_of(h, thread, shared, n)) == 0)
			return 0;
		if (is_own_local(h, object, thread))
			return heap_class(h, object);
		shared[n] = object;
	}
	return 0;
}

void
finding_request(const struct findings *f, const struct finding *x, struct buf *b)
{
	CLOSED_BY(keepers_free) struct keepers k = { .n = 0 };
	uint32_t class = 0;

	find_keepers(f, x, &k);
	for (uint32_t i = 0; k.n > 1 && i < k.n && i < ASKED; i++) {
		uint32_t at = request_of(f->heap, k.thread[i]);

		if (at == 0 || (i > 0 && at != class))
			return;
		class = at;
	}
	/* The request is what was found, then. */
	if (class != 0 && class != x->class)
		heap_stable_name(f->heap, class, b);
}

/* Return whether a class is, or is above, the class of an object; Object is above all. */
static bool
is_in_class(const struct heap *h, uint32_t class, uint32_t of)
{
	if (class_is(h, class, "java.lang.Object"))
		return false;
	for (uint32_t hops = 0; of != 0 && of != class && hops < h->classes; hops++)
		of = (uint32_t)store_cell(h->st, COL_CLASS_SUPER, of);
	return class != 0 && of == class;
}

/* "push-*", of the threads that wait for an object of a pool: they are in a method of the pool's class. */
void
finding_waiter(const struct findings *f, const struct finding *x, struct buf *b)
{
	CLOSED_BY(keepers_free) struct keepers k = { .n = 0 };
	const struct heap *h = f->heap;
	uint64_t threads = column_rows(h->jthread_object);

	for (uint64_t i = 1; i <= threads; i++) {
		uint64_t frame, n = column_rows_of(store_column(h->st, COL_JTHREAD_FRAME),
		    store_column(h->st, COL_JTHREAD_FRAMES), store_column(h->st, COL_FRAME_CLASS), i, &frame);
		uint32_t thread = (uint32_t)column_get(h->jthread_object, i - 1);
		bool in = false;

		for (; !in && n > 0; n--, frame++)
			in = is_in_class(h, (uint32_t)store_cell(h->st, COL_FRAME_CLASS, frame), x->class);
		if (in && str_is(str_of(thread_does(h, thread)), "are parked"))
			keeper_met(f, &k, thread);
	}
	if (k.n > 0)
		keepers_add(&k, b);
}

/*
 * "evictor-*", of the threads whose context class loader is one of these.  Where others of their class are in
 * use, only the first one is known.
 */
void
finding_context(const struct findings *f, const struct finding *x, struct buf *b)
{
	CLOSED_BY(keepers_free) struct keepers k = { .n = 0 };
	const struct heap *h = f->heap;
	uint64_t threads = column_rows(h->jthread_object);

	for (uint64_t i = 0; i < threads; i++) {
		uint32_t thread = (uint32_t)column_get(h->jthread_object, i),
		    loader = heap_field_object(h, thread, "contextClassLoader");

		if (loader != 0 && (x->number > x->count ? loader == x->object :
		    heap_class(h, loader) == heap_class(h, x->object)))
			keeper_met(f, &k, thread);
	}
	if (k.n == 0)
		return;
	buf_text(b, k.n == 1 ? "thread " : "threads ");
	keepers_add(&k, b);
}

/* ---- their activity ---------------------------------------------------------------------------- */

/* Return the innermost frame of a class outside of the JDK; 0: none. */
static uint32_t
finding_threads_own_frame(const struct heap *h, uint64_t thread)
{
	return thread_frame(h, thread, NULL);
}

const char *
thread_does(const struct heap *h, uint32_t object)
{
	static const char *const does[][2] = {
		{ "waiting", "are parked" }, { "timed waiting", "are parked" }, { "blocked", "are blocked" }
	};
	const char *state = heap_thread_state(h, object);

	for (size_t i = 0; state != NULL && i < NELEM(does); i++)
		if (str_is(str_of(state), does[i][0]))
			return does[i][1];
	return "run";
}

static void
finding_threads_add_frame(const struct heap *h, uint32_t frame, struct buf *b)
{
	heap_class_name(h, (uint32_t)store_cell(h->st, COL_FRAME_CLASS, frame), b);
	buf_chr(b, '.');
	buf_str(b, store_text(h->st, store_cell(h->st, COL_FRAME_METHOD, frame)));
}

void
finding_finalizer(const struct findings *f, UNUSED const struct finding *x, struct buf *b)
{
	uint32_t thread = heap_thread_named(f->heap, "Finalizer"), frame;

	if (thread == 0)
		thread = heap_thread_named(f->heap, "FinalizerDaemon");
	frame = thread == 0 ? 0 : finding_threads_own_frame(f->heap, thread);
	if (frame != 0)
		finding_threads_add_frame(f->heap, frame, b);
}

uint64_t
finding_of_thread(const struct findings *f, const struct finding *x)
{
	return object_is(f->heap, x->other, "java.lang.Thread");
}

void
finding_frame(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t thread = x->kind == FINDING_POOLS ? x->other : x->object;
	uint32_t frame = finding_threads_own_frame(f->heap, finding_threads_row_of(f, thread));

	if (frame != 0)
		finding_threads_add_frame(f->heap, frame, b);
}

/* The last field of the program on the path to the object. */
static void
add_last_own(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n;
	struct heap_slot slot;

	for (size_t i = x->hops; i > 1; i--) {
		uint32_t node = names_of(f->heap, x->hop[i - 2]);

		if (node != 0)
			names_get(f->heap, node, &n);
		if (node == 0 || !(n.whose & CLASS_PROGRAM) || n.role != ROLE_PLAIN ||
		    !heap_link(f->heap, x->hop[i - 2], x->hop[i - 1], &slot) || slot.name.n == 0)
			continue;
		heap_stable_name(f->heap, slot.class, b);
		buf_chr(b, '.');
		buf_str(b, slot.name);
		return;
	}
}

void
finding_held(const struct findings *f, const struct finding *x, struct buf *b)
{
	size_t from = b->n;
	bool stays = x->kind == FINDING_CLASSES && x->number == 0 &&
	    !class_is_hidden(f->heap, heap_class(f->heap, x->object));

	if (stays || names_nearest(f->heap, x->object, true, b))
		return;
	b->n = from;
	add_last_own(f, x, b);
}

/* ---- virtual threads ------------------------------------------------------------------------------- */

uint64_t
finding_has_stack(const struct findings *f, const struct finding *x)
{
	return store_cell(f->heap->st, COL_JTHREAD_FRAMES, finding_threads_row_of(f, x->object)) > 0;
}

void
finding_place(const struct findings *f, const struct finding *x, struct buf *b)
{
	thread_place(f->heap, finding_threads_row_of(f, x->object), x->object, NULL, b);
}

void
finding_does(const struct findings *f, const struct finding *x, struct buf *b)
{
	buf_text(b, thread_does(f->heap, x->object));
}

uint64_t
finding_most_local(const struct findings *f, const struct finding *x)
{
	struct name_node owner;

	if (x->content == 0 || x->owner == 0)
		return false;
	names_get(f->heap, x->owner, &owner);
	return owner.total >= x->retained / 2;
}

/*
 * Return the object a thread waits for: its parkBlocker; if blocked, the first local of its own frame,
 * usually the monitor.
 */
static uint32_t
awaited(const struct findings *f, uint32_t thread)
{
	uint32_t blocker = heap_field_object(f->heap, thread, "parkBlocker"), frame;
	uint64_t rows = column_rows(f->heap->root_kind);

	if (blocker != 0 || !str_is(str_of(thread_does(f->heap, thread)), "are blocked") ||
	    (frame = finding_threads_own_frame(f->heap, finding_threads_row_of(f, thread))) == 0)
		return blocker;
	for (uint64_t row = 1; row <= rows; row++)
		if (store_cell(f->heap->st, COL_ROOT_FRAME, row) == frame)
			return (uint32_t)store_cell(f->heap->st, COL_ROOT_OBJECT, row);
	return 0;
}

void
finding_awaited(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t on = awaited(f, x->object);

	if (on != 0)
		names_nearest(f->heap, on, false, b);
}

void
finding_taken_by(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t owner = heap_field_object(f->heap, awaited(f, x->object), "exclusiveOwnerThread");

	if (owner == 0)
		return;
	buf_chr(b, '"');
	finding_threads_add_name(f, owner, b);
	buf_chr(b, '"');
}

uint64_t
finding_await_holder(const struct findings *f, const struct finding *x)
{
	OWN_BUF by = BUF_INIT, on = BUF_INIT;

	finding_held(f, x, &by);
	finding_awaited(f, x, &on);
	return by.n > 0 && str_eq(buf_view(&by), buf_view(&on));
}

/* ---- pools ------------------------------------------------------------------------------------------ */

static bool
finding_threads_is_pool(const struct heap *h, uint32_t object)
{
	uint32_t class = object == 0 ? 0 : heap_class(h, object);

	return class != 0 && (class_named(h, class, "java.util.concurrent.ThreadPoolExecutor") != 0 ||
	    class_named(h, class, "java.util.concurrent.ForkJoinPool") != 0);
}

/* The pool that refers to it; 0: none. */
static uint32_t
pool_with(const struct heap *h, uint32_t object)
{
	struct heap_walk walk;
	uint32_t from;

	heap_in(h, object, &walk);
	for (uint32_t n = 0; n < REFERRERS && (from = heap_next(&walk, NULL)) != 0; n++)
		if (finding_threads_is_pool(h, from))
			return from;
	return 0;
}

/*
 * The pool whose queue it is, which its threads may hold as well; a ForkJoinPool has its queues in an array.
 */
static uint32_t
pool_of(const struct findings *f, const struct finding *x)
{
	uint32_t at = x->other, from, pool;
	struct heap_walk walk;

	for (unsigned i = 0; i < POOL_STEPS && at != 0; i++, at = heap_above(f->heap, at)) {
		if (finding_threads_is_pool(f->heap, at))
			return at;
		if ((pool = pool_with(f->heap, at)) != 0)
			return pool;
		heap_in(f->heap, at, &walk);
		for (uint32_t n = 0; n < REFERRERS && (from = heap_next(&walk, NULL)) != 0; n++)
			if (heap_is_array(f->heap, from) && (pool = pool_with(f->heap, from)) != 0)
				return pool;
	}
	return 0;
}

/*
 * A thread works for the pool if it runs a worker of it (this$0); threads of a ForkJoinPool have a field
 * "pool".
 */
static bool
works_for(const struct heap *h, uint32_t thread, uint32_t pool)
{
	uint32_t runs = heap_field_object(h, heap_field_object(h, thread, "holder"), "task");

	runs = runs != 0 ? runs : heap_field_object(h, thread, "target");
	return heap_field_object(h, thread, "pool") == pool ||
	    (runs != 0 && heap_field_object(h, runs, "this$0") == pool);
}

void
finding_worker(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint64_t threads = column_rows(f->heap->jthread_object);
	uint32_t pool = pool_of(f, x), thread;

	for (uint64_t i = 1; pool != 0 && i <= threads; i++)
		if (works_for(f->heap, thread = (uint32_t)column_get(f->heap->jthread_object, i - 1), pool)) {
			finding_threads_add_name(f, thread, b);
			return;
		}
}

/* The threads of the pool. */
struct workers {
	uint64_t	n;
	uint32_t	frame;		/* own one of the first of them; 0: none */
	bool		differ;		/* they are in several methods */
};

static struct workers
workers_of(const struct findings *f, const struct finding *x)
{
	const struct column *threads = f->heap->jthread_object;
	struct workers w = { .n = 0 };
	uint32_t pool = pool_of(f, x), frame;

	for (uint64_t i = 1; pool != 0 && i <= column_rows(threads); i++) {
		if (!works_for(f->heap, (uint32_t)column_get(threads, i - 1), pool))
			continue;
		frame = finding_threads_own_frame(f->heap, i);
		w.frame = w.n++ == 0 ? frame : w.frame;
		w.differ |= store_cell(f->heap->st, COL_FRAME_METHOD, frame) !=
		    store_cell(f->heap->st, COL_FRAME_METHOD, w.frame);
	}
	return w;
}

uint64_t
finding_workers(const struct findings *f, const struct finding *x)
{
	return workers_of(f, x).n;
}

uint64_t
finding_workers_differ(const struct findings *f, const struct finding *x)
{
	return workers_of(f, x).differ;
}

void
finding_worker_frame(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t frame = workers_of(f, x).frame;

	if (frame != 0)
		finding_threads_add_frame(f->heap, frame, b);
}
