/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks as a tree against a list of their texts.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "check.h"
#include "query/trace/stack_tree.h"

#define STACKS 2000
#define DEPTH 12

/* Names of which some begin with others, before and behind a semicolon in the order of bytes. */
static const char *const names[] = { "a", "a-b", "a<c", "ab", "b", "", "main", "main:1" };

struct told {
	char		text[DEPTH * 8];
	uint64_t	weight, samples;
	uint32_t	node;
};

static int
told_order(const void *x, const void *y)
{
	const struct told *a = x, *b = y;

	return strcmp(a->text, b->text);
}

static void
tell(struct told *t, const struct text_pool *pool, const uint32_t *frame, uint64_t n)
{
	t->text[0] = '\0';
	for (uint64_t i = 0; i < n; i++) {
		strcat(t->text, i > 0 ? ";" : "");
		strcat(t->text, names[frame[i] - 1]);
		assert_true(str_eq(texts_get(pool, frame[i]), str_of(names[frame[i] - 1])));
	}
}

/* Join equal texts, which are beside each other. */
static uint64_t
join(struct told *t, uint64_t n)
{
	uint64_t to = 0;

	for (uint64_t i = 1; i < n; i++) {
		if (strcmp(t[to].text, t[i].text) != 0) {
			t[++to] = t[i];
			continue;
		}
		assert_int_equal(t[to].node, t[i].node);
		t[to].weight += t[i].weight;
		t[to].samples += t[i].samples;
	}
	return n > 0 ? to + 1 : 0;
}

/* Stacks of few names, which part anywhere and end where others continue. */
static void
as_a_list(uint32_t nnames, uint64_t nstacks)
{
	struct told *told = calloc(STACKS, sizeof *told);
	uint32_t frame[DEPTH], number;
	uint64_t n = 0, same, listed;
	struct stacks_tree tree = { .nnodes = 0 };
	struct text_pool pool = { .n = 0 };
	struct scratch list = SCRATCH_INIT;
	const struct stack_node *node;
	struct stack_node *end;
	struct err err;

	assert_non_null(told);
	for (uint32_t i = 0; i < nnames; i++)
		assert_true(texts_number(&pool, str_of(names[i]), &number, &err) && number == i + 1);
	for (uint64_t i = 0; i < nstacks; i++) {
		same = below((uint32_t)n + 1);
		n = same + below((uint32_t)(DEPTH - same));
		n = n == 0 ? 1 : n;
		for (uint64_t k = same; k < n; k++)
			frame[k] = 1 + below(nnames);
		end = stack_tree_add(&tree, frame, n, same, &err);
		assert_non_null(end);
		end->weight += i;
		end->samples++;
		tell(&told[i], &pool, frame, n);
		told[i].weight = i;
		told[i].samples = 1;
		told[i].node = (uint32_t)(end - tree.nodes.at);
	}
	qsort(told, nstacks, sizeof *told, told_order);
	n = join(told, nstacks);
	assert_true(stack_tree_list(&tree, &pool, &list, &listed, NULL, &err));
	assert_int_equal(listed, n);
	for (uint64_t i = 0; i < n; i++) {
		assert_int_equal(SCRATCH(list, uint32_t)[i], told[i].node);
		node = &tree.nodes.at[told[i].node];
		assert_true(node->weight == told[i].weight && node->samples == told[i].samples);
	}
	scratch_free(&list);
	texts_free(&pool);
	stack_tree_free(&tree);
	free(told);
}

static void
lists(void **state)
{
	(void)state;
	as_a_list(1, 0);
	for (uint32_t n = 1; n <= NELEM(names); n++)
		for (uint64_t stacks = 1; stacks <= STACKS; stacks = stacks * 3 + 1)
			as_a_list(n, stacks);
}

TOOL(unit, stack_tree)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lists) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
