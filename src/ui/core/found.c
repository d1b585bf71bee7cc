/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * found: methods or heap classes that match a search, and their weight.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_dominators.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/keys.h"
#include "state.h"

struct weigh {
	const struct column	*method, *thread, *calls, *size, *parent, *wall, *cpu;
	enum clock		 clock;
	bool			 differs, counted;
};

static uint64_t
found_weight_of(const struct weigh *w, uint64_t row)
{
	uint64_t	wall = column_get(w->wall, row), cpu = column_get(w->cpu, row);

	if (w->clock != CLOCK_OFF)
		return w->clock == CLOCK_WALL ? wall : cpu;
	/* In a comparison return the sum of both files: a delta may be below 0. */
	if (w->differs)
		return num_add(wall, cpu);
	return wall > cpu ? wall - cpu : 0;
}

static bool
takes_thread(const struct found_state *f, uint64_t thread)
{
	for (size_t i = 0; i < f->nthreads; i++)
		if (f->threads[i] == thread)
			return true;
	return f->nthreads == 0;
}

/* Weigh only the outermost of nested matches; count all calls. */
static bool
weigh_matches(struct found_state *f, struct store *st, struct work *work, struct err *err)
{
	struct weigh	w = {
		store_column(st, COL_CALL_METHOD), store_column(st, COL_CALL_THREAD),
		store_column(st, COL_CALL_CALLS), store_column(st, COL_CALL_SIZE),
		store_column(st, COL_CALL_PARENT), store_column(st, COL_CALL_TOTAL_WALL),
		store_column(st, COL_CALL_TOTAL_CPU), f->clock,
		fact_value(st, FACT_WEIGHT_DIFFERS) != 0, (load_shapes(st) & SHAPE_SAMPLES) == 0
	};
	uint64_t	n = w.method != NULL ? w.method->rows : 0, end = 0, m;
	uint64_t	thread = 0, t;
	bool		take = true;

	f->told.calls = 0;
	f->weight = f->whole = 0;
	work_start(work, "search", n);
	for (uint64_t row = 0; row < n; row++) {
		if ((row & 1023) == 0 && !work_go(work, row, err))
			return false;
		t = column_get(w.thread, row);
		if (t != thread) {
			thread = t;
			take = takes_thread(f, t);
		}
		if (!take)
			continue;
		if (column_get(w.parent, row) == 0)
			f->whole += found_weight_of(&w, row);
		m = column_get(w.method, row);
		if (m > f->next_n || !f->next_set[m])
			continue;
		/* In a profile count matching stacks: samples count only in the frame where they end. */
		f->told.calls += w.counted ? column_get(w.calls, row) : 1;
		if (row < end)
			continue;
		f->weight += found_weight_of(&w, row);
		end = row + column_get(w.size, row);
	}
	return true;
}

static bool
is_sought(const struct found_state *f, uint32_t class)
{
	return class != 0 && class <= f->next_n && f->next_set[class];
}

/* Count objects whose class matches, and matching Class objects. Their weight is the largest retained size. */
static bool
weigh_objects(struct found_state *f, const struct heap *h, struct work *work, struct err *err)
{
	uint64_t	retained;

	f->told.calls = f->told.best = 0;
	f->weight = f->whole = 0;
	work_start(work, "search", h->objects);
	for (uint32_t i = 1; i <= h->objects; i++) {
		if ((i & 1023) == 0 && !work_go(work, i, err))
			return false;
		if (heap_dominator(h, i) == 0)
			continue;
		f->whole += heap_shallow(h, i);
		if (!is_sought(f, heap_class(h, i)) && !is_sought(f, heap_class_of_object(h, i)))
			continue;
		f->told.calls++;
		retained = heap_retained(h, i);
		if (f->told.best != 0 && retained <= f->weight)
			continue;
		f->told.best = i;
		f->weight = retained;
	}
	return true;
}

static bool
found_match(struct found_state *f, const struct store *st, const struct heap *h, struct work *work,
    struct err *err)
{
	free(f->next_set);
	f->next_set = pattern_names(f->next_text, st, h, &f->next_n, work, err);
	return f->next_set != NULL;
}

static bool
found_run(struct task *task, struct work *work, struct err *err)
{
	struct found_state *f = (struct found_state *)task;
	const struct session *s = ui_seen(task->ui);
	struct store	*st = session_store(s);
	struct heap	 h;

	if (load_shapes(st) & SHAPE_GRAPH)
		return ui_heap_want(s, COL_EACH_PARENT, work, err) &&
		    heap_open(&h, st, s->refs, s->sizes, err) &&
		    found_match(f, st, &h, work, err) && weigh_objects(f, &h, work, err);
	return pass_want(st, COL_CALL_THREAD, work, err) &&
	    found_match(f, st, NULL, work, err) && weigh_matches(f, st, work, err);
}

void
found_none(struct ui *ui, const char *text, const char *where)
{
	if (pattern_gave_up())
		ui_say(ui, "/%s: pattern too slow; simplify it", text);
	else
		ui_say(ui, "/%s: no match%s", text, where);
}

void
found_show(struct ui *ui)
{
	struct found_state *f = &ui->found;
	struct buf	 weight = BUF_INIT;
	struct weights	 w;
	char		 n[NUM_TEXT];
	bool		 objects = (ui_shapes(ui) & SHAPE_GRAPH) != 0, one = f->told.calls == 1;
	const char	*what = objects ? "object" : ui_shapes(ui) & SHAPE_SAMPLES ? "stack" : "call";

	if (f->told.calls == 0) {
		found_none(ui, f->told.text, "");
		return;
	}
	num_show_count(n, sizeof n, f->told.calls);
	weights_of(session_store(ui_session(ui)), &w);
	if (objects)
		screen_number(&weight, "", num_show_size, f->weight);
	else
		weight_show_unit(&w, f->clock, f->weight, &weight);
	ui_say(ui, "/%s: %s %s%s, %s%s, %.1f%% of total", f->told.text, n, what, one ? "" : "s",
	    !objects ? "" : one ? "retains " : "the largest retains ", weight.n > 0 && !weight.bad ? weight.s : "",
	    f->whole > 0 ? 100.0 * (double)f->weight / (double)f->whole : 0.0);
	buf_free(&weight);
}

/* Let panes update the marks of matches. */
static void
found_mark(struct ui *ui)
{
	for (size_t i = 0; i < ui->npanes; i++)
		pane_on(ui->pane[i], PANE_MARKED);
}

static void
found_done(struct task *task, bool ok, const struct err *err)
{
	struct found_state *f = (struct found_state *)task;
	struct ui	*ui = task->ui;
	struct pane	*p = ui_pane(ui);

	if (!ok) {
		if (!f->quiet)
			ui_fail(ui, err);
		return;
	}
	free(f->set);
	f->set = f->next_set;
	f->n = f->next_n;
	f->next_set = NULL;
	f->told.known = true;
	memcpy(f->told.text, f->next_text, sizeof f->told.text);
	pattern_free(f->pattern);
	f->pattern = pattern_make(str_of(f->told.text), NULL);
	if (f->quiet) {
		found_mark(ui);
		return;
	}
	found_show(ui);
	if (p->kind->where & IN_FRAMES)
		PANE_DOES(p, find)(p, NULL, f->backward);
}

void
found_start(struct ui *ui, const char *text, bool backward, bool quiet)
{
	struct found_state *f = &ui->found;

	if (ui_store(ui) == NULL || f->task.given) {
		ui_say_hint(ui, VERB_CANCEL, "still working; _ stops");
		return;
	}
	TEXT_COPY(f->next_text, text);
	f->backward = backward;
	f->quiet = quiet;
	f->clock = ui->session->clock;
	free(f->threads);
	f->threads = NULL;
	if (f->nchosen > 0)
		f->threads = mem_array(f->nchosen, sizeof *f->threads);
	f->nthreads = f->threads != NULL ? f->nchosen : 0;
	if (f->nthreads > 0)
		memcpy(f->threads, f->chosen, f->nthreads * sizeof *f->threads);
	f->task.run = found_run;
	f->task.done = found_done;
	task_give(ui, &f->task);
}

void
found_threads(struct ui *ui, const uint32_t *ids, size_t n)
{
	ui->found.chosen = ids;
	ui->found.nchosen = n;
}

void
found_drop(struct ui *ui, struct buf *text)
{
	struct found_state *f = &ui->found;

	if (text != NULL)
		buf_str(text, str_of(f->task.given ? f->next_text : f->told.text));
	task_drop(&f->task);
	pattern_free(f->pattern);
	free(f->set);
	free(f->next_set);
	free(f->threads);
	*f = (struct found_state){ .chosen = f->chosen, .nchosen = f->nchosen };
}

void
found_forget(struct ui *ui)
{
	found_drop(ui, NULL);
	found_mark(ui);
}

const struct sought *
ui_found(const struct ui *ui)
{
	return &ui->found.told;
}

bool
found_has(const struct ui *ui, uint32_t method)
{
	const struct found_state *f = &ui->found;

	return f->task.other == (ui->session != ui->main) && method != 0 && f->set != NULL && method <= f->n &&
	    f->set[method];
}

bool
found_named(const struct ui *ui, struct str name)
{
	return ui->found.pattern != NULL && pattern_match(ui->found.pattern, name);
}
