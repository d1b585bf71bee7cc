/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_details: copied and detailed texts of the selected frame: its stack, and all its values.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/idle.h"
#include "icicle.h"

enum { STACK_MOST = 200000 };

/* Set *stack to the nodes from the selected frame to the root, and return their number.  The caller frees *stack. */
static size_t
stack_of(struct icicle *ic, uint32_t **stack)
{
	const struct box *fr = frames_selected(&ic->f);
	size_t		 n = 0, cap = 0;

	*stack = NULL;
	if (ic->tree == NULL || fr == NULL || ic->lent || icicle_heavy(ic, fr->node))
		return 0;
	for (uint32_t id = fr->node; id != 0 && n < STACK_MOST; id = tree_parent(ic->tree, id)) {
		if (!mem_grow(stack, &cap, n + 1, sizeof **stack))
			break;
		(*stack)[n++] = id;
	}
	return n;
}

/* Append the stack, root first, one name a line. */
void
icicle_copy(struct pane *p, struct buf *b)
{
	struct icicle	*ic = icicle_of(p);
	struct buf	 name = BUF_INIT;
	uint32_t	 *stack;
	size_t		 n = stack_of(ic, &stack);

	while (n-- > 0) {
		buf_clear(&name);
		icicle_name(ic, stack[n], &name);
		text_fit_buf(b, buf_view(&name));
		buf_chr(b, '\n');
	}
	buf_free(&name);
	free(stack);
}

/* ---- all values of a frame ----------------------------------------------- */

static void
detail_weight(struct icicle *ic, const char *name, enum clock clock, const uint64_t weight[CLOCKS],
    const char *what,
    struct items *items)
{
	uint64_t	 all = tree_total(ic->tree, TREE_ROOT, clock);
	struct buf	 label = BUF_INIT, value = BUF_INIT;

	buf_printf(&label, "%s %s", name, ic->w.name[clock]);
	weight_show(&ic->w, clock, weight[clock], &value);
	if (all > 0 && !ic->w.differs)
		buf_printf(&value, "  %.1f%%", 100.0 * (double)weight[clock] / (double)all);
	items_add(items, buf_view(&label), buf_view(&value), what);
	buf_free(&label);
	buf_free(&value);
}

/* The time of one call by each clock. */
static void
detail_average(struct icicle *ic, const struct tree_node *node, struct items *items)
{
	struct buf	 label = BUF_INIT, value = BUF_INIT;

	for (int i = 0; i < CLOCKS; i++) {
		if (ic->w.name[i] == NULL)
			continue;
		buf_clear(&label);
		buf_clear(&value);
		buf_printf(&label, "average %s", ic->w.name[i]);
		weight_show(&ic->w, (enum clock)i, node->total[i] / node->calls, &value);
		items_add(items, buf_view(&label), buf_view(&value), "of one call");
	}
	buf_free(&label);
	buf_free(&value);
}

static void
detail_number(const char *name, uint64_t n, int (*show)(char *, size_t, uint64_t), const char *what,
    struct items *items)
{
	char	text[NUM_TEXT];

	show(text, sizeof text, n);
	items_add(items, str_of(name), str_of(text), what);
}

static void
detail_thread(struct icicle *ic, uint32_t thread, struct items *items)
{
	struct buf	name = BUF_INIT;

	thread_label(ic->st, thread, &name);
	items_add(items, STR("thread"), buf_view(&name), "");
	buf_free(&name);
}

static void
detail_frame(struct icicle *ic, const struct box *fr, struct items *items)
{
	struct tree_node node;

	tree_get(ic->tree, fr->node, &node);
	if (of_objects(ic)) {
		detail_number("retained", node.total[CLOCK_WALL], num_show_size, "freed with the object",
		    items);
		detail_number("shallow", node.self[CLOCK_WALL], num_show_size, "the object alone", items);
		return;
	}
	for (int i = 0; i < CLOCKS; i++)
		if (ic->w.name[i] != NULL)
			detail_weight(ic, "total", (enum clock)i, node.total, ic->kind == TREE_CALLERS ?
			    "of the method when called from here" : "with its callees", items);
	for (int i = 0; i < CLOCKS; i++)
		if (ic->w.name[i] != NULL && ic->kind != TREE_CALLERS)
			detail_weight(ic, "self", (enum clock)i, node.self, "without its callees", items);
	detail_number(icicle_counted(ic), node.calls, num_show_count, "", items);
	if (ic->w.clocks && fr->method != 0 && node.calls > 1)
		detail_average(ic, &node, items);
	if (node.thread != 0 && ic->kind == TREE_CALLS)
		detail_thread(ic, node.thread, items);
}

/* List the folded threads, whose names are shown nowhere else. */
static void
detail_idle(struct icicle *ic, const struct box *fr, struct items *items)
{
	enum clock	 clock = ui_session(ic->pane->ui)->clock;
	struct buf	 name = BUF_INIT, value = BUF_INIT;

	box_idle_name(fr->group, &name);
	weight_show(&ic->w, clock, fr->weight, &value);
	items_add(items, buf_view(&name), buf_view(&value),
	    IDLE_BY_STACKS "; not to scale");
	for (uint32_t id = tree_first(ic->tree, TREE_ROOT); id != 0; id = tree_next(ic->tree, id)) {
		if (!icicle_folds(ic, id))
			continue;
		buf_clear(&name);
		buf_clear(&value);
		icicle_name(ic, id, &name);
		weight_show(&ic->w, clock, icicle_weight(ic, id), &value);
		items_add(items, buf_view(&name), buf_view(&value), "");
	}
	buf_free(&name);
	buf_free(&value);
}

/* List the frames above the selected one in the icicle, nearest first. */
static void
detail_path(struct icicle *ic, const char *head, const uint32_t *stack, size_t n, struct items *items)
{
	struct buf	name = BUF_INIT;

	if (n > 0)
		items_head(items, head);
	for (size_t i = 0; i < n; i++) {
		buf_clear(&name);
		icicle_name(ic, stack[i], &name);
		items_add(items, STR(""), buf_view(&name), "");
	}
	buf_free(&name);
}

/* Append the name, its weight by every clock, and its path. */
void
icicle_details(struct pane *p, struct items *items)
{
	struct icicle	*ic = icicle_of(p);
	const struct box *fr = frames_selected(&ic->f);
	struct buf	 name = BUF_INIT;
	uint32_t	 *stack;
	size_t		 n = stack_of(ic, &stack), own = n > 0 && fr->group == 0 ? 1 : 0, row = own;

	if (own != 0) {
		icicle_name(ic, fr->node, &name);
		items_add(items, STR("name"), buf_view(&name), "");
		if (fr->method != 0 && method_module(ic->st, fr->method).n > 0)
			items_add(items, STR("module"), method_module(ic->st, fr->method), "");
		detail_frame(ic, fr, items);
	} else if (n > 0 && fr->idle) {
		detail_idle(ic, fr, items);
	} else if (n > 0)
		detail_number("merged", fr->group, num_show_count, "frames too narrow to draw", items);
	while (own > 0 && row < n && stack[row - 1] != fr->first)
		row++;
	detail_path(ic, "In the same row", stack + own, row - own, items);
	detail_path(ic, of_objects(ic) ? "Dominated by" : ic->kind == TREE_INVERTED ||
	    ic->kind == TREE_CALLERS ? "Calls" : "Called by", stack + row, n - row, items);
	buf_free(&name);
	free(stack);
}

/* For an object append its class: a search in a heap matches classes. */
void
icicle_subject(struct pane *p, struct buf *b)
{
	struct icicle	*ic = icicle_of(p);
	const struct box *fr = frames_selected(&ic->f);
	struct tree_node node;

	if (ic->tree == NULL || fr == NULL || ic->lent || fr->group != 0)
		return;
	tree_peek(ic->tree, fr->node, &node);
	if (node.object != 0)
		heap_class_name(tree_heap(ic->tree), node.class, b);
	else if (node.method != 0)
		method_name(ic->st, node.method, b);
}

void
icicle_legend(struct pane *p, struct items *items)
{
	struct icicle	*ic = icicle_of(p);

	if (ic->tree != NULL)
		frames_legend(&ic->f, items);
}
