/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace: events of the kernel: their kinds, and what ftrace.c gives to ftrace_spans.c.
 */
#ifndef LOAD_PERFETTO_FTRACE_H
#define LOAD_PERFETTO_FTRACE_H

#include "perfetto.h"

enum { PF_EVENT_FIELDS = 16 };

/* Kinds of kernel events, by their field of FtraceEvent. */
enum {
	KIND_PRINT = 3, KIND_SWITCH = 4, KIND_CPU_FREQUENCY = 11, KIND_CPU_LIMITS = 12, KIND_CPU_IDLE = 13, KIND_CLOCK_RATE = 16,
	KIND_WAKEUP = 17, KIND_BLOCKED = 18, KIND_WAKING = 20, KIND_SOFTIRQ_ENTRY = 24, KIND_SOFTIRQ_EXIT = 25, KIND_IRQ_ENTRY = 36,
	KIND_IRQ_EXIT = 37, KIND_BINDER = 50, KIND_BINDER_RECEIVED = 51, KIND_WORK_END = 57, KIND_WORK_START = 58, KIND_MDSS = 80,
	KIND_WAKEUP_NEW = 114, KIND_NEW_TASK = 235, KIND_RENAME = 236, KIND_EXIT = 238, KIND_FREE = 240, KIND_RSS = 313,
	KIND_SIGNAL_GENERATE = 324, KIND_SIGNAL_DELIVER = 325, KIND_OOM = 326, KIND_GENERIC = 327, KIND_SYSCALL = 329,
	KIND_SYSCALL_END = 330, KIND_ZERO = 331, KIND_GPU_FREQUENCY = 332, KIND_SDE = 333, KIND_VICTIM = 334, KIND_ION = 335,
	KIND_DPU = 348, KIND_G2D = 349, KIND_MALI = 350, KIND_DMA = 351, KIND_WAKELOCK = 404, KIND_WAKELOCK_END = 405,
	KIND_GRAPH_ENTRY = 437, KIND_GRAPH_EXIT = 438, KIND_LWIS = 467, KIND_SAMSUNG = 484, KIND_KPROBE = 542
};

/* An event of the kernel: fields of its own message by number, numbers and texts. */
struct pf_kernel_event {
	uint32_t	kind, tid, flags;
	bool		has_tid;
	uint16_t	has;		/* bits: which fields it has */
	uint64_t	v[PF_EVENT_FIELDS];
	struct str	s[PF_EVENT_FIELDS];
};

/* ftrace_names.c, syscalls.c: NULL: unknown */
const char *pf_event_name(uint32_t kind);
const char *pf_syscall_name(enum pf_machine, uint64_t number);	/* without "sys_" */

/* One that begins or ends something. */
bool	pf_play_span(struct perfetto *, const struct pf_row *, const struct pf_kernel_event *, struct err *);

#endif
