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

/* ---- lines of a text ------------------------------------------------------- */

void
note_add(struct buf *b, const char *word, struct str value)
{
	struct buf	line = BUF_INIT;

	buf_printf(&line, "%s ", word);
	text_escape(&line, value);
	buf_chr(&line, '\n');
	if (!line.bad && b->n + line.n <= BOOKMARK_TEXT)
		buf_str(b, buf_view(&line));
	buf_free(&line);
}

void
note_number(struct buf *b, const char *word, uint64_t n)
{
	char	text[24];

	snprintf(text, sizeof text, "%" PRIu64, n);
	note_add(b, word, str_of(text));
}

bool
note_next(struct str *rest, struct str *word, struct buf *value)
{
	struct str	line;

	if (!str_split(rest, '\n', &line))
		return false;
	str_split(&line, ' ', word);
	buf_clear(value);
	text_unescape(value, line);
	return true;
}

bool
note_has(struct str text, struct str word)
{
	struct buf	value = BUF_INIT;
	struct str	each;
	bool		has = false;

	while (!has && note_next(&text, &each, &value))
		has = str_eq(each, word);
	buf_free(&value);
	return has;
}

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

static void
bookmark_tell(struct ui *ui, struct buf *b)
{
	struct pane	*p = ui_pane(ui);
	const struct store *st = ui_file(ui);
	struct str	 stages = str_of(look_wanted(ui)), one;
	struct buf	 text = BUF_INIT;

	note_add(b, "pane", str_of(p->kind->name));
	if (p->extra) {
		pane_tell(p, TELL_QUERY, &text);
		note_add(b, "query", buf_view(&text));
	}
	while (str_split(&stages, '\n', &one))
		if (one.n > 0)
			note_add(b, "stage", one);
	if (ui->session->nstores > 1)
		note_number(b, "nth", ui->session->at + 1);
	if (fact_value(st, FACT_DUMPS) > 1)
		note_number(b, "dump", fact_value(st, FACT_DUMP));
	if ((load_shapes(st) & SHAPE_GRAPH) == 0)
		note_add(b, "clock", str_of(clock_names[look_clock(ui)]));
	buf_clear(&text);
	pane_tell(p, TELL_SUBJECT, &text);
	note_add(b, "subject", buf_view(&text));
	buf_free(&text);
	pane_tell(p, TELL_MARK, b);
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

void
bookmark_about(const struct ui *ui, const char *name, bool subject, struct buf *b)
{
	const struct bookmark *m = bookmark_find(ui, name);
	struct str	rest, word;
	struct buf	value = BUF_INIT;

	for (rest = m != NULL ? buf_view(&m->text) : STR(""); note_next(&rest, &word, &value);) {
		if (value.n == 0)
			continue;
		if (str_eq(word, STR("pane")))
			buf_str(b, buf_view(&value));
		else if (str_eq(word, STR("query")) || (subject && str_eq(word, STR("subject")))) {
			buf_str(b, STR(", "));
			buf_str(b, buf_view(&value));
		} else if (str_eq(word, STR("stage"))) {
			buf_str(b, STR(", "));
			look_chip(buf_view(&value), b);
		}
	}
	buf_free(&value);
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
		} else if (m != NULL && m->text.n + line.n < BOOKMARK_TEXT) {
			buf_str(&m->text, line);
			buf_chr(&m->text, '\n');
		}
	}
}

/* ---- going to a place ------------------------------------------------------ */

/* The part of a mark that does not belong to its pane. */
struct target {
	struct buf	pane, query, stages;
	uint64_t	file, dump;		/* file: from 1 */
	enum clock	clock;			/* CLOCKS: none */
};

static void
target_free(struct target *t)
{
	buf_free(&t->pane);
	buf_free(&t->query);
	buf_free(&t->stages);
}

/* True for a query that only shows rows: going to a mark must not write files. */
static bool
is_harmless(struct str source, struct str text, struct err *err)
{
	struct buf	b = BUF_INIT;
	struct query	*q = NULL;
	bool		 ok;

	buf_str(&b, source);
	buf_str(&b, text);
	ok = query_parse(&q, buf_view(&b), err) && (!query_writes(q) || fail(err, E_USAGE, "its query writes a file"));
	query_free(q);
	buf_free(&b);
	return ok;
}

static bool
read_stage(struct target *t, struct str stage, struct err *err)
{
	if (!look_begins(stage) || memchr(stage.s, '\n', stage.n) != NULL)
		return fail(err, E_USAGE, "'%.*s' is not a filter", (int)stage.n, stage.s);
	if (!is_harmless(STR("calls | "), stage, err))
		return false;
	buf_str(&t->stages, stage);
	buf_chr(&t->stages, '\n');
	return t->stages.n < LOOK_MAX || fail(err, E_USAGE, "too many filters");
}

static bool
bookmark_read_line(struct target *t, struct str word, struct str value, struct err *err)
{
	if (str_eq(word, STR("pane"))) {
		buf_clear(&t->pane);
		buf_str(&t->pane, value);
	} else if (str_eq(word, STR("query"))) {
		buf_clear(&t->query);
		buf_str(&t->query, value);
		return is_harmless(STR(""), value, err);
	} else if (str_eq(word, STR("stage")))
		return read_stage(t, value, err);
	else if (str_eq(word, STR("nth")))
		return num_u64(value, 10, &t->file) || fail(err, E_USAGE, "invalid file number");
	else if (str_eq(word, STR("dump")))
		return num_u64(value, 10, &t->dump) || fail(err, E_USAGE, "invalid dump number");
	else if (str_eq(word, STR("clock")))
		for (t->clock = 0; t->clock < CLOCKS && !str_eq(value, str_of(clock_names[t->clock]));)
			t->clock++;
	return true;
}

static bool
bookmark_read(const struct ui *ui, struct str text, struct target *t, struct err *err)
{
	struct buf	value = BUF_INIT;
	struct str	word;
	bool		ok = true;

	*t = (struct target){ .pane = BUF_INIT, .query = BUF_INIT, .stages = BUF_INIT, .file = ui->session->at + 1, .clock = CLOCKS };
	while (ok && note_next(&text, &word, &value))
		ok = bookmark_read_line(t, word, buf_view(&value), err);
	ok = ok && (!value.bad || fail(err, E_SYSTEM, "out of memory"));
	buf_free(&value);
	return ok && ((t->file >= 1 && t->file <= ui->session->nstores) || fail(err, E_USAGE, "file %" PRIu64
	    " is not open", t->file));
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
	ui->bookmarks.pane = p;
	if (p == NULL)
		bookmark_stay(ui, NULL);
}

void
bookmark_go(struct ui *ui, const char *name)
{
	const struct bookmark *m = bookmark_meant(ui, name);
	struct bookmarks *all = &ui->bookmarks;
	struct target	 t;
	struct err	 err = { .kind = E_NONE };
	struct pane	*p;
	bool		 view, here, ok;

	if (m == NULL) {
		ui_say(ui, strcmp(name, BOOKMARK_LAST) == 0 ? "no last place saved for this file" : "no mark '%s'", name);
		return;
	}
	ok = bookmark_read(ui, buf_view(&m->text), &t, &err);
	here = t.file - 1 == ui->session->at;
	p = ok && here ? bookmark_pane(ui, &t) : NULL;
	if (ok && here && p == NULL && t.query.n == 0)
		ok = fail(&err, E_USAGE, "this file has no pane %s", t.pane.n > 0 ? t.pane.s : "");
	if (!ok) {
		ui_say(ui, "cannot go to mark '%s': %s", name, err.text);
		ui_message(ui)->bad = true;
		target_free(&t);
		return;
	}
	name = m->name;
	view = !str_eq(buf_view(&t.stages), str_of(look_wanted(ui))) || t.file - 1 != look_file(ui);
	step_jump(ui, name, p, view);
	if (t.clock != CLOCKS)
		look_set_clock(ui, t.clock);
	ui->look.at = (size_t)t.file - 1;
	if (view)
		look_set(ui, t.stages.n > 0 ? t.stages.s : "", false);
	buf_clear(&all->coming);
	buf_str(&all->coming, buf_view(&m->text));
	/* Changes are detected only for the first file. */
	all->moved = m->moved || m->snapshot != ui->history.snapshot || (m->kept && t.file > 1) ||
	    (t.dump != 0 && t.dump != fact_value(ui->session->store[t.file - 1], FACT_DUMP));
	ui_say(ui, m->moved ? "mark %s, found by name because the file changed; u goes back" : "mark %s; u goes back", name);
	/* The panes of another file are not open yet. */
	all->pane = NULL;
	if (here)
		bookmark_show(ui, &t, p);
	target_free(&t);
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
		bookmark_stay(ui, NULL);
	target_free(&t);
}

bool
bookmark_step(struct ui *ui)
{
	struct bookmarks *all = &ui->bookmarks;
	struct pane	*p;
	bool		 done;

	if (all->coming.n == 0 || ui->history.leaving)
		return false;
	if (all->pane == NULL) {
		bookmark_arrive(ui);
		return true;
	}
	p = all->pane;
	if (p != ui_pane(ui) || p->stale)
		return false;
	done = PANE_DOES(p, recall) == NULL || PANE_DOES(p, recall)(p, buf_view(&all->coming), all->moved);
	/* A pane that waits for nothing will never become ready. */
	if (done || task_idle(ui))
		bookmark_stay(ui, NULL);
	return done;
}
