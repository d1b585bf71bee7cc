/*
 * thread_pool: for which pool a thread works.  It knows that by what it runs, which is a part of the pool.
 */
#include "config.h"

#include <string.h>

#include "heap.h"

#define WRAPPED 4u	/* Runnables in one another */
#define GROUPS 3u	/* pools that are parts of others */
#define SUPERS 64u	/* superclasses that are looked at */

/* Of the simple names of classes, without those that they are in. */
static const char *const pools[] = {
	"*ThreadPool*", "*Executor", "*ExecutorImpl", "*ExecutorService", "*ForkJoinPool", "*WorkerPool", "*EventLoop",
	"*EventLoopGroup", "CoroutineScheduler"
};

static bool
is_pool_name(struct str name)
{
	const char *p = name.n == 0 ? NULL : name.s + name.n;

	while (p != NULL && p > name.s && strchr("./$", p[-1]) == NULL)
		p--;
	return p != NULL && str_glob_any(pools, NELEM(pools), (struct str){ p, (size_t)(name.s + name.n - p) });
}

/* The next one up, of at most SUPERS; 0: none. */
static uint32_t
super_of(const struct heap *h, uint32_t class, unsigned n)
{
	return class == 0 || class > h->classes || n >= SUPERS ? 0 : (uint32_t)store_cell(h->st, COL_CLASS_SUPER, class);
}

/* It, or what it extends. */
static bool
is_pool(const struct heap *h, uint32_t object)
{
	uint32_t class = object == 0 ? 0 : heap_class(h, object);

	for (unsigned n = 0; class != 0; class = super_of(h, class, n++))
		if (is_pool_name(class_text(h, class)))
			return true;
	return false;
}

/* A pool that a lambda has got may be one that it uses: it is its own where the class of the pool wrote the lambda. */
static uint32_t
pool_of_lambda(const struct heap *h, uint32_t lambda)
{
	struct str name = class_text(h, heap_class(h, lambda)), outer, rest;
	uint32_t pool = heap_field_object(h, lambda, STR("arg$1"));

	if (!is_pool(h, pool) || !str_divide(name, STR("$$Lambda"), &outer, &rest))
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
			if (is_pool(h, group = heap_field_object(h, pool, str_of(up[i]))))
				pool = group;
	return pool;
}

uint32_t
heap_thread_task(const struct heap *h, uint32_t thread)
{
	uint32_t task = heap_field_object(h, heap_field_object(h, thread, STR("holder")), STR("task"));

	if (task == 0)
		task = heap_field_object(h, thread, STR("target"));
	/* Of a virtual thread a Continuation has it, within a Runnable of its own. */
	if (task == 0 && (task = heap_field_object(h, heap_field_object(h, thread, STR("cont")), STR("target"))) != 0) {
		uint32_t own = heap_field_object(h, task, STR("val$task"));

		task = own != 0 ? own : task;
	}
	return task;
}

uint32_t
heap_thread_pool(const struct heap *h, uint32_t thread)
{
	static const char *const inner[] = { "runnable", "task", "delegate", "command", "r", "wrappedRunnable", "val$runnable", "val$task",
	    "val$command", "val$r" };
	uint32_t runs = heap_thread_task(h, thread), pool, next;

	if (is_pool(h, pool = heap_field_object(h, thread, STR("pool"))) ||
	    is_pool(h, pool = heap_field_object(h, thread, STR("this$0"))))
		return outermost(h, pool);
	for (unsigned n = 0; n < WRAPPED && runs != 0; n++, runs = next) {
		if (is_pool(h, runs))
			return outermost(h, runs);
		if (is_pool(h, pool = heap_field_object(h, runs, STR("this$0"))) || (pool = pool_of_lambda(h, runs)) != 0)
			return outermost(h, pool);
		next = 0;
		for (size_t i = 0; i < NELEM(inner) && next == 0; i++)
			next = heap_field_object(h, runs, str_of(inner[i]));
	}
	return 0;
}
