/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_sandwich: a method between its callers, which grow upwards, and its callees: two icicles with the method's
 * line in common.
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
	if (s->half[CALLEES].of.n > 0)
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

/*
 * A place is the method: its name, and its id with the version of the store, to distinguish methods with the same
 * name.
 */
static void
sandwich_tell(struct pane *p, struct buf *b)
{
	struct icicle	*ic = icicle_of(p);

	if (ic->of.n == 0)
		return;
	buf_printf(b, "%u %u ", ic->of_version, ic->of_id);
	buf_str(b, buf_view(&ic->of));
}

static void
sandwich_put(struct pane *p, struct str place, bool moved)
{
	struct buf	name = BUF_INIT;
	struct str	version, word;
	uint64_t	at, id;

	if (!str_split(&place, ' ', &version) || !str_split(&place, ' ', &word) || !num_u64(version, 10, &at) || !num_u64(word, 10, &id))
		return;
	buf_str(&name, place);
	sandwich_set(p, buf_view(&name), !moved && at == ui_version(p->ui) ? (uint32_t)id : 0);
	buf_free(&name);
}

static void
sandwich_mark(struct pane *p, struct buf *b)
{
	note_add(b, "method", buf_view(&icicle_of(p)->of));
}

static bool
sandwich_recall(struct pane *p, struct str text, bool moved)
{
	struct buf	value = BUF_INIT;
	struct str	word;

	(void)moved;
	while (note_next(&text, &word, &value))
		if (str_eq(word, STR("method")) && value.n > 0 && !str_eq(buf_view(&value), buf_view(&icicle_of(p)->of)))
			sandwich_set(p, buf_view(&value), 0);
	buf_free(&value);
	return true;
}

/* ---- drawing ---------------------------------------------------------------- */

/* Each half gets the lines that it needs, as far as the other half leaves room. */
static int
lines_above(const struct sandwich *s, int h)
{
	int	above = (h - 1) / 2, up = (int)s->half[CALLERS].f.nlevels - 1, down = (int)s->half[CALLEES].f.nlevels - 1;

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

	p->area = a;
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
	static const enum verb pairs[][2] = { { VERB_UP, VERB_DOWN }, { VERB_PAGE_UP, VERB_PAGE_DOWN }, { VERB_HALF_UP, VERB_HALF_DOWN } };

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
	"Sandwich", NULL, SHAPE_TREES, IN_SANDWICH | IN_CLOCKS | IN_TIMES | IN_EVENTS | IN_DUMPS, sizeof(struct sandwich),
	.like = &pane_icicle, .places = 1 << PLACE_SANDWICH, .format = FORMAT_FOLDED, .compares = true,
	.tell = { [TELL_PLACE] = sandwich_tell, [TELL_MARK] = sandwich_mark }, .put = sandwich_put, .recall = sandwich_recall,
	.draw = sandwich_draw, .act = sandwich_act, .go = sandwich_go
};
