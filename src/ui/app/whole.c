/*
 * whole: what is selected in full, over as many lines as it needs, in the place of the pane.
 */
#include "config.h"

#include "app.h"

void
whole_close(struct app *app)
{
	buf_free(&app->whole.text);
	app->whole = (struct whole){ .text = BUF_INIT };
}

bool
whole_is_open(const struct app *app)
{
	return app->whole.text.n > 0;
}

/* The name of a function alone; else the row, a cell a line; else what y copies. */
static void
whole_open(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	*b = &app->whole.text, name = BUF_INIT;

	if (app->state != LOAD_DONE)
		return;
	if (p->does.frame != NULL)
		p->does.frame(p, &name);
	text_fit_buf(b, buf_view(&name));
	if (b->n == 0 && p->does.whole != NULL)
		p->does.whole(p, b);
	if (b->n == 0 && p->does.copy != NULL)
		p->does.copy(p, b);
	if (b->bad || name.bad)
		whole_close(app);
	if (b->n == 0)
		ui_say(app->ui, "nothing selected");
	buf_free(&name);
}

/* Any other key closes it, and means what it does in the pane. */
bool
whole_act(struct app *app, enum verb verb)
{
	if (!whole_is_open(app)) {
		if (verb == VERB_WHOLE)
			whole_open(app);
		return verb == VERB_WHOLE;
	}
	if (key_moves(verb, &app->whole.top, app->whole.tops, app->whole.page))
		return true;
	if (verb == VERB_REDRAW || verb == VERB_COPY)
		return false;
	whole_close(app);
	return verb == VERB_BACK || verb == VERB_CLOSE || verb == VERB_ENTER || verb == VERB_WHOLE;
}

/* Those lines that the area has room for; returns how many there are. */
static uint64_t
draw_lines(const struct app *app, struct area a)
{
	struct str	rest = buf_view(&app->whole.text), line;
	struct buf	fit = BUF_INIT;
	uint64_t	at = 0;
	size_t		n;

	while (str_split(&rest, '\n', &line)) {
		buf_clear(&fit);
		screen_fit(&fit, line);
		for (line = buf_view(&fit); line.n > 0; line = str_trim(str_behind(line, n)), at++) {
			n = screen_break(line, (size_t)a.w);
			if (at >= app->whole.top && at - app->whole.top < (uint64_t)a.h)
				screen_put(a.y + (int)(at - app->whole.top), a.x, a.w, ROLE_NORMAL, LOOK_PLAIN,
				    (struct str){ line.s, n });
		}
	}
	buf_free(&fit);
	return at;
}

/* What lies under it is not clicked; around it a click closes it. */
static void
click(void *who, size_t what, int y, int x)
{
	(void)who;
	(void)what;
	(void)y;
	(void)x;
}

void
whole_draw(struct app *app, struct area a)
{
	struct whole	*w = &app->whole;
	uint64_t	 lines = draw_lines(app, (struct area){ a.y, a.x, 0, a.w });
	int		 h, width;

	w->page = (uint64_t)a.h;
	w->tops = lines > w->page ? lines - w->page + 1 : 1;
	if (w->top >= w->tops)
		w->top = w->tops - 1;
	draw_lines(app, a);
	screen_size(&h, &width);
	spot_add(&(struct spot){ .area = { 0, 0, h, width }, .verb = VERB_BACK });
	spot_add(&(struct spot){ .area = a, .click = click });
}

void
whole_status(const struct app *app, struct buf *b)
{
	buf_str(b, STR("y: copy, Esc: close"));
	if (app->whole.tops > 1)
		buf_str(b, STR(", Down shows more"));
}
