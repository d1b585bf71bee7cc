/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marking: a range of time while the user marks it.
 */
#include "config.h"

#include "marking.h"

static void
marking_ends(const struct marking *m, uint64_t *from, uint64_t *to)
{
	*from = m->at < m->anchor ? m->at : m->anchor;
	*to = num_add(m->at > m->anchor ? m->at : m->anchor, m->cell);
}

void
marking_to(struct marking *m, uint64_t at, uint64_t cell)
{
	if (!m->open)
		m->anchor = at;
	m->open = true;
	m->at = at;
	m->cell = cell > 0 ? cell : 1;
}

bool
marking_shown(const struct marking *m, const struct ui *ui, uint64_t *from, uint64_t *to)
{
	if (!m->open)
		return look_ranged(ui, from, to);
	marking_ends(m, from, to);
	return true;
}

void
marking_set(struct marking *m, struct ui *ui)
{
	uint64_t	from, to;

	marking_ends(m, &from, &to);
	m->open = false;
	axis_choose(ui, from, to);
}

void
marking_drag(struct marking *m, struct ui *ui, const struct axis *a, int from, int to, bool end)
{
	uint64_t	at;

	from -= a->x;
	to -= a->x;
	if (from < 0 || from >= a->w)
		return;
	to = to < 0 ? 0 : to < a->w ? to : a->w - 1;
	m->open = false;
	at = axis_begin(a, from);
	marking_to(m, at, axis_begin(a, from + 1) - at);
	at = axis_begin(a, to);
	marking_to(m, at, axis_begin(a, to + 1) - at);
	if (end)
		marking_set(m, ui);
}

void
marking_status(const struct marking *m, struct buf *b)
{
	uint64_t	from, to;

	marking_ends(m, &from, &to);
	buf_str(b, STR("range "));
	scale_window(b, from, to);
	screen_number(b, " (", num_show_duration, to - from);
	buf_str(b, STR(")  v sets it  Esc cancels"));
}
