/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_rows: lines of the timeline as its rows: their order, which are folded, and which one is selected.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/dumps.h"
#include "timeline.h"

const char *const order_names[ORDERS] = { "time blocked", "CPU time", "run queue", "longest wait", "file order" };

bool
line_has_cpu(const struct tline *l)
{
	return l->cpu_tracks > 0 || !l->recorded;
}

bool
timeline_has_cpu(const struct timeline *t)
{
	return t->at.cpus || t->tasks || t->lines.with_cpu;
}

/* ---- their order --------------------------------------------------------- */

static uint64_t
line_value(const struct tline *l, enum line_order order)
{
	return order == ORDER_FILE ? 0 : order == ORDER_BLOCKED ? l->blocked : order == ORDER_RUNQ ? l->run_queue :
	    order == ORDER_WAIT ? l->gap : l->on;
}

static bool
has_order(const struct timeline *t, enum line_order order)
{
	size_t i = 0;

	while (i < t->lines.n && line_value(&t->lines.at[i], order) == 0)
		i++;
	return order == ORDER_FILE || i < t->lines.n;
}

enum line_order
timeline_order(const struct timeline *t)
{
	enum line_order order = t->at.order;

	while (!has_order(t, order))
		order++;
	return order;
}

bool
timeline_groups(const struct timeline *t)
{
	return !t->at.cpus && !t->at.flat && ui_processes(t->pane->ui);
}

/* Put the lines of a process together, processes with the highest sum first. */
static void
sum_processes(struct timeline *t, enum line_order order)
{
	uint64_t *sum, processes = 0;

	for (size_t i = 0; i < t->lines.n; i++) {
		t->lines.at[i].together = t->lines.at[i].of_group = 0;
		processes = t->lines.at[i].process > processes ? t->lines.at[i].process : processes;
	}
	if (!timeline_groups(t) || (sum = mem_array((size_t)processes + 1, sizeof *sum)) == NULL)
		return;
	for (size_t i = 0; i < t->lines.n; i++)
		sum[t->lines.at[i].process] = num_add(sum[t->lines.at[i].process],
		    line_value(&t->lines.at[i], order));
	for (size_t i = 0; i < t->lines.n; i++)
		t->lines.at[i].together = num_add(sum[t->lines.at[i].process], 1);
	free(sum);
}

/*
 * Sort by process if they are grouped, by weight, then by name; in file order (weight 0) by number.  Then
 * come tracks of the process, then folded (idle) lines.
 */
static int
by_weight(const void *a, const void *b)
{
	const struct tline *x = a, *y = b;
	int names;

	if (x->folds != y->folds)
		return x->folds ? 1 : -1;
	if (x->of_process != y->of_process)
		return x->of_process ? 1 : -1;
	if (x->together != y->together)
		return x->together > y->together ? -1 : 1;
	if (x->together != 0 && x->process != y->process)
		return x->process < y->process ? -1 : 1;
	names = x->weight == 0 && y->weight == 0 ? 0 : str_cmp(buf_view(&x->name), buf_view(&y->name));
	return num_order(y->weight, x->weight, names != 0 ? names :
	    num_order(x->cpu, y->cpu, num_order(x->thread, y->thread, 0)));
}

void
timeline_sort(struct timeline *t)
{
	enum line_order order = timeline_order(t);
	uint64_t busy = 0, idle = 0;

	t->marks = mark_version(t->pane->ui);
	for (size_t i = 0; i < t->lines.n; i++)
		t->lines.at[i].folds = t->lines.at[i].idle && !mark_has(t->pane->ui, t->lines.at[i].thread);
	sum_processes(t, order);
	for (size_t i = 0; i < t->lines.n; i++)
		t->lines.at[i].weight = order == ORDER_FILE ? 0 : line_value(&t->lines.at[i], order) + 1;
	if (t->lines.n > 1)
		qsort(t->lines.at, t->lines.n, sizeof *t->lines.at, by_weight);
	for (t->lines.busy = 0; t->lines.busy < t->lines.n &&
	    !t->lines.at[t->lines.busy].folds; t->lines.busy++)
		busy += t->lines.at[t->lines.busy].on;
	for (size_t i = t->lines.busy; i < t->lines.n; i++)
		idle += t->lines.at[i].on;
	for (size_t i = 0, first = 0; i < t->lines.busy && t->lines.at[i].together != 0; i++) {
		first = t->lines.at[i].process == t->lines.at[first].process ? first : i;
		t->lines.at[first].of_group++;
	}
	t->lines.folds = t->lines.busy - t->lines.of_process >= 2 && t->lines.n - t->lines.busy >= 2 &&
	    (t->by_stacks || idle < busy);
}

/* A thread that a dump calls running need not be on a CPU. */
const char *
timeline_order_name(const struct timeline *t)
{
	enum line_order order = timeline_order(t);

	return order == ORDER_CPU && dumps_count(t->st) > 0 ? "time running" : order_names[order];
}

void
timeline_modes(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	if (t->lines.n > 0)
		buf_printf(b, "%s%s", timeline_groups(t) ? "by process and " : "by ",
		    timeline_order_name(t));
}

/* ---- rows ------------------------------------------------------------------ */

/* Fold nothing if hardly any line would remain, or if the others did less than the idle ones. */
size_t
timeline_rows(const struct timeline *t)
{
	const struct tlines *l = &t->lines;

	return t->at.unfolded || !l->folds ? l->n : l->busy + 1;
}

struct tline *
timeline_line(const struct timeline *t, size_t row)
{
	return row >= t->lines.n || (row == t->lines.busy && timeline_rows(t) < t->lines.n) ? NULL :
	    &t->lines.at[row];
}

struct tline *
timeline_selected(const struct timeline *t)
{
	return timeline_line(t, (size_t)t->at.sel);
}

void
timeline_keep(struct timeline *t)
{
	const struct tline *l = timeline_selected(t);

	if (!t->ready)
		return;
	buf_clear(&t->kept);
	if (l != NULL)
		line_name(l, &t->kept);
}

void
timeline_find_kept(struct timeline *t)
{
	t->at.sel = 0;
	for (size_t i = 0; i < t->lines.n && t->kept.n > 0; i++)
		if (str_eq(buf_view(&t->lines.at[i].name), buf_view(&t->kept))) {
			t->at.unfolded = t->at.unfolded || i >= timeline_rows(t) ||
			    timeline_line(t, i) == NULL;
			t->at.sel = i;
			break;
		}
}

void
line_name(const struct tline *l, struct buf *b)
{
	buf_str(b, buf_view(&l->name));
}
