/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * html_heap: parts of a page of HTML about a heap dump: findings with their leak traces, small images of
 * bitmaps.
 *
 * Images are written by icecore from pixels that it has read, never copied from the dump.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pictures.h"
#include "report.h"

#define SIDE 160u			/* most pixels of a side of an image */
#define DECODED (1u << 24)		/* most pixels of a bitmap that is made small for one */
#define IMAGES_MOST (256u << 10)	/* bytes of all images of a page */

/* ---- findings ---------------------------------------------------------------------------------- */

enum { TRACE_COL_TEXT, TRACE_COL_LINE, TRACE_COL_SUSPECT };

/* Lines that continue the one before them. */
static const char *const flowing[] = { "head", "why", "signature", "mark", "note", "fold" };

struct trace_text {
	struct buf	kind, text;	/* of the line, with those that continue it */
	bool		suspect;
	bool		open, hops;	/* elements that are open: section, details */
	bool		brief;		/* only the traces: the page has what findings say */
};

static void
html_trace_text(struct printer *p, const char *before, struct str raw, const char *after)
{
	buf_str(&p->line, str_of(before));
	print_raw(p, raw, SIZE_MAX);
	buf_str(&p->line, str_of(after));
	print_end(p);
}

static void
html_trace_close(struct printer *p, struct trace_text *t)
{
	buf_str(&p->line, t->hops ? STR("</details>") : STR(""));
	buf_str(&p->line, t->open ? STR("</section>\n") : STR(""));
	t->open = t->hops = false;
}

/* Print "a > b > c" with arrows. */
static void
html_trace_path(struct printer *p, struct str signature)
{
	struct str part;

	(void)str_take(&signature, STR("signature: "));
	(void)str_take(&signature, STR("v2 "));
	buf_str(&p->line, STR("<p class=\"path\">"));
	while (str_divide(signature, STR(" > "), &part, &signature)) {
		print_raw(p, part, SIZE_MAX);
		buf_str(&p->line, STR(" \xe2\x86\x92 "));
	}
	print_raw(p, signature, SIZE_MAX);
	buf_str(&p->line, STR("</p>"));
	print_end(p);
}

/* "1. leak: activity com.example.PhotoActivity @35" begins a finding. */
static void
html_trace_head(struct printer *p, struct trace_text *t, struct str head)
{
	struct str number, rest = head, severity;

	html_trace_close(p, t);
	(void)str_split(&rest, '.', &number);
	(void)str_split(&rest, ':', &severity);
	t->open = true;
	severity = str_trim(severity);
	buf_printf(&p->line, "<section class=\"%s\">", str_eq(severity, STR("leak")) ? "leak" :
	    str_eq(severity, STR("note")) ? "note" : "warning");
	html_trace_text(p, "<h3>", head, "</h3>");
}

/* Print the line that was collected. */
static void
html_trace_line(struct printer *p, struct trace_text *t)
{
	struct str kind = buf_view(&t->kind), text = buf_view(&t->text);

	if (text.n == 0 || str_eq(kind, STR("underline")) || str_eq(kind, STR("empty")) || (t->brief &&
	    (str_eq(kind, STR("why")) || str_eq(kind, STR("signature")))))
		return;
	if (str_eq(kind, STR("head"))) {
		html_trace_head(p, t, text);
		return;
	}
	if (str_eq(kind, STR("why"))) {
		html_trace_text(p, "<p>", text, "</p>");
		return;
	}
	if (str_eq(kind, STR("signature"))) {
		html_trace_path(p, text);
		return;
	}
	if (!t->hops)
		buf_str(&p->line, STR("<details><summary>references from the GC root</summary>\n"));
	t->hops = true;
	if (str_eq(kind, STR("reference")))
		html_trace_text(p, t->suspect ? "<p class=\"ref\"><mark>" : "<p class=\"ref\">", text,
		    t->suspect ? "</mark></p>" : "</p>");
	else if (str_eq(kind, STR("root")) || str_eq(kind, STR("hop")))
		html_trace_text(p, "<p class=\"hop\">", text, "</p>");
	else
		html_trace_text(p, "<p class=\"ref dim\">", text, "</p>");
}

/* Columns: text, kind of line, whether it is a suspect reference. */
void
html_traces(struct report *r, struct rows *rows)
{
	struct trace_text t = { .kind = BUF_INIT, .text = BUF_INIT, .brief = r->o->parts };
	struct printer *p = &r->p;
	struct cell c, line, suspect;
	bool on;

	for (uint64_t row = 0; !p->ended && rows_reach(rows, row + 1) > row; row++) {
		rows_cell(rows, row, TRACE_COL_LINE, &line);
		on = line.type == CELL_TEXT && t.text.n > 0 && str_eq(line.text, buf_view(&t.kind)) &&
		    str_is_one(flowing, NELEM(flowing), line.text);
		if (!on) {
			html_trace_line(p, &t);
			buf_clear(&t.kind);
			buf_clear(&t.text);
			buf_str(&t.kind, line.type == CELL_TEXT ? line.text : STR(""));
		}
		rows_cell(rows, row, TRACE_COL_SUSPECT, &suspect);
		t.suspect = suspect.type == CELL_BOOL && suspect.u != 0;
		rows_cell(rows, row, TRACE_COL_TEXT, &c);
		buf_str(&t.text, on ? STR(" ") : STR(""));
		buf_str(&t.text, c.type == CELL_TEXT ? str_trim(c.text) : STR(""));
		print_unless(p, rows_tick(rows, row));
	}
	html_trace_line(p, &t);
	html_trace_close(p, &t);
	print_line(p);
	p->line.bad |= t.kind.bad || t.text.bad;
	buf_free(&t.kind);
	buf_free(&t.text);
}

/* ---- bitmaps ----------------------------------------------------------------------------------- */

/* Append a small image of a bitmap as a PNG; false: it has none, or only a damaged one. */
static bool
html_bitmap_png(const struct bitmap *b, struct work *work, struct buf *png)
{
	uint32_t most = b->width > b->height ? b->width : b->height, w = b->width, h = b->height;
	struct err why = { .kind = E_NONE };
	uint8_t *rgba;
	bool ok;

	if (b->image == IMAGE_NONE || b->lack != NULL || b->data == NULL || w == 0 || h == 0 ||
	    (uint64_t)w * h > DECODED)
		return false;
	if (most > SIDE) {
		w = (uint32_t)((uint64_t)w * SIDE / most);
		h = (uint32_t)((uint64_t)h * SIDE / most);
		w += w == 0;
		h += h == 0;
	}
	rgba = mem_array(4 * (size_t)w, h);
	ok = rgba != NULL && bitmap_shrink(b, w, h, rgba, work, &why) && png_pixels(rgba, w, h, png);
	free(rgba);
	return ok && !png->bad;
}

/* Print an image with its caption: "240x160 ARGB_8888, 150 KiB, 2 copies; held by ImageView.mDrawable". */
static void
html_bitmap(struct printer *p, struct rows *rows, uint64_t row, const struct bitmap *b, struct str png)
{
	struct cell bytes, copies, held;

	rows_cell(rows, row, 1, &bytes);
	rows_cell(rows, row, 2, &copies);
	rows_cell(rows, row, 3, &held);
	buf_printf(&p->line, "<figure><img alt=\"bitmap @%" PRIu32 "\" src=\"data:image/png;base64,",
	    b->object);
	buf_base64(&p->line, png);
	buf_printf(&p->line, "\"><figcaption>@%" PRIu32 ", %" PRIu32 "x%" PRIu32 " %s, ", b->object,
	    b->width, b->height, bitmap_format_names[b->format]);
	cell_show(&bytes, &p->line);
	if (copies.type == CELL_COUNT && copies.u > 1)
		buf_printf(&p->line, ", %" PRIu64 " equal ones", copies.u);
	if (held.type == CELL_TEXT && held.text.n > 0) {
		buf_str(&p->line, STR("; held by "));
		print_raw(p, held.text, SIZE_MAX);
	}
	buf_str(&p->line, STR("</figcaption></figure>"));
	print_end(p);
}

/* Columns: object, bytes, copies, what holds it. */
void
html_bitmaps(struct report *r, struct rows *rows)
{
	const struct session *s = r->session;
	struct bitmaps *list = NULL;
	struct printer *p = &r->p;
	struct buf png = BUF_INIT;
	struct heap heap;
	struct bitmap b;
	struct cell c;
	size_t left = IMAGES_MOST;

	print_unless(p, heap_open(&heap, session_store(s), s->refs, s->sizes, p->err) &&
	    bitmaps_open(&list, &heap, r->work, p->err));
	buf_str(&p->line, STR("<div class=\"images\">\n"));
	for (uint64_t row = 0; !p->ended && rows_reach(rows, row + 1) > row; row++) {
		rows_cell(rows, row, 0, &c);
		buf_clear(&png);
		if (c.type == CELL_ID && c.u <= heap.objects && bitmap_get(list, (uint32_t)c.u, &b) &&
		    html_bitmap_png(&b, r->work, &png) && png.n <= left) {
			left -= png.n;
			html_bitmap(p, rows, row, &b, buf_view(&png));
		}
		print_unless(p, rows_tick(rows, row));
	}
	buf_str(&p->line, STR("</div>"));
	print_end(p);
	buf_free(&png);
	bitmaps_close(list);
}
