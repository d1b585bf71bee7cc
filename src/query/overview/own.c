/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own: lines of the overview that no query answers: paths through a tree.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_counts.h"
#include "icecore/columns_trace.h"
#include "icecore/graph.h"
#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "icecore/name.h"
#include "icecore/runtime.h"
#include "icecore/values.h"
#include "icecore/view.h"
#include "overview.h"
#include "query/trace/trace.h"

enum { PATH_MOST = 1000, LIST_LEAST = 30, SOME = 3, MUCH = 10, SAME = 20, STORY_LEAST = 50 };

/* ---- the hottest path ------------------------------------------------------------ */

static uint32_t
largest_callee(struct tree *t, uint32_t at, enum clock clock)
{
	uint32_t best = 0;

	for (uint32_t child = tree_first(t, at); child != 0; child = tree_next(t, child))
		if (tree_total(t, child, clock) > (best == 0 ? 0 : tree_total(t, best, clock)))
			best = child;
	return best;
}

/* Return whether a node has nearly all of that total. */
static bool
is_most(struct tree *t, uint32_t node, uint64_t total, enum clock clock)
{
	return tree_total(t, node, clock) >= total - total / SAME;
}

/* A branch of a tree: the nodes from the first caller down to where it becomes narrow. */
struct hot_path {
	const struct store	*st;
	uint32_t		 node[PATH_MOST];
	size_t			 n;
};

/* A node that is not in any hotter branch: no two of these have a sample in common. */
struct hot_branch {
	uint32_t	node;		/* 0: none */
	size_t		above;		/* nodes of the main branch above it */
	uint64_t	end;		/* total where it becomes narrow */
};

/* The hottest branches of a tree of that store, in order of their ends. */
struct hot_paths {
	struct store	*view;		/* methods whose names differ in numbers are one; or NULL */
	struct tree	*t;
	enum clock	 clock;
	struct hot_path	 main;		/* from the root always to the largest callee */
	struct hot_branch	 hot[1 + SOME];
};

static void
hot_paths_close(struct hot_paths *b)
{
	if (b->t != NULL)
		tree_close(b->t);
	if (b->view != NULL)
		store_close(b->view);
}

/* Return whether a branch ends in a frame of a runtime that spends less itself than in a callee with that total. */
static bool
ends_in_runtime(const struct hot_paths *b, const struct hot_path *path, uint64_t next)
{
	struct tree_node node;
	struct buf name = BUF_INIT;
	bool runtime;

	tree_get(b->t, path->node[path->n - 1], &node);
	if (node.self[b->clock] > next)
		return false;
	if (node.method != 0)
		method_name(path->st, node.method, &name);
	runtime = node.method == 0 || runtime_is(buf_view(&name), RUNTIME_FRAME);
	buf_free(&name);
	return runtime;
}

/*
 * Follow a branch from a node while one callee keeps more than half of it.  A frame of a runtime says nothing about
 * the program: the branch continues with the largest callee, unless the frame spends more itself, as a library
 * without symbols does.  Return its total at its end.
 */
static uint64_t
hot_branch_follow(const struct hot_paths *b, uint32_t at, struct hot_path *path)
{
	uint64_t whole = 0, total = 0;

	for (; at != 0 && path->n < PATH_MOST; at = largest_callee(b->t, at, b->clock)) {
		uint64_t next = tree_total(b->t, at, b->clock);

		if (next <= whole / 2 && !ends_in_runtime(b, path, next))
			break;
		whole = next <= whole / 2 || whole == 0 ? next : whole;
		total = next;
		path->node[path->n++] = at;
	}
	return total;
}

/* Keep a branch if it is hot enough. */
static void
hot_branch_keep(struct hot_paths *b, uint32_t node, size_t above)
{
	struct hot_path way = { .st = b->main.st };
	struct hot_branch one = { node, above, 0 };

	if (tree_total(b->t, node, b->clock) <= b->hot[SOME].end)
		return;
	way.n = above;
	memcpy(way.node, b->main.node, above * sizeof *way.node);
	one.end = hot_branch_follow(b, node, &way);
	for (size_t i = 0; i <= SOME; i++)
		if (one.end > b->hot[i].end) {
			struct hot_branch next = b->hot[i];

			b->hot[i] = one;
			one = next;
		}
}

static bool
hot_paths_open(struct answering *a, struct hot_paths *b, struct err *err)
{
	const struct session *s = a->session;
	const struct view by_name = { .group = VIEW_NAME };
	uint32_t at = TREE_ROOT;

	*b = (struct hot_paths){ .clock = s->clock };
	if (fact_value(session_store(s), FACT_METHODS_NUMBERED) > 0 &&
	    !view_open(&b->view, session_store(s), &by_name, a->work, err))
		return false;
	b->main.st = b->view != NULL ? b->view : session_store(s);
	if (!pass_want(b->view != NULL ? b->view : session_store(s), COL_CALL_METHOD, a->work, err) ||
	    !tree_open(&b->t, b->main.st, TREE_MERGED, NULL, 0, err)) {
		hot_paths_close(b);
		return false;
	}
	hot_branch_follow(b, largest_callee(b->t, TREE_ROOT, b->clock), &b->main);
	if (b->main.n > 0)
		hot_branch_keep(b, b->main.node[0], 0);
	for (size_t i = 0; i < b->main.n; at = b->main.node[i++])
		for (uint32_t child = tree_first(b->t, at); child != 0; child = tree_next(b->t, child))
			if (child != b->main.node[i])
				hot_branch_keep(b, child, i);
	return true;
}

/* Return whether there is such a branch, with its nodes. */
static bool
hot_paths_get(const struct hot_paths *b, size_t i, struct hot_path *path)
{
	if (b->hot[i].node == 0)
		return false;
	*path = b->main;
	path->n = b->hot[i].above;
	hot_branch_follow(b, b->hot[i].node, path);
	return true;
}

struct path_words {
	const struct store	*st;
	struct buf		 words, name;
	uint32_t		 method;	/* method appended last */
	unsigned		 times;		/* times that it was appended in a row */
	size_t			 plain;		/* length of words without the count of that method */
};

/*
 * True for prose such as "GET /users/list" or "thread (7)".  Names of code have blanks only in brackets or
 * after a type.
 */
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
add_own_name(struct path_words *p, uint32_t method)
{
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

/* Add a path: the cost of its last node, which must have a name, and the names of all its nodes. */
static void
add_path(struct answering *a, const struct hot_paths *b, const struct hot_path *path, enum overview_about about)
{
	struct path_words p = { .st = path->st, .words = BUF_INIT, .name = BUF_INIT };
	struct overview_item *to;
	struct tree_node node;
	struct weights w;

	tree_get(b->t, path->node[path->n - 1], &node);
	if (node.method == 0 || (to = answering_add(a)) == NULL)
		return;
	weights_of(path->st, &w);
	cell_weight(&to->value, &w, b->clock, node.total[b->clock]);
	to->shared = true;
	to->share = 100.0 * (double)node.total[b->clock] / (double)tree_total(b->t, TREE_ROOT, b->clock);
	to->about = b->view != NULL ? ABOUT_NOTHING : about;
	to->id = node.method;
	to->tail = true;
	for (size_t i = 0; i < path->n; i++) {
		tree_get(b->t, path->node[i], &node);
		add_own_name(&p, node.method);
	}
	to->words = p.words;
	buf_free(&p.name);
}

bool
own_hottest_path(struct answering *a, struct err *err)
{
	struct hot_paths b;
	struct hot_path path;

	if (!hot_paths_open(a, &b, err))
		return false;
	if (hot_paths_get(&b, 0, &path))
		add_path(a, &b, &path, ABOUT_PATH);
	hot_paths_close(&b);
	return true;
}

/* The next hottest branches outside of the hottest path. */
bool
own_elsewhere(struct answering *a, struct err *err)
{
	struct hot_paths b;
	struct hot_path path;

	if (!hot_paths_open(a, &b, err))
		return false;
	for (size_t i = 1; i <= SOME && hot_paths_get(&b, i, &path); i++)
		add_path(a, &b, &path, ABOUT_METHOD);
	hot_paths_close(&b);
	return true;
}

/* The outermost frame of all stacks, such as the process in folded stacks, only says what was recorded. */
bool
own_story_path(struct answering *a, struct err *err)
{
	struct overview_item *to = NULL;
	struct hot_paths b;
	struct hot_path path;
	struct tree_node node;
	uint64_t whole;

	if (!hot_paths_open(a, &b, err))
		return false;
	if (!hot_paths_get(&b, 0, &path))
		path.n = 0;
	whole = tree_total(b.t, TREE_ROOT, b.clock);
	for (size_t i = path.n; i-- > 0 && to == NULL; ) {
		tree_get(b.t, path.node[i], &node);
		if ((i == 0 && path.n > 1 && node.total[b.clock] == whole) || (to = answering_add(a)) == NULL)
			break;
		to->share = 100.0 * (double)node.total[b.clock] / (double)whole;
		if (node.method != 0)
			method_name(path.st, node.method, &to->words);
		if (to->share < STORY_LEAST || node.method == 0 || method_kind(path.st, node.method) == 'k' ||
		    runtime_is(buf_view(&to->words), RUNTIME_FRAME | RUNTIME_CALLED)) {
			answering_drop(a->answer);
			to = NULL;
			continue;
		}
		to->about = b.view != NULL ? ABOUT_NOTHING : ABOUT_PATH;
		to->id = node.method;
		buf_text(&to->words, " and its callees take ");
		story_add_share(a, to);
	}
	hot_paths_close(&b);
	return true;
}

/* Where most of a node goes to one callee, the two share a row. */
bool
own_hot_steps(struct answering *a, struct err *err)
{
	struct overview_item *to = NULL;
	struct hot_paths b;
	struct hot_path path;
	struct tree_node node;
	uint64_t whole, total;
	bool own = false;

	if (!hot_paths_open(a, &b, err))
		return false;
	if (!hot_paths_get(&b, 0, &path))
		path.n = 0;
	whole = tree_total(b.t, TREE_ROOT, b.clock);
	for (size_t i = 0; i < path.n; i++) {
		total = tree_total(b.t, path.node[i], b.clock);
		if (i + 1 < path.n && is_most(b.t, path.node[i + 1], total, b.clock))
			continue;
		tree_get(b.t, path.node[i], &node);
		if (node.method == 0 || (to = answering_add(a)) == NULL)
			continue;
		to->shared = true;
		to->share = 100.0 * (double)total / (double)whole;
		to->about = b.view != NULL ? ABOUT_NOTHING : ABOUT_CALL;
		to->id = node.method;
		method_name(path.st, node.method, &to->words);
		to->named = true;
		to->name_n = to->words.n;
		own = own || !runtime_is(buf_view(&to->words), RUNTIME_FRAME);
	}
	/* A path of runtime frames alone says nothing. */
	while (!own && a->answer->n > 0)
		answering_drop(a->answer);
	hot_paths_close(&b);
	return true;
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

/* The share of bytes of a heap. */
static void
own_share(struct overview_item *to, const struct session *s)
{
	uint64_t whole = heap_whole(session_store(s), s->refs, s->sizes);

	to->shared = true;
	to->share = whole == 0 ? 0 : 100.0 * (double)to->value.u / (double)whole;
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
	if (h.children.data == NULL || !heap_has_children(&h, HEAP_ROOT))
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
	own_share(to, s);
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
	for (size_t i = 0; i < LARGEST && most[i] != 0; i++) {
		names_get(&h, most[i], &n);
		if (name_weight(&n) == 0 || (to = answering_add(a)) == NULL)
			break;
		to->about = n.object != 0 ? ABOUT_OBJECT : ABOUT_NOTHING;
		to->id = n.object;
		to->value = (struct cell){ .type = CELL_BYTES, .u = name_weight(&n) };
		own_share(to, s);
		to->named = true;
		owner_add(&n, &to->words);
	}
	return true;
}

/* ---- memory of a process ------------------------------------------------------------ */

enum { PARTS = 12 };

/* The largest category of the last report below the one before; 0: none. */
static uint64_t
next_part(const struct store *st, uint64_t before)
{
	uint64_t n = column_rows(store_column(st, COL_NATIVE_NAME)), best = 0, bytes, most = 0;
	uint64_t report = column_rows(store_column(st, COL_REPORT_COMMITTED));
	uint64_t limit = before == 0 ? UINT64_MAX : store_cell(st, COL_NATIVE_COMMITTED, before);

	for (uint64_t i = n; i > 0 && store_cell(st, COL_NATIVE_REPORT, i) == report; i--) {
		bytes = store_cell(st, COL_NATIVE_COMMITTED, i);
		if ((bytes < limit || (bytes == limit && i < before)) && bytes >= most) {
			most = bytes;
			best = i;
		}
	}
	return best;
}

static void
process_part(struct buf *b, const char *sign, struct str name, uint64_t bytes)
{
	char text[NUM_TEXT];

	num_show_size(text, sizeof text, bytes);
	buf_text(b, sign);
	buf_str(b, name);
	buf_printf(b, " %s", text);
}

/*
 * The resident memory of the process, or what the VM has committed, as a sum: categories of at least a
 * hundredth, the others together, and what the VM does not know or nothing has touched yet.
 */
bool
own_process(struct answering *a, UNUSED struct err *err)
{
	const struct store *st = session_store(a->session);
	uint64_t report = column_rows(store_column(st, COL_REPORT_COMMITTED)), bytes, shown = 0;
	uint64_t committed = store_cell(st, COL_REPORT_COMMITTED, report), rss = store_cell(st, COL_REPORT_RSS, report);
	struct overview_item *to = report == 0 ? NULL : answering_add(a);
	uint64_t at = to == NULL ? 0 : next_part(st, 0);

	if (to == NULL)
		return true;
	to->value = (struct cell){ .type = CELL_BYTES, .u = rss > 0 ? rss : committed };
	buf_text(&to->words, rss > 0 ? "resident =" : "committed =");
	for (size_t i = 0; i < PARTS && at != 0; i++, at = next_part(st, at)) {
		bytes = store_cell(st, COL_NATIVE_COMMITTED, at);
		if (bytes == 0 || bytes < committed / 100)
			break;
		process_part(&to->words, i == 0 ? " " : " + ", store_text(st, store_cell(st, COL_NATIVE_NAME, at)),
		    bytes);
		shown = num_add(shown, bytes);
	}
	if (committed > shown)
		process_part(&to->words, " + ", STR("other"), committed - shown);
	if (rss > 0 && rss >= committed)
		process_part(&to->words, " + ", STR("unknown to the VM"), rss - committed);
	else if (rss > 0)
		process_part(&to->words, " - ", STR("not resident"), committed - rss);
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
	return info_unread(session_store(a->session), own_add_unread, a) ||
	    fail(err, E_SYSTEM, "out of memory (overview)");
}
