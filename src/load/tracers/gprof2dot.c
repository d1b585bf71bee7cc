/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The JSON of gprof2dot, as memray transform gprof2dot writes it: functions, and events with a stack of them, innermost
 * first, and a cost of each kind.
 */
#include "config.h"

#include "forms.h"

#define SECOND UINT64_C(1000000000)

struct gprof2dot_cost {
	uint32_t	 event;
	struct weight_unit unit;
};

struct gprof2dot {
	struct tracers_in *in;
	ARRAY(struct gprof2dot_cost) costs;
	ARRAY(uint32_t)	 frames, chain;		/* frames: by number of a function */
	uint64_t	 ncosts, nframes, nchain;
	struct buf	 file;
};

static void
gprof2dot_costs(struct gprof2dot *g, struct json costs)
{
	static const char *const names[] = { "description", "unit", NULL };
	struct tracers_in *in = g->in;
	struct json rest = json_items(costs), item, v[2];
	struct gprof2dot_cost cost;
	struct str name, unit;

	while (!in->bad && json_next(&rest, &item)) {
		members_of(&item, names, v);
		name = member_text(&v[0], &in->buf);
		unit = member_text(&v[1], &g->file);
		/* Other units are counted as whole numbers. */
		if (!weight_unit(unit, &cost.unit))
			cost.unit = (struct weight_unit){ "(as printed)", 1, WEIGHT_COUNT };
		tracers_event(in, name.n > 0 ? name : STR("cost"), cost.unit.type, cost.unit.unit);
		cost.event = in->event;
		in->bad = in->bad || !make_add(&g->costs.raw, &g->ncosts, &cost, sizeof cost, UINT32_MAX, "costs",
		    in->err);
	}
}

/* A time has fractions of its unit, such as seconds. */
static bool
gprof2dot_value(struct tracers_in *in, const struct weight_unit *unit, struct str word, uint64_t *v)
{
	uint64_t least = unit->type == WEIGHT_TIME && unit->factor <= SECOND ? SECOND / unit->factor : 0;

	if (least > 0) {
		if (!scan_fixed(word, 9, v) || *v == UINT64_MAX)
			return false;
		*v /= least;
		return true;
	}
	if (!tracers_number(in, word, v) || *v > UINT64_MAX / unit->factor)
		return false;
	*v *= unit->factor;
	return true;
}

static void
gprof2dot_functions(struct gprof2dot *g, struct json functions)
{
	static const char *const names[] = { "name", "module", NULL };
	struct tracers_in *in = g->in;
	struct json rest = json_items(functions), item, v[2];
	struct str name, file;
	uint32_t frame;

	while (!in->bad && json_next(&rest, &item) && tracers_tick(in, item.at)) {
		members_of(&item, names, v);
		name = member_text(&v[0], &in->buf);
		file = member_text(&v[1], &g->file);
		frame = samples_frame(&in->s, name.n > 0 ? name : STR("[unknown]"), file, 0, in->err);
		in->bad = frame == 0 || !make_add(&g->frames.raw, &g->nframes, &frame, sizeof frame, UINT32_MAX,
		    "functions", in->err);
	}
}

/* The stack of an event; false: one of its functions is not there. */
static bool
gprof2dot_chain(struct gprof2dot *g, struct json chain)
{
	struct tracers_in *in = g->in;
	struct json rest = json_items(chain);
	struct str word;
	uint64_t at;

	g->nchain = 0;
	while (!in->bad && json_next_word(&rest, &word)) {
		if (!tracers_number(in, word, &at) || at >= g->nframes)
			return false;
		in->bad = !make_add(&g->chain.raw, &g->nchain, &g->frames.at[at], sizeof(uint32_t), UINT32_MAX,
		    "frames", in->err);
	}
	for (uint64_t i = g->nchain; i-- > 0 && !in->bad; )
		tracers_push_id(in, g->chain.at[i]);
	return g->nchain > 0;
}

static void
gprof2dot_events(struct gprof2dot *g, struct json events)
{
	static const char *const names[] = { "callchain", "cost", NULL };
	struct tracers_in *in = g->in;
	struct json rest = json_items(events), item, v[2], costs;
	uint64_t value;
	uint32_t stack;
	struct str word;

	while (!in->bad && json_next(&rest, &item) && tracers_tick(in, item.at)) {
		members_of(&item, names, v);
		if (!gprof2dot_chain(g, v[0])) {
			in->count[TRACED_NO_STACK]++;
			continue;
		}
		stack = tracers_stack(in);
		costs = json_items(v[1]);
		for (uint64_t i = 0; i < g->ncosts && !in->bad && json_next_word(&costs, &word); i++) {
			in->event = g->costs.at[i].event;
			if (!gprof2dot_value(in, &g->costs.at[i].unit, word, &value))
				in->count[TRACED_NO_VALUE]++;
			else
				tracers_add(in, stack, value, 1, item.base + item.at);
		}
	}
	in->count[TRACED_JSON] += rest.bad;
}

void
gprof2dot_read(struct tracers_in *in)
{
	static const char *const names[] = { "costs", "functions", "events", NULL };
	struct gprof2dot g = { .in = in, .file = BUF_INIT };
	struct json j = { .base = in->text.s, .size = in->text.n }, v[3];

	in->values = "the costs of each event";
	members_of(&j, names, v);
	gprof2dot_costs(&g, v[0]);
	gprof2dot_functions(&g, v[1]);
	gprof2dot_events(&g, v[2]);
	SCRATCH_FREE(&g.costs, &g.frames, &g.chain);
	buf_free(&g.file);
}

/* The members that come first are enough: the text may be cut. */
bool
gprof2dot_is(struct str head)
{
	struct json j = { .base = head.s, .size = head.n };
	bool costs = false, functions = false;
	struct str name;

	if (!str_has(head, STR("\"costs\"")) || !str_has(head, STR("\"functions\"")) || !scan_open(&j, '{'))
		return false;
	while (!(costs && functions) && scan_member(&j, &name)) {
		costs |= str_is(name, "costs");
		functions |= str_is(name, "functions") && scan_peek(&j) == '[';
		if (!scan_skip(&j))
			break;
	}
	return costs && functions;
}
