/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_raw: the raw record of one object, field by field.
 */
#include "config.h"

#include "hrows.h"

#define RUN 16u			/* bytes of an array per row */
#define NAMED 0x10u		/* kind of a part, in addition to enum heap_type: an id of a name, */
#define UNSIGNED 0x20u		/* a number without a sign, */
#define TYPE 0x30u		/* a type */

struct part {
	uint64_t	 at;
	uint32_t	 size;
	uint8_t		 what;
	const char	*prefix;	/* "static ", or "" */
	struct str	 name;
};

struct raw_rows {
	struct item_rows	 rows;
	struct heap_record	 record;
	uint64_t		 nparts;	/* number of parts in the list */
	/* Rows after the parts: elements of an array, or bytes left after the fields. */
	uint64_t		 run, run_bytes;
	unsigned		 width;
	uint8_t			 type;
	uint64_t		 at;		/* where the next part is */
	struct part		 part;		/* the one that was asked for last */
};

/* ---- parts ----------------------------------------------------------------------- */

/* The record was read as a whole before, but the file may have changed since. */
static uint64_t
q_raw_number_at(const struct raw_rows *s, uint64_t at, unsigned size)
{
	if (at > s->record.next || s->record.next - at < size)
		return 0;
	return heap_bits(HEAP(&s->rows)->view.heap.data + at, size);
}

static bool
q_raw_add_named(struct raw_rows *s, uint32_t size, uint8_t what, const char *prefix, struct str name)
{
	uint64_t at = s->at;

	if (at > s->record.next || s->record.next - at < size)
		return true;
	s->at += size;
	return item_rows_add(&s->rows, &(struct part){ at, size, what, prefix, name });
}

static bool
q_raw_add_part(struct raw_rows *s, uint32_t size, uint8_t what, const char *name)
{
	return q_raw_add_named(s, size, what, "", str_of(name));
}

static bool
q_raw_add_id(struct raw_rows *s, const char *name)
{
	return q_raw_add_part(s, HEAP(&s->rows)->view.heap.id_size, HEAP_OBJECT, name);
}

static bool
add_start(struct raw_rows *s)
{
	s->at = s->record.offset;
	return q_raw_add_part(s, 1, UNSIGNED, "tag") && q_raw_add_id(s, "object") &&
	    q_raw_add_part(s, 4, UNSIGNED, "stack trace");
}

static bool
q_raw_add_instance(struct raw_rows *s, uint32_t object)
{
	struct heap_slots slots;
	struct heap_slot slot;

	if (!q_raw_add_id(s, "class") || !q_raw_add_part(s, 4, UNSIGNED, "bytes") ||
	    !heap_slots(&HEAP(&s->rows)->view.heap, object, &slots))
		return false;
	while (heap_slot(&slots, &slot) && slot.kind == SLOT_FIELD && slot.type != 0)
		if (!q_raw_add_named(s, heap_width(slot.type, HEAP(&s->rows)->view.heap.id_size), slot.type,
		    "",
		    slot.name))
			return false;
	s->type = HEAP_BYTE;
	s->run = s->at;
	s->run_bytes = s->record.next - s->at;
	return true;
}

static bool
q_raw_add_array(struct raw_rows *s)
{
	if (!q_raw_add_part(s, 4, UNSIGNED, "length") || (s->record.tag == TAG_OBJECTS ?
	    !q_raw_add_id(s, "class") : !q_raw_add_part(s, 1, TYPE, "type")))
		return false;
	s->type = s->record.type;
	s->run = s->record.data;
	s->run_bytes = s->record.bytes;
	return true;
}

/* ---- classes --------------------------------------------------------------------- */

/* A value behind its type. */
static bool
q_raw_add_value(struct raw_rows *s, const char *prefix, struct str name)
{
	uint8_t type = (uint8_t)q_raw_number_at(s, s->at, 1);

	return q_raw_add_named(s, 1, TYPE, prefix, STR("type")) && q_raw_add_named(s,
	    heap_width(type, HEAP(&s->rows)->view.heap.id_size), type, prefix, name);
}

static bool
add_constants(struct raw_rows *s)
{
	uint64_t n = q_raw_number_at(s, s->at, 2);

	if (!q_raw_add_part(s, 2, UNSIGNED, "constants"))
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (!q_raw_add_named(s, 2, UNSIGNED, "constant ", STR("index")) ||
		    !q_raw_add_value(s, "constant ", STR("value")))
			return false;
	return true;
}

/* Statics, or the fields of instances, which have no values here. */
static bool
q_raw_add_members(struct raw_rows *s, const char *count, const char *prefix, bool values)
{
	uint64_t n = q_raw_number_at(s, s->at, 2);
	unsigned id = HEAP(&s->rows)->view.heap.id_size;
	struct str name;

	if (!q_raw_add_part(s, 2, UNSIGNED, count))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		name = heap_name(&HEAP(&s->rows)->view.heap, q_raw_number_at(s, s->at, id));
		if (!q_raw_add_named(s, id, NAMED, prefix, STR("name")) || (values ?
		    !q_raw_add_value(s, prefix, name) :
		    !q_raw_add_named(s, 1, TYPE, prefix, STR("type"))))
			return false;
	}
	return true;
}

static bool
q_raw_add_class(struct raw_rows *s)
{
	return q_raw_add_id(s, "superclass") && q_raw_add_id(s, "loader") && q_raw_add_id(s, "signers") &&
	    q_raw_add_id(s, "protection domain") && q_raw_add_id(s, "reserved") &&
	    q_raw_add_id(s, "reserved") &&
	    q_raw_add_part(s, 4, UNSIGNED, "instance size") && add_constants(s) &&
	    q_raw_add_members(s, "statics", "static ", true) &&
	    q_raw_add_members(s, "fields", "field ", false);
}

static bool
q_raw_add_parts(struct raw_rows *s, uint32_t object)
{
	bool ok;

	if (!heap_read(&HEAP(&s->rows)->view.heap, object, &s->record))
		return fail(&s->rows.rows.err, E_INPUT, "cannot read @%u: the file changed", object);
	ok = add_start(s);
	if (s->record.tag == TAG_CLASS)
		ok = ok && q_raw_add_class(s);
	else
		ok = ok && (s->record.tag == TAG_INSTANCE ? q_raw_add_instance(s, object) :
		    q_raw_add_array(s));
	s->width = heap_width(s->type, HEAP(&s->rows)->view.heap.id_size);
	s->nparts = s->rows.n;
	s->rows.n += s->run_bytes / RUN + (s->run_bytes % RUN != 0);
	return ok;
}

/* ---- cells ----------------------------------------------------------------------- */

static const void *
part_at(struct item_rows *r, uint64_t row)
{
	struct raw_rows *s = (struct raw_rows *)r;
	uint64_t at;

	if (row < s->nparts)
		return &SCRATCH(r->list, struct part)[row];
	at = (row - s->nparts) * RUN;
	s->part = (struct part){ .at = s->run + at, .what = s->type, .prefix = "",
	    .size = s->run_bytes - at < RUN ? (uint32_t)(s->run_bytes - at) : RUN };
	return &s->part;
}

static struct str
type_name(uint8_t what)
{
	switch (what) {
	case HEAP_OBJECT:
	case NAMED:
		return STR("id");
	case UNSIGNED:
		return STR("unsigned");
	case TYPE:
		return STR("type");
	default:
		return str_of(heap_type_name(what));
	}
}

static bool
q_raw_field_text(struct item_rows *r, UNUSED uint64_t n, struct buf *b)
{
	const struct raw_rows *s = (const struct raw_rows *)r;
	const struct part *p = r->item;

	buf_text(b, p->prefix);
	buf_str(b, p->name);
	if (p == &s->part && s->record.tag == TAG_INSTANCE)
		buf_text(b, "(no field)");
	else if (p == &s->part)
		buf_printf(b, "[%llu]", (unsigned long long)((p->at - s->run) / s->width));
	return true;
}

static void
type_cell(UNUSED struct item_rows *s, uint64_t what, struct cell *c)
{
	c->text = type_name((uint8_t)what);
}

static void
part_value(struct raw_rows *s, const struct part *p, struct cell *c)
{
	const struct heap *h = &HEAP(&s->rows)->view.heap;
	struct heap_slot slot = { .name = p->name, .type = p->what,
	    .bits = q_raw_number_at(s, p->at, p->size) };
	struct buf *b = cell_begin(&s->rows);

	switch (p->what) {
	case HEAP_OBJECT:
		slot.object = slot.bits == 0 ? 0 : heap_find(h, slot.bits);
		slot_value_cell(&s->rows, &slot, c);
		return;
	case NAMED:
		buf_str(b, heap_name(h, slot.bits));
		break;
	case TYPE:
		buf_str(b, type_name((uint8_t)slot.bits));
		break;
	case UNSIGNED:
		buf_printf(b, "%llu", (unsigned long long)slot.bits);
		break;
	default:
		heap_value(&slot, b);
		if (mask_hides(&slot))
			mask_text(b, 0);
		break;
	}
	cell_text(&s->rows.rows, c, b);
}

/* The values of a row of elements, side by side. */
static void
run_value(struct raw_rows *s, const struct part *run, struct cell *c)
{
	struct heap_slot slot = { .kind = SLOT_ELEMENT, .type = s->type };
	struct buf *b = cell_begin(&s->rows);

	for (uint32_t i = 0; i + s->width <= run->size; i += s->width) {
		slot.bits = q_raw_number_at(s, run->at + i, s->width);
		if (i > 0)
			buf_chr(b, ' ');
		if (s->type == HEAP_OBJECT)
			buf_printf(b, slot.bits == 0 ? "null" : "@%u",
			    heap_find(&HEAP(&s->rows)->view.heap, slot.bits));
		else
			heap_value(&slot, b);
	}
	if (mask_hides(&slot))
		mask_text(b, 0);
	cell_text(&s->rows.rows, c, b);
}

static void
q_raw_value_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	struct raw_rows *s = (struct raw_rows *)r;

	if (r->item == &s->part)
		run_value(s, r->item, c);
	else
		part_value(s, r->item, c);
}

static bool
q_raw_bytes_text(struct item_rows *s, uint64_t at, struct buf *b)
{
	const struct part *p = s->item;
	bool element = p == &((struct raw_rows *)s)->part;
	struct heap_slot slot = { .kind = element ? SLOT_ELEMENT : SLOT_FIELD, .name = p->name,
	    .type = p->what };

	for (uint32_t i = 0; i < p->size; i++)
		buf_printf(b, i > 0 ? " %02x" : "%02x", HEAP(s)->view.heap.data[at + i]);
	if (mask_hides(&slot))
		mask_text(b, 0);
	return true;
}

#define AT ITEM(struct part, at)

static const struct coldef raw_cols[] = {
	{ "offset", CELL_ID, "offset in the uncompressed file", NUMBER_OF(AT) },
	{ "field", CELL_TEXT, "record part, field, or first element", TEXT(q_raw_field_text) },
	{ "type", CELL_TEXT, "type",
	    COMPUTED(type_cell, ITEM(struct part, what)) },
	{ "bytes", CELL_TEXT, "bytes in hex", TEXT(q_raw_bytes_text, AT) },
	{ "value", CELL_TEXT, "decoded value", COMPUTED(q_raw_value_cell) },
	{ "size", CELL_BYTES, "size in bytes", MORE, NUMBER_OF(ITEM(struct part, size)) }
};

/* ---- opening --------------------------------------------------------------------- */

static bool
raw_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	uint32_t object;

	if (!stage_at_most(stage, 1, err))
		return false;
	return object_of_token(&HEAP(s)->view.heap, &stage->token[0], &object, err) &&
	    (object == 0 || q_raw_add_parts((struct raw_rows *)s, object));
}

static const struct source raw = {
	.domain = &heap_domain, .size = sizeof(struct raw_rows), .item = sizeof(struct part),
	    .args = ARGS_OWN,
	.begin = raw_begin, .item_at = part_at
};

const struct command source_raw = {
	VALUES_SOURCE("raw", "hex dump of an object, field by field", "raw @1", raw_cols,
	    raw, needs_objects),
	.args = ARGS({ &arg_object })
};
