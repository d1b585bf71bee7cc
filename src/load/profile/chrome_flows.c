/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flows among Chrome trace events: points form chains that connect calls.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "chrome_marks.h"

#define LOOK 64u		/* calls that begin at the same time, among which the call of a point is searched */

struct flow_point {
	uint64_t	key;		/* first, for make_sort: the time, or the thread */
	uint64_t	time, call;	/* call: row of its enter, from 1; 0: none */
	uint32_t	thread, chain;
	uint32_t	frame;		/* enclosing call; 0: unknown; later the call that was found */
	char		letter;
	bool		next;		/* it leads to the next call that begins, otherwise to the enclosing one */
};

struct flow_end {
	uint64_t	time, call;
	uint32_t	thread, frame;
};

struct chain {
	uint32_t	bound, cat, name;	/* bound: events of calls, whose names differ */
	struct chrome_id id;
	/* The key ends here. */
	uint32_t	shown_name, shown_cat;
	uint64_t	points, first;		/* first: time */
	struct flow_end	from, to, early;	/* early: an end before the start; time UINT64_MAX: none */
};

/* Open calls of a thread at a point. */
struct flow_calls {
	const struct chrome_marks *m;
	const struct call_event *e;
	uint64_t	 n, at, next, depth, first;
	uint64_t	 begun, looked, looked_at;	/* the last call that begins at that time, row from 1 */
	struct scratch	 open;
};

#define CHAIN(m, i) (&SCRATCH((m)->chains.rows, struct chain)[(i) - 1])

/* ---- reading ---------------------------------------------------------------------------- */

static bool
chrome_flows_add_point(struct chrome_marks *m, struct flow_point *p, struct chain *chain, struct err *err)
{
	chain->from.time = chain->to.time = chain->early.time = UINT64_MAX;
	p->chain = mark_set_add(&m->chains, chain, offsetof(struct chain, shown_name), sizeof *chain, "flows", err);
	return p->chain != 0 && make_add(&m->flows, &m->nflows, p, sizeof *p, UINT64_MAX, "points of flows", err);
}

bool
chrome_flow_add(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	static const char *const names[] = { "cat", "id2", "bp", NULL };
	struct flow_point p = { .key = e->time, .thread = e->thread, .letter = e->letter };
	struct chain chain = { .bound = 0 };
	struct json at[3];

	jload_members(m->in.l, e->json, names, at);
	p.next = e->letter == 'f' && !str_eq(jload_word(at[2]), STR("e"));
	if (!marks_word(&m->in, e->name, &chain.name, err) || !marks_word(&m->in, jload_word(at[0]), &chain.cat, err) ||
	    !chrome_id(m, e, at[1], false, &chain.id, err))
		return false;
	chain.shown_name = chain.name;
	chain.shown_cat = chain.cat;
	return chrome_flows_add_point(m, &p, &chain, err);
}

bool
chrome_flow_bind(struct chrome_marks *m, const struct chrome_event *e, struct str id, uint32_t frame, struct err *err)
{
	static const char *const names[] = { "cat", "flow_in", "flow_out", NULL };
	struct flow_point p = { .key = e->time, .thread = e->thread, .frame = frame };
	struct chain chain = { .bound = 1 };
	struct json at[3];
	bool in, out;

	jload_members(m->in.l, e->json, names, at);
	in = str_eq(jload_word(at[1]), STR("true"));
	out = str_eq(jload_word(at[2]), STR("true"));
	if (!in && !out)
		return true;
	p.letter = in && out ? 't' : in ? 'f' : 's';
	return marks_word(&m->in, id, &chain.id.id, err) && marks_word(&m->in, e->name, &chain.shown_name, err) &&
	    marks_word(&m->in, jload_word(at[0]), &chain.shown_cat, err) && chrome_flows_add_point(m, &p, &chain, err);
}

/* ---- calls that flows connect --------------------------------------------------------------- */

static bool
is_enter(const struct call_event *e)
{
	return e->word % 4 == ACT_ENTER;
}

static bool
is_at(const struct flow_calls *s, uint64_t row, uint32_t thread, uint64_t time)
{
	return row < s->n && s->e[row].thread == thread && s->e[row].time - s->first == time;
}

/* Enter and leave calls before that time. */
static bool
advance(struct flow_calls *s, uint32_t thread, uint64_t time, struct err *err)
{
	for (; s->at < s->n && (s->e[s->at].thread < thread ||
	    (s->e[s->at].thread == thread && s->e[s->at].time - s->first < time)); s->at++) {
		uint64_t *open;

		if (s->at > 0 && s->e[s->at - 1].thread != s->e[s->at].thread)
			s->depth = 0;
		if (!is_enter(&s->e[s->at])) {
			s->depth -= s->depth > 0;
			continue;
		}
		open = make_row(&s->open, s->depth, sizeof *open, UINT64_MAX, "open calls", err);
		if (open == NULL)
			return false;
		*open = s->at + 1;
		s->depth++;
	}
	if (s->at > 0 && s->e[s->at - 1].thread != thread)
		s->depth = 0;
	return true;
}

/* Return the call around a point.  Calls that begin or end at exactly the time of the point enclose it. */
static uint64_t
around(struct flow_calls *s, const struct flow_point *p)
{
	if (p->frame != 0)
		for (uint64_t i = s->at; i < s->at + LOOK && is_at(s, i, p->thread, p->time); i++)
			if (is_enter(&s->e[i]) && chrome_args_frame(s->m, s->e[i].word / 4) == p->frame)
				return i + 1;
	if (s->looked != s->at || s->looked_at != p->time || (s->begun != 0 && s->e[s->begun - 1].thread != p->thread)) {
		s->begun = 0;
		for (uint64_t i = s->at; is_at(s, i, p->thread, p->time); i++)
			if (is_enter(&s->e[i]))
				s->begun = i + 1;
		s->looked = s->at;
		s->looked_at = p->time;
	}
	return s->begun != 0 ? s->begun : s->depth > 0 ? SCRATCH(s->open, uint64_t)[s->depth - 1] : 0;
}

static uint64_t
next_begin(struct flow_calls *s, uint32_t thread)
{
	s->next = s->next > s->at ? s->next : s->at;
	while (s->next < s->n && s->e[s->next].thread == thread && !is_enter(&s->e[s->next]))
		s->next++;
	return s->next < s->n && s->e[s->next].thread == thread ? s->next + 1 : 0;
}

/* Find the calls of points.  Points and calls are sorted by thread, then by time. */
static bool
find_calls(struct chrome_marks *m, struct err *err)
{
	const struct calls_in *calls = &m->in.l->spans.calls;
	struct flow_calls s = { .m = m, .e = SCRATCH(calls->events, struct call_event), .n = calls->n, .first = m->times->first,
	    .looked = UINT64_MAX };
	struct flow_point *p = SCRATCH(m->flows, struct flow_point);
	bool ok = true;

	for (uint64_t i = 0; ok && i < m->nflows; i++) {
		ok = work_go(m->in.l->work, m->in.l->doc.size, err) && advance(&s, p[i].thread, p[i].time, err);
		if (!ok)
			break;
		p[i].call = p[i].next ? next_begin(&s, p[i].thread) : around(&s, &p[i]);
		p[i].frame = p[i].call == 0 ? 0 : s.e[p[i].call - 1].word / 4;
	}
	scratch_free(&s.open);
	return ok;
}

/* ---- chains ------------------------------------------------------------------------------------ */

/* A flow goes from the first start to the first end that is not before it. */
static void
take_point(struct chain *c, const struct flow_point *p)
{
	struct flow_end end = { p->time, p->call, p->thread, p->frame };

	if (c->points++ == 0)
		c->first = p->time;
	if (p->letter == 's' && c->from.time == UINT64_MAX)
		c->from = end;
	else if (p->letter == 'f' && c->from.time != UINT64_MAX && c->to.time == UINT64_MAX)
		c->to = end;
	else if (p->letter == 'f' && c->from.time == UINT64_MAX && c->early.time == UINT64_MAX)
		c->early = end;
}

static bool
chrome_flows_sort_points(struct chrome_marks *m, bool threads, struct err *err)
{
	struct flow_point *p = SCRATCH(m->flows, struct flow_point);

	for (uint64_t i = 0; i < m->nflows; i++)
		p[i].key = threads ? p[i].thread : p[i].time;
	return make_sort(&m->flows, m->nflows, sizeof *p, m->in.l->work, err);
}

static bool
link_points(struct chrome_marks *m, struct err *err)
{
	struct flow_point *p;

	if (!marks_order(&m->in, &m->flows, m->nflows, sizeof *p, err))
		return false;
	p = SCRATCH(m->flows, struct flow_point);
	for (uint64_t i = 0; i < m->nflows; i++) {
		p[i].time = p[i].key;
		p[i].thread = chrome_thread(m, p[i].thread);
	}
	if (!chrome_flows_sort_points(m, true, err) || !find_calls(m, err) || !chrome_flows_sort_points(m, false, err))
		return false;
	p = SCRATCH(m->flows, struct flow_point);
	for (uint64_t i = 0; i < m->nflows; i++)
		take_point(CHAIN(m, p[i].chain), &p[i]);
	return true;
}

/* ---- columns ----------------------------------------------------------------------------------- */

struct flow {
	uint64_t	start, delay;
	uint8_t		whole;
	struct chain	is;
};

/* Without an end after the start, an end before it is used; without a start, the flow begins with its first point. */
static struct flow
flow_of(const struct chain *chain)
{
	struct flow f = { .is = *chain };
	struct flow_end *from = &f.is.from, *to = &f.is.to;

	if (to->time == UINT64_MAX)
		*to = f.is.early;
	f.whole = from->time != UINT64_MAX && to->time != UINT64_MAX;
	f.start = from->time != UINT64_MAX ? from->time : f.is.first;
	f.delay = f.whole && to->time > from->time ? to->time - from->time : 0;
	return f;
}

bool
chrome_flow_columns(struct chrome_marks *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_FLOW_START, flow, start), MAKE(COL_FLOW_DELAY, flow, delay), MAKE(COL_FLOW_WHOLE, flow, whole),
		MAKE(COL_FLOW_NAME, flow, is.shown_name), MAKE(COL_FLOW_CAT, flow, is.shown_cat),
		MAKE(COL_FLOW_ID, flow, is.id.id), MAKE(COL_FLOW_POINTS, flow, is.points),
		MAKE(COL_FLOW_FROM_THREAD, flow, is.from.thread), MAKE(COL_FLOW_FROM_METHOD, flow, is.from.frame),
		MAKE(COL_FLOW_FROM_CALL, flow, is.from.call), MAKE(COL_FLOW_TO_THREAD, flow, is.to.thread),
		MAKE(COL_FLOW_TO_METHOD, flow, is.to.frame), MAKE(COL_FLOW_TO_CALL, flow, is.to.call),
	};
	struct scratch sorted = SCRATCH_INIT;
	uint64_t n = m->chains.n;
	bool ok = link_points(m, err) && scratch_array(&sorted, n, sizeof(struct flow), err);

	for (uint32_t i = 0; ok && i < n; i++)
		SCRATCH(sorted, struct flow)[i] = flow_of(CHAIN(m, i + 1));
	ok = ok && make_sort(&sorted, n, sizeof(struct flow), m->in.l->work, err) &&
	    make_columns(m->in.l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(sorted, struct flow), n), err);
	scratch_free(&sorted);
	return ok;
}
