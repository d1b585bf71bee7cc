/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes and threads of Chrome trace events: names and order.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_marks.h"
#include "chrome_marks.h"
#include "spans.h"

struct thread_key {
	int64_t		process_order, order;
	uint64_t	pid, tid;	/* UINT64_MAX: not a number */
	uint32_t	process, thread;
};

/* ---- reading ------------------------------------------------------------------------------ */

/* Threads without a sort index have order 0. */
static bool
set_thread_order(struct chrome_marks *m, uint32_t thread, int64_t order, struct err *err)
{
	if (!scratch_array(&m->orders, thread, sizeof order, err))
		return false;
	SCRATCH(m->orders, int64_t)[thread - 1] = order;
	m->norders = thread > m->norders ? thread : m->norders;
	return true;
}

bool
chrome_name(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	static const char *const names[] = { "name", "labels", "sort_index", NULL };
	struct json at[3];
	uint32_t process;
	int64_t order;

	jload_members(m->in.l, e->args, names, at);
	if (str_eq(e->name, STR("thread_name")))
		return spans_in_name(&m->in.l->spans, e->thread, scan_unescape(jload_word(at[0]), &m->in.l->text), err);
	if (!num_i64(jload_word(at[2]), 10, &order))
		order = 0;
	if (str_eq(e->name, STR("thread_sort_index")))
		return set_thread_order(m, e->thread, order, err);
	if ((process = marks_process(&m->in, e->pid, 0, err)) == 0)
		return false;
	if (str_eq(e->name, STR("process_name")))
		return marks_word(&m->in, jload_word(at[0]), &marks_process_at(&m->in, process)->name, err);
	if (str_eq(e->name, STR("process_labels")))
		return marks_word(&m->in, jload_word(at[1]), &marks_process_at(&m->in, process)->labels, err);
	if (str_eq(e->name, STR("process_sort_index")))
		marks_process_at(&m->in, process)->order = order;
	return true;
}

/* ---- sorting ---------------------------------------------------------------------------------- */

/* Sort by sort index, then by numeric id; ids that are texts come last, in order of appearance. */
static int
chrome_names_by_order(const void *x, const void *y)
{
	const struct thread_key *a = x, *b = y;
	int order = (a->process_order > b->process_order) - (a->process_order < b->process_order);

	if (order == 0)
		order = num_order(a->pid, b->pid, num_order(a->process, b->process, 0));
	if (order == 0)
		order = (a->order > b->order) - (a->order < b->order);
	return order != 0 ? order : num_order(a->tid, b->tid, num_order(a->thread, b->thread, 0));
}

static uint64_t
chrome_names_number_of(struct str s)
{
	uint64_t v;

	return num_u64(s, 10, &v) ? v : UINT64_MAX;
}

static bool
make_keys(struct chrome_marks *m, struct thread_key *key, struct err *err)
{
	for (uint32_t i = 1; i <= m->in.l->spans.nthreads; i++) {
		const struct span_thread *t = spans_thread_at(&m->in.l->spans, i);
		uint32_t process = marks_process(&m->in, t->ids[0], 0, err);

		if (process == 0)
			return false;
		key[i - 1] = (struct thread_key){ marks_process_at(&m->in, process)->order, i <= m->norders ? SCRATCH(m->orders, int64_t)[i - 1] : 0,
		    chrome_names_number_of(t->ids[0]), chrome_names_number_of(t->ids[1]), process, i };
	}
	return true;
}

bool
chrome_order_threads(struct chrome_marks *m, struct err *err)
{
	uint64_t n = m->in.l->spans.nthreads;
	struct scratch keys = SCRATCH_INIT;
	bool ok = scratch_array(&keys, n, sizeof(struct thread_key), err) && scratch_array(&m->place, n, sizeof(uint32_t), err) &&
	    make_keys(m, SCRATCH(keys, struct thread_key), err);

	if (ok && n > 0) {
		qsort(keys.data, n, sizeof(struct thread_key), chrome_names_by_order);
		for (uint32_t i = 0; i < n; i++)
			SCRATCH(m->place, uint32_t)[SCRATCH(keys, struct thread_key)[i].thread - 1] = i + 1;
		ok = spans_in_order(&m->in.l->spans, SCRATCH(m->place, uint32_t), err);
	}
	scratch_free(&keys);
	return ok;
}

uint32_t
chrome_thread(const struct chrome_marks *m, uint32_t thread)
{
	return SCRATCH(m->place, uint32_t)[thread - 1];
}

/* ---- columns --------------------------------------------------------------------------------------- */

/* "name (labels)" */
static bool
add_labels(struct chrome_marks *m, struct mark_process *p, struct err *err)
{
	struct buf *b = &m->in.l->name;

	if (p->labels == 0)
		return true;
	buf_clear(b);
	buf_str(b, marks_text(&m->in, p->name != 0 ? p->name : p->pid));
	buf_str(b, STR(" ("));
	buf_str(b, marks_text(&m->in, p->labels));
	buf_chr(b, ')');
	return (!b->bad || fail(err, E_SYSTEM,
	    "out of memory (name)")) && marks_word_of(&m->in, buf_view(b), &p->name, err);
}

bool
chrome_name_columns(struct chrome_marks *m, struct err *err)
{
	const struct spans_in *in = &m->in.l->spans;
	uint32_t *process = store_make(m->in.l->st, COL_LISTED_PROCESS, COL_U32, in->nthreads, err);

	if (process == NULL)
		return false;
	for (uint32_t i = 0; i < in->nthreads; i++)
		if ((process[i] = marks_process(&m->in, spans_thread_at(in, i + 1)->ids[0], 0, err)) == 0)
			return false;
	for (uint32_t i = 1; i <= m->in.processes.n; i++)
		if (!add_labels(m, marks_process_at(&m->in, i), err))
			return false;
	return marks_process_columns(&m->in, err);
}
