/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_threads: what findings say of threads: their names, where they are, whose pool they work for.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "icecore/content.h"
#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "findings.h"

#define POOL_STEPS 4u	/* from a queue up to its pool */
#define REFERRERS 12u	/* of one of these that are looked at */

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
	else if ((name = heap_field_object(f->heap, thread, STR("name"))) != 0)
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
	buf_str(b, others ? STR("\" and others") : STR("\""));
}

/* ---- the method with the local variable ---------------------------------------------------------- */

struct keepers {
	struct buf	first, pattern, next;	/* first: its name */
	uint32_t	last;			/* that was met */
	bool		several, alike;		/* alike: their names differ in numbers only */
};

static void
keeper_met(const struct findings *f, struct keepers *k, uint32_t thread)
{
	if (thread == k->last)
		return;
	if (k->last == 0) {
		finding_threads_add_name(f, thread, &k->first);
		finding_threads_add_pattern(f, thread, &k->pattern);
		k->alike = true;
	} else {
		buf_clear(&k->next);
		finding_threads_add_pattern(f, thread, &k->next);
		k->alike = k->alike && str_eq(buf_view(&k->next), buf_view(&k->pattern));
		k->several = true;
	}
	k->last = thread;
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

/* Find the threads that keep the object: x->object if it is a thread; otherwise every thread whose stack holds it. */
static void
find_keepers(const struct findings *f, const struct finding *x, struct keepers *k)
{
	uint64_t rows = column_rows(f->heap->root_kind);
	struct buf text = BUF_INIT;
	struct name_node owner;

	if (class_named(f->heap, heap_class(f->heap, x->object), STR("java.lang.Thread")) != 0) {
		keeper_met(f, k, x->object);
		return;
	}
	names_get(f->heap, x->owner, &owner);
	for (uint64_t row = 1; row <= rows && row <= UINT32_MAX; row++) {
		uint32_t thread = heap_root_thread(f->heap, (uint32_t)row);

		if (thread != 0 && store_cell(f->heap->st, COL_ROOT_OBJECT, row) == x->object &&
		    is_owner(f->heap, store_cell(f->heap->st, COL_ROOT_FRAME, row), &owner, &text))
			keeper_met(f, k, thread);
	}
	buf_free(&text);
}

void
finding_keepers(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct keepers k = { .first = BUF_INIT, .pattern = BUF_INIT, .next = BUF_INIT };

	find_keepers(f, x, &k);
	if (k.last == 0) {
		buf_str(b, STR("a thread keeps"));
	} else {
		buf_str(b, k.several ? STR("threads \"") : STR("thread \""));
		buf_str(b, buf_view(k.several && k.alike ? &k.pattern : &k.first));
		buf_str(b, !k.several ? STR("\" keeps") : k.alike ? STR("\" keep") : STR("\" and others keep"));
	}
	buf_free(&k.first);
	buf_free(&k.pattern);
	buf_free(&k.next);
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
		if (str_eq(str_of(state), str_of(does[i][0])))
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
finding_finalizer(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t thread = heap_thread_named(f->heap, STR("Finalizer")), frame;

	(void)x;
	if (thread == 0)
		thread = heap_thread_named(f->heap, STR("FinalizerDaemon"));
	frame = thread == 0 ? 0 : finding_threads_own_frame(f->heap, thread);
	if (frame != 0)
		finding_threads_add_frame(f->heap, frame, b);
}

bool
finding_of_thread(const struct findings *f, const struct finding *x)
{
	return x->other != 0 && class_named(f->heap, heap_class(f->heap, x->other), STR("java.lang.Thread")) != 0;
}

void
finding_frame(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t thread = x->kind == FINDING_POOLS ? x->other : x->object;
	uint32_t frame = finding_threads_own_frame(f->heap, finding_threads_row_of(f, thread));

	if (frame != 0)
		finding_threads_add_frame(f->heap, frame, b);
}

void
finding_held(const struct findings *f, const struct finding *x, struct buf *b)
{
	size_t from = b->n;
	bool stays = x->kind == FINDING_CLASSES && x->number == 0 && !class_is_hidden(f->heap, heap_class(f->heap, x->object));

	if (stays || !names_nearest(f->heap, x->object, true, b))
		b->n = from;
}

/* ---- virtual threads ------------------------------------------------------------------------------- */

bool
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
	buf_str(b, str_of(thread_does(f->heap, x->object)));
}

bool
finding_most_local(const struct findings *f, const struct finding *x)
{
	struct name_node owner;

	if (x->content == 0 || x->owner == 0)
		return false;
	names_get(f->heap, x->owner, &owner);
	return owner.total >= x->retained / 2;
}

/* Return the object a thread waits for: its parkBlocker; if blocked, the first local of its own frame, usually the monitor. */
static uint32_t
awaited(const struct findings *f, uint32_t thread)
{
	uint32_t blocker = heap_field_object(f->heap, thread, STR("parkBlocker")), frame;
	uint64_t rows = column_rows(f->heap->root_kind);

	if (blocker != 0 || !str_eq(str_of(thread_does(f->heap, thread)), STR("are blocked")) ||
	    (frame = finding_threads_own_frame(f->heap, finding_threads_row_of(f, thread))) == 0)
		return blocker;
	for (uint64_t row = 1; row <= rows; row++)
		if (store_cell(f->heap->st, COL_ROOT_FRAME, row) == frame)
			return (uint32_t)store_cell(f->heap->st, COL_ROOT_OBJECT, row);
	return 0;
}

/* "; waiting for shop.Account.lock in shop.Bank.main, which thread "teller" has; held by shop.Bank.clerks" or nothing */
void
finding_awaited(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t on = awaited(f, x->object), owner = heap_field_object(f->heap, on, STR("exclusiveOwnerThread"));
	struct buf by = BUF_INIT, for_ = BUF_INIT;
	bool same;

	names_nearest(f->heap, x->object, true, &by);
	if (on != 0 && names_nearest(f->heap, on, false, &for_)) {
		buf_str(b, STR("; waiting for "));
		buf_str(b, buf_view(&for_));
	}
	if (for_.n > 0 && owner != 0) {
		buf_str(b, STR(", which thread \""));
		finding_threads_add_name(f, owner, b);
		buf_str(b, STR("\" holds"));
	}
	same = by.n > 0 && str_eq(buf_view(&by), buf_view(&for_));
	if (same && owner == 0)
		buf_str(b, STR(", which holds them"));
	if (by.n > 0 && !same) {
		buf_str(b, STR("; held by "));
		buf_str(b, buf_view(&by));
	}
	buf_free(&by);
	buf_free(&for_);
}

/* ---- pools ------------------------------------------------------------------------------------------ */

static bool
finding_threads_is_pool(const struct heap *h, uint32_t object)
{
	uint32_t class = object == 0 ? 0 : heap_class(h, object);

	return class != 0 && (class_named(h, class, STR("java.util.concurrent.ThreadPoolExecutor")) != 0 ||
	    class_named(h, class, STR("java.util.concurrent.ForkJoinPool")) != 0);
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

/* The pool whose queue it is, which its threads may hold as well; a ForkJoinPool has its queues in an array. */
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

/* A thread works for the pool if it runs a worker of it (this$0); threads of a ForkJoinPool have a field "pool". */
static bool
works_for(const struct heap *h, uint32_t thread, uint32_t pool)
{
	uint32_t runs = heap_field_object(h, heap_field_object(h, thread, STR("holder")), STR("task"));

	runs = runs != 0 ? runs : heap_field_object(h, thread, STR("target"));
	return heap_field_object(h, thread, STR("pool")) == pool ||
	    (runs != 0 && heap_field_object(h, runs, STR("this$0")) == pool);
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

void
finding_workers(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint64_t threads = column_rows(f->heap->jthread_object), n = 0;
	uint32_t pool = pool_of(f, x), frame = 0, method;
	bool same = true, several = finding_owners(f, x) > 1;

	for (uint64_t i = 1; pool != 0 && i <= threads; i++) {
		if (!works_for(f->heap, (uint32_t)column_get(f->heap->jthread_object, i - 1), pool))
			continue;
		method = finding_threads_own_frame(f->heap, i);
		same = same && (n == 0 || store_cell(f->heap->st, COL_FRAME_METHOD, method) ==
		    store_cell(f->heap->st, COL_FRAME_METHOD, frame));
		frame = n++ == 0 ? method : frame;
	}
	if (n == 0)
		return;
	buf_str(b, n == 1 || same ? STR("; ") : STR("; one of "));
	buf_str(b, several ? STR("the ") : STR("its "));
	if (n > 1) {
		finding_number(n, b);
		buf_chr(b, ' ');
	}
	buf_str(b, n == 1 ? STR("thread") : STR("threads"));
	if (several)
		buf_str(b, STR(" of one pool"));
	buf_str(b, n > 1 && same ? STR(" are in ") : STR(" is in "));
	if (frame != 0)
		finding_threads_add_frame(f->heap, frame, b);
	else
		buf_str(b, STR("JDK code"));
}
