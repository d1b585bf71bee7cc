/*
 * Pieces of time with names, in any order, as calls: each lies within the one around it.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

/* ---- enters and exits as the columns of a method trace -------------------------------------------- */

bool
calls_in_add(struct calls_in *c, const struct call_event *e, struct err *err)
{
	assert(e->thread != 0 && e->word / 4 != 0 && e->word / 4 <= c->names->nnames);
	return make_add(&c->events, &c->n, e, sizeof *e, UINT64_MAX, "calls", err);
}

/* Threads keep their ids, but those that have none or that of another one get the largest there are. */
static bool
unlike_tids(struct samples *s, struct err *err)
{
	struct sample_thread *t = SCRATCH(s->threads, struct sample_thread);
	struct idmap taken = IDMAP_INIT;
	bool ok = true;

	for (uint64_t i = 0; ok && i < s->nthreads; i++) {
		if (t[i].tid == 0 || idmap_get(&taken, t[i].tid) != 0)
			t[i].tid = UINT32_MAX - (uint32_t)i;
		ok = idmap_put(&taken, t[i].tid, 1, err);
	}
	idmap_free(&taken);
	return ok;
}

static bool
name_columns(struct samples *s, struct err *err)
{
	static const struct make_column threads[] = {
		MAKE(COL_LISTED_TID, sample_thread, tid), MAKE(COL_LISTED_PID, sample_thread, pid),
		MAKE(COL_LISTED_THREAD, sample_thread, ref), MAKE(COL_LISTED_THREAD_OWN, sample_thread, own),
		MAKE_CONST(COL_LISTED_BEFORE, 4, MAKE_ZERO),
	}, names[] = {
		MAKE_CONST(COL_LISTED_METHOD, 8, MAKE_METHOD), MAKE(COL_LISTED_NAME, sample_name, ref),
		MAKE(COL_LISTED_OWN, sample_name, own), MAKE_CONST(COL_LISTED_LINE, 8, MAKE_NO_LINE),
		MAKE(COL_LISTED_FILE, sample_name, file), MAKE(COL_LISTED_FILE_OWN, sample_name, file_own),
	}, empty[] = {
		MAKE_CONST(COL_LISTED_CLASS, 8, MAKE_ZERO), MAKE_CONST(COL_LISTED_SIGNATURE, 8, MAKE_ZERO),
	};
	const struct sample_thread *thread = SCRATCH(s->threads, struct sample_thread);
	const struct sample_name *name = SCRATCH(s->names, struct sample_name);

	return make_columns(s->st, threads, NELEM(threads), MAKE_ROWS(thread, s->nthreads), err) &&
	    make_columns(s->st, names, NELEM(names), MAKE_ROWS(name, s->nnames), err) &&
	    make_copy(s->st, COL_LISTED_OWN_TEXT, COL_BYTES, s->own.bytes.data, s->own.n, err) &&
	    make_columns(s->st, empty, NELEM(empty), MAKE_ROWS(name, s->nnames), err);
}

/* Threads are told by their tids, times from the first one on. */
static bool
event_columns(struct calls_in *c, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_EVENT_TIME, call_event, time), MAKE(COL_EVENT_WORD, call_event, word),
		MAKE(COL_EVENT_TID, call_event, thread),
	};
	const struct sample_thread *t = SCRATCH(c->names->threads, struct sample_thread);
	struct call_event *e = SCRATCH(c->events, struct call_event);
	struct make_rows rows = MAKE_ROWS(e, c->n);
	uint64_t first = UINT64_MAX;

	for (uint64_t i = 0; i < c->n; i++)
		first = e[i].time < first ? e[i].time : first;
	for (uint64_t i = 0; i < c->n; i++) {
		assert(e[i].thread <= c->names->nthreads);
		e[i].time -= first;
		e[i].thread = t[e[i].thread - 1].tid;
	}
	rows.work = c->names->work;
	return make_columns(c->names->st, columns, NELEM(columns), rows, err) && make_segment(c->names->st, err);
}

bool
calls_in_columns(struct calls_in *c, struct err *err)
{
	struct samples *s = c->names;
	const struct make_fact facts[] = {
		{ "records", c->n }, { "threads_listed", s->nthreads }, { "methods_listed", s->nnames },
		MAKE_COLUMN_TRACE, { "shapes", SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_ROWS },
	};

	if (s->nnames >= UINT32_MAX / 4)
		return fail(err, E_INPUT, "more than %u names", UINT32_MAX / 4);
	return unlike_tids(s, err) && name_columns(s, err) && event_columns(c, err) &&
	    make_facts(s->st, facts, NELEM(facts), err) && store_fact_text(s->st, "clock", STR("wall"), err);
}

struct span_thread {
	struct str	name;		/* in the source */
	uint64_t	own, own_n;	/* 1 + where the name stands in text, and its length; own 0: name counts */
	uint32_t	pid, tid;
	uint32_t	open;		/* row + 1 of its innermost open begin; 0: none */
	uint64_t	last;		/* its latest time */
};

struct span_row {
	struct span	span;
	uint64_t	order;		/* as they came */
	uint32_t	outer;		/* while it is open: row + 1 of the begin around it */
	bool		open;		/* nobody ended it */
};

void
spans_in_open(struct spans_in *in, struct samples *names)
{
	*in = (struct spans_in){ .calls.names = names };
}

void
spans_in_close(struct spans_in *in)
{
	SCRATCH_FREE(&in->calls.events, &in->threads, &in->spans, &in->open, &in->text);
	idmap_free(&in->by_id);
}

/* ---- threads --------------------------------------------------------------------- */

static struct span_thread *
thread_at(const struct spans_in *in, uint32_t thread)
{
	assert(thread != 0 && thread <= in->nthreads);
	return &SCRATCH(in->threads, struct span_thread)[thread - 1];
}

uint32_t
spans_in_thread(struct spans_in *in, struct str pid, struct str tid, struct err *err)
{
	uint64_t key = hash_bytes(tid.s, tid.n, hash_bytes(pid.s, pid.n, idmap_hash(0))), v;
	uint32_t thread = idmap_get(&in->by_id, key);
	struct span_thread t = { .own = 0 };

	if (thread != 0)
		return thread;
	t.pid = num_u64(pid, 10, &v) && v <= UINT32_MAX ? (uint32_t)v : 0;
	t.tid = num_u64(tid, 10, &v) && v <= UINT32_MAX ? (uint32_t)v : 0;
	/* Some formats have names where ids should be. */
	t.name = t.tid == 0 && !str_eq(tid, STR("0")) ? tid : STR("");
	return make_add(&in->threads, &in->nthreads, &t, sizeof t, MAKE_MOST, "threads", err) &&
	    idmap_put(&in->by_id, key, (uint32_t)in->nthreads, err) ? (uint32_t)in->nthreads : 0;
}

bool
spans_in_name(struct spans_in *in, uint32_t thread, struct str name, struct err *err)
{
	struct span_thread *t = thread_at(in, thread);

	t->own = 0;
	t->name = name;
	if (name.n == 0 || samples_has_text(in->calls.names, name))
		return true;
	if (!scratch_array(&in->text, in->ntext + name.n, 1, err))
		return false;
	memcpy(in->text.data + in->ntext, name.s, name.n);
	t->own = in->ntext + 1;
	t->own_n = name.n;
	in->ntext += name.n;
	return true;
}

/* Each one stays apart, whatever its ids are: processes may have names for ids. */
static bool
make_thread(struct spans_in *in, uint32_t thread, struct idmap *tids, struct err *err)
{
	const struct span_thread *t = thread_at(in, thread);
	struct samples *s = in->calls.names;
	struct str name = t->own == 0 ? t->name : (struct str){ (const char *)in->text.data + t->own - 1, t->own_n };
	struct buf made = BUF_INIT;
	bool ok;

	/* An id that another process has as well gets a name that tells both, and so does 0, which is no id here. */
	if (name.n == 0 && (t->tid == 0 || idmap_get(tids, t->tid) != 0)) {
		buf_printf(&made, "%u/%u", t->pid, t->tid);
		name = buf_view(&made);
	}
	ok = !made.bad || fail(err, E_SYSTEM, "no memory for a name");
	ok = ok && samples_thread(s, t->pid, t->tid, name, err) != 0 &&
	    (s->nthreads == thread || samples_thread(s, UINT32_MAX - thread, t->tid, name, err) != 0);
	buf_free(&made);
	return ok && idmap_put(tids, t->tid, thread, err);
}

static bool
make_threads(struct spans_in *in, struct err *err)
{
	struct idmap tids = IDMAP_INIT;
	bool ok = true;

	for (uint32_t i = 1; ok && i <= in->nthreads; i++)
		ok = make_thread(in, i, &tids, err);
	idmap_free(&tids);
	return ok;
}

/* ---- spans ----------------------------------------------------------------------- */

static void
see_time(struct span_thread *t, uint64_t time)
{
	if (time > t->last)
		t->last = time;
}

bool
spans_in_add(struct spans_in *in, const struct span *span, struct err *err)
{
	struct span_row row = { .span = *span, .order = in->nspans };

	assert(span->frame != 0);
	see_time(thread_at(in, span->thread), span->end);
	/* Nothing that ends before it began can be drawn. */
	if (span->end < span->start)
		row.span.end = span->start;
	return make_add(&in->spans, &in->nspans, &row, sizeof row, MAKE_MOST, "events", err);
}

bool
spans_in_begin(struct spans_in *in, const struct span *span, struct err *err)
{
	struct span_thread *t = thread_at(in, span->thread);
	struct span_row *row;

	if (!spans_in_add(in, &(struct span){ span->start, span->start, span->thread, span->frame }, err))
		return false;
	row = &SCRATCH(in->spans, struct span_row)[in->nspans - 1];
	row->span.end = UINT64_MAX;
	row->outer = t->open;
	t->open = (uint32_t)in->nspans;
	return true;
}

void
spans_in_end(struct spans_in *in, uint32_t thread, uint64_t time)
{
	struct span_thread *t = thread_at(in, thread);
	struct span_row *row;

	see_time(t, time);
	if (t->open == 0) {
		in->bad++;
		return;
	}
	assert(t->open <= in->nspans);
	row = &SCRATCH(in->spans, struct span_row)[t->open - 1];
	row->span.end = time > row->span.start ? time : row->span.start;
	t->open = row->outer;
}

/* ---- calls ----------------------------------------------------------------------- */

/* By thread and start; what began together, the longest first, so that the others lie within it. */
static int
span_order(const void *x, const void *y)
{
	const struct span_row *a = x, *b = y;
	int same = num_order(b->span.end, a->span.end, num_order(a->order, b->order, 0));

	return num_order(a->span.thread, b->span.thread, num_order(a->span.start, b->span.start, same));
}

/* Leaves the calls that ended by then. */
static bool
leave(struct spans_in *in, uint64_t *depth, uint64_t time, struct err *err)
{
	for (; *depth > 0; --*depth) {
		const struct call_event *e = &SCRATCH(in->open, struct call_event)[*depth - 1];

		if (e->time > time)
			return true;
		if (e->word != 0 && !calls_in_add(&in->calls, e, err))
			return false;
	}
	return true;
}

/* What is longer than the call around it ends with it. */
static bool
enter(struct spans_in *in, uint64_t *depth, const struct span_row *row, struct err *err)
{
	const struct span *s = &row->span;
	struct call_event e = { s->start, s->thread, 4 * s->frame + ACT_ENTER };
	struct call_event *end = make_row(&in->open, *depth, sizeof e, UINT64_MAX, "open calls", err);

	if (end == NULL || !calls_in_add(&in->calls, &e, err))
		return false;
	/* What nobody ended has no exit. */
	*end = (struct call_event){ s->end, s->thread, row->open ? 0 : 4 * s->frame + ACT_EXIT };
	if (*depth > 0 && end[-1].time < end->time) {
		end->time = end[-1].time;
		end->word = 4 * s->frame + ACT_EXIT;
		in->bad++;
	}
	++*depth;
	return true;
}

bool
spans_in_calls(struct spans_in *in, struct err *err)
{
	struct span_row *row = SCRATCH(in->spans, struct span_row);
	uint64_t depth = 0;

	for (uint64_t i = 0; i < in->nspans; i++)
		if (row[i].span.end == UINT64_MAX) {
			row[i].span.end = thread_at(in, row[i].span.thread)->last;
			row[i].open = true;
		}
	if (in->nspans > 0)
		qsort(row, in->nspans, sizeof *row, span_order);
	for (uint64_t i = 0; i < in->nspans; i++) {
		bool first = i == 0 || row[i].span.thread != row[i - 1].span.thread;

		if (i % 4096 == 0 && !work_tick(in->calls.names->work, in->calls.names->source_size))
			return fail_cancel(err);
		if (!leave(in, &depth, first ? UINT64_MAX : row[i].span.start, err) || !enter(in, &depth, &row[i], err))
			return false;
	}
	return leave(in, &depth, UINT64_MAX, err) && make_threads(in, err);
}
