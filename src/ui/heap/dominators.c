/*
 * dominators: the tree of dominators, unfolded where somebody looks.
 */
#include "config.h"

#include "dominators.h"

enum { WAY_MAX = 64, KIN_AT_ONCE = 20000, DEEP = 3 };
/* Columns: of names at least, of references, of numbers with gaps and margin, and from where on all of them are shown. */
enum {
	OBJECT_W = 30, VIA_W = 18, VIA_ROOMY_W = 30, NUMBERS_W = 24, ALL_NUMBERS_W = 35, SHALLOW_W = 100, ROOMY_W = 120
};

static const char *const kinships[KINSHIPS] = {
	[KIN_NONE] = "not grouped", [KIN_CLASS] = "by class",
	[KIN_PACKAGE] = "by package", [KIN_LOADER] = "by loader"
};

void
dominators_give(struct dominators *d, bool (*run)(struct task *, struct work *, struct err *),
    void (*done_with)(struct task *, bool ok, const struct err *))
{
	d->task.run = run;
	d->task.done = done_with;
	task_give(d->list->pane->ui, &d->task);
}

/* ---- opening ------------------------------------------------------------- */

static struct rows *
wrap(struct list *l, struct rows *in, struct err *err)
{
	/* The query of that name waits for more than the tree shows. */
	if (ui_heap_want(l->pane->ui, COL_EACH_CHILDREN, task_work(l->pane->ui), err))
		return branches_new(in, err);
	rows_close(in);
	return NULL;
}

static const struct list_spec lists[] = { {
	.base = "help", .empty = "no reachable object in this dump; see Info", .wrap = wrap,
	.naming = "object", .brief = "via", .fixed = "children are sorted by retained size"
} };

static void
pane_close(struct pane *p)
{
	struct dominators *d = p->data;

	task_drop(&d->task);
	kin_free(d->kin);
	dominators_forget(d);
	list_pane_close(p);
}

/* ---- the lines ------------------------------------------------------------- */

void
dominators_changed(struct list *l)
{
	l->known = branches_lines(l->rows);
	l->all = true;
	l->page_ok = false;
}

bool
dominators_usable(const struct dominators *d)
{
	return list_usable(d->list) && !d->list->task.given && !d->task.given &&
	    d->list->known > 0;
}

static struct twig
chosen(struct dominators *d)
{
	return branches_at(d->list->rows, d->list->sel);
}

static void
fold(struct dominators *d)
{
	struct twig	w = chosen(d);
	uint64_t	line;

	if (w.open != 0) {
		step_add(d->list->pane, STEP_GROUP, "collapse");
		branches_fold(d->list->rows, d->list->sel);
	} else if ((line = branches_head(d->list->rows, w.branch)) != ROWS_ALL)
		d->list->sel = line;
	dominators_changed(d->list);
}

static void
unfold(struct dominators *d)
{
	struct twig	w = chosen(d);

	if (w.open != 0)
		d->list->sel++;
	else if (w.leaf)
		ui_say(d->list->pane->ui, "dominates nothing");
	else {
		step_add(d->list->pane, STEP_GROUP, "expand");
		branches_unfold(d->list->rows, d->list->sel, NULL);
	}
	dominators_changed(d->list);
}

static uint64_t
retained(const struct rows *r, const struct twig *w)
{
	return w->object != 0 ? heap_retained(branches_heap(r), w->object) : 0;
}

/* Down along the largest, as long as it holds most of what the one above it does. */
static void
way_down(struct dominators *d)
{
	struct list	*l = d->list;
	struct twig	 w = chosen(d), next;

	if (!w.leaf)
		step_add(l->pane, STEP_GROUP, "expand");
	for (size_t i = 0; i < WAY_MAX && !w.leaf && branches_unfold(l->rows, l->sel, NULL); i++) {
		dominators_changed(l);
		next = branches_at(l->rows, l->sel + 1);
		if (w.object != 0 && retained(l->rows, &next) < retained(l->rows, &w) / 2)
			break;
		l->sel++;
		w = next;
	}
}

static bool
look(struct dominators *d)
{
	struct twig	w = chosen(d);

	if (w.object != 0)
		ui_go(d->list->pane->ui, PLACE_OBJECT, w.object);
	else if (w.open != 0)
		fold(d);
	else
		unfold(d);
	return true;
}

/* ---- groups ------------------------------------------------------------------ */

/* The branch that is unfolded, or the one that the line lies in, with all that the same object dominates. */
static size_t
chosen_whole(struct dominators *d)
{
	struct twig	w = chosen(d);

	return branches_whole(d->list->rows, w.open != 0 ? w.open : w.branch);
}

static enum kinship
chosen_kinship(struct dominators *d)
{
	const struct kin *k = branches_get(d->list->rows, chosen_whole(d))->kin;

	return k != NULL ? k->kind : KIN_NONE;
}

static void
grouped(struct dominators *d)
{
	struct list	*l = d->list;
	uint64_t	 line = branches_head(l->rows, d->branch);

	step_add(l->pane, STEP_GROUP, kinships[d->kind]);
	branches_group(l->rows, d->branch, d->kin);
	d->kin = NULL;
	l->sel = line != ROWS_ALL ? line : 0;
	dominators_changed(l);
	ui_say(l->pane->ui, "children grouped %s", kinships[d->kind]);
}

static bool
group_run(struct task *task, struct work *work, struct err *err)
{
	struct dominators *d = dominators_of(task);
	const struct rows *r = d->list->rows;

	d->kin = kin_make(branches_heap(r), branches_get(r, d->branch)->object, d->kind, work, err);
	return d->kin != NULL;
}

static void
group_done(struct task *task, bool ok, const struct err *err)
{
	struct dominators *d = dominators_of(task);

	if (ok)
		grouped(d);
	else
		ui_fail(task->ui, err);
}

static void
group(struct dominators *d)
{
	struct list	*l = d->list;
	const struct branch *b;
	struct err	 err;

	d->branch = chosen_whole(d);
	d->kind = (chosen_kinship(d) + 1) % KINSHIPS;
	b = branches_get(l->rows, d->branch);
	if (b->n > KIN_AT_ONCE && d->kind != KIN_NONE) {
		dominators_give(d, group_run, group_done);
		return;
	}
	if (d->kind != KIN_NONE)
		d->kin = kin_make(branches_heap(l->rows), b->object, d->kind, NULL, &err);
	if (d->kind == KIN_NONE || d->kin != NULL)
		grouped(d);
	else
		ui_fail(l->pane->ui, &err);
}

/* ---- the pane ------------------------------------------------------------------ */

static void
go_to(struct dominators *d, uint32_t object)
{
	struct list	*l = d->list;
	uint64_t	 line = branches_goto(l->rows, object);

	dominators_changed(l);
	if (line == ROWS_ALL) {
		ui_say(l->pane->ui, "unreachable: not in the dominator tree");
		return;
	}
	l->sel = line;
	l->top = line > DEEP ? line - DEEP : 0;
}

static bool
back(struct dominators *d)
{
	struct list	*l = d->list;

	if (branches_get(l->rows, 0)->object == HEAP_ROOT)
		return false;
	branches_goto(l->rows, HEAP_ROOT);
	dominators_changed(l);
	l->sel = 0;
	return true;
}

static bool
act(struct pane *p, enum verb verb)
{
	struct dominators *d = p->data;

	if (!dominators_usable(d))
		return d->task.given ? false : list_act(d->list, verb);
	switch (verb) {
	case VERB_FOLD:
		fold(d);
		return true;
	case VERB_UNFOLD:
		unfold(d);
		return true;
	case VERB_FOLD_ALL:
		way_down(d);
		return true;
	case VERB_GROUP:
		group(d);
		return true;
	case VERB_ENTER:
		return look(d);
	case VERB_GOTO:
		if (chosen(d).object != 0)
			ui_go(p->ui, PLACE_RETAINED, chosen(d).object);
		return true;
	case VERB_BACK:
		return back(d);
	default:
		return list_act(d->list, verb);
	}
}

static void
reset(struct pane *p)
{
	struct dominators *d = p->data;

	/* Not under the feet of the worker. */
	if (d->task.given) {
		p->stale = true;
		return;
	}
	if (dominators_usable(d)) {
		d->wanted = chosen(d).object;
		d->list->sel = 0;
	}
	list_reset(d->list);
}

static void
follow(struct pane *p)
{
	struct dominators *d = p->data;

	dominators_go(d);
	if (d->wanted != 0 && dominators_usable(d)) {
		go_to(d, d->wanted);
		d->wanted = 0;
	}
}

static void
path(struct pane *p, struct buf *b)
{
	struct dominators *d = p->data;
	uint32_t	 top;
	size_t		 at;

	buf_str(b, STR("all"));
	if (!dominators_usable(d) || (top = branches_get(d->list->rows, 0)->object) == HEAP_ROOT)
		return;
	buf_printf(b, "%s%s%s", glyph(GLYPH_INTO), glyph(GLYPH_CUT), glyph(GLYPH_INTO));
	at = b->n;
	object_name(branches_heap(d->list->rows), top, b);
	screen_fit_from(b, at);
}

/* A mark folds its line, or unfolds it. */
static void
click_mark(void *who, size_t line, int y, int x)
{
	struct dominators *d = who;

	(void)x;
	if (y == SPOT_FOCUS || !dominators_usable(d) || line >= d->list->known)
		return;
	d->list->sel = line;
	(chosen(d).open != 0 ? fold : unfold)(d);
}

static void
add_marks(struct dominators *d, struct area a)
{
	struct list	*l = d->list;
	int		 x, w, mark;

	if (!dominators_usable(d) || !list_column(l, "object", &x, &w))
		return;
	for (uint64_t line = l->page_top; line < l->known && line - l->page_top + 1 < (uint64_t)a.h; line++) {
		mark = (int)branches_mark(l->rows, line);
		if (mark < w && !branches_at(l->rows, line).leaf)
			spot_add(&(struct spot){ .area = { a.y + 1 + (int)(line - l->page_top), a.x + x + mark, 1, 1 },
			    .click = click_mark, .who = d, .what = line });
	}
}

/* Names get what the numbers and the reference leave. */
static void
draw(struct pane *p, struct area a)
{
	struct list	*l = list_of(p);
	size_t		 via = a.w < ROOMY_W ? VIA_W : VIA_ROOMY_W, rest = via + (a.w < SHALLOW_W ? NUMBERS_W : ALL_NUMBERS_W);

	l->is.quiet = a.w < SHALLOW_W ? "shallow" : NULL;
	l->is.brief_w = via;
	if (list_usable(l))
		branches_width(l->rows, (size_t)a.w > rest + OBJECT_W ? (size_t)a.w - rest : OBJECT_W);
	list_pane_draw(p, a);
	add_marks(p->data, a);
}

static void
modes(struct pane *p, struct buf *b)
{
	if (dominators_usable(p->data))
		buf_str(b, str_of(kinships[chosen_kinship(p->data)]));
}

static uint32_t
selected(struct pane *p)
{
	struct dominators *d = p->data;

	return dominators_usable(d) ? chosen(d).object : 0;
}

/* The line says the rest; this leaves room for what keys do. */
static void
status(struct pane *p, struct buf *b)
{
	struct dominators *d = p->data;
	uint32_t	 object = selected(p);

	if (!dominators_usable(d))
		return;
	if (object != 0)
		object_name(branches_heap(d->list->rows), object, b);
	screen_fit_from(b, 0);
	buf_str(b, b->n > 0 ? STR("  (") : STR("("));
	list_place(d->list, b);
	buf_chr(b, ')');
}

/* The object that is unfolded, or the one whose branches these are. */
static void
text(struct pane *p, struct buf *b)
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
show(struct pane *p, const struct visit *v)
{
	((struct dominators *)p->data)->wanted = v->id;
	return true;
}

const struct pane_kind pane_dominators = {
	"Dominators", "dominators", SHAPE_GRAPH, IN_TREE | IN_OBJECTS, sizeof(struct dominators),
	LISTS_OF(lists), .places = 1 << PLACE_DOMINATORS,
	.close = pane_close, .reset = reset, .follow = follow,
	.draw = draw, .path = path, .modes = modes, .status = status,
	.act = act, .go = show, .text = text, .object = selected, .keep = dominators_keep, .put = dominators_put,
	.diff = COMPARE_PACKAGES
};
