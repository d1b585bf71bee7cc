/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_pane: the Timeline pane: a line per thread or CPU, over time.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/keys.h"
#include "timeline.h"

enum { DRAW_NS = 3000000, NAME_LEAST = 8, NAME_ENOUGH = 24, INDENT = 2 };

/* ---- on the worker ------------------------------------------------------- */

static bool
timeline_pane_run(struct task *task, struct work *work, struct err *err)
{
	struct timeline	*t = (struct timeline *)task;

	if (!pass_want(t->next, t->by_stacks ? COL_THREAD_IDLE : COL_THREAD_TID, work, err))
		return false;
	if (load_shapes(t->next) & SHAPE_TASKS && !pass_want(t->next, COL_TASK_ON, work, err))
		return false;
	return lane_want(t->next, work, err) && timeline_make(t, work, err);
}

/* ---- results of the worker ----------------------------------------------- */

/* Compute the extent of all lines: first to last point. */
static void
timeline_pane_set_extent(struct timeline *t)
{
	uint64_t	from, to;
	bool		all = !t->ready || (t->at.from == t->all_from && t->at.to == t->all_to);

	t->all_from = UINT64_MAX;
	t->all_to = 0;
	for (size_t i = 0; i < t->lines.n; i++) {
		lane_stretch(&t->lines.at[i].lane, lane_at(&t->lines.at[i].lane, 0), &from, &to);
		to = lane_end(&t->lines.at[i].lane);
		t->all_from = from < t->all_from ? from : t->all_from;
		t->all_to = to > t->all_to ? to : t->all_to;
	}
	if (t->all_from >= t->all_to)
		t->all_to = (t->all_from = t->all_from == UINT64_MAX ? 0 : t->all_from) + 1;
	if (all)
		timeline_window(t, t->all_from, t->all_to);
	if (t->kept_to > t->kept_from && t->kept_from < t->all_to) {
		t->at.from = t->kept_from;
		t->at.to = t->kept_to < t->all_to ? t->kept_to : t->all_to;
	}
	t->kept_to = t->kept_from = 0;
	t->at.cursor = t->at.cursor < t->at.from || t->at.cursor >= t->at.to ? t->at.from : t->at.cursor;
}

static void
forget_cells(struct timeline *t)
{
	for (size_t i = 0; i < TOTALS; i++)
		total_free(&t->total[i]);
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
			t->at.unfolded = t->at.unfolded || i >= timeline_rows(t) || timeline_line(t, i) == NULL;
			t->at.sel = i;
			break;
		}
}

static void
timeline_pane_done(struct task *task, bool ok, const struct err *err)
{
	struct timeline	*t = (struct timeline *)task;

	if (!ok) {
		tlines_free(&t->new);
		tlines_free(&t->new_other);
		snprintf(t->error, sizeof t->error, "%s",
		    err->kind == E_CANCEL ? "stopped; Enter resumes" : err->text);
		return;
	}
	t->error[0] = '\0';
	timeline_keep(t);
	tlines_free(&t->lines);
	tlines_free(&t->other);
	forget_cells(t);
	t->st = t->next;
	t->lines = t->new;
	t->other = t->new_other;
	t->new = t->new_other = (struct tlines){ .at = NULL };
	t->longest.length = 0;
	timeline_sort(t);
	timeline_find_kept(t);
	timeline_pane_set_extent(t);
	t->value_w = timeline_values_width(t);
	t->ready = true;
	timeline_arrive(t);
}

void
timeline_ask(struct timeline *t)
{
	if (t->next != NULL)
		task_give(t->pane->ui, &t->task);
}

/* ---- its lines ----------------------------------------------------------- */

static struct axis
axis_of(const struct timeline *t, int y)
{
	return (struct axis){ y, t->x, t->width, t->at.from, t->at.to };
}

/* Return the number of total rows at the top (CPU use, runnable), which cannot be selected. */
static size_t
heads(const struct timeline *t)
{
	return t->tasks && !t->at.cpus && t->pane->area.h > 8 ? 2 : 0;
}

static size_t
rows_high(const struct timeline *t)
{
	size_t	h = t->pane->area.h > 0 ? (size_t)t->pane->area.h : 1;

	return h > 1 + heads(t) ? h - 1 - heads(t) : 1;
}

static bool
step_rows(struct timeline *t, uint64_t deadline)
{
	return timeline_step(t, t->at.top, t->at.top + rows_high(t), deadline);
}

static void
put_right(const struct timeline *t, int y, size_t column, enum role role, const char *s)
{
	int w = (int)strlen(s);

	w = w < t->value_w ? w : t->value_w - 1;
	screen_puts(y, t->x + t->width + ((int)column + 1) * t->value_w - w, w, role, LOOK_PLAIN, s);
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw_name(const struct timeline *t, struct area a, bool selected, struct str name)
{
	screen_thread(a.y, a.x + INDENT, t->x - a.x - INDENT - 1, ROLE_NORMAL, selected ? LOOK_REVERSE : LOOK_PLAIN, name);
}

/* Draw a track of the process, and its value in the window. */
static void
draw_process(const struct timeline *t, struct tline *l, bool selected, struct area a)
{
	struct buf	value = BUF_INIT;
	const struct line_column *v;

	lane_draw(&l->lane, a.y, t->x, selected ? t->at.cursor : 0, selected ? t->at.cursor + 1 : 0);
	draw_name(t, a, selected, buf_view(&l->name));
	lane_value(&l->lane, t->at.from, t->at.to, &value);
	if (value.n > 0 && line_values(t, a.w, &v) > 0)
		put_right(t, a.y, 0, ROLE_NORMAL, value.s);
	buf_free(&value);
}

static void
timeline_pane_draw_line(const struct timeline *t, size_t i, struct area a)
{
	const struct tline *l = timeline_line(t, i);
	const struct tline all = l == NULL ? timeline_sum(t, t->lines.busy, t->lines.n - t->lines.busy) : *l;
	const struct cells *cells = l == NULL ? &t->total[TOTAL_IDLE].cells : &l->cells;
	struct axis	axis = axis_of(t, a.y);
	const struct line_column *v;
	size_t		n = line_values(t, a.w, &v);
	struct buf	name = BUF_INIT;
	char		s[NUM_TEXT];
	bool		selected = i == t->at.sel;
	int		at = axis_cell(&axis, t->at.cursor);

	if (l == NULL)
		buf_printf(&name, "+%zu idle %s", t->lines.n - t->lines.busy, t->tasks ? "tasks" : "threads");
	else
		line_name(l, &name);
	cells_draw(cells, a.y, t->x, selected ? at : 0, selected ? at + 1 : 0);
	if (selected)
		screen_cursor(a.y, t->x + at, false);
	draw_name(t, timeline_groups_of(t, i) > 1 ? (struct area){ a.y, a.x + INDENT, 1, a.w } : a, selected, buf_view(&name));
	buf_free(&name);
	for (size_t k = 0; k < n; k++) {
		line_show(&v[k], &all, t, s);
		put_right(t, a.y, k, ROLE_NORMAL, s);
	}
}

/* Draw the heading of a process: its name, its id, how many threads follow, and their sums. */
static void
draw_heading(const struct timeline *t, size_t first, struct area a)
{
	const struct tline *l = &t->lines.at[first], all = timeline_sum(t, first, l->of_group);
	struct str	name = process_name(t->st, l->process),
			pid = word_text(t->st, (uint32_t)store_cell(t->st, COL_PROCESS_PID, l->process));
	const struct line_column *v;
	struct buf	b = BUF_INIT;
	char		s[NUM_TEXT];

	if (l->process == 0)
		buf_str(&b, STR("process unknown"));
	else
		buf_str(&b, name);
	if (pid.n > 0 && !str_eq(name, pid)) {
		buf_chr(&b, ' ');
		buf_str(&b, pid);
	}
	buf_printf(&b, " %s %zu", glyph(GLYPH_TIMES), l->of_group);
	screen_thread(a.y, a.x, t->x + t->width - a.x, ROLE_DIM, LOOK_BOLD, buf_view(&b));
	buf_free(&b);
	for (size_t k = 0, n = line_values(t, a.w, &v); k < n; k++) {
		line_show(&v[k], &all, t, s);
		put_right(t, a.y, k, ROLE_DIM, s);
	}
}

/* Draw the totals of all CPUs and all tasks, in the shown window. */
static void
draw_heads(const struct timeline *t, struct area a)
{
	const struct total *use = &t->total[TOTAL_USE], *waiting = &t->total[TOTAL_RUNNABLE];
	double window = (double)(t->at.to - t->at.from), cpus = (double)(t->other.n > 0 ? t->other.n : 1), most;
	char s[NUM_TEXT];

	draw_name(t, a, false, STR("CPU use"));
	cells_draw(&use->cells, a.y, t->x, 0, 0);
	draw_name(t, (struct area){ a.y + 1, a.x, 1, a.w }, false, STR("runnable"));
	cells_draw(&waiting->cells, a.y + 1, t->x, 0, 0);
	if (t->x + t->width + t->value_w > a.x + a.w || use->cells.done < use->cells.width)
		return;
	snprintf(s, sizeof s, "%.0f%%", 100 * (double)use->all / window / cpus);
	put_right(t, a.y, 0, ROLE_NORMAL, s);
	if (waiting->cells.done < waiting->cells.width)
		return;
	most = (double)waiting->most / (window / (double)t->width);
	snprintf(s, sizeof s, most > 0 && most < 0.05 ? "<0.1 max" : "%.1f max", most);
	put_right(t, a.y + 1, 0, ROLE_NORMAL, s);
}

/* True if the lines have changed their width. */
static bool
timeline_pane_place(struct timeline *t, struct area a)
{
	const struct line_column *v;
	int	left = a.w / 4, names = (int)t->lines.name_w + INDENT + 1, before = t->width;

	/* Long names get up to a quarter of a wide screen. */
	names = names < NAME_ENOUGH ? NAME_ENOUGH : names;
	left = left < NAME_LEAST ? NAME_LEAST : left > names ? names : left;
	t->x = a.x + left;
	t->width = a.w - left - t->value_w * (int)line_values(t, a.w, &v);
	return t->width != before;
}

static void
timeline_pane_draw_axis(const struct timeline *t, struct area a)
{
	struct axis	 axis = axis_of(t, a.y);
	const struct line_column *v;
	size_t		 n = line_values(t, a.w, &v);
	uint64_t	 from, to;

	axis_rule(&axis);
	axis_ticks(&axis);
	if (marking_shown(&t->mark, t->pane->ui, &from, &to))
		axis_range(&axis, from, to);
	for (size_t k = 0; k < n; k++)
		put_right(t, a.y, k, ROLE_DIM, v[k].name);
}

static void
timeline_pane_draw(struct pane *p, struct area a)
{
	struct timeline	*t = p->data;
	struct tline	*l;
	size_t		 i, h, n;
	int		 y = a.y + 1, end;

	p->area = a;
	if (!t->ready || t->lines.n == 0 || t->error[0] != '\0') {
		screen_puts(a.y, a.x + 2, a.w - 2, ROLE_DIM, LOOK_PLAIN, t->error[0] != '\0' ? t->error :
		    !t->ready ? "working" : t->at.cpus ? "no CPU data in this file" : "no thread states in this file");
		return;
	}
	h = rows_high(t);
	n = timeline_rows(t);
	timeline_groups_scroll(t, rows_high(t));
	/* At a new width compute all cells now; otherwise at most DRAW_NS, the others before the next key. */
	step_rows(t, timeline_pane_place(t, a) ? UINT64_MAX : os_now() + DRAW_NS);
	timeline_pane_draw_axis(t, a);
	if (heads(t) > 0)
		draw_heads(t, (struct area){ y, a.x, 1, a.w });
	y += (int)heads(t);
	spot_add(&(struct spot){ { y, 0, (int)h, a.x + a.w }, .click = timeline_click, .who = t, .enters = true });
	end = y + (int)h;
	for (i = t->at.top; i < n && y < end; i++, y++) {
		if (timeline_groups_heads(t, i) > 0 && y + 1 < end)
			draw_heading(t, timeline_groups_first(t, i), (struct area){ y++, a.x, 1, a.w });
		if ((l = timeline_line(t, i)) != NULL && l->of_process)
			draw_process(t, l, i == t->at.sel, (struct area){ y, a.x, 1, a.w });
		else
			timeline_pane_draw_line(t, i, (struct area){ y, a.x, 1, a.w });
	}
	if (y + 1 < a.y + a.h)
		marks_legend(t, (struct area){ y + 1, a.x, a.y + a.h - y - 1, a.w });
}

static void
timeline_pane_drag(struct pane *p, int from, int to, bool end)
{
	struct timeline	*t = p->data;
	struct axis	 a = axis_of(t, 0);

	if (t->ready && t->width > 0)
		marking_drag(&t->mark, p->ui, &a, from, to, end);
}

/* ---- the pane ------------------------------------------------------------ */

/* The pane needs tracks of threads or CPUs, or calls with both clocks, from which they are made. */
static bool
timeline_pane_fits(const struct ui *ui)
{
	const struct store *st = ui_store(ui);

	return ui_shapes(ui) & SHAPE_TASKS || timeline_has_lines(st) ||
	    (trace_has_clock(st, CLOCK_WALL) && trace_has_clock(st, CLOCK_CPU));
}

static void
timeline_pane_forget(struct pane *p)
{
	struct timeline	*t = p->data;

	task_drop(&t->task);
	timeline_keep(t);
	if (t->ready && (t->at.from != t->all_from || t->at.to != t->all_to)) {
		t->kept_from = t->at.from;
		t->kept_to = t->at.to;
	}
	tlines_free(&t->lines);
	tlines_free(&t->other);
	tlines_free(&t->new);
	tlines_free(&t->new_other);
	forget_cells(t);
	t->st = t->next = NULL;
	t->ready = t->mark.open = false;
}

/* Switch to another file; until its lines are ready, the pane shows the old ones. */
static void
timeline_pane_reset(struct pane *p)
{
	struct timeline	*t = p->data;
	struct store	*st = ui_file(p->ui);

	if (t->ready && t->st == st) {
		timeline_refold(t);
		return;
	}
	if (t->next != st) {
		task_drop(&t->task);
		t->next = st;
		t->tasks = (ui_shapes(p->ui) & SHAPE_TASKS) != 0;
		t->by_stacks = trace_has_idle(st);
	}
	timeline_ask(t);
}

static void
timeline_pane_begin(struct pane *p)
{
	struct timeline	*t = p->data;

	t->pane = p;
	t->at.unfolded = ui_options(p->ui)->idle_shown;
}

static void
timeline_pane_pane_close(struct pane *p)
{
	struct timeline	*t = p->data;

	timeline_pane_forget(p);
	buf_free(&t->kept);
}

static bool
timeline_pane_step(struct pane *p, uint64_t deadline)
{
	struct timeline	*t = p->data;

	return t->ready && t->width > 0 && step_rows(t, deadline);
}

/* ---- navigation from other panes ------------------------------------------- */

static bool
timeline_pane_go(struct pane *p, const struct visit *v)
{
	struct timeline	*t = p->data;

	if (v->to == PLACE_LINE) {
		buf_clear(&t->kept);
		buf_str(&t->kept, v->about);
		if (t->ready)
			timeline_find_kept(t);
		return true;
	}
	if (t->task.given)
		return false;
	if (v->to == PLACE_WINDOW)
		return timeline_go_window(t, v->from, v->until);
	timeline_pane_forget(p);
	t->at.cpus = true;
	buf_clear(&t->kept);
	buf_printf(&t->kept, "CPU %u", v->id);
	p->stale = true;
	return true;
}

/* ---- its query ------------------------------------------------------------- */

static void
timeline_pane_text(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	enum line_order	 order = timeline_order(t);

	if (t->at.cpus)
		buf_str(b, STR("cpus"));
	else if (ui_shapes(p->ui) & SHAPE_TASKS)
		buf_printf(b, "tasks | sort %s", order == ORDER_WAIT ? "-max_wait" :
		    order == ORDER_RUNQ ? "-runq" : order == ORDER_CPU ? "-cpu" : "id");
	else
		buf_str(b, (ui_shapes(p->ui) & SHAPE_TRACKS) != 0 ? STR("tracks") : STR("threads"));
}

const struct pane_kind pane_timeline = {
	"Timeline", "tracks", SHAPE_TRACKS | SHAPE_TASKS | SHAPE_CALLS | SHAPE_SAMPLES, IN_TIMELINE, sizeof(struct timeline),
	.plain = true, .fits = timeline_pane_fits, .places = 1 << PLACE_CPU | 1 << PLACE_WINDOW | 1 << PLACE_LINE,
	.run = timeline_pane_run, .done = timeline_pane_done,
	.on = {
		[PANE_BEGINS] = timeline_pane_begin, [PANE_CLOSES] = timeline_pane_pane_close, [PANE_RESET] = timeline_pane_reset,
		[PANE_FORGETS] = timeline_pane_forget
	},
	.tell = {
		[TELL_PATH] = timeline_path, [TELL_STRIP] = timeline_strip, [TELL_MODES] = timeline_modes, [TELL_STATUS] = timeline_status,
		[TELL_QUERY] = timeline_pane_text, [TELL_SUBJECT] = timeline_subject, [TELL_PLACE] = timeline_tell, [TELL_MARK] = timeline_mark
	},
	.step = timeline_pane_step, .draw = timeline_pane_draw, .act = timeline_act, .find = timeline_find,
	.go = timeline_pane_go, .drag = timeline_pane_drag,
	.put = timeline_put, .recall = timeline_recall, .details = timeline_details, .legend = timeline_legend_items
};
