/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_spans: the calls of threads in order of time.
 *
 * They are replayed piece by piece on demand, and kept in scratch: the calls of a piece are unknown before it
 * is replayed.  For many threads a piece is read for each that is in it, so one pass over all records
 * replaces more expensive reads.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/event_args.h"
#include "icecore/facts.h"
#include "icecore/idle.h"
#include "icecore/view.h"
#include "trace.h"

struct spans_rows {
	struct item_rows	 rows;		/* list of struct found */
	struct thread_list	 threads;
	uint64_t		 from, to, min;	/* ticks; min: with the bar of the reader */
	uint64_t		 asked_min;
	struct {
		uint64_t from, to;	/* ticks, to exclusive: only the part of calls inside it counts */
		bool	 set;
	} range;
	bool			 called;	/* without the calls that samples became */
	size_t			 at;		/* in threads */
	uint64_t		 chunk;		/* next one of threads.id[at] */
	uint64_t		 pieces;	/* read so far */
	struct spans		 piece;
	struct outer		 outer;		/* and names: made for the first cell that asks */
	struct idle_methods	 names;
};

struct found {
	struct span	span;
	uint32_t	thread;
};

/* ---- reading --------------------------------------------------------------------- */

static uint64_t
span_length(uint64_t start, uint64_t end)
{
	return end > start ? end - start : 0;
}

/* part / whole of an amount, rounded down. */
static uint64_t
q_spans_share(uint64_t amount, uint64_t part, uint64_t whole)
{
	return (uint64_t)((unsigned __int128)amount * part / whole);
}

/* Clip a call to the range; false: it is outside.  CPU time is assumed to be spread evenly over the call. */
static bool
clip(const struct spans_rows *s, struct span *x)
{
	uint64_t start = x->start > s->range.from ? x->start : s->range.from;
	uint64_t end = x->end < s->range.to ? x->end : s->range.to;
	uint64_t cpu = span_length(x->start_cpu, x->end_cpu);

	if (!s->range.set)
		return true;
	if (end <= start)
		return x->start == x->end && x->start >= s->range.from && x->start < s->range.to;
	x->end_cpu = x->start_cpu + q_spans_share(cpu, end - x->start, x->end - x->start);
	x->start_cpu += q_spans_share(cpu, start - x->start, x->end - x->start);
	x->start = start;
	x->end = end;
	return true;
}

static bool
q_spans_keep(struct spans_rows *s, struct span span, uint32_t thread, struct err *err)
{
	if (span.crowd > 0 || span.start > s->to || !clip(s, &span) ||
	    (s->called && store_cell(s->rows.st, COL_LISTED_SAMPLED, span.method) != 0) ||
	    span_length(span.start, span.end) < s->min)
		return true;
	return scratch_add(&s->rows.list, &s->rows.n, &(struct found){ span, thread }, sizeof(struct found),
	    err);
}

static bool
keep_piece(struct spans_rows *s)
{
	for (size_t i = 0; i < s->piece.n; i++)
		if (!q_spans_keep(s, s->piece.span[i], s->threads.id[s->at], &s->rows.rows.err))
			return false;
	return true;
}

/*
 * Read the next piece; false: there is none.  A thread is read chunk by chunk
 * from its start; a window inside a thread is one piece.
 */
static bool
q_spans_read_piece(struct spans_rows *s)
{
	struct err *err = &s->rows.rows.err;
	uint32_t thread;

	if (s->at == s->threads.n || s->from > s->to || !rows_tick(&s->rows.rows, s->rows.n))
		return false;
	thread = s->threads.id[s->at];
	s->pieces++;
	if (s->from > 0) {
		if (!spans_window(s->rows.st, thread, s->from, s->to, s->min, 0,
		    &s->piece, err) || !keep_piece(s))
			return false;
		s->at++;
		return true;
	}
	if (s->chunk == spans_chunks(s->rows.st, thread)) {
		s->chunk = 0;
		s->at++;
		return true;
	}
	if (!spans_chunk(s->rows.st, thread, s->chunk++, &s->piece, err))
		return false;
	/* All later calls start later still. */
	if (s->piece.n > 0 && s->piece.span[s->piece.n - 1].start > s->to)
		s->chunk = spans_chunks(s->rows.st, thread);
	return keep_piece(s);
}

/* ---- those of many threads ------------------------------------------------------- */

static bool
keep_swept(void *arg, const struct span *span, const uint32_t *thread, size_t n, struct err *err)
{
	struct spans_rows *s = arg;

	for (size_t i = 0; i < n; i++)
		if (!q_spans_keep(s, span[i], thread[i], err))
			return false;
	return true;
}

/* Reorder the calls from first on by thread; they are in the order of their blocks. */
static bool
order_by_thread(struct spans_rows *s, uint64_t first)
{
	OWN_ARRAY(uint64_t) next = ARRAY_INIT;
	OWN_ARRAY(struct found) to = ARRAY_INIT;
	uint64_t threads = column_rows(store_column(s->rows.st, COL_THREAD_TID)), sum = 0, here, *at;
	struct found *f = &SCRATCH(s->rows.list, struct found)[first];
	bool ok = array_grow(&next, threads + 1, &s->rows.rows.err) &&
	    array_grow(&to, s->rows.n - first, &s->rows.rows.err);

	at = next.at;
	for (uint64_t i = 0; ok && i < s->rows.n - first; i++)
		at[f[i].thread]++;
	for (uint64_t i = 0; ok && i <= threads; i++) {
		here = at[i];
		at[i] = sum;
		sum += here;
	}
	for (uint64_t i = 0; ok && i < s->rows.n - first; i++)
		to.at[at[f[i].thread]++] = f[i];
	if (ok)
		memcpy(f, to.raw.data, (s->rows.n - first) * sizeof *f);
	return ok;
}

#define BARRED 16u		/* pieces that are read before one pass is made */

/* Return true if one pass for all remaining threads is faster than reading them one by one. */
static bool
better_swept(const struct spans_rows *s, uint64_t wanted)
{
	const struct column *latest = store_column(s->rows.st, COL_BLOCK_LATEST);
	uint64_t blocks = TRACE(&s->rows)->wall_clock &&
	    s->to < UINT64_MAX ? column_place(latest, s->to + 1) : column_rows(latest);

	/* Once the reader has a bar, one pass keeps few calls. */
	if (s->min > s->asked_min && blocks > BARRED)
		blocks = BARRED;
	return s->chunk == 0 && s->threads.n - s->at > 1 && s->from <= s->to &&
	    (wanted == ROWS_ALL || s->pieces > (s->from > 0 ? 1 : blocks));
}

/* Read all remaining threads in one pass. */
static bool
read_rest(struct spans_rows *s)
{
	uint64_t first = s->rows.n;
	struct span_sweep rest = { &s->threads.id[s->at], s->threads.n - s->at, s->from, s->to,
	    s->rows.rows.work, keep_swept, s };

	s->at = s->threads.n;
	return spans_sweep(s->rows.st, &rest, &s->rows.rows.err) &&
	    (s->rows.n == first || order_by_thread(s, first));
}

/* ---- rows ------------------------------------------------------------------------ */

static bool
spans_step(struct item_rows *r)
{
	struct spans_rows *s = (struct spans_rows *)r;
	uint64_t least = item_rows_least(r);

	if (TRACE(r)->tick > 0 && least / TRACE(r)->tick > s->min)
		s->min = least / TRACE(r)->tick;
	return better_swept(s, r->wanted) ? read_rest(s) : q_spans_read_piece(s);
}

static void
spans_end(struct item_rows *r)
{
	struct spans_rows *s = (struct spans_rows *)r;

	free(s->threads.id);
	spans_free(&s->piece);
	outer_end(&s->outer);
	idle_methods_close(&s->names);
}

/* ---- columns --------------------------------------------------------------------- */

/* Times are empty if the file lacks their clock. */
static bool
on_wall(struct item_rows *s, UNUSED uint64_t *n)
{
	return TRACE(s)->wall_clock;
}

static bool
on_cpu(struct item_rows *s, UNUSED uint64_t *n)
{
	return TRACE(s)->cpu_clock;
}

static bool
length_of(struct item_rows *s, uint64_t *end)
{
	*end = span_length(((const struct found *)s->item)->span.start, *end);
	return TRACE(s)->wall_clock;
}

/* CPU time, the rest of the length, CPU time as a share. */
enum { SPAN_CPU, SPAN_OFF, SPAN_USE };

static void
q_spans_cpu_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	struct trace_own *t = TRACE(s);
	const struct found *f = s->item;
	const struct span *x = &f->span;
	uint64_t wall = t->wall_clock ? span_length(x->start, x->end) : 0;
	unsigned show = item_show(s);
	struct cell length, cpu, use;

	cell_ticks(&length, wall, t->tick);
	cell_ticks(&cpu, span_length(x->start_cpu, x->end_cpu), t->tick);
	cell_use(cpu.u, length.u, &use);
	if (!t->cpu_clock) {
		cell_ticks(c, x->start, t->tick);
		cell_cpu_inside(&t->cpu, s->st, f->thread, c->u, num_add(c->u, length.u), &cpu, &use);
	}
	*c = show == SPAN_USE ? use : cpu;
	if (show == SPAN_OFF && c->type != CELL_NONE)
		c->u = length.u > cpu.u ? length.u - cpu.u : 0;
	if ((!t->wall_clock && show != SPAN_CPU) || (t->cpu_clock && !method_has_cpu(s->st, x->method)))
		c->type = CELL_NONE;
}

static void
span_noise_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	const struct found *f = s->item;

	cell_noise(c, TRACE(s), span_length(f->span.start, f->span.end), 1);
}

/*
 * Of what begins a thread, and of a frame of a runtime, the callees say more; of a wait for work, or for what its name
 * does not say, the caller, if there is one: again and again such waits are for work, a single one holds main up.
 */
static void
span_outer_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	struct spans_rows *s = (struct spans_rows *)r;
	const struct found *f = r->item;
	uint32_t method = f->span.method;
	unsigned is, waits;

	if (!outer_make(&s->outer, r->st, &r->rows.err) || (s->names.n == 0 &&
	    !idle_methods_open(&s->names, r->st, r->rows.work, &r->rows.err)))
		return;
	is = method <= s->names.n ? s->names.is.at[method] : 0;
	waits = is & (WAITING_WORK | WAITING_NAPS | WAITING_OTHER);
	if ((waits & WAITING_WORK) == 0 && outer_is_alone(&s->outer, f->thread, f->span.depth, method,
	    span_length(f->span.start, f->span.end)))
		waits = 0;
	c->u = !outer_is_most(&s->outer, f->thread, method) &&
	    (outer_begins(&s->outer, f->thread, f->span.depth, (is & WAITING_ANY) != 0) || waits != 0 ||
	    ((is & RUNTIME_FRAME) != 0 && outer_calls(&s->outer, method)));
}

static void
note_cell(struct item_rows *s, uint64_t row, struct cell *c)
{
	uint64_t at = row == 0 ? 0 : column_find(store_column(s->st, COL_NOTE_ROW), row - 1);

	c->text = at == 0 ? STR("") : store_text(s->st, store_cell(s->st, COL_NOTE_TEXT, at));
}

/* If the records have no CPU clock, CPU time is read from tracks. */
static const column_id cpu_needs[] = { COL_TRACK_KIND, COL_NONE };

#define OF(member) ITEM(struct found, member)
#define TICKS(clock, member) MADE(.show = TRACE_TICKS, .number = clock, OF(member))

static bool
span_detail_text(struct item_rows *s, uint64_t row, struct buf *b)
{
	event_detail(s->st, row, b);
	return true;
}

static const struct coldef span_cols[] = {
	{ "thread", CELL_TEXT, "thread name", THREAD_FROM(OF(thread)) },
	{ "depth", CELL_COUNT, "depth", MADE(OF(span.depth)) },
	{ "method", CELL_TEXT, "class and method", MADE(.show = TRACE_METHOD, OF(span.method)), FUNCTION },
	{ "start_wall", CELL_TIME, "start", TICKS(on_wall, span.start) },
	{ "wall", CELL_TIME, "duration", TICKS(length_of, span.end) },
	{ "start_cpu", CELL_TIME, "CPU time of the thread at the start", TICKS(on_cpu, span.start_cpu) },
	{ "cpu", CELL_TIME, "CPU time (clock or thread track)",
	    COMPUTED(q_spans_cpu_cell, .show = SPAN_CPU, .quick = true), .needs = cpu_needs },
	{ LABEL_FROM(OF(thread)) },
	{ PROCESS_FROM(OF(thread)) },
	{ "thread_id", CELL_ID, "id of the thread", MORE, MADE(OF(thread)) },
	{ "method_id", CELL_ID, "id of the method", MORE, MADE(OF(span.method)), METHOD_ID },
	{ "off", CELL_TIME, "off-CPU time: wall - CPU", MORE,
	    COMPUTED(q_spans_cpu_cell, .show = SPAN_OFF, .quick = true), .needs = cpu_needs },
	{ "utilisation", CELL_PERCENT, "CPU share of the wall time", MORE,
	    COMPUTED(q_spans_cpu_cell, .show = SPAN_USE),
	    .needs = cpu_needs, .was = "use", .head = "util" },
	{ "noise", CELL_BOOL, "call shorter than a clock read (clock_overhead)", MORE,
	    COMPUTED(span_noise_cell, .quick = true) },
	{ "outer", CELL_BOOL, "callees or the caller say more than this call", MORE,
	    COMPUTED(span_outer_cell, .quick = true) },
	{ "note", CELL_TEXT, "note attached to this call", MORE, COMPUTED(note_cell, OF(span.row)) },
	{ "detail", CELL_TEXT, "args of this call", MORE, TEXT(span_detail_text, OF(span.row)) },
	{ "package", CELL_TEXT, "package of the method", MORE, MADE(.show = TRACE_PACKAGE, OF(span.method)) }
};

/* ---- arguments ------------------------------------------------------------------- */

/* Convert a time to whole ticks, rounded up; down: rounded down. */
static uint64_t
ns_ticks(uint64_t ns, uint64_t tick, bool down)
{
	return tick <= 1 ? ns : ns / tick + (!down && ns % tick != 0);
}

static bool
q_spans_read_arguments(struct spans_rows *s, const struct stage *stage, struct err *err)
{
	struct bounds bounds = { 0, UINT64_MAX, 0 };
	struct stage names = *stage;

	names.n = bounds_place(stage);
	if (!threads_of_stage(&s->threads, s->rows.st, &names, true, err) ||
	    !bounds_read(&bounds, stage, names.n, true, err))
		return false;
	s->from = ns_ticks(bounds.from, TRACE(&s->rows)->tick, false);
	s->to = bounds.to == UINT64_MAX ? UINT64_MAX : ns_ticks(bounds.to, TRACE(&s->rows)->tick, true);
	s->min = s->asked_min = ns_ticks(bounds.min, TRACE(&s->rows)->tick, false);
	return true;
}

/* Limit the calls to those that touch the range of the view. */
static void
q_spans_limit(struct spans_rows *s)
{
	uint64_t from, to, tick = TRACE(&s->rows)->tick == 0 ? 1 : TRACE(&s->rows)->tick;

	s->range.set = view_range(s->rows.st, &from, &to);
	if (!s->range.set)
		return;
	s->range.from = from / tick;
	s->range.to = to / tick;
	s->from = s->from > s->range.from ? s->from : s->range.from;
	s->to = s->to < s->range.to ? s->to : s->range.to;
}

static bool
spans_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct spans_rows *s = (struct spans_rows *)r;
	bool ok = q_spans_read_arguments(s, stage, err);

	q_spans_limit(s);
	s->called = fact_value(r->st, FACT_TRACE_CALLED) > 0;
	r->rows.skips = TRACE(r)->wall_clock ? item_rows_columns(r, offsetof(struct found, span.end)) : 0;
	return ok;
}

static const struct source spans = {
	.domain = &trace_domain, .size = sizeof(struct spans_rows), .item = sizeof(struct found),
	    .args = ARGS_OWN,
	.begin = spans_begin, .step = spans_step, .end = spans_end
};

static const column_id needs[] = { COL_CALL_METHOD, COL_SPAN_START, COL_NONE };

const struct command source_spans = {
	SOURCE("spans", "single calls in time order, all or named threads",
	    "spans main from 1ms to 2ms min 10us", item_rows_open),
	OVER(SHAPE_INTERVALS, span_cols), .source = &spans,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }, { &arg_time, ARG_OPTIONAL, "from" },
	    { &arg_time, ARG_OPTIONAL, "to" }, { &arg_time, ARG_OPTIONAL, "min", "DURATION" }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};
