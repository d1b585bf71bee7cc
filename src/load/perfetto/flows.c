/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flows: arrows from one event to another one, by the ids that both have.  Traces with arrows from or to the call around an event also
 * need the open calls of threads.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/bytes.h"
#include "icecore/columns_marks.h"
#include "perfetto.h"

/* A flow that later events may continue. */
struct flow_now {
	bool			open;
	struct pf_flow_end	last;
};

/* The first member is the sort key. */
struct arrow {
	uint64_t		start, delay;
	struct pf_flow_end	from, to;
	uint64_t		points;
	uint32_t		id;		/* word; 0: not shown */
	uint8_t			whole;
};

bool
pf_arrow(struct perfetto *p, const struct pf_flow_end *from, const struct pf_flow_end *to, uint64_t id, struct err *err)
{
	struct arrow a = { .from = *from, .to = *to, .points = 2, .whole = 1 };
	char text[24];

	/* Arrows point forward in time. */
	if (from->time > to->time) {
		a.from = *to;
		a.to = *from;
	}
	a.start = a.from.time;
	a.delay = a.to.time - a.from.time;
	snprintf(text, sizeof text, "%" PRIu64, id);
	return (id == 0 || marks_word_of(&p->marks, str_of(text), &a.id, err)) &&
	    make_add(&p->flow.arrows, &p->flow.narrows, &a, sizeof a, UINT64_MAX, "flows", err);
}

bool
pf_flow(struct perfetto *p, uint64_t key, uint64_t id, const struct pf_flow_end *end, enum pf_flow_how how, struct err *err)
{
	uint32_t at = idmap_get(&p->flow.by_flow, key);
	struct flow_now new = { .open = false }, *now;

	if (at == 0) {
		if (how == PF_FLOW_END || how == PF_FLOW_CLOSE)
			return true;
		if (!make_add(&p->flow.flows, &p->flow.nflows, &new, sizeof new, MAKE_MOST, "flows", err))
			return false;
		at = (uint32_t)p->flow.nflows;
		if (!idmap_put(&p->flow.by_flow, key, at, err))
			return false;
	}
	now = &SCRATCH(p->flow.flows, struct flow_now)[at - 1];
	if (now->open && how != PF_FLOW_START && !pf_arrow(p, &now->last, end, id, err))
		return false;
	if (how == PF_FLOW_START || how == PF_FLOW_STEP)
		*now = (struct flow_now){ true, *end };
	else if (how == PF_FLOW_CLOSE)
		now->open = false;
	return true;
}

/* ---- ids of track events ------------------------------------------------------------------------------ */

static bool
flow_id(struct perfetto *p, uint64_t id, const struct pf_flow_end *end, enum pf_flow_how how, struct err *err)
{
	return pf_flow(p, pf_key('f', id), id, end, how, err);
}

/* One id, or several that are packed; fixed: each takes 8 bytes, otherwise they are varints. */
static bool
take_ids(struct perfetto *p, const struct proto_field *f, bool fixed, const struct pf_flow_end *end, enum pf_flow_how how, struct err *err)
{
	struct str in = f->in;
	uint64_t id;

	if (f->wire == PROTO_VARINT)
		return flow_id(p, f->value, end, how, err);
	while (in.n > 0) {
		if (fixed) {
			if (in.n < 8)
				break;
			id = le64((const uint8_t *)in.s);
			in = str_behind(in, 8);
		} else if (!proto_varint(&in, &id))
			break;
		if (!flow_id(p, id, end, how, err))
			return false;
	}
	return true;
}

/* {8 id, 13 direction: 1 in, 2 out, 3 both} */
static bool
take_bound(struct perfetto *p, struct str old, const struct pf_flow_end *end, struct err *err)
{
	struct proto_field f;
	uint64_t id = 0, direction = 0;
	bool bad = false, has = false;

	while (proto_next_whole(&old, &f, &bad)) {
		id = f.number == 8 ? f.value : id;
		has |= f.number == 8;
		direction = f.number == 13 ? f.value : direction;
	}
	return !has || direction < 1 || direction > 3 ||
	    flow_id(p, id, end, direction == 2 ? PF_FLOW_START : direction == 3 ? PF_FLOW_STEP : PF_FLOW_END, err);
}

bool
pf_flow_event(struct perfetto *p, struct str event, const struct pf_flow_end *end, struct err *err)
{
	struct proto_field f;
	struct str m;
	bool bad = false, steps = false, ends = false;

	for (m = event; proto_next_whole(&m, &f, &bad);) {
		steps |= f.number == 47;
		ends |= f.number == 48;
		if (f.number == 6 && f.wire == PROTO_BYTES && !take_bound(p, f.in, end, err))
			return false;
	}
	/* The fields of today hide the old ones; ids that end come last. */
	for (m = event; proto_next_whole(&m, &f, &bad);)
		if (f.number == (steps ? 47u : 36u) && !take_ids(p, &f, steps, end, PF_FLOW_STEP, err))
			return false;
	for (m = event; proto_next_whole(&m, &f, &bad);)
		if (f.number == (ends ? 48u : 42u) && !take_ids(p, &f, ends, end, PF_FLOW_CLOSE, err))
			return false;
	return true;
}

/* ---- calls that flows begin and end in -------------------------------------------------------------- */

/* An open call of a thread; while it is free, below is the next free one. */
struct open_call {
	uint32_t		below;		/* the call around it, from 1; 0: none */
	struct pf_flow_end	is;
	uint64_t		until;		/* as PF_TIME; UINT64_MAX: unknown */
};

/* An arrow that ends at the next call of its thread. */
struct pending {
	uint32_t	next;
	uint64_t	key, id;
};

/* A place for a new row: the first free one, or one at the end.  A row begins with the number of the next free one.  0: failed. */
static uint32_t
flow_place(struct scratch *rows, uint64_t *n, size_t size, uint32_t *free_row, const char *what, struct err *err)
{
	uint32_t at = *free_row;

	if (at == 0)
		return make_row(rows, *n, size, MAKE_MOST, what, err) != NULL ? (uint32_t)++*n : 0;
	memcpy(free_row, SCRATCH(*rows, char) + (at - 1) * size, sizeof *free_row);
	return at;
}

/* By thread: its innermost open call, and its arrows to the next one. */
struct thread_calls {
	uint32_t	top, pending;
};

#define CALL(p, i) (&SCRATCH((p)->flow.calls, struct open_call)[(i) - 1])
#define PENDING(p, i) (&SCRATCH((p)->flow.pending, struct pending)[(i) - 1])

static struct thread_calls *
flow_calls_of(struct perfetto *p, uint32_t thread, struct err *err)
{
	const struct thread_calls none = { 0, 0 };

	while (p->flow.nby_call <= thread)
		if (!make_add(&p->flow.by_call, &p->flow.nby_call, &none, sizeof none, MAKE_MOST, "threads", err))
			return NULL;
	return &SCRATCH(p->flow.by_call, struct thread_calls)[thread];
}

static void
drop_call(struct perfetto *p, struct thread_calls *t)
{
	uint32_t top = t->top;

	t->top = CALL(p, top)->below;
	CALL(p, top)->below = p->flow.free_call;
	p->flow.free_call = top;
}

/* Calls of a known length end by themselves; one that ends at that time is still open. */
static void
drop_ended(struct perfetto *p, struct thread_calls *t, uint64_t time)
{
	while (t->top != 0 && CALL(p, t->top)->until < PF_TIME(time))
		drop_call(p, t);
}

static bool
end_pending(struct perfetto *p, struct thread_calls *t, const struct pf_flow_end *is, struct err *err)
{
	while (t->pending != 0) {
		struct pending *one = PENDING(p, t->pending);
		uint32_t next = one->next;

		if (!pf_flow(p, one->key, one->id, is, PF_FLOW_END, err))
			return false;
		one->next = p->flow.free_pending;
		p->flow.free_pending = t->pending;
		t->pending = next;
	}
	return true;
}

bool
pf_call_begins(struct perfetto *p, const struct pf_flow_end *is, uint64_t until, struct err *err)
{
	struct thread_calls *t = flow_calls_of(p, is->thread, err);
	uint32_t at;

	if (t == NULL || !end_pending(p, t, is, err))
		return false;
	drop_ended(p, t, is->time);
	at = flow_place(&p->flow.calls, &p->flow.ncalls, sizeof(struct open_call), &p->flow.free_call, "open calls", err);
	if (at == 0)
		return false;
	*CALL(p, at) = (struct open_call){ .is = *is, .until = until, .below = t->top };
	t->top = at;
	return true;
}

void
pf_call_ends(struct perfetto *p, uint32_t thread, uint64_t time)
{
	struct thread_calls *t = thread < p->flow.nby_call ? &SCRATCH(p->flow.by_call, struct thread_calls)[thread] : NULL;

	if (t == NULL)
		return;
	drop_ended(p, t, time);
	if (t->top != 0)
		drop_call(p, t);
}

bool
pf_call_around(struct perfetto *p, uint32_t thread, uint64_t time, struct pf_flow_end *around)
{
	struct thread_calls *t = thread < p->flow.nby_call ? &SCRATCH(p->flow.by_call, struct thread_calls)[thread] : NULL;

	if (t != NULL)
		drop_ended(p, t, time);
	if (t == NULL || t->top == 0)
		return false;
	*around = CALL(p, t->top)->is;
	return true;
}

bool
pf_call_awaits(struct perfetto *p, uint32_t thread, uint64_t key, uint64_t id, struct err *err)
{
	struct thread_calls *t = flow_calls_of(p, thread, err);
	uint32_t at = t == NULL ? 0 :
	    flow_place(&p->flow.pending, &p->flow.npending, sizeof(struct pending), &p->flow.free_pending, "flows", err);

	if (at == 0)
		return false;
	*PENDING(p, at) = (struct pending){ t->pending, key, id };
	t->pending = at;
	return true;
}

/* ---- columns ------------------------------------------------------------------------------------------- */

void
pf_flow_order(struct perfetto *p, const uint32_t *place)
{
	struct arrow *a = SCRATCH(p->flow.arrows, struct arrow);

	for (uint64_t i = 0; i < p->flow.narrows; i++) {
		a[i].from.thread = a[i].from.thread == 0 ? 0 : place[a[i].from.thread - 1];
		a[i].to.thread = a[i].to.thread == 0 ? 0 : place[a[i].to.thread - 1];
	}
}

bool
pf_flow_columns(struct perfetto *p, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_FLOW_START, arrow, start), MAKE(COL_FLOW_DELAY, arrow, delay), MAKE(COL_FLOW_WHOLE, arrow, whole),
		MAKE(COL_FLOW_NAME, arrow, from.name), MAKE(COL_FLOW_CAT, arrow, from.cat), MAKE(COL_FLOW_ID, arrow, id),
		MAKE(COL_FLOW_POINTS, arrow, points), MAKE(COL_FLOW_FROM_THREAD, arrow, from.thread),
		MAKE(COL_FLOW_FROM_METHOD, arrow, from.frame), MAKE(COL_FLOW_TO_THREAD, arrow, to.thread),
		MAKE(COL_FLOW_TO_METHOD, arrow, to.frame)
	};

	return make_sort(&p->flow.arrows, p->flow.narrows, sizeof(struct arrow), p->l->work, err) &&
	    make_columns(p->l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(p->flow.arrows, struct arrow), p->flow.narrows), err);
}
