/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * triage: findings of many heap dumps by signature, and the dumps.
 */
#include "config.h"

#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_spec groups_list[] = { {
	.columns = "select dumps builds retained_max retained_median kind holder content first last exemplar hash",
	.quiet = "first last exemplar hash", .naming = "holder", .named = "hash", .empty = "no findings"
} };

static const struct list_spec dumps_list[] = { {
	.columns = "select path state objects live_bytes findings dumped_at reason", .naming = "path",
	.named = "path"
} };

/* Enter: open the dump in which the leak retains most as another file. */
static bool
act_groups(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	struct buf	 query = BUF_INIT, path = BUF_INIT;
	struct cell	 c;
	bool		 ok;

	if (verb != VERB_ENTER)
		return list_act(l, verb);
	ok = list_fill(l, "findings | where hash = {hash} | leaktrace | select text object", &query);
	if (ok && list_cell(l, "exemplar", &c))
		text_unescape(&path, c.text);
	if (path.n > 0 && !path.bad)
		look_open(p->ui, buf_view(&path), query.s);
	buf_free(&query);
	buf_free(&path);
	return ok;
}

#define LIST_OF_TRIAGE(name, source, places, specs, enter) { name, source, SHAPE_TRIAGE, IN_LIST | places, \
    LISTS_OF(specs), \
	.plain = true, .tell[TELL_PATH] = list_pane_path, .act = enter }

const struct pane_kind pane_groups = LIST_OF_TRIAGE("Groups", "groups", IN_GROUPS, groups_list, act_groups);
const struct pane_kind pane_dumps = LIST_OF_TRIAGE("Dumps", "dumps", 0, dumps_list, NULL);
