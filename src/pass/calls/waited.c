/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "waited": the weight of each method including the frames below it in which threads wait, and those of the
 * kernel.
 *
 * Off its CPUs a thread is in the scheduler: its innermost frame tells nothing, the function that waits does.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/make.h"
#include "icecore/pass.h"
#include "icecore/runtime.h"
#include "call_tree.h"

/* Set which methods (from 1) are the program's own; without a name they are nobody's. */
static bool
own_methods(const struct store *st, uint8_t *own, uint64_t methods, struct work *w, struct err *err)
{
	OWN_BUF name = BUF_INIT;

	for (uint32_t i = 1; i <= methods; i++) {
		if (!work_each(w, i, 4096, err))
			return false;
		buf_clear(&name);
		method_name(st, i, &name);
		own[i] = method_kind(st, i) != 'k' &&
		    !runtime_is(buf_view(&name), WAITING_ANY | RUNTIME_GLUE | RUNTIME_NAMELESS);
	}
	return !name.bad || fail_memory(err, "names");
}

/* Give the weight of each call to its method, or to the nearest caller that is the program's own. */
static bool
give(const struct store *st, const uint8_t *own, uint32_t *owner, uint64_t *sum, uint64_t methods, struct work *w,
    struct err *err)
{
	const struct column *parent = store_column(st, COL_CALL_PARENT),
	    *method = store_column(st, COL_CALL_METHOD), *self = store_column(st, COL_CALL_SELF_WALL);
	uint64_t of, up;

	for (uint64_t row = 0; row < method->rows; row++) {
		if (!work_each(w, row, 4096, err) || !call_row(parent, method, row, methods, &of, &up, err))
			return false;
		owner[row] = own[of] ? (uint32_t)of : up == 0 ? 0 : owner[up - 1];
		if (owner[row] != 0)
			sum[owner[row] - 1] = num_add(sum[owner[row] - 1], column_get(self, row));
	}
	return true;
}

static bool
waited_run(struct store *st, struct work *w, struct err *err)
{
	uint64_t methods = column_rows(store_column(st, COL_METHOD_RAW)),
	    calls = column_rows(store_column(st, COL_CALL_METHOD));
	uint64_t *sum = store_make(st, COL_METHOD_WAITED, COL_U64, methods, err);
	OWN_ARRAY(uint8_t) own = ARRAY_INIT;
	OWN_ARRAY(uint32_t) owner = ARRAY_INIT;

	work_start(w, "waits of methods", calls);
	return sum != NULL && array_grow(&own, methods + 1, err) && array_grow(&owner, calls + 1, err) &&
	    own_methods(st, own.at, methods, w, err) && give(st, own.at, owner.at, sum, methods, w, err);
}

const struct pass pass_waited = {
	.name = "waited", .what = "waits of methods", .run = waited_run,
	.needs = PASS_COLUMNS(COL_CALL_PARENT, COL_CALL_METHOD, COL_CALL_SELF_WALL, COL_METHOD_RAW),
	.makes = PASS_COLUMNS(COL_METHOD_WAITED)
};
