/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trace events of Chrome: complete events, begins and ends, names of threads.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/facts.h"

#include "load/sched/beside.h"
#include "chrome_marks.h"

enum { NAME, PHASE, TIME, DURATION, PID, TID, ARGS, CPU, CPU_LENGTH, ID, BIND_ID, STACKS, MEMBERS = STACKS + 3 };

static const char *const members[] = { "name", "ph", "ts", "dur", "pid", "tid", "args", "tts", "tdur", "id",
	"bind_id", "sf", "stack", "esf", NULL };

/* Members for other readers, which look for them again in some events; and a colour. */
static const char *const known[] = { "cat", "s", "id2", "scope", "bp", "flow_in", "flow_out", "cname", NULL };

static const char *const no_members[] = { NULL };

#define EVENTS_A_TICK 64
#define CPU_MOST ((uint64_t)1 << 61)	/* limit of a CPU time: sums of two fit */

struct chrome {
	struct jload	*l;
	struct chrome_times times;
	uint64_t	 stacks;	/* events with a stack */
	uint64_t	 totals;
	struct json	 system;	/* "systemTraceEvents": scheduler text beside the events */
	struct sched_beside tracks;	/* contents of the file */
	struct chrome_samples samples;
	struct chrome_marks marks;
	struct chrome_event event;
	uint64_t	 unread[128];	/* number of events of unsupported kinds, by letter */
};

/* The CPU time of a thread. */
static uint64_t
chrome_read_cpu(struct jload *l, struct json j)
{
	uint64_t v;

	if (!jload_number(l, j, 3, &v))
		return SPAN_NO_CPU;
	l->beyond += v > CPU_MOST;
	return v < CPU_MOST ? v : CPU_MOST;
}

/* "X": a complete call; "B" and "E": its begin and end. */
static bool
read_call(struct jload *l, const struct json *at, char phase, struct span *span, struct err *err)
{
	struct str name = scan_unescape(jload_word(at[NAME]), &l->text);
	uint64_t duration = 0;

	if (phase != 'E' || name.n > 0) {
		span->frame = samples_frame(&l->samples, name, STR(""), 0, err);
		if (span->frame == 0)
			return false;
	}
	span->cpu = chrome_read_cpu(l, at[CPU]);
	span->cpu_length = phase == 'X' ? chrome_read_cpu(l, at[CPU_LENGTH]) : SPAN_NO_CPU;
	if (phase == 'E')
		return spans_in_end(&l->spans, span, err);
	if (phase == 'B')
		return spans_in_begin(&l->spans, span, err);
	jload_number(l, at[DURATION], 3, &duration);
	span->end = jload_step(l, span->start, TIME_ZERO + (duration < TIME_MOST ? duration : TIME_MOST));
	return spans_in_add(&l->spans, span, err);
}

/* "P" and, in old files, "I": samples. */
static bool
chrome_see_samples(struct chrome *c, struct json event, const struct json *at, bool *seen, struct err *err)
{
	static const struct { const char *name; enum chrome_piece kind; } kinds[] = {
		{ "Profile", CHROME_HEAD }, { "ProfileChunk", CHROME_CHUNK }, { "CpuProfile", CHROME_WHOLE },
	};
	struct str name = jload_word(at[NAME]);

	for (size_t i = 0; i < NELEM(kinds); i++) {
		if (!str_eq(name, str_of(kinds[i].name)))
			continue;
		*seen = true;
		return chrome_samples_see(&c->samples, kinds[i].kind, event, jload_word(at[PID]), jload_word(at[TID]),
		    jload_word(at[ID]), err);
	}
	return true;
}

/* The event is valid until the next call. */
static const struct chrome_event *
chrome_event_at(struct chrome *c, struct json j, const struct json *at, char kind, const struct span *span)
{
	c->event = (struct chrome_event){ j, span->start, span->thread, kind, jload_word(at[NAME]), jload_word(at[PID]), at[ID],
	    at[ARGS] };
	return &c->event;
}

/* "M": names and order of processes and threads. */
static bool
chrome_read_name(struct chrome *c, struct json j, const struct json *at, struct err *err)
{
	struct str name = jload_word(at[NAME]);
	struct span span = { .thread = 0 };

	if ((str_eq(name, STR("thread_name")) || str_eq(name, STR("thread_sort_index"))) &&
	    (span.thread = spans_in_thread(&c->l->spans, jload_word(at[PID]), jload_word(at[TID]), err)) == 0)
		return false;
	return chrome_name(&c->marks, chrome_event_at(c, j, at, 'M', &span), err);
}

/* Return whether an event has the stack of its writer; stacks are not shown. */
static bool
chrome_has_stack(const struct json *at)
{
	bool has = false;

	for (size_t i = STACKS; i < MEMBERS; i++)
		has |= at[i].at < at[i].size;
	return has;
}

/* "Total Frontend" of clang -ftime-trace, at time 0 on its own thread: the sum of other events. */
static bool
chrome_is_total(struct jload *l, const struct json *at)
{
	static const char *const names[] = { "count", "avg ms", NULL };
	struct json args[NELEM(names) - 1];

	if (!str_eq(jload_word(at[TIME]), STR("0")) || !str_has_prefix(jload_word(at[NAME]), STR("Total ")))
		return false;
	jload_members(l, at[ARGS], names, args);
	return args[0].at < args[0].size && args[1].at < args[1].size;
}

/* Read an event with its members. */
static bool
chrome_read_event(struct chrome *c, struct json j, const struct json *at, struct err *err)
{
	struct jload *l = c->l;
	struct span span = { .frame = 0 };
	struct str phase;
	uint64_t args;
	bool seen = false, call;
	char kind;

	c->stacks += chrome_has_stack(at);
	phase = jload_word(at[PHASE]);
	kind = phase.n == 1 && phase.s[0] > ' ' && phase.s[0] < 127 ? phase.s[0] : '\0';
	if (kind == '\0') {
		l->others++;
		return true;
	}
	if (kind == 'M')
		return chrome_read_name(c, j, at, err);
	if (kind == 'X' && chrome_is_total(l, at)) {
		c->totals++;
		return true;
	}
	if (jload_time(l, jload_word(at[TIME]), 3, &span.start))
		chrome_times_see(&c->times, span.start);
	if ((kind == 'P' || kind == 'I') && !chrome_see_samples(c, j, at, &seen, err))
		return false;
	call = is_one_of(kind, "XBE");
	if (!call && !chrome_marks_read(kind)) {
		c->unread[(unsigned char)kind] += !seen;
		return true;
	}
	if (span.start == 0) {
		l->bad++;
		return true;
	}
	span.thread = spans_in_thread(&l->spans, jload_word(at[PID]), jload_word(at[TID]), err);
	if (span.thread == 0)
		return false;
	if (!call)
		return chrome_mark(&c->marks, chrome_event_at(c, j, at, kind, &span), err);
	if ((args = chrome_args(at[ARGS])) != 0) {
		/* Report damage now, although the members are read later. */
		jload_members(l, at[ARGS], no_members, NULL);
		if (!make_add(&c->marks.args, &c->marks.nargs, &args, sizeof args, MAKE_MOST, "events", err))
			return false;
		span.args = (uint32_t)c->marks.nargs;
	}
	if (!read_call(l, at, kind, &span, err))
		return false;
	if (kind == 'X')
		chrome_times_end(&c->times, span.start, span.end);
	return at[BIND_ID].at == at[BIND_ID].size ||
	    chrome_flow_bind(&c->marks, chrome_event_at(c, j, at, kind, &span), jload_word(at[BIND_ID]), kind == 'E' ? 0 : span.frame, err);
}

/* Read the array at j and advance j. A bare array may lack its end, because its writer may have been killed. */
static bool
read_events(struct chrome *c, struct json *j, struct err *err)
{
	struct json at[MEMBERS], event;

	if (!scan_open(j, '['))
		return scan_skip(j) || true;
	for (unsigned n = 0; scan_item(j); n++) {
		if (n % EVENTS_A_TICK == 0 && !work_go(c->l->work, j->at, err))
			return false;
		event = *j;
		if (!jload_take(c->l, j, members, at, known)) {
			c->l->cut = true;
			break;
		}
		if (!chrome_read_event(c, event, at, err))
			return false;
	}
	return true;
}

/* The events may be anywhere in the object, and are large: nothing is read twice. */
static bool
chrome_read_object(struct chrome *c, struct err *err)
{
	static const char *const top[] = { "samples", "stackFrames", "systemTraceEvents", "displayTimeUnit", "beginningOfTime", NULL };
	struct json j = c->l->doc;
	struct str name;
	uint64_t at;
	bool ok = true;

	scan_open(&j, '{');
	while (ok && scan_member(&j, &name)) {
		if (str_eq(name, STR("traceEvents"))) {
			ok = read_events(c, &j, err);
		} else {
			if (str_eq(name, STR("samples")))
				c->samples.top = j;
			if (str_eq(name, STR("stackFrames")))
				c->samples.frames = j;
			if (str_eq(name, STR("systemTraceEvents")))
				c->system = j;
			at = j.at;
			if (!scan_skip(&j))
				break;
			jload_unread(c->l, NULL, name, (struct str){ j.base + at, (size_t)(j.at - at) }, top);
		}
	}
	c->l->cut |= j.bad;
	return ok;
}

static bool
put_chrome_facts(const struct chrome *c, struct err *err)
{
	const struct spans_in *s = &c->l->spans;
	const struct make_fact facts[] = {
		{ FACT_CLOCK_START, c->times.first < TIME_ZERO ? 0 : c->times.first - TIME_ZERO },
		{ FACT_ELAPSED, c->tracks.switches == 0 ? 0 : c->times.last - c->times.first, MAKE_ANY },
		{ FACT_WITH_CPU, s->calls.with_cpu, MAKE_ANY },
		{ FACT_UNREAD_STACK, c->stacks, MAKE_ANY },
		{ FACT_UNREAD_TOTALS, c->totals, MAKE_ANY },
		{ FACT_UNREAD_SYSTEM, c->tracks.others, MAKE_ANY },
		{ FACT_REPAIR_NO_TIME, c->times.none, MAKE_ANY },
		{ FACT_REPAIR_EPOCH, c->times.moved, MAKE_ANY },
		{ FACT_REPAIR_END_WITHOUT_BEGIN, s->no_begin, MAKE_ANY },
		{ FACT_REPAIR_END_NAME, s->end_name, MAKE_ANY },
		{ FACT_REPAIR_NO_END, s->no_end, MAKE_ANY },
		{ FACT_REPAIR_OVERLAP, s->overlap, MAKE_ANY },
		{ FACT_REPAIR_DETAIL, c->marks.plain, MAKE_ANY },
		{ FACT_LOSS_EVENTS, c->tracks.lost, MAKE_ANY },
		{ FACT_REPAIR_NO_HEAD, c->samples.no_head, MAKE_ANY },
	};

	unread_add_letters(&c->l->unread, c->unread);
	return make_facts(c->l->st, facts, NELEM(facts), err);
}

/* Fail with the kinds of events that the trace contains instead. */
static bool
nothing_found(const struct chrome *c, struct err *err)
{
	char letters[256] = "";
	size_t n = 0;

	for (size_t i = 0; i < NELEM(c->unread); i++)
		if (c->unread[i] > 0 && n < sizeof letters - 32)
			n += (size_t)snprintf(letters + n, sizeof letters - n, "%s%llu of %c", n == 0 ? "" : ", ",
			    (unsigned long long)c->unread[i], (char)i);
	if (n == 0)
		return fail(err, E_UNREADABLE, c->times.first == 0 ? "no events in this trace" :
		    "only unsupported kinds of trace events");
	return fail_for(err, REASON_UNREAD, E_UNREADABLE, ERR_NOWHERE, "only unsupported kinds of trace events: %s", letters);
}

/* ---- scheduler text --------------------------------------------------------------------- */

/* Choose the clock and the order of threads when all events were read.  Threads of other sources come later. */
static bool
chrome_prepare(struct chrome *c, struct err *err)
{
	struct jload *l = c->l;

	chrome_times_choose(&c->times);
	chrome_times_spans(&c->times, &l->spans);
	l->spans.calls.first = c->times.first;
	return chrome_samples_threads(&c->samples, l, err) && chrome_order_threads(&c->marks, err);
}

static bool
chrome_begin_switches(void *arg, uint64_t first, uint64_t last, uint64_t *at, struct err *err)
{
	struct chrome *c = arg;

	first = TIME_ZERO + (first < TIME_MOST ? first : TIME_MOST);
	last = TIME_ZERO + (last < TIME_MOST ? last : TIME_MOST);
	chrome_times_see(&c->times, first);
	chrome_times_end(&c->times, first, last);
	if (!chrome_prepare(c, err))
		return false;
	*at = chrome_times_shown(&c->times, first) - c->times.first;
	return true;
}

/* On Linux a thread id is unique across processes. */
static uint32_t
chrome_thread_of(void *arg, uint32_t pid, uint32_t tid, struct str name, struct err *err)
{
	struct chrome *c = arg;

	return spans_in_task(&c->l->spans, pid, tid, name, err);
}

static bool
read_system(struct chrome *c, struct err *err)
{
	struct jload *l = c->l;
	struct buf b = BUF_INIT;
	struct str text = scan_unescape(jload_word(c->system), &b);
	bool ok;

	c->tracks = (struct sched_beside){ chrome_begin_switches, chrome_thread_of, c };
	ok = b.bad ? fail(err, E_SYSTEM, "out of memory (systemTraceEvents)") : sched_beside(l->st, text, &c->tracks, l->work, err);
	buf_free(&b);
	return ok && (c->tracks.switches > 0 || chrome_prepare(c, err));
}

/* ---- file ------------------------------------------------------------------------------- */

/* Write calls and samples; a file with samples only is a profile. */
static bool
chrome_load_found(struct chrome *c, struct err *err)
{
	struct jload *l = c->l;

	if (!read_system(c, err))
		return false;
	l->spans.calls.shapes = SHAPE_MARKS | (c->tracks.switches > 0 ? SHAPE_TASKS | SHAPE_TRACKS : 0u);
	if (!spans_in_calls(&l->spans, err) || !chrome_args_columns(&c->marks, err) || !chrome_samples_load(&c->samples, l, err) ||
	    !chrome_times_samples(&c->times, &l->samples, err))
		return false;
	l->timed = l->spans.calls.n > 0 || l->samples.nsamples == 0;
	if (!l->timed && c->tracks.switches > 0) {
		l->samples.from = c->times.first;
		l->samples.to = c->times.last;
	}
	if (l->spans.calls.n == 0 && l->samples.nsamples == 0 && c->tracks.switches == 0 && !chrome_marks_any(&c->marks) && !nothing_found(c, err))
		return false;
	if (!put_chrome_facts(c, err) || !chrome_marks_columns(&c->marks, err))
		return false;
	l->beyond += c->times.beyond;
	return true;
}

bool
chrome_load(struct jload *l, struct err *err)
{
	struct chrome c = { .l = l, .marks = { .in = { .l = l, .shown = chrome_times_since, .clock = &c.times }, .times = &c.times } };
	struct json j = l->doc;
	bool ok;

	l->spans.unescape = scan_unescape;
	ok = chrome_times_open(&c.times, err) && (scan_peek(&j) == '[' ? read_events(&c, &j, err) : chrome_read_object(&c,
	    err)) && chrome_load_found(&c, err);
	chrome_times_close(&c.times);
	chrome_samples_close(&c.samples);
	chrome_marks_close(&c.marks);
	/* After running out of memory, a reader truncates the names of threads. */
	return ok && (!l->text.bad || fail(err, E_SYSTEM, "out of memory (name)"));
}
