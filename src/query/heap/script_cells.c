/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script_cells: cells of heaps of JavaScript: distances from roots, states of DOM nodes, places in scripts.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "icecore/facts.h"
#include "hrows.h"

#define SYSTEM 100000000u	/* distance of the root of the system */

static uint32_t
script_distance(uint64_t value)
{
	return (uint32_t)(value >> 1) - 1 + (value & 1 ? SYSTEM : 0);
}

void
distance_cell(UNUSED struct item_rows *s, uint64_t value, struct cell *c)
{
	c->type = value == 0 ? CELL_NONE : CELL_COUNT;
	c->u = value == 0 ? 0 : script_distance(value);
}

/* Objects whose bytes others have do not count. */
static bool
script_distances(struct heap_view *v, struct err *err)
{
	const struct heap *h = &v->heap;
	const struct column *far = store_column(h->st, COL_OBJECT_DISTANCE);
	bool owned = fact_value(h->st, FACT_HEAP_OWNED) != 0;
	uint32_t class, near;
	uint64_t value;

	if (v->near.raw.size > 0)
		return true;
	if (!array_grow(&v->near, h->classes + 1ull, err))
		return false;
	for (uint32_t i = 0; i <= h->classes; i++)
		v->near.at[i] = UINT32_MAX;
	for (uint32_t i = 1; i <= h->objects; i++) {
		if (owned && heap_shallow(h, i) == 0)
			continue;
		class = heap_class(h, i);
		value = column_get(far, i - 1ull);
		near = value == 0 ? 0 : script_distance(value) + 1;
		v->near.at[class] = near < v->near.at[class] ? near : v->near.at[class];
	}
	return true;
}

void
class_distance_cell(struct item_rows *s, uint64_t class, struct cell *c)
{
	struct heap_view *v = &HEAP(s)->view;
	uint32_t near = script_distances(v, &s->rows.err) ? v->near.at[class] : 0;

	c->type = near == 0 || near == UINT32_MAX ? CELL_NONE : CELL_COUNT;
	c->u = near - 1;
}

/* Lines and columns count from 1, as in messages of JavaScript. */
bool
script_place_text(struct item_rows *s, uint64_t row, struct buf *b)
{
	if (row != 0)
		buf_printf(b, "%" PRIu64 ":%" PRIu64 ":%" PRIu64, store_cell(s->st, COL_PLACE_SCRIPT, row),
		    store_cell(s->st, COL_PLACE_LINE, row) + 1, store_cell(s->st, COL_PLACE_COLUMN, row) + 1);
	return row != 0;
}

bool
object_place_text(struct item_rows *s, uint64_t object, struct buf *b)
{
	return script_place_text(s, column_find(store_column(s->st, COL_PLACE_OBJECT), object), b);
}

const char *
dom_state(unsigned state)
{
	return state == 1 ? "attached" : state == 2 ? "detached" : NULL;
}
