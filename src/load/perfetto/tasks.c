/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tasks: threads and processes by their ids, and who said what they are called.
 *
 * Ids are reused: a new task of the kernel, another description or the end of a task begins another row.
 * Two processes may have a thread of the same id.  Kernel names are cut to 15 bytes, so names of higher
 * ranks stay.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "perfetto.h"

/* bytes; as many as Linux has; tasks with one tid */
enum { CALLED_MOST = 4096, TIDS_DIRECT = 1 << 22, SAME_MOST = 64 };

/* ---- tasks --------------------------------------------------------------------------------------------- */

/* The last task with that tid; 0: there was none. */
static inline uint32_t
tasks_last(const struct perfetto *p, uint32_t tid)
{
	return tid < TIDS_DIRECT ? tid < p->who.ndirect ? SCRATCH(p->who.direct, uint32_t)[tid] : 0 :
	    idmap_get(&p->who.by_tid, tid);
}

/* Ids that Linux gives are found without a search. */
static bool
tasks_set_last(struct perfetto *p, uint32_t tid, uint32_t at, struct err *err)
{
	uint64_t most;

	if (tid >= TIDS_DIRECT)
		return idmap_put(&p->who.by_tid, tid, at, err);
	if (tid >= p->who.ndirect) {
		if (!scratch_array(&p->who.direct, (uint64_t)tid + 1, sizeof at, err))
			return false;
		most = p->who.direct.size / sizeof at;
		most = most < TIDS_DIRECT ? most : TIDS_DIRECT;
		memset(&SCRATCH(p->who.direct, uint32_t)[p->who.ndirect], 0,
		    (size_t)(most - p->who.ndirect) * sizeof at);
		p->who.ndirect = most;
	}
	SCRATCH(p->who.direct, uint32_t)[tid] = at;
	return true;
}

struct pf_task *
pf_task_new(struct perfetto *p, uint32_t tid, struct err *err)
{
	struct pf_task new = { .tid = tid, .before = tasks_last(p, tid) };

	if (!PF_ADD(p->who, tasks, new, "threads", err) ||
	    !tasks_set_last(p, tid, (uint32_t)p->who.ntasks, err))
		return NULL;
	return pf_task_at(p, (uint32_t)p->who.ntasks);
}

struct pf_task *
pf_task(struct perfetto *p, uint32_t tid, struct err *err)
{
	uint32_t last = tasks_last(p, tid), at = last;

	while (at != 0 && pf_task_at(p, at)->ended)
		at = pf_task_at(p, at)->before;
	if (at == 0)
		return pf_task_new(p, tid, err);
	return at == last || tasks_set_last(p, tid, at, err) ? pf_task_at(p, at) : NULL;
}

static void
assign(struct perfetto *p, uint32_t task, uint32_t process)
{
	struct pf_task *t = pf_task_at(p, task);
	struct pf_process *r = pf_process_at(p, process);

	t->process = process;
	t->sibling = r->task;
	r->task = task;
}

/* A task is of a process, and so are all that are of one with it. */
static void
set_process(struct perfetto *p, uint32_t task, uint32_t process)
{
	for (uint32_t at = task, next; at != 0; at = next) {
		struct pf_task *t = pf_task_at(p, at);

		next = t->joined;
		t->joined = 0;
		if (t->process == 0)
			assign(p, at, process);
	}
}

void
pf_task_joins(struct perfetto *p, uint32_t task, uint32_t new)
{
	struct pf_task *a = pf_task_at(p, task), *b = pf_task_at(p, new);

	if (a->process != 0)
		assign(p, new, a->process);
	else {
		b->joined = a->joined != 0 ? a->joined : task;
		a->joined = new;
	}
}

/* Makes the task current that has the tid and may be of the process; 0: there is none. */
static bool
find_in(struct perfetto *p, uint32_t tid, uint32_t pid, uint32_t *task, struct err *err)
{
	uint32_t last = tasks_last(p, tid), after = 0, at = last;

	for (unsigned i = 0; at != 0 && i < SAME_MOST; i++, after = at, at = pf_task_at(p, at)->before) {
		struct pf_task *t = pf_task_at(p, at);

		if (t->ended || (t->process != 0 && pf_process_at(p, t->process)->pid != pid))
			continue;
		*task = at;
		if (after == 0)
			return true;
		pf_task_at(p, after)->before = t->before;
		t->before = last;
		return tasks_set_last(p, tid, at, err);
	}
	*task = 0;
	return true;
}

struct pf_task *
pf_task_in(struct perfetto *p, uint32_t tid, uint32_t pid, struct err *err)
{
	struct pf_task *t = pf_task(p, tid, err);
	uint32_t process, task;

	/* The idle task has no process. */
	if (t == NULL || tid == 0 || pid == 0 ||
	    (t->process != 0 && pf_process_at(p, t->process)->pid == pid))
		return t;
	if ((process = pf_process(p, pid, err)) == 0 || !find_in(p, tid, pid, &task, err))
		return NULL;
	t = task != 0 ? pf_task_at(p, task) : pf_task_new(p, tid, err);
	if (t != NULL && t->process == 0)
		set_process(p, pf_task_row(p, t), process);
	return t;
}

/* A process ends, and with it its tasks. */
static void
end_process(struct perfetto *p, uint32_t process)
{
	struct pf_process *r = pf_process_at(p, process);

	for (; r->task != 0; r->task = pf_task_at(p, r->task)->sibling)
		pf_task_at(p, r->task)->ended = true;
	r->ended = true;
}

void
pf_task_ends(struct perfetto *p, uint32_t tid)
{
	uint32_t at = tasks_last(p, tid), process;

	while (at != 0 && pf_task_at(p, at)->ended)
		at = pf_task_at(p, at)->before;
	if (at == 0)
		return;
	pf_task_at(p, at)->ended = true;
	process = pf_task_at(p, at)->process;
	if (process == 0 || pf_process_at(p, process)->pid != tid)
		return;
	end_process(p, process);
}

bool
pf_task_name(struct perfetto *p, struct pf_task *t, struct str name, unsigned rank, struct err *err)
{
	if (t == NULL)
		return false;
	if (name.n == 0 || rank < t->rank ||
	    (rank == t->rank && str_eq(marks_text(&p->marks, t->word), name)))
		return true;
	t->rank = (uint8_t)rank;
	return marks_word_of(&p->marks, str_head(name, CALLED_MOST), &t->word, err);
}

uint32_t
pf_task_thread(struct perfetto *p, struct pf_task *t, struct err *err)
{
	if (t->thread == 0)
		t->thread = spans_in_task(&p->l->spans, 0, pf_task_row(p, t), STR(""), err);
	return t->thread;
}

uint32_t
pf_span_thread(struct perfetto *p, uint32_t tid, struct err *err)
{
	struct pf_task *t = pf_task(p, tid, err);

	return t == NULL ? 0 : pf_task_thread(p, t, err);
}

uint32_t
pf_call_thread(struct perfetto *p, uint32_t task, enum pf_calls calls, struct err *err)
{
	struct pf_task *t = pf_task_at(p, task), new = { .tid = t->tid, .of = task, .calls = (uint8_t)calls };

	if (t->calls == PF_CALLS_NONE)
		t->calls = (uint8_t)calls;
	if (t->calls != calls && t->second == 0) {
		if (!PF_ADD(p->who, tasks, new, "threads", err))
			return 0;
		t = pf_task_at(p, task);
		t->second = (uint32_t)p->who.ntasks;
	}
	return pf_task_thread(p, t->calls == calls ? t : pf_task_at(p, t->second), err);
}

/* ---- processes ----------------------------------------------------------------------------------------- */

static uint32_t
add_process(struct perfetto *p, uint32_t pid, uint32_t before, struct err *err)
{
	struct pf_process new = { .pid = pid, .serial = before == 0 ? 1 :
	    pf_process_at(p, before)->serial + 1 };

	return PF_ADD(p->who, processes, new, "processes", err) &&
	    idmap_put(&p->who.by_pid, (uint64_t)pid + 1, (uint32_t)p->who.nprocesses, err) ?
	    (uint32_t)p->who.nprocesses : 0;
}

uint32_t
pf_process(struct perfetto *p, uint32_t pid, struct err *err)
{
	uint32_t at = idmap_get(&p->who.by_pid, (uint64_t)pid + 1);

	if (at != 0 && !pf_process_at(p, at)->ended)
		return at;
	return (at = add_process(p, pid, at, err)) != 0 &&
	    (pid == 0 || pf_task_in(p, pid, pid, err) != NULL) ? at : 0;
}

uint32_t
pf_process_expected(const struct perfetto *p, uint32_t pid, uint32_t parent)
{
	uint32_t at = idmap_get(&p->who.by_pid, (uint64_t)pid + 1), task;

	if (at == 0 || parent == 0 || pf_process_at(p, at)->ended || pf_process_at(p, at)->parent != parent)
		return 0;
	for (task = pf_process_at(p, at)->task; task != 0; task = pf_task_at(p, task)->sibling)
		if (pf_task_at(p, task)->seen || pf_task_at(p, task)->thread != 0)
			return 0;
	return at;
}

uint32_t
pf_process_new(struct perfetto *p, uint32_t pid, struct err *err)
{
	uint32_t before = idmap_get(&p->who.by_pid, (uint64_t)pid + 1), process;
	struct pf_task *t;

	if (before != 0)
		end_process(p, before);
	if ((process = add_process(p, pid, before, err)) == 0 || (t = pf_task_new(p, pid, err)) == NULL)
		return 0;
	/* Tasks that had the id before are not found again. */
	t->before = 0;
	assign(p, pf_task_row(p, t), process);
	return process;
}

bool
pf_process_name(struct perfetto *p, uint32_t process, struct str name, unsigned rank, struct err *err)
{
	struct pf_process *r = process == 0 ? NULL : pf_process_at(p, process);

	if (r == NULL)
		return false;
	if (name.n == 0 || rank < r->rank)
		return true;
	r->rank = (uint8_t)rank;
	return marks_word_of(&p->marks, str_head(name, CALLED_MOST), &r->word, err);
}

uint32_t
pf_mark_process(struct perfetto *p, uint32_t process, struct err *err)
{
	struct pf_process *r = process == 0 ? NULL : pf_process_at(p, process);
	uint32_t made;
	char digits[16];

	if (r == NULL)
		return marks_process(&p->marks, STR(""), 1, err);
	if (r->process == 0) {
		snprintf(digits, sizeof digits, "%u", r->pid);
		made = marks_process(&p->marks, str_of(digits), r->serial, err);
		r->process = made;
	}
	return r->process;
}

/* ---- as threads of the file ---------------------------------------------------------------------- */

struct task_order {
	uint32_t	pid, process, tid, thread;
};

static int
by_process(const void *x, const void *y)
{
	const struct task_order *a = x, *b = y;

	return num_order(a->pid, b->pid, num_order(a->process, b->process,
	    num_order(a->tid, b->tid, num_order(a->thread, b->thread, 0))));
}

static uint32_t
tasks_pid(const struct perfetto *p, const struct pf_task *t)
{
	return t->process == 0 ? 0 : pf_process_at(p, t->process)->pid;
}

/* The task of a row, which may be of its calls of the other kind. */
static const struct pf_task *
tasks_own(const struct perfetto *p, const struct pf_task *t)
{
	return t->of == 0 ? t : pf_task_at(p, t->of);
}

/* Return the name of a thread; a main thread may have the name of its process. */
static struct str
tasks_name_of(struct perfetto *p, const struct pf_task *row)
{
	const struct pf_task *t = tasks_own(p, row);
	bool main = t->word == 0 && t->process != 0 && t->tid == tasks_pid(p, t);
	struct str name = marks_text(&p->marks, main ? pf_process_at(p, t->process)->word : t->word);

	if (row == t)
		return name;
	buf_clear(&p->text);
	buf_str(&p->text, name);
	buf_str(&p->text, row->calls == PF_CALLS_APART ? STR(" (track events)") : STR(" (marks)"));
	return buf_view(&p->text);
}

/*
 * Gives all threads their names and ids, and puts them in order of their processes.  place: by thread, from
 * 1.
 */
static bool
order_threads(struct perfetto *p, struct scratch *place, struct err *err)
{
	struct spans_in *in = &p->l->spans;
	struct scratch orders = SCRATCH_INIT;
	bool ok = scratch_array(&orders, in->nthreads, sizeof(struct task_order), err) &&
	    scratch_array(place, in->nthreads, sizeof(uint32_t), err);
	struct task_order *o = SCRATCH(orders, struct task_order);

	for (uint32_t i = 1; ok && i <= in->nthreads; i++) {
		const struct pf_task *row = pf_task_at(p, spans_in_tid(in, i)), *t = tasks_own(p, row);

		o[i - 1] = (struct task_order){ tasks_pid(p, t), t->process, t->tid, i };
		spans_in_of(in, i, o[i - 1].pid, t->tid);
		ok = spans_in_name(in, i, tasks_name_of(p, row), err);
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
	flow_order(&p->player.flows, SCRATCH(*place, uint32_t));
	return true;
}

/* The kernel's name of the main thread of a process; 0: none. */
static uint32_t
main_word(const struct perfetto *p, uint32_t process)
{
	const struct pf_process *r = pf_process_at(p, process);

	for (uint32_t at = r->task; at != 0; at = pf_task_at(p, at)->sibling)
		if (pf_task_at(p, at)->tid == r->pid && pf_task_at(p, at)->word != 0 &&
		    pf_task_at(p, at)->rank <= PF_NAMED_TREE)
			return pf_task_at(p, at)->word;
	return 0;
}

bool
pf_task_columns(struct perfetto *p, const uint32_t *place, struct err *err)
{
	uint32_t *process = store_make(p->l->st, COL_LISTED_PROCESS, COL_U32, p->l->spans.nthreads, err), at;

	if (process == NULL)
		return false;
	for (uint32_t i = 1; i <= p->who.ntasks; i++) {
		const struct pf_task *t = pf_task_at(p, i);

		if (t->thread != 0 && (process[place[t->thread - 1] - 1] = pf_mark_process(p,
		    tasks_own(p, t)->process, err)) == 0)
			return false;
	}
	for (uint32_t i = 1; i <= p->who.nprocesses; i++) {
		const struct pf_process *r = pf_process_at(p, i);

		if ((r->pid != 0 || r->process != 0) && (at = pf_mark_process(p, i, err)) == 0)
			return false;
	}
	for (uint32_t i = 1; i <= p->who.nprocesses; i++) {
		const struct pf_process *r = pf_process_at(p, i);
		struct mark_process *m = r->process == 0 ? NULL : marks_process_at(&p->marks, r->process);

		if (m == NULL)
			continue;
		m->name = r->word != 0 ? r->word : main_word(p, i);
		m->uid = r->uid;
		m->command = r->command;
		m->parent = r->parent == 0 ? 0 : pf_process_at(p, r->parent)->process;
	}
	return marks_process_columns(&p->marks, err) && marks_parent_columns(&p->marks, err);
}
