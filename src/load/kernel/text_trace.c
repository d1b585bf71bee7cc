/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for kernel traces as text: ftrace, trace-cmd report, perf script of sched events, perf sched timehist, atrace, systrace.
 * Switches, wakeups and threads are from load/sched; marks are played when all lines are read.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "icecore/columns_marks.h"
#include "icecore/facts.h"
#include "load/sched/beside.h"
#include "load/slice/slice.h"
#include "kernel.h"

struct text_trace {
	struct jload	   l;		/* its texts only */
	struct marks_in	   marks;
	struct mark_player player;
	struct sched	  *sched;
	struct sched_found found;
	uint32_t	   thread;	/* that wrote the mark; 0: the idle task */
	struct scratch	   events, names;	/* struct sched_event, struct sched_name */
	uint64_t	   nevents, nnames, unopened, no_end;
	struct idmap	   by_name, by_pid, by_cpu;	/* by 1 + number: processes; words of frequencies */
};

static uint64_t
text_time(void *none, uint64_t time)
{
	(void)none;
	return time;
}

/* ---- what marks are about ------------------------------------------------------------------ */

static bool
text_thread(void *arg, uint32_t pid, uint32_t *thread, struct err *err)
{
	const struct text_trace *t = arg;

	(void)err;
	if ((*thread = t->thread) != 0)
		sched_text_joins(t->sched, t->thread, pid);
	return true;
}

static uint32_t
text_process(void *arg, uint32_t pid, struct err *err)
{
	struct text_trace *t = arg;
	uint32_t process = idmap_get(&t->by_pid, (uint64_t)pid + 1);
	char digits[16] = "";

	assert(process <= t->marks.processes.n);
	if (process != 0)
		return process;
	if (pid != 0)
		snprintf(digits, sizeof digits, "%u", pid);
	process = marks_process(&t->marks, str_of(digits), 1, err);
	return process != 0 && idmap_put(&t->by_pid, (uint64_t)pid + 1, process, err) ? process : 0;
}

/* ---- calls ------------------------------------------------------------------------------------- */

/* Return the number of a call's name, from 1; 0: failure. */
static uint32_t
text_name_of(struct text_trace *t, struct str name, struct err *err)
{
	struct sched_name new = { name, name.n == 0 };
	uint32_t id;

	if (!idmap_enter(&t->by_name, idmap_hash_text(name, 0), (uint32_t)t->nnames + 1, &id, err))
		return 0;
	/* A name and an action share 32 bits. */
	return id <= t->nnames || make_add(&t->names, &t->nnames, &new, sizeof new, UINT32_MAX / 4 - 1, "names of calls", err) ? id : 0;
}

static bool
text_add_event(struct text_trace *t, uint64_t time, uint32_t tid, uint32_t word, struct err *err)
{
	struct sched_event new = { time, word, tid };

	return make_add(&t->events, &t->nevents, &new, sizeof new, UINT64_MAX, "calls", err);
}

/* An end carries no name, so an end without a start is only counted. */
static bool
text_call(void *arg, uint64_t time, char letter, uint32_t pid, struct str name, struct err *err)
{
	struct text_trace *t = arg;
	uint32_t tid, *depth, id = 0;

	assert(letter == 'B' || letter == 'E');
	if (t->thread == 0) {
		t->player.bad++;
		return true;
	}
	tid = sched_text_calls(t->sched, t->thread, pid, &depth);
	if (letter == 'E') {
		t->unopened += *depth == 0;
		return *depth == 0 || (--*depth, text_add_event(t, time, tid, ACT_EXIT, err));
	}
	++*depth;
	return (id = text_name_of(t, name, err)) != 0 && text_add_event(t, time, tid, id * 4 + ACT_ENTER, err);
}

/* Calls that do not end last to the end of the trace. */
static bool
text_end_calls(struct text_trace *t, struct err *err)
{
	for (uint32_t i = 1; i <= t->found.threads; i++) {
		uint32_t *depth, tid = sched_text_calls(t->sched, i, 0, &depth);

		t->no_end += *depth;
		for (; *depth > 0; --*depth)
			if (!text_add_event(t, t->found.last - t->found.first, tid, ACT_EXIT, err))
				return false;
	}
	return true;
}

/* ---- playing ------------------------------------------------------------------------------- */

/* A counter, as in packets. */
static bool
text_frequency(struct text_trace *t, uint64_t time, uint32_t cpu, uint32_t khz, struct err *err)
{
	uint32_t word = idmap_get(&t->by_cpu, (uint64_t)cpu + 1), process = text_process(t, 0, err);
	char name[32];

	if (word == 0) {
		snprintf(name, sizeof name, "cpufreq CPU %u", cpu);
		if (!marks_word_of(&t->marks, str_of(name), &word, err) || !idmap_put(&t->by_cpu, (uint64_t)cpu + 1, word, err))
			return false;
	}
	return process != 0 && counter_value(&t->marks, time, word, process, STR(""), khz, err);
}

static bool
text_note(struct text_trace *t, const struct sched_noted *note, struct err *err)
{
	struct str text = { t->l.samples.source + note->at, note->n };
	uint64_t time = note->time - t->found.first;
	struct user_mark m;

	if (note->thread == SCHED_PACE)
		return text_frequency(t, time, note->n, (uint32_t)note->at, err);
	t->thread = note->thread;
	assert(t->thread <= t->found.threads && note->at + note->n <= t->l.samples.source_size);
	if (mark_read(text, &m))
		return mark_play(&t->player, time, &m, err);
	t->player.bad++;
	return true;
}

/* All processes that anything names; the main thread of a process is of it. */
static bool
text_processes(struct text_trace *t, struct err *err)
{
	uint32_t pid;

	for (uint32_t i = 1; i <= t->found.threads; i++)
		if ((pid = sched_text_task(t->sched, i).pid) != 0 && text_process(t, pid, err) == 0)
			return false;
	for (uint32_t i = 1; i <= t->found.threads; i++)
		if (idmap_get(&t->by_pid, sched_text_task(t->sched, i).tid + 1ull) != 0)
			sched_text_joins(t->sched, i, sched_text_task(t->sched, i).tid);
	return true;
}

static bool
text_play(struct text_trace *t, struct err *err)
{
	work_start(t->l.work, "marks", t->found.notes);
	for (uint64_t i = 0; i < t->found.notes; i++)
		if ((i % 4096 == 0 && !work_go(t->l.work, i, err)) || !text_note(t, &t->found.note[i], err))
			return false;
	return text_end_calls(t, err) && text_processes(t, err);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* All threads have a process, which may be the one of what is of no process.  It has the name of its main thread. */
static bool
text_process_columns(struct text_trace *t, struct err *err)
{
	uint32_t *process = store_make(t->l.st, COL_LISTED_PROCESS, COL_U32, t->found.threads, err);

	if (process == NULL)
		return false;
	for (uint32_t i = 1; i <= t->found.threads; i++) {
		struct sched_task task = sched_text_task(t->sched, i);

		if ((process[i - 1] = text_process(t, task.pid, err)) == 0 || (task.pid == task.tid &&
		    !marks_word_of(&t->marks, task.name, &marks_process_at(&t->marks, process[i - 1])->name, err)))
			return false;
	}
	return marks_process_columns(&t->marks, err) && marks_parent_columns(&t->marks, err);
}

static bool
text_mark_columns(struct text_trace *t, struct err *err)
{
	struct marks_in *m = &t->marks;

	return async_columns(m, t->found.last - t->found.first, err) && marks_instant_columns(m, err) &&
	    marks_counter_columns(m, &marks_decimals, err) && marks_level_columns(m, err) && text_process_columns(t, err) &&
	    marks_word_columns(m, err);
}

static bool
text_facts(struct text_trace *t, struct err *err)
{
	const struct marks_in *m = &t->marks;
	unsigned calls = t->nevents > 0 ? SHAPE_CALLS | SHAPE_INTERVALS : 0, tasks = t->found.switches > 0 ? SHAPE_TASKS : 0;
	const struct make_fact facts[] = {
		{ FACT_ASYNC, m->nspans, MAKE_ANY }, { FACT_COUNTERS, m->counters.n, MAKE_ANY },
		{ FACT_INSTANTS, m->ninstants, MAKE_ANY },
		{ FACT_PROCESSES, m->processes.n - (idmap_get(&t->by_pid, 1) != 0) },
		{ FACT_RECORDS, t->nevents },
		{ FACT_SHAPES, SHAPE_ROWS | SHAPE_TRACKS | SHAPE_MARKS | tasks | calls },
		{ FACT_REPAIR_MARKS, t->player.bad + t->found.bad_syncs, MAKE_ANY },
		{ FACT_REPAIR_UNOPENED, t->unopened + m->no_begin, MAKE_ANY },
		{ FACT_REPAIR_NO_END, t->no_end, MAKE_ANY },
	};

	return make_facts(t->l.st, facts, NELEM(facts), err);
}

static bool
text_read(struct text_trace *t, struct err *err)
{
	struct make_rows names, events;

	if ((t->sched = sched_text_open(t->l.st, t->l.work, err)) == NULL)
		return false;
	t->found = sched_text_found(t->sched);
	if (!text_play(t, err))
		return false;
	names = MAKE_TEXT_ROWS(SCRATCH(t->names, struct sched_name), t->nnames, t->l.samples.source);
	events = MAKE_ROWS(SCRATCH(t->events, struct sched_event), t->nevents);
	return sched_text_columns(t->sched, err) && sched_call_columns(t->l.st, names, events, err) && text_mark_columns(t, err) &&
	    text_facts(t, err);
}

static bool
text_load(struct store *st, struct work *w, struct err *err)
{
	struct text_trace t = { .l = { .st = st, .work = w, .text = BUF_INIT, .file = BUF_INIT, .name = BUF_INIT } };
	bool ok;

	scratch_budget_input(store_source(st)->size, 0);
	samples_open(&t.l.samples, st, w);
	t.marks = (struct marks_in){ .l = &t.l, .shown = text_time };
	t.player = (struct mark_player){ &t.marks, text_call, text_thread, text_process, &t, 0 };
	ok = text_read(&t, err);
	sched_text_close(t.sched);
	marks_close(&t.marks);
	SCRATCH_FREE(&t.events, &t.names);
	idmap_free(&t.by_name);
	idmap_free(&t.by_pid);
	idmap_free(&t.by_cpu);
	samples_close(&t.l.samples);
	buf_free(&t.l.text);
	buf_free(&t.l.name);
	return ok;
}

const struct loader load_sched = {
	"sched", "scheduler trace text: ftrace, trace-cmd report, perf script, perf sched timehist, atrace, systrace",
	SHAPE_TASKS | SHAPE_TRACKS | SHAPE_INTERVALS | SHAPE_CALLS | SHAPE_MARKS | SHAPE_ROWS, sched_sniff, text_load,
	.threads = true, .slice = sched_slice, .meant = sched_meant
};
