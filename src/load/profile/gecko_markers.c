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

/* ---- single markers ----------------------------------------------------------------------------------- */

static uint64_t
gecko_markers_time_of(const struct gecko *g, struct str word)
{
	double ms;

	return gecko_number(word, &ms) ? gecko_time(g, ms) : 0;
}

/* Before the format had phases, the data contained the times and the end of the interval that a marker stands for. */
static void
gecko_markers_read_old(struct gecko *g, const struct str *value, struct marker *m)
{
	static const char *const names[] = { "startTime", "endTime", "interval", "category", NULL };
	struct json data = { .base = m->data.s, .size = m->data.n }, at[4];
	struct str interval;

	m->start = gecko_markers_time_of(g, value[MARKER_TIME]);
	if (m->data.n == 0 || m->data.s[0] != '{')
		return;
	jload_members(g->l, data, names, at);
	interval = jload_word(at[2]);
	m->category = jload_word(at[3]);
	if (at[0].at < at[0].size)
		m->start = gecko_markers_time_of(g, jload_word(at[0]));
	m->end = gecko_markers_time_of(g, jload_word(at[1]));
	m->phase = str_eq(interval, STR("start")) ? PHASE_START : str_eq(interval, STR("end")) ? PHASE_END :
	    m->end != 0 ? PHASE_INTERVAL : PHASE_INSTANT;
	if (m->phase == PHASE_END && m->end == 0)
		m->end = m->start;
}

static bool
read_marker(struct gecko *g, const struct str *value, struct marker *m, struct err *err)
{
	uint32_t category[2] = { g->ncategories == 0 ? 0 : gecko_index(g, value[MARKER_CATEGORY], g->ncategories) }, words[2];
	uint64_t phase;

	*m = (struct marker){ .key = gecko_index(g, value[MARKER_NAME], g->nstrings), .data = value[MARKER_DATA] };
	if (num_u64(value[MARKER_PHASE], 10, &phase) && phase <= PHASE_END) {
		m->phase = (enum marker_phase)phase;
		m->start = gecko_markers_time_of(g, value[MARKER_START]);
		m->end = gecko_markers_time_of(g, value[MARKER_END]);
	} else
		gecko_markers_read_old(g, value, m);
	gecko_category_words(g, category, words);
	m->span = (struct mark_span){ .cat = words[0], .thread = g->thread, .process = gecko_thread_at(g, g->thread)->process };
	return (words[0] != 0 || marks_word(&g->marks, m->category, &m->span.cat, err)) &&
	    marks_word(&g->marks, gecko_string(g, m->key), &m->span.name, err) &&
	    gecko_detail(g, gecko_string(g, m->key), m->data, &m->span.detail, err);
}

/* ---- spans -------------------------------------------------------------------------------------------- */

static bool
gecko_markers_add_span(struct gecko *g, struct marker *m, struct err *err)
{
	m->span.start = m->start;
	m->span.end = m->end < m->start && !m->span.open ? m->start : m->end;
	return make_add(&g->marks.spans, &g->marks.nspans, &m->span, sizeof m->span, MAKE_MOST, "markers", err);
}

static bool
gecko_markers_end_span(struct gecko *g, struct marker *m, struct err *err)
{
	struct mark_span *s;
	uint32_t open;

	if (!marks_innermost(&g->marks, g->thread, m->key, &open, err))
		return false;
	if (open == 0) {
		g->marks.no_begin++;
		m->span.early = 1;
		m->start = m->end;
		return gecko_markers_add_span(g, m, err);
	}
	s = marks_span(&g->marks, open);
	marks_end(&g->marks, open, m->end > s->start ? m->end : s->start);
	/* The detail of the end marker takes precedence: it was written later and contains more. */
	if (m->span.detail != 0)
		s->detail = m->span.detail;
	return true;
}

/* Requests have two markers with one id, at their begin and end. */
static bool
is_request(struct gecko *g, const struct marker *m, uint64_t *id)
{
	static const char *const names[] = { "type", "id", "status", NULL };
	struct json data = { .base = m->data.s, .size = m->data.n }, at[3];
	struct str word;

	if (m->data.n == 0 || m->data.s[0] != '{' || memmem(m->data.s, m->data.n, "\"Network\"", 9) == NULL)
		return false;
	jload_members(g->l, data, names, at);
	word = jload_word(at[1]);
	*id = idmap_hash_text(word, g->thread);
	return str_eq(jload_word(at[0]), STR("Network")) && word.n > 0 && at[2].at < at[2].size;
}

static bool
whole_span(struct gecko *g, struct marker *m, struct err *err)
{
	struct mark_span *s;
	uint32_t known;
	uint64_t id;
	bool request = is_request(g, m, &id);

	m->span.open = m->end == 0;
	if (!request)
		return gecko_markers_add_span(g, m, err);
	known = idmap_get(&g->by_id, id);
	if (known == 0)
		return gecko_markers_add_span(g, m, err) && idmap_put(&g->by_id, id, (uint32_t)g->marks.nspans, err);
	s = marks_span(&g->marks, known);
	s->detail = m->span.detail;
	if (m->end == 0)
		return true;
	s->end = m->end > s->end ? m->end : s->end;
	s->end = s->end > s->start ? s->end : s->start;
	s->open = 0;
	return true;
}

static bool
take_marker(struct gecko *g, struct marker *m, struct err *err)
{
	uint64_t time = m->phase == PHASE_END ? m->end : m->start;

	/* If the time that the phase requires is missing, use the other one. */
	if (time == 0)
		time = m->phase == PHASE_END ? m->start : m->end;
	if (time == 0) {
		g->l->bad++;
		return true;
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
		return marks_begin(&g->marks, &m->span, g->thread, m->key, err);
	case PHASE_END:
		return gecko_markers_end_span(g, m, err);
	case PHASE_INTERVAL:
		return whole_span(g, m, err);
	default:
		return marks_instant(&g->marks, &(struct mark_instant){ m->start, m->span.name, m->span.cat, m->span.detail, m->span.thread,
		    m->span.process, 'i', 't' }, err);
	}
}

bool
gecko_markers(struct gecko *g, struct err *err)
{
	struct gecko_table *t = &g->own.table[GECKO_MARKERS];
	uint64_t before = g->marks.nspans;
	const struct gecko_thread *thread;
	struct marker m;
	bool ok = true;

	while (ok && gecko_table_next(t))
		ok = work_go(g->l->work, t->by_rows ? t->rows.at : t->column[0].at, err) && read_marker(g, t->value, &m, err) &&
		    take_marker(g, &m, err);
	idmap_free(&g->by_id);
	/* Spans without a begin start with the first event of the thread; open spans end with the last one. */
	thread = gecko_thread_at(g, g->thread);
	for (uint64_t i = before + 1; ok && i <= g->marks.nspans; i++) {
		struct mark_span *s = marks_span(&g->marks, i);

		g->never_end += s->open;
		if (s->early)
			s->start = thread->first;
		if (s->open)
			s->end = thread->last > s->start ? thread->last : s->start;
	}
	return ok;
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
		MAKE(COL_ASYNC_NAME, mark_span, name), MAKE(COL_ASYNC_CAT, mark_span, cat), MAKE(COL_ASYNC_DETAIL, mark_span, detail),
		MAKE(COL_ASYNC_THREAD, mark_span, thread), MAKE(COL_ASYNC_PROCESS, mark_span, process),
		MAKE(COL_ASYNC_OPEN, mark_span, open), MAKE(COL_ASYNC_DEPTH, mark_span, depth), MAKE_CONST(COL_ASYNC_ID, 4, MAKE_ZERO),
		MAKE_CONST(COL_ASYNC_PARENT, 4, MAKE_ZERO), MAKE_CONST(COL_ASYNC_POINTS, 4, MAKE_ZERO),
	};
	struct marks_in *in = &g->marks;

	if (!marks_instant_columns(in, err) || !marks_sum_spans(in, err))
		return false;
	for (uint64_t i = 1; i <= in->nspans; i++)
		marks_span(in, i)->end -= g->first;
	return marks_order(in, &in->spans, in->nspans, sizeof(struct mark_span), err) && make_columns(g->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(in->spans, struct mark_span), in->nspans), err) && marks_operation_columns(in, err) && add_levels(in, err);
}
