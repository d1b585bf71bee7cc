/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit: convert raw text to characters that the terminal can show, and shorten it; lines of such characters.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/sums.h"
#include "term.h"

static const char *const glyphs[2][GLYPHS] = {
	{ [GLYPH_RULE] = "-", [GLYPH_BAR] = "|", [GLYPH_CROWD] = "#",
	  [GLYPH_CUT] = "~", [GLYPH_INTO] = " > ", [GLYPH_TIMES] = "x", [GLYPH_MORE] = ">",
	  [GLYPH_FALLING] = "v", [GLYPH_RISING] = "^", [GLYPH_DASH] = "-", [GLYPH_TURNS] = " -> ",
	      [GLYPH_DELTA] = "+-", [GLYPH_THUMB] = "#" },
	{ [GLYPH_RULE] = "─", [GLYPH_BAR] = "│", [GLYPH_CROWD] = "▪",
	  [GLYPH_CUT] = "…", [GLYPH_INTO] = " › ", [GLYPH_TIMES] = "×", [GLYPH_MORE] = "›",
	  [GLYPH_FALLING] = "↓", [GLYPH_RISING] = "↑", [GLYPH_DASH] = "–", [GLYPH_TURNS] = " → ",
	      [GLYPH_DELTA] = "±", [GLYPH_THUMB] = "▐" },
};

const char *
glyph(enum glyph g)
{
	return glyphs[screen_utf8()][g];
}

const char *
screen_bar(unsigned step)
{
	static const char *const eighths[] = { "\xc2\xb7", "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
	    "\xe2\x96\x84",
		"\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88" };
	static const char *const digits[] = { ".", "1", "2", "3", "4", "5", "6", "7", "8" };

	assert(step < NELEM(digits));
	return screen_utf8() ? eighths[step] : digits[step];
}

enum role
screen_bar_role(unsigned step)
{
	return step == 0 ? ROLE_DIM : step < USE_BUSY ? ROLE_BAR : ROLE_BUSY;
}

/* Maximum bytes of a text to fit: no screen shows more, and a string of a dump may have megabytes. */
enum { SHOWN_MOST = 65536 };

static void
fit_fit(struct buf *b, struct str s)
{
	char	*ascii;
	size_t	 n;

	if (screen_utf8()) {
		text_fit_buf(b, s);
		return;
	}
	n = text_fit_ascii(NULL, 0, s);
	ascii = mem_array(n + 1, 1);
	if (ascii == NULL) {
		b->bad = true;
		return;
	}
	text_fit_ascii(ascii, n + 1, s);
	buf_add(b, ascii, n);
	free(ascii);
}

/* True inside a UTF-8 character. */
static bool
within(struct str s, size_t at)
{
	return at < s.n && ((unsigned char)s.s[at] & 0xc0) == 0x80;
}

/* Cut a long text in its middle: names differ at both ends. */
void
screen_fit(struct buf *b, struct str s)
{
	size_t	head = SHOWN_MOST / 2, tail = s.n - head;

	if (s.n <= SHOWN_MOST) {
		fit_fit(b, s);
		return;
	}
	while (head > 0 && within(s, head))
		head--;
	while (within(s, tail))
		tail++;
	fit_fit(b, str_head(s, head));
	buf_str(b, str_of(glyph(GLYPH_CUT)));
	fit_fit(b, str_after(s, tail));
}

/* Append the first head columns of a text, a mark, and as many last columns as fit into w. */
static void
fit_cut(struct buf *b, struct str s, size_t w, size_t head)
{
	if (text_width(s) <= w) {
		buf_str(b, s);
		return;
	}
	if (w == 0)
		return;
	buf_add(b, s.s, text_cut(s, head, NULL));
	buf_str(b, str_of(glyph(GLYPH_CUT)));
	/* Keep the end: names often differ only there. */
	buf_str(b, text_end(s, w - 1 - head));
}

void
screen_middle(struct buf *b, struct str s, size_t w)
{
	fit_cut(b, s, w, w > 0 ? (w - 1) / 2 : 0);
}

void
screen_tail(struct buf *b, struct str s, size_t w)
{
	fit_cut(b, s, w, 0);
}

void
screen_short(struct buf *b, struct str s, size_t w)
{
	if (text_width(s) <= w) {
		buf_str(b, s);
		return;
	}
	buf_add(b, s.s, text_cut(s, w > 0 ? w - 1 : 0, NULL));
	if (w > 0)
		buf_add(b, glyph(GLYPH_CUT), strlen(glyph(GLYPH_CUT)));
}

void
screen_fit_from(struct buf *b, size_t at)
{
	struct buf	raw = BUF_INIT;

	if (b->bad || at >= b->n)
		return;
	buf_add(&raw, b->s + at, b->n - at);
	b->n = at;
	screen_fit(b, buf_view(&raw));
	b->bad |= raw.bad;
	buf_free(&raw);
}

void
screen_number(struct buf *b, const char *name, int (*show)(char *, size_t, uint64_t), uint64_t number)
{
	char	s[NUM_TEXT];

	show(s, sizeof s, number);
	buf_printf(b, "%s%s", name, s);
}

bool
screen_pair(struct buf *b, struct buf *name, struct buf *rest, size_t w)
{
	struct buf	head = BUF_INIT, tail = BUF_INIT;
	size_t		n, least = w / 3;
	bool		cut;

	screen_fit(&head, buf_view(name));
	screen_fit(&tail, buf_view(rest));
	n = text_width(buf_view(&tail));
	cut = text_width(buf_view(&head)) + n > w;
	screen_short(b, buf_view(&head), w > n + least ? w - n : least);
	buf_str(b, buf_view(&tail));
	buf_free(&head);
	buf_free(&tail);
	buf_free(name);
	buf_free(rest);
	return cut;
}

static int
put_cut(int y, int x, int w, enum role role, unsigned look, struct str raw,
    void (*how)(struct buf *, struct str, size_t))
{
	struct buf	fit = BUF_INIT, cut = BUF_INIT;
	int		n;

	screen_fit(&fit, raw);
	how(&cut, buf_view(&fit), (size_t)(w > 0 ? w : 0));
	n = screen_put(y, x, w, role, look, buf_view(&cut));
	buf_free(&fit);
	buf_free(&cut);
	return n;
}

int
screen_name(int y, int x, int w, enum role role, unsigned look, struct str raw)
{
	return put_cut(y, x, w, role, look, raw, screen_short);
}

int
screen_thread(int y, int x, int w, enum role role, unsigned look, struct str raw)
{
	return put_cut(y, x, w, role, look, raw, screen_middle);
}

size_t
screen_break(struct str s, size_t w)
{
	size_t	all = text_cut(s, w, NULL), n = all;

	while (n < s.n && n > 0 && s.s[n] != ' ')
		n--;
	return n > 0 ? n : all > 0 ? all : s.n;
}

int
screen_words(struct area a, enum role role, struct str s)
{
	size_t	n;
	int	y;

	for (y = 0; y < a.h && s.n > 0; y++) {
		n = screen_break(s, (size_t)a.w);
		screen_put(a.y + y, a.x, a.w, role, LOOK_PLAIN, (struct str){ s.s, n });
		s = str_trim(str_after(s, n));
	}
	return y;
}

void
screen_split(int y, int x, int h)
{
	while (h-- > 0)
		screen_puts(y + h, x, 1, ROLE_DIM, LOOK_PLAIN, glyph(GLYPH_BAR));
}

void
screen_fill(int y, int x, int w, enum role role, unsigned look, enum glyph g, bool blank)
{
	const char	*s = blank ? " " : glyph(g);

	for (int i = 0; i < w; i++)
		screen_puts(y, x + i, 1, role, look, s);
}
