/*
 * overview: what a heap dump holds, on one page; it fills in as passes
 * finish.  Each line leads to where more is told.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "room.h"

enum { BIGGEST = 5, MUCH = 10, LINES = 40, NAME_W = 14, VALUE_W = 12 };

/* One line, and where Enter goes: an object, a pane, or a query. */
struct line {
	const char		*name;
	char			 value[NUM_TEXT];
	struct buf		 text;		/* fitted */
	uint32_t		 object;
	const struct pane_kind	*pane;
	const char		*query;
};

struct overview {
	struct line	 line[LINES];
	size_t		 n, sel, top;
	size_t		 passes;	/* that were done when the lines were made */
	bool		 stopped;	/* as they were then */
	bool		 stale;
};

static uint64_t
sum_of(const struct store *st, const char *column)
{
	const struct column *c = store_column(st, column);
	uint64_t	i, sum = 0;

	for (i = 0; c != NULL && i < c->rows; i++)
		sum += column_get(c, i);
	return sum;
}

static uint64_t
rows_of(const struct store *st, const char *column)
{
	const struct column *c = store_column(st, column);

	return c != NULL ? c->rows : 0;
}

/* ---- making the lines -------------------------------------------------------- */

static struct line *
add(struct overview *o, const char *name)
{
	struct line	*l = &o->line[o->n < LINES - 1 ? o->n++ : LINES - 1];

	l->name = name;
	l->value[0] = '\0';
	buf_clear(&l->text);
	l->object = 0;
	l->pane = NULL;
	l->query = NULL;
	return l;
}

static void
add_count(struct overview *o, const char *name, uint64_t n, const char *text,
    const struct pane_kind *pane, const char *query)
{
	struct line	*l = add(o, name);

	num_show_count(l->value, sizeof l->value, n);
	buf_str(&l->text, str_of(text));
	l->pane = pane;
	l->query = query;
}

static void
add_bytes(struct overview *o, const char *name, uint64_t bytes, uint64_t objects)
{
	struct line	*l = add(o, name);
	char		 n[NUM_TEXT];

	num_show_size(l->value, sizeof l->value, bytes);
	num_show_count(n, sizeof n, objects);
	buf_printf(&l->text, "%s object%s", n, objects == 1 ? "" : "s");
}

static uint64_t
fact(const struct heap *h, const char *pattern)
{
	char	name[HEAP_COLUMN];

	return store_fact_get(h->st, heap_column(name, pattern, h->refs, h->sizes));
}

static void
add_sizes(struct overview *o, const struct heap *h)
{
	uint64_t	all, live, bytes;

	all = sum_of(h->st, h->sizes == SIZES_MAT ? "class.mat_shallow" : "class.shallow");
	add_bytes(o, "heap", all, h->objects);
	o->line[o->n - 1].pane = &pane_info;
	if (h->parent == NULL) {
		buf_str(&add(o, "reachable")->text, str_of(o->stopped ?
		    "stopped; Enter goes on" : "not known yet"));
		return;
	}
	live = fact(h, "REFS.SIZES.live_objects");
	bytes = fact(h, "REFS.SIZES.live_bytes");
	add_bytes(o, "reachable", bytes, live);
	o->line[o->n - 1].pane = &pane_retained;
	add_bytes(o, "unreachable", all > bytes ? all - bytes : 0,
	    h->objects > live ? h->objects - live : 0);
	if (h->objects > live)
		o->line[o->n - 1].query = "objects | where reachable = unreachable | "
		    "group class : count as objects, sum(shallow) as shallow | sort -shallow";
}

static void
add_percent(struct buf *b, uint64_t part, uint64_t all)
{
	buf_printf(b, "%5.1f%%  ", all > 0 ? 100.0 * (double)part / (double)all : 0.0);
}

static void
add_object(struct overview *o, const char *name, const struct heap *h, uint32_t object)
{
	struct line	*l = add(o, name);
	uint64_t	 bytes = heap_retained(h, object);
	struct buf	 raw = BUF_INIT;

	l->object = object;
	num_show_size(l->value, sizeof l->value, bytes);
	add_percent(&l->text, bytes, fact(h, "REFS.SIZES.live_bytes"));
	object_name(h, object, &raw);
	screen_fit(&l->text, buf_view(&raw));
	buf_free(&raw);
}

/* The objects that retain most, and what makes the first of them so big. */
static void
add_biggest(struct overview *o, const struct heap *h)
{
	uint64_t	first, n, i;
	uint32_t	most, holder;

	if (h->children == NULL)
		return;
	n = heap_children(h, HEAP_ROOT, &first);
	most = ui_gathering(h, &holder);
	if (most != 0 && most != heap_child(h, first) && heap_retained(h, most) >= fact(h, "REFS.SIZES.live_bytes") / MUCH) {
		add_object(o, "gathers in", h, most);
		if (holder != 0 && holder != most)
			add_object(o, "held by", h, holder);
	}
	for (i = 0; i < n && i < BIGGEST; i++)
		add_object(o, i == 0 ? "biggest" : "", h, heap_child(h, first + i));
}

/* The class whose instances retain most together; all classes are no such thing. */
static void
add_class(struct overview *o, const struct heap *h)
{
	char	name[HEAP_COLUMN];
	const struct column *c = store_column(h->st, heap_column(name,
	    "REFS.SIZES.class_retained", h->refs, h->sizes));
	uint64_t	i, best = UINT64_MAX;
	struct buf	raw = BUF_INIT;
	struct line	*l;

	for (i = 0; c != NULL && i < c->rows; i++)
		if (i + 1 != h->class_class && column_get(c, i) > column_get(c, best))
			best = i;
	if (best == UINT64_MAX)
		return;
	l = add(o, "biggest class");
	num_show_size(l->value, sizeof l->value, column_get(c, best));
	add_percent(&l->text, column_get(c, best), fact(h, "REFS.SIZES.live_bytes"));
	heap_class_name(h, (uint32_t)best + 1, &raw);
	screen_fit(&l->text, buf_view(&raw));
	num_show_count(name, sizeof name,
	    column_get(store_column(h->st, "class.objects"), best));
	buf_printf(&l->text, " %s %s", glyph(GLYPH_TIMES), name);
	l->pane = &pane_classes;
	buf_free(&raw);
}

/* As Info tells it; of what can only be there or not it says so. */
static void
set_damage(struct line *l, struct str value, struct str meaning)
{
	struct str	yes = STR("1: ");

	l->pane = &pane_info;
	if (str_has_prefix(meaning, yes)) {
		meaning.s += yes.n;
		meaning.n -= yes.n;
	} else
		snprintf(l->value, sizeof l->value, "%.*s", (int)value.n, value.n > 0 ? value.s : "");
	screen_fit(&l->text, meaning);
}

static void
add_damage(struct overview *o, struct rows *r)
{
	int		field = rows_column(r, STR("field")), value = rows_column(r, STR("value"));
	int		meaning = rows_column(r, STR("meaning"));
	uint64_t	i, n = rows_reach(r, LINES);
	struct buf	b = BUF_INIT;
	struct cell	c;
	struct line	*l;

	for (i = 0; i < n && field >= 0 && value >= 0 && meaning >= 0; i++) {
		rows_cell(r, i, (size_t)field, &c);
		l = add(o, str_has_prefix(c.text, STR("loss")) ? "lost" : "repaired");
		rows_cell(r, i, (size_t)value, &c);
		buf_clear(&b);
		cell_show(&c, &b);
		rows_cell(r, i, (size_t)meaning, &c);
		set_damage(l, buf_view(&b), c.text);
	}
	buf_free(&b);
}

static void
add_losses(struct overview *o, struct session *session)
{
	struct query	*q = NULL;
	struct rows	*r = NULL;
	struct err	 err;

	if (query_parse(&q, STR("info | where field ~ /^(loss|repair)/ and "
	    "field != 'loss.reason' | sort field"), &err) && query_open(q, session, &r, &err))
		add_damage(o, r);
	rows_close(r);
	query_free(q);
}

static void
make_lines(struct pane *p)
{
	struct overview	*o = p->data;
	struct heap	 h;
	const struct store *st = ui_store(p->ui);
	uint32_t	 strings;

	o->n = 0;
	if (!ui_heap(p->ui, &h))
		return;
	add_sizes(o, &h);
	add_biggest(o, &h);
	add_class(o, &h);
	add_count(o, "classes", h.classes, "by what they retain", &pane_classes, NULL);
	add_count(o, "loaders", rows_of(st, "loader.object"), "what their classes retain", NULL,
	    "loaders | sort -retained");
	if (store_fact_get(st, "heap.pseudo") != 0)
		add_count(o, "roots", 0, "none; what nothing refers to is taken as root",
		    &pane_info, NULL);
	else
		add_count(o, "roots", rows_of(st, "root.object"), "what keeps objects alive, by kind",
		    NULL, "roots | group kind : count, sum(retained) as retained | sort -retained");
	add_count(o, "threads", rows_of(st, "jthread.serial"), "their calls and what these hold",
	    &pane_stacks, NULL);
	strings = h.string_class;
	add_count(o, "strings", strings == 0 ? 0 : column_get(store_column(st, "class.objects"),
	    strings - 1), "which are there twice, and what that wastes", &pane_strings, NULL);
	if (store_fact_get(st, "dumps") > 1)
		add_count(o, "dumps", store_fact_get(st, "dumps"),
		    "in this file; --dump opens another one", &pane_info, NULL);
	add_losses(o, p->ui->session);
}

/* ---- the pane ------------------------------------------------------------------ */

static bool
pane_open(struct pane *p, const char *query, struct err *err)
{
	(void)query;
	p->data = mem_array(1, sizeof(struct overview));
	return p->data != NULL || fail(err, E_SYSTEM, "no memory for a pane");
}

static void
pane_close(struct pane *p)
{
	struct overview	*o = p->data;
	size_t		 i;

	for (i = 0; i < LINES; i++)
		buf_free(&o->line[i].text);
	free(o);
}

static void
reset(struct pane *p)
{
	((struct overview *)p->data)->stale = true;
}

static void
draw_line(const struct line *l, struct area a, bool sel)
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
	x += (n < VALUE_W ? VALUE_W : n) + 2;
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
	struct line	 was = o->line[o->sel];
	size_t		 i, n = o->n;

	make_lines(p);
	for (i = 0; i < o->n && o->sel < n; i++)
		if (o->line[i].name == was.name && o->line[i].object == was.object) {
			o->sel = i;
			break;
		}
}

static void
draw(struct pane *p, struct area a)
{
	struct overview	*o = p->data;
	size_t		 i, h = a.h > 0 ? (size_t)a.h : 1;

	p->area = a;
	if (o->stale || o->passes != task_passes(p->ui) ||
	    o->stopped != p->ui->preparer.stopped) {
		o->passes = task_passes(p->ui);
		o->stopped = p->ui->preparer.stopped;
		o->stale = false;
		renew(p);
	}
	if (o->sel >= o->n)
		o->sel = o->n > 0 ? o->n - 1 : 0;
	if (o->sel < o->top)
		o->top = o->sel;
	if (o->sel >= o->top + h)
		o->top = o->sel - h + 1;
	for (i = o->top; i < o->n && i < o->top + h; i++)
		draw_line(&o->line[i], (struct area){ a.y + (int)(i - o->top), a.x, 1, a.w },
		    i == o->sel);
}

static void
enter(struct pane *p)
{
	struct overview	*o = p->data;
	const struct line *l = &o->line[o->sel];

	if (o->n == 0)
		return;
	if (o->stopped && !ui_heap_has(p->ui, "REFS.SIZES.parent"))
		p->ui->preparer.stopped = false;
	else if (l->object != 0)
		object_show(p->ui, l->object, PART_FIELDS);
	else if (l->pane != NULL)
		ui_show(p->ui, ui_find(p->ui, l->pane));
	else if (l->query != NULL)
		ui_enter(p->ui, l->query);
}

static bool
act(struct pane *p, enum verb verb)
{
	struct overview	*o = p->data;
	size_t		 last = o->n > 0 ? o->n - 1 : 0;

	switch (verb) {
	case VERB_ENTER:
		enter(p);
		return true;
	case VERB_UP:
		o->sel -= o->sel > 0;
		return true;
	case VERB_DOWN:
		o->sel += o->sel < last;
		return true;
	case VERB_TOP: case VERB_PAGE_UP: case VERB_HALF_UP:
		o->sel = 0;
		return true;
	case VERB_BOTTOM: case VERB_PAGE_DOWN: case VERB_HALF_DOWN:
		o->sel = last;
		return true;
	default:
		return false;
	}
}

static void
status(struct pane *p, struct buf *b)
{
	struct overview	*o = p->data;
	const struct line *l = &o->line[o->sel];

	if (o->n == 0)
		return;
	if (l->object != 0)
		buf_str(b, STR("Enter: look at it"));
	else if (l->pane != NULL)
		buf_printf(b, "Enter: %s", l->pane->name);
	else if (l->query != NULL)
		buf_str(b, STR("Enter: list them"));
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
	.name = "Overview",
	.what = "what the dump holds, and its biggest objects",
	.query = "info",
	.shapes = SHAPE_GRAPH,
	.where = IN_SUMMARY | IN_OBJECTS,
	.format = FORMAT_TSV,
	.open = pane_open,
	.close = pane_close,
	.reset = reset,
	.draw = draw,
	.act = act,
	.status = status,
	.copy = copy,
	.text = text,
	.object = selected
};
