/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of a Firefox profile, which stores their changes.
 */
#include "config.h"

#include <math.h>

#include "gecko.h"

#define DECIMALS 3		/* for values that are not integers */

static const char *const members[] = { "name", "category", "pid", "sampleGroups", "sample_groups", "samples", NULL };

enum { NAME, CATEGORY, PID, GROUPS, OLD_GROUPS, SAMPLES, MEMBERS };

/*
 * Levels are sums of changes, except shares of a CPU and amounts of energy. A decreasing time is treated as the
 * previous one.
 */
static bool
gecko_counters_read_samples(struct gecko *g, struct json j, const struct mark_counter *new, uint8_t column, bool sums, struct err *err)
{
	struct mark_set *counters = &g->marks.counters;
	struct gecko_table t;
	double clock = 0, v, level = 0;
	uint64_t before = counters->n, last = 0, time;

	gecko_table_open(column == COUNTER_COUNT ? g->l : NULL, &j, &gecko_counter_form, &t);
	while (gecko_table_next(&t)) {
		bool is_delta = t.value[COUNTER_DELTAS].n > 0;

		if (!work_go(g->l->work, j.at, err))
			return false;
		if (!gecko_number(t.value[is_delta ? COUNTER_DELTAS : COUNTER_TIME], &v)) {
			g->l->bad++;
			continue;
		}
		clock = is_delta ? clock + v : v;
		if (!gecko_number(t.value[column], &v)) {
			g->l->no_number += t.value[column].n > 0;
			continue;
		}
		level = sums ? level + v : v;
		time = gecko_time(g, clock);
		g->first = g->first == 0 || time < g->first ? time : g->first;
		g->last = time > g->last ? time : g->last;
		last = time > last ? time : last;
		if ((counters->n == before && !make_add(&counters->rows, &counters->n, new, sizeof *new, MAKE_MOST, "counters", err)) ||
		    !marks_count(&g->marks, (uint32_t)counters->n, last, level, err))
			return false;
	}
	return true;
}

static bool
read_group(struct gecko *g, struct json samples, struct mark_counter *c, bool sums, struct err *err)
{
	static const struct { const char *key; uint8_t column; } series[] = { { "count", COUNTER_COUNT }, { "number", COUNTER_NUMBER } };

	if (samples.at == samples.size)
		return true;
	for (size_t i = 0; i < NELEM(series); i++)
		if (!marks_word_of(&g->marks, str_of(series[i].key), &c->key, err) ||
		    !gecko_counters_read_samples(g, samples, c, series[i].column, sums && series[i].column == COUNTER_COUNT, err))
			return false;
	return true;
}

/* Read the groups around the samples: an object, or a list of objects. */
static bool
read_groups(struct gecko *g, struct json groups, struct mark_counter *c, bool sums, struct err *err)
{
	static const char *const names[] = { "samples", NULL };
	struct json samples;

	if (!scan_open(&groups, '[')) {
		jload_members(g->l, groups, names, &samples);
		return read_group(g, samples, c, sums, err);
	}
	while (scan_item(&groups)) {
		jload_members(g->l, groups, names, &samples);
		if (!read_group(g, samples, c, sums, err))
			return false;
		if (!scan_skip(&groups))
			break;
	}
	return true;
}

bool
gecko_counters(struct gecko *g, struct json array, struct err *err)
{
	struct json at[MEMBERS];
	struct str category;

	if (!scan_open(&array, '['))
		return true;
	while (scan_item(&array)) {
		struct mark_counter c = { .name = 0 };
		bool sums;

		jload_members(g->l, array, members, at);
		category = jload_word(at[CATEGORY]);
		sums = !str_eq(category, STR("power")) && !str_eq(category, STR("CPU"));
		/* A counter without a pid belongs to the process that contains it. */
		c.process = at[PID].at == at[PID].size && g->thread != 0 ? gecko_thread_at(g, g->thread)->process :
		    gecko_process(g, jload_word(at[PID]), STR(""), STR(""), err);
		if (c.process == 0 || !marks_word(&g->marks, jload_word(at[NAME]), &c.name, err) ||
		    !read_groups(g, at[at[GROUPS].at < at[GROUPS].size ? GROUPS : OLD_GROUPS], &c, sums, err) ||
		    !read_group(g, at[SAMPLES], &c, sums, err))
			return false;
		if (!scan_skip(&array))
			break;
	}
	return true;
}

/* ---- levels ------------------------------------------------------------------------------------------- */

static unsigned
gecko_counters_decimals_of(double v)
{
	return v == rint(v) ? 0 : DECIMALS;
}

/* The lowest level is 0. */
static uint64_t
gecko_counters_level_of(const struct mark_counter *c, double v)
{
	v = rint((v + (c->min < 0 ? -c->min : 0)) * (c->decimals == 0 ? 1 : pow(10, DECIMALS)));
	return v < 9e18 ? (uint64_t)v : (uint64_t)9e18;
}

const struct mark_scale gecko_scale = { gecko_counters_decimals_of, NULL, gecko_counters_level_of, false };
