/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass call-detail: the args of the calls of a node, if they are all equal.  Views have other nodes, so it is
 * empty there.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/event_args.h"
#include "icecore/make.h"
#include "icecore/texts.h"
#include "calls.h"

#define NOT_YET UINT32_MAX

struct details {
	const struct store	*st;
	struct text_pool	 texts;
	struct buf		 text;
	struct idmap		 child;		/* by node and method: node */
	struct replay		 replay;
	struct thread_stacks	 threads;	/* struct stack; frame.node: of the tree */
	uint32_t		*place;		/* by node, index into texts */
	uint64_t		 n;
};

/* The top level of a thread has no node. */
static uint64_t
child_key(uint32_t thread, uint32_t node, uint32_t method)
{
	return (uint64_t)(node != 0 ? node : UINT32_MAX - thread) << 32 | method;
}

static bool
details_find_children(struct details *d, const struct store *st, struct err *err)
{
	const struct column *parent = store_column(st, COL_CALL_PARENT),
	    *method = store_column(st, COL_CALL_METHOD);

	for (uint64_t i = 0; i < d->n; i++) {
		uint32_t up = (uint32_t)column_get(parent, i), id = (uint32_t)i + 1;

		if ((i % 4096 == 0 && !work_go(d->replay.work, 0, err)) ||
		    !idmap_put(&d->child, child_key(up != 0 ? 0 : call_thread(st, id), up,
		    (uint32_t)column_get(method, i)), id, err))
			return false;
	}
	return true;
}

static bool
details_enter(struct details *d, struct stack *s, const struct event *ev, uint64_t row, struct err *err)
{
	uint32_t up = s->depth == 0 ? 0 : s->frame[s->depth - 1].node, place = 0, *to;
	uint32_t node = s->depth > 0 && up == 0 ? 0 : idmap_get(&d->child,
	    child_key(s->thread, up, ev->method));

	s->frame[s->depth].node = node;
	if (node == 0 || node > d->n || *(to = &d->place[node - 1]) == 0)
		return true;
	buf_clear(&d->text);
	event_detail(d->st, row + 1, &d->text);
	if (d->text.bad)
		return fail_memory(err, "args");
	if (d->text.n > 0 && !texts_place(&d->texts, buf_view(&d->text), &place, err))
		return false;
	*to = *to == NOT_YET || *to == place ? place : 0;
	return true;
}

static bool
details_take_run(struct details *d, const struct event_run *run, struct err *err)
{
	struct stack *s = &SCRATCH(d->threads.rows, struct stack)[run->thread - 1];
	bool ok = stack_reserve(s, run->n, err);
	uint32_t closes;

	for (uint32_t i = 0; ok && i < run->n; i++) {
		const struct event *ev = &run->ev[i];

		if (ev->action == ACT_OTHER)
			continue;
		if (ev->action == ACT_ENTER) {
			ok = details_enter(d, s, ev, run->row + i, err) &&
			    stack_push(&d->threads.index, s, ev, err);
			continue;
		}
		ok = stack_leave(&d->threads.index, s, ev, &closes, err);
		for (; ok && closes > 0; closes--)
			ok = stack_pop(&d->threads.index, s, err);
	}
	return ok;
}

static bool
replay(struct details *d, struct err *err)
{
	struct event_run run;

	while (replay_next(&d->replay, &run)) {
		if (run.thread > d->threads.n)
			return fail(err, E_SYSTEM, "index does not match the trace; --no-index ignores it");
		if (!details_take_run(d, &run, err))
			return false;
	}
	return !d->replay.failed;
}

static bool
details_find(struct details *d, struct work *w, struct err *err)
{
	bool ok = true;

	for (uint64_t i = 0; i < d->n; i++)
		d->place[i] = NOT_YET;
	if (d->n > 0) {
		work_start(w, "details of calls", d->replay.in.rows);
		ok = stacks_grow(&d->threads, (uint32_t)column_rows(store_column(d->st, COL_THREAD_CALL)),
		    err) &&
		    stacks_begin(&d->threads, d->st, err) && details_find_children(d, d->st, err) &&
		    replay(d, err);
	}
	for (uint64_t i = 0; i < d->n; i++)
		d->place[i] = d->place[i] == NOT_YET ? 0 : d->place[i];
	return ok;
}

static bool
details_run(struct store *st, struct work *w, struct err *err)
{
	struct details d = { .st = st, .threads.size = sizeof(struct stack) };
	bool none = store_column(st, COL_EVENT_ARGS) == NULL || store_below(st) != NULL, ok;

	d.n = none ? 0 : column_rows(store_column(st, COL_CALL_METHOD));
	ok = (d.place = store_make(st, COL_CALL_DETAIL, COL_U32, d.n, err)) != NULL &&
	    (d.n == 0 || replay_open(&d.replay, st, w, err)) &&
	    details_find(&d, w, err) && make_copy(st, COL_CALL_DETAIL_TEXT, COL_BYTES, d.texts.bytes.data,
	    d.texts.size, err);
	replay_close(&d.replay);
	stacks_close(&d.threads);
	idmap_free(&d.child);
	texts_free(&d.texts);
	buf_free(&d.text);
	return ok;
}

const struct pass pass_call_detail = {
	.name = "call-detail", .what = "details of calls", .run = details_run,
	.needs = PASS_COLUMNS(COL_CALL_METHOD, COL_THREAD_SIZE),
	.makes = PASS_COLUMNS(COL_CALL_DETAIL, COL_CALL_DETAIL_TEXT)
};
