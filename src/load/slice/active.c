/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * active: events from before the part that are active when it begins.
 */
#include "config.h"

#include <assert.h>

#include "icecore/mark.h"
#include "slice.h"

#define EVENT(h, i) (&SCRATCH((h)->events, struct active_event)[(i) - 1])
#define LAST(h, i) (&SCRATCH((h)->lasts, struct active_last)[(i) - 1])

static bool
active_add(struct active *h, const struct active_event *new, struct err *err)
{
	return make_add(&h->events, &h->nevents, new, sizeof *new, MAKE_MOST, "events", err);
}

bool
active_span(struct active *h, uint64_t key, uint64_t time, uint64_t at, bool begins, struct err *err)
{
	return active_add(h, &(struct active_event){ .time = time, .at = at, .key = key, .begins = begins },
	    err);
}

/* NULL: failure. */
static struct active_last *
last_of(struct active *h, uint64_t key, struct err *err)
{
	struct active_last new = { .key = key };
	uint32_t at;

	if (!idmap_enter(&h->by_last, key, (uint32_t)h->nlasts + 1, &at, err) ||
	    (at > h->nlasts && !make_add(&h->lasts, &h->nlasts, &new, sizeof new, MAKE_MOST, "events", err)))
		return NULL;
	return LAST(h, at);
}

bool
active_last(struct active *h, uint64_t key, uint64_t time, uint64_t at, struct err *err)
{
	struct active_last *l = last_of(h, key, err);

	if (l != NULL && (!l->known || time >= l->time)) {
		l->known = true;
		l->time = time;
		l->at = at;
	}
	return l != NULL;
}

static bool
active_end(struct active *h, uint64_t key, uint64_t time, struct err *err)
{
	struct active_last *l = last_of(h, key, err);

	if (l != NULL)
		l->ended = time > l->ended ? time : l->ended;
	return l != NULL;
}

/* The innermost active event of a key; 0: none.  The map holds the number + 1, because 0 means none. */
static uint32_t
active_top(const struct active *h, uint64_t key)
{
	uint32_t at = idmap_get(&h->by_key, key);

	return at > 0 ? at - 1 : 0;
}

bool
active_switch(struct active *h, uint64_t cpu, uint32_t from, uint32_t to, uint64_t time, uint64_t at,
    struct err *err)
{
	return active_last(h, active_key(ACTIVE_ON_CPU, cpu), time, at, err) &&
	    active_end(h, active_key(ACTIVE_WAKING, to), time, err) &&
	    active_end(h, active_key(ACTIVE_LEFT, to), time, err) &&
	    (from == 0 || active_last(h, active_key(ACTIVE_LEFT, from), time, at, err));
}

/* Play an event; events come in order of time. */
static bool
active_play(struct active *h, uint32_t i, struct err *err)
{
	struct active_event *e = EVENT(h, i);
	uint32_t top = active_top(h, e->key);

	assert(top < i);
	if (e->begins && e->alone && top != 0)
		return true;
	if (e->begins) {
		e->below = top;
		e->depth = top == 0 ? 1 : EVENT(h, top)->depth + 1;
		e->active = true;
		return idmap_put(&h->by_key, e->key, i + 1, err);
	}
	if (top == 0)
		return true;
	EVENT(h, top)->active = false;
	return idmap_put(&h->by_key, e->key, EVENT(h, top)->below + 1, err);
}

/* From now on their numbers are behind those of the others. */
static bool
settle_lasts(struct active *h, struct work *w, struct err *err)
{
	uint64_t later = 0;

	assert(h->nevents + h->nlasts < UINT32_MAX);
	if (!make_sort(&h->lasts, h->nlasts, sizeof(struct active_last), w, err))
		return false;
	for (uint32_t i = (uint32_t)h->nlasts; i > 0; i--) {
		struct active_last *l = LAST(h, i);

		if (!l->known || l->time < l->ended)
			continue;
		/* An event may be the last one of several keys. */
		if (idmap_get(&h->found, l->at + 1) == 0 &&
		    !idmap_put(&h->found, l->at + 1, (uint32_t)h->nevents + i, err))
			return false;
		l->above = later++;
	}
	return true;
}

bool
active_settle(struct active *h, struct work *w, struct err *err)
{
	if (!make_sort(&h->events, h->nevents, sizeof(struct active_event), w, err))
		return false;
	for (uint32_t i = 1; i <= h->nevents; i++)
		if ((i % 4096 == 0 && !work_go(w, i, err)) || !active_play(h, i, err))
			return false;
	for (uint32_t i = 1; i <= h->nevents; i++)
		if (EVENT(h, i)->active && !idmap_put(&h->found, EVENT(h, i)->at + 1, i, err))
			return false;
	return settle_lasts(h, w, err);
}

bool
active_is(const struct active *h, uint64_t at, uint64_t *above)
{
	uint32_t i = idmap_get(&h->found, at + 1);
	const struct active_event *e;

	*above = i > h->nevents ? LAST(h, i - h->nevents)->above : 0;
	if (i == 0 || i > h->nevents)
		return i != 0;
	e = EVENT(h, i);
	assert(e->active);
	*above = EVENT(h, active_top(h, e->key))->depth - e->depth;
	return true;
}

void
active_close(struct active *h)
{
	SCRATCH_FREE(&h->events, &h->lasts);
	idmap_free(&h->by_key);
	idmap_free(&h->by_last);
	idmap_free(&h->found);
}

/* ---- marks -------------------------------------------------------------------------------------------- */

/* Calls nest in their thread, and slices of G in their track.  Slices of S do not nest. */
bool
active_mark(struct active *h, uint32_t tid, uint64_t time, uint64_t at, struct str text, struct err *err)
{
	struct user_mark m;

	if (!mark_read(text, &m))
		return true;
	switch (m.letter) {
	case 'B': case 'E':
		return active_span(h, active_key(ACTIVE_CALL, tid), time, at, m.letter == 'B', err);
	case 'C':
		return active_last(h, active_key(ACTIVE_COUNTER, idmap_hash_text(m.name, m.pid)), time, at,
		    err);
	case 'S': case 'F':
		return active_add(h, &(struct active_event){ .time = time, .at = at,
		    .key = active_key(ACTIVE_ASYNC, mark_key(&m)), .begins = m.letter == 'S', .alone = true },
		    err);
	case 'G': case 'H':
		return active_span(h, active_key(ACTIVE_ASYNC_TRACK, mark_key(&m)), time, at,
		    m.letter == 'G', err);
	default:
		return true;
	}
}

/* ---- events of the kernel ------------------------------------------------------------------------------ */

/* Events that begin and end something on their CPU or in their thread. */
static const struct pair { uint16_t begins, ends; bool cpu; } pairs[] = {
	{ KERNEL_SOFTIRQ_ENTRY, KERNEL_SOFTIRQ_EXIT, true }, { KERNEL_IRQ_ENTRY, KERNEL_IRQ_EXIT, true },
	{ KERNEL_WORK_START, KERNEL_WORK_END, false }, { KERNEL_SYSCALL, KERNEL_SYSCALL_END, false },
	{ KERNEL_GRAPH_ENTRY, KERNEL_GRAPH_EXIT, false }
};

static const struct pair *
active_pair(uint32_t kind)
{
	for (size_t i = 0; i < NELEM(pairs); i++)
		if (kind == pairs[i].begins || kind == pairs[i].ends)
			return &pairs[i];
	return NULL;
}

bool
active_event(struct active *h, uint64_t cpu, uint32_t tid, uint64_t time, uint64_t at,
    const struct kernel_event *e, struct err *err)
{
	const struct pair *pair = active_pair(e->kind);
	uint64_t level = (uint64_t)e->kind << 32;

	if (pair != NULL)
		return active_span(h, active_key((enum active_kind)(ACTIVE_PAIRS + (pair - pairs)),
		    pair->cpu ? cpu : tid), time, at, e->kind == pair->begins, err);
	switch (e->kind) {
	case KERNEL_SWITCH:
		return active_switch(h, cpu, (uint32_t)e->v[2], (uint32_t)e->v[6], time, at, err);
	case KERNEL_WAKING: case KERNEL_WAKEUP: case KERNEL_WAKEUP_NEW:
		return active_last(h, active_key(ACTIVE_WAKING, (uint32_t)e->v[2]), time, at, err);
	case KERNEL_NEW_TASK:
		return active_last(h, active_key(ACTIVE_MADE, (uint32_t)e->v[1]), time, at, err);
	case KERNEL_RENAME:
		return active_last(h, active_key(ACTIVE_NAMED, (uint32_t)e->v[1]), time, at, err);
	case KERNEL_PRINT:
		return active_mark(h, tid, time, at, e->s[2], err);
	case KERNEL_CPU_FREQUENCY: case KERNEL_CPU_IDLE:
		return active_last(h, active_key(ACTIVE_FREQUENCY, level | e->v[2]), time, at, err);
	case KERNEL_CPU_LIMITS:
		return active_last(h, active_key(ACTIVE_FREQUENCY, level | e->v[3]), time, at, err);
	case KERNEL_GPU_FREQUENCY:
		return active_last(h, active_key(ACTIVE_FREQUENCY, level | e->v[1]), time, at, err);
	case KERNEL_CLOCK_RATE:
		return active_last(h, active_key(ACTIVE_FREQUENCY, idmap_hash_text(e->s[1], e->kind)), time,
		    at, err);
	case KERNEL_WAKELOCK: case KERNEL_WAKELOCK_END:
		return active_span(h, active_key(ACTIVE_WAKELOCK, idmap_hash_text(e->s[1], 0)), time, at,
		    e->kind == KERNEL_WAKELOCK, err);
	case KERNEL_ION: case KERNEL_DMA:
		return active_span(h, active_key(ACTIVE_BUFFER, idmap_hash(level) ^ e->v[1]), time, at,
		    (int64_t)e->v[2] > 0, err);
	default:
		return true;
	}
}
