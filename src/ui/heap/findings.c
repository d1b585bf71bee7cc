/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * findings: leaks and wasted memory, with the leak trace of the selected finding.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "icecore/keys.h"
#include "heap.h"
#include "ui/list/list.h"

enum { SPLIT_H = 12, LIST_LEAST = 4, WIDE = 110, NARROW = 60 };

enum { FOUND, TRACE, SPREAD, LISTS };

struct findings_pane {
	struct list	*list[LISTS];
	uint64_t	 traced;	/* number of the finding of the requested trace; 0: none */
	bool		 full;		/* show the trace alone */
	bool		 explain;	/* show the explanation instead of the trace */
};

enum role
severity_role(struct list *l, uint64_t row, size_t col)
{
	static const enum role roles[SEVERITIES] = {
		[SEVERITY_LEAK] = ROLE_BAD, [SEVERITY_WARNING] = ROLE_WARN, [SEVERITY_NOTE] = ROLE_NORMAL
	};
	struct cell	c;

	if ((int)col != rows_column(l->now.rows, STR("severity")))
		return ROLE_NORMAL;
	rows_cell(l->now.rows, row, col, &c);
	for (size_t i = 0; c.type == CELL_TEXT && i < SEVERITIES; i++)
		if (str_eq(c.text, str_of(severity_names[i])))
			return roles[i];
	return ROLE_NORMAL;
}

/* Highlight the suspect reference; on monochrome screens the next line underlines it. */
static enum role
findings_role_of(struct list *l, uint64_t row)
{
	return list_number_at(l->now.rows, row, "suspect") != 0 &&
	    list_number_at(l->now.rows, row, "object") == 0 ?
	    ROLE_ERROR : ROLE_NORMAL;
}

/* Select the object after the first suspect reference, so that the reference is visible at once. */
static void
trace_opened(struct list *l)
{
	uint64_t	row;

	for (row = 0; row < l->now.known && list_number_at(l->now.rows, row, "suspect") == 0; row++)
		;
	while (row < l->now.known && list_number_at(l->now.rows, row, "object") == 0)
		row++;
	if (l->sel == 0 && row < l->now.known)
		l->sel = row;
}

/*
 * Sort by size within a severity, because users compare sizes. The rank of a finding also depends on its
 * probability.
 */
#define FOUND_BY_SIZE "findings | sort -grade -retained | select severity retained percent what kind why object finding"

/* Queries for one dump and for a comparison. */
static const struct list_form forms[] = {
	{ FOUND_BY_SIZE, "", "" },
	{ "findings | diff | select retained_delta retained severity change what kind why signature", "",
	    "-abs(retained_delta)" }
};

static bool
findings_compares(const struct pane *p)
{
	return look_differs(p->ui) && look_two(p->ui, SHAPE_GRAPH);
}

static const struct list_spec lists[LISTS] = {
	[FOUND] = { .base = FOUND_BY_SIZE, .hide = "object finding signature", .naming = "what",
	    .cell_role = severity_role },
	[TRACE] = { .base = "", .hide = "line object suspect", .bare = true, .mute = true,
	    .role = findings_role_of,
	    .fixed = "a leak trace cannot be sorted", .opened = trace_opened },
	/* Sizes for the explanation: it is never drawn. */
	[SPREAD] = { .base = "", .mute = true }
};

static void
findings_reset(struct pane *p)
{
	struct findings_pane *f = p->data;

	if (list_take(f->list[FOUND], &forms[findings_compares(p)])) {
		p->focus = FOUND;
		f->full = f->explain = false;
	} else
		list_reset(f->list[FOUND]);
	for (size_t i = TRACE; i < LISTS; i++)
		if (f->list[i]->base[0] != '\0')
			list_reset(f->list[i]);
}

/* Reading the sizes of all objects takes a while: only the explanation has them. */
static void
ask_spread(struct findings_pane *f)
{
	char		 query[100];

	if (!f->explain || f->traced == 0)
		return;
	snprintf(query, sizeof query, "findings | where finding = %" PRIu64 " | select spread", f->traced);
	list_set(f->list[SPREAD], query, 0);
}

/* Show the leak trace of the selected finding. */
static void
findings_follow(struct pane *p)
{
	struct findings_pane *f = p->data;
	struct cell	 c;
	char		 query[160];

	if (!list_cell(f->list[FOUND], "finding", &c) || c.type != CELL_ID || c.u == f->traced)
		return;
	f->traced = c.u;
	snprintf(query, sizeof query, "findings | where finding = %" PRIu64 " | leaktrace | "
	    "where line != signature | select text line object suspect", c.u);
	list_set(f->list[TRACE], query, 0);
	ask_spread(f);
}

/* ---- drawing ------------------------------------------------------------- */

/* Return the pane by its name; NULL: unknown. */
static const struct finding_row *
selected_kind(struct findings_pane *f)
{
	struct str	kind = list_word(f->list[FOUND], "kind");

	for (size_t i = 0; i < FINDINGS; i++)
		if (str_eq(kind, str_of(finding_rows[i].name)))
			return &finding_rows[i];
	return NULL;
}

/* Draw a paragraph wrapped to the area, ignoring its line breaks, and leave an empty line below it. */
static void
findings_draw_part(struct area *in, enum role role, const char *part)
{
	struct buf	text = BUF_INIT;
	int		n;

	for (size_t i = 0; part[i] != '\0'; i++)
		buf_chr(&text, part[i] == '\n' ? ' ' : part[i]);
	n = screen_words(*in, role, buf_view(&text)) + 1;
	in->y += n;
	in->h -= n;
	buf_free(&text);
}

static void
draw_kind(struct findings_pane *f, const struct finding_row *kind, struct area a)
{
	struct list	*spread = f->list[SPREAD];
	struct cell	c;
	struct buf	text = BUF_INIT;
	struct area	in = { a.y + 2, a.x + 2, a.h - 2, a.w - 4 };
	char		title[NUM_TEXT];

	screen_fill(a.y, a.x, a.w, ROLE_DIM, LOOK_PLAIN, GLYPH_RULE, false);
	snprintf(title, sizeof title, " %s ", kind->name);
	screen_puts(a.y, a.x + 2, a.w - 2, ROLE_TITLE, LOOK_REVERSE, title);
	findings_draw_part(&in, ROLE_TITLE, kind->what);
	if (list_usable(spread) && list_has_row(spread) && list_cell(spread, "spread", &c) && c.type == CELL_TEXT &&
	    c.text.n > 0) {
		buf_text(&text, "Retained by ");
		buf_str(&text, c.text);
		findings_draw_part(&in, ROLE_TITLE, text.bad ? "" : text.s);
	}
	findings_draw_part(&in, ROLE_NORMAL, kind->rule);
	findings_draw_part(&in, ROLE_NORMAL, kind->advice);
	buf_free(&text);
}

static void
draw_below(struct pane *p, struct area a)
{
	struct findings_pane *f = p->data;
	const struct finding_row *kind = f->explain ? selected_kind(f) : NULL;

	if (kind != NULL)
		draw_kind(f, kind, a);
	else
		list_draw_titled(f->list[TRACE], " leak trace ", a, p->focus == TRACE);
}

/*
 * Without findings, draw the largest retained sizes and useful keys. False: there are findings, or they are
 * not known yet.
 */
static bool
draw_none(struct pane *p, struct area a)
{
	struct area	 in = { a.y + 1, a.x + 2, a.h - 1, a.w - 4 };
	struct buf	 text = BUF_INIT;
	struct heap	 h;
	uint64_t	 n;
	bool		 none = ui_heap(p->ui, &h) && told_findings(&h, &n, &text) && n == 0;

	if (none) {
		findings_draw_part(&in, ROLE_NORMAL, text.bad ? "" : text.s);
		findings_draw_part(&in, ROLE_DIM, hint_in(IN_NO_FINDINGS, VERB_EXPLAIN,
		    "_ shows what was checked.  Icicle shows field paths.").s);
	}
	buf_free(&text);
	return none;
}

/* A small pane shows the part with the focus. */
static void
findings_draw(struct pane *p, struct area a)
{
	struct findings_pane *f = p->data;
	uint64_t	 rows = f->list[FOUND]->now.known + 1;
	int		 top = a.h / 3 > LIST_LEAST ? a.h / 3 : LIST_LEAST;

	f->list[FOUND]->is.quiet = a.w < NARROW ? "severity percent why" : a.w < WIDE ? "why" : "";
	/* The trace says the kind; a wide list cuts its reasons instead. */
	f->list[FOUND]->is.spare = a.w < WIDE ? "kind" : NULL;
	if (!findings_compares(p) && draw_none(p, a))
		return;
	if ((findings_compares(p) && !f->explain) || f->list[FOUND]->now.known == 0 ||
	    (a.h < SPLIT_H && p->focus == FOUND && !f->explain)) {
		list_draw(f->list[FOUND], a, true);
		return;
	}
	if (f->full || a.h < SPLIT_H) {
		draw_below(p, a);
		return;
	}
	if (rows < (uint64_t)top && f->list[FOUND]->now.all)
		top = (int)rows;
	list_draw(f->list[FOUND], (struct area){ a.y, a.x, top, a.w }, p->focus == FOUND);
	draw_below(p, (struct area){ a.y + top, a.x, a.h - top, a.w });
}

/* ---- status text --------------------------------------------------------- */

/* Append the number of findings by severity. */
static void
path(struct pane *p, struct buf *b)
{
	struct findings_pane *f = p->data;
	struct buf	 text = BUF_INIT;
	struct heap	 h;
	uint64_t	 n;

	if (!findings_compares(p) && ui_heap(p->ui, &h) && told_findings(&h, &n, &text) && n > 0) {
		buf_str(b, buf_view(&text));
		if (f->full)
			buf_printf(b, "%sleak trace", glyph(GLYPH_INTO));
	}
	buf_free(&text);
}

/* Append the reason of a finding only where no leak trace shows it: on small screens and in comparisons. */
static void
findings_status(struct pane *p, struct buf *b)
{
	struct findings_pane *f = p->data;
	struct list	*l = f->list[FOUND];
	struct buf	 why = BUF_INIT, rest = BUF_INIT;
	struct cell	 c;

	if (p->focus == TRACE) {
		list_status(p, b);
		return;
	}
	if (!list_has_row(l))
		return;
	if ((p->area.h < SPLIT_H || findings_compares(p)) && list_cell(l, "why", &c) && c.type == CELL_TEXT) {
		buf_str(&why, c.text);
		buf_str(&why, STR("  "));
	}
	buf_chr(&rest, '(');
	list_place(l, &rest);
	buf_chr(&rest, ')');
	p->status_cut = screen_pair(b, &why, &rest, p->status_w);
}

/* ---- keys ---------------------------------------------------------------- */

/* Toggle the explanation; without findings, list the checks that were made. */
static void
explain(struct pane *p)
{
	struct findings_pane *f = p->data;

	f->explain = !f->explain && f->list[FOUND]->now.known > 0;
	ask_spread(f);
	if (f->list[FOUND]->now.known == 0)
		ui_ask(p->ui, "help findings | where kind = finding | select item meaning");
}

/* The lines before the path are about the finding. */
static bool
is_about_all(struct list *trace)
{
	struct cell	c;

	return list_cell(trace, "line", &c) && c.type == CELL_TEXT &&
	    (str_eq(c.text, STR("head")) || str_eq(c.text, STR("why")));
}

/* Return the object of the selected line or of the next line below with an object; 0: none. */
static uint32_t
object_in_trace(const struct findings_pane *f)
{
	struct list	*l = f->list[TRACE];
	uint64_t	 object = is_about_all(l) ? list_object(f->list[FOUND]) : 0;

	for (uint64_t row = l->sel; list_usable(l) && row < l->now.known && object == 0; row++)
		object = list_number_at(l->now.rows, row, "object");
	return (uint32_t)object;
}

/* In a comparison open the leak trace of the second dump; for a removed finding, that of the first. */
static void
enter_change(struct pane *p)
{
	struct list	*l = list_of(p);
	size_t		 file = !str_eq(list_word(l, "change"), STR("removed"));

	if (file != ui_session(p->ui)->at)
		look_choose(p->ui, file);
	list_open(l, "findings | where signature = {signature} | leaktrace | select text object", NULL);
}

static void
findings_enter(struct pane *p)
{
	struct findings_pane *f = p->data;

	if (f->explain)
		f->explain = false;
	else if (findings_compares(p))
		enter_change(p);
	else if (p->focus == TRACE)
		ui_go(p->ui, PLACE_OBJECT, object_in_trace(f));
	else if (f->list[FOUND]->now.known == 0)
		explain(p);
	else {
		p->focus = TRACE;
		f->full = true;
	}
}

static bool
findings_act(struct pane *p, enum verb verb)
{
	struct findings_pane *f = p->data;

	switch (verb) {
	case VERB_ENTER:
		if (list_of(p)->now.rows == NULL || list_of(p)->error[0] != '\0')
			list_reset(list_of(p));
		else
			findings_enter(p);
		return true;
	case VERB_BACK: case VERB_CLOSE:
		if (!f->explain && !f->full && (p->focus == FOUND || verb == VERB_CLOSE))
			return false;
		if (!f->explain) {
			p->focus = FOUND;
			f->full = false;
		}
		f->explain = false;
		return true;
	case VERB_FOCUS:
		if (findings_compares(p))
			return false;
		f->explain = false;
		p->focus = p->focus == FOUND && f->list[FOUND]->now.known > 0 ? TRACE : FOUND;
		f->full = false;
		return true;
	case VERB_EXPLAIN:
		explain(p);
		return true;
	default:
		return list_act(list_of(p), verb);
	}
}

/* Return the selected object; at the end of a trace, the object of the finding. */
static uint32_t
findings_selected(struct pane *p)
{
	struct findings_pane *f = p->data;
	uint32_t	 object = p->focus == TRACE ? object_in_trace(f) : 0;

	return object != 0 ? object : list_object(f->list[FOUND]);
}

/* Return the key contexts: Enter has a different meaning in a trace. */
static uint64_t
findings_where(const struct pane *p)
{
	const struct findings_pane *f = p->data;

	if (!findings_compares(p) && list_usable(f->list[FOUND]) && f->list[FOUND]->now.all &&
	    f->list[FOUND]->now.known == 0)
		return IN_NO_FINDINGS;
	return IN_OBJECTS | IN_FINDINGS | (p->focus == TRACE && !f->explain ? IN_TRACE : 0);
}

/* In a comparison there is no trace below the list to switch to. */
static bool
findings_offers(struct pane *p, enum verb verb)
{
	return verb != VERB_FOCUS || !findings_compares(p);
}

static bool
findings_inside(const struct pane *p)
{
	const struct findings_pane *f = p->data;

	return f->explain || f->full;
}

const struct pane_kind pane_findings = {
	"Findings", "findings", SHAPE_GRAPH, IN_FINDINGS | IN_NO_FINDINGS | IN_OBJECTS | IN_TRACE,
	    sizeof(struct findings_pane),
	LISTS_OF(lists), .compares = true,
	.now = findings_where, .inside = findings_inside, .on[PANE_RESET] = findings_reset,
	.on[PANE_FOLLOWS] = findings_follow,
	.draw = findings_draw, .tell[TELL_PATH] = path, .tell[TELL_STATUS] = findings_status,
	.act = findings_act, .offers = findings_offers, .object = findings_selected
};
