/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locals: names of local variables, from debug information of class files and dex files.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"

bool
body_add_local(struct code_body *b, const struct code_local *v, struct err *err)
{
	return scratch_add(&b->locals, &b->nlocals, v, sizeof *v, err);
}

/* ---- while a table is read: last_in is the last variable of each register, by its place from 1 -------- */

bool
locals_start(struct code_body *b, struct err *err)
{
	if (!b->named)
		return true;
	if (!scratch_array(&b->last_in, b->regs + 1ull, sizeof(uint32_t), err))
		return false;
	memset(b->last_in.data, 0, b->regs * sizeof(uint32_t));
	return true;
}

static struct code_local *
last_local(const struct code_body *b, uint32_t reg)
{
	uint32_t n = reg < b->regs ? SCRATCH(b->last_in, uint32_t)[reg] : 0;

	return n > 0 ? SCRATCH(b->locals, struct code_local) + n - 1 : NULL;
}

void
local_ends(struct code_body *b, uint32_t reg, uint32_t pc)
{
	struct code_local *v = last_local(b, reg);

	if (v != NULL && v->end == LOCAL_STAYS)
		v->end = pc;
}

bool
local_begins(struct code_body *b, const struct code_local *v, struct err *err)
{
	if (v->slot >= b->regs)
		return true;
	local_ends(b, v->slot, v->start);
	if (!body_add_local(b, v, err))
		return false;
	SCRATCH(b->last_in, uint32_t)[v->slot] = (uint32_t)b->nlocals;
	return true;
}

bool
local_again(struct code_body *b, uint32_t reg, uint32_t pc, struct err *err)
{
	struct code_local *v = last_local(b, reg), again;

	if (v == NULL || v->end == LOCAL_STAYS)
		return true;
	again = *v;
	again.start = pc;
	again.end = LOCAL_STAYS;
	return local_begins(b, &again, err);
}

/* ---- all of a method ---------------------------------------------------------------------------- */

static int
locals_order(const void *x, const void *y)
{
	const struct code_local *a = x, *b = y;

	return num_order(a->slot, b->slot, num_order(a->start, b->start, num_order(a->end, b->end, 0)));
}

void
body_sort_locals(struct code_body *b)
{
	struct code_local *v = SCRATCH(b->locals, struct code_local);
	uint64_t n = 0;

	for (uint64_t i = 0; i < b->nlocals; i++) {
		if (v[i].end > b->size)
			v[i].end = b->size;
		if (v[i].start < v[i].end)
			v[n++] = v[i];
	}
	b->nlocals = n;
	if (n > 0)
		qsort(v, n, sizeof *v, locals_order);
}

static const struct code_local *
local_at(const struct code_body *b, uint32_t slot, uint32_t pc)
{
	const struct code_local *v = SCRATCH(b->locals, struct code_local);
	uint64_t low = 0, high = b->nlocals, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (v[middle].slot < slot || (v[middle].slot == slot && v[middle].start <= pc))
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && v[low - 1].slot == slot && pc < v[low - 1].end &&
	    v[low - 1].name.n > 0 ? &v[low - 1] : NULL;
}

/* A variable begins after the instruction that stores its first value. */
const struct code_local *
code_local(const struct code_body *b, const struct insn *i, uint32_t reg)
{
	uint32_t slot = i->reg[i->range ? 0 : reg] + (i->range ? reg : 0);
	bool stores = b->pool.dex ? reg == 0 && i->op->effect != 0 : i->code >= 0x36 && i->code <= 0x4e;
	const struct code_local *v = stores ? local_at(b, slot, i->pc + i->size) : NULL;

	return v != NULL ? v : local_at(b, slot, i->pc);
}
