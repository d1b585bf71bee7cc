/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls in time order: replaying the records behind a mark of pass "order".
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "order.h"

bool
marks_open(struct marks *m, const struct store *st, uint32_t thread, struct err *err)
{
	static const column_id clocks[7] = {
		COL_MARK_WALL, COL_MARK_CPU, COL_MARK_RAW_WALL, COL_MARK_RAW_CPU,
		COL_MARK_BASE_WALL, COL_MARK_BASE_CPU, COL_MARK_SEEN
	};
	const struct { const struct column **to; column_id col; } want[] = {
		{ &m->top, COL_MARK_TOP }, { &m->floor, COL_MARK_FLOOR },
		{ &m->block, COL_MARK_BLOCK }, { &m->thread, COL_MARK_THREAD },
		{ &m->latest, COL_BLOCK_LATEST }, { &m->block_mark, COL_BLOCK_MARK },
		{ &m->list, COL_MARK_LIST }, { &m->start, COL_SPAN_START },
		{ &m->end, COL_SPAN_END }, { &m->start_cpu, COL_SPAN_START_CPU },
		{ &m->end_cpu, COL_SPAN_END_CPU }, { &m->parent, COL_SPAN_PARENT },
		{ &m->method, COL_SPAN_METHOD }, { &m->depth, COL_SPAN_DEPTH },
		{ &m->crowd, COL_SPAN_CROWD },
	};
	const struct column *first = store_column(st, COL_MARK_FIRST);
	const struct column *span_first = store_column(st, COL_SPAN_FIRST);

	memset(m, 0, sizeof *m);
	for (size_t i = 0; i < NELEM(want); i++)
		if ((*want[i].to = store_column(st, want[i].col)) == NULL)
			return fail(err, E_USAGE, "no calls in time order in this file");
	for (size_t i = 0; i < NELEM(clocks); i++)
		m->clock[i] = store_column(st, clocks[i]);
	if (first == NULL || span_first == NULL || thread == 0 || thread >= first->rows)
		return fail(err, E_USAGE, "no thread %u", thread);
	m->row = store_column(st, COL_SPAN_ROW);
	m->st = st;
	m->id = thread;
	m->n = column_list(first, m->list, thread - 1, &m->first);
	m->nspans = column_list(span_first, m->start, thread - 1, &m->span_first);
	m->wall = trace_has_clock(st, CLOCK_WALL);
	return true;
}

uint64_t
mark_of(const struct marks *m, uint64_t k)
{
	assert(k < m->n);
	return column_get(m->list, m->first + k);
}

uint64_t
mark_time(const struct marks *m, uint64_t k)
{
	return column_get(m->clock[m->wall ? 0 : 1], mark_of(m, k));
}

/* ---- results ------------------------------------------------------------------------------- */

void
spans_free(struct spans *s)
{
	if (s->replay != NULL) {
		replay_close(s->replay);
		free(s->replay);
	}
	free(s->span);
	memset(s, 0, sizeof *s);
}

static bool
spans_add_span(struct spans *s, struct span x, struct err *err)
{
	if (!mem_grow(&s->span, &s->cap, s->n + 1, sizeof *s->span))
		return fail(err, E_SYSTEM, "out of memory (%zu calls)", s->n);
	s->span[s->n++] = x;
	return true;
}

/* A stored long call or crowd. */
bool
spans_add_stored(const struct marks *m, uint64_t row, struct spans *s, struct err *err)
{
	return spans_add_span(s, (struct span){
		.start = column_get(m->start, row), .end = column_get(m->end, row),
		.start_cpu = column_get(m->start_cpu, row), .end_cpu = column_get(m->end_cpu, row),
		.method = (uint32_t)column_get(m->method, row), .depth = (uint32_t)column_get(m->depth, row),
		.crowd = (uint32_t)column_get(m->crowd, row), .row = (uint32_t)column_get(m->row, row) },
		    err);
}

/* ---- chunks: replaying one block for one thread ------------------------------------------------ */

bool
spans_ready(struct spans *s, const struct store *st, struct err *err)
{
	if (s->replay != NULL)
		return true;
	if ((s->replay = mem_array(1, sizeof *s->replay)) == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	if (replay_open(s->replay, st, NULL, err))
		return true;
	free(s->replay);
	s->replay = NULL;
	return false;
}

void
marks_clocks(const struct marks *m, struct replay *r, uint64_t block)
{
	uint64_t i, n = column_list(m->block_mark, m->thread, block, &i), thread;

	r->latest = column_get(m->latest, block);
	for (; n > 0; n--, i++) {
		struct thread_clock *c;

		thread = column_get(m->thread, i);
		if (thread == 0 || thread > r->nthreads)
			continue;
		c = &replay_thread(r, (uint32_t)thread)->clock;
		c->wall = column_get(m->clock[0], i);
		c->cpu = column_get(m->clock[1], i);
		c->raw_wall = column_get(m->clock[2], i);
		c->raw_cpu = column_get(m->clock[3], i);
		c->base_wall = column_get(m->clock[4], i);
		c->base_cpu = column_get(m->clock[5], i);
		c->seen = column_get(m->clock[6], i);
	}
}

/* A stored call and its callers. */
bool
marks_stack(const struct marks *m, uint64_t mark, struct stack *s, struct err *err)
{
	uint64_t at = column_get(m->top, mark), n = 0, method,
	    methods = column_rows(store_column(m->st, COL_METHOD_RAW));

	assert(s->depth == 0);
	for (uint64_t up = at; up != 0 && n < m->start->rows; n++)
		up = column_get(m->parent, up - 1);
	if (n > UINT32_MAX || !stack_reserve(s, (uint32_t)n, err))
		return false;
	s->depth = (uint32_t)n;
	s->floor = (uint32_t)column_get(m->floor, mark);
	if (s->floor > s->depth)
		s->floor = s->depth;
	for (; n > 0; n--) {
		method = column_get(m->method, at - 1);
		if (method == 0 || method > methods)
			return fail(err, E_SYSTEM, "index does not match the trace; --no-index ignores it");
		s->frame[n - 1].method = (uint32_t)method;
		s->frame[n - 1].node = 0;
		at = column_get(m->parent, at - 1);
	}
	return true;
}

static void
spans_end_span(struct chunk *c, const struct frame *f, uint64_t time, uint64_t cpu)
{
	if (f->node == 0)
		return;
	assert(f->node <= c->out->n);
	c->out->span[f->node - 1].end = time;
	c->out->span[f->node - 1].end_cpu = cpu;
}

static bool
spans_enter(struct chunk *c, const struct event *ev, uint64_t row)
{
	if (!spans_add_span(c->out, (struct span){ .start = c->m->wall ? ev->wall : ev->cpu,
	    .start_cpu = ev->cpu,
	    .method = ev->method, .depth = c->stack->depth, .row = (uint32_t)row }, c->err))
		return false;
	assert(c->stack->depth < c->stack->cap && c->out->n > 0);
	c->stack->frame[c->stack->depth].node = (uint32_t)c->out->n;
	return stack_push(c->index, c->stack, ev, c->err);
}

static bool
spans_leave(struct chunk *c, const struct event *ev)
{
	struct stack *s = c->stack;
	uint32_t closes;

	if (!stack_leave(c->index, s, ev, &closes, c->err))
		return false;
	while (closes-- > 0) {
		assert(s->depth > 0);
		spans_end_span(c, &s->frame[s->depth - 1],
		    c->m->wall ? ev->wall : ev->cpu, ev->cpu);
		if (!stack_pop(c->index, s, c->err))
			return false;
	}
	return true;
}

bool
chunk_take(struct chunk *c, const struct event_run *run)
{
	bool ok = stack_reserve(c->stack, run->n, c->err);

	for (uint32_t i = 0; ok && i < run->n; i++) {
		if (run->ev[i].action == ACT_ENTER)
			ok = spans_enter(c, &run->ev[i], run->row + i + 1);
		else if (run->ev[i].action != ACT_OTHER)
			ok = spans_leave(c, &run->ev[i]);
	}
	return ok;
}

void
chunk_close(struct chunk *c, uint64_t k)
{
	const struct thread_clock *t;
	struct stack *s = c->stack;
	uint64_t at;

	if (k + 1 < c->m->n) {
		at = column_get(c->m->top, mark_of(c->m, k + 1));
		for (; s->depth > 0 && at != 0 && s->frame[s->depth - 1].node != 0; s->depth--) {
			spans_end_span(c, &s->frame[s->depth - 1],
			    column_get(c->m->end, at - 1),
			    column_get(c->m->end_cpu, at - 1));
			at = column_get(c->m->parent, at - 1);
		}
		return;
	}
	t = &replay_thread(c->out->replay, c->m->id)->clock;
	for (; s->depth > 0; s->depth--)
		spans_end_span(c, &s->frame[s->depth - 1],
		    c->m->wall ? t->wall : t->cpu, t->cpu);
}

bool
spans_replay(const struct marks *m, uint64_t k, struct spans *s, struct err *err)
{
	OWN_IDMAP index = IDMAP_INIT;
	struct stack stack = { .thread = m->id };
	struct chunk c = { .m = m, .out = s, .stack = &stack, .index = &index, .err = err };
	uint64_t mark = mark_of(m, k), block = column_get(m->block, mark);
	struct event_run run;
	bool ok;

	if (!spans_ready(s, m->st, err))
		return false;
	s->replay->err = err;
	marks_clocks(m, s->replay, block);
	ok = marks_stack(m, mark, &stack, err);
	if (ok)
		replay_seek(s->replay, block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
	while (ok && replay_next(s->replay, &run))
		if (run.thread == m->id)
			ok = chunk_take(&c, &run);
	ok = ok && !s->replay->failed;
	if (ok)
		chunk_close(&c, k);
	stack_free(&stack);
	return ok;
}

uint64_t
spans_chunks(const struct store *st, uint32_t thread)
{
	struct marks m;

	return marks_open(&m, st, thread, NULL) ? m.n : 0;
}

/* Calls that were open before the first record of the thread belong to the first chunk. */
static bool
add_synthetic(const struct marks *m, struct spans *s, struct err *err)
{
	uint64_t open = column_get(m->floor, mark_of(m, 0));

	for (uint64_t i = 0; i < open && i < m->nspans; i++)
		if (!spans_add_stored(m, m->span_first + i, s, err))
			return false;
	return true;
}

bool
spans_chunk(const struct store *st, uint32_t thread, uint64_t k,
    struct spans *s, struct err *err)
{
	struct marks m;

	s->n = 0;
	if (!marks_open(&m, st, thread, err))
		return false;
	if (k >= m.n)
		return true;
	return (k > 0 || add_synthetic(&m, s, err)) && spans_replay(&m, k, s, err);
}
