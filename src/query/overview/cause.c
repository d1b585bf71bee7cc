/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cause: which function of the program a profile is about, where libraries or the kernel take the time or memory for
 * it.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "icecore/runtime.h"
#include "overview.h"
#include "query/trace/trace.h"

enum { NODES_MOST = 200000, KERNEL_LEAST = 30, SITE_LEAST = 40, SELF_LEAST = 20, RUNTIME_LEAST = 10, PRUNED = 1000 };

/* The tree of methods and their callers, and weights of functions that were found in it. */
struct cause {
	struct store	*st;
	struct tree	*t;
	enum clock	 clock;
	uint64_t	 whole, left;	/* left: nodes that may still be visited */
	uint64_t	*credit;	/* weight of each method, from 1 */
	uint32_t	 methods, most;	/* how many; the one with the largest weight, or 0 */
	struct buf	 name;
};

static void
cause_close(struct cause *c)
{
	if (c->t != NULL)
		tree_close(c->t);
	free(c->credit);
	buf_free(&c->name);
}

static bool
cause_open(struct cause *c, struct answering *a, enum tree_kind kind, struct err *err)
{
	const struct column *raw;

	*c = (struct cause){ .st = session_store(a->session), .clock = a->session->clock, .left = NODES_MOST };
	if (!pass_want(c->st, COL_CALL_METHOD, a->work, err) || !pass_want(c->st, COL_CALL_SELF_WALL, a->work, err) ||
	    !tree_open(&c->t, c->st, kind, NULL, 0, err))
		return false;
	raw = store_column(c->st, COL_METHOD_RAW);
	c->methods = raw == NULL ? 0 : (uint32_t)raw->rows;
	c->credit = mem_array(c->methods + 1ull, sizeof *c->credit);
	if (c->credit == NULL)
		return fail_memory(err, "weights of methods");
	c->whole = tree_total(c->t, TREE_ROOT, c->clock);
	return true;
}

static uint32_t
cause_method(struct cause *c, uint32_t node)
{
	struct tree_node n;

	tree_peek(c->t, node, &n);
	return n.method;
}

static struct str
cause_name(struct cause *c, uint32_t method)
{
	buf_clear(&c->name);
	if (method != 0)
		method_name(c->st, method, &c->name);
	return buf_view(&c->name);
}

/* A function that its reader can change. */
static bool
cause_is_program(struct cause *c, uint32_t method)
{
	struct str name = cause_name(c, method);

	return method != 0 && method_kind(c->st, method) != 'k' && !runtime_is(name, RUNTIME_FRAME | RUNTIME_CALLED);
}

/*
 * The next node below top, its callees' callers after it; deeper: not past this one. 0: none, or enough were visited.
 */
static uint32_t
cause_step(struct cause *c, uint32_t at, uint32_t top, bool deeper)
{
	uint32_t next = deeper ? tree_first(c->t, at) : 0;

	while (next == 0 && at != top && (next = tree_next(c->t, at)) == 0)
		at = tree_parent(c->t, at);
	if (next == 0 || c->left == 0)
		return 0;
	c->left--;
	return next;
}

static void
cause_credit(struct cause *c, uint32_t method, uint64_t weight)
{
	if (method == 0 || method > c->methods)
		return;
	c->credit[method] = num_add(c->credit[method], weight);
	if (c->credit[method] > c->credit[c->most])
		c->most = method;
}

/* Credit the weight of a method to the nearest functions of the program above it; itself: it may be one. */
static void
credit_program(struct cause *c, uint32_t top, bool itself)
{
	bool found = false;

	for (uint32_t at = top; at != 0; at = cause_step(c, at, top, !found)) {
		uint32_t method = cause_method(c, at);

		found = (itself || at != top) && cause_is_program(c, method);
		if (found)
			cause_credit(c, method, tree_total(c->t, at, c->clock));
	}
}

/* Credit the weight of a method of the kernel to where the kernel was entered. */
static void
credit_entries(struct cause *c, uint32_t top)
{
	for (uint32_t at = top; at != 0; at = cause_step(c, at, top, method_kind(c->st, cause_method(c, at)) == 'k')) {
		uint32_t entry = tree_parent(c->t, at);

		if (method_kind(c->st, cause_method(c, at)) == 'k')
			continue;
		while (entry != top && runtime_is(cause_name(c, cause_method(c, entry)), RUNTIME_FRAME))
			entry = tree_parent(c->t, entry);
		cause_credit(c, cause_method(c, entry), tree_total(c->t, at, c->clock));
	}
}

static double
cause_percent(const struct cause *c, uint64_t weight)
{
	return c->whole == 0 ? 0 : 100.0 * (double)weight / (double)c->whole;
}

/* Append a word and the function with most of that weight, if it has half of it. */
static void
cause_add_most(struct cause *c, const char *word, uint64_t weight, struct buf *b)
{
	if (c->most == 0 || c->left == 0 || c->credit[c->most] < weight / 2)
		return;
	buf_text(b, word);
	method_name(c->st, c->most, b);
}

bool
story_add_caller(struct answering *a, struct overview_item *to, struct err *err)
{
	struct cause c;
	bool ok = cause_open(&c, a, TREE_INVERTED, err);
	uint32_t top = ok ? tree_first(c.t, TREE_ROOT) : 0;

	while (top != 0 && cause_method(&c, top) != to->id)
		top = tree_next(c.t, top);
	if (top != 0 && !cause_is_program(&c, to->id)) {
		credit_program(&c, top, false);
		cause_add_most(&c, ", under ", tree_total(c.t, top, c.clock), &to->words);
	}
	cause_close(&c);
	return ok;
}

/*
 * The kernel, unless a function of the program takes much of the time itself; all waits, if the kernel does nothing
 * else: stacks that were taken when threads left the CPU end in the scheduler.
 */
bool
own_story_kernel(struct answering *a, struct err *err)
{
	struct cause c;
	struct overview_item *to;
	bool ok = cause_open(&c, a, TREE_INVERTED, err), waits;
	uint64_t kernel = 0, asleep = 0, all_asleep = 0, own = 0, total;

	for (uint32_t top = ok ? tree_first(c.t, TREE_ROOT) : 0; top != 0; top = tree_next(c.t, top)) {
		uint32_t method = cause_method(&c, top);

		total = tree_total(c.t, top, c.clock);
		waits = runtime_is(cause_name(&c, method), WAITING_ANY);
		all_asleep += waits ? total : 0;
		if (method_kind(c.st, method) != 'k') {
			own = total > own && cause_is_program(&c, method) ? total : own;
			continue;
		}
		if (runtime_is(cause_name(&c, method), RUNTIME_NAMELESS))
			continue;
		kernel = num_add(kernel, total);
		asleep += waits ? total : 0;
		credit_entries(&c, top);
	}
	if (ok && cause_percent(&c, kernel) >= KERNEL_LEAST && cause_percent(&c, own) < SELF_LEAST &&
	    (to = answering_add(a)) != NULL) {
		waits = asleep > kernel / 20 * 19;
		buf_text(&to->words, waits ? "waits take " : "the kernel takes ");
		to->share = cause_percent(&c, waits ? all_asleep : kernel);
		story_add_share(a, to);
		cause_add_most(&c, ", most of it under ", waits ? all_asleep : kernel, &to->words);
	}
	cause_close(&c);
	return ok;
}

/* The class that most of the site's allocations are of; the innermost frames of these recordings are classes. */
static void
cause_add_class(struct cause *c, struct buf *b)
{
	uint32_t site = c->most;
	uint64_t all = c->credit[site];

	for (uint32_t top = tree_first(c->t, TREE_ROOT); top != 0; top = tree_next(c->t, top)) {
		c->credit[site] = 0;
		credit_program(c, top, false);
		if (c->credit[site] < all - all / 2)
			continue;
		buf_text(b, ": ");
		buf_str(b, cause_name(c, cause_method(c, top)));
		return;
	}
}

bool
own_story_site(struct answering *a, struct err *err)
{
	struct cause c;
	struct cell event;
	struct overview_item *to;
	bool ok = cause_open(&c, a, TREE_INVERTED, err),
	    classes = answering_given(a, STR("name"), &event) != NULL && str_has_prefix(event.text, STR("jdk."));

	for (uint32_t top = ok ? tree_first(c.t, TREE_ROOT) : 0; top != 0; top = tree_next(c.t, top))
		credit_program(&c, top, !classes);
	if (ok && c.most != 0 && c.left > 0 && cause_percent(&c, c.credit[c.most]) >= SITE_LEAST &&
	    (to = answering_add(a)) != NULL) {
		method_name(c.st, c.most, &to->words);
		buf_text(&to->words, " allocated ");
		to->share = cause_percent(&c, c.credit[c.most]);
		to->about = ABOUT_METHOD;
		to->id = c.most;
		story_add_share(a, to);
		if (classes)
			cause_add_class(&c, &to->words);
	}
	cause_close(&c);
	return ok;
}

/*
 * Threads or functions of the runtime that collect garbage or compile; paths with less than a thousandth are not
 * followed.
 */
bool
own_story_runtime(struct answering *a, struct err *err)
{
	static const char *const words[] = { "garbage collection", "the JIT compiler" };
	struct cause c;
	struct overview_item *to;
	struct tree_node node;
	enum { COLLECTS, COMPILES, OTHER } most, work;
	uint64_t sum[NELEM(words)] = { 0 };
	bool ok = cause_open(&c, a, TREE_MERGED, err), deeper;

	for (uint32_t at = TREE_ROOT; ok && at != 0; at = cause_step(&c, at, TREE_ROOT, deeper)) {
		unsigned is;

		tree_get(c.t, at, &node);
		is = runtime_of(cause_name(&c, node.method));
		work = (is & RUNTIME_COLLECTS) != 0 ? COLLECTS : (is & RUNTIME_COMPILES) != 0 ? COMPILES : OTHER;
		deeper = work == OTHER && node.total[c.clock] >= c.whole / PRUNED;
		if (work != OTHER)
			sum[work] = num_add(sum[work], node.total[c.clock]);
		else if ((is & RUNTIME_FRAME) == 0)
			cause_credit(&c, node.method, node.self[c.clock]);
	}
	most = sum[COMPILES] > sum[COLLECTS] ? COMPILES : COLLECTS;
	if (ok && cause_percent(&c, sum[most]) >= RUNTIME_LEAST && sum[most] > c.credit[c.most] &&
	    (to = answering_add(a)) != NULL) {
		buf_text(&to->words, words[most]);
		buf_text(&to->words, " takes ");
		to->share = cause_percent(&c, sum[most]);
		story_add_share(a, to);
	}
	cause_close(&c);
	return ok;
}
