/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hints: key hints on the last line, or to the right of the status on screens with few lines.
 */
#include "config.h"

#include <string.h>

#include "icecore/keys.h"
#include "app.h"
#include "ui/list/list.h"

enum { HINTS = 9, NARROW_W = 60, NAMES_W = 80, GAP = 2 };

/* Keys shown between the help key and the quit key, most useful first. */
static const struct hint_row {
	uint64_t	where;
	enum verb	verb[HINTS];
} hints[] = {
	{ IN_HELP, { VERB_FIND, VERB_ENTER } },
	{ IN_OVERLAY, { VERB_FIND, VERB_COPY } },
	{ IN_ICICLE, { VERB_ENTER, VERB_BACK, VERB_EVENT, VERB_FIND, VERB_INVERT, VERB_CLOCK, VERB_GOTO,
	    VERB_TIME, VERB_HIDE } },
	{ IN_SANDWICH, { VERB_ENTER, VERB_BACK, VERB_FIND, VERB_CLOCK, VERB_GOTO, VERB_TIME, VERB_HIDE } },
	{ IN_TIME, { VERB_ENTER, VERB_FOCUS, VERB_NEXT_EVENT, VERB_ZOOM_IN, VERB_RANGE, VERB_GOTO,
	    VERB_FIND, VERB_FIND_ALL } },
	{ IN_TIMELINE, { VERB_ENTER, VERB_ORDER, VERB_NEXT_LONGER, VERB_LINES, VERB_RANGE, VERB_ZOOM_IN } },
	{ IN_PROCESSES, { VERB_ENTER, VERB_SORT_RIGHT, VERB_FIND, VERB_FILTER, VERB_POOLS, VERB_FOLD_ALL,
	    VERB_QUERY } },
	{ IN_TASKS | IN_WAITS, { VERB_ENTER, VERB_SORT_RIGHT, VERB_FIND, VERB_FILTER, VERB_GOTO,
	    VERB_QUERY } },
	{ IN_THREADS, { VERB_ENTER, VERB_SORT_RIGHT, VERB_EVENT, VERB_MARK, VERB_POOLS, VERB_TIME,
	    VERB_CLOCK } },
	{ IN_METHODS, { VERB_ENTER, VERB_SORT_RIGHT, VERB_EVENT, VERB_GROUP, VERB_FOCUS, VERB_FIND,
	    VERB_FILTER, VERB_CLOCK } },
	{ IN_BYTES, { VERB_ENTER, VERB_BACK, VERB_GOTO, VERB_PATH, VERB_FIND, VERB_NAMES } },
	{ IN_TREE, { VERB_UNFOLD, VERB_FOLD_ALL, VERB_ENTER, VERB_PATH, VERB_GROUP, VERB_FIND } },
	{ IN_OBJECT, { VERB_ENTER, VERB_FOCUS, VERB_ENTRIES, VERB_BACK, VERB_WEAK, VERB_DOMINATORS,
	    VERB_PATH } },
	{ IN_STACKS, { VERB_ENTER, VERB_PATH, VERB_FIND, VERB_SORT_RIGHT } },
	{ IN_STRINGS, { VERB_ENTER, VERB_SORT_RIGHT, VERB_GROUP, VERB_FIND, VERB_PATH, VERB_DOMINATORS } },
	{ IN_BITMAPS, { VERB_ENTER, VERB_PATH, VERB_PNG, VERB_GROUP, VERB_FORMAT, VERB_GOTO } },
	{ IN_PICTURE, { VERB_DOWN, VERB_UP, VERB_BACK, VERB_PNG, VERB_FORMAT } },
	{ IN_TRACE, { VERB_ENTER, VERB_BACK, VERB_FOCUS, VERB_PATH, VERB_DOMINATORS, VERB_REFERRERS } },
	{ IN_NO_FINDINGS, { VERB_EXPLAIN, VERB_PROMPT } },
	{ IN_FINDINGS, { VERB_ENTER, VERB_FOCUS, VERB_EXPLAIN, VERB_PATH, VERB_DOMINATORS } },
	{ IN_SUMMARY, { VERB_ENTER, VERB_NEXT_DUMP, VERB_EVENT, VERB_CLOCK, VERB_PATH, VERB_DOMINATORS, VERB_PROMPT } },
	{ IN_CODE, { VERB_ENTER, VERB_SORT_RIGHT, VERB_FIND, VERB_FILTER, VERB_QUERY } },
	{ IN_OBJECTS, { VERB_ENTER, VERB_SORT_RIGHT, VERB_PATH, VERB_DOMINATORS, VERB_FILTER, VERB_QUERY } },
	{ IN_TABLE, { VERB_ENTER, VERB_SORT_RIGHT, VERB_GROUP, VERB_FIND, VERB_FILTER, VERB_QUERY } },
	{ IN_FACTS, { VERB_FIND, VERB_FILTER, VERB_QUERY, VERB_PROMPT } },
	{ IN_FOLDER, { VERB_ENTER, VERB_FIND, VERB_FILTER } },
	{ IN_ALL, { VERB_ENTER, VERB_SORT_RIGHT, VERB_FIND, VERB_FILTER, VERB_QUERY } },
};

bool
hints_row_opened(const struct app *app)
{
	return app->opt->of_row && app->opt->typed != NULL && ui_opened(app->ui) == 1 &&
	    ui_pane(app->ui)->extra;
}

/* The close key closes an opened pane; in a permanent pane it quits, or returns to the list of a row. */
static const char *
hints_word_of(const struct app *app, const struct key *k)
{
	if (k->verb != VERB_CLOSE || !(hints_row_opened(app) || ui_leads_out(ui_pane(app->ui))))
		return k->name;
	return app->opt->of_row ? "list" : "quit";
}

/* The key that shows columns which have no room, or the earlier ones; VERB_NONE: the pane shows all. */
static enum verb
hints_columns(struct pane *p, struct buf *b)
{
	int	h, w;

	screen_size(&h, &w);
	w = w < NAMES_W ? 0 : w / 5;
	if (p->kind->like != &list_pane || !list_usable(list_of(p)))
		return VERB_NONE;
	return columns_fallen(list_of(p), false, (size_t)w, b) ? VERB_RIGHT :
	    columns_fallen(list_of(p), true, (size_t)w, b) ? VERB_LEFT : VERB_NONE;
}

/*
 * Append a key hint; a sort key also names the sort column, a key that scrolls the columns that it shows.  Returns the
 * columns of the key's name.
 */
static size_t
hint_text(const struct app *app, const struct key *k, struct buf *b)
{
	struct pane	*p = ui_pane(app->ui);
	struct str	 name = key_first_name(k);
	size_t		 at;

	if (k->verb == VERB_RIGHT || k->verb == VERB_LEFT) {
		buf_printf(b, "%.*s ", (int)name.n, name.s);
		(void)hints_columns(p, b);
		return name.n;
	}
	buf_printf(b, "%.*s %s", (int)name.n, name.s, hints_word_of(app, k));
	at = b->n;
	if ((k->verb == VERB_SORT_RIGHT || k->verb == VERB_ORDER) &&
	    PANE_DOES(p, tell[TELL_SORTED]) != NULL) {
		buf_str(b, STR(": "));
		pane_tell(p, TELL_SORTED, b);
		b->n = b->n == at + 2 ? at : b->n;
	}
	return name.n;
}

/* ---- choosing keys ------------------------------------------------------- */

struct footer {
	const struct app	*app;
	uint64_t		 where;
	const struct key	*key[HINTS + 6], *last;
	size_t			 n;
};

/* False: the key would only report that it has nothing to work on. */
static bool
is_of_use(struct pane *p, enum verb verb)
{
	if (PANE_DOES(p, offers) != NULL && !PANE_DOES(p, offers)(p, verb))
		return false;
	switch (verb) {
	case VERB_ENTER:
		return PANE_DOES(p, act) != list_pane.act || list_of(p)->is.opens != NULL;
	case VERB_TIME:
		return ui_answers(p->ui, PLACE_TIME) != NULL;
	case VERB_LINES:
		return (ui_shapes(p->ui) & SHAPE_TASKS) != 0;
	case VERB_PATH: case VERB_DOMINATORS:
		return PANE_DOES(p, object) == NULL || pane_selected(p) != 0;
	default:
		return true;
	}
}

static void
hints_add(struct footer *f, enum verb verb)
{
	const struct key *k = key_of(verb, f->where);

	if (k != NULL && ((f->where & IN_OVERLAY) != 0 || is_of_use(ui_pane(f->app->ui), verb)) &&
	    f->n < NELEM(f->key))
		f->key[f->n++] = k;
}

/* Choose the keys: help, then details of a cut status, then comparison of two files, then the hints table. */
static void
hints_choose(struct footer *f, int w, bool cut)
{
	const struct hint_row *h = hints;
	bool		 over = (f->where & IN_OVERLAY) != 0;
	struct buf	 fallen = BUF_INIT;

	while ((h->where & f->where) == 0)
		h++;
	f->last = key_of(over ? VERB_BACK : VERB_CLOSE, f->where);
	hints_add(f, VERB_HELP);
	if (w < NARROW_W && !over)
		return;
	if (cut && !over)
		hints_add(f, VERB_DETAILS);
	if (ui_session(f->app->ui)->nstores > 1 && !over) {
		hints_add(f, VERB_OTHER);
		if (look_alike(f->app->ui))
			hints_add(f, VERB_DELTA);
	}
	for (size_t i = 0; i < HINTS && !compare_lacks(f->app); i++) {
		hints_add(f, h->verb[i]);
		if (i == 0 && (f->where & (IN_LISTS | IN_TREE)) != 0)
			hints_add(f, hints_columns(ui_pane(f->app->ui), &fallen));
	}
	buf_free(&fallen);
}

static int
hints_width_of(const struct footer *f, const struct key *k)
{
	struct buf	b = BUF_INIT;
	int		w;

	hint_text(f->app, k, &b);
	w = (int)text_width(buf_view(&b));
	buf_free(&b);
	return w;
}

/* Choose how many keys fit: help always, quit if both fit.  Returns the total width. */
static int
hints_fit(struct footer *f, int room)
{
	int	last = hints_width_of(f, f->last) + GAP, used = hints_width_of(f, f->key[0]), one;
	size_t	n = 1;

	for (; n < f->n; n++) {
		one = hints_width_of(f, f->key[n]) + GAP;
		if (used + one + last > room)
			break;
		used += one;
	}
	f->n = n;
	if (used + last > room)
		return used;
	f->key[f->n++] = f->last;
	return used + last;
}

void
hints_draw(struct app *app, int y, int x, int w, bool right, bool cut)
{
	struct footer	f = { .app = app, .where = overlay_where(&app->overlays, app->ui) };
	struct buf	b = BUF_INIT;
	int		used;
	size_t		name;

	hints_choose(&f, w, cut);
	used = hints_fit(&f, w - x - (right ? GAP : 0));
	x = right ? w - used : x;
	for (size_t i = 0; i < f.n; i++, x += GAP) {
		buf_clear(&b);
		name = hint_text(app, f.key[i], &b);
		used = screen_put(y, x, w - x, ROLE_KEY, LOOK_PLAIN, str_head(buf_view(&b), name));
		used += screen_put(y, x + used, w - x - used, ROLE_NORMAL, LOOK_PLAIN,
		    str_after(buf_view(&b), name));
		spot_add(&(struct spot){ .area = { y, x, 1, used }, .verb = f.key[i]->verb });
		x += used;
	}
	buf_free(&b);
}
