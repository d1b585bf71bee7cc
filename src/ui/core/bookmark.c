/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bookmark: named places: the text of a place, and how to return to it.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/facts.h"
#include "state.h"
#include "ui/term/term.h"

/* ---- the marks ------------------------------------------------------------- */

bool
bookmark_named(struct str s)
{
	size_t	i = 0;
	char	c;

	for (; i < s.n; i++) {
		c = s.s[i];
		if (!is_digit(c) && (unsigned char)((c | 32) - 'a') >= 26 && c != '_' && c != '-')
			return false;
	}
	return i > 0 && i <= BOOKMARK_NAME;
}

/* Return the index of a name in the list, or where to insert it. */
static size_t
bookmark_place(const struct bookmarks *m, struct str name, bool *there)
{
	size_t	i = 0;
	int	order = -1;

	while (i < m->n && (order = str_cmp(str_of(m->at[i].name), name)) < 0)
		i++;
	*there = i < m->n && order == 0;
	return i;
}

static const struct bookmark *
bookmark_find(const struct ui *ui, const char *name)
{
	bool	there;
	size_t	i = bookmark_place(&ui->bookmarks, str_of(name), &there);

	return there ? &ui->bookmarks.at[i] : NULL;
}

/* Return the mark with that name, or the only one whose name begins so; NULL: none. */
static const struct bookmark *
bookmark_meant(const struct ui *ui, const char *name)
{
	const struct bookmarks *m = &ui->bookmarks;
	bool	there;
	size_t	i = bookmark_place(m, str_of(name), &there), n = 0;

	while (!there && i + n < m->n && str_has_prefix(str_of(m->at[i + n].name), str_of(name)))
		n++;
	return there || n == 1 ? &m->at[i] : NULL;
}

const char *
bookmark_at(const struct ui *ui, size_t i)
{
	return i < ui->bookmarks.n ? ui->bookmarks.at[i].name : NULL;
}

/* Return the mark with that name and clear its text, or a new one; NULL: the list is full. */
static struct bookmark *
bookmark_add(struct ui *ui, struct str name)
{
	struct bookmarks *m = &ui->bookmarks;
	bool		 there;
	size_t		 i = bookmark_place(m, name, &there);

	if (!there) {
		if (m->n == BOOKMARKS)
			return NULL;
		memmove(&m->at[i + 1], &m->at[i], (m->n++ - i) * sizeof *m->at);
		memset(&m->at[i], 0, sizeof *m->at);
		memcpy(m->at[i].name, name.s, name.n);
	}
	buf_clear(&m->at[i].text);
	m->at[i].snapshot = ui->history.snapshot;
	m->at[i].moved = m->at[i].kept = false;
	return &m->at[i];
}

void
bookmark_drop(struct ui *ui, const char *name)
{
	struct bookmarks *m = &ui->bookmarks;
	bool		 there;
	size_t		 i = bookmark_place(m, str_of(name), &there);

	if (!there)
		return;
	buf_free(&m->at[i].text);
	memmove(&m->at[i], &m->at[i + 1], (--m->n - i) * sizeof *m->at);
}

void
bookmark_free(struct ui *ui)
{
	while (ui->bookmarks.n > 0)
		buf_free(&ui->bookmarks.at[--ui->bookmarks.n].text);
	buf_free(&ui->bookmarks.coming);
}

/* ---- the text of a place --------------------------------------------------- */

/* The part of a mark that does not belong to its pane; subject: for its description. */
#define TARGET(F, s) F(s, TEXT, MARK, pane) F(s, TEXT, MARK, query) F(s, TEXTS, MARK, stage) F(s, NUMBER, MARK, nth) \
	F(s, NUMBER, MARK, dump) F(s, TEXT, MARK, clock) F(s, TEXT, MARK, subject)

PLACED(target, TARGET);
static const struct placed_kind targets = PLACED_KIND(target, TARGET, NULL, NULL);

/* Stages end with a newline in a view, with a NUL in a target. */
static void
end_stages(struct buf *stages, char from, char to)
{
	for (size_t i = 0; i < stages->n; i++)
		stages->s[i] = stages->s[i] == from ? to : stages->s[i];
}

static void
bookmark_tell(struct ui *ui, struct buf *b)
{
	struct pane	*p = ui_pane(ui);
	const struct store *st = ui_file(ui);
	struct target	 t = { .nth = ui->session->nstores > 1 ? ui->main->at + 1 : 0 };

	buf_str(&t.pane, str_of(p->kind->name));
	if (p->extra)
		pane_tell(p, TELL_QUERY, &t.query);
	buf_str(&t.stage, str_of(look_wanted(ui)));
	end_stages(&t.stage, '\n', '\0');
	if (fact_value(st, FACT_DUMPS) > 1)
		t.dump = fact_value(st, FACT_DUMP);
	if ((load_shapes(st) & SHAPE_GRAPH) == 0)
		buf_str(&t.clock, str_of(clock_names[look_clock(ui)]));
	pane_tell(p, TELL_SUBJECT, &t.subject);
	placed_write(&targets, &t, OF_MARK, b);
	placed_free(&targets, &t);
	placed_tell(p, OF_MARK, b);
}

bool
bookmark_set(struct ui *ui, struct str name, struct err *err)
{
	struct bookmark	*m;

	if (!bookmark_named(name))
		return fail(err, E_USAGE, "names: letters, digits, _ and -; at most %d", BOOKMARK_NAME);
	if (ui_file(ui) == NULL)
		return fail(err, E_USAGE, "no file is loaded yet");
	if ((m = bookmark_add(ui, name)) == NULL)
		return fail(err, E_USAGE, "too many marks (limit: %d)", BOOKMARKS);
	bookmark_tell(ui, &m->text);
	return !m->text.bad || fail(err, E_SYSTEM, "out of memory (mark)");
}

static void
bookmark_add_part(struct buf *b, struct str part)
{
	if (part.n > 0 && b->n > 0)
		buf_str(b, STR(", "));
	buf_str(b, part);
}

void
bookmark_about(const struct ui *ui, const char *name, bool subject, struct buf *b)
{
	const struct bookmark *m = bookmark_find(ui, name);
	struct buf	chip = BUF_INIT;
	const char	*stage;
	struct target	t;

	placed_read(&targets, m != NULL ? buf_view(&m->text) : STR(""), OF_MARK, &t);
	bookmark_add_part(b, buf_view(&t.pane));
	bookmark_add_part(b, buf_view(&t.query));
	for (size_t at = 0; placed_next(&t.stage, &at, &stage); buf_clear(&chip)) {
		look_chip(str_of(stage), &chip);
		bookmark_add_part(b, buf_view(&chip));
	}
	if (subject)
		bookmark_add_part(b, buf_view(&t.subject));
	buf_free(&chip);
	placed_free(&targets, &t);
}

void
bookmark_save(const struct ui *ui, struct buf *b)
{
	for (size_t i = 0; i < ui->bookmarks.n; i++) {
		buf_printf(b, "mark %s\n", ui->bookmarks.at[i].name);
		buf_str(b, buf_view(&ui->bookmarks.at[i].text));
	}
}

void
bookmark_load(struct ui *ui, struct str text, bool moved)
{
	struct bookmark	*m = NULL;
	struct str	 line, rest, word;

	while (str_split(&text, '\n', &line)) {
		rest = line;
		str_split(&rest, ' ', &word);
		if (str_eq(word, STR("mark"))) {
			m = bookmark_named(rest) ? bookmark_add(ui, rest) : NULL;
			if (m != NULL) {
				m->moved = moved;
				m->kept = true;
			}
		} else if (m != NULL && m->text.n + line.n < PLACED_TEXT) {
			buf_str(&m->text, line);
			buf_chr(&m->text, '\n');
		}
	}
}

/* ---- going to a place ------------------------------------------------------ */

/* True for a query that only shows rows: going to a mark must not write files. */
static bool
is_harmless(struct str source, struct str text, struct err *err)
{
	struct buf	b = BUF_INIT;
	struct query	*q = NULL;
	bool		 ok;

	buf_str(&b, source);
	buf_str(&b, text);
	ok = query_parse(&q, buf_view(&b), err) && (!query_writes(q) ||
	    fail(err, E_USAGE, "its query writes a file"));
	query_free(q);
	buf_free(&b);
	return ok;
}

static bool
is_stage(const char *stage, struct err *err)
{
	if (!look_begins(str_of(stage)) || strchr(stage, '\n') != NULL)
		return fail(err, E_USAGE, "'%s' is not a filter", stage);
	return is_harmless(STR("calls | "), str_of(stage), err);
}

/* The stages of the target end with newlines then. */
static bool
bookmark_read(const struct ui *ui, struct str text, struct target *t, struct err *err)
{
	const char	*stage;
	bool		 ok = true;

	placed_read(&targets, text, OF_MARK, t);
	for (size_t at = 0; ok && placed_next(&t->stage, &at, &stage);)
		ok = is_stage(stage, err);
	ok = ok && (t->stage.n < LOOK_MAX || fail(err, E_USAGE, "too many filters"));
	end_stages(&t->stage, '\0', '\n');
	t->nth = t->nth != 0 ? t->nth : ui->main->at + 1;
	return ok && (t->query.n == 0 || is_harmless(STR(""), buf_view(&t->query), err)) &&
	    (t->nth <= ui->session->nstores || fail(err, E_USAGE, "file %" PRIu64 " is not open", t->nth));
}

/* Return the open pane of a place; NULL: none is. */
static struct pane *
bookmark_pane(struct ui *ui, const struct target *t)
{
	struct buf	query = BUF_INIT;
	struct pane	*p = NULL;
	bool		 asked = t->query.n > 0;

	for (size_t i = 0; i < ui->npanes && p == NULL; i++) {
		buf_clear(&query);
		if (asked && ui->pane[i]->extra)
			pane_tell(ui->pane[i], TELL_QUERY, &query);
		if (asked ? ui->pane[i]->extra && str_eq(buf_view(&query), buf_view(&t->query)) :
		    !ui->pane[i]->extra && str_eq(str_of(ui->pane[i]->kind->name), buf_view(&t->pane)))
			p = ui->pane[i];
	}
	buf_free(&query);
	return p;
}

static void
bookmark_show(struct ui *ui, const struct target *t, struct pane *p)
{
	size_t	n = ui->npanes;

	if (p != NULL)
		ui_show(ui, p);
	else if (t->query.n > 0) {
		ui_ask(ui, t->query.s);
		p = ui->npanes > n ? ui_pane(ui) : NULL;
	}
	if (p != NULL)
		placed_come(ui, &(struct pane_at){ .kind = p->kind, .extra = p->extra ? p : NULL,
		    .file = ui->main->at, .use = OF_MARK,
		    .snapshot = ui->history.snapshot - ui->bookmarks.moved, .place = ui->bookmarks.coming });
	buf_clear(&ui->bookmarks.coming);
}

void
bookmark_go(struct ui *ui, const char *name)
{
	const struct bookmark *m = bookmark_meant(ui, name);
	struct bookmarks *all = &ui->bookmarks;
	struct target	 t;
	struct err	 err = { .kind = E_NONE };
	struct pane	*p;
	size_t		 clock;
	bool		 view, here, ok;

	if (m == NULL) {
		ui_say(ui, strcmp(name, BOOKMARK_LAST) == 0 ? "no last place saved for this file" :
		    "no mark '%s'", name);
		return;
	}
	ok = bookmark_read(ui, buf_view(&m->text), &t, &err);
	here = (size_t)t.nth - 1 == ui->main->at;
	p = ok && here ? bookmark_pane(ui, &t) : NULL;
	if (ok && here && p == NULL && t.query.n == 0)
		ok = fail(&err, E_USAGE, "this file has no pane %s", t.pane.n > 0 ? t.pane.s : "");
	if (!ok) {
		ui_say(ui, "cannot go to mark '%s': %s", name, err.text);
		ui_message(ui)->bad = true;
		placed_free(&targets, &t);
		return;
	}
	name = m->name;
	view = !str_eq(buf_view(&t.stage), str_of(look_wanted(ui))) || (size_t)t.nth - 1 != look_file(ui);
	step_jump(ui, name, p, view);
	if ((clock = placed_word(&t.clock, clock_names, CLOCKS, CLOCKS)) != CLOCKS)
		look_set_clock(ui, (enum clock)clock);
	ui->look.at = (size_t)t.nth - 1;
	if (view)
		look_want(ui, t.stage.n > 0 ? t.stage.s : "");
	buf_clear(&all->coming);
	buf_str(&all->coming, buf_view(&m->text));
	/* Changes are detected only for the first file. */
	all->moved = m->moved || m->snapshot != ui->history.snapshot || (m->kept && t.nth > 1) ||
	    (t.dump != 0 && t.dump != fact_value(ui->session->store[(size_t)t.nth - 1], FACT_DUMP));
	ui_say(ui, "mark %s%s; %s", name, m->moved ? ", found by name because the file changed" : "",
	    hint(VERB_UNDO, "_ goes back").s);
	/* The panes of another file are not open yet. */
	if (here)
		bookmark_show(ui, &t, p);
	placed_free(&targets, &t);
}

/* Another file is now shown: it has the pane or not. */
static void
bookmark_arrive(struct ui *ui)
{
	struct target	t;
	struct err	err;

	if (bookmark_read(ui, buf_view(&ui->bookmarks.coming), &t, &err))
		bookmark_show(ui, &t, bookmark_pane(ui, &t));
	else
		bookmark_stay(ui);
	placed_free(&targets, &t);
}

bool
bookmark_step(struct ui *ui)
{
	bool	more = ui->bookmarks.coming.n > 0 && !ui->history.leaving;

	if (more)
		bookmark_arrive(ui);
	return placed_arrive(ui, false) || more;
}
