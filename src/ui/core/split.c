/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * split: the pane beside the visible one, and the session of the file that it shows.
 */
#include "config.h"

#include "state.h"

bool
split_is(const struct ui *ui)
{
	return ui->split.on;
}

bool
split_files(const struct ui *ui)
{
	return ui->split.on && ui->split.files;
}

/* The first file is always on the left. */
bool
split_right(const struct ui *ui)
{
	return split_files(ui) ? (ui->main->at != 0) != ui->pane[ui->cur]->other : ui->split.right;
}

struct pane *
split_beside(const struct ui *ui)
{
	return ui->split.on ? ui->split.beside : NULL;
}

void
split_set(struct ui *ui, bool split, bool files, struct pane *beside)
{
	struct split_state	*s = &ui->split;

	s->right &= s->on;
	s->on = split;
	s->files = files;
	s->beside = beside;
	s->seen = 0;
}

/* ---- the other file ------------------------------------------------------------ */

void
split_enter(struct ui *ui, bool other)
{
	struct session	*s = &ui->split.session;

	ui->session = ui->main;
	if (!other)
		return;
	*s = *ui->main;
	s->view = NULL;
	s->at = ui->main->at == 0;
	session_choose_clock(s, s->store[s->at]);
	ui->session = s;
}

/* ---- visits while the other pane follows ----------------------------------------- */

bool
split_couples(const struct ui *ui)
{
	return ui->split.couples;
}

void
split_lead(struct ui *ui, const struct visit *v)
{
	struct visit	visit = *v;
	struct pane	*p = ui->split.beside;

	if (v->query != NULL || (p->kind->places >> v->to & 1) == 0 || ui->split.went)
		return;
	visit.asker = ui->pane[ui->cur];
	ui->split.went = PANE_DOES(p, go) != NULL && PANE_DOES(p, go)(p, &visit);
}
