/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thread_pool: the pool of a thread, known by the object it runs, a part of the pool; and its position.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "heap.h"

#define WRAPPED 4u	/* Runnables in one another */
#define GROUPS 3u	/* pools that are parts of other pools */
#define SUPERS 64u	/* superclasses that are looked at */

/* Simple names of classes of thread pools, without outer classes. */
static const char *const pools[] = {
	"*ThreadPool*", "*Executor", "*ExecutorImpl", "*ExecutorService", "*ForkJoinPool", "*WorkerPool",
	    "*EventLoop",
	"*EventLoopGroup", "CoroutineScheduler"
};

static bool
is_pool_name(struct str name)
{
	const char *p = name.n == 0 ? NULL : name.s + name.n;

	while (p != NULL && p > name.s && !is_one_of(p[-1], "./$"))
		p--;
	return p != NULL && str_glob_any(pools, NELEM(pools),
	    (struct str){ p, (size_t)(name.s + name.n - p) });
}

/* Return the superclass, for at most SUPERS steps; 0: none. */
static uint32_t
super_of(const struct heap *h, uint32_t class, unsigned n)
{
	return class == 0 || class > h->classes || n >= SUPERS ? 0 : (uint32_t)store_cell(h->st,
	    COL_CLASS_SUPER, class);
}

/* Return whether the class of the object, or one of its superclasses, has the name of a pool. */
static bool
thread_pool_is_pool(const struct heap *h, uint32_t object)
{
	uint32_t class = object == 0 ? 0 : heap_class(h, object);

	for (unsigned n = 0; class != 0; class = super_of(h, class, n++))
		if (is_pool_name(class_text(h, class)))
			return true;
	return false;
}

/*
 * A lambda may capture a pool that it only uses; it runs for the pool if the pool's class declares the
 * lambda.
 */
static uint32_t
pool_of_lambda(const struct heap *h, uint32_t lambda)
{
	struct str name = class_text(h, heap_class(h, lambda)), outer, rest;
	uint32_t pool = heap_field_object(h, lambda, "arg$1");

	if (!thread_pool_is_pool(h, pool) || !str_divide(name, STR("$$Lambda"), &outer, &rest))
		return 0;
	for (uint32_t class = heap_class(h, pool), n = 0; class != 0; class = super_of(h, class, n++))
		if (str_eq(class_text(h, class), outer))
			return pool;
	return 0;
}

static uint32_t
outermost(const struct heap *h, uint32_t pool)
{
	static const char *const up[] = { "parent", "group" };
	uint32_t group;

	for (size_t n = 0; n < GROUPS; n++)
		for (size_t i = 0; i < NELEM(up); i++)
			if (thread_pool_is_pool(h, group = heap_field_object(h, pool, up[i])))
				pool = group;
	return pool;
}

/* Return the object of the first of n fields that is not null; 0: none. */
static uint32_t
first_field(const struct heap *h, uint32_t object, const char *const *names, size_t n)
{
	uint32_t found = 0;

	for (size_t i = 0; i < n && found == 0; i++)
		found = heap_field_object(h, object, names[i]);
	return found;
}

uint32_t
heap_thread_task(const struct heap *h, uint32_t thread)
{
	uint32_t task = heap_field_object(h, heap_field_object(h, thread, "holder"), "task");

	if (task == 0)
		task = heap_field_object(h, thread, "target");
	/* The task of a virtual thread is in a Continuation, wrapped in another Runnable. */
	if (task == 0 && (task = heap_field_object(h, heap_field_object(h, thread, "cont"), "target")) != 0) {
		uint32_t own = heap_field_object(h, task, "val$task");

		task = own != 0 ? own : task;
	}
	return task;
}

uint32_t
heap_thread_pool(const struct heap *h, uint32_t thread)
{
	static const char *const inner[] = { "runnable", "task", "delegate", "command", "r",
	    "wrappedRunnable", "val$runnable",
	    "val$task", "val$command", "val$r" };
	uint32_t runs = heap_thread_task(h, thread), pool, next;

	if (thread_pool_is_pool(h, pool = heap_field_object(h, thread, "pool")) ||
	    thread_pool_is_pool(h, pool = heap_field_object(h, thread, "this$0")))
		return outermost(h, pool);
	for (unsigned n = 0; n < WRAPPED && runs != 0; n++, runs = next) {
		if (thread_pool_is_pool(h, runs))
			return outermost(h, runs);
		if (thread_pool_is_pool(h, pool = heap_field_object(h, runs, "this$0")) ||
		    (pool = pool_of_lambda(h, runs)) != 0)
			return outermost(h, pool);
		next = first_field(h, runs, inner, NELEM(inner));
	}
	return 0;
}

/* ---- where it is ------------------------------------------------------------------------------ */

uint32_t
thread_frame(const struct heap *h, uint64_t thread, const uint8_t *platform)
{
	uint64_t frame = store_cell(h->st, COL_JTHREAD_FRAME, thread),
	    n = store_cell(h->st, COL_JTHREAD_FRAMES, thread);

	for (; frame != 0 && n > 0; n--, frame++) {
		uint32_t class = (uint32_t)store_cell(h->st, COL_FRAME_CLASS, frame);

		if (class != 0 && class <= h->classes &&
		    !(platform != NULL ? platform[class] : heap_is_platform(h, class, PLATFORM_BLAME)))
			return (uint32_t)frame;
	}
	return 0;
}

/* Return the task of a thread without the futures and adapters of the JDK around it. */
static uint32_t
own_task(const struct heap *h, uint32_t object)
{
	static const char *const inner[] = { "callable", "task", "runnable", "fn" };
	uint32_t task = heap_thread_task(h, object), next;

	for (unsigned n = 0; n < WRAPPED && task != 0 &&
	    heap_is_platform(h, heap_class(h, task), PLATFORM_BLAME); n++) {
		next = first_field(h, task, inner, NELEM(inner));
		if (next == 0)
			break;
		task = next;
	}
	return task;
}

bool
thread_place(const struct heap *h, uint32_t thread, uint32_t object, const uint8_t *platform, struct buf *b)
{
	uint32_t frame = thread_frame(h, thread, platform), task = frame != 0 ? 0 : own_task(h, object);
	struct str method, rest;

	if (frame == 0) {
		heap_stable_name(h, heap_class(h, task != 0 ? task : object), b);
		return false;
	}
	method = store_text(h->st, store_cell(h->st, COL_FRAME_METHOD, frame));
	heap_stable_name(h, (uint32_t)store_cell(h->st, COL_FRAME_CLASS, frame), b);
	buf_chr(b, '.');
	/* Drop the number of a lambda: it differs from build to build. */
	if (str_has_prefix(method, STR("lambda$")))
		str_divide_last(method, '$', &method, &rest);
	buf_str(b, method);
	return true;
}
