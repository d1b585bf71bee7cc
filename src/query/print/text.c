/*
 * text: what a file holds, for where there is no terminal to explore it in: the overview, and the largest calls or objects.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/overview.h"
#include "report.h"

#define TEXT_LINES 40
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

/* diff: of two files that are compared by their rows; headed: without the lines that the header has. */
static bool
print_overview(struct printer *p, struct session *session, bool diff, bool headed, struct work *work, struct err *err)
{
	struct overview_answer answer = { .n = 0 };
	const struct overview_line *l;
	const char *last = NULL;
	bool ok = true;

	for (size_t i = 0; ok && (l = overview_line(i)) != NULL; i++) {
		if (!overview_fits(l, session, diff) || (headed && overview_in_header(l)))
			continue;
		ok = overview_answer(l, session, &answer, work, err) && text_print_answer(p, &last, overview_name(l), &answer, err);
		overview_free(&answer);
	}
	return ok && print_end(p, err);
}

bool
text_print(struct session *session, const struct report_options *o, unsigned width, FILE *file, struct work *work, struct err *err)
{
	struct report r = { .session = session, .o = o, .work = work, .p = printer_to(file, width) };
	struct printer *p = &r.p;
	bool ok;

	p->md = o->format == FORMAT_MD;
	ok = report_head(&r, err) && print_end(p, err);
	p->indent = p->md ? 4 : 0;
	ok = ok && print_overview(p, session, false, true, work, err) && outline_lines(session, TEXT_LINES, p, err);
	printer_free(p);
	return ok || p->closed;
}

bool
overview_print(struct session *view, struct session *plain, const struct report_options *o, bool brief, FILE *file, struct work *work,
    struct err *err)
{
	struct report r = { .session = plain, .o = o, .work = work, .brief = brief, .compares = report_compares(plain, o),
	    .p = printer_to(file, REPORT_WIDTH) };
	bool ok;

	/* The report of a comparison is about the second file. */
	plain->at = r.compares ? 1 : plain->at;
	ok = report_head(&r, err) && print_end(&r.p, err) &&
	    print_overview(&r.p, view, r.compares && (session_shapes(plain) & SHAPE_TREES) == 0, !brief, work, err);
	printer_free(&r.p);
	return ok || r.p.closed;
}
