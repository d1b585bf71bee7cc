/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_same: threads with equal stacks, pools of threads, and threads from dump to dump.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "q_dumps.h"

/* ---- equal stacks ------------------------------------------------------------------------- */

/* The rows of a list that belong to a row of another column, from 1: *at is before the first. */
static uint64_t
parts_of(struct item_rows *s, column_id starts, column_id list, uint64_t row, uint64_t *at)
{
	return row == 0 ? 0 : column_list(store_column(s->st, starts), store_column(s->st, list), row - 1,
	    at);
}

/* "blocked 9, sleep 3", in the order of the states. */
static bool
tell_states(struct item_rows *s, column_id starts, column_id states, column_id threads, uint64_t row,
    struct buf *b)
{
	uint64_t at = 0, n = parts_of(s, starts, states, row, &at);

	for (uint64_t i = 1; i <= n; i++) {
		uint64_t state = store_cell(s->st, states, at + i);

		buf_printf(b, "%s%s %ju", i > 1 ? ", " : "",
		    dump_state_words[state < DUMP_STATES ? state : DSTATE_UNKNOWN],
		    (uintmax_t)store_cell(s->st, threads, at + i));
	}
	return n > 0;
}

static bool
group_states(struct item_rows *s, uint64_t group, struct buf *b)
{
	return tell_states(s, COL_ALIKE_STATES, COL_ALIKE_STATE, COL_ALIKE_IN_STATE, group, b);
}

/* Names without their numbers, in order of appearance: "http-worker-* x9, main". */
static bool
group_names(struct item_rows *s, uint64_t group, struct buf *b)
{
	uint64_t at = 0, n = parts_of(s, COL_ALIKE_POOLS, COL_ALIKE_POOL, group, &at),
	    others = store_cell(s->st, COL_ALIKE_THREADS, group);

	if (others == 1)
		return dumped_text(s, store_cell(s->st, COL_ALIKE_FIRST, group), b);
	for (uint64_t i = 1; i <= n; i++) {
		uint64_t threads = store_cell(s->st, COL_ALIKE_IN_POOL, at + i);

		buf_str(b, i > 1 ? STR(", ") : STR(""));
		pool_text(s, store_cell(s->st, COL_POOLED_FIRST, store_cell(s->st, COL_ALIKE_POOL, at + i)),
		    b);
		if (threads > 1)
			buf_printf(b, " x%ju", (uintmax_t)threads);
		others -= threads < others ? threads : others;
	}
	if (others > 0)
		buf_printf(b, ", %ju others", (uintmax_t)others);
	return n > 0;
}

/* A stack without a function of the program shows its innermost function. */
static bool
group_doing(struct item_rows *s, uint64_t stack, struct buf *b)
{
	if (doing_text(s, stack, b))
		return true;
	method_name(s->st, (uint32_t)store_cell(s->st, COL_EXACT_METHOD, stack), b);
	return stack != 0;
}

/* The innermost frame of the group's stack. */
static bool
group_top(struct item_rows *s, uint64_t stack, struct buf *b)
{
	if (stack == 0)
		buf_str(b, STR("(no frames)"));
	exact_show(s->st, stack, b);
	return true;
}

static const column_id group_needs[] = { COL_ALIKE_DUMP, COL_NONE },
    group_pools[] = { COL_ALIKE_POOLS, COL_NONE };

static const struct coldef group_cols[] = {
	{ "id", CELL_ID, "row", MADE(SHOW_NUMBER) },
	{ "dump", CELL_ID, "number of the dump", IN(SHOW_NUMBER, COL_ALIKE_DUMP) },
	{ "threads", CELL_COUNT, "threads with this stack", IN(SHOW_NUMBER, COL_ALIKE_THREADS) },
	{ "idle", CELL_COUNT, "of them threads that wait for work", IN(SHOW_NUMBER, COL_ALIKE_IDLE) },
	{ "states", CELL_TEXT, "how many threads are in which state", TEXT(group_states) },
	{ "doing", CELL_TEXT, "innermost function of the program, otherwise of the stack",
	    OWN(group_doing, .by = COL_ALIKE_STACK) },
	{ "names", CELL_TEXT, "name of the thread; of several each number is *", TEXT(group_names),
	    .needs = group_pools },
	{ "own", CELL_TEXT, "innermost frame of the program, with its place", .more = true,
	    OWN(exact_own_text, .by = COL_ALIKE_STACK) },
	{ "depth", CELL_COUNT, "frames", .more = true, IN(SHOW_NUMBER, COL_ALIKE_STACK,
	    .then = COL_EXACT_DEPTH) },
	{ "top", CELL_TEXT, "innermost frame", .more = true, TEXT(group_top, .by = COL_ALIKE_STACK),
	    .function = true },
	{ LATEST(COL_ALIKE_DUMP) },
	{ "row", CELL_ID, "row of 'threads' of its first thread", .more = true,
	    IN(SHOW_NUMBER, COL_ALIKE_FIRST) }
};

const struct command source_identical_stacks = {
	DUMP_TABLE("identical_stacks", "threads with equal stacks, most threads first",
	    "identical_stacks | where idle < threads | head 10", group_cols, COL_ALIKE_DUMP),
	.needs = group_needs, .names = { "own" }
};

/* ---- pools --------------------------------------------------------------------------------- */

static bool
pool_states(struct item_rows *s, uint64_t pool, struct buf *b)
{
	return tell_states(s, COL_POOLED_STATES, COL_POOLED_STATE, COL_POOLED_IN_STATE, pool, b);
}

static const column_id pool_needs[] = { COL_POOLED_DUMP, COL_NONE };

static const struct coldef pool_cols[] = {
	{ "id", CELL_ID, "row", MADE(SHOW_NUMBER) },
	{ "dump", CELL_ID, "number of the dump", IN(SHOW_NUMBER, COL_POOLED_DUMP) },
	{ "pool", CELL_TEXT, "name of the threads, each number as *", TEXT(pool_text, .by = COL_POOLED_FIRST),
	    .cut = CUT_MIDDLE },
	{ "threads", CELL_COUNT, "threads of the pool", IN(SHOW_NUMBER, COL_POOLED_THREADS) },
	{ "idle", CELL_COUNT, "of them threads that wait for work", IN(SHOW_NUMBER, COL_POOLED_IDLE) },
	{ "waiters", CELL_COUNT, "threads that wait for one of the pool, directly or not",
	    IN(SHOW_NUMBER, COL_POOLED_BEHIND) },
	{ "states", CELL_TEXT, "how many threads are in which state", TEXT(pool_states) },
	{ "cpu", CELL_TIME, "CPU time of its threads since their start", .more = true,
	    COMPUTED(known_time, .by = COL_POOLED_CPU) },
	{ LATEST(COL_POOLED_DUMP) },
	{ "row", CELL_ID, "row of 'threads' of its first thread", .more = true,
	    IN(SHOW_NUMBER, COL_POOLED_FIRST) }
};

const struct command source_pools = {
	DUMP_TABLE("pools", "pools of threads of stack dumps, most threads first",
	    "pools | where latest and idle < threads", pool_cols, COL_POOLED_DUMP),
	.needs = pool_needs, .names = { "pool" }
};

/* ---- from dump to dump --------------------------------------------------------------------- */

static const char *const move_words[MOVE_HOWS] = { "same", "moved", "gone", "new" };

/* The row of the thread in the later dump, in the earlier one if it is gone. */
static uint64_t
moved_row(struct item_rows *s, uint64_t n)
{
	uint64_t to = store_cell(s->st, COL_MOVE_TO, n);

	return to != 0 ? to : store_cell(s->st, COL_MOVE_FROM, n);
}

static bool
moved_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	return dumped_text(s, moved_row(s, n), b);
}

static bool
moved_id(struct item_rows *s, uint64_t n, struct buf *b)
{
	return runtime_id_text(s, moved_row(s, n), b);
}

/* The innermost function of the program in the later dump. */
static bool
moved_doing(struct item_rows *s, uint64_t n, struct buf *b)
{
	return doing_text(s, store_cell(s->st, COL_DUMPED_STACK, moved_row(s, n)), b);
}

static bool
moved_wants(struct item_rows *s, uint64_t n, struct buf *b)
{
	return lock_class_text(s, store_cell(s->st, COL_DUMPED_LOCK, moved_row(s, n)), b);
}

static void
latest_move(struct item_rows *s, uint64_t n, struct cell *c)
{
	latest_cell(s, n + 1, c);
}

/* Against the first dump. */
static bool
moved_since(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t to = store_cell(s->st, COL_MOVE_TO, n), how = to == 0 ? MOVE_GONE :
	    store_cell(s->st, COL_DUMPED_SINCE, to);

	buf_str(b, str_of(move_words[how < MOVE_HOWS ? how : MOVE_MOVED]));
	return true;
}

/* CPU time between the two dumps. */
static void
moved_cpu(struct item_rows *s, uint64_t n, struct cell *c)
{
	uint64_t from = store_cell(s->st, COL_MOVE_FROM, n), to = store_cell(s->st, COL_MOVE_TO, n);
	uint64_t before = store_cell(s->st, COL_DUMPED_CPU, from),
	    after = store_cell(s->st, COL_DUMPED_CPU, to);
	bool known = from != 0 && to != 0 && before != UINT64_MAX && after != UINT64_MAX && after >= before;

	c->type = known ? CELL_TIME : CELL_NONE;
	c->u = known ? after - before : 0;
}

static const column_id moves_needs[] = { COL_MOVE_DUMP, COL_NONE };

static const struct coldef move_cols[] = {
	{ "from", CELL_ID, "number of the earlier dump; the later one is the next",
	    IN(SHOW_NUMBER, COL_MOVE_DUMP) },
	{ "thread", CELL_TEXT, "name", TEXT(moved_text), .cut = CUT_MIDDLE },
	{ "change", CELL_TEXT, "same, moved, new or gone", MADE(.words = move_words, .by = COL_MOVE_HOW) },
	{ "state_from", CELL_TEXT, "state in the earlier dump",
	    TEXT(dumped_state_text, .by = COL_MOVE_FROM) },
	{ "state_to", CELL_TEXT, "state in the later dump", TEXT(dumped_state_text, .by = COL_MOVE_TO) },
	{ "cpu", CELL_TIME, "CPU time between the dumps", COMPUTED(moved_cpu) },
	{ "same", CELL_COUNT, "dumps in a row with the same stack",
	    IN(SHOW_NUMBER, COL_MOVE_TO, .then = COL_DUMPED_SAME) },
	{ "since_first", CELL_TEXT, "same, moved, new or gone since the first dump", TEXT(moved_since) },
	{ "doing", CELL_TEXT, "innermost function of the program", OWN(moved_doing) },
	{ "waits_for", CELL_TEXT, "class of what it waits for", .more = true, TEXT(moved_wants),
	    .cut = CUT_FRONT },
	{ "number", CELL_TEXT, "id that the runtime uses", .more = true, TEXT(moved_id) },
	{ "idle", CELL_BOOL, "waits for work in the later dump", .more = true,
	    IN(SHOW_NUMBER, COL_MOVE_TO, .then = COL_DUMPED_IDLE), .needs = alike_needs },
	{ "latest", CELL_BOOL, "from the last but one dump to the last", .more = true,
	    COMPUTED(latest_move, .by = COL_MOVE_DUMP) },
	{ "row", CELL_ID, "row of 'threads', of the later dump; empty: it is gone", .more = true,
	    IN(SHOW_SOME, COL_MOVE_TO) },
	{ "row_from", CELL_ID, "row of 'threads', of the earlier dump; empty: it is new", .more = true,
	    IN(SHOW_SOME, COL_MOVE_FROM) }
};

const struct command source_thread_changes = {
	DUMP_TABLE("thread_changes", "what threads did from one stack dump to the next",
	    "thread_changes | where change = same",
	    move_cols, COL_MOVE_DUMP),
	.needs = moves_needs, .names = { "thread" }
};
