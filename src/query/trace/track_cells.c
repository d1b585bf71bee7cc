/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * track_cells: cells of values over time.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/sched.h"
#include "trace.h"

static bool
make_index(struct track_index *x, const struct store *st)
{
	size_t i, n = tracks_count(st);
	struct track t;

	for (i = 0; i < n; i++)
		if (track_get(st, i, &t) && strcmp(t.name, x->name) == 0 &&
		    idmap_get(&x->places, t.thread) == 0 &&
		    !idmap_put(&x->places, t.thread, (uint32_t)i + 1, NULL))
			return false;
	x->made = true;
	return true;
}

bool
track_index_find(struct track_index *x, const struct store *st, uint32_t thread, struct track *t)
{
	uint32_t place;

	if (!x->made && !make_index(x, st))
		return false;
	place = idmap_get(&x->places, thread);
	return place != 0 && track_get(st, place - 1, t);
}

void
cell_track(const struct track *t, uint64_t value, struct cell *c)
{
	c->type = t->kind == TRACK_CPU || strcmp(t->unit, "ns") == 0 ? CELL_TIME :
	    strcmp(t->unit, "bytes") == 0 ? CELL_BYTES : CELL_COUNT;
	c->u = value;
	if (c->type == CELL_BYTES && t->decimals == 0 && value < t->below) {
		c->type = CELL_INT;
		c->bytes = 1;
		c->i = num_difference(value, t->below);
	} else if (c->type == CELL_BYTES && t->decimals == 0) {
		c->u = value - t->below;
	} else if (t->decimals > 0 || t->below > 0) {
		c->type = CELL_REAL;
		c->f = track_real(t, value);
	}
}

void
cell_rate(uint64_t growth, uint64_t ns, struct cell *c)
{
	c->type = ns > 0 ? CELL_REAL : CELL_NONE;
	if (ns > 0)
		c->f = (double)growth * 1e9 / (double)ns;
}

void
cell_use(uint64_t cpu, uint64_t ns, struct cell *c)
{
	c->type = ns > 0 ? CELL_PERCENT : CELL_NONE;
	if (ns > 0)
		c->f = 100 * (double)cpu / (double)ns;
}

void
cell_cpu_inside(struct track_index *x, const struct store *st, uint32_t thread, uint64_t from, uint64_t to,
    struct cell *cpu, struct cell *use)
{
	struct track_piece p;
	struct track t;

	cpu->type = use->type = CELL_NONE;
	if (!track_index_find(x, st, thread, &t))
		return;
	track_piece(&t, from, to, &p);
	if (p.known == 0 && to > from)
		return;
	cpu->type = CELL_TIME;
	cpu->u = p.sum;
	cell_use(p.sum, p.known, use);
}

uint64_t
event_at(const struct store *st, column_id times, column_id threads, uint32_t thread, uint64_t time)
{
	const struct column *t = store_column(st, times), *who = store_column(st, threads);
	uint64_t n = column_rows(t);

	for (uint64_t i = n == 0 ? 0 : column_place(t, time); i < n && column_get(t, i) == time; i++)
		if (column_get(who, i) == thread)
			return i + 1;
	return 0;
}

uint32_t
woken_by(const struct store *st, uint32_t thread, uint64_t time)
{
	uint64_t row = event_at(st, COL_WAKE_TIME, COL_WAKE_THREAD, thread, time);

	return row == 0 ? 0 : (uint32_t)store_cell(st, COL_WAKE_BY, row);
}

void
waker_name(const struct store *st, uint32_t by, struct buf *b)
{
	uint32_t id = WAKE_ID(by);

	if (id == WAKER_IRQ || id == WAKER_SOFTIRQ)
		buf_text(b, "(irq)");
	else if (id == WAKER_IDLE)
		buf_text(b, "(idle)");
	else if (id != 0)
		thread_name(st, id, b);
}

struct str
waker_process(const struct store *st, uint32_t by)
{
	uint32_t id = WAKE_ID(by), process = id > 0 && id <= TASKS_MOST ? thread_process(st, id) : 0;

	return process == 0 ? STR("") : process_name(st, process);
}

const char *
waker_context(uint32_t by)
{
	switch (WAKE_ID(by)) {
	case 0: return NULL;
	case WAKER_SOFTIRQ: return "softirq";
	case WAKER_IRQ: case WAKER_IDLE: return "irq";
	}
	return WAKE_KIND(by) == WAKE_NEW ? "new" : "task";
}
