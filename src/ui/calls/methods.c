/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * methods: the list of methods, and below it the callers and callees of the selected method.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/keys.h"
#include "ui/icicle/frames.h"
#include "ui/list/list.h"

enum { FOCUS_METHODS, FOCUS_CALLERS, FOCUS_CALLEES, FOCUSES };

enum { SPLIT_H = 12, SPLIT_W = 60, BACK_MAX = 64 };

/*
 * Lists for samples that are about classes, such as allocations: methods with the classes below them,
 * classes, or all frames.
 */
enum about { ABOUT_METHODS, ABOUT_CLASSES, ABOUT_ALL, ABOUTS };

struct methods {
	struct list	*list[FOCUSES];
	struct weights	 w;		/* total weights of the visible store */
	uint64_t	 shown;		/* method whose callers and callees were requested */
	unsigned	 version;	/* ui_version(ui) of the requested callers */
	uint64_t	 back[BACK_MAX];
	size_t		 nback;
	bool		 classes;	/* samples of the event are about classes */
	enum about	 about;		/* the chosen rows, in that case */
};

static const char *const abouts[ABOUTS] = { [ABOUT_METHODS] = "by method", [ABOUT_CLASSES] = "by class",
    [ABOUT_ALL] = "all methods" };

static const struct list_spec lists[FOCUSES] = {
	[FOCUS_METHODS] = { .base = "methods",
	    .columns = "select self self_pct total total_pct calls average method signature obfuscated id noise",
	    .sort = "-self", .hide = "average id obfuscated noise", .role = list_row_role,
	    .quiet = "signature module", .named = "method", .warm_first = true },
	[FOCUS_CALLERS] = { .base = "", .hide = "method_id", .quiet = "module", .mute = true },
	[FOCUS_CALLEES] = { .base = "", .hide = "method_id", .quiet = "module", .mute = true }
};

/* ---- callers and callees follow the selection ---------------------------- */

/* True if the weights are samples, so that one column shows both. */
static bool
counts_samples(const struct weights *w)
{
	return w->type == WEIGHT_COUNT && str_eq(w->unit, STR("samples"));
}

/* The columns of callers and callees. */
static const char *
neighbour_columns(const struct weights *w)
{
	if (w->differs)
		return "total_delta total_after method method_id";
	if (!w->clocks)
		return counts_samples(w) ? "percent total method module method_id" :
		    "percent total method samples module method_id";
	return "percent total method calls method_id";
}

static void
ask_neighbours(struct methods *m, uint64_t id)
{
	static const char *const words[FOCUSES] = { "", "callers", "callees" };
	char	query[160];

	m->shown = id;
	for (size_t i = FOCUS_CALLERS; i < FOCUSES; i++) {
		snprintf(query, sizeof query, "methods | where id = %" PRIu64 " | %s | select %s",
		    id, words[i], neighbour_columns(&m->w));
		list_set(m->list[i], query, 0);
	}
}

static void
methods_follow(struct pane *p)
{
	struct methods	*m = p->data;
	uint64_t	 id;

	if (p->focus != FOCUS_METHODS && m->shown != 0)
		return;
	id = list_id(m->list[FOCUS_METHODS]);
	if (id != 0 && id != m->shown && !m->list[FOCUS_METHODS]->task.given)
		ask_neighbours(m, id);
}

static void
choose_columns(struct list *l, const struct weights *w)
{
	if (w->differs)
		list_columns(l, "select self_delta total_delta total_after total_pct total_before method kind id",
		    "-abs(self_delta)");
	else if (w->clocks)
		list_columns(l, lists[FOCUS_METHODS].columns, "-self");
	else
		list_columns(l, counts_samples(w) ?
		    "select self self_pct total total_pct method kind module id" :
		    "select self self_pct total total_pct samples method kind module id", "-self");
}

/* Only allocations and locks are about classes, and only recordings have these frames. */
static bool
about_classes(const struct store *st)
{
	const struct column *kinds = store_column(st, COL_LISTED_KIND);
	uint64_t	 event = fact_value(st, FACT_EVENT);
	bool		 known = event != 0 && event <= column_rows(store_column(st, COL_EVENT_NAME));
	enum event_kind	 kind = known ? event_kind(st, (uint32_t)event) : EVENT_OTHER;

	return (kind == EVENT_OF_MEMORY || kind == EVENT_OF_LOCKS) && column_rows(kinds) > 0 &&
	    memchr(column_all(kinds), 'c', kinds->rows) != NULL;
}

static const struct list_form about_forms[ABOUTS] = {
	[ABOUT_METHODS] = { "methods | where self_with_class > 0",
	"select self_with_class self_with_class_pct method top_class id",
	    "-self_with_class" },
	[ABOUT_CLASSES] = { "methods | where kind = c and self > 0",
	    "select self self_pct samples method id", "-self" },
	[ABOUT_ALL] = { "methods", "", "" }
};

static void
choose_rows(struct methods *m)
{
	struct list	*l = m->list[FOCUS_METHODS];
	enum about	 about = m->classes && !m->w.differs ? m->about : ABOUT_ALL;
	bool		 taken = list_take(l, &about_forms[about]);

	if (about == ABOUT_ALL)
		choose_columns(l, &m->w);
	if (!taken || about == ABOUT_ALL)
		list_reset(l);
}

/* The columns depend on the file. */
static void
look_at_file(struct pane *p)
{
	struct methods	*m = p->data;

	weights_of(ui_store(p->ui), &m->w);
	m->classes = about_classes(ui_store(p->ui));
}

static void
methods_reset(struct pane *p)
{
	struct methods	*m = p->data;

	look_at_file(p);
	m->shown = 0;
	choose_rows(m);
	/* Callers and callees follow the selected method; drop their rows, which refer to the old store. */
	if (m->version != ui_version(p->ui))
		for (size_t i = FOCUS_CALLERS; i < FOCUSES; i++)
			list_forget(m->list[i]);
	m->version = ui_version(p->ui);
}

static void
methods_forget(struct pane *p)
{
	struct methods	*m = p->data;

	list_pane_forget(p);
	m->shown = m->nback = 0;
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw_list(struct pane *p, size_t f, struct area a)
{
	struct methods	*m = p->data;

	list_draw_titled(m->list[f], f == FOCUS_CALLERS ? " callers " : " callees ", a, p->focus == f);
}

static void
draw_neighbours(struct pane *p, struct area a)
{
	int	half = a.w / 2;

	screen_fill(a.y, a.x + half, 1, ROLE_DIM, LOOK_PLAIN, GLYPH_RULE, false);
	screen_split(a.y + 1, a.x + half, a.h - 1);
	draw_list(p, FOCUS_CALLERS, (struct area){ a.y, a.x, a.h, half });
	draw_list(p, FOCUS_CALLEES, (struct area){ a.y, a.x + half + 1, a.h, a.w - half - 1 });
}

static void
draw_one(struct pane *p, struct area a)
{
	draw_list(p, p->focus == FOCUS_CALLEES ? FOCUS_CALLEES : FOCUS_CALLERS, a);
}

/* A low pane shows the list with the focus. */
static void
methods_draw(struct pane *p, struct area a)
{
	struct methods	*m = p->data;
	int		 top = a.h < SPLIT_H ? a.h : (a.h - 1) / 2 + 1;
	struct area	 above = { a.y, a.x, top, a.w };
	struct area	 below = { a.y + top, a.x, a.h - top, a.w };

	if (a.h < SPLIT_H && p->focus != FOCUS_METHODS) {
		draw_one(p, a);
		return;
	}
	list_draw(m->list[FOCUS_METHODS], above, p->focus == FOCUS_METHODS);
	if (below.h > 0 && a.w >= SPLIT_W)
		draw_neighbours(p, below);
	else if (below.h > 0)
		draw_one(p, below);
}

/* ---- keys ---------------------------------------------------------------- */

static void
methods_show_method(struct pane *p, uint64_t id)
{
	struct methods	*m = p->data;

	p->focus = FOCUS_METHODS;
	m->shown = 0;
	/* A method without classes below it is only in the list of all frames. */
	m->about = ABOUT_ALL;
	if (m->classes)
		choose_rows(m);
	else
		choose_columns(m->list[FOCUS_METHODS], &m->w);
	list_goto(m->list[FOCUS_METHODS], id);
}

static void
methods_remember(struct methods *m)
{
	uint64_t	id = list_id(m->list[FOCUS_METHODS]);

	if (id == 0)
		return;
	if (m->nback == BACK_MAX)
		memmove(m->back, m->back + 1, --m->nback * sizeof *m->back);
	m->back[m->nback++] = id;
}

/* Open the method's calls, from the main list or if calls; from callers and callees select the method here. */
static void
methods_pane_enter(struct pane *p, uint64_t id, bool calls)
{
	if (id == 0)
		return;
	if (calls || p->focus == FOCUS_METHODS)
		ui_go(p->ui, PLACE_CALLS, (uint32_t)id);
	else {
		methods_remember(p->data);
		methods_show_method(p, id);
	}
}

static void
next_about(struct pane *p)
{
	struct methods	*m = p->data;

	step_add(p, STEP_GROUP, abouts[(m->about + 1) % ABOUTS]);
	m->about = (m->about + 1) % ABOUTS;
	choose_rows(m);
}

static bool
methods_act(struct pane *p, enum verb verb)
{
	struct methods	*m = p->data;
	uint64_t	 id = list_id(list_of(p));
	bool		 back = p->focus != FOCUS_METHODS || m->nback > 0;

	switch (verb) {
	case VERB_FOCUS:
		p->focus = (p->focus + 1) % FOCUSES;
		return true;
	case VERB_GROUP:
		next_about(p);
		return true;
	case VERB_ENTER: case VERB_GOTO:
		methods_pane_enter(p, id, verb == VERB_GOTO);
		return true;
	case VERB_TIME:
		if (id != 0)
			ui_go_time(p->ui, 0, (uint32_t)id);
		return true;
	case VERB_BYTECODE:
		look_bytecode(p->ui, (uint32_t)id);
		return true;
	case VERB_SANDWICH:
		if (id != 0)
			ui_go(p->ui, PLACE_SANDWICH, (uint32_t)id);
		return true;
	case VERB_ON_THREADS:
		if (id != 0)
			look_threads(p->ui, (uint32_t)id);
		return true;
	case VERB_BACK:
		if (p->focus != FOCUS_METHODS)
			p->focus = FOCUS_METHODS;
		else if (m->nback > 0)
			methods_show_method(p, m->back[--m->nback]);
		return back;
	default:
		return list_act(list_of(p), verb);
	}
}

static void
methods_modes(struct pane *p, struct buf *b)
{
	const struct methods *m = p->data;

	ui_weight(p->ui, b);
	if (m->classes && !m->w.differs)
		buf_printf(b, ", %s", abouts[m->about]);
}

#define METHODS_AT(F, s) LIST_PANE_AT(F, s) F(s, TEXT, BOTH, about)

PLACED(methods_at, METHODS_AT);

static bool
methods_take_place(struct pane *p, void *place, enum placed_use use)
{
	const struct methods *m = p->data;

	if (m->classes)
		buf_str(&((struct methods_at *)place)->about, str_of(abouts[m->about]));
	return list_take_place(p, place, use);
}

static bool
methods_go_place(struct pane *p, void *place, enum placed_use use, bool moved)
{
	struct methods	*m = p->data;
	enum about	 was = m->about;

	if (use == OF_MARK && !list_placeable(p))
		return false;
	m->about = (enum about)placed_word(&((struct methods_at *)place)->about, abouts, ABOUTS, was);
	if (use == OF_MARK && m->classes && m->about != was)
		choose_rows(m);
	/* If other rows were requested, the place is restored when they arrive. */
	return list_go_place(p, place, use, moved);
}

static const struct placed_kind methods_places = PLACED_KIND(methods_at, METHODS_AT, methods_take_place,
    methods_go_place);

static uint64_t
methods_where(const struct pane *p)
{
	const struct methods *m = p->data;

	return IN_METHODS | IN_CLOCKS | IN_TIMES | IN_EVENTS | IN_DUMPS | (m->classes && !m->w.differs ?
	    IN_ABOUT : 0);
}

/* Column kind uses the letters of the icicle. */
static void
methods_legend(struct pane *p, struct items *items)
{
	struct list	*l = list_of(p);
	int		 col = list_usable(l) ? rows_column(l->now.rows, STR("kind")) : -1;
	struct buf	 kinds = BUF_INIT;
	struct cell	 c;

	list_legend(p, items);
	for (uint64_t row = 0; col >= 0 && row < l->now.known; row++) {
		rows_cell(l->now.rows, row, (size_t)col, &c);
		if (c.type == CELL_TEXT && c.text.n > 0 && (kinds.n == 0 || !is_one_of(c.text.s[0], kinds.s)))
			buf_chr(&kinds, c.text.s[0]);
	}
	if (kinds.n > 0)
		kinds_legend(kinds.s, items);
	buf_free(&kinds);
}

static void
frame(struct pane *p, struct buf *b)
{
	buf_str(b, list_word(list_of(p), "method"));
}

static bool
methods_go(struct pane *p, const struct visit *v)
{
	/* Rows may be requested before the pane was shown. */
	look_at_file(p);
	/* Backspace returns to the pane that asked, not to the method selected here before. */
	((struct methods *)p->data)->nback = 0;
	if (v->asker == p)
		methods_remember(p->data);
	methods_show_method(p, v->id);
	return true;
}

const struct pane_kind pane_methods = {
	"Methods", "methods", SHAPE_TREES, IN_METHODS | IN_CLOCKS | IN_TIMES | IN_EVENTS | IN_DUMPS | IN_ABOUT,
	sizeof(struct methods), .now = methods_where,
	LISTS_OF(lists), .fits = ui_has_methods, .places = 1 << PLACE_METHOD, .compares = true,
	.on = { [PANE_RESET] = methods_reset, [PANE_FORGETS] = methods_forget,
	[PANE_FOLLOWS] = methods_follow },
	.tell = { [TELL_MODES] = methods_modes, [TELL_FRAME] = frame },
	.draw = methods_draw, .legend = methods_legend, .act = methods_act, .go = methods_go,
	.place = &methods_places
};
