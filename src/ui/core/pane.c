/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane: the open panes, the visible one, and navigation between them.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_costs.h"
#include "icecore/columns_trace.h"
#include "icecore/dumps.h"
#include "icecore/keys.h"
#include "state.h"

struct pane *
ui_pane(const struct ui *ui)
{
	return ui->pane[ui->cur];
}

void
pane_on(struct pane *p, enum pane_event event)
{
	if (PANE_DOES(p, on[event]) != NULL)
		PANE_DOES(p, on[event])(p);
}

void
pane_tell(struct pane *p, enum tell what, struct buf *b)
{
	if (PANE_DOES(p, tell[what]) != NULL)
		PANE_DOES(p, tell[what])(p, b);
}

bool
pane_act(struct pane *p, enum verb verb)
{
	return PANE_DOES(p, act) != NULL && PANE_DOES(p, act)(p, verb);
}

bool
pane_busy(struct pane *p)
{
	return PANE_DOES(p, busy) != NULL && PANE_DOES(p, busy)(p);
}

uint32_t
pane_selected(struct pane *p)
{
	return PANE_DOES(p, object) != NULL ? PANE_DOES(p, object)(p) : 0;
}

size_t
ui_panes(const struct ui *ui)
{
	return ui->npanes;
}

struct pane *
ui_nth(const struct ui *ui, size_t tab)
{
	return tab < ui->npanes ? ui->pane[tab] : NULL;
}

/* Times of calls, states or samples. */
static bool
has_times(const struct ui *ui)
{
	return (ui_shapes(ui) & (SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_TASKS)) != 0 || store_column(ui_file(ui), COL_SAMPLE_TIME) != NULL;
}

size_t
ui_events(const struct ui *ui)
{
	const struct store *st = ui_file(ui);
	unsigned	 shapes = st != NULL ? load_shapes(st) : 0;
	const struct column *samples = st != NULL ? store_column(st, load_graph_only(shapes) ? COL_COST_SUM : COL_EVENT_SAMPLES) : NULL;
	size_t		 n = (shapes & SHAPE_EVENTS) != 0;

	for (uint64_t i = 0; i < column_rows(samples); i++)
		n += column_get(samples, i) > 0;
	return n;
}

bool
ui_processes(const struct ui *ui)
{
	const struct column *process = ui_file(ui) != NULL ? store_column(ui_file(ui), COL_LISTED_PROCESS) : NULL;
	uint64_t	 first = 0, one;

	for (uint64_t i = 0; i < column_rows(process); i++) {
		one = column_get(process, i);
		if (first != 0 && one != 0 && one != first)
			return true;
		first = one != 0 ? one : first;
	}
	return false;
}

/* Key contexts that this file lacks: several clocks, events, processes or stack dumps, wakers, a Chart, times. */
static uint64_t
lacking(const struct ui *ui)
{
	struct weights	w;
	size_t		n = 0;
	uint64_t	wakers = (ui_shapes(ui) & SHAPE_TASKS) != 0 ? 0 : IN_WAKERS;
	uint64_t	chart = (ui_answers(ui, PLACE_STRETCH) != NULL ? 0 : IN_CHART) | (ui_processes(ui) ? 0 : IN_PROCESSES) |
	    (ui_store(ui) != NULL && dumps_count(ui_store(ui)) > 1 ? 0 : IN_DUMPS) | ((ui_shapes(ui) & SHAPE_COSTS) != 0 ? 0 : IN_COSTS) |
	    (ui_store(ui) != NULL && store_column(ui_store(ui), COL_SERIES_DEPTH) != NULL ? 0 : IN_NESTED);

	if (ui_store(ui) == NULL)
		return IN_CLOCKS | IN_TIMES | IN_EVENTS | wakers | chart;
	weights_of(ui_store(ui), &w);
	for (size_t i = 0; i < CLOCKS; i++)
		n += w.name[i] != NULL;
	return (n > 1 ? 0 : IN_CLOCKS) | (has_times(ui) ? 0 : IN_TIMES) | (ui_events(ui) > 1 ? 0 : IN_EVENTS) | wakers | chart;
}

uint64_t
ui_places(const struct ui *ui)
{
	return ui->where & ~lacking(ui);
}

static void
begin(struct pane *p)
{
	struct task	*t = p->data;

	if (PANE_DOES(p, run) != NULL) {
		t->run = PANE_DOES(p, run);
		t->done = PANE_DOES(p, done);
	}
	pane_on(p, PANE_BEGINS);
}

const char *
pane_name(const struct pane *p)
{
	return p->name[0] != '\0' ? p->name : p->kind->name;
}

/* Remember the query; a query pane is named by its source. */
static void
pane_set_query(struct pane *p, const char *query)
{
	size_t	n = 0;

	buf_str(&p->query, str_of(query));
	while (n + 1 < sizeof p->name && ((query[n] >= 'a' && query[n] <= 'z') || query[n] == '_'))
		n++;
	if ((p->kind->places >> PLACE_QUERY & 1) != 0)
		snprintf(p->name, sizeof p->name, "%.*s", (int)n, query);
}

bool
ui_add(struct ui *ui, const struct pane_kind *kind, const char *query, struct err *err)
{
	struct pane	*p;

	assert(kind->like == NULL || kind->like->like == NULL);
	if (ui->npanes == UI_PANES)
		return fail(err, E_USAGE, "%d panes open; close one with q first", UI_PANES);
	p = mem_array(1, sizeof *p);
	if (p == NULL)
		return fail(err, E_SYSTEM, "out of memory (pane)");
	p->kind = kind;
	p->ui = ui;
	p->stale = true;
	p->from = ui->npanes > 0 ? ui_pane(ui) : NULL;
	p->extra = kind->query == NULL;
	p->data = mem_array(1, kind->size != 0 ? kind->size : kind->nlists * sizeof(struct list *));
	if (p->data == NULL)
		fail(err, E_SYSTEM, "out of memory (pane)");
	else
		begin(p);
	if (p->data == NULL || (PANE_DOES(p, open) != NULL && !PANE_DOES(p, open)(p, query, err))) {
		free(p->data);
		free(p);
		return false;
	}
	if (p->extra)
		pane_set_query(p, query);
	ui->pane[ui->npanes] = p;
	ui->cur = ui->npanes++;
	return true;
}

struct pane *
ui_find(const struct ui *ui, const struct pane_kind *kind)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if (ui->pane[i]->kind == kind)
			return ui->pane[i];
	return NULL;
}

bool
ui_leads_out(const struct pane *p)
{
	return !p->extra && (PANE_DOES(p, inside) == NULL || !PANE_DOES(p, inside)(p));
}

uint64_t
ui_where(const struct ui *ui, const struct pane *p)
{
	uint64_t	where = PANE_DOES(p, now) != NULL ? PANE_DOES(p, now)(p) : p->kind->where;

	if (PANE_DOES(p, now) == NULL && (where & (IN_LIST | IN_FACTS)) == IN_LIST)
		where |= ui_shapes(ui) == SHAPE_CODE ? IN_CODE : ui_shapes(ui) & SHAPE_GRAPH ? IN_OBJECTS : IN_CALLS | IN_CLOCKS | IN_COSTS;
	return (where | (ui->session->nstores > 1 ? IN_TWO : 0)) & ~lacking(ui);
}

void
ui_show(struct ui *ui, const struct pane *p)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if (ui->pane[i] == p)
			ui->cur = i;
}

void
ui_turn(struct ui *ui, bool backward)
{
	ui->cur = (ui->cur + (backward ? ui->npanes - 1 : 1)) % ui->npanes;
}

void
ui_reset(struct ui *ui)
{
	for (size_t i = 0; i < ui->npanes; i++)
		ui->pane[i]->stale = true;
}

static size_t
place_in(const struct pane_kind *const list[], const struct pane_kind *kind)
{
	size_t	i = 0;

	while (list[i] != NULL && list[i] != kind)
		i++;
	return i;
}

/* Sort key of a pane's tab: if context switches were recorded, panes about tasks come first. */
static size_t
tab_of(struct ui *ui, const struct pane *p)
{
	size_t	first = place_in(task_panes, p->kind);

	if ((ui_shapes(ui) & SHAPE_TASKS) == 0)
		return place_in(panes, p->kind);
	return task_panes[first] != NULL ? first : first + place_in(panes, p->kind);
}

/* Sort panes in the order of the table; panes opened later follow. */
static void
sort_panes(struct ui *ui)
{
	struct pane	*p;
	size_t		 k;

	for (size_t i = 1; i < ui->npanes; i++) {
		p = ui->pane[i];
		for (k = i; k > 0 && tab_of(ui, ui->pane[k - 1]) > tab_of(ui, p); k--)
			ui->pane[k] = ui->pane[k - 1];
		ui->pane[k] = p;
	}
}

void
pane_free(struct pane *p)
{
	pane_on(p, PANE_CLOSES);
	buf_free(&p->led);
	buf_free(&p->query);
	free(p->data);
	free(p);
}

/* Remove a pane; panes opened from it will return to the pane where it was opened itself. */
void
ui_remove(struct ui *ui, struct pane *p)
{
	struct pane	*shown = ui_pane(ui) != p ? ui_pane(ui) : p->from;
	size_t		 n = 0;

	for (size_t i = 0; i < ui->npanes; i++) {
		if (ui->pane[i]->from == p)
			ui->pane[i]->from = p->from;
		if (ui->pane[i] != p)
			ui->pane[n++] = ui->pane[i];
	}
	ui->npanes = n;
	if (ui->cur >= ui->npanes)
		ui->cur = ui->npanes - 1;
	if (shown != NULL)
		ui_show(ui, shown);
	history_forget(p);
	pane_free(p);
}

void
ui_close(struct ui *ui)
{
	struct pane	*p = ui_pane(ui);

	if (p->extra)
		ui_remove(ui, p);
}

/* Collect the key contexts of open panes and of panes that can be opened, for help. */
void
ui_find_places(struct ui *ui)
{
	ui->where = 0;
	for (size_t i = 0; called_panes[i] != NULL; i++)
		if (called_panes[i]->shapes == 0 || (called_panes[i]->shapes & ui_shapes(ui)) != 0)
			ui->where |= called_panes[i]->where;
	for (size_t i = 0; i < ui->npanes; i++)
		ui->where |= ui_where(ui, ui->pane[i]) | ui->pane[i]->kind->where;
}

/* Check the file itself, without the view, which may still be of another file. */
static bool
fits_file(struct ui *ui, const struct pane_kind *kind)
{
	struct session	*s = ui->session;
	struct store	*view = s->view;
	bool		 fits;

	s->view = NULL;
	fits = kind->shapes == 0 || ((kind->shapes & ui_shapes(ui)) != 0 &&
	    (kind->fits == NULL || kind->fits(ui)));
	s->view = view;
	return fits;
}

/* Open the panes that fit the file shown, and close the others. */
bool
ui_place(struct ui *ui, struct err *err)
{
	struct pane	*shown = ui_pane(ui), *p;
	bool		 fits;

	for (size_t i = 0; panes[i] != NULL; i++) {
		p = ui_find(ui, panes[i]);
		fits = fits_file(ui, panes[i]);
		if (fits && p == NULL && !ui_add(ui, panes[i], panes[i]->query, err))
			return false;
		if (fits || p == NULL)
			continue;
		if (shown == p)
			shown = NULL;
		ui_remove(ui, p);
	}
	sort_panes(ui);
	ui->cur = 0;
	if (shown != NULL)
		ui_show(ui, shown);
	ui_find_places(ui);
	return true;
}

/* ---- navigation ---------------------------------------------------------- */

/* Return why no pane handles the place, or NULL. */
static const char *
lack(enum place to)
{
	switch (to) {
	case PLACE_METHOD: case PLACE_SANDWICH: case PLACE_CALLS: case PLACE_LARGEST: case PLACE_THREADS:
		return "no calls in this file";
	case PLACE_TIME: case PLACE_TRACK: case PLACE_WINDOW:
		return "no Chart: this file has no tracks and no calls in time order";
	case PLACE_STRETCH:
		return "no calls or tracks to show";
	default:
		return NULL;
	}
}

struct pane *
ui_answers(const struct ui *ui, enum place to)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if (ui->pane[i]->kind->places >> to & 1)
			return ui->pane[i];
	return NULL;
}

struct pane *
ui_asked(const struct ui *ui, const struct pane_kind *kind, struct str query)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if (ui->pane[i]->kind == kind && query.n > 0 && str_eq(buf_view(&ui->pane[i]->query), query))
			return ui->pane[i];
	return NULL;
}

/* Open a pane of a kind that is opened only on request, unless it is open with that query. */
static struct pane *
pane_call(struct ui *ui, const struct visit *v)
{
	const struct pane_kind *const *kind = called_panes;
	struct pane	*was = ui_pane(ui), *p;
	struct err	 err;

	while (*kind != NULL && ((*kind)->places >> v->to & 1) == 0)
		kind++;
	if (*kind == NULL)
		return NULL;
	if (v->query != NULL && (p = ui_asked(ui, *kind, str_of(v->query))) != NULL) {
		/*
		 * Backspace returns to the pane that led here. The pane that it was opened from may itself have been
		 * opened from this one.
		 */
		p->from = was->extra ? p->from : was;
		return p;
	}
	if (!ui_add(ui, *kind, v->query != NULL ? v->query : "", &err)) {
		ui_fail(ui, &err);
		return NULL;
	}
	p = ui_pane(ui);
	p->entered = v->query != NULL;
	if (v->about.n > 0) {
		buf_str(&p->led, was->led.n > 0 ? buf_view(&was->led) : str_of(was->kind->name));
		buf_str(&p->led, str_of(glyph(GLYPH_INTO)));
		buf_str(&p->led, v->about);
	}
	return p;
}

void
ui_visit(struct ui *ui, const struct visit *v)
{
	struct pane	*p = v->query == NULL ? ui_answers(ui, v->to) : NULL;
	struct visit	 visit = *v;
	struct pane	*was = ui_pane(ui);
	const struct pane_kind *came;

	/* Rows of object lists may have no object. */
	if (v->id == 0 && v->to >= PLACE_OBJECT && v->to <= PLACE_RETAINED)
		return;
	if (p == NULL && (p = pane_call(ui, v)) == NULL) {
		if (lack(v->to) != NULL)
			ui_say(ui, "%s", lack(v->to));
		return;
	}
	came = p->came;
	visit.asker = was;
	ui->visiting = p != was;
	if (p != was)
		p->came = was->kind;
	ui_show(ui, p);
	if (PANE_DOES(p, go) != NULL && !PANE_DOES(p, go)(p, &visit)) {
		p->came = came;
		ui_show(ui, was);
	}
	ui->visiting = false;
}

void
ui_go(struct ui *ui, enum place to, uint32_t id)
{
	ui_visit(ui, &(struct visit){ .to = to, .id = id });
}

void
ui_ask(struct ui *ui, const char *query)
{
	ui_visit(ui, &(struct visit){ .to = PLACE_QUERY, .query = query });
}

void
ui_go_time(struct ui *ui, uint32_t thread, uint32_t method)
{
	ui_visit(ui, &(struct visit){ .to = PLACE_TIME, .id = thread, .method = method });
}

void
ui_go_threads(struct ui *ui, const uint32_t *ids, size_t n)
{
	ui_visit(ui, &(struct visit){ .to = PLACE_THREADS, .ids = ids, .n = n });
}

bool
ui_leave(struct pane *p)
{
	struct pane	*to = p->came != NULL ? ui_find(p->ui, p->came) : NULL;

	p->came = NULL;
	if (to != NULL)
		ui_show(p->ui, to);
	return to != NULL;
}
