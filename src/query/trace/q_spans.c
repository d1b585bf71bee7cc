/*
 * q_spans: the calls of threads in order of time.
 *
 * They are replayed piece by piece as far as they are asked for, and kept in
 * scratch: nobody knows the calls of a piece before it was replayed.  Of many
 * threads a piece is read for each that is in it, so one pass over all records
 * replaces what would read more.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/batch.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/event_args.h"
#include "icecore/view.h"
#include "trace.h"

struct spans_rows {
	struct rows		 rows;
	const struct store	*store;
	struct thread_list	 threads;
	uint64_t		 from, to, min;	/* ticks */
	struct {
		uint64_t from, to;	/* ticks, to outside: calls count as far as they lie in it */
		bool	 set;
	} range;
	size_t			 at;		/* in threads */
	uint64_t		 chunk;		/* next one of threads.id[at] */
	uint64_t		 pieces;	/* read so far */
	struct scratch		 span;		/* struct found */
	uint64_t		 n;
	uint64_t		 tick;
	bool			 wall;		/* start and end of a span are wall times */
	bool			 cpu;		/* the records have the CPU clock; else tracks may tell */
	struct track_index	 cpu_tracks;
	const struct column	*note_row, *note_text;
	struct spans		 piece;
	struct buf		 text;
};

struct found {
	struct span	span;
	uint32_t	thread;
};

/* If the records have no CPU clock, CPU time is read from tracks. */
static const column_id cpu_needs[] = { COL_TRACK_KIND, COL_NONE };

/* Cells that are not members of struct found. */
enum { SPAN_START_WALL = FIELD_OWN, SPAN_WALL, SPAN_START_CPU, SPAN_CPU, SPAN_OFF, SPAN_USE, SPAN_NOTE, SPAN_DETAIL, SPAN_PACKAGE };

static const struct coldef span_cols[] = {
	{ "thread", CELL_TEXT, "thread name", false, THREAD_OF(struct found, thread) },
	{ "depth", CELL_COUNT, "depth", false, FIELD_OF(struct found, span.depth) },
	{ "method", CELL_TEXT, "class and method", false, METHOD_OF(struct found, span.method),
	    .function = true },
	{ "start_wall", CELL_TIME, "start", false, SPAN_START_WALL },
	{ "wall", CELL_TIME, "duration", false, SPAN_WALL },
	{ "start_cpu", CELL_TIME, "CPU time of the thread at the start", false, SPAN_START_CPU },
	{ "cpu", CELL_TIME, "CPU time (clock or thread track)", false,
	    SPAN_CPU, .needs = cpu_needs },
	THREAD_LABEL_OF(struct found, thread),
	{ "thread_id", CELL_ID, "id of the thread", true, FIELD_OF(struct found, thread) },
	{ "method_id", CELL_ID, "id of the method", true, FIELD_OF(struct found, span.method), .of = ID_METHOD },
	{ "off", CELL_TIME, "off-CPU time: wall - CPU", true, SPAN_OFF, .needs = cpu_needs },
	{ "utilisation", CELL_PERCENT, "CPU share of the wall time", true, SPAN_USE, .needs = cpu_needs, .was = "use", .head = "util" },
	{ "note", CELL_TEXT, "note attached to this call", true, SPAN_NOTE },
	{ "detail", CELL_TEXT, "what the args of this call say", true, SPAN_DETAIL },
	{ "package", CELL_TEXT, "package of the method", true, SPAN_PACKAGE }
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
	if (span.crowd > 0 || span.start > s->to || !clip(s, &span) || span_length(span.start, span.end) < s->min)
		return true;
	return scratch_add(&s->span, &s->n, &(struct found){ span, thread }, sizeof(struct found), err);
}

static bool
keep_piece(struct spans_rows *s)
{
	for (size_t i = 0; i < s->piece.n; i++)
		if (!q_spans_keep(s, s->piece.span[i], s->threads.id[s->at], &s->rows.err))
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
	struct err *err = &s->rows.err;
	uint32_t thread;

	if (s->at == s->threads.n || s->from > s->to || !rows_tick(&s->rows, s->n))
		return false;
	thread = s->threads.id[s->at];
	s->pieces++;
	if (s->from > 0) {
		if (!spans_window(s->store, thread, s->from, s->to, s->min, 0,
		    &s->piece, err) || !keep_piece(s))
			return false;
		s->at++;
		return true;
	}
	if (s->chunk == spans_chunks(s->store, thread)) {
		s->chunk = 0;
		s->at++;
		return true;
	}
	if (!spans_chunk(s->store, thread, s->chunk++, &s->piece, err))
		return false;
	/* All later calls start later still. */
	if (s->piece.n > 0 && s->piece.span[s->piece.n - 1].start > s->to)
		s->chunk = spans_chunks(s->store, thread);
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
	struct scratch next = SCRATCH_INIT, to = SCRATCH_INIT;
	uint64_t threads = column_rows(store_column(s->store, COL_THREAD_TID)), sum = 0, here, *at;
	struct found *f = &SCRATCH(s->span, struct found)[first];
	bool ok = scratch_array(&next, threads + 1, sizeof *at, &s->rows.err) &&
	    scratch_array(&to, s->n - first, sizeof *f, &s->rows.err);

	at = SCRATCH(next, uint64_t);
	for (uint64_t i = 0; ok && i < s->n - first; i++)
		at[f[i].thread]++;
	for (uint64_t i = 0; ok && i <= threads; i++) {
		here = at[i];
		at[i] = sum;
		sum += here;
	}
	for (uint64_t i = 0; ok && i < s->n - first; i++)
		SCRATCH(to, struct found)[at[f[i].thread]++] = f[i];
	if (ok)
		memcpy(f, to.data, (s->n - first) * sizeof *f);
	SCRATCH_FREE(&next, &to);
	return ok;
}

/* Return true if one pass for all remaining threads is faster than reading them one by one. */
static bool
better_swept(const struct spans_rows *s, uint64_t wanted)
{
	const struct column *latest = store_column(s->store, COL_BLOCK_LATEST);
	uint64_t blocks = s->wall && s->to < UINT64_MAX ? column_place(latest, s->to + 1) : column_rows(latest);

	return s->chunk == 0 && s->threads.n - s->at > 1 && s->from <= s->to &&
	    (wanted == ROWS_ALL || s->pieces > (s->from > 0 ? 1 : blocks));
}

/* Read all remaining threads in one pass. */
static bool
read_rest(struct spans_rows *s)
{
	uint64_t first = s->n;
	struct span_sweep rest = { &s->threads.id[s->at], s->threads.n - s->at, s->from, s->to, s->rows.work, keep_swept, s };

	s->at = s->threads.n;
	return spans_sweep(s->store, &rest, &s->rows.err) && (s->n == first || order_by_thread(s, first));
}

/* ---- rows ------------------------------------------------------------------------ */

static uint64_t
spans_reach(struct rows *r, uint64_t n)
{
	struct spans_rows *s = (struct spans_rows *)r;

	while (s->n < n && r->err.kind == E_NONE && (better_swept(s, n) ? read_rest(s) : q_spans_read_piece(s)))
		continue;
	return s->n;
}

/* CPU time, the rest of the wall time, or their ratio. */
static void
q_spans_cpu_cell(struct spans_rows *s, const struct found *f, unsigned col, struct cell *c)
{
	const struct span *x = &f->span;
	uint64_t wall = s->wall ? span_length(x->start, x->end) : 0;
	struct cell length, cpu, use;

	cell_ticks(&length, wall, s->tick);
	cell_ticks(&cpu, span_length(x->start_cpu, x->end_cpu), s->tick);
	cell_use(cpu.u, length.u, &use);
	if (!s->cpu) {
		cell_ticks(c, x->start, s->tick);
		cell_cpu_inside(&s->cpu_tracks, s->store, f->thread, c->u, num_add(c->u, length.u), &cpu, &use);
	}
	*c = col == SPAN_USE ? use : cpu;
	if (col == SPAN_OFF && c->type != CELL_NONE)
		c->u = length.u > cpu.u ? length.u - cpu.u : 0;
	if (!s->wall && col != SPAN_CPU)
		c->type = CELL_NONE;
}

/* The cell is empty if the file has no such clock. */
static void
clock_cell(bool has, uint64_t ticks, uint64_t tick, struct cell *c)
{
	c->type = CELL_NONE;
	if (has)
		cell_ticks(c, ticks, tick);
}

static void
note_cell(struct spans_rows *s, const struct span *x, struct cell *c)
{
	uint64_t at = x->row == 0 ? 0 : column_find(s->note_row, x->row - 1);

	c->text = at == 0 ? STR("") : store_text(s->store, column_get(s->note_text, at - 1));
}

static void
found_cell(struct rows *r, const struct found *f, size_t col, struct cell *c)
{
	struct spans_rows *s = (struct spans_rows *)r;
	const struct span *span = &f->span;

	if (cell_member(r, s->store, f, col, &s->text, c))
		return;
	switch (r->cols[col].kind) {
	case SPAN_START_WALL:
		clock_cell(s->wall, span->start, s->tick, c);
		break;
	case SPAN_WALL:
		clock_cell(s->wall, span_length(span->start, span->end), s->tick, c);
		break;
	case SPAN_START_CPU:
		clock_cell(s->cpu, span->start_cpu, s->tick, c);
		break;
	case SPAN_NOTE:
		note_cell(s, span, c);
		break;
	case SPAN_DETAIL:
		buf_clear(&s->text);
		event_detail(s->store, span->row, &s->text);
		cell_text(r, c, &s->text);
		break;
	case SPAN_PACKAGE:
		cell_package(r, s->store, span->method, &s->text, c);
		break;
	default:
		q_spans_cpu_cell(s, f, r->cols[col].kind, c);
		break;
	}
}

static void
spans_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	found_cell(r, &SCRATCH(((struct spans_rows *)r)->span, struct found)[row], col, c);
}

/* Threads and methods are named by their numbers. */
static bool
spans_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	const struct spans_rows *s = (const struct spans_rows *)r;
	const struct found *f = &SCRATCH(s->span, struct found)[first];
	bool thread = r->cols[col].kind == FIELD_U32_THREAD || r->cols[col].kind == FIELD_U32_LABEL;

	if (r->cols[col].type != CELL_TEXT)
		return r->cols[col].type != CELL_PERCENT && batch_of_cells(r, first, n, col, b);
	if (r->cols[col].kind == SPAN_NOTE || r->cols[col].kind == SPAN_DETAIL)
		return false;
	b->values = column_rows(store_column(s->store, thread ? COL_THREAD_TID : COL_METHOD_RAW)) + 1;
	for (size_t i = 0; i < n; i++) {
		b->u[i] = thread ? f[i].thread : f[i].span.method;
		if (b->u[i] >= b->values)
			return false;
	}
	batch_full(b, CELL_TEXT);
	return true;
}

static void
spans_value(struct rows *r, size_t col, uint64_t value, struct cell *c)
{
	found_cell(r, &(struct found){ .span.method = (uint32_t)value, .thread = (uint32_t)value }, col, c);
}

static void
spans_close(struct rows *r)
{
	struct spans_rows *s = (struct spans_rows *)r;

	free(s->threads.id);
	spans_free(&s->piece);
	scratch_free(&s->span);
	idmap_free(&s->cpu_tracks.places);
	buf_free(&s->text);
}

static const struct rows_ops spans_ops = { .reach = spans_reach, .cell = spans_cell, .close = spans_close,
	.batch = spans_batch, .value = spans_value };

/* ---- arguments ------------------------------------------------------------------- */

static bool
is_keyword(const struct token *t)
{
	return token_is(t, "from") || token_is(t, "to") || token_is(t, "min");
}

/* Convert a time to whole ticks, rounded up; down: rounded down. */
static uint64_t
ns_ticks(uint64_t ns, uint64_t tick, bool down)
{
	return tick <= 1 ? ns : ns / tick + (!down && ns % tick != 0);
}

/* Parse bounds as "from 1s": a keyword, then a time. */
static bool
read_bounds(struct spans_rows *s, const struct stage *stage, size_t i, struct err *err)
{
	const struct token *t;
	struct cell time;

	for (; i < stage->n; i += 2) {
		t = &stage->token[i];
		if (!is_keyword(t))
			return fail_at(err, E_USAGE, t->at,
			    "expected from, to or min");
		if (i + 1 == stage->n)
			return fail_at(err, E_USAGE, stage->end,
			    "expected a time after '%.*s'", (int)t->text.n,
			    t->text.s);
		if (!literal_read(&stage->token[i + 1], CELL_TIME, &time, err))
			return false;
		if (token_is(t, "from"))
			s->from = ns_ticks(time.u, s->tick, false);
		else if (token_is(t, "to"))
			s->to = ns_ticks(time.u, s->tick, true);
		else
			s->min = ns_ticks(time.u, s->tick, false);
	}
	return true;
}

static bool
q_spans_read_arguments(struct spans_rows *s, const struct stage *stage, struct err *err)
{
	struct stage names = *stage;

	names.n = 0;
	while (names.n < stage->n && !is_keyword(&stage->token[names.n]))
		names.n++;
	return threads_of_stage(&s->threads, s->store, &names, true, err) && read_bounds(s, stage, names.n, err);
}

/* Limit the calls to those that touch the range of the view. */
static void
q_spans_limit(struct spans_rows *s)
{
	uint64_t from, to, tick = s->tick == 0 ? 1 : s->tick;

	s->range.set = view_range(s->store, &from, &to);
	if (!s->range.set)
		return;
	s->range.from = from / tick;
	s->range.to = to / tick;
	s->from = s->from > s->range.from ? s->from : s->range.from;
	s->to = s->to < s->range.to ? s->to : s->range.to;
}

static bool
spans_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct spans_rows *s = rows_of_command(sizeof *s, &spans_ops, session, stage, in, err);
	bool ok;

	if (s == NULL)
		return false;
	s->cpu_tracks = TRACK_INDEX("cpu");
	s->store = session_store(session);
	s->to = UINT64_MAX;
	s->tick = trace_ns(s->store, 1);
	s->wall = trace_has_clock(s->store, CLOCK_WALL);
	s->cpu = trace_has_clock(s->store, CLOCK_CPU);
	s->note_row = store_column(s->store, COL_NOTE_ROW);
	s->note_text = store_column(s->store, COL_NOTE_TEXT);
	ok = q_spans_read_arguments(s, stage, err);
	q_spans_limit(s);
	return rows_opened(&s->rows, ok, out);
}

static const column_id needs[] = { COL_CALL_METHOD, COL_SPAN_START, COL_NONE };

const struct command source_spans = {
	SOURCE("spans", "single calls in time order, all or named threads",
	    "spans main from 1ms to 2ms min 10us", spans_open),
	OVER(SHAPE_INTERVALS, span_cols),
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }, { &arg_time, ARG_OPTIONAL, "from" },
	    { &arg_time, ARG_OPTIONAL, "to" }, { &arg_time, ARG_OPTIONAL, "min", "DURATION" }),
	.needs = needs,
	.views = VIEWS_OF_TIMES
};
