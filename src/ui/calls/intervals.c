/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * intervals: recorded events with a duration, longest first: pauses, locks, input and output.
 */
#include "config.h"

#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec intervals_list[] = { {
	.columns = "select wall start_wall event thread what bytes at thread_id", .sort = "-wall",
	.hide = "thread_id", .quiet = "at",
	.empty = "no intervals in this range"
} };

/*
 * Enter: open Stack chart at this time; for intervals without thread (stop-the-world pauses) set the range of all
 * panes.
 */
static bool
intervals_act(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	uint64_t	 at = list_number(l, "start_wall"), end = at + list_number(l, "wall"),
	    id = list_number(l, "thread_id");

	if ((verb != VERB_ENTER && verb != VERB_TIME) || end == at)
		return list_act(l, verb);
	look_stretch(p->ui, (uint32_t)id, at, end);
	return true;
}

const struct pane_kind pane_intervals = {
	"Intervals", "intervals", SHAPE_LASTING, IN_WAITS | IN_CHART | IN_TIMES,
	LISTS_OF(intervals_list), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path,
	    .act = intervals_act
};
