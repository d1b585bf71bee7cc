/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow: what class files and dex files have in common on their way to steps.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "flow.h"

struct flow_step *
flow_add(struct code_flow *f, uint32_t pc, enum flow_kind kind, struct err *err)
{
	struct flow_step s = { .pc = pc, .kind = (uint8_t)kind, .next = STEP_NONE, .target = STEP_NONE,
	    .from = STEP_NONE,
	    .other = STEP_NONE, .to = STEP_NONE, .index = CODE_NONE, .list = (uint32_t)f->nlists };

	assert(pc < f->size);
	if (!array_add(&f->steps, &f->nsteps, &s, err))
		return NULL;
	f->places.at[pc] = (uint32_t)f->nsteps;
	return &flow_steps(f)[f->nsteps - 1];
}

bool
flow_list(struct code_flow *f, uint32_t value, struct err *err)
{
	return array_add(&f->lists, &f->nlists, &value, err);
}

uint32_t
flow_step_at(const struct code_flow *f, int64_t pc)
{
	if (pc < 0 || pc >= (int64_t)f->size)
		return STEP_NONE;
	assert(f->places.at[pc] <= f->nsteps);
	return f->places.at[pc] - 1;
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
		if (str_is(name, cursor_supers[i]))
			s->value = VALUE_PRESENT;
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
	    code_pool_field(&b->pool, i->index, &ref) && ref.desc.n > 0 &&
	    memchr("L[Z", ref.desc.s[0], 3) != NULL;
}
