/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_groups: lines of the timeline by process: which rows have a heading, and where rows are drawn.
 */
#include "config.h"

#include "timeline.h"

size_t
timeline_groups_first(const struct timeline *t, size_t row)
{
	while (row > 0 && t->lines.at[row].of_group == 0)
		row--;
	return row;
}

/* The number of lines of the process of a row; 1: it has no heading. */
size_t
timeline_groups_of(const struct timeline *t, size_t row)
{
	const struct tline *l = timeline_groups(t) ? timeline_line(t, row) : NULL;

	return l == NULL || l->together == 0 ? 1 : t->lines.at[timeline_groups_first(t, row)].of_group;
}

/*
 * How many headings are above the line of a row: one for the first line of a process, and one for the first
 * line that is shown.
 */
size_t
timeline_groups_heads(const struct timeline *t, size_t row)
{
	return timeline_groups_of(t, row) > 1 && (t->lines.at[row].of_group > 0 || row == t->at.top);
}

size_t
timeline_groups_row(const struct timeline *t, int y)
{
	size_t	at = 0;

	for (size_t row = t->at.top; y >= 0 && row < timeline_rows(t); row++, at++) {
		at += timeline_groups_heads(t, row);
		if (at >= (size_t)y)
			return at == (size_t)y ? row : SIZE_MAX;
	}
	return SIZE_MAX;
}

/* Scroll so that the selected line is drawn, with the headings above it. */
void
timeline_groups_scroll(struct timeline *t, size_t h)
{
	size_t	need;

	t->at.top = (size_t)key_scroll(t->at.top, t->at.sel, h);
	do {
		need = 0;
		for (size_t row = t->at.top; row <= t->at.sel; row++)
			need += 1 + timeline_groups_heads(t, row);
	} while (need > h && t->at.top < t->at.sel && t->at.top++ < t->at.sel);
}

void
timeline_groups_change(struct timeline *t)
{
	if (t->at.cpus || !ui_processes(t->pane->ui)) {
		ui_say(t->pane->ui, t->at.cpus ? "CPUs are not grouped" : "only one process in this file");
		return;
	}
	step_add(t->pane, STEP_GROUP, t->at.flat ? "by process" : "not grouped");
	timeline_keep(t);
	t->at.flat = !t->at.flat;
	timeline_sort(t);
	timeline_find_kept(t);
}
