/*
 * files: opening what was asked for, one file after the other, and stores that take the place of others,
 * which are closed when no pane holds anything of them.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/view.h"
#include "room.h"

/* ---- stores that are not needed any more --------------------------------- */

static void
forget(struct pane *p)
{
	p->stale = true;
	if (p->kind->forget != NULL)
		p->kind->forget(p);
}

static void
close_old(struct ui *ui)
{
	size_t	i;

	for (i = 0; i < ui->nold; i++)
		store_close_pile(ui->old[i].top, ui->old[i].bottom);
	ui->nold = 0;
}

/* Panes that see no view hold nothing of one. */
static void
let_go(struct ui *ui, bool all)
{
	bool	base = false;
	size_t	i;

	for (i = 0; i < ui->nold; i++)
		base |= ui->old[i].bottom == NULL;
	for (i = 0; i < ui->npanes; i++)
		if ((all || ui->pane[i]->stale) && (base || !ui->pane[i]->kind->plain))
			forget(ui->pane[i]);
	close_old(ui);
}

/* A hidden pane that was shown before and was not asked since still has what was. */
void
files_settle(struct ui *ui)
{
	if (ui->nold > 0 && !ui_pane(ui)->stale)
		let_go(ui, false);
}

/*
 * What is shown stays until there is something else to show; what is hidden need not wait.  plain: panes that see no
 * view stay as they are.
 */
static void
make_way(struct ui *ui, bool plain)
{
	struct pane	*p;
	size_t		 i;

	if (ui->nold > 0)
		let_go(ui, true);
	for (i = 0; i < ui->npanes; i++) {
		p = ui->pane[i];
		if (plain && p->kind->plain && !p->kind->ranged)
			continue;
		if (p != ui_pane(ui))
			forget(p);
		p->stale = true;
	}
	task_drop(&ui->found.task);
	found_free(ui);
	prompt_forget();
}

/* The store of the session that a view lies over. */
static const struct store *
bottom_of(const struct session *s, struct store *view)
{
	struct store	*st;
	size_t		 i;

	for (st = view; st != NULL; st = store_below(st))
		for (i = 0; i < s->nstores; i++)
			if (st == s->store[i])
				return st;
	return NULL;
}

static void
put_by(struct ui *ui, struct store *top, const struct store *bottom)
{
	if (top != NULL)
		ui->old[ui->nold++] = (struct old_store){ top, bottom };
}

/* One that the store has; what differs is looked at by how much. */
static void
choose_clock(struct ui *ui)
{
	struct session	*s = ui->session;
	struct weights	 w;
	int		 i;

	if ((ui_shapes(ui) & SHAPE_GRAPH) != 0)
		return;
	weights_of(ui_store(ui), &w);
	for (i = 0; i < CLOCKS && w.name[s->clock] == NULL; i++)
		s->clock = (s->clock + 1) % CLOCKS;
}

void
ui_swap(struct ui *ui, size_t at, struct store *base, struct store *view)
{
	struct session	*s = ui->session;
	char		 sought[sizeof ui->found.text];

	memcpy(sought, ui->found.task.given ? ui->found.next_text : ui->found.text, sizeof sought);
	make_way(ui, base == NULL && at == s->at);
	put_by(ui, s->view, bottom_of(s, s->view));
	if (base != NULL) {
		put_by(ui, s->store[0], NULL);
		s->store[0] = base;
	}
	s->view = view;
	s->at = at;
	ui->version++;
	ui->saved = task_passes(ui);
	choose_clock(ui);
	if (sought[0] != '\0' && (ui_shapes(ui) & SHAPE_GRAPH) == 0)
		found_again(ui, sought);
}

/* Written only when it differs: the worker may be reading it. */
struct session *
ui_plain(struct ui *ui)
{
	struct session	now = *ui->session;

	now.view = NULL;
	now.clock = look_clock(ui);
	if (memcmp(&now, &ui->plain, sizeof now) != 0)
		ui->plain = now;
	return &ui->plain;
}

/* ---- loading ------------------------------------------------------------- */

static const char *
path_of(const struct ui *ui, size_t i)
{
	return i == 0 ? ui->opt->path : ui->opt->paths[i];
}

static bool
load_run(struct task *t, struct work *work, struct err *err)
{
	struct ui	*ui = t->ui;
	struct store_options opt = ui->opt->store;

	if (ui->loading > 0)
		opt.dump = 0;
	else if (!stream_open(ui, work, err))
		return false;
	else if (ui->stream.live != NULL)
		return true;
	return load_open(&ui->loaded, path_of(ui, ui->loading), &opt, work, err) &&
	    load_sides(&ui->loaded, ui->loaded, &ui->opt->sides, work, err) &&
	    (ui->opt->event == NULL || (load_shapes(ui->loaded) & SHAPE_SAMPLES) == 0 ||
	    view_event(&ui->loaded, ui->opt->event, work, err));
}

static void
take_loaded(struct ui *ui)
{
	struct session	*s = ui->session;

	if (s->nstores == 1 && ui->opt->has_offset)
		s->offset[1] = ui->opt->offset;
	s->store[s->nstores++] = ui->loaded;
	ui->loaded = NULL;
	ui->loading++;
}

/* A profile may count a rare event where another one has nearly all samples. */
static void
tell_events(struct ui *ui)
{
	const struct store *st = session_store(ui->session);
	uint32_t event = st == NULL ? 0 : event_larger(st);
	struct buf b = BUF_INIT;

	if (event == 0)
		return;
	text_fit_buf(&b, event_name(st, event));
	if (!b.bad)
		ui_say(ui, "%.*s has at least ten times the samples; e shows it", (int)b.n, b.s);
	buf_free(&b);
}

static void
first_loaded(struct ui *ui)
{
	struct pane	*shown = ui_pane(ui);

	take_loaded(ui);
	ui->state = LOAD_DONE;
	ui->saved = task_passes(ui);
	choose_clock(ui);
	if (!ui_place(ui, &ui->err)) {
		ui->state = LOAD_FAILED;
		ui->quit = true;
	}
	if (!shown->extra)
		ui->cur = ui->wanted < ui->npanes ? ui->wanted : 0;
	ui_reset(ui);
	tell_events(ui);
}

static void
first_failed(struct ui *ui, const struct err *err)
{
	if (err->kind == E_CANCEL) {
		ui->state = LOAD_STOPPED;
		return;
	}
	ui->state = LOAD_FAILED;
	ui->err = *err;
	ui->quit = true;
}

/* A further file that cannot be read is told; the first stays. */
static void
other_done(struct ui *ui, bool ok, const struct err *err)
{
	if (ok) {
		take_loaded(ui);
		ui_find_places(ui);
		ui_reset(ui);
		return;
	}
	ui_say(ui, "%s: %s", path_of(ui, ui->loading), err->kind == E_CANCEL ? "stopped" : err->text);
	ui->bad = true;
	ui->loading++;
}

static void
load_done(struct task *t, bool ok, const struct err *err)
{
	struct ui	*ui = t->ui;

	if (!ok) {
		store_close_pile(ui->loaded, NULL);
		ui->loaded = NULL;
	}
	if (ui->loading > 0)
		other_done(ui, ok, err);
	else if (ok)
		first_loaded(ui);
	else
		first_failed(ui, err);
	if (ui->state == LOAD_DONE && ui->loading < ui->opt->npaths &&
	    ui->session->nstores < SESSION_STORES)
		task_give(ui, &ui->load);
}

void
ui_load(struct ui *ui)
{
	ui->state = LOAD_RUNNING;
	ui->load.run = load_run;
	ui->load.done = load_done;
	task_give(ui, &ui->load);
}

/* After the panes were closed and the worker has stopped. */
void
files_end(struct ui *ui)
{
	stream_end(ui);
	close_old(ui);
	store_close_pile(ui->loaded, NULL);
	store_close_pile(ui->look.base, NULL);
}
