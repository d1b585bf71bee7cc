/*
 * marks: lists of trace events that are not calls: frames, kinds of asynchronous operations, instant events.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec frames_list[] = { {
	.columns = "select overrun wall expected tag process jank token start_wall layer on_time present severity gpu display kind main_id as thread_id",
	.sort = "-overrun", .naming = "jank", .brief = "process", .brief_w = 24, .hide = "thread_id on_time severity gpu display",
	.quiet = "layer present kind", .empty = "no frames in this range"
} };

static const struct list_spec async_list[] = { {
	.columns = "select name cat count total max points open", .sort = "-total", .named = "name"
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
has_marks(const struct ui *ui)
{
	return column_rows(store_column(ui_store(ui), COL_INSTANT_TIME)) > 0;
}

/* Enter: the slices of a kind; those of a frame have names of their own. */
static bool
act_async(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	struct buf	 query = BUF_INIT;
	struct cell	 name, cat;
	bool		 ok;

	if (verb != VERB_ENTER || !list_cell(l, "name", &name) || !list_cell(l, "cat", &cat))
		return list_act(l, verb);
	buf_str(&query, STR("async_spans | where cat = "));
	ok = list_quote(cat.type == CELL_TEXT ? cat.text : STR(""), &query);
	if (!str_has_suffix(name.text, STR(" Timeline"))) {
		buf_str(&query, STR(" and name = "));
		ok = ok && list_quote(name.text, &query);
	}
	/* From there Enter opens the main thread, unless the row names another one. */
	buf_str(&query, (ui_shapes(p->ui) & SHAPE_TASKS) != 0 ? STR(" | select start_wall wall name process main_id as thread_id detail") :
	    STR(" | select start_wall wall name process thread detail thread_id"));
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
	uint64_t	 at = list_number(l, "start_wall"), wall = list_number(l, "wall"), id = list_number(l, "thread_id");

	if (verb != VERB_ENTER && verb != VERB_TIME)
		return list_act(l, verb);
	if (id == 0)
		ui_say(p->ui, "main thread unknown");
	else
		ui_visit(p->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)id, .from = at, .until = at + (wall > 0 ? wall : 1),
		    .exactly = true });
	return true;
}

static bool
act_marks(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	uint64_t	 at = list_number(l, "time"), id = list_number(l, "thread_id");

	if ((verb != VERB_ENTER && verb != VERB_TIME) || id == 0)
		return list_act(l, verb);
	ui_visit(p->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)id, .from = at, .until = at + 1 });
	return true;
}

const struct pane_kind pane_frames = {
	"Frames", "frames", SHAPE_MARKS, IN_TASKS | IN_CHART | IN_TIMES,
	LISTS_OF(frames_list), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path, .fits = has_frames, .act = marks_act_frames,
	.diff = "frames | group process tag : count, sum overrun, max wall | diff process tag | select count_delta count sum_overrun_delta "
	    "max_wall process tag change | sort -abs(count_delta)"
};

const struct pane_kind pane_async = {
	"Async", "async", SHAPE_MARKS, IN_LIST,
	LISTS_OF(async_list), .plain = true, .tell[TELL_PATH] = list_pane_path, .fits = has_operations, .act = act_async,
	.diff = "async | diff name | select total_delta total count_delta count name change | sort -abs(total_delta)"
};

const struct pane_kind pane_marks = {
	"Marks", "marks", SHAPE_MARKS, IN_TASKS | IN_CHART | IN_TIMES,
	LISTS_OF(marks_list), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path, .fits = has_marks,
	.act = act_marks
};
