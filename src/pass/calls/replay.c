/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay: the records of a trace, one after the other, with the stack of each thread.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "calls_pass.h"

#define WRAP ((uint64_t)1 << 32)	/* range of the 32-bit clocks, in ticks */
#define STEP 60000000u			/* a fall by more is a wrap, by less a step back */

/* ---- ids ----------------------------------------------------------------------------- */

static uint32_t
replay_add_thread(struct replay *r, uint32_t tid)
{
	uint32_t n = r->nthreads + 1;

	if (!scratch_array(&r->threads, n, sizeof(struct replay_thread), r->err) ||
	    !idmap_put(&r->tids, tid, n, r->err)) {
		r->failed = true;
		return 0;
	}
	r->nthreads = n;
	replay_thread(r, n)->tid = tid;
	return n;
}

static inline uint32_t
replay_thread_of(struct replay *r, uint32_t tid)
{
	uint32_t t;

	if (tid == r->last_tid && r->last_thread != 0)
		return r->last_thread;
	if ((t = idmap_get(&r->tids, tid)) == 0)
		t = replay_add_thread(r, tid);
	r->last_tid = tid;
	r->last_thread = t;
	return t;
}

static uint32_t
replay_add_method(struct replay *r, uint64_t raw)
{
	uint32_t n = r->nmethods + 1;
	uint64_t k = raw >> 2;

	if (n == 0) {
		fail(r->err, E_SYSTEM, "too many methods (limit: 2^32)");
		goto failed;
	}
	if (!array_grow(&r->methods, n, r->err))
		goto failed;
	if (k < r->ndirect)
		r->direct.at[k] = n;
	else if (!idmap_put(&r->ids, raw, n, r->err))
		goto failed;
	r->methods.at[n - 1] = raw;
	r->nmethods = n;
	return n;
failed:
	r->failed = true;
	return 0;
}

uint32_t
replay_method(struct replay *r, uint64_t raw)
{
	uint64_t k = raw >> 2;
	uint32_t m = k < r->ndirect ? r->direct.at[k] :
	    idmap_get(&r->ids, raw);

	return m != 0 ? m : replay_add_method(r, raw);
}

/* Return the method of a record that names none (0), has a sparse id, or has an id that is not listed. */
static uint32_t
rare_method(struct replay *r, const struct record *rec)
{
	uint32_t m;

	if (rec->action >= ACT_EXIT_TOP)
		return 0;
	m = replay_method(r, rec->method);
	if (m > r->nlisted)
		r->unknown_records++;
	return m;
}

/* Newer runtimes number methods 0, 4, 8 ...: then a plain table does. */
static bool
open_methods(struct replay *r, const struct store *st)
{
	const struct column *listed = store_column(st, COL_LISTED_METHOD);
	const struct column *all = store_column(st, COL_METHOD_RAW);
	uint64_t raw, most = 0, n = column_rows(listed);

	for (uint64_t i = 0; i < n; i++)
		if ((raw = column_get(listed, i) >> 2) > most)
			most = raw;
	if (most < 4 * n + 65536)
		r->ndirect = most + 1;
	if (!array_grow(&r->direct, r->ndirect, r->err))
		return false;
	r->nlisted = (uint32_t)n;
	if (all != NULL)
		listed = all;
	for (uint64_t i = 0; listed != NULL && i < listed->rows; i++)
		if (replay_add_method(r, column_get(listed, i)) == 0)
			return false;
	return true;
}

static bool
open_threads(struct replay *r, const struct store *st)
{
	const struct column *tid = store_column(st, COL_THREAD_RAW);

	if (tid == NULL && fact_value(st, FACT_TRACE_ALL_THREADS) != 0)
		tid = store_column(st, COL_LISTED_TID);
	for (uint64_t i = 0; tid != NULL && i < tid->rows; i++)
		if (replay_add_thread(r, (uint32_t)column_get(tid, i)) == 0)
			return false;
	return true;
}

bool
replay_open(struct replay *r, const struct store *st, struct work *work, struct err *err)
{
	memset(r, 0, sizeof *r);
	r->work = work;
	r->err = err;
	if (records_open(&r->in, st, err) && open_methods(r, st) &&
	    open_threads(r, st)) {
		r->end = r->in.rows;
		return true;
	}
	replay_close(r);
	return false;
}

void
replay_close(struct replay *r)
{
	SCRATCH_FREE(&r->threads, &r->direct, &r->methods);
	idmap_free(&r->tids);
	idmap_free(&r->ids);
}

bool
replay_seek(struct replay *r, uint64_t row, uint64_t end)
{
	assert(row % BLOCK_ROWS == 0 && row <= end);
	r->at = r->n = 0;
	r->row = row;
	r->end = end < r->in.rows ? end : r->in.rows;
	return records_seek(&r->in, row);
}

/* ---- clocks ---------------------------------------------------------------------------- */

/* The bases of a thread's clocks for values seen now: nearest to, or after, the values seen before. */
static void
replay_unwrap(struct replay_thread *t, struct thread_clock *c, uint64_t latest,
    uint64_t wall, uint64_t cpu)
{
	if (!c->seen) {
		if (latest >= wall + WRAP / 2)
			c->base_wall = (latest - wall + WRAP / 2) / WRAP * WRAP;
	} else if (c->raw_wall > wall && c->raw_wall - wall > STEP) {
		c->base_wall += WRAP;
		t->wraps++;
	}
	if (latest > c->base_wall + wall &&
	    latest - (c->base_wall + wall) > WRAP / 2) {
		/* The thread slept through this many wraps. */
		uint64_t n = (latest - (c->base_wall + wall) + WRAP / 2 - 1) / WRAP;

		c->base_wall += n * WRAP;
		t->wraps += (uint32_t)n;
	}
	if (c->seen && c->raw_cpu > cpu && c->raw_cpu - cpu > STEP) {
		c->base_cpu += WRAP;
		t->wraps++;
	}
}

/* An event's times where they are not simply the record's: first records, wraps, steps back. */
static void
repair_time(struct replay *r, struct replay_thread *t, struct thread_clock *c,
    uint64_t latest, const struct record *rec, struct event *ev)
{
	if (!r->in.wide)
		replay_unwrap(t, c, latest, rec->wall, rec->cpu);
	ev->wall = c->base_wall + rec->wall;
	ev->cpu = c->base_cpu + rec->cpu;
	if (c->seen && (ev->wall < c->wall || ev->cpu < c->cpu)) {
		t->backwards++;
		if (ev->wall < c->wall)
			ev->wall = c->wall;
		if (ev->cpu < c->cpu)
			ev->cpu = c->cpu;
	}
	c->seen = 1;
}

/*
 * The events of n records of one thread.  In the usual case time moves forward and the method is listed; all
 * state of that case is in locals.
 */
static void
tell_events(struct replay *r, struct replay_thread *t, const struct record *rec,
    size_t n)
{
	struct thread_clock c = t->clock;
	const uint32_t *direct = r->direct.at;
	uint64_t latest = r->latest, ndirect = r->ndirect, k;
	uint32_t listed = r->nlisted;
	struct event *ev = r->ev, *end = ev + n;

	assert(n > 0 && n <= REPLAY_BATCH);
	for (; ev < end; ev++, rec++) {
		ev->wall = c.base_wall + rec->wall;
		ev->cpu = c.base_cpu + rec->cpu;
		if (!c.seen || ev->wall < c.wall || ev->cpu < c.cpu ||
		    latest >= ev->wall + WRAP / 2)
			repair_time(r, t, &c, latest, rec, ev);
		c.raw_wall = rec->wall;
		c.raw_cpu = rec->cpu;
		c.wall = ev->wall;
		c.cpu = ev->cpu;
		if (ev->wall > latest)
			latest = ev->wall;
		ev->action = rec->action;
		k = rec->method >> 2;
		ev->method = k < ndirect ? direct[k] : 0;
		if (ev->method == 0 || ev->method > listed ||
		    rec->action >= ACT_EXIT_TOP)
			ev->method = rare_method(r, rec);
	}
	assert(latest >= r->latest && latest >= c.wall);
	t->clock = c;
	r->latest = latest;
}

/* ---- runs -------------------------------------------------------------------------------- */

static bool
replay_fill(struct replay *r)
{
	uint64_t left = r->end > r->row ? r->end - r->row : 0;

	assert(r->at == r->n);
	if (!work_go(r->work, r->row, r->err)) {
		r->failed = true;
		return false;
	}
	r->at = 0;
	r->n = left == 0 ? 0 : records_read(&r->in, r->rec, NULL,
	    left < REPLAY_BATCH ? (size_t)left : REPLAY_BATCH);
	assert(r->n <= REPLAY_BATCH && r->n <= left);
	return r->n > 0;
}

bool
replay_next(struct replay *r, struct event_run *run)
{
	uint64_t in_block = BLOCK_ROWS - r->row % BLOCK_ROWS;
	struct replay_thread *t;
	uint32_t tid;
	size_t i, n;

	if (r->failed || (r->at == r->n && !replay_fill(r)))
		return false;
	tid = r->rec[r->at].tid;
	if ((run->thread = replay_thread_of(r, tid)) == 0)
		return false;
	t = replay_thread(r, run->thread);
	run->before = t->clock;
	run->latest = r->latest;
	n = r->n - r->at;
	if (n > in_block)
		n = (size_t)in_block;
	for (i = 1; i < n && r->rec[r->at + i].tid == tid; i++)
		;
	tell_events(r, t, &r->rec[r->at], i);
	run->n = (uint32_t)i;
	run->row = r->row;
	run->ev = r->ev;
	run->rec = &r->rec[r->at];
	r->at += i;
	r->row += i;
	assert(r->at <= r->n && r->row <= r->end);
	return !r->failed;
}
