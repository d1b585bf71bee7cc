/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fits: which lines and stories are for the files of a session.
 */
#include "config.h"

#include "icecore/facts.h"
#include "query/trace/trace.h"

#include "overview.h"

/* id: 1 + enum fact_id. */
static bool
has_fact(const struct store *st, unsigned id)
{
	return fact_value(st, (enum fact_id)(id - 1)) > 0;
}

bool
overview_fits(const struct overview_line *l, const struct session *session, bool diff)
{
	const struct store *st = session_store(session);
	unsigned shapes = session_shapes(session);
	bool differs = st != NULL && fact_value(st, FACT_WEIGHT_DIFFERS) != 0;

	if (st == NULL || l->diff != diff || (l->shapes != 0 && (l->shapes & shapes) == 0) ||
	    (l->but & shapes) != 0 ||
	    (l->with != 0 && (l->with & shapes) == 0) || (shapes & l->all) != l->all ||
	    (l->but_all != 0 && (shapes & l->but_all) == l->but_all))
		return false;
	if (l->weights != WEIGHTS_ANY && differs != (l->weights == WEIGHTS_DIFFER))
		return false;
	if (l->fact != 0 && !has_fact(st, l->fact))
		return false;
	for (size_t i = 0; i < NELEM(l->no_fact); i++)
		if (l->no_fact[i] != 0 && has_fact(st, l->no_fact[i]))
			return false;
	return !l->threads || !threads_nameless(st);
}
