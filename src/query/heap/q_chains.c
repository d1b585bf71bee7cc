/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_chains: the ways from static fields to objects, as lines of text.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define STEPS 65536u		/* references looked at between two ticks */
#define LINES 1000000u		/* limit for one answer */

enum line_kind { LINE_HEAD, LINE_STATIC, LINE_LINK, LINE_LAST };

/*
 * A line. nth: index among the static fields of the class that refer to next; of: the object at the end of
 * its chain.
 */
struct line {
	uint32_t	object, next, nth, of;
	enum line_kind	kind;
};

struct chain_rows {
	struct item_rows	 rows;
	struct heap_paths	*paths;		/* NULL: none were asked for yet */
	bool			 more;		/* there may be more chains of the current object */
	uint32_t		 of;		/* the current object */
	uint64_t		 got, most;	/* chains of that object; how many are wanted */
	uint64_t		 objects, without;	/* objects, those that have no chain */
};

/* ---- finding them ---------------------------------------------------------------- */

static bool
q_chains_add_chain(struct chain_rows *s, const struct heap_path *p, uint32_t nth)
{
	const uint32_t *object = p->object;
	struct item_rows *r = &s->rows;
	uint32_t of = s->of;
	size_t i = p->n - 1;

	if (!item_rows_add(r, &(struct line){ .of = of, .kind = LINE_HEAD }) ||
	    !item_rows_add(r, &(struct line){ object[i], object[i - 1], nth, of, LINE_STATIC }))
		return false;
	for (i--; i > 0; i--)
		if (!item_rows_add(r, &(struct line){ object[i], object[i - 1], 0, of, LINE_LINK }))
			return false;
	s->got++;
	return item_rows_add(r, &(struct line){ object[0], 0, 0, of, LINE_LAST });
}

/* The nth static of the class that holds the object. */
static bool
static_slot(struct item_rows *s, uint32_t class, uint32_t object, uint32_t nth, struct heap_slot *slot)
{
	const struct heap *h = &HEAP(s)->view.heap;

	*slot = (struct heap_slot){ .type = 0 };
	if (link_index_has(&HEAP(s)->view.links, h, class, &s->rows.err))
		return link_index_find(&HEAP(s)->view.links, h, class, object, nth, slot) &&
		    slot->kind == SLOT_STATIC;
	for (uint32_t i = 0; i <= nth; i++)
		if (!heap_link_next(h, class, object, slot))
			return false;
	return slot->kind == SLOT_STATIC;
}

/* A class can hold an object by several of its statics: each is a chain. */
static bool
add_chains(struct chain_rows *s, const struct heap_path *p)
{
	struct heap_slot slot;

	for (uint32_t nth = 0; s->got < s->most && static_slot(&s->rows, p->object[p->n - 1],
	    p->object[p->n - 2], nth, &slot); nth++)
		if (!q_chains_add_chain(s, p, nth))
			return false;
	return true;
}

static bool
q_chains_end(struct chain_rows *s)
{
	if (s->without > 0 && s->objects > 1 && s->rows.rows.err.kind == E_NONE)
		rows_note_add(&s->rows.rows,
		    "%" PRIu64 " of %" PRIu64 " objects: no chain from a static field; try 'path'",
		    s->without, s->objects);
	return false;
}

static bool
q_chains_next_object(struct chain_rows *s)
{
	struct err *err = &s->rows.rows.err;

	s->without += s->of != 0 && s->got == 0;
	s->of = 0;
	if (!heap_rows_next(&s->rows, &s->of))
		return q_chains_end(s);
	s->got = 0;
	s->objects += s->of != 0;
	s->more = s->of != 0;
	if (s->of == 0)
		return true;
	return s->paths == NULL ? heap_paths_open(&s->paths, &HEAP(&s->rows)->view.heap, s->of, true, err) :
	    heap_paths_again(s->paths, s->of, err);
}

/* The chains of an object are not cut in the middle of one. */
static bool
fail_lines(struct chain_rows *s)
{
	rows_note_add(&s->rows.rows, "stopped after %u lines, at @%" PRIu32 "; 'chains N' shows at most N of each "
	    "object", LINES, s->of);
	return false;
}

/* Search for a limited number of steps, or go to the next object. */
static bool
chain_step(struct item_rows *r)
{
	struct chain_rows *s = (struct chain_rows *)r;
	struct heap_path path;
	bool more;

	if (!s->more)
		return q_chains_next_object(s);
	if (r->n >= LINES)
		return fail_lines(s);
	if (heap_paths_next(s->paths, &path, STEPS, &more, r->rows.work, &r->rows.err)) {
		if (path.n >= 2 && !add_chains(s, &path))
			return false;
		more = s->got < s->most;
	}
	if (r->rows.err.kind != E_NONE)
		return false;
	s->more = more;
	return true;
}

/* ---- lines ----------------------------------------------------------------------- */

static void
q_chains_add_object(const struct heap *h, uint32_t object, struct buf *b)
{
	heap_label(h, object, b);
	if (heap_is_array(h, object))
		buf_text(b, " array");
	buf_printf(b, " (%" PRIu64 ")", heap_addr(h, object));
}

/* " -field-> 866149120", of elements only the arrow. */
static void
q_chains_add_link(const struct heap *h, const struct heap_slot *slot, uint32_t next, struct buf *b)
{
	if (slot != NULL && slot->kind != SLOT_ELEMENT) {
		buf_text(b, " -");
		slot_name_add(h, slot, b);
		buf_text(b, "->");
	} else {
		buf_text(b, " ->");
	}
	buf_printf(b, " %" PRIu64, heap_addr(h, next));
}

/* Find the reference from the object of a line to the next object; NULL: none. */
static const struct heap_slot *
line_slot(struct item_rows *s, const struct line *line, struct heap_slot *slot)
{
	bool found = line->kind == LINE_STATIC ? static_slot(s, line->object, line->next, line->nth, slot) :
	    line->kind == LINE_LINK && link_index_link(&HEAP(s)->view.links, &HEAP(s)->view.heap,
	    line->object, line->next, slot, &s->rows.err);

	return found ? slot : NULL;
}

uint32_t
chains_step(struct rows *rows, uint64_t row, struct buf *b)
{
	/* Rows of the stage are below rows with fields. */
	struct item_rows *s = (struct item_rows *)(rows->ops->cell == item_rows_cell ? rows : rows->in);
	const struct line *line = &SCRATCH(s->list, struct line)[row];
	struct heap_slot slot;

	if (line_slot(s, line, &slot) != NULL)
		slot_name_add(&HEAP(s)->view.heap, &slot, b);
	return line->kind == LINE_HEAD ? 0 : line->object;
}

static bool
chain_text(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	const struct heap *h = &HEAP(s)->view.heap;
	const struct line *line = s->item;
	struct heap_slot slot;

	switch (line->kind) {
	case LINE_HEAD:
		buf_text(b, "Found statically referenced chain:");
		break;
	case LINE_STATIC:
		heap_class_name(h, heap_class_of_object(h, line->object), b);
		q_chains_add_link(h, line_slot(s, line, &slot), line->next, b);
		break;
	case LINE_LINK:
		q_chains_add_object(h, line->object, b);
		q_chains_add_link(h, line_slot(s, line, &slot), line->next, b);
		break;
	case LINE_LAST:
		q_chains_add_object(h, line->object, b);
		break;
	}
	return true;
}

/* The source, which is about one object, has only the first. */
static const struct coldef chain_cols[] = {
	{ "chain", CELL_TEXT, "text line; objects as decimal addresses", TEXT(chain_text) },
	{ "target", CELL_ID, "target object", SOME_OF(ITEM(struct line, of)), OBJECT_ID },
	{ "object", CELL_ID, "object with which the line begins", MORE,
	    SOME_OF(ITEM(struct line, object)), OBJECT_ID }
};

/* ---- opening --------------------------------------------------------------------- */

static size_t
chains_objects(const struct stage *stage)
{
	return stage->command->kind == COMMAND_SOURCE && stage->n > 0;
}

static bool
chains_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct chain_rows *s = (struct chain_rows *)r;
	size_t i = chains_objects(stage);

	s->most = UINT64_MAX;
	if (!stage_at_most(stage, i + 1, err))
		return false;
	return stage->n == i || (stage->token[i].kind == TOKEN_WORD &&
	    num_u64(stage->token[i].text, 10, &s->most) && s->most > 0) ||
	    fail_at(err, E_USAGE, stage_at(stage, i), "expected a number of chains");
}

static void
chains_end(struct item_rows *s)
{
	heap_paths_close(((struct chain_rows *)s)->paths);
}

static const struct source chains = {
	.domain = &heap_domain, .size = sizeof(struct chain_rows), .item = sizeof(struct line),
	    OVER_OBJECTS,
	.leading = chains_objects, .begin = chains_begin, .step = chain_step, .end = chains_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN,
	COL_EACH_PARENT, COL_NONE };

static const struct arg_type arg_address = { .name = "ADDRESS" };

const struct command source_chains = {
	SOURCE("chains", "shortest chains from static fields to an object, as text", "chains @1 3",
	    heap_rows_open),
	.shapes = SHAPE_GRAPH, .cols = chain_cols, .ncols = 1, .source = &chains, .needs = needs,
	.args = ARGS({ &arg_address }, { &arg_object, ARG_OR }, { &arg_number, ARG_OPTIONAL }),
	.draws = DRAWS_CHAINS
};

const struct command stage_chains = {
	HEAP_STAGE("chains", "shortest chains from static fields to each object, as text",
	    "threads | head 1 | chains 3",
	    chain_cols, chains, needs),
	.args = ARGS({ &arg_number, ARG_OPTIONAL }),
	.draws = DRAWS_CHAINS
};
