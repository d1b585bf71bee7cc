/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_lines: the worker makes the lines of the timeline: its threads or CPUs, and how long each ran and
 * waited.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/dumps.h"
#include "icecore/idle.h"
#include "timeline.h"

/* ---- waits ----------------------------------------------------------------- */

/* A time off-CPU between two on-CPU, while a track is read. */
struct gap {
	uint64_t	from;
	bool		open;		/* the thread ran before */
	bool		woken;		/* the thread was in a run queue at some time */
};

/* A recording has waits only: count the time between them as running. */
static bool
is_on(const struct tline *l, uint64_t v)
{
	if (l->sums.track.kind == TRACK_TASK)
		return v != 0 && v < STATE_NONE;
	return v < l->sums.nkinds ? l->sums.kind[v] == KIND_RUN : l->recorded;
}

/* Order of the waits: longest first, then earliest. */
static bool
is_before(uint64_t length, uint64_t at, const struct longest *x)
{
	return length > x->length || (length == x->length && at < x->at);
}

/* A time off-CPU that says something; last: the file ends in it. */
static bool
is_told(const struct tline *l, uint64_t from, uint64_t to, bool last)
{
	struct idle_sleep sleep = { .length = 0 };

	if (to - from > (l->sums.last - l->sums.first) / 2)
		sums_sleep(&l->sums, from, to, &sleep);
	sleep.last = last;
	return last ? idle_sleep_hangs(&sleep) : !idle_sleep(&sleep);
}

/* Skip idle sleep, and waits not followed by a run queue (if the states have them). */
bool
line_longest(const struct tline *l, struct longest *x)
{
	const struct track *t = &l->sums.track;
	bool told = l->sums.total[KIND_RUNQ] > 0, on, last;
	struct longest best = { l->thread, l->cpu, 0, 0 };
	struct gap gap = { UINT64_MAX, l->recorded, false };
	uint64_t time, length, v;

	for (uint64_t i = t->first; l->sums.kind != NULL && i <= t->first + t->n; i++) {
		last = i == t->first + t->n;
		time = last ? l->sums.last : column_get(t->time, i);
		v = last ? STATE_NONE : column_get(t->value, i);
		on = !last && is_on(l, v);
		gap.woken = gap.woken || (t->kind == TRACK_STATE && v < l->sums.nkinds &&
		    l->sums.kind[v] == KIND_RUNQ);
		if (!on && !last) {
			gap.from = gap.from == UINT64_MAX ? time : gap.from;
			continue;
		}
		length = gap.open && gap.from < time ? time - gap.from : 0;
		if (length > 0 && (gap.woken || !told || last) && is_before(length, gap.from, &best) &&
		    (x->length == 0 ||
		    is_before(x->length, x->at, &(struct longest){ .at = gap.from, .length = length })) &&
		    is_told(l, gap.from, time, last))
			best = (struct longest){ l->thread, l->cpu, gap.from, length };
		gap = (struct gap){ UINT64_MAX, true, false };
	}
	if (best.length > 0)
		*x = best;
	return best.length > 0;
}

/* A wait of which any part is in the window; its length is that part. */
static void
add_gap(struct tline *l, uint64_t out, uint64_t in, const struct time_window *w)
{
	uint64_t from = out > w->from ? out : w->from, to = in < w->to ? in : w->to;

	if (to < from || (to == from && out < in))
		return;
	l->waits++;
	if (to - from > l->gap) {
		l->gap = to - from;
		l->gap_at = from;
	}
}

/* Count the waits and find the longest one, from switch to switch or to the end. */
static void
find_gap(struct tline *l, const struct time_window *w)
{
	const struct track *t = &l->sums.track;
	uint64_t out = UINT64_MAX, time, waits;
	bool on, was = l->recorded;

	l->gap = l->gap_at = l->waits = 0;
	for (uint64_t i = t->first; i < t->first + t->n; i++, was = on) {
		time = column_get(t->time, i);
		on = is_on(l, column_get(t->value, i));
		if (was && !on)
			out = time;
		if (!was && on && out != UINT64_MAX)
			add_gap(l, out, time, w);
	}
	waits = l->waits;
	if (!was && out != UINT64_MAX && l->sums.last > out)
		add_gap(l, out, l->sums.last, w);
	l->waits = waits;
}

/* ---- choosing the lines -------------------------------------------------- */

static struct tline *
timeline_lines_line_of(struct tlines *lines, const struct track *track)
{
	uint32_t known = track->cpu == 0 ? idmap_get(&lines->of_thread, track->thread) : 0;

	if (known != 0)
		return &lines->at[known - 1];
	if (!MEM_ROOM(lines->at, lines->cap, lines->n) ||
	    (track->cpu == 0 && !idmap_put(&lines->of_thread, track->thread, (uint32_t)lines->n + 1, NULL)))
		return NULL;
	memset(&lines->at[lines->n], 0, sizeof *lines->at);
	return &lines->at[lines->n++];
}

/* Heap use, collections and tables beside the trace explain what the threads did. */
static bool
timeline_lines_is_of_process(const struct store *st, const struct track *track)
{
	if (track->beside)
		return track->n > 0;
	return track->n > 0 && track->cpu == 0 && track->thread == 0 &&
	    (load_shapes(st) & SHAPE_LASTING) != 0 &&
	    ((track->kind == TRACK_LEVEL && strcmp(track->name, "heap used") == 0) ||
	    (track->kind == TRACK_STATE && strcmp(track->name, "gc") == 0));
}

static bool
timeline_lines_add_process(struct timeline *t, struct tlines *lines, size_t i, const struct track *track,
    uint64_t end, struct err *err)
{
	struct tline	*l;

	if (!MEM_ROOM(lines->at, lines->cap, lines->n))
		return fail(err, E_SYSTEM, "out of memory (timeline)");
	l = &lines->at[lines->n++];
	*l = (struct tline){ .lane = { .st = t->next, .number = i, .track = *track, .end = end },
	    .name = BUF_INIT,
	    .of_process = true, .recorded = true };
	lines->of_process++;
	buf_str(&l->name, str_of(track->name));
	return true;
}

/* A line of a thread shows its states or its CPU use; a line of a CPU shows its tasks. */
static bool
timeline_lines_is_wanted(bool cpus, const struct track *track)
{
	if (track->n == 0)
		return false;
	if (cpus)
		return track->cpu != 0 && track->kind == TRACK_TASK;
	return track->cpu == 0 && track->thread != 0 &&
	    (track->kind == TRACK_STATE || track->kind == TRACK_CPU);
}

bool
timeline_has_lines(const struct store *st)
{
	struct track track;
	size_t	     n = tracks_count(st);

	if (sampled_has(st) || dumps_timed(st))
		return true;
	for (size_t i = 0; i < n; i++)
		if (track_get(st, i, &track) && (timeline_lines_is_wanted(false, &track) ||
		    timeline_lines_is_wanted(true, &track)))
			return true;
	return false;
}

/* Copy the sums that scheduler traces have, as the Tasks pane shows them. */
static void
timeline_lines_take_task(const struct store *st, struct tline *l)
{
	if (store_column(st, COL_TASK_ON) == NULL || l->thread == 0)
		return;
	l->on = store_cell(st, COL_TASK_ON, l->thread);
	l->off = store_cell(st, COL_TASK_OFF, l->thread);
	l->disk = store_cell(st, COL_TASK_DISK, l->thread);
	l->waits = store_cell(st, COL_TASK_GAPS, l->thread);
	l->gap = store_cell(st, COL_TASK_MAX_GAP, l->thread);
	l->gap_at = store_cell(st, COL_TASK_MAX_GAP_AT, l->thread);
}

static bool
take_states(struct timeline *t, struct tlines *lines, struct tline *l, uint64_t end, struct work *work,
    struct err *err)
{
	const uint64_t *total = l->sums.total;

	if (!sums_make(&l->sums, t->next, &l->lane.track, end, true, work, err))
		return false;
	l->recorded = (load_shapes(t->next) & (SHAPE_LASTING | SHAPE_TASKS)) == SHAPE_LASTING;
	find_gap(l, &(struct time_window){ 0, UINT64_MAX });
	l->on = total[KIND_RUN];
	l->off = total[KIND_RUNQ] + total[KIND_DISK] + total[KIND_SOCKET] + total[KIND_MONITOR] + total[KIND_GC] +
	    total[KIND_SLEEP];
	l->run_queue = total[KIND_RUNQ];
	l->disk = total[KIND_DISK];
	l->blocked = dumps_count(t->next) > 0 ? total[KIND_MONITOR] : 0;
	l->idle = l->cpu == 0 && sums_idle(&l->sums);
	sums_grid_add(&lines->run_queue, &l->sums, KIND_RUNQ);
	timeline_lines_take_task(t->next, l);
	return true;
}

/* Sum the CPU tracks; the remaining time between their ends is off-CPU. */
static void
take_cpu(struct tline *l)
{
	uint64_t cpu = 0, wall = 0, length;

	for (unsigned i = 0; i < l->cpu_tracks; i++) {
		const struct track *t = &l->cpu_track[i];

		length = column_get(t->time, t->first + t->n - 1) - column_get(t->time, t->first);
		wall = length > wall ? length : wall;
		cpu = num_add(cpu, column_get(t->value, t->first + t->n - 1) - column_get(t->value,
		    t->first));
	}
	l->on = cpu;
	l->off = wall > cpu ? wall - cpu : 0;
	l->idle = l->idle && cpu < l->sums.end / 1000;
}

/* Replace the values by those of a part of the time. */
static void
timeline_lines_take_part(const struct timeline *t, struct tline *l)
{
	uint64_t sum[KINDS], wall = 0;

	line_sums(l, t->part.from, t->part.to, sum);
	for (unsigned i = 0; i < l->cpu_tracks; i++) {
		const struct track *c = &l->cpu_track[i];
		uint64_t from = column_get(c->time, c->first), to = column_get(c->time, c->first + c->n - 1);

		from = from > t->part.from ? from : t->part.from;
		to = to < t->part.to ? to : t->part.to;
		wall = to > from && to - from > wall ? to - from : wall;
	}
	l->on = sum[KIND_RUN];
	l->run_queue = sum[KIND_RUNQ];
	l->disk = sum[KIND_DISK];
	l->blocked = l->blocked > 0 ? sum[KIND_MONITOR] : 0;
	l->off = sum[KIND_RUNQ] + sum[KIND_DISK] + sum[KIND_SOCKET] + sum[KIND_MONITOR] + sum[KIND_GC] +
	    sum[KIND_SLEEP];
	if (l->cpu_tracks > 0)
		l->off = wall > l->on ? wall - l->on : 0;
	if (l->sums.kind != NULL)
		find_gap(l, &t->part);
}

/* The sums of tasks in a part of the time, as the Tasks pane shows them. */
static bool
take_tasks(struct timeline *t, struct tlines *lines, struct work *work, struct err *err)
{
	struct session s = *ui_seen(t->task.ui);
	char text[160];
	struct reply a;
	struct cell c[7];
	bool ok;

	s.view = NULL;
	snprintf(text, sizeof text, "tasks | range %" PRIu64 "ns %" PRIu64 "ns | select id cpu off_cpu disk waits "
	    "max_wait max_wait_at",
	    t->part.from, t->part.to);
	ok = query_ask(&a, str_of(text), 0, &s, work, err);
	for (uint64_t row = 0; ok && rows_reach(a.rows, row + 1) > row; row++) {
		struct tline *l;

		for (size_t col = 0; col < NELEM(c); col++) {
			rows_cell(a.rows, row, col, &c[col]);
			c[col].u = c[col].type == CELL_NONE ? 0 : c[col].u;
		}
		if (idmap_get(&lines->of_thread, c[0].u) == 0)
			continue;
		l = &lines->at[idmap_get(&lines->of_thread, c[0].u) - 1];
		l->on = c[1].u;
		l->off = c[2].u;
		l->disk = c[3].u;
		l->waits = c[4].u;
		l->gap = c[5].u;
		l->gap_at = c[6].u;
	}
	ok = ok && rows_whole(a.rows, err);
	reply_close(&a);
	return ok;
}

static bool
add_track(struct timeline *t, struct tlines *lines, size_t i, const struct track *track,
    uint64_t end, struct work *work,
    struct err *err)
{
	struct tline	*l = timeline_lines_line_of(lines, track);

	if (l == NULL)
		return fail(err, E_SYSTEM, "out of memory (timeline)");
	l->thread = track->thread;
	l->cpu = track->cpu;
	if (track->kind == TRACK_CPU) {
		if (l->cpu_tracks < CPU_TRACKS)
			l->cpu_track[l->cpu_tracks++] = *track;
		if (l->lane.st == NULL)
			l->lane = (struct lane){ .st = t->next, .number = i, .track = *track, .end = end };
		return true;
	}
	if (l->sums.kind != NULL)
		return true;
	l->lane = (struct lane){ .st = t->next, .number = i, .track = *track, .end = end };
	return take_states(t, lines, l, end, work, err);
}

/* Use samples for CPU time unless there are more measurements of it. */
static bool
add_sampled(struct timeline *t, struct tlines *lines, const struct track *track, uint64_t end,
    struct work *work, struct err *err)
{
	struct tline	*l = timeline_lines_line_of(lines, track);

	if (l != NULL && l->cpu_tracks > 0 && l->cpu_track[0].n >= track->n)
		return true;
	if (l != NULL)
		l->cpu_tracks = 0;
	return add_track(t, lines, SIZE_MAX, track, end, work, err);
}

static bool
timeline_lines_add_lines(struct timeline *t, struct tlines *lines, bool cpus, struct work *work,
    struct err *err)
{
	struct track	 track;
	struct tline	*l;
	uint64_t	 end = tracks_end(t->next);
	size_t		 n = tracks_count(t->next), name_w;
	bool		 sampled = !cpus && sampled_has(t->next);

	if (t->tasks && !cpus)
		sums_grid_open(&lines->run_queue, end, column_rows(store_column(t->next, COL_POINT_TIME)));
	for (size_t i = 0; i < n; i++) {
		if (!work_go(work, i, err))
			return false;
		if (track_get(t->next, i, &track) && timeline_lines_is_wanted(cpus, &track) &&
		    !add_track(t, lines, i, &track, end, work, err))
			return false;
		if (!cpus && track_get(t->next, i, &track) && timeline_lines_is_of_process(t->next, &track) &&
		    !timeline_lines_add_process(t, lines, i, &track, end, err))
			return false;
	}
	sums_grid_done(&lines->run_queue);
	for (uint32_t i = 1; sampled && i <= column_rows(store_column(t->next, COL_THREAD_TID)); i++)
		if (!work_go(work, i, err) || (sampled_track(t->next, i, &track) &&
		    !add_sampled(t, lines, &track, end, work, err)))
			return false;
	for (size_t i = 0; i < lines->n; i++) {
		l = &lines->at[i];
		name_w = text_width(buf_view(&l->name));
		lines->name_w = name_w > lines->name_w ? name_w : lines->name_w;
		if (l->of_process)
			continue;
		/* Scheduler switches are exact: ignore CPU tracks. */
		if (t->tasks)
			l->cpu_tracks = 0;
		if (l->cpu_tracks > 0)
			take_cpu(l);
		if (t->part.to > 0)
			timeline_lines_take_part(t, l);
		if (t->by_stacks)
			l->idle = thread_idle(t->next, l->thread);
		lines->with_cpu = lines->with_cpu || line_has_cpu(l);
		if (l->cpu != 0)
			buf_printf(&l->name, "CPU %u", l->cpu - 1);
		else
			thread_label(t->next, l->thread, &l->name);
		if (l->cpu == 0)
			l->process = (uint32_t)thread_process(t->next, l->thread);
		name_w = text_width(buf_view(&l->name));
		lines->name_w = name_w > lines->name_w ? name_w : lines->name_w;
	}
	return true;
}

bool
timeline_run(struct task *task, struct work *work, struct err *err)
{
	struct timeline	*t = (struct timeline *)task;

	if (!pass_want(t->next, t->by_stacks ? COL_THREAD_IDLE : COL_THREAD_TID, work, err))
		return false;
	if (load_shapes(t->next) & SHAPE_TASKS && !pass_want(t->next, COL_TASK_ON, work, err))
		return false;
	if (!lane_want(t->next, work, err))
		return false;
	tlines_free(&t->new);
	tlines_free(&t->new_other);
	work_start(work, "timeline", 0);
	return timeline_lines_add_lines(t, &t->new, t->at.cpus, work, err) &&
	    (t->at.cpus || !t->tasks || t->part.to == 0 || take_tasks(t, &t->new, work, err)) &&
	    (t->at.cpus || !t->tasks || timeline_lines_add_lines(t, &t->new_other, true, work, err));
}

void
timeline_ask(struct timeline *t)
{
	if (t->next == NULL || t->task.given)
		return;
	t->part = t->axis.range;
	task_give(t->pane->ui, &t->task);
}

void
tlines_free(struct tlines *l)
{
	for (size_t i = 0; i < l->n; i++) {
		lane_free(&l->at[i].lane);
		sums_free(&l->at[i].sums);
		cells_free(&l->at[i].cells);
		buf_free(&l->at[i].name);
	}
	free(l->at);
	sums_grid_free(&l->run_queue);
	idmap_free(&l->of_thread);
	*l = (struct tlines){ .at = NULL };
}
