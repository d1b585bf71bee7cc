/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for kernel traces as text: ftrace, trace-cmd report, perf script of sched events, perf sched
 * timehist, atrace, systrace. Switches, wakeups and threads are from load/sched; marks and other events are
 * played when all lines are read.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "icecore/columns_marks.h"
#include "icecore/facts.h"
#include "load/sched/import.h"
#include "load/slice/slice.h"
#include "kernel.h"

struct text_trace {
	struct jload	   l;		/* only its texts are used */
	struct marks_in	   marks;
	struct kernel_player player;
	struct sched	  *sched;
	struct sched_found found;
	const struct sched_noted *note;	/* event that is played */
	uint32_t	   thread;	/* task that it is about; 0: the idle task */
	struct scratch	   events, names;	/* struct sched_event, struct sched_name */
	uint64_t	   nevents, nnames, unopened, no_end;
	/* Names of calls that are not in the file, each with its NUL; there are only a few. */
	struct buf	   own;
	struct idmap	   by_name, by_pid;	/* names of calls; processes by 1 + number */
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
	if (pid != 0) {
		snprintf(digits, sizeof digits, "%u", pid);
		sched_text_joins_main(t->sched, pid);
	}
	process = marks_process(&t->marks, str_of(digits), 1, err);
	return process != 0 && idmap_put(&t->by_pid, (uint64_t)pid + 1, process, err) ? process : 0;
}

/* ---- calls ------------------------------------------------------------------------------------- */

/* Return the number of a call's name, from 1; 0: failure. */
static uint32_t
text_name_of(struct text_trace *t, struct str name, struct err *err)
{
	struct sched_name new = { .own = 0 };
	uint32_t id;

	name = mark_call_name(name);
	if (!idmap_enter(&t->by_name, idmap_hash_text(name, 0), (uint32_t)t->nnames + 1, &id, err))
		return 0;
	if (id <= t->nnames)
		return id;
	if (samples_has_text(&t->l.samples, name))
		new.name = name;
	else {
		new.own = (uint32_t)t->own.n + 1;
		buf_str(&t->own, name);
		buf_chr(&t->own, '\0');
		if (t->own.bad) {
			fail(err, E_SYSTEM, "out of memory (names of calls)");
			return 0;
		}
	}
	/* A name and an action share 32 bits. */
	return make_add(&t->names, &t->nnames, &new, sizeof new, UINT32_MAX / 4 - 1, "names of calls", err) ?
	    id : 0;
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
	return (id = text_name_of(t, name, err)) != 0 && text_add_event(t, time, tid, id * 4 + ACT_ENTER,
	    err);
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

/* ---- the rest of what the player asks for ------------------------------------------------------- */

static uint32_t
text_own(void *arg, bool guess, struct err *err)
{
	const struct text_trace *t = arg;
	struct sched_task task = t->thread == 0 ? (struct sched_task){ .pid = 0 } :
	    sched_text_task(t->sched, t->thread);

	return text_process(arg, task.pid == 0 && guess ? task.tid : task.pid, err);
}

/* Numbers are 1 more, as the idle task has 0. */
static uint32_t
text_task(void *arg, struct err *err)
{
	(void)err;
	return ((const struct text_trace *)arg)->thread + 1;
}

static bool
text_turn(void *arg, uint32_t task)
{
	((struct text_trace *)arg)->thread = task - 1;
	return true;
}

static void
text_about(void *arg, const struct kernel_event *e)
{
	struct text_trace *t = arg;

	(void)e;
	t->thread = t->note->about;
}

static bool
text_call_end(void *arg, struct str name, struct flow_stop *end, struct err *err)
{
	struct text_trace *t = arg;

	end->thread = t->thread;
	return name.n == 0 || (end->frame = text_name_of(t, name, err)) != 0;
}

/* "do_wait+0x1f8/0x3b0 [module]": the name. */
static struct str
text_symbol(void *arg, const struct kernel_event *e, unsigned field)
{
	(void)arg;
	return str_until(str_until(e->s[field], ' '), '+');
}

static bool
text_blocked(void *arg, uint64_t time, bool io, uint32_t word, struct err *err)
{
	const struct text_trace *t = arg;

	return sched_text_blocked(t->sched, t->thread, time, io, word, err);
}

static bool
text_frequency(void *arg, uint64_t time, uint32_t cpu, uint32_t khz, struct err *err)
{
	return sched_text_frequency(((const struct text_trace *)arg)->sched, cpu, time, khz, err);
}

static const struct kernel_host text_host = {
	text_call, text_thread, text_process, text_own, text_task, text_turn, text_about, text_call_end,
	    text_symbol, text_blocked, text_frequency
};

/* ---- playing ------------------------------------------------------------------------------- */

/* A new task is of the process of its maker, or of one that this process began. */
static bool
text_new_task(struct text_trace *t, const struct kernel_event *e, struct err *err)
{
	uint32_t maker = sched_text_task(t->sched, t->note->thread).pid, process, parent = 0;

	if (e->v[3] & CLONE_THREAD) {
		sched_text_joins(t->sched, t->note->about, maker);
		return true;
	}
	if ((process = text_process(t, (uint32_t)e->v[1], err)) == 0 ||
	    (maker != 0 && (parent = text_process(t, maker, err)) == 0))
		return false;
	marks_process_at(&t->marks, process)->parent = parent;
	return true;
}

static bool
text_mark(struct text_trace *t, uint64_t time, struct str text, struct err *err)
{
	struct user_mark m;

	if (mark_read(text, &m))
		return mark_play(&t->player, time, &m, err);
	t->player.bad++;
	return true;
}

static bool
text_event(struct text_trace *t, const struct kernel_when *when, struct str text, struct err *err)
{
	struct kernel_event e;
	bool known;

	if (t->note->kind == KERNEL_GENERIC)
		return kernel_instant(&t->player, when, text, STR("kernel"), err);
	if (!kernel_event_read(t->note->kind, text, &e))
		return true;
	return e.kind == KERNEL_NEW_TASK ? when->idle || text_new_task(t, &e, err) :
	    kernel_play(&t->player, when, &e, &known, err);
}

static bool
text_note(struct text_trace *t, const struct sched_noted *note, struct err *err)
{
	const struct kernel_when when = { note->time - t->found.first, note->cpu, note->thread == 0 };
	struct str text = { t->l.samples.source + note->at, note->n };

	assert(note->thread <= t->found.threads && note->at + note->n <= t->l.samples.source_size);
	t->thread = note->thread;
	t->note = note;
	return note->kind == KERNEL_PRINT ? text_mark(t, when.time, text, err) :
	    text_event(t, &when, text, err);
}

/* All processes that lines name. */
static bool
text_processes(struct text_trace *t, struct err *err)
{
	uint32_t pid;

	for (uint32_t i = 1; i <= t->found.threads; i++)
		if ((pid = sched_text_task(t->sched, i).pid) != 0 && text_process(t, pid, err) == 0)
			return false;
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

/*
 * All threads have a process, which may be the one of what is of no process.  It has the name of its main
 * thread.
 */
static bool
text_process_columns(struct text_trace *t, struct err *err)
{
	uint32_t *process = store_make(t->l.st, COL_LISTED_PROCESS, COL_U32, t->found.threads, err);

	if (process == NULL)
		return false;
	for (uint32_t i = 1; i <= t->found.threads; i++) {
		struct sched_task task = sched_text_task(t->sched, i);

		if ((process[i - 1] = text_process(t, task.pid, err)) == 0 || (task.pid == task.tid &&
		    !marks_word_of(&t->marks, task.name, &marks_process_at(&t->marks, process[i - 1])->name,
		    err)))
			return false;
	}
	return marks_process_columns(&t->marks, err) && marks_parent_columns(&t->marks, err);
}

static bool
text_mark_columns(struct text_trace *t, struct err *err)
{
	struct marks_in *m = &t->marks;

	return async_columns(m, t->found.last - t->found.first, err) &&
	    flow_columns(&t->player.flows, m, err) && marks_instant_columns(m, err) &&
	    marks_counter_columns(m, &marks_decimals, err) && marks_level_columns(m, err) &&
	    text_process_columns(t, err) &&
	    marks_word_columns(m, err);
}

static bool
text_facts(struct text_trace *t, struct err *err)
{
	const struct marks_in *m = &t->marks;
	unsigned calls = t->nevents > 0 ? SHAPE_CALLS | SHAPE_INTERVALS : 0,
	    tasks = t->found.switches > 0 ? SHAPE_TASKS : 0;
	const struct make_fact facts[] = {
		{ FACT_ASYNC, m->nspans, MAKE_ANY }, { FACT_COUNTERS, m->counters.n, MAKE_ANY },
		{ FACT_FLOWS, t->player.flows.narrows, MAKE_ANY },
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
	return sched_text_columns(t->sched, err) && sched_call_columns(t->l.st, names, buf_view(&t->own),
	    events, err) && text_mark_columns(t, err) &&
	    text_facts(t, err);
}

static bool
text_load(struct store *st, struct work *w, struct err *err)
{
	struct text_trace t = { .own = BUF_INIT, .l = { .st = st, .work = w, .text = BUF_INIT,
	    .file = BUF_INIT, .name = BUF_INIT } };
	bool ok;

	scratch_budget_input(store_source(st)->size, 0);
	samples_open(&t.l.samples, st, w);
	t.marks = (struct marks_in){ .l = &t.l, .shown = text_time };
	t.player = (struct kernel_player){ .host = &text_host, .marks = &t.marks, .arg = &t };
	ok = text_read(&t, err);
	kernel_player_close(&t.player);
	sched_text_close(t.sched);
	marks_close(&t.marks);
	SCRATCH_FREE(&t.events, &t.names);
	idmap_free(&t.by_name);
	idmap_free(&t.by_pid);
	samples_close(&t.l.samples);
	buf_free(&t.own);
	buf_free(&t.l.text);
	buf_free(&t.l.name);
	return ok;
}

const struct loader load_sched = {
	"sched", "scheduler trace text: ftrace, trace-cmd report, perf script, perf sched timehist, atrace, systrace, "
	    "trace.dat (runs trace-cmd)",
	SHAPE_TASKS | SHAPE_TRACKS | SHAPE_INTERVALS | SHAPE_CALLS | SHAPE_MARKS | SHAPE_ROWS, sched_sniff,
	    text_load,
	.threads = true, .slice = sched_slice, .meant = sched_meant
};
