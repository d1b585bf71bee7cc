/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event_rows: track events become rows, with their times and the values of counters.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "perfetto.h"

/* Fields of an event that its row needs before all tracks are known. */
struct event_head {
	int64_t		time, delta, cpu, cpu_delta, value;
	double		real;
	uint64_t	uuid, type;
	struct str	more, more_real;	/* the last of the packed extra values */
	bool		flows, old_flow;	/* ids of flows; it is an old event s, t or f */
	bool		has_time, has_delta, has_cpu, has_cpu_delta, has_uuid, has_value, has_real, has_more;
};

/* {2 phase}: whether an old event is a flow. */
static bool
is_old_flow(struct str m)
{
	struct proto_field f;
	bool bad = false, is = false;

	while (proto_next_whole(&m, &f, &bad))
		if (f.number == 2)
			is = f.value == 's' || f.value == 't' || f.value == 'f';
	return is;
}

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
		case 6: h->old_flow = is_old_flow(f.in); break;
		case 36: case 42: case 47: case 48: h->flows = true; break;
		case 12: case 46: h->has_more = true; break;
		default: break;
		}
	}
}

/* The time of an event; false: it has none, which is counted. */
static bool
event_time(struct perfetto *p, const struct event_head *h, struct pf_sequence *q, bool told, int64_t *time)
{
	int64_t own = (int64_t)((uint64_t)h->time * 1000);

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
bool
pf_level_row(struct perfetto *p, int64_t time, uint64_t uuid, double value, uint32_t names, struct err *err)
{
	struct pf_track *t = pf_track_known(p, uuid);
	struct pf_row row = { .time = (uint64_t)time, .at = uuid, .kind = PF_LEVEL };

	if (t == NULL || !t->is_counter) {
		p->count[PF_NO_VALUE]++;
		return true;
	}
	if (t->multiplier > 0)
		value *= t->multiplier;
	if (t->incremental) {
		t->sum = t->sum_names == names ? t->sum : 0;
		t->sum_names = names;
		value = t->sum += value;
	}
	if (!isfinite(value)) {
		p->count[PF_NO_VALUE]++;
		return true;
	}
	memcpy(&row.n, &value, 4);
	memcpy(&row.a, (const char *)&value + 4, 4);
	return pf_row(p, &row, err);
}

static bool
event_rows_has(struct str m, unsigned field)
{
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad))
		if (f.number == field)
			return true;
	return false;
}

/* Numbers that go with extra values, as they come: of the event, or else of the defaults. */
static struct shape_numbers
uuids_of(const struct perfetto *p, struct str event, uint32_t state, unsigned field)
{
	const struct pf_state *s = pf_state(p, state);

	return (struct shape_numbers){ event_rows_has(event, field) ? event : pf_bytes(p, s->more_at, s->more_n), STR(""), field };
}

/* A value that rides along with an event.  The CPU time of a thread is one of the event; the sum of differences is a counter, too. */
static bool
extra_level(struct perfetto *p, uint64_t uuid, double value, uint32_t names, int64_t time, struct event_head *h, struct err *err)
{
	const struct pf_track *t = pf_track_known(p, uuid);
	bool thread_time = t != NULL && t->is_counter && t->builtin == 1;

	if ((!thread_time || t->incremental) && !pf_level_row(p, time, uuid, value, names, err))
		return false;
	if (!thread_time)
		return true;
	value = t->incremental ? t->sum : t->multiplier > 0 ? value * t->multiplier : value;
	h->has_cpu |= value >= 0 && value < 4e18;
	if (h->has_cpu)
		h->cpu = (int64_t)value;
	return true;
}

static bool
extra_levels(struct perfetto *p, struct str event, uint32_t state, int64_t time, struct event_head *h, struct err *err)
{
	struct str m = event;
	struct proto_field f;
	struct shape_numbers uuids[2] = { uuids_of(p, event, state, 31), uuids_of(p, event, state, 45) };
	uint64_t v, uuid;
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
			if (!shape_number(&uuids[real], &uuid)) {
				p->count[PF_NO_VALUE]++;
				return true;
			}
			if (!extra_level(p, uuid, value, pf_state(p, state)->names, time, h, err))
				return false;
			if (f.wire != PROTO_BYTES)
				break;
		}
	}
	return true;
}

bool
pf_event_rows(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	struct pf_sequence *q = pf_sequence(p, now->sequence, err);
	uint32_t state = now->state;
	int64_t time = now->time;
	struct event_head h;
	uint64_t cpu = 0;
	bool bad = false;

	if (q == NULL)
		return false;
	read_head(m, &h, &bad);
	if (bad || pf_field(now->k, PKT_SEQUENCE)->number == 0) {
		p->count[bad ? PF_BAD_PACKETS : PF_NO_TRACK]++;
		return true;
	}
	p->flow.arrows_in_calls |= h.old_flow || (h.flows && h.type == TYPE_END);
	if (!event_time(p, &h, q, pf_field(now->k, PKT_TIME)->number != 0, &time))
		return true;
	if (h.has_cpu_delta && q->based)
		h.cpu = (q->cpu = (int64_t)((uint64_t)q->cpu + (uint64_t)h.cpu_delta * 1000)) / 1000;
	h.has_cpu |= h.has_cpu_delta && q->based;
	h.cpu = (int64_t)((uint64_t)h.cpu * 1000);
	if (h.has_more && !extra_levels(p, m, state, time, &h, err))
		return false;
	h.has_cpu = h.has_cpu && h.cpu >= 0 && h.cpu < (int64_t)1 << 61;
	if (h.has_cpu && make_add(&p->row.cpus, &p->row.ncpus, &h.cpu, sizeof h.cpu, MAKE_MOST, "CPU times", err))
		cpu = p->row.ncpus;
	else if (h.has_cpu)
		return false;
	if (h.type == 4) {
		if ((!h.has_uuid && !pf_state(p, state)->has_track) || (!h.has_value && !h.has_real)) {
			p->count[PF_NO_VALUE]++;
			return true;
		}
		return pf_level_row(p, time, h.has_uuid ? h.uuid : pf_state(p, state)->track, h.has_value ? (double)h.value : h.real,
		    pf_state(p, state)->names, err);
	}
	return pf_row(p, &(struct pf_row){ .time = (uint64_t)time, .at = pf_offset(p, m.s), .n = (uint32_t)m.n, .a = state,
	    .b = (uint32_t)cpu, .kind = PF_TRACK_EVENT, .flags = h.has_uuid }, err);
}
