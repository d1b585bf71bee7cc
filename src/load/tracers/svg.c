/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flame graphs drawn as SVG by FlameGraph, inferno (cargo flamegraph, py-spy, rbspy), perf and
 * async-profiler 1.x: a rectangle for each frame, with the title "NAME (COUNT UNIT, 12.3%)".
 *
 * The counts are exact.  Places are exact where inferno says them as counts (fg:x, fg:w); elsewhere they are
 * pixels with a decimal, and a box thinner than a tenth of a pixel may be put on the neighbour of its own.
 */
#include "config.h"

#include <assert.h>

#include "icecore/decimal.h"
#include "icecore/scan.h"
#include "boxes.h"
#include "forms.h"
#include "xml.h"

#define PIXEL 10000u		/* places of a pixel */
#define PLACES_MOST ((uint64_t)1 << 50)
#define PLACE_SLACK 1100u	/* 0.11 pixels */
#define COUNT_DECIMALS 6u

/* The text of a title, from its end. */
struct svg_title {
	struct str	name, count, unit, percent, delta;
};

/* A box as it is drawn. */
struct drawn {
	struct svg_title	title;
	uint64_t	x, w, y;
	const char	*at;
	bool		exact;		/* x and w are counts */
	bool		spoken;		/* the title is an argument of a script, with backslashes */
};

struct svg {
	struct tracers_in *in;
	struct xml	 xml;
	ARRAY(struct drawn) drawn;
	uint64_t	 n, titles, root;
	struct str	 title;		/* title of the next rectangle */
	unsigned	 decimals;	/* most decimals of counts */
	bool		 deltas, exact, ended;
	struct buf	 buf, name;
};

/* ---- titles ----------------------------------------------------------------------------- */

/* "NAME (1,234 samples, 12.34%; +0.50%)"; false: something else. */
static bool
title_of(struct str s, struct svg_title *t)
{
	struct str in;
	size_t n = 0;

	*t = (struct svg_title){ .name = STR("") };
	if (!scan(&s, "%l (%t)$", &t->name, &in))
		return false;
	while (n < in.n && (is_digit(in.s[n]) || is_one_of(in.s[n], ",. ")))
		n++;
	t->count = text_trim(str_head(in, n));
	in = str_after(in, n);
	if (t->count.n == 0 || !is_digit(t->count.s[0]) || !scan(&in, "%l, %t$", &t->unit, &s))
		return false;
	t->percent = str_until(s, '%');
	s = str_after(s, t->percent.n);
	if (str_take(&s, STR("%; ")))
		t->delta = str_until(s, '%');
	return t->delta.n > 0 || str_is(s, "%");
}

/* A count without the separators of thousands. */
static bool
count_digits(struct str s, struct decimal *d)
{
	char digits[DECIMAL_TEXT];
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] != ',' && s.s[i] != ' ') {
			if (n == sizeof digits)
				return false;
			digits[n++] = s.s[i];
		}
	return decimal_read((struct str){ digits, n }, d);
}

/* ---- boxes ------------------------------------------------------------------------------ */

/* A place in the drawing, at least 0. */
static bool
svg_place(struct svg *g, const char *name, uint64_t scale, uint64_t *v)
{
	struct str s = xml_attribute(&g->xml, name, &g->buf);
	struct decimal d;

	if (str_ends(s, "%"))
		s.n--;
	if (!decimal_read(s, &d) || d.value < 0)
		return false;
	*v = decimal_units(d, scale);
	return *v < PLACES_MOST && (*v > 0 || decimal_real(d) * (double)scale < 1);
}

/* The oldest form has no titles: onmouseover="s('NAME (...)')". */
static struct str
spoken(struct svg *g)
{
	struct str s = xml_raw(&g->xml, "onmouseover"), text = STR("");

	scan(&s, "s('%l')$", &text);
	return text;
}

static void
take_rect(struct svg *g)
{
	struct drawn d = { .at = g->xml.attributes.s, .spoken = g->title.n == 0 };
	struct str title = d.spoken ? spoken(g) : g->title;
	struct decimal count;

	g->title = STR("");
	if (title.n == 0)
		return;
	d.exact = svg_place(g, "fg:x", 1, &d.x) && svg_place(g, "fg:w", 1, &d.w);
	if ((!d.exact && !(svg_place(g, "x", PIXEL, &d.x) && svg_place(g, "width", PIXEL, &d.w))) ||
	    !svg_place(g, "y", PIXEL, &d.y)) {
		g->in->count[TRACED_BOXES]++;
		return;
	}
	if (!title_of(title, &d.title)) {
		d.title = (struct svg_title){ .name = title };
	} else if (count_digits(d.title.count, &count) && decimal_narrow(count).places > g->decimals)
		g->decimals = decimal_narrow(count).places;
	g->titles += d.title.count.n > 0;
	g->deltas |= d.title.delta.n > 0;
	g->exact &= d.exact;
	g->in->bad = g->in->bad || !array_add(&g->drawn, &g->n, &d, g->in->err);
}

/* Scripts and styles hold what looks like tags. */
static void
svg_pass_over(struct svg *g, struct str end)
{
	struct str before, after;

	if (str_divide(g->xml.rest, end, &before, &after))
		g->xml.rest = (struct str){ after.s - end.n, after.n + end.n };
}

static void
svg_boxes(struct svg *g)
{
	while (tracers_tick(g->in, (uint64_t)(g->xml.rest.s - g->in->text.s)) && xml_next(&g->xml)) {
		if (str_is(g->xml.tag, "script") && !g->xml.closes)
			svg_pass_over(g, STR("</script"));
		else if (str_is(g->xml.tag, "style") && !g->xml.closes)
			svg_pass_over(g, STR("</style"));
		else if (str_is(g->xml.tag, "title") && g->xml.closes)
			g->title = g->xml.text;
		else if (str_is(g->xml.tag, "rect") && g->xml.opens)
			take_rect(g);
		g->ended |= str_is(g->xml.tag, "svg") && g->xml.closes;
	}
}

/* ---- the picture ------------------------------------------------------------------------ */

/* The box of all: it says 100%, or is the widest of the first or last row. */
static bool
svg_find_root(struct svg *g)
{
	uint64_t top = UINT64_MAX, bottom = 0, best = g->n;

	for (uint64_t i = 0; i < g->n; i++) {
		const struct drawn *d = &g->drawn.at[i];

		if (str_is(d->title.name, "all") && str_is(d->title.percent, "100")) {
			g->root = i;
			return true;
		}
		top = d->y < top ? d->y : top;
		bottom = d->y > bottom ? d->y : bottom;
	}
	for (uint64_t i = 0; i < g->n; i++) {
		const struct drawn *d = &g->drawn.at[i], *b = &g->drawn.at[best == g->n ? i : best];
		bool all = str_is(d->title.name, "all"), was = str_is(b->title.name, "all");

		if ((d->y == top || d->y == bottom) && (best == g->n || d->w > b->w || (d->w == b->w && all && !was)))
			best = i;
	}
	g->root = best;
	return best < g->n;
}

/* The least difference of two rows: the height of a box. */
static bool
row_height(struct svg *g, uint64_t *height)
{
	OWN_ARRAY(uint64_t) y = ARRAY_INIT;
	uint64_t n = 0;

	*height = UINT64_MAX;
	for (uint64_t i = 0; i < g->n; i++)
		if (!array_add(&y, &n, &g->drawn.at[i].y, g->in->err))
			return false;
	if (!make_sort(&y.raw, n, sizeof *y.at, g->in->s.work, g->in->err))
		return false;
	for (uint64_t i = 1; i < n; i++)
		if (y.at[i] > y.at[i - 1] && y.at[i] - y.at[i - 1] < *height)
			*height = y.at[i] - y.at[i - 1];
	return true;
}

/* The part that the other side of a comparison had more, from the percentage of all: its own part. */
static uint64_t
before_of(const struct svg *g, struct str delta, uint64_t all)
{
	bool minus = scan(&delta, "-");
	struct decimal d;
	uint64_t part;

	scan(&delta, "+");
	if (!g->deltas || !decimal_read(delta, &d))
		return BOX_ZERO;
	part = (uint64_t)(decimal_real(d) / 100 * (double)all + 0.5);
	part = part < BOX_ZERO ? part : BOX_ZERO;
	return minus ? BOX_ZERO + part : BOX_ZERO - part;
}

static uint64_t
svg_count(const struct svg *g, const struct drawn *d)
{
	struct decimal count;

	if (d->exact)
		return samples_whole(&g->in->s, d->w);
	return count_digits(d->title.count, &count) ? decimal_units(count, samples_whole(&g->in->s, 1)) : BOX_NO_COUNT;
}

/* The name of a frame. */
static struct str
drawn_name(struct svg *g, const struct drawn *d)
{
	struct str s = xml_text(d->title.name, &g->buf), before, after;

	if (d->spoken && str_has(s, STR("\\"))) {
		buf_clear(&g->name);
		for (; str_divide(s, STR("\\"), &before, &after); s = after)
			buf_str(&g->name, before);
		buf_str(&g->name, s);
		s = buf_view(&g->name);
	}
	return s.n > 0 ? s : STR("[unnamed]");
}

static void
add_drawn(struct svg *g, struct boxes *b, const struct drawn *d, uint64_t height)
{
	const struct drawn *root = &g->drawn.at[g->root];
	uint64_t high = d->y > root->y ? d->y - root->y : root->y - d->y;
	struct flame_box box = { .level = (high + height / 2) / height, .x = d->x, .w = d->w,
	    .count = svg_count(g, d), .at = d->at };

	assert(height > 0 && g->root < g->n && b->n < g->n);
	if (d != root && box.level == 0) {
		g->in->count[TRACED_BOXES]++;
		return;
	}
	box.before = before_of(g, d->title.delta, svg_count(g, root));
	if (d != root)
		box_named(g->in, &box, drawn_name(g, d));
	g->in->bad = g->in->bad || !array_add(&b->row, &b->n, &box, g->in->err);
}

/* The unit that the titles name. */
static void
svg_event(struct svg *g)
{
	static const struct { const char *unit; enum weight_type type; } units[] = {
		{ "ns", WEIGHT_TIME }, { "us", WEIGHT_TIME }, { "ms", WEIGHT_TIME }, { "s", WEIGHT_TIME },
		    { "bytes", WEIGHT_BYTES }
	};
	struct str unit = xml_text(g->drawn.at[g->root].title.unit, &g->buf);
	enum weight_type type = WEIGHT_COUNT;
	char name[32];

	snprintf(name, sizeof name, "%.*s", (int)(unit.n < sizeof name ? unit.n : 0), unit.s);
	for (size_t i = 0; i < NELEM(units); i++)
		if (str_is(unit, units[i].unit))
			type = units[i].type;
	tracers_event(g->in, unit.n > 0 ? unit : STR("samples"), type, name[0] != '\0' ? name : "samples");
}

/* How exact the picture is. */
static void
svg_note(struct svg *g)
{
	const struct drawn *root = &g->drawn.at[g->root];
	struct decimal all;

	assert(g->root < g->n);
	if (g->exact || root->w == 0 || !count_digits(root->title.count, &all))
		buf_text(&g->in->picture, "exact");
	else
		buf_printf(&g->in->picture,
		    "rounded to a tenth of a pixel, which is %.3g %.*s: thinner boxes may belong to a neighbour",
		    decimal_real(all) * PIXEL / 10 / (double)root->w, (int)root->title.unit.n, root->title.unit.s);
}

static void
svg_draw(struct svg *g)
{
	struct boxes b = { .slack = g->exact ? 0 : PLACE_SLACK };
	uint64_t height;

	svg_event(g);
	g->in->bad = g->in->bad || !row_height(g, &height) || !samples_decimals(&g->in->s, g->decimals, g->in->err);
	if (!g->in->bad)
		add_drawn(g, &b, &g->drawn.at[g->root], height);
	for (uint64_t i = 0; i < g->n && !g->in->bad; i++)
		if (i != g->root)
			add_drawn(g, &b, &g->drawn.at[i], height);
	g->in->s.differs = g->deltas;
	if (!g->in->bad && (g->in->thread = samples_thread(&g->in->s, 0, 0, STR(""), g->in->err)) == 0)
		g->in->bad = true;
	boxes_read(g->in, &b);
	if (!g->in->bad && 2 * g->in->count[TRACED_BOXES] > b.n)
		g->in->bad = !fail(g->in->err, E_UNREADABLE, "an SVG drawing, not a flame graph");
	array_free(&b.row);
}

void
svg_read(struct tracers_in *in)
{
	struct svg g = { .in = in, .xml = { .rest = in->text }, .exact = true };

	svg_boxes(&g);
	if (g.decimals > COUNT_DECIMALS)
		g.decimals = COUNT_DECIMALS;
	if (!in->bad && (g.n == 0 || (!g.exact && 2 * g.titles < g.n)))
		in->bad = !fail(in->err, E_UNREADABLE, "an SVG drawing without the counts of a flame graph");
	if (!in->bad && !svg_find_root(&g))
		in->bad = !fail(in->err, E_UNREADABLE, "a flame graph without its root: it is truncated");
	if (!in->bad) {
		svg_note(&g);
		svg_draw(&g);
	}
	in->count[TRACED_XML] += !g.ended;
	array_free(&g.drawn);
	buf_free(&g.buf);
	buf_free(&g.name);
}

bool
svg_is(struct str head)
{
	struct str before, after;

	head = text_trim(head);
	return (str_begins(head, "<svg") || str_begins(head, "<?xml") || str_begins(head, "<!DOCTYPE svg")) &&
	    str_divide(head, STR("<svg"), &before, &after);
}
