/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * native: memory that malloc returned and nobody freed, from profiler.Malloc and profiler.Free of async-profiler.
 * A free ends the allocation at its address; the writers of events differ, so only their times give the order.
 */
#include "config.h"

#include <assert.h>

#include "jfr.h"

void
jfr_native_add(struct jfr *j, const struct jfr_plan *plan, const uint64_t *slot, uint32_t thread, uint32_t stack)
{
	struct jfr_native new = { .address = slot[EVENT_VALUES], .thread = thread, .stack = stack };

	if (plan->slot[EVENT_START].kind != JFR_NUMBER || plan->slot[EVENT_VALUES].kind != JFR_NUMBER)
		return;
	new.time = jfr_chunk_time(&j->c, slot[EVENT_START]);
	new.bytes = thread == 0 || (int64_t)slot[EVENT_WEIGHT] < 0 ? 0 : slot[EVENT_WEIGHT];
	j->nfreed += thread == 0;
	INTO_ROW(&j->to, j->native, j->nnative, new, "allocations");
}

/* Set the bytes of allocations that were freed, and of frees, to 0. */
static void
native_match(struct jfr *j)
{
	struct jfr_native *row = SCRATCH(j->native, struct jfr_native);
	struct idmap open = { 0 };
	uint32_t last;

	assert(j->nnative < UINT32_MAX);
	for (uint32_t i = 0; i < j->nnative && !j->to.bad; i++) {
		if (i % JFR_TICK == 0)
			into_go(&j->to, j->c.size);
		last = idmap_get(&open, row[i].address + 1);
		/* An address that is given out again was free: its free is not in the recording. */
		if (last != 0)
			row[last - 1].bytes = 0;
		INTO(&j->to, idmap_put(&open, row[i].address + 1, i + 1, j->to.err));
	}
	idmap_free(&open);
}

void
jfr_native_settle(struct jfr *j)
{
	struct jfr_native *row;
	struct sample s = { .count = 1 };
	struct jfr_known *known;

	/* Without any free the recorder left them out. */
	if (j->nfreed == 0 || j->nfreed == j->nnative || j->nnative >= UINT32_MAX)
		return;
	INTO(&j->to, make_sort(&j->native, j->nnative, sizeof(struct jfr_native), j->to.work, j->to.err));
	native_match(j);
	s.event = j->to.bad ? 0 : jfr_event_add(j, STR(JFR_UNRELEASED), jfr_rule_of(STR(JFR_UNRELEASED)), true);
	for (uint64_t i = 0; i < j->nnative && !j->to.bad; i++) {
		row = &SCRATCH(j->native, struct jfr_native)[i];
		if (row->bytes == 0)
			continue;
		known = &SCRATCH(j->known, struct jfr_known)[s.event - 1];
		known->n++;
		known->stacks += row->stack != 0;
		known->bare = true;
		s.time = row->time;
		s.weight = row->bytes;
		s.thread = row->thread;
		s.stack = row->stack;
		into_sample(&j->to, &s);
	}
}
