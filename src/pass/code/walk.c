/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walk: all paths of a method, breadth first: each state, a step with the contents of the registers, is
 * visited once.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_code.h"
#include "walk.h"

#define CALLS_DEEP 64		/* methods that call one another and are walked at once */

static uint32_t
step_of(const struct path_walk *k, uint32_t pc)
{
	return pc == CODE_NONE ? STEP_NONE : flow_step_at(&k->flow, pc);
}

/*
 * Ready for the first step: the cursor is made in a range, or (NULL) is word param of the arguments.  *sound:
 * it can be walked.
 */
static bool
walk_walk_begin(struct code_world *w, struct path_walk *k, struct code_body *b,
    const struct walk_range *range, uint32_t param,
    bool *sound, struct err *err)
{
	bool is_static = (store_cell(w->code.st, COL_CODE_METHOD_ACCESS, b->method) & 8) != 0;
	uint8_t *r;

	assert(w->row < 1u << 16 && param < 1u << 8);
	*sound = flow_make(&k->flow, b, is_static, w->row != 0, err);
	if (!*sound)
		return err->kind == E_NONE;
	k->body = b;
	k->world = w;
	w->effort += k->flow.nsteps + k->flow.nlists;
	k->site = k->born = k->until = STEP_NONE;
	if (range != NULL) {
		k->site = step_of(k, range->site);
		k->born = step_of(k, range->born);
		k->until = step_of(k, range->until);
	}
	k->bytes = (sizeof(struct walk_state) + k->flow.width + 7) & ~(size_t)7;
	if (!scratch_array(&k->row, k->bytes, 1, err) || !array_grow(&k->count, k->flow.nsteps, err))
		return false;
	memset(k->row.data, 0, k->bytes);
	memset(k->count.raw.data, 0, k->flow.nsteps * sizeof(uint32_t));
	k->result->complete = true;
	r = walk_registers((struct walk_state *)(void *)k->row.data);
	if (!is_static && k->flow.first < k->flow.locals)
		r[k->flow.first] = VALUE_SOME;
	if (range == NULL) {
		*sound = k->flow.first + param < k->flow.locals;
		if (!*sound)
			return true;
		r[k->flow.first + param] = VALUE_CURSOR;
	}
	return walk_go(k, 0, range == NULL ? STATUS_OPEN : STATUS_UNBORN, NO_HANDLER, err);
}

/* Walk on to the end, to a call of a method that must be walked first (e->need), or to WORLD_EFFORT. */
static bool
walk_on(struct code_world *w, struct path_walk *k, struct call_edges *e, struct err *err)
{
	e->need = 0;
	for (; k->next < k->nstates && !k->full && w->effort < WORLD_EFFORT; k->next++) {
		w->effort += 1 + k->bytes / 64;
		if (k->next % 64 == 0 && !work_go(w->work, k->next, err))
			return false;
		k->from = walk_state_at(k, k->next);
		k->old = walk_registers(walk_state_at(k, k->next));
		if (!walk_step(w, k, &flow_steps(&k->flow)[k->from->step], e, err))
			return false;
		if (e->need != 0)
			return true;
	}
	k->result->complete &= !k->full;
	return true;
}

static void
walk_free(struct path_walk *k)
{
	flow_free(&k->flow);
	SCRATCH_FREE(&k->states, &k->count, &k->row, &k->own.exits);
	idmap_free(&k->known);
	idmap_free(&k->exits);
	code_body_free(&k->called);
	free(k);
}

static enum effect
effect_of_ends(unsigned ends)
{
	if (ends & 1u << STATUS_ESCAPED)
		return EFFECT_ESCAPES;
	return ends & 1u << STATUS_CLOSED || ends == 0 ? EFFECT_CLOSES : EFFECT_BORROWS;
}

/* Push a walk of a called method.  If its code is invalid or the stack is full, its arguments escape. */
static bool
walk_called(struct code_world *w, struct path_walk **stack, size_t *n, const struct call_edges *e,
    struct err *err)
{
	struct path_walk *k;
	bool sound;

	assert(*n > 0 && *n <= CALLS_DEEP);
	if (!idmap_put(&w->effects, walk_effect_key(w, e->need, e->param), EFFECT_ESCAPES, err))
		return false;
	if (*n == CALLS_DEEP)
		return true;
	if ((k = mem_array(1, sizeof *k)) == NULL)
		return fail_memory(err, "method");
	stack[(*n)++] = k;
	k->result = &k->own;
	k->param = e->param;
	sound = code_body_open(&k->called, &w->code, e->need, err);
	if ((!sound && err->kind != E_NONE) || (sound &&
	    !walk_walk_begin(w, k, &k->called, NULL, e->param, &sound, err)))
		return false;
	if (!sound)
		walk_free(stack[--*n]);
	return true;
}

/*
 * End all walks at WORLD_EFFORT.  Called methods on the stack get EFFECT_AGAIN: a later caller walks them
 * again.
 */
static bool
walk_give_up(struct code_world *w, struct path_walk **stack, size_t n, struct err *err)
{
	stack[0]->result->spent = true;
	for (size_t i = 1; i < n; i++)
		if (!idmap_put(&w->effects, walk_effect_key(w, stack[i]->flow.method, stack[i]->param),
		    EFFECT_AGAIN, err))
			return false;
	return true;
}

/* Run the walks on the stack, the last one first, until the stack is empty. */
static bool
walk_walk_all(struct code_world *w, struct path_walk **stack, size_t *n, struct err *err)
{
	struct call_edges e;
	struct path_walk *top;

	while (*n > 0) {
		top = stack[*n - 1];
		if (!walk_on(w, top, &e, err))
			return false;
		if (w->effort >= WORLD_EFFORT)
			return walk_give_up(w, stack, *n, err);
		if (e.need != 0) {
			if (!walk_called(w, stack, n, &e, err))
				return false;
			continue;
		}
		if (top->result == &top->own && !idmap_put(&w->effects,
		    walk_effect_key(w, top->flow.method, top->param),
		    effect_of_ends(top->result->ends), err))
			return false;
		walk_free(stack[--*n]);
	}
	return true;
}

bool
walk_site(struct code_world *w, struct code_body *b, const struct walk_range *range,
    struct walk_result *result, bool *sound, struct err *err)
{
	struct path_walk *stack[CALLS_DEEP];
	size_t n = 0;
	bool ok;

	result->nexits = 0;
	result->ends = 0;
	result->lost = result->escapes = result->spent = false;
	if ((stack[0] = mem_array(1, sizeof **stack)) == NULL)
		return fail_memory(err, "method");
	n = 1;
	stack[0]->result = result;
	ok = walk_walk_begin(w, stack[0], b, range, 0, sound, err) &&
	    (!*sound || walk_walk_all(w, stack, &n, err));
	while (n > 0)
		walk_free(stack[--n]);
	return ok;
}
