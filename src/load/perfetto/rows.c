/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows: packets become rows with their times.
 */
#include "config.h"

#include <string.h>

#include "icecore/scan.h"
#include "perfetto.h"

static const uint8_t probes[] = { PKT_SYSTEM_STATS, PKT_BATTERY, PKT_SCREEN, PKT_FRAME, PKT_PROPERTIES };
static const uint8_t generic[] = { PKT_GENERIC_TASK, PKT_GENERIC_FREQUENCY, PKT_GENERIC_RENAME, PKT_GENERIC_TREE };
/* Fields that are about the packet. */
static const uint8_t about[] = { 3, PKT_TIME, PKT_SEQUENCE, PKT_INTERNED, PKT_FLAGS, PKT_CLEARED, PKT_DROPPED, PKT_CLOCK, PKT_DEFAULTS, 79, 87,
	PKT_MACHINE };

/* A packet that waits for its clock. */
struct late {
	uint64_t	at;		/* of its body */
	uint32_t	n, state, sequence;
};

static bool
is_among(const uint8_t *list, size_t n, uint64_t number)
{
	return number < 256 && memchr(list, (int)number, n) != NULL;
}

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
#define LOG(F) F(1, events, FLAG) F(2, stats, UNREAD)
#define GPU(F) F(2, values, FLAG)
#define LINE(F) F(5, time, I64)
SHAPE(rows_system, "system_info", SYSTEM)
SHAPE(rows_utsname, "system_info.utsname", UTSNAME)
SHAPE(rows_uuid, "trace_uuid", UUID)
SHAPE(rows_service, "service_event", SERVICE)
SHAPE(rows_range, "track_event_range_of_interest", RANGE)
SHAPE(rows_log, "android_log", LOG)
SHAPE(rows_gpu, "gpu_counter_event", GPU)
SHAPE(rows_line, "android_log.events", LINE)

/* "6.1.25-android14", "aarch64" */
static void
rows_take_system(struct perfetto *p, struct str m)
{
	struct rows_utsname u;
	struct rows_system s;
	uint64_t major, minor;

	(void)rows_system_read(m, &s, NULL);
	(void)rows_utsname_read(s.utsname, &u, NULL);
	if (u.has_machine)
		p->machine = pf_machine(u.machine);
	if (scan(&u.release, "%u.%u", &major, &minor) && major < 256 && minor < 256)
		p->kernel = (uint32_t)(major << 8 | minor);
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

/* Tracing started at the time of the packet, on BOOTTIME. */
static void
take_service(struct perfetto *p, const struct pf_packet *k)
{
	uint32_t clock = (uint32_t)pf_field(k, PKT_CLOCK)->value;
	int64_t time = (int64_t)pf_field(k, PKT_TIME)->value;
	struct rows_service s;

	(void)rows_service_read(pf_field(k, PKT_SERVICE)->in, &s, NULL);
	if (!pf_clock_convert(&p->clocks, clock != 0 ? clock : CLOCK_OF_BOOTTIME, time, &time))
		time = (int64_t)pf_field(k, PKT_TIME)->value;
	if (s.started != 0 && time > 0)
		p->started = (uint64_t)time;
}

static bool
simple_row(struct perfetto *p, const struct pf_packet *k, unsigned number, enum pf_kind kind, uint32_t state, int64_t time, struct err *err)
{
	struct str m = pf_field(k, number)->in;
	bool tells = kind != PF_PROBE && kind != PF_STATS && kind != PF_SAMPLE;

	if (m.n > 0 && !tells && (pf_field(k, PKT_TIME)->number == 0 || time < 0)) {
		p->count[PF_NO_TIME]++;
		return true;
	}
	return m.n == 0 || pf_row(p, &(struct pf_row){ .time = time < 0 ? 0 : (uint64_t)time, .at = pf_offset(p, m.s), .n = (uint32_t)m.n, .a = state,
	    .b = number, .kind = (uint8_t)kind }, err);
}

/* Counters of a GPU: a packet without values or without a time only describes them. */
static bool
gpu_rows(struct perfetto *p, const struct pf_packet *k, uint32_t state, int64_t time, struct err *err)
{
	struct str m = pf_field(k, PKT_GPU)->in;
	bool timed = pf_field(k, PKT_TIME)->number != 0 && time >= 0;
	struct rows_gpu gpu;

	(void)rows_gpu_read(m, &gpu, NULL);
	p->count[PF_NO_TIME] += gpu.values && !timed;
	return m.n == 0 || pf_row(p, &(struct pf_row){ .time = time < 0 ? 0 : (uint64_t)time, .at = pf_offset(p, m.s), .n = (uint32_t)m.n,
	    .a = state, .b = PKT_GPU, .kind = PF_PROBE, .flags = !gpu.values || !timed }, err);
}

/* Log lines have times of the wall clock. */
static bool
log_rows(struct perfetto *p, struct str m, uint32_t state, struct err *err)
{
	struct rows_line line;
	struct rows_log log;

	p->count[PF_BAD_PACKETS] += !rows_log_read(m, &log, &p->unread);
	SHAPE_EACH(m, 1, in) {
		struct pf_row row = { .at = pf_offset(p, in.s), .n = (uint32_t)in.n, .a = state, .kind = PF_LOGGED };

		(void)rows_line_read(in, &line, NULL);
		if (!pf_clock_convert(&p->clocks, CLOCK_OF_REALTIME, line.time, &line.time)) {
			p->count[PF_NO_CLOCK]++;
			continue;
		}
		row.time = (uint64_t)line.time;
		if (!pf_row(p, &row, err))
			return false;
	}
	return true;
}

/* ---- one packet ----------------------------------------------------------------------------------- */

static bool
timed_rows(struct perfetto *p, const struct pf_packet *k, uint32_t state, uint32_t sequence, bool last, struct err *err)
{
	struct rows_range range;
	struct late wait = { .state = state, .sequence = sequence };
	struct pf_sequence *q;
	int64_t time;

	if (!packet_time(p, k, state, sequence, last, &time)) {
		wait.at = pf_offset(p, k->body.s);
		wait.n = (uint32_t)k->body.n;
		return last || make_add(&p->late, &p->nlate, &wait, sizeof wait, MAKE_MOST, "packets without a clock", err);
	}
	if (time > p->newest)
		p->newest = time;
	(void)rows_range_read(pf_field(k, PKT_RANGE)->in, &range, NULL);
	p->range = range.has_start_us ? range.start_us * 1000 : p->range;
	if (pf_field(k, PKT_TRACK)->in.n > 0 && (!pf_track_told(p, pf_field(k, PKT_TRACK)->in, sequence, err) ||
	    !simple_row(p, k, PKT_TRACK, PF_DESCRIPTOR, state, time, err)))
		return false;
	if (pf_field(k, PKT_THREAD)->in.n > 0 && (!pf_thread_told(p, pf_field(k, PKT_THREAD)->in, sequence, err) ||
	    !simple_row(p, k, PKT_THREAD, PF_OLD_THREAD, state, time, err)))
		return false;
	if ((q = pf_sequence(p, sequence, err)) == NULL)
		return false;
	state = q->state != 0 && !last ? q->state : state;
	if (pf_field(k, PKT_TRACK_EVENT)->number != 0 && !pf_event_rows(p, k, state, sequence, time, err))
		return false;
	if (pf_field(k, PKT_FTRACE)->in.n > 0 && !pf_ftrace_rows(p, pf_field(k, PKT_FTRACE)->in, state, sequence, err))
		return false;
	if (pf_field(k, PKT_FTRACE_STATS)->in.n > 0)
		pf_told_ftrace(p, pf_field(k, PKT_FTRACE_STATS)->in);
	for (size_t i = 0; i < sizeof probes; i++)
		if (!simple_row(p, k, probes[i], PF_PROBE, state, time, err))
			return false;
	for (size_t i = 0; i < sizeof generic; i++)
		if (!simple_row(p, k, generic[i], PF_GENERIC, state, time, err))
			return false;
	if (!gpu_rows(p, k, state, time, err) || (pf_field(k, PKT_RAILS)->in.n > 0 && !pf_rail_rows(p, pf_field(k, PKT_RAILS)->in, time, err)))
		return false;
	if (pf_field(k, PKT_PROFILE)->in.n > 0 && !pf_heap_told(p, pf_field(k, PKT_PROFILE)->in, state, sequence, err))
		return false;
	if (pf_field(k, PKT_STREAMING)->in.n > 0 && !pf_streaming_rows(p, pf_field(k, PKT_STREAMING)->in, state, sequence, err))
		return false;
	return simple_row(p, k, PKT_PERF, PF_SAMPLE, state, time, err) && simple_row(p, k, PKT_STACK, PF_SAMPLE, state, time, err) &&
	    pf_symbols_told(p, PKT_SYMBOLS, pf_field(k, PKT_SYMBOLS)->in, err) &&
	    pf_symbols_told(p, PKT_DEOBFUSCATION, pf_field(k, PKT_DEOBFUSCATION)->in, err) &&
	    simple_row(p, k, PKT_PROCESS_TREE, PF_TREE, state, time, err) &&
	    simple_row(p, k, PKT_PROCESS_STATS, PF_STATS, state, time, err) &&
	    log_rows(p, pf_field(k, PKT_LOG)->in, state, err);
}

bool
pf_late_rows(struct perfetto *p, struct err *err)
{
	for (uint64_t i = 0; i < p->nlate; i++) {
		struct late w = SCRATCH(p->late, struct late)[i];
		struct pf_packet k = { .body = pf_bytes(p, w.at, w.n) };
		struct str body = k.body;
		struct proto_field f;

		while (k.n < PF_FIELDS && proto_next(&body, &f) && proto_whole(&f))
			k.field[k.n++] = f;
		if (!work_go(p->l->work, p->file.n, err) || !timed_rows(p, &k, w.state, w.sequence, true, err))
			return false;
	}
	return true;
}

bool
pf_rows(struct perfetto *p, const struct pf_packet *k, struct err *err)
{
	const struct proto_field *snapshot = pf_field(k, PKT_CLOCK_SNAPSHOT);
	uint32_t sequence, state;

	p->npackets++;
	for (unsigned i = 0; i < k->n; i++) {
		uint64_t number = k->field[i].number;

		if (is_among(about, sizeof about, number))
			continue;
		if (number < PF_PACKETS)
			p->packets[number]++;
		else
			pf_skip_packet(p, number);
	}
	p->count[PF_MACHINE] += pf_field(k, PKT_MACHINE)->value != 0;
	if (pf_field(k, PKT_UUID)->in.n > 0)
		take_uuid(p, pf_field(k, PKT_UUID)->in);
	if (!pf_state_of(p, k, &sequence, &state, err))
		return false;
	if (snapshot->in.n > 0)
		return pf_clock_snapshot(&p->clocks, snapshot->in, sequence, err);
	if (pf_field(k, PKT_TRACE_STATS)->in.n > 0)
		pf_told_stats(p, pf_field(k, PKT_TRACE_STATS)->in);
	if (pf_field(k, PKT_CONFIG)->in.n > 0)
		pf_told_config(p, pf_field(k, PKT_CONFIG)->in);
	if (pf_field(k, PKT_PACKAGES)->in.n > 0)
		pf_told_packages(p, pf_field(k, PKT_PACKAGES)->in);
	if (pf_field(k, PKT_SERVICE)->in.n > 0) {
		take_service(p, k);
		return true;
	}
	if (state == 0)
		return true;
	if (pf_field(k, PKT_SYSTEM)->in.n > 0) {
		rows_take_system(p, pf_field(k, PKT_SYSTEM)->in);
		pf_told_system(p, pf_field(k, PKT_SYSTEM)->in);
	}
	return timed_rows(p, k, state, sequence, false, err);
}
