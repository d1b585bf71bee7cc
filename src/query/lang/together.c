/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * together: which files can be used with the first one.
 */
#include "config.h"

#include "icecore/facts.h"
#include "lang.h"

/* Shapes of files that are compared with each other, or read together. */
#define COMPARED (SHAPE_TREES | SHAPE_GRAPH | SHAPE_TASKS | SHAPE_MONEY | SHAPE_TABLE | \
	SHAPE_DUMPS | SHAPE_CODE | SHAPE_COSTS | SHAPE_TRIAGE | SHAPE_COUNTS | SHAPE_NATIVE)

static bool
together_fit(const struct store *a, const struct store *b)
{
	unsigned of_a = load_shapes(a), of_b = load_shapes(b), either = of_a | of_b, differ = of_a ^ of_b;

	if (load_loader(a) == load_loader(b))
		return true;
	if ((differ & (SHAPE_GRAPH | SHAPE_MONEY | SHAPE_TABLE)) == 0 && (of_a & of_b & COMPARED) != 0)
		return true;
	if ((differ & SHAPE_GRAPH) != 0)
		return load_goes_beside((of_a & SHAPE_GRAPH) != 0 ? b : a);
	/* A scheduler trace and a trace of the same program have one time axis. */
	return (differ & SHAPE_TASKS) != 0 && (either & SHAPE_MONEY) == 0 && load_has_times(a) &&
	    load_has_times(b);
}

bool
session_compares(const struct session *s)
{
	unsigned first, other;

	if (s->nstores != 2)
		return false;
	first = load_shapes(s->store[0]) & SHAPE_COMPARED;
	other = load_shapes(s->store[1]) & SHAPE_COMPARED;
	return first != 0 && first == other;
}

/* An option may take such a file instead. */
static const char *
together_hint(const struct store *st)
{
	unsigned shapes = load_shapes(st);

	return (shapes & SHAPE_TABLE) != 0 ? "show its numbers beside a trace with --tracks" :
	    (shapes & SHAPE_CODE) != 0 ? "give it with --classes" :
	    (shapes & SHAPE_DUMPS) != 0 ? "give it with --threads" : "open it alone";
}

bool
session_together(const struct session *s, size_t i, struct err *err)
{
	const struct store *first = s->store[0], *other = s->store[i];
	struct str a = fact_text(first, FACT_FORMAT), b = fact_text(other, FACT_FORMAT);

	return together_fit(first, other) || fail_file(err, E_USAGE, store_path(other),
	    "%.*s cannot be used together with %.*s (%s); %s%s",
	    (int)b.n, b.n > 0 ? b.s : "this file", (int)a.n, a.n > 0 ? a.s : "this file", store_path(first),
	    s->remote ? "ask about each file alone" : together_hint(other),
	    s->remote ? "" : ", or choose one file with --file N");
}
