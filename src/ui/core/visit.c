/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * visit: from one pane to a place in another, which is opened if necessary.
 */
#include "config.h"

#include "state.h"

/* Return why no pane handles the place, or NULL. */
static const char *
lack(enum place to)
{
	switch (to) {
	case PLACE_METHOD: case PLACE_SANDWICH: case PLACE_CALLS: case PLACE_LARGEST: case PLACE_THREADS:
		return "no calls in this file";
	case PLACE_TIME: case PLACE_TRACK: case PLACE_WINDOW:
		return "no stack chart: this file has no tracks and no calls in time order";
	case PLACE_STRETCH:
		return "no calls or tracks to show";
	default:
		return NULL;
	}
}

struct pane *
ui_asked(const struct ui *ui, const struct pane_kind *kind, struct str query)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if (ui->pane[i]->kind == kind && query.n > 0 && str_eq(buf_view(&ui->pane[i]->query), query))
			return ui->pane[i];
	return NULL;
}

/* A pane that Enter opened from the same pane, for other rows of the same source: the new one takes its place. */
static struct pane *
pane_before(struct ui *ui, const struct pane_kind *kind, const struct pane *was, const char *query)
{
	struct str	source, old, rest;
	struct pane	*p;

	for (size_t i = 0; query != NULL && i < ui->npanes; i++) {
		p = ui->pane[i];
		rest = str_of(query);
		str_split(&rest, ' ', &source);
		rest = buf_view(&p->query);
		str_split(&rest, ' ', &old);
		if (p->kind == kind && p->entered && !p->superseded && p->from == was && p != was &&
		    str_eq(source, old))
			return p;
	}
	return NULL;
}

/* Open a pane of a kind that is opened only on request, unless it is open with that query. */
static struct pane *
pane_call(struct ui *ui, const struct visit *v)
{
	const struct pane_kind *const *kind = called_panes;
	struct pane	*was = ui_pane(ui), *p;
	struct err	 err;

	while (*kind != NULL && ((*kind)->places >> v->to & 1) == 0)
		kind++;
	if (*kind == NULL)
		return NULL;
	if (v->query != NULL && (p = ui_asked(ui, *kind, str_of(v->query))) != NULL) {
		/*
		 * Backspace returns to the pane that led here. The pane that it was opened from may itself
		 * have been opened from this one.
		 */
		p->from = was->extra ? p->from : was;
		return p;
	}
	if ((p = pane_before(ui, *kind, was, v->query)) != NULL)
		p->superseded = true;
	if (!ui_add(ui, *kind, v->query != NULL ? v->query : "", &err)) {
		ui_fail(ui, &err);
		return NULL;
	}
	p = ui_pane(ui);
	p->other = was->other;
	ui_show(ui, p);
	p->entered = v->query != NULL;
	if (v->about.n > 0) {
		buf_str(&p->led, was->led.n > 0 ? buf_view(&was->led) : str_of(was->kind->name));
		buf_str(&p->led, str_of(glyph(GLYPH_INTO)));
		buf_str(&p->led, v->about);
	}
	return p;
}

void
ui_visit(struct ui *ui, const struct visit *v)
{
	struct pane	*p = v->query == NULL ? ui_answers(ui, v->to) : NULL;
	struct visit	 visit = *v;
	struct pane	*was = ui_pane(ui);
	const struct pane_kind *came;

	if (split_couples(ui)) {
		split_lead(ui, v);
		return;
	}
	/* Rows of object lists may have no object. */
	if (v->id == 0 && v->to >= PLACE_OBJECT && v->to <= PLACE_RETAINED)
		return;
	if (p != NULL && was->other) {
		ui_say(ui, "not from here: %s shows the other file; %s", p->kind->name,
		    hint(VERB_OTHER, "_ switches to it").s);
		return;
	}
	if (p == NULL && (p = pane_call(ui, v)) == NULL) {
		if (lack(v->to) != NULL)
			ui_say(ui, "%s", lack(v->to));
		return;
	}
	came = p->came;
	visit.asker = was;
	ui->visiting = p != was;
	if (p != was)
		p->came = was->kind;
	ui_show(ui, p);
	if (PANE_DOES(p, go) != NULL && !PANE_DOES(p, go)(p, &visit)) {
		p->came = came;
		ui_show(ui, was);
	}
	ui->visiting = false;
}

void
ui_go(struct ui *ui, enum place to, uint32_t id)
{
	ui_visit(ui, &(struct visit){ .to = to, .id = id });
}

void
ui_ask(struct ui *ui, const char *query)
{
	ui_visit(ui, &(struct visit){ .to = PLACE_QUERY, .query = query });
}

void
ui_go_time(struct ui *ui, uint32_t thread, uint32_t method)
{
	ui_visit(ui, &(struct visit){ .to = PLACE_TIME, .id = thread, .method = method });
}

void
ui_go_threads(struct ui *ui, const uint32_t *ids, size_t n)
{
	ui_visit(ui, &(struct visit){ .to = PLACE_THREADS, .ids = ids, .n = n });
}
