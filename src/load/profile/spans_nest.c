/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convert spans to calls: pair begins with ends, and nest each call in the enclosing one.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "spans.h"

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

/* ---- begins and ends ---------------------------------------------------------------- */

static struct span_args
spans_nest_args_of(const struct spans_in *in, const struct span_row *row)
{
	return row->order < in->nargs ? SCRATCH(in->args, struct span_args)[row->order] : (struct span_args){ 0, 0 };
}

static bool
close_row(struct spans_in *in, struct span_row *row, const struct span_row *end, struct err *err)
{
	struct span_cpu *from = spans_cpu(in, row);
	const struct span_cpu *to = spans_cpu(in, end);
	uint32_t args = spans_nest_args_of(in, end).begin;

	assert(row->kind == SPAN_BEGIN && row->thread == end->thread && row->start <= end->start);
	row->length = end->start - row->start;
	row->kind = SPAN_WHOLE;
	if (from != NULL && to != NULL && from->at != SPAN_NO_CPU && to->at != SPAN_NO_CPU)
		from->length = to->at > from->at ? to->at - from->at : 0;
	in->end_name += end->frame != 0 && end->frame != row->frame;
	if (args == 0)
		return true;
	if (!scratch_array(&in->args, row->order + 1ull, sizeof(struct span_args), err))
		return false;
	SCRATCH(in->args, struct span_args)[row->order].end = args;
	in->nargs = row->order >= in->nargs ? row->order + 1ull : in->nargs;
	return true;
}

/* Pair the begins and ends of one thread; an end closes the innermost begin.  *n: rows left, all of them calls. */
static bool
pair(struct spans_in *in, struct span_row *row, uint64_t *n, struct err *err)
{
	uint64_t depth = 0, left = 0;
	uint32_t *open;

	for (uint64_t i = 0; i < *n; i++) {
		if (row[i].kind == SPAN_END && depth == 0) {
			in->no_begin++;
		} else if (row[i].kind == SPAN_END) {
			if (!close_row(in, &row[SCRATCH(in->open, uint32_t)[--depth]], &row[i], err))
				return false;
		} else {
			if (row[i].kind == SPAN_BEGIN) {
				open = make_row(&in->open, depth++, sizeof *open, UINT64_MAX, "open calls", err);
				if (open == NULL)
					return false;
				assert(left <= i);
				*open = (uint32_t)left;
			}
			row[left++] = row[i];
		}
	}
	while (depth > 0) {
		struct span_row *never = &row[SCRATCH(in->open, uint32_t)[--depth]];

		never->length = in->last > never->start ? in->last - never->start : 0;
		in->no_end++;
	}
	assert(left <= *n);
	*n = left;
	return true;
}

/* ---- calls ----------------------------------------------------------------------- */

/*
 * The CPU time of a thread never decreases, even if a clock of 1 us steps back.  A call without a CPU time
 * gets that of the calls in it.
 */
static bool
spans_nest_add_event(struct spans_in *in, const struct call_event *e, struct err *err)
{
	struct call_event next = *e;

	if (next.cpu != SPAN_NO_CPU || next.word % 4 != ACT_ENTER) {
		if (next.cpu == SPAN_NO_CPU || next.cpu < in->cpu)
			next.cpu = in->cpu;
		in->cpu = next.cpu;
	}
	return calls_in_add(&in->calls, &next, err);
}

/* Calls without a CPU time, from a row on, get the CPU time of the next event. */
static void
fill_cpu(struct spans_in *in, uint64_t from)
{
	struct call_event *e = SCRATCH(in->calls.events, struct call_event);

	for (uint64_t i = in->calls.n; i-- > from; in->cpu = e[i].cpu)
		if (e[i].cpu == SPAN_NO_CPU)
			e[i].cpu = in->cpu;
	in->cpu = 0;
}

/* Leave the calls that have ended by then.  stay: number of outermost calls without an end, which even calls at the last time are in. */
static bool
spans_nest_leave(struct spans_in *in, uint64_t *depth, uint64_t stay, uint64_t time, struct err *err)
{
	for (; *depth > stay; --*depth) {
		const struct call_event *e = &SCRATCH(in->open, struct call_event)[*depth - 1];

		if (e->time > time)
			return true;
		if (!spans_nest_add_event(in, e, err))
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

/* Enter a call.  A call that is longer than the one around it is cut to end with it. */
static bool
spans_nest_enter(struct spans_in *in, uint64_t *depth, const struct span_row *row, struct err *err)
{
	const struct span_cpu *known = spans_cpu(in, row), cpu = known != NULL ? *known : (struct span_cpu){ SPAN_NO_CPU, SPAN_NO_CPU };
	struct call_event e = { row->start, cpu.at, (uint32_t)row->thread, 4 * row->frame + ACT_ENTER };
	struct call_event *end = make_row(&in->open, *depth, sizeof e, UINT64_MAX, "open calls", err);

	if (cpu.at == SPAN_NO_CPU && cpu.length != SPAN_NO_CPU)
		e.cpu = in->cpu;
	if (end == NULL || !spans_nest_add_args(&in->calls, spans_nest_args_of(in, row), err) || !spans_nest_add_event(in, &e, err))
		return false;
	in->calls.with_cpu += cpu.length != SPAN_NO_CPU;
	*end = (struct call_event){ row->start + row->length,
	    cpu.length == SPAN_NO_CPU ? SPAN_NO_CPU : num_add(in->cpu, cpu.length),
	    (uint32_t)row->thread, 4 * row->frame + ACT_EXIT };
	if (*depth > 0 && end[-1].time < end->time) {
		end->time = end[-1].time;
		in->overlap++;
	}
	assert(*depth == 0 || end->time <= end[-1].time);
	++*depth;
	return true;
}

static bool
nest_thread(struct spans_in *in, struct span_row *row, uint64_t n, struct err *err)
{
	uint64_t depth = 0, stay = 0, from = in->calls.n;

	if (!pair(in, row, &n, err))
		return false;
	sort_together(row, n);
	for (uint64_t i = 0; i < n; i++) {
		if (i % 4096 == 0 && !work_tick(in->calls.names->work, in->calls.names->source_size))
			return fail_cancel(err);
		assert(row[i].kind == SPAN_WHOLE || row[i].kind == SPAN_BEGIN);
		if (!spans_nest_leave(in, &depth, stay, row[i].start, err) || !spans_nest_enter(in, &depth, &row[i], err))
			return false;
		stay += row[i].kind == SPAN_BEGIN && stay == depth - 1;
	}
	if (!spans_nest_leave(in, &depth, 0, UINT64_MAX, err))
		return false;
	fill_cpu(in, from);
	return true;
}

bool
spans_in_calls(struct spans_in *in, struct err *err)
{
	struct span_row *row;
	uint64_t end;

	/*
	 * Rows with equal times keep their file order, the only order available: writers flush one thread's buffer
	 * after the other.
	 */
	if (!make_sort_both(&in->rows, in->nrows, sizeof *row, in->calls.names->work, err))
		return false;
	in->calls.nframes = in->calls.names->nnames;
	row = SCRATCH(in->rows, struct span_row);
	for (uint64_t i = 0; i < in->nrows; i = end) {
		for (end = i + 1; end < in->nrows && row[end].thread == row[i].thread; end++)
			;
		assert(i == 0 || row[i - 1].thread < row[i].thread);
		if (!nest_thread(in, row + i, end - i, err))
			return false;
	}
	/* Free the large tables before the next step. */
	SCRATCH_FREE(&in->rows, &in->cpus);
	return spans_threads(in, err);
}
