/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * act: keys that work in every pane, and commands of the prompt.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "icecore/keys.h"
#include "app.h"
#include "ui/list/list.h"

/* ---- prompts ------------------------------------------------------------- */

static void save_query(struct app *, struct str name);

/* Words that the prompt accepts besides queries, with their verbs. A word without a verb takes a name. */
static const struct word {
	const char	*word, *what;
	enum verb	 verb;
	void		(*take)(struct app *, struct str name);
} words[] = {
	{ "keys", "show the keys of this pane", VERB_HELP, NULL },
	{ "save", "save NAME: save this pane's query; :NAME runs it", VERB_NONE, save_query },
	{ "mark", "mark NAME: set a mark; ' goes back to it", VERB_NONE, bookmarks_set },
	{ "marks", "go to a mark", VERB_MARKS, NULL },
	{ "quit", "quit", VERB_QUIT, NULL },
	{ "q", "quit", VERB_QUIT, NULL },
};

static const struct word *
find_word(struct str word)
{
	for (size_t i = 0; i < NELEM(words); i++)
		if (str_eq(word, str_of(words[i].word)))
			return &words[i];
	return NULL;
}

static bool
has_meaning(struct str word)
{
	for (size_t i = 0; commands[i] != NULL; i++)
		if (str_eq(word, str_of(commands[i]->word)))
			return true;
	return find_word(word) != NULL;
}

static void
offer_saved(struct completion *c, struct str name, struct str query)
{
	struct buf	what = BUF_INIT;
	char		text[64];

	snprintf(text, sizeof text, "%.*s", (int)name.n, name.s);
	buf_str(&what, query);
	if (!what.bad && what.n > 0)
		completion_offer(c, text, what.s);
	buf_free(&what);
}

void
app_words(const struct ui *ui, enum prompt_kind kind, struct completion *c)
{
	struct buf	file = BUF_INIT;
	struct str	rest, name, query;

	if (kind == PROMPT_MARK)
		bookmarks_offer(ui, c);
	else if (kind == PROMPT_PALETTE)
		palette_offer(ui, c);
	if (kind >= PROMPT_MARK || !c->first)
		return;
	saved_read(&file);
	for (rest = buf_view(&file); saved_next(&rest, &name, &query);)
		offer_saved(c, name, query);
	buf_free(&file);
	for (size_t i = 0; i < NELEM(words); i++)
		completion_offer(c, words[i].word, words[i].what);
}

static void
save_query(struct app *app, struct str name)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 query = BUF_INIT;
	struct err	 err;
	bool		 replaced;

	pane_tell(p, TELL_QUERY, &query);
	if (query.n == 0)
		buf_str(&query, buf_view(&app->asked));
	if (query.n == 0 || query.bad)
		ui_say(app->ui, "nothing to save: open a query pane first");
	else if (has_meaning(name))
		ui_say(app->ui, "'%.*s' is a command; choose another name",
		    (int)name.n, name.s);
	else if (!saved_put(name, buf_view(&query), &replaced, &err))
		ui_fail(app->ui, &err);
	else
		ui_say(app->ui, "%s :%.*s = %s", replaced ? "replaced:" : "saved:", (int)name.n,
		    name.s, query.s);
	buf_free(&query);
}

/* Run a line that begins with such a word; false: it does not begin with one. */
static bool
word_entered(struct app *app, struct str line)
{
	const struct word *w;
	struct str	word;

	str_split(&line, ' ', &word);
	w = find_word(word);
	if (w != NULL && w->verb != VERB_NONE)
		app_act(app, w->verb, NULL, NULL);
	else if (w != NULL)
		w->take(app, str_trim(line));
	return w != NULL;
}

/* Open a pane for a query; false: the query is invalid. */
static bool
run_query(struct app *app, struct str text, struct err *err)
{
	struct query	*q;
	struct err	 why;
	struct pane	*same = NULL;
	bool		 ok;

	if (!query_parse(&q, text, err))
		return false;
	ok = ui_store(app->ui) == NULL || query_fits(q, ui_plain(app->ui), err);
	if (ok && !query_writes(q))
		same = ui_asked(app->ui, &pane_query, text);
	query_free(q);
	if (!ok)
		return false;
	buf_clear(&app->asked);
	buf_str(&app->asked, text);
	if (same != NULL)
		ui_show(app->ui, same);
	else if (!ui_add(app->ui, &pane_query, text.s, &why))
		ui_fail(app->ui, &why);
	return true;
}

/* Run the entered query, or the query saved under that name. */
static void
query_entered(void *asker, const char *entered)
{
	struct app	*app = asker;
	struct buf	 line = BUF_INIT;
	struct str	 s = str_trim(str_of(entered));
	struct err	 err;

	if (s.n == 0 || word_entered(app, s))
		return;
	if (!saved_get(s, &line) && !typed_behind(app, s, &line))
		buf_str(&line, s);
	if (line.bad)
		ui_say(app->ui, "out of memory (query)");
	else if (!(typed_is(app, buf_view(&line)) ? typed_do : run_query)(app, buf_view(&line), &err)) {
		ui_query_error(app->ui, buf_view(&line), &err);
		prompt_open(PROMPT_QUERY, ":", line.s, query_entered, app);
	}
	buf_free(&line);
}

static void
ask_query(struct app *app, bool own)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 b = BUF_INIT, label = BUF_INIT;

	/* A copied query begins with the options that it needs on the command line. */
	if (own) {
		pane_tell(p, TELL_QUERY, &b);
		if (b.n > 0)
			ui_command_options(app->ui, &label);
	}
	buf_chr(&label, ':');
	prompt_open(PROMPT_QUERY, label.bad ? ":" : label.s, b.n > 0 ? b.s : "", query_entered, app);
	buf_free(&label);
	buf_free(&b);
}

/* ---- panes --------------------------------------------------------------- */

static void
next_clock(struct app *app)
{
	struct session	*s = app->session;
	struct buf	 name = BUF_INIT;
	struct weights	 w;

	weights_of(ui_store(app->ui), &w);
	for (size_t i = 0; i < CLOCKS; i++) {
		s->clock = (s->clock + 1) % CLOCKS;
		if (w.name[s->clock] != NULL)
			break;
	}
	ui_weight(app->ui, &name);
	if (!name.bad)
		ui_say(app->ui, "%s: %s", w.clocks && !w.differs ? "clock" : "weight", name.s);
	buf_free(&name);
	ui_reset(app->ui);
}

/* Change the view by the selected frame. */
static void
act_look(struct app *app, enum verb verb)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 name = BUF_INIT;

	pane_tell(p, TELL_FRAME, &name);
	look_act(app, verb, buf_view(&name));
	buf_free(&name);
}

/* ---- objects -------------------------------------------------------------- */

static void
next_refs(struct app *app)
{
	static const char *const what[HEAP_REFS] = {
		[REFS_SOFT] = "weak and finalizer references ignored",
		[REFS_STRONG] = "soft, weak and finalizer references ignored",
		[REFS_ALL] = "all references, weak ones too",
		[REFS_UNREACHABLE] = "all references; unreachable objects get their own roots"
	};
	struct session	*s = app->session;

	s->refs = (s->refs + 1) % HEAP_REFS;
	ui_heap_stop(app->ui, false);
	ui_say(app->ui, "references: %s (%s)", heap_refs_names[s->refs], what[s->refs]);
	ui_reset(app->ui);
}

static void
act_on_object(struct app *app, enum verb verb)
{
	struct pane	*p = ui_pane(app->ui);
	uint32_t	 object = pane_selected(p);
	char		 query[32];

	if (object == 0)
		ui_say(app->ui, "no object selected");
	else if (verb == VERB_ENTRIES) {
		snprintf(query, sizeof query, "entries @%" PRIu32, object);
		ui_ask(app->ui, query);
	} else
		ui_go(app->ui, verb == VERB_DOMINATORS ? PLACE_DOMINATORS : verb == VERB_PATH ? PLACE_PATH :
		    PLACE_REFERRERS, object);
}

/* ---- back ------------------------------------------------------------------ */

/* Clear all filters, ranges and groups: of the view and of this pane. */
static void
act_clear(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	bool		 any = *look_wanted(app->ui) != '\0';

	if (any)
		look_set(app->ui, "");
	any |= pane_act(p, VERB_CLEAR);
	if (!any)
		ui_say(app->ui, "no filter, range or group to clear");
}

/* Leave what was opened in the pane, then return to the previous pane.  Filters and ranges stay. */
static void
act_back(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	const char	*undoes = history_next(app->ui);

	if (search_forget(app) || pane_act(p, VERB_BACK))
		return;
	if (ui_leave(p))
		return;
	if (p->extra && p->from != NULL)
		ui_show(app->ui, p->from);
	else if (undoes != NULL && *look_wanted(app->ui) != '\0')
		ui_say(app->ui, "%s %s", hint(VERB_UNDO, "_ undoes").s, undoes);
	else
		ui_say(app->ui, "already at the top level");
}

/* Close what was opened. If nothing is open, quit: on the second press in a row, unless a list is shown then. */
static void
act_leave(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	bool		 again = app->leaving;

	app->leaving = false;
	if (p->extra && !hints_row_opened(app))
		ui_close(app->ui);
	else if (app->state == LOAD_DONE && pane_act(p, VERB_CLOSE))
		return;
	else if (again || app->opt->of_row)
		app->quit = true;
	else {
		app->leaving = true;
		ui_say(app->ui, "%s%s", hint(VERB_CLOSE, "press _ again to quit").s,
		    app->state == LOAD_DONE && !task_idle(app->ui) && !app->opt->store.memory_only ?
		    "; finished work stays in the index" : "");
	}
}

/* ---- what was stopped ------------------------------------------------------- */

/* Resume stopped passes, and reload the pane to show their results. */
static void
resume(struct app *app)
{
	ui_heap_stop(app->ui, false);
	ui_pane(app->ui)->stale = true;
}

/* True for Enter on rows that are incomplete because a pass was stopped. */
static bool
resumes(struct app *app, enum verb verb)
{
	return verb == VERB_ENTER && ui_stopped(app->ui) > 0 && task_idle(app->ui) &&
	    (ui_where(app->ui, ui_pane(app->ui)) & IN_LISTS) != 0 && app_partial(app);
}

/* ---- verbs with the same meaning everywhere ------------------------------ */

static bool
act_everywhere(struct app *app, enum verb verb, const struct press *press)
{
	size_t	i;

	switch (verb) {
	case VERB_QUIT:
		app->quit = true;
		return true;
	case VERB_CLOSE:
		act_leave(app);
		return true;
	case VERB_NEXT_PANE: case VERB_PREV_PANE:
		ui_turn(app->ui, verb == VERB_PREV_PANE);
		return true;
	case VERB_PANE:
		i = press != NULL ? (size_t)(press->name[0] - '1') : 0;
		if (ui_nth(app->ui, i) != NULL)
			ui_show(app->ui, ui_nth(app->ui, i));
		else if (app->state == LOAD_DONE)
			ui_say(app->ui, "no pane %zu; the last is %zu", i + 1, ui_panes(app->ui));
		app->wanted = i;
		return true;
	case VERB_GO:
		go_begin(app);
		return true;
	case VERB_PALETTE:
		palette_open(app);
		return true;
	case VERB_PROMPT:
	case VERB_QUERY:
		ask_query(app, verb == VERB_QUERY);
		return true;
	case VERB_MOUSE:
		click_switch(app);
		return true;
	case VERB_REDRAW:
		app->redraw = true;
		resume(app);
		return true;
	default:
		return false;
	}
}

/* Close the overlay, and take the selected item, or have its key pressed next. */
static void
take_chosen(struct app *app, struct press *next)
{
	const struct remark *item = overlay_chosen(&app->overlays);

	if (item == NULL || overlay_choose(&app->overlays, app->ui))
		return;
	key_first(buf_view(&item->left), next);
	overlay_close(&app->overlays);
}

/* A verb that no overlay handles closes all overlays, except copy and redraw. */
static bool
act_on_overlay(struct app *app, enum verb verb, struct press *next)
{
	if (overlay_act(&app->overlays, app->ui, verb))
		return true;
	if (app->overlays.n == 0 || verb == VERB_COPY || verb == VERB_REDRAW)
		return false;
	if (verb == VERB_ENTER) {
		take_chosen(app, next);
		return true;
	}
	while (app->overlays.n > 0)
		overlay_close(&app->overlays);
	return false;
}

bool
app_waits(struct app *app, enum verb verb)
{
	struct pane	*p = ui_pane(app->ui);

	switch (verb) {
	case VERB_NONE: case VERB_CANCEL: case VERB_HELP: case VERB_LEGEND: case VERB_QUIT: case VERB_CLOSE:
	case VERB_SPLIT: case VERB_SIDE: case VERB_NEXT_PANE: case VERB_PREV_PANE: case VERB_PANE: case VERB_GO:
	case VERB_PALETTE: case VERB_PROMPT: case VERB_REDRAW: case VERB_MOUSE:
		return false;
	default:
		return app->state == LOAD_DONE && app->overlays.n == 0 && !compare_lacks(app) &&
		    (p->stale || pane_busy(p));
	}
}

static bool
refuses(struct app *app, enum verb verb)
{
	if (!app->session->sealed || (verb != VERB_WRITE && verb != VERB_PNG && verb != VERB_PNG_ALL))
		return false;
	ui_say(app->ui, "cannot write files here: read-only session");
	return true;
}

/* Handle keys while a file is loaded. */
static void
act_loaded(struct app *app, enum verb verb)
{
	switch (verb) {
	case VERB_COPY:
		app_copy(app);
		break;
	case VERB_COPY_ADDRESS:
		app_copy_address(app);
		break;
	case VERB_COPY_PAGE: case VERB_COPY_ALL:
		app_copy_page(app, verb == VERB_COPY_PAGE);
		break;
	case VERB_WRITE:
		app_write(app);
		break;
	case VERB_CLOCK:
		next_clock(app);
		break;
	case VERB_FIND: case VERB_FIND_NAME: case VERB_FIND_NEXT: case VERB_FIND_PREV: case VERB_FIND_ALL:
		search_act(app, verb);
		break;
	case VERB_HIDE: case VERB_HIDE_LIKE: case VERB_KEEP: case VERB_FOLD_LIKE:
	case VERB_BY: case VERB_VIEW:
	case VERB_OTHER: case VERB_DELTA: case VERB_SCALE:
		act_look(app, verb);
		break;
	case VERB_PREV_DUMP: case VERB_NEXT_DUMP:
		if (!files_dump(app, verb == VERB_PREV_DUMP))
			act_look(app, verb);
		break;
	case VERB_RANGE: case VERB_AT:
		typed_act(app, verb);
		break;
	case VERB_UNDO: case VERB_REDO:
		history_go(app->ui, verb == VERB_REDO);
		break;
	case VERB_SET_MARK: case VERB_MARKS:
		bookmarks_act(app, verb);
		break;
	case VERB_CLEAR:
		act_clear(app);
		break;
	case VERB_BACK:
		act_back(app);
		break;
	case VERB_REFS:
		next_refs(app);
		break;
	case VERB_PATH: case VERB_DOMINATORS: case VERB_REFERRERS: case VERB_ENTRIES:
		act_on_object(app, verb);
		break;
	default:
		pane_act(ui_pane(app->ui), verb);
	}
}

void
app_act(struct app *app, enum verb verb, const struct press *press, struct press *next)
{
	if (sides_act(app, verb) || compare_act(app, verb) || act_on_overlay(app, verb, next) ||
	    act_everywhere(app, verb, press))
		return;
	if (app->state != LOAD_DONE) {
		if (app->state == LOAD_STOPPED && (verb == VERB_ENTER || verb == VERB_REVERSE))
			app_load(app);
		return;
	}
	if (resumes(app, verb))
		resume(app);
	else if (!refuses(app, verb))
		act_loaded(app, verb);
}
