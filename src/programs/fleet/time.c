/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time: where the time of a trace or profile went, and what its threads, or those of a stack dump, waited
 * for.
 */
#include "config.h"

#include <string.h>

#include "fleet.h"
#include "icecore/name.h"
#include "icecore/overview.h"

#define SLOW_WAIT 100000000	/* ns: a person notices */
#define FINDINGS_MOST 5		/* rows that one query gives */
#define SIG_TEXT 16
/* Files whose weights are not time or memory; threads of stack dumps mostly wait. */
#define NO_TIME (SHAPE_DUMPS | SHAPE_MONEY | SHAPE_TABLE | SHAPE_FOLDER)

/* Waits of a main thread by what it waits for: longer than a frame of 60 a second. */
#define BLOCKS "where wall > 16ms and not idle"
#define GROUPED " | group label waiting_in state : max wall as wall, count as count | sort -wall | " \
	"select label as holder waiting_in as content state wall count"
#define MAIN_BLOCKS "threads | where main | waits | " BLOCKS GROUPED
/* A wait that the trace shows by the name of a call alone, and not the one that the program does again and again. */
#define MAIN_CALLS "spans min 100ms | where thread_id in (threads | where main | select id) and not outer and " \
	"method_id in (methods | where waits | select id) and " \
	"thread_id not in (tracks | where kind = state | select thread_id)"
#define OPEN_SLICES "async_spans | where name in (async | where open > 0 | select name) | " \
	"select name process wall * open as open wall - wall * open as ended open as n | " \
	"group name process : max open as wall, max ended as ended, count as all, sum n as count | "
#define FINDINGS "findings | where latest and "
#define OF_DUMP "select kind thread as holder doing as content threads as count what as why"
/* Runtimes print the thread that failed first. */
#define FIRST_THREAD "threads | where latest | head 1 | select name as holder doing as content"
#define FATAL "/[Pp]anic|[Ff]atal|[Aa]bort|[Cc]rash|SIG[A-Z]/"

/* The worst first. Without a kind, it is that of the row. */
static const struct time_query {
	/* files need one of shapes, none of but, and one of with, unless with is 0 */
	unsigned	 shapes, but, with;
	const char	*severity, *kind, *query;
	/* query whose first row gives the holder and content of rows without them; NULL: none */
	const char	*first;
} time_queries[] = {
	{ SHAPE_DUMPS, 0, 0, "crash", "crash", FINDINGS "kind = reason and what ~ " FATAL " | " OF_DUMP,
	    FIRST_THREAD },
	{ SHAPE_DUMPS, 0, 0, "deadlock", NULL, FINDINGS "kind = deadlock | " OF_DUMP },
	{ SHAPE_DUMPS, 0, 0, "jank", "hang", FINDINGS "kind = reason and what !~ " FATAL " | " OF_DUMP,
	    FIRST_THREAD },
	{ SHAPE_DUMPS, 0, 0, "jank", "main blocked", FINDINGS "kind = main | " OF_DUMP },
	{ SHAPE_TASKS, 0, SHAPE_MARKS, "jank", "main blocked",
	    "tasks | where id in (processes | where threads > 1 and main_id > 0 | select main_id) | waits | "
	    BLOCKS " and (waiting_in != '' or state in (disk, runnable, preempted))" GROUPED },
	{ SHAPE_TASKS, SHAPE_MARKS, 0, "jank", "main blocked", "tasks | where tid = pid | waits | " BLOCKS
	    " and (waiting_in != '' or state in (disk, runnable, preempted))" GROUPED },
	{ SHAPE_TRACKS, SHAPE_TASKS | SHAPE_SAMPLES, 0, "jank", "main blocked", MAIN_BLOCKS },
	{ SHAPE_LASTING, 0, 0, "jank", "main blocked", MAIN_BLOCKS },
	{ SHAPE_CALLS, SHAPE_TASKS | SHAPE_SAMPLES, 0, "jank", "main blocked", MAIN_CALLS
	    " | group label method : max wall as wall, sum wall as total, count as count | where wall * 2 > total | "
	    "sort -wall | select label as holder method as content wall count" },
	/* Others of that name ended in a twentieth of the time. */
	{ SHAPE_MARKS, 0, 0, "wait", "never ended", OPEN_SLICES
	    "where ended > 0 and all >= 5 and wall > 100ms and wall > ended * 20 | "
	    "select process as holder name as content wall count" },
	{ SHAPE_MARKS, 0, 0, "jank", "late frames",
	    "processes | where late_frames > 0 | top 3 late_frames | select name as holder late_frames as count" },
	{ SHAPE_CALLS, SHAPE_MARKS, 0, "jank", "late frames",
	    "spans min 16666us | where wall > 16666667ns and method ~ /^android[.]view[.]Choreographer"
	    "[.]doFrame$/ | group label method : max wall as wall, count as count | select label as holder method as "
	    "content wall count" },
	{ SHAPE_MONEY, 0, 0, "warning", "refused", "info | where field = refused.first | select value as content" },
	{ SHAPE_DUMPS, 0, 0, "wait", NULL, FINDINGS "kind in (convoy, forever, queue) | " OF_DUMP },
};

#define LONGEST_WAIT "waits | where not idle | top 1 wall | select label as holder waiting_in as content state wall"

struct time_rows {
	struct triage_block	*b;
	struct triage_row	 first;		/* holder and content that the first row says */
	const struct time_query	*query;
	uint64_t		 blocks, longest;	/* waits of main threads: how many, and the longest in ns */
};

/* Set a member to a cell with a text; false: it has none. */
static bool
put_cell_text(struct triage_row *row, const char *field, struct rows *r, uint64_t at, const char *column)
{
	struct cell c;

	if (!cell_named(r, at, column, &c) || c.type != CELL_TEXT || c.text.n == 0)
		return false;
	row_put(row, field, &c);
	return true;
}

static void
put_signature(struct triage_row *row)
{
	static const char *const parts[] = { "kind", "holder", "content" };
	struct buf b = BUF_INIT, part = BUF_INIT;
	char hash[HASH_TEXT];
	size_t at;

	for (size_t i = 0; i < NELEM(parts); i++) {
		buf_clear(&part);
		buf_str(&part, triage_text(row, parts[i]));
		if (part.n == 0)
			continue;
		buf_str(&b, b.n > 0 ? STR(" > ") : STR(""));
		/* Ids of threads and addresses differ between files. */
		at = b.n;
		buf_str(&b, buf_view(&part));
		name_star(&b, at, false);
	}
	hash_text(buf_view(&b), hash);
	triage_put_text(row, "signature", buf_view(&b));
	triage_put_text(row, "sig", (struct str){ hash, SIG_TEXT });
	triage_put_count(row, "rule", 1);
	row->bad |= b.bad || part.bad;
	buf_free(&b);
	buf_free(&part);
}

/* The content is the place where a thread waits, otherwise its state. */
static void
put_parts(const struct time_rows *t, struct triage_row *row, struct rows *r, uint64_t at)
{
	bool any = put_cell_text(row, "holder", r, at, "holder");

	any = put_cell_text(row, "content", r, at, "content") ||
	    put_cell_text(row, "content", r, at, "state") || any;
	if (!any && t->first.n > 0) {
		triage_put_text(row, "holder", triage_text(&t->first, "holder"));
		triage_put_text(row, "content", triage_text(&t->first, "content"));
	}
	(void)put_cell_text(row, "why", r, at, "why");
}

static bool
fail_rows(struct err *err)
{
	return fail(err, E_SYSTEM, "out of memory (rows)");
}

static bool
add_time_finding(struct time_rows *t, const char *severity, const char *kind, struct rows *r, uint64_t at,
    struct err *err)
{
	static const char *const numbers[] = { "count", "wall" };
	struct triage_row *row = triage_add(&t->b->findings);
	struct cell c;

	if (row == NULL)
		return fail_rows(err);
	begin_row(row, "finding");
	triage_put_count(row, "rank", (int64_t)t->b->findings.n);
	triage_put_text(row, "severity", str_of(severity));
	if (kind != NULL)
		triage_put_text(row, "kind", str_of(kind));
	else
		(void)put_cell_text(row, "kind", r, at, "kind");
	put_parts(t, row, r, at);
	put_signature(row);
	for (size_t i = 0; i < NELEM(numbers); i++)
		if (cell_named(r, at, numbers[i], &c))
			row_put(row, numbers[i], &c);
	return true;
}

static bool
take_time_finding(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct time_rows *t = to;
	struct cell count = { .type = CELL_NONE }, wall;

	if (t->query->kind != NULL && strcmp(t->query->kind, "main blocked") == 0 &&
	    cell_named(r, row, "count", &count) && cell_named(r, row, "wall", &wall)) {
		t->blocks += count.u;
		t->longest = wall.u > t->longest ? wall.u : t->longest;
	}
	return row >= FINDINGS_MOST || add_time_finding(t, t->query->severity, t->query->kind, r, row, err);
}

static bool
take_first(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct time_rows *t = to;

	(void)err;
	triage_row_free(&t->first);
	(void)put_cell_text(&t->first, "holder", r, row, "holder");
	(void)put_cell_text(&t->first, "content", r, row, "content");
	return true;
}

static bool
ask_findings(struct time_rows *t, struct session *session, struct work *w, struct err *err)
{
	bool ok = (t->query->first == NULL || rows_each(session, t->query->first, w, take_first, t, err)) &&
	    rows_each(session, t->query->query, w, take_time_finding, t, err);

	triage_row_free(&t->first);
	return ok;
}

static bool
take_wait(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct time_rows *t = to;
	struct buf b = BUF_INIT;
	struct cell wall, c;

	if (!cell_named(r, row, "wall", &wall))
		return true;
	if (cell_named(r, row, "holder", &c))
		text_fit_buf(&b, c.text);
	if ((cell_named(r, row, "content", &c) && c.text.n > 0) || cell_named(r, row, "state", &c)) {
		buf_str(&b, STR(" in "));
		text_fit_buf(&b, c.text);
	}
	row_put(&t->b->dump, "wait", &wall);
	triage_put_text(&t->b->dump, "wait_in", buf_view(&b));
	t->b->dump.bad |= b.bad;
	buf_free(&b);
	return wall.u < SLOW_WAIT || add_time_finding(t, "wait", "wait", r, row, err);
}

/* The name of a kind of event that is a time, otherwise of the event. */
static bool
time_take_weight(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct time_rows *t = to;
	struct cell kind, name;
	bool is_time;

	(void)err;
	if (!cell_named(r, row, "name", &name))
		return true;
	is_time = cell_named(r, row, "kind", &kind) && (str_eq(kind.text, STR("cpu")) ||
	    str_eq(kind.text, STR("wall")));
	row_put(&t->b->dump, "weight", is_time ? &kind : &name);
	return true;
}

static bool
time_take_path(struct time_rows *t, struct session *session, bool stable, struct work *w, struct err *err)
{
	struct overview_answer a = { .n = 0 };
	const struct overview_line *l = overview_lines;
	struct cell words = { .type = CELL_TEXT }, share = { .type = CELL_PERCENT };

	while (l->name != NULL && (strcmp(l->name, "hottest path") != 0 || !overview_fits(l, session, false)))
		l++;
	if (l->name == NULL)
		return true;
	if (!overview_answer(l, session, &a, w, err))
		return false;
	if (a.n > 0 && a.item[0].shared && a.item[0].words.n > 0) {
		if (stable)
			name_star(&a.item[0].words, 0, true);
		words.text = buf_view(&a.item[0].words);
		share.f = a.item[0].share;
		row_put(&t->b->dump, "hot_path", &words);
		row_put(&t->b->dump, "hot_share", &share);
	}
	overview_free(&a);
	return true;
}

static bool
take_methods(struct time_rows *t, struct session *session, unsigned shapes, struct work *w, struct err *err)
{
	bool tree = (shapes & SHAPE_TREES) != 0, clocks = (shapes & SHAPE_CALLS) != 0,
	    stable = clocks && (shapes & (SHAPE_TASKS | SHAPE_MARKS)) != 0;

	if ((shapes & (SHAPE_TREES | SHAPE_COSTS)) == 0 || (shapes & NO_TIME) != 0)
		return true;
	session_choose_clock(session, session_store(session));
	/* Texts of events name such calls, with numbers that differ between files. */
	if (!busiest_find(session, tree ? "method as name" : "name", stable, &t->b->methods, w, err) ||
	    !time_take_path(t, session, stable, w, err))
		return false;
	if (clocks) {
		triage_put_text(&t->b->dump, "weight", str_of(clock_names[session->clock]));
		return true;
	}
	return rows_each(session, "events | where current | select name kind", w, time_take_weight, t, err);
}

bool
time_judge(struct session *session, unsigned shapes, struct triage_block *b, struct work *w, struct err *err)
{
	struct time_rows t = { .b = b };
	bool waits = (shapes & (SHAPE_TASKS | SHAPE_LASTING)) != 0 ||
	    ((shapes & SHAPE_TRACKS) != 0 && (shapes & SHAPE_SAMPLES) == 0);
	bool ok = take_methods(&t, session, shapes, w, err);

	for (size_t i = 0; ok && i < NELEM(time_queries); i++) {
		const struct time_query *q = &time_queries[i];

		t.query = q;
		if ((shapes & q->shapes) != 0 && (shapes & q->but) == 0 &&
		    (q->with == 0 || (shapes & q->with) != 0))
			ok = ask_findings(&t, session, w, err);
	}
	ok = ok && (!waits || rows_each(session, LONGEST_WAIT, w, take_wait, &t, err));
	if (ok && waits)
		triage_put_count(&b->dump, "main_blocks", (int64_t)t.blocks);
	if (ok && waits && t.blocks > 0)
		triage_put_count(&b->dump, "main_longest", (int64_t)t.longest);
	triage_put_count(&b->dump, "methods", (int64_t)b->methods.n);
	return ok;
}
