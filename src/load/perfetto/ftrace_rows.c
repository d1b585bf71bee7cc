/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace_rows: bundles of kernel events become rows.
 */
#include "config.h"

#include <string.h>

#include "ftrace.h"
#include "runs.h"

/* A bundle: the events of a CPU. */
struct ftrace_bundle {
	struct str	compact;
	uint64_t	cpu, lost, clock, ftrace_time, boot_time, before, before_old;
	bool		has_cpu, has_clock, has_before, has_before_old;
};

static bool
ftrace_rows_read_bundle(struct str m, struct ftrace_bundle *b)
{
	struct proto_field f;
	bool bad = false;

	*b = (struct ftrace_bundle){ .cpu = 0 };
	while (proto_next_whole(&m, &f, &bad)) {
		switch (f.number) {
		case 1: b->cpu = f.value; b->has_cpu = true; break;
		case 3: b->lost = f.value; break;
		case 4: b->compact = f.in; break;
		case 5: b->clock = f.value; b->has_clock = true; break;
		case 6: b->ftrace_time = f.value; break;
		case 7: b->boot_time = f.value; break;
		case 9: b->before_old = f.value; b->has_before_old = true; break;
		case 10: b->before = f.value; b->has_before = true; break;
		default: break;
		}
	}
	return !bad;
}

/* The key of the clock of a bundle; 0: it cannot be read. */
static uint64_t
ftrace_rows_clock_of(struct perfetto *p, const struct ftrace_bundle *b, uint32_t sequence, struct err *err)
{
	const uint64_t pair[2] = { pf_clock_key(sequence, 64), CLOCK_OF_BOOTTIME };
	const int64_t value[2] = { (int64_t)b->ftrace_time, (int64_t)b->boot_time };

	switch (b->clock) {
	case 0:
		return CLOCK_OF_BOOTTIME;
	case 4:
		return CLOCK_OF_RAW;
	case 2: case 3:
		if (b->ftrace_time != 0 && b->boot_time != 0 && b->cpu == 0 &&
		    !pf_clock_pair(&p->clocks, pair, value, err))
			return 0;
		return pair[0];
	default:
		p->count[PF_NO_CLOCK]++;
		return 0;
	}
}

/* A row goes to the others, or where it was asked for. */
static bool
add_row(struct perfetto *p, const struct pf_row *row, struct err *err)
{
	struct pf_made *m = p->row.into;

	if (m == NULL)
		return pf_row(p, row, err);
	if (m->n == m->cap && !mem_grow(&m->row, &m->cap, m->n + 1, sizeof *m->row))
		return fail(err, E_SYSTEM, "out of memory (kernel events)");
	m->row[m->n++] = *row;
	return true;
}

/* Whether times of that clock are used without conversion. */
static bool
is_told(const struct perfetto *p, uint64_t clock)
{
	return clock == CLOCK_OF_BOOTTIME && (p->clocks.trace == 0 || p->clocks.trace == CLOCK_OF_BOOTTIME);
}

static bool
kernel_time(struct perfetto *p, uint64_t clock, uint64_t time, int64_t *ns)
{
	*ns = (int64_t)time;
	if (p->row.into != NULL || is_told(p, clock))
		return true;
	if (pf_clock_convert(&p->clocks, clock, *ns, ns))
		return true;
	p->count[PF_NO_CLOCK]++;
	return false;
}

/* ---- compact scheduling ------------------------------------------------------------------------ */

enum { COLUMNS = 13 };

/* The texts that a compact message refers to, as offsets; a file may have any number. */
static bool
read_texts(struct perfetto *p, struct str m, struct scratch *texts, uint64_t *n, struct err *err)
{
	struct proto_field f;
	bool bad = false, ok = true;

	for (*n = 0; ok && proto_next_whole(&m, &f, &bad); )
		if (f.number == 5 && f.wire == PROTO_BYTES) {
			struct pf_row row = { .at = pf_offset(p, f.in.s),
			    .n = f.in.n > UINT16_MAX ? UINT16_MAX : (uint32_t)f.in.n };

			ok = make_add(texts, n, &row, sizeof row, UINT32_MAX, "names of tasks", err);
		}
	return ok;
}

/* Takes the next value of each of these columns; false: one has no more.  *uneven: others do. */
static bool
next_values(struct str *column, const uint8_t *which, size_t n, uint64_t *v, bool *uneven)
{
	size_t some = 0;

	for (size_t i = 0; i < n; i++)
		some += column[which[i]].n > 0 && proto_varint(&column[which[i]], &v[i]);
	*uneven = some > 0 && some < n;
	return some == n;
}

static bool
compact_rows(struct perfetto *p, const struct ftrace_bundle *b, uint64_t clock, enum pf_row_kind kind,
    struct str *column,
    const struct scratch *texts, uint64_t ntexts, struct err *err)
{
	static const uint8_t switches[] = { 1, 2, 3, 4, 6 }, wakings[] = { 7, 8, 9, 10, 11 };
	const uint8_t *which = kind == PF_SWITCH ? switches : wakings;
	uint64_t v[5], sum = 0, flags;
	bool uneven;
	int64_t time;

	while (next_values(column, which, 5, v, &uneven)) {
		sum += v[0];
		if (v[4] >= ntexts) {
			p->count[PF_COMPACT]++;
			return true;
		}
		if (!kernel_time(p, clock, sum, &time))
			return true;
		struct pf_row row = SCRATCH(*texts, struct pf_row)[v[4]];

		row.time = (uint64_t)time;
		row.cpu = (uint16_t)b->cpu;
		row.kind = (uint8_t)kind;
		row.a = (uint32_t)(kind == PF_SWITCH ? v[2] : v[1]);
		row.b = (uint32_t)(kind == PF_SWITCH ? v[1] : v[2]);
		if (kind == PF_WAKING && column[12].n > 0 && proto_varint(&column[12], &flags))
			row.flags = (uint8_t)flags;
		if (!add_row(p, &row, err))
			return false;
	}
	p->count[PF_COMPACT] += uneven;
	return true;
}

/* The times of a column of differences as a run; *later false: they cannot be one. */
static bool
compact_later(struct perfetto *p, struct str times, struct pf_run run, bool *later, struct err *err)
{
	uint64_t v, sum = 0, n = 0;

	*later = false;
	for (; times.n > 0; n++) {
		if (!proto_varint(&times, &v) || v >= PF_TIME_MOST || (sum += v) >= PF_TIME_MOST)
			return true;
		if (n == 0)
			run.time = sum;
	}
	*later = true;
	if (run.kind == PF_RUN_SWITCHES)
		p->row.nswitches += n;
	else
		p->row.nwakes += n;
	return n == 0 || pf_run_later(p, &run, sum, n, err);
}

/* which: a kind of run, of which there are to be rows; PF_RUN_ROWS: all. */
static bool
take_compact(struct perfetto *p, const struct ftrace_bundle *b, uint64_t clock, struct pf_run *run, unsigned which,
    struct err *err)
{
	struct str column[COLUMNS] = { { "", 0 } }, m = b->compact;
	struct scratch texts = SCRATCH_INIT;
	struct proto_field f;
	uint64_t n;
	bool bad = false, ok, switches = false, wakings = false;

	for (unsigned i = 0; i < COLUMNS; i++)
		column[i] = STR("");
	while (proto_next_whole(&m, &f, &bad))
		if (f.number < COLUMNS && f.wire == PROTO_BYTES)
			column[f.number] = f.in;
	p->count[PF_BAD_PACKETS] += bad && which == PF_RUN_ROWS;
	if (which == PF_RUN_ROWS && is_told(p, clock)) {
		run->kind = PF_RUN_SWITCHES;
		if (!compact_later(p, column[1], *run, &switches, err))
			return false;
		run->kind = PF_RUN_WAKINGS;
		if (!compact_later(p, column[7], *run, &wakings, err))
			return false;
	}
	switches = switches || which == PF_RUN_WAKINGS;
	wakings = wakings || which == PF_RUN_SWITCHES;
	if (switches && wakings)
		return true;
	ok = read_texts(p, b->compact, &texts, &n, err) &&
	    (switches || compact_rows(p, b, clock, PF_SWITCH, column, &texts, n, err)) &&
	    (wakings || compact_rows(p, b, clock, PF_WAKING, column, &texts, n, err));
	scratch_free(&texts);
	return ok;
}

/* ---- events ------------------------------------------------------------------------------------------ */

/* The time of an event and its kind, and whether it is whole. */
static bool
read_time(struct str m, uint64_t *time, uint32_t *kind)
{
	struct proto_field f;
	bool bad = false, has = false;

	*kind = 0;
	while (proto_next_whole(&m, &f, &bad))
		if (f.number == 1 && f.wire == PROTO_VARINT) {
			*time = f.value;
			has = true;
		} else if (f.wire == PROTO_BYTES && *kind == 0 && f.number <= UINT32_MAX)
			*kind = (uint32_t)f.number;
	return has && !bad;
}

static bool
ftrace_rows_take_events(struct perfetto *p, const struct ftrace_bundle *b, struct str m, uint32_t state, uint64_t clock,
    struct err *err)
{
	struct proto_field f;
	uint64_t raw = 0;
	uint32_t kind;
	int64_t time;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number != 2 || f.wire != PROTO_BYTES)
			continue;
		if (!read_time(f.in, &raw, &kind)) {
			p->count[PF_BAD_FTRACE]++;
			continue;
		}
		if (kernel_time(p, clock, raw, &time) &&
		    !add_row(p, &(struct pf_row){ .time = (uint64_t)time, .at = pf_offset(p, f.in.s),
		    .n = (uint32_t)f.in.n, .a = state, .cpu = (uint16_t)b->cpu, .kind = PF_FTRACE }, err))
			return false;
	}
	return true;
}

/* The events of a bundle as a run; *later false: they cannot be one. */
static bool
events_later(struct perfetto *p, struct str m, struct pf_run run, bool *later, struct err *err)
{
	struct proto_field f;
	uint64_t time, last = 0, n = 0, switches = 0, wakes = 0;
	uint32_t kind;
	bool bad = false;

	*later = false;
	run.kind = PF_RUN_EVENTS;
	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number != 2 || f.wire != PROTO_BYTES)
			continue;
		if (!read_time(f.in, &time, &kind) || time < last || time >= PF_TIME_MOST)
			return true;
		if (n++ == 0)
			run.time = time;
		last = time;
		switches += kind == KERNEL_SWITCH;
		wakes += kind == KERNEL_WAKING || kind == KERNEL_WAKEUP || kind == KERNEL_WAKEUP_NEW ||
		    kind == KERNEL_NEW_TASK;
	}
	*later = true;
	p->row.nswitches += switches;
	p->row.nwakes += wakes;
	return n == 0 || pf_run_later(p, &run, last, n, err);
}

bool
pf_ftrace_later(struct perfetto *p, const struct pf_run *run, struct pf_made *made, struct err *err)
{
	struct str m = pf_bytes(p, run->at, run->n);
	struct ftrace_bundle b;
	bool ok;

	if (!ftrace_rows_read_bundle(m, &b))
		return true;
	p->row.into = made;
	ok = run->kind == PF_RUN_EVENTS ? ftrace_rows_take_events(p, &b, m, run->state, CLOCK_OF_BOOTTIME, err) :
	    take_compact(p, &b, CLOCK_OF_BOOTTIME, NULL, run->kind, err);
	p->row.into = NULL;
	return ok;
}

/* Events are lost before the first one of a bundle, whose rows are the runs from there on. */
static bool
bundle_lost(struct perfetto *p, const struct ftrace_bundle *b, uint64_t runs, struct err *err)
{
	uint64_t first = UINT64_MAX;

	p->count[PF_LOST_FTRACE]++;
	p->recorded.cpu[b->cpu]++;
	for (; runs < p->row.nruns; runs++)
		if (SCRATCH(p->row.runs, struct pf_run)[runs].time < first)
			first = SCRATCH(p->row.runs, struct pf_run)[runs].time;
	p->row.run_goes_on = false;
	return first == UINT64_MAX || first == 0 ||
	    pf_row(p, &(struct pf_row){ .time = first - 1, .cpu = (uint16_t)b->cpu, .kind = PF_LOST }, err);
}

bool
pf_ftrace_rows(struct perfetto *p, struct str m, uint32_t state, uint32_t sequence, struct err *err)
{
	struct ftrace_bundle b;
	struct pf_run run = { .at = pf_offset(p, m.s), .n = m.n, .state = state };
	uint64_t clock, runs = p->row.nruns;
	int64_t from;
	bool later = false;

	if (!ftrace_rows_read_bundle(m, &b) || !b.has_cpu || b.cpu >= PF_CPUS) {
		p->count[PF_BAD_PACKETS]++;
		return true;
	}
	err->kind = E_NONE;
	if ((clock = ftrace_rows_clock_of(p, &b, sequence, err)) == 0)
		return err->kind == E_NONE;
	p->row.run_goes_on = p->row.run_goes_on && b.lost == 0;
	if ((b.compact.n > 0 && !take_compact(p, &b, clock, &run, PF_RUN_ROWS, err)) ||
	    (is_told(p, clock) && !events_later(p, m, run, &later, err)) ||
	    (!later && !ftrace_rows_take_events(p, &b, m, state, clock, err)))
		return false;
	if (b.lost != 0 && !bundle_lost(p, &b, runs, err))
		return false;
	/* Events of one CPU from before all CPUs began would show tasks of the other CPUs as idle. */
	if (!p->kernel.first_bundle[b.cpu] && (b.has_before || b.has_before_old) &&
	    kernel_time(p, clock, b.has_before ? b.before : b.before_old, &from) &&
	    from > 0 && (uint64_t)from > p->ftrace_start)
		p->ftrace_start = (uint64_t)from;
	p->kernel.first_bundle[b.cpu] = 1;
	return true;
}
