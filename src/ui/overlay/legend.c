/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * legend: meaning of the pane's colours and marks.
 */
#include "config.h"

#include "icecore/keys.h"
#include "overlay.h"

static void
legend_fill(const struct overlay_of *of, struct items *items)
{
	struct pane	*p = ui_pane(of->ui);

	if (PANE_DOES(p, legend) != NULL && !p->stale)
		PANE_DOES(p, legend)(p, items);
}

const struct overlay_kind overlay_legend = {
	.name = "Legend", .verb = VERB_LEGEND, .where = IN_OVERLAY, .empty = "no colours or marks here",
	.fill = legend_fill
};
