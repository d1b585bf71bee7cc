/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * couple: the pane of the other file, and how the pane beside the visible one follows the selection.
 */
#include "config.h"

#include "state.h"

bool
couple_open(struct ui *ui, struct err *err)
{
	struct pane	*p = ui_pane(ui), *beside;

	if (!ui_add(ui, p->kind, p->kind->query != NULL ? p->kind->query : p->query.s, err))
		return false;
	beside = ui_pane(ui);
	beside->other = beside->extra = true;
	ui_show(ui, p);
	ui->split.beside = beside;
	ui->split.seen = 0;
	return true;
}

void
couple_turn(struct ui *ui)
{
	struct split_state	 was = ui->split;

	ui_show(ui, ui->split.beside);
	ui->split.right = was.right;
	ui->split.turned = was.turned;
}

/* ---- the selection --------------------------------------------------------------- */

/* By names: ids differ between files. */
static void
couple_files(struct ui *ui, struct pane *p, struct pane *to)
{
	struct pane_at	at = { .kind = to->kind, .extra = to->extra ? to : NULL, .file = ui->main->at,
	    .snapshot = ui->history.snapshot - 1, .use = OF_MARK, .place = BUF_INIT };

	placed_tell(p, OF_MARK, &at.place);
	if (at.place.n > 0 && !at.place.bad)
		placed_come(ui, &at);
	buf_free(&at.place);
}

/* The other pane goes where keys of this one would lead. */
static void
couple_panes(struct ui *ui, struct pane *p, void (*also)(struct pane *))
{
	static const enum verb verbs[] = { VERB_GOTO, VERB_TIME, VERB_SIDE };
	struct message	said = ui->message;

	ui->split.couples = true;
	ui->split.went = false;
	for (enum place to = PLACE_OBJECT; to <= PLACE_RETAINED; to++)
		if (pane_selected(p) != 0)
			ui_go(ui, to, pane_selected(p));
	for (size_t i = 0; i < NELEM(verbs) && !ui->split.went; i++)
		(void)pane_act(p, verbs[i]);
	if (!ui->split.went)
		also(p);
	ui->split.couples = false;
	ui->message = said;
}

void
couple_follow(struct ui *ui, void (*also)(struct pane *))
{
	struct pane	*p = ui_pane(ui), *to = split_beside(ui);
	struct buf	 selected = BUF_INIT;
	uint64_t	 seen;

	if (to == NULL || p->stale || to->stale || pane_busy(p) || pane_busy(to))
		return;
	if (ui->split.files)
		placed_tell(p, OF_MARK, &selected);
	pane_tell(p, TELL_STATUS, &selected);
	seen = idmap_hash_text(buf_view(&selected), (uintptr_t)p);
	buf_free(&selected);
	if (seen == ui->split.seen)
		return;
	ui->split.seen = seen;
	if (ui->split.turned)
		ui->split.turned = false;
	else if (ui->split.files)
		couple_files(ui, p, to);
	else
		couple_panes(ui, p, also);
}
