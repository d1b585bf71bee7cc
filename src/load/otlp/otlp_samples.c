/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile: its events, and its samples.
 */
#include "config.h"

#include <assert.h>

#include "icecore/calendar.h"
#include "otlp.h"

#define TICK 256u
#define TIME_END ((uint64_t)1 << 63)

/* Append the numbers of a field; n: how many the array has. */
static void
otlp_numbers(struct otlp *o, struct str in, struct shape_numbers all, struct scratch *to, uint64_t *n)
{
	uint64_t v;

	assert(all.rest.s == in.s);
	while (all.field > 0 && !o->to.bad && shape_number(&all, &v))
		INTO(&o->to, make_add(to, n, &v, sizeof v, MAKE_MOST, "numbers", o->to.err));
}

#define NUMBERS_OF(o, in, message, letter, fixed, to, n) \
	otlp_numbers((o), (in), shape_numbers((in), otlp_number((o)->layout, (message), (letter)), (fixed)), (to), (n))

/* ---- events -------------------------------------------------------------------------------- */

/* The words of a ValueType. */
struct type_words {
	struct str	name, unit;
};

static struct type_words
otlp_words_of(struct otlp *o, struct str type)
{
	struct type_words w = { otlp_string(o, otlp_value(type, otlp_number(o->layout, OTLP_TYPE, 't'), 0)),
	    otlp_string(o, otlp_value(type, otlp_number(o->layout, OTLP_TYPE, 'u'), 0)) };

	if (w.name.n == 0)
		w.name = STR("samples");
	return w;
}

/* The event of a type; a second one of that name with another unit is "cpu/nanoseconds". */
static uint32_t
otlp_event_of(struct otlp *o, struct type_words w, const struct weight_unit *unit)
{
	const struct sample_event *events;
	struct str name = w.name;
	uint32_t id = idmap_get(&o->s.by_event, idmap_hash_text(name, 0));

	events = SCRATCH(o->s.events, struct sample_event);
	if (id != 0 && (events[id - 1].type != unit->type ||
	    strcmp(texts_at(&o->s.event_text, events[id - 1].unit), unit->unit) != 0)) {
		buf_set(&o->text, w.name, STR("/"), w.unit);
		name = into_made(&o->to, &o->text);
	}
	return into_event(&o->to, name, unit->type, unit->unit);
}

/* Whether a type counts samples: it says so, or is counted each period, as async-profiler 4.6 writes itimer. */
static bool
counts_samples(struct otlp *o, struct str in, struct type_words w)
{
	struct type_words of = otlp_words_of(o, otlp_bytes(in, otlp_number(o->layout, OTLP_PROFILE, 'k')));

	return str_is(w.unit, "count") && (str_is(w.name, "samples") || str_eq(of.name, w.name));
}

/* Samples that are counted each period are times. */
static void
otlp_put_period(struct otlp *o, struct str in, const struct otlp_type *type)
{
	uint64_t period = otlp_value(in, otlp_number(o->layout, OTLP_PROFILE, 'p'), 0);
	struct type_words of = otlp_words_of(o, otlp_bytes(in, otlp_number(o->layout, OTLP_PROFILE, 'k')));
	struct weight_unit its;

	if (period == 0 || !weight_unit(of.unit, &its) || its.type != WEIGHT_TIME || period > PERIOD_MOST / its.factor)
		return;
	if (o->sum.objects <= 1 && o->sum.samples == 0)
		INTO(&o->to, store_fact(o->s.st, fact_name(FACT_PERIOD), FACT_TIME, period * its.factor, o->to.err) &&
		    fact_set_text(o->s.st, FACT_PERIOD_OF, of.name, o->to.err));
	if (type->event == o->s.nevents && type->counted)
		INTO(&o->to, samples_period(&o->s, samples_event_name(&o->s, type->event), 0, period * its.factor,
		    o->to.err));
}

static void
otlp_add_type(struct otlp *o, struct str in, struct type_words w)
{
	struct otlp_type type = { .factor = 1, .counted = counts_samples(o, in, w) };
	OWN_BUF unknown = BUF_INIT;
	struct weight_unit unit;
	uint64_t before = o->s.nevents;

	if (!weight_unit(w.unit, &unit)) {
		buf_str(&unknown, str_head(w.unit, 63));
		into_made(&o->to, &unknown);
		unit = (struct weight_unit){ unknown.s, 1, WEIGHT_COUNT };
	}
	type.factor = unit.factor;
	assert(type.factor > 0);
	if (!o->to.bad)
		type.event = otlp_event_of(o, w, &unit);
	if (!o->to.bad && o->s.nevents > before)
		otlp_put_period(o, in, &type);
	INTO_ROW(&o->to, o->types, o->ntypes, type, "sample types");
}

/* Whether a second type repeats the counts of the first, as nanoseconds: async-profiler 4.2 writes it. */
static bool
is_count_again(struct otlp *o, struct str in)
{
	struct type_words w[2] = { { STR(""), STR("") } };
	unsigned n = 0;
	uint64_t values, samples = 0;

	SHAPE_EACH(in, otlp_number(o->layout, OTLP_PROFILE, 'T'), type)
		if (n++ < 2)
			w[n - 1] = otlp_words_of(o, type);
	if (n != 2 || !str_eq(w[0].name, w[1].name) || !str_is(w[0].unit, "count"))
		return false;
	SHAPE_EACH(in, otlp_number(o->layout, OTLP_PROFILE, 'S'), sample) {
		values = 0;
		NUMBERS_OF(o, sample, OTLP_SAMPLE, 'v', false, &o->values, &values);
		if (o->to.bad || values != 2 || SCRATCH(o->values, uint64_t)[0] != SCRATCH(o->values, uint64_t)[1])
			return false;
		samples++;
	}
	return samples > 0;
}

/* again: only the first. */
static void
add_types(struct otlp *o, struct str in, bool again)
{
	unsigned number = otlp_number(o->layout, OTLP_PROFILE, 'T');

	o->ntypes = 0;
	SHAPE_EACH(in, number, type) {
		otlp_unread(o, type, OTLP_TYPE);
		if (!again || o->ntypes == 0)
			otlp_add_type(o, in, otlp_words_of(o, type));
	}
	if (o->ntypes == 0)
		otlp_add_type(o, in, (struct type_words){ STR("samples"), STR("count") });
}

/* ---- samples ------------------------------------------------------------------------------- */

static void
otlp_add_weight(struct otlp *o, struct sample s, const struct otlp_type *t, int64_t v)
{
	uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	assert(t->event > 0 && t->event <= o->s.nevents);
	if (v == 0)
		return;
	o->s.differs |= v < 0;
	size = size > WEIGHT_MOST / t->factor ? WEIGHT_MOST : size * t->factor;
	if (t->counted)
		s.count = size;
	*(v < 0 ? &s.before : &s.weight) = size;
	s.event = t->event;
	into_sample(&o->to, &s);
}

/* A row with a time; one that cannot be is of no time. */
static void
add_at(struct otlp *o, struct sample s, const struct otlp_type *t, int64_t v, uint64_t time)
{
	o->s.times |= time < TIME_END;
	o->sum.unpaired += time >= TIME_END;
	s.time = time < TIME_END ? time : SAMPLE_NO_TIME;
	otlp_add_weight(o, s, t, v);
}

/* A value that stands for all times of its sample is shared if that is exact. */
static void
add_shared(struct otlp *o, struct sample s, const struct otlp_type *t, int64_t v)
{
	const uint64_t *time = SCRATCH(o->times, uint64_t);
	int64_t n = (int64_t)o->ntimes;

	if (n == 0 || v % n != 0) {
		s.count = n > 0 ? o->ntimes : 1;
		o->sum.unpaired += n > 0;
		otlp_add_weight(o, s, t, v);
		return;
	}
	for (int64_t i = 0; i < n; i++)
		add_at(o, s, t, v / n, time[i]);
}

/* A profile with stacks has one type: a sample has values, times, or as many of both. */
static void
add_paired(struct otlp *o, struct sample s)
{
	const struct otlp_type *t = SCRATCH(o->types, struct otlp_type);
	const int64_t *value = SCRATCH(o->values, int64_t);
	const uint64_t *time = SCRATCH(o->times, uint64_t);
	int64_t sum = 0;

	assert(o->ntypes > 0);
	if (o->nvalues == 0 || o->nvalues == o->ntimes) {
		for (uint64_t i = 0; i < o->ntimes; i++)
			add_at(o, s, t, o->nvalues == 0 ? 1 : value[i], time[i]);
		o->sum.bad_values += o->ntimes == 0;
		return;
	}
	for (uint64_t i = 0; i < o->nvalues; i++)
		if (__builtin_add_overflow(sum, value[i], &sum))
			sum = value[i] < 0 ? INT64_MIN : INT64_MAX;
	if (o->ntimes > 0) {
		o->sum.unpaired++;
		s.count = o->ntimes;
	}
	otlp_add_weight(o, s, t, sum);
}

static void
otlp_add_values(struct otlp *o, struct sample s, bool again)
{
	const struct otlp_type *t = SCRATCH(o->types, struct otlp_type);
	const int64_t *value = SCRATCH(o->values, int64_t);

	if (o->layout->stacks || (o->nvalues == 0 && o->ntypes == 1)) {
		add_paired(o, s);
		return;
	}
	if (o->nvalues != o->ntypes + again) {
		o->sum.bad_values++;
		return;
	}
	for (uint64_t i = 0; i < o->ntypes; i++)
		add_shared(o, s, &t[i], value[i]);
}

/* Thread and labels; those of the last sample if its attributes and its link are the same. */
static void
otlp_find_owner(struct otlp *o, struct str in, struct sample *s)
{
	uint64_t link = otlp_value(in, otlp_number(o->layout, OTLP_SAMPLE, 'k'), UINT64_MAX), n;
	const uint64_t *row;

	o->nrows = 0;
	for (uint64_t i = 0; i < o->nown && !o->to.bad; i++)
		INTO_ROW(&o->to, o->rows, o->nrows, SCRATCH(o->own, uint64_t)[i], "attributes");
	NUMBERS_OF(o, in, OTLP_SAMPLE, 'a', false, &o->rows, &o->nrows);
	n = o->nrows;
	INTO_ROW(&o->to, o->rows, n, link, "attributes");
	row = SCRATCH(o->rows, uint64_t);
	if (o->to.bad)
		return;
	if (o->last_thread == 0 || o->nlast != n || memcmp(SCRATCH(o->last, uint64_t), row, n * sizeof *row) != 0) {
		otlp_set(o, link, s);
		o->nlast = 0;
		for (uint64_t i = 0; i < n && !o->to.bad; i++)
			INTO_ROW(&o->to, o->last, o->nlast, row[i], "attributes");
		o->last_thread = s->thread;
		o->last_set = s->labels;
	}
	assert(o->to.bad || o->nlast == n);
	s->thread = o->last_thread;
	s->labels = o->last_set;
}

static void
otlp_add_sample(struct otlp *o, struct str in, bool again)
{
	struct sample s = { .count = 1, .time = SAMPLE_NO_TIME, .offset = samples_has_text(&o->s, in) ?
	    (uint64_t)(in.s - o->source.s) : o->at };

	otlp_unread(o, in, OTLP_SAMPLE);
	otlp_find_owner(o, in, &s);
	if (!o->to.bad)
		s.stack = otlp_stack(o, in);
	o->nvalues = o->ntimes = 0;
	NUMBERS_OF(o, in, OTLP_SAMPLE, 'v', false, &o->values, &o->nvalues);
	NUMBERS_OF(o, in, OTLP_SAMPLE, 't', o->layout->stacks, &o->times, &o->ntimes);
	if (!o->to.bad)
		otlp_add_values(o, s, again);
}

static void
otlp_add_range(struct otlp *o, struct str in)
{
	uint64_t from = otlp_value(in, otlp_number(o->layout, OTLP_PROFILE, 't'), 0);
	uint64_t length = otlp_value(in, otlp_number(o->layout, OTLP_PROFILE, 'd'), 0);

	if (from == 0 || from >= TIME_END || length >= TIME_END)
		return;
	o->sum.from = o->sum.to == 0 || from < o->sum.from ? from : o->sum.from;
	o->sum.to = from + length > o->sum.to ? from + length : o->sum.to;
}

void
otlp_profile(struct otlp *o, struct str in)
{
	bool again;
	uint64_t n = 0;

	otlp_unread(o, in, OTLP_PROFILE);
	o->nindices = 0;
	o->last_thread = 0;
	NUMBERS_OF(o, in, OTLP_PROFILE, 'i', false, &o->indices, &o->nindices);
	NUMBERS_OF(o, in, OTLP_PROFILE, 'a', false, &o->own, &o->nown);
	if (o->nown > OTLP_OWN_MOST) {
		unread_add_member(&o->unread, STR("Profile"), "attributes");
		o->nown = OTLP_OWN_MOST;
	}
	assert(o->nown <= OTLP_OWN_MOST && (!o->layout->stacks || o->nindices == 0));
	again = !o->layout->stacks && is_count_again(o, in);
	add_types(o, in, again);
	otlp_add_range(o, in);
	SHAPE_EACH(in, otlp_number(o->layout, OTLP_PROFILE, 'S'), sample) {
		if (o->to.bad || (n++ % TICK == 0 && !into_go(&o->to, o->at)))
			return;
		otlp_add_sample(o, sample, again);
		o->sum.samples++;
		o->sum.equal_types += again;
	}
}
