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
	LISTS_OF(async_list), .plain = true, .tell[TELL_PATH] = list_pane_path, .fits = has_operations, .act = act_async,
	.diff = "async | diff name | select total_delta total count_delta count name change | sort -abs(total_delta)"
};

const struct pane_kind pane_marks = {
	"Marks", "marks", SHAPE_MARKS, IN_TASKS | IN_CHART | IN_TIMES,
	LISTS_OF(marks_list), .plain = true, .ranged = true, .tell[TELL_PATH] = list_pane_path, .fits = has_marks,
	.act = act_marks
};
