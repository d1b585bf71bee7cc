/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of locations, and stacks of samples.  A location or a stack is read when the first sample needs it.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>

#include "otlp.h"

enum { LINES_MOST = 256 };	/* frames of a location */

/* Append a frame to those of a location. */
static void
otlp_add_frame(struct otlp *o, struct otlp_place *place, uint32_t frame)
{
	INTO_ROW(&o->to, o->frames, o->nframes, frame, "frames");
	place->n++;
}

/* The kind of a frame, from an attribute of its location. */
static char
otlp_kind_of(const struct otlp *o, struct str location)
{
	const struct otlp_attribute *attribute = SCRATCH(o->attributes, struct otlp_attribute);
	uint64_t row;
	char kind = 0;

	SHAPE_NUMBERS(location, otlp_number(o->layout, OTLP_LOCATION, 't'), row)
		if (row < o->n[OTLP_ATTRIBUTES] && str_is(attribute[row].key, "profile.frame.type") &&
		    str_is(attribute[row].text, "kernel"))
			kind = 'k';
	return kind;
}

/* A line is of a function; the innermost one comes first. */
static uint32_t
line_frame(struct otlp *o, struct str line, char kind)
{
	const struct otlp_layout *l = o->layout;
	uint64_t row = otlp_value(line, otlp_number(l, OTLP_LINE, 'f'), 0);
	struct str in = otlp_row(o, OTLP_FUNCTIONS, row), name, file;
	uint64_t start = otlp_value(in, otlp_number(l, OTLP_FUNCTION, 'l'), 0);
	uint32_t frame;

	o->sum.bad_index += row >= o->n[OTLP_FUNCTIONS];
	name = otlp_string(o, otlp_value(in, otlp_number(l, OTLP_FUNCTION, 'n'), 0));
	if (name.n == 0)
		name = otlp_string(o, otlp_value(in, otlp_number(l, OTLP_FUNCTION, 's'), 0));
	file = otlp_string(o, otlp_value(in, otlp_number(l, OTLP_FUNCTION, 'f'), 0));
	frame = INTO_ID(&o->to, samples_frame(&o->s, name.n > 0 ? name : STR("[unknown]"), file, kind, o->to.err));
	if (frame != 0)
		samples_line(&o->s, frame, start > 0 ? start : otlp_value(line, otlp_number(l, OTLP_LINE, 'l'), 0));
	return frame;
}

/* "[libc.so.6]" for a mapped file, or the address. */
static uint32_t
otlp_place_frame(struct otlp *o, struct str location, char kind)
{
	uint64_t row = otlp_value(location, otlp_number(o->layout, OTLP_LOCATION, 'm'), UINT64_MAX);
	uint64_t address = otlp_value(location, otlp_number(o->layout, OTLP_LOCATION, 'a'), 0);
	struct str mapping = otlp_row(o, OTLP_MAPPINGS, row), folder, file;

	file = otlp_string(o, otlp_value(mapping, otlp_number(o->layout, OTLP_MAPPING, 'f'), 0));
	(void)str_divide_last(file, '/', &folder, &file);
	buf_clear(&o->text);
	if (file.n > 0 && file.s[0] != '[')
		buf_set(&o->text, STR("["), file, STR("]"));
	else if (file.n == 0 && address > 0)
		buf_printf(&o->text, "0x%" PRIx64, address);
	else
		buf_str(&o->text, file.n > 0 ? file : STR("[unknown]"));
	return INTO_ID(&o->to, samples_frame(&o->s, into_made(&o->to, &o->text), STR(""), kind, o->to.err));
}

static void
read_location(struct otlp *o, struct otlp_place *place, struct str in)
{
	char kind = otlp_kind_of(o, in);

	assert(!place->done && place->n == 0);
	place->done = true;
	place->first = o->nframes;
	SHAPE_EACH(in, otlp_number(o->layout, OTLP_LOCATION, 'l'), line) {
		if (place->n == LINES_MOST || o->to.bad)
			break;
		otlp_unread(o, line, OTLP_LINE);
		otlp_add_frame(o, place, line_frame(o, line, kind));
	}
	o->sum.inlined += place->n > 0 ? place->n - 1 : 0;
	if (place->n == 0)
		otlp_add_frame(o, place, otlp_place_frame(o, in, kind));
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Put the frames of a location on a stack. */
static uint32_t
push_location(struct otlp *o, uint32_t stack, uint64_t row)
{
	struct otlp_place *place;

	if (row >= o->n[OTLP_LOCATIONS]) {
		o->sum.bad_index++;
		return stack;
	}
	place = &SCRATCH(o->places, struct otlp_place)[row];
	if (!place->done)
		read_location(o, place, otlp_row(o, OTLP_LOCATIONS, row));
	assert(o->to.bad || (place->n > 0 && place->first + place->n <= o->nframes));
	for (uint32_t i = place->n; i-- > 0 && !o->to.bad && o->budget > 0; o->budget--)
		stack = into_stack(&o->to, stack, SCRATCH(o->frames, uint32_t)[place->first + i]);
	return stack;
}

/* The locations are leaf first. */
static uint32_t
push_locations(struct otlp *o, const uint64_t *row, uint64_t n)
{
	uint32_t stack = 0;

	while (n > 0 && !o->to.bad && o->budget > 0)
		stack = push_location(o, stack, row[--n]);
	o->sum.too_deep += n > 0 && !o->to.bad;
	return stack;
}

/* The locations that a field lists. */
static uint32_t
listed_stack(struct otlp *o, struct str in, unsigned number)
{
	uint64_t n = 0, row;

	SHAPE_NUMBERS(in, number, row)
		INTO_ROW(&o->to, o->values, n, row, "locations");
	return o->to.bad ? 0 : push_locations(o, SCRATCH(o->values, uint64_t), n);
}

/* The stack of a row of that table. */
static uint32_t
table_stack(struct otlp *o, uint64_t row)
{
	struct otlp_place *place;

	if (row >= o->n[OTLP_STACKS]) {
		o->sum.bad_index++;
		return 0;
	}
	place = &SCRATCH(o->stacks, struct otlp_place)[row];
	if (!place->done)
		place->stack = listed_stack(o, otlp_row(o, OTLP_STACKS, row), otlp_number(o->layout, OTLP_STACK, 'l'));
	place->done = true;
	return place->stack;
}

uint32_t
otlp_stack(struct otlp *o, struct str sample)
{
	const struct otlp_layout *l = o->layout;
	unsigned list = otlp_number(l, OTLP_SAMPLE, 'l');
	uint64_t start, n;

	if (l->stacks)
		return table_stack(o, otlp_value(sample, otlp_number(l, OTLP_SAMPLE, 'y'), 0));
	if (list > 0 && otlp_count(sample, list) > 0)
		return listed_stack(o, sample, list);
	assert(o->n[OTLP_STACKS] == 0);
	start = otlp_value(sample, otlp_number(l, OTLP_SAMPLE, 's'), 0);
	n = otlp_value(sample, otlp_number(l, OTLP_SAMPLE, 'n'), 0);
	if (start > o->nindices || n > o->nindices - start) {
		o->sum.bad_index++;
		return 0;
	}
	return n == 0 ? 0 : push_locations(o, SCRATCH(o->indices, uint64_t) + start, n);
}
