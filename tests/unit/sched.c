/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched: scheduler traces from files, in all forms of lines, and live from pipes.
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "check.h"
#include "../fuzz/schedwalk.h"

static struct store *
open_text(const char *text)
{
	struct err err = { .kind = E_NONE };
	struct store *st = NULL;

	if (!schedwalk_file((const uint8_t *)text, strlen(text), &st, &err) ||
	    !pass_want(st, COL_TASK_ON, NULL, &err) || !pass_want(st, COL_THREAD_TID, NULL, &err))
		fail_msg("%s", err.text);
	return st;
}

static uint64_t
of_task(const struct store *st, column_id column, uint64_t tid)
{
	const struct column *ids = store_column(st, COL_LISTED_TID);
	uint64_t row;

	for (row = 0; row < ids->rows && column_get(ids, row) != tid; row++)
		;
	if (row == ids->rows)
		fail_msg("no task %d", (int)tid);
	return column_get(store_column(st, column), row);
}

static bool
is_named(const struct store *st, uint32_t thread, const char *name)
{
	struct buf b = BUF_INIT;
	bool same;

	thread_name(st, thread, &b);
	same = str_eq(buf_view(&b), str_of(name));
	buf_free(&b);
	return same;
}

/* ---- lines ---------------------------------------------------------------------- */

/* Each form of a switch from 7 to 9 and, 151 us later, back. */
static const struct form {
	const char	*away, *back;
	bool		 names;
} forms[] = {
	{ "    a b-7     [001] 5.000003: sched_switch: 7:110:S ==> 9:120: c-d",
	    "    c-d-9     [001] 5.000154: sched_switch: 9:120:R ==> 7:110: a b", true },
	{ "    a b-7     (  5) [001] d..3 5.000003: sched_switch: prev_comm=a b prev_pid=7 prev_prio=120 prev_state=S ==> "
	    "next_comm=c-d next_pid=9 next_prio=120",
	    "    c-d-9     (-----) [001] d..3 5.000154: sched_switch: prev_comm=c-d prev_pid=9 prev_prio=120 prev_state=R+ ==> "
	    "next_comm=a b next_pid=7 next_prio=120\r", true },
	{ "    a b-7     [001] d..2.  5.000003: sched_switch:    a b:7 [120] S ==> c-d:9 [120]",
	    "    c-d-9     [001] d..2.  5.000154: sched_switch:    c-d:9 [120] R ==> a b:7 [120]", true },
	{ "a b     7 [001]     5.000003: sched:sched_switch: prev_comm=a b prev_pid=7 prev_prio=120 prev_state=S ==> "
	    "next_comm=c-d next_pid=9 next_prio=120",
	    "c-d   9/9 [001]     5.000154000:          1 sched:sched_switch: c-d:9 [120] R ==> a b:7 [120]", true },
	{ "  <...>-7     [001] 5.000003: sched_switch: task a b:7 [120] (S) ==> c-d:9 [120]\\n\\",
	    "  <...>-9     [001] 5.000154: sched_switch: task c-d:9 [120] (R) ==> a b:7 [120]\\n\\", true },
	{ "  <...>-7     [001] 5.000003: sched_switch: 7:120:S ==> 9:120: <...>",
	    "  <...>-9     [001] 5.000154: sched_switch: 9:120:R ==> 7:120: <...>", false },
	{ "[001] 1.234: x-7  [001] 5.000003: sched_switch: prev_comm=a b prev_pid=7 prev_prio=120 prev_state=S ==> "
	    "next_comm=c-d next_pid=9 next_prio=120",
	    "x: 5.5: y-9  [001] .... 5.000154: sched_switch: prev_comm=c-d prev_pid=9 prev_prio=120 prev_state=R ==> "
	    "next_comm=a b next_pid=7 next_prio=120 extra=1 prev_pid=3", true },
	{ "    a b-7     [001] 5.000003: (+5)   sched_switch:    a b:7 [120] S ==> c-d:9 [120]",
	    "    c-d-9     [001] 5.000154: (+151)   sched_switch:    c-d:9 [120] R ==> a b:7 [120]", true },
	{ "    a b-7     1d..2 5.000003: sched_switch:    a b:7 [120] S ==> c-d:9 [120]",
	    "    c-d-9     1dN.2. 5.000154: sched_switch:    c-d:9 [120] R ==> a b:7 [120]", true },
	{ "    a b-7     [001] 5.000003: sched_switch:          prev_comm=a b prev_pid=7 prev_prio=120 prev_state=1 "
	    "next_comm=c-d next_pid=9 next_prio=120",
	    "    c-d-9     [001] 5.000154: sched_switch:          prev_comm=c-d prev_pid=9 prev_prio=120 prev_state=0x100 "
	    "next_comm=a b next_pid=7 next_prio=120", true },
};

static void
every_form(void **state)
{
	char text[1024];
	struct store *st;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(forms); i++) {
		snprintf(text, sizeof text, "%s\n%s\n", forms[i].away, forms[i].back);
		st = open_text(text);
		if (of_task(st, COL_TASK_OFF, 7) != 151000 || of_task(st, COL_TASK_SLEEPING, 7) != 151000 ||
		    of_task(st, COL_TASK_ON, 9) != 151000 || of_task(st, COL_TASK_MAX_GAP, 7) != 151000)
			fail_msg("form %zu", i);
		assert_int_equal(store_fact_get(st, "repair.bad_events"), 0);
		if (forms[i].names && (!is_named(st, 1, "a b") || !is_named(st, 2, "c-d")))
			fail_msg("names of form %zu", i);
		assert_int_equal(column_get(store_column(st, COL_CPU_NUMBER), 0), 1);
		store_close(st);
	}
}

static void
three_lines(void **state)
{
	struct store *st = open_text(
	    "          <idle>-0     [020] 6907585.873080: sched_switch: 0:120:R ==> 33233:110: java\n"
	    "           <...>-33233 [020] 6907585.873083: sched_switch: 33233:110:S ==> 0:120: swapper/20\n"
	    "          <idle>-0     [020] 6907585.873234: sched_switch: 0:120:R ==> 33233:110: java\n");

	(void)state;
	assert_int_equal(of_task(st, COL_TASK_ON, 33233), 3000);
	assert_int_equal(of_task(st, COL_TASK_OFF, 33233), 151000);
	assert_int_equal(of_task(st, COL_TASK_MAX_GAP, 33233), 151000);
	assert_int_equal(of_task(st, COL_TASK_GAPS, 33233), 1);
	assert_int_equal(store_column(st, COL_LISTED_TID)->rows, 1);
	store_close(st);
}

#define SWITCH(cpu, time, prev, st, next) \
	" t-1 [00" #cpu "] " time ": sched_switch: prev_comm=p prev_pid=" #prev " prev_prio=1 prev_state=" st \
	" ==> next_comm=n next_pid=" #next " next_prio=1\n"
#define WAKE(time, pid) " t-1 [000] " time ": sched_waking: comm=n pid=" #pid " prio=1 target_cpu=000\n"

/* Delay counts from the first wakeup; of two switches to a task only the later counts; gaps cross CPUs. */
static void
rules(void **state)
{
	struct store *st = open_text(
	    SWITCH(0, "1.000000", 0, "R", 5) SWITCH(0, "1.000010", 5, "D", 0)
	    WAKE("1.000020", 5) WAKE("1.000025", 5)
	    SWITCH(3, "1.000030", 0, "R", 5) SWITCH(2, "1.000040", 0, "R", 5)
	    SWITCH(2, "1.000050", 5, "I", 0) SWITCH(2, "1.000060", 0, "R", 5));

	(void)state;
	assert_int_equal(of_task(st, COL_TASK_ON, 5), 20000);
	assert_int_equal(of_task(st, COL_TASK_OFF, 5), 30000);
	assert_int_equal(of_task(st, COL_TASK_DISK, 5), 20000);
	assert_int_equal(of_task(st, COL_TASK_OTHER, 5), 10000);
	assert_int_equal(of_task(st, COL_TASK_DELAY, 5), 10000);
	assert_int_equal(of_task(st, COL_TASK_DELAYS, 5), 1);
	assert_int_equal(of_task(st, COL_TASK_IN, 5), 4);
	assert_int_equal(of_task(st, COL_TASK_P50, 5), 10000);
	assert_int_equal(of_task(st, COL_TASK_P99, 5), 20000);
	store_close(st);
}

/* The switch away from 75 is missing, then that of 6, which continues elsewhere. */
static void
left_unseen(void **state)
{
	struct store *st = open_text(
	    SWITCH(0, "1.000000", 0, "R", 5) SWITCH(0, "1.000010", 5, "S", 75) SWITCH(0, "1.000020", 5, "S", 6)
	    SWITCH(1, "1.000040", 0, "R", 6) SWITCH(1, "1.000050", 6, "S", 0) SWITCH(2, "1.000060", 75, "S", 0)
	    SWITCH(0, "1.000100", 7, "S", 0));
	uint64_t busy = 0, unknown = 0;

	(void)state;
	assert_int_equal(of_task(st, COL_TASK_ON, 5), 10000);
	assert_int_equal(of_task(st, COL_TASK_ON, 75), 0);
	assert_int_equal(of_task(st, COL_TASK_ON, 6), 10000);
	for (uint64_t i = 0; i < store_column(st, COL_CPU_BUSY)->rows; i++) {
		busy += column_get(store_column(st, COL_CPU_BUSY), i);
		unknown += column_get(store_column(st, COL_CPU_UNKNOWN), i);
	}
	assert_int_equal(busy, 20000);
	/* All of CPU 0 except the first 10 us, and what was before the first switch of CPU 2. */
	assert_int_equal(unknown, 90000 + 60000);
	store_close(st);
}

/*
 * A wakeup of a task that still runs does not begin its delay.  The wakeup after the task left the CPU does; if there
 * is none, the task was woken while its CPU made the switch.
 */
static void
woken_too_early(void **state)
{
	struct store *st = open_text(
	    SWITCH(0, "1.000000", 0, "R", 5) WAKE("1.000010", 5) SWITCH(0, "1.000020", 5, "S", 0)
	    WAKE("1.000120", 5) SWITCH(0, "1.000125", 0, "R", 5) WAKE("1.000130", 5)
	    SWITCH(0, "1.000140", 5, "S", 0) SWITCH(0, "1.000240", 0, "R", 5));

	(void)state;
	assert_int_equal(of_task(st, COL_TASK_DELAY, 5), 105000);
	assert_int_equal(of_task(st, COL_TASK_DELAYS, 5), 2);
	store_close(st);
}

static void
out_of_order(void **state)
{
	struct store *st = open_text(
	    SWITCH(0, "1.000030", 0, "R", 5) SWITCH(0, "1.000000", 0, "R", 5)
	    WAKE("1.000020", 5) SWITCH(0, "1.000010", 5, "S", 0));

	(void)state;
	assert_int_equal(store_fact_get(st, "repair.unordered"), 2);
	assert_int_equal(of_task(st, COL_TASK_ON, 5), 10000);
	assert_int_equal(of_task(st, COL_TASK_OFF, 5), 20000);
	assert_int_equal(of_task(st, COL_TASK_DELAY, 5), 10000);
	store_close(st);
}

/* States as numbers: "trace-cmd report -R" prints them. */
static void
raw_states(void **state)
{
	struct store *st = open_text(
	    SWITCH(0, "1.000000", 5, "2", 0) SWITCH(0, "1.000010", 0, "0", 5)
	    SWITCH(0, "1.000020", 5, "0", 6) SWITCH(0, "1.000050", 6, "256", 5)
	    SWITCH(0, "1.000060", 5, "0x4", 0) SWITCH(0, "1.000160", 0, "0x0", 5));

	(void)state;
	assert_int_equal(of_task(st, COL_TASK_DISK, 5), 10000);
	assert_int_equal(of_task(st, COL_TASK_PREEMPTED, 5), 30000);
	assert_int_equal(of_task(st, COL_TASK_OTHER, 5), 100000);
	store_close(st);
}

/* Switches without a head that can be read are counted. */
static void
bad_heads(void **state)
{
	struct store *st = open_text(SWITCH(0, "1.000000", 0, "R", 5)
	    " t-1 [000] d..2. 1000010: sched_switch: prev_comm=p prev_pid=5 prev_prio=1 prev_state=S ==> "
	    "next_comm=n next_pid=0 next_prio=1\n" SWITCH(0, "1.000020", 5, "S", 0));

	(void)state;
	assert_int_equal(store_fact_get(st, "repair.bad_events"), 1);
	assert_int_equal(of_task(st, COL_TASK_ON, 5), 20000);
	store_close(st);
}

static void
losses(void **state)
{
	struct store *st = open_text("# tracer: nop\n# entries-in-buffer/entries-written: 3/10   #P:2\n"
	    "CPU:3 [LOST 12 EVENTS]\n" SWITCH(0, "1.000000", 0, "R", 5) "CPU:1 [100 EVENTS DROPPED]\nCPU:0 [EVENTS DROPPED]\n"
	    " t-1 [000] 1.000010: sched_switch: prev_comm=p prev_pid=5 prev_prio=1 prev_st");

	(void)state;
	assert_int_equal(store_fact_get(st, "loss.events"), 19 + 101);
	assert_true(store_fact_get(st, "loss.tail_bytes") > 0);
	assert_int_equal(store_fact_get(st, "switches"), 1);
	store_close(st);
}

static void
names(void **state)
{
	struct store *st = open_text(
	    " old-7 (  7) [000] 1.000000: tracing_mark_write: B|7|x\n"
	    SWITCH(0, "1.000010", 7, "X", 0)
	    " t-1 [000] 1.000020: sched_wakeup: comm=other pid=7 prio=1 target_cpu=000\n");
	struct buf b = BUF_INIT;

	(void)state;
	assert_true(is_named(st, 1, "other"));
	thread_earlier(st, 1, &b);
	assert_true(str_eq(buf_view(&b), STR("p")));
	assert_int_equal(store_fact_get(st, "reused"), 1);
	assert_int_equal(store_fact_get(st, "renames"), 0);
	assert_int_equal(column_get(store_column(st, COL_LISTED_PID), 0), 7);
	buf_free(&b);
	store_close(st);
}

/* perf script -F without the CPU. */
static void
no_cpu(void **state)
{
	struct store *st = open_text(
	    "swapper     0  5.000001: sched:sched_switch: prev_comm=s prev_pid=0 prev_prio=1 prev_state=R ==> "
	    "next_comm=a next_pid=7 next_prio=1\n"
	    "a b   7/9      5.000011: sched:sched_switch: a b:7 [120] S ==> swapper/1:0 [120]\n"
	    "swapper     0  5.000021: sched:sched_switch: swapper/0:0 [120] R ==> a b:7 [120]\n");
	struct err err = { .kind = E_NONE };

	(void)state;
	assert_int_equal(of_task(st, COL_TASK_ON, 7), 10000);
	assert_int_equal(of_task(st, COL_TASK_OFF, 7), 10000);
	assert_int_equal(store_column(st, COL_CPU_NUMBER)->rows, 0);
	assert_true(pass_want(st, COL_TRACK_KIND, NULL, &err));
	store_close(st);
}

/* Rounded times that nearly meet on a CPU meet; lines of the idle task say nothing. */
static void
timehist(void **state)
{
	struct store *st = open_text(
	    "           time    cpu  task name                       wait time  sch delay   run time\n"
	    "                        [tid/pid]                          (msec)     (msec)     (msec)\n"
	    "--------------- ------  ------------------------------  ---------  ---------  ---------\n"
	    "   79371.874500 [0010]  a [1.0] b[9/5]                      0.000      0.000      0.100 \n"
	    "   79371.874591 [0011]  gcc[7]                              0.000      0.000      0.024 \n"
	    "   79371.874603 [0011]  <idle>                              0.000      0.000      0.012 \n"
	    "   79371.874700 [0010]  gcc[7]                              0.020      0.006      0.089  a <- b\n"
	    "   79371.874721 [0010]  a [1.0] b[9/5]                      0.200      0.000      0.020 \n");

	(void)state;
	/* One that leaves to one that comes is one switch. */
	assert_int_equal(store_fact_get(st, "switches"), 7);
	assert_int_equal(column_get(store_column(st, COL_SWITCH_FROM), 5), 2);
	assert_int_equal(column_get(store_column(st, COL_SWITCH_TO), 5), 1);
	assert_int_equal(of_task(st, COL_TASK_ON, 7), 24000 + 89000);
	/* It has left when the file ends. */
	assert_int_equal(of_task(st, COL_TASK_OFF, 7), 20000 + 21000);
	assert_int_equal(of_task(st, COL_TASK_DELAY, 7), 6000);
	assert_int_equal(of_task(st, COL_TASK_OFF, 9), 200000);
	assert_int_equal(of_task(st, COL_TASK_ON, 9), 121000);
	assert_true(is_named(st, 1, "a [1.0] b"));
	assert_int_equal(column_get(store_column(st, COL_LISTED_PID), 0), 5);
	store_close(st);
}

/* The column of --state after the times; a call chain may follow as well. */
static void
timehist_states(void **state)
{
	struct store *st = open_text(
	    "   79371.874500 [0010]  a[9]      0.000      0.000      0.100      D \n"
	    "   79371.874700 [0010]  a[9]      0.100      0.000      0.100      S  a <- b\n"
	    "   79371.874900 [0010]  a[9]      0.100      0.000      0.100  Sa <- b\n"
	    "   79371.875100 [0010]  a[9]      0.100      0.000      0.100\n");

	(void)state;
	assert_int_equal(of_task(st, COL_TASK_DISK, 9), 100000);
	assert_int_equal(of_task(st, COL_TASK_SLEEPING, 9), 100000);
	assert_int_equal(of_task(st, COL_TASK_OTHER, 9), 100000);
	store_close(st);
}

/* Times all along a line of megabytes.  How long it takes is a question of tests/scaling_sched.test. */
static void
long_lines(void **state)
{
	static const char *const pieces[] = { ") [1] 1.000000: x: ", "x] 1.000 1.000 1.000 " };
	struct buf b = BUF_INIT;
	struct store *st;

	(void)state;
	for (size_t i = 0; i < NELEM(pieces); i++) {
		buf_printf(&b, "%s\n79371.874569 [0011] ", forms[1].away);
		while (b.n < 2u << 20)
			buf_str(&b, str_of(pieces[i]));
		buf_printf(&b, "\n%s\n", forms[1].back);
		st = open_text(b.s);
		assert_int_equal(store_fact_get(st, "switches"), 2);
		store_close(st);
		buf_free(&b);
	}
}

/* A task that has a CPU at the end ran until then; before its first switch a CPU was idle, or nobody knows. */
static void
ends_of_the_trace(void **state)
{
	static const struct { const char *before; uint64_t idle, unknown; } of_cpu[] = {
		{ "", 10000, 0 }, { "# entries-in-buffer/entries-written: 4/9   #P:4\n", 0, 10000 }
	};
	struct store *st;
	char text[1024];

	(void)state;
	for (size_t i = 0; i < NELEM(of_cpu); i++) {
		snprintf(text, sizeof text, "%s%s", of_cpu[i].before, SWITCH(0, "1.000000", 0, "R", 5) SWITCH(1, "1.000010", 0, "R", 6)
		    SWITCH(2, "1.000030", 7, "S", 0) SWITCH(0, "1.000040", 5, "S", 0));
		st = open_text(text);
		assert_int_equal(of_task(st, COL_TASK_ON, 6), 30000);
		assert_int_equal(of_task(st, COL_TASK_ON, 7), 0);
		assert_int_equal(column_get(store_column(st, COL_CPU_BUSY), 1), 30000);
		assert_int_equal(column_get(store_column(st, COL_CPU_IDLE), 1), of_cpu[i].idle);
		assert_int_equal(column_get(store_column(st, COL_CPU_UNKNOWN), 1), of_cpu[i].unknown);
		assert_int_equal(column_get(store_column(st, COL_CPU_BUSY), 2), 0);
		assert_int_equal(column_get(store_column(st, COL_CPU_IDLE), 2), 10000);
		assert_int_equal(column_get(store_column(st, COL_CPU_UNKNOWN), 2), 30000);
		store_close(st);
	}
}

/* Every length of a text in all forms, and every piece of it, is taken without contradictions. */
static void
cut_everywhere(void **state)
{
	char text[4096], *p = text;
	size_t i, n;

	(void)state;
	for (i = 0; i < NELEM(forms); i++)
		p += sprintf(p, "%s\n%s\n", forms[i].away, forms[i].back);
	n = (size_t)(p - text);
	for (i = 0; i <= n; i++)
		schedwalk_bytes((const uint8_t *)text, i);
	for (i = 1; i < n; i += 7)
		schedwalk_bytes((const uint8_t *)text + i, n - i);
}

/* ---- live ------------------------------------------------------------------------- */

static void
wait_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* A process that writes text through a pipe, piece by piece, each second one late. */
static pid_t
slow_writer(const char *text, size_t piece, long pause, int *fd)
{
	int pair[2];
	size_t n = strlen(text), some;
	pid_t pid;

	assert_int_equal(pipe(pair), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid > 0) {
		close(pair[1]);
		*fd = pair[0];
		return pid;
	}
	close(pair[0]);
	alarm(300);
	for (; n > 0; n -= some, text += some) {
		some = n < piece ? n : piece;
		if (write(pair[1], text, some) != (ssize_t)some)
			_exit(1);
		wait_ms(pause);
	}
	_exit(0);
}

static void
writer_ends(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Whether a part of the switches was seen before all of them. */
static bool
live_with_pause(long pause)
{
	struct err err = { .kind = E_NONE };
	struct live *live;
	struct store *st;
	bool end = false, seen = false;
	uint64_t n;
	pid_t pid;
	int fd;

	pid = slow_writer("# tracer: nop\n" SWITCH(0, "1.000000", 0, "R", 5) SWITCH(0, "1.000010", 5, "S", 0)
	    SWITCH(0, "1.000170", 0, "R", 5), 40, pause, &fd);
	assert_true(live_open(&live, fd, NULL, &err));
	assert_non_null(live);
	while (!end) {
		assert_true(live_read(live, 50, &end, NULL, &err));
		assert_true(live_store(live, &st, &err));
		n = store_fact_get(st, "switches");
		seen = seen || (n > 0 && n < 3);
		if (end) {
			assert_int_equal(n, 3);
			assert_int_equal(of_task(st, COL_TASK_OFF, 5), 160000);
			assert_int_equal(of_task(st, COL_TASK_P50, 5), 160000);
			assert_true(pass_want(st, COL_THREAD_TID, NULL, &err));
			assert_true(is_named(st, 1, "n") || is_named(st, 1, "p"));
		}
		store_close(st);
	}
	live_close(live);
	writer_ends(pid);
	return seen;
}

/* With longer pauses where the machine does much else: then all is written before it is read. */
static void
live_while_written(void **state)
{
	long pause = 40;

	(void)state;
	while (!live_with_pause(pause))
		assert_true((pause *= 2) < 10000);
}

static void
other_text_goes_on(void **state)
{
	static const char text[] = "main;a;b 10\nmain;a 3\nmain;c 17\n";
	struct err err = { .kind = E_NONE };
	char got[sizeof text + 1];
	struct live *live;
	pid_t pid;
	int fd;

	(void)state;
	pid = slow_writer(text, 7, 20, &fd);
	assert_true(live_open(&live, fd, NULL, &err));
	assert_null(live);
	assert_int_equal(read(fd, got, sizeof got), (ssize_t)sizeof text - 1);
	assert_memory_equal(got, text, sizeof text - 1);
	close(fd);
	writer_ends(pid);
}

/* A writer that writes nothing holds up nobody for longer than was said. */
static void
silence(void **state)
{
	struct err err = { .kind = E_NONE };
	struct live *live;
	int pair[2];
	bool end;

	(void)state;
	assert_int_equal(pipe(pair), 0);
	assert_int_equal(write(pair[1], "# tracer: nop\n", 14), 14);
	assert_true(live_open(&live, pair[0], NULL, &err));
	assert_non_null(live);
	/* Nothing is written until it returns. */
	alarm(300);
	assert_true(live_read(live, 60, &end, NULL, &err));
	assert_false(end);
	alarm(0);
	close(pair[1]);
	assert_true(live_read(live, 1000, &end, NULL, &err));
	assert_true(end);
	live_close(live);
}

/* More than the ring holds, longer lines than are kept, more tasks than are told apart. */
static void
bounded(void **state)
{
	struct err err = { .kind = E_NONE };
	struct live *live;
	struct store *st;
	int pair[2], status, i;
	bool end = false;
	FILE *f;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(pair), 0);
	if ((pid = fork()) == 0) {
		close(pair[0]);
		alarm(300);
		f = fdopen(pair[1], "w");
		fprintf(f, "# tracer: nop\n%0*d\n", 700000, 7);
		for (i = 0; i < 600000; i++)
			fprintf(f, " t-1 [000] %d.%06d: sched_switch: prev_comm=a prev_pid=%d prev_prio=1 prev_state=S ==> "
			    "next_comm=b next_pid=%d next_prio=1\n", 1 + i / 1000000, i % 1000000, i % 20000 + 1,
			    (i + 1) % 20000 + 1);
		_exit(fclose(f) != 0);
	}
	close(pair[1]);
	assert_true(live_open(&live, pair[0], NULL, &err));
	assert_non_null(live);
	while (!end)
		assert_true(live_read(live, 1000, &end, NULL, &err));
	assert_true(live_store(live, &st, &err));
	assert_int_equal(store_column(st, COL_LISTED_TID)->rows, 16384);
	assert_true(store_fact_get(st, "loss.tasks") > 0);
	assert_int_equal(store_fact_get(st, "switches") + store_fact_get(st, "loss.tasks"), 600000);
	assert_int_equal(store_column(st, COL_SWITCH_TIME)->rows, 262144);
	assert_int_equal(store_fact_get(st, "repair.bad_events"), 1);
	assert_true(pass_want(st, COL_TRACK_KIND, NULL, &err));
	store_close(st);
	live_close(live);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

TOOL(unit, sched)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form),
		cmocka_unit_test(three_lines),
		cmocka_unit_test(rules), cmocka_unit_test(left_unseen),
		cmocka_unit_test(woken_too_early), cmocka_unit_test(out_of_order),
		cmocka_unit_test(raw_states),
		cmocka_unit_test(bad_heads),
		cmocka_unit_test(losses),
		cmocka_unit_test(names),
		cmocka_unit_test(no_cpu),
		cmocka_unit_test(timehist),
		cmocka_unit_test(timehist_states),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(ends_of_the_trace),
		cmocka_unit_test(cut_everywhere),
		cmocka_unit_test(live_while_written),
		cmocka_unit_test(other_text_goes_on),
		cmocka_unit_test(silence),
		cmocka_unit_test(bounded),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
