/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples and allocations of a Firefox profile, and CPU time between samples.
 */
#include "config.h"

#include <assert.h>
#include <math.h>

#include "gecko.h"

#define MOST 9e18		/* limits of a weight, and of a time on either side of 0 */

/* The last point of a thread, which may not be written yet. */
struct cpu_point {
	uint64_t	time, sum;	/* from TIME_ZERO on, 0: already written; ns of the thread until then */
	bool		some;		/* the thread has points, and so a track */
};

/* ---- numbers ------------------------------------------------------------------------------------- */

/* Fast path for up to 19 digits, as doubles print; longer numbers take the slow path. */
bool
gecko_number(struct str s, double *v)
{
	static const long double tens[] = { 1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L,
	    1e11L, 1e12L, 1e13L, 1e14L,
	    1e15L, 1e16L, 1e17L, 1e18L, 1e19L };
	uint64_t digits = 0, n = 0, point = 0;
	struct str all = s;
	bool minus = s.n > 0 && s.s[0] == '-';

	for (size_t i = minus; i < s.n; i++) {
		unsigned d = (unsigned char)s.s[i] - (unsigned)'0';

		if (s.s[i] == '.' && point == 0 && i > minus) {
			point = i;
			continue;
		}
		if (d > 9 || ++n > 19)
			return num_f64(all, v) && isfinite(*v);
		digits = digits * 10 + d;
	}
	if (n == 0)
		return false;
	*v = (double)((long double)digits / tens[point == 0 ? 0 : s.n - 1 - point]);
	if (minus)
		*v = -*v;
	return true;
}

uint64_t
gecko_interval(double ms)
{
	double ns = rint(ms * 1e6);

	return ns <= 0 ? 0 : (uint64_t)(ns < MOST ? ns : MOST);
}

uint64_t
gecko_time(const struct gecko *g, double ms)
{
	double ns = rint((ms + g->delta) * 1e6);

	g->l->beyond += !(fabs(ns) <= MOST);
	/* A NaN (the sum of two infinities) is clamped to the latest time. */
	ns = ns < -MOST ? -MOST : ns < MOST ? ns : MOST;
	return ns < 0 ? TIME_ZERO - (uint64_t)-ns : TIME_ZERO + (uint64_t)ns;
}

uint32_t
gecko_process(struct gecko *g, struct str pid, struct str name, struct str type)
{
	uint32_t serial = pid.n == 0 ? (uint32_t)g->nprocesses : 0;
	uint32_t row = INTO_ID(g->to, marks_process(&g->marks, pid, serial, g->to->err));
	uint32_t word = into_word(g->to, name.n > 0 ? name : type);

	if (row != 0 && marks_process_at(&g->marks, row)->name == 0)
		marks_process_at(&g->marks, row)->name = word;
	return row;
}

struct gecko_thread *
gecko_thread_at(struct gecko *g, uint32_t thread)
{
	assert(thread != 0 && thread <= g->nthreads);
	return &SCRATCH(g->threads, struct gecko_thread)[thread - 1];
}

void
gecko_see(struct gecko *g, uint64_t time)
{
	struct gecko_thread *t = gecko_thread_at(g, g->thread);

	t->first = t->first == 0 || time < t->first ? time : t->first;
	t->last = time > t->last ? time : t->last;
	gecko_see_any(g, time);
}

void
gecko_see_any(struct gecko *g, uint64_t time)
{
	g->first = g->first == 0 || time < g->first ? time : g->first;
	g->last = time > g->last ? time : g->last;
}

/* ---- weights --------------------------------------------------------------------------------------- */

/* Convert a whole number for weights that may have decimals. */
static uint64_t
whole_weight(const struct samples *s, double v)
{
	for (unsigned i = 0; i < s->decimals; i++)
		v *= 10;
	v = rint(v);
	return v <= 0 ? 0 : v < MOST ? (uint64_t)v : WEIGHT_MOST;
}

struct weight_kind {
	const char	*type, *event;
	enum weight_type is;
	const char	*unit;
	double		 of_one;	/* 0: unchanged, with its decimals */
};

/* The first row is the default. */
static const struct weight_kind kinds[] = {
	{ "samples", "samples", WEIGHT_COUNT, "samples", 0 },
	{ "tracing-ms", "tracing-ms", WEIGHT_TIME, "ns", 1e6 },
	{ "bytes", "bytes", WEIGHT_BYTES, "bytes", 1 },
};

static const struct weight_kind *
gecko_samples_weights_of(struct str type)
{
	for (size_t i = 1; i < NELEM(kinds); i++)
		if (str_eq(type, str_of(kinds[i].type)))
			return &kinds[i];
	return &kinds[0];
}

/* A negative weight is a difference, which a tree cannot show.  It is counted and becomes 0. */
static uint64_t
gecko_samples_read_weight(struct gecko *g, const struct weight_kind *kind, struct str word)
{
	uint64_t weight = 0;
	double v = 1;

	if (word.n > 0 && !gecko_number(word, &v)) {
		g->l->bad++;
		v = 0;
	}
	g->counts.negative += v < 0;
	if (v > 0 && kind->of_one == 0 && jload_is_weight(word)) {
		INTO(g->to, samples_weight(&g->l->samples, word, &weight, g->to->err));
		return weight;
	}
	return whole_weight(&g->l->samples, kind->of_one == 0 ? v : v * kind->of_one);
}

/* ---- samples ----------------------------------------------------------------------------------------- */

/* The known time column of a row, and its kind: a time, or the time since the previous row. */
static bool
gecko_samples_read_time(struct gecko *g, const struct gecko_table *t, double *clock, uint64_t *time)
{
	double v;
	bool is_delta = t->value[SAMPLE_DELTAS].n > 0;

	*time = SAMPLE_NO_TIME;
	if (!gecko_number(t->value[is_delta ? SAMPLE_DELTAS : SAMPLE_TIME], &v))
		return false;
	*clock = is_delta ? *clock + v : v;
	*time = gecko_time(g, *clock);
	gecko_see(g, *time);
	return true;
}

static void
put_cpu(struct gecko *g, const struct cpu_point *p)
{
	INTO(g->to, p->time == 0 || points_add(&g->points, p->time, p->sum, g->to->err));
}

/*
 * Write the first point, and points after use; without use, a point before the next use is sufficient. p: the point,
 * if it has a time.
 */
static void
add_cpu(struct gecko *g, struct cpu_point *p, double used, uint64_t time)
{
	struct cpu_point next = { time, num_add(p->sum, used < MOST ? (uint64_t)used : WEIGHT_MOST), true };

	if (time == SAMPLE_NO_TIME)
		return;
	INTO(g->to, p->some || points_track(&g->points, TRACK_CPU, "cpu", "ns", g->thread, 0, g->to->err));
	if (used > 0 || !p->some) {
		put_cpu(g, p);
		put_cpu(g, &next);
		next.time = 0;
	}
	*p = next;
}

/* Add a sample with its stack and weight. */
static void
gecko_samples_add_sample(struct gecko *g, struct sample *s, struct str weight, const struct weight_kind *kind,
    double used)
{
	uint32_t event = s->event, category[2];

	s->stack = gecko_stack(g, s->stack, category);
	s->weight = gecko_samples_read_weight(g, kind, weight);
	into_sample(g->to, s);
	gecko_use(g, category, s->weight, used);
	if (used <= 0)
		return;
	s->event = into_event(g->to, g->unit.cycles ? STR("cpu-cycles") : STR("cpu"),
	    g->unit.cycles ? WEIGHT_COUNT : WEIGHT_TIME,
	    g->unit.cycles ? "cycles" : "ns");
	s->weight = whole_weight(&g->l->samples, used);
	into_sample(g->to, s);
	s->event = event;
}

/* Return the offset of a word in the file; 0 if the word is not part of the file itself. */
static uint64_t
offset_of(const struct gecko *g, struct str word)
{
	return samples_has_text(&g->l->samples, word) ? (uint64_t)(word.s - g->l->samples.source) : 0;
}

/* Return the CPU use of the thread since the previous sample, in cycles or ns. */
static double
read_cpu_use(struct gecko *g, struct str word)
{
	double v = 0;

	if (word.n > 0 && (!gecko_number(word, &v) || v < 0)) {
		g->l->no_number++;
		v = 0;
	}
	return rint(v * (g->unit.cycles ? 1 : g->unit.cpu));
}

void
gecko_samples(struct gecko *g)
{
	struct gecko_table *t = &g->own.table[GECKO_SAMPLES];
	const struct weight_kind *kind = gecko_samples_weights_of(t->weight_type);
	struct samples *to = &g->l->samples;
	struct sample s = { .thread = g->thread,
	    .event = into_event(g->to, str_of(kind->event), kind->is, kind->unit) };
	struct cpu_point cpu = { .some = false };
	double clock = 0, used;

	if (to->chosen == 0) {
		to->chosen = s.event;
		to->chosen_by = "samples rather than their counters";
	}
	while (gecko_table_next(t)) {
		const struct str *value = t->value;

		s.offset = offset_of(g, value[SAMPLE_STACK]);
		if (!into_go(g->to, s.offset))
			return;
		if (!gecko_samples_read_time(g, t, &clock, &s.time))
			g->l->bad++;
		used = read_cpu_use(g, value[SAMPLE_CPU]);
		if (!g->unit.cycles && g->unit.cpu > 0 && (value[SAMPLE_CPU].n > 0 || cpu.some))
			add_cpu(g, &cpu, used, s.time);
		s.stack = gecko_index(g, value[SAMPLE_STACK], g->nstacks);
		assert(s.stack <= g->nstacks);
		g->counts.no_stack += s.stack == 0;
		if (s.stack != 0)
			gecko_samples_add_sample(g, &s, value[SAMPLE_WEIGHT], kind, used);
	}
	put_cpu(g, &cpu);
}

/* ---- allocations ------------------------------------------------------------------------------------- */

void
gecko_allocations(struct gecko *g, enum gecko_name name)
{
	struct gecko_table *t = &g->own.table[name];
	struct str weight;
	struct sample s = { .thread = g->thread };
	uint32_t row, category[2];
	double clock = 0, v;

	while (gecko_table_next(t)) {
		weight = t->value[t->value[SAMPLE_WEIGHT].n > 0 ? SAMPLE_WEIGHT : SAMPLE_DURATION];
		s.offset = offset_of(g, weight);
		if (!into_go(g->to, s.offset))
			return;
		row = gecko_index(g, t->value[SAMPLE_STACK], g->nstacks);
		if (!gecko_number(weight, &v) || !gecko_samples_read_time(g, t, &clock, &s.time)) {
			g->l->bad++;
			continue;
		}
		s.event = into_event(g->to, name == GECKO_JS ? STR("js-allocations") : v < 0 ? STR("native-frees") :
		    STR("native-allocations"), WEIGHT_BYTES, "bytes");
		s.weight = whole_weight(&g->l->samples, v < 0 && name != GECKO_JS ? -v : v);
		s.stack = row == 0 ? 0 : gecko_stack(g, row, category);
		into_sample(g->to, &s);
	}
}
