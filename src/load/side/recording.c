/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recording: a heap dump with a recording of its program, which shows where objects of each class were
 * allocated.
 */
#include "config.h"

#include "icecore/columns_allocations.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/load.h"
#include "side.h"

static bool
recording_allocates(const struct store *st)
{
	const struct column *role = store_column(st, COL_EVENT_ROLE);

	for (uint64_t i = 0; role != NULL && i < role->rows; i++)
		if (column_get(role, i) != EVENT_NO_ROLE)
			return true;
	return store_column(st, COL_OLD_CLASS) != NULL;
}

bool
load_goes_beside(const struct store *st)
{
	return recording_allocates(st) || (load_shapes(st) & (SHAPE_NATIVE | SHAPE_GRAPH)) == SHAPE_NATIVE;
}

static bool
put_names(struct store *over, const struct store *dump, const struct store *recording, struct err *err)
{
	struct str before = fact_text(dump, FACT_RECORDING);
	struct buf names = BUF_INIT;
	bool ok;

	buf_str(&names, before);
	buf_list(&names, ", ", str_of(store_path(recording)));
	ok = names.bad ? fail(err, E_SYSTEM, "out of memory (facts)") :
	    fact_set_text(over, FACT_RECORDING, buf_view(&names), err);
	buf_free(&names);
	return ok;
}

static bool
recording_put_facts(struct store *over, const struct store *dump, const struct store *recording,
    struct err *err)
{
	return put_names(over, dump, recording, err) &&
	    fact_set(over, FACT_SHAPES, load_shapes(dump) | SHAPE_MADE, err) &&
	    fact_set(over, FACT_RECORDING_ELAPSED, num_add(fact_value(dump, FACT_RECORDING_ELAPSED),
	    fact_value(recording, FACT_ELAPSED)), err);
}

bool
load_recording(struct store **dump, struct store *recording, struct err *err)
{
	static const column_id made[] = { MADE_MAKES, COL_NONE };
	struct store *over;

	if ((load_shapes(*dump) & SHAPE_GRAPH) == 0 || !load_goes_beside(recording))
		return true;
	if (!recording_allocates(recording))
		return side_native(dump, recording, err);
	if (!store_over(&over, *dump, made, err))
		return false;
	store_put_beside(over, recording);
	if (!recording_put_facts(over, *dump, recording, err)) {
		store_discard(over);
		store_close(over);
		return false;
	}
	store_publish(over);
	*dump = over;
	return true;
}
