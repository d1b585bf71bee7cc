/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps: compile a plan that reads the bytes of a value, once per chunk and type.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/chunk.h"
#include "chunk.h"

#define STEPS_MOST 4096u	/* limit per value: nested structures may double it at each level */
#define STEPS_CHUNK CHUNK_OF(1u << 22)
#define FIELDS_MOST (1u << 16)	/* limit of fields, several of which may become one step */

enum op { OP_BYTES, OP_NUMBERS, OP_TEXT, OP_LOOP, OP_NEXT, OP_ARRAY,
	OP_TAKE_LONG, OP_TAKE_INT, OP_TAKE_SHORT, OP_TAKE_CHAR, OP_TAKE_BYTE, OP_TAKE_FLOAT, OP_TAKE_DOUBLE };

#define NO_SLOT 0xff

struct jfr_step {
	uint8_t		op, slot;
	uint16_t	told;		/* what the field means (struct jfr_telling); 0: nothing of its own */
	uint32_t	n;		/* bytes or numbers to skip, in an array per element; for a loop:
					 * number of its steps */
};

/* A structure being compiled: its next field, and the paths that lead to it. */
struct open_type {
	uint32_t	type, field;
	uint32_t	paths;		/* a bit for each slot */
	uint32_t	loop;		/* step + 1 of the loop whose element it is; 0: none */
};

struct steps_maker {
	struct jfr_chunk	*c;
	struct jfr_plan		*plan;
	const jfr_paths		*paths;
	unsigned		 deep, fields;	/* fields: number compiled so far */
	uint16_t		 told;		/* number of the field for the steps to add; 0: none */
	const struct jfr_telling *telling;	/* or NULL */
	struct open_type	 open[JFR_DEEPEST];
};

uint32_t
jfr_type_row(const struct jfr_chunk *c, uint64_t id)
{
	return idmap_get(&c->type_of, id) - 1;
}

uint32_t
jfr_type_named(const struct jfr_chunk *c, struct str name)
{
	for (uint64_t i = c->ntypes; i > 0; i--)
		if (str_eq(jfr_word(c, jfr_type(c, (uint32_t)i - 1)->name), name))
			return (uint32_t)i - 1;
	return UINT32_MAX;
}

struct jfr_plan *
jfr_steps_of(const struct jfr_chunk *c, uint32_t row)
{
	assert(row != 0 && row <= c->nplans);
	return &SCRATCH(c->plans, struct jfr_plan)[row - 1];
}

/* ---- compiling -------------------------------------------------------------------------------- */

static void
steps_add_step(struct steps_maker *k, enum op op, uint8_t slot, uint32_t n)
{
	struct jfr_chunk *c = k->c;
	struct jfr_step *last = k->plan->n == 0 ? NULL : &SCRATCH(c->steps, struct jfr_step)[c->nsteps - 1];
	struct jfr_step step = { (uint8_t)op, slot, k->told, n };

	assert(k->plan->first + k->plan->n == c->nsteps && (slot == NO_SLOT || slot < JFR_SLOTS));
	/* Adjacent skipped values are merged into one step, unless a loop begins or ends between them. */
	if (last != NULL && (op == OP_BYTES || op == OP_NUMBERS) && last->op == op && last->told == k->told) {
		last->n += n;
		return;
	}
	k->plan->bad |= k->plan->n >= STEPS_MOST || c->nsteps >= STEPS_CHUNK;
	if (k->plan->bad)
		return;
	INTO_ROW(c->to, c->steps, c->nsteps, step, "steps");
	k->plan->bad = c->to->bad;
	k->plan->n += !c->to->bad;
}

/* Return the part of a path at that depth, from 0; *last: it is the last part. */
static struct str
path_part(const char *path, unsigned depth, bool *last)
{
	struct str rest = str_of(path), part = rest;

	for (unsigned i = 0; i <= depth; i++)
		if (!str_split(&rest, '.', &part))
			part = STR("");
	*last = rest.n == 0;
	return part;
}

/*
 * Return the paths of the structure that continue with this field; *slot: slot of a path that ends there, or
 * NO_SLOT.
 */
static uint8_t
steps_match(const struct steps_maker *k, struct str name, bool first, uint32_t *onward)
{
	const struct open_type *o = &k->open[k->deep - 1];
	uint8_t slot = NO_SLOT;
	bool last;

	*onward = 0;
	if (k->paths == NULL) {
		*onward = first ? o->paths : 0;
		return first && o->paths != 0 ? 0 : NO_SLOT;
	}
	for (uint8_t i = 0; i < JFR_SLOTS; i++) {
		if (!(o->paths >> i & 1) || (*k->paths)[i] == NULL ||
		    !str_eq(path_part((*k->paths)[i], k->deep - 1, &last), name))
			continue;
		if (last)
			slot = i;
		else
			*onward |= 1u << i;
	}
	return slot;
}

static void
set_slot(struct steps_maker *k, uint8_t slot, enum jfr_slot_kind kind, uint32_t type, uint8_t unit)
{
	if (slot != NO_SLOT)
		k->plan->slot[slot] = (struct jfr_slot){ .kind = (uint8_t)kind, .unit = unit, .type = type };
}

/* Add a value that is not a structure. */
static void
add_prim(struct steps_maker *k, enum jfr_prim prim, uint8_t slot, uint8_t unit)
{
	static const struct { uint8_t take, kind, skip; uint32_t n; } ops[] = {
		[JFR_INT] = { OP_TAKE_INT, JFR_NUMBER, OP_NUMBERS, 1 },
		[JFR_LONG] = { OP_TAKE_LONG, JFR_NUMBER, OP_NUMBERS, 1 },
		[JFR_SHORT] = { OP_TAKE_SHORT, JFR_NUMBER, OP_NUMBERS, 1 },
		[JFR_CHAR] = { OP_TAKE_CHAR, JFR_NUMBER, OP_NUMBERS, 1 },
		[JFR_BYTE] = { OP_TAKE_BYTE, JFR_NUMBER, OP_BYTES, 1 },
		[JFR_FLOAT] = { OP_TAKE_FLOAT, JFR_F32, OP_BYTES, 4 },
		[JFR_DOUBLE] = { OP_TAKE_DOUBLE, JFR_F64, OP_BYTES, 8 },
		[JFR_STRING] = { OP_TEXT, JFR_TEXT, OP_TEXT, 0 },
	};

	set_slot(k, slot, ops[prim].kind, 0, unit);
	steps_add_step(k, slot == NO_SLOT ? ops[prim].skip : ops[prim].take, slot, ops[prim].n);
}

static void
open_struct(struct steps_maker *k, uint32_t type, uint32_t paths, uint32_t loop)
{
	assert(k->deep <= JFR_DEEPEST && type < k->c->ntypes);
	if (k->deep == JFR_DEEPEST)
		k->plan->bad = true;
	else
		k->open[k->deep++] = (struct open_type){ .type = type, .paths = paths, .loop = loop };
}

/*
 * End a loop, if there is one. If its elements take no bytes, only its count is skipped; a loop over
 * numbers alone is one step.
 */
static void
close_loop(struct steps_maker *k, uint32_t loop)
{
	struct jfr_step *step = &SCRATCH(k->c->steps, struct jfr_step)[loop - 1];
	uint32_t n = (uint32_t)k->c->nsteps - loop;

	k->told = 0;
	if (k->plan->bad || loop == 0)
		return;
	assert(loop <= k->c->nsteps);
	step->n = n;
	if (n == 1 && step[1].op == OP_NUMBERS) {
		*step = (struct jfr_step){ OP_ARRAY, step->slot, step[1].told, step[1].n };
		k->c->nsteps--;
		k->plan->n--;
	} else if (n > 0)
		steps_add_step(k, OP_NEXT, NO_SLOT, n);
	else
		*step = (struct jfr_step){ OP_NUMBERS, NO_SLOT, 0, 1 };
}

/* The meaning of the steps of a field; f NULL: of a value that is not a structure. */
static void
steps_ask(struct steps_maker *k, uint32_t type, const struct jfr_field *f)
{
	uint32_t root = k->deep > 0 ? k->open[0].type : type, owner = k->deep > 0 ?
	    k->open[k->deep - 1].type : type;

	if (k->telling != NULL)
		k->told = k->telling->ask(k->telling->arg, &(struct jfr_asked){ root, owner, type, f });
}

static void
steps_add_field(struct steps_maker *k, const struct jfr_field *f, bool first)
{
	uint32_t type = jfr_type_row(k->c, f->type), onward, loop = 0;
	uint8_t slot = steps_match(k, jfr_word(k->c, f->name), first, &onward);
	enum jfr_prim prim = type == UINT32_MAX ? JFR_STRUCT : (enum jfr_prim)jfr_type(k->c, type)->prim;

	if (type == UINT32_MAX && !f->pool) {
		k->plan->bad = true;
		return;
	}
	if (f->array) {
		set_slot(k, slot, f->pool ? JFR_KEYS : JFR_ARRAY, type, f->unit);
		steps_add_step(k, OP_LOOP, slot, 0);
		loop = (uint32_t)k->c->nsteps;
		slot = NO_SLOT;
		onward = 0;
	}
	steps_ask(k, type, f);
	if (f->pool) {
		if (type != UINT32_MAX)
			set_slot(k, slot, JFR_KEY, type, f->unit);
		steps_add_step(k, slot == NO_SLOT ? OP_NUMBERS : OP_TAKE_LONG, slot, 1);
		close_loop(k, loop);
	} else if (prim != JFR_STRUCT) {
		add_prim(k, prim, slot, f->unit);
		close_loop(k, loop);
	} else
		open_struct(k, type, onward, loop);
}

/* Compile field by field; at the end of a structure, continue with the one that contains it. */
static void
steps_compile(struct steps_maker *k)
{
	while (k->deep > 0 && !k->plan->bad) {
		struct open_type *o = &k->open[k->deep - 1];
		const struct jfr_type *t = jfr_type(k->c, o->type);
		struct jfr_field f;
		uint32_t loop = o->loop;

		if (o->field < t->nfields) {
			k->plan->bad = ++k->fields > FIELDS_MOST;
			assert(t->field + o->field < k->c->nfields);
			f = SCRATCH(k->c->fields, struct jfr_field)[t->field + o->field++];
			k->told = 0;
			steps_add_field(k, &f, o->field == 1);
			continue;
		}
		k->deep--;
		close_loop(k, loop);
	}
}

static uint8_t
steps_numbers(const struct jfr_chunk *c, const struct jfr_plan *plan)
{
	const struct jfr_step *s = SCRATCH(c->steps, struct jfr_step) + plan->first;
	uint32_t n = 0;

	for (uint32_t i = 0; i < plan->n && n <= 8; i++) {
		if (s[i].op != OP_NUMBERS && s[i].op != OP_TAKE_LONG && s[i].op != OP_TAKE_INT)
			return 0;
		n += s[i].op == OP_NUMBERS ? s[i].n : 1;
	}
	return n > 8 || plan->bad ? 0 : (uint8_t)n;
}

static uint32_t
steps_make(struct jfr_chunk *c, uint32_t type, const jfr_paths *paths, const struct jfr_telling *telling)
{
	struct jfr_plan plan = { .first = (uint32_t)c->nsteps };
	struct steps_maker k = { .c = c, .plan = &plan, .paths = paths, .telling = telling };
	enum jfr_prim prim = (enum jfr_prim)jfr_type(c, type)->prim;

	if (prim == JFR_STRUCT) {
		open_struct(&k, type, (1u << JFR_SLOTS) - 1, 0);
		steps_compile(&k);
	} else {
		steps_ask(&k, type, NULL);
		add_prim(&k, prim, 0, JFR_NO_UNIT);
	}
	plan.numbers = steps_numbers(c, &plan);
	INTO_ROW(c->to, c->plans, c->nplans, plan, "types");
	assert(plan.first + plan.n == c->nsteps);
	return c->to->bad ? 0 : (uint32_t)c->nplans;
}

uint32_t
jfr_steps_make(struct jfr_chunk *c, uint32_t type, const jfr_paths *paths)
{
	return steps_make(c, type, paths, NULL);
}

uint32_t
jfr_steps_make_told(struct jfr_chunk *c, uint32_t type, const struct jfr_telling *telling)
{
	static const jfr_paths none = { NULL };

	return steps_make(c, type, &none, telling);
}

/* ---- running ----------------------------------------------------------------------------------- */

static void
take(struct jfr_chunk *c, const struct jfr_step *s, struct jfr_in *in)
{
	uint64_t *to = &c->slot[s->slot];
	const uint8_t *p;

	assert(s->slot < JFR_SLOTS);
	switch ((enum op)s->op) {
	case OP_TAKE_LONG: *to = jfr_u64(in); break;
	case OP_TAKE_INT: *to = (uint64_t)(int32_t)jfr_u64(in); break;
	case OP_TAKE_SHORT: *to = (uint64_t)(int16_t)jfr_u64(in); break;
	case OP_TAKE_CHAR: *to = (uint16_t)jfr_u64(in); break;
	case OP_TAKE_BYTE: *to = (uint64_t)(int8_t)jfr_u8(in); break;
	case OP_TAKE_FLOAT: p = jfr_bytes(in, 4); *to = in->bad ? 0 : be32(p); break;
	case OP_TAKE_DOUBLE: p = jfr_bytes(in, 8); *to = in->bad ? 0 : be64(p); break;
	case OP_BYTES:
	case OP_NUMBERS:
	case OP_TEXT:
	case OP_LOOP:
	case OP_ARRAY:
	case OP_NEXT: break;
	}
}

static bool
steps_report(const struct jfr_telling *telling, const struct jfr_step *s, const uint8_t *from, const uint8_t *end)
{
	return telling->tell(telling->arg, s->told, s->op != OP_BYTES, (struct jfr_in){ from, end, false });
}

/* Compiled twice, so that reading events does not test telling for each step. */
static inline __attribute__((always_inline)) bool
steps_run(struct jfr_chunk *c, const struct jfr_plan *plan, struct jfr_in *in, const struct jfr_telling *telling)
{
	const struct jfr_step *s = SCRATCH(c->steps, struct jfr_step) + plan->first, *end = plan->bad ? s :
	    s + plan->n;
	struct jfr_text text;
	const uint8_t *from;
	uint64_t n;
	unsigned deep = 0;

	assert(plan->first + plan->n <= c->nsteps);
	for (; s < end && !in->bad; s++) {
		from = in->at;
		switch ((enum op)s->op) {
		case OP_BYTES: jfr_bytes(in, s->n); break;
		case OP_NUMBERS: jfr_skip(in, s->n); break;
		case OP_LOOP:
		case OP_ARRAY:
		case OP_TEXT:
			if (s->slot != NO_SLOT)
				c->slot[s->slot] = (uint64_t)(in->at - c->data);
			if (s->op == OP_TEXT) {
				(void)jfr_text_take(in, &text);
				break;
			}
			if (s->op == OP_ARRAY) {
				n = jfr_count(in) * s->n;
				from = in->at;
				jfr_skip(in, n);
				break;
			}
			assert(deep <= JFR_DEEPEST);
			c->loop[deep].left = jfr_count(in);
			if (c->loop[deep].left == 0)
				s += s->n + 1;
			else
				deep++;
			break;
		case OP_NEXT:
			assert(deep > 0 && c->loop[deep - 1].left > 0);
			if (--c->loop[deep - 1].left == 0)
				deep--;
			else
				s -= s->n + 1;
			break;
		case OP_TAKE_LONG: c->slot[s->slot] = jfr_u64(in); break;
		case OP_TAKE_INT:
		case OP_TAKE_SHORT:
		case OP_TAKE_CHAR:
		case OP_TAKE_BYTE:
		case OP_TAKE_FLOAT:
		case OP_TAKE_DOUBLE: take(c, s, in); break;
		}
		if (telling != NULL && s->told != 0 && !in->bad && !steps_report(telling, s, from, in->at))
			return false;
	}
	/* Loops jump to steps of the plan, or to its end. */
	assert(in->bad || s == end);
	return !in->bad && !plan->bad;
}

bool
jfr_steps_run(struct jfr_chunk *c, const struct jfr_plan *plan, struct jfr_in *in)
{
	return steps_run(c, plan, in, NULL);
}

bool
jfr_steps_tell(struct jfr_chunk *c, const struct jfr_plan *plan, const struct jfr_telling *telling,
    struct jfr_in *in)
{
	return steps_run(c, plan, in, telling);
}
