/*
 * flows: the list of flows between calls: who called whom, and how long it took.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/keys.h"
#include "ui/list/list.h"

enum { PROCESSES_W = 120 };	/* minimum width to show processes */

/* Frames have a pane of their own. */
static const struct list_spec flows_list[] = { {
	.columns = "where cat != frame | select delay from from_thread from_process to to_thread to_process start name cat from_id to_id from_method to_method", .sort = "-delay",
	.naming = "name", .hide = "cat from_id to_id from_method to_method", .brief = "from_thread to_thread", .brief_w = 20, .empty = "no flows in this range"
} };

static bool
has_flows(const struct ui *ui)
{
	return column_rows(store_column(ui_store(ui), COL_FLOW_START)) > 0;
}

static void
flows_draw(struct pane *p, struct area a)
{
	list_of(p)->is.quiet = a.w < PROCESSES_W ? "from_process to_process" : NULL;
	list_pane_draw(p, a);
}

/* Go to one end of the flow, or to the other one if that is not in a thread. */
static bool
flows_act(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	uint64_t	 at = list_number(l, "start"), from = list_number(l, "from_id"), to = list_number(l, "to_id");
	bool		 end = verb == VERB_GOTO;

	if (verb != VERB_ENTER && verb != VERB_TIME && !end)
		return list_act(l, verb);
	end = end ? to != 0 : from == 0;
	if (from == 0 && to == 0)
		ui_say(p->ui, "neither end of this flow is in a thread");
	else
		ui_visit(p->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)(end ? to : from), .from = at,
		    .until = at + list_number(l, "delay"), .at_end = end, .method = (uint32_t)list_number(l, end ? "to_method" : "from_method") });
	return true;
}

const struct pane_kind pane_flows = {
	"Flows", "flows", SHAPE_MARKS, IN_TASKS | IN_FLOWS | IN_CHART | IN_TIMES,
	LISTS_OF(flows_list), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path, .fits = has_flows, .draw = flows_draw,
	.act = flows_act,
	.diff = "flows | group from to : count, sum delay, max delay | diff from to | select sum_delay_delta sum_delay count_delta count from to "
	    "change | sort -abs(sum_delay_delta)"
};
