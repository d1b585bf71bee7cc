/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stats: the smallest, the middle, the largest and the most frequent values of a column, and their
 * distribution.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/sums.h"
#include "sheet_values.h"

#define TOP 5u			/* most frequent values */
#define TOP_BYTES 40u		/* longest text of a frequent value */
#define TEXT_BYTES 200u		/* longest text of the minimum and the maximum */

/* A value as a number; all of a column have the same decimals. */
struct rank {
	__int128	at;
	uint64_t	n;
	uint32_t	value;
};

/* ---- columns -------------------------------------------------------------------------- */

bool
stats_open(struct stats *s, const struct sheet_values *v, struct sheet_reader *r, struct err *err)
{
	OWN_ARRAY(uint64_t) next = ARRAY_INIT;

	s->values = v;
	s->reader = r;
	if (!array_grow(&next, v->columns + 1ull, err) || !array_grow(&s->order, v->n + 1, err))
		return false;
	for (uint32_t i = 0; i < v->columns; i++)
		next.at[i + 1] = next.at[i] + v->column.at[i].kept;
	for (uint64_t i = 0; i < v->n; i++)
		s->order.at[next.at[v->value.at[i].field.stamp]++] = (uint32_t)i;
	return true;
}

void
stats_close(struct stats *s)
{
	SCRATCH_FREE(&s->order, &s->rank);
	buf_free(&s->words);
	buf_free(&s->text);
}

/* The value of the present column with that number. */
static const struct sheet_value *
stats_value(const struct stats *s, uint64_t i)
{
	return &s->values->value.at[s->order.at[s->from + i]];
}

static struct str
stats_text(const struct stats *s, const struct sheet_field *f)
{
	return sheet_trim(sheet_field_text(s->reader, f));
}

/* Without a part of a character at the end. */
static struct str
stats_head(struct str text, size_t most)
{
	size_t n = text.n < most ? text.n : most;

	while (n > 0 && n < text.n && ((unsigned char)text.s[n] & 0xc0) == 0x80)
		n--;
	return (struct str){ text.s, n };
}

/* Add a text to the words; return its place, from 1. */
static bool
stats_put(struct stats *s, struct str text, uint32_t *place, struct err *err)
{
	*place = (uint32_t)s->words.n + 1;
	buf_add(&s->words, text.s, text.n);
	buf_chr(&s->words, '\0');
	if (s->words.bad || s->words.n >= UINT32_MAX)
		return fail(err, E_SYSTEM, "out of memory (values of columns)");
	return true;
}

/* ---- texts ---------------------------------------------------------------------------- */

static bool
stats_texts(struct stats *s, uint64_t n, uint32_t stat[STATS], struct err *err)
{
	struct buf low = BUF_INIT, high = BUF_INIT;
	bool any = false, ok = true;
	struct str text;

	for (uint64_t i = 0; i < n; i++) {
		text = stats_head(stats_text(s, &stats_value(s, i)->field), TEXT_BYTES);
		if (text.n == 0)
			continue;
		if (!any || str_cmp(text, buf_view(&low)) < 0) {
			buf_clear(&low);
			buf_str(&low, text);
		}
		if (!any || str_cmp(text, buf_view(&high)) > 0) {
			buf_clear(&high);
			buf_str(&high, text);
		}
		any = true;
	}
	if (any)
		ok = !low.bad && !high.bad && stats_put(s, buf_view(&low), &stat[STAT_MIN], err) &&
		    stats_put(s, buf_view(&high), &stat[STAT_MAX], err);
	buf_free(&low);
	buf_free(&high);
	return ok;
}

/* "north (3), south (2)": values that occur more than once. */
static bool
stats_top(struct stats *s, uint64_t n, uint32_t *stat, struct err *err)
{
	const struct sheet_value *top[TOP + 1], *v;
	size_t found = 0, at;
	struct str text;

	for (uint64_t i = 0; i < n; i++) {
		v = stats_value(s, i);
		if (v->n < 2 || (found == TOP && v->n <= top[TOP - 1]->n) || stats_text(s, &v->field).n == 0)
			continue;
		for (at = found; at > 0 && v->n > top[at - 1]->n; at--)
			top[at] = top[at - 1];
		top[at] = v;
		found += found < TOP;
	}
	buf_clear(&s->text);
	for (size_t i = 0; i < found; i++) {
		text = stats_text(s, &top[i]->field);
		buf_str(&s->text, i > 0 ? STR(", ") : STR(""));
		buf_str(&s->text, stats_head(text, TOP_BYTES));
		buf_printf(&s->text, "%s (%llu)", text.n > TOP_BYTES ? "..." : "",
		    (unsigned long long)top[i]->n);
	}
	return found == 0 || stats_put(s, buf_view(&s->text), stat, err);
}

/* ---- numbers and dates ------------------------------------------------------------------ */

static int
rank_cmp(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	return x->at != y->at ? (x->at > y->at) - (x->at < y->at) :
	    (x->value > y->value) - (x->value < y->value);
}

/* Read the values that are numbers or dates, all with the same decimals; none if these do not fit. */
static bool
stats_ranks(struct stats *s, uint64_t n, enum sheet_reading as, struct extreme end[2], unsigned *places,
    uint64_t *ranks, struct err *err)
{
	const struct sheet_value *v;
	struct decimal d;

	*ranks = 0;
	*places = 0;
	if (!array_grow(&s->rank, n + 1, err))
		return false;
	for (int turn = 0; turn < 2; turn++)
		for (uint64_t i = 0; i < n; i++) {
			v = stats_value(s, i);
			if (!sheet_values_read(stats_text(s, &v->field), as, &d))
				continue;
			if (turn == 0) {
				sheet_values_widen(end, d, &v->field);
				*places = d.places > *places ? d.places : *places;
			} else if (!decimal_add(&d, (struct decimal){ 0, *places })) {
				*ranks = 0;
				return true;
			} else {
				s->rank.at[(*ranks)++] = (struct rank){ d.value, v->n,
				    s->order.at[s->from + i] };
			}
		}
	qsort(s->rank.at, *ranks, sizeof *s->rank.at, rank_cmp);
	return true;
}

/* Return the rank of the record with that number in the order of values. */
static const struct rank *
stats_rank(const struct stats *s, uint64_t ranks, uint64_t record)
{
	uint64_t i = 0;

	for (; i + 1 < ranks && record >= s->rank.at[i].n; i++)
		record -= s->rank.at[i].n;
	return &s->rank.at[i];
}

static bool
stats_number(struct stats *s, struct decimal d, unsigned places, uint32_t *stat, struct err *err)
{
	d = decimal_narrow(d);
	(void)decimal_add(&d, (struct decimal){ 0, places });
	buf_clear(&s->text);
	decimal_full(d, &s->text);
	return stats_put(s, buf_view(&s->text), stat, err);
}

/* For an even number of records: the mean of the two numbers in the middle, or the earlier date. */
static bool
stats_median(struct stats *s, uint64_t ranks, unsigned decimals, const struct stats_of *of, uint32_t *stat,
    struct err *err)
{
	uint64_t all = 0;
	const struct rank *a, *b;
	struct decimal d;

	for (uint64_t i = 0; i < ranks; i++)
		all += s->rank.at[i].n;
	a = stats_rank(s, ranks, (all - 1) / 2);
	b = stats_rank(s, ranks, all / 2);
	if (!of->numbers)
		return stats_put(s, stats_text(s, &s->values->value.at[a->value].field), stat, err);
	d = (struct decimal){ a->at, decimals };
	if (a != b && decimal_add(&d, (struct decimal){ b->at, decimals }) && d.value <= DECIMAL_MOST / 5 &&
	    d.value >= -DECIMAL_MOST / 5)
		d = (struct decimal){ d.value * 5, decimals + 1 };
	else
		d.value = a->at;
	return stats_number(s, d, of->places, stat, err);
}

/* Digits of use_step: the number of records in equal parts of the span of values. */
static bool
stats_bars(struct stats *s, uint64_t ranks, uint32_t *stat, struct err *err)
{
	uint64_t bar[USE_PARTS] = { 0 }, most = 0, part;
	__int128 low = s->rank.at[0].at, high = s->rank.at[ranks - 1].at, width, at;
	char digits[USE_PARTS];

	/* So that the difference times the number of parts fits. */
	unsigned shift = high > DECIMAL_MOST / 64 || low < -DECIMAL_MOST / 64 ? 8 : 0;

	width = (high >> shift) - (low >> shift);
	if (width == 0)
		return true;
	for (uint64_t i = 0; i < ranks; i++) {
		at = (s->rank.at[i].at >> shift) - (low >> shift);
		part = (uint64_t)(at * USE_PARTS / width);
		part = part < USE_PARTS ? part : USE_PARTS - 1;
		bar[part] += s->rank.at[i].n;
		most = bar[part] > most ? bar[part] : most;
	}
	for (size_t i = 0; i < USE_PARTS; i++)
		digits[i] = use_digit(bar[i], most);
	return stats_put(s, (struct str){ digits, USE_PARTS }, stat, err);
}

static bool
stats_amounts(struct stats *s, uint32_t column, uint64_t n, const struct stats_of *of, uint32_t stat[STATS],
    struct err *err)
{
	enum sheet_reading as = of->numbers ? of->comma ? READ_COMMA : READ_POINT : of->month_first ? READ_MONTH :
	    READ_DAY;
	const struct column_values *c = &s->values->column.at[column];
	struct extreme end[2] = { { .any = false }, { .any = false } };
	uint64_t ranks;
	uint32_t *to;
	unsigned decimals;

	if (c->far > 0)
		memcpy(end, s->values->far.at[c->far - 1].end[as], sizeof end);
	if (!stats_ranks(s, n, as, end, &decimals, &ranks, err))
		return false;
	for (int high = 0; high < 2 && end[high].any; high++) {
		to = &stat[high ? STAT_MAX : STAT_MIN];
		if (of->numbers ? !stats_number(s, end[high].at, of->places, to, err) :
		    !stats_put(s, stats_text(s, &end[high].field), to, err))
			return false;
	}
	return ranks == 0 || (stats_median(s, ranks, decimals, of, &stat[STAT_MEDIAN], err) &&
	    stats_bars(s, ranks, &stat[STAT_BARS], err));
}

bool
stats_column(struct stats *s, uint32_t column, const struct stats_of *of, uint32_t stat[STATS],
    struct err *err)
{
	const struct column_values *c = &s->values->column.at[column];
	bool ok = true;

	memset(stat, 0, STATS * sizeof *stat);
	if (of->numbers || of->kind == SHEET_DATE)
		ok = stats_amounts(s, column, c->kept, of, stat, err);
	else if (c->zeros == 0)
		ok = stats_texts(s, c->kept, stat, err);
	if (ok && c->zeros == 0)
		ok = stats_top(s, c->kept, &stat[STAT_TOP], err);
	s->from += c->kept;
	return ok;
}
