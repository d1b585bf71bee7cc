/*
 * methods: the list of methods, and below it who calls the selected one
 * and whom it calls.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/list/list.h"

enum focus { FOCUS_METHODS, FOCUS_CALLERS, FOCUS_CALLEES, FOCUSES };

enum { SPLIT_H = 12, SPLIT_W = 60, BACK_MAX = 64 };

struct methods {
	struct list	*list[FOCUSES];
	enum focus	 focus;
	struct weights	 w;		/* of what is shown */
	uint64_t	 shown;		/* method whose neighbours are asked for */
	unsigned	 version;	/* of ui_version(ui), for which the callers were asked */
	uint64_t	 back[BACK_MAX];
	size_t		 nback;
};

static struct list *
focused(struct pane *p)
{
	struct methods	*m = p->data;

	return m->list[m->focus];
}

/* ---- opening ------------------------------------------------------------- */

static void
pane_close(struct pane *p)
{
	struct methods	*m = p->data;
	size_t		 i;

	for (i = 0; i < FOCUSES; i++)
		list_free(m->list[i]);
	free(m);
}

static bool
pane_open(struct pane *p, const char *query, struct err *err)
{
	struct methods	*m = mem_array(1, sizeof *m);
	size_t		 i;

	(void)query;
	if (m == NULL)
		return fail(err, E_SYSTEM, "no memory for a pane");
	p->data = m;
	m->list[FOCUS_METHODS] = list_new(p, "methods",
	    "select self total calls method signature obfuscated id", "-self");
	m->list[FOCUS_CALLERS] = list_new(p, "", "", "");
	m->list[FOCUS_CALLEES] = list_new(p, "", "", "");
	for (i = 0; i < FOCUSES; i++)
		if (m->list[i] == NULL) {
			pane_close(p);
			return fail(err, E_SYSTEM, "no memory for a pane");
		}
	m->list[FOCUS_METHODS]->hide = "id obfuscated";
	m->list[FOCUS_METHODS]->quiet = "signature";
	m->list[FOCUS_METHODS]->named = "method";
	for (i = FOCUS_CALLERS; i < FOCUSES; i++) {
		m->list[i]->hide = "method_id";
		m->list[i]->mute = true;
	}
	for (i = 0; i < FOCUSES; i++)
		m->list[i]->role = list_delta_role;
	return true;
}

/* ---- the neighbours follow the selection --------------------------------- */

/* The weights are the samples: one column tells both. */
static bool
counts_samples(const struct weights *w)
{
	return w->type == WEIGHT_COUNT && str_eq(w->unit, STR("samples"));
}

/* The columns of callers and callees. */
static const char *
neighbour_columns(const struct weights *w, enum clock clock)
{
	if (w->differs)
		return "total_delta total_after method method_id";
	if (!w->clocks)
		return counts_samples(w) ? "percent method total method_id" :
		    "percent method total samples method_id";
	return clock == CLOCK_OFF ? "percent method total_wall calls method_id" :
	    "percent method total calls method_id";
}

static void
ask_neighbours(struct methods *m, uint64_t id, enum clock clock)
{
	static const char *const words[FOCUSES] = { "", "callers", "callees" };
	char	query[160];
	size_t	i;

	m->shown = id;
	for (i = FOCUS_CALLERS; i < FOCUSES; i++) {
		snprintf(query, sizeof query, "methods | where id = %" PRIu64 " | %s | select %s",
		    id, words[i], neighbour_columns(&m->w, clock));
		list_set(m->list[i], query, 0);
	}
}

static bool
step(struct pane *p, uint64_t deadline)
{
	struct methods	*m = p->data;
	uint64_t	 id;

	(void)deadline;
	if (m->focus != FOCUS_METHODS)
		return false;
	id = list_id(m->list[FOCUS_METHODS]);
	if (id != 0 && id != m->shown && !m->list[FOCUS_METHODS]->task.given)
		ask_neighbours(m, id, ui_session(p->ui)->clock);
	return false;
}

static void
choose_columns(struct list *l, const struct weights *w)
{
	if (w->differs)
		list_columns(l, "select total_delta self_delta total_after total_before method kind id", "-total_delta");
	else if (w->clocks)
		list_columns(l, "select self total calls method signature obfuscated id", "-self");
	else
		list_columns(l, counts_samples(w) ? "select self total method kind id" :
		    "select self total samples method kind id", "-self");
}

static void
reset(struct pane *p)
{
	struct methods	*m = p->data;
	size_t		 i;

	weights_of(ui_store(p->ui), &m->w);
	choose_columns(m->list[FOCUS_METHODS], &m->w);
	m->shown = 0;
	list_reset(m->list[FOCUS_METHODS]);
	/* They follow; what they show is of the store that was. */
	if (m->version != ui_version(p->ui))
		for (i = FOCUS_CALLERS; i < FOCUSES; i++)
			list_forget(m->list[i]);
	m->version = ui_version(p->ui);
}

static void
forget(struct pane *p)
{
	struct methods	*m = p->data;
	size_t		 i;

	for (i = 0; i < FOCUSES; i++)
		list_forget(m->list[i]);
	m->shown = m->nback = 0;
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw_title(struct area a, const char *name, bool focus)
{
	screen_fill(a.y, a.x, a.w, ROLE_DIM, LOOK_PLAIN, GLYPH_RULE, false);
	screen_puts(a.y, a.x + 2, a.w - 2, ROLE_TITLE, focus ? LOOK_REVERSE : LOOK_BOLD, name);
}

static void
draw_neighbours(struct methods *m, struct area a)
{
	struct area	left = { a.y + 1, a.x, a.h - 1, a.w / 2 };
	struct area	right = { a.y + 1, a.x + a.w / 2 + 1, a.h - 1, a.w - a.w / 2 - 1 };
	int		y;

	draw_title((struct area){ a.y, left.x, 1, left.w + 1 }, " callers ",
	    m->focus == FOCUS_CALLERS);
	draw_title((struct area){ a.y, right.x, 1, right.w }, " callees ",
	    m->focus == FOCUS_CALLEES);
	for (y = 1; y < a.h; y++)
		screen_puts(a.y + y, right.x - 1, 1, ROLE_DIM, LOOK_PLAIN, glyph(GLYPH_BAR));
	list_draw(m->list[FOCUS_CALLERS], left, m->focus == FOCUS_CALLERS);
	list_draw(m->list[FOCUS_CALLEES], right, m->focus == FOCUS_CALLEES);
}

static void
draw_one(struct methods *m, struct area a)
{
	enum focus	f = m->focus == FOCUS_CALLEES ? FOCUS_CALLEES : FOCUS_CALLERS;
	struct area	below = { a.y + 1, a.x, a.h - 1, a.w };

	draw_title(a, f == FOCUS_CALLERS ? " callers " : " callees ", m->focus == f);
	list_draw(m->list[f], below, m->focus == f);
}

/* A low pane shows the list that has the keys. */
static void
draw(struct pane *p, struct area a)
{
	struct methods	*m = p->data;
	int		 top = a.h < SPLIT_H ? a.h : (a.h - 1) / 2 + 1;
	struct area	 above = { a.y, a.x, top, a.w };
	struct area	 below = { a.y + top, a.x, a.h - top, a.w };

	p->area = a;
	if (a.h < SPLIT_H && m->focus != FOCUS_METHODS) {
		draw_one(m, a);
		return;
	}
	list_draw(m->list[FOCUS_METHODS], above, m->focus == FOCUS_METHODS);
	if (below.h > 0 && a.w >= SPLIT_W)
		draw_neighbours(m, below);
	else if (below.h > 0)
		draw_one(m, below);
}

/* ---- keys ---------------------------------------------------------------- */

static void
show_method(struct methods *m, uint64_t id)
{
	m->focus = FOCUS_METHODS;
	m->shown = 0;
	list_goto(m->list[FOCUS_METHODS], id);
}

static void
remember(struct methods *m)
{
	uint64_t	id = list_id(m->list[FOCUS_METHODS]);

	if (id == 0)
		return;
	if (m->nback == BACK_MAX)
		memmove(m->back, m->back + 1, --m->nback * sizeof *m->back);
	m->back[m->nback++] = id;
}

static void
enter(struct pane *p)
{
	struct methods	*m = p->data;
	uint64_t	 id = list_id(focused(p));

	if (id == 0)
		return;
	if (m->focus == FOCUS_METHODS)
		ui_go(p->ui, PLACE_CALLS, (uint32_t)id);
	else {
		remember(m);
		show_method(m, id);
	}
}

static bool
act(struct pane *p, enum verb verb)
{
	struct methods	*m = p->data;
	uint64_t	 id;

	switch (verb) {
	case VERB_FOCUS:
		m->focus = (m->focus + 1) % FOCUSES;
		return true;
	case VERB_ENTER:
		enter(p);
		return true;
	case VERB_GOTO:
		id = list_id(focused(p));
		if (id != 0)
			ui_go(p->ui, PLACE_CALLS, (uint32_t)id);
		return true;
	case VERB_TIME:
		id = list_id(focused(p));
		if (id != 0)
			ui_go_time(p->ui, ui_method_thread(p->ui, (uint32_t)id), (uint32_t)id);
		return true;
	case VERB_ON_THREADS:
		id = list_id(focused(p));
		if (id != 0)
			look_threads(p->ui, (uint32_t)id);
		return true;
	case VERB_BACK:
		if (m->focus != FOCUS_METHODS)
			m->focus = FOCUS_METHODS;
		else if (m->nback > 0)
			show_method(m, m->back[--m->nback]);
		return true;
	default:
		return list_act(focused(p), verb);
	}
}

static void
modes(struct pane *p, struct buf *b)
{
	ui_weight(p->ui, b);
}

static void
frame(struct pane *p, struct buf *b)
{
	struct cell	c;

	if (list_cell(focused(p), "method", &c) && c.type == CELL_TEXT)
		buf_str(b, c.text);
}

static void
text(struct pane *p, struct buf *b)
{
	list_look_text(focused(p), b);
}

static bool
go(struct pane *p, const struct visit *v)
{
	remember(p->data);
	show_method(p->data, v->id);
	return true;
}

const struct pane_kind pane_methods = {
	.name = "Methods",
	.what = "the methods, their callers and callees",
	.query = "methods",
	.shapes = SHAPE_TREES,
	.fits = ui_has_calls,
	.where = IN_METHODS,
	.format = FORMAT_TSV,
	.open = pane_open,
	.close = pane_close,
	.reset = reset,
	.forget = forget,
	.step = step,
	.draw = draw,
	.act = act,
	.modes = modes,
	.list = focused,
	.status = list_pane_status,
	.copy = list_pane_copy,
	.text = text,
	.frame = frame,
	.places = 1 << PLACE_METHOD,
	.go = go,
	.find = list_pane_find
};
