/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * speedscope JSON: stacks with weights, or frames that open and close.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/points.h"
#include "jload.h"

#define PROFILE(W, V, O) W(type) W(name) W(unit) W(startValue) V(samples) V(weights) V(events)
#define EVENT(W, V, O) W(type) W(frame) W(at)
#define FRAME(W, V, O) W(name) W(file) W(line)
#define SHARED(W, V, O) V(frames)
/* Members after "profiles" are not shown. */
#define TOP(W, V, O) V(shared) V(profiles) O("$schema", schema) V(name) V(activeProfileIndex) V(exporter) V(version)

JLOAD_SHAPE(sp_profile, PROFILE)
JLOAD_SHAPE(sp_event, EVENT)
JLOAD_SHAPE(sp_frame, FRAME)
JLOAD_SHAPE(sp_shared, SHARED)
JLOAD_SHAPE(sp_top, TOP)

struct speedscope {
	struct jload	*l;
	struct into	*to;
	struct scratch	 frames;	/* struct frame, by index */
	uint64_t	 nframes, first;	/* first: time of the first event */
	struct points	 states;	/* index in threads */
	bool		 stated;	/* the profile's thread has a track */
	uint32_t	 thread;	/* thread of the profile; 0: not used so far */
	uint32_t	 number;	/* of the profile, from 1 */
	struct sp_profile at;
	unsigned	 decimals;	/* exponent for times in ns */
	bool		 time, evented;	/* the unit is a time; calls were read */
	uint64_t	 active;	/* number of the profile that the file opens, from 1; 0: unknown */
	bool		 named;		/* one of several profiles is active */
	struct scratch	 open;		/* struct step_frame: open frames of a profile without times */
	uint64_t	 nopen;
};

struct frame {
	uint32_t	id;		/* 0: a state, or a thread that is no function of any stack so far */
	uint32_t	open;		/* number of open frames that are this one */
	const char	*state;		/* or NULL */
	uint64_t	thread;		/* 1 + place of a frame that names a thread; 0: others */
};

struct step_frame {
	uint32_t	frame, stack;	/* row of the frame; stack with it on top */
};

/* An event that opens or closes a frame. */
struct frame_step {
	struct frame	*frame;
	uint64_t	time;		/* from TIME_ZERO on */
	bool		opens;
};

/* The names of threads are functions only if they are not outermost. */
static uint32_t
speedscope_function(struct speedscope *s, struct frame *f)
{
	struct json item = s->l->doc;
	struct sp_frame at;

	if (f->id == 0 && f->thread != 0) {
		item.at = f->thread - 1;
		at = sp_frame_read(s->l, item);
		f->id = jload_function(s->l, at.name, at.file, jload_whole(at.line, 0));
	}
	return f->id;
}

static void
speedscope_read_frames(struct speedscope *s, struct json array)
{
	JLOAD_EACH(s->l, array, item) {
		struct sp_frame at = sp_frame_read(s->l, item);
		struct frame f = { .state = state_told(at.name) };
		struct thread_told t = { .pid = 0 };

		if (frame_told(jload_text(s->l, at.name), &t))
			f.thread = item.at + 1;
		else if (f.state == NULL)
			f.id = jload_function(s->l, at.name, at.file, jload_whole(at.line, 0));
		INTO_ROW(s->to, s->frames, s->nframes, f, "frames");
	}
}

/* Return the frame with that number; NULL: missing. */
static struct frame *
speedscope_frame_of(const struct speedscope *s, struct str word)
{
	uint64_t i;

	return scan_fixed(word, 0, &i) && i < s->nframes ? &SCRATCH(s->frames, struct frame)[i] : NULL;
}

/*
 * Return the event of samples in the unit of the profile; 0: the profile has calls, or nothing.  Profiles in
 * units of time are threads.  Profiles in other units may be measures of the same thread, so each gets an
 * event of its own if one of them is active.
 */
static uint32_t
read_unit(struct speedscope *s, bool evented)
{
	static const struct {
		const char	*name;
		unsigned	 decimals;
		const char	*event;
		enum weight_type type;
		const char	*unit;
	} units[] = {
		{ "seconds", 9, "time", WEIGHT_TIME, "ns" }, { "milliseconds", 6, "time", WEIGHT_TIME, "ns" },
		{ "microseconds", 3, "time", WEIGHT_TIME, "ns" }, { "nanoseconds", 0, "time", WEIGHT_TIME, "ns" },
		{ "bytes", 0, "bytes", WEIGHT_BYTES, "bytes" }, { "", 0, "samples", WEIGHT_COUNT, "samples" },
	};
	struct json events = json_items(s->at.events);
	struct str name, rest;
	struct thread_told t;
	size_t i = 0;

	/* The last row matches all other units. */
	while (i < NELEM(units) - 1 && !str_eq(s->at.unit, str_of(units[i].name)))
		i++;
	s->time = units[i].type == WEIGHT_TIME;
	s->decimals = units[i].decimals;
	if (evented && (s->time || events.base == NULL || !scan_item(&events)))
		return 0;
	name = jload_text(s->l, s->at.name);
	rest = name;
	if (s->time || !s->named || name.n == 0 || thread_told(&rest, &t))
		name = str_of(units[i].event);
	return into_event(s->to, name, units[i].type, units[i].unit);
}

/* Each profile is a thread, but for stacks that name theirs; its name may contain the ids. */
static uint32_t
speedscope_thread(struct speedscope *s)
{
	struct str name, rest;
	struct thread_told t;

	if (s->thread != 0)
		return s->thread;
	name = rest = jload_text(s->l, s->at.name);
	if (!thread_told(&rest, &t))
		t = (struct thread_told){ .name = name };
	s->thread = INTO_ID(s->to, samples_thread(&s->l->samples, t.pid, t.tid != 0 ? t.tid : s->number, t.name,
	    s->to->err));
	return s->thread;
}

/* ---- stacks with weights ---------------------------------------------------------------- */

/* The outermost frames of a stack may name its process and thread; else the profile is the thread. */
static void
read_thread(struct speedscope *s, struct json *rest, struct sample *to)
{
	struct thread_told t = { .pid = 0 };
	struct json after = *rest, item = s->l->doc;
	bool told = false, thread = false;
	const struct frame *f;
	struct str word;

	while (!thread && json_next_word(&after, &word) && (f = speedscope_frame_of(s, word)) != NULL &&
	    f->thread != 0) {
		item.at = f->thread - 1;
		told = frame_told(jload_text(s->l, sp_frame_read(s->l, item).name), &t);
		thread = t.tid != 0 || t.pid == 0;
		*rest = after;
	}
	if (told)
		to->thread = INTO_ID(s->to, samples_thread(&s->l->samples, t.pid, t.tid, t.name, s->to->err));
	else
		to->thread = speedscope_thread(s);
}

/* Read a stack, its thread, and the state of the thread. */
static void
read_stack(struct speedscope *s, struct json j, struct sample *to)
{
	struct json rest = json_items(j);
	struct frame *f;
	struct str word;

	to->stack = to->state = 0;
	s->l->bad += rest.base == NULL;
	read_thread(s, &rest, to);
	while (json_next_word(&rest, &word)) {
		f = speedscope_frame_of(s, word);
		if (f == NULL)
			s->l->bad++;
		else if (f->state != NULL)
			to->state = INTO_ID(s->to, samples_state(&s->l->samples, str_of(f->state), s->to->err));
		else
			to->stack = into_stack(s->to, to->stack, speedscope_function(s, f));
	}
}

/* Without weights each is 1; missing and negative weights are 0. */
static uint64_t
speedscope_read_weight(struct speedscope *s, struct json *weights)
{
	struct samples *to = &s->l->samples;
	struct str word = STR("");
	uint64_t v = 0;

	if (weights->base == NULL)
		return samples_whole(to, 1);
	if (!json_next_word(weights, &word))
		word = STR("");
	if (!s->time && jload_is_weight(word)) {
		INTO(s->to, samples_weight(to, word, &v, s->to->err));
		return v;
	}
	jload_number(s->l, word, s->decimals, &v);
	return samples_whole(to, v);
}

/* Move the start of time back if needed: calls of other profiles may begin later. */
static void
see_start(struct speedscope *s, uint64_t start)
{
	uint64_t *first = &s->l->spans.calls.first;

	*first = *first == 0 || start < *first ? start : *first;
}

static void
speedscope_read_samples(struct speedscope *s, uint32_t event)
{
	struct json weights = json_items(s->at.weights);
	struct sample one = { .event = event };
	uint64_t clock = TIME_ZERO, length;

	s->l->no_number += s->at.has_startValue && !jload_time(s->l, s->at.startValue, s->decimals, &clock);
	if (json_items(s->at.samples).base == NULL) {
		(void)speedscope_thread(s);
		return;
	}
	if (s->time)
		see_start(s, clock);
	JLOAD_EACH(s->l, s->at.samples, stack) {
		one.offset = stack.at;
		one.time = s->time ? clock : SAMPLE_NO_TIME;
		read_stack(s, stack, &one);
		one.weight = speedscope_read_weight(s, &weights);
		into_sample(s->to, &one);
		length = one.weight / samples_whole(&s->l->samples, 1);
		clock = jload_step(s->l, clock, TIME_ZERO + (length < TIME_MOST ? length : TIME_MOST));
	}
	if (one.thread == 0)
		(void)speedscope_thread(s);
	s->l->samples.times |= s->time;
}

/* ---- frames that open and close ------------------------------------------------------------ */

/* The track of a thread begins with its first state. */
static void
speedscope_add_state(struct speedscope *s, const char *name, uint64_t time)
{
	uint32_t state = name == NULL ? STATE_NONE : points_state(&s->states, name, s->to->err);

	INTO(s->to, (name == NULL || state != STATE_NONE) &&
	    (s->stated || points_track(&s->states, TRACK_STATE, "state", "", s->thread, 0, s->to->err)) &&
	    points_add(&s->states, time, state, s->to->err));
	s->stated = true;
}

/* Read an event; false: it lacks a known frame, time or type, and is counted. */
static bool
speedscope_read_event(struct speedscope *s, struct json item, struct frame_step *e)
{
	struct sp_event at = sp_event_read(s->l, item);
	bool ok;

	e->frame = speedscope_frame_of(s, at.frame);
	e->opens = str_eq(at.type, STR("O"));
	ok = e->frame != NULL && jload_time(s->l, at.at, s->decimals, &e->time) &&
	    (e->opens || str_eq(at.type, STR("C")));
	s->l->bad += !ok;
	if (ok)
		(void)speedscope_function(s, e->frame);
	return ok;
}

static void
speedscope_read_calls(struct speedscope *s)
{
	struct frame_step at;

	(void)speedscope_thread(s);
	JLOAD_EACH(s->l, s->at.events, item) {
		struct call_event e = { .thread = s->thread };

		if (!speedscope_read_event(s, item, &at))
			continue;
		e.time = at.time;
		s->first = e.time < s->first ? e.time : s->first;
		e.word = 4 * at.frame->id + (at.opens ? ACT_ENTER : ACT_EXIT);
		if (at.frame->state != NULL)
			speedscope_add_state(s, at.opens ? at.frame->state : NULL, e.time);
		else
			INTO(s->to, calls_in_add(&s->l->spans.calls, &e, s->to->err));
	}
}

/* ---- frames that open and close, in units other than times --------------------------------- */

static void
open_frame(struct speedscope *s, struct frame *f)
{
	uint32_t parent = s->nopen == 0 ? 0 : SCRATCH(s->open, struct step_frame)[s->nopen - 1].stack;
	struct step_frame new = { (uint32_t)(f - SCRATCH(s->frames, struct frame)),
	    into_stack(s->to, parent, f->id) };

	INTO_ROW(s->to, s->open, s->nopen, new, "open frames");
	f->open++;
}

static struct frame *
pop_frame(struct speedscope *s)
{
	uint32_t row = SCRATCH(s->open, struct step_frame)[--s->nopen].frame;

	return &SCRATCH(s->frames, struct frame)[row];
}

/* Close a frame and those inside it. */
static void
close_frame(struct speedscope *s, const struct frame *f)
{
	struct frame *top = NULL;

	s->l->bad += f->open == 0;
	while (f->open > 0 && top != f) {
		top = pop_frame(s);
		top->open--;
		s->l->bad += top != f;
	}
}

/* The step from one event to the next is the weight of a sample of the open frames. */
static void
speedscope_read_steps(struct speedscope *s, uint32_t event)
{
	struct sample one = { .thread = speedscope_thread(s), .event = event, .time = SAMPLE_NO_TIME };
	struct frame_step at;
	uint64_t last = 0;

	JLOAD_EACH(s->l, s->at.events, item) {
		if (!speedscope_read_event(s, item, &at) || at.frame->id == 0)
			continue;
		if (s->nopen > 0 && at.time > last) {
			one.offset = item.at;
			one.stack = SCRATCH(s->open, struct step_frame)[s->nopen - 1].stack;
			one.weight = samples_whole(&s->l->samples, at.time - last);
			into_sample(s->to, &one);
		}
		last = at.time > last ? at.time : last;
		if (at.opens)
			open_frame(s, at.frame);
		else
			close_frame(s, at.frame);
	}
	while (s->nopen > 0)
		pop_frame(s)->open--;
}

/* ---- file ----------------------------------------------------------------------------------- */

/* A profile of another type has another meaning, even if it has samples: it is counted by its type. */
static bool
is_other_type(struct speedscope *s)
{
	struct str type = jload_text(s->l, s->at.type);
	char name[UNREAD_NAME + 1];
	int n;

	if (type.n == 0 || str_is(type, "sampled") || str_is(type, "evented"))
		return false;
	n = snprintf(name, sizeof name, "profile of type %.*s", (int)str_head(type, UNREAD_NAME).n, type.s);
	unread_add(&s->l->unread, UNREAD_RECORD, str_head((struct str){ name, (size_t)n }, UNREAD_NAME), 1);
	return true;
}

static void
speedscope_read_profile(struct speedscope *s, struct json j, uint32_t number)
{
	bool evented;
	uint32_t event;

	s->at = sp_profile_read(s->l, j);
	if (is_other_type(s))
		return;
	evented = str_is(s->at.type, "evented");
	s->stated = false;
	s->thread = 0;
	s->number = number;
	event = read_unit(s, evented);
	s->evented |= evented && s->time;
	if (event != 0 && number == s->active) {
		s->l->samples.chosen = event;
		s->l->samples.chosen_by = "active profile of the file";
	}
	if (event == 0)
		speedscope_read_calls(s);
	else if (evented)
		speedscope_read_steps(s, event);
	else
		speedscope_read_samples(s, event);
}

static void
put_states(struct speedscope *s)
{
	if (s->states.ntracks == 0)
		return;
	assert(s->first != UINT64_MAX);
	s->l->spans.calls.first = s->first;
	s->l->spans.calls.shapes |= SHAPE_TRACKS;
	points_since(&s->states, s->first);
	INTO(s->to, points_columns(&s->states, s->l->st, s->to->err));
}

void
speedscope_load(struct jload *l)
{
	struct speedscope s = { .l = l, .to = &l->to, .first = UINT64_MAX };
	struct json doc = l->doc;
	struct sp_top at = sp_top_take(l, &doc, true);
	struct json rest = json_items(at.profiles), item, after;
	uint32_t number = 0;

	if (scan_fixed(jload_word(at.activeProfileIndex), 0, &s.active) && s.active < UINT32_MAX)
		s.active++;
	points_open(&s.states);
	speedscope_read_frames(&s, sp_shared_read(l, at.shared).frames);
	while (jload_next(l, &rest, &item)) {
		after = rest;
		s.named = s.named || (s.active > 0 && scan_item(&after));
		speedscope_read_profile(&s, item, ++number);
	}
	SCRATCH_FREE(&s.frames, &s.open);
	put_states(&s);
	points_close(&s.states);
	INTO(s.to, number > 0 || fail(s.to->err, E_UNREADABLE, "no profile in this JSON"));
	/* Samples in a file with calls are an event of their own. */
	l->timed = l->spans.calls.n > 0 || (s.evented && l->samples.nsamples == 0);
}
