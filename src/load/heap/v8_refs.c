/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_refs: nodes and references of a snapshot of V8, read on demand.
 */
#include "config.h"

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "v8_form.h"

/* ---- rows ------------------------------------------------------------------------------------- */

const struct v8_meta *
v8_refs_meta(const struct store *st)
{
	const struct column *c = store_column(st, COL_V8_META);
	const struct v8_meta *m = c == NULL || c->rows != sizeof *m ? NULL : column_all(c);

	if (m == NULL || m->width == 0 || m->width > V8_FIELDS || m->edge_width > V8_FIELDS)
		return NULL;
	for (size_t i = 0; i < V8_NODE_STATE; i++)
		if (m->node[i] >= m->width)
			return NULL;
	for (size_t i = 0; i < V8_EDGE_FIELDS; i++)
		if (m->edge[i] >= m->edge_width)
			return NULL;
	return m;
}

static struct v8_numbers
v8_refs_at(const struct store *st, uint64_t at)
{
	const struct map *source = store_source(st);

	return (struct v8_numbers){ .p = source->data + (at < source->size ? at : source->size),
	    .end = source->data + source->size };
}

bool
v8_refs_node(const struct store *st, const struct v8_meta *m, uint32_t object, uint64_t row[V8_FIELDS])
{
	struct v8_numbers n = v8_refs_at(st, store_cell(st, COL_OBJECT_OFFSET, object));

	return v8_row(&n, m->width, row);
}

static bool
v8_refs_string(const struct store *st, uint64_t i, struct str *s)
{
	const struct column *places = store_column(st, COL_V8_STRING);

	return places != NULL && places->type == COL_U64 &&
	    v8_string(store_source(st), column_all(places), places->rows * V8_STRIDE, i, s);
}

enum v8_type
v8_refs_read(const struct store *st, uint32_t object, struct str *name)
{
	const struct v8_meta *m = v8_refs_meta(st);
	uint64_t row[V8_FIELDS], type;
	bool ok = m != NULL && v8_refs_node(st, m, object, row);

	if (name != NULL && (!ok || !v8_refs_string(st, row[m->node[V8_NODE_NAME]], name)))
		*name = STR("");
	type = ok ? row[m->node[V8_NODE_TYPE]] : V8_TYPES;
	return type < V8_TYPES ? (enum v8_type)m->types[type] : V8_OTHER;
}

/* ---- references --------------------------------------------------------------------------------- */

/* Continue from the last node whose place is known. */
bool
v8_refs_begin(struct edge_walk *w)
{
	const struct column *object = store_column(w->st, COL_V8_EDGE_OBJECT);
	const struct v8_meta *m = v8_refs_meta(w->st);
	uint64_t place = column_place(object, w->object + 1ull), row[V8_FIELDS], edge[V8_FIELDS];
	struct v8_numbers n = v8_refs_at(w->st, store_cell(w->st, COL_V8_EDGE_PLACE, place));
	uint32_t from = (uint32_t)column_get(object, place - 1);

	if (m == NULL || from == 0)
		return false;
	for (; from < w->object; from++) {
		if (!v8_refs_node(w->st, m, from, row))
			return false;
		for (uint64_t i = row[m->node[V8_NODE_COUNT]]; i > 0 && v8_row(&n, m->edge_width, edge); i--)
			continue;
	}
	if (!v8_refs_node(w->st, m, w->object, row))
		return false;
	w->at = (uint64_t)(n.p - store_source(w->st)->data);
	w->left = row[m->node[V8_NODE_COUNT]];
	w->index = row[m->node[V8_NODE_ID]];
	w->class = (uint32_t)store_cell(w->st, COL_OBJECT_CLASS, w->object);
	return true;
}

static bool
v8_refs_page(const struct store *st, uint32_t object)
{
	return column_get(store_column(st, COL_V8_PAGE), (object - 1) / 64) >> (object - 1) % 64 & 1;
}

/* Strength of a reference, by the rules of the lists: v8_load.c. */
static enum heap_strength
v8_refs_strength(const struct edge_walk *w, enum v8_edge_type type, const struct heap_edge *e)
{
	bool root = w->object == fact_value(w->st, FACT_HEAP_ROOT);
	struct v8_pair pair;

	if (type == V8_WEAK || e->object == w->object || (type == V8_SHORTCUT && !root) ||
	    (!root && e->object != 0 && v8_refs_page(w->st, e->object) && !v8_refs_page(w->st, w->object)) ||
	    (type == V8_INTERNAL && v8_pair_read(e->name, &pair) && pair.table == w->index))
		return HEAP_WEAK;
	return HEAP_STRONG;
}

bool
v8_refs_next(struct edge_walk *w, struct heap_edge *e)
{
	static const enum edge_kind kinds[] = {
		[V8_NAMED] = EDGE_INTERNAL, [V8_CONTEXT] = EDGE_VARIABLE, [V8_ELEMENT] = EDGE_ELEMENT,
		[V8_PROPERTY] = EDGE_FIELD, [V8_INTERNAL] = EDGE_INTERNAL, [V8_NUMBERED] = EDGE_INTERNAL,
		[V8_SHORTCUT] = EDGE_FIELD, [V8_WEAK] = EDGE_INTERNAL
	};
	const struct v8_meta *m = v8_refs_meta(w->st);
	struct v8_numbers n = v8_refs_at(w->st, w->at);
	uint64_t row[V8_FIELDS], type, to;
	enum v8_edge_type is;

	if (w->left == 0 || m == NULL || !v8_row(&n, m->edge_width, row))
		return false;
	type = row[m->edge[V8_EDGE_TYPE]];
	to = row[m->edge[V8_EDGE_TO]];
	is = type < V8_TYPES && m->edge_types[type] <= V8_WEAK ? (enum v8_edge_type)m->edge_types[type] : V8_NAMED;
	*e = (struct heap_edge){ .kind = kinds[is], .name = STR(""), .class = w->class, .at = w->at };
	if (to % m->width == 0 && to / m->width < column_rows(store_column(w->st, COL_OBJECT_CLASS)))
		e->object = (uint32_t)(to / m->width) + 1;
	if (is == V8_ELEMENT || is == V8_NUMBERED)
		e->index = row[m->edge[V8_EDGE_LABEL]];
	else if (!v8_refs_string(w->st, row[m->edge[V8_EDGE_LABEL]], &e->name))
		e->name = STR("?");
	e->strength = v8_refs_strength(w, is, e);
	w->row = is;
	w->at = (uint64_t)(n.p - store_source(w->st)->data);
	w->left--;
	return true;
}

void
v8_refs_decode(struct str name, struct buf *b)
{
	OWN_BUF text = BUF_INIT;

	buf_str(b, scan_unescape(name, &text));
}
