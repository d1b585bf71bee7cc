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

static void
add_item(const struct overview_item *item, struct buf *b)
{
	static const char *const bars[] = { ".", "1", "2", "3", "4", "5", "6", "7", "8" };
	struct buf value = BUF_INIT;
	char share[NUM_TEXT] = "";

	if (item->value.type != CELL_NONE)
		overview_value(item, &value);
	if (item->shared)
		snprintf(share, sizeof share, "%.1f%%", item->share);
	add_right(b, buf_view(&value), VALUE_W);
	add_right(b, str_of(share), SHARE_W);
	buf_str(b, STR("  "));
	text_fit_buf(b, buf_view(&item->words));
	if (item->bars)
		buf_str(b, STR("  "));
	for (size_t i = 0; item->bars && i < USE_PARTS; i++)
		buf_str(b, str_of(bars[item->bar[i]]));
	b->bad |= value.bad;
	buf_free(&value);
}

/* Lines with the same name print it once. */
static bool
text_print_answer(struct printer *p, const char **last, const char *name, const struct overview_answer *answer, struct err *err)
{
	struct buf line = BUF_INIT;
	bool ok = true;

	for (size_t i = 0; ok && i < answer->n; i++) {
		buf_clear(&line);
		buf_printf(&line, "%-*s", NAME_W, *last != NULL && strcmp(*last, name) == 0 ? "" : name);
		*last = name;
		add_item(&answer->item[i], &line);
		while (line.n > 0 && line.s[line.n - 1] == ' ')
			line.n--;
		print_fitted(p, buf_view(&line), p->width > 0 ? p->width : SIZE_MAX);
		p->line.bad |= line.bad;
		ok = print_end(p, err);
	}
	buf_free(&line);
	return ok;
}

bool
report_overview(struct report *r, struct err *err)
{
	struct session *session = r->o->view != NULL ? r->o->view : r->session;
	bool diff = r->compares && (session_shapes(r->session) & SHAPE_TREES) == 0;
	struct overview_answer answer = { .n = 0 };
	const char *last = NULL;
	bool ok = print_end(&r->p, err);

	for (const struct overview_line *l = overview_lines; ok && l->name != NULL; l++) {
		if (!overview_fits(l, session, diff) || (!r->o->brief && l->header))
			continue;
		ok = overview_answer(l, session, &answer, r->work, err) && text_print_answer(&r->p, &last, l->name, &answer, err);
		overview_free(&answer);
	}
	return ok && print_end(&r->p, err);
}
