/*
 * overview_draw: one line of the overview: name, value, share, and what it is about.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/name.h"
#include "overview.h"

enum { INDENT = 2, NAME_W = 16, VALUE_W = 10, SHARE_W = 6, GAP = 2, NAME_LEAST = 12, WIDE = 60 };

/* A name gives way first; what stands around it is short, and is left out where it would leave no room for the name. */
static void
add_words(const struct overview_item *item, size_t w, struct buf *b)
{
	struct str raw = buf_view(&item->words);
	struct buf before = BUF_INIT, name = BUF_INIT, after = BUF_INIT, all = BUF_INIT;
	size_t around;

	screen_fit(&before, (struct str){ raw.s, item->name });
	screen_fit(&name, (struct str){ raw.s + item->name, item->name_n });
	screen_fit(&after, str_behind(raw, item->name + item->name_n));
	around = text_width(buf_view(&before)) + text_width(buf_view(&after));
	buf_str(&all, buf_view(&before));
	if (item->name_n > 0 && item->name == 0 && w < around + NAME_LEAST) {
		buf_clear(&after);
		around = 0;
	}
	if (item->name_n > 0 && w >= around + NAME_LEAST && item->class_name)
		screen_tail(&all, buf_view(&name), w - around);
	else if (item->name_n > 0 && w > around)
		name_short(&all, buf_view(&name), w - around, str_of(glyph(GLYPH_CUT)));
	else
		buf_str(&all, buf_view(&name));
	buf_str(&all, buf_view(&after));
	screen_middle(b, buf_view(&all), w);
	buf_free(&before);
	buf_free(&name);
	buf_free(&after);
	buf_free(&all);
}

static const char *
waiting(const struct overview *o, const struct overview_row *row)
{
	return o->stopped ? "stopped; Enter resumes" : row->line == o->asked && o->task.given ? "computing" : "computing ...";
}

/* Right of what ends at column x, and where that is. */
static int
put_number(struct area a, int x, int w, unsigned look, struct str s)
{
	int n = (int)text_width(s);

	x += w > n ? w - n : 0;
	screen_put(a.y, a.x + x, a.w - x, ROLE_NORMAL, look, s);
	return x + n;
}

static int
draw_numbers(const struct overview *o, const struct overview_item *item, struct area a, int x, unsigned look)
{
	struct buf value = BUF_INIT;
	char share[NUM_TEXT];

	if (item->value.type == CELL_NONE && !item->shared)
		return x + GAP;
	overview_value(item, &value);
	x = put_number(a, x, VALUE_W, look, buf_view(&value));
	buf_free(&value);
	if (!item->shared || (a.w < WIDE && item->value.type != CELL_NONE))
		return x + GAP + (a.w >= WIDE && item->named && o->shares ? SHARE_W + GAP : 0);
	snprintf(share, sizeof share, "%.1f%%", item->share);
	return put_number(a, x + GAP, SHARE_W, look, str_of(share)) + GAP;
}

void
overview_draw_row(const struct overview *o, const struct overview_row *row, struct area a, bool selected)
{
	const struct overview_item *item = row->item;
	unsigned look = selected ? LOOK_REVERSE : LOOK_PLAIN;
	int x = INDENT + NAME_W;
	struct buf words = BUF_INIT;

	if (selected) {
		screen_fill(a.y, a.x, a.w, ROLE_NORMAL, look, GLYPH_RULE, true);
		screen_puts(a.y, a.x, 1, ROLE_NORMAL, look, ">");
		screen_cursor(a.y, a.x, false);
	}
	if (row->first)
		screen_puts(a.y, a.x + INDENT, NAME_W, ROLE_HEAD, look, overview_name(overview_line(row->line)));
	if (item == NULL) {
		screen_puts(a.y, a.x + x + GAP, a.w - x - GAP, ROLE_DIM, look, waiting(o, row));
		return;
	}
	x = draw_numbers(o, item, a, x, look);
	if (a.w > x)
		add_words(item, (size_t)(a.w - x), &words);
	/* A word alone stands where numbers do. */
	if (item->value.type == CELL_NONE && !item->shared && text_width(buf_view(&words)) < VALUE_W)
		x += VALUE_W - GAP - (int)text_width(buf_view(&words));
	x += screen_put(a.y, a.x + x, a.w - x, ROLE_NORMAL, look, buf_view(&words)) + GAP;
	for (size_t i = 0; item->bars && i < USE_PARTS && x < a.w; i++, x++)
		screen_puts(a.y, a.x + x, 1, selected ? ROLE_NORMAL : ROLE_BAR, look, screen_bar(item->bar[i]));
	buf_free(&words);
}

void
overview_row_text(const struct overview_row *row, struct buf *b)
{
	buf_str(b, str_of(overview_name(overview_line(row->line))));
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
