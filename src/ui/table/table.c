/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table: records of a table, and its columns; files of a directory.
 */
#include "config.h"

#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec records_list[] = { { .quiet = "line", .empty = "no records" } };

static const struct list_spec files_list[] = { {
	.columns = "select name size age kind used path", .quiet = "path", .naming = "name", .named = "path"
} };

static const struct list_spec columns_list[] = { {
	.columns = "select id name kind form empty distinct", .naming = "name", .named = "name"
} };

/* Enter on a column lists its values, most frequent first. */
static bool
act_columns(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	struct buf	 query = BUF_INIT;
	struct cell	 c;
	bool		 ok;

	if (verb != VERB_ENTER)
		return list_act(l, verb);
	buf_str(&query, STR("records | group "));
	ok = list_cell(l, "name", &c) && list_quote(c.text, &query);
	buf_str(&query, STR(" : count | sort -count"));
	if (ok && !query.bad)
		list_ask(l, query.s, "name");
	buf_free(&query);
	return ok;
}

/* Enter opens the file as another one. */
static bool
act_files(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	struct buf	 path = BUF_INIT;
	struct cell	 c;

	if (verb != VERB_ENTER)
		return list_act(l, verb);
	if (list_cell(l, "path", &c))
		text_unescape(&path, c.text);
	look_open(p->ui, path.bad ? STR("") : buf_view(&path), "");
	buf_free(&path);
	return true;
}

#define LIST_OF_TABLE(name, source, shape, places, specs, enter) { name, source, shape, IN_LIST | places, LISTS_OF(specs), \
	.plain = true, .tell[TELL_PATH] = list_pane_path, .act = enter }

const struct pane_kind pane_files = LIST_OF_TABLE("Files", "records", SHAPE_FOLDER, IN_FOLDER, files_list, act_files);
const struct pane_kind pane_records = LIST_OF_TABLE("Records", "records", SHAPE_TABLE, 0, records_list, NULL);
const struct pane_kind pane_columns = LIST_OF_TABLE("Columns", "columns", SHAPE_TABLE, 0, columns_list, act_columns);
