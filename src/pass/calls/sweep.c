/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep: the calls of many threads in one pass over the records, block by block.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "icecore/span_find.h"
#include "order.h"

/* A thread that is asked for. */
struct swept {
	struct stack	stack;		/* in the block */
	uint64_t	first, n;	/* range of the thread in mark.list */
	uint64_t	k, left;	/* the next of them, and how many more are asked for */
	bool		here;		/* the thread has a mark in the block */
};

struct sweeping {
	const struct span_sweep	*ask;
	struct marks		 m;		/* marks of the thread that is looked at */
	struct scratch		 threads;	/* struct swept by thread - 1 */
	uint64_t		 nthreads;
	struct spans		 out;		/* calls of the block */
	ARRAY(uint32_t)	who;		/* the threads of these */
	struct idmap		 index;
	uint64_t		 block;		/* the first one to be read */
	struct err		*err;
};

/* The thread that a mark is of, if it is asked for from there on. */
static struct swept *
swept_at(struct sweeping *w, uint64_t mark)
{
	uint64_t thread = column_get(w->m.thread, mark);
	struct swept *s;

	if (thread == 0 || thread > w->nthreads)
		return NULL;
	s = &SCRATCH(w->threads, struct swept)[thread - 1];
	w->m.id = (uint32_t)thread;
	w->m.first = s->first;
	w->m.n = s->n;
	return s->left > 0 && mark_of(&w->m, s->k) == mark ? s : NULL;
}

/* Record the thread of all spans from index from on. */
static bool
tell_thread(struct sweeping *w, uint64_t from, uint32_t thread)
{
	assert(from <= w->out.n);
	if (!array_grow(&w->who, w->out.n, w->err))
		return false;
	assert(from <= w->out.n);
	for (; from < w->out.n; from++)
		w->who.at[from] = thread;
	return true;
}

/* Begin a block of a thread; its first block adds the calls that were open before. */
static bool
sweep_begin_thread(struct sweeping *w, struct swept *s, uint64_t mark)
{
	uint64_t from = w->out.n;
	bool first = s->stack.thread == 0;

	assert(!s->here);
	s->stack.thread = w->m.id;
	s->here = true;
	return (!first || spans_add_callers(&w->m, column_get(w->m.top, mark), w->ask->from, &w->out,
	    w->err)) &&
	    tell_thread(w, from, w->m.id) && marks_stack(&w->m, mark, &s->stack, w->err);
}

static bool
sweep_take_run(struct sweeping *w, struct chunk *c, const struct event_run *run)
{
	uint64_t from = w->out.n;
	struct swept *s;

	if (run->thread > w->nthreads)
		return true;
	s = &SCRATCH(w->threads, struct swept)[run->thread - 1];
	if (!s->here)
		return true;
	c->stack = &s->stack;
	return chunk_take(c, run) && tell_thread(w, from, run->thread);
}

static void
end_thread(struct sweeping *w, struct chunk *c, struct swept *s, bool ok)
{
	assert(s->here && s->left > 0);
	c->stack = &s->stack;
	if (ok)
		chunk_close(c, s->k);
	stack_free(&s->stack);
	s->stack = (struct stack){ .thread = w->m.id };
	s->here = false;
	s->k++;
	s->left--;
}

/* Only what touches the time. */
static bool
hand_over(struct sweeping *w)
{
	struct span *x = w->out.span;
	uint32_t *who = w->who.at;
	size_t n = 0;

	for (size_t i = 0; i < w->out.n; i++) {
		if (x[i].end < w->ask->from || x[i].start > w->ask->to)
			continue;
		x[n] = x[i];
		who[n++] = who[i];
	}
	return n == 0 || w->ask->take(w->ask->arg, x, who, n, w->err);
}

static bool
sweep_block(struct sweeping *w, uint64_t block)
{
	struct chunk c = { .m = &w->m, .out = &w->out, .index = &w->index, .err = w->err };
	uint64_t first, n = column_list(w->m.block_mark, w->m.thread, block, &first), here = 0;
	struct event_run run;
	struct swept *s;
	bool ok = true;

	w->out.n = 0;
	for (uint64_t i = first; ok && i < first + n; i++)
		if ((s = swept_at(w, i)) != NULL) {
			ok = sweep_begin_thread(w, s, i);
			here++;
		}
	if (here == 0)
		return true;
	marks_clocks(&w->m, w->out.replay, block);
	if (ok)
		replay_seek(w->out.replay, block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
	while (ok && replay_next(w->out.replay, &run))
		ok = sweep_take_run(w, &c, &run);
	ok = ok && !w->out.replay->failed;
	for (uint64_t i = first; i < first + n; i++)
		if ((s = swept_at(w, i)) != NULL && s->here)
			end_thread(w, &c, s, ok);
	idmap_free(&w->index);
	return ok && hand_over(w);
}

static bool
ask_thread(struct sweeping *w, uint32_t thread)
{
	struct swept *s;
	uint64_t k, last;

	if (!marks_open(&w->m, w->m.st, thread, w->err))
		return false;
	if (thread > w->nthreads || w->m.n == 0 || w->ask->from > w->ask->to)
		return true;
	marks_between(&w->m, w->ask->from, w->ask->to, &k, &last);
	for (uint64_t high = last, mid; k < high && w->block > 0;) {
		mid = k + (high - k) / 2;
		if (column_get(w->m.block, mark_of(&w->m, mid)) < w->block)
			k = mid + 1;
		else
			high = mid;
	}
	s = &SCRATCH(w->threads, struct swept)[thread - 1];
	assert(k <= last && last < w->m.n);
	*s = (struct swept){ .first = w->m.first, .n = w->m.n, .k = k, .left = last - k + 1 };
	return true;
}

static bool
sweep_open(struct sweeping *w, struct work *work)
{
	w->nthreads = column_rows(store_column(w->m.st, COL_THREAD_TID));
	if (!scratch_array(&w->threads, w->nthreads, sizeof(struct swept), w->err) ||
	    !spans_ready(&w->out, w->m.st, w->err))
		return false;
	w->out.replay->err = w->err;
	w->out.replay->work = work;
	return true;
}

static void
sweep_close(struct sweeping *w)
{
	spans_free(&w->out);
	SCRATCH_FREE(&w->threads, &w->who);
}

bool
spans_sweep(const struct store *st, const struct span_sweep *ask, struct err *err)
{
	struct sweeping w = { .ask = ask, .m = { .st = st }, .threads = SCRATCH_INIT, .who = ARRAY_INIT,
	    .index = IDMAP_INIT, .err = err };
	uint64_t blocks = column_rows(store_column(st, COL_BLOCK_LATEST));
	bool ok = sweep_open(&w, ask->work);

	for (size_t i = 0; ok && i < ask->n; i++)
		ok = ask_thread(&w, ask->thread[i]);
	for (uint64_t block = 0; ok && ask->n > 0 && block < blocks; block++)
		ok = sweep_block(&w, block);
	sweep_close(&w);
	return ok;
}

/* ---- some blocks ------------------------------------------------------------------------------- */

struct block_find {
	const struct span_find	*ask;
	uint64_t		 row, end;	/* records of the block */
	bool			 any;
};

static bool
take_begun(void *arg, const struct span *span, const uint32_t *thread, size_t n, struct err *err)
{
	struct block_find *f = arg;

	for (size_t i = 0; i < n; i++) {
		if (span[i].crowd > 0 || span[i].row <= f->row || span[i].row > f->end)
			continue;
		f->any = true;
		if (!f->ask->take(f->ask->arg, &span[i], thread[i], err))
			return false;
	}
	return true;
}

/* Read one block alone: each of its threads from its mark in the block. */
static bool
find_block(struct sweeping *w, uint64_t block)
{
	uint64_t first, n = column_list(store_column(w->m.st, COL_BLOCK_MARK),
	    store_column(w->m.st, COL_MARK_THREAD), block, &first);
	const struct column *thread = store_column(w->m.st, COL_MARK_THREAD);
	bool ok = true;

	w->block = block;
	for (uint64_t i = first; ok && i < first + n; i++)
		ok = ask_thread(w, (uint32_t)column_get(thread, i));
	return ok && sweep_block(w, block);
}

bool
spans_find(const struct store *st, const struct span_find *ask, uint64_t *block, struct err *err)
{
	struct block_find f = { .ask = ask };
	struct span_sweep all = { .to = UINT64_MAX, .work = ask->work, .take = take_begun, .arg = &f };
	struct sweeping w = { .ask = &all, .m = { .st = st }, .threads = SCRATCH_INIT, .who = ARRAY_INIT,
	    .index = IDMAP_INIT, .err = err };
	uint64_t blocks = column_rows(store_column(st, COL_BLOCK_LATEST)), at = *block;
	bool ok = sweep_open(&w, ask->work), yes = false;

	for (; ok && !f.any && at < blocks; at++) {
		f.row = at * BLOCK_ROWS;
		f.end = f.row + BLOCK_ROWS;
		ok = ask->wants(ask->arg, f.row, f.end, &yes, err) && (!yes || find_block(&w, at));
	}
	*block = at < blocks ? at : UINT64_MAX;
	sweep_close(&w);
	return ok;
}
