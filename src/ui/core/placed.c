/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * placed: the reader and the writer of places, and the places that panes go to as soon as they are ready.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* ---- the text -------------------------------------------------------------- */

/* Leave out a line that makes the text of a mark too long. */
static void
add_line(struct buf *b, const struct placed_member *m, enum placed_use use, struct str value)
{
	size_t	before = b->n;

	buf_printf(b, "%s ", m->word);
	text_escape(b, value);
	buf_chr(b, '\n');
	if (use == OF_MARK && b->n > PLACED_TEXT && !b->bad)
		b->s[b->n = before] = '\0';
}

static void
write_member(const struct placed_member *m, const void *value, enum placed_use use, struct buf *b)
{
	const struct buf *in = value;
	struct buf	line = BUF_INIT;
	const char	*one;
	uint32_t	number;
	size_t		at = 0;

	if (m->kind == MEMBER_NUMBER && *(const uint64_t *)value != 0)
		buf_printf(&line, "%" PRIu64, *(const uint64_t *)value);
	else if (m->kind == MEMBER_NUMBERS)
		for (; at < in->n; at += sizeof number) {
			memcpy(&number, in->s + at, sizeof number);
			buf_printf(&line, "%s%" PRIu32, at > 0 ? " " : "", number);
		}
	else if (m->kind == MEMBER_TEXTS)
		while (placed_next(in, &at, &one))
			add_line(b, m, use, str_of(one));
	if (line.n > 0 || (m->kind == MEMBER_FLAG && *(const bool *)value))
		add_line(b, m, use, buf_view(&line));
	else if (m->kind == MEMBER_TEXT && in->s != NULL)
		add_line(b, m, use, buf_view(in));
	b->bad |= line.bad || (m->kind >= MEMBER_TEXT && in->bad);
	buf_free(&line);
}

void
placed_write(const struct placed_kind *kind, const void *place, enum placed_use use, struct buf *b)
{
	for (const struct placed_member *m = kind->member; m->word != NULL; m++)
		if (m->use & use)
			write_member(m, (const char *)place + m->at, use, b);
}

static void
placed_read_member(const struct placed_member *m, void *value, struct str text)
{
	struct str	part;
	uint64_t	n;
	uint32_t	number;

	switch (m->kind) {
	case MEMBER_NUMBER:
		*(uint64_t *)value = num_u64(text, 10, &n) ? n : 0;
		break;
	case MEMBER_FLAG:
		*(bool *)value = true;
		break;
	case MEMBER_TEXT: case MEMBER_TEXTS:
		if (m->kind == MEMBER_TEXT)
			buf_clear(value);
		buf_str(value, text);
		if (m->kind == MEMBER_TEXTS)
			buf_chr(value, '\0');
		break;
	case MEMBER_NUMBERS:
		while (str_split(&text, ' ', &part))
			if (num_u64(part, 10, &n) && n <= UINT32_MAX) {
				number = (uint32_t)n;
				buf_add(value, &number, sizeof number);
			}
		break;
	}
}

void
placed_read(const struct placed_kind *kind, struct str text, enum placed_use use, void *place)
{
	struct buf	value = BUF_INIT;
	struct str	line, word;

	memset(place, 0, kind->size);
	while (str_split(&text, '\n', &line)) {
		str_split(&line, ' ', &word);
		buf_clear(&value);
		text_unescape(&value, line);
		for (const struct placed_member *m = kind->member; m->word != NULL; m++)
			if (m->use & use && str_eq(word, str_of(m->word)))
				placed_read_member(m, (char *)place + m->at, buf_view(&value));
	}
	buf_free(&value);
}

void
placed_free(const struct placed_kind *kind, void *place)
{
	for (const struct placed_member *m = kind->member; m->word != NULL; m++)
		if (m->kind >= MEMBER_TEXT)
			buf_free((struct buf *)(void *)((char *)place + m->at));
}

bool
placed_next(const struct buf *texts, size_t *at, const char **one)
{
	if (*at >= texts->n)
		return false;
	*one = texts->s + *at;
	*at += strlen(*one) + 1;
	return true;
}

size_t
placed_word(const struct buf *text, const char *const *words, size_t n, size_t otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (words[i] != NULL && str_eq(buf_view(text), str_of(words[i])))
			return i;
	return otherwise;
}

/* ---- the place of a pane --------------------------------------------------- */

bool
placed_has(const struct pane *p)
{
	return PANE_DOES(p, place) != NULL;
}

void
placed_tell(struct pane *p, enum placed_use use, struct buf *b)
{
	const struct placed_kind *kind = PANE_DOES(p, place);
	void		*place = kind != NULL ? mem_array(1, kind->size) : NULL;

	if (place != NULL && kind->take(p, place, use))
		placed_write(kind, place, use, b);
	if (place != NULL)
		placed_free(kind, place);
	free(place);
}

/* Return true when the pane is there. */
static bool
placed_go(struct pane *p, const struct pane_at *s)
{
	const struct placed_kind *kind = PANE_DOES(p, place);
	void		*place = kind != NULL && !s->place.bad && s->place.n > 0 ?
	    mem_array(1, kind->size) : NULL;
	bool		 there;

	if (place == NULL)
		return true;
	placed_read(kind, buf_view(&s->place), s->use, place);
	split_enter(p->ui, p->other);
	there = kind->go(p, place, s->use, s->snapshot != p->ui->history.snapshot);
	split_enter(p->ui, ui_pane(p->ui)->other);
	placed_free(kind, place);
	free(place);
	return there;
}

/* ---- going to places ------------------------------------------------------- */

struct pane *
placed_pane(const struct ui *ui, const struct pane_at *s)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if (placed_is(s, ui->pane[i]))
			return ui->pane[i];
	return NULL;
}

bool
placed_is(const struct pane_at *s, const struct pane *p)
{
	return s->kind == p->kind && s->extra == (p->extra ? p : NULL);
}

static struct pane_at *
find_coming(const struct pane *p)
{
	const struct coming *c = &p->ui->coming;

	for (size_t i = 0; i < c->n; i++)
		if (placed_is(&c->at[i], p))
			return &c->at[i];
	return NULL;
}

static void
remove_coming(struct coming *c, struct pane_at *s)
{
	buf_free(&s->place);
	*s = c->at[--c->n];
}

struct pane_at
placed_now(struct pane *p)
{
	const struct pane_at *c = find_coming(p);
	struct pane_at	 s = { .kind = p->kind, .extra = p->extra ? p : NULL, .file = p->ui->main->at,
			    .snapshot = p->ui->history.snapshot, .use = OF_STEP, .place = BUF_INIT };

	if (c != NULL && c->use == OF_STEP && (c->version == 0 || c->version == ui_version(p->ui) + 1))
		buf_str(&s.place, buf_view(&c->place));
	else
		placed_tell(p, OF_STEP, &s.place);
	return s;
}

/* Drop places of another file, and steps of another view. */
static bool
arrive(struct pane *p, struct pane_at *s)
{
	unsigned	version = ui_version(p->ui) + 1;
	bool		there = true;

	if (s->file == p->ui->main->at && (s->version == 0 || s->version == version ||
	    s->use == OF_MARK)) {
		s->version = version;
		there = placed_go(p, s);
	}
	if (there)
		remove_coming(&p->ui->coming, s);
	return there;
}

void
placed_come(struct ui *ui, const struct pane_at *to)
{
	struct coming	*c = &ui->coming;
	struct pane	*p = placed_pane(ui, to);
	struct pane_at	*s = p != NULL ? find_coming(p) : NULL;

	if (s != NULL)
		remove_coming(c, s);
	if (p == NULL || !MEM_ROOM(c->at, c->cap, c->n))
		return;
	s = &c->at[c->n++];
	*s = *to;
	s->version = 0;
	s->place = (struct buf)BUF_INIT;
	buf_str(&s->place, buf_view(&to->place));
	if (!ui->history.leaving && to->use == OF_STEP)
		arrive(p, s);
}

/* A pane that waits for nothing will never become ready for a mark. */
bool
placed_arrive(struct ui *ui, bool all)
{
	struct pane_at	*s;
	struct pane	*p;
	bool		 some = false, there;

	for (size_t i = ui->history.leaving ? 0 : ui->coming.n; i-- > 0;) {
		s = &ui->coming.at[i];
		p = placed_pane(ui, s);
		if (p == NULL)
			remove_coming(&ui->coming, s);
		else if (all ? s->use == OF_STEP : (p == ui_pane(ui) || p == ui->split.beside) && !p->stale) {
			there = arrive(p, s);
			some |= there;
			if (!there && s->use == OF_MARK && task_idle(ui))
				remove_coming(&ui->coming, s);
		}
	}
	return some;
}

bool
placed_comes(const struct pane *p)
{
	const struct pane_at *s = find_coming(p);

	return s != NULL && s->use == OF_STEP;
}

void
placed_stay(const struct pane *p)
{
	struct pane_at	*s = find_coming(p);

	if (s != NULL)
		remove_coming(&p->ui->coming, s);
}

void
placed_drop(struct ui *ui, unsigned use)
{
	for (size_t i = ui->coming.n; i-- > 0;)
		if (ui->coming.at[i].use & use)
			remove_coming(&ui->coming, &ui->coming.at[i]);
}
