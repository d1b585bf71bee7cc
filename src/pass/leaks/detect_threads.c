/*
 * detect_threads: many threads of one kind that are no workers of a pool: something starts one each time, and never ends it.
 */
#include "config.h"

#include "findings.h"

#define MANY 50u
#define STACK (64u << 10)	/* bytes that a thread takes outside of the heap, at least */

/* Threads of one class whose names differ in numbers only. */
struct kind {
	uint32_t	class, n, biggest;
	uint64_t	bytes, most;
};

struct threads {
	struct scratch	 kinds, workers;	/* workers: u8 by thread: it works for a pool, or may */
	uint64_t	 n;
	struct idmap	 by_name;
	struct buf	 name;
};

/* Executors of the JDK, of Jetty, Tomcat, Netty and JBoss, and Kotlin's; of a thread without a stack it cannot be told. */
static bool
find_workers(struct finder *f, struct threads *s, uint64_t threads)
{
	static const char *const pools[] = { "*ThreadPool*", "*Executor*", "*ForkJoin*", "*VirtualThread*", "*CoroutineScheduler*" };
	const struct column *thread = store_column(f->st, COL_FRAME_THREAD), *class = store_column(f->st, COL_FRAME_CLASS);
	struct scratch pool = SCRATCH_INIT;
	uint64_t of, c;

	if (!scratch_array(&s->workers, threads + 1, 1, f->err) || !scratch_array(&pool, f->h.classes + 1ull, 1, f->err))
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
	scratch_free(&pool);
	return true;
}

static bool
count_thread(struct finder *f, struct threads *s, uint32_t thread, uint32_t object)
{
	uint64_t bytes = heap_retained(&f->h, object), key;
	struct kind new = { .class = heap_class(&f->h, object) }, *k;
	uint32_t at;

	buf_clear(&s->name);
	heap_thread_name(&f->h, thread, &s->name);
	name_pool(&s->name, 0);
	if (s->name.bad)
		return fail(f->err, E_SYSTEM, "out of memory (name)");
	key = hash_bytes(s->name.s, s->name.n, new.class);
	at = idmap_get(&s->by_name, key);
	if (at == 0 && (!scratch_add(&s->kinds, &s->n, &new, sizeof new, f->err) ||
	    !idmap_put(&s->by_name, key, at = (uint32_t)s->n, f->err)))
		return false;
	k = &SCRATCH(s->kinds, struct kind)[at - 1];
	k->n++;
	k->bytes = num_add(k->bytes, bytes);
	if (k->biggest == 0 || bytes > k->most) {
		k->most = bytes;
		k->biggest = object;
	}
	return true;
}

static bool
threads_end(struct finder *f, void *state)
{
	struct threads *s = state;
	uint64_t threads = column_rows(f->h.jthread_object);

	if (threads < MANY)
		return true;
	if (!find_workers(f, s, threads))
		return false;
	for (uint64_t i = 1; i <= threads && i <= UINT32_MAX; i++) {
		uint32_t object = (uint32_t)column_get(f->h.jthread_object, i - 1);

		if (!work_go(f->work, i, f->err))
			return false;
		if (object != 0 && object <= f->h.objects && heap_dominator(&f->h, object) != 0 && !s->workers.data[i] &&
		    !count_thread(f, s, (uint32_t)i, object))
			return false;
	}
	for (uint64_t i = 0; i < s->n; i++) {
		const struct kind *k = &SCRATCH(s->kinds, struct kind)[i];
		uint64_t stacks = (uint64_t)k->n * STACK;

		if (k->n >= MANY && !finding_add(f, &(struct finding){ .kind = FINDING_THREADS, .object = k->biggest,
		    .class = k->class, .count = k->n, .retained = k->bytes, .weight = k->bytes > stacks ? k->bytes : stacks }))
			return false;
	}
	return true;
}

static void
threads_release(void *state)
{
	struct threads *s = state;

	SCRATCH_FREE(&s->kinds, &s->workers);
	idmap_free(&s->by_name);
	buf_free(&s->name);
}

const struct detector detector_threads = {
	.state_size = sizeof(struct threads), .end = threads_end, .release = threads_release
};
