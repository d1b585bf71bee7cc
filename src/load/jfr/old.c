/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * old: objects alive at the end of the recording, with their allocation stacks. The stacks are stored like those of
 * samples; the classes are not part of stacks.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "jfr.h"

void
jfr_old_add(struct jfr *j, struct jfr_slot slot, uint64_t key, uint32_t stack)
{
	struct jfr_constant *k = slot.kind == JFR_KEY ? jfr_constant_find(&j->c, slot.type, key) : NULL;
	const struct jfr_plan *plan = k == NULL ? NULL : jfr_constant_value(&j->c, k);
	struct jfr_old new = { .stack = stack };

	if (plan == NULL || plan->slot[OLD_CLASS].kind != JFR_KEY)
		return;
	new.class = jfr_class_frame(j, plan->slot[OLD_CLASS].type, j->c.slot[OLD_CLASS]);
	if (new.class != 0)
		INTO_ROW(&j->to, j->old, j->nold, new, "old objects");
}

bool
jfr_old_columns(struct jfr *j, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_OLD_CLASS, jfr_old, class),
		MAKE(COL_OLD_STACK, jfr_old, stack)
	};

	return j->nold == 0 || make_columns(j->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(j->old, struct jfr_old), j->nold), err);
}
