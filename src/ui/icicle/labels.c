/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * labels: names of boxes, shortened to their widths.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "labels.h"
#include "ui/term/term.h"

/* length of "[k] ", and columns below which a part of a name says nothing */
enum { KIND_W = 4, LABEL_LEAST = 8 };

/* ---- short forms -------------------------------------------------------------- */

struct str
frame_short(struct str s)
{
	struct name_parts p = name_parts(s);
	bool colons;
	struct name_parts class = name_parts(name_scope(&p, &colons));

	name_scope(&class, &colons);
	return class.scope.n == 0 || colons ? s : str_after(s, (size_t)(class.own.s - s.s));
}

struct str
object_without_number(struct str s)
{
	for (size_t i = s.n; i > 0; i--)
		if (s.s[i - 1] == ' ')
			return (struct str){ s.s, i - 1 };
	return s;
}

/* Return the offset of the part of a class name after the last separator; 0: none. */
static size_t
labels_last_part(struct str s, char mark)
{
	for (size_t i = object_without_number(s).n; i > 0; i--)
		if (s.s[i - 1] == mark)
			return i;
	return 0;
}

void
object_short(struct buf *b, struct str s, size_t w)
{
	struct str	word = STR("class ");
	bool		class = str_has_prefix(s, word);
	size_t		inner;

	s = class ? str_after(s, word.n) : s;
	s = str_after(s, labels_last_part(s, '.'));
	if (class && text_width(s) + word.n <= w)
		buf_str(b, word);
	/* The number of an anonymous class is not a name: keep the outer class. */
	inner = text_width(s) > w ? labels_last_part(s, '$') : 0;
	if (inner > 0 && inner < s.n && (s.s[inner] < '0' || s.s[inner] > '9'))
		s = str_after(s, inner);
	buf_str(b, s);
}

/* ---- labels of a level ---------------------------------------------------------- */

/* Marks repeat the colours for monochrome screens; the kind is omitted where the name would not fit beside it. */
static void
labels_add_marks(const struct frames *f, const struct box *fr, struct str name, struct buf *b)
{
	const char	*lead = fr->lead > 0 ? f->leads.s + fr->lead - 1 : "";
	bool		kind;

	if (fr->match)
		buf_chr(b, '*');
	if (f->differ)
		buf_chr(b, fr->shade > 0 ? '+' : fr->shade < 0 ? '-' : '=');
	if (fr->bug)
		buf_chr(b, '!');
	kind = fr->kind != '\0' && fr->w > b->n + KIND_W + text_width(str_of(lead)) + text_width(frame_short(name));
	if (kind)
		buf_printf(b, "[%c]", fr->kind);
	if (f->differ || fr->bug || kind)
		buf_chr(b, ' ');
	buf_str(b, str_of(lead));
}

bool
labels_open(struct labels *l, const struct frames *f, size_t end)
{
	size_t	n;

	memset(l, 0, sizeof *l);
	for (size_t level = f->top; level < end; level++) {
		n = frames_end(f, level) - frames_begin(f, level);
		l->most = n > l->most ? n : l->most;
	}
	l->at = mem_array(l->most, sizeof *l->at);
	l->shown = mem_array(l->most, sizeof *l->shown);
	return l->at != NULL && l->shown != NULL;
}

void
labels_free(struct labels *l)
{
	for (size_t i = 0; l->at != NULL && i < l->most; i++) {
		buf_free(&l->at[i].full);
		buf_free(&l->at[i].fit);
		buf_free(&l->at[i].marks);
	}
	for (size_t i = 0; l->shown != NULL && i < l->most; i++)
		buf_free(&l->shown[i].text);
	free(l->at);
	free(l->shown);
}

static void
label_objects(struct labels *l)
{
	for (size_t i = 0; i < l->n; i++) {
		buf_clear(&l->at[i].fit);
		object_short(&l->at[i].fit, buf_view(&l->at[i].full), l->shown[i].width);
		screen_fit_from(&l->at[i].fit, 0);
		buf_clear(&l->shown[i].text);
		if (text_width(buf_view(&l->at[i].fit)) <= l->shown[i].width || l->shown[i].width >= LABEL_LEAST)
			screen_short(&l->shown[i].text, buf_view(&l->at[i].fit), l->shown[i].width);
	}
}

static bool
same_name(const struct label *a, const struct label *b)
{
	return a->method != b->method && str_eq(buf_view(&a->full), buf_view(&b->full));
}

static void
labels_tell_apart(struct labels *l, const struct store *st)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < i; k++)
			if (same_name(&l->at[i], &l->at[k]))
				l->at[i].alike = l->at[k].alike = true;
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].alike)
			method_apart(st, l->at[i].method, &l->at[i].full);
}

/*
 * Leave out the class of a method, unless another class of the level has one with that name; and a part of a name that
 * says nothing.
 */
static void
label_own(struct labels *l, struct name_shown *s)
{
	struct str own = name_parts(s->whole).own;
	bool alike = false;

	if (s->text.n == s->whole.n)
		return;
	for (size_t i = 0; i < l->n && !alike; i++)
		alike = !str_eq(l->shown[i].whole, s->whole) && str_eq(name_parts(l->shown[i].whole).own, own);
	if (text_width(own) > s->width && s->width < LABEL_LEAST)
		buf_clear(&s->text);
	else if (text_width(own) <= s->width && !alike && s->n == 0) {
		buf_clear(&s->text);
		buf_str(&s->text, own);
	}
}

/* Keep packages if names would otherwise be equal. */
static void
label_functions(struct labels *l, const struct store *st)
{
	if (st != NULL)
		labels_tell_apart(l, st);
	for (size_t i = 0; i < l->n; i++) {
		buf_clear(&l->at[i].fit);
		screen_fit(&l->at[i].fit, buf_view(&l->at[i].full));
		l->shown[i].whole = frame_short(buf_view(&l->at[i].fit));
		l->at[i].alike = false;
	}
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < i; k++)
			if (str_eq(l->shown[i].whole, l->shown[k].whole) &&
			    !str_eq(buf_view(&l->at[i].fit), buf_view(&l->at[k].fit)))
				l->at[i].alike = l->at[k].alike = true;
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].alike)
			l->shown[i].whole = buf_view(&l->at[i].fit);
	names_short(l->shown, l->n, str_of(glyph(GLYPH_CUT)));
	for (size_t i = 0; i < l->n; i++)
		label_own(l, &l->shown[i]);
}

static bool
has_label(const struct box *fr)
{
	return fr->group == 0 && fr->w >= 2;
}

void
labels_level(struct labels *l, const struct frames *f, size_t level, void *data,
    void (*name)(void *, const struct box *, struct buf *))
{
	struct label *at;
	size_t	marks;

	l->n = 0;
	for (size_t i = frames_begin(f, level); i < frames_end(f, level); i++) {
		if (!has_label(&f->at[i]))
			continue;
		at = &l->at[l->n];
		buf_clear(&at->full);
		buf_clear(&at->marks);
		name(data, &f->at[i], &at->full);
		at->method = f->at[i].method;
		at->alike = false;
		labels_add_marks(f, &f->at[i], buf_view(&at->full), &at->marks);
		marks = text_width(buf_view(&at->marks));
		l->shown[l->n++].width = f->at[i].w - 1 > marks ? f->at[i].w - 1 - marks : 0;
	}
	if (f->objects)
		label_objects(l);
	else
		label_functions(l, f->st);
}
