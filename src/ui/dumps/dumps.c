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
	.base = "threads | where latest", .columns =
	"select name state waiters waits_for holder doing labels number idle id", .sort = "-waiters", .naming = "name",
	.named = "name", .hide = "idle id", .quiet = "number", .fold = &idle_dumped,
	.opens = "stack {id}"
} };

static const struct list_spec blocked_list[] = { {
	.base = "blocked | where newest", .columns =
	"select dump waiters line state waits_for doing same when how waiting_threads row",
	.naming = "line", .hide = "waiting_threads row", .quiet = "how dump",
	.fixed = "the rows are in the order of a tree", .empty = "no thread waits for a lock",
	.opens = "stack {row}"
} };

static const struct list_spec deadlock_list[] = { {
	.columns = "select dump deadlock thread waits_for holder source lock row", .naming = "thread",
	.hide = "row", .quiet = "lock",
	.empty = "no deadlock",
	.opens = "stack {row}"
} };

static const struct list_spec same_list[] = { {
	.base = "identical_stacks | where latest", .columns = "select threads idle states doing names id",
	.hide = "id",
	.opens = "threads | where group = {id} | select name state waits_for holder doing number id as row"
} };

static const struct list_spec pools_list[] = { {
	.base = "pools | where latest", .columns = "select threads idle waiters pool states dump id",
	.naming = "pool", .named = "pool", .hide = "dump id",
	.opens = "threads | where dump = {dump?} and pool = {pool} | select name state waiters waits_for holder doing "
	    "number id as row "
	    "| sort -waiters"
} };

static const struct list_spec troubles_list[] = { {
	.base = "findings | where newest", .columns = "select severity kind threads what row",
	.naming = "what", .hide = "row",
	.empty = "no deadlock, no convoy; Identical stacks shows where threads are",
	.opens = "stack {row}"
} };

static const struct list_spec changes_list[] = { {
	.base = "thread_changes | where not idle", .columns =
	"select from thread change state_from state_to cpu same doing since_first row", .naming = "thread",
	    .named = "thread", .hide = "row", .quiet = "since_first",
	.empty = "one dump, or no thread that does more than wait for work",
	.opens = "stack {row}"
} };

static const struct list_spec locks_list[] = { {
	.columns = "select dump lock class waiters signal_waiters holder", .sort = "-waiters", .naming = "class",
	.empty = "the dump names no lock",
	.opens = "threads | where dump = {dump?} and lock = {lock} | select name number state waits holder own id as "
	    "row"
} };

static const struct list_spec thread_dumps_list[] = { {
	.columns = "select dump time kind pid threads blocked deadlocks other_lines", .naming = "time",
	.opens = "threads | where dump = {dump} | select name number state waiters waits_for holder doing id as row | "
	    "sort -waiters"
} };

/*
 * The queries with "where latest" are about the dump shown.  They name its number: that is found faster
 * among many rows.  Those with "where newest" are about all dumps until one is chosen.
 */
static const char about_latest[] = "where latest", about_newest[] = "where newest";

static void
dumps_reset(struct pane *p)
{
	struct list	*l = list_of(p);
	struct str	 before, after, number = look_stage(look_now(p->ui), "dump");
	struct buf	 base = BUF_INIT;

	bool		 newest = l->is.base != NULL && strstr(l->is.base, about_newest) != NULL;
	struct str	 about = str_of(newest ? about_newest : about_latest);

	if (str_divide(str_of(l->is.base != NULL ? l->is.base : ""), about, &before, &after)) {
		buf_str(&base, before);
		if (str_take(&number, STR("dump ")) && !str_eq(number, STR("last")))
			buf_printf(&base, "where dump = %.*s", (int)number.n, number.s);
		else if (!newest && ui_store(p->ui) != NULL)
			buf_printf(&base, "where dump = %ju", (uintmax_t)dumps_shown(ui_store(p->ui)));
		else
			buf_str(&base, about);
		buf_str(&base, after);
		if (!base.bad)
			list_set(l, base.s, l->sel);
		buf_free(&base);
	}
	/* Rows of several dumps name theirs. */
	if (p->kind->lists == blocked_list)
		l->is.quiet = dumps_count(ui_store(p->ui)) > 1 ? "how" : blocked_list[0].quiet;
	list_reset(l);
}

static bool
has_several(const struct ui *ui)
{
	return dumps_count(ui_store(ui)) > 1;
}

#define LIST_OF_DUMPS(name, source, specs, fits_them) { name, source, SHAPE_DUMPS, IN_LIST | IN_DUMPS, \
    LISTS_OF(specs), .plain = true, \
	.on = { [PANE_RESET] = dumps_reset }, .tell[TELL_PATH] = list_pane_path, .fits = fits_them }

const struct pane_kind pane_dumped = LIST_OF_DUMPS("Threads", "threads", dumped_list, NULL);
const struct pane_kind pane_blocked = LIST_OF_DUMPS("Blocked", "blocked", blocked_list, NULL);
const struct pane_kind pane_deadlocks = LIST_OF_DUMPS("Deadlocks", "deadlocks", deadlock_list, NULL);
const struct pane_kind pane_same = LIST_OF_DUMPS("Identical stacks", "identical_stacks", same_list, NULL);
const struct pane_kind pane_pools = LIST_OF_DUMPS("Pools", "pools", pools_list, NULL);
const struct pane_kind pane_troubles = LIST_OF_DUMPS("Findings", "findings", troubles_list, NULL);
const struct pane_kind pane_thread_changes = LIST_OF_DUMPS("Changes", "thread_changes", changes_list, has_several);
const struct pane_kind pane_locks = LIST_OF_DUMPS("Locks", "locks", locks_list, NULL);
const struct pane_kind pane_thread_dumps = LIST_OF_DUMPS("Dumps", "thread_dumps", thread_dumps_list,
    has_several);
