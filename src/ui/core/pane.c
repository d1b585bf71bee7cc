/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane: the open panes, and the visible one.
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
	return (ui_shapes(ui) & (SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_TASKS)) != 0 ||
	    store_column(ui_file(ui), COL_SAMPLE_TIME) != NULL;
}

size_t
ui_events(const struct ui *ui)
{
	const struct store *st = ui_file(ui);
	unsigned	 shapes = st != NULL ? load_shapes(st) : 0;
	const struct column *samples = st != NULL ?
	    store_column(st, load_graph_only(shapes) ? COL_COST_SUM : COL_EVENT_SAMPLES) : NULL;
	size_t		 n = (shapes & SHAPE_EVENTS) != 0;

	for (uint64_t i = 0; i < column_rows(samples); i++)
		n += column_get(samples, i) > 0;
	return n;
}

bool
ui_processes(const struct ui *ui)
{
	const struct column *process = ui_file(ui) != NULL ? store_column(ui_file(ui), COL_LISTED_PROCESS) :
	    NULL;
	uint64_t	 first = 0, one;

	for (uint64_t i = 0; i < column_rows(process); i++) {
		one = column_get(process, i);
		if (first != 0 && one != 0 && one != first)
			return true;
		first = one != 0 ? one : first;
	}
	return false;
}

/* Key contexts that this file lacks: several clocks, events, processes or stack dumps, wakers, Stack chart, times. */
static uint64_t
lacking(const struct ui *ui)
{
	struct weights	w;
	size_t		n = 0;
	uint64_t	at, wakers = (ui_shapes(ui) & SHAPE_TASKS) != 0 ? 0 : IN_WAKERS;
	uint64_t	chart = (ui_answers(ui, PLACE_STRETCH) != NULL ? 0 : IN_CHART) | (ui_processes(ui) ?
	    0 : IN_PROCESSES) |
	    (ui_store(ui) != NULL && (dumps_count(ui_store(ui)) > 1 || load_dumps(ui_file(ui), &at) > 0) ? 0 :
	    IN_DUMPS) | ((ui_shapes(ui) & SHAPE_COSTS) != 0 ? 0 : IN_COSTS) |
	    (ui_store(ui) != NULL && store_column(ui_store(ui), COL_SERIES_DEPTH) != NULL ? 0 : IN_NESTED);

	if (ui_store(ui) == NULL)
		return IN_CLOCKS | IN_TIMES | IN_EVENTS | wakers | chart;
	weights_of(ui_store(ui), &w);
	for (size_t i = 0; i < CLOCKS; i++)
		n += w.name[i] != NULL;
	return (n > 1 ? 0 : IN_CLOCKS) | (has_times(ui) ? 0 : IN_TIMES) | (ui_events(ui) > 1 ? 0 :
	    IN_EVENTS) | wakers | chart;
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
		return fail(err, E_USAGE, "%d panes open; %s", UI_PANES,
		    hint(VERB_CLOSE, "close one with _ first").s);
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
	ui->pane[ui->npanes++] = p;
	ui_show(ui, p);
	return true;
}

struct pane *
ui_find(const struct ui *ui, const struct pane_kind *kind)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if (ui->pane[i]->kind == kind && !ui->pane[i]->other)
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
		where |= ui_shapes(ui) == SHAPE_CODE ? IN_CODE : ui_shapes(ui) & SHAPE_GRAPH ? IN_OBJECTS :
		    IN_CALLS | IN_CLOCKS | IN_COSTS | ((ui_shapes(ui) & (SHAPE_TABLE | SHAPE_FOLDER)) == SHAPE_TABLE ?
		    IN_TABLE : 0);
	/* Another heap dump changes the rows of all panes. */
	if ((ui_shapes(ui) & SHAPE_GRAPH) != 0)
		where |= IN_DUMPS;
	return (where | (ui->session->nstores > 1 ? IN_TWO : 0)) & ~lacking(ui);
}

void
ui_show(struct ui *ui, const struct pane *p)
{
	for (size_t i = 0; i < ui->npanes && !ui->split.couples; i++)
		if (ui->pane[i] == p) {
			if (p == ui->split.beside) {
				ui->split.beside = ui_pane(ui);
				ui->split.right = !ui->split.right;
				ui->split.turned = true;
			}
			ui->cur = i;
		}
	split_enter(ui, ui_pane(ui)->other);
}

void
ui_turn(struct ui *ui, bool backward)
{
	size_t	at;

	/* The pane of the other file has no tab. */
	if (ui_pane(ui)->other)
		ui_show(ui, ui->split.beside);
	at = ui->cur;
	do
		at = (at + (backward ? ui->npanes - 1 : 1)) % ui->npanes;
	while (ui->pane[at]->other);
	ui_show(ui, ui->pane[at]);
}

void
ui_reset(struct ui *ui)
{
	for (size_t i = 0; i < ui->npanes; i++)
		ui->pane[i]->stale = true;
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

bool
ui_suits(const struct ui *ui, const struct pane_kind *kind)
{
	return kind->shapes == 0 || (kind->shapes & ui_shapes(ui)) != 0;
}

/* Collect the key contexts of open panes and of panes that can be opened, for help. */
void
ui_find_places(struct ui *ui)
{
	ui->where = 0;
	for (size_t i = 0; called_panes[i] != NULL; i++)
		if (ui_suits(ui, called_panes[i]))
			ui->where |= called_panes[i]->where;
	for (size_t i = 0; i < ui->npanes; i++)
		ui->where |= ui_where(ui, ui->pane[i]) | ui->pane[i]->kind->where;
}

struct pane *
ui_answers(const struct ui *ui, enum place to)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if ((ui->pane[i]->kind->places >> to & 1) != 0 && !ui->pane[i]->other)
			return ui->pane[i];
	return NULL;
}

bool
ui_leave(struct pane *p)
{
	struct pane	*to = p->came != NULL ? ui_find(p->ui, p->came) : NULL;

	if (p->ui->split.couples)
		return false;
	p->came = NULL;
	if (to != NULL)
		ui_show(p->ui, to);
	return to != NULL;
}
