/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offer: commands, columns and names as words, of which those are kept that fit to what was typed.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "query/heap/heap.h"
#include "query/trace/trace.h"

/* NAMES_MAX: matching names to keep.  ROWS_A_LOOK: rows read between checks of the clock. */
enum { NAMES_MAX = 100, ROWS_A_LOOK = 64 };

enum { RANK_BEGINS, RANK_BEGINS_NOCASE, RANK_HAS, RANK_LATE, RANK_SLIPS, RANK_NONE = 1000 };

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
		return c->nocase ? RANK_BEGINS : RANK_BEGINS_NOCASE;
	return str_has_nocase(s, word) ? RANK_HAS : slips_of(c, s);
}

/* ---- quoting ------------------------------------------------------------- */

bool
is_name_char(char c)
{
	return is_digit(c) || (offer_lower(c) >= 'a' && offer_lower(c) <= 'z') ||
	    memchr("_.$[]", c, 5) != NULL;
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
	struct candidate item = { offer_copy(text), offer_copy(what), rank, c->act };

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

/* ---- what is expected ------------------------------------------------------ */

void
expect(struct place *p, const char *what)
{
	snprintf(p->c->hint, sizeof p->c->hint, "%s", what);
}

/* ---- commands ------------------------------------------------------------ */

void
offer_commands(struct place *p, bool sources, bool others)
{
	unsigned shapes = session_shapes(p->session);

	for (size_t i = 0; commands[i] != NULL; i++)
		if ((commands[i]->kind == COMMAND_SOURCE ? sources : others) &&
		    command_leads(i, shapes))
			completion_offer(p->c, commands[i]->word, command_what(commands[i], shapes));
}

void
completion_sources(struct completion *c, unsigned shapes, const char *before)
{
	const struct command *command;
	char what[160];

	for (size_t i = 0; (command = commands[i]) != NULL; i++) {
		if (command->kind != COMMAND_SOURCE || !command_leads(i, shapes) ||
		    (command->args != NULL && (command->args->flags & (ARG_OPTIONAL | ARG_MANY)) == 0))
			continue;
		snprintf(what, sizeof what, "%s%s", before, command_what(command, shapes));
		completion_offer(c, command->word, what);
	}
}

/* ---- what names are read from -------------------------------------------- */

/* The rows of a query; false: there are none, or not yet. */
static bool
open_query(struct completion *c, struct session *session, struct names *names, struct str query,
    struct rows **rows)
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

static void
names_close(struct names *names)
{
	if (names == NULL)
		return;
	rows_close(names->rows);
	query_free(names->query);
	free(names);
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
	if (!open_query(c, session, names, source, &names->rows) ||
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

bool
completion_names(struct completion *c, struct session *session, struct str query, const char *column, const char *what)
{
	if (c->names != NULL)
		return false;
	offer_names(c, session, query, column, false);
	buf_clear(&c->lacks);
	if (c->names == NULL)
		return false;
	c->names->about = what;
	c->names->calls = -1;
	return true;
}

/* Opens what the names are read from; false: there is nothing to offer, or not yet. */
static bool
open_fields(struct completion *c, struct session *session, struct names *names, struct str query)
{
	struct str prefix = buf_view(&c->word);
	struct rows *rows;
	struct err err;
	int object;

	if (!open_query(c, session, names, query, &rows))
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

/* Offer names of fields that can follow the typed text, for the objects that query gives. */
static void
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

/* ---- columns ------------------------------------------------------------- */

/* Offer the labels of the rows that a query gives. */
static void
offer_labels(struct place *p)
{
	OWN_BUF query = BUF_INIT;

	buf_str(&query, p->before);
	buf_str(&query, STR(" | columns | where name ~ /^label[.]/"));
	if (!query.bad)
		offer_names(p->c, p->session, buf_view(&query), "name", false);
}

/* Offer columns made on demand, which only the file knows: columns of a table, fields of objects, labels. */
static void
offer_made(struct place *p)
{
	const struct rows *origin = rows_origin(p->in);

	if (origin->ops->find == NULL || p->c->names != NULL)
		return;
	if (origin->command != NULL && origin->command->shapes == SHAPE_TABLE)
		offer_names(p->c, p->session, STR("columns | select name"), "name", false);
	else if (origin->ops->known == label_columns_known)
		offer_labels(p);
	else
		offer_fields(p->c, p->session, p->before);
}

void
offer_columns(struct place *p, enum cell_type type)
{
	static const char *const clocked[] = { "self", "total" };
	char what[160];
	int col;

	for (size_t i = 0; p->in != NULL && i < NELEM(clocked); i++) {
		col = rows_column(p->in, str_of(clocked[i]));
		if (col < 0 || (type != CELL_NONE && p->in->cols[col].type != type))
			continue;
		snprintf(what, sizeof what, "%s: %s", p->in->cols[col].name,
		    p->in->cols[col].what);
		completion_offer(p->c, clocked[i], what);
	}
	for (size_t i = 0; p->in != NULL && i < p->in->ncols; i++) {
		if (type != CELL_NONE && p->in->cols[i].type != type)
			continue;
		snprintf(what, sizeof what, "%s: %s",
		    cell_type_name(p->in->cols[i].type), p->in->cols[i].what);
		completion_offer(p->c, p->in->cols[i].name, what);
	}
	if (type == CELL_NONE && p->in != NULL)
		offer_made(p);
}

/* ---- names --------------------------------------------------------------- */

/* Find the place of a name of that rank; false: the name is a duplicate, or ranks too low. */
static bool
find_place(const struct completion *c, struct str text, unsigned rank, size_t *place)
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
	return low < c->words + NAMES_MAX;
}

void
completion_offer_late(struct completion *c, const char *text, const char *what)
{
	size_t place;

	if (offer_rank_of(c, str_of(text)) < RANK_SLIPS && find_place(c, str_of(text), RANK_LATE, &place))
		offer_keep(c, place, str_of(text), str_of(what), RANK_LATE, c->words + NAMES_MAX);
}

static void
offer_describe(struct names *names, uint64_t row, struct buf *b)
{
	char n[NUM_TEXT];
	struct cell c;

	if (names->about != NULL)
		buf_str(b, str_of(names->about));
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
	if (rank == RANK_NONE || (c->n == c->words + NAMES_MAX && rank > c->item[c->n - 1].rank))
		return;
	buf_clear(text);
	if (names->about != NULL)
		buf_str(text, cell.text);
	else
		name_quote(text, cell.text, names->value);
	if (text->bad || !find_place(c, buf_view(text), rank, &place))
		return;
	buf_clear(what);
	offer_describe(names, row, what);
	offer_keep(c, place, buf_view(text), buf_view(what), rank, c->words + NAMES_MAX);
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
