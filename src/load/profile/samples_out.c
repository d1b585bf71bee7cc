/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples_out: write a profile as columns and facts.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "profile.h"

#define N(col, row, member) MAKE_COLUMN(col, row, member, MAKE_NARROW)

/* Write the columns of a table, each as narrow as its values permit. */
#define PUT(s, columns, row, n, err) samples_out_put((s), (columns), NELEM(columns), MAKE_ROWS(row, n), err)

static bool
samples_out_put(struct samples *s, const struct make_column *c, size_t n, struct make_rows rows, struct err *err)
{
	rows.work = s->work;
	return make_columns(s->st, c, n, rows, err);
}

static bool
samples_out_put_text(struct samples *s, column_id col, const struct text_pool *own, struct err *err)
{
	return make_copy(s->st, col, COL_BYTES, own->bytes.data, own->size, err);
}

static bool
samples_out_put_names(struct samples *s, struct err *err)
{
	static const struct make_column names[] = {
		MAKE_CONST(COL_LISTED_METHOD, 4, MAKE_NUMBER), N(COL_LISTED_NAME, sample_name, ref),
		N(COL_LISTED_KIND, sample_name, kind),
	}, own[] = { N(COL_LISTED_OWN, sample_name, own) }, files[] = {
		N(COL_LISTED_FILE, sample_name, file), N(COL_LISTED_FILE_OWN, sample_name, file_own),
	}, lines[] = { MAKE_COLUMN(COL_LISTED_LINE, sample_name, line, MAKE_SIGNED) }, modules[] = {
		N(COL_LISTED_MODULE, sample_name, module), N(COL_LISTED_MODULE_OWN, sample_name, module_own),
	};
	const struct sample_name *row = SCRATCH(s->names, struct sample_name);
	bool any_file = false, any_module = false, any_line = false;

	for (uint64_t i = 0; i < s->nnames; i++) {
		any_line |= row[i].line >= 0;
		any_file |= row[i].file != 0 || row[i].file_own != 0;
		any_module |= row[i].module != 0 || row[i].module_own != 0;
	}
	return PUT(s, names, row, s->nnames, err) &&
	    (s->own.size == 0 || (samples_out_put_text(s, COL_LISTED_OWN_TEXT, &s->own, err) &&
	    PUT(s, own, row, s->nnames, err))) &&
	    (!any_file || PUT(s, files, row, s->nnames, err)) &&
	    (!any_line || PUT(s, lines, row, s->nnames, err)) &&
	    (!any_module || PUT(s, modules, row, s->nnames, err));
}

static bool
samples_out_put_threads(struct samples *s, struct err *err)
{
	static const struct make_column threads[] = {
		N(COL_LISTED_TID, sample_thread, tid), N(COL_LISTED_PID, sample_thread, pid),
		N(COL_LISTED_THREAD, sample_thread, ref),
	}, own[] = { N(COL_LISTED_THREAD_OWN, sample_thread, own) };
	const struct sample_thread *row = SCRATCH(s->threads, struct sample_thread);
	bool any_own = false;

	for (uint64_t i = 0; i < s->nthreads && !any_own; i++)
		any_own = row[i].own != 0;
	return PUT(s, threads, row, s->nthreads, err) && (!any_own || PUT(s, own, row, s->nthreads, err));
}

static bool
samples_out_put_samples(struct samples *s, struct err *err)
{
	static const struct make_column stacks[] = {
		N(COL_STACK_PARENT, sample_stack, parent), N(COL_STACK_METHOD, sample_stack, frame),
	};
	const struct { column_id col; struct narrow *of; bool there; } samples[] = {
		{ COL_SAMPLE_STACK, &s->rows.stack, true }, { COL_SAMPLE_THREAD, &s->rows.thread, true },
		{ COL_SAMPLE_WEIGHT, &s->rows.weight, true }, { COL_SAMPLE_EVENT, &s->rows.event, true },
		{ COL_SAMPLE_OFFSET, &s->rows.offset, true }, { COL_SAMPLE_BEFORE, &s->rows.before, s->differs },
		{ COL_SAMPLE_TIME, &s->rows.time, s->times },
		{ COL_SAMPLE_COUNT, &s->rows.count, s->counts != COUNT_ONE },
		{ COL_SAMPLE_STATE, &s->rows.state, s->state_text.size > 0 },
		{ COL_SAMPLE_LABELS, &s->rows.labels, s->rows.labels.bits > 0 },
	};
	/* Row 0 is not a stack and is not kept. */
	const struct sample_stack *stack = s->nstacks == 0 ? NULL : SCRATCH(s->stacks, struct sample_stack) + 1;

	if (!PUT(s, stacks, stack, s->nstacks, err) ||
	    (s->state_text.size > 0 && !samples_out_put_text(s, COL_SAMPLE_STATES, &s->state_text, err)) ||
	    (s->labels.nsets > 0 && !label_sets_columns(&s->labels, s->st, s->work, err)))
		return false;
	scratch_free(&s->stacks);
	idmap_free(&s->by_stack);
	for (size_t i = 0; i < NELEM(samples); i++) {
		if (samples[i].there && !narrow_column(samples[i].of, s->st, samples[i].col, s->work, err))
			return false;
		narrow_free(samples[i].of);
	}
	return true;
}

static bool
put_events(struct samples *s, struct err *err)
{
	static const struct make_column events[] = {
		N(COL_EVENT_NAME, sample_event, ref), N(COL_EVENT_OWN, sample_event, own),
		N(COL_EVENT_UNIT, sample_event, unit), N(COL_EVENT_TYPE, sample_event, type),
		N(COL_EVENT_SAMPLES, sample_event, samples), N(COL_EVENT_WEIGHT, sample_event, weight),
	};
	const struct sample_event *row = SCRATCH(s->events, struct sample_event);

	return samples_out_put_text(s, COL_EVENT_TEXT, &s->event_text, err) && PUT(s, events, row, s->nevents, err);
}

/* ---- facts -------------------------------------------------------------------------------- */

/* Count times from first.  *early: number of samples before it, which are moved to it. */
static bool
times_since(struct samples *s, uint64_t first, uint64_t *early, struct err *err)
{
	uint64_t time;

	*early = 0;
	for (uint64_t i = 0; i < s->nsamples; i++) {
		time = narrow_get(&s->rows.time, i);
		if (time == SAMPLE_NO_TIME)
			continue;
		*early += time < first;
		if (!narrow_set(&s->rows.time, i, time < first ? 0 : time - first, err))
			return false;
	}
	return true;
}

/* From the first sample on, unless the file states the start. */
static bool
begin_times(struct samples *s, struct err *err)
{
	uint64_t first = UINT64_MAX, last = 0, early, time;

	if (s->to > 0)
		return times_since(s, s->from, &early, err) && fact_set(s->st, FACT_ELAPSED, s->to - s->from, err);
	if (!s->times || s->nsamples == 0)
		return true;
	for (uint64_t i = 0; i < s->nsamples; i++) {
		time = narrow_get(&s->rows.time, i);
		first = time < first ? time : first;
		last = time > last && time != SAMPLE_NO_TIME ? time : last;
	}
	return first == SAMPLE_NO_TIME || (times_since(s, first, &early, err) &&
	    fact_set(s->st, FACT_ELAPSED, last - first, err));
}

/*
 * Choose the event with the most samples, the first one on a tie.  "dummy" events are used only if there is
 * no other.
 */
static uint32_t
event_that_counts(const struct samples *s)
{
	const struct sample_event *e = SCRATCH(s->events, struct sample_event);
	uint32_t best = 0;
	uint64_t n = s->ranked > 0 ? s->ranked : s->nevents;
	bool real = false, dummy;

	for (uint64_t i = 0; i < n; i++) {
		dummy = str_has_prefix(samples_event_name(s, (uint32_t)i + 1), STR("dummy"));
		if (best == 0 || (!dummy && !real) || (dummy != real && e[i].samples > e[best - 1].samples))
			best = (uint32_t)i + 1;
		real |= !dummy;
	}
	return best;
}

/* Count the stacks that samples of the chosen event have, and the frames of the deepest one. */
static bool
measure_stacks(struct samples *s, uint32_t event, uint64_t *stacks, uint64_t *deepest, struct err *err)
{
	const struct sample_stack *stack = SCRATCH(s->stacks, struct sample_stack);
	struct scratch depth = SCRATCH_INIT, seen = SCRATCH_INIT;
	uint32_t *d, at;

	*stacks = *deepest = 0;
	if (!scratch_array(&depth, s->nstacks + 1, sizeof *d, err) ||
	    !scratch_array(&seen, s->nstacks + 1, 1, err)) {
		scratch_free(&depth);
		return false;
	}
	d = SCRATCH(depth, uint32_t);
	for (uint64_t i = 1; i <= s->nstacks; i++) {
		assert(stack[i].parent < i);
		d[i] = d[stack[i].parent] + 1;
	}
	for (uint64_t i = 0; i < s->nsamples; i++) {
		at = (uint32_t)narrow_get(&s->rows.stack, i);
		assert(at != 0 && at <= s->nstacks);
		if (narrow_get(&s->rows.event, i) != event || seen.data[at])
			continue;
		seen.data[at] = 1;
		++*stacks;
		if (at != s->no_frame && d[at] > *deepest)
			*deepest = d[at];
	}
	assert(*stacks <= s->nstacks && *deepest <= s->nstacks);
	SCRATCH_FREE(&depth, &seen);
	return true;
}

uint64_t
unit_ns(struct str unit)
{
	uint64_t ns = num_time_unit(unit);

	return ns == 0 ? 1 : ns;
}

static uint64_t
samples_out_scale_of(const struct samples *s)
{
	uint64_t scale = 1;

	for (unsigned i = 0; i < s->decimals; i++)
		scale *= 10;
	return scale;
}

static bool
weight_facts(struct samples *s, const struct sample_event *e, const char *unit,
    struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_WEIGHT_SCALE, samples_out_scale_of(s) }, { FACT_WEIGHT_TYPE, e->type },
		{ FACT_WEIGHT_TICK, e->type == WEIGHT_TIME ? unit_ns(str_of(unit)) : 1 },
		{ FACT_WEIGHT_DIFFERS, s->differs },
		/* Times are in ns; weights are stored in place of clocks. */
		{ FACT_TRACE_TICK, 1 }, { FACT_TRACE_CLOCKS, 1u << CLOCK_WALL | (s->differs ? 1u << CLOCK_CPU : 0u) },
		{ FACT_WEIGHT_UNIT, .text = str_of(unit) },
	};

	return make_facts(s->st, facts, NELEM(facts), err);
}

bool
weight_fact(struct store *st, enum fact_id id, uint64_t sum, enum weight_type type, struct str unit, struct err *err)
{
	uint64_t scale = fact_value(st, FACT_WEIGHT_SCALE), part;
	bool named = type == WEIGHT_TIME || type == WEIGHT_MONEY;
	char text[48], digits[24];

	scale = scale == 0 ? 1 : scale;
	part = sum % scale;
	if (type == WEIGHT_WHOLE || (scale == 1 && type == WEIGHT_COUNT))
		return store_fact(st, fact_name(id), FACT_COUNT, sum / scale, err);
	if (scale == 1 && type == WEIGHT_BYTES)
		return store_fact(st, fact_name(id), FACT_BYTES, sum, err);
	if (scale == 1 && type == WEIGHT_TIME && sum <= UINT64_MAX / unit_ns(unit))
		return store_fact(st, fact_name(id), FACT_TIME, sum * unit_ns(unit), err);
	unit = named ? unit : STR("");
	/* The leading digit keeps the zeros. */
	snprintf(digits, sizeof digits, "%" PRIu64, scale + part);
	for (size_t n = strlen(digits); n > 1 && digits[n - 1] == '0'; n--)
		digits[n - 1] = '\0';
	digits[0] = '.';
	snprintf(text, sizeof text, "%" PRIu64 "%s%s%.*s", sum / scale, part == 0 ? "" : digits, named ? " " : "",
	    (int)unit.n, unit.s);
	return store_fact_text(st, fact_name(id), str_of(text), err);
}

/* Return whether the only event is the placeholder, without a name and samples. */
static bool
stands_in(const struct samples *s)
{
	return s->nevents == 1 && samples_event_name(s, 1).n == 0 &&
	    SCRATCH(s->events, struct sample_event)->samples == 0;
}

static bool
samples_out_put_facts(struct samples *s, struct err *err)
{
	uint32_t event = s->chosen != 0 ? s->chosen : event_that_counts(s);
	const struct sample_event *e = &SCRATCH(s->events, struct sample_event)[event - 1];
	const char *unit = texts_at(&s->event_text, e->unit);
	uint64_t stacks, deepest;

	assert(event != 0 && event <= s->nevents && e->unit != 0 && e->unit <= s->event_text.size);
	if (!measure_stacks(s, event, &stacks, &deepest, err) ||
	    !weight_facts(s, e, unit, err) ||
	    !fact_set(s->st, FACT_EVENT, event, err) ||
	    !weight_fact(s->st, FACT_TOTAL, e->weight, e->type, str_of(unit), err) ||
	    (s->differs && !weight_fact(s->st, FACT_TOTAL_BEFORE, e->before, e->type, str_of(unit), err)))
		return false;
	const struct make_fact facts[] = {
		{ FACT_SAMPLES, e->samples },
		{ FACT_STACKS, stacks },
		{ FACT_MAX_DEPTH, deepest },
		{ FACT_METHODS, s->nnames - (s->no_frame != 0) },
		{ FACT_THREADS, s->nthreads },
		{ FACT_EVENTS, s->nevents - stands_in(s) },
		{ FACT_CHOSEN_BY, .text = s->nevents > 1 && s->chosen != 0 &&
		s->chosen_by != NULL ? str_of(s->chosen_by) : STR(""), .how = MAKE_ANY },
		{ FACT_TRACE_CUT_FRAME, s->cut_frame, MAKE_ANY },
		{ FACT_REPAIR_ROUNDED, s->rounded },
		{ FACT_REPAIR_SATURATED, s->saturated },
	};
	return make_facts(s->st, facts, NELEM(facts), err);
}

bool
samples_columns(struct samples *s, struct err *err)
{
	/* Readers expect at least one event. */
	if (s->nevents == 0 && samples_event(s, STR(""), WEIGHT_COUNT, "samples", err) == 0)
		return false;
	if (s->nevents == 1 && SCRATCH(s->events, struct sample_event)->weight == 0)
		samples_count_rows(s);
	work_start(s->work, "columns", s->nsamples);
	/* Samples come last, because their memory is handed over. */
	return samples_period_settle(s, err) && begin_times(s, err) && samples_out_put_names(s, err) &&
	    samples_out_put_threads(s, err) && put_events(s, err) && samples_out_put_facts(s, err) &&
	    samples_out_put_samples(s, err);
}

bool
samples_beside(struct samples *s, uint64_t first, struct err *err)
{
	uint64_t early;

	if (!samples_period_settle(s, err) || !times_since(s, first, &early, err))
		return false;
	const struct make_fact facts[] = {
		{ FACT_SAMPLES, s->nsamples }, { FACT_WEIGHT_SCALE, samples_out_scale_of(s) },
		{ FACT_REPAIR_EARLY, early, MAKE_ANY }, { FACT_REPAIR_ROUNDED, s->rounded, MAKE_ANY },
		{ FACT_REPAIR_SATURATED, s->saturated, MAKE_ANY },
	};

	return samples_out_put_samples(s, err) && put_events(s, err) && make_facts(s->st, facts, NELEM(facts), err);
}
