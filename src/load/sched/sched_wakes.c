/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wakeups: who woke a task, which events belong to one wakeup, and the switch that it led to.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "wakes.h"

#define LOSSES_MOST 4096u	/* losses in the list; further ones extend its last one */

/* ---- losses ------------------------------------------------------------------------ */

void
sched_losses_close(struct sched_losses *l)
{
	SCRATCH_FREE(&l->cpus, &l->list);
}

/* Place 0 is for lines of any CPU. */
static struct sched_loss *
sched_wakes_place_of(struct sched_losses *l, uint64_t cpu, struct err *err)
{
	uint64_t at = cpu >= SCHED_CPUS ? 0 : cpu + 1;

	if ((at + 1) * sizeof(struct sched_loss) > l->cpus.size &&
	    !scratch_array(&l->cpus, at + 1, sizeof(struct sched_loss), err))
		return NULL;
	return &SCRATCH(l->cpus, struct sched_loss)[at];
}

bool
sched_loss_begins(struct sched_losses *l, uint64_t cpu, struct err *err)
{
	struct sched_loss *at = sched_wakes_place_of(l, cpu, err);

	if (at != NULL)
		at->to = 1;
	return at != NULL;
}

/* Begin a loss.  It ends with the next line of that CPU, or of any CPU if the line names none. */
bool
sched_loss(struct sched_losses *l, struct str line, struct err *err)
{
	uint64_t cpu = SCHED_CPUS;

	if (str_take(&line, STR("CPU:")) && !str_number(&line, &cpu))
		cpu = SCHED_CPUS;
	return sched_loss_begins(l, cpu, err);
}

static bool
add_loss(struct sched_losses *l, struct sched_loss new, struct err *err)
{
	struct sched_loss *list;
	uint64_t at;

	if (l->n == LOSSES_MOST) {
		list = &SCRATCH(l->list, struct sched_loss)[l->n - 1];
		list->to = list->to > new.to ? list->to : new.to;
		return true;
	}
	if (!scratch_add(&l->list, &l->n, &new, sizeof new, err))
		return false;
	list = SCRATCH(l->list, struct sched_loss);
	for (at = l->n - 1; at > 0 && list[at - 1].from > new.from; at--)
		list[at] = list[at - 1];
	list[at] = new;
	assert((at == 0 || list[at - 1].from <= new.from) && l->n <= LOSSES_MOST);
	return true;
}

bool
sched_loss_ends(struct sched_losses *l, uint32_t cpu, uint64_t time, struct err *err)
{
	uint64_t of[] = { SCHED_CPUS, cpu };
	struct sched_loss *at;

	for (size_t i = 0; i < NELEM(of); i++) {
		if ((at = sched_wakes_place_of(l, of[i], err)) == NULL ||
		    (at->to != 0 && !add_loss(l, (struct sched_loss){ at->from, time }, err)))
			return false;
		*at = (struct sched_loss){ time, 0 };
	}
	return true;
}

void
sched_losses_begin(struct sched_losses *l, uint64_t first, uint64_t at)
{
	struct sched_loss *list = SCRATCH(l->list, struct sched_loss);

	for (uint64_t i = 0; i < l->n; i++) {
		list[i].from = list[i].from > first ? num_add(list[i].from - first, at) : 0;
		list[i].to = list[i].to > first ? num_add(list[i].to - first, at) : 0;
	}
}

/* A search then needs to check one entry only. */
void
sched_losses_join(struct sched_losses *l)
{
	struct sched_loss *list = SCRATCH(l->list, struct sched_loss);

	for (uint64_t i = 1; i < l->n; i++)
		if (list[i].to < list[i - 1].to)
			list[i].to = list[i - 1].to;
}

bool
sched_loss_columns(struct store *st, const struct sched_losses *l, struct err *err)
{
	static const struct make_column columns[] = { MAKE(COL_LOST_FROM, sched_loss, from),
	    MAKE(COL_LOST_TO, sched_loss, to) };

	return l->n == 0 || make_columns(st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(l->list, struct sched_loss), l->n), err);
}

bool
sched_losses_between(const struct sched_losses *l, uint64_t from, uint64_t to)
{
	const struct sched_loss *list = SCRATCH(l->list, struct sched_loss);
	uint64_t n = l->n == 0 ? 0 : make_place(list, l->n, sizeof *list, to);

	return n > 0 && list[n - 1].to > from;
}

/* ---- single lines ------------------------------------------------------------------ */

uint32_t
sched_wake_by(enum wake_kind kind, uint8_t irq, uint32_t self)
{
	switch (irq) {
	case 'h': case 'H': case 'z': case 'Z': return WAKE_BY(kind, WAKER_IRQ);
	case 's': return WAKE_BY(kind, WAKER_SOFTIRQ);
	case SCHED_IRQ_NOBODY: return WAKE_BY(kind, 0);
	default: return WAKE_BY(kind, self == 0 ? WAKER_IDLE : self);
	}
}
