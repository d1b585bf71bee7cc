/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples_period: samples of an event that a recorder takes each period become times: each lasts the period
 * that held when it was taken.  Everything behind the loader then sees times, and can compare files with
 * other periods.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "profile.h"

/* An event of this name was sampled each ns from a time on. */
struct sample_period {
	uint64_t	key, since, ns;
};

bool
samples_period(struct samples *s, struct str event, uint64_t since, uint64_t ns, struct err *err)
{
	struct sample_period new = { idmap_hash_text(event, 0), since, ns };

	return ns == 0 || ns > PERIOD_MOST ||
	    make_add(&s->periods, &s->nperiods, &new, sizeof new, MAKE_MOST, "periods", err);
}

static int
period_cmp(const void *a, const void *b)
{
	const struct sample_period *x = a, *y = b;

	return num_order(x->key, y->key, num_order(x->since, y->since, num_order(x->ns, y->ns, 0)));
}

/* The periods of an event, in order of time. */
struct periods_of {
	const struct sample_period *at;
	uint64_t n, least, most;
};

static struct periods_of
periods_find(const struct samples *s, uint32_t event)
{
	const struct sample_period *p = SCRATCH(s->periods, struct sample_period);
	uint64_t key = idmap_hash_text(samples_event_name(s, event), 0), i = 0, high = s->nperiods, mid;
	struct periods_of of = { .least = UINT64_MAX };

	while (i < high) {
		mid = i + (high - i) / 2;
		if (p[mid].key < key)
			i = mid + 1;
		else
			high = mid;
	}
	for (of.at = p + i; i < s->nperiods && p[i].key == key; i++, of.n++) {
		of.least = p[i].ns < of.least ? p[i].ns : of.least;
		of.most = p[i].ns > of.most ? p[i].ns : of.most;
	}
	return of;
}

/* The last period that began before a sample; the first one also holds for samples before it. */
static uint64_t
periods_at(const struct periods_of *of, uint64_t time)
{
	uint64_t low = 1, high = of->n, mid;

	assert(of->n > 0);
	while (low < high) {
		mid = low + (high - low) / 2;
		if (of->at[mid].since <= time)
			low = mid + 1;
		else
			high = mid;
	}
	return of->at[low - 1].ns;
}

/* Weigh the samples of the events with periods. */
static bool
periods_weigh(struct samples *s, const struct periods_of *of, struct err *err)
{
	struct sample_event *e = SCRATCH(s->events, struct sample_event);

	for (uint64_t i = 0; i < s->nsamples; i++) {
		struct sample row = sample_rows_get(&s->rows, i);
		const struct periods_of *p = &of[row.event - 1];
		uint64_t ns, room;

		if (!work_go(s->work, i, err))
			return false;
		if (p->n == 0)
			continue;
		ns = periods_at(p, row.time);
		e = &SCRATCH(s->events, struct sample_event)[row.event - 1];
		room = WEIGHT_MOST - e->weight;
		s->saturated += row.weight > room / ns;
		row.weight = row.weight > room / ns ? room : row.weight * ns;
		e->weight += row.weight;
		if (!sample_rows_set(&s->rows, i, &row, err))
			return false;
	}
	return true;
}

/* Write the columns, and turn events whose weights count samples into events whose weights are times. */
static bool
periods_settle(struct samples *s, struct periods_of *of, struct err *err)
{
	struct sample_event *e = SCRATCH(s->events, struct sample_event);
	uint64_t *least = store_make(s->st, COL_EVENT_PERIOD, COL_U64, s->nevents, err), *most;
	uint32_t unit;

	most = least == NULL ? NULL : store_make(s->st, COL_EVENT_PERIOD_MOST, COL_U64, s->nevents, err);
	if (most == NULL || !texts_add(&s->event_text, STR("ns"), &unit, err))
		return false;
	for (uint32_t i = 0; i < s->nevents; i++) {
		of[i] = periods_find(s, i + 1);
		least[i] = of[i].n > 0 ? of[i].least : 0;
		most[i] = of[i].most;
		if (e[i].type != WEIGHT_COUNT || s->differs)
			of[i].n = 0;
		if (of[i].n == 0)
			continue;
		e[i].type = WEIGHT_TIME;
		e[i].unit = unit;
		e[i].weight = 0;
	}
	return periods_weigh(s, of, err);
}

bool
samples_period_settle(struct samples *s, struct err *err)
{
	struct scratch of = SCRATCH_INIT;
	bool ok;

	if (s->nperiods == 0)
		return true;
	samples_count_rows(s);
	qsort(s->periods.data, s->nperiods, sizeof(struct sample_period), period_cmp);
	ok = scratch_array(&of, s->nevents, sizeof(struct periods_of), err) &&
	    periods_settle(s, SCRATCH(of, struct periods_of), err);
	scratch_free(&of);
	return ok;
}
