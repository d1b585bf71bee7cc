/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list_costs: keys on rows of call graphs with costs.
 */
#include "config.h"

#include <inttypes.h>

#include "list.h"

/* An arc counts as its other end, if the list is about one: its query begins with "arcs | where callee_id = N". */
uint64_t
list_costs_function(struct list *l)
{
	uint64_t	caller = list_number(l, "caller_id"), callee = list_number(l, "callee_id"), about;
	struct str	before, text;

	if ((ui_shapes(l->pane->ui) & SHAPE_COSTS) == 0)
		return 0;
	if (callee == 0)
		return list_number(l, list_number(l, "function_id") != 0 ||
		    !load_graph_only(ui_shapes(l->pane->ui)) ? "function_id" : "id");
	if (l->base == NULL || !str_divide(str_of(l->base), STR("callee_id = "), &before, &text))
		return callee;
	(void)str_split(&text, ' ', &before);
	return num_u64(before, 10, &about) && about == callee ? caller : callee;
}

/* Open rows of that source, without the columns of numbers of functions. */
static void
list_ask_costs(struct list *l, const char *source, struct str stages)
{
	struct ui	*ui = l->pane->ui;
	struct buf	query = BUF_INIT;
	struct str	event = look_stage(look_wanted(ui), "event");

	buf_printf(&query, "%s%s%.*s", source, event.n > 0 ? " | " : "", (int)event.n, event.s);
	buf_str(&query, stages);
	if (!query.bad)
		ui_ask(ui, query.s);
	buf_free(&query);
	if (ui_pane(ui) != l->pane && (ui_pane(ui)->kind->places >> PLACE_QUERY & 1) != 0)
		list_of(ui_pane(ui))->is.hide = "caller_id callee_id function_id";
}

void
list_costs_calls(struct list *l)
{
	uint64_t	id = list_costs_function(l);
	struct buf	b = BUF_INIT;

	buf_printf(&b, " | where callee_id = %" PRIu64 " or caller_id = %" PRIu64 " | where calls > 0 or cost > 0 | "
	    "select cost cost_pct calls caller callee caller_id callee_id | sort -cost", id, id);
	list_ask_costs(l, "arcs", buf_view(&b));
	buf_free(&b);
}

bool
list_costs_lines(struct list *l)
{
	uint64_t	id = list_costs_function(l);
	struct buf	b = BUF_INIT;

	if (id == 0)
		return false;
	buf_printf(&b, " | where function_id = %" PRIu64 " | where total > 0 | "
	    "select self self_pct total total_pct line file function function_id | sort -self", id);
	list_ask_costs(l, "lines", buf_view(&b));
	buf_free(&b);
	return true;
}
