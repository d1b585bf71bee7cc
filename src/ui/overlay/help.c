/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * help: the keys of a pane or of all panes, from the key table.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/keys.h"
#include "overlay.h"

enum group { GROUP_OWN, GROUP_LISTS, GROUP_MOVE, GROUP_SEARCH, GROUP_ALL };

static const char *const group_names[] = {
	[GROUP_LISTS] = "Lists", [GROUP_MOVE] = "Move", [GROUP_SEARCH] = "Search and filter",
	    [GROUP_ALL] = "All panes"
};

static enum group
help_group_of(const struct key *k)
{
	switch (k->verb) {
	case VERB_UP: case VERB_DOWN: case VERB_LEFT: case VERB_RIGHT: case VERB_PAGE_UP: case VERB_PAGE_DOWN:
	case VERB_HALF_UP: case VERB_HALF_DOWN: case VERB_TOP: case VERB_BOTTOM:
		return GROUP_MOVE;
	case VERB_FIND: case VERB_FIND_NAME: case VERB_FIND_NEXT: case VERB_FIND_PREV: case VERB_FILTER:
		return GROUP_SEARCH;
	default:
		return (IN_ALL & ~k->where) == 0 ? GROUP_ALL : (IN_LISTS & ~k->where) == 0 ? GROUP_LISTS :
		    GROUP_OWN;
	}
}

/* Append the key names of a row that no earlier row uses in the same context. */
static void
help_add_names(const struct key *k, uint64_t where, struct buf *b)
{
	struct str	name;
	struct press	p = { .name = "" };

	for (struct str rest = str_of(k->keys); str_split(&rest, ' ', &name);) {
		snprintf(p.name, sizeof p.name, "%.*s", (int)name.n, name.s);
		if (key_row(&p, where) == k)
			buf_printf(b, "%s%s", b->n > 0 ? " " : "", p.name);
	}
}

/* Merge the rows of one verb into one item, at the place of the first row. */
static void
add_key(const struct key *k, uint64_t where, struct items *items)
{
	struct buf	 names = BUF_INIT;
	struct remark	*item;

	for (const struct key *other = keys; other < k; other++)
		if (other->verb == k->verb && (other->where & where) != 0)
			return;
	for (const struct key *same = k; same->verb != VERB_NONE; same++)
		if (same->verb == k->verb && (same->where & where) != 0)
			help_add_names(same, where, &names);
	if (names.n > 0 && (item = items_add(items, buf_view(&names), str_of(k->what), "")) != NULL)
		item->key = k;
	buf_free(&names);
}

/* Add the keys of a group that apply in where, below the group's name. lists: include the keys of lists. */
static void
help_add_group(const char *name, enum group group, uint64_t where, bool lists, struct items *items)
{
	size_t	n = items->n;

	items_head(items, name);
	for (const struct key *k = keys; k->verb != VERB_NONE; k++)
		if ((k->where & where) != 0 && (help_group_of(k) == group ||
		    (lists && help_group_of(k) == GROUP_LISTS)))
			add_key(k, where, items);
	/* Omit empty groups. */
	if (items->n == n + 1)
		items_drop(items);
}

static void
add_common(uint64_t where, struct items *items)
{
	for (enum group g = GROUP_MOVE; g <= GROUP_ALL; g++)
		help_add_group(group_names[g], g, where, false, items);
}

static void
add_panes(struct ui *ui, struct items *items)
{
	const struct pane	*p;

	for (size_t i = 0; (p = ui_nth(ui, i)) != NULL; i++)
		if (!p->extra)
			help_add_group(p->kind->name, GROUP_OWN, ui_where(ui, p), false, items);
	for (size_t i = 0; called_panes[i] != NULL; i++)
		if (ui_suits(ui, called_panes[i]))
			help_add_group(called_panes[i]->name, GROUP_OWN, called_panes[i]->where, false,
			    items);
	help_add_group(group_names[GROUP_LISTS], GROUP_LISTS, IN_LISTS, false, items);
	/* Show the common keys as in a list; names that apply only to bitmaps are shown only there. */
	add_common(IN_LIST, items);
}

static void
help_fill(const struct overlay_of *of, struct items *items)
{
	if (of->all)
		add_panes(of->ui, items);
	else {
		help_add_group(of->name, GROUP_OWN, of->where, true, items);
		add_common(of->where, items);
	}
}

const struct overlay_kind overlay_help = {
	.name = "Help", .verb = VERB_HELP, .where = IN_OVERLAY | IN_HELP, .left = 14, .more = true,
	.chooses = true,
	.fill = help_fill
};

/* ---- keys by their meaning ------------------------------------------------------- */

/* Whether the first name of the key has this meaning there. */
static bool
key_means(const struct key *k, uint64_t where, struct press *press)
{
	return key_first(str_of(k->keys), press) && key_row(press, where) == k;
}

/* Keys of the visible pane, and of others which it does not have. */
void
help_offer(const struct ui *ui, struct completion *c)
{
	uint64_t	here = ui_where(ui, ui_pane(ui));
	struct pane	*p;
	struct press	press;
	char		what[48];
	size_t		i;

	for (const struct key *k = keys; k->verb != VERB_NONE; k++) {
		c->act.n = (unsigned)(k - keys);
		c->act.of = 0;
		if (key_means(k, here, &press))
			snprintf(what, sizeof what, "key  %s", press.name);
		else {
			for (i = 0; (p = ui_nth(ui, i)) != NULL && (p->extra || (k->where & here) != 0 ||
			    !key_means(k, ui_where(ui, p), &press));)
				i++;
			if (p == NULL)
				continue;
			c->act.of = (unsigned)i + 1;
			snprintf(what, sizeof what, "key  %s in %s", press.name, p->kind->name);
		}
		completion_offer_late(c, k->what, what);
	}
}
