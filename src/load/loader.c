/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loader: the loader of a name or of an open file, and what it makes.
 */
#include "config.h"

#include "icecore/facts.h"
#include "decode.h"

const struct loader *
loader_named(struct str name)
{
	for (size_t i = 0; loaders[i] != NULL; i++)
		if (str_eq(str_of(loaders[i]->name), name))
			return loaders[i];
	return NULL;
}

const struct loader *
load_loader(const struct store *st)
{
	return loader_named(fact_text(st, FACT_LOADER));
}

unsigned
load_shapes(const struct store *st)
{
	uint64_t shapes = fact_value(st, FACT_SHAPES);
	const struct loader *l = shapes != 0 ? NULL : load_loader(st);

	return shapes != 0 ? (unsigned)shapes : l != NULL ? l->shapes : 0;
}

uint64_t
load_dumps(const struct store *st, uint64_t *at)
{
	const struct loader *l = load_loader(st);
	uint64_t n = (load_shapes(st) & SHAPE_GRAPH) != 0 || (l != NULL && l->dumps) ? fact_value(st, FACT_DUMPS) : 0;

	/* A loader that reads the dumps up to one reads all by default. */
	*at = fact_value(st, FACT_DUMP) > 0 ? fact_value(st, FACT_DUMP) : n;
	return n > 1 ? n : 0;
}

unsigned
load_possible_shapes(unsigned shapes)
{
	return (shapes & SHAPE_MARKS) == 0 ? shapes : (shapes & SHAPE_SAMPLES) != 0 ? shapes | SHAPE_INTERVALS :
	    shapes | SHAPE_INTERVALS | SHAPE_CALLS | SHAPE_TASKS | SHAPE_TRACKS;
}

bool
load_graph_only(unsigned shapes)
{
	return (shapes & (SHAPE_COSTS | SHAPE_SAMPLES)) == SHAPE_COSTS;
}

uint64_t
load_left_out(const struct store *st)
{
	uint64_t n = fact_value(st, FACT_REPAIR_IGNORED_LINES);

	return n > fact_value(st, FACT_LINES) ? n : 0;
}
