/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kinds: async-profiler writes samples of CPU time and of the wall clock as jdk.ExecutionSample. Since version 2.10
 * the state of the thread distinguishes them. Older recordings have only one of the two kinds, and the
 * settings state which, often only in the first chunk of the recording.
 */
#include "config.h"

#include <assert.h>

#include "jfr.h"

#define CPU STR("cpu")
#define WALL STR("wall")

enum { EVENT_SETTING_NAME, EVENT_SETTING_VALUE };

/* A walk over the events of a type in a chunk. */
struct kinds_walk {
	struct jfr	*j;
	uint32_t	 type, row;	/* row: of the plan; 0: no such type */
	uint64_t	 at, n;
};

static struct kinds_walk
kinds_walk_of(struct jfr *j, struct str event, const jfr_paths *paths)
{
	uint32_t type = jfr_type_named(&j->c, event);

	return (struct kinds_walk){ j, type, type == UINT32_MAX ? 0 : jfr_steps_make(&j->c, type, paths),
	    j->c.begin + JFR_HEADER, 0 };
}

/* Read the next event into the slots; NULL: no more. */
static const struct jfr_plan *
kinds_next(struct kinds_walk *w)
{
	struct jfr_chunk *c = &w->j->c;
	struct jfr_event e;

	while (w->row != 0 && jfr_chunk_event(c, &w->at, &e)) {
		if (w->n++ % JFR_TICK == 0 && !into_go(&w->j->to, w->at))
			return NULL;
		if (e.type == jfr_type(c, w->type)->id && jfr_steps_run(c, jfr_steps_of(c, w->row), &e.body))
			return jfr_steps_of(c, w->row);
	}
	return NULL;
}

/* Get the setting "event" of the chunk into j->text; empty: none. */
static void
find_setting(struct jfr *j)
{
	static const jfr_paths paths = { [EVENT_SETTING_NAME] = "name", [EVENT_SETTING_VALUE] = "value" };
	struct kinds_walk walk = kinds_walk_of(j, STR("jdk.ActiveSetting"), &paths);
	const struct jfr_plan *plan;
	uint64_t value;
	bool found = false;

	while (!found && (plan = kinds_next(&walk)) != NULL) {
		value = j->c.slot[EVENT_SETTING_VALUE];
		buf_clear(&j->text);
		jfr_slot_text(&j->c, plan->slot[EVENT_SETTING_NAME], j->c.slot[EVENT_SETTING_NAME], &j->text);
		found = str_is(buf_view(&j->text), "event");
		buf_clear(&j->text);
		if (found)
			jfr_slot_text(&j->c, plan->slot[EVENT_SETTING_VALUE], value, &j->text);
	}
}

/* Return whether a sample has a thread that did not run. Only samples of the wall clock have such threads. */
static bool
has_idle_thread(struct jfr *j)
{
	static const jfr_paths paths = { "state" };
	struct kinds_walk walk = kinds_walk_of(j, STR("jdk.ExecutionSample"), &paths);
	const struct jfr_plan *plan;

	while ((plan = kinds_next(&walk)) != NULL) {
		buf_clear(&j->text);
		jfr_slot_text(&j->c, plan->slot[0], j->c.slot[0], &j->text);
		if (j->text.n > 0 && !str_is(buf_view(&j->text), "STATE_RUNNABLE"))
			return true;
	}
	return false;
}

/* CPU timers mean event cpu; other events are named as in the setting. */
static uint32_t
event_by_setting(struct jfr *j)
{
	static const char *const timers[] = { "cpu", "itimer", "ctimer" };
	struct str name;

	buf_clear(&j->text);
	find_setting(j);
	name = str_is_one(timers, NELEM(timers), buf_view(&j->text)) ? CPU : buf_view(&j->text);
	return name.n == 0 ? 0 : jfr_event_add(j, name, jfr_rule_of(str_eq(name, WALL) ? WALL : CPU), true);
}

void
jfr_kinds_begin(struct jfr *j)
{
	struct jfr_kinds *k = &j->kinds;
	struct str states = STR("jdk.types.ThreadState");
	uint32_t stated;

	k->by_state = jfr_constant_says(&j->c, states, STR("STATE_DEFAULT")) ||
	    (j->writer.native_c && jfr_constant_says(&j->c, states, STR("STATE_NEW")));
	k->by_async = j->writer.native_c || k->by_state;
	if (!k->by_async || k->by_state)
		return;
	stated = event_by_setting(j);
	if (stated != 0 || k->pid != j->writer.pid)
		k->by_setting = stated;
	if (k->by_setting == 0 && has_idle_thread(j))
		k->by_setting = jfr_event_add(j, WALL, jfr_rule_of(WALL), true);
	k->pid = j->writer.pid;
}

void
jfr_kinds_reader(struct jfr *j, struct str name, struct jfr_reader *r)
{
	bool sample = str_eq(name, STR("jdk.ExecutionSample"));

	if (!j->kinds.by_async || r->event == 0)
		return;
	if (str_eq(name, STR("profiler.WallClockSample"))) {
		r->event = jfr_event_add(j, WALL, jfr_rule_of(WALL), true);
		return;
	}
	r->by_state = sample && j->kinds.by_state;
	r->event = sample && !r->by_state && j->kinds.by_setting != 0 ? j->kinds.by_setting : r->event;
}

/* If states are named as in the JVM, the first is STATE_NEW. */
static uint32_t
event_of_state(struct jfr *j, struct str state)
{
	bool cpu = str_eq(state, STR("STATE_DEFAULT")) || str_eq(state, STR("STATE_NEW"));

	return jfr_event_add(j, cpu ? CPU : WALL, jfr_rule_of(cpu ? CPU : WALL), true);
}

void
jfr_kinds_sample(struct jfr *j, const struct jfr_reader *r, struct jfr_slot slot, uint64_t key, struct sample *s)
{
	struct jfr_constant *k = jfr_constant_any(&j->c, slot.type, key);

	if (k == NULL)
		return;
	buf_clear(&j->text);
	if (k->known[JFR_AS_STATE] == 0 || (r->by_state && k->known[JFR_AS_EVENT] == 0))
		jfr_constant_text(&j->c, slot.type, key, &j->text);
	if (k->known[JFR_AS_STATE] == 0)
		k->known[JFR_AS_STATE] = INTO_ID(&j->to, samples_state(&j->s, buf_view(&j->text), j->to.err));
	if (r->by_state && k->known[JFR_AS_EVENT] == 0)
		k->known[JFR_AS_EVENT] = event_of_state(j, buf_view(&j->text));
	s->state = k->known[JFR_AS_STATE];
	s->event = r->by_state ? k->known[JFR_AS_EVENT] : r->event;
	assert(s->event != 0 || j->to.bad);
}
