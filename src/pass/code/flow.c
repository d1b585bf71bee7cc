/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow: what class files and dex files have in common on their way to steps.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"

struct flow_step *
flow_add(struct code_flow *f, uint32_t pc, enum flow_kind kind, struct err *err)
{
	struct flow_step s = { .pc = pc, .kind = (uint8_t)kind, .next = STEP_NONE, .target = STEP_NONE, .from = STEP_NONE,
	    .other = STEP_NONE, .to = STEP_NONE, .index = CODE_NONE, .list = (uint32_t)f->nlists };

	assert(pc < f->size);
	if (!scratch_add(&f->steps, &f->nsteps, &s, sizeof s, err))
		return NULL;
	SCRATCH(f->places, uint32_t)[pc] = (uint32_t)f->nsteps;
	return &flow_steps(f)[f->nsteps - 1];
}

bool
flow_list(struct code_flow *f, uint32_t value, struct err *err)
{
	return scratch_add(&f->lists, &f->nlists, &value, sizeof value, err);
}

uint32_t
flow_step_at(const struct code_flow *f, int64_t pc)
{
	if (pc < 0 || pc >= (int64_t)f->size)
		return STEP_NONE;
	assert(SCRATCH(f->places, uint32_t)[pc] <= f->nsteps);
	return SCRATCH(f->places, uint32_t)[pc] - 1;
}

/* Types of every cursor, whatever its class: only null has none. */
static const char *const cursor_supers[] = {
	"android/database/Cursor", "java/io/Closeable", "java/lang/AutoCloseable", "java/lang/Object"
};

void
flow_is(struct flow_step *s, const struct code_pool *p, uint32_t type)
{
	struct str name;

	s->kind = FLOW_IS;
	s->width = 1;
	s->value = VALUE_ANY;
	for (size_t i = 0; i < NELEM(cursor_supers) && code_pool_class(p, type, &name); i++)
		if (str_eq(name, str_of(cursor_supers[i])))
			s->value = VALUE_PRESENT;
}

static bool
make_tries(struct code_flow *f, const struct code_body *b, struct err *err)
{
	const struct code_try *t = SCRATCH(b->tries, struct code_try);

	f->ntries = 0;
	for (uint64_t i = 0; i < b->ntries; i++, t++) {
		struct flow_try to = { t->start, t->end, flow_step_at(f, t->handler), t->handler, t->what, t->type };

		if (to.handler == STEP_NONE)
			return false;
		if (!scratch_add(&f->tries, &f->ntries, &to, sizeof to, err))
			return false;
	}
	return true;
}

uint32_t
flow_field(const struct code_flow *f, uint32_t constant)
{
	assert(f->nfields <= FLOW_FIELDS);
	for (uint32_t i = 0; i < f->nfields; i++)
		if (f->field[i] == constant)
			return f->fields + i;
	return STEP_NONE;
}

bool
flow_reads_field(const struct code_flow *f, const struct code_body *b, const struct insn *i, uint8_t before)
{
	struct code_ref ref;

	if (f->dex)
		return i->op != NULL && (i->code == 0x62 || i->code == 0x63 ||
		    ((i->code == 0x54 || i->code == 0x55) && !f->is_static && i->reg[1] == f->first));
	return (i->code == 0xb2 || (i->code == 0xb4 && before == 0x2a && !f->is_static)) &&
	    code_pool_field(&b->pool, i->index, &ref) && ref.desc.n > 0 && memchr("L[Z", ref.desc.s[0], 3) != NULL;
}

#define FIELDS_SEEN 32

static void
flow_find_fields(struct code_flow *f, const struct code_body *b)
{
	uint32_t seen[FIELDS_SEEN], n = 0, k;
	uint8_t before = 0;
	struct insn i;

	for (uint32_t pc = 0; pc < b->size && f->nfields < FLOW_FIELDS && code_insn(b, pc, &i); pc += i.size, before = i.code) {
		if (!flow_reads_field(f, b, &i, before))
			continue;
		for (k = 0; k < n && seen[k] != i.index; k++)
			;
		if (k == n && n < FIELDS_SEEN)
			seen[n++] = i.index;
		else if (k < n && flow_field(f, i.index) == STEP_NONE)
			f->field[f->nfields++] = i.index;
	}
	f->width += f->nfields;
}

bool
flow_make(struct code_flow *f, struct code_body *b, bool is_static, bool fields, struct err *err)
{
	err->kind = E_NONE;
	f->method = b->method;
	f->piece = b->piece;
	f->size = b->size;
	f->dex = b->pool.dex;
	f->is_static = is_static;
	f->locals = b->regs;
	f->ins = b->ins;
	f->first = f->dex ? b->regs - b->ins : 0;
	f->width = f->fields = b->regs + (f->dex ? 1 : b->stack);
	f->nfields = 0;
	if (fields)
		flow_find_fields(f, b);
	f->result = f->dex ? b->regs : STEP_NONE;
	f->caught = b->regs;
	f->nsteps = f->nlists = 0;
	/* One more than bytes, for the place behind the last instruction. */
	if (!scratch_array(&f->places, (uint64_t)b->size + 1, sizeof(uint32_t), err))
		return false;
	memset(f->places.data, 0, ((size_t)b->size + 1) * sizeof(uint32_t));
	return (f->dex ? flow_dex : flow_jvm)(f, b, err) && make_tries(f, b, err);
}

void
flow_free(struct code_flow *f)
{
	SCRATCH_FREE(&f->steps, &f->lists, &f->tries, &f->places);
}
