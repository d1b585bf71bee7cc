/*
 * tasks: threads and processes by their ids, and who said what they are called.
 *
 * An id that a later task has as well keeps its row.  Kernel names are cut to 15 bytes, so names of higher ranks stay.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "perfetto.h"

enum { CALLED_MOST = 4096, TIDS_DIRECT = 1 << 22 };	/* bytes of a name; as many as Linux has */

/* Ids that Linux gives are found without a search. */
static bool
add_direct(struct perfetto *p, uint32_t tid, uint32_t at, struct err *err)
{
	uint64_t most;

	if (tid >= TIDS_DIRECT)
		return true;
	if (tid >= p->ndirect) {
		if (!scratch_array(&p->direct, (uint64_t)tid + 1, sizeof at, err))
			return false;
		most = p->direct.size / sizeof at;
		most = most < TIDS_DIRECT ? most : TIDS_DIRECT;
		memset(&SCRATCH(p->direct, uint32_t)[p->ndirect], 0, (size_t)(most - p->ndirect) * sizeof at);
		p->ndirect = most;
	}
	SCRATCH(p->direct, uint32_t)[tid] = at;
	return true;
}

struct pf_task *
pf_task(struct perfetto *p, uint32_t tid, struct err *err)
{
	struct pf_task new = { .tid = tid };
	uint32_t at = tid < p->ndirect ? SCRATCH(p->direct, uint32_t)[tid] : 0;

	if (at != 0)
		return &SCRATCH(p->tasks, struct pf_task)[at - 1];
	if (!idmap_enter(&p->by_tid, (uint64_t)tid + 1, (uint32_t)p->ntasks + 1, &at, err) ||
	    (at > p->ntasks && !make_add(&p->tasks, &p->ntasks, &new, sizeof new, MAKE_MOST, "threads", err)) ||
	    !add_direct(p, tid, at, err))
		return NULL;
	return &SCRATCH(p->tasks, struct pf_task)[at - 1];
}

struct pf_process *
pf_process(struct perfetto *p, uint32_t pid, struct err *err)
{
	struct pf_process new = { .pid = pid };
	uint32_t at;

	if (!idmap_enter(&p->by_pid, (uint64_t)pid + 1, (uint32_t)p->nprocesses + 1, &at, err) ||
	    (at > p->nprocesses && !make_add(&p->processes, &p->nprocesses, &new, sizeof new, MAKE_MOST, "processes", err)))
		return NULL;
	return &SCRATCH(p->processes, struct pf_process)[at - 1];
}

bool
pf_task_in(struct perfetto *p, uint32_t tid, uint32_t pid, struct err *err)
{
	struct pf_task *t = pf_task(p, tid, err);

	if (t != NULL && t->pid == 0)
		t->pid = pid;
	return t != NULL;
}

bool
pf_task_name(struct perfetto *p, uint32_t tid, struct str name, unsigned rank, struct err *err)
{
	struct pf_task *t = pf_task(p, tid, err);

	if (t == NULL)
		return false;
	if (name.n == 0 || rank < t->rank || (rank == t->rank && str_eq(marks_text(&p->marks, t->word), name)))
		return true;
	t->rank = (uint8_t)rank;
	return marks_word_of(&p->marks, str_head(name, CALLED_MOST), &t->word, err);
}

bool
pf_process_name(struct perfetto *p, uint32_t pid, struct str name, unsigned rank, struct err *err)
{
	struct pf_process *r = pf_process(p, pid, err);

	if (r == NULL)
		return false;
	if (name.n == 0 || rank < r->rank)
		return true;
	r->rank = (uint8_t)rank;
	return marks_word_of(&p->marks, str_head(name, CALLED_MOST), &r->word, err);
}

uint32_t
pf_span_thread(struct perfetto *p, uint32_t tid, struct err *err)
{
	struct pf_task *t = pf_task(p, tid, err);

	if (t != NULL && t->thread == 0)
		t->thread = spans_in_task(&p->l->spans, 0, tid, STR(""), err);
	return t == NULL ? 0 : t->thread;
}

uint32_t
pf_mark_process(struct perfetto *p, uint32_t pid, struct err *err)
{
	struct pf_process *r = pf_process(p, pid, err);
	char digits[16];

	if (r != NULL && r->process == 0) {
		snprintf(digits, sizeof digits, "%u", pid);
		r->process = marks_process(&p->marks, pid == 0 ? STR("") : str_of(digits), 1, err);
	}
	return r == NULL ? 0 : r->process;
}

/* ---- the process tree -------------------------------------------------------------------------- */

/* argv[0]; of one element the first word. */
static struct str
command_name(struct str first, unsigned n)
{
	return n == 1 ? str_until(first, ' ') : first;
}

/* {1 pid, 2 parent, 3 command line} */
static bool
tasks_take_process(struct perfetto *p, struct str m, struct err *err)
{
	struct proto_field f;
	struct str name = STR("");
	uint32_t pid = 0;
	unsigned args = 0;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1 && f.wire == PROTO_VARINT)
			pid = (uint32_t)f.value;
		if (f.number == 3 && f.wire == PROTO_BYTES && args++ == 0)
			name = f.in;
	}
	if (args == 0 || bad)
		return true;
	return pf_task_in(p, pid, pid, err) && pf_process_name(p, pid, command_name(name, args), PF_NAMED_TRACK, err);
}

/* {1 tid, 2 name, 3 pid} */
static bool
tasks_take_thread(struct perfetto *p, struct str m, struct err *err)
{
	struct proto_field f;
	struct str name = STR("");
	uint32_t tid = 0, pid = 0;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1 && f.wire == PROTO_VARINT)
			tid = (uint32_t)f.value;
		if (f.number == 2 && f.wire == PROTO_BYTES)
			name = f.in;
		if (f.number == 3 && f.wire == PROTO_VARINT)
			pid = (uint32_t)f.value;
	}
	return bad || (pf_task_in(p, tid, pid, err) && pf_task_name(p, tid, name, PF_NAMED_TREE, err));
}

bool
pf_tree(struct perfetto *p, struct str m, struct err *err)
{
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad))
		if (f.wire == PROTO_BYTES && ((f.number == 1 && !tasks_take_process(p, f.in, err)) || (f.number == 2 && !tasks_take_thread(p,
		    f.in, err))))
			return false;
	p->count[PF_BAD_PACKETS] += bad;
	return true;
}

/* ---- as threads of the file ---------------------------------------------------------------------- */

struct task_order {
	uint32_t	pid, tid, thread;
};

static int
by_process(const void *x, const void *y)
{
	const struct task_order *a = x, *b = y;

	return num_order(a->pid, b->pid, num_order(a->tid, b->tid, num_order(a->thread, b->thread, 0)));
}

/* Return the name of a thread; a main thread may have the name of its process. */
static struct str
tasks_name_of(struct perfetto *p, const struct pf_task *t)
{
	uint32_t at = t->word == 0 && t->tid == t->pid ? idmap_get(&p->by_pid, (uint64_t)t->pid + 1) : 0;

	return marks_text(&p->marks, at == 0 ? t->word : SCRATCH(p->processes, struct pf_process)[at - 1].word);
}

/* Gives all threads their names, and puts them in order of their processes.  place: by thread, from 1. */
static bool
order_threads(struct perfetto *p, struct scratch *place, struct err *err)
{
	struct spans_in *in = &p->l->spans;
	struct scratch orders = SCRATCH_INIT;
	bool ok = scratch_array(&orders, in->nthreads, sizeof(struct task_order), err) && scratch_array(place, in->nthreads, sizeof(uint32_t), err);
	struct task_order *o = SCRATCH(orders, struct task_order);

	for (uint32_t i = 1; ok && i <= in->nthreads; i++) {
		struct pf_task *t = pf_task(p, spans_in_tid(in, i), err);

		if (t == NULL)
			ok = false;
		else {
			t->thread = i;
			spans_in_of(in, i, t->pid);
			o[i - 1] = (struct task_order){ t->pid, t->tid, i };
			ok = spans_in_name(in, i, tasks_name_of(p, t), err);
		}
	}
	if (ok && in->nthreads > 0) {
		qsort(o, in->nthreads, sizeof *o, by_process);
		for (uint32_t i = 0; i < in->nthreads; i++)
			SCRATCH(*place, uint32_t)[o[i].thread - 1] = i + 1;
		ok = spans_in_order(in, SCRATCH(*place, uint32_t), err);
	}
	scratch_free(&orders);
	return ok;
}

bool
pf_task_order(struct perfetto *p, struct scratch *place, struct err *err)
{
	if (!order_threads(p, place, err))
		return false;
	for (uint64_t i = 0; i < p->marks.ninstants; i++) {
		struct mark_instant *m = &SCRATCH(p->marks.instants, struct mark_instant)[i];

		m->thread = m->thread == 0 ? 0 : SCRATCH(*place, uint32_t)[m->thread - 1];
	}
	for (uint64_t i = 1; i <= p->marks.nspans; i++) {
		struct mark_span *m = marks_span(&p->marks, i);

		m->thread = m->thread == 0 ? 0 : SCRATCH(*place, uint32_t)[m->thread - 1];
	}
	pf_flow_order(p, SCRATCH(*place, uint32_t));
	return true;
}

bool
pf_task_columns(struct perfetto *p, struct err *err)
{
	const struct spans_in *in = &p->l->spans;
	uint32_t *process = store_make(p->l->st, COL_LISTED_PROCESS, COL_U32, in->nthreads, err), at;

	if (process == NULL)
		return false;
	for (uint32_t i = 0; i < in->nthreads; i++) {
		const struct pf_task *t = pf_task(p, spans_in_tid(in, i + 1), err);

		if (t == NULL || (process[i] = pf_mark_process(p, t->pid, err)) == 0)
			return false;
	}
	for (uint64_t i = 0; i < p->nprocesses; i++) {
		const struct pf_process *r = &SCRATCH(p->processes, struct pf_process)[i];

		at = r->process;
		if (at != 0)
			marks_process_at(&p->marks, at)->name = r->word;
	}
	return marks_process_columns(&p->marks, err);
}
