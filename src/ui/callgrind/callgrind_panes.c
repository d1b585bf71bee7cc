/*
 * callgrind_panes: functions of a call graph with costs, its arcs and its events.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec costs_list[] = { {
	.columns = "select self self_pct total total_pct calls cycle name file object id", .sort = "-self", .naming = "name",
	.named = "name", .hide = "id", .quiet = "file object"
} };

static const struct list_spec arcs_list[] = { {
	.columns = "select cost cost_pct calls caller callee caller_id callee_id", .sort = "-cost", .naming = "callee",
	.hide = "caller_id callee_id"
} };

static const struct list_spec cost_events_list[] = { { .columns = "select name total current", .named = "name" } };

/* Enter on a function: its callers, and below them what it calls. */
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

/* Enter on an arc: all calls of its callee. */
static bool
act_arcs(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	uint64_t	 id = list_number(l, "callee_id");
	struct buf	 q = BUF_INIT;

	if (verb != VERB_ENTER || id == 0)
		return list_act(l, verb);
	buf_printf(&q, "callers @%" PRIu64 " | select cost cost_pct calls caller callee | sort -cost", id);
	if (!q.bad)
		list_ask(l, q.s, NULL);
	buf_free(&q);
	return true;
}

#define LIST_OF_COSTS(name, source, specs, enter) { name, source, SHAPE_COSTS, IN_LIST, LISTS_OF(specs), .plain = true, \
	.tell[TELL_PATH] = list_pane_path, .act = enter }

const struct pane_kind pane_costs = LIST_OF_COSTS("Methods", "methods", costs_list, act_costs);
const struct pane_kind pane_arcs = LIST_OF_COSTS("Arcs", "arcs", arcs_list, act_arcs);
const struct pane_kind pane_cost_events = LIST_OF_COSTS("Events", "events", cost_events_list, NULL);
