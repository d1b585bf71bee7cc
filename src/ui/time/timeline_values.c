/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_values: values to the right of the cells, and texts of the timeline.
 */
#include "config.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/dumps.h"
#include "icecore/idle.h"
#include "timeline.h"

enum { WIDE = 56, WIDER = 76, WIDEST = 120 };	/* width needed for one value, for two and for all */
enum { VALUE_LEAST = 9 };

static void
show_cpu(const struct tline *l, const struct timeline *t, char s[NUM_TEXT])
{
	(void)t;
	s[0] = '\0';
	if (line_has_cpu(l))
		num_show_duration(s, NUM_TEXT, l->on);
}

/* Empty if nothing waited. */
static void
show_gap(const struct tline *l, const struct timeline *t, char s[NUM_TEXT])
{
	(void)t;
	s[0] = '\0';
	if (l->gap > 0)
		num_show_duration(s, NUM_TEXT, l->gap);
}

static void
show_waits(const struct tline *l, const struct timeline *t, char s[NUM_TEXT])
{
	(void)t;
	num_show_count(s, NUM_TEXT, l->waits);
}

static void
show_use(const struct tline *l, const struct timeline *t, char s[NUM_TEXT])
{
	uint64_t all = l->on + l->off;

	(void)t;
	snprintf(s, NUM_TEXT, "%.1f%%", all > 0 ? 100 * (double)l->on / (double)all : 0);
}

static void
show_switches(const struct tline *l, const struct timeline *t, char s[NUM_TEXT])
{
	const struct column *numbers = store_column(t->st, COL_CPU_NUMBER);
	uint64_t n = column_rows(numbers);

	s[0] = '\0';
	for (uint64_t i = 0; i < n && t->part.to == 0; i++)
		if (column_get(numbers, i) == l->cpu - 1)
			num_show_count(s, NUM_TEXT, store_cell(t->st, COL_CPU_SWITCHES, i + 1));
}

#define TIME(name, member) { name, offsetof(struct tline, member), NULL }

size_t
line_values(const struct timeline *t, int w, const struct line_column **v)
{
	static const struct line_column of_tasks[] = { TIME("cpu", on), TIME("run_queue", run_queue),
	    TIME("disk", disk),
		{ "max_wait", 0, show_gap }, { "waits", 0, show_waits } };
	static const struct line_column of_threads[] = { { "cpu", 0, show_cpu }, TIME("off", off),
	    { "max_wait", 0, show_gap } };
	static const struct line_column of_dumps[] = { TIME("blocked", blocked), { "running", 0, show_cpu },
	    { "max_wait", 0, show_gap } };
	static const struct line_column of_waits[] = { { "max_wait", 0, show_gap }, TIME("off", off) };
	static const struct line_column of_cpus[] = { { "util", 0, show_use },
	    { "switches", 0, show_switches } };
	size_t n = t->at.cpus ? NELEM(of_cpus) : t->tasks ? NELEM(of_tasks) : t->lines.with_cpu ?
	    NELEM(of_threads) : NELEM(of_waits);
	bool dumps = dumps_count(t->st) > 0;
	size_t fits = w >= WIDEST ? n : w >= WIDER ? 2 : w >= WIDE ? 1 : 0;

	*v = t->at.cpus ? of_cpus : t->tasks ? of_tasks : !t->lines.with_cpu ? of_waits : dumps ? of_dumps :
	    of_threads;
	return fits < n ? fits : n;
}

void
line_show(const struct line_column *v, const struct tline *l, const struct timeline *t, char s[NUM_TEXT])
{
	if (v->show != NULL)
		v->show(l, t, s);
	else
		num_show_duration(s, NUM_TEXT, *(const uint64_t *)(const void *)((const char *)l + v->time));
}

struct tline
timeline_sum(const struct timeline *t, size_t first, size_t n)
{
	struct tline all = { .idle = true };

	for (size_t i = first; i < first + n; i++) {
		const struct tline *l = &t->lines.at[i];

		all.on += l->on;
		all.off += l->off;
		all.blocked += l->blocked;
		all.recorded = all.recorded || l->recorded;
		all.run_queue += l->run_queue;
		all.disk += l->disk;
		all.waits += l->waits;
		all.gap = l->gap > all.gap ? l->gap : all.gap;
	}
	return all;
}

/* Compute the width of values, also of sums: times over a minute have two units and need more columns. */
int
timeline_values_width(const struct timeline *t)
{
	const struct line_column *v;
	struct tline	sum;
	size_t		n = line_values(t, WIDEST, &v);
	int		w = VALUE_LEAST, one;
	char		s[NUM_TEXT];

	for (size_t k = 0; k < n; k++)
		w = (int)strlen(v[k].name) >= w ? (int)strlen(v[k].name) + 1 : w;
	for (size_t i = 0; i <= t->lines.n; i++) {
		bool one_line = i < t->lines.n && t->lines.at[i].of_group <= 1;

		if (i == t->lines.n)
			sum = timeline_sum(t, t->lines.busy, t->lines.n - t->lines.busy);
		else if (!one_line)
			sum = timeline_sum(t, i, t->lines.at[i].of_group);
		for (size_t k = 0; k < n; k++) {
			line_show(&v[k], one_line ? &t->lines.at[i] : &sum, t, s);
			one = (int)strlen(s);
			w = one >= VALUE_LEAST && one + 2 > w ? one + 2 : w;
		}
	}
	return w;
}

/* Append the state at the cursor if it covers the whole cell, otherwise the times of the states in the cell. */
static void
line_cell(const struct timeline *t, struct tline *l, struct buf *b)
{
	int		cell = axis_cell(&t->axis, t->at.cursor);
	uint64_t	begin = axis_begin(&t->axis, cell), end = axis_begin(&t->axis, cell + 1),
	    row = lane_at(&l->lane, t->at.cursor);
	uint64_t	from = 0, to = 0, sum[KINDS];

	if (row != 0)
		lane_stretch(&l->lane, row, &from, &to);
	if (row != 0 && from <= begin && to >= end && l->lane.track.kind != TRACK_CPU) {
		buf_str(b, STR("  "));
		lane_value(&l->lane, from, to, b);
		scale_at(b, " at ", from, t->axis.from, t->axis.to);
		screen_number(b, " for ", num_show_duration, to - from);
		return;
	}
	if (l->of_process) {
		scale_at(b, "  at ", begin, t->axis.from, t->axis.to);
		buf_str(b, STR(": "));
		row = b->n;
		lane_value(&l->lane, begin, end, b);
		buf_str(b, str_of(b->n > row ? "" : "no data"));
		return;
	}
	line_sums(l, begin, end, sum);
	scale_at(b, "  at ", begin, t->axis.from, t->axis.to);
	screen_number(b, " for ", num_show_duration, end - begin);
	if (line_mark(l, sum, end - begin) == MARK_BLANK)
		buf_str(b, STR(": no data"));
	else if (line_has_cpu(l))
		buf_printf(b, ": CPU %.0f%%", end > begin ?
		    100 * (double)sum[KIND_RUN] / (double)(end - begin) : 0);
	for (enum cell_mark m = MARK_RUNQ; m < MARKS; m++)
		if (sum[mark_kind(m)] > 0) {
			buf_printf(b, "  %s", mark_word(t, m));
			screen_number(b, " ", num_show_duration, sum[mark_kind(m)]);
		}
}

/* In stack dumps also for whom the thread waits. */
static void
line_place(const struct timeline *t, struct tline *l, struct buf *b)
{
	size_t	before;

	line_cell(t, l, b);
	before = b->n;
	dumped_wait(t->st, l->thread, t->at.cursor, b);
	screen_fit_from(b, before);
}

void
timeline_status(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	struct tline	*l = timeline_selected(t);
	struct buf	 name = BUF_INIT, rest = BUF_INIT;

	if (t->lines.n == 0)
		return;
	if (t->axis.mark.open) {
		axis_status(&t->axis, b);
		return;
	}
	if (l == NULL) {
		buf_printf(b, "%zu idle: %s; %s", t->lines.n - t->lines.busy,
		    t->by_stacks ? IDLE_BY_STACKS : IDLE_BY_TIMES,
		    hint_in(p->kind->where, VERB_ENTER, "_ shows them").s);
		return;
	}
	line_name(l, &name);
	if (l->process != 0 && ui_processes(p->ui)) {
		buf_str(&name, STR(" of "));
		buf_str(&name, process_name(t->st, l->process));
	}
	line_place(t, l, &rest);
	if (l->gap > 0) {
		screen_number(&rest, "  max wait ", num_show_duration, l->gap);
		screen_number(&rest, " at ", num_show_duration, l->gap_at);
	}
	p->status_cut = screen_pair(b, &name, &rest, p->status_w);
}

/* List the values of all columns, even if they do not fit, and the activity in the cell at the cursor. */
void
timeline_details(struct pane *p, struct items *items)
{
	struct timeline	*t = p->data;
	struct tline	*l = timeline_selected(t);
	const struct line_column *v;
	struct buf	b = BUF_INIT;
	char		text[NUM_TEXT];

	if (l == NULL)
		return;
	line_name(l, &b);
	items_add(items, STR("name"), buf_view(&b), "");
	if (l->process != 0)
		items_add(items, STR("process"), process_name(t->st, l->process), "");
	for (size_t i = 0, n = l->of_process ? 0 : line_values(t, WIDEST, &v); i < n; i++) {
		line_show(&v[i], l, t, text);
		items_add(items, str_of(v[i].name), str_of(text), "");
	}
	if (l->gap > 0) {
		num_show_duration(text, sizeof text, l->gap_at);
		items_add(items, STR("max_wait_at"), str_of(text), "");
	}
	buf_clear(&b);
	line_place(t, l, &b);
	items_add(items, STR("cell"), str_skip_blanks(buf_view(&b)), "");
	buf_free(&b);
}

void
timeline_subject(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	struct tline	*l = timeline_selected(t);

	if (l != NULL)
		line_name(l, b);
}

/* ---- the line above the cells ------------------------------------------------ */

void
timeline_path(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	size_t		 n;

	if (t->lines.n == 0)
		return;
	n = t->lines.n - t->lines.of_process;
	buf_printf(b, "%zu %s%s", n, t->at.cpus ? "CPU" : t->tasks ? "task" : "thread", n == 1 ? "" : "s");
	screen_fit(b, str_of(glyph(GLYPH_INTO)));
	scale_window_of(b, t->axis.from, t->axis.to, t->axis.all_from, t->axis.all_to);
	if (t->axis.w > 0) {
		screen_number(b, ", ", num_show_duration, (t->axis.to - t->axis.from) / (uint64_t)t->axis.w);
		buf_str(b, STR("/cell"));
	}
}

void
timeline_strip(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	if (t->lines.n > 0)
		scale_strip(b, t->axis.from, t->axis.to, t->axis.all_from, t->axis.all_to);
}
