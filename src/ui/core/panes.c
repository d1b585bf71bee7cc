/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * panes: open the panes that fit the file, in the order of the table, and close panes.
 */
#include "config.h"

#include "state.h"

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
	if (shown == ui->split.beside)
		split_set(ui, false, false, NULL);
	else if (p == ui->split.beside)
		ui->split.beside = NULL;
	ui->npanes = n;
	if (ui->cur >= ui->npanes)
		ui->cur = ui->npanes - 1;
	if (shown != NULL)
		ui_show(ui, shown);
	history_forget(p);
	pane_free(p);
}

void
ui_sweep(struct ui *ui)
{
	for (size_t i = ui->npanes; i-- > 0;)
		if ((ui->pane[i]->superseded || ui->pane[i]->other) && ui->pane[i] != ui_pane(ui) &&
		    ui->pane[i] != ui->split.beside)
			ui_remove(ui, ui->pane[i]);
}

void
ui_close(struct ui *ui)
{
	struct pane	*p = ui_pane(ui);

	if (p->extra)
		ui_remove(ui, p);
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

	if (p->other)
		return SIZE_MAX;
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

/* Check the file itself, without the view, which may still be of another file. */
static bool
fits_file(struct ui *ui, const struct pane_kind *kind)
{
	struct session	*s = ui->main;
	struct store	*view = s->view;
	bool		 fits;

	s->view = NULL;
	fits = kind->shapes == 0 || (ui_suits(ui, kind) && (kind->fits == NULL || kind->fits(ui)));
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
	ui_show(ui, shown != NULL ? shown : ui->pane[0]);
	ui_find_places(ui);
	return true;
}
