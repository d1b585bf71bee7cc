/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace: events of the kernel in order of time.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ftrace.h"

/* The first message says what it is. */
static bool
ftrace_read_event(struct str m, struct pf_kernel_event *e)
{
	struct str own = STR("");
	struct proto_field f;
	bool bad = false;

	memset(e, 0, sizeof *e);
	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 2 && f.wire == PROTO_VARINT) {
			e->tid = (uint32_t)f.value;
			e->has_tid = true;
		} else if (f.number == 5 && f.wire == PROTO_VARINT)
			e->flags = (uint32_t)f.value;
		else if (f.wire == PROTO_BYTES && e->kind == 0 && f.number <= UINT32_MAX) {
			e->kind = (uint32_t)f.number;
			own = f.in;
		}
	}
	while (proto_next_whole(&own, &f, &bad))
		if (f.number < PF_EVENT_FIELDS) {
			e->v[f.number] = f.value;
			e->s[f.number] = f.in;
			e->has |= (uint16_t)(1 << f.number);
		}
	return !bad && e->has_tid && e->kind != 0;
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
add_switch(struct perfetto *p, const struct pf_row *r, uint32_t from, uint64_t state, uint32_t to, struct err *err)
{
	return sched_events_switch(p->sched, &(struct sched_told){ .time = since(p, r->time), .cpu = r->cpu, .from = ftrace_key_of(p, from),
	    .to = ftrace_key_of(p, to), .state = ftrace_state_letter(p, state) }, err);
}

/* {1 comm, 2 pid, 4 state, 5 comm, 6 pid} */
static bool
take_switch(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	uint32_t to = named_task(p, (uint32_t)e->v[6], e->s[5], err), from = to == 0 ? 0 : named_task(p, (uint32_t)e->v[2], e->s[1], err);

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

	return self == 0 || (to != 0 && sched_events_waking(p->sched, &(struct sched_told){
	    .time = since(p, r->time), .cpu = r->cpu, .self = ftrace_key_of(p, self), .to = ftrace_key_of(p, to), .target = r->b,
	    .irq = (r->flags & 0x18) != 0, .wake = WAKE_WAKING }, err));
}

/* {1 comm, 2 pid, 5 target CPU} */
static bool
take_wake(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	uint32_t to = named_task(p, (uint32_t)e->v[2], e->s[1], err), self = to == 0 ? 0 : named_task(p, e->tid, STR(""), err);

	return self != 0 && sched_events_waking(p->sched, &(struct sched_told){
	    .time = since(p, r->time), .cpu = r->cpu, .self = ftrace_key_of(p, self),
	    .to = ftrace_key_of(p, to), .target = (uint32_t)e->v[5], .irq = (e->flags & 0x18) != 0,
	    .wake = e->kind == KIND_WAKING ? WAKE_WAKING : e->kind == KIND_WAKEUP_NEW ? WAKE_NEW : WAKE_WAKEUP }, err);
}

/* {1 pid, 2 function, 3 waits for I/O} of a task that was just woken. */
static bool
take_blocked(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	struct str function = STR("");
	uint32_t word = 0, task = named_task(p, (uint32_t)e->v[1], STR(""), err);

	if (task == 0)
		return false;
	if (e->v[2] != 0)
		pf_interned_text(p, r->a, NAME_KERNEL_SYMBOL, e->v[2], &function);
	return (function.n == 0 || marks_word_of(&p->marks, str_head(function, PF_TEXT_MOST), &word, err)) &&
	    sched_events_blocked(p->sched, ftrace_key_of(p, task), since(p, r->time), e->v[3] != 0, word, err);
}

/* {1 pid, 2 comm, 3 flags}: a thread of the process of its maker, or a process of its own.  It may run from then on. */
static bool
take_new_task(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	uint32_t tid = (uint32_t)e->v[1], maker = named_task(p, e->tid, STR(""), err), parent, process, new;
	struct pf_task *t = NULL;

	if (tid == 0 || maker == 0)
		return maker != 0;
	if (!(e->v[3] & 0x10000)) {
		parent = pf_task_at(p, maker)->process;
		if ((process = pf_process_told(p, tid, parent)) == 0 && (process = pf_process_new(p, tid, err)) == 0)
			return false;
		pf_process_at(p, process)->parent = parent;
		if (!pf_process_name(p, process, e->s[2], PF_NAMED_TRACK, err))
			return false;
	} else {
		/* A track or a scan of processes may describe a thread before the kernel creates it. */
		if ((t = pf_task(p, tid, err)) == NULL || ((t->seen || t->thread != 0 || (t->track == 0 && t->word != 0 &&
		    (t->process == 0 || t->process != pf_task_at(p, maker)->process))) && (t = pf_task_new(p, tid, err)) == NULL))
			return false;
		if (t->process == 0)
			pf_task_joins(p, maker, pf_task_row(p, t));
	}
	return (new = named_task(p, tid, e->s[2], err)) != 0 && sched_events_waking(p->sched, &(struct sched_told){
	    .time = since(p, r->time), .cpu = r->cpu, .self = ftrace_key_of(p, maker), .to = ftrace_key_of(p, new),
	    .target = SWITCH_NO_CPU, .wake = WAKE_NEW }, err);
}

/* {1 pid, 3 new comm} */
static bool
take_rename(struct perfetto *p, const struct pf_kernel_event *e, struct err *err)
{
	uint32_t tid = (uint32_t)e->v[1];
	struct pf_task *t = pf_task(p, tid, err);

	return pf_task_name(p, t, e->s[3], PF_NAMED_KERNEL, err) && (t->process == 0 || pf_process_at(p, t->process)->pid != tid ||
	    pf_process_name(p, t->process, e->s[3], PF_NAMED_TRACK, err));
}

/* ---- counters ------------------------------------------------------------------------------------------ */

static bool
take_level(struct perfetto *p, uint64_t time, const struct pf_task *of, double value, struct err *err)
{
	struct pf_about a = { .process = of == NULL ? 0 : of->process, .pid = of == NULL ? 0 : of->tid,
	    .unit = str_has_prefix(buf_view(&p->text), STR("mem.rss")) ? STR("bytes") : STR("") };

	return !p->text.bad ? marks_word_of(&p->marks, buf_view(&p->text), &a.name, err) && pf_level(p, since(p, time), &a, value, err) :
	    fail(err, E_SYSTEM, "out of memory (counter)");
}

static bool
take_cpu_level(struct perfetto *p, uint64_t time, const char *what, uint64_t cpu, double value, struct err *err)
{
	buf_clear(&p->text);
	buf_printf(&p->text, "%s CPU %u", what, (unsigned)cpu);
	return take_level(p, time, NULL, value, err);
}

bool
pf_play_frequency(struct perfetto *p, uint64_t time, uint32_t cpu, uint64_t khz, struct err *err)
{
	return sched_events_frequency(p->sched, cpu, since(p, time), (uint32_t)khz, err) &&
	    take_cpu_level(p, time, "cpufreq", cpu, (double)(uint32_t)khz, err);
}

/* {1 member, 2 bytes, 3 of the current process, 4 its memory}: where the memory is known the process that last was current with it. */
static bool
take_rss(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	static const char *const names[] = { "mem.rss.file", "mem.rss.anon", "mem.swap", "mem.rss.shmem", "mem.unreclaimable" };
	bool owned = (e->has & 1 << 4) != 0 && (e->has & 1 << 3) != 0;
	uint64_t key = idmap_hash(e->v[4] ^ 0x6d6d) | 1;
	uint32_t tid = e->tid, owner;
	struct pf_task *t;

	if ((int64_t)e->v[2] < 0)
		return true;
	if (tid == UINT32_MAX)
		return true;
	if (!owned || e->v[3] != 0) {
		if ((t = pf_task(p, tid, err)) == NULL || (owned && !idmap_put(&p->flow.by_memory, key, pf_task_row(p, t), err)))
			return false;
	} else {
		owner = idmap_get(&p->flow.by_memory, key);
		if (owner == 0 || pf_task_at(p, owner)->ended)
			return true;
		t = pf_task_at(p, owner);
	}
	buf_clear(&p->text);
	buf_str(&p->text, e->v[1] < NELEM(names) ? str_of(names[e->v[1]]) : STR("mem.unknown"));
	return take_level(p, r->time, t, (double)e->v[2], err);
}

/* {1 name, 2 rate} */
static bool
take_clock_rate(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	buf_clear(&p->text);
	buf_str(&p->text, str_head(e->s[1], 256));
	buf_str(&p->text, STR(" Frequency"));
	return take_level(p, r->time, NULL, (double)e->v[2], err);
}

/* {2 adjustment, 16 bits with a sign, 3 pid} */
static bool
take_oom(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	struct pf_task *t = pf_task(p, (uint32_t)e->v[3], err);

	if (t == NULL)
		return false;
	buf_clear(&p->text);
	buf_str(&p->text, STR("oom_score_adj"));
	return take_level(p, r->time, t, (double)(int16_t)e->v[2], err);
}

/* ---- one event ---------------------------------------------------------------------------------------- */

bool
pf_play_ftrace(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct pf_kernel_event e;
	struct pf_task *t;

	if (!ftrace_read_event(pf_bytes(p, r->at, r->n), &e)) {
		p->count[PF_BAD_FTRACE]++;
		return true;
	}
	switch (e.kind) {
	case KIND_SWITCH:
		return take_switch(p, r, &e, err);
	case KIND_WAKING: case KIND_WAKEUP: case KIND_WAKEUP_NEW:
		return take_wake(p, r, &e, err);
	case KIND_PRINT:
		if ((t = pf_task(p, e.tid, err)) == NULL || (t->writes && !pf_play_call(p, e.tid, r->time, 'E', STR(""), err)))
			return false;
		t->writes = false;
		return pf_play_mark(p, e.tid, r->time, e.s[2], err);
	case KIND_NEW_TASK:
		return take_new_task(p, r, &e, err);
	case KIND_RENAME:
		return take_rename(p, &e, err);
	case KIND_FREE:
		pf_task_ends(p, (uint32_t)e.v[2]);
		return true;
	case KIND_BLOCKED:
		return take_blocked(p, r, &e, err);
	case KIND_CPU_FREQUENCY:
		return pf_play_frequency(p, r->time, (uint32_t)e.v[2], e.v[1], err);
	case KIND_CPU_IDLE:
		return take_cpu_level(p, r->time, "cpuidle", e.v[2], e.v[1] == UINT32_MAX ? 0 : (double)(uint32_t)e.v[1] + 1, err);
	case KIND_CPU_LIMITS:
		return take_cpu_level(p, r->time, "cpufreq limit min", e.v[3], (double)(uint32_t)e.v[1], err) &&
		    take_cpu_level(p, r->time, "cpufreq limit max", e.v[3], (double)(uint32_t)e.v[2], err);
	case KIND_GPU_FREQUENCY:
		buf_clear(&p->text);
		buf_printf(&p->text, "gpufreq %u", (unsigned)e.v[1]);
		return take_level(p, r->time, NULL, (double)(uint32_t)e.v[2], err);
	case KIND_CLOCK_RATE:
		return take_clock_rate(p, r, &e, err);
	case KIND_RSS:
		return take_rss(p, r, &e, err);
	case KIND_OOM:
		return take_oom(p, r, &e, err);
	default:
		return pf_play_span(p, r, &e, err);
	}
}
