/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow_make: the steps of a method, from its class file or dex file.
 */
#include "config.h"

#include <string.h>

#include "flow.h"

static bool
make_tries(struct code_flow *f, const struct code_body *b, struct err *err)
{
	const struct code_try *t = SCRATCH(b->tries, struct code_try);

	f->ntries = 0;
	for (uint64_t i = 0; i < b->ntries; i++, t++) {
		struct flow_try to = { t->start, t->end, flow_step_at(f, t->handler), t->handler, t->what,
		    t->type };

		if (to.handler == STEP_NONE)
			return false;
		if (!scratch_add(&f->tries, &f->ntries, &to, sizeof to, err))
			return false;
	}
	return true;
}

#define FIELDS_SEEN 32

static void
flow_find_fields(struct code_flow *f, const struct code_body *b)
{
	uint32_t seen[FIELDS_SEEN], n = 0, k;
	uint8_t before = 0;
	struct insn i;

	for (uint32_t pc = 0; pc < b->size && f->nfields < FLOW_FIELDS && code_insn(b, pc, &i); pc += i.size,
	    before = i.code) {
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
	/* Add a place for the end of the code, after the last instruction. */
	if (!array_grow(&f->places, (uint64_t)b->size + 1, err))
		return false;
	memset(f->places.raw.data, 0, ((size_t)b->size + 1) * sizeof(uint32_t));
	return (f->dex ? flow_dex : flow_jvm)(f, b, err) && make_tries(f, b, err);
}

void
flow_free(struct code_flow *f)
{
	SCRATCH_FREE(&f->steps, &f->lists, &f->tries, &f->places);
}
