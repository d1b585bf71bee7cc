/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows: packets become rows with their times.
 */
#include "config.h"

#include <string.h>

#include "icecore/scan.h"
#include "perfetto.h"

/* A packet that waits for its clock. */
struct late {
	uint64_t	at;		/* of its body */
	uint32_t	n, state, sequence;
};

/* ---- the time of a packet ------------------------------------------------------------------ */

/* False: no snapshot connects its clock with the trace's clock yet. */
static bool
packet_time(struct perfetto *p, const struct pf_packet *k, uint32_t state, uint32_t sequence, bool last, int64_t *time)
{
	const struct proto_field *told = pf_field(k, PKT_TIME);
	uint32_t clock = (uint32_t)pf_field(k, PKT_CLOCK)->value;
	int64_t raw = (int64_t)told->value;

	*time = p->newest;
	if (told->number == 0)
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
	p->count[PF_CLOCK_ASSUMED]++;
	return true;
}

/* ---- what else packets tell ------------------------------------------------------------------------ */

bool
pf_thread_told(struct perfetto *p, struct str m, uint32_t sequence, struct err *err)
{
	struct pf_sequence *q = pf_sequence(p, sequence, err);
	struct pf_thread_in told;
	struct pf_state *s;

	if (q == NULL)
		return false;
	(void)pf_thread_in_read(m, &told, &p->unread);
	if (sequence == 0 || q->state == 0 || !pf_state(p, q->state)->valid)
		return true;
	if ((s = pf_state_next(p, q, err)) == NULL)
		return false;
	s->pid = (uint32_t)told.pid;
	s->tid = (uint32_t)told.tid;
	q->time = (int64_t)(told.us * 1000);
	q->cpu = (int64_t)(told.cpu_us * 1000);
	q->based = true;
	return true;
}

#define SYSTEM(F) F(1, utsname, BYTES)
#define UTSNAME(F) F(3, release, BYTES) F(4, machine, BYTES)
#define UUID(F) F(1, msb, U64) F(2, lsb, U64)
#define SERVICE(F) F(2, started, U64)
#define RANGE(F) F(1, start_us, U64)
SHAPE(rows_system, "system_info", SYSTEM)
SHAPE(rows_utsname, "system_info.utsname", UTSNAME)
SHAPE(rows_uuid, "trace_uuid", UUID)
SHAPE(rows_service, "service_event", SERVICE)
SHAPE(rows_range, "track_event_range_of_interest", RANGE)

/* "6.1.25-android14", "aarch64" */
static void
take_system(struct perfetto *p, struct str m)
{
	struct rows_utsname u;
	struct rows_system s;
	uint64_t major, minor;

	(void)rows_system_read(m, &s, NULL);
	(void)rows_utsname_read(s.utsname, &u, NULL);
	if (u.has_machine)
		p->kernel.machine = pf_machine(u.machine);
	if (scan(&u.release, "%u.%u", &major, &minor) && major < 256 && minor < 256)
		p->kernel.release = (uint32_t)(major << 8 | minor);
	pf_told_system(p, m);
}

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
	p->count[PF_NO_TIME] += m.n > 0 && !pf_now_timed(now);
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
	return pf_now_row(p, now, m, PF_TOLD, false, err);
}

static bool
rows_track(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return m.n == 0 || (pf_track_told(p, m, now->sequence, err) && rows_tree(p, now, m, err));
}

static bool
rows_thread(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return m.n == 0 || (pf_thread_told(p, m, now->sequence, err) && rows_tree(p, now, m, err));
}

static bool
rows_ftrace(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return m.n == 0 || pf_ftrace_rows(p, m, now->state, now->sequence, err);
}

static bool
rows_rails(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return m.n == 0 || pf_rail_rows(p, m, now->time, err);
}

static bool
rows_profile(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return m.n == 0 || pf_heap_told(p, m, now->state, now->sequence, err);
}

static bool
rows_streaming(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return m.n == 0 || pf_streaming_rows(p, m, now->state, now->sequence, err);
}

static bool
rows_symbols(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return pf_symbols_told(p, now->number, m, err);
}

static bool
rows_snapshot(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	return m.n == 0 || pf_clock_snapshot(&p->clocks, m, now->sequence, err);
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
#define ROWS_TELL(name, told) \
	static bool \
	name(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err) \
	{ \
		(void)now, (void)err; \
		if (m.n > 0) \
			told(p, m); \
		return true; \
	}
ROWS_TELL(rows_config, pf_told_config)
ROWS_TELL(rows_ftrace_stats, pf_told_ftrace)
ROWS_TELL(rows_machine, take_system)
ROWS_TELL(rows_packages, pf_told_packages)
ROWS_TELL(rows_range_start, rows_take_range)
ROWS_TELL(rows_stats, pf_told_stats)
ROWS_TELL(rows_trace, take_uuid)

typedef bool rows_fn(struct perfetto *, const struct pf_now *, struct str message, struct err *);

static rows_fn *const makers[PF_PACKETS] = {
#define ROW(number, ID, name, when, rows, play, kept) [number] = (rows),
	PF_READ(ROW)
#undef ROW
};

/* ---- one packet ----------------------------------------------------------------------------------- */

/* Make the rows that are due.  If several messages of the packet have one number, only the last one counts. */
static bool
rows_due(struct perfetto *p, struct pf_now *now, enum pf_when when, struct err *err)
{
	struct pf_sequence *q;

	for (unsigned i = 0; i < now->k->n; i++) {
		const struct proto_field *f = &now->k->field[i];
		const struct pf_kind *kind = pf_kind(f->number);

		if (kind == NULL || kind->when != when || pf_field(now->k, kind->number) != f)
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
		wait.at = pf_offset(p, now->k->body.s);
		wait.n = (uint32_t)now->k->body.n;
		return now->last || make_add(&p->row.late, &p->row.nlate, &wait, sizeof wait, MAKE_MOST, "packets without a clock", err);
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
		struct pf_packet k = { .body = pf_bytes(p, w.at, w.n) };
		struct str body = k.body;
		struct proto_field f;

		while (k.n < PF_FIELDS && proto_next(&body, &f) && proto_whole(&f))
			k.field[k.n++] = f;
		if (!work_go(p->l->work, p->file.n, err) ||
		    !timed_rows(p, &(struct pf_now){ .k = &k, .state = w.state, .sequence = w.sequence, .last = true }, err))
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
	if (!rows_due(p, &now, PF_FIRST, err) || !pf_state_of(p, k, &now.sequence, &now.state, err) || !rows_due(p, &now, PF_AT_ONCE, err))
		return false;
	if (now.state == 0 || pf_field(k, PKT_CLOCK_SNAPSHOT)->in.n > 0 || pf_field(k, PKT_SERVICE)->in.n > 0)
		return true;
	return rows_due(p, &now, PF_IN_STATE, err) && timed_rows(p, &now, err);
}
