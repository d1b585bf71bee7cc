/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record: answers and files of processes that are recorded: what they mean, and damage at every byte.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "programs/record/away.h"
#include "programs/record/histogram.h"
#include "programs/record/perfmap.h"

/* ---- counters of a JVM ------------------------------------------------------------------ */

static void
put32(struct buf *b, uint32_t v, bool little)
{
	for (int i = 0; i < 4; i++)
		buf_chr(b, (char)(v >> (little ? 8 * i : 24 - 8 * i)));
}

static void
put_entry(struct buf *b, const char *name, const char *text, uint64_t number, bool little)
{
	size_t length = strlen(name) + 1, data = (20 + length + 7) / 8 * 8, n = text == NULL ? 8 : strlen(text) + 1;

	put32(b, (uint32_t)(data + (n + 7) / 8 * 8), little);
	put32(b, 20, little);
	put32(b, text == NULL ? 0 : (uint32_t)n, little);
	buf_chr(b, text == NULL ? 'J' : 'B');
	buf_add(b, "\0\1\1", 3);
	put32(b, (uint32_t)data, little);
	buf_add(b, name, length);
	while (b->n % 8 != 0)
		buf_chr(b, '\0');
	if (text == NULL) {
		put32(b, (uint32_t)(little ? number : number >> 32), little);
		put32(b, (uint32_t)(little ? number >> 32 : number), little);
	} else
		buf_add(b, text, n);
	while (b->n % 8 != 0)
		buf_chr(b, '\0');
}

static void
make_counters(struct buf *b, const char *policy, bool little)
{
	buf_clear(b);
	put32(b, 0xcafec0c0, false);
	buf_add(b, little ? "\1\2\0\1" : "\0\2\0\1", 4);
	for (int i = 0; i < 4; i++)
		put32(b, 0, little);
	put32(b, 32, little);
	put32(b, 6, little);
	put_entry(b, "sun.rt.javaCommand", "a.B c", 0, little);
	put_entry(b, "sun.gc.policy.name", policy, 0, little);
	put_entry(b, "sun.gc.generation.0.maxCapacity", NULL, 100, little);
	put_entry(b, "sun.gc.generation.1.maxCapacity", NULL, 300, little);
	put_entry(b, "sun.gc.generation.0.space.1.used", NULL, 7, little);
	put_entry(b, "sun.gc.generation.1.space.0.used", NULL, 35, little);
}

static void
counters_known(void **state)
{
	struct buf b = BUF_INIT;
	struct jvm_counters c;

	(void)state;
	for (int little = 0; little < 2; little++) {
		make_counters(&b, "GarbageFirst", little);
		assert_true(hsperf_read(buf_view(&b), &c));
		assert_true(str_eq(c.command, STR("a.B c")) && c.used == 42 && c.max == 300);
		make_counters(&b, "Copy:MSC", little);
		assert_true(hsperf_read(buf_view(&b), &c) && c.max == 400);
	}
	buf_free(&b);
}

/* Copies of the exact size, so that a sanitizer sees reads beyond the end. */
static void
counters_damaged(void **state)
{
	static const int values[] = { 0, 1, 0x14, 0x7f, 0x80, 0xff };
	struct buf b = BUF_INIT;
	struct jvm_counters c;
	char *copy;

	(void)state;
	make_counters(&b, "x", true);
	for (size_t n = 0; n < b.n; n++) {
		copy = malloc(n + 1);
		memcpy(copy, b.s, n);
		copy = realloc(copy, n == 0 ? 1 : n);
		assert_false(hsperf_read((struct str){ copy, n }, &c));
		free(copy);
	}
	copy = malloc(b.n);
	for (size_t at = 0; at < b.n; at++)
		for (size_t i = 0; i < NELEM(values); i++) {
			memcpy(copy, b.s, b.n);
			copy[at] = (char)values[i];
			(void)hsperf_read((struct str){ copy, b.n }, &c);
		}
	free(copy);
	buf_free(&b);
}

/* ---- histograms ---------------------------------------------------------------------------- */

static void
histograms(void **state)
{
	static const char text[] = " num     #instances         #bytes  class name (module)\n-----\n"
	    "   1:            12            345  [B (java.base@17)\n   2: 1 2 a.B\n  x: 1 2 c\n   3: 99999999999999999999999 2 d\n 4: 1 2\nTotal 13 347\n5: 7 8 z";
	struct class_counts h = { .n = 0 };
	const struct counted_class *row;
	struct err err;

	(void)state;
	assert_true(histogram_read(str_of(text), &h, &err));
	assert_int_equal(h.n, 3);
	row = histogram_find(&h, STR("[B"));
	assert_true(row != NULL && row->instances == 12 && row->bytes == 345);
	assert_null(histogram_find(&h, STR("d")));
	for (size_t n = 0; n < sizeof text - 1; n++) {
		char *copy = malloc(n + 1);

		memcpy(copy, text, n);
		(void)!histogram_read((struct str){ copy, n }, &h, &err);
		free(copy);
	}
	assert_false(histogram_read(STR("hello\n"), &h, &err));
	histogram_free(&h);
}

/* ---- answers ------------------------------------------------------------------------------- */

static void
answers(void **state)
{
	static const struct process t = { .pid = 7, .name = "Main" };
	struct err err;
	struct jfr_owned o;
	struct str text, rest;
	uint64_t n;

	(void)state;
	assert_true(attach_answer(&t, STR("0\nhello\n"), &text, &err) && str_eq(text, STR("hello\n")));
	assert_false(attach_answer(&t, STR("1\n\n no such command\n"), &text, &err));
	assert_string_equal(err.text, "the JVM 7 (Main) refused: no such command");
	assert_false(attach_answer(&t, STR("hello\n"), &text, &err));
	assert_false(attach_answer(&t, STR(""), &text, &err));
	assert_int_equal(heap_info_used(STR(" heap total 9K, used 50K [0, 2)\n part used 2M\n Metaspace used 900K\n x used 1K")), (50 << 10) + (2 << 20));
	assert_int_equal(heap_info_used(STR(" used 12")), 0);
	assert_true(jfr_running(STR("Recording 3: name=a (stopped)\nRecording 12: name=b (running)\n"), &n) && n == 12);
	assert_false(jfr_running(STR("No available recordings.\n"), &n));
	rest = STR("Recording 1: name=icecore-7 (running)\nRecording: recording=2 name=\"icecore-12-34-56\" (running)\n"
	    "Recording 3: name=icecore-1-2-3 (stopped)\nRecording 4: name=icecore-8-9-1x (running)\nRecording 5: name=icecore-8-9-10 (running)\n");
	assert_true(jfr_owned(&rest, &o) && o.pid == 12 && o.started == 34 && o.space == 56 && strcmp(o.name, "icecore-12-34-56") == 0);
	assert_true(jfr_owned(&rest, &o) && o.pid == 8 && o.space == 10);
	assert_false(jfr_owned(&rest, &o));
}

/* ---- names of compiled code ------------------------------------------------------------------ */

static void
compiled_code(void **state)
{
	static const struct { const char *line, *with; } lines[] = {
		{ "\t    7f0000001010 [unknown] (/tmp/perf-12.map)\n", "\t    7f0000001010 void a.B.c() (/tmp/perf-12.map)\n" },
		{ "\t    7f0000001fff [unknown] (/tmp/perf-1.map)\n", "\t    7f0000001fff void a.B.c() (/tmp/perf-1.map)\n" },
		{ "\t    7f0000002000 [unknown] (/tmp/perf-1.map)\n", "\t    7f0000002000 e?vil (/tmp/perf-1.map)\n" },
		{ "\t    7f0000002010 [unknown] (/tmp/perf-1.map)\n", NULL },
		{ "\t               0 [unknown] (/tmp/perf-1.map)\n", NULL },
		{ "\t    7f0000001010 [unknown] (/lib/libc.so.6)\n", NULL },
		{ "\t    7f0000001010 known+0x1 (/tmp/perf-1.map)\n", NULL },
		{ "dw-0 1/2 1.000: 1 cycles:\n", NULL }, { "\n", NULL }, { "", NULL },
	};
	struct perf_map m = PERF_MAP_NONE;
	struct buf b = BUF_INIT;
	struct err err;

	(void)state;
	buf_str(&m.text, STR("7f0000002000 10 e\033vil\n0x00007f0000001000 0x0000000000001000 void a.B.c()\nx 1 y\n12\n7f0000009000 10\n"));
	assert_true(perf_map_parse(&m, &err));
	assert_int_equal(m.n, 2);
	for (size_t i = 0; i < NELEM(lines); i++) {
		buf_clear(&b);
		buf_str(&b, STR(""));
		perf_map_line(&m, str_of(lines[i].line), &b);
		assert_true(str_eq(buf_view(&b), str_of(lines[i].with != NULL ? lines[i].with : lines[i].line)));
	}
	buf_free(&b);
	perf_map_free(&m);
}

/* ---- tasks off their CPU --------------------------------------------------------------------- */

static const struct away_task *
task_of(const struct away *a, uint32_t pid)
{
	for (uint64_t i = 0; i < a->ntasks; i++)
		if (SCRATCH(a->tasks, struct away_task)[i].pid == pid)
			return &SCRATCH(a->tasks, struct away_task)[i];
	return NULL;
}

#define SWITCH(time, prev, ppid, next, npid) \
	"  <...>-1  [000] d..2. " time ": sched_switch: prev_comm=" prev " prev_pid=" ppid " prev_prio=120 prev_state=S ==> next_comm=" next " next_pid=" npid " next_prio=120\n"

static void
tasks_away(void **state)
{
	static const char text[] = SWITCH("10.000000", "one", "1", "swapper/0", "0") SWITCH("10.500000", "swapper/0", "0", "one", "1")
	    "garbage\n <...>-1 [000] 10.600000: sched_waking: comm=one pid=1 prio=120\n"
	    SWITCH("11.000000", "one", "1", "x next_pid=7", "2") SWITCH("12.250000", "x prev_pid=9 ==> next_comm=y", "2", "one", "1")
	    SWITCH("99999999999999", "one", "1", "z", "3") SWITCH("13.0", "z", "99999999999", "one", "1");
	const struct away_task *t;
	struct err err;

	(void)state;
	for (size_t step = 1; step < sizeof text; step += 13) {
		struct away a = AWAY_INIT;

		for (size_t at = 0; at < sizeof text - 1; at += step)
			assert_true(away_take(&a, text + at, sizeof text - 1 - at < step ? sizeof text - 1 - at : step, &err));
		t = task_of(&a, 1);
		assert_true(t != NULL && t->longest == 1250000000u);
		assert_string_equal(t->name, "one");
		t = task_of(&a, 2);
		assert_true(t != NULL && t->longest == 0);
		assert_true(task_of(&a, 7) == NULL && task_of(&a, 9) == NULL && task_of(&a, 0) == NULL);
		away_free(&a);
	}
}

TOOL(unit, record)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_known),
		cmocka_unit_test(counters_damaged),
		cmocka_unit_test(histograms),
		cmocka_unit_test(answers),
		cmocka_unit_test(compiled_code),
		cmocka_unit_test(tasks_away),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
