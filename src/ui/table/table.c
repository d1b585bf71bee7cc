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
	.columns = "select name kind distinct empty min median max histogram top form id",
	.naming = "name", .named = "name",
	.spare = "median top form id"
} };

/* The values of the column of a row. */
static bool
act_columns(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	struct buf	 name = BUF_INIT;

	if (verb != VERB_ENTER && verb != VERB_GROUP)
		return list_act(l, verb);
	buf_str(&name, list_word(l, "name"));
	if (name.n > 0 && !name.bad)
		list_group(l, "records", name.s, "name");
	buf_free(&name);
	return true;
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

#define LIST_OF_TABLE(name, source, shape, places, specs, enter, ...) { name, source, shape, IN_LIST | places, \
    LISTS_OF(specs), \
	.plain = true, .tell[TELL_PATH] = list_pane_path, .act = enter, __VA_ARGS__ }

const struct pane_kind pane_files = LIST_OF_TABLE("Files", "records", SHAPE_FOLDER, IN_FOLDER, files_list,
    act_files, .diff = NULL);
const struct pane_kind pane_records = LIST_OF_TABLE("Records", "records", SHAPE_TABLE, IN_TABLE, records_list,
    list_pane_act,
    .offers = list_pane_offers);
const struct pane_kind pane_columns = LIST_OF_TABLE("Columns", "columns", SHAPE_TABLE, IN_TABLE, columns_list,
    act_columns,
    .diff = "columns | diff name");
