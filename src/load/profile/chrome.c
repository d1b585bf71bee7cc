/*
 * Trace events of Chrome: complete events, begins and ends, names of threads.
 */
#include "config.h"

#include <string.h>

#include "jload.h"

enum { PHASE, NAME, TIME, DURATION, PID, TID, ARGS, MEMBERS };

static const char *const members[] = { "ph", "name", "ts", "dur", "pid", "tid", "args", NULL };

/* "M": what a thread is called. */
static bool
read_name(struct jload *l, const struct json *at, uint32_t thread, struct err *err)
{
	static const char *const names[] = { "name", NULL };
	struct json name;

	jload_members(l, at[ARGS], names, &name);
	return spans_in_name(&l->spans, thread, json_unescape(jload_word(name), &l->text), err);
}

/* "X": a whole call, "B" and "E": where one begins and ends. */
static bool
read_call(struct jload *l, const struct json *at, char phase, uint32_t thread, struct err *err)
{
	struct span span = { .thread = thread };
	uint64_t duration = 0;

	if (!json_fixed(jload_word(at[TIME]), 3, &span.start)) {
		l->bad++;
		return true;
	}
	if (phase == 'E') {
		spans_in_end(&l->spans, thread, span.start);
		return true;
	}
	span.frame = samples_frame(&l->samples, json_unescape(jload_word(at[NAME]), &l->text), STR(""), 0, err);
	if (span.frame == 0)
		return false;
	if (phase == 'B')
		return spans_in_begin(&l->spans, &span, err);
	json_fixed(jload_word(at[DURATION]), 3, &duration);
	span.end = num_add(span.start, duration);
	return spans_in_add(&l->spans, &span, err);
}

/* Ids may be numbers or names, and names may have escapes. */
static bool
find_thread(struct jload *l, struct str pid, struct str tid, uint32_t *thread, struct err *err)
{
	uint64_t before = l->spans.nthreads;

	*thread = spans_in_thread(&l->spans, pid, tid, err);
	if (*thread == 0 || l->spans.nthreads == before || memchr(tid.s, '\\', tid.n) == NULL)
		return *thread != 0;
	return spans_in_name(&l->spans, *thread, json_unescape(tid, &l->text), err);
}

static bool
read_event(struct jload *l, struct json j, struct err *err)
{
	struct json at[MEMBERS];
	struct str phase;
	uint32_t thread;
	char kind;

	jload_members(l, j, members, at);
	phase = jload_word(at[PHASE]);
	kind = phase.n == 1 ? phase.s[0] : '\0';
	if (kind == '\0' || strchr("XBEM", kind) == NULL) {
		l->others++;
		return true;
	}
	/* Of what tells of processes and threads only the names of threads count. */
	if (kind == 'M' && !str_eq(jload_word(at[NAME]), STR("thread_name")))
		return true;
	if (!find_thread(l, jload_word(at[PID]), jload_word(at[TID]), &thread, err))
		return false;
	return kind == 'M' ? read_name(l, at, thread, err) : read_call(l, at, kind, thread, err);
}

/* The end of an array may be missing: who writes it may have died, and that is allowed. */
static bool
read_events(struct jload *l, struct err *err)
{
	static const char *const names[] = { "traceEvents", NULL };
	struct json j = l->doc;
	bool bare = json_peek(&j) == '[';

	if (!bare)
		jload_members(l, l->doc, names, &j);
	if (!json_open(&j, '['))
		return true;
	while (json_item(&j)) {
		struct json event = j;

		if (!work_go(l->work, j.at, err))
			return false;
		if (!json_skip(&j)) {
			l->cut = true;
			break;
		}
		if (!read_event(l, event, err))
			return false;
	}
	l->cut |= j.bad && !bare;
	return true;
}

bool
chrome_load(struct jload *l, struct err *err)
{
	l->timed = true;
	if (!read_events(l, err) || !spans_in_calls(&l->spans, err))
		return false;
	/* A reader whose memory ran out names threads too short. */
	if (l->text.bad)
		return fail(err, E_SYSTEM, "no memory for a name");
	l->bad += l->spans.bad;
	return l->spans.nspans > 0 || fail(err, E_INPUT, "no calls in these trace events");
}
