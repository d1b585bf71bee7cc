/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * object_path: ways from an object to a value: "friends.size", "table[0].key".
 *
 * A path is asked for millions of objects of few classes: where a field lies is found
 * out once for each class.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "fields.h"
#include "hrows.h"

#define STEPS_MAX 64

/* ---- reading ------------------------------------------------------------------ */

static bool
object_path_is_letter(char c)
{
	return is_letter(c) || c == '_' || c == '$' || (uint8_t)c >= 0x80;
}

/*
 * No field of Java has one of .;[/ in its name.  Names are written to headers unchanged, so characters with a
 * meaning there cannot be in them.
 */
static bool
fits_name(char c, bool first, bool quoted)
{
	if (quoted)
		return (uint8_t)c >= ' ' && memchr(".;[]/\"\\,", c, 8) == NULL;
	return object_path_is_letter(c) || (!first && c >= '0' && c <= '9');
}

/* "[12]" from the front of *rest. */
static bool
read_index(struct str *rest, struct path_step *step)
{
	const char *end = memchr(rest->s, ']', rest->n);
	struct str digits = { rest->s + 1, 0 };
	uint64_t n;

	if (end == NULL)
		return false;
	digits.n = (size_t)(end - digits.s);
	if (!num_u64(digits, 10, &n) || n > UINT32_MAX)
		return false;
	step->index = (uint32_t)n;
	rest->s += digits.n + 2;
	rest->n -= digits.n + 2;
	return true;
}

static bool
object_path_read_name(struct str *rest, bool quoted, struct path_step *step)
{
	size_t n = 0;

	for (; n < rest->n && rest->s[n] != '.' && rest->s[n] != '['; n++)
		if (!fits_name(rest->s[n], n == 0, quoted))
			return false;
	step->name = (struct str){ rest->s, n };
	rest->s += n;
	rest->n -= n;
	return n > 0;
}

/* Counts the steps when there is no room for them. */
static bool
read_steps(struct str rest, bool quoted, struct path_step *step, size_t *n)
{
	struct path_step one;

	if (rest.n > 0 && rest.s[0] == '.')
		rest.s++, rest.n--;
	for (*n = 0; rest.n > 0 && *n < STEPS_MAX; ++*n) {
		one = (struct path_step){ .index = 0 };
		if (!(rest.s[0] == '[' ? read_index(&rest, &one) : object_path_read_name(&rest, quoted,
		    &one)))
			return false;
		if (step != NULL)
			step[*n] = one;
		if (rest.n == 0 || rest.s[0] == '[')
			continue;
		/* The next step is a point and a name. */
		if (rest.s[0] != '.' || rest.n == 1 || rest.s[1] == '[')
			return false;
		rest.s++;
		rest.n--;
	}
	return *n > 0 && rest.n == 0;
}

bool
path_read(struct path **out, struct str text, bool quoted, struct err *err)
{
	struct path *p;
	size_t n;

	*out = NULL;
	if (!read_steps(text, quoted, NULL, &n))
		return true;
	p = mem_array(1, sizeof *p);
	if (p != NULL) {
		p->text = mem_array(text.n + 1, 1);
		p->step = mem_array(n, sizeof *p->step);
	}
	if (p == NULL || p->text == NULL || p->step == NULL) {
		path_free(p);
		return fail_memory(err, "query");
	}
	memcpy(p->text, text.s, text.n);
	read_steps((struct str){ p->text, text.n }, quoted, p->step, &p->n);
	*out = p;
	return true;
}

void
path_free(struct path *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->n; i++) {
		idmap_free(&p->step[i].places);
		array_free(&p->step[i].place);
	}
	free(p->step);
	free(p->text);
	free(p);
}

void
path_attach(struct path *p, const struct heap *h)
{
	p->field = store_column(h->st, COL_CLASS_FIELD);
	p->fields = store_column(h->st, COL_CLASS_FIELDS);
	p->super = store_column(h->st, COL_CLASS_SUPER);
	p->name = store_column(h->st, COL_FIELD_NAME);
	p->type = store_column(h->st, COL_FIELD_TYPE);
}

/* ---- places ------------------------------------------------------------------- */

/* A class between that of the object and the superclass that declares the field. */
struct hop {
	uint32_t	class;
	uint64_t	width;		/* bytes of the fields of the class, or of those before the field */
};

/* Whether the class itself declares the field. */
static bool
own_field(const struct path *p, const struct heap *h, struct str name, uint32_t class,
    uint64_t *width, uint8_t *type)
{
	uint64_t row, left = column_rows_of(p->field, p->fields, p->name, class, &row);

	*width = 0;
	for (; left > 0; left--, row++) {
		*type = (uint8_t)column_get(p->type, row - 1);
		if (str_eq(store_text(h->st, column_get(p->name, row - 1)), name))
			return true;
		*width += heap_width(*type, h->id_size);
	}
	return false;
}

static bool
object_path_keep_place(struct path_step *step, uint32_t class, struct field_place place, struct err *err)
{
	if (!array_grow(&step->place, step->nplaces + 2ull, err))
		return false;
	step->place.at[++step->nplaces] = place;
	return idmap_put(&step->places, class, step->nplaces, err);
}

/* The classes on the way are kept as well, so that all classes together cost one look at each field. */
static bool
keep_hops(struct path_step *step, const struct hop *hop, size_t n, struct field_place place,
    struct err *err)
{
	uint64_t offset = place.offset;

	while (n-- > 0) {
		offset += place.type != 0 ? hop[n].width : 0;
		if (offset > UINT32_MAX)
			place.type = 0, offset = 0;
		place.offset = (uint32_t)offset;
		if (!object_path_keep_place(step, hop[n].class, place, err))
			return false;
	}
	return true;
}

static bool
object_path_find_place(struct path *p, struct path_step *step, const struct heap *h, uint32_t class,
    struct err *err)
{
	struct field_place place = { 0, 0 };
	struct hop *hop = NULL;
	size_t n = 0, cap = 0;
	bool ok = true, found = false;
	uint32_t known = 0;

	/* Superclasses of a hostile file may go round. */
	for (; class != 0 && known == 0 && !found && ok && n <= h->classes;
	    class = (uint32_t)column_get(p->super, class - 1)) {
		known = idmap_get(&step->places, class);
		if (known != 0)
			continue;
		ok = mem_grow(&hop, &cap, n + 1, sizeof *hop);
		if (!ok)
			continue;
		hop[n].class = class;
		found = own_field(p, h, step->name, class, &hop[n].width, &place.type);
		n++;
	}
	if (known != 0)
		place = step->place.at[known];
	else if (!found)
		place.type = 0;
	ok = ok ? keep_hops(step, hop, n, place, err) :
	    fail_memory(err, "query");
	free(hop);
	return ok;
}

bool
path_place(struct path *p, size_t at, const struct heap *h, uint32_t class,
    struct field_place *place, struct err *err)
{
	struct path_step *step = &p->step[at];

	*place = (struct field_place){ 0, 0 };
	if (class == 0 || class > h->classes)
		return true;
	if (class != step->class) {
		step->at = idmap_get(&step->places, class);
		if (step->at == 0) {
			if (!object_path_find_place(p, step, h, class, err))
				return false;
			step->at = idmap_get(&step->places, class);
		}
		step->class = class;
	}
	*place = step->place.at[step->at];
	return true;
}

/* ---- walking ------------------------------------------------------------------ */

/* In a heap without records: the slots have the names of their fields. */
static bool
read_named(const struct heap *h, uint32_t object, struct str name, struct heap_slot *slot)
{
	struct heap_slots s;
	bool found = heap_slots(h, object, &s);

	do
		found = found && heap_slot(&s, slot);
	while (found && (slot->kind != SLOT_FIELD || !str_eq(slot->name, name)));
	if (!found)
		slot->type = 0;
	return true;
}

/* The value of a field of an instance; type 0: it has none. */
static bool
object_path_read_field(struct path *p, size_t at, const struct heap *h, uint32_t object,
    struct heap_slot *slot, struct err *err)
{
	struct field_place place;
	struct heap_record r;
	unsigned width;

	slot->type = 0;
	slot->kind = SLOT_FIELD;
	slot->name = p->step[at].name;
	if (h->form != NULL)
		return read_named(h, object, p->step[at].name, slot);
	if (!path_place(p, at, h, heap_class(h, object), &place, err))
		return false;
	if (place.type == 0 || !heap_read(h, object, &r) || r.tag != TAG_INSTANCE)
		return true;
	width = heap_width(place.type, h->id_size);
	if (width == 0 || place.offset > r.bytes || r.bytes - place.offset < width)
		return true;
	/* Type 1 is an array, in the oldest files. */
	slot->type = place.type < HEAP_OBJECT ? HEAP_OBJECT : place.type;
	slot->bits = heap_bits(h->data + r.data + place.offset, width);
	slot->object = slot->type == HEAP_OBJECT && slot->bits != 0 ? heap_find(h, slot->bits) : 0;
	return true;
}

/* In a Class object, read the static fields of the class. */
static bool
read_step(struct path *p, size_t at, const struct heap *h, uint32_t object,
    struct heap_slot *slot, struct err *err)
{
	const struct path_step *step = &p->step[at];
	uint32_t class;
	bool found;

	if (step->name.n > 0 && heap_kind(h, object) == HEAP_INSTANCE)
		return object_path_read_field(p, at, h, object, slot, err);
	class = heap_class_of_object(h, object);
	found = step->name.n == 0 ? heap_element(h, object, step->index, slot) :
	    class != 0 && heap_static(h, class, step->name, slot);
	if (!found)
		slot->type = 0;
	return true;
}

/* Follow the path to its last step. *object becomes the object that step is read from; 0: none. */
static bool
object_path_walk(struct path *p, const struct heap *h, uint32_t *object, struct heap_slot *slot,
    struct err *err)
{
	for (size_t i = 0; i < p->n; i++) {
		if (i > 0)
			*object = slot->type == HEAP_OBJECT ? slot->object : 0;
		if (*object == 0)
			return true;
		if (!read_step(p, i, h, *object, slot, err))
			return false;
	}
	return true;
}

bool
path_object(struct path *p, const struct heap *h, uint32_t object, uint32_t *to,
    struct err *err)
{
	struct heap_slot slot = { .type = 0 };

	if (!object_path_walk(p, h, &object, &slot, err))
		return false;
	*to = object != 0 && slot.type == HEAP_OBJECT ? slot.object : 0;
	return true;
}

/* ---- cells -------------------------------------------------------------------- */

static void
object_path_text_cell(struct cell *c, const struct buf *b)
{
	c->type = CELL_TEXT;
	c->text = buf_view(b);
}

static void
reference_cell(const struct heap *h, const struct heap_slot *slot, struct cell *c,
    struct buf *b)
{
	if (slot->bits == 0)
		return;
	if (slot->object == 0)
		slot_missing_add(slot, b);
	else if (heap_string(h, slot->object, PATH_STRING, b))
		mask_text(b, 0);
	else {
		c->type = CELL_ID;
		c->u = slot->object;
		return;
	}
	object_path_text_cell(c, b);
}

/* The number that Java prints: 0.1f is 0.1.  Other values are texts, equal to no number. */
static void
real_cell(const struct heap_slot *slot, struct cell *c, struct buf *b)
{
	uint32_t bits = (uint32_t)slot->bits;
	float single;

	c->type = CELL_REAL;
	memcpy(&c->f, &slot->bits, sizeof c->f);
	if (slot->type == HEAP_FLOAT) {
		memcpy(&single, &bits, sizeof single);
		heap_value(slot, b);
		if (!num_f64(buf_view(b), &c->f))
			c->f = (double)single;
	}
	c->f += 0.0;		/* no -0 */
	if (isnan(c->f)) {
		buf_clear(b);
		buf_text(b, "NaN");
		object_path_text_cell(c, b);
	}
}

static void
object_path_value_cell(const struct heap *h, const struct heap_slot *slot, struct cell *c, struct buf *b)
{
	if (mask_hides(slot)) {
		heap_value(slot, b);
		mask_text(b, 0);
		object_path_text_cell(c, b);
		return;
	}
	c->type = CELL_INT;
	switch (slot->type) {
	case HEAP_OBJECT:
		c->type = CELL_NONE;
		reference_cell(h, slot, c, b);
		break;
	case HEAP_BOOLEAN:
		c->type = CELL_BOOL;
		c->u = slot->bits != 0;
		break;
	case HEAP_CHAR:
		heap_value(slot, b);
		object_path_text_cell(c, b);
		break;
	case HEAP_FLOAT:
	case HEAP_DOUBLE:
		real_cell(slot, c, b);
		break;
	case HEAP_BYTE:
		c->i = (int8_t)slot->bits;
		break;
	case HEAP_SHORT:
		c->i = (int16_t)slot->bits;
		break;
	case HEAP_INT:
		c->i = (int32_t)slot->bits;
		break;
	case HEAP_LONG:
		c->i = (int64_t)slot->bits;
		break;
	default:
		c->type = CELL_NONE;
	}
}

bool
path_name_is_common(struct str name)
{
	return str_is(name, "class") || str_is(name, "length");
}

/* Without a field of that name, "class" and "length" are computed. */
static void
common_cell(const struct heap *h, uint32_t object, struct str name, struct cell *c,
    struct buf *b)
{
	struct heap_text text;

	if (str_is(name, "class")) {
		heap_class_name(h, heap_class(h, object), b);
		object_path_text_cell(c, b);
		return;
	}
	if (!str_is(name, "length"))
		return;
	if (heap_is_array(h, object)) {
		c->type = CELL_COUNT;
		c->u = heap_length(h, object);
	} else if (heap_text(h, object, &text)) {
		c->type = CELL_COUNT;
		c->u = text.length;
	}
}

bool
path_cell(struct path *p, const struct heap *h, uint32_t object, struct cell *c,
    struct buf *b, struct err *err)
{
	struct heap_slot slot = { .type = 0 };

	buf_clear(b);
	c->type = CELL_NONE;
	if (!object_path_walk(p, h, &object, &slot, err))
		return false;
	if (object == 0)
		return true;
	if (slot.type != 0)
		object_path_value_cell(h, &slot, c, b);
	else if (p->step[p->n - 1].name.n > 0)
		common_cell(h, object, p->step[p->n - 1].name, c, b);
	return !b->bad || fail_memory(err, "string");
}
