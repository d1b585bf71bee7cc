/*
 * q_referrers: what refers to objects.
 */
#include "config.h"

#include "slots.h"

#define SLICE 16384u		/* references looked at between two ticks */

/* A reference; nth: as many of the same holder to the same object come before it. */
struct link {
	uint32_t	holder, object, nth;
};

struct link_rows {
	struct rows		 rows;
	struct heap_view	 view;
	size_t			 col;		/* of in */
	uint64_t		 row;		/* of in, the next one */
	struct heap_walk	 walk;		/* what refers to the object of the row before */
	uint32_t		 object;	/* that one; 0: none yet, or all was gone through */
	bool			 ended;
	struct scratch		 links;
	uint64_t		 n;
	struct link		 at;		/* the one whose slot is in slot */
	struct heap_slot	 slot;
	bool			 known;		/* it was found */
	struct array_index	 arrays;
	struct buf		 text;
};

/* ---- finding them ---------------------------------------------------------------- */

static bool
next_object(struct link_rows *s)
{
	if (!object_next(s->rows.in, &s->row, s->col, &s->view.heap, &s->object))
		return false;
	if (s->object != 0)
		heap_in(&s->view.heap, s->object, &s->walk);
	return true;
}

static bool
add_link(struct link_rows *s, uint32_t holder)
{
	struct link *before, link = { holder, s->object, 0 };

	if (!scratch_array(&s->links, s->n + 1, sizeof link, &s->rows.err))
		return false;
	before = &SCRATCH(s->links, struct link)[s->n];
	if (s->n > 0 && before[-1].holder == holder && before[-1].object == s->object)
		link.nth = before[-1].nth + 1;
	*before = link;
	s->n++;
	return true;
}

/* One reference on; false when there are no more, or on failure. */
static bool
link_step(struct link_rows *s)
{
	uint32_t holder;

	if (s->object == 0)
		return next_object(s);
	holder = heap_next(&s->walk, NULL);
	if (holder == 0 || holder > s->view.heap.objects) {
		s->object = 0;
		return true;
	}
	return add_link(s, holder);
}

static uint64_t
links_reach(struct rows *r, uint64_t n)
{
	struct link_rows *s = (struct link_rows *)r;
	uint64_t steps;

	for (steps = 0; s->n < n && !s->ended; steps++)
		if ((steps % SLICE == 0 && !rows_tick(r, s->n)) || !link_step(s))
			s->ended = true;
	return s->n;
}

/* ---- cells ----------------------------------------------------------------------- */

/* The slot is that of the nth reference of the same holder to the same object. */
static void
find_slot(struct link_rows *s, const struct link *l, uint32_t nth)
{
	const struct heap *h = &s->view.heap;
	uint32_t i;

	if (array_index_has(&s->arrays, h, l->holder, &s->rows.err)) {
		s->known = array_index_find(&s->arrays, l->holder, l->object, l->nth, &i) &&
		    heap_element(h, l->holder, i, &s->slot);
		return;
	}
	if (nth == 0)
		s->slot = (struct heap_slot){ .type = 0 };
	for (s->known = true; nth <= l->nth && s->known; nth++)
		s->known = heap_link_next(h, l->holder, l->object, &s->slot);
}

/* Fields are looked for only when they are asked for; rows are asked one after the other. */
static const struct heap_slot *
slot_of(struct link_rows *s, uint64_t row)
{
	struct link l = SCRATCH(s->links, struct link)[row];
	bool same = s->at.holder == l.holder && s->at.object == l.object && s->known;
	uint32_t nth = s->at.nth + 1;

	if (!same || s->at.nth != l.nth) {
		s->at = l;
		find_slot(s, &l, same && nth <= l.nth ? nth : 0);
	}
	return s->known ? &s->slot : NULL;
}

enum link_col {
	LINK_NAME, LINK_OBJECT, LINK_CLASS, LINK_SHALLOW, LINK_RETAINED, LINK_ADDR,
	LINK_STRENGTH, LINK_TO, LINK_COLS
};

static const struct coldef link_cols[LINK_COLS] = {
	[LINK_NAME] = { "name", CELL_TEXT, "field, element or other way in which it refers", false },
	[LINK_OBJECT] = { "object", CELL_ID, "the object that refers", false },
	[LINK_CLASS] = { "class", CELL_TEXT, "its class, or of a class its own name", false },
	[LINK_SHALLOW] = { "shallow", CELL_BYTES, "its size", false },
	[LINK_RETAINED] = { "retained", CELL_BYTES, "what would be freed with it; 0: it is unreachable", false },
	[LINK_ADDR] = { "addr", CELL_ADDR, "its address", true },
	[LINK_STRENGTH] = { "strength", CELL_TEXT, "how it holds: strong, soft, finalizer, weak or phantom", true },
	[LINK_TO] = { "to", CELL_ID, "the object it refers to", true }
};

static void
name_cell(struct link_rows *s, uint64_t row, enum link_col col, struct cell *c)
{
	const struct heap_slot *slot = slot_of(s, row);

	if (slot == NULL)
		c->type = CELL_NONE;
	else if (col == LINK_NAME)
		slot_name_cell(&s->rows, &s->view.heap, slot, &s->text, c);
	else
		slot_strength_cell(slot, c);
}

static void
links_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	static const enum object_col field[LINK_COLS] = {
		[LINK_OBJECT] = OBJECT_ID, [LINK_CLASS] = OBJECT_LABEL,
		[LINK_SHALLOW] = OBJECT_SHALLOW, [LINK_RETAINED] = OBJECT_RETAINED,
		[LINK_ADDR] = OBJECT_ADDR
	};
	struct link_rows *s = (struct link_rows *)r;
	const struct link *l = &SCRATCH(s->links, struct link)[row];

	if (col == LINK_NAME || col == LINK_STRENGTH)
		name_cell(s, row, (enum link_col)col, c);
	else if (col == LINK_TO)
		cell_number(c, CELL_ID, l->object);
	else
		object_cell(r, &s->view, l->holder, field[col], c);
}

static void
links_close(struct rows *r)
{
	struct link_rows *s = (struct link_rows *)r;

	array_index_free(&s->arrays);
	scratch_free(&s->links);
	buf_free(&s->text);
	heap_view_close(&s->view);
}

static const struct rows_ops links_ops = { links_reach, links_cell, links_close };

static bool
referrers_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct link_rows *s;
	size_t col;

	if (!holders_open(session, stage, &in, &col, err)) {
		rows_close(in);
		return false;
	}
	s = rows_new(sizeof *s, &links_ops, session, in, err);
	if (s == NULL)
		return false;
	s->links = SCRATCH_INIT;
	s->arrays = ARRAY_INDEX_INIT;
	s->text = BUF_INIT;
	s->col = col;
	s->rows.cols = link_cols;
	s->rows.ncols = LINK_COLS;
	s->ended = session_store(session) == NULL;
	if (!heap_view_open(&s->view, session, err)) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

/* ---- commands -------------------------------------------------------------------- */

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN,
	COL_EACH_PARENT, COL_NONE };

const struct command source_referrers = {
	.word = "referrers",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_object, ARG_MANY, .name = "@ID..." }),
	.what = "what refers to an object",
	.example = "referrers @1",
	.needs = needs,
	.cols = link_cols,
	.ncols = LINK_COLS,
	.open = referrers_open
};

const struct command stage_referrers = {
	.word = "referrers",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "what refers to the objects of the rows",
	.example = "threads | referrers",
	.needs = needs,
	.cols = link_cols,
	.ncols = LINK_COLS,
	.open = referrers_open
};
