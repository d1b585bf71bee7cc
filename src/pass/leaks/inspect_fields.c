/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect_fields: reading the fields that inspectors ask for, by the class that declares them.
 */
#include "config.h"

#include <string.h>

#include "inspect.h"

bool
inspect_named(const struct inspector *in, uint32_t object, const char *name)
{
	uint32_t class = object == 0 ? 0 : heap_class(&in->h, object);

	for (unsigned hops = 0; class != 0 && hops < INSPECT_HOPS; hops++) {
		if (class_is(&in->h, class, str_of(name)))
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
		mine = f.class == NULL || class_is(&in->h, class, str_of(f.class));
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

	if (v.type == HEAP_INT)
		*n = (int32_t)v.bits;
	else if (v.type == HEAP_LONG)
		*n = (int64_t)v.bits;
	return v.type == HEAP_INT || v.type == HEAP_LONG;
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
	uint32_t text = field_object(in, field_object(in, object, f), FIELD(NULL, "name"));
	struct buf b = BUF_INIT;
	int found = -1;

	if (heap_string(&in->h, text, INSPECT_TEXT, &b))
		for (size_t i = 0; i < n && found < 0; i++)
			if (str_eq(buf_view(&b), str_of(names[i])))
				found = (int)i;
	buf_free(&b);
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
	buf_str(b, t.length > INSPECT_TEXT ? STR("...\"") : STR("\""));
}

/* ---- parts ----------------------------------------------------------------------------- */

static uint32_t
inspect_fields_part_of(struct inspector *in, uint32_t object, const struct inspect_part *part)
{
	for (size_t i = 0; i < NELEM(part->path) && part->path[i].name != NULL; i++)
		object = field_object(in, object, part->path[i]);
	return object;
}

/* 1 yes, 0 no, -1: unknown. */
static int
ask_part(struct inspector *in, uint32_t object, const struct inspect_part *part)
{
	uint32_t of = inspect_fields_part_of(in, object, part);
	int64_t n;

	switch (part->how) {
	case PART_FLAG:
		return field_flag(in, of, part->field);
	case PART_REF:
		return field_ref(in, of, part->field);
	case PART_NUMBER:
		return field_number(in, of, part->field, &n) ? n != 0 : -1;
	case PART_DESTROYED:
		return inspect_destroyed(in, part->field.name == NULL ? of : field_object(in, of, part->field));
	default:
		return -1;
	}
}

void
label_parts(struct inspector *in, uint32_t object, const struct inspect_part *part, struct buf *b)
{
	const char *said;
	int answer;

	for (; part->how != PART_NONE; part++) {
		if (part->how == PART_TEXT)
			label_text(in, inspect_fields_part_of(in, object, part), part->field, part->yes, b);
		answer = ask_part(in, object, part);
		said = answer == 1 ? part->yes : answer == 0 ? part->no : NULL;
		if (said == NULL)
			continue;
		label_sep(b);
		buf_str(b, str_of(said));
	}
}

void
inspect_flags(struct inspector *in, uint32_t object, const struct inspect_flags *flags, struct verdict *v)
{
	const char *said;
	int answer;

	for (const struct inspect_part *flag = flags->flag; flag->how != PART_NONE && v->mark == LEAK_UNKNOWN; flag++) {
		answer = ask_part(in, object, flag);
		said = answer == 1 ? flag->yes : answer == 0 ? flag->no : NULL;
		if (said != NULL && (answer == 1) != flag->alive)
			verdict_yes(v, flags->kind, said);
		else if (said != NULL)
			verdict_not(v, said);
	}
}
