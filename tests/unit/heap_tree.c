/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_tree: the tree of dominators of a generated dump, walked and
 * unfolded, held against lists made in the plainest way from heap_dominator.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_dominators.h"
#include "asks.h"
#include "chance.h"
#include "check.h"
#include "folder.h"
#include "heaps.h"
#include "icecore/heap_facts.h"
#include "query/overview/overview.h"
#include "ui/heap/branches.h"
#include "ui/term/term.h"

enum {
	OBJECT = 0x1000, CLASS = 0x1010, ARRAY = 0x1020, HOLDER = 0x1030, NODE = 0x1040,
	KNOT = 0x1050, BROAD = 0x8000, FIRST = 0x100000, STEP = 0x20,
	NODES = 3000, DEEP = 4000, STEPS = 400
};

static char *folder;
static struct store *st;
static struct heap heap;
static struct session session;
static uint32_t *naive;		/* reachable objects by holder, falling retained size, number */
static uint32_t nnaive;

/* ---- the dump ---------------------------------------------------------------------- */

static uint64_t
node(uint32_t i)
{
	return FIRST + (uint64_t)i * STEP;
}

static void
write_node(struct heap_writer *w, uint32_t i, uint64_t next, uint64_t other)
{
	put_instance(w, node(i), i % 3 == 0 ? KNOT : NODE, 16);
	put(&w->body, next, 8);
	put(&w->body, other, 8);
}

/* Nodes that refer to any two others, a long list behind them, and an array of some of them. */
static void
write_dump(struct heap_writer *w)
{
	static const struct put_field fields[] = { { "next", HEAP_OBJECT }, { "other", HEAP_OBJECT } };
	const struct put_field statics[] = { { "broad", HEAP_OBJECT, true, BROAD },
	    { "deep", HEAP_OBJECT, true, node(NODES) } };
	uint32_t i;

	put_class(w, OBJECT, "java/lang/Object", 0, 0, NULL, 0);
	put_class(w, CLASS, "java/lang/Class", OBJECT, 0, NULL, 0);
	put_class(w, ARRAY, "[Ljava/lang/Object;", OBJECT, 0, NULL, 0);
	put_class(w, HOLDER, "t/Holder", OBJECT, 0, statics, NELEM(statics));
	put_class(w, NODE, "a/b/Node", OBJECT, 0, fields, NELEM(fields));
	put_class(w, KNOT, "a/Knot", OBJECT, 0, fields, NELEM(fields));
	put_objects(w, BROAD, ARRAY, NODES / 2);
	for (i = 0; i < NODES / 2; i++)
		put(&w->body, node(below(NODES)), 8);
	for (i = 0; i < NODES; i++)
		write_node(w, i, node(below(NODES)), below(2) == 0 ? 0 : node(below(NODES)));
	for (; i < NODES + DEEP; i++)
		write_node(w, i, i + 1 < NODES + DEEP ? node(i + 1) : 0, 0);
	put_root(w, ROOT_STICKY_CLASS, HOLDER);
	put_root(w, ROOT_JNI_GLOBAL, node(7));
}

static int
by_tree(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t p = heap_dominator(&heap, x), q = heap_dominator(&heap, y);
	uint64_t v = heap_retained(&heap, x), w = heap_retained(&heap, y);

	if (p != q)
		return p < q ? -1 : 1;
	if (v != w)
		return v > w ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int
set_up(void **state)
{
	static const struct store_options options = { .memory_only = true };
	struct heap_writer w = HEAP_WRITER_INIT;
	struct buf file = BUF_INIT;
	struct err err = { .kind = E_NONE };
	uint32_t i;
	char *path;

	(void)state;
	write_dump(&w);
	put_file(&w, &file);
	folder = folder_make();
	path = folder_path(folder, "tree.hprof");
	folder_write(path, file.s, file.n);
	buf_free(&file);
	if (!load_open(&st, path, &options, NULL, &err) ||
	    !pass_want(st, col_choice(COL_EACH_CHILDREN, 0), NULL, &err) ||
	    !heap_open(&heap, st, REFS_SOFT, SIZES_VM, &err))
		print_error("%s\n", err.text);
	free(path);
	if (err.kind != E_NONE)
		return err.kind;
	session = (struct session){ .store = { st }, .nstores = 1 };
	naive = calloc(heap.objects, sizeof *naive);
	for (i = 1; i <= heap.objects; i++)
		if (heap_dominator(&heap, i) != 0)
			naive[nnaive++] = i;
	qsort(naive, nnaive, sizeof *naive, by_tree);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	store_close(st);
	free(naive);
	folder_remove(folder);
	return 0;
}

/* Its first child in naive; n of them. */
static uint32_t *
children_of(uint32_t object, uint32_t *n)
{
	uint32_t i = 0;

	while (i < nnaive && heap_dominator(&heap, naive[i]) != object)
		i++;
	for (*n = 0; i + *n < nnaive && heap_dominator(&heap, naive[i + *n]) == object; ++*n)
		;
	return &naive[i];
}

/* ---- walking ------------------------------------------------------------------------ */

static void
check_node(struct tree *t, uint32_t id, uint32_t object)
{
	struct tree_node n;
	uint32_t count, i, child = tree_first(t, id), *want = children_of(object, &count);
	uint64_t sum;

	tree_get(t, id, &n);
	assert_int_equal(n.object, object == HEAP_ROOT ? 0 : object);
	assert_int_equal(tree_children(t, id), count);
	sum = n.self[CLOCK_WALL];
	for (i = 0; i < count; i++) {
		assert_int_equal(child, tree_of_object(t, want[i]));
		assert_int_equal(tree_parent(t, child), id);
		sum += tree_total(t, child, CLOCK_WALL);
		/* Somebody looks elsewhere in between. */
		if (below(8) == 0)
			tree_first(t, tree_of_object(t, naive[below(nnaive)]));
		child = tree_next(t, child);
	}
	assert_int_equal(child, 0);
	assert_int_equal(sum, n.total[CLOCK_WALL]);
	assert_int_equal(sum, tree_total(t, id, CLOCK_CPU));
}

static void
tree_walked(void **state)
{
	struct tree *t;
	struct err err;
	uint32_t i;

	(void)state;
	assert_true(tree_open_heap(&t, st, REFS_SOFT, SIZES_VM, &err));
	check_node(t, TREE_ROOT, HEAP_ROOT);
	for (i = 0; i < nnaive; i += 1 + below(20))
		check_node(t, tree_of_object(t, naive[i]), naive[i]);
	/* Objects that are not nodes have no neighbours. */
	assert_int_equal(tree_first(t, 0), 0);
	assert_int_equal(tree_next(t, TREE_ROOT), 0);
	assert_int_equal(tree_parent(t, heap.objects + 2), 0);
	assert_int_equal(tree_next(t, UINT32_MAX), 0);
	assert_int_equal(tree_of_object(t, heap.objects + 1), 0);
	tree_close(t);
}

static void
tree_needs_its_pass(void **state)
{
	struct tree *t;
	struct err err;

	(void)state;
	assert_false(tree_open_heap(&t, st, REFS_ALL, SIZES_MAT, &err));
	assert_int_equal(err.kind, E_USAGE);
	assert_null(t);
}

/* ---- unfolding ------------------------------------------------------------------------ */

struct line {
	uint32_t	object;
	size_t		depth;
	bool		open;
};

struct lines {
	struct line	*line;
	size_t		 n, cap;
};

static void
insert(struct lines *l, size_t at, uint32_t holder, size_t depth)
{
	uint32_t n, i, *child = children_of(holder, &n);

	assert_true(mem_grow(&l->line, &l->cap, l->n + n, sizeof *l->line));
	memmove(l->line + at + n, l->line + at, (l->n - at) * sizeof *l->line);
	for (i = 0; i < n; i++)
		l->line[at + i] = (struct line){ child[i], depth, false };
	l->n += n;
}

static void
take_out(struct lines *l, size_t at)
{
	size_t end = at + 1;

	while (end < l->n && l->line[end].depth > l->line[at].depth)
		end++;
	memmove(l->line + at + 1, l->line + end, (l->n - end) * sizeof *l->line);
	l->n -= end - at - 1;
	l->line[at].open = false;
}

static uint64_t
reach_none(struct rows *r, uint64_t n)
{
	(void)r;
	(void)n;
	return 0;
}

static struct rows *
branches(void)
{
	static const struct rows_ops none = { .reach = reach_none };
	struct err err;
	struct rows *r = branches_new(rows_new(sizeof *r, &none, &session, NULL, &err), &err);

	assert_non_null(r);
	return r;
}

static void
same_lines(struct rows *r, const struct lines *l)
{
	struct twig w;
	uint64_t head;
	size_t i, step = l->n / 200 + 1;

	assert_int_equal(branches_lines(r), l->n);
	assert_int_equal(rows_reach(r, ROWS_ALL), l->n);
	for (i = 0; i < l->n; i += step) {
		w = branches_at(r, i);
		assert_int_equal(w.object, l->line[i].object);
		assert_int_equal(w.depth, l->line[i].depth);
		assert_int_equal(w.open != 0, l->line[i].open);
		head = branches_head(r, w.branch);
		if (w.depth == 0)
			assert_true(head == ROWS_ALL);
		else {
			assert_true(head < i);
			assert_int_equal(branches_at(r, head).open, w.branch);
			assert_int_equal(branches_at(r, head).object, w.holder);
		}
	}
}

static void
unfolded(void **state)
{
	struct rows *r = branches();
	struct lines l = { NULL, 0, 0 };
	size_t step, at;

	(void)state;
	insert(&l, 0, HEAP_ROOT, 0);
	for (step = 0; step < STEPS; step++) {
		same_lines(r, &l);
		/* Near the top there is more below. */
		at = below(below(3) == 0 ? (uint32_t)l.n : l.n < 30 ? (uint32_t)l.n : 30);
		if (l.line[at].open) {
			branches_fold(r, at);
			take_out(&l, at);
		} else if (!branches_at(r, at).leaf) {
			assert_true(branches_unfold(r, at, NULL));
			insert(&l, at + 1, l.line[at].object, l.line[at].depth + 1);
			l.line[at].open = true;
		}
	}
	free(l.line);
	rows_close(r);
}

/* The long list is it, from its first node of the one or the other class. */
static void
gathering(void **state)
{
	uint32_t holder, head = heap_gathering(&heap, &holder);

	(void)state;
	assert_true(head == heap_find(&heap, node(NODES)) || head == heap_find(&heap, node(NODES + 1)));
	assert_int_equal(holder, heap_find(&heap, HOLDER));
}

static void
gone_to(void **state)
{
	struct rows *r = branches();
	uint64_t line;
	uint32_t i, object;

	(void)state;
	for (i = 0; i < 100; i++) {
		object = naive[below(nnaive)];
		line = branches_goto(r, object);
		assert_true(line < branches_lines(r));
		assert_int_equal(branches_at(r, line).object, object);
	}
	/* So deep that what is shown begins below the root. */
	object = heap_find(&heap, node(NODES + DEEP - 1));
	line = branches_goto(r, object);
	assert_int_equal(branches_at(r, line).object, object);
	assert_true(branches_get(r, 0)->object != HEAP_ROOT);
	assert_int_equal(branches_goto(r, HEAP_ROOT), 0);
	assert_true(branches_get(r, 0)->object == HEAP_ROOT);
	assert_true(branches_goto(r, heap.objects + 1) == ROWS_ALL);
	rows_close(r);
}

/* ---- groups ------------------------------------------------------------------------------ */

static void
check_kin(const struct kin *k, uint32_t object)
{
	uint32_t n, i, at = 0, *child = children_of(object, &n), one, *seen;
	uint64_t bytes;
	size_t g;

	seen = calloc(n, sizeof *seen);
	for (g = 0; g < k->n; g++) {
		assert_int_equal(k->group[g].first, at);
		for (bytes = 0, i = 0; i < k->group[g].n; i++) {
			one = k->row[at + i];
			assert_true(one < n && (i == 0 || one > k->row[at + i - 1]));
			seen[one]++;
			bytes += heap_retained(&heap, child[one]);
		}
		assert_int_equal(bytes, k->group[g].retained);
		assert_true(g == 0 || bytes <= k->group[g - 1].retained);
		at += k->group[g].n;
	}
	assert_int_equal(at, n);
	for (i = 0; i < n; i++)
		assert_int_equal(seen[i], 1);
	free(seen);
}

static bool
has_group(const struct kin *k, const char *name)
{
	struct buf b = BUF_INIT;
	bool has = false;
	size_t g;

	for (g = 0; g < k->n && !has; g++) {
		buf_clear(&b);
		kin_name(&heap, k, g, &b);
		has = str_eq(buf_view(&b), str_of(name));
	}
	buf_free(&b);
	return has;
}

static void
grouped(void **state)
{
	static const struct { enum kinship kind; const char *names[2]; } want[] = {
		{ KIN_CLASS, { "a.b.Node", "a.Knot" } }, { KIN_PACKAGE, { "a.b", "a" } },
		{ KIN_LOADER, { "bootstrap loader", "bootstrap loader" } }
	};
	uint32_t object = heap_find(&heap, BROAD);
	struct kin *k;
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < NELEM(want); i++) {
		k = kin_make(&heap, object, want[i].kind, NULL, &err);
		assert_non_null(k);
		check_kin(k, object);
		assert_true(has_group(k, want[i].names[0]) && has_group(k, want[i].names[1]));
		assert_false(has_group(k, "nobody"));
		kin_free(k);
	}
}

/* A group is unfolded to its objects, and all is as before when the groups are gone. */
static void
groups_unfolded(void **state)
{
	struct rows *r = branches();
	uint32_t object = heap_find(&heap, BROAD), first;
	uint64_t line = branches_goto(r, object), lines, n;
	struct twig w = branches_at(r, line);
	struct kin *k = kin_make(&heap, object, KIN_CLASS, NULL, NULL);
	struct cell c;

	(void)state;
	first = branches_at(r, line + 1).object;
	lines = branches_lines(r);
	assert_int_equal(branches_get(r, w.open)->object, object);
	n = branches_get(r, w.open)->n;
	assert_non_null(k);
	branches_group(r, w.open, k);
	assert_int_equal(branches_lines(r), lines - n + k->n);
	assert_int_equal(branches_get(r, w.open)->kin->kind, KIN_CLASS);
	w = branches_at(r, line + 1);
	assert_int_equal(w.object, 0);
	rows_cell(r, line + 1, 0, &c);
	assert_int_equal(c.u, k->group[0].retained);
	assert_true(branches_unfold(r, line + 1, NULL));
	w = branches_at(r, line + 2);
	assert_int_equal(w.holder, object);
	assert_int_equal(heap_dominator(&heap, w.object), object);
	assert_int_equal(heap_class(&heap, w.object), k->group[0].class);
	assert_int_equal(branches_lines(r), lines - n + k->n + k->group[0].n);
	assert_int_equal(branches_whole(r, w.branch), branches_at(r, line).open);
	branches_group(r, branches_at(r, line).open, NULL);
	assert_int_equal(branches_lines(r), lines);
	assert_int_equal(branches_at(r, line + 1).object, first);
	rows_close(r);
}

/* ---- lines of the overview that fail ------------------------------------------------ */

static bool
fails(struct answering *a, struct err *err)
{
	(void)a;
	return fail(err, E_INPUT, "no call tree");
}

static bool
cancelled(struct answering *a, struct err *err)
{
	(void)a;
	return fail_cancel(err);
}

static void
not_computed(void **state)
{
	static const struct overview_line failing = { .name = "x", .own = fails }, asking = { .name = "x", .query = "objects | sort nosuch" },
	    cancelling = { .name = "x", .own = cancelled };
	struct overview_answer answer = { .n = 0 };
	struct err err;

	(void)state;
	assert_true(overview_answer(&failing, &session, &answer, NULL, &err));
	assert_int_equal(answer.n, 1);
	assert_string_equal(answer.item[0].words.s, "not computed: no call tree");
	assert_int_equal(answer.item[0].value.type, CELL_NONE);
	overview_free(&answer);
	assert_true(overview_answer(&asking, &session, &answer, NULL, &err));
	assert_int_equal(answer.n, 1);
	assert_true(str_has_prefix(buf_view(&answer.item[0].words), STR("not computed: no column 'nosuch' here")));
	overview_free(&answer);
	assert_false(overview_answer(&cancelling, &session, &answer, NULL, &err));
	assert_int_equal(answer.n, 0);
	overview_free(&answer);
}

/* In a damaged dump, more objects may be counted as live than exist. */
static void
none_unreachable(void **state)
{
	struct err err;
	char *text;

	(void)state;
	assert_true(heap_fact_set(st, FACT_LIVE_OBJECTS, REFS_SOFT, SIZES_VM, heap.objects + 5ull, &err));
	assert_true(heap_fact_set(st, FACT_LIVE_BYTES, REFS_SOFT, SIZES_VM, UINT64_C(1) << 60, &err));
	text = ask(&session, "info | where field ~ /^unreachable_(bytes|objects)/ | select field value", FORMAT_TSV, 0);
	assert_string_equal(text, "field\tvalue\nunreachable_objects\t0\nunreachable_bytes\t0\n");
	free(text);
}

TOOL(unit, heap_tree)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree_walked),
		cmocka_unit_test(tree_needs_its_pass),
		cmocka_unit_test(unfolded),
		cmocka_unit_test(gathering),
		cmocka_unit_test(gone_to),
		cmocka_unit_test(grouped),
		cmocka_unit_test(groups_unfolded),
		cmocka_unit_test(not_computed),
		cmocka_unit_test(none_unreachable),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
