/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect_fields: reading the classes and fields that inspectors ask for, and appending fields to labels.
 */
#include "config.h"

#include <string.h>

#include "inspect.h"

/* ---- classes ------------------------------------------------------------------------ */

const struct inspect_row *
inspect_row_of(const struct inspector *in, uint32_t class)
{
	static const struct inspect_row none = { .is = IS_OTHER };

	return class == 0 || class > in->h.classes || in->row[class] == NULL ? &none : in->row[class];
}

enum inspect_is
inspect_is(const struct inspector *in, uint32_t object)
{
	return inspect_row_of(in, inspect_class(in, object))->is;
}

bool
inspect_named(const struct inspector *in, uint32_t object, const char *name)
{
	uint32_t class = object == 0 ? 0 : heap_class(&in->h, object);

	for (unsigned hops = 0; class != 0 && hops < INSPECT_HOPS; hops++) {
		if (class_is(&in->h, class, name))
			return true;
		class = (uint32_t)column_get(in->super, class - 1ull);
	}
	return false;
}

/* ---- offsets of fields ------------------------------------------------------------ */

/* Return the type of the field and its offset *at; 0: the class has no such field. */
static uint8_t
inspect_fields_find_field(const struct inspector *in, uint32_t class, struct inspect_field f, uint64_t *at)
{
	uint8_t type;
	bool mine;

	*at = 0;
	for (unsigned hops = 0; class != 0 && hops < INSPECT_HOPS; hops++) {
		mine = f.class == NULL || class_is(&in->h, class, f.class);
		if (class_field(&in->h, class, mine ? f.name : NULL, at, &type))
			return type;
		class = (uint32_t)column_get(in->super, class - 1ull);
	}
	return 0;
}

/* Values of a field: type 0 when there is none. */
struct value {
	uint8_t		type;
	uint64_t	bits;
};

/* In a heap without records only references have values, of fields of any class. */
static struct value
value_of_slot(const struct inspector *in, uint32_t object, struct inspect_field f)
{
	uint32_t declares = f.class == NULL ? 0 : class_named(&in->h, heap_class(&in->h, object), f.class);
	struct heap_slot slot;

	if ((f.class != NULL && declares == 0) || !heap_field(&in->h, object, f.name, declares, &slot))
		return (struct value){ 0, 0 };
	return (struct value){ slot.type, slot.bits };
}

static struct value
field_value(struct inspector *in, uint32_t object, struct inspect_field f)
{
	uint32_t class = inspect_class(in, object);
	size_t i = ((uintptr_t)f.class * 31 + (uintptr_t)f.name * 7 + class) % INSPECT_CACHE;
	struct value v = { 0, 0 };
	struct heap_record r;
	unsigned width;

	if (class == 0)
		return v;
	if (in->h.form != NULL)
		return value_of_slot(in, object, f);
	/* Names are literals: the same pointers are the same names. */
	if (in->cache[i].field.class != f.class || in->cache[i].field.name != f.name ||
	    in->cache[i].class != class) {
		in->cache[i].type = inspect_fields_find_field(in, class, f, &in->cache[i].at);
		in->cache[i].field = f;
		in->cache[i].class = class;
	}
	width = heap_width(in->cache[i].type, in->h.id_size);
	if (width == 0 || !heap_read(&in->h, object, &r) || r.tag != TAG_INSTANCE ||
	    in->cache[i].at > r.bytes || r.bytes - in->cache[i].at < width)
		return v;
	v.type = in->cache[i].type < HEAP_OBJECT ? HEAP_OBJECT : in->cache[i].type;
	v.bits = heap_bits(in->h.data + r.data + in->cache[i].at, width);
	return v;
}

/* ---- its content ---------------------------------------------------------------------- */

int
field_flag(struct inspector *in, uint32_t object, struct inspect_field f)
{
	struct value v = field_value(in, object, f);

	return v.type == HEAP_BOOLEAN ? v.bits != 0 : -1;
}

bool
field_number(struct inspector *in, uint32_t object, struct inspect_field f, int64_t *n)
{
	struct value v = field_value(in, object, f);

	return heap_number(v.type, v.bits, n);
}

int
field_ref(struct inspector *in, uint32_t object, struct inspect_field f)
{
	struct value v = field_value(in, object, f);

	return v.type == HEAP_OBJECT ? v.bits != 0 : -1;
}

uint32_t
field_object(struct inspector *in, uint32_t object, struct inspect_field f)
{
	struct value v = field_value(in, object, f);

	return v.type == HEAP_OBJECT && v.bits != 0 ? heap_find(&in->h, v.bits) : 0;
}

/* The enum may declare its name itself: then its base class is not in the dump. */
int
field_enum(struct inspector *in, uint32_t object, struct inspect_field f,
    const char *const *names, size_t n)
{
	uint32_t value = field_object(in, object, f), text = field_object(in, value, FIELD(NULL, "name"));
	struct heap_slot slot;
	OWN_BUF b = BUF_INIT;
	int found = -1;

	/* Without texts the static that refers to it has its name. */
	for (size_t i = 0; i < n && found < 0 && value != 0 && in->h.form != NULL; i++)
		if (heap_static(&in->h, heap_class(&in->h, value), str_of(names[i]), &slot) && slot.object == value)
			found = (int)i;
	if (heap_string(&in->h, text, INSPECT_TEXT, &b))
		for (size_t i = 0; i < n && found < 0; i++)
			if (str_is(buf_view(&b), names[i]))
				found = (int)i;
	return found;
}

/* ---- labels ---------------------------------------------------------------------------- */

void
label_sep(struct buf *b)
{
	if (b->n > 0)
		buf_add(b, ", ", 2);
}

void
label_text(struct inspector *in, uint32_t object, struct inspect_field f,
    const char *name, struct buf *b)
{
	uint32_t text = field_object(in, object, f);
	struct heap_text t;
	size_t from;

	if (!heap_text(&in->h, text, &t) || t.length == 0)
		return;
	label_sep(b);
	buf_printf(b, "%s \"", name);
	from = b->n;
	heap_string(&in->h, text, INSPECT_TEXT, b);
	mask_text(b, from);
	buf_text(b, t.length > INSPECT_TEXT ? "...\"" : "\"");
}

void
label_object(struct inspector *in, uint32_t object, const char *how, struct buf *b)
{
	if (object == 0)
		return;
	label_sep(b);
	buf_printf(b, "%s ", how);
	heap_label(&in->h, object, b);
}
