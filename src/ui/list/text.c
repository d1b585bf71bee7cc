/*
 * text: what a list shows as the text of a query.
 */
#include "config.h"

#include <string.h>

#include "lines.h"

enum { VALUE_MAX = 1000 };

bool
list_quote(struct str s, struct buf *b)
{
	buf_chr(b, '\'');
	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] == '\'' || s.s[i] == '\\')
			buf_printf(b, "\\%c", s.s[i]);
		else if ((unsigned char)s.s[i] < ' ' || s.s[i] == 0x7f)
			buf_printf(b, "\\x%02x", (unsigned)(unsigned char)s.s[i]);
		else
			buf_chr(b, s.s[i]);
	}
	buf_chr(b, '\'');
	return s.n <= VALUE_MAX && !b->bad;
}

/* Which parts of a list's query: all; without columns and the view's range; all, but with folded rows, as it is opened. */
enum part { TEXT_WHOLE, TEXT_ROWS, TEXT_OPENS };

/* Stages right behind the source, before what else the base has. */
static void
add_behind(const struct list *l, struct str stages, enum part part, struct buf *b)
{
	size_t	n = strcspn(l->base, "|");

	while (n > 0 && l->base[n - 1] == ' ')
		n--;
	buf_add(b, l->base, n);
	buf_str(b, stages);
	buf_str(b, str_of(l->base + n));
	if (l->filter != NULL)
		buf_printf(b, " | where %s", l->filter);
	if (part != TEXT_OPENS)
		list_fold_text(l, b);
	if (l->sort[0] != '\0')
		buf_printf(b, " | sort %s", l->sort);
	if (part != TEXT_ROWS && (l->chosen.n > 0 || l->tail[0] != '\0'))
		buf_printf(b, " | %s", l->chosen.n > 0 ? l->chosen.s : l->tail);
}

static void
add_query(const struct list *l, enum part part, struct buf *b)
{
	struct buf	stage = BUF_INIT;
	struct str	range = look_stage(look_now(l->pane->ui), "range");

	if (part != TEXT_ROWS && l->pane->kind->ranged && range.n > 0) {
		buf_str(&stage, STR(" | "));
		buf_str(&stage, range);
	}
	add_behind(l, buf_view(&stage), part, b);
	buf_free(&stage);
}

void
list_opens_text(const struct list *l, struct buf *b)
{
	add_query(l, TEXT_OPENS, b);
}

void
list_text(const struct list *l, struct buf *b)
{
	add_query(l, TEXT_WHOLE, b);
}

void
list_rows_text(const struct list *l, struct buf *b)
{
	add_query(l, TEXT_ROWS, b);
}

/* Add the stages of the session's view, so that the query gives the same rows outside of it. */
static void
add_look_query(const struct list *l, enum part part, struct buf *b)
{
	struct buf	stages = BUF_INIT;

	look_stages(l->pane->ui, &stages);
	add_behind(l, buf_view(&stages), part, b);
	buf_free(&stages);
}

void
list_look_text(const struct list *l, struct buf *b)
{
	add_look_query(l, TEXT_WHOLE, b);
}

void
list_pane_file_text(struct pane *p, struct buf *b)
{
	(p->kind->plain ? add_query : add_look_query)(list_of(p), TEXT_OPENS, b);
}
