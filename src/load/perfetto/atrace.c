/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atrace: what kernel events and marks of user space need of packets: tasks, processes and calls.
 */
#include "config.h"

#include "perfetto.h"

/* Times of hosts are since the first event. */
static bool
host_call(void *arg, uint64_t since, char letter, uint32_t pid, struct str name, struct err *err)
{
	struct perfetto *p = arg;
	uint64_t time = p->first + since;
	struct span span = { .start = PF_TIME(time), .cpu = SPAN_NO_CPU, .cpu_length = SPAN_NO_CPU };
	struct pf_task *t;
	struct flow_stop is;

	/* An idle CPU has no calls. */
	if (p->kernel.tid == 0) {
		p->player.bad++;
		return true;
	}
	t = pf_task_in(p, p->kernel.tid, pid, err);
	if (t == NULL || (span.thread = pf_call_thread(p, pf_task_row(p, t), PF_CALLS_MERGED, err)) == 0)
		return false;
	if (letter == 'E') {
		pf_call_ends(p, span.thread, since);
		return spans_in_end(&p->l->spans, &span, err);
	}
	name = mark_call_name(name);
	span.frame = samples_frame(&p->l->samples, name, STR(""), 0, err);
	is = (struct flow_stop){ .time = since, .thread = span.thread, .frame = span.frame };
	if (span.frame == 0 || (p->flow.arrows_in_calls && (!marks_word_of(&p->marks, name, &is.name, err) ||
	    !pf_call_begins(p, &is, UINT64_MAX, err))))
		return false;
	return spans_in_begin(&p->l->spans, &span, err);
}

static bool
host_thread(void *arg, uint32_t pid, uint32_t *thread, struct err *err)
{
	struct perfetto *p = arg;
	struct pf_task *t;

	*thread = 0;
	return p->kernel.tid == 0 || ((t = pf_task_in(p, p->kernel.tid, pid, err)) != NULL &&
	    (*thread = pf_task_thread(p, t, err)) != 0);
}

static uint32_t
host_process(void *arg, uint32_t pid, struct err *err)
{
	struct perfetto *p = arg;
	uint32_t process = pid == 0 ? 0 : pf_process(p, pid, err);

	return pid != 0 && process == 0 ? 0 : pf_mark_process(p, process, err);
}

static uint32_t
host_own(void *arg, bool guess, struct err *err)
{
	struct perfetto *p = arg;
	const struct pf_task *t = pf_task(p, p->kernel.tid, err);

	if (t == NULL)
		return 0;
	return t->process == 0 && guess ? host_process(p, t->tid, err) : pf_mark_process(p, t->process, err);
}

static uint32_t
host_task(void *arg, struct err *err)
{
	struct perfetto *p = arg;
	const struct pf_task *t = pf_task(p, p->kernel.tid, err);

	return t == NULL ? 0 : pf_task_row(p, t);
}

static bool
host_turn(void *arg, uint32_t task)
{
	struct perfetto *p = arg;

	p->kernel.tid = pf_task_at(p, task)->tid;
	return !pf_task_at(p, task)->ended;
}

static void
host_about(void *arg, const struct kernel_event *e)
{
	((struct perfetto *)arg)->kernel.tid = (uint32_t)e->v[kernel_event_about(e->kind)];
}

static bool
host_end(void *arg, struct str name, struct flow_stop *end, struct err *err)
{
	struct perfetto *p = arg;
	const struct pf_task *t = pf_task(p, p->kernel.tid, err);

	return t != NULL && (end->thread = pf_call_thread(p, pf_task_row(p, t), PF_CALLS_MERGED, err)) != 0 &&
	    (name.n == 0 || (end->frame = samples_frame(&p->l->samples, name, STR(""), 0, err)) != 0);
}

static struct str
host_symbol(void *arg, const struct kernel_event *e, unsigned field)
{
	struct perfetto *p = arg;
	struct str name = STR("");

	return e->v[field] != 0 && pf_interned_text(p, p->kernel.row->a, NAME_KERNEL_SYMBOL, e->v[field], &name) ?
	    str_head(name, PF_TEXT_MOST) : STR("");
}

static bool
host_blocked(void *arg, uint64_t time, bool io, uint32_t word, struct err *err)
{
	struct perfetto *p = arg;
	struct pf_task *t = pf_task(p, p->kernel.tid, err);

	if (t == NULL)
		return false;
	t->seen = true;
	return sched_events_blocked(p->sched, pf_task_key(p, t), time, io, word, err);
}

static bool
host_frequency(void *arg, uint64_t time, uint32_t cpu, uint32_t khz, struct err *err)
{
	return sched_events_frequency(((struct perfetto *)arg)->sched, cpu, time, khz, err);
}

const struct kernel_host pf_host = {
	host_call, host_thread, host_process, host_own, host_task, host_turn, host_about, host_end, host_symbol,
	host_blocked, host_frequency
};

bool
pf_play_mark(struct perfetto *p, uint32_t tid, uint64_t time, struct str text, struct err *err)
{
	struct user_mark m;

	p->kernel.tid = tid;
	if (mark_read(text, &m))
		return mark_play(&p->player, time - p->first, &m, err);
	p->player.bad++;
	return true;
}
