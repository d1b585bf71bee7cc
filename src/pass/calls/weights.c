/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * weights: the meaning of the numbers of a call tree, and their display.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/decimal.h"
#include "icecore/facts.h"
#include "icecore/pass.h"

/* The clocks of a method trace. */
static void
weights_of_trace(const struct store *st, struct weights *w)
{
	static const char *const names[CLOCKS] = { "wall", "cpu", "off" };

	w->type = WEIGHT_TIME;
	w->tick = trace_ns(st, 1);
	w->clocks = true;
	w->some_cpu = fact_value(st, FACT_REPAIR_NO_CPU) > fact_value(st, FACT_WITH_CPU);
	for (int i = 0; i < CLOCKS; i++)
		if (trace_has_clock(st, (enum clock)i))
			w->name[i] = names[i];
}

/* Read type and unit of the current event, which a view may replace. */
static bool
weights_of_event(const struct store *st, struct weights *w)
{
	const struct column *type = store_column(st, COL_EVENT_TYPE);
	const struct column *text = store_column(st, COL_EVENT_TEXT);
	uint64_t event = fact_value(st, FACT_EVENT);
	uint64_t at = store_cell(st, COL_EVENT_UNIT, event);

	if (type == NULL || event == 0 || event > type->rows)
		return false;
	w->type = (enum weight_type)column_get(type, event - 1);
	w->unit = column_text(text, at);
	w->tick = w->type == WEIGHT_TIME ? unit_ns(w->unit) : 1;
	return true;
}

static void
weights_of_profile(const struct store *st, struct weights *w)
{
	static const char *const names[] = { [WEIGHT_COUNT] = "weight", [WEIGHT_TIME] = "time",
	    [WEIGHT_BYTES] = "bytes",
		[WEIGHT_MONEY] = "amount", [WEIGHT_WHOLE] = "count" };

	if (!weights_of_event(st, w)) {
		w->type = (enum weight_type)fact_value(st, FACT_WEIGHT_TYPE);
		w->unit = fact_text(st, FACT_WEIGHT_UNIT);
		w->tick = fact_value(st, FACT_WEIGHT_TICK);
	}
	if (w->type > WEIGHT_WHOLE)
		w->type = WEIGHT_COUNT;
	w->tick = w->tick == 0 ? 1 : w->tick;
	w->scale = fact_value(st, FACT_WEIGHT_SCALE);
	w->scale = w->scale == 0 ? 1 : w->scale;
	w->name[CLOCK_WALL] = names[w->type];
	if (w->type == WEIGHT_COUNT && str_is(w->unit, "samples"))
		w->name[CLOCK_WALL] = "samples";
	if (w->type == WEIGHT_TIME)
		w->unit = STR("");
}

void
weights_of(const struct store *st, struct weights *w)
{
	*w = (struct weights){ .tick = 1, .scale = 1, .unit = STR("") };
	w->differs = fact_value(st, FACT_WEIGHT_DIFFERS) != 0;
	if (trace_is_profile(st) || w->differs)
		weights_of_profile(st, w);
	else
		weights_of_trace(st, w);
	if (!w->differs)
		return;
	w->name[CLOCK_WALL] = "after";
	w->name[CLOCK_CPU] = "before";
	w->name[CLOCK_OFF] = "delta";
}

/* On the wall clock most of a trace is threads that wait. */
enum clock
weights_clock(const struct weights *w)
{
	if (w->clocks && !w->differs && !w->some_cpu && w->name[CLOCK_CPU] != NULL)
		return CLOCK_CPU;
	return w->name[CLOCK_WALL] == NULL && w->name[CLOCK_CPU] != NULL ? CLOCK_CPU : CLOCK_WALL;
}

unsigned
weights_places(const struct weights *w)
{
	unsigned places = 0;

	for (uint64_t scale = w->scale; scale >= 10; scale /= 10)
		places++;
	return places;
}

/* A number with its decimals, if any; otherwise its digits in groups. */
static void
show_count(const struct weights *w, uint64_t value, struct buf *b)
{
	char part[24];
	size_t n;

	assert(w->scale > 0);
	buf_num(b, num_show_count, value / w->scale);
	if (value % w->scale == 0)
		return;
	/* With a digit in front that keeps the zeros. */
	snprintf(part, sizeof part, "%" PRIu64, w->scale + value % w->scale);
	for (n = strlen(part); part[n - 1] == '0'; n--)
		;
	buf_chr(b, '.');
	buf_add(b, part + 1, n - 1);
}

void
weight_show(const struct weights *w, enum clock clock, uint64_t value, struct buf *b)
{
	bool delta = w->differs && clock == CLOCK_OFF;
	unsigned __int128 ns;

	if (delta && value != 0)
		buf_chr(b, (int64_t)value < 0 ? '-' : '+');
	if (delta && (int64_t)value < 0)
		value = 0 - value;
	if (w->type == WEIGHT_MONEY) {
		decimal_show((struct decimal){ (__int128)value, weights_places(w) }, b);
		return;
	}
	if (w->type == WEIGHT_COUNT || w->type == WEIGHT_WHOLE) {
		show_count(w, value, b);
		return;
	}
	ns = (unsigned __int128)value * w->tick / w->scale;
	value = ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
	buf_num(b, w->type == WEIGHT_TIME ? num_show_duration : num_show_size, value);
}

void
weight_show_unit(const struct weights *w, enum clock clock, uint64_t value, struct buf *b)
{
	weight_show(w, clock, value, b);
	if (w->type == WEIGHT_COUNT && w->unit.n > 0)
		buf_printf(b, " %.*s", (int)w->unit.n, w->unit.s);
}
