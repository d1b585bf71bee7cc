/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convert spans to calls: nest each one in the enclosing one.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "spans.h"

#define FAST_CPU 1000u		/* ns by which a rounded CPU time may be ahead */
#define JUMP_CPU 20000000	/* ns of a jump; the coarsest clocks of a thread, those of Windows, step by 15.6 ms */
#define CPU_MOST (UINT64_C(1) << 62)	/* limit of CPU times, as that of struct span */
#define CROSS_MOST 64u		/* open calls that are searched for those that a call crosses */

/* ---- order ------------------------------------------------------------------------- */

/* Sort calls that begin together: the longest first, so that it encloses the others. */
static int
longer(const void *x, const void *y)
{
	const struct span_row *a = x, *b = y;

	return num_order(b->length, a->length, num_order(a->order, b->order, 0));
}

static void
sort_together(struct span_row *row, uint64_t n)
{
	uint64_t end;

	for (uint64_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && row[end].start == row[i].start; end++)
			;
		if (end - i > 1)
			qsort(row + i, end - i, sizeof *row, longer);
	}
}

/* ---- calls ----------------------------------------------------------------------- */

/* A known CPU time, and its time; SPAN_NO_CPU: none is known yet. */
struct nest_cpu {
	uint64_t	time, cpu;
};

/* An open call: its end, and the first CPU time that is known in it. */
struct nest_call {
	struct call_event	end;
	struct nest_cpu		first;
};

/* A thread whose calls are nested. */
struct nesting {
	struct spans_in	*in;
	uint64_t	 depth;
	uint64_t	 stay;		/* number of outermost calls without an end: later calls are in them */
	struct nest_cpu	 first, last;	/* known CPU times */
	int64_t		 jumped;	/* ns by which the clock of the file is ahead of them */
};

static struct nest_call *
nested_at(const struct nesting *n, uint64_t depth)
{
	assert(depth > 0 && depth <= n->depth);
	return &SCRATCH(n->in->open, struct nest_call)[depth - 1];
}

/* Return the most CPU time by then, if it advances as fast as the time. */
static uint64_t
cpu_most(struct nest_cpu since, uint64_t time)
{
	uint64_t most = since.cpu == SPAN_NO_CPU ? CPU_MOST : num_add(since.cpu, time - since.time);

	return most < CPU_MOST ? most : CPU_MOST;
}

/*
 * Return the CPU time of an event.  It never decreases, and since the start of each open call it advances at most
 * as much as the time.  The innermost one of which it is known rules: it obeys those around it.
 */
static uint64_t
cpu_of(struct nesting *n, uint64_t time, uint64_t cpu)
{
	uint64_t known = n->depth, most;

	while (known > 0 && nested_at(n, known)->first.cpu == SPAN_NO_CPU)
		known--;
	most = cpu_most(known > 0 ? nested_at(n, known)->first : n->first, time);
	cpu = cpu < most ? cpu : most;
	cpu = n->last.cpu == SPAN_NO_CPU || cpu > n->last.cpu ? cpu : n->last.cpu;
	n->last = (struct nest_cpu){ time, cpu };
	if (n->first.cpu == SPAN_NO_CPU)
		n->first = n->last;
	for (uint64_t depth = n->depth; depth > known; depth--)
		nested_at(n, depth)->first = n->last;
	return cpu;
}

/*
 * Return the CPU time of an event at which the clock of the file was read.  A coarse clock that is ahead is
 * waited for.  One that jumps belongs to another thread, or is damaged: the jump is no time of this thread.
 */
static uint64_t
cpu_read(struct nesting *n, uint64_t time, uint64_t cpu)
{
	int64_t is = (int64_t)cpu - n->jumped, last = (int64_t)n->last.cpu;

	if (n->last.cpu != SPAN_NO_CPU &&
	    (is > (int64_t)cpu_most(n->last, time) + JUMP_CPU || is < last - JUMP_CPU)) {
		n->jumped += is - last;
		is = last;
	}
	return cpu_of(n, time, is > 0 ? (uint64_t)is : 0);
}

/* Leave the calls that have ended by then, but the outermost ones that stay. */
static bool
spans_nest_leave(struct nesting *n, uint64_t stay, uint64_t time, struct err *err)
{
	uint64_t said;

	for (; n->depth > stay; n->depth--) {
		struct call_event e = nested_at(n, n->depth)->end;

		if (e.time > time)
			return true;
		said = e.cpu;
		e.cpu = said == SPAN_NO_CPU ? said : cpu_of(n, e.time, said);
		n->in->fast_cpu += said != SPAN_NO_CPU && said > e.cpu && said - e.cpu > FAST_CPU;
		if (!calls_in_add(&n->in->calls, &e, err))
			return false;
	}
	return true;
}

/* Record the args of the event that is added next. */
static bool
spans_nest_add_args(struct calls_in *c, struct span_args args, struct err *err)
{
	if (args.begin == 0 && args.end == 0)
		return true;
	if (!scratch_array(&c->args, c->n + 1, sizeof args, err))
		return false;
	SCRATCH(c->args, struct span_args)[c->n] = args;
	c->nargs = c->n + 1;
	return true;
}

/*
 * A call ends later than the innermost open one.  Calls nest, so either it is cut to end with an open call, or
 * the open calls inside that one are cut to end where it begins.  Cut what loses the least time.
 */
static bool
spans_nest_cross(struct nesting *n, uint64_t start, uint64_t *end, struct err *err)
{
	uint64_t closed = 0, least = UINT64_MAX, best = n->depth, cost, until;

	for (uint64_t depth = n->depth; closed < least; depth--) {
		until = depth == 0 ? UINT64_MAX : nested_at(n, depth)->end.time;
		cost = num_add(closed, *end > until ? *end - until : 0);
		best = cost < least ? depth : best;
		least = cost < least ? cost : least;
		if (until >= *end || depth == n->stay || n->depth - depth == CROSS_MOST)
			break;
		closed = num_add(closed, until - start);
	}
	for (uint64_t depth = n->depth; depth > best; depth--)
		nested_at(n, depth)->end.time = start;
	n->in->overlap += n->depth - best;
	n->in->overlap_time = num_add(n->in->overlap_time, least);
	if (best > 0 && nested_at(n, best)->end.time < *end) {
		*end = nested_at(n, best)->end.time;
		n->in->overlap++;
	}
	return spans_nest_leave(n, best, start, err);
}

/* Fit a call into the open ones.  The end of a call that never ends is only assumed: cutting it loses no time. */
static bool
spans_nest_fit(struct nesting *n, const struct span_row *row, uint64_t *end, struct err *err)
{
	uint64_t until = n->depth == 0 ? UINT64_MAX : nested_at(n, n->depth)->end.time;

	if (until >= *end)
		return true;
	if (row->kind != SPAN_BEGIN)
		return spans_nest_cross(n, row->start, end, err);
	*end = until;
	n->in->overlap++;
	return true;
}

static bool
spans_nest_enter(struct nesting *n, const struct span_row *row, struct err *err)
{
	struct spans_in *in = n->in;
	const struct span_cpu *known = spans_cpu(in, row), cpu = known != NULL ? *known :
	    (struct span_cpu){ SPAN_NO_CPU, SPAN_NO_CPU };
	struct call_event e = { row->start, cpu.at, (uint32_t)row->thread, 4 * row->frame + ACT_ENTER };
	struct nest_call *call;
	uint64_t end = row->start + row->length;

	if (!spans_nest_fit(n, row, &end, err))
		return false;
	call = make_row(&in->open, n->depth, sizeof *call, UINT64_MAX, "open calls", err);
	if (cpu.at != SPAN_NO_CPU)
		e.cpu = cpu_read(n, e.time, cpu.at);
	else if (cpu.length != SPAN_NO_CPU)
		e.cpu = cpu_of(n, e.time, n->last.cpu == SPAN_NO_CPU ? 0 : n->last.cpu);
	if (call == NULL || !spans_nest_add_args(&in->calls, spans_args_of(in, row), err) ||
	    !calls_in_add(&in->calls, &e, err))
		return false;
	in->calls.with_cpu += cpu.length != SPAN_NO_CPU;
	SCRATCH(in->calls.names->names, struct sample_name)[row->frame - 1].has_cpu |= cpu.length != SPAN_NO_CPU;
	in->no_cpu += cpu.length == SPAN_NO_CPU;
	*call = (struct nest_call){ { end, cpu.length == SPAN_NO_CPU ? SPAN_NO_CPU : num_add(e.cpu, cpu.length),
	    (uint32_t)row->thread, 4 * row->frame + ACT_EXIT }, { e.time, e.cpu } };
	n->depth++;
	return true;
}

/* The time of a state that is written like a call is that of the call around it. */
static bool
is_state(const struct spans_in *in, const struct span_row *row)
{
	return SCRATCH(in->calls.names->names, struct sample_name)[row->frame - 1].state != 0;
}

static bool
nest_thread(struct spans_in *in, struct span_row *row, uint64_t rows, struct err *err)
{
	struct nesting n = { .in = in, .first = { 0, SPAN_NO_CPU }, .last = { 0, SPAN_NO_CPU } };

	sort_together(row, rows);
	for (uint64_t i = 0; i < rows; i++) {
		if (i % 4096 == 0 && !work_tick(in->calls.names->work, in->calls.names->source_size))
			return fail_cancel(err);
		assert(row[i].kind == SPAN_WHOLE || row[i].kind == SPAN_BEGIN);
		if (is_state(in, &row[i]))
			continue;
		if (!spans_nest_leave(&n, n.stay, row[i].start, err) || !spans_nest_enter(&n, &row[i], err))
			return false;
		n.stay += row[i].kind == SPAN_BEGIN && n.stay == n.depth - 1;
	}
	return spans_nest_leave(&n, 0, UINT64_MAX, err);
}

bool
spans_in_calls(struct spans_in *in, struct err *err)
{
	struct span_pairs pairs = { .in = in, .open = ARRAY_INIT, .strange = ARRAY_INIT, .innermost = ARRAY_INIT };
	struct span_row *row;
	uint64_t end, n;
	bool ok = true;

	/*
	 * Rows with equal times keep their file order, the only order available: writers flush one thread's
	 * buffer after the other.
	 */
	if (!make_sort_both(&in->rows, in->nrows, sizeof *row, in->calls.names->work, err))
		return false;
	in->calls.nframes = in->calls.names->nnames;
	row = SCRATCH(in->rows, struct span_row);
	for (uint64_t i = 0; ok && i < in->nrows; i = end) {
		for (end = i + 1; end < in->nrows && row[end].thread == row[i].thread; end++)
			;
		assert(i == 0 || row[i - 1].thread < row[i].thread);
		n = end - i;
		ok = spans_pair(&pairs, row + i, &n, err) && nest_thread(in, row + i, n, err);
	}
	spans_pairs_close(&pairs);
	if (!ok)
		return false;
	in->no_cpu = in->calls.with_cpu > 0 ? in->no_cpu : 0;
	/* Free the large tables before the next step. */
	SCRATCH_FREE(&in->rows, &in->cpus);
	return spans_threads(in, err);
}
