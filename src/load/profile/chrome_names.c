/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes and threads of Chrome trace events: names and order.
 */
#include "config.h"

#include <assert.h>
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

#define NAME(W, V, O) W(name) W(labels) W(sort_index)
JLOAD_SHAPE(said_name, NAME)

/* Threads without a sort index have order 0. */
static void
set_thread_order(struct chrome_marks *m, uint32_t thread, int64_t order)
{
	INTO(m->to, scratch_array(&m->orders, thread, sizeof order, m->to->err));
	if (m->to->bad)
		return;
	SCRATCH(m->orders, int64_t)[thread - 1] = order;
	m->norders = thread > m->norders ? thread : m->norders;
}

void
chrome_name(struct chrome_marks *m, const struct chrome_event *e)
{
	struct said_name at = said_name_read(m->l, e->is.args);
	struct str name = e->is.name;
	uint32_t process, word;
	int64_t order;

	if (str_eq(name, STR("thread_name"))) {
		INTO(m->to, spans_in_name(&m->l->spans, e->thread, str_trim(jload_text(m->l, at.name)), m->to->err));
		return;
	}
	if (!num_i64(at.sort_index, 10, &order))
		order = 0;
	if (str_eq(name, STR("thread_sort_index"))) {
		set_thread_order(m, e->thread, order);
		return;
	}
	process = into_process(m->to, e->is.pid);
	word = str_eq(name, STR("process_name")) ? into_word(m->to, at.name) :
	    str_eq(name, STR("process_labels")) ? into_word(m->to, at.labels) : 0;
	if (m->to->bad)
		return;
	if (str_eq(name, STR("process_name")))
		marks_process_at(&m->in, process)->name = word;
	else if (str_eq(name, STR("process_labels")))
		marks_process_at(&m->in, process)->labels = word;
	else if (str_eq(name, STR("process_sort_index")))
		marks_process_at(&m->in, process)->order = order;
}

/* ---- sorting ---------------------------------------------------------------------------------- */

/* Sort by sort index, then by numeric id; ids that are texts come last, in order of appearance. */
static int
by_order(const void *x, const void *y)
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

static void
make_keys(struct chrome_marks *m, struct thread_key *key)
{
	for (uint32_t i = 1; i <= m->l->spans.nthreads && !m->to->bad; i++) {
		const struct span_thread *t = spans_thread_at(&m->l->spans, i);
		uint32_t process = into_process(m->to, t->ids[0]);

		key[i - 1] = (struct thread_key){ process == 0 ? 0 : marks_process_at(&m->in, process)->order,
		    i <= m->norders ? SCRATCH(m->orders, int64_t)[i - 1] : 0, chrome_names_number_of(t->ids[0]),
		    chrome_names_number_of(t->ids[1]), process, i };
	}
}

void
chrome_order_threads(struct chrome_marks *m)
{
	uint64_t n = m->l->spans.nthreads;
	struct scratch keys = SCRATCH_INIT;
	struct into *to = m->to;

	INTO(to, scratch_array(&keys, n, sizeof(struct thread_key), to->err) &&
	    scratch_array(&m->place, n, sizeof(uint32_t), to->err));
	if (!to->bad)
		make_keys(m, SCRATCH(keys, struct thread_key));
	if (!to->bad && n > 0) {
		qsort(keys.data, n, sizeof(struct thread_key), by_order);
		for (uint32_t i = 0; i < n; i++)
			SCRATCH(m->place, uint32_t)[SCRATCH(keys, struct thread_key)[i].thread - 1] = i + 1;
		INTO(to, spans_in_order(&m->l->spans, SCRATCH(m->place, uint32_t), to->err));
	}
	scratch_free(&keys);
}

uint32_t
chrome_thread(const struct chrome_marks *m, uint32_t thread)
{
	assert(thread != 0 && thread <= m->l->spans.nthreads);
	return SCRATCH(m->place, uint32_t)[thread - 1];
}

/* ---- columns --------------------------------------------------------------------------------------- */

/* "name (labels)" */
static void
add_labels(struct chrome_marks *m, struct mark_process *p)
{
	struct buf *b = &m->l->name;

	if (p->labels == 0)
		return;
	buf_clear(b);
	buf_str(b, marks_text(&m->in, p->name != 0 ? p->name : p->pid));
	buf_str(b, STR(" ("));
	buf_str(b, marks_text(&m->in, p->labels));
	buf_chr(b, ')');
	p->name = into_text(m->to, into_made(m->to, b));
}

bool
chrome_name_columns(struct chrome_marks *m, struct err *err)
{
	const struct spans_in *in = &m->l->spans;
	uint32_t *process = store_make(m->l->st, COL_LISTED_PROCESS, COL_U32, in->nthreads, err);

	for (uint32_t i = 0; process != NULL && i < in->nthreads; i++)
		process[i] = into_process(m->to, spans_thread_at(in, i + 1)->ids[0]);
	for (uint32_t i = 1; i <= m->in.processes.n; i++)
		add_labels(m, marks_process_at(&m->in, i));
	return process != NULL && !m->to->bad && marks_process_columns(&m->in, err);
}
