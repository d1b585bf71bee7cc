/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tasks of scheduler text by id, with all their names.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "sched.h"

#define EARLIER_MAX 8		/* maximum number of former names of a task */

void
sched_threads_close(struct sched_threads *t)
{
	SCRATCH_FREE(&t->threads, &t->direct, &t->names);
	idmap_free(&t->others);
}

static bool
set_id(struct sched_threads *t, uint32_t tid, uint32_t id, struct err *err)
{
	if (tid >= TIDS_DIRECT)
		return idmap_put(&t->others, tid, id, err);
	if (tid >= t->ndirect) {
		if (!scratch_array(&t->direct, (uint64_t)tid + 1, sizeof(uint32_t), err))
			return false;
		t->ndirect = t->direct.size / sizeof(uint32_t);
		if (t->ndirect > TIDS_DIRECT)
			t->ndirect = TIDS_DIRECT;
	}
	assert(tid < t->ndirect && id != 0);
	SCRATCH(t->direct, uint32_t)[tid] = id;
	return true;
}

uint32_t
sched_thread_new(struct sched_threads *t, uint32_t tid, struct err *err)
{
	uint32_t id = tid < TIDS_DIRECT ? 0 : idmap_get(&t->others, tid);
	struct sched_thread new = { .tid = tid };

	assert(id <= t->nthreads);
	if (id != 0)
		return id;
	return make_add(&t->threads, &t->nthreads, &new, sizeof new, TASKS_MOST, "tasks", err) &&
	    set_id(t, tid, (uint32_t)t->nthreads, err) ? (uint32_t)t->nthreads : 0;
}

/* Move the name to the former names, unless it is already there. */
static bool
keep_earlier(struct sched_threads *t, struct sched_thread *th, struct err *err)
{
	struct sched_earlier *name = SCRATCH(t->names, struct sched_earlier), new = { th->name, th->earlier };
	uint32_t at = th->earlier, n;

	assert(at <= t->nnames && th->name.n > 0);
	for (n = 0; at != 0 && n < EARLIER_MAX; n++) {
		if (str_eq(name[at - 1].name, th->name))
			return true;
		at = name[at - 1].before;
	}
	if (n == EARLIER_MAX || t->nnames == UINT32_MAX)
		return true;
	if (!make_add(&t->names, &t->nnames, &new, sizeof new, UINT32_MAX, "names of tasks", err))
		return false;
	th->earlier = (uint32_t)t->nnames;
	return true;
}

bool
sched_thread_rename(struct sched_threads *t, uint32_t thread, struct str name, struct err *err)
{
	struct sched_thread *th = sched_thread_at(t, thread);

	if (th->name.n > 0) {
		t->reused += th->ended;
		t->renames += !th->ended;
		if (!keep_earlier(t, th, err))
			return false;
	}
	th->name = name;
	memcpy(th->start, name.s, name.n < NAME_START ? name.n : NAME_START);
	th->ended = false;
	return true;
}

void
sched_threads_switch(struct sched_threads *t, uint32_t from, uint32_t to)
{
	struct sched_thread *th;

	if (from != 0) {
		th = sched_thread_at(t, from);
		th->left++;
		th->unseen += th->away;
		th->away = true;
	}
	if (to != 0)
		sched_thread_at(t, to)->away = false;
}

uint64_t
sched_threads_alone(const struct sched_threads *t)
{
	uint64_t n = 0;

	for (uint32_t i = 1; i <= t->nthreads && !t->idles; i++)
		n += sched_alone(sched_thread_at(t, i)->left, sched_thread_at(t, i)->unseen);
	return n;
}

/* ---- columns ---------------------------------------------------------------------- */

/* Write "c, b" for each thread with former names; 1 + its offset goes to at. */
static bool
earlier_texts(const struct sched_threads *t, uint32_t *at, struct buf *b)
{
	const struct sched_earlier *name = SCRATCH(t->names, struct sched_earlier);
	const struct sched_thread *th;
	size_t from;

	for (uint32_t i = 1; i <= t->nthreads; i++) {
		th = sched_thread_at(t, i);
		if (th->earlier == 0 || b->n >= UINT32_MAX / 2)
			continue;
		from = b->n;
		for (uint32_t e = th->earlier; e != 0; e = name[e - 1].before) {
			if (str_eq(name[e - 1].name, th->name))
				continue;
			if (b->n > from)
				buf_str(b, STR(", "));
			buf_str(b, name[e - 1].name);
		}
		if (b->n == from)
			continue;
		at[i - 1] = (uint32_t)from + 1;
		buf_chr(b, '\0');
	}
	return !b->bad;
}

static bool
earlier_columns(const struct sched_threads *t, struct store *st, struct err *err)
{
	struct buf b = BUF_INIT;
	uint32_t *at;
	bool ok;

	if (t->nnames == 0)
		return true;
	at = store_make(st, COL_LISTED_EARLIER, COL_U32, t->nthreads, err);
	if (at == NULL)
		return false;
	ok = earlier_texts(t, at, &b) || fail(err, E_SYSTEM, "out of memory (names)");
	ok = ok && make_copy(st, COL_LISTED_EARLIER_TEXT, COL_BYTES, b.s, b.n, err);
	buf_free(&b);
	return ok;
}

bool
sched_threads_columns(const struct sched_threads *t, struct store *st, const char *text, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_LISTED_TID, sched_thread, tid), MAKE(COL_LISTED_PID, sched_thread, pid),
		MAKE_COLUMN(COL_LISTED_THREAD, sched_thread, name, MAKE_REF),
		MAKE_CONST(COL_LISTED_BEFORE, 4, MAKE_ZERO),
	};

	return make_columns(st, columns, NELEM(columns),
	    MAKE_TEXT_ROWS(SCRATCH(t->threads, struct sched_thread), t->nthreads, text), err) &&
	    earlier_columns(t, st, err);
}
