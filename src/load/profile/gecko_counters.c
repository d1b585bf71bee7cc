/*
 * Counters of a profile of Firefox: what is told is by how much they changed.
 */
#include "config.h"

#include <math.h>

#include "icecore/columns_marks.h"
#include "gecko.h"

#define DECIMALS 3		/* of what is no whole number */

struct counter {
	uint32_t	name, key, process;	/* words, but for the process */
	uint64_t	points, from;		/* from: its first row of counts */
	double		min, max, last;
	double		lift;		/* so that the lowest level is 0 */
	bool		whole;
};

struct count {
	uint64_t	time;		/* from TIME_ZERO on */
	double		value;
};

static const char *const members[] = { "name", "category", "pid", "sampleGroups", "sample_groups", "samples", NULL };

enum { NAME, CATEGORY, PID, GROUPS, OLD_GROUPS, SAMPLES, MEMBERS };

static void
gecko_counters_take_value(struct counter *c, double v)
{
	c->min = c->points == 0 || v < c->min ? v : c->min;
	c->max = c->points == 0 || v > c->max ? v : c->max;
	c->last = v;
	c->whole = c->whole && v == rint(v);
	c->points++;
}

/* Levels are sums of changes; shares of a CPU and amounts of energy are no levels. */
static bool
gecko_counters_read_samples(struct gecko *g, struct json j, const struct counter *like, uint8_t column, bool sums, struct err *err)
{
	struct counter c = *like;
	struct gecko_table t;
	struct count new;
	double clock = 0, v, level = 0;

	gecko_table_open(&j, gecko_counter_names, &t);
	c.from = g->ncounts;
	c.whole = true;
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
		new = (struct count){ gecko_time(g, clock), level };
		g->first = g->first == 0 || new.time < g->first ? new.time : g->first;
		g->last = new.time > g->last ? new.time : g->last;
		gecko_counters_take_value(&c, level);
		if (!make_add(&g->counts, &g->ncounts, &new, sizeof new, UINT64_MAX, "values of counters", err))
			return false;
	}
	c.lift = c.min < 0 ? -c.min : 0;
	return c.points == 0 || make_add(&g->counters, &g->ncounters, &c, sizeof c, MAKE_MOST, "counters", err);
}

static bool
read_group(struct gecko *g, struct json samples, struct counter *c, bool sums, struct err *err)
{
	static const struct { const char *key; uint8_t column; } series[] = { { "count", COUNTER_COUNT }, { "number", COUNTER_NUMBER } };

	if (samples.at == samples.size)
		return true;
	for (size_t i = 0; i < NELEM(series); i++)
		if (!chrome_word_of(&g->marks, str_of(series[i].key), &c->key, err) ||
		    !gecko_counters_read_samples(g, samples, c, series[i].column, sums && series[i].column == COUNTER_COUNT, err))
			return false;
	return true;
}

/* Read the groups around the samples: an object, or a list of objects. */
static bool
read_groups(struct gecko *g, struct json groups, struct counter *c, bool sums, struct err *err)
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
		struct counter c = { .name = 0 };
		bool sums;

		jload_members(g->l, array, members, at);
		category = jload_word(at[CATEGORY]);
		sums = !str_eq(category, STR("power")) && !str_eq(category, STR("CPU"));
		/* A counter without a pid belongs to the process that contains it. */
		c.process = at[PID].at == at[PID].size && g->thread != 0 ? gecko_thread_at(g, g->thread)->process :
		    gecko_process(g, jload_word(at[PID]), STR(""), STR(""), err);
		if (c.process == 0 || !chrome_word(&g->marks, jload_word(at[NAME]), &c.name, err) ||
		    !read_groups(g, at[at[GROUPS].at < at[GROUPS].size ? GROUPS : OLD_GROUPS], &c, sums, err) ||
		    !read_group(g, at[SAMPLES], &c, sums, err))
			return false;
		if (!scan_skip(&array))
			break;
	}
	return true;
}

/* ---- columns ------------------------------------------------------------------------------------------ */

static bool
gecko_counters_put_track(struct gecko *g, const struct counter *c, struct err *err)
{
	const struct count *count = SCRATCH(g->counts, struct count) + c->from;
	double scale = c->whole ? 1 : pow(10, DECIMALS), v;
	struct buf *b = &g->detail;

	buf_clear(b);
	buf_str(b, chrome_text(&g->marks, c->name));
	buf_chr(b, '.');
	buf_str(b, chrome_text(&g->marks, c->key));
	buf_chr(b, '\0');
	if (b->bad)
		return fail(err, E_SYSTEM, "out of memory (name of a track)");
	if (!points_track(&g->points, TRACK_LEVEL, b->s, "", 0, 0, err))
		return false;
	points_of(&g->points, c->process, c->whole ? 0 : DECIMALS);
	for (uint64_t i = 0; i < c->points; i++) {
		v = rint((count[i].value + c->lift) * scale);
		if (!points_add(&g->points, count[i].time - g->first, v < 9e18 ? (uint64_t)v : (uint64_t)9e18, err))
			return false;
	}
	return true;
}

bool
gecko_counter_columns(struct gecko *g, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_COUNTER_NAME, counter, name), MAKE(COL_COUNTER_KEY, counter, key),
		MAKE(COL_COUNTER_PROCESS, counter, process), MAKE(COL_COUNTER_POINTS, counter, points),
		MAKE_COLUMN(COL_COUNTER_MIN, counter, min, MAKE_REAL), MAKE_COLUMN(COL_COUNTER_MAX, counter, max, MAKE_REAL),
		MAKE_COLUMN(COL_COUNTER_LAST, counter, last, MAKE_REAL),
	};
	const struct counter *c = SCRATCH(g->counters, struct counter);

	for (uint64_t i = 0; i < g->ncounters; i++)
		if (!gecko_counters_put_track(g, &c[i], err))
			return false;
	return make_columns(g->l->st, columns, NELEM(columns), MAKE_ROWS(c, g->ncounters), err);
}
