/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of stack dumps: without the text that logs put before each line.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "dumps_in.h"
#include "text.h"

enum { PREFIX_LOOK = 40, PREFIX_LEAST = 3, PREFIX_MOST = 1024, PREFIX_TEXT = 1 << 20 };

/* ---- the prefix ---------------------------------------------------------------------- */

/* Take the prefix off a line, in which runs of digits and of blanks may be longer or shorter. */
static bool
take_prefix(struct str *line, struct str p)
{
	struct str s = *line;
	size_t n;

	while (p.n > 0) {
		if (is_digit(p.s[0])) {
			if ((n = str_digits(s)) == 0)
				return false;
			s = str_behind(s, n);
			p = str_behind(p, str_digits(p));
		} else if (p.s[0] == ' ') {
			if (s.n == 0 || s.s[0] != ' ')
				return false;
			while (s.n > 0 && s.s[0] == ' ')
				s = str_behind(s, 1);
			while (p.n > 0 && p.s[0] == ' ')
				p = str_behind(p, 1);
		} else {
			if (s.n == 0 || s.s[0] != p.s[0])
				return false;
			s = str_behind(s, 1);
			p = str_behind(p, 1);
		}
	}
	str_take(&s, STR(" "));
	*line = s;
	return true;
}

static bool
is_go_head(struct str s)
{
	struct str word;

	if (!scan(&s, "goroutine %*d ", NULL))
		return false;
	if (str_has_prefix(s, STR("gp="))) {
		for (int i = 0; i < 3 && s.n > 0 && s.s[0] != '['; i++)
			text_take_word(&s, &word);
	}
	return str_has_prefix(s, STR("["));
}

static bool
is_task_head(struct str s)
{
	struct str word;

	if (str_take(&s, STR("INFO: task ")))
		return text_take_word(&s, &word) && str_has_prefix(s, STR("blocked"));
	return str_take(&s, STR("task:")) && text_take_word(&s, &word) && str_has_prefix(str_skip_blanks(s), STR("state:"));
}

/* Where a line has a mark of a dump; its length if it has none. */
static size_t
mark_in(struct str line)
{
	for (size_t i = 0; i < line.n; i++) {
		struct str s = str_behind(line, i);

		switch (line.s[i]) {
		case 'F':
			if (str_has_prefix(s, STR("Full thread dump ")))
				return i;
			break;
		case '-':
			if (scan(&s, "----- pid %*d at ", NULL))
				return i;
			break;
		case 'g':
			if (is_go_head(s))
				return i;
			break;
		case 'I': case 't':
			if (is_task_head(s))
				return i;
			break;
		case 's':
			if (str_has_prefix(s, STR("sysrq: Show ")))
				return i;
			break;
		case '"':
			if (scan(&s, "\"%*t\" {daemon }prio=%*d tid=", NULL))
				return i;
			break;
		default:
			break;
		}
	}
	return line.n;
}

/* The prefix is used if enough of the lines from the first mark on have it. */
static bool
prefix_common(struct str rest, struct str prefix)
{
	struct dump_lines l = { .rest = rest };
	struct str line;
	unsigned hits = 0, lines = 0;

	while (lines < PREFIX_LOOK && dump_lines_next(&l, &line)) {
		lines++;
		hits += take_prefix(&line, prefix);
	}
	return hits >= (lines < PREFIX_LEAST ? lines : PREFIX_LEAST);
}

void
dump_lines_prefix(struct dump_lines *all)
{
	struct dump_lines l = { .rest = str_head(all->rest, PREFIX_TEXT) };
	struct str line, from, p;
	size_t at;

	for (from = l.rest; dump_lines_next(&l, &line); from = l.rest) {
		line = str_head(line, PREFIX_MOST);
		if ((at = mark_in(line)) == line.n)
			continue;
		p = str_head(line, at);
		while (p.n > 0 && p.s[p.n - 1] == ' ')
			p.n--;
		if (text_trim(p).n == 0 || (p.s[0] == '"' && !str_has_suffix(p, STR(":"))))
			return;
		from.n = (size_t)(all->rest.s + all->rest.n - from.s);
		if (prefix_common(from, p))
			all->prefix = p;
		return;
	}
}

bool
dump_lines_next(struct dump_lines *l, struct str *line)
{
	const char *end;

	if (l->rest.n == 0)
		return false;
	end = memchr(l->rest.s, '\n', l->rest.n);
	*line = (struct str){ l->rest.s, end == NULL ? l->rest.n : (size_t)(end - l->rest.s) };
	l->rest = str_behind(l->rest, line->n + (end != NULL));
	line->n -= line->n > 0 && line->s[line->n - 1] == '\r';
	if (l->prefix.n > 0)
		l->prefixed += take_prefix(line, l->prefix);
	assert(line->s <= l->rest.s);
	return true;
}
