/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settings: the explorer's configuration file: one table of keys, for reading and for listing.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/home.h"
#include "icecore/lev.h"
#include "app.h"
#include "ui/list/list.h"

struct settings_row {
	const char	*name;		/* "clock", or a prefix: "columns." */
	const char	*what;
	/* permitted values, the first is the default; NULL: own reads the value, list prints it */
	const char	*const *words;
	size_t		 nwords, at;	/* offset of the value's index in struct settings */
	bool		(*own)(struct settings *, struct str rest, struct str value, unsigned line,
	    struct err *);
	void		(*list)(FILE *);
};

/* ---- values ---------------------------------------------------------------- */

static bool
set_event(struct settings *c, struct str rest, struct str value, unsigned line, struct err *err)
{
	(void)rest;
	(void)line;
	free(c->event);
	c->event = value.n > 0 ? mem_copy(value) : NULL;
	return value.n == 0 || c->event != NULL || fail(err, E_SYSTEM, "out of memory (configuration)");
}

/* Return the i-th pane with columns; NULL: no more. */
static const struct pane_kind *
settings_pane(size_t nth)
{
	for (size_t i = 0; panes[i] != NULL; i++)
		if (panes[i]->nlists > 0 && panes[i]->lists[0].fixed == NULL && nth-- == 0)
			return panes[i];
	return NULL;
}

/* Panes of different kinds of files may have the same name. */
static void
guess_once(struct guess *g, const char *name)
{
	for (size_t i = 0; i < g->n; i++)
		if (strcmp(g->list[i], name) == 0)
			return;
	guess_try(g, name);
}

static bool
set_columns(struct settings *c, struct str pane, struct str value, unsigned line, struct err *err)
{
	struct guess	 g = guess_of(pane);
	struct pane_columns *to = &c->columns[c->ncolumns];
	const struct pane_kind *kind;
	char		 near[GUESS_TEXT];
	size_t		 i;

	for (i = 0; (kind = settings_pane(i)) != NULL && !str_eq(pane, str_of(kind->name)); i++)
		guess_once(&g, kind->name);
	if (kind == NULL)
		return fail(err, E_USAGE, "no pane '%.*s' has columns%s", (int)pane.n, pane.s,
		    guess_text(&g, near, sizeof near));
	if (value.n == 0 || memchr(value.s, '|', value.n) != NULL)
		return fail(err, E_USAGE, "expected: column names, separated by blanks");
	if (c->ncolumns == SETTINGS_COLUMNS)
		return fail(err, E_USAGE, "too many panes with columns (limit: %d)", SETTINGS_COLUMNS);
	*to = (struct pane_columns){ mem_copy(pane), mem_copy(value), line };
	c->ncolumns++;
	return (to->pane != NULL && to->names != NULL) ||
	    fail(err, E_SYSTEM, "out of memory (configuration)");
}

/* "-" is the terminal's default colour. */
static bool
read_colour(struct str s, short *colour)
{
	uint64_t	n;

	*colour = -1;
	if (str_eq(s, STR("-")))
		return true;
	if (!num_u64(s, 10, &n) || n > 255)
		return false;
	*colour = (short)n;
	return true;
}

static bool
set_colour(struct settings *c, struct str role, struct str value, unsigned line, struct err *err)
{
	struct guess	 g = guess_of(role);
	struct str	 fg;
	const char	*name;
	char		 near[GUESS_TEXT];
	short		 was[2], now[2] = { -1, -1 };
	size_t		 i;

	(void)line;
	for (i = 0; i < ROLES && !str_eq(role, str_of(name = colours_named(i, &was[0], &was[1]))); i++)
		guess_try(&g, name);
	if (i == ROLES)
		return fail(err, E_USAGE, "no colour '%.*s'%s", (int)role.n, role.s,
		    guess_text(&g, near, sizeof near));
	str_split(&value, ' ', &fg);
	value = str_trim(value);
	if (!read_colour(fg, &now[0]) || (value.n > 0 && !read_colour(value, &now[1])))
		return fail(err, E_USAGE, "expected: text and background colour, each 0 to 255 or -");
	c->fg[i] = now[0];
	c->bg[i] = now[1];
	c->coloured[i] = true;
	return true;
}

/* ---- listing --------------------------------------------------------------- */

static void
settings_list_event(FILE *f)
{
	fputs("#event = alloc\n", f);
}

/* The columns of a list, without hidden ones. */
static void
list_columns_of(const struct pane_kind *kind, FILE *f)
{
	const struct list_spec *spec = &kind->lists[0];
	struct str	rest = str_of(spec->columns), word, hidden, one;
	bool		hides;

	if (!str_has_prefix(rest, STR("select ")))
		return;
	rest = str_after(rest, 7);
	fprintf(f, "#columns.%s =", kind->name);
	while (str_split(&rest, ' ', &word)) {
		hides = false;
		for (hidden = str_of(spec->hide); str_split(&hidden, ' ', &one);)
			hides |= str_eq(word, one);
		if (!hides)
			fprintf(f, " %.*s", (int)word.n, word.s);
	}
	fputc('\n', f);
}

static void
list_all_columns(FILE *f)
{
	const struct pane_kind *kind;

	for (size_t i = 0; (kind = settings_pane(i)) != NULL; i++)
		list_columns_of(kind, f);
}

static void
list_colours(FILE *f)
{
	const char	*name;
	short		 colour[2];

	for (size_t i = 0; i < ROLES; i++) {
		name = colours_named(i, &colour[0], &colour[1]);
		fprintf(f, "#colour.%s =", name);
		for (size_t k = 0; k < 2; k++)
			fprintf(f, colour[k] < 0 ? " -" : " %d", colour[k]);
		fputc('\n', f);
	}
}

/* ---- the table ------------------------------------------------------------- */

static const char *const clocks[] = { "auto", "wall", "cpu", "off" }, *const on_off[] = { "on", "off" },
    *const idles[] = { "folded", "shown" };

#define WORDS(list, field) .words = list, .nwords = NELEM(list), .at = offsetof(struct settings, field)

/* Tests of its rows: man icecorerc. */
static const struct settings_row rows[] = {
	{ "clock", "clock for times if a file has several", WORDS(clocks, clock) },
	{ "mouse", "mouse; M turns it off and on", WORDS(on_off, mouse) },
	{ "history", "save the prompt history, marks and last places", WORDS(on_off, history) },
	{ "theme", "colours for this background; auto: any background, mono: no colours",
	    .words = theme_names, .nwords = THEMES,
	    .at = offsetof(struct settings, theme) },
	{ "idle", "idle threads and tasks", WORDS(idles, idle) },
	{ "event", "event to show if a profile contains it", .own = set_event, .list = settings_list_event },
	{ "columns.", "columns of this pane", .own = set_columns, .list = list_all_columns },
	{ "colour.", "text and background colour, 0 to 255; -: default of the terminal", .own = set_colour,
	    .list = list_colours }
};

void
ui_list_config(FILE *f)
{
	const struct settings_row *row;

	fputs("# Configuration of the icecore explorer; see icecorerc(5).\n", f);
	for (size_t i = 0; i < NELEM(rows); i++) {
		row = &rows[i];
		fprintf(f, "\n# %s", row->what);
		for (size_t k = 0; k < row->nwords; k++)
			fprintf(f, "%s %s", k == 0 ? ":" : " |", row->words[k]);
		fputc('\n', f);
		if (row->own != NULL)
			row->list(f);
		else
			fprintf(f, "%s = %s\n", row->name, row->words[0]);
	}
}

/* ---- reading --------------------------------------------------------------- */

static bool
set_word(struct settings *c, const struct settings_row *row, struct str value, struct err *err)
{
	struct guess	g = guess_of(value);
	char		near[GUESS_TEXT];

	for (size_t i = 0; i < row->nwords; i++) {
		if (str_eq(value, str_of(row->words[i]))) {
			*(unsigned *)((char *)c + row->at) = (unsigned)i;
			return true;
		}
		guess_try(&g, row->words[i]);
	}
	return fail(err, E_USAGE, "invalid value '%.*s' for %s%s", (int)value.n, value.s, row->name,
	    guess_text(&g, near, sizeof near));
}

static bool
settings_set_key(struct settings *c, struct str key, struct str value, unsigned line, struct err *err)
{
	struct guess	 g = guess_of(key);
	struct str	 name;
	char		 near[GUESS_TEXT];

	for (size_t i = 0; i < NELEM(rows); i++) {
		name = str_of(rows[i].name);
		if (name.s[name.n - 1] == '.' ? str_has_prefix(key, name) : str_eq(key, name))
			return rows[i].own == NULL ? set_word(c, &rows[i], value, err) :
			    rows[i].own(c, str_after(key, name.n), value, line, err);
		guess_try(&g, rows[i].name);
	}
	return fail(err, E_USAGE, "unknown key '%.*s'%s", (int)key.n, key.s,
	    guess_text(&g, near, sizeof near));
}

static struct str
trimmed(struct str s)
{
	s = str_skip_blanks(s);
	while (s.n > 0 && (is_blank(s.s[s.n - 1]) || s.s[s.n - 1] == '\r'))
		s.n--;
	return s;
}

void
settings_text(struct settings *c, struct str text, const char *path)
{
	struct str	line, key;
	struct err	why;
	unsigned	number = 0;
	bool		ok;

	while (str_split(&text, '\n', &line)) {
		number++;
		line = trimmed(line);
		if (line.n == 0 || line.s[0] == '#')
			continue;
		if (memchr(line.s, '=', line.n) == NULL)
			ok = fail(&why, E_USAGE, "no '=' in this line; e.g. mouse = off");
		else {
			str_split(&line, '=', &key);
			ok = settings_set_key(c, trimmed(key), trimmed(line), number, &why);
		}
		if (!ok && c->wrong++ == 0)
			fail(&c->first, E_USAGE, "%s:%u: %s", path, number, why.text);
	}
}

static void
settings_apply(const struct settings *c, struct ui_options *opt, struct session *s)
{
	opt->no_mouse |= c->mouse == 1;
	opt->no_history |= c->history == 1;
	opt->idle_shown = c->idle == 1;
	opt->event_liked = opt->event == NULL ? c->event : NULL;
	opt->chosen = c->columns;
	opt->nchosen = c->ncolumns;
	opt->config_read = c->path;
	for (enum clock clock = 0; clock < CLOCKS && c->clock > 0 && !s->clock_chosen; clock++)
		if (strcmp(clock_names[clock], clocks[c->clock]) == 0) {
			s->clock = clock;
			s->clock_chosen = true;
		}
	colours_theme((enum theme)c->theme);
	for (size_t i = 0; i < ROLES; i++)
		if (c->coloured[i])
			colours_choose(i, c->fg[i], c->bg[i]);
}

void
settings_begin(struct settings *c, struct ui_options *opt, struct session *s)
{
	struct buf	text = BUF_INIT;

	if (opt->config != NULL)
		c->path = mem_copy(str_of(opt->config));
	else if (opt->keys == NULL)
		c->path = home_path("XDG_CONFIG_HOME", ".config", "icecorerc");
	if (c->path == NULL)
		return;
	if (opt->config != NULL && access(c->path, R_OK) < 0)
		fail_path(&c->first, c->path);
	else if (opt->config != NULL ? home_read_given(c->path, &text, &c->first) :
	    home_read(c->path, &text, &c->first))
		settings_text(c, buf_view(&text), c->path);
	buf_free(&text);
	settings_apply(c, opt, s);
}

void
settings_tell(const struct settings *c, struct ui *ui)
{
	if (c->first.kind == E_NONE)
		return;
	if (c->wrong > 1)
		ui_say(ui, "%s (and %zu more)", c->first.text, c->wrong - 1);
	else
		ui_say(ui, "%s", c->first.text);
	ui_message(ui)->bad = true;
}

void
settings_free(struct settings *c)
{
	for (size_t i = 0; i < c->ncolumns; i++) {
		free(c->columns[i].pane);
		free(c->columns[i].names);
	}
	free(c->event);
	free(c->path);
}
