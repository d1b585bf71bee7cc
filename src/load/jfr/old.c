/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * old: objects alive at the end of the recording, with their allocation stacks. The stacks are stored like those of
 * samples; the classes are not part of stacks.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "jfr.h"

bool
jfr_old_add(struct jfr *j, struct jfr_slot slot, uint64_t key, uint32_t stack, struct err *err)
{
	struct jfr_constant *k = slot.kind == JFR_KEY ? jfr_constant_find(&j->c, slot.type, key) : NULL;
	const struct jfr_plan *plan = k == NULL ? NULL : jfr_constant_value(&j->c, k);
	struct jfr_old new = { .stack = stack };
	struct jfr_slot class;

	if (plan == NULL)
		return true;
	class = plan->slot[OLD_CLASS];
	if (class.kind != JFR_KEY)
		return true;
	return jfr_class_frame(j, class.type, j->c.slot[OLD_CLASS], &new.class, err) &&
	    (new.class == 0 || make_add(&j->old, &j->nold, &new, sizeof new, MAKE_MOST, "old objects", err));
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
