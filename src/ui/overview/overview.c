/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overview: the lines of the overview, computed by the worker one after the other; each line opens a pane
 * with more.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/keys.h"
#include "overview.h"
#include "ui/list/list.h"

/* ---- asking ---------------------------------------------------------------------- */

static bool
overview_run(struct task *task, struct work *work, struct err *err)
{
	struct overview	*o = (struct overview *)task;

	if (o->asked == OVERVIEW_LINES)
		return overview_picture(&o->fresh_line, &o->session, &o->fresh, work, err);
	return overview_answer(&overview_lines[o->asked], &o->session, &o->fresh, work, err);
}

static void
forget_lines(struct overview *o)
{
	for (size_t i = 0; i < OVERVIEW_LINES; i++) {
		overview_free(&o->answer[i]);
		o->known[i] = false;
	}
	overview_free(&o->picture);
	o->pictured = false;
	o->nrows = 0;
}

static void
overview_done(struct task *task, bool ok, const struct err *err)
{
	struct overview	*o = (struct overview *)task;

	(void)err;
	if (o->stale || !ok)
		overview_free(&o->fresh);
	else if (o->asked == OVERVIEW_LINES) {
		o->picture = o->fresh;
		o->picture_line = o->fresh_line;
		o->pictured = true;
		o->fresh.n = 0;
	} else {
		o->answer[o->asked] = o->fresh;
		o->known[o->asked] = true;
		o->fresh.n = 0;
	}
	/* If cancelled, do not restart the passes automatically. */
	if (!ok && !o->stale) {
		ui_heap_stop(o->task.ui, true);
		ui_say_hint(o->task.ui, VERB_REDRAW, "stopped; _ resumes");
	}
	o->stale = false;
}

/* Find the next line without an answer; late lines come last.  False: all lines have answers. */
static bool
overview_find_next(struct pane *p, size_t *line)
{
	const struct overview *o = p->data;
	const struct overview_line *l;

	for (int late = 0; late <= 1; late++)
		for (*line = 0; (l = &overview_lines[*line])->name != NULL; ++*line)
			if (!o->known[*line] && l->late == (late == 1) &&
			    overview_fits(l, ui_session(p->ui), o->diff))
				return true;
	return false;
}

static void
ask_next(struct pane *p)
{
	struct overview	*o = p->data;

	if (o->task.given || ui_heap_stopped(p->ui))
		return;
	if (!overview_find_next(p, &o->asked)) {
		if (o->pictured || o->diff || !overview_has_room(p->area))
			return;
		o->asked = OVERVIEW_LINES;
	}
	o->session = *ui_session(p->ui);
	task_give(p->ui, &o->task);
}

/* ---- rows ------------------------------------------------------------------------ */

static void
overview_add_row(struct overview *o, const struct overview_line *line, const struct overview_item *item, struct area a)
{
	bool	first = o->nrows == 0 || strcmp(line->name, o->row[o->nrows - 1].line->name) != 0;
	size_t	parts = overview_parts(line, item, a);

	for (size_t part = 0; part < parts; part++)
		o->row[o->nrows++] = (struct overview_row){ line, item, first && part == 0, part, parts };
	o->shares |= item != NULL && item->shared;
}

/* Rebuild the rows; keep the selected item when lines are inserted. */
static void
make_rows(struct pane *p)
{
	struct overview	*o = p->data;
	bool		 had = o->sel < o->nrows && o->sel > 0;
	const struct overview_line *line = had ? o->row[o->sel].line : NULL;
	size_t		 nth = 0, at;

	for (size_t i = o->sel; had && i > 0 && o->row[i - 1].line == line; i--)
		nth += o->row[i].part == 0;
	o->nrows = 0;
	o->shares = false;
	for (size_t i = 0; overview_lines[i].name != NULL; i++) {
		if (!overview_fits(&overview_lines[i], ui_session(p->ui), o->diff))
			continue;
		for (size_t k = 0; k < (o->known[i] ? o->answer[i].n : 1); k++) {
			at = o->nrows;
			overview_add_row(o, &overview_lines[i], o->known[i] ? &o->answer[i].item[k] : NULL, p->area);
			if (had && &overview_lines[i] == line && (k == nth || !o->known[i]))
				o->sel = at;
		}
	}
	o->nlines = o->nrows;
	for (size_t k = 0; o->pictured && overview_has_room(p->area) && k < o->picture.n; k++)
		o->row[o->nrows++] = (struct overview_row){ o->picture_line, &o->picture.item[k], k == 0, 0, 1 };
	if (o->sel >= o->nrows)
		o->sel = o->nrows > 0 ? o->nrows - 1 : 0;
}

static const struct overview_row *
selected_row(const struct pane *p)
{
	const struct overview *o = p->data;

	return o->sel < o->nrows ? &o->row[o->sel] : NULL;
}

/* ---- the pane -------------------------------------------------------------------- */

/* Forget all lines; a result that the worker still computes is stale. */
static void
overview_reset(struct pane *p)
{
	struct overview	*o = p->data;
	bool		 diff = look_differs(p->ui) && !look_two(p->ui, SHAPE_TREES);

	o->sel = diff == o->diff ? o->sel : 0;
	o->diff = diff;
	o->stale = o->task.given;
	forget_lines(o);
}

static void
overview_forget(struct pane *p)
{
	struct overview	*o = p->data;

	task_drop(&o->task);
	overview_free(&o->fresh);
	o->stale = false;
	forget_lines(o);
}

static void
overview_pane_close(struct pane *p)
{
	overview_forget(p);
	pattern_free(((struct overview *)p->data)->pattern);
}

static void
overview_click(void *who, size_t what, int y, int x)
{
	struct overview	*o = who;

	(void)what;
	(void)x;
	if (y != SPOT_FOCUS && o->top + (size_t)y < o->nlines)
		o->sel = o->top + (size_t)y - o->row[o->top + (size_t)y].part;
}

static void
overview_draw(struct pane *p, struct area a)
{
	struct overview	*o = p->data;
	size_t		 h = a.h > 0 ? (size_t)a.h : 1;
	int		 ends[OVERVIEW_LINES * OVERVIEW_ITEMS] = { 0 };

	spot_add(&(struct spot){ .area = a, .click = overview_click, .who = o, .enters = true });
	ask_next(p);
	o->stopped = ui_heap_stopped(p->ui);
	make_rows(p);
	o->left = o->sel < o->nlines ? o->sel : o->left < o->nlines ? o->left : 0;
	o->top = (size_t)key_scroll(o->top, o->left, h);
	for (size_t i = o->top; i < o->nlines && i < o->top + h; i++)
		ends[i - o->top] = overview_draw_row(o, &o->row[i],
		    (struct area){ a.y + (int)(i - o->top), a.x, 1, a.w }, i - o->row[i].part == o->sel);
	if (o->nrows > o->nlines)
		overview_draw_picture(o, a, ends);
	screen_thumb(a, o->top, o->nlines);
}

/* ---- navigation ------------------------------------------------------------------ */

/* Return the pane with that query, or that shows its rows at first; NULL: none. */
static struct pane *
overview_pane_of(const struct ui *ui, struct str query)
{
	struct pane	*p;

	for (size_t i = 0; (p = ui_nth(ui, i)) != NULL; i++)
		if (!p->extra && p->kind->query != NULL && (str_eq(query, str_of(p->kind->query)) ||
		    (p->kind->nlists == 1 && p->kind->lists[0].base != NULL &&
		    str_eq(query, str_of(p->kind->lists[0].base)))))
			return p;
	return NULL;
}

/* The pane that Enter opens, by the subject of an item. */
static const struct way {
	enum place	 to;
	const char	*told;
} ways[] = {
	[ABOUT_OBJECT] = { PLACE_OBJECT, "inspect" }, [ABOUT_STRETCH] = { PLACE_STRETCH, "open this time" },
	[ABOUT_METHOD] = { PLACE_METHOD, "method" }, [ABOUT_PATH] = { PLACE_LARGEST, "icicle" },
	[ABOUT_CALL] = { PLACE_CALLS, "icicle" }, [ABOUT_CPU] = { PLACE_CPU, "this CPU" },
	[ABOUT_THREAD] = { PLACE_THREADS, "this thread" }, [ABOUT_STACK] = { PLACE_QUERY, "stack" },
	[ABOUT_PROCESS] = { PLACE_QUERY, "its counters" }
};

/* Open the subject of an item; tasks may have no calls. */
static void
enter_item(struct pane *p, const struct overview_line *line, const struct overview_item *item)
{
	const char	*opens = overview_opens(line, item);
	struct visit	 v = { .to = ways[item->about].to, .id = item->id, .ids = &item->id, .n = 1,
	    .from = item->from, .until = item->until, .method = item->method };
	struct pane	*to = overview_pane_of(p->ui, str_of(opens));
	char		 query[80];

	snprintf(query, sizeof query, item->about == ABOUT_PROCESS ?
	    "counters | where process_id = %u | sort -last" : "stack %u", item->id);
	v.query = ways[item->about].to == PLACE_QUERY ? query : NULL;
	if (item->about == ABOUT_THREAD && (ui_shapes(p->ui) & SHAPE_TASKS) != 0)
		v.to = PLACE_TIME;
	if (item->about != ABOUT_NOTHING)
		ui_visit(p->ui, &v);
	else if (to != NULL) {
		to->came = p->kind;
		ui_show(p->ui, to);
		if ((to->kind->places >> PLACE_LINE & 1) != 0)
			PANE_DOES(to, go)(to, &(struct visit){ .to = PLACE_LINE,
			    .about = str_of(line->name) });
	} else
		ui_ask(p->ui, opens);
	if (item->about == ABOUT_NOTHING)
		list_land(ui_pane(p->ui), item->by, buf_view(&item->key));
}

static bool
overview_leads(const struct overview_row *row)
{
	return row != NULL && row->item != NULL && !row->item->nothing &&
	    (row->item->about != ABOUT_NOTHING || overview_opens(row->line, row->item) != NULL);
}

/* True while lines are unknown. */
static bool
overview_partial(struct pane *p)
{
	size_t	 line;

	return overview_find_next(p, &line);
}

/* The rows of one item are one step. */
static bool
overview_move(struct overview *o, enum verb verb)
{
	uint64_t from = o->sel;
	bool	 moves = key_moves(verb, &o->sel, o->nrows, 2 * OVERVIEW_LINES);

	while (o->sel > from && o->sel + 1 < o->nrows && o->row[o->sel].part > 0)
		o->sel++;
	while (o->sel > 0 && o->row[o->sel].part > 0)
		o->sel--;
	return moves;
}

static bool
overview_act(struct pane *p, enum verb verb)
{
	struct overview	*o = p->data;
	const struct overview_row *row = selected_row(p);

	if (o->nlines < o->nrows && (verb == VERB_LEFT || verb == VERB_RIGHT)) {
		o->sel = verb == VERB_LEFT ? o->left : o->sel < o->nlines ? o->nlines : o->sel;
		return true;
	}
	if (verb != VERB_ENTER)
		return overview_move(o, verb);
	if (ui_heap_stopped(p->ui) && overview_partial(p))
		ui_heap_stop(p->ui, false);
	else if (overview_leads(row))
		enter_item(p, row->line, row->item);
	return true;
}

static bool
overview_offers(struct pane *p, enum verb verb)
{
	return verb != VERB_ENTER || ui_heap_stopped(p->ui) || overview_leads(selected_row(p));
}

/* Show what Enter opens and, if not all rows are visible, the number of the row. */
static void
overview_status(struct pane *p, struct buf *b)
{
	const struct overview *o = p->data;
	const struct overview_row *row = selected_row(p);
	const char	*opens = row != NULL ? overview_opens(row->line, row->item) : NULL;
	const struct pane *to = overview_pane_of(p->ui, str_of(opens));

	if (overview_leads(row))
		buf_printf(b, "%s%s", hint_in(p->kind->where, VERB_ENTER, "_: ").s,
		    row->item->about != ABOUT_NOTHING ? ways[row->item->about].told :
		    to != NULL ? to->kind->name : "list");
	if (p->area.h > 0 && o->nlines > (size_t)p->area.h && o->sel < o->nlines)
		buf_printf(b, "%s(%llu of %zu)", b->n > 0 ? "  " : "", (unsigned long long)o->sel + 1,
		    o->nlines);
}

/* ---- keys of all panes ----------------------------------------------------------- */

static void
overview_copy(struct pane *p, struct buf *b)
{
	if (selected_row(p) != NULL)
		overview_row_text(selected_row(p), b);
}

static void
overview_details(struct pane *p, struct items *items)
{
	const struct overview_row *row = selected_row(p);
	struct buf	 value = BUF_INIT;

	if (row == NULL || row->item == NULL)
		return;
	overview_value(row->item, &value);
	if (row->item->shared)
		buf_printf(&value, "  %.1f%%", row->item->share);
	items_add(items, str_of(row->line->name), buf_view(&value), "");
	items_add(items, STR("subject"), buf_view(&row->item->words), "");
	items_add(items, STR("opens"), str_of(overview_opens(row->line, row->item)), "");
	buf_free(&value);
}

static void
overview_text(struct pane *p, struct buf *b)
{
	const struct overview *o = p->data;

	buf_str(b, o->diff ? STR("overview diff") : STR("overview"));
	look_stages(p->ui, b);
}

static void
overview_modes(struct pane *p, struct buf *b)
{
	if ((ui_shapes(p->ui) & SHAPE_TREES) != 0)
		ui_weight(p->ui, b);
}

static uint32_t
overview_object(struct pane *p)
{
	const struct overview_row *row = selected_row(p);

	return row == NULL || row->item == NULL || row->item->about != ABOUT_OBJECT ? 0 : row->item->id;
}

static bool
overview_row_matches(struct overview *o, size_t row)
{
	struct buf	b = BUF_INIT;
	bool		yes;

	overview_row_text(&o->row[row], &b);
	yes = pattern_match(o->pattern, buf_view(&b));
	buf_free(&b);
	return yes;
}

static void
overview_find(struct pane *p, const char *what, bool backward)
{
	struct overview	*o = p->data;
	struct pattern	*pattern;
	struct err	 err;
	size_t		 at;

	if (what != NULL) {
		if ((pattern = pattern_make(str_of(what), &err)) == NULL) {
			ui_fail(p->ui, &err);
			return;
		}
		pattern_free(o->pattern);
		o->pattern = pattern;
		TEXT_COPY(o->find, what);
	}
	for (size_t i = 1; o->pattern != NULL && i <= o->nrows; i++) {
		at = ((size_t)o->sel + (backward ? o->nrows - i : i)) % o->nrows;
		if (overview_row_matches(o, at)) {
			o->sel = at - o->row[at].part;
			return;
		}
	}
	found_none(p->ui, o->find, "");
}

/* Only in heap dumps are the lines about objects. */
static uint64_t
overview_where(const struct pane *p)
{
	return IN_SUMMARY | IN_CLOCKS | IN_TIMES | IN_EVENTS | IN_DUMPS |
	    ((ui_shapes(p->ui) & SHAPE_GRAPH) != 0 ? IN_OBJECTS : 0);
}

const struct pane_kind pane_overview = {
	"Overview", "overview", 0, IN_SUMMARY | IN_CLOCKS | IN_TIMES | IN_EVENTS | IN_DUMPS | IN_OBJECTS,
	    sizeof(struct overview), .compares = true,
	.now = overview_where, .run = overview_run, .done = overview_done,
	.on = { [PANE_CLOSES] = overview_pane_close, [PANE_RESET] = overview_reset,
	[PANE_FORGETS] = overview_forget },
	.tell = {
		[TELL_MODES] = overview_modes, [TELL_STATUS] = overview_status, [TELL_COPY] = overview_copy,
		    [TELL_QUERY] = overview_text
	},
	.draw = overview_draw, .partial = overview_partial, .act = overview_act, .offers = overview_offers,
	.find = overview_find,
	.object = overview_object, .details = overview_details
};
