/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_troubles: findings of stack dumps.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_dumps.h"
#include "q_dumps.h"

static const char *const severities[] = { "note", "warning" };

static const struct trouble_row *
trouble_of(const struct item_rows *s, uint64_t n)
{
	uint64_t kind = store_cell(s->st, COL_TROUBLE_KIND, n);

	return &trouble_rows[kind < DUMP_TROUBLES ? kind : TROUBLE_GROUP];
}

static bool
trouble_kind(struct item_rows *s, uint64_t n, struct buf *b)
{
	buf_str(b, str_of(trouble_of(s, n)->name));
	return true;
}

static bool
trouble_severity(struct item_rows *s, uint64_t n, struct buf *b)
{
	buf_str(b, str_of(severities[trouble_of(s, n)->warns]));
	return true;
}

/* Append words and a text; nothing if there is no text. */
static void
add_part(struct item_rows *s, const char *words, bool (*text)(struct item_rows *, uint64_t, struct buf *),
    uint64_t n, struct buf *b)
{
	size_t before = b->n, from;

	buf_str(b, str_of(words));
	from = b->n;
	if (n == 0 || !text(s, n, b) || b->n == from)
		b->n = before;
}

static void
tell_convoy(struct item_rows *s, uint64_t n, uint64_t thread, struct buf *b)
{
	uint64_t threads = store_cell(s->st, COL_TROUBLE_THREADS, n);

	if (thread == 0) {
		buf_printf(b, "%ju threads wait, the holder is unknown", (uintmax_t)threads);
		add_part(s, ": ", lock_class_text, store_cell(s->st, COL_TROUBLE_OF, n), b);
		return;
	}
	dumped_label(s->st, thread, b);
	buf_printf(b, " holds up %ju threads", (uintmax_t)threads);
}

/* A holder of several dumps: "a held up 3 threads in 3 of 5 dumps, in Pool.audit; free in the last dump". */
static void
tell_held(struct item_rows *s, uint64_t n, uint64_t thread, struct buf *b)
{
	uint64_t threads = store_cell(s->st, COL_TROUBLE_THREADS, n),
	    dump = store_cell(s->st, COL_TROUBLE_DUMP, n);

	if (thread != 0) {
		dumped_label(s->st, thread, b);
		buf_str(b, STR(" held up "));
	}
	buf_printf(b, "%ju %s ", (uintmax_t)threads, threads == 1 ? "thread" : "threads");
	if (thread == 0)
		buf_text(b, "waited for a lock ");
	of_dumps_text(s->st, store_cell(s->st, COL_TROUBLE_VALUE, n), dump, "", b);
	add_part(s, ", in ", doing_text, store_cell(s->st, COL_DUMPED_STACK, thread), b);
	add_part(s, ", the holder is unknown: ", lock_class_text,
	    thread != 0 ? 0 : store_cell(s->st, COL_TROUBLE_OF, n), b);
	if (dump != dumps_shown(s->st))
		buf_text(b, "; free in the last dump");
}

/* Where a report is from: "..., in draw (libgame.so), called by render". */
static void
tell_where(struct item_rows *s, uint64_t stack, struct buf *b)
{
	static const char *const nowhere[] = { " (??:0)", " ([kernel])" };
	uint64_t own = store_cell(s->st, COL_EXACT_OWN, stack);

	while (own != 0 && b->n > 0 && is_one_of(b->s[b->n - 1], ".: "))
		b->n--;
	add_part(s, ", in ", exact_own_text, stack, b);
	/* Places that say nothing. */
	for (size_t i = 0; i < NELEM(nowhere); i++)
		b->n -= str_has_suffix(buf_view(b), str_of(nowhere[i])) ? strlen(nowhere[i]) : 0;
	add_part(s, ", called by ", doing_text, store_cell(s->st, COL_EXACT_PARENT, own), b);
}

/* A deadlock with its threads, or in the words of the dump, or why the dump was made. */
static void
tell_reason(struct item_rows *s, uint64_t n, uint64_t thread, struct buf *b)
{
	uint64_t dump = store_cell(s->st, COL_TROUBLE_DUMP, n), of = store_cell(s->st, COL_TROUBLE_OF, n);
	uint64_t kind = store_cell(s->st, COL_TDUMP_KIND, dump);

	if (of == 0) {
		buf_str(b, store_text(s->st, store_cell(s->st, COL_TDUMP_REASON, dump)));
		tell_where(s, store_cell(s->st, COL_DUMPED_STACK, thread), b);
		if (kind == DUMP_FAULTHANDLER && thread != 0 && store_cell(s->st, COL_DUMPED_NAME, thread) != 0)
			add_part(s, "; thread ", dumped_text, thread, b);
		return;
	}
	/* The threads in these files were read one after another. */
	buf_str(b, kind == DUMP_HOTSPOT_FILE || kind == DUMP_HOTSPOT_JSON ? STR("possible: ") : STR(""));
	circle_text(s, of, b);
	add_part(s, "; lock ", lock_class_text, store_cell(s->st, COL_DUMPED_LOCK, thread), b);
}

/* "main.start in goroutine 7" without the goroutine. */
static bool
creator_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	struct str by = store_text(s->st, store_cell(s->st, COL_DUMPED_PARENT, n)), name;

	buf_str(b, str_divide(by, STR(" in goroutine "), &name, &by) ? name : by);
	return true;
}

/* The part of a finding before the state of its thread. */
static void
tell_kind(struct item_rows *s, uint64_t n, uint64_t thread, struct buf *b)
{
	uint64_t value = store_cell(s->st, COL_TROUBLE_VALUE, n);

	switch ((enum dump_trouble)store_cell(s->st, COL_TROUBLE_KIND, n)) {
	case TROUBLE_DEADLOCK:
	case TROUBLE_REASON:
		tell_reason(s, n, thread, b);
		break;
	case TROUBLE_CONVOY:
		tell_convoy(s, n, thread, b);
		break;
	case TROUBLE_HELD:
		tell_held(s, n, thread, b);
		break;
	case TROUBLE_MAIN:
		buf_str(b, STR("main"));
		add_part(s, " waits for ", lock_class_text, store_cell(s->st, COL_DUMPED_LOCK, thread), b);
		add_part(s, " held by ", held_by_text, thread, b);
		break;
	case TROUBLE_LEAKED:
		buf_str(b, STR("leaked"));
		add_part(s, ": ", raw_text, thread, b);
		add_part(s, "; created by ", creator_text, thread, b);
		break;
	case TROUBLE_FOREVER:
		raw_text(s, thread, b);
		break;
	case TROUBLE_QUEUE:
		dumped_label(s->st, thread, b);
		buf_printf(b, " has %ju messages", (uintmax_t)value);
		break;
	case TROUBLE_STUCK:
		pool_text(s, thread, b);
		buf_printf(b, ": same stack in %ju dumps", (uintmax_t)value);
		break;
	case TROUBLE_BUSY:
		dumped_label(s->st, thread, b);
		buf_printf(b, ": %ju%% of a CPU, same stack", (uintmax_t)value);
		break;
	default:
		pool_text(s, thread, b);
		buf_str(b, STR(": equal stacks"));
		break;
	}
}

static bool
trouble_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t thread = store_cell(s->st, COL_TROUBLE_THREAD, n),
	    kind = store_cell(s->st, COL_TROUBLE_KIND, n);

	tell_kind(s, n, thread, b);
	if (kind == TROUBLE_HELD)
		return true;
	if (kind != TROUBLE_DEADLOCK && kind != TROUBLE_REASON) {
		add_part(s, "; ", dumped_state_text, thread, b);
		add_part(s, " in ", doing_text, store_cell(s->st, COL_DUMPED_STACK, thread), b);
	}
	if (store_cell(s->st, COL_TROUBLE_NEWEST, n) != 0 &&
	    store_cell(s->st, COL_TROUBLE_DUMP, n) != dumps_shown(s->st))
		buf_str(b, STR("; not in the last dump"));
	return true;
}

static const column_id trouble_needs[] = { COL_TROUBLE_KIND, COL_EXACT_OWN, COL_NONE };

static const struct coldef trouble_cols[] = {
	{ "id", CELL_ID, "row", .more = true, MADE(SHOW_NUMBER) },
	{ "dump", CELL_ID, "number of the dump", IN(SHOW_NUMBER, COL_TROUBLE_DUMP) },
	{ "severity", CELL_TEXT, "warning or note", TEXT(trouble_severity) },
	{ "kind", CELL_TEXT, "kind of finding", TEXT(trouble_kind) },
	{ "threads", CELL_COUNT, "threads concerned", IN(SHOW_NUMBER, COL_TROUBLE_THREADS) },
	{ "what", CELL_TEXT, "threads, state, and what they do", TEXT(trouble_text), .rest = true },
	{ "thread", CELL_TEXT, "holder, or first thread", .more = true,
	    TEXT(dumped_text, .by = COL_TROUBLE_THREAD), .cut = CUT_MIDDLE },
	{ "doing", CELL_TEXT, "innermost function of the program", .more = true,
	    OWN(doing_text, .by = COL_TROUBLE_THREAD, .then = COL_DUMPED_STACK) },
	{ LATEST(COL_TROUBLE_DUMP) },
	{ "newest", CELL_BOOL, "no later dump of the process has it", .more = true,
	    IN(SHOW_NUMBER, COL_TROUBLE_NEWEST) },
	{ "row", CELL_ID, "row of 'threads'; empty: unknown", .more = true,
	    IN(SHOW_SOME, COL_TROUBLE_THREAD) }
};

/* A line of help for each kind. */
static bool
trouble_topic(uint64_t i, struct topic *topic)
{
	if (i >= DUMP_TROUBLES)
		return false;
	*topic = (struct topic){ str_of(trouble_rows[i].name), STR("finding"),
	    str_of(severities[trouble_rows[i].warns]), str_of(trouble_rows[i].what) };
	return true;
}

const struct command source_troubles = {
	DUMP_TABLE("findings", "what keeps threads of stack dumps from going on", "findings | where latest",
	    trouble_cols, COL_TROUBLE_KIND),
	.needs = trouble_needs, .names = { "kind", "thread" }, .topic = trouble_topic
};
