/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trace events of Chrome: complete events, begins and ends, names of threads.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/facts.h"

#include "load/sched/import.h"
#include "chrome_marks.h"
#include "spans.h"

#define TOTAL(W, V, O) V(count) O("avg ms", average)
#define NONE(W, V, O)
JLOAD_SHAPE(total, TOTAL)
JLOAD_SHAPE(none, NONE)

#define EVENTS_A_TICK 64
#define CPU_MOST ((uint64_t)1 << 61)	/* limit of a CPU time: sums of two fit */

struct chrome {
	struct jload	*l;
	struct into	*to;
	struct chrome_times times;
	uint64_t	 stacks;	/* events with a stack that is not read */
	uint64_t	 timeless;	/* calls without any time that are dropped in favour of samples */
	uint64_t	 totals;
	struct json	 system;	/* "systemTraceEvents": text of the scheduler */
	struct sched_import tracks;	/* contents of the file */
	struct chrome_samples samples;
	struct chrome_nested nested;
	struct chrome_marks marks;
	uint64_t	 unread[128];	/* number of events of unsupported kinds, by letter */
};

/* The CPU time of a thread. */
static uint64_t
read_cpu(struct jload *l, struct str word, bool has)
{
	uint64_t v;

	if (!has || !jload_number(l, word, 3, &v))
		return SPAN_NO_CPU;
	l->beyond += v > CPU_MOST;
	return v < CPU_MOST ? v : CPU_MOST;
}

static uint64_t
read_end(struct chrome *c, const struct chrome_event *e)
{
	uint64_t duration = 0;

	/* Some writers know only the time on a CPU. */
	if (e->is.has_dur || e->is.has_tdur)
		jload_number(c->l, e->is.has_dur ? e->is.dur : e->is.tdur, 3, &duration);
	return jload_step(c->l, e->time, TIME_ZERO + (duration < TIME_MOST ? duration : TIME_MOST));
}

/* "X": a complete call; "B" and "E": its begin and end. */
static void
read_call(struct chrome *c, const struct chrome_event *e, struct span *span)
{
	struct jload *l = c->l;

	if (e->letter != 'X')
		span->cat = spans_category(e->is.cat);
	if (e->letter != 'E' || e->is.name.n > 0)
		span->frame = into_frame(c->to, jload_text(l, e->is.name));
	span->cpu = read_cpu(l, e->is.tts, e->is.has_tts);
	span->cpu_length = e->letter == 'X' ? read_cpu(l, e->is.tdur, e->is.has_tdur) : SPAN_NO_CPU;
	if (e->letter == 'E') {
		INTO(c->to, spans_in_end(&l->spans, span, c->to->err));
	} else if (e->letter == 'B') {
		INTO(c->to, spans_in_begin(&l->spans, span, c->to->err));
	} else {
		INTO(c->to, spans_in_add(&l->spans, span, c->to->err));
		chrome_times_end(&c->times, span->start, span->end);
	}
}

static uint32_t
chrome_find_thread(struct chrome *c, const struct chrome_event *e)
{
	return INTO_ID(c->to, spans_in_thread(&c->l->spans, e->is.pid, e->is.tid, c->to->err));
}

/* "M": names and order of processes and threads. */
static void
read_name(struct chrome *c, struct chrome_event *e)
{
	if (str_eq(e->is.name, STR("thread_name")) || str_eq(e->is.name, STR("thread_sort_index")))
		e->thread = chrome_find_thread(c, e);
	chrome_name(&c->marks, e);
}

/* Return whether a call of py-spy only names its thread or process: "thread (12): name". */
static bool
names_thread(struct chrome *c, const struct chrome_event *e)
{
	struct span_thread *thread = spans_thread_at(&c->l->spans, e->thread);
	struct thread_told t;
	struct str name;

	if (!str_eq(e->is.cat, STR("py-spy")))
		return false;
	name = jload_text(c->l, e->is.name);
	if (!thread_told(&name, &t) || name.n > 0)
		return false;
	/* The ids of the events are those of the C library. */
	if (t.tid != 0)
		thread->tid = t.tid;
	INTO(c->to, t.pid != 0 || t.name.n == 0 || spans_in_name(&c->l->spans, e->thread, t.name, c->to->err));
	return true;
}

/* "Total Frontend" of clang -ftime-trace, at time 0 on its own thread: the sum of other events. */
static bool
is_total(struct jload *l, const struct chrome_event *e)
{
	struct total args;

	if (!str_eq(e->is.ts, STR("0")) || !str_has_prefix(e->is.name, STR("Total ")))
		return false;
	args = total_read(l, e->is.args);
	return json_is(args.count) && json_is(args.average);
}

/* A call, with the place of its args. */
static void
chrome_add_call(struct chrome *c, const struct chrome_event *e, uint64_t end)
{
	struct span span = { .start = e->time, .end = end, .thread = e->thread };
	uint64_t args = chrome_args(e->is.args);

	if (args != 0) {
		/* Report damage now, although the members are read later. */
		none_read(c->l, e->is.args);
		INTO_ROW(c->to, c->marks.args, c->marks.nargs, args, "events");
		span.args = (uint32_t)c->marks.nargs;
	}
	read_call(c, e, &span);
	if (e->is.has_bind_id)
		chrome_flow_bind(&c->marks, e, e->letter == 'E' ? 0 : span.frame);
}

static void
chrome_read_event(struct chrome *c, struct chrome_event *e)
{
	struct jload *l = c->l;
	bool seen, call, torch, nested, stack = json_is(e->is.sf) || json_is(e->is.stack) || json_is(e->is.esf);
	uint64_t end;
	char kind = e->is.ph.n == 1 ? e->is.ph.s[0] : '\0';

	if (kind <= ' ' || kind >= 127) {
		l->others++;
		return;
	}
	e->letter = kind;
	if (kind == 'M') {
		read_name(c, e);
		return;
	}
	if (kind == 'X' && is_total(l, e)) {
		c->totals++;
		return;
	}
	if (jload_time(l, e->is.ts, 3, &e->time))
		chrome_times_see(&c->times, e->time);
	nested = json_is(e->is.sf) && is_one_of(kind, "BE") && e->time != 0 && !json_is(e->is.stack) &&
	    !json_is(e->is.esf);
	c->stacks += stack && !nested && (e->time == 0 || !chrome_samples_instant(&c->samples, e));
	seen = (kind == 'P' || kind == 'I') && chrome_samples_see(&c->samples, e);
	call = is_one_of(kind, "XBE");
	if (!call && !chrome_marks_read(kind)) {
		c->unread[(unsigned char)kind] += !seen;
		return;
	}
	if (e->time == 0) {
		l->bad++;
		return;
	}
	end = kind == 'X' ? read_end(c, e) : 0;
	torch = kind == 'X' && chrome_torch_may(e);
	if (torch && chrome_torch_apart(&c->marks, e, end)) {
		chrome_times_end(&c->times, e->time, end);
		return;
	}
	e->thread = chrome_find_thread(c, e);
	if (c->to->bad)
		return;
	if (nested)
		chrome_nested_add(&c->nested, l, e);
	if (!call)
		chrome_mark(&c->marks, e);
	else if (!names_thread(c, e))
		chrome_add_call(c, e, end);
	if (torch)
		chrome_torch_work(&c->marks, e, end);
}

/* Read the array at j and advance j. A bare array may lack its end, because its writer may have been killed. */
static void
read_events(struct chrome *c, struct json *j)
{
	if (!scan_open(j, '[')) {
		scan_skip(j);
		return;
	}
	for (unsigned n = 0; !c->to->bad && scan_item(j); n++) {
		struct chrome_event e = { .json = *j };

		if (n % EVENTS_A_TICK == 0)
			into_go(c->to, j->at);
		e.is = chrome_said_take(c->l, j, true);
		if (!e.is.has_tid)
			e.is.tid = e.is.pid;
		if (j->bad) {
			c->l->cut = true;
			break;
		}
		chrome_read_event(c, &e);
	}
}

/*
 * Members that the format does not name are metadata, as it says; but a list is more than a word about a recording,
 * except for the devices and the log of PyTorch's profiler.
 */
static bool
is_metadata(struct str name, struct json *value)
{
	static const char *const of_torch[] = { "deviceProperties", "VERBOSE", "INFO", "WARNING", "ERROR", "STAGE" };

	return str_is_one(of_torch, NELEM(of_torch), name) ||
	    (scan_peek(value) != '[' && !str_eq(name, STR("powerTraceAsString")));
}

/* The events may be anywhere in the object, and are large: nothing is read twice. */
static void
chrome_read_object(struct chrome *c)
{
	static const char *const top[] = { "samples", "stackFrames", "systemTraceEvents", "displayTimeUnit",
	    "beginningOfTime", NULL };
	struct json j = c->l->doc;
	enum unread_level level;
	struct str name;
	uint64_t at;

	scan_open(&j, '{');
	while (!c->to->bad && scan_member(&j, &name)) {
		if (str_eq(name, STR("traceEvents"))) {
			read_events(c, &j);
			continue;
		}
		if (str_eq(name, STR("samples")))
			c->samples.top = j;
		if (str_eq(name, STR("stackFrames")))
			c->samples.frames = j;
		if (str_eq(name, STR("systemTraceEvents")))
			c->system = j;
		level = is_metadata(name, &j) ? UNREAD_CONTEXT : UNREAD_KEY;
		at = j.at;
		if (!scan_skip(&j))
			break;
		jload_unread(c->l, level, NULL, name, (struct str){ j.base + at, (size_t)(j.at - at) }, top);
	}
	c->l->cut |= j.bad;
}

static bool
chrome_put_facts(const struct chrome *c, struct err *err)
{
	const struct spans_in *s = &c->l->spans;
	const struct make_fact facts[] = {
		{ FACT_CLOCK_START, c->times.first < TIME_ZERO ? 0 : c->times.first - TIME_ZERO },
		{ FACT_ELAPSED, c->tracks.switches == 0 ? 0 : c->times.last - c->times.first, MAKE_ANY },
		{ FACT_WITH_CPU, s->calls.with_cpu, MAKE_ANY },
		{ FACT_UNREAD_STACK, c->stacks + c->samples.no_frames, MAKE_ANY },
		{ FACT_UNREAD_TIMELESS, c->timeless, MAKE_ANY },
		{ FACT_UNREAD_TOTALS, c->totals, MAKE_ANY },
		{ FACT_UNREAD_SYSTEM, c->tracks.others, MAKE_ANY },
		{ FACT_REPAIR_NO_TIME, c->times.none, MAKE_ANY },
		{ FACT_REPAIR_EPOCH, c->times.moved, MAKE_ANY },
		{ FACT_REPAIR_END_WITHOUT_BEGIN, s->no_begin, MAKE_ANY },
		{ FACT_REPAIR_END_NAME, s->end_name, MAKE_ANY },
		{ FACT_REPAIR_NO_END, s->no_end, MAKE_ANY },
		{ FACT_REPAIR_OUTER_END, s->outer_end, MAKE_ANY },
		{ FACT_REPAIR_OVERLAP, s->overlap, MAKE_ANY },
		{ FACT_REPAIR_OVERLAP_TIME, s->overlap_time, MAKE_ANY },
		{ FACT_REPAIR_NO_CPU, s->no_cpu, MAKE_ANY },
		{ FACT_REPAIR_FAST_CPU, s->fast_cpu, MAKE_ANY },
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
	return fail_for(err, REASON_UNREAD, E_UNREADABLE, ERR_NOWHERE,
	    "only unsupported kinds of trace events: %s", letters);
}

/* ---- scheduler text --------------------------------------------------------------------- */

/* Choose the clock and the order of threads when all events were read.  Threads of other sources come later. */
static void
prepare(struct chrome *c)
{
	chrome_times_choose(&c->times);
	chrome_times_spans(&c->times, &c->l->spans);
	c->l->spans.calls.first = c->times.first;
	chrome_samples_threads(&c->samples);
	chrome_torch_names(&c->marks);
	chrome_order_threads(&c->marks);
}

static bool
chrome_begin_switches(void *arg, uint64_t first, uint64_t last, uint64_t *at, struct err *err)
{
	struct chrome *c = arg;

	(void)err;
	first = TIME_ZERO + (first < TIME_MOST ? first : TIME_MOST);
	last = TIME_ZERO + (last < TIME_MOST ? last : TIME_MOST);
	chrome_times_see(&c->times, first);
	chrome_times_end(&c->times, first, last);
	prepare(c);
	*at = chrome_times_shown(&c->times, first) - c->times.first;
	return !c->to->bad;
}

/* On Linux a thread id is unique across processes. */
static uint32_t
chrome_thread_of(void *arg, uint32_t pid, uint32_t tid, struct str name, struct err *err)
{
	struct chrome *c = arg;

	return spans_in_task(&c->l->spans, pid, tid, name, err);
}

static void
read_system(struct chrome *c)
{
	struct buf b = BUF_INIT;
	struct str text = scan_unescape(jload_word(c->system), &b);

	c->tracks = (struct sched_import){ chrome_begin_switches, chrome_thread_of, c };
	into_made(c->to, &b);
	INTO(c->to, sched_import(c->l->st, text, &c->tracks, c->l->work, c->to->err));
	buf_free(&b);
	if (c->tracks.switches == 0 && !c->to->bad)
		prepare(c);
}

/* ---- file ------------------------------------------------------------------------------- */

/* Return whether a call takes any time.  Calls of a thread are nested, one thread after another. */
static bool
any_lasts(const struct calls_in *c)
{
	const struct call_event *e = SCRATCH(c->events, struct call_event);
	uint64_t depth = 0;

	for (uint64_t i = 0; i < c->n; i++) {
		if (depth > 0 && e[i].time > e[i - 1].time)
			return true;
		if (e[i].word % 4 == ACT_ENTER)
			depth++;
		else
			depth--;
	}
	return false;
}

/* Drop the calls if none takes any time: some recorders mark threads with them, and they would hide samples. */
static void
drop_timeless(struct chrome *c)
{
	struct calls_in *calls = &c->l->spans.calls;

	if (c->to->bad || !chrome_samples_any(&c->samples) || any_lasts(calls))
		return;
	c->timeless = calls->n / 2;
	calls->n = calls->nargs = 0;
}

/* Write calls and samples; a file with samples only is a profile. */
static void
load_found(struct chrome *c)
{
	struct jload *l = c->l;
	struct into *to = c->to;

	c->stacks += chrome_nested_others(&c->nested, l, c->samples.frames);
	read_system(c);
	l->spans.calls.shapes = SHAPE_MARKS | (c->tracks.switches > 0 ? SHAPE_TASKS | SHAPE_TRACKS : 0u);
	INTO(to, spans_in_calls(&l->spans, to->err));
	drop_timeless(c);
	chrome_args_names(&c->marks);
	if (l->spans.calls.n > 0)
		samples_apart(&l->samples);
	chrome_samples_load(&c->samples, NULL);
	chrome_times_samples(&c->times, to);
	INTO(to, calls_in_fill(&l->spans.calls, to->err));
	chrome_args_columns(&c->marks);
	l->timed = l->spans.calls.n > 0 || l->samples.nsamples == 0;
	if (!l->timed && c->tracks.switches > 0) {
		l->samples.from = c->times.first;
		l->samples.to = c->times.last;
	}
	INTO(to, l->spans.calls.n > 0 || l->samples.nsamples > 0 || c->tracks.switches > 0 ||
	    chrome_marks_any(&c->marks) ||
	    nothing_found(c, to->err));
	INTO(to, chrome_put_facts(c, to->err) && chrome_marks_columns(&c->marks, to->err));
	l->beyond += c->times.beyond;
}

void
chrome_load(struct jload *l)
{
	struct chrome c = { .l = l, .to = &l->to, .samples = { .l = l, .nodes = { .l = l } },
	    .marks = { .l = l, .to = &l->to,
	    .in = { .l = l, .shown = chrome_times_since, .clock = &c.times }, .times = &c.times } };
	struct json j = l->doc;

	l->spans.unescape = scan_unescape;
	l->to.marks = &c.marks.in;
	INTO(c.to, chrome_times_open(&c.times, c.to->err));
	if (scan_peek(&j) == '[')
		read_events(&c, &j);
	else
		chrome_read_object(&c);
	if (!c.to->bad)
		load_found(&c);
	chrome_times_close(&c.times);
	chrome_samples_close(&c.samples);
	chrome_marks_close(&c.marks);
	scratch_free(&c.nested.events);
	/* After running out of memory, a reader truncates the names of threads. */
	into_made(c.to, &l->text);
}
