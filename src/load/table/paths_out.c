/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paths_out: convert sums by path to samples: one event per weight, or three if it has negative values.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/facts.h"

#include "paths.h"

#define TICK 256u

struct kind {
	uint32_t	event;
	uint32_t	weight;
	bool		out, count;
};

/* Return the largest number of decimals with which all sums fit. */
static unsigned
fitting(const struct paths *p, bool counts)
{
	unsigned decimals = p->decimals;
	wide most = counts ? p->records * wide_power(p->decimals) : 0, room;

	for (uint32_t i = 0; i < p->l->asked.nweights; i++) {
		most = p->total[i].in > most ? p->total[i].in : most;
		most = p->total[i].out > most ? p->total[i].out : most;
	}
	/* Leave room for rounding: a rounded sum may be larger by one. */
	for (; decimals > 0; decimals--, most /= 10) {
		room = WEIGHT_MOST - (decimals < p->decimals ? p->nrows : 0);
		if (most <= room)
			break;
	}
	return decimals;
}

static uint64_t
rounded(struct paths *p, wide sum)
{
	wide rest = wide_power(p->decimals - p->s.decimals), v = sum / rest;

	assert(p->s.decimals <= p->decimals);
	p->s.rounded += sum % rest != 0;
	v += rest > 1 && sum % rest >= rest / 2;
	return v > WEIGHT_MOST ? WEIGHT_MOST : (uint64_t)v;
}

static bool
out_add_samples(struct paths *p, const struct kind *k, uint32_t thread, struct err *err)
{
	const struct path_row *row = SCRATCH(p->row, struct path_row);
	const struct tally *t;
	uint32_t n = p->l->asked.nweights;
	struct sample sample;

	assert(k->count || k->weight < n);
	for (uint64_t i = 0; i < p->nrows; i++) {
		if (i % TICK == 0 && !work_go(p->l->work, i, err))
			return false;
		sample = (struct sample){ .time = row[i].time, .offset = row[i].offset, .stack = row[i].stack,
		    .thread = thread, .event = k->event, .count = row[i].records };
		if (k->count) {
			sample.weight = (uint64_t)(row[i].records * wide_power(p->s.decimals));
		} else {
			t = &SCRATCH(p->tally, struct tally)[i * n + k->weight];
			sample.count = k->out ? t->nout : t->nin;
			if (sample.count == 0)
				continue;
			sample.weight = rounded(p, k->out ? t->out : t->in);
		}
		if (!samples_add(&p->s, &sample, err))
			return false;
	}
	return true;
}

static const char *
unit_of_ns(uint64_t ns)
{
	return ns == 1 ? "ns" : ns == 1000 ? "us" : ns == 1000000 ? "ms" : "s";
}

/* Return the unit in a column name such as "size (bytes)" or "wait_ms"; otherwise the name. */
static struct str
unit_of_name(struct str name, enum weight_type *type)
{
	struct str before, unit = name;
	bool brackets = name.n > 0 && (name.s[name.n - 1] == ')' || name.s[name.n - 1] == ']');

	*type = WEIGHT_COUNT;
	if (brackets && (str_divide_last((struct str){ name.s, name.n - 1 }, name.s[name.n - 1] == ')' ? '(' :
	    '[', &before, &unit)))
		unit = sheet_trim(unit);
	else if (!str_divide_last(name, '_', &before, &unit) && !str_divide_last(name, ' ', &before, &unit))
		str_divide_last(name, '.', &before, &unit);
	if (str_is(unit, "bytes")) {
		*type = WEIGHT_BYTES;
		return unit;
	}
	/* A single letter is a unit only if it is unambiguous. */
	if (num_time_unit(unit) != 0 && (unit.n > 1 || brackets)) {
		*type = WEIGHT_TIME;
		return str_of(unit_of_ns(num_time_unit(unit)));
	}
	return brackets && unit.n > 0 ? unit : name;
}

static uint32_t
make_event(struct paths *p, const struct kind *k, const char *word, struct err *err)
{
	const struct weighed *w = &p->l->asked.weight[k->weight];
	struct str name = sheet_name(&p->l->sheet.names, w->column), unit;
	enum weight_type type;
	struct buf event = BUF_INIT, text = BUF_INIT;
	uint32_t id = 0;

	unit = unit_of_name(name, &type);
	if (w->unit_text[0] != '\0' && !w->units) {
		unit = str_of(w->unit_text);
		type = WEIGHT_COUNT;
	}
	if (word == NULL || p->l->asked.nweights > 1)
		buf_str(&event, name);
	if (word != NULL) {
		buf_str(&event, event.n > 0 ? STR(" ") : STR(""));
		buf_str(&event, str_of(word));
	}
	buf_str(&text, unit);
	buf_add(&text, "", 1);
	if (event.bad || text.bad)
		fail(err, E_SYSTEM, "out of memory (name)");
	else
		id = samples_event(&p->s, buf_view(&event), type, text.s, err);
	buf_free(&event);
	buf_free(&text);
	return id;
}

static bool
out_add_kind(struct paths *p, struct kind k, const char *word, uint32_t thread, struct err *err)
{
	k.event = k.count ? samples_event(&p->s, p->l->asked.nweights > 0 ? STR("count") : STR("records"),
	    WEIGHT_COUNT, "records", err) : make_event(p, &k, word, err);
	return k.event != 0 && out_add_samples(p, &k, thread, err);
}

static bool
put_samples(struct paths *p, struct err *err)
{
	uint32_t n = p->l->asked.nweights, thread = samples_thread(&p->s, 0, 0, STR(""), err);
	bool below = false, ok = thread != 0, one;

	for (uint32_t i = 0; i < n; i++)
		below |= p->total[i].nout > 0;
	p->s.decimals = fitting(p, below || n == 0);
	p->s.times = p->l->asked.time != 0;
	p->s.counts = COUNT_TOLD;
	work_start(p->l->work, "samples", p->nrows);
	for (uint32_t i = 0; ok && i < n; i++) {
		one = p->total[i].nout == 0;
		ok = out_add_kind(p, (struct kind){ .weight = i }, one ? NULL : "in", thread, err) &&
		    (one || out_add_kind(p, (struct kind){ .weight = i, .out = true }, "out", thread, err));
	}
	/* Records are counted, but they are not the requested weight. */
	p->s.ranked = n > 0 ? p->s.nevents : 0;
	return ok && (!(below || n == 0) ||
	    out_add_kind(p, (struct kind){ .count = true }, NULL, thread, err));
}

/* For display; weight.unit is that of the default event. */
static bool
put_unit(struct store *st, struct err *err)
{
	return fact_set_text(st, FACT_UNIT, fact_text(st, FACT_WEIGHT_UNIT), err);
}

bool
paths_out(struct paths *p, struct err *err)
{
	return put_samples(p, err) && samples_columns(&p->s, err) && put_unit(p->l->st, err);
}
