/*
 * Markers of a profile of Firefox: spans, of which those of a thread may overlap, and instants.
 */
#include "config.h"

#include "gecko.h"

enum marker_phase { PHASE_INSTANT, PHASE_INTERVAL, PHASE_START, PHASE_END };

/* A marker as it was read; times of 0 are not told. */
struct marker {
	enum marker_phase	phase;
	uint64_t	start, end;
	uint32_t	key;
	struct str	data, category;	/* a category that only its data tells */
	struct gecko_span	span;
};

#define SPAN(g, i) (&SCRATCH((g)->spans, struct gecko_span)[(i) - 1])

/* ---- one marker --------------------------------------------------------------------------------------- */

static uint64_t
gecko_markers_time_of(const struct gecko *g, struct str word)
{
	double ms;

	return gecko_number(word, &ms) ? gecko_time(g, ms) : 0;
}

/* Before the format had phases, the data held the times and which end of an interval a marker is. */
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
	m->span = (struct gecko_span){ .cat = words[0], .thread = g->thread, .process = gecko_thread_at(g, g->thread)->process,
	    .key = m->key };
	return (words[0] != 0 || chrome_word(&g->marks, m->category, &m->span.cat, err)) &&
	    chrome_word(&g->marks, gecko_string(g, m->key), &m->span.name, err) &&
	    gecko_detail(g, gecko_string(g, m->key), m->data, &m->span.detail, err);
}

/* ---- spans -------------------------------------------------------------------------------------------- */

static bool
gecko_markers_add_span(struct gecko *g, const struct marker *m, struct err *err)
{
	struct gecko_span new = m->span;

	new.start = m->start;
	new.end = m->end < m->start && !new.open ? m->start : m->end;
	return make_add(&g->spans, &g->nspans, &new, sizeof new, MAKE_MOST, "markers", err);
}

/* Begin a span.  The open spans of a name are a list, innermost first. */
static bool
begin_span(struct gecko *g, struct marker *m, struct err *err)
{
	m->span.open = 1;
	m->span.before = idmap_get(&g->by_open, m->key);
	return gecko_markers_add_span(g, m, err) && idmap_put(&g->by_open, m->key, (uint32_t)g->nspans, err);
}

static bool
gecko_markers_end_span(struct gecko *g, struct marker *m, struct err *err)
{
	uint32_t open = idmap_get(&g->by_open, m->key);
	struct gecko_span *s;

	if (open == 0) {
		g->no_begin++;
		m->span.early = 1;
		m->start = m->end;
		return gecko_markers_add_span(g, m, err);
	}
	s = SPAN(g, open);
	s->end = m->end > s->start ? m->end : s->start;
	s->open = 0;
	/* The detail of the end marker wins: it was written later and knows more. */
	if (m->span.detail != 0)
		s->detail = m->span.detail;
	return idmap_put(&g->by_open, m->key, s->before, err);
}

/* Requests are told by two markers, one when they began and one when they are done, with one id. */
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
	struct gecko_span *s;
	uint32_t known;
	uint64_t id;
	bool request = is_request(g, m, &id);

	m->span.open = m->end == 0;
	if (!request)
		return gecko_markers_add_span(g, m, err);
	known = idmap_get(&g->by_id, id);
	if (known == 0)
		return gecko_markers_add_span(g, m, err) && idmap_put(&g->by_id, id, (uint32_t)g->nspans, err);
	s = SPAN(g, known);
	s->detail = m->span.detail;
	if (m->end == 0)
		return true;
	s->end = m->end > s->end ? m->end : s->end;
	s->end = s->end > s->start ? s->end : s->start;
	s->open = 0;
	return true;
}

static bool
gecko_markers_add_instant(struct gecko *g, const struct marker *m, struct err *err)
{
	struct gecko_instant new = { m->start, m->span.name, m->span.cat, m->span.detail, m->span.thread, m->span.process, 'i', 't' };

	return make_add(&g->instants, &g->ninstants, &new, sizeof new, MAKE_MOST, "markers", err);
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
		return begin_span(g, m, err);
	case PHASE_END:
		return gecko_markers_end_span(g, m, err);
	case PHASE_INTERVAL:
		return whole_span(g, m, err);
	default:
		return gecko_markers_add_instant(g, m, err);
	}
}

bool
gecko_markers(struct gecko *g, struct err *err)
{
	struct gecko_table *t = &g->own.table[GECKO_MARKERS];
	uint64_t before = g->nspans;
	const struct gecko_thread *thread;
	struct marker m;
	bool ok = true;

	while (ok && gecko_table_next(t))
		ok = work_go(g->l->work, t->by_rows ? t->rows.at : t->column[0].at, err) && read_marker(g, t->value, &m, err) &&
		    take_marker(g, &m, err);
	idmap_free(&g->by_open);
	idmap_free(&g->by_id);
	/* Spans without a begin start with the first event of the thread; open spans end with the last one. */
	thread = gecko_thread_at(g, g->thread);
	for (uint64_t i = before + 1; ok && i <= g->nspans; i++) {
		struct gecko_span *s = SPAN(g, i);

		g->never_end += s->open;
		if (s->early)
			s->start = thread->first;
		if (s->open)
			s->end = thread->last > s->start ? thread->last : s->start;
	}
	return ok;
}
