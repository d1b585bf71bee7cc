/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mark: threads marked in Threads. Panes that fold idle threads do not fold marked ones.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/keys.h"
#include "state.h"

/* Return the marks of the file shown; marks of another file do not count. */
const uint32_t *
mark_list(const struct ui *ui, size_t *n)
{
	*n = ui->marks.file == ui->session->at ? ui->marks.n : 0;
	return ui->marks.id;
}

static size_t
mark_place_of(const struct ui *ui, uint32_t thread, size_t *n)
{
	const uint32_t	*id = mark_list(ui, n);
	size_t		 i;

	for (i = 0; i < *n && id[i] != thread; i++)
		;
	return i;
}

bool
mark_has(const struct ui *ui, uint32_t thread)
{
	size_t	n, at = mark_place_of(ui, thread, &n);

	return at < n;
}

/* Reset panes that fold threads; the Threads pane shows marks without a reset. */
static void
changed(struct ui *ui)
{
	ui->marks.version++;
	for (size_t i = 0; i < ui->npanes; i++)
		ui->pane[i]->stale |= (ui->pane[i]->kind->where & (IN_FLAMES | IN_TIMELINE)) != 0;
}

void
mark_set(struct ui *ui, uint32_t thread, bool marked)
{
	struct mark_state *m = &ui->marks;
	size_t		 n, at = mark_place_of(ui, thread, &n);

	if (marked == (at < n) || (marked && !MEM_ROOM(m->id, m->cap, n)))
		return;
	m->file = ui->session->at;
	m->n = n;
	if (marked)
		m->id[m->n++] = thread;
	else
		m->id[at] = m->id[--m->n];
	changed(ui);
}

void
mark_clear(struct ui *ui)
{
	if (ui->marks.n > 0)
		changed(ui);
	ui->marks.n = 0;
}

unsigned
mark_version(const struct ui *ui)
{
	return ui->marks.version;
}
