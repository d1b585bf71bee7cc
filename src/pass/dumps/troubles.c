/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "findings of dumps": deadlocks, and threads that hold up others, that stand still or burn CPU.
 * Threads that wait for work are none.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "dumps.h"

#define CONVOY_LEAST 5u		/* threads that wait for a holder, at least */
#define CONVOY_SHARE 10u	/* percent of the threads of the dump that are in a convoy */
#define GROUP_LEAST 10u		/* threads with equal stacks */
#define HELD_LEAST 2u		/* dumps in which a thread holds up others */
#define STUCK_LEAST 3u		/* dumps in a row */
#define BUSY_LEAST 50u		/* percent of the time between two dumps */
#define QUEUE_LEAST 1000u	/* messages */

const struct trouble_row trouble_rows[DUMP_TROUBLES] = {
	[TROUBLE_DEADLOCK] = { "deadlock", true, "threads that wait for each other in a circle" },
	[TROUBLE_REASON] = { "reason", true, "the dump says why it was made: a crash, a timeout" },
	[TROUBLE_MAIN] = { "main", true, "the main thread of an Android process waits" },
	[TROUBLE_CONVOY] = { "convoy", true, "5 threads and 10% of all wait for one lock or its holder" },
	[TROUBLE_LEAKED] = { "leaked", true, "goroutines that Go proved can never run again" },
	[TROUBLE_FOREVER] = { "forever", true, "goroutines on a nil channel or in an empty select" },
	[TROUBLE_QUEUE] = { "queue", true, "a process of Erlang with 1000 messages" },
	[TROUBLE_HELD] = { "held", false, "a thread holds up others in 2 dumps" },
	[TROUBLE_STUCK] = { "stuck", false, "same stack in 3 dumps in a row, in a lock, I/O or running" },
	[TROUBLE_BUSY] = { "busy", false, "half a CPU between two dumps with the same stack" },
	[TROUBLE_GROUP] = { "group", false, "10 threads with equal stacks that do not wait for work" },
};

struct trouble {
	uint64_t	dump, place;	/* sort order */
	uint64_t	threads, value;
	uint32_t	thread, of;
	uint8_t		kind, newest;
};

struct troubles {
	const struct store	*st;
	struct work		*work;
	struct err		*err;
	ARRAY(struct trouble)	rows;
	ARRAY(struct trouble)	stuck, forever;	/* by row of alike.* */
	uint64_t		 n, nrows, ngroups, ndumps;
};

static bool
trouble_add(struct troubles *t, struct trouble new)
{
	uint64_t most = UINT32_MAX, n = new.threads;

	new.place = (uint64_t)new.kind << 32 | (most - (n < most ? n : most));
	return make_add(&t->rows.raw, &t->n, &new, sizeof new, MAKE_MOST, "findings", t->err);
}

static bool
trouble_tick(struct troubles *t, uint64_t i)
{
	return i % 4096 != 0 || work_tick(t->work, i) || fail_cancel(t->err);
}

static bool
add_deadlocks(struct troubles *t)
{
	uint64_t n = column_rows(store_column(t->st, COL_CIRCLE_DUMP));
	bool ok = true;

	for (uint64_t i = 1; ok && i <= n; i++)
		if (store_cell(t->st, COL_CIRCLE_FIRST, i) == i)
			ok = trouble_add(t, (struct trouble){ .kind = TROUBLE_DEADLOCK,
			    .dump = store_cell(t->st, COL_CIRCLE_DUMP, i),
			    .of = (uint32_t)i, .threads = store_cell(t->st, COL_CIRCLE_THREADS, i),
			    .thread = (uint32_t)store_cell(t->st, COL_CIRCLE_THREAD, i) });
	return ok;
}

#define KIND(name) (UINT64_C(1) << DUMP_##name)

/* Find the thread that a report is about: the marked one, main of Android, or the first; 0: unknown. */
static uint64_t
reported_thread(const struct troubles *t, uint64_t dump, struct dump_rows r)
{
	static const uint64_t first = KIND(COREDUMP) | KIND(TOMBSTONE) | KIND(SANITIZER) | KIND(RUST) | KIND(HSERR) |
	    KIND(LOGCAT) | KIND(GO) | KIND(KERNEL);
	uint64_t kind = store_cell(t->st, COL_TDUMP_KIND, dump);

	for (uint64_t i = r.from; i < r.to; i++)
		if ((store_cell(t->st, COL_DUMPED_FLAGS, i) & DUMP_REPORTED) != 0 || (kind == DUMP_ART &&
		    str_is(dump_text(t->st, COL_DUMPED_NAME, COL_DUMPED_NAME_OWN, i), "main")))
			return i;
	return r.from < r.to && kind < DUMP_KINDS && (first >> kind & 1) != 0 ? r.from : 0;
}

/* Findings that the dump itself reports.  Go reports deadlocks without names of threads. */
static bool
add_reasons(struct troubles *t)
{
	uint64_t done = 1;
	bool ok = true;

	for (uint64_t d = 1; ok && d <= t->ndumps; d++) {
		struct dump_rows r = dump_rows_next(t->st, d, &done);
		uint64_t reason = store_cell(t->st, COL_TDUMP_REASON, d);
		struct trouble new = { .kind = TROUBLE_REASON, .dump = d };

		if (reason == 0)
			continue;
		if (str_has(store_text(t->st, reason), STR("- deadlock!")))
			new.kind = TROUBLE_DEADLOCK;
		else
			new.thread = (uint32_t)reported_thread(t, d, r);
		for (uint64_t i = r.from; i < r.to; i++)
			new.threads += store_cell(t->st, COL_DUMPED_COUNT, i);
		ok = trouble_add(t, new);
	}
	return ok;
}

/* The holder, or the lock without a known one, in a row of behind.*. */
static bool
add_holder(struct troubles *t, uint64_t row)
{
	uint64_t dump = store_cell(t->st, COL_BEHIND_DUMP, row),
	    all = store_cell(t->st, COL_TDUMP_FIRST, dump + 1) - store_cell(t->st, COL_TDUMP_FIRST, dump);
	struct trouble new = { .kind = TROUBLE_CONVOY, .dump = dump,
	    .threads = store_cell(t->st, COL_BEHIND_BELOW, row),
	    .thread = (uint32_t)store_cell(t->st, COL_BEHIND_THREAD, row),
	    .of = (uint32_t)store_cell(t->st, COL_BEHIND_LOCK, row) };

	if (store_cell(t->st, COL_DUMPED_CYCLE, new.thread) != 0)
		return true;
	if (new.threads >= CONVOY_LEAST && new.threads * 100 >= all * CONVOY_SHARE && !trouble_add(t, new))
		return false;
	new.kind = TROUBLE_HELD;
	new.threads = store_cell(t->st, COL_BEHIND_MOST, row);
	new.value = store_cell(t->st, COL_BEHIND_DUMPS, row);
	if (new.value < HELD_LEAST || store_cell(t->st, COL_BEHIND_NEWEST, row) == 0)
		return true;
	return trouble_add(t, new);
}

/* Add convoys, and holders found in several dumps, from the top of the tree of waits. */
static bool
add_holders(struct troubles *t)
{
	uint64_t n = column_rows(store_column(t->st, COL_BEHIND_DUMP));
	bool ok = true;

	for (uint64_t i = 1; ok && i <= n; i++)
		ok = trouble_tick(t, i) && (store_cell(t->st, COL_BEHIND_DEPTH, i) != 0 || add_holder(t, i));
	return ok;
}

/* Count a row in the finding of its group of equal stacks. */
static void
count_in_group(struct scratch *groups, const struct troubles *t, struct trouble of)
{
	uint64_t group = store_cell(t->st, COL_DUMPED_GROUP, of.thread);
	struct trouble *g = &SCRATCH(*groups, struct trouble)[group <= t->ngroups ? group : 0];

	if (g->threads == 0)
		*g = of;
	else {
		g->threads = num_add(g->threads, of.threads);
		g->value = of.value < g->value ? of.value : g->value;
	}
}

static bool
waits_forever(const struct troubles *t, uint64_t row, uint8_t *kind)
{
	uint64_t flags = store_cell(t->st, COL_DUMPED_FLAGS, row);

	*kind = (flags & DUMP_LEAKED) != 0 ? TROUBLE_LEAKED : TROUBLE_FOREVER;
	return (flags & (DUMP_LEAKED | DUMP_FOREVER)) != 0;
}

static bool
stands_still(const struct troubles *t, uint64_t row)
{
	uint64_t want = store_cell(t->st, COL_DUMPED_WANT, row),
	    state = store_cell(t->st, COL_DUMPED_STATE, row);

	return store_cell(t->st, COL_DUMPED_SAME, row) >= STUCK_LEAST &&
	    store_cell(t->st, COL_DUMPED_IDLE, row) == 0 &&
	    (want == WANT_LOCK || want == WANT_INIT || state == DSTATE_BLOCKED || state == DSTATE_IO ||
	    state == DSTATE_RUNNING);
}

/* The main thread of a process of Android that is not at work, nor waits for events. */
static bool
main_waits(const struct troubles *t, uint64_t row)
{
	uint64_t state = store_cell(t->st, COL_DUMPED_STATE, row);

	return store_cell(t->st, COL_DUMPED_IDLE, row) == 0 &&
	    (state == DSTATE_BLOCKED || state == DSTATE_WAITING || state == DSTATE_TIMED ||
	    state == DSTATE_SLEEPING || state == DSTATE_IO) &&
	    str_is(dump_text(t->st, COL_DUMPED_NAME, COL_DUMPED_NAME_OWN, row), "main");
}

static bool
add_of_row(struct troubles *t, uint64_t dump, bool art, uint64_t row)
{
	struct trouble new = { .dump = dump, .thread = (uint32_t)row,
	    .threads = store_cell(t->st, COL_DUMPED_COUNT, row) };
	uint64_t queue = store_cell(t->st, COL_DUMPED_QUEUE, row);
	bool ok = true;

	if (art && main_waits(t, row)) {
		new.kind = TROUBLE_MAIN;
		ok = trouble_add(t, new);
	}
	if (queue >= QUEUE_LEAST) {
		new.kind = TROUBLE_QUEUE;
		new.value = queue;
		ok = ok && trouble_add(t, new);
	}
	if (waits_forever(t, row, &new.kind)) {
		count_in_group(&t->forever.raw, t, new);
	} else if (stands_still(t, row)) {
		new.kind = TROUBLE_STUCK;
		new.value = store_cell(t->st, COL_DUMPED_SAME, row);
		count_in_group(&t->stuck.raw, t, new);
	}
	return ok;
}

static bool
add_threads(struct troubles *t)
{
	uint64_t done = 1;
	bool ok = array_grow(&t->stuck, t->ngroups + 1, t->err) &&
	    array_grow(&t->forever, t->ngroups + 1, t->err);

	for (uint64_t d = 1; ok && d <= t->ndumps; d++) {
		struct dump_rows r = dump_rows_next(t->st, d, &done);
		bool art = store_cell(t->st, COL_TDUMP_KIND, d) == DUMP_ART;

		for (uint64_t i = r.from; ok && i < r.to; i++)
			ok = trouble_tick(t, i) && add_of_row(t, d, art, i);
	}
	return ok;
}

/* Groups of equal stacks: large ones, and what add_threads counted in them. */
static bool
add_groups(struct troubles *t)
{
	bool ok = true;

	for (uint64_t i = 0; ok && i <= t->ngroups; i++) {
		uint64_t threads = store_cell(t->st, COL_ALIKE_THREADS, i),
		    idle = store_cell(t->st, COL_ALIKE_IDLE, i);
		const struct trouble *stuck = &t->stuck.at[i], *forever = &t->forever.at[i];

		ok = trouble_tick(t, i) && (stuck->threads == 0 || trouble_add(t, *stuck)) &&
		    (forever->threads == 0 || trouble_add(t, *forever));
		if (ok && threads >= GROUP_LEAST && idle < threads &&
		    store_cell(t->st, COL_ALIKE_STACK, i) != 0)
			ok = trouble_add(t, (struct trouble){ .kind = TROUBLE_GROUP,
			    .dump = store_cell(t->st, COL_ALIKE_DUMP, i), .threads = threads,
			    .thread = (uint32_t)store_cell(t->st, COL_ALIKE_FIRST, i) });
	}
	return ok;
}

/* Threads with the same stack in two dumps that used CPU between them. */
static bool
add_burning(struct troubles *t)
{
	uint64_t n = column_rows(store_column(t->st, COL_MOVE_DUMP));
	bool ok = true;

	for (uint64_t i = 1; ok && i <= n; i++) {
		uint64_t from = store_cell(t->st, COL_MOVE_FROM, i), to = store_cell(t->st, COL_MOVE_TO, i);
		uint64_t dump = store_cell(t->st, COL_MOVE_DUMP, i);
		uint64_t start = store_cell(t->st, COL_TDUMP_TIME, dump),
		    end = store_cell(t->st, COL_TDUMP_TIME, dump + 1);
		uint64_t before = store_cell(t->st, COL_DUMPED_CPU, from),
		    after = store_cell(t->st, COL_DUMPED_CPU, to);

		ok = trouble_tick(t, i);
		if (store_cell(t->st, COL_MOVE_HOW, i) != MOVE_SAME || after == UINT64_MAX ||
		    before >= after || end == UINT64_MAX || start >= end)
			continue;
		before = (uint64_t)((double)(after - before) * 100 / (double)(end - start));
		if (before >= BUSY_LEAST && store_cell(t->st, COL_DUMPED_STACK, to) != 0)
			ok = ok && trouble_add(t, (struct trouble){ .kind = TROUBLE_BUSY, .dump = dump + 1,
			    .thread = (uint32_t)to, .threads = 1,
			    .value = before });
	}
	return ok;
}

/*
 * What a reason is about: the kernel says again that a task or CPU hangs, each time with more seconds; net/http names
 * the client, "127.0.0.1:51234: ".
 */
static uint64_t
reason_key(const struct troubles *t, uint64_t dump)
{
	uint64_t key = 0;
	struct str text = store_text(t->st, store_cell(t->st, COL_TDUMP_REASON, dump)), part;

	if (str_take(&text, STR("http: panic serving ")))
		(void)str_divide(text, STR(": "), &part, &text);
	while (str_divide(text, STR(" for "), &part, &text)) {
		bool again = str_take(&text, STR("more than ")) || str_ends(part, " stuck");

		key = idmap_hash_text(part, key);
		while (again && text.n > 0 && text.s[0] >= '0' && text.s[0] <= '9')
			text = str_after(text, 1);
	}
	return idmap_hash_text(text, key);
}

/* The same finding in another dump: of a group by its stack, otherwise by thread, lock or reason. */
static uint64_t
trouble_key(const struct troubles *t, const struct trouble *f)
{
	uint64_t of = f->kind == TROUBLE_REASON ? reason_key(t, f->dump) :
	    f->kind == TROUBLE_STUCK || f->kind == TROUBLE_GROUP || f->kind == TROUBLE_FOREVER ||
	    f->kind == TROUBLE_LEAKED ?
	    store_cell(t->st, COL_DUMPED_STACK, f->thread) : f->thread != 0 ?
	    store_cell(t->st, COL_DUMPED_THREAD, f->thread) :
	    f->kind == TROUBLE_CONVOY || f->kind == TROUBLE_HELD ? series_lock_key(t->st, f->of) :
	    store_cell(t->st, COL_TDUMP_REASON, f->dump);

	return idmap_hash(of) + f->kind;
}

/* Mark the findings that no later dump of the process has. */
static bool
mark_newest(struct troubles *t)
{
	uint64_t pid = store_cell(t->st, COL_TDUMP_PID, dumps_shown(t->st));
	OWN_IDMAP later = IDMAP_INIT;
	uint32_t found = 0;

	for (uint64_t i = t->n; i-- > 0; ) {
		struct trouble *f = &t->rows.at[i];

		if (store_cell(t->st, COL_TDUMP_PID, f->dump) != pid)
			continue;
		if (!trouble_tick(t, i) ||
		    !idmap_enter(&later, trouble_key(t, f), (uint32_t)f->dump, &found, t->err))
			return false;
		f->newest = found == f->dump;
	}
	return true;
}

static bool
troubles_run(struct store *st, struct work *work, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_TROUBLE_KIND, trouble, kind), MAKE_FIT(COL_TROUBLE_DUMP, trouble, dump),
		MAKE_FIT(COL_TROUBLE_THREADS, trouble, threads),
		MAKE_FIT(COL_TROUBLE_THREAD, trouble, thread), MAKE_FIT(COL_TROUBLE_OF, trouble, of),
		MAKE_FIT(COL_TROUBLE_VALUE, trouble, value), MAKE(COL_TROUBLE_NEWEST, trouble, newest),
	};
	struct troubles t = { .st = st, .work = work, .err = err, .ndumps = dumps_count(st),
	    .ngroups = column_rows(store_column(st, COL_ALIKE_DUMP)),
	    .nrows = column_rows(store_column(st, COL_DUMPED_STATE)) };
	bool ok;

	work_start(work, "findings", t.nrows);
	ok = add_deadlocks(&t) && add_reasons(&t) && add_holders(&t) && add_threads(&t) && add_groups(&t) &&
	    add_burning(&t) &&
	    make_sort_both(&t.rows.raw, t.n, sizeof(struct trouble), work, err) &&
	    mark_newest(&t) && make_columns(st, columns, NELEM(columns), MAKE_ROWS(t.rows.at, t.n), err);
	SCRATCH_FREE(&t.rows, &t.stuck, &t.forever);
	return ok;
}

const struct pass pass_dump_troubles = {
	.name = "findings of dumps", .what = "what keeps threads of stack dumps from going on",
	    .when = COL_DUMPED_STATE, .run = troubles_run,
	.needs = PASS_COLUMNS(COL_BEHIND_DUMP, COL_BEHIND_DUMPS, COL_ALIKE_DUMP, COL_MOVE_DUMP),
	.makes = PASS_COLUMNS(COL_TROUBLE_KIND, COL_TROUBLE_DUMP, COL_TROUBLE_THREADS, COL_TROUBLE_THREAD,
	    COL_TROUBLE_OF, COL_TROUBLE_VALUE, COL_TROUBLE_NEWEST)
};
