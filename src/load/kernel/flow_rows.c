/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow_rows: arrows from one event to another one.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "icecore/columns_marks.h"
#include "kernel.h"

/* A flow that later events may continue. */
struct flow_now {
	bool			open;
	struct flow_stop	last;
};

/* The first member is the sort key. */
struct arrow {
	uint64_t		start, delay;
	struct flow_stop	from, to;
	uint64_t		points;
	uint32_t		id;		/* word; 0: not shown */
	uint8_t			whole;
};

bool
flow_arrow(struct flows *f, struct marks_in *m, const struct flow_stop *from, const struct flow_stop *to,
    uint64_t id, struct err *err)
{
	struct arrow a = { .from = *from, .to = *to, .points = 2, .whole = 1 };
	char text[24];

	/* Arrows point forward in time. */
	if (from->time > to->time) {
		a.from = *to;
		a.to = *from;
	}
	a.start = a.from.time;
	a.delay = a.to.time - a.from.time;
	snprintf(text, sizeof text, "%" PRIu64, id);
	return (id == 0 || marks_word_of(m, str_of(text), &a.id, err)) &&
	    make_add(&f->arrows, &f->narrows, &a, sizeof a, UINT64_MAX, "flows", err);
}

bool
flow_pass(struct flows *f, struct marks_in *m, uint64_t key, uint64_t id, const struct flow_stop *end,
    enum flow_how how, struct err *err)
{
	uint32_t at = idmap_get(&f->by_flow, key);
	struct flow_now new = { .open = false }, *now;

	if (at == 0) {
		if (how == FLOW_END || how == FLOW_CLOSE)
			return true;
		if (!make_add(&f->flows, &f->nflows, &new, sizeof new, MAKE_MOST, "flows", err))
			return false;
		at = (uint32_t)f->nflows;
		if (!idmap_put(&f->by_flow, key, at, err))
			return false;
	}
	now = &SCRATCH(f->flows, struct flow_now)[at - 1];
	if (now->open && how != FLOW_START && !flow_arrow(f, m, &now->last, end, id, err))
		return false;
	if (how == FLOW_START || how == FLOW_STEP)
		*now = (struct flow_now){ true, *end };
	else if (how == FLOW_CLOSE)
		now->open = false;
	return true;
}

void
flow_order(struct flows *f, const uint32_t *place)
{
	struct arrow *a = SCRATCH(f->arrows, struct arrow);

	for (uint64_t i = 0; i < f->narrows; i++) {
		a[i].from.thread = a[i].from.thread == 0 ? 0 : place[a[i].from.thread - 1];
		a[i].to.thread = a[i].to.thread == 0 ? 0 : place[a[i].to.thread - 1];
	}
}

bool
flow_columns(struct flows *f, struct marks_in *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_FLOW_START, arrow, start), MAKE(COL_FLOW_DELAY, arrow, delay),
		MAKE(COL_FLOW_WHOLE, arrow, whole),
		MAKE(COL_FLOW_NAME, arrow, from.name), MAKE(COL_FLOW_CAT, arrow, from.cat),
		MAKE(COL_FLOW_ID, arrow, id),
		MAKE(COL_FLOW_POINTS, arrow, points), MAKE(COL_FLOW_FROM_THREAD, arrow, from.thread),
		MAKE(COL_FLOW_FROM_METHOD, arrow, from.frame), MAKE(COL_FLOW_TO_THREAD, arrow, to.thread),
		MAKE(COL_FLOW_TO_METHOD, arrow, to.frame), MAKE(COL_FLOW_FROM_NAME, arrow, from.name),
		MAKE(COL_FLOW_TO_NAME, arrow, to.name)
	};

	return make_sort(&f->arrows, f->narrows, sizeof(struct arrow), m->l->work, err) &&
	    make_columns(m->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(f->arrows, struct arrow), f->narrows), err);
}

void
flow_close(struct flows *f)
{
	SCRATCH_FREE(&f->flows, &f->arrows);
	idmap_free(&f->by_flow);
}
