/*
 * slot_cells: what the commands over references have in common: their objects, and what columns
 * say of a slot.
 */
#include "config.h"

#include "slots.h"

#define TEXT_MAX 1000u		/* characters of a String that a value shows */

/* ---- objects ------------------------------------------------------------------- */

/* The objects of the arguments as rows; errors speak of our command. */
static bool
arguments_open(struct session *session, const struct stage *stage, struct rows **out,
    struct err *err)
{
	struct command command = *stage->command;
	struct stage objects = *stage;

	command.cols = object_cols;
	command.ncols = OBJECT_COLUMNS;
	objects.command = &command;
	return objects_of_arguments(session, &objects, out, err);
}

bool
holders_open(struct session *session, const struct stage *stage, struct rows **in,
    size_t *col, struct err *err)
{
	int found;

	if (*in == NULL ? !arguments_open(session, stage, in, err) :
	    !stage_at_most(stage, 0, err))
		return false;
	found = object_column(stage, *in, err);
	*col = found < 0 ? 0 : (size_t)found;
	return found >= 0;
}

/* ---- cells --------------------------------------------------------------------- */

void
slot_missing_add(const struct heap_slot *slot, struct buf *b)
{
	buf_printf(b, "missing 0x%llx", (unsigned long long)slot->bits);
}

void
slot_name_add(const struct heap *h, const struct heap_slot *slot, struct buf *b)
{
	if (slot->kind == SLOT_FIELD)
		buf_str(b, slot->name);
	else
		heap_slot_name(h, slot, b);
}

void
slot_name_cell(struct rows *r, const struct heap *h, const struct heap_slot *slot,
    struct buf *b, struct cell *c)
{
	buf_clear(b);
	slot_name_add(h, slot, b);
	cell_text(r, c, b);
}

static void
add_string(const struct heap *h, uint32_t object, struct buf *b)
{
	struct heap_text t;

	buf_chr(b, '"');
	heap_string(h, object, TEXT_MAX, b);
	buf_chr(b, '"');
	if (heap_text(h, object, &t) && t.length > TEXT_MAX)
		buf_str(b, STR("\xe2\x80\xa6"));
}

void
slot_object_add(const struct heap *h, uint32_t object, struct buf *b)
{
	heap_label(h, object, b);
	if (heap_is_array(h, object) && b->n > 1 && b->s[b->n - 1] == ']') {
		b->n--;
		buf_printf(b, "%u]", heap_length(h, object));
	}
	buf_printf(b, " @%u", object);
}

void
slot_value_cell(struct rows *r, const struct heap *h, const struct heap_slot *slot,
    struct buf *b, struct cell *c)
{
	c->type = CELL_NONE;
	if (slot->type == 0)
		return;
	buf_clear(b);
	if (slot->type != HEAP_OBJECT)
		heap_value(slot, b);
	else if (slot->bits == 0)
		buf_str(b, STR("null"));
	else if (slot->object == 0)
		slot_missing_add(slot, b);
	else if (heap_class(h, slot->object) == h->string_class && h->string_class != 0 &&
	    heap_kind(h, slot->object) == HEAP_INSTANCE)
		add_string(h, slot->object, b);
	else
		slot_object_add(h, slot->object, b);
	cell_text(r, c, b);
}

/* Its class; where it leads to is told even when nothing is there. */
void
slot_class_cell(struct rows *r, struct heap_view *v, const struct heap_slot *slot,
    struct buf *b, struct cell *c)
{
	c->type = CELL_NONE;
	if (slot->object != 0) {
		cell_label(r, v, slot->object, c);
	} else if (slot->type == HEAP_OBJECT && slot->bits != 0) {
		buf_clear(b);
		slot_missing_add(slot, b);
		cell_text(r, c, b);
	}
}

void
slot_strength_cell(const struct heap_slot *slot, struct cell *c)
{
	c->type = CELL_TEXT;
	c->text = str_of(heap_strength_name(slot->strength));
}

void
slot_addr_cell(const struct heap_slot *slot, struct cell *c)
{
	cell_number(c, CELL_ADDR, slot->type == HEAP_OBJECT ? slot->bits : 0);
}
