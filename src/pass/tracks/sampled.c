/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "sampled": the samples of CPU time of a profile, by thread in order of time, and the CPU time they
 * represent.  A sample represents its weight if that is a time, otherwise the shortest usual time between two
 * samples of a thread.  A sample of a thread that sleeps or of an idle engine represents no CPU time.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/make.h"
#include "icecore/runtime.h"
#include "icecore/sampled.h"

enum {
	DELTAS = 65536,			/* at most so many times between samples are compared */
	STACKING_STEPS = 1 << 23	/* at most so many frames are walked for the spans of a window */
};

struct timed {
	uint64_t	time, row;	/* row of sample.*, from 0 */
};

struct sampling {
	struct store		*st;
	struct work		*work;
	const struct column	*time, *thread, *event, *stack, *weight, *state;
	uint64_t		 asleep;	/* sample.state of a thread that sleeps; 0: none */
	uint32_t		 chosen, nthreads;
	uint64_t		 period;	/* ns; 0: each weight is a time */
	uint64_t		 unit, scale;	/* ns of a unit of weight, of which the weights count so many parts */
	ARRAY(uint64_t)	from;
	ARRAY(struct timed)	order;
	ARRAY(struct timed)	points;	/* time and CPU time */
	ARRAY(uint8_t)	idle;		/* by method: 1 for those of sampled_find_idle */
	uint64_t		 nmethods;
	uint64_t		 n, npoints;
};

/* The event with CPU time; 0: none. */
static uint32_t
sampled_event(const struct store *st)
{
	uint32_t event = event_find(st, STR("cpu")), current = (uint32_t)fact_value(st, FACT_EVENT);

	if (event == 0)
		event = event_find(st, STR("wall"));
	if (event == 0 && current != 0 && (str_is(event_name(st, current), "samples") ||
	    (store_cell(st, COL_EVENT_TYPE, current) == WEIGHT_TIME &&
	    event_kind(st, current) != EVENT_OF_DURATION)))
		event = current;
	return event != 0 && store_cell(st, COL_EVENT_SAMPLES, event) > 0 ? event : 0;
}

bool
sampled_has(const struct store *st)
{
	return st != NULL && store_column(st, COL_SAMPLE_TIME) != NULL &&
	    (load_shapes(st) & SHAPE_SAMPLES) != 0 && sampled_event(st) != 0;
}

/* ---- order ---------------------------------------------------------------- */

static bool
sampled_counts(const struct sampling *s, uint64_t row)
{
	uint64_t thread = column_get(s->thread, row);

	return column_get(s->event, row) == s->chosen && thread > 0 && thread <= s->nthreads &&
	    column_get(s->time, row) != UINT64_MAX;
}

static int
timed_cmp(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	return num_order(x->time, y->time, num_order(x->row, y->row, 0));
}

static bool
sampled_sort(struct sampling *s, struct err *err)
{
	uint64_t n = s->time->rows, *from;
	struct timed *order;

	if (!array_grow(&s->from, s->nthreads + 2ull, err))
		return false;
	from = s->from.at;
	for (uint64_t i = 0; i < n; i++) {
		if (!work_go(s->work, i, err))
			return false;
		if (sampled_counts(s, i)) {
			from[column_get(s->thread, i)]++;
			s->n++;
		}
	}
	for (uint32_t i = 1; i <= s->nthreads; i++)
		from[i] += from[i - 1];
	from[s->nthreads + 1] = s->n;
	if (!array_grow(&s->order, s->n, err))
		return false;
	order = s->order.at;
	for (uint64_t i = n; i-- > 0;)
		if (sampled_counts(s, i))
			order[--from[column_get(s->thread, i)]] = (struct timed){ column_get(s->time, i), i };
	for (uint32_t i = 1; s->n > 0 && i <= s->nthreads; i++)
		qsort(order + from[i], from[i + 1] - from[i], sizeof *order, timed_cmp);
	return true;
}

/* ---- how long a sample lasts ---------------------------------------------- */

static int
delta_cmp(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return num_order(*x, *y, 0);
}

/*
 * A short time between two samples of a thread, of which a tenth is shorter: threads that waited were sampled
 * later.
 */
static bool
sampled_find_period(struct sampling *s, struct err *err)
{
	const struct timed *order = s->order.at;
	OWN_ARRAY(uint64_t) deltas = ARRAY_INIT;
	uint64_t step = s->n / DELTAS + 1, n = 0, delta;
	bool ok = true;

	for (uint64_t i = step; ok && i < s->n; i += step) {
		delta = order[i].time - order[i - 1].time;
		if (order[i].time > order[i - 1].time &&
		    column_get(s->thread, order[i].row) == column_get(s->thread, order[i - 1].row))
			ok = array_add(&deltas, &n, &delta, err);
	}
	if (ok && n > 0) {
		qsort(deltas.raw.data, n, sizeof delta, delta_cmp);
		s->period = deltas.at[n / 10];
	}
	s->period = s->period > 0 ? s->period : 1000000;
	return ok;
}

/* ---- CPU time --------------------------------------------------------------- */

/* async-profiler and Instruments also sample threads that do not run, and report which ones. */
static uint64_t
sampled_find_asleep(const struct store *st)
{
	const struct column *states = store_column(st, COL_SAMPLE_STATES);
	struct str name;

	for (uint64_t at = 1; at <= column_rows(states); at += name.n + 1) {
		name = column_text(states, at);
		if (str_is(name, "STATE_SLEEPING") || str_is(name, "Blocked"))
			return at;
	}
	return 0;
}

/* Find the methods that represent an idle JavaScript engine; in wall-clock time, those in which threads wait, too. */
static bool
sampled_find_idle(struct sampling *s, struct err *err)
{
	OWN_BUF name = BUF_INIT;
	bool wall = event_kind(s->st, s->chosen) == EVENT_OF_WALL, ok;

	s->nmethods = column_rows(store_column(s->st, COL_METHOD_RAW));
	ok = array_grow(&s->idle, s->nmethods + 1, err);
	for (uint64_t i = 1; ok && i <= s->nmethods; i++) {
		ok = work_go(s->work, 0, err);
		buf_clear(&name);
		method_name(s->st, (uint32_t)i, &name);
		s->idle.at[i] = str_is(buf_view(&name), "(idle)") || str_is(buf_view(&name), "(root)") ||
		    (wall && runtime_is(buf_view(&name), WAITING_ANY));
	}
	return ok;
}

static bool
sampled_is_idle(const struct sampling *s, uint64_t row)
{
	uint64_t stack = column_get(s->stack, row), method = stack != 0 ? store_cell(s->st, COL_STACK_METHOD,
	    stack) : 0;

	return (s->asleep != 0 && s->state != NULL && column_get(s->state, row) == s->asleep) ||
	    (method != 0 && method <= s->nmethods && s->idle.at[method] != 0);
}

/* Time that a sample represents, ns. */
static uint64_t
sampled_worth(const struct sampling *s, uint64_t row)
{
	unsigned __int128 ns = (unsigned __int128)column_get(s->weight, row) * s->unit / s->scale;

	return s->period > 0 ? s->period : ns < UINT64_MAX ? (uint64_t)ns : UINT64_MAX;
}

/*
 * Two points for each sample, where it begins and where it ends; those that follow without a gap share one.
 * Samples come a little early or late: one lasts until the next one unless another would fit between them.
 */
static bool
sampled_put_points(struct sampling *s, uint64_t first, uint64_t end, uint64_t *length, struct err *err)
{
	const struct timed *order = s->order.at;
	struct timed p = { 0, 0 }, begin;
	uint64_t worth, room;
	bool any = false;

	for (uint64_t i = first; i < end; i++) {
		if (!work_go(s->work, i, err))
			return false;
		worth = sampled_worth(s, order[i].row);
		room = i + 1 < end ? order[i + 1].time - order[i].time : worth;
		length[i] = room / 2 <= worth ? room : worth;
		begin = (struct timed){ order[i].time, p.row };
		if ((!any || begin.time > p.time) && !array_add(&s->points, &s->npoints, &begin, err))
			return false;
		any = true;
		p.row = num_add(p.row, sampled_is_idle(s, order[i].row) ? 0 : worth < length[i] ? worth :
		    length[i]);
		p.time = num_add(order[i].time, length[i]);
		if (length[i] > 0 && !array_add(&s->points, &s->npoints, &p, err))
			return false;
	}
	return true;
}

static bool
sampled_put(struct sampling *s, struct err *err)
{
	const uint64_t *from = s->from.at;
	uint64_t *first, *row, *length, *begin, *time, *cpu;

	first = store_make(s->st, COL_SAMPLED_FIRST, COL_U64, s->nthreads + 1ull, err);
	row = first != NULL ? store_make(s->st, COL_SAMPLED_ROW, COL_U64, s->n, err) : NULL;
	length = row != NULL ? store_make(s->st, COL_SAMPLED_LENGTH, COL_U64, s->n, err) : NULL;
	begin = length != NULL ? store_make(s->st, COL_SAMPLED_POINTS, COL_U64, s->nthreads + 1ull, err) :
	    NULL;
	if (begin == NULL)
		return false;
	for (uint64_t i = 0; i < s->n; i++)
		row[i] = s->order.at[i].row;
	for (uint32_t i = 0; i <= s->nthreads; i++) {
		first[i] = from[i + 1];
		begin[i] = s->npoints;
		if (!work_go(s->work, first[i], err) ||
		    (i < s->nthreads && !sampled_put_points(s, from[i + 1], from[i + 2], length, err)))
			return false;
	}
	time = store_make(s->st, COL_SAMPLED_TIME, COL_U64, s->npoints, err);
	cpu = time != NULL ? store_make(s->st, COL_SAMPLED_CPU, COL_U64, s->npoints, err) : NULL;
	for (uint64_t i = 0; cpu != NULL && i < s->npoints; i++) {
		time[i] = s->points.at[i].time;
		cpu[i] = s->points.at[i].row;
	}
	return cpu != NULL;
}

static bool
sampled_run(struct store *st, struct work *w, struct err *err)
{
	struct sampling s = { .st = st, .work = w, .time = store_column(st, COL_SAMPLE_TIME),
	    .thread = store_column(st, COL_SAMPLE_THREAD),
	    .event = store_column(st, COL_SAMPLE_EVENT), .stack = store_column(st, COL_SAMPLE_STACK),
	    .weight = store_column(st, COL_SAMPLE_WEIGHT), .state = store_column(st, COL_SAMPLE_STATE),
	    .asleep = sampled_find_asleep(st),
	    .chosen = sampled_event(st),
	    .nthreads = (uint32_t)column_rows(store_column(st, COL_LISTED_TID)) };
	bool ok, timed = s.chosen != 0 && store_cell(st, COL_EVENT_TYPE, s.chosen) == WEIGHT_TIME;

	s.unit = unit_ns(column_text(store_column(st, COL_EVENT_TEXT),
	    store_cell(st, COL_EVENT_UNIT, s.chosen)));
	s.scale = fact_value(st, FACT_WEIGHT_SCALE) > 0 ? fact_value(st, FACT_WEIGHT_SCALE) : 1;
	work_start(w, "samples over time", s.time->rows);
	ok = sampled_sort(&s, err) && (timed || sampled_find_period(&s, err)) && sampled_find_idle(&s, err) &&
	    sampled_put(&s, err);
	SCRATCH_FREE(&s.from, &s.order, &s.points, &s.idle);
	return ok;
}

const struct pass pass_sampled = {
	.name = "sampled", .what = "CPU use and stacks over time, from the samples of a profile",
	.when = COL_SAMPLE_TIME, .run = sampled_run,
	.needs = PASS_COLUMNS(COL_STACK_METHOD, COL_SAMPLE_STACK, COL_SAMPLE_THREAD, COL_SAMPLE_WEIGHT,
	    COL_SAMPLE_TIME, COL_SAMPLE_EVENT,
	    COL_METHOD_RAW),
	.makes = PASS_COLUMNS(COL_SAMPLED_FIRST, COL_SAMPLED_ROW, COL_SAMPLED_LENGTH, COL_SAMPLED_POINTS,
	    COL_SAMPLED_TIME, COL_SAMPLED_CPU)
};

/* ---- for others -------------------------------------------------------------- */

/* Rows of a thread in the columns that begin at these places. */
static bool
sampled_part(const struct store *st, column_id places, uint32_t thread, uint64_t *first, uint64_t *end)
{
	const struct column *c = store_column(st, places);
	uint64_t listed = thread > 0 ? store_cell(st, COL_THREAD_LISTED, thread) : 0;

	if (c == NULL || listed == 0 || listed >= c->rows)
		return false;
	*first = column_get(c, listed - 1);
	*end = column_get(c, listed);
	return *end > *first;
}

bool
sampled_track(const struct store *st, uint32_t thread, struct track *t)
{
	uint64_t first, end;

	if (!sampled_part(st, COL_SAMPLED_POINTS, thread, &first, &end))
		return false;
	*t = (struct track){ .kind = TRACK_CPU, .name = "cpu sampled", .unit = "ns", .thread = thread, .first = first,
	    .n = end - first,
	    .time = store_column(st, COL_SAMPLED_TIME), .value = store_column(st, COL_SAMPLED_CPU) };
	return true;
}

/* Samples of a thread in time order, with the frames that are open. */
struct stacking {
	const struct store	*st;
	const struct column	*row, *length, *time, *stack, *parent, *method;
	struct spans		*spans;
	struct { uint32_t method; uint64_t start; } open[SAMPLED_DEPTH];
	uint32_t		 path[SAMPLED_DEPTH];
	uint32_t		 nopen, npath;
	uint64_t		 last, depth;	/* the stack that path is of, and all its frames */
	uint64_t		 steps;		/* that may still be walked */
};

/* Close the frames from a depth on. */
static bool
stacking_close(struct stacking *s, uint32_t depth, uint64_t at, struct err *err)
{
	for (; s->nopen > depth; s->nopen--) {
		if (!mem_grow(&s->spans->span, &s->spans->cap, s->spans->n + 1, sizeof *s->spans->span))
			return fail_memory(err, "stacks");
		s->spans->span[s->spans->n++] = (struct span){ .start = s->open[s->nopen - 1].start,
		    .end = at,
		    .method = s->open[s->nopen - 1].method, .depth = s->nopen - 1 };
	}
	return true;
}

static uint64_t
stacking_up(const struct stacking *s, uint64_t stack)
{
	uint64_t up = column_get(s->parent, stack - 1);

	return up < stack ? up : 0;
}

/*
 * The frames of a stack, outermost first.  Those that it has in common with the last stack are there already:
 * a parent comes before its children, so walks from both meet in the innermost of them, or in 0.
 */
static void
stacking_path(struct stacking *s, uint64_t stack)
{
	uint64_t to = stack <= s->parent->rows ? stack : 0, was = s->last, up = to, depth = s->depth,
	    more = 0;

	for (; up != was && s->steps > 0; s->steps--) {
		if (up > was) {
			up = stacking_up(s, up);
			more++;
		} else {
			was = stacking_up(s, was);
			depth--;
		}
	}
	if (up != was)
		to = depth = more = 0;
	s->last = to;
	s->depth = depth += more;
	s->npath = depth < SAMPLED_DEPTH ? (uint32_t)depth : SAMPLED_DEPTH;
	for (; more > 0; more--, to = stacking_up(s, to))
		if (--depth < SAMPLED_DEPTH)
			s->path[depth] = (uint32_t)column_get(s->method, to - 1);
}

static bool
stacking_sample(struct stacking *s, uint64_t row, uint64_t at, struct err *err)
{
	uint32_t same = 0;

	stacking_path(s, column_get(s->stack, row));
	while (same < s->nopen && same < s->npath && s->open[same].method == s->path[same])
		same++;
	if (!stacking_close(s, same, at, err))
		return false;
	for (; s->nopen < s->npath; s->nopen++) {
		s->open[s->nopen].method = s->path[s->nopen];
		s->open[s->nopen].start = at;
	}
	return true;
}

static uint64_t
stacking_time(const struct stacking *s, uint64_t i)
{
	return column_get(s->time, column_get(s->row, i));
}

/* The first of the rows whose time is after that. */
static uint64_t
stacking_after(const struct stacking *s, uint64_t first, uint64_t end, uint64_t time)
{
	uint64_t mid;

	while (first < end) {
		mid = first + (end - first) / 2;
		if (stacking_time(s, mid) > time)
			end = mid;
		else
			first = mid + 1;
	}
	return first;
}

bool
sampled_spans(const struct store *st, uint32_t thread, uint64_t from, uint64_t to, struct spans *spans,
    struct err *err)
{
	struct stacking *s = mem_array(1, sizeof *s);
	uint64_t first, end, step, at, last = 0, length;
	bool ok = true;

	if (s == NULL)
		return fail_memory(err, "stacks");
	*s = (struct stacking){ .st = st, .row = store_column(st, COL_SAMPLED_ROW),
	    .time = store_column(st, COL_SAMPLE_TIME),
	    .stack = store_column(st, COL_SAMPLE_STACK), .parent = store_column(st, COL_STACK_PARENT),
	    .method = store_column(st, COL_STACK_METHOD), .length = store_column(st, COL_SAMPLED_LENGTH),
	    .spans = spans,
	    .steps = STACKING_STEPS };
	if (sampled_part(st, COL_SAMPLED_FIRST, thread, &first, &end)) {
		at = stacking_after(s, first, end, from);
		first = at > first ? at - 1 : at;
		end = stacking_after(s, first, end, to);
		step = (end - first) / SAMPLED_MOST + 1;
		for (uint64_t i = first; ok && i < end; i += step) {
			at = stacking_time(s, i);
			if (at > last)
				ok = stacking_close(s, 0, last, err);
			ok = ok && stacking_sample(s, column_get(s->row, i), at, err);
			length = column_get(s->length, i);
			/* Samples that are skipped last as long as this one. */
			last = num_add(at, length < UINT64_MAX / 2 / step ? length * (step > 1 ? 2 * step :
			    1) : length);
		}
		ok = ok && stacking_close(s, 0, last, err);
	}
	free(s);
	return ok;
}
