/*
 * marks: lists of trace events that are not calls: kinds of asynchronous operations, instant events.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec async_list[] = { {
	.columns = "select name cat count total max points open", .sort = "-total", .named = "name"
} };

static const struct list_spec marks_list[] = { {
	.columns = "select time name scope thread process thread_id", .sort = "time", .naming = "name",
	.hide = "thread_id", .empty = "none in this range"
} };

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

const struct pane_kind pane_async = {
	"Async", "async", SHAPE_MARKS, IN_LIST,
	LISTS_OF(async_list), .plain = true, .tell[TELL_PATH] = list_pane_path, .fits = has_operations,
	.diff = "async | diff name | select total_delta total count_delta count name change | sort -abs(total_delta)"
};

const struct pane_kind pane_marks = {
	"Marks", "marks", SHAPE_MARKS, IN_TASKS | IN_CHART | IN_TIMES,
	LISTS_OF(marks_list), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path, .fits = has_marks,
	.act = act_marks
};
