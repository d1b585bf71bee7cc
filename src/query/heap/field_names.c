/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * field_names: names of fields as candidates for a query.
 *
 * The file does not say of which class a field is; what the first objects hold there does.
 */
#include "config.h"

#include "fields.h"
#include "hrows.h"

#define SAMPLES 32		/* objects that are looked at */

struct name_of_field {
	uint32_t	number;		/* number of the name */
	uint32_t	class;		/* class that declares the field; 0: all objects have it */
	uint8_t		type;
};

struct field_names {
	struct item_rows	 rows;
	struct buf		 prefix;	/* beginning of each name: the path with its point */
	struct path		*path;		/* NULL: the objects themselves */
	struct idmap		 classes;	/* classes whose fields are there */
	struct text_pool	 names;
	struct buf		 text;
};

static bool
field_names_add_name(struct field_names *f, struct str name, uint32_t class, uint8_t type)
{
	struct name_of_field what = { 0, class, type };
	struct err *err = &f->rows.rows.err;
	uint32_t number;

	buf_clear(&f->text);
	buf_str(&f->text, buf_view(&f->prefix));
	buf_str(&f->text, name);
	if (f->text.bad)
		return fail_memory(err, "name");
	if (!texts_number(&f->names, buf_view(&f->text), &number, err) ||
	    (number > f->rows.n && !item_rows_add(&f->rows, &what)))
		return false;
	what.number = number;
	SCRATCH(f->rows.list, struct name_of_field)[number - 1] = what;
	return true;
}

/* The fields of an object, or the statics of a class. */
static bool
field_names_add_fields(struct field_names *f, uint32_t object)
{
	struct heap_slots slots;
	struct heap_slot slot;

	if (!heap_slots(&HEAP(&f->rows)->view.heap, object, &slots))
		return true;
	while (heap_slot(&slots, &slot)) {
		if (slot.kind == SLOT_ELEMENT)
			break;
		if ((slot.kind == SLOT_FIELD || slot.kind == SLOT_STATIC) &&
		    !field_names_add_name(f, slot.name, slot.class, slot.type))
			return false;
	}
	return true;
}

static bool
field_names_add_object(struct field_names *f, uint32_t object)
{
	const struct heap *h = &HEAP(&f->rows)->view.heap;
	uint32_t class = heap_class(h, object);
	struct heap_text text;

	/* Visit one instance per class, but every Class object: each class has its own static fields. */
	if (heap_kind(h, object) != HEAP_CLASS && idmap_get(&f->classes, class) != 0)
		return true;
	if (!idmap_put(&f->classes, class, 1, &f->rows.rows.err) || !field_names_add_fields(f, object))
		return false;
	if (f->path == NULL)
		return true;
	if ((heap_is_array(h, object) || heap_text(h, object, &text)) &&
	    !field_names_add_name(f, STR("length"), 0, HEAP_INT))
		return false;
	return field_names_add_name(f, STR("class"), 0, 0);
}

static bool
names_step(struct item_rows *s)
{
	struct field_names *f = (struct field_names *)s;
	const struct heap *h = &HEAP(s)->view.heap;
	uint32_t object;

	if (s->row == SAMPLES || !object_next(rows_origin(s->rows.in), &s->row, s->col, h, &object))
		return false;
	if (object != 0 && f->path != NULL && !path_object(f->path, h, object, &object, &s->rows.err))
		return false;
	return object == 0 || field_names_add_object(f, object);
}

static void
field_names_name_cell(struct item_rows *s, uint64_t number, struct cell *c)
{
	c->text = texts_get(&((struct field_names *)s)->names, (uint32_t)number);
}

static bool
what_text(struct item_rows *s, uint64_t type, struct buf *b)
{
	const struct name_of_field *what = s->item;

	buf_text(b, heap_type_name((unsigned)type));
	if (what->class != 0) {
		buf_text(b, " of ");
		heap_class_name(&HEAP(s)->view.heap, what->class, b);
	}
	return true;
}

static const struct coldef name_cols[] = {
	{ "name", CELL_TEXT, "field path", COMPUTED(field_names_name_cell,
	    ITEM(struct name_of_field, number)) },
	{ "what", CELL_TEXT, "type and declaring class",
	    TEXT(what_text, ITEM(struct name_of_field, type)) }
};

/* Parse a prefix: "friends." becomes the path friends; a leading point only marks a field. */
static bool
field_names_names_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	struct field_names *f = (struct field_names *)s;
	struct str prefix = stage->token->text;

	buf_str(&f->prefix, prefix);
	if (f->prefix.bad)
		return fail_memory(err, "name");
	if (prefix.n < 2 || prefix.s[prefix.n - 1] != '.')
		return true;
	prefix.n--;
	if (!path_read(&f->path, prefix, true, err))
		return false;
	if (f->path == NULL)
		s->ended = true;
	else
		path_attach(f->path, &HEAP(s)->view.heap);
	return true;
}

static void
names_end(struct item_rows *s)
{
	struct field_names *f = (struct field_names *)s;

	path_free(f->path);
	buf_free(&f->prefix);
	buf_free(&f->text);
	idmap_free(&f->classes);
	texts_free(&f->names);
}

static const struct source field_names = {
	.domain = &heap_domain, .size = sizeof(struct field_names), .item = sizeof(struct name_of_field),
	    .args = ARGS_OWN,
	.begin = field_names_names_begin, .step = names_step, .end = names_end
};

bool
field_names_open(struct session *session, struct rows *in, size_t object, struct str prefix,
    struct rows **out, struct err *err)
{
	const struct command command = { COLUMNS(name_cols), .source = &field_names };
	const struct token token = { .text = prefix };
	const struct stage stage = { .token = &token, .n = 1 };

	*out = heap_rows_over(session, &command, &stage, in, object, err);
	return *out != NULL;
}
