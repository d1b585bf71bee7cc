/*
 * list_pane: what panes of lists do that do nothing else.
 */
#include "config.h"

#include "list.h"

struct list *
list_of(struct pane *p)
{
	return ((struct list **)p->data)[p->focus];
}

bool
list_pane_open(struct pane *p, const char *query, struct err *err)
{
	struct list	**list = p->data;

	for (size_t i = 0; i < p->kind->nlists; i++) {
		list[i] = list_new(p, &p->kind->lists[i], query);
		if (list[i] == NULL) {
			list_pane_close(p);
			return fail(err, E_SYSTEM, "no memory for a pane");
		}
	}
	return true;
}

static void
each(struct pane *p, void (*does)(struct list *))
{
	struct list	**list = p->data;

	for (size_t i = 0; i < p->kind->nlists; i++)
		does(list[i]);
}

void
list_pane_close(struct pane *p)
{
	each(p, list_free);
}

static void
reset_asked(struct list *l)
{
	if (l->base[0] != '\0')
		list_reset(l);
}

static void
reset(struct pane *p)
{
	each(p, reset_asked);
}

void
list_pane_forget(struct pane *p)
{
	each(p, list_forget);
}

void
list_pane_draw(struct pane *p, struct area a)
{
	p->area = a;
	list_draw(list_of(p), a, true);
}

void
list_pane_path(struct pane *p, struct buf *b)
{
	size_t	at = b->n;

	list_text(list_of(p), b);
	screen_fit_from(b, at);
}

void
list_pane_look_text(struct pane *p, struct buf *b)
{
	list_look_text(list_of(p), b);
}

static bool
act(struct pane *p, enum verb verb)
{
	return list_act(list_of(p), verb);
}

static void
status(struct pane *p, struct buf *b)
{
	list_status(list_of(p), b);
}

static void
copy(struct pane *p, struct buf *b)
{
	list_copy(list_of(p), b);
}

static void
text(struct pane *p, struct buf *b)
{
	list_text(list_of(p), b);
}

static void
find(struct pane *p, const char *what, bool backward)
{
	list_find(list_of(p), what, backward);
}

uint32_t
list_object(struct list *l)
{
	struct cell	c;

	if ((ui_shapes(l->pane->ui) & SHAPE_GRAPH) == 0)
		return 0;
	if (!list_cell(l, "object", &c) && !list_cell(l, "id", &c) &&
	    !list_cell(l, "thread_id", &c))
		return 0;
	return c.type == CELL_ID && c.u < UINT32_MAX ? (uint32_t)c.u : 0;
}

static uint32_t
object(struct pane *p)
{
	return list_object(list_of(p));
}

const struct pane_kind list_pane = {
	.open = list_pane_open,
	.close = list_pane_close,
	.reset = reset,
	.forget = list_pane_forget,
	.draw = list_pane_draw,
	.act = act,
	.status = status,
	.copy = copy,
	.text = text,
	.find = find,
	.object = object
};
