/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Async operations among Chrome trace events, and the ids of events: begins, ends and points become spans, which
 * nest by id instead of thread.
 */
#include "config.h"

#include <assert.h>

#include "chrome_marks.h"
#include "icecore/columns_marks.h"

struct async_event {
	uint64_t	time;		/* first: marks_order */
	uint64_t	args;		/* chrome_args */
	uint32_t	name, cat, process, key;
	uint32_t	kind;		/* as in mark_span */
	char		letter;
};

/* Key of nested operations: an id. For the legacy letters S, T, p and F, the name is part of the key. */
struct async_key {
	uint32_t	legacy, cat, within;	/* within: scope, or name; with LONE a number */
	struct chrome_id id;
	uint32_t	top;		/* the innermost open span */
};

#define LONE 2u		/* in place of legacy: one begin and one end */

/* Open spans of a key form a list from which any can be removed. */
struct async_span {
	struct mark_span is;
	uint64_t	args[2];	/* args of its begin and end */
	uint32_t	id, parent, points;
	uint32_t	key, series;
	uint32_t	around, within;	/* next outer and next inner span of the key */
};

#define KEY(m, i) (&SCRATCH((m)->keys.rows, struct async_key)[(i) - 1])
#define SPAN(m, i) (&SCRATCH((m)->in.spans, struct async_span)[(i) - 1])

/* ---- ids ---------------------------------------------------------------------------- */

#define SCOPES(W, V, O) V(global) V(local)
JLOAD_SHAPE(scopes, SCOPES)

struct chrome_id
chrome_id(struct chrome_marks *m, const struct chrome_event *e, bool local)
{
	struct chrome_id id = { .kind = e->is.has_id && !local ? ID_ANY : ID_LOCAL };
	struct str text = e->is.id;
	struct json id2 = e->is.id2;

	if (json_is(id2) && scan_peek(&id2) == '{') {
		struct scopes at = scopes_read(m->l, id2);

		id.kind = json_is(at.global) ? ID_GLOBAL : ID_LOCAL;
		text = jload_word(id.kind == ID_GLOBAL ? at.global : at.local);
	}
	id.process = id.kind == ID_LOCAL ? into_process(m->to, e->is.pid) : 0;
	id.id = into_word(m->to, text);
	return id;
}

/* ---- reading ----------------------------------------------------------------------- */

void
chrome_async_add(struct chrome_marks *m, const struct chrome_event *e)
{
	struct async_event new = { .time = e->time, .letter = e->letter, .args = chrome_args(e->is.args) };
	struct async_key key = { .legacy = !is_one_of(e->letter, "bne") };

	new.name = into_word(m->to, e->is.name);
	key.cat = new.cat = into_word(m->to, e->is.cat);
	key.within = into_word(m->to, e->is.scope);
	new.process = into_process(m->to, e->is.pid);
	key.id = chrome_id(m, e, key.legacy);
	key.within = key.legacy ? new.name : key.within;
	new.key = into_key(m->to, &m->keys, &key, offsetof(struct async_key, top), sizeof key, "async ids");
	INTO_ROW(m->to, m->asyncs, m->nasyncs, new, "async events");
}

static void
add_lone(struct chrome_marks *m, struct async_event new, uint64_t end)
{
	struct async_key key = { .legacy = LONE, .cat = new.cat, .within = ++m->nlone };

	new.key = into_key(m->to, &m->keys, &key, offsetof(struct async_key, top), sizeof key, "async ids");
	new.letter = 'b';
	INTO_ROW(m->to, m->asyncs, m->nasyncs, new, "async events");
	new = (struct async_event){ end, 0, new.name, new.cat, new.process, new.key, 0, 'e' };
	INTO_ROW(m->to, m->asyncs, m->nasyncs, new, "async events");
}

void
chrome_async_span(struct chrome_marks *m, const struct chrome_event *e, struct str kind, uint64_t end)
{
	struct async_event new = { .time = e->time, .args = chrome_args(e->is.args) };

	new.name = into_word(m->to, e->is.name);
	new.kind = into_word(m->to, kind);
	new.cat = into_word(m->to, e->is.cat);
	new.process = into_process(m->to, e->is.pid);
	add_lone(m, new, end);
}

void
chrome_async_gap(struct chrome_marks *m, const char *name, uint32_t process, uint64_t start, uint64_t end)
{
	struct async_event new = { .time = start, .process = process };

	new.name = into_text(m->to, str_of(name));
	add_lone(m, new, end);
}

/* ---- in time order ----------------------------------------------------------------- */

static struct mark_operation *
operation(struct chrome_marks *m, const struct async_event *e)
{
	struct mark_operation *o = m->to->bad ? NULL :
	    marks_operation(&m->in, e->cat, e->kind != 0 ? e->kind : e->name, 0, e->process, m->to->err);

	m->to->bad |= o == NULL;
	return o;
}

static void
chrome_async_begin(struct chrome_marks *m, const struct async_event *e)
{
	struct async_key *key = KEY(m, e->key);
	uint32_t depth = key->top == 0 ? 0 : SPAN(m, key->top)->is.depth + 1;
	struct async_span new = { .is = { .start = e->time, .end = m->times->last - m->times->first,
	    .name = e->name, .cat = e->cat, .kind = e->kind,
	    .process = e->process, .depth = depth }, .id = key->id.id, .key = e->key, .parent = key->top,
	    .around = key->top, .args = { e->args } };

	assert(e->key != 0 && e->key <= m->keys.n && key->top <= m->in.nspans);
	operation(m, e);
	INTO(m->to, marks_track(&m->in, &new.is, &new.series, m->to->err) &&
	    marks_begin(&m->in, &new, e->key, e->name, m->to->err));
	into_level(m->to, new.series, e->time, 1);
	if (m->to->bad)
		return;
	if (key->top != 0)
		SPAN(m, key->top)->within = (uint32_t)m->in.nspans;
	key->top = (uint32_t)m->in.nspans;
}

/* End the innermost span of that name; an event without a name ends the innermost span. */
static void
chrome_async_end(struct chrome_marks *m, const struct async_event *e)
{
	uint32_t number = KEY(m, e->key)->top;
	struct async_span *s;

	INTO(m->to, e->name == 0 || marks_innermost(&m->in, e->key, e->name, &number, m->to->err));
	if (number == 0 || m->to->bad) {
		m->in.no_begin++;
		return;
	}
	assert(number <= m->in.nspans);
	s = SPAN(m, number);
	if (s->within != 0)
		SPAN(m, s->within)->around = s->around;
	else
		KEY(m, s->key)->top = s->around;
	if (s->around != 0)
		SPAN(m, s->around)->within = s->within;
	s->args[1] = e->args;
	marks_end(&m->in, number, e->time);
	into_level(m->to, s->series, e->time, MARK_LESS);
}

static void
point(struct chrome_marks *m, const struct async_event *e)
{
	struct mark_operation *o = operation(m, e);
	uint32_t top = KEY(m, e->key)->top;

	if (o == NULL)
		return;
	o->points++;
	if (top != 0)
		SPAN(m, top)->points++;
}

static void
nest(struct chrome_marks *m)
{
	const struct async_event *e;

	INTO(m->to, marks_order(&m->in, &m->asyncs, m->nasyncs, sizeof *e, m->to->err));
	e = SCRATCH(m->asyncs, struct async_event);
	for (uint64_t i = 0; i < m->nasyncs && into_go(m->to, m->l->doc.size); i++)
		(is_one_of(e[i].letter, "bS") ? chrome_async_begin :
		    is_one_of(e[i].letter, "eF") ? chrome_async_end : point)(m, &e[i]);
}

/* ---- columns ------------------------------------------------------------------------- */

bool
chrome_async_columns(struct chrome_marks *m, struct err *err)
{
	static const struct make_column columns[] = { ASYNC_COLUMNS(async_span),
	    MAKE(COL_ASYNC_DETAIL, async_span, is.detail) };

	m->in.span_size = sizeof(struct async_span);
	nest(m);
	for (uint64_t i = 1; i <= m->in.nspans && into_go(m->to, m->l->doc.size); i++)
		SPAN(m, i)->is.detail = chrome_args_detail(m, SPAN(m, i)->args);
	return !m->to->bad && marks_sum_spans(&m->in, err) && marks_operation_columns(&m->in, err) &&
	    make_columns(m->l->st, columns,
	    NELEM(columns), MAKE_ROWS(SCRATCH(m->in.spans, struct async_span), m->in.nspans), err);
}
