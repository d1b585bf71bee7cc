/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list_pane: functions of panes that consist of lists, and panes with a single list.
 */
#include "config.h"

#include "icecore/keys.h"
#include "lines.h"

enum { SAID_H = 4, SPLIT_H = 12, MEANING_W = 100, VALUE_W = 32, SUMS_MOST = 4 };

static bool
list_pane_open(struct pane *p, const char *query, struct err *err)
{
	struct list	**list = p->data;

	for (size_t i = 0; i < p->kind->nlists; i++) {
		list[i] = list_new(p, &p->kind->lists[i], query);
		if (list[i] == NULL) {
			list_pane_close(p);
			return fail(err, E_SYSTEM, "out of memory (pane)");
		}
	}
	return true;
}

static void
list_pane_each(struct pane *p, void (*does)(struct list *))
{
	struct list	**list = p->data;

	for (size_t i = 0; i < p->kind->nlists; i++)
		does(list[i]);
}

void
list_pane_close(struct pane *p)
{
	list_pane_each(p, list_free);
}

static void
reset_asked(struct list *l)
{
	if (l->base[0] != '\0')
		list_reset(l);
}

static void
list_pane_reset(struct pane *p)
{
	list_pane_each(p, reset_asked);
}

void
list_pane_forget(struct pane *p)
{
	list_pane_each(p, list_forget);
}

void
list_pane_draw(struct pane *p, struct area a)
{
	list_draw(list_of(p), a, true);
}

void
list_pane_draw_said(struct pane *p, struct area a, const char *column, const char *title)
{
	int list_h = a.h < SPLIT_H ? a.h : a.h - SAID_H;
	struct area below = { a.y + list_h, a.x, a.h - list_h, a.w };
	struct buf said = BUF_INIT;

	list_pane_draw(p, (struct area){ a.y, a.x, list_h, a.w });
	if (below.h == 0)
		return;
	screen_fill(below.y, below.x, below.w, ROLE_DIM, LOOK_PLAIN, GLYPH_RULE, false);
	screen_puts(below.y, below.x + 2, below.w - 2, ROLE_TITLE, LOOK_BOLD, title);
	screen_fit(&said, list_word(list_of(p), column));
	screen_words((struct area){ below.y + 1, below.x, below.h - 1, below.w }, ROLE_NORMAL,
	    buf_view(&said));
	buf_free(&said);
}

void
list_pane_path(struct pane *p, struct buf *b)
{
	size_t	at = b->n;

	if (p->led.n > 0)
		buf_str(b, buf_view(&p->led));
	else {
		ui_command_options(p->ui, b);
		list_rows_text(list_of(p), b);
	}
	screen_fit_from(b, at);
}

static bool
busy(struct pane *p)
{
	return list_of(p)->task.given;
}

static bool
list_pane_partial(struct pane *p)
{
	return list_partial(list_of(p));
}

static bool
listpane_act(struct pane *p, enum verb verb)
{
	return list_act(list_of(p), verb);
}

static void
unmark(struct pane *p)
{
	list_pane_each(p, list_unmark);
}

static void
list_pane_text(struct pane *p, struct buf *b)
{
	(p->kind->plain ? list_text : list_look_text)(list_of(p), b);
}

static void
limits(struct pane *p, struct buf *b)
{
	if (list_of(p)->chip != NULL)
		buf_printf(b, "%s\n", list_of(p)->chip);
}

static uint32_t
list_pane_object(struct pane *p)
{
	return list_object(list_of(p));
}

const struct pane_kind list_pane = {
	.open = list_pane_open, .draw = list_pane_draw, .partial = list_pane_partial, .busy = busy,
	.on = { [PANE_CLOSES] = list_pane_close, [PANE_RESET] = list_pane_reset,
	[PANE_FORGETS] = list_pane_forget, [PANE_UNMARKS] = unmark },
	.tell = {
		[TELL_STATUS] = list_status, [TELL_COPY] = list_copy, [TELL_QUERY] = list_pane_text,
		    [TELL_FILE] = list_pane_file_text,
		[TELL_SORTED] = list_sorted, [TELL_SUBJECT] = list_subject,
		[TELL_LIMITS] = limits
	},
	.act = listpane_act, .find = list_find, .place = &list_places,
	.object = list_pane_object, .details = list_details, .legend = list_legend
};

/* ---- panes with one list: the result of a query, information about the file --------- */

/*
 * Append a condition for the rows that have the value of the selected row; false: it has no such column, or a text too
 * long.
 */
static bool
add_same(struct list *l, const char *column, struct buf *b)
{
	int	col = rows_column(l->now.rows, str_of(column));
	struct cell	c;

	if (col < 0 || !list_cell(l, column, &c))
		return false;
	column_put_name(&l->now.rows->cols[col], b);
	buf_str(b, c.type == CELL_NONE ? STR(" is null") : STR(" = "));
	if (c.type == CELL_TEXT)
		return list_quote(c.text, b);
	cell_plain(&c, b);
	return true;
}

/*
 * Append the query for the rows of the selected group; false if the list has no group stage, or not by columns alone.
 */
static bool
group_query(struct list *l, struct buf *b)
{
	struct buf	names = BUF_INIT;
	struct str	before;
	const char	*key;
	bool		ok = list_has_row(l) && query_find_stage(str_of(l->base), "group", &before, &names) &&
	    names.n > 0;
	size_t		at = 0;

	if (ok)
		buf_str(b, before);
	for (size_t n = 0; ok && placed_next(&names, &at, &key); n++) {
		buf_str(b, n > 0 ? STR(" and ") : STR("| where "));
		ok = add_same(l, key, b);
	}
	buf_free(&names);
	return ok && !b->bad;
}

/* Append the given columns that the rows have; return their number. */
static size_t
list_pane_add_columns(struct rows *r, const char *word, const char *sign, const char *const *names,
    size_t n, struct buf *text)
{
	size_t	had = 0;

	for (size_t i = 0; i < n; i++)
		if (rows_column(r, str_of(names[i])) >= 0) {
			buf_printf(text, "%s %s%s", had == 0 ? word : "", sign, names[i]);
			had++;
		}
	return had;
}

/* Append stages that sort by size and show it, if the rows have a size; false: the query fails. */
static bool
list_pane_sort_rows(struct ui *ui, struct buf *text)
{
	static const char *const sizes[] = { "retained", "shallow" };
	static const char *const shown[] = { "id", "object", "retained", "shallow", "objects",
	    "class", "name", "kind", "length", "thread", "frame", "reachable" };
	struct reply	 a;
	struct err	 err;
	bool		ok = query_ask(&a, buf_view(text), ASK_READY, ui_session(ui), NULL, &err);

	if (ok && list_pane_add_columns(a.rows, " | sort", "-", sizes, NELEM(sizes), text) > 0)
		list_pane_add_columns(a.rows, " | select", "", shown, NELEM(shown), text);
	reply_close(&a);
	return ok && !text->bad;
}

void
list_land(struct pane *p, const char *column, struct str text)
{
	struct list	*l;

	if (p->kind->like != &list_pane || column[0] == '\0' || text.n == 0)
		return;
	l = list_of(p);
	list_set_name(&l->kept, column, text);
	list_unlimit(l);
	l->id = l->sel = 0;
	if (!p->stale)
		list_again(l);
}

/* Destination of Enter on the selected row. */
enum list_way { WAY_NONE, WAY_EVENT, WAY_CODE, WAY_CLASS, WAY_OBJECT, WAY_GROUP, WAY_METHOD, WAY_THREAD,
    WAY_STACK, WAY_COSTS, WAY_PROCESS };

/* Append sums of the columns with numbers, except the one that groups. */
static void
list_pane_add_sums(const struct rows *r, const char *column, struct buf *b)
{
	for (size_t i = 0, n = 0; i < r->ncols && n < SUMS_MOST; i++)
		if (r->cols[i].mostly == MOSTLY_NUMBERS && strcmp(r->cols[i].name, column) != 0) {
			buf_str(b, STR(", sum "));
			column_put_name(&r->cols[i], b);
			n++;
		}
}

bool
list_group(struct list *l, const char *source, const char *column, const char *about)
{
	struct buf	text = BUF_INIT;
	struct reply	a;
	struct err	err;
	bool		ok;

	buf_str(&text, str_of(source));
	ok = query_ask(&a, buf_view(&text), ASK_READY, ui_session(l->pane->ui), NULL, &err);
	buf_str(&text, STR(" | group "));
	name_quote(&text, str_of(column), true);
	buf_str(&text, STR(" : count"));
	if (ok)
		list_pane_add_sums(a.rows, column, &text);
	buf_str(&text, STR(" | sort -count"));
	reply_close(&a);
	if (!text.bad)
		list_ask(l, text.s, about);
	buf_free(&text);
	return true;
}

/* Group the rows of the query, with its filter, by the sort column. */
static bool
group_sorted(struct list *l)
{
	struct buf	text = BUF_INIT;
	enum order	order;
	int		col = list_usable(l) ? column_sorted(l, &order) : -1;

	buf_str(&text, str_of(l->base));
	if (l->filter != NULL)
		buf_printf(&text, " | where %s", l->filter);
	if (col < 0)
		ui_say_hint(l->pane->ui, VERB_SORT_RIGHT, "press _ to choose the column to group by");
	else if (!text.bad)
		list_group(l, text.s, l->now.rows->cols[col].name, NULL);
	buf_free(&text);
	return true;
}

static bool
enter_group(struct pane *p)
{
	struct buf	text = BUF_INIT;
	bool		ok = group_query(list_of(p), &text) && list_pane_sort_rows(p->ui, &text);

	if (ok)
		ui_ask(p->ui, text.s);
	buf_free(&text);
	return ok;
}

/* Get the id of the row's thread, or of the main thread of its process: rows of threads have both id and tid. */
static bool
thread_cell(struct list *l, struct cell *c)
{
	struct cell	tid;

	return (list_cell(l, "thread_id", c) && c->u != 0) || list_cell(l, "main_id", c) ||
	    ((ui_shapes(l->pane->ui) & SHAPE_DUMPS) == 0 && list_cell(l, "tid", &tid) &&
	    list_cell(l, "id", c));
}

/* Compare names: views that group frames or compare files number methods differently. */
static bool
list_pane_is_shown(struct pane *p, uint32_t method)
{
	struct buf	name = BUF_INIT;
	struct str	shown;
	bool		same;

	method_name(ui_store(p->ui), method, &name);
	shown = list_word(list_of(p), "method");
	same = shown.n == 0 || str_eq(buf_view(&name), shown);
	buf_free(&name);
	if (!same)
		ui_say_hint(p->ui, VERB_UNDO, "this method is hidden by the filters; _ undoes");
	return same;
}

/* A method of bytecode or a bug: show its instructions. */
static void
enter_code(struct pane *p)
{
	struct cell	at;

	look_code(p->ui, (uint32_t)list_number(list_of(p), "code_id"),
	    list_cell(list_of(p), "offset", &at) && at.type == CELL_COUNT ? at.u + 1 : 0);
}

/* Only rows of events say which one is current. */
static bool
list_pane_names_event(struct list *l, struct cell *name)
{
	struct cell	current;

	return list_cell(l, "current", &current) && current.type == CELL_BOOL &&
	    list_cell(l, "name", name) && name->type == CELL_TEXT;
}

void
list_event(struct ui *ui, struct str name)
{
	struct buf	stage = BUF_INIT;

	buf_str(&stage, STR("event "));
	if (name.n == 0)
		buf_clear(&stage);
	else if (!list_quote(name, &stage)) {
		ui_say(ui, "event name too long");
		goto out;
	}
	look_add(ui, "event", buf_view(&stage));
	ui_say(ui, "%s in all panes; %s", name.n > 0 ? stage.s : "calls", hint(VERB_UNDO, "_ undoes").s);
out:
	buf_free(&stage);
}

/* Show that event in all panes, and return to where the events were asked for. */
static void
enter_event(struct pane *p)
{
	struct cell	name;

	if (list_number(list_of(p), "samples") == 0)
		ui_say(p->ui, "no samples of this event; see its rows in Intervals");
	else if (list_pane_names_event(list_of(p), &name)) {
		list_event(p->ui, name.text);
		ui_close(p->ui);
	}
}

static bool
is_group(struct list *l)
{
	struct buf	query = BUF_INIT;
	bool		yes = group_query(l, &query);

	buf_free(&query);
	return yes;
}

/* Find the subject of the selected row, and its id if it has one. */
static enum list_way
list_pane_way(struct list *l, uint32_t *id)
{
	struct cell	c;

	if (list_pane_names_event(l, &c))
		return WAY_EVENT;
	if ((*id = (uint32_t)list_costs_function(l)) != 0)
		return WAY_COSTS;
	*id = list_object(l);
	if (list_number(l, "code_id") != 0)
		return WAY_CODE;
	if (list_number(l, "class_id") != 0)
		return WAY_CLASS;
	if (*id != 0)
		return WAY_OBJECT;
	if (is_group(l))
		return WAY_GROUP;
	if (ui_shapes(l->pane->ui) & SHAPE_GRAPH)
		return WAY_NONE;
	if (list_cell(l, "method_id", &c) && c.type == CELL_ID && c.u != 0) {
		*id = (uint32_t)c.u;
		return WAY_METHOD;
	}
	if (list_stack_cell(l, &c)) {
		*id = (uint32_t)c.u;
		return WAY_STACK;
	}
	if (list_process(l) != 0)
		return WAY_PROCESS;
	*id = thread_cell(l, &c) && c.type == CELL_ID ? (uint32_t)c.u : 0;
	return *id != 0 || list_has_time(l) ? WAY_THREAD : WAY_NONE;
}

/* Only panes of the split screen get the visits; a list beside this one selects the row of the same name. */
void
list_pane_side(struct pane *p)
{
	static const char *const names[] = { "method", "class", "thread", "task", "name" };
	struct list	*l = p->kind->like == &list_pane ? list_of(p) : NULL;
	struct ui	*ui = p->ui;
	struct pane	*to = split_beside(ui);
	struct cell	 c;
	uint32_t	 id = l != NULL && thread_cell(l, &c) && c.type == CELL_ID ? (uint32_t)c.u : 0;
	bool		 lists = to->kind->like == &list_pane && list_usable(list_of(to));

	if (id != 0 && !list_enter_time(l, id)) {
		ui_go_time(ui, id, 0);
		ui_go_threads(ui, &id, 1);
	}
	id = l != NULL ? (uint32_t)list_number(l, "method_id") : 0;
	if (id != 0) {
		ui_go(ui, PLACE_METHOD, id);
		ui_go(ui, PLACE_CALLS, id);
	}
	for (size_t i = 0; l != NULL && lists && i < NELEM(names); i++)
		if (list_word(l, names[i]).n > 0 && rows_column(list_of(to)->now.rows, str_of(names[i])) >= 0) {
			list_land(to, names[i], list_word(l, names[i]));
			break;
		}
}

static bool
list_pane_enter(struct pane *p)
{
	uint32_t	id;

	switch (list_pane_way(list_of(p), &id)) {
	case WAY_EVENT:
		enter_event(p);
		return true;
	case WAY_CODE:
		enter_code(p);
		return true;
	case WAY_CLASS:
		return list_open(list_of(p), "methods | where class_id = {class_id}", "class");
	case WAY_OBJECT:
		ui_go(p->ui, PLACE_OBJECT, id);
		return true;
	case WAY_GROUP:
		return enter_group(p);
	case WAY_METHOD:
		if (list_pane_is_shown(p, id))
			ui_go(p->ui, PLACE_METHOD, id);
		return true;
	case WAY_THREAD:
		if (!list_enter_time(list_of(p), id))
			ui_go_threads(p->ui, &id, 1);
		return true;
	case WAY_STACK:
		list_enter_stack(list_of(p), id);
		return true;
	case WAY_COSTS:
		list_costs_calls(list_of(p));
		return true;
	case WAY_PROCESS:
		list_enter_process(list_of(p));
		return true;
	case WAY_NONE:
		break;
	}
	return false;
}

bool
list_pane_offers(struct pane *p, enum verb verb)
{
	uint32_t	id;

	return verb != VERB_ENTER || list_of(p)->now.rows == NULL ||
	    list_pane_way(list_of(p), &id) != WAY_NONE;
}

bool
list_pane_act(struct pane *p, enum verb verb)
{
	if (verb == VERB_BYTECODE && list_number(list_of(p), "code_id") != 0)
		enter_code(p);
	else if (verb == VERB_BYTECODE)
		ui_say(p->ui, "this row has no method");
	if (verb == VERB_BACK && p->entered) {
		ui_close(p->ui);
		return true;
	}
	if (verb == VERB_GOTO && list_costs_lines(list_of(p)))
		return true;
	if (verb == VERB_GROUP && (ui_where(p->ui, p) & IN_TABLE) != 0)
		return group_sorted(list_of(p));
	return verb == VERB_BYTECODE || (verb == VERB_ENTER && list_pane_enter(p)) ||
	    list_act(list_of(p), verb);
}

static const struct list_spec query_list[] = { { .base = NULL, .role = list_row_role } };

const struct pane_kind pane_query = {
	"Query", NULL, 0, IN_LIST,
	LISTS_OF(query_list), .plain = true, .places = 1 << PLACE_QUERY,
	.tell[TELL_PATH] = list_pane_path, .act = list_pane_act, .offers = list_pane_offers
};

/* Omit repairs and losses with a count of 0. */
#define OF_INFO "info | where not (field ~ /^(repair|loss)[.]/ and value = 0)"

static const struct list_spec info_list[] = { { .base = OF_INFO, .named = "field", .brief = "value",
    .brief_w = VALUE_W } };

/* Queries for one file and for a comparison, which shows only differences. */
static const struct list_form info_forms[] = {
	{ OF_INFO, "", "" },
	{ OF_INFO " | diff", "where value < value_before or value > value_before or change != kept | "
	    "select value_delta value value_before field meaning change", "" }
};

static void
reset_info(struct pane *p)
{
	if (!list_take(list_of(p), &info_forms[look_differs(p->ui)]))
		list_reset(list_of(p));
}

/* On a narrow screen values get the room of the meanings, of which one is below the list, wrapped. */
static void
draw_info(struct pane *p, struct area a)
{
	struct list	*l = list_of(p);
	bool		 narrow = a.w < MEANING_W && !look_differs(p->ui);

	l->is.quiet = narrow ? "meaning" : NULL;
	l->is.brief = narrow ? NULL : "value";
	if (narrow)
		list_pane_draw_said(p, a, "meaning", " meaning ");
	else
		list_pane_draw(p, a);
}

const struct pane_kind pane_info = {
	"Info", "info", 0, IN_LIST | IN_FACTS,
	LISTS_OF(info_list), .plain = true, .compares = true,
	.on[PANE_RESET] = reset_info, .draw = draw_info, .act = list_pane_act, .offers = list_pane_offers
};
