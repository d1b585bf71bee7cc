/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel: events of the kernel's trace (ftrace): their names, and their fields in text and in packets.
 *
 * Kinds and fields have the numbers of FtraceEvent and its messages in protos/perfetto/trace/ftrace of the
 * Perfetto project.  The forms of text are those of TP_printk in include/trace/events of Linux and Android.
 */
#ifndef ICECORE_KERNEL_H
#define ICECORE_KERNEL_H

#include "icecore/str.h"

enum { KERNEL_KINDS = 640, KERNEL_FIELDS = 16 };

/* Kinds that icecore uses. */
enum {
	KERNEL_PRINT = 3, KERNEL_SWITCH = 4, KERNEL_CPU_FREQUENCY = 11, KERNEL_CPU_LIMITS = 12,
	KERNEL_CPU_IDLE = 13, KERNEL_CLOCK_RATE = 16, KERNEL_WAKEUP = 17, KERNEL_BLOCKED = 18,
	KERNEL_WAKING = 20, KERNEL_SOFTIRQ_ENTRY = 24, KERNEL_SOFTIRQ_EXIT = 25, KERNEL_IRQ_ENTRY = 36,
	KERNEL_IRQ_EXIT = 37, KERNEL_BINDER = 50, KERNEL_BINDER_RECEIVED = 51, KERNEL_WORK_END = 57,
	KERNEL_WORK_START = 58, KERNEL_MDSS = 80, KERNEL_WAKEUP_NEW = 114, KERNEL_NEW_TASK = 235,
	KERNEL_RENAME = 236, KERNEL_EXIT = 238, KERNEL_FREE = 240, KERNEL_RSS = 313,
	KERNEL_SIGNAL_DELIVER = 324, KERNEL_SIGNAL_GENERATE = 325, KERNEL_OOM = 326, KERNEL_GENERIC = 327,
	KERNEL_SYSCALL = 329, KERNEL_SYSCALL_END = 330, KERNEL_ZERO = 331, KERNEL_GPU_FREQUENCY = 332,
	KERNEL_SDE = 333, KERNEL_VICTIM = 334, KERNEL_ION = 335, KERNEL_DPU = 348, KERNEL_G2D = 349,
	KERNEL_MALI = 350, KERNEL_DMA = 351, KERNEL_WAKELOCK = 404, KERNEL_WAKELOCK_END = 405,
	KERNEL_GRAPH_ENTRY = 437, KERNEL_GRAPH_EXIT = 438, KERNEL_LWIS = 467, KERNEL_SAMSUNG = 484,
	KERNEL_KPROBE = 542
};

struct kernel_event {
	uint32_t	kind;
	/* Bits: fields of text that have a number, or a word of the kernel for one, and nothing else. */
	uint16_t	numbers;
	uint16_t	has;		/* bits: which fields it has */
	uint64_t	v[KERNEL_FIELDS];	/* numbers, signed ones too; of text: what s begins with */
	struct str	s[KERNEL_FIELDS];	/* texts; of text: all fields */
};

/* NULL: unknown */
const char *kernel_event_name(uint32_t kind);
/* 0: unknown */
uint32_t kernel_event_kind(struct str name);
/* True if all kernels or perf have an event of that name; others are shown as instants. */
bool	kernel_event_known(struct str name);
/* True if switches and wakeups tell what events of that name tell: unread, they are context (unread.h). */
bool	kernel_event_is_context(struct str name);
/* True if what programs and drivers write, in words of their own, is its text. */
bool	kernel_event_is_free(struct str name);
/* True if text of that kind can be read; other kinds are only counted. */
bool	kernel_event_has_form(uint32_t kind);
/* Read what follows the name of the event in text.  False: it has another form. */
bool	kernel_event_read(uint32_t kind, struct str payload, struct kernel_event *);
/* The field that has the thread id of the task that the event is about; 0: there is none. */
unsigned kernel_event_about(uint32_t kind);
/* True if the running task matters for events of that kind. */
bool	kernel_event_runs(uint32_t kind);
/* Bits: the fields of text that are names of tasks. */
unsigned kernel_event_names(uint32_t kind);

/* ---- kernel_syscalls.c: calls of the kernel have numbers, which differ between processors --- */

enum kernel_machine { MACHINE_OTHER, MACHINE_AARCH64, MACHINE_AARCH32, MACHINE_X86_64, MACHINE_X86 };

/* The machine that uname calls so, as in "x86_64". */
enum kernel_machine kernel_machine(struct str name);
/* The name without "sys_"; NULL: unknown */
const char *kernel_syscall(enum kernel_machine, uint64_t number);

#endif
