/*
 * detect_threads: threads that keep a tenth of the heap or more, and what threads of pools keep in
 * ThreadLocals.
 *
 * A thread of a pool does not end, so what was set once stays, unless it is removed.
 */
#include "config.h"

#include "loader_holds.h"

#define TICK 4096u
#define SHARE 10u		/* one part in so many of the live bytes makes a thread a finding */
#define SHARE_LOCAL 100u	/* the same, of the values of one kind in thread locals */
#define FLOOR (64u << 10)	/* bytes: less is nobody's trouble, however small the heap is */
#define LARGE_LOCAL (1u << 20)	/* values of so many bytes are told in a heap of any size */
#define MOST_LARGE 64u		/* threads that are told; more than ten are nested */

/* Values of one class, or of several with one name, in the ThreadLocals of all threads of pools. */
struct local_group {
	uint32_t	class, n, biggest, thread;
	uint64_t	bytes, most, stale;	/* stale: without a key */
	bool		loader;			/* a thread is what keeps the class loader of them */
};

/* A thread that keeps much. */
struct large {
	uint32_t	thread, part;	/* part: the largest that only it has */
	bool		locals;		/* these are its thread locals */
	bool		pooled;
};

struct threads {
	struct scratch	 groups, large;
	uint64_t	 n, nlarge;
	struct idmap	 group;		/* name of a class to 1 + index */
};

static bool
threads_wants(struct finder *f, void *state, uint32_t class)
{
	(void)state;
	return (f->sorts.data[class] & SORT_THREAD) != 0;
}

/* ---- large ones ------------------------------------------------------------------------ */

/* What nothing but the thread holds, the largest of it: a local, or what a field refers to. */
static uint32_t
largest_part(const struct finder *f, uint32_t thread)
{
	struct heap_slots slots;
	struct heap_slot slot;
	uint64_t most = 0, bytes;
	uint32_t best = 0;

	if (!heap_slots(&f->h, thread, &slots))
		return 0;
	while (heap_slot(&slots, &slot)) {
		if (!heap_slot_refers(&slot) || slot.object == 0 ||
		    heap_dominator(&f->h, slot.object) != thread)
			continue;
		bytes = heap_retained(&f->h, slot.object);
		if (bytes > most) {
			most = bytes;
			best = slot.object;
		}
	}
	return best;
}

static bool
look_at_size(struct finder *f, struct threads *s, uint32_t thread, bool pooled)
{
	struct large large = { .thread = thread, .pooled = pooled };
	uint64_t bytes = heap_retained(&f->h, thread);

	if (bytes < f->live / SHARE || bytes < FLOOR || s->nlarge == MOST_LARGE)
		return true;
	large.part = largest_part(f, thread);
	large.locals = large.part != 0 &&
	    heap_field_object(&f->h, thread, STR("threadLocals")) == large.part;
	return scratch_add(&s->large, &s->nlarge, &large, sizeof large, f->err);
}

/* Whether the thread dominates what is mentioned. */
static bool
is_below(struct finder *f, uint32_t thread, uint32_t object, bool *below)
{
	uint32_t steps = 0;

	for (*below = false; object != 0 && !*below; object = heap_above(&f->h, object)) {
		if (++steps % TICK == 0 && !work_go(f->work, steps, f->err))
			return false;
		*below = object == thread;
	}
	return true;
}

/*
 * The suspects that a thread or its largest part owns, and the one that is most of it, go into its finding: *to gets the accumulation
 * point.
 */
static bool
take_suspects(struct finder *f, uint32_t thread, struct finding *to)
{
	struct finding *list = SCRATCH(f->list, struct finding);
	uint64_t i = 0, bytes, most = 0;
	uint32_t part = to->other;
	bool below;

	while (i < f->n) {
		below = false;
		if (list[i].kind == FINDING_SUSPECT && !is_below(f, thread, list[i].other, &below))
			return false;
		bytes = list[i].retained;
		if (!below || (list[i].object != thread && list[i].object != part &&
		    bytes < to->retained / 10 * 7)) {
			i++;
			continue;
		}
		bytes = heap_retained(&f->h, list[i].other);
		if (bytes > most && bytes >= to->retained / 2 && list[i].other != thread) {
			most = bytes;
			to->other = list[i].other;
			to->class = list[i].class;
			to->number = list[i].number;
		}
		list[i] = list[--f->n];
	}
	return true;
}

/* ---- pools --------------------------------------------------------------------------------- */

/* What it runs is a worker, or it is called as those of well known pools are. */
static bool
is_pooled(const struct finder *f, uint32_t thread)
{
	static const char *const works[] = {
		"java.util.concurrent.ThreadPoolExecutor$Worker", "*$WrappingRunnable", "*QueuedThreadPool*"
	};
	static const char *const called[] = {
		"pool-*-thread-*", "*-exec-*", "*ForkJoinPool*-worker-*", "qtp*", "XNIO-* task-*",
		"default task-*", "*EventLoop*", "*-dispatcher-*"
	};
	uint32_t name = heap_field_object(&f->h, thread, STR("name")), runs;
	struct buf b = BUF_INIT;
	bool found;

	/* Since Java 19 it stands in a part of the thread. */
	runs = heap_field_object(&f->h, heap_field_object(&f->h, thread, STR("holder")), STR("task"));
	if (runs == 0)
		runs = heap_field_object(&f->h, thread, STR("target"));
	if (runs != 0)
		heap_label(&f->h, runs, &b);
	found = str_glob_any(works, NELEM(works), buf_view(&b));
	buf_clear(&b);
	if (!found && name != 0 && !heap_string(&f->h, name, 128, &b))
		heap_chars(&f->h, name, 128, &b);
	found = found || str_glob_any(called, NELEM(called), buf_view(&b));
	buf_free(&b);
	return found;
}

/* ---- thread locals ------------------------------------------------------------------------- */

/* Nothing but a thread keeps the loader of the class of that object, or of the class that it is. */
static bool
holds_loader(const struct finder *f, uint32_t object)
{
	const struct column *objects = store_column(f->st, COL_LOADER_OBJECT);
	uint32_t at = (uint32_t)column_get(objects, world_row(f, object) - 1ull);

	for (uint32_t n = 0; at != 0 && n < DEEP; n++, at = heap_above(&f->h, at))
		if (finder_sort(f, at) & SORT_THREAD)
			return true;
	return false;
}

static struct local_group *
group_of(struct finder *f, struct threads *s, uint32_t class)
{
	uint64_t name = class == 0 ? 0 : column_get(store_column(f->st, COL_CLASS_NAME), class - 1ull);
	uint32_t at = idmap_get(&s->group, name);
	struct local_group g = { .class = class };

	if (at == 0) {
		at = (uint32_t)s->n + 1;
		if (!scratch_add(&s->groups, &s->n, &g, sizeof g, f->err) ||
		    !idmap_put(&s->group, name, at, f->err))
			return NULL;
	}
	return &SCRATCH(s->groups, struct local_group)[at - 1];
}

static bool
add_entry(struct finder *f, struct threads *s, uint32_t thread, uint32_t entry)
{
	uint32_t value = heap_field_object(&f->h, entry, STR("value"));
	struct local_group *g;
	struct heap_slot key;
	uint64_t bytes;

	if (value == 0 || !heap_field(&f->h, entry, STR("referent"), 0, &key))
		return true;
	g = group_of(f, s, heap_class(&f->h, value));
	if (g == NULL)
		return false;
	bytes = heap_retained(&f->h, value);
	g->n++;
	g->stale += key.object == 0;
	g->bytes = num_add(g->bytes, bytes);
	g->loader |= holds_loader(f, value);
	if (bytes > g->most || g->biggest == 0) {
		g->most = bytes;
		g->biggest = value;
		g->thread = thread;
	}
	return true;
}

static bool
look_at_locals(struct finder *f, struct threads *s, uint32_t thread, struct str field)
{
	uint32_t table = heap_field_object(&f->h, heap_field_object(&f->h, thread, field), STR("table")), n;
	struct heap_slot entry;

	n = table == 0 ? 0 : heap_length(&f->h, table);
	for (uint32_t i = 0; i < n; i++) {
		if ((i % TICK == 0 && !work_go(f->work, i, f->err)) ||
		    (heap_element(&f->h, table, i, &entry) && entry.object != 0 &&
		    !add_entry(f, s, thread, entry.object)))
			return false;
	}
	return true;
}

static bool
threads_object(struct finder *f, void *state, uint32_t thread)
{
	struct threads *s = state;
	bool pooled = is_pooled(f, thread);

	return look_at_size(f, s, thread, pooled) && (!pooled ||
	    (look_at_locals(f, s, thread, STR("threadLocals")) &&
	    look_at_locals(f, s, thread, STR("inheritableThreadLocals"))));
}

static bool
add_locals(struct finder *f, const struct threads *s)
{
	const struct local_group *g;
	uint64_t least = f->live / SHARE_LOCAL;

	least = least < FLOOR ? FLOOR : least > LARGE_LOCAL ? LARGE_LOCAL : least;
	for (uint32_t i = 0; i < s->n; i++) {
		g = &SCRATCH(s->groups, struct local_group)[i];
		if (g->bytes < least && !g->loader)
			continue;
		if (!finding_add(f, &(struct finding){ .kind = FINDING_THREAD_LOCAL,
		    .object = g->biggest, .class = g->class, .other = g->thread,
		    .count = g->n, .retained = g->bytes, .number = g->stale }))
			return false;
	}
	return true;
}

static bool
threads_end(struct finder *f, void *state)
{
	struct threads *s = state;
	const struct large *large;
	struct finding finding;

	for (uint32_t i = 0; i < s->nlarge; i++) {
		large = &SCRATCH(s->large, struct large)[i];
		finding = (struct finding){ .kind = FINDING_THREAD, .object = large->thread,
		    .count = 1, .other = large->part, .retained = heap_retained(&f->h, large->thread) };
		/* The thread locals of a thread of a pool are findings of their own. */
		if (!take_suspects(f, large->thread, &finding) ||
		    (!(large->pooled && large->locals) && !finding_add(f, &finding)))
			return false;
	}
	return add_locals(f, s);
}

static void
threads_release(void *state)
{
	struct threads *s = state;

	SCRATCH_FREE(&s->groups, &s->large);
	idmap_free(&s->group);
}

const struct detector detector_threads = {
	.state_size = sizeof(struct threads), .wants = threads_wants,
	.object = threads_object, .end = threads_end, .release = threads_release
};
