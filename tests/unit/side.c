/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests names from other files: of threads, and of classes, fields and frames under a mapping file. */
#include "config.h"

#include <unistd.h>

#include "check.h"
#include "folder.h"
#include "renamed.h"
#include "traces.h"

#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_trace.h"
#include "icecore/values.h"

static char *folder;

/* ---- stores over stores ------------------------------------------------------------- */

static struct store *
side_open(struct store *base, const char *threads, const char *mapping)
{
	const char *const t[] = { threads, NULL }, *const m[] = { mapping, NULL };
	struct side_options o = { .threads = t, .mappings = m };
	struct err err = { .kind = E_NONE };
	struct store *st;

	if (!load_sides(&st, base, &o, NULL, &err))
		fail_msg("%s", err.text);
	assert_ptr_not_equal(st, base);
	return st;
}

static char *
put_text(const char *name, const char *text, size_t n)
{
	char *path = folder_path(folder, name);

	folder_write(path, text, n);
	return path;
}

/* Stores of which each has text of its own: refs mean the same for those above. */
static void
own_texts(void **state)
{
	struct session session;
	struct err err = { .kind = E_NONE };
	struct store *one, *two, *three;
	uint64_t a, b, c;

	(void)state;
	trace_open(&session);
	assert_true(store_over(&one, session.store[0], NULL, &err));
	a = ref_make(store_own_at(one) + 1, 3);
	store_own_text(one, STR("xabc"));
	assert_true(store_over(&two, one, NULL, &err));
	assert_true(store_over(&three, two, NULL, &err));
	b = ref_make(store_own_at(three), 2);
	c = ref_make(store_own_at(three) + 1, 2);
	store_own_text(three, STR("de"));
	assert_true(str_eq(store_text(one, a), STR("abc")));
	assert_true(str_eq(store_text(three, a), STR("abc")));
	assert_true(str_eq(store_text(three, b), STR("de")));
	/* Beyond the text, of a store below, of the file. */
	assert_int_equal(store_text(three, c).n, 0);
	assert_int_equal(store_text(two, b).n, 0);
	assert_int_equal(store_text(session.store[0], a).n, 0);
	assert_true(str_eq(store_text(three, ref_make(0, 8)), STR("*version")));
	store_close(three);
	store_close(two);
	store_close(one);
	trace_close(&session);
}

/* ---- threads --------------------------------------------------------------------------- */

static const char dump[] =
    "Full thread dump x (1):\n\n"
    "\"one\" #1 prio=5 tid=0x7 nid=0x1 runnable [0x0]\n   java.lang.Thread.State: RUNNABLE\n\n"
    "\"two \"quoted\"\" #2 [2] daemon prio=5 nid=2 waiting on condition\n\n"
    "Full thread dump x (1):\n\n\"three\" #3 nid=0x1 sleeping\n";

static const char javacore[] =
    "0SECTION       TITLE subcomponent dump routine\n"
    "3XMTHREADINFO      \"one\" J9VMThread:0x1, omrthread_t:0x7F, java/lang/Thread:0x7, state:CW, prio=5\n"
    "3XMTHREADINFO1            (native thread ID:0x1, native priority:0x5, vmstate:CW)\n"
    "3XMTHREADINFO      Anonymous native thread\n"
    "3XMTHREADINFO1            (native thread ID:0x3, native priority:0x5)\n"
    "3XMTHREADINFO      \"two \"quoted\"\" (TID:0x2, sys_thread_t:0x1, state:R, native ID:0x2) prio=5\n"
    "3XMTHREADINFO \"\n3XMTHREADINFO1 (native thread ID:\n";

static void
thread_is(const struct store *st, uint32_t thread, const char *name, const char *by, const char *state,
    const char *earlier)
{
	struct buf b = BUF_INIT;

	thread_name(st, thread, &b);
	assert_string_equal(b.s, name);
	assert_string_equal(thread_by(st, thread), by);
	assert_true(str_eq(thread_state(st, thread), str_of(state)));
	buf_clear(&b);
	thread_earlier(st, thread, &b);
	assert_true(str_eq(buf_view(&b), str_of(earlier)));
	buf_free(&b);
}

static void
threads(void **state)
{
	struct session session;
	struct err err = { .kind = E_NONE };
	struct store *st;
	char *path = put_text("dump.txt", dump, sizeof dump - 1);

	(void)state;
	trace_open(&session);
	st = side_open(session.store[0], path, NULL);
	assert_true(pass_want(st, COL_CALL_METHOD, NULL, &err));
	thread_is(st, 1, "three", "tid", "sleeping", "one, main");
	thread_is(st, 2, "two \"quoted\"", "tid", "waiting on condition", "Binder:1_2");
	thread_is(st, 3, "Binder:1_3", "file", "", "");
	assert_int_equal(store_fact_get(st, "side.reused"), 1);
	assert_int_equal(store_fact_get(st, "side.joined"), 2);
	/* The file itself is as it was. */
	thread_is(session.store[0], 1, "main", "file", "", "");
	store_close(st);
	trace_close(&session);
	free(path);
}

static void
cut_dump(const char *text, size_t size)
{
	struct session session;
	struct err err;
	struct store *st;
	const char *const none[] = { NULL };
	size_t n;

	trace_open(&session);
	for (n = 0; n < size; n++) {
		char *path = put_text("cut.txt", text, n);
		const char *const list[] = { path, NULL };
		struct side_options o = { .threads = list, .mappings = none };

		err.kind = E_NONE;
		if (load_sides(&st, session.store[0], &o, NULL, &err)) {
			assert_true(n >= 16);
			assert_in_range(store_fact_get(st, "side.rows"), 0, 3);
			assert_int_equal(store_fact_get(st, "side.joined") +
			    store_fact_get(st, "side.unmatched"), 4);
			store_close(st);
		} else
			assert_int_equal(err.kind, E_USAGE);
		free(path);
	}
	trace_close(&session);
}

/* A dump that ends anywhere has at least its whole lines, and nothing else. */
static void
cut_threads(void **state)
{
	(void)state;
	cut_dump(dump, sizeof dump);
	cut_dump(javacore, sizeof javacore);
}

static void
javacores(void **state)
{
	struct session session;
	struct err err = { .kind = E_NONE };
	struct store *st;
	char *path = put_text("javacore.txt", javacore, sizeof javacore - 1);

	(void)state;
	trace_open(&session);
	st = side_open(session.store[0], path, NULL);
	assert_true(pass_want(st, COL_CALL_METHOD, NULL, &err));
	thread_is(st, 1, "one", "tid", "waiting", "main");
	thread_is(st, 2, "two \"quoted\"", "tid", "running", "Binder:1_2");
	thread_is(st, 3, "Binder:1_3", "file", "", "");
	store_close(st);
	trace_close(&session);
	free(path);
}

static void
refused(void **state)
{
	static const struct {
		const char	*text;
		bool		 mapping;
	} files[] = {
		{ "", false }, { "nothing of the kind\n", false }, { "x 12\n", false },
		{ "", true }, { "a b c\n    int x -> y\n", true }, { "a -> b\n", true }
	};
	struct session session;
	struct err err;
	struct store *st;
	size_t i;

	(void)state;
	trace_open(&session);
	for (i = 0; i < NELEM(files); i++) {
		char *path = put_text("refused.txt", files[i].text, strlen(files[i].text));
		const char *const list[] = { path, NULL };
		struct side_options o = { .threads = files[i].mapping ? NULL : list,
		    .mappings = files[i].mapping ? list : NULL };

		err.kind = E_NONE;
		assert_false(load_sides(&st, session.store[0], &o, NULL, &err));
		assert_int_equal(err.kind, E_USAGE);
		assert_non_null(strstr(err.text, "refused.txt"));
		assert_ptr_equal(st, session.store[0]);
		free(path);
	}
	trace_close(&session);
}

/* ---- files that belong to a file ------------------------------------------------------------- */

static void
count_file(void *to, const char *name)
{
	assert_non_null(strstr(name, "dump.hprof"));
	++*(unsigned *)to;
}

/* A heap dump may have parts; other files have none, whatever the names of their neighbours. */
static void
files_of_dump(void **state)
{
	static const char *const texts[] = { "JAVA PROFILE 1.0.2", "JAVA PROFIT" };
	char *path, *part = put_text("dump.hprof.p1", "part", 4);
	const struct side_options none = { .threads = NULL };
	int before, after;
	unsigned n;

	(void)state;
	for (unsigned i = 0; i < NELEM(texts); i++) {
		path = put_text("dump.hprof", texts[i], strlen(texts[i]));
		before = dup(STDERR_FILENO);
		close(before);
		n = 0;
		load_files(path, &none, count_file, &n);
		assert_int_equal(n, 2 - i);
		after = dup(STDERR_FILENO);
		close(after);
		assert_int_equal(after, before);
		free(path);
	}
	free(part);
}

/* ---- pools ----------------------------------------------------------------------------------- */

static void
pools(void **state)
{
	static const char *const names[][2] = {
		{ "dw-17", "dw-*" }, { "pool-1-thread-7", "pool-*-thread-*" }, { "Thread-3", "Thread-*" },
		{ "GC Thread#9", "GC Thread#*" }, { "worker-3f2a9c", "worker-*" }, { "0x7f00-b", "*-b" },
		{ "6f1c2d3e-11aa-4bcd-9e8f-0123456789ab", "*" }, { "facade12", "facade*" },
		{ "beefcafe", "beefcafe" }, { "a1b2c3x", "a*b*c*x" }, { "", "" }, { "42", "*" }, { "0x", "*x" }
	};
	struct buf b = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(names); i++) {
		buf_clear(&b);
		buf_str(&b, STR("12 "));
		buf_str(&b, str_of(names[i][0]));
		name_pool(&b, 3);
		assert_true(str_has_prefix(buf_view(&b), STR("12 ")));
		if (!str_eq((struct str){ b.s + 3, b.n - 3 }, str_of(names[i][1])))
			fail_msg("%s: %.*s", names[i][0], (int)b.n, b.s);
	}
	buf_free(&b);
}

/* ---- heap dumps under a mapping file ------------------------------------------------------------ */

static struct store *
heap_load(uint32_t line)
{
	static const struct store_options options = { .memory_only = true };
	struct buf file = BUF_INIT;
	struct err err = { .kind = E_NONE };
	struct store *st;
	char *path;

	renamed_heap(&file, line);
	path = put_text("renamed.hprof", file.s, file.n);
	if (!load_open(&st, path, &options, NULL, &err))
		fail_msg("%s", err.text);
	buf_free(&file);
	free(path);
	return st;
}

static void
class_is(const struct heap *h, uint64_t addr, const char *name, const char *raw)
{
	uint32_t class = heap_class_of_object(h, heap_find(h, addr));
	struct buf b = BUF_INIT;

	heap_class_name(h, class, &b);
	assert_string_equal(b.s, name);
	buf_clear(&b);
	heap_class_obfuscated(h, class, &b);
	assert_true(str_eq(buf_view(&b), str_of(raw)));
	buf_free(&b);
}

/* Names of the fields, or of the static ones, in order. */
static void
slots_are(const struct heap *h, uint64_t addr, enum heap_slot_kind kind, const char *names)
{
	struct heap_slots s;
	struct heap_slot slot;
	struct buf b = BUF_INIT;

	assert_true(heap_slots(h, heap_find(h, addr), &s));
	while (heap_slot(&s, &slot))
		if (slot.kind == kind) {
			buf_str(&b, slot.name);
			buf_chr(&b, ';');
		}
	assert_string_equal(b.s == NULL ? "" : b.s, names);
	buf_free(&b);
}

static void
frame_is(uint32_t line, const char *text)
{
	struct store *base = heap_load(line), *st;
	struct err err = { .kind = E_NONE };
	struct buf b = BUF_INIT;
	struct heap h;
	char *path = put_text("mapping.txt", renamed_mapping, sizeof renamed_mapping - 1);

	st = side_open(base, NULL, path);
	assert_true(pass_want(st, COL_OBJECT_OFFSET, NULL, &err));
	assert_true(pass_want(st, COL_FRAME_METHOD, NULL, &err));
	assert_true(heap_open(&h, st, REFS_SOFT, SIZES_VM, &err));
	heap_frame_name(&h, 1, &b);
	assert_string_equal(b.s, text);
	buf_free(&b);
	store_close(st);
	store_close(base);
	free(path);
}

static void
frames(void **state)
{
	(void)state;
	frame_is(5, "com.app.Main.slow(Main.java:104)");
	frame_is(12, "com.app.Main.outer [inlined com.app.Helper.inner:70](Main.java:60)");
	frame_is(50, "com.app.Main.slow|outer (ambiguous)(Main.java:50)");
}

static void
heap(void **state)
{
	struct store *base = heap_load(5), *st;
	struct err err = { .kind = E_NONE };
	struct heap h;
	char *path = put_text("mapping.txt", renamed_mapping, sizeof renamed_mapping - 1);

	(void)state;
	st = side_open(base, NULL, path);
	assert_true(pass_want(st, COL_OBJECT_OFFSET, NULL, &err));
	assert_true(heap_open(&h, st, REFS_SOFT, SIZES_VM, &err));
	class_is(&h, R_MAIN, "com.app.Main", "a.a");
	class_is(&h, R_SUB, "com.app.Sub", "a.b");
	class_is(&h, R_ARRAY, "com.app.Main[][]", "a.a[][]");
	class_is(&h, R_DOTTED, "com.app.Sub[]", "a.b[]");
	class_is(&h, R_THREAD, "java.lang.Thread", "");
	class_is(&h, R_KEPT, "com.app.Kept", "");
	slots_are(&h, R_ONE, SLOT_FIELD, "size;next;first|second (ambiguous);");
	slots_are(&h, R_TWO, SLOT_FIELD, "size;size;next;first|second (ambiguous);");
	slots_are(&h, R_MAIN, SLOT_STATIC, "all;kept;");
	assert_int_equal(store_fact_get(st, "mapping.renamed_classes"), 4);
	/* Below nothing has changed. */
	assert_true(heap_open(&h, base, REFS_SOFT, SIZES_VM, &err));
	class_is(&h, R_MAIN, "a.a", "");
	slots_are(&h, R_ONE, SLOT_FIELD, "a;a;b;");
	store_close(st);
	store_close(base);
	free(path);
}

/* Cut at every byte a mapping file gives the names it still has. */
static void
cut_mapping(void **state)
{
	struct store *base = heap_load(5), *st;
	struct err err;
	size_t n;

	(void)state;
	for (n = 0; n < sizeof renamed_mapping; n++) {
		char *path = put_text("cut.map", renamed_mapping, n);
		const char *const list[] = { path, NULL };
		struct side_options o = { .mappings = list };

		err.kind = E_NONE;
		if (load_sides(&st, base, &o, NULL, &err)) {
			assert_in_range(store_fact_get(st, "mapping.classes"), 1, 3);
			store_close(st);
		} else
			assert_int_equal(err.kind, E_USAGE);
		free(path);
	}
	store_close(base);
}

TOOL(unit, side)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_texts), cmocka_unit_test(threads), cmocka_unit_test(cut_threads),
		cmocka_unit_test(javacores), cmocka_unit_test(refused), cmocka_unit_test(files_of_dump),
		cmocka_unit_test(pools), cmocka_unit_test(heap), cmocka_unit_test(frames),
		cmocka_unit_test(cut_mapping)
	};
	int failed;

	folder = folder_make();
	failed = cmocka_run_group_tests_name("side", tests, NULL, NULL);
	folder_remove(folder);
	return failed;
}
