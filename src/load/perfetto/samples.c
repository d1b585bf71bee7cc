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

/* ---- of perf ------------------------------------------------------------------------------------------- */

static const char *const counters[] = { [1] = "cpu-clock", "page-faults", "task-clock", "context-switches", "cpu-migrations", "minor-faults",
	"major-faults", "alignment-faults", "emulation-faults", "cpu-cycles", "instructions", "cache-references", "cache-misses",
	"branch-instructions", "branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cpu-cycles" };

/* The event of a sequence, from {1 timebase {3 {1 tracepoint}, 4 counter, 10 name}} of its defaults; *period: 0: unknown. */
static struct str
read_event_name(const struct perfetto *p, uint32_t state, uint64_t *period)
{
	struct str m = pf_bytes(p, pf_state(p, state)->perf_at, pf_state(p, state)->perf_n), name = STR("perf");
	struct proto_field f, t, n;
	bool bad = false, timed = false;

	*period = 0;
	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1 && f.wire == PROTO_BYTES && !timed) {
			name = STR("cpu-clock");
			timed = true;
		}
		while (f.number == 1 && f.wire == PROTO_BYTES && proto_next_whole(&f.in, &t, &bad)) {
			if (t.number == 10 && t.in.n > 0)
				return t.in;
			if (t.number == 1 && t.wire == PROTO_VARINT)
				*period = t.value;
			if (t.number == 4 && t.wire == PROTO_VARINT && t.value < NELEM(counters) && counters[t.value] != NULL)
				name = str_of(counters[t.value]);
			while (t.number == 3 && t.wire == PROTO_BYTES && proto_next_whole(&t.in, &n, &bad))
				if (n.number == 1 && n.in.n > 0)
					name = n.in;
		}
	}
	return name;
}

/* The event of a sequence as a word, and its period; looked for once in a state. */
static bool
perf_event(struct perfetto *p, uint32_t state, uint32_t *word, uint64_t *period, struct err *err)
{
	struct pf_state *s = &SCRATCH(p->states, struct pf_state)[state - 1];

	if (s->event == 0 && !marks_word_of(&p->marks, read_event_name(p, state, &s->period), &s->event, err))
		return false;
	*word = s->event;
	*period = s->period;
	return true;
}

/* A sample contains the value of the counter of its CPU. */
static bool
perf_level(struct perfetto *p, uint64_t time, uint32_t event, uint64_t cpu, uint64_t value, struct err *err)
{
	struct pf_about a = { .pid = 0 };

	buf_clear(&p->text);
	buf_str(&p->text, marks_text(&p->marks, event));
	buf_printf(&p->text, " CPU %u", (unsigned)cpu);
	if (p->text.bad)
		return fail(err, E_SYSTEM, "out of memory (counter)");
	return marks_word_of(&p->marks, buf_view(&p->text), &a.name, err) && pf_level(p, time - p->first, &a, (double)value, err);
}

/* {1 CPU, 2 pid, 3 tid, 4 callstack, 6 count, 17 lost, 18 skipped, 19 of the producer} */
static bool
play_perf(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct str m = pf_bytes(p, r->at, r->n);
	struct pf_sample new = { .time = r->time, .state = r->a, .weight = 1 };
	struct proto_field f;
	uint64_t v[7] = { 0 }, period;
	bool bad = false, none = false, counted = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number < NELEM(v))
			v[f.number] = f.value;
		counted |= f.number == 6;
		pf_unless_known(p, PKT_PERF, 0, f.number, PF_BITS(1, 4) | PF_BIT(6) | PF_BITS(17, 19));
		p->count[PF_LOST_SAMPLES] += f.number == 17 ? f.value : 0;
		p->count[PF_NO_STACK] += f.number == 18;
		if (f.number == 18 && f.value < PF_SKIP_REASONS)
			p->told.skipped[f.value]++;
		none |= (f.number == 17 && f.value != 0) || f.number == 19;
	}
	if (bad || none) {
		p->count[PF_BAD_PACKETS] += bad;
		return true;
	}
	if (!perf_event(p, r->a, &new.event, &period, err))
		return false;
	new.stack = v[4];
	new.weight = period > 0 && period < WEIGHT_MOST / 2 ? period : 1;
	return pf_sample_of(p, &new, (uint32_t)v[3], (uint32_t)v[2], err) && pf_sample(p, &new, err) &&
	    (!counted || perf_level(p, r->time, new.event, v[1], v[6], err));
}

/* ---- of Chrome ------------------------------------------------------------------------------------------- */

/* {1 callstacks, 2 microseconds from one to the next}; of the thread of the sequence, whose time they advance. */
bool
pf_streaming_rows(struct perfetto *p, struct str m, uint32_t state, uint32_t sequence, struct err *err)
{
	struct pf_sequence *q = pf_sequence(p, sequence, err);
	struct pf_numbers stacks = { m, STR(""), 1 }, deltas = { m, STR(""), 2 };
	struct pf_row row = { .a = state, .b = PKT_STREAMING, .kind = PF_SAMPLE };
	uint64_t delta;
	int64_t time;

	if (q == NULL)
		return false;
	if (!q->based)
		q->time = q->cpu = 0;
	q->based = true;
	while (pf_number(&deltas, &delta)) {
		q->time = (int64_t)((uint64_t)q->time + delta * 1000);
		if (!pf_number(&stacks, &row.at) || pf_state(p, state)->tid == 0) {
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

static bool
play_streaming(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	const struct pf_state *s = pf_state(p, r->a);
	struct pf_sample new = { .time = r->time, .stack = r->at, .state = r->a, .weight = 1 };

	return marks_word_of(&p->marks, STR("cpu"), &new.event, err) && pf_sample_of(p, &new, s->tid, s->pid, err) && pf_sample(p, &new, err);
}

/* ---- stack samples --------------------------------------------------------------------------------------- */

/* The inline message, or the interned one if that is empty. */
static struct str
told_or_interned(const struct perfetto *p, uint32_t state, unsigned kind, struct str told, uint64_t iid)
{
	const struct pf_interned *in = told.n > 0 || iid == 0 ? NULL : pf_interned(p, state, kind, iid);

	return in != NULL ? pf_bytes(p, in->at, in->n) : told;
}

/* {2 counter} of the defaults. */
static struct str
default_counter(const struct perfetto *p, uint32_t state)
{
	struct str m = pf_bytes(p, pf_state(p, state)->stack_at, pf_state(p, state)->stack_n), counter = STR("");
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad))
		if (f.number == 2 && f.wire == PROTO_BYTES)
			counter = f.in;
	return counter;
}

/* {2 name, 3 unit} */
static bool
read_sample_counter(struct perfetto *p, struct str m, struct pf_sample *s, struct err *err)
{
	struct str name = STR("stack_sample");
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 2 && f.in.n > 0)
			name = str_head(f.in, PF_TEXT_MOST);
		if (f.number == 3 && f.wire == PROTO_VARINT)
			s->unit = f.value == 1 ? PF_NS : f.value == 3 ? PF_BYTES : PF_SAMPLES;
	}
	return marks_word_of(&p->marks, name, &s->event, err);
}

/* {1 task {2 pid, 3 tid}, 2 task, 5 stack, 6 callstack, 9 counter, 10 counter, 11 weight} */
static bool
play_stack(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct str m = pf_bytes(p, r->at, r->n), task = STR(""), counter = STR("");
	struct pf_sample new = { .time = r->time, .state = r->a, .weight = 1 };
	struct proto_field f;
	uint64_t task_iid = 0, counter_iid = 0, pid = 0, tid = 0;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		switch (f.number) {
		case 1: task = f.in; break;
		case 2: task_iid = f.value; break;
		case 5: new.stack = pf_offset(p, f.in.s); new.n = (uint32_t)f.in.n; break;
		case 6: new.stack = new.n > 0 ? new.stack : f.value; break;
		case 9: counter = f.in; break;
		case 10: counter_iid = f.value; break;
		case 11: new.weight = f.value < WEIGHT_MOST / 2 ? f.value : WEIGHT_MOST / 2; break;
		default: pf_unread_field(p, PKT_STACK, 0, f.number); break;
		}
	}
	task = told_or_interned(p, r->a, NAME_TASK, task, task_iid);
	counter = told_or_interned(p, r->a, NAME_COUNTER, counter, counter_iid);
	while (proto_next_whole(&task, &f, &bad)) {
		pid = f.number == 2 ? f.value : pid;
		tid = f.number == 3 ? f.value : tid;
	}
	if (bad) {
		p->count[PF_BAD_PACKETS]++;
		return true;
	}
	return read_sample_counter(p, counter.n > 0 ? counter : default_counter(p, r->a), &new, err) &&
	    pf_sample_of(p, &new, (uint32_t)tid, (uint32_t)pid, err) && pf_sample(p, &new, err);
}

bool
pf_play_sample(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	switch (r->b) {
	case PKT_PERF: return play_perf(p, r, err);
	case PKT_STREAMING: return play_streaming(p, r, err);
	case PKT_STACK: return play_stack(p, r, err);
	default: return pf_play_heap(p, r, err);
	}
}

/* ---- when calls are known ---------------------------------------------------------------------------------- */

static uint32_t
samples_event_of(struct perfetto *p, const struct pf_sample *from, struct err *err)
{
	static const struct { enum weight_type type; const char *unit; } units[] = {
		[PF_SAMPLES] = { WEIGHT_COUNT, "samples" }, [PF_NS] = { WEIGHT_TIME, "ns" }, [PF_BYTES] = { WEIGHT_BYTES, "bytes" },
		[PF_ALLOCATIONS] = { WEIGHT_COUNT, "allocations" } };

	return samples_event(&p->l->samples, marks_text(&p->marks, from->event), units[from->unit].type, units[from->unit].unit, err);
}

/* Of heap profiles alone what is left counts: the event of the heap that has most. */
static void
choose_heap(struct perfetto *p, uint64_t nheap)
{
	struct samples *s = &p->l->samples;
	uint64_t most = 0;

	if (nheap != p->nsamples)
		return;
	for (uint32_t i = 1; i <= s->nevents; i++) {
		const struct sample_event *e = &SCRATCH(s->events, struct sample_event)[i - 1];

		if (e->weight > most && str_has_prefix(samples_event_name(s, i), STR("unreleased bytes"))) {
			most = e->weight;
			s->chosen = i;
			s->chosen_by = "unreleased memory";
		}
	}
}

bool
pf_samples_load(struct perfetto *p, const uint32_t *place, struct err *err)
{
	struct samples *s = &p->l->samples;
	uint64_t nheap = 0;

	s->times = true;
	if ((p->nsamples > 0 && !pf_symbols_read(p, err)) || !pf_heap_unreleased(p, err))
		return false;
	for (uint64_t i = 0; i < p->nsamples; i++) {
		const struct pf_sample *from = &SCRATCH(p->samples, struct pf_sample)[i];
		struct sample new = { .time = PF_TIME(from->time), .weight = from->weight, .offset = 0, .count = 1 };
		uint32_t thread = pf_task_at(p, from->task)->thread;

		nheap += from->heap;
		if ((i % 256 == 0 && !work_go(p->l->work, i, err)))
			return false;
		err->kind = E_NONE;
		new.thread = place[thread - 1];
		new.stack = from->stack == 0 ? 0 : from->n > 0 ? pf_stack_inline(p, pf_bytes(p, from->stack, from->n), err) :
		    pf_stack(p, from->state, from->stack, err);
		new.event = err->kind != E_NONE ? 0 : samples_event_of(p, from, err);
		p->count[PF_NO_STACK] += new.stack == 0 && from->stack != 0;
		if (new.event == 0 || !samples_add(s, &new, err))
			return false;
	}
	choose_heap(p, nheap);
	return true;
}
