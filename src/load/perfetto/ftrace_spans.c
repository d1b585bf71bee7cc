/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace_spans: kernel events that begin and end something, and marks that drivers write for user space.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ftrace.h"

/* ---- spans --------------------------------------------------------------------------------------------- */

/* A call of the thread of the event. */
static bool
call(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, char letter, struct str name, struct err *err)
{
	return e->tid == 0 || pf_play_call(p, e->tid, r->time, letter, name, err);
}

/* {1 number}: a system call.  A call that writes a mark ends before the mark, so that the mark is not in it. */
static bool
syscall_span(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	const char *name = pf_syscall_name(p->kernel.machine, e->v[1]);
	bool begins = e->kind == KIND_SYSCALL;
	struct pf_task *t;

	if (name == NULL) {
		pf_skip_event(p, e->kind);
		return true;
	}
	if ((t = pf_task(p, e->tid, err)) == NULL)
		return false;
	if (strcmp(name, "write") == 0) {
		if (!begins && !t->writes)
			return true;
		t->writes = begins;
	}
	buf_clear(&p->text);
	buf_str(&p->text, STR("sys_"));
	buf_str(&p->text, str_of(name));
	return !p->text.bad ? call(p, r, e, begins ? 'B' : 'E', buf_view(&p->text), err) : fail(err, E_SYSTEM, "out of memory (calls)");
}

/* The name of a function in the kernel, or its address. */
static struct str
symbol(struct perfetto *p, const struct pf_row *r, uint64_t function, char text[32])
{
	struct str name;

	if (pf_interned_text(p, r->a, NAME_KERNEL_SYMBOL, (uint32_t)function, &name) && name.n > 0)
		return name;
	snprintf(text, 32, "0x%llx", (unsigned long long)function);
	return str_of(text);
}

/* A span of a CPU. */
static bool
cpu_span(struct perfetto *p, const struct pf_row *r, bool begins, const char *what, struct str name, struct err *err)
{
	uint64_t key = pf_key(what[0], r->cpu);
	struct pf_about a = { .pid = 0 };

	if (!begins)
		return pf_async_end(p, key, r->time - p->first, err);
	buf_clear(&p->text);
	buf_printf(&p->text, "%s CPU %u", what, r->cpu);
	return !p->text.bad ? marks_word_of(&p->marks, buf_view(&p->text), &a.cat, err) && marks_word_of(&p->marks, name, &a.name, err) &&
	    pf_async_begin(p, key, r->time - p->first, &a, err) : fail(err, E_SYSTEM, "out of memory (interrupts)");
}

static bool
interrupt(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	static const char *const soft[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };
	bool begins = e->kind == KIND_IRQ_ENTRY || e->kind == KIND_SOFTIRQ_ENTRY;
	char text[160];

	if (e->kind == KIND_SOFTIRQ_ENTRY || e->kind == KIND_SOFTIRQ_EXIT)
		return e->v[1] >= NELEM(soft) || cpu_span(p, r, begins, "softirq", str_of(soft[e->v[1]]), err);
	snprintf(text, sizeof text, "IRQ (%.*s)", (int)str_head(e->s[2], 128).n, e->s[2].n > 0 ? e->s[2].s : "");
	return cpu_span(p, r, begins, "irq", str_of(text), err);
}

/* Something that lasts until it is ended as often as it began; value: how often it is held. */
static bool
wakelock(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	struct pf_track *t = pf_track(p, pf_key('w', idmap_hash_text(e->s[1], 0)), err);
	struct pf_about a = { .pid = 0 };
	char text[160];

	if (t == NULL)
		return false;
	snprintf(text, sizeof text, "Wakelock(%.*s)", (int)str_head(e->s[1], 128).n, e->s[1].n > 0 ? e->s[1].s : "");
	if (e->kind == KIND_WAKELOCK)
		return t->sum++ > 0 || (marks_word_of(&p->marks, str_of(text), &a.name, err) &&
		    pf_async_begin(p, pf_key('w', t->uuid), r->time - p->first, &a, err));
	if (t->sum <= 0)
		return true;
	return --t->sum > 0 || pf_async_end(p, pf_key('w', t->uuid), r->time - p->first, err);
}

/* ---- binder: {1 id, 5 is a reply, 7 flags: 1 one way} ---------------------------------------------- */

enum { BINDER_REPLY = 1, BINDER_ONE_WAY, BINDER_CALL };

static bool
thread_instant(struct perfetto *p, const struct pf_row *r, uint32_t tid, struct str name, struct str cat, struct err *err)
{
	struct pf_task *t = pf_task(p, tid, err);
	struct pf_about a = { .tid = tid };

	if (t == NULL)
		return false;
	a.task = pf_task_row(p, t);
	a.process = t->process;
	return tid == 0 || (marks_word_of(&p->marks, name, &a.name, err) && marks_word_of(&p->marks, cat, &a.cat, err) &&
	    pf_instant(p, r->time - p->first, &a, 't', err));
}

/* An arrow from a transaction to its receiver. */
static bool
binder_flow(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct str name, bool one_way, enum pf_flow_how how,
    struct err *err)
{
	struct pf_flow_end end = { .time = r->time - p->first };
	struct pf_task *t;

	if (e->tid == 0)
		return true;
	if ((t = pf_task(p, e->tid, err)) == NULL)
		return false;
	end.thread = pf_call_thread(p, pf_task_row(p, t), PF_CALLS_MERGED, err);
	end.frame = one_way ? 0 : samples_frame(&p->l->samples, name, STR(""), 0, err);
	return end.thread != 0 && (one_way || end.frame != 0) && marks_word_of(&p->marks, name, &end.name, err) &&
	    marks_word_of(&p->marks, STR("binder"), &end.cat, err) &&
	    pf_flow(p, pf_key('B', (uint32_t)e->v[1]), 0, &end, how, err);
}

/* A side of a transaction: a call, which the reply ends, or an instant if nobody replies. */
static bool
binder_side(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, uint32_t how, bool received, struct err *err)
{
	static const char *const names[2][2] = {
		{ "binder transaction", "binder reply" }, { "binder transaction async", "binder async rcv" }
	};
	bool one_way = how == BINDER_ONE_WAY;
	struct str name = str_of(names[one_way][received]);

	if (how == BINDER_REPLY)
		return call(p, r, e, 'E', STR(""), err);
	return binder_flow(p, r, e, name, one_way, received ? PF_FLOW_CLOSE : PF_FLOW_START, err) &&
	    (one_way ? thread_instant(p, r, e->tid, name, STR("binder"), err) : call(p, r, e, 'B', name, err));
}

static bool
binder(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	uint32_t how = e->v[5] != 0 ? BINDER_REPLY : e->v[7] & 1 ? BINDER_ONE_WAY : BINDER_CALL;

	return idmap_put(&p->flow.by_binder, idmap_hash((uint32_t)e->v[1]) | 1, how, err) && binder_side(p, r, e, how, false, err);
}

static bool
binder_received(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	uint32_t how = idmap_get(&p->flow.by_binder, idmap_hash((uint32_t)e->v[1]) | 1);

	return how == 0 || binder_side(p, r, e, how, true, err);
}

/* ---- buffers: {1 id, 2 change, 3 total} ----------------------------------------------------------------- */

static bool
buffer(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, const char *what, struct err *err)
{
	uint64_t key = pf_key(what[0] == 'i' ? 'b' : 'd', e->v[1]);
	int64_t change = (int64_t)e->v[2];
	struct pf_about a = { .unit = STR("bytes") };
	char text[64];

	snprintf(text, sizeof text, "mem.%s", what);
	if (!marks_word_of(&p->marks, str_of(text), &a.name, err) || !pf_level(p, r->time - p->first, &a, (double)(int64_t)e->v[3], err))
		return false;
	snprintf(text, sizeof text, "mem.%s_change", what);
	if (!marks_word_of(&p->marks, str_of(text), &a.name, err) || !pf_level(p, r->time - p->first, &a, (double)change, err))
		return false;
	if (change <= 0)
		return pf_async_end(p, key, r->time - p->first, err);
	snprintf(text, sizeof text, "%lld kB", (long long)(change / 1024));
	return marks_word_of(&p->marks, str_of(text), &a.name, err) && pf_async_begin(p, key, r->time - p->first, &a, err);
}

/* ---- marks that drivers write -------------------------------------------------------------------------- */

/* Where a kind has the letter of a mark, whether it begins, its name, its process and its value; 0: nowhere. */
static const struct driver_mark {
	uint16_t	kind;
	uint8_t		letter, begins, name, pid, value;
} driver_marks[] = {
	{ KIND_SDE, 3, 5, 2, 1, 4 }, { KIND_MDSS, 0, 3, 2, 1, 0 }, { KIND_DPU, 5, 0, 4, 1, 6 }, { KIND_G2D, 5, 0, 4, 1, 6 },
	{ KIND_MALI, 3, 0, 1, 2, 4 }, { KIND_LWIS, 2, 0, 4, 3, 5 }, { KIND_SAMSUNG, 4, 3, 2, 1, 5 },
};

static bool
driver_mark(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, const struct driver_mark *d, struct err *err)
{
	char letter = (char)(e->v[d->letter] & 0x7f);
	uint32_t pid = (uint32_t)e->v[d->pid];

	if (d->letter == 0 || letter == 0)
		letter = e->v[d->begins] != 0 ? 'B' : 'E';
	/* dpu records the process only for counters. */
	if (e->kind == KIND_DPU && letter != 'C')
		pid = 0;
	return pf_play_letter(p, e->tid, r->time, letter, pid, e->s[d->name], (int64_t)(int32_t)e->v[d->value], err);
}

/* {1 flag, 2 name, 3 pid, 4 value} */
static bool
zero_mark(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	char letter = e->v[1] & 1 ? 'B' : e->v[1] & 2 ? 'E' : e->v[1] & 4 ? 'C' : '?';

	return pf_play_letter(p, e->tid, r->time, letter, (uint32_t)e->v[3], e->s[2], (int64_t)e->v[4], err);
}

bool
pf_play_span(struct perfetto *p, const struct pf_row *r, const struct pf_kernel_event *e, struct err *err)
{
	char text[32];

	for (size_t i = 0; i < NELEM(driver_marks); i++)
		if (driver_marks[i].kind == e->kind)
			return driver_mark(p, r, e, &driver_marks[i], err);
	switch (e->kind) {
	case KIND_IRQ_ENTRY: case KIND_IRQ_EXIT: case KIND_SOFTIRQ_ENTRY: case KIND_SOFTIRQ_EXIT:
		return interrupt(p, r, e, err);
	case KIND_WORK_START: return call(p, r, e, 'B', symbol(p, r, e->v[2], text), err);
	case KIND_WORK_END: return call(p, r, e, 'E', STR(""), err);
	case KIND_GRAPH_ENTRY: return call(p, r, e, 'B', symbol(p, r, e->v[2], text), err);
	case KIND_GRAPH_EXIT: return call(p, r, e, 'E', STR(""), err);
	case KIND_KPROBE:
		return e->v[2] == 1 ? call(p, r, e, 'B', e->s[1], err) : e->v[2] == 2 ? call(p, r, e, 'E', STR(""), err) :
		    e->v[2] == 3 ? thread_instant(p, r, e->tid, e->s[1], STR(""), err) : true;
	case KIND_GENERIC:
		if (e->s[1].n > 0)
			return thread_instant(p, r, e->tid, str_head(e->s[1], PF_TEXT_MOST), STR("kernel"), err);
		pf_skip_event(p, e->kind);
		return true;
	case KIND_SYSCALL: case KIND_SYSCALL_END: return syscall_span(p, r, e, err);
	case KIND_BINDER: return binder(p, r, e, err);
	case KIND_BINDER_RECEIVED: return binder_received(p, r, e, err);
	case KIND_SIGNAL_GENERATE: return thread_instant(p, r, (uint32_t)e->v[4], STR("signal_generate"), STR(""), err);
	case KIND_SIGNAL_DELIVER: return thread_instant(p, r, e->tid, STR("signal_deliver"), STR(""), err);
	case KIND_VICTIM: return thread_instant(p, r, (uint32_t)e->v[1], STR("mem.oom_kill"), STR(""), err);
	case KIND_ION: return buffer(p, r, e, "ion", err);
	case KIND_DMA: return buffer(p, r, e, "dma_heap", err);
	case KIND_WAKELOCK: case KIND_WAKELOCK_END: return wakelock(p, r, e, err);
	case KIND_ZERO: return zero_mark(p, r, e, err);
	default:
		pf_skip_event(p, e->kind);
		return true;
	}
}
