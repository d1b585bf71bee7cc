/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overview_draw: draw a line of the overview: name, value, share and subject.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/name.h"
#include "overview.h"

enum { INDENT = 2, NAME_LEAST = 12, WIDE = 60, ROOMY = 100, PARTS_MOST = 3, SCOPE_LEAST = 4 };

/*
 * Widths: names, minimum gap after a name, values and shares, gap between them; narrow screens show no
 * share after a value.
 */
static const struct widths {
	int	name, least, value, share, gap;
} roomy = { 20, 0, 10, 6, 2 }, wide = { 16, 0, 10, 6, 2 }, narrow = { 14, 1, 8, 8, 1 };

static const struct widths *
widths_of(struct area a)
{
	return a.w >= ROOMY ? &roomy : a.w >= WIDE ? &wide : &narrow;
}

/*
 * Return the length of a word up to its first dot, including the dot; 0 if there is none, for a number, and for "e.g.".
 */
static size_t
package_length(struct str word)
{
	const char *dot = memchr(word.s, '.', word.n);

	if (dot == NULL || word.s[word.n - 1] == '.' || (word.s[0] >= '0' && word.s[0] <= '9'))
		return 0;
	return (size_t)(dot - word.s) + 1;
}

/* Append a text; if it is wider than w columns, drop as many packages of its first class as necessary. */
static void
overview_draw_add_class(struct buf *b, struct str s, size_t w)
{
	struct str rest = s, word = STR("");
	size_t n = 0, more, at;

	while (n == 0 && str_split(&rest, ' ', &word))
		n = package_length(word);
	if (n == 0 || text_width(s) <= w) {
		buf_str(b, s);
		return;
	}
	while (text_width(s) + 1 > w + text_width((struct str){ word.s, n }) &&
	    (more = package_length(str_after(word, n))) > 0)
		n += more;
	at = (size_t)(word.s - s.s);
	buf_str(b, (struct str){ s.s, at });
	buf_str(b, str_of(glyph(GLYPH_CUT)));
	buf_str(b, str_after(s, at + n));
}

/* Append a shortened name; where its class has no room, the end of the class fills it. */
static void
overview_draw_add_short(struct buf *b, struct str name, size_t room)
{
	const struct name_parts parts = name_parts(name);
	struct str mark = str_of(glyph(GLYPH_CUT)), whole = { name.s, (size_t)(parts.own.s + parts.own.n - name.s) };
	bool colons;
	size_t class = text_width(name_parts(name_scope(&parts, &colons)).own),
	    least = text_width(parts.own) + text_width(mark);

	if (parts.scope.n > 0 && text_width(whole) > room && least + SCOPE_LEAST <= room && least + class + 1 > room) {
		buf_str(b, mark);
		buf_str(b, text_end(whole, room - text_width(mark)));
		return;
	}
	name_short(b, name, room, mark);
}

/* Keep the function's own name whole; drop the text after it if there is no room. */
static void
overview_draw_add_named(struct buf *b, const struct overview_item *item, size_t w)
{
	struct str raw = buf_view(&item->words);
	struct buf before = BUF_INIT, name = BUF_INIT, after = BUF_INIT;
	size_t around, room, own;

	screen_fit(&before, str_head(raw, item->name));
	screen_fit(&name, str_head(str_after(raw, item->name), item->name_n));
	screen_fit(&after, str_after(raw, item->name + item->name_n));
	around = text_width(buf_view(&before)) + text_width(buf_view(&after));
	if (item->name == 0 && w < around + NAME_LEAST) {
		buf_clear(&after);
		around = 0;
	}
	own = text_width(name_parts(buf_view(&name)).own);
	room = w >= around + NAME_LEAST ? w - around : w;
	buf_str(b, buf_view(&before));
	if (item->class_name)
		overview_draw_add_class(b, buf_view(&name), room);
	else
		overview_draw_add_short(b, buf_view(&name), room > own ? room : own);
	buf_str(b, buf_view(&after));
	buf_free(&before);
	buf_free(&name);
	buf_free(&after);
}

void
overview_words(const struct overview_item *item, size_t w, struct buf *b)
{
	struct buf all = BUF_INIT, fit = BUF_INIT;

	screen_fit(&fit, buf_view(&item->words));
	if (item->tail)
		screen_tail(&all, buf_view(&fit), w);
	else if (item->name_n > 0)
		overview_draw_add_named(&all, item, w);
	else
		overview_draw_add_class(&all, buf_view(&fit), w);
	screen_short(b, buf_view(&all), w);
	buf_free(&all);
	buf_free(&fit);
}

static const char *
waiting(const struct overview *o, const struct overview_row *row)
{
	return row->line == &overview_lines[o->asked] && o->task.given ? "computing" : "computing ...";
}

/* Draw a number right-aligned in w columns from x on; return its end. */
static int
overview_draw_put_number(struct area a, int x, int w, unsigned look, struct str s)
{
	int n = (int)text_width(s);

	x += w > n ? w - n : 0;
	screen_put(a.y, a.x + x, a.w - x, ROLE_NORMAL, look, s);
	return x + n;
}

static int
draw_numbers(const struct overview *o, const struct overview_item *item, struct area a, int x, unsigned look)
{
	const struct widths *w = widths_of(a);
	struct buf value = BUF_INIT;
	char share[NUM_TEXT];

	if (item->value.type == CELL_NONE && !item->shared)
		return x + w->gap;
	overview_value(item, &value);
	if (a.w >= WIDE || item->value.type != CELL_NONE)
		x = overview_draw_put_number(a, x, w->value, look, buf_view(&value)) + w->gap;
	buf_free(&value);
	if (!item->shared || (a.w < WIDE && item->value.type != CELL_NONE))
		return x + (a.w >= WIDE && item->named && o->shares ? w->share + w->gap : 0);
	snprintf(share, sizeof share, "%.1f%%", item->share);
	return overview_draw_put_number(a, x, w->share, look, str_of(share)) + w->gap;
}

/* Take the next part of fitted words, w columns wide at most; the last one is what is left. */
static struct str
overview_part(struct str *rest, size_t part, size_t w)
{
	size_t n = part + 1 == PARTS_MOST ? rest->n : text_words(*rest, w, !screen_utf8()),
	    most = text_cut(*rest, w, NULL);
	struct str s;

	n = part + 1 < PARTS_MOST && n > most ? most : n;
	s = str_trim(str_head(*rest, n));
	*rest = str_after(*rest, n);
	return s;
}

size_t
overview_parts(const struct overview_line *line, const struct overview_item *item, struct area a)
{
	const struct widths *w = widths_of(a);
	int room = a.w - INDENT - w->name - w->least - w->gap;
	struct buf fit = BUF_INIT;
	struct str rest;
	size_t n = 1;

	if (item == NULL || !line->header || item->value.type != CELL_NONE || item->shared || room < NAME_LEAST)
		return 1;
	screen_fit(&fit, buf_view(&item->words));
	rest = buf_view(&fit);
	for (n = 0; n < PARTS_MOST && (n == 0 || rest.n > 0); n++)
		(void)overview_part(&rest, n, (size_t)room);
	buf_free(&fit);
	return n;
}

/* Append the part of the words in that row. */
static void
overview_part_words(const struct overview_row *row, size_t w, struct buf *b)
{
	struct buf fit = BUF_INIT;
	struct str rest, part = STR("");

	if (row->parts == 1) {
		overview_words(row->item, w, b);
		return;
	}
	screen_fit(&fit, buf_view(&row->item->words));
	rest = buf_view(&fit);
	for (size_t i = 0; i <= row->part; i++)
		part = overview_part(&rest, i, w);
	screen_short(b, part, w);
	buf_free(&fit);
}

int
overview_draw_row(const struct overview *o, const struct overview_row *row, struct area a, bool selected)
{
	const struct overview_item *item = row->item;
	unsigned look = selected ? LOOK_REVERSE : LOOK_PLAIN;
	const struct widths *w = widths_of(a);
	int x = INDENT + w->name + w->least;
	struct buf words = BUF_INIT, name = BUF_INIT;

	if (selected)
		screen_fill(a.y, a.x, a.w, ROLE_NORMAL, look, GLYPH_RULE, true);
	if (selected && row->part == 0) {
		screen_puts(a.y, a.x, 1, ROLE_NORMAL, look, ">");
		screen_cursor(a.y, a.x, false);
	}
	if (row->first) {
		screen_short(&name, str_of(row->line->name), (size_t)w->name);
		screen_put(a.y, a.x + INDENT, w->name, ROLE_HEAD, look, buf_view(&name));
		buf_free(&name);
	}
	if (item == NULL) {
		screen_puts(a.y, a.x + x + w->gap, a.w - x - w->gap, ROLE_DIM, look,
		    o->stopped ? hint(VERB_ENTER, "stopped; _ resumes").s : waiting(o, row));
		return a.w;
	}
	x = draw_numbers(o, item, a, x, look);
	if (a.w > x)
		overview_part_words(row, (size_t)(a.w - x), &words);
	/* Align a word without a value to the right, like numbers. */
	if (item->value.type == CELL_NONE && !item->shared && (int)text_width(buf_view(&words)) < w->value)
		x += w->value - w->gap - (int)text_width(buf_view(&words));
	x += screen_put(a.y, a.x + x, a.w - x, ROLE_NORMAL, look, buf_view(&words)) + w->gap;
	for (size_t i = 0; i < item->bars && x < a.w; i++, x++)
		screen_puts(a.y, a.x + x, 1, selected ? ROLE_NORMAL : screen_bar_role(item->bar[i]), look,
		    screen_bar(item->bar[i]));
	buf_free(&words);
	return x;
}

void
overview_row_text(const struct overview_row *row, struct buf *b)
{
	buf_str(b, str_of(row->line->name));
	if (row->item == NULL)
		return;
	buf_chr(b, '\t');
	overview_value(row->item, b);
	buf_chr(b, '\t');
	if (row->item->shared)
		buf_printf(b, "%.1f%%", row->item->share);
	buf_chr(b, '\t');
	screen_fit(b, buf_view(&row->item->words));
}
