/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace: events of the kernel in order of time.
 */
#include "config.h"

#include <string.h>

#include "ftrace.h"

/* The first message says what it is. */
bool
pf_event_read(struct str m, struct kernel_event *e, struct pf_event_of *of)
{
	struct str own = STR("");
	struct proto_field f;
	bool bad = false;

	memset(e, 0, sizeof *e);
	*of = (struct pf_event_of){ .time = 0 };
	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1 && f.wire == PROTO_VARINT)
			of->time = f.value;
		else if (f.number == 2 && f.wire == PROTO_VARINT) {
			of->tid = (uint32_t)f.value;
			of->has_tid = true;
		} else if (f.number == 5 && f.wire == PROTO_VARINT)
			of->flags = (uint32_t)f.value;
		else if (f.wire == PROTO_BYTES && e->kind == 0 && f.number <= UINT32_MAX) {
			e->kind = (uint32_t)f.number;
			own = f.in;
		}
	}
	while (proto_next_whole(&own, &f, &bad))
		if (f.number < KERNEL_FIELDS) {
			e->v[f.number] = f.value;
			e->s[f.number] = f.in;
			e->has |= (uint16_t)(1 << f.number);
		}
	return !bad && of->has_tid && e->kind != 0;
}

/* The letter of what left a CPU: the lowest bit counts, and a kernel from 4.14 on has other bits above them. */
static uint8_t
ftrace_state_letter(const struct perfetto *p, uint64_t state)
{
	static const char letters[] = "SDTtXZ", new_letters[] = "PI", old_letters[] = "xKWPN";
	bool is_new = p->kernel.release >= (4 << 8 | 14);

	state &= 0xffff;
	for (unsigned i = 0; i < 6; i++)
		if (state >> i & 1)
			return (uint8_t)(!is_new && state == 0x402 ? 'I' : letters[i]);
	for (unsigned i = 0; i < (is_new ? 2u : 5u); i++)
		if (state >> (6 + i) & 1)
			return (uint8_t)(is_new ? new_letters : old_letters)[i];
	return is_new && (state & 0xfe00) != 0 ? '?' : 'R';
}

/*
 * Flags of an event, as text prints them: in a non-maskable, hard or soft interrupt (TRACE_FLAG_NMI, _HARDIRQ,
 * _SOFTIRQ).
 */
static uint8_t
irq_letter(uint32_t flags)
{
	return flags & 0x40 ? 'z' : flags & 0x08 ? 'h' : flags & 0x10 ? 's' : 0;
}

static uint64_t
since(const struct perfetto *p, uint64_t time)
{
	return time - p->first;
}

/* ---- tasks ----------------------------------------------------------------------------------------- */

/* The row of a task that the kernel names; 0: failure. */
static uint32_t
named_task(struct perfetto *p, uint32_t tid, struct str name, struct err *err)
{
	struct pf_task *t = pf_task(p, tid, err);

	if (!pf_task_name(p, t, name, PF_NAMED_KERNEL, err))
		return 0;
	t->seen = true;
	return pf_task_row(p, t);
}

static inline uint32_t
ftrace_key_of(const struct perfetto *p, uint32_t task)
{
	return pf_task_key(p, pf_task_at(p, task));
}

/* From one row of tasks to another one. */
static bool
add_switch(struct perfetto *p, const struct pf_row *r, uint32_t from, uint64_t state, uint32_t to,
    struct err *err)
{
	return sched_events_switch(p->sched, &(struct sched_record){ .time = since(p, r->time), .cpu = r->cpu,
	    .from = ftrace_key_of(p, from), .to = ftrace_key_of(p, to),
	    .state = ftrace_state_letter(p, state) }, err);
}

/* {1 comm, 2 pid, 4 state, 5 comm, 6 pid} */
static bool
take_switch(struct perfetto *p, const struct pf_row *r, const struct kernel_event *e, struct err *err)
{
	uint32_t to = named_task(p, (uint32_t)e->v[6], e->s[5], err), from = to == 0 ? 0 :
	    named_task(p, (uint32_t)e->v[2], e->s[1], err);

	p->kernel.running[r->cpu] = to;
	return from != 0 && add_switch(p, r, from, e->v[4], to, err);
}

bool
pf_play_switch(struct perfetto *p, const struct pf_row *r, bool counts, struct err *err)
{
	struct str name = pf_bytes(p, r->at, r->n);
	uint32_t from = p->kernel.running[r->cpu], to = named_task(p, r->a, name, err);

	p->kernel.running[r->cpu] = to;
	return to != 0 && (from == 0 || !counts || add_switch(p, r, from, r->b, to, err));
}

bool
pf_play_waking(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct str name = pf_bytes(p, r->at, r->n);
	uint32_t self = p->kernel.running[r->cpu], to = self == 0 ? 0 : named_task(p, r->a, name, err);

	return self == 0 || (to != 0 && sched_events_waking(p->sched,
	    &(struct sched_record){ .time = since(p, r->time), .cpu = r->cpu, .self = ftrace_key_of(p, self),
	    .to = ftrace_key_of(p, to), .target = r->b, .irq = irq_letter(r->flags), .wake = WAKE_WAKING },
	    err));
}

/* {1 comm, 2 pid, 5 target CPU} */
static bool
take_wake(struct perfetto *p, const struct pf_row *r, const struct kernel_event *e,
    const struct pf_event_of *of, struct err *err)
{
	uint32_t to = named_task(p, (uint32_t)e->v[2], e->s[1], err), self = to == 0 ? 0 :
	    named_task(p, of->tid, STR(""), err);

	return self != 0 && sched_events_waking(p->sched,
	    &(struct sched_record){ .time = since(p, r->time), .cpu = r->cpu, .self = ftrace_key_of(p, self),
	    .to = ftrace_key_of(p, to), .target = (uint32_t)e->v[5], .irq = irq_letter(of->flags),
	    .wake = e->kind == KERNEL_WAKING ? WAKE_WAKING : e->kind == KERNEL_WAKEUP_NEW ? WAKE_NEW :
	    WAKE_WAKEUP }, err);
}

/* {1 pid, 2 comm, 3 flags}: a thread of the process of its maker, or a process of its own.  It may run from then on. */
static bool
take_new_task(struct perfetto *p, const struct pf_row *r, const struct kernel_event *e, uint32_t self,
    struct err *err)
{
	uint32_t tid = (uint32_t)e->v[1], maker = named_task(p, self, STR(""), err), parent, process, new;
	struct pf_task *t = NULL;

	if (tid == 0 || maker == 0)
		return maker != 0;
	if (!(e->v[3] & CLONE_THREAD)) {
		parent = pf_task_at(p, maker)->process;
		if ((process = pf_process_expected(p, tid, parent)) == 0 &&
		    (process = pf_process_new(p, tid, err)) == 0)
			return false;
		pf_process_at(p, process)->parent = parent;
		if (!pf_process_name(p, process, e->s[2], PF_NAMED_TRACK, err))
			return false;
	} else {
		/* A track or a scan of processes may describe a thread before the kernel creates it. */
		if ((t = pf_task(p, tid, err)) == NULL ||
		    ((t->seen || t->thread != 0 || (t->track == 0 && t->word != 0 &&
		    (t->process == 0 || t->process != pf_task_at(p, maker)->process))) &&
		    (t = pf_task_new(p, tid, err)) == NULL))
			return false;
		if (t->process == 0)
			pf_task_joins(p, maker, pf_task_row(p, t));
	}
	return (new = named_task(p, tid, e->s[2], err)) != 0 &&
	    sched_events_waking(p->sched, &(struct sched_record){ .time = since(p, r->time), .cpu = r->cpu,
	    .self = ftrace_key_of(p, maker), .to = ftrace_key_of(p, new), .target = SWITCH_NO_CPU,
	    .wake = WAKE_NEW }, err);
}

/* {1 pid, 3 new comm} */
static bool
take_rename(struct perfetto *p, const struct kernel_event *e, struct err *err)
{
	uint32_t tid = (uint32_t)e->v[1];
	struct pf_task *t = pf_task(p, tid, err);

	return pf_task_name(p, t, e->s[3], PF_NAMED_KERNEL, err) &&
	    (t->process == 0 || pf_process_at(p, t->process)->pid != tid ||
	    pf_process_name(p, t->process, e->s[3], PF_NAMED_TRACK, err));
}

/* ---- one event ---------------------------------------------------------------------------------------- */

/* Text of a mark.  A system call that writes it has ended. */
static bool
take_print(struct perfetto *p, const struct pf_row *r, const struct kernel_event *e, uint32_t tid,
    struct err *err)
{
	struct pf_task *t = pf_task(p, tid, err);

	if (t == NULL || (t->writes && !pf_host.call(p, since(p, r->time), 'E', 0, STR(""), err)))
		return false;
	t->writes = false;
	return pf_play_mark(p, tid, r->time, e->s[2], err);
}

/* Events that are not about tasks. */
static bool
take_kernel(struct perfetto *p, const struct pf_row *r, const struct kernel_event *e,
    const struct pf_event_of *of, struct err *err)
{
	const struct kernel_when when = { since(p, r->time), r->cpu, of->tid == 0 };
	bool known = true, ok;

	/* The memory of no task. */
	if (e->kind == KERNEL_RSS && of->tid == UINT32_MAX)
		return true;
	if (e->kind == KERNEL_GENERIC && e->s[1].n > 0 && kernel_event_known(e->s[1])) {
		unread_add(&p->unread, UNREAD_KERNEL, e->s[1], 1);
		return true;
	}
	ok = pf_play_span(p, &when, e, &known, err) &&
	    (known || kernel_play(&p->player, &when, e, &known, err));
	if (!known)
		pf_skip_event(p, e->kind);
	return ok;
}

bool
pf_play_ftrace(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct kernel_event e;
	struct pf_event_of of;

	if (!pf_event_read(pf_bytes(p, r->at, r->n), &e, &of)) {
		p->count[PF_BAD_FTRACE]++;
		return true;
	}
	p->kernel.tid = of.tid;
	p->kernel.row = r;
	switch (e.kind) {
	case KERNEL_SWITCH:
		return take_switch(p, r, &e, err);
	case KERNEL_WAKING: case KERNEL_WAKEUP: case KERNEL_WAKEUP_NEW:
		return take_wake(p, r, &e, &of, err);
	case KERNEL_PRINT:
		return take_print(p, r, &e, of.tid, err);
	case KERNEL_NEW_TASK:
		return take_new_task(p, r, &e, of.tid, err);
	case KERNEL_RENAME:
		return take_rename(p, &e, err);
	case KERNEL_FREE:
		pf_task_ends(p, (uint32_t)e.v[2]);
		return true;
	default:
		return take_kernel(p, r, &e, &of, err);
	}
}
