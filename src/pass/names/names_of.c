/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names_of: which node each object belongs to.  A few nodes have nearly all objects, so that a byte is enough
 * for most.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_names.h"
#include "fold.h"

#define SELDOM UINT8_MAX	/* the object has a row of its own */
#define SELDOM_SHARE 8u		/* more than one of so many are such: the column has the nodes themselves */

struct often {
	uint64_t	less;		/* most - the objects of it: the most come first */
	uint32_t	node;
};

struct seldom {
	uint32_t	object, node;
};

/* The nodes, from 1, as they are numbered in columns; 0: none. */
static inline uint32_t
names_of_node(const struct folding *f, const uint32_t *to, uint64_t i)
{
	uint32_t node = f->of.at[i];

	return node == 0 ? 0 : to[node - 1];
}

static bool
names_of_put_nodes(struct folding *f, const uint32_t *to)
{
	enum column_type type = column_fit(f->n);
	void *of = heap_make(f->st, &f->h, COL_EACH_NAMES_OF, type, f->h.objects, f->err);

	for (uint64_t i = 0; of != NULL && i < f->h.objects; i++) {
		if (!work_each(f->work, i, FOLD_TICK, f->err))
			return false;
		column_set(of, type, i, names_of_node(f, to, i));
	}
	return of != NULL;
}

/* Sort nodes by the number of their objects, most first, and count the objects of those that get no code. */
static bool
names_of_count(struct folding *f, const uint32_t *to, struct scratch *nodes, uint64_t *seldom)
{
	struct often *often;

	if (!scratch_array(nodes, f->n + 1, sizeof *often, f->err))
		return false;
	often = SCRATCH(*nodes, struct often);
	for (uint64_t node = 0; node <= f->n; node++)
		often[node] = (struct often){ f->h.objects, (uint32_t)node };
	for (uint64_t i = 0; i < f->h.objects; i++) {
		if (!work_each(f->work, i, FOLD_TICK, f->err))
			return false;
		often[names_of_node(f, to, i)].less--;
	}
	if (!make_sort(nodes, f->n + 1, sizeof *often, f->work, f->err))
		return false;
	often = SCRATCH(*nodes, struct often);
	for (uint64_t i = SELDOM; i <= f->n; i++)
		*seldom += f->h.objects - often[i].less;
	return true;
}

/* code: by node. */
static bool
names_of_put_codes(struct folding *f, const uint32_t *to, const uint8_t *code, struct seldom *row,
    uint64_t rows)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_EACH_NAMES_SELDOM_OBJECT, seldom, object),
		MAKE_FIT(COL_EACH_NAMES_SELDOM_NODE, seldom, node)
	};
	uint8_t *of = heap_make(f->st, &f->h, COL_EACH_NAMES_OF, COL_U8, f->h.objects, f->err);
	uint64_t n = 0;
	uint32_t node;

	for (uint64_t i = 0; of != NULL && i < f->h.objects; i++) {
		if (!work_each(f->work, i, FOLD_TICK, f->err))
			return false;
		node = names_of_node(f, to, i);
		of[i] = code[node];
		if (of[i] == SELDOM)
			row[n++] = (struct seldom){ (uint32_t)i + 1, node };
	}
	assert(of == NULL || n == rows);
	return of != NULL && heap_make_columns(f->st, &f->h, columns, NELEM(columns), MAKE_ROWS(row, rows),
	    f->err);
}

bool
names_of_put(struct folding *f, const uint32_t *to)
{
	static const struct make_column column = MAKE_FIT(COL_EACH_NAMES_OFTEN, often, node);
	OWN_ARRAY(struct often) nodes = ARRAY_INIT;
	OWN_SCRATCH codes = SCRATCH_INIT;
	OWN_ARRAY(struct seldom) rows = ARRAY_INIT;
	uint64_t seldom = 0;
	bool ok = true;

	if (f->n > UINT8_MAX)
		ok = names_of_count(f, to, &nodes.raw, &seldom);
	if (ok && (f->n <= UINT8_MAX || seldom > f->h.objects / SELDOM_SHARE)) {
		array_free(&nodes);
		return names_of_put_nodes(f, to);
	}
	ok = ok && scratch_array(&codes, f->n + 1, 1, f->err) && array_grow(&rows, seldom, f->err);
	if (ok) {
		memset(codes.data, SELDOM, f->n + 1);
		for (uint64_t i = 0; i < SELDOM; i++)
			codes.data[nodes.at[i].node] = (uint8_t)i;
		ok = names_of_put_codes(f, to, codes.data, rows.at, seldom) &&
		    heap_make_columns(f->st, &f->h, &column, 1, MAKE_ROWS(nodes.at, SELDOM), f->err);
	}
	return ok;
}
