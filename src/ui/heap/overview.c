/*
 * overview: what a heap dump holds, on one page; it fills in as passes
 * finish.  Each line leads to where more is told.
 */
#include "config.h"

#include "overview.h"
#include "ui/icicle/frames.h"
#include "ui/list/list.h"

enum { NAME_W = 14, VALUE_W = 12 };

/* ---- the pane ------------------------------------------------------------------ */

static void
pane_close(struct pane *p)
{
	struct overview	*o = p->data;

	task_drop(&o->tally.task);
	for (size_t i = 0; i < LINES; i++)
		buf_free(&o->line[i].text);
}

static void
reset(struct pane *p)
{
	struct overview	*o = p->data;

	o->stale = true;
	o->tally.stopped = false;
}

static void
draw_line(const struct overview_line *l, struct area a, bool sel)
{
	struct buf	cut = BUF_INIT;
	unsigned	look = sel ? LOOK_REVERSE : LOOK_PLAIN;
	int		n = (int)text_width(str_of(l->value)), x = NAME_W + 2;

	if (sel) {
		screen_fill(a.y, a.x, a.w, ROLE_NORMAL, look, GLYPH_RULE, true);
		screen_puts(a.y, a.x, 1, ROLE_NORMAL, look, ">");
		screen_cursor(a.y, a.x, false);
	}
	screen_puts(a.y, a.x + 2, NAME_W, ROLE_HEAD, look, l->name);
	screen_puts(a.y, a.x + x + (n < VALUE_W ? VALUE_W - n : 0), n, ROLE_NORMAL, look, l->value);
	x += l->wide ? 0 : (n < VALUE_W ? VALUE_W : n) + 2;
	if (a.w > x)
		screen_middle(&cut, buf_view(&l->text), (size_t)(a.w - x));
	screen_put(a.y, a.x + x, a.w - x, ROLE_NORMAL, look, buf_view(&cut));
	buf_free(&cut);
}

/* Lines come in between: what was selected stays so. */
static void
renew(struct pane *p)
{
	struct overview	*o = p->data;
	struct overview_line  was = o->line[o->sel];
	size_t		 n = o->n;

	overview_lines(o, p->ui);
	for (size_t i = 0; i < o->n && o->sel < n; i++)
		if (o->line[i].name == was.name && o->line[i].object == was.object) {
			o->sel = i;
			break;
		}
}

static void
click(void *who, size_t what, int y, int x)
{
	struct overview	*o = who;

	(void)what;
	(void)x;
	if (y != SPOT_FOCUS && o->top + (size_t)y < o->n)
		o->sel = o->top + (size_t)y;
}

static void
draw(struct pane *p, struct area a)
{
	struct overview	*o = p->data;
	size_t		 h = a.h > 0 ? (size_t)a.h : 1;

	p->area = a;
	if (ui_find(p->ui, &pane_bitmaps) != NULL)
		tally_bitmaps(p->ui, &o->tally);
	if (o->stale || o->tallied != o->tally.known || o->passes != task_passes(p->ui) ||
	    o->stopped != ui_heap_stopped(p->ui)) {
		o->passes = task_passes(p->ui);
		o->stopped = ui_heap_stopped(p->ui);
		o->stale = false;
		renew(p);
	}
	if (o->sel >= o->n)
		o->sel = o->n > 0 ? o->n - 1 : 0;
	o->top = (size_t)key_scroll(o->top, o->sel, h);
	spot_add(&(struct spot){ .area = a, .click = click, .who = o, .enters = true });
	for (size_t i = o->top; i < o->n && i < o->top + h; i++)
		draw_line(&o->line[i], (struct area){ a.y + (int)(i - o->top), a.x, 1, a.w },
		    i == o->sel);
}

static void
enter(struct pane *p)
{
	struct overview	*o = p->data;
	const struct overview_line *l = &o->line[o->sel];

	if (o->n == 0)
		return;
	if (o->stopped && !ui_heap_has(p->ui, COL_EACH_PARENT))
		ui_heap_stop(p->ui, false);
	else if (l->object != 0)
		ui_go(p->ui, PLACE_OBJECT, l->object);
	else if (l->pane != NULL)
		ui_show(p->ui, ui_find(p->ui, l->pane));
	else if (l->query != NULL)
		ui_ask(p->ui, l->query);
}

static bool
act(struct pane *p, enum verb verb)
{
	struct overview	*o = p->data;

	if (verb == VERB_ENTER)
		enter(p);
	/* It is a page alone: all steps that are longer go to its ends. */
	return verb == VERB_ENTER || key_moves(verb, &o->sel, o->n, 2 * LINES);
}

static void
status(struct pane *p, struct buf *b)
{
	struct overview	*o = p->data;
	const struct overview_line *l = &o->line[o->sel];

	if (o->n == 0)
		return;
	if (l->object != 0)
		buf_str(b, STR("Enter: inspect"));
	else if (l->pane != NULL)
		buf_printf(b, "Enter: %s", l->pane->name);
	else if (l->query != NULL)
		buf_str(b, STR("Enter: list"));
}

static void
copy(struct pane *p, struct buf *b)
{
	struct overview	*o = p->data;

	if (o->n > 0)
		buf_printf(b, "%s\t%s\t%.*s", o->line[o->sel].name, o->line[o->sel].value,
		    (int)o->line[o->sel].text.n, o->line[o->sel].text.n > 0 ?
		    o->line[o->sel].text.s : "");
}

static void
text(struct pane *p, struct buf *b)
{
	(void)p;
	buf_str(b, STR("info"));
}

static uint32_t
selected(struct pane *p)
{
	struct overview	*o = p->data;

	return o->n > 0 ? o->line[o->sel].object : 0;
}

const struct pane_kind pane_overview = {
	"Overview", "info", SHAPE_GRAPH, IN_SUMMARY | IN_OBJECTS, sizeof(struct overview),
	.close = pane_close, .reset = reset,
	.draw = draw, .status = status,
	.act = act, .copy = copy, .text = text, .object = selected
};
