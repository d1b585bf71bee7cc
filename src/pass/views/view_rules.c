/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view_rules: a call tree with frames hidden, collapsed or grouped, restricted to some stacks or threads.
 *
 * Rows come parents first, so the data about a row's callers is in a path, one entry per depth.  A frame gets
 * its node when a counted stack passes through it; the weight of a frame without one goes to the nearest
 * caller that has one, or to the thread.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "views.h"

/* Result of the rules for the frame at each depth; [0] is the thread. */
struct shown {
	uint64_t	row;
	/* keep rules: a frame up to this depth matched; fold rules: the remaining frame above did */
	uint64_t	bits;
	uint32_t	node;		/* 0: none yet */
	uint32_t	up, down;	/* entries: the nearest caller that is shown; where make_node goes next */
	uint32_t	method;		/* number of the method or of its group */
	bool		gone, dropped;
};

struct sift {
	const struct view	*view;
	struct store		*base;
	struct work		*work;
	const struct column	*depth, *method, *calls, *wall, *cpu, *call, *size;
	bool			 samples;	/* calls of a row are samples that end in it */
	uint64_t		 keep;		/* bits of all keep rules */
	uint32_t		 nmethods, nthreads;
	struct build		 build;
	ARRAY(uint64_t)	hit;		/* by method: rules that match it */
	ARRAY(uint32_t)	group;		/* by method: its number as it is shown; none when frames are not grouped */
	ARRAY(struct shown)	path;
	struct scratch		 wanted;	/* u8 by thread */
	struct text_pool	 names;		/* names of the groups */
};

static struct shown *
view_rules_entry(const struct sift *s, uint64_t i)
{
	return &s->path.at[i];
}

/* ---- methods ------------------------------------------------------------------------------- */

static bool
match_method(struct sift *s, uint32_t method, struct buf *name, struct err *err)
{
	const struct view *v = s->view;
	uint64_t *hit = &s->hit.at[method];

	buf_clear(name);
	method_name(s->base, method, name);
	for (size_t i = 0; i < v->nrules; i++)
		if (v->rule[i].match(v->rule[i].arg, buf_view(name)))
			*hit |= (uint64_t)1 << i;
	if (v->group == VIEW_METHOD)
		return !name->bad || fail_memory(err, "name");
	buf_clear(name);
	view_group_name(s->base, method, v->group, name);
	return name->bad ? fail_memory(err, "name") : texts_number(&s->names,
	    buf_view(name), &s->group.at[method], err);
}

static bool
match_methods(struct sift *s, struct err *err)
{
	OWN_BUF name = BUF_INIT;
	bool ok = array_grow(&s->hit, s->nmethods + 1ull, err) &&
	    (s->view->group == VIEW_METHOD ||
	    array_grow(&s->group, s->nmethods + 1ull, err));

	work_start(s->work, "frame names", s->nmethods);
	for (uint32_t i = 1; ok && i <= s->nmethods; i++)
		ok = (work_tick(s->work, i) || fail_cancel(err)) && match_method(s, i, &name, err);
	for (uint32_t i = 0; i < s->view->nrules; i++)
		if (s->view->rule[i].kind == VIEW_KEEP)
			s->keep |= (uint64_t)1 << i;
	return ok;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Whether the frame is left when the rules have been applied one after the other. */
static bool
apply_rules(const struct sift *s, struct shown *at, uint64_t hit)
{
	uint64_t bit;

	for (size_t i = 0; i < s->view->nrules; i++) {
		bit = (uint64_t)1 << i;
		switch (s->view->rule[i].kind) {
		case VIEW_HIDE:
			if (hit & bit)
				return false;
			break;
		case VIEW_KEEP:
			at->bits |= hit & bit;
			break;
		case VIEW_DROP:
			at->dropped |= (hit & bit) != 0;
			break;
		case VIEW_FOLD:
			if (hit & at->bits & bit)
				return false;
			at->bits = (at->bits & ~bit) | (hit & bit);
			break;
		}
	}
	return true;
}

/* Nodes for an entry and its callers, as far as they have none; there is room.  0: failed. */
static uint32_t
make_node(struct sift *s, uint32_t i, struct err *err)
{
	struct shown *at = view_rules_entry(s, i);

	while (i != 0 && at->node == 0) {
		/* Callers precede their callees. */
		assert(at->up < i);
		view_rules_entry(s, at->up)->down = i;
		i = at->up;
		at = view_rules_entry(s, i);
	}
	if (i == 0 && at->node == 0)
		at->node = build_node(&s->build, 0, 0);
	for (; at->down != 0; at = view_rules_entry(s, i)) {
		i = at->down;
		at->down = 0;
		view_rules_entry(s, i)->node = build_child(&s->build, at->node,
		    view_rules_entry(s, i)->method);
		if (!s->samples && !build_count(&s->build, view_rules_entry(s, i)->node,
		    column_get(s->calls, view_rules_entry(s, i)->row), err))
			return 0;
	}
	assert(at->node != 0);
	return at->node;
}

static bool
count_row(struct sift *s, uint64_t row, uint32_t i, struct err *err)
{
	uint32_t node;

	if (!build_reserve(&s->build, i + 1, err))
		return false;
	node = make_node(s, i, err);
	if (node == 0 || (s->samples && !build_count(&s->build, node, column_get(s->calls, row), err)))
		return false;
	return build_weigh(&s->build, node, column_get(s->wall, row), column_get(s->cpu, row), err);
}

/* In a profile only rows in which samples end count; the rows above exist for their sake. */
static bool
is_stack(const struct sift *s, uint64_t row)
{
	return !s->samples || column_get(s->calls, row) > 0 || column_get(s->wall, row) > 0 ||
	    column_get(s->cpu, row) > 0;
}

static bool
view_rules_take_row(struct sift *s, uint64_t row, uint64_t *known, struct err *err)
{
	uint64_t method = column_get(s->method, row), depth = column_get(s->depth, row);
	const struct shown *above;
	struct shown *at;
	bool sampled;

	if (method == 0 || method > s->nmethods || depth > *known || depth >= UINT32_MAX - 1)
		return fail(err, E_SYSTEM, "index damaged: call tree (delete the .icx file)");
	if (!array_grow(&s->path, depth + 2, err))
		return false;
	*known = depth + 1;
	above = view_rules_entry(s, depth);
	at = view_rules_entry(s, depth + 1);
	*at = *above;
	at->row = row;
	at->node = at->down = 0;
	at->up = above->gone ? above->up : (uint32_t)depth;
	assert(at->up <= depth);
	at->method = s->names.n > 0 ? s->group.at[method] : (uint32_t)method;
	sampled = s->view->called && store_cell(s->base, COL_LISTED_SAMPLED, method) != 0;
	at->gone = sampled || !apply_rules(s, at, s->hit.at[method]) ||
	    (s->names.n > 0 && at->up != 0 && view_rules_entry(s, at->up)->method == at->method);
	/* Samples outside of calls are not the thread's time in calls. */
	if (at->dropped || (sampled && at->up == 0) || (at->bits & s->keep) != s->keep || !is_stack(s, row))
		return true;
	return count_row(s, row, at->gone ? at->up : (uint32_t)depth + 1, err);
}

static bool
view_rules_take_thread(struct sift *s, uint32_t thread, struct err *err)
{
	uint64_t row = column_get(s->call, thread - 1) - 1;
	uint64_t end = row + column_get(s->size, thread - 1), known = 0;

	if (end < row || end > s->method->rows)
		return fail(err, E_SYSTEM, "index damaged: call tree (delete the .icx file)");
	memset(view_rules_entry(s, 0), 0, sizeof(struct shown));
	for (; row < end; row++) {
		if (!work_go(s->work, row, err))
			return false;
		if (!view_rules_take_row(s, row, &known, err))
			return false;
	}
	*build_root(&s->build, thread) = view_rules_entry(s, 0)->node;
	return true;
}

/* The weight that a thread has outside of all calls passes through no frame. */
static bool
take_rest(struct sift *s, uint32_t thread, struct err *err)
{
	uint64_t wall, cpu;
	uint32_t node;

	view_rest(s->base, thread, &wall, &cpu);
	if ((wall == 0 && cpu == 0) || s->keep != 0)
		return true;
	memset(view_rules_entry(s, 0), 0, sizeof(struct shown));
	view_rules_entry(s, 0)->node = *build_root(&s->build, thread);
	if (!build_reserve(&s->build, 1, err))
		return false;
	if ((node = make_node(s, 0, err)) == 0)
		return false;
	*build_root(&s->build, thread) = node;
	return build_weigh(&s->build, node, wall, cpu, err);
}

static bool
view_rules_take_threads(struct sift *s, struct err *err)
{
	const struct view *v = s->view;

	if (!scratch_array(&s->wanted, s->nthreads + 1ull, 1, err) ||
	    !array_grow(&s->path, 1, err))
		return false;
	for (size_t k = 0; v->threads != NULL && k < v->nthreads; k++)
		if (v->threads[k] <= s->nthreads)
			s->wanted.data[v->threads[k]] = 1;
	work_start(s->work, "view", s->method->rows);
	for (uint32_t i = 1; i <= s->nthreads; i++)
		if ((v->threads == NULL || s->wanted.data[i]) &&
		    (!view_rules_take_thread(s, i, err) || !take_rest(s, i, err)))
			return false;
	return build_totals(&s->build, err);
}

/* ---- columns ----------------------------------------------------------------------------------- */

/* The groups are the methods of the view. */
static bool
view_rules_put_groups(struct sift *s, struct store *st, struct err *err)
{
	OWN_ARRAY(uint64_t) refs = ARRAY_INIT;

	return build_numbers(st, s->names.n, err) && store_make(st, COL_LISTED_OWN, COL_U8, s->names.n,
	    err) != NULL &&
	    view_put_texts(&s->names, st, &refs.raw, err) &&
	    store_pack(st, COL_LISTED_NAME, refs.at, s->names.n, err);
}

static const column_id masked[] = { BUILD_CALLS, BUILD_THREADS, TREES_MAKE, COL_NONE };
static const column_id masked_grouped[] = { BUILD_CALLS, BUILD_THREADS, TREES_MAKE, COL_METHOD_RAW,
	COL_LISTED_METHOD, COL_LISTED_CLASS, COL_LISTED_SIGNATURE, COL_LISTED_FILE, COL_LISTED_FILE_OWN,
	COL_LISTED_LINE, COL_LISTED_KIND, COL_LISTED_CPU, COL_LISTED_MODULE, COL_LISTED_MODULE_OWN, COL_LISTED_SAMPLED,
	COL_NONE };

static bool
view_rules_put_view(struct sift *s, struct store **top, struct err *err)
{
	bool grouped = s->names.n > 0;
	uint64_t stacks = build_stacks(&s->build);
	struct store *st;

	if (!store_over(&st, s->base, grouped ? masked_grouped : masked, err))
		return false;
	return view_put(top, st, build_columns(&s->build, st, grouped ? s->names.n : s->nmethods, s->work,
	    err) &&
	    (!grouped || view_rules_put_groups(s, st, err)) &&
	    (!s->view->called || fact_set(st, FACT_TRACE_CALLED, 1, err)) &&
	    fact_set(st, FACT_STACKS, stacks, err));
}

bool
view_rules(struct store **top, const struct view *v, struct work *work, struct err *err)
{
	struct store *base = *top;
	struct sift s = { .view = v, .base = base, .work = work,
		.method = store_column(base, COL_CALL_METHOD), .calls = store_column(base, COL_CALL_CALLS),
		.call = store_column(base, COL_THREAD_CALL),
		.size = store_column(base, COL_THREAD_SIZE),
		.samples = (load_shapes(base) & SHAPE_SAMPLES) != 0 };
	bool ok;

	if (v->nrules > VIEW_RULES)
		return fail(err, E_USAGE, "too many filters (limit: %u)", VIEW_RULES);
	if (!pass_want(base, COL_CALL_DEPTH, work, err) || !pass_want(base, COL_CALL_SELF_WALL, work, err))
		return false;
	s.depth = store_column(base, COL_CALL_DEPTH);
	s.wall = store_column(base, COL_CALL_SELF_WALL);
	s.cpu = store_column(base, COL_CALL_SELF_CPU);
	s.nmethods = (uint32_t)store_column(base, COL_METHOD_RAW)->rows;
	s.nthreads = (uint32_t)s.call->rows;
	if (!build_open(&s.build, s.nthreads, err))
		return false;
	ok = match_methods(&s, err) && view_rules_take_threads(&s, err) && view_rules_put_view(&s, top, err);
	build_close(&s.build);
	SCRATCH_FREE(&s.hit, &s.group, &s.path, &s.wanted);
	texts_free(&s.names);
	return ok;
}
