/*
 * timeline_draw: the timeline as it is drawn and told.
 */
#include "config.h"

#include <string.h>

#include "timeline.h"

enum { DRAW_NS = 3000000, NAME_LEAST = 6, NAME_MOST = 28, VALUE_W = 11, WIDE = 60 };

static struct axis
axis_of(const struct timeline *t, int y)
{
	return (struct axis){ y, t->x, t->width, t->from, t->to };
}

/* Those that are drawn; true when the deadline came first. */
bool
timeline_step(struct timeline *t, uint64_t deadline)
{
	size_t	i, h = t->pane->area.h > 1 ? (size_t)t->pane->area.h - 1 : 1;
	bool	more = false;

	for (i = t->top; i < t->n && i < t->top + h; i++)
		more |= lane_step(&t->line[i].lane, t->from, t->to, t->width, deadline);
	return more;
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw_name(const struct timeline *t, const struct tline *l, bool selected, struct area a)
{
	struct buf	name = BUF_INIT;

	line_name(t, l, &name);
	screen_name(a.y, a.x, t->x - a.x - 1, ROLE_NORMAL, selected ? LOOK_REVERSE : LOOK_PLAIN, buf_view(&name));
	buf_free(&name);
}

static void
draw_line(const struct timeline *t, size_t i, struct area a)
{
	const struct tline *l = &t->line[i];
	struct axis	axis = axis_of(t, a.y);
	uint64_t	cell = (t->to - t->from) / (uint64_t)t->width;
	char		s[NUM_TEXT];
	bool		selected = i == t->sel;

	lane_draw(&l->lane, a.y, t->x, t->cursor, selected ? t->cursor + (cell > 0 ? cell : 1) : 0);
	if (selected)
		screen_cursor(a.y, t->x + axis_cell(&axis, t->cursor), false);
	draw_name(t, l, selected, a);
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

void
timeline_draw(struct pane *p, struct area a)
{
	struct timeline	*t = p->data;
	struct axis	 axis;
	uint64_t	 states = 0;
	size_t		 i, h = a.h > 1 ? (size_t)a.h - 1 : 1;

	p->area = a;
	if (!t->ranging)
		t->ranged = look_ranged(p->ui, &t->range_from, &t->range_to);
	if (!t->ready || t->n == 0 || t->error[0] != '\0') {
		screen_puts(a.y, a.x + 2, a.w - 2, ROLE_DIM, LOOK_PLAIN, t->error[0] != '\0' ? t->error :
		    !t->ready ? "working" : t->cpus ? "this file tells nothing of CPUs" :
		    "this file tells nothing of threads over time");
		return;
	}
	t->top = (size_t)key_scroll(t->top, t->sel, h);
	/* What step leaves undone is done before the next key; what is drawn for the first time is done now. */
	timeline_step(t, place(t, a) ? UINT64_MAX : os_now() + DRAW_NS);
	axis = axis_of(t, a.y);
	axis_rule(&axis);
	axis_ticks(&axis);
	if (t->ranging || t->ranged)
		axis_range(&axis, t->range_from, t->range_to);
	for (i = t->top; i < t->n && i < t->top + h; i++) {
		draw_line(t, i, (struct area){ a.y + 1 + (int)(i - t->top), a.x, 1, a.w });
		states |= lane_states(&t->line[i].lane);
	}
	i = 1 + t->n - t->top;
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

void
timeline_status(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;
	struct tline	*l = t->sel < t->n ? &t->line[t->sel] : NULL;
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

void
timeline_path(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	if (!t->ready)
		return;
	buf_printf(b, "%zu %s", t->n, t->cpus ? "CPUs" : t->n == 1 ? "thread" : "threads");
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

void
timeline_modes(struct pane *p, struct buf *b)
{
	struct timeline	*t = p->data;

	buf_printf(b, "%s, %s", t->cpus ? "CPUs" : "threads", order_names[t->order]);
}
