/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind_pane: functions of a call graph with costs.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec costs_list[] = { {
	.columns = "select self self_pct total total_pct calls cycle name file object id", .sort = "-self", .naming = "name",
	.named = "name", .hide = "id", .quiet = "file object"
} };

/* Enter on a function: arcs from its callers, and to what it calls. */
static bool
act_costs(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	uint64_t	 id = list_number(l, "id");
	struct buf	 q = BUF_INIT;

	if (verb != VERB_ENTER || id == 0)
		return list_act(l, verb);
	buf_printf(&q, "arcs | where callee_id = %" PRIu64 " or caller_id = %" PRIu64 " | select cost cost_pct calls caller callee | sort -cost", id, id);
	if (!q.bad)
		list_ask(l, q.s, NULL);
	buf_free(&q);
	return true;
}

const struct pane_kind pane_costs = { "Methods", "methods", SHAPE_COSTS, IN_LIST, LISTS_OF(costs_list), .plain = true,
	.tell[TELL_PATH] = list_pane_path, .act = act_costs };
