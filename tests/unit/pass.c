/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pass: trees and spans of a generated trace, held against a plain replay of
 * the same events in the test.
 */
#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "chance.h"
#include "check.h"
#include "folder.h"

#include "icecore/columns_objects.h"
#include "icecore/columns_trace.h"
#include "icecore/pass.h"

#define EVENTS 300000u		/* several blocks of rows */
#define METHODS 40u
#define THREADS 3u

struct call {
	uint32_t	thread, method, depth;
	uint64_t	start, end;
};

static char *folder;
static struct store *st;
static struct call *calls;	/* as the events tell, by thread and start */
static size_t ncalls;

/* ---- a trace and what is in it -------------------------------------------------- */

static void
le(uint8_t *p, uint64_t v, int n)
{
	while (n-- > 0) {
		*p++ = (uint8_t)v;
		v >>= 8;
	}
}

static void
record(struct buf *b, uint32_t thread, uint32_t method, uint32_t action, uint64_t time)
{
	uint8_t r[14];

	le(r, 100 + thread, 2);
	le(r + 2, method * 4 | action, 4);
	le(r + 6, time / 2, 4);
	le(r + 10, time, 4);
	buf_add(b, r, sizeof r);
}

static void
header(struct buf *b)
{
	uint8_t h[32] = "SLOW\3\0\40\0";
	uint32_t i;

	buf_printf(b, "*version\n3\nclock=dual\npid=100\n*threads\n");
	for (i = 0; i < THREADS; i++)
		buf_printf(b, "%u\tthread-%u\n", 100 + i, i);
	buf_printf(b, "*methods\n");
	for (i = 1; i <= METHODS; i++)
		buf_printf(b, "0x%x\tpkg/Class\tm%u\t()V\tClass.java\n", i * 4, i);
	buf_printf(b, "*end\n");
	h[16] = 14;
	buf_add(b, h, sizeof h);
}

struct open {
	size_t	call[64];
	int	depth;
};

static struct call *
begin(uint32_t thread, uint32_t method, int depth, uint64_t time)
{
	calls[ncalls] = (struct call){ thread, method, (uint32_t)depth, time, time };
	return &calls[ncalls++];
}

/* Random walks on three stacks, one of them rarely seen; some calls stay open. */
static void
events(struct buf *b)
{
	struct open open[THREADS] = { { { 0 }, 0 } };
	uint64_t time = 0;
	uint32_t i, t;

	for (i = 0; i < EVENTS; i++) {
		struct open *o;

		t = below(1000) == 0 ? 2 : below(10) == 0;
		o = &open[t];
		time += below(100) == 0 ? below(5000) : below(4);
		if (o->depth < 60 && (o->depth == 0 || below(100) < 50)) {
			struct call *c = begin(t + 1, 1 + below(METHODS), o->depth, time);

			record(b, t, c->method, 0, time);
			o->call[o->depth++] = ncalls - 1;
		} else {
			struct call *c = &calls[o->call[--o->depth]];

			c->end = time;
			record(b, t, c->method, 1, time);
		}
		/* Open calls end with the last record of their thread. */
		for (int d = 0; d < o->depth; d++)
			calls[o->call[d]].end = time;
	}
}

static int
set_up(void **state)
{
	static const struct store_options options = { .memory_only = true };
	struct buf b = BUF_INIT;
	struct err err = { .kind = E_NONE };
	struct work w;
	char *path;

	(void)state;
	folder = folder_make();
	path = folder_path(folder, "walk.trace");
	calls = calloc(EVENTS, sizeof *calls);
	header(&b);
	events(&b);
	folder_write(path, b.s, b.n);
	buf_free(&b);
	work_init(&w, NULL);
	if (!load_open(&st, path, &options, &w, &err) ||
	    !pass_want(st, COL_MARK_BLOCK, &w, &err) ||
	    !pass_want(st, COL_METHOD_NODE, &w, &err))
		print_error("%s\n", err.text);
	free(path);
	return err.kind;
}

static int
tear_down(void **state)
{
	(void)state;
	store_close(st);
	free(calls);
	folder_remove(folder);
	return 0;
}

/* ---- spans -------------------------------------------------------------------------- */

static void
same_call(const struct call *c, const struct span *s)
{
	assert_int_equal(c->start, s->start);
	assert_int_equal(c->end, s->end);
	assert_int_equal(c->depth, s->depth);
	assert_int_equal(c->method, s->method);
	assert_int_equal(s->crowd, 0);
}

static void
chunks_give_every_call_once(void **state)
{
	struct spans s = { .n = 0 };
	uint32_t t;

	(void)state;
	for (t = 1; t <= THREADS; t++) {
		uint64_t k, n = spans_chunks(st, t);
		size_t at = 0, i;

		assert_true(n > 1);
		for (k = 0; k < n; k++) {
			assert_true(spans_chunk(st, t, k, &s, NULL));
			for (i = 0; i < s.n; i++) {
				while (at < ncalls && calls[at].thread != t)
					at++;
				assert_true(at < ncalls);
				same_call(&calls[at++], &s.span[i]);
			}
		}
		while (at < ncalls && calls[at].thread != t)
			at++;
		assert_int_equal(at, ncalls);
	}
	spans_free(&s);
}

static void
windows_give_what_touches_them(void **state)
{
	uint64_t last = calls[ncalls - 1].start;
	struct spans s = { .n = 0 };
	int round;

	(void)state;
	for (round = 0; round < 60; round++) {
		uint32_t t = 1 + below(THREADS);
		uint64_t from = below((uint32_t)last), to = from + below(3000);
		size_t i, at;

		assert_true(spans_window(st, t, from, to, 0, 0, &s, NULL));
		for (i = 0, at = 0; at < ncalls; at++)
			if (calls[at].thread == t && calls[at].end >= from &&
			    calls[at].start <= to)
				same_call(&calls[at], &s.span[i++]);
		assert_int_equal(i, s.n);
	}
	spans_free(&s);
}

/* However a window is answered, a call of at least min that touches it is there, and nothing is lost. */
static void
long_calls_are_in_every_answer(void **state)
{
	uint64_t last = calls[ncalls - 1].start, min = last / 100;
	static const uint64_t budgets[] = { 0, 1, 150000 };
	struct spans s = { .n = 0 };
	size_t b, i, at, sum, all;

	(void)state;
	for (b = 0; b < NELEM(budgets); b++) {
		assert_true(spans_window(st, 1, 0, last, min, budgets[b], &s, NULL));
		for (i = 0, at = 0, sum = 0, all = 0; at < ncalls; at++) {
			if (calls[at].thread != 1)
				continue;
			all++;
			if (calls[at].end - calls[at].start < min)
				continue;
			while (i < s.n && (s.span[i].crowd > 0 ||
			    s.span[i].end - s.span[i].start < min))
				i++;
			assert_true(i < s.n);
			same_call(&calls[at], &s.span[i++]);
		}
		for (i = 0; i < s.n; i++)
			sum += s.span[i].crowd > 0 ? s.span[i].crowd : 1;
		assert_int_equal(sum, all);
		assert_true(s.n < all / 10);
	}
	spans_free(&s);
}

/* ---- trees ------------------------------------------------------------------------------ */

struct sums {
	uint64_t	calls, self, nodes;
};

/* Sums over the whole tree; checks each node against its children on the way. */
static void
walk(struct tree *t, struct sums *sums)
{
	uint32_t id = TREE_ROOT, kid;

	memset(sums, 0, sizeof *sums);
	for (;;) {
		struct tree_node n;
		uint64_t inner = 0;

		tree_get(t, id, &n);
		sums->nodes++;
		sums->self += n.self[CLOCK_WALL];
		sums->calls += n.method != 0 ? n.calls : 0;
		for (kid = tree_first(t, id); kid != 0; kid = tree_next(t, kid)) {
			assert_int_equal(tree_parent(t, kid), id);
			inner += tree_total(t, kid, CLOCK_WALL);
		}
		assert_true(inner <= n.total[CLOCK_WALL]);
		if (n.method != 0)
			assert_int_equal(inner + n.self[CLOCK_WALL], n.total[CLOCK_WALL]);
		for (kid = tree_first(t, id); kid == 0 && id != TREE_ROOT; id = tree_parent(t, id))
			if ((kid = tree_next(t, id)) != 0)
				break;
		if (kid == 0)
			return;
		id = kid;
	}
}

static uint64_t
top_level_time(uint32_t thread)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < ncalls; i++)
		if (calls[i].depth == 0 && (thread == 0 || calls[i].thread == thread))
			sum += calls[i].end - calls[i].start;
	return sum;
}

static void
trees_hold_all_time(void **state)
{
	static const enum tree_kind kinds[] = { TREE_CALLS, TREE_MERGED, TREE_PROCESSES, TREE_INVERTED };
	struct sums sums;
	struct tree *t;
	size_t k;

	(void)state;
	for (k = 0; k < NELEM(kinds); k++) {
		const uint32_t one = 3;

		/* The whole inverted tree of a random walk is too large; one quiet thread's is not. */
		assert_true(tree_open(&t, st, kinds[k], &one, 1, NULL));
		walk(t, &sums);
		assert_int_equal(sums.self, top_level_time(3));
		tree_close(t);
		if (kinds[k] == TREE_INVERTED)
			continue;
		assert_true(tree_open(&t, st, kinds[k], NULL, 0, NULL));
		walk(t, &sums);
		assert_int_equal(sums.self, top_level_time(0));
		assert_int_equal(sums.calls, ncalls);
		tree_close(t);
	}
}

/* Down the heaviest way each node is its children and itself; upwards all is from somewhere. */
static void
is_whole(struct tree *t, uint32_t id)
{
	struct tree_node n;
	uint64_t inner;
	uint32_t best;

	for (; id != 0; id = best) {
		tree_get(t, id, &n);
		inner = 0;
		best = 0;
		for (uint32_t kid = tree_first(t, id); kid != 0; kid = tree_next(t, kid)) {
			inner += tree_total(t, kid, CLOCK_WALL);
			best = best == 0 || tree_total(t, kid, CLOCK_WALL) > tree_total(t, best, CLOCK_WALL) ? kid : best;
		}
		assert_int_equal(inner + n.self[CLOCK_WALL], n.total[CLOCK_WALL]);
	}
}

/* Callers and callees of a method are each all that it took, recursion once. */
static void
trees_of_methods_hold_their_total(void **state)
{
	static const enum tree_kind kinds[] = { TREE_CALLERS, TREE_CALLEES };
	const struct column *total = store_column(st, COL_METHOD_TOTAL_WALL);
	struct tree *t;
	uint32_t first;

	(void)state;
	for (uint32_t method = 1; method <= METHODS; method++)
		for (size_t k = 0; k < NELEM(kinds); k++) {
			uint8_t *has = mem_array(METHODS + 1, 1);

			has[method] = 1;
			assert_true(tree_open_methods(&t, st, kinds[k], has, NULL));
			first = tree_first(t, TREE_ROOT);
			assert_true((first != 0) == (column_get(total, method - 1) != 0));
			assert_int_equal(tree_next(t, first), 0);
			assert_int_equal(tree_total(t, first, CLOCK_WALL), column_get(total, method - 1));
			is_whole(t, first);
			tree_close(t);
		}
}

/* Makes a published column writable again, and returns the address of a row. */
static char *
unlocked(const struct column *c, uint64_t row)
{
	uintptr_t at = (uintptr_t)column_all(c), page = at & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);

	assert_int_equal(mprotect((void *)page, at - page + c->rows * column_width(c->type), PROT_READ | PROT_WRITE), 0);
	return (char *)at + row * column_width(c->type);
}

/* A damaged index may say that calls hold one another: each is still in one node of the merged tree.  The last test. */
static void
calls_that_overlap_end(void **state)
{
	const struct column *size = store_column(st, COL_CALL_SIZE), *parent = store_column(st, COL_CALL_PARENT);
	uint64_t first = column_get(store_column(st, COL_THREAD_CALL), 2) - 1, n = column_get(store_column(st, COL_THREAD_SIZE), 2);
	static const enum tree_kind kinds[] = { TREE_MERGED, TREE_PROCESSES, TREE_INVERTED };
	const uint32_t one = 3;
	uint64_t nodes = 0, four = 4;
	struct tree *t;

	(void)state;
	assert_true(n > 100 && n < 100000);
	for (uint64_t i = first; i < first + n; i++) {
		memcpy(unlocked(size, i), i == first ? &n : &four, column_width(size->type));
		memset(unlocked(parent, i), 0xff, column_width(parent->type));
	}
	for (size_t k = 0; k < NELEM(kinds); k++) {
		assert_true(tree_open(&t, st, kinds[k], &one, 1, NULL));
		/* Level by level: ids grow. */
		for (uint32_t id = TREE_ROOT, last = TREE_ROOT; id <= last; id++, nodes++)
			for (uint32_t kid = tree_first(t, id); kid != 0; kid = tree_next(t, kid))
				last = kid > last ? kid : last;
		tree_close(t);
	}
	assert_true(nodes <= NELEM(kinds) * (n + 1) + 1);	/* and the process */
}

static void
method_totals_count_recursion_once(void **state)
{
	uint64_t end[THREADS + 1] = { 0 }, total = 0, n = 0;
	size_t i;

	(void)state;
	for (i = 0; i < ncalls; i++) {
		const struct call *c = &calls[i];

		if (c->method != 7)
			continue;
		n++;
		/* Outermost: not within an earlier one of the same thread. */
		if (end[c->thread] == 0 || c->start > end[c->thread] ||
		    (c->start == end[c->thread] && c->end > c->start)) {
			total += c->end - c->start;
			end[c->thread] = c->end;
		}
	}
	assert_int_equal(column_get(store_column(st, COL_METHOD_CALLS), 6), n);
	assert_int_equal(column_get(store_column(st, COL_METHOD_TOTAL_WALL), 6), total);
}

static void
names_and_threads(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	method_name(st, 7, &b);
	assert_string_equal(b.s, "pkg.Class.m7");
	buf_free(&b);
	assert_false(pass_want(st, COL_OBJECT_OFFSET, NULL, NULL));
}

TOOL(unit, pass)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks_give_every_call_once),
		cmocka_unit_test(windows_give_what_touches_them),
		cmocka_unit_test(long_calls_are_in_every_answer),
		cmocka_unit_test(trees_hold_all_time),
		cmocka_unit_test(trees_of_methods_hold_their_total),
		cmocka_unit_test(method_totals_count_recursion_once),
		cmocka_unit_test(names_and_threads),
		cmocka_unit_test(calls_that_overlap_end),
	};

	cmocka_run_group_tests(tests, set_up, tear_down);
	return 0;
}
