/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calc_unit: units of what is computed: powers of time and of bytes.
 */
#include "config.h"

#include "calc.h"

static const char *
unit_name(const struct unit *u)
{
	if (u->time == 0 && u->bytes == 0)
		return u->kind == KIND_PERCENT ? "a percentage" : "a number";
	if (u->time == 1 && u->bytes == 0)
		return "a time";
	if (u->time == 0 && u->bytes == 1)
		return "a size";
	return u->time == -1 ? "a rate" : "another unit";
}

static bool
calc_unit_is_number(const struct unit *u)
{
	return u->time == 0 && u->bytes == 0;
}

static enum number_kind
joint_kind(enum number_kind a, enum number_kind b)
{
	if (a == b)
		return a;
	return (a == KIND_ANY || b == KIND_ANY) && a != KIND_PERCENT && b != KIND_PERCENT ?
	    KIND_ANY : KIND_REAL;
}

/* Next to an amount, a number of any kind adopts its unit. */
static void
unit_adopt(struct unit *a, const struct unit *b)
{
	if (a->kind != KIND_ANY || !calc_unit_is_number(a))
		return;
	a->time = b->time;
	a->bytes = b->bytes;
}

bool
unit_apply(struct unit *a, struct unit *b, char op, size_t at, struct err *err)
{
	bool numbers = calc_unit_is_number(a) && calc_unit_is_number(b);

	a->minus |= b->minus || op == '-';
	switch (op) {
	case '+':
	case '-':
		unit_adopt(a, b);
		unit_adopt(b, a);
		if (a->time != b->time || a->bytes != b->bytes)
			return fail_at(err, E_USAGE, at, op == '+' ? "cannot add %s and %s" :
			    "cannot subtract %2$s from %1$s", unit_name(a), unit_name(b));
		a->kind = joint_kind(a->kind, b->kind);
		return true;
	case '*':
		a->time += b->time;
		a->bytes += b->bytes;
		a->kind = joint_kind(a->kind, b->kind);
		return true;
	}
	a->time -= b->time;
	a->bytes -= b->bytes;
	a->kind = !numbers && calc_unit_is_number(a) ? KIND_PERCENT : KIND_REAL;
	return true;
}

bool
unit_type(const struct unit *u, size_t at, struct calc *c, struct err *err)
{
	c->scale = 1;
	c->type = CELL_REAL;
	if (u->time == 1 && u->bytes == 0) {
		c->type = CELL_TIME;
	} else if (u->time == 0 && u->bytes == 1) {
		c->type = CELL_BYTES;
	} else if (u->time == -1 && (u->bytes == 0 || u->bytes == 1)) {
		c->scale = 1e9;
	} else if (!calc_unit_is_number(u)) {
		return fail_at(err, E_USAGE, at,
		    "the result has no supported unit (number, time, size, or one per second)");
	} else if (u->kind == KIND_PERCENT) {
		c->type = CELL_PERCENT;
		c->scale = 100;
	} else if (u->kind == KIND_ANY) {
		c->type = CELL_NONE;
	} else if (u->kind == KIND_INTEGER)
		c->type = u->minus ? CELL_INT : CELL_COUNT;
	return true;
}

bool
unit_of_column(const struct coldef *def, size_t at, struct unit *u, struct err *err)
{
	static const struct unit units[] = {
		[CELL_NONE] = { .kind = KIND_ANY },
		[CELL_COUNT] = { .kind = KIND_INTEGER }, [CELL_BOOL] = { .kind = KIND_INTEGER },
		[CELL_INT] = { .kind = KIND_INTEGER, .minus = true },
		[CELL_REAL] = { .kind = KIND_REAL }, [CELL_PERCENT] = { .kind = KIND_PERCENT },
		[CELL_TIME] = { .kind = KIND_REAL, .time = 1 },
		[CELL_BYTES] = { .kind = KIND_REAL, .bytes = 1 },
		[CELL_TEXT] = { .kind = KIND_REAL }
	};

	if (def->type == CELL_ID || def->type == CELL_ADDR)
		return fail_at(err, E_USAGE, at, "'%s' is an id; arithmetic needs a number", def->name);
	if (def->type == CELL_DECIMAL)
		return fail_at(err, E_USAGE, at, "'%s' is an %s (exact); use sum, min or max", def->name,
		    cell_type_name(def->type));
	*u = units[def->type];
	return def->type != CELL_TEXT || fail_at(err, E_USAGE, at, "'%s' is a %s; arithmetic needs a number",
	    def->name, cell_type_name(def->type));
}
