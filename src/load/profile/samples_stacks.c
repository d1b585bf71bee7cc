/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples_stacks: find many stacks at once.
 *
 * Finding a stack follows its frames from the root, each at another place in memory. Several walkers follow existing
 * stacks in turn: while one waits for memory, the others continue. Stacks that are not found are added afterwards, in
 * order.
 */
#include "config.h"

#include <assert.h>

#include "profile.h"

#define WALKERS 16u

/* The next memory access of a walker, prefetched while the other walkers take their step. */
enum walker_at { AT_STACK, AT_CHILD, AT_OTHERS, AT_END };

struct walker {
	uint64_t	 known;		/* number of frames found */
	uint32_t	 stack, child;	/* the last one found; its first child */
	enum walker_at	 at;
};

static inline uint64_t
samples_stacks_key_of(uint32_t stack, uint32_t frame)
{
	return (uint64_t)stack << 32 | frame;
}

static inline void
samples_stacks_go_to(const struct samples *s, struct walker *w, uint32_t stack)
{
	__builtin_prefetch(&SCRATCH(s->stacks, struct sample_stack)[stack]);
	w->stack = stack;
	w->known++;
	w->at = AT_STACK;
}

static void
samples_stacks_step(const struct samples *s, struct walker *w, const struct sample_path *p)
{
	const struct sample_stack *stack = SCRATCH(s->stacks, struct sample_stack);
	uint32_t other;

	switch (w->at) {
	case AT_CHILD:
		if (stack[w->child].frame != p->frame[w->known]) {
			idmap_ahead(&s->by_stack, samples_stacks_key_of(w->stack, p->frame[w->known]));
			w->at = AT_OTHERS;
			return;
		}
		samples_stacks_go_to(s, w, w->child);
		break;
	case AT_OTHERS:
		other = idmap_get(&s->by_stack, samples_stacks_key_of(w->stack, p->frame[w->known]));
		if (other == 0)
			w->at = AT_END;
		else
			samples_stacks_go_to(s, w, other);
		return;
	default:
		break;
	}
	/* The first child is stored next to its frame. */
	w->child = stack[w->stack].child;
	w->at = w->known < p->n && w->child != 0 ? AT_CHILD : AT_END;
	if (w->at == AT_CHILD)
		__builtin_prefetch(&stack[w->child]);
}

static void
samples_stacks_walk(const struct samples *s, struct walker *w, const struct sample_path *p, size_t n)
{
	for (size_t going = s->nstacks == 0 ? 0 : n; going > 0; ) {
		going = 0;
		for (size_t i = 0; i < n; i++) {
			if (w[i].at != AT_END)
				samples_stacks_step(s, &w[i], &p[i]);
			going += w[i].at != AT_END;
		}
	}
}

static bool
make_rest(struct samples *s, const struct walker *w, struct sample_path *p, struct err *err)
{
	assert(w->known <= p->n && w->stack <= s->nstacks);
	p->stack = w->stack;
	for (uint64_t i = w->known; i < p->n; i++)
		if ((p->stack = samples_stack(s, p->stack, p->frame[i], err)) == 0)
			return false;
	return true;
}

bool
samples_stacks(struct samples *s, struct sample_path *p, size_t n, struct err *err)
{
	for (size_t from = 0; from < n; from += WALKERS) {
		struct walker w[WALKERS] = { { 0 } };
		size_t many = n - from < WALKERS ? n - from : WALKERS;

		samples_stacks_walk(s, w, p + from, many);
		for (size_t i = 0; i < many; i++)
			if (!make_rest(s, &w[i], &p[from + i], err))
				return false;
	}
	return true;
}
