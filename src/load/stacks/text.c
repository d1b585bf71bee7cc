/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of lines, for readers of stack dumps.
 */
#include "config.h"

#include "icecore/calendar.h"
#include "icecore/json.h"
#include "icecore/name.h"
#include "icecore/scan.h"

#include "dumps_in.h"
#include "text.h"

struct str
text_trim(struct str s)
{
	s = str_skip_blanks(s);
	while (s.n > 0 && is_blank(s.s[s.n - 1]))
		s.n--;
	return s;
}

bool
text_take_word(struct str *s, struct str *word)
{
	*word = str_until(*s, ' ');
	*s = str_after(*s, word->n);
	while (s->n > 0 && s->s[0] == ' ')
		*s = str_after(*s, 1);
	return word->n > 0;
}

bool
text_take_hex(struct str *s, uint64_t *v)
{
	struct str in = *s;

	if (!str_begins(in, "0x") || !str_number_any(&in, v))
		return false;
	*s = in;
	return true;
}

bool
text_all_digits(struct str s)
{
	return s.n > 0 && str_digits(s) == s.n;
}

bool
text_number_after(struct str s, struct str what, uint64_t *v)
{
	struct str before, after;

	return str_divide(s, what, &before, &after) && str_number_any(&after, v);
}

bool
text_cut_args(struct str s, struct str *before, struct str *args)
{
	size_t depth = 0;

	if (s.n == 0 || s.s[s.n - 1] != ')')
		return false;
	for (size_t i = s.n; i-- > 0; ) {
		depth += s.s[i] == ')';
		if (s.s[i] != '(' || --depth > 0)
			continue;
		*before = str_head(s, i);
		*args = (struct str){ s.s + i + 1, s.n - i - 2 };
		return true;
	}
	return false;
}

bool
text_cut_call(struct str s, struct str *before, struct str *args, struct str *rest)
{
	size_t n = name_end(s);

	*rest = str_after(s, n);
	return text_cut_args(str_head(s, n), before, args);
}

struct str
text_place(struct str s, struct str *rest)
{
	size_t n = name_end_place(s);

	*rest = str_after(s, n);
	return str_head(s, n);
}

struct str
text_after_last(struct str s, char c)
{
	struct str before, after;

	return str_divide_last(s, c, &before, &after) ? after : s;
}

struct str
text_before_last(struct str s, char c)
{
	struct str before, after;

	return str_divide_last(s, c, &before, &after) ? before : STR("");
}

uint64_t
text_ns(struct str s, unsigned decimals)
{
	uint64_t v;

	return s.n > 0 && scan_fixed(s, decimals, &v) ? v : UINT64_MAX;
}

/* ---- states --------------------------------------------------------------------------- */

enum dump_state
dumps_state(struct str s, bool (*fits)(struct str, struct str word), const struct dump_words *w)
{
	struct str rest, word;

	for (; w->words != NULL; w++)
		for (rest = str_of(w->words); str_split(&rest, '|', &word); )
			if (fits(s, word))
				return w->state;
	return DSTATE_UNKNOWN;
}

/* ---- times ---------------------------------------------------------------------------- */

/* Take exactly that many digits, and one of those bytes after them; end: none needs to follow. */
static bool
take_part(struct str *s, size_t digits, const char *after, uint64_t *v)
{
	struct str d = str_head(*s, digits);

	if (!text_all_digits(d) || d.n != digits || !str_number(&d, v))
		return false;
	*s = str_after(*s, digits);
	if (after[0] == '\0')
		return true;
	if (s->n == 0 || !is_one_of(s->s[0], after))
		return false;
	*s = str_after(*s, 1);
	return true;
}

uint64_t
text_time(struct str s)
{
	uint64_t year, month, day, hour, minute, second, part = 0, scale = 1000000000;
	struct calendar_day date;

	while (s.n > 0 && !is_digit(s.s[0]))
		s = str_after(s, 1);
	if (!take_part(&s, 4, "-/", &year) || !take_part(&s, 2, "-/", &month) ||
	    !take_part(&s, 2, " T", &day))
		return UINT64_MAX;
	scan(&s, "at ");
	if (!take_part(&s, 2, ":", &hour) || !take_part(&s, 2, ":", &minute) ||
	    !take_part(&s, 2, "", &second))
		return UINT64_MAX;
	date = (struct calendar_day){ (int64_t)year, (unsigned)month, (unsigned)day };
	if (!calendar_has(&date) || year < 1970 || year > 2500 || hour > 23 || minute > 59 || second > 60)
		return UINT64_MAX;
	if (s.n > 1 && (s.s[0] == '.' || s.s[0] == ',' || s.s[0] == ':'))
		for (size_t i = 1; i < s.n && is_digit(s.s[i]) && scale > 1; i++) {
			part = part * 10 + (uint64_t)(s.s[i] - '0');
			scale /= 10;
		}
	return (((uint64_t)calendar_days(&date) * 24 + hour) * 3600 + minute * 60 + second) * 1000000000 + part * scale;
}
