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

/* Print an item; the name is that of its line, or empty. */
static bool
text_item(struct printer *p, const char *name, const struct overview_item *item, struct err *err)
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
	return print_end(p, err);
}

bool
report_overview(struct report *r, struct err *err)
{
	struct session *session = r->o->view != NULL ? r->o->view : r->session;
	bool diff = r->compares && (session_shapes(r->session) & SHAPE_TREES) == 0;
	struct overview_answer answer = { .n = 0 };
	const char *last = "";
	bool ok = print_end(&r->p, err);

	for (const struct overview_line *l = overview_lines; ok && l->name != NULL; l++) {
		if (!overview_fits(l, session, diff) || (!r->o->brief && l->header))
			continue;
		ok = overview_answer(l, session, &answer, r->work, err);
		/* Lines with the same name print it once. */
		for (size_t i = 0; ok && i < answer.n; i++, last = l->name)
			ok = text_item(&r->p, strcmp(last, l->name) == 0 ? "" : l->name, &answer.item[i], err);
		overview_free(&answer);
	}
	return ok && print_end(&r->p, err);
}
