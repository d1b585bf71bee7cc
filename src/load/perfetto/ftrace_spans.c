/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ftrace_spans: kernel events of packets that begin and end calls, and marks that drivers write for user space.
 */
#include "config.h"

#include <string.h>

#include "ftrace.h"

/* ---- calls --------------------------------------------------------------------------------------------- */

/*
 * {1 number}: a system call. A call that writes a mark ends before the mark, so that the mark is not in it. *known
 * false: the number is unknown.
 */
static bool
syscall_span(struct perfetto *p, const struct kernel_when *when, const struct kernel_event *e, bool *known,
    struct err *err)
{
	const char *name = kernel_syscall(p->kernel.machine, e->v[1]);
	bool begins = e->kind == KERNEL_SYSCALL;
	struct pf_task *t;

	*known = name != NULL;
	if (name == NULL)
		return true;
	if ((t = pf_task(p, p->kernel.tid, err)) == NULL)
		return false;
	if (strcmp(name, "write") == 0) {
		if (!begins && !t->writes)
			return true;
		t->writes = begins;
	}
	buf_clear(&p->text);
	buf_str(&p->text, STR("sys_"));
	buf_str(&p->text, str_of(name));
	return !p->text.bad ? kernel_call(&p->player, when, begins ? 'B' : 'E', buf_view(&p->text), err) :
	    fail(err, E_SYSTEM, "out of memory (calls)");
}

/* {1 name, 2 type}: a probe at the begin or end of a function, or within it. */
static bool
probe(struct perfetto *p, const struct kernel_when *when, const struct kernel_event *e, struct err *err)
{
	switch (e->v[2]) {
	case 1: return kernel_call(&p->player, when, 'B', e->s[1], err);
	case 2: return kernel_call(&p->player, when, 'E', STR(""), err);
	case 3: return kernel_instant(&p->player, when, e->s[1], STR(""), err);
	default: return true;
	}
}

/* ---- marks that drivers write -------------------------------------------------------------------------- */

/* Where a kind has the letter of a mark, whether it begins, its name, its process and its value; 0: nowhere. */
static const struct driver_mark {
	uint16_t	kind;
	uint8_t		letter, begins, name, pid, value;
} driver_marks[] = {
	{ KERNEL_SDE, 3, 5, 2, 1, 4 }, { KERNEL_MDSS, 0, 3, 2, 1, 0 }, { KERNEL_DPU, 5, 0, 4, 1, 6 },
	{ KERNEL_G2D, 5, 0, 4, 1, 6 },
	{ KERNEL_MALI, 3, 0, 1, 2, 4 }, { KERNEL_LWIS, 2, 0, 4, 3, 5 }, { KERNEL_SAMSUNG, 4, 3, 2, 1, 5 },
};

static bool
driver_letter(struct perfetto *p, const struct kernel_when *when, char letter, uint32_t pid,
    struct str name, int64_t value, struct err *err)
{
	struct user_mark m = { .letter = letter, .pid = pid, .name = name, .value = value };

	if (memchr("BECI", letter, 4) != NULL)
		return mark_play(&p->player, when->time, &m, err);
	p->player.bad++;
	return true;
}

static bool
driver_mark(struct perfetto *p, const struct kernel_when *when, const struct kernel_event *e,
    const struct driver_mark *d, struct err *err)
{
	char letter = (char)(e->v[d->letter] & 0x7f);
	uint32_t pid = (uint32_t)e->v[d->pid];

	if (d->letter == 0 || letter == 0)
		letter = e->v[d->begins] != 0 ? 'B' : 'E';
	/* dpu records the process only for counters. */
	if (e->kind == KERNEL_DPU && letter != 'C')
		pid = 0;
	return driver_letter(p, when, letter, pid, e->s[d->name], (int32_t)e->v[d->value], err);
}

/* {1 flag, 2 name, 3 pid, 4 value} */
static bool
zero_mark(struct perfetto *p, const struct kernel_when *when, const struct kernel_event *e, struct err *err)
{
	char letter = e->v[1] & 1 ? 'B' : e->v[1] & 2 ? 'E' : e->v[1] & 4 ? 'C' : '?';

	return driver_letter(p, when, letter, (uint32_t)e->v[3], e->s[2], (int64_t)e->v[4], err);
}

bool
pf_play_span(struct perfetto *p, const struct kernel_when *when, const struct kernel_event *e, bool *known,
    struct err *err)
{
	*known = true;
	for (size_t i = 0; i < NELEM(driver_marks); i++)
		if (driver_marks[i].kind == e->kind)
			return driver_mark(p, when, e, &driver_marks[i], err);
	switch (e->kind) {
	case KERNEL_KPROBE: return probe(p, when, e, err);
	case KERNEL_SYSCALL: case KERNEL_SYSCALL_END: return syscall_span(p, when, e, known, err);
	case KERNEL_ZERO: return zero_mark(p, when, e, err);
	default:
		*known = false;
		return true;
	}
}
