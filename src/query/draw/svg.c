/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * svg: a picture as SVG: the top of the stacks of callers above, or below with "up".
 *
 * The width is a million units, so that a box is an exact share of it, and texts are of a fixed pitch: how
 * many letters fit is known here.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/name.h"
#include "draw.h"

#define WIDTH UINT64_C(1000000)
#define ROW 14000u		/* from one level to the next */
#define HEIGHT 13300u		/* height of a box */
#define BASE 9900u		/* from the top of a box to the baseline of its text */
#define LETTER 6020u		/* width of one */
#define MARGIN 2500u		/* left of a name */
#define LINE 15000u		/* height of a line of the title or a note */
#define SWATCH 86000u		/* width of one in the legend */
#define FEWEST 3u		/* letters of a name that are worth to be shown */

struct sheet {
	const struct drawing	*p;
	const struct draw_options *o;
	struct buf		*to;
	struct buf		 text, label;
	bool			 alone;		/* a file of its own */
	uint64_t		 top;	/* distance of the boxes from the top of the picture */
	char			 number[NUM_TEXT];	/* number after the ids; "": the only picture */
};

/* Append thousandths as a decimal number, without trailing zeros. */
static void
svg_add_units(struct buf *b, uint64_t thousandths)
{
	unsigned part = (unsigned)(thousandths % 1000);

	buf_printf(b, "%" PRIu64, thousandths / 1000);
	if (part == 0)
		return;
	buf_printf(b, part % 100 == 0 ? ".%u" : part % 10 == 0 ? ".%02u" : ".%03u",
	    part % 100 == 0 ? part / 100 : part % 10 == 0 ? part / 10 : part);
}

/* Scale a weight to the width of the picture, in thousandths of a unit. */
static uint64_t
svg_place_of(const struct drawing *p, uint64_t weight)
{
	uint64_t all = picture_width(p, 0);

	return all == 0 || weight >= all ? WIDTH * 1000 : (uint64_t)((unsigned __int128)weight * WIDTH * 1000 / all);
}

static uint64_t
row_of(const struct sheet *s, uint32_t level)
{
	return s->top + (uint64_t)(s->o->up ? s->p->deepest - level : level) * ROW;
}

/* Shade by change relative to the larger weight, as the explorer does; 50 % or more is strongest. */
static void
add_shade(const struct flame *b, struct buf *to)
{
	uint64_t most = b->weight > b->before ? b->weight : b->before,
	    least = b->weight > b->before ? b->before : b->weight;
	double by = most == 0 ? 0 : (double)(most - least) / (double)most;

	if (most == least)
		buf_chr(to, 'e');
	else
		buf_printf(to, "%c%d", b->weight > b->before ? 'g' : 's', by >= 0.5 ? 3 : by >= 0.1 ? 2 : 1);
}

/* Objects of one class have the same colour. */
static struct str
hue_name(const struct sheet *s, const struct flame *b)
{
	struct str name = stack_name(&s->p->stacks, b->name), class, number;
	const char *several = !s->p->stacks.objects ? NULL :
	    memmem(name.s, name.n, ALIKE_OF, sizeof ALIKE_OF - 1);

	if (several != NULL)
		name = str_after(name, (size_t)(several - name.s) + sizeof ALIKE_OF - 1);
	return s->p->stacks.objects && str_divide_last(name, ' ', &class, &number) ? class : name;
}

static void
svg_add_class(const struct sheet *s, const struct flame *b, struct buf *to)
{
	char tone = box_tone(s->p, b);

	if (b->more > 0)
		buf_str(to, s->p->stacks.differs ? STR("m ") : STR("m"));
	if (s->p->stacks.differs && tone != KIND_LEFT_OUT)
		add_shade(b, to);
	else if (b->more > 0)
		return;
	else if (b->name == 0 || tone == KIND_LEFT_OUT)
		buf_chr(to, 'e');
	else if (tone == KIND_NONE)
		buf_printf(to, "h%u", name_hue(hue_name(s, b), 8));
	else
		buf_chr(to, tone == KIND_THREAD ? 't' : tone);
}

static void
svg_add_label(struct sheet *s, const struct flame *b, uint64_t at, uint64_t width)
{
	uint64_t letters = width / 1000 > 2 * MARGIN ? (width / 1000 - 2 * MARGIN) / LETTER : 0;

	if (letters < FEWEST)
		return;
	buf_clear(&s->text);
	buf_clear(&s->label);
	box_name(s->p, b, &s->text);
	if (s->p->stacks.differs && b->weight != b->before) {
		buf_str(&s->label, b->weight > b->before ? STR("+ ") : STR("- "));
		letters -= 2;
	}
	if (letters >= FEWEST || text_width(buf_view(&s->text)) <= letters)
		name_short(&s->label, buf_view(&s->text), letters, STR("\xe2\x80\xa6"));
	buf_str(s->to, STR("<text x=\""));
	svg_add_units(s->to, at + MARGIN * 1000);
	buf_printf(s->to, "\" y=\"%" PRIu64 "\">", row_of(s, b->level) + BASE);
	text_html(s->to, buf_view(&s->label));
	buf_str(s->to, STR("</text>"));
}

static void
svg_add_box(struct sheet *s, const struct flame *b)
{
	uint64_t at = svg_place_of(s->p, b->at), width = svg_place_of(s->p, num_add(b->at, b->width)) - at;
	struct buf *to = s->to;

	buf_str(to, STR("<g class=\""));
	svg_add_class(s, b, to);
	buf_str(to, STR("\"><title>"));
	buf_clear(&s->text);
	box_name(s->p, b, &s->text);
	text_html(to, buf_view(&s->text));
	buf_chr(to, '\n');
	buf_clear(&s->text);
	tip_add(s->p, b, &s->text);
	text_html(to, buf_view(&s->text));
	buf_str(to, STR("</title><rect x=\""));
	svg_add_units(to, at);
	buf_printf(to, "\" y=\"%" PRIu64 "\" width=\"", row_of(s, b->level));
	svg_add_units(to, width);
	/* Pages have the height in their style. */
	if (s->alone)
		buf_printf(to, "\" height=\"%u", HEIGHT);
	buf_str(to, STR("\"/>"));
	if (b->more > 0) {
		/* Across it: a line as thick as the box, of dashes. */
		buf_str(to, STR("<path d=\"M"));
		svg_add_units(to, at);
		buf_printf(to, " %" PRIu64 "h", row_of(s, b->level) + HEIGHT / 2);
		svg_add_units(to, width);
		buf_str(to, STR("\"/>"));
	}
	svg_add_label(s, b, at, width);
	buf_str(to, STR("</g>\n"));
}

/* Draw the lines of a text; return where the next line would be. */
static uint64_t
svg_add_lines(struct sheet *s, struct str text, const char *class, uint64_t y)
{
	struct str line;
	struct buf cut = BUF_INIT;

	for (; str_split(&text, '\n', &line); y += LINE) {
		buf_clear(&cut);
		words_cut(&cut, line, WIDTH / LETTER - 2);
		buf_printf(s->to, "<text class=\"%s\" x=\"%u\" y=\"%" PRIu64 "\">", class, MARGIN, y);
		text_html(s->to, buf_view(&cut));
		buf_str(s->to, STR("</text>\n"));
	}
	s->to->bad |= cut.bad;
	buf_free(&cut);
	return y;
}

void
legend_add(uint64_t y, struct buf *to)
{
	static const char *const shades[][2] = {
		{ "s3", "- 50% or more" }, { "s2", "- 10 to 50%" }, { "s1", "- under 10%" },
		{ "e", "unchanged" },
		{ "g1", "+ under 10%" }, { "g2", "+ 10 to 50%" }, { "g3", "+ 50% or more" }
	};
	size_t width = NELEM(shades) * SWATCH;

	buf_str(to, STR("<svg id=\"legend\""));
	if (y > 0)
		buf_printf(to, " x=\"%u\" y=\"%" PRIu64 "\" width=\"%zu\" height=\"%u\"", MARGIN, y, width,
		    HEIGHT);
	buf_printf(to, " viewBox=\"0 0 %zu %u\">\n", width, HEIGHT);
	for (size_t i = 0; i < NELEM(shades); i++)
		buf_printf(to, "<g class=\"%s\"><rect x=\"%zu\" width=\"%u\" height=\"%u\"/><text x=\"%zu\" "
		    "y=\"%u\">%s</text></g>\n",
		    shades[i][0], i * SWATCH, SWATCH, HEIGHT, i * SWATCH + MARGIN, BASE, shades[i][1]);
	buf_str(to, STR("</svg>\n"));
}

static size_t
count_lines(struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += text.s[i] == '\n';
	return n;
}

static void
svg_add_head(struct sheet *s, struct rows *rows, const struct buf *lead, bool alone, uint64_t height)
{
	if (alone)
		buf_str(s->to, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
	buf_printf(s->to, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRIu64 " %" PRIu64
	    "\" width=\"100%%\" role=\"img\" aria-labelledby=\"title%s desc%s\" "
	    "xml:lang=\"en\" class=\"%s%s\">\n<title id=\"title%s\">",
	    WIDTH, height, s->number, s->number, s->p->down && picture_calls(s->p) ? "calls" : "",
	    s->o->up ? " up" : "", s->number);
	buf_clear(&s->text);
	title_add(rows, s->o, &s->text);
	text_html(s->to, buf_view(&s->text));
	buf_printf(s->to, "</title>\n<desc id=\"desc%s\">Flame graph: each box is a frame, as wide as its share; ",
	    s->number);
	buf_str(s->to, s->o->up ? STR("callers below.") : STR("callers above."));
	buf_str(s->to, STR("</desc>\n"));
	if (!alone)
		return;
	buf_printf(s->to, "<style>%s%s</style>\n", draw_picture_css, s->o->interactive ? draw_page_css : "");
	svg_add_lines(s, buf_view(&s->text), "head", LINE);
	svg_add_lines(s, buf_view(lead), "lead", 2 * LINE);
}

void
svg_add(struct rows *rows, const struct drawing *p, const struct draw_options *o, bool alone, struct buf *to)
{
	struct sheet s = { .p = p, .o = o, .to = to, .alone = alone };
	struct buf notes = BUF_INIT, lead = BUF_INIT;
	uint64_t end, legend;

	if (o->figure > 0)
		snprintf(s.number, sizeof s.number, "%u", o->figure);
	if (alone) {
		lead_add(rows, p, &lead);
		notes_add(rows, p, &notes);
		s.top = (count_lines(buf_view(&lead)) + 1) * LINE + ROW / 2;
	}
	end = s.top + (uint64_t)(p->deepest + 1) * ROW;
	legend = end + LINE / 2;
	if (alone && p->stacks.differs)
		end = legend + LINE;
	svg_add_head(&s, rows, &lead, alone, end + (count_lines(buf_view(&notes)) + (alone ? 1 :
	    0)) * LINE);
	buf_printf(to, "<g id=\"boxes%s\">\n", s.number);
	for (const struct flame *b = p->n > 0 ? p->box : NULL; b != NULL; b = picture_next(p, b))
		svg_add_box(&s, b);
	buf_str(to, STR("</g>\n"));
	if (alone && p->stacks.differs)
		legend_add(legend, to);
	svg_add_lines(&s, buf_view(&notes), "note", end + LINE);
	if (alone && o->interactive)
		buf_printf(to, "<script><![CDATA[%s]]></script>\n", draw_page_js);
	buf_str(to, STR("</svg>\n"));
	to->bad |= notes.bad || lead.bad || s.text.bad || s.label.bad;
	buf_free(&notes);
	buf_free(&lead);
	buf_free(&s.text);
	buf_free(&s.label);
}

bool
draw_svg(struct rows *rows, const struct draw_options *o, struct buf *to, uint64_t *n, struct err *err)
{
	struct drawing p = { .stacks.least = o->min };
	bool ok = picture_open(&p, rows, o, err);

	if (ok && rows_error(rows) == NULL) {
		svg_add(rows, &p, o, true, to);
		*n = p.n;
	}
	picture_close(&p);
	return ok && (!to->bad || fail(err, E_SYSTEM, "out of memory (picture)"));
}
