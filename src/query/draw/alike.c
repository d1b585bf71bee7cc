/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alike: what objects dominate, as stacks in which small objects of one class below one object are one box,
 * "450 x shop.Session", with what all of them dominate below it.  So are links of a chain or of a tree.
 *
 * Level by level.  Each object is looked at twice below its dominator, so it takes as long as a pass.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "draw.h"

#define NAMED 2.0		/* percent: objects of one class are one box where each is smaller */
#define TICK 4096u		/* objects looked at between two ticks */

/* A box: an object, or several of one class.  They are members from first on. */
struct alike_box {
	uint64_t	first, n;
	uint32_t	stack, level;
	uint32_t	link;		/* class of the objects and of links below them; 0: there are none */
};

/* Objects that are too small for a box. */
struct alike_rest {
	uint64_t	bytes;
	uint32_t	n;
};

/* The small children of a box that are of one class. */
struct alike {
	uint64_t	bytes, at;	/* at: their next place in members, once they have a box */
	uint32_t	n, round;	/* round: number of the box, from 1 */
	bool		placed;
};

struct alike_walk {
	struct stack_tree	*s;
	struct heap	 heap;
	struct rows	*rows;
	struct err	*err;
	int		 col;		/* column of the objects of the rows */
	uint64_t	 least;		/* smaller boxes are joined */
	uint64_t	 named;		/* smaller objects of one class share a box */
	ARRAY(struct alike_box) boxes;
	ARRAY(uint32_t) members;
	ARRAY(struct alike) alike;	/* by class */
	uint64_t	 nboxes, nmembers, looked;
	struct buf	 name;
};

/* The objects below a box, or those of the rows. */
struct alike_below {
	struct alike_box	 box;
	uint64_t		 next;		/* row or member */
	struct child_walk	 children;
};

/* The object of a row; 0: it has none. */
static uint32_t
alike_row(struct alike_walk *w, uint64_t row)
{
	struct cell c;

	rows_cell(w->rows, row, (size_t)w->col, &c);
	return c.type == CELL_ID && c.u <= w->heap.objects ? (uint32_t)c.u : 0;
}

/* Return the next object that retains something; 0: that was the last one, or the work was cancelled. */
static uint32_t
alike_next(struct alike_walk *w, struct alike_below *b, uint64_t *bytes)
{
	uint32_t object;
	bool rows = b->box.n == 0;

	for (;;) {
		if (++w->looked % TICK == 0 && !rows_tick(w->rows, w->looked))
			return 0;
		object = rows ? 0 : child_next(&b->children);
		if (object == 0 && (rows ? rows_reach(w->rows, b->next + 1) <= b->next :
		    b->next == b->box.n))
			return 0;
		if (rows)
			object = alike_row(w, b->next++);
		else if (object == 0)
			heap_children(&w->heap, w->members.at[b->box.first + b->next++], &b->children);
		*bytes = object == 0 ? 0 : heap_retained(&w->heap, object);
		if (*bytes > 0 && (b->box.link == 0 || heap_class(&w->heap, object) != b->box.link))
			return object;
	}
}

/* The small objects of its class below the box of that number; NULL: it is large, or its class is unknown. */
static struct alike *
alike_of(struct alike_walk *w, uint32_t object, uint64_t bytes, uint64_t box)
{
	uint32_t class = bytes < w->named ? heap_class(&w->heap, object) : 0;
	/* Classes have names of their own. */
	bool one = heap_holds_classes(&w->heap, class) && bytes >= w->least;
	struct alike *a = &w->alike.at[class];

	if (class == 0 || one)
		return NULL;
	if (a->round != (uint32_t)box + 1)
		*a = (struct alike){ .round = (uint32_t)box + 1 };
	return a;
}

/* Add a box for n objects, which are filled in as members; *at: place of the first. */
static bool
alike_push(struct alike_walk *w, const struct alike_below *b, uint32_t n, uint64_t bytes, uint64_t *at)
{
	struct alike_box box = { .first = w->nmembers, .n = n, .level = b->box.level + 1,
	    .stack = w->s->n + 1 };

	*at = w->nmembers;
	if (!array_grow(&w->members, w->nmembers + n, w->err) ||
	    !array_add(&w->boxes, &w->nboxes, &box, w->err))
		return false;
	w->nmembers += n;
	return stacks_add(w->s, STR("?"), KIND_NONE,
	    &(struct tree_stack){ .caller = b->box.stack, .weight = bytes }, &(struct stack_about){ .calls = 0 },
	    w->err);
}

/* Take the links below the objects of a box into it: of a chain, or of a tree, all are of one class. */
static bool
alike_links(struct alike_walk *w, struct alike_box *box)
{
	struct child_walk children;
	uint32_t child, class, first = w->members.at[box->first];
	uint64_t from = w->nmembers;

	class = heap_class(&w->heap, first);
	if (class == 0 || heap_holds_classes(&w->heap, class) || heap_is_array(&w->heap, first))
		return true;
	if (!array_grow(&w->members, from + box->n, w->err))
		return false;
	memcpy(w->members.at + from, w->members.at + box->first, box->n * sizeof *w->members.at);
	w->nmembers += box->n;
	for (uint64_t i = from; i < w->nmembers; i++) {
		heap_children(&w->heap, w->members.at[i], &children);
		while ((child = child_next(&children)) != 0) {
			if (++w->looked % TICK == 0 && !rows_tick(w->rows, w->looked))
				return true;
			if (heap_class(&w->heap, child) == class &&
			    !array_add(&w->members, &w->nmembers, &child, w->err))
				return false;
		}
	}
	*box = (struct alike_box){ .first = from, .n = w->nmembers - from, .stack = box->stack,
	    .level = box->level, .link = class };
	return true;
}

/* "450 x shop.Session", "shop.Session @12"; with its links "6 x shop.Node @12".  one: except for links. */
static bool
alike_name(struct alike_walk *w, const struct alike_box *box, bool one)
{
	uint32_t object = w->members.at[box->first];
	char count[NUM_TEXT];

	buf_clear(&w->name);
	if (box->n > 1) {
		num_show_count(count, sizeof count, box->n);
		buf_printf(&w->name, "%s" ALIKE_OF, count);
		heap_class_name(&w->heap, heap_class(&w->heap, object), &w->name);
		stack_about(w->s, box->stack)->calls = box->n;
	} else
		heap_label(&w->heap, object, &w->name);
	if (one)
		buf_printf(&w->name, " @%u", object);
	if (w->name.bad)
		return fail(w->err, E_SYSTEM, "out of memory (name)");
	return stacks_name(w->s, buf_view(&w->name), KIND_NONE, &stack_at(w->s, box->stack)->name, w->err);
}

/* Give an object a place: in a box of its own, in that of its class, or among the joined ones. */
static bool
alike_place(struct alike_walk *w, const struct alike_below *b, uint64_t number, uint32_t object,
    uint64_t bytes, struct alike_rest *rest)
{
	struct alike *a = alike_of(w, object, bytes, number);
	bool several = a != NULL && a->n > 1;
	uint64_t at;

	if (b->box.level >= LEVELS_MAX || (several ? a->bytes : bytes) < w->least) {
		rest->bytes = num_add(rest->bytes, bytes);
		rest->n += rest->n < UINT32_MAX;
		return true;
	}
	if (!several || !a->placed) {
		if (!alike_push(w, b, several ? a->n : 1, several ? a->bytes : bytes, &at))
			return false;
		if (several) {
			a->placed = true;
			a->at = at;
		}
	}
	if (several)
		at = a->at++;
	w->members.at[at] = object;
	return true;
}

/* Add the boxes below one, or of the rows; number: of that box. */
static bool
alike_open(struct alike_walk *w, struct alike_box box, uint64_t number)
{
	struct alike_below b;
	struct alike_rest rest = { .n = 0 };
	struct alike *a;
	uint64_t bytes, all = 0;
	uint32_t object;
	struct tree_stack *above;
	bool one = box.n == 1;

	if (box.stack > 0 && (!alike_links(w, &box) || !alike_name(w, &box, one)))
		return false;
	b = (struct alike_below){ .box = box };
	while ((object = alike_next(w, &b, &bytes)) != 0) {
		all = num_add(all, bytes);
		if ((a = alike_of(w, object, bytes, number)) != NULL) {
			a->bytes += bytes;
			a->n++;
		}
	}
	if (box.stack > 0) {
		/* The rest is its own. */
		above = stack_at(w->s, box.stack);
		above->weight = above->weight > all ? above->weight - all : 0;
	}
	b = (struct alike_below){ .box = box };
	while (all > 0 && (object = alike_next(w, &b, &bytes)) != 0)
		if (!alike_place(w, &b, number, object, bytes, &rest))
			return false;
	return rest.n == 0 || stacks_add(w->s, STR("more"), KIND_NONE,
	    &(struct tree_stack){ .caller = box.stack, .weight = rest.bytes },
	    &(struct stack_about){ .more = rest.n }, w->err);
}

/* Boxes below come behind those above, so callers have smaller numbers. */
static bool
alike_walk_all(struct alike_walk *w, double share)
{
	struct alike_below b = { .next = 0 };
	uint64_t bytes, all = 0;
	bool ok;

	while (alike_next(w, &b, &bytes) != 0)
		all = num_add(all, bytes);
	w->least = (uint64_t)(share / 100 * (double)all);
	w->named = (uint64_t)(NAMED / 100 * (double)all);
	ok = array_grow(&w->alike, w->heap.classes + 1ull, w->err) && alike_open(w, b.box, 0);
	for (uint64_t i = 0; ok && i < w->nboxes && rows_error(w->rows) == NULL; i++)
		ok = alike_open(w, w->boxes.at[i], i + 1);
	return ok;
}

bool
alike_read(struct stack_tree *s, struct rows *rows, double share, struct err *err)
{
	struct session *session = rows_origin(rows)->session;
	struct alike_walk w = { .s = s, .rows = rows, .err = err, .col = rows_column(rows, STR("object")),
	    .boxes = ARRAY_INIT, .members = ARRAY_INIT, .alike = ARRAY_INIT };
	bool ok;

	s->st = session_store(session);
	s->type = CELL_BYTES;
	s->unit = 1;
	s->objects = true;
	ok = pass_want(session_store(session), heap_col(COL_EACH_CHILDREN, session->refs, session->sizes),
	    rows->work, err) &&
	    pass_want(session_store(session), heap_col(COL_EACH_DIRECT_OBJECT, session->refs, session->sizes),
	    rows->work, err) &&
	    heap_open(&w.heap, s->st, session->refs, session->sizes, err) && alike_walk_all(&w, share);
	SCRATCH_FREE(&w.boxes, &w.members, &w.alike);
	buf_free(&w.name);
	return ok;
}
