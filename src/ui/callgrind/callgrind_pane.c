/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind_pane: functions, lines and arcs of a call graph with costs.
 */
#include "config.h"

#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec costs_list[] = { {
	.columns = "select self self_pct total total_pct calls cycle name file object id", .sort = "-self",
	.naming = "name",
	.named = "name", .hide = "id", .quiet = "file object"
} };

static const struct list_spec lines_list[] = { {
	.columns = "select self self_pct line file function total total_pct function_id", .sort = "-self",
	.naming = "function",
	.hide = "function_id", .quiet = "total total_pct", .empty = "no costs of lines"
} };

static const struct list_spec arcs_list[] = { {
	.columns = "select cost cost_pct calls caller callee caller_id callee_id", .sort = "-cost",
	.hide = "caller_id callee_id",
	.empty = "no calls in this file"
} };

/* A tree has the Methods of profiles. */
static bool
costs_fits(const struct ui *ui)
{
	return load_graph_only(ui_shapes(ui));
}

#define LIST_OF_COSTS(name, source, specs, ...) { name, source, SHAPE_COSTS, IN_LIST | IN_COSTS | IN_EVENTS, \
    LISTS_OF(specs), \
	.act = list_pane_act, .offers = list_pane_offers, __VA_ARGS__ }

const struct pane_kind pane_costs = LIST_OF_COSTS("Methods", "methods", costs_list, .fits = costs_fits,
    .diff = "methods | diff | select self_delta self total_delta total calls_delta change name file | sort "
    "-abs(self_delta)");
const struct pane_kind pane_cost_lines = LIST_OF_COSTS("Lines", "lines", lines_list, .fits = NULL);
const struct pane_kind pane_arcs = LIST_OF_COSTS("Arcs", "arcs", arcs_list,
    .fits = NULL, .diff = "arcs | diff caller callee | select cost_delta cost calls_delta change caller callee | sort "
    "-abs(cost_delta)");
