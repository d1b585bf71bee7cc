/*
 * rows: packets become rows with their times.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

/* Packets that are read. */
static const uint8_t read_kinds[] = { PKT_FTRACE, PKT_PROCESS_TREE, PKT_CLOCK_SNAPSHOT, PKT_PROCESS_STATS, PKT_TRACK_EVENT, PKT_FTRACE_STATS,
	PKT_TRACE_STATS, PKT_MARKER, PKT_LOG, PKT_THREAD, PKT_SYSTEM, PKT_TRACK, PKT_SERVICE, PKT_UUID, PKT_RANGE,
	PKT_SYSTEM_STATS, PKT_BATTERY, PKT_RAILS, PKT_SCREEN, PKT_FRAME, PKT_PROPERTIES, PKT_PERF };
static const uint8_t probes[] = { PKT_SYSTEM_STATS, PKT_BATTERY, PKT_RAILS, PKT_SCREEN, PKT_FRAME, PKT_PROPERTIES };
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

bool
pf_row(struct perfetto *p, const struct pf_row *row, struct err *err)
{
	if ((int64_t)row->time < 0 || row->time >= UINT64_MAX / 4) {
		p->count[PF_NEGATIVE]++;
		return true;
	}
	if ((int64_t)row->time > p->newest)
		p->newest = (int64_t)row->time;
	return make_add(&p->rows, &p->nrows, row, sizeof *row, UINT64_MAX, "events", err);
}

/* ---- the time of a packet ------------------------------------------------------------------ */

/* False: no snapshot leads from its clock to that of the trace yet. */
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

/* ---- track events ---------------------------------------------------------------------------- */

/* What rows need to know of an event before all tracks are known. */
struct event_head {
	int64_t		time, delta, cpu, cpu_delta, value;
	double		real;
	uint64_t	uuid, type;
	struct str	more, more_real;	/* the last of the packed extra values */
	bool		has_time, has_delta, has_cpu, has_cpu_delta, has_uuid, has_value, has_real, has_more;
};

static void
read_head(struct str s, struct event_head *h, bool *bad)
{
	struct proto_field f;

	*h = (struct event_head){ .type = 0 };
	while (proto_next_whole(&s, &f, bad)) {
		switch (f.number) {
		case 1: h->delta = (int64_t)f.value; h->has_delta = true; break;
		case 2: h->cpu_delta = (int64_t)f.value; h->has_cpu_delta = true; break;
		case 9: h->type = f.value; break;
		case 11: h->uuid = f.value; h->has_uuid = true; break;
		case 16: h->time = (int64_t)f.value; h->has_time = f.value != 0; break;
		case 17: h->cpu = (int64_t)f.value; h->has_cpu = true; break;
		case 30: h->value = (int64_t)f.value; h->has_value = true; break;
		case 44: memcpy(&h->real, f.in.n == 8 ? f.in.s : "\0\0\0\0\0\0\0", 8); h->has_real = true; break;
		case 12: case 46: h->has_more = true; break;
		default: break;
		}
	}
}

/* The time of an event; false: it has none, which is counted. */
static bool
event_time(struct perfetto *p, const struct event_head *h, struct pf_sequence *q, bool told, int64_t *time)
{
	int64_t own = h->time * 1000;

	if (h->has_delta) {
		if (!q->based) {
			p->count[PF_NO_TIME]++;
			return false;
		}
		own = q->time = (int64_t)((uint64_t)q->time + (uint64_t)h->delta * 1000);
	} else if (!h->has_time) {
		p->count[PF_NO_TIME] += !told;
		return told;
	}
	if (own < 0) {
		p->count[PF_NO_TIME]++;
		return false;
	}
	if (!pf_clock_convert(&p->clocks, CLOCK_OF_MONOTONIC, own, time))
		*time = own;
	return true;
}

/* A value of a counter, with what came before it. */
static bool
level_row(struct perfetto *p, int64_t time, uint64_t uuid, double value, struct err *err)
{
	struct pf_track *t = pf_track_known(p, uuid);
	struct pf_row row = { .time = (uint64_t)time, .at = uuid, .kind = PF_LEVEL };

	if (t == NULL || !t->is_counter) {
		p->count[PF_NO_VALUE]++;
		return true;
	}
	if (t->multiplier > 0)
		value *= t->multiplier;
	if (t->incremental)
		value = t->sum += value;
	memcpy(&row.n, &value, 4);
	memcpy(&row.a, (const char *)&value + 4, 4);
	return pf_row(p, &row, err);
}

/* The k-th uuid of extra values: of the event, or of the defaults. */
static bool
extra_uuid(const struct perfetto *p, struct str event, uint32_t state, unsigned field, uint64_t place, uint64_t *uuid)
{
	const struct pf_state *s = pf_state(p, state);
	struct proto_field f;
	bool bad = false, some = false;

	for (unsigned tries = 0; tries < 2 && !some; tries++) {
		struct str m = tries == 0 ? event : pf_bytes(p, s->more_at, s->more_n);

		while (proto_next_whole(&m, &f, &bad)) {
			if (f.number != field)
				continue;
			some = true;
			if (f.wire == PROTO_VARINT && place-- == 0) {
				*uuid = f.value;
				return true;
			}
			while (f.wire == PROTO_BYTES && f.in.n > 0 && proto_varint(&f.in, uuid))
				if (place-- == 0)
					return true;
		}
	}
	return false;
}

static bool
is_thread_time(const struct perfetto *p, uint64_t uuid)
{
	const struct pf_track *t = pf_track_known(p, uuid);

	return t != NULL && t->is_counter && t->builtin == 1 && !t->incremental;
}

/* Values that ride along with an event; the CPU time of the thread is one of the event. */
static bool
extra_levels(struct perfetto *p, struct str event, uint32_t state, int64_t time, struct event_head *h, struct err *err)
{
	struct str m = event;
	struct proto_field f;
	uint64_t v, uuid, place[2] = { 0, 0 };
	bool bad = false, real;
	double value;

	while (proto_next_whole(&m, &f, &bad)) {
		real = f.number == 46;
		if (f.number != 12 && !real)
			continue;
		for (bool one = f.wire != PROTO_BYTES; one || f.in.n > 0; one = false) {
			if (real && f.in.n >= 8) {
				memcpy(&value, f.in.s, 8);
				f.in = str_behind(f.in, 8);
			} else if (!real && (f.wire == PROTO_VARINT || proto_varint(&f.in, &v)))
				value = (double)(int64_t)(f.wire == PROTO_VARINT ? f.value : v);
			else
				break;
			if (!extra_uuid(p, event, state, real ? 45 : 31, place[real]++, &uuid)) {
				p->count[PF_NO_VALUE]++;
				return true;
			}
			if (is_thread_time(p, uuid) && value >= 0 && value < 9e18) {
				h->cpu = (int64_t)value;
				h->has_cpu = true;
			} else if (!level_row(p, time, uuid, value, err))
				return false;
			if (f.wire != PROTO_BYTES)
				break;
		}
	}
	return true;
}

static bool
event_rows(struct perfetto *p, const struct pf_packet *k, uint32_t state, uint32_t sequence, int64_t time, struct err *err)
{
	struct str m = pf_field(k, PKT_TRACK_EVENT)->in;
	struct pf_sequence *q = pf_sequence(p, sequence, err);
	struct event_head h;
	uint64_t cpu = 0;
	bool bad = false;

	if (q == NULL)
		return false;
	read_head(m, &h, &bad);
	if (bad || pf_field(k, PKT_SEQUENCE)->number == 0) {
		p->count[PF_BAD_PACKETS]++;
		return true;
	}
	if (!event_time(p, &h, q, pf_field(k, PKT_TIME)->number != 0, &time))
		return true;
	if (h.has_cpu_delta && q->based)
		h.cpu = (q->cpu += h.cpu_delta * 1000) / 1000;
	h.has_cpu |= h.has_cpu_delta && q->based;
	h.cpu *= 1000;
	if (h.has_more && !extra_levels(p, m, state, time, &h, err))
		return false;
	if (h.has_cpu && h.cpu >= 0 && make_add(&p->cpus, &p->ncpus, &h.cpu, sizeof h.cpu, MAKE_MOST, "CPU times", err))
		cpu = p->ncpus;
	else if (h.has_cpu && h.cpu >= 0)
		return false;
	if (h.type == 4) {
		if ((!h.has_uuid && !pf_state(p, state)->has_track) || (!h.has_value && !h.has_real)) {
			p->count[PF_NO_VALUE]++;
			return true;
		}
		return level_row(p, time, h.has_uuid ? h.uuid : pf_state(p, state)->track, h.has_value ? (double)h.value : h.real, err);
	}
	return pf_row(p, &(struct pf_row){ .time = (uint64_t)time, .at = pf_offset(p, m.s), .n = (uint32_t)m.n, .a = state,
	    .b = (uint32_t)cpu, .kind = PF_TRACK_EVENT, .flags = h.has_uuid }, err);
}

/* ---- what else packets tell ------------------------------------------------------------------------ */

/* Times are in microseconds. */
bool
pf_thread_told(struct perfetto *p, struct str m, uint32_t sequence, struct err *err)
{
	struct pf_sequence *q = pf_sequence(p, sequence, err);
	struct pf_state *s;
	struct proto_field f;
	uint64_t v[8] = { 0 };
	bool bad = false;

	if (q == NULL)
		return false;
	while (proto_next_whole(&m, &f, &bad))
		if (f.number < NELEM(v) && f.wire == PROTO_VARINT)
			v[f.number] = f.value;
	if (sequence == 0 || q->state == 0 || !pf_state(p, q->state)->valid)
		return true;
	if ((s = pf_state_next(p, q, err)) == NULL)
		return false;
	s->pid = (uint32_t)v[1];
	s->tid = (uint32_t)v[2];
	q->time = (int64_t)(v[6] * 1000);
	q->cpu = (int64_t)(v[7] * 1000);
	q->based = true;
	return true;
}

/* "6.1.25-android14": {1 {3 release}}. */
static void
take_system(struct perfetto *p, struct str m)
{
	struct proto_field f, u;
	struct str release;
	uint64_t major, minor;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad))
		while (f.number == 1 && f.wire == PROTO_BYTES && proto_next_whole(&f.in, &u, &bad)) {
			release = u.in;
			if (u.number == 3 && u.wire == PROTO_BYTES && str_number(&release, &major) && str_take(&release, STR(".")) &&
			    str_number(&release, &minor) && major < 256 && minor < 256)
				p->kernel = (uint32_t)(major << 8 | minor);
		}
}

/* Another uuid: a trace that was put behind this one. */
static void
take_uuid(struct perfetto *p, struct str m)
{
	struct proto_field f;
	uint64_t v[3] = { 0 };
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad))
		if (f.number < NELEM(v) && f.wire == PROTO_VARINT)
			v[f.number] = f.value;
	if (p->has_uuid && (p->uuid[0] != v[1] || p->uuid[1] != v[2])) {
		p->count[PF_CONCATENATED]++;
		for (uint64_t i = 0; i < p->nsequences; i++)
			SCRATCH(p->sequences, struct pf_sequence)[i] = (struct pf_sequence){ .lost = true };
	}
	p->has_uuid = true;
	p->uuid[0] = v[1];
	p->uuid[1] = v[2];
}

/* {2 tracing started} at the time of the packet, on BOOTTIME. */
static void
take_service(struct perfetto *p, const struct pf_packet *k)
{
	struct str m = pf_field(k, PKT_SERVICE)->in;
	uint32_t clock = (uint32_t)pf_field(k, PKT_CLOCK)->value;
	int64_t time = (int64_t)pf_field(k, PKT_TIME)->value;
	struct proto_field f;
	bool bad = false;

	if (!pf_clock_convert(&p->clocks, clock != 0 ? clock : CLOCK_OF_BOOTTIME, time, &time))
		time = (int64_t)pf_field(k, PKT_TIME)->value;
	while (proto_next_whole(&m, &f, &bad))
		if (f.number == 2 && f.value != 0 && time > 0)
			p->started = (uint64_t)time;
}

/* {8 preserve buffer}, {1 phase, 2 {4 commit overrun, 8 dropped}}. */
static void
take_ftrace_stats(struct perfetto *p, struct str m)
{
	struct proto_field f, c;
	uint64_t phase = 0, lost = 0;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1)
			phase = f.value;
		if (f.number == 8)
			p->preserve = f.value != 0;
		while (f.number == 2 && f.wire == PROTO_BYTES && proto_next_whole(&f.in, &c, &bad))
			lost += c.wire == PROTO_VARINT && (c.number == 4 || c.number == 8) ? c.value : 0;
	}
	/* Counters run on from one recording to the next. */
	if (phase == 1)
		p->count[PF_LOST_FTRACE] -= lost;
	else if (phase == 2)
		p->count[PF_LOST_FTRACE] += lost;
}

static bool
simple_row(struct perfetto *p, const struct pf_packet *k, unsigned number, enum pf_kind kind, uint32_t state, int64_t time, struct err *err)
{
	struct str m = pf_field(k, number)->in;

	return m.n == 0 || pf_row(p, &(struct pf_row){ .time = time < 0 ? 0 : (uint64_t)time, .at = pf_offset(p, m.s), .n = (uint32_t)m.n, .a = state,
	    .b = number, .kind = (uint8_t)kind }, err);
}

/* Log lines have times of the wall clock: {1 {5 time}}. */
static bool
log_rows(struct perfetto *p, struct str m, uint32_t state, struct err *err)
{
	struct proto_field f, e;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		struct pf_row row = { .n = (uint32_t)f.in.n, .a = state, .kind = PF_LOGGED };
		int64_t time = 0;

		if (f.number != 1 || f.wire != PROTO_BYTES)
			continue;
		row.at = pf_offset(p, f.in.s);
		for (struct str in = f.in; proto_next_whole(&in, &e, &bad); )
			time = e.number == 5 && e.wire == PROTO_VARINT ? (int64_t)e.value : time;
		pf_clock_convert(&p->clocks, CLOCK_OF_REALTIME, time, &time);
		row.time = (uint64_t)time;
		if (!pf_row(p, &row, err))
			return false;
	}
	p->count[PF_BAD_PACKETS] += bad;
	return true;
}

/* ---- one packet ----------------------------------------------------------------------------------- */

static bool
timed_rows(struct perfetto *p, const struct pf_packet *k, uint32_t state, uint32_t sequence, bool last, struct err *err)
{
	const struct proto_field *range = pf_field(k, PKT_RANGE);
	struct proto_field f;
	struct late wait = { .state = state, .sequence = sequence };
	struct pf_sequence *q;
	int64_t time;
	bool bad = false;

	if (!packet_time(p, k, state, sequence, last, &time)) {
		wait.at = pf_offset(p, k->body.s);
		wait.n = (uint32_t)k->body.n;
		return last || make_add(&p->late, &p->nlate, &wait, sizeof wait, MAKE_MOST, "packets without a clock", err);
	}
	if (time > p->newest)
		p->newest = time;
	for (struct str m = range->in; proto_next_whole(&m, &f, &bad); )
		if (f.number == 1 && f.wire == PROTO_VARINT)
			p->range = f.value * 1000;
	if (pf_field(k, PKT_TRACK)->in.n > 0 && (!pf_track_told(p, pf_field(k, PKT_TRACK)->in, sequence, err) ||
	    !simple_row(p, k, PKT_TRACK, PF_DESCRIPTOR, state, time, err)))
		return false;
	if (pf_field(k, PKT_THREAD)->in.n > 0 && (!pf_thread_told(p, pf_field(k, PKT_THREAD)->in, sequence, err) ||
	    !simple_row(p, k, PKT_THREAD, PF_OLD_THREAD, state, time, err)))
		return false;
	if ((q = pf_sequence(p, sequence, err)) == NULL)
		return false;
	state = q->state != 0 && !last ? q->state : state;
	if (pf_field(k, PKT_TRACK_EVENT)->number != 0 && !event_rows(p, k, state, sequence, time, err))
		return false;
	if (pf_field(k, PKT_FTRACE)->in.n > 0 && !pf_ftrace_rows(p, pf_field(k, PKT_FTRACE)->in, state, sequence, err))
		return false;
	if (pf_field(k, PKT_FTRACE_STATS)->in.n > 0)
		take_ftrace_stats(p, pf_field(k, PKT_FTRACE_STATS)->in);
	for (size_t i = 0; i < sizeof probes; i++)
		if (!simple_row(p, k, probes[i], PF_PROBE, state, time, err))
			return false;
	return simple_row(p, k, PKT_PERF, PF_SAMPLE, state, time, err) && simple_row(p, k, PKT_PROCESS_TREE, PF_TREE, state, time, err) && simple_row(p, k, PKT_PROCESS_STATS, PF_STATS, state, time, err) &&
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
			p->more_packets++;
	}
	p->count[PF_MACHINE] += pf_field(k, PKT_MACHINE)->value != 0;
	if (pf_field(k, PKT_UUID)->in.n > 0)
		take_uuid(p, pf_field(k, PKT_UUID)->in);
	if (!pf_state_of(p, k, &sequence, &state, err))
		return false;
	if (snapshot->in.n > 0)
		return pf_clock_snapshot(&p->clocks, snapshot->in, sequence, err);
	if (pf_field(k, PKT_SERVICE)->in.n > 0) {
		take_service(p, k);
		return true;
	}
	if (state == 0)
		return true;
	if (pf_field(k, PKT_SYSTEM)->in.n > 0)
		take_system(p, pf_field(k, PKT_SYSTEM)->in);
	return timed_rows(p, k, state, sequence, false, err);
}

bool
pf_packet_read(uint64_t number)
{
	return is_among(read_kinds, sizeof read_kinds, number);
}
