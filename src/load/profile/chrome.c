/*
 * Trace events of Chrome: complete events, begins and ends, names of threads.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "jload.h"

enum { PHASE, NAME, TIME, DURATION, PID, TID, ARGS, MEMBERS };

static const char *const members[] = { "ph", "name", "ts", "dur", "pid", "tid", "args", NULL };

struct chrome_thread {
	struct str	name;
	uint32_t	pid, tid;
	uint32_t	open;		/* row + 1 of its innermost open begin; 0: none */
	uint64_t	last;		/* its latest time */
};

struct chrome_span {
	uint64_t	start, end, order;
	uint32_t	thread, frame;
	uint32_t	outer;		/* while it is open: row + 1 of the begin around it */
	bool		open;		/* nobody ended it */
};

struct chrome {
	struct jload	*l;
	struct scratch	 threads, spans, ends;	/* ends: struct jevent of the calls that are open */
	struct idmap	 by_id;		/* row + 1 */
	uint64_t	 nthreads, nspans;
};

static struct chrome_thread *
thread_at(const struct chrome *c, uint32_t thread)
{
	return &SCRATCH(c->threads, struct chrome_thread)[thread - 1];
}

static struct chrome_span *
span_at(const struct chrome *c, uint32_t span)
{
	return &SCRATCH(c->spans, struct chrome_span)[span - 1];
}

/* Ids may be numbers or names. */
static bool
find_thread(struct chrome *c, struct str pid, struct str tid, uint32_t *thread, struct err *err)
{
	uint64_t key = hash_bytes(tid.s, tid.n, hash_bytes(pid.s, pid.n, idmap_hash(0))), v;
	struct chrome_thread row = { .name = STR("") };

	*thread = idmap_get(&c->by_id, key);
	if (*thread != 0)
		return true;
	row.pid = num_u64(pid, 10, &v) && v <= UINT32_MAX ? (uint32_t)v : 0;
	row.tid = num_u64(tid, 10, &v) && v <= UINT32_MAX ? (uint32_t)v : 0;
	/* Names that stand where ids should. */
	if (row.tid == 0 && tid.n > 0 && !str_eq(tid, STR("0")))
		row.name = tid;
	if (c->nthreads >= UINT32_MAX - 1)
		return fail(err, E_INPUT, "more than 2^32 threads");
	if (!scratch_array(&c->threads, c->nthreads + 1, sizeof row, err))
		return false;
	SCRATCH(c->threads, struct chrome_thread)[c->nthreads] = row;
	*thread = (uint32_t)++c->nthreads;
	return idmap_put(&c->by_id, key, *thread, err);
}

/* ---- events -------------------------------------------------------------------------- */

static bool
add_span(struct chrome *c, const struct chrome_span *span, struct err *err)
{
	if (c->nspans >= UINT32_MAX - 1)
		return fail(err, E_INPUT, "more than 2^32 events");
	if (!scratch_array(&c->spans, c->nspans + 1, sizeof *span, err))
		return false;
	SCRATCH(c->spans, struct chrome_span)[c->nspans] = *span;
	SCRATCH(c->spans, struct chrome_span)[c->nspans].order = c->nspans;
	c->nspans++;
	return true;
}

/* An end closes the innermost begin of its thread. */
static void
end_span(struct chrome *c, uint32_t thread, uint64_t time)
{
	struct chrome_thread *t = thread_at(c, thread);
	struct chrome_span *span;

	if (t->open == 0) {
		c->l->bad++;
		return;
	}
	span = span_at(c, t->open);
	span->end = time > span->start ? time : span->start;
	t->open = span->outer;
}

/* "M": what a thread is called. */
static void
read_name(struct chrome *c, const struct json *at, uint32_t thread)
{
	static const char *const names[] = { "name", NULL };
	struct json name;

	jload_members(c->l, at[ARGS], names, &name);
	thread_at(c, thread)->name = jload_word(name);
}

static bool
read_call(struct chrome *c, const struct json *at, char phase, uint32_t thread, struct err *err)
{
	struct chrome_span span = { .thread = thread };
	struct chrome_thread *t = thread_at(c, thread);
	uint64_t duration = 0;

	if (!json_fixed(jload_word(at[TIME]), 3, &span.start)) {
		c->l->bad++;
		return true;
	}
	if (phase == 'X')
		json_fixed(jload_word(at[DURATION]), 3, &duration);
	span.end = num_add(span.start, duration);
	if (span.end > t->last)
		t->last = span.end;
	if (phase == 'E') {
		end_span(c, thread, span.start);
		return true;
	}
	span.frame = jload_frame(c->l, jload_word(at[NAME]), err);
	if (span.frame == 0)
		return false;
	if (phase == 'B') {
		span.end = UINT64_MAX;
		span.outer = t->open;
		t->open = (uint32_t)c->nspans + 1;
	}
	return add_span(c, &span, err);
}

static bool
read_event(struct chrome *c, struct json j, struct err *err)
{
	struct json at[MEMBERS];
	struct str phase;
	uint32_t thread;
	char kind;

	jload_members(c->l, j, members, at);
	phase = jload_word(at[PHASE]);
	kind = phase.n == 1 ? phase.s[0] : '\0';
	if (kind == '\0' || strchr("XBEM", kind) == NULL) {
		c->l->others++;
		return true;
	}
	/* Of what tells of processes and threads only the names of threads count. */
	if (kind == 'M' && !str_eq(jload_word(at[NAME]), STR("thread_name")))
		return true;
	if (!find_thread(c, jload_word(at[PID]), jload_word(at[TID]), &thread, err))
		return false;
	if (kind != 'M')
		return read_call(c, at, kind, thread, err);
	read_name(c, at, thread);
	return true;
}

/* The end of an array may be missing: who writes it may have died, and that is allowed. */
static bool
read_events(struct chrome *c, struct err *err)
{
	static const char *const names[] = { "traceEvents", NULL };
	struct json j = c->l->doc;
	bool bare = json_peek(&j) == '[';

	if (!bare)
		jload_members(c->l, c->l->doc, names, &j);
	if (!json_open(&j, '['))
		return true;
	while (json_item(&j)) {
		struct json event = j;

		if (!jload_tick(c->l, &j, err))
			return false;
		if (!json_skip(&j)) {
			c->l->cut = true;
			break;
		}
		if (!read_event(c, event, err))
			return false;
	}
	c->l->cut |= j.bad && !bare;
	return true;
}

/* ---- calls ------------------------------------------------------------------------------ */

static int
span_order(const void *x, const void *y)
{
	const struct chrome_span *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

/* Leaves the calls that ended by then. */
static bool
leave(struct chrome *c, uint64_t *depth, uint64_t time, struct err *err)
{
	for (; *depth > 0; --*depth) {
		const struct jevent *e = &SCRATCH(c->ends, struct jevent)[*depth - 1];

		if (e->time > time)
			return true;
		if (e->word != 0 && !jcalls_add(&c->l->calls, e, err))
			return false;
	}
	return true;
}

/* What is longer than the call around it ends with it. */
static bool
enter(struct chrome *c, uint64_t *depth, const struct chrome_span *span, struct err *err)
{
	struct jevent e = { span->start, span->thread, 4 * span->frame + ACT_ENTER }, end = e;
	const struct jevent *around = *depth == 0 ? NULL : &SCRATCH(c->ends, struct jevent)[*depth - 1];

	end.time = span->end;
	/* What nobody ended has no exit. */
	end.word = span->open ? 0 : 4 * span->frame + ACT_EXIT;
	if (around != NULL && around->time < end.time) {
		end.time = around->time;
		end.word = 4 * span->frame + ACT_EXIT;
		c->l->bad++;
	}
	if (!jcalls_add(&c->l->calls, &e, err) || !scratch_array(&c->ends, *depth + 1, sizeof end, err))
		return false;
	SCRATCH(c->ends, struct jevent)[(*depth)++] = end;
	return true;
}

static bool
make_calls(struct chrome *c, struct err *err)
{
	struct chrome_span *span = SCRATCH(c->spans, struct chrome_span);
	uint64_t i, depth = 0;

	for (i = 0; i < c->nspans; i++)
		if (span[i].end == UINT64_MAX) {
			span[i].end = thread_at(c, span[i].thread)->last;
			span[i].open = true;
		}
	if (c->nspans > 0)
		qsort(span, c->nspans, sizeof *span, span_order);
	for (i = 0; i < c->nspans; i++) {
		bool first = i == 0 || span[i].thread != span[i - 1].thread;

		if (i % 4096 == 0 && !work_tick(c->l->work, c->l->doc.size))
			return fail_cancel(err);
		if (!leave(c, &depth, first ? UINT64_MAX : span[i].start, err) || !enter(c, &depth, &span[i], err))
			return false;
	}
	return leave(c, &depth, UINT64_MAX, err);
}

/* Each one stays apart, whatever its ids are: processes may have names for ids. */
static bool
make_thread(struct chrome *c, uint32_t thread, struct idmap *tids, struct err *err)
{
	const struct chrome_thread *t = thread_at(c, thread);
	struct samples *s = &c->l->samples;
	struct buf made = BUF_INIT;
	struct str name = json_unescape(t->name, &c->l->text);
	bool ok;

	/* An id that another process has as well gets a name that tells both, and 0, which is no id here. */
	if (name.n == 0 && (t->tid == 0 || idmap_get(tids, t->tid) != 0)) {
		buf_printf(&made, "%u/%u", t->pid, t->tid);
		name = buf_view(&made);
	}
	ok = (!made.bad && !c->l->text.bad) || fail(err, E_SYSTEM, "no memory for a name");
	ok = ok && samples_thread(s, t->pid, t->tid, name, err) != 0 &&
	    (s->nthreads == thread || samples_thread(s, UINT32_MAX - thread, t->tid, name, err) != 0);
	buf_free(&made);
	return ok && idmap_put(tids, t->tid, thread, err);
}

static bool
make_threads(struct chrome *c, struct err *err)
{
	struct idmap tids = IDMAP_INIT;
	uint32_t i;
	bool ok = true;

	for (i = 1; ok && i <= c->nthreads; i++)
		ok = make_thread(c, i, &tids, err);
	idmap_free(&tids);
	return ok;
}

bool
chrome_load(struct jload *l, struct err *err)
{
	struct chrome c = { .l = l, .threads = SCRATCH_INIT, .spans = SCRATCH_INIT, .ends = SCRATCH_INIT,
	    .by_id = IDMAP_INIT };
	bool ok;

	l->timed = true;
	ok = read_events(&c, err) && make_calls(&c, err) && make_threads(&c, err);
	scratch_free(&c.threads);
	scratch_free(&c.spans);
	scratch_free(&c.ends);
	idmap_free(&c.by_id);
	if (ok && c.nspans == 0)
		return fail(err, E_INPUT, "no calls in these trace events");
	return ok;
}
