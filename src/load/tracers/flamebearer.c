/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flame graphs of Pyroscope and Grafana: {"flamebearer":{"names":[...],"levels":[[...]],...},
 * "metadata":{...}}, in older versions without the outer object.  A level is a row of boxes of four numbers:
 * distance from the end of the box before it, total, self, name; of seven in a comparison: three for each
 * side, and the name.
 */
#include "config.h"

#include <assert.h>

#include "boxes.h"
#include "forms.h"

struct bearer {
	struct tracers_in *in;
	ARRAY(struct str) name;		/* still escaped */
	uint64_t	 nnames;
	struct json	 names, levels;
	struct str	 format, units, rate;
	struct buf	 text;
};

static void
bearer_names(struct bearer *f)
{
	struct json rest = json_items(f->names);
	struct str word;

	while (!f->in->bad && json_next_word(&rest, &word))
		f->in->bad = !array_add(&f->name, &f->nnames, &word, f->in->err);
	f->in->count[TRACED_JSON] += rest.bad;
}

/* Name a box by the number of its name. */
static void
bearer_name(struct bearer *f, struct flame_box *box, uint64_t name)
{
	box_named(f->in, box, name < f->nnames ? scan_unescape(f->name.at[name], &f->text) : STR("[unknown]"));
	f->in->count[TRACED_NAMES] += name >= f->nnames;
}

/* A row of boxes: those of one side, whose numbers begin at `side`, of boxes of `each` numbers. */
static void
bearer_level(struct bearer *f, struct json row, uint64_t level, size_t side, size_t each, struct boxes *b)
{
	struct flame_box box = { .level = level, .at = row.base + row.at };
	struct json rest = json_items(row);
	uint64_t v[7], x = 0;
	struct str word;
	size_t n = 0;

	assert(side + 1 < each && each <= NELEM(v));
	while (!f->in->bad && json_next_word(&rest, &word)) {
		if (!tracers_number(f->in, word, &v[n]))
			v[n] = 0;
		if (++n < each)
			continue;
		n = 0;
		box.x = num_add(x, v[side]);
		box.w = box.count = v[side + 1];
		x = num_add(box.x, box.w);
		if (x >= (uint64_t)1 << 62 || (level == 0 && b->n > 0)) {
			f->in->count[TRACED_BOXES]++;
			continue;
		}
		if (box.w > 0 && level > 0)
			bearer_name(f, &box, v[each - 1]);
		if (box.w > 0)
			f->in->bad = f->in->bad || !array_add(&b->row, &b->n, &box, f->in->err);
	}
	f->in->count[TRACED_BOXES] += n > 0;
}

static void
bearer_side(struct bearer *f, struct str name, size_t side, size_t each)
{
	static const struct { const char *units; enum weight_type type; const char *unit; } units[] = {
		{ "bytes", WEIGHT_BYTES, "bytes" }, { "lock_nanoseconds", WEIGHT_TIME, "ns" },
		{ "samples", WEIGHT_COUNT, "samples" }
	};
	struct json rest = json_items(f->levels), row;
	struct boxes b = { .slack = 0 };
	uint64_t level = 0, rate;
	size_t i = 0;

	while (i < NELEM(units) - 1 && !str_is(f->units, units[i].units))
		i++;
	tracers_event(f->in, name, units[i].type, units[i].unit);
	if (i == NELEM(units) - 1 && scan_fixed(f->rate, 0, &rate) && rate > 0)
		tracers_period(f->in, name, 1000000000 / rate, 1);
	while (!f->in->bad && json_next(&rest, &row))
		bearer_level(f, row, level++, side, each, &b);
	f->in->count[TRACED_JSON] += rest.bad;
	boxes_read(f->in, &b);
	array_free(&b.row);
}

/* Take the members that describe the picture. */
static void
bearer_take(struct bearer *f, struct json at)
{
	static const char *const names[] = { "names", "levels", "format", "units", "sampleRate", NULL };
	struct json v[NELEM(names) - 1];
	struct str *words[] = { &f->format, &f->units, &f->rate };

	if (!members_of(&at, names, v))
		return;
	f->names = json_is(v[0]) ? v[0] : f->names;
	f->levels = json_is(v[1]) ? v[1] : f->levels;
	for (size_t i = 0; i < NELEM(words); i++)
		if (json_is(v[i + 2]))
			*words[i] = member_raw(&v[i + 2]);
}

void
flamebearer_read(struct tracers_in *in)
{
	static const char *const outer[] = { "flamebearer", "metadata", NULL };
	struct bearer f = { .in = in };
	struct json all = { .base = in->text.s, .size = in->text.n }, at = all, v[NELEM(outer) - 1];

	in->count[TRACED_JSON] += !members_of(&at, outer, v);
	bearer_take(&f, all);
	for (size_t i = 0; i < NELEM(v); i++)
		if (json_is(v[i]))
			bearer_take(&f, v[i]);
	bearer_names(&f);
	if (str_is(f.format, "double")) {
		bearer_side(&f, STR("left"), 0, 7);
		bearer_side(&f, STR("right"), 3, 7);
	} else
		bearer_side(&f, f.units.n > 0 ? f.units : STR("samples"), 0, 4);
	array_free(&f.name);
	buf_free(&f.text);
}

bool
flamebearer_is(struct str head)
{
	struct json j = { .base = head.s, .size = head.n };

	return scan_peek(&j) == '{' && str_has(head, STR("\"names\"")) && str_has(head, STR("\"levels\"")) &&
	    (str_has(head, STR("\"flamebearer\"")) || str_has(head, STR("\"numTicks\"")));
}
