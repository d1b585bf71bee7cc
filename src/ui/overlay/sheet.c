/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sheet: items as lines; texts are wrapped, never truncated.
 */
#include "config.h"

#include "sheet.h"

enum { MARGIN = 3, GAP = 1, LEFT_LEAST = 8, TEXT_LEAST = 10, BELOW = 2 };

/* ---- widths -------------------------------------------------------------- */

static int
widest(const struct items *items, const struct buf *(*of)(const struct remark *))
{
	int	most = 0, w;

	for (size_t i = 0; i < items->n; i++) {
		w = items->at[i].head ? 0 : (int)text_width(buf_view(of(&items->at[i])));
		most = w > most ? w : most;
	}
	return most;
}

static const struct buf *
sheet_left_of(const struct remark *item)
{
	return &item->left;
}

static const struct buf *
sheet_text_of(const struct remark *item)
{
	return &item->text;
}

static const struct buf *
note_of(const struct remark *item)
{
	return &item->note;
}

static int
between(int least, int w, int most)
{
	return w > most ? most : w < least ? least : w;
}

/* Compute column widths.  The text keeps its width up to half of the room, or more if notes leave it. */
void
sheet_fit(struct spread *s, const struct items *items, int w, int left, bool below)
{
	int	names = widest(items, sheet_left_of), note = widest(items, note_of), room;

	*s = (struct spread){ .w = w, .below = below };
	if (below) {
		s->text = w - MARGIN - BELOW > 1 ? w - MARGIN - BELOW : 1;
		s->note = note > 0 ? s->text : 0;
		return;
	}
	s->left = left > 0 ? left : names > 0 ? between(LEFT_LEAST, names, w / 3) : 0;
	room = w - MARGIN - (s->left > 0 ? s->left + GAP : 0);
	if (note == 0) {
		s->text = room;
		return;
	}
	s->text = between(TEXT_LEAST, widest(items, sheet_text_of), room - 2 * GAP - note > room / 2 ?
	    room - 2 * GAP - note : room / 2);
	s->note = room - 2 * GAP - s->text;
}

/* ---- lines --------------------------------------------------------------- */

/* Draw or count the lines of a text from y on, within the area; return their number. */
static int
sheet_put(struct area a, int y, int x, int w, enum role role, unsigned look, struct str s)
{
	int	first = y;
	size_t	n;

	for (; s.n > 0; y++) {
		n = screen_break(s, (size_t)w);
		if (y >= a.y && y < a.y + a.h)
			screen_put(y, a.x + x, w, role, look, (struct str){ s.s, n });
		s = str_trim(str_after(s, n));
	}
	return y - first;
}

/* Return the width of an item's text; a text without name and note takes the whole width. */
static int
text_width_of(const struct spread *s, const struct remark *item)
{
	return item->left.n == 0 && item->note.n == 0 ? s->w - MARGIN :
	    item->note.n == 0 && s->note > 0 ? s->text + 2 * GAP + s->note : s->text;
}

static int
put_item(const struct spread *s, const struct remark *item, int y, struct area a, unsigned look)
{
	enum role	role = item->key != NULL ? ROLE_KEY : item->role;
	int		x = MARGIN, n[3];

	if (item->head)
		return sheet_put(a, y, MARGIN - 1, s->w - MARGIN + 1, ROLE_TITLE, LOOK_PLAIN,
		    buf_view(&item->left));
	if (s->below) {
		n[0] = sheet_put(a, y, x, s->w - x, role, look, buf_view(&item->left));
		n[1] = sheet_put(a, y + n[0], x + BELOW, s->text, ROLE_NORMAL, look, buf_view(&item->text));
		return n[0] + n[1] + sheet_put(a, y + n[0] + n[1], x + BELOW, s->text, ROLE_DIM, look,
		    buf_view(&item->note));
	}
	n[0] = s->left > 0 ? sheet_put(a, y, x, s->left, role, look, buf_view(&item->left)) : 0;
	x += s->left > 0 && (item->left.n > 0 || item->note.n > 0) ? s->left + GAP : 0;
	n[1] = sheet_put(a, y, x, text_width_of(s, item), ROLE_NORMAL, look, buf_view(&item->text));
	n[2] = s->note > 0 ? sheet_put(a, y, x + s->text + 2 * GAP, s->note, ROLE_DIM, look,
	    buf_view(&item->note)) : 0;
	n[0] = n[0] > n[1] ? n[0] : n[1];
	return n[0] > n[2] ? n[0] : n[2];
}

int
sheet_height(const struct spread *s, const struct remark *item)
{
	int	n = put_item(s, item, 0, (struct area){ 0, 0, 0, s->w }, 0);

	return n > 0 ? n : 1;
}

void
sheet_draw(const struct spread *s, const struct remark *item, int y, struct area a, unsigned marks)
{
	bool		chosen = (marks & SHEET_CHOSEN) != 0, hit = (marks & SHEET_HIT) != 0;
	unsigned	look = (chosen ? LOOK_REVERSE : 0) | (hit ? LOOK_BOLD : 0);
	char		margin[3] = { chosen ? '>' : ' ', hit ? '*' : ' ', '\0' };

	for (int i = 0, n = chosen ? sheet_height(s, item) : 0; i < n; i++)
		if (y + i >= a.y && y + i < a.y + a.h)
			screen_fill(y + i, a.x, s->w, ROLE_NORMAL, look, GLYPH_RULE, true);
	if (y >= a.y && y < a.y + a.h && !item->head)
		screen_puts(y, a.x, MARGIN, ROLE_NORMAL, look, margin);
	put_item(s, item, y, a, look);
	if (chosen && y >= a.y && y < a.y + a.h)
		screen_cursor(y, a.x, false);
}
