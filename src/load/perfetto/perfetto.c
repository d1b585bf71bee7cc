/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loader of Perfetto traces.
 */
#include "config.h"


#include "icecore/calendar.h"
#include "icecore/facts.h"
#include "cut.h"

#define RESIDENT_MIN ((uint64_t)448 << 20)	/* bytes */

/* ---- facts -------------------------------------------------------------------------------------------- */

/* The gravest reason for which data is missing; empty: nothing is. */
static struct str
lost_why(const struct perfetto *p)
{
	const uint64_t *c = p->count;

	return str_of(c[PF_LOST_BYTES] > 0 ? "truncated or damaged" : c[PF_BAD_PACKETS] > 0 ? "damaged packets" :
	    c[PF_SKIPPED_STATE] > 0 ? "packets lost while recording; later packets that depend on them were skipped" :
	    pf_graph_incomplete(p) ? "packets of the heap graph are missing" :
	    pf_recorded_lost(p) ? "data lost while recording" : "");
}

static bool
put_facts(struct perfetto *p, struct err *err)
{
	const uint64_t *c = p->count;
	int64_t zero = 0;
	char date[CALENDAR_TEXT] = "";

	if (p->last > 0 && pf_clock_realtime(&p->clocks, (int64_t)p->first, &zero) && zero > 0)
		(void)calendar_text((uint64_t)zero / 1000000000, false, date);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("Perfetto trace") },
		{ FACT_CLOCK_START, p->first, p->graph.chosen != 0 ? MAKE_ANY : MAKE_ALWAYS },
		{ FACT_TRACE_ZERO, zero > 0 ? (uint64_t)zero : 0, MAKE_ANY },
		{ FACT_RECORDED_AT, .text = str_of(date), .how = MAKE_ANY },
		{ FACT_ELAPSED, p->last - p->first, p->graph.chosen != 0 ? MAKE_ANY : MAKE_ALWAYS },
		{ FACT_PACKETS, p->npackets },
		{ FACT_ASYNC, p->marks.nspans, MAKE_ANY }, { FACT_COUNTERS, p->marks.counters.n, MAKE_ANY },
		{ FACT_INSTANTS, p->marks.ninstants, MAKE_ANY },
		{ FACT_FLOWS, p->player.flows.narrows, MAKE_ANY },
		{ FACT_REPAIR_END_WITHOUT_BEGIN, p->l->spans.no_begin + p->marks.no_begin, MAKE_ANY },
		{ FACT_REPAIR_END_NAME, p->l->spans.end_name, MAKE_ANY },
		{ FACT_REPAIR_NO_END, p->l->spans.no_end, MAKE_ANY },
		{ FACT_REPAIR_OUTER_END, p->l->spans.outer_end, MAKE_ANY },
		{ FACT_REPAIR_OVERLAP, p->l->spans.overlap, MAKE_ANY },
		{ FACT_REPAIR_OVERLAP_TIME, p->l->spans.overlap_time, MAKE_ANY },
		{ FACT_WITH_CPU, p->l->spans.calls.with_cpu, MAKE_ANY },
		{ FACT_REPAIR_NO_CPU, p->l->spans.no_cpu, MAKE_ANY },
		{ FACT_REPAIR_FAST_CPU, p->l->spans.fast_cpu, MAKE_ANY },
		{ FACT_REPAIR_NO_HEAD, p->v8.no_head, MAKE_ANY },
		{ FACT_REPAIR_NODE, p->l->no_node, MAKE_ANY }, { FACT_REPAIR_NUMBER, p->l->no_number, MAKE_ANY },
		{ FACT_REPAIR_BAD_ENTRIES, p->l->bad, MAKE_ANY }, { FACT_REPAIR_BEYOND, p->l->beyond, MAKE_ANY },
		{ FACT_CONCATENATED, c[PF_CONCATENATED], MAKE_ANY },
		{ FACT_REPAIR_MACHINES, c[PF_MACHINE], MAKE_ANY },
		{ FACT_REPAIR_BEFORE_START, c[PF_BEFORE_START], MAKE_ANY },
		{ FACT_REPAIR_CLOCK_ASSUMED, c[PF_CLOCK_ASSUMED], MAKE_ANY },
		{ FACT_REPAIR_CLOCK_BAD, p->clocks.bad, MAKE_ANY },
		{ FACT_REPAIR_TRACKS, c[PF_CONFLICT], MAKE_ANY },
		{ FACT_REPAIR_MARKS, c[PF_BAD_MARK], MAKE_ANY },
		{ FACT_REPAIR_NAME_MISSING, c[PF_NO_NAME], MAKE_ANY },
		{ FACT_LOSS_PACKETS_BAD, c[PF_BAD_PACKETS] + c[PF_CUT], MAKE_ANY },
		{ FACT_LOSS_PACKETS_STATE, c[PF_SKIPPED_STATE], MAKE_ANY },
		{ FACT_LOSS_SEQUENCES, c[PF_DROPPED], MAKE_ANY },
		{ FACT_LOSS_PACKED, c[PF_BAD_PACKED], MAKE_ANY },
		{ FACT_LOSS_DEEP_STACKS, c[PF_CUT_STACKS], MAKE_ANY },
		{ FACT_LOSS_CLOCK, c[PF_NO_CLOCK], MAKE_ANY },
		{ FACT_LOSS_TRACK, c[PF_NO_TRACK] + c[PF_NO_VALUE] + c[PF_NO_TYPE] + c[PF_NO_TIME] + c[PF_NEGATIVE],
		    MAKE_ANY },
		{ FACT_LOSS_KERNEL, c[PF_BAD_FTRACE] + c[PF_COMPACT], MAKE_ANY },
		{ FACT_NO_STACK, c[PF_NO_STACK], MAKE_ANY },
		{ FACT_LOSS_HEAP_PACKETS, c[PF_HEAP_PACKETS], MAKE_ANY },
		{ FACT_LOSS_HEAP_DUMPS, c[PF_HEAP_DUMPS], MAKE_ANY },
		{ FACT_REPAIR_HEAP_FALLS, c[PF_HEAP_FALLS], MAKE_ANY },
		{ FACT_LOSS_EVENTS, c[PF_LOST_SAMPLES] + c[PF_LOST_FTRACE], MAKE_ANY },
		{ FACT_LOSS_TAIL_BYTES, c[PF_LOST_BYTES], MAKE_ANY },
		{ FACT_LOSS_REASON, .text = lost_why(p), .how = MAKE_ANY }
	};

	return pf_unread_facts(p, err) && pf_recorded_facts(p, err) &&
	    make_facts(p->l->st, facts, NELEM(facts), err);
}

/* ---- switches beside calls -------------------------------------------------------------------------- */

/* Switches call tasks by their rows. */
static uint32_t
thread_of(void *arg, uint32_t task, struct err *err)
{
	struct perfetto *p = arg;

	return pf_task_thread(p, pf_task_at(p, task), err);
}

static bool
take_threads(struct perfetto *p, struct err *err)
{
	uint64_t from = p->kernel.kernel_first > p->first ? p->kernel.kernel_first - p->first : 0,
	    to = p->kernel.kernel_last > p->first ? p->kernel.kernel_last - p->first : 0,
	    length = to > from ? to - from : 0;

	return sched_events_switches(p->sched) == 0 || (sched_events_threads(p->sched, thread_of, p, err) &&
	    fact_set(p->l->st, FACT_TRACE_TASKS_BEGIN, from, err) &&
	    fact_set(p->l->st, FACT_TRACE_TASKS_END, to, err) &&
	    (length / 19 >= (p->last - p->first) / 20 || fact_set(p->l->st, FACT_SCHEDULING, length, err)));
}

/* ---- the file ------------------------------------------------------------------------------------------ */

/* Return the number of processes that have a pid. */
static uint64_t
processes_of(const struct perfetto *p)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < p->who.nprocesses; i++)
		n += SCRATCH(p->who.processes, struct pf_process)[i].pid != 0;
	return n;
}

/*
 * Calls, or a profile where there are samples alone; with switches beside them.  A trace of processes alone
 * has neither; *none: nor has it marks.
 */
static bool
perfetto_make_calls(struct perfetto *p, const uint32_t *place, bool *none, struct err *err)
{
	struct jload *l = p->l;
	bool tasks = sched_events_switches(p->sched) > 0;

	l->spans.calls.shapes = SHAPE_MARKS | (tasks ? SHAPE_TASKS | SHAPE_TRACKS : 0u);
	if ((tasks && !sched_events_columns(p->sched, place, err)) || !spans_in_calls(&l->spans, err))
		return false;
	l->spans.calls.nframes = l->samples.nnames;
	samples_apart(&l->samples);
	if ((p->nsamples + p->graph.ngraphs > 0 && !pf_symbols_read(p, err)) || !pf_heap_unreleased(p, err) ||
	    !pf_samples_load(p, place, err) || !calls_in_fill(&l->spans.calls, err))
		return false;
	l->timed = l->spans.calls.n > 0 || l->samples.nsamples == 0;
	if (!l->timed && tasks) {
		l->samples.from = PF_TIME(p->first);
		l->samples.to = PF_TIME(p->last);
	}
	*none = l->spans.calls.n == 0 && l->samples.nsamples == 0 && !tasks &&
	    p->marks.ninstants + p->marks.nspans + p->marks.ncounts == 0;
	return !*none || p->graph.chosen != 0 ||
	    (processes_of(p) + p->recorded.packages > 0 && p->packets[PKT_ZSTD] == 0) ||
	    pf_nothing(p, err);
}

/* A pass makes tracks of levels, but not beside samples alone. */
static bool
make_tracks(struct perfetto *p, struct err *err)
{
	struct points points;
	bool ok;

	if (p->l->timed || (p->l->spans.calls.shapes & SHAPE_TASKS) != 0)
		return marks_level_columns(&p->marks, err);
	points_open(&points);
	ok = marks_points(&p->marks, &points, err) && points_columns(&points, p->l->st, err);
	points_close(&points);
	return ok;
}

static bool
make_calls_or_samples(struct perfetto *p, struct err *err)
{
	struct jload *l = p->l;
	unsigned tracks = p->marks.ncounts + p->marks.nspans > 0 ? SHAPE_TRACKS : 0;

	if (l->timed)
		return calls_in_columns(&l->spans.calls, err);
	return fact_set(l->st, FACT_SHAPES, SHAPE_SAMPLES | l->spans.calls.shapes | tracks, err) &&
	    samples_columns(&l->samples, err);
}

static bool
make_columns_of(struct perfetto *p, const uint32_t *place, struct err *err)
{
	return pf_async_columns(p, err) && pf_frame_columns(p, err) &&
	    flow_columns(&p->player.flows, &p->marks, err) && marks_instant_columns(&p->marks, err) &&
	    pf_args_columns(p, err) && pf_log_columns(p, err) &&
	    marks_counter_columns(&p->marks, &marks_decimals, err) && make_tracks(p, err) &&
	    pf_task_columns(p, place, err) && marks_word_columns(&p->marks, err) &&
	    fact_set(p->l->st, FACT_PROCESSES, processes_of(p), err) && make_calls_or_samples(p, err);
}

static bool
make_found(struct perfetto *p, struct err *err)
{
	struct scratch place = SCRATCH_INIT;
	bool none, ok = take_threads(p, err);

	p->l->spans.calls.first = PF_TIME(p->first);
	p->l->spans.last = PF_TIME(p->last);
	ok = ok && pf_task_order(p, &place, err) && perfetto_make_calls(p, SCRATCH(place, uint32_t), &none, err);
	ok = ok && put_facts(p, err) && ((none && p->graph.chosen != 0) ||
	    make_columns_of(p, SCRATCH(place, uint32_t), err)) &&
	    pf_graph_load(p, none, err);
	scratch_free(&place);
	return ok;
}

static bool
perfetto_read_trace(struct perfetto *p, struct err *err)
{
	work_start_bytes(p->l->work, "packets", p->file.n);
	if (!pf_packets(p, pf_rows, err) || !pf_late_rows(p, err) || !pf_graph_choose(p, err) || !pf_heap_rows(p, err))
		return false;
	return pf_play(p, err) && make_found(p, err);
}

static bool
pf_load(struct store *st, struct work *w, struct err *err)
{
	struct jload l;
	struct perfetto *p;
	bool ok;

	scratch_budget_input(store_source(st)->size, 0);
	/* The index of switches is larger than their packets; it is written in order. */
	resident_source(store_source(st)->size, true);
	/* Pages that leave cost time, so memory that every machine has is used first. */
	resident_limit(store_source(st)->size < RESIDENT_MIN ? store_source(st)->size : RESIDENT_MIN, true);
	ok = pf_open(&p, &l, st, w, err) && (p->sched = sched_events_open(st, w, err)) != NULL &&
	    perfetto_read_trace(p, err);
	if (p != NULL)
		sched_events_close(p->sched);
	pf_close(p);
	return ok;
}

const struct loader load_perfetto = {
	"perfetto", "Perfetto trace: Android, Chrome, Linux",
	    SHAPE_TASKS | SHAPE_TRACKS | SHAPE_INTERVALS | SHAPE_CALLS | SHAPE_MARKS | SHAPE_ROWS | SHAPE_EVENTS,
	pf_sniff, pf_load, .slice = pf_slice, .heap = &pf_graph_form, .dumps = true
};
