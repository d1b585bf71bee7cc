/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_dumps: several heap dumps in a file: where each begins and ends, and which records belong to the wanted one.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "hprof.h"

static void
count_dump(struct hprof *h)
{
	assert(!h->counted);
	h->counted = true;
	h->dumps++;
	for (size_t i = 0; i < TABLES; i++)
		if (h->dumps + 1 == h->want)
			h->table[i].from = h->table[i].n;
		else if (h->dumps == h->want)
			h->table[i].to = h->table[i].n;
}

/*
 * Begin a heap record of the current dump or of the next one. A HEAP_DUMP record is a dump of its own. A dump without
 * contents is not counted.
 */
static void
enter_dump(struct hprof *h, unsigned tag, bool empty)
{
	if (h->ended || tag == RECORD_HEAP) {
		h->counted = false;
		if (h->dumps + 1 == h->want)
			h->open_segments = h->end_record = false;
	}
	if (!h->counted && !empty)
		count_dump(h);
	h->dump = h->dumps + !h->counted;
	h->ended = tag == RECORD_HEAP;
	h->heap = true;
}

void
hprof_dump_end(struct hprof *h)
{
	h->end_record |= h->dump == h->want;
	h->ended = true;
}

/* ---- other dumps -------------------------------------------------------------------- */

/*
 * The length locates the next record, unless it is wrong or missing (open), or reaches the end of the file before the
 * wanted dump was found. Then walk the sub-records to their end, as in the wanted dump, so that both ways find the
 * same number of dumps.
 */
static uint64_t
skip_heap(struct hprof *h, uint64_t p, uint64_t end, bool open)
{
	if (!open && (end == h->size ? h->dumps >= h->want : hprof_header_ok(h, end)))
		return end;
	while (p < end && hprof_pass(h, &p, h->size))
		if (!hprof_tick(h, p))
			return h->size;
	if (open || end == h->size)
		return hprof_search(h, p, h->size);
	return p > end ? hprof_overrun(h, end, p) : end;
}

/* ---- the wanted dump ------------------------------------------------------------------ */

uint64_t
hprof_dump(struct hprof *h, unsigned tag, uint64_t p, uint64_t length)
{
	bool open;
	uint64_t end = hprof_heap_end(h->data, h->size, tag, p, length, &open), stop;

	enter_dump(h, tag, length == 0 && !open);
	if (h->dump != h->want)
		return skip_heap(h, p, end, open || (length > h->size - p && h->dumps < h->want));
	h->open_segments |= tag == RECORD_SEGMENT;
	h->no_length |= open && length == 0;
	if (length == 0 && !open)
		return p;
	stop = hprof_heap(h, p, end, open);
	if (h->failed)
		return h->size;
	/* The length was too short: sub-records of the same dump continue after it. */
	if (!open && stop >= end && stop < h->size && !hprof_header_ok(h, end) && !hprof_header_ok(h, stop) &&
	    hprof_is_heap(h, stop, h->size)) {
		h->lost.lengths++;
		stop = hprof_heap(h, stop, h->size, true);
		return h->failed ? h->size : stop;
	}
	/* The record is truncated, unless its length was wrong and everything was read. */
	if (!open && length > h->size - p && stop == h->size)
		h->lost.cut_bytes += length - (h->size - p);
	return hprof_overrun(h, end, stop);
}

uint64_t
hprof_dump_rest(struct hprof *h, uint64_t p)
{
	enter_dump(h, RECORD_SEGMENT, false);
	if (h->dump != h->want)
		return skip_heap(h, p, h->size, true);
	h->open_segments = true;
	p = hprof_heap(h, p, h->size, true);
	return h->failed ? h->size : p;
}

/* ---- threads ---------------------------------------------------------------------------- */

/* The thread started after the wanted dump, with another dump following, or it ended before. */
static bool
lives_elsewhere(const struct hprof *h, const struct thread_row *t)
{
	if (t->rooted || t->held)
		return false;
	return t->ended < h->want || (t->started >= h->want && h->dumps > h->want);
}

/*
 * The stacks come before the heap, and some writers put thread objects at its end. In a truncated dump, stacks are
 * the only data about threads.
 */
static bool
hprof_dumps_add_threads(struct hprof *h)
{
	struct trace_row *trace;
	struct thread_row *t;

	for (uint64_t i = 0; i < h->table[THREADS].n; i++)
		if (ROW(h->table[THREADS], struct thread_row, i)->rooted)
			return true;
	for (uint64_t i = 0; i < h->table[TRACES].n; i++) {
		trace = ROW(h->table[TRACES], struct trace_row, i);
		if (trace->thread == 0 || idmap_get(&h->thread_map, (uint64_t)trace->thread + 1) != 0)
			continue;
		if ((t = hprof_thread(h, trace->thread)) == NULL)
			return false;
		t->trace = trace->serial;
	}
	return true;
}

static void
hold_threads(struct hprof *h)
{
	const struct root_row *r;
	uint32_t thread;

	for (uint64_t i = 0; i < h->table[ROOTS].n; i++) {
		r = ROW(h->table[ROOTS], struct root_row, i);
		thread = root_is_local(r->kind) ?
		    idmap_get(&h->thread_map, (uint64_t)r->serial + 1) : 0;
		if (thread != 0)
			ROW(h->table[THREADS], struct thread_row, thread - 1)->held = true;
	}
}

static bool
choose_threads(struct hprof *h)
{
	struct table *t = &h->table[THREADS];
	uint64_t n = t->n;

	hold_threads(h);
	idmap_free(&h->thread_map);
	for (uint64_t i = t->n = 0; i < n; i++) {
		struct thread_row row = *ROW(*t, struct thread_row, i);

		assert(t->n <= i);
		if (lives_elsewhere(h, &row))
			continue;
		*ROW(*t, struct thread_row, t->n++) = row;
		if (!idmap_put(&h->thread_map, (uint64_t)row.serial + 1, (uint32_t)t->n, h->err))
			return hprof_fail(h);
	}
	return true;
}

/* ---- duplicate ids ---------------------------------------------------------------------- */

/* The first row of an id is used: those directly before the dump precede those of other dumps. */
static bool
hprof_dumps_put_first(struct hprof *h, struct table *t, size_t size)
{
	uint64_t own = t->to - t->from;
	struct scratch rows = SCRATCH_INIT;

	assert(t->from <= t->to && t->to <= t->n);
	if (own == 0 || t->from == 0)
		return true;
	if (!scratch_array(&rows, t->n, size, h->err))
		return hprof_fail(h);
	memcpy(rows.data, t->rows.data + t->from * size, own * size);
	memcpy(rows.data + own * size, t->rows.data, t->from * size);
	memcpy(rows.data + t->to * size, t->rows.data + t->to * size, (t->n - t->to) * size);
	scratch_free(&t->rows);
	t->rows = rows;
	return true;
}

bool
hprof_choose(struct hprof *h)
{
	return (h->want <= 1 || (hprof_dumps_put_first(h, &h->table[STRINGS], sizeof(struct pair)) &&
	    hprof_dumps_put_first(h, &h->table[FRAMES], sizeof(struct pair)) &&
	    hprof_dumps_put_first(h, &h->table[TRACES], sizeof(struct trace_row)))) &&
	    hprof_dumps_add_threads(h) && choose_threads(h);
}
