/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flows: ids of flows in track events.  Traces with arrows from or to the call around an event also
 * need the open calls of threads.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

/* Directions of old flows. */
enum { IN = 1, OUT, BOTH };

/* ---- ids of track events ------------------------------------------------------------------------------ */

static bool
flow_id(struct perfetto *p, uint64_t id, const struct flow_stop *end, enum flow_how how, struct err *err)
{
	return flow_pass(&p->player.flows, &p->marks, async_key('f', id), id, end, how, err);
}

static bool
take_ids(struct perfetto *p, struct shape_numbers ids, const struct flow_stop *end, enum flow_how how,
    struct err *err)
{
	uint64_t id;

	while (shape_number(&ids, &id))
		if (!flow_id(p, id, end, how, err))
			return false;
	return true;
}

bool
pf_flow_event(struct perfetto *p, struct str event, const struct pf_track_event *e,
    const struct pf_old_event *old, const struct flow_stop *end, struct err *err)
{
	static const enum flow_how how[] = { [IN] = FLOW_END, [OUT] = FLOW_START, [BOTH] = FLOW_STEP };

	if (old->has_bind_id && old->flow_direction >= IN && old->flow_direction <= BOTH &&
	    !flow_id(p, old->bind_id, end, how[old->flow_direction], err))
		return false;
	/* The fields of today hide the old ones; ids that end come last. */
	return take_ids(p, shape_numbers(event, e->flows ? 47 : 36, e->flows), end, FLOW_STEP, err) &&
	    take_ids(p, shape_numbers(event, e->ends ? 48 : 42, e->ends), end, FLOW_CLOSE, err);
}

/* ---- calls that flows begin and end in -------------------------------------------------------------- */

/* An open call of a thread; while it is free, below is the next free one. */
struct open_call {
	uint32_t		below;		/* the call around it, from 1; 0: none */
	struct flow_stop	is;
	uint64_t		until;		/* end of the call, as PF_TIME; UINT64_MAX: unknown */
};

/* An arrow that ends at the next call of its thread. */
struct pending {
	uint32_t	next;
	uint64_t	key, id;
};

/*
 * A place for a new row: the first free one, or one at the end.  A row begins with the number of the next
 * free one.  0: failed.
 */
static uint32_t
flow_place(struct scratch *rows, uint64_t *n, size_t size, uint32_t *free_row, const char *what,
    struct err *err)
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
		if (!PF_ADD(p->flow, by_call, none, "threads", err))
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
end_pending(struct perfetto *p, struct thread_calls *t, const struct flow_stop *is, struct err *err)
{
	while (t->pending != 0) {
		struct pending *one = PENDING(p, t->pending);
		uint32_t next = one->next;

		if (!flow_pass(&p->player.flows, &p->marks, one->key, one->id, is, FLOW_END, err))
			return false;
		one->next = p->flow.free_pending;
		p->flow.free_pending = t->pending;
		t->pending = next;
	}
	return true;
}

bool
pf_call_begins(struct perfetto *p, const struct flow_stop *is, uint64_t until, struct err *err)
{
	struct thread_calls *t = flow_calls_of(p, is->thread, err);
	uint32_t at;

	if (t == NULL || !end_pending(p, t, is, err))
		return false;
	drop_ended(p, t, is->time);
	at = flow_place(&p->flow.calls, &p->flow.ncalls, sizeof(struct open_call), &p->flow.free_call,
	    "open calls", err);
	if (at == 0)
		return false;
	*CALL(p, at) = (struct open_call){ .is = *is, .until = until, .below = t->top };
	t->top = at;
	return true;
}

void
pf_call_ends(struct perfetto *p, uint32_t thread, uint64_t time)
{
	struct thread_calls *t = thread < p->flow.nby_call ?
	    &SCRATCH(p->flow.by_call, struct thread_calls)[thread] : NULL;

	if (t == NULL)
		return;
	drop_ended(p, t, time);
	if (t->top != 0)
		drop_call(p, t);
}

bool
pf_call_around(struct perfetto *p, uint32_t thread, uint64_t time, struct flow_stop *around)
{
	struct thread_calls *t = thread < p->flow.nby_call ?
	    &SCRATCH(p->flow.by_call, struct thread_calls)[thread] : NULL;

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
	uint32_t at = t == NULL ? 0 : flow_place(&p->flow.pending, &p->flow.npending,
	    sizeof(struct pending), &p->flow.free_pending, "flows", err);

	if (at == 0)
		return false;
	*PENDING(p, at) = (struct pending){ t->pending, key, id };
	t->pending = at;
	return true;
}
