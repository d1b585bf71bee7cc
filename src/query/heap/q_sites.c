/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_sites: the places in the program that made the objects of a heap, by class of the objects.
 */
#include "config.h"

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "icecore/facts.h"
#include "hrows.h"

struct site {
	uint64_t	objects, bytes, live, live_bytes;
	uint32_t	site, class;
	uint32_t	first, last, generations;	/* 1 + the number of collections before; how many of those */
};

struct site_rows {
	struct item_rows	 rows;
	struct idmap		 known, born;	/* of site and class; of those and a generation */
};

static bool
sites_name_text(struct item_rows *s, uint64_t site, struct buf *b)
{
	heap_site_name(&HEAP(s)->view.heap, (uint32_t)site, b);
	return true;
}

void
before_cell(UNUSED struct item_rows *s, uint64_t born, struct cell *c)
{
	c->type = born == 0 ? CELL_NONE : CELL_COUNT;
	c->u = born - 1;
}

void
age_cell(struct item_rows *s, uint64_t born, struct cell *c)
{
	c->type = born == 0 ? CELL_NONE : CELL_COUNT;
	c->u = fact_value(s->st, FACT_GENERATION_LAST) + 1 - born;
}

#define SITE(member) ITEM(struct site, member)

static const struct coldef site_cols[] = {
	{ "site", CELL_TEXT, "file and line", TEXT(sites_name_text, SITE(site)), .cut = CUT_FRONT },
	{ "method", CELL_TEXT, "method that ran", MADE(SITE(site), .by = COL_SITE_METHOD, .show = SHOW_REF) },
	{ "class", CELL_TEXT, "class of the objects", FROM(SHOW_CLASS, SITE(class)) },
	{ "objects", CELL_COUNT, "objects made there", NUMBER_OF(SITE(objects)) },
	{ "bytes", CELL_BYTES, "their shallow size", NUMBER_OF(SITE(bytes)) },
	{ "live", CELL_COUNT, "reachable ones", NUMBER_OF(SITE(live)) },
	{ "live_bytes", CELL_BYTES, "their shallow size", NUMBER_OF(SITE(live_bytes)) },
	{ "generations", CELL_COUNT, "generations of reachable ones: many as in a leak, few as at a start",
	    NUMBER_OF(SITE(generations)) },
	{ "first", CELL_COUNT, "generation of the oldest reachable one", COMPUTED(before_cell, SITE(first)) },
	{ "last", CELL_COUNT, "generation of the newest reachable one", COMPUTED(before_cell, SITE(last)) },
	{ "file", CELL_TEXT, "file", MORE, MADE(SITE(site), .by = COL_SITE_FILE, .show = SHOW_REF) },
	{ "line", CELL_COUNT, "line", MORE, COMPUTED(before_cell, SITE(site), .by = COL_SITE_LINE) }
};

/* Counts one more; born 0: no generation is known. */
static bool
count_live(struct site_rows *s, struct site *of, uint32_t row, uint32_t born, uint64_t bytes)
{
	uint64_t before = s->born.n;
	uint32_t found;

	of->live++;
	of->live_bytes = num_add(of->live_bytes, bytes);
	if (born == 0)
		return true;
	if (!idmap_enter(&s->born, (uint64_t)row << 32 | born, 1, &found, &s->rows.rows.err))
		return false;
	of->generations += s->born.n > before;
	of->first = of->first == 0 || born < of->first ? born : of->first;
	of->last = born > of->last ? born : of->last;
	return true;
}

static bool
sites_step(struct item_rows *r)
{
	struct site_rows *s = (struct site_rows *)r;
	const struct heap *h = &HEAP(r)->view.heap;
	const struct column *sites = store_column(h->st, COL_OBJECT_SITE), *born = store_column(h->st, COL_OBJECT_BORN);

	for (uint32_t object = 1, row; object <= h->objects; object++) {
		struct site new = { .site = (uint32_t)column_get(sites, object - 1ull),
		    .class = heap_class(h, object) }, *of;
		uint64_t bytes = heap_shallow(h, object);

		if (object % 4096 == 0 && !rows_tick(&r->rows, object))
			return false;
		if (new.site == 0)
			continue;
		if (!idmap_enter(&s->known, (uint64_t)new.site << 32 | new.class, (uint32_t)r->n + 1, &row,
		    &r->rows.err) ||
		    (row > r->n && !item_rows_add(r, &new)))
			return false;
		of = &SCRATCH(r->list, struct site)[row - 1];
		of->objects++;
		of->bytes = num_add(of->bytes, bytes);
		if (heap_dominator(h, object) != 0 &&
		    !count_live(s, of, row, (uint32_t)column_get(born, object - 1ull), bytes))
			return false;
	}
	return false;
}

static void
sites_end(struct item_rows *r)
{
	idmap_free(&((struct site_rows *)r)->known);
	idmap_free(&((struct site_rows *)r)->born);
}

static const struct source site_source = { .domain = &heap_domain, .size = sizeof(struct site_rows),
    .item = sizeof(struct site), .step = sites_step, .end = sites_end };

const struct command source_sites = {
	SOURCE("sites", "allocation sites of the objects, by class", "sites | sort -live_bytes | head 10",
	    heap_rows_open),
	HEAP_ROWS_OF(SHAPE_SITES, site_cols, site_source, needs_dominators),
	.names = { "site", "class" },
	.to_get = "a Ruby heap dump with traced allocations: trace_object_allocations_start"
};
