/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_pane: the Timeline pane: a line per thread or CPU, over time.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/keys.h"
#include "timeline.h"

enum { DRAW_NS = 3000000, NAME_ENOUGH = 24, INDENT = 2, INDENTED_W = 60 };

/* ---- results of the worker ----------------------------------------------- */

/* Compute the extent of all lines: first to last point. */
static void
timeline_pane_set_extent(struct timeline *t)
{
	uint64_t	from, to;
	bool		all = !t->ready || !axis_zoomed(&t->axis);

	t->axis.all_from = UINT64_MAX;
	t->axis.all_to = 0;
	for (size_t i = 0; i < t->lines.n; i++) {
		lane_stretch(&t->lines.at[i].lane, lane_at(&t->lines.at[i].lane, 0), &from, &to);
		axis_extend(&t->axis, from, lane_end(&t->lines.at[i].lane));
	}
	axis_extended(&t->axis);
	if (all)
		axis_all(&t->axis);
	if (t->kept_to > t->kept_from && t->kept_from < t->axis.all_to) {
		t->axis.from = t->kept_from;
		t->axis.to = t->kept_to < t->axis.all_to ? t->kept_to : t->axis.all_to;
	}
	t->kept_to = t->kept_from = 0;
	t->at.cursor = t->at.cursor < t->axis.from || t->at.cursor >= t->axis.to ? t->axis.from :
	    t->at.cursor;
}

static void
forget_cells(struct timeline *t)
{
	for (size_t i = 0; i < TOTALS; i++)
		total_free(&t->total[i]);
}

static void
timeline_pane_done(struct task *task, bool ok, const struct err *err)
{
	struct timeline	*t = (struct timeline *)task;

	if (!ok) {
		tlines_free(&t->new);
		tlines_free(&t->new_other);
		task_why(err, t->error, sizeof t->error);
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
}

/* ---- its lines ----------------------------------------------------------- */

/* Return the number of total rows at the top (CPU use, run queue), which cannot be selected. */
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
	screen_puts(y, t->axis.x + t->axis.w + ((int)column + 1) * t->value_w - w, w, role, LOOK_PLAIN, s);
}

static void
put_values(const struct timeline *t, const struct tline *l, struct area a, enum role role)
{
	const struct line_column *v;
	char		s[NUM_TEXT];

	for (size_t k = 0, n = line_values(t, a.w, &v); k < n; k++) {
		line_show(&v[k], l, t, s);
		put_right(t, a.y, k, role, s);
	}
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw_name(const struct timeline *t, struct area a, bool selected, struct str name)
{
	screen_thread(a.y, a.x + INDENT, t->axis.x - a.x - INDENT - 1, ROLE_NORMAL, selected ?
	    LOOK_REVERSE : LOOK_PLAIN, name);
}

/* Draw a track of the process, and its value in the window. */
static void
draw_process(const struct timeline *t, struct tline *l, bool selected, struct area a)
{
	struct buf	value = BUF_INIT;
	const struct line_column *v;

	lane_draw(&l->lane, a.y, t->axis.x, selected ? t->at.cursor : 0, selected ? t->at.cursor + 1 : 0);
	draw_name(t, a, selected, buf_view(&l->name));
	lane_value(&l->lane, t->axis.from, t->axis.to, &value);
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
	struct buf	name = BUF_INIT;
	bool		selected = i == t->at.sel;
	int		at = axis_cell(&t->axis, t->at.cursor);

	if (l == NULL)
		buf_printf(&name, "+%zu idle %s", t->lines.n - t->lines.busy, t->tasks ? "tasks" : "threads");
	else
		line_name(l, &name);
	cells_draw(cells, a.y, t->axis.x, selected ? at : 0, selected ? at + 1 : 0);
	if (selected)
		screen_cursor(a.y, t->axis.x + at, false);
	draw_name(t, timeline_groups_of(t, i) > 1 && a.w >= INDENTED_W ? (struct area){ a.y, a.x + INDENT, 1, a.w } :
	    a, selected, buf_view(&name));
	buf_free(&name);
	put_values(t, &all, a, ROLE_NORMAL);
}

/* Draw the heading of a process: its name, its id, how many threads follow, and their sums. */
static void
draw_heading(const struct timeline *t, size_t first, struct area a)
{
	const struct tline *l = &t->lines.at[first], all = timeline_sum(t, first, l->of_group);
	struct buf	b = BUF_INIT;

	process_heading(t->st, l->process, &b);
	buf_printf(&b, " %s %zu", glyph(GLYPH_TIMES), l->of_group);
	screen_thread(a.y, a.x, t->axis.x + t->axis.w - a.x, ROLE_DIM, LOOK_BOLD, buf_view(&b));
	buf_free(&b);
	put_values(t, &all, a, ROLE_DIM);
}

/* Draw the totals of all CPUs and all tasks, in the shown window. */
static void
draw_heads(const struct timeline *t, struct area a)
{
	const struct total *use = &t->total[TOTAL_USE], *waiting = &t->total[TOTAL_RUNNABLE];
	double window = (double)(t->axis.to - t->axis.from), cpus = (double)(t->other.n > 0 ? t->other.n :
	    1), most;
	char s[NUM_TEXT];

	draw_name(t, a, false, STR("CPU use"));
	cells_draw(&use->cells, a.y, t->axis.x, 0, 0);
	draw_name(t, (struct area){ a.y + 1, a.x, 1, a.w }, false, STR("run queue"));
	cells_draw(&waiting->cells, a.y + 1, t->axis.x, 0, 0);
	if (t->axis.x + t->axis.w + t->value_w > a.x + a.w || use->cells.done < use->cells.width)
		return;
	snprintf(s, sizeof s, "%.0f%%", 100 * (double)use->all / window / cpus);
	put_right(t, a.y, 0, ROLE_NORMAL, s);
	if (waiting->cells.done < waiting->cells.width)
		return;
	most = (double)waiting->most / (window / (double)t->axis.w);
	snprintf(s, sizeof s, most > 0 && most < 0.05 ? "<0.1 max" : "%.1f max", most);
	put_right(t, a.y + 1, 0, ROLE_NORMAL, s);
}

/* True if the lines have changed their width. */
static bool
timeline_pane_place(struct timeline *t, struct area a)
{
	const struct line_column *v;
	int	left = a.w / 4, names = (int)t->lines.name_w + INDENT + 1, before = t->axis.w, least;

	/* Long names get up to a quarter of a wide screen, and enough of a narrow one. */
	least = names < NAMES_NARROW ? names : NAMES_NARROW;
	names = names < NAME_ENOUGH ? NAME_ENOUGH : names;
	left = left < least ? least : left > names ? names : left;
	t->axis.x = a.x + left;
	t->axis.w = a.w - left - t->value_w * (int)line_values(t, a.w, &v);
	return t->axis.w != before;
}

static void
draw_axis(struct timeline *t, struct area a)
{
	const struct line_column *v;

	t->axis.y = a.y;
	axis_rule(&t->axis);
	axis_ticks(&t->axis, t->pane->ui);
	for (size_t k = 0, n = line_values(t, a.w, &v); k < n; k++)
		put_right(t, a.y, k, ROLE_DIM, v[k].name);
}

static void
timeline_pane_draw(struct pane *p, struct area a)
{
	struct timeline	*t = p->data;
	struct tline	*l;
	size_t		 i, h, n;
	int		 y = a.y + 1, end;

	if (t->lines.n == 0 || t->error[0] != '\0') {
		screen_hint(a, t->error[0] != '\0' ? t->error :
		    !t->ready ? "working" : t->at.cpus ? "no CPU data in this file" :
		    "no thread states in this file");
		return;
	}
	h = rows_high(t);
	n = timeline_rows(t);
	timeline_groups_scroll(t, rows_high(t));
	/* At a new width compute all cells now; otherwise at most DRAW_NS, the others before the next key. */
	step_rows(t, timeline_pane_place(t, a) ? UINT64_MAX : os_now() + DRAW_NS);
	draw_axis(t, a);
	if (heads(t) > 0)
		draw_heads(t, (struct area){ y, a.x, 1, a.w });
	y += (int)heads(t);
	spot_add(&(struct spot){ { y, a.x, (int)h, a.w }, .click = timeline_click, .who = t,
	    .enters = true });
	end = y + (int)h;
	for (i = t->at.top; i < n && y < end; i++, y++) {
		if (timeline_groups_heads(t, i) > 0 && y + 1 < end)
			draw_heading(t, timeline_groups_first(t, i), (struct area){ y++, a.x, 1, a.w });
		if ((l = timeline_line(t, i)) != NULL && l->of_process)
			draw_process(t, l, i == t->at.sel, (struct area){ y, a.x, 1, a.w });
		else
			timeline_pane_draw_line(t, i, (struct area){ y, a.x, 1, a.w });
	}
	axis_fade(&t->axis, a.y + 1, y - a.y - 1);
	if (y + 1 < a.y + a.h)
		marks_legend(t, (struct area){ y + 1, a.x, a.y + a.h - y - 1, a.w });
}

static void
timeline_pane_drag(struct pane *p, int from, int to, bool end)
{
	struct timeline	*t = p->data;

	if (t->ready && t->axis.w > 0)
		axis_drag(&t->axis, p->ui, from, to, end);
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
	if (t->ready && axis_zoomed(&t->axis)) {
		t->kept_from = t->axis.from;
		t->kept_to = t->axis.to;
	}
	tlines_free(&t->lines);
	tlines_free(&t->other);
	tlines_free(&t->new);
	tlines_free(&t->new_other);
	forget_cells(t);
	t->st = t->next = NULL;
	t->ready = t->axis.mark.open = false;
}

/* Fold again if the marked threads changed. */
static void
refold(struct timeline *t)
{
	if (t->marks == mark_version(t->pane->ui))
		return;
	timeline_keep(t);
	timeline_sort(t);
	timeline_find_kept(t);
	total_free(&t->total[TOTAL_IDLE]);
}

/* Switch to another file; until its lines are ready, the pane shows the old ones. */
static void
timeline_pane_reset(struct pane *p)
{
	struct timeline	*t = p->data;
	struct store	*st = ui_file(p->ui);

	if (t->ready && t->st == st) {
		refold(t);
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
timeline_pane_close(struct pane *p)
{
	struct timeline	*t = p->data;

	timeline_pane_forget(p);
	buf_free(&t->kept);
}

/* The values of the lines are those of the range. */
static void
timeline_pane_follow(struct pane *p)
{
	struct timeline	*t = p->data;

	if (!t->ready)
		return;
	axis_follow(&t->axis, p);
	if (!t->task.given && (t->part.from != t->axis.range.from || t->part.to != t->axis.range.to))
		timeline_ask(t);
}

static bool
timeline_pane_step(struct pane *p, uint64_t deadline)
{
	struct timeline	*t = p->data;

	return t->ready && t->axis.w > 0 && step_rows(t, deadline);
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
		    order == ORDER_RUNQ ? "-run_queue" : order == ORDER_CPU ? "-cpu" : "id");
	else
		buf_str(b, (ui_shapes(p->ui) & SHAPE_TRACKS) != 0 ? STR("tracks") : STR("threads"));
}

/* Keys wait for the first rows. */
static bool
timeline_busy(struct pane *p)
{
	const struct timeline *t = p->data;

	return !t->ready && t->task.given;
}

const struct pane_kind pane_timeline = {
	"Timeline", "tracks", SHAPE_TRACKS | SHAPE_TASKS | SHAPE_CALLS | SHAPE_SAMPLES, IN_TIMELINE,
	    sizeof(struct timeline),
	.plain = true, .fits = timeline_pane_fits, .places =
	1 << PLACE_CPU | 1 << PLACE_WINDOW | 1 << PLACE_LINE,
	.run = timeline_run, .done = timeline_pane_done,
	.on = {
		[PANE_BEGINS] = timeline_pane_begin, [PANE_CLOSES] = timeline_pane_close,
		    [PANE_RESET] = timeline_pane_reset,
		[PANE_FORGETS] = timeline_pane_forget, [PANE_FOLLOWS] = timeline_pane_follow
	},
	.tell = {
		[TELL_PATH] = timeline_path, [TELL_STRIP] = timeline_strip, [TELL_MODES] = timeline_modes,
		    [TELL_STATUS] = timeline_status,
		[TELL_QUERY] = timeline_pane_text, [TELL_SUBJECT] = timeline_subject
	},
	.step = timeline_pane_step, .draw = timeline_pane_draw, .busy = timeline_busy, .act = timeline_act,
	.find = timeline_find,
	.go = timeline_pane_go, .drag = timeline_pane_drag,
	.place = &timeline_places, .details = timeline_details, .legend = timeline_legend_items
};
