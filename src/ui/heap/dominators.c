/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dominators: the dominator tree, expanded on demand.
 */
#include "config.h"

#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/keys.h"
#include "dominators.h"

enum { WAY_MAX = 64, KIN_AT_ONCE = 20000, DEEP = 3 };
/*
 * Columns: minimum of names and references, width of numbers with margins, and the width from which on all
 * are shown.
 */
enum {
	OBJECT_W = 30, VIA_W = 18, VIA_ROOMY_W = 30, NUMBERS_W = 24, ALL_NUMBERS_W = 35, SHALLOW_W = 100,
	    ROOMY_W = 120
};

static const char *const kinships[KINSHIPS] = {
	[KIN_NONE] = "not grouped", [KIN_CLASS] = "by class",
	[KIN_PACKAGE] = "by package", [KIN_LOADER] = "by loader"
};

/* ---- opening ------------------------------------------------------------- */

static struct rows *
dominators_wrap(struct list *l, struct rows *in, struct err *err)
{
	/* The pane's query needs more passes than the tree. */
	if (ui_heap_want(in->session, COL_EACH_CHILDREN, task_work(l->pane->ui), err) &&
	    ui_heap_want(in->session, COL_EACH_DIRECT_OBJECT, task_work(l->pane->ui), err))
		return branches_new(in, err);
	rows_close(in);
	return NULL;
}

static const struct list_spec lists[] = { {
	.base = "help", .empty = "no reachable objects in this dump; see Info", .wrap = dominators_wrap,
	.naming = "object", .brief = "via", .among = " in the expanded rows",
	.fixed = "children are sorted by retained size"
} };

static void
dominators_pane_close(struct pane *p)
{
	struct dominators *d = p->data;

	task_drop(&d->list->task);
	buf_free(&d->going);
	list_pane_close(p);
}

/* ---- the lines ------------------------------------------------------------- */

static struct twig
chosen(struct dominators *d)
{
	return branches_at(dominators_rows(d), d->list->sel);
}

static void
dominators_fold(struct dominators *d)
{
	struct twig	w = chosen(d);
	uint64_t	line;

	if (w.open != 0) {
		step_add(d->list->pane, STEP_GROUP, "collapse");
		branches_fold(dominators_rows(d), d->list->sel);
	} else if ((line = branches_head(dominators_rows(d), w.branch)) != ROWS_ALL)
		d->list->sel = line;
	list_recount(d->list);
}

static struct dominators *
dominators_of(const struct list *l)
{
	return l->pane->data;
}

static bool
unfold_run(struct list *l, struct work *work, struct err *err)
{
	(void)work;
	return branches_unfold(l->now.rows, l->ask.sel, NULL) || fail(err, E_SYSTEM, "out of memory (tree)");
}

/* True if an object dominates so many others that it must be expanded on the worker. */
static bool
dominators_is_long(const struct rows *r, uint32_t object)
{
	return object != 0 && heap_children_most(branches_heap(r), object) >= SIBLINGS_MANY;
}

static void
dominators_unfold(struct dominators *d)
{
	struct twig	w = chosen(d);

	if (w.open != 0)
		d->list->sel++;
	else if (w.leaf)
		ui_say(d->list->pane->ui, "dominates nothing");
	else {
		step_add(d->list->pane, STEP_GROUP, "expand");
		list_do(d->list, dominators_is_long(dominators_rows(d), w.object), unfold_run, NULL);
		return;
	}
	list_recount(d->list);
}

static uint64_t
retained(const struct rows *r, const struct twig *w)
{
	return w->object != 0 ? heap_retained(branches_heap(r), w->object) : 0;
}

/*
 * Expand along the largest child while it retains at least half of its parent. On the screen thread, stop
 * before long work.
 */
static bool
way_run(struct list *l, struct work *work, struct err *err)
{
	struct twig	 w = branches_at(l->now.rows, l->ask.sel), next;

	(void)err;
	for (size_t i = 0; i < WAY_MAX && !w.leaf &&
	    (work != NULL || !dominators_is_long(l->now.rows, w.object)) &&
	    branches_unfold(l->now.rows, l->ask.sel, NULL); i++) {
		next = branches_at(l->now.rows, l->ask.sel + 1);
		if (w.object != 0 && retained(l->now.rows, &next) < retained(l->now.rows, &w) / 2)
			break;
		l->ask.sel++;
		w = next;
	}
	return true;
}

static void
way_down(struct dominators *d)
{
	struct twig	w = chosen(d);

	if (!w.leaf)
		step_add(d->list->pane, STEP_GROUP, "expand");
	list_do(d->list, false, way_run, NULL);
	if (dominators_is_long(dominators_rows(d), chosen(d).object))
		list_do(d->list, true, way_run, NULL);
}

static bool
dominators_look(struct dominators *d)
{
	struct twig	w = chosen(d);

	if (w.object != 0)
		ui_go(d->list->pane->ui, PLACE_OBJECT, w.object);
	else if (w.open != 0)
		dominators_fold(d);
	else
		dominators_unfold(d);
	return true;
}

/* ---- groups ------------------------------------------------------------------ */

/* Return the branch below the selected line if it is expanded, otherwise the branch that contains the line. */
static size_t
chosen_whole(struct dominators *d)
{
	struct twig	w = chosen(d);

	return branches_whole(dominators_rows(d), w.open != 0 ? w.open : w.branch);
}

static enum kinship
chosen_kinship(struct dominators *d)
{
	const struct kin *k = branches_get(dominators_rows(d), chosen_whole(d))->kin;

	return k != NULL ? k->kind : KIN_NONE;
}

static bool
group_run(struct list *l, struct work *work, struct err *err)
{
	struct dominators *d = dominators_of(l);
	uint64_t	 line = branches_head(l->now.rows, d->branch);
	struct kin	*kin = NULL;

	if (d->kind != KIN_NONE && (kin = kin_make(branches_heap(l->now.rows),
	    branches_get(l->now.rows, d->branch)->object,
	    d->kind, work, err)) == NULL)
		return false;
	branches_group(l->now.rows, d->branch, kin);
	l->ask.sel = line != ROWS_ALL ? line : 0;
	return true;
}

static void
grouped(struct list *l, bool ok)
{
	if (ok)
		ui_say(l->pane->ui, "children grouped %s", kinships[dominators_of(l)->kind]);
}

static void
dominators_group(struct dominators *d)
{
	struct list	*l = d->list;

	d->branch = chosen_whole(d);
	d->kind = (chosen_kinship(d) + 1) % KINSHIPS;
	step_add(l->pane, STEP_GROUP, kinships[d->kind]);
	list_do(l, branches_get(l->now.rows, d->branch)->n > KIN_AT_ONCE && d->kind != KIN_NONE, group_run,
	    grouped);
}

/* ---- the pane ------------------------------------------------------------------ */

static bool
go_run(struct list *l, struct work *work, struct err *err)
{
	uint64_t	 line = branches_goto(l->now.rows, dominators_of(l)->going_to);

	(void)work;
	(void)err;
	if (line != ROWS_ALL) {
		l->ask.sel = line;
		l->ask.top = line > DEEP ? line - DEEP : 0;
	} else
		dominators_of(l)->going_to = 0;
	return true;
}

static void
gone(struct list *l, bool ok)
{
	if (ok && dominators_of(l)->going_to == 0)
		ui_say(l->pane->ui, "unreachable: not in the dominator tree");
}

static void
dominators_go_to(struct dominators *d, uint32_t object)
{
	const struct heap *h = branches_heap(dominators_rows(d));
	bool		 far = false;

	d->going_to = object;
	for (uint32_t up = object; up != 0 && up != HEAP_ROOT && !far;) {
		up = heap_dominator(h, up);
		far = dominators_is_long(dominators_rows(d), up);
	}
	list_do(d->list, far, go_run, gone);
}

static bool
dominators_back(struct dominators *d)
{
	if (branches_get(dominators_rows(d), 0)->object == HEAP_ROOT)
		return false;
	dominators_go_to(d, HEAP_ROOT);
	return true;
}

static bool
dominators_act(struct pane *p, enum verb verb)
{
	struct dominators *d = p->data;

	if (!dominators_usable(d))
		return list_act(d->list, verb);
	switch (verb) {
	case VERB_FOLD:
		dominators_fold(d);
		return true;
	case VERB_UNFOLD:
		dominators_unfold(d);
		return true;
	case VERB_FOLD_ALL:
		way_down(d);
		return true;
	case VERB_GROUP:
		dominators_group(d);
		return true;
	case VERB_ENTER:
		return dominators_look(d);
	case VERB_GOTO:
		if (chosen(d).object != 0)
			ui_go(p->ui, PLACE_RETAINED, chosen(d).object);
		return true;
	case VERB_BACK:
		return dominators_back(d);
	default:
		return list_act(d->list, verb);
	}
}

static void
dominators_reset(struct pane *p)
{
	struct dominators *d = p->data;

	if (dominators_usable(d)) {
		d->wanted = chosen(d).object;
		d->list->sel = 0;
	}
	list_reset(d->list);
}

static void
dominators_follow(struct pane *p)
{
	struct dominators *d = p->data;

	if (d->wanted != 0 && dominators_usable(d)) {
		dominators_go_to(d, d->wanted);
		d->wanted = 0;
	}
}

static void
dominators_path(struct pane *p, struct buf *b)
{
	struct dominators *d = p->data;
	uint32_t	 top;
	size_t		 at;

	buf_str(b, STR("all"));
	if (!dominators_usable(d) || (top = branches_get(dominators_rows(d), 0)->object) == HEAP_ROOT)
		return;
	buf_printf(b, "%s%s%s", glyph(GLYPH_INTO), glyph(GLYPH_CUT), glyph(GLYPH_INTO));
	at = b->n;
	object_name(branches_heap(dominators_rows(d)), top, b);
	screen_fit_from(b, at);
}

/* Clicking a mark collapses or expands its line. */
static void
click_mark(void *who, size_t line, int y, int x)
{
	struct dominators *d = who;

	(void)x;
	if (y == SPOT_FOCUS || !dominators_usable(d) || line >= d->list->now.known)
		return;
	d->list->sel = line;
	(chosen(d).open != 0 ? dominators_fold : dominators_unfold)(d);
}

static void
dominators_add_marks(struct dominators *d, struct area a)
{
	struct list	*l = d->list;
	int		 x, w, mark;

	if (!dominators_usable(d) || !list_column(l, "object", &x, &w))
		return;
	for (uint64_t line = l->page.top; line < l->now.known &&
	    line - l->page.top + 1 < (uint64_t)a.h; line++) {
		mark = (int)branches_mark(l->now.rows, line);
		if (mark < w && !branches_at(l->now.rows, line).leaf)
			spot_add(&(struct spot){ .area = { a.y + 1 + (int)(line - l->page.top),
			    a.x + x + mark, 1, 1 },
			    .click = click_mark, .who = d, .what = line });
	}
}

/* The name column takes the remaining width. */
static void
dominators_draw(struct pane *p, struct area a)
{
	struct list	*l = list_of(p);
	size_t		 via = a.w < ROOMY_W ? VIA_W : VIA_ROOMY_W,
	    rest = via + (a.w < SHALLOW_W ? NUMBERS_W : ALL_NUMBERS_W);

	l->is.quiet = a.w < SHALLOW_W ? "shallow" : NULL;
	l->is.brief_w = via;
	if (list_usable(l))
		branches_width(l->now.rows, (size_t)a.w > rest + OBJECT_W ? (size_t)a.w - rest : OBJECT_W);
	list_pane_draw(p, a);
	dominators_add_marks(p->data, a);
}

static void
dominators_modes(struct pane *p, struct buf *b)
{
	if (dominators_usable(p->data))
		buf_str(b, str_of(kinships[chosen_kinship(p->data)]));
}

static uint32_t
dominators_selected(struct pane *p)
{
	struct dominators *d = p->data;

	return dominators_usable(d) ? chosen(d).object : 0;
}

/* Show only the name and the place: the line shows the rest, and key hints need the room. */
static void
dominators_status(struct pane *p, struct buf *b)
{
	struct dominators *d = p->data;
	uint32_t	 object = dominators_selected(p);

	if (!dominators_usable(d))
		return;
	if (object != 0)
		object_name(branches_heap(dominators_rows(d)), object, b);
	screen_fit_from(b, 0);
	buf_str(b, b->n > 0 ? STR("  (") : STR("("));
	list_place(d->list, b);
	buf_chr(b, ')');
}

/* The name of its class as shown in the lines. */
static void
dominators_subject(struct pane *p, struct buf *b)
{
	struct dominators *d = p->data;
	uint32_t	 object = dominators_selected(p);

	if (object != 0)
		branches_class_name(dominators_rows(d), object, b);
}

/* Return the expanded object, or the one whose branch contains the line. */
static void
dominators_text(struct pane *p, struct buf *b)
{
	struct dominators *d = p->data;
	struct twig	 w;
	uint32_t	 object;

	buf_str(b, STR("dominators"));
	if (!dominators_usable(d))
		return;
	w = chosen(d);
	object = w.open != 0 && w.object != 0 ? w.object : w.holder;
	if (object != HEAP_ROOT)
		buf_printf(b, " @%u", object);
}

static bool
dominators_show(struct pane *p, const struct visit *v)
{
	((struct dominators *)p->data)->wanted = v->id;
	return true;
}

const struct pane_kind pane_dominators = {
	"Dominators", "dominators", SHAPE_GRAPH, IN_TREE | IN_OBJECTS, sizeof(struct dominators),
	LISTS_OF(lists), .places = 1 << PLACE_DOMINATORS, .diff = COMPARE_PACKAGES,
	.on = { [PANE_CLOSES] = dominators_pane_close, [PANE_RESET] = dominators_reset,
	[PANE_FOLLOWS] = dominators_follow },
	.tell = {
		[TELL_PATH] = dominators_path, [TELL_MODES] = dominators_modes,
		    [TELL_STATUS] = dominators_status,
		[TELL_QUERY] = dominators_text, [TELL_FILE] = dominators_text,
		    [TELL_SUBJECT] = dominators_subject
	},
	.draw = dominators_draw, .act = dominators_act, .go = dominators_show, .object = dominators_selected,
	.place = &dominators_places
};
