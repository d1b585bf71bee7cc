/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * constants: find values that events refer to by key, in all checkpoints of a chunk.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "chunk.h"

#define TICK 4096u
#define HOPS 8		/* maximum depth of constants that refer to constants */
#define SMALL_MIN 64u		/* keys in the smallest table */

/* Fields to read from constants, by type; for other types the first field is read. */
static const struct { const char *type; jfr_paths paths; } wanted[] = {
	{ "java.lang.Thread", { [THREAD_OS_NAME] = "osName", [THREAD_OS_ID] = "osThreadId",
	[THREAD_JAVA_NAME] = "javaName",
	    [THREAD_VIRTUAL] = "virtual" } },
	{ "java.lang.Class", { [CLASS_NAME] = "name" } },
	{ "jdk.types.OldObject", { [OLD_CLASS] = "type" } },
	{ "jdk.types.Method", { [METHOD_CLASS] = "type", [METHOD_NAME] = "name" } },
	{ "jdk.types.StackTrace", { [STACK_TRUNCATED] = "truncated", [STACK_FRAMES] = "frames" } },
	{ "jdk.types.StackFrame", { [FRAME_METHOD] = "method", [FRAME_LINE] = "lineNumber",
	[FRAME_KIND] = "type" } },
};

static void
constants_make_plan(struct jfr_chunk *c, uint32_t type)
{
	struct jfr_type *t = jfr_type(c, type);
	const jfr_paths *paths = NULL;

	for (size_t i = 0; t->constant == 0 && i < NELEM(wanted); i++)
		if (str_eq(jfr_word(c, t->name), str_of(wanted[i].type)))
			paths = &wanted[i].paths;
	if (t->constant == 0)
		t->constant = jfr_steps_make(c, type, paths);
}

/* Compile the plan of a type together with that of its frames, so that no plan is added while values are read. */
static void
constant_plan(struct jfr_chunk *c, uint32_t type)
{
	struct jfr_slot frames;

	constants_make_plan(c, type);
	if (c->to->bad)
		return;
	frames = jfr_steps_of(c, jfr_type(c, type)->constant)->slot[STACK_FRAMES];
	if ((frames.kind == JFR_ARRAY || frames.kind == JFR_KEYS) && frames.type != UINT32_MAX)
		constants_make_plan(c, frames.type);
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

/*
 * Most writers number the constants of a type from 1, so a table maps small keys to row + 1. NULL: the key
 * is too large for it.
 */
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
static void
make_small(struct jfr_chunk *c, uint32_t type, uint64_t n)
{
	struct jfr_type *t = jfr_type(c, type);
	uint64_t most = (c->end - c->begin) / sizeof(uint32_t), more = 2 * (n < most ? n : most) + SMALL_MIN;
	bool first = !t->pooled;

	t->pooled = true;
	if (!first || more > most - c->nkeys ||
	    INTO(c->to, scratch_array(&c->keys, c->nkeys + more, sizeof(uint32_t), c->to->err)))
		return;
	memset(SCRATCH(c->keys, uint32_t) + c->nkeys, 0, more * sizeof(uint32_t));
	t->keys = c->nkeys;
	t->nkeys = more;
	c->nkeys += more;
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
static void
constants_add(struct jfr_chunk *c, uint32_t type, uint64_t key, uint64_t at)
{
	struct jfr_constant new = { .at = at, .type = type };
	uint32_t *small = row_of_small(c, type, key), row = (uint32_t)c->nconstants + 1, found = row;

	assert(type < c->ntypes && at <= c->end);
	if (small != NULL)
		found = *small = *small != 0 ? *small : row;
	else
		INTO(c->to, idmap_enter(&c->constant_of, constants_place(type, key), row, &found, c->to->err));
	if (found == row)
		INTO_ROW(c->to, c->constants, c->nconstants, new, "constants");
}

/* ---- constants for later chunks ---------------------------------------------------------------- */

static const char *const carried[] = { "jdk.types.ThreadState", "jdk.types.FrameType" };

#define KEPT_MOST 256u		/* a recorder has a few dozen */

struct kept_constant {
	uint64_t	key, at;
	uint8_t		kind;		/* index in carried + 1 */
};

/* The first constants of a kind in a chunk replace those of earlier chunks. */
static void
begin_kept(const struct jfr_chunk *c, struct jfr_kept *kept, struct jfr_type *t)
{
	struct kept_constant *k = SCRATCH(kept->rows, struct kept_constant);
	uint64_t n = 0;

	for (uint8_t i = 0; i < NELEM(carried); i++)
		if (str_eq(jfr_word(c, t->name), str_of(carried[i])))
			t->kept = i + 1;
	if (t->kept == 0)
		return;
	for (uint64_t i = 0; i < kept->n; i++)
		if (k[i].kind != t->kept)
			k[n++] = k[i];
	kept->n = n;
}

/* Keep a constant whose value has just been read. A text that is itself a constant means nothing in another chunk. */
static void
keep_constant(struct jfr_chunk *c, struct jfr_kept *kept, uint32_t type, uint64_t key, uint64_t at)
{
	const struct jfr_type *t = jfr_type(c, type);
	struct kept_constant new = { key, at, t->kept };

	if (t->kept != 0 && kept->n < KEPT_MOST && jfr_steps_of(c, t->constant)->slot[0].kind == JFR_TEXT &&
	    c->data[c->slot[0]] != TEXT_CONSTANT)
		INTO_ROW(c->to, kept->rows, kept->n, new, "constants");
}

void
jfr_constants_carry(struct jfr_chunk *c, const struct jfr_kept *kept)
{
	const struct kept_constant *k = SCRATCH(kept->rows, struct kept_constant);
	uint32_t type;

	for (uint8_t kind = 1; kind <= NELEM(carried); kind++) {
		type = jfr_type_named(c, str_of(carried[kind - 1]));
		if (type == UINT32_MAX || jfr_type(c, type)->pooled)
			continue;
		for (uint64_t i = 0; i < kept->n && !c->to->bad; i++)
			if (k[i].kind == kind) {
				constant_plan(c, type);
				constants_add(c, type, k[i].key, k[i].at);
			}
	}
}

/* ---- reading ------------------------------------------------------------------------------------- */

static void
constants_pool(struct jfr_chunk *c, void *kept, uint32_t type, uint64_t n)
{
	constant_plan(c, type);
	if (kept != NULL && !jfr_type(c, type)->pooled)
		begin_kept(c, kept, jfr_type(c, type));
	make_small(c, type, n);
}

static void
constants_take(struct jfr_chunk *c, void *kept, uint32_t type, uint64_t key, struct jfr_in *in)
{
	uint64_t at = (uint64_t)(in->at - c->data);

	if (jfr_steps_run(c, jfr_steps_of(c, jfr_type(c, type)->constant), in)) {
		constants_add(c, type, key, at);
		keep_constant(c, kept, type, key, at);
	} else
		in->bad = true;
}

/* Read the constants of one type; constants that they refer to may come later. */
static void
read_pool(struct jfr_chunk *c, struct jfr_in *in, const struct jfr_pool_take *take)
{
	uint32_t type = jfr_type_row(c, jfr_u64(in));
	uint64_t n = jfr_u64(in), key;

	if (type == UINT32_MAX)
		in->bad = true;
	else
		take->pool(c, take->arg, type, n);
	for (uint64_t i = 0; i < n && !in->bad && !c->to->bad; i++) {
		if (i % TICK == TICK - 1)
			into_go(c->to, c->end);
		key = jfr_u64(in);
		take->constant(c, take->arg, type, key, in);
	}
}

void
jfr_checkpoint_each(struct jfr_chunk *c, uint64_t at, const struct jfr_pool_take *take, struct jfr_in *in)
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
	for (uint64_t n = jfr_u64(in) & UINT32_MAX; n > 0 && !in->bad && !c->to->bad; n--)
		read_pool(c, in, take);
}

void
jfr_constants_read(struct jfr_chunk *c, struct jfr_kept *kept, uint64_t *lost)
{
	const struct jfr_pool_take take = { constants_pool, constants_take, kept };
	struct jfr_in in;

	for (uint64_t i = 0; i < c->ncheckpoints && !c->to->bad; i++) {
		jfr_checkpoint_each(c, SCRATCH(c->checkpoints, uint64_t)[i], &take, &in);
		*lost += in.bad;
	}
}

static void
whole_pool(struct jfr_chunk *c, void *none, uint32_t type, uint64_t n)
{
	(void)none;
	(void)n;
	constant_plan(c, type);
}

static void
whole_constant(struct jfr_chunk *c, void *none, uint32_t type, uint64_t key, struct jfr_in *in)
{
	(void)none;
	(void)key;
	in->bad |= !jfr_steps_run(c, jfr_steps_of(c, jfr_type(c, type)->constant), in);
}

bool
jfr_checkpoint_whole(struct jfr_chunk *c, uint64_t at)
{
	const struct jfr_pool_take take = { whole_pool, whole_constant, NULL };
	struct jfr_event e;
	struct jfr_in in;
	uint64_t end = at;

	if (!jfr_chunk_event(c, &end, &e))
		return false;
	jfr_checkpoint_each(c, at, &take, &in);
	return !in.bad && in.at == e.body.end;
}

/* ---- texts ---------------------------------------------------------------------------------------- */

/* Follow a slot to its meaning, one step; false: done, or nothing there. */
static bool
text_follow(struct jfr_chunk *c, struct jfr_slot *slot, uint64_t *value, struct buf *to)
{
	const struct jfr_constant *k;
	struct jfr_in in;
	uint64_t key = 0;
	const struct jfr_plan *plan;

	switch ((enum jfr_slot_kind)slot->kind) {
	case JFR_TEXT:
		in = jfr_at(c, *value);
		jfr_text_read(&in, to, &key);
		if (key == 0 || c->string == 0)
			return false;
		*slot = (struct jfr_slot){ .kind = JFR_KEY, .type = c->string - 1 };
		*value = key;
		return true;
	case JFR_KEY:
		k = jfr_constant_any(c, slot->type, *value);
		plan = k == NULL ? NULL : jfr_constant_value(c, k);
		if (plan == NULL)
			return false;
		*slot = plan->slot[0];
		*value = c->slot[0];
		return true;
	case JFR_NUMBER: buf_printf(to, "%lld", (long long)*value); return false;
	case JFR_NOTHING:
	case JFR_F32:
	case JFR_F64:
	case JFR_ARRAY:
	case JFR_KEYS: break;
	}
	return false;
}

void
jfr_slot_text(struct jfr_chunk *c, struct jfr_slot slot, uint64_t value, struct buf *to)
{
	for (unsigned hop = 0; hop < HOPS && text_follow(c, &slot, &value, to); hop++)
		;
}

void
jfr_constant_text(struct jfr_chunk *c, uint32_t type, uint64_t key, struct buf *to)
{
	jfr_slot_text(c, (struct jfr_slot){ .kind = JFR_KEY, .type = type }, key, to);
}

bool
jfr_constant_says(struct jfr_chunk *c, struct str type, struct str text)
{
	uint32_t row = jfr_type_named(c, type);
	const struct jfr_constant *k = SCRATCH(c->constants, struct jfr_constant);
	const struct jfr_plan *plan;
	OWN_BUF b = BUF_INIT;

	for (uint64_t i = 0; i < c->nconstants; i++) {
		if (k[i].type != row || (plan = jfr_constant_value(c, &k[i])) == NULL)
			continue;
		buf_clear(&b);
		jfr_slot_text(c, plan->slot[0], c->slot[0], &b);
		if (str_eq(buf_view(&b), text))
			return true;
	}
	return false;
}
