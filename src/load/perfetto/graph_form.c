/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_form: the references of an object of a heap graph, read from its message, with the names of fields.
 *
 * The names are in the message, or those of the fields of its class and of superclasses, in that order.
 * References of the runtime follow, then the few numbers that a message has.
 */
#include "config.h"

#include "icecore/columns_forms.h"
#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "graph.h"

enum { HEAD = 20 };		/* bytes of the key and the length of a message, at most */

enum { VALUES, NAMES };		/* lists of struct edge_walk */
#define INNER UINT32_MAX	/* row: references of the runtime */
#define NUMBERS (UINT32_MAX - 1)	/* row: numbers */

/* Numbers that messages have, and the fields that they are of. */
static const struct {
	const char	*class, *field;
	uint8_t		 type;
} numbers[] = {
	{ "libcore.util.NativeAllocationRegistry", "size", HEAP_LONG },
	{ "android.graphics.Bitmap", "mId", HEAP_LONG }, { "android.graphics.Bitmap", "mSourceId", HEAP_LONG },
	{ "android.graphics.Bitmap", "mWidth", HEAP_INT }, { "android.graphics.Bitmap", "mHeight", HEAP_INT },
	{ "android.content.pm.ApplicationInfo", "longVersionCode", HEAP_LONG }
};

/* A message in the file, or, behind its end, in heap.text. */
static struct str
form_bytes(const struct store *st, uint64_t at, uint64_t n)
{
	const struct map *m = store_source(st);
	const struct column *text = store_column(st, COL_HEAP_TEXT);
	uint64_t place = at - m->size;

	if (at < m->size)
		return (struct str){ (const char *)m->data + at, (size_t)(n < m->size - at ? n : m->size - at) };
	if (place >= column_rows(text))
		return STR("");
	n = n < text->rows - place ? n : text->rows - place;
	return (struct str){ column_span(text, place, n), (size_t)n };
}

static struct str
form_message(const struct store *st, uint64_t at)
{
	struct str head = form_bytes(st, at, HEAD), rest = head;
	struct proto_field f;

	if (!proto_next(&rest, &f) || f.wire != PROTO_BYTES)
		return STR("");
	return form_bytes(st, at + (uint64_t)(f.in.s - head.s), f.value);
}

static void
form_enter_class(struct edge_walk *w, uint32_t class)
{
	uint64_t row;

	w->class = class;
	w->left = heap_class_fields(w->st, class, &row);
	w->row = (uint32_t)row;
}

/* Offset of the object in the file; 0: it was compressed. */
static uint64_t
form_at(const struct edge_walk *w)
{
	return w->at < store_source(w->st)->size ? w->at : 0;
}

static uint32_t
class_of(const struct edge_walk *w)
{
	return (uint32_t)store_cell(w->st, COL_OBJECT_CLASS, w->object);
}

static bool
graph_form_begin(struct edge_walk *w)
{
	struct graph_object o;
	struct str m;

	w->at = store_cell(w->st, COL_OBJECT_OFFSET, w->object);
	m = form_message(w->st, w->at);
	if (m.n == 0 || !graph_object_read(m, &o, NULL))
		return false;
	w->in[VALUES] = graph_numbers(m, &o.values, GRAPH_VALUES);
	w->in[NAMES] = graph_numbers(m, &o.names, GRAPH_NAMES);
	w->end = o.base;
	form_enter_class(w, class_of(w));
	return true;
}

/* The next field of the class or a superclass. */
static void
field_by_class(struct edge_walk *w, struct heap_edge *e)
{
	uint64_t most = column_rows(store_column(w->st, COL_CLASS_SUPER));

	for (uint64_t hops = 0; w->left == 0 && w->class != 0 && hops < most; hops++)
		form_enter_class(w, (uint32_t)store_cell(w->st, COL_CLASS_SUPER, w->class));
	if (w->left == 0)
		return;
	w->left--;
	e->class = w->class;
	e->name = store_text(w->st, store_cell(w->st, COL_FIELD_NAME, w->row++));
}

/* The field that the object names. */
static void
field_by_name(struct edge_walk *w, struct heap_edge *e, uint64_t iid)
{
	uint64_t row = column_find(store_column(w->st, COL_NAME_ID), iid),
	    place = store_cell(w->st, COL_CLASS_PLACE, class_of(w));

	for (uint64_t i = row; i != 0 && place != 0 && store_cell(w->st, COL_NAME_ID, i) == iid; i++)
		row = store_cell(w->st, COL_NAME_PLACE, i) == place ? i : row;
	e->class = (uint32_t)store_cell(w->st, COL_NAME_CLASS, row);
	e->name = store_text(w->st, store_cell(w->st, COL_NAME_REF, row));
	if (e->class != 0 && store_cell(w->st, COL_CLASS_OBJECT, e->class) == w->object)
		e->kind = EDGE_STATIC;
}

static void
form_value(struct edge_walk *w, struct heap_edge *e)
{
	uint64_t iid;

	*e = (struct heap_edge){ .kind = EDGE_FIELD, .name = STR("") };
	if (shape_number(&w->in[NAMES], &iid))
		field_by_name(w, e, iid);
	else if (store_cell(w->st, COL_CLASS_ELEMENT, class_of(w)) != 0)
		e->kind = EDGE_ELEMENT;
	else
		field_by_class(w, e);
	if (e->kind != EDGE_ELEMENT && e->name.n == 0)
		e->name = STR("?");
	if (str_is(e->name, "referent"))
		e->strength = (enum heap_strength)store_cell(w->st, COL_CLASS_STRENGTH, class_of(w));
}

static void
form_target(struct edge_walk *w, struct heap_edge *e, uint64_t id)
{
	e->at = form_at(w);
	e->index = w->index++;
	e->bits = id << GRAPH_SHIFT;
	e->object = graph_id_ok(id) ? heap_ids_find(w->ids, e->bits) : 0;
}

/* The class of that name among the superclasses. */
static uint32_t
form_declares(const struct edge_walk *w, const char *name)
{
	uint64_t most = column_rows(store_column(w->st, COL_CLASS_SUPER));
	uint32_t class = class_of(w);

	for (uint64_t hops = 0; class != 0 && hops < most; hops++) {
		if (heap_same_name(store_text(w->st, store_cell(w->st, COL_CLASS_NAME, class)), str_of(name)))
			return class;
		class = (uint32_t)store_cell(w->st, COL_CLASS_SUPER, class);
	}
	return 0;
}

static bool
form_number(struct edge_walk *w, struct heap_edge *e)
{
	struct graph_object o;

	if (!graph_object_read(form_message(w->st, w->at), &o, NULL))
		return false;
	const struct { uint64_t v; bool has; } value[NELEM(numbers)] = {
		/* The lowest bit says that malloc gave the memory. */
		{ (uint64_t)o.registered & ~UINT64_C(1), o.has_registered }, { (uint64_t)o.bitmap, o.has_bitmap },
		{ (uint64_t)o.source, o.has_source }, { o.width, o.has_width }, { o.height, o.has_height },
		{ o.version, o.has_version }
	};

	for (; w->left < NELEM(numbers); w->left++) {
		if (!value[w->left].has)
			continue;
		*e = (struct heap_edge){ .kind = EDGE_FIELD, .type = numbers[w->left].type,
		    .name = str_of(numbers[w->left].field), .class = form_declares(w, numbers[w->left].class),
		    .bits = value[w->left].v, .at = form_at(w), .index = w->index++ };
		w->left++;
		return true;
	}
	return false;
}

static bool
graph_form_next(struct edge_walk *w, struct heap_edge *e)
{
	struct graph_object o;
	struct str m;
	uint64_t id;

	if (w->row < NUMBERS && shape_number(&w->in[VALUES], &id)) {
		form_value(w, e);
		form_target(w, e, id == 0 ? 0 : id + w->end);
		return true;
	}
	if (w->row < NUMBERS) {
		m = form_message(w->st, w->at);
		(void)graph_object_read(m, &o, NULL);
		w->in[VALUES] = graph_numbers(m, &o.inner, GRAPH_INNER);
		w->row = INNER;
	}
	if (w->row == INNER && shape_number(&w->in[VALUES], &id)) {
		*e = (struct heap_edge){ .kind = EDGE_INTERNAL, .name = STR("runtime") };
		form_target(w, e, id);
		return true;
	}
	if (w->row == INNER) {
		w->row = NUMBERS;
		w->left = 0;
	}
	return form_number(w, e);
}

/* Parts are runs of objects. */
static uint64_t
graph_form_part(const struct store *st, uint32_t object)
{
	return column_place(store_column(st, COL_PART_FROM), object + 1ull);
}

const struct heap_form pf_graph_form = {
	.begin = graph_form_begin, .next = graph_form_next, .part = graph_form_part, .own_classes = true,
	.lacks = "a heap graph holds no values"
};
