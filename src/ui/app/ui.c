/*
 * ui: the loop: collect what the worker did, take all input, draw once.
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "room.h"

enum { STEP_NS = 8000000, BUSY_MS = 250, ESCAPE_MS = 25, INPUT_MAX = 4096 };

/* ---- panes --------------------------------------------------------------- */

struct pane *
ui_pane(const struct ui *ui)
{
	return ui->pane[ui->cur];
}

bool
ui_add(struct ui *ui, const struct pane_kind *kind, const char *query, struct err *err)
{
	struct pane	*p;

	if (ui->npanes == UI_PANES)
		return fail(err, E_USAGE, "there are %d panes; q closes one", UI_PANES);
	p = mem_array(1, sizeof *p);
	if (p == NULL)
		return fail(err, E_SYSTEM, "no memory for a pane");
	p->kind = kind;
	p->ui = ui;
	p->stale = true;
	p->from = ui->npanes > 0 ? ui_pane(ui) : NULL;
	p->extra = kind->query == NULL;
	if (!kind->open(p, query, err)) {
		free(p);
		return false;
	}
	ui->pane[ui->npanes] = p;
	ui->cur = ui->npanes++;
	return true;
}

struct pane *
ui_find(struct ui *ui, const struct pane_kind *kind)
{
	size_t	i;

	for (i = 0; i < ui->npanes; i++)
		if (ui->pane[i]->kind == kind)
			return ui->pane[i];
	return NULL;
}

unsigned
ui_shapes(const struct ui *ui)
{
	return ui_store(ui) != NULL ? load_shapes(ui_store(ui)) : 0;
}

unsigned
ui_where(const struct ui *ui, const struct pane *p)
{
	unsigned	two = ui->session->nstores > 1 ? IN_TWO : 0;

	if (p->kind->now != NULL)
		return p->kind->now(p) | two;
	if ((p->kind->where & IN_LIST) == 0 || p->kind == &pane_help)
		return p->kind->where | two;
	return p->kind->where | two | (ui_shapes(ui) & SHAPE_GRAPH ? IN_OBJECTS : IN_CALLS);
}

void
ui_show(struct ui *ui, const struct pane *p)
{
	size_t	i;

	for (i = 0; i < ui->npanes; i++)
		if (ui->pane[i] == p)
			ui->cur = i;
}

void
ui_reset(struct ui *ui)
{
	size_t	i;

	for (i = 0; i < ui->npanes; i++)
		ui->pane[i]->stale = true;
}

/* Until the file is loaded only those that fit every file. */
static bool
open_panes(struct ui *ui, struct err *err)
{
	size_t	i;

	for (i = 0; panes[i] != NULL; i++)
		if (panes[i]->shapes == 0 && !ui_add(ui, panes[i], panes[i]->query, err))
			return false;
	for (i = 0; i < ui->opt->nqueries; i++)
		if (!ui_add(ui, &pane_query, ui->opt->queries[i], err))
			return false;
	if (ui->opt->nqueries == 0)
		ui->cur = 0;
	return true;
}

static int
tab_of(const struct pane *p)
{
	int	i;

	for (i = 0; panes[i] != NULL && panes[i] != p->kind; i++)
		;
	return i;
}

/* By the order of the table; what was opened later stays behind. */
static void
sort_panes(struct ui *ui)
{
	struct pane	*p;
	size_t		 i, k;

	for (i = 1; i < ui->npanes; i++) {
		p = ui->pane[i];
		for (k = i; k > 0 && tab_of(ui->pane[k - 1]) > tab_of(p); k--)
			ui->pane[k] = ui->pane[k - 1];
		ui->pane[k] = p;
	}
}

/* Takes it away; who came from there goes back to where it was opened. */
void
ui_remove(struct ui *ui, struct pane *p)
{
	struct pane	*shown = ui_pane(ui) != p ? ui_pane(ui) : p->from;
	size_t		 i, n = 0;

	for (i = 0; i < ui->npanes; i++) {
		if (ui->pane[i]->from == p)
			ui->pane[i]->from = p->from;
		if (ui->pane[i] != p)
			ui->pane[n++] = ui->pane[i];
	}
	ui->npanes = n;
	if (ui->cur >= ui->npanes)
		ui->cur = ui->npanes - 1;
	if (shown != NULL)
		ui_show(ui, shown);
	p->kind->close(p);
	free(p);
}

/* Keys of panes that are there, or can be opened, for help. */
void
ui_find_places(struct ui *ui)
{
	size_t	i;

	ui->where = IN_LIST | (ui_shapes(ui) & SHAPE_GRAPH ? pane_object.where : 0);
	for (i = 0; i < ui->npanes; i++)
		ui->where |= ui_where(ui, ui->pane[i]) | ui->pane[i]->kind->where;
}

/* Whatever the view of it is, which may be of another file. */
static bool
fits_file(struct ui *ui, const struct pane_kind *kind)
{
	struct session	*s = ui->session;
	struct store	*view = s->view;
	bool		 fits;

	s->view = NULL;
	fits = kind->shapes == 0 || ((kind->shapes & ui_shapes(ui)) != 0 &&
	    (kind->fits == NULL || kind->fits(ui)));
	s->view = view;
	return fits;
}

/* Those that fit the file that is shown, and no others. */
bool
ui_place(struct ui *ui, struct err *err)
{
	struct pane	*shown = ui_pane(ui), *p;
	size_t		 i;
	bool		 fits;

	for (i = 0; panes[i] != NULL; i++) {
		p = ui_find(ui, panes[i]);
		fits = fits_file(ui, panes[i]);
		if (fits && p == NULL && !ui_add(ui, panes[i], panes[i]->query, err))
			return false;
		if (fits || p == NULL)
			continue;
		if (shown == p)
			shown = NULL;
		ui_remove(ui, p);
	}
	sort_panes(ui);
	ui->cur = 0;
	if (shown != NULL)
		ui_show(ui, shown);
	ui_find_places(ui);
	return true;
}

struct store *
ui_store(const struct ui *ui)
{
	return session_store(ui->session);
}

/* ---- the pane that is shown ------------------------------------------------ */

/* True when there is more to do at once. */
static bool
step_pane(struct ui *ui)
{
	struct pane	*p = ui_pane(ui);

	if (ui->state != LOAD_DONE)
		return false;
	if (p->stale) {
		p->stale = false;
		if (p->kind->reset != NULL)
			p->kind->reset(p);
	}
	return p->kind->step != NULL && p->kind->step(p, os_now() + STEP_NS);
}

/* ---- messages ------------------------------------------------------------ */

void
ui_say(struct ui *ui, const char *fmt, ...)
{
	struct buf	b = BUF_INIT;
	char		raw[sizeof ui->message];
	va_list		ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	screen_fit(&b, str_of(raw));
	snprintf(ui->message, sizeof ui->message, "%s", b.n > 0 ? b.s : "");
	ui->bad = false;
	ui->skip = 0;
	buf_free(&b);
}

void
ui_fail(struct ui *ui, const struct err *err)
{
	ui_say(ui, "%s", err->kind == E_CANCEL ? "stopped" : err->text);
	ui->bad = err->kind != E_CANCEL;
}

/* The query is moved left until the mark can be seen. */
void
ui_query_error(struct ui *ui, struct str query, const struct err *err)
{
	struct buf	b = BUF_INIT, fit = BUF_INIT;
	struct str	rest, line;
	int		h, w;

	query_show_error(query, err, &b);
	rest = buf_view(&b);
	while (str_split(&rest, '\n', &line)) {
		if (fit.n > 0)
			buf_chr(&fit, '\n');
		screen_fit(&fit, line);
	}
	screen_size(&h, &w);
	snprintf(ui->message, sizeof ui->message, "%s", fit.n > 0 ? fit.s : err->text);
	ui->bad = true;
	ui->skip = 0;
	if (err->at != ERR_NOWHERE && err->at > (uint64_t)w * 3 / 4)
		ui->skip = (size_t)err->at - (size_t)w / 2;
	buf_free(&b);
	buf_free(&fit);
}

/* ---- input --------------------------------------------------------------- */

static bool
take_paste(struct ui *ui, const struct press *p)
{
	if (strcmp(p->name, "PasteBegin") == 0) {
		ui->pasting = true;
		buf_clear(&ui->paste);
		return true;
	}
	if (!ui->pasting)
		return false;
	if (strcmp(p->name, "PasteEnd") == 0) {
		ui->pasting = false;
		if (prompt_is_open())
			prompt_insert(buf_view(&ui->paste));
	} else
		buf_add(&ui->paste, p->raw, p->n);
	return true;
}

void
ui_press(struct ui *ui, const struct press *p)
{
	enum verb	verb;

	if (take_paste(ui, p))
		return;
	ui->message[0] = '\0';
	if (prompt_is_open()) {
		prompt_feed(p);
		prompt_poll(ui);
		return;
	}
	verb = key_verb(p, ui_where(ui, ui_pane(ui)));
	if (verb == VERB_CANCEL)
		task_cancel_all(ui);
	else if (verb != VERB_NONE)
		ui_act(ui, verb, p);
}

/* Whatever was typed; a key that is not whole yet gets a little time. */
static bool
take_input(struct ui *ui)
{
	char		in[INPUT_MAX];
	struct press	p;
	struct str	s;
	size_t		have = 0, n;
	bool		input = true, alive = true;

	do {
		n = input ? screen_read(in + have, sizeof in - have) : 0;
		if (input && n == 0)
			return false;
		have += n;
		s = (struct str){ in, have };
		while ((n = key_decode(s, !input, &p)) > 0) {
			ui_press(ui, &p);
			s.s += n;
			s.n -= n;
		}
		memmove(in, s.s, s.n);
		have = s.n;
		if (have > 0)
			alive = screen_wait_key(ESCAPE_MS, &input);
	} while (have > 0 && alive);
	return alive;
}

static void
take_wakes(struct ui *ui)
{
	struct press	c = { "C-c", "\003", 1 };
	enum wake	w;

	while ((w = screen_woken()) != WAKE_NONE) {
		if (w == WAKE_SIZE)
			screen_resize(0, 0);
		else if (w == WAKE_INTERRUPT)
			ui_press(ui, &c);
		else if (w == WAKE_END)
			ui->quit = true;
	}
}

/* ---- the loop ------------------------------------------------------------ */

static bool
turn(struct ui *ui)
{
	struct err	err;
	bool		more, input, idle;
	int		timeout;

	task_collect(ui);
	more = step_pane(ui);
	more |= prompt_step(ui, os_now() + STEP_NS);
	ui_draw(ui);
	/* A stopped load waits for the user; its panes stay as they are. */
	idle = !more && ui->running == NULL && ui->queue == NULL &&
	    (ui->state != LOAD_DONE || !ui_pane(ui)->stale);
	if (idle) {
		files_settle(ui);
		stream_go(ui);
		idle = !stream_runs(ui);
	}
	timeout = more ? 0 : ui->running != NULL ? BUSY_MS : -1;
	if (ui->script != NULL) {
		if (!script_step(ui->script, ui, idle, &err)) {
			ui->err = err;
			ui->state = LOAD_FAILED;
			return false;
		}
		timeout = ui->running != NULL ? 1 : 0;
	}
	if (ui->quit)
		return false;
	if (!screen_wait(timeout, &input))
		return false;
	take_wakes(ui);
	return !input || take_input(ui);
}

static void
end(struct ui *ui)
{
	size_t	i;

	prompt_end();
	for (i = 0; i < ui->npanes; i++) {
		ui->pane[i]->kind->close(ui->pane[i]);
		free(ui->pane[i]);
	}
	task_drop(&ui->found.task);
	task_drop(&ui->writer.task);
	task_drop(&ui->learner.task);
	task_drop(&ui->preparer.task);
	task_drop(&ui->save);
	task_drop(&ui->load);
	task_drop(&ui->look.task);
	worker_stop(ui->worker);
	files_end(ui);
	found_free(ui);
	buf_free(&ui->writer.path);
	buf_free(&ui->writer.query);
	buf_free(&ui->learner.query);
	buf_free(&ui->paste);
	buf_free(&ui->asked);
	script_close(ui->script);
	screen_close();
}

bool
ui_run(struct session *session, const struct ui_options *opt, struct err *err)
{
	struct ui	*ui = mem_array(1, sizeof *ui);
	bool		 ok = false;

	if (ui == NULL)
		return fail(err, E_SYSTEM, "no memory for the explorer");
	ui->session = session;
	ui->opt = opt;
	if (opt->keys != NULL && (ui->script = script_open(opt->keys, err)) == NULL)
		goto out;
	if (!screen_open(opt->keys != NULL, err) ||
	    !worker_start(&ui->worker, screen_wake_fd(), err) || !open_panes(ui, err))
		goto out;
	if (screen_note() != NULL)
		ui_say(ui, "%s", screen_note());
	ui_load(ui);
	while (turn(ui))
		;
	ok = ui->state != LOAD_FAILED;
	if (!ok)
		*err = ui->err;
out:
	end(ui);
	free(ui);
	if (signals_ended() != 0) {
		session_close(session);
		signals_raise();
	}
	return ok;
}
