/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows: packets become rows with their times.
 */
#include "config.h"

#include "perfetto.h"

/* A packet that waits for its clock. */
struct late {
	struct pf_place	body;
	uint32_t	state, sequence;
};

/* ---- the time of a packet ------------------------------------------------------------------ */

/* False: no snapshot connects its clock with the trace's clock yet. */
static bool
packet_time(struct perfetto *p, const struct pf_packet *k, uint32_t state, uint32_t sequence, bool last,
    int64_t *time)
{
	const struct proto_field *in = pf_field(k, PKT_TIME);
	uint32_t clock = (uint32_t)pf_field(k, PKT_CLOCK)->value;
	int64_t raw = (int64_t)in->value;

	*time = p->newest;
	if (in->number == 0)
		return true;
	clock = clock != 0 ? clock : pf_state(p, state)->clock;
	clock = clock != 0 ? clock : p->clocks.trace;
	*time = raw;
	if (clock == 0 || pf_clock_convert(&p->clocks, pf_clock_key(sequence, clock), raw, time))
		return true;
	if (!last || p->clocks.snapshots > 0 || (clock >= 64 && clock < 128)) {
		p->count[PF_NO_CLOCK] += last;
		return false;
	}
	*time = raw;
	return pf_count(p, PF_CLOCK_ASSUMED);
}

/* ---- what else packets tell ------------------------------------------------------------------------ */

#define UUID(F) F(1, msb, U64) F(2, lsb, U64)
#define SERVICE(F) F(2, started, U64)
#define RANGE(F) F(1, start_us, U64)
SHAPE(rows_uuid, "trace_uuid", UUID)
SHAPE(rows_service, "service_event", SERVICE)
SHAPE(rows_range, "track_event_range_of_interest", RANGE)

static void
rows_take_range(struct perfetto *p, struct str m)
{
	struct rows_range range;

	(void)rows_range_read(m, &range, NULL);
	p->range = range.has_start_us ? range.start_us * 1000 : p->range;
}

/* Another uuid: a trace that was put behind this one. */
static void
take_uuid(struct perfetto *p, struct str m)
{
	struct rows_uuid u;

	(void)rows_uuid_read(m, &u, NULL);
	p->count[PF_CONCATENATED] += p->has_uuid && (p->uuid[0] != u.msb || p->uuid[1] != u.lsb);
	p->has_uuid = true;
	p->uuid[0] = u.msb;
	p->uuid[1] = u.lsb;
}

/* ---- rows of kinds ------------------------------------------------------------------------------------ */

/* The packet needs a time. */
static bool
rows_of_time(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	p->count[PF_NO_TIME] += !pf_now_timed(now);
	return !pf_now_timed(now) || pf_now_row(p, now, m, PF_PACKET, false, err);
}

static bool
rows_generic(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return pf_now_row(p, now, m, PF_GENERIC, false, err);
}

static bool
rows_tree(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return pf_now_row(p, now, m, PF_DESCRIBED, false, err);
}

static bool
rows_track(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return pf_track_described(p, m, now->sequence, err) && rows_tree(p, now, m, err);
}

static bool
rows_thread(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return pf_thread_described(p, m, now->sequence, err) && rows_tree(p, now, m, err);
}

static bool
rows_ftrace(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return pf_ftrace_rows(p, m, now->state, now->sequence, err);
}

static bool
rows_snapshot(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return pf_clock_snapshot(&p->clocks, m, now->sequence, err);
}

/* Tracing started at the time of the packet, on BOOTTIME. */
static bool
rows_service_event(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	uint32_t clock = (uint32_t)pf_field(now->k, PKT_CLOCK)->value;
	int64_t raw = (int64_t)pf_field(now->k, PKT_TIME)->value, time;
	struct rows_service s;

	(void)err;
	(void)rows_service_read(m, &s, NULL);
	if (!pf_clock_convert(&p->clocks, clock != 0 ? clock : CLOCK_OF_BOOTTIME, raw, &time))
		time = raw;
	if (s.started != 0 && time > 0)
		p->started = (uint64_t)time;
	return true;
}

static bool
rows_nothing(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	(void)p, (void)now, (void)m, (void)err;
	return true;
}

/* Packets without rows. */
#define ROWS_TELL(name, in) \
	static bool \
	name(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err) \
	{ \
		(void)now, (void)err; \
		in(p, m); \
		return true; \
	}
ROWS_TELL(rows_config, pf_recorded_config)
ROWS_TELL(rows_ftrace_stats, pf_recorded_ftrace)
ROWS_TELL(rows_machine, pf_recorded_system)
ROWS_TELL(rows_packages, pf_recorded_packages)
ROWS_TELL(rows_range_start, rows_take_range)
ROWS_TELL(rows_stats, pf_recorded_stats)
ROWS_TELL(rows_trace, take_uuid)

static pf_rows_fn *const makers[PF_PACKETS] = {
#define ROW(number, ID, name, when, rows, play, kept, holds) [number] = (rows),
	PF_READ(ROW)
#undef ROW
};

/* ---- one packet ----------------------------------------------------------------------------------- */

/*
 * Make the rows that are due; empty messages have none.  If several messages of the packet have one number,
 * only the last one counts.
 */
static bool
rows_due(struct perfetto *p, struct pf_now *now, enum pf_when when, struct err *err)
{
	struct pf_sequence *q;

	for (unsigned i = 0; i < now->k->n; i++) {
		const struct proto_field *f = &now->k->field[i];
		const struct pf_kind *kind = pf_kind(f->number);

		if (kind == NULL || kind->when != when || pf_field(now->k, kind->number) != f ||
		    (f->in.n == 0 && f->number != PKT_TRACK_EVENT))
			continue;
		now->number = kind->number;
		if (!makers[kind->number](p, now, f->in, err))
			return false;
		/* A description of the thread of the sequence changes its state. */
		if ((now->number != PKT_TRACK && now->number != PKT_THREAD) || now->last)
			continue;
		if ((q = pf_sequence(p, now->sequence, err)) == NULL)
			return false;
		now->state = q->state != 0 ? q->state : now->state;
	}
	return true;
}

static bool
timed_rows(struct perfetto *p, struct pf_now *now, struct err *err)
{
	struct late wait = { .state = now->state, .sequence = now->sequence };

	if (!packet_time(p, now->k, now->state, now->sequence, now->last, &now->time)) {
		wait.body = pf_place(p, now->k->body);
		return now->last || PF_ADD(p->row, late, wait, "packets without a clock", err);
	}
	if (now->time > p->newest)
		p->newest = now->time;
	return rows_due(p, now, PF_TIMED, err);
}

bool
pf_late_rows(struct perfetto *p, struct err *err)
{
	for (uint64_t i = 0; i < p->row.nlate; i++) {
		struct late w = SCRATCH(p->row.late, struct late)[i];
		struct pf_packet k;

		(void)pf_packet_read(pf_placed(p, w.body), &k);
		if (!work_go(p->l->work, p->file.n, err) ||
		    !timed_rows(p, &(struct pf_now){ .k = &k, .state = w.state, .sequence = w.sequence,
		    .last = true }, err))
			return false;
	}
	return true;
}

bool
pf_rows(struct perfetto *p, const struct pf_packet *k, struct err *err)
{
	struct pf_now now = { .k = k };

	p->npackets++;
	for (unsigned i = 0; i < k->n; i++) {
		const struct pf_kind *kind = pf_kind(k->field[i].number);

		if (k->field[i].number >= PF_PACKETS)
			pf_skip_packet(p, k->field[i].number);
		else if (kind == NULL || kind->name != NULL)
			p->packets[k->field[i].number]++;
	}
	p->count[PF_MACHINE] += pf_field(k, PKT_MACHINE)->value != 0;
	if (!rows_due(p, &now, PF_FIRST, err) || !pf_state_of(p, k, &now.sequence, &now.state, err) ||
	    !rows_due(p, &now, PF_AT_ONCE, err))
		return false;
	if (now.state == 0 || pf_field(k, PKT_CLOCK_SNAPSHOT)->in.n > 0 || pf_field(k, PKT_SERVICE)->in.n > 0)
		return true;
	return rows_due(p, &now, PF_IN_STATE, err) && timed_rows(p, &now, err);
}
