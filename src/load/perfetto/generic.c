/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generic: states of tasks as kernels other than Linux tell them, each in a packet of its own.
 *
 * A switch is two packets at one time and CPU, in any order: one task runs, and the other one does not.  So
 * a switch waits for the packets of its time.
 */
#include "config.h"

#include "perfetto.h"

enum { CREATED = 1, RUNNABLE, RUNNING, DESTROYED = 8 };
static const char letters[] = "??R?SDTZX";

#define FREQUENCY(F) F(1, cpu, U64) F(2, hz, U64)
SHAPE(generic_task, "GenericKernelTaskStateEvent", FIELDS_GENERIC_TASK)
SHAPE(generic_frequency, "GenericKernelCpuFrequencyEvent", FREQUENCY)
SHAPE(generic_rename, "GenericKernelTaskRenameEvent", FIELDS_GENERIC_RENAME)
SHAPE(generic_process, "GenericKernelProcessTree.Process", FIELDS_GENERIC_PROCESS)
SHAPE(generic_thread, "GenericKernelProcessTree.Thread", FIELDS_GENERIC_THREAD)

static bool
generic_switch(struct perfetto *p, const struct pf_left *w, struct err *err)
{
	return sched_events_switch(p->sched, &(struct sched_record){ .time = p->kernel.left_time - p->first,
	    .cpu = w->cpu, .from = w->from, .to = w->to, .state = (uint8_t)w->letter }, err);
}

bool
pf_generic_end(struct perfetto *p, struct err *err)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < p->kernel.nleft; i++)
		ok = generic_switch(p, &p->kernel.left[i], err);
	p->kernel.nleft = 0;
	return ok;
}

/* A switch on a CPU, whose letter may come later.  from, to: rows; 0: the idle task. */
static bool
generic_leave(struct perfetto *p, uint32_t cpu, uint32_t from, uint32_t to, char letter, struct err *err)
{
	struct pf_left w = { from == 0 ? 0 : pf_task_key(p, pf_task_at(p, from)), to == 0 ? 0 :
	    pf_task_key(p, pf_task_at(p, to)), (uint16_t)cpu, from == 0 ? 'R' : letter };

	assert(cpu < PF_CPUS && p->kernel.nleft <= NELEM(p->kernel.left));
	p->kernel.running[cpu] = to;
	if (p->kernel.nleft == NELEM(p->kernel.left) && !pf_generic_end(p, err))
		return false;
	p->kernel.left[p->kernel.nleft++] = w;
	return true;
}

static bool
generic_wake(struct perfetto *p, const struct pf_row *r, uint32_t cpu, const struct pf_task *t,
    struct err *err)
{
	return sched_events_waking(p->sched, &(struct sched_record){ .time = r->time - p->first, .cpu = cpu,
	    .irq = SCHED_IRQ_NOBODY, .to = pf_task_key(p, t), .target = SWITCH_NO_CPU,
	    .wake = WAKE_WAKEUP }, err);
}

static bool
generic_state(struct perfetto *p, const struct pf_row *r, const struct generic_task *g, struct err *err)
{
	uint32_t tid = (uint32_t)g->tid, cpu = (uint32_t)g->cpu, state = (uint32_t)g->state, task;
	struct pf_task *t = pf_task(p, tid, err);

	assert(cpu < PF_CPUS && state < sizeof letters);
	if (t == NULL)
		return false;
	task = pf_task_row(p, t);
	if (state == RUNNING && p->kernel.running[cpu] == task)
		return true;
	if (!pf_task_name(p, t, g->name, PF_NAMED_KERNEL, err))
		return false;
	t->seen = true;
	if (state == DESTROYED)
		pf_task_ends(p, tid);
	if (state == RUNNING)
		return generic_leave(p, cpu, p->kernel.running[cpu], task, '?', err);
	if (p->kernel.running[cpu] == task)
		return generic_leave(p, cpu, task, 0, letters[state], err);
	for (unsigned i = p->kernel.nleft; i-- > 0; )
		if (p->kernel.left[i].from == pf_task_key(p, t) && p->kernel.left[i].letter == '?') {
			p->kernel.left[i].letter = letters[state];
			return true;
		}
	return state != RUNNABLE || generic_wake(p, r, cpu, t, err);
}

static bool
generic_tree(struct perfetto *p, struct str m, struct err *err)
{
	struct generic_process g;
	struct generic_thread t;
	uint32_t process, parent;

	SHAPE_EACH(m, 1, in) {
		(void)generic_process_read(in, &g, NULL);
		parent = 0;
		if ((g.parent != 0 && (parent = pf_process(p, (uint32_t)g.parent, err)) == 0) ||
		    (process = pf_process(p, (uint32_t)g.pid, err)) == 0 ||
		    !pf_process_name(p, process, str_until(g.command, ' '), PF_NAMED_TRACK, err))
			return false;
		if (parent != 0 && parent != process)
			pf_process_at(p, process)->parent = parent;
		if (g.command.n > 0 && !marks_word_of(&p->marks, str_head(g.command, PF_TEXT_MOST),
		    &pf_process_at(p, process)->command, err))
			return false;
	}
	SHAPE_EACH(m, 2, in) {
		(void)generic_thread_read(in, &t, NULL);
		if (!pf_task_name(p, pf_task_in(p, (uint32_t)t.tid, (uint32_t)t.pid, err), t.name,
		    PF_NAMED_KERNEL, err))
			return false;
	}
	return true;
}

static bool
generic_bad(struct perfetto *p)
{
	p->count[PF_BAD_FTRACE]++;
	return true;
}

bool
pf_play_generic(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct generic_task t;
	struct generic_frequency f;
	struct generic_rename name;

	if (p->kernel.left_time != r->time && !pf_generic_end(p, err))
		return false;
	p->kernel.left_time = r->time;
	switch (r->b) {
	case PKT_GENERIC_TREE: return generic_tree(p, m, err);
	case PKT_GENERIC_TASK:
		return generic_task_read(m, &t, NULL) && t.cpu < PF_CPUS && t.state != 0 &&
		    t.state <= DESTROYED ? generic_state(p, r, &t, err) : generic_bad(p);
	case PKT_GENERIC_FREQUENCY:
		return generic_frequency_read(m, &f, NULL) && f.cpu < PF_CPUS ?
		    kernel_frequency(&p->player, r->time - p->first, (uint32_t)f.cpu, f.hz / 1000, err) :
		    generic_bad(p);
	default:
		return !generic_rename_read(m, &name, NULL) ? generic_bad(p) :
		    pf_task_name(p, pf_task(p, (uint32_t)name.tid, err), name.name, PF_NAMED_KERNEL, err);
	}
}
