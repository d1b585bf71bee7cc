/*
 * q_raw: the record of one object as it stands in the file, field by field.
 */
#include "config.h"

#include "slots.h"

#define RUN 16u			/* bytes of an array that stand in one row */
#define NAMED 0x10u		/* what a part is, beside enum heap_type: an id of a name, */
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
	struct rows		 rows;
	struct heap_view	 view;
	struct heap_record	 record;
	struct scratch		 parts;
	uint64_t		 nparts;
	/* Elements, or what is left behind the fields: the rows behind the parts. */
	uint64_t		 run, run_bytes;
	unsigned		 width;
	uint8_t			 type;
	uint64_t		 at;		/* where the next part is */
	struct buf		 text;
};

/* ---- parts ----------------------------------------------------------------------- */

/* The record was read as a whole before, but the file may have changed since. */
static uint64_t
number_at(const struct raw_rows *s, uint64_t at, unsigned size)
{
	if (at > s->record.next || s->record.next - at < size)
		return 0;
	return heap_bits(s->view.heap.data + at, size);
}

static bool
add_named(struct raw_rows *s, uint32_t size, uint8_t what, const char *prefix, struct str name)
{
	if (s->at > s->record.next || s->record.next - s->at < size)
		return true;
	if (!scratch_array(&s->parts, s->nparts + 1, sizeof(struct part), &s->rows.err))
		return false;
	SCRATCH(s->parts, struct part)[s->nparts++] =
	    (struct part){ s->at, size, what, prefix, name };
	s->at += size;
	return true;
}

static bool
add_part(struct raw_rows *s, uint32_t size, uint8_t what, const char *name)
{
	return add_named(s, size, what, "", str_of(name));
}

static bool
add_id(struct raw_rows *s, const char *name)
{
	return add_part(s, s->view.heap.id_size, HEAP_OBJECT, name);
}

static bool
add_start(struct raw_rows *s)
{
	s->at = s->record.offset;
	return add_part(s, 1, UNSIGNED, "tag") && add_id(s, "object") &&
	    add_part(s, 4, UNSIGNED, "stack trace");
}

static bool
add_instance(struct raw_rows *s, uint32_t object)
{
	struct heap_slots slots;
	struct heap_slot slot;

	if (!add_id(s, "class") || !add_part(s, 4, UNSIGNED, "bytes") ||
	    !heap_slots(&s->view.heap, object, &slots))
		return false;
	while (heap_slot(&slots, &slot) && slot.kind == SLOT_FIELD && slot.type != 0)
		if (!add_named(s, heap_width(slot.type, s->view.heap.id_size), slot.type, "",
		    slot.name))
			return false;
	s->type = HEAP_BYTE;
	s->run = s->at;
	s->run_bytes = s->record.next - s->at;
	return true;
}

static bool
add_array(struct raw_rows *s)
{
	if (!add_part(s, 4, UNSIGNED, "length") || (s->record.tag == TAG_OBJECTS ?
	    !add_id(s, "class") : !add_part(s, 1, TYPE, "type")))
		return false;
	s->type = s->record.type;
	s->run = s->record.data;
	s->run_bytes = s->record.bytes;
	return true;
}

/* ---- classes --------------------------------------------------------------------- */

/* A value behind its type. */
static bool
add_value(struct raw_rows *s, const char *prefix, struct str name)
{
	uint8_t type = (uint8_t)number_at(s, s->at, 1);

	return add_named(s, 1, TYPE, prefix, STR("type")) && add_named(s,
	    heap_width(type, s->view.heap.id_size), type, prefix, name);
}

static bool
add_constants(struct raw_rows *s)
{
	uint64_t n = number_at(s, s->at, 2), i;

	if (!add_part(s, 2, UNSIGNED, "constants"))
		return false;
	for (i = 0; i < n; i++)
		if (!add_named(s, 2, UNSIGNED, "constant ", STR("index")) ||
		    !add_value(s, "constant ", STR("value")))
			return false;
	return true;
}

/* Statics, or the fields of instances, which have no values here. */
static bool
add_members(struct raw_rows *s, const char *count, const char *prefix, bool values)
{
	uint64_t n = number_at(s, s->at, 2), i;
	unsigned id = s->view.heap.id_size;
	struct str name;

	if (!add_part(s, 2, UNSIGNED, count))
		return false;
	for (i = 0; i < n; i++) {
		name = heap_name(&s->view.heap, number_at(s, s->at, id));
		if (!add_named(s, id, NAMED, prefix, STR("name")) || (values ?
		    !add_value(s, prefix, name) :
		    !add_named(s, 1, TYPE, prefix, STR("type"))))
			return false;
	}
	return true;
}

static bool
add_class(struct raw_rows *s)
{
	return add_id(s, "superclass") && add_id(s, "loader") && add_id(s, "signers") &&
	    add_id(s, "protection domain") && add_id(s, "reserved") && add_id(s, "reserved") &&
	    add_part(s, 4, UNSIGNED, "instance size") && add_constants(s) &&
	    add_members(s, "statics", "static ", true) &&
	    add_members(s, "fields", "field ", false);
}

static bool
add_parts(struct raw_rows *s, uint32_t object)
{
	bool ok;

	if (!heap_read(&s->view.heap, object, &s->record))
		return fail(&s->rows.err, E_INPUT, "the record of @%u cannot be read: the file "
		    "has changed", object);
	ok = add_start(s);
	if (s->record.tag == TAG_CLASS)
		ok = ok && add_class(s);
	else
		ok = ok && (s->record.tag == TAG_INSTANCE ? add_instance(s, object) : add_array(s));
	s->width = heap_width(s->type, s->view.heap.id_size);
	return ok;
}

/* ---- rows ------------------------------------------------------------------------ */

static uint64_t
raw_reach(struct rows *r, uint64_t n)
{
	struct raw_rows *s = (struct raw_rows *)r;

	(void)n;
	return s->nparts + s->run_bytes / RUN + (s->run_bytes % RUN != 0);
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

static void
add_value_text(struct raw_rows *s, const struct part *p, struct cell *c)
{
	const struct heap *h = &s->view.heap;
	struct heap_slot slot = { .type = p->what, .bits = number_at(s, p->at, p->size) };

	buf_clear(&s->text);
	switch (p->what) {
	case HEAP_OBJECT:
		slot.object = slot.bits == 0 ? 0 : heap_find(h, slot.bits);
		slot_value_cell(&s->rows, h, &slot, &s->text, c);
		return;
	case NAMED:
		buf_str(&s->text, heap_name(h, slot.bits));
		break;
	case TYPE:
		buf_str(&s->text, type_name((uint8_t)slot.bits));
		break;
	case UNSIGNED:
		buf_printf(&s->text, "%llu", (unsigned long long)slot.bits);
		break;
	default:
		heap_value(&slot, &s->text);
		break;
	}
	cell_text(&s->rows, c, &s->text);
}

/* The values of a row of elements, side by side. */
static void
run_text(struct raw_rows *s, const struct part *run, struct cell *c)
{
	struct heap_slot slot = { .type = s->type };
	uint32_t i;

	buf_clear(&s->text);
	for (i = 0; i + s->width <= run->size; i += s->width) {
		slot.bits = number_at(s, run->at + i, s->width);
		if (i > 0)
			buf_chr(&s->text, ' ');
		if (s->type == HEAP_OBJECT)
			buf_printf(&s->text, slot.bits == 0 ? "null" : "@%u",
			    heap_find(&s->view.heap, slot.bits));
		else
			heap_value(&slot, &s->text);
	}
	cell_text(&s->rows, c, &s->text);
}

static void
run_name(struct raw_rows *s, uint64_t row)
{
	if (s->record.tag == TAG_INSTANCE)
		buf_str(&s->text, STR("(no field)"));
	else
		buf_printf(&s->text, "[%llu]", (unsigned long long)(row * RUN / s->width));
}

static void
bytes_cell(struct raw_rows *s, const struct part *p, struct cell *c)
{
	uint32_t i;

	buf_clear(&s->text);
	for (i = 0; i < p->size; i++)
		buf_printf(&s->text, i > 0 ? " %02x" : "%02x", s->view.heap.data[p->at + i]);
	cell_text(&s->rows, c, &s->text);
}

enum raw_col { RAW_OFFSET, RAW_FIELD, RAW_TYPE, RAW_BYTES, RAW_VALUE, RAW_SIZE, RAW_COLS };

static const struct coldef raw_cols[RAW_COLS] = {
	[RAW_OFFSET] = { "offset", CELL_ID, "where it lies in the file, unpacked", false },
	[RAW_FIELD] = { "field", CELL_TEXT, "part of the record, field, or the first of some elements", false },
	[RAW_TYPE] = { "type", CELL_TEXT, "id, unsigned, type, or the type of the field", false },
	[RAW_BYTES] = { "bytes", CELL_TEXT, "the bytes, hexadecimal", false },
	[RAW_VALUE] = { "value", CELL_TEXT, "what they mean", false },
	[RAW_SIZE] = { "size", CELL_BYTES, "how many bytes they are", true }
};

static struct part
part_at(const struct raw_rows *s, uint64_t row)
{
	uint64_t at;

	if (row < s->nparts)
		return SCRATCH(s->parts, struct part)[row];
	at = (row - s->nparts) * RUN;
	return (struct part){ .at = s->run + at, .what = s->type, .prefix = "",
	    .size = s->run_bytes - at < RUN ? (uint32_t)(s->run_bytes - at) : RUN };
}

static void
raw_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct raw_rows *s = (struct raw_rows *)r;
	struct part p = part_at(s, row);

	c->type = r->cols[col].type;
	switch ((enum raw_col)col) {
	case RAW_OFFSET:
		c->u = p.at;
		break;
	case RAW_FIELD:
		buf_clear(&s->text);
		buf_str(&s->text, str_of(p.prefix));
		buf_str(&s->text, p.name);
		if (row >= s->nparts)
			run_name(s, row - s->nparts);
		cell_text(r, c, &s->text);
		break;
	case RAW_TYPE:
		c->text = type_name(p.what);
		break;
	case RAW_BYTES:
		bytes_cell(s, &p, c);
		break;
	case RAW_VALUE:
		if (row < s->nparts)
			add_value_text(s, &p, c);
		else
			run_text(s, &p, c);
		break;
	case RAW_SIZE:
		c->u = p.size;
		break;
	case RAW_COLS:
		break;
	}
}

static void
raw_close(struct rows *r)
{
	struct raw_rows *s = (struct raw_rows *)r;

	scratch_free(&s->parts);
	buf_free(&s->text);
	heap_view_close(&s->view);
}

static const struct rows_ops raw_ops = { raw_reach, raw_cell, raw_close };

static bool
raw_begin(struct raw_rows *s, const struct stage *stage, struct err *err)
{
	uint32_t object;

	if (stage->n == 0)
		return fail_at(err, E_USAGE, stage->end, "'raw' needs an object, as in '%s'",
		    stage->command->example);
	if (s->view.heap.st == NULL)
		return true;
	if (!object_of_token(&s->view.heap, &stage->token[0], &object, err))
		return false;
	if (add_parts(s, object))
		return true;
	*err = s->rows.err;
	return false;
}

static bool
raw_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct raw_rows *s;

	(void)in;
	if (!stage_at_most(stage, 1, err))
		return false;
	s = rows_new(sizeof *s, &raw_ops, session, NULL, err);
	if (s == NULL)
		return false;
	s->parts = SCRATCH_INIT;
	s->text = BUF_INIT;
	s->rows.cols = raw_cols;
	s->rows.ncols = RAW_COLS;
	if (!heap_view_open(&s->view, session, err) || !raw_begin(s, stage, err)) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_NONE };

const struct command source_raw = {
	.word = "raw",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_object }),
	.what = "the bytes of an object as they stand in the file, field by field",
	.example = "raw @1",
	.needs = needs,
	.cols = raw_cols,
	.ncols = RAW_COLS,
	.open = raw_open
};
