/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * readers: which fields are read from the events of a type.
 */
#include "config.h"

#include <assert.h>

#include "jfr.h"

static bool
has_field(const struct jfr_chunk *c, const struct jfr_type *t, const char *name)
{
	const struct jfr_field *f = &SCRATCH(c->fields, struct jfr_field)[t->field];

	for (uint32_t i = 0; i < t->nfields; i++)
		if (str_eq(jfr_word(c, f[i].name), str_of(name)))
			return true;
	return false;
}

/* Return the field with the thread that the event is about, in preference to the thread that wrote it. */
static const char *
thread_field(const struct jfr_chunk *c, const struct jfr_type *t)
{
	static const char *const names[] = { "sampledThread", "eventThread", "thread" };

	for (size_t i = 0; i < NELEM(names); i++)
		if (has_field(c, t, names[i]))
			return names[i];
	return NULL;
}

static bool
is_ignored(struct str name)
{
	return str_is(name, "jdk.ActiveSetting") || str_is(name, "jdk.ActiveRecording");
}

/* Set the fields to read from events of a type. */
static void
event_paths(const struct jfr_chunk *c, const struct jfr_type *t, struct jfr_reader *r, jfr_paths *paths)
{
	struct str name = jfr_word(c, t->name);
	const struct jfr_rule *rule = jfr_rule_of(name);
	const struct jfr_lasting *lasting;
	enum jfr_lost lost = JFR_LOST_BYTES;
	unsigned n;

	r->tracks = jfr_tracks_of(name, &n);
	r->ntracks = (uint8_t)n;
	(*paths)[EVENT_START] = "startTime";
	(*paths)[EVENT_DURATION] = "duration";
	(*paths)[EVENT_STACK] = "stackTrace";
	(*paths)[EVENT_THREAD] = n > 0 && r->tracks->thread != NULL ? r->tracks->thread : thread_field(c, t);
	(*paths)[EVENT_WEIGHT] = rule == NULL ? NULL : rule->weight;
	(*paths)[EVENT_CLASS] = jfr_rule_class(name);
	r->survives = rule != NULL && rule->role == EVENT_SURVIVES;
	(*paths)[EVENT_TIME] = r->survives ? "allocationTime" : NULL;
	(*paths)[EVENT_VALUES] = r->survives ? "object" : NULL;
	r->native = str_is(name, "profiler.Malloc") || str_is(name, "profiler.Free");
	if (r->native)
		(*paths)[EVENT_VALUES] = "address";
	(*paths)[EVENT_STATE] = "state";
	assert(n <= JFR_VALUES);
	for (unsigned i = 0; i < n; i++)
		(*paths)[EVENT_VALUES + i] = r->tracks[i].path;
	(*paths)[EVENT_LOST] = jfr_rule_lost(name, &lost);
	r->lost = (uint8_t)lost;
	if (n > 0)
		(*paths)[EVENT_MORE] = r->tracks->about;
	else if (jfr_lasts(name, &lasting) && lasting != NULL) {
		for (int i = 0; i < JFR_VALUES; i++)
			(*paths)[EVENT_VALUES + i] = lasting->about[i];
		if (lasting->owner != NULL)
			(*paths)[EVENT_VALUES + JFR_VALUES - 1] = lasting->owner;
		(*paths)[EVENT_MORE] = lasting->bytes;
	}
	jfr_settings_paths(name, r, paths);
}

static void
new_reader(struct jfr *j, uint32_t type)
{
	struct jfr_type *t = jfr_type(&j->c, type);
	struct str name = jfr_word(&j->c, t->name);
	const struct jfr_rule *rule = jfr_rule_of(name);
	struct jfr_reader r = { .ignored = is_ignored(name), .name = t->name };
	jfr_paths paths = { NULL };
	const struct jfr_slot *slot;

	event_paths(&j->c, t, &r, &paths);
	if ((r.plan = jfr_steps_make(&j->c, type, &paths)) == 0)
		return;
	slot = jfr_steps_of(&j->c, r.plan)->slot;
	r.stated = slot[EVENT_STATE].kind == JFR_KEY &&
	    str_eq(jfr_word(&j->c, jfr_type(&j->c, slot[EVENT_STATE].type)->name), STR("jdk.types.ThreadState"));
	/* An event without a time cannot be a point of a track. */
	r.ntracks = slot[EVENT_START].kind == JFR_NUMBER ? r.ntracks : 0;
	/* An event without its weight field counts as one, whatever its duration. */
	r.weigh = slot[EVENT_WEIGHT].kind == JFR_NUMBER ? WEIGH_FIELD : rule != NULL ? WEIGH_ONE :
	    slot[EVENT_DURATION].kind == JFR_NUMBER ? WEIGH_DURATION : WEIGH_ONE;
	/* A free has the field of a stack, without one. */
	if (slot[EVENT_STACK].kind == JFR_KEY && !str_is(name, "profiler.Free")) {
		r.event = jfr_event_add(j, name, rule, r.weigh == WEIGH_FIELD ||
		    (rule != NULL && rule->weight[0] == '\0'));
		jfr_kinds_reader(j, name, &r);
	}
	if (slot[EVENT_START].kind == JFR_NUMBER && slot[EVENT_DURATION].kind == JFR_NUMBER)
		r.kind = jfr_intervals_kind(j, name);
	INTO_ROW(&j->to, j->readers, j->nreaders, r, "types");
	jfr_type(&j->c, type)->event = j->to.bad ? 0 : (uint32_t)j->nreaders;
}

struct jfr_reader *
jfr_reader_of(struct jfr *j, uint64_t id)
{
	uint32_t type = jfr_type_row(&j->c, id), row;

	if (type == UINT32_MAX)
		return NULL;
	if (jfr_type(&j->c, type)->event == 0)
		new_reader(j, type);
	row = jfr_type(&j->c, type)->event;
	assert(row <= j->nreaders);
	return row == 0 ? NULL : &SCRATCH(j->readers, struct jfr_reader)[row - 1];
}
