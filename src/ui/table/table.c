/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table: records of a table, and its columns.
 */
#include "config.h"

#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec records_list[] = { { .quiet = "line", .empty = "no records" } };

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

#define LIST_OF_TABLE(name, source, specs, enter) { name, source, SHAPE_TABLE, IN_LIST, LISTS_OF(specs), .plain = true, \
	.tell[TELL_PATH] = list_pane_path, .act = enter }

const struct pane_kind pane_records = LIST_OF_TABLE("Records", "records", records_list, NULL);
const struct pane_kind pane_columns = LIST_OF_TABLE("Columns", "columns", columns_list, act_columns);
