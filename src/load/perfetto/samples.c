/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples: stacks that were sampled.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

bool
pf_sample(struct perfetto *p, const struct pf_sample *s, struct err *err)
{
	return make_add(&p->samples, &p->nsamples, s, sizeof *s, MAKE_MOST, "samples", err);
}

bool
pf_sample_of(struct perfetto *p, struct pf_sample *s, uint32_t tid, uint32_t pid, struct err *err)
{
	struct pf_task *t = pf_task_in(p, tid, pid, err);

	if (t == NULL || pf_task_thread(p, t, err) == 0)
		return false;
	s->task = pf_task_row(p, t);
	return true;
}

#define TASK(F) F(2, pid, U64) F(3, tid, U64)
SHAPE(perf_defaults, "PerfSampleDefaults", FIELDS_PERF_DEFAULTS)
SHAPE(perf_timebase, "PerfEvents.Timebase", FIELDS_TIMEBASE)
SHAPE(perf_tracepoint, "PerfEvents.Tracepoint", FIELDS_NAME_1)
SHAPE(perf_sample, "perf_sample", FIELDS_PERF)
SHAPE(stack_sample, "stack_sample", FIELDS_STACK_SAMPLE)
SHAPE(stack_task, "StackSample.Task", TASK)
SHAPE(stack_counter, "StackSample.Counter", FIELDS_STACK_COUNTER)
SHAPE(stack_defaults, "StackSampleDefaults", FIELDS_STACK_DEFAULTS)

/* ---- of perf ------------------------------------------------------------------------------------------- */

static const char *const counters[] = { [1] = "cpu-clock", "page-faults", "task-clock", "context-switches",
    "cpu-migrations", "minor-faults",
	"major-faults", "alignment-faults", "emulation-faults", "cpu-cycles", "instructions",
	    "cache-references", "cache-misses",
	"branch-instructions", "branch-misses", "bus-cycles", "stalled-cycles-frontend",
	    "stalled-cycles-backend", "ref-cpu-cycles" };

/* The event that a time base counts; empty: it says none. */
static struct str
timebase_event(const struct perf_timebase *t)
{
	struct perf_tracepoint point;

	(void)perf_tracepoint_read(t->tracepoint, &point, NULL);
	return point.name.n > 0 ? point.name :
	    t->counter < NELEM(counters) && counters[t->counter] != NULL ? str_of(counters[t->counter]) : STR("");
}

/* The event of a sequence, from its defaults. Clocks count ns, and of them a frequency is also a period. */
static struct str
read_event_name(const struct perfetto *p, uint32_t state, struct pf_state *s)
{
	struct perf_defaults d;
	struct perf_timebase t;
	struct str name;

	(void)perf_defaults_read(pf_placed(p, pf_state(p, state)->perf), &d, NULL);
	(void)perf_timebase_read(d.timebase, &t, NULL);
	name = timebase_event(&t);
	if (name.n == 0)
		name = d.has_timebase ? STR("cpu-clock") : STR("perf");
	s->timed = !t.has_raw && (str_is(name, "cpu-clock") || str_is(name, "task-clock"));
	s->period = t.period > 0 || !s->timed || t.frequency == 0 ? t.period : 1000000000 / t.frequency;
	s->timed &= s->period > 0;
	return t.name.n > 0 ? t.name : name;
}

/* The event of a sequence and what a sample of it weighs; looked for once in a state. */
static bool
perf_event(struct perfetto *p, uint32_t state, struct pf_sample *of, struct err *err)
{
	struct pf_state *s = &SCRATCH(p->seq.states, struct pf_state)[state - 1];

	if (s->event == 0 && !marks_word_of(&p->marks, read_event_name(p, state, s), &s->event, err))
		return false;
	of->event = s->event;
	of->unit = s->timed ? PF_NS : PF_SAMPLES;
	of->weight = s->period > 0 && s->period < WEIGHT_MOST / 2 ? s->period : 1;
	return true;
}

/* A sample contains the value of a counter of its CPU. */
static bool
perf_level(struct perfetto *p, uint64_t time, struct str event, uint64_t cpu, uint64_t value, struct err *err)
{
	struct pf_about a = { .pid = 0 };

	buf_clear(&p->text);
	buf_str(&p->text, event);
	buf_printf(&p->text, " CPU %u", (unsigned)cpu);
	return pf_text_word(p, &a.name, err) && pf_level(p, time - p->first, &a, (double)value, err);
}

/* The counters that are read with each sample: their names are in the defaults, in the order of the values. */
static bool
perf_followers(struct perfetto *p, const struct pf_row *r, struct str m, uint64_t cpu, struct err *err)
{
	struct shape_numbers values = shape_numbers(m, 7, false);
	struct perf_timebase t;
	struct str name;
	uint64_t value;
	bool more = shape_number(&values, &value);

	if (!more)
		return true;
	SHAPE_EACH(pf_placed(p, pf_state(p, r->a)->perf), 4, follower) {
		if (!more)
			break;
		(void)perf_timebase_read(follower, &t, NULL);
		name = t.name.n > 0 ? t.name : timebase_event(&t);
		if (!perf_level(p, r->time, name.n > 0 ? name : STR("follower"), cpu, value, err))
			return false;
		more = shape_number(&values, &value);
	}
	if (more)
		unread_add_member(&p->unread, STR("perf_sample"), "follower_counts");
	return true;
}

bool
pf_play_perf(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct pf_sample new = { .time = r->time, .state = r->a, .weight = 1 };
	struct perf_sample s;
	bool whole = perf_sample_read(m, &s, &p->unread);

	p->count[PF_LOST_SAMPLES] += s.lost;
	p->count[PF_NO_STACK] += s.has_skipped;
	if (s.has_skipped && s.skipped < PF_SKIP_REASONS)
		p->recorded.skipped[s.skipped]++;
	if (!whole || s.lost != 0 || s.has_producer) {
		p->count[PF_BAD_PACKETS] += !whole;
		return true;
	}
	if (!perf_event(p, r->a, &new, err))
		return false;
	new.stack = s.stack;
	return pf_sample_of(p, &new, (uint32_t)s.tid, (uint32_t)s.pid, err) && pf_sample(p, &new, err) &&
	    (!s.has_count || perf_level(p, r->time, marks_text(&p->marks, new.event), s.cpu, s.count, err)) &&
	    perf_followers(p, r, m, s.cpu, err);
}

/* ---- of Chrome ----------------------------------------------------------------------------------------- */

/*
 * {1 callstacks, 2 microseconds from one to the next}; of the thread of the sequence, whose time they
 * advance.
 */
bool
pf_streaming_rows(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	struct pf_sequence *q = pf_sequence(p, now->sequence, err);
	struct shape_numbers stacks = shape_numbers(m, 1, false), deltas = shape_numbers(m, 2, false);
	struct pf_row row = { .a = now->state, .b = PKT_STREAMING, .kind = PF_PACKET };
	uint64_t delta;
	int64_t time;

	if (q == NULL)
		return false;
	if (!q->based)
		q->time = q->cpu = 0;
	q->based = true;
	while (shape_number(&deltas, &delta)) {
		q->time = (int64_t)((uint64_t)q->time + delta * 1000);
		if (!shape_number(&stacks, &row.at) || pf_state(p, now->state)->tid == 0) {
			p->count[PF_NO_STACK] += row.at != 0;
			continue;
		}
		if (!pf_clock_convert(&p->clocks, CLOCK_OF_MONOTONIC, q->time, &time))
			time = q->time;
		row.time = (uint64_t)time;
		if (!work_go(p->l->work, p->file.n, err) || !pf_row(p, &row, err))
			return false;
	}
	return true;
}

bool
pf_play_streaming(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	const struct pf_state *s = pf_state(p, r->a);
	struct pf_sample new = { .time = r->time, .stack = r->at, .state = r->a, .weight = 1 };

	(void)m;
	return marks_word_of(&p->marks, STR("cpu"), &new.event, err) &&
	    pf_sample_of(p, &new, s->tid, s->pid, err) && pf_sample(p, &new, err);
}

/* ---- stack samples ------------------------------------------------------------------------------------- */

/* The inline message, or the interned one if that is empty. */
static struct str
told_or_interned(const struct perfetto *p, uint32_t state, unsigned kind, struct str told, uint64_t iid)
{
	return told.n > 0 || iid == 0 ? told : pf_interned_message(p, state, kind, iid);
}

static bool
read_sample_counter(struct perfetto *p, struct str in, struct pf_sample *s, struct err *err)
{
	struct stack_counter c;

	(void)stack_counter_read(in, &c, NULL);
	if (c.has_unit)
		s->unit = c.unit == 1 ? PF_NS : c.unit == 3 ? PF_BYTES : PF_SAMPLES;
	return marks_word_of(&p->marks, c.name.n > 0 ? str_head(c.name, PF_TEXT_MOST) : STR("stack_sample"),
	    &s->event, err);
}

/* A stack in the sample itself counts before a number of one, and a counter before that of the defaults. */
bool
pf_play_stack(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	const struct pf_state *state = pf_state(p, r->a);
	struct pf_sample new = { .time = r->time, .state = r->a };
	struct stack_sample s;
	struct stack_task t;
	struct stack_defaults d;
	bool whole = stack_sample_read(m, &s, &p->unread);

	new.n = (uint32_t)s.inlined.n;
	new.stack = new.n > 0 ? pf_offset(p, s.inlined.s) : s.stack;
	new.weight = !s.has_weight ? 1 : s.weight < WEIGHT_MOST / 2 ? s.weight : WEIGHT_MOST / 2;
	if (!stack_task_read(told_or_interned(p, r->a, NAME_TASK, s.task, s.task_iid), &t, NULL) || !whole)
		return pf_count(p, PF_BAD_PACKETS);
	s.counter = told_or_interned(p, r->a, NAME_COUNTER, s.counter, s.counter_iid);
	(void)stack_defaults_read(pf_placed(p, state->stack), &d, NULL);
	return read_sample_counter(p, s.counter.n > 0 ? s.counter : d.counter, &new, err) &&
	    pf_sample_of(p, &new, (uint32_t)t.tid, (uint32_t)t.pid, err) && pf_sample(p, &new, err);
}

/* ---- when calls are known ------------------------------------------------------------------------------ */

static uint32_t
samples_event_of(struct perfetto *p, const struct pf_sample *from, struct err *err)
{
	static const struct { enum weight_type type; const char *unit; } units[] = {
		[PF_SAMPLES] = { WEIGHT_COUNT, "samples" }, [PF_NS] = { WEIGHT_TIME, "ns" },
		    [PF_BYTES] = { WEIGHT_BYTES, "bytes" },
		[PF_ALLOCATIONS] = { WEIGHT_COUNT, "allocations" } };

	return samples_event(&p->l->samples, marks_text(&p->marks, from->event), units[from->unit].type,
	    units[from->unit].unit, err);
}

/* Samples of CPU time fill calls: those of Chrome come from a clock, others from a CPU. */
static enum sample_fills
samples_fills_of(struct str event, const struct pf_sample *from)
{
	static const char *const of_cpu[] = { "cpu-clock", "task-clock", "cpu-cycles", "ref-cpu-cycles",
	    "perf" };

	if (from->heap || from->unit > PF_NS)
		return FILLS_NOTHING;
	if (str_is(event, "cpu"))
		return FILLS_ALL;
	for (size_t i = 0; i < NELEM(of_cpu); i++)
		if (str_is(event, of_cpu[i]))
			return FILLS_STEP;
	return from->unit == PF_NS ? FILLS_STEP : FILLS_NOTHING;
}

bool
pf_samples_load(struct perfetto *p, const uint32_t *place, struct err *err)
{
	struct samples *s = &p->l->samples;
	uint64_t nheap = 0;

	s->times = true;
	if (!pf_profiles_load(p, place, err))
		return false;
	for (uint64_t i = 0; i < p->nsamples; i++) {
		const struct pf_sample *from = &SCRATCH(p->samples, struct pf_sample)[i];
		struct sample new = { .time = PF_TIME(from->time), .weight = from->weight, .offset = 0,
		    .count = 1 };
		uint32_t thread = pf_task_at(p, from->task)->thread;

		nheap += from->heap;
		if ((i % 256 == 0 && !work_go(p->l->work, i, err)))
			return false;
		err->kind = E_NONE;
		new.thread = place[thread - 1];
		new.stack = from->stack == 0 ? 0 : from->n > 0 ?
		    pf_stack_inline(p, pf_bytes(p, from->stack, from->n), err) :
		    pf_stack(p, from->state, from->stack, err);
		new.event = err->kind != E_NONE ? 0 : samples_event_of(p, from, err);
		p->count[PF_NO_STACK] += new.stack == 0 && from->stack != 0;
		if (new.event == 0 || !samples_add(s, &new, err))
			return false;
		samples_fill(s, new.event, samples_fills_of(marks_text(&p->marks, from->event), from));
	}
	if (nheap == p->nsamples)
		samples_choose_heap(s);
	return true;
}
