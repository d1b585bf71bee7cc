/*
 * Trace events of Chrome: complete events, begins and ends, names of threads.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "chrome.h"

enum { PHASE, NAME, TIME, DURATION, CPU, CPU_LENGTH, PID, TID, ARGS, ID, MEMBERS };

static const char *const members[] = { "ph", "name", "ts", "dur", "tts", "tdur", "pid", "tid", "args", "id", NULL };

/* Beyond an hour times are of an epoch or since the boot, and one of 0 is none. */
#define HOUR (3600 * (uint64_t)1000000000)

struct chrome {
	struct jload	*l;
	uint64_t	 low, first;	/* the least time above 0, and the least, from CHROME_ZERO on; 0: there is none */
	uint64_t	 no_time;	/* events at 0 or before */
	struct chrome_samples samples;
	uint64_t	 seen[128];	/* of samples, which count where there are no calls */
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

bool
chrome_time(struct str s, uint64_t *time)
{
	bool below = str_take(&s, STR("-"));
	uint64_t v;

	if (!json_fixed(s, 3, &v))
		return false;
	v = v < CHROME_MOST ? v : CHROME_MOST;
	*time = below ? CHROME_ZERO - v : CHROME_ZERO + v;
	return true;
}

/* The same of a thread's CPU time. */
static uint64_t
read_cpu(struct json j)
{
	uint64_t v;

	return !json_fixed(jload_word(j), 3, &v) ? SPAN_NO_CPU : v < CHROME_MOST ? v : CHROME_MOST;
}

/* Of all events that have one. */
static void
see_time(struct chrome *c, uint64_t time)
{
	if (c->first == 0 || time < c->first)
		c->first = time;
	if (time <= CHROME_ZERO)
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
	span->end = span->start + (duration < CHROME_MOST ? duration : CHROME_MOST);
	return spans_in_add(&l->spans, span, err);
}

/* "P" and, of old, "I": samples. */
static bool
see_samples(struct chrome *c, struct json event, const struct json *at, struct err *err)
{
	static const struct { const char *name; enum chrome_piece kind; } kinds[] = {
		{ "Profile", CHROME_HEAD }, { "ProfileChunk", CHROME_CHUNK }, { "CpuProfile", CHROME_WHOLE },
	};
	struct str name = jload_word(at[NAME]);

	for (size_t i = 0; i < NELEM(kinds); i++) {
		if (!str_eq(name, str_of(kinds[i].name)))
			continue;
		c->seen[(unsigned char)*jload_word(at[PHASE]).s]++;
		return chrome_samples_see(&c->samples, kinds[i].kind, event, jload_word(at[PID]), jload_word(at[TID]),
		    jload_word(at[ID]), err);
	}
	return true;
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
	if (kind != 'M' && chrome_time(jload_word(at[TIME]), &span.start))
		see_time(c, span.start);
	if (strchr("XBEM", kind) == NULL) {
		c->skipped[(unsigned char)kind]++;
		return (kind != 'P' && kind != 'I') || see_samples(c, j, at, err);
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
		if (str_eq(name, STR("traceEvents"))) {
			ok = read_events(c, &j, err);
		} else {
			if (str_eq(name, STR("samples")))
				c->samples.top = j;
			if (str_eq(name, STR("stackFrames")))
				c->samples.frames = j;
			if (!json_skip(&j))
				break;
		}
	}
	c->l->cut |= j.bad;
	return ok;
}

static bool
put_chrome_facts(const struct chrome *c, bool epoch, struct err *err)
{
	const struct spans_in *s = &c->l->spans;
	const struct make_fact facts[] = {
		{ "clock_start", c->first < CHROME_ZERO ? 0 : c->first - CHROME_ZERO, MAKE_TIME },
		{ "with_cpu", s->calls.with_cpu, MAKE_ANY },
		{ "repair.no_time", epoch ? c->no_time : 0, MAKE_ANY },
		{ "repair.end_without_begin", s->no_begin, MAKE_ANY },
		{ "repair.end_name", s->end_name, MAKE_ANY },
		{ "repair.overlap", s->overlap, MAKE_ANY },
		{ "repair.node", c->samples.bad_nodes, MAKE_ANY },
		{ "repair.no_head", c->samples.no_head, MAKE_ANY },
	};
	char name[] = "skipped.?";

	for (unsigned char letter = 0; letter < NELEM(c->skipped); letter++) {
		name[sizeof name - 2] = (char)letter;
		if (c->skipped[letter] > 0 && !store_fact(c->l->st, name, FACT_COUNT, c->skipped[letter], err))
			return false;
	}
	return make_facts(c->l->st, facts, NELEM(facts), err);
}

/* What there is instead. */
static bool
no_calls(const struct chrome *c, struct err *err)
{
	char letters[256] = "";
	size_t n = 0;

	for (size_t i = 0; i < NELEM(c->skipped); i++)
		if (c->skipped[i] > 0 && n < sizeof letters - 32)
			n += (size_t)snprintf(letters + n, sizeof letters - n, "%s%llu of %c", n == 0 ? "" : ", ",
			    (unsigned long long)c->skipped[i], (char)i);
	if (n == 0)
		return fail(err, E_INPUT, c->first == 0 ? "no events in this trace" : "no calls in these trace events");
	return fail(err, E_INPUT, "no calls in these trace events; of the others none is read: %s", letters);
}

static bool
load_calls(struct chrome *c, struct err *err)
{
	struct jload *l = c->l;
	bool epoch = c->low >= CHROME_ZERO + HOUR;

	l->timed = true;
	l->spans.least = epoch ? c->low : 0;
	c->first = epoch ? c->low : c->first;
	l->spans.calls.first = c->first;
	if (!spans_in_calls(&l->spans, err))
		return false;
	return (l->spans.calls.n > 0 || no_calls(c, err)) && put_chrome_facts(c, epoch, err);
}

/* Where there are samples alone the file is a profile. */
static bool
load_samples(struct chrome *c, struct err *err)
{
	if (!chrome_samples_load(&c->samples, c->l, err))
		return false;
	if (c->l->samples.nsamples == 0)
		return fail(err, E_INPUT, "no calls and no samples in these trace events");
	for (size_t letter = 0; letter < NELEM(c->skipped); letter++)
		c->skipped[letter] -= c->seen[letter];
	return put_chrome_facts(c, false, err);
}

bool
chrome_load(struct jload *l, struct err *err)
{
	struct chrome c = { .l = l };
	struct json j = l->doc;
	bool ok;

	l->spans.unescape = json_unescape;
	ok = json_peek(&j) == '[' ? read_events(&c, &j, err) : read_object(&c, err);
	if (ok && l->spans.nrows == 0 && chrome_samples_any(&c.samples))
		ok = load_samples(&c, err);
	else if (ok)
		ok = load_calls(&c, err);
	chrome_samples_close(&c.samples);
	/* A reader whose memory ran out names threads too short. */
	return ok && (!l->text.bad || fail(err, E_SYSTEM, "no memory for a name"));
}
