/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_cells: marks of cells: how much a thread ran in each period, and whether it waited.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

/* steps of a grid in a cell that they are fine enough for; points of a cell that are few */
enum { FINE = 64, FEW = 8 };

/* Choose the mark of a cell of length ns, in which the line spent sum[kind] ns in each kind. */
static enum cell_mark
cell_mark(const uint64_t sum[KINDS], uint64_t length)
{
	uint64_t run = sum[KIND_RUN], alive = 0;

	for (size_t k = 0; k < KINDS; k++)
		alive += sum[k];
	if (alive == 0)
		return MARK_BLANK;
	for (enum cell_mark m = MARK_DISK; m <= MARK_GC; m++)
		if (sum[mark_kind(m)] > 0 && sum[mark_kind(m)] >= length / 4 + (length % 4 != 0))
			return m;
	if (sum[KIND_RUNQ] > 0 && sum[KIND_RUNQ] >= length / 10 + (length % 10 != 0) &&
	    sum[KIND_RUNQ] >= run / 4 + (run % 4 != 0))
		return MARK_RUNQ;
	if (run == 0)
		return MARK_ALIVE;
	return (enum cell_mark)(MARK_BAR + use_step(run, length) - 1);
}

/* ---- cells of a window --------------------------------------------------- */

static uint64_t
part_of(const struct cells *c, int cell)
{
	return axis_begin(&(struct axis){ .w = c->width, .from = c->from, .to = c->to }, cell);
}

void
cells_free(struct cells *c)
{
	free(c->mark);
	*c = (struct cells){ .mark = NULL };
}

void
total_free(struct total *t)
{
	cells_free(&t->cells);
	free(t->sum);
	*t = (struct total){ .sum = NULL };
}

/* Start again if the window changed; true if so. */
static bool
cells_begin(struct cells *c, const struct timeline *t)
{
	if (c->from == t->axis.from && c->to == t->axis.to && c->width == t->axis.w)
		return false;
	c->width = c->done = 0;
	if (!mem_grow(&c->mark, &c->cap, (size_t)t->axis.w, 1))
		return false;
	memset(c->mark, MARK_BLANK, (size_t)t->axis.w);
	c->from = t->axis.from;
	c->to = t->axis.to;
	c->width = t->axis.w;
	return true;
}

/* Prefer CPU time from CPU tracks: it is more exact than the states derived from it. */
static void
sums_until(const struct tline *l, uint64_t time, struct sums_place *at, uint64_t sum[KINDS])
{
	if (l->sums.kept != NULL)
		sums_at(&l->sums, time, at, sum);
	else
		memset(sum, 0, sizeof(uint64_t) * KINDS);
	if (l->cpu_tracks == 0)
		return;
	sum[KIND_SLEEP] += sum[KIND_RUN];
	sum[KIND_RUN] = 0;
	for (unsigned i = 0; i < l->cpu_tracks; i++)
		sum[KIND_RUN] = num_add(sum[KIND_RUN], track_total(&l->cpu_track[i], time));
}

void
line_sums(const struct tline *l, uint64_t from, uint64_t to, uint64_t sum[KINDS])
{
	struct sums_place at = { .n = 0 };
	uint64_t before[KINDS];

	sums_until(l, from, &at, before);
	sums_until(l, to, &at, sum);
	for (size_t k = 0; k < KINDS; k++)
		sum[k] -= before[k] < sum[k] ? before[k] : sum[k];
}

/* Without CPU data a line may have run between its waits: leave such a cell blank if it waited at most half of it. */
enum cell_mark
line_mark(const struct tline *l, const uint64_t sum[KINDS], uint64_t length)
{
	enum cell_mark mark = cell_mark(sum, length);
	uint64_t waits = 0;

	if (mark != MARK_ALIVE || line_has_cpu(l))
		return mark;
	for (size_t k = 0; k < KINDS; k++)
		waits += sum[k];
	return waits > length / 2 ? MARK_ALIVE : MARK_BLANK;
}

static void
line_cells(struct tline *l, const struct timeline *t)
{
	uint64_t sum[KINDS], next[KINDS], begin = t->axis.from, end;
	struct sums_place at = { .n = 0 };

	cells_begin(&l->cells, t);
	if (l->cells.done >= l->cells.width)
		return;
	sums_until(l, begin, &at, sum);
	for (int i = 0; i < l->cells.width; i++, begin = end) {
		end = part_of(&l->cells, i + 1);
		sums_until(l, end, &at, next);
		for (size_t k = 0; k < KINDS; k++)
			sum[k] = next[k] - (sum[k] < next[k] ? sum[k] : next[k]);
		l->cells.mark[i] = (uint8_t)line_mark(l, sum, end - begin);
		memcpy(sum, next, sizeof sum);
	}
	l->cells.done = l->cells.width;
}

/* ---- rows about several lines --------------------------------------------- */

static void
total_add_span(void *data, uint64_t from, uint64_t to)
{
	struct total *total = data;
	const struct cells *c = &total->cells;
	uint64_t end;

	for (int i = axis_cell(&(struct axis){ .w = c->width, .from = c->from, .to = c->to },
	    from); from < to && i < c->width; i++) {
		end = part_of(c, i + 1) < to ? part_of(c, i + 1) : to;
		if (end <= from)
			continue;
		total->sum[i] += end - from;
		from = end;
	}
}

/* The cells of all lines together, if they are much longer than the steps of the grid. */
static bool
total_by_grid(struct total *total, const struct sums_grid *g)
{
	const struct cells *c = &total->cells;
	uint64_t before, next;

	if (g->n == 0 || (c->to - c->from) / (uint64_t)c->width / FINE < g->step)
		return false;
	before = sums_grid_at(g, c->from);
	for (int i = 0; i < c->width; i++, before = next) {
		next = sums_grid_at(g, part_of(c, i + 1));
		total->sum[i] = next - before;
	}
	return true;
}

static void
timeline_cells_add_line(struct total *total, const struct tline *l, enum time_kind kind)
{
	const struct cells *c = &total->cells;
	uint64_t before[KINDS], next[KINDS];
	struct sums_place at = { .n = 0 };

	if (l->sums.total[kind] == 0 && (kind != KIND_RUN || l->cpu_tracks == 0))
		return;
	if (l->cpu_tracks == 0 && sums_points(&l->sums, c->from, c->to) < (uint64_t)c->width * FEW) {
		sums_spans(&l->sums, kind, c->from, c->to, total_add_span, total);
		return;
	}
	sums_until(l, c->from, &at, before);
	for (int i = 0; i < c->width; i++) {
		sums_until(l, part_of(c, i + 1), &at, next);
		total->sum[i] += next[kind] > before[kind] ? next[kind] - before[kind] : 0;
		memcpy(before, next, sizeof before);
	}
}

/* Mark the cells of a total of several lines; 100 % is "of" times the length of a cell. */
static void
total_marks(struct total *total, uint64_t of)
{
	struct cells *c = &total->cells;
	uint64_t sum[KINDS] = { 0 }, length;

	for (int i = 0; i < c->width; i++) {
		length = part_of(c, i + 1) - part_of(c, i);
		sum[KIND_RUN] = total->sum[i] / (of > 0 ? of : 1);
		sum[KIND_SLEEP] = 1;
		c->mark[i] = (uint8_t)cell_mark(sum, length);
		total->all += total->sum[i];
		total->most = total->sum[i] > total->most ? total->sum[i] : total->most;
	}
	c->done = c->width;
}

/* True if the deadline came first. */
static bool
step_total(struct timeline *t, struct total *total, const struct tlines *lines, size_t first,
    enum time_kind kind,
    uint64_t of, uint64_t deadline)
{
	struct cells *c = &total->cells;

	if (cells_begin(c, t)) {
		if (!mem_grow(&total->sum, &total->cap, (size_t)c->width, sizeof *total->sum)) {
			c->done = c->width;
			return false;
		}
		memset(total->sum, 0, (size_t)c->width * sizeof *total->sum);
		total->next = kind == KIND_RUNQ && total_by_grid(total, &lines->run_queue) ? lines->n : first;
		total->all = total->most = 0;
	}
	if (c->done == c->width)
		return false;
	for (; total->next < lines->n; total->next++) {
		if (os_now() >= deadline)
			return true;
		timeline_cells_add_line(total, &lines->at[total->next], kind);
	}
	total_marks(total, of);
	return false;
}

bool
timeline_step(struct timeline *t, size_t first, size_t end, uint64_t deadline)
{
	const struct tlines *cpus = t->at.cpus ? &t->lines : &t->other;
	struct tline *l;

	if (t->axis.w <= 0 || t->axis.to <= t->axis.from)
		return false;
	for (size_t i = first; i < end && i < timeline_rows(t); i++) {
		if (os_now() >= deadline)
			return true;
		l = timeline_line(t, i);
		if (l != NULL && l->of_process && lane_step(&l->lane, t->axis.from, t->axis.to, t->axis.w,
		    deadline))
			return true;
		if (l != NULL && !l->of_process)
			line_cells(l, t);
	}
	if (!t->tasks || t->at.cpus)
		return !t->at.cpus && timeline_rows(t) < t->lines.n &&
		    step_total(t, &t->total[TOTAL_IDLE], &t->lines, t->lines.busy, KIND_RUN, 1, deadline);
	return step_total(t, &t->total[TOTAL_USE], cpus, 0, KIND_RUN, cpus->n, deadline) ||
	    step_total(t, &t->total[TOTAL_RUNNABLE], &t->lines, 0, KIND_RUNQ, cpus->n, deadline) ||
	    (timeline_rows(t) < t->lines.n &&
	    step_total(t, &t->total[TOTAL_IDLE], &t->lines, t->lines.busy, KIND_RUN, 1, deadline));
}

/* ---- drawing ------------------------------------------------------------- */

static const char *
mark_text(enum cell_mark m)
{
	static const char *const letters[] = { "r", "D", "K", "B", "G" };

	if (m == MARK_BLANK)
		return " ";
	if (m >= MARK_RUNQ)
		return letters[m - MARK_RUNQ];
	return screen_bar(m == MARK_ALIVE ? 0 : m - MARK_BAR + 1);
}

static enum role
mark_role(enum cell_mark m)
{
	static const enum role letters[] = { ROLE_WARN, ROLE_BAD, ROLE_BAD, ROLE_LOCK, ROLE_COLLECT };

	return m <= MARK_ALIVE ? ROLE_DIM : m < MARK_RUNQ ? screen_bar_role(m - MARK_BAR + 1) :
	    letters[m - MARK_RUNQ];
}

void
cells_draw(const struct cells *c, int y, int x, int first, int last)
{
	for (int i = 0; i < c->width; i++)
		screen_puts(y, x + i, 1, mark_role((enum cell_mark)c->mark[i]),
		    i >= first && i < last ? LOOK_REVERSE | LOOK_BOLD : LOOK_PLAIN,
		    mark_text((enum cell_mark)c->mark[i]));
}

enum time_kind
mark_kind(enum cell_mark mark)
{
	static const enum time_kind kinds[] = { KIND_RUNQ, KIND_DISK, KIND_SOCKET, KIND_MONITOR, KIND_GC };

	assert(mark >= MARK_RUNQ && mark < MARKS);
	return kinds[mark - MARK_RUNQ];
}

const char *
mark_word(const struct timeline *t, enum cell_mark mark)
{
	uint32_t n = (uint32_t)states_count(t->st), i = 0;

	while (i < n && (state_kind(t->st, i) != mark_kind(mark) || state_wait(t->st, i) == NULL))
		i++;
	return i < n ? state_word(t->st, i) : "";
}

/* The legend lists a letter if any line has that state at any time. */
static bool
timeline_has_mark(const struct timeline *t, enum cell_mark mark)
{
	for (size_t i = 0; mark >= MARK_RUNQ && i < t->lines.n; i++)
		if (t->lines.at[i].sums.total[mark_kind(mark)] > 0)
			return true;
	return mark < MARK_RUNQ;
}

static const char *
mark_meaning(const struct timeline *t, enum cell_mark mark)
{
	return mark == MARK_BLANK ? "not alive, or no data" : mark >= MARK_RUNQ ? mark_word(t, mark) :
	    timeline_has_cpu(t) ? "no CPU" : "waiting";
}

static void
legend_part(struct area *a, enum role role, const char *text)
{
	int n = screen_puts(a->y, a->x, a->w, role, LOOK_PLAIN, text);

	a->x += n;
	a->w -= n;
}

/* Draw the legend of the marks on the last line, if it fits. */
void
marks_legend(const struct timeline *t, struct area a)
{
	int left = a.x;

	a.y += a.h - 1;
	if (a.h < 1)
		return;
	if (timeline_has_cpu(t)) {
		legend_part(&a, mark_role(MARK_BAR), mark_text(MARK_BAR));
		legend_part(&a, mark_role(MARK_RUNQ - 1), mark_text(MARK_RUNQ - 1));
		legend_part(&a, ROLE_DIM, " CPU use up to 100%");
	}
	for (enum cell_mark m = MARK_ALIVE; m < MARKS; m++) {
		if ((m >= MARK_BAR && m < MARK_RUNQ) || !timeline_has_mark(t, m))
			continue;
		legend_part(&a, ROLE_DIM, a.x > left ? "  " : "");
		legend_part(&a, mark_role(m), mark_text(m));
		legend_part(&a, ROLE_DIM, " ");
		legend_part(&a, ROLE_DIM, mark_meaning(t, m));
	}
}

void
timeline_legend_items(struct pane *p, struct items *items)
{
	struct timeline	*t = p->data;

	if (timeline_has_cpu(t))
		bars_legend(items);
	for (enum cell_mark m = MARK_BLANK; m < MARKS; m++)
		if ((m < MARK_BAR || m >= MARK_RUNQ) && timeline_has_mark(t, m))
			items_sample(items, m == MARK_BLANK ? "blank" : mark_text(m), mark_role(m),
			    mark_meaning(t, m));
}
