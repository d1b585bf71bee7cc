/*
 * timeline_pane: the timeline: a line for each thread, or for each CPU, over time.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "timeline.h"

enum { DRAW_NS = 3000000, NAME_LEAST = 6, NAME_MOST = 28, VALUE_W = 11, WIDE = 60 };

/* ---- on the worker ------------------------------------------------------- */

static bool
run(struct task *task, struct work *work, struct err *err)
{
	struct timeline	*t = (struct timeline *)task;

	if (!pass_want(t->next, COL_THREAD_TID, work, err))
		return false;
	if (load_shapes(t->next) & SHAPE_TASKS && !pass_want(t->next, COL_TASK_ON, work, err))
		return false;
	return lane_want(t->next, work, err) && timeline_make(t, work, err);
}

/* ---- back from it -------------------------------------------------------- */

/* From the first point of any line to the last. */
static void
set_extent(struct timeline *t)
{
	uint64_t	from, to;
	bool		all = !t->ready || (t->from == t->all_from && t->to == t->all_to);

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
	if (all) {
		t->from = t->all_from;
		t->to = t->all_to;
	}
	if (t->kept_to > t->kept_from && t->kept_from < t->all_to) {
		t->from = t->kept_from;
		t->to = t->kept_to < t->all_to ? t->kept_to : t->all_to;
	}
	t->kept_to = t->kept_from = 0;
	if (t->cursor < t->from || t->cursor >= t->to)
		t->cursor = t->from;
}

void
timeline_keep(struct timeline *t)
{
	if (t->sel >= t->lines.n)
		return;
	buf_clear(&t->kept);
	line_name(t, &t->lines.at[t->sel], &t->kept);
}

void
timeline_find_kept(struct timeline *t)
{
	struct buf	name = BUF_INIT;

	t->sel = 0;
	for (size_t i = 0; i < t->lines.n && t->kept.n > 0; i++) {
		buf_clear(&name);
		line_name(t, &t->lines.at[i], &name);
		if (str_eq(buf_view(&name), buf_view(&t->kept))) {
			t->sel = i;
			break;
		}
	}
	buf_free(&name);
}

static void
done(struct task *task, bool ok, const struct err *err)
{
	struct timeline	*t = (struct timeline *)task;

	if (!ok) {
		tlines_free(&t->new);
		snprintf(t->error, sizeof t->error, "%s",
		    err->kind == E_CANCEL ? "stopped; Enter goes on" : err->text);
		return;
	}
	t->error[0] = '\0';
	timeline_keep(t);
	tlines_free(&t->lines);
	t->st = t->next;
	t->lines = t->new;
	t->new = (struct tlines){ NULL, 0, 0 };
	timeline_sort(t);
	timeline_find_kept(t);
	set_extent(t);
	t->ready = true;
}

void
timeline_ask(struct timeline *t)
{
	if (t->task.given || t->next == NULL)
		return;
	task_give(t->pane->ui, &t->task);
}

/* ---- its lines ----------------------------------------------------------- */

static struct axis
axis_of(const struct timeline *t, int y)
{
	return (struct axis){ y, t->x, t->width, t->from, t->to };
}

/* Those that are drawn; true when the deadline came first. */
static bool
step_lanes(struct timeline *t, uint64_t deadline)
{
	size_t	i, h = t->pane->area.h > 1 ? (size_t)t->pane->area.h - 1 : 1;
	bool	more = false;

	for (i = t->top; i < t->lines.n && i < t->top + h; i++)
		more |= lane_step(&t->lines.at[i].lane, t->from, t->to, t->width, deadline);
	return more;
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw_line(const struct timeline *t, size_t i, struct area a)
{
	const struct tline *l = &t->lines.at[i];
	struct axis	axis = axis_of(t, a.y);
	uint64_t	cell = (t->to - t->from) / (uint64_t)t->width;
	struct buf	name = BUF_INIT;
	char		s[NUM_TEXT];
	bool		selected = i == t->sel;

	lane_draw(&l->lane, a.y, t->x, t->cursor, selected ? t->cursor + (cell > 0 ? cell : 1) : 0);
	if (selected)
		screen_cursor(a.y, t->x + axis_cell(&axis, t->cursor), false);
	line_name(t, l, &name);
	screen_name(a.y, a.x, t->x - a.x - 1, ROLE_NORMAL, selected ? LOOK_REVERSE : LOOK_PLAIN, buf_view(&name));
	buf_free(&name);
	if (t->x + t->width == a.x + a.w)
		return;
	num_show_duration(s, sizeof s, line_value(t, l));
	screen_puts(a.y, a.x + a.w - (int)strlen(s), (int)strlen(s), ROLE_NORMAL, LOOK_PLAIN, s);
}

/* True when the lines have another width than before. */
static bool
place(struct timeline *t, struct area a)
{
	int	left = a.w / 4, before = t->width;

	left = left < NAME_LEAST ? NAME_LEAST : left > NAME_MOST ? NAME_MOST : left;
	t->x = a.x + left;
	t->width = a.w - left - (a.w >= WIDE ? VALUE_W + 1 : 0);
	return t->width != before;
}

static void
draw(struct pane *p, struct area a)
{
	struct timeline	*t = p->data;
	struct axis	 axis;
	uint64_t	 states = 0;
	size_t		 i, h = a.h > 1 ? (size_t)a.h - 1 : 1;

	p->area = a;
	if (!t->ranging)
		t->ranged = look_ranged(p->ui, &t->range_from, &t->range_to);
	if (!t->ready || t->lines.n == 0 || t->error[0] != '\0') {
		screen_puts(a.y, a.x + 2, a.w - 2, ROLE_DIM, LOOK_PLAIN, t->error[0] != '\0' ? t->error :
		    !t->ready ? "working" : t->cpus ? "this file tells nothing of CPUs" :
		    "this file tells nothing of threads over time");
		return;
	}
	t->top = (size_t)key_scroll(t->top, t->sel, h);
	/* What step leaves undone is done before the next key; what is drawn for the first time is done now. */
	step_lanes(t, place(t, a) ? UINT64_MAX : os_now() + DRAW_NS);
	axis = axis_of(t, a.y);
	axis_rule(&axis);
	axis_ticks(&axis);
	if (t->ranging || t->ranged)
		axis_range(&axis, t->range_from, t->range_to);
	for (i = t->top; i < t->lines.n && i < t->top + h; i++) {
		draw_line(t, i, (struct area){ a.y + 1 + (int)(i - t->top), a.x, 1, a.w });
		states |= lane_states(&t->lines.at[i].lane);
	}
	i = 1 + t->lines.n - t->top;
	if (i < h)
		lane_legend(t->st, states, (struct area){ a.y + 1 + (int)i, a.x, a.h - 1 - (int)i, a.w });
}

/* ---- in words ------------------------------------------------------------ */

/* What it does where the cursor stands, and how long. */
static void
add_stretch(const struct timeline *t, struct tline *l, struct buf *b)
{
	uint64_t	row = lane_at(&l->lane, t->cursor), from, to;

	if (row == 0)
		return;
	lane_stretch(&l->lane, row, &from, &to);
	buf_str(b, STR("  "));
	lane_value(&l->lane, from, to, b);
	screen_number(b, " at ", num_show_duration, from);
	screen_number(b, " for ", num_show_duration, to - from);
}

static void
status(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	struct tline	*l = t->sel < t->lines.n ? &t->lines.at[t->sel] : NULL;
	struct buf	 name = BUF_INIT, rest = BUF_INIT;

	if (!t->ready || l == NULL)
		return;
	line_name(t, l, &name);
	add_stretch(t, l, &rest);
	screen_number(&rest, t->cpus ? "  busy " : "  cpu ", num_show_duration, l->on);
	screen_number(&rest, t->cpus ? "  idle " : "  off ", num_show_duration, l->off);
	if (l->gap > 0) {
		screen_number(&rest, "  longest gap ", num_show_duration, l->gap);
		screen_number(&rest, " at ", num_show_duration, l->gap_at);
	}
	screen_pair(b, &name, &rest, (size_t)p->area.w);
}

static void
path(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	if (!t->ready)
		return;
	buf_printf(b, "%zu %s", t->lines.n, t->cpus ? "CPUs" : t->lines.n == 1 ? "thread" : "threads");
	screen_fit(b, str_of(glyph(GLYPH_INTO)));
	screen_number(b, "", num_show_duration, t->from);
	screen_number(b, " to ", num_show_duration, t->to);
	screen_number(b, " (", num_show_duration, t->to - t->from);
	buf_str(b, STR(")"));
	if (!t->ranging && !t->ranged)
		return;
	screen_number(b, t->ranging ? "  range so far " : "  range ", num_show_duration, t->range_from);
	screen_number(b, " to ", num_show_duration, t->range_to);
}

static void
modes(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	buf_printf(b, "%s, %s", t->cpus ? "CPUs" : "threads", order_names[t->order]);
}

/* ---- the pane ------------------------------------------------------------ */

static bool
fits(const struct ui *ui)
{
	const struct store *st = ui_store(ui);

	return ui_shapes(ui) & SHAPE_TASKS || store_column(st, COL_TRACK_KIND) != NULL ||
	    (trace_has_clock(st, CLOCK_WALL) && trace_has_clock(st, CLOCK_CPU));
}

static void
forget(struct pane *p)
{
	struct timeline	*t = p->data;

	task_drop(&t->task);
	if (t->ready) {
		timeline_keep(t);
		if (t->from != t->all_from || t->to != t->all_to) {
			t->kept_from = t->from;
			t->kept_to = t->to;
		}
	}
	tlines_free(&t->lines);
	tlines_free(&t->new);
	t->st = t->next = NULL;
	t->ready = t->ranging = t->ranged = false;
}

/* Until the lines of the other file are ready, those that are shown stay. */
static void
reset(struct pane *p)
{
	struct timeline	*t = p->data;
	struct store	*st = ui_file(p->ui);

	if (t->ready && t->st == st)
		return;
	if (t->next != st)
		task_drop(&t->task);
	t->next = st;
	timeline_ask(t);
}

static void
begin(struct pane *p)
{
	struct timeline	*t = p->data;

	t->pane = p;
}

static void
pane_close(struct pane *p)
{
	struct timeline	*t = p->data;

	forget(p);
	buf_free(&t->kept);
}

static bool
step(struct pane *p, uint64_t deadline)
{
	struct timeline	*t = p->data;

	return t->ready && t->width > 0 && step_lanes(t, deadline);
}

/* ---- from other panes ------------------------------------------------------ */

static bool
go(struct pane *p, const struct visit *v)
{
	struct timeline	*t = p->data;

	if (t->task.given)
		return false;
	forget(p);
	t->cpus = true;
	buf_clear(&t->kept);
	buf_printf(&t->kept, "CPU %u", v->id);
	p->stale = true;
	return true;
}

/* ---- its query ------------------------------------------------------------- */

static void
text(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	if (t->cpus)
		buf_str(b, STR("cpus"));
	else if (ui_shapes(p->ui) & SHAPE_TASKS)
		buf_printf(b, "tasks | sort %s", t->order == ORDER_GAP ? "-max_gap" :
		    t->order == ORDER_OFF ? "-off" : t->order == ORDER_CPU ? "-on" : "id");
	else
		buf_str(b, STR("tracks"));
}

const struct pane_kind pane_timeline = {
	"Timeline", "tracks", SHAPE_TRACKS | SHAPE_TASKS | SHAPE_CALLS, IN_TIMELINE, sizeof(struct timeline),
	.plain = true, .fits = fits, .places = 1 << PLACE_CPU,
	.run = run, .done = done, .begin = begin, .close = pane_close, .reset = reset, .forget = forget,
	.step = step,
	.draw = draw, .path = path, .modes = modes, .status = status,
	.act = timeline_act, .find = timeline_find, .go = go, .text = text
};
