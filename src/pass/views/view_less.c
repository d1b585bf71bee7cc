/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view_less: the difference between two call trees, after and before, matched by the names of threads and
 * frames.
 *
 * The trees of both are merged into one, in which a node has two weights.  Threads with the same name are
 * merged, and so are frames.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "views.h"

/* A file of the comparison. */
struct side {
	struct store		*st;
	const struct column	*depth, *method, *calls, *self, *other, *call, *size;
	bool			 off;		/* the weight is self less other */
	bool			 cpu;
	uint64_t		 times;		/* factor that brings the weights to the common unit */
	ARRAY(uint32_t)	names;		/* by method: number in less.names */
	struct scratch		 threads;	/* u32 by thread: the one it belongs to */
};

enum {
	SCALED_PARTS = 1000,	/* parts of one sample when weights are scaled */
	SCALED_FEW = 1000000	/* samples that are few */
};

struct less {
	struct work		*work;
	struct side		 side[2];	/* after, before */
	struct weights		 weights;	/* unit of the difference */
	struct text_pool	 names;		/* names of frames, a letter for the kind in front */
	struct text_pool	 threads;
	struct build		 build;
	ARRAY(uint32_t)	path;		/* nodes from the root on, by depth */
	ARRAY(uint64_t)	tid, is_main;	/* by thread */
	struct str		 event;		/* that is compared though nobody asked for it; or empty */
	bool			 normalised;
	uint64_t		 part, whole;	/* before is scaled by part / whole */
	uint64_t		 seen;		/* weight scaled so far, at most whole */
};

/* ---- what the weights are ------------------------------------------------------------------- */

static bool
view_less_find_columns(struct side *s, enum clock clock, struct work *work, struct err *err)
{
	bool cpu = clock == CLOCK_CPU || !trace_has_clock(s->st, CLOCK_WALL);
	bool profile = (load_shapes(s->st) & SHAPE_SAMPLES) != 0;

	if (!pass_want(s->st, COL_CALL_DEPTH, work, err) || !pass_want(s->st, COL_CALL_SELF_WALL, work, err))
		return false;
	s->depth = store_column(s->st, COL_CALL_DEPTH);
	s->method = store_column(s->st, COL_CALL_METHOD);
	s->calls = store_column(s->st, COL_CALL_CALLS);
	s->call = store_column(s->st, COL_THREAD_CALL);
	s->size = store_column(s->st, COL_THREAD_SIZE);
	s->cpu = cpu && !profile;
	s->self = store_column(s->st, s->cpu ? COL_CALL_SELF_CPU : COL_CALL_SELF_WALL);
	s->other = store_column(s->st, COL_CALL_SELF_CPU);
	s->off = clock == CLOCK_OFF && !profile && trace_has_clock(s->st, CLOCK_OFF);
	if (fact_value(s->st, FACT_WEIGHT_DIFFERS) != 0)
		return fail(err, E_USAGE, "cannot diff a diff; give two profiles or traces");
	return true;
}

static uint64_t
gcd(uint64_t a, uint64_t b)
{
	uint64_t rest;

	for (; b != 0; b = rest) {
		rest = a % b;
		a = b;
	}
	return a;
}

/*
 * Weights of both are brought to the finer of the two units: ticks are whole numbers of ns, scales powers of
 * 10. The unit of a weight is tick / scale ns.
 */
static bool
common_unit(struct less *l, struct err *err)
{
	struct weights after, before;
	uint64_t scale, tick;

	weights_of(l->side[0].st, &after);
	weights_of(l->side[1].st, &before);
	l->weights = after;
	if (after.type != before.type || (after.type != WEIGHT_BYTES && !str_eq(after.unit, before.unit)) ||
	    !events_alike(l->side[0].st, l->side[1].st))
		return events_fail(l->side[0].st, l->side[1].st, err);
	scale = after.scale > before.scale ? after.scale : before.scale;
	tick = gcd(after.tick, before.tick);
	tick = tick == 0 ? 1 : tick;
	assert(after.tick % tick == 0 && before.tick % tick == 0);
	l->weights.scale = scale;
	l->weights.tick = tick;
	l->side[0].times = after.tick / tick * (scale / after.scale);
	l->side[1].times = before.tick / tick * (scale / before.scale);
	return true;
}

/* ---- names ------------------------------------------------------------------------------------ */

static bool
view_less_frame_name(const struct store *st, uint32_t method, struct buf *name, struct err *err)
{
	char kind = method_kind(st, method);

	buf_clear(name);
	buf_chr(name, kind == 0 ? ' ' : kind);
	method_name(st, method, name);
	return !name->bad || fail_memory(err, "name");
}

/* Marks names that several functions of one file share: for these, modules decide which are the same. */
static bool
view_less_find_twins(struct less *l, struct text_pool *plain, struct scratch *twins, struct err *err)
{
	OWN_BUF name = BUF_INIT;
	uint32_t number;
	bool ok = true;

	for (size_t i = 0; i < 2; i++) {
		const struct store *st = l->side[i].st;
		uint32_t n = (uint32_t)store_column(st, COL_METHOD_RAW)->rows;

		for (uint32_t method = 1; ok && store_column(st, COL_LISTED_MODULE) != NULL &&
		    method <= n; method++) {
			ok = (work_tick(l->work, method) || fail_cancel(err)) &&
			    view_less_frame_name(st, method, &name, err) &&
			    texts_number(plain, buf_view(&name), &number, err) &&
			    scratch_array(twins, number + 1ull, 1, err);
			if (ok)
				twins->data[number] |= twins->data[number] & (1u << i) ? 4 : 1u << i;
		}
	}
	return ok;
}

static bool
view_less_name_frames(struct less *l, struct side *s, struct text_pool *plain, const struct scratch *twins,
    struct err *err)
{
	uint32_t n = (uint32_t)store_column(s->st, COL_METHOD_RAW)->rows;
	OWN_BUF name = BUF_INIT;
	bool ok = array_grow(&s->names, n + 1ull, err),
	    modules = store_column(s->st, COL_LISTED_MODULE) != NULL;
	uint32_t number;

	work_start(l->work, "frame names", n);
	for (uint32_t i = 1; ok && i <= n; i++) {
		ok = (work_tick(l->work, i) || fail_cancel(err)) &&
		    view_less_frame_name(s->st, i, &name, err) &&
		    (!modules || texts_number(plain, buf_view(&name), &number, err));
		if (ok && modules && (twins->data[number] & 4))
			module_told(method_module(s->st, i), &name);
		ok = ok && (!name.bad || fail_memory(err, "name")) &&
		    texts_number(&l->names, buf_view(&name), &s->names.at[i], err);
	}
	return ok;
}

static bool
name_thread(struct less *l, struct side *s, uint32_t thread, struct buf *name, struct err *err)
{
	uint32_t *number = &SCRATCH(s->threads, uint32_t)[thread];
	uint32_t known = l->threads.n;

	buf_clear(name);
	thread_name(s->st, thread, name);
	if (name->bad)
		return fail_memory(err, "name");
	if (!texts_number(&l->threads, buf_view(name), number, err))
		return false;
	if (*number <= known)
		return true;
	if (!array_grow(&l->tid, l->threads.n, err) ||
	    !array_grow(&l->is_main, l->threads.n, err))
		return false;
	l->tid.at[*number - 1] = store_cell(s->st, COL_THREAD_TID, thread);
	l->is_main.at[*number - 1] = store_cell(s->st, COL_THREAD_MAIN, thread);
	return true;
}

static bool
name_threads(struct less *l, struct side *s, struct err *err)
{
	uint32_t n = (uint32_t)s->call->rows;
	OWN_BUF name = BUF_INIT;
	bool ok = scratch_array(&s->threads, n + 1ull, sizeof(uint32_t), err);

	for (uint32_t i = 1; ok && i <= n; i++)
		ok = name_thread(l, s, i, &name, err);
	return ok;
}

/* ---- trees -------------------------------------------------------------------------------------- */

static uint64_t
view_less_in_unit(const struct side *s, uint64_t weight)
{
	unsigned __int128 wide = (unsigned __int128)weight * s->times;

	return wide > INT64_MAX ? INT64_MAX : (uint64_t)wide;
}

static uint64_t
view_less_weight_of(const struct side *s, uint64_t row)
{
	uint64_t weight = column_get(s->self, row), other = s->off ? column_get(s->other, row) : 0;

	return view_less_in_unit(s, weight > other ? weight - other : 0);
}

/* Return the weight of a thread outside of its calls. */
static uint64_t
rest_of(const struct side *s, uint32_t thread)
{
	uint64_t wall, cpu;

	view_rest(s->st, thread, &wall, &cpu);
	return view_less_in_unit(s, s->off ? (wall > cpu ? wall - cpu : 0) : s->cpu ? cpu : wall);
}

/*
 * Scale a weight; the rounding error is carried to the next one, so that the sum equals that of the other
 * file.
 */
static uint64_t
scaled(struct less *l, uint64_t weight)
{
	uint64_t before = (uint64_t)((unsigned __int128)l->seen * l->part / l->whole);

	assert(l->whole > 0);
	l->seen = num_add(l->seen, weight);
	return (uint64_t)((unsigned __int128)l->seen * l->part / l->whole) - before;
}

static bool
view_less_add_weight(struct less *l, const struct side *s, uint64_t weight, uint64_t calls, uint32_t node,
    struct err *err)
{
	if (s == &l->side[0])
		return build_count(&l->build, node, calls, err) &&
		    build_weigh(&l->build, node, weight, 0, err);
	if (l->normalised && l->whole > 0)
		weight = scaled(l, weight);
	return build_weigh(&l->build, node, 0, weight, err);
}

static bool
view_less_take_row(struct less *l, struct side *s, uint64_t row, uint64_t *known, struct err *err)
{
	uint64_t method = column_get(s->method, row), depth = column_get(s->depth, row);
	uint32_t *path, number;

	if (method == 0 || method >= s->names.raw.size / sizeof(uint32_t) || depth > *known)
		return fail(err, E_SYSTEM, "index damaged: call tree (delete the .icx file)");
	if (!array_grow(&l->path, depth + 2, err) ||
	    !build_reserve(&l->build, 1, err))
		return false;
	number = s->names.at[method];
	if (number == 0)
		return fail(err, E_SYSTEM, "index damaged: call tree (delete the .icx file)");
	path = l->path.at;
	assert(path[depth] != 0);
	path[depth + 1] = build_child(&l->build, path[depth], number);
	*known = depth + 1;
	return view_less_add_weight(l, s, view_less_weight_of(s, row), column_get(s->calls, row),
	    path[depth + 1], err);
}

static bool
view_less_take_thread(struct less *l, struct side *s, uint32_t thread, struct err *err)
{
	uint64_t row = column_get(s->call, thread - 1) - 1, end = row + column_get(s->size, thread - 1);
	uint32_t *root = build_root(&l->build, SCRATCH(s->threads, uint32_t)[thread]);
	uint64_t known = 0, rest = rest_of(s, thread);

	if (end < row || end > s->method->rows)
		return fail(err, E_SYSTEM, "index damaged: call tree (delete the .icx file)");
	if (row == end && rest == 0)
		return true;
	if (!build_reserve(&l->build, 1, err))
		return false;
	if (*root == 0)
		*root = build_node(&l->build, 0, 0);
	l->path.at[0] = *root;
	if (!view_less_add_weight(l, s, rest, 0, *root, err))
		return false;
	for (; row < end; row++) {
		if (!work_go(l->work, row, err))
			return false;
		if (!view_less_take_row(l, s, row, &known, err))
			return false;
	}
	return true;
}

static uint64_t
sum_side(const struct side *s)
{
	uint64_t sum = 0;

	for (uint64_t row = 0; row < s->method->rows; row++)
		sum = num_add(sum, view_less_weight_of(s, row));
	for (uint32_t i = 1; i <= s->call->rows; i++)
		sum = num_add(sum, rest_of(s, i));
	return sum;
}

/* Few samples are scaled to fractions of one: whole numbers would be too coarse. */
static void
find_scale(struct less *l)
{
	bool counts = l->weights.type == WEIGHT_COUNT || l->weights.type == WEIGHT_WHOLE;
	uint64_t times = counts && l->weights.scale < SCALED_PARTS ? SCALED_PARTS : 1;

	l->part = sum_side(&l->side[0]);
	l->whole = sum_side(&l->side[1]);
	if (l->part == l->whole || l->part / l->weights.scale >= SCALED_FEW ||
	    l->whole / l->weights.scale >= SCALED_FEW)
		times = 1;
	if (times > 1)
		l->weights.type = WEIGHT_COUNT;
	l->weights.scale *= times;
	l->part *= times;
	l->whole *= times;
	for (size_t i = 0; i < NELEM(l->side); i++)
		l->side[i].times *= times;
}

static bool
build_trees(struct less *l, struct err *err)
{
	if (!build_open(&l->build, l->threads.n, err) ||
	    !array_grow(&l->path, 1, err))
		return false;
	if (l->normalised)
		find_scale(l);
	for (uint32_t side = 0; side < 2; side++) {
		work_start(l->work, "difference", l->side[side].method->rows);
		for (uint32_t i = 1; i <= l->side[side].call->rows; i++)
			if (!view_less_take_thread(l, &l->side[side], i, err))
				return false;
	}
	return build_totals(&l->build, err);
}

/* ---- columns -------------------------------------------------------------------------------------- */

static bool
zeros(struct store *st, const column_id *cols, uint64_t rows, struct err *err)
{
	for (; *cols != COL_NONE; cols++)
		if (store_make(st, *cols, COL_U8, rows, err) == NULL)
			return false;
	return true;
}

/* Names of frames, without the letter in front, and of threads: refs to one text. */
static bool
view_less_put_names(struct less *l, struct store *st, struct err *err)
{
	ARRAY(uint64_t) refs = ARRAY_INIT, all = ARRAY_INIT;
	struct text_pool both = { .n = 0 };
	uint32_t number, frames = l->names.n, n = l->names.n + l->threads.n;
	struct str s;
	bool ok = array_grow(&all, n + 1ull, err);
	uint8_t *kind = store_make(st, COL_LISTED_KIND, COL_U8, frames, err);

	for (uint32_t i = 1; ok && kind != NULL && i <= n; i++) {
		s = i <= frames ? texts_get(&l->names, i) : texts_get(&l->threads, i - frames);
		if (i <= frames) {
			kind[i - 1] = s.s[0] == ' ' ? 0 : (uint8_t)s.s[0];
			s.s++, s.n--;
		}
		ok = texts_number(&both, s, &number, err);
		all.at[i - 1] = number;
	}
	ok = ok && kind != NULL && view_put_texts(&both, st, &refs.raw, err);
	for (uint32_t i = 0; ok && i < n; i++)
		all.at[i] = refs.at[all.at[i] - 1];
	ok = ok && store_pack(st, COL_LISTED_NAME, all.at, frames, err) &&
	    store_pack(st, COL_THREAD_NAME, all.at + frames, l->threads.n, err);
	SCRATCH_FREE(&refs, &all);
	texts_free(&both);
	return ok;
}

static bool
put_tables(struct less *l, struct store *st, struct err *err)
{
	static const column_id of_frames[] = { COL_LISTED_OWN, COL_NONE };
	static const column_id of_threads[] = { COL_THREAD_CLOCK, COL_THREAD_START, COL_THREAD_END,
	    COL_THREAD_REPAIRS,
		COL_THREAD_RECORDS, COL_THREAD_LISTED, COL_THREAD_ALIKE, COL_NONE };

	return build_numbers(st, l->names.n, err) && view_less_put_names(l, st, err) &&
	    zeros(st, of_frames, l->names.n, err) &&
	    zeros(st, of_threads, l->threads.n, err) &&
	    store_pack(st, COL_THREAD_TID, l->tid.at, l->threads.n, err) &&
	    store_pack(st, COL_THREAD_RAW, l->tid.at, l->threads.n, err) &&
	    store_pack(st, COL_THREAD_MAIN, l->is_main.at, l->threads.n, err);
}

static bool
view_less_put_facts(struct less *l, struct store *st, struct err *err)
{
	const struct weights *w = &l->weights;

	return fact_set(st, FACT_SHAPES, SHAPE_SAMPLES, err) &&
	    fact_set(st, FACT_WEIGHT_DIFFERS, 1, err) &&
	    fact_set(st, FACT_WEIGHT_TYPE, w->type, err) &&
	    fact_set(st, FACT_WEIGHT_TICK, w->tick, err) &&
	    fact_set(st, FACT_WEIGHT_SCALE, w->scale, err) &&
	    fact_set_text(st, FACT_WEIGHT_UNIT, w->unit, err) &&
	    fact_set(st, FACT_EVENT, 0, err) &&
	    (l->event.n == 0 || fact_set_text(st, FACT_TRACE_COMPARED, l->event, err)) &&
	    fact_set(st, FACT_THREADS, l->threads.n, err) &&
	    fact_set(st, FACT_METHODS, l->names.n, err);
}

static bool
view_less_put_view(struct less *l, struct store **top, struct err *err)
{
	static const column_id masked[] = { BUILD_MAKES, TREES_MAKE,
		COL_LISTED_METHOD, COL_LISTED_CLASS, COL_LISTED_NAME, COL_LISTED_SIGNATURE, COL_LISTED_FILE,
		COL_LISTED_LINE, COL_LISTED_KIND, COL_LISTED_CPU, COL_LISTED_OWN, COL_LISTED_FILE_OWN,
		COL_LISTED_OWN_TEXT, COL_LISTED_MODULE, COL_LISTED_MODULE_OWN, COL_LISTED_SAMPLED,
		LISTED_THREADS, COL_NONE };
	struct store *st;

	if (!store_over(&st, *top, masked, err))
		return false;
	return view_put(top, st, build_columns(&l->build, st, l->names.n, l->work, err) &&
	    put_tables(l, st, err) && view_less_put_facts(l, st, err));
}

bool
view_less(struct store **top, struct store *before, const struct view *v, struct str event, struct work *work,
    struct err *err)
{
	struct less l = { .work = work, .event = event, .side = { { .st = *top }, { .st = before } },
		.normalised = v->normalised };
	struct text_pool plain = { .n = 0 };
	OWN_SCRATCH twins = SCRATCH_INIT;
	bool ok = view_less_find_columns(&l.side[0], v->clock, work, err) &&
	    view_less_find_columns(&l.side[1], v->clock, work, err) &&
	    common_unit(&l, err) && view_less_find_twins(&l, &plain, &twins, err);

	for (size_t i = 0; ok && i < 2; i++)
		ok = view_less_name_frames(&l, &l.side[i], &plain, &twins, err) &&
		    name_threads(&l, &l.side[i], err);
	ok = ok && build_trees(&l, err) && view_less_put_view(&l, top, err);
	build_close(&l.build);
	SCRATCH_FREE(&l.path, &l.tid, &l.is_main, &l.side[0].names, &l.side[1].names,
	    &l.side[0].threads, &l.side[1].threads);
	texts_free(&l.names);
	texts_free(&l.threads);
	texts_free(&plain);
	return ok;
}
