/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_rows: lines of the timeline: its threads or CPUs, and how long each ran and waited.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/dumps.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "timeline.h"

const char *const order_names[ORDERS] = { "CPU time", "time runnable", "longest wait", "file order" };

/* ---- waits ----------------------------------------------------------------- */

/* A time off-CPU between two on-CPU, while a track is read. */
struct gap {
	uint64_t	from;
	bool		open;		/* it ran before */
	bool		woken;		/* it was in a run queue at some time */
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

/* Skip idle sleep: waits not followed by a run queue (if the states have them), or longer than half the thread's life. */
bool
line_longest(const struct tline *l, struct longest *x)
{
	const struct track *t = &l->sums.track;
	bool told = l->sums.total[KIND_RUNQ] > 0, on;
	struct longest best = { l->thread, l->cpu, 0, 0 };
	struct gap gap = { UINT64_MAX, l->recorded, false };
	uint64_t time, length, v;

	for (uint64_t i = t->first; l->sums.kind != NULL && i < t->first + t->n; i++) {
		time = column_get(t->time, i);
		v = column_get(t->value, i);
		on = is_on(l, v);
		gap.woken = gap.woken || (t->kind == TRACK_STATE && v < l->sums.nkinds && l->sums.kind[v] == KIND_RUNQ);
		if (!on) {
			gap.from = gap.from == UINT64_MAX ? time : gap.from;
			continue;
		}
		length = gap.open && gap.from != UINT64_MAX ? time - gap.from : 0;
		if (length > 0 && (gap.woken || !told) && length <= (l->sums.last - l->sums.first) / 2 &&
		    is_before(length, gap.from, &best) && (x->length == 0 || (is_before(x->length, x->at,
		    &(struct longest){ .at = gap.from, .length = length }))))
			best = (struct longest){ l->thread, l->cpu, gap.from, length };
		gap = (struct gap){ UINT64_MAX, true, false };
	}
	if (best.length > 0)
		*x = best;
	return best.length > 0;
}

/* Count the waits and find the longest one, from switch to switch or to the end. */
static void
find_gap(struct tline *l)
{
	const struct track *t = &l->sums.track;
	uint64_t out = UINT64_MAX, time;
	bool on, was = l->recorded;

	for (uint64_t i = t->first; i < t->first + t->n; i++, was = on) {
		time = column_get(t->time, i);
		on = is_on(l, column_get(t->value, i));
		if (was && !on)
			out = time;
		if (!was && on && out != UINT64_MAX && time - out > l->gap) {
			l->gap = time - out;
			l->gap_at = out;
		}
		if (!was && on)
			l->waits += out != UINT64_MAX;
	}
	if (!was && out != UINT64_MAX && l->sums.last > out && l->sums.last - out > l->gap) {
		l->gap = l->sums.last - out;
		l->gap_at = out;
	}
}

/* ---- choosing the lines -------------------------------------------------- */

static struct tline *
timeline_rows_line_of(struct tlines *lines, const struct track *track)
{
	uint32_t known = track->cpu == 0 ? idmap_get(&lines->of_thread, track->thread) : 0;

	if (known != 0)
		return &lines->at[known - 1];
	if (!mem_grow(&lines->at, &lines->cap, lines->n + 1, sizeof *lines->at) ||
	    (track->cpu == 0 && !idmap_put(&lines->of_thread, track->thread, (uint32_t)lines->n + 1, NULL)))
		return NULL;
	memset(&lines->at[lines->n], 0, sizeof *lines->at);
	return &lines->at[lines->n++];
}

/* Heap use, collections and tables beside the trace explain what the threads did. */
static bool
timeline_rows_is_of_process(const struct store *st, const struct track *track)
{
	if (track->beside)
		return track->n > 0;
	return track->n > 0 && track->cpu == 0 && track->thread == 0 && (load_shapes(st) & SHAPE_LASTING) != 0 &&
	    ((track->kind == TRACK_LEVEL && strcmp(track->name, "heap used") == 0) || (track->kind == TRACK_STATE && strcmp(track->name, "gc") == 0));
}

static bool
timeline_rows_add_process(struct timeline *t, struct tlines *lines, size_t i, const struct track *track, uint64_t end, struct err *err)
{
	struct tline	*l;

	if (!mem_grow(&lines->at, &lines->cap, lines->n + 1, sizeof *lines->at))
		return fail(err, E_SYSTEM, "out of memory (timeline)");
	l = &lines->at[lines->n++];
	*l = (struct tline){ .lane = { .st = t->next, .number = i, .track = *track, .end = end }, .name = BUF_INIT,
	    .of_process = true, .recorded = true };
	lines->of_process++;
	buf_str(&l->name, str_of(track->name));
	return true;
}

/* A line of a thread shows its states or its CPU use; a line of a CPU shows its tasks. */
static bool
timeline_rows_is_wanted(bool cpus, const struct track *track)
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
		if (track_get(st, i, &track) && (timeline_rows_is_wanted(false, &track) || timeline_rows_is_wanted(true, &track)))
			return true;
	return false;
}

/* Copy the sums that scheduler traces have, as the Tasks pane shows them. */
static void
timeline_rows_take_task(const struct store *st, struct tline *l)
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
take_states(struct timeline *t, struct tlines *lines, struct tline *l, uint64_t end, struct work *work, struct err *err)
{
	const uint64_t *total = l->sums.total;

	if (!sums_make(&l->sums, t->next, &l->lane.track, end, true, work, err))
		return false;
	l->recorded = (load_shapes(t->next) & SHAPE_LASTING) != 0;
	find_gap(l);
	l->on = total[KIND_RUN];
	l->off = total[KIND_RUNQ] + total[KIND_DISK] + total[KIND_SOCKET] + total[KIND_MONITOR] + total[KIND_GC] + total[KIND_SLEEP];
	l->runq = total[KIND_RUNQ];
	l->disk = total[KIND_DISK];
	l->idle = l->cpu == 0 && sums_idle(&l->sums);
	sums_grid_add(&lines->runq, &l->sums, KIND_RUNQ);
	timeline_rows_take_task(t->next, l);
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
		cpu = num_add(cpu, column_get(t->value, t->first + t->n - 1) - column_get(t->value, t->first));
	}
	l->on = cpu;
	l->off = wall > cpu ? wall - cpu : 0;
	l->idle = l->idle && cpu < l->sums.end / 1000;
}

static bool
timeline_rows_add_track(struct timeline *t, struct tlines *lines, size_t i, const struct track *track, uint64_t end, struct work *work,
    struct err *err)
{
	struct tline	*l = timeline_rows_line_of(lines, track);

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
add_sampled(struct timeline *t, struct tlines *lines, const struct track *track, uint64_t end, struct work *work, struct err *err)
{
	struct tline	*l = timeline_rows_line_of(lines, track);

	if (l != NULL && l->cpu_tracks > 0 && l->cpu_track[0].n >= track->n)
		return true;
	if (l != NULL)
		l->cpu_tracks = 0;
	return timeline_rows_add_track(t, lines, SIZE_MAX, track, end, work, err);
}

static bool
timeline_rows_add_lines(struct timeline *t, struct tlines *lines, bool cpus, struct work *work, struct err *err)
{
	struct track	 track;
	struct tline	*l;
	uint64_t	 end = tracks_end(t->next);
	size_t		 n = tracks_count(t->next), name_w;
	bool		 sampled = !cpus && sampled_has(t->next);

	if (t->tasks && !cpus)
		sums_grid_open(&lines->runq, end, column_rows(store_column(t->next, COL_POINT_TIME)));
	for (size_t i = 0; i < n; i++) {
		if (!work_tick(work, i))
			return fail_cancel(err);
		if (track_get(t->next, i, &track) && timeline_rows_is_wanted(cpus, &track) &&
		    !timeline_rows_add_track(t, lines, i, &track, end, work, err))
			return false;
		if (!cpus && track_get(t->next, i, &track) && timeline_rows_is_of_process(t->next, &track) &&
		    !timeline_rows_add_process(t, lines, i, &track, end, err))
			return false;
	}
	sums_grid_done(&lines->runq);
	for (uint32_t i = 1; sampled && i <= column_rows(store_column(t->next, COL_THREAD_TID)); i++)
		if (!work_go(work, i, err) || (sampled_track(t->next, i, &track) && !add_sampled(t, lines, &track, end, work, err)))
			return false;
	for (size_t i = 0; i < lines->n; i++) {
		l = &lines->at[i];
		if (l->of_process)
			continue;
		/* Scheduler switches are exact: ignore CPU tracks. */
		if (t->tasks)
			l->cpu_tracks = 0;
		if (l->cpu_tracks > 0)
			take_cpu(l);
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
timeline_make(struct timeline *t, struct work *work, struct err *err)
{
	tlines_free(&t->new);
	tlines_free(&t->new_other);
	work_start(work, "timeline", 0);
	return timeline_rows_add_lines(t, &t->new, t->at.cpus, work, err) &&
	    (t->at.cpus || !t->tasks || timeline_rows_add_lines(t, &t->new_other, true, work, err));
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
	sums_grid_free(&l->runq);
	idmap_free(&l->of_thread);
	*l = (struct tlines){ .at = NULL };
}

/* ---- their order --------------------------------------------------------- */

static uint64_t
line_value(const struct tline *l, enum line_order order)
{
	return order == ORDER_FILE ? 0 : order == ORDER_RUNQ ? l->runq : order == ORDER_WAIT ? l->gap : l->on;
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
		sum[t->lines.at[i].process] = num_add(sum[t->lines.at[i].process], line_value(&t->lines.at[i], order));
	for (size_t i = 0; i < t->lines.n; i++)
		t->lines.at[i].together = num_add(sum[t->lines.at[i].process], 1);
	free(sum);
}

/*
 * Sort by process if they are grouped, by weight, then by name; in file order (weight 0) by number.  Then come tracks of the process, then
 * folded (idle) lines.
 */
static int
timeline_rows_by_weight(const void *a, const void *b)
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
		qsort(t->lines.at, t->lines.n, sizeof *t->lines.at, timeline_rows_by_weight);
	for (t->lines.busy = 0; t->lines.busy < t->lines.n && !t->lines.at[t->lines.busy].folds; t->lines.busy++)
		busy += t->lines.at[t->lines.busy].on;
	for (size_t i = t->lines.busy; i < t->lines.n; i++)
		idle += t->lines.at[i].on;
	for (size_t i = 0, first = 0; i < t->lines.busy && t->lines.at[i].together != 0; i++) {
		first = t->lines.at[i].process == t->lines.at[first].process ? first : i;
		t->lines.at[first].of_group++;
	}
	t->lines.folds = t->lines.busy - t->lines.of_process >= 2 && t->lines.n - t->lines.busy >= 2 && (t->by_stacks || idle < busy);
}

void
timeline_modes(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	if (t->ready && t->lines.n > 0)
		buf_printf(b, "%s%s", timeline_groups(t) ? "by process and " : "by ", order_names[timeline_order(t)]);
}

void
timeline_refold(struct timeline *t)
{
	if (t->marks == mark_version(t->pane->ui))
		return;
	timeline_keep(t);
	timeline_sort(t);
	timeline_find_kept(t);
	total_free(&t->total[TOTAL_IDLE]);
}

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
	return row >= t->lines.n || (row == t->lines.busy && timeline_rows(t) < t->lines.n) ? NULL : &t->lines.at[row];
}

struct tline *
timeline_selected(const struct timeline *t)
{
	return timeline_line(t, (size_t)t->at.sel);
}

void
line_name(const struct tline *l, struct buf *b)
{
	buf_str(b, buf_view(&l->name));
}
