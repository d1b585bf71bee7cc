/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * events: convert the events of a chunk to samples.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "jfr.h"

static uint64_t
not_below_0(uint64_t v)
{
	return (int64_t)v < 0 ? 0 : v;
}

static uint64_t
events_in_unit(const struct jfr_chunk *c, uint64_t v, enum jfr_unit unit)
{
	static const uint64_t ns[] = { [JFR_NO_UNIT] = 1, [JFR_NS] = 1, [JFR_US] = 1000, [JFR_MS] = 1000000,
	    [JFR_S] = 1000000000 };

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
	case WEIGH_FIELD: return events_in_unit(c, c->slot[EVENT_WEIGHT],
	    (enum jfr_unit)plan->slot[EVENT_WEIGHT].unit);
	case WEIGH_DURATION: return jfr_chunk_length(c, c->slot[EVENT_DURATION]);
	case WEIGH_ONE: break;
	}
	return 1;
}

/* Return the stack, with the class of the event as its innermost frame. */
static uint32_t
sample_stack(struct jfr *j, const struct jfr_plan *plan)
{
	uint64_t class = j->c.slot[EVENT_CLASS];
	uint32_t stack = jfr_stack_of(j, plan->slot[EVENT_STACK].type, j->c.slot[EVENT_STACK]), frame;

	if (stack == 0 || plan->slot[EVENT_CLASS].kind != JFR_KEY)
		return stack;
	frame = jfr_class_frame(j, plan->slot[EVENT_CLASS].type, class);
	return frame == 0 ? stack : into_stack(&j->to, stack, frame);
}

/* Add a sample and return its stack. */
static uint32_t
events_add_sample(struct jfr *j, const struct jfr_reader *r, const struct jfr_plan *plan, uint64_t at,
    uint32_t thread)
{
	const struct jfr_chunk *c = &j->c;
	uint64_t object = c->slot[EVENT_VALUES], state = c->slot[EVENT_STATE], stack = c->slot[EVENT_STACK];
	struct jfr_known *known;
	struct sample s = { .offset = at, .event = r->event, .weight = events_weight_of(c, r, plan),
	    .thread = thread };
	int time = plan->slot[EVENT_TIME].kind == JFR_NUMBER ? EVENT_TIME : EVENT_START;

	s.time = j->timed && plan->slot[time].kind == JFR_NUMBER ? jfr_chunk_time(c, c->slot[time]) :
	    SAMPLE_NO_TIME;
	s.time = s.time > j->latest ? SAMPLE_NO_TIME : s.time;
	s.stack = sample_stack(j, plan);
	if (r->stated)
		jfr_kinds_sample(j, r, plan->slot[EVENT_STATE], state, &s);
	if (j->to.bad)
		return 0;
	assert(s.event != 0 && s.event <= j->nknown);
	known = &SCRATCH(j->known, struct jfr_known)[s.event - 1];
	known->lasts |= r->weigh == WEIGH_DURATION && s.weight > 0;
	known->stacks += s.stack != 0;
	known->elsewhere |= r->kind != 0 || r->ntracks > 0 || r->ignored || r->note != NOTE_NOTHING;
	known->n++;
	/* A thread that runs no Java code has a stack without frames. */
	known->bare |= s.stack == 0 && jfr_constant_find(c, plan->slot[EVENT_STACK].type, stack) != NULL;
	into_sample(&j->to, &s);
	if (r->survives)
		jfr_old_add(j, plan->slot[EVENT_VALUES], object, s.stack);
	return s.stack;
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
static void
events_take_event(struct jfr *j, struct jfr_reader *r, const struct jfr_plan *plan, uint64_t at)
{
	uint64_t *slot = j->c.slot, kept[JFR_SLOTS];
	uint32_t thread, stack = 0;

	j->timed = r->ignored || note_times(j, plan);
	if (plan->slot[EVENT_LOST].kind == JFR_NUMBER)
		j->lost.recorder[r->lost] = num_add(j->lost.recorder[r->lost], not_below_0(slot[EVENT_LOST]));
	memcpy(kept, slot, sizeof kept);
	if (r->ntracks > 0 && j->timed)
		jfr_tracks_add(j, r, plan);
	if (r->native && r->event == 0) {
		jfr_native_add(j, plan, kept, 0, 0);
		return;
	}
	if (r->event == 0 && (r->kind == 0 || !j->timed)) {
		r->unread += r->ntracks == 0 && !r->ignored && r->note == NOTE_NOTHING &&
		    plan->slot[EVENT_LOST].kind != JFR_NUMBER;
		return;
	}
	thread = jfr_thread_of(j, plan->slot[EVENT_THREAD].type,
	    plan->slot[EVENT_THREAD].kind == JFR_KEY ? kept[EVENT_THREAD] : 0);
	memcpy(slot, kept, sizeof kept);
	if (r->event != 0)
		stack = events_add_sample(j, r, plan, at, thread);
	memcpy(slot, kept, sizeof kept);
	if (r->native)
		jfr_native_add(j, plan, kept, thread, stack);
	if (r->kind != 0 && j->timed)
		jfr_intervals_add(j, r, plan, thread, stack);
}

/*
 * A recorder also writes events of types that it describes only later. In a damaged chunk the type may be the damage.
 */
static void
pass_over(struct jfr *j, uint64_t type)
{
	char name[32];
	int n = snprintf(name, sizeof name, "type_%" PRIu64, type);

	if (j->whole && jfr_type_row(&j->c, type) == UINT32_MAX)
		unread_add(&j->unread, UNREAD_EVENT, (struct str){ name, (size_t)n }, 1);
	else
		j->lost.unknown_events++;
}

static void
events_read_event(struct jfr *j, struct jfr_event *e)
{
	struct jfr_reader *r = jfr_reader_of(j, e->type);
	const struct jfr_plan *plan;

	if (r == NULL) {
		pass_over(j, e->type);
		return;
	}
	plan = jfr_steps_of(&j->c, r->plan);
	if (!jfr_steps_run(&j->c, plan, &e->body)) {
		j->lost.bad_events++;
		return;
	}
	if (r->note != NOTE_NOTHING)
		jfr_settings_add(j, r, plan);
	events_take_event(j, r, plan, e->begin);
}

/* Count the events that are not shown. */
static void
events_count_unread(struct jfr *j)
{
	const struct jfr_reader *r = SCRATCH(j->readers, struct jfr_reader);
	enum jfr_unread is;
	struct str name;

	for (uint64_t i = 0; i < j->nreaders; i++) {
		name = jfr_word(&j->c, r[i].name);
		is = jfr_rule_unread(name);
		if (str_is(name, "jdk.ThreadDump"))
			j->dumps += r[i].unread;
		if (r[i].unread > 0 && is != JFR_UNREAD_SHOWN)
			unread_add(&j->unread, is == JFR_UNREAD_CONTEXT ? UNREAD_CONTEXT : UNREAD_EVENT, name,
			    r[i].unread);
	}
}

void
jfr_events_read(struct jfr *j)
{
	uint64_t at = j->c.begin + JFR_HEADER;
	struct jfr_event e;

	j->nreaders = 0;
	jfr_times_begin(j);
	jfr_settings_begin(j);
	for (uint64_t n = 0; !j->to.bad && jfr_chunk_event(&j->c, &at, &e); n++) {
		if (n % JFR_TICK == 0)
			into_go(&j->to, at);
		if (e.type > 1)
			events_read_event(j, &e);
	}
	jfr_settings_end(j);
	events_count_unread(j);
}
