/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text: the overview as lines of text.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/overview.h"
#include "report.h"

#define NAME_W 16
#define VALUE_W 12
#define SHARE_W 8

/* Append a text right-aligned in a column of that width. */
static void
add_right(struct buf *b, struct str s, size_t width)
{
	size_t n = text_width(s);

	if (n < width)
		buf_printf(b, "%*s", (int)(width - n), "");
	buf_str(b, s);
}

/* The same as a row of a table of HTML. */
static void
html_item(struct printer *p, const char *name, const struct overview_item *item)
{
	struct buf value = BUF_INIT;

	if (item->value.type != CELL_NONE)
		overview_value(item, &value);
	buf_printf(&p->line, "<tr><th scope=\"row\">%s</th><td>", name);
	text_html(&p->line, buf_view(&value));
	buf_str(&p->line, STR("</td><td>"));
	if (item->shared)
		buf_printf(&p->line, "%.1f%%", item->share);
	buf_str(&p->line, STR("</td><td class=\"text\">"));
	html_words(p, buf_view(&item->words));
	if (item->bars > 0)
		buf_str(&p->line, STR(" <span class=\"bars\">"));
	/* Eighths of a block, from U+2581. */
	for (size_t i = 0; i < item->bars; i++)
		if (item->bar[i] == 0)
			buf_str(&p->line, STR(" "));
		else
			buf_printf(&p->line, "\xe2\x96%c", 0x80 + (item->bar[i] < 8 ? item->bar[i] : 8));
	buf_str(&p->line, item->bars > 0 ? STR("</span></td></tr>") : STR("</td></tr>"));
	p->line.bad |= value.bad;
	buf_free(&value);
	print_end(p);
}

/* Print an item; the name is that of its line, or empty. */
static void
text_item(struct printer *p, const char *name, const struct overview_item *item)
{
	struct buf value = BUF_INIT, line = BUF_INIT;
	char share[NUM_TEXT] = "";

	if (item->value.type != CELL_NONE)
		overview_value(item, &value);
	if (item->shared)
		snprintf(share, sizeof share, "%.1f%%", item->share);
	buf_printf(&line, "%-*s", NAME_W, name);
	add_right(&line, buf_view(&value), VALUE_W);
	add_right(&line, str_of(share), SHARE_W);
	buf_str(&line, STR("  "));
	text_fit_buf(&line, buf_view(&item->words));
	if (item->bars > 0)
		buf_str(&line, STR("  "));
	for (size_t i = 0; i < item->bars; i++)
		buf_chr(&line, item->bar[i] == 0 ? '.' : (char)('0' + item->bar[i]));
	while (line.n > 0 && line.s[line.n - 1] == ' ')
		line.n--;
	print_fitted(p, buf_view(&line), p->width > 0 ? p->width : SIZE_MAX);
	p->line.bad |= line.bad || value.bad;
	buf_free(&line);
	buf_free(&value);
	print_end(p);
}

void
report_overview(struct report *r)
{
	struct overview_answer answer = { .n = 0 };
	const char *last = "";
	bool html = r->p.page == PAGE_HTML;

	buf_str(&r->p.line, html ? STR("<table class=\"glance\">\n<tbody>") : STR(""));
	print_end(&r->p);
	for (const struct overview_line *l = overview_lines; !r->p.ended && l->name != NULL; l++) {
		if (!overview_fits(l, r->seen, r->by_rows) || (!r->o->brief && l->header))
			continue;
		print_unless(&r->p, overview_answer(l, r->seen, &answer, r->work, r->p.err));
		/* Lines with the same name print it once. */
		for (size_t i = 0; !r->p.ended && i < answer.n; i++, last = l->name)
			(html ? html_item : text_item)(&r->p, strcmp(last, l->name) == 0 ? "" : l->name,
			    &answer.item[i]);
		overview_free(&answer);
	}
	buf_str(&r->p.line, html ? STR("</tbody>\n</table>") : STR(""));
	print_end(&r->p);
}
