/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event_rows: track events become rows, with their times and the values of counters.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "perfetto.h"

/* The time of an event; false: it has none, which is counted. */
static bool
event_time(struct perfetto *p, const struct pf_track_event *e, struct pf_sequence *q, bool timed,
    int64_t *time)
{
	int64_t own = (int64_t)((uint64_t)e->time * 1000);

	if (e->has_delta) {
		if (!q->based) {
			p->count[PF_NO_TIME]++;
			return false;
		}
		own = q->time = (int64_t)((uint64_t)q->time + (uint64_t)e->delta * 1000);
	} else if (e->time == 0) {
		p->count[PF_NO_TIME] += !timed;
		return timed;
	}
	if (own < 0) {
		p->count[PF_NO_TIME]++;
		return false;
	}
	if (!pf_clock_convert(&p->clocks, CLOCK_OF_MONOTONIC, own, time))
		*time = own;
	return true;
}

/* Add a value to the sum of what the sequence wrote before. */
static bool
event_rows_add_up(struct perfetto *p, const struct pf_now *now, struct pf_track *t, double *value,
    struct err *err)
{
	struct pf_sum new = { .names = pf_state(p, now->state)->names }, *s;

	if ((s = PF_ENTRY(p->seq, by_sum, idmap_hash(t->uuid ^ idmap_hash(now->sequence)) | 1, sums, new,
	    "incremental counters", err)) == NULL)
		return false;
	s->sum = *value + (s->names == new.names ? s->sum : 0);
	s->names = new.names;
	*value = t->sum = s->sum;
	return true;
}

bool
pf_level_row(struct perfetto *p, const struct pf_now *now, int64_t time, uint64_t uuid, double value,
    struct err *err)
{
	struct pf_track *t = pf_track_known(p, uuid);
	struct pf_row row = { .time = (uint64_t)time, .at = uuid, .kind = PF_LEVEL };

	if (t == NULL || !t->is_counter)
		return pf_count(p, PF_NO_VALUE);
	if (t->multiplier > 0)
		value *= t->multiplier;
	if (t->incremental && !event_rows_add_up(p, now, t, &value, err))
		return false;
	if (!isfinite(value))
		return pf_count(p, PF_NO_VALUE);
	memcpy(&row.n, &value, 4);
	memcpy(&row.a, (const char *)&value + 4, 4);
	return pf_row(p, &row, err);
}

/* Numbers of tracks that go with extra values: of the event, or else of the defaults. */
static struct shape_numbers
tracks_of(const struct perfetto *p, struct str event, uint32_t state, unsigned field)
{
	const struct pf_state *s = pf_state(p, state);
	struct shape_numbers own = shape_numbers(event, field, false), peek = own;
	uint64_t uuid;

	return shape_number(&peek, &uuid) ? own : shape_numbers(pf_placed(p, s->more), field, false);
}

/*
 * A value that rides along with an event.  The CPU time of a thread is one of the event; the sum of
 * differences is a counter, too.
 */
static bool
extra_level(struct perfetto *p, const struct pf_now *now, uint64_t uuid, double value, int64_t time,
    struct pf_track_event *e, struct err *err)
{
	const struct pf_track *t = pf_track_known(p, uuid);
	bool thread_time = t != NULL && t->is_counter && t->builtin == 1;

	if ((!thread_time || t->incremental) && !pf_level_row(p, now, time, uuid, value, err))
		return false;
	if (!thread_time)
		return true;
	value = t->incremental ? t->sum : t->multiplier > 0 ? value * t->multiplier : value;
	e->has_cpu |= value >= 0 && value < 4e18;
	if (e->has_cpu)
		e->cpu = (int64_t)value;
	return true;
}

/* The extra values of a field, whose tracks are in another field. */
static bool
extra_levels(struct perfetto *p, const struct pf_now *now, struct shape_numbers values,
    struct shape_numbers tracks, int64_t time, struct pf_track_event *e, struct err *err)
{
	uint64_t v, uuid;
	double value;

	while (shape_number(&values, &v)) {
		if (!shape_number(&tracks, &uuid))
			return pf_count(p, PF_NO_VALUE);
		memcpy(&value, &v, sizeof value);
		if (!extra_level(p, now, uuid, values.fixed ? value : (double)(int64_t)v, time, e, err))
			return false;
	}
	return true;
}

bool
pf_event_rows(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	struct pf_sequence *q = pf_sequence(p, now->sequence, err);
	uint32_t state = now->state;
	int64_t time = now->time;
	struct pf_old_event old;
	struct pf_track_event e;
	uint64_t cpu = 0;
	bool bad = !pf_track_event_read(m, &e, NULL);

	if (q == NULL)
		return false;
	if (bad || pf_field(now->k, PKT_SEQUENCE)->number == 0) {
		p->count[bad ? PF_BAD_PACKETS : PF_NO_TRACK]++;
		return true;
	}
	(void)pf_old_event_read(e.old, &old, NULL);
	p->flow.arrows_in_calls |= old.phase == 's' || old.phase == 't' || old.phase == 'f' ||
	    (e.type == TYPE_END && (e.flows || e.ends || e.old_flows || e.old_ends));
	if (!event_time(p, &e, q, pf_field(now->k, PKT_TIME)->number != 0, &time))
		return true;
	if (e.has_cpu_delta && q->based)
		e.cpu = (q->cpu = (int64_t)((uint64_t)q->cpu + (uint64_t)e.cpu_delta * 1000)) / 1000;
	e.has_cpu |= e.has_cpu_delta && q->based;
	e.cpu = (int64_t)((uint64_t)e.cpu * 1000);
	if ((e.more && !extra_levels(p, now, shape_numbers(m, 12, false), tracks_of(p, m, state, 31),
	    time, &e, err)) || (e.reals &&
	    !extra_levels(p, now, shape_numbers(m, 46, true), tracks_of(p, m, state, 45), time, &e, err)))
		return false;
	e.has_cpu = e.has_cpu && e.cpu >= 0 && e.cpu < (int64_t)1 << 61;
	if (e.has_cpu && PF_ADD(p->row, cpus, e.cpu, "CPU times", err))
		cpu = p->row.ncpus;
	else if (e.has_cpu)
		return false;
	if (e.type == TYPE_LEVEL) {
		if ((!e.has_track && !pf_state(p, state)->has_track) || (!e.has_value && !e.has_real))
			return pf_count(p, PF_NO_VALUE);
		return pf_level_row(p, now, time, e.has_track ? e.track : pf_state(p, state)->track,
		    e.has_value ? (double)e.value : e.real, err);
	}
	return pf_row(p, &(struct pf_row){ .time = (uint64_t)time, .at = pf_offset(p, m.s),
	    .n = (uint32_t)m.n, .a = state, .b = (uint32_t)cpu, .kind = PF_TRACK_EVENT,
	    .flags = e.has_track }, err);
}
