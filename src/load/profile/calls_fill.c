/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples inside calls: the frames of a sample become calls in the innermost call that is open at its time.
 *
 * A sample lasts to the next one of its thread, but not longer than the call that it was taken in.  While
 * another call is open inside that one, the frames are closed.  Frames that consecutive samples share stay
 * open.
 */
#include "config.h"

#include <assert.h>

#include "profile.h"

/* Frames for each sample, for each call, and for all: deeper stacks cost no more. */
#define ROOM_SAMPLE 32u
#define ROOM_CALL 8u
#define ROOM_LEAST (1u << 16)

/* A sample that lasts until end. */
struct filler {
	uint64_t	thread, time;	/* first: make_sort_both */
	uint64_t	end;
	uint32_t	stack;		/* 0: its frames are not shown */
};

/* Frames with the name of a call; frames of V8 and Hermes that are not functions. */
enum fill_frame { FRAME_FUNCTION, FRAME_CALL, FRAME_ROOT, FRAME_NOTHING, FRAME_COLLECTOR };

struct calls_filling {
	struct calls_in	*c;
	struct scratch	 best;		/* struct fill_best by thread */
	struct scratch	 samples;	/* struct filler */
	struct scratch	 frames;	/* u8 by frame - 1: enum fill_frame */
	struct scratch	 shown;		/* u32 by frame - 1: its place among those that became calls; 0: none */
	struct scratch	 path;		/* u32: frames to enter, innermost first */
	struct scratch	 events, args;	/* calls with the samples in them, as in calls_in */
	uint64_t	 nsamples, n, nargs, nshown, room;
	uint64_t	 ncalls, length;	/* calls of the file; sum of the outermost ones */
	/* A thread: */
	const struct call_event *end;		/* after its events */
	const struct call_event *last, *next;	/* events around now whose CPU time is known; NULL, or end: none */
	uint64_t	 now, depth;
	uint64_t	 until, home;		/* end of the sample; depth at which it was taken */
	uint32_t	 thread, held, open;	/* stack of the sample; stack that is open */
};

/* ---- samples that fill ------------------------------------------------------------------------- */

/* The event with most samples of a thread. */
struct fill_best {
	uint32_t	event, n;
};

static bool
choose_events(struct calls_filling *f, struct err *err)
{
	struct samples *s = f->c->names;
	const struct sample_event *event = SCRATCH(s->events, struct sample_event);
	struct idmap counts = IDMAP_INIT;
	bool ok = scratch_array(&f->best, s->nthreads + 1, sizeof(struct fill_best), err);

	for (uint64_t i = 0; ok && i < s->nsamples; i++) {
		uint32_t of = (uint32_t)narrow_get(&s->rows.event, i), n;
		uint64_t thread = narrow_get(&s->rows.thread, i);
		struct fill_best *best = &SCRATCH(f->best, struct fill_best)[thread];

		if (event[of - 1].fills == FILLS_NOTHING)
			continue;
		n = idmap_get(&counts, thread << 32 | of) + 1;
		ok = idmap_put(&counts, thread << 32 | of, n, err);
		if (n > best->n)
			*best = (struct fill_best){ of, n };
	}
	idmap_free(&counts);
	return ok;
}

static bool
take_samples(struct calls_filling *f, struct err *err)
{
	struct samples *s = f->c->names;
	const struct sample_event *event = SCRATCH(s->events, struct sample_event);
	uint64_t scale = samples_whole(s, 1);

	for (uint64_t i = 0; i < s->nsamples; i++) {
		struct sample x = sample_rows_get(&s->rows, i);
		struct filler new = { .thread = x.thread, .time = x.time };

		if (x.event != SCRATCH(f->best, struct fill_best)[x.thread].event || x.time == SAMPLE_NO_TIME)
			continue;
		/* The end counts for the last one, and only if its weight is a time. */
		new.end = event[x.event - 1].type == WEIGHT_TIME ? num_add(x.time, x.weight / scale) : x.time;
		new.stack = x.stack == s->no_frame ? 0 : x.stack;
		if (!make_add(&f->samples, &f->nsamples, &new, sizeof new, MAKE_MOST, "samples", err))
			return false;
	}
	return f->nsamples == 0 || make_sort_both(&f->samples, f->nsamples, sizeof(struct filler), s->work, err);
}

static bool
know_frames(struct calls_filling *f, struct err *err)
{
	static const struct { const char *name; enum fill_frame is; } known[] = {
		{ "(root)", FRAME_ROOT }, { "[root]", FRAME_ROOT }, { "(program)", FRAME_NOTHING },
		{ "(idle)", FRAME_NOTHING }, { "(garbage collector)", FRAME_COLLECTOR } };
	const struct samples *s = f->c->names;
	struct idmap calls = IDMAP_INIT;
	bool ok = scratch_array(&f->frames, s->nnames, 1, err) &&
	    scratch_array(&f->shown, s->nnames, sizeof(uint32_t), err);

	for (uint64_t i = 0; ok && i < s->nnames; i++) {
		struct str text = samples_frame_name(s, (uint32_t)i + 1);
		uint64_t key = idmap_hash_text(text, 0);

		if (i < f->c->nframes) {
			ok = idmap_put(&calls, key, 1, err);
			continue;
		}
		f->frames.data[i] = idmap_get(&calls, key) != 0 ? FRAME_CALL : FRAME_FUNCTION;
		for (size_t k = 0; k < NELEM(known); k++)
			if (str_eq(text, str_of(known[k].name)))
				f->frames.data[i] = known[k].is;
	}
	idmap_free(&calls);
	return ok;
}

static enum fill_frame
fill_frame_of(const struct calls_filling *f, uint32_t stack)
{
	return stack == 0 ? FRAME_NOTHING : (enum fill_frame)
	    f->frames.data[SCRATCH(f->c->names->stacks, struct sample_stack)[stack].frame - 1];
}

/* Return whether most functions are calls as well: some tools make calls of their samples, and write both. */
static bool
are_calls(const struct calls_filling *f)
{
	uint64_t functions = 0, calls = 0;

	for (uint64_t i = 0; i < f->nsamples; i++) {
		enum fill_frame is = fill_frame_of(f, SCRATCH(f->samples, struct filler)[i].stack);

		functions += is == FRAME_FUNCTION;
		calls += is == FRAME_CALL;
	}
	return calls > functions;
}

/* Twice the usual step of a thread, about: a thread that slept has no samples. */
static uint64_t
longest_step(const struct filler *s, uint64_t n)
{
	uint64_t counts[64] = { 0 }, seen = 0;
	unsigned step = 0;

	for (uint64_t i = 1; i < n; i++)
		counts[63 - (unsigned)__builtin_clzll((s[i].time - s[i - 1].time) | 1)]++;
	while (step < 62 && (seen += counts[step]) <= (n - 1) / 2)
		step++;
	return (uint64_t)2 << step;
}

/* Set the ends of a thread's samples, and the stacks that are shown. */
static bool
settle_samples(struct calls_filling *f, struct filler *s, uint64_t n, struct err *err)
{
	struct samples *names = f->c->names;
	const struct sample_event *event = &SCRATCH(names->events, struct sample_event)
	    [SCRATCH(f->best, struct fill_best)[s->thread].event - 1];
	uint64_t step, first = f->c->first;
	uint32_t before = 0;

	for (uint64_t i = 0; i < n; i++) {
		s[i].time = s[i].time > first ? s[i].time : first;
		s[i].end = s[i].end > first ? s[i].end : first;
	}
	step = longest_step(s, n);
	for (uint64_t i = 0; i < n; i++) {
		enum fill_frame is = fill_frame_of(f, s[i].stack);

		if (i + 1 < n)
			s[i].end = s[i + 1].time;
		else if (event->type != WEIGHT_TIME && n > 1)
			s[i].end = num_add(s[i].time, s[i].time - s[i - 1].time);
		/* A profile may end long after its last sample. */
		if ((event->fills == FILLS_STEP || i + 1 == n) && s[i].end - s[i].time > step)
			s[i].end = s[i].time + step;
		/* A collection has no stack: it interrupts the function of the sample before it. */
		if (is == FRAME_COLLECTOR) {
			s[i].stack = samples_stack(names, before,
			    SCRATCH(names->stacks, struct sample_stack)[s[i].stack].frame, err);
			if (s[i].stack == 0)
				return false;
			continue;
		}
		s[i].stack = before = is == FRAME_ROOT || is == FRAME_NOTHING ? 0 : s[i].stack;
	}
	return true;
}

/* ---- frames ------------------------------------------------------------------------------------ */

/* CPU time advances evenly between two events of the file, at most as fast as the time. */
static uint64_t
fill_cpu_at(const struct calls_filling *f, uint64_t time)
{
	const struct call_event *a = f->last, *b = f->next;
	uint64_t cpu;

	if (a == NULL || b == f->end)
		return SPAN_NO_CPU;
	if (a->time == b->time)
		return a->cpu;
	assert(a->time <= time && time <= b->time && a->cpu <= b->cpu);
	cpu = (uint64_t)((unsigned __int128)(b->cpu - a->cpu) * (time - a->time) / (b->time - a->time));
	return a->cpu + (cpu < time - a->time ? cpu : time - a->time);
}

static bool
fill_action(struct calls_filling *f, uint32_t frame, unsigned action, struct err *err)
{
	struct call_event e = { f->now, fill_cpu_at(f, f->now), f->thread, 4 * frame + action };

	if (f->frames.data[frame - 1] == FRAME_ROOT)
		return true;
	SCRATCH(f->c->names->names, struct sample_name)[frame - 1].has_cpu |= e.cpu != SPAN_NO_CPU;
	if (SCRATCH(f->shown, uint32_t)[frame - 1] == 0)
		SCRATCH(f->shown, uint32_t)[frame - 1] = (uint32_t)++f->nshown;
	return make_add(&f->events, &f->n, &e, sizeof e, UINT64_MAX, "calls", err);
}

/*
 * Leave and enter frames so that those of stack `to` are open.  A stack follows its parent, so the larger of two
 * numbers is outside of what they share.
 */
static bool
fill_stack(struct calls_filling *f, uint32_t to, struct err *err)
{
	const struct sample_stack *stack = SCRATCH(f->c->names->stacks, struct sample_stack);
	uint32_t all = to;
	uint64_t n = 0;

	while (f->open != to) {
		if (f->open > to) {
			if (!fill_action(f, stack[f->open].frame, ACT_EXIT, err))
				return false;
			f->open = stack[f->open].parent;
			continue;
		}
		if (n == f->room) {
			f->c->unplaced++;
			f->room = n = 0;
			f->held = all = to = 0;
			continue;
		}
		if (!make_add(&f->path, &n, &stack[to].frame, sizeof stack->frame, UINT64_MAX, "frames", err))
			return false;
		to = stack[to].parent;
	}
	f->room -= n;
	while (n-- > 0)
		if (!fill_action(f, SCRATCH(f->path, uint32_t)[n], ACT_ENTER, err))
			return false;
	f->open = all;
	return true;
}

/* ---- one thread -------------------------------------------------------------------------------- */

static bool
fill_call(struct calls_filling *f, const struct call_event *e, struct err *err)
{
	struct calls_in *c = f->c;
	uint64_t row = (uint64_t)(e - SCRATCH(c->events, struct call_event));

	if (!fill_stack(f, 0, err))
		return false;
	if (row < c->nargs && (SCRATCH(c->args, struct span_args)[row].begin != 0 ||
	    SCRATCH(c->args, struct span_args)[row].end != 0)) {
		if (!scratch_array(&f->args, f->n + 1, sizeof(struct span_args), err))
			return false;
		SCRATCH(f->args, struct span_args)[f->n] = SCRATCH(c->args, struct span_args)[row];
		f->nargs = f->n + 1;
	}
	f->last = e->cpu == SPAN_NO_CPU ? f->last : e;
	if (e->word % 4 == ACT_ENTER) {
		f->length -= f->depth++ == 0 ? e->time : 0;
		f->ncalls++;
	} else {
		assert(f->depth > 0);
		f->length += --f->depth == 0 ? e->time : 0;
		if (f->depth < f->home)
			f->held = 0;
	}
	return make_add(&f->events, &f->n, e, sizeof *e, UINT64_MAX, "calls", err);
}

static uint64_t
fill_sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* At one time a sample ends first, then calls begin and end, then the next sample is taken. */
static bool
fill_thread(struct calls_filling *f, const struct call_event *e, const struct call_event *end,
    const struct filler *s, const struct filler *last, struct err *err)
{
	uint64_t time;

	f->last = NULL;
	f->next = e;
	f->end = end;
	f->held = f->open = 0;
	f->depth = f->home = f->now = 0;
	while (e < end || s < last || f->held != 0) {
		if (f->next < e)
			f->next = e;
		while (f->next < end && f->next->cpu == SPAN_NO_CPU)
			f->next++;
		time = fill_sooner(e < end ? e->time : UINT64_MAX, s < last ? s->time : UINT64_MAX);
		time = f->held != 0 ? fill_sooner(time, f->until) : time;
		if (time > f->now && !fill_stack(f, f->depth == f->home ? f->held : 0, err))
			return false;
		f->now = time > f->now ? time : f->now;
		if (f->held != 0 && f->until <= time) {
			f->held = 0;
		} else if (e < end && e->time <= time) {
			if (!fill_call(f, e++, err))
				return false;
		} else if (s < last) {
			f->held = s->stack;
			f->home = f->depth;
			f->until = s++->end;
		}
	}
	return fill_stack(f, 0, err);
}

/* ---- all --------------------------------------------------------------------------------------- */

static bool
fill_threads(struct calls_filling *f, struct err *err)
{
	const struct call_event *e = SCRATCH(f->c->events, struct call_event), *last = e + f->c->n, *end = e;
	struct filler *s = SCRATCH(f->samples, struct filler);
	const struct filler *most = s + f->nsamples, *until = s;

	f->room = ROOM_SAMPLE * f->nsamples + ROOM_CALL * (f->c->n / 2) + ROOM_LEAST;
	for (; e < last || s < most; e = end, s += until - s) {
		f->thread = e == last || (s < most && s->thread < e->thread) ? (uint32_t)s->thread : e->thread;
		while (end < last && end->thread == f->thread)
			end++;
		while (until < most && until->thread == f->thread)
			until++;
		if (!work_tick(f->c->names->work, f->c->names->source_size))
			return fail_cancel(err);
		if ((until > s && !settle_samples(f, s, (uint64_t)(until - s), err)) ||
		    !fill_thread(f, e, end, s, until, err))
			return false;
	}
	return true;
}

/* Number the frames that became calls after those of calls, then the others, which are not methods. */
static bool
number_frames(struct calls_filling *f, struct err *err)
{
	struct samples *s = f->c->names;
	uint64_t first = f->c->nframes, next = first + f->nshown;
	uint32_t *place = SCRATCH(f->shown, uint32_t);
	struct scratch names = SCRATCH_INIT;
	struct sample_name *name;

	if (!scratch_array(&names, s->nnames, sizeof *name, err))
		return false;
	name = SCRATCH(names, struct sample_name);
	for (uint64_t i = 0; i < s->nnames; i++) {
		place[i] = (uint32_t)(i < first ? i + 1 : place[i] != 0 ? first + place[i] : ++next);
		name[place[i] - 1] = SCRATCH(s->names, struct sample_name)[i];
	}
	assert(next == s->nnames);
	scratch_free(&s->names);
	s->names = names;
	for (uint64_t i = 1; i <= s->nstacks; i++) {
		struct sample_stack *stack = &SCRATCH(s->stacks, struct sample_stack)[i];

		stack->frame = place[stack->frame - 1];
	}
	for (uint64_t i = 0; i < f->n; i++) {
		struct call_event *e = &SCRATCH(f->events, struct call_event)[i];

		e->word = 4 * place[e->word / 4 - 1] + e->word % 4;
	}
	/* Their keys have the former numbers. */
	idmap_free(&s->by_name);
	idmap_free(&s->by_stack);
	return true;
}

/* The calls alone are an event, of the samples that now fill them. */
static bool
keep_calls(struct calls_filling *f, struct err *err)
{
	struct samples *s = f->c->names;
	uint64_t before = s->nevents;
	uint32_t id = samples_event(s, STR("calls"), WEIGHT_TIME, "ns", err);
	struct sample_event *event = SCRATCH(s->events, struct sample_event);

	if (id == 0 || s->nevents == before)
		return id != 0;
	event[id - 1].samples = f->ncalls;
	event[id - 1].weight = samples_whole(s, f->length);
	return fact_set(s->st, FACT_TRACE_CALLS, id, err);
}

static bool
fill_all(struct calls_filling *f, struct err *err)
{
	struct calls_in *c = f->c;

	if (!choose_events(f, err) || !take_samples(f, err))
		return false;
	if (f->nsamples == 0)
		return true;
	if (!know_frames(f, err))
		return false;
	if (are_calls(f))
		return true;
	if (!fill_threads(f, err) || !number_frames(f, err))
		return false;
	SCRATCH_FREE(&c->events, &c->args);
	c->events = f->events;
	c->args = f->args;
	f->events = f->args = SCRATCH_INIT;
	c->n = f->n;
	c->nargs = f->nargs;
	c->listed = c->nframes + f->nshown;
	return keep_calls(f, err);
}

bool
calls_in_fill(struct calls_in *c, struct err *err)
{
	struct calls_filling f = { .c = c };
	bool ok = c->n == 0 || c->names->nsamples == 0 || fill_all(&f, err);

	SCRATCH_FREE(&f.best, &f.samples, &f.frames, &f.shown, &f.path, &f.events, &f.args);
	return ok;
}
