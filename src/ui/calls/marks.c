/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marks: lists of trace events that are not calls: frames, kinds of asynchronous operations, flows,
 * counters, instant events.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec frames_list[] = { {
	.columns = "select overrun wall expected late tag process jank token start_wall layer on_time present severity "
	"gpu display kind main_id as thread_id",
	.sort = "-overrun", .naming = "jank", .brief = "process", .brief_w = 24,
	.hide = "thread_id on_time severity gpu display",
	.quiet = "layer present kind", .empty = "no frames in this range"
} };

struct async {
	struct list	*list;
	struct folds	 folds;
};

/* Kinds of slices of a nested track are below a heading. */
static struct rows *
async_wrap(struct list *l, struct rows *in, struct err *err)
{
	return pools_wrap(in, "track", l->sort, &((struct async *)l->pane->data)->folds, err);
}

static const struct list_spec async_list[] = { {
	.columns = "select name cat count total max points open process process_id", .sort = "-total",
	.named = "name", .hide = "of_name process_id", .wrap = async_wrap
} };

enum { PROCESSES_W = 120 };	/* minimum width to show processes */

/* Frames have a pane of their own. */
static const struct list_spec flows_list[] = { {
	.columns = "where cat != frame | select delay from from_thread from_process to to_thread to_process start name "
	"cat from_id to_id from_method to_method", .sort = "-delay",
	.naming = "name", .hide = "cat from_id to_id from_method to_method",
	.brief = "from_thread to_thread", .brief_w = 20,
	.empty = "no flows in this range, except those of frames"
} };

static const struct list_spec counters_list[] = { {
	.columns = "select counter key process points min max last unit process_id id", .sort = "-points",
	.naming = "counter", .hide = "process_id id thread_id"
} };

static const struct list_spec marks_list[] = { {
	.columns = "select time name scope thread process thread_id", .sort = "time", .naming = "name",
	.hide = "thread_id", .empty = "none in this range"
} };

static bool
has_frames(const struct ui *ui)
{
	return column_rows(store_column(ui_store(ui), COL_FRAME_START)) > 0;
}

static bool
has_operations(const struct ui *ui)
{
	return column_rows(store_column(ui_store(ui), COL_OPERATION_NAME)) > 0;
}

static bool
has_counters(const struct ui *ui)
{
	return column_rows(store_column(ui_store(ui), COL_COUNTER_NAME)) > 0;
}

static bool
has_marks(const struct ui *ui)
{
	return column_rows(store_column(ui_store(ui), COL_INSTANT_TIME)) > 0;
}

static void
async_close(struct pane *p)
{
	idmap_free(&((struct async *)p->data)->folds.pool);
	list_pane_close(p);
}

static void
async_reset(struct pane *p)
{
	if (store_column(ui_store(p->ui), COL_SERIES_DEPTH) != NULL)
		list_columns(list_of(p), "select name track cat count total max points open process name as of_name "
		    "process_id", "-total");
	list_reset(list_of(p));
}

/* Enter: the slices of a kind; those of a frame have names of their own. */
static bool
act_async(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	struct buf	 query = BUF_INIT;
	struct cell	 name, cat;
	bool		 ok;

	if (pools_act(l, &((struct async *)p->data)->folds, verb))
		return true;
	if (verb != VERB_ENTER || (!list_cell(l, "of_name", &name) && !list_cell(l, "name", &name)) ||
	    !list_cell(l, "cat", &cat))
		return list_act(l, verb);
	ok = list_fill(l, "async_spans | where cat = {cat?}", &query) &&
	    (str_has_suffix(name.text, STR(" Timeline")) ||
	    list_fill(l, list_cell(l, "of_name", &name) ? " and name = {of_name}" : " and name = {name}",
	    &query)) &&
	    (!list_cell(l, "track", &cat) || list_fill(l, " and track = {track?}", &query)) &&
	    list_fill(l, " and process_id = {process_id?}", &query);
	/* From there Enter opens the main thread, unless the row names another one. */
	buf_str(&query, (ui_shapes(p->ui) & SHAPE_TASKS) != 0 ?
	    STR(" | select start_wall wall name process main_id as thread_id detail") :
	    STR(" | select start_wall wall name process thread detail thread_id main_id"));
	buf_str(&query, STR(" | sort -wall"));
	if (ok && !query.bad)
		list_ask(l, query.s, "name");
	buf_free(&query);
	return ok;
}

/* Enter: what the main thread did from the start of the frame to its end. */
static bool
marks_act_frames(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	uint64_t	 at = list_number(l, "start_wall"), wall = list_number(l, "wall"),
	    id = list_number(l, "thread_id");

	if (verb != VERB_ENTER && verb != VERB_TIME)
		return list_act(l, verb);
	ui_visit(p->ui, &(struct visit){ .to = id == 0 ? PLACE_WINDOW : PLACE_STRETCH, .id = (uint32_t)id,
	    .from = at, .until = at + (wall > 0 ? wall : 1), .exactly = true });
	return true;
}

/* In scheduler traces, Stack chart shows the main thread of the process together with the counter. */
static void
counters_reset(struct pane *p)
{
	if ((ui_shapes(p->ui) & SHAPE_TASKS) != 0)
		list_columns(list_of(p), "select counter key process points min max last unit process_id id main_id as "
		    "thread_id", "-points");
	list_reset(list_of(p));
}

/* Count the counters before one that have its name and its process. */
static size_t
counters_same(const struct store *st, uint64_t counter)
{
	static const column_id is[] = { COL_COUNTER_NAME, COL_COUNTER_KEY, COL_COUNTER_PROCESS };
	size_t		 n = 0, k;

	for (uint64_t i = 1; i < counter; i++) {
		for (k = 0; k < NELEM(is) && store_cell(st, is[k], i) == store_cell(st, is[k], counter); k++)
			;
		n += k == NELEM(is);
	}
	return n;
}

/* Enter: the values of the counter over time. */
static bool
act_counters(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	struct buf	 name = BUF_INIT;

	if (verb != VERB_ENTER && verb != VERB_TIME)
		return list_act(l, verb);
	buf_str(&name, list_word(l, "counter"));
	if (list_word(l, "key").n > 0) {
		buf_chr(&name, '.');
		buf_str(&name, list_word(l, "key"));
	}
	if (!name.bad && name.n > 0)
		ui_visit(p->ui, &(struct visit){ .to = PLACE_TRACK,
		    .id = (uint32_t)list_number(l, "thread_id"),
		    .n = counters_same(ui_file(p->ui), list_number(l, "id")),
		    .method = (uint32_t)list_number(l, "process_id"), .about = buf_view(&name) });
	buf_free(&name);
	return true;
}

/* Only lines of a log have priorities. */
static void
marks_reset(struct pane *p)
{
	if (column_rows(store_column(ui_file(p->ui), COL_INSTANT_PRIORITY)) > 0)
		list_columns(list_of(p), "select time priority name scope thread process thread_id", "time");
	list_reset(list_of(p));
}

static bool
act_marks(struct pane *p, enum verb verb)
{
	return list_act_stretch(list_of(p), verb, "thread_id", "time", NULL);
}

static bool
has_flows(const struct ui *ui)
{
	return column_rows(store_column(ui_store(ui), COL_FLOW_START)) > 0;
}

static void
marks_draw_flows(struct pane *p, struct area a)
{
	list_of(p)->is.quiet = a.w < PROCESSES_W ? "from_process to_process" : NULL;
	list_pane_draw(p, a);
}

/* Go to one end of the flow, or to the other one if that is not in a thread. */
static bool
marks_act_flows(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	uint64_t	 at = list_number(l, "start"), from = list_number(l, "from_id"),
	    to = list_number(l, "to_id");
	bool		 end = verb == VERB_GOTO;

	if (verb != VERB_ENTER && verb != VERB_TIME && !end)
		return list_act(l, verb);
	end = end ? to != 0 : from == 0;
	if (from == 0 && to == 0)
		ui_say(p->ui, "neither end of this flow is in a thread");
	else
		ui_visit(p->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)(end ? to : from),
		    .from = at,
		    .until = at + list_number(l, "delay"), .at_end = end,
		    .method = (uint32_t)list_number(l, end ? "to_method" : "from_method") });
	return true;
}

const struct pane_kind pane_frames = {
	"Frames", "frames", SHAPE_MARKS, IN_TASKS | IN_CHART | IN_TIMES,
	LISTS_OF(frames_list), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path,
	    .fits = has_frames, .act = marks_act_frames,
	.diff = "frames | group process tag : count, sum overrun, max wall | diff process tag | select count_delta "
	    "count sum_overrun_delta "
	    "max_wall process tag change | sort -abs(count_delta)"
};

const struct pane_kind pane_async = {
	"Async", "async", SHAPE_MARKS, IN_LIST | IN_NESTED, sizeof(struct async),
	LISTS_OF(async_list), .plain = true,
	.on = { [PANE_CLOSES] = async_close, [PANE_RESET] = async_reset },
	.tell[TELL_PATH] = list_pane_path, .fits = has_operations, .act = act_async,
	.diff = "async | diff name | select total_delta total count_delta count name change | sort -abs(total_delta)"
};

const struct pane_kind pane_flows = {
	"Flows", "flows", SHAPE_MARKS, IN_TASKS | IN_FLOWS | IN_CHART | IN_TIMES,
	LISTS_OF(flows_list), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path,
	    .fits = has_flows, .draw = marks_draw_flows,
	.act = marks_act_flows,
	.diff = "flows | group from to : count, sum delay, max delay | diff from to | select sum_delay_delta sum_delay "
	    "count_delta count from to "
	    "change | sort -abs(sum_delay_delta)"
};

const struct pane_kind pane_counters = {
	"Counters", "counters", SHAPE_MARKS, IN_TASKS | IN_CHART,
	LISTS_OF(counters_list), .plain = true, .tell[TELL_PATH] = list_pane_path, .fits = has_counters,
	    .on[PANE_RESET] = counters_reset,
	.act = act_counters
};

const struct pane_kind pane_marks = {
	"Marks", "marks", SHAPE_MARKS, IN_TASKS | IN_CHART | IN_TIMES,
	LISTS_OF(marks_list), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path,
	    .fits = has_marks,
	.on[PANE_RESET] = marks_reset, .act = act_marks
};
