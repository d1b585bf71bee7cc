/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * object: an object of a heap: its fields, its referrers, and its path to a GC root. Enter follows a
 * reference, Backspace returns.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/columns_reach.h"
#include "icecore/keys.h"
#include "ui/icicle/frames.h"
#include "ui/list/list.h"

enum { SPLIT_H = 12, SPLIT_W = 60, BACK_MAX = 256, TEXT_MAX = 60, CRUMBS = 12 };

enum part { PART_FIELDS, PART_REFERRERS, PART_PATH, PARTS };

/* An inspected object, and the place in it. */
struct object_place {
	uint32_t	object;
	enum part	part;
	uint64_t	row;
};

struct object {
	struct list	*list[PARTS];
	struct object_place at;
	struct object_place back[BACK_MAX];
	size_t		 nback;
	bool		 weak;		/* paths through all references */
	struct hint	 weak_only;	/* why there is no other path */
};

static const struct list_spec lists[PARTS] = {
	[PART_FIELDS] = { .base = "", .columns = "select name value retained object content",
	    .naming = "value", .hide = "object",
	    .empty = "none", .mute = true, .at_once = true },
	[PART_REFERRERS] = { .base = "", .columns = "select name class object retained strength content",
	    .naming = "class", .quiet = "strength",
	    .empty = "no referrer in this dump", .mute = true },
	[PART_PATH] = { .base = "", .columns = "select field class object retained content",
	    .naming = "class", .mute = true }
};

static void
object_ask(struct object *o)
{
	uint64_t	row[PARTS] = { 0 };
	char		query[64];

	row[o->at.part] = o->at.row;
	snprintf(query, sizeof query, "fields @%u", o->at.object);
	list_set(o->list[PART_FIELDS], query, row[PART_FIELDS]);
	snprintf(query, sizeof query, "referrers @%u", o->at.object);
	list_set(o->list[PART_REFERRERS], query, row[PART_REFERRERS]);
	snprintf(query, sizeof query, "path @%u%s", o->at.object, o->weak ? " all" : "");
	list_set(o->list[PART_PATH], query, row[PART_PATH]);
}

/* ---- following references -------------------------------------------------- */

static void
object_go_to(struct pane *p, uint32_t object)
{
	struct object	*o = p->data;

	if (object == 0 || object == o->at.object)
		return;
	if (o->nback == BACK_MAX)
		memmove(o->back, o->back + 1, --o->nback * sizeof *o->back);
	o->at.part = p->focus;
	o->at.row = list_of(p)->sel;
	o->back[o->nback++] = o->at;
	o->at = (struct object_place){ .object = object };
	p->focus = PART_FIELDS;
	object_ask(o);
}

static void
object_go_back(struct pane *p)
{
	struct object	*o = p->data;

	if (o->nback == 0) {
		ui_close(p->ui);
		return;
	}
	o->at = o->back[--o->nback];
	p->focus = o->at.part;
	object_ask(o);
}

static bool
object_go(struct pane *p, const struct visit *v)
{
	struct object	*o = p->data;

	if (p != v->asker) {
		o->nback = 0;
		p->from = v->asker;
	}
	if (o->at.object != v->id) {
		o->at = (struct object_place){ .object = v->id };
		object_ask(o);
	}
	p->focus = v->to == PLACE_REFERRERS ? PART_REFERRERS : v->to == PLACE_PATH ? PART_PATH : PART_FIELDS;
	return true;
}

/* ---- drawing --------------------------------------------------------------- */

static void
object_add_text(const struct heap *h, uint32_t object, struct buf *b)
{
	struct buf	text = BUF_INIT;

	if (heap_string(h, object, TEXT_MAX, &text))
		buf_printf(b, " \"%.*s\"", (int)text.n, text.n > 0 ? text.s : "");
	buf_free(&text);
}

static void
add_sizes(const struct object *o, const struct heap *h, const struct ui *ui, struct buf *b)
{
	buf_printf(b, "  0x%llx", (unsigned long long)heap_addr(h, o->at.object));
	screen_number(b, "  shallow ", num_show_size, heap_shallow(h, o->at.object));
	if (h->retained != NULL && heap_dominator(h, o->at.object) != 0)
		screen_number(b, "  retained ", num_show_size, heap_retained(h, o->at.object));
	if (ui_heap_has(ui, COL_REACH_OBJECT) && h->parent != NULL)
		buf_printf(b, "  %s", heap_strength_name(heap_reach(h, o->at.object)));
}

static void
draw_head(struct pane *p, struct area a)
{
	struct object	*o = p->data;
	struct buf	 raw = BUF_INIT, name = BUF_INIT, sizes = BUF_INIT, line = BUF_INIT;
	struct heap	 h;

	if (!ui_heap(p->ui, &h) || h.offset == NULL || o->at.object > h.objects)
		return;
	object_name(&h, o->at.object, &raw);
	object_add_text(&h, o->at.object, &raw);
	screen_fit(&name, buf_view(&raw));
	add_sizes(o, &h, p->ui, &sizes);
	/* Shorten a long name by its packages first. */
	if (text_width(buf_view(&name)) + text_width(buf_view(&sizes)) > (size_t)a.w) {
		buf_clear(&name);
		object_short(&line, buf_view(&raw), SIZE_MAX);
		screen_fit(&name, buf_view(&line));
		buf_clear(&line);
	}
	screen_pair(&line, &name, &sizes, (size_t)a.w);
	screen_put(a.y, a.x, a.w, ROLE_TITLE, LOOK_BOLD, buf_view(&line));
	buf_free(&raw);
	buf_free(&line);
}

static const char *
why_no_path(struct object *o, const struct heap *h)
{
	enum heap_strength reach;

	if (h->parent == NULL || h->reach.object == NULL)
		return NULL;
	reach = heap_reach(h, o->at.object);
	if (reach == HEAP_STRENGTHS)
		return "none: unreachable (garbage)";
	o->weak_only = hint(VERB_WEAK, "only weak paths; _ shows them");
	return heap_counts(h, reach) ? NULL : o->weak_only.s;
}

static void
say_why_empty(struct pane *p)
{
	struct object	*o = p->data;
	struct heap	 h;

	if (ui_heap(p->ui, &h) && h.offset != NULL && o->at.object <= h.objects)
		o->list[PART_PATH]->is.empty = why_no_path(o, &h);
}

static void
object_draw_part(struct pane *p, enum part part, struct area a)
{
	struct object	*o = p->data;
	const char	*titles[PARTS] = {
		[PART_FIELDS] = " fields ", [PART_REFERRERS] = " referrers ",
		[PART_PATH] = o->weak ? " path to GC root, with weak references " : " path to GC root "
	};

	list_draw_titled(o->list[part], titles[part], a, p->focus == part);
}

/* A small pane shows the part with the focus. */
static void
object_draw(struct pane *p, struct area a)
{
	int	top, half = a.w * 11 / 20;

	draw_head(p, (struct area){ a.y, a.x, 1, a.w });
	say_why_empty(p);
	a.y++;
	a.h--;
	if (a.h < SPLIT_H || a.w < SPLIT_W) {
		object_draw_part(p, p->focus, a);
		return;
	}
	top = a.h / 2;
	object_draw_part(p, PART_FIELDS, (struct area){ a.y, a.x, top, half });
	screen_split(a.y, a.x + half, top);
	object_draw_part(p, PART_REFERRERS, (struct area){ a.y, a.x + half + 1, top, a.w - half - 1 });
	object_draw_part(p, PART_PATH, (struct area){ a.y + top, a.x, a.h - top, a.w });
}

/* ---- status text ------------------------------------------------------------- */

static void
object_path(struct pane *p, struct buf *b)
{
	struct object	*o = p->data;
	struct buf	 name = BUF_INIT;
	struct heap	 h;
	size_t		 at, i = o->nback > CRUMBS ? o->nback - CRUMBS : 0;

	if (!ui_heap(p->ui, &h) || h.offset == NULL)
		return;
	if (i > 0)
		buf_printf(b, "%s%s", glyph(GLYPH_CUT), glyph(GLYPH_INTO));
	for (; i <= o->nback; i++) {
		buf_clear(&name);
		object_name(&h, i < o->nback ? o->back[i].object : o->at.object, &name);
		at = b->n;
		object_short(b, buf_view(&name), SIZE_MAX);
		screen_fit_from(b, at);
		if (i < o->nback)
			buf_str(b, str_of(glyph(GLYPH_INTO)));
	}
	buf_free(&name);
}

static uint32_t
object_selected(struct pane *p)
{
	return ((struct object *)p->data)->at.object;
}

/* ---- keys ---------------------------------------------------------------------- */

static bool
object_act(struct pane *p, enum verb verb)
{
	struct object	*o = p->data;

	switch (verb) {
	case VERB_FOCUS:
		p->focus = (p->focus + 1) % PARTS;
		return true;
	case VERB_ENTER:
		object_go_to(p, list_object(list_of(p)));
		return true;
	case VERB_BACK:
		object_go_back(p);
		return true;
	case VERB_WEAK:
		o->weak = !o->weak;
		p->focus = o->at.part = PART_PATH;
		object_ask(o);
		return true;
	default:
		return list_act(list_of(p), verb);
	}
}

const struct pane_kind pane_object = {
	"Object", NULL, SHAPE_GRAPH, IN_OBJECT | IN_OBJECTS, sizeof(struct object),
	LISTS_OF(lists), .places = 1 << PLACE_OBJECT | 1 << PLACE_REFERRERS | 1 << PLACE_PATH,
	.draw = object_draw, .tell[TELL_PATH] = object_path,
	.act = object_act, .go = object_go, .object = object_selected
};
