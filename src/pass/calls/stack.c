/*
 * stack: where on a stack the innermost call of a method is.
 */
#include "config.h"

#include <stdlib.h>

#include "calls.h"

#define LONG_SEARCH 1024

static uint64_t
key_of(const struct stack *s, uint32_t method)
{
	return (uint64_t)s->thread << 32 | method;
}

/* Depth of the innermost frame of a method as the index knows it, 0: none. */
static uint32_t
known_top(const struct stack_index *x, const struct stack *s, uint32_t method)
{
	uint32_t v = idmap_get(&x->top, key_of(s, method));

	return v == 0 ? 0 : v - 1;
}

static bool
track(struct stack_index *x, struct stack *s, uint32_t depth, struct err *err)
{
	struct frame *f = &s->frame[depth - 1];

	f->outer = known_top(x, s, f->method);
	return idmap_put(&x->top, key_of(s, f->method), depth + 1, err);
}

bool
stack_track_push(struct stack_index *x, struct stack *s, struct err *err)
{
	return track(x, s, s->depth, err);
}

bool
stack_track_pop(struct stack_index *x, struct stack *s, struct err *err)
{
	const struct frame *f = &s->frame[s->depth];

	return idmap_put(&x->top, key_of(s, f->method), f->outer + 1, err);
}

static bool
start_tracking(struct stack_index *x, struct stack *s, struct err *err)
{
	for (uint32_t d = 1; d <= s->depth; d++)
		if (!track(x, s, d, err))
			return false;
	s->tracked = true;
	return true;
}

bool
stack_find(struct stack_index *x, struct stack *s, uint32_t method,
    uint32_t *depth, struct err *err)
{
	uint32_t d, steps;

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
	if (s->cap - s->depth >= n)
		return true;
	return mem_grow(&s->frame, &s->cap, (size_t)s->depth + n, sizeof *s->frame) ||
	    fail(err, E_SYSTEM, "no memory for a stack of %u calls", s->depth);
}

void
stack_free(struct stack *s)
{
	free(s->frame);
	s->frame = NULL;
	s->cap = 0;
}
