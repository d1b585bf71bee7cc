/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_blocked: who waits for whom in stack dumps, and deadlocks.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "q_dumps.h"

/* ---- the tree of waits -------------------------------------------------------------------- */

static const char *const how_words[BEHIND_HOWS] = { "holder", "deadlock", "reported", "found", "unknown",
    "waits" };
#define DEPTH_SHOWN 20		/* deeper rows are indented like this one */

static const column_id behind_needs[] = { COL_BEHIND_DUMP, COL_NONE };

/* A thread of the tree; 0: an unknown holder. */
static bool
waiter_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	if (n == 0)
		buf_chr(b, '?');
	dumped_label(s->st, n, b);
	return true;
}

static bool
line_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t thread = store_cell(s->st, COL_BEHIND_THREAD, n),
	    depth = store_cell(s->st, COL_BEHIND_DEPTH, n);

	for (uint64_t i = 0; i < depth && i < DEPTH_SHOWN; i++)
		buf_str(b, STR("  "));
	if (store_cell(s->st, COL_DUMPED_CYCLE, thread) != 0)
		buf_str(b, STR("* "));
	if (thread == 0)
		buf_str(b, STR("holder unknown"));
	dumped_label(s->st, thread, b);
	return true;
}

static bool
behind_when_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	of_dumps_text(s->st, store_cell(s->st, COL_BEHIND_DUMPS, n), store_cell(s->st, COL_BEHIND_DUMP, n),
	    store_cell(s->st, COL_BEHIND_NEWEST, n) != 0 ? "; free in the last dump" : "", b);
	return true;
}

/* "#17 and 6 others": the threads below a holder. */
static bool
waiting_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t below = store_cell(s->st, COL_BEHIND_BELOW, n), next = store_cell(s->st, COL_BEHIND_THREAD, n + 1);

	if (below == 0 || store_cell(s->st, COL_BEHIND_DEPTH, n + 1) != store_cell(s->st, COL_BEHIND_DEPTH, n) + 1)
		return false;
	dumped_label(s->st, next, b);
	if (below > 1)
		buf_printf(b, " and %ju other%s", (uintmax_t)below - 1, below > 2 ? "s" : "");
	return true;
}

/* "sync.Mutex 0xc000012": a lock by all that the dump says. */
static bool
lock_words(struct item_rows *s, uint64_t lock, struct buf *b)
{
	size_t from = b->n;
	bool class = lock_class_text(s, lock, b);
	struct str key = dump_text(s->st, COL_LOCK_KEY, COL_LOCK_KEY_OWN, lock);

	if (key.n > 0) {
		buf_text(b, class ? " " : "lock ");
		buf_str(b, key);
	} else if (!class && lock != 0)
		buf_text(b, "a lock without a name");
	return b->n > from;
}

static const column_id series_needs[] = { COL_BEHIND_DUMPS, COL_NONE };

#define BEHIND(show, col, ...) MADE(show, .by = COL_BEHIND_THREAD, .then = col, __VA_ARGS__)

static const struct coldef behind_cols[] = {
	{ "id", CELL_ID, "row, in the order of the tree", MADE(SHOW_NUMBER) },
	{ "dump", CELL_ID, "number of the dump", IN(SHOW_NUMBER, COL_BEHIND_DUMP) },
	{ "depth", CELL_COUNT, "0: holder; more: waits for the row above it with one less",
	    IN(SHOW_NUMBER, COL_BEHIND_DEPTH) },
	{ "waiters", CELL_COUNT, "threads below it", IN(SHOW_NUMBER, COL_BEHIND_BELOW) },
	{ "thread", CELL_TEXT, "name; ?: the holder is unknown", TEXT(waiter_text, .by = COL_BEHIND_THREAD),
	    .cut = CUT_MIDDLE },
	{ "state", CELL_TEXT, "state", TEXT(dumped_state_text, .by = COL_BEHIND_THREAD) },
	{ "waits_for", CELL_TEXT, "class of the lock that it waits for", TEXT(lock_class_text, .by = COL_BEHIND_LOCK),
	    .cut = CUT_FRONT },
	{ "how", CELL_TEXT, "holder, deadlock, reported, found, unknown or waits",
	    MADE(.words = how_words, .by = COL_BEHIND_HOW) },
	{ "doing", CELL_TEXT, "innermost function of the program",
	    OWN(doing_text, .by = COL_BEHIND_THREAD, .then = COL_DUMPED_STACK) },
	{ "own", CELL_TEXT, "innermost frame of the program, with its place", .more = true,
	    OWN(exact_own_text, .by = COL_BEHIND_THREAD, .then = COL_DUMPED_STACK) },
	{ "line", CELL_TEXT, "name, indented by depth; * before it: in a deadlock", .more = true,
	    TEXT(line_text), .cut = CUT_MIDDLE },
	{ "lock", CELL_TEXT, "address of the lock; ?: not in the dump", .more = true,
	    TEXT(lock_key_text, .by = COL_BEHIND_LOCK) },
	{ "number", CELL_TEXT, "id that the runtime uses", .more = true,
	    TEXT(runtime_id_text, .by = COL_BEHIND_THREAD) },
	{ "tid", CELL_ID, "thread id of the system; empty: unknown", .more = true,
	    BEHIND(SHOW_SOME, COL_DUMPED_TID) },
	{ "same", CELL_COUNT, "dumps in a row with the same stack, this one the last", .more = true,
	    BEHIND(SHOW_NUMBER, COL_DUMPED_SAME), .needs = move_needs },
	{ "deadlock", CELL_ID, "number of its deadlock in the dump; empty: none", .more = true,
	    BEHIND(SHOW_SOME, COL_DUMPED_CYCLE) },
	{ LATEST(COL_BEHIND_DUMP) },
	{ "newest", CELL_BOOL, "no later dump of the process has its holder", .more = true,
	    IN(SHOW_NUMBER, COL_BEHIND_NEWEST), .needs = series_needs },
	{ "dumps", CELL_COUNT, "dumps in which it holds up threads; empty: it waits", .more = true,
	    IN(SHOW_SOME, COL_BEHIND_DUMPS), .needs = series_needs },
	{ "most", CELL_COUNT, "most threads below it in one of these dumps", .more = true,
	    IN(SHOW_SOME, COL_BEHIND_MOST), .needs = series_needs },
	{ "when", CELL_TEXT, "in how many dumps, and whether it is free in the last one", .more = true,
	    TEXT(behind_when_text), .needs = series_needs },
	{ "waiting_threads", CELL_TEXT, "first thread that waits for it, and how many others", .more = true,
	    TEXT(waiting_text) },
	{ "lock_text", CELL_TEXT, "class and address of the lock that it waits for", .more = true,
	    TEXT(lock_words, .by = COL_BEHIND_LOCK) },
	{ "row", CELL_ID, "row of 'threads'; empty: the holder is unknown", .more = true,
	    IN(SHOW_SOME, COL_BEHIND_THREAD) }
};

const struct command source_blocked = {
	DUMP_TABLE("blocked", "who waits for whom in stack dumps, holders first",
	    "blocked | where depth = 0 | head 3", behind_cols, COL_BEHIND_DUMP),
	.needs = behind_needs, .names = { "thread" }
};

/* ---- deadlocks ----------------------------------------------------------------------------- */

static const char *const source_words[CIRCLE_HOWS] = { "reported", "found", "only reported" };

/* The thread of a row of circle.*, or the one that the dump names. */
static bool
circle_thread(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t told = store_cell(s->st, COL_CIRCLE_REPORT, n);

	if (told != 0)
		buf_str(b, store_text(s->st, store_cell(s->st, COL_REPORT_NAME, told)));
	else
		dumped_label(s->st, store_cell(s->st, COL_CIRCLE_THREAD, n), b);
	return true;
}

static bool
circle_holder(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t told = store_cell(s->st, COL_CIRCLE_REPORT, n);
	struct str holder = store_text(s->st, store_cell(s->st, COL_REPORT_HOLDER, told));

	if (told == 0)
		return held_by_text(s, store_cell(s->st, COL_CIRCLE_THREAD, n), b);
	buf_str(b, holder);
	return holder.n > 0;
}

/* The lock that the thread of a row of circle.* wants. */
static uint64_t
circle_lock(struct item_rows *s, uint64_t n)
{
	uint64_t told = store_cell(s->st, COL_CIRCLE_REPORT, n);

	return told != 0 ? store_cell(s->st, COL_REPORT_LOCK, told) :
	    store_cell(s->st, COL_DUMPED_LOCK, store_cell(s->st, COL_CIRCLE_THREAD, n));
}

static bool
circle_key(struct item_rows *s, uint64_t n, struct buf *b)
{
	return lock_key_text(s, circle_lock(s, n), b);
}

static bool
circle_class(struct item_rows *s, uint64_t n, struct buf *b)
{
	return lock_class_text(s, circle_lock(s, n), b);
}

static void
circle_place(struct item_rows *s, uint64_t n, struct cell *c)
{
	c->u = n - store_cell(s->st, COL_CIRCLE_FIRST, n) + 1;
}

/*
 * Threads that wait for those of the circle, directly or not: all that are behind its first thread, where the
 * tree of waits begins, but the others of the circle.
 */
static void
circle_behind(struct item_rows *s, uint64_t n, struct cell *c)
{
	uint64_t first = store_cell(s->st, COL_CIRCLE_FIRST, n),
	    others = store_cell(s->st, COL_CIRCLE_THREADS, n) - 1;
	uint64_t behind = store_cell(s->st, COL_DUMPED_BEHIND, store_cell(s->st, COL_CIRCLE_THREAD, first));

	c->u = behind > others ? behind - others : 0;
}

static bool
circle_when(struct item_rows *s, uint64_t n, struct buf *b)
{
	if (store_cell(s->st, COL_CIRCLE_NEWEST, n) != 0 &&
	    store_cell(s->st, COL_CIRCLE_DUMP, n) != dumps_shown(s->st))
		buf_text(b, "not in the last dump");
	return true;
}

#define CIRCLE_SHOWN 8

/* "a -> b -> c". */
bool
circle_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t first = store_cell(s->st, COL_CIRCLE_FIRST, n),
	    threads = store_cell(s->st, COL_CIRCLE_THREADS, n);

	for (uint64_t i = 0; i < threads && i < CIRCLE_SHOWN; i++) {
		buf_str(b, i > 0 ? STR(" -> ") : STR(""));
		circle_thread(s, first + i, b);
	}
	buf_str(b, threads > CIRCLE_SHOWN ? STR(" -> ...") : STR(""));
	return true;
}

static const column_id circle_newest[] = { COL_CIRCLE_NEWEST, COL_NONE };
static const column_id circle_needs[] = { COL_CIRCLE_DUMP, COL_NONE };

static const struct coldef circle_cols[] = {
	{ "dump", CELL_ID, "number of the dump", IN(SHOW_NUMBER, COL_CIRCLE_DUMP) },
	{ "deadlock", CELL_ID, "number of the deadlock in its dump", IN(SHOW_NUMBER, COL_CIRCLE_NUMBER) },
	{ "thread", CELL_TEXT, "name", TEXT(circle_thread), .cut = CUT_MIDDLE },
	{ "waits_for", CELL_TEXT, "class of the lock that it waits for", TEXT(circle_class), .cut = CUT_FRONT },
	{ "holder", CELL_TEXT, "holder of that lock", TEXT(circle_holder), .cut = CUT_MIDDLE },
	{ "source", CELL_TEXT, "reported by the dump, found in the stacks, or only reported",
	    MADE(.words = source_words, .by = COL_CIRCLE_HOW) },
	{ "lock", CELL_TEXT, "address of the lock; ?: not in the dump", .more = true, TEXT(circle_key) },
	{ "place", CELL_COUNT, "place in the circle, from 1", .more = true, COMPUTED(circle_place) },
	{ "threads", CELL_COUNT, "threads in the circle", .more = true, IN(SHOW_NUMBER, COL_CIRCLE_THREADS) },
	{ "waiters", CELL_COUNT, "threads that wait for the circle, directly or not", .more = true,
	    COMPUTED(circle_behind), .needs = wait_needs },
	{ "circle", CELL_TEXT, "names of its threads, each waits for the next one", .more = true,
	    TEXT(circle_text) },
	{ LATEST(COL_CIRCLE_DUMP) },
	{ "newest", CELL_BOOL, "no later dump of the process has it", .more = true,
	    IN(SHOW_NUMBER, COL_CIRCLE_NEWEST), .needs = circle_newest },
	{ "when", CELL_TEXT, "whether it is not in the last dump", .more = true,
	    TEXT(circle_when), .needs = circle_newest },
	{ "row", CELL_ID, "row of 'threads'; empty: only the dump reports it", .more = true,
	    IN(SHOW_SOME, COL_CIRCLE_THREAD) }
};

const struct command source_deadlocks = {
	DUMP_TABLE("deadlocks", "deadlocks of stack dumps, a row a thread", "deadlocks", circle_cols,
	    COL_CIRCLE_DUMP),
	.needs = circle_needs, .names = { "thread" }
};
