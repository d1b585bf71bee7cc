/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_nodes: the nodes of a snapshot of V8, and the places where constructors and functions begin.
 */
#include "config.h"

#include "icecore/columns_objects.h"
#include "v8_in.h"

#define TICK 4096u

static uint32_t
v8_nodes_fit(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static bool
v8_nodes_open(struct v8 *v, uint64_t rows, enum column_type type, void **offset)
{
	if (rows > V8_MOST)
		return fail(v->err, E_SYSTEM, "too many objects (limit: 1 073 741 824)");
	scratch_budget_input(v->source->size, rows);
	v->n = (uint32_t)rows;
	*offset = store_make(v->st, COL_OBJECT_OFFSET, type, rows, v->err);
	v->state = *offset == NULL ? NULL : store_make(v->st, COL_OBJECT_STATE, COL_U8, rows, v->err);
	return v->state != NULL && array_grow(&v->type, rows, v->err) && array_grow(&v->name, rows, v->err) &&
	    array_grow(&v->class, rows, v->err) && array_grow(&v->at, rows + 1, v->err) &&
	    array_grow(&v->id.low, rows, v->err) && array_grow(&v->size.low, rows, v->err);
}

static bool
v8_nodes_put(struct v8 *v, uint32_t i, const uint64_t row[V8_FIELDS])
{
	const struct v8_meta *m = &v->meta;

	uint64_t type = row[m->node[V8_NODE_TYPE]], state = m->node[V8_NODE_STATE] == V8_ABSENT ? 0 :
	    row[m->node[V8_NODE_STATE]];

	assert(i < v->n);
	v->type.at[i] = type < UINT8_MAX ? (uint8_t)type : UINT8_MAX;
	v->name.at[i] = v8_nodes_fit(row[m->node[V8_NODE_NAME]]);
	v->at.at[i] = v8_nodes_fit(row[m->node[V8_NODE_COUNT]]);
	v->state[i] = state < UINT8_MAX ? (uint8_t)state : 0;
	return v8_wide_put(v, &v->id, i, row[m->node[V8_NODE_ID]]) &&
	    v8_wide_put(v, &v->size, i, row[m->node[V8_NODE_SIZE]]);
}

/* Rows that the end of the file cuts are left out. */
bool
v8_nodes_read(struct v8 *v)
{
	const uint8_t *data = v->source->data;
	struct v8_numbers in = { .p = data + v->nodes.at, .end = data + v->source->size };
	enum column_type type = v->source->size > UINT32_MAX ? COL_U64 : COL_U32;
	uint64_t row[V8_FIELDS], at;
	void *offset;
	uint32_t i = 0;
	bool ok = v8_nodes_open(v, v->nodes.n / v->meta.width, type, &offset);

	v->window = 0;
	work_start_bytes(v->work, "objects of the snapshot", v->source->size);
	for (; ok && i < v->n; i++) {
		at = (uint64_t)(in.p - data);
		if (!v8_row(&in, v->meta.width, row))
			break;
		column_set(offset, type, i, at);
		ok = v8_nodes_put(v, i, row) && (i % TICK != 0 || v8_go(v, at));
	}
	if (!ok)
		return false;
	v->n = i;
	v->bad.numbers += in.bad;
	v->bad.nodes = v->bad.nodes > i ? v->bad.nodes - i : 0;
	v->root = v->root < i ? v->root : 0;
	store_trim(v->st, COL_OBJECT_STATE, i);
	store_trim(v->st, COL_OBJECT_OFFSET, i);
	return true;
}

/* ---- locations ------------------------------------------------------------------------------ */

bool
v8_locations_read(struct v8 *v)
{
	static const char *const names[] = { "object_index", "script_id", "line", "column" };
	struct v8_numbers in = { .p = v->source->data + v->locations.at, .end = v->source->data + v->source->size };
	uint8_t column[NELEM(names)], width = v8_fields(v, "location_fields", names, NELEM(names), NELEM(names),
	    column);
	uint64_t row[V8_FIELDS];
	struct v8_place place;

	if (width == 0 || v->locations.at == 0)
		return true;
	while (v8_row(&in, width, row)) {
		if (row[column[0]] % v->meta.width != 0 || row[column[0]] / v->meta.width >= v->n) {
			v->bad.edges++;
			continue;
		}
		place = (struct v8_place){ row[column[0]] / v->meta.width, v8_nodes_fit(row[column[1]]),
		    v8_nodes_fit(row[column[2]]), v8_nodes_fit(row[column[3]]) };
		if (!array_add(&v->places, &v->nplaces, &place, v->err) ||
		    !work_each(v->work, v->nplaces, TICK, v->err))
			return false;
	}
	v->bad.numbers += in.bad;
	return make_sort(&v->places.raw, v->nplaces, sizeof place, v->work, v->err);
}
