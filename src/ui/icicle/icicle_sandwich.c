/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_sandwich: a method between its callers, which grow upwards, and its callees: two icicles with the
 * method's line in common.
 */
#include "config.h"

#include "icecore/keys.h"
#include "icicle.h"

enum { CALLERS, CALLEES, HALVES };

/* The halves must come first: icicle_of and icicle_count rely on it. */
struct sandwich {
	struct icicle	half[HALVES];
};

/* ---- the method ------------------------------------------------------------ */

static void
sandwich_set(struct pane *p, struct str name, uint32_t id)
{
	struct sandwich	*s = p->data;

	p->focus = CALLEES;
	for (size_t i = 0; i < HALVES; i++)
		icicle_set_method(&s->half[i], name, id);
}

static void
sandwich_choose(struct pane *p, uint32_t method)
{
	struct sandwich	*s = p->data;
	struct buf	 name = BUF_INIT;

	method_name(ui_store(p->ui), method, &name);
	if (s->half[CALLEES].of.name.n > 0)
		step_add(p, STEP_ZOOM, "method");
	sandwich_set(p, buf_view(&name), method);
	buf_free(&name);
}

static bool
sandwich_go(struct pane *p, const struct visit *v)
{
	sandwich_choose(p, v->id);
	return true;
}

/* version: of the store, for the id, which distinguishes methods with the same name. */
#define SANDWICH_AT(F, s) F(s, TEXT, BOTH, method) F(s, NUMBER, STEP, version) F(s, NUMBER, STEP, id)

PLACED(sandwich_at, SANDWICH_AT);

static bool
icicle_sandwich_take(struct pane *p, void *place, enum placed_use use)
{
	const struct icicle *ic = icicle_of(p);

	(void)use;
	*(struct sandwich_at *)place = (struct sandwich_at){ .version = ic->of.version, .id = ic->of.id };
	buf_str(&((struct sandwich_at *)place)->method, buf_view(&ic->of.name));
	return ic->of.name.n > 0;
}

static bool
icicle_sandwich_go(struct pane *p, void *place, enum placed_use use, bool moved)
{
	const struct sandwich_at *at = place;
	struct str	 method = buf_view(&at->method);
	bool		 known = use == OF_STEP && !moved && at->version == ui_version(p->ui);

	if (use == OF_STEP || (method.n > 0 && !str_eq(method, buf_view(&icicle_of(p)->of.name))))
		sandwich_set(p, method, known ? (uint32_t)at->id : 0);
	return true;
}

static const struct placed_kind sandwich_places = PLACED_KIND(sandwich_at, SANDWICH_AT,
    icicle_sandwich_take, icicle_sandwich_go);

/* ---- drawing ---------------------------------------------------------------- */

/* Each half gets the lines that it needs, as far as the other half leaves room. */
static int
lines_above(const struct sandwich *s, int h)
{
	int	above = (h - 1) / 2, up = (int)s->half[CALLERS].f.nlevels - 1,
	    down = (int)s->half[CALLEES].f.nlevels - 1;

	if (down < h - 1 - above)
		above = h - 1 - down;
	above = above < up ? above : up;
	/* A half has no levels while the worker owns its tree. */
	return above > 0 ? above : 0;
}

static void
sandwich_draw(struct pane *p, struct area a)
{
	struct sandwich	*s = p->data;
	int		 above;

	for (size_t i = 0; i < HALVES; i++) {
		s->half[i].f.mute = i != p->focus;
		if (!icicle_ready(&s->half[i], a))
			return;
	}
	above = lines_above(s, a.h);
	icicle_draw_in(&s->half[CALLERS], (struct area){ a.y, a.x, above, a.w });
	icicle_draw_in(&s->half[CALLEES], (struct area){ a.y + above, a.x, a.h - above, a.w });
}

/* ---- keys ------------------------------------------------------------------- */

/* The upper half grows upwards. */
static enum verb
turned(enum verb verb)
{
	static const enum verb pairs[][2] = { { VERB_UP, VERB_DOWN }, { VERB_PAGE_UP, VERB_PAGE_DOWN },
	    { VERB_HALF_UP, VERB_HALF_DOWN } };

	for (size_t i = 0; i < NELEM(pairs); i++)
		if (verb == pairs[i][0] || verb == pairs[i][1])
			return pairs[i][verb == pairs[i][0]];
	return verb;
}

static bool
is_upward(enum verb verb)
{
	return verb == VERB_UP || verb == VERB_PAGE_UP || verb == VERB_HALF_UP;
}

/* The line of the method belongs to the callees: keys move from it up to the callers, and back down to it. */
static bool
sandwich_move(struct pane *p, enum verb verb)
{
	struct sandwich	*s = p->data;
	struct frames	*up = &s->half[CALLERS].f;
	bool		 moved;

	if (p->focus == CALLEES && s->half[CALLEES].f.sel_level == 0 && is_upward(verb) && up->nlevels > 1) {
		p->focus = CALLERS;
		frames_select(up, 0);
	}
	moved = icicle_act(p, p->focus == CALLERS ? turned(verb) : verb);
	if (p->focus == CALLERS && up->sel_level == 0) {
		p->focus = CALLEES;
		frames_select(&s->half[CALLEES].f, 0);
	}
	return moved;
}

static bool
sandwich_act(struct pane *p, enum verb verb)
{
	struct icicle	*ic = icicle_of(p);
	const struct box *fr = ic->tree != NULL && !ic->lent ? frames_selected(&ic->f) : NULL;

	if (verb != VERB_ENTER || fr == NULL || fr->group != 0)
		return sandwich_move(p, verb);
	if (fr->method != 0 && ic->f.sel_level > 0)
		sandwich_choose(p, fr->method);
	return true;
}

const struct pane_kind pane_sandwich = {
	"Sandwich", NULL, SHAPE_TREES, IN_SANDWICH | IN_CLOCKS | IN_TIMES | IN_EVENTS | IN_DUMPS,
	    sizeof(struct sandwich),
	.like = &pane_icicle, .places = 1 << PLACE_SANDWICH, .format = FORMAT_FOLDED, .compares = true,
	.place = &sandwich_places,
	.draw = sandwich_draw, .act = sandwich_act, .go = sandwich_go
};
