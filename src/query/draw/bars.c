/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bars: values with error bars, as SVG or as a page with their table.
 */
#include "config.h"

#include <math.h>

#include "icecore/bars.h"
#include "draw.h"

#define WIDTH 1000000.0
#define LEFT 190000.0		/* left edge of the bars; names are before it */
#define RIGHT 690000.0		/* texts follow it */
#define ROW 30000.0
#define BASE 20000.0		/* from the top of a row to the baseline of its text */
#define LINE 15000.0
#define MARGIN 2500.0
#define LETTER 6020.0
#define THIN 1600.0

struct bars_scale {
	double	low, high;
};

/* The axis contains zero, so that a bar is as long as its value. */
static struct bars_scale
bars_axis(const struct mean_bars *bars)
{
	struct bars_scale a = { 0, 0 };

	for (size_t i = 0; i < bars->n; i++)
		for (size_t k = 0; k < NELEM(bars->bar[i].at); k++) {
			a.low = fmin(a.low, bars->bar[i].at[k]);
			a.high = fmax(a.high, bars->bar[i].at[k]);
		}
	a.high = a.high > a.low ? a.high : a.low + 1;
	return a;
}

static double
bars_place(const struct bars_scale *a, double value)
{
	return LEFT + (value - a->low) / (a->high - a->low) * (RIGHT - LEFT);
}

static void
add_rect(struct buf *b, double x, double y, double width, double height)
{
	buf_printf(b, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\"/>", x, y, width, height);
}

/* A text, cut to the place for it. */
static void
bars_add_text(struct buf *b, struct str raw, const char *class, double x, double y, double width)
{
	struct buf text = BUF_INIT, cut = BUF_INIT;

	text_fit_buf(&text, raw);
	words_cut(&cut, buf_view(&text), (size_t)(width / LETTER));
	buf_printf(b, "<text%s x=\"%.0f\" y=\"%.0f\">", class, x, y);
	text_html(b, buf_view(&cut));
	buf_str(b, STR("</text>\n"));
	b->bad |= text.bad || cut.bad;
	buf_free(&text);
	buf_free(&cut);
}

/* A line from low to high, with a cap at each end. */
static void
add_error(struct buf *b, const struct bars_scale *a, double low, double high, double y, double height)
{
	double from = bars_place(a, low), to = bars_place(a, high);

	if (isnan(low) || isnan(high))
		return;
	add_rect(b, from, y + (height - THIN) / 2, to - from, THIN);
	add_rect(b, from - THIN / 2, y, THIN, height);
	add_rect(b, to - THIN / 2, y, THIN, height);
}

static void
add_bar(struct buf *b, const struct mean_bar *bar, const struct bars_scale *a, double y)
{
	double zero = bars_place(a, 0), to = bars_place(a, bar->at[BAR_VALUE]);

	bars_add_text(b, bar->name, "", MARGIN, y + BASE, LEFT - 3 * MARGIN);
	if (!isnan(to)) {
		buf_str(b, STR("<g class=\"h2\">"));
		add_rect(b, fmin(zero, to), y + ROW * 0.1, fabs(to - zero), ROW * 0.8);
		buf_str(b, STR("</g>\n<g class=\"x\">"));
		add_error(b, a, bar->at[BAR_LOW], bar->at[BAR_HIGH], y + ROW * 0.2, ROW * 0.3);
		add_error(b, a, bar->at[BAR_OTHER_LOW], bar->at[BAR_OTHER_HIGH], y + ROW * 0.6,
		    ROW * 0.15);
		buf_str(b, STR("</g>\n"));
	}
	bars_add_text(b, bar->told, "", RIGHT + 4 * MARGIN, y + BASE, WIDTH - RIGHT - 5 * MARGIN);
}

static void
add_svg(const struct mean_bars *bars, bool alone, struct buf *b)
{
	struct bars_scale a = bars_axis(bars);
	double top = alone ? 3 * LINE : LINE / 2;

	if (alone)
		buf_str(b, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
	buf_printf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"100%%\" "
	    "role=\"img\" aria-labelledby=\"title desc\" "
	    "xml:lang=\"en\">\n<title id=\"title\">", WIDTH, top + (double)bars->n * ROW + LINE);
	text_html(b, bars->title);
	buf_str(b, STR("</title>\n<desc id=\"desc\">"));
	text_html(b, bars->lead);
	buf_str(b, STR("</desc>\n"));
	if (alone) {
		buf_printf(b, "<style>%s</style>\n", draw_picture_css);
		bars_add_text(b, bars->title, " class=\"head\"", MARGIN, LINE, WIDTH - 2 * MARGIN);
		bars_add_text(b, bars->lead, " class=\"lead\"", MARGIN, 2 * LINE, WIDTH - 2 * MARGIN);
	}
	for (size_t i = 0; i < bars->n; i++)
		add_bar(b, &bars->bar[i], &a, top + (double)i * ROW);
	buf_str(b, STR("</svg>\n"));
}

bool
draw_error_bars(const struct mean_bars *bars, struct rows *table, enum format format, struct buf *b,
    struct err *err)
{
	uint64_t n = 0;

	if (format == FORMAT_SVG)
		add_svg(bars, true, b);
	else {
		html_page_begin(&(struct html_page){ .title = bars->title }, b);
		buf_str(b, STR("<header>\n<p>"));
		text_html(b, bars->lead);
		buf_str(b, STR("</p>\n</header>\n<main>\n"));
		add_svg(bars, false, b);
		html_add_rows(table, b, &n);
		buf_str(b, STR("</main>\n"));
		html_page_end(b);
	}
	return !b->bad || fail(err, E_SYSTEM, "out of memory (picture)");
}
