/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Markers of a Firefox profile: spans, which may overlap in a thread, and instants.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "gecko.h"

enum marker_phase { PHASE_INSTANT, PHASE_INTERVAL, PHASE_START, PHASE_END };

/* A marker as read; times of 0 are missing. */
struct marker {
	enum marker_phase	phase;
	uint64_t	start, end;
	uint32_t	key;
	struct str	data, category;	/* the category is only in its data */
	struct mark_span	span;
};

#define OLD(W, V, O) W(startTime) W(endTime) W(interval) W(category)
#define REQUEST(W, V, O) W(type) W(id) W(status)
JLOAD_SHAPE(old_marker, OLD)
JLOAD_SHAPE(request, REQUEST)

/* ---- single markers ----------------------------------------------------------------------------------- */

static uint64_t
gecko_markers_time_at(const struct gecko *g, struct str word)
{
	double ms;

	return gecko_number(word, &ms) ? gecko_time(g, ms) : 0;
}

static bool
is_object(struct str data)
{
	return data.n > 0 && data.s[0] == '{';
}

/* Before the format had phases, the data contained the times and the end of the interval that a marker is for. */
static void
gecko_markers_read_old(struct gecko *g, const struct str *value, struct marker *m)
{
	struct old_marker at;

	m->start = gecko_markers_time_at(g, value[MARKER_TIME]);
	if (!is_object(m->data))
		return;
	at = old_marker_read(g->l, (struct json){ .base = m->data.s, .size = m->data.n });
	m->category = at.category;
	if (at.has_startTime)
		m->start = gecko_markers_time_at(g, at.startTime);
	m->end = gecko_markers_time_at(g, at.endTime);
	m->phase = str_eq(at.interval, STR("start")) ? PHASE_START : str_eq(at.interval, STR("end")) ? PHASE_END :
	    m->end != 0 ? PHASE_INTERVAL : PHASE_INSTANT;
	if (m->phase == PHASE_END && m->end == 0)
		m->end = m->start;
}

static struct marker
read_marker(struct gecko *g, const struct str *value)
{
	struct marker m = { .data = value[MARKER_DATA] };
	uint32_t category[2] = { g->cat.n == 0 ? 0 : gecko_index(g, value[MARKER_CATEGORY], g->cat.n) }, words[2];
	struct str name;
	uint64_t phase;

	m.key = gecko_index(g, value[MARKER_NAME], g->nstrings);
	if (num_u64(value[MARKER_PHASE], 10, &phase) && phase <= PHASE_END) {
		m.phase = (enum marker_phase)phase;
		m.start = gecko_markers_time_at(g, value[MARKER_START]);
		m.end = gecko_markers_time_at(g, value[MARKER_END]);
	} else
		gecko_markers_read_old(g, value, &m);
	gecko_category_words(g, category, words);
	name = gecko_string(g, m.key);
	m.span = (struct mark_span){ .cat = words[0], .thread = g->thread,
	    .process = gecko_thread_at(g, g->thread)->process };
	if (m.span.cat == 0)
		m.span.cat = into_word(g->to, m.category);
	m.span.name = into_word(g->to, name);
	m.span.detail = gecko_detail(g, name, m.data);
	return m;
}

/* ---- spans -------------------------------------------------------------------------------------------- */

static void
add_span(struct gecko *g, struct marker *m)
{
	m->span.start = m->start;
	m->span.end = m->end < m->start && !m->span.open ? m->start : m->end;
	INTO_ROW(g->to, g->marks.spans, g->marks.nspans, m->span, "markers");
}

static void
end_span(struct gecko *g, struct marker *m)
{
	struct mark_span *s;
	uint32_t open = 0;

	INTO(g->to, marks_innermost(&g->marks, g->thread, m->key, &open, g->to->err));
	if (open == 0) {
		g->marks.no_begin++;
		m->span.early = 1;
		m->start = m->end;
		add_span(g, m);
		return;
	}
	s = marks_span(&g->marks, open);
	marks_end(&g->marks, open, m->end > s->start ? m->end : s->start);
	/* The detail of the end marker takes precedence: it was written later and contains more. */
	if (m->span.detail != 0)
		s->detail = m->span.detail;
}

/* Requests have two markers with one id, at their begin and end. */
static bool
is_request(struct gecko *g, const struct marker *m, uint64_t *id)
{
	struct request at;

	if (!is_object(m->data) || memmem(m->data.s, m->data.n, "\"Network\"", 9) == NULL)
		return false;
	at = request_read(g->l, (struct json){ .base = m->data.s, .size = m->data.n });
	*id = idmap_hash_text(at.id, g->thread);
	return str_eq(at.type, STR("Network")) && at.id.n > 0 && at.has_status;
}

static void
whole_span(struct gecko *g, struct marker *m)
{
	struct mark_span *s;
	uint32_t known;
	uint64_t id;
	bool request = is_request(g, m, &id);

	m->span.open = m->end == 0;
	known = request ? idmap_get(&g->by_id, id) : 0;
	if (known == 0) {
		add_span(g, m);
		if (request)
			into_map(g->to, &g->by_id, id, (uint32_t)g->marks.nspans);
		return;
	}
	s = marks_span(&g->marks, known);
	s->detail = m->span.detail;
	if (m->end == 0)
		return;
	s->end = m->end > s->end ? m->end : s->end;
	s->end = s->end > s->start ? s->end : s->start;
	s->open = 0;
}

static void
take_marker(struct gecko *g, struct marker *m)
{
	uint64_t time = m->phase == PHASE_END ? m->end : m->start;

	/* If the time that the phase requires is missing, use the other one. */
	if (time == 0)
		time = m->phase == PHASE_END ? m->start : m->end;
	if (time == 0) {
		g->l->bad++;
		return;
	}
	gecko_see(g, time);
	if (m->phase == PHASE_END)
		m->end = time;
	else
		m->start = time;
	if (m->phase == PHASE_INTERVAL && m->end != 0)
		gecko_see(g, m->end);
	switch (m->phase) {
	case PHASE_START:
		m->span.start = m->start;
		m->span.end = m->end;
		INTO(g->to, marks_begin(&g->marks, &m->span, g->thread, m->key, g->to->err));
		break;
	case PHASE_END:
		end_span(g, m);
		break;
	case PHASE_INTERVAL:
		whole_span(g, m);
		break;
	default:
		INTO(g->to, marks_instant(&g->marks,
		    &(struct mark_instant){ m->start, m->span.name, m->span.cat, m->span.detail, m->span.thread,
		    m->span.process, 'i', 't' }, g->to->err));
	}
}

void
gecko_markers(struct gecko *g)
{
	struct gecko_table *t = &g->own.table[GECKO_MARKERS];
	uint64_t before = g->marks.nspans;
	const struct gecko_thread *thread = gecko_thread_at(g, g->thread);

	while (gecko_table_next(t) && into_go(g->to, gecko_table_at(t))) {
		struct marker m = read_marker(g, t->value);

		take_marker(g, &m);
	}
	idmap_free(&g->by_id);
	/* Spans without a begin start with the first event of the thread; open spans end with the last one. */
	for (uint64_t i = before + 1; i <= g->marks.nspans; i++) {
		struct mark_span *s = marks_span(&g->marks, i);

		g->counts.never_end += s->open;
		if (s->early)
			s->start = thread->first;
		if (s->open)
			s->end = thread->last > s->start ? thread->last : s->start;
	}
}

/* ---- columns ------------------------------------------------------------------------------------------ */

/* Compute the number of open spans of a name in a thread. */
static bool
add_levels(struct marks_in *in, struct err *err)
{
	for (uint64_t i = 1; i <= in->nspans; i++) {
		struct mark_span like = *marks_span(in, i);
		uint32_t series;

		/* Spans with the same name share a track, whatever their categories. */
		like.cat = 0;
		if (!marks_track(in, &like, &series, err) || !marks_level(in, series, like.start, 1, err) ||
		    !marks_level(in, series, like.end, MARK_LESS, err))
			return false;
	}
	return true;
}

bool
gecko_marker_columns(struct gecko *g, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_ASYNC_START, mark_span, start), MAKE(COL_ASYNC_END, mark_span, end),
		MAKE(COL_ASYNC_NAME, mark_span, name), MAKE(COL_ASYNC_CAT, mark_span, cat),
		MAKE(COL_ASYNC_DETAIL, mark_span, detail),
		MAKE(COL_ASYNC_THREAD, mark_span, thread), MAKE(COL_ASYNC_PROCESS, mark_span, process),
		MAKE(COL_ASYNC_OPEN, mark_span, open), MAKE(COL_ASYNC_DEPTH, mark_span, depth),
		MAKE_CONST(COL_ASYNC_ID, 4, MAKE_ZERO),
		MAKE_CONST(COL_ASYNC_PARENT, 4, MAKE_ZERO), MAKE_CONST(COL_ASYNC_POINTS, 4, MAKE_ZERO),
	};
	struct marks_in *in = &g->marks;

	if (!marks_instant_columns(in, err) || !marks_sum_spans(in, err))
		return false;
	for (uint64_t i = 1; i <= in->nspans; i++)
		marks_span(in, i)->end -= g->first;
	return marks_order(in, &in->spans, in->nspans, sizeof(struct mark_span), err) &&
	    make_columns(g->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(in->spans, struct mark_span), in->nspans), err) &&
	    marks_operation_columns(in, err) && add_levels(in, err);
}
