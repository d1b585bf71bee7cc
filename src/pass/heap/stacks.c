/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks: the frames of the threads of a heap dump, and the frame of each
 * root.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "icecore/facts.h"
#include "icecore/make.h"
#include "heap.h"

struct stacks {
	struct store	*st;
	struct err	*err;
	struct heap	 h;
	struct idmap	 trace;		/* 1 + serial, to row of trace.* */
	struct idmap	 class;		/* 1 + serial, to class */
	uint64_t	 threads, traces;
	uint32_t	*of;		/* row of trace.* of each thread, 0: none */
	ARRAY(uint32_t)	ofs;
};

/* ---- which trace is whose --------------------------------------------------------- */

/* Threads of the machine itself, which have no Java stack. */
static bool
is_internal(const struct stacks *s, uint32_t thread)
{
	static const char *const names[] = { "Service Thread", "Monitor Deflation Thread",
	    "C1 CompilerThread*", "C2 CompilerThread*", "Sweeper thread" };
	OWN_BUF b = BUF_INIT;
	bool found;

	heap_thread_name(&s->h, thread, &b);
	found = str_glob_any(names, NELEM(names), buf_view(&b));
	return found;
}

/*
 * The serviceability agent gives all threads one empty trace, and renumbers the threads in the traces: the
 * k-th trace is that of the k-th thread with a Java stack.
 */
static bool
is_agent(const struct stacks *s)
{
	uint64_t serial = store_cell(s->st, COL_JTHREAD_TRACE, 1), row;

	if (s->threads < 2)
		return false;
	for (uint64_t i = 2; i <= s->threads; i++)
		if (store_cell(s->st, COL_JTHREAD_TRACE, i) != serial)
			return false;
	row = idmap_get(&s->trace, serial + 1);
	return row != 0 && store_cell(s->st, COL_TRACE_FRAMES, row) == 0;
}

static void
pair_agent(struct stacks *s)
{
	uint64_t trace = 1, java = 0, stacks = 0;

	for (uint64_t i = 1; i <= s->traces; i++)
		stacks += store_cell(s->st, COL_TRACE_THREAD, i) != 0;
	for (uint64_t i = 1; i <= s->threads; i++)
		java += !is_internal(s, (uint32_t)i);
	/* Match stacks with threads only if their numbers agree; otherwise the owners are unknown. */
	if (java != stacks)
		return;
	for (uint64_t thread = 1; thread <= s->threads; thread++) {
		if (is_internal(s, (uint32_t)thread))
			continue;
		while (trace <= s->traces && store_cell(s->st, COL_TRACE_THREAD, trace) == 0)
			trace++;
		assert(trace <= s->traces);
		s->of[thread] = (uint32_t)trace++;
	}
}

static bool
find_traces(struct stacks *s)
{
	for (uint64_t i = 1; i <= s->traces; i++)
		if (idmap_get(&s->trace, store_cell(s->st, COL_TRACE_SERIAL, i) + 1) == 0 &&
		    !idmap_put(&s->trace, store_cell(s->st, COL_TRACE_SERIAL, i) + 1, (uint32_t)i, s->err))
			return false;
	for (uint64_t i = 1; i <= s->h.classes; i++)
		if (store_cell(s->st, COL_CLASS_SERIAL, i) != 0 &&
		    !idmap_put(&s->class, store_cell(s->st, COL_CLASS_SERIAL, i) + 1, (uint32_t)i, s->err))
			return false;
	if (!array_grow(&s->ofs, s->threads + 1, s->err))
		return false;
	s->of = s->ofs.at;
	if (is_agent(s)) {
		pair_agent(s);
		return true;
	}
	for (uint64_t i = 1; i <= s->threads; i++)
		s->of[i] = idmap_get(&s->trace, store_cell(s->st, COL_JTHREAD_TRACE, i) + 1);
	return true;
}

/* ---- frames ------------------------------------------------------------------------- */

static uint64_t
stacks_id_at(const struct stacks *s, uint64_t at)
{
	if (at > s->h.size || s->h.size - at < s->h.id_size)
		return 0;
	return heap_id(s->h.data + at, s->h.id_size);
}

struct frame_row {
	uint32_t	thread, class;
	uint64_t	method, signature, file;
	int64_t		line;
};

static uint64_t
stacks_name_of(const struct stacks *s, uint64_t id)
{
	return store_cell(s->st, COL_NAME_REF, column_find(store_column(s->st, COL_NAME_ID), id));
}

static void
put_frame(struct stacks *s, struct frame_row *to, uint32_t thread, uint64_t id)
{
	const unsigned w = s->h.id_size;
	uint64_t frame = column_find(store_column(s->st, COL_SFRAME_ID), id), at;

	*to = (struct frame_row){ .thread = thread, .line = -1 };
	at = store_cell(s->st, COL_SFRAME_OFFSET, frame);
	if (frame == 0 || at > s->h.size || s->h.size - at < 4 * w + 8)
		return;
	to->method = stacks_name_of(s, stacks_id_at(s, at + w));
	to->signature = stacks_name_of(s, stacks_id_at(s, at + 2 * w));
	to->file = stacks_name_of(s, stacks_id_at(s, at + 3 * w));
	to->class = idmap_get(&s->class, (uint64_t)be32(s->h.data + at + 4 * w) + 1);
	to->line = (int32_t)be32(s->h.data + at + 4 * w + 4);
	if (store_cell(s->st, COL_SFRAME_METHOD, frame) == 0)
		return;
	/* Replace method, line and file by those of the mapping file. */
	to->method = store_cell(s->st, COL_SFRAME_METHOD, frame);
	to->line = (int64_t)store_cell(s->st, COL_SFRAME_LINE, frame);
	if (store_cell(s->st, COL_SFRAME_FILE, frame) != 0)
		to->file = store_cell(s->st, COL_SFRAME_FILE, frame);
}

/* first and n: frames of each thread. */
static bool
put_frames(struct stacks *s, uint32_t *first, uint32_t *n)
{
	static const struct make_column columns[] = {
		MAKE(COL_FRAME_THREAD, frame_row, thread), MAKE(COL_FRAME_CLASS, frame_row, class),
		MAKE(COL_FRAME_METHOD, frame_row, method), MAKE(COL_FRAME_SIGNATURE, frame_row, signature),
		MAKE(COL_FRAME_FILE, frame_row, file), MAKE_COLUMN(COL_FRAME_LINE, frame_row, line,
		    MAKE_SIGNED)
	};
	OWN_ARRAY(struct frame_row) rows = ARRAY_INIT;
	uint64_t all = 0, i, at;
	struct frame_row *row;

	for (i = 1; i <= s->threads; i++) {
		n[i - 1] = (uint32_t)store_cell(s->st, COL_TRACE_FRAMES, s->of[i]);
		first[i - 1] = n[i - 1] > 0 ? (uint32_t)all + 1 : 0;
		all += n[i - 1];
		if (all >= UINT32_MAX)
			return fail(s->err, E_SYSTEM, "too many stack frames (limit: 4 294 967 294)");
	}
	if (!array_grow(&rows, all, s->err))
		return false;
	row = rows.at;
	for (i = 1; i <= s->threads; i++) {
		at = store_cell(s->st, COL_TRACE_OFFSET, s->of[i]);
		for (uint64_t k = 0; k < n[i - 1]; k++)
			put_frame(s, row++, (uint32_t)i, stacks_id_at(s, at + k * s->h.id_size));
	}
	assert(all == 0 || row == rows.at + all);
	return make_columns(s->st, columns, NELEM(columns), MAKE_ROWS(rows.at, all), s->err);
}

/* ---- virtual threads ---------------------------------------------------------------------- */

#define VIRTUAL_NEW 0		/* java.lang.VirtualThread.state */
#define VIRTUAL_TERMINATED 99

static bool
is_started(const struct heap *h, uint32_t object, uint32_t class)
{
	struct heap_slot slot;

	return heap_field(h, object, "state", class, &slot) && slot.type == HEAP_INT &&
	    slot.bits != VIRTUAL_NEW &&
	    slot.bits != VIRTUAL_TERMINATED;
}

/* The JDK before 22, and its serviceability agent, write no stacks of those that wait. */
static bool
count_stackless(struct stacks *s, const uint32_t *n, struct work *w)
{
	struct members virtual = { .h = &s->h };
	uint32_t object = 1, class = class_find(&s->h, "java.lang.VirtualThread", 0);
	uint64_t started = 0;
	bool ok = class == 0 || members_open(&virtual, &s->h, STR("java.lang.VirtualThread"), s->err);

	while (class != 0 && ok && object != 0) {
		ok = members_next(&virtual, &object, w, s->err);
		started += ok && object != 0 && is_started(&s->h, object, class);
	}
	for (uint64_t i = 1; ok && started > 0 && i <= s->threads; i++) {
		object = (uint32_t)store_cell(s->st, COL_JTHREAD_OBJECT, i);
		started -= n[i - 1] > 0 && object != 0 && members_has(&virtual, heap_class(&s->h, object)) &&
		    is_started(&s->h, object, class);
	}
	members_close(&virtual);
	return ok && (started == 0 || fact_set(s->st, FACT_STACKLESS_THREADS, started, s->err));
}

/* ---- roots ------------------------------------------------------------------------------ */

static bool
put_roots(struct stacks *s, const uint32_t *first, const uint32_t *n)
{
	const struct column *thread = store_column(s->st, COL_ROOT_THREAD);
	const struct column *depth = store_column(s->st, COL_ROOT_DEPTH);
	uint64_t rows = column_rows(thread), t, d;
	uint32_t *frame = store_make(s->st, COL_ROOT_FRAME, COL_U32, rows, s->err);

	for (uint64_t i = 0; frame != NULL && i < rows; i++) {
		t = column_get(thread, i);
		d = column_get(depth, i);
		if (t != 0 && t <= s->threads && d < n[t - 1])
			frame[i] = first[t - 1] + (uint32_t)d;
	}
	return frame != NULL;
}

static bool
stacks_run(struct store *st, struct work *w, struct err *err)
{
	struct stacks s = { .st = st, .err = err, .threads = column_rows(store_column(st,
	    COL_JTHREAD_SERIAL)),
	    .traces = column_rows(store_column(st, COL_TRACE_SERIAL)) };
	uint32_t *first, *n;
	bool ok;

	work_start(w, "stacks", 0);
	if (!heap_open(&s.h, st, REFS_SOFT, SIZES_VM, err))
		return false;
	ok = find_traces(&s);
	first = ok ? store_make(st, COL_JTHREAD_FRAME, COL_U32, s.threads, err) : NULL;
	n = first == NULL ? NULL : store_make(st, COL_JTHREAD_FRAMES, COL_U32, s.threads, err);
	ok = n != NULL && put_frames(&s, first, n) && put_roots(&s, first, n) && count_stackless(&s, n, w);
	idmap_free(&s.trace);
	idmap_free(&s.class);
	array_free(&s.ofs);
	return ok;
}

const struct pass pass_stacks = {
	.name = "stacks", .what = "thread stacks", .beside = 1, .run = stacks_run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_JTHREAD_FRAME, COL_JTHREAD_FRAMES, COL_FRAME_THREAD, COL_FRAME_CLASS,
	    COL_FRAME_METHOD, COL_FRAME_SIGNATURE, COL_FRAME_FILE, COL_FRAME_LINE, COL_ROOT_FRAME)
};
