/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offer: keeps those of the words offered that fit to what was typed.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "query/heap/heap.h"

/* NAMES_MAX: matching names to keep.  ROWS_A_LOOK: rows read between checks of the clock. */
enum { NAMES_MAX = 100, ROWS_A_LOOK = 64 };

enum { RANK_BEGINS, RANK_BEGINS_NOCASE, RANK_HAS, RANK_SLIPS, RANK_NONE = 1000 };

/* Shortest word in which typing errors are accepted. */
enum { SLIPS_FROM = 3 };

/* ---- fitting ------------------------------------------------------------- */

static char
offer_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
}

static bool
begins_nocase(struct str s, struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (i == s.n || offer_lower(s.s[i]) != offer_lower(word.s[i]))
			return false;
	return true;
}

/* How far the word is from the nearest part of s; RANK_NONE: too far. */
static unsigned
slips_of(struct completion *c, struct str s)
{
	size_t n = c->word.n;
	struct err err;
	bool more = true;

	if (c->near || n < SLIPS_FROM || (c->lev == NULL && !lev_new(&c->lev, LEV_PART | LEV_NOCASE, &err)))
		return RANK_NONE;
	lev_start(c->lev, buf_view(&c->word), s, n < 5 ? 1 : n < 9 ? 2 : 3);
	while (more)
		if (!lev_step(c->lev, LEV_SLICE, &more, &err))
			return RANK_NONE;
	return lev_distance(c->lev) == LEV_OVER ? RANK_NONE :
	    RANK_SLIPS + (unsigned)lev_distance(c->lev);
}

static unsigned
offer_rank_of(struct completion *c, struct str s)
{
	struct str word = buf_view(&c->word);

	if (str_has_prefix(s, word))
		return RANK_BEGINS;
	if (begins_nocase(s, word))
		return RANK_BEGINS_NOCASE;
	return str_has_nocase(s, word) ? RANK_HAS : slips_of(c, s);
}

/* ---- quoting ------------------------------------------------------------- */

bool
is_name_char(char c)
{
	return is_digit(c) || (offer_lower(c) >= 'a' && offer_lower(c) <= 'z') || memchr("_.$[]", c, 5) != NULL;
}

static bool
offer_is_plain(struct str name)
{
	size_t n = 0;

	while (n < name.n && is_name_char(name.s[n]))
		n++;
	return n > 0 && n == name.n && !is_digit(name.s[0]);
}

/* Bytes of the character at the start of s that can be shown as it is; 0: it cannot. */
static size_t
shown_length(struct str s)
{
	unsigned char c = (unsigned char)s.s[0];
	size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	char fit[16];

	if (n > s.n)
		return 0;
	s.n = n;
	return text_fit(fit, sizeof fit, s) == n && memcmp(fit, s.s, n) == 0 ? n : 0;
}

void
name_quote(struct buf *b, struct str name, bool always)
{
	size_t n;

	if (!always && offer_is_plain(name)) {
		buf_str(b, name);
		return;
	}
	buf_chr(b, '\'');
	for (; name.n > 0; name.s += n, name.n -= n) {
		n = shown_length(name);
		if (n == 0) {
			buf_printf(b, "\\x%02x", (unsigned char)name.s[0]);
			n = 1;
			continue;
		}
		if (name.s[0] == '\'' || name.s[0] == '\\')
			buf_chr(b, '\\');
		buf_str(b, (struct str){ name.s, n });
	}
	buf_chr(b, '\'');
}

/* ---- keeping ------------------------------------------------------------- */

static char *
offer_copy(struct str s)
{
	char *to = mem_array(s.n + 1, 1);

	if (to != NULL && s.n > 0)
		memcpy(to, s.s, s.n);
	return to;
}

static void
candidate_free(struct candidate *item)
{
	free(item->text);
	free(item->what);
}

/* Drop all candidates so far, which matched with typing errors: an exact match was found. */
static void
drop_slips(struct completion *c)
{
	while (c->n > 0)
		candidate_free(&c->item[--c->n]);
	c->words = 0;
	c->near = true;
}

/* Insert a candidate at place i; drop the last one if there are too many. */
static bool
offer_keep(struct completion *c, size_t i, struct str text, struct str what, unsigned rank,
    size_t most)
{
	struct candidate item = { offer_copy(text), offer_copy(what), rank };

	if (!c->near && rank < RANK_SLIPS) {
		drop_slips(c);
		i = 0;
	}
	if (item.text == NULL || item.what == NULL ||
	    !mem_grow(&c->item, &c->cap, c->n + 1, sizeof *c->item)) {
		candidate_free(&item);
		c->bad = true;
		return false;
	}
	if (c->n == most)
		candidate_free(&c->item[--c->n]);
	memmove(&c->item[i + 1], &c->item[i], (c->n - i) * sizeof *c->item);
	c->item[i] = item;
	c->n++;
	return true;
}

/* Words precede names, in the order of their tables. */
void
completion_offer(struct completion *c, const char *text, const char *what)
{
	unsigned rank = offer_rank_of(c, str_of(text));
	size_t i = c->n;

	if (rank == RANK_NONE)
		return;
	for (; i > 0 && c->item[i - 1].rank > rank; i--)
		;
	if (offer_keep(c, i, str_of(text), str_of(what), rank, SIZE_MAX))
		c->words++;
}

/* ---- names --------------------------------------------------------------- */

/* The rows of a query; false: there are none, or not yet. */
static bool
offer_open_query(struct completion *c, struct session *session, struct names *names, struct str query, struct rows **rows)
{
	struct err err;

	if (!query_parse(&names->query, query, &err))
		return false;
	if (query_ready(names->query, session))
		return query_rows(names->query, session, session_shapes(session), rows, &err);
	if (session->nstores > 0)
		buf_str(&c->lacks, query);
	return false;
}

void
offer_names(struct completion *c, struct session *session, struct str source,
    const char *column, bool value)
{
	struct names *names = mem_array(1, sizeof *names);
	int col;

	if (names == NULL)
		return;
	c->names = names;
	names->value = value;
	if (!offer_open_query(c, session, names, source, &names->rows) ||
	    (col = rows_column(names->rows, str_of(column))) < 0 ||
	    names->rows->cols[col].type != CELL_TEXT) {
		names_close(names);
		c->names = NULL;
		return;
	}
	names->col = (size_t)col;
	names->what = -1;
	/* A class or a short name matches several methods. */
	names->calls = strcmp(column, "method") == 0 || str_has_prefix(source, STR("threads")) ?
	    rows_column(names->rows, STR("calls")) : -1;
}

/* Opens what the names are read from; false: there is nothing to offer, or not yet. */
static bool
open_fields(struct completion *c, struct session *session, struct names *names, struct str query)
{
	struct str prefix = buf_view(&c->word);
	struct rows *rows;
	struct err err;
	int object;

	if (!offer_open_query(c, session, names, query, &rows))
		return false;
	object = fields_object(rows);
	if (object < 0) {
		rows_close(rows);
		return false;
	}
	while (prefix.n > 0 && prefix.s[prefix.n - 1] != '.')
		prefix.n--;
	return field_names_open(session, rows, (size_t)object, prefix, &names->rows, &err);
}

void
offer_fields(struct completion *c, struct session *session, struct str query)
{
	struct names *names;

	if (c->names != NULL || session->nstores == 0)
		return;
	names = mem_array(1, sizeof *names);
	if (names == NULL)
		return;
	if (!open_fields(c, session, names, query)) {
		names_close(names);
		return;
	}
	names->calls = -1;
	names->what = rows_column(names->rows, STR("what"));
	c->names = names;
}

void
names_close(struct names *names)
{
	if (names == NULL)
		return;
	rows_close(names->rows);
	query_free(names->query);
	free(names);
}

/* Find the place of a name of that rank; false: the name is a duplicate, or ranks too low. */
static bool
offer_find_place(const struct completion *c, struct str text, unsigned rank, size_t *place)
{
	size_t low = c->words, high = c->n, mid;
	int order;

	while (low < high) {
		mid = low + (high - low) / 2;
		order = c->item[mid].rank < rank ? -1 : c->item[mid].rank > rank ? 1 :
		    str_cmp(str_of(c->item[mid].text), text);
		if (order == 0)
			return false;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	*place = low;
	return low < NAMES_MAX;
}

static void
offer_describe(struct names *names, uint64_t row, struct buf *b)
{
	char n[NUM_TEXT];
	struct cell c;

	if (names->what >= 0) {
		rows_cell(names->rows, row, (size_t)names->what, &c);
		text_fit_buf(b, c.text);
	}
	if (names->calls < 0)
		return;
	rows_cell(names->rows, row, (size_t)names->calls, &c);
	if (c.type != CELL_COUNT)
		return;
	num_show_count(n, sizeof n, c.u);
	buf_printf(b, "%s call%s", n, c.u == 1 ? "" : "s");
}

static void
offer_try_name(struct completion *c, uint64_t row, struct buf *text, struct buf *what)
{
	struct names *names = c->names;
	struct cell cell;
	unsigned rank;
	size_t place;

	rows_cell(names->rows, row, names->col, &cell);
	if (cell.type != CELL_TEXT || cell.text.n == 0)
		return;
	rank = offer_rank_of(c, cell.text);
	if (rank == RANK_NONE || (c->n == NAMES_MAX && rank > c->item[c->n - 1].rank))
		return;
	buf_clear(text);
	name_quote(text, cell.text, names->value);
	if (text->bad || !offer_find_place(c, buf_view(text), rank, &place))
		return;
	buf_clear(what);
	offer_describe(names, row, what);
	offer_keep(c, place, buf_view(text), buf_view(what), rank, NAMES_MAX);
}

void
completion_filter(struct completion *c, bool (*fits)(struct str))
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (fits(str_of(c->item[i].text)))
			c->item[n++] = c->item[i];
		else
			candidate_free(&c->item[i]);
	c->n = c->words = n;
}

bool
completion_step(struct completion *c, uint64_t deadline)
{
	struct names *names = c->names;
	struct buf text = BUF_INIT, what = BUF_INIT;
	bool more = names != NULL;

	while (more) {
		more = rows_reach(names->rows, names->next + 1) > names->next;
		if (more)
			offer_try_name(c, names->next++, &text, &what);
		if (names->next % ROWS_A_LOOK == 0 && os_now() >= deadline)
			break;
	}
	if (!more && names != NULL) {
		names_close(names);
		c->names = NULL;
	}
	buf_free(&text);
	buf_free(&what);
	return more;
}

void
completion_free(struct completion *c)
{
	for (size_t i = 0; i < c->n; i++)
		candidate_free(&c->item[i]);
	free(c->item);
	buf_free(&c->word);
	buf_free(&c->lacks);
	names_close(c->names);
	lev_free(c->lev);
	memset(c, 0, sizeof *c);
}
