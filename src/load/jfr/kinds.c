/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kinds: async-profiler writes samples of CPU time and of the wall clock as jdk.ExecutionSample. Since version 2.10
 * the state of the thread distinguishes them. Older recordings have only one of the two kinds, and the settings state
 * which.
 */
#include "config.h"

#include <assert.h>

#include "jfr.h"

#define CPU STR("cpu")
#define WALL STR("wall")

enum { EVENT_SETTING_NAME, EVENT_SETTING_VALUE };

/* Get the setting "event" of the chunk into j->text; empty: none. */
static bool
find_setting(struct jfr *j, struct err *err)
{
	static const jfr_paths paths = { [EVENT_SETTING_NAME] = "name", [EVENT_SETTING_VALUE] = "value" };
	struct jfr_chunk *c = &j->c;
	uint32_t type = jfr_type_named(c, STR("jdk.ActiveSetting")), row;
	uint64_t at = c->begin + JFR_HEADER, value;
	const struct jfr_plan *plan;
	struct jfr_event e;

	buf_clear(&j->text);
	if (type == UINT32_MAX)
		return true;
	if (!jfr_steps_make(c, type, &paths, &row, err))
		return false;
	for (uint64_t n = 0; jfr_chunk_event(c, &at, &e); n++) {
		if (n % JFR_TICK == 0 && !work_go(j->work, at, err))
			return false;
		plan = jfr_steps_of(c, row);
		if (e.type != jfr_type(c, type)->id || !jfr_steps_run(c, plan, &e.body))
			continue;
		value = c->slot[EVENT_SETTING_VALUE];
		buf_clear(&j->text);
		jfr_text_slot(c, plan->slot[EVENT_SETTING_NAME], c->slot[EVENT_SETTING_NAME], &j->text);
		if (!str_eq(buf_view(&j->text), STR("event")))
			continue;
		buf_clear(&j->text);
		jfr_text_slot(c, plan->slot[EVENT_SETTING_VALUE], value, &j->text);
		return true;
	}
	buf_clear(&j->text);
	return true;
}

/* CPU timers mean event cpu; other events are named as in the setting. */
static bool
name_by_setting(struct jfr *j, uint32_t *event, struct err *err)
{
	static const char *const timers[] = { "cpu", "itimer", "ctimer" };
	const struct jfr_rule *rule = jfr_rule_of(CPU);
	struct str name;

	if (!find_setting(j, err))
		return false;
	name = buf_view(&j->text);
	for (size_t i = 0; i < NELEM(timers); i++)
		name = str_eq(name, str_of(timers[i])) ? CPU : name;
	rule = str_eq(name, WALL) ? jfr_rule_of(WALL) : rule;
	return name.n == 0 || (*event = jfr_event_add(j, name, rule, true, err)) != 0;
}

bool
jfr_kinds_begin(struct jfr *j, struct err *err)
{
	struct jfr_kinds *k = &j->kinds;
	struct str states = STR("jdk.types.ThreadState");

	*k = (struct jfr_kinds){ .by_state = jfr_constant_says(&j->c, states, STR("STATE_DEFAULT")) ||
	    (j->c.native_c && jfr_constant_says(&j->c, states, STR("STATE_NEW"))) };
	k->by_async = j->c.native_c || k->by_state;
	return !k->by_async || k->by_state || name_by_setting(j, &k->told, err);
}

bool
jfr_kinds_reader(struct jfr *j, struct str name, struct jfr_reader *r, struct err *err)
{
	bool sample = str_eq(name, STR("jdk.ExecutionSample"));

	if (!j->kinds.by_async || r->event == 0)
		return true;
	if (str_eq(name, STR("profiler.WallClockSample")))
		return (r->event = jfr_event_add(j, WALL, jfr_rule_of(WALL), true, err)) != 0;
	r->by_state = sample && j->kinds.by_state;
	r->event = sample && j->kinds.told != 0 ? j->kinds.told : r->event;
	return true;
}

/* If states are named as in the JVM, the first is STATE_NEW. */
static uint32_t
event_of_state(struct jfr *j, struct str state, struct err *err)
{
	bool cpu = str_eq(state, STR("STATE_DEFAULT")) || str_eq(state, STR("STATE_NEW"));

	return jfr_event_add(j, cpu ? CPU : WALL, jfr_rule_of(cpu ? CPU : WALL), true, err);
}

bool
jfr_kinds_sample(struct jfr *j, const struct jfr_reader *r, struct jfr_slot slot, uint64_t key, struct sample *s, struct err *err)
{
	struct jfr_constant *k = jfr_constant_any(&j->c, slot.type, key);

	if (k == NULL)
		return true;
	buf_clear(&j->text);
	if (k->known[JFR_AS_STATE] == 0 || (r->by_state && k->known[JFR_AS_EVENT] == 0))
		jfr_text_constant(&j->c, slot.type, key, &j->text);
	if ((k->known[JFR_AS_STATE] == 0 && (k->known[JFR_AS_STATE] = samples_state(&j->s, buf_view(&j->text), err)) == 0) ||
	    (r->by_state && k->known[JFR_AS_EVENT] == 0 &&
	    (k->known[JFR_AS_EVENT] = event_of_state(j, buf_view(&j->text), err)) == 0))
		return false;
	s->state = k->known[JFR_AS_STATE];
	s->event = r->by_state ? k->known[JFR_AS_EVENT] : r->event;
	assert(s->event != 0);
	return true;
}
