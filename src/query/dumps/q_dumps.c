/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_dumps: the dumps of a file, their threads, and the locks.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "q_dumps.h"

static const column_id of_dump[] = { COL_CIRCLE_DUMP, COL_NONE };

/* ---- dumps ------------------------------------------------------------------------------ */

/* The rows of dumped.* of the row's dump. */
static uint64_t
first_row(struct item_rows *s, uint64_t *n)
{
	uint64_t from = store_cell(s->st, COL_TDUMP_FIRST, s->number),
	    to = store_cell(s->st, COL_TDUMP_FIRST, s->number + UINT64_C(1));
	uint64_t rows = column_rows(store_column(s->st, COL_DUMPED_STATE));

	*n = to > rows || to < from ? 0 : to - from;
	return from;
}

/* Threads in that state; DUMP_STATES: all. */
static uint64_t
threads_in(struct item_rows *s, unsigned state)
{
	const struct column *states = store_column(s->st, COL_DUMPED_STATE),
	    *counts = store_column(s->st, COL_DUMPED_COUNT);
	uint64_t n, from = first_row(s, &n), sum = 0;

	for (uint64_t i = from; i < from + n; i++)
		sum += state == DUMP_STATES || column_get(states, i) == state ? column_get(counts, i) : 0;
	return sum;
}

static void
dump_threads(struct item_rows *s, uint64_t n, struct cell *c)
{
	(void)n;
	c->u = threads_in(s, DUMP_STATES);
}

static void
dump_blocked(struct item_rows *s, uint64_t n, struct cell *c)
{
	(void)n;
	c->u = threads_in(s, DSTATE_BLOCKED);
}

static void
dump_virtual(struct item_rows *s, uint64_t n, struct cell *c)
{
	const struct column *flags = store_column(s->st, COL_DUMPED_FLAGS);
	uint64_t from = first_row(s, &n), sum = 0;

	for (uint64_t i = from; i < from + n; i++)
		sum += (column_get(flags, i) & DUMP_VIRTUAL) != 0;
	c->u = sum;
}

/* The number of the last deadlock of the dump is how many it has. */
static void
dump_deadlocks(struct item_rows *s, uint64_t n, struct cell *c)
{
	const struct column *dump = store_column(s->st, COL_CIRCLE_DUMP);
	uint64_t next = column_place(dump, s->number + UINT64_C(1));

	(void)n;
	c->u = next > 0 && column_get(dump, next - 1) == s->number ?
	    store_cell(s->st, COL_CIRCLE_NUMBER, next) : 0;
}

/* The runtime's word for its threads. */
static bool
dump_members_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t kind = store_cell(s->st, COL_TDUMP_KIND, n);

	buf_text(b, kind == DUMP_GO || kind == DUMP_GO_COUNTS ? "goroutines" : kind == DUMP_ERLANG ? "processes" :
	    kind == DUMP_ASYNCIO ? "tasks" : "threads");
	return true;
}

/* "2026/11/22 at 14:03:12:345" of OpenJ9 like other times: "2026-11-22 14:03:12.345". */
static bool
dump_time_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	struct str when = store_text(s->st, store_cell(s->st, COL_TDUMP_WHEN, n)), day, time;

	if (memchr(when.s, '/', when.n) == NULL || !str_divide(when, STR(" at "), &day, &time)) {
		buf_str(b, when);
		return when.n > 0;
	}
	for (size_t i = 0; i < day.n; i++)
		buf_chr(b, day.s[i] == '/' ? '-' : day.s[i]);
	buf_chr(b, ' ');
	for (size_t i = 0, colons = 0; i < time.n; i++) {
		colons += time.s[i] == ':';
		buf_chr(b, time.s[i] == ':' && colons == 3 ? '.' : time.s[i]);
	}
	return true;
}

static const struct coldef dump_cols[] = {
	{ "dump", CELL_ID, "number of the dump, in the order of the file", MADE(SHOW_NUMBER) },
	{ "time", CELL_TEXT, "time as the dump writes it, with an ISO date", TEXT(dump_time_text) },
	{ "kind", CELL_TEXT, "what wrote it", MADE(.words = dump_kind_words, .by = COL_TDUMP_KIND) },
	{ "pid", CELL_ID, "id of the process; empty: unknown", IN(SHOW_SOME, COL_TDUMP_PID) },
	{ "threads", CELL_COUNT, "threads", COMPUTED(dump_threads) },
	{ "blocked", CELL_COUNT, "threads that are blocked", COMPUTED(dump_blocked) },
	{ "deadlocks", CELL_COUNT, "deadlocks", COMPUTED(dump_deadlocks), .needs = of_dump },
	{ "virtual", CELL_COUNT, "virtual threads", .more = true, COMPUTED(dump_virtual) },
	{ "members", CELL_TEXT, "threads, goroutines, processes or tasks", .more = true, TEXT(dump_members_text) },
	{ "reason", CELL_TEXT, "why it was made, or what its runtime found", .more = true,
	    IN(SHOW_REF, COL_TDUMP_REASON) },
	{ "latest", CELL_BOOL, "it is the last dump", .more = true, COMPUTED(latest_cell) },
	{ "program", CELL_TEXT, "command line or version", .more = true, IN(SHOW_REF, COL_TDUMP_PROGRAM) },
	{ "other_lines", CELL_COUNT, "lines that belong to no thread", .more = true,
	    IN(SHOW_NUMBER, COL_TDUMP_OTHER) }
};

const struct command source_thread_dumps = {
	DUMP_TABLE("thread_dumps", "stack dumps of the file, with threads and deadlocks", "thread_dumps",
	    dump_cols, COL_TDUMP_KIND),
	.names = { "dump" }
};

/* ---- threads ------------------------------------------------------------------------------ */

/* The keys of the locks that a thread holds, in the order of the dump. */
static bool
holds_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	const struct column *thread = store_column(s->st, COL_HOLD_THREAD);
	size_t before = b->n;

	for (uint64_t i = column_place(thread, n); i < column_rows(thread) &&
	    column_get(thread, i) == n; i++) {
		if (b->n > before)
			buf_chr(b, ' ');
		lock_key_text(s, store_cell(s->st, COL_HOLD_LOCK, i + 1), b);
	}
	return b->n > before;
}

static void
flag_cell(struct item_rows *s, uint64_t n, struct cell *c, unsigned flag)
{
	(void)s;
	c->u = (n & flag) != 0;
}

static void
dumped_daemon(struct item_rows *s, uint64_t n, struct cell *c)
{
	flag_cell(s, n, c, DUMP_DAEMON);
}

static void
virtual_cell(struct item_rows *s, uint64_t n, struct cell *c)
{
	flag_cell(s, n, c, DUMP_VIRTUAL);
}

static void
cut_cell(struct item_rows *s, uint64_t n, struct cell *c)
{
	flag_cell(s, n, c, DUMP_CUT);
}

static void
leaked_cell(struct item_rows *s, uint64_t n, struct cell *c)
{
	flag_cell(s, n, c, DUMP_LEAKED);
}

static const struct coldef dumped_cols[] = {
	{ "id", CELL_ID, "row, in the order of the file", MADE(SHOW_NUMBER) },
	{ "dump", CELL_ID, "number of the dump", IN(SHOW_NUMBER, COL_DUMPED_DUMP), .needs = wait_needs },
	{ "name", CELL_TEXT, "name; of unnamed threads the id", TEXT(dumped_text), .cut = CUT_MIDDLE },
	{ "number", CELL_TEXT, "id that the runtime uses", TEXT(runtime_id_text) },
	{ "state", CELL_TEXT, "state", MADE(.word = dump_state_word, .by = COL_DUMPED_STATE) },
	{ "waiters", CELL_COUNT, "threads that wait for it, directly or not",
	    IN(SHOW_NUMBER, COL_DUMPED_BEHIND), .needs = wait_needs },
	{ "waits_for", CELL_TEXT, "class of what it waits for", TEXT(lock_class_text, .by = COL_DUMPED_LOCK),
	    .cut = CUT_FRONT },
	{ "holder", CELL_TEXT, "holder of the lock that it waits for; ?: the dump does not say",
	    TEXT(held_by_text), .cut = CUT_MIDDLE },
	{ "doing", CELL_TEXT, "innermost function of the program", OWN(doing_text, .by = COL_DUMPED_STACK) },
	{ "own", CELL_TEXT, "innermost frame of the program, with its place", .more = true,
	    OWN(exact_own_text, .by = COL_DUMPED_STACK) },
	{ "waits", CELL_TEXT, "lock, wait, park or init; empty: nothing", .more = true,
	    MADE(.words = dump_want_words, .by = COL_DUMPED_WANT) },
	{ "lock", CELL_TEXT, "address of what it waits for; ?: not in the dump", .more = true,
	    TEXT(lock_key_text, .by = COL_DUMPED_LOCK) },
	{ "known", CELL_TEXT, "how the holder is known: reported, found, unknown or outside", .more = true,
	    MADE(.words = dump_how_words, .by = COL_DUMPED_HOW) },
	{ "holds", CELL_TEXT, "addresses of the locks that it holds", .more = true, TEXT(holds_text) },
	{ "tid", CELL_ID, "thread id of the system; empty: unknown", .more = true,
	    IN(SHOW_SOME, COL_DUMPED_TID) },
	{ "raw", CELL_TEXT, "state in the words of the dump", .more = true, TEXT(raw_text) },
	{ "depth", CELL_COUNT, "frames", .more = true, IN(SHOW_NUMBER, COL_DUMPED_STACK,
	    .then = COL_EXACT_DEPTH) },
	{ "top", CELL_TEXT, "innermost frame", .more = true, TEXT(top_text, .by = COL_DUMPED_STACK),
	    .function = true },
	{ "idle", CELL_BOOL, "waits for work", .more = true, IN(SHOW_NUMBER, COL_DUMPED_IDLE),
	    .needs = alike_needs },
	{ "deadlock", CELL_ID, "number of its deadlock in the dump; empty: none", .more = true,
	    IN(SHOW_SOME, COL_DUMPED_CYCLE), .needs = wait_needs },
	{ "same", CELL_COUNT, "dumps in a row with the same stack, this one the last", .more = true,
	    IN(SHOW_NUMBER, COL_DUMPED_SAME), .needs = move_needs },
	{ "pool", CELL_TEXT, "name, each number as *", .more = true, TEXT(pool_text) },
	{ "cpu", CELL_TIME, "CPU time since its start", .more = true,
	    COMPUTED(known_time, .by = COL_DUMPED_CPU) },
	{ "elapsed", CELL_TIME, "time since its start; of goroutines since it waits", .more = true,
	    COMPUTED(known_time, .by = COL_DUMPED_ELAPSED) },
	{ "count", CELL_COUNT, "threads of the row", .more = true, IN(SHOW_NUMBER, COL_DUMPED_COUNT) },
	{ "queue", CELL_COUNT, "messages that wait for the process (Erlang)", .more = true,
	    IN(SHOW_NUMBER, COL_DUMPED_QUEUE) },
	{ "parent", CELL_TEXT, "what created it, or its container", .more = true,
	    IN(SHOW_REF, COL_DUMPED_PARENT) },
	{ "daemon", CELL_BOOL, "daemon thread", .more = true,
	    COMPUTED(dumped_daemon, .by = COL_DUMPED_FLAGS) },
	{ "virtual", CELL_BOOL, "virtual thread", .more = true,
	    COMPUTED(virtual_cell, .by = COL_DUMPED_FLAGS) },
	{ "leaked", CELL_BOOL, "Go proved that the goroutine can never run again", .more = true,
	    COMPUTED(leaked_cell, .by = COL_DUMPED_FLAGS) },
	{ "cut", CELL_BOOL, "its stack is not whole", .more = true,
	    COMPUTED(cut_cell, .by = COL_DUMPED_FLAGS) },
	{ "group", CELL_ID, "row of 'identical_stacks'", .more = true, IN(SHOW_NUMBER, COL_DUMPED_GROUP),
	    .needs = alike_needs },
	{ LATEST(COL_DUMPED_DUMP), .needs = wait_needs },
	{ "labels", CELL_TEXT, "labels of the goroutine, by key; of a subprocess its process", .more = true,
	    TEXT(label_columns_all, .by = COL_DUMPED_LABELS) },
	{ "thread_id", CELL_ID, "number of the thread, the same in all dumps", .more = true,
	    IN(SHOW_NUMBER, COL_DUMPED_THREAD) }
};

static int
dumped_label_find(struct rows *r, struct str name, UNUSED bool quoted)
{
	return label_columns_find(r, name, COL_DUMPED_LABELS);
}

static const struct rows_ops dumped_ops = { ITEM_OPS, .find = dumped_label_find, .known = label_columns_known };

const struct command source_dumped = {
	DUMP_TABLE("threads", "threads of each stack dump, with states and waits",
	    "threads | where state = blocked", dumped_cols, COL_DUMPED_STATE, .ops = &dumped_ops),
	.names = { "name" }
};

/* ---- locks ----------------------------------------------------------------------------------- */

static const struct coldef lock_cols[] = {
	{ "id", CELL_ID, "row", MADE(SHOW_NUMBER) },
	{ "dump", CELL_ID, "number of the dump", IN(SHOW_NUMBER, COL_LOCK_DUMP) },
	{ "lock", CELL_TEXT, "address; ?: the dump does not name it", TEXT(lock_key_text) },
	{ "class", CELL_TEXT, "class", TEXT(lock_class_text), .cut = CUT_FRONT },
	{ "waiters", CELL_COUNT, "threads that want to own it", IN(SHOW_NUMBER, COL_LOCK_WAITERS),
	    .needs = wait_needs },
	{ "signal_waiters", CELL_COUNT, "threads that wait for a signal on it", IN(SHOW_NUMBER, COL_LOCK_WAITING),
	    .needs = wait_needs },
	{ LATEST(COL_LOCK_DUMP) },
	{ "holder", CELL_TEXT, "holder; empty: unknown, or it is free",
	    TEXT(dumped_text, .by = COL_LOCK_HOLDER), .needs = wait_needs, .cut = CUT_MIDDLE }
};

const struct command source_locks = {
	DUMP_TABLE("locks", "locks of stack dumps, with holders and waiters", "locks | sort -waiters",
	    lock_cols, COL_LOCK_DUMP),
	.names = { "lock" }
};
