/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime: what functions are for, by their names; a slow model compares each name with every pattern.
 */
#include "config.h"

#include "check.h"
#include "base/runtime_names.h"
#include "icecore/base.h"

static unsigned
slow_fitting(struct str name)
{
	struct str rest, pattern;
	unsigned is = 0;

	for (size_t i = 0; i < NELEM(runtime_names); i++)
		for (rest = str_of(runtime_names[i].patterns); str_split(&rest, '|', &pattern); )
			is |= str_glob(pattern, name) ? runtime_names[i].is : 0;
	return is;
}

static unsigned
slow(struct str name)
{
	unsigned is = slow_fitting(name);
	struct str bare = name;

	is |= str_glob(STR("__*"), name) && !str_glob(STR("*__"), name) ? RUNTIME_INNER : 0;
	while (str_take(&bare, STR("_")) || str_take(&bare, STR("GI_")) || str_take(&bare, STR("libc_")))
		;
	return is | slow_fitting(bare);
}

/* Every pattern, with other texts in place of its stars, before it and after it. */
static void
patterns(void **state)
{
	static const char *const fillers[] = { "", "x", "java.lang.", "__", "*|?", "\xff\xfe" };
	struct str rest, pattern, part;
	OWN_BUF name = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < NELEM(runtime_names) * NELEM(fillers) * NELEM(fillers); i++) {
		const struct runtime_names *row = &runtime_names[i % NELEM(runtime_names)];
		const char *fill = fillers[i / NELEM(runtime_names) % NELEM(fillers)];

		for (rest = str_of(row->patterns); str_split(&rest, '|', &pattern); ) {
			struct str parts = pattern;

			buf_clear(&name);
			buf_text(&name, fillers[i / NELEM(runtime_names) / NELEM(fillers)]);
			for (size_t k = 0; str_split(&parts, '*', &part); k++) {
				buf_text(&name, k > 0 ? fill : "");
				buf_str(&name, part);
			}
			buf_text(&name, pattern.s[pattern.n - 1] == '*' ? fill : "");
			assert_int_equal(runtime_of(buf_view(&name)), slow(buf_view(&name)));
			if (i < NELEM(runtime_names) && fill[0] == '\0')
				assert_true(runtime_is(buf_view(&name), row->is));
		}
	}
}

static void
names(void **state)
{
	static const struct { const char *name; unsigned is; } cases[] = {
		{ "", 0 }, { "com.example.Pool.get", 0 }, { "main.work", 0 }, { "__init__", 0 }, { "remainder", 0 },
		{ "java.lang.Thread.run", RUNTIME_LIBRARY | RUNTIME_ENTRY },
		{ "java.util.concurrent.ThreadPoolExecutor.getTask", RUNTIME_LIBRARY | WAITING_WORK },
		{ "java.lang.Object.wait", RUNTIME_LIBRARY | WAITING_OTHER },
		{ "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.awaitNanos",
		  RUNTIME_LIBRARY | WAITING_OTHER },
		{ "java.util.concurrent.FutureTask.run", RUNTIME_LIBRARY | RUNTIME_LOOP },
		{ "start_thread", RUNTIME_ENTRY }, { "__clone", RUNTIME_ENTRY | RUNTIME_INNER },
		{ "main", RUNTIME_MAIN }, { "__libc_start_main_impl", RUNTIME_ENTRY | RUNTIME_INNER },
		{ "__GI___libc_read", WAITING_IO | RUNTIME_LIBRARY | RUNTIME_INNER }, { "0x7f00", RUNTIME_NAMELESS },
		{ "[libc.so.6]", RUNTIME_NAMELESS }, { "(idle)", WAITING_WORK | RUNTIME_NAMELESS }, { "io.netty.util.Recycler.get", RUNTIME_LIBRARY },
		{ "abort", RUNTIME_ENDS }, { "runtime.gcBgMarkWorker", RUNTIME_LIBRARY | RUNTIME_COLLECTS },
		{ "CompileBroker::compiler_thread_loop", RUNTIME_COMPILES }
	};

	(void)state;
	for (size_t i = 0; i < NELEM(cases); i++)
		assert_int_equal(runtime_of(str_of(cases[i].name)), cases[i].is);
}

/* A runtime or the kernel starts them; threads of programs are called otherwise. */
static void
threads(void **state)
{
	static const char *const ours[] = { "kworker/0:1-events", "C2 CompilerThread0", "C2 CompilerThre", "G1 Conc#0", "VM Thread",
		"DestroyJavaVM", "ReferenceQueueDaemon", "ReferenceQueueD", "GC Thread#0", "Jit thread pool worker thread 0" },
	    *const others[] = { "", "main", "worker-1", "DefaultDispatcher-worker-6", "Finalizers", "VM Threads of mine",
		"kworkers", "http-nio-8080-exec-1", "RenderThread", "ForkJoinPool.commonPool-worker-1" };

	(void)state;
	for (size_t i = 0; i < NELEM(ours); i++)
		assert_true(runtime_thread(str_of(ours[i])));
	for (size_t i = 0; i < NELEM(others); i++)
		assert_false(runtime_thread(str_of(others[i])));
}

TOOL(unit, runtime)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(patterns), cmocka_unit_test(names), cmocka_unit_test(threads) };

	return cmocka_run_group_tests_name("runtime", tests, NULL, NULL);
}
