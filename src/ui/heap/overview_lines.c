/*
 * overview_lines: the lines of the overview of a heap dump.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/heap_names.h"
#include "overview.h"
#include "ui/icicle/frames.h"
#include "ui/list/list.h"

enum { BIGGEST = 5, MUCH = 10, WAY_MAX = 1000, LIST_MIN = 30 };

/* ---- where most of a heap comes together --------------------------------- */

/* The first of a class on the way down along the largest. */
static uint32_t
first_of_class(const struct heap *h, uint32_t class)
{
	uint32_t	at = HEAP_ROOT;
	uint64_t	first;

	for (size_t i = 0; i < WAY_MAX && heap_children(h, at, &first) > 0; i++) {
		at = heap_child(h, first);
		if (heap_class(h, at) == class)
			return at;
	}
	return 0;
}

uint32_t
heap_gathering(const struct heap *h, uint32_t *holder)
{
	uint32_t	at = HEAP_ROOT, head = 0, next;
	uint64_t	first, least = 0;
	size_t		i;

	*holder = 0;
	for (i = 0; i < WAY_MAX && heap_children(h, at, &first) > 0; i++) {
		next = heap_child(h, first);
		if (heap_retained(h, next) < least)
			break;
		if (i == 0)
			least = heap_retained(h, next) / 2;
		/* Of objects of one class below each other the uppermost is it. */
		if (i == 0 || heap_class(h, next) != heap_class(h, at))
			head = next;
		if (heap_class_of_object(h, next) != 0)
			*holder = next;
		at = next;
	}
	/* So far down things lie behind each other: the head of the list is it. */
	return i > LIST_MIN ? first_of_class(h, heap_class(h, at)) : head;
}

/* ---- making the lines -------------------------------------------------------- */

static uint64_t
rows_of(const struct store *st, enum col column)
{
	const struct column *c = store_column(st, column);

	return c != NULL ? c->rows : 0;
}

static struct overview_line *
add(struct overview *o, const char *name)
{
	struct overview_line *l = &o->line[o->n < LINES - 1 ? o->n++ : LINES - 1];

	buf_clear(&l->text);
	*l = (struct overview_line){ .name = name, .text = l->text };
	return l;
}

static void
add_count(struct overview *o, const char *name, uint64_t n, const char *text,
    const struct pane_kind *pane, const char *query)
{
	struct overview_line *l = add(o, name);

	num_show_count(l->value, sizeof l->value, n);
	buf_str(&l->text, str_of(text));
	l->pane = pane;
	l->query = query;
}

static void
add_bytes(struct overview *o, const char *name, uint64_t bytes, uint64_t objects)
{
	struct overview_line *l = add(o, name);

	num_show_size(l->value, sizeof l->value, bytes);
	screen_number(&l->text, "", num_show_count, objects);
	buf_printf(&l->text, " object%s", objects == 1 ? "" : "s");
}

static void
add_sizes(struct overview *o, const struct heap *h)
{
	uint64_t	all = heap_all_bytes(h->st, h->sizes), live, bytes;

	add_bytes(o, "heap", all, h->objects);
	o->line[o->n - 1].pane = &pane_info;
	if (h->parent == NULL) {
		buf_str(&add(o, "reachable")->text, str_of(o->stopped ?
		    "stopped; Enter resumes" : "computing"));
		return;
	}
	live = heap_fact(h->st, "live_objects", h->refs, h->sizes);
	bytes = heap_fact(h->st, "live_bytes", h->refs, h->sizes);
	add_bytes(o, "reachable", bytes, live);
	o->line[o->n - 1].pane = &pane_retained;
	add_bytes(o, "unreachable", all > bytes ? all - bytes : 0,
	    h->objects > live ? h->objects - live : 0);
	if (h->objects > live)
		o->line[o->n - 1].query = "objects | where reachable = unreachable | "
		    "group class : count as objects, sum(shallow) as shallow | sort -shallow";
}

/* What lies outside of the heap, too. */
static void
add_memory(struct overview *o, const struct heap *h)
{
	struct overview_line *l;
	struct buf	text = BUF_INIT;

	if (heap_told(h, true, &text)) {
		l = add(o, "memory");
		l->wide = true;
		l->query = "info | where field ~ /_bytes$/";
		screen_fit(&l->text, buf_view(&text));
	}
	buf_free(&text);
}

static void
add_percent(struct buf *b, uint64_t part, uint64_t all)
{
	buf_printf(b, "%5.1f%%  ", all > 0 ? 100.0 * (double)part / (double)all : 0.0);
}

static void
add_object(struct overview *o, const char *name, const struct heap *h, uint32_t object)
{
	struct overview_line *l = add(o, name);
	uint64_t	 bytes = heap_retained(h, object);
	size_t		 at;

	l->object = object;
	num_show_size(l->value, sizeof l->value, bytes);
	add_percent(&l->text, bytes, heap_fact(h->st, "live_bytes", h->refs, h->sizes));
	at = l->text.n;
	object_name(h, object, &l->text);
	screen_fit_from(&l->text, at);
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
	most = heap_gathering(h, &holder);
	if (most != 0 && most != heap_child(h, first) &&
	    heap_retained(h, most) >= heap_fact(h->st, "live_bytes", h->refs, h->sizes) / MUCH) {
		add_object(o, "accumulation", h, most);
		if (holder != 0 && holder != most)
			add_object(o, "held through", h, holder);
	}
	for (i = 0; i < n && i < BIGGEST; i++)
		add_object(o, i == 0 ? "biggest" : "", h, heap_child(h, first + i));
}

/* The class whose instances retain most together; all classes are no such thing. */
static void
add_class(struct overview *o, const struct heap *h)
{
	const struct column *c = heap_column(h, COL_EACH_CLASS_RETAINED);
	uint64_t	i, best = UINT64_MAX;
	size_t		at;
	struct overview_line *l;

	for (i = 0; c != NULL && i < c->rows; i++)
		if (i + 1 != h->class_class && column_get(c, i) > column_get(c, best))
			best = i;
	if (best == UINT64_MAX)
		return;
	l = add(o, "largest class");
	num_show_size(l->value, sizeof l->value, column_get(c, best));
	add_percent(&l->text, column_get(c, best), heap_fact(h->st, "live_bytes", h->refs, h->sizes));
	at = l->text.n;
	heap_class_name(h, (uint32_t)best + 1, &l->text);
	screen_fit_from(&l->text, at);
	buf_printf(&l->text, " %s", glyph(GLYPH_TIMES));
	screen_number(&l->text, " ", num_show_count, column_get(store_column(h->st, COL_CLASS_OBJECTS), best));
	l->pane = &pane_classes;
}

/* As Info tells it; of what can only be there or not it says so. */
static void
set_damage(struct overview_line *l, struct str value, struct str meaning)
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
	struct overview_line *l;

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

/* How many there are, until it is known which are there twice. */
static void
add_strings(struct overview *o, const struct heap *h)
{
	const struct column *objects = store_column(h->st, COL_CLASS_OBJECTS);
	struct buf	text = BUF_INIT;

	if (!told_strings(h, &text))
		buf_str(&text, STR("duplicates and wasted bytes"));
	add_count(o, "strings", h->string_class == 0 ? 0 :
	    column_get(objects, h->string_class - 1), text.bad ? "" : text.s, &pane_strings, NULL);
	buf_free(&text);
}

static void
add_bitmaps(struct overview *o, struct ui *ui)
{
	if (ui_find(ui, &pane_bitmaps) == NULL)
		return;
	o->tallied = o->tally.known;
	if (!o->tallied) {
		add(o, "bitmaps")->pane = &pane_bitmaps;
		return;
	}
	add_count(o, "bitmaps", o->tally.n, "", &pane_bitmaps, NULL);
	screen_number(&o->line[o->n - 1].text, "", num_show_size, o->tally.bytes);
	buf_str(&o->line[o->n - 1].text, STR(" of pixel data"));
}

/* Who holds most where nothing is a finding: no reproach. */
static void
add_largest(struct overview *o, const struct heap *h)
{
	uint32_t	most[LARGEST];
	struct name_node n;
	struct buf	name = BUF_INIT;
	struct overview_line *l;

	heap_largest(h, most);
	for (size_t i = 0; i < LARGEST && most[i] != 0; i++) {
		names_get(h, most[i], &n);
		l = add(o, "");
		l->object = n.object;
		num_show_size(l->value, sizeof l->value, num_add(n.total, n.native_total));
		buf_clear(&name);
		owner_add(&n, &name);
		screen_fit(&l->text, buf_view(&name));
	}
	buf_free(&name);
}

static void
add_findings(struct overview *o, const struct heap *h)
{
	struct buf	text = BUF_INIT;
	uint64_t	n;
	bool		told = told_findings(h, &n, &text);

	if (!told)
		buf_str(&add(o, "findings")->text, str_of(o->stopped ?
		    "stopped; Enter resumes" : "not checked yet"));
	else
		add_count(o, "findings", n, n == 0 ? "no accumulation point; largest objects:" : text.bad ? "" : text.s,
		    &pane_findings, NULL);
	o->line[o->n - 1].pane = &pane_findings;
	if (told && n == 0)
		add_largest(o, h);
	buf_free(&text);
}

void
overview_lines(struct overview *o, struct ui *ui)
{
	struct heap	 h;
	const struct store *st = ui_store(ui);

	o->n = 0;
	if (!ui_heap(ui, &h))
		return;
	add_sizes(o, &h);
	add_biggest(o, &h);
	add_class(o, &h);
	add_memory(o, &h);
	add_count(o, "classes", h.classes, "sorted by retained size", &pane_classes, NULL);
	add_count(o, "loaders", rows_of(st, COL_LOADER_OBJECT), "retained size by loader", NULL,
	    "loaders | sort -retained");
	if (store_fact_get(st, "heap.pseudo") != 0)
		add_count(o, "roots", 0, "no GC roots: unreferenced objects used as roots",
		    &pane_info, NULL);
	else
		add_count(o, "roots", rows_of(st, COL_ROOT_OBJECT), "GC roots by type",
		    NULL, "roots | group kind : count, sum(retained) as retained | sort -retained");
	add_count(o, "threads", rows_of(st, COL_JTHREAD_SERIAL), "stacks and locals",
	    &pane_stacks, NULL);
	add_strings(o, &h);
	add_bitmaps(o, ui);
	add_findings(o, &h);
	if (store_fact_get(st, "dumps") > 1)
		add_count(o, "dumps", store_fact_get(st, "dumps"),
		    "in this file; --dump N opens another", &pane_info, NULL);
	add_losses(o, ui_session(ui));
}
