/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ticks of V8 in JSON, as node --prof-process --preprocess writes them: stacks are pairs of a code object and an
 * offset.
 */
#include "config.h"

#include <assert.h>

#include "jload.h"

#define TOP(W, V, O) V(code) V(functions) V(ticks)
#define CODE(W, V, O) W(name) W(type) W(kind) W(func) W(tm)
#define FUNCTION(W, V, O) W(name) V(codes)
#define TICK(W, V, O) W(tm) W(vm) V(s)

JLOAD_SHAPE(ticks_top, TOP)
JLOAD_SHAPE(ticks_code, CODE)
JLOAD_SHAPE(ticks_function, FUNCTION)
JLOAD_SHAPE(ticks_tick, TICK)

/* States of V8 by their number. */
static const char *const states[] = { "JS", "GC", "parser", "bytecode compiler", "compiler", "other", "external",
	"waiting for atomics", "idle", "logging" };

struct ticks_object {
	struct str	name;
	uint32_t	frame;		/* 0: not made yet: most are never sampled */
};

struct ticks {
	struct jload	*l;
	struct scratch	 functions, code, path;	/* struct str, struct ticks_object, uint64_t */
	uint64_t	 nfunctions, ncode, unknown;
};

static void
read_functions(struct ticks *t, struct json functions)
{
	JLOAD_EACH(t->l, functions, item) {
		struct str name = ticks_function_read(t->l, item).name;

		INTO_ROW(&t->l->to, t->functions, t->nfunctions, name, "functions");
	}
}

static void
read_code(struct ticks *t, struct json code)
{
	uint64_t i;

	JLOAD_EACH(t->l, code, item) {
		struct ticks_code at = ticks_code_read(t->l, item);
		struct ticks_object new = { at.name, 0 };

		if (str_is(at.type, "JS") && scan_fixed(at.func, 0, &i) && i < t->nfunctions)
			new.name = SCRATCH(t->functions, struct str)[i];
		INTO_ROW(&t->l->to, t->code, t->ncode, new, "code objects");
	}
}

static uint32_t
ticks_frame_of(struct ticks *t, uint64_t i)
{
	struct ticks_object *object;

	assert(i < t->ncode);
	object = &SCRATCH(t->code, struct ticks_object)[i];
	if (object->frame == 0)
		object->frame = jload_function(t->l, str_trim(object->name), STR(""), 0);
	return object->frame;
}

/* The pairs are innermost first; code that is not known is left out. */
static uint32_t
ticks_stack_of(struct ticks *t, struct json pairs, bool gc)
{
	struct json rest = json_items(pairs);
	struct str code, offset;
	uint64_t n = 0, i;
	uint32_t stack = 0;

	while (!t->l->to.bad && json_next_word(&rest, &code) && json_next_word(&rest, &offset)) {
		if (scan_fixed(code, 0, &i) && i < t->ncode)
			INTO_ROW(&t->l->to, t->path, n, i, "frames");
		else
			t->unknown++;
	}
	if (n == 0 && gc)
		return into_stack(&t->l->to, 0, into_frame(&t->l->to, STR("(garbage collector)")));
	assert(n <= t->path.size / sizeof(uint64_t));
	while (n > 0 && !t->l->to.bad)
		stack = into_stack(&t->l->to, stack, ticks_frame_of(t, SCRATCH(t->path, uint64_t)[--n]));
	return stack;
}

static void
read_ticks(struct ticks *t, struct json ticks)
{
	struct sample one = { .weight = samples_whole(&t->l->samples, 1) };
	uint64_t vm;

	one.event = into_event(&t->l->to, STR("ticks"), WEIGHT_COUNT, "samples");
	one.thread = INTO_ID(&t->l->to, samples_thread(&t->l->samples, 0, 0, STR("all"), t->l->to.err));
	t->l->samples.times = true;
	JLOAD_EACH(t->l, ticks, item) {
		struct ticks_tick at = ticks_tick_read(t->l, item);

		vm = jload_whole(at.vm, NELEM(states));
		one.offset = item.at;
		one.time = TIME_ZERO;
		if (!jload_time(t->l, at.tm, 3, &one.time)) {
			t->l->bad++;
			continue;
		}
		one.state = vm >= NELEM(states) ? 0 : INTO_ID(&t->l->to,
		    samples_state(&t->l->samples, str_of(states[vm]),
		    t->l->to.err));
		one.stack = ticks_stack_of(t, at.s, vm == 1);
		into_sample(&t->l->to, &one);
	}
}

void
v8_ticks_load(struct jload *l)
{
	struct ticks t = { .l = l };
	struct json doc = l->doc;
	struct ticks_top at = ticks_top_take(l, &doc, true);

	read_functions(&t, at.functions);
	read_code(&t, at.code);
	read_ticks(&t, at.ticks);
	if (t.unknown > 0)
		unread_add(&l->unread, UNREAD_RECORD, STR("frame of unknown code"), t.unknown);
	SCRATCH_FREE(&t.functions, &t.code, &t.path);
}
