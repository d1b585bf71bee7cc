/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sniff: detect the form of a table from its start: JSON lines or separator, number of columns, header.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/scan.h"
#include "icecore/lines.h"
#include "table.h"

#define HEAD 65536u	/* maximum bytes that are examined */
#define HEAD_RECORDS 200u	/* maximum records that are examined */

static const char seps[] = { ',', '\t', ';', '|' };

/* ---- separator and width ----------------------------------------------------------------- */

/* Widths of the first records. */
struct widths {
	uint32_t	width[HEAD_RECORDS];
	uint32_t	n;
};

static bool
head_widths(const struct sheet *s, uint64_t at, struct widths *w, struct err *err)
{
	struct sheet_reader r;
	bool ok = sheet_reader_open(&r, s, at, 1, err);

	for (w->n = 0; ok && w->n < HEAD_RECORDS && sheet_next(&r, err); )
		w->width[w->n++] = r.n;
	ok = ok && err->kind == E_NONE;
	sheet_reader_close(&r);
	return ok;
}

/* Return the most frequent width >= least, the larger one on a tie. *times: how often it occurs. */
static uint32_t
most_frequent(const struct widths *w, uint32_t least, uint32_t *times)
{
	uint32_t best = 0, n;

	*times = 0;
	for (uint32_t i = 0; i < w->n; i++) {
		if (w->width[i] < least)
			continue;
		n = 0;
		for (uint32_t k = 0; k < w->n; k++)
			n += w->width[k] == w->width[i];
		if (n > *times || (n == *times && w->width[i] > best)) {
			*times = n;
			best = w->width[i];
		}
	}
	return best;
}

/* Choose the separator for which most records have the same width. */
static bool
find_sep(struct load *l, struct err *err)
{
	struct sheet head = l->sheet;
	struct widths w;
	uint32_t times, score, best = 0;
	const char *from = head.data + l->body, *end;

	assert(l->body <= (uint64_t)(head.end - head.data));
	l->sheet.sep = ',';
	if ((uint64_t)(head.end - from) > HEAD) {
		end = memrchr(from, '\n', HEAD);
		head.end = end == NULL ? from + HEAD : end + 1;
	}
	for (size_t i = 0; i < sizeof seps; i++) {
		head.sep = seps[i];
		if (!head_widths(&head, l->body, &w, err))
			return false;
		most_frequent(&w, 2, &times);
		score = w.n == 0 ? 0 : (times * 20000 + w.n) / (2 * w.n);
		if (score > best) {
			best = score;
			l->sheet.sep = seps[i];
		}
	}
	return true;
}

/* A line "sep=;" at the start, as written by spreadsheets. */
static void
take_sep_line(struct load *l)
{
	struct str s = { l->sheet.data, (size_t)(l->sheet.end - l->sheet.data) }, line = s;
	char sep;

	if (!scan(&s, "sep=") || s.n < 2 || memchr("\"\r\n\0", s.s[0], 4) != NULL ||
	    (unsigned char)s.s[0] >= 0x80)
		return;
	sep = s.s[0];
	s = str_after(s, 1);
	scan(&s, "\r");
	if (!scan(&s, "\n"))
		return;
	l->sheet.sep = sep;
	l->body = (uint64_t)(s.s - line.s);
}

/* ---- header -------------------------------------------------------------------------------- */

/* The first record that is wide enough, and the data below it. */
struct top {
	struct sheet_names	 text;		/* fields of the record */
	struct scratch		 guess;		/* struct sheet_guess: of the columns below it */
	struct scratch		 again;		/* u8: its field occurs again in the column below */
	uint32_t		 n;
	uint64_t		 next, next_line;
};

static bool
keep_top(struct top *t, struct sheet_reader *r, struct err *err)
{
	uint32_t column;

	for (uint32_t i = 0; i < r->n && i < SHEET_COLUMNS; i++)
		if (!sheet_add_name(&t->text, sheet_text(r, i), true, &column, err))
			return false;
	t->n = t->text.n;
	t->next = (uint64_t)(r->at - r->sheet->data);
	t->next_line = r->next_line;
	return scratch_array(&t->guess, t->n, sizeof(struct sheet_guess), err) &&
	    scratch_array(&t->again, t->n, 1, err);
}

static bool
look_below(struct top *t, struct sheet_reader *r, uint32_t width, struct err *err)
{
	uint32_t n = t->n < width ? t->n : width;
	struct str s;

	for (uint32_t rows = 0; rows < HEAD_RECORDS && sheet_next(r, err); rows++)
		for (uint32_t i = 0; i < n; i++) {
			s = sheet_text(r, i);
			t->again.data[i] |= str_eq(s, sheet_name(&t->text, i));
			sheet_guess_add(&SCRATCH(t->guess, struct sheet_guess)[i], s);
		}
	return err->kind == E_NONE;
}

/* All fields are texts, and all are distinct. */
static bool
is_texty(const struct top *t)
{
	struct amount a;
	struct sheet_day d;
	struct str s;
	bool any = false;

	for (uint32_t i = 0; i < t->n; i++) {
		s = sheet_name(&t->text, i);
		if (sheet_named(&t->text, s) != i + 1)
			return false;
		s = sheet_trim(s);
		if (s.n > 0 && (sheet_amount(s, '.', &a) != AMOUNT_NONE || sheet_date(s, false, &d)))
			return false;
		any |= s.n > 0;
	}
	return any;
}

static bool
sniff_is_header(const struct top *t)
{
	const struct sheet_guess *g = SCRATCH(t->guess, struct sheet_guess);
	bool data = false, again = false;
	enum sheet_kind kind;

	if (!is_texty(t))
		return false;
	for (uint32_t i = 0; i < t->n; i++) {
		kind = sheet_guess_kind(&g[i]);
		data |= kind == SHEET_NUMBER || kind == SHEET_DATE || kind == SHEET_CODES;
		again |= t->again.data[i] != 0 && sheet_trim(sheet_name(&t->text, i)).n > 0;
	}
	return data || !again;
}

static bool
sniff_put_names(struct load *l, const struct top *t, struct err *err)
{
	uint32_t n = l->header ? t->n : l->width < SHEET_COLUMNS ? l->width : SHEET_COLUMNS, column;
	struct str name;
	char number[24];

	for (uint32_t i = 0; i < n; i++) {
		name = l->header ? sheet_trim(sheet_name(&t->text, i)) : STR("");
		if (name.n == 0) {
			snprintf(number, sizeof number, "c%u", i + 1);
			name = str_of(number);
		}
		if (!sheet_add_name(&l->sheet.names, name, true, &column, err))
			return false;
	}
	return true;
}

/* Guess the kinds of columns from their first values. */
static bool
put_likely(struct load *l, const struct top *t, struct err *err)
{
	const struct sheet_guess *g = SCRATCH(t->guess, struct sheet_guess);

	if (!scratch_array(&l->likely, l->sheet.names.n + 1ull, 1, err) ||
	    !scratch_array(&l->places, l->sheet.names.n + 1ull, 1, err))
		return false;
	for (uint32_t i = 0; i < l->sheet.names.n; i++) {
		l->places.data[i] = i >= t->n ? 0 : (uint8_t)sheet_guess_places(&g[i]);
		l->likely.data[i] = i >= t->n ? SHEET_EMPTY : (uint8_t)(sheet_guess_likely(&g[i]) |
		    (sheet_mark(&g[i].votes) == ',' ? SHEET_COMMA : 0) |
		    (sheet_guess_names(&g[i]) ? SHEET_NAMES : 0) |
		    (sheet_date_order(&g[i].votes) != DATE_YMD ? SHEET_YEAR_LAST : 0) |
		    (g[i].currencies ? SHEET_CURRENCIES : 0));
	}
	return true;
}

/* Read up to the first record that is wide enough. */
static bool
find_top(struct load *l, struct sheet_reader *r, struct err *err)
{
	for (l->preamble = 0; sheet_next(r, err); l->preamble++)
		if (r->n >= l->width)
			return true;
	return false;
}

bool
load_top(struct load *l, struct err *err)
{
	struct sheet_reader r;
	struct top t = { .n = 0 };
	bool ok = sheet_reader_open(&r, &l->sheet, l->body, l->body_line, err);

	sheet_names_free(&l->sheet.names);
	memset(&l->sheet.names, 0, sizeof l->sheet.names);
	l->sheet.names.place = SCRATCH_INIT;
	t.text.place = t.guess = t.again = SCRATCH_INIT;
	if (ok && find_top(l, &r, err)) {
		l->sheet.first = (uint64_t)(r.record - l->sheet.data);
		l->sheet.line = r.line;
		ok = keep_top(&t, &r, err) && look_below(&t, &r, l->width, err);
		l->header = ok && (l->asked.header != 0 ? l->asked.header > 0 : sniff_is_header(&t));
		if (l->header) {
			l->sheet.first = t.next;
			l->sheet.line = t.next_line;
		}
		ok = ok && sniff_put_names(l, &t, err);
	} else {
		ok = ok && err->kind == E_NONE;
		l->sheet.first = (uint64_t)(l->sheet.end - l->sheet.data);
	}
	assert(l->sheet.first <= (uint64_t)(l->sheet.end - l->sheet.data));
	ok = ok && put_likely(l, &t, err);
	sheet_reader_close(&r);
	sheet_names_free(&t.text);
	SCRATCH_FREE(&t.guess, &t.again);
	return ok;
}

/* ---- JSON lines ----------------------------------------------------------------------------- */

/* Collect the names of all lines. */
static bool
read_names(struct load *l, struct err *err)
{
	struct sheet_reader r;
	bool ok = sheet_reader_open(&r, &l->sheet, 0, 1, err);
	uint64_t n;

	r.grow = &l->sheet.names;
	l->header = true;
	l->sheet.first = 0;
	l->sheet.line = 1;
	work_start_bytes(l->work, "names of columns", (uint64_t)(l->sheet.end - l->sheet.data));
	for (n = 0; ok && sheet_next(&r, err); n++)
		ok = n % 256 != 0 || work_go(l->work, (uint64_t)(r.at - l->sheet.data), err);
	ok = ok && err->kind == E_NONE &&
	    (n > 0 || r.bad == 0 || fail(err, E_UNREADABLE, "not a table: the lines are not JSON objects"));
	sheet_reader_close(&r);
	return ok;
}

static bool
likely_lines(struct load *l, struct err *err)
{
	struct sheet_reader r;
	struct top t = { .n = l->sheet.names.n };
	bool ok = sheet_reader_open(&r, &l->sheet, 0, 1, err);

	t.guess = SCRATCH_INIT;
	ok = ok && scratch_array(&t.guess, t.n + 1ull, sizeof(struct sheet_guess), err);
	for (uint32_t rows = 0; ok && rows < HEAD_RECORDS && sheet_next(&r, err); rows++)
		for (uint32_t i = 0; i < t.n; i++)
			sheet_guess_add(&SCRATCH(t.guess, struct sheet_guess)[i], sheet_text(&r, i));
	ok = ok && err->kind == E_NONE && put_likely(l, &t, err);
	sheet_reader_close(&r);
	scratch_free(&t.guess);
	return ok;
}

/* Tools may print text lines before the objects: at least half of the first lines must be objects. */
static bool
is_lines(struct str s)
{
	struct lines l = lines_of(str_head(s, HEAD));
	struct str line;
	uint64_t objects = 0, lines = 0;

	for (; lines < HEAD_RECORDS && lines_next(&l, &line); lines += line.n > 0) {
		line = sheet_trim(line);
		objects += str_begins(line, "{\"") || str_begins(line, "{}");
	}
	return objects > 0 && objects >= lines - objects;
}

bool
load_sniff(struct load *l, struct err *err)
{
	struct str s = sheet_trim((struct str){ l->sheet.data, (size_t)(l->sheet.end - l->sheet.data) });
	struct widths w;
	uint32_t times;

	err->kind = E_NONE;
	l->body_line = 1;
	l->sheet.json = l->asked.sep == '\0' && s.n > 0 && (s.s[0] == '{' || s.s[0] == '[' || is_lines(s));
	if (l->sheet.json)
		return read_names(l, err) && likely_lines(l, err);
	take_sep_line(l);
	if (l->asked.sep != '\0')
		l->sheet.sep = l->asked.sep;
	else if (l->sheet.sep == '\0' && !find_sep(l, err))
		return false;
	if (!head_widths(&l->sheet, l->body, &w, err))
		return false;
	l->width = most_frequent(&w, 1, &times);
	return load_top(l, err);
}
