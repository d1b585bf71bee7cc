/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Async operations among Chrome trace events: begins, ends and points become spans, which nest by id instead of
 * thread.
 */
#include "config.h"

#include "chrome_marks.h"
#include "icecore/columns_marks.h"

struct async_event {
	uint64_t	time;		/* first: marks_order */
	uint64_t	args;		/* chrome_args */
	uint32_t	name, cat, process, key;
	char		letter;
};

/* Key of nested operations: an id. For the legacy letters S, T, p and F, the name is part of the key. */
struct async_key {
	uint32_t	legacy, cat, within;	/* within: scope, or name */
	struct chrome_id id;
	uint32_t	top;		/* the innermost open span */
};

/* Open spans of a key form a list from which any can be removed. */
struct async_span {
	struct mark_span is;
	uint64_t	args[2];	/* args of its begin and end */
	uint32_t	id, parent, points;
	uint32_t	key, series;
	uint32_t	around, within;	/* of the key: the next ones outward and inward */
};

#define KEY(m, i) (&SCRATCH((m)->keys.rows, struct async_key)[(i) - 1])
#define SPAN(m, i) (&SCRATCH((m)->in.spans, struct async_span)[(i) - 1])

/* ---- reading ----------------------------------------------------------------------- */

bool
chrome_async_add(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	static const char *const names[] = { "cat", "id2", "scope", NULL };
	struct async_event new = { .time = e->time, .letter = e->letter, .args = chrome_args(e->args) };
	struct async_key key = { .legacy = !is_one_of(e->letter, "bne") };
	struct json at[3];

	jload_members(m->in.l, e->json, names, at);
	if (!marks_word(&m->in, e->name, &new.name, err) || !marks_word(&m->in, jload_word(at[0]), &new.cat, err) ||
	    !marks_word(&m->in, jload_word(at[2]), &key.within, err) || (new.process = marks_process(&m->in, e->pid, 0, err)) == 0 ||
	    !chrome_id(m, e, at[1], key.legacy, &key.id, err))
		return false;
	key.cat = new.cat;
	key.within = key.legacy ? new.name : key.within;
	new.key = mark_set_add(&m->keys, &key, offsetof(struct async_key, top), sizeof key, "async ids", err);
	return new.key != 0 && make_add(&m->asyncs, &m->nasyncs, &new, sizeof new, MAKE_MOST, "async events", err);
}

/* ---- in time order ----------------------------------------------------------------- */

static bool
chrome_async_begin(struct chrome_marks *m, const struct async_event *e, struct err *err)
{
	struct async_key *key = KEY(m, e->key);
	uint32_t depth = key->top == 0 ? 0 : SPAN(m, key->top)->is.depth + 1;
	struct async_span new = { .is = { .start = e->time, .end = m->times->last - m->times->first, .name = e->name, .cat = e->cat,
	    .process = e->process, .depth = depth }, .id = key->id.id, .key = e->key, .parent = key->top, .around = key->top, .args = { e->args } };

	if (marks_operation(&m->in, e->cat, e->name, 0, e->process, err) == NULL || !marks_track(&m->in, &new.is, &new.series, err) ||
	    !marks_begin(&m->in, &new, e->key, e->name, err))
		return false;
	if (key->top != 0)
		SPAN(m, key->top)->within = (uint32_t)m->in.nspans;
	key->top = (uint32_t)m->in.nspans;
	return marks_level(&m->in, new.series, e->time, 1, err);
}

/* End the innermost span of that name; an event without a name ends the innermost span. */
static bool
chrome_async_end(struct chrome_marks *m, const struct async_event *e, struct err *err)
{
	uint32_t number = KEY(m, e->key)->top;
	struct async_span *s;

	if (e->name != 0 && !marks_innermost(&m->in, e->key, e->name, &number, err))
		return false;
	if (number == 0) {
		m->in.no_begin++;
		return true;
	}
	s = SPAN(m, number);
	if (s->within != 0)
		SPAN(m, s->within)->around = s->around;
	else
		KEY(m, s->key)->top = s->around;
	if (s->around != 0)
		SPAN(m, s->around)->within = s->within;
	s->args[1] = e->args;
	marks_end(&m->in, number, e->time);
	return marks_level(&m->in, s->series, e->time, MARK_LESS, err);
}

static bool
point(struct chrome_marks *m, const struct async_event *e, struct err *err)
{
	struct mark_operation *o = marks_operation(&m->in, e->cat, e->name, 0, e->process, err);
	uint32_t top = KEY(m, e->key)->top;

	if (o == NULL)
		return false;
	o->points++;
	if (top != 0)
		SPAN(m, top)->points++;
	return true;
}

static bool
nest(struct chrome_marks *m, struct err *err)
{
	const struct async_event *e;

	if (!marks_order(&m->in, &m->asyncs, m->nasyncs, sizeof *e, err))
		return false;
	e = SCRATCH(m->asyncs, struct async_event);
	for (uint64_t i = 0; i < m->nasyncs; i++)
		if (!work_go(m->in.l->work, m->in.l->doc.size, err) || !(is_one_of(e[i].letter, "bS") ? chrome_async_begin(m, &e[i], err) :
		    is_one_of(e[i].letter, "eF") ? chrome_async_end(m, &e[i], err) : point(m, &e[i], err)))
			return false;
	return true;
}

/* ---- columns ------------------------------------------------------------------------- */

bool
chrome_async_columns(struct chrome_marks *m, struct err *err)
{
	static const struct make_column columns[] = { ASYNC_COLUMNS(async_span), MAKE(COL_ASYNC_DETAIL, async_span, is.detail) };
	bool ok;

	m->in.span_size = sizeof(struct async_span);
	ok = nest(m, err);
	for (uint64_t i = 1; ok && i <= m->in.nspans; i++)
		ok = work_go(m->in.l->work, m->in.l->doc.size, err) && chrome_detail(m, SPAN(m, i)->args, &SPAN(m, i)->is.detail, err);
	return ok && marks_sum_spans(&m->in, err) && marks_operation_columns(&m->in, err) && make_columns(m->in.l->st, columns,
	    NELEM(columns), MAKE_ROWS(SCRATCH(m->in.spans, struct async_span), m->in.nspans), err);
}
