/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of a Firefox profile, which stores their changes.
 */
#include "config.h"

#include <math.h>

#include "gecko.h"

#define DECIMALS 3		/* for values that are not integers */

#define COUNTER(W, V, O) W(name) W(category) W(pid) V(sampleGroups) V(sample_groups) V(samples)
#define GROUP(W, V, O) V(samples)
JLOAD_SHAPE(said_counter, COUNTER)
JLOAD_SHAPE(said_group, GROUP)

/*
 * Levels are sums of changes, except shares of a CPU and amounts of energy. A decreasing time is treated as the
 * previous one.
 */
static void
gecko_counters_read_samples(struct gecko *g, struct json j, const struct mark_counter *new, uint8_t column, bool sums)
{
	struct mark_set *counters = &g->marks.counters;
	struct gecko_table t;
	double clock = 0, v, level = 0;
	uint64_t before = counters->n, last = 0, time;

	gecko_table_open(column == COUNTER_COUNT ? g->l : NULL, &j, &gecko_counter_form, &t);
	while (gecko_table_next(&t) && into_go(g->to, j.at)) {
		bool is_delta = t.value[COUNTER_DELTAS].n > 0;

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
		gecko_see_any(g, time);
		last = time > last ? time : last;
		if (counters->n == before)
			INTO_ROW(g->to, counters->rows, counters->n, *new, "counters");
		INTO(g->to, marks_count(&g->marks, (uint32_t)counters->n, last, level, g->to->err));
	}
}

static void
read_group(struct gecko *g, struct json samples, struct mark_counter *c, bool sums)
{
	if (!json_is(samples))
		return;
	c->key = into_text(g->to, STR("count"));
	gecko_counters_read_samples(g, samples, c, COUNTER_COUNT, sums);
	c->key = into_text(g->to, STR("number"));
	gecko_counters_read_samples(g, samples, c, COUNTER_NUMBER, false);
}

void
gecko_counters(struct gecko *g, struct json array)
{
	JSON_EACH(array, item) {
		struct said_counter at = said_counter_read(g->l, item);
		struct json groups = json_is(at.sampleGroups) ? at.sampleGroups : at.sample_groups;
		bool sums = !str_eq(at.category, STR("power")) && !str_eq(at.category, STR("CPU"));
		/* A counter without a pid belongs to the process that contains it. */
		struct mark_counter c = { .process = !at.has_pid &&
		    g->thread != 0 ? gecko_thread_at(g, g->thread)->process :
		    gecko_process(g, at.pid, STR(""), STR("")) };

		c.name = into_word(g->to, at.name);
		/* The groups around the samples: an object, or a list of objects. */
		if (json_items(groups).base == NULL)
			read_group(g, said_group_read(g->l, groups).samples, &c, sums);
		JSON_EACH(groups, group)
			read_group(g, said_group_read(g->l, group).samples, &c, sums);
		read_group(g, at.samples, &c, sums);
	}
}

/* ---- levels ------------------------------------------------------------------------------------------- */

static unsigned
decimals_for(double v)
{
	return v == rint(v) ? 0 : DECIMALS;
}

/* The lowest level is 0. */
static uint64_t
level_for(const struct mark_counter *c, double v)
{
	v = rint((v + (c->min < 0 ? -c->min : 0)) * (c->decimals == 0 ? 1 : pow(10, DECIMALS)));
	return v < 9e18 ? (uint64_t)v : (uint64_t)9e18;
}

const struct mark_scale gecko_scale = { decimals_for, NULL, level_for, false };
