/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own: lines of the overview that no query answers: paths through a tree.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "icecore/graph.h"
#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "icecore/name.h"
#include "icecore/values.h"
#include "overview.h"
#include "query/trace/trace.h"

enum { PATH_MOST = 1000, LIST_LEAST = 30, SOME = 3, MUCH = 10, SAME = 20 };

/* ---- the hottest path ------------------------------------------------------------ */

/* From the root to the largest child, and on while one child has more than half of its caller. */
static uint32_t
next_on_path(struct tree *t, uint32_t at, enum clock clock)
{
	uint32_t best = 0;

	for (uint32_t child = tree_first(t, at); child != 0; child = tree_next(t, child))
		if (best == 0 || tree_total(t, child, clock) > tree_total(t, best, clock))
			best = child;
	if (best == 0 || tree_total(t, best, clock) == 0)
		return 0;
	return at == TREE_ROOT || tree_total(t, best, clock) > tree_total(t, at, clock) / 2 ? best : 0;
}

/* Calls visit with the method of each node on the path; false: the tree was not there. */
static bool
walk_path(struct answering *a, struct tree_node *root, struct tree_node *end, void (*visit)(void *, uint32_t method), void *arg,
    struct err *err)
{
	const struct session *s = a->session;
	enum clock clock = s->clock;
	struct tree *t;
	uint32_t at = TREE_ROOT;

	if (!pass_want(session_store(s), COL_CALL_METHOD, a->work, err) || !tree_open(&t, session_store(s), TREE_MERGED, NULL, 0, err))
		return false;
	tree_get(t, TREE_ROOT, root);
	*end = *root;
	for (size_t i = 0; i < PATH_MOST && (at = next_on_path(t, at, clock)) != 0; i++) {
		tree_get(t, at, end);
		visit(arg, end->method);
	}
	tree_close(t);
	return true;
}

struct path_words {
	const struct store	*st;
	struct buf		 words, name;
	uint32_t		 method;	/* the last one, */
	unsigned		 times;		/* so often in a row, */
	size_t			 plain;		/* and where words end without that */
};

/* True for prose such as "GET /users/list" or "thread (7)".  Names of code have blanks only in brackets or after a type. */
static bool
is_prose(const struct name_parts *p, bool colons)
{
	struct str s = { p->scope.s, (size_t)(p->own.s + p->own.n - p->scope.s) };
	size_t n;
	int depth = 0;

	for (size_t at = 0; at < s.n; at += n > 0 ? n : 1) {
		if ((n = name_operator(s, at)) > 0)
			continue;
		if (s.s[at] == ' ' && depth <= 0)
			return true;
		depth += name_bracket(s, at);
	}
	return p->type.n > 0 && p->rest.n == 0 && !colons;
}

/* Append a method with its class, as many are called run or main.  Recursion is one name and a count. */
static void
add_own_name(void *arg, uint32_t method)
{
	struct path_words *p = arg;
	struct name_parts parts, class;
	struct str name;
	bool colons;

	if (p->words.n > 0 && method == p->method) {
		p->words.n = p->plain;
		buf_printf(&p->words, " x%u", ++p->times);
		return;
	}
	p->method = method;
	p->times = 1;
	buf_clear(&p->name);
	method_name(p->st, method, &p->name);
	name = buf_view(&p->name);
	parts = name_parts(name);
	class = name_parts(name_scope(&parts, &colons));
	if (p->words.n > 0)
		buf_str(&p->words, STR(" > "));
	if (is_prose(&parts, colons))
		name = (struct str){ name.s, (size_t)(parts.place.s - name.s) };
	else if (class.own.n > 0 && parts.own.n > 0 && !colons)
		name = (struct str){ class.own.s, (size_t)(parts.own.s + parts.own.n - class.own.s) };
	else if (parts.own.n > 0)
		name = parts.own;
	buf_str(&p->words, name);
	p->plain = p->words.n;
}

bool
own_hottest_path(struct answering *a, struct err *err)
{
	const struct session *s = a->session;
	struct path_words p = { .st = session_store(s), .words = BUF_INIT, .name = BUF_INIT };
	struct tree_node root, end;
	struct overview_item *to;
	struct weights w;
	bool ok = walk_path(a, &root, &end, add_own_name, &p, err);

	if (ok && end.method != 0 && (to = answering_add(a)) != NULL) {
		weights_of(session_store(s), &w);
		cell_weight(&to->value, &w, s->clock, end.total[s->clock]);
		to->shared = true;
		to->share = 100.0 * (double)end.total[s->clock] / (double)root.total[s->clock];
		to->about = ABOUT_PATH;
		to->id = end.method;
		to->words = p.words;
		to->tail = true;
		p.words = BUF_INIT;
	}
	buf_free(&p.words);
	buf_free(&p.name);
	return ok;
}

/* Where most of a node goes to one callee, the two share a row. */
bool
own_hot_steps(struct answering *a, struct err *err)
{
	const struct session *s = a->session;
	struct overview_item *to = NULL;
	struct tree_node node;
	struct tree *t;
	uint64_t whole, total;
	uint32_t at, next;

	if (!pass_want(session_store(s), COL_CALL_METHOD, a->work, err) || !tree_open(&t, session_store(s), TREE_MERGED, NULL, 0, err))
		return false;
	whole = tree_total(t, TREE_ROOT, s->clock);
	at = whole == 0 ? 0 : next_on_path(t, TREE_ROOT, s->clock);
	for (size_t i = 0; i < PATH_MOST && at != 0; i++, at = next) {
		next = next_on_path(t, at, s->clock);
		total = tree_total(t, at, s->clock);
		if (next != 0 && tree_total(t, next, s->clock) >= total - total / SAME)
			continue;
		tree_get(t, at, &node);
		if (node.method == 0 || (to = answering_add(a)) == NULL)
			continue;
		to->shared = true;
		to->share = 100.0 * (double)total / (double)whole;
		to->about = ABOUT_CALL;
		to->id = node.method;
		method_name(session_store(s), node.method, &to->words);
		to->named = true;
		to->name_n = to->words.n;
	}
	tree_close(t);
	return true;
}

/* ---- methods outside the path ----------------------------------------------------- */

static void
mark_method(void *arg, uint32_t method)
{
	uint8_t *marks = arg;

	marks[method] = 1;
}

/* The methods with the largest totals that are not on the hottest path. */
bool
own_elsewhere(struct answering *a, struct err *err)
{
	const struct column *methods;
	struct tree_node root, end;
	uint8_t *marks;
	struct cell c;
	int id;
	bool ok;

	methods = store_column(session_store(a->session), COL_METHOD_RAW);
	marks = mem_array(column_rows(methods) + 1, 1);
	if (marks == NULL)
		return fail(err, E_SYSTEM, "out of memory (overview)");
	ok = walk_path(a, &root, &end, mark_method, marks, err);
	id = rows_column(a->asked.rows, STR("method_id"));
	for (uint64_t row = 0; ok && id >= 0 && a->answer->n < SOME && rows_reach(a->asked.rows, row + 1) > row; row++) {
		rows_cell(a->asked.rows, row, (size_t)id, &c);
		if (c.u <= column_rows(methods) && !marks[c.u])
			answering_row(a, row);
	}
	free(marks);
	return ok;
}

/* ---- where most of a heap comes together ----------------------------------------- */

/* Find the first object of a class on the path of largest children. */
static uint32_t
first_of_class(const struct heap *h, uint32_t class)
{
	uint32_t at = HEAP_ROOT;

	for (size_t i = 0; i < PATH_MOST && heap_has_children(h, at); i++) {
		at = heap_largest_child(h, at);
		if (heap_class(h, at) == class)
			return at;
	}
	return 0;
}

uint32_t
heap_gathering(const struct heap *h, uint32_t *holder)
{
	uint32_t at = HEAP_ROOT, head = 0, next;
	uint64_t least = 0;
	size_t i;

	*holder = 0;
	for (i = 0; i < PATH_MOST && heap_has_children(h, at); i++) {
		next = heap_largest_child(h, at);
		if (heap_retained(h, next) < least)
			break;
		if (i == 0)
			least = heap_retained(h, next) / 2;
		/* In a chain of objects of one class the topmost object is the head. */
		if (i == 0 || heap_class(h, next) != heap_class(h, at))
			head = next;
		if (heap_class_of_object(h, next) != 0)
			*holder = next;
		at = next;
	}
	/* A path this deep is a linked list: return its head. */
	return i > LIST_LEAST ? first_of_class(h, heap_class(h, at)) : head;
}

/* The largest object is a line of its own. */
static bool
add_gathering(struct answering *a, bool through, struct err *err)
{
	const struct session *s = a->session;
	const struct store *st = session_store(s);
	uint32_t most, holder;
	uint64_t live;
	struct overview_item *to;
	struct heap h;

	if (!heap_open(&h, st, s->refs, s->sizes, err))
		return false;
	live = heap_fact(st, FACT_LIVE_BYTES, s->refs, s->sizes);
	if (h.children == NULL || !heap_has_children(&h, HEAP_ROOT))
		return true;
	most = heap_gathering(&h, &holder);
	if (most == 0 || most == heap_largest_child(&h, HEAP_ROOT) || heap_retained(&h, most) < live / MUCH)
		return true;
	most = !through ? most : holder == most ? 0 : holder;
	if (most == 0 || (to = answering_add(a)) == NULL)
		return true;
	to->about = ABOUT_OBJECT;
	to->id = most;
	to->value = (struct cell){ .type = CELL_BYTES, .u = heap_retained(&h, most) };
	to->shared = true;
	to->share = live == 0 ? 0 : 100.0 * (double)to->value.u / (double)live;
	heap_label(&h, most, &to->words);
	buf_printf(&to->words, " @%u", most);
	return true;
}

bool
own_accumulation(struct answering *a, struct err *err)
{
	return add_gathering(a, false, err);
}

bool
own_held_by(struct answering *a, struct err *err)
{
	return add_gathering(a, true, err);
}

/* The statics and locals that hold most. */
bool
own_owners(struct answering *a, struct err *err)
{
	const struct session *s = a->session;
	uint32_t most[LARGEST];
	struct overview_item *to;
	struct name_node n;
	struct heap h;

	if (!heap_open(&h, session_store(s), s->refs, s->sizes, err))
		return false;
	heap_largest(&h, most);
	for (size_t i = 0; i < LARGEST && most[i] != 0 && (to = answering_add(a)) != NULL; i++) {
		names_get(&h, most[i], &n);
		to->about = n.object != 0 ? ABOUT_OBJECT : ABOUT_NOTHING;
		to->id = n.object;
		to->value = (struct cell){ .type = CELL_BYTES, .u = num_add(n.total, n.native_total) };
		to->named = true;
		owner_add(&n, &to->words);
	}
	return true;
}

/* ---- what is not read -------------------------------------------------------------- */

static void
own_add_unread(void *of, struct str line)
{
	struct overview_item *to = answering_add(of);

	if (to != NULL)
		buf_str(&to->words, line);
}

bool
own_unread(struct answering *a, struct err *err)
{
	return info_unread(session_store(a->session), own_add_unread, a) || fail(err, E_SYSTEM, "out of memory (overview)");
}
