/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * constants: find values that events refer to by key, in all checkpoints of a chunk.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "chunk.h"

#define TICK 4096u
#define SMALL_MIN 64u		/* keys in the smallest table */

/* Fields to read from constants, by type; for other types the first field is read. */
static const struct { const char *type; jfr_paths paths; } wanted[] = {
	{ "java.lang.Thread", { [THREAD_OS_NAME] = "osName", [THREAD_OS_ID] = "osThreadId", [THREAD_JAVA_NAME] = "javaName",
	    [THREAD_VIRTUAL] = "virtual" } },
	{ "java.lang.Class", { [CLASS_NAME] = "name" } },
	{ "jdk.types.OldObject", { [OLD_CLASS] = "type" } },
	{ "jdk.types.Method", { [METHOD_CLASS] = "type", [METHOD_NAME] = "name" } },
	{ "jdk.types.StackTrace", { [STACK_TRUNCATED] = "truncated", [STACK_FRAMES] = "frames" } },
	{ "jdk.types.StackFrame", { [FRAME_METHOD] = "method", [FRAME_LINE] = "lineNumber", [FRAME_KIND] = "type" } },
};

static bool
constants_make_plan(struct jfr_chunk *c, uint32_t type, struct err *err)
{
	struct jfr_type *t = jfr_type(c, type);
	const jfr_paths *paths = NULL;

	for (size_t i = 0; t->constant == 0 && i < NELEM(wanted); i++)
		if (str_eq(jfr_word(c, t->name), str_of(wanted[i].type)))
			paths = &wanted[i].paths;
	return t->constant != 0 || jfr_steps_make(c, type, paths, &t->constant, err);
}

/* Compile the plan of a type together with that of its frames, so that no plan is added while values are read. */
static bool
constant_plan(struct jfr_chunk *c, uint32_t type, struct err *err)
{
	struct jfr_slot frames;

	if (!constants_make_plan(c, type, err))
		return false;
	frames = jfr_steps_of(c, jfr_type(c, type)->constant)->slot[STACK_FRAMES];
	return (frames.kind != JFR_ARRAY && frames.kind != JFR_KEYS) || frames.type == UINT32_MAX || constants_make_plan(c, frames.type, err);
}

const struct jfr_plan *
jfr_constant_element(const struct jfr_chunk *c, uint32_t type)
{
	uint32_t row = jfr_type(c, type)->constant;

	return row == 0 ? NULL : jfr_steps_of(c, row);
}

/* Types may have equal keys.  The hash makes collisions between types unpredictable. */
static uint64_t
constants_place(uint32_t type, uint64_t key)
{
	return key ^ idmap_hash(~(uint64_t)type);
}

/* Most writers number the constants of a type from 1, so a table maps small keys to row + 1.  NULL: the key is too large for it. */
static inline uint32_t *
row_of_small(const struct jfr_chunk *c, uint32_t type, uint64_t key)
{
	const struct jfr_type *t = jfr_type(c, type);

	return key < t->nkeys ? &SCRATCH(c->keys, uint32_t)[t->keys + key] : NULL;
}

/*
 * Allocate that table when the first n constants of a type arrive, or never, so that each key has one place. The
 * first pools of a chunk are often small. All tables of a chunk together are at most as large as the chunk.
 */
static bool
make_small(struct jfr_chunk *c, uint32_t type, uint64_t n, struct err *err)
{
	struct jfr_type *t = jfr_type(c, type);
	uint64_t most = (c->end - c->begin) / sizeof(uint32_t), more = 2 * (n < most ? n : most) + SMALL_MIN;
	bool first = !t->pooled;

	t->pooled = true;
	if (!first || more > most - c->nkeys)
		return true;
	if (!scratch_array(&c->keys, c->nkeys + more, sizeof(uint32_t), err))
		return false;
	memset(SCRATCH(c->keys, uint32_t) + c->nkeys, 0, more * sizeof(uint32_t));
	t->keys = c->nkeys;
	t->nkeys = more;
	c->nkeys += more;
	return true;
}

struct jfr_constant *
jfr_constant_any(const struct jfr_chunk *c, uint32_t type, uint64_t key)
{
	const uint32_t *small = row_of_small(c, type, key);
	uint32_t row = small != NULL ? *small : idmap_get(&c->constant_of, constants_place(type, key));

	assert(row <= c->nconstants);
	return row == 0 ? NULL : &SCRATCH(c->constants, struct jfr_constant)[row - 1];
}

struct jfr_constant *
jfr_constant_find(const struct jfr_chunk *c, uint32_t type, uint64_t key)
{
	return key == 0 ? NULL : jfr_constant_any(c, type, key);
}

const struct jfr_plan *
jfr_constant_value(struct jfr_chunk *c, const struct jfr_constant *k)
{
	const struct jfr_plan *plan = jfr_steps_of(c, jfr_type(c, k->type)->constant);
	struct jfr_in in = jfr_at(c, k->at);

	return jfr_steps_run(c, plan, &in) ? plan : NULL;
}

/* The first constant with a key is used. */
static bool
constants_add(struct jfr_chunk *c, uint32_t type, uint64_t key, uint64_t at, struct err *err)
{
	struct jfr_constant new = { .at = at, .type = type };
	uint32_t *small = row_of_small(c, type, key), row = (uint32_t)c->nconstants + 1, found = row;

	assert(type < c->ntypes && at <= c->end);
	if (small == NULL && !idmap_enter(&c->constant_of, constants_place(type, key), row, &found, err))
		return false;
	if (small != NULL)
		found = *small = *small != 0 ? *small : row;
	return found != row || make_add(&c->constants, &c->nconstants, &new, sizeof new, MAKE_MOST, "constants", err);
}

static bool
constants_pool(struct jfr_chunk *c, void *none, uint32_t type, uint64_t n, struct err *err)
{
	(void)none;
	return constant_plan(c, type, err) && make_small(c, type, n, err);
}

static bool
constants_take(struct jfr_chunk *c, void *none, uint32_t type, uint64_t key, struct jfr_in *in, struct err *err)
{
	uint64_t at = (uint64_t)(in->at - c->data);

	(void)none;
	if (jfr_steps_run(c, jfr_steps_of(c, jfr_type(c, type)->constant), in))
		return constants_add(c, type, key, at, err);
	in->bad = true;
	return true;
}

/* Read the constants of one type; constants that they refer to may come later. */
static bool
read_pool(struct jfr_chunk *c, struct jfr_in *in, const struct jfr_pool_take *take, struct work *w, struct err *err)
{
	uint32_t type = jfr_type_row(c, jfr_u64(in));
	uint64_t n = jfr_u64(in), key;

	if (type == UINT32_MAX)
		in->bad = true;
	else if (!take->pool(c, take->arg, type, n, err))
		return false;
	for (uint64_t i = 0; i < n && !in->bad; i++) {
		if (i % TICK == TICK - 1 && !work_tick(w, c->end))
			return fail_cancel(err);
		key = jfr_u64(in);
		if (!take->constant(c, take->arg, type, key, in, err))
			return false;
	}
	return true;
}

bool
jfr_checkpoint_each(struct jfr_chunk *c, uint64_t at, const struct jfr_pool_take *take, struct jfr_in *in, struct work *w, struct err *err)
{
	uint64_t size;

	/* A truncated checkpoint ends with the chunk. */
	assert(at >= c->begin && at < c->end);
	*in = jfr_at(c, at);
	size = jfr_u64(in);
	if (size < c->end - at)
		in->end = c->data + at + size;
	/*
	 * Skip the event type, start, duration and distance to the previous checkpoint, then the kind of
	 * checkpoint.
	 */
	jfr_skip(in, 4);
	jfr_u8(in);
	for (uint64_t n = jfr_u64(in) & UINT32_MAX; n > 0 && !in->bad; n--)
		if (!read_pool(c, in, take, w, err))
			return false;
	return true;
}

bool
jfr_constants_read(struct jfr_chunk *c, uint64_t *lost, struct work *w, struct err *err)
{
	static const struct jfr_pool_take take = { constants_pool, constants_take, NULL };
	struct jfr_in in;

	for (uint64_t i = 0; i < c->ncheckpoints; i++) {
		if (!jfr_checkpoint_each(c, SCRATCH(c->checkpoints, uint64_t)[i], &take, &in, w, err))
			return false;
		*lost += in.bad;
	}
	return true;
}
