/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * time: where the time of a trace or profile went, and what its threads, or those of a stack dump, waited for.
 */
#include "config.h"

#include <string.h>

#include "fleet.h"
#include "icecore/overview.h"

#define SLOW_WAIT 100000000	/* ns: a person notices */
#define FINDINGS_MOST 5		/* rows that one query gives */
#define SIG_TEXT 16
/* Files whose weights are not time or memory; threads of stack dumps mostly wait. */
#define NO_TIME (SHAPE_DUMPS | SHAPE_MONEY | SHAPE_TABLE | SHAPE_FOLDER)

/* Methods with less than a thousandth of the weight, and more than 100, are left out. */
#define METHODS "methods | where self_pct >= 0.1 | top 100 self_pct | select "
/* Waits of a main thread by what it waits for: longer than a frame of 60 a second. */
#define BLOCKS "where not idle and wall > 16ms"
#define GROUPED " | group label waiting_in state : max wall as wall, count as count | sort -wall | " \
	"select label as holder waiting_in as content state wall count"
#define FINDINGS "findings | where latest and "
#define OF_DUMP "select kind thread as holder doing as content threads as count what as why"
/* Runtimes print the thread that failed first. */
#define FIRST_THREAD "threads | where latest | head 1 | select name as holder doing as content"
#define FATAL "/[Pp]anic|[Ff]atal|[Aa]bort|[Cc]rash|SIG[A-Z]/"

/* The worst first. Without a kind, it is that of the row. */
static const struct time_query {
	unsigned	 shapes, but, with;	/* files need one of shapes, none of but, and one of with, unless with is 0 */
	const char	*severity, *kind, *query;
	const char	*first;		/* query whose first row gives the holder and content of rows without them; NULL: none */
} time_queries[] = {
	{ SHAPE_DUMPS, 0, 0, "crash", "crash", FINDINGS "kind = reason and what ~ " FATAL " | " OF_DUMP, FIRST_THREAD },
	{ SHAPE_DUMPS, 0, 0, "deadlock", NULL, FINDINGS "kind = deadlock | " OF_DUMP },
	{ SHAPE_DUMPS, 0, 0, "jank", "hang", FINDINGS "kind = reason and what !~ " FATAL " | " OF_DUMP, FIRST_THREAD },
	{ SHAPE_DUMPS, 0, 0, "jank", "main blocked", FINDINGS "kind = main | " OF_DUMP },
	{ SHAPE_TASKS, 0, SHAPE_MARKS, "jank", "main blocked", "tasks | where id in (processes | where main_id > 0 | select main_id) | waits | "
	    BLOCKS " and (waiting_in != '' or state in (disk, runnable, preempted))" GROUPED },
	{ SHAPE_TASKS, SHAPE_MARKS, 0, "jank", "main blocked", "tasks | where tid = pid | waits | " BLOCKS
	    " and (waiting_in != '' or state in (disk, runnable, preempted))" GROUPED },
	{ SHAPE_TRACKS, SHAPE_TASKS | SHAPE_SAMPLES, 0, "jank", "main blocked", "waits | " BLOCKS " and label = main" GROUPED },
	{ SHAPE_LASTING, 0, 0, "jank", "main blocked", "waits | " BLOCKS " and label = main" GROUPED },
	{ SHAPE_MARKS, 0, 0, "jank", "late frames", "processes | where late_frames > 0 | top 3 late_frames | select name as holder late_frames as count" },
	{ SHAPE_CALLS, SHAPE_MARKS, 0, "jank", "late frames", "spans min 16666us | where wall > 16666667ns and method ~ /^android[.]view[.]Choreographer"
	    "[.]doFrame$/ | group label method : max wall as wall, count as count | select label as holder method as content wall count" },
	{ SHAPE_DUMPS, 0, 0, "wait", NULL, FINDINGS "kind in (convoy, forever, queue) | " OF_DUMP },
};

#define LONGEST_WAIT "waits | where not idle | top 1 wall | select label as holder waiting_in as content state wall"

struct time_rows {
	json_t			*facts, *findings, *methods;
	json_t			*holder, *content;	/* what the first row says, or NULL */
	const struct time_query	*query;
	uint64_t		 blocks, longest;	/* waits of main threads: how many, and the longest in ns */
	bool			 stable;	/* methods are named by texts of events: numbers in them differ between files */
};

static json_t *
row_text_of(struct rows *r, uint64_t row, const char *column)
{
	struct cell c;

	return cell_named(r, row, column, &c) && c.type == CELL_TEXT && c.text.n > 0 ? row_value(&c) : NULL;
}

static bool
is_in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Append a text, with numbers as *: ids of threads and addresses differ between files. words: keep those that are part of a word. */
static void
add_stable(struct buf *b, const char *text, bool words)
{
	for (size_t n; *text != '\0'; text += n) {
		n = strspn(text, "0123456789");
		if (n > 0 && (!words || !(is_in_word(text[n]) || (b->n > 0 && is_in_word(b->s[b->n - 1]))))) {
			buf_chr(b, '*');
			continue;
		}
		n = n > 0 ? n : strcspn(text, "0123456789");
		buf_add(b, text, n);
	}
}

static bool
put_signature(json_t *row)
{
	static const char *const parts[] = { "kind", "holder", "content" };
	struct buf b = BUF_INIT;
	char hash[HASH_TEXT];
	const char *text;
	bool ok;

	for (size_t i = 0; i < NELEM(parts); i++)
		if ((text = json_string_value(json_object_get(row, parts[i]))) != NULL) {
			buf_str(&b, b.n > 0 ? STR(" > ") : STR(""));
			add_stable(&b, text, false);
		}
	hash_text(buf_view(&b), hash);
	ok = !b.bad && row_put(row, "signature", json_stringn(b.s, b.n)) && row_put(row, "sig", json_stringn(hash, SIG_TEXT)) &&
	    row_put(row, "rule", json_integer(1));
	buf_free(&b);
	return ok;
}

/* The content is the place where a thread waits, otherwise its state. */
static bool
put_parts(const struct time_rows *t, json_t *row, struct rows *r, uint64_t at)
{
	json_t *holder = row_text_of(r, at, "holder"), *content = row_text_of(r, at, "content"), *why = row_text_of(r, at, "why");

	content = content != NULL ? content : row_text_of(r, at, "state");
	if (holder == NULL && content == NULL) {
		holder = json_incref(t->holder);
		content = json_incref(t->content);
	}
	return (holder == NULL || row_put(row, "holder", holder)) && (content == NULL || row_put(row, "content", content)) &&
	    (why == NULL || row_put(row, "why", why));
}

static bool
add_time_finding(struct time_rows *t, const char *severity, const char *kind, struct rows *r, uint64_t at)
{
	json_t *row = json_object(), *named = kind == NULL ? row_text_of(r, at, "kind") : json_string(kind);
	struct cell c;
	bool ok = row_put(row, "row", json_string("finding")) && row_put(row, "schema", json_integer(TRIAGE_SCHEMA)) &&
	    row_put(row, "rank", json_integer((json_int_t)json_array_size(t->findings) + 1)) &&
	    row_put(row, "severity", json_string(severity)) && row_put(row, "kind", named) && put_parts(t, row, r, at) && put_signature(row) &&
	    (!cell_named(r, at, "count", &c) || row_put(row, "count", row_value(&c))) &&
	    (!cell_named(r, at, "wall", &c) || row_put(row, "wall", row_value(&c)));

	if (ok)
		return json_array_append_new(t->findings, row) == 0;
	json_decref(row);
	return false;
}

static bool
fail_rows(struct err *err)
{
	return fail(err, E_SYSTEM, "out of memory (rows)");
}

static bool
take_time_finding(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct time_rows *t = to;
	struct cell count = { .type = CELL_NONE }, wall;

	if (t->query->kind != NULL && strcmp(t->query->kind, "main blocked") == 0 && cell_named(r, row, "count", &count) && cell_named(r, row, "wall", &wall)) {
		t->blocks += count.u;
		t->longest = wall.u > t->longest ? wall.u : t->longest;
	}
	return row >= FINDINGS_MOST || add_time_finding(t, t->query->severity, t->query->kind, r, row) || fail_rows(err);
}

static bool
take_first(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct time_rows *t = to;

	(void)err;
	t->holder = row_text_of(r, row, "holder");
	t->content = row_text_of(r, row, "content");
	return true;
}

static bool
ask_findings(struct time_rows *t, struct session *session, struct work *w, struct err *err)
{
	bool ok = (t->query->first == NULL || rows_each(session, t->query->first, w, take_first, t, err)) &&
	    rows_each(session, t->query->query, w, take_time_finding, t, err);

	json_decref(t->holder);
	json_decref(t->content);
	t->holder = t->content = NULL;
	return ok;
}

static bool
take_wait(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct time_rows *t = to;
	struct buf b = BUF_INIT;
	struct cell wall, c;
	bool ok = true;

	if (!cell_named(r, row, "wall", &wall))
		return true;
	if (cell_named(r, row, "holder", &c))
		text_fit_buf(&b, c.text);
	if ((cell_named(r, row, "content", &c) && c.text.n > 0) || cell_named(r, row, "state", &c)) {
		buf_str(&b, STR(" in "));
		text_fit_buf(&b, c.text);
	}
	ok = !b.bad && row_put(t->facts, "wait", row_value(&wall)) && row_put(t->facts, "wait_in", json_stringn(b.s, b.n));
	buf_free(&b);
	return (ok && (wall.u < SLOW_WAIT || add_time_finding(t, "wait", "wait", r, row))) || fail_rows(err);
}

/* The row of a method with that name; otherwise a new one. NULL: out of memory. */
static json_t *
row_of_method(json_t *methods, struct str name)
{
	json_t *row;
	size_t i;

	json_array_foreach(methods, i, row)
		if (str_eq(triage_text(row, "method"), name))
			return row;
	row = json_object();
	if (row_put(row, "row", json_string("method")) && row_put(row, "schema", json_integer(TRIAGE_SCHEMA)) &&
	    row_put(row, "rank", json_integer(0)) && row_put(row, "method", json_stringn(name.n > 0 ? name.s : "", name.n)) && json_array_append(methods, row) == 0) {
		json_decref(row);
		return row;
	}
	json_decref(row);
	return NULL;
}

static double
share_in(const json_t *method)
{
	return json_number_value(json_object_get(method, "self"));
}

static bool
add_share(json_t *row, const char *field, const struct cell *c)
{
	double share = c->f + json_number_value(json_object_get(row, field));

	return row_put(row, field, json_real(share < 100 ? share : 100));
}

static bool
take_method(void *to, struct rows *r, uint64_t at, struct err *err)
{
	struct time_rows *t = to;
	struct buf fit = BUF_INIT, name = BUF_INIT;
	struct cell c, self, total;
	json_t *row = NULL;
	bool ok;

	if (cell_named(r, at, "name", &c) && c.type == CELL_TEXT)
		text_fit_buf(&fit, c.text);
	if (t->stable && fit.n > 0)
		add_stable(&name, fit.s, true);
	row = fit.bad || name.bad ? NULL : row_of_method(t->methods, buf_view(t->stable ? &name : &fit));
	ok = row != NULL && cell_named(r, at, "self_pct", &self) && cell_named(r, at, "total_pct", &total) && add_share(row, "self", &self) &&
	    add_share(row, "total", &total);
	buf_free(&fit);
	buf_free(&name);
	return ok || fail_rows(err);
}

/* The name of a kind of event that is a time, otherwise of the event. */
static bool
time_take_weight(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct time_rows *t = to;
	struct cell kind, name;
	bool is_time;

	if (!cell_named(r, row, "name", &name))
		return true;
	is_time = cell_named(r, row, "kind", &kind) && (str_eq(kind.text, STR("cpu")) || str_eq(kind.text, STR("wall")));
	return row_put(t->facts, "weight", row_value(is_time ? &kind : &name)) || fail_rows(err);
}

static bool
time_take_path(struct time_rows *t, struct session *session, struct work *w, struct err *err)
{
	struct overview_answer a = { .n = 0 };
	const struct overview_line *l = overview_lines;
	struct cell words = { .type = CELL_TEXT }, share = { .type = CELL_PERCENT };
	bool ok = true;

	while (l->name != NULL && (strcmp(l->name, "hottest path") != 0 || !overview_fits(l, session, false)))
		l++;
	if (l->name == NULL)
		return true;
	if (!overview_answer(l, session, &a, w, err))
		return false;
	if (a.n > 0 && a.item[0].shared && a.item[0].words.n > 0) {
		words.text = buf_view(&a.item[0].words);
		share.f = a.item[0].share;
		ok = (row_put(t->facts, "hot_path", row_value(&words)) && row_put(t->facts, "hot_share", row_value(&share))) || fail_rows(err);
	}
	overview_free(&a);
	return ok;
}

/* Methods with the same name share a row, which may change the order. */
static bool
order_methods(json_t *methods)
{
	bool ok = true;

	for (size_t i = 0, k; ok && i < json_array_size(methods); i++) {
		json_t *row = json_incref(json_array_get(methods, i));

		for (k = i; k > 0 && share_in(json_array_get(methods, k - 1)) < share_in(row); )
			k--;
		ok = k == i || (json_array_remove(methods, i) == 0 && json_array_insert(methods, k, row) == 0);
		json_decref(row);
	}
	for (size_t i = 0; ok && i < json_array_size(methods); i++)
		ok = row_put(json_array_get(methods, i), "rank", json_integer((json_int_t)i + 1));
	return ok;
}

static bool
take_methods(struct time_rows *t, struct session *session, unsigned shapes, struct work *w, struct err *err)
{
	bool tree = (shapes & SHAPE_TREES) != 0, clocks = (shapes & SHAPE_CALLS) != 0;

	if ((shapes & (SHAPE_TREES | SHAPE_COSTS)) == 0 || (shapes & NO_TIME) != 0)
		return true;
	session_choose_clock(session, session_store(session));
	t->stable = clocks && (shapes & (SHAPE_TASKS | SHAPE_MARKS)) != 0;
	if (!rows_each(session, tree ? METHODS "method as name self_pct total_pct" : METHODS "name self_pct total_pct", w, take_method, t, err) ||
	    !(order_methods(t->methods) || fail_rows(err)) || !time_take_path(t, session, w, err))
		return false;
	if (clocks)
		return row_put(t->facts, "weight", json_string(clock_names[session->clock])) || fail_rows(err);
	return rows_each(session, "events | where current | select name kind", w, time_take_weight, t, err);
}

bool
time_judge(struct session *session, unsigned shapes, json_t *facts, json_t *findings, json_t *methods, struct work *w, struct err *err)
{
	struct time_rows t = { .facts = facts, .findings = findings, .methods = methods };
	bool waits = (shapes & (SHAPE_TASKS | SHAPE_LASTING)) != 0 || ((shapes & SHAPE_TRACKS) != 0 && (shapes & SHAPE_SAMPLES) == 0);
	bool ok = take_methods(&t, session, shapes, w, err);

	for (size_t i = 0; ok && i < NELEM(time_queries); i++) {
		const struct time_query *q = &time_queries[i];

		t.query = q;
		if ((shapes & q->shapes) != 0 && (shapes & q->but) == 0 && (q->with == 0 || (shapes & q->with) != 0))
			ok = ask_findings(&t, session, w, err);
	}
	ok = ok && (!waits || (rows_each(session, LONGEST_WAIT, w, take_wait, &t, err) &&
	    ((row_put(facts, "main_blocks", json_integer((json_int_t)t.blocks)) &&
	    row_put(facts, "main_longest", t.blocks > 0 ? json_integer((json_int_t)t.longest) : json_null())) || fail_rows(err))));
	return ok && (row_put(facts, "methods", json_integer((json_int_t)json_array_size(methods))) || fail_rows(err));
}
