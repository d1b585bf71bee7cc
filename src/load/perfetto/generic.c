/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generic: states of tasks as kernels other than Linux tell them, each in a packet of its own.
 *
 * A switch is two packets at one time and CPU, in any order: one task runs, and the other one does not.  So a switch waits for the
 * packets of its time.
 */
#include "config.h"

#include "ftrace.h"

enum { CREATED = 1, RUNNABLE, RUNNING, DESTROYED = 8 };
static const char letters[] = "??R?SDTZX";

/* {1 CPU, 2 name, 3 tid, 4 state} */
struct generic_task {
	uint64_t	v[6];
	struct str	name;
};

static bool
generic_read(struct str m, struct generic_task *g)
{
	struct proto_field f;
	bool bad = false;

	*g = (struct generic_task){ .name = STR("") };
	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number < NELEM(g->v))
			g->v[f.number] = f.value;
		if (f.number == 2)
			g->name = f.in;
	}
	return !bad;
}

static bool
generic_switch(struct perfetto *p, const struct pf_left *w, struct err *err)
{
	return sched_events_switch(p->sched, &(struct sched_told){ .time = p->left_time - p->first, .cpu = w->cpu, .from = w->from,
	    .to = w->to, .state = (uint8_t)w->letter }, err);
}

bool
pf_generic_end(struct perfetto *p, struct err *err)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < p->nleft; i++)
		ok = generic_switch(p, &p->left[i], err);
	p->nleft = 0;
	return ok;
}

/* A switch on a CPU, whose letter may come later.  from, to: rows; 0: the idle task. */
static bool
generic_leave(struct perfetto *p, uint32_t cpu, uint32_t from, uint32_t to, char letter, struct err *err)
{
	struct pf_left w = { from == 0 ? 0 : pf_task_key(p, pf_task_at(p, from)), to == 0 ? 0 : pf_task_key(p, pf_task_at(p, to)), (uint16_t)cpu,
	    from == 0 ? 'R' : letter };

	assert(cpu < PF_CPUS && p->nleft <= NELEM(p->left));
	p->running[cpu] = to;
	if (p->nleft == NELEM(p->left) && !pf_generic_end(p, err))
		return false;
	p->left[p->nleft++] = w;
	return true;
}

static bool
generic_wake(struct perfetto *p, const struct pf_row *r, uint32_t cpu, const struct pf_task *t, struct err *err)
{
	return sched_events_waking(p->sched, &(struct sched_told){ .time = r->time - p->first, .cpu = cpu, .self = SCHED_NOBODY,
	    .to = pf_task_key(p, t), .target = SWITCH_NO_CPU, .wake = WAKE_WAKEUP }, err);
}

static bool
generic_state(struct perfetto *p, const struct pf_row *r, const struct generic_task *g, struct err *err)
{
	uint32_t tid = (uint32_t)g->v[3], cpu = (uint32_t)g->v[1], state = (uint32_t)g->v[4], task;
	struct pf_task *t = pf_task(p, tid, err);

	assert(cpu < PF_CPUS && state < sizeof letters);
	if (t == NULL)
		return false;
	task = pf_task_row(p, t);
	if (state == RUNNING && p->running[cpu] == task)
		return true;
	if (!pf_task_name(p, t, g->name, PF_NAMED_KERNEL, err))
		return false;
	t->seen = true;
	if (state == DESTROYED)
		pf_task_ends(p, tid);
	if (state == RUNNING)
		return generic_leave(p, cpu, p->running[cpu], task, '?', err);
	if (p->running[cpu] == task)
		return generic_leave(p, cpu, task, 0, letters[state], err);
	for (unsigned i = p->nleft; i-- > 0; )
		if (p->left[i].from == pf_task_key(p, t) && p->left[i].letter == '?') {
			p->left[i].letter = letters[state];
			return true;
		}
	return state != RUNNABLE || generic_wake(p, r, cpu, t, err);
}

/* {1 processes {1 pid, 2 parent, 3 command line}, 2 threads {1 tid, 2 pid, 3 name}} */
static bool
generic_tree(struct perfetto *p, struct str m, struct err *err)
{
	struct proto_field f, in;
	bool bad = false, ok = true;

	while (ok && proto_next_whole(&m, &f, &bad)) {
		struct str name = STR("");
		uint32_t id[3] = { 0 }, process, parent = 0;

		if (f.wire != PROTO_BYTES || f.number == 0 || f.number > 2)
			continue;
		while (proto_next_whole(&f.in, &in, &bad)) {
			if (in.number < NELEM(id))
				id[in.number] = (uint32_t)in.value;
			if (in.number == 3)
				name = in.in;
		}
		if (f.number == 2) {
			ok = pf_task_name(p, pf_task_in(p, id[1], id[2], err), name, PF_NAMED_KERNEL, err);
			continue;
		}
		ok = (id[2] == 0 || (parent = pf_process(p, id[2], err)) != 0) && (process = pf_process(p, id[1], err)) != 0 &&
		    pf_process_name(p, process, str_until(name, ' '), PF_NAMED_TRACK, err);
		if (ok && parent != 0 && parent != process)
			pf_process_at(p, process)->parent = parent;
		ok = ok && (name.n == 0 || marks_word_of(&p->marks, str_head(name, PF_TEXT_MOST), &pf_process_at(p, process)->command, err));
	}
	return ok;
}

bool
pf_play_generic(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct str m = pf_bytes(p, r->at, r->n);
	struct generic_task g;

	if (p->left_time != r->time && !pf_generic_end(p, err))
		return false;
	p->left_time = r->time;
	if (r->b == PKT_GENERIC_TREE)
		return generic_tree(p, m, err);
	if (!generic_read(m, &g) || (r->b != PKT_GENERIC_RENAME && g.v[1] >= PF_CPUS) ||
	    (r->b == PKT_GENERIC_TASK && (g.v[4] == 0 || g.v[4] > DESTROYED))) {
		p->count[PF_BAD_FTRACE]++;
		return true;
	}
	switch (r->b) {
	case PKT_GENERIC_TASK: return generic_state(p, r, &g, err);
	case PKT_GENERIC_FREQUENCY: return pf_play_frequency(p, r->time, (uint32_t)g.v[1], g.v[2] / 1000, err);
	default: return pf_task_name(p, pf_task(p, (uint32_t)g.v[1], err), g.name, PF_NAMED_KERNEL, err);
	}
}
