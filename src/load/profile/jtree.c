/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A call tree of nested objects in JSON.
 */
#include "config.h"

#include <assert.h>

#include "jtree.h"

static struct jtree_node *
jtree_last(const struct jtree *t)
{
	assert(t->n > 0);
	return &SCRATCH(t->open, struct jtree_node)[t->n - 1];
}

/* The stack of a node, made once. */
static uint32_t
jtree_stack(struct jtree *t, struct jtree_node *node)
{
	assert(node == jtree_last(t) && (t->n == 1 || node[-1].ready));
	if (!node->ready)
		node->stack = t->stack(t, node, t->n > 1 ? node[-1].stack : 0);
	node->ready = true;
	return node->stack;
}

/* Enter a node; false: another value. */
static bool
jtree_enter(struct jtree *t, struct json *j)
{
	struct jtree_node new = { .at = j->at };

	for (unsigned i = 0; i < JTREE_WORDS; i++)
		new.word[i] = STR("");
	if (!scan_open(j, '{'))
		return false;
	INTO_ROW(&t->l->to, t->open, t->n, new, "frames");
	return true;
}

/* Enter the next node of an array; at the end of the array, the cursor is in the node that contains it. */
static void
jtree_next(struct jtree *t, struct json *j)
{
	while (scan_item(j) && !jtree_enter(t, j)) {
		t->l->bad++;
		if (!scan_skip(j))
			return;
	}
}

static void
jtree_member(struct jtree *t, struct json *j, struct str key)
{
	struct jtree_node *node = jtree_last(t);

	for (unsigned i = 0; i < JTREE_WORDS; i++)
		if (str_eq(key, str_of(t->keys[i]))) {
			scan_plain(j, &node->word[i]);
			return;
		}
	if (!str_is(key, "children") || !scan_open(j, '[')) {
		scan_skip(j);
		return;
	}
	jtree_stack(t, node);
	jtree_next(t, j);
}

void
jtree_read(struct jtree *t, struct json j)
{
	struct jtree_node *node;
	struct str key;

	assert(t->n == 0);
	if (json_is(j) && jtree_enter(t, &j)) {
		while (t->n > 0 && !j.bad && into_go(&t->l->to, j.at))
			if (scan_member(&j, &key)) {
				jtree_member(t, &j, key);
			} else if (!j.bad) {
				node = jtree_last(t);
				jtree_stack(t, node);
				t->leave(t, node, t->n > 1 ? node - 1 : NULL);
				if (--t->n > 0)
					jtree_next(t, &j);
			}
		t->l->cut |= j.bad;
	}
	scratch_free(&t->open);
}
