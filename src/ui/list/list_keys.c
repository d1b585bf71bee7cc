/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list_keys: keys and clicks in a list.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

/* ---- sorting, filtering, scrolling --------------------------------------- */

static void
set_sort(struct list *l, int col, enum order order)
{
	static const char *const before[] = { [ORDER_RISING] = "", [ORDER_FALLING] = "-",
	    [ORDER_CHANGE] = "-abs(" };
	struct buf	 by = BUF_INIT, key = BUF_INIT;

	buf_str(&key, str_of(before[order]));
	column_put_name(&l->now.rows->cols[col], &key);
	buf_str(&key, order == ORDER_CHANGE ? STR(")") : STR(""));
	if (key.bad || key.n >= sizeof l->sort) {
		ui_say(l->pane->ui, "column name too long to sort by");
		buf_free(&key);
		return;
	}
	if (column_order_told(l, (size_t)col, order, &by))
		buf_str(&by, STR(", largest first"));
	else {
		column_title(&l->now.rows->cols[col], &by);
		buf_str(&by, order == ORDER_RISING ? STR(", ascending") : STR(", descending"));
	}
	step_add(l->pane, STEP_SORT, "sort");
	TEXT_COPY(l->sort, key.s);
	buf_free(&key);
	/* Rows and columns may have changed. */
	list_reset(l);
	ui_say(l->pane->ui, "sorted by %s", by.bad ? "" : by.s);
	buf_free(&by);
}

static void
step_sort(struct list *l, int by)
{
	int	n = (int)l->now.rows->ncols, col;
	enum order order;

	col = column_sorted(l, &order);
	if (col < 0)
		col = by > 0 ? n - 1 : 0;
	for (int i = 0; i < n; i++) {
		col = (col + by + n) % n;
		if (!column_is_hidden(l, (size_t)col))
			break;
	}
	set_sort(l, col, column_order(l, (size_t)col));
}

/* Cycle the order of a delta column: largest growth, largest decrease, largest change. */
static enum order
next_order(const struct list *l, int col, enum order order)
{
	if (order == ORDER_CHANGE)
		return ORDER_FALLING;
	return order == ORDER_FALLING ? ORDER_RISING : column_is_delta(&l->now.rows->cols[col]) ?
	    ORDER_CHANGE : ORDER_FALLING;
}

static void
reverse(struct list *l)
{
	enum order order;
	int	col = column_sorted(l, &order);

	if (col >= 0)
		set_sort(l, col, next_order(l, col, order));
	else
		ui_say_hint(l->pane->ui, VERB_SORT_RIGHT, "press _ to choose a sort column first");
}

static void
filter_entered(void *asker, const char *line)
{
	struct list	*l = asker;

	if (l->now.rows != NULL)
		list_limit(l, line);
}

/* Clear the filter.  If C also clears the view, undoing that step restores the filter, too. */
static bool
list_keys_clear(struct list *l)
{
	struct ui	*ui = l->pane->ui;

	if (l->filter == NULL)
		return false;
	if (l->pane->extra || *look_now(ui) == '\0')
		list_limit(l, "");
	else {
		list_unlimit(l);
		list_again(l);
	}
	return true;
}

/* Scroll until a column other than the naming one disappears, as long as a column lacks room. */
static void
step_right(struct list *l)
{
	bool	gone = false, whole;

	/* Keys before this one, but after the last frame, may have scrolled. */
	if (!l->page.ok && l->page.w > LIST_MARGIN) {
		memset(l->page.shown, 0, sizeof l->page.shown);
		columns_fit(l, (size_t)l->page.w - LIST_MARGIN, l->page.shown);
	}
	whole = l->page.more == 0;
	for (size_t col = 0; col < COLUMNS_MAX; col++)
		whole &= l->page.shown[col] == 0 || l->page.shown[col] >= l->page.width[col];
	if (whole && l->left == 0)
		ui_say(l->pane->ui, "all columns are shown");
	else if (whole)
		ui_say(l->pane->ui, "no later columns; < scrolls back");
	if (whole)
		return;
	for (size_t col = l->left; col < l->now.rows->ncols; col++) {
		if (column_is_hidden(l, col))
			continue;
		if (gone) {
			l->left = col;
			return;
		}
		gone = col != column_naming(l);
	}
}

static bool
list_keys_choose(struct list *l, enum verb verb)
{
	switch (verb) {
	case VERB_CLEAR:
		return list_keys_clear(l);
	case VERB_SORT_LEFT: case VERB_SORT_RIGHT:
		step_sort(l, verb == VERB_SORT_LEFT ? -1 : 1);
		break;
	case VERB_REVERSE:
		reverse(l);
		break;
	case VERB_FILTER:
		prompt_open(PROMPT_LINE, "&", "", filter_entered, l);
		prompt_offer(l->filter == NULL ? ui_search(l->pane->ui) : "");
		break;
	case VERB_LEFT:
		while (l->left > 0 && column_is_hidden(l, --l->left))
			continue;
		break;
	case VERB_RIGHT:
		step_right(l);
		break;
	default:
		return false;
	}
	l->page.ok = false;
	return true;
}

static bool
list_keys_move(struct list *l, enum verb verb)
{
	if (!key_moves(verb, &l->sel, l->now.known, l->page.h > 1 ? l->page.h - 1 : 1))
		return false;
	if (verb == VERB_BOTTOM) {
		l->to_end = !l->now.all;
		list_want(l, ROWS_ALL);
	}
	list_ready(l, l->sel, l->sel + 1);
	return true;
}

bool
list_act(struct list *l, enum verb verb)
{
	if (l->now.rows == NULL && verb == VERB_ENTER) {
		ui_heap_stop(l->pane->ui, false);
		list_reset(l);
		return true;
	}
	if (l->is.fixed != NULL && (verb == VERB_SORT_LEFT || verb == VERB_SORT_RIGHT ||
	    verb == VERB_REVERSE ||
	    verb == VERB_FILTER)) {
		ui_say(l->pane->ui, "%s", l->is.fixed);
		return true;
	}
	return (verb == VERB_ENTER && l->is.opens != NULL && list_open(l, l->is.opens, l->is.about)) ||
	    (list_usable(l) && (list_keys_move(l, verb) || list_keys_choose(l, verb)));
}

/* ---- clicks -------------------------------------------------------------- */

static void
list_keys_take_focus(struct list *l)
{
	struct pane	*p = l->pane;

	for (size_t i = 0; i < p->kind->nlists; i++)
		if (((struct list **)p->data)[i] == l)
			p->focus = i;
}

static void
click_row(void *who, size_t what, int y, int x)
{
	struct list	*l = who;

	(void)what;
	(void)x;
	list_keys_take_focus(l);
	if (y != SPOT_FOCUS && list_usable(l) && l->page.top + (uint64_t)y < l->now.known)
		l->sel = l->page.top + (uint64_t)y;
}

static void
click_head(void *who, size_t col, int y, int x)
{
	struct list	*l = who;
	enum order	 order;
	int		 sorted;

	(void)y;
	(void)x;
	list_keys_take_focus(l);
	if (!list_usable(l) || col >= l->now.rows->ncols)
		return;
	sorted = column_sorted(l, &order);
	if (l->is.fixed != NULL)
		ui_say(l->pane->ui, "%s", l->is.fixed);
	else
		set_sort(l, (int)col, sorted == (int)col ? next_order(l, sorted, order) :
		    column_order(l, col));
	l->page.ok = false;
}

/* h: lines of the bar. */
static void
click_thumb(void *who, size_t h, int y, int x)
{
	struct list	*l = who;

	(void)x;
	list_keys_take_focus(l);
	if (list_usable(l) && l->now.known > 0 && h > 1)
		l->sel = (uint64_t)((double)y / (double)(h - 1) * (double)(l->now.known - 1));
}

bool
list_column(const struct list *l, const char *column, int *x, int *w)
{
	int	col = l->now.rows == NULL ? -1 : rows_column(l->now.rows, str_of(column));

	if (col < 0 || col >= COLUMNS_MAX || l->page.shown[col] == 0)
		return false;
	*x = LIST_MARGIN;
	*w = (int)l->page.shown[col];
	while (col-- > 0)
		*x += l->page.shown[col] > 0 ? (int)l->page.shown[col] + COLUMN_GAP : 0;
	return true;
}

/* Rows, with column names above them. */
void
list_spots(struct list *l, struct area a, int head)
{
	int	x = a.x + LIST_MARGIN, w;

	spot_add(&(struct spot){ .area = { a.y + head, a.x, a.h - head, a.w }, .click = click_row, .who = l,
	    .enters = true });
	if (l->now.known > (uint64_t)(a.h - head))
		spot_add(&(struct spot){ .area = { a.y + head, a.x + a.w - 1, a.h - head, 1 }, .click = click_thumb,
		    .who = l, .what = (size_t)(a.h - head) });
	for (size_t col = 0; head > 0 && col < COLUMNS_MAX && x < a.x + a.w; col++) {
		if (l->page.shown[col] == 0)
			continue;
		w = (int)l->page.shown[col] < a.x + a.w - x ? (int)l->page.shown[col] : a.x + a.w - x;
		spot_add(&(struct spot){ .area = { a.y, x, 1, w }, .click = click_head, .who = l,
		    .what = col });
		x += w + COLUMN_GAP;
	}
}

/* ---- ways to other panes -------------------------------------------------- */

void
list_ask(struct list *l, const char *query, const char *column)
{
	struct visit	v = { .to = PLACE_QUERY, .query = query };

	if (column != NULL)
		v.about = list_word(l, column);
	ui_visit(l->pane->ui, &v);
}

/* Append the cell of the selected row; false: it has none, or its number is 0. */
static bool
add_row_cell(struct list *l, struct str column, struct buf *query)
{
	bool		optional = str_has_suffix(column, STR("?"));
	char		name[64];
	struct cell	c;

	snprintf(name, sizeof name, "%.*s", (int)(column.n - optional), column.s);
	if (!list_cell(l, name, &c))
		return false;
	if (c.type == CELL_TEXT || c.type == CELL_NONE)
		return (c.type == CELL_TEXT || optional) &&
		    list_quote(c.type == CELL_TEXT ? c.text : STR(""), query);
	buf_printf(query, "%" PRIu64, c.u);
	return c.u != 0 || optional;
}

bool
list_fill(struct list *l, const char *form, struct buf *query)
{
	struct str	rest = str_of(form), part;
	bool		ok = true;

	while (ok && str_split(&rest, '{', &part)) {
		buf_str(query, part);
		ok = rest.n == 0 || (str_split(&rest, '}', &part) && add_row_cell(l, part, query));
	}
	return ok && !query->bad;
}

bool
list_open(struct list *l, const char *form, const char *about)
{
	struct buf	query = BUF_INIT;
	bool		ok = list_fill(l, form, &query);

	if (ok)
		list_ask(l, query.s, about);
	buf_free(&query);
	return ok;
}

static bool
list_time(struct list *l, struct cell *start, struct cell *length)
{
	return list_cell(l, "start_wall", start) && start->type == CELL_TIME &&
	    list_cell(l, "wall", length) && length->type == CELL_TIME &&
	    ui_answers(l->pane->ui, PLACE_STRETCH) != NULL;
}

bool
list_has_time(struct list *l)
{
	struct cell	start, length;

	return list_time(l, &start, &length);
}

bool
list_enter_time(struct list *l, uint32_t thread)
{
	struct cell	start, length;

	if (!list_time(l, &start, &length))
		return false;
	if (thread == 0)
		ui_visit(l->pane->ui, &(struct visit){ .to = PLACE_WINDOW, .from = start.u,
		    .until = start.u + (length.u > 0 ? length.u : 1) });
	else
		ui_visit(l->pane->ui, &(struct visit){ .to = PLACE_STRETCH, .id = thread, .from = start.u,
		    .until = start.u + length.u,
	    .method = (uint32_t)list_number(l, "call_of") });
	return true;
}

bool
list_act_stretch(struct list *l, enum verb verb, const char *thread, const char *start, const char *length)
{
	uint64_t	at = list_number(l, start), id = list_number(l, thread);

	if ((verb != VERB_ENTER && verb != VERB_TIME) || id == 0)
		return list_act(l, verb);
	ui_visit(l->pane->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)id, .from = at,
	    .until = at + (length != NULL ? list_number(l, length) : 1) });
	return true;
}

uint32_t
list_object(struct list *l)
{
	struct cell	c;

	if ((ui_shapes(l->pane->ui) & SHAPE_GRAPH) == 0)
		return 0;
	if (!list_cell(l, "object", &c) && !list_cell(l, "id", &c) &&
	    !list_cell(l, "thread_id", &c))
		return 0;
	return c.type == CELL_ID && c.u < UINT32_MAX ? (uint32_t)c.u : 0;
}

/* ---- processes ------------------------------------------------------------ */

/* Only rows of processes have both an id of the process and the number of its threads. */
uint64_t
list_process(struct list *l)
{
	struct cell	pid, threads;
	uint64_t	n = 0;

	if ((ui_shapes(l->pane->ui) & SHAPE_TASKS) == 0 || !list_cell(l, "threads", &threads) ||
	    threads.type != CELL_COUNT ||
	    threads.u == 0 || !list_cell(l, "pid", &pid) || pid.type != CELL_TEXT)
		return 0;
	return num_u64(pid.text, 10, &n) ? n : 0;
}

void
list_enter_process(struct list *l)
{
	char	query[60];

	snprintf(query, sizeof query, "tasks | where pid = %" PRIu64 " | sort -cpu", list_process(l));
	list_ask(l, query, "name");
}

/* ---- stack dumps ---------------------------------------------------------- */

/* Get the row of 'threads' of a stack dump that the row is about: only rows of threads tell how a holder is known. */
bool
list_stack_cell(struct list *l, struct cell *c)
{
	struct cell	known;

	return (ui_shapes(l->pane->ui) & SHAPE_DUMPS) != 0 &&
	    (list_cell(l, "row", c) || (list_cell(l, "known", &known) && list_cell(l, "id", c))) &&
	    c->type == CELL_ID && c->u != 0;
}

void
list_enter_stack(struct list *l, uint32_t row)
{
	char	query[32];

	snprintf(query, sizeof query, "stack %" PRIu32, row);
	list_ask(l, query, NULL);
}
