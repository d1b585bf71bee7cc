/*
 * q_slots: what objects refer to, and their fields, elements and statics.
 */
#include "config.h"

#include "slots.h"

#define SLICE 4096u		/* slots looked at between two ticks */

/* Where a slot is found again: the element, or how many of the other slots come before it. */
struct place {
	uint32_t	holder, nth;
	bool		element;
};

struct slot_rows {
	struct rows		 rows;
	struct heap_view	 view;
	bool			 links;		/* only references */
	size_t			 col;		/* of in */
	uint64_t		 row;		/* of in, the next one */
	struct heap_slots	 walk;		/* the slots of the object of the row before */
	bool			 walking, ended;
	uint32_t		 nth;		/* slots of it gone through, elements apart */
	struct scratch		 places;
	uint64_t		 n;
	/* The slot that was asked for last. */
	struct place		 at;
	struct heap_slots	 again;
	struct heap_slot	 slot;
	struct buf		 text;
};

/* ---- finding them ---------------------------------------------------------------- */

static bool
is_wanted(const struct slot_rows *s, const struct heap_slot *slot)
{
	if (s->links)
		return heap_slot_refers(slot);
	return slot->kind == SLOT_FIELD || slot->kind == SLOT_ELEMENT ||
	    slot->kind == SLOT_STATIC;
}

/* The object of the next row; false at the end of the rows. */
static bool
next_holder(struct slot_rows *s)
{
	uint32_t object;

	if (!object_next(s->rows.in, &s->row, s->col, &s->view.heap, &object))
		return false;
	s->nth = 0;
	s->walking = object != 0 && heap_slots(&s->view.heap, object, &s->walk);
	if (s->walking && s->links && heap_kind(&s->view.heap, object) == HEAP_PRIM_ARRAY)
		heap_slots_skip(&s->walk);
	return true;
}

static bool
add_place(struct slot_rows *s, const struct heap_slot *slot)
{
	bool element = slot->kind == SLOT_ELEMENT;

	if (!scratch_array(&s->places, s->n + 1, sizeof(struct place), &s->rows.err))
		return false;
	SCRATCH(s->places, struct place)[s->n++] = (struct place){ s->walk.object,
	    element ? slot->index : s->nth, element };
	return true;
}

/* One slot on; false when there are no more, or on failure. */
static bool
slot_step(struct slot_rows *s)
{
	struct heap_slot slot;

	if (!s->walking)
		return next_holder(s);
	if (!heap_slot(&s->walk, &slot)) {
		s->walking = false;
		return true;
	}
	if (is_wanted(s, &slot) && !add_place(s, &slot))
		return false;
	s->nth += slot.kind != SLOT_ELEMENT;
	return true;
}

static uint64_t
slots_reach(struct rows *r, uint64_t n)
{
	struct slot_rows *s = (struct slot_rows *)r;
	uint64_t steps;

	for (steps = 0; s->n < n && !s->ended; steps++)
		if ((steps % SLICE == 0 && !rows_tick(r, s->n)) || !slot_step(s))
			s->ended = true;
	return s->n;
}

/* ---- cells ----------------------------------------------------------------------- */

/* Slots are asked for one after the other: it goes on from the last one where it can. */
static const struct heap_slot *
slot_at(struct slot_rows *s, uint64_t row)
{
	struct place p = SCRATCH(s->places, struct place)[row];
	bool same = s->at.holder == p.holder && !s->at.element && !p.element;
	const struct heap *h = &s->view.heap;
	uint32_t nth = s->at.nth + 1;

	if (s->at.holder == p.holder && s->at.element == p.element && s->at.nth == p.nth)
		return &s->slot;
	s->at = p;
	if (p.element) {
		if (!heap_element(h, p.holder, p.nth, &s->slot))
			s->slot = (struct heap_slot){ .type = 0 };
		return &s->slot;
	}
	if (!same || nth > p.nth) {
		nth = 0;
		if (heap_slots(h, p.holder, &s->again))
			heap_slots_skip(&s->again);
	}
	s->slot = (struct heap_slot){ .type = 0 };
	for (; nth <= p.nth && heap_slot(&s->again, &s->slot); nth++)
		continue;
	return &s->slot;
}

static void
type_cell(uint8_t type, struct cell *c)
{
	const char *name = heap_type_name(type);

	c->type = name != NULL ? CELL_TEXT : CELL_NONE;
	c->text = str_of(name);
}

enum slot_col {
	SLOT_NAME, SLOT_TYPE, SLOT_VALUE, SLOT_OBJECT, SLOT_TO, SLOT_DECLARED, SLOT_SHALLOW,
	SLOT_RETAINED, SLOT_ADDR, SLOT_STRENGTH, SLOT_HOLDER, SLOT_OFFSET
};

static void
slot_cell(struct slot_rows *s, uint64_t row, enum slot_col col, struct cell *c)
{
	const struct heap_slot *slot = slot_at(s, row);
	const struct heap *h = &s->view.heap;

	c->type = CELL_NONE;
	switch (col) {
	case SLOT_NAME:
		slot_name_cell(&s->rows, h, slot, &s->text, c);
		break;
	case SLOT_TYPE:
		type_cell(slot->type, c);
		break;
	case SLOT_VALUE:
		slot_value_cell(&s->rows, h, slot, &s->text, c);
		break;
	case SLOT_OBJECT:
		object_cell(&s->rows, &s->view, slot->object, OBJECT_ID, c);
		break;
	case SLOT_TO:
		slot_class_cell(&s->rows, &s->view, slot, &s->text, c);
		break;
	case SLOT_DECLARED:
		if (slot->kind != SLOT_ELEMENT)
			cell_class(&s->rows, &s->view, slot->class, c);
		break;
	case SLOT_SHALLOW:
		object_cell(&s->rows, &s->view, slot->object, OBJECT_SHALLOW, c);
		break;
	case SLOT_RETAINED:
		object_cell(&s->rows, &s->view, slot->object, OBJECT_RETAINED, c);
		break;
	case SLOT_ADDR:
		slot_addr_cell(slot, c);
		break;
	case SLOT_STRENGTH:
		slot_strength_cell(slot, c);
		break;
	case SLOT_HOLDER:
		cell_number(c, CELL_ID, s->at.holder);
		break;
	case SLOT_OFFSET:
		cell_number(c, CELL_ID, slot->at);
		break;
	}
}

/* ---- refs ------------------------------------------------------------------------ */

static const struct coldef ref_cols[] = {
	{ "name", CELL_TEXT, "field, element or other way in which it refers", false },
	{ "object", CELL_ID, "what it refers to; empty: it is missing in the dump", false },
	{ "class", CELL_TEXT, "class of that, or of a class its own name", false },
	{ "shallow", CELL_BYTES, "size of that", false },
	{ "retained", CELL_BYTES, "what would be freed with that; 0: it is unreachable", false },
	{ "addr", CELL_ADDR, "address of that", true },
	{ "strength", CELL_TEXT, "how it is held: strong, soft, finalizer, weak or phantom", true },
	{ "value", CELL_TEXT, "what a String says, else class and number", true },
	{ "holder", CELL_ID, "the object that refers to it", true }
};

static const enum slot_col ref_fields[NELEM(ref_cols)] = {
	SLOT_NAME, SLOT_OBJECT, SLOT_TO, SLOT_SHALLOW, SLOT_RETAINED, SLOT_ADDR,
	SLOT_STRENGTH, SLOT_VALUE, SLOT_HOLDER
};

static const struct coldef field_cols[] = {
	{ "name", CELL_TEXT, "of the field or the static; of an element its number", false },
	{ "type", CELL_TEXT, "int, long, ... or object; empty: the record ends before it", false },
	{ "value", CELL_TEXT, "a number, a String in quotes, null, or class and number of an object", false },
	{ "object", CELL_ID, "the object it refers to", false },
	{ "class", CELL_TEXT, "class of that, or of a class its own name", false },
	{ "declared", CELL_TEXT, "class that declares the field", false },
	{ "shallow", CELL_BYTES, "size of what it refers to", true },
	{ "retained", CELL_BYTES, "what would be freed with that", true },
	{ "addr", CELL_ADDR, "the reference as it stands there", true },
	{ "holder", CELL_ID, "the object whose field it is", true },
	{ "offset", CELL_ID, "where the value lies in the file, unpacked", true }
};

static const enum slot_col field_fields[NELEM(field_cols)] = {
	SLOT_NAME, SLOT_TYPE, SLOT_VALUE, SLOT_OBJECT, SLOT_TO, SLOT_DECLARED, SLOT_SHALLOW,
	SLOT_RETAINED, SLOT_ADDR, SLOT_HOLDER, SLOT_OFFSET
};

static void
slots_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct slot_rows *s = (struct slot_rows *)r;

	slot_cell(s, row, s->links ? ref_fields[col] : field_fields[col], c);
}

static void
slots_close(struct rows *r)
{
	struct slot_rows *s = (struct slot_rows *)r;

	scratch_free(&s->places);
	buf_free(&s->text);
	heap_view_close(&s->view);
}

static const struct rows_ops slots_ops = { slots_reach, slots_cell, slots_close };

static bool
slots_open(struct session *session, const struct stage *stage, struct rows *in, bool links,
    struct rows **out, struct err *err)
{
	struct slot_rows *s;
	size_t col;

	if (!holders_open(session, stage, &in, &col, err)) {
		rows_close(in);
		return false;
	}
	s = rows_new(sizeof *s, &slots_ops, session, in, err);
	if (s == NULL)
		return false;
	s->places = SCRATCH_INIT;
	s->text = BUF_INIT;
	s->links = links;
	s->col = col;
	s->rows.cols = stage->command->cols;
	s->rows.ncols = stage->command->ncols;
	s->ended = session_store(session) == NULL;
	if (!heap_view_open(&s->view, session, err)) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

static bool
refs_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return slots_open(session, stage, in, true, out, err);
}

static bool
fields_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return slots_open(session, stage, in, false, out, err);
}

/* ---- commands -------------------------------------------------------------------- */

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_EACH_PARENT, COL_NONE };

const struct command source_refs = {
	.word = "refs",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_object, ARG_MANY, .name = "@ID..." }),
	.what = "what an object refers to",
	.example = "refs @1",
	.needs = needs,
	.cols = ref_cols,
	.ncols = NELEM(ref_cols),
	.open = refs_open
};

const struct command stage_refs = {
	.word = "refs",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "what the objects of the rows refer to",
	.example = "threads | refs",
	.needs = needs,
	.cols = ref_cols,
	.ncols = NELEM(ref_cols),
	.open = refs_open
};

const struct command source_fields = {
	.word = "fields",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_object, ARG_MANY, .name = "@ID..." }),
	.what = "fields of an object, elements of an array, statics of a class",
	.example = "fields @1",
	.needs = needs,
	.cols = field_cols,
	.ncols = NELEM(field_cols),
	.open = fields_open
};

const struct command stage_fields = {
	.word = "fields",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "fields, elements and statics of the objects of the rows",
	.example = "threads | head 1 | fields",
	.needs = needs,
	.cols = field_cols,
	.ncols = NELEM(field_cols),
	.open = fields_open
};
