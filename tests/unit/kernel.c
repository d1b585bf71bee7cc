/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel: names of events of the kernel, and what their text says.
 */
#include "config.h"

#include <string.h>

#include "check.h"
#include "icecore/base.h"
#include "icecore/kernel.h"

/* The text that the kernel prints, and two of its fields; text NULL: a number. */
static const struct {
	uint32_t	kind;
	const char	*payload;
	struct { unsigned field; int64_t v; const char *text; } is[2];
} forms[] = {
	{ KERNEL_CPU_IDLE, "state=4294967295 cpu_id=3", { { 1, UINT32_MAX, NULL }, { 2, 3, NULL } } },
	{ KERNEL_CLOCK_RATE, "a state=1 clk state=800 cpu_id=0", { { 1, 0, "a state=1 clk" }, { 2, 800, NULL } } },
	{ KERNEL_GPU_FREQUENCY, "gpu_id=1 frequency=500", { { 1, 1, NULL }, { 2, 500, NULL } } },
	{ KERNEL_GPU_FREQUENCY, "state=500 gpu_id=1", { { 1, 1, NULL }, { 2, 500, NULL } } },
	{ KERNEL_BLOCKED, "pid=7 iowait=1 caller=do_wait+0x1f/0x3b", { { 1, 7, NULL }, { 2, 0, "do_wait+0x1f/0x3b" } } },
	{ KERNEL_BINDER, "transaction=5 dest_node=0 dest_proc=2 dest_thread=0 reply=1 flags=0x11 code=0x3", { { 5, 1, NULL }, { 7, 0x11, NULL } } },
	{ KERNEL_NEW_TASK, "pid=9 comm=a clone_flags=1 b clone_flags=3d0f00 oom_score_adj=-5", { { 2, 0, "a clone_flags=1 b" }, { 3, 0x3d0f00, NULL } } },
	{ KERNEL_RENAME, "pid=9 oldcomm=a newcomm=b c oom_score_adj=0", { { 2, 0, "a" }, { 3, 0, "b c" } } },
	{ KERNEL_RSS, "mm_id=8 curr=1 type=MM_SWAPENTS size=-4096B", { { 1, 2, NULL }, { 2, -4096, NULL } } },
	{ KERNEL_RSS, "member=1 size=4096B", { { 1, 1, NULL }, { 2, 4096, NULL } } },
	{ KERNEL_OOM, "pid=9 comm=a b oom_score_adj=-1000", { { 2, -1000, NULL }, { 1, 0, "a b" } } },
	{ KERNEL_FREE, "comm=x pid=1 pid=12 prio=120", { { 1, 0, "x pid=1" }, { 2, 12, NULL } } },
};

/* Of other forms, and of damaged ones. */
static const struct { uint32_t kind; const char *payload; } bad[] = {
	{ KERNEL_CPU_IDLE, "" }, { KERNEL_CPU_IDLE, "cpu_id=3" }, { KERNEL_BLOCKED, "pid=x iowait=1 caller=y" },
	{ KERNEL_BLOCKED, "pid=99999999999 iowait=1 caller=y" }, { KERNEL_BLOCKED, "pid=-4 iowait=1 caller=y" },
	{ KERNEL_PRINT, "B|1|a" }, { 0, "state=1" }, { UINT32_MAX, "state=1" },
};

static void
test_forms(void **state)
{
	struct kernel_event e;

	(void)state;
	for (size_t i = 0; i < NELEM(forms); i++) {
		assert_true(kernel_event_has_form(forms[i].kind));
		assert_true(kernel_event_read(forms[i].kind, str_of(forms[i].payload), &e));
		assert_int_equal(e.kind, forms[i].kind);
		for (size_t k = 0; k < 2; k++) {
			unsigned field = forms[i].is[k].field;

			assert_true(e.has >> field & 1);
			if (forms[i].is[k].text != NULL)
				assert_true(str_eq(e.s[field], str_of(forms[i].is[k].text)));
			else
				assert_true((int64_t)e.v[field] == forms[i].is[k].v);
			/* A size has a unit. */
			assert_int_equal(e.numbers >> field & 1, forms[i].is[k].text == NULL && e.s[field].s[e.s[field].n - 1] != 'B');
		}
	}
	for (size_t i = 0; i < NELEM(bad); i++)
		assert_false(kernel_event_read(bad[i].kind, str_of(bad[i].payload), &e));
}

/* Each name is found again, and no two kinds have one name. */
static void
test_names(void **state)
{
	unsigned n = 0;

	(void)state;
	for (uint32_t i = 0; i < KERNEL_KINDS + 5; i++) {
		const char *name = kernel_event_name(i);

		n += name != NULL;
		assert_true(name == NULL || (kernel_event_kind(str_of(name)) == i && kernel_event_known(str_of(name))));
	}
	assert_true(n > 500);
	assert_int_equal(kernel_event_kind(STR("sched_switc")), 0);
	assert_int_equal(kernel_event_kind(STR("")), 0);
	assert_true(kernel_event_known(STR("sched_stat_runtime")) && !kernel_event_known(STR("vendor_event")));
	assert_true(kernel_event_is_free(STR("bprint")) && kernel_event_is_free(STR("console")) && !kernel_event_is_free(STR("sched_switch")));
	assert_string_equal(kernel_event_name(KERNEL_SIGNAL_DELIVER), "signal_deliver");
	assert_string_equal(kernel_event_name(KERNEL_SIGNAL_GENERATE), "signal_generate");
}

/* The fields that tasks and names are in. */
static void
test_about(void **state)
{
	(void)state;
	assert_int_equal(kernel_event_about(KERNEL_FREE), 2);
	assert_int_equal(kernel_event_about(KERNEL_CPU_IDLE), 0);
	assert_true(!kernel_event_runs(KERNEL_CPU_IDLE) && !kernel_event_runs(KERNEL_BLOCKED));
	assert_true(kernel_event_runs(KERNEL_RSS) && kernel_event_runs(KERNEL_NEW_TASK) && kernel_event_runs(KERNEL_GENERIC));
	assert_int_equal(kernel_event_names(KERNEL_RENAME), 1 << 2 | 1 << 3);
}

TOOL(unit, kernel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_about),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
