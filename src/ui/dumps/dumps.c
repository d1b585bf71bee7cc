/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumps: threads of stack dumps, who waits for whom, equal stacks, and what threads did from dump to dump.
 */
#include "config.h"

#include "icecore/dumps.h"
#include "icecore/keys.h"
#include "ui/list/list.h"

static const struct list_fold idle_dumped = {
	.flag = "idle", .text = "name", .what = "idle thread", .left = 1, .least = 2,
	.why = "waits for work, or has no frames"
};

static const struct list_spec dumped_list[] = { {
	.base = "threads | where latest", .columns = "select name state behind wants held_by doing number idle id", .sort = "-behind", .naming = "name",
	.named = "name", .hide = "idle id", .quiet = "number", .fold = &idle_dumped
} };

static const struct list_spec blocked_list[] = { {
	.base = "blocked | where latest", .columns = "select behind line state wants doing same how row", .naming = "line", .hide = "row", .quiet = "how",
	.fixed = "the rows are in the order of a tree", .empty = "no thread waits for a lock"
} };

static const struct list_spec deadlock_list[] = { {
	.columns = "select dump deadlock thread wants held_by source lock row", .naming = "thread", .hide = "row", .quiet = "lock",
	.empty = "no deadlock"
} };

static const struct list_spec same_list[] = { {
	.base = "same_stacks | where latest", .columns = "select threads idle states doing names id", .naming = "names", .hide = "id"
} };

static const struct list_spec pools_list[] = { {
	.base = "pools | where latest", .columns = "select threads idle behind pool states dump id", .naming = "pool", .named = "pool", .hide = "dump id"
} };

static const struct list_spec troubles_list[] = { {
	.base = "findings | where latest", .columns = "select severity kind threads what row", .naming = "what", .hide = "row",
	.empty = "no deadlock, no convoy; Groups shows where threads stand"
} };

static const struct list_spec moves_list[] = { {
	.base = "moves | where not idle", .columns = "select from thread move state_from state_to cpu same doing since_first row", .naming = "thread", .named = "thread", .hide = "row", .quiet = "since_first",
	.empty = "one dump, or no thread that does more than wait for work"
} };

static const struct list_spec locks_list[] = { {
	.columns = "select dump lock class wanted waiting holder", .sort = "-wanted", .naming = "class", .empty = "the dump names no lock"
} };

static const struct list_spec thread_dumps_list[] = { {
	.columns = "select dump time kind pid threads blocked deadlocks other_lines", .naming = "time"
} };

/* The queries with "where latest" are about the dump shown.  They name its number: that is found faster among many rows. */
static const char about_latest[] = "where latest";

static void
dumps_reset(struct pane *p)
{
	struct list	*l = list_of(p);
	struct str	 before, after, number = look_stage(look_now(p->ui), "dump");
	struct buf	 base = BUF_INIT;

	if (str_divide(str_of(l->is.base != NULL ? l->is.base : ""), str_of(about_latest), &before, &after)) {
		buf_str(&base, before);
		if (str_take(&number, STR("dump ")) && !str_eq(number, STR("last")))
			buf_printf(&base, "where dump = %.*s", (int)number.n, number.s);
		else if (ui_store(p->ui) != NULL)
			buf_printf(&base, "where dump = %ju", (uintmax_t)dumps_shown(ui_store(p->ui)));
		else
			buf_str(&base, str_of(about_latest));
		buf_str(&base, after);
		if (!base.bad)
			list_set(l, base.s, l->sel);
		buf_free(&base);
	}
	list_reset(l);
}

static bool
has_several(const struct ui *ui)
{
	return dumps_count(ui_store(ui)) > 1;
}

/* Enter: what a query names by a column of the row. */
static bool
dumps_ask(struct pane *p, enum verb verb, const char *column, const char *query, const char *after)
{
	struct list	*l = list_of(p);
	uint64_t	 n = list_number(l, column);
	struct buf	 q = BUF_INIT;

	if (verb != VERB_ENTER || n == 0)
		return list_act(l, verb);
	buf_printf(&q, "%s%ju%s", query, (uintmax_t)n, after);
	if (!q.bad)
		list_ask(l, q.s, NULL);
	buf_free(&q);
	return true;
}

static bool
act_dumped(struct pane *p, enum verb verb)
{
	return dumps_ask(p, verb, "id", "stack ", "");
}

static bool
act_waiter(struct pane *p, enum verb verb)
{
	return dumps_ask(p, verb, "row", "stack ", "");
}

static bool
act_same(struct pane *p, enum verb verb)
{
	return dumps_ask(p, verb, "id", "threads | where group = ", " | select name state wants held_by doing number id as row");
}

static bool
act_thread_dump(struct pane *p, enum verb verb)
{
	return dumps_ask(p, verb, "dump", "threads | where dump = ", " | select name number state behind wants held_by doing id as row | sort -behind");
}

/* Enter asks for the threads of the dump whose text in a column is that of the row. */
static bool
dumps_ask_text(struct pane *p, enum verb verb, const char *column, const char *where, const char *select)
{
	struct list	*l = list_of(p);
	struct buf	 query = BUF_INIT;
	struct cell	 text, dump;
	bool		 ok;

	if (verb != VERB_ENTER || !list_cell(l, column, &text) || !list_cell(l, "dump", &dump))
		return list_act(l, verb);
	buf_printf(&query, "threads | where dump = %ju and %s = ", (uintmax_t)dump.u, where);
	ok = list_quote(text.text, &query);
	buf_str(&query, str_of(select));
	if (ok && !query.bad)
		list_ask(l, query.s, "name");
	buf_free(&query);
	return true;
}

static bool
act_pool(struct pane *p, enum verb verb)
{
	return dumps_ask_text(p, verb, "pool", "pool", " | select name state behind wants held_by doing number id as row | sort -behind");
}

static bool
act_lock(struct pane *p, enum verb verb)
{
	return dumps_ask_text(p, verb, "lock", "waiting_for", " | select name number state waits held_by own id as row");
}

#define LIST_OF_DUMPS(name, source, specs, enter, fits_them) { name, source, SHAPE_DUMPS, IN_LIST | IN_DUMPS, LISTS_OF(specs), .plain = true, \
	.on = { [PANE_RESET] = dumps_reset }, .tell[TELL_PATH] = list_pane_path, .act = enter, .fits = fits_them }

const struct pane_kind pane_dumped = LIST_OF_DUMPS("Threads", "threads", dumped_list, act_dumped, NULL);
const struct pane_kind pane_blocked = LIST_OF_DUMPS("Blocked", "blocked", blocked_list, act_waiter, NULL);
const struct pane_kind pane_deadlocks = LIST_OF_DUMPS("Deadlocks", "deadlocks", deadlock_list, act_waiter, NULL);
const struct pane_kind pane_same = LIST_OF_DUMPS("Groups", "same_stacks", same_list, act_same, NULL);
const struct pane_kind pane_pools = LIST_OF_DUMPS("Pools", "pools", pools_list, act_pool, NULL);
const struct pane_kind pane_troubles = LIST_OF_DUMPS("Findings", "findings", troubles_list, act_waiter, NULL);
const struct pane_kind pane_moves = LIST_OF_DUMPS("Moves", "moves", moves_list, act_waiter, has_several);
const struct pane_kind pane_locks = LIST_OF_DUMPS("Locks", "locks", locks_list, act_lock, NULL);
const struct pane_kind pane_thread_dumps = LIST_OF_DUMPS("Dumps", "thread_dumps", thread_dumps_list, act_thread_dump, has_several);
