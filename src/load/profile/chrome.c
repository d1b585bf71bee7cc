/*
 * Trace events of Chrome: complete events, begins and ends, names of threads.
 */
#include "config.h"

#include <string.h>

#include "jload.h"

enum { PHASE, NAME, TIME, DURATION, CPU, CPU_LENGTH, PID, TID, ARGS, MEMBERS };

static const char *const members[] = { "ph", "name", "ts", "dur", "tts", "tdur", "pid", "tid", "args", NULL };

/* Times may be below 0: they are kept from here on. */
#define ZERO ((uint64_t)1 << 62)
#define TIME_MOST (ZERO / 2 - 1)
/* Beyond an hour times are of an epoch or since the boot, and one of 0 is none. */
#define HOUR (3600 * (uint64_t)1000000000)

struct chrome {
	struct jload	*l;
	uint64_t	 low, first;	/* the least time above 0, and the least, from ZERO on; 0: there is none */
	uint64_t	 no_time;	/* events at 0 or before */
	uint64_t	 skipped[128];	/* events that are not read, by their letter */
};

/* "M": what a thread is called. */
static bool
read_name(struct jload *l, const struct json *at, uint32_t thread, struct err *err)
{
	static const char *const names[] = { "name", NULL };
	struct json name;

	jload_members(l, at[ARGS], names, &name);
	return spans_in_name(&l->spans, thread, json_unescape(jload_word(name), &l->text), err);
}

/* Microseconds, as a number or a text of one, as ns from ZERO on. */
static bool
read_time(struct str s, uint64_t *time)
{
	bool below = str_take(&s, STR("-"));
	uint64_t v;

	if (!json_fixed(s, 3, &v))
		return false;
	v = v < TIME_MOST ? v : TIME_MOST;
	*time = below ? ZERO - v : ZERO + v;
	return true;
}

/* The same of a thread's CPU time. */
static uint64_t
read_cpu(struct json j)
{
	uint64_t v;

	return !json_fixed(jload_word(j), 3, &v) ? SPAN_NO_CPU : v < TIME_MOST ? v : TIME_MOST;
}

/* Of all events that have one. */
static void
see_time(struct chrome *c, uint64_t time)
{
	if (c->first == 0 || time < c->first)
		c->first = time;
	if (time <= ZERO)
		c->no_time++;
	else if (c->low == 0 || time < c->low)
		c->low = time;
}

/* "X": a whole call, "B" and "E": where one begins and ends. */
static bool
read_call(struct jload *l, const struct json *at, char phase, struct span *span, struct err *err)
{
	struct str name = json_unescape(jload_word(at[NAME]), &l->text);
	uint64_t duration = 0;

	if (phase != 'E' || name.n > 0) {
		span->frame = samples_frame(&l->samples, name, STR(""), 0, err);
		if (span->frame == 0)
			return false;
	}
	span->cpu = read_cpu(at[CPU]);
	span->cpu_length = phase == 'X' ? read_cpu(at[CPU_LENGTH]) : SPAN_NO_CPU;
	if (phase == 'E')
		return spans_in_end(&l->spans, span, err);
	if (phase == 'B')
		return spans_in_begin(&l->spans, span, err);
	json_fixed(jload_word(at[DURATION]), 3, &duration);
	span->end = span->start + (duration < TIME_MOST ? duration : TIME_MOST);
	return spans_in_add(&l->spans, span, err);
}

static bool
read_event(struct chrome *c, struct json j, struct err *err)
{
	struct jload *l = c->l;
	struct json at[MEMBERS];
	struct span span = { .frame = 0 };
	struct str phase;
	char kind;

	jload_members(l, j, members, at);
	phase = jload_word(at[PHASE]);
	kind = phase.n == 1 && phase.s[0] > ' ' && phase.s[0] < 127 ? phase.s[0] : '\0';
	if (kind == '\0') {
		l->others++;
		return true;
	}
	/* Of what tells of processes and threads only the names of threads count. */
	if (kind == 'M' && !str_eq(jload_word(at[NAME]), STR("thread_name")))
		return true;
	if (kind != 'M' && read_time(jload_word(at[TIME]), &span.start))
		see_time(c, span.start);
	if (strchr("XBEM", kind) == NULL) {
		c->skipped[(unsigned char)kind]++;
		return true;
	}
	if (kind != 'M' && span.start == 0) {
		l->bad++;
		return true;
	}
	span.thread = spans_in_thread(&l->spans, jload_word(at[PID]), jload_word(at[TID]), err);
	if (span.thread == 0)
		return false;
	return kind == 'M' ? read_name(l, at, span.thread, err) : read_call(l, at, kind, &span, err);
}

/* The array at j, which goes behind it.  Its end may be missing: who writes it may have died, and that is allowed of a bare one. */
static bool
read_events(struct chrome *c, struct json *j, struct err *err)
{
	if (!json_open(j, '['))
		return json_skip(j) || true;
	while (json_item(j)) {
		struct json event = *j;

		if (!work_go(c->l->work, j->at, err))
			return false;
		if (!json_skip(j)) {
			c->l->cut = true;
			break;
		}
		if (!read_event(c, event, err))
			return false;
	}
	return true;
}

/* The events stand at any place in it, and are large: nothing is read twice. */
static bool
read_object(struct chrome *c, struct err *err)
{
	struct json j = c->l->doc;
	struct str name;
	bool ok = true;

	json_open(&j, '{');
	while (ok && json_member(&j, &name)) {
		if (str_eq(name, STR("traceEvents")))
			ok = read_events(c, &j, err);
		else if (!json_skip(&j))
			break;
	}
	c->l->cut |= j.bad;
	return ok;
}

static bool
put_chrome_facts(const struct chrome *c, bool epoch, struct err *err)
{
	const struct spans_in *s = &c->l->spans;
	const struct make_fact facts[] = {
		{ "clock_start", c->first < ZERO ? 0 : c->first - ZERO, MAKE_TIME },
		{ "with_cpu", s->calls.with_cpu, MAKE_ANY },
		{ "repair.no_time", epoch ? c->no_time : 0, MAKE_ANY },
		{ "repair.end_without_begin", s->no_begin, MAKE_ANY },
		{ "repair.end_name", s->end_name, MAKE_ANY },
		{ "repair.overlap", s->overlap, MAKE_ANY },
	};
	char name[] = "skipped.?";

	for (unsigned char letter = 0; letter < NELEM(c->skipped); letter++) {
		name[sizeof name - 2] = (char)letter;
		if (c->skipped[letter] > 0 && !store_fact(c->l->st, name, FACT_COUNT, c->skipped[letter], err))
			return false;
	}
	return make_facts(c->l->st, facts, NELEM(facts), err);
}

bool
chrome_load(struct jload *l, struct err *err)
{
	struct chrome c = { .l = l };
	struct json j = l->doc;
	bool epoch;

	l->timed = true;
	l->spans.unescape = json_unescape;
	if (json_peek(&j) == '[' ? !read_events(&c, &j, err) : !read_object(&c, err))
		return false;
	if (l->spans.nrows == 0)
		return fail(err, E_INPUT, "no calls in these trace events");
	epoch = c.low >= ZERO + HOUR;
	l->spans.least = epoch ? c.low : 0;
	c.first = epoch ? c.low : c.first;
	l->spans.calls.first = c.first;
	if (!spans_in_calls(&l->spans, err))
		return false;
	/* A reader whose memory ran out names threads too short. */
	if (l->text.bad)
		return fail(err, E_SYSTEM, "no memory for a name");
	return (l->spans.calls.n > 0 || fail(err, E_INPUT, "no calls in these trace events")) && put_chrome_facts(&c, epoch, err);
}
