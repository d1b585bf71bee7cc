/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flows among Chrome trace events: points form chains, whose arrows connect calls.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_marks.h"
#include "chrome_marks.h"
#include "spans.h"

#define LOOK 64u		/* calls that begin at the same time, among which the call of a point is searched */

struct flow_point {
	uint64_t	key;		/* first, for make_sort: the time, or the thread */
	uint64_t	time;
	uint32_t	thread, chain;
	uint32_t	frame;		/* enclosing call; 0: unknown; later the call that was found */
	uint32_t	wait;		/* word: the wait for a GPU that begins at it; 0: none, or a call was found */
	char		letter;
	/* The point leads to the next call that begins, otherwise to the enclosing call. */
	bool		next;
};

struct flow_end {
	uint64_t	time;		/* UINT64_MAX: there is none */
	uint32_t	thread, frame, wait;
};

/* A wait for a GPU; ids of its thread, as in the file. */
struct flow_wait {
	uint64_t	time;		/* first: marks_order */
	uint32_t	pid, tid, name;	/* words */
};

struct chain {
	uint32_t	bound, cat, name;	/* bound: events of calls, whose names differ */
	struct chrome_id id;
	/* The key ends here. */
	uint32_t	shown_name, shown_cat;
	uint64_t	points, arrows, first;	/* first: time */
	struct flow_end	last, early;	/* the last start or step, and an end before the first one */
};

/* An arrow from a start or step to the next step or end, or a chain without arrows. */
struct flow {
	uint64_t	start, delay, points;
	struct flow_end	from, to;
	uint32_t	name, cat, id;
	uint8_t		whole;
};

/* Open calls of a thread at a point. */
struct flow_calls {
	const struct chrome_marks *m;
	const struct call_event *e;
	uint64_t	 n, at, next, depth, first;
	uint64_t	 nframes;	/* later frames are those of samples, which flows do not connect */
	uint64_t	 begun, looked, looked_at;	/* the last call that begins at that time, row from 1 */
	struct scratch	 open;
};

#define CHAIN(m, i) (&SCRATCH((m)->chains.rows, struct chain)[(i) - 1])

/* ---- reading ---------------------------------------------------------------------------- */

static void
add_point(struct chrome_marks *m, struct flow_point *p, struct chain *chain)
{
	chain->last.time = chain->early.time = UINT64_MAX;
	p->chain = into_key(m->to, &m->chains, chain, offsetof(struct chain, shown_name), sizeof *chain, "flows");
	INTO_ROW(m->to, m->flows, m->nflows, *p, "points of flows");
}

void
chrome_flow_add(struct chrome_marks *m, const struct chrome_event *e)
{
	struct flow_point p = { .key = e->time, .thread = e->thread, .letter = e->letter };
	struct chain chain = { .bound = 0 };

	p.next = e->letter == 'f' && !str_eq(e->is.bp, STR("e"));
	chain.name = chain.shown_name = into_word(m->to, e->is.name);
	chain.cat = chain.shown_cat = into_word(m->to, e->is.cat);
	chain.id = chrome_id(m, e, false);
	add_point(m, &p, &chain);
}

void
chrome_flow_bind(struct chrome_marks *m, const struct chrome_event *e, uint32_t frame)
{
	struct flow_point p = { .key = e->time, .thread = e->thread, .frame = frame };
	struct chain chain = { .bound = 1 };
	bool in = str_eq(e->is.flow_in, STR("true")), out = str_eq(e->is.flow_out, STR("true"));

	if (!in && !out)
		return;
	p.letter = in && out ? 't' : in ? 'f' : 's';
	chain.id.id = into_word(m->to, e->is.bind_id);
	chain.shown_name = into_word(m->to, e->is.name);
	chain.shown_cat = into_word(m->to, e->is.cat);
	add_point(m, &p, &chain);
}

void
chrome_flow_wait(struct chrome_marks *m, const struct chrome_event *e)
{
	struct flow_wait new = { .time = e->time };

	new.pid = into_word(m->to, e->is.pid);
	new.tid = into_word(m->to, e->is.tid);
	new.name = into_word(m->to, e->is.name);
	INTO_ROW(m->to, m->waits, m->nwaits, new, "waits for GPUs");
}

/* ---- calls that flows connect --------------------------------------------------------------- */

static bool
is_enter(const struct flow_calls *s, uint64_t row)
{
	return s->e[row].word % 4 == ACT_ENTER && s->e[row].word / 4 <= s->nframes;
}

static bool
is_at(const struct flow_calls *s, uint64_t row, uint32_t thread, uint64_t time)
{
	return row < s->n && s->e[row].thread == thread && s->e[row].time - s->first == time;
}

/* Enter and leave calls before that time. */
static void
advance(struct flow_calls *s, uint32_t thread, uint64_t time)
{
	for (; s->at < s->n && (s->e[s->at].thread < thread ||
	    (s->e[s->at].thread == thread && s->e[s->at].time - s->first < time)); s->at++) {
		uint64_t row = s->at + 1;

		if (s->at > 0 && s->e[s->at - 1].thread != s->e[s->at].thread)
			s->depth = 0;
		if (is_enter(s, s->at))
			INTO_ROW(s->m->to, s->open, s->depth, row, "open calls");
		else
			s->depth -= s->depth > 0 && s->e[s->at].word / 4 <= s->nframes;
	}
	if (s->at > 0 && s->e[s->at - 1].thread != thread)
		s->depth = 0;
}

/* Return the call around a point.  Calls that begin or end at exactly the time of the point enclose it. */
static uint64_t
around(struct flow_calls *s, const struct flow_point *p)
{
	if (p->frame != 0)
		for (uint64_t i = s->at; i < s->at + LOOK && is_at(s, i, p->thread, p->time); i++)
			if (is_enter(s, i) && chrome_args_frame(s->m, s->e[i].word / 4) == p->frame)
				return i + 1;
	if (s->looked != s->at || s->looked_at != p->time ||
	    (s->begun != 0 && s->e[s->begun - 1].thread != p->thread)) {
		s->begun = 0;
		for (uint64_t i = s->at; is_at(s, i, p->thread, p->time); i++)
			if (is_enter(s, i))
				s->begun = i + 1;
		s->looked = s->at;
		s->looked_at = p->time;
	}
	return s->begun != 0 ? s->begun : s->depth > 0 ? SCRATCH(s->open, uint64_t)[s->depth - 1] : 0;
}

static uint64_t
next_begin(struct flow_calls *s, uint32_t thread)
{
	assert(s->at <= s->n);
	s->next = s->next > s->at ? s->next : s->at;
	while (s->next < s->n && s->e[s->next].thread == thread && !is_enter(s, s->next))
		s->next++;
	return s->next < s->n && s->e[s->next].thread == thread ? s->next + 1 : 0;
}

/* Find the calls of points.  Points and calls are sorted by thread, then by time. */
static void
find_calls(struct chrome_marks *m)
{
	const struct calls_in *calls = &m->l->spans.calls;
	struct flow_calls s = { .m = m, .e = SCRATCH(calls->events, struct call_event), .n = calls->n,
	    .first = m->times->first, .nframes = calls->nframes,
	    .looked = UINT64_MAX };
	struct flow_point *p = SCRATCH(m->flows, struct flow_point);
	uint64_t call;

	for (uint64_t i = 0; i < m->nflows && into_go(m->to, m->l->doc.size); i++) {
		advance(&s, p[i].thread, p[i].time);
		call = p[i].next ? next_begin(&s, p[i].thread) : around(&s, &p[i]);
		if (p[i].wait != 0 && call != 0 && is_at(&s, call - 1, p[i].thread, p[i].time))
			p[i].wait = 0;
		p[i].frame = call == 0 || p[i].wait != 0 ? 0 : s.e[call - 1].word / 4;
	}
	scratch_free(&s.open);
}

/* ---- chains ------------------------------------------------------------------------------------ */

static void
add_flow(struct chrome_marks *m, const struct chain *c, struct flow f)
{
	f.name = c->shown_name;
	f.cat = c->shown_cat;
	f.id = c->id.id;
	f.whole = f.from.time != UINT64_MAX && f.to.time != UINT64_MAX;
	f.start = f.from.time != UINT64_MAX ? f.from.time : c->first;
	f.delay = f.whole && f.to.time > f.from.time ? f.to.time - f.from.time : 0;
	INTO_ROW(m->to, m->arrows, m->narrows, f, "flows");
}

/* A step or an end gets an arrow from the last start or step; a chain whose start is missing begins with a step. */
static void
take_point(struct chrome_marks *m, const struct flow_point *p)
{
	struct flow_end end = { p->time, p->thread, p->frame, p->wait };
	struct chain *c = CHAIN(m, p->chain);

	if (c->points++ == 0)
		c->first = p->time;
	if (p->letter != 's' && c->last.time != UINT64_MAX) {
		c->arrows++;
		add_flow(m, c, (struct flow){ .points = 2, .from = c->last, .to = end });
	} else if (p->letter == 'f' && c->early.time == UINT64_MAX)
		c->early = end;
	if (p->letter != 'f')
		c->last = end;
}

static void
sort_points(struct chrome_marks *m, bool threads)
{
	struct flow_point *p = SCRATCH(m->flows, struct flow_point);

	for (uint64_t i = 0; i < m->nflows; i++)
		p[i].key = threads ? p[i].thread : p[i].time;
	INTO(m->to, make_sort(&m->flows, m->nflows, sizeof *p, m->l->work, m->to->err));
}

/* Points and waits are sorted by time: the waits that begin at each point. */
static void
find_waits(struct chrome_marks *m)
{
	const struct flow_wait *w;
	struct flow_point *p = SCRATCH(m->flows, struct flow_point);
	uint64_t first = 0;

	INTO(m->to, marks_order(&m->in, &m->waits, m->nwaits, sizeof *w, m->to->err));
	w = SCRATCH(m->waits, struct flow_wait);
	for (uint64_t i = 0; i < m->nflows && m->nwaits > 0 && !m->to->bad; i++) {
		const struct span_thread *t = spans_thread_at(&m->l->spans, chrome_thread(m, p[i].thread));

		while (first < m->nwaits && w[first].time < p[i].key)
			first++;
		for (uint64_t at = first; at < m->nwaits && at < first + LOOK && w[at].time == p[i].key; at++)
			if (w[at].pid == into_word(m->to, t->ids[0]) && w[at].tid == into_word(m->to, t->ids[1]))
				p[i].wait = w[at].name;
	}
}

static void
link_points(struct chrome_marks *m)
{
	struct flow_point *p;

	INTO(m->to, marks_order(&m->in, &m->flows, m->nflows, sizeof *p, m->to->err));
	find_waits(m);
	p = SCRATCH(m->flows, struct flow_point);
	for (uint64_t i = 0; i < m->nflows; i++) {
		p[i].time = p[i].key;
		p[i].thread = chrome_thread(m, p[i].thread);
	}
	sort_points(m, true);
	find_calls(m);
	sort_points(m, false);
	p = SCRATCH(m->flows, struct flow_point);
	assert(m->to->bad || m->nflows == 0 || m->chains.n > 0);
	for (uint64_t i = 0; i < m->nflows && !m->to->bad; i++)
		take_point(m, &p[i]);
	for (uint32_t i = 1; i <= m->chains.n && !m->to->bad; i++)
		if (CHAIN(m, i)->arrows == 0)
			add_flow(m, CHAIN(m, i),
			    (struct flow){ .points = CHAIN(m, i)->points, .from = CHAIN(m, i)->last,
			    .to = CHAIN(m, i)->early });
}

/* ---- columns ----------------------------------------------------------------------------------- */

bool
chrome_flow_columns(struct chrome_marks *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_FLOW_START, flow, start), MAKE(COL_FLOW_DELAY, flow, delay), MAKE(COL_FLOW_WHOLE, flow, whole),
		MAKE(COL_FLOW_NAME, flow, name), MAKE(COL_FLOW_CAT, flow, cat), MAKE(COL_FLOW_ID, flow, id),
		MAKE(COL_FLOW_POINTS, flow, points), MAKE(COL_FLOW_FROM_THREAD, flow, from.thread),
		MAKE(COL_FLOW_FROM_METHOD, flow, from.frame), MAKE(COL_FLOW_TO_THREAD, flow, to.thread),
		MAKE(COL_FLOW_TO_METHOD, flow, to.frame), MAKE(COL_FLOW_FROM_NAME, flow, from.wait),
		MAKE(COL_FLOW_TO_NAME, flow, to.wait),
	};

	link_points(m);
	return !m->to->bad && make_sort(&m->arrows, m->narrows, sizeof(struct flow), m->l->work, err) &&
	    make_columns(m->l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(m->arrows, struct flow), m->narrows),
	    err);
}
