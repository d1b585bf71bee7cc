/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settings: settings of events and messages of the profiler, as facts.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "icecore/facts.h"

#include "jfr.h"

#define SETTINGS_MOST 2048u	/* maximum number of distinct settings; a JDK writes several hundred */
#define LOGS_MOST 20u
#define FACT_NAME 48		/* with the NUL */

/* A setting of an event with one of its values. */
struct jfr_setting {
	struct jfr_word	event, name, value;
	uint32_t	first;		/* row of the first one with that name; others have other values */
};

/* async-profiler stores its settings as if they belonged to the recording. */
#define PROFILER STR("profiler")
/* Rows of messages store this as the event, and their number as the name. */
#define LOG STR("")

static bool
is_shown_setting(struct str event, struct str name)
{
	static const char *const of_events[] = { "period", "threshold", "throttle", "enabled" };
	static const char *const of_profiler[] = { "version", "event", "interval", "alloc", "wall", "lock",
	    "jstackdepth" };
	bool profiler = str_eq(event, PROFILER);

	return str_is_one(profiler ? of_profiler : of_events,
	    profiler ? NELEM(of_profiler) : NELEM(of_events), name);
}

static struct jfr_word
settings_keep(struct jfr_settings *s, struct str text)
{
	struct jfr_word w = { (uint32_t)s->text.n, (uint32_t)text.n };

	buf_str(&s->text, text);
	return w;
}

static struct str
settings_word(const struct jfr_settings *s, struct jfr_word w)
{
	assert((uint64_t)w.at + w.n <= s->text.n);
	return (struct str){ s->text.s + w.at, w.n };
}

static void
settings_add_row(struct jfr *j, struct str event, struct str name, struct str value, uint32_t first)
{
	struct jfr_settings *s = &j->settings;
	struct jfr_setting new = { settings_keep(s, event), settings_keep(s, name), settings_keep(s, value),
	    first };

	into_made(&j->to, &s->text);
	INTO_ROW(&j->to, s->rows, s->n, new, "settings");
}

/* Add each value of a setting once. */
static void
add_setting(struct jfr *j, struct str event, struct str name, struct str value)
{
	struct jfr_settings *s = &j->settings;
	uint32_t row = (uint32_t)s->n + 1, found = 0, first = 0;
	uint64_t key = idmap_hash_text(name, idmap_hash_text(event, 0));

	if (s->n >= SETTINGS_MOST)
		return;
	INTO(&j->to, idmap_enter(&s->by_value, idmap_hash_text(value, key), row, &found, j->to.err));
	assert(found <= row);
	if (found != row)
		return;
	INTO(&j->to, idmap_enter(&s->by_name, key, row, &first, j->to.err));
	settings_add_row(j, event, name, value, first);
}

/* ---- periods ------------------------------------------------------------------------------------- */

void
jfr_settings_begin(struct jfr *j)
{
	j->settings.engine = ENGINE_UNKNOWN;
	j->settings.interval = j->settings.wall = UINT64_MAX;
}

/* Without an interval async-profiler uses 10 ms of CPU time, or 50 ms of the wall clock. */
void
jfr_settings_end(struct jfr *j)
{
	const struct jfr_settings *s = &j->settings;
	bool of_wall = s->engine == ENGINE_WALL;
	uint64_t cpu = s->engine != ENGINE_CPU || s->interval == UINT64_MAX ? 0 :
	    s->interval > 0 ? s->interval : 10000000;
	uint64_t wall = s->wall != UINT64_MAX ? s->wall : of_wall ? s->interval : UINT64_MAX;

	wall = wall == UINT64_MAX ? 0 : wall > 0 ? wall : 50000000;
	INTO(&j->to, samples_period(&j->s, STR("cpu"), j->c.start_ns, cpu, j->to.err) &&
	    samples_period(&j->s, STR("wall"), j->c.start_ns, wall, j->to.err));
}

/* A setting of async-profiler, whose intervals are numbers of ns unless its event counts something else. */
static void
settings_interval(struct jfr_settings *s, struct str name, struct str value)
{
	static const char *const timers[] = { "cpu", "itimer", "ctimer", "cpu-clock" };
	uint64_t ns;

	if (str_is(name, "event"))
		s->engine = str_is(value, "wall") ? ENGINE_WALL :
		    str_is_one(timers, NELEM(timers), value) ? ENGINE_CPU : ENGINE_UNKNOWN;
	else if (num_u64(value, 10, &ns) && str_is(name, "interval"))
		s->interval = ns;
	else if (num_u64(value, 10, &ns) && str_is(name, "wall"))
		s->wall = ns;
}

/*
 * Samples of the JDK, for example "20 ms".  Those of native code are not a time: of all such threads it takes
 * one each period, also if it waits.
 */
static void
settings_period(struct jfr *j, const struct jfr_plan *plan, uint64_t start, struct str value)
{
	struct str number = str_until(value, ' ');
	uint64_t n, unit = num_time_unit(str_after(value, number.n + (number.n < value.n)));

	start = plan->slot[EVENT_START].kind == JFR_NUMBER ? jfr_chunk_time(&j->c, start) : j->c.start_ns;
	if (unit > 0 && num_u64(number, 10, &n) && n <= PERIOD_MOST / unit)
		INTO(&j->to, samples_period(&j->s, STR("jdk.ExecutionSample"), start, n * unit, j->to.err));
}

/*
 * Read a setting of the event whose type id it contains. async-profiler stores its own under
 * jdk.ActiveRecording, and intervals under jdk.ExecutionSample.
 */
static void
read_setting(struct jfr *j, const struct jfr_plan *plan, const uint64_t *value)
{
	uint32_t type = plan->slot[SETTING_ID].kind != JFR_NUMBER ? UINT32_MAX :
	    jfr_type_row(&j->c, value[SETTING_ID]);
	struct str event, name;

	if (type == UINT32_MAX)
		return;
	event = jfr_word(&j->c, jfr_type(&j->c, type)->name);
	event = str_eq(event, STR("jdk.ActiveRecording")) ? PROFILER : event;
	buf_clear(&j->text);
	jfr_slot_text(&j->c, plan->slot[SETTING_NAME], value[SETTING_NAME], &j->text);
	name = buf_view(&j->text);
	buf_clear(&j->more);
	jfr_slot_text(&j->c, plan->slot[SETTING_VALUE], value[SETTING_VALUE], &j->more);
	if (str_eq(event, PROFILER) || str_is(event, "jdk.ExecutionSample"))
		settings_interval(&j->settings, name, buf_view(&j->more));
	if (str_is(event, "jdk.ExecutionSample") && str_is(name, "period"))
		settings_period(j, plan, value[EVENT_START], buf_view(&j->more));
	if (!is_shown_setting(event, name))
		return;
	/* Skip enabled=true: events in the recording were enabled. */
	if (j->more.n > 0 && !(str_eq(name, STR("enabled")) && str_eq(buf_view(&j->more), STR("true"))))
		add_setting(j, event, name, buf_view(&j->more));
}

/* Keep warnings and errors of the profiler, each preceded by its level. */
static void
read_log(struct jfr *j, const struct jfr_plan *plan, const uint64_t *value)
{
	static const char *const quiet[] = { "", "TRACE", "DEBUG", "INFO", "NONE" };
	struct jfr_settings *s = &j->settings;
	char name[12];

	buf_clear(&j->text);
	jfr_slot_text(&j->c, plan->slot[LOG_LEVEL], value[LOG_LEVEL], &j->text);
	if (str_is_one(quiet, NELEM(quiet), buf_view(&j->text)) || s->logs >= LOGS_MOST)
		return;
	buf_chr(&j->text, ' ');
	jfr_slot_text(&j->c, plan->slot[LOG_MESSAGE], value[LOG_MESSAGE], &j->text);
	snprintf(name, sizeof name, "%u", ++s->logs);
	settings_add_row(j, LOG, str_of(name), buf_view(&j->text), (uint32_t)s->n + 1);
}

void
jfr_settings_paths(struct str event, struct jfr_reader *r, jfr_paths *paths)
{
	r->note = str_eq(event, STR("jdk.ActiveSetting")) ? NOTE_SETTING :
	    str_eq(event, STR("profiler.Log")) ? NOTE_LOG : NOTE_NOTHING;
	if (r->note == NOTE_SETTING) {
		(*paths)[SETTING_ID] = "id";
		(*paths)[SETTING_NAME] = "name";
		(*paths)[SETTING_VALUE] = "value";
	} else if (r->note == NOTE_LOG) {
		(*paths)[LOG_LEVEL] = "level";
		(*paths)[LOG_MESSAGE] = "message";
	}
}

void
jfr_settings_add(struct jfr *j, const struct jfr_reader *r, const struct jfr_plan *plan)
{
	uint64_t value[JFR_SLOTS];

	memcpy(value, j->c.slot, sizeof value);
	(r->note == NOTE_SETTING ? read_setting : read_log)(j, plan, value);
	memcpy(j->c.slot, value, sizeof value);
}

/* ---- facts --------------------------------------------------------------------------------------- */

/* Settings are shown for events with samples, the profiler and its log. */
static bool
settings_is_shown(const struct samples *s, struct str event)
{
	for (uint32_t i = 1; i <= s->nevents; i++)
		if (str_eq(samples_event_name(s, i), event))
			return true;
	return str_eq(event, PROFILER) || str_eq(event, LOG);
}

/* For example setting.jdk.ExecutionSample.period; for a long event name, its last parts. False: invalid. */
static bool
settings_fact_name(struct str event, struct str name, char *fact, size_t size)
{
	size_t room = size - sizeof "setting..", n;

	assert(size > sizeof "setting..");
	for (size_t i = 0; i < event.n; i++)
		if (event.s[i] <= ' ' || event.s[i] > '~')
			return false;
	while (event.n + name.n > room &&
	    ((n = str_until(event, '.').n) < event.n || (n = str_until(event, '$').n) < event.n))
		event = str_after(event, n + 1);
	if (str_eq(event, LOG))
		n = (size_t)snprintf(fact, size, "log.%.*s", (int)name.n, name.s);
	else
		n = (size_t)snprintf(fact, size, "setting.%.*s.%.*s", (int)event.n, event.s, (int)name.n, name.s);
	return n < size;
}

bool
jfr_settings_facts(struct jfr *j, struct err *err)
{
	struct jfr_settings *s = &j->settings;
	const struct jfr_setting *row = SCRATCH(s->rows, struct jfr_setting);
	char fact[FACT_NAME];
	struct str event, name;

	for (uint64_t i = 0; i < s->n; i++) {
		event = settings_word(s, row[i].event);
		name = settings_word(s, row[i].name);
		if (row[i].first != i + 1 || !settings_is_shown(&j->s, event) ||
		    !settings_fact_name(event, name, fact, sizeof fact))
			continue;
		buf_clear(&j->text);
		for (uint64_t k = i; k < s->n; k++) {
			if (row[k].first != i + 1)
				continue;
			if (k > i)
				buf_str(&j->text, STR(", "));
			buf_str(&j->text, settings_word(s, row[k].value));
		}
		if (j->text.bad)
			return fail(err, E_SYSTEM, "out of memory (settings)");
		if (!store_fact_text(j->st, fact, buf_view(&j->text), err))
			return false;
	}
	return true;
}

void
jfr_settings_close(struct jfr_settings *s)
{
	scratch_free(&s->rows);
	buf_free(&s->text);
	idmap_free(&s->by_value);
	idmap_free(&s->by_name);
}
