/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * classes: heap panes that are one list: classes, and strings.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_dominators.h"
#include "icecore/keys.h"
#include "heap.h"
#include "ui/list/list.h"

enum { LOADER_W = 100, MADE_LOADER_W = 150 };

/* ---- classes ------------------------------------------------------------- */

/* Until retained sizes are known. */
static const char class_counts[] = "histogram | select objects shallow name id";
static const char class_sizes[] = "classes | select objects shallow retained name loader obfuscated id";
/* Columns if a recording is open beside the dump. */
static const char made_sizes[] =
    "classes | select objects shallow retained alloc_bytes alloc_rate name alloc_site loader obfuscated id class";
/* Queries that compare two dumps. */
static const char grown_counts[] = "histogram | diff | select shallow_delta shallow objects_delta objects name change";
static const char grown_sizes[] =
    "classes | diff | select retained_delta retained objects_delta objects name loader change obfuscated";

static const struct list_spec classes_list[] = { {
	.base = class_counts, .sort = "-shallow", .hide = "id obfuscated class"
} };

static bool
shows_grown(const struct list *l)
{
	return strcmp(l->base, grown_counts) == 0 || strcmp(l->base, grown_sizes) == 0;
}

/* Show the classes of a query, sorted; false: the list has that query already. */
static bool
set_classes(struct list *l, const char *base, const char *sort)
{
	if (strcmp(l->base, base) == 0)
		return false;
	TEXT_COPY(l->sort, sort);
	list_set(l, base, 0);
	return true;
}

static bool
classes_compares(const struct pane *p)
{
	return look_differs(p->ui) && look_two(p->ui, SHAPE_GRAPH);
}

static bool
classes_is_made(const struct pane *p)
{
	return (ui_shapes(p->ui) & SHAPE_MADE) != 0;
}

static bool
choose_classes(struct pane *p)
{
	bool	grown = classes_compares(p);

	if (grown != shows_grown(list_of(p)))
		list_unlimit(list_of(p));
	if (ui_heap_has(p->ui, COL_EACH_PARENT))
		return set_classes(list_of(p), grown ? grown_sizes : classes_is_made(p) ? made_sizes :
		    class_sizes, grown ? "-abs(retained_delta)" : "-retained");
	return set_classes(list_of(p), grown ? grown_counts : class_counts, grown ? "-abs(shallow_delta)" :
	    "-shallow");
}

static void
reset_classes(struct pane *p)
{
	if (!choose_classes(p))
		list_reset(list_of(p));
}

static void
follow_classes(struct pane *p)
{
	if (ui_heap_has(p->ui, COL_EACH_PARENT))
		choose_classes(p);
}

/* True if the row of a comparison is missing in the file that is shown. */
static bool
is_elsewhere(struct pane *p)
{
	return str_eq(list_word(list_of(p), "change"), ui_session(p->ui)->at == 0 ? STR("added") : STR("removed"));
}

/* Open the instances of the selected class, largest first. */
static bool
classes_enter_class(struct pane *p)
{
	struct list	*l = list_of(p);

	if (shows_grown(l) && is_elsewhere(p)) {
		ui_say_hint(p->ui, VERB_OTHER, "class only in the other dump; _ switches to it");
		return true;
	}
	list_open(l, list_object(l) != 0 ? "instances @{id} | select id retained shallow content | sort -retained" :
	    "instances {name} | select id retained shallow content | sort -retained", "name");
	return true;
}

/* On a narrow screen drop columns to leave room for names. */
static void
draw_classes(struct pane *p, struct area a)
{
	list_of(p)->is.quiet = classes_is_made(p) ? (a.w < LOADER_W ? "loader alloc_rate alloc_site" :
	    a.w < MADE_LOADER_W ? "loader alloc_rate" : NULL) :
	    a.w < LOADER_W ? "loader" : NULL;
	list_of(p)->part = !ui_heap_has(p->ui, COL_EACH_PARENT);
	list_pane_draw(p, a);
}

#define SITES 8u

/* Add the allocation sites of a class from the recording. */
static void
classes_add_sites(struct pane *p, uint32_t class, struct items *items)
{
	const struct store *st = ui_store(p->ui);
	uint64_t	 row = store_cell(st, COL_ALLOC_ROW, class),
	    n = store_cell(st, COL_ALLOC_ROWS, class), bytes, old;
	struct buf	 b = BUF_INIT;
	struct str	 site;

	if (row > 0 && n > 0)
		items_head(items, "allocated at");
	for (uint64_t i = row; row > 0 && i < row + n && i < row + SITES; i++) {
		bytes = store_cell(st, COL_MADE_BYTES, i);
		old = store_cell(st, COL_MADE_OLD, i);
		site = column_text(store_column(st, COL_MADE_TEXT), store_cell(st, COL_MADE_SITE, i));
		buf_clear(&b);
		screen_number(&b, "", num_show_size, bytes);
		if (old > 0)
			screen_number(&b, ", ", num_show_count, old);
		buf_str(&b, old > 0 ? STR(" old") : STR(""));
		items_add(items, buf_view(&b), site.n > 0 ? site : STR("unknown"), "");
	}
	buf_free(&b);
}

static void
details_classes(struct pane *p, struct items *items)
{
	struct cell	c;

	list_details(p, items);
	if (classes_is_made(p) && list_cell(list_of(p), "class", &c) && c.type == CELL_ID)
		classes_add_sites(p, (uint32_t)c.u, items);
}

static bool
act_classes(struct pane *p, enum verb verb)
{
	return verb == VERB_ENTER ? classes_enter_class(p) : list_act(list_of(p), verb);
}

const struct pane_kind pane_classes = {
	"Classes", "classes", SHAPE_GRAPH, IN_LIST | IN_OBJECTS,
	LISTS_OF(classes_list), .compares = true,
	.on[PANE_RESET] = reset_classes, .on[PANE_FOLLOWS] = follow_classes, .draw = draw_classes,
	.act = act_classes, .details = details_classes
};

/* ---- strings ------------------------------------------------------------- */

static const char string_values[] = "duplicates strings | "
    "select waste copies arrays length value object";
static const char string_each[] = "strings | "
    "select retained length copies waste coder value object";

static bool
classes_is_grouped(const struct list *l)
{
	return strcmp(l->base, string_values) == 0;
}

static void
strings_opened(struct list *l)
{
	l->is.empty = classes_is_grouped(l) ? "no duplicate strings" : "no strings in this dump";
}

static const struct list_spec strings_list[] = { {
	.base = string_values, .sort = "-waste", .hide = "object", .quiet = "arrays coder",
	.warm_first = true, .opened = strings_opened
} };

/* Duplicate strings of two dumps compared, and of one. */
static const struct list_form string_changes =
    { "duplicates strings | diff value | select waste_delta waste copies_delta copies value change",
	"", "-abs(waste_delta)" };
static const struct list_form string_duplicates = { string_values, "", "-waste" };

static void
reset_strings(struct pane *p)
{
	struct list	*l = list_of(p);
	bool		 differed = strcmp(l->base, string_changes.base) == 0, differs = classes_compares(p);

	if (differs == differed || !list_take(l, differs ? &string_changes : &string_duplicates))
		list_reset(l);
}

/* List all strings with that value, or the one string. */
static bool
enter_string(struct pane *p)
{
	struct list	*l = list_of(p);
	uint32_t	 object = list_object(l);

	if (classes_compares(p) && is_elsewhere(p)) {
		ui_say_hint(p->ui, VERB_OTHER, "string only in the other dump; _ switches to it");
		return true;
	}
	if (!classes_compares(p) && (!classes_is_grouped(l) || object == 0)) {
		ui_go(p->ui, PLACE_OBJECT, object);
		return true;
	}
	/* Filter by value; an object id would mean nothing to the reader. */
	if (!list_open(l, "duplicates strings | where value = {value} | copies | select id retained shallow class "
	    "content | sort -retained",
	    "value"))
		list_open(l, "duplicates strings | where object = {object} | copies | select id retained shallow class "
		    "content | sort -retained",
		    "value");
	return true;
}

static bool
act_strings(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	bool		 grouped = classes_is_grouped(l);

	if (verb == VERB_GROUP && classes_compares(p)) {
		ui_say_hint(p->ui, VERB_DELTA, "diffs show duplicates only; _ shows one file");
		return true;
	}
	if (verb == VERB_GROUP) {
		step_add(p, STEP_GROUP, grouped ? "all strings" : "duplicates");
		list_unlimit(l);
		TEXT_COPY(l->sort, grouped ? "-retained" : "-waste");
		list_set(l, grouped ? string_each : string_values, 0);
		return true;
	}
	return verb == VERB_ENTER ? enter_string(p) : list_act(l, verb);
}

static void
path_strings(struct pane *p, struct buf *b)
{
	struct heap	h;

	if (classes_compares(p))
		buf_str(b, STR("duplicate strings of both dumps"));
	else if (!classes_is_grouped(list_of(p)))
		buf_str(b, STR("all strings"));
	else if (!ui_heap(p->ui, &h) || !told_strings(&h, b))
		buf_str(b, STR("duplicate strings only"));
}

const struct pane_kind pane_strings = {
	"Strings", "strings", SHAPE_TEXTS, IN_STRINGS | IN_OBJECTS,
	LISTS_OF(strings_list),
	.on[PANE_RESET] = reset_strings, .tell[TELL_PATH] = path_strings, .act = act_strings, .compares = true
};
