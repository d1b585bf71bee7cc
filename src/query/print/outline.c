/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * outline: the biggest calls, or the objects that retain most, as an indented tree, for use without a
 * terminal.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_trace.h"
#include "icecore/heap_facts.h"
#include "icecore/name.h"
#include "print.h"

#define NUMBERS 20		/* columns in front of the names */
#define LEAST 200		/* a call of less than this part of all is noise */
#define CHAIN 100		/* a node that keeps no more than this part from its only child shares a line with it */

struct pick {
	uint64_t	weight;
	uint32_t	node, depth;
	uint32_t	up;		/* the pick above it: its own number if there is none */
};

/* The heaviest nodes met so far, in pre-order. */
struct outline {
	struct session	*session;
	struct tree	*tree;
	struct pick	*pick;
	size_t		 n, most;
	size_t		 least;		/* the last of the lightest picks */
	bool		 heap;		/* the tree has objects: children come by falling weight */
	bool		 threads;	/* the tree has calls, by thread */
	enum clock	 clock;		/* what they are picked by */
	struct weights	 weights;
	struct buf	*whole;		/* names, fitted */
	struct name_shown *shown;	/* names as they are shown: those of functions can be distinguished */
};

/* Detect links of a linked list: same class as the parent, nearly as heavy.  Only the first link is shown. */
static bool
outline_is_link(const struct outline *o, uint32_t node)
{
	struct tree_node self, above;

	if (!o->heap || node == TREE_ROOT)
		return false;
	tree_peek(o->tree, node, &self);
	tree_peek(o->tree, self.parent, &above);
	return self.class == above.class && self.total[o->clock] >= above.total[o->clock] / 10 * 9;
}

static void
outline_add(struct outline *o, const struct pick *pick)
{
	if (o->n == o->most) {
		memmove(&o->pick[o->least], &o->pick[o->least + 1], (o->n - o->least - 1) * sizeof *pick);
		o->n--;
	}
	o->pick[o->n++] = *pick;
	o->least = 0;
	for (size_t i = 1; i < o->n; i++)
		if (o->pick[i].weight <= o->pick[o->least].weight)
			o->least = i;
}

/* Return true if a later sibling can be picked: all later siblings retain at most parent - object. */
static bool
outline_leaves(const struct outline *o, uint32_t node)
{
	uint32_t up = tree_parent(o->tree, node);

	return !o->heap || o->n < o->most || tree_total(o->tree, up, o->clock) - tree_total(o->tree, node,
	    o->clock) >
	    o->pick[o->least].weight;
}

/*
 * Takes a node if it is among the heaviest.  Of equals the last one goes, so
 * no call stays without its caller.
 */
static bool
outline_take(struct outline *o, uint32_t node, uint32_t depth, bool link)
{
	uint64_t weight = tree_total(o->tree, node, o->clock);

	/* LEAST does not apply to heaps: the largest objects of a flat heap are worth a line, too. */
	if (weight == 0 || (!o->heap && o->n > 0 && weight < o->pick[0].weight / LEAST))
		return false;
	if (o->n == o->most && weight <= o->pick[o->least].weight)
		return false;
	if (!link)
		outline_add(o, &(struct pick){ .weight = weight, .node = node, .depth = depth });
	return true;
}

/* Skip the calls below one that is too light: none of them is heavier. */
static void
outline_walk(struct outline *o)
{
	uint32_t node = TREE_ROOT, next, depth = 0;
	bool taken, link;

	while (node != 0) {
		link = outline_is_link(o, node);
		taken = outline_take(o, node, depth, link);
		next = taken ? tree_first(o->tree, node) : 0;
		depth += next != 0 && !link;
		while (next == 0 && node != 0) {
			if (node != TREE_ROOT && (taken || !o->heap) && outline_leaves(o, node))
				next = tree_next(o->tree, node);
			if (next != 0)
				break;
			node = tree_parent(o->tree, node);
			depth -= node != 0 && !outline_is_link(o, node);
			taken = true;
		}
		node = next;
	}
}

/* ---- the heaviest first ---------------------------------------------------------- */

/* Sort siblings by falling weight, each with all that is below it. */
static void
outline_sort(struct outline *o)
{
	struct pick *pick = o->pick, moved;
	size_t best, end, k;

	for (size_t i = 0; i < o->n; i++) {
		for (best = end = i; end < o->n && pick[end].depth >= pick[i].depth; end++)
			if (pick[end].depth == pick[i].depth && pick[end].weight > pick[best].weight)
				best = end;
		for (end = best + 1; end < o->n && pick[end].depth > pick[best].depth; end++)
			;
		for (size_t to = i; best < end; to++, best++) {
			moved = pick[best];
			memmove(&pick[to + 1], &pick[to], (best - to) * sizeof moved);
			pick[to] = moved;
		}
		for (k = i; k > 0 && pick[k - 1].depth >= pick[i].depth; k--)
			;
		pick[i].up = (uint32_t)(k > 0 ? k - 1 : i);
	}
}

/* Return true if the next pick is the only one below this pick, and nearly as heavy. */
static bool
outline_chains(const struct outline *o, size_t i)
{
	const struct pick *pick = o->pick;
	size_t next = i + 1;

	if (i == 0 || next >= o->n || pick[next].up != i || pick[i].weight > num_add(pick[next].weight,
	    pick[i].weight / CHAIN))
		return false;
	while (++next < o->n && pick[next].up > i)
		;
	return next == o->n || pick[next].up < i;
}

/* ---- lines ----------------------------------------------------------------------- */

static void
outline_name(const struct outline *o, const struct tree_node *node, struct buf *name)
{
	const struct store *st = session_store(o->session);

	if (node->object != 0) {
		heap_label(tree_heap(o->tree), node->object, name);
		buf_printf(name, " @%u", node->object);
	} else if (node->method != 0)
		method_name(st, node->method, name);
	else if (node->parent != 0)
		thread_name(st, node->thread, name);
	else
		buf_str(name, STR("all"));
}

/* Print the share and the weight; if there are two weights, also the change. */
static void
outline_numbers(struct printer *p, const struct outline *o, size_t i, const struct tree_node *node)
{
	struct cell bytes = { .type = CELL_BYTES, .u = o->pick[i].weight };

	buf_clear(&p->cell);
	if (o->heap)
		cell_show(&bytes, &p->cell);
	else
		weight_show(&o->weights, o->clock, o->pick[i].weight, &p->cell);
	buf_printf(&p->line, "%6.1f%% %11s ", 100.0 * (double)o->pick[i].weight / (double)(o->heap ?
	    heap_whole(session_store(o->session), o->session->refs, o->session->sizes) :
	    o->pick[0].weight), p->cell.s);
	if (o->heap || !o->weights.differs)
		return;
	buf_clear(&p->cell);
	weight_show(&o->weights, CLOCK_OFF, node->total[CLOCK_OFF], &p->cell);
	buf_printf(&p->line, "%11s ", p->cell.s);
}

/* Return the number of columns before the name; *indent of them show the depth. */
static size_t
outline_before(const struct printer *p, const struct outline *o, size_t i, size_t *indent)
{
	size_t most = p->width == 0 ? UINT32_MAX : p->width / 2, depth = o->pick[i].depth;

	*indent = depth < most ? depth : most;
	return NUMBERS + (!o->heap && o->weights.differs ? 12 : 0) + *indent;
}

static void
outline_names(struct printer *p, struct outline *o)
{
	struct buf raw = BUF_INIT;
	struct tree_node node;
	size_t before, indent;

	for (size_t i = 0; i < o->n; i++) {
		before = outline_before(p, o, i, &indent);
		tree_get(o->tree, o->pick[i].node, &node);
		buf_clear(&raw);
		outline_name(o, &node, &raw);
		text_fit_buf(&o->whole[i], buf_view(&raw));
		print_ascii(p, &o->whole[i]);
		o->shown[i].whole = buf_view(&o->whole[i]);
		o->shown[i].width = p->width == 0 ? SIZE_MAX : p->width > before ? p->width - before : 1;
	}
	if (!o->heap)
		names_short(o->shown, o->n, print_mark(p));
	p->line.bad |= raw.bad;
	buf_free(&raw);
}

static void
outline_shown(struct printer *p, const struct outline *o, size_t i)
{
	if (o->heap)
		print_fitted(p, o->shown[i].whole, o->shown[i].width);
	else
		buf_str(&p->line, buf_view(&o->shown[i].text));
	p->line.bad |= o->whole[i].bad;
}

/* Append the rest of a chain to the line of its first pick while there is room; *i becomes its last pick. */
static void
outline_chain(struct printer *p, const struct outline *o, size_t *i)
{
	struct str arrow = p->ascii ? STR(" > ") : STR(" \xe2\x80\xba ");
	size_t n;

	while (outline_chains(o, *i)) {
		n = p->line.n;
		buf_str(&p->line, arrow);
		outline_shown(p, o, *i + 1);
		if (p->width > 0 && text_width(buf_view(&p->line)) > p->width) {
			p->line.n = n;
			return;
		}
		++*i;
		o->pick[*i].depth = o->pick[*i - 1].depth;
	}
}

/* Print the line of pick *i; *i becomes the last pick on the line. */
static void
outline_line(struct printer *p, struct outline *o, size_t *i)
{
	struct tree_node node;
	size_t indent;

	if (o->pick[*i].up != *i)
		o->pick[*i].depth = o->pick[o->pick[*i].up].depth + 1;
	tree_get(o->tree, o->pick[*i].node, &node);
	outline_numbers(p, o, *i, &node);
	outline_before(p, o, *i, &indent);
	while (indent-- > 0)
		buf_chr(&p->line, ' ');
	outline_shown(p, o, *i);
	outline_chain(p, o, i);
	print_end(p);
}

/* "+30 threads": as heavy as others that have lines, for which there was no room. */
static void
outline_others(struct printer *p, const struct outline *o)
{
	uint64_t n = 0;
	char text[NUM_TEXT];

	if (o->n == 0)
		return;
	for (uint32_t node = tree_first(o->tree, TREE_ROOT); node != 0; node = tree_next(o->tree, node))
		n += tree_total(o->tree, node, o->clock) >= o->pick[0].weight / LEAST &&
		    tree_total(o->tree, node, o->clock) > 0;
	for (size_t i = 1; i < o->n; i++)
		n -= o->pick[i].node != TREE_ROOT && tree_parent(o->tree, o->pick[i].node) == TREE_ROOT;
	if (n == 0)
		return;
	num_show_count(text, sizeof text, n);
	buf_printf(&p->line, "+%s thread%s", text, n == 1 ? "" : "s");
	print_end(p);
}

static void
print_outline(struct printer *p, struct outline *o)
{
	outline_walk(o);
	outline_sort(o);
	outline_names(p, o);
	for (size_t i = 0; i < o->n; i++)
		outline_line(p, o, &i);
	if (o->threads)
		outline_others(p, o);
}

bool
outline_want(const struct session *session, struct work *work, struct err *err)
{
	bool heap = (session_shapes(session) & SHAPE_GRAPH) != 0;

	return pass_want(session_store(session), heap ? heap_col(COL_EACH_CHILDREN, session->refs,
	    session->sizes) : COL_CALL_METHOD, work, err) &&
	    (!heap || pass_want(session_store(session), heap_col(COL_EACH_DIRECT_OBJECT, session->refs,
	    session->sizes), work, err));
}

static bool
outline_open(struct outline *o, struct err *err)
{
	const struct session *session = o->session;
	const struct store *st = session_store(session);
	enum tree_kind kind = threads_nameless(st) ? TREE_MERGED : TREE_CALLS;

	o->heap = (session_shapes(session) & SHAPE_GRAPH) != 0;
	if (o->heap)
		return tree_open_heap(&o->tree, st, session->refs, session->sizes, err);
	o->threads = kind == TREE_CALLS;
	weights_of(st, &o->weights);
	/* Deltas cannot be used: that of a child may be larger than that of its parent. */
	if (o->weights.differs && o->clock == CLOCK_OFF)
		o->clock = CLOCK_WALL;
	return tree_open(&o->tree, st, kind, NULL, 0, err);
}

void
outline_lines(struct session *session, size_t lines, struct printer *p)
{
	struct outline o = { .session = session, .most = lines, .clock = session->clock,
	    .pick = mem_array(lines, sizeof *o.pick),
	    .whole = mem_array(lines, sizeof *o.whole), .shown = mem_array(lines, sizeof *o.shown) };
	bool ok = (o.pick != NULL && o.whole != NULL && o.shown != NULL) ||
	    fail(p->err, E_SYSTEM, "out of memory (outline)");

	ok = ok && outline_open(&o, p->err);
	print_unless(p, ok);
	if (ok) {
		print_outline(p, &o);
		tree_close(o.tree);
	}
	for (size_t i = 0; i < o.n; i++) {
		buf_free(&o.whole[i]);
		buf_free(&o.shown[i].text);
	}
	free(o.pick);
	free(o.whole);
	free(o.shown);
}
