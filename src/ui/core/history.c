/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * history: undo steps: u undoes the last one, U redoes it.
 *
 * A step stores the other state: the stages of the view, if it changed them, and the places of panes. Undo
 * and redo both swap the stored state with the current one.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "state.h"

/* ---- steps ----------------------------------------------------------------- */

static void
free_step(struct step *s)
{
	for (size_t i = 0; i < s->nspots; i++)
		buf_free(&s->spot[i].place);
	free(s->spot);
	free(s->stages);
	buf_free(&s->name);
	*s = (struct step){ .name = BUF_INIT };
}

static void
remove_step(struct history *h, size_t i)
{
	free_step(&h->step[i]);
	memmove(&h->step[i], &h->step[i + 1], (--h->n - i) * sizeof *h->step);
	h->at -= h->at > i;
	h->from -= h->from > i;
}

/* Add a step; drop the undone steps, which can no longer be redone. */
static struct step *
history_add(struct history *h, enum step_kind kind, struct str name)
{
	struct step	*s;

	while (h->n > h->at)
		remove_step(h, h->n - 1);
	if (h->n == STEPS)
		remove_step(h, 0);
	s = &h->step[h->n++];
	h->at = h->n;
	*s = (struct step){ .kind = kind, .name = BUF_INIT };
	buf_str(&s->name, name);
	return s;
}

static void
history_add_spot(struct step *s, struct pane *p)
{
	if (MEM_ROOM(s->spot, s->capspots, s->nspots))
		s->spot[s->nspots++] = placed_now(p);
}

static bool
history_is_of(const struct step *s, const struct pane *p)
{
	return s->stages == NULL && !s->jump && s->nspots > 0 && s->spot[0].file == p->ui->main->at &&
	    placed_is(&s->spot[0], p);
}

/* Consecutive sort steps of a pane are merged into one. */
void
step_add(struct pane *p, enum step_kind kind, const char *name)
{
	struct history	*h = &p->ui->history;
	struct step	*last = h->at > 0 ? &h->step[h->at - 1] : NULL;

	if (!p->ui->split.couples && placed_has(p) && (kind != STEP_SORT || last == NULL || last->kind != kind ||
	    !history_is_of(last, p))) {
		last = history_add(h, kind, str_of(name));
		last->visit = p->ui->visiting || kind == STEP_VISIT;
		history_add_spot(last, p);
	}
	placed_stay(p);
}

static void
leave_view(struct history *h)
{
	if (!h->leaving)
		h->from = h->at;
	h->leaving = true;
}

static void
add_all_spots(struct step *s, struct ui *ui)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if (!ui->pane[i]->extra && placed_has(ui->pane[i]))
			history_add_spot(s, ui->pane[i]);
}

void
step_view(struct ui *ui, const char *stages, const char *next)
{
	struct history	*h = &ui->history;
	struct buf	 name = BUF_INIT;
	char		*before = mem_copy(str_of(stages));
	struct step	*s;

	if (before == NULL)
		return;
	bookmark_stay(ui);
	leave_view(h);
	if (next != NULL)
		look_name(stages, next, &name);
	else
		buf_str(&name, STR("other file"));
	s = history_add(h, STEP_VIEW, buf_view(&name));
	s->stages = before;
	s->file = ui->look.at;
	add_all_spots(s, ui);
	buf_free(&name);
}

void
step_jump(struct ui *ui, const char *mark, struct pane *to, bool view)
{
	struct history	*h = &ui->history;
	struct buf	 name = BUF_INIT;
	char		*before = view ? mem_copy(str_of(look_wanted(ui))) : NULL;
	struct step	*s;

	buf_printf(&name, "mark %s", mark);
	if (before != NULL)
		leave_view(h);
	s = history_add(h, STEP_VIEW, buf_view(&name));
	s->jump = true;
	s->shown = ui_pane(ui);
	s->clock = look_clock(ui);
	s->stages = before;
	s->file = ui->look.at;
	if (view)
		add_all_spots(s, ui);
	else if (to != NULL && !to->extra && placed_has(to))
		history_add_spot(s, to);
	buf_free(&name);
}

/* ---- undo and redo ----------------------------------------------------------- */

/* A step of one pane applies only while its file is shown. */
static bool
applies(const struct ui *ui, const struct step *s)
{
	return s->stages != NULL || (s->jump && s->file == ui->main->at) ||
	    (s->nspots > 0 && s->spot[0].file == ui->main->at && placed_pane(ui, &s->spot[0]) != NULL);
}

/* Return the next step to undo or redo; NULL if there is none. */
static struct step *
next_step(struct ui *ui, bool redo)
{
	struct history	*h = &ui->history;

	if (redo) {
		for (size_t i = h->at; i < h->n; i++)
			if (applies(ui, &h->step[i]))
				return &h->step[i];
		return NULL;
	}
	for (size_t i = h->at; i > 0; i--)
		if (applies(ui, &h->step[i - 1]))
			return &h->step[i - 1];
	return NULL;
}

static void
swap_spot(struct ui *ui, struct pane_at *s)
{
	struct pane	*p = placed_pane(ui, s);
	struct pane_at	 was = *s;

	if (p == NULL || s->file != ui->main->at)
		return;
	*s = placed_now(p);
	placed_come(ui, &was);
	buf_free(&was.place);
}

static void
swap_jump(struct ui *ui, struct step *s)
{
	struct pane	*shown = ui_pane(ui);
	enum clock	 clock = look_clock(ui);

	if (s->shown != NULL)
		ui_show(ui, s->shown);
	look_set_clock(ui, s->clock);
	s->shown = shown;
	s->clock = clock;
}

static void
swap_step(struct ui *ui, struct step *s)
{
	char		*stages = s->stages;
	size_t		 file = s->file;

	for (size_t i = 0; i < s->nspots; i++)
		swap_spot(ui, &s->spot[i]);
	if (s->jump)
		swap_jump(ui, s);
	if (stages == NULL || (s->stages = mem_copy(str_of(look_wanted(ui)))) == NULL)
		return;
	look_want(ui, stages);
	s->file = ui->look.at;
	ui->look.at = file;
	free(stages);
}

/* Steps of other files in between keep their place and order. */
static void
history_move(struct ui *ui, struct step *s, bool redo)
{
	struct history	*h = &ui->history;
	struct step	 one = *s;
	size_t		 i = (size_t)(s - h->step);

	if (s->stages != NULL)
		leave_view(h);
	if (redo) {
		memmove(&h->step[h->at + 1], &h->step[h->at], (i - h->at) * sizeof one);
		s = &h->step[h->at++];
	} else {
		memmove(&h->step[i], &h->step[i + 1], (--h->at - i) * sizeof one);
		s = &h->step[h->at];
	}
	*s = one;
	swap_step(ui, s);
}

/* Undo or redo a step, and show its pane, so that the change is visible. */
void
history_go(struct ui *ui, bool redo)
{
	struct step	*s = next_step(ui, redo);
	const struct step *next;
	struct buf	 b = BUF_INIT;
	struct pane	*p;

	if (s == NULL) {
		ui_say(ui, redo ? "nothing to redo" : "nothing to undo");
		return;
	}
	bookmark_stay(ui);
	buf_printf(&b, "%s: %s", redo ? "redone" : "undone", s->name.n > 0 ? s->name.s : "");
	p = s->stages == NULL && !s->jump ? placed_pane(ui, &s->spot[0]) : NULL;
	if (p != NULL && p != ui_pane(ui)) {
		buf_printf(&b, " in %s", p->kind->name);
		ui_show(ui, p);
	}
	history_move(ui, s, redo);
	next = next_step(ui, redo);
	if (next != NULL && next->name.n > 0)
		buf_printf(&b, " (%s again: %s)", redo ? "U" : "u", next->name.s);
	if (!b.bad)
		ui_say(ui, "%s", b.s);
	buf_free(&b);
}

/* Return the last stage. */
static struct str
history_last_of(const char *stages)
{
	struct str	rest = str_of(stages), one, last = STR("");

	while (str_split(&rest, '\n', &one))
		last = one.n > 0 ? one : last;
	return last;
}

void
history_back_to(struct ui *ui, struct str stage)
{
	for (size_t i = 0; i < STEPS && next_step(ui, false) != NULL && look_has(ui, stage) &&
	    !str_eq(history_last_of(look_wanted(ui)), stage); i++)
		history_go(ui, false);
}

bool
step_back(struct pane *p)
{
	struct step	*s = next_step(p->ui, false);

	bool		 leads;

	if (s == NULL || (s->kind != STEP_ZOOM && s->kind != STEP_VISIT) || !history_is_of(s, p))
		return false;
	leads = s->visit;
	history_move(p->ui, s, false);
	if (leads)
		ui_leave(p);
	return true;
}

const char *
history_next(struct ui *ui)
{
	const struct step *s = next_step(ui, false);

	return s != NULL && s->name.n > 0 ? s->name.s : NULL;
}

/* ---- when the view is ready --------------------------------------------------- */

void
history_arrived(struct ui *ui)
{
	ui->history.leaving = false;
	placed_arrive(ui, true);
}

static void
swap_stages(struct step *s, char **stages, size_t *file)
{
	char	*was = s->stages;
	size_t	 of = s->file;

	if (was == NULL)
		return;
	s->stages = *stages;
	s->file = *file;
	*stages = was;
	*file = of;
}

/* The panes did not move, but a jump opened another one and set the clock. */
static void
step_return(struct ui *ui, struct step *s, char **stages, size_t *file)
{
	swap_stages(s, stages, file);
	if (s->jump)
		swap_jump(ui, s);
}

void
history_refused(struct ui *ui)
{
	struct history	*h = &ui->history;
	char		*stages = mem_copy(str_of(look_wanted(ui)));
	size_t		 file = ui->look.at;
	bool		 done = h->at > h->from;

	bookmark_stay(ui);
	placed_drop(ui, OF_BOTH);
	while (h->leaving && stages != NULL && h->at > h->from)
		step_return(ui, &h->step[--h->at], &stages, &file);
	while (h->leaving && stages != NULL && h->at < h->from && h->at < h->n)
		step_return(ui, &h->step[h->at++], &stages, &file);
	while (h->leaving && done && h->n > h->at)
		remove_step(h, h->n - 1);
	h->leaving = false;
	free(stages);
}

void
history_renumber(struct ui *ui)
{
	ui->history.snapshot++;
}

void
history_forget(const struct pane *p)
{
	struct history	*h = &p->ui->history;
	size_t		 i = p->extra ? h->n : 0;

	placed_stay(p);
	for (size_t k = 0; k < h->n; k++)
		h->step[k].shown = h->step[k].shown != p ? h->step[k].shown : NULL;
	while (i-- > 0)
		if (history_is_of(&h->step[i], p))
			remove_step(h, i);
}

void
history_free(struct ui *ui)
{
	struct history	*h = &ui->history;

	while (h->n > 0)
		remove_step(h, h->n - 1);
	placed_drop(ui, OF_BOTH);
	free(ui->coming.at);
}
