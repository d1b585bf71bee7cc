/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * routes: ways from roots to many objects at once, against the ways to each of them; and who is to
 * blame where several hold an object.
 */
#include "config.h"

#include "chance.h"
#include "check.h"
#include "folder.h"
#include "heaps.h"

#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/leak.h"

#define GRAPHS 200
#define LONG 300000u

/* Classes, then objects, all of them in one row of numbers. */
enum {
	OBJECT = 0x1000, CLASS = 0x1010, ARRAY = 0x1020, THREAD = 0x1030, REFERENCE = 0x1040,
	WEAK = 0x1050, FINALIZER = 0x1060, NODE = 0x1070, STRING = 0x1080, BYTES = 0x1090,
	METHODS = 0x10a0, APP = 0x10b0, NAMES = 0x1100, THREADS = 0x1200, FIRST = 0x2000, STEP = 16
};

static char *folder, *path;
static struct store *st;
static struct heap heap, forward;	/* forward: without referrers, so that all is searched from the roots */

/* ---- dumps --------------------------------------------------------------------------- */

#define FIELDS(...) (const struct put_field[]){ __VA_ARGS__ }, \
	NELEM(((const struct put_field[]){ __VA_ARGS__ }))

static void
write_classes(struct heap_writer *w, uint64_t kept)
{
	put_class(w, OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(w, CLASS, "java/lang/Class", OBJECT, 0, NULL, 0);
	put_class(w, ARRAY, "[Ljava/lang/Object;", OBJECT, 0, NULL, 0);
	put_class(w, THREAD, "java/lang/Thread", OBJECT, 0, FIELDS({ "name", HEAP_OBJECT, false, 0 },
	    { "target", HEAP_OBJECT, false, 0 }));
	put_class(w, REFERENCE, "java/lang/ref/Reference", OBJECT, 0,
	    FIELDS({ "referent", HEAP_OBJECT, false, 0 }, { "next", HEAP_OBJECT, false, 0 }));
	put_class(w, WEAK, "java/lang/ref/WeakReference", REFERENCE, 0, NULL, 0);
	put_class(w, FINALIZER, "java/lang/ref/Finalizer", OBJECT, 0,
	    FIELDS({ "element", HEAP_OBJECT, false, 0 }, { "lock", HEAP_OBJECT, false, 0 }));
	put_class(w, NODE, "t/Node", OBJECT, 0, FIELDS({ "next", HEAP_OBJECT, false, 0 },
	    { "other", HEAP_OBJECT, false, 0 }));
	put_class(w, STRING, "java/lang/String", OBJECT, 0, FIELDS({ "value", HEAP_OBJECT, false, 0 },
	    { "coder", HEAP_BYTE, false, 0 }));
	put_class(w, BYTES, "[B", OBJECT, 0, NULL, 0);
	put_class(w, METHODS, "android/view/inputmethod/InputMethodManager", OBJECT, 0,
	    FIELDS({ "mServedView", HEAP_OBJECT, false, 0 }, { "mCurMethod", HEAP_OBJECT, false, 0 }));
	put_class(w, APP, "t/App", OBJECT, 0, FIELDS({ "kept", HEAP_OBJECT, true, kept }));
	put_root(w, ROOT_STICKY_CLASS, OBJECT);
	put_root(w, ROOT_STICKY_CLASS, APP);
}

static uint64_t
id_of(uint32_t node)
{
	return FIRST + (uint64_t)node * STEP;
}

static void
write_pair(struct heap_writer *w, uint64_t id, uint64_t class, uint64_t a, uint64_t b)
{
	put_instance(w, id, class, 16);
	put(&w->body, a, 8);
	put(&w->body, b, 8);
}

/* Threads are numbered from 1; target: what it refers to by a field. */
static void
write_thread(struct heap_writer *w, uint32_t thread, const char *name, uint64_t target)
{
	uint64_t string = NAMES + thread * 32;

	put_prims(w, string + 16, HEAP_BYTE, (uint32_t)strlen(name));
	buf_str(&w->body, str_of(name));
	put_instance(w, string, STRING, 9);
	put(&w->body, string + 16, 8);
	put(&w->body, 0, 1);
	write_pair(w, THREADS + thread * 16, THREAD, string, target);
	put_thread_root(w, ROOT_THREAD, THREADS + thread * 16, thread, 0);
}

static void
write_local(struct heap_writer *w, uint32_t thread, uint64_t object)
{
	put_thread_root(w, ROOT_JAVA_FRAME, object, thread, 0);
}

static void
open_dump(struct heap_writer *w, enum heap_refs refs)
{
	static const column_id wanted[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN };
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	struct buf file = BUF_INIT;
	size_t i;

	put_file(w, &file);
	folder_write(path, file.s, file.n);
	buf_free(&file);
	if (!load_open(&st, path, &options, NULL, &err))
		fail_msg("%s", err.text);
	for (i = 0; i < NELEM(wanted); i++)
		if (!pass_want(st, wanted[i], NULL, &err))
			fail_msg("%s", err.text);
	assert_true(heap_open(&heap, st, refs, SIZES_VM, &err));
	forward = heap;
	forward.in.data = NULL;
}

static uint32_t
at(uint64_t addr)
{
	uint32_t object = heap_find(&heap, addr);

	assert_int_not_equal(object, 0);
	return object;
}

/* ---- against the paths of single objects ------------------------------------------------ */

static void
write_node(struct heap_writer *w, uint32_t i, uint32_t n)
{
	uint32_t m = below(5);

	if (below(6) == 0) {
		write_pair(w, id_of(i), WEAK, id_of(below(n)), below(2) != 0 ? id_of(below(n)) : 0);
		return;
	}
	if (below(3) == 0) {
		write_pair(w, id_of(i), NODE, id_of(below(n)), id_of(below(n)));
		return;
	}
	put_objects(w, id_of(i), ARRAY, m);
	while (m-- > 0)
		put(&w->body, id_of(below(8) == 0 ? below(n) : i < 5 ? i : i - below(5)), 8);
}

static void
write_random(struct heap_writer *w, uint32_t n)
{
	static const uint8_t kinds[] = { ROOT_JNI_GLOBAL, ROOT_STICKY_CLASS, ROOT_MONITOR };
	uint32_t i;

	write_classes(w, below(3) == 0 ? id_of(below(n)) : 0);
	for (i = 0; i < n; i++)
		write_node(w, i, n);
	for (i = 1; i <= 3; i++) {
		write_thread(w, i, "worker", below(2) != 0 ? id_of(below(n)) : 0);
		write_local(w, i, id_of(below(n)));
	}
	for (i = below(6); i > 0; i--)
		put_root(w, kinds[below(NELEM(kinds))], id_of(below(n)));
}

/* The reference from hop i to the one in front of it; a Class object holds java.lang.Class, by no slot. */
static bool
link_of(const struct heap_path *p, size_t i, struct heap_slot *slot)
{
	*slot = (struct heap_slot){ .kind = SLOT_CLASS };
	return heap_link(&heap, p->object[i], p->object[i - 1], slot) ||
	    (p->object[i - 1] == at(CLASS) && heap_class_of_object(&heap, p->object[i]) != 0);
}

/* Each reference of the path is one. */
static void
assert_path(const struct heap_path *p)
{
	struct heap_slot slot;
	size_t i;

	/* Unreachable objects have roots that are none of the dump. */
	assert_true(p->root != 0 || heap.refs == REFS_UNREACHABLE);
	for (i = 1; i < p->n; i++) {
		assert_true(link_of(p, i, &slot));
		assert_true(slot.kind == SLOT_CLASS || heap_counts(&heap, slot.strength));
	}
}

static bool
has_class_hop(const struct heap_path *p)
{
	struct heap_slot slot;
	size_t i;

	for (i = 1; i < p->n; i++)
		if (link_of(p, i, &slot) && slot.kind == SLOT_CLASS)
			return true;
	return false;
}

static void
agree(struct heap_routes *routes, uint32_t object)
{
	struct heap_paths *paths;
	struct heap_path one, other;
	bool more, found;

	assert_true(heap_paths_open(&paths, &heap, object, false, NULL));
	found = heap_paths_next(paths, &one, 0, &more, NULL, NULL);
	assert_int_equal(heap_routes_to(routes, object, &other), found);
	if (found) {
		assert_path(&other);
		assert_int_equal(other.object[0], object);
	}
	if (found && !has_class_hop(&one)) {
		assert_int_equal(other.n, one.n);
		assert_int_equal(other.root, one.root);
		assert_int_equal(other.object[other.n - 1], one.object[one.n - 1]);
	}
	heap_paths_close(paths);
}

static void
agree_all(const struct heap *h, const uint32_t *objects)
{
	struct heap_routes *routes;
	uint32_t i;

	assert_true(heap_routes_open(&routes, h, ROUTE_PLAIN, objects, h->objects, NULL, NULL));
	for (i = 1; i <= h->objects; i++)
		agree(routes, i);
	heap_routes_close(routes);
}

static void
routes_are_as_short_as_paths(void **state)
{
	uint32_t *objects, i, g;

	(void)state;
	for (g = 0; g < GRAPHS; g++) {
		struct heap_writer w = HEAP_WRITER_INIT;

		write_random(&w, 1 + below(g % 4 == 0 ? 12 : 200));
		open_dump(&w, (enum heap_refs)(g % HEAP_REFS));
		objects = mem_array(heap.objects, sizeof *objects);
		for (i = 0; i < heap.objects; i++)
			objects[i] = i + 1;
		agree_all(&heap, objects);
		agree_all(&forward, objects);
		free(objects);
		store_close(st);
	}
}

static void
long_lists_end(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct heap_routes *routes;
	struct heap_path p;
	uint32_t i, last;
	int rule;

	(void)state;
	write_classes(&w, id_of(0));
	for (i = 0; i < LONG; i++)
		write_pair(&w, id_of(i), NODE, i + 1 < LONG ? id_of(i + 1) : 0, 0);
	open_dump(&w, REFS_SOFT);
	last = at(id_of(LONG - 1));
	for (rule = ROUTE_PLAIN; rule <= ROUTE_BLAME; rule++) {
		assert_true(heap_routes_open(&routes, &heap, (enum route_rule)rule, &last, 1, NULL, NULL));
		assert_true(heap_routes_to(routes, last, &p));
		assert_int_equal(p.n, LONG + 1);
		assert_int_equal(p.object[LONG], at(APP));
		assert_false(heap_routes_to(routes, at(id_of(5)), &p));
		heap_routes_close(routes);
	}
	store_close(st);
}

static void
cancelled_searches_fail(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct heap_routes *routes;
	struct err err = { .kind = E_NONE };
	struct work work;
	uint32_t i, last;

	(void)state;
	write_classes(&w, id_of(0));
	for (i = 0; i < LONG; i++)
		write_pair(&w, id_of(i), NODE, i + 1 < LONG ? id_of(i + 1) : 0, 0);
	open_dump(&w, REFS_SOFT);
	last = at(id_of(LONG - 1));
	work_init(&work, NULL);
	atomic_store(&work.cancel, true);
	assert_false(heap_routes_open(&routes, &heap, ROUTE_BLAME, &last, 1, &work, &err));
	assert_int_equal(err.kind, E_CANCEL);
	store_close(st);
}

/* ---- who is to blame ------------------------------------------------------------------------ */

/* The path to an object as addresses, the root last. */
static void
assert_blame_in(const struct heap *h, uint64_t addr, const char *wanted)
{
	struct heap_routes *routes;
	struct heap_path p;
	struct buf b = BUF_INIT;
	uint32_t object = at(addr);
	size_t i;

	assert_true(heap_routes_open(&routes, h, ROUTE_BLAME, &object, 1, NULL, NULL));
	if (heap_routes_to(routes, object, &p))
		for (i = 0; i < p.n; i++)
			buf_printf(&b, i > 0 ? "<%llx" : "%llx",
			    (unsigned long long)heap_addr(&heap, p.object[i]));
	assert_string_equal(b.n == 0 ? "" : b.s, wanted);
	buf_free(&b);
	heap_routes_close(routes);
}

static void
assert_blame(uint64_t addr, const char *wanted)
{
	assert_blame_in(&heap, addr, wanted);
	assert_blame_in(&forward, addr, wanted);
}

/*
 * Objects from FIRST on: 2000 is the static; each of 2010 .. 2050 is held in two ways, the shorter of which counts
 * for less.
 */
static void
write_blame(struct heap_writer *w)
{
	write_classes(w, 0x2000);
	put_objects(w, 0x2000, ARRAY, 1);
	put(&w->body, 0x2100, 8);
	/* Its way: 2100 -> 2110 -> 2120 -> all five. */
	write_pair(w, 0x2100, NODE, 0x2110, 0);
	write_pair(w, 0x2110, NODE, 0x2120, 0);
	put_objects(w, 0x2120, ARRAY, 4);
	put(&w->body, 0x2010, 8);
	put(&w->body, 0x2020, 8);
	put(&w->body, 0x2030, 8);
	put(&w->body, 0x2040, 8);
	write_pair(w, 0x2010, NODE, 0, 0);
	write_pair(w, 0x2020, NODE, 0, 0);
	write_pair(w, 0x2030, NODE, 0, 0);
	write_pair(w, 0x2040, NODE, 0, 0);
	write_pair(w, 0x2050, NODE, 0, 0);
	write_pair(w, 0x2060, NODE, 0, 0);
	write_pair(w, 0x2070, NODE, 0, 0);
	write_pair(w, 0x2080, NODE, 0, 0);
	write_pair(w, 0x2200, FINALIZER, 0x2010, 0x2050);
	put_root(w, ROOT_JNI_GLOBAL, 0x2200);
	write_pair(w, 0x2210, METHODS, 0x2020, 0x2060);
	put_root(w, ROOT_JNI_GLOBAL, 0x2210);
	write_thread(w, 1, "main", 0);
	write_local(w, 1, 0x2030);
	write_local(w, 1, 0x2070);
	write_thread(w, 2, "pool-1-thread-1", 0x2080);
	write_local(w, 2, 0x2040);
	write_local(w, 2, 0x2080);
}

static void
some_ways_come_last(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;

	(void)state;
	write_blame(&w);
	open_dump(&w, REFS_SOFT);
	/* The list of a finalizer, a known leak of Android, the stacks of main and of another thread. */
	assert_blame(0x2010, "2010<2120<2110<2100<2000<10b0");
	assert_blame(0x2020, "2020<2120<2110<2100<2000<10b0");
	assert_blame(0x2030, "2030<2120<2110<2100<2000<10b0");
	assert_blame(0x2040, "2040<2120<2110<2100<2000<10b0");
	/* Other fields of the same objects are as good as any. */
	assert_blame(0x2050, "2050<2200");
	assert_blame(0x2060, "2060<2210");
	/* An object that only a stack holds is found in the end. */
	assert_blame(0x2070, "2070<1210");
	assert_blame(0x2080, "2080<1220");
	store_close(st);
}

static void
owners_are_people_s_names(void **state)
{
	struct heap_writer w = HEAP_WRITER_INIT;
	struct heap_routes *routes;
	struct heap_path p;
	uint32_t object;

	(void)state;
	write_blame(&w);
	open_dump(&w, REFS_SOFT);
	object = at(0x2010);
	assert_true(heap_routes_open(&routes, &heap, ROUTE_BLAME, &object, 1, NULL, NULL));
	assert_true(heap_routes_to(routes, object, &p));
	/* Behind the array. */
	assert_int_equal(p.object[heap_owner(&heap, &p)], at(0x2110));
	p.object += 3;
	p.n -= 3;
	assert_int_equal(p.object[heap_owner(&heap, &p)], at(APP));
	p.n = 2;
	assert_int_equal(heap_owner(&heap, &p), 0);
	heap_routes_close(routes);
	store_close(st);
}

TOOL(unit, routes)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_are_as_short_as_paths),
		cmocka_unit_test(long_lists_end),
		cmocka_unit_test(cancelled_searches_fail),
		cmocka_unit_test(some_ways_come_last),
		cmocka_unit_test(owners_are_people_s_names),
	};
	int failed;

	folder = folder_make();
	path = folder_path(folder, "routes.hprof");
	failed = cmocka_run_group_tests_name("routes", tests, NULL, NULL);
	free(path);
	folder_remove(folder);
	return failed;
}
