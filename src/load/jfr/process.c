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
		jfr_slot_text(&j->c, plan->slot[PROCESS_VM], value[PROCESS_VM], &p->vm);
	if (p->arguments.n > 0)
		return;
	jfr_slot_text(&j->c, plan->slot[PROCESS_OPTIONS], value[PROCESS_OPTIONS], &p->arguments);
	if (p->arguments.n > 0)
		buf_chr(&p->arguments, ' ');
	jfr_slot_text(&j->c, plan->slot[PROCESS_ARGUMENTS], value[PROCESS_ARGUMENTS], &p->arguments);
}

static void
note_process(struct jfr *j, const struct jfr_plan *plan)
{
	struct jfr_process *p = &j->process;
	uint64_t value[JFR_SLOTS];
	uint32_t found = 0;

	memcpy(value, j->c.slot, sizeof value);
	if (plan->slot[PROCESS_PID].kind == JFR_NUMBER)
		j->writer.pid = (uint32_t)value[PROCESS_PID];
	if (j->writer.pid != 0) {
		INTO(&j->to, idmap_enter(&p->by_pid, j->writer.pid, (uint32_t)p->n + 1, &found, j->to.err));
		p->pid = p->pid == 0 ? j->writer.pid : p->pid;
		p->n += found > p->n;
	}
	if (p->pid == j->writer.pid)
		process_note_texts(j, plan, value);
}

/* Read the first event of a type into the slots; NULL: there is none, or it is unreadable. */
static const struct jfr_plan *
read_first(struct jfr_chunk *c, struct str event, const jfr_paths *paths)
{
	uint32_t type = jfr_type_named(c, event), row;
	uint64_t at = c->begin + JFR_HEADER;
	struct jfr_event e;

	while (type != UINT32_MAX && jfr_chunk_event(c, &at, &e))
		if (e.type == jfr_type(c, type)->id) {
			row = jfr_steps_make(c, type, paths);
			return row != 0 && jfr_steps_run(c, jfr_steps_of(c, row), &e.body) ?
			    jfr_steps_of(c, row) : NULL;
		}
	return NULL;
}

static void
find_count(struct jfr_chunk *c, struct str event, const jfr_paths *paths, uint32_t *n)
{
	const struct jfr_plan *plan = read_first(c, event, paths);

	if (plan != NULL && plan->slot[0].kind == JFR_NUMBER && c->slot[0] <= PROCESSORS_MOST)
		*n = (uint32_t)c->slot[0];
}

void
jfr_process_find(struct jfr *j)
{
	static const jfr_paths paths = { [PROCESS_PID] = "pid", [PROCESS_VM] = "jvmName",
	    [PROCESS_OPTIONS] = "jvmArguments",
	    [PROCESS_ARGUMENTS] = "javaArguments" }, machine = { "hwThreads" }, container = { "effectiveCpuCount" };
	bool native_c = jfr_constant_says(&j->c, STR("jdk.types.FrameType"), STR("Kernel"));
	const struct jfr_plan *plan = read_first(&j->c, STR("jdk.JVMInformation"), &paths);
	struct jfr_writer *w = &j->writer;

	/* A recorder may describe its process only in the first chunk. */
	if (plan != NULL || w->native_c != native_c)
		*w = (struct jfr_writer){ .native_c = native_c };
	if (plan != NULL)
		note_process(j, plan);
	find_count(&j->c, STR("jdk.CPUInformation"), &machine, &w->of_machine);
	/* The processors that the container permits, otherwise all processors of the machine. */
	find_count(&j->c, STR("jdk.ContainerConfiguration"), &container, &w->processors);
	w->processors = w->processors != 0 ? w->processors : w->of_machine;
}

void
jfr_process_close(struct jfr_process *p)
{
	buf_free(&p->vm);
	buf_free(&p->arguments);
	idmap_free(&p->by_pid);
}
