/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * typed: prompt lines that are not queries: filters, which change the view as keys do, and times.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/keys.h"
#include "app.h"

/* ---- filters ------------------------------------------------------------- */

/* True if stages of the view change what the pane shows.  Stack chart and Timeline mark a range on their axis. */
static bool
typed_applies(const struct pane *p, bool range)
{
	return !p->kind->plain || (range && (p->kind->ranged || (p->kind->places >> PLACE_WINDOW & 1) != 0));
}

/* Fail with the name of the pane, and of panes where the filter works. */
static bool
typed_refuse(struct app *app, const struct pane *p, struct str word, struct err *err)
{
	struct buf	 names = BUF_INIT;
	const struct pane *other;

	for (size_t i = 0; (other = ui_nth(app->ui, i)) != NULL; i++)
		if (!other->kind->plain && (other->kind->where & (IN_ICICLE | IN_THREADS | IN_METHODS)) != 0)
			buf_printf(&names, "%s%s", names.n > 0 ? ", " : " ", other->kind->name);
	fail_at(err, E_USAGE, 0, "'%.*s' has no effect in %s; use it in%s", (int)word.n, word.s,
	    p->kind->name,
	    names.n > 0 && !names.bad ? names.s : " another pane");
	buf_free(&names);
	return false;
}

/* Change the view by stages without a source, as one step, which u undoes. */
static bool
typed_filter(struct app *app, struct str line, struct err *err)
{
	const struct pane *p = ui_pane(app->ui);
	struct buf	 stages = BUF_INIT;
	uint64_t	 from, to;
	struct str	 rest, one, word;
	bool		 ok, range = false;

	if (!query_range(ui_plain(app->ui), line, &from, &to, err))
		return false;
	look_split(line.s, &stages);
	ok = !stages.bad || fail(err, E_SYSTEM, "out of memory (filters)");
	for (rest = buf_view(&stages); ok && str_split(&rest, '\n', &one);) {
		str_split(&one, ' ', &word);
		range |= str_eq(word, STR("range"));
		ok = word.n == 0 || typed_applies(p, str_eq(word, STR("range"))) ||
		    typed_refuse(app, p, word, err);
	}
	if (ok) {
		look_join_in(app->ui, stages.s);
		if (range)
			look_say_range(app->ui);
	}
	buf_free(&stages);
	return ok;
}

bool
typed_behind(const struct app *app, struct str line, struct buf *b)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 asked = BUF_INIT;
	size_t		 source;

	if (!p->extra || !p->kind->plain || !look_begins(line))
		return false;
	pane_tell(p, TELL_QUERY, &asked);
	source = asked.n > 0 ? strcspn(asked.s, "|") : 0;
	if (source > 0 && !asked.bad)
		buf_printf(b, "%.*s | %.*s %s", (int)str_trim((struct str){ asked.s, source }).n, asked.s,
		    (int)line.n, line.s,
		    asked.s + source);
	buf_free(&asked);
	return b->n > 0;
}

/* ---- times ---------------------------------------------------------------- */

/* Append the range of a typed text, "2s..3s" or "2s 3s". */
static void
typed_stage(struct buf *b, struct str text)
{
	const char	*dots = text.n > 0 ? strstr(text.s, "..") : NULL;
	size_t		 n = dots != NULL ? (size_t)(dots - text.s) : text.n;

	buf_printf(b, "range %.*s%s%.*s", (int)n, text.n > 0 ? text.s : "", dots != NULL ? " .. " : "",
	    dots != NULL ? (int)(text.n - n - 2) : 0, dots != NULL ? dots + 2 : "");
}

/* Times are not counted from the end: they have no sign. */
static bool
typed_signed(struct str text)
{
	const char	*dots = text.n > 0 ? strstr(text.s, "..") : NULL;

	return text.n > 0 && (text.s[0] == '-' || (dots != NULL && dots[2 + strspn(dots + 2, " ")] == '-'));
}

static bool
typed_ends(struct app *app, uint64_t from, struct err *err)
{
	struct buf	 end = BUF_INIT;
	uint64_t	 first, last;

	if (!look_extent(app->ui, &first, &last) || from <= last)
		return false;
	scale_at(&end, "", last, first, last);
	fail(err, E_USAGE, "the file ends at %s", end.bad || end.n == 0 ? "an earlier time" : end.s);
	buf_free(&end);
	return true;
}

/* Go to a time, "2s", or zoom to a range, "2s..3s", in the visible pane, otherwise in a pane that shows times. */
static bool
typed_time(struct app *app, struct str text, struct err *err)
{
	struct visit	 v = { .to = PLACE_WINDOW };
	struct pane	*p = ui_pane(app->ui);
	struct buf	 stage = BUF_INIT;
	bool		 ok;

	typed_stage(&stage, text);
	if (text.n > 0 && strstr(text.s, "..") == NULL)
		buf_printf(&stage, " .. %s", text.s);
	ok = !stage.bad && !typed_signed(text) && query_range(ui_plain(app->ui), buf_view(&stage), &v.from,
	    &v.until, err);
	buf_free(&stage);
	if (!ok)
		return fail(err, E_USAGE, "'%.*s' is not a time; e.g. @2s or @2s..3s", (int)text.n, text.s);
	if (typed_ends(app, v.from, err))
		return false;
	if ((p->kind->places >> PLACE_WINDOW & 1) != 0)
		return PANE_DOES(p, go)(p, &v);
	ui_visit(app->ui, &v);
	return true;
}

static void
typed_at(void *asker, const char *line)
{
	struct app	*app = asker;
	struct err	 err;

	if (*line != '\0' && !typed_time(app, str_of(line), &err))
		ui_fail(app->ui, &err);
}

static void
typed_range(void *asker, const char *line)
{
	struct app	*app = asker;
	struct buf	 stage = BUF_INIT;
	struct err	 err;

	typed_stage(&stage, str_trim(str_of(line)));
	if (*line == '\0')
		look_range(app->ui, 0, 0);
	else if (!stage.bad && !typed_filter(app, buf_view(&stage), &err))
		ui_query_error(app->ui, buf_view(&stage), &err);
	buf_free(&stage);
}

#define RANGE_LABEL "range (2s..3s; empty: all): "

static void
typed_ask_range(struct app *app)
{
	struct str	 now = look_stage(look_wanted(app->ui), "range"), word;
	struct buf	 b = BUF_INIT;

	str_split(&now, ' ', &word);
	buf_str(&b, now);
	prompt_open(PROMPT_LINE, RANGE_LABEL, b.n > 0 && !b.bad ? b.s : "", typed_range, app);
	buf_free(&b);
}

bool
typed_press(struct app *app, const struct press *p)
{
	bool	begins = app->awaits.digit && is_digit(p->name[0]) && p->name[1] == '\0';

	app->awaits.digit = false;
	if (!begins)
		return false;
	pane_act(ui_pane(app->ui), VERB_BACK);
	prompt_open(PROMPT_LINE, RANGE_LABEL, p->name, typed_range, app);
	return true;
}

void
typed_act(struct app *app, enum verb verb)
{
	struct pane	*p = ui_pane(app->ui);

	if (verb == VERB_AT)
		prompt_open(PROMPT_LINE, "@", "", typed_at, app);
	else if ((p->kind->places >> PLACE_WINDOW & 1) != 0) {
		pane_act(p, verb);
		app->awaits.digit = p->ranging;
	} else
		typed_ask_range(app);
}

/* ---- both ----------------------------------------------------------------- */

bool
typed_is(const struct app *app, struct str line)
{
	return app->state == LOAD_DONE && (look_begins(line) ||
	    (line.n > 0 && line.s[0] == '@' && (ui_shapes(app->ui) & SHAPE_GRAPH) == 0));
}

bool
typed_do(struct app *app, struct str line, struct err *err)
{
	return line.s[0] == '@' ? typed_time(app, str_after(line, 1), err) : typed_filter(app, line, err);
}
