/*
 * samples_out: a profile that was read, as columns and facts.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "samples.h"

/* A row's value of a column. */
typedef uint64_t (*value_of)(const struct samples *, uint64_t row);

static bool
put_column(struct samples *s, enum col col, uint64_t rows, value_of value, struct err *err)
{
	enum column_type type;
	uint64_t i, v, most = 0;
	void *data;

	for (i = 0; i < rows; i++) {
		if (i % 4096 == 0 && !work_tick(s->work, i))
			return fail_cancel(err);
		v = value(s, i);
		most = v > most ? v : most;
	}
	type = column_fit(most);
	if ((data = store_make(s->st, col, type, rows, err)) == NULL)
		return false;
	for (i = 0; i < rows; i++) {
		if (i % 4096 == 0 && !work_tick(s->work, i))
			return fail_cancel(err);
		column_set(data, type, i, value(s, i));
	}
	return true;
}

/* Value functions of the fields of the tables. */
#define VALUE(name, table, row_type, field) \
	static uint64_t \
	name(const struct samples *s, uint64_t row) \
	{ \
		return (uint64_t)SCRATCH(s->table, struct row_type)[row].field; \
	}

VALUE(name_ref, names, sample_name, ref)
VALUE(name_own, names, sample_name, own)
VALUE(name_kind, names, sample_name, kind)
VALUE(name_file, names, sample_name, file)
VALUE(name_file_own, names, sample_name, file_own)
VALUE(thread_ref, threads, sample_thread, ref)
VALUE(thread_own, threads, sample_thread, own)
VALUE(thread_pid, threads, sample_thread, pid)
VALUE(thread_tid, threads, sample_thread, tid)
VALUE(row_stack, rows, sample, stack)
VALUE(row_thread, rows, sample, thread)
VALUE(row_event, rows, sample, event)
VALUE(row_weight, rows, sample, weight)
VALUE(row_before, rows, sample, before)
VALUE(row_time, rows, sample, time)
VALUE(row_offset, rows, sample, offset)
VALUE(event_ref, events, sample_event, ref)
VALUE(event_own, events, sample_event, own)
VALUE(event_unit, events, sample_event, unit)
VALUE(event_type, events, sample_event, type)
VALUE(event_samples, events, sample_event, samples)
VALUE(event_weight, events, sample_event, weight)

/* Stack 0 is no stack: its row is not kept. */
static uint64_t
stack_parent(const struct samples *s, uint64_t row)
{
	return SCRATCH(s->stacks, struct sample_stack)[row + 1].parent;
}

static uint64_t
stack_frame(const struct samples *s, uint64_t row)
{
	return SCRATCH(s->stacks, struct sample_stack)[row + 1].frame;
}

static uint64_t
row_number(const struct samples *s, uint64_t row)
{
	(void)s;
	return row + 1;
}

static bool
put_text(struct samples *s, enum col col, const struct own_text *own, struct err *err)
{
	void *to = store_make(s->st, col, COL_BYTES, own->n, err);

	if (to != NULL && own->n > 0)
		memcpy(to, own->bytes.data, (size_t)own->n);
	return to != NULL;
}

static bool
any_thread_own(const struct samples *s)
{
	uint64_t i;

	for (i = 0; i < s->nthreads; i++)
		if (thread_own(s, i) != 0)
			return true;
	return false;
}

static bool
any_file(const struct samples *s)
{
	uint64_t i;

	for (i = 0; i < s->nnames; i++)
		if (name_file(s, i) != 0 || name_file_own(s, i) != 0)
			return true;
	return false;
}

static bool
put_tables(struct samples *s, struct err *err)
{
	return put_column(s, COL_LISTED_METHOD, s->nnames, row_number, err) &&
	    put_column(s, COL_LISTED_NAME, s->nnames, name_ref, err) &&
	    put_column(s, COL_LISTED_KIND, s->nnames, name_kind, err) &&
	    (s->own.n == 0 || (put_text(s, COL_LISTED_OWN_TEXT, &s->own, err) &&
	    put_column(s, COL_LISTED_OWN, s->nnames, name_own, err))) &&
	    (!any_file(s) || (put_column(s, COL_LISTED_FILE, s->nnames, name_file, err) &&
	    put_column(s, COL_LISTED_FILE_OWN, s->nnames, name_file_own, err))) &&
	    put_column(s, COL_LISTED_TID, s->nthreads, thread_tid, err) &&
	    put_column(s, COL_LISTED_PID, s->nthreads, thread_pid, err) &&
	    put_column(s, COL_LISTED_THREAD, s->nthreads, thread_ref, err) &&
	    (!any_thread_own(s) || put_column(s, COL_LISTED_THREAD_OWN, s->nthreads, thread_own, err)) &&
	    put_column(s, COL_STACK_PARENT, s->nstacks, stack_parent, err) &&
	    put_column(s, COL_STACK_METHOD, s->nstacks, stack_frame, err);
}

static bool
put_samples(struct samples *s, struct err *err)
{
	return put_column(s, COL_SAMPLE_STACK, s->nsamples, row_stack, err) &&
	    put_column(s, COL_SAMPLE_THREAD, s->nsamples, row_thread, err) &&
	    put_column(s, COL_SAMPLE_WEIGHT, s->nsamples, row_weight, err) &&
	    put_column(s, COL_SAMPLE_EVENT, s->nsamples, row_event, err) &&
	    put_column(s, COL_SAMPLE_OFFSET, s->nsamples, row_offset, err) &&
	    (!s->differs || put_column(s, COL_SAMPLE_BEFORE, s->nsamples, row_before, err)) &&
	    (!s->times || put_column(s, COL_SAMPLE_TIME, s->nsamples, row_time, err));
}

static bool
put_events(struct samples *s, struct err *err)
{
	return put_text(s, COL_EVENT_TEXT, &s->event_text, err) &&
	    put_column(s, COL_EVENT_NAME, s->nevents, event_ref, err) &&
	    put_column(s, COL_EVENT_OWN, s->nevents, event_own, err) &&
	    put_column(s, COL_EVENT_UNIT, s->nevents, event_unit, err) &&
	    put_column(s, COL_EVENT_TYPE, s->nevents, event_type, err) &&
	    put_column(s, COL_EVENT_SAMPLES, s->nevents, event_samples, err) &&
	    put_column(s, COL_EVENT_WEIGHT, s->nevents, event_weight, err);
}

/* ---- facts -------------------------------------------------------------------------------- */

/* Times become those since the first sample. */
static bool
begin_times(struct samples *s, struct err *err)
{
	struct sample *row = SCRATCH(s->rows, struct sample);
	uint64_t i, first = UINT64_MAX, last = 0;

	if (!s->times || s->nsamples == 0)
		return true;
	for (i = 0; i < s->nsamples; i++) {
		first = row[i].time < first ? row[i].time : first;
		last = row[i].time > last ? row[i].time : last;
	}
	for (i = 0; i < s->nsamples; i++)
		row[i].time -= first;
	return store_fact(s->st, "elapsed", FACT_TIME, last - first, err);
}

/* Stacks that samples of the event have, and the frames on the deepest one. */
static bool
measure_stacks(struct samples *s, uint32_t event, uint64_t *stacks, uint64_t *deepest,
    struct err *err)
{
	const struct sample_stack *stack = SCRATCH(s->stacks, struct sample_stack);
	const struct sample *row = SCRATCH(s->rows, struct sample);
	struct scratch depth = SCRATCH_INIT, seen = SCRATCH_INIT;
	uint32_t *d, at;
	uint64_t i;

	*stacks = *deepest = 0;
	if (!scratch_array(&depth, s->nstacks + 1, sizeof *d, err) ||
	    !scratch_array(&seen, s->nstacks + 1, 1, err)) {
		scratch_free(&depth);
		return false;
	}
	d = SCRATCH(depth, uint32_t);
	for (i = 1; i <= s->nstacks; i++)
		d[i] = d[stack[i].parent] + 1;
	for (i = 0; i < s->nsamples; i++) {
		at = row[i].stack;
		if (row[i].event != event || seen.data[at])
			continue;
		seen.data[at] = 1;
		++*stacks;
		if (at != s->no_frame && d[at] > *deepest)
			*deepest = d[at];
	}
	scratch_free(&depth);
	scratch_free(&seen);
	return true;
}

uint64_t
unit_ns(struct str unit)
{
	static const struct { const char *name; uint64_t ns; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }
	};
	size_t i;

	for (i = 0; i < NELEM(units); i++)
		if (str_eq(unit, str_of(units[i].name)))
			return units[i].ns;
	return 1;
}

static bool
weight_facts(struct samples *s, const struct sample_event *e, const char *unit,
    struct err *err)
{
	uint64_t scale = 1;
	unsigned i;

	for (i = 0; i < s->decimals; i++)
		scale *= 10;
	return store_fact(s->st, "weight.scale", FACT_COUNT, scale, err) &&
	    store_fact(s->st, "weight.type", FACT_COUNT, e->type, err) &&
	    store_fact(s->st, "weight.tick", FACT_COUNT,
	    e->type == WEIGHT_TIME ? unit_ns(str_of(unit)) : 1, err) &&
	    store_fact(s->st, "weight.differs", FACT_COUNT, s->differs, err) &&
	    /* Times are in ns; weights stand in the places of clocks. */
	    store_fact(s->st, "trace.tick", FACT_COUNT, 1, err) &&
	    store_fact(s->st, "trace.clocks", FACT_COUNT, 1u << CLOCK_WALL |
	    (s->differs ? 1u << CLOCK_CPU : 0u), err) &&
	    store_fact_text(s->st, "weight.unit", str_of(unit), err);
}

/* A sum for people: as exact as it is, with a unit where that says something. */
static bool
sum_fact(struct samples *s, const char *name, uint64_t sum, const struct sample_event *e,
    const char *unit, struct err *err)
{
	uint64_t scale = store_fact_get(s->st, "weight.scale"), part = sum % scale;
	char text[48], digits[16];
	size_t n;

	if (scale == 1 && e->type == WEIGHT_COUNT)
		return store_fact(s->st, name, FACT_COUNT, sum, err);
	if (scale == 1 && e->type == WEIGHT_BYTES)
		return store_fact(s->st, name, FACT_BYTES, sum, err);
	if (scale == 1 && sum <= UINT64_MAX / unit_ns(str_of(unit)))
		return store_fact(s->st, name, FACT_TIME, sum * unit_ns(str_of(unit)), err);
	snprintf(digits, sizeof digits, ".%0*" PRIu64, (int)s->decimals, part);
	for (n = strlen(digits); part != 0 && digits[n - 1] == '0'; n--)
		digits[n - 1] = '\0';
	snprintf(text, sizeof text, "%" PRIu64 "%s%s%s", sum / scale, part == 0 ? "" : digits,
	    e->type == WEIGHT_TIME ? " " : "", e->type == WEIGHT_TIME ? unit : "");
	return store_fact_text(s->st, name, str_of(text), err);
}

static bool
put_facts(struct samples *s, uint32_t event, struct err *err)
{
	const struct sample_event *e = &SCRATCH(s->events, struct sample_event)[event - 1];
	const char *unit = (const char *)s->event_text.bytes.data + e->unit - 1;
	uint64_t stacks, deepest;
	size_t i;

	if (!measure_stacks(s, event, &stacks, &deepest, err) ||
	    !weight_facts(s, e, unit, err) ||
	    !store_fact(s->st, "event", FACT_COUNT, event, err) ||
	    !sum_fact(s, "total", e->weight, e, unit, err) ||
	    (s->differs && !sum_fact(s, "total_before", e->before, e, unit, err)))
		return false;
	const struct { const char *name; uint64_t value; } facts[] = {
		{ "samples", e->samples },
		{ "stacks", stacks },
		{ "max_depth", deepest },
		{ "methods", s->nnames - (s->no_frame != 0) },
		{ "threads", s->nthreads },
		{ "events", s->nevents },
		{ "repair.rounded", s->rounded },
		{ "repair.saturated", s->saturated },
	};
	for (i = 0; i < NELEM(facts); i++)
		if (!store_fact(s->st, facts[i].name, FACT_COUNT, facts[i].value, err))
			return false;
	return true;
}

bool
samples_columns(struct samples *s, uint32_t event, struct err *err)
{
	/* Readers may count on one. */
	if (s->nevents == 0 && samples_event(s, STR(""), WEIGHT_COUNT, "samples", err) == 0)
		return false;
	if (event == 0 || event > s->nevents)
		event = 1;
	work_start(s->work, "columns", s->nsamples);
	return begin_times(s, err) && put_tables(s, err) && put_samples(s, err) &&
	    put_events(s, err) && put_facts(s, event, err);
}
