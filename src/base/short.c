/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * short: names of functions in few columns, alone and in a list.
 */
#include "config.h"

#include <string.h>

#include "short.h"

enum { BEFORE = 12, BEHIND = 24 };	/* bytes of the word around a place that are shown */

/* ---- one name ------------------------------------------------------------------------------- */

static bool
short_is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Returns how many bytes in its middle are not looked at; *behind: where those begin that are. */
static size_t
short_take_text(struct cutter *c, struct str whole, size_t *behind)
{
	size_t head = SHORT_PIECE, tail = SHORT_PIECE;

	c->s = whole;
	*behind = whole.n;
	if (whole.n <= SHORT_LONGEST)
		return 0;
	while (head > 0 && short_is_inside(whole.s[head]))
		head--;
	while (tail > 0 && short_is_inside(whole.s[whole.n - tail]))
		tail--;
	memcpy(c->text, whole.s, head);
	memcpy(c->text + head, whole.s + whole.n - tail, tail);
	c->s = (struct str){ c->text, head + tail };
	*behind = head;
	return whole.n - c->s.n;
}

static void
short_measure(struct cutter *c)
{
	size_t cols, n;

	c->width = 0;
	memset(c->is, 0, c->s.n);
	memset(c->cols, 0, c->s.n);
	for (size_t at = 0; at < c->s.n && (n = text_step(str_after(c->s, at), &cols)) > 0; at += n) {
		c->is[at] = BEGINS;
		c->cols[at] = (uint8_t)cols;
		c->width += cols;
	}
}

static bool
short_is_letter(char c)
{
	return is_word(c) || (unsigned char)c >= 0x80;
}

/* The word around a place, or its character alone. */
static void
short_keep(struct cutter *c, size_t at, bool word)
{
	size_t from = at, to;

	while (from > 0 && (c->is[from] & BEGINS) == 0)
		from--;
	to = cutter_next(c, from);
	while (word && from > 0 && at - from < BEFORE && short_is_letter(c->s.s[from - 1]))
		from--;
	while (word && to < c->s.n && to - at < BEHIND && short_is_letter(c->s.s[to]))
		to++;
	while (from > 0 && (c->is[from] & BEGINS) == 0)
		from--;
	while (to < c->s.n && (c->is[to] & BEGINS) == 0)
		to++;
	for (size_t i = from; i < to; i++)
		c->is[i] |= KEPT;
}

/* True if the text fits without a cut. */
static bool
short_shorten(struct cutter *c, const struct name_shown *s, bool words)
{
	size_t behind, gone = short_take_text(c, s->whole, &behind), at;

	short_measure(c);
	for (size_t i = 0; i < s->n; i++) {
		at = s->at[i] < behind ? s->at[i] : s->at[i] - gone;
		if (s->at[i] < behind || s->at[i] >= behind + gone)
			short_keep(c, at, words);
	}
	if (gone > 0)
		cutter_leave_out(c, behind, cutter_next(c, behind), GONE);
	return cutter_shorten(c);
}

static void
short_put(struct buf *b, const struct cutter *c, struct str mark)
{
	for (size_t i = 0; i < c->s.n; i++)
		if ((c->is[i] & GONE) == 0)
			buf_chr(b, c->s.s[i]);
		else if (cutter_mark_begins(c, i))
			buf_str(b, mark);
}

static void
short_show(struct name_shown *s, struct str mark)
{
	struct cutter c;

	buf_clear(&s->text);
	c.goal = s->width;
	c.mark = text_width(mark);
	if (text_width(s->whole) <= s->width)
		buf_str(&s->text, s->whole);
	else if (s->width < c.mark)
		buf_add(&s->text, s->whole.s, text_cut(s->whole, s->width, NULL));
	else {
		if (!short_shorten(&c, s, true) && (s->n == 0 || !short_shorten(&c, s, false)))
			cutter_cut(&c, s->n > 0);
		short_put(&s->text, &c, mark);
	}
}

void
name_short(struct buf *b, struct str fitted, size_t width, struct str mark)
{
	struct name_shown s = { .whole = fitted, .width = width, .text = BUF_INIT };

	short_show(&s, mark);
	buf_str(b, buf_view(&s.text));
	b->bad |= s.text.bad;
	buf_free(&s.text);
}

/* ---- names among others ---------------------------------------------------------------------- */

static size_t
short_common(struct str a, struct str b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.s[n] == b.s[n])
		n++;
	return n;
}

/*
 * The last place where a name begins to differ from another one that is shown like it; SIZE_MAX: there is none.  Those
 * that differ earlier are likely to differ there, too.
 */
static size_t
differs_at(const struct name_shown *s, size_t n, size_t i)
{
	size_t best = SIZE_MAX, at;

	for (size_t k = 0; k < n; k++) {
		if (k == i || !str_eq(buf_view(&s[k].text), buf_view(&s[i].text)))
			continue;
		at = short_common(s[i].whole, s[k].whole);
		if (at < s[i].whole.n && (best == SIZE_MAX || at > best))
			best = at;
	}
	return best;
}

void
names_short(struct name_shown *s, size_t n, struct str mark)
{
	bool again = true;

	for (size_t i = 0; i < n; i++) {
		s[i].n = 0;
		short_show(&s[i], mark);
	}
	/* Each place can make names alike that another place distinguished, so all of them count. */
	for (size_t round = 0; round < NAME_PLACES && again; round++) {
		again = false;
		for (size_t i = 0; i < n; i++) {
			s[i].at[round] = differs_at(s, n, i);
			again |= s[i].at[round] != SIZE_MAX;
		}
		for (size_t i = 0; i < n && again; i++)
			if (s[i].at[round] != SIZE_MAX) {
				s[i].at[s[i].n++] = s[i].at[round];
				short_show(&s[i], mark);
			}
	}
}
