/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * speedscope JSON: stacks with weights, or frames that open and close.
 */
#include "config.h"

#include <string.h>

#include "icecore/points.h"
#include "jload.h"

enum { TYPE, NAME, UNIT, START, SAMPLES, WEIGHTS, EVENTS, MEMBERS };

static const char *const members[] = { "type", "name", "unit", "startValue", "samples", "weights", "events", NULL };

struct speedscope {
	struct jload	*l;
	struct scratch	 frames;	/* struct frame, by index */
	uint64_t	 nframes, first;	/* first: time of the first event */
	struct points	 states;	/* index in threads */
	bool		 stated;	/* the profile's thread has a track */
	uint32_t	 thread;	/* of the profile */
	struct json	 at[MEMBERS];
	unsigned	 decimals;	/* exponent for times in ns */
	bool		 time, evented;	/* exponent of the unit; a profile of frames that open and close was read */
};

struct frame {
	uint32_t	id;		/* 0: a state */
	const char	*state;		/* or NULL */
};

/* Return the state that dotnet-trace puts on top of a stack as a pseudo function; NULL: a real function. */
static const char *
speedscope_state_of(struct str name)
{
	static const struct { const char *frame, *state; } states[] = {
		{ "CPU_TIME", "CPU" }, { "UNMANAGED_CODE_TIME", "unmanaged code" }, { "BLOCKED_TIME", "blocked" },
	};

	for (size_t i = 0; i < NELEM(states); i++)
		if (str_eq(name, str_of(states[i].frame)))
			return states[i].state;
	return NULL;
}

static bool
speedscope_read_frame(void *arg, struct json j, struct err *err)
{
	static const char *const names[] = { "name", "file", "line", NULL };
	struct speedscope *s = arg;
	struct json at[3];
	uint64_t line;
	struct frame f = { 0, NULL };

	jload_members(s->l, j, names, at);
	line = scan_fixed(jload_word(at[2]), 0, &line) ? line : 0;
	if ((f.state = speedscope_state_of(jload_word(at[0]))) == NULL)
		f.id = jload_function(s->l, jload_word(at[0]), jload_word(at[1]), line, err);
	return (f.id != 0 || f.state != NULL) && make_add(&s->frames, &s->nframes, &f, sizeof f, UINT64_MAX, "frames", err);
}

/* Return the frame with that number; id 0 and state NULL: missing. */
static struct frame
speedscope_frame_of(const struct speedscope *s, struct str word)
{
	uint64_t i;

	return scan_fixed(word, 0, &i) && i < s->nframes ? SCRATCH(s->frames, struct frame)[i] : (struct frame){ 0, NULL };
}

/* event: of samples, otherwise NULL. */
static bool
read_unit(struct speedscope *s, uint32_t *event, struct err *err)
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
	size_t i = 0;

	/* The last row matches all other units. */
	while (i < NELEM(units) - 1 && !str_eq(jload_word(s->at[UNIT]), str_of(units[i].name)))
		i++;
	s->time = units[i].type == WEIGHT_TIME;
	s->decimals = units[i].decimals;
	if (event == NULL)
		return true;
	*event = samples_event(&s->l->samples, str_of(units[i].event), units[i].type, units[i].unit, err);
	return *event != 0;
}

/* ---- stacks with weights ---------------------------------------------------------------- */

/* Read the stack at j, advance j, and get the state of the thread. */
static bool
read_stack(struct speedscope *s, struct json *j, struct sample *to, struct err *err)
{
	struct str word;
	struct frame f;

	to->stack = to->state = 0;
	if (!scan_open(j, '[')) {
		s->l->bad++;
		return scan_skip(j) || true;
	}
	while (scan_item(j)) {
		if (!scan_plain(j, &word))
			break;
		f = speedscope_frame_of(s, word);
		s->l->bad += f.id == 0 && f.state == NULL;
		if ((f.state != NULL && (to->state = samples_state(&s->l->samples, str_of(f.state), err)) == 0) ||
		    (f.id != 0 && (to->stack = samples_stack(&s->l->samples, to->stack, f.id, err)) == 0))
			return false;
	}
	return true;
}

/* Without weights each is 1; missing and negative weights are 0. */
static bool
speedscope_read_weight(struct speedscope *s, struct json *j, bool has, uint64_t *weight, struct err *err)
{
	struct samples *to = &s->l->samples;
	struct str word = STR("");
	uint64_t v = 0;

	if (!has) {
		*weight = samples_whole(to, 1);
		return true;
	}
	if (!scan_item(j) || !scan_plain(j, &word))
		word = STR("");
	if (!s->time && memchr(word.s, 'e', word.n) == NULL && memchr(word.s, 'E', word.n) == NULL &&
	    str_digits(word) > 0)
		return samples_weight(to, word, weight, err);
	s->l->no_number += !scan_fixed(word, s->decimals, &v);
	*weight = samples_whole(to, v);
	return true;
}

/* Move the start of time back if needed: calls of other profiles may begin later. */
static void
see_start(struct speedscope *s, uint64_t start)
{
	uint64_t *first = &s->l->spans.calls.first;

	*first = *first == 0 || start < *first ? start : *first;
}

static bool
speedscope_read_samples(struct speedscope *s, uint32_t event, struct err *err)
{
	struct json stacks = s->at[SAMPLES], weights = s->at[WEIGHTS], start = s->at[START];
	struct sample one = { .thread = s->thread, .event = event };
	bool has = scan_open(&weights, '[');
	uint64_t clock = TIME_ZERO, length;

	s->l->no_number += start.at < start.size && !jload_time(s->l, jload_word(start), s->decimals, &clock);
	if (!scan_open(&stacks, '['))
		return true;
	if (s->time)
		see_start(s, clock);
	while (scan_item(&stacks)) {
		if (!work_go(s->l->work, stacks.at, err))
			return false;
		one.offset = stacks.at;
		one.time = s->time ? clock : SAMPLE_NO_TIME;
		if (!read_stack(s, &stacks, &one, err) || !speedscope_read_weight(s, &weights, has, &one.weight, err) ||
		    !samples_add(&s->l->samples, &one, err))
			return false;
		length = one.weight / samples_whole(&s->l->samples, 1);
		clock = jload_step(s->l, clock, TIME_ZERO + (length < TIME_MOST ? length : TIME_MOST));
	}
	s->l->samples.times |= s->time;
	s->l->cut |= stacks.bad;
	return true;
}

/* ---- frames that open and close ------------------------------------------------------------ */

/* The track of a thread begins with its first state. */
static bool
speedscope_add_state(struct speedscope *s, const char *name, uint64_t time, struct err *err)
{
	uint32_t state = name == NULL ? STATE_NONE : points_state(&s->states, name, err);

	if ((name != NULL && state == STATE_NONE) ||
	    (!s->stated && !points_track(&s->states, TRACK_STATE, "state", "", s->thread, 0, err)))
		return false;
	s->stated = true;
	return points_add(&s->states, time, state, err);
}

static bool
speedscope_read_event(void *arg, struct json j, struct err *err)
{
	static const char *const names[] = { "type", "frame", "at", NULL };
	struct speedscope *s = arg;
	struct json at[3];
	struct call_event e = { .thread = s->thread };
	struct str type;
	struct frame f;

	jload_members(s->l, j, names, at);
	type = jload_word(at[0]);
	f = speedscope_frame_of(s, jload_word(at[1]));
	if ((f.id == 0 && f.state == NULL) || !jload_time(s->l, jload_word(at[2]), s->decimals, &e.time) ||
	    (!str_eq(type, STR("O")) && !str_eq(type, STR("C")))) {
		s->l->bad++;
		return true;
	}
	s->first = e.time < s->first ? e.time : s->first;
	if (f.state != NULL)
		return speedscope_add_state(s, type.s[0] == 'O' ? f.state : NULL, e.time, err);
	e.word = 4 * f.id + (type.s[0] == 'O' ? ACT_ENTER : ACT_EXIT);
	return calls_in_add(&s->l->spans.calls, &e, err);
}

/* ---- file ----------------------------------------------------------------------------------- */

/* Each profile is a thread; its name may contain the ids. */
static bool
speedscope_find_thread(struct speedscope *s, uint32_t number, struct err *err)
{
	struct str name = scan_unescape(jload_word(s->at[NAME]), &s->l->text);
	struct thread_told told = { 0, 0, STR("") };
	struct str rest = name;

	if (s->l->text.bad)
		return fail(err, E_SYSTEM, "out of memory (name)");
	if (!thread_told(&rest, &told))
		told.name = name;
	s->thread = samples_thread(&s->l->samples, told.pid, told.tid != 0 ? told.tid : number, told.name, err);
	return s->thread != 0;
}

static bool
speedscope_read_profile(struct speedscope *s, struct json j, uint32_t number, struct err *err)
{
	bool evented;
	uint32_t event = 0;

	jload_members(s->l, j, members, s->at);
	evented = str_eq(jload_word(s->at[TYPE]), STR("evented"));
	s->evented |= evented;
	s->stated = false;
	if (!speedscope_find_thread(s, number, err) || !read_unit(s, evented ? NULL : &event, err))
		return false;
	return evented ? jload_each(s->l, s->at[EVENTS], speedscope_read_event, s, err) : speedscope_read_samples(s, event, err);
}

static bool
speedscope_put_states(struct speedscope *s, struct err *err)
{
	if (s->states.ntracks == 0)
		return true;
	s->l->spans.calls.first = s->first;
	s->l->spans.calls.shapes |= SHAPE_TRACKS;
	points_since(&s->states, s->first);
	return points_columns(&s->states, s->l->st, err);
}

bool
speedscope_load(struct jload *l, struct err *err)
{
	static const char *const top[] = { "shared", "profiles", NULL }, *const shared[] = { "frames", NULL };
	static const char *const known[] = { "$schema", "name", "activeProfileIndex", "exporter", "version", NULL };
	struct speedscope s = { .l = l, .first = UINT64_MAX };
	struct json at[2], frames;
	uint32_t number = 0;
	bool ok;

	points_open(&s.states);
	jload_top(l, top, at, known);
	jload_members(l, at[0], shared, &frames);
	ok = jload_each(l, frames, speedscope_read_frame, &s, err);
	if (scan_open(&at[1], '['))
		while (ok && scan_item(&at[1])) {
			ok = speedscope_read_profile(&s, at[1], ++number, err);
			if (!scan_skip(&at[1]))
				break;
		}
	l->cut |= at[1].bad;
	scratch_free(&s.frames);
	ok = ok && speedscope_put_states(&s, err);
	points_close(&s.states);
	if (ok && number == 0)
		return fail(err, E_UNREADABLE, "no profile in this JSON");
	/* Samples beside calls are an event of their own. */
	l->timed = l->spans.calls.n > 0 || (s.evented && l->samples.nsamples == 0);
	return ok;
}
