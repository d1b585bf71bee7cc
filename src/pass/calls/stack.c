/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack: where on a stack the innermost call of a method is.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "calls.h"

#define LONG_SEARCH 1024

static uint64_t
stack_key_of(const struct stack *s, uint32_t method)
{
	return (uint64_t)s->thread << 32 | method;
}

/* Depth of the innermost frame of a method as the index knows it, 0: none. */
static uint32_t
known_top(const struct idmap *x, const struct stack *s, uint32_t method)
{
	uint32_t v = idmap_get(x, stack_key_of(s, method));

	return v == 0 ? 0 : v - 1;
}

static bool
track(struct idmap *x, struct stack *s, uint32_t depth, struct err *err)
{
	struct frame *f = &s->frame[depth - 1];

	assert(depth > 0 && depth <= s->depth && depth <= s->cap);
	f->outer = known_top(x, s, f->method);
	assert(depth <= s->depth && f->outer < depth);
	return idmap_put(x, stack_key_of(s, f->method), depth + 1, err);
}

bool
stack_track_push(struct idmap *x, struct stack *s, struct err *err)
{
	return track(x, s, s->depth, err);
}

bool
stack_track_pop(struct idmap *x, struct stack *s, struct err *err)
{
	const struct frame *f = &s->frame[s->depth];

	assert(s->depth < s->cap);
	return idmap_put(x, stack_key_of(s, f->method), f->outer + 1, err);
}

static bool
start_tracking(struct idmap *x, struct stack *s, struct err *err)
{
	for (uint32_t d = 1; d <= s->depth; d++)
		if (!track(x, s, d, err))
			return false;
	s->tracked = true;
	return true;
}

bool
stack_find(struct idmap *x, struct stack *s, uint32_t method,
    uint32_t *depth, struct err *err)
{
	uint32_t d, steps;

	assert(s->floor <= s->depth && s->depth <= s->cap);
	*depth = 0;
	for (d = s->depth, steps = 0; !s->tracked && d > s->floor; d--, steps++) {
		if (s->frame[d - 1].method == method) {
			*depth = d;
			return true;
		}
		if (steps == LONG_SEARCH && !start_tracking(x, s, err))
			return false;
	}
	if (s->tracked && (d = known_top(x, s, method)) > s->floor)
		*depth = d;
	return true;
}

bool
stack_reserve(struct stack *s, uint32_t n, struct err *err)
{
	assert(s->depth <= s->cap);
	if (s->cap - s->depth >= n)
		return true;
	return mem_grow(&s->frame, &s->cap, (size_t)s->depth + n, sizeof *s->frame) ||
	    fail(err, E_SYSTEM, "out of memory (stack of %u calls)", s->depth);
}

void
stack_free(struct stack *s)
{
	free(s->frame);
	s->frame = NULL;
	s->cap = 0;
}

/* ---- those of all threads ------------------------------------------------------------ */

static struct stack *
stack_stack_of(const struct thread_stacks *s, uint64_t thread)
{
	return (struct stack *)(void *)(s->rows.data + (thread - 1) * s->size);
}

bool
stacks_grow(struct thread_stacks *s, uint32_t n, struct err *err)
{
	assert(s->size >= sizeof(struct stack));
	if (!scratch_array(&s->rows, n, s->size, err))
		return false;
	for (; s->n < n; s->n++)
		stack_stack_of(s, s->n + 1)->thread = s->n + 1;
	return true;
}

bool
stacks_begin(struct thread_stacks *all, const struct store *st, struct err *err)
{
	const struct column *thread = store_column(st, COL_SYNTHETIC_THREAD);
	const struct column *method = store_column(st, COL_SYNTHETIC_METHOD);
	struct event ev = { 0, 0, 0, ACT_ENTER };
	struct stack *s;
	uint64_t id, methods = column_rows(store_column(st, COL_METHOD_RAW));

	for (uint64_t i = column_rows(thread); i-- > 0; ) {
		id = column_get(thread, i);
		ev.method = (uint32_t)column_get(method, i);
		/* Only a damaged index has such rows. */
		if (id == 0 || id > all->n || ev.method == 0 || ev.method > methods)
			continue;
		s = stack_stack_of(all, id);
		/* Nothing else was pushed yet. */
		assert(s->depth == s->floor);
		if (!stack_reserve(s, 1, err))
			return false;
		s->frame[s->depth] = (struct frame){ .node = 0 };
		if (!stack_push(&all->index, s, &ev, err))
			return false;
		s->floor++;
	}
	return true;
}

void
stacks_close(struct thread_stacks *s)
{
	for (uint32_t i = 1; i <= s->n; i++)
		stack_free(stack_stack_of(s, i));
	scratch_free(&s->rows);
	idmap_free(&s->index);
}
