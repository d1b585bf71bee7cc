/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * events: convert the events of a chunk to samples.
 */
#include "config.h"

#include <assert.h>

#include "jfr.h"

/* ---- event types ---------------------------------------------------------------------------------- */

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
	return str_eq(name, STR("jdk.ActiveSetting")) || str_eq(name, STR("jdk.ActiveRecording"));
}

/* Add an event.  Its final name and weight are known only after all events were read. */
uint32_t
jfr_event_add(struct jfr *j, struct str name, const struct jfr_rule *rule, bool stated, struct err *err)
{
	struct jfr_known known = { .rank = jfr_rule_rank(rule) };
	uint32_t event = samples_event(&j->s, name, WEIGHT_COUNT, "", err);

	if (event == 0 || (event > j->nknown && !make_add(&j->known, &j->nknown, &known, sizeof known, MAKE_MOST, "events", err)))
		return 0;
	assert(event <= j->nknown);
	if (stated)
		SCRATCH(j->known, struct jfr_known)[event - 1].rule = rule;
	return event;
}

static bool
events_add_event(struct jfr *j, struct jfr_reader *r, struct str name, const struct jfr_rule *rule, struct err *err)
{
	bool stated = r->weigh == WEIGH_FIELD || (rule != NULL && rule->weight[0] == '\0');

	r->event = jfr_event_add(j, name, rule, stated, err);
	return r->event != 0 && jfr_kinds_reader(j, name, r, err);
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

static bool
new_reader(struct jfr *j, uint32_t type, struct err *err)
{
	struct jfr_type *t = jfr_type(&j->c, type);
	struct str name = jfr_word(&j->c, t->name);
	const struct jfr_rule *rule = jfr_rule_of(name);
	struct jfr_reader r = { .ignored = is_ignored(name), .name = t->name };
	jfr_paths paths = { NULL };
	const struct jfr_plan *plan;

	event_paths(&j->c, t, &r, &paths);
	if (!jfr_steps_make(&j->c, type, &paths, &r.plan, err))
		return false;
	plan = jfr_steps_of(&j->c, r.plan);
	r.stated = plan->slot[EVENT_STATE].kind == JFR_KEY &&
	    str_eq(jfr_word(&j->c, jfr_type(&j->c, plan->slot[EVENT_STATE].type)->name), STR("jdk.types.ThreadState"));
	/* An event without a time cannot be a point of a track. */
	r.ntracks = plan->slot[EVENT_START].kind == JFR_NUMBER ? r.ntracks : 0;
	/* An event without its weight field counts as one, whatever its duration. */
	r.weigh = plan->slot[EVENT_WEIGHT].kind == JFR_NUMBER ? WEIGH_FIELD : rule != NULL ? WEIGH_ONE :
	    plan->slot[EVENT_DURATION].kind == JFR_NUMBER ? WEIGH_DURATION : WEIGH_ONE;
	if ((plan->slot[EVENT_STACK].kind == JFR_KEY && !events_add_event(j, &r, name, rule, err)) ||
	    (plan->slot[EVENT_START].kind == JFR_NUMBER && plan->slot[EVENT_DURATION].kind == JFR_NUMBER &&
	    !jfr_intervals_kind(j, name, &r.kind, err)))
		return false;
	if (!make_add(&j->readers, &j->nreaders, &r, sizeof r, MAKE_MOST, "types", err))
		return false;
	jfr_type(&j->c, type)->event = (uint32_t)j->nreaders;
	return true;
}

/* ---- samples -------------------------------------------------------------------------------------- */

static uint64_t
not_below_0(uint64_t v)
{
	return (int64_t)v < 0 ? 0 : v;
}

static uint64_t
events_in_unit(const struct jfr_chunk *c, uint64_t v, enum jfr_unit unit)
{
	static const uint64_t ns[] = { [JFR_NO_UNIT] = 1, [JFR_NS] = 1, [JFR_US] = 1000, [JFR_MS] = 1000000, [JFR_S] = 1000000000 };

	assert(unit == JFR_TICKS || unit < NELEM(ns));
	if (unit == JFR_TICKS)
		return jfr_chunk_length(c, v);
	v = not_below_0(v);
	return v > INT64_MAX / ns[unit] ? INT64_MAX : v * ns[unit];
}

static uint64_t
events_weight_of(const struct jfr_chunk *c, const struct jfr_reader *r, const struct jfr_plan *plan)
{
	switch ((enum jfr_weight)r->weigh) {
	case WEIGH_FIELD: return events_in_unit(c, c->slot[EVENT_WEIGHT], (enum jfr_unit)plan->slot[EVENT_WEIGHT].unit);
	case WEIGH_DURATION: return jfr_chunk_length(c, c->slot[EVENT_DURATION]);
	case WEIGH_ONE: break;
	}
	return 1;
}

/* Return the stack, with the class of the event as its innermost frame. */
static bool
sample_stack(struct jfr *j, const struct jfr_plan *plan, uint32_t *stack, struct err *err)
{
	uint64_t class = j->c.slot[EVENT_CLASS];
	uint32_t frame;

	if (!jfr_stack_of(j, plan->slot[EVENT_STACK].type, j->c.slot[EVENT_STACK], stack, err))
		return false;
	if (*stack == 0 || plan->slot[EVENT_CLASS].kind != JFR_KEY)
		return true;
	if (!jfr_class_frame(j, plan->slot[EVENT_CLASS].type, class, &frame, err))
		return false;
	return frame == 0 || (*stack = samples_stack(&j->s, *stack, frame, err)) != 0;
}

static bool
events_add_sample(struct jfr *j, const struct jfr_reader *r, const struct jfr_plan *plan, uint64_t at, uint32_t thread, uint32_t *stack,
    struct err *err)
{
	const struct jfr_chunk *c = &j->c;
	uint64_t object = c->slot[EVENT_VALUES], state = c->slot[EVENT_STATE];
	struct jfr_known *known;
	struct sample s = { .offset = at, .event = r->event, .weight = events_weight_of(c, r, plan), .thread = thread };
	int time = plan->slot[EVENT_TIME].kind == JFR_NUMBER ? EVENT_TIME : EVENT_START;

	s.time = j->timed && plan->slot[time].kind == JFR_NUMBER ? jfr_chunk_time(c, c->slot[time]) : SAMPLE_NO_TIME;
	s.time = s.time > j->to ? SAMPLE_NO_TIME : s.time;
	if (!sample_stack(j, plan, &s.stack, err) || (r->stated && !jfr_kinds_sample(j, r, plan->slot[EVENT_STATE], state, &s, err)))
		return false;
	*stack = s.stack;
	assert(s.event != 0 && s.event <= j->nknown);
	known = &SCRATCH(j->known, struct jfr_known)[s.event - 1];
	known->lasts |= r->weigh == WEIGH_DURATION && s.weight > 0;
	known->stacks += s.stack != 0;
	return samples_add(&j->s, &s, err) && (!r->survives || jfr_old_add(j, plan->slot[EVENT_VALUES], object, s.stack, err));
}

/* Return false if the time is impossible; the sample is then kept without a time. */
static bool
note_times(struct jfr *j, const struct jfr_plan *plan)
{
	uint64_t begin, end;

	if (!jfr_times_of(j, plan, &begin, &end))
		return true;
	if (!jfr_times_sensible(j, begin, end)) {
		j->lost.times++;
		return false;
	}
	j->zero = begin < j->zero ? begin : j->zero;
	j->last = end > j->last ? end : j->last;
	return true;
}

/* Reading constants overwrites the slots of the event: save them. */
static bool
events_tell_event(struct jfr *j, struct jfr_reader *r, const struct jfr_plan *plan, uint64_t at, struct err *err)
{
	uint64_t *slot = j->c.slot, kept[JFR_SLOTS];
	uint32_t thread, stack = 0;

	j->timed = r->ignored || note_times(j, plan);
	if (plan->slot[EVENT_LOST].kind == JFR_NUMBER)
		j->lost.recorder[r->lost] = num_add(j->lost.recorder[r->lost], not_below_0(slot[EVENT_LOST]));
	memcpy(kept, slot, sizeof kept);
	if (r->ntracks > 0 && j->timed && !jfr_tracks_add(j, r, plan, err))
		return false;
	if (r->event == 0 && (r->kind == 0 || !j->timed)) {
		r->unread += r->ntracks == 0 && !r->ignored && r->note == NOTE_NOTHING && plan->slot[EVENT_LOST].kind != JFR_NUMBER;
		return true;
	}
	if (!jfr_thread_of(j, plan->slot[EVENT_THREAD].type, plan->slot[EVENT_THREAD].kind == JFR_KEY ? kept[EVENT_THREAD] : 0, &thread, err))
		return false;
	memcpy(slot, kept, sizeof kept);
	if (r->event != 0 && !events_add_sample(j, r, plan, at, thread, &stack, err))
		return false;
	memcpy(slot, kept, sizeof kept);
	return r->kind == 0 || !j->timed || jfr_intervals_add(j, r, plan, thread, stack, err);
}

bool
jfr_reader_of(struct jfr *j, uint64_t id, struct jfr_reader **r, struct err *err)
{
	uint32_t type = jfr_type_row(&j->c, id);

	*r = NULL;
	if (type == UINT32_MAX)
		return true;
	if (jfr_type(&j->c, type)->event == 0 && !new_reader(j, type, err))
		return false;
	assert(jfr_type(&j->c, type)->event != 0 && jfr_type(&j->c, type)->event <= j->nreaders);
	*r = &SCRATCH(j->readers, struct jfr_reader)[jfr_type(&j->c, type)->event - 1];
	return true;
}

static bool
events_read_event(struct jfr *j, struct jfr_event *e, struct err *err)
{
	struct jfr_reader *r;
	const struct jfr_plan *plan;

	if (!jfr_reader_of(j, e->type, &r, err))
		return false;
	if (r == NULL) {
		j->lost.unknown_events++;
		return true;
	}
	plan = jfr_steps_of(&j->c, r->plan);
	if (!jfr_steps_run(&j->c, plan, &e->body)) {
		j->lost.bad_events++;
		return true;
	}
	return (r->note == NOTE_NOTHING || jfr_settings_add(j, r, plan, err)) && events_tell_event(j, r, plan, e->begin, err);
}

/* Count the events that are not shown, those that say most first. */
static void
events_count_unread(struct jfr *j)
{
	const struct jfr_reader *r = SCRATCH(j->readers, struct jfr_reader);

	for (unsigned rank = 0; rank < JFR_UNREAD_RANKS; rank++)
		for (uint64_t i = 0; i < j->nreaders; i++)
			if (r[i].unread > 0 && jfr_rule_unread(jfr_word(&j->c, r[i].name)) == rank)
				unread_add(&j->unread, UNREAD_EVENT, jfr_word(&j->c, r[i].name), r[i].unread);
}

bool
jfr_events_read(struct jfr *j, struct err *err)
{
	uint64_t at = j->c.begin + JFR_HEADER;
	struct jfr_event e;

	j->nreaders = 0;
	if (!jfr_process_find(j, err) || !jfr_times_begin(j, err))
		return false;
	for (uint64_t n = 0; jfr_chunk_event(&j->c, &at, &e); n++) {
		if (n % JFR_TICK == 0 && !work_go(j->work, at, err))
			return false;
		if (e.type > 1 && !events_read_event(j, &e, err))
			return false;
	}
	events_count_unread(j);
	return true;
}
