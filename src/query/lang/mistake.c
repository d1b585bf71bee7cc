/*
 * mistake: shows where a query is wrong.
 */
#include "config.h"

#include "lang.h"

#define AROUND 60		/* bytes shown on each side of the mistake */

static bool
inside_character(struct str s, size_t at)
{
	return at > 0 && at < s.n && ((uint8_t)s.s[at] & 0xc0) == 0x80;
}

/* Of a long query only what is near the mistake. */
static void
show_near(struct str query, size_t at, struct buf *b)
{
	size_t from = at > AROUND ? at - AROUND : 0, to, caret;
	size_t start = b->n;

	to = query.n - at > AROUND ? at + AROUND : query.n;
	while (inside_character(query, from))
		from--;
	while (inside_character(query, to))
		to++;
	if (from > 0)
		buf_str(b, STR("..."));
	text_fit_buf(b, (struct str){ query.s + from, at - from });
	caret = b->bad ? 0 :
	    text_width((struct str){ b->s + start, b->n - start });
	text_fit_buf(b, (struct str){ query.s + at, to - at });
	if (to < query.n)
		buf_str(b, STR("..."));
	buf_chr(b, '\n');
	while (caret-- > 0)
		buf_chr(b, ' ');
	buf_str(b, STR("^\n"));
}

void
query_show_error(struct str query, const struct err *err, struct buf *b)
{
	text_fit_buf(b, str_of(err->text));
	buf_chr(b, '\n');
	if (err->at != ERR_NOWHERE && err->at <= query.n && query.n > 0)
		show_near(query, (size_t)err->at, b);
}
