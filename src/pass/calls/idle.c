/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle: the rules of icecore/idle.h, and pass idle: threads of traces with two clocks that did next to nothing.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/idle.h"

#define TOP 8u			/* innermost frames, one of which waits for work */
#define LONG 1000000u		/* ns: who waits so long is not idle */
#define RUNS 200u		/* part of its life for which a thread runs that does something */
#define OTHERS 20u		/* sleeps of a thread that waits again and again */
#define FAR 20u			/* times as long as each of them is a hang: waits for work differ by less */

/* ---- stacks ------------------------------------------------------------------------- */

bool
idle_methods_open(struct idle_methods *m, const struct store *st, struct work *w, struct err *err)
{
	OWN_BUF name = BUF_INIT;
	uint64_t n = column_rows(store_column(st, COL_LISTED_METHOD));
	bool ok;

	*m = (struct idle_methods){ .n = 0 };
	ok = array_grow(&m->is, n + 1, err);
	for (uint64_t i = 1; ok && i <= n; i++) {
		buf_clear(&name);
		method_name(st, (uint32_t)i, &name);
		m->is.at[i] = runtime_of(buf_view(&name));
		m->is.at[i] |= (m->is.at[i] & ~(unsigned)RUNTIME_INNER) == 0 ? IDLE_PROGRAM : 0;
		m->n = i;
		ok = work_each(w, i, 1024, err);
	}
	return ok && (!name.bad || fail_memory(err, "names"));
}

void
idle_methods_close(struct idle_methods *m)
{
	array_free(&m->is);
}

static unsigned
idle_method(const struct idle_methods *m, uint64_t method)
{
	return method != 0 && method <= m->n ? m->is.at[method] : IDLE_PROGRAM;
}

bool
idle_is_own(const struct idle_methods *m, uint64_t method)
{
	return (idle_method(m, method) & ~(IDLE_PROGRAM | RUNTIME_MAIN | RUNTIME_INNER)) == 0;
}

bool
idle_raises(const struct idle_methods *m, uint64_t method)
{
	return (idle_method(m, method) & RUNTIME_RAISES) != 0;
}

bool
idle_look_on(const struct idle_methods *m, struct idle_look *look, uint64_t method)
{
	unsigned is = idle_method(m, method);

	look->all |= is;
	look->top |= look->n < TOP ? is : 0;
	look->n++;
	return look->n < TOP || (look->all & (IDLE_PROGRAM | RUNTIME_MAIN)) == 0;
}

bool
idle_look_says(const struct idle_look *look)
{
	unsigned top = look->top, all = look->all;

	/* The lock of a queue is a lock, too. */
	if ((top & WAITING_LOCK) != 0)
		return false;
	if ((top & WAITING_WORK) != 0 || (all & (IDLE_PROGRAM | RUNTIME_MAIN)) != 0)
		return (top & WAITING_WORK) != 0;
	/* A stack without its beginning, or with frames that have no names, may be anyone's. */
	return (top & WAITING_EVENTS) != 0 || ((top & WAITING_ANY) != 0 &&
	    (all & (RUNTIME_ENTRY | RUNTIME_LOOP)) != 0 && (all & RUNTIME_NAMELESS) == 0);
}

bool
idle_stack(const struct idle_methods *m, const struct column *parent, const struct column *method,
    uint64_t at)
{
	struct idle_look look = { .n = 0 };
	uint64_t next;

	while (at != 0 && idle_look_on(m, &look, column_get(method, at - 1))) {
		next = column_get(parent, at - 1);
		at = next < at ? next : 0;
	}
	return idle_look_says(&look);
}

/* ---- threads ------------------------------------------------------------------------ */

static bool
is_at_least(uint64_t part, uint64_t percent, uint64_t whole)
{
	return (unsigned __int128)part * 100 >= (unsigned __int128)whole * percent;
}

bool
idle_thread(const struct idle_times *t)
{
	if (t->blocked >= LONG)
		return false;
	if (!t->stacks)
		return t->run < t->whole / 1000;
	return !is_at_least(t->run, 1, t->whole) && is_at_least(t->idle, 95, t->wall);
}

bool
idle_sleep_hangs(const struct idle_sleep *s)
{
	return s->length > s->life / 2 && s->others >= OTHERS && s->length / FAR >= s->longest;
}

bool
idle_sleep(const struct idle_sleep *s)
{
	return s->length > s->life / 2 && !idle_sleep_hangs(s) &&
	    (s->last || s->run < s->life / RUNS || !is_at_least(s->run, 10, s->life - s->length));
}

/* ---- the pass ----------------------------------------------------------------------- */

/* Add the time in idle stacks, by thread. */
static bool
idle_add(struct store *st, uint64_t *idle, uint64_t n, struct work *w, struct err *err)
{
	const struct column *thread = store_column(st, COL_CALL_THREAD),
	    *self = store_column(st, COL_CALL_SELF_WALL), *parent = store_column(st, COL_CALL_PARENT),
	    *method = store_column(st, COL_CALL_METHOD);
	struct idle_methods methods;
	bool ok = idle_methods_open(&methods, st, w, err);

	for (uint64_t row = 0; ok && row < column_rows(thread); row++) {
		uint64_t of = column_get(thread, row), time = column_get(self, row);

		if (of > 0 && of <= n && time > 0 && idle_stack(&methods, parent, method, row + 1))
			idle[of - 1] = num_add(idle[of - 1], time);
		ok = work_each(w, row, 4096, err);
	}
	idle_methods_close(&methods);
	return ok;
}

uint64_t
threads_elapsed(const struct store *st)
{
	const struct column *start = store_column(st, COL_THREAD_START), *end = store_column(st, COL_THREAD_END);
	uint64_t first = UINT64_MAX, last = 0, at;

	for (uint64_t i = 0; i < column_rows(start); i++) {
		at = column_get(start, i);
		first = at < first ? at : first;
		at = column_get(end, i);
		last = at > last ? at : last;
	}
	return last > first ? last - first : 0;
}

static bool
idle_run(struct store *st, struct work *w, struct err *err)
{
	const struct column *wall = store_column(st, COL_THREAD_WALL),
	    *cpu = store_column(st, COL_THREAD_CPU), *clock = store_column(st, COL_THREAD_CLOCK);
	uint64_t n = column_rows(wall);
	bool clocks = trace_has_clock(st, CLOCK_WALL) && trace_has_clock(st, CLOCK_CPU), ok;
	struct idle_times t = { .whole = threads_elapsed(st), .stacks = true };
	OWN_ARRAY(uint64_t) idle = ARRAY_INIT;
	uint8_t *is = NULL;

	work_start(w, "idle threads", column_rows(store_column(st, COL_CALL_THREAD)));
	ok = array_grow(&idle, n, err) && (!clocks || idle_add(st, idle.at, n, w, err)) &&
	    (is = store_make(st, COL_THREAD_IDLE, COL_U8, n, err)) != NULL;
	for (uint64_t i = 0; ok && clocks && i < n; i++) {
		t.run = column_get(cpu, i) > column_get(clock, i) ? column_get(cpu, i) : column_get(clock, i);
		t.wall = column_get(wall, i);
		t.idle = idle.at[i];
		is[i] = idle_thread(&t);
	}
	return ok;
}

const struct pass pass_idle = {
	.name = "idle", .what = "idle threads", .run = idle_run,
	.needs = PASS_COLUMNS(COL_CALL_THREAD, COL_CALL_SELF_WALL),
	.makes = PASS_COLUMNS(COL_THREAD_IDLE)
};
