/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * process: the process that wrote a chunk and its processors, from events; a file may contain several processes.
 */
#include "config.h"

#include "jfr.h"

/* Slots of jdk.JVMInformation. */
enum { PROCESS_PID, PROCESS_VM, PROCESS_OPTIONS, PROCESS_ARGUMENTS };

enum { PROCESSORS_MOST = 1 << 16 };

/* Keep the texts of the first event; later ones are ignored. */
static void
process_note_texts(struct jfr *j, const struct jfr_plan *plan, const uint64_t *value)
{
	struct jfr_process *p = &j->process;

	if (p->vm.n == 0)
		jfr_text_slot(&j->c, plan->slot[PROCESS_VM], value[PROCESS_VM], &p->vm);
	if (p->arguments.n > 0)
		return;
	jfr_text_slot(&j->c, plan->slot[PROCESS_OPTIONS], value[PROCESS_OPTIONS], &p->arguments);
	if (p->arguments.n > 0)
		buf_chr(&p->arguments, ' ');
	jfr_text_slot(&j->c, plan->slot[PROCESS_ARGUMENTS], value[PROCESS_ARGUMENTS], &p->arguments);
}

static bool
note_process(struct jfr *j, const struct jfr_plan *plan, struct err *err)
{
	struct jfr_process *p = &j->process;
	uint64_t value[JFR_SLOTS];
	uint32_t found;

	memcpy(value, j->c.slot, sizeof value);
	if (plan->slot[PROCESS_PID].kind == JFR_NUMBER)
		j->c.pid = (uint32_t)value[PROCESS_PID];
	if (j->c.pid != 0) {
		if (!idmap_enter(&p->by_pid, j->c.pid, (uint32_t)p->n + 1, &found, err))
			return false;
		p->pid = p->pid == 0 ? j->c.pid : p->pid;
		p->n += found > p->n;
	}
	if (p->pid == j->c.pid)
		process_note_texts(j, plan, value);
	return true;
}

/* Read the first event of a type into the slots; *plan NULL: unreadable. */
static bool
read_first(struct jfr_chunk *c, struct str event, const jfr_paths *paths, const struct jfr_plan **plan, struct err *err)
{
	uint32_t type = jfr_type_named(c, event), row;
	uint64_t at = c->begin + JFR_HEADER;
	struct jfr_event e;

	*plan = NULL;
	if (type == UINT32_MAX)
		return true;
	while (jfr_chunk_event(c, &at, &e)) {
		if (e.type != jfr_type(c, type)->id)
			continue;
		if (!jfr_steps_make(c, type, paths, &row, err))
			return false;
		*plan = jfr_steps_run(c, jfr_steps_of(c, row), &e.body) ? jfr_steps_of(c, row) : NULL;
		return true;
	}
	return true;
}

/* The processors that the container permits, otherwise all processors of the machine. */
static bool
find_processors(struct jfr_chunk *c, struct err *err)
{
	static const struct { const char *event; jfr_paths paths; } counts[] = {
		{ "jdk.CPUInformation", { "hwThreads" } }, { "jdk.ContainerConfiguration", { "effectiveCpuCount" } },
	};
	uint32_t *const to[] = { &c->of_machine, &c->processors };
	const struct jfr_plan *plan;

	for (size_t i = 0; i < NELEM(counts); i++) {
		if (!read_first(c, str_of(counts[i].event), &counts[i].paths, &plan, err))
			return false;
		if (plan != NULL && plan->slot[0].kind == JFR_NUMBER && c->slot[0] <= PROCESSORS_MOST)
			*to[i] = (uint32_t)c->slot[0];
	}
	c->processors = c->processors != 0 ? c->processors : c->of_machine;
	return true;
}

bool
jfr_process_find(struct jfr *j, struct err *err)
{
	static const jfr_paths paths = { [PROCESS_PID] = "pid", [PROCESS_VM] = "jvmName", [PROCESS_OPTIONS] = "jvmArguments",
	    [PROCESS_ARGUMENTS] = "javaArguments" };
	const struct jfr_plan *plan;

	return read_first(&j->c, STR("jdk.JVMInformation"), &paths, &plan, err) &&
	    (plan == NULL || note_process(j, plan, err)) && find_processors(&j->c, err);
}

void
jfr_process_close(struct jfr_process *p)
{
	buf_free(&p->vm);
	buf_free(&p->arguments);
	idmap_free(&p->by_pid);
}
